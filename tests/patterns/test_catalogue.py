from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.go.points import PASS, row_col
from katachi.go.position import Position
from katachi.patterns.catalogue import CATALOGUES, COULOM, PLAYOUT, Catalogue
from katachi.patterns.competitions import describe_corpus
from katachi.patterns.context import Context
from katachi.patterns.describe import describe_position
from katachi.patterns.families.light import AROUND, classes3x3
from katachi.patterns.family import Family, Level
from katachi.patterns.features import Features
from katachi.records.bundled import bundled_games

# Coulom 2007, Table 1: levels of each family
TABLE_1 = {
    "pass": 2,
    "capture": 5,
    "extension": 2,
    "self-atari": 1,
    "atari": 3,
    "border": 4,
    "distance": 16,
    "distance2": 17,
    "owner": 8,
}


def test_the_ten_families_of_table_1() -> None:
    assert {f.name: len(f.levels) for f in COULOM.families} == TABLE_1
    assert [h.dictionary for h in COULOM.harvests] == ["shape"]


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=lambda c: c.name)
def test_every_level_has_a_name_and_a_sentence(catalogue: Catalogue) -> None:
    names = [family.name for family in catalogue.families]
    assert len(set(names)) == len(names)
    for family in catalogue.families:
        assert family.title
        assert len({level.name for level in family.levels}) == len(family.levels)
        for level in family.levels:
            assert level.name
            assert level.sentence[0].islower()  # it goes on after "This move"
            assert not level.sentence.endswith(".")


def _corner(context: Context, p: int) -> int:
    """A toy family: is the move in the upper left quarter?"""
    return int(max(row_col(p)) < context.board.side // 2)


TOY = Family("corner", "Toy", (Level("upper left", "is in the upper left quarter"),), _corner)


def test_a_family_is_one_function_and_one_line(tmp_path: Path, corpus_cache: Path) -> None:
    """Adding a family needs nothing else: it is described alone and in a whole corpus."""
    catalogue = Catalogue("toy", (*PLAYOUT.families, TOY))
    teams = describe_position(Position(9), Features(catalogue))
    assert sum("corner" in team for team in teams.values()) == 16
    corpus = bundled_games().take(np.arange(3))
    competitions = describe_corpus(corpus, Features(catalogue), tmp_path / "out")
    assert competitions.families == [*(f.name for f in PLAYOUT.families), "corner"]
    column = competitions.shards[0]["corner"]
    assert set(np.unique(column)) == {0, 1}
    assert corpus_cache.exists()


def test_the_family_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "patterns.md").read_text(encoding="utf-8")
    known: dict[str, Any] = {"__name__": __name__}  # Numba keeps kernels by file and name
    exec(compile(text.split("```")[1].removeprefix("python"), __file__, "exec"), known)
    catalogue = Catalogue("docs", (*COULOM.families, known["HALF"]))
    teams = describe_position(Position(9), Features(catalogue))
    levels = {p: team.get("half") for p, team in teams.items()}
    assert levels.pop(PASS) is None
    assert {p: 1 if row_col(p)[1] < 4 else 2 for p in levels} == levels


def test_classes_of_3x3_shapes() -> None:
    """Brute force over all pictures: classes are exactly the orbits of the symmetries."""
    table, smallest = classes3x3()
    assert len(smallest) == 1107  # as counted by others for 3x3 patterns with edges
    assert np.count_nonzero(table) == sum(table[code] > 0 for code in range(1 << 16))

    def rotate(code: int) -> int:
        states = {place: code >> 2 * k & 3 for k, place in enumerate(AROUND)}
        return sum(states[-dx, dy] << 2 * k for k, (dy, dx) in enumerate(AROUND))

    def mirror(code: int) -> int:
        states = {place: code >> 2 * k & 3 for k, place in enumerate(AROUND)}
        return sum(states[dy, -dx] << 2 * k for k, (dy, dx) in enumerate(AROUND))

    for code in np.flatnonzero(table).tolist():
        orbit = {code}
        for _ in range(4):
            orbit |= {rotate(c) for c in orbit} | {mirror(c) for c in orbit}
        assert {int(table[c]) for c in orbit} == {int(table[code])}
        assert smallest[table[code] - 1] == min(orbit)


def test_3x3_shapes_are_seen_from_the_mover() -> None:
    position = Position.from_diagram(".....\n.XO..\n.....\n.....\n.....", to_move=1)
    other = Position.from_diagram(".....\n.OX..\n.....\n.....\n.....", to_move=2)
    one, two = (describe_position(p, Features(PLAYOUT)) for p in (position, other))
    assert {p: team["shape3"] for p, team in one.items() if p} == {
        p: team["shape3"] for p, team in two.items() if p
    }
    assert one[position.point("B3")]["shape3"] != one[position.point("C3")]["shape3"]
    # the mirrored place on the empty side of the board
    assert one[position.point("A1")]["shape3"] == one[position.point("E1")]["shape3"]
