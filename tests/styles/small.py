"""Small made-up decisions, and what the fit is in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.styles.decisions import Decisions, Piece

Vector = npt.NDArray[np.float64]


def made_up(
    decisions: int,
    sizes: tuple[int, ...],
    seed: int,
    truth: Vector | None = None,
    flat: bool = False,
) -> Decisions:
    """Decisions between three to seven candidates with features at random, in two pieces; the
    winners are drawn from the model with these differences.
    """
    rng = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(sizes)])
    delta = np.zeros(first[-1]) if truth is None else truth
    pieces = []
    for count in (decisions // 2, decisions - decisions // 2):
        starts = np.concatenate([[0], np.cumsum(rng.integers(3, 8, count))])
        n = int(starts[-1])
        seats = np.empty((n, len(sizes)), np.int16)
        for f, size in enumerate(sizes):
            level = rng.integers(0, size + 1, n)
            seats[:, f] = np.where(level > 0, level + first[f] - 1, -1)
        offset = np.zeros(n) if flat else rng.normal(0, 1, n)
        winner = np.empty(count, np.int64)
        for j in range(count):
            p = chances(offset, seats, delta, starts, j)
            winner[j] = rng.choice(len(p), p=p)
        numbers = np.arange(count, dtype=np.int32)
        group = np.zeros(count, np.int32)
        pieces.append(
            Piece(starts, winner, offset, seats, numbers, numbers, group, np.zeros(count))
        )
    return Decisions(pieces, sizes)


def chances(offset: Any, seats: Any, delta: Vector, starts: Any, j: int) -> Vector:
    """The chances of the candidates of decision j."""
    scores = []
    for i in range(starts[j], starts[j + 1]):
        scores.append(offset[i] + sum(delta[one] for one in seats[i] if one >= 0))
    weights = np.exp(np.array(scores) - max(scores))
    return np.asarray(weights / weights.sum())


def log_likelihood(decisions: Decisions, delta: Vector) -> float:
    """The log-likelihood, decision by decision."""
    total = 0.0
    for piece in decisions.pieces:
        for j in range(len(piece)):
            p = chances(piece.offset, piece.seats, delta, piece.starts, j)
            total += float(np.log(p[piece.winner[j]]))
    return total


def told_in_matrices(decisions: Decisions, delta: Vector) -> tuple[float, Vector, Vector]:
    """(log-likelihood, its gradient, minus its second derivatives), by matrices."""
    n = len(delta)
    total, gradient, information = 0.0, np.zeros(n), np.zeros((n, n))
    for piece in decisions.pieces:
        for j in range(len(piece)):
            rows = piece.seats[piece.starts[j] : piece.starts[j + 1]]
            x = np.zeros((len(rows), n))
            for i, row in enumerate(rows):
                x[i, row[row >= 0]] = 1
            scores = piece.offset[piece.starts[j] : piece.starts[j + 1]] + x @ delta
            p = np.exp(scores - scores.max())
            p /= p.sum()
            total += np.log(p[piece.winner[j]])
            m = p @ x
            gradient += x[piece.winner[j]] - m
            information += (x.T * p) @ x - np.outer(m, m)
    return total, gradient, information
