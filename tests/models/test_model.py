from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import safetensors
import safetensors.numpy

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.models.model import FORMAT, KIND, Model, load_model
from katachi.patterns.catalogue import PLAYOUT
from katachi.tensors import packed
from tests.trained import ALL_RADII, LARGEST, PAIRED, games, positions, strength, teams, trained

KINDS = [LARGEST, PAIRED, Settings(catalogue=PLAYOUT)]


@pytest.fixture(scope="module", params=KINDS, ids=["largest", "pairs", "playout"])
def model(request: pytest.FixtureRequest) -> Model:
    return trained(request.param)


def test_probabilities_against_products(model: Model) -> None:
    """Of every move: the product of its team, over the sum of all products."""
    levels = 0
    for position in positions(games(10, 13), 9):
        plain = {move: strength(model, team) for move, team in teams(model, position).items()}
        total = math.fsum(plain.values())
        found = model.probabilities(position)
        assert list(found) == position.legal_moves()
        assert PASS in found
        assert math.fsum(found.values()) == pytest.approx(1, abs=1e-12)
        assert min(found.values()) > 0
        for move, p in found.items():
            assert p == pytest.approx(plain[move] / total, rel=1e-9)
        levels += sum(
            pair.name in team
            for pair in model.predictor.pairs
            for team in teams(model, position).values()
        )
    assert levels > 100 or not model.predictor.pairs


def test_teams_against_descriptions(model: Model) -> None:
    for position in positions(games(11, 12), 11):
        plain = teams(model, position)
        for move, team in plain.items():
            found = model.team(position, move)
            assert {name: level for name, (level, _) in found.items()} == team
            gammas = [gamma for _, gamma in found.values()]
            assert math.prod(gammas) == pytest.approx(strength(model, team), rel=1e-12)


def test_strengths_are_what_columns_say() -> None:
    """Columns beside the model's own do not matter."""
    model = trained(PAIRED)
    names = [f.name for f in model.features.families]
    zeros = {name: np.zeros(3, np.uint8) for name in [*names, "another"]}
    assert model.predictor.strengths(zeros).tolist() == [1.0] * 3
    pair = model.predictor.pairs[0]
    one, two = pair.levels(2)
    columns = zeros | {
        pair.one: np.array([one, one, 0], np.uint8),
        pair.two: np.array([two, 0, two], np.uint8),
    }
    a, b, c = (
        float(model.predictor.ratings[name].gamma[level - 1])
        for name, level in ((pair.one, one), (pair.two, two), (pair.name, 2))
    )
    np.testing.assert_allclose(model.predictor.strengths(columns), [a * b * c, a, b], rtol=1e-12)


def test_no_team_for_an_illegal_move() -> None:
    model = trained()
    position = games()[0].position(4)
    taken = next(p for _, p in games()[0].moves[:4])
    with pytest.raises(KatachiError, match=f"^point {taken} is no legal move here$"):
        model.team(position, taken)
    assert model.team(position, PASS).keys() >= {"pass"}


def test_a_board_size_that_the_shapes_do_not_know() -> None:
    for function in (trained().probabilities, lambda p: trained().team(p, PASS)):
        with pytest.raises(KatachiError, match="on 19x19, but the shapes were harvested on 9x9"):
            function(Position(19))
    assert PASS in trained(Settings(catalogue=PLAYOUT)).probabilities(Position(19))


# Files.


def content(model: Model) -> Any:
    return (
        {
            n: {k: (str(v.dtype), v.tolist()) for k, v in vars(r).items()}
            for n, r in model.predictor.ratings.items()
        },
        [(p.one, p.two, p.width, p.combinations.tolist()) for p in model.predictor.pairs],
        [(f.name, f.size) for f in model.features.families],
        {
            n: (
                s.templates,
                s.rule,
                s.min_count,
                s.sizes,
                s.keys.tolist(),
                s.counts.tolist(),
                s.rings.tolist(),
                s.pictures.tolist(),
            )
            for n, s in model.features.dictionaries.items()
        },
        (
            model.features.catalogue.name,
            model.features.all_radii,
            model.features.owner,
            model.features.without,
        ),
        dict(model.about),
    )


def test_playout_gammas_lie_in_the_same_file(tmp_path: Path) -> None:
    light = trained(Settings(catalogue=PLAYOUT))
    both = replace(trained(PAIRED), playout=light)
    assert trained(PAIRED).playout is None
    assert both.digest == trained(PAIRED).digest  # what it predicts is the same
    both.save(tmp_path / "both.katachi")
    again = load_model(tmp_path / "both.katachi")
    assert content(again) == content(both)
    assert again.playout is not None
    assert content(again.playout) == content(light)
    assert again.playout.playout is None


def test_playout_gammas_of_other_features_are_refused(tmp_path: Path) -> None:
    replace(trained(), playout=trained(ALL_RADII)).save(tmp_path / "a.katachi")
    with pytest.raises(KatachiError, match="its playout gammas are of other features"):
        load_model(tmp_path / "a.katachi")


def test_a_file_and_back(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "a.katachi"
    model.save(path)
    again = load_model(path)
    assert content(again) == content(model)
    assert list(again.predictor.ratings) == list(model.predictor.ratings)
    assert again.digest == model.digest
    for position in positions(games(10, 11), 13):
        assert again.probabilities(position) == model.probabilities(position)
    again.save(tmp_path / "b.katachi")
    assert content(load_model(tmp_path / "b.katachi")) == content(model)
    assert load_model(str(path)).digest == model.digest


def test_the_file_is_read_without_running_code(tmp_path: Path) -> None:
    """As its docstring says: safetensors with JSON in the header, nothing else."""
    model = trained(PAIRED)
    model.save(tmp_path / "a.katachi")
    tensors = safetensors.numpy.load((tmp_path / "a.katachi").read_bytes())
    for name, ratings in model.predictor.ratings.items():
        assert tensors[f"gamma/{name}"].tolist() == ratings.gamma.tolist()
        assert tensors[f"error/{name}"].tolist() == ratings.error.tolist()
        assert tensors[f"wins/{name}"].tolist() == ratings.wins.tolist()
        assert tensors[f"appearances/{name}"].tolist() == ratings.appearances.tolist()
    assert "shapes/shape/keys" in tensors
    assert "pair/border*distance" in tensors


def test_with_about() -> None:
    told = trained().with_about(seed=77, colour="green")
    assert told.about == {**trained().about, "seed": 77, "colour": "green"}
    assert told.digest == trained().digest


def test_the_digest_is_of_the_prediction() -> None:
    kinds = [trained(s) for s in (LARGEST, ALL_RADII, PAIRED, Settings(catalogue=PLAYOUT))]
    kinds.append(trained(LARGEST, 10, 20))
    assert len({model.digest for model in kinds}) == len(kinds)


def test_saving_where_it_cannot(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match="cannot be written: No such file or directory"):
        trained().save(tmp_path / "none" / "a.katachi")
    (tmp_path / "folder.katachi").mkdir()
    with pytest.raises(KatachiError, match="cannot be written"):
        trained().save(tmp_path / "folder.katachi")
    assert [p.name for p in tmp_path.rglob("*")] == ["folder.katachi"]


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.katachi"
    trained().save(path)
    before = path.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KatachiError, match="cannot be written: No space left on device"):
        trained(ALL_RADII).save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.katachi"]
    assert path.read_bytes() == before


def refused(path: Path, words: str) -> None:
    """One sentence that names the file."""
    with pytest.raises(KatachiError, match=words) as error:
        load_model(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)
    assert len(str(error.value)) < len(str(path)) + 250


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "a.katachi"
    trained(PAIRED).save(path)
    return path


def test_files_that_are_no_models(saved: Path, tmp_path: Path) -> None:
    refused(tmp_path / "none.katachi", "does not exist: make it by katachi train")
    refused(tmp_path, "is a folder, not a model")
    bad = tmp_path / "bad.katachi"
    whole = saved.read_bytes()
    for length in (0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:length])
        refused(bad, "is no model, or cut short")
    for seed in range(20):
        bad.write_bytes(np.random.default_rng(seed).bytes(50 * seed + 3))
        refused(bad, "is no model, or cut short")
    bad.write_bytes(whole + b"more")
    refused(bad, "is no model, or cut short")
    bad.write_bytes(safetensors.numpy.save({"x": np.zeros(2)}))
    refused(bad, "is another kind of file, not katachi-model-3")
    shapes = tmp_path / "x.shapes"
    trained().features.dictionaries["shape"].save(shapes)
    refused(shapes, "is katachi-shapes-3, not katachi-model-3: train it again")
    bad.write_bytes(whole.replace(FORMAT.encode(), b"katachi-model-9"))
    refused(bad, "is katachi-model-9, not katachi-model-3: train it again")


Tensors = dict[str, npt.NDArray[Any]]
Header = dict[str, Any]


def change(path: Path, changed: Callable[[Tensors, Header], None]) -> None:
    """Write the file again, with other contents."""
    with safetensors.safe_open(path, "numpy") as file:
        about = file.metadata()
    tensors = safetensors.numpy.load(path.read_bytes())
    header = json.loads(about["model"])
    changed(tensors, header)
    path.write_bytes(packed(KIND, json.dumps(header), tensors))


def put(name: str, of: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Any:
    return lambda tensors, _: tensors.update({name: np.ascontiguousarray(of(tensors[name]))})


def tell(**more: Any) -> Any:
    return lambda _, header: header.update(more)


def with_first(value: float) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    return lambda t: np.concatenate([np.array([value], t.dtype), t[1:]])


SPOILT = {
    "gamma too short": put("gamma/border", lambda t: t[:-1]),
    "gamma too long": put("gamma/border", lambda t: np.append(t, t[-1])),
    "gamma of two dimensions": put("gamma/border", lambda t: t[:, None]),
    "gamma of another type": put("gamma/border", lambda t: t.astype(np.float64)),
    "negative gamma": put("gamma/border", with_first(-1.0)),
    "gamma of 0": put("gamma/border", with_first(0.0)),
    "gamma that is no number": put("gamma/border", with_first(math.nan)),
    "infinite gamma": put("gamma/shape-3", with_first(math.inf)),
    "wins of another type": put("wins/border", lambda t: t.astype(np.int64)),
    "errors too short": put("error/distance", lambda t: t[1:]),
    "gamma missing": lambda tensors, _: tensors.pop("gamma/capture"),
    "appearances missing": lambda tensors, _: tensors.pop("appearances/shape-4"),
    "keys missing": lambda tensors, _: tensors.pop("shapes/shape/keys"),
    "keys too short": put("shapes/shape/keys", lambda t: t[:-1]),
    "rings out of bounds": put("shapes/shape/rings", lambda t: t + 8),
    "rings out of order": put("shapes/shape/rings", lambda t: t[::-1]),
    "pictures too long": put("shapes/shape/pictures", lambda t: np.append(t, t)),
    "pair missing": lambda tensors, _: tensors.pop("pair/border*distance"),
    "pair of another length": put("pair/border*distance", lambda t: t[1:]),
    "pair of another type": put("pair/border*distance", lambda t: t.astype(np.int64)),
    "pair out of order": put("pair/border*distance", lambda t: t[::-1]),
    "pair out of bounds": put("pair/border*distance", lambda t: t + 17 * 4),
    "pair of level 0": put("pair/border*distance", with_first(3)),
    "pair of no family": tell(pairs=[["border", "distance", 17], ["shape-3", "passing", 3]]),
    "pair of another width": tell(pairs=[["border", "distance", 18], ["shape-3", "pass", 3]]),
    "pair of endless width": tell(pairs=[["border", "distance", math.inf], ["shape-3", "pass", 3]]),
    "no catalogue": lambda _, header: header.pop("catalogue"),
    "a list of shapes": tell(dictionaries=[]),
    "other templates": lambda _, header: header["dictionaries"]["shape"].update(templates="x"),
    "nothing about it": lambda _, header: header.pop("about"),
    "a number about it": tell(about=5),
}


@pytest.mark.parametrize("what", SPOILT)
def test_spoilt_models(saved: Path, what: str) -> None:
    change(saved, lambda _tensors, _header: None)
    assert content(load_model(saved)) == content(trained(PAIRED))
    change(saved, SPOILT[what])
    refused(saved, r"is damaged \(.*\): train it again")


# Whole, but not of the features that this program has
UNKNOWN = {
    "another catalogue": tell(catalogue="future"),
    "other families": tell(without=["border"]),
    "families of the future": lambda _, header: header["families"].update(border=5),
    "other radii": tell(all_radii=False),
    "no shapes": tell(dictionaries={}),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_models_of_unknown_features(saved: Path, what: str) -> None:
    change(saved, UNKNOWN[what])
    refused(saved, r"load_model\(…, catalogues=\[…\]\), or train it again")


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", '"model"', "[" * 100_000])
def test_spoilt_headers(saved: Path, text: str) -> None:
    tensors = safetensors.numpy.load(saved.read_bytes())
    saved.write_bytes(packed(KIND, text, tensors))
    refused(saved, r"is damaged \(.*\): train it again")
    saved.write_bytes(safetensors.numpy.save(tensors, {"format": FORMAT}))
    refused(saved, r"is damaged \(.*\): train it again")
