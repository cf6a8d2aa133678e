"""Shared by the tests of `katachi.go`: the slow, obvious twins of the kernels, and random games.

Nothing here asks a kernel what is right. `Oracle` rests on sgfmill's board, `region`,
`string_at` and `eye` on nothing but the colours; `wander` only uses the kernels to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sgfmill import boards, sgf, sgf_moves

from katachi.go.board import ZOBRIST, Board, is_legal, legal_points, new_board, play
from katachi.go.liberties import WORDS, liberty_points
from katachi.go.points import (
    AREA,
    BLACK,
    EMPTY,
    FIRST,
    MAX_SIZE,
    NONE,
    PASS,
    WALL,
    WHITE,
    all_points,
    from_vertex,
    other,
    point,
    row_col,
)
from tests.games import bundled_sgfs
from tests.go.asking_kernels import each_legal
from tests.go.ladder_oracle import quick_copy

COLOURS = (BLACK, WHITE)
SGF_COLOUR = {BLACK: "b", WHITE: "w"}
FROM_SGF_COLOUR = {"b": BLACK, "w": WHITE}
FROM_GTP_COLOUR = {"B": BLACK, "W": WHITE}

Move = tuple[int, int]  # (colour, point)


def _around(p: int, steps: Sequence[tuple[int, int]]) -> list[int]:
    row, col = row_col(p)
    return [point(row + down, col + right) for down, right in steps]


# Of every point that can be on a board; where the board ends, these are wall points.
POINTS = {size: all_points(size) for size in range(2, MAX_SIZE + 1)}
NEAR = {p: _around(p, [(-1, 0), (0, -1), (0, 1), (1, 0)]) for p in all_points(MAX_SIZE)}
ACROSS = {p: _around(p, [(-1, -1), (-1, 1), (1, -1), (1, 1)]) for p in all_points(MAX_SIZE)}

_HASHES = [int(number) for number in ZOBRIST]


# -- games ---------------------------------------------------------------------------------------


@cache
def bundled_games(size: int) -> list[bytes]:
    """The SGF texts of the bundled games on this size, in the order of their names."""
    return [text for _, text in sorted(bundled_sgfs().items()) if b"SZ[%d]" % size in text]


def game_moves(text: bytes) -> list[Move]:
    """The moves of a game without setup stones, as sgfmill reads them."""
    game = sgf.Sgf_game.from_bytes(text)
    start, plays = sgf_moves.get_setup_and_moves(game)
    assert start.is_empty()
    return [(FROM_SGF_COLOUR[c], from_place(place, game.get_size())) for c, place in plays]


def parse_moves(text: str, size: int) -> list[Move]:
    """The moves of "B D4 W pass B C3"."""
    words = text.split()
    return [
        (FROM_GTP_COLOUR[colour], from_vertex(name, size))
        for colour, name in zip(words[::2], words[1::2], strict=True)
    ]


def any_move(b: Board, rng: Random) -> Move:
    """A random legal move, now and then a pass or a move out of turn.

    Own eyes are filled when nothing else is left, or by chance, and stones in atari are often
    taken: that makes lively games with captures large and small, and kos.
    """
    colour = int(b.to_move) if rng.random() < 0.9 else other(int(b.to_move))
    out = np.zeros(MAX_SIZE**2, np.int16)
    legal = out[: legal_points(b, colour, out)].tolist()
    if not legal or rng.random() < 0.03:
        return colour, PASS
    colors, heads, liberties = b.color.tolist(), b.head.tolist(), b.liberties.tolist()
    if rng.random() < 0.95:
        legal = [p for p in legal if not eye(colors, p, colour)] or legal
    if rng.random() < 0.5:
        theirs = other(colour)
        prey = {p for p in POINTS[int(b.side)] if colors[p] == theirs and liberties[heads[p]] == 1}
        legal = [p for p in legal if prey.intersection(NEAR[p])] or legal
    return colour, rng.choice(legal)


def wander(b: Board, rng: Random, length: int) -> Iterator[Move]:
    """Play moves by `any_move` on b. Each is yielded after it was played."""
    for _ in range(length):
        colour, p = any_move(b, rng)
        play(b, p, colour)
        yield colour, p


def wandered(size: int, seed: int, length: int) -> Board:
    """The board after a random game."""
    b = new_board(size)
    for _ in wander(b, Random(seed), length):
        pass
    return b


def scattered(size: int, rng: Random, weights: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """Colours drawn point by point by the weights of empty, black, white; liberties or not."""
    colors = np.zeros(AREA, np.uint8)
    points = all_points(size)
    colors[points] = rng.choices((EMPTY, BLACK, WHITE), weights, k=len(points))
    return colors


# -- oracles -------------------------------------------------------------------------------------


def to_place(p: int, size: int) -> tuple[int, int]:
    """sgfmill's (row, col), whose rows count from below."""
    row, col = row_col(p)
    return size - 1 - row, col


def from_place(place: tuple[int, int] | None, size: int) -> int:
    """The point of sgfmill's (row, col), PASS for its None."""
    return PASS if place is None else point(size - 1 - place[0], place[1])


class Oracle:
    """sgfmill's board, with the rules that it leaves to its caller: turn, simple ko, suicide."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.board = boards.Board(size)
        self.to_move = BLACK
        self.ko = NONE
        self.captured = {BLACK: 0, WHITE: 0}

    @classmethod
    def of(cls, b: Board) -> Oracle:
        """The oracle in the position of b. Stones without liberty stay where they are."""
        oracle = cls(int(b.side))
        for p in all_points(oracle.size):
            if b.color[p] != EMPTY:
                line, col = to_place(p, oracle.size)
                # Not by `play`, which captures: the order of stones must not matter here.
                oracle.board.board[line][col] = SGF_COLOUR[int(b.color[p])]
        oracle.to_move, oracle.ko = int(b.to_move), int(b.ko)
        oracle.captured = {colour: int(b.captured[colour]) for colour in COLOURS}
        return oracle

    def copy(self) -> Oracle:
        twin = Oracle(self.size)
        twin.board = self.board.copy()
        twin.to_move, twin.ko, twin.captured = self.to_move, self.ko, self.captured.copy()
        return twin

    def colors(self) -> list[int]:
        """The colours by point, walls included, as the board's field `color` has them."""
        colors = [WALL] * AREA
        for p in all_points(self.size):
            colors[p] = EMPTY
        for colour, place in self.board.list_occupied_points():
            colors[from_place(place, self.size)] = FROM_SGF_COLOUR[colour]
        return colors

    def area_score(self) -> int:
        return int(self.board.area_score())

    def play(self, p: int, colour: int) -> int:
        """Play a legal move or PASS; returns the number of stones captured."""
        before = self.board.list_occupied_points()
        ko = None
        if p != PASS:
            ko = self.board.play(*to_place(p, self.size), SGF_COLOUR[colour])
        self.ko = NONE if ko is None else from_place(ko, self.size)
        self.to_move = other(colour)
        taken = len(before) + (p != PASS) - len(self.board.list_occupied_points())
        self.captured[other(colour)] += taken
        return taken

    def is_legal(self, p: int, colour: int) -> bool:
        place = to_place(p, self.size)
        if self.board.get(*place) is not None or (p == self.ko and colour == self.to_move):
            return False
        trial = quick_copy(self.board)
        trial.play(*place, SGF_COLOUR[colour])
        return trial.get(*place) is not None  # sgfmill allows suicide, and removes the stones

    def legal_points(self, colour: int) -> list[int]:
        """The legal points in order, without PASS."""
        colors = self.colors()
        return [
            p
            for p in all_points(self.size)
            # A stone with a free point beside it is no suicide: the long trial is for the rest.
            if (colors[p] == EMPTY and p != self.ko and EMPTY in (colors[q] for q in NEAR[p]))
            or self.is_legal(p, colour)
        ]


def region(colors: Sequence[int], p: int) -> set[int]:
    """The connected points of the colour of p, by flood fill."""
    found, todo = {p}, [p]
    while todo:
        for q in NEAR[todo.pop()]:
            if colors[q] == colors[p] and q not in found:
                found.add(q)
                todo.append(q)
    return found


def string_at(colors: Sequence[int], p: int) -> tuple[set[int], set[int]]:
    """(stones, liberties) of the string at stone p."""
    stones = region(colors, p)
    return stones, {q for s in stones for q in NEAR[s] if colors[q] == EMPTY}


def eye(colors: Sequence[int], p: int, colour: int) -> bool:
    """Whether the empty point p is an eye of this colour, by the words of `is_own_eye`."""
    for q in NEAR[p]:
        if colors[q] not in (colour, WALL):
            return False
    corners = [colors[q] for q in ACROSS[p]]
    return corners.count(other(colour)) <= (0 if WALL in corners else 1)


# -- what must hold of a board -------------------------------------------------------------------


class Seen(NamedTuple):
    """All that a board says of itself, asked of the kernels once."""

    color: list[int]
    to_move: int
    ko: int
    captured: list[int]
    hash: int
    size: int
    empty: list[int]
    columns: tuple[list[int], ...]  # place, head, link, stones, liberties, liberty_sum
    liberty_set: list[int]
    liberty_points: list[list[int]]  # of each string, at its first stone
    legal: list[list[int]]  # of Black, of White
    each_legal: list[list[int]]  # asked point by point
    passes: list[bool]  # whether they are legal


def seen_on(b: Board, *, legality: bool = True) -> Seen:
    """What a board says; of the moves nothing unless asked for."""
    out = np.zeros(MAX_SIZE**2, np.int16)
    size = int(b.side)
    points = all_points(size)
    colors = b.color.tolist()
    names = ("place", "head", "link", "stones", "liberties", "liberty_sum")
    asked = COLOURS if legality else ()
    return Seen(
        colors,
        int(b.to_move),
        int(b.ko),
        b.captured.tolist(),
        int(b.hash),
        size,
        b.empty.tolist()[: b.empties],
        tuple(b[name].tolist() for name in names),
        b.liberty_set.tolist(),
        [
            out[: liberty_points(b, p, out)].tolist()
            for p in points
            if colors[p] in COLOURS and b.head[p] == p
        ],
        [out[: legal_points(b, colour, out)].tolist() for colour in asked],
        [out[: each_legal(b, colour, out)].tolist() for colour in asked],
        [bool(is_legal(b, PASS, colour)) for colour in asked],
    )


def assert_sound(b: Board) -> None:
    """All that the record derives from its stones is what plain Python derives from them."""
    assert_seen_sound(seen_on(b, legality=False))


def assert_seen_sound(seen: Seen) -> None:
    """The same of what a board said."""
    colors = seen.color
    points = all_points(seen.size)
    assert colors[PASS] == WALL
    assert all(colors[p] == WALL for p in set(range(AREA)) - set(points))

    free = [p for p in points if colors[p] == EMPTY]
    assert sorted(seen.empty) == free
    place = seen.columns[0]
    assert all(seen.empty[place[p]] == p for p in free)

    stones = [p for p in points if colors[p] != EMPTY]
    fresh = 0
    for p in stones:
        fresh ^= _HASHES[colors[p] * AREA + p]
    assert seen.hash == fresh
    _assert_strings_sound(seen, stones)


def _assert_strings_sound(seen: Seen, todo: list[int]) -> None:
    _, heads, links, sizes, counts, sums = seen.columns
    colors, words = seen.color, seen.liberty_set
    said = iter(seen.liberty_points)
    told = {p: next(said) for p in todo if heads[p] == p}
    found: set[int] = set()
    for p in todo:
        if p in found:
            continue
        stones, liberties = string_at(colors, p)
        found |= stones
        head = heads[p]
        assert head in stones
        assert {heads[s] for s in stones} == {head}
        ring = [p]
        while links[ring[-1]] != p and len(ring) <= len(stones):
            ring.append(links[ring[-1]])
        assert sorted(ring) == sorted(stones)
        assert sizes[head] == len(stones)
        assert counts[head] == len(liberties)
        assert sums[head] == sum(liberties)
        bits = sum(words[head * WORDS + w] << 64 * w for w in range(WORDS))
        assert bits == sum(1 << q - FIRST for q in liberties)
        assert told[head] == sorted(liberties)


def assert_agrees(b: Board, oracle: Oracle) -> None:
    """Stones, turn, ko, prisoners and the legality of every point for both colours."""
    assert_seen_agrees(seen_on(b), oracle)


def assert_seen_agrees(seen: Seen, oracle: Oracle) -> None:
    """The same of what a board said."""
    assert seen.color == oracle.colors()
    assert seen.to_move == oracle.to_move
    assert seen.ko == oracle.ko
    assert seen.captured == [0, oracle.captured[BLACK], oracle.captured[WHITE]]
    for number, colour in enumerate(COLOURS):
        legal = oracle.legal_points(colour)
        assert seen.legal[number] == legal
        assert seen.each_legal[number] == legal
    assert seen.passes == [True, True]


def snapshot(b: Board) -> dict[str, Any]:
    """All of the record that means something; two equal boards have equal snapshots.

    Left out is what older positions leave behind: the string data of points that are no heads,
    the head and link of empty points, the place of stones.
    """
    n = int(b.empties)
    stones = np.flatnonzero((b.color == BLACK) | (b.color == WHITE))
    free = np.flatnonzero(b.color == EMPTY)
    heads = np.unique(b.head[stones])
    scalars = ("hash", "side", "to_move", "ko", "passes", "moves", "taken", "empties")
    return {
        **{name: int(b[name]) for name in scalars},
        **{name: b[name].tolist() for name in ("color", "captured", "previous")},
        "empty": b.empty[:n].tolist(),
        "place": b.place[free].tolist(),
        **{name: b[name][stones].tolist() for name in ("head", "link")},
        **{name: b[name][heads].tolist() for name in ("stones", "liberties", "liberty_sum")},
        "liberty_set": b.liberty_set.reshape(AREA, WORDS)[heads].tolist(),
    }


# -- statistics ----------------------------------------------------------------------------------


def chi_square(counts: Sequence[int]) -> float:
    """How far the counts are from uniform."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def chi_square_limit(degrees: int) -> float:
    """What chance alone exceeds about once in 100,000 times (Wilson and Hilferty's formula)."""
    z = 4.265  # the normal distribution's quantile at 1 - 1e-5
    part = 2 / (9 * degrees)
    return float(degrees * (1 - part + z * part**0.5) ** 3)
