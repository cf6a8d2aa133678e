"""The full model's opinion of a position in the tree.

`weigh` tells it in one kernel, without Python, for models over families of the board, over all
radii of their shapes and over answers to the last move: products of gammas, of which the model that
comes with Katachi is one, and models of the learners `factors` and `hidden`.
`ModelPrior` does so for every other model, by `Predictor.chances`, several times slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, legal_points
from katachi.go.kernel import at, int64, kernel, lean
from katachi.go.points import AREA, PASS
from katachi.go.prefetch import prefetch
from katachi.models.model import Model
from katachi.patterns.context import Context
from katachi.patterns.describe import described
from katachi.patterns.features import Watch
from katachi.patterns.shapes.answers import find_kinds, moves_known, see_last, see_move
from katachi.patterns.shapes.keys import NO_RINGS, follow, least_of, with_ring
from katachi.patterns.shapes.lookup import find
from katachi.patterns.together import write_together, write_whole
from katachi.search.mind import HIDDEN, PRODUCT, Families, Known, KnownAnswers, Mind, Packed, Teams

# -- the team of each candidate ------------------------------------------------------------------


@lean
def _take_families(families: Families, n: int, teams: Teams) -> None:
    """Begin each candidate's team with the rows of its levels."""
    for i in range(n):
        used = 0
        for f in range(len(families.numbers)):
            level = int64(families.columns[at(families.numbers[at(f)]), at(i)])
            # Written in any case, and kept if there is a level: no branch to guess
            teams.rows[at(i), at(used)] = families.rows[at(f)] + level
            used += int64(level != 0)
        teams.used[at(i)] = used


@lean
def _take_shapes(known: Known, mover: int, n: int, mind: Mind) -> None:
    """Add the rows of each candidate's shapes of one dictionary.

    From the first that is not known on, none is looked for: see
    katachi.patterns.shapes.keys.nested_shapes.
    """
    salt, teams = known.tables.salt, mind.teams
    soon, acts = mind.embedded.packed.doubles, mind.kind != PRODUCT
    for i in range(n):
        p = int64(teams.candidates[at(i)])
        if p == PASS:
            continue
        used = teams.used[at(i)]
        sums = NO_RINGS
        for r in range(len(salt)):
            sums = with_ring(sums, known.keys[at(mover - 1), at(p), at(r)])
            shape = find(known.lookup, least_of(sums) ^ salt[at(r)])
            if shape < 0:
                break
            row = shape + known.rows[at(r)]
            if row >= 0:
                teams.rows[at(i), at(used)] = row
                used += 1
                if acts:
                    prefetch(soon, row)
        teams.used[at(i)] = used


@lean
def _take_answers(known: KnownAnswers, b: Board, mover: int, n: int, mind: Mind) -> None:
    """Add the rows of the answers that each candidate is."""
    moves = moves_known(b)
    if moves == 0:
        return
    t, room, teams = known.tables, known.room, mind.teams
    soon, acts = mind.embedded.packed.doubles, mind.kind != PRODUCT
    see_last(b, mover, known.seen, t, room)
    for i in range(n):
        p = int64(teams.candidates[at(i)])
        if p == PASS:
            continue
        see_move(b, mover, p, known.seen, t, room)
        find_kinds(moves, t, room, known.lookup)
        used = teams.used[at(i)]
        for k in range(len(room.found)):
            row = room.found[at(k)] + known.rows[at(k)]
            if room.found[at(k)] >= 0 and row >= 0:
                teams.rows[at(i), at(used)] = row
                used += 1
                if acts:
                    prefetch(soon, row)
        teams.used[at(i)] = used


# -- what a team is worth ------------------------------------------------------------------------


@lean
def _multiply(mind: Mind, n: int) -> None:
    """Write the product of each team's gammas."""
    teams, gamma = mind.teams, mind.gamma
    for i in range(n):
        product = 1.0
        for m in range(teams.used[at(i)]):
            product *= gamma[at(teams.rows[at(i), at(m)])]
        teams.scores[at(i)] = product


@lean
def _see_position(mind: Mind, b: Board, mover: int) -> None:
    """Write the sum of the embeddings of the position's features, with the biases of a layer."""
    base, u = mind.embedded.base, mind.embedded.u
    for k in range(len(base)):
        base[at(k)] = mind.embedded.b[at(k)] if mind.kind == HIDDEN else 0.0
    whole = mind.position
    for f in range(len(whole.numbers)):
        level = int64(whole.columns[at(whole.numbers[at(f)]), 0])
        if level != 0:
            row = whole.rows[at(f)] + level
            for k in range(len(base)):
                base[at(k)] += u[at(row), at(k)]
    last = mind.last
    moves = moves_known(b)
    if len(last.rows) == 0 or moves == 0:
        return
    see_last(b, mover, last.seen, last.tables, last.room)
    find_kinds(moves, last.tables, last.room, last.lookup)
    for kind in range(len(last.rows)):
        row = last.room.found[at(kind)] + last.rows[at(kind)]
        if last.room.found[at(kind)] >= 0 and row >= 0:
            for k in range(len(base)):
                base[at(k)] += u[at(row), at(k)]


@lean
def _sum_rows(v: Any, rows: Any, used: int, packed: Packed, sums: Any) -> None:
    """Add the embeddings of these rows, of numbers of any type. Four at a time: the sums are read
    and written less often. Four are added as float32, then with all others as float64.
    """
    scales, place = packed.doubles, at(packed.weight + 1)
    m = 0
    while m + 4 <= used:
        i, j = at(rows[at(m)]), at(rows[at(m + 1)])
        one, two = v[i], v[j]
        by_one, by_two = np.float32(scales[i, place]), np.float32(scales[j, place])
        i, j = at(rows[at(m + 2)]), at(rows[at(m + 3)])
        three, four = v[i], v[j]
        by_three, by_four = np.float32(scales[i, place]), np.float32(scales[j, place])
        for k in range(len(sums)):
            sums[at(k)] += (np.float32(one[at(k)]) * by_one + np.float32(two[at(k)]) * by_two) + (
                np.float32(three[at(k)]) * by_three + np.float32(four[at(k)]) * by_four
            )
        m += 4
    while m < used:
        i = at(rows[at(m)])
        one, by_one = v[i], np.float32(scales[i, place])
        for k in range(len(sums)):
            sums[at(k)] += np.float32(one[at(k)]) * by_one
        m += 1


@lean
def _add_embeddings(mind: Mind, n: int) -> None:
    """Write the score of each team: see katachi.learning.interactions.parameters."""
    teams, packed, a = mind.teams, mind.embedded.packed, mind.embedded.a
    base, sums = mind.embedded.base, mind.embedded.sums
    weights, place = packed.doubles, at(packed.weight)
    layer = mind.kind == HIDDEN
    for i in range(n):
        score = 0.0
        rows, used = teams.rows[at(i)], teams.used[at(i)]
        for m in range(used):
            score += weights[at(rows[at(m)]), place]
        for k in range(len(sums)):
            sums[at(k)] = base[at(k)] if layer else 0.0
        if packed.in_bytes:
            _sum_rows(packed.bytes, rows, used, packed, sums)
        else:
            _sum_rows(packed.singles, rows, used, packed, sums)
        if layer:
            for k in range(len(sums)):
                sums[at(k)] = a[at(k)] * max(sums[at(k)], 0.0)
        else:
            for k in range(len(sums)):
                sums[at(k)] *= 0.5 * sums[at(k)] + base[at(k)]
        teams.scores[at(i)] = score + _total(sums)


@lean
def _total(sums: Any) -> float:
    """Their sum, of four in turn: one sum would wait for each addition before the next."""
    one = two = three = four = 0.0
    k = 0
    while k + 4 <= len(sums):
        one += sums[at(k)]
        two += sums[at(k + 1)]
        three += sums[at(k + 2)]
        four += sums[at(k + 3)]
        k += 4
    while k < len(sums):
        one += sums[at(k)]
        k += 1
    return (one + two) + (three + four)


@lean
def _raise_e(scores: Any, n: int) -> None:
    """Turn scores into strengths, the largest of which is 1."""
    top = scores[0]
    for i in range(1, n):
        top = max(top, scores[at(i)])
    for i in range(n):
        scores[at(i)] = np.exp(scores[at(i)] - top)


@kernel
def weigh(mind: Mind, b: Board, out: Any) -> None:
    """Write the probability of each point, and of PASS, into out (float64[AREA]); 0 elsewhere.

    The result is that of `Predictor.chances`; where embeddings are summed, to about seven digits.
    Positions that follow each other cost less the fewer stones differ.
    """
    mover = int64(b.to_move)
    teams = mind.teams
    n = int64(legal_points(b, mover, teams.candidates)) + 1
    teams.candidates[n - 1] = PASS
    room = mind.room
    context = Context(b, mover, room.spare, room.ladder, room.notes, room.owned)
    write_together(context, teams.candidates, n, mind.families.wanted, mind.families.columns)
    _take_families(mind.families, n, teams)
    for known in mind.dictionaries:
        if known.follows:
            follow(known.keys, known.codes, b, known.tables)
        if len(known.rows) > 0:
            _take_shapes(known, mover, n, mind)
    if len(mind.answers.rows) > 0:
        _take_answers(mind.answers, b, mover, n, mind)
    if mind.kind == PRODUCT:
        _multiply(mind, n)
    else:
        alone = teams.candidates[n - 1 :]
        write_whole(context, alone, int64(1), mind.position.wanted, mind.position.columns)
        _see_position(mind, b, mover)
        _add_embeddings(mind, n)
        _raise_e(teams.scores, n)
    total = 0.0
    for i in range(n):
        total += teams.scores[at(i)]
    out[:] = 0.0
    for i in range(n):
        out[teams.candidates[i]] = teams.scores[at(i)] / total


class ModelPrior:
    """The probabilities of all moves by any model, position after position; one for each thread."""

    def __init__(self, model: Model, size: int) -> None:
        self._model = model
        self._watch = Watch(model.features)
        self._watch.start(size)
        self.wants_owned = model.features.owner

    def __call__(
        self, board: Board, owned: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """The probability of each point, and of PASS, shape (AREA,).

        `owned`: how likely each point ends as the mover's, for models with the owner feature,
        which else runs random games.
        """
        situation = self._watch.look(board)
        situation.owned = owned
        columns = described(situation, self._model.features)
        chances = self._model.predictor.chances(columns, np.array([0, situation.count]))
        found = np.zeros(AREA)
        found[situation.candidates[: situation.count]] = chances
        return found
