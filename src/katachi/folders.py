"""Where Katachi keeps what it can make again: compiled kernels and parsed games."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it: it is there whole or not at all.

    Raises KatachiError if the folder does not exist or cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError as error:
        raise KatachiError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        usual_permissions(Path(temporary))
        Path(temporary).replace(path)
    except OSError as error:
        raise KatachiError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


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
