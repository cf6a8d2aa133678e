from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.described import Described
from katachi.learning.bradley_terry.pairs import (
    MOST_COMBINATIONS,
    frequent_pairs,
    pair_names,
    parse_pair,
)
from katachi.models.pairs import Pair
from katachi.patterns import competitions as competitions_module
from katachi.patterns.catalogue import COULOM
from katachi.patterns.competitions import Competitions, describe_corpus
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from tests.trained import games


def pair_of(width: int, combinations: list[tuple[int, int]]) -> Pair:
    """The levels of `one` and `two`, in order."""
    numbers = [one * width + two for one, two in combinations]
    return Pair("one", "two", width, np.array(numbers, np.uint32))


@given(data=st.data())
def test_column_against_a_plain_loop(data: st.DataObject) -> None:
    ones, twos = data.draw(st.integers(1, 300)), data.draw(st.integers(1, 300))
    level_of_one, level_of_two = st.integers(1, ones), st.integers(1, twos)
    known = sorted(data.draw(st.sets(st.tuples(level_of_one, level_of_two), max_size=300)))
    pair = pair_of(twos + 1, known)
    rows = data.draw(st.lists(st.tuples(st.integers(0, ones), st.integers(0, twos)), max_size=30))
    rows += [*known, (0, twos), (ones, 0), (0, 0)]
    one, two = (
        np.array([row[i] for row in rows], np.min_scalar_type(most))
        for i, most in ((0, ones), (1, twos))
    )
    wanted = [known.index(row) + 1 if row in known else 0 for row in rows]
    found = pair.column({"one": one, "two": two})
    assert found.tolist() == wanted
    assert found.dtype == np.min_scalar_type(len(known))
    assert found.dtype.kind == "u"


def test_levels_go_there_and_back() -> None:
    combinations = [(1, 1), (1, 7), (2, 3), (200, 1), (255, 9)]
    pair = pair_of(10, combinations)
    assert (pair.name, pair.size) == ("one*two", 5)
    for level, (one, two) in enumerate(combinations, 1):
        assert pair.levels(level) == (one, two)
        columns = {"one": np.array([one], np.uint8), "two": np.array([two], np.uint8)}
        assert pair.column(columns).tolist() == [level]


def test_large_levels_do_not_wrap() -> None:
    """Columns of one byte: their product has more."""
    pair = pair_of(251, [(250, 250)])
    columns = {"one": np.array([250, 250], np.uint8), "two": np.array([250, 249], np.uint8)}
    found = pair.column(columns)
    assert found.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("capture", "no pair of families"),
        ("capture*border*distance", "no pair of families"),
        ("border*border", "no pair of families"),
        ("", "no pair of families"),
        ("capture*nonsense", "no family 'nonsense' in 'capture\\*nonsense': capture, border, big"),
        ("*border", "no family ''"),
        ("big*large", "too many combinations"),
    ],
)
def test_what_is_no_pair(text: str, words: str) -> None:
    sizes = {"capture": 5, "border": 4, "big": 1 << 12, "large": MOST_COMBINATIONS >> 12}
    with pytest.raises(KatachiError, match=words):
        parse_pair(text, sizes)
    assert parse_pair("capture*border", sizes) == ("capture", "border")
    assert parse_pair("border*capture", sizes) == ("border", "capture")


def test_names_of_a_pair() -> None:
    assert pair_names("a*b") == ("a", "b")
    with pytest.raises(KatachiError, match="write it as capture\\*distance"):
        pair_names("a+b")


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Competitions:
    """Six games in three shards."""
    corpus = games(0, 6)
    shapes = harvest(corpus, min_count=100)
    folder = tmp_path_factory.mktemp("pairs") / "competitions"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(competitions_module, "GAMES_PER_SHARD", 2)
        return describe_corpus(corpus, Features(COULOM, {"shape": shapes}), folder)


WANTED = [("border", "distance"), ("shape", "border"), ("capture", "self-atari")]


def counted(described: Competitions, one: str, two: str) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for shard in described.shards:
        counts.update(zip(shard[one].tolist(), shard[two].tolist(), strict=True))
    return counts


@pytest.mark.parametrize("min_count", [1, 20, 200])
def test_frequent_pairs_against_counting(described: Competitions, min_count: int) -> None:
    assert len(described.shards) == 3
    sizes = {f["name"]: f["levels"] for f in described.manifest["families"]}
    found = frequent_pairs(described, WANTED, min_count)
    assert [(pair.one, pair.two) for pair in found] == WANTED
    for pair in found:
        frequent = sorted(
            levels
            for levels, n in counted(described, pair.one, pair.two).items()
            if all(levels) and n >= min_count
        )
        assert [pair.levels(n) for n in range(1, pair.size + 1)] == frequent
        assert pair.width == sizes[pair.two] + 1
    assert found[0].size > 5
    assert min_count < 200 or found[2].size == 0


def test_the_minimum_is_met_exactly(described: Competitions) -> None:
    counts = counted(described, "border", "distance")
    (levels, n) = max((c for c in counts.items() if all(c[0])), key=lambda c: c[1])
    (kept,) = frequent_pairs(described, [("border", "distance")], n)
    assert levels in [kept.levels(i) for i in range(1, kept.size + 1)]
    (none,) = frequent_pairs(described, [("border", "distance")], n + 1)
    assert none.size == 0


def test_pairs_as_columns_of_the_fit(described: Competitions, tmp_path: Path) -> None:
    """Any of the columns, in any order, beside those of the families."""
    assert not list(tmp_path.iterdir())
    pairs = frequent_pairs(described, WANTED, 20)
    names = ["pass", "border", "shape"]
    data = Described(described, names, pairs)
    sizes = {f["name"]: f["levels"] for f in described.manifest["families"]}
    assert data.levels == [*(sizes[n] for n in names), *(pair.size for pair in pairs)]
    assert len(data) == 3
    for number, shard in enumerate(described.shards):
        found = data.shard(number, [4, 1, 3, 0])
        assert found.starts.tolist() == shard["starts"].tolist()
        assert found.winner.tolist() == shard["winner"].tolist()
        plain = [pairs[1].column(shard), shard["border"], pairs[0].column(shard), shard["pass"]]
        assert [c.tolist() for c in found.columns] == [c.tolist() for c in plain]
        assert not any(isinstance(column, np.memmap) for column in found.columns)
    assert data.shard(0, []).columns == []
