"""Long computations on disk, so that one that was ended amid its work goes on to the very same end.

`Journal`: the answers to a sequence of questions, one file that grows. A computation that asks the
same questions in the same order gets the answers that are known already, and works for the rest.
`Ring`: the last states of a computation, each in a file of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import source_digest
from katachi.tensors import keep_columns, kept_columns

Vector = npt.NDArray[np.float64]

_DIGEST: Final = 16  # bytes
_HEAD: Final = 2 * _DIGEST + 8  # digest of the question, of the answer, bytes of the answer


class Journal:
    """Questions and answers, vectors both; without a path nothing is kept.

    What is damaged, cut short, or of other questions or another source of Katachi is dropped, with
    all that comes after it. The file must be of nobody else.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._knows = path is not None  # whether there may be answers left to read
        self._salt = source_digest("go", "records", "patterns", "models", "learning").encode()

    def recall(self, question: Vector) -> Vector | None:
        """The answer to the next question, if it is known."""
        if not self._knows:
            return None
        file = self._opened()
        place = file.tell()
        head = file.read(_HEAD)
        length = int.from_bytes(head[2 * _DIGEST :], "little")
        if head[:_DIGEST] == self._digest(question) and length % 8 == 0:
            data = file.read(length) if length <= self._left(file) else b""
            if head[_DIGEST : 2 * _DIGEST] == self._digest(data):
                return np.frombuffer(data, np.float64).copy()
        file.seek(place)
        self._knows = False
        return None

    def note(self, question: Vector, answer: Vector) -> None:
        """Write down the answer to the question that was not known. Raises KatachiError if that
        cannot be.
        """
        if self._path is None:
            return
        file = self._opened()
        data = np.ascontiguousarray(answer, np.float64).tobytes()
        head = self._digest(question) + self._digest(data) + len(data).to_bytes(8, "little")
        try:
            file.truncate()
            for part in (head, data):
                view = memoryview(part)
                while view:
                    view = view[file.write(view) :]
        except OSError as error:
            raise KatachiError(f"{self._path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            self._file.close()

    def _opened(self) -> IO[bytes]:
        assert self._path is not None
        if self._file is None:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise KatachiError(f"{self._path} cannot be written: {error.strerror}") from None
            self._file = os.fdopen(handle, "r+b", buffering=0)
        return self._file

    def _left(self, file: IO[bytes]) -> int:
        return os.fstat(file.fileno()).st_size - file.tell()

    def _digest(self, data: Vector | bytes) -> bytes:
        plain = (
            data if isinstance(data, bytes) else np.ascontiguousarray(data, np.float64).tobytes()
        )
        return blake2b(self._salt + plain, digest_size=_DIGEST).digest()


class Ring:
    """The last `size` states of a computation, numbered from 0: name-K.npz, K the number modulo
    the size. Without a path nothing is kept. The files must be of nobody else.
    """

    def __init__(self, path: Path | None, size: int) -> None:
        self._path = path
        self._size = size
        self._source = source_digest("go", "records", "patterns", "models", "learning")

    def note(self, number: int, state: Mapping[str, Any]) -> None:
        """Keep the next state. Raises KatachiError if it cannot be written."""
        if self._path is None:
            return
        told = {"number": number, "source": self._source, **state}
        keep_columns(self._file(number), told)

    def recall(self) -> list[dict[str, npt.NDArray[Any]]]:
        """The states up to the last one, as many as are there without a gap; the first of all has
        the number 0.
        """
        if self._path is None:
            return []
        found = {}
        for place in range(self._size):
            state = self._read(self._file(place))
            if state is not None and int(state["number"]) % self._size == place:
                found[int(state["number"])] = state
        last = max(found, default=-1)
        first = last
        while first in found:
            first -= 1
        return [found[number] for number in range(first + 1, last + 1)]

    def _file(self, number: int) -> Path:
        assert self._path is not None
        return self._path.with_name(f"{self._path.name}-{number % self._size}.npz")

    def _read(self, path: Path) -> dict[str, npt.NDArray[Any]] | None:
        state = kept_columns(path) or {}
        right = {"number", "source"} <= state.keys() and str(state["source"]) == self._source
        return state if right else None
