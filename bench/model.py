"""What a model costs in the tree: the time of its opinion about one position, in microseconds.

`python -m bench.model FILE…` measures several models by turns, so that a machine which slows down
slows all. The positions are those of a bundled game, one after the other, as a search meets them.
Processor time counts, and the median of the runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

from bench import Report
from katachi.go.points import AREA
from katachi.go.position import Position
from katachi.models.model import Model, load_model
from katachi.models.predictor import Predictor
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from katachi.search.mind import can_weigh, new_mind
from katachi.search.prior import weigh

SIZES = (9, 19)


def positions(games: Corpus, size: int) -> list[Position]:
    """Those before each move of the longest game of this size."""
    longest = max((game for game in games if game.size == size), key=lambda game: len(game.moves))
    return [longest.position(move) for move in range(len(longest.moves))]


def seconds(model: Model, size: int, seen: list[Position]) -> float:
    """Processor seconds for one position, of all of them in their order."""
    mind, out = new_mind(model, size), np.zeros(AREA)
    weigh(mind, seen[0].board, out)
    start = time.process_time()
    for position in seen:
        weigh(mind, position.board, out)
    return (time.process_time() - start) / len(seen)


def measured(models: Mapping[str, Model], repeats: int) -> dict[str, dict[int, float]]:
    """Model → board size → the median of its seconds. Models that the kernel cannot ask are left
    out.
    """
    games = bundled_games()
    able = {name: model for name, model in models.items() if can_weigh(model)}
    found: dict[str, dict[int, float]] = {name: {} for name in able}
    for size in SIZES:
        seen = positions(games, size)
        runs: dict[str, list[float]] = {name: [] for name in able}
        for _ in range(repeats):
            for name, model in able.items():
                runs[name].append(seconds(model, size, seen))
        for name, times in runs.items():
            found[name][size] = median(times)
    return found


def gammas_alone(model: Model) -> Model:
    """The same ratings as a plain product."""
    return replace(model, predictor=Predictor(model.predictor.ratings))


def view(found: Mapping[str, Mapping[int, float]]) -> Table:
    """Microseconds, and how many times those of the first model they are."""
    table = Table(title="The model in the tree: µs a position", title_justify="left")
    table.add_column("model")
    first = next(iter(found.values()))
    for size in SIZES:
        table.add_column(f"{size}x{size}", justify="right")
        table.add_column("ratio", justify="right")
    for name, times in found.items():
        cells = [(f"{times[s] * 1e6:.0f}", f"{times[s] / first[s]:.2f}") for s in SIZES]
        table.add_row(name, *(cell for pair in cells for cell in pair))
    return table


def benchmark(quick: bool) -> Report:
    """The model that comes with Katachi, beside its gammas alone: some seconds."""
    model = load_model()
    found = measured({"gammas alone": gammas_alone(model), "default": model}, 5 if quick else 21)
    return Report({"seconds": found}, view(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.model", description=__doc__)
    parser.add_argument("models", nargs="+", metavar="FILE", help="models that the search can ask")
    paths = parser.parse_args().models
    Console().print(view(measured({path: load_model(path) for path in paths}, 21)))
