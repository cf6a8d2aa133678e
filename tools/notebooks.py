"""`python -m tools.notebooks`: run the notebooks of the docs, and keep what they print.

With `--check` nothing is kept: the exit code is 1 if a notebook prints something else than shown.
Names after that choose notebooks.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

FOLDER: Final = Path(__file__).parents[1] / "docs" / "notebooks"
TIMEOUT: Final = 600  # seconds for a cell, against a hang only


def run(path: Path) -> Any:
    """The notebook with what it prints now. Raises CellExecutionError if a cell fails."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":  # what stderr has is progress and times
            cell.outputs = [one for one in cell.outputs if one.get("name") != "stderr"]
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
    }
    return notebook


def printed(notebook: Any) -> list[str]:
    """The texts of all outputs, in order."""
    return [
        one.get("text") or one.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        if cell.cell_type == "code"
        for one in cell.outputs
    ]


def main() -> None:
    """Run all of them."""
    check, wanted = "--check" in sys.argv[1:], [a for a in sys.argv[1:] if a != "--check"]
    for path in sorted(FOLDER.glob("*.ipynb")):
        if wanted and path.stem not in wanted:
            continue
        before = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        after = run(path)
        if not check:
            nbformat.write(after, path)  # type: ignore[no-untyped-call]
        elif printed(before) != printed(after):
            for shown, now in zip(printed(before), printed(after), strict=False):
                if shown != now:
                    print(f"{path.name} shows\n{shown}\nand prints\n{now}")
            sys.exit(f"{path.name} prints something else than it shows: python -m tools.notebooks")


if __name__ == "__main__":
    main()
