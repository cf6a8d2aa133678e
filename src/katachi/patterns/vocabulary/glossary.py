"""The glossary: all words by groups, as a page of the documentation."""

from __future__ import annotations

import sys
from typing import Final

from katachi.patterns.vocabulary.groups import GROUPS
from katachi.patterns.vocabulary.names import japanese
from katachi.patterns.vocabulary.term import Group, Term

_HEAD: Final = """\
# The vocabulary

The words that Go players use of moves, each with what it means to Katachi. `--features words`
makes them features with ratings ([patterns.md](patterns.md#words)); `katachi ratings MODEL
--words` shows the ratings. This page is printed by `python -m
katachi.patterns.vocabulary.glossary`; the names in other languages are in
`src/katachi/patterns/vocabulary/words.toml`.

Words of one group exclude each other: of those that fit a move, the first in this order is told.
A move may have words of several groups. Colours and the symmetries of the board make no
difference.

In the definitions, a *string* is a set of connected stones, and a *cutting point* of a side is an
empty point that touches two stones of that side, of different strings, which are on opposite
sides of it, or at right angles with an enemy stone on the other point that touches both.
*Touching* is on the lines, *around* are all eight points. The *last move* is the opponent's, and
stands on the board. A line is counted from the nearest side, unless another one is named.
"""

# What the words of a group share, after its heading
_NOTES: Final = {
    "word-attack": """\
A *ladder* is read to its end, as everywhere in Katachi (`katachi.go.ladder`). A *chase* is a
ladder in which either side has one sensible move: the hunter takes the liberty that leaves the
prey fewer, or drives it to the edge; the prey runs; each run is a step
(`katachi.patterns.vocabulary.chase`).
""",
    "word-eye": """\
An *eye* is an empty point whose neighbours are all stones of one side. It is *false* if the
opponent has two of its corners, or one of them at the edge.
""",
    "word-corner": """\
A *corner* is the square of the seven lowest lines from two sides that meet; on boards below 14x14
it is as large as four of them find room. A *corner stone* is one on the third to fifth line from
both sides. Approaches and enclosures are on the third or fourth line from one side, and not lower
from the other. These words are told on boards of 9x9 and larger.
""",
    "word-side": """\
These words are told on boards of 9x9 and larger, of moves on the third or fourth line, with no
stone around them, outside the corners or on the last line of one. The *neighbours* are the
nearest stones along the side, to the left and to the right, on the second to fifth line, up to
nine columns away. A neighbour is a side's own if all the stones of its column are.
""",
}


def page() -> str:
    """The page, in Markdown."""
    return "\n".join([_HEAD, *map(_section, GROUPS)])


def _section(group: Group) -> str:
    note = _NOTES.get(group.family.name)
    told = f"\n{note}" if note else ""
    terms = "\n".join(map(_entry, group.terms))
    return f"## {group.family.title}\n{told}\n{terms}\n"


def _entry(term: Term) -> str:
    named = japanese(term.key)
    names = f"**{term.word}**, {named}" if named else f"**{term.word}**"
    return f"- {names}: {term.definition}. (`{term.key}`)"


if __name__ == "__main__":
    sys.stdout.write(page())
