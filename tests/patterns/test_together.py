"""Many families in one kernel, made from their list: as each of them tells alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from katachi.go.board import legal_points
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import PASS, STRIDE
from katachi.go.position import Position
from katachi.patterns.catalogue import CATALOGUES, EXTENDED, Catalogue
from katachi.patterns.context import Context
from katachi.patterns.describe import describe, describe_position
from katachi.patterns.family import Family, Level
from katachi.patterns.features import Features
from katachi.patterns.situation import Situation
from katachi.patterns.together import OTHERS, TOGETHER, made_of, write_together
from katachi.patterns.vocabulary.groups import WORD_FAMILIES
from katachi.records.bundled import bundled_games

GAMES = bundled_games()


@pytest.mark.parametrize("game", [3, 21, 104, 130])
def test_the_levels_are_those_of_each_family(game: int) -> None:
    situation, alone = Situation(), Situation()
    candidates = np.zeros(362, np.int16)
    out = np.full((len(TOGETHER), 362), 77, np.uint8)
    rng = np.random.default_rng(game)
    for move in range(0, len(GAMES[game].moves), 4):
        board = GAMES[game].position(move).board
        situation.look(board)
        alone.look(board)
        n = int(legal_points(board, int(board.to_move), candidates)) + 1
        candidates[n - 1] = PASS
        wanted = rng.random(len(TOGETHER)) < 0.8
        before = out.copy()
        write_together(situation.context, candidates, n, wanted, out)
        for k, family in enumerate(TOGETHER):
            expected = describe(alone, (family,))[0] if wanted[k] else before[k, :n]
            assert np.array_equal(out[k, :n], expected), family.name
        assert np.array_equal(out[:, n:], before[:, n:])


def test_all_families_of_the_default_model_are_there_in_their_order() -> None:
    families = [f for f in EXTENDED.families if not f.slow]
    assert list(TOGETHER) == families
    assert all(f.dtype == np.uint8 for f in TOGETHER)


def test_every_family_of_ours_is_in_one_kernel() -> None:
    ours = {f for c in CATALOGUES.values() for f in c.families if f.level is not None}
    assert sorted(map(id, ours)) == sorted(map(id, (*TOGETHER, *WORD_FAMILIES, *OTHERS)))
    assert all(f.dtype == np.uint8 for f in WORD_FAMILIES)
    assert all(f.size < 1 << 16 for f in OTHERS)


# -- families of one's own -------------------------------------------------------------------------


@lean
def count_stones(context: Context) -> None:
    """Notes: the stones of the mover's."""
    context.notes[0] = 0
    for color in context.board.color:
        if color == context.mover:
            context.notes[0] += 1


@inlined
def stones(context: Context, _p: int) -> int:
    return min(int64(context.notes[0]), 9)


@inlined
def beside(context: Context, p: int) -> int:
    """Stones of either side above and below; asked of a pass, it would read beyond the board."""
    found = 0
    for d in (-STRIDE, STRIDE):
        color = context.board.color[at(p + d)]
        if color in (1, 2):
            found += 1
    return found


@inlined
def passing(_context: Context, p: int) -> int:
    return 1 if p == PASS else 0


def family(name: str, count: int, level: Any, **more: Any) -> Family:
    levels = tuple(Level(str(n), f"is {n}") for n in range(1, count + 1))
    return Family(name, name, levels, level, **more)


STONES = family("stones", 9, stones, prepare=count_stones)
BESIDE = family("beside", 300, beside)  # 300: its column is of 16 bits
PASSING = family("passing", 1, passing, of_pass=True)
OWN = (STONES, BESIDE, PASSING)


def plain(one: Family) -> Family:
    """The same family as a plain function."""
    level, prepare = one.level, one.prepare
    return Family(
        f"plain {one.name}",
        one.title,
        one.levels,
        getattr(level, "py_func", None),
        getattr(prepare, "py_func", None),
        one.of_pass,
    )


def test_own_families_compiled_and_plain() -> None:
    """With ours among them, in any order, on boards of several sizes."""
    plains = tuple(map(plain, OWN))
    ours = (TOGETHER[0], TOGETHER[5], OTHERS[0])
    families = (plains[1], OWN[2], ours[0], OWN[0], plains[0], ours[2], OWN[1], ours[1], plains[2])
    situation = Situation()
    for game in (3, 130):
        for move in range(0, len(GAMES[game].moves), 30):
            position = GAMES[game].position(move)
            situation.look(position.board)
            found = dict(zip(families, describe(situation, families), strict=True))
            colors = position.board.color
            points = situation.candidates[: situation.count].tolist()
            mine = min(int((colors == position.to_move).sum()), 9)
            near = [sum(colors[p + d] in (1, 2) for d in (-20, 20)) for p in points[:-1]]
            expected = {
                STONES: [*[mine] * (len(points) - 1), 0],
                BESIDE: [*near, 0],
                PASSING: [*[0] * (len(points) - 1), 1],
            }
            for one, same in zip(OWN, plains, strict=True):
                assert found[one].dtype == one.dtype
                assert found[one].tolist() == found[same].tolist() == expected[one]
            for one in ours:
                assert found[one].tolist() == describe(situation, (one,))[0].tolist()
    assert BESIDE.dtype == np.uint16


def test_what_is_made_is_a_plain_function_until_it_is_compiled() -> None:
    write = made_of("toy", tuple(map(plain, OWN)))
    situation = Situation()
    situation.look(Position(5).board)
    out = np.full((3, 30), 7, np.uint8)
    write(situation.context, situation.candidates, 26, np.array([True, False, True]), out)
    assert out[0].tolist() == [*[0] * 26, *[7] * 4]
    assert set(out[1].tolist()) == {7}
    assert out[2].tolist() == [*[0] * 25, 1, *[7] * 4]


def test_a_compiled_family_in_a_catalogue() -> None:
    features = Features(Catalogue("own", (*EXTENDED.families[:2], STONES)))
    teams = describe_position(GAMES[3].position(10), features)
    assert {team.get("stones") for p, team in teams.items() if p != PASS} == {5}
    assert "stones" not in teams[PASS]
