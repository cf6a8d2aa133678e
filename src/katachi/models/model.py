"""The model: features and their gammas, in one file that can be read without running code.

name.katachi        see katachi.tensors; in its header, as JSON: method, catalogue, families,
                    settings, training games, version
gamma/FAMILY        float32[levels]: e^μ where the method is ranking
error/FAMILY        float32[levels]: standard error of log γ, the rest held; σ of a ranking
wins/FAMILY, appearances/FAMILY     uint32[levels]
shapes/DICTIONARY/keys, counts, rings, pictures     as in a dictionary of shapes
pair/FAMILY         uint32[levels]: the combinations of a pair
playout/…           the same of the model for playouts, if there is one
"""

from __future__ import annotations

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
from katachi.learning.bradley_terry.passes import multiply
from katachi.learning.maxent.rerank import Rerank, relative_frequency, reranked
from katachi.learning.pairs import Pair
from katachi.learning.ranking.chances import move_chances
from katachi.learning.ranking.teams import member_matrix
from katachi.patterns.catalogue import CATALOGUES, Catalogue
from katachi.patterns.describe import describe
from katachi.patterns.features import Features, thread_watch
from katachi.patterns.shapes.dictionary import Shapes, shapes_from_parts, shapes_to_parts
from katachi.tensors import Kind, damaged, read_arrays, write_arrays

FORMAT: Final = "katachi-model-3"
KIND: Final = Kind(FORMAT, "model", "model", "make it by katachi train GAMES… -o", "train it again")
DEFAULT: Final = "default.katachi"
METHODS: Final = ("bradley-terry", "ranking", "frequency", "maxent")
BRADLEY_TERRY, RANKING, FREQUENCY, MAXENT = METHODS
_PATTERNS: Final = ("pass", "no-shape", "shape")  # of which every move has one: re-ranking's

Vector = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Ratings:
    """What was learnt of one family, level by level."""

    # float32[levels]; of a ranking e^μ, so that scores add up as logarithms do; of maximum entropy
    # e^λ, what a feature multiplies the odds of a good move by
    gamma: Vector
    error: Vector  # float32[levels]: standard error of log γ, the rest held; of a ranking σ
    wins: Vector  # uint32[levels]; of a re-ranking's patterns how often each was played,
    appearances: Vector  # uint32[levels]; and could be, in the games of its frequencies


_COLUMNS: Final = {
    "gamma": "float32",
    "error": "float32",
    "wins": "uint32",
    "appearances": "uint32",
}
_KEPT: Final = {"gamma": 1.0, "error": 0.0}  # of maximum entropy: column → where the weight is 0


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model: how moves are described, and the ratings of every family and pair.

    `about` tells how it was made: method, prior, seed, training games and more, for people.
    """

    features: Features
    ratings: Mapping[str, Ratings]  # families, then pairs
    pairs: tuple[Pair, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    playout: Model | None = None  # of the catalogue `playout`, for random games
    method: str = BRADLEY_TERRY  # one of METHODS
    beta: float = 0.0  # of a ranking: deviation of a move's score around its team's
    rerank: Rerank | None = None  # the most frequent moves alone are ranked by strength

    @cached_property
    def factors(self) -> dict[str, npt.NDArray[np.float64]]:
        """Family → [level] what a level multiplies its team by, 1 for none."""
        return {
            name: np.concatenate([[1.0], r.gamma.astype(np.float64)])
            for name, r in self.ratings.items()
        }

    @cached_property
    def digest(self) -> str:
        """Of all that decides a prediction."""
        digest = blake2b(self.features.catalogue.name.encode(), digest_size=16)
        digest.update(f"{self.method} {self.beta!r} {self.rerank}".encode())
        for name, r in self.ratings.items():
            digest.update(name.encode() + r.gamma.tobytes())
            if self.method == RANKING:
                digest.update(r.error.tobytes())
            if self.rerank is not None:
                digest.update(r.wins.tobytes() + r.appearances.tobytes())
        for name, shapes in self.features.dictionaries.items():
            digest.update(name.encode() + shapes.keys.tobytes())
        for pair in self.pairs:
            digest.update(pair.combinations.tobytes())
        return digest.hexdigest()

    def strengths(self, columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """The gamma of each team, from the columns of its families: the product of its members.

        Of a ranking it is e to the sum of the means, of maximum entropy the odds of a good move,
        but for a factor of the position.
        """
        families = self.features.families
        products = np.ones(len(columns[families[0].name]))
        for family in families:
            multiply(products, columns[family.name], self.factors[family.name])
        for pair in self.pairs:
            column = pair.column(columns[pair.one], columns[pair.two])
            multiply(products, column, self.factors[pair.name])
        return products

    def order(
        self, columns: Mapping[str, npt.NDArray[Any]], starts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """A number for each candidate: the higher, the better its rank among those of its position,
        starts[i] … starts[i + 1]. Equal numbers are ties.
        """
        if self.rerank is None:
            return self.strengths(columns)
        return reranked(self.strengths(columns), self._frequencies(columns), starts, self.rerank)[0]

    def chances(
        self, columns: Mapping[str, npt.NDArray[Any]], starts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """The probability that each candidate is played; starts[i] … starts[i + 1] are those of
        one position.
        """
        strengths = self.strengths(columns)
        if self.rerank is not None:
            return reranked(strengths, self._frequencies(columns), starts, self.rerank)[1]
        if self.method != RANKING:
            whole = np.add.reduceat(strengths, starts[:-1])
            shares: npt.NDArray[np.float64] = strengths / np.repeat(whole, np.diff(starts))
            return shares
        variances = self._variances(columns) + self.beta**2
        members = member_matrix(columns, self.features)
        return move_chances(starts, members, np.log(strengths), variances)

    def probabilities(self, position: Position) -> dict[int, float]:
        """Every legal point, and PASS → the probability that it is played.

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        points, columns = self.described(position)
        chances = self.chances(columns, np.array([0, len(points)]))
        return dict(zip(points, chances.tolist(), strict=True))

    def scores(self, position: Position) -> dict[int, tuple[float, float]]:
        """Every legal point, and PASS → (log-strength of its team, how uncertain that is): of a
        ranking μ and σ of its score, else log γ and its standard error, members taken as
        independent.

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        points, columns = self.described(position)
        means, variances = np.log(self.strengths(columns)), self._variances(columns)
        return dict(
            zip(points, zip(means.tolist(), np.sqrt(variances).tolist(), strict=True), strict=True)
        )

    def _frequencies(self, columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """[candidate] the relative frequency of its pattern (Araki 2007, eq. 13)."""
        found = np.ones(len(columns[_PATTERNS[0]]))
        for name in _PATTERNS:
            multiply(found, columns[name], self._pattern_frequencies[name])
        return found

    @cached_property
    def _pattern_frequencies(self) -> dict[str, npt.NDArray[np.float64]]:
        """Family → [level] its frequency, 1 for none: every move has exactly one of them."""
        return {
            name: np.concatenate([[1.0], relative_frequency(r.wins, r.appearances)])
            for name, r in self.ratings.items()
            if name in _PATTERNS
        }

    def _variances(self, columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """[candidate] the sum of its members' variances; pairs are left out."""
        families = self.features.families
        variances = np.zeros(len(columns[families[0].name]))
        for family in families:
            error = self.ratings[family.name].error.astype(np.float64)
            variances += np.concatenate([[0.0], error**2])[columns[family.name]]
        return variances

    def described(self, position: Position) -> tuple[list[int], dict[str, npt.NDArray[Any]]]:
        """(every legal point, and PASS; their levels by family).

        Raises KatachiError on a board size that the shapes were not harvested on.
        """
        self.features.check_size(position.size, "the position")
        situation = thread_watch(self.features, position.size).look(position.board)
        columns = describe(situation, self.features.families)
        names = [family.name for family in self.features.families]
        points = situation.candidates[: situation.count].tolist()
        return points, dict(zip(names, columns, strict=True))

    def team(self, position: Position, move: int) -> dict[str, tuple[int, float]]:
        """Family → (level, gamma) of the features of a legal move.

        Raises KatachiError if the move is illegal, or on a board size the shapes do not know.
        """
        points, columns = self.described(position)
        if move not in points:
            name = "pass" if move == PASS else f"point {move}"
            raise KatachiError(f"{name} is no legal move here")
        levels = self.levels(columns, points.index(move))
        return {name: (n, float(self.factors[name][n])) for name, n in levels.items()}

    def levels(self, columns: Mapping[str, npt.NDArray[Any]], at: int) -> dict[str, int]:
        """Family or pair → the level of one candidate, where it has one."""
        found = {family.name: int(columns[family.name][at]) for family in self.features.families}
        for pair in self.pairs:
            one, two = (np.array([found[name]]) for name in (pair.one, pair.two))
            found[pair.name] = int(pair.column(one, two)[0])
        return {name: level for name, level in found.items() if level}

    def with_about(self, **more: Any) -> Model:
        """The same model that tells more about itself."""
        return replace(self, about={**self.about, **more})

    def save(self, path: Path) -> None:
        """Write the model as one file, whole or not at all. Raises KatachiError where it cannot."""
        header, tensors = self._parts()
        write_arrays(path, KIND, header, tensors)

    def _parts(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """(header, tensors) of the file."""
        features = self.features
        tensors: dict[str, npt.NDArray[Any]] = {}
        for name, ratings in self.ratings.items():
            for column, dtype in _COLUMNS.items():
                tensors[f"{column}/{name}"] = getattr(ratings, column).astype(dtype)
            if self.method == MAXENT:
                # Most weights are 0: they are left out, with their errors.
                kept = np.flatnonzero(ratings.gamma != 1.0).astype(np.uint32)
                tensors[f"kept/{name}"] = kept
                for column in _KEPT:
                    tensors[f"{column}/{name}"] = tensors[f"{column}/{name}"][kept]
        dictionaries = {}
        for name, shapes in features.dictionaries.items():
            dictionaries[name], parts = shapes_to_parts(shapes)
            tensors |= {f"shapes/{name}/{part}": column for part, column in parts.items()}
        for pair in self.pairs:
            tensors[f"pair/{pair.name}"] = pair.combinations
        header = {
            "method": self.method,
            "beta": self.beta,
            "catalogue": features.catalogue.name,
            "all_radii": features.all_radii,
            "owner": features.owner,
            "without": sorted(features.without),
            "families": {f.name: f.size for f in features.families},
            "pairs": [[pair.one, pair.two, pair.width] for pair in self.pairs],
            "dictionaries": dictionaries,
            "about": dict(self.about),
            "playout": None,
        }
        if self.rerank is not None:
            header["rerank"] = list(self.rerank)
        if self.playout is not None:
            header["playout"], parts = self.playout._parts()
            tensors |= {f"playout/{name}": column for name, column in parts.items()}
        return header, tensors


def load_model(path: Path | str | None = None, *, catalogues: Iterable[Catalogue] = ()) -> Model:
    """The model in a file, or the one that comes with Katachi.

    `catalogues`: those of one's own that the model may have been trained with; its file tells only
    their names. Raises KatachiError if the file is not there, cut short, damaged or of another
    version, or if the model has features that are not known.
    """
    if path is None:
        with as_file(files("katachi") / "models" / DEFAULT) as bundled:
            return load_model(bundled)
    path = Path(path)
    known = CATALOGUES | {one.name: one for one in catalogues}
    header, tensors = read_arrays(path, KIND)
    try:
        return _restored(header, tensors, known)
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
    """A model of features that are not known here; the rest of a sentence."""


def _catalogue(header: dict[str, Any], known: Mapping[str, Catalogue]) -> Catalogue:
    """The catalogue that a model was trained with. Raises _Unknown if there is none of its name."""
    name = header["catalogue"]
    if name not in known:
        raise _Unknown(
            f"was trained with the features {name!r:.40}, which this program does not have: give "
            "them in Python, load_model(…, catalogues=[…]), or train it again"
        )
    return known[name]


def _check_families(found: Mapping[str, int], told: Any, catalogue: str) -> None:
    """Raises _Unknown if these families (name → levels) are not those that a model was trained
    with.
    """
    if found == told:
        return
    for name, size in dict(told).items():
        if found.get(name) != size:
            had = f" with {size} levels" if name in found else ""
            raise _Unknown(
                f"knows the feature family {name!r:.40}{had}, which the features {catalogue!r:.40} "
                "of this program do not have: give those that it was trained with in Python, "
                "load_model(…, catalogues=[…]), or train it again"
            )
    left = ", ".join(sorted(found.keys() - told.keys()))
    raise _Unknown(
        f"does not know the feature family {left!r:.60}, which the features {catalogue!r:.40} of "
        "this program have: give those that it was trained with in Python, "
        "load_model(…, catalogues=[…]), or train it again"
    )


def _restored(
    header: dict[str, Any], tensors: dict[str, npt.NDArray[Any]], known: Mapping[str, Catalogue]
) -> Model:
    """The model of a file's contents. Raises ValueError, KeyError … if they do not fit, _Unknown if
    its features are none of those `known`.
    """
    method, beta = header["method"], float(header["beta"])
    if method not in METHODS:
        raise ValueError(f"the method {method!r:.40} is none that this version has")
    if method == RANKING and not (0 < beta < 1e6):
        raise ValueError("its beta is no positive number")
    dictionaries: dict[str, Shapes] = {}
    for name, about in header["dictionaries"].items():
        start = f"shapes/{name}/"
        parts = {key[len(start) :]: t for key, t in tensors.items() if key.startswith(start)}
        dictionaries[name] = shapes_from_parts(about, parts)
    features = Features(
        _catalogue(header, known),
        dictionaries,
        bool(header["all_radii"]),
        bool(header["owner"]),
        frozenset(header["without"]),
    )
    pairs = tuple(
        Pair(one, two, int(width), tensors[f"pair/{one}*{two}"])
        for one, two, width in header["pairs"]
    )
    sizes = {f.name: f.size for f in features.families}
    _check_families(sizes, header["families"], features.catalogue.name)
    for pair in pairs:
        _check_pair(pair, sizes)
    sizes |= {pair.name: pair.size for pair in pairs}
    if not isinstance(header["about"], dict):
        raise ValueError("it tells nothing about itself")
    ratings = {}
    for name, size in sizes.items():
        columns = {column: tensors[f"{column}/{name}"] for column in _COLUMNS}
        if method == MAXENT:
            _put_back(columns, tensors[f"kept/{name}"], size)
        for column, dtype in _COLUMNS.items():
            found = columns[column]
            if found.shape != (size,) or str(found.dtype) != dtype:
                raise ValueError(f"{column} of {name} does not fit")
        if not np.all(np.isfinite(columns["gamma"]) & (columns["gamma"] > 0)):
            raise ValueError(f"a gamma of {name} is no positive number")
        if not np.all(np.isfinite(columns["error"]) & (columns["error"] >= 0)):
            raise ValueError(f"an error of {name} is no number to go by")
        ratings[name] = Ratings(**columns)
    playout = None
    if header.get("playout") is not None:
        start = "playout/"
        parts = {key[len(start) :]: t for key, t in tensors.items() if key.startswith(start)}
        playout = _restored(header["playout"], parts, known)
        if playout.features.catalogue.name != "playout":
            raise ValueError("its playout gammas are of other features")
    rerank = _rerank_of(header.get("rerank"), sizes)
    return Model(features, ratings, pairs, header["about"], playout, method, beta, rerank)


def _rerank_of(found: Any, sizes: Mapping[str, int]) -> Rerank | None:
    """Raises ValueError or TypeError unless these families can be ranked anew like this."""
    if found is None:
        return None
    rerank = Rerank(int(found[0]), float(found[1]))
    if rerank.most < 1 or not 0 < rerank.below < 1 or not sizes.keys() >= set(_PATTERNS):
        raise ValueError("it cannot rank moves anew")
    return rerank


def _put_back(columns: dict[str, npt.NDArray[Any]], kept: npt.NDArray[Any], size: int) -> None:
    """Fill the columns of which only these levels were kept. Raises ValueError if they do not
    fit.
    """
    places = kept.astype(np.int64)
    if places.ndim != 1 or np.any(np.diff(places) <= 0) or (len(places) and places[-1] >= size):
        raise ValueError("weights of levels that are not there")
    for name, usual in _KEPT.items():
        if columns[name].shape != places.shape:
            raise ValueError(f"{name} does not fit")
        whole = np.full(size, usual, columns[name].dtype)
        whole[places] = columns[name]
        columns[name] = whole


def _check_pair(pair: Pair, sizes: Mapping[str, int]) -> None:
    """Raises ValueError or KeyError unless the pair is one of these families' levels."""
    found = pair.combinations.astype(np.int64)
    if pair.width != sizes[pair.two] + 1 or str(pair.combinations.dtype) != "uint32":
        raise ValueError(f"the pair {pair.name} does not fit")
    one, two = np.divmod(found, pair.width)
    inside = (one > 0) & (one <= sizes[pair.one]) & (two > 0)
    if found.ndim != 1 or not np.all(inside) or np.any(np.diff(found) <= 0):
        raise ValueError(f"the pair {pair.name} does not fit")
