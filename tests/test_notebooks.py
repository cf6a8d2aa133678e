"""The notebooks of the docs: they run, and print what they show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_some() -> None:
    assert NOTEBOOKS == ["own-features", "three-learners"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_prints_what_it_shows(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.notebooks", "--check", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
