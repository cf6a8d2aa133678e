"""The proverbs that are tested: each with its moves, their rivals, and a diagram."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from katachi.evaluation.proverbs.chosen import (
    Case,
    Choose,
    after_word,
    both_of,
    near_the_last,
    on_line,
    one_two,
    waist,
    with_group,
    with_words,
)

_OWN_TOUCHING: Final = with_words(
    "solid-connection",
    "hanging-connection",
    "bamboo-joint",
    "turn",
    "descent",
    "stretch",
    "side-by-side",
    "crawl",
)


class Proverb(NamedTuple):
    """A proverb as a question to games.

    `diagram` is a board: X the side to move, O the opponent, @ the opponent's last move, * a move
    of the proverb.
    """

    key: str
    text: str
    moves: Choose
    rivals: Choose
    other: str  # the rivals in words: "another hane"
    diagram: str
    more: bool = True  # whether it bids its move, or forbids it
    situation: Callable[[Case], bool] | None = None


def _board(*rows: str, size: int = 9) -> str:
    """As many lines of as many points: those given are the lowest."""
    return "\n".join(" ".join(row) for row in [size * "."] * (size - len(rows)) + list(rows))


def _near_it(
    key: str,
    text: str,
    moves: Choose,
    diagram: str,
    situation: Callable[[Case], bool] | None = None,
) -> Proverb:
    """A proverb of answers: its rivals are all other moves near the last one."""
    other = "another move near it"
    return Proverb(key, text, moves, near_the_last, other, diagram, situation=situation)


PROVERBS: Final = (
    Proverb(
        "head-of-two",
        "Play hane at the head of two stones",
        with_words("hane-head-of-two"),
        with_words("hane"),
        "another hane",
        _board("..XX.....", "..OO*....", ".........", "........."),
    ),
    Proverb(
        "head-of-three",
        "Play hane at the head of three stones",
        with_words("hane-head-of-three"),
        with_words("hane"),
        "another hane",
        _board("..XXX....", "..OOO*...", ".........", "........."),
    ),
    Proverb(
        "empty-triangle",
        "Do not make empty triangles",
        with_words("empty-triangle"),
        _OWN_TOUCHING,
        "another move that touches an own stone",
        _board("...X.....", "...X*....", ".........", "........."),
        more=False,
    ),
    Proverb(
        "dumpling",
        "Do not make dumplings",
        with_words("dumpling"),
        _OWN_TOUCHING,
        "another move that touches an own stone",
        _board("...XX....", "...X*....", ".........", "........."),
        more=False,
    ),
    Proverb(
        "contact-hane",
        "Answer a contact move with a hane",
        with_words("answer-contact-hane"),
        with_words("answer-contact-stretch"),
        "the stretch",
        _board("....*....", "...X@....", ".........", "........."),
    ),
    _near_it(
        "hane-stretch",
        "Answer a hane by stretching",
        both_of(with_words("stretch"), near_the_last),
        _board("....*....", "...OX....", "....@....", ".........", "........."),
        after_word("hane"),
    ),
    _near_it(
        "crosscut",
        "From a crosscut, extend",
        with_words("answer-crosscut"),
        _board("...OX*...", "...X@....", ".........", "........."),
        after_word("crosscut"),
    ),
    Proverb(
        "cap",
        "Against a cap, play the knight's move",
        both_of(with_words("knights-move"), near_the_last),
        both_of(with_group("word-own"), near_the_last),
        "another move from own stones near it",
        _board("......@......", "....*........", "......X......", *[13 * "."] * 2, size=13),
        situation=after_word("cap"),
    ),
    _near_it(
        "peep",
        "Even a fool connects against a peep",
        with_words("answer-peep"),
        _board("...X*X...", "....@....", ".........", "........."),
    ),
    _near_it(
        "waist",
        "Strike at the waist of the knight's move",
        waist,
        _board("...O.....", "...**....", "....@....", ".........", "........."),
        after_word("knights-move"),
    ),
    Proverb(
        "first-line-hane",
        "In a race, there is death in the hane (on the first line)",
        with_words("hane-first-line"),
        with_words("fill-liberty"),
        "a move that takes a liberty in the race",
        _board("..XXX....", "..OOX....", "...OO*..."),
    ),
    Proverb(
        "ponnuki",
        "The ponnuki is worth thirty points",
        with_words("ponnuki"),
        with_words("capture"),
        "another capture",
        _board("....X....", "...XO*...", "....X....", "........."),
    ),
    Proverb(
        "atari",
        "Atari, atari is vulgar play",
        both_of(with_words("atari"), near_the_last),
        near_the_last,
        "another move near the last one",
        _board("...X.....", "...OX....", "...*@....", "........."),
        more=False,
    ),
    Proverb(
        "one-space-jump",
        "The one-space jump is never wrong",
        with_words("one-space-jump"),
        with_words(
            "diagonal", "knights-move", "two-space-jump", "large-knights-move", "diagonal-jump"
        ),
        "another jump, or a diagonal move",
        _board("...*.....", ".........", "...X.....", ".........", "........."),
    ),
    Proverb(
        "crawl",
        "Do not crawl on the second line",
        both_of(with_words("crawl"), on_line(2)),
        _OWN_TOUCHING,
        "another move that touches an own stone",
        _board("..OO.....", "..XX*....", "........."),
        more=False,
    ),
    Proverb(
        "corners",
        "Corners first, then sides",
        with_group("word-corner"),
        with_group("word-side"),
        "a move on a side",
        _board("..O......", "......*..", ".........", "........."),
    ),
    Proverb(
        "peep-or-cut",
        "Do not peep where you can cut",
        with_words("cut", "crosscut"),
        with_words("peep"),
        "a peep",
        _board("..OX.....", "..*O.....", ".........", "........."),
    ),
    Proverb(
        "monkey-jump",
        "The monkey jump is worth eight points",
        with_words("monkey-jump"),
        on_line(1),
        "another move on the first line",
        _board(".....O...", "..X..O...", ".....*..."),
    ),
    Proverb(
        "one-two",
        "Strange things happen at the 1-2 points",
        one_two,
        on_line(1),
        "another move on the first line",
        _board(".XX......", "...X.....", ".*......."),
    ),
    Proverb(
        "approach",
        "Answer an approach in the corner",
        with_words("answer-approach"),
        with_words("tenuki"),
        "a move elsewhere",
        _board(
            "..@..........", 13 * ".", "...X.........", ".....*.......", *[13 * "."] * 2, size=13
        ),
    ),
    Proverb(
        "attack-from-afar",
        "Do not attach to the stones that you attack",
        with_words("contact"),
        with_words("peep", "shoulder-hit", "cap"),
        "a peep, a shoulder hit or a cap",
        _board("....O....", "....*....", ".........", "........."),
        more=False,
    ),
    Proverb(
        "eyes",
        "The opponent's vital point is your own",
        with_words("destroy-eye"),
        near_the_last,
        "another move near the last one",
        _board("XXXX.....", "OOOX.....", ".*.O@...."),
    ),
)
BY_KEY: Final = {proverb.key: proverb for proverb in PROVERBS}
