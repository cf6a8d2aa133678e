"""Harvest against a `Counter` of written-out pictures, shape by shape; and whatever must not matter
to it: threads, the sieve, the order of the games.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from katachi.errors import KatachiError
from katachi.go.board import new_board
from katachi.patterns.shapes.dictionary import Shapes, picture_starts
from katachi.patterns.shapes.harvest import RULES, harvest
from katachi.patterns.shapes.sieve import Emitted
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    LIBERTY_CIRCLES,
    MARKED_CIRCLES,
    STERN_TEMPLATES,
    Templates,
    tables,
)
from katachi.records.corpus import Corpus
from katachi.records.read import read_games
from tests.games import bundled_sgfs
from tests.kept import holds
from tests.patterns.shape_oracle import (
    BOARD,
    Picture,
    Shape,
    added,
    candidates,
    canonical,
    corpus_from,
    count_shapes,
    counted,
    from_katachis_order,
    places,
    random_record,
    record_of,
    same_shapes,
    shapes_at,
    turns,
)

DATA = Path(__file__).parents[3] / "shared" / "data"

# Each shows one thing; the games of a row are harvested together.
BY_HAND = {
    "one move": [record_of(5, ";B[cc]")],
    "a stone taken in the corner and put back": [record_of(5, ";B[ba];W[aa];B[ab];W[ee];B[aa]")],
    "ko": [
        record_of(
            5,
            ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[];W[bb];B[cb];W[ee];B[ea];W[bb];B[ed];W[de]"
            ";B[cb];W[];B[dd]",
        )
    ],
    "many stones taken at once": [
        record_of(5, ";B[ba];W[aa];B[bb];W[ab];B[bc];W[ac];B[bd];W[ad];B[be];W[ee];B[ae];W[ab]")
    ],
    "passes": [record_of(5, ";B[];W[tt];B[cc];W[];B[];W[bb];B[];W[]"), record_of(7, ";B[];W[]")],
    "stones in the root": [
        record_of(5, "AB[aa][bb]AW[cc]PL[W];W[ab];B[ee]"),
        record_of(5, "HA[2]AB[bb][dd];W[cc];B[cb]"),
    ],
    "stones in the middle": [
        record_of(
            5,
            ";B[bb];W[dd];AB[cc]AW[db]AE[dd];B[ca];W[dd]"
            ";AB[db]AW[bb]PL[B];B[ac];W[bc]"  # colours exchanged
            ";AE[aa:ee];B[cc]",
        )
    ],
    "setup that is legal only as a whole": [
        record_of(5, ";B[ba];W[aa];AB[ab]AE[aa];W[ee];B[aa]"),
        record_of(3, "AB[aa][ba][ca][ab][bb][cb][ac][bc];B[];AW[cc]AE[cb][bc];W[cb]"),
    ],
    "setup twice before a move": [record_of(5, ";B[cc];AB[bb];AW[bb][aa];AE[cc];W[cb];B[cc]")],
    "setup and move in one node": [record_of(5, ";B[cc];AB[bb]W[dd];W[db]AE[cc];B[cc]")],
    "colours out of turn": [record_of(5, ";W[aa];W[bb];B[cc];B[dd];B[ee];W[ab];W[];W[ba]")],
    "nothing after setup": [record_of(5, ";B[cc];W[bb];AB[aa][ee]"), record_of(5, "AB[cc]")],
    "sizes": [record_of(n, ";B[aa];W[bb];B[ba]") for n in (2, 3, 4, 9, 19)],
    "the previous move": [
        record_of(7, ";B[cc];W[ec];B[];W[ce];B[ee];B[dd];W[];W[];B[cd];W[de]"),
        record_of(7, ";B[cc];AE[aa];W[ec];AB[ee];B[ce];W[cd]"),  # setup, in vain or not, ends it
        record_of(7, ";B[cc]PL[B];B[ec];PL[W];W[ee]"),  # who is to move does not
    ],
    "the stone just played is taken away": [
        record_of(5, ";B[cc];AE[cc];W[cb];AB[cb];B[cc];W[bb]"),
        record_of(5, ";B[ba];W[aa];B[ab];W[bb];B[aa];W[cc]"),
    ],
    "one to five liberties": [
        record_of(5, ";B[cc];W[cb];B[dd];W[bc];B[ee];W[cd];B[ab];W[dc];B[ed];W[ba];B[aa];W[ca]"),
        record_of(7, ";B[cc];W[aa];B[ba];W[dc];B[bb];W[ab];B[cb];W[ac];B[bc];W[ad];B[];W[ae]"),
        record_of(5, "AB[aa][ab][ba]AW[ee][ed][de];B[bb];W[dd];B[cc];W[dc];B[cd];W[ce];B[bd]"),
    ],
    "liberties by setup": [
        record_of(5, ";B[cc];W[bb];AW[cb][bc][cd];B[dc];AE[bc]AB[dd];W[ee];AE[aa:ee]AW[aa];B[bb]")
    ],
}


def bundled(size: int, count: int) -> list[bytes]:
    return [text for name, text in bundled_sgfs().items() if f"-{size:02}-" in name][:count]


@cache
def games(name: str) -> list[bytes]:
    match name:
        case "by hand":
            return [record for records in BY_HAND.values() for record in records]
        case "9x9":
            return bundled(9, 3)
        case "19x19":
            return bundled(19, 1)
        case "small random":
            return [random_record(2 + seed % 4, seed, 40) for seed in range(5)]
        case "random":
            lengths = {7: 100, 9: 70, 13: 50, 19: 30}
            return [random_record(size, size, length) for size, length in lengths.items()]
        case "mixed sizes":
            return games("by hand") + games("9x9")[:1] + games("random")[-2:]
    raise KeyError(name)


@cache
def expected(name: str, templates: Templates, rule: str) -> Counter[Shape]:
    return counted_once(tuple(games(name)), templates.name, rule)


def at_least(count: int, shapes: Counter[Shape]) -> dict[Shape, int]:
    return {shape: n for shape, n in shapes.items() if n >= count}


# -- against the oracle --------------------------------------------------------------------------

# A least count, and of each shape that Katachi found the radius, how often, and the picture
Found: TypeAlias = tuple[int, list[int], list[int], list[bytes]]


def said_of(shapes: Shapes) -> Found:
    """What a dictionary says, in the order of the oracle's pictures."""
    assert isinstance(shapes.templates, Templates)
    rings = shapes.rings.tolist()
    pictures = [
        from_katachis_order(shapes.states(shape).tolist(), shapes.templates, ring)
        for shape, ring in enumerate(rings)
    ]
    radii = [shapes.templates.radii[ring] for ring in rings]
    return shapes.min_count, radii, shapes.counts.tolist(), pictures


def compare(records: list[bytes], templates: str, rule: str, found: list[Found]) -> None:
    """The harvest of some games, for one or more least counts, and a count of pictures."""
    everything = counted_once(tuple(records), templates, rule)
    for min_count, radii, counts, pictures in found:
        names = [(r, canonical(one, r)) for r, one in zip(radii, pictures, strict=True)]
        assert len(set(names)) == len(names)
        assert dict(zip(names, counts, strict=True)) == at_least(min_count, everything)


@cache
def counted_once(records: tuple[bytes, ...], templates: str, rule: str) -> Counter[Shape]:
    return count_shapes(records, templates, rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)
@pytest.mark.parametrize("what", BY_HAND)
def test_games_by_hand(what: str, templates: Templates, rule: str) -> None:
    shapes = harvest(corpus_from(BY_HAND[what]), templates=templates, rule=rule, min_count=1)
    holds(compare, BY_HAND[what], templates.name, rule, [said_of(shapes)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "templates", "rule", "min_counts"),
    [
        ("9x9", COULOM_CIRCLES, "candidates", (2, 7, 40)),
        ("9x9", COULOM_CIRCLES, "played", (1, 2, 3)),
        ("9x9", STERN_TEMPLATES, "played", (1, 2)),
        ("19x19", COULOM_CIRCLES, "candidates", (20, 100)),
        ("19x19", COULOM_CIRCLES, "played", (1, 2, 5)),
        ("19x19", STERN_TEMPLATES, "played", (1, 2, 5)),
        ("random", COULOM_CIRCLES, "candidates", (10, 20)),
        ("random", COULOM_CIRCLES, "played", (1, 2)),
        ("random", STERN_TEMPLATES, "played", (1, 2)),
        ("small random", COULOM_CIRCLES, "candidates", (1, 2, 3)),
        ("small random", STERN_TEMPLATES, "candidates", (1, 3)),
        ("mixed sizes", COULOM_CIRCLES, "candidates", (6, 50)),
        ("mixed sizes", STERN_TEMPLATES, "played", (1, 2, 4)),
        ("9x9", MARKED_CIRCLES, "candidates", (2, 7, 40)),
        ("9x9", LIBERTY_CIRCLES, "candidates", (2, 7, 40)),
        ("19x19", MARKED_CIRCLES, "played", (1, 2, 5)),
        ("19x19", LIBERTY_CIRCLES, "played", (1, 2, 5)),
        ("random", MARKED_CIRCLES, "candidates", (10, 20)),
        ("random", LIBERTY_CIRCLES, "candidates", (10, 20)),
        ("random", MARKED_CIRCLES, "played", (1, 2)),
        ("random", LIBERTY_CIRCLES, "played", (1, 2)),
        ("small random", MARKED_CIRCLES, "candidates", (1, 2, 3)),
        ("small random", LIBERTY_CIRCLES, "candidates", (1, 2, 3)),
        ("mixed sizes", MARKED_CIRCLES, "played", (1, 2, 4)),
        ("mixed sizes", LIBERTY_CIRCLES, "played", (1, 2, 4)),
    ],
)
def test_harvest_is_a_count_of_pictures(
    name: str, templates: Templates, rule: str, min_counts: tuple[int, ...]
) -> None:
    corpus = corpus_from(games(name))
    lengths, told = [], []
    for min_count in min_counts:
        shapes = harvest(corpus, templates=templates, rule=rule, min_count=min_count)
        told.append(said_of(shapes))
        assert (shapes.templates, shapes.rule, shapes.min_count) == (templates, rule, min_count)
        assert shapes.sizes == tuple(sorted(set(corpus.size.tolist())))
        lengths.append(len(shapes))
    holds(compare, games(name), templates.name, rule, told)
    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[-1] > 0


@settings(max_examples=20)
@given(
    size=st.integers(2, 6),
    seed=st.integers(0, 10**6),
    length=st.integers(1, 25),
    templates=st.sampled_from([COULOM_CIRCLES, MARKED_CIRCLES, LIBERTY_CIRCLES]),
    rule=st.sampled_from(sorted(RULES)),
)
def test_harvest_of_any_game(
    size: int, seed: int, length: int, templates: Templates, rule: str
) -> None:
    record = random_record(size, seed, length)
    shapes = harvest(corpus_from([record]), templates=templates, rule=rule, min_count=1)
    assert counted(shapes) == count_shapes([record], templates.name, rule)


def marks(one: Picture) -> list[int]:
    """What the view adds, place by place."""
    return [state >> 2 for state in one]


@pytest.mark.slow
def test_views_show_what_they_are_said_to() -> None:
    """At most one stone is marked, after a pass or setup none; every stone has liberties."""
    for record in BY_HAND["the previous move"]:
        for turn in turns(record):
            ((_, seen),) = shapes_at(
                turn.stones,
                turn.size,
                (3, 3),
                turn.colour,
                (BOARD,),
                added("marked", turn.stones, turn.size, turn.previous),
            )
            assert sum(marks(seen)) == (turn.previous not in (None, (3, 3)))
    for name, most in (("9x9", 3), ("random", 3)):
        for _, one in expected(name, LIBERTY_CIRCLES, "candidates"):
            assert all((state & 3 in (1, 2)) == (0 < state >> 2 <= most) for state in one)
        for _, one in expected(name, MARKED_CIRCLES, "candidates"):
            assert sum(marks(one)) <= 1


def test_the_random_games_are_lively() -> None:
    """What the games are said to show stands in them."""
    seen: Counter[str] = Counter()
    for record in games("random") + games("small random"):
        before = None
        seen["setup"] += sum(record.count(name) for name in (b"AB[", b"AW[", b"AE["))
        for turn in turns(record):
            seen["passes"] += turn.place is None
            if before is not None:
                seen["out of turn"] += turn.colour == before.colour
                seen["taken"] += len(before.stones) > len(turn.stones)
            before = turn
    assert min(seen[what] for what in ("setup", "passes", "out of turn", "taken")) > 15


# -- what does not matter ------------------------------------------------------------------------


@cache
def corpus_of_all() -> Corpus:
    return corpus_from(games("mixed sizes") + games("9x9") + games("19x19"))


@cache
def usual(templates: Templates, rule: str) -> Shapes:
    return harvest(corpus_of_all(), templates=templates, rule=rule, min_count=3)


RULES_AND_TEMPLATES = pytest.mark.parametrize(
    ("rule", "templates"),
    [
        ("candidates", COULOM_CIRCLES),
        ("played", COULOM_CIRCLES),
        ("played", STERN_TEMPLATES),
        ("played", MARKED_CIRCLES),
        ("candidates", LIBERTY_CIRCLES),
    ],
)


@pytest.mark.slow
@RULES_AND_TEMPLATES
@pytest.mark.parametrize("jobs", [2, 3, 7, 100])
def test_threads_do_not_matter(rule: str, templates: Templates, jobs: int) -> None:
    shapes = harvest(
        corpus_of_all(), templates=templates, rule=rule, min_count=3, jobs=jobs, sieve_bits=14
    )
    assert same_shapes(shapes, usual(templates, rule))


@pytest.mark.slow
@RULES_AND_TEMPLATES
@pytest.mark.parametrize("bits", [0, 1, 8, 13, 22])
def test_the_sieve_does_not_matter(rule: str, templates: Templates, bits: int) -> None:
    shapes = harvest(corpus_of_all(), templates=templates, rule=rule, min_count=3, sieve_bits=bits)
    assert same_shapes(shapes, usual(templates, rule))


@pytest.mark.slow
@RULES_AND_TEMPLATES
def test_the_order_of_games_does_not_matter(rule: str, templates: Templates) -> None:
    """The picture of a shape is the same wherever it is seen first."""
    backwards = corpus_of_all().take(np.arange(len(corpus_of_all()))[::-1])
    shapes = harvest(backwards, templates=templates, rule=rule, min_count=3)
    assert same_shapes(shapes, usual(templates, rule))


@pytest.mark.slow
@RULES_AND_TEMPLATES
def test_a_higher_minimum_keeps_less_of_the_same(rule: str, templates: Templates) -> None:
    before = usual(templates, rule)
    for min_count in (4, 5, 9, 30):
        shapes = harvest(corpus_of_all(), templates=templates, rule=rule, min_count=min_count)
        assert len(shapes) < len(before)
        assert same_shapes(shapes, before.keep(min_count))
        before = shapes


# -- large games ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_that_shows_more_than_there_is_room_for() -> None:
    """The buffers are made larger, and nothing is counted twice or lost."""
    openings = [text.decode().split(";")[2:102] for text in bundled(19, 6)]
    record = record_of(19, "".join(f";AE[aa:ss];{';'.join(moves)}" for moves in openings))
    corpus = corpus_from([record])
    assert emitted(corpus, STERN_TEMPLATES, "candidates", 0)[0] > 1 << 18
    shapes = harvest(corpus, templates=STERN_TEMPLATES, min_count=1)
    appearances = sum(len(candidates(turn)) for turn in turns(record))
    for ring in range(len(STERN_TEMPLATES)):
        assert shapes.counts[shapes.rings == ring].sum() == appearances
    # Symmetric boards are few, so nearly every whole board is seen once.
    assert shapes.per_template()["board"] > 0.9 * appearances


def emitted(corpus: Corpus, templates: Templates, rule: str, room: int) -> tuple[int, Any]:
    """(how many keys the first game shows, the columns written, of which `room` are allowed)."""
    t = tables(templates, int(corpus.size[0]))
    actions = np.asarray(corpus.actions[: corpus.starts[1]])
    out: Any = [np.full(room + 5, 99, kind) for kind in (np.uint64, np.uint16, np.uint8)]
    part = Emitted(*(column[:room] for column in out))
    size = int(corpus.size[0])
    count = RULES[rule](new_board(19), size, actions, t.empty_keys.copy(), t, part)
    return count, out


@pytest.mark.parametrize("rule", RULES)
def test_no_more_is_written_than_there_is_room_for(rule: str) -> None:
    corpus = corpus_from(games("9x9"))
    count, _ = emitted(corpus, COULOM_CIRCLES, rule, 0)
    _, whole = emitted(corpus, COULOM_CIRCLES, rule, count)
    assert all((column[count:] == 99).all() for column in whole)
    for room in (1, count // 2, count - 1, count + 3):
        again, part = emitted(corpus, COULOM_CIRCLES, rule, room)
        written = min(room, count)
        assert again == count
        for column, all_of_it in zip(part, whole, strict=True):
            assert np.array_equal(column[:written], all_of_it[:written])
            assert (column[room:] == 99).all()


# -- how it is asked -----------------------------------------------------------------------------


def test_what_cannot_be_harvested() -> None:
    corpus = corpus_from(BY_HAND["one move"])
    with pytest.raises(KatachiError, match="'moves' is no rule of harvest"):
        harvest(corpus, rule="moves")
    for min_count in (0, -1):
        with pytest.raises(KatachiError, match=f"kept for {min_count} appearances"):
            harvest(corpus, min_count=min_count)
    with pytest.raises(KatachiError, match="no games"):
        harvest(corpus.take(np.array([], np.int64)))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_progress(jobs: int) -> None:
    corpus = corpus_from(games("9x9"))
    told: list[tuple[str, int, int]] = []
    harvest(corpus, min_count=2, jobs=jobs, progress=lambda *news: told.append(news))
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == ["sifting", "counting", "drawing"]
    for stage in ("sifting", "counting", "drawing"):
        done = [games for name, games, _ in told if name == stage]
        assert done == sorted(set(done))
        assert done[0] >= 1
        assert done[-1] <= len(corpus)
    assert {total for _, _, total in told} == {len(corpus)}


# -- the games of the papers ---------------------------------------------------------------------


@cache
def kgs_games() -> Corpus:
    path = DATA / "kgs-train-652.tar.xz"
    if not path.exists():
        pytest.skip("kgs-train-652 is not beside the project")
    return read_games(path)


@pytest.mark.slow
def test_coulombs_games_by_the_papers_rule() -> None:
    shapes = harvest(kgs_games(), jobs=2)
    assert (shapes.rule, shapes.min_count) == ("candidates", 625)
    assert len(shapes) == 16_650
    assert list(shapes.per_template().values()) == [880, 2730, 2938, 2480, 2158, 1965, 1812, 1687]


@pytest.mark.slow
def test_coulombs_games_as_played() -> None:
    found = [
        len(harvest(kgs_games(), rule="played", min_count=min_count, jobs=2))
        for min_count in (2, 5, 10, 20)
    ]
    assert found == [43_067, 11_990, 5_333, 2_592]


@pytest.mark.slow
def test_no_collision_among_coulombs_games() -> None:
    """A key has one picture: else some would be too many, or two the same."""
    shapes = harvest(kgs_games(), rule="played", min_count=2, jobs=2)
    assert len(set(shapes.keys.tolist())) == len(shapes)
    found: set[Shape] = set()
    starts = picture_starts(shapes.templates, shapes.rings).tolist()
    packed = shapes.pictures.tobytes()
    for shape, ring in enumerate(shapes.rings.tolist()):
        radius = COULOM_CIRCLES.radii[ring]
        piece = packed[starts[shape] : starts[shape + 1]]
        states = [piece[k // 4] >> 2 * (k % 4) & 3 for k in range(len(places(radius)))]
        if shape % 100 == 0:
            assert shapes.states(shape).tolist() == states
        found.add((radius, canonical(from_katachis_order(states, COULOM_CIRCLES, ring), radius)))
    assert len(found) == len(shapes)
