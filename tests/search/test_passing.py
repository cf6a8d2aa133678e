"""A pass is never a loss, and the count is the same however often it is asked for.

The positions are those of tools/finished_positions.py, which says what GNU Go counted. All 527 are
measured by tools/passing.py (docs/results); here is a sample.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from katachi import load_model
from katachi.go.points import BLACK, PASS, WHITE, vertex
from katachi.go.position import Position
from katachi.search.engine import SearchPlayer, search_player
from katachi.search.final import all_strings, dead_strings, final_score, seki_strings, without
from katachi.search.judge import DEEP, FLAT, Judge
from katachi.search.player import Budget, GameState
from katachi.search.tree import ROOT, child_of
from tests.search.test_engine import light
from tests.search.twin import FIXED, LIGHT
from tools.finished_positions import Finished, finished, packed, parsed, unpacked
from tools.made_positions import CLOSED, made_positions
from tools.passing import FINISHED, lead, seki_eyes

FILE = Path(__file__).parent / "finished.txt"
BUDGET = Budget(simulations=300)


@cache
def player() -> SearchPlayer:
    return search_player(load_model(), memory_mb=32)


@cache
def positions() -> list[Finished]:
    return finished(FILE)


def sample() -> list[Finished]:
    """Some of each kind; the small boards are cheap."""
    small = [one for one in positions() if one.position.size < 13 and one.kind in FINISHED]
    large = [one for one in positions() if one.position.size >= 13 and one.kind in FINISHED]
    border = [one for one in positions() if one.kind not in FINISHED]
    return small[::4] + large[::10] + border[::40]


# The opponent has passed; with all stones alive the side to move wins, with the dead ones taken off
# it loses. The engine passed all of these at 100 %.
LOST = [
    "end 9 14.5 b ..bbjoveuiqimplmziyqmttpfby pass 27 j9,c8,h8,a7 -",
    "end 9 3.5 w .mraehanabozbo.dr.at.do.ax. h7,pass -7 c6 -",
    "end 9 2.5 w ui.h..tz.qnfmdraexejzbjp..m pass -7 b9,d9,c3 -",
    "end 9 6.5 w .....itffq..mzzavv.il.i.... pass -5 g8 -",
]
# The same, but only own eyes could be filled.
NOTHING_LEFT = [
    "end 9 -3.5 b zzzppxlmtadqlpnvzvzyltzjyhl a6,pass -5 c1 -",
    "end 9 -50.5 w mmmdvzdytmyqpvtzwxhzhxtthvz pass -81 a9,e1 -",
]


def deceptive(line: str) -> tuple[GameState, Finished]:
    """The game, with a komi between what the board says as it stands and what it is worth."""
    one = parsed(line)
    komi = (one.position.score() + one.score) / 2
    komi += 0.5 if komi == int(komi) else 0.0
    mover = one.position.to_move
    assert lead(one.position.score(), komi, mover) > 0 > lead(one.score, komi, mover)
    return GameState(one.position, komi, may_resign=False), one


@pytest.mark.parametrize("line", LOST)
def test_a_game_that_is_lost_is_not_passed_away(line: str) -> None:
    game, one = deceptive(line)
    player().clear()
    assert player().choose(game, BUDGET).move != PASS
    # Nor if the tree had thought of it before the opponent passed.
    before = one.position.copy()
    before.undo()
    player().clear()
    player().search(replace(game, position=before), Budget(simulations=1000))
    choice = player().choose(game, BUDGET)
    assert choice.move != PASS
    assert choice.win_rate is not None
    assert choice.win_rate < 0.9
    # Where no stone is dead it wins.
    assert player().choose(replace(game, rules="tromp-taylor"), BUDGET).move == PASS


@pytest.mark.parametrize("line", NOTHING_LEFT)
def test_a_lost_game_with_nothing_left_is_known_to_be_lost(line: str) -> None:
    game, _ = deceptive(line)
    choice = player().choose(game, BUDGET)
    assert (choice.move, choice.win_rate) == (PASS, 0.0)
    choice = player().choose(replace(game, rules="tromp-taylor"), BUDGET)
    assert (choice.move, choice.win_rate) == (PASS, 1.0)


# The same question gave -9.5 three times, then 8.5; 1.5, then -15.5; -2.5, then -60.5.
CHANGED = [
    "made 7 2.5 b ggbkivuhv.v.g.bi. pass 3 - c7,e7",
    "open 7 -0.5 b bi.u.fi.u.uixi.u. pass -1 - -",
    "end 9 87.5 w zhiwyimqmnpgkpmkqnnlnvyosjz h8,pass 81 a9,h8,c6,h6,j4,a2,d2,h2 -",
    "end 9 9.5 b exfjo.axfcnbmqyqymouiqj.qi. pass 7 - -",
]


@pytest.mark.parametrize("line", CHANGED)
def test_the_count_is_the_same_whenever_it_is_asked_for(line: str) -> None:
    one = parsed(line)
    game = GameState(one.position, one.komi)
    player().clear()
    first = player().owners(game)
    for _ in range(4):
        assert (player().owners(game) == first).all()
    player().choose(game, BUDGET)
    player().owners(GameState(Position(5)))  # so that nothing is remembered
    assert (player().owners(game) == first).all()
    # Nor does it matter who asks, how the stones came there, who is to move and what komi is.
    other = search_player(load_model(), memory_mb=8, seed=77)
    stones = Position.from_stones(one.position.size, one.position.colors, one.position.to_move)
    over = one.position.copy()
    over.pass_()
    for position in (stones, over):
        assert (other.owners(GameState(position, komi=0.5)) == first).all()


def test_positions_are_what_they_were_packed_from() -> None:
    assert len(positions()) == 527
    for one in positions()[::9]:
        _, size, _, turn, stones, *_ = one.line.split()
        start = unpacked(stones, int(size), "bw".index(turn) + 1)
        assert packed(start) == stones
        assert one.position.board.passes <= 1
    for one, (_, start, moves) in zip(positions(), made_positions(), strict=False):
        assert packed(start) == packed(one.position)
        assert moves == one.position.moves


# Of the sample. A seki of three strings, too large for `seki_strings`: GNU Go leaves a point in it
# uncounted. And a race at the right that neither side has finished.
APART = ("end 9 -11.5 w vlxwmczyl.", "end 13 5.5 b .hy..hqi.")


@pytest.mark.slow
def test_counts_agree_with_gnugo() -> None:
    """Eyes in a seki are area; GNU Go does not count them."""
    closed = [one for one in sample() if one.kind in FINISHED]
    apart = []
    for one in closed:
        owners = player().owners(GameState(one.position))
        score = final_score(one.position, owners, 0.0, "chinese")
        if score - seki_eyes(one.position, owners) != one.score:
            apart.append(one.line)
        dead = dead_strings(one.position, owners)
        living = without(one.position, dead)
        assert final_score(living, owners, 0.0, "chinese") == score
    assert len(closed) >= 40
    assert [line for line in apart if not line.startswith(APART)] == []


@pytest.mark.slow
def test_a_pass_wins_or_nothing_is_left() -> None:
    """By GNU Go's count."""
    passes = 0
    for one in sample():
        game = GameState(one.position, one.komi, may_resign=False)
        player().clear()
        choice = player().choose(game, BUDGET)
        if choice.move != PASS:
            continue
        passes += 1
        found = player().search(game, Budget(simulations=1))
        nothing = all(move == PASS for move, *_ in found.moves)
        wins = lead(one.score, one.komi, one.position.to_move) > 0
        eyes = seki_eyes(one.position, player().owners(game))
        assert wins or nothing or eyes, one.line
    assert passes > 10


# -- the judge -------------------------------------------------------------------------------------


def judge() -> Judge:
    return Judge(light()._gammas)


def test_a_seki_lives() -> None:
    """Simulations break it."""
    for diagram in CLOSED[1:4]:
        position = Position.from_diagram(diagram)
        owners = player().owners(GameState(position))
        assert dead_strings(position, owners) == []
        assert seki_strings(position) != []


def test_stones_that_kill_are_in_no_seki() -> None:
    """Three points are an eye for Black, with a white stone on the vital one; and White need only
    connect to fill the last liberties of Black's other string.
    """
    one = next(p for p in positions() if p.line.startswith("end 13 18.5 b spsnhzjn"))
    two = next(p for p in positions() if p.line.startswith("end 9 -19.5 w ctvvoyfn"))
    for found, place in ((one, "F13"), (two, "B9")):
        assert found.position.point(place) in found.dead
        owners = player().owners(GameState(found.position))
        assert found.position.string(place) in dead_strings(found.position, owners)
        assert found.position.string(place) not in seki_strings(found.position)


def test_the_judge_has_no_time() -> None:
    position = Position(9)
    assert judge().owners(position, longest=0.0) is None
    found = judge().owners(position)
    assert found is not None
    known = judge()
    assert known.owners(position) is not None
    assert known.owners(position, longest=0.0) is not None  # it is known


def test_the_judge_leaves_its_answer_alone() -> None:
    one = judge()
    first = one.owners(Position(5))
    assert first is not None
    kept = first.copy()
    first[:] = 0.0
    again = one.owners(Position(5))
    assert again is not None
    assert (again == kept).all()
    assert np.all((kept >= 0) & (kept <= 1))
    assert DEEP > FLAT > 0


def test_without_time_to_judge_it_plays_on() -> None:
    one = parsed(LOST[0])
    game = GameState(one.position, 14.5, may_resign=False)
    hurried = Budget(simulations=200, longest=0.0)
    assert search_player(load_model(), memory_mb=8).choose(game, hurried).move != PASS


# -- the tree --------------------------------------------------------------------------------------


def test_a_pass_that_loses_is_out_of_the_tree() -> None:
    one = parsed(LOST[0])
    game = GameState(one.position, 14.5)
    seeker = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    before = one.position.copy()
    before.undo()
    seeker.search(replace(game, position=before), Budget(simulations=2000))
    found = seeker.search(game, Budget(simulations=100))
    assert PASS not in [move for move, *_ in found.moves]
    tree = seeker._tree
    passing = child_of(tree, ROOT, PASS)
    assert passing is not None
    assert tree.visits[passing] == 0
    rest = list(range(tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT]))
    assert abs(int(tree.visits[ROOT]) - int(tree.visits[rest].sum())) <= 3
    assert 0 <= found.win_rate <= 1


def test_cleanup_takes_dead_stones_off_first() -> None:
    """White's dead stone stands at B3; Black is far ahead with it, too."""
    text = """
    . X X . X O .
    X . X X X O .
    . O . . X O O
    X . X X X O .
    . X . X O O O
    X X X X O . O
    . X . X O O .
    """
    position = Position.from_diagram(text, WHITE)
    position.pass_()
    for rules in ("chinese", "japanese"):
        game = GameState(position, -40.5, rules, cleanup=True)
        played = player().choose(game, BUDGET).move
        assert played != PASS
        assert player().choose(replace(game, cleanup=False), BUDGET).move == PASS
    dead = dead_strings(position, player().owners(GameState(position)))
    assert [[vertex(p, 7) for p in string] for string in dead] == [["B5"]]
    assert position.to_move == BLACK
    assert len(all_strings(position)) > 3
