"""`katachi gtp` in the process of the test: its input is a whole file, its output is returned."""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from katachi.cli import main


def spoken(script: str | bytes, *args: str | Path) -> CompletedProcess[str]:
    """What the engine answers to a script, and its exit code; all but the process is real."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    with tempfile.TemporaryFile() as file, pytest.MonkeyPatch.context() as patched:
        file.write(script.encode() if isinstance(script, str) else script)
        file.seek(0)
        patched.setattr(sys, "stdin", file)
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main(["gtp", *map(str, args)])
    out.flush()
    buffer = out.detach()
    assert isinstance(buffer, io.BytesIO)
    assert isinstance(ended.value.code, int)
    return CompletedProcess(args, ended.value.code, buffer.getvalue().decode(), err.getvalue())
