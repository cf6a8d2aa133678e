"""The model: features and what was learnt of them, in one file that can be read without running
code.

name.katachi        see katachi.tensors; in its header, as JSON: method (the learner), catalogue,
                    families, settings, training games, version
shapes/DICTIONARY/keys, counts, rings, pictures     as in a dictionary of shapes
playout/…           the same of the model for playouts, if there is one
gamma/FAMILY, …     what was learnt: see katachi.models.predictor, and the learner's own predictor
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.models.predictor import Levels, Parts, Predictor, restorer
from katachi.patterns.catalogue import CATALOGUES, Catalogue
from katachi.patterns.describe import described
from katachi.patterns.features import Features, thread_watch
from katachi.patterns.shapes.dictionary import Shapes, shapes_from_parts, shapes_to_parts
from katachi.tensors import Kind, damaged, read_arrays, write_arrays

FORMAT: Final = "katachi-model-3"
KIND: Final = Kind(FORMAT, "model", "model", "make it by katachi train GAMES… -o", "train it again")
BUNDLED: Final = "default"  # names the model that comes with Katachi


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model: how moves are described, and how they are predicted from that.

    `about` tells how it was made: prior, seed, training games and more, for people.
    """

    features: Features
    predictor: Predictor
    about: Mapping[str, Any] = field(default_factory=dict)
    playout: Model | None = None  # of the catalogue `playout`, for random games

    @cached_property
    def digest(self) -> str:
        """Of all that decides a prediction."""
        header, tensors = self.predictor.parts()
        told = [self.features.catalogue.name, self.predictor.learner, header]
        digest = blake2b(json.dumps(told).encode(), digest_size=16)
        for name, tensor in tensors.items():
            digest.update(name.encode() + tensor.tobytes())
        for name, shapes in self.features.dictionaries.items():
            digest.update(name.encode() + shapes.keys.tobytes())
        return digest.hexdigest()

    def probabilities(self, position: Position) -> dict[int, float]:
        """Every legal point, and PASS → the probability that it is played.

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        points, columns = self.described(position)
        chances = self.predictor.chances(columns, np.array([0, len(points)]))
        return dict(zip(points, chances.tolist(), strict=True))

    def scores(self, position: Position) -> dict[int, tuple[float, float]]:
        """Every legal point, and PASS → (log-strength of its team, how uncertain that is): of a
        ranking μ and σ of its score, else log γ and its standard error, members taken as
        independent.

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        points, columns = self.described(position)
        means = np.log(self.predictor.strengths(columns)).tolist()
        deviations = np.sqrt(self.predictor.variances(columns)).tolist()
        return dict(zip(points, zip(means, deviations, strict=True), strict=True))

    def described(self, position: Position) -> tuple[list[int], dict[str, npt.NDArray[Any]]]:
        """(every legal point, and PASS; their levels by family: see `katachi.patterns.describe`).

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        self.features.check_size(position.size, "the position")
        situation = thread_watch(self.features, position.size).look(position.board)
        points = situation.candidates[: situation.count].tolist()
        return points, described(situation, self.features)

    def team(self, position: Position, move: int) -> dict[str, tuple[int, float]]:
        """Family → (level, gamma) of the features of a legal move.

        Raises KatachiError if the move is illegal, or on a board size the shapes do not know.
        """
        points, columns = self.described(position)
        if move not in points:
            name = "pass" if move == PASS else f"point {move}"
            raise KatachiError(f"{name} is no legal move here")
        levels = self.levels(columns, points.index(move))
        ratings = self.predictor.ratings
        return {name: (n, float(ratings[name].gamma[n - 1])) for name, n in levels.items()}

    def levels(self, columns: Levels, at: int) -> dict[str, int]:
        """Family or pair → the level of one candidate, where it has one."""
        one = {family.name: columns[family.name][at : at + 1] for family in self.features.families}
        one |= {pair.name: pair.column(one) for pair in self.predictor.pairs}
        return {name: int(level[0]) for name, level in one.items() if level[0]}

    def with_about(self, **more: Any) -> Model:
        """The same model that tells more about itself."""
        return replace(self, about={**self.about, **more})

    def save(self, path: Path) -> None:
        """Write the model as one file, whole or not at all. Raises KatachiError where it cannot."""
        write_arrays(path, KIND, *self.parts())

    def parts(self) -> Parts:
        """What goes into the file."""
        features = self.features
        own, tensors = self.predictor.parts()
        dictionaries = {}
        for name, shapes in features.dictionaries.items():
            dictionaries[name], columns = shapes_to_parts(shapes)
            tensors |= {f"shapes/{name}/{part}": column for part, column in columns.items()}
        header = own | {
            "method": self.predictor.learner,
            "catalogue": features.catalogue.name,
            "all_radii": features.all_radii,
            "owner": features.owner,
            "without": sorted(features.without),
            "families": {f.name: f.size for f in features.families},
            "position": features.position,
            "position_families": {f.name: f.size for f in features.position_families},
            "dictionaries": dictionaries,
            "about": dict(self.about),
            "playout": None,
        }
        if self.playout is not None:
            header["playout"], columns = self.playout.parts()
            tensors |= {f"playout/{name}": column for name, column in columns.items()}
        return Parts(header, tensors)


def load_model(path: Path | str | None = None, *, catalogues: Iterable[Catalogue] = ()) -> Model:
    """The model in a file, or the one that comes with Katachi: None, or "default".

    `catalogues`: those of one's own that the model may have been trained with; its file tells only
    their names. Families that a catalogue has got since then are left out. Raises KatachiError if
    the file is not there, cut short, damaged or of another version, or if the model has features or
    a learner that are not known.
    """
    if path is None or (str(path) == BUNDLED and not Path(path).exists()):
        with as_file(files("katachi") / "models" / f"{BUNDLED}.katachi") as bundled:
            return load_model(bundled)
    path = Path(path)
    known = CATALOGUES | {one.name: one for one in catalogues}
    parts = Parts(*read_arrays(path, KIND))
    try:
        return restored(parts, known)
    except _Unknown as unknown:
        raise KatachiError(f"{path} {unknown}") from None
    except (
        LookupError,
        ValueError,
        TypeError,
        ArithmeticError,
        AttributeError,
        RecursionError,
    ) as error:
        raise damaged(path, KIND, error) from None


class _Unknown(Exception):
    """A model of something that is not known here; the rest of a sentence."""


def restored(parts: Parts, known: Mapping[str, Catalogue]) -> Model:
    """The model of a file's contents. Raises ValueError, KeyError … if they do not fit, _Unknown if
    its learner is not known, or if its features are none of those `known`.
    """
    header = parts.header
    # Older files of moves that are ranked anew may name another learner, by which they were fitted.
    learner = header["method"] if header.get("rerank") is None else "maxent"
    restore = restorer(learner)
    if restore is None:
        raise _Unknown(
            f"was learnt by the method {learner!r:.40}, which this program does not have: register "
            "it in Python, katachi.register_learner(…), or train it again"
        )
    features = _features(parts, known)
    if not isinstance(header["about"], dict):
        raise ValueError("it tells nothing about itself")
    predictor = restore(parts, {f.name: f.size for f in features.families})
    playout = None
    if header.get("playout") is not None:
        playout = restored(Parts(header["playout"], _below("playout/", parts)), known)
        if playout.features.catalogue.name != "playout":
            raise ValueError("its playout gammas are of other features")
    return Model(features, predictor, header["about"], playout)


def _features(parts: Parts, known: Mapping[str, Catalogue]) -> Features:
    """The features that a model was trained with. Raises as `restored` does."""
    header = parts.header
    dictionaries: dict[str, Shapes] = {
        name: shapes_from_parts(about, _below(f"shapes/{name}/", parts))
        for name, about in header["dictionaries"].items()
    }
    catalogue = header["catalogue"]
    if catalogue not in known:
        raise _Unknown(
            f"was trained with the features {catalogue!r:.40}, which this program does not have: "
            "give them in Python, load_model(…, catalogues=[…]), or train it again"
        )
    features = Features(
        known[catalogue],
        dictionaries,
        bool(header["all_radii"]),
        bool(header["owner"]),
        frozenset(header["without"]),
        position=bool(header.get("position", False)),
    )
    found = {f.name: f.size for f in (*features.families, *features.position_families)}
    told = {**header["families"], **header.get("position_families", {})}
    for name, size in told.items():
        if found.get(name) != size:
            had = f" with {size} levels" if name in found else ""
            raise _Unknown(
                f"knows the feature family {name!r:.40}{had}, which the features {catalogue!r:.40} "
                "of this program do not have: give those that it was trained with in Python, "
                "load_model(…, catalogues=[…]), or train it again"
            )
    # The catalogue has got these since the model was trained.
    return replace(features, without=features.without | (found.keys() - told.keys()))


def _below(start: str, parts: Parts) -> dict[str, npt.NDArray[Any]]:
    """The arrays whose names begin like this, by the rest of their names."""
    return {name[len(start) :]: t for name, t in parts.tensors.items() if name.startswith(start)}
