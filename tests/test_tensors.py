"""Files of arrays: every change is told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from katachi.errors import KatachiError
from katachi.tensors import Kind, packed, read_arrays, write_arrays

KIND = Kind("things-1", "things", "box of things", "make it by", "make it again")
ARRAYS: dict[str, Any] = {
    "a/b": np.arange(7, dtype=np.float32),
    "a/c": np.arange(7, 14, dtype=np.float32),
    "empty": np.zeros(0, np.uint64),
    "table": np.arange(6, dtype=np.uint8).reshape(2, 3),
}
ABOUT = {"name": "x", "numbers": [1, 2, 3]}


def refused(data: bytes, folder: Path, words: str = " is ") -> None:
    path = folder / "bad.things"
    path.unlink(missing_ok=True)  # some file systems wait for the disk where a file is cut
    path.write_bytes(data)
    with pytest.raises(KatachiError, match=words) as error:
        read_arrays(path, KIND)
    assert str(error.value).startswith(f"{path} is ")
    assert "\n" not in str(error.value)


def test_there_and_back(tmp_path: Path) -> None:
    write_arrays(tmp_path / "a.things", KIND, ABOUT, ARRAYS)
    about, arrays = read_arrays(tmp_path / "a.things", KIND)
    assert about == ABOUT
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)
    plain = safetensors.numpy.load((tmp_path / "a.things").read_bytes())
    assert plain.keys() == ARRAYS.keys()


def test_the_same_contents_are_the_same_bytes() -> None:
    turned = dict(reversed(ARRAYS.items()))
    assert packed(KIND, json.dumps(ABOUT), ARRAYS) == packed(KIND, json.dumps(ABOUT), turned)


@pytest.mark.slow
def test_every_flipped_bit_is_told(tmp_path: Path) -> None:
    data = packed(KIND, json.dumps(ABOUT), ARRAYS)
    for place in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            refused(bytes(changed), tmp_path)


@pytest.mark.slow
def test_every_cut_is_told(tmp_path: Path) -> None:
    data = packed(KIND, json.dumps(ABOUT), ARRAYS)
    for length in range(len(data)):
        refused(data[:length], tmp_path)
    refused(data + b"x", tmp_path)


def again(change: dict[str, Any], told: dict[str, str] | None = None) -> bytes:
    """Other arrays, or another header, with the digests of the first."""
    data = packed(KIND, json.dumps(ABOUT), ARRAYS)
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    whole: bytes = safetensors.numpy.save(ARRAYS | change, header | (told or {}))
    return whole


def test_what_is_exchanged_is_told(tmp_path: Path) -> None:
    refused(again({"a/b": ARRAYS["a/c"], "a/c": ARRAYS["a/b"]}), tmp_path, "a/. has changed since")
    refused(again({"a/b": ARRAYS["a/b"][::-1].copy()}), tmp_path, "a/b has changed since")
    refused(again({"table": ARRAYS["table"].reshape(3, 2)}), tmp_path, "table has changed since")
    refused(again({"a/b": ARRAYS["a/b"].view(np.int32)}), tmp_path, "a/b has changed since")
    refused(again({"more": ARRAYS["a/b"]}), tmp_path, "its arrays are not those")
    refused(again({}, {"things": "{}"}), tmp_path, "its header has changed since")
    refused(again({}, {"digests": "{}"}), tmp_path, "its header has changed since")
    refused(again({}, {"digest": "0"}), tmp_path, "its header has changed since")


def test_without_digests(tmp_path: Path) -> None:
    told = {"format": KIND.format, "things": json.dumps(ABOUT)}
    refused(safetensors.numpy.save(ARRAYS, told), tmp_path, "is damaged .*: make it again")


def test_no_ordinary_file(tmp_path: Path) -> None:
    """A pipe would keep its reader waiting for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KatachiError, match="pipe is no ordinary file, and no box of things"):
        read_arrays(tmp_path / "pipe", KIND)
    with pytest.raises(KatachiError, match="is a folder, not a box of things"):
        read_arrays(tmp_path, KIND)
    with pytest.raises(KatachiError, match="none does not exist: make it by"):
        read_arrays(tmp_path / "none", KIND)
