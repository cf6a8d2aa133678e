"""Embeddings as a model keeps them: in few bytes, and what they are is what they predict by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.models.predictor import Array

# How a number is kept → its type in the file. int8: in 127ths of the largest number of its row
KINDS: Final = ("int8", "float16", "float32")
_MOST: Final = 127


@dataclass(frozen=True, eq=False)
class Embeddings:
    """A table of numbers, a row to a feature."""

    values: Array  # int8, float16 or float32 [row, K]
    scales: Array  # float32[row]: what the values of a row are multiplied by; [0] unless int8

    @cached_property
    def table(self) -> npt.NDArray[np.float32]:
        """float32[row, K]: the numbers."""
        found = self.values.astype(np.float32)
        return found * self.scales[:, None] if self.values.dtype == np.int8 else found


def stored(table: npt.NDArray[np.float32], kind: str) -> Embeddings:
    """A table as it is kept, in one of the KINDS."""
    if kind != "int8":
        return Embeddings(table.astype(kind), np.zeros(0, np.float32))
    scales = (np.abs(table).max(axis=1, initial=0.0) / _MOST).astype(np.float32)
    whole = np.where(scales > 0, scales, 1.0).astype(np.float32)
    return Embeddings(np.rint(table / whole[:, None]).astype(np.int8), scales)


def nothing() -> Embeddings:
    """Of no features."""
    return stored(np.zeros((0, 0), np.float32), KINDS[0])


def to_tensors(name: str, found: Embeddings) -> dict[str, Array]:
    """As arrays of a file."""
    return {f"{name}/values": found.values, f"{name}/scales": found.scales}


def from_tensors(name: str, tensors: Mapping[str, Array], rows: int, width: int) -> Embeddings:
    """The embeddings in a file. Raises ValueError or KeyError if they are not so many numbers."""
    values, scales = tensors[f"{name}/values"], tensors[f"{name}/scales"]
    kind = str(values.dtype)
    if kind not in KINDS or values.shape != (rows, width) or str(scales.dtype) != "float32":
        raise ValueError(f"the embeddings {name} do not fit")
    if scales.shape != (rows if kind == "int8" else 0,):
        raise ValueError(f"the scales of {name} do not fit")
    found = Embeddings(values, scales)
    if not np.all(np.isfinite(found.table)):
        raise ValueError(f"an embedding of {name} is no number")
    return found
