"""How strong the page's opponents are on 9x9, from our own matches.

`data/levels.toml` has what was measured; docs/results/lab-book.md has the matches.
`python -m tools.levels` makes the file from their folders.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any


def levels(strengths: Sequence[str]) -> list[dict[str, Any]]:
    """For each of these strengths `name`, and, where it was measured on 9x9, its `elo` above who is
    named by `beside` (GNU Go level 10, or a level that it has a chain of matches with), the ends
    `low` and `high` of the 95 % interval, and the `games` that it played.
    """
    text = (files("katachi") / "data" / "levels.toml").read_text(encoding="utf-8")
    known = {one["name"]: one for one in tomllib.loads(text).get("level", [])}
    return [known.get(name, {"name": name}) for name in strengths]
