"""Passes over all positions, with a state on disk from which a run that was ended goes on.

Each pass visits all positions in an order drawn from the seed: shards in groups that fit in memory,
the positions of a group in any order. What is in a batch, and so every digit, depends on the seed
and on the shards alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.learning.interactions.descent import descend, norms_of
from katachi.learning.interactions.groups import Data, Group, groups_of, load_group
from katachi.learning.interactions.parameters import (
    Fixed,
    Parameters,
    Recipe,
    Space,
    most_candidates,
    new_space,
)
from katachi.learning.journal import Ring
from katachi.progress import Progress, silent

SECONDS: Final = 120.0  # between two states on disk, within a pass
BATCHES: Final = 128  # between two looks at the clock


@dataclass(eq=False)
class Learnt:
    """What was learnt, and how far: `done` positions of the pass `epoch`."""

    parameters: Parameters
    epoch: int = 0
    done: int = 0
    # [pass] the sum of log p over its positions, each before its step
    log_evidence: list[float] = field(default_factory=list)


def learn_epochs(
    data: Data,
    start: Parameters,
    fixed: Fixed,
    recipe: Recipe,
    epochs: int,
    seed: int,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> Learnt:
    """Learn from `start`, whose arrays are changed, in so many passes.

    The state goes to `kept` after each pass, and within it now and then: a run of the same data
    that was ended amid its work goes on from there, to the same end to the last digit.
    """
    ring = Ring(kept, 1)
    learnt = _recalled(ring, start) or Learnt(start)
    run = _Run(data, fixed, recipe, epochs, ring, progress)
    while learnt.epoch < epochs:
        run.epoch(learnt, np.random.default_rng([seed, 4, learnt.epoch]))
        learnt.epoch, learnt.done = learnt.epoch + 1, 0
        run.keep(learnt)
    return learnt


class _Run:
    """Some passes under way."""

    def __init__(
        self, data: Data, fixed: Fixed, recipe: Recipe, epochs: int, ring: Ring, tell: Progress
    ) -> None:
        self._data, self._fixed, self._recipe = data, fixed, recipe
        self._total = epochs * data.count
        self._ring, self._tell = ring, tell
        self._saved = time.monotonic()
        self._most = most_candidates(data)
        self._loaded: tuple[list[int], Group] | None = None  # the group that was used last

    def epoch(self, learnt: Learnt, rng: np.random.Generator) -> None:
        """The rest of a pass."""
        space = new_space(learnt.parameters, self._most)
        if len(learnt.log_evidence) == learnt.epoch:
            learnt.log_evidence.append(0.0)
        seen = 0  # positions of this group and those before
        for shards in groups_of(self._data, rng):
            count = int(self._data.sizes[shards, 0].sum())
            order = rng.permutation(count)
            seen += count
            if learnt.done < seen:
                left = order[count - (seen - learnt.done) :]
                self._visit(learnt, self._group(shards), left, space)

    def _visit(
        self, learnt: Learnt, group: Group, order: npt.NDArray[np.int64], space: Space
    ) -> None:
        """These positions of a group."""
        parameters = learnt.parameters
        norms = np.zeros(0 if len(parameters.a) else len(parameters.v))
        if len(norms):
            norms_of(parameters.v, norms)
        before = learnt.epoch * self._data.count
        each = BATCHES * self._recipe.batch
        for begin in range(0, len(order), each):
            some = order[begin : begin + each]
            when = np.array([before + learnt.done, self._total], np.float64)
            learnt.log_evidence[-1] += descend(
                group, some, parameters, self._fixed, norms, space, self._recipe, when
            )
            learnt.done += len(some)
            self._tell("learning", before + learnt.done, self._total)
            if time.monotonic() - self._saved > SECONDS:
                self.keep(learnt)

    def keep(self, learnt: Learnt) -> None:
        """Write the state."""
        state: dict[str, Any] = learnt.parameters._asdict() | {
            "epoch": learnt.epoch,
            "done": learnt.done,
            "log_evidence": np.array(learnt.log_evidence),
        }
        self._ring.note(0, state)
        self._saved = time.monotonic()

    def _group(self, shards: list[int]) -> Group:
        if self._loaded is None or self._loaded[0] != shards:
            self._loaded = None  # one at a time in memory
            self._loaded = shards, load_group(self._data, shards)
        return self._loaded[1]


def _recalled(ring: Ring, start: Parameters) -> Learnt | None:
    """The state of a run before, if there is one of as many parameters."""
    for found in ring.recall():
        parameters = Parameters(*(found[name] for name in Parameters._fields))
        if [np.shape(a) for a in parameters] == [np.shape(a) for a in start]:
            return Learnt(
                parameters, int(found["epoch"]), int(found["done"]), found["log_evidence"].tolist()
            )
    return None
