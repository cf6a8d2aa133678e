from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.ratings import Rating, extremes, is_shape, ratings_of
from katachi.models.model import Model
from tests.trained import ALL_RADII, ANSWERING, LARGEST, PAIRED, trained, with_options, with_ratings


@pytest.fixture(scope="module", params=[LARGEST, PAIRED], ids=["largest", "pairs"])
def model(request: pytest.FixtureRequest) -> Model:
    return trained(request.param)


@pytest.mark.slow
def test_every_level_has_a_row(model: Model) -> None:
    assert list(model.predictor.ratings) == [
        *(f.name for f in model.features.families),
        *(pair.name for pair in model.predictor.pairs),
    ]
    for name in list(model.predictor.ratings):
        found, rows = model.predictor.ratings[name], list(ratings_of(model, name))
        assert [row.number for row in rows] == list(range(1, len(found.gamma) + 1))
        for i, row in enumerate(rows):
            assert row.family == name
            assert row.gamma == float(found.gamma[i])
            assert row.elo == pytest.approx(400 * math.log10(row.gamma), rel=1e-12)
            assert row.error == pytest.approx(400 / math.log(10) * float(found.error[i]), rel=1e-12)
            assert row.wins == found.wins[i]
            assert row.appearances == found.appearances[i]
            assert row.level
            assert row.sentence
        json.dumps([row._asdict() for row in rows])


def test_levels_have_their_names() -> None:
    model = trained()
    for family in model.features.families:
        if family.dictionary:
            continue
        rows = list(ratings_of(model, family.name))
        assert [(r.level, r.sentence) for r in rows] == list(family.levels)
        assert {r.drawing for r in rows} == {""}
        assert not is_shape(model, family.name)


def test_shapes_are_drawn() -> None:
    """The largest of all radii: level n is shape n. By radius: the nth of that radius."""
    shapes = trained(LARGEST).features.dictionaries["shape"]
    assert is_shape(trained(LARGEST), "shape")
    rows = list(ratings_of(trained(LARGEST), "shape"))
    assert [row.drawing for row in rows] == [shapes.draw(i) for i in range(len(shapes))]
    names = [
        name for name in list(trained(ALL_RADII).predictor.ratings) if name.startswith("shape-")
    ]
    assert len(names) > 3
    split = [row for name in names for row in ratings_of(trained(ALL_RADII), name)]
    assert [(r.level, r.drawing) for r in split] == [(r.level, r.drawing) for r in rows]
    for row in split:
        assert is_shape(trained(ALL_RADII), row.family)
        radius = row.family.removeprefix("shape-")
        assert row.level.endswith(f"(radius {radius})")
        assert row.drawing.count("*") == 1
    assert split[0].level == "1 (radius 3)"
    first = next(r for r in split if r.family == names[1])
    assert first.number == 1
    before = len(trained(ALL_RADII).predictor.ratings[names[0]].gamma)
    assert first.level == f"{before + 1} (radius 4)"


def test_pairs_have_the_names_of_both() -> None:
    model = trained(PAIRED)
    families = {f.name: f for f in model.features.families}
    pair = model.predictor.pairs[0]
    rows = list(ratings_of(model, "border*distance"))
    assert len(rows) == pair.size > 5
    for row in rows:
        one, two = pair.levels(row.number)
        levels = families["border"].levels[one - 1], families["distance"].levels[two - 1]
        assert row.level == " × ".join(level.name for level in levels)
        assert row.sentence == " and ".join(level.sentence for level in levels)
        assert row.drawing == ""
    assert not is_shape(model, "border*distance")
    assert len({row.level for row in rows}) == len(rows)


def test_pairs_with_shapes() -> None:
    """A pair of a shape has its number."""
    model = trained(with_options(PAIRED, pairs=("shape-3*border",), pair_count=50))
    (pair,) = model.predictor.pairs
    rows = list(ratings_of(model, pair.name))
    assert len(rows) > 5
    for row in rows:
        shape, border = pair.levels(row.number)
        assert row.level == f"{shape} × {model.features.families[5].levels[border - 1].name}"
        assert row.sentence.startswith("makes a known shape and ")


@pytest.mark.slow
def test_answers_are_drawn() -> None:
    model = trained(ANSWERING)
    answers = model.features.dictionaries["answer"]
    for kind in ("4", "own-liberties"):
        rows = list(ratings_of(model, f"answer-{kind}"))
        first = int(answers.firsts[answers.templates.labels.index(kind)])
        for n, row in enumerate(rows):
            assert row.level == f"{first + n + 1} ({kind})"
            assert row.sentence == "answers the last move like this"
            assert row.drawing == answers.draw(first + n)
    pairs = with_options(ANSWERING, pairs=("answer-3*border",), pair_count=50)
    rows = list(ratings_of(trained(pairs, 0, 4), "answer-3*border"))
    assert rows[0].sentence.startswith("answers the last move in a known way and ")


def test_some_levels() -> None:
    model = trained()
    every = list(ratings_of(model, "distance"))
    assert list(ratings_of(model, "distance", [3, 1])) == [every[2], every[0]]


@pytest.mark.parametrize("top", [1, 2, 8, 9, 15, 16, 17, 100])
def test_extremes(top: int) -> None:
    model = trained()
    every = list(ratings_of(model, "distance"))
    count = len(every)
    assert count == 16
    strong, weak = extremes(model, "distance", top)
    by_gamma = sorted((row.gamma for row in every), reverse=True)
    assert [row.gamma for row in strong] == by_gamma[:top]
    assert len(weak) == min(top, max(0, count - top))
    assert [row.gamma for row in weak] == sorted(by_gamma)[: len(weak)]
    numbers = [row.number for row in [*strong, *weak]]
    assert len(set(numbers)) == len(numbers)
    assert set(strong) | set(weak) <= set(every)
    assert count > 2 * top or set(strong) | set(weak) == set(every)


def test_extremes_of_equal_levels_and_of_none() -> None:
    model = trained()
    flat = replace(model.predictor.ratings["distance"], gamma=np.ones(16, np.float32))
    equal = with_ratings(model, {"distance": flat})
    strong, weak = extremes(equal, "distance", 3)
    assert [row.number for row in strong] == [1, 2, 3]
    assert [row.number for row in weak] == [16, 15, 14]
    assert {row.elo for row in strong} == {0.0}
    empty = replace(model.predictor.ratings["distance"], gamma=np.ones(0, np.float32))
    none = with_ratings(model, {"distance": empty})
    assert extremes(none, "distance", 3) == ([], [])
    assert list(ratings_of(none, "distance")) == []


def test_a_large_error_stays_a_number() -> None:
    model = trained()
    wide = replace(model.predictor.ratings["distance"], error=np.full(16, 1e5, np.float32))
    far = with_ratings(model, {"distance": wide})
    (row,) = ratings_of(far, "distance", [4])
    assert row.error == pytest.approx(1e5 * 400 / math.log(10))


def test_unknown_families() -> None:
    words = "the model has no family 'shap': it has pass, capture, "
    with pytest.raises(KatachiError, match=words):
        list(ratings_of(trained(), "shap"))
    with pytest.raises(KatachiError, match=words):
        extremes(trained(), "shap", 3)


def test_a_row_as_data() -> None:
    row = Rating("a", 1, "b", 1.0, 0.0, 2.0, 3, 4, "c", "")
    assert list(row._asdict()) == [
        "family",
        "number",
        "level",
        "gamma",
        "elo",
        "error",
        "wins",
        "appearances",
        "sentence",
        "drawing",
    ]
