"""Where records come from: files, folders, .zip and .tar archives, as a stream of members.

Archives are read, never unpacked: nothing is written anywhere. An archive with a name that leads
outside it (`../`, an absolute path) is refused whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from katachi.errors import KatachiError
from katachi.printable import readable_name
from katachi.records.archives import Member, archive_members, too_large

MAX_BYTES: Final = 32 * 2**20  # of one SGF file; a game has about 2,000

_TAR: Final = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tbz")
_ARCHIVES: Final = (*_TAR, ".zip")
_MAGIC: Final = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "tar",
    b"\xfd7zXZ": "tar",
    b"BZh": "tar",
}


def members(path: Path) -> Iterator[Member]:
    """The SGF files of a path that was named by the user, in a stable order.

    A file is one member; a folder is walked, archives in it included; of archives and folders only
    names ending in .sgf count. Raises KatachiError if the path does not exist, cannot be read or
    holds nothing that could be a record.
    """
    if not path.exists():
        raise KatachiError(f"{path} does not exist: name an SGF file, an archive or a folder")
    if not path.is_dir() and not path.is_file():
        raise KatachiError(f"{path} is neither a file nor a folder: it is not read")
    try:
        if path.is_dir():
            yield from _folder_members(path)
        elif kind := archive_kind(path):
            yield from archive_members(path, kind, MAX_BYTES)
        else:
            yield _file_member(path, 1.0)
    except PermissionError as error:
        raise KatachiError(f"{error.filename} cannot be read: permission denied") from None


def record_files(folder: Path) -> list[Path]:
    """The .sgf files and archives below a folder, sorted. Links to folders are not followed."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders.sort()
        found += [Path(parent, name) for name in files]
    wanted = (".sgf", *_ARCHIVES)
    return sorted(path for path in found if path.name.lower().endswith(wanted) and path.is_file())


def archive_kind(path: Path) -> str:
    """ "zip", "tar", or "" for a plain file, by its name or its first bytes."""
    name = path.name.lower()
    if name.endswith(_ARCHIVES):
        return "zip" if name.endswith(".zip") else "tar"
    with path.open("rb") as file:
        start = file.read(6)
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), "")


def _file_member(path: Path, share: float) -> Member:
    name = readable_name(str(path))
    size = path.stat().st_size
    if size > MAX_BYTES:
        return Member(name, None, too_large(size, MAX_BYTES), share)
    with path.open("rb") as file:
        return Member(name, file.read(MAX_BYTES), "", share)  # it may have grown meanwhile


def _folder_members(folder: Path) -> Iterator[Member]:
    files = record_files(folder)
    if not files:
        raise KatachiError(
            f"no game records in the folder {folder}: it holds no .sgf file or archive"
        )
    for number, path in enumerate(files):
        start, step = number / len(files), 1 / len(files)
        try:
            kind = archive_kind(path) if path.name.lower().endswith(_ARCHIVES) else ""
            if not kind:
                yield _file_member(path, start + step)
                continue
            for member in archive_members(path, kind, MAX_BYTES):
                yield member._replace(share=start + step * member.share)
        except (KatachiError, OSError) as error:
            # In a folder one bad file does not stop the others.
            yield Member(readable_name(str(path)), None, str(error), start + step)
