"""Which child of a node a simulation goes to (Coulom 2007, section 4.2)."""

from __future__ import annotations

import math
from typing import Final

from katachi.go.kernel import at, inlined, int64
from katachi.search.space import Options
from katachi.search.tree import FORBIDDEN, SearchTree

FIRST: Final = 1e9  # more than any value


@inlined
def select(tree: SearchTree, node: int, opened: int, here: int, options: Options) -> int:
    """The child to be searched, of the `opened` best; -1 if none may be. `here` is the number of
    the node's simulations so far, N.

    n and w are a child's simulations and wins together with the prior ones. Those are prior_even
    simulations, half of them won, and lean·prior_won won ones. The latter fade the more simulations
    the child has of its own (prior_fades): where the mover is losing, won ones that stay would hide
    every other move behind the expected one. The child's value is
        (1 - β)·w/n + β·AMAF + ucb·sqrt(log N / n) + bias·p·sqrt(N) / (1 + visits)
    with β = r / (r + n + r·n / rave), r the number of AMAF's simulations (Gelly and Silver 2007;
    this form is Coulom's, as later programs have it).

    A child with fewer simulations than sqrt(forced·p·N), rounded down, comes before those that have
    as many: AMAF of its siblings cannot hide a move for good that the model thinks of.
    """
    state, visits, wins = tree.state, tree.visits, tree.wins
    amaf_visits, amaf_wins = tree.amaf_visits, tree.amaf_wins
    prior, lean, order = tree.prior, tree.lean, tree.order
    ucb, rave, bias, forced = options.ucb, options.rave, options.bias, options.forced
    even, won, fades = options.prior_even, options.prior_won, options.prior_fades
    first = int64(tree.first[node])
    log = math.log(here + 1.0)
    root = math.sqrt(here + 1.0)
    best = -1
    highest = -1e300
    for i in range(opened):
        child = first + int64(order[at(first + i)])
        if state[at(child)] & FORBIDDEN:
            continue
        leaning = won * float(lean[at(child)])
        if fades > 0.0:
            leaning *= fades / (fades + float(visits[at(child)]))
        n = float(visits[at(child)]) + even + leaning
        if n > 0.0:
            value = (float(wins[at(child)]) + 0.5 * even + leaning) / n
            r = float(amaf_visits[at(child)])
            if rave > 0.0 and r > 0.0:
                beta = r / (r + n + r * n / rave)
                value += beta * (float(amaf_wins[at(child)]) / r - value)
            if ucb > 0.0:
                value += ucb * math.sqrt(log / n)
        else:
            # Among moves without any, the model's order decides.
            value = options.urgency + 1e-3 * float(prior[at(child)])
        if bias > 0.0:
            value += bias * float(prior[at(child)]) * root / (1.0 + float(visits[at(child)]))
        if forced > 0.0:
            more = float(visits[at(child)]) + 1.0
            if more * more <= forced * float(prior[at(child)]) * here:
                value += FIRST
        if value > highest:
            highest = value
            best = child
    return best
