"""What is kept of comparisons: a check is left out only where it passed on just the same."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import kept
from tests.kept import digest, holds, program
from tests.patterns.test_features import compare

SAME: list[tuple[Any, Any]] = [
    ({"a": 1, "b": {2, 3}}, {"b": {3, 2}, "a": 1}),
    ((1, [2, "x"]), [1, (2, "x")]),
    (np.arange(3, dtype=np.uint8), np.array([0, 1, 2], np.uint8)),
]
OTHERS: list[tuple[Any, Any]] = [
    ([1, 2], [2, 1]),
    ([[1], [2]], [[1, 2]]),
    ([[], [1, "1"]], [["1"], [1]]),
    ({1: 2}, {2: 1}),
    ({1: {2: 3}}, {1: {2: 4}}),
    (["ab", "c"], ["a", "bc"]),
    (1, "1"),
    (1, True),
    (b"a", "a"),
    (np.zeros((2, 3), np.uint8), np.zeros((3, 2), np.uint8)),
    (np.zeros(4, np.uint8), np.zeros(1, np.uint32)),
]


def test_digests() -> None:
    assert all(digest(one) == digest(two) for one, two in SAME)
    assert all(digest(one) != digest(two) for one, two in OTHERS)
    assert digest(1, 2) != digest(12)
    for untold in (object(), np.array([object()]), [{1: object()}]):
        with pytest.raises(TypeError, match="is not told in words"):
            digest(untold)


def check(said: int, right: int) -> None:
    asked.append(said)
    assert said == right, f"the kernel said {said}"


asked: list[int] = []


@pytest.fixture
def _empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    monkeypatch.setattr(kept, "_passed", defaultdict(dict))
    monkeypatch.setattr(kept, "_programs", defaultdict(dict))
    monkeypatch.delenv("KATACHI_PROVE", raising=False)
    monkeypatch.setitem(check.__globals__, "asked", [])
    monkeypatch.setattr(kept, "program", lambda _: "program")


@pytest.mark.usefixtures("_empty")
def test_a_check_is_left_out_where_it_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    holds(check, 1, 1)
    holds(check, 1, 1)  # not written yet
    kept.write()
    kept.kept.cache_clear()
    holds(check, 1, 1)
    assert asked == [1, 1]
    with pytest.raises(AssertionError, match="the kernel said 2"):
        holds(check, 2, 1)
    holds(check, 2, 2)
    assert asked == [1, 1, 2, 2]
    monkeypatch.setenv("KATACHI_PROVE", "1")
    holds(check, 1, 1)
    monkeypatch.delenv("KATACHI_PROVE")
    monkeypatch.setattr(kept, "program", lambda _: "another program")
    holds(check, 1, 1)
    assert asked == [1, 1, 2, 2, 1, 1]


@pytest.mark.parametrize(
    "part",
    [
        "tests.go.ladder_oracle",  # which the oracle imports
        "tests.patterns.feature_oracle",
        "katachi.go.points",
        "tests.patterns.test_features.compare",
        "tests.patterns.test_features.compare_one",  # which `compare` calls
    ],
)
def test_all_of_a_program_counts(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = kept.source

    def source(one: Any) -> str:
        name = getattr(one, "__qualname__", "")
        name = f"{one.__module__}.{name}" if name else one.__name__
        return plain(one) + "# changed" * (name == part)

    before = program(compare)
    monkeypatch.setattr(kept, "source", source)
    program.cache_clear()
    changed = program(compare)
    program.cache_clear()
    assert changed != before


def test_constants_of_a_program_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = program(compare)
    monkeypatch.setitem(compare.__globals__, "BLACK", 7)
    program.cache_clear()
    changed = program(compare)
    program.cache_clear()
    assert changed != before


@pytest.mark.parametrize("path", sorted(kept.FOLDER.glob("*.txt")), ids=lambda p: p.stem)
def test_what_is_kept_is_of_the_checks_as_they_are(path: Path) -> None:
    module = import_module(f"tests.{path.stem}")
    programs = [line for line in path.read_text().splitlines() if " " in line]
    assert programs
    for line in programs:
        told = f"run python -m tests.kept tests/{path.stem.replace('.', '/')}.py"
        assert kept.named(getattr(module, line.split()[0])) == line, told
