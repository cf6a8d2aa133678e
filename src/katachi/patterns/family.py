"""What a family of features is: one function, with its levels in words.

A *family* is a set of levels that exclude each other; a candidate has at most one of them. Its
function tells the level of one candidate, counted from 1, or 0 where it has none:

    @inlined
    def on_edge(context: Context, p: int) -> int: ...

    EDGE = Family("edge", "Edge", (Level("edge", "is on the edge"),), on_edge)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.patterns.context import Context

if TYPE_CHECKING:
    from katachi.patterns.situation import Situation


class Level(NamedTuple):
    """One feature: its name, and the rest of a sentence for students after "This move …", or, of a
    family of the position, after "The position …".
    """

    name: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Family:
    """A family: its name, its levels, and the function that tells a candidate's level.

    `level(context, point)` is a kernel or a plain function. `prepare(context)`, where there is one,
    is called first in each position: what `level` wants to know of it goes to `context.notes`. A
    pass has no level, and is not asked about, unless `of_pass`.

    A family of the position (`Catalogue.position`) is asked once in each position, about a pass.

    A family of shapes has no `level`: `write(situation, out)` fills a column of zeros; or
    `found(situation)` gives the columns of several families, of which it has the one of number
    `row`. Its levels, if it has none of its own, are `shapes` shapes of a `dictionary`, from number
    `first` on.
    """

    name: str
    title: str
    levels: tuple[Level, ...]
    level: Callable[[Context, int], int] | None = None
    prepare: Callable[[Context], None] | None = None
    of_pass: bool = False
    slow: bool = False  # asks `context.owned`, so random games are played: only if one wants it
    write: Callable[[Situation, npt.NDArray[Any]], None] | None = None
    found: Callable[[Situation], npt.NDArray[np.int32]] | None = None
    row: int = 0
    dictionary: str = ""
    first: int = 0
    shapes: int = 0

    @property
    def size(self) -> int:
        """The number of levels."""
        return self.shapes if self.dictionary else len(self.levels)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The smallest unsigned type that holds every level and 0."""
        return np.dtype(np.min_scalar_type(self.size))
