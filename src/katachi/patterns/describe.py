"""From positions to teams: the level of every family for every candidate; and of the position's
families, for all of them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import fresh
from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.patterns.context import Context
from katachi.patterns.family import Family
from katachi.patterns.features import Features, Watch
from katachi.patterns.situation import Situation
from katachi.patterns.together import (
    OTHERS,
    TOGETHER,
    WHOLE,
    Writer,
    made_of,
    write_others,
    write_together,
    write_whole,
    write_words,
)
from katachi.patterns.vocabulary.groups import WORD_FAMILIES

_Kernel: TypeAlias = tuple[tuple[Family, ...], Writer, type[np.unsignedinteger[Any]]]
_CANDIDATES: Final[tuple[_Kernel, ...]] = (
    (TOGETHER, write_together, np.uint8),
    (WORD_FAMILIES, write_words, np.uint8),
    (OTHERS, write_others, np.uint16),
)
_POSITION: Final[tuple[_Kernel, ...]] = ((WHOLE, write_whole, np.uint8),)
_PASS_ALONE: Final = np.array([PASS], np.int16)


class _Call(NamedTuple):
    """A call of a kernel: which of its rows are wanted, and whose column each becomes."""

    write: Writer
    wanted: npt.NDArray[np.bool_]
    dtype: type[np.unsignedinteger[Any]]
    # (row, column, the family's dtype if it is another one)
    rows: list[tuple[int, int, np.dtype[Any] | None]]


class _Plan(NamedTuple):
    """How some families are written: by kernels, all others one by one, by the number of their
    column.
    """

    calls: list[_Call]
    alone: list[tuple[int, Family]]
    slow: bool


@lru_cache(maxsize=32)
def _plan(families: tuple[Family, ...], whole: bool) -> _Plan:
    kernels = list(_POSITION if whole else _CANDIDATES)
    ours = {family for members, _, _ in kernels for family in members}
    # A user's own families that are compiled share a kernel, too; plain functions cannot.
    own = tuple(f for f in families if f not in ours and _is_compiled(f))
    if own:
        kernels.append((own, _own_writer(own, whole), np.uint32))
    calls = []
    for members, write, dtype in kernels:
        row_of = {family: row for row, family in enumerate(members)}
        rows = [
            (row_of[f], column, None if f.dtype == dtype else f.dtype)
            for column, f in enumerate(families)
            if f in row_of
        ]
        if rows:
            wanted = np.zeros(len(members), np.bool_)
            wanted[[row for row, _, _ in rows]] = True
            calls.append(_Call(write, wanted, dtype, rows))
    alone = [(k, f) for k, f in enumerate(families) if f not in ours and f not in own]
    return _Plan(calls, alone, any(f.slow for f in families))


def _is_compiled(family: Family) -> bool:
    functions = (family.level, family.prepare or family.level)
    return all(hasattr(function, "py_func") for function in functions)


@cache
def _own_writer(families: tuple[Family, ...], whole: bool) -> Writer:
    return fresh(made_of("write_own", families, whole))


def describe(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """One column per family, of its dtype: the levels of the candidates, 0 for none."""
    return _written(situation, families, whole=False)


def describe_whole(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """The same of families of the position: a column has its level alone."""
    return _written(situation, families, whole=True)


def described(situation: Situation, features: Features) -> dict[str, npt.NDArray[Any]]:
    """Family → its column of levels, 0 for none. The candidates' families have one for each
    candidate, those of the position have one.
    """
    families, whole = features.families, features.position_families
    columns = describe(situation, families)
    if whole:
        families += whole
        columns += describe_whole(situation, whole)
    return {family.name: column for family, column in zip(families, columns, strict=True)}


def _written(
    situation: Situation, families: tuple[Family, ...], whole: bool
) -> list[npt.NDArray[Any]]:
    plan = _plan(families, whole)
    candidates, n = (_PASS_ALONE, 1) if whole else (situation.candidates, situation.count)
    context = situation.with_owned() if plan.slow else situation.context
    columns: list[Any] = [None] * len(families)
    for call in plan.calls:
        out = np.empty((len(call.wanted), n), call.dtype)
        call.write(context, candidates, n, call.wanted, out)
        rows = list(out)
        for row, column, dtype in call.rows:
            columns[column] = rows[row] if dtype is None else rows[row].astype(dtype)
    for column, family in plan.alone:
        columns[column] = np.zeros(n, family.dtype)
        if family.write is not None:
            family.write(situation, columns[column])
        else:
            asked = candidates[: n if whole or family.of_pass else n - 1]
            _write_plain(family, context, asked.tolist(), columns[column])
    return columns


def _write_plain(family: Family, context: Context, points: list[int], out: Any) -> None:
    """Write the levels of a family that is a plain function: a call for each of these points."""
    assert family.level is not None, f"the family {family.name} has no function"
    if family.prepare is not None:
        family.prepare(context)
    for i, p in enumerate(points):
        out[i] = family.level(context, p)


def describe_position(position: Position, features: Features) -> dict[int, dict[str, int]]:
    """Every legal point, and PASS → family → level, for the side to move.

    A family without a level for a move is absent. Raises KatachiError if the shapes were not
    harvested on boards of this size.
    """
    features.check_size(position.size, "the position")
    watch = Watch(features)
    watch.start(position.size)
    situation = watch.look(position.board)
    columns = describe(situation, features.families)
    return {
        int(point): {
            family.name: int(column[i])
            for family, column in zip(features.families, columns, strict=True)
            if column[i]
        }
        for i, point in enumerate(situation.candidates[: situation.count])
    }
