"""What takes long to make is made once in a run of the tests, whichever process asks for it."""

from __future__ import annotations

import fcntl
import os
import pickle
import re
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

_folder: Path | None = None  # of this run


def share_in(factory: pytest.TempPathFactory) -> None:
    """Share with the other processes of this run from now on. Called by tests/conftest.py."""
    global _folder
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # each worker of pytest-xdist has a folder of its own in there
    _folder = root / "shared"
    _folder.mkdir(exist_ok=True)


def made_once(name: str, make: Callable[[], T]) -> T:
    """What `make` gives: made by the first process that asks for this name, a pickled copy of it
    for all others, who wait meanwhile. Where no tests run, `make` is just called.
    """
    if _folder is None:
        return make()
    path = _path(_folder, name, "pickle")
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            found: T = pickle.loads(path.read_bytes())
            return found
        found = make()
        part = path.with_suffix(".part")
        part.write_bytes(pickle.dumps(found))
        part.replace(path)
        return found


def folder_made_once(name: str, make: Callable[[Path], T], copy: Path) -> T:
    """What `make` gives, which also fills a folder: `copy` becomes a copy of that folder, which the
    test may change.
    """
    if _folder is None:
        copy.mkdir()
        return make(copy)
    filled = _path(_folder, name, "folder")

    def fill() -> T:
        filled.mkdir()
        return make(filled)

    found = made_once(name, fill)
    shutil.copytree(filled, copy)
    return found


def _path(folder: Path, name: str, kind: str) -> Path:
    same = re.sub(" at 0x[0-9a-f]+", "", name)  # where a function lies differs by process
    return folder / f"{blake2b(same.encode(), digest_size=16).hexdigest()}.{kind}"
