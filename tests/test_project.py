"""The promises of the project itself: order of imports, no host names, no long files or lists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_packages_import_in_one_direction() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_order_of_packages_is_the_design() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    order = [layer.strip("()").removeprefix("katachi.") for layer in contract["layers"]]
    design = (
        "go records patterns library models learning teams evaluation styles search study analysis "
        "gtp match papers cli"
    )
    packages = [name for name in order if (ROOT / "src" / "katachi" / name).is_dir()]
    assert " ".join(reversed(packages)) == design


def tracked_text() -> dict[str, str]:
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    found = {}
    for name in files:
        path = ROOT / name
        if name and path.is_file() and path.suffix not in (".xz", ".png", ".katachi", ".input"):
            found[name] = path.read_text(encoding="utf-8")
    return found


def test_no_registry_and_no_machine_is_named() -> None:
    hosts = ["py" + "pi.org", "python" + "hosted", "npm" + "js.", "deb" + "ian.org"]
    paths = re.compile("/(?:" + "ro" + "ot|ho" + "me|wo" + "rk)/")
    for name, text in tracked_text().items():
        assert not any(host in text for host in hosts), name
        assert not paths.search(text), name


def test_the_version_is_in_the_changelog() -> None:
    import katachi

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {katachi.__version__}" in text or "## Unreleased" in text


def test_the_shown_commands_of_the_readme_are_the_makefile_s() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


SOURCES = sorted((ROOT / "src" / "katachi").rglob("*.py"))
KERNELS = {"kernel", "lean", "inlined", "apart", "fresh"}


def test_no_module_is_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert not [f"{path}: {n} lines" for path, n in lines.items() if n > 400]


def kernels(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id in KERNELS for d in node.decorator_list)
    ]


def test_no_kernel_has_many_parameters() -> None:
    """Tables travel as tuples of arrays."""
    found = [(path.name, one) for path in SOURCES for one in kernels(path)]
    assert len(found) > 200
    many = [f"{name}: {one.name}" for name, one in found if len(one.args.args) > 8]
    assert not many
    assert not [one.name for _, one in found if one.args.vararg or one.args.kwonlyargs]
