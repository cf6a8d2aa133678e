from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.errors import KatachiError
from katachi.evaluation.measured import BINS, CALIBRATION_EDGES, Measured
from katachi.evaluation.report import (
    COMPARED,
    CURVE,
    TOPS,
    differences,
    expected_rank,
    found,
    report,
    uniforms,
)
from tests.evaluation.test_resampling import plain_interval
from tests.papers.synthetic import Play, bin_of, measured_of, plays

RESAMPLES, SEED = 120, 9


def ranks(play: Play) -> list[int]:
    """The rank of the move played in every order of the candidates that sorts them best first."""
    orders = [
        order
        for order in permutations(range(len(play.probabilities)))
        if all(play.probabilities[a] >= play.probabilities[b] for a, b in pairwise(order))
    ]
    return [order.index(play.played) + 1 for order in orders]


@pytest.mark.parametrize("k", [1, 2, 3, 5, 20])
def test_ties_are_broken_at_random(k: int) -> None:
    some = plays(1, games=3, moves=(4, 8), candidates=lambda m: 1 + m % 6, levels=3)
    assert len({len(ranks(play)) for play in some}) > 3  # there are ties of several sizes
    within, mean = found(measured_of(some), k), expected_rank(measured_of(some))
    for i, play in enumerate(some):
        every = ranks(play)
        assert within[i] == pytest.approx(Fraction(sum(r <= k for r in every), len(every)))
        assert mean[i] == pytest.approx(Fraction(sum(every), len(every)))


def within(k: int) -> Callable[[Play], float]:
    def share(play: Play) -> float:
        given = play.probabilities[play.played]
        better = sum(p > given for p in play.probabilities)
        equal = play.probabilities.count(given)
        return min(max(k - better, 0), equal) / equal

    return share


def mean_rank(play: Play) -> float:
    given = play.probabilities[play.played]
    places = [i for i, p in enumerate(sorted(play.probabilities, reverse=True)) if p == given]
    return sum(place + 1 for place in places) / len(places)


ORACLES: dict[str, Callable[[Play], float]] = {
    **{f"top{k}": within(k) for k in TOPS},
    "mean_log_evidence": lambda play: math.log(play.probabilities[play.played]),
    "mean_rank": mean_rank,
    **{
        f"uniform_top{k}": lambda play, k=k: (
            min(k, len(play.probabilities))  # type: ignore[misc]
            / len(play.probabilities)
        )
        for k in TOPS
    },
    "uniform_log_evidence": lambda play: math.log(1 / len(play.probabilities)),
    "uniform_mean_rank": lambda play: (
        sum(range(1, len(play.probabilities) + 1)) / len(play.probabilities)
    ),
}


def mean(some: Sequence[Play], number: Callable[[Play], float]) -> float:
    return math.fsum(map(number, some)) / len(some)


def interval(
    everything: Sequence[Play], some: Sequence[Play], number: Callable[[Play], float]
) -> list[float]:
    """The interval of the mean over some of the moves, by drawing whole games in a loop."""
    games = sorted({play.game for play in everything})
    mine = [[play for play in some if play.game == game] for game in games]
    return plain_interval(
        [math.fsum(map(number, one)) for one in mine],
        [float(len(one)) for one in mine],
        resamples=RESAMPLES,
        seed=SEED,
    )


@pytest.fixture(scope="module")
def some() -> list[Play]:
    return plays(2, games=9, moves=(5, 90), candidates=lambda move: 2 + (move * 7) % 29)


@pytest.fixture(scope="module")
def told(some: list[Play]) -> dict[str, Any]:
    return report(measured_of(some), resamples=RESAMPLES, seed=SEED)


def test_a_report_has_these_keys_and_is_json(told: dict[str, Any], some: list[Play]) -> None:
    headlines = [key for name in ORACLES for key in (name, f"{name}_interval")]
    assert list(told) == ["games", "moves", *headlines, "curve", "stages", "calibration"]
    assert (told["games"], told["moves"]) == (9, len(some))
    assert json.loads(json.dumps(told, allow_nan=False)) == told


@pytest.mark.parametrize("name", ORACLES)
def test_headline_numbers(name: str, told: dict[str, Any], some: list[Play]) -> None:
    assert told[name] == pytest.approx(mean(some, ORACLES[name]), rel=1e-12)
    assert told[f"{name}_interval"] == pytest.approx(interval(some, some, ORACLES[name]), rel=1e-9)


def test_the_curve_is_the_share_within_n(told: dict[str, Any], some: list[Play]) -> None:
    assert len(told["curve"]) == CURVE
    for n, share in enumerate(told["curve"], 1):
        assert share == pytest.approx(mean(some, within(n)), rel=1e-12)
    assert told["curve"][-1] == 1


def test_stages_of_30_moves(told: dict[str, Any], some: list[Play]) -> None:
    assert [(stage["first"], stage["last"]) for stage in told["stages"]] == [
        (1, 30),
        (31, 60),
        (61, 90),
    ]
    for stage in told["stages"]:
        mine = [play for play in some if stage["first"] <= play.move + 1 <= stage["last"]]
        assert stage["moves"] == len(mine)
        for name in ("mean_log_evidence", "top1", "uniform_log_evidence"):
            assert stage[name] == pytest.approx(mean(mine, ORACLES[name]), rel=1e-12)
        for name in ("mean_log_evidence", "top1"):
            expected = interval(some, mine, ORACLES[name])
            assert stage[f"{name}_interval"] == pytest.approx(expected, rel=1e-9)


def test_the_last_stage_is_open_and_empty_ones_are_left_out() -> None:
    moves = [0, 29, 30, 329, 330, 360, 500]
    some = [Play(game, move, (0.75, 0.25), game) for game in (0, 1) for move in moves]
    stages = report(measured_of(some))["stages"]
    assert [(stage["first"], stage["last"], stage["moves"]) for stage in stages] == [
        (1, 30, 4),
        (31, 60, 2),
        (301, 330, 2),
        (331, None, 6),
    ]
    assert [stage["top1"] for stage in stages] == [0.5] * 4


def test_calibration_counts_every_candidate(told: dict[str, Any], some: list[Play]) -> None:
    every = [
        (bin_of(p), p, candidate == play.played, play.game)
        for play in some
        for candidate, p in enumerate(play.probabilities)
    ]
    bins = sorted({i for i, *_ in every})
    assert len(bins) > 8
    games = sorted({play.game for play in some})
    for i, line in zip(bins, told["calibration"], strict=True):
        assert (line["low"], line["high"]) == CALIBRATION_EDGES[i : i + 2]
        mine = [one for one in every if one[0] == i]
        assert line["candidates"] == len(mine)
        assert line["predicted"] == pytest.approx(math.fsum(p for _, p, *_ in mine) / len(mine))
        assert line["played"] == pytest.approx(sum(won for _, _, won, _ in mine) / len(mine))
        if len({game for *_, game in mine}) > 1:
            expected = plain_interval(
                [float(sum(won for _, _, won, g in mine if g == game)) for game in games],
                [float(sum(g == game for *_, g in mine)) for game in games],
                resamples=RESAMPLES,
                seed=SEED,
            )
            assert line["played_interval"] == pytest.approx(expected, rel=1e-9)
        else:
            assert line["played_interval"] is None


def test_a_calibrated_model_plays_what_it_predicts() -> None:
    honest = plays(11, games=80, moves=(30, 60), candidates=lambda _: 12, levels=50)
    lines = report(measured_of(honest))["calibration"]
    checked = [line for line in lines if line["candidates"] >= 300]
    assert len(checked) > 8
    for line in checked:
        error = math.sqrt(line["predicted"] * (1 - line["predicted"]) / line["candidates"])
        assert abs(line["played"] - line["predicted"]) < 4 * error
        low, high = line["played_interval"]
        assert low <= line["played"] <= high
    inside = [x["played_interval"][0] <= x["predicted"] <= x["played_interval"][1] for x in checked]
    assert sum(inside) >= len(checked) - 2

    bold = plays(11, games=80, moves=(30, 60), candidates=lambda _: 12, levels=50, sharpness=2)
    assert [play.played for play in bold] == [play.played for play in honest]
    for line in report(measured_of(bold))["calibration"]:
        if line["candidates"] >= 300 and line["low"] >= 0.4:
            assert line["played_interval"][1] < line["predicted"]
    # Gibbs: no model has a better mean log-evidence than the true one
    gain = differences(measured_of(honest), measured_of(bold))["mean_log_evidence_interval"]
    assert gain[1] < 0


@pytest.mark.slow
def test_the_intervals_of_a_report_cover_the_truth() -> None:
    # The move played is the best with a probability that differs from game to game, 0.349 overall
    rng = np.random.default_rng(3)
    games, moves, repeats = 50, 20, 300
    covered = 0
    for seed in range(repeats):
        chance = rng.uniform(0.349 - 0.3, 0.349 + 0.3, (games, 1))
        better = (rng.random((games, moves)) >= chance).astype(np.int32).ravel()
        low, high = report(plain_measured(games, moves, better), resamples=200, seed=seed)[
            "top1_interval"
        ]
        covered += low <= 0.349 <= high
    assert 0.91 <= covered / repeats <= 0.98


def plain_measured(games: int, moves: int, better: Any) -> Measured:
    m = games * moves
    return Measured(
        game=np.repeat(np.arange(games, dtype=np.int32), moves),
        move=np.tile(np.arange(moves, dtype=np.int32), games),
        log_evidence=np.full(m, -1.0),
        better=better,
        equal=np.ones(m, np.int32),
        candidates=np.full(m, 100, np.int32),
        calibration=np.ones((games, BINS, 2), np.int64),
        calibration_sum=np.ones((games, BINS)),
    )


def test_one_game_has_no_intervals() -> None:
    told = report(measured_of(plays(6, games=1, moves=(40, 40))))
    keys = [key for key in told if key.endswith("_interval")]
    assert len(keys) == len(ORACLES)
    assert all(told[key] is None for key in keys)
    assert all(line["played_interval"] is None for line in told["calibration"])
    assert all(stage["top1_interval"] is None for stage in told["stages"])
    json.dumps(told, allow_nan=False)
    both = measured_of(plays(6, games=1))
    assert differences(both, both)["top1_interval"] is None


def test_the_seed_decides(some: list[Play]) -> None:
    measured = measured_of(some)
    assert report(measured, seed=1) == report(measured)
    assert report(measured, seed=2)["top1_interval"] != report(measured)["top1_interval"]
    assert report(measured, seed=2)["top1"] == report(measured)["top1"]


def test_differences_are_paired(some: list[Play]) -> None:
    other = [
        Play(p.game, p.move, tuple(sorted(p.probabilities)), p.played) for p in some
    ]  # another model's probabilities for the same moves
    gained = differences(measured_of(some), measured_of(other), resamples=RESAMPLES, seed=SEED)
    assert list(gained) == ["games", "moves", *(k for n in COMPARED for k in (n, f"{n}_interval"))]
    after = {(p.game, p.move): p for p in other}
    for name in COMPARED:

        def gain(play: Play, name: str = name) -> float:
            return ORACLES[name](after[play.game, play.move]) - ORACLES[name](play)

        assert gained[name] == pytest.approx(mean(some, gain), rel=1e-10, abs=1e-14)
        expected = interval(some, some, gain)
        assert gained[f"{name}_interval"] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    back = differences(measured_of(other), measured_of(some), resamples=RESAMPLES, seed=SEED)
    assert back["top5"] == pytest.approx(-gained["top5"])
    assert back["top5_interval"] == pytest.approx([-x for x in gained["top5_interval"][::-1]])


def test_pairing_makes_the_interval_narrow() -> None:
    honest, bold = (
        measured_of(plays(12, games=40, moves=(20, 30), sharpness=s)) for s in (1, 1.05)
    )
    alone = report(honest)["mean_log_evidence_interval"]
    paired = differences(honest, bold)["mean_log_evidence_interval"]
    assert paired[1] - paired[0] < (alone[1] - alone[0]) / 5


def test_other_moves_are_not_compared(some: list[Play]) -> None:
    measured = measured_of(some)
    with pytest.raises(KatachiError, match="other moves"):
        differences(measured, measured_of(some[:-1]))
    moved = [Play(p.game, p.move + 1, p.probabilities, p.played) for p in some]
    with pytest.raises(KatachiError, match="other moves"):
        differences(measured, measured_of(moved))
    renamed = [Play(p.game + 1, p.move, p.probabilities, p.played) for p in some]
    with pytest.raises(KatachiError, match="other moves"):
        differences(measured, measured_of(renamed))


def test_no_moves_have_no_report() -> None:
    nothing = measured_of([])
    with pytest.raises(KatachiError, match="no move"):
        report(nothing)
    with pytest.raises(KatachiError, match="no move"):
        differences(nothing, nothing)


def test_one_uniform_for_each_set_of_moves(told: dict[str, Any]) -> None:
    other = report(measured_of(plays(7, games=2)), resamples=10)
    assert uniforms({"a": told, "b": told}) == {"uniform": told}
    assert uniforms({"a": told, "b": told, "c": other}) == {
        "uniform (a)": told,
        "uniform (c)": other,
    }
    assert uniforms({}) == {}


@st.composite
def some_measured(draw: st.DrawFn) -> Measured:
    """Any moves of up to five games, with numbers that fit each other."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    m = sum(lengths)

    def column(low: int, high: int) -> Any:
        return np.array(draw(st.lists(st.integers(low, high), min_size=m, max_size=m)), np.int32)

    better, equal, worse = column(0, 120), column(1, 40), column(0, 200)
    logs = draw(st.lists(st.floats(-50, 0), min_size=m, max_size=m))
    in_bin = draw(st.lists(st.integers(0, 9), min_size=BINS, max_size=BINS))
    counts = np.array([in_bin, in_bin], np.int64).T[None].repeat(len(lengths), axis=0)
    return Measured(
        game=np.repeat(np.arange(len(lengths), dtype=np.int32) * 2, lengths),
        move=column(0, 700),
        log_evidence=np.array(logs),
        better=better,
        equal=equal,
        candidates=better + equal + worse,
        calibration=counts,
        calibration_sum=counts[:, :, 0].astype(np.float64),
    )


@given(some_measured())
def test_what_holds_of_every_report(measured: Measured) -> None:
    told = report(measured, resamples=20)
    curve = told["curve"]
    assert all(0 <= share <= 1 for share in curve)
    assert all(a <= b for a, b in pairwise(curve))
    for k in TOPS:
        assert told[f"top{k}"] == curve[k - 1]
    assert sum(stage["moves"] for stage in told["stages"]) == told["moves"] == len(measured)
    assert sum(x["candidates"] for x in told["calibration"]) == measured.calibration[..., 0].sum()
    # 1 + the mean number of ranks at which the move is not yet found, as far as the curve goes
    if int((measured.better + measured.equal).max()) <= CURVE:
        assert told["mean_rank"] == pytest.approx(1 + sum(1 - share for share in curve))
    for name in ORACLES:
        if told[f"{name}_interval"] is not None:
            low, high = told[f"{name}_interval"]
            assert low <= high
    json.dumps(told, allow_nan=False)


@given(some_measured())
def test_a_model_is_no_better_than_itself(measured: Measured) -> None:
    none = differences(measured, measured, resamples=20)
    for name in COMPARED:
        assert none[name] == 0
        assert none[f"{name}_interval"] in (None, [0, 0])
