"""Answers against pictures that are written out: keys, harvest, levels, drawings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.points import PASS, row_col
from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.learning.train import Work
from katachi.patterns.catalogue import EXTENDED, Catalogue
from katachi.patterns.describe import describe_position, described
from katachi.patterns.families.answer import seen_in
from katachi.patterns.features import Features, Watch
from katachi.patterns.shapes.answers import (
    ANSWERS,
    HARVESTED,
    LAST_MOVE,
    NEEDS,
    Answers,
    answer_key,
    answer_tables,
    moves_known,
    new_room,
    see_last,
    see_move,
)
from katachi.patterns.shapes.dictionary import Shapes, load_shapes, merge_shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.largest import Follower
from katachi.progress import silent
from tests.go.helpers import FROM_SGF_COLOUR, bundled_games
from tests.kept import holds
from tests.patterns.answer_oracle import (
    KINDS,
    Answer,
    answers_at,
    answers_of,
    count_answers,
    counted_answers,
)
from tests.patterns.shape_oracle import (
    EXCHANGED,
    Turn,
    corpus_from,
    forms,
    random_record,
    record_of,
    same_shapes,
    turns,
)
from tests.patterns.test_harvest import BY_HAND

NOTHING_ELSE = Catalogue("none", ())
BOTH = pytest.mark.parametrize("answers", [ANSWERS, LAST_MOVE], ids=lambda a: a.name)


def records() -> list[bytes]:
    """Games with passes, setup, moves out of turn, and those of people-like players."""
    return [
        *(record for some in BY_HAND.values() for record in some),
        *bundled_games(9)[:3],
        *(random_record(size, seed, 60) for seed, size in ((1, 9), (2, 5), (3, 13), (4, 19))),
    ]


@cache
def dictionary(name: str = "answers", min_count: int = 1) -> Shapes:
    return harvest(
        corpus_from(records()), templates=HARVESTED[name], rule="played", min_count=min_count
    )


def moments(texts: list[bytes], step: int) -> Iterator[tuple[Position, Turn]]:
    """Positions by Katachi, and the same by the oracle."""
    for text in texts:
        (game,) = corpus_from([text])
        for number, turn in list(enumerate(turns(text)))[::step]:
            position = game.position(number)
            assert position.to_move == FROM_SGF_COLOUR[turn.colour]
            yield position, turn


def features(name: str = "answers", min_count: int = 1) -> Features:
    return Features(NOTHING_ELSE, {"answer": dictionary(name, min_count)})


# -- keys ----------------------------------------------------------------------------------------


@pytest.mark.slow
@BOTH
def test_keys_are_equal_where_pictures_are(answers: Answers) -> None:
    """And nowhere else: of every legal point, on boards of all sizes."""
    t, room = answer_tables(answers), new_room(len(answers))
    told: list[KeysOfMove] = []
    texts = [
        bundled_games(9)[5],
        bundled_games(19)[1],
        *(random_record(size, size, 80) for size in (5, 9, 13)),
    ]
    missing = set()
    for position, turn in moments(texts, 15):
        b, mover = position.board, int(position.to_move)
        watch = Watch(features(answers.name))
        watch.start(position.size)
        situation = watch.look(b)
        moves = int(moves_known(b))
        missing.add(moves)
        if moves:
            see_last(b, mover, seen_in(situation), t, room)
        for p in situation.candidates[: situation.count - 1][:: 1 if position.size < 13 else 7]:
            keys = {}
            if moves:
                see_move(b, mover, int(p), seen_in(situation), t, room)
                keys = {
                    name: int(answer_key(k, t, room))
                    for k, name in enumerate(answers.labels)
                    if t.kinds[k, NEEDS] <= moves
                }
            told.append((turn, row_col(int(p)), answers.name, keys))
    assert missing == {0, 1, 2}
    found = {key for *_, keys in told for key in keys.values()}
    assert len(found) > (1000 if answers is ANSWERS else 100)
    holds(compare_keys, told)


KeysOfMove: TypeAlias = tuple[Turn, tuple[int, int], str, dict[str, int]]


def compare_keys(told: list[KeysOfMove]) -> None:
    """One key for one answer: of moves at turns, by kind; a kind without an answer has no key."""
    key_of: dict[Answer, int] = {}
    answer_of: dict[int, Answer] = {}
    for turn, place, templates, keys in told:
        expected = dict(answers_at(turn, place, templates))
        assert expected.keys() == keys.keys()
        for name, key in keys.items():
            answer = (name, expected[name])
            assert key_of.setdefault(answer, key) == key
            assert answer_of.setdefault(key, answer) == answer


# -- harvest -------------------------------------------------------------------------------------


@pytest.mark.slow
@BOTH
def test_harvest_counts_what_is_played(answers: Answers) -> None:
    expected = count_answers(records(), answers.name)
    assert counted_answers(dictionary(answers.name)) == expected
    some = dictionary(answers.name, 3)
    assert counted_answers(some) == {a: n for a, n in expected.items() if n >= 3}
    assert same_shapes(dictionary(answers.name).keep(3), some)
    order = list(zip(some.rings, -some.counts, some.keys, strict=True))
    assert order == sorted(order)
    assert all(some.per_template().values())


@pytest.mark.slow
def test_jobs_do_not_matter() -> None:
    games = corpus_from(records())
    for jobs in (2, 3):
        found = harvest(games, templates=ANSWERS, rule="played", min_count=2, jobs=jobs)
        assert same_shapes(found, dictionary("answers", 2))


def test_halves_merge_into_the_whole() -> None:
    halves = [
        harvest(corpus_from(half), templates=ANSWERS, rule="played", min_count=1)
        for half in (records()[::2], records()[1::2])
    ]
    whole, merged = dictionary(), merge_shapes(halves)
    assert merged.keys.tobytes() == whole.keys.tobytes()
    assert merged.pictures.tobytes() == whole.pictures.tobytes()


@BOTH
def test_a_file_holds_it(answers: Answers, tmp_path: Path) -> None:
    path = tmp_path / "some.shapes"
    dictionary(answers.name).save(path)
    assert same_shapes(load_shapes(path), dictionary(answers.name))


def test_answers_are_counted_where_they_are_played() -> None:
    with pytest.raises(KatachiError, match="by the rule played"):
        harvest(corpus_from(records()[:2]), templates=ANSWERS, rule="candidates")


def test_answers_are_not_followed() -> None:
    with pytest.raises(KatachiError, match="answers are not followed"):
        Follower(dictionary())


def turned_record(record: bytes, symmetry: int, exchanged: bool) -> bytes:
    """A game without setup, turned, with colours exchanged or not."""
    nodes, size = "", 0
    for turn in turns(record):
        size = turn.size
        colour = EXCHANGED[turn.colour] if exchanged else turn.colour
        spot = ""
        if turn.place is not None:
            # Around the middle, counted in halves of a point
            middle = size - 1
            y, x = forms(2 * turn.place[0] - middle, 2 * turn.place[1] - middle)[symmetry]
            row, col = (y + middle) // 2, (x + middle) // 2
            spot = "abcdefghijklmnopqrs"[col] + "abcdefghijklmnopqrs"[row]
        nodes += f";{colour.upper()}[{spot}]"
    return record_of(size, nodes)


def test_all_forms_of_a_game_have_the_same_answers() -> None:
    """The same keys, and pictures, byte by byte; and the same levels."""
    record = bundled_games(9)[1]
    plain = harvest(corpus_from([record]), templates=ANSWERS, rule="played", min_count=1)
    (game,) = corpus_from([record])
    known = Features(NOTHING_ELSE, {"answer": plain})
    number = len(list(turns(record))) * 2 // 3
    levels = sorted(map(str, describe_position(game.position(number), known).values()))
    for symmetry in range(8):
        for exchanged in (False, True):
            other = corpus_from([turned_record(record, symmetry, exchanged)])
            found = harvest(other, templates=ANSWERS, rule="played", min_count=1)
            assert same_shapes(found, plain)
            there = describe_position(other[0].position(number), known)
            assert sorted(map(str, there.values())) == levels


# -- families ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("min_count", [1, 2])
def test_levels_are_the_answers_that_moves_are(min_count: int) -> None:
    shapes = dictionary("answers", min_count)
    first = dict(zip(ANSWERS.labels, shapes.firsts.tolist(), strict=True))
    number = {answer: n - first[answer[0]] for n, answer in enumerate(answers_of(shapes), 1)}
    others = [bundled_games(9)[0], bundled_games(9)[7], random_record(9, 5, 60), *BY_HAND["ko"]]
    told: list[LevelsOfMove] = []
    for position, turn in moments(others, 6):
        there = describe_position(position, features(min_count=min_count))
        assert there.pop(PASS) == {}
        told += [(turn, row_col(p), levels) for p, levels in there.items()]
    assert sum(len(levels) for *_, levels in told) > 100
    holds(compare_levels, told, list(number.items()))


LevelsOfMove: TypeAlias = tuple[Turn, tuple[int, int], dict[str, int]]


def compare_levels(told: list[LevelsOfMove], numbers: list[tuple[Answer, int]]) -> None:
    number = dict(numbers)
    for turn, place, levels in told:
        answers = answers_at(turn, place)
        assert levels == {f"answer-{a[0]}": number[a] for a in answers if a in number}


def test_a_kind_is_a_family_whatever_the_way() -> None:
    for all_radii in (False, True):
        wanted = Features(NOTHING_ELSE, {"answer": dictionary()}, all_radii)
        assert [f.name for f in wanted.families] == [f"answer-{name}" for name in KINDS["answers"]]
        assert [f.size for f in wanted.families] == list(dictionary().per_template().values())
        assert [f.title for f in wanted.families] == [kind.title for kind in ANSWERS.kinds]


def test_after_a_pass_no_move_is_an_answer() -> None:
    known = features()

    def families(position: Position) -> set[str]:
        return {name for levels in describe_position(position, known).values() for name in levels}

    (game,) = corpus_from(bundled_games(9)[:1])  # which is harvested: each move is an answer
    assert not families(game.position(0))
    assert "answer-3" in families(game.position(1))
    assert not families(game.position(1)) & {"answer-moves", "answer-moves-shape"}
    position = game.position(8)
    assert families(position) == {f.name for f in known.families}
    position.play(PASS)
    assert not families(position)
    position.play(PASS)
    position.play(game.moves[8][1])
    assert "answer-3" in families(position)
    assert not families(position) & {"answer-moves", "answer-moves-shape"}


def test_the_last_moves_shape_is_of_the_position() -> None:
    shapes = dictionary("last", 2)
    first = dict(zip(LAST_MOVE.labels, shapes.firsts.tolist(), strict=True))
    number = {answer: n - first[answer[0]] for n, answer in enumerate(answers_of(shapes), 1)}
    wanted = Features(NOTHING_ELSE, {"last": shapes}, position=True)
    assert wanted.families == ()
    names = [f"last-{kind}" for kind in KINDS["last"]]
    assert [f.name for f in wanted.position_families] == names
    assert not Features(NOTHING_ELSE, {"last": shapes}).position_families
    seen = 0
    for position, turn in moments([bundled_games(9)[0], random_record(9, 5, 60)], 5):
        watch = Watch(wanted)
        watch.start(position.size)
        found = described(watch.look(position.board), wanted)
        answers = answers_at(turn, (0, 0), "last")  # the move does not matter
        levels = dict.fromkeys(names, 0) | {
            f"last-{a[0]}": number[a] for a in answers if a in number
        }
        assert {name: column.tolist() for name, column in found.items()} == {
            name: [level] for name, level in levels.items()
        }
        seen += any(levels.values())
    assert seen > 5


def test_they_are_harvested_where_the_position_is_wanted(tmp_path: Path) -> None:
    settings = Settings(catalogue=EXTENDED, min_candidates=200, min_count=4)
    games = corpus_from(bundled_games(9)[:4])
    for position in (False, True):
        work = Work(games, settings, tmp_path, None, 1, silent)
        found = work.features(position=position)
        assert [*found.dictionaries] == [
            *(h.dictionary for h in EXTENDED.harvests),
            *(["last"] if position else []),
        ]
        assert bool(found.position_families) == position
    last = found.dictionaries["last"]
    assert same_shapes(last, harvest(games, templates=LAST_MOVE, rule="played", min_count=4))


def test_answers_are_the_last_harvest_of_the_extended_catalogue() -> None:
    assert EXTENDED.harvests[-1] == ("answer", ANSWERS, "played", 5)
    assert EXTENDED.position_harvests == (("last", LAST_MOVE, "played", 20),)


# -- drawings ------------------------------------------------------------------------------------


def drawings(nodes: str, size: int = 9, templates: Answers = ANSWERS) -> dict[str, str]:
    """The answers of the last move of a record as text, by kind."""
    whole = record_of(size, nodes)
    shapes = harvest(corpus_from([whole]), templates=templates, rule="played", min_count=1)
    *_, turn = turns(whole)
    assert turn.place is not None
    wanted = answers_at(turn, turn.place, templates.name)
    return {a[0]: shapes.draw(n) for n, a in enumerate(answers_of(shapes)) if a in wanted}


def all_forms(text: str, width: int = 1) -> set[str]:
    """The 8 forms of a drawing, which of them is kept is the keys' affair."""
    rows = [
        [line[i : i + width] for i in range(0, len(line), width + 1)] for line in text.split("\n")
    ]
    wide = max(map(len, rows))
    grid = np.array([row + [" " * width] * (wide - len(row)) for row in rows])
    found = set()
    for form in (grid, grid.T):
        for one in (form, form[::-1], form[:, ::-1], form[::-1, ::-1]):
            found.add("\n".join(" ".join(row).rstrip() for row in one.tolist()))
    return found


def test_drawings() -> None:
    drawn = drawings(";B[dc];W[cc];B[cd]")
    assert drawn["3"] in all_forms(". . .\n. @ X\n. * .")
    assert drawn["both"] in all_forms(". . .\n. @ X\n. * .\n. . .")
    assert drawn["4"] in all_forms("    .\n  . . .\n. . @ X .\n  . * .\n    .")
    assert drawn["liberties-3"] in all_forms(" .  .  .\n .  @ X3\n .  *  .", 2)
    assert drawn["own-liberties"] in all_forms(
        "       .\n    . @3 X3\n .  .  *  .  .\n    .  .  .\n       .", 2
    )
    assert drawn["moves"] in all_forms("@ Y\n*")
    assert drawn["moves-shape"] in all_forms(". @ Y\n. * .\n. . .")


def test_a_far_answer_keeps_its_distance() -> None:
    drawn = drawings(";B[ii];W[aa];B[ee]")
    corner = "# # #\n# @ .\n# . ."
    assert drawn["3"] in all_forms(f"{corner}\n\n\n          *")
    assert drawn["moves"] in all_forms("@\n\n\n\n        *\n\n\n\n                Y")
    assert drawn["own-liberties"].count("@") == 1


def test_drawings_of_the_last_move() -> None:
    drawn = drawings(";B[dc];W[cc];B[cd]", templates=LAST_MOVE)
    assert drawn["3"] in all_forms(". . .\n. @ X\n. . .")
    assert drawn["liberties-3"] in all_forms(" .  .  .\n .  @ X3\n .  .  .", 2)


def test_a_drawing_of_a_move_where_the_one_before_stood() -> None:
    """White takes a stone, and Black puts one where it stood: that is *, and no Y is left."""
    drawn = drawings("AB[aa]AW[ba][bb];B[ab];W[ac];B[ab]", 5)
    assert drawn["moves"] in all_forms("* @")
