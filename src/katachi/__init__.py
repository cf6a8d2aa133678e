"""Katachi: what strong Go players play, learned from their games as ratings of move patterns.

The names below load on first use, so that `import katachi` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from katachi.errors import KatachiError
    from katachi.go.position import IllegalMove, Position
    from katachi.records.corpus import Corpus
    from katachi.records.filters import Filters, select
    from katachi.records.game import Game
    from katachi.records.read import read_games
    from katachi.records.sgf import parse_games

# Public name → the module that holds it.
_HOMES = {
    "KatachiError": "katachi.errors",
    "Position": "katachi.go.position",
    "IllegalMove": "katachi.go.position",
    "Game": "katachi.records.game",
    "Corpus": "katachi.records.corpus",
    "read_games": "katachi.records.read",
    "parse_games": "katachi.records.sgf",
    "Filters": "katachi.records.filters",
    "select": "katachi.records.filters",
}

__all__ = [
    "Corpus",
    "Filters",
    "Game",
    "IllegalMove",
    "KatachiError",
    "Position",
    "__version__",
    "parse_games",
    "read_games",
    "select",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'katachi' has no attribute {name!r}")
