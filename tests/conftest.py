"""Shared by all tests: programs that must be there, Katachi's cache, the profile of hypothesis."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.shared import share_in

# Tests leave the user's own cache alone; what they compile is kept from run to run all the same.
# Set before anything of Katachi is imported.
os.environ["KATACHI_CACHE_DIR"] = str(Path(__file__).parents[1] / "build" / "test-cache")

# A shell that runs the tests in the background has them ignore Ctrl-C, nohup the end of the
# terminal, and so would all programs that they start; but some tests send these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile(
    "katachi",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("katachi")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes do not name a test: archives tell when they were made, and the processes of one run
    must agree on the names.
    """
    return argname if isinstance(val, bytes) else None


def find_program(name: str) -> str | None:
    """The path of a program; Debian keeps games outside the usual PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        program = mark.args[0]
        if find_program(program) is None:
            if program in os.environ.get("KATACHI_REQUIRE", "").split(","):
                pytest.fail(f"{program} is missing, and this run requires it")
            pytest.skip(f"{program} is not installed")


@pytest.fixture(scope="session", autouse=True)
def _shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is made once is made once for all processes of a run."""
    share_in(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> Iterator[None]:
    """A verb that is run in the process of a test works alone, unless `--jobs` says otherwise: to
    start processes takes longer than what they have to do here, and the other cores have tests of
    their own. Programs that a test starts see all cores.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        yield


@pytest.fixture
def gnugo() -> str:
    """The path of GNU Go; mark the test with `needs("gnugo")`."""
    program = find_program("gnugo")
    assert program is not None
    return program


@pytest.fixture
def corpus_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own. Kernels already loaded stay as they are."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(folder))
    return folder
