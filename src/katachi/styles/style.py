"""`Style`: what sets a player's moves apart from what a base expects in the same positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.evaluation.resampling import ratio_intervals
from katachi.models.elo import ELO
from katachi.models.model import Model, load_model
from katachi.progress import Progress, named, silent
from katachi.records.corpus import Corpus
from katachi.styles.decisions import Decisions
from katachi.styles.differences import SURE, Difference, Expected, differences_of, with_q
from katachi.styles.fit import fit
from katachi.styles.fitted import Fitted
from katachi.styles.gather import PHASES, gather, wanted_moves
from katachi.styles.others import learnt_from, without_player
from katachi.styles.players import chosen_player, names_of, of_player
from katachi.styles.readable import READABLE, Readable, features_of
from katachi.styles.shapes import MOST, gather_shapes, some_of

Vector = npt.NDArray[np.float64]

LEAST_MOVES: Final = 200
OPPONENTS: Final = 4000  # moves of opponents that are looked at


class Prediction(NamedTuple):
    """How well the base predicts: mean log-evidence, its 95 % interval by games, how many moves."""

    log_evidence: float | None
    interval: list[float] | None
    moves: int


@dataclass(frozen=True, eq=False)
class Style:
    """The differences of a player, most telling first: by how many decisions each changes.

    `corpus` has his games, by whose numbers examples go.
    """

    player: str
    against: str
    phase: str
    games: int
    moves: int
    differences: list[Difference]
    shapes: list[Difference]  # of circles of stones around the move
    shape_moves: int  # at so many of his moves, chosen at random
    tau: dict[str, float]  # family → how large its differences are, in Elo
    prediction: Prediction  # of the player's moves
    others: Prediction  # of his opponents' moves in the same games
    fitted: Fitted
    shape_fit: Fitted | None  # of the shapes, the other differences being held
    knows: bool  # whether the base has families of those that are told
    corpus: Corpus

    @property
    def sure(self) -> list[Difference]:
        """Those with q below 0.05, without shapes."""
        return [one for one in self.differences if one.q < SURE]

    @property
    def sure_shapes(self) -> list[Difference]:
        """The shapes with q below 0.05."""
        return [one for one in self.shapes if one.q < SURE]

    def table(self) -> list[dict[str, Any]]:
        """A row for each difference, shapes last, without examples."""
        rows = [one._asdict() for one in (*self.differences, *self.shapes)]
        for row in rows:
            row.pop("examples")
        return rows

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "player": self.player,
            "against": self.against,
            "phase": self.phase,
            "games": self.games,
            "moves": self.moves,
            "errors": self.fitted.errors_by,
            "shape_errors": None if self.shape_fit is None else self.shape_fit.errors_by,
            "shape_moves": self.shape_moves,
            "prediction": self.prediction._asdict(),
            "others": self.others._asdict(),
            "tau": self.tau,
            "differences": [_as_json(one) for one in self.differences],
            "shapes": [_as_json(one) for one in self.shapes],
        }


def _as_json(one: Difference) -> dict[str, Any]:
    return one._asdict() | {"examples": [e._asdict() for e in one.examples]}


class How(NamedTuple):
    """What is looked at, and by whom: see `style`."""

    phase: str = ""
    families: Sequence[Readable] = READABLE
    most: int | None = None
    shapes: int = MOST
    seed: int = 1
    jobs: int = 1
    progress: Progress = silent


def style(
    corpus: Corpus,
    *,
    player: str | None = None,
    against: str | Model | Corpus = "default",
    phase: str = "",
    families: Sequence[Readable] = READABLE,
    most: int | None = None,
    shapes: int = MOST,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = silent,
) -> Style:
    """How a player's moves differ from what a base expects in the same positions.

    `player`: a name, or None for the most frequent one. `against`: the base, "default" (the model
    that comes with Katachi), "others" (learnt from the games of the corpus without the player),
    the path of a model, a `Model`, or a `Corpus` to learn it from. `phase`: "opening" (moves 1 to
    50), "middle" (51 to 150), "end", or "" for all moves. `most`: so many of his moves at the most,
    chosen at random. `shapes`: shapes are rated at so many of these at the most; 0: not at all.

    Raises KatachiError for a name that is not there, games of several sizes, or fewer than 200
    moves.
    """
    if phase and phase not in PHASES:
        raise KatachiError(f"there is no phase {phase!r}: it is one of {', '.join(PHASES)}")
    names = names_of(corpus)
    player = chosen_player(names, player)
    base, told = base_of(against, corpus, names, player, seed=seed, jobs=jobs, progress=progress)
    how = How(phase, families, most, shapes, seed, jobs, progress)
    return style_in(corpus, player, base, told, how)


def style_in(corpus: Corpus, player: str, base: Model, told: str, how: How) -> Style:
    """The style of a player of these games beside a base, which is called `told`: see `style`."""
    mine = corpus.take(np.array([player in pair for pair in names_of(corpus)], bool))
    return style_of(mine, player, decisions_of(mine, player, base, how), base, told, how)


def base_of(
    against: str | Model | Corpus,
    corpus: Corpus,
    names: Sequence[tuple[str, str]],
    player: str,
    *,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[Model, str]:
    """(the base, what to call it): see `style`."""
    if isinstance(against, Model):
        return against, "a model"
    if isinstance(against, Corpus):
        told = f"a base learnt from {len(against):,} games"
        return learnt_from(against, seed=seed, jobs=jobs, progress=progress), told
    if against == "others":
        others = without_player(corpus, names, player)
        told = f"a base learnt from the {len(others):,} games without {player}"
        return learnt_from(others, seed=seed, jobs=jobs, progress=progress), told
    return load_model(against), f"the model {against}"


def decisions_of(corpus: Corpus, player: str, base: Model, how: How) -> Decisions:
    """The player's decisions (group 0), and some of his opponents' (group 1).

    Raises KatachiError as `style` does.
    """
    sizes = sorted(set(corpus.size.tolist()))
    if len(sizes) > 1:
        told = ", ".join(f"{size}x{size}" for size in sizes)
        raise KatachiError(
            f"the games of {player} are on boards of several sizes ({told}): choose by --size"
        )
    first, last = PHASES.get(how.phase, (0, 10**6))
    groups = of_player(names_of(corpus), player).of
    parts = [
        wanted_moves(
            corpus,
            np.where(groups == group, group, -1).astype(np.int32),
            first=first,
            last=last,
            most=limit,
            seed=how.seed,
        )
        for group, limit in enumerate((how.most, OPPONENTS))
    ]
    own = parts[0].many
    if own < LEAST_MOVES:
        when = f" in the {how.phase}" if how.phase else ""
        raise KatachiError(
            f"{own} moves of {player}{when} are too few to tell a style: of so few nothing but the "
            f"largest habits could be told from chance; give games with {LEAST_MOVES} or more"
        )
    wanted = parts[0].joined(parts[1])
    return gather(corpus, wanted, base, how.families, jobs=how.jobs, progress=how.progress)


def style_of(
    corpus: Corpus, player: str, decisions: Decisions, base: Model, told: str, how: How
) -> Style:
    """The style in decisions of `decisions_of`, of which those of group 0 are fitted."""
    own = decisions.of(lambda piece: piece.group == 0)
    theirs = decisions.of(lambda piece: piece.group == 1)
    fitted = fit(own, progress=how.progress)
    differences, shown = differences_of(own, fitted, features_of(how.families))
    wanted = some_of(own, len(corpus), how.shapes, how.seed)
    among, shapes = gather_shapes(
        corpus,
        wanted,
        base,
        how.families,
        fitted.delta,
        jobs=how.jobs,
        progress=named(how.progress, "shapes"),
    )
    shape_fit = fit(among, progress=named(how.progress, "shapes")) if shapes else None
    drawn, drawn_shown = ([], []) if shape_fit is None else differences_of(among, shape_fit, shapes)
    differences, drawn = with_q((differences, drawn))
    likeliest = Expected(corpus, base)
    known = {family.name for family in base.features.families}
    return Style(
        player,
        told,
        how.phase,
        len(corpus),
        own.count,
        _with_examples(differences, shown, likeliest),
        _with_examples(drawn, drawn_shown, likeliest),
        among.count,
        {f.name: float(ELO * t) for f, t in zip(how.families, fitted.tau, strict=True)},
        _prediction(own),
        _prediction(theirs),
        fitted,
        shape_fit,
        any(family.source in known for family in how.families),
        corpus,
    )


def _with_examples(
    rows: Sequence[Difference], shown: Sequence[list[tuple[int, int]]], likeliest: Expected
) -> list[Difference]:
    """The differences, most telling first, with positions that show those that are sure."""
    found = [
        one._replace(examples=tuple(likeliest.example(*place) for place in places))
        if one.q < SURE
        else one
        for one, places in zip(rows, shown, strict=True)
    ]
    return sorted(found, key=lambda one: -one.changed)


def _prediction(decisions: Decisions) -> Prediction:
    if decisions.count == 0:
        return Prediction(None, None, 0)
    evidence = decisions.column("evidence")
    _, row = np.unique(decisions.column("game"), return_inverse=True)
    sums = np.bincount(row, evidence)[:, None].astype(np.float64)
    weights = np.bincount(row)[:, None].astype(np.float64)
    (interval,) = ratio_intervals(sums, weights, resamples=1000, seed=1)
    return Prediction(float(evidence.mean()), interval, len(evidence))
