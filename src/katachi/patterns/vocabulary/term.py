"""What a word is: its key, its names, its sentence, its definition; and a group of them.

Words of one group exclude each other: of those that fit a move, the first in the group's order is
told. A move may have words of several groups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from katachi.patterns.context import Context
from katachi.patterns.family import Family, Level


class Term(NamedTuple):
    """A word of the vocabulary. The definition is the glossary's: it leaves nothing open that the
    function of the group decides, except what the words before it in the group have taken.
    """

    key: str  # never changes: models and translations know the word by it
    word: str  # in English
    sentence: str  # the rest of "This move …"
    definition: str  # after "A move is this, if …", without the full stop


@dataclass(frozen=True, eq=False)
class Group:
    """A group of words, in order, and the family that they are."""

    terms: tuple[Term, ...]
    family: Family


def group_of(
    name: str,
    title: str,
    terms: tuple[Term, ...],
    level: Callable[[Context, int], int],
    prepare: Callable[[Context], None] | None = None,
) -> Group:
    """The group whose function gives the number of a term, from 1, or 0."""
    levels = tuple(Level(term.key, term.sentence) for term in terms)
    return Group(terms, Family(name, title, levels, level, prepare))
