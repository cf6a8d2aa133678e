"""The glossary of points: every way to name an intersection, in one place.

    name        example (19x19)   what it is
    ----------  ----------------  -------------------------------------------------------------
    point       95                index into the board's arrays: STRIDE * (row + 1) + (col + 1)
    (row, col)  (3, 14)           row 0 is the *top* line, col 0 the left one
    vertex      "P16"             as people and GTP write it: letter without I, line from below
    letters     "od"              as SGF writes it: column, then row, from the upper left

STRIDE is the same for all sizes, so a point of a given (row, col) has one number on every board,
its neighbours lie at fixed distances, and everything outside is wall. The board of size n uses
rows 1 … n and columns 1 … n of a grid of 21 rows of 20; a wall column serves two rows at once.

A pass is the point PASS, the vertex "pass", the letters "" (written) or "tt" (read, up to 19x19).
"""

from __future__ import annotations

from typing import Final

MIN_SIZE: Final = 2
MAX_SIZE: Final = 19
STRIDE: Final = 20
AREA: Final = 421  # length of every array over points; the last one is a wall
FIRST: Final = 21  # the upper left corner, on every board
PASS: Final = 0  # a wall point, so it never is a stone
NONE: Final = -1  # no point: no ko, no previous move

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
WALL: Final = 3

COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"
COLOUR_NAMES: Final = {BLACK: "black", WHITE: "white"}


def other(colour: int) -> int:
    """The opponent of BLACK or WHITE."""
    return 3 - colour


def point(row: int, col: int) -> int:
    """The point of (row, col). Not checked against any board size."""
    return STRIDE * (row + 1) + col + 1


def row_col(p: int) -> tuple[int, int]:
    """(row, col) of a point on the board. PASS is not a point on the board: not checked."""
    return p // STRIDE - 1, p % STRIDE - 1


def on_board(p: int, size: int) -> bool:
    """Whether `p` is an intersection of the board of this size."""
    row, col = row_col(p)
    return 0 <= row < size and 0 <= col < size


def all_points(size: int) -> list[int]:
    """The points of the board, row by row from the top left."""
    return [point(row, col) for row in range(size) for col in range(size)]


def vertex(p: int, size: int) -> str:
    """ "D4" for a point on the board, "pass" for PASS."""
    if p == PASS:
        return "pass"
    row, col = row_col(p)
    return f"{COLUMNS[col]}{size - row}"


def from_vertex(text: str, size: int) -> int:
    """The point of "D4", "d4" or "pass". Raises ValueError if it is no vertex of this board."""
    name = text.strip().upper() if text.isascii() else ""
    if name == "PASS":
        return PASS
    col = COLUMNS.find(name[:1]) if name else -1
    line = int(name[1:]) if name[1:].isascii() and name[1:].isdigit() else 0
    if not (0 <= col < size and 1 <= line <= size):
        raise ValueError(f"{text!r} is no vertex of a {size}x{size} board")
    return point(size - line, col)


def letters(p: int) -> str:
    """SGF's letters: "dd" for a point on the board, "" for PASS."""
    if p == PASS:
        return ""
    row, col = row_col(p)
    return chr(97 + col) + chr(97 + row)


def from_letters(text: str, size: int) -> int:
    """The point of SGF letters. Raises ValueError if they name no point of this board.

    "" and, on boards up to 19x19, "tt" are a pass.
    """
    if text in ("", "tt"):
        return PASS
    if len(text) == 2:
        col, row = ord(text[0]) - 97, ord(text[1]) - 97
        if 0 <= row < size and 0 <= col < size:
            return point(row, col)
    raise ValueError(f"{text!r} is no point of a {size}x{size} board")


def star_points(size: int) -> list[int]:
    """The points drawn as small dots (hoshi), none below 7x7."""
    if size < 7:
        return []
    edge = 3 if size >= 13 else 2
    lines = [edge, size - 1 - edge]
    stars = [point(row, col) for row in lines for col in lines]
    if size % 2:
        middle = size // 2
        stars.append(point(middle, middle))
        if size >= 15:
            stars += [point(row, middle) for row in lines]
            stars += [point(middle, col) for col in lines]
    return sorted(stars)


def handicap_points(size: int, stones: int) -> list[int]:
    """Where the fixed handicap of 2 to 9 stones goes, as GTP's `fixed_handicap` places it.

    On the fourth line from 12x12 on, as GNU Go has it. Raises ValueError where the board has no
    such handicap: even sizes and 7x7 take at most 4, sizes below 7 none.
    """
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        raise ValueError(f"no fixed handicap of {stones} stones on a {size}x{size} board")
    edge = 3 if size >= 12 else 2
    low, middle, high = edge, size // 2, size - 1 - edge
    # (row, col): lower left, upper right, upper left, lower right, sides, centre
    corners = [(high, low), (low, high), (low, low), (high, high)]
    spots = corners[: min(stones, 4)]
    if stones >= 6:
        spots += [(middle, low), (middle, high)]
    if stones >= 8:
        spots += [(high, middle), (low, middle)]
    if stones in (5, 7, 9):
        spots.append((middle, middle))
    return [point(row, col) for row, col in spots]
