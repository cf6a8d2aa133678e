"""Files of arrays that can be read without running code: safetensors, with a digest of each part.

In the metadata of the file:

    format     what it is, and of which version
    NAME       all that is told about the arrays, as JSON (`model`, `shapes`)
    digests    array → sha256 of its name, type, shape and numbers, as JSON
    digest     sha256 of the three above

A bit that has changed anywhere, arrays exchanged, a file cut short: all of it is refused.

Beside them `keep_columns` and `kept_columns`: numpy's files, which only Katachi itself reads again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from katachi.errors import KatachiError
from katachi.folders import write_whole

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

_DIGITS: Final = 32  # of a digest


class Kind(NamedTuple):
    """A kind of file: its format, the NAME above, what it is called, and how to get another."""

    format: str
    name: str
    called: str
    make: str  # "make it by …"
    again: str  # "… it again"


def write_arrays(path: Path, kind: Kind, about: Any, arrays: Arrays) -> None:
    """Write the file, whole or not at all: the same bytes for the same contents. `about` goes as
    JSON. Raises KatachiError where it cannot be written.
    """
    write_whole(path, packed(kind, json.dumps(about), arrays))


def packed(kind: Kind, about: str, arrays: Arrays) -> bytes:
    """The bytes of the file; `about` is JSON."""
    digests = json.dumps({name: _digest(name, arrays[name]) for name in sorted(arrays)})
    told = {
        "format": kind.format,
        kind.name: about,
        "digests": digests,
        "digest": _digest_of_text(kind.format, about, digests),
    }
    data = safetensors.numpy.save(arrays, told)
    # safetensors writes its metadata in any order: ours is always the same.
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["__metadata__"] = told
    text = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def read_arrays(path: Path, kind: Kind) -> tuple[Any, Arrays]:
    """(what is told about the arrays, the arrays) of a file that `write_arrays` has written.

    Raises KatachiError if it is not there, cut short, damaged, or of another kind or version.
    """
    if not path.exists():
        raise KatachiError(f"{path} does not exist: {kind.make} {path}")
    if path.is_dir():
        raise KatachiError(f"{path} is a folder, not a {kind.called}")
    if not path.is_file():
        raise KatachiError(f"{path} is no ordinary file, and no {kind.called}")
    try:
        with safetensors.safe_open(path, "numpy") as file:
            told = file.metadata() or {}
            found = told.get("format", "another kind of file")
            if found != kind.format:
                raise KatachiError(f"{path} is {found[:40]}, not {kind.format}: {kind.again}")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError, ValueError, TypeError, AttributeError) as error:
        what = " ".join(str(error).split())[:100]
        raise KatachiError(f"{path} is no {kind.called}, or cut short: {what}") from None
    try:
        _check(told, kind, arrays)
        return json.loads(told[kind.name]), arrays
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise damaged(path, kind, error) from None


def damaged(path: Path, kind: Kind, error: Exception) -> KatachiError:
    """The sentence for a file whose contents do not fit."""
    what = " ".join(str(error).split())[:80]
    return KatachiError(f"{path} is damaged ({type(error).__name__}: {what}): {kind.again}")


def keep_columns(path: Path, columns: Mapping[str, Any]) -> None:
    """Write arrays that only Katachi reads again, whole or not at all: caches, and work that goes
    on. Raises KatachiError where it cannot be.
    """
    buffer = io.BytesIO()
    np.savez(buffer, **columns)
    write_whole(path, buffer.getvalue())


def kept_columns(path: Path) -> Arrays | None:
    """What `keep_columns` has written; None if it is not there, or damaged."""
    try:
        # From memory: numpy leaves a damaged file open.
        with np.load(io.BytesIO(path.read_bytes())) as found:
            return dict(found)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _check(told: Mapping[str, str], kind: Kind, arrays: Arrays) -> None:
    """Raises KeyError or ValueError if a digest is not that of what is there."""
    about, digests = told[kind.name], told["digests"]
    if told["digest"] != _digest_of_text(kind.format, about, digests):
        raise ValueError("its header has changed since it was written")
    wanted = json.loads(digests)
    if wanted.keys() != arrays.keys():
        raise ValueError("its arrays are not those that were written")
    for name, array in arrays.items():
        if wanted[name] != _digest(name, array):
            raise ValueError(f"{name[:40]} has changed since it was written")


def _digest(name: str, array: npt.NDArray[Any]) -> str:
    digest = sha256(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
    digest.update(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")
    return digest.hexdigest()[:_DIGITS]


def _digest_of_text(*texts: str) -> str:
    lengths = " ".join(str(len(text)) for text in texts)
    return sha256(f"{lengths}\0{''.join(texts)}".encode()).hexdigest()[:_DIGITS]
