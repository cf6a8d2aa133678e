"""Models that older versions have saved load, and predict what they predicted then.

The files in `older` were made by the code of commit 052755c (November 2026), from the first twelve
bundled games, with the probabilities that it gave to the likeliest moves of three positions.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from katachi.models.model import load_model
from katachi.patterns.catalogue import CATALOGUES, Catalogue
from katachi.patterns.context import Context
from katachi.patterns.family import Family, Level
from katachi.records.bundled import bundled_games

OLDER = Path(__file__).parent / "older"
TOLD = json.loads((OLDER / "probabilities.json").read_text())


def always(_context: Context, _point: int) -> int:
    return 1


NEW = Family("new", "New", (Level("always", "is like any other"),), always)


def check(name: str, catalogues: list[Catalogue]) -> None:
    model = load_model(OLDER / f"{name}.katachi", catalogues=catalogues)
    game = bundled_games()[30]
    for number, told in TOLD[name].items():
        found = model.probabilities(game.position(int(number)))
        assert sum(found.values()) == pytest.approx(1)
        for move, chance in told.items():
            assert found[int(move)] == pytest.approx(chance, rel=1e-9)


@pytest.mark.parametrize("name", TOLD)
def test_they_predict_the_same(name: str) -> None:
    check(name, [])


@pytest.mark.parametrize("name", TOLD)
def test_they_do_with_a_family_that_their_catalogue_has_got_since(name: str) -> None:
    catalogue = load_model(OLDER / f"{name}.katachi").features.catalogue
    assert catalogue is CATALOGUES[catalogue.name]
    for families in ((NEW, *catalogue.families), (*catalogue.families, NEW)):
        grown = Catalogue(catalogue.name, families, catalogue.harvests, catalogue.all_radii)
        check(name, [grown])


def test_all_of_them_are_small() -> None:
    assert sorted(path.stem for path in OLDER.glob("*.katachi")) == sorted(TOLD)
    assert sum(path.stat().st_size for path in OLDER.iterdir()) < 100_000
