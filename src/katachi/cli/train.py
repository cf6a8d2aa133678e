"""`katachi train`: from games to a model. Its options are those of the learners that are known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource
from rich.console import Console

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.options import json_option, option
from katachi.cli.tables import costs
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.errors import KatachiError
from katachi.folders import alone_in, check_file, check_ordinary, discard
from katachi.learning.base import (
    LEARNERS,
    Learner,
    Option,
    Settings,
    continued_settings,
    learner_named,
)
from katachi.learning.train import open_work, train
from katachi.models.model import Model, load_model


class _Told(NamedTuple):
    """An option of learners: the field it is told in, and of which learners with what words."""

    field: str
    option: Option  # of the first of them: they differ in words alone
    words: dict[str, str]  # learner → what the option does, with its default


def _learners() -> list[Learner]:
    return [learner_named(name) for name in LEARNERS]


def _told() -> Iterator[_Told]:
    """All options of all learners, the shared ones first."""
    learners = _learners()
    for field in fields(Settings):
        if "option" in field.metadata:
            whose = [one for one in learners if field.name not in one.unused]
            usual = _usual_features(learners) if field.name == "catalogue" else ""
            words = _words(field, usual)
            yield _Told(field.name, field.metadata["option"], {one.name: words for one in whose})
    found: dict[str, _Told] = {}
    for learner in learners:
        for field in fields(learner.options):
            if "option" in field.metadata:
                told = _Told(field.name, field.metadata["option"], {})
                found.setdefault(field.name, told).words[learner.name] = _words(field)
    yield from found.values()


def _usual_features(learners: list[Learner]) -> str:
    """Which catalogue each learner takes, in words."""
    by_catalogue: dict[str, list[str]] = {}
    for learner in learners:
        by_catalogue.setdefault(learner.catalogue.name, []).append(learner.name)
    return ", ".join(f"{name} for {_listed(who)}" for name, who in by_catalogue.items())


def _listed(names: list[str]) -> str:
    """Names as people list them."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _words(field: Field[Any], usual: str = "") -> str:
    found: Option = field.metadata["option"]
    usual = usual or found.usual
    if not usual and field.default not in (None, (), False):
        usual = f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
    return f"{found.words} (default {usual})" if usual else found.words


def _click_option(told: _Told) -> click.Parameter:
    """The option as click has it. What is not given is left to the settings' own defaults."""
    by_words: dict[str, list[str]] = {}
    for learner, words in told.words.items():
        by_words.setdefault(words, []).append(learner)
    texts = []
    for words, learners in by_words.items():
        some = len(learners) < len(LEARNERS)
        begin = f"For {_listed(learners)}: {words[0].lower()}" if some else words[0]
        texts.append(f"{begin}{words[1:]}")
    kind = told.option.kind
    if isinstance(kind, dict):
        kind = tuple(kind)
    if told.option.least is not None:
        kind = click.IntRange(told.option.least)
    more = {"multiple": True} if told.option.many else {}
    flags, _, value = told.option.spec.partition(" ")
    return _parameter(option(f"{flags} {told.field} {value}", ". ".join(texts), kind, **more))


def _parameter(add: Callable[[click.Command], click.Command]) -> click.Parameter:
    """What a decorator adds to a command."""
    (parameter,) = add(click.Command("holder", callback=lambda: None)).params
    return parameter


class _Train(click.Command):
    """The verb, with the options of the learners that are registered when it runs."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        place = 1 + [parameter.name for parameter in own].index("output")
        method = option(
            "--method learner",
            "How to learn. " + "; ".join(f"{one.name}: {one.words}" for one in _learners()),
            tuple(LEARNERS),
            next(iter(LEARNERS)),
        )
        learners = [_parameter(method), *map(_click_option, _told())]
        return [*own[:place], *learners, *own[place:]]


@click.command("train", cls=_Train, short_help="Learn a model from games: harvest, describe, fit.")
@game_options
@option("-o --output FILE", "The file for the model, as my.katachi", Path, required=True)
@option(
    "--continue continued MODEL", "Go on learning from new games where this model has stopped", Path
)
@option(
    "--playout FILE",
    "Put the gammas of this model, trained with --features playout, into the new one, for gtp",
    Path,
)
@option(
    "--work FOLDER",
    "Where unfinished work is kept; it is removed at the end (default FILE.work)",
    Path,
)
@option("--keep-work", "Do not remove that folder at the end", bool)
@json_option("what the model says of itself")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    records: WantedGames,
    output: Path,
    learner: str,
    continued: Path | None,
    playout: Path | None,
    work: Path | None,
    keep_work: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Learn from games what strong players play: find the shapes that appear often, describe every
    legal move of every position as a team of features, and rate the features so that the moves
    played were the likeliest. A run that was interrupted goes on where it stopped.
    """
    wanted = _settings(ctx, learner, options)
    check_file(output, "the model")
    check_ordinary(output)
    light = None if playout is None else load_model(playout)
    if light is not None and light.features.catalogue.name != "playout":
        raise KatachiError(f"{playout} was not trained with --features playout")
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
        notice = learner_named(learner).notice(chosen.games, wanted)
        if notice:
            console.print(notice)
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
    for line in learner_named(model.predictor.learner).summary(model):
        out.print(line, soft_wrap=True)
    out.print(f"{costs(about['seconds'])}; wrote {output} ({size / 1e6:.1f} MB)", soft_wrap=True)


def _settings(ctx: click.Context, learner: str, options: dict[str, Any]) -> Settings:
    """The settings of the options that were given. Raises UsageError for one that the method has no
    use for, or that a model which goes on has decided already.
    """
    goes_on = _is_given(ctx, "continued")
    if goes_on and learner_named(learner).goes_on is None:
        able = [one.name for one in _learners() if one.goes_on is not None]
        raise click.UsageError(f"--continue is for --method {' or '.join(able)}", ctx)
    shared = {field.name for field in fields(Settings)}
    given: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for told in _told():
        name, flag = told.field, told.option.spec.partition(" ")[0].partition("/")[0]
        if not _is_given(ctx, name):
            continue
        if learner not in told.words:
            raise click.UsageError(f"{flag} is for --method {' or '.join(told.words)}", ctx)
        if told.option.stays and goes_on:
            raise click.UsageError(
                f"{flag} stays as it is in the model that goes on: leave it out", ctx
            )
        value = options[name] if told.option.value is None else told.option.value(options[name])
        (given if name in shared else own)[name] = value
    return Settings(learner, learner_named(learner).options(**own), **given)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
