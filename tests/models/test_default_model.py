"""The model that comes with Katachi."""

from __future__ import annotations

from importlib.resources import files

import pytest

import katachi
from katachi.go.points import PASS, row_col
from katachi.models.model import BUNDLED, load_model


def test_it_is_small_and_says_what_it_is_made_of() -> None:
    assert len((files("katachi") / "models" / f"{BUNDLED}.katachi").read_bytes()) <= 12_000_000
    model = katachi.load_model()
    assert model.predictor.learner == "hidden"
    assert model.about["converged"]
    small = ["games-9x9.tar.xz", "games-13x13.tar.xz"]
    # Never a pack of test games; one game of a hundred was held out
    assert model.about["names"] == ["pro-train-20000.tar.xz", "amateur-large-kgs.tar.xz", *small]
    assert model.about["games"] == 34_875
    assert model.about["sizes"] == [9, 13, 19]
    assert model.playout is not None
    assert model.playout.about["names"] == ["amateur-large-kgs.tar.xz", *small]
    assert not model.features.owner  # 15 times slower


def test_it_knows_what_everybody_knows() -> None:
    model = katachi.load_model()
    chances = model.probabilities(katachi.Position(19))
    assert sum(chances.values()) == pytest.approx(1)
    assert len(chances) == 362
    corners = {p for p in chances if p != PASS and lines(p) in ((3, 4), (4, 4), (3, 3))}
    assert sum(chances[p] for p in corners) > 0.9
    position = katachi.Position.from_diagram(
        """
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . O . . . . . . . . . . . X . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . O . . . . . . . .
        . . . . . . . . . O X . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        . . . X . . . . . . . . . . . O . . .
        . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . .
        """,
        to_move=2,
    )
    position.play("M10")  # atari
    chances = model.probabilities(position)
    assert max(chances, key=chances.__getitem__) == position.point("L9")  # extends


def lines(p: int) -> tuple[int, int]:
    row, col = sorted(min(x + 1, 19 - x) for x in row_col(p))
    return row, col


def test_other_boards_are_refused_in_one_sentence() -> None:
    model = katachi.load_model()
    for size in (9, 13):
        assert len(model.probabilities(katachi.Position(size))) == size * size + 1
    with pytest.raises(katachi.KatachiError, match=r"is on 7x7, .* on 9x9, 13x13, 19x19"):
        model.probabilities(katachi.Position(7))


def test_its_name() -> None:
    assert load_model("default").digest == load_model().digest
