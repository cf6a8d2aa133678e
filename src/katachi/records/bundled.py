"""The games that come with Katachi: GNU Go 3.8 against itself, made by tools/make_games.py."""

from __future__ import annotations

from pathlib import Path

from katachi.records.corpus import Corpus
from katachi.records.read import read_games


def bundled_path() -> Path:
    """The archive of bundled games."""
    return Path(__file__).parent.parent / "data" / "games.tar.xz"


def bundled_games() -> Corpus:
    """The bundled games, 9x9 first, then 19x19."""
    return read_games(bundled_path())
