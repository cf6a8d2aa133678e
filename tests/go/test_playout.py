"""Random moves, playouts and the generator behind them: fair, legal, finished, reproducible.

All seeds are fixed, so a test of chance passes or fails for good; `chi_square_limit` says how
unlikely a fair kernel is to fail when a seed is changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from katachi.go.board import Board, copy, new_board, new_boards, play
from katachi.go.playout import MOVES_PER_POINT, playout, playouts, random_move
from katachi.go.points import BLACK, PASS, WHITE, from_vertex
from katachi.go.position import Position
from katachi.go.rng import below, new_rng, scramble
from katachi.go.score import area_score, settled_score
from tests.go.helpers import (
    COLOURS,
    Oracle,
    assert_sound,
    chi_square,
    chi_square_limit,
    eye,
    snapshot,
    wandered,
)

# -- the generator -------------------------------------------------------------------------------

MASK = 2**64 - 1


def plain_scramble(x: int) -> int:
    """splitmix64 in Python's integers, 0 replaced by 1."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31) or 1


def plain_below(state: int, n: int) -> tuple[int, int]:
    """xorshift64*: (next state, number below n)."""
    state ^= state >> 12
    state ^= (state << 25) & MASK
    state ^= state >> 27
    high = ((state * 0x2545F4914F6CDD1D) & MASK) >> 32
    return state, (high * n) >> 32


ZERO_SEED = 2**64 - 0x9E3779B97F4A7C15  # what splitmix64 sends to 0


@given(st.integers(-(2**70), 2**70))
@example(0)
@example(-1)
@example(10**30)
@example(ZERO_SEED)
def test_new_rng_takes_any_seed(seed: int) -> None:
    rng = new_rng(seed)
    assert rng.shape == (1,)
    assert rng.dtype == np.uint64
    assert int(rng[0]) == plain_scramble(seed % 2**64) != 0
    assert new_rng(seed + 2**64).tolist() == rng.tolist()


def test_scramble_never_gives_zero() -> None:
    assert scramble(np.uint64(ZERO_SEED)) == 1


@given(seed=st.integers(0, 2**64 - 1), bounds=st.lists(st.integers(1, 2**31 - 1), min_size=1))
def test_below_is_xorshift(seed: int, bounds: list[int]) -> None:
    rng = new_rng(seed)
    state = int(rng[0])
    for n in bounds:
        state, expected = plain_below(state, n)
        number = below(rng, n)
        assert number == expected
        assert 0 <= number < n
        assert int(rng[0]) == state != 0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 81, 361])
@pytest.mark.parametrize("seed", [0, 1, -5])
def test_below_is_uniform(n: int, seed: int) -> None:
    rng = new_rng(seed)
    counts = Counter(below(rng, n) for _ in range(max(5_000, 50 * n)))
    assert set(counts) == set(range(n))
    if n > 1:
        assert chi_square([counts[i] for i in range(n)]) < chi_square_limit(n - 1)


def test_neighbouring_seeds_and_draws_are_unrelated() -> None:
    """First draws of many seeds in a row, and pairs of successive draws, are uniform too."""
    firsts = Counter(below(new_rng(seed), 10) for seed in range(5_000))
    assert chi_square([firsts[i] for i in range(10)]) < chi_square_limit(9)
    rng = new_rng(3)
    pairs = Counter((below(rng, 6), below(rng, 6)) for _ in range(8_000))
    assert chi_square([pairs[i, j] for i in range(6) for j in range(6)]) < chi_square_limit(35)


# -- random moves --------------------------------------------------------------------------------

EYES_IN_A_ROW = """
    7 . . . . . . .
    6 O O O O O O O
    5 . O . O . O .
    4 O O O O O O O
    3 X X X X X X X
    2 X . X . X . X
    1 . X . X . X .
"""
FALSE_EYES = """
    7 . X . . . . .
    6 X X . . . . .
    5 . . . O X . .
    4 . . . X . X .
    3 . . . . X O .
    2 X O . . . . .
    1 . X . . . . .
"""
ONLY_EYES = """
    5 . X O O .
    4 X X O O O
    3 X X O O O
    2 X X X O O
    1 . X O O .
"""


def playable(b: Board, colour: int) -> set[int]:
    """The legal moves that fill no own eye, by the oracles."""
    colors = b.color.tolist()
    return {p for p in Oracle.of(b).legal_points(colour) if not eye(colors, p, colour)}


def ko_board() -> Board:
    position = Position.from_diagram(
        """
        5 . . . . .
        4 . . X O .
        3 . X . X O
        2 . . X O .
        1 . . . . .
        """,
        to_move=WHITE,
    )
    position.play("C3")
    assert position.ko is not None
    return position.board


BOARDS: dict[str, Callable[[], Board]] = {
    "empty": lambda: new_board(5),
    "opening": lambda: wandered(9, seed=4, length=30),
    "middle game": lambda: wandered(9, seed=5, length=90),
    "large": lambda: wandered(19, seed=6, length=400),
    "eyes in a row": lambda: Position.from_diagram(EYES_IN_A_ROW).board,
    "false eyes": lambda: Position.from_diagram(FALSE_EYES).board,
    "ko": ko_board,
}


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("name", BOARDS)
def test_random_move_is_uniform(name: str, colour: int) -> None:
    b = BOARDS[name]()
    expected = sorted(playable(b, colour))
    assert len(expected) > 1
    before = snapshot(b)
    rng = new_rng(7)
    counts = Counter(int(random_move(b, colour, rng)) for _ in range(60 * len(expected) + 4_000))
    assert sorted(counts) == expected
    assert chi_square([counts[p] for p in expected]) < chi_square_limit(len(expected) - 1)
    # The list of empty points was reordered, nothing else.
    assert_sound(b)
    after = snapshot(b)
    for field in set(before) - {"empty", "place"}:
        assert after[field] == before[field]


def test_random_move_is_uniform_on_fresh_boards() -> None:
    """Each draw from the same order of empty points, not from that which earlier draws left."""
    b = Position.from_diagram(EYES_IN_A_ROW).board
    trial = new_board(7)
    rng = new_rng(8)
    counts: Counter[int] = Counter()
    for _ in range(6_000):
        copy(trial, b)
        counts[int(random_move(trial, WHITE, rng))] += 1
    expected = sorted(playable(b, WHITE))
    assert sorted(counts) == expected
    assert chi_square([counts[p] for p in expected]) < chi_square_limit(len(expected) - 1)


@pytest.mark.parametrize("colour", COLOURS)
def test_random_move_passes_only_where_nothing_is_left(colour: int) -> None:
    b = Position.from_diagram(ONLY_EYES).board
    assert playable(b, colour) == set()
    rng = new_rng(1)
    assert {int(random_move(b, colour, rng)) for _ in range(100)} == {PASS}
    assert_sound(b)


@pytest.mark.parametrize("colour", COLOURS)
def test_random_move_finds_the_only_move(colour: int) -> None:
    b = Position.from_diagram(ONLY_EYES.replace("3 X X O O O", "3 X X . O O")).board
    only = from_vertex("C3", 5)
    assert playable(b, colour) == {only}
    rng = new_rng(1)
    assert {int(random_move(b, colour, rng)) for _ in range(100)} == {only}


# -- playouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "count"), [(2, 40), (3, 60), (4, 60), (5, 60), (7, 40), (9, 40), (13, 12), (19, 6)]
)
def test_playout_ends_with_two_passes_and_the_right_score(size: int, count: int) -> None:
    rng = new_rng(size)
    ended = 0
    for seed in range(count):
        b = wandered(size, seed, seed % (2 * size))
        b.passes = 0
        moves = int(b.moves)
        score = playout(b, rng)
        assert b.moves - moves <= MOVES_PER_POINT * size * size
        assert_sound(b)
        assert score == area_score(b) == Oracle.of(b).area_score()
        if b.passes >= 2:
            ended += 1
            assert b.previous[:2].tolist() == [PASS, PASS]
            assert playable(b, BLACK) == playable(b, WHITE) == set()
            assert settled_score(b) == score
        else:
            assert b.moves - moves == MOVES_PER_POINT * size * size
    # Repetition keeps some games on the smallest boards going until they are cut short.
    assert ended > (0.9 * count if size >= 5 else 0)


def test_playout_moves_are_those_of_random_move() -> None:
    """A playout is nothing but random moves in turn: the twin plays them one by one."""
    b = wandered(9, seed=1, length=20)
    twin = new_board(9)
    copy(twin, b)
    rng, twin_rng = new_rng(5), new_rng(5)
    score = playout(b, rng)
    while twin.passes < 2:
        colour = int(twin.to_move)
        p = int(random_move(twin, colour, twin_rng))
        assert p in playable(twin, colour) or (p == PASS and not playable(twin, colour))
        play(twin, p, colour)
    assert snapshot(twin) == snapshot(b)
    assert score == area_score(twin)


def test_playout_is_cut_short() -> None:
    """The bound is real: on 2x2 some games would never end."""
    lengths = []
    for seed in range(200):
        b = new_board(2)
        playout(b, new_rng(seed))
        lengths.append(int(b.moves))
    assert max(lengths) == MOVES_PER_POINT * 4
    assert min(lengths) < MOVES_PER_POINT * 4


def test_playout_after_one_pass() -> None:
    """The side that is left with nothing to play ends the game at once."""
    position = Position.from_diagram(ONLY_EYES)
    position.pass_()
    assert playout(position.board, new_rng(0)) == position.score()
    assert position.board.moves == 2


def test_playout_of_a_finished_game_is_its_score() -> None:
    position = Position.from_diagram("5 .....\n4 .....\n3 XXXXX\n2 OOOOO\n1 .....")
    position.pass_()
    position.pass_()
    assert playout(position.board, new_rng(0)) == position.score() == 5


def run(b: Board, seed: int, count: int, komi: float) -> tuple[int, int, int]:
    wins, total, moves = playouts(b, new_boards(1)[0], new_rng(seed), count, komi)
    return int(wins), int(total), int(moves)


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_playouts_are_playouts_one_by_one(size: int) -> None:
    b = wandered(size, seed=size, length=size)
    b.passes = 0
    before = b.tobytes()
    rng: Any = new_rng(3)
    trial = new_board(size)
    scores, lengths = [], []
    for _ in range(30):
        copy(trial, b)
        scores.append(int(playout(trial, rng)))
        lengths.append(int(trial.moves) - int(b.moves))
    for komi in (-3.0, 0.0, 0.5, 7.5, float(scores[0])):
        wins = sum(score > komi for score in scores)  # a draw is no win
        assert run(b, 3, 30, komi) == (wins, sum(scores), sum(lengths))
    assert b.tobytes() == before


def test_playouts_follow_from_the_seed() -> None:
    b = new_board(9)
    first = run(b, 1, 20, 7.5)
    assert run(b, 1, 20, 7.5) == first
    assert len({run(b, seed, 20, 7.5) for seed in range(10)}) == 10


def test_playouts_on_a_board_that_held_another_game() -> None:
    b = wandered(5, seed=2, length=10)
    work = wandered(19, seed=3, length=500)
    assert tuple(playouts(b, work, new_rng(1), 10, 0.0)) == run(b, 1, 10, 0.0)


def test_no_playouts() -> None:
    assert run(new_board(9), 1, 0, 7.5) == (0, 0, 0)


def test_neither_colour_is_favoured() -> None:
    """Going first is worth the same to both: about two points on 9x9."""
    count = 50_000
    b = new_board(9)
    black_first = run(b, 1, count, 0.0)[1] / count
    b.to_move = WHITE
    white_first = run(b, 2, count, 0.0)[1] / count
    # A single score spreads by 39 points, so each mean by 0.17 and their sum by 0.25.
    assert black_first + white_first == pytest.approx(0, abs=1.0)
    assert black_first - white_first == pytest.approx(4, abs=1.0)
