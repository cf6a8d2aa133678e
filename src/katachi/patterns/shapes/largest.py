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
from katachi.go.board import MEMORY, Board, give_turn, legal_points, new_board, play
from katachi.go.kernel import at, inlined, int64, kernel, lean
from katachi.go.points import AREA, EMPTY, MAX_SIZE, NONE, PASS, STRIDE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import start_game, template_keys, toggle
from katachi.patterns.shapes.lookup import Lookup, find
from katachi.patterns.shapes.templates import PLAIN, Tables, Templates, tables
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


class _Seen(NamedTuple):
    """What is known of a game's board: the keys, and what was found around each point."""

    keys: npt.NDArray[np.uint64]  # [mover - 1, point, ring, symmetry]
    found: npt.NDArray[np.int32]  # [mover - 1, point, ring] the shape
    known: npt.NDArray[np.int32]  # [mover - 1, point] how many rings of `found` are known shapes
    lowest: npt.NDArray[np.int32]  # [mover - 1, point] the first ring to be looked at anew
    mark: npt.NDArray[np.int64]  # [kind] position << 16 | place of the kind in it
    clock: npt.NDArray[np.int64]  # [1] positions so far
    shapes: npt.NDArray[np.uint64]  # [ring] room for the keys around one point


class _Out(NamedTuple):
    """Room for positions: of `Positions` or `Candidates`, the columns of the other are empty."""

    starts: npt.NDArray[np.int64]
    winner: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.int32]
    times: npt.NDArray[np.int32]
    points: npt.NDArray[np.int16]
    previous: npt.NDArray[np.int16]
    before: npt.NDArray[np.int32]


class Follower:
    """Finds the largest shapes of a dictionary through games; one for each thread.

    `nested`: tell all the shapes that the largest has within it, too, one of each template, -1 for
    templates beyond it. Raises KatachiError for shapes that see more of a stone than its colour.
    """

    def __init__(self, shapes: Shapes, nested: bool = False) -> None:
        templates = shapes.templates
        if not isinstance(templates, Templates) or templates.view != PLAIN:
            raise KatachiError(f"shapes of the templates {templates.name} are not followed")
        self._templates = templates
        rings = len(shapes.templates)
        self._shapes = shapes
        self._width = rings if nested else 1
        self._board: Board = new_board(MAX_SIZE)
        self._seen = _Seen(
            keys=np.zeros((2, AREA, rings, SYMMETRIES), np.uint64),
            found=np.zeros((2, AREA, rings), np.int32),
            known=np.zeros((2, AREA), np.int32),
            lowest=np.zeros((2, AREA), np.int32),
            mark=np.zeros(SHAPES + len(shapes), np.int64),
            clock=np.zeros(1, np.int64),
            shapes=np.zeros(rings, np.uint64),
        )

    def games(self, corpus: Corpus, games: range) -> Positions:
        """The positions of these games, one before each move, passes included."""
        out = self._walk(corpus, games, self._width, apart=False)
        return Positions(out.starts, out.winner, out.kinds, out.times)

    def candidates(self, corpus: Corpus, games: range) -> Candidates:
        """The same positions, with every legal move told apart: points in order, then PASS."""
        out = self._walk(corpus, games, 1, apart=True)
        size = np.repeat(
            np.asarray(corpus.size[games.start : games.stop]),
            np.asarray(corpus.moves[games.start : games.stop]),
        )
        return Candidates(
            out.starts, out.winner, out.kinds[:, 0], out.points, size, out.previous, out.before
        )

    def _walk(self, corpus: Corpus, games: range, width: int, apart: bool) -> _Out:
        """The positions of these games; `apart`: with every legal move told apart."""
        moves = int(np.asarray(corpus.moves[games.start : games.stop]).sum())
        most = moves * CANDIDATES
        out = _Out(
            starts=np.zeros(moves + 1, np.int64),
            winner=np.zeros(moves, np.int32),
            kinds=np.zeros((most, width), np.int32),
            times=np.zeros(0 if apart else most, np.int32),
            points=np.zeros(most if apart else 0, np.int16),
            previous=np.zeros((moves if apart else 0, MEMORY), np.int16),
            before=np.zeros((moves if apart else 0, MEMORY), np.int32),
        )
        done = 0
        for g in games:
            size = int(corpus.size[g])
            t = tables(self._templates, size)
            actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
            lookup = self._shapes.lookup
            done = _follow_game(self._board, size, actions, t, lookup, self._seen, out, done)
        filled = int(out.starts[done])
        return out._replace(
            starts=out.starts[: done + 1],
            winner=out.winner[:done],
            kinds=out.kinds[:filled].copy(),
            times=out.times[:filled].copy(),
            points=out.points[:filled].copy(),
        )


@inlined
def _change(seen: _Seen, q: int, code: int, t: Tables) -> None:
    """A stone comes to q, or goes: keys, and from which ring on each point is to be seen anew."""
    toggle(seen.keys, q, code, t)
    lowest = seen.lowest
    for i in range(t.seen_start[at(q)], t.seen_start[at(q + 1)]):
        p = t.seen_from[at(i)]
        r = int64(t.ring[at(t.seen_as[at(i)])])
        if r < lowest[0, at(p)]:
            lowest[0, at(p)] = r
        if r < lowest[1, at(p)]:
            lowest[1, at(p)] = r


@lean
def _look(seen: _Seen, mover: int, p: int, salt: Any, lookup: Lookup) -> int:
    """The largest known shape around p as `mover` sees it, or -1."""
    side = mover - 1
    found, known = seen.found, seen.known
    first = int64(seen.lowest[at(side), at(p)])
    if first <= known[at(side), at(p)]:
        template_keys(seen.keys, mover, p, salt, seen.shapes)
        r = first
        while r < len(salt):
            shape = find(lookup, seen.shapes[at(r)])
            if shape < 0:
                break
            found[at(side), at(p), at(r)] = shape
            r += 1
        known[at(side), at(p)] = r
    seen.lowest[at(side), at(p)] = len(salt)
    count = int64(known[at(side), at(p)])
    return int64(found[at(side), at(p), at(count - 1)]) if count > 0 else -1


@lean
def _tell_all(kinds: Any, n: int, kind: int, seen: _Seen, mover: int, p: int) -> None:
    """Write the shapes of all templates, the smallest first."""
    for r in range(kinds.shape[1]):
        kinds[n, r] = -1
    if kind < SHAPES:
        kinds[n, 0] = kind
        return
    for r in range(seen.known[mover - 1, p]):
        kinds[n, r] = SHAPES + seen.found[mover - 1, p, r]


@kernel
def _follow_game(
    b: Board, side: int, actions: Any, t: Tables, lookup: Lookup, seen: _Seen, out: _Out, done: int
) -> int:
    """Write the positions of one game after the `done` that are there; how many there are then.

    Moves of one kind are told together, with their `times`; where there is room for `points`, each
    apart, with `previous` and `before`.
    """
    start_game(b, side, seen.keys, t)
    seen.known[:] = 0
    seen.lowest[:] = 0
    codes = b.color.copy()
    candidates = np.zeros(CANDIDATES, np.int16)
    mark, clock = seen.mark, seen.clock
    kinds, times, winner = out.kinds, out.times, out.winner
    nested = kinds.shape[1] > 1
    apart = len(out.points) > 0
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
            first = int64(out.starts[done])
            n = first
            for j in range(legal + 1):
                q = int64(candidates[j])
                if q == PASS:
                    kind = PASSES_TOO if b.previous[0] == PASS else PASSES
                else:
                    shape = _look(seen, c, q, t.salt, lookup)
                    kind = SHAPES + shape if shape >= 0 else UNKNOWN
                if apart:
                    kinds[n, 0] = kind
                    out.points[n] = q
                    if q == p:
                        winner[done] = n - first
                    n += 1
                    continue
                if mark[kind] >> 16 != clock[0]:
                    mark[kind] = clock[0] << 16 | (n - first)
                    kinds[n, 0] = kind
                    if nested:
                        _tell_all(kinds, n, kind, seen, c, q)
                    times[n] = 0
                    n += 1
                place = mark[kind] & 0xFFFF
                times[first + place] += 1
                if q == p:
                    winner[done] = place
            if apart:
                for k in range(MEMORY):
                    out.previous[done, k] = b.previous[k]
                    out.before[done, k] = recent[k] if b.previous[k] != NONE else -1
                for k in range(MEMORY - 1, 0, -1):
                    recent[k] = recent[k - 1]
                recent[0] = kinds[first + winner[done], 0]
            done += 1
            out.starts[done] = n
            play(b, p, c)
            i += 1
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                q = row * STRIDE + col
                old, new = int64(codes[q]), int64(b.color[q])
                if old != new:
                    for code in (old, new):  # what goes, and what comes
                        if code != EMPTY:
                            _change(seen, q, code, t)
                    codes[q] = new
    return done
