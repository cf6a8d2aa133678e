"""`katachi describe`: games become competitions between teams of features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.options import json_option, option, output_option
from katachi.cli.tables import plain_table
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.errors import KatachiError
from katachi.folders import check_file, check_folder, check_ordinary
from katachi.patterns.catalogue import CATALOGUES
from katachi.patterns.competitions import Competitions, describe_corpus
from katachi.patterns.features import WAYS, Features, dictionary_names
from katachi.patterns.shapes.dictionary import load_shapes
from katachi.progress import stage
from katachi.teams.mm_write import WRITING, write_mm


@click.command("describe", short_help="Turn games into competitions between teams of features.")
@game_options
@output_option("Folder for the competitions", required=True)
@option("--features", "The catalogue of families", tuple(CATALOGUES), "coulom")
@option(
    "--dictionary shapes FILE",
    "A dictionary of shapes, from katachi harvest; may be given again",
    Path,
    multiple=True,
)
@option(
    "--shapes all_radii",
    "Take only the largest known shape as a feature, or one shape of each radius",
    tuple(WAYS),
    "largest",
)
@option("--owner", "Also run 63 random games from every position", bool)
@option("--mm FILE", "Write them into this file, too, as input of Coulom's program mm", Path)
@json_option("the summary")
def command(
    records: WantedGames,
    output: Path,
    features: str,
    shapes: tuple[Path, ...],
    all_radii: str,
    owner: bool,
    mm: Path | None,
    as_json: bool,
) -> None:
    """Turn games into competitions: for each move played, every legal move as a team of features,
    and which of them won. They are columns of numbers in a folder, one to a family.
    """
    catalogue = CATALOGUES[features]
    if shapes and not catalogue.harvests:
        raise KatachiError(f"the features {features} have no use for a dictionary of shapes")
    check_folder(output, "the competitions")
    if mm is not None:
        check_file(mm, "mm's input")
        check_ordinary(mm)
    found = [load_shapes(path) for path in shapes]
    dictionaries = dict(zip(dictionary_names(found, catalogue), found, strict=True))
    wanted = Features(catalogue, dictionaries, WAYS[all_radii], owner)
    with kernels_ready(talk(), f"describe-{features}"):
        chosen = some_games(records)
        with stages(talk()) as show:
            competitions = describe_corpus(
                chosen.games,
                wanted,
                output,
                jobs=chosen.jobs,
                progress=stage(show, "describing (50 games each)"),
            )
            if mm is not None:
                write_mm(competitions, mm, stage(show, WRITING))
    summary = _summary(competitions)
    if as_json:
        click.echo(json.dumps(summary, indent=1))
    else:
        _show(screen(), summary)


def _summary(competitions: Competitions) -> dict[str, Any]:
    """How many competitions and candidates, and how often each family is present and wins."""
    present = dict.fromkeys(competitions.families, 0)
    won = dict.fromkeys(competitions.families, 0)
    for shard in competitions.shards:
        winners = shard["starts"][:-1] + shard["winner"]
        for name in competitions.families:
            present[name] += int(np.count_nonzero(shard[name]))
            won[name] += int(np.count_nonzero(shard[name][winners]))
    return {
        "catalogue": competitions.manifest["catalogue"],
        "games": competitions.manifest["games"],
        "competitions": competitions.count,
        "candidates": competitions.candidates,
        "uniform_log_evidence": competitions.uniform_log_evidence(),
        "families": {
            family["name"]: {
                "levels": family["levels"],
                "candidates": present[family["name"]],
                "winners": won[family["name"]],
            }
            for family in competitions.manifest["families"]
        },
    }


def _show(out: Console, summary: dict[str, Any]) -> None:
    moves, candidates = summary["competitions"], summary["candidates"]
    out.print(
        f"{moves:,} competitions of {summary['games']:,} games, {candidates:,} candidates "
        f"({candidates / moves:.1f} each)"
    )
    out.print(f"uniform log-evidence {summary['uniform_log_evidence']:.3f}\n")
    rows = [
        (
            name,
            f"{row['levels']:,}",
            f"{row['candidates'] / candidates:.2%}",
            f"{row['winners'] / moves:.2%}",
        )
        for name, row in summary["families"].items()
    ]
    out.print(plain_table(("family", "levels", "of candidates", "of winners"), rows))
