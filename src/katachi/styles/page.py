"""The report as a page: one file that needs nothing else, no script, boards as SVG."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from katachi.folders import write_whole
from katachi.go.points import COLUMNS, EMPTY, point, row_col, star_points
from katachi.styles.differences import WITHIN_95, Difference, Example
from katachi.styles.style import Style
from katachi.styles.words import heading, notes, sentence, split_differences

BOARDS: Final = 5  # of each difference
_WIDE: Final = 220  # Elo at the end of a scale

_CSS: Final = """
:root{--paper:#fbfaf7;--ink:#22201c;--soft:#6d675d;--line:#d9d3c7;--more:#0b6fae;--less:#b8500a;
--wood:#e9cf98;--grid:#7c6a44}
@media (prefers-color-scheme:dark){
:root{--paper:#1b1a18;--ink:#ece8e0;--soft:#a49d91;--line:#3b3833;
--more:#62b5ea;--less:#f0975a;--wood:#b89a5f;--grid:#4c4026}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 4rem;background:var(--paper);
color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
p{margin:.3rem 0}.soft{color:var(--soft);font-size:.9rem}
article{border-top:1px solid var(--line);padding:1rem 0;break-inside:avoid}
.bar{width:100%;max-width:28rem;height:1.3rem;display:block;margin:.4rem 0}
.axis{stroke:var(--soft)}.span{stroke-width:5;opacity:.4}
.more .span,.more .dot{stroke:var(--more);fill:var(--more)}
.less .span,.less .dot{stroke:var(--less);fill:var(--less)}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem;margin-top:.6rem}
figure{margin:0}figcaption{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.shape{float:right;width:6.5rem;margin:0 0 .5rem 1rem}.boards{clear:both}
.board{width:100%;height:auto;display:block;border-radius:3px}
.wood{fill:var(--wood)}.grid{stroke:var(--grid);stroke-width:.04;fill:none}.star{fill:var(--grid)}
.b{fill:#111;stroke:#555;stroke-width:.03}.w{fill:#fdfdfd;stroke:#444;stroke-width:.05}
.last{fill:none;stroke:#c33;stroke-width:.09}.played{fill:none;stroke:#06c;stroke-width:.14}
.hoped{fill:none;stroke:#c2410c;stroke-width:.14}
.name{font:.62px system-ui,sans-serif;text-anchor:middle;fill:var(--grid)}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#999;--more:#0b6fae;--less:#b8500a;
--wood:#f3e3bf;--grid:#7c6a44}
body{max-width:none;padding:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}
figure{break-inside:avoid}h2{break-after:avoid}article{break-inside:auto}}
"""


def write_page(styles: Sequence[Style], path: Path, top: int = 12) -> None:
    """Write the report, whole or not at all. Raises KatachiError where it cannot."""
    write_whole(path, page(styles, top).encode())


def page(styles: Sequence[Style], top: int = 12) -> str:
    """The report as HTML: of each style the sentences, intervals, and boards that show it."""
    title = f"The style of {styles[0].player}"
    digest = b64encode(sha256(_CSS.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "\n".join(_style(style, top) for style in styles)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_CSS}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p class="soft">On the boards: the last move has a red ring, the move played is circled in blue, the
move that the base found likeliest is framed in orange. Bars show the difference in Elo with its
95 % interval, on a scale of ± {_WIDE}, at whose ends all
beyond is drawn. On shapes the player's own stones are black, whatever his
colour; katachi study GAME --move N opens a position.</p>
{body}
</body>
</html>
"""


def _style(style: Style, top: int) -> str:
    parts = [f"<h2>{escape(heading(style))}</h2>"]
    parts += [f'<p class="soft">{escape(note)}</p>' for note in notes(style)]
    for title, differences in split_differences(style, top):
        parts.append(f"<h2>{escape(title)}</h2>")
        parts += [_difference(style, one) for one in differences]
    return "\n".join(parts)


def _difference(style: Style, one: Difference) -> str:
    boards = "\n".join(_figure(style, example) for example in one.examples[:BOARDS])
    kind = "more" if one.elo > 0 else "less"
    shape = shape_picture(one.picture) if one.picture else ""
    return (
        f'<article class="{kind}">\n{shape}<p>{escape(sentence(one))}</p>\n{_bar(one)}\n'
        f'<div class="boards">\n{boards}\n</div>\n</article>'
    )


def _bar(one: Difference) -> str:
    """A difference and its interval on a scale."""

    def x(elo: float) -> float:
        return round(200 + 190 * max(-1.0, min(1.0, elo / _WIDE)), 1)

    half = WITHIN_95 * one.error
    label = f"{one.elo:+.0f} ± {half:.0f} Elo"
    return (
        f'<svg class="bar" viewBox="0 0 400 18" role="img" aria-label="{label}">'
        '<path class="axis" d="M10 9H390M200 2V16"/>'
        f'<path class="span" d="M{x(one.elo - half)} 9H{x(one.elo + half)}"/>'
        f'<circle class="dot" cx="{x(one.elo)}" cy="9" r="4"/></svg>'
    )


def shape_picture(drawing: str) -> str:
    """A shape as a little board: own stones are black, the move is circled."""
    rows = [line[::2] for line in drawing.split("\n")]
    wide = max(map(len, rows))
    cells = {
        (x, y): sign
        for y, row in enumerate(rows, 1)
        for x, sign in enumerate(row, 1)
        if sign not in " #"
    }
    parts = []
    for x, y in cells:
        parts.append(f'<rect class="wood" x="{x - 0.5}" y="{y - 0.5}" width="1" height="1"/>')
    beyond = {
        (x, y) for y, row in enumerate(rows, 1) for x, sign in enumerate(row, 1) if sign == "#"
    }
    for x, y in cells:
        left, right = (0 if (x + step, y) in beyond else 0.5 for step in (-1, 1))
        up, down = (0 if (x, y + step) in beyond else 0.5 for step in (-1, 1))
        line = f"M{x - left} {y}H{x + right}M{x} {y - up}V{y + down}"
        parts.append(f'<path class="grid" d="{line}"/>')
    for (x, y), sign in cells.items():
        if sign in "XO":
            parts.append(_circle("b" if sign == "X" else "w", x, y, 0.46))
        elif sign == "*":
            parts.append(_circle("played", x, y, 0.36))
    label = escape(drawing.replace("\n", " / "))
    return (
        f'<svg class="shape" viewBox="0.4 0.4 {wide + 0.2} {len(rows) + 0.2}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _figure(style: Style, example: Example) -> str:
    where = f"{example.source}, move {example.move}"
    told = (
        f"{where}: {example.played} ({100 * example.played_chance:.1f} %); the base expected "
        f"{example.expected} ({100 * example.expected_chance:.1f} %)"
    )
    return f"<figure>{_board(style, example, told)}<figcaption>{escape(told)}</figcaption></figure>"


def _board(style: Style, example: Example, told: str) -> str:
    """The position before the move, with the move and what was expected."""
    game = style.corpus[example.game]
    position = game.position(example.move - 1)
    size, colour = position.size, position.board.color
    parts = [f'<rect class="wood" width="{size + 1}" height="{size + 1}"/>']
    lines = "".join(f"M1 {i}H{size}M{i} 1V{size}" for i in range(1, size + 1))
    parts.append(f'<path class="grid" d="{lines}"/>')
    parts += [_circle("star", *_place(p), 0.1) for p in star_points(size)]
    for row in range(size):
        for col in range(size):
            stone = int(colour[point(row, col)])
            if stone != EMPTY:
                parts.append(_circle("b" if stone == 1 else "w", col + 1, row + 1, 0.47))
    if position.moves and position.moves[-1][1] > 0:
        parts.append(_circle("last", *_place(position.moves[-1][1]), 0.24))
    names = ((example.expected, "hoped"), (example.played, "played"))
    for name, kind in names:
        if name.lower() == "pass":
            continue
        col, row = COLUMNS.index(name[0]) + 1, size - int(name[1:]) + 1
        if kind == "played":
            parts.append(_circle(kind, col, row, 0.36))
        else:
            parts.append(
                f'<rect class="{kind}" x="{col - 0.4}" y="{row - 0.4}" width=".8" height=".8"/>'
            )
    return (
        f'<svg class="board" viewBox="0 0 {size + 1} {size + 1}" role="img" '
        f'aria-label="{escape(told)}">{"".join(parts)}</svg>'
    )


def _place(p: int) -> tuple[int, int]:
    """Where a point is drawn."""
    row, col = row_col(p)
    return col + 1, row + 1


def _circle(kind: str, x: int, y: int, r: float) -> str:
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{r}"/>'
