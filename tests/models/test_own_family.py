"""A family of one's own: a model trained with it is saved, and loaded again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
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
    assert model.predictor.ratings["parity"].gamma.shape == (2,)
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
    ],
)
def test_other_families_under_the_same_name(
    saved: Path, families: tuple[Family, ...], words: str
) -> None:
    with pytest.raises(KatachiError, match=words) as error:
        load_model(saved, catalogues=[Catalogue("mine", families)])
    assert "damaged" not in str(error.value)


def test_a_family_that_the_catalogue_has_got_since_is_left_out(saved: Path, tmp_path: Path) -> None:
    """Wherever it stands among the others."""
    model = load_model(saved, catalogues=[MINE])
    more = replace(PARITY, name="more")
    for families in ((*MINE.families, more), (more, *MINE.families)):
        grown = Catalogue("mine", families)
        later = load_model(saved, catalogues=[grown])
        assert later.features.catalogue is grown
        assert later.digest == model.digest
        for number in (0, 7, 30):
            position = games(0, 4)[0].position(number)
            assert later.probabilities(position) == model.probabilities(position)
        later.save(tmp_path / "later.katachi")
        again = load_model(tmp_path / "later.katachi", catalogues=[grown])
        assert again.probabilities(position) == model.probabilities(position)
    with pytest.raises(KatachiError, match="knows the feature family 'parity', which the features"):
        load_model(tmp_path / "later.katachi", catalogues=[Catalogue("mine", MINE.families[:2])])


def test_going_on_with_a_pilot(tmp_path: Path) -> None:
    """Training loads models itself."""
    settings = Settings(catalogue=MINE, options=BradleyTerryOptions(field=8))
    first = train(games(0, 4), settings, tmp_path / "work")
    assert (tmp_path / "work" / "pilot.katachi").exists()
    assert train(games(0, 4), settings, tmp_path / "work").digest == first.digest
