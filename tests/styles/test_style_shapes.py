"""Shapes as features of a style: which are found, where, and shapes that a person draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import katachi
from katachi import KatachiError
from katachi.go.points import PASS, point, row_col
from katachi.patterns.features import Features
from katachi.styles.differences import Difference, differences_of, with_q
from katachi.styles.fit import fit
from katachi.styles.gather import gather, wanted_moves
from katachi.styles.page import shape_picture
from katachi.styles.pictures import drawn_shape
from katachi.styles.readable import LINE
from katachi.styles.shapes import circles_of, gather_shapes, some_of
from tests.styles.games import small_games
from tests.trained import trained


def around(position: katachi.Position, p: int, radius: int) -> tuple[str, ...]:
    """The signs of the circle around a point, by offsets, as the side to move sees it."""
    row, col = row_col(p)
    mover = position.to_move
    found = []
    for dy, dx in circle(radius):
        r, c = row + dy, col + dx
        if not (0 <= r < position.size and 0 <= c < position.size):
            found.append("#")
        else:
            stone = int(position.board.color[point(r, c)])
            found.append("." if stone == 0 else "X" if stone == mover else "O")
    return tuple(found)


def circle(radius: int) -> list[tuple[int, int]]:
    reach = range(-5, 6)
    return [
        (dy, dx)
        for dy in reach
        for dx in reach
        if (dy, dx) != (0, 0) and abs(dy) + abs(dx) + max(abs(dy), abs(dx)) <= radius
    ]


def turned(signs: tuple[str, ...], radius: int) -> set[tuple[str, ...]]:
    """The same circle in all symmetries."""
    spots = circle(radius)
    found = set()
    for flip in (1, -1):
        for quarter in range(4):
            there = {}
            for (dy, dx), sign in zip(spots, signs, strict=True):
                y, x = dy, flip * dx
                for _ in range(quarter):
                    y, x = x, -y
                there[y, x] = sign
            found.add(tuple(there[spot] for spot in spots))
    return found


def signs_of(name: str) -> tuple[int, tuple[str, ...]]:
    """(radius, signs) of the name of a shape."""
    signs = name.replace("/", "")
    radius = {9: 3, 13: 4, 21: 5}[len(signs)]
    middle = len(signs) // 2
    assert signs[middle] == "*"
    return radius, tuple(signs[:middle] + signs[middle + 1 :])


def test_each_candidate_has_its_largest_shape_that_is_not_rare() -> None:
    corpus, base = small_games(3), trained()
    wanted = wanted_moves(corpus, np.zeros((3, 2), np.int32), most=30)
    delta = np.array([0.5, -0.4, 0.3, 0.0, -0.2])
    decisions, features = gather_shapes(corpus, wanted, base, (LINE,), delta, least=0.3)
    plain = gather(corpus, wanted, base, (LINE,))
    shapes = {signs_of(feature.name): n for n, feature in enumerate(features)}
    assert {radius for radius, _ in shapes} >= {3, 4}
    number = {(r, turn): n for (r, signs), n in shapes.items() for turn in turned(signs, r)}
    expected = np.zeros(len(features))
    seen = 0
    for piece, line in zip(decisions.pieces, plain.pieces, strict=True):
        assert np.array_equal(piece.game, line.game)
        assert np.array_equal(piece.move, line.move)
        for j in range(len(piece)):
            game = corpus[int(piece.game[j])]
            position = game.position(int(piece.move[j]))
            colour, played = game.moves[piece.move[j]]
            position.to_play(colour)
            twin: dict[int, float] = {}
            for p, chance in base.probabilities(position).items():
                row, col = row_col(p) if p != PASS else (0, 0)
                level = min(row, col, position.size - 1 - row, position.size - 1 - col)
                more = 0.0 if p == PASS else delta[min(level, 4)]
                shape = shape_of(position, p, number)
                twin[shape] = twin.get(shape, 0.0) + chance * np.exp(more)
            some = slice(piece.starts[j], piece.starts[j + 1])
            total = sum(twin.values())
            found = dict(
                zip(piece.seats[some, 0].tolist(), np.exp(piece.offset[some]), strict=True)
            )
            assert found == pytest.approx({n: chance / total for n, chance in twin.items()})
            assert piece.seats[some, 0][piece.winner[j]] == shape_of(position, played, number)
            for n, chance in found.items():
                if n >= 0:
                    expected[n] += chance
            seen += len(found)
    assert seen > 100
    assert expected.min() >= 0.3 - 1e-9
    rows, shown = differences_of(decisions, fit(decisions, tau=np.array([0.3])), features)
    assert [row.picture.replace(" ", "").replace("\n", "/") for row in rows] == [
        feature.name for feature in features
    ]
    for n, (told, places) in enumerate(zip(rows, shown, strict=True)):
        for g, move in places:
            position, (colour, played) = corpus[g].position(move), corpus[g].moves[move]
            position.to_play(colour)
            assert (shape_of(position, played, number) == n) == (told.elo > 0)


def shape_of(position: katachi.Position, p: int, number: dict[Any, int]) -> int:
    """The number of the largest shape around a point that is kept, or -1."""
    if p == PASS:
        return -1
    known = (number.get((radius, around(position, p, radius)), -1) for radius in (5, 4, 3))
    return next((n for n in known if n >= 0), -1)


def test_a_base_without_shapes_has_none_to_rate() -> None:
    assert circles_of(Features(katachi.PLAYOUT)) == ()
    assert [circle.name for circle in circles_of(trained().features)] == ["3", "4", "5"]


def test_some_decisions_of_those_that_are_there() -> None:
    corpus = small_games(3)
    decisions = gather(corpus, wanted_moves(corpus, np.zeros((3, 2), np.int32), most=40), trained())
    every = {
        (g, m) for piece in decisions.pieces for g, m in zip(piece.game, piece.move, strict=True)
    }
    for most, many in ((15, 15), (100, 40)):
        some = some_of(decisions, 3, most, 1)
        found = [(g, m) for g, moves in enumerate(some.moves) for m in moves.tolist()]
        assert len(found) == many
        assert set(found) <= every
        assert found == sorted(set(found))


def difference(p: float) -> Difference:
    return Difference("f", "", "", 0, 1, 1, p, 1.0, 0, 0, 0)


def test_q_is_over_features_and_shapes_and_either_may_err_as_much() -> None:
    rng = np.random.default_rng(2)
    few = [difference(p) for p in rng.random(10) ** 4]
    many = [difference(p) for p in rng.random(300) ** 2]
    found = with_q((few, many))
    # From the definition: the shares are 1/2 each, the ranks those of p over the share of each
    weighted = [one.p * 2 * 10 for one in few] + [one.p * 2 * 300 for one in many]
    n = len(weighted)
    for row, own in zip((*found[0], *found[1]), weighted, strict=True):
        sizes = [w / sum(v <= w for v in weighted) for w in weighted if w >= own]
        assert row.q == pytest.approx(min(1.0, min(sizes)))
    assert n == 310
    assert with_q(([], many))[0] == []
    alone = with_q((few, []))[0]  # as if nobody had thought of shapes
    ranks = sorted(one.p for one in few)
    for row in alone:
        later = [p * 10 / (k + 1) for k, p in enumerate(ranks) if p >= row.p]
        assert row.q == pytest.approx(min(1.0, min(later)))


@pytest.mark.parametrize(
    "picture",
    [
        "./.../..*../.../.",
        "..#/.*#/..#",
        ".../.*X/...",
        " . . .\n. . . . .\n. . * . .\n. . . . .\n. . .",
    ],
)
def test_a_drawn_shape_is_where_it_is(picture: str) -> None:
    corpus = small_games(2)
    family = drawn_shape(picture)
    radius, signs = signs_of(family.levels[0].name)
    wanted_signs = turned(signs, radius)
    wanted = wanted_moves(corpus, np.zeros((2, 2), np.int32), most=25)
    decisions = gather(corpus, wanted, trained(), (family,))
    found = 0
    for piece in decisions.pieces:
        for j in range(len(piece)):
            game = corpus[int(piece.game[j])]
            position = game.position(int(piece.move[j]))
            colour, played = game.moves[piece.move[j]]
            position.to_play(colour)
            chances = base_chances(position)
            share = sum(
                chance
                for p, chance in chances.items()
                if p != PASS and around(position, p, radius) in wanted_signs
            )
            some = slice(piece.starts[j], piece.starts[j + 1])
            has = piece.seats[some, 0] == 0
            assert np.exp(piece.offset[some])[has].sum() == pytest.approx(share)
            found += share > 0
            own = played != PASS and around(position, played, radius) in wanted_signs
            assert bool(has[piece.winner[j]]) == own
    assert found


def base_chances(position: katachi.Position) -> dict[int, float]:
    return trained().probabilities(position)


def test_a_drawn_shape_is_that_of_the_dictionary() -> None:
    shapes = circles_of(trained().features)[0].shapes
    assert shapes is not None
    for number in range(0, len(shapes), max(1, len(shapes) // 60)):
        ring = int(shapes.rings[number])
        own = drawn_shape(shapes.draw(number)).shapes
        assert own is not None
        assert own.keys[ring] == shapes.keys[number]
        assert own.draw(ring) == shapes.draw(number)


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        ("X*O", "is no shape: draw a circle"),
        (".../.../...", "is no shape: draw a circle"),
        (".../.*Z/...", "is no shape: draw a circle"),
        ("", "is no shape: draw a circle"),
        (".../.*#/...", "has an edge .#. where no board has one"),
    ],
)
def test_what_is_no_shape(picture: str, sentence: str) -> None:
    with pytest.raises(KatachiError, match=sentence):
        drawn_shape(picture)


def test_the_picture_of_a_shape() -> None:
    text = shape_picture("X . #\nO * #\n. . #")
    assert text.count('class="wood"') == 6
    assert text.count('class="b"') == text.count('class="w"') == 1
    assert '<circle class="b" cx="1" cy="1"' in text
    assert '<circle class="played" cx="2" cy="2"' in text
    assert 'd="M1.5 1H2M2 0.5V1.5"' in text  # ends at the edge
