"""A real Ctrl-C in a real program."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from katachi.go.kernel import kernel_folder


def own_cache(folder: Path) -> dict[str, str]:
    """An environment whose cache is new, but for the kernels: they need not be compiled again."""
    cache = folder / "cache"
    cache.mkdir()
    kernels = kernel_folder()
    if kernels is not None:
        (cache / "kernels").symlink_to(kernels.parent)
    return os.environ | {"KATACHI_CACHE_DIR": str(cache)}


def interrupted(
    command: Sequence[str], environment: dict[str, str], ready: Callable[[], bool]
) -> None:
    """Run a command, interrupt it when it is `ready`, and check that it ends in good order."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 180
    while not ready() and time.monotonic() < deadline:
        assert process.poll() is None, "it was over before it could be interrupted"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes get it
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert err.strip().splitlines()[-1:] == ["katachi: interrupted; run it again to go on"], err
    assert "Traceback" not in err
