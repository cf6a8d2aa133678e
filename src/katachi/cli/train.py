"""`katachi train`: from games to a model."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource
from rich.console import Console

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.errors import KatachiError
from katachi.folders import alone_in, check_ordinary, discard
from katachi.learning.bradley_terry.fit import METHODS as FITS
from katachi.learning.bradley_terry.fit import TOLERANCE
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.entropy import MOST
from katachi.learning.maxent.fit import TOLERANCE as ENTROPY_TOLERANCE
from katachi.learning.maxent.fit import WIDTH
from katachi.learning.maxent.owlqn import LATELY
from katachi.learning.rank import ALONE_BETA, BETA, CONTEXT_BETA
from katachi.learning.settings import (
    FIXED_MB,
    MANY_POSITIONS,
    MEMORY,
    Settings,
    continued_settings,
    positions_wanted,
)
from katachi.learning.train import open_work, train
from katachi.models.model import (
    BRADLEY_TERRY,
    FREQUENCY,
    MAXENT,
    METHODS,
    RANKING,
    Model,
    load_model,
)
from katachi.patterns.catalogue import CATALOGUES
from katachi.patterns.features import WAYS


@click.command("train", short_help="Learn a model from games: harvest, describe, fit.")
@game_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where the model goes: my.katachi.",
)
@click.option(
    "--method",
    "learner",
    type=click.Choice(METHODS),
    default=BRADLEY_TERRY,
    show_default=True,
    help="Elo ratings of features; Bayesian ranking, move by move; how often each pattern is "
    "played where it can be; or that, with the best ranked anew by maximum entropy.",
)
@click.option(
    "--features",
    type=click.Choice(list(CATALOGUES)),
    help="The catalogue of families; coulom, of ranking and frequency stern, of maxent araki.",
)
@click.option(
    "--continue",
    "continued",
    type=click.Path(path_type=Path),
    metavar="MODEL",
    help="Go on learning where this model has stopped, from new games; by ranking or frequency.",
)
@click.option(
    "--beta",
    type=float,
    metavar="DEVIATION",
    help="Ranking: how much the score of a move varies around its team's; "
    f"{BETA:g}, of features context {CONTEXT_BETA:g}, of the largest patterns alone "
    f"{ALONE_BETA:g}.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(FIXED_MB + 200),
    default=MEMORY,
    show_default=True,
    metavar="MB",
    help="Features stern, context and araki: the rarest patterns are dropped so that the rest can "
    "be learnt in it.",
)
@click.option(
    "--width",
    type=float,
    default=WIDTH,
    show_default=True,
    metavar="W",
    help="Maxent: how far a feature's frequency may be from the model's, in samples.",
)
@click.option(
    "--rerank",
    type=click.IntRange(0),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Maxent: how many of the most frequent moves are ranked anew; 0: all legal moves.",
)
@click.option(
    "--shapes",
    type=click.Choice(list(WAYS)),
    help="Only the largest known shape is a feature, or one of each radius; coulom: largest, "
    "extended: all-radii.",
)
@click.option(
    "--min-count",
    type=click.IntRange(1),
    metavar="N",
    help="Appearances that a shape needs around moves played; 5.",
)
@click.option(
    "--min-candidates",
    type=click.IntRange(1),
    metavar="N",
    help="Appearances that a shape needs around any legal point; 625, the paper's.",
)
@click.option("--owner/--no-owner", help="Run 63 random games from every position, too.")
@click.option(
    "--positions-per-game",
    type=click.IntRange(0),
    metavar="N",
    help=f"Fit on N positions of each game, 0 for all; all up to {MANY_POSITIONS:,} in all, else "
    "about that many.",
)
@click.option(
    "--field",
    type=click.IntRange(4),
    metavar="N",
    help="Keep N legal moves of each position that stand for all; all of them.",
)
@click.option(
    "--prior",
    type=float,
    default=1.0,
    show_default=True,
    metavar="GAMES",
    help="Virtual wins, and as many losses, of each feature against a gamma of 1.",
)
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="A*B",
    help="Rate the frequent combinations of two families apart, too; may be given again.",
)
@click.option(
    "--pair-count",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    metavar="N",
    help="Legal moves that must show a combination.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="Leave out a family or a dictionary of shapes; may be given again.",
)
@click.option(
    "--fit",
    "method",
    type=click.Choice(FITS),
    default="fast",
    show_default=True,
    help="Plain minorization-maximization, or that with faster steps to the same maximum.",
)
@click.option(
    "--tolerance",
    type=float,
    metavar="SHARE",
    help=f"Stop when an iteration gains less than this share of the log-posterior; {TOLERANCE:g}. "
    f"Maxent: when {LATELY} iterations gain less than this share of the loss; "
    f"{ENTROPY_TOLERANCE:g}.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Chooses the positions; maxent: shuffles the games.",
)
@click.option("--any-size", is_flag=True, help="Learn from boards of several sizes together.")
@click.option(
    "--playout",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Put the gammas of this model, of --features playout, into the new one, for gtp.",
)
@click.option(
    "--work",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where unfinished work is kept; FILE.work, removed at the end.",
)
@click.option("--keep-work", is_flag=True, help="Keep that folder at the end.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print what the model says of itself as JSON."
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    records: WantedGames,
    output: Path,
    learner: str,
    continued: Path | None,
    features: str | None,
    shapes: str | None,
    prior: float,
    playout: Path | None,
    work: Path | None,
    keep_work: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Learn from games what strong players play: find the shapes that appear often, describe every
    legal move of every position as a team of features, and rate the features so that the moves
    played were the likeliest. A run that was interrupted goes on where it stopped.
    """
    _check_options(ctx, learner)
    if output.is_dir():
        raise KatachiError(f"{output} is a folder: name a file for the model")
    if not output.parent.is_dir():
        raise KatachiError(f"the folder {output.parent} does not exist: make it, or name another")
    check_ordinary(output)
    light = None if playout is None else load_model(playout)
    if light is not None and light.features.catalogue.name != "playout":
        raise KatachiError(f"{playout} was not trained with --features playout")
    wanted = Settings(
        catalogue=CATALOGUES[features or _USUAL[learner]],
        all_radii=None if shapes is None else WAYS[shapes],
        prior=Prior(prior, prior),
        learner=learner,
        **settings,
    )
    start = None
    if continued is not None:
        start = load_model(continued)
        wanted = continued_settings(start, wanted)
        light = light or start.playout
    console = talk()
    folder = work or output.with_name(output.name + ".work")
    ready = kernels_ready(console, f"train-{learner}-{wanted.catalogue.name}")
    with ExitStack() as held, ready:
        chosen = some_games(records)
        open_work(chosen.games, wanted, folder, start)
        held.enter_context(alone_in(folder, "another training is at work"))
        sampled = positions_wanted(chosen.games, wanted)
        if sampled is not None and learner == BRADLEY_TERRY:
            console.print(f"fitting on {sampled} positions of each game (--positions-per-game)")
        with stages(console) as show:
            model = train(
                chosen.games,
                wanted,
                folder,
                names=tuple(path.name for path in records.paths),
                start=start,
                jobs=chosen.jobs,
                progress=show,
            )
        model = replace(model, playout=light)
        model.save(output)
        if not keep_work:
            discard(folder)
    if as_json:
        click.echo(json.dumps({"model": str(output), **model.about}, indent=1))
    else:
        _show(screen(), model, output)
    if not model.about.get("converged", True):
        console.print(f"not converged after {model.about['iterations']} iterations")


def _show(out: Console, model: Model, output: Path) -> None:
    about = model.about
    size = output.stat().st_size
    shapes = {name: len(found) for name, found in model.features.dictionaries.items()}
    out.print(
        f"{about['games']:,} games, {about['competitions']:,} competitions of "
        f"{about['candidates']:,} candidates"
    )
    if shapes:
        out.print("shapes: " + ", ".join(f"{n:,} {name}" for name, n in shapes.items()))
    if model.method != BRADLEY_TERRY:
        _show_patterns(out, model)
    else:
        out.print(
            f"{about['gammas']:,} gammas in {about['iterations']} iterations, "
            f"log-evidence {about['log_likelihood'] / about['competitions']:.3f} on these "
            "positions"
        )
    seconds = ", ".join(f"{stage} {value:.0f} s" for stage, value in about["seconds"].items())
    out.print(f"{seconds}; wrote {output} ({size / 1e6:.1f} MB)", soft_wrap=True)


def _show_patterns(out: Console, model: Model) -> None:
    about = model.about
    for shapes in model.features.dictionaries.values():
        if shapes.rule == "played":
            counts = enumerate(shapes.per_template().values(), 1)
            sizes = ", ".join(f"T{i} {n:,}" for i, n in counts)
            out.print(f"{sizes}; each played {shapes.min_count} times or more", soft_wrap=True)
    if model.method == RANKING:
        evidence = about["log_evidence_while_learning"]
        out.print(f"beta {model.beta:g}; log-evidence while learning {evidence:.3f}")
    if model.method == MAXENT:
        out.print(
            f"width {about['width']:g}; {about['weights']:,} weights, and "
            f"{about['weights_of_positions']:,} of positions, of {about['features']:,} features, "
            f"in {about['iterations']} iterations",
            soft_wrap=True,
        )
        if model.rerank is not None:
            out.print(
                f"{model.rerank.below:.1%} of the moves played were not among the first "
                f"{model.rerank.most}"
            )


# The methods that an option is for; the others have no use for it
_ONLY_FOR: Final = {
    **dict.fromkeys(
        ("prior", "positions_per_game", "field", "pairs", "pair_count", "method"), (BRADLEY_TERRY,)
    ),
    **dict.fromkeys(("tolerance", "seed"), (BRADLEY_TERRY, MAXENT)),
    "beta": (RANKING,),
    "continued": (RANKING, FREQUENCY),
    **dict.fromkeys(("width", "rerank"), (MAXENT,)),
    "owner": (BRADLEY_TERRY, RANKING, FREQUENCY),
}
_USUAL: Final = {BRADLEY_TERRY: "coulom", RANKING: "stern", FREQUENCY: "stern", MAXENT: "araki"}


def _check_options(ctx: click.Context, learner: str) -> None:
    """Raises UsageError for an option that the method has no use for."""
    made_of = {"features", "shapes", "beta", "owner", "without"}
    goes_on = ctx.get_parameter_source("continued") is not ParameterSource.DEFAULT
    for parameter in ctx.command.params:
        name = str(parameter.name)
        if ctx.get_parameter_source(name) is ParameterSource.DEFAULT:
            continue
        learners = _ONLY_FOR.get(name, METHODS)
        if learner not in learners:
            whose = " or ".join(learners)
            raise click.UsageError(f"{parameter.opts[0]} is for --method {whose}", ctx)
        if name in made_of and goes_on:
            raise click.UsageError(
                f"{parameter.opts[0]} stays as it is in the model that goes on: leave it out", ctx
            )
