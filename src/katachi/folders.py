"""Files and folders: how Katachi writes them, and where it keeps what it can make again."""

from __future__ import annotations

import fcntl
import glob
import json
import os
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import platformdirs

from katachi.errors import KatachiError

_STALE_SECONDS = 30 * 24 * 3600


def cache_folder() -> Path:
    """The cache folder: `KATACHI_CACHE_DIR` where that is set, else the user's own. Not created."""
    chosen = os.environ.get("KATACHI_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("katachi", "katachi"))


def writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, which is created if need be. Never raises OSError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def usual_permissions(path: Path) -> None:
    """Give a file or folder that was made as a temporary one the rights of any other."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)


# -- writing: everything that Katachi writes for its user goes through here ----------------------


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing. Raises KatachiError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise KatachiError(f"{folder} is a file: it must be a folder to work in") from None
    except OSError as error:
        raise KatachiError(f"{folder} cannot be made: {error.strerror}") from None


def check_ordinary(path: Path) -> None:
    """Raises KatachiError unless `path` is an ordinary file, a link to one, or not there yet."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise KatachiError(f"{path} cannot be written: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no ordinary file")
        raise KatachiError(f"{path} cannot be written: it is {kind}; name an ordinary file")


def check_file(path: Path, what: str = "") -> None:
    """Raises KatachiError if there is no folder for this file that is to be written, or, where
    `what` says what goes into it, if it is a folder itself.
    """
    if what and path.is_dir():
        raise KatachiError(f"{path} is a folder: name a file for {what}")
    if not path.parent.is_dir():
        raise KatachiError(f"the folder {path.parent} does not exist: make it, or name another")


def check_folder(path: Path | None, what: str) -> None:
    """Raises KatachiError if this folder that is to be written to is a file, or below one."""
    if path is None:
        return
    if path.exists() and not path.is_dir():
        raise KatachiError(f"{path} is a file: name a folder for {what}")
    if any(above.is_file() for above in path.parents):
        raise KatachiError(f"{path} cannot be made: Not a directory")


_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it: it is there whole or not at all.

    Of a symbolic link the file that it points to is written. A file that was there keeps its
    permissions. Raises KatachiError if the folder does not exist or cannot be written, or if there
    is something else than an ordinary file.
    """
    with written_whole(path) as temporary, temporary.open("wb") as file:
        file.write(data)


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """An empty file to be filled within this, which is then renamed: as `write_whole`. If something
    is raised, the file of before is still there, or none.
    """
    check_ordinary(path)
    real = Path(os.path.realpath(path))
    temporary = None
    try:
        _remove_left(real)
        temporary, handle = _temporary(real)
        with os.fdopen(handle, "wb"):  # its lock goes at the end
            yield temporary
            try:
                temporary.chmod(stat.S_IMODE(real.stat().st_mode))
            except FileNotFoundError:
                usual_permissions(temporary)
            temporary.replace(real)
    except OSError as error:
        raise KatachiError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON; as `write_whole`."""
    write_whole(path, json.dumps(data, indent=1).encode())


def read_json(path: Path) -> Any:
    """What a file of JSON holds; None if it is not there, or no JSON."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def _temporary(real: Path) -> tuple[Path, int]:
    """A new file beside this one, and its handle. It is locked: see _remove_left."""
    while True:
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=_prefix(real), suffix=_PART)
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return Path(name), handle
        os.close(handle)  # another process took it for one that was left, before it was locked


def _remove_left(real: Path) -> None:
    """Remove what was left beside a file by those that were killed while they wrote it: the
    temporary files that nobody holds a lock of.
    """
    for left in real.parent.glob(f"{glob.escape(_prefix(real))}*{_PART}"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if _try_lock(handle) is True:
                    left.unlink()
            finally:
                os.close(handle)


_PART = ".part"


def _prefix(real: Path) -> str:
    return f".{real.name[:200]}."  # a name has at most 255 bytes


def is_empty(folder: Path) -> bool:
    """Whether a folder is not there, or holds nothing but what a killed process has left."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return True
    except OSError as error:
        raise KatachiError(f"{folder} cannot be read: {error.strerror}") from None
    return all(name.startswith(".") and name.endswith(_PART) for name in names)


def discard(folder: Path) -> None:
    """Remove a folder of ours: at once it is not there under its name, whatever happens then. What
    cannot be removed stays.
    """
    gone = folder.with_name(f".{folder.name[:200]}.gone")
    shutil.rmtree(gone, ignore_errors=True)  # of one that was killed here
    try:
        folder.rename(gone)
    except OSError:
        gone = folder
    shutil.rmtree(gone, ignore_errors=True)


# -- work that goes on: a folder with a plan, and pieces in it that are written whole -------------

PLAN = "plan.json"


def open_plan(folder: Path, plan: dict[str, Any], other: str = "", name: str = PLAN) -> None:
    """Have a folder for work by a plan, which is JSON: an empty one gets it, as the file `name`; in
    one of the same plan the work goes on, and pieces that are there need not be made again.

    A folder of another plan, or of something else, is emptied. If `other` says what it then holds,
    KatachiError is raised instead.
    """
    if not is_empty(folder):
        if read_json(folder / name) == plan:
            return
        if other:
            raise KatachiError(f"{folder} holds {other}: remove it, or name another")
        discard(folder)
    make_folder(folder)
    write_json(folder / name, plan)


def kept_piece(path: Path, plan: dict[str, Any]) -> dict[str, Any] | None:
    """A piece of work, written as JSON with its plan among its entries: None unless it is there,
    and of this plan.
    """
    found = read_json(path)
    same = isinstance(found, dict) and {name: found.get(name) for name in plan} == plan
    return found if same else None


@contextmanager
def alone_in(folder: Path, work: str, *, again: bool = True) -> Iterator[None]:
    """Keep other processes, and other threads, out of a folder, which is made if need be.

    The lock goes with the process, however it ends. A thread that has the folder may take it
    again, unless `again` is False.
    Raises KatachiError if another one has it (`work`: what is done, "another training is at work"),
    or if the folder cannot be made. A file system without locks has none.
    """
    while True:
        make_folder(folder)
        try:
            handle = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            continue  # it was removed just now
        except OSError as error:
            raise KatachiError(f"{folder} cannot be read: {error.strerror}") from None
        found = os.fstat(handle)
        which = (found.st_dev, found.st_ino)
        if again and _held.get(which) == threading.get_ident():
            os.close(handle)
            yield
            return
        if _try_lock(handle) is False:
            os.close(handle)
            raise KatachiError(f"{work} in {folder}: wait for its end, or name another folder")
        try:
            same = os.path.samestat(folder.stat(), found)
        except FileNotFoundError:
            same = False
        if same:
            break
        os.close(handle)  # of a folder that was removed meanwhile
    _held[which] = threading.get_ident()
    try:
        yield
    finally:
        del _held[which]
        os.close(handle)


_held: dict[tuple[int, int], int] = {}  # folder that is locked → the thread that has it


def _try_lock(handle: int) -> bool | None:
    """Whether nobody else has the lock of this file or folder, which is ours from now on. None on a
    file system without locks.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def mark_used(folder: Path) -> None:
    """Note that this part of the cache was used now, and remove its neighbours that nobody has
    used for 30 days.
    """
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.iterdir():
            if time.time() - other.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


@cache
def source_digest(*packages: str) -> str:
    """A digest of the text of every module in these subpackages of Katachi.

    Caches carry it in their names: what older code has written is never read by newer code.
    """
    digest = blake2b(digest_size=8)
    root = Path(__file__).parent
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
