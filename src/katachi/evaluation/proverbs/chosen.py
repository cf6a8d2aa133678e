"""Which candidates of a position a proverb speaks of: by the words of the vocabulary, by where they
are, and by the last move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.points import EMPTY, PASS, STRIDE
from katachi.patterns.describe import describe
from katachi.patterns.situation import Situation
from katachi.patterns.vocabulary.groups import GROUPS, TERMS, WORD_FAMILIES

Mask = npt.NDArray[np.bool_]
LOCAL: Final = 3  # lines from the last move, within which a move is near it


@dataclass(eq=False)
class Case:
    """A position: its candidates without the pass, the levels of their words, and the words of the
    last move, as they were before it was played.
    """

    board: Board
    points: npt.NDArray[np.int64]
    levels: npt.NDArray[np.int64]  # [group, candidate]
    last: int  # the opponent's last move if it stands on the board, else PASS
    last_words: frozenset[str]


Choose = Callable[[Case], Mask]


def case_of(situation: Situation, board: Board, last_words: frozenset[str]) -> Case:
    """The case of a position, for its side to move."""
    situation.look(board)
    last = int(board.previous[0])
    if last <= PASS or int(board.color[last]) != 3 - situation.mover:
        last = PASS
    return Case(
        board,
        situation.candidates[: situation.count - 1].astype(np.int64),
        np.array(describe(situation, WORD_FAMILIES), np.int64)[:, :-1],
        last,
        last_words if last != PASS else frozenset(),
    )


def words_of(case: Case, candidate: int) -> frozenset[str]:
    """The words of one candidate, by its number."""
    return frozenset(
        group.terms[level - 1].key
        for group, level in zip(GROUPS, case.levels[:, candidate].tolist(), strict=True)
        if level
    )


def with_words(*keys: str) -> Choose:
    """The candidates that have one of these words. Raises ValueError for what is no word."""
    if set(keys) - set(TERMS):
        raise ValueError(f"no words: {set(keys) - set(TERMS)}")
    tables = []
    for number, group in enumerate(GROUPS):
        table = np.array([False, *(term.key in keys for term in group.terms)])
        if table.any():
            tables.append((number, table))

    def choose(case: Case) -> Mask:
        found = np.zeros(len(case.points), np.bool_)
        for number, table in tables:
            found |= table[case.levels[number]]
        return found

    return choose


def with_group(*names: str) -> Choose:
    """The candidates that have any word of these groups."""
    return with_words(
        *(t.key for group in GROUPS if group.family.name in names for t in group.terms)
    )


def near_the_last(case: Case) -> Mask:
    """The candidates within three lines of the last move."""
    if case.last == PASS:
        return np.zeros(len(case.points), np.bool_)
    rows = np.abs(case.points // STRIDE - case.last // STRIDE)
    cols = np.abs(case.points % STRIDE - case.last % STRIDE)
    return np.maximum(rows, cols) <= LOCAL


def lines(case: Case) -> npt.NDArray[np.int64]:
    """[two, candidate] the lines of the candidates, from the nearer of two sides each."""
    size = int(case.board.side)
    row, col = case.points // STRIDE, case.points % STRIDE
    return np.array([np.minimum(row, size + 1 - row), np.minimum(col, size + 1 - col)])


def on_line(number: int) -> Choose:
    """The candidates on this line, from the nearest side."""
    return lambda case: lines(case).min(axis=0) == number


def one_two(case: Case) -> Mask:
    """The candidates on a 1-2 point."""
    found = lines(case)
    is_one_two: Mask = (found.min(axis=0) == 1) & (found.max(axis=0) == 2)
    return is_one_two


def waist(case: Case) -> Mask:
    """The candidates in the waist of a knight's move that the last move makes."""
    found: set[int] = set()
    color, last = case.board.color, case.last
    if last != PASS and "knights-move" in case.last_words:
        colour = int(color[last])
        for d in NEIGHBOURS:
            side = 1 if abs(d) == STRIDE else STRIDE
            for v in (-side, side):
                between = [last + d, last + d + v]
                far = last + 2 * d + v
                if (
                    all(int(color[q]) == EMPTY for q in between)
                    and 0 < far < len(color)
                    and int(color[far]) == colour
                ):
                    found.update(between)
    return np.isin(case.points, list(found))


def after_word(*keys: str) -> Callable[[Case], bool]:
    """Whether the last move has one of these words."""
    wanted = frozenset(keys)
    return lambda case: not wanted.isdisjoint(case.last_words)


def both_of(*choices: Choose) -> Choose:
    """The candidates that all of these choose."""

    def choose(case: Case) -> Mask:
        found = choices[0](case)
        for other in choices[1:]:
            found = found & other(case)
        return found

    return choose
