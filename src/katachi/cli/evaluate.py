"""`katachi evaluate`: how well models predict the moves of games."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import click

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.options import FROM_0, json_option, option, seed_option
from katachi.cli.talk import kernels_ready, print_parts, stages, talk
from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import differences, report
from katachi.evaluation.tables import (
    calibration_table,
    difference_table,
    headline_table,
    stage_table,
)
from katachi.folders import check_folder, make_folder
from katachi.models.model import BUNDLED, Model, load_model
from katachi.papers.plots import plot_ranks, plot_stages
from katachi.progress import stage

SUFFIX = ".katachi"


@click.command("evaluate", short_help="Measure how well models predict the moves of games.")
@game_options
@option("--plots FOLDER", "Write figures 3 and 4 of Coulom's paper for these models here", Path)
@option(
    "--resamples N",
    "How many times games are drawn again for the 95 % intervals",
    click.IntRange(10),
    1000,
)
@seed_option("Seed of the drawing of games", FROM_0)
@json_option("everything")
def command(
    records: WantedGames, plots: Path | None, resamples: int, seed: int, as_json: bool
) -> None:
    """Measure how well models predict the moves of games: the share of moves found at rank 1, 5, 10
    and 20, the mean log-evidence, both by stages of 30 moves, and the calibration. A PATH that ends
    with .katachi is a model; so is `default`, the model that comes with Katachi, which is taken if
    no model is named. All other paths are games.
    """
    models, games = _models([str(path) for path in records.paths])
    if not games:
        raise KatachiError("no games to measure on: name an SGF file, an archive or a folder")
    check_folder(plots, "the plots")
    with kernels_ready(talk(), "evaluate"):
        chosen = some_games(replace(records, paths=tuple(map(Path, games))))
        with stages(talk()) as show:
            found = measure(
                list(models.values()),
                chosen.games,
                jobs=chosen.jobs,
                cache=records.cache,
                progress=stage(show, "measuring (games)"),
            )
    measured = dict(zip(models, found, strict=True))
    reports = {n: report(m, resamples=resamples, seed=seed) for n, m in measured.items()}
    compared = {
        f"{b} - {a}": differences(measured[a], measured[b], resamples=resamples, seed=seed)
        for a, b in pairwise(models)
    }
    if plots is not None:
        make_folder(plots)
        plot_stages(reports, plots / "figure-3-stages.png")
        plot_ranks(reports, plots / "figure-4-ranks.png")
    if as_json:
        first = next(iter(reports.values()))
        common = {key: first[key] for key in ("games", "moves", "uniform_log_evidence")}
        click.echo(
            json.dumps(
                {
                    **common,
                    "models": [{"name": name, **one} for name, one in reports.items()],
                    "differences": [{"name": name, **one} for name, one in compared.items()],
                }
            )
        )
        return
    tables = [headline_table(reports), stage_table(reports), calibration_table(reports)]
    if compared:
        tables.insert(1, difference_table(compared))
    print_parts(tables)


def _models(paths: list[str]) -> tuple[dict[str, Model], list[str]]:
    """(name → model, the paths of games). Models of one name are told apart by their paths."""
    named = [p for p in paths if p.endswith(SUFFIX) or (p == BUNDLED and not Path(p).exists())]
    games = [path for path in paths if path not in named]
    stems = [Path(path).stem for path in named]
    models: dict[str, Model] = {}
    for path, stem in zip(named, stems, strict=True):
        name = stem if stems.count(stem) == 1 else path
        if name in models:
            raise KatachiError(f"{path} is named twice: name each model once")
        models[name] = load_model(path)
    return models or {BUNDLED: load_model()}, games
