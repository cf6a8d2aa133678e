"""Answers a second time, slow and plain: the whole picture is written out, with both moves in it,
and the smallest of its 8 forms stands for all of them.

A kind is (radius around the last move, radius around the move, view, previous moves it tells of).
What it sees is seen as by the mover; the words are those of `shape_oracle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.templates import COULOM_CIRCLES, LIBERTY_CIRCLES, offsets
from tests.patterns.shape_oracle import REACH, Place, Turn, added, forms, picture, places, turns


class Sees(NamedTuple):
    last: int
    own: int
    view: str
    moves: int


KINDS = {
    "answers": {
        "3": Sees(3, 0, "plain", 1),
        "4": Sees(4, 0, "plain", 1),
        "6": Sees(6, 0, "plain", 1),
        "8": Sees(8, 0, "plain", 1),
        "liberties-3": Sees(3, 0, "liberties", 1),
        "liberties-4": Sees(4, 0, "liberties", 1),
        "both": Sees(3, 3, "plain", 1),
        "own-liberties": Sees(0, 4, "liberties", 1),
        "moves": Sees(0, 0, "plain", 2),
        "moves-shape": Sees(0, 3, "plain", 2),
    },
    "last": {
        "3": Sees(3, 0, "plain", 0),
        "4": Sees(4, 0, "plain", 0),
        "6": Sees(6, 0, "plain", 0),
        "liberties-3": Sees(3, 0, "liberties", 0),
    },
}

Circle: TypeAlias = tuple[tuple[Place, int], ...]  # (offset, state), in order
Whole: TypeAlias = tuple[tuple[Place, ...], Circle, Circle]  # the ways, around L, around the move
Answer: TypeAlias = tuple[str, Whole]  # (kind, the smallest form)


def smallest(ways: list[Place], circles: list[dict[Place, int]]) -> Whole:
    """The smallest of the 8 forms; all parts are turned alike."""

    def form(s: int) -> Whole:
        last, own = (
            tuple(sorted((forms(*at)[s], state) for at, state in circle.items()))
            for circle in circles
        )
        return tuple(forms(*way)[s] for way in ways), last, own

    return min(form(s) for s in range(8))


def answers_at(turn: Turn, place: Place, templates: str = "answers") -> list[Answer]:
    """The answers of all kinds that a move is."""
    found: list[Answer] = []
    for name, kind in KINDS[templates].items():
        previous = [turn.previous, turn.before][: max(1, kind.moves)]
        if None in previous:
            continue
        more = added(kind.view, turn.stones, turn.size, None)
        ways = [(place[0] - q[0], place[1] - q[1]) for q in previous if q is not None]
        assert turn.previous is not None
        circles = [
            dict(
                zip(
                    places(radius),
                    picture(turn.stones, turn.size, centre, turn.colour, radius, more),
                    strict=True,
                )
            )
            for centre, radius in ((turn.previous, kind.last), (place, kind.own))
        ]
        found.append((name, smallest(ways[: kind.moves], circles)))
    return found


def count_answers(records: Iterable[bytes], templates: str = "answers") -> Counter[Answer]:
    """How often each answer is played."""
    found: Counter[Answer] = Counter()
    for record in records:
        for turn in turns(record):
            if turn.place is not None:
                found.update(answers_at(turn, turn.place, templates))
    return found


def answers_of(shapes: Shapes) -> Iterator[Answer]:
    """The answers of a dictionary, unpacked from its pictures."""
    start = 0
    for ring in shapes.rings.tolist():
        name, kind = list(KINDS[shapes.templates.name].items())[ring]
        width = 2 if kind.view == "plain" else 4
        packed = shapes.pictures[start:].tolist()
        ways = [(packed[2 * i] - REACH, packed[2 * i + 1] - REACH) for i in range(kind.moves)]
        here = 2 * kind.moves
        circles = []
        for radius in (kind.last, kind.own):
            count = len(places(radius))
            size = (count * width + 7) // 8
            number = int.from_bytes(bytes(packed[here : here + size]), "little")
            base = COULOM_CIRCLES if kind.view == "plain" else LIBERTY_CIRCLES
            order = [(dy, dx) for dy, dx, _ in offsets(base)][:count]
            states = [number >> width * k & (1 << width) - 1 for k in range(count)]
            circles.append(dict(zip(order, states, strict=True)))
            here += size
        start += here
        yield name, smallest(ways, circles)
    assert start == len(shapes.pictures)


def counted_answers(shapes: Shapes) -> Counter[Answer]:
    """A dictionary as the oracle would have counted it. No answer may stand in it twice."""
    found = dict(zip(answers_of(shapes), shapes.counts.tolist(), strict=True))
    assert len(found) == len(shapes)
    return Counter(found)
