"""`python -m fuzz`: each target in a process of its own, for so many minutes in all.

An input that fails is kept in build/fuzz/failures, and `python -m fuzz --replay FILE` runs it
again. Exit code 1 if any input failed.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from fuzz import TARGETS, Target, target

BUILD: Final = Path(__file__).parents[1] / "build" / "fuzz"
CPU_SECONDS: Final = 20.0  # for one input
MEGABYTES: Final = 1500  # that one input may add to the largest size of the process
GRACE: Final = 120.0  # seconds beyond its time, after which a target's process hangs


class Slow(Exception):
    """An input took too much time."""


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=8.0, help="in all (default 8)")
    parser.add_argument("--seed", type=int, default=None, help="(default: the clock)")
    parser.add_argument("--only", action="append", choices=TARGETS, help="only these targets")
    parser.add_argument("--replay", type=Path, help="run one kept input again: NAME-….input")
    parser.add_argument("--child", choices=TARGETS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.replay is not None:
        _limited(target(args.replay.name.split("-")[0]), args.replay.read_bytes())
        return 0
    seed = time.time_ns() % 10**9 if args.seed is None else args.seed
    if args.child is not None:
        return _child(target(args.child), seed, args.minutes * 60)
    names = args.only or TARGETS
    print(f"seed {seed}", flush=True)
    failed = [_watched(name, seed, args.minutes / len(names)) for name in names]
    return int(any(failed))


def _watched(name: str, seed: int, minutes: float) -> bool:
    """Run a target in a process of its own: whether an input failed, or it hung or died."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [
        sys.executable,
        "-m",
        "fuzz",
        "--child",
        name,
        "--seed",
        str(seed),
        "--minutes",
        str(minutes),
    ]
    process = subprocess.Popen(command, cwd=BUILD.parents[1])
    try:
        code = process.wait(minutes * 60 + GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    if code < 0:
        kept = _keep(name, (folder / "current").read_bytes())
        print(f"{name}: the process was ended by signal {-code}; {kept}", flush=True)
    return code != 0


def _child(one: Target, seed: int, seconds: float) -> int:
    rng = Random(f"{one.name} {seed}")
    current = BUILD / one.name / "current"
    current.parent.mkdir(parents=True, exist_ok=True)
    inputs = failures = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = one.generate(rng)
        current.write_bytes(data)
        inputs += 1
        try:
            _limited(one, data)
        except Exception:
            failures += 1
            print(f"{one.name}: {_keep(one.name, data)}", flush=True)
            traceback.print_exc()
    print(f"{one.name}: {inputs:,} inputs, {failures} failures", flush=True)
    return int(failures > 0)


def _limited(one: Target, data: bytes) -> None:
    """Check one input within the limits."""

    def slow(_number: int, _frame: FrameType | None) -> None:
        raise Slow(f"more than {CPU_SECONDS:.0f} s of the processor")

    before = _largest()
    signal.signal(signal.SIGPROF, slow)
    with tempfile.TemporaryDirectory() as folder:
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        try:
            one.check(data, Path(folder))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    if _largest() - before > MEGABYTES:
        raise MemoryError(f"{_largest() - before:.0f} MB more than before")


def _largest() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _keep(name: str, data: bytes) -> Path:
    from hashlib import blake2b

    folder = BUILD / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{blake2b(data, digest_size=6).hexdigest()}.input"
    path.write_bytes(data)
    return path


if __name__ == "__main__":
    sys.exit(main())
