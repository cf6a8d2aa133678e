"""Archives of SGF files, damaged, swollen and lying: refused or read, beside a sound game."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from pathlib import Path
from random import Random

from fuzz import damage
from katachi.errors import KatachiError
from katachi.records.read import read_games

# The first byte of an input says which of these the rest is called.
NAMES = ("a.zip", "a.tar", "a.tar.gz", "a.tar.xz", "a.tar.bz2", "a.dat")
SOUND = b"(;SZ[9];B[aa];W[bb];B[cc])"
_FILES = (SOUND, b"", b"(;SZ[9]" + b";B[];W[]" * 50 + b")", b"junk", b"(;" * 300, bytes(5000))
_PIECES = (
    b"PK\x01\x02",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\xff\xff\xff\xff",
    b"././@LongLink",
    b"ustar\x0000",
    b"\x80\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00",
    b"\xff" * 12,
    b"77777777777",
    b"\x00" * 512,
    b"../",
    b"30 path=x.sgf\n",
)


def generate(rng: Random) -> bytes:
    """The number of a name, and an archive; most often damaged, before or after compression."""
    kind = rng.randrange(len(NAMES))
    if kind == 0:
        data = _zip(rng)
    else:
        data = _tar(rng)
        if rng.random() < 0.4:
            data = damage(data, rng, _PIECES)
        pack = (None, None, _gzip, lzma.compress, bz2.compress, _gzip)[kind]
        data = pack(data) if pack else data
    if rng.random() < 0.5:
        data = damage(data, rng, _PIECES)
    return bytes([kind]) + data


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # the same at any time


def _name(rng: Random) -> str:
    return rng.choice(
        (
            "a.sgf",
            "b/c.SGF",
            "x\x1b[2J.sgf",
            "\udcff.sgf",
            "n" * 300 + ".sgf",
            "readme.txt",
            "d/../e.sgf",
            "李.sgf",
            "f\n.sgf",
        )
    )


def _file(rng: Random) -> bytes:
    if rng.random() < 0.05:
        unit = rng.choice((b" ", b"(;)", b";", b"(;B[])", b"B[", b"[", b"AB[aa:ss]", b"\x00"))
        return unit * (rng.choice((10**4, 10**6, 8 * 10**6)) // len(unit))
    return rng.choice(_FILES)


def _zip(rng: Random) -> bytes:
    buffer = io.BytesIO()
    method = rng.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for number in range(rng.choice((0, 1, 3, 20))):
            name = _name(rng).replace("\udcff", "y")
            info = zipfile.ZipInfo(f"{number}{name}")  # of 1980, so the same at any time
            info.compress_type = method
            archive.writestr(info, _file(rng))
    data = bytearray(buffer.getvalue())
    if rng.random() < 0.3 and (at := data.find(b"PK\x01\x02")) >= 0:
        # Lies about the sizes, the place, the method of a member.
        field = at + rng.choice((10, 16, 20, 24, 28, 30, 42))
        lie = rng.choice((0, 1, 2**16 - 1, 2**31, 2**32 - 1))
        data[field : field + 4] = struct.pack("<I", lie)
    return bytes(data)


def _tar(rng: Random) -> bytes:
    buffer = io.BytesIO()
    style = rng.choice((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT))
    with tarfile.open(fileobj=buffer, mode="w", format=style) as archive:
        for number in range(rng.choice((0, 1, 3, 20))):
            info = tarfile.TarInfo(f"{number}{_name(rng)}"[: 90 if number % 2 else None])
            data = _file(rng)
            info.size = len(data)
            if rng.random() < 0.1:
                info.type = rng.choice((b"1", b"2", b"5", b"7", b"S", b"g", b"x", b"L", b"K"))
            try:
                archive.addfile(info, io.BytesIO(data))
            except ValueError:
                continue  # a name that this style has no room for
    if rng.random() < 0.2:
        return _lying_header(rng) + buffer.getvalue()
    return buffer.getvalue()


def _lying_header(rng: Random) -> bytes:
    """A header of any type that claims any size, and zeros after it."""
    info = tarfile.TarInfo("a.sgf")
    info.type = rng.choice((b"L", b"K", b"x", b"g", b"S", b"0", b"5"))
    info.size = rng.choice((0, 511, 10**6, 2**31, 2**33, 2**60, -512, -(2**40)))
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(rng.choice((0, 512, 10**6)))


def check(data: bytes, folder: Path) -> None:
    """Read it alone, and in a folder with a sound game, which must be read."""
    if not data:
        return
    path = folder / NAMES[data[0] % len(NAMES)]
    path.write_bytes(data[1:])
    (folder / "z.sgf").write_bytes(SOUND)
    try:
        alone: int | None = len(read_games(path, cache=False))
    except KatachiError:
        alone = None  # in a folder, what comes before the fault is read
    whole = read_games(folder, cache=False)
    assert Path(whole[len(whole) - 1].source).name == "z.sgf"
    if alone is not None and not path.name.endswith(".dat"):
        assert len(whole) == alone + 1
