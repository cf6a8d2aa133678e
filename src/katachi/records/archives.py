"""The SGF files of .zip and .tar archives, read within a budget, never unpacked.

Thirty kilobytes can unfold to gigabytes: as data, as the name of a file, as millions of files. So
every read has a bound before it is made, and each archive a budget (`docs/records.md`).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, NamedTuple, cast

from katachi.errors import KatachiError
from katachi.printable import readable_name

MAX_MEMBERS: Final = 500_000  # files of an archive, of any kind
FREE_BYTES: Final = 8 * 2**20  # what any archive may unfold to
RATIO: Final = 50  # and so many times its own size more; game records have a ratio of 5
MAX_HEADER: Final = 128 * 2**10  # bytes of a tar between two files: long names, remarks
MAX_SETTINGS: Final = 1000  # a tar's remarks on all its files
MAX_DIRECTORY: Final = 32 * 2**20  # bytes of a zip's list of files
MAX_DECODER: Final = 128 * 2**20  # bytes that xz may use; `xz -9` makes it use 65 MiB

BROKEN: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    LookupError,
)
_CHUNK: Final = 2**16


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


class TooMuch(Exception):
    """An archive beyond its budget; the text goes on after its name."""


def archive_members(path: Path, kind: str, most: int) -> Iterator[Member]:
    """The .sgf files of an archive, of `most` bytes each. What is broken or too much after its
    first member is one member more.

    Raises KatachiError if there is none, or a name leads outside the archive.
    """
    stream = _zip_members(path, most) if kind == "zip" else _tar_members(path, most)
    count = 0
    try:
        for member in stream:
            count += 1
            yield member
    except TooMuch as error:
        if count == 0:
            raise KatachiError(f"{path} {error}: it is not read") from None
        yield Member(readable_name(str(path)), None, f"archive {error}", 1.0)
        return
    except BROKEN as error:
        what = " ".join(str(error).split()) or type(error).__name__
        if count == 0:
            raise KatachiError(f"{path} cannot be read as an archive: {what}") from None
        yield Member(readable_name(str(path)), None, f"archive broken after {count} files", 1.0)
        return
    if count == 0:
        raise KatachiError(f"no game records in the archive {path}: it holds no .sgf file")


def too_large(size: int, most: int) -> str:
    """The problem of a file that has more than `most` bytes."""
    return f"{size / 2**20:.0f} MiB in one file, {most >> 20} MiB are read at most"


def _check_name(path: Path, name: str) -> None:
    parts = PurePosixPath(name.replace("\\", "/"))
    drive = len(name) > 1 and name[1] == ":"
    if parts.is_absolute() or ".." in parts.parts or drive:
        shown = readable_name(name)
        raise UnsafeArchive(
            f"{path} holds the name {shown!r}, which leads outside the archive: it is not read"
        )


def _budget(path: Path) -> int:
    return FREE_BYTES + RATIO * path.stat().st_size


def _beyond(budget: int) -> TooMuch:
    return TooMuch(f"unfolds to more than {budget >> 20} MiB, which no archive of games does")


def _count(members: int) -> None:
    if members > MAX_MEMBERS:
        raise TooMuch(f"holds more than {MAX_MEMBERS:,} files")


# -- zip ---------------------------------------------------------------------------------------


class _Bounded:
    """A file for zipfile, which reads the list of all files at once: no more than so much."""

    def __init__(self, file: IO[bytes]) -> None:
        self.seek, self.tell = file.seek, file.tell
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            here = self.tell()
            size = self.seek(0, io.SEEK_END) - here
            self.seek(here)
        if size > MAX_DIRECTORY:
            raise TooMuch(f"has a list of files of more than {MAX_DIRECTORY >> 20} MiB")
        return self._file.read(size)


def _zip_members(path: Path, most: int) -> Iterator[Member]:
    budget = left = _budget(path)
    with path.open("rb") as file, zipfile.ZipFile(cast(IO[bytes], _Bounded(file))) as archive:
        _count(len(archive.infolist()))
        infos = [info for info in archive.infolist() if not info.is_dir()]
        for info in infos:
            _check_name(path, info.filename)
        infos = [info for info in infos if info.filename.lower().endswith(".sgf")]
        for number, info in enumerate(infos, 1):
            name, share = readable_name(f"{path}:{info.filename}"), number / len(infos)
            size = max(info.file_size, info.compress_size)
            if size > most:
                yield Member(name, None, too_large(size, most), share)
                continue
            if size > left:
                raise _beyond(budget)
            try:
                data = _unfolded(file, info)
            except BROKEN:
                yield Member(name, None, "damaged in the archive", share)
                continue
            left -= len(data)
            yield Member(name, data, "", share)


def _unfolded(file: IO[bytes], info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member. Raises one of BROKEN; never makes more than the size it declares.

    zipfile's own reader makes whatever bzip2 or LZMA data unfold to.
    """
    file.seek(info.header_offset)
    mark, *_, name, extra = struct.unpack("<4s5H3I2H", file.read(30))
    if mark != b"PK\x03\x04" or info.flag_bits & 1:
        raise ValueError("no such member, or an encrypted one")
    file.seek(name + extra, io.SEEK_CUR)
    packed = file.read(info.compress_size)
    most = info.file_size + 1  # one more, to see whether it would be
    if info.compress_type == zipfile.ZIP_STORED:
        data = packed
    elif info.compress_type == zipfile.ZIP_DEFLATED:
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
    elif info.compress_type == zipfile.ZIP_BZIP2:
        data = bz2.BZ2Decompressor().decompress(packed, most)
    elif info.compress_type == zipfile.ZIP_LZMA:
        # Version, length of the settings, settings: an .lzma file has these and the size.
        (length,) = struct.unpack("<H", packed[2:4])
        whole = packed[4 : 4 + length] + b"\xff" * 8 + packed[4 + length :]
        decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=MAX_DECODER)
        data = decoder.decompress(whole, most)
    else:
        raise ValueError(f"compression method {info.compress_type}")
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise ValueError("damaged")
    return data


# -- tar ---------------------------------------------------------------------------------------


class _Meter:
    """A file for tarfile, forward only: `allowed` bytes may be read, and `budget` passed in all.

    tarfile reads names and remarks at once, however long they say they are.
    """

    def __init__(self, file: IO[bytes], budget: int | None) -> None:
        self.allowed = MAX_HEADER
        self.last = b""  # what was read last
        self._file = file
        self._budget = budget  # None: what it reads lies on the disk as it is
        self._at = 0

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self.allowed:
            raise TooMuch(f"has a header of more than {MAX_HEADER >> 10} KiB")
        self.allowed -= size
        self.last = self._file.read(size)
        self._pass(len(self.last))
        return self.last

    def seek(self, to: int) -> int:
        if to < self._at:
            raise tarfile.ReadError("leads backwards")
        if self._budget is None:
            self._file.seek(to)
            self._at = to
        while self._at < to and (piece := self._file.read(min(_CHUNK, to - self._at))):
            self._pass(len(piece))
        return self._at

    def _pass(self, count: int) -> None:
        self._at += count
        if self._budget is not None and self._at > self._budget:
            raise _beyond(self._budget)


def _tar_members(path: Path, most: int) -> Iterator[Member]:
    total = max(path.stat().st_size, 1)
    with path.open("rb") as raw:
        plain = _plain(raw)
        meter = _Meter(plain or raw, _budget(path) if plain else None)
        archive = tarfile.TarFile(fileobj=cast(IO[bytes], meter))
        count = 0
        while (info := _next(archive, meter)) is not None:
            count += 1
            _count(count)
            _check_name(path, info.name)
            if not info.isfile() or not info.name.lower().endswith(".sgf"):
                continue
            name = readable_name(f"{path}:{info.name}")
            share = min(raw.tell() / total, 1.0)
            if info.size > most:
                yield Member(name, None, too_large(info.size, most), share)
                continue
            if info.issparse():
                yield Member(name, None, "sparse file in the archive", share)
                continue
            meter.seek(info.offset_data)
            meter.allowed = info.size
            data = meter.read(info.size)
            if len(data) < info.size:
                raise tarfile.ReadError("unexpected end of data")
            yield Member(name, data, "", share)


def _next(archive: tarfile.TarFile, meter: _Meter) -> tarfile.TarInfo | None:
    """The next file of the archive, None at its end. Raises one of BROKEN, or TooMuch."""
    before: int = archive.offset
    meter.allowed = MAX_HEADER
    first = archive.firstmember is not None  # type: ignore[attr-defined]
    info = archive.next()
    archive.members = []  # type: ignore[attr-defined]  # else it remembers all of them
    if info is None:
        # tarfile takes a damaged header for the end; the real one is zeros, or nothing more.
        if len(meter.last) % tarfile.BLOCKSIZE or meter.last.strip(b"\0"):
            raise tarfile.ReadError("a damaged header")
    elif info.size < 0 or (archive.offset <= before and not first):
        raise tarfile.ReadError("leads backwards")
    if len(archive.pax_headers) > MAX_SETTINGS:
        raise TooMuch(f"has more than {MAX_SETTINGS:,} remarks on all its files")
    return info


def _plain(raw: IO[bytes]) -> IO[bytes] | None:
    """What a compressed file holds, as a stream; None if it is not compressed."""
    start = raw.read(6)
    raw.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if start.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if start.startswith((b"\xfd7zXZ", b"\x5d\x00\x00")):
        return cast(IO[bytes], io.BufferedReader(_Xz(raw)))
    return None


class _Xz(io.RawIOBase):
    """xz data as a stream. Unlike lzma's own it bounds the memory that the data ask for."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._streams = 0
        self._begin()

    def _begin(self) -> None:
        self._decoder = lzma.LZMADecompressor(memlimit=MAX_DECODER)
        self._streams += 1
        self._fresh = True  # nothing has come out of this stream yet

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            packed = b""
            if self._decoder.eof:  # another stream may follow, after zeros
                packed = self._decoder.unused_data.lstrip(b"\0")
                while not packed and (more := self._raw.read(_CHUNK)):
                    packed = more.lstrip(b"\0")
                if not packed:
                    return 0
                self._begin()
            elif self._decoder.needs_input:
                packed = self._raw.read(_CHUNK)
                if not packed:
                    raise EOFError("the compressed data end too early")
            try:
                data = self._decoder.decompress(packed, len(buffer))
            except lzma.LZMAError:
                if self._fresh and self._streams > 1:
                    return 0  # what follows is no stream: as xz has it, the data end before it
                raise
            if data:
                self._fresh = False
                buffer[: len(data)] = data
                return len(data)
