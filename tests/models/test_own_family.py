"""A family of one's own: a model trained with it is saved, and loaded again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.learning.settings import Settings
from katachi.learning.train import train
from katachi.models.model import load_model
from katachi.patterns.catalogue import PLAYOUT, Catalogue
from katachi.patterns.context import Context
from katachi.patterns.families.position import BORDER, PASSES
from katachi.patterns.family import Family, Level
from tests.trained import games


def parity(_context: Context, point: int) -> int:
    """Level 1 on even points, level 2 on odd ones; the pass is even."""
    return point % 2 + 1


PARITY = Family(
    "parity",
    "Parity",
    (Level("even", "is on an even point"), Level("odd", "is on an odd one")),
    parity,
    of_pass=True,
)
MINE = Catalogue("mine", (PASSES, BORDER, PARITY))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    model = train(games(0, 4), Settings(catalogue=MINE), folder / "work")
    model.save(folder / "mine.katachi")
    assert model.ratings["parity"].gamma.shape == (2,)
    return folder / "mine.katachi"


def test_it_loads_again(saved: Path) -> None:
    model = load_model(saved, catalogues=[MINE])
    position = games(0, 4)[0].position(10)
    chances = model.probabilities(position)
    assert sum(chances.values()) == pytest.approx(1.0)
    assert "parity" in model.team(position, max(chances, key=lambda p: chances[p]))
    assert load_model(saved, catalogues=(PLAYOUT, MINE)).digest == model.digest


def test_features_that_are_not_known(saved: Path) -> None:
    words = r"was trained with the features 'mine', which this program does not have: give them in "
    with pytest.raises(KatachiError, match=words + r"Python, load_model\(…, catalogues=\[…\]\)"):
        load_model(saved)


@pytest.mark.parametrize(
    ("families", "words"),
    [
        (MINE.families[:2], "knows the feature family 'parity', which the features 'mine' of"),
        (
            (*MINE.families[:2], replace(PARITY, levels=PARITY.levels[:1])),
            "knows the feature family 'parity' with 2 levels, which",
        ),
        (
            (*MINE.families, replace(PARITY, name="more")),
            "does not know the feature family 'more', which the features 'mine'",
        ),
    ],
)
def test_other_families_under_the_same_name(
    saved: Path, families: tuple[Family, ...], words: str
) -> None:
    with pytest.raises(KatachiError, match=words) as error:
        load_model(saved, catalogues=[Catalogue("mine", families)])
    assert "damaged" not in str(error.value)


def test_going_on_with_a_pilot(tmp_path: Path) -> None:
    """Training loads models itself."""
    settings = Settings(catalogue=MINE, field=8)
    first = train(games(0, 4), settings, tmp_path / "work")
    assert (tmp_path / "work" / "pilot.katachi").exists()
    assert train(games(0, 4), settings, tmp_path / "work").digest == first.digest
