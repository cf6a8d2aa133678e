"""The sampler: against weights from scratch, the families, and its own frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from katachi.go.board import NEIGHBOURS, Board, is_own_eye, legal_points, new_board, play
from katachi.go.kernel import int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WHITE, from_vertex
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.models.model import Model
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.features import Features
from katachi.search.gammas import (
    BALANCE,
    LARGEST,
    ONE_BOOST,
    SHAPE_POWER,
    PlayoutGammas,
    playout_gammas,
    uniform_gammas,
)
from katachi.search.playouts import draw, pattern_playouts, weigh_all
from katachi.search.sampler import after_move, before_move, new_sampler, start


def some_model(seed: int = 1) -> Model:
    """A playout model with gammas of any size, so that every feature shows."""
    features = Features(PLAYOUT)
    rng = np.random.default_rng(seed)
    ratings = {}
    for family in features.families:
        gamma = np.exp(rng.normal(0, 1, family.size)).astype(np.float32)
        if family.name == "self-atari":
            gamma[:] = 0.05
        none = np.zeros(family.size)
        ratings[family.name] = Ratings(
            gamma, none.astype(np.float32), none.astype(np.uint32), none.astype(np.uint32)
        )
    return Model(features, Predictor(ratings))


MODEL = some_model()
GAMMAS = playout_gammas(MODEL)
ANY_GAMMAS = playout_gammas(MODEL, any_self_atari=True)

# The eye spaces of four to six points that die when the opponent plays first
DYING = (
    ((0, 0), (0, 1), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2)),
    ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)),
    ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (0, 0)),
)


def turns(shape: Iterable[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
    """The shape in its eight turns, each moved to the corner."""
    points = list(shape)
    for _ in range(2):
        for _ in range(4):
            points = [(c, -r) for r, c in points]
            top, left = min(r for r, _ in points), min(c for _, c in points)
            yield frozenset((r - top, c - left) for r, c in points)
        points = [(r, -c) for r, c in points]


DYING_SHAPES = {turn for shape in DYING for turn in turns(shape)}


def is_pointless(position: Position, p: int) -> bool:
    """Whether the move puts a string in atari of which nothing can come: by playing it."""
    board = position.board.copy()
    mover = position.to_move
    if play(board, p, mover):
        return False
    color = board.color.tolist()
    string = {p}
    while True:
        more = {q + d for q in string for d in NEIGHBOURS if color[q + d] == mover} - string
        if not more:
            break
        string |= more
    liberties = {q + d for q in string for d in NEIGHBOURS if color[q + d] == EMPTY}
    if len(liberties) > 1 or len(string) <= 3:
        return False
    return next(turns(divmod(q, STRIDE) for q in string)) not in DYING_SHAPES


@kernel
def step(b: Board, s: Any, gammas: PlayoutGammas, rng: Any) -> int:
    """One move of a playout."""
    c = int64(b.to_move)
    p = draw(b, s, gammas, c, rng)
    if p == PASS:
        play(b, p, c)
    else:
        empties = before_move(b, s, p)
        taken = play(b, p, c)
        after_move(b, s, p, c, taken, empties)
    return p


@kernel
def weights_of(b: Board, s: Any, gammas: PlayoutGammas, c: int, out: Any) -> int:
    return weigh_all(b, s, gammas, c, out)


@kernel
def drawn(b: Board, s: Any, gammas: PlayoutGammas, rng: Any, count: int, out: Any) -> None:
    for _ in range(count):
        out[draw(b, s, gammas, int64(b.to_move), rng)] += 1


def weigh(
    board: Board, sampler: Any, colour: int, gammas: PlayoutGammas = GAMMAS
) -> npt.NDArray[np.int64]:
    out = np.zeros(AREA, np.int64)
    total = weights_of(board, sampler, gammas, colour, out)
    assert total == out.sum()
    return out


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5, 7, 9, 13, 19]))
def test_weights_equal_those_from_scratch_after_every_move(seed: int, size: int) -> None:
    board, sampler, fresh, rng = new_board(size), new_sampler(), new_sampler(), new_rng(seed)
    start(board, sampler)
    for _ in range(min(3 * size * size, 300)):
        step(board, sampler, GAMMAS, rng)
        start(board, fresh)
        for colour in (int(board.to_move), 3 - int(board.to_move)):
            assert np.array_equal(weigh(board, sampler, colour), weigh(board, fresh, colour))
        if board.passes == 2:
            break


@pytest.mark.slow
@pytest.mark.parametrize("gammas", [GAMMAS, ANY_GAMMAS], ids=["useful", "any"])
def test_weights_are_the_products_of_the_families_gammas(gammas: PlayoutGammas) -> None:
    """The families describe the move by kernels of their own, with no code in common."""
    rng, sampler, fresh = new_rng(5), new_sampler(), new_sampler()
    compared = pointless = 0
    for size, games in ((9, 8), (19, 1)):
        for _ in range(games):
            position = Position(size)
            start(position.board, sampler)
            while position.board.passes < 2 and position.board.moves < 2 * size * size:
                # By any move, so that strings come to be which the others would not make
                step(position.board, sampler, ANY_GAMMAS, rng)
                mover = position.to_move
                want = MODEL.probabilities(position)
                start(position.board, fresh)
                found = weigh(position.board, fresh, mover, gammas)
                allowed = {
                    p: chance
                    for p, chance in want.items()
                    if p != PASS and not is_own_eye(position.board, p, mover)
                }
                if gammas is GAMMAS:
                    without = [p for p in allowed if is_pointless(position, p)]
                    pointless += len(without)
                    for p in without:
                        del allowed[p]
                assert set(np.flatnonzero(found)) == set(allowed)
                if not allowed:
                    continue
                points = list(allowed)
                chances = np.array([allowed[p] for p in points])
                ours = found[points] / found.sum()
                wanted = chances / chances.sum()
                assert np.all(np.abs(ours - wanted) <= np.maximum(1e-2 * wanted, 1e-5))
                compared += len(points)
    assert compared > 20_000
    assert gammas is ANY_GAMMAS or pointless > 150


@pytest.mark.parametrize(
    ("stones", "worth"),
    [(shape, True) for shape in DYING]
    + [
        (((0, 0), (0, 1), (0, 2)), True),
        (((0, 0), (0, 1), (0, 2), (0, 3)), False),
        (((0, 0), (0, 1), (0, 2), (1, 2)), False),
        (((0, 0), (0, 1), (1, 1), (1, 2)), False),
        (((0, 0), (0, 1), (0, 2), (1, 0), (2, 0)), False),
        (((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)), False),
        (((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)), False),
    ],
)
def test_what_may_be_put_in_atari(stones: tuple[tuple[int, int], ...], worth: bool) -> None:
    """Black fills an eye space of White's that has one point more, stone by stone."""
    space = {(r + 3, c + 3) for r, c in stones}
    r, c = min(space)
    liberty = (r - 1, c)
    for last in sorted(space):
        colors = np.zeros(AREA, np.uint8)
        for row in range(9):
            for col in range(9):
                if (row, col) not in space | {liberty, (0, 0), (8, 8)}:
                    colors[(row + 1) * STRIDE + col + 1] = WHITE
                elif (row, col) in space and (row, col) != last:
                    colors[(row + 1) * STRIDE + col + 1] = BLACK
        board = Position.from_stones(9, colors, BLACK).board
        place = (last[0] + 1) * STRIDE + last[1] + 1
        for gammas, allowed in ((GAMMAS, worth), (ANY_GAMMAS, True)):
            sampler = new_sampler()
            start(board, sampler)
            assert (weigh(board, sampler, BLACK, gammas)[place] > 0) == allowed


def test_balanced_gammas_are_the_fitted_ones_times_their_factors() -> None:
    """Two captures that nothing else sets apart: three stones, and two."""
    position = Position.from_diagram("""
        . . X O O
        . . . X .
        . . . . .
        X X X . .
        O O O . .
    """)
    weights = []
    for balanced in (False, True):
        sampler = new_sampler()
        start(position.board, sampler)
        gammas = playout_gammas(MODEL, balanced=balanced)
        weights.append(weigh(position.board, sampler, BLACK, gammas).astype(float))
    assert np.array_equal(weights[0] > 0, weights[1] > 0)
    plain = [from_vertex(name, 5) for name in ("A4", "C3", "D3")]
    level = dict.fromkeys(plain, 0) | {from_vertex("D1", 5): 4, from_vertex("E4", 5): 5}
    points, columns = MODEL.described(position)
    fitted = MODEL.predictor.factors["shape3"]
    shape = {p: fitted[columns["shape3"][points.index(p)]] for p in level}
    for one, other in combinations(level, 2):
        factors = BALANCE["capture"][level[one]] / BALANCE["capture"][level[other]]
        shapes = (shape[one] / shape[other]) ** (SHAPE_POWER - 1)
        times = weights[1] / np.maximum(weights[0], 1e-9)
        assert times[one] / times[other] == pytest.approx(factors * shapes, rel=1e-3)


def test_runs_that_gain_nothing_weigh_less() -> None:
    """With `tight`: extensions that take nothing and leave the string two liberties at most."""
    less = playout_gammas(MODEL, tight=0.25)
    rng, sampler, fresh = new_rng(4), new_sampler(), new_sampler()
    changed = same = 0
    for _ in range(8):
        position = Position(9)
        start(position.board, sampler)
        while position.board.passes < 2 and position.board.moves < 160:
            step(position.board, sampler, GAMMAS, rng)
            start(position.board, fresh)
            mover = position.to_move
            one, other = (weigh(position.board, fresh, mover, g) for g in (GAMMAS, less))
            points, columns = MODEL.described(position)
            for p, extends in zip(points, columns["extension"], strict=True):
                if p == PASS or not one[p]:
                    continue
                after = position.board.copy()
                taken = play(after, p, mover)
                tight = extends and not taken and after.liberties[after.head[p]] <= 2
                assert other[p] / one[p] == pytest.approx(0.25 if tight else 1.0, rel=1e-2)
                changed += bool(tight)
                same += bool(extends) and not tight
    assert changed > 30
    assert same > 15


def test_whole_boosts_are_those_that_the_cap_cuts() -> None:
    capped, whole = (playout_gammas(MODEL, balanced=True, most=most) for most in (1 << 10, 1 << 18))
    assert np.array_equal(capped.boost, np.minimum(whole.boost, (1 << 10) * ONE_BOOST))
    assert (whole.boost > capped.boost).any()
    # Sums of weights fit into int64, even if all points were of the likeliest shape.
    assert int(whole.boost.max()) * LARGEST * 64 < 2**63
    for gammas in (capped, whole):
        assert np.array_equal(gammas.shape, capped.shape)


@pytest.mark.slow
def test_drawn_frequencies_match_the_probabilities() -> None:
    rng, sampler = new_rng(11), new_sampler()
    p_values = []
    for seed in range(60):
        board = new_board(9 if seed % 3 else 13)
        start(board, sampler)
        walk = new_rng(seed)
        for _ in range(5 + 2 * seed % 70):
            step(board, sampler, GAMMAS, walk)
        weights = weigh(board, sampler, int(board.to_move)).astype(float)
        if board.passes or np.count_nonzero(weights) < 2:
            continue
        counts = np.zeros(AREA, np.int64)
        drawn(board, sampler, GAMMAS, rng, 20_000, counts)
        assert counts[weights == 0].sum() == 0
        expected = 20_000 * weights / weights.sum()
        large = expected >= 5
        seen = np.append(counts[large], counts[~large].sum())
        want = np.append(expected[large], expected[~large].sum())
        if want[-1] < 5:
            seen, want = seen[:-1], want[:-1] * seen[:-1].sum() / want[:-1].sum()
        p_values.append(stats.chisquare(seen, want).pvalue)
    assert len(p_values) > 40
    # Of true chances, p-values are uniform.
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    assert min(p_values) > 1e-5


def test_uniform_gammas_weigh_every_playable_move_alike() -> None:
    gammas, sampler, rng = uniform_gammas(), new_sampler(), new_rng(2)
    board = new_board(9)
    start(board, sampler)
    out = np.zeros(400, np.int16)
    for _ in range(120):
        step(board, sampler, gammas, rng)
        mover = int(board.to_move)
        legal = out[: legal_points(board, mover, out)]
        want = {int(p) for p in legal if not is_own_eye(board, int(p), mover)}
        weights = weigh(board, sampler, mover, gammas)
        assert set(np.flatnonzero(weights)) == want
        assert len(set(weights[list(want)])) <= 1


def test_a_playout_ends_with_nothing_left_to_play() -> None:
    board, work, rng = new_board(9), new_board(9), new_rng(3)
    moves = np.zeros(2000, np.int16)
    wins, total, played = pattern_playouts(board, work, new_sampler(), GAMMAS, rng, moves, 200, 0.5)
    assert 20 < wins < 180
    assert -81 * 200 < total < 81 * 200
    assert 200 * 40 < played < 200 * 243
    assert work.passes == 2
    for colour in (BLACK, WHITE):
        fresh = new_sampler()
        start(work, fresh)
        assert weigh(work, fresh, colour).sum() == 0


def test_the_same_seed_gives_the_same_playouts() -> None:
    board, work = new_board(9), new_board(9)
    moves = np.zeros(2000, np.int16)
    runs = [
        pattern_playouts(board, work, new_sampler(), GAMMAS, new_rng(8), moves, 50, 6.5)
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
