from __future__ import annotations

import numpy as np
import pytest

from katachi.go.board import new_board
from katachi.go.diagram import parse_diagram
from katachi.go.playout import playout
from katachi.go.points import AREA, BLACK, PASS, WHITE, all_points, point, row_col
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.go.score import area_owners
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.catalogue import COULOM
from katachi.patterns.describe import describe_position
from katachi.patterns.families.position import GAMES, owner_counts
from katachi.patterns.features import Features
from katachi.records.bundled import bundled_games


def owner_levels(position: Position) -> dict[int, int]:
    teams = describe_position(position, Features(COULOM, owner=True))
    return {p: team["owner"] for p, team in teams.items() if p != PASS}


def test_sure_territory() -> None:
    position = Position.from_diagram(
        ". X . X O . O\n" * 3 + "X X X X O O O\n" + ". X . X O . O\n" * 3
    )
    position.play("A7")
    levels = owner_levels(position)  # White to move
    assert levels[position.point("F7")] == 8
    assert levels[position.point("C6")] == 1
    assert "owner" not in describe_position(position, Features(COULOM, owner=True))[PASS]


def test_the_same_position_always_gives_the_same() -> None:
    one = Position(9)
    for vertex in ("C3", "G7", "G3"):
        one.play(vertex)
    two = Position(9)
    for vertex in ("G3", "G7", "C3"):  # another way to the same stones
        two.play(vertex)
    assert owner_levels(one) == owner_levels(two) == owner_levels(one)
    three = Position.from_stones(9, one.colors, to_move=BLACK)
    assert owner_levels(three) != owner_levels(one)


@pytest.mark.parametrize("number", [20, 45])
def test_counts_agree_in_distribution_with_plain_playouts(
    number: int, corpus_cache: object
) -> None:
    """Owner is a binomial draw of 63: its mean over points must fit a large plain sample."""
    corpus = bundled_games()
    game = corpus[int(np.flatnonzero(corpus.size == 9)[3])]
    position = game.position(min(number, len(game.moves) - 2))
    mover = position.to_move
    counts = np.zeros(AREA, np.int32)
    owner_counts(position.board, new_board(9), new_board(9), mover, counts)

    runs = 4000
    rng = new_rng(99)
    owners = np.zeros(AREA, np.uint8)
    mine = np.zeros(AREA)
    for _ in range(runs):
        board = position.board.copy()
        playout(board, rng)
        area_owners(board, owners)
        mine += owners == mover
    points = [p for p in range(AREA) if position.board.color[p] != 3]
    share = mine[points] / runs
    spread = np.sqrt(GAMES * np.maximum(share * (1 - share), 0.5 / GAMES))
    score = (counts[points] - GAMES * share) / spread
    assert np.abs(score).max() < 6
    # Points are correlated, so the mean of squares is only roughly 1.
    assert 0.2 < np.mean(score**2) < 3
    assert corpus_cache is not None


def test_levels_are_eighths(corpus_cache: object) -> None:
    position = bundled_games()[0].position(20)
    counts = np.zeros(AREA, np.int32)
    owner_counts(position.board, new_board(9), new_board(9), position.to_move, counts)
    assert owner_levels(position) == {
        p: counts[p] // 8 + 1 for p in position.legal_moves() if p != PASS
    }
    other = np.zeros(AREA, np.int32)
    owner_counts(
        position.board, new_board(9), new_board(9), WHITE + BLACK - position.to_move, other
    )
    assert (counts != other).any()
    assert corpus_cache is not None


# Both sides live with two one-point eyes or more, which no playout fills: whatever happens, the
# points of the left belong to Black and those of the right to White.
SETTLED = """
. X . X O . O
X X X X O O O
. X X X O O .
X X . X O O O
X . X X O . O
X X X X O O O
. X . X O . O
"""


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_settled_ground_is_owned_for_sure(symmetry: int, exchanged: bool, to_move: int) -> None:
    size, colors = parse_diagram(SETTLED)
    turned = np.zeros(AREA, np.uint8)
    owner = np.zeros(AREA, np.uint8)
    for p in all_points(size):
        row, col = row_col(p)
        image = point(*transform(row, col, size, symmetry))
        stone, side = int(colors[p]), BLACK if col < 4 else WHITE
        turned[image] = 3 - stone if exchanged and stone else stone
        owner[image] = 3 - side if exchanged else side
    position = Position.from_stones(size, turned, to_move)
    counts = np.zeros(AREA, np.int32)
    owner_counts(position.board, new_board(size), new_board(size), to_move, counts)
    for p in all_points(size):
        assert counts[p] == (GAMES if owner[p] == to_move else 0)
    # Only one's own eyes are legal here: all of the highest level.
    levels = owner_levels(position)
    assert len(levels) == (7 if (to_move == BLACK) != exchanged else 4)
    assert set(levels.values()) == {8}


# Walls that cannot die, and seven neutral points between them: in every playout the two sides fill
# these in turn, the mover first.
NEUTRAL = """
. X X . O O .
X X X . O O O
. X X . O O .
X X X . O O O
. X X . O O .
X X X . O O O
. X X . O O .
"""


@pytest.mark.slow
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_neutral_points_by_a_closed_form(to_move: int) -> None:
    """The mover gets exactly four of the seven in each game, each of them in 4/7 of the games."""
    position = Position.from_diagram(NEUTRAL, to_move)
    counts = np.zeros(AREA, np.int32)
    owner_counts(position.board, new_board(7), new_board(7), to_move, counts)
    column = np.array([counts[point(row, 3)] for row in range(7)])
    assert column.sum() == 4 * GAMES
    spread = np.sqrt(GAMES * (4 / 7) * (3 / 7))
    assert np.abs(column - GAMES * 4 / 7).max() < 4.5 * spread
    levels = owner_levels(position)
    assert [levels[point(row, 3)] for row in range(7)] == (column // 8 + 1).tolist()
    assert set(levels.values()) - {8} <= {3, 4, 5, 6, 7}
