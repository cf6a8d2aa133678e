"""`python -m tools.architecture > docs/architecture.svg`: the packages as a drawing.

The packages and their order are those that import-linter checks (pyproject.toml): each may import
those above it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
# Rows of the drawing, from the top: the layer, and its packages
ROWS: Final = (
    ("positions and records", ("go", "records")),
    ("patterns", ("patterns", "library")),
    ("models", ("models", "learning", "teams")),
    ("measuring", ("evaluation", "styles")),
    ("playing and studying", ("search", "study", "analysis", "gtp")),
    ("experiments", ("match", "papers")),
    ("the program", ("cli",)),
)
WORDS: Final = {
    "go": "board, ladders, score",
    "records": "SGF, corpora",
    "patterns": "families, shapes",
    "library": "positions in games",
    "models": "the model file",
    "learning": "learners",
    "teams": "any competitions",
    "evaluation": "how well it predicts",
    "styles": "a player's habits",
    "search": "playouts, tree",
    "study": "reasons, the page",
    "analysis": "KataGo's JSON",
    "gtp": "the engine",
    "match": "games, statistics",
    "papers": "theirs and ours",
    "cli": "one module to a verb",
}
WIDTH, HEIGHT, GAP, LEFT = 150, 46, 12, 170


def layers() -> list[str]:
    """The packages, those first that import no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    names = [name.removeprefix("katachi.") for name in contract["layers"]]
    return [name for name in reversed(names) if (ROOT / "src" / "katachi" / name).is_dir()]


def drawing() -> str:
    """The picture, as SVG. Raises ValueError if a package has no place in it, or a wrong one."""
    if [name for _, names in ROWS for name in names] != layers():
        raise ValueError(f"ROWS are not the layers of pyproject.toml: {layers()}")
    width = LEFT + 4 * (WIDTH + GAP)
    height = len(ROWS) * (HEIGHT + 2 * GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="14">',
        "<title>The packages: each may import those above it, and before it in a row</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for row, (layer, names) in enumerate(ROWS):
        y = row * (HEIGHT + 2 * GAP) + GAP
        parts.append(f'<text x="8" y="{y + HEIGHT / 2 + 5:g}" fill="#555">{layer}</text>')
        for column, name in enumerate(names):
            x = LEFT + column * (WIDTH + GAP)
            middle = x + WIDTH / 2
            parts += [
                f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#f4e9cf" '
                'stroke="#8a6d3b"/>',
                f'<text x="{middle:g}" y="{y + 19}" text-anchor="middle" font-weight="bold">'
                f"{name}</text>",
                f'<text x="{middle:g}" y="{y + 37}" text-anchor="middle" font-size="12" '
                f'fill="#555">{WORDS[name]}</text>',
            ]
        if row:
            top = y - 2 * GAP
            parts.append(
                f'<path d="M{LEFT - 20} {y} V{top + 4} m-4 6 l4 -6 l4 6" fill="none" '
                'stroke="#8a6d3b"/>'
            )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    print(drawing(), end="")
