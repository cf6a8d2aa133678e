"""--cluster, with a real scheduler and real workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from safetensors.numpy import load_file

from katachi.learning.bradley_terry import places
from katachi.patterns import competitions
from tests.cli.test_cli import katachi
from tests.cluster_tasks import SHARD
from tests.games import beginning, bundled_sgfs
from tests.gtp.toys import LONG, toy

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


class Running(NamedTuple):
    """A scheduler with workers."""

    address: str
    pid: int


def environment() -> dict[str, str]:
    """Workers import the tests' own tasks, too."""
    dask = {
        "DASK_LOGGING__DISTRIBUTED": "critical",
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # it looks every 10 ms
    }
    return os.environ | {"PYTHONPATH": str(ROOT)} | dask


def certificate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate for all sides, and Dask's settings to ask for it."""
    key, made = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=here"
    subprocess.run(
        [*command.split(), "-keyout", key, "-out", made], check=True, capture_output=True
    )
    settings = {"REQUIRE_ENCRYPTION": "true", "TLS__CA_FILE": str(made)}
    for side in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"TLS__{side}__CERT": str(made), f"TLS__{side}__KEY": str(key)}
    for name, value in settings.items():
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__{name}", value)


@contextmanager
def scheduler(
    folder: Path, workers: int = 2, threads: int = 1, protocol: str = "tcp"
) -> Iterator[Running]:
    """A scheduler and its workers, on this machine."""
    how = (str(workers), str(threads), protocol, str(folder))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cluster_serve", *how],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout:
        try:
            address = process.stdout.readline().strip()
            assert address, "it did not begin"
            yield Running(address, process.pid)
        finally:
            process.stdin.close()  # it ends, and its workers
            process.wait(LONG)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with scheduler(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for name, record in list(bundled_sgfs().items())[:40]:
        (folder / name).write_bytes(beginning(record))
    return folder


def run(harm: str, sign: Path, *args: object) -> subprocess.CompletedProcess[str]:
    """A verb, as tests.cluster_tasks runs it."""
    return python("-m", "tests.cluster_tasks", harm, str(sign), *map(str, args))


def program(text: str, *args: object) -> subprocess.CompletedProcess[str]:
    return python("-c", text, *map(str, args))


def python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )


def trained(games: Path, output: Path, *more: object, harm: str = "none") -> Any:
    """The run of `katachi train` into `output`."""
    return run(harm, output.with_name("harm"), "train", games, *wanted(output), *more)


def wanted(output: Path) -> tuple[str, ...]:
    return ("--no-cache", "--min-candidates", "50", "-o", str(output))


def alone(games: Path, output: Path) -> None:
    """What `trained` gives without a cluster."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(competitions, "GAMES_PER_SHARD", SHARD)
        patched.setattr(places, "CHUNK", 1)
        done = katachi("train", games, *wanted(output), "--jobs", "1")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def local(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model that this machine alone makes."""
    model = tmp_path_factory.mktemp("local") / "model.katachi"
    alone(games, model)
    return model


def same(one: Path, two: Path) -> bool:
    a, b = load_file(one), load_file(two)
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("harm", ["worker", "pass"])
def test_the_same_model_though_a_worker_dies(
    cluster: Running, games: Path, local: Path, tmp_path: Path, harm: str
) -> None:
    model = tmp_path / "model.katachi"
    done = trained(games, model, "--cluster", cluster.address, harm=harm)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "harm").exists()  # one did
    assert same(model, local)


def test_the_same_measures(cluster: Running, games: Path, local: Path, tmp_path: Path) -> None:
    asked = ("evaluate", local, games, "--no-cache", "--json")
    one = katachi(*asked, "--jobs", "1")
    two = run("none", tmp_path / "harm", *asked, "--cluster", cluster.address)
    assert one.returncode == two.returncode == 0, two.stderr
    assert json.loads(one.stdout) == json.loads(two.stdout)


def test_a_match_loses_no_game(cluster: Running, tmp_path: Path) -> None:
    """Nor counts one twice, though a worker dies amid a game; and it goes on."""
    log = tmp_path / "log"
    engines = (toy("--log", log), toy("--moves", 2))
    where = ("--cluster", cluster.address, "--size", 5, "-o", tmp_path / "match", "--json")
    for count in (5, 7):
        done = run("worker", tmp_path / "harm", "match", *engines, *where, "--games", count)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == count
        told = json.loads((tmp_path / "match" / "match.json").read_text())
        assert sorted(game["number"] for game in told["games"]) == list(range(1, count + 1))
    assert (tmp_path / "harm").exists()
    assert len(list((tmp_path / "match" / "games").glob("*.sgf"))) == 7


def test_who_is_there(cluster: Running, tmp_path: Path) -> None:
    done = run("none", tmp_path / "harm", "cluster", cluster.address, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len({one["worker"] for one in found}) == 2
    assert all(one["playouts_per_second"] > 0 and one["tasks"] == [] for one in found)


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_scheduler_that_vanishes(games: Path, local: Path, tmp_path: Path) -> None:
    """It is told in a sentence, and the run goes on with another one."""
    model = tmp_path / "model.katachi"
    with scheduler(tmp_path, workers=1) as running:
        (tmp_path / "harm.scheduler").write_text(str(running.pid))
        done = trained(games, model, "--cluster", running.address, harm="scheduler")
        assert "is gone: what is done is kept" in one_sentence(done)
        assert not model.exists()
        shards = list((tmp_path / "model.katachi.work").rglob("winner.npy"))
        assert shards  # what is done
    alone(games, model)
    assert same(model, local)


@pytest.mark.needs("openssl")
def test_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With them the work is done; who has none is told, and gets nothing."""
    with monkeypatch.context() as safe:
        certificate(tmp_path, safe)
        with scheduler(tmp_path, workers=1, protocol="tls") as running:
            assert running.address.startswith("tls://")
            done = run("none", tmp_path / "harm", "cluster", running.address, "--json")
            assert done.returncode == 0, done.stderr
            assert len(json.loads(done.stdout)) == 1
            safe.undo()
            done = program(HASTY, "cluster", running.address)
            assert f"{running.address} wants certificates" in one_sentence(done)


def test_workers_that_cannot_work(cluster: Running, games: Path, tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    with scheduler(tmp_path / "two", workers=1, threads=2) as running:
        done = run("none", tmp_path / "harm", "games", games, "--cluster", running.address)
        assert "has 2 threads: start workers by" in one_sentence(done)
    for where in ("tcp://127.0.0.1:1", "http://127.0.0.1:1"):
        done = program(HASTY, "games", games, "--cluster", where)
        assert f"no scheduler answers at {where}" in one_sentence(done)
    done = program(HASTY, "games", games, "--cluster", "no address")
    assert "'no address' is no address of a scheduler" in one_sentence(done)
    done = program(OTHER, "games", games, "--cluster", cluster.address)
    assert "and here is 0.0: install the same there" in one_sentence(done)


# The program, as if another version of Numba were here
OTHER = """
import sys
import katachi.cluster as cluster
from katachi.cli import main

cluster.version = lambda name: "0.0"
main(sys.argv[1:])
"""
# The program, which does not wait long for a scheduler
HASTY = OTHER.replace('version = lambda name: "0.0"', "CONNECT = 1")
