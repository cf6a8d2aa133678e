"""Harvest: which shapes appear often enough in a corpus to be worth a rating of their own.

Three passes over the games, on threads (the kernels hold no lock): sift, count, and draw the
picture of each shape that is kept. The result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.board import new_board
from katachi.go.points import MAX_SIZE
from katachi.patterns.shapes.answer_emit import emit_answers, find_answer_pictures
from katachi.patterns.shapes.answers import Answers, AnyTemplates, Bases, Seen, answer_bases
from katachi.patterns.shapes.dictionary import Shapes, picture_starts, shape_order
from katachi.patterns.shapes.emit import Wanted, emit_candidates, emit_played, find_pictures
from katachi.patterns.shapes.lookup import lookup_table
from katachi.patterns.shapes.sieve import (
    SIEVE_BITS,
    Emitted,
    Sieve,
    Table,
    add_sieves,
    new_sieve,
    room_for,
    sift,
)
from katachi.patterns.shapes.templates import COULOM_CIRCLES, Tables, tables
from katachi.processes import elsewhere, process_pool
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus

RULES: Final = {"candidates": emit_candidates, "played": emit_played}


class _What(NamedTuple):
    """What is harvested, and who is told how far it is."""

    corpus: Corpus
    templates: AnyTemplates
    rule: str
    tell: Progress


def harvest(
    corpus: Corpus,
    *,
    templates: AnyTemplates = COULOM_CIRCLES,
    rule: str = "candidates",
    min_count: int = 625,
    jobs: int = 1,
    most: int | None = None,
    sieve_bits: int = SIEVE_BITS,
    progress: Progress = silent,
) -> Shapes:
    """The shapes with at least `min_count` appearances, counted exactly; where that would be more
    than `most`, those with as many appearances as it takes to have no more.

    Rule "candidates": around every empty point of every position before a move (the paper's);
    "played": around the moves played; answers are harvested by this rule only. Each template counts
    apart. Raises KatachiError for an empty corpus, an unknown rule or a minimum below 1.
    """
    if rule not in RULES:
        raise KatachiError(f"{rule!r} is no rule of harvest: it is candidates or played")
    if isinstance(templates, Answers) and rule != "played":
        raise KatachiError("answers are counted where they are played: harvest by the rule played")
    if min_count < 1:
        raise KatachiError(f"a shape cannot be kept for {min_count} appearances: 1 is the least")
    if len(corpus) == 0:
        raise KatachiError("no games to harvest shapes from")
    what = _What(corpus, templates, rule, progress)
    parts = _deal(len(corpus), jobs)
    sieve = new_sieve(1)
    with _hands(len(parts)) as each:
        if min_count > 1:
            sieve = reduce(add_sieves, each(_sift, parts, what, sieve_bits))
        counted = list(each(_count, parts, what, sieve, min_count))
    keys, counts, rings = _sum(counted)
    if most is not None:
        min_count = least_count(counts, min_count, most)
    kept = counts >= min_count
    keys, counts, rings = keys[kept], counts[kept], rings[kept]
    order = shape_order(keys, counts, rings)
    keys, counts, rings = keys[order], counts[order], rings[order]
    pictures = _draw(what, keys, rings)
    sizes = tuple(sorted(set(corpus.size.tolist())))
    return Shapes(templates, rule, min_count, sizes, keys, counts, rings, pictures)


@contextmanager
def _hands(jobs: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """each(work, parts, *load): work(part, *load) of all parts at the same time, in order. On
    threads; on a cluster, where nobody is told how far a worker is, on its workers.
    """
    if elsewhere():
        with process_pool(jobs) as pool:
            workers: Any = pool

            def on_workers(work: Any, parts: list[range], what: _What, *more: Any) -> Iterable[Any]:
                load = [workers.carried(one) for one in (what._replace(tell=silent), *more)]
                tasks = [workers.submit_to(n, work, part, *load) for n, part in enumerate(parts)]
                return (task.result() for task in tasks)

            yield on_workers
    else:
        with ThreadPoolExecutor(jobs) as threads:
            yield lambda work, parts, *load: threads.map(lambda part: work(part, *load), parts)


def least_count(counts: npt.NDArray[np.int64], min_count: int, most: int) -> int:
    """The appearances, at least `min_count`, that no more than `most` shapes have."""
    if most >= len(counts) or most >= int((counts >= min_count).sum()):
        return min_count
    # The count of the first shape that is one too many, and one more
    return int(np.partition(counts, len(counts) - most - 1)[len(counts) - most - 1]) + 1


def sieve_bits_for(corpus: Corpus, templates: AnyTemplates, megabytes: int, jobs: int) -> int:
    """How large a sieve should be for the rule "played": about two counters for each appearance,
    within a quarter of so much memory, one sieve to each job.
    """
    wanted = (2 * len(templates) * int(corpus.moves.sum())).bit_length()
    room = (megabytes * 2**20 // (4 * 2 * jobs)).bit_length() - 1
    return max(16, min(wanted, room))


def _deal(games: int, jobs: int) -> list[range]:
    """The games for each thread, in turns: neighbours in a corpus take about as long."""
    return [range(first, games, jobs) for first in range(min(jobs, games))]


def _size_tables(corpus: Corpus, templates: AnyTemplates) -> dict[int, Tables | Bases]:
    sizes = set(corpus.size.tolist())
    if isinstance(templates, Answers):
        return {size: answer_bases(templates, size) for size in sizes}
    return {size: tables(templates, size) for size in sizes}


def _room(by_size: dict[int, Tables | Bases]) -> Any:
    """Room for the keys of a game, on a board of any size."""
    t = next(iter(by_size.values()))
    if isinstance(t, Bases):
        return Seen(t.plain.empty_keys.copy(), t.liberties.empty_keys.copy())
    return t.empty_keys.copy()


def _emissions(what: _What, part: range, stage: str) -> Iterator[tuple[Emitted, int]]:
    """(keys, how many) of each game of a part; the arrays are used again."""
    corpus = what.corpus
    emit: Any = emit_answers if isinstance(what.templates, Answers) else RULES[what.rule]
    by_size = _size_tables(corpus, what.templates)
    board = new_board(MAX_SIZE)
    keys = _room(by_size)
    out = room_for(1 << 18)
    for done, g in enumerate(part, 1):
        size = int(corpus.size[g])
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        while True:
            count = int(emit(board, size, actions, keys, by_size[size], out))
            if count <= len(out.keys):
                break
            out = room_for(2 * count)
        yield out, count
        if part.start == 0:
            what.tell(stage, min(done * part.step, len(corpus)), len(corpus))


def _sift(part: range, what: _What, bits: int) -> Sieve:
    sieve = new_sieve(bits)
    for emitted, count in _emissions(what, part, "sifting"):
        sift(sieve, emitted, count)
    return sieve


def _count(part: range, what: _What, sieve: Sieve, wanted: int) -> Table:
    table = Table()
    for emitted, count in _emissions(what, part, "counting"):
        table.add(sieve, wanted, emitted, count)
    return table


def _sum(counted: list[Table]) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """(keys, counts, rings) of several tables together."""
    used = [table.slots.keys != 0 for table in counted]
    keys, counts, rings = (
        np.concatenate([table.slots[column][u] for table, u in zip(counted, used, strict=True)])
        for column in range(3)
    )
    unique, where, inverse = np.unique(keys, return_index=True, return_inverse=True)
    total = np.zeros(len(unique), np.int64)
    np.add.at(total, inverse, counts)
    return unique, total, rings[where]


def _draw(what: _What, keys: Any, rings: Any) -> npt.NDArray[np.uint8]:
    """The packed pictures, one after the other."""
    corpus = what.corpus
    starts = picture_starts(what.templates, rings)
    there = np.zeros(len(keys), np.uint8)
    wanted = Wanted(lookup_table(keys), starts, there, np.zeros(int(starts[-1]), np.uint8))
    by_size = _size_tables(corpus, what.templates)
    board = new_board(MAX_SIZE)
    work = _room(by_size)
    missing = len(keys)
    for g in range(len(corpus)):
        if missing == 0:
            break
        size = int(corpus.size[g])
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        t = by_size[size]
        if isinstance(t, Bases):
            found = find_answer_pictures(board, size, actions, work, t, wanted)
        else:
            played_only = what.rule == "played"
            found = find_pictures(board, size, actions, work, t, played_only, wanted)
        missing -= int(found)
        what.tell("drawing", g + 1, len(corpus))
    assert missing == 0, "every counted shape stands in a game"
    return wanted.pictures
