"""From games to a style: what is looked at, what is found, and what is said of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control, norm

import katachi
from katachi import KatachiError
from katachi.go.points import PASS
from katachi.learning.train import train
from katachi.models.elo import ELO
from katachi.patterns.catalogue import COULOM, WORDS
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from katachi.records.corpus import corpus_of, join
from katachi.records.sgf import parse_games
from katachi.styles import others
from katachi.styles.decisions import Decisions
from katachi.styles.differences import (
    WITHIN_95,
    benjamini_hochberg,
    beside_of,
    differences_of,
    doubt_of,
    expected_of,
)
from katachi.styles.fit import fit
from katachi.styles.fitted import Beside
from katachi.styles.gather import PHASES, gather, wanted_moves
from katachi.styles.groups import compare, fit_groups
from katachi.styles.page import page
from katachi.styles.players import chosen_player, grouped, names_of, of_player
from katachi.styles.readable import HIGH, LINE, READABLE, Feature, feature_named, features_of
from katachi.styles.style import Prediction, Style
from katachi.styles.words import notes, sentence
from tests.games import bundled_sgfs
from tests.shared import made_once
from tests.styles.games import NAMES, renamed, small_games
from tests.styles.small import made_up, told_in_matrices
from tests.trained import LARGEST, trained
from tools.style_planted import drawn

LINES = ("1", "2", "3", "4", "≥ 5")


def small_style() -> Style:
    return made_once(
        "a style on 9x9", lambda: katachi.style(small_games(18), player=NAMES[0], against=trained())
    )


def readable_twin(position: katachi.Position, point: int) -> tuple[tuple[str, str], ...]:
    """The readable features of a move, from its description by name."""
    if point == PASS:
        return ()
    team = describe_position(position, Features(COULOM))[point]
    team |= describe_position(position, Features(WORDS))[point]
    found = [("line", LINES[min(line_of(position, point), 5) - 1])]
    for family in READABLE[1:]:
        if family.name in team:
            found.append((family.name, family.levels[team[family.name] - 1].name))
    return tuple(found)


def line_of(position: katachi.Position, point: int) -> int:
    from katachi.go.points import row_col

    row, col = row_col(point)
    return min(row, col, position.size - 1 - row, position.size - 1 - col) + 1


@pytest.mark.slow
def test_decisions_are_what_base_and_features_say_of_each_position() -> None:
    corpus, base = small_games(2), trained()
    groups = np.array([[0, -1], [-1, 1]], np.int32)
    decisions = gather(corpus, wanted_moves(corpus, groups, most=6), base)
    names = [(feature.family, feature.name) for feature in features_of(READABLE)]
    assert decisions.count == 12
    assert decisions.column("group").tolist() == [0] * 6 + [1] * 6
    for piece in decisions.pieces:
        for j in range(len(piece)):
            game = corpus[int(piece.game[j])]
            position = game.position(int(piece.move[j]))
            colour, point = game.moves[piece.move[j]]
            assert colour == (1, 2)[int(piece.game[j])]
            chances = base.probabilities(position)
            plain: dict[Any, float] = {}
            for candidate, chance in chances.items():
                team = readable_twin(position, candidate)
                plain[team] = plain.get(team, 0.0) + chance
            some = range(piece.starts[j], piece.starts[j + 1])
            teams = [tuple(names[one] for one in piece.seats[i] if one >= 0) for i in some]
            assert len(set(teams)) == len(teams)
            found = dict(zip(teams, np.exp(piece.offset[list(some)]), strict=True))
            assert found == pytest.approx(plain)
            assert piece.evidence[j] == pytest.approx(np.log(chances[point]))
            assert teams[piece.winner[j]] == readable_twin(position, point)


def test_the_same_decisions_with_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("katachi.styles.gather.MOVES_PER_TASK", 10)
    corpus = small_games(3)
    wanted = wanted_moves(corpus, np.zeros((3, 2), np.int32), last=60)
    alone = gather(corpus, wanted, trained(), (HIGH,))
    assert len(alone.pieces) == 3
    monkeypatch.setattr("katachi.styles.gather.workers", InThisProcess)
    shared = gather(corpus, wanted, trained(), (HIGH,), jobs=2)
    for one, two in zip(alone.pieces, shared.pieces, strict=True):
        for name in vars(one):
            assert np.array_equal(getattr(one, name), getattr(two, name)), name


class InThisProcess:
    """A pool whose work is done here, the last task first."""

    def __init__(self, carried: Any, _jobs: int) -> None:
        from katachi.patterns import workers

        workers._here["load"] = carried

    def __enter__(self) -> InThisProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Any, *arguments: Any) -> Any:
        from concurrent.futures import Future

        done: Future[Any] = Future()
        done.set_result(work(*arguments))
        return done


def test_wanted_moves_are_of_the_group_and_the_phase() -> None:
    corpus = small_games(4)
    groups = of_player(names_of(corpus), NAMES[1]).of
    for first, last in PHASES.values():
        wanted = wanted_moves(corpus, groups, first=first, last=last)
        for g, (numbers, group) in enumerate(zip(wanted.moves, wanted.groups, strict=True)):
            game = corpus[g]
            plain = [
                (number, 0 if (game.black, game.white)[colour - 1] == NAMES[1] else 1)
                for number, (colour, _) in enumerate(game.moves)
                if NAMES[1] in (game.black, game.white) and first <= number * 361 / 81 < last
            ]
            assert list(zip(numbers.tolist(), group.tolist(), strict=True)) == plain
    few = wanted_moves(corpus, groups, most=7)
    assert sorted(np.concatenate(few.groups).tolist()) == [0] * 7 + [1] * 7
    again = wanted_moves(corpus, groups, most=7)
    assert all(np.array_equal(a, b) for a, b in zip(few.moves, again.moves, strict=True))


def test_groups() -> None:
    corpus = small_games(6)
    names = names_of(corpus)
    years = grouped(corpus, "year")
    assert years.names == [str(1668 + n) for n in range(6)]
    assert years.of.tolist() == [[n, n] for n in range(6)]
    decades = grouped(corpus, "decade")
    assert decades.names == ["1660s", "1670s"]
    assert decades.of[:, 0].tolist() == [0, 0, 1, 1, 1, 1]
    players = grouped(corpus, "player")
    for pair, of in zip(names, players.of, strict=True):
        assert [players.names[one] for one in of] == list(pair)
    ranks = grouped(corpus, "rank")
    assert [ranks.names[one] for one in ranks.of[:, 0]] == [f"{1 + n}p" for n in range(6)]
    assert {ranks.names[one] for one in ranks.of[:, 1]} == {"9p"}
    results = grouped(corpus, "result")
    for game, of in zip(corpus, results.of, strict=True):
        black_won = game.result.startswith("B+")
        assert [results.names[one] for one in of] == (
            ["winner", "loser"] if black_won else ["loser", "winner"]
        )
    with pytest.raises(KatachiError, match="fewer than two groups by decade"):
        grouped(small_games(2), "decade")
    with pytest.raises(KatachiError, match="not grouped by 'colour': it is one of year, decade"):
        grouped(corpus, "colour")


def test_names_and_near_misses() -> None:
    names = [("Cho Chikun", "Takemiya Masaki"), ("Takemiya Masaki", "")]
    assert chosen_player(names, None) == "Takemiya Masaki"
    assert chosen_player(names, "takemiya masaki") == "Takemiya Masaki"
    with pytest.raises(KatachiError, match="no game is of 'Takamiya': did you mean 'Takemiya Mas"):
        chosen_player(names, "Takamiya")
    with pytest.raises(KatachiError, match="did you mean 'Cho Chikun'"):
        chosen_player(names, "Cho U")
    with pytest.raises(KatachiError, match="the players with most games are Takemiya Masaki, Cho"):
        chosen_player(names, "Q")
    with pytest.raises(KatachiError, match="no game names its players"):
        chosen_player([("", "")], None)


def test_features_by_name() -> None:
    assert feature_named("line") is LINE
    hane = feature_named("hane")
    assert [feature.name for feature in hane.features] == ["hane"]
    assert hane.source == "word-contact"
    assert sum(hane.table) == 1
    with pytest.raises(KatachiError, match=r"there is no feature 'tenuky'.*did you mean 'tenuki'"):
        feature_named("tenuky")


def test_q_values() -> None:
    p = np.random.default_rng(1).random(40) ** 2
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


def test_without_its_own_prior_a_feature_is_as_if_it_had_none() -> None:
    decisions = made_up(300, (3, 2), 8, np.array([0.9, -0.6, 0.2, 0.7, -0.1]))
    tau, families = np.array([0.4, 0.2]), np.array([0, 0, 0, 1, 1])
    delta, error = fit(decisions, tau=tau).unshrunken(Beside(families, np.zeros((2, 5))))
    # The same features, but the one of number 4 is a family of its own that nothing holds
    loose = Decisions(decisions.pieces, (3, 1, 1))
    free = fit(loose, tau=np.array([0.4, 0.2, 1e4]))
    assert error[4] == pytest.approx(free.error[4], rel=0.02)
    assert delta[4] == pytest.approx(free.delta[4], abs=0.1 * error[4])


def test_a_family_that_all_moves_have_is_told_beside_its_mean() -> None:
    truth = np.array([0.9, -0.6, 0.2])
    decisions = made_up(400, (3,), 8, truth)
    usual, pieces = [], []
    for piece in decisions.pieces:  # as of a model, whose chances add up to 1
        total = np.add.reduceat(np.exp(piece.offset), piece.starts[:-1])
        offset = piece.offset - np.repeat(np.log(total), np.diff(piece.starts))
        usual.append(replace(piece, offset=offset))
        pieces.append(replace(usual[-1], seats=np.maximum(piece.seats, 0)))
    always = Decisions(pieces, (3,))
    expected, beside = expected_of(always), beside_of(always)
    assert expected.sum() == pytest.approx(400)
    assert not beside_of(Decisions(usual, (3,))).means.any()  # not all have one
    contrasts = np.eye(3) - beside.means[beside.families]
    held, free = fit(always, tau=np.array([0.3])), fit(always, tau=np.array([1e2]))
    delta, error = held.unshrunken(beside)
    assert expected @ contrasts @ held.delta == pytest.approx(0.0, abs=1e-9)
    # As where there is no prior, and all levels together may be anywhere
    wanted, wanted_error = free.told(beside)
    assert error == pytest.approx(wanted_error, rel=0.05)
    assert np.all(np.abs(delta - wanted) < 0.5 * error)
    assert free.error.min() > 10 * error.max()
    for i, row in enumerate(contrasts):
        variance = sum(row[j] * row[k] * free.covariance[j, k] for j in range(3) for k in range(3))
        assert wanted_error[i] == pytest.approx(np.sqrt(variance))
    # The only level of all moves is beside nothing
    alone = Decisions([replace(p, seats=0 * p.seats) for p in pieces], (1,))
    one = fit(alone, tau=np.array([0.3]))
    assert one.unshrunken(beside_of(alone))[1].tolist() == [np.inf]


def test_how_much_the_base_was_in_doubt() -> None:
    decisions = made_up(40, (2, 1), 5)
    # At no differences, where the chances are the base's, which this one's offsets are not
    shares, information = [], told_in_matrices(decisions, np.zeros(3))[2]
    for piece in decisions.pieces:
        total = np.add.reduceat(np.exp(piece.offset), piece.starts[:-1])
        offset = piece.offset - np.repeat(np.log(total), np.diff(piece.starts))
        shares.append(replace(piece, offset=offset))
    assert doubt_of(Decisions(shares, (2, 1))) == pytest.approx(np.diag(information))


def test_what_is_rare_keeps_its_prior() -> None:
    decisions = made_up(60, (2, 1), 5)
    for piece in decisions.pieces:
        piece.seats[2:, 1] = -1
        piece.offset[:] = -2.0
    fitted = fit(decisions, tau=np.array([0.3, 0.3]))
    rows, _ = differences_of(decisions, fitted, [Feature("f", str(i), "") for i in range(3)])
    elo = np.array([row.elo for row in rows]) / ELO
    assert elo[2] == pytest.approx(fitted.delta[2])
    assert rows[2].error / ELO == pytest.approx(fitted.error[2])
    assert np.all(np.abs(elo[:2]) > np.abs(fitted.delta[:2]))


def test_groups_are_as_each_alone_where_tau_is_held() -> None:
    decisions = made_up(80, (2,), 9, np.array([0.8, -0.5]))
    pieces = [replace(piece, group=piece.game % 3) for piece in decisions.pieces]
    together = fit_groups(Decisions(pieces, (2,)), 3)
    for group in range(3):
        own = Decisions(pieces, (2,)).of(lambda piece, group=group: piece.group == group)  # type: ignore[misc]
        alone = fit(own, tau=together.tau)
        some = slice(2 * group, 2 * group + 2)
        assert together.delta[some] == pytest.approx(alone.delta, abs=1e-6)
        assert together.error[some] == pytest.approx(alone.error, abs=1e-6)


def test_planted_habits_are_found_and_covered() -> None:
    """The cheap form of what tools/style_planted.py states of a hundred draws."""
    corpus = small_games(12)
    wanted = wanted_moves(corpus, np.zeros((12, 2), np.int32))
    decisions = gather(corpus, wanted, trained(), (LINE,))
    truth = np.array([0.0, -1.2, 0.0, 1.2, 0.0])
    beside = beside_of(decisions)
    wanted = truth - beside.means[0] @ truth  # every move has a line
    assert wanted[3] - wanted[1] == pytest.approx(2.4)
    inside: list[Any] = []
    wrong = 0
    for draw in range(20):
        rng = np.random.default_rng(draw)
        found = fit(drawn(decisions, truth, rng), tolerance=1e-4)
        delta, error = found.unshrunken(beside)
        inside += (np.abs(delta - wanted) < WITHIN_95 * error).tolist()
        q = benjamini_hochberg(2 * norm.sf(np.abs(delta) / error))
        assert q[[1, 3]].max() < 0.05
        found = fit(drawn(decisions, 0 * truth, rng), tolerance=1e-4)
        delta, error = found.unshrunken(beside)
        wrong += benjamini_hochberg(2 * norm.sf(np.abs(delta) / error)).min() < 0.05
    assert 0.85 < np.mean(inside) <= 1
    assert wrong <= 3


@pytest.mark.slow
def test_a_style_tells_what_was_played() -> None:
    found = small_style()
    corpus = small_games(18)
    names = names_of(corpus)
    own = sum(
        (pair[0] == NAMES[0]) * (m + 1) // 2 + (pair[1] == NAMES[0]) * (m // 2)
        for pair, m in zip(names, corpus.moves.tolist(), strict=True)
    )
    assert (found.player, found.games, found.moves) == (NAMES[0], 12, own)
    assert found.prediction.moves == own
    low, high = found.prediction.interval or (0, 0)
    assert found.prediction.log_evidence is not None
    assert low < found.prediction.log_evidence < high < 0
    assert (
        found.others.moves
        == sum(m for pair, m in zip(names, corpus.moves.tolist(), strict=True) if NAMES[0] in pair)
        - own
    )
    changed = [one.changed for one in found.differences]
    assert changed == sorted(changed, reverse=True)
    lines = {one.feature: one for one in found.differences if one.family == "line"}
    plain = dict.fromkeys(lines, 0)
    for game in corpus:
        position = game.position(0)
        for colour, point in game.moves:
            if (game.black, game.white)[colour - 1] == NAMES[0] and point != PASS:
                plain[LINES[min(line_of(position, point), 5) - 1]] += 1
    assert {name: one.played for name, one in lines.items()} == plain
    assert found.sure
    for one in found.sure:
        assert 1 <= len(one.examples) <= 5
        for example in one.examples:
            game = found.corpus[example.game]
            position = game.position(example.move - 1)
            point = game.moves[example.move - 1][1]
            team = readable_twin(position, point)
            assert ((one.family, one.feature) in team) == (one.elo > 0)
            assert example.source == game.source
    table = found.table()
    assert 40 < len(table) - len(found.shapes) <= len(features_of(READABLE))
    assert [row["picture"] for row in table if row["family"] == "shape"] == [
        one.picture for one in found.shapes
    ]
    assert "examples" not in table[0]
    assert "times as readily as the base expects" in sentence(found.differences[0])


def test_what_cannot_be_told() -> None:
    corpus = small_games(4)
    with pytest.raises(KatachiError, match=f"moves of {NAMES[2]} are too few to tell a style"):
        katachi.style(corpus.take(np.arange(2)), player=NAMES[2], against=trained())
    with pytest.raises(KatachiError, match="there is no phase 'joseki'"):
        katachi.style(corpus, phase="joseki")
    with pytest.raises(KatachiError, match="other games are too few to learn from"):
        katachi.style(corpus, player=NAMES[0], against="others")
    large = next(sgf for sgf in bundled_sgfs().values() if b"SZ[19]" in sgf)
    mixed = join([corpus, corpus_of(parse_games(renamed(large, 0), "large.sgf")[0])])
    with pytest.raises(KatachiError, match=r"of several sizes \(9x9, 19x19\): choose by --size"):
        katachi.style(mixed, player=NAMES[0], against=trained())


def test_others_are_games_without_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = small_games(18)
    seen = []

    def learnt(games: katachi.Corpus, **_: object) -> katachi.Model:
        seen.append({name for pair in names_of(games) for name in pair})
        return trained()

    monkeypatch.setattr("katachi.styles.style.learnt_from", learnt)
    found = katachi.style(
        corpus, player=NAMES[0], against="others", most=200, shapes=0, families=(LINE,)
    )
    assert found.shapes == []
    assert seen == [{NAMES[1], NAMES[2]}]
    assert found.against == f"a base learnt from the 6 games without {NAMES[0]}"
    assert found.moves == 200


def test_a_base_is_learnt_once(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(tmp_path))
    runs = []

    def learn(games: katachi.Corpus, _settings: Any, work: Any, **_: object) -> katachi.Model:
        runs.append(len(games))
        work.mkdir(parents=True, exist_ok=True)
        return trained()

    monkeypatch.setattr(others, "train", learn)
    monkeypatch.setattr(others, "MOST_GAMES", 24)
    corpus = small_games(30)
    first, again = others.learnt_from(corpus), others.learnt_from(corpus)
    assert runs == [24]
    assert again.digest == first.digest


def test_a_base_goes_on_after_it_was_interrupted(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while it is fitted: what was described is there, and the base is that of one run."""
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(others, "LEAST_GAMES", 2)
    monkeypatch.setattr(others, "SETTINGS", LARGEST)
    corpus, stages = small_games(4), []

    def stop(stage: str, done: int, _total: int) -> None:
        stages.append(stage)
        if stage.endswith("fitting") and done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        others.learnt_from(corpus, progress=stop)
    assert any("describing" in stage for stage in stages)
    (home,) = (tmp_path / "others").iterdir()
    assert {path.name for path in home.iterdir()} == {"work"}

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("described again")

    monkeypatch.setattr("katachi.patterns.competitions.describe_games", never)
    again = others.learnt_from(corpus)
    assert {path.name for path in home.iterdir()} == {"base.katachi"}
    monkeypatch.undo()
    whole = train(corpus, LARGEST, tmp_path / "whole")
    for name, ratings in whole.predictor.ratings.items():
        assert np.array_equal(again.predictor.ratings[name].gamma, ratings.gamma)


def test_a_feature_through_groups() -> None:
    corpus = small_games(6)
    rows = compare(corpus, grouped(corpus, "player"), trained(), HIGH, most=60)
    assert [row.moves for row in rows] == [60, 60, 60]
    assert [row.group for row in rows] == grouped(corpus, "player").names
    for row in rows:
        assert 0 < row.error < 200
        assert row.played <= 60
        assert (row.elo > 0) == (row.played > row.expected)


class Tags(HTMLParser):
    """Counts what is in a page, and whether what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, int] = {}
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        assert not {"style", "onclick", "onload", "src", "href"} & {name for name, _ in attrs}
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: Any) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.slow
def test_the_page_needs_nothing_else() -> None:
    found = small_style()
    examples = found.sure[0].examples
    shapes = [
        one._replace(q=0.01, elo=elo, examples=examples)
        for one, elo in zip(found.shapes, (40.0, -30.0, 20.0, -10.0), strict=False)
    ]
    found = replace(found, shapes=shapes)
    assert found.sure_shapes == shapes
    text = page([found])
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "http" not in text.replace("http-equiv", "")
    shown = [one for one in found.sure if one.elo > 0][:12]
    shown += [one for one in found.sure if one.elo < 0][:12]
    shown += [one for one in found.sure_shapes if one.elo > 0][:12]
    shown += [one for one in found.sure_shapes if one.elo < 0][:12]
    assert text.count('class="shape"') == len(shapes) > 1
    assert text.count('class="board"') == sum(len(one.examples) for one in shown)
    one = shown[0].examples[0]
    position = found.corpus[one.game].position(one.move - 1)
    figure = text.split("<figure>")[1]
    stones = len(re.findall(r'class="[bw]"', figure))
    assert stones == int(np.isin(position.board.color, (1, 2)).sum())


@pytest.mark.slow
def test_a_player_without_opponents_is_told_of() -> None:
    """As where both names are one: all moves are his."""
    found = replace(small_style(), others=Prediction(None, None, 0))
    assert "opponents" in notes(small_style())[0]
    assert "opponents" not in notes(found)[0]
    assert any("shapes, at" in note for note in notes(found))
    assert not any("none of these features" in note for note in notes(found))
    assert "none of these features" in notes(replace(found, knows=False))[-1]
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["others"]["moves"] == 0


@pytest.mark.slow
def test_the_policy_of_the_page_lets_its_own_colours_in() -> None:
    from base64 import b64encode
    from hashlib import sha256

    text = page([small_style()])
    style = text.split("<style>")[1].split("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in text
