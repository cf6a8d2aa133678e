"""Which stones a word is about: the own stone that a jump is from, the stone that is capped, …

The words themselves are decided by the vocabulary's kernels. Here only the stones are looked for,
by the definitions of docs/vocabulary.md; where several fit, it is the one that was played last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS
from katachi.go.points import BLACK, EMPTY, PASS, STRIDE, WHITE
from katachi.study.words.seen import Seen, is_wall

# Word → how far the own stone is, and the points between, as steps (along, across)
_JUMPS: Final[dict[str, tuple[tuple[int, int], tuple[tuple[int, int], ...]]]] = {
    "diagonal": ((1, 1), ((1, 0), (0, 1))),
    "one-space-jump": ((2, 0), ((1, 0),)),
    "knights-move": ((2, 1), ((1, 0), (1, 1))),
    "two-space-jump": ((3, 0), ((1, 0), (2, 0))),
    "large-knights-move": ((3, 1), ((1, 0), (2, 0), (1, 1), (2, 1))),
    "diagonal-jump": ((2, 2), ((1, 1),)),
    "monkey-jump": ((3, 1), ((1, 0), (2, 0), (1, 1), (2, 1))),
}
JUMPS: Final = frozenset(_JUMPS)
_CORNER: Final = {
    "knight": (2, 1),
    "one-space": (2, 0),
    "large-knight": (3, 1),
    "two-space": (3, 0),
}
_SIDES: Final = {-STRIDE: "upper", STRIDE: "lower", -1: "left", 1: "right"}


def _ways() -> Iterator[tuple[int, int]]:
    """All (along, across): a straight step, and one at right angles to it."""
    for d in NEIGHBOURS:
        side = 1 if abs(d) == STRIDE else STRIDE
        yield from ((d, side), (d, -side))


def latest(seen: Seen, stones: Iterable[int]) -> int:
    """The stone that was played last; of those that nobody knows of, the first. PASS if none."""
    found = set(stones)
    for _, p in reversed(seen.moves):
        if p in found:
            return p
    return min(found, default=PASS)


def nearest(seen: Seen, p: int) -> int:
    """The stone nearest to p, by lines one way and the other; of several the latest. PASS if the
    board is empty.
    """
    stones = [q for q, colour in enumerate(seen.color) if colour in (BLACK, WHITE)]
    away = {q: abs(q // STRIDE - p // STRIDE) + abs(q % STRIDE - p % STRIDE) for q in stones}
    least = min(away.values(), default=0)
    return latest(seen, (q for q in stones if away[q] == least))


def jumped_from(seen: Seen, p: int, key: str) -> int:
    """The own stone that p is a jump from, by this word, or PASS."""
    (far, aside), between = _JUMPS[key]
    return latest(
        seen,
        (
            p + far * d + aside * v
            for d, v in _ways()
            if not is_wall(seen, p + far * d + aside * v)
            and seen.color[p + far * d + aside * v] == seen.mover
            and all(_is_free(seen, p + i * d + j * v) for i, j in between)
        ),
    )


def _is_free(seen: Seen, q: int) -> bool:
    return not is_wall(seen, q) and seen.color[q] == EMPTY


def slid_from(seen: Seen, p: int) -> int:
    """The own stone on the third line that p, on the second, slides from, or PASS."""
    found = []
    for d, v in _ways():
        for far in (2, 3):
            q = p + far * d + v
            between = [p + i * d + j * v for i in range(1, far) for j in (0, 1)]
            if (
                not is_wall(seen, q)
                and seen.color[q] == seen.mover
                and 3 in seen.lines(q)
                and all(_is_free(seen, x) for x in between)
            ):
                found.append(q)
    return latest(seen, found)


def corner_stone(seen: Seen, p: int, key: str) -> int:
    """The stone that p approaches or encloses, by this word, or PASS."""
    kind, _, far = key.partition("-")
    along, across = _CORNER[far]
    colour = seen.mover if kind == "enclosure" else 3 - seen.mover
    near = (p + along * d + across * v for d, v in _ways())
    return latest(seen, (q for q in near if not is_wall(seen, q) and seen.color[q] == colour))


def approached_twice(seen: Seen, p: int) -> int:
    """The opponent's corner stone nearest to p, or PASS."""
    near = (p + i * STRIDE + j for i, j in product(range(-3, 4), repeat=2))
    return latest(
        seen,
        (
            q
            for q in near
            if not is_wall(seen, q)
            and seen.color[q] == 3 - seen.mover
            and min(seen.lines(q)) >= 3
            and max(seen.lines(q)) <= 5
        ),
    )


def along_the_side(seen: Seen, p: int, colour: int, spaces: int) -> int:
    """A stone of this colour on the second to fifth line, so many points away from p along its
    side, or PASS.
    """
    across, down = seen.lines(p)
    found = []
    for up, along in ((STRIDE, 1), (1, STRIDE)):
        low = down if up == STRIDE else across
        if low > 4:
            continue
        up = up if (p // STRIDE if up == STRIDE else p % STRIDE) <= 4 else -up  # away from the edge
        for line, sign in product(range(2, 6), (-1, 1)):
            q = p + sign * spaces * along + (line - low) * up
            if not is_wall(seen, q) and seen.color[q] == colour:
                found.append(q)
    return latest(seen, found)


def headed(seen: Seen, p: int, stones: int) -> int:
    """The opponent's stone beside p that is the first of so many in a straight line, with own
    stones beside all of them, or PASS.
    """
    mover = seen.mover
    for d, v in _ways():
        line = [p + d * i for i in range(1, stones + 1)]
        if all(not is_wall(seen, x) and seen.color[x] == 3 - mover for x in line) and all(
            seen.color[x + v] == mover for x in line
        ):
            return line[0]
    return PASS


def bent_around(seen: Seen, p: int, beside: int = EMPTY) -> int:
    """The opponent's stone that p is a hane around, or PASS. `beside` is what the other point that
    touches the move and the own stone diagonal to it must have.
    """
    for d, v in _ways():
        corner = seen.color[p + d + v]
        if (seen.color[p + d], corner, seen.color[p + v]) == (3 - seen.mover, seen.mover, beside):
            return p + d
    return PASS


def turned_around(seen: Seen, p: int) -> int:
    """The opponent's stone that p turns around, or PASS."""
    return bent_around(seen, p, seen.mover)


def bumped(seen: Seen, p: int) -> int:
    """The opponent's stone that p stands before, with an own stone behind it, or PASS."""
    for d in NEIGHBOURS:
        if seen.color[p + d] == 3 - seen.mover and seen.color[p - d] == seen.mover:
            return p + d
    return PASS


def next_along_the_side(seen: Seen, p: int, colour: int) -> int:
    """The nearest stone of this colour that `along_the_side` finds, or PASS."""
    found = (along_the_side(seen, p, colour, spaces) for spaces in range(1, 10))
    return next((stone for stone in found if stone != PASS), PASS)


def cutting_point(seen: Seen, p: int, colour: int) -> int:
    """A cutting point of this colour that p touches, or PASS."""
    return next((q for q in seen.beside(p, EMPTY) if seen.cuts(q, colour)), PASS)


def hit_on_the_shoulder(seen: Seen, p: int) -> int:
    """The opponent's stone diagonal to p and a line lower, or PASS."""
    line = min(seen.lines(p))
    found = (
        p + d
        for d in DIAGONALS
        if seen.color[p + d] == 3 - seen.mover and min(seen.lines(p + d)) == line - 1
    )
    return latest(seen, found)


def capped(seen: Seen, p: int) -> int:
    """The opponent's stone two lines straight below p, or PASS."""
    return latest(
        seen,
        (
            p + 2 * d
            for d in NEIGHBOURS
            if seen.color[p + d] == EMPTY
            and not is_wall(seen, p + 2 * d)
            and seen.color[p + 2 * d] == 3 - seen.mover
        ),
    )


def netted(seen: Seen, p: int) -> int:
    """The opponent's stone with two liberties that p catches in a net, or PASS."""
    return next(
        (s for s in seen.corners(p, 3 - seen.mover) if len(seen.string(s).liberties) == 2), PASS
    )


def side_of(seen: Seen, p: int) -> str:
    """The side that p is nearest to: "left"."""
    row, col = p // STRIDE, p % STRIDE
    lines = {-STRIDE: row, STRIDE: seen.size + 1 - row, -1: col, 1: seen.size + 1 - col}
    return _SIDES[min(lines, key=lambda d: lines[d])]


def corner_of(seen: Seen, p: int) -> str:
    """The corner that p is nearest to: "upper left"."""
    row, col = p // STRIDE, p % STRIDE
    middle = (seen.size + 1) / 2
    return f"{'upper' if row < middle else 'lower'} {'left' if col < middle else 'right'}"
