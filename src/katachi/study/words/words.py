"""The words of all candidates of a position, and each move's sentence.

A sentence has up to three phrases of what a move is called, answers and does, and after "but" what
speaks against it. What all of the ten likeliest moves share is left out: it tells nothing of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from threading import local
from typing import Final, NamedTuple

import numpy as np

from katachi.go.board import Board, play
from katachi.go.ladder import ladder_work, taken_in_ladder
from katachi.go.points import PASS
from katachi.patterns.describe import describe
from katachi.patterns.situation import Situation
from katachi.patterns.vocabulary.corner import CORNER
from katachi.patterns.vocabulary.groups import GROUPS, WORD_FAMILIES
from katachi.patterns.vocabulary.side import SIDE
from katachi.study.words.kinds import KIND, NAMELESS, PASS_KEY, in_order
from katachi.study.words.phrases import Move, bearing, phrase, where
from katachi.study.words.seen import After, Seen, after, both, number

MOST: Final = 3  # phrases of a sentence before "but"
_ANSWERS: Final = frozenset(term.key for term in GROUPS[-1].terms) - {"tenuki", "ko-threat"}
_CONNECTED: Final = frozenset(
    (
        *(key for key, kind in KIND.items() if kind == "connect"),
        *("connect-out-of-atari", "empty-triangle", "dumpling"),
    )
)
# In a corner, or on a side, that is known by its word: nobody need be told that it is elsewhere
_PLACES: Final = frozenset(term.key for group in (CORNER, SIDE) for term in group.terms)
_GIVEN_AWAY: Final = frozenset(("snapback", "throw-in", "ko-capture", "ko-threat"))
_ATARIS: Final = frozenset(("double-atari", "ladder", "atari"))
_own = local()


class Clauses(NamedTuple):
    """What is said of a move, the most important first."""

    does: tuple[str, ...]
    against: tuple[str, ...]


class Words:
    """What can be said of the candidates of a position: `likely`, the likeliest ten, decide what
    all share.
    """

    def __init__(self, seen: Seen, likely: Sequence[int]) -> None:
        self.seen = seen
        self._likely = tuple(likely)
        self._clauses: dict[int, Clauses] = {}
        self._shared: frozenset[str] | None = None
        self._sentences: dict[int, str] | None = None

    @cached_property
    def _found(self) -> _Found:
        return _find(self.seen.board)

    def keys(self, move: int) -> tuple[str, ...]:
        """The words of a move, the one it is called by first."""
        if move == PASS:
            return (PASS_KEY,)
        return _ordered(tuple(self._found.levels[self._found.row[move]]))

    def name(self, move: int) -> str:
        """The key of what a move is called."""
        keys = self.keys(move)
        return keys[0] if keys else NAMELESS

    def clauses(self, move: int) -> Clauses:
        """All that can be said of a move."""
        if move not in self._clauses:
            keys = self.keys(move)
            self._clauses[move] = (
                Clauses((_passing(self.seen),), ())
                if move == PASS
                else _said(self.seen, move, keys)
            )
        return self._clauses[move]

    def sentence(self, move: int) -> str:
        """The rest of a sentence after "It …"."""
        if self._sentences is None:
            self._sentences = self._apart()
        if move not in self._sentences:
            return self._told(move)
        return self._sentences[move]

    @property
    def shared(self) -> frozenset[str]:
        """What can be said of each of the likeliest moves, if there are several."""
        if self._shared is None:
            said = [{*c.does, *c.against} for c in map(self.clauses, self._likely)]
            self._shared = frozenset(set.intersection(*said)) if len(said) > 1 else frozenset()
        return self._shared

    def _told(self, move: int, more: Sequence[str] = ()) -> str:
        does, against = self.clauses(move)
        left = [text for text in does if text not in self.shared][:MOST]
        if more or not left:
            left += more or [where(self.seen, move)]
        but = [text for text in against if text not in self.shared]
        return f"{both(left)}, but {both(but)}" if but else both(left)

    def _apart(self) -> dict[int, str]:
        """The sentences of the likeliest: those that are equal say where the move is, too, and if
        that does not tell them apart, how it lies to the nearest stone.
        """
        told = {move: self._told(move) for move in self._likely}
        for more in (where, bearing):
            count = Counter(told.values())
            for move, text in told.items():
                place = more(self.seen, move) if count[text] > 1 and move != PASS else ""
                if place:
                    told[move] = self._told(move, [place])
        return told


class _Found(NamedTuple):
    """Which words the candidates have: levels of each group, a row to a candidate."""

    row: dict[int, int]  # of a candidate
    levels: list[list[int]]


def _find(board: Board) -> _Found:
    situation: Situation = _own.__dict__.setdefault("situation", Situation())
    situation.look(board)
    points = situation.candidates[: situation.count].tolist()
    levels = np.array(describe(situation, WORD_FAMILIES)).T.tolist()
    return _Found({p: i for i, p in enumerate(points)}, levels)


@lru_cache(maxsize=4096)
def _ordered(levels: tuple[int, ...]) -> tuple[str, ...]:
    """The words of these levels, one of each group."""
    named = zip(GROUPS, levels, strict=True)
    return tuple(in_order([group.terms[level - 1].key for group, level in named if level]))


def _said(seen: Seen, p: int, keys: tuple[str, ...]) -> Clauses:
    done = after(seen, p)
    move = Move(seen, p, done)
    answers = [key for key in keys if key in _ANSWERS]
    others = [key for key in keys if key not in _ANSWERS and key != "tenuki"]
    does = [phrase(move, key) for key in (*answers, *others)]
    does += _effects(seen, p, done, keys)
    if "tenuki" in keys and not answers and not _PLACES.intersection(keys):
        does.append(phrase(move, "tenuki"))
    return Clauses(tuple(dict.fromkeys(does)), tuple(_against(seen, p, done, keys)))


def _effects(seen: Seen, p: int, done: After, keys: tuple[str, ...]) -> list[str]:
    """What a move does that no word of it says."""
    said = set(keys)
    found = []
    if done.saved and not said & _ANSWERS and not said & {"connect-ko"}:
        found.append(f"saves {seen.all_told(done.saved)} from atari")
    if len(done.joined) > 1 and not said & _CONNECTED:
        found.append(f"connects {seen.all_told(done.joined)}")
    if done.atari and not said & _ATARIS:
        found.append(f"puts {seen.all_told(done.atari)} in atari")
    pressed = [
        s
        for s in seen.strings_beside(p, 3 - seen.mover)
        if len(seen.string(s).liberties) == 3 and len(seen.string(s).stones) > 1
    ]
    if pressed:
        found.append(f"leaves {seen.all_told(pressed, 1)} two liberties")
    return found


def _against(seen: Seen, p: int, done: After, keys: tuple[str, ...]) -> list[str]:
    """What speaks against a move: its stones can be taken, or others are given up."""
    found = []
    own = "it" if done.stones == 1 else f"its {number(done.stones)} stones"
    if len(done.liberties) == 1 and not set(keys) & _GIVEN_AWAY:
        found.append(f"{own} can be taken at once")
    elif len(done.liberties) == 2 and "ladder" not in keys and _in_ladder(seen, p):
        found.append(f"{own} can be taken in a ladder")
    left = [s for s in done.left if seen.string(s) not in map(seen.string, done.joined)]
    if left:
        found.append(
            f"{seen.all_told(left)} {'are' if _several(seen, left) else 'is'} left in atari"
        )
    return found


def _several(seen: Seen, stones: list[int]) -> bool:
    return sum(len(seen.string(s).stones) for s in stones) > 1


def _in_ladder(seen: Seen, p: int) -> bool:
    """Whether the string that the move makes is taken in a ladder by an opponent who moves next."""
    board = seen.board.copy()
    play(board, p, seen.mover)
    work = _own.__dict__.get("ladder") or _own.__dict__.setdefault("ladder", ladder_work())
    return bool(taken_in_ladder(board, p, 3 - seen.mover, work))


def _passing(seen: Seen) -> str:
    if seen.recent and seen.recent[0] == PASS:
        return "answers the pass with a pass"
    return "passes"
