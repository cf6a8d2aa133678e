"""What is said of moves: sentences of diagrams, stones that are named, and comparisons."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from katachi.go.points import BLACK, PASS, from_vertex
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.patterns.vocabulary.groups import TERMS
from katachi.study.opinion import Opinion
from katachi.study.words.compare import compared, shares, times
from katachi.study.words.kinds import KIND, ORDER, in_order, kind_of, with_article
from katachi.study.words.phrases import bearing, where
from katachi.study.words.seen import Seen, after, both, number
from katachi.study.words.words import Words
from tests.trained import games, positions
from tools.shared_sentences import Shared, count, draw

NONE = "........."
NINE = " ".join(NONE)


def board(*rows: str, to_move: int = BLACK, then: tuple[str, ...] = ()) -> Position:
    """A 9x9 board: the rows given are the lowest. Then these moves are played."""
    lines = [NINE] * (9 - len(rows)) + [" ".join(row) for row in rows]
    position = Position.from_diagram("\n".join(lines), to_move)
    for move in then:
        position.play(move)
    return position


# (position, move, what it is called, a part of its sentence)
SAID = [
    (board("..XX.....", "..OO.....", NONE), "E2", "hane at the head of two", "two stones (D2)"),
    (board("..XXX....", "..OOO....", NONE), "F2", "hane at the head of three", "three stones (E2)"),
    (board("..X......", "..O......", NONE), "D2", "hane", "plays hane around C2"),
    (board("....X....", NONE, NONE, NONE), "E6", "one-space jump", "one-space jump from E4"),
    (board("...X.....", NONE, NONE), "E4", "diagonal move", "makes a diagonal move from D3"),
    (board("...X.....", NONE, NONE), "F2", "slide", "slides along the second line from D3"),
    (board(".X.......", ".OX......", ".X......."), "A2", "ponnuki", "takes B2 and makes a ponnuki"),
    (board("...X.....", "...X.....", NONE), "E2", "empty triangle", "with the two stones at D2"),
    (board("..X.X....", NONE, NONE), "D3", "solid connection", "connects C3 and E3 solidly"),
    (board("..O.O....", "...X.....", NONE), "D3", "push through", "through between C3 and E3"),
    (board("..OX.....", "..XO.....", NONE), "B3", "hane", "puts C3 in atari"),
    (
        board("..X.X....", NONE, NONE, then=("J9", "D2")),
        "D3",
        "connection against a peep",
        "answers the peep at D2 by connecting C3 and E3",
    ),
    (
        board("...X.....", NONE, NONE, then=("J9", "E3")),
        "E4",
        "hane against a contact move",
        "answers the contact move E3 with a hane",
    ),
]


def test_sentences() -> None:
    for position, move, name, part in SAID:
        words = Words(Seen(position), [])
        p = from_vertex(move, 9)
        assert part in words.sentence(p), (move, words.sentence(p))
        assert (TERMS[words.name(p)].word if words.name(p) in TERMS else "move") == name


def test_atari() -> None:
    """The answers to an atari, and a move that leaves the stones there."""
    position = board("..XX.....", ".OXXO....", "..OO.....", then=("J9", "C4", "J8", "D4"))
    assert not Seen(position).endangered
    position.play("J7")
    position.play("B3")
    (stone,) = Seen(position).endangered
    words = Words(Seen(position), [])
    out, far = from_vertex("E3", 9), from_vertex("G6", 9)
    assert "answers the atari on the four stones at" in words.sentence(out)
    assert Seen(position).name(stone) in words.sentence(out)
    assert words.clauses(far).against == (f"{Seen(position).told(stone)} are left in atari",)
    assert words.sentence(far).endswith(" are left in atari")
    assert ", but " in words.sentence(far)


def test_self_atari_and_ladder() -> None:
    corner = board("OOO......", "X..O.....")
    said = Words(Seen(corner), []).clauses(from_vertex("B1", 9)).against
    assert said == ("its two stones can be taken at once",)
    thrown = board("OO.......", "..O......")
    assert Words(Seen(thrown), []).clauses(from_vertex("A1", 9)).against == ()  # that is meant
    caught = board("....O....", "...OXO...", ".........", ".........", ".........")
    run = from_vertex("E3", 9)
    twin = caught.copy()
    twin.play(run)
    taken = twin.taken_in_ladder(run, 2)
    said = Words(Seen(caught), []).clauses(run).against
    assert ("its two stones can be taken in a ladder" in said) == taken


@cache
def _drawn() -> list[Position]:
    """Some bundled positions of 9x9 and 19x19."""
    some = [*positions(games(0, 6), 31), *positions(games(67, 69), 59)]
    return [position for position in some if position.moves]


def test_what_a_move_changes() -> None:
    """Against the board after it."""
    seen_all = 0
    for position in _drawn():
        seen = Seen(position)
        for p in position.legal_moves()[:-1:3]:
            done = after(seen, p)
            twin = position.copy()
            taken = twin.play(p)
            assert sum(len(seen.string(s).stones) for s in done.taken) == taken
            assert set(twin.liberties(p)) == done.liberties
            assert len(twin.string(p)) == done.stones
            atari = {s for s in seen.beside(p, 3 - seen.mover) if len(twin.liberties(s)) == 1}
            assert {t for s in done.atari for t in seen.string(s).stones} >= atari
            assert all(len(twin.liberties(s)) == 1 for s in (*done.atari, *done.left))
            assert all(len(position.liberties(s)) == 1 for s in (*done.saved, *done.left))
            assert all(len(twin.liberties(s)) > 1 for s in done.saved)
            kept = [s for s in seen.endangered if len(twin.liberties(s)) == 1]
            assert sorted(kept) == sorted(done.left)
            seen_all += 1
    assert seen_all > 300


def test_strings() -> None:
    for position in _drawn()[::3]:
        seen = Seen(position)
        for p, colour in enumerate(position.colors.tolist()):
            if colour in (1, 2):
                found = seen.string(p)
                assert sorted(found.stones) == position.string(p)
                assert sorted(found.liberties) == position.liberties(p)


def test_the_stones_that_are_named() -> None:
    """ "From" names an own stone, "around" the opponent's, and so on; a word without its stones is
    rare.
    """
    own = re.compile(r"(?:jump|move|stretches|slides .* line|solidly) from ([A-T]\d+)")
    theirs = re.compile(r"(?:around|caps|clamps|to the corner|attaches to|bumps into) ([A-T]\d+)")
    found = {"own": 0, "theirs": 0}
    for position in _drawn():
        words = Words(Seen(position), [])
        for p in position.legal_moves()[:-1:2]:
            for text in words.clauses(p).does:
                for kind, pattern, colour in (
                    ("own", own, position.to_move),
                    ("theirs", theirs, 3 - position.to_move),
                ):
                    for name in pattern.findall(text):
                        assert position.stone(name) == colour, (text, position.diagram())
                        found[kind] += 1
    assert min(found.values()) > 100


def test_every_word_has_a_kind_and_an_order() -> None:
    assert set(ORDER) == set(KIND) == set(TERMS)
    assert len(set(ORDER.values())) == len(TERMS)
    for key in TERMS:
        assert in_order([key]) == [key]
        assert with_article(key).endswith(TERMS[key].word)
    assert in_order(["one-space-jump", "enclosure-one-space"]) == ["enclosure-one-space"]
    assert in_order(["contact", "capture"]) == ["capture"]
    assert [with_article(k) for k in ("atari", "one-space-jump", "star-point", "make-eye")] == [
        "an atari",
        "a one-space jump",
        "the star point",
        "making an eye",
    ]


def test_comparisons() -> None:
    """Every number is made of the chances."""
    model = load_model()
    for position in _drawn()[::4]:
        opinion = Opinion(model, position)
        chances = opinion.probabilities
        words = Words(Seen(position), opinion.ranked[:10])
        share = shares(words, chances)
        assert sum(share.values()) == pytest.approx(1)
        best = opinion.ranked[0]
        for move in (*opinion.ranked[1:6], opinion.ranked[-1], PASS):
            said = compared(words, chances, share, move, best)
            ratio = chances[best] / chances[move]
            if ratio < 1.05:
                assert said == ""
                continue
            assert f"is {times(chances[best], chances[move])} as usual here" in said
            for kind, percent in re.findall(r"players (.+) (\d+) times in 100", said):
                plain = sum(c for p, c in chances.items() if kind_of(words.name(p)) == kind)
                assert float(percent) == pytest.approx(100 * plain, abs=0.51)
        assert opinion.compare(best, opinion.ranked[-1]) == ""
    assert [times(*pair) for pair in ((3, 2), (46, 10), (12, 1), (3000, 1))] == [
        "1.5 times",
        "4.6 times",
        "12 times",
        "over 1,000 times",
    ]


def test_what_all_share_is_left_out() -> None:
    """Every likely move leaves the same stones in atari: no sentence says so."""
    position = board(
        "..XX.....", ".OXXO....", "..OO.....", then=("J9", "C4", "J8", "D4", "J7", "B3")
    )
    far = [from_vertex(name, 9) for name in ("G6", "F6", "B7")]
    alone, together = Words(Seen(position), far[:1]), Words(Seen(position), far)
    assert alone.shared == frozenset()
    (text,) = together.shared - {"plays elsewhere"}
    assert text.endswith("left in atari")
    assert all(text in alone.sentence(p) for p in far)
    assert not any(text in together.sentence(p) for p in far)


def test_hardly_any_share_a_sentence() -> None:
    """Must hold 2 of the issue, on bundled games: the two that do are equal on the board."""
    drawn = draw(games(40, 100), 60, 5)
    found = count(drawn, load_model())
    assert found.positions == 60
    assert found.same_for_all == 0
    assert found.with_equal <= 6
    assert Shared(1, 1).with_equal == 1


def test_places() -> None:
    position = board("..X......", ".........", ".........")
    seen = Seen(position)
    told = {name: where(seen, from_vertex(name, 9)) for name in ("C3", "B3", "D2", "E5")}
    assert told["C3"] == "is in the lower left corner"
    assert told["B3"] == "is in the lower left corner, nearer to the left side"
    assert told["D2"] == "is in the lower left corner, nearer to the lower side"
    assert bearing(seen, from_vertex("C5", 9)) == "is above C3"
    assert bearing(seen, from_vertex("D2", 9)) == "is below C3, to the right"
    assert bearing(seen, from_vertex("A3", 9)) == "is to the left of C3"
    assert bearing(Seen(Position(9)), from_vertex("A3", 9)) == ""


def test_lists_and_numbers() -> None:
    assert [both(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert [number(n) for n in (1, 12, 13)] == ["one", "twelve", "13"]


def test_passes() -> None:
    position = Position(9)
    words = Words(Seen(position), [])
    assert words.sentence(PASS) == "passes"
    position.play("pass")
    assert Words(Seen(position), []).sentence(PASS) == "answers the pass with a pass"


def test_a_position_that_is_played_on() -> None:
    """The sentences are of the position as it was."""
    position = games(0, 1)[0].position(20)
    moves = position.legal_moves()[:8]
    before = [Words(Seen(position), []).sentence(p) for p in moves]
    words = Words(Seen(position), [])
    for move in random.Random(1).sample(moves[:-1], 2):
        position.play(move)
    assert [words.sentence(p) for p in moves] == before
