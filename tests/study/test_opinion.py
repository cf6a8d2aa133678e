"""Opinions against the model's own numbers, and words that say what they should."""

from __future__ import annotations

import math

import pytest

from katachi.errors import KatachiError
from katachi.evaluation.ratings import Rater
from katachi.go.points import PASS, from_vertex
from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.models.elo import ELO
from katachi.models.model import load_model
from katachi.study.opinion import ANSWER, SHAPE, Opinion
from tests.trained import ANSWERING, PAIRED, games, positions, teams, trained


@pytest.mark.slow
@pytest.mark.parametrize("settings", [None, PAIRED, ANSWERING])
def test_against_the_model(settings: Settings | None) -> None:
    model = load_model() if settings is None else trained(settings)
    for position in positions(games(10, 11), 17):
        opinion = Opinion(model, position)
        chances = model.probabilities(position)
        found = teams(model, position)
        assert opinion.probabilities == pytest.approx(chances)
        order = [chances[p] for p in opinion.ranked]
        assert order == sorted(order, reverse=True)
        assert sorted(opinion.ranked) == sorted(chances)
        for p in (opinion.ranked[0], opinion.ranked[-1], PASS):
            one = opinion.explain(p)
            assert one.probability == pytest.approx(chances[p])
            assert one.rank == 1 + sum(c > chances[p] * (1 + 1e-12) for c in chances.values())
            told = {m.family: m.number for m in one.members if m.number}  # 0: of what acts together
            assert told == found[p]
            assert math.prod(m.gamma for m in one.members) == pytest.approx(one.gamma, rel=1e-4)
            total = sum(group.elo for group in one.groups)
            assert total == pytest.approx(ELO * math.log(one.gamma), abs=0.05)
            alone = [g.elo for g in one.groups if all(m.number for m in g.members)]
            assert alone == sorted(alone, reverse=True)
            for group in one.groups:
                assert group.gamma == pytest.approx(math.prod(m.gamma for m in group.members))


def test_words() -> None:
    """A stone in atari: taking it is usual, and the sentence says so."""
    position = Position.from_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . X O . . . . . .
        . . X . . . . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    opinion = Opinion(load_model(), position)
    take, far = from_vertex("D6", 9), from_vertex("J1", 9)
    one, other = opinion.explain(take), opinion.explain(far)
    assert opinion.rank(take) <= 5
    assert opinion.rank(far) > 40
    assert "takes" in " ".join(g.sentence for g in one.groups)
    assert one.name == "ponnuki"
    assert one.why.startswith("takes C6 and makes a ponnuki")
    words = opinion.compare(far, take)
    times = opinion.probability(take) / opinion.probability(far)
    assert words.startswith("J1 is ")
    assert "D6, which takes C6 and makes a ponnuki" in words
    assert ("over 1,000 times" if times > 1000 else f"{times:.0f} times") in words
    assert opinion.compare(take, far) == opinion.compare(take, take) == ""
    for group in one.groups:
        assert (group.title == SHAPE) == bool(group.drawing)
    assert not {"good", "bad", "best"} & set(f"{one.why} {other.why} {words}".split())


@pytest.mark.slow
def test_answers_are_told_apart_from_shapes() -> None:
    model = trained(ANSWERING)
    kinds = model.features.dictionaries["answer"].templates.labels
    assert kinds[:4] == ("3", "4", "6", "8")
    drawn = set()
    for position in positions(games(0, 3), 9):
        opinion = Opinion(model, position)
        for move in opinion.ranked:
            groups = {group.title: group for group in opinion.explain(move).groups}
            for title, start in ((SHAPE, "shape"), (ANSWER, "answer")):
                members = groups[title].members if title in groups else ()
                assert all(member.family.startswith(start) for member in members)
            if ANSWER not in groups:
                continue
            answer = groups[ANSWER]
            elo = sum(member.elo for member in answer.members)
            how = "often played" if elo > 0 else "seldom played"
            assert answer.sentence == f"answers the last move in a way that is {how}"
            assert answer.drawing.count("*") == answer.drawing.count("@") == 1
            known = [member.family.removeprefix("answer-") for member in answer.members]
            best = max((k for k in kinds[:4] if k in known), default=known[0])
            member = answer.members[known.index(best)]
            drawn.add(best)
            where = Rater(model).shape(member.family, member.number)
            assert where is not None
            assert answer.drawing == where[0].draw(where[1])
    assert len(drawn) > 1
    first = Opinion(model, games(0, 1)[0].position(0))
    assert ANSWER not in [group.title for group in first.explain(first.ranked[0]).groups]


def test_as_data() -> None:
    position = Position(9)
    opinion = Opinion(load_model(), position)
    data = opinion.suggest(3)[1].data()
    assert data["rank"] <= 2
    assert {"vertex", "probability", "gamma", "why", "groups"} < data.keys()
    members = [m for group in data["groups"] for m in group["members"]]
    assert all(m["appearances"] >= m["wins"] >= 0 for m in members)
    position.play("E5")
    after = Opinion(load_model(), position)
    with pytest.raises(KatachiError, match="E5 is no legal move here"):
        after.explain(from_vertex("E5", 9))


def test_a_board_that_the_model_does_not_know() -> None:
    with pytest.raises(KatachiError, match="11x11"):
        Opinion(load_model(), Position(11))
