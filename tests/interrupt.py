"""A real Ctrl-C in a real program, at a moment of our choice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from katachi.go.kernel import kernel_folder

LONG = 600.0  # seconds that no test waits for: a guard against waiting for ever

# The program, but its main process stops for good at the Nth call of a function of its own: it
# cannot be over before it is interrupted, however busy the machine is.
_HELD = """
import functools, importlib, signal, sys
from katachi.cli import main

def hold(place, calls):
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    function = getattr(owner, name)

    def held(*args, **kwargs):
        nonlocal calls
        calls -= 1
        while calls <= 0:
            signal.pause()
        return function(*args, **kwargs)

    setattr(owner, name, held)

if __name__ == "__main__":
    hold(sys.argv.pop(1), int(sys.argv.pop(1)))
    main()
"""


def own_cache(folder: Path) -> dict[str, str]:
    """An environment whose cache is new, but for the kernels: they need not be compiled again."""
    cache = folder / "cache"
    cache.mkdir()
    kernels = kernel_folder()
    if kernels is not None:
        (cache / "kernels").symlink_to(kernels.parent)
    return os.environ | {"KATACHI_CACHE_DIR": str(cache)}


def held(place: str, calls: int) -> list[str]:
    """The program as `python -m katachi`, which stops at the Nth call of `module:function`."""
    return [sys.executable, "-c", _HELD, place, str(calls)]


def interrupted(
    command: Sequence[str], environment: dict[str, str], ready: Callable[[], bool]
) -> None:
    """Run a command, interrupt it when it is `ready`, and check that it ends in good order."""
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + LONG
    while not ready():
        assert process.poll() is None, "it was over before it could be interrupted"
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes get it
    out, err = process.communicate(timeout=LONG)
    assert process.returncode == 130, err
    assert out == ""
    assert err.strip().splitlines()[-1:] == ["katachi: interrupted; run it again to go on"], err
    assert "Traceback" not in err
