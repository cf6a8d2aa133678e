"""kill -9 amid the work of a verb, then the same command again: are its results the same?

    python -m tools.kill [--verb train] [--times 20] [--seed 1]

Each verb runs once undisturbed on a few of the bundled games. Then, `--times` times from nothing,
it is killed with all its processes at a random share of that time, and run again to its end. The
files that it has written, and what it has printed, must be the same, byte for byte, but for the
numbers in TIMES, which tell what a run has cost. Files that are left over count as a difference.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.go.kernel import kernel_folder
from katachi.models.model import KIND
from katachi.records.bundled import bundled_path
from katachi.records.sources import members
from katachi.tensors import read_arrays

_SECONDS: Final = re.compile(rb"seconds: black [0-9.]+, white [0-9.]+|C\[[0-9.]+ s")
TIMES: Final = ("seconds", "megabytes", "mean_seconds")  # keys of JSON that may differ
PLAYER: Final = f"{sys.executable} -m katachi gtp --player pattern --temperature 1 --seed {{seed}}"


@dataclass(frozen=True)
class Trial:
    """A verb on small data: its arguments, and the games in each file or folder that it reads."""

    args: tuple[str, ...]  # {data} and {out} are folders
    games: dict[str, range]  # name in {data}, an archive if it ends so → numbers of bundled games


TRIALS: Final = {
    "train": Trial(
        (
            "train",
            "{data}/games",
            "-o",
            "{out}/my.katachi",
            "--min-candidates",
            "100",
            "--jobs",
            "2",
            "--tolerance",
            "1e-9",
            "--json",
        ),
        {"games": range(24)},
    ),
    "train-hidden": Trial(
        (
            "train",
            "{data}/games",
            "-o",
            "{out}/my.katachi",
            "--method",
            "hidden",
            "--min-candidates",
            "200",
            "--field",
            "20",
            "--jobs",
            "2",
            "--json",
        ),
        {"games": range(30)},
    ),
    "describe": Trial(
        ("describe", "{data}/games", "-o", "{out}/competitions", "--jobs", "2", "--json"),
        {"games": range(67)},
    ),
    "harvest": Trial(
        (
            "harvest",
            "{data}/games",
            "-o",
            "{out}/my.shapes",
            "--min-count",
            "20",
            "--jobs",
            "2",
            "--json",
        ),
        {"games": range(67)},
    ),
    "match": Trial(
        (
            "match",
            PLAYER,
            f"{PLAYER} --no-resign",
            "-o",
            "{out}/match",
            "--size",
            "9",
            "--games",
            "4",
            "--max-moves",
            "30",
            "--jobs",
            "2",
            "--json",
        ),
        {},
    ),
    "reproduce": Trial(
        (
            "reproduce",
            "coulom",
            "--data",
            "{data}",
            "-o",
            "{out}/reproduced",
            "--no-owner",
            "--jobs",
            "2",
            "--json",
        ),
        {"kgs-train-652.tar.xz": range(20), "kgs-test-551.tar.xz": range(20, 30)},
    ),
}


def make_data(trial: Trial, folder: Path) -> None:
    """Write the games of a trial."""
    records = [(one.name, one.data) for one in members(bundled_path()) if one.data is not None]
    for name, numbers in trial.games.items():
        chosen = [records[n] for n in numbers]
        if name.endswith(".tar.xz"):
            with tempfile.TemporaryDirectory() as spare, tarfile.open(folder / name, "w:xz") as tar:
                for record, data in chosen:
                    path = Path(spare) / Path(record).name
                    path.write_bytes(data)
                    tar.add(path, path.name)
        else:
            (folder / name).mkdir()
            for record, data in chosen:
                (folder / name / Path(record).name).write_bytes(data)


class Place:
    """A folder in which a verb runs, with a cache of its own but for the compiled kernels."""

    def __init__(self, folder: Path, data: Path, trial: Trial) -> None:
        self.out = folder / "out"
        self.out.mkdir(parents=True)
        cache = folder / "cache"
        cache.mkdir()
        kernels = kernel_folder()
        if kernels is not None:
            (cache / "kernels").symlink_to(kernels.parent)
        self.environment = os.environ | {"KATACHI_CACHE_DIR": str(cache)}
        self.arguments = [
            arg.replace("{data}", str(data)).replace("{out}", "out") for arg in trial.args
        ]
        self.command = [sys.executable, "-m", "katachi", *self.arguments]
        self.folder = folder

    def start(self) -> subprocess.Popen[bytes]:
        """The verb, in a group of its own."""
        return subprocess.Popen(
            self.command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def whole(self) -> dict[str, Any]:
        """Run it to its end: file → what must be the same, and what was printed. Raises
        RuntimeError if it fails.
        """
        process = self.start()
        out, err = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"exit code {process.returncode}: {err.decode()}")
        return self.results(out)

    def results(self, printed: str | bytes) -> dict[str, Any]:
        """File → what must be the same, and what was printed."""
        found = {
            str(path.relative_to(self.out)): contents(path)
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
        }
        return found | {"printed": without_times(json.loads(printed))}

    def killed(self, now: Callable[[], bool]) -> bool:
        """Run it, and kill it and all its processes as soon as `now()`; False if it ended first."""
        process = self.start()
        while not now() and process.poll() is None:
            time.sleep(0.001)
        ended = process.poll() is not None
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return not ended


def contents(path: Path) -> Any:
    """What must be the same in two files."""
    data = path.read_bytes()
    if path.suffix == ".json":
        return without_times(json.loads(data))
    if path.suffix == ".katachi":
        try:
            about, arrays = read_arrays(path, KIND)
        except KatachiError as error:
            return str(error)
        return without_times(about), {n: (str(a.dtype), a.tobytes()) for n, a in arrays.items()}
    if path.suffix == ".sgf":
        return _SECONDS.sub(b"", data)  # as the record of a match tells them
    return data


def without_times(found: Any) -> Any:
    """JSON without what a run has cost."""
    if isinstance(found, dict):
        return {key: without_times(one) for key, one in found.items() if key not in TIMES}
    if isinstance(found, list):
        return [without_times(one) for one in found]
    return found


def differences(one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    """The names of what is not the same."""
    return sorted(
        n for n in one.keys() | two.keys() if n not in one or n not in two or one[n] != two[n]
    )


def tried(verb: str, times: int, rng: Random, folder: Path) -> tuple[int, int]:
    """(kills, how many of them made no difference)."""
    trial = TRIALS[verb]
    data = folder / "data"
    data.mkdir(parents=True)
    make_data(trial, data)
    Place(folder / "warm", data, trial).whole()  # compiles what is not compiled yet
    wanted_place = Place(folder / "whole", data, trial)
    begin = time.monotonic()
    wanted = wanted_place.whole()
    seconds = time.monotonic() - begin
    equal = number = 0
    tries = 0
    while number < times:
        tries += 1
        place = Place(folder / f"{tries}", data, trial)
        share = rng.random()
        begin = time.monotonic()
        if not place.killed(lambda b=begin, s=share: time.monotonic() - b >= s * seconds):  # type: ignore[misc]
            continue  # it was faster this time
        number += 1
        try:
            wrong = differences(wanted, place.whole())
        except (RuntimeError, ValueError) as error:
            wrong = [str(error)]
        equal += not wrong
        if wrong:
            print(f"{verb}, killed at {share:.1%} ({place.folder}): {', '.join(wrong)}", flush=True)
    return number, equal


def main(args: Sequence[str] | None = None) -> int:
    """Run what the command line says; 1 if anything was different."""
    parser = argparse.ArgumentParser(prog="python -m tools.kill", description=__doc__)
    parser.add_argument("--verb", action="append", choices=TRIALS, help="(default: all of them)")
    parser.add_argument("--times", type=int, default=20, help="kills of each verb (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    options = parser.parse_args(args)
    rows = []
    for verb in options.verb or TRIALS:
        with tempfile.TemporaryDirectory(prefix=f"kill-{verb}-") as folder:
            rows.append((verb, *tried(verb, options.times, Random(options.seed), Path(folder))))
        print(f"{rows[-1][0]}: {rows[-1][2]} of {rows[-1][1]} equal", flush=True)
    print(f"\n{'verb':<12}{'kills':>6}{'equal':>6}")
    for verb, kills, equal in rows:
        print(f"{verb:<12}{kills:>6}{equal:>6}")
    return int(any(kills != equal for _, kills, equal in rows))


if __name__ == "__main__":
    sys.exit(main())
