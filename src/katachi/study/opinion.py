"""What a model says of one position: how usual every move is, and why.

Usual and unusual is all that a model of games can tell, never good or bad: that takes a search.
What is said of a move are the players' words (katachi.study.words), whether or not the model's
features are; the numbers are the model's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.evaluation.ratings import Rater, Rating, is_answer
from katachi.go.points import vertex
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.templates import WHOLE_BOARD, Templates, offsets
from katachi.study.together import TOGETHER, sentence_of, told_together
from katachi.study.words.compare import compared, shares
from katachi.study.words.kinds import called
from katachi.study.words.seen import Seen
from katachi.study.words.words import Words

SUGGESTED: Final = 10
SHAPE: Final = "Shape"
ANSWER: Final = "Answer"
# The kinds of answers whose drawing tells most, the best first; another serves where they are not
_DRAWN: Final = ("8", "6", "4", "3")
_NUMBERS: Final = ("level", "gamma", "elo", "error", "wins", "appearances")  # of a feature, as JSON


@dataclass(frozen=True)
class Group:
    """Features of a move that are told together: all its shapes, all its answers, or one other
    feature; or what features are worth together, beside what each is worth alone
    (katachi.study.together).

    `title` names them; `elo` is their sum, `gamma` their product; `drawing` is of the largest
    shape or answer, "" where there is none. The members have no drawings of their own.
    """

    title: str
    sentence: str  # the rest of one after "This move …"
    gamma: float
    elo: float
    members: tuple[Rating, ...]
    titles: tuple[str, ...]  # of the members' families
    drawing: str = ""


@dataclass(frozen=True)
class Explained:
    """One move: how usual it is, and the team of features behind that, the strongest first; then
    what they are worth together, if the model knows.
    """

    move: int
    vertex: str
    probability: float
    rank: int  # 1 and as many as are more usual
    name: str  # what players call it: "hane at the head of two"
    why: str  # half a sentence after the move: what it answers and does, what speaks against it
    gamma: float  # of the team
    groups: tuple[Group, ...]

    @property
    def members(self) -> list[Rating]:
        """All features."""
        return [member for group in self.groups for member in group.members]

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "vertex": self.vertex,
            "probability": self.probability,
            "rank": self.rank,
            "name": self.name,
            "gamma": self.gamma,
            "why": self.why,
            "groups": [
                {
                    "title": group.title,
                    "sentence": group.sentence,
                    "gamma": group.gamma,
                    "elo": group.elo,
                    "drawing": group.drawing,
                    "members": [
                        {"family": m.family, "title": title}
                        | {name: getattr(m, name) for name in _NUMBERS}
                        | ({"sentence": m.sentence} if group.title == TOGETHER else {})
                        for m, title in zip(group.members, group.titles, strict=True)
                    ],
                }
                for group in self.groups
            ],
        }


class Opinion:
    """A model's opinion of a position, for its side to move.

    Raises KatachiError on a board size that the model does not know.
    """

    def __init__(self, model: Model, position: Position) -> None:
        self.model = model
        self.size = position.size
        points, self._columns = model.described(position)
        self.points: Sequence[int] = points  # legal points in order, then PASS
        self._place = {p: i for i, p in enumerate(points)}
        starts = np.array([0, len(points)])
        judged = model.predictor.judged(self._columns, starts)
        self._strengths, self._order, self._chances = judged
        self._rater = Rater(model)
        self._seen = Seen(position)  # now: the position may be played on
        self._explained: dict[int, Explained] = {}

    @cached_property
    def ranked(self) -> list[int]:
        """All moves, the most usual first; equal ones in the order of points."""
        order = np.lexsort((np.arange(len(self.points)), -self._order))
        return [self.points[i] for i in order.tolist()]

    @cached_property
    def probabilities(self) -> Mapping[int, float]:
        """Move → how likely it is played."""
        return dict(zip(self.points, self._chances.tolist(), strict=True))

    def probability(self, move: int) -> float:
        """How likely a legal move is played. Raises KatachiError if it is not legal."""
        return float(self._chances[self._at(move)])

    def rank(self, move: int) -> int:
        """1 and as many moves as are more usual. Raises KatachiError if it is not legal."""
        return 1 + int((self._order > self._order[self._at(move)]).sum())

    def name(self, move: int) -> str:
        """What players call a legal move. Raises KatachiError if it is not legal."""
        self._at(move)
        return called(self._words.name(move))

    def explain(self, move: int) -> Explained:
        """The team behind a legal move. Raises KatachiError if it is not legal."""
        at = self._at(move)
        if move not in self._explained:
            self._explained[move] = Explained(
                move,
                vertex(move, self.size),
                float(self._chances[at]),
                self.rank(move),
                self.name(move),
                self._words.sentence(move),
                float(self._strengths[at]),
                self._groups(at),
            )
        return self._explained[move]

    def why_less_usual(self, played: Explained) -> str:
        """Why a move is less usual than the most usual; "" if it is that, or as usual."""
        return "" if played.rank == 1 else self.compare(played.move, self.ranked[0])

    def compare(self, move: int, other: int) -> str:
        """Why a legal move is less usual than another: "C17 is a contact move where strong players
        approach the corner 62 times in 100: …". Empty if it is about as usual, or more. Raises
        KatachiError if one is not legal.
        """
        self._at(move)
        self._at(other)
        return compared(self._words, self.probabilities, self._shares, move, other)

    @cached_property
    def _words(self) -> Words:
        return Words(self._seen, self.ranked[:SUGGESTED])

    @cached_property
    def _shares(self) -> Mapping[str, float]:
        return shares(self._words, self.probabilities)

    def suggest(self, most: int = SUGGESTED) -> list[Explained]:
        """The most usual moves, explained."""
        return [self.explain(p) for p in self.ranked[:most]]

    def _at(self, move: int) -> int:
        if move not in self._place:
            raise KatachiError(f"{vertex(move, self.size)} is no legal move here")
        return self._place[move]

    def _groups(self, at: int) -> tuple[Group, ...]:
        groups = []
        shapes: list[tuple[Rating, Shapes, int]] = []
        answers: list[tuple[Rating, Shapes, int]] = []
        for name, level in self.model.levels(self._columns, at).items():
            rating = self._rater.rating(name, level)
            shape = self._rater.shape(name, level)
            if shape is not None:
                answer = is_answer(self.model, self._rater.families[name])
                (answers if answer else shapes).append((rating, *shape))
                continue
            title = self._title(name)
            groups.append(
                Group(title, rating.sentence, rating.gamma, rating.elo, (rating,), (title,))
            )
        if shapes:
            drawing = _draw_largest(shapes)
            groups.append(self._together(SHAPE, "makes a shape", shapes, drawing))
        if answers:
            words = "answers the last move in a way"
            groups.append(self._together(ANSWER, words, answers, _draw_answer(answers)))
        groups.sort(key=lambda group: -group.elo)
        told = told_together(self.model.predictor.contributions(self._columns, at), self._rater)
        if told:
            ratings = tuple(one.rating for one in told)
            groups.append(
                Group(
                    TOGETHER,
                    sentence_of(told),
                    float(np.prod([rating.gamma for rating in ratings])),
                    sum(rating.elo for rating in ratings),
                    ratings,
                    tuple(one.title for one in told),
                )
            )
        return tuple(groups)

    def _together(
        self, title: str, words: str, found: list[tuple[Rating, Shapes, int]], drawing: str
    ) -> Group:
        members = tuple(member for member, _, _ in found)
        elo = sum(member.elo for member in members)
        how = "often played" if elo > 0 else "seldom played" if elo < 0 else "known"
        return Group(
            title,
            f"{words} that is {how}",
            float(np.prod([member.gamma for member in members])),
            elo,
            members,
            tuple(self._title(member.family) for member in members),
            drawing,
        )

    def _title(self, name: str) -> str:
        family = self._rater.families.get(name)
        return name if family is None else family.title


def _draw_answer(answers: list[tuple[Rating, Shapes, int]]) -> str:
    """The answer that sees most around the last move, as text."""
    kinds = {shapes.templates.labels[shapes.rings[n]]: (shapes, n) for _, shapes, n in answers}
    shapes, number = next((kinds[k] for k in _DRAWN if k in kinds), next(iter(kinds.values())))
    return shapes.draw(number)


def _draw_largest(found: list[tuple[Rating, Shapes, int]]) -> str:
    """The largest of these shapes as text. Of those as large, one without the stones' liberties: it
    is the plainest.
    """
    heights = [_height(shapes, shape) for _, shapes, shape in found]
    large = [one for one, height in zip(found, heights, strict=True) if height == max(heights)]
    return min((shapes.draw(shape) for _, shapes, shape in large), key=len)


def _height(shapes: Shapes, shape: int) -> int:
    """How many lines a shape's drawing has."""
    ring, templates = int(shapes.rings[shape]), shapes.templates
    if not isinstance(templates, Templates) or templates.radii[ring] == WHOLE_BOARD:
        return shapes.draw(shape).count("\n") + 1
    return _rows(templates, ring)


@cache
def _rows(templates: Templates, ring: int) -> int:
    return len({0} | {dy for dy, _, within in offsets(templates) if within <= ring})
