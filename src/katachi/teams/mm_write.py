"""Competitions of moves in the text format of Rémi Coulom's program mm (`mm_format` reads it).

The features of the file are the families, in the order of the catalogue. Gamma n of the file is
level n + 1 of the first family, and so on: `numbered` says which. Families of the whole position
have no place in it: what all teams have cancels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import written_whole
from katachi.learning.bradley_terry.columns import layout
from katachi.patterns.competitions import WEIGHT, Competitions
from katachi.progress import Progress, silent

WRITING: Final = "writing for mm (shards)"  # the stage of the work


def numbered(families: Mapping[str, int]) -> list[tuple[str, int]]:
    """(family, level) of each gamma of the format, in order, of families with so many levels."""
    return [(name, level) for name, size in families.items() for level in range(1, size + 1)]


def write_mm(competitions: Competitions, path: Path, progress: Progress = silent) -> None:
    """Write competitions as mm's input, whole or not at all. A competition's winner comes first,
    then all candidates in their order, the winner among them.

    Raises KatachiError where the file cannot be written, or if the competitions are weighted
    samples of the candidates, which the format cannot say.
    """
    levels = [int(family["levels"]) for family in competitions.manifest["families"]]
    names = competitions.families
    count = len(competitions.shards)
    if competitions.manifest["field"] is not None:
        raise KatachiError("mm knows no weights: describe all legal moves, not a field of them")
    first = layout(levels)
    with written_whole(path) as temporary, temporary.open("w", encoding="ascii") as file:
        file.write(f"! {first[-1]}\n{len(levels)}\n")
        file.writelines(f"{size} {name}\n" for size, name in zip(levels, names, strict=True))
        file.write("!\n")
        for number, shard in enumerate(competitions.shards, 1):
            file.writelines(_competitions(shard, names, first))
            progress(WRITING, number, count)


def _competitions(
    shard: Mapping[str, npt.NDArray[Any]], names: list[str], first: npt.NDArray[np.int64]
) -> Iterator[str]:
    """The text of each competition of a shard."""
    assert WEIGHT not in shard
    starts = shard["starts"]
    for number, winner in enumerate(shard["winner"].tolist()):
        a, b = int(starts[number]), int(starts[number + 1])
        gammas = np.full((b - a, len(names)), -1, np.int64)  # -1: it has none of the family
        for f, name in enumerate(names):
            level = shard[name][a:b].astype(np.int64)
            gammas[:, f] = np.where(level > 0, first[f] + level - 1, -1)
        teams = [" ".join([str(one) for one in row if one >= 0]) for row in gammas.tolist()]
        yield "\n".join(["#", teams[winner], *teams, ""])
