"""What a move is called where it has several words, and what kind of move that is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from katachi.patterns.vocabulary.contact import CONTACT_WORDS
from katachi.patterns.vocabulary.groups import TERMS

# Kind → what strong players do who play such a move, and its words. A move is called by the first
# word here that it has: what is rare and says much comes first.
_KINDS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("take stones", ("ko-capture", "ponnuki", "take-out-of-atari", "capture")),
    ("answer the atari", ("connect-out-of-atari", "run-out-of-atari")),
    ("sacrifice a stone", ("snapback", "throw-in")),
    ("catch stones", ("double-atari", "ladder", "net", "ladder-breaker")),
    ("connect", ("answer-peep", "connect-ko")),
    ("answer the contact move", ("answer-contact-hane", "answer-crosscut")),
    (
        "take an empty corner",
        ("star-point", "three-four", "three-three", "five-four", "five-three"),
    ),
    ("take the centre", ("centre",)),
    ("invade", ("three-three-invasion",)),
    (
        "approach the corner",
        (
            "double-approach",
            "approach-knight",
            "approach-one-space",
            "approach-large-knight",
            "approach-two-space",
        ),
    ),
    (
        "enclose the corner",
        (
            "enclosure-knight",
            "enclosure-one-space",
            "enclosure-large-knight",
            "enclosure-two-space",
        ),
    ),
    ("pincer", tuple(key for key in TERMS if key.startswith("pincer-"))),
    ("invade the side", ("splitting-move", "side-invasion")),
    ("cut", ("crosscut", "cut", "push-through", "wedge")),
    ("play hane", ("hane-head-of-three", "hane-head-of-two", "hane-first-line", "hane")),
    ("connect", ("solid-connection", "hanging-connection", "bamboo-joint")),
    ("answer the contact move", ("answer-contact-stretch",)),
    (
        "extend along the side",
        ("checking-extension", *(key for key in TERMS if key.startswith("extension-"))),
    ),
    ("play around the opponent's stones from outside", ("peep", "shoulder-hit", "cap")),
    ("play in contact", ("clamp", "push", "block", "turn", "bump", "contact")),
    ("put stones in atari", ("atari",)),
    ("play for eyes", ("make-eye", "destroy-eye", "fill-eye")),
    ("slide under the opponent", ("monkey-jump", "slide")),
    (
        "extend from their stones",
        ("crawl", "descent", "stretch", "empty-triangle", "dumpling", "side-by-side"),
    ),
    ("race for liberties", ("fill-liberty",)),
    ("make a ko threat", ("ko-threat",)),
    (
        "jump",
        (
            "diagonal",
            "one-space-jump",
            "knights-move",
            "two-space-jump",
            "large-knights-move",
            "diagonal-jump",
        ),
    ),
    ("answer the approach", ("answer-approach",)),
    ("play elsewhere", ("tenuki",)),
)
ORDER: Final = {key: i for i, key in enumerate(key for _, keys in _KINDS for key in keys)}
KIND: Final = {key: kind for kind, keys in _KINDS for key in keys}
PASS_KEY: Final = "pass"
NAMELESS: Final = "move"
_CONTACTS: Final = tuple(term.key for term in CONTACT_WORDS.terms)
# Words that say the same of a move as the first, in other words; or what its taking stones undoes
_COVERED: Final[dict[str, Collection[str]]] = {
    "take-out-of-atari": ("capture", "ponnuki", "turn", *_CONTACTS),
    "capture": ("turn", *_CONTACTS),
    "ponnuki": ("turn", *_CONTACTS),
    "ko-capture": ("turn", *_CONTACTS),
    "solid-connection": ("bump",),
    "block": ("turn",),
    "connect-out-of-atari": ("solid-connection", "stretch", "side-by-side"),
    "run-out-of-atari": ("stretch", "side-by-side", "turn"),
    "answer-peep": ("solid-connection",),
    "answer-crosscut": ("stretch",),
    "answer-contact-stretch": ("stretch",),
    "answer-contact-hane": ("hane",),
    "crosscut": ("contact",),
    "push": ("stretch", "crawl", "turn"),
    "bump": ("stretch", "side-by-side"),
    "snapback": ("contact", "wedge"),
    "throw-in": ("contact", "wedge"),
}
_FAR: Final = ("approach-", "enclosure-", "pincer-", "extension-", "checking-", "splitting-")
_THE: Final = frozenset(
    (
        *("star-point", "three-three", "centre", "connect-ko"),
        *(key for key in TERMS if key.startswith(("approach-", "enclosure-", "pincer-"))),
    )
)
BARE: Final = frozenset(
    ("run-out-of-atari", "fill-liberty", "fill-eye", "make-eye", "destroy-eye", "tenuki")
)


def in_order(keys: Collection[str]) -> list[str]:
    """The words of a move, the one it is called by first; those that only repeat others are left
    out.
    """
    covered = {other for key in keys for other in _COVERED.get(key, ())}
    if any(key.startswith(_FAR) for key in keys):
        covered |= {key for key in keys if KIND[key] == "jump"}
    return sorted((key for key in keys if key not in covered), key=ORDER.__getitem__)


def kind_of(key: str) -> str:
    """What strong players do who play a move of this name; "" for one without a name."""
    return "pass" if key == PASS_KEY else KIND.get(key, "")


def called(key: str) -> str:
    """The word by which a move is called: "hane", "pass", "move"."""
    return TERMS[key].word if key in TERMS else key


def with_article(key: str) -> str:
    """ "a hane", "the star point", "tenuki"."""
    word = called(key)
    if key in BARE:
        return word
    if key in _THE:
        return f"the {word}"
    vowel = word[0] in "aeiou" and not word.startswith("one")
    return f"{'an' if vowel else 'a'} {word}"
