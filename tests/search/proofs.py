"""Proofs of the problems, made once and kept as digests of all that they are proofs of.

    python -m tests.search.proofs

proves every problem and every settled position, and writes `proved.txt`. One whose digest is not
there is proved by its test every time; so is every one where KATACHI_PROVE is set.
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
from tests.search.problems import Problem, Settled, load_problems, load_settled

MARGIN = 2  # beside the half point of the komi
KEPT = Path(__file__).with_name("proved.txt")
SIDES = {BLACK: oracle.BLACK, WHITE: oracle.WHITE}


def arena_of(problem: Problem | Settled) -> Arena:
    """The oracle's board at the diagram."""
    position = problem.setup() if isinstance(problem, Problem) else problem.position(BLACK)
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


def prove_settled(settled: Settled) -> None:
    """Prove that the winner wins whoever moves, by the margin. Raises AssertionError."""
    arena = arena_of(settled)
    winner = SIDES[settled.winner]
    burden = MARGIN if winner == oracle.BLACK else -MARGIN
    search = Search(arena, winner, settled.komi + burden)
    for mover in (oracle.BLACK, oracle.WHITE):
        assert search.wins(State(arena.black, arena.white, mover)), mover


def digest(one: Problem | Settled) -> str:
    """Of what a proof depends on: the position as the oracle sees it, the oracle's program, and
    what the proof does. How lines are broken is no part of it.
    """
    arena = arena_of(one)
    board = (arena.step, arena.black, arena.white, arena.region)
    told: tuple[object, ...]
    if isinstance(one, Problem):
        answers = sorted(row_col(p) for p in one.answers)
        parts = (oracle, prove, moves_of)
        told = (*board, state_of(one, arena), one.komi, answers, MARGIN, *map(source, parts))
    else:
        settled = (oracle, prove_settled)
        told = (*board, one.komi, one.winner, MARGIN, *map(source, settled))
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


def proved(one: Problem | Settled) -> bool:
    """Whether a proof of just this is kept, and may be relied upon."""
    return not os.environ.get("KATACHI_PROVE") and digest(one) in KEPT.read_text().split()


if __name__ == "__main__":
    lines = []
    for problem in load_problems():
        prove(problem)
        lines.append(f"{digest(problem)}\n")
    for settled in load_settled():
        prove_settled(settled)
        lines.append(f"{digest(settled)}\n")
    KEPT.write_text("".join(lines))
