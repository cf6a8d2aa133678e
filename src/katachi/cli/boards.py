"""A board in the terminal: stones, the last move, and numbered moves."""

from __future__ import annotations

from rich.text import Text

from katachi.go.points import BLACK, COLUMNS, EMPTY, PASS, point, star_points
from katachi.go.position import Position

_WOOD = "on rgb(222,184,105)"
_STONES = {BLACK: ("●", f"rgb(0,0,0) {_WOOD}"), 3 - BLACK: ("○", f"bold rgb(255,255,255) {_WOOD}")}
_LINE = f"rgb(120,90,40) {_WOOD}"
_MARK = f"bold rgb(0,70,190) {_WOOD}"
_LAST = "bold rgb(200,30,30) on rgb(222,184,105)"
SIGNS = "123456789abcdefghjk"


def draw_board(position: Position, marked: list[int] | None = None) -> Text:
    """The board with coordinates; the moves of `marked` as 1, 2, 3 …; the last move in red."""
    size = position.size
    colors = position.colors
    signs = {p: sign for p, sign in zip(marked or [], SIGNS, strict=False) if p != PASS}
    stars = set(star_points(size))
    last = position.previous[0] if position.previous else PASS
    text = Text()
    letters = "   " + " ".join(COLUMNS[:size]) + "\n"
    text.append(letters)
    for row in range(size):
        text.append(f"{size - row:2} ")
        for col in range(size):
            p = point(row, col)
            colour = int(colors[p])
            if p in signs:
                text.append(signs[p], _MARK)
            elif colour == EMPTY:
                text.append("+" if p in stars else "·", _LINE)
            else:
                sign, style = _STONES[colour]
                text.append(sign, _LAST if p == last else style)
            text.append(" " if col < size - 1 else "", _LINE)
        text.append(f" {size - row}\n")
    text.append(letters.rstrip("\n"))
    return text
