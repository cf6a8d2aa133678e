"""Proverbs: the diagrams have what they say, and the odds are those of a plain count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from katachi.evaluation.proverbs.chosen import LOCAL, Case, case_of, near_the_last, words_of
from katachi.evaluation.proverbs.measure import Verdict, count_case, count_game, measured
from katachi.evaluation.proverbs.proverbs import BY_KEY, PROVERBS, Proverb
from katachi.go.points import BLACK, PASS, WHITE, point, row_col, vertex
from katachi.go.position import Position
from katachi.patterns.describe import describe
from katachi.patterns.situation import Situation
from katachi.patterns.vocabulary.groups import GROUPS, WORD_FAMILIES
from tests.cli.test_learning_verbs import katachi, write_games
from tests.trained import games
from tools.proverb_page import page


def drawn(proverb: Proverb) -> tuple[Case, set[int]]:
    """The case of a proverb's diagram, and the points of its moves."""
    rows = [row.split() for row in proverb.diagram.splitlines()]
    places = {
        sign: [point(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == sign]
        for sign in "@*"
    }
    plain = proverb.diagram.replace("@", ".").replace("*", ".")
    position = Position.from_diagram(plain, WHITE if places["@"] else BLACK)
    words: frozenset[str] = frozenset()
    if places["@"]:
        (last,) = places["@"]
        before = case_of(Situation(), position.board, frozenset())
        words = words_of(before, before.points.tolist().index(last))
        position.play(last)
    return case_of(Situation(), position.board, words), set(places["*"])


@pytest.mark.parametrize("proverb", PROVERBS, ids=lambda proverb: proverb.key)
def test_the_diagrams(proverb: Proverb) -> None:
    """The move of the diagram is one of the proverb's, and there the proverb is asked about."""
    case, stars = drawn(proverb)
    assert stars
    assert proverb.situation is None or proverb.situation(case)
    assert stars <= set(case.points[proverb.moves(case)].tolist())
    assert proverb.text[0].isupper()
    assert len(BY_KEY) == len(PROVERBS) >= 15


def test_the_waist() -> None:
    case, stars = drawn(BY_KEY["waist"])
    proverb = BY_KEY["waist"]
    assert set(case.points[proverb.moves(case)].tolist()) == stars


def test_the_words_of_candidates() -> None:
    position = games(0, 1)[0].position(30)
    situation = Situation()
    case = case_of(situation, position.board, frozenset())
    columns = describe(situation, WORD_FAMILIES)
    for i, p in enumerate(case.points.tolist()):
        levels = {g.family.name: int(c[i]) for g, c in zip(GROUPS, columns, strict=True)}
        plain = {g.terms[levels[g.family.name] - 1].key for g in GROUPS if levels[g.family.name]}
        assert words_of(case, i) == plain, vertex(p, 9)
    (last_row, last_col) = row_col(case.last)
    for p, near in zip(case.points.tolist(), near_the_last(case).tolist(), strict=True):
        row, col = row_col(p)
        assert near == (max(abs(row - last_row), abs(col - last_col)) <= LOCAL)


def test_the_odds() -> None:
    """Against the formula, case by case, in plain Python."""
    corpus = games(0, 5)
    found = {one.proverb.key: one for one in measured(PROVERBS, corpus, resamples=200, seed=3)}
    for key in ("one-space-jump", "empty-triangle", "attack-from-afar"):
        proverb = BY_KEY[key]
        ours = theirs = 0.0
        cases = played = instead = 0
        for game in corpus:
            situation, words = Situation(), frozenset[str]()
            for position, _, move in game.walk():
                if move <= PASS:
                    words = frozenset()
                    continue
                case = case_of(situation, position.board, words)
                moves = set(case.points[proverb.moves(case)].tolist())
                rivals = set(case.points[proverb.rivals(case)].tolist()) - moves
                words = words_of(case, case.points.tolist().index(move))
                if not moves or not rivals:
                    continue
                cases += 1
                both = len(moves) + len(rivals)
                if move in moves:
                    ours += len(rivals) / both
                    played += 1
                elif move in rivals:
                    theirs += len(moves) / both
                    instead += 1
        one = found[key]
        assert (one.cases, one.played, one.rival) == (cases, played, instead)
        assert one.odds == pytest.approx(ours / theirs)
        assert one.interval is not None
        assert one.odds is not None
        assert one.interval[0] <= one.odds <= one.interval[1]


def test_no_difference_is_one() -> None:
    """Moves that are played as often as their rivals have odds of 1, however many there are."""
    case, _ = drawn(BY_KEY["one-two"])
    total = np.zeros(5)
    half = len(case.points) // 4
    everyone = np.arange(len(case.points))
    proverb = BY_KEY["one-two"]._replace(
        moves=lambda _: everyone < half, rivals=lambda _: everyone >= half, situation=None
    )
    for played in everyone.tolist():
        count_case(proverb, case, played, total)
    assert total[0] / total[1] == pytest.approx(1)
    assert total[2] == total[3] + total[4] == len(everyone)


def test_verdicts() -> None:
    proverb = BY_KEY["head-of-two"]
    forbids = BY_KEY["empty-triangle"]

    def told(which: Proverb, odds: float | None, *interval: float) -> tuple[bool | None, str]:
        ends = (interval[0], interval[1]) if interval else None
        one = Verdict(which, 9, 3, 2, odds, ends)
        return one.holds, one.words

    assert told(proverb, 3, 2, 4) == (True, "followed: 3.0 times as often as another hane")
    assert told(proverb, 0.5, 0.4, 0.6)[0] is False
    assert told(forbids, 0.5, 0.4, 0.6) == (
        True,
        "followed: 2.0 times as rarely as another move that touches an own stone",
    )
    assert told(forbids, 1.5, 1.2, 1.9)[1].startswith("not followed: 1.5 times as often")
    assert told(proverb, 1.1, 0.9, 1.2) == (None, "cannot be told from these games")
    assert told(proverb, None) == (None, "cannot be told from these games")


def test_a_game_without_moves_counts_nothing() -> None:
    game = games(0, 1)[0]
    empty = replace(game, actions=game.actions[:0])
    sums = np.zeros((len(PROVERBS), 5))
    count_game(PROVERBS, empty, sums)
    assert not sums.any()


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_games(tmp_path / "games", 0, 6)
    done = katachi(capsys, "proverbs", folder, "--games", 4, "--resamples", 50, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["games"] == 4
    assert [one["key"] for one in found["proverbs"]] == [p.key for p in PROVERBS]
    text = page(found, found)
    assert all(proverb.diagram in text and f"## {proverb.text}" in text for proverb in PROVERBS)
    done = katachi(capsys, "proverbs", folder, "--resamples", 50)
    assert done.code == 0
    assert "6 games" in done.out
    assert "one-space jump" in done.out
    done = katachi(capsys, "proverbs", tmp_path / "nothing")
    assert (done.code, done.out) == (2, "")
    assert "does not exist" in done.err
