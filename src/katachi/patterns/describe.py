"""From positions to teams: the level of every family for every candidate; and of the position's
families, for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
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
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]


class _Block(NamedTuple):
    """Families that are found together: which rows of what is found are whose columns."""

    found: Callable[[Situation], npt.NDArray[np.int32]]
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]


class _Plan(NamedTuple):
    """How some families are written: by kernels, in blocks, all others one by one, by the number of
    their column.
    """

    calls: list[_Call]
    blocks: list[_Block]
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
        columns = [column for column, f in enumerate(families) if f in row_of]
        if columns:
            rows = np.array([row_of[families[column]] for column in columns])
            wanted = np.zeros(len(members), np.bool_)
            wanted[rows] = True
            calls.append(_Call(write, wanted, dtype, rows, np.array(columns)))
    blocks = []
    for found in dict.fromkeys(f.found for f in families if f.found is not None):
        columns = [k for k, f in enumerate(families) if f.found is found]
        blocks.append(
            _Block(found, np.array([families[k].row for k in columns]), np.array(columns))
        )
    alone = [
        (k, f) for k, f in enumerate(families) if f not in ours and f not in own and f.found is None
    ]
    return _Plan(calls, blocks, alone, any(f.slow for f in families))


def _is_compiled(family: Family) -> bool:
    functions = (family.level, family.prepare or family.level)
    return all(hasattr(function, "py_func") for function in functions)


@cache
def _own_writer(families: tuple[Family, ...], whole: bool) -> Writer:
    return fresh(made_of("write_own", families, whole))


def levels_of(
    situation: Situation, families: tuple[Family, ...], whole: bool = False
) -> npt.NDArray[np.uint32]:
    """[family, candidate] the level, 0 for none. Of families of the position (`whole`) [family, 1]:
    they have one level each.
    """
    plan = _plan(families, whole)
    candidates, n = (_PASS_ALONE, 1) if whole else (situation.candidates, situation.count)
    context = situation.with_owned() if plan.slow else situation.context
    levels = np.empty((len(families), n), np.uint32)
    for call in plan.calls:
        out = np.empty((len(call.wanted), n), call.dtype)
        call.write(context, candidates, n, call.wanted, out)
        levels[call.columns] = out[call.rows]
    for block in plan.blocks:
        levels[block.columns] = block.found(situation)[block.rows]
    for column, family in plan.alone:
        levels[column] = _alone(family, situation, context, candidates[:n], whole)
    return levels


def describe(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """One column per family, of its dtype: the levels of the candidates, 0 for none."""
    return _columns(levels_of(situation, families), families)


def describe_whole(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """The same of families of the position: a column has its level alone."""
    return _columns(levels_of(situation, families, whole=True), families)


def _columns(
    levels: npt.NDArray[np.uint32], families: tuple[Family, ...]
) -> list[npt.NDArray[Any]]:
    return [row.astype(family.dtype) for row, family in zip(levels, families, strict=True)]


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


def _alone(
    family: Family, situation: Situation, context: Context, candidates: Any, whole: bool
) -> npt.NDArray[Any]:
    """The column of one family that no kernel writes."""
    column = np.zeros(len(candidates), family.dtype)
    if family.write is not None:
        family.write(situation, column)
    else:
        asked = candidates if whole or family.of_pass else candidates[:-1]
        _write_plain(family, context, asked.tolist(), column)
    return column


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
