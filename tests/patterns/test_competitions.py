from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.patterns import competitions as module
from katachi.patterns.catalogue import COULOM, PLAYOUT
from katachi.patterns.competitions import (
    Competitions,
    describe_corpus,
    load_competitions,
)
from katachi.patterns.describe import describe_position
from katachi.patterns.harvest import harvest
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES_PER_SHARD", 3)


@pytest.fixture
def games(corpus_cache: Path) -> Corpus:
    """Eight bundled games, both sizes in turns."""
    corpus = bundled_games()
    assert corpus_cache.exists()
    return corpus.take(np.array([0, 70, 1, 2, 71, 3, 4, 5]))


def content(competitions: Competitions) -> Any:
    shards = [{k: (str(v.dtype), v.tolist()) for k, v in s.items()} for s in competitions.shards]
    return competitions.manifest, shards


def test_competitions_are_the_positions(games: Corpus, tmp_path: Path) -> None:
    """Every column of every competition, against `describe_position` on the game's positions."""
    shapes = harvest(games, rule="played", min_count=2)
    found = describe_corpus(games, COULOM, tmp_path / "out", shapes=shapes)
    assert found.count == int(games.moves.sum())
    families = [f.name for f in COULOM.chosen(True, False)]
    assert found.families == families
    checked = 0
    for shard in found.shards:
        for i in range(0, len(shard["winner"]), 4):
            game = games[int(shard["game"][i])]
            move = int(shard["move"][i])
            position = game.position(move)
            teams = describe_position(position, COULOM, shapes=shapes)
            a, b = shard["starts"][i], shard["starts"][i + 1]
            assert shard["point"][a:b].tolist() == list(teams)
            assert shard["point"][a + shard["winner"][i]] == game.moves[move][1]
            for name in families:
                assert shard[name][a:b].tolist() == [team.get(name, 0) for team in teams.values()]
            checked += 1
    assert checked > 150


def test_any_number_of_processes_gives_the_same(games: Corpus, tmp_path: Path) -> None:
    shapes = harvest(games, rule="played", min_count=2)
    one = describe_corpus(games, COULOM, tmp_path / "one", shapes=shapes, owner=True, jobs=1)
    two = describe_corpus(games, COULOM, tmp_path / "two", shapes=shapes, owner=True, jobs=2)
    assert "owner" in one.families
    assert content(one) == content(two)


def test_a_run_goes_on_where_it_stopped(
    games: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = content(describe_corpus(games, PLAYOUT, tmp_path / "whole"))
    made: list[range] = []
    plain = module.describe_games

    def broken(corpus: Corpus, part: range, *rest: Any) -> Any:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(part)
        return plain(corpus, part, *rest)

    monkeypatch.setattr(module, "describe_games", broken)
    with pytest.raises(KeyboardInterrupt):
        describe_corpus(games, PLAYOUT, tmp_path / "out")
    with pytest.raises(KatachiError, match="00002 is missing"):
        load_competitions(tmp_path / "out")
    monkeypatch.setattr(module, "describe_games", plain)
    seen: list[tuple[int, int, int]] = []
    again = describe_corpus(games, PLAYOUT, tmp_path / "out", progress=lambda *x: seen.append(x))
    assert content(again) == whole
    assert [done for done, _, _ in seen] == [2, 3]
    assert not list((tmp_path / "out").glob("part-*"))


def test_progress_and_uniform_evidence(games: Corpus, tmp_path: Path) -> None:
    found = describe_corpus(games, PLAYOUT, tmp_path / "out")
    logs = [
        -np.log(len(game.position(move).legal_moves()))
        for game in games
        for move in range(len(game.moves))
    ]
    assert found.uniform_log_evidence() == pytest.approx(np.mean(logs), abs=1e-12)
    assert found.candidates == sum(len(s["point"]) for s in found.shards)


def test_odd_games(tmp_path: Path) -> None:
    """Setup, handicap, passes, colours out of turn: the candidates are for whoever plays."""
    texts = [
        "(;SZ[9]AB[cc][gg];W[ee];B[];W[];B[ce])",
        "(;SZ[9];B[ee];B[gg];W[cc];AE[ee]AB[dd];W[ee])",
    ]
    corpus = corpus_of([parse_games(text.encode())[0][0] for text in texts])
    found = describe_corpus(corpus, COULOM, tmp_path / "out")
    (shard,) = found.shards
    assert shard["game"].tolist() == [0] * 4 + [1] * 4
    assert shard["move"].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    points = shard["point"][shard["starts"][:-1] + shard["winner"]].tolist()
    assert points == [p for game in corpus for _, p in game.moves]
    passes = shard["pass"][shard["starts"][1:] - 1].tolist()
    assert passes == [1, 1, 2, 2, 1, 1, 1, 1]
    assert (shard["point"][shard["starts"][1:] - 1] == PASS).all()


def test_other_games_or_settings_do_not_mix(games: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    describe_corpus(games, PLAYOUT, folder)
    for corpus, catalogue in ((games.take(np.arange(7)), PLAYOUT), (games, COULOM)):
        with pytest.raises(KatachiError, match="other games or settings"):
            describe_corpus(corpus, catalogue, folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(KatachiError, match="holds no competitions"):
        describe_corpus(games, PLAYOUT, tmp_path / "mine")
    assert (tmp_path / "mine" / "diary.txt").exists()


def test_a_size_the_shapes_do_not_know(games: Corpus, tmp_path: Path) -> None:
    shapes = harvest(games.take(games.size == 9), rule="played", min_count=1)
    assert shapes.sizes == (9,)
    with pytest.raises(KatachiError, match=r"is a game on 19x19, but the shapes .* on 9x9"):
        describe_corpus(games, COULOM, tmp_path / "out", shapes=shapes)
    assert not (tmp_path / "out").exists()


def test_damaged_folders(games: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(KatachiError, match="does not exist"):
        load_competitions(folder)
    with pytest.raises(KatachiError, match="no games to describe"):
        describe_corpus(corpus_of([]), PLAYOUT, folder)
    describe_corpus(games, PLAYOUT, folder)
    manifest = (folder / "manifest.json").read_text()

    def broken(what: str) -> None:
        with pytest.raises(KatachiError, match=what) as error:
            load_competitions(folder)
        assert "\n" not in str(error.value)

    column = folder / "shards" / "00001" / "shape3.npy"
    data = column.read_bytes()
    for damaged in (b"", data[:40], data[: len(data) // 2]):
        column.write_bytes(damaged)
        broken("00001 is damaged")
    column.unlink()
    broken("00001 is damaged")
    shutil.rmtree(folder / "shards" / "00001")
    broken("00001 is missing")
    for text, what in (
        ("{", "is damaged"),
        ("[]", "is not of"),
        (json.dumps(json.loads(manifest) | {"format": "katachi-competitions-99"}), "is not of"),
    ):
        (folder / "manifest.json").write_text(text)
        broken(what)
    (folder / "manifest.json").unlink()
    broken("holds no competitions")


def test_the_uniform_baseline_of_the_paper(tmp_path: Path) -> None:
    """-5.475 on kgs-test-551, where the pack is beside the project."""
    from katachi.go.board import legal_points, new_board, play
    from katachi.records.read import read_games

    path = Path(__file__).parents[3] / "shared" / "data" / "kgs-test-551.tar.xz"
    if not path.exists():
        pytest.skip("kgs-test-551 is not beside the project")
    corpus = read_games(path)
    found = describe_corpus(corpus.take(np.arange(30)), PLAYOUT, tmp_path / "out", jobs=2)
    out = np.zeros(361, np.int16)
    logs: list[float] = []
    per_game: list[int] = []
    for game in corpus:
        board = new_board(19)
        for colour, p in game.moves:
            logs.append(-np.log(legal_points(board, colour, out) + 1))
            play(board, p, colour)
        per_game.append(len(logs))
    assert round(float(np.mean(logs)), 3) == -5.475
    assert found.uniform_log_evidence() == pytest.approx(np.mean(logs[: per_game[29]]), abs=1e-9)
