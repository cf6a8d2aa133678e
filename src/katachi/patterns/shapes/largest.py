"""The largest known shape around every legal move, through whole games (Stern 2005, section 2).

Shapes are nested, and one that was seen often enough has inner shapes that were seen no less often:
the search for the largest goes up from the smallest template, and stops at the first one that is
not known. What was found at a point stays true until a stone comes or goes within that reach, so
most points need no look at all after a move. That makes this four to five times as fast as
describing each position anew (`katachi.patterns.describe`), which gives the same.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.board import MEMORY, Board, clear, give_turn, legal_points, new_board, play
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, EMPTY, MAX_SIZE, NONE, PASS, STRIDE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import start_keys, template_keys, toggle
from katachi.patterns.shapes.lookup import find
from katachi.patterns.shapes.templates import PLAIN, Tables, tables
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, replay
from katachi.records.corpus import Corpus

# What a legal move is, by number: a pass, a pass after a pass (the levels of the family `pass`),
# no known shape, then the shapes of the dictionary
PASSES, PASSES_TOO, UNKNOWN, SHAPES = 0, 1, 2, 3
CANDIDATES: Final = 362


class Positions(NamedTuple):
    """Positions as the different things that their legal moves are."""

    starts: npt.NDArray[np.int64]  # [positions + 1]: kinds starts[i] … starts[i + 1] are of i
    winner: npt.NDArray[np.int32]  # [positions] which of them was played
    kinds: npt.NDArray[np.int32]  # [n, 1] by number, see SHAPES; [n, templates] where all are told
    times: npt.NDArray[np.int32]  # legal moves of this kind


class Candidates(NamedTuple):
    """Positions with every legal move apart, and what came before them."""

    starts: npt.NDArray[np.int64]  # [positions + 1]: moves starts[i] … starts[i + 1] are of i
    winner: npt.NDArray[np.int32]  # [positions] which of them was played
    kinds: npt.NDArray[np.int32]  # [n] by number, see SHAPES
    points: npt.NDArray[np.int16]  # [n]
    size: npt.NDArray[np.uint8]  # [positions] of the board
    previous: npt.NDArray[np.int16]  # [positions, MEMORY] the last moves, as Board.previous
    before: npt.NDArray[np.int32]  # [positions, MEMORY] their kinds when they were played, or -1


class Follower:
    """Finds the largest shapes of a dictionary through games; one for each thread.

    `nested`: tell all the shapes that the largest has within it, too, one of each template, -1 for
    templates beyond it. Raises KatachiError for shapes that see more of a stone than its colour.
    """

    def __init__(self, shapes: Shapes, nested: bool = False) -> None:
        if shapes.templates.view != PLAIN:
            raise KatachiError(f"shapes of the templates {shapes.templates.name} are not followed")
        rings = len(shapes.templates)
        self._shapes = shapes
        self._width = rings if nested else 1
        self._board: Board = new_board(MAX_SIZE)
        self._keys = np.zeros((2, AREA, rings, SYMMETRIES), np.uint64)
        self._found = np.zeros((2, AREA, rings), np.int32)
        self._known = np.zeros((2, AREA), np.int32)
        self._lowest = np.zeros((2, AREA), np.int32)
        self._mark = np.zeros(SHAPES + len(shapes), np.int64)
        self._clock = np.zeros(1, np.int64)

    def games(self, corpus: Corpus, games: range) -> Positions:
        """The positions of these games, one before each move, passes included."""
        moves = _moves(corpus, games)
        times = np.zeros(moves * CANDIDATES, np.int32)
        nothing = np.zeros((0, MEMORY), np.int16), np.zeros((0, MEMORY), np.int32)
        starts, winner, kinds = self._walk(
            corpus, games, times, np.zeros(0, np.int16), *nothing, self._width
        )
        return Positions(starts, winner, kinds, times[: len(kinds)].copy())

    def candidates(self, corpus: Corpus, games: range) -> Candidates:
        """The same positions, with every legal move told apart: points in order, then PASS."""
        moves = _moves(corpus, games)
        points = np.zeros(moves * CANDIDATES, np.int16)
        previous, before = np.zeros((moves, MEMORY), np.int16), np.zeros((moves, MEMORY), np.int32)
        starts, winner, kinds = self._walk(
            corpus, games, np.zeros(0, np.int32), points, previous, before, 1
        )
        size = np.repeat(
            np.asarray(corpus.size[games.start : games.stop]),
            np.asarray(corpus.moves[games.start : games.stop]),
        )
        return Candidates(
            starts, winner, kinds[:, 0], points[: len(kinds)].copy(), size, previous, before
        )

    def _walk(
        self,
        corpus: Corpus,
        games: range,
        times: Any,
        points: Any,
        previous: Any,
        before: Any,
        width: int,
    ) -> tuple[Any, Any, Any]:
        """(starts, winner, kinds) of these games; the other arrays are filled where they have
        room.
        """
        moves = _moves(corpus, games)
        kinds = np.zeros((moves * CANDIDATES, width), np.int32)
        starts, winner = np.zeros(moves + 1, np.int64), np.zeros(moves, np.int32)
        done = 0
        for g in games:
            size = int(corpus.size[g])
            t: Tables = tables(self._shapes.templates, size)
            actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
            done = _follow_game(
                self._board,
                size,
                actions,
                self._keys,
                t.empty_keys,
                t.zobrist,
                t.ring,
                t.seen_start,
                t.seen_from,
                t.seen_as,
                t.salt,
                *self._shapes.lookup,
                self._found,
                self._known,
                self._lowest,
                self._mark,
                self._clock,
                starts,
                winner,
                kinds,
                times,
                points,
                previous,
                before,
                done,
            )
        return starts[: done + 1], winner[:done], kinds[: int(starts[done])].copy()


def _moves(corpus: Corpus, games: range) -> int:
    return int(np.asarray(corpus.moves[games.start : games.stop]).sum())


@kernel
def _change(
    keys: Any,
    lowest: Any,
    q: int,
    code: int,
    zobrist: Any,
    ring: Any,
    start: Any,
    seen_from: Any,
    seen_as: Any,
) -> None:
    """A stone comes to q, or goes: keys, and from which ring on each point is to be seen anew."""
    toggle(keys, q, code, zobrist, ring, start, seen_from, seen_as)
    for i in range(start[at(q)], start[at(q + 1)]):
        p = seen_from[at(i)]
        r = int64(ring[at(seen_as[at(i)])])
        if r < lowest[0, at(p)]:
            lowest[0, at(p)] = r
        if r < lowest[1, at(p)]:
            lowest[1, at(p)] = r


@kernel
def _look(
    keys: Any,
    mover: int,
    p: int,
    salt: Any,
    table: Any,
    index_of: Any,
    found: Any,
    known: Any,
    lowest: Any,
    shapes: Any,
) -> int:
    """The largest known shape around p as `mover` sees it, or -1."""
    side = mover - 1
    first = int64(lowest[at(side), at(p)])
    if first <= known[at(side), at(p)]:
        template_keys(keys, mover, p, salt, shapes)
        r = first
        while r < len(salt):
            shape = find(table, index_of, shapes[at(r)])
            if shape < 0:
                break
            found[at(side), at(p), at(r)] = shape
            r += 1
        known[at(side), at(p)] = r
    lowest[at(side), at(p)] = len(salt)
    count = int64(known[at(side), at(p)])
    return int64(found[at(side), at(p), at(count - 1)]) if count > 0 else -1


@kernel
def _tell_all(kinds: Any, n: int, kind: int, found: Any, known: Any, mover: int, p: int) -> None:
    """Write the shapes of all templates, the smallest first."""
    for r in range(kinds.shape[1]):
        kinds[n, r] = -1
    if kind < SHAPES:
        kinds[n, 0] = kind
        return
    for r in range(known[mover - 1, p]):
        kinds[n, r] = SHAPES + found[mover - 1, p, r]


@kernel
def _follow_game(
    b: Board,
    side: int,
    actions: Any,
    keys: Any,
    empty_keys: Any,
    zobrist: Any,
    ring: Any,
    start: Any,
    seen_from: Any,
    seen_as: Any,
    salt: Any,
    table: Any,
    index_of: Any,
    found: Any,
    known: Any,
    lowest: Any,
    mark: Any,
    clock: Any,
    starts: Any,
    winner: Any,
    kinds: Any,
    times: Any,
    points: Any,
    previous: Any,
    before: Any,
    done: int,
) -> int:
    """Write the positions of one game after the `done` that are there; how many there are then.

    Moves of one kind are told together, with their `times`; where there is room for `points`, each
    apart, with `previous` and `before`.
    """
    clear(b, side)
    start_keys(keys, empty_keys)
    known[:] = 0
    lowest[:] = 0
    codes = b.color.copy()
    candidates = np.zeros(CANDIDATES, np.int16)
    shapes = np.zeros(len(salt), np.uint64)
    nested = kinds.shape[1] > 1
    apart = len(points) > 0
    recent = np.full(MEMORY, -1, np.int32)  # the kinds of the last moves
    i = 0
    while i < len(actions):
        a = int64(actions[i])
        if a & SETUP:
            last = i  # setup together: in part it may be illegal
            while last < len(actions) and int64(actions[last]) & SETUP:
                last += 1
            replay(b, actions[i:last])
            i = last
        else:
            p = a & POINT_BITS
            c = (a >> COLOUR_SHIFT) & 3
            give_turn(b, c)
            legal = int64(legal_points(b, c, candidates))
            candidates[legal] = PASS
            clock[0] += 1
            first = int64(starts[done])
            n = first
            for j in range(legal + 1):
                q = int64(candidates[j])
                if q == PASS:
                    kind = PASSES_TOO if b.previous[0] == PASS else PASSES
                else:
                    shape = _look(keys, c, q, salt, table, index_of, found, known, lowest, shapes)
                    kind = SHAPES + shape if shape >= 0 else UNKNOWN
                if apart:
                    kinds[n, 0] = kind
                    points[n] = q
                    if q == p:
                        winner[done] = n - first
                    n += 1
                    continue
                if mark[kind] >> 16 != clock[0]:
                    mark[kind] = clock[0] << 16 | (n - first)
                    kinds[n, 0] = kind
                    if nested:
                        _tell_all(kinds, n, kind, found, known, c, q)
                    times[n] = 0
                    n += 1
                place = mark[kind] & 0xFFFF
                times[first + place] += 1
                if q == p:
                    winner[done] = place
            if apart:
                for k in range(MEMORY):
                    previous[done, k] = b.previous[k]
                    before[done, k] = recent[k] if b.previous[k] != NONE else -1
                for k in range(MEMORY - 1, 0, -1):
                    recent[k] = recent[k - 1]
                recent[0] = kinds[first + winner[done], 0]
            done += 1
            starts[done] = n
            play(b, p, c)
            i += 1
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                q = row * STRIDE + col
                old, new = int64(codes[q]), int64(b.color[q])
                if old != new:
                    if old != EMPTY:
                        _change(keys, lowest, q, old, zobrist, ring, start, seen_from, seen_as)
                    if new != EMPTY:
                        _change(keys, lowest, q, new, zobrist, ring, start, seen_from, seen_as)
                    codes[q] = new
    return done
