"""How fast Katachi is: `python -m bench` (or `make bench`) from the root of the project.

A benchmark is a function that takes `quick` and returns a `Report`; `bench.__main__` lists them.
Nothing here fails because of a slow machine: numbers are printed, never asserted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rich.console import RenderableType


class Report(NamedTuple):
    """What a benchmark found: `data` for `--json`, `view` for people."""

    data: dict[str, Any]
    view: RenderableType
