"""The fuzzers themselves (see the folder fuzz): some inputs of each, and those that once failed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fuzz import TARGETS, damage, target

CASES = Path(__file__).parent / "fuzz_cases"
PRESENT = [name for name in TARGETS if (Path("fuzz") / f"{name}.py").exists()]


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESENT)
def test_some_inputs(name: str, tmp_path: Path) -> None:
    one = target(name)
    rng = Random(f"{name} 1")
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        one.check(one.generate(rng), folder)


@pytest.mark.parametrize("path", sorted(CASES.glob("*.input")), ids=lambda path: path.name)
def test_inputs_that_once_failed(path: Path, tmp_path: Path) -> None:
    """Kept by `python -m fuzz` as NAME-….input, and put here."""
    target(path.name.split("-")[0]).check(path.read_bytes(), tmp_path)


@pytest.mark.parametrize("name", PRESENT)
def test_the_same_seed_gives_the_same_inputs(name: str) -> None:
    one = target(name)
    first, second = Random(7), Random(7)
    assert [one.generate(first) for _ in range(5)] == [one.generate(second) for _ in range(5)]


def test_damage_changes_and_stays_small() -> None:
    rng = Random(1)
    whole = b"(;SZ[9];B[aa])"
    damaged = [damage(whole, rng, (b"(;",)) for _ in range(200)]
    assert len(set(damaged)) > 150
    assert max(map(len, damaged)) <= 1 << 20
