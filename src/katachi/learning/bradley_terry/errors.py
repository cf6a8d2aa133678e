"""Standard errors from the whole curvature of the log-posterior, for problems of moderate size."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.kernel import at, kernel
from katachi.learning.bradley_terry.columns import Competing, factors, layout
from katachi.learning.bradley_terry.passes import weighed
from katachi.learning.bradley_terry.prior import ONE_AND_ONE, Prior, prior_curvature

Vector = npt.NDArray[np.float64]

FULL_LIMIT: Final = 2000  # gammas; the matrix is dense


def full_errors(data: Competing, gamma: Vector, prior: Prior = ONE_AND_ONE) -> Vector:
    """Standard errors of log γ: roots of the diagonal of the inverse of `hessian`.

    They say how far each rating may be off when all the others may be off too.
    Raises KatachiError for more than FULL_LIMIT gammas.
    """
    if len(gamma) > FULL_LIMIT:
        raise KatachiError(f"{len(gamma):,} gammas are too many: the limit is {FULL_LIMIT:,}")
    inverse = np.linalg.inv(hessian(data, gamma, prior))
    return np.asarray(np.sqrt(np.diag(inverse)))


def hessian(data: Competing, gamma: Vector, prior: Prior) -> Vector:
    """[gammas, gammas] second derivatives of the negative log-posterior in log γ.

    A competition adds the covariance of its teams' members under the model: Σ p x xᵀ - m mᵀ, with x
    the members of a team, p its chance to win, and m = Σ p x.
    """
    first = layout(data.levels)
    families = range(len(data.levels))
    tables = [factors(gamma, first, f) for f in families]
    half = np.zeros((len(gamma), len(gamma)))
    work = np.zeros(len(gamma)), np.zeros(len(gamma), np.int64)
    for number in range(len(data)):
        shard = data.shard(number, families)
        for starts, _, columns, products, inverse in weighed(shard, tables):
            seats = np.empty((len(products), len(tables)), np.int64)
            for f, column in enumerate(columns):
                seats[:, f] = np.where(column > 0, column + (first[f] - 1), -1)
            add_covariances(starts, seats, products, inverse, half, *work)
    bend = half + half.T
    bend[np.diag_indices(len(gamma))] = np.diag(half) + prior_curvature(np.log(gamma), prior)
    return bend


@kernel
def add_covariances(
    starts: Any, seats: Any, products: Any, inverse: Any, half: Any, mean: Any, met: Any
) -> None:
    """Add the covariance of each competition to half, each pair on one side of the diagonal.

    `seats` has a team's gammas, -1 for none. `mean` is work space: zeros, and zeros again
    afterwards; so is `met`, with anything in it.
    """
    base = starts[0]
    for j in range(len(starts) - 1):
        n = 0
        for i in range(starts[j] - base, starts[j + 1] - base):
            p = products[at(i)] * inverse[at(j)]
            if p == 0.0:  # else a gamma would be met again and again
                continue
            for f in range(seats.shape[1]):
                one = seats[i, f]
                if one < 0:
                    continue
                if mean[at(one)] == 0.0:
                    met[at(n)] = one
                    n += 1
                mean[at(one)] += p
                for g in range(f + 1):
                    if seats[i, g] >= 0:
                        half[at(one), at(seats[i, g])] += p
        for a in range(n):
            one = met[at(a)]
            for b in range(a + 1):
                half[at(one), at(met[at(b)])] -= mean[at(one)] * mean[at(met[at(b)])]
        for a in range(n):
            mean[at(met[at(a)])] = 0.0
