"""Bundled games under other names."""

from __future__ import annotations

import re

from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from tests.games import bundled_sgfs

NAMES = ("Honinbo Dosaku", "Yasui Santetsu", "Inoue Inseki")


def renamed(sgf: bytes, number: int) -> bytes:
    """A record between two of NAMES, in turn, of a year of its own."""
    black, white = NAMES[number % 3], NAMES[(number + 1) % 3]
    sgf = re.sub(rb"PB\[[^]]*\]", f"PB[{black}]BR[{1 + number % 9}p]".encode(), sgf)
    sgf = re.sub(rb"PW\[[^]]*\]", f"PW[{white}]WR[9p]".encode(), sgf)
    return re.sub(rb"DT\[[^]]*\]", b"", sgf).replace(b"SZ[", b"DT[%d]SZ[" % (1668 + number), 1)


def small_sgfs(count: int) -> list[bytes]:
    """So many records on 9x9 between NAMES."""
    small = [sgf for sgf in bundled_sgfs().values() if b"SZ[9]" in sgf]
    return [renamed(sgf, number) for number, sgf in enumerate(small[:count])]


def small_games(count: int) -> Corpus:
    """The same as a corpus."""
    games = []
    for number, sgf in enumerate(small_sgfs(count)):
        games += parse_games(sgf, f"{number}.sgf")[0]
    return corpus_of(games)
