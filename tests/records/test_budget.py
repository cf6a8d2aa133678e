"""Archives that unfold to more than their budget: told in a sentence, the rest is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.records import archives
from katachi.records.read import read_games
from katachi.records.sources import members
from tests.archives import tar_of, zip_of

GAME = b"(;SZ[9];B[aa];W[bb])"


def swollen_zip(method: int, size: int, declared: int | None = None) -> bytes:
    """A zip with one game and a file of zeros, which may lie about its size."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("a.sgf", GAME)
        with archive.open("b.sgf", "w") as file:
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
    data = bytearray(buffer.getvalue())
    if declared is not None:
        at = data.rfind(b"PK\x01\x02")
        data[at + 24 : at + 28] = struct.pack("<I", declared)
    return bytes(data)


def long_name(size: int, kind: bytes = tarfile.GNUTYPE_LONGNAME) -> bytes:
    """A tar whose second file has a name, or remarks, of so many bytes."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = kind, size
    return tar_of({"a.sgf": GAME})[:1024] + info.tobuf(tarfile.GNU_FORMAT)


def gzipped_long_name(megabytes: int, kind: bytes = tarfile.GNUTYPE_LONGNAME) -> bytes:
    packer = zlib.compressobj(1, wbits=31)
    parts = [packer.compress(long_name(megabytes << 20, kind))]
    parts += [packer.compress(b"n" * (1 << 20)) for _ in range(megabytes)]
    return b"".join(parts) + packer.flush()


# Megabytes; zeros and long headers unfold to 48, and others may take 150. 12 MB of names were
# measured to take 330.
LIMITS = {"plain names": 400} | dict.fromkeys(
    ("deflate", "bzip2 that lies", "lzma that lies", "long name", "remarks"), 40
)
SWOLLEN: dict[str, tuple[str, Callable[[], bytes]]] = {
    "deflate": ("x.zip", lambda: swollen_zip(zipfile.ZIP_DEFLATED, 48 << 20)),
    "bzip2 that lies": ("x.zip", lambda: swollen_zip(zipfile.ZIP_BZIP2, 48 << 20, 1000)),
    "lzma that lies": ("x.zip", lambda: swollen_zip(zipfile.ZIP_LZMA, 48 << 20, 1000)),
    "nodes": ("x.zip", lambda: packed_zip(b"(" + b";" * 2**23 + b")")),
    "long name": ("x.tar.gz", lambda: gzipped_long_name(48)),
    "remarks": ("x.tar.gz", lambda: gzipped_long_name(48, tarfile.XHDTYPE)),
    "plain nodes": ("x.sgf", lambda: b"(" + b";" * 2**23 + b")"),
    "plain moves": ("x.sgf", lambda: b"(;SZ[9]" + b";B[]" * 2**21 + b")"),
    "plain names": ("x.sgf", lambda: b"(;SZ[9];B[aa]" + names(2_000_000) + b")"),
}


def packed_zip(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.sgf", data)
    return buffer.getvalue()


def names(count: int) -> bytes:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    some = [f"{a}{b}{c}[]" for a in letters for b in letters for c in letters]
    before = [f"{letters[n % 26]}{letters[n // 26]}" for n in range(-(-count // len(some)))]
    whole = "".join(two + one for two in before for one in some)
    return whole.encode()[: count * 6]


# The peak is of this program alone: getrusage begins with that of the process that has started it.
PROGRAM = """
import re, sys
from katachi.records.read import read_games
from katachi.records.sgf import parse_games

def peak():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", file.read())[1])

parse_games(b"(;SZ[9];B[aa])")
before = peak()
corpus = read_games(sys.argv[1], cache=False)
print((peak() - before) // 1024, corpus[len(corpus) - 1].source)
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", SWOLLEN)
def test_memory_is_bounded(what: str, tmp_path: Path) -> None:
    """In a process of its own, which says by how many megabytes it has grown."""
    name, made = SWOLLEN[what]
    (tmp_path / name).write_bytes(made())
    (tmp_path / "z.sgf").write_bytes(GAME)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=True
    )
    grown, last = done.stdout.split()
    assert last.endswith("z.sgf")
    assert int(grown) < LIMITS.get(what, 150)


def problem_of(path: Path) -> str:
    """What is told of the archive in a folder with a game behind it, which is read."""
    (path.parent / "z.sgf").write_bytes(GAME)
    found = list(members(path.parent))
    assert found[-1].data == GAME
    (problem,) = [member.problem for member in found if member.problem]
    corpus = read_games(path.parent, cache=False)
    assert [notice.reason for notice in corpus.notices] == [problem]
    return problem


def test_a_zip_beyond_its_budget(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(swollen_zip(zipfile.ZIP_DEFLATED, 16 << 20))
    assert problem_of(path) == "archive unfolds to more than 8 MiB, which no archive of games does"
    alone = list(members(path))
    assert [member.data for member in alone] == [GAME, None]
    path.write_bytes(packed_zip(bytes(16 << 20)))
    with pytest.raises(KatachiError, match="unfolds to more than 8 MiB"):
        list(members(path))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_beyond_its_budget(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(pack(tar_of({"a.sgf": GAME, "b.txt": bytes(32 << 20), "c.sgf": GAME})))
    assert "unfolds to more than" in problem_of(path)


def test_a_plain_tar_has_no_such_budget(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(tar_of({"a.sgf": GAME, "b.txt": bytes(32 << 20), "c.sgf": GAME}))
    assert [member.data for member in members(path)] == [GAME, GAME]


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
    ],
)
def test_long_headers_of_a_tar(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(long_name(6 << 30, kind) + bytes(10**6))
    assert problem_of(path) == "archive has a header of more than 128 KiB"


def test_many_small_headers_before_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(long_name(10) + (bytes(512) + long_name(10)[1024:]) * 2000 + bytes(512))
    assert problem_of(path) in (
        "archive has a header of more than 128 KiB",
        "archive broken after 1 files",
    )


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 100)
    many = {f"{number}.txt": b"" for number in range(100)} | {"a.sgf": GAME}
    for name, data in (("a.zip", zip_of(many)), ("b.tar", tar_of(many))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(KatachiError, match=f"{name} holds more than 100 files"):
            list(members(tmp_path / name))


def test_a_list_of_files_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_DIRECTORY", 70_000)
    path = tmp_path / "a.zip"
    path.write_bytes(zip_of({f"{number:0200}.sgf": GAME for number in range(500)}))
    with pytest.raises(KatachiError, match="list of files of more than"):
        list(members(path))


def test_remarks_on_all_files_of_a_tar(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    remarks = {f"remark{number}": "x" for number in range(2000)}
    with tarfile.open(
        fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT, pax_headers=remarks
    ) as archive:
        info = tarfile.TarInfo("a.sgf")
        info.size = len(GAME)
        archive.addfile(info, io.BytesIO(GAME))
    (tmp_path / "a.tar").write_bytes(buffer.getvalue())
    with pytest.raises(KatachiError, match="remarks on all its files"):
        list(members(tmp_path / "a.tar"))


@pytest.mark.parametrize("size", [-512, -1024, -(2**40), 2**60, 2**80])
def test_sizes_that_lead_elsewhere(tmp_path: Path, size: int) -> None:
    """One that leads back to its own header would be read for ever."""
    info = tarfile.TarInfo("b.sgf")
    info.size = size
    path = tmp_path / "a.tar"
    path.write_bytes(tar_of({"a.sgf": GAME})[:1024] + info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    found = list(members(path))
    assert found[0].data == GAME
    assert all(member.data is None for member in found[1:])
    assert len(found) >= 2


def test_a_damaged_header_is_not_the_end(tmp_path: Path) -> None:
    whole = bytearray(tar_of({f"{number}.sgf": GAME for number in range(5)}))
    whole[3 * 1024 + 150] ^= 1  # in the checksum of the fourth
    (tmp_path / "a.tar").write_bytes(whole)
    found = list(members(tmp_path / "a.tar"))
    assert [member.data for member in found] == [GAME] * 3 + [None]
    assert found[-1].problem == "archive broken after 3 files"


def test_sparse_files_are_not_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("b.sgf")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 512
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"00000010000\0"  # its size once unfolded
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    path = tmp_path / "a.tar"
    path.write_bytes(tar_of({"a.sgf": GAME})[:1024] + header + bytes(512) + bytes(1024))
    found = list(members(path))
    assert [(m.data, m.problem) for m in found] == [
        (GAME, ""),
        (None, "sparse file in the archive"),
    ]


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_every_way_to_pack_a_zip(tmp_path: Path, method: int) -> None:
    buffer = io.BytesIO()
    files = {"a.sgf": GAME, "b.sgf": b"", "c.sgf": GAME + b" " * 100_000}
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    path = tmp_path / "a.zip"
    path.write_bytes(buffer.getvalue())
    assert [member.data for member in members(path)] == list(files.values())
    assert path.read_bytes()[:2] == b"PK"


def test_several_streams_of_xz_and_what_follows_them(tmp_path: Path) -> None:
    whole = tar_of({"a.sgf": GAME, "b.sgf": GAME * 5000})
    parts = [lzma.compress(whole[:700]), bytes(8), lzma.compress(whole[700:])]
    path = tmp_path / "a.tar.xz"
    for behind in (b"", bytes(4), b"garbage"):
        path.write_bytes(b"".join(parts) + behind)
        assert [member.data for member in members(path)] == [GAME, GAME * 5000]


def test_xz_that_asks_for_too_much_memory(tmp_path: Path) -> None:
    header = lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 4096}])
    # The size of the dictionary is one byte of the block's header, which has a checksum.
    block = bytearray(header[12:24])
    block[4] = 36  # 1 GiB
    block[8:12] = struct.pack("<I", zlib.crc32(bytes(block[:8])))
    path = tmp_path / "a.tar.xz"
    path.write_bytes(header[:12] + bytes(block) + header[24:])
    with pytest.raises(KatachiError, match=r"cannot be read as an archive: .*[Mm]emory"):
        list(members(path))
