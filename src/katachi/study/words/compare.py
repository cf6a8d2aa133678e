"""Why a move is less usual than another, in words. Every number is made of the model's chances."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from katachi.go.points import PASS
from katachi.patterns.vocabulary.groups import TERMS
from katachi.study.words.kinds import BARE, called, kind_of, with_article
from katachi.study.words.phrases import where
from katachi.study.words.seen import both
from katachi.study.words.words import Words

LEAST: Final = 1.05  # times from which on one move is more usual than another
# How the second part of a word begins that stays as it is with several
_OF: Final = ("of ", "out ", "at ", "on ", "that ", "from ", "against ", "through", "to ", "over ")
_OWN: Final = re.compile(r"^its (\w+ stones)")
OFTEN: Final = 0.25  # of all chances, from which on a kind of move is what strong players do here


def compared(
    words: Words, chances: Mapping[int, float], share: Mapping[str, float], move: int, other: int
) -> str:
    """Why `move` is less usual than `other`, by the chances and the `shares` of kinds: "C17 is a
    contact move where strong players approach the corner 62 times in 100: F17, which makes the
    knight's approach to D16, is 4.6 times as usual here". Then comes what speaks against the move.
    Empty if it is about as usual, or more.
    """
    mine, its = chances[move], chances[other]
    if its < LEAST * mine:
        return ""
    key, kind = words.name(move), kind_of(words.name(other))
    often = f"where strong players {kind} {_often(share[kind])}"
    if key == words.name(other):
        said = f"{words.seen.name(move)} and {words.seen.name(other)} are {_of_one_name(key)};"
    elif kind and kind != kind_of(key) and share[kind] >= max(OFTEN, share[kind_of(key)]):
        said = f"{_named(words, move)} {often}:"
    else:
        said = f"{_named(words, move)};"
    said += f" {_described(words, move, other)}, is {times(its, mine)} as usual here"
    name = words.seen.name(move)
    against = [text for text in words.clauses(move).against if text not in words.shared]
    faults = [re.sub("^its? ", f"{name} ", _OWN.sub(f"the \\1 of {name}", t)) for t in against]
    return f"{said}; {both(faults)}" if faults else said


def _often(share: float) -> str:
    return f"{100 * share:.0f} times in 100" if share < 0.995 else "nearly always"


def _named(words: Words, move: int) -> str:
    """ "C17 is a contact move", "C17 makes an eye"."""
    if move == PASS:
        return "this is a pass"
    name, key = words.seen.name(move), words.name(move)
    if with_article(key) == called(key):
        return f"{name} {TERMS[key].sentence}"
    return f"{name} is {with_article(key)}"


def _described(words: Words, move: int, other: int) -> str:
    """ "F17, which makes the knight's approach to D16": what the other move does and this one does
    not.
    """
    if other == PASS:
        return "the pass, which leaves the board as it is"
    mine = words.clauses(move).does
    more = [text for text in words.clauses(other).does if text not in mine]
    return f"{words.seen.name(other)}, which {both(more[:2]) or where(words.seen, other)}"


def shares(words: Words, chances: Mapping[int, float]) -> Mapping[str, float]:
    """Kind of move → how likely one of that kind is played; "" of moves that have no name."""
    found: defaultdict[str, float] = defaultdict(float)
    for move, chance in chances.items():
        found[kind_of(words.name(move))] += chance
    return found


def times(more: float, less: float) -> str:
    """How many times as likely: "1.3 times", "12 times", "over 1,000 times"."""
    if more > 1000 * less:
        return "over 1,000 times"
    ratio = more / less
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:.0f} times"


def _of_one_name(key: str) -> str:
    word = called(key)
    if key in BARE or key not in TERMS:
        return f"both {word}"
    first, _, rest = word.partition(" ")
    if rest.startswith(_OF):
        return f"both {first}s {rest}"
    return f"both {word}{'es' if word.endswith(('s', 'h')) else 's'}"
