"""Learners: what a way of learning is, what can be set of it, and the registry by name.

A learner is a package with a `Learner`: its own options, what is wrong with settings, and how it
learns. `Settings` are the options that all learners share, the learner's name and its own options.
The command line is made from these (katachi.cli.train): what an option is called and what it does
is told once, beside its default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from katachi.errors import KatachiError
from katachi.models.model import Model
from katachi.models.predictor import RESTORERS, Restore
from katachi.patterns.catalogue import CATALOGUES, Catalogue, Harvest
from katachi.patterns.features import WAYS
from katachi.records.corpus import Corpus

if TYPE_CHECKING:
    from katachi.learning.train import Work

# Memory of Stern's patterns: what a shape takes at the most while it is learnt, and all else
MEMORY: Final = 4000
SHAPE_BYTES: Final = 200
FIXED_MB: Final = 600


class Option(NamedTuple):
    """How a field of settings is told on the command line.

    `spec` has the flag, and what its value is called in capitals; `words` say what the option does;
    `usual` is the default in words, where it is not the field's own.
    """

    spec: str
    words: str
    kind: Any = None  # a type, or the words to choose from
    usual: str = ""
    least: int | None = None
    many: bool = False  # may be given again
    stays: bool = False  # a model that goes on learning keeps what it has
    value: Callable[[Any], Any] | None = None  # of the field, from what was given


def option(default: Any, spec: str, words: str, kind: Any = None, **more: Any) -> Any:
    """A field of settings that is an option of the command line, too: see `Option`."""
    return field(default=default, metadata={"option": Option(spec, words, kind, **more)})


@dataclass(frozen=True)
class NoOptions:
    """The options of a learner that has none of its own."""


@dataclass(frozen=True)
class Learner:
    """A way of learning, by functions. They may take for granted that settings were checked.

    `learn` gives a model whose `about` tells how many `competitions` and `candidates` it is from.
    `options`: the class of its own options, a frozen dataclass whose fields all have defaults.
    """

    name: str
    words: str  # what it does, for --help
    catalogue: Catalogue  # unless one says otherwise
    learn: Callable[[Work], Model]  # raises KatachiError for games it cannot learn from
    options: type[Any] = NoOptions
    # Raises KatachiError for settings that make no sense, whatever the games are
    check: Callable[[Settings], None] = lambda _: None
    # What to say before it learns from these games, "" for nothing; and of what it has learnt
    notice: Callable[[Corpus, Settings], str] = lambda _corpus, _settings: ""
    summary: Callable[[Model], Iterable[str]] = lambda _: ()
    unused: frozenset[str] = frozenset()  # fields of Settings that it has no use for
    # The options by which a model goes on learning from new games; None: it does not
    goes_on: Callable[[Model, Any], Any] | None = None


# Name → the learner; a text names one that is imported when it is needed
LEARNERS: dict[str, Learner | str] = {
    "bradley-terry": "katachi.learning.bradley_terry.learner:LEARNER",
    "ranking": "katachi.learning.ranking.learner:LEARNER",
    "frequency": "katachi.learning.frequency.learner:LEARNER",
    "maxent": "katachi.learning.maxent.learner:LEARNER",
    "factors": "katachi.learning.interactions.learner:FACTORS",
    "hidden": "katachi.learning.interactions.learner:HIDDEN",
}


def register_learner(learner: Learner, restore: Restore) -> None:
    """Make a learner known under its name: to `train`, to the command line, and to `load_model`,
    which reads what it has learnt by `restore`. One of the same name is replaced.
    """
    LEARNERS[learner.name] = learner
    RESTORERS[learner.name] = restore


def learner_named(name: str) -> Learner:
    """The learner of this name. Raises KatachiError if there is none."""
    found = LEARNERS.get(name)
    if found is None:
        raise KatachiError(f"there is no learner {name!r}: it is one of {', '.join(LEARNERS)}")
    return resolve_name(found) if isinstance(found, str) else found


_Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """How to train: what all learners share, and one learner's own options.

    Without `options` they are the learner's defaults, without a `catalogue` it is its usual one.
    `all_radii`: None for the catalogue's own way. `min_count` and `min_candidates` are the
    appearances that a shape needs, around moves played and around all candidates; None for the
    catalogue's own. `without`: families or dictionaries that are left out. `any_size`: whether
    boards of several sizes are learnt from together, which is a mistake more often than not.

    Raises KatachiError if there is no such learner, or if the options are another one's.
    """

    learner: str = "bradley-terry"
    options: Any = None
    catalogue: Catalogue = option(
        None,
        "--features",
        "The catalogue of feature families",
        kind=CATALOGUES,
        stays=True,
        value=CATALOGUES.__getitem__,
    )
    all_radii: bool | None = option(
        None,
        "--shapes",
        "Take the largest known shape as a feature, or one shape of each radius",
        kind=WAYS,
        usual="by the catalogue: largest, of extended and context all-radii",
        stays=True,
        value=WAYS.__getitem__,
    )
    min_count: int | None = option(
        None,
        "--min-count N",
        "How often a shape must appear around moves played",
        int,
        usual="by the catalogue: 5, of stern, context and araki 2",
        least=1,
    )
    min_candidates: int | None = option(
        None,
        "--min-candidates N",
        "How often a shape must appear around any legal point",
        int,
        usual="625, as in Coulom's paper",
        least=1,
    )
    memory_mb: int = option(
        MEMORY,
        "--memory MB",
        "Memory for the patterns of the features stern, context and araki: the rarest ones are "
        "dropped until the rest can be learnt in it",
        int,
        least=FIXED_MB + 200,
    )
    owner: bool = option(
        False,
        "--owner/--no-owner",
        "Describe also who will own each point, by 63 random games from every position; that "
        "takes 15 times as long",
        bool,
        stays=True,
    )
    without: _Names = option(
        (),
        "--without NAME",
        "Leave out a family or a dictionary of shapes; may be given again",
        many=True,
        stays=True,
    )
    seed: int = option(1, "--seed N", "Seed of all that is chosen at random", int, least=0)
    any_size: bool = option(
        False, "--any-size", "Learn from boards of several sizes together", bool
    )

    def __post_init__(self) -> None:
        learner = learner_named(self.learner)
        if self.options is None:
            object.__setattr__(self, "options", learner.options())
        if self.catalogue is None:
            object.__setattr__(self, "catalogue", learner.catalogue)
        if not isinstance(self.options, learner.options):
            raise KatachiError(
                f"{type(self.options).__name__} are not the options of {self.learner}: give "
                f"{learner.options.__name__}"
            )

    def plan(self) -> dict[str, Any]:
        """The settings as JSON."""
        plan = vars(self) | {"catalogue": self.catalogue.name, "options": vars(self.options)}
        return dict(json.loads(json.dumps(plan)))


def continued_settings(start: Model, settings: Settings) -> Settings:
    """The settings by which a model goes on: what it is made of stays as it is."""
    features = start.features
    goes_on = learner_named(settings.learner).goes_on
    same = goes_on is not None and start.predictor.learner == settings.learner
    return replace(
        settings,
        catalogue=features.catalogue,
        all_radii=features.all_radii,
        owner=features.owner,
        without=tuple(sorted(features.without)),
        options=goes_on(start, settings.options) if goes_on and same else settings.options,
    )


def check_settings(settings: Settings) -> None:
    """Raises KatachiError for settings that make no sense, whatever the games are."""
    learner_named(settings.learner).check(settings)
    catalogue = settings.catalogue
    known = [
        *family_names(catalogue),
        *(f.name for f in catalogue.position),
        *_dictionary_families(catalogue.position_harvests),
    ]
    for name in settings.without:
        if name not in known:
            raise KatachiError(
                f"the features {catalogue.name} have no {name!r} to leave out: {', '.join(known)}"
            )
    left = {f.name for f in catalogue.families if settings.owner or not f.slow}
    left |= {plan.dictionary for plan in catalogue.harvests}
    if left <= set(settings.without):
        raise KatachiError("no family is left to learn: leave out less")


def family_names(catalogue: Catalogue) -> list[str]:
    """All names that the candidates' families of a catalogue may have, whatever way its shapes are
    taken.
    """
    return [*(f.name for f in catalogue.families), *_dictionary_families(catalogue.harvests)]


def _dictionary_families(harvests: tuple[Harvest, ...]) -> list[str]:
    known = []
    for plan in harvests:
        known += [plan.dictionary, *(f"{plan.dictionary}-{r}" for r in plan.templates.labels)]
    return known


def check_start(start: Model, settings: Settings, corpus: str) -> None:
    """Raises KatachiError unless the model can go on learning by these settings from the games of
    this digest.
    """
    had = start.predictor.learner
    if had != settings.learner or learner_named(had).goes_on is None:
        able = [name for name in LEARNERS if learner_named(name).goes_on is not None]
        raise KatachiError(
            f"a model of the method {had} does not go on by {settings.learner}: only models of "
            f"{' and '.join(able)} go on learning"
        )
    if corpus in [start.about.get("corpus"), *start.about.get("before", [])]:
        raise KatachiError("the model has learnt from exactly these games already: give others")
