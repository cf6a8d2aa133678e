"""Where records come from: files, folders, .zip and .tar archives, as a stream of members.

Archives are read, never unpacked: nothing is written anywhere. An archive with a name that leads
outside it (`../`, an absolute path) is refused whole.
"""

from __future__ import annotations

import gzip
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from katachi.errors import KatachiError

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
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
    gzip.BadGzipFile,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
)


class Member(NamedTuple):
    """One SGF file: its name for people, its bytes or None with the `problem`, and how far the
    reading of its source has come (0 … 1).
    """

    name: str
    data: bytes | None
    problem: str
    share: float


class UnsafeArchive(KatachiError):
    """An archive that holds a name leading outside it."""


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
            yield from _archive_members(path, kind)
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
    size = path.stat().st_size
    if size > MAX_BYTES:
        return Member(str(path), None, _too_large(size), share)
    return Member(str(path), path.read_bytes(), "", share)


def _too_large(size: int) -> str:
    return f"{size / 2**20:.0f} MiB in one file, {MAX_BYTES >> 20} MiB are read at most"


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
            for member in _archive_members(path, kind):
                yield member._replace(share=start + step * member.share)
        except (KatachiError, OSError) as error:
            # In a folder one bad file does not stop the others.
            yield Member(str(path), None, str(error), start + step)


def _archive_members(path: Path, kind: str) -> Iterator[Member]:
    """The .sgf files of an archive. What is broken after its first member is one member more."""
    stream = _zip_members(path) if kind == "zip" else _tar_members(path)
    count = 0
    try:
        for member in stream:
            count += 1
            yield member
    except UnsafeArchive:
        raise
    except _BROKEN as error:
        what = " ".join(str(error).split()) or type(error).__name__
        if count == 0:
            raise KatachiError(f"{path} cannot be read as an archive: {what}") from None
        yield Member(str(path), None, f"archive broken after {count} files", 1.0)
        return
    if count == 0:
        raise KatachiError(f"no game records in the archive {path}: it holds no .sgf file")


def _check_name(path: Path, name: str) -> None:
    parts = PurePosixPath(name.replace("\\", "/"))
    drive = len(name) > 1 and name[1] == ":"
    if parts.is_absolute() or ".." in parts.parts or drive:
        raise UnsafeArchive(
            f"{path} holds the name {name!r}, which leads outside the archive: it is not read"
        )


def _zip_members(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        for info in infos:
            _check_name(path, info.filename)
        infos = [info for info in infos if info.filename.lower().endswith(".sgf")]
        for number, info in enumerate(infos, 1):
            name, share = f"{path}:{info.filename}", number / len(infos)
            if info.file_size > MAX_BYTES:
                yield Member(name, None, _too_large(info.file_size), share)
                continue
            try:
                with archive.open(info) as file:
                    yield Member(name, file.read(MAX_BYTES), "", share)
            except _BROKEN:
                yield Member(name, None, "damaged in the archive", share)


def _tar_members(path: Path) -> Iterator[Member]:
    total = max(path.stat().st_size, 1)
    with path.open("rb") as raw, tarfile.open(fileobj=raw, mode="r:*") as archive:
        for info in archive:
            _check_name(path, info.name)
            if not info.isfile() or not info.name.lower().endswith(".sgf"):
                continue
            name, share = f"{path}:{info.name}", min(raw.tell() / total, 1.0)
            if info.size > MAX_BYTES:
                yield Member(name, None, _too_large(info.size), share)
                continue
            file = archive.extractfile(info)
            yield Member(name, file.read() if file else b"", "", share)
            archive.members = []  # type: ignore[attr-defined]  # else it remembers all of them
