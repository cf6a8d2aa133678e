"""`Worker`: one thread of a search."""

from __future__ import annotations

from katachi.models.model import Model
from katachi.search.mind import Mind, can_weigh, new_mind
from katachi.search.prior import ModelPrior
from katachi.search.simulate import WANTS_MODEL, simulate
from katachi.search.space import SIMULATIONS, Task, new_space
from katachi.search.tree import SearchTree


class Worker:
    """What one thread needs for itself: space to work in, and the full model."""

    def __init__(self, seed: int) -> None:
        self.space = new_space(seed)
        self.published = self.space.counts.copy()  # for others: no kernel is in the midst of it
        self.mind: Mind
        self.prior: ModelPrior | None

    def think_with(self, model: Model | None, size: int) -> None:
        """Ask this model, or none, from now on, on boards of this size."""
        self.mind = new_mind(model, size)
        self.prior = None if model is None or can_weigh(model) else ModelPrior(model, size)

    def begin(self) -> None:
        """Count from 0 again."""
        self.space.counts[:] = 0
        self.published = self.space.counts.copy()

    @property
    def done(self) -> int:
        """Simulations since `begin`."""
        return int(self.space.counts[SIMULATIONS])

    def simulate(self, tree: SearchTree, task: Task, target: int) -> bool:
        """Simulate until `target` are done or a call back, but at least once; True if it came back
        earlier because a node wants the model that Python asks.
        """
        why = simulate(tree, task, self.space, self.mind, target - self.done)
        self.published = self.space.counts.copy()
        return bool(why == WANTS_MODEL)
