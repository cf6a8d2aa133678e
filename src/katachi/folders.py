"""Where Katachi keeps what it can make again: compiled kernels and parsed games."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from hashlib import blake2b
from pathlib import Path

import platformdirs


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
