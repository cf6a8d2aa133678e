"""How good the predictions were: prediction rate, mean log-evidence, by stage, calibration."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.evaluation.measured import BINS, CALIBRATION_EDGES, Measured
from katachi.evaluation.resampling import ratio_intervals

TOPS: Final = (1, 5, 10, 20)
CURVE: Final = 100  # ranks in the cumulative distribution
STAGE_MOVES: Final = 30  # Coulom 2007, Figure 3: each point is an average over 30 moves
STAGES: Final = 12  # the last one is open: move 331 and beyond
COMPARED: Final = (*(f"top{k}" for k in TOPS), "mean_log_evidence")

_Floats = npt.NDArray[np.float64]
_Intervals = dict[Any, list[float] | None]  # by name, by (name, stage), by bin


def found(measured: Measured, k: int) -> _Floats:
    """[m] the probability that the move played is within the k best, ties broken at random."""
    return np.clip((k - measured.better) / measured.equal, 0, 1)


def expected_rank(measured: Measured) -> _Floats:
    """[m] the mean rank of the move played when ties are broken at random; the best is 1."""
    return measured.better + (measured.equal + 1) / 2


def report(measured: Measured, *, resamples: int = 1000, seed: int = 1) -> dict[str, Any]:
    """Every number about one model, as JSON takes it.

    Headline numbers are means over all moves: `top1` … `top20` the share of moves found within the
    k best, `mean_log_evidence`, `mean_rank`, and the same of uniform probability as `uniform_…`.
    `curve` is the cumulative distribution: the share found within the n best, n = 1 … 100.
    `stages` are intervals of 30 moves, the `last` of the open one None; `calibration` compares
    the mean predicted probability with the share played. Empty stages and bins are left out.

    `…_interval` is [low, high], 95 % by resampling games, None where fewer than two games have
    anything to say. Raises KatachiError if no move was measured.
    """
    if not len(measured):
        raise KatachiError("no move was measured: these games have no moves, or none was chosen")
    games, row = len(measured.calibration), measured.row
    numbers = _numbers(measured)
    stage = np.minimum(measured.move // STAGE_MOVES, STAGES - 1)

    def per_game(values: Any) -> _Floats:  # [g, 1]
        return np.bincount(row, values, games)[:, None].astype(np.float64)

    def per_stage(values: Any) -> _Floats:  # [g, STAGES]
        sums = np.bincount(row * STAGES + stage, values, games * STAGES)
        return sums.reshape(games, STAGES).astype(np.float64)

    moves, stage_moves = per_game(None), per_stage(None)
    in_bin, played = np.moveaxis(measured.calibration.astype(np.float64), 2, 0)
    staged = {n: per_stage(numbers[n]) for n in ("mean_log_evidence", "top1")}
    # One resampling of games for all intervals: columns are numbers, then stages, then bins.
    sums = [*map(per_game, numbers.values()), *staged.values(), played]
    weights = [*[moves] * len(numbers), *[stage_moves] * len(staged), in_bin]
    keys = [*numbers, *((n, s) for n in staged for s in range(STAGES)), *range(BINS)]
    ends = ratio_intervals(np.hstack(sums), np.hstack(weights), resamples=resamples, seed=seed)
    intervals: _Intervals = dict(zip(keys, ends, strict=True))
    result: dict[str, Any] = {"games": games, "moves": len(measured)}
    for name, values in numbers.items():
        result |= {name: float(values.mean()), f"{name}_interval": intervals[name]}
    result["curve"] = [float(found(measured, n).mean()) for n in range(1, CURVE + 1)]
    uniform = per_stage(numbers["uniform_log_evidence"])
    result["stages"] = _stages(stage_moves, staged, uniform, intervals)
    result["calibration"] = _calibration(in_bin, played, measured.calibration_sum, intervals)
    return result


def differences(
    a: Measured, b: Measured, *, resamples: int = 1000, seed: int = 1
) -> dict[str, Any]:
    """Paired differences b - a on the same moves: `top1` … `top20` and `mean_log_evidence`.

    Intervals as in `report`. Raises KatachiError if the two were measured on other moves.
    """
    if not (np.array_equal(a.game, b.game) and np.array_equal(a.move, b.move)):
        raise KatachiError("the two models were measured on other moves: measure both on one set")
    if not len(a):
        raise KatachiError("no move was measured: these games have no moves, or none was chosen")
    games = len(a.calibration)
    ones, twos = _numbers(a), _numbers(b)
    gained = {name: twos[name] - ones[name] for name in COMPARED}
    columns = [np.bincount(a.row, values, games) for values in gained.values()]
    sums = np.stack(columns, axis=1).astype(np.float64)
    weights = np.empty_like(sums)
    weights[:] = np.bincount(a.row, minlength=games)[:, None]
    intervals = ratio_intervals(sums, weights, resamples=resamples, seed=seed)
    result: dict[str, Any] = {"games": games, "moves": len(a)}
    for (name, values), interval in zip(gained.items(), intervals, strict=True):
        result |= {name: float(values.mean()), f"{name}_interval": interval}
    return result


def uniforms(reports: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """For each set of moves that the reports are about: what to call its uniform → a report on it.

    One set, as usual: `uniform` → the first report.
    """
    sets: dict[tuple[Any, ...], str] = {}
    for name, one in reports.items():
        sets.setdefault(tuple(one[k] for k in ("games", "moves", "uniform_log_evidence")), name)
    several = len(sets) > 1
    return {f"uniform ({n})" if several else "uniform": reports[n] for n in sets.values()}


def _numbers(measured: Measured) -> dict[str, _Floats]:
    """Name → [m]: the headline numbers are their means."""
    legal = measured.candidates.astype(np.float64)
    return {
        **{f"top{k}": found(measured, k) for k in TOPS},
        "mean_log_evidence": measured.log_evidence,
        "mean_rank": expected_rank(measured),
        **{f"uniform_top{k}": np.minimum(k / legal, 1) for k in TOPS},
        "uniform_log_evidence": -np.log(legal),
        "uniform_mean_rank": (legal + 1) / 2,
    }


def _stages(
    moves: _Floats, staged: dict[str, _Floats], uniform: _Floats, intervals: _Intervals
) -> list[dict[str, Any]]:
    stages = []
    for s in np.flatnonzero(moves.sum(axis=0)).tolist():
        first, count = s * STAGE_MOVES + 1, moves[:, s].sum()
        entry: dict[str, Any] = {
            "first": first,
            "last": first + STAGE_MOVES - 1 if s < STAGES - 1 else None,
            "moves": int(count),
            "uniform_log_evidence": float(uniform[:, s].sum() / count),
        }
        for name, sums in staged.items():
            mean = float(sums[:, s].sum() / count)
            entry |= {name: mean, f"{name}_interval": intervals[name, s]}
        stages.append(entry)
    return stages


def _calibration(
    in_bin: _Floats, played: _Floats, predicted: _Floats, intervals: _Intervals
) -> list[dict[str, Any]]:
    return [
        {
            "low": float(CALIBRATION_EDGES[i]),
            "high": float(CALIBRATION_EDGES[i + 1]),
            "candidates": int(in_bin[:, i].sum()),
            "predicted": float(predicted[:, i].sum() / in_bin[:, i].sum()),
            "played": float(played[:, i].sum() / in_bin[:, i].sum()),
            "played_interval": intervals[i],
        }
        for i in np.flatnonzero(in_bin.sum(axis=0)).tolist()
    ]
