"""Do the keys of shapes ever collide? Compare every appearance with its key's picture, in full.

    python tools/check_keys.py ../shared/data/pro-train-20000.tar.xz

Harvests all of Stern's templates around every played move (minimum 1), then walks through the
games again: the stones around each move must be, point by point and in one of the 8 symmetries, the
picture that the dictionary keeps for that key. Takes about 4 GB and 2 minutes for 20,000 games.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from katachi.go.board import Board, clear, new_board, play
from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.dictionary import Shapes, picture_starts
from katachi.patterns.shapes.emit import emit_played
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.keys import picture
from katachi.patterns.shapes.lookup import find
from katachi.patterns.shapes.templates import STERN_TEMPLATES, tables
from katachi.processes import default_jobs
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS
from katachi.records.corpus import Corpus
from katachi.records.read import read_games


@kernel
def compare(
    b: Board,
    side: int,
    actions: Any,
    keys: Any,
    offset: Any,
    image: Any,
    points: Any,
    table: Any,
    index_of: Any,
    rings: Any,
    starts: Any,
    pictures: Any,
) -> tuple[int, int]:
    """(appearances, how many of them are not the picture of their key) of a game without setup."""
    clear(b, side)
    states = np.zeros(len(offset), np.uint8)
    n = 0
    different = 0
    for i in range(len(actions)):
        p = int64(actions[i]) & POINT_BITS
        c = (int64(actions[i]) >> COLOUR_SHIFT) & 3
        if p != PASS:
            picture(b.color, side, p, c, len(offset), offset, image, 0, states)
            for r in range(len(points)):
                shape = find(table, index_of, keys[n])
                n += 1
                same = False
                for s in range(SYMMETRIES):
                    equal = shape >= 0 and rings[shape] == r
                    k = 0
                    while equal and k < points[r]:
                        j = int64(image[s, k])
                        equal = pictures[starts[shape] + (j >> 2)] >> 2 * (j & 3) & 3 == states[k]
                        k += 1
                    same = same or equal
                if not same:
                    different += 1
        play(b, p, c)
    return n, different


def check(corpus: Corpus, shapes: Shapes, games: range) -> tuple[int, int]:
    """The sums of `compare` over these games."""
    board = new_board(19)
    starts = picture_starts(shapes.templates, shapes.rings)
    total = different = 0
    for g in games:
        size = int(corpus.size[g])
        t = tables(shapes.templates, size)
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        room = len(shapes.templates) * len(actions)
        keys = np.empty(room, np.uint64)
        emit_played(
            board,
            size,
            actions,
            t.empty_keys.copy(),
            t.empty_keys,
            t.zobrist,
            t.ring,
            t.seen_start,
            t.seen_from,
            t.seen_as,
            t.salt,
            t.view,
            keys,
            np.empty(room, np.uint16),
            np.empty(room, np.uint8),
        )
        seen, wrong = compare(
            board,
            size,
            actions,
            keys,
            t.offset,
            t.image,
            t.points,
            *shapes.lookup,
            shapes.rings,
            starts,
            shapes.pictures,
        )
        total += seen
        different += wrong
    return total, different


def main() -> None:
    jobs = default_jobs()
    corpus = read_games(sys.argv[1:], jobs=jobs)
    shapes = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=1, jobs=jobs)
    print(f"{len(corpus):,} games, {len(shapes):,} shapes: {shapes.per_template()}")
    parts = [range(first, len(corpus), jobs) for first in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda part: check(corpus, shapes, part), parts))
    total, different = (sum(column) for column in zip(*found, strict=True))
    print(f"{total:,} appearances compared in full: {different} differ from their key's picture")


if __name__ == "__main__":
    main()
