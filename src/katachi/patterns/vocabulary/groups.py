"""All the groups of the vocabulary, in the order of the glossary."""

from __future__ import annotations

from typing import Final

from katachi.patterns.vocabulary.answer import ANSWERS
from katachi.patterns.vocabulary.attack import ATTACKS
from katachi.patterns.vocabulary.capture import CAPTURES
from katachi.patterns.vocabulary.contact import CONTACT_WORDS
from katachi.patterns.vocabulary.corner import CORNER
from katachi.patterns.vocabulary.eyes import EYES
from katachi.patterns.vocabulary.own import OWN
from katachi.patterns.vocabulary.side import SIDE
from katachi.patterns.vocabulary.term import Term

GROUPS: Final = (OWN, CONTACT_WORDS, CAPTURES, ATTACKS, EYES, CORNER, SIDE, ANSWERS)
WORD_FAMILIES: Final = tuple(group.family for group in GROUPS)
TERMS: Final[dict[str, Term]] = {term.key: term for group in GROUPS for term in group.terms}
