"""What features are worth together: it adds up, and it is said in words."""

from __future__ import annotations

import math
from typing import Any

import pytest

from katachi.evaluation.ratings import Rater
from katachi.models.elo import ELO
from katachi.models.model import Model
from katachi.models.predictor import Contribution, Member
from katachi.study.opinion import Opinion
from katachi.study.together import LEAST, MOST, REST, TOGETHER, sentence_of, told_together
from tests.trained import ALL_RADII, FACTORS, HIDDEN, games, positions, trained

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("settings", [FACTORS, HIDDEN], ids=["factors", "hidden"])
def test_groups_add_up(settings: Any) -> None:
    model = trained(settings)
    for position in positions(games(10, 12), 23):
        opinion = Opinion(model, position)
        first, last = opinion.explain(opinion.ranked[0]), opinion.explain(opinion.ranked[-1])
        for one in (first, last):
            total = sum(group.elo for group in one.groups)
            assert total == pytest.approx(ELO * math.log(one.gamma), abs=0.01)
            *linear, together = one.groups
            assert together.title == TOGETHER
            assert TOGETHER not in [group.title for group in linear]
            assert sum(m.elo for m in together.members) == pytest.approx(together.elo)
            team = model.team(position, one.move)
            told = {m.family: (m.number, m.gamma) for g in linear for m in g.members}
            assert told == team
            assert len(together.members) <= MOST + 1
            assert all(abs(m.elo) >= LEAST for m in together.members[:-1])
            assert one.why
        gap = sum(g.elo for g in first.groups) - sum(g.elo for g in last.groups)
        odds = first.probability / last.probability
        assert gap == pytest.approx(ELO * math.log(odds), abs=0.01)
        assert opinion.compare(last.move, first.move)
        data = first.data()["groups"]
        assert all(m["sentence"] for m in data[-1]["members"])
        assert not any("sentence" in m for group in data[:-1] for m in group["members"])


def test_plain_models_have_nothing_of_it() -> None:
    model = trained(ALL_RADII)
    opinion = Opinion(model, games()[3].position(20))
    for move in opinion.ranked[:3]:
        assert TOGETHER not in [group.title for group in opinion.explain(move).groups]
        found = model.predictor.contributions(opinion._columns, opinion._at(move))
        assert told_together(found, Rater(model)) == []
        team = model.team(games()[3].position(20), move)
        assert {m.family: m.level for c in found for m in c.members} == {
            name: level for name, (level, _) in team.items()
        }
        total = sum(one.value for one in found)
        assert total == pytest.approx(math.log(opinion.explain(move).gamma), abs=1e-6)


def told(model: Model, *found: Contribution) -> list[tuple[str, str, float]]:
    parts = told_together(found, Rater(model))
    return [(one.title, one.rating.sentence, round(one.rating.elo)) for one in parts]


def elo(points: float) -> float:
    return points / ELO


def test_words_of_pairs() -> None:
    model = trained(FACTORS)
    line, stage, shape = Member("border", 3), Member("stage", 1), Member("shape-4", 1)
    atari = Member("atari", 3)
    small, other = Member("shape-3", 1), Member("distance", 1)
    found = told(
        model,
        Contribution((line,), elo(500)),
        Contribution((line, atari), elo(-50)),
        Contribution((line, stage), elo(80)),
        Contribution((line, shape), elo(30)),
        Contribution((line, small), elo(10)),
        Contribution((shape, small), elo(20)),
        Contribution((other, stage), elo(4)),
    )
    families = Rater(model).families
    words = families["border"].levels[2].sentence
    position = families["stage"].levels[0].sentence
    assert found == [
        (
            f"{families['border'].title} × {families['stage'].title}",
            f"{words}, which is more usual here, because the position {position}",
            80,
        ),
        (
            f"{families['border'].title} × Shape",
            f"{words} and makes this shape, which is more usual together",
            40,
        ),
        ("Shapes", "makes this shape and those within it, which is more usual together", 20),
        (
            f"{families['border'].title} × {families['atari'].title}",
            f"{words} and {families['atari'].levels[2].sentence}, which is less usual together",
            -50,
        ),
        (TOGETHER, "has other features that count a little together", 4),
    ]


def test_words_of_a_layer() -> None:
    model = trained(HIDDEN)
    line, stage = Member("border", 3), Member("stage", 1)
    found = told(
        model,
        Contribution((line,), elo(500)),
        Contribution((line,), elo(-70), exact=False),
        Contribution((stage,), elo(20), exact=False),
        Contribution((), elo(9), exact=False),
    )
    families = Rater(model).families
    words = families["border"].levels[2].sentence
    position = families["stage"].levels[0].sentence
    assert [sentence for _, sentence, _ in found] == [
        f"is about 20 Elo more usual, because the position {position}",
        f"{words}, which is about 70 Elo less usual with its other features, here",
        "has other features that count a little together",
    ]
    assert [points for _, _, points in found] == [20, -70, 9]


def test_the_sentence_of_all() -> None:
    model = trained(FACTORS)
    line, stage, atari = Member("border", 3), Member("stage", 1), Member("atari", 3)

    def sentence(first: float, second: float) -> str:
        one, two = Contribution((line, atari), elo(first)), Contribution((line, stage), elo(second))
        return sentence_of(told_together([one, two], Rater(model)))

    assert "because the position" in sentence(50, 60)
    assert sentence(60, 50).endswith("more usual together")
    assert sentence(-60, -50).endswith("less usual together")
    assert sentence(3, 4) == "has features that are more usual together"
    assert sentence(-3, 2) == "has features that are less usual together"
    [alone] = told_together([Contribution((line, atari), elo(3))], Rater(model))
    assert alone.rating.level != REST
