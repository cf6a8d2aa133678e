"""Parameters to tune: numbers in the command of an engine, each between two bounds.

A parameter `name` stands as {name} in the command. CLOP sees it as x in [-1, 1].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from katachi.errors import KatachiError
from katachi.match.settings import PLAYOUTS, SEED

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_PLACEHOLDER: Final = re.compile(r"\{[A-Za-z][A-Za-z0-9_-]*\}")
_WHOLE: Final = re.compile(r"[+-]?\d+")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number between two bounds, `whole` if it is never a fraction. Raises KatachiError."""

    name: str
    low: float
    high: float
    whole: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.placeholder in (PLAYOUTS, SEED):
            raise KatachiError(
                f"{self.name!r} is no name of a parameter: give a letter, then letters, digits, - "
                "and _, but neither playouts nor seed"
            )
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise KatachiError(
                f"the parameter {self.name} needs two bounds, the smaller first: {self.low:g} is "
                f"not below {self.high:g}"
            )

    @property
    def placeholder(self) -> str:
        """How it stands in a command."""
        return f"{{{self.name}}}"

    @property
    def _ends(self) -> tuple[float, float]:
        """What -1 and 1 stand for: every whole number has the same room around it."""
        return (self.low - 0.5, self.high + 0.5) if self.whole else (self.low, self.high)

    def value(self, x: float) -> float:
        """The value at x in [-1, 1], as it is told to the engine."""
        low, high = self._ends
        exact = low + (x + 1) / 2 * (high - low)
        return min(max(float(self.text(exact)), self.low), self.high)

    def x(self, value: float) -> float:
        """Where a value lies in [-1, 1]."""
        low, high = self._ends
        return 2 * (value - low) / (high - low) - 1

    def text(self, value: float) -> str:
        """A value as it stands in a command."""
        return str(round(value)) if self.whole else f"{value:.6g}"


def parse_parameter(name: str, low: str, high: str) -> Parameter:
    """A parameter as it is given in words. Bounds that are whole numbers make a whole number of it;
    "0.0" is none. Raises KatachiError.
    """
    try:
        bounds = float(low), float(high)
    except ValueError:
        raise KatachiError(
            f"the bounds {low!r} and {high!r} of the parameter {name} are no numbers"
        ) from None
    whole = bool(_WHOLE.fullmatch(low) and _WHOLE.fullmatch(high))
    return Parameter(name, *bounds, whole=whole)


def filled(command: str, parameters: Sequence[Parameter], values: Mapping[str, float]) -> str:
    """The command with the values of the parameters."""
    for one in parameters:
        command = command.replace(one.placeholder, one.text(values[one.name]))
    return command


def check_placeholders(engine: str, opponent: str, parameters: Sequence[Parameter]) -> None:
    """Raise KatachiError unless the engine's command has every parameter and nothing else that
    looks like one, and the opponent's none.
    """
    if not parameters:
        raise KatachiError("there is nothing to tune: name a parameter")
    names = [one.name for one in parameters]
    for name in names:
        if names.count(name) > 1:
            raise KatachiError(f"the parameter {name} is there twice")
    for one in parameters:
        if one.placeholder not in engine:
            raise KatachiError(
                f"the engine's command has no {one.placeholder}: put it where the value of the "
                f"parameter {one.name} belongs"
            )
    known = {PLAYOUTS, SEED, *(one.placeholder for one in parameters)}
    for found in _PLACEHOLDER.findall(engine):
        if found not in known:
            raise KatachiError(f"the engine's command has {found}, but no parameter is called so")
    for found in _PLACEHOLDER.findall(opponent):
        if found not in (PLAYOUTS, SEED):
            raise KatachiError(
                f"the opponent's command has {found}: only the engine that is tuned has parameters"
            )
