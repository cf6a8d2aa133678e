"""Proofs of the problems, made once and kept as digests of all that they are proofs of.

    python -m tests.search.proofs

proves every problem and writes `proved.txt`. A problem whose digest is not there is proved by its
test every time; so is every problem where KATACHI_PROVE is set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from katachi.go.points import BLACK, EMPTY, PASS, WHITE, all_points, point, row_col, vertex
from tests.kept import source
from tests.search import problem_oracle as oracle
from tests.search.problem_oracle import Arena, Search, State, each
from tests.search.problems import Problem, load_problems

MARGIN = 2  # beside the half point of the komi
KEPT = Path(__file__).with_name("proved.txt")
SIDES = {BLACK: oracle.BLACK, WHITE: oracle.WHITE}


def arena_of(problem: Problem) -> Arena:
    """The oracle's board at the diagram."""
    position = problem.setup()
    stones: dict[int, list[oracle.Point]] = {EMPTY: [], BLACK: [], WHITE: []}
    for p in all_points(position.size):
        stones[position.stone(p)].append(row_col(p))
    region = [row_col(p) for p in problem.region]
    return Arena(position.size, stones[BLACK], stones[WHITE], region)


def state_of(problem: Problem, arena: Arena) -> State:
    """The oracle's position to be solved."""
    state = State(arena.black, arena.white, SIDES[problem.setup().to_move])
    for p in problem.plays:
        after = arena.play(state, arena.points([row_col(p)]))
        assert after is not None
        state = after
    return state


def moves_of(arena: Arena, state: State) -> Iterator[tuple[int, State]]:
    """(point or PASS, the state after it) of each legal move in the region, and of a pass."""
    for move in [oracle.PASS, *each(arena.region)]:
        after = arena.play(state, move)
        if after is not None:
            yield PASS if move == oracle.PASS else point(*arena.names(move)[0]), after


def prove(problem: Problem) -> None:
    """Prove that every answer wins and that every other move loses. Raises AssertionError."""
    arena = arena_of(problem)
    state = state_of(problem, arena)
    mover = state.mover
    # More than is asked for, by the margin: the answers at a worse komi, the rest at a better one.
    burden = MARGIN if mover == oracle.BLACK else -MARGIN
    for_mover = Search(arena, mover, problem.komi + burden)
    for_other = Search(arena, 1 - mover, problem.komi - burden)
    found = set()
    for p, after in moves_of(arena, state):
        search = for_mover if p in problem.answers else for_other
        assert search.wins(after), vertex(p, problem.size)
        found.add(p)
    assert problem.answers < found - {PASS}


def digest(problem: Problem) -> str:
    """Of what a proof depends on: the problem as the oracle sees it, the oracle's program, and
    what `prove` does. How lines are broken is no part of it.
    """
    arena = arena_of(problem)
    answers = sorted(row_col(p) for p in problem.answers)
    told = (
        arena.step,
        arena.black,
        arena.white,
        arena.region,
        state_of(problem, arena),
        problem.komi,
        answers,
        MARGIN,
        *(source(part) for part in (oracle, prove, moves_of)),
    )
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


def proved(problem: Problem) -> bool:
    """Whether a proof of just this problem is kept, and may be relied upon."""
    return not os.environ.get("KATACHI_PROVE") and digest(problem) in KEPT.read_text().split()


if __name__ == "__main__":
    lines = []
    for one in load_problems():
        prove(one)
        lines.append(f"{digest(one)}\n")
    KEPT.write_text("".join(lines))
