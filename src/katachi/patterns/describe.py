"""From positions to teams: the level of every family for every candidate."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

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
    Writer,
    made_of,
    write_others,
    write_together,
)

_OURS = frozenset((*TOGETHER, *OTHERS))


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
def _plan(families: tuple[Family, ...]) -> _Plan:
    # A user's own families that are compiled share a kernel, too; plain functions cannot.
    own = tuple(f for f in families if f not in _OURS and _is_compiled(f))
    kernels: list[tuple[tuple[Family, ...], Writer, Any]] = [
        (TOGETHER, write_together, np.uint8),
        (OTHERS, write_others, np.uint16),
    ]
    if own:
        kernels.append((own, _own_writer(own), np.uint32))
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
    alone = [(k, f) for k, f in enumerate(families) if f not in _OURS and f not in own]
    return _Plan(calls, alone, any(f.slow for f in families))


def _is_compiled(family: Family) -> bool:
    functions = (family.level, family.prepare or family.level)
    return all(hasattr(function, "py_func") for function in functions)


@cache
def _own_writer(families: tuple[Family, ...]) -> Writer:
    return fresh(made_of("write_own", families))


def describe(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """One column per family, of its dtype: the levels of the candidates, 0 for none."""
    plan = _plan(families)
    n = situation.count
    context = situation.with_owned() if plan.slow else situation.context
    columns: list[Any] = [None] * len(families)
    for call in plan.calls:
        out = np.empty((len(call.wanted), n), call.dtype)
        call.write(context, situation.candidates, n, call.wanted, out)
        rows = list(out)
        for row, column, dtype in call.rows:
            columns[column] = rows[row] if dtype is None else rows[row].astype(dtype)
    for column, family in plan.alone:
        columns[column] = np.zeros(n, family.dtype)
        if family.write is not None:
            family.write(situation, columns[column])
        else:
            _write_plain(family, context, situation.candidates[:n].tolist(), columns[column])
    return columns


def _write_plain(family: Family, context: Context, points: list[int], out: Any) -> None:
    """Write the levels of a family that is a plain function: a call for each candidate."""
    assert family.level is not None, f"the family {family.name} has no function"
    if family.prepare is not None:
        family.prepare(context)
    for i, p in enumerate(points):
        if p != PASS or family.of_pass:
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
