"""Who wins a Go problem, by exhaustive search in plain Python. It shares nothing with Katachi.

A board is a few integers used as sets of points: bit (size + 1) * row + col, row 0 at the top; the
spare bit of each row keeps neighbours from wrapping round. Moves are played only in a *region*.
Everything outside must be settled: strings that live without the region, and their eyes. `Arena`
refuses a board where it is not so. Then a move outside is worth no more than a pass, and passes
are allowed at every turn.

Rules: no suicide, simple ko, area scoring of the stones as they stand after two passes. A pass that
lifts the ban on retaking a ko does not count towards the two: on a real board one could fill an eye
instead and retake the ko next.

`Search.wins` says yes only if it has found a strategy that ends the game, won, within a number of
moves that it raises step by step. So lines that go round in circles prove nothing, and a yes needs
no superko; a no is only "not proved". To show that a move loses, prove that the opponent wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

BLACK, WHITE = 0, 1
PASS = 0  # as a move: no point
FOR_EVER = 10**6

Point: TypeAlias = tuple[int, int]  # (row, col) from the top left
Set: TypeAlias = int  # of points


class Unsettled(ValueError):
    """Something outside the region does not live without it."""


class TooLong(Exception):
    """The search met more states than it was allowed to."""


class State(NamedTuple):
    """A position: who moves, the point that may not be retaken, whether the other side passed."""

    black: Set
    white: Set
    mover: int
    ko: Set = 0
    passed: bool = False


class Arena:
    """A board with the region where the game is still open.

    Raises ValueError if a string has no liberty, Unsettled if the outside is not settled.
    """

    def __init__(
        self, size: int, black: Iterable[Point], white: Iterable[Point], region: Iterable[Point]
    ) -> None:
        self.step = size + 1
        self.board = self.points((row, col) for row in range(size) for col in range(size))
        self.black = self.points(black)
        self.white = self.points(white)
        self.region = self.points(region)
        outside = self.board & ~self.region
        empty = self.board & ~(self.black | self.white)
        for stones in (self.black, self.white):
            for string in self.parts(stones):
                if not self.around(string) & empty:
                    raise ValueError(f"no liberty: {self.names(string)}")
        # Strings outside, which never leave the board, and what they are worth with their eyes.
        self.walls = (self.black & outside, self.white & outside)
        self.worth = [0, 0]
        unsettled = outside
        for side, own in enumerate(self.walls):
            alive, eyes = self.alive(own, 0, outside & empty, empty)
            self.worth[side] = (alive | eyes).bit_count()
            unsettled &= ~(alive | eyes)
        if unsettled:
            raise Unsettled(f"not settled: {self.names(unsettled)}")
        self.beside_walls = tuple(self.around(own) & self.region for own in self.walls)

    # -- sets of points ------------------------------------------------------------------------

    def points(self, places: Iterable[Point]) -> Set:
        """The set of these places."""
        whole = 0
        for row, col in places:
            whole |= 1 << self.step * row + col
        return whole

    def names(self, points: Set) -> list[Point]:
        """The places of a set."""
        return [divmod(bit.bit_length() - 1, self.step) for bit in each(points)]

    def around(self, points: Set) -> Set:
        """The neighbours of a set, without those in it."""
        step = self.step
        spread = points << 1 | points >> 1 | points << step | points >> step
        return spread & self.board & ~points

    def flood(self, seed: Set, within: Set) -> Set:
        """The part of `within` that is connected to the seed."""
        step = self.step
        whole = seed & within
        while True:
            more = whole | whole << 1 | whole >> 1 | whole << step | whole >> step
            more &= within
            if more == whole:
                return whole
            whole = more

    def parts(self, points: Set) -> Iterator[Set]:
        """The connected parts of a set."""
        while points:
            part = self.flood(points & -points, points)
            points &= ~part
            yield part

    # -- the rules -----------------------------------------------------------------------------

    def play(self, state: State, move: Set) -> State | None:
        """The state after a move, PASS or a set of one point; None if it is illegal."""
        black, white, mover, banned, _ = state
        if move == PASS:
            return State(black, white, 1 - mover, 0, not banned)
        own, other = (black, white) if mover == BLACK else (white, black)
        if move & (own | other | banned | ~self.region):
            return None
        own |= move
        taken = 0
        touched = self.around(move) & other & self.region
        while touched:
            string = self.flood(touched & -touched, other & self.region)
            touched &= ~string
            if not self.around(string) & ~own:  # no liberty, and no wall of its own
                taken |= string
        other &= ~taken
        ko = 0
        string = self.flood(move, own & self.region)
        beside = self.around(string)
        if not beside & self.walls[mover]:
            liberties = beside & ~(own | other)
            if not liberties:
                return None
            if string == move and liberties == taken and taken & (taken - 1) == 0:
                ko = taken
        if mover == BLACK:
            return State(own, other, WHITE, ko)
        return State(other, own, BLACK, ko)

    def score(self, black: Set, white: Set) -> int:
        """Black's area minus White's."""
        empty = self.region & ~(black | white)
        near_black = self.flood(self.around(black) & empty, empty)
        near_white = self.flood(self.around(white) & empty, empty)
        area_black = black & self.region | near_black & ~near_white
        area_white = white & self.region | near_white & ~near_black
        return self.worth[0] + area_black.bit_count() - self.worth[1] - area_white.bit_count()

    # -- what is settled -----------------------------------------------------------------------

    def alive(self, own: Set, safe: Set, free: Set, empty: Set) -> tuple[Set, Set]:
        """(strings of `own` that live whatever is played, their eyes), after Benson (1976).

        `safe` are stones of the same side known to live. Eyes are looked for among the connected
        parts of `free`, which is without own stones.
        """
        strings = [(string, self.around(string)) for string in self.parts(own)]
        eyes = [eye for eye in self.parts(free) if not self.around(eye) & ~(own | safe)]
        while True:
            living = safe
            for string, _ in strings:
                living |= string
            eyes = [eye for eye in eyes if not self.around(eye) & ~living]
            kept = [
                (string, liberties)
                for string, liberties in strings
                if sum(not eye & empty & ~liberties for eye in eyes) >= 2
            ]
            if len(kept) == len(strings):
                vital = [e for e in eyes if any(not e & empty & ~around for _, around in kept)]
                return living & own, sum(vital)
            strings = kept

    def sure(self, state: State, side: int) -> int:
        """A number of points that the side can have in the end, whoever moves now.

        They are stones that nobody can take, and areas that these enclose without room for life.
        """
        own, other = state[side], state[1 - side]
        walls = self.walls[side]
        inside = own & self.region
        alive = self.flood(self.beside_walls[side] & inside, inside)
        loose = inside & ~alive
        if loose:
            empty = self.region & ~(own | other)
            alive |= self.alive(loose, alive | walls, self.region & ~own, empty)[0]
        count = self.worth[side] + alive.bit_count()
        near = self.around(alive) | self.beside_walls[side]
        for part in self.parts(self.region & ~alive):
            if not part & self.beside_walls[1 - side] and self._eyeless(part & ~near):
                count += part.bit_count()
        return count

    def _eyeless(self, far: Set) -> bool:
        """Whether an area enclosed by living stones is theirs; `far` is what they do not touch.

        Points that they touch they can fill for ever, so the other side's eyes must lie in `far`,
        and two eyes take two points that are not neighbours. With one eye of one or two points,
        and liberties nowhere else, it is taken in the end.
        """
        if not far:
            return True
        first = far & -far
        rest = far ^ first
        return not rest & ~self.around(first) and rest & (rest - 1) == 0


def each(points: Set) -> Iterator[Set]:
    """The points of a set as sets of one."""
    while points:
        bit = points & -points
        points ^= bit
        yield bit


class Search:
    """Proofs that one side wins: Black if his area is larger than White's by more than `bar`.

    White wins if it is larger by less than `bar`, which leaves no draws if the bar is a half. What
    was found is kept from proof to proof.
    """

    def __init__(self, arena: Arena, prover: int, bar: float) -> None:
        self.arena = arena
        self.prover = prover
        self.bar = bar
        self.visits = 0
        self.patience = FOR_EVER
        self._proved: set[State] = set()
        self._failed: dict[State, int] = {}  # no proof within so many moves
        self._success: tuple[dict[Set, int], dict[Set, int]] = ({}, {})

    def wins(self, state: State, longest: int = 40, patience: int = 1_000_000) -> bool:
        """Whether the prover wins within `longest` moves. Raises TooLong after so many visits."""
        self.patience = self.visits + patience
        return any(self.wins_within(state, depth) for depth in range(longest + 1))

    def wins_within(self, state: State, depth: int) -> bool:
        """Whether the prover wins within so many moves."""
        if state in self._proved:
            return True
        if self._failed.get(state, -1) >= depth:
            return False
        self.visits += 1
        if self.visits > self.patience:
            raise TooLong
        if state not in self._failed:
            winner = self._winner(state)
            if winner is not None:
                if winner == self.prover:
                    self._proved.add(state)
                else:
                    self._failed[state] = FOR_EVER
                return winner == self.prover
        if depth and self._with_best_move(state, depth):
            self._proved.add(state)
            return True
        self._failed[state] = depth
        return False

    def _winner(self, state: State) -> int | None:
        """The winner where it can be seen without playing on."""
        ahead = self._ahead(state)
        if state.passed and ahead == state.mover:
            return ahead  # a pass ends the game
        points = self.arena.board.bit_count()
        if 2 * self.arena.sure(state, BLACK) - points > self.bar:
            return BLACK
        if points - 2 * self.arena.sure(state, WHITE) < self.bar:
            return WHITE
        return None

    def _ahead(self, state: State) -> int:
        return BLACK if self.arena.score(state.black, state.white) > self.bar else WHITE

    def _with_best_move(self, state: State, depth: int) -> bool:
        """Whether the mover has a move that wins for the prover, or has none that does not."""
        arena, success = self.arena, self._success[state.mover]
        wanted = state.mover == self.prover
        moves = list(each(arena.region & ~(state.black | state.white)))
        if not state.passed:
            moves.append(PASS)  # else the game would end, lost: see _winner
        children = []
        for move in moves:
            after = arena.play(state, move)
            if after is None:
                continue
            if wanted and after in self._proved:
                return True
            if not wanted and self._failed.get(after, -1) >= depth - 1:
                return False
            children.append((-success.get(move, 0), move, after))
        children.sort()
        for _, move, after in children:
            if self.wins_within(after, depth - 1) is wanted:
                success[move] = success.get(move, 0) + depth * depth
                return wanted
        return not wanted
