"""What the features of a move are worth together, in words: the part of an opinion that models with
interactions have beside the ratings of single features.

All shapes of a move count as one here, as they do elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

import numpy as np

from katachi.evaluation.ratings import Rater, Rating
from katachi.models.elo import ELO
from katachi.models.predictor import Contribution, Member
from katachi.patterns.shapes.answers import Answers

TOGETHER: Final = "Together"
SIGN: Final = " × "
MOST: Final = 6  # that are told one by one,
LEAST: Final = 15.0  # from so many Elo on
# These stand for all shapes of the move, all its answers, and all shapes of the last move.
_SHAPES, _ANSWERS, _LAST = (Member(name, 0) for name in ("shapes", "answers", "last move"))
REST: Final = "all others"


class Told(NamedTuple):
    """What is worth something together, and the titles of the families."""

    rating: Rating
    title: str


def told_together(found: Sequence[Contribution], rater: Rater) -> list[Told]:
    """The largest of what is not the rating of one feature, and the sum of the rest: all in all as
    much as these contributions. Of a pair a `Rating` has no number of a level, and counts nothing.
    """
    sums: dict[tuple[Member, ...], float] = {}
    exact = all(one.exact for one in found)
    for one in found:
        if len(one.members) == 1 and one.exact:
            continue
        key = tuple(_kind(member, rater) for member in one.members)
        sums[key] = sums.get(key, 0.0) + one.value
    if not sums:
        return []
    order = sorted((key for key in sums if key), key=lambda key: -abs(sums[key]))
    shown = [key for key in order[:MOST] if abs(ELO * sums[key]) >= LEAST]
    ratings = [_told(key, sums[key], rater, exact) for key in shown]
    rest = float(np.sum([value for key, value in sums.items() if key not in shown]))
    words = f"has {'other ' if shown else ''}features that count a little together"
    return [
        *sorted(ratings, key=lambda one: -one.rating.elo),
        Told(_rating("", REST if shown else "all", rest, words), TOGETHER),
    ]


def sentence_of(told: Sequence[Told]) -> str:
    """The words for all of them: those of the one that counts most in the direction of the sum."""
    total = sum(one.rating.elo for one in told)
    best = max(told, key=lambda one: one.rating.elo if total >= 0 else -one.rating.elo)
    if best.rating.family:
        return best.rating.sentence
    return f"has features that are {_more(total)} usual together"


def _told(key: tuple[Member, ...], value: float, rater: Rater, exact: bool) -> Told:
    more = _more(value)
    if key in _WITHIN:
        title, sentence = _WITHIN[key]
        sentence = f"{sentence}, which is {more} usual together"
        return Told(_rating(key[0].family, "one within the other", value, sentence), title)
    words = [_words(member, rater) for member in key]
    own = [w for m, w in zip(key, words, strict=True) if not _is_of_position(m, rater)]
    where = [w.sentence for m, w in zip(key, words, strict=True) if _is_of_position(m, rater)]
    because = f", because the position {where[0]}" if where else ""
    elo = f"about {abs(ELO * value):.0f} Elo {more} usual"
    if exact and where:
        sentence = f"{own[0].sentence}, which is {more} usual here{because}"
    elif exact:
        said = " and ".join(dict.fromkeys(w.sentence for w in own))
        sentence = f"{said}, which is {more} usual together"
    elif own:
        sentence = f"{own[0].sentence}, which is {elo} with its other features, here"
    else:
        sentence = f"is {elo}{because}"
    family = "*".join(member.family for member in key)
    level = SIGN.join(w.level for w in words)
    return Told(_rating(family, level, value, sentence), SIGN.join(w.title for w in words))


class _Words(NamedTuple):
    title: str
    level: str
    sentence: str


_KNOWN: Final = {
    _SHAPES: _Words("Shape", "all", "makes this shape"),
    _ANSWERS: _Words("Answer", "all", "answers the last move in this way"),
    _LAST: _Words("Shape of the last move", "all", "has a last move in this shape"),
}


_WITHIN: Final = {
    (_SHAPES, _SHAPES): ("Shapes", "makes this shape and those within it"),
    (_ANSWERS, _ANSWERS): ("Answers", "answers the last move in this way, seen near and far"),
}


def _kind(member: Member, rater: Rater) -> Member:
    """The member, or what stands for all of its kind."""
    found = rater.shape(*member)
    if found is None:
        return member
    if member.family in rater.position:
        return _LAST
    return _ANSWERS if isinstance(found[0].templates, Answers) else _SHAPES


def _is_of_position(member: Member, rater: Rater) -> bool:
    return member == _LAST or member.family in rater.position


def _words(member: Member, rater: Rater) -> _Words:
    if member in _KNOWN:
        return _KNOWN[member]
    level = rater.families[member.family].levels[member.level - 1]
    return _Words(rater.families[member.family].title, level.name, level.sentence)


def _more(value: float) -> str:
    return "more" if value >= 0 else "less"


def _rating(family: str, level: str, value: float, sentence: str) -> Rating:
    return Rating(family, 0, level, exp(value), ELO * value, 0.0, 0, 0, sentence, "")
