"""The passes over decisions by which differences are found: see `katachi.styles.fit` for the model.

The candidates starts[j] … starts[j + 1] are those of decision j; `seats` ([candidate, family]) has
the features of each, -1 for none; `chances` are those that each candidate is played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.kernel import at, int64, kernel


@kernel
def add_evidence(
    starts: Any, winner: Any, offset: Any, seats: Any, delta: Any, chances: Any, gradient: Any
) -> float:
    """Write the chances under base and differences, and add the gradient of the log-likelihood,
    played - expected, to `gradient`. Returns the log-likelihood. `offset` is the base's
    log-chance, up to a number that candidates of a decision share; `winner` counts from 0.
    """
    total = 0.0
    for j in range(len(starts) - 1):
        first, last = starts[j], starts[j + 1]
        highest = -np.inf
        for i in range(first, last):
            score = np.float64(offset[at(i)])
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    score += delta[at(one)]
            chances[at(i)] = score
            highest = max(highest, score)
        whole = 0.0
        for i in range(first, last):
            chances[at(i)] = np.exp(chances[at(i)] - highest)
            whole += chances[at(i)]
        for i in range(first, last):
            p = chances[at(i)] / whole
            chances[at(i)] = p
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    gradient[at(one)] -= p
        played = first + int64(winner[at(j)])
        total += np.log(chances[at(played)])
        for f in range(seats.shape[1]):
            one = int64(seats[at(played), at(f)])
            if one >= 0:
                gradient[at(one)] += 1.0
    return total


@kernel
def add_skew(
    starts: Any, seats: Any, chances: Any, sigma: Any, mean: Any, met: Any, out: Any
) -> None:
    """Add to `out`, for each feature k, the trace of sigma times the derivative of the information
    in the difference of k: Σ p (q - q̄) x_k with q = (x - m)ᵀ sigma (x - m), over all decisions,
    where x are a candidate's features and m is their mean.

    `mean` and `met` are work space: zeros, which are zeros again afterwards, and anything.
    """
    most = 0
    for j in range(len(starts) - 1):
        most = max(most, starts[j + 1] - starts[j])
    bend, towards = np.zeros(most), np.zeros(len(mean))
    for j in range(len(starts) - 1):
        first, last = starts[j], starts[j + 1]
        n = 0
        for i in range(first, last):
            p = chances[at(i)]
            if p == 0.0:  # else a feature would be met again and again
                continue
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    if mean[at(one)] == 0.0:
                        met[at(n)] = one
                        n += 1
                    mean[at(one)] += p
        for a in range(n):
            one, total = met[at(a)], 0.0
            for b in range(n):
                total += sigma[at(one), at(met[at(b)])] * mean[at(met[at(b)])]
            towards[at(one)] = total
        middle = 0.0
        for i in range(first, last):
            q = 0.0
            if chances[at(i)] > 0.0:
                for f in range(seats.shape[1]):
                    one = int64(seats[at(i), at(f)])
                    if one < 0:
                        continue
                    q += sigma[at(one), at(one)] - 2.0 * towards[at(one)]
                    for g in range(f):
                        other = int64(seats[at(i), at(g)])
                        if other >= 0:
                            q += 2.0 * sigma[at(one), at(other)]
            bend[at(i - first)] = q
            middle += chances[at(i)] * q
        for i in range(first, last):
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    out[at(one)] += chances[at(i)] * (bend[at(i - first)] - middle)
        for a in range(n):
            mean[at(met[at(a)])] = 0.0


@kernel
def add_variances(starts: Any, seats: Any, chances: Any, mean: Any, met: Any, out: Any) -> None:
    """Add to `out`, for each feature, the diagonal of the information: Σ m (1 - m) over all
    decisions, with m the chance of all candidates that have it.

    `mean` and `met` are work space, as in `add_skew`.
    """
    for j in range(len(starts) - 1):
        n = 0
        for i in range(starts[j], starts[j + 1]):
            if chances[at(i)] == 0.0:  # else a feature would be met again and again
                continue
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    if mean[at(one)] == 0.0:
                        met[at(n)] = one
                        n += 1
                    mean[at(one)] += chances[at(i)]
        for a in range(n):
            m = min(mean[at(met[at(a)])], 1.0)
            out[at(met[at(a)])] += m * (1.0 - m)
            mean[at(met[at(a)])] = 0.0


@kernel
def merge_equal(starts: Any, seats: Any, strength: Any, leader: Any, slots: Any, kept: Any) -> int:
    """Make candidates of a decision that have the same features one, which has the sum of their
    strengths: exactly what the model sees of them.

    Writes the number among those kept of each candidate to `leader`, and the first candidate of
    each that is kept to `kept`, whose strength becomes the sum. `slots` is work space: -1 all over,
    a power of two of them, at least twice as many as a decision has candidates. Returns how many
    are kept.
    """
    mask, families, n = len(slots) - 1, seats.shape[1], 0
    for j in range(len(starts) - 1):
        begun = n
        for i in range(starts[j], starts[j + 1]):
            mixed = int64(1469598103934665603)
            for f in range(families):
                mixed = (mixed ^ int64(seats[at(i), at(f)])) * int64(1099511628211)
            slot = (mixed ^ (mixed >> 29)) & mask
            while True:
                found = slots[at(slot)]
                if found < 0:
                    slots[at(slot)] = n
                    kept[at(n)] = i
                    leader[at(i)] = n
                    n += 1
                    break
                same, one = True, kept[at(found)]
                for f in range(families):
                    if seats[at(one), at(f)] != seats[at(i), at(f)]:
                        same = False
                        break
                if same:
                    strength[at(one)] += strength[at(i)]
                    leader[at(i)] = found
                    break
                slot = (slot + 1) & mask
        if n > begun:
            slots[:] = -1
    return n


@kernel
def add_changed(
    starts: Any,
    winner: Any,
    seats: Any,
    chances: Any,
    delta: Any,
    changed: Any,
    best: Any,
    where: Any,
) -> None:
    """Add, for each feature, how many decisions its difference changes: the sum of |m - m'|, with m
    the chance of all candidates that have it, and m' what that would be without the difference.

    The decisions that show a difference best become `where` ([feature, some], best first): of those
    in which the move played has the feature, if there is more of it than the base expects, else of
    those in which it has not, the ones with the largest |m - m'|, which `best` gets, zeros before.
    """
    mean, met = np.zeros(len(delta)), np.zeros(len(delta), np.int64)
    for j in range(len(starts) - 1):
        n = 0
        for i in range(starts[j], starts[j + 1]):
            if chances[at(i)] == 0.0:  # else a feature would be met again and again
                continue
            for f in range(seats.shape[1]):
                one = int64(seats[at(i), at(f)])
                if one >= 0:
                    if mean[at(one)] == 0.0:
                        met[at(n)] = one
                        n += 1
                    mean[at(one)] += chances[at(i)]
        played = starts[j] + int64(winner[at(j)])
        for a in range(n):
            one = met[at(a)]
            m = min(mean[at(one)], 1.0)
            mean[at(one)] = 0.0
            without = m * np.exp(-delta[at(one)])
            without /= without + 1.0 - m
            size = abs(m - without)
            changed[at(one)] += size
            has = False
            for f in range(seats.shape[1]):
                has = has or int64(seats[at(played), at(f)]) == one
            if has != (delta[at(one)] > 0.0):
                continue
            k = best.shape[1] - 1
            if size <= best[at(one), at(k)]:
                continue
            while k > 0 and size > best[at(one), at(k - 1)]:
                best[at(one), at(k)] = best[at(one), at(k - 1)]
                where[at(one), at(k)] = where[at(one), at(k - 1)]
                k -= 1
            best[at(one), at(k)] = size
            where[at(one), at(k)] = j
