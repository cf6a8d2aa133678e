"""`katachi style`: what sets a player's moves apart, and one feature through groups."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from katachi.cli.corpora import Chosen, WantedGames, game_options, some_games
from katachi.cli.options import FROM_0, FROM_1, json_option, option, seed_option
from katachi.cli.style_show import group_table, plot_groups, show_style
from katachi.cli.tables import csv_text
from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.errors import KatachiError
from katachi.folders import check_file
from katachi.models.model import BUNDLED, load_model
from katachi.patterns.competitions import span_of
from katachi.progress import Progress
from katachi.records.corpus import Corpus
from katachi.records.read import read_games
from katachi.styles.differences import Difference
from katachi.styles.gather import PHASES
from katachi.styles.groups import MOST, GroupRow, compare
from katachi.styles.others import learnt_from
from katachi.styles.page import write_page
from katachi.styles.pictures import drawn_shape
from katachi.styles.players import BY, chosen_player, grouped, names_of
from katachi.styles.readable import feature_named
from katachi.styles.shapes import MOST as MOST_SHAPES
from katachi.styles.style import How, Style, base_of, style_in

OTHERS: Final = "others"
EACH: Final = "each"
MOST_MOVES: Final = 40_000  # of a player: more would take minutes, and errors are small by then


@click.command(
    "style", short_help="What one player plays more often, or less often, than a model expects."
)
@game_options
@option("--player NAME", "Whose style (default the most frequent name)")
@option(
    "--against WHAT",
    "What to compare with: default, a model, others (the games without the player), or games to "
    "learn a model from",
    default=BUNDLED,
)
@option("--phase", "Look at these moves only, or at each phase by itself", (*PHASES, EACH))
@option("--by", "Follow one feature through groups of games, or of players", BY)
@option("--feature NAME", "Of --by: a family (line, high …), or a word (hane …) (default high)")
@option("--shape PICTURE", "Of --by: a shape instead, rows apart by /, as in ./.X./.X*../.../.")
@option("--moves A-B", "Of --by: look at the moves A to B only")
@option(
    "--most N",
    f"Look at N moves at the most, chosen at random (default {MOST_MOVES:,}; of --by {MOST:,} of "
    "each group)",
    FROM_1,
)
@option(
    "--shapes N",
    "Rate shapes of stones at N of these moves at the most; 0: rate none",
    FROM_0,
    MOST_SHAPES,
)
@option("--top N", "How many habits, and how many things avoided, to show", FROM_1, 12)
@option("--html FILE", "Write the report as a page that needs nothing else", Path)
@option("--plot FILE", "Of --by: draw the groups, as .png or .svg", Path)
@option("--csv as_csv", "Print every difference as CSV", bool)
@seed_option("Seed of what is chosen at random", FROM_0)
@json_option("every difference")
def command(
    records: WantedGames,
    player: str | None,
    against: str,
    phase: str | None,
    by: str | None,
    most: int | None,
    shapes: int,
    top: int,
    html: Path | None,
    plot: Path | None,
    as_csv: bool,
    seed: int,
    as_json: bool,
    **more: str | None,
) -> None:
    """Compare the moves of a player with what a model expects in the same positions: which features
    he plays more readily, and which he avoids, in Elo with 95 % intervals, most telling first. With
    --by, compare groups of games, or of players, by one feature.
    """
    _check(
        by, {"--player": player, "--phase": phase, "--html": html}, {"--plot": plot, **_flags(more)}
    )
    for path, what in ((html, "the report"), (plot, "the picture")):
        if path is not None:
            check_file(path, what)
    with kernels_ready(talk(), "style"):
        chosen = some_games(records)
        with stages(talk()) as show:
            if by is not None:
                rows = _groups(chosen, by, against, most, seed, show, **more)
            else:
                styles = _styles(chosen, player, against, phase, most, shapes, seed, show)
    if by is not None:
        if plot is not None:
            plot_groups(rows, plot)
        _print_rows(GroupRow._fields, rows, as_csv, as_json, lambda: group_table(rows))
        return
    if html is not None:
        write_page(styles, html, top)
    if as_json:
        told = [one.as_json() for one in styles]
        click.echo(json.dumps(told[0] if phase != EACH else told))
    elif as_csv:
        fields = ("phase", *Difference._fields[:-1])
        lines = ((one.phase, *_flat(d)) for one in styles for d in (*one.differences, *one.shapes))
        click.echo(csv_text(fields, lines), nl=False)
    else:
        show_style(results(), styles, top)


def _flat(one: Difference) -> tuple[Any, ...]:
    """A difference without its examples, its picture in a line."""
    return one._replace(picture=one.picture.replace("\n", "/"))[:-1]


def _flags(more: dict[str, Any]) -> dict[str, Any]:
    return {f"--{name}": value for name, value in more.items()}


def _check(by: str | None, of_player: dict[str, Any], of_groups: dict[str, Any]) -> None:
    for name, value in (of_groups if by is None else of_player).items():
        if value is not None:
            raise click.UsageError(f"{name} is {'for' if by is None else 'not for'} --by")


def _print_rows(
    fields: tuple[str, ...], rows: list[Any], as_csv: bool, as_json: bool, table: Callable[[], Any]
) -> None:
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows]))
    elif as_csv:
        click.echo(csv_text(fields, rows), nl=False)
    else:
        results().print(table())


def _styles(
    chosen: Chosen,
    player: str | None,
    against: str,
    phase: str | None,
    most: int | None,
    shapes: int,
    seed: int,
    show: Progress,
) -> list[Style]:
    names = names_of(chosen.games)
    name = chosen_player(names, player)
    base, told = base_of(
        _against(against, chosen.jobs, show),
        chosen.games,
        names,
        name,
        seed=seed,
        jobs=chosen.jobs,
        progress=show,
    )
    how = How(most=most or MOST_MOVES, shapes=shapes, seed=seed, jobs=chosen.jobs, progress=show)
    return [
        style_in(chosen.games, name, base, told, how._replace(phase=part))
        for part in (PHASES if phase == EACH else (phase or "",))
    ]


def _against(against: str, jobs: int, show: Progress) -> str | Corpus:
    """What it is compared with: games are read."""
    if against in (OTHERS, BUNDLED) or against.endswith(".katachi"):
        return against
    return read_games([against], jobs=jobs, progress=show)


def _groups(
    chosen: Chosen,
    by: str,
    against: str,
    most: int | None,
    seed: int,
    show: Progress,
    feature: str | None = None,
    shape: str | None = None,
    moves: str | None = None,
) -> list[GroupRow]:
    if feature is not None and shape is not None:
        raise KatachiError("one feature goes through the groups: give --feature, or --shape")
    family = feature_named(feature or "high") if shape is None else drawn_shape(shape)
    first, last = _moves(moves)
    if against == OTHERS:
        raise KatachiError("groups are compared with one base: give --against a model, or games")
    groups = grouped(chosen.games, by)
    found = _against(against, chosen.jobs, show)
    base = (
        load_model(found)
        if isinstance(found, str)
        else learnt_from(found, seed=seed, jobs=chosen.jobs, progress=show)
    )
    return compare(
        chosen.games,
        groups,
        base,
        family,
        first=first,
        last=last,
        most=most or MOST,
        seed=seed,
        jobs=chosen.jobs,
        progress=show,
    )


def _moves(text: str | None) -> tuple[int, int]:
    """(the first move, from 0; the one after the last)."""
    if text is None:
        return 0, 10**6
    return span_of(text)
