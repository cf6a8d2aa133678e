"""The problems are sound: proved by a second Go program, in plain Python, which plays them out.

Every listed answer wins, every other move and a pass loses, and by two points at least. So does the
winner of a settled position win, whoever moves.
"""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from dataclasses import replace

import pytest

from katachi.go.points import (
    BLACK,
    COLOUR_NAMES,
    PASS,
    WHITE,
    all_points,
    other,
    point,
    row_col,
    vertex,
)
from katachi.go.position import Position
from tests.search import problem_oracle as oracle
from tests.search.problem_oracle import Arena, Search, State, Unsettled
from tests.search.problems import (
    CATEGORIES,
    Problem,
    Settled,
    load_problems,
    load_settled,
    parse_problems,
    parse_settled,
)
from tests.search.proofs import SIDES, arena_of, moves_of, prove, prove_settled, proved, state_of

PROBLEMS = load_problems()
SETTLED = load_settled()
each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=[p.name for p in PROBLEMS])
each_settled = pytest.mark.parametrize("settled", SETTLED, ids=[s.name for s in SETTLED])


def as_oracle_sees(position: Position, arena: Arena) -> State:
    """The state of a position of Katachi's."""
    colors = position.board.color.tolist()
    stones = {
        colour: arena.points(row_col(p) for p in all_points(position.size) if colors[p] == colour)
        for colour in (BLACK, WHITE)
    }
    ko = 0 if position.ko is None else arena.points([row_col(position.ko)])
    passed = position.previous[:1] == [PASS]
    return State(stones[BLACK], stones[WHITE], SIDES[position.to_move], ko, passed)


# -- the table ---------------------------------------------------------------------------------


def test_the_table_is_large_and_balanced() -> None:
    assert len(PROBLEMS) >= 130
    assert len({problem.name for problem in PROBLEMS}) == len(PROBLEMS)
    kinds = Counter(problem.category for problem in PROBLEMS)
    assert all(kinds[category] >= 5 for category in CATEGORIES)
    assert {problem.size for problem in PROBLEMS} == {5, 6, 7, 8, 9}
    sides = Counter(problem.to_move for problem in PROBLEMS)
    assert min(sides[BLACK], sides[WHITE]) >= 60
    # A draw is no result.
    assert all(problem.komi % 1 == 0.5 for problem in PROBLEMS)


def test_the_settled_positions_are_many_and_balanced() -> None:
    assert len(SETTLED) >= 50
    assert len({settled.name for settled in SETTLED}) == len(SETTLED)
    assert len({settled.category for settled in SETTLED}) >= 7
    assert len({settled.size for settled in SETTLED}) >= 4
    winners = Counter(settled.winner for settled in SETTLED)
    assert min(winners[BLACK], winners[WHITE]) >= 20
    assert all(settled.komi % 1 == 0.5 for settled in SETTLED)


def test_a_table_with_a_mistake_is_not_read() -> None:
    lines = ["name: x", "category: ko", "komi: 0.5", "to move: white", "answers: A1"]
    lines += ["region: A1-B1", "why: because", "X.", ".."]
    (problem,) = parse_problems("\n".join(lines))
    assert problem.region == {point(1, 0), point(1, 1)}
    assert problem.position().to_move == WHITE
    with pytest.raises(ValueError, match="unknown moves"):
        parse_problems("\n".join(["moves: 3", *lines]))
    with pytest.raises(ValueError, match="unknown category fun"):
        parse_problems("\n".join(lines).replace("category: ko", "category: fun"))
    with pytest.raises(ValueError, match="the answers are points"):
        parse_problems("\n".join(lines).replace("answers: A1", "answers: pass"))
    settled = [line for line in lines if not line.startswith(("to move", "answers"))]
    (one,) = parse_settled("\n".join(["winner: black", *settled]))
    assert (one.winner, one.region, one.size) == (BLACK, problem.region, 2)
    assert [one.position(colour).to_move for colour in (BLACK, WHITE)] == [BLACK, WHITE]
    with pytest.raises(ValueError, match="unknown answers"):
        parse_settled("\n".join(["winner: black", "answers: A1", *settled]))
    with pytest.raises(ValueError, match="unknown category fun"):
        parse_settled("\n".join(["winner: black", *settled]).replace("ko", "fun", 1))


# -- the proof ---------------------------------------------------------------------------------


@each_problem
def test_the_answers_win_and_nothing_else(problem: Problem) -> None:
    """By a proof that is kept, unless anything of it has changed: see `proofs`."""
    if not proved(problem):
        prove(problem)


@each_settled
def test_the_winner_wins_whoever_moves(settled: Settled) -> None:
    """By a proof that is kept, unless anything of it has changed: see `proofs`."""
    if not proved(settled):
        prove_settled(settled)


def test_another_settled_position_is_proved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    settled = min(SETTLED, key=lambda settled: len(settled.region))
    assert proved(settled)
    prove_settled(settled)
    ahead = 40 if settled.winner == BLACK else -40
    for changed in (
        replace(settled, winner=other(settled.winner)),
        replace(settled, komi=settled.komi + ahead),
    ):
        assert not proved(changed)
        with pytest.raises(AssertionError):
            prove_settled(changed)
    monkeypatch.setenv("KATACHI_PROVE", "1")
    assert not proved(settled)


def test_what_the_mover_decides_is_not_settled() -> None:
    # Whoever moves wins: neither side is proved to win it settled.
    problem = next(p for p in PROBLEMS if p.name.startswith("straight three along the edge"))
    for winner in (BLACK, WHITE):
        claimed = parse_settled(
            f"name: x\ncategory: nakade\nkomi: {problem.komi}\nwinner: {COLOUR_NAMES[winner]}\n"
            f"region: {' '.join(vertex(p, problem.size) for p in problem.region)}\nwhy: x\n"
            f"{problem.diagram}"
        )
        with pytest.raises(AssertionError):
            prove_settled(*claimed)


def test_another_problem_is_proved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = min(PROBLEMS, key=lambda problem: len(problem.region))
    assert proved(problem)
    prove(problem)
    wrong = next(
        p
        for p, _ in moves_of(arena_of(problem), state_of(problem, arena_of(problem)))
        if p not in problem.answers | {PASS}
    )
    for changed in (
        replace(problem, answers=frozenset({wrong})),
        replace(problem, answers=problem.answers | {wrong}),
        replace(problem, komi=problem.komi + 20),
        replace(problem, komi=problem.komi - 20),
    ):
        assert not proved(changed)
        with pytest.raises(AssertionError):
            prove(changed)
    monkeypatch.setenv("KATACHI_PROVE", "1")
    assert not proved(problem)


@each_problem
def test_a_move_outside_the_region_is_a_pass(problem: Problem) -> None:
    position = problem.position()
    arena = arena_of(problem)
    state = state_of(problem, arena)
    assert state == as_oracle_sees(position, arena)
    assert_outside_is_filled(position, arena, state, problem.region)


@each_settled
def test_a_move_outside_a_settled_region_is_a_pass(settled: Settled) -> None:
    arena = arena_of(settled)
    for mover in (BLACK, WHITE):
        position = settled.position(mover)
        state = State(arena.black, arena.white, SIDES[mover])
        assert state == as_oracle_sees(position, arena)
        assert_outside_is_filled(position, arena, state, settled.region)


def assert_outside_is_filled(
    position: Position, arena: Arena, state: State, region: frozenset[int]
) -> None:
    """Katachi's board agrees on what is legal, and all moves that are not in the region fill an
    eye of one's own.
    """
    legal = set(position.legal_moves())
    assert legal & (region | {PASS}) == {p for p, _ in moves_of(arena, state)}
    for colour in (BLACK, WHITE):
        for p in set(position.legal_moves(colour)) - region - {PASS}:
            around = arena.around(arena.points([row_col(p)]))
            assert {position.stone(q) for q in arena.names(around)} == {colour}
            assert len(position.liberties(arena.names(around)[0])) >= 2


# -- the prover --------------------------------------------------------------------------------


@pytest.mark.slow
@each_problem
def test_the_oracle_plays_by_the_rules(problem: Problem) -> None:
    rng = random.Random(problem.name)
    arena = arena_of(problem)
    for _ in range(3):
        position = problem.position()
        for _ in range(30):
            state = as_oracle_sees(position, arena)
            assert arena.score(state.black, state.white) == position.score()
            after = dict(moves_of(arena, state))
            assert set(after) == set(position.legal_moves()) & (problem.region | {PASS})
            p = rng.choice(sorted(after))
            had_ko = position.ko is not None
            position.play(p)
            expected = as_oracle_sees(position, arena)
            assert after[p] == expected._replace(passed=p == PASS and not had_ko)


class PlainSearch(Search):
    """The search that looks no further than the last pass: everything is played out."""

    def _winner(self, state: State) -> int | None:
        ahead = self._ahead(state)
        return ahead if state.passed and ahead == state.mover else None


SMALL = [problem for problem in PROBLEMS if len(problem.region) <= 8]
each_small_problem = pytest.mark.parametrize("problem", SMALL, ids=[p.name for p in SMALL])


@pytest.mark.slow
@each_small_problem
def test_what_is_called_settled_can_be_played_out(problem: Problem) -> None:
    rng = random.Random(problem.name)
    arena = arena_of(problem)
    plain = [PlainSearch(arena, side, problem.komi) for side in (oracle.BLACK, oracle.WHITE)]
    seen = 0
    for _ in range(20):
        state = state_of(problem, arena)
        for _ in range(8):
            winner = Search(arena, oracle.BLACK, problem.komi)._winner(state)
            if winner is not None:
                assert plain[winner].wins(state)
                seen += 1
                break
            state = rng.choice([after for _, after in moves_of(arena, state)])
    assert seen >= 10


@each_small_problem
def test_no_proof_is_found_for_the_side_that_loses(problem: Problem) -> None:
    arena = arena_of(problem)
    state = state_of(problem, arena)
    for p, after in moves_of(arena, state):
        loser = 1 - state.mover if p in problem.answers else state.mover
        assert not Search(arena, loser, problem.komi).wins(after, longest=12)


def small_arena(diagram: str, region: list[oracle.Point]) -> Arena:
    """The arena of a diagram without coordinates."""
    places: dict[str, list[oracle.Point]] = {sign: [] for sign in ".XO"}
    for row, line in enumerate(diagram.split()):
        for col, sign in enumerate(line):
            places[sign].append((row, col))
    return Arena(len(diagram.split()), places["X"], places["O"], region)


def test_an_outside_that_is_not_settled_is_refused() -> None:
    corner = [(4, 0), (4, 1)]
    arena = small_arena(".XO.O XXOOO .XOOO XXO.O ..OOO", corner)
    assert arena.worth == [8, 15]
    with pytest.raises(Unsettled, match=r"\(0, 0\)"):  # Black has one eye
        small_arena("XXO.O XXOOO .XOOO XXO.O ..OOO", corner)
    with pytest.raises(Unsettled, match=r"\(0, 3\)"):  # one of White's eyes is in the region
        small_arena(".XO.O XXOOO .XOOO XXO.O ..OOO", [*corner, (3, 3)])
    with pytest.raises(ValueError, match="no liberty"):
        small_arena("OXO.O XXOOO .XOOO XXO.O ..OOO", corner)


# -- a second opinion --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.needs("gnugo")
def test_gnugo_mostly_agrees(gnugo: str) -> None:
    commands = []
    for problem in PROBLEMS:
        size = problem.size
        setup = problem.setup()
        commands += [f"boardsize {size}", "clear_board", f"komi {problem.komi}"]
        for p in all_points(size):
            if setup.stone(p):
                commands.append(f"play {COLOUR_NAMES[setup.stone(p)]} {vertex(p, size)}")
        for p in problem.plays:
            commands.append(f"play {COLOUR_NAMES[setup.to_move]} {vertex(p, size)}")
            setup.play(p)
        commands.append(f"reg_genmove {COLOUR_NAMES[problem.to_move]}")
    talk = subprocess.run(
        [gnugo, "--mode", "gtp", "--level", "10", "--chinese-rules"],
        input="\n".join([*commands, "quit", ""]),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    replies = [reply.strip() for reply in talk.stdout.split("\n\n")]
    moves = [r for c, r in zip(commands, replies, strict=False) if c.startswith("reg_genmove")]
    assert all(reply.startswith("=") for reply in replies[: len(commands)])
    wrong = [
        f"{problem.name}: {move}"
        for problem, move in zip(PROBLEMS, moves, strict=True)
        if move.removeprefix("= ") not in {vertex(p, problem.size) for p in problem.answers}
    ]
    assert len(wrong) <= len(PROBLEMS) // 5, wrong
