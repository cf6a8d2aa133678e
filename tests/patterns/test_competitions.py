from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.patterns import competitions as module
from katachi.patterns.catalogue import COULOM, EXTENDED, PLAYOUT, Catalogue
from katachi.patterns.competitions import (
    Competitions,
    chosen_moves,
    describe_corpus,
    describe_games,
    games_per_shard,
    load_competitions,
)
from katachi.patterns.context import Context
from katachi.patterns.describe import describe_position
from katachi.patterns.family import Family, Level
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.templates import MARKED_CIRCLES
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from tests.go.helpers import chi_square, chi_square_limit
from tests.patterns.shape_oracle import corpus_from, random_record


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES_PER_SHARD", 3)


KERNELS = os.environ["KATACHI_CACHE_DIR"]


@pytest.fixture
def games(corpus_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Eight bundled games, both sizes in turns."""
    corpus = bundled_games()
    assert corpus_cache.exists()
    monkeypatch.setenv("KATACHI_CACHE_DIR", KERNELS)  # what processes need is compiled there
    return corpus.take(np.array([0, 70, 1, 2, 71, 3, 4, 5]))


def content(competitions: Competitions) -> Any:
    shards = [{k: (str(v.dtype), v.tolist()) for k, v in s.items()} for s in competitions.shards]
    return competitions.manifest, shards


def test_competitions_are_the_positions(games: Corpus, tmp_path: Path) -> None:
    """Every column of every competition, against `describe_position` on the game's positions."""
    shapes = harvest(games, rule="played", min_count=2)
    found = describe_corpus(games, Features(COULOM, {"shape": shapes}), tmp_path / "out")
    assert found.count == int(games.moves.sum())
    families = [f.name for f in Features(COULOM, {"shape": shapes}).families]
    assert found.families == families
    checked = 0
    for shard in found.shards:
        for i in range(0, len(shard["winner"]), 4):
            game = games[int(shard["game"][i])]
            move = int(shard["move"][i])
            position = game.position(move)
            teams = describe_position(position, Features(COULOM, {"shape": shapes}))
            a, b = shard["starts"][i], shard["starts"][i + 1]
            assert shard["point"][a:b].tolist() == list(teams)
            assert shard["point"][a + shard["winner"][i]] == game.moves[move][1]
            for name in families:
                assert shard[name][a:b].tolist() == [team.get(name, 0) for team in teams.values()]
            checked += 1
    assert checked > 150


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same(games: Corpus, tmp_path: Path) -> None:
    games = games.take(np.array([0, 1, 2, 3]))  # one of them is large
    shapes = harvest(games, rule="played", min_count=2)
    one = describe_corpus(
        games, Features(COULOM, {"shape": shapes}, owner=True), tmp_path / "one", jobs=1
    )
    two = describe_corpus(
        games, Features(COULOM, {"shape": shapes}, owner=True), tmp_path / "two", jobs=2
    )
    assert "owner" in one.families
    assert content(one) == content(two)


def test_a_run_goes_on_where_it_stopped(
    games: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = content(describe_corpus(games, Features(PLAYOUT), tmp_path / "whole"))
    made: list[range] = []
    plain = module.describe_games

    def broken(corpus: Corpus, part: range, *rest: Any) -> Any:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(part)
        return plain(corpus, part, *rest)

    monkeypatch.setattr(module, "describe_games", broken)
    with pytest.raises(KeyboardInterrupt):
        describe_corpus(games, Features(PLAYOUT), tmp_path / "out")
    with pytest.raises(KatachiError, match="00002 is missing"):
        load_competitions(tmp_path / "out")
    monkeypatch.setattr(module, "describe_games", plain)
    seen: list[tuple[str, int, int]] = []
    again = describe_corpus(
        games, Features(PLAYOUT), tmp_path / "out", progress=lambda *x: seen.append(x)
    )
    assert content(again) == whole
    assert [done for _, done, _ in seen] == [2, 3]
    assert not list((tmp_path / "out").glob("part-*"))


def test_progress_and_uniform_evidence(games: Corpus, tmp_path: Path) -> None:
    found = describe_corpus(games, Features(PLAYOUT), tmp_path / "out")
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
    found = describe_corpus(corpus, Features(COULOM), tmp_path / "out")
    (shard,) = found.shards
    assert shard["game"].tolist() == [0] * 4 + [1] * 4
    assert shard["move"].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    points = shard["point"][shard["starts"][:-1] + shard["winner"]].tolist()
    assert points == [p for game in corpus for _, p in game.moves]
    passes = shard["pass"][shard["starts"][1:] - 1].tolist()
    assert passes == [1, 1, 2, 2, 1, 1, 1, 1]
    assert (shard["point"][shard["starts"][1:] - 1] == PASS).all()


def test_a_ko_filled_out_of_turn(tmp_path: Path) -> None:
    """The ban is for the other colour: who took the ko may fill it."""
    text = b"(;SZ[5];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[];W[bb];B[cb];B[bb];W[dd])"
    corpus = corpus_of(parse_games(text)[0])
    (shard,) = describe_corpus(corpus, Features(COULOM), tmp_path / "out").shards
    points = shard["point"][shard["starts"][:-1] + shard["winner"]].tolist()
    assert points == [p for _, p in corpus[0].moves]
    # In turn it is no candidate: White's, had it not been Black again.
    in_turn = parse_games(text.replace(b"B[bb];W[dd]", b"W[dd]"))[0]
    (shard,) = describe_corpus(corpus_of(in_turn), Features(COULOM), tmp_path / "two").shards
    last = shard["point"][shard["starts"][-2] :].tolist()
    assert points[9] not in last


def test_setup_that_is_legal_only_as_a_whole() -> None:
    """What the board remembers beside its stones, the number of moves, stays."""
    texts = [
        b"(;SZ[5];B[ba];W[aa];AB[ab]AE[aa];W[ee];B[aa])",
        b"(;SZ[5];B[ba];W[aa];AE[aa]AB[ab];W[ee];B[aa])",
    ]
    levels = tuple(Level(str(n), f"is move {n}") for n in range(1, 10))

    def moves(context: Context, _point: int) -> int:
        return int(context.board.moves) + 1

    family = Family("moves", "Moves", levels, moves, of_pass=True)
    features = Features(Catalogue("moves", (family,)))
    for text in texts:
        columns = describe_games(corpus_of(parse_games(text)[0]), range(1), features)
        assert columns["moves"][columns["starts"][:-1]].tolist() == [1, 2, 3, 4]
        assert columns["move"].tolist() == [0, 1, 2, 3]


# -- shapes of all views -------------------------------------------------------------------------


def of_all_views(games: Corpus) -> dict[str, Shapes]:
    return {
        h.dictionary: harvest(
            games, templates=h.templates, rule=h.rule, min_count=30 if h.min_count > 5 else 2
        )
        for h in EXTENDED.harvests
    }


def assert_described(found: Competitions, games: Corpus, features: Features, step: int = 1) -> int:
    """Compare competitions with `describe_position`; returns how many levels there were."""
    assert found.families == [f.name for f in features.families]
    levels = 0
    for shard in found.shards:
        for i in range(0, len(shard["winner"]), step):
            game, move = games[int(shard["game"][i])], int(shard["move"][i])
            teams = describe_position(game.position(move), features)
            a, b = shard["starts"][i], shard["starts"][i + 1]
            assert shard["point"][a:b].tolist() == list(teams)
            assert shard["point"][a + shard["winner"][i]] == game.moves[move][1]
            for family in features.families:
                column = shard[family.name][a:b]
                assert column.dtype == family.dtype
                assert column.tolist() == [team.get(family.name, 0) for team in teams.values()]
            levels += sum(len(team) for team in teams.values())
    return levels


@pytest.mark.slow
@pytest.mark.parametrize("all_radii", [False, True])
def test_shapes_of_all_views(games: Corpus, tmp_path: Path, all_radii: bool) -> None:
    """Four dictionaries at once: every column of every second competition."""
    some = games.take(np.array([0, 1, 3, 4]))
    assert set(some.size.tolist()) == {9, 19}
    features = Features(COULOM, of_all_views(games), all_radii)
    found = describe_corpus(some, features, tmp_path / "out")
    assert found.count == int(some.moves.sum())
    assert assert_described(found, some, features, 2) > 50_000
    seen = {f.name: any(shard[f.name].any() for shard in found.shards) for f in features.families}
    assert all(seen.values())


def test_shapes_of_all_views_in_odd_games(tmp_path: Path) -> None:
    """Passes, setup in the middle, colours out of turn."""
    games = corpus_from([random_record(size, seed, 60) for seed, size in enumerate((9, 5, 9, 7))])
    features = Features(COULOM, of_all_views(games), all_radii=True)
    found = describe_corpus(games, features, tmp_path / "out")
    assert assert_described(found, games, features, 2) > 5_000


# -- some positions of each game -----------------------------------------------------------------


@pytest.fixture
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of three games also where only some positions are taken."""
    monkeypatch.setattr(module, "games_per_shard", lambda _: 3)


def rows(competitions: Competitions) -> dict[tuple[int, int], Any]:
    """(game, move) → all that is told of this competition, in the order of the shards."""
    found: dict[tuple[int, int], Any] = {}
    for shard in competitions.shards:
        for i, key in enumerate(zip(shard["game"].tolist(), shard["move"].tolist(), strict=True)):
            part = slice(shard["starts"][i], shard["starts"][i + 1])
            assert key not in found
            found[key] = (
                int(shard["winner"][i]),
                *(shard[name][part].tolist() for name in ("point", *competitions.families)),
            )
    return found


def test_chosen_moves(games: Corpus) -> None:
    for g, game in enumerate(games):
        length = len(game.moves)
        assert chosen_moves(games, g, None, 1) is None
        for most in (length, length + 1, 10**6):
            assert chosen_moves(games, g, most, 1) is None
        for most in (1, 7, length - 1):
            chosen = chosen_moves(games, g, most, 1)
            assert chosen is not None
            assert len(chosen) == most
            assert chosen <= set(range(length))
            assert chosen == chosen_moves(games, g, most, 1)
            alone = corpus_of([game])
            assert chosen == chosen_moves(alone, 0, most, 1)
            backwards = games.take(np.arange(len(games))[::-1])
            assert chosen == chosen_moves(backwards, len(games) - 1 - g, most, 1)


def test_chosen_moves_differ_by_seed_and_game() -> None:
    """All moves of a game have their turn, about equally often."""
    letters = [f";{'BW'[i % 2]}[{'abcdefghi'[i % 9]}{'abcdefghi'[i // 9]}]" for i in range(30)]
    records = [f"(;SZ[9]{''.join(letters[:n])})".encode() for n in (30, 29)]
    corpus = corpus_from(records)
    seen: Counter[int] = Counter()
    different = set()
    for seed in range(300):
        chosen, of_other = (chosen_moves(corpus, g, 6, seed) for g in (0, 1))
        assert chosen is not None
        seen.update(chosen)
        different.add(frozenset(chosen))
        different.add(frozenset(of_other or ()))
    assert len(different) > 590
    assert set(seen) == set(range(30))
    assert chi_square([seen[move] for move in range(30)]) < chi_square_limit(29)


def test_symmetric_games_have_the_same_moves_chosen() -> None:
    """The digest is one for all of them, so that doubles stay doubles."""
    corpus = corpus_from(
        [b"(;SZ[9];B[cb];W[gg];B[cg];W[gc];B[ee])", b"(;SZ[9];B[bc];W[gg];B[gc];W[cg];B[ee])"]
    )
    for seed in range(10):
        assert chosen_moves(corpus, 0, 2, seed) == chosen_moves(corpus, 1, 2, seed)


@pytest.mark.usefixtures("small_samples")
def test_some_positions_are_some_of_all(games: Corpus, tmp_path: Path) -> None:
    """So many of each game, all of a shorter one; each as it is where all are described."""
    features = Features(
        COULOM, {"marked": harvest(games, templates=MARKED_CIRCLES, rule="played", min_count=2)}
    )
    whole = rows(describe_corpus(games, features, tmp_path / "whole"))
    lengths = games.moves.tolist()
    most = sorted(lengths)[len(lengths) // 2]  # half of the games have fewer
    chosen = {}
    for seed in (1, 2):
        found = describe_corpus(
            games, features, tmp_path / f"some {seed}", positions_per_game=most, seed=seed
        )
        assert found.manifest["positions_per_game"] == most
        assert found.manifest["seed"] == seed
        some = rows(found)
        assert all(whole[key] == row for key, row in some.items())
        assert list(some) == sorted(some)  # in the order in which they were played
        per_game = Counter(game for game, _ in some)
        assert [per_game[g] for g in range(len(games))] == [min(n, most) for n in lengths]
        assert found.count == sum(min(n, most) for n in lengths) < len(whole)
        chosen[seed] = set(some)
    assert chosen[1] != chosen[2]


@pytest.mark.slow
@pytest.mark.usefixtures("small_samples")
def test_some_positions_by_any_number_of_processes(games: Corpus, tmp_path: Path) -> None:
    """And in any corpus: the same games have the same positions."""
    features = Features(
        EXTENDED,
        of_all_views(games),
        all_radii=True,
        without=frozenset({"border", "shape-marked-4"}),
    )
    one, two = (
        describe_corpus(
            games, features, tmp_path / f"{jobs}", positions_per_game=9, seed=5, jobs=jobs
        )
        for jobs in (1, 2)
    )
    assert len(one.shards) == 3
    assert content(one) == content(two)
    assert "shape-marked-3" in one.families
    assert not {"border", "shape-marked-4", "shape-marked"} & set(one.families)
    order = np.array([6, 2, 0, 7])
    fewer = describe_corpus(
        games.take(order), features, tmp_path / "fewer", positions_per_game=9, seed=5
    )
    assert rows(fewer) == {
        (at, move): row
        for at, g in enumerate(order.tolist())
        for (game, move), row in rows(one).items()
        if game == g
    }


@pytest.mark.usefixtures("small_samples")
def test_a_run_of_some_positions_goes_on_where_it_stopped(games: Corpus, tmp_path: Path) -> None:
    features = Features(PLAYOUT)
    whole = describe_corpus(games, features, tmp_path / "out", positions_per_game=11, seed=3)
    before = content(whole)
    assert len(whole.shards) == 3
    times = {n: (tmp_path / "out" / "shards" / n).stat().st_mtime_ns for n in ("00000", "00002")}
    shutil.rmtree(tmp_path / "out" / "shards" / "00001")
    with pytest.raises(KatachiError, match="00001 is missing"):
        load_competitions(tmp_path / "out")
    seen: list[tuple[str, int, int]] = []
    again = describe_corpus(
        games,
        features,
        tmp_path / "out",
        positions_per_game=11,
        seed=3,
        progress=lambda *x: seen.append(x),
    )
    assert content(again) == before
    assert seen == [("describing", 2, 3), ("describing", 3, 3)]
    assert times == {n: (tmp_path / "out" / "shards" / n).stat().st_mtime_ns for n in times}


def test_other_samples_do_not_mix(games: Corpus, tmp_path: Path) -> None:
    folder, features = tmp_path / "out", Features(PLAYOUT)
    describe_corpus(games, features, folder, positions_per_game=5, seed=3)
    for most, seed in ((None, 3), (6, 3), (5, 4)):
        with pytest.raises(KatachiError, match="other games or settings"):
            describe_corpus(games, features, folder, positions_per_game=most, seed=seed)
    # Where all are described, no seed has a say.
    describe_corpus(games, features, tmp_path / "whole", seed=1)
    describe_corpus(games, features, tmp_path / "whole", seed=2)


def test_other_shapes_do_not_mix(games: Corpus, tmp_path: Path) -> None:
    folder, views = tmp_path / "out", of_all_views(games)
    some = games.take(np.arange(2))
    describe_corpus(some, Features(COULOM, views, all_radii=True), folder)
    for features in (
        Features(COULOM, views),
        Features(COULOM, views, all_radii=True, without=frozenset({"atari"})),
        Features(COULOM, views, all_radii=True, without=frozenset({"shape-liberties-3"})),
        Features(COULOM, views | {"shape-marked": views["shape-marked"].keep(3)}, all_radii=True),
        Features(COULOM, dict(reversed(views.items())), all_radii=True),
        Features(EXTENDED, views, all_radii=True),
    ):
        with pytest.raises(KatachiError, match="other games or settings"):
            describe_corpus(some, features, folder)


@pytest.mark.parametrize("count", [0, -1])
def test_no_positions_at_all(games: Corpus, tmp_path: Path, count: int) -> None:
    with pytest.raises(KatachiError, match=f"{count} positions of each game are none"):
        describe_corpus(games, Features(PLAYOUT), tmp_path / "out", positions_per_game=count)
    assert not (tmp_path / "out").exists()


def test_games_of_a_shard() -> None:
    """More of them, the fewer positions are taken of each."""
    usual = module.GAMES_PER_SHARD
    assert games_per_shard(None) == usual
    found = [games_per_shard(n) for n in (1, 10, 100, 200, 300, 10**6)]
    assert found == [200 * usual, 20 * usual, 2 * usual, usual, usual, usual]


def test_a_catalogue_of_ones_own_has_one_process(games: Corpus, tmp_path: Path) -> None:
    features = Features(Catalogue("mine", PLAYOUT.families))
    with pytest.raises(KatachiError, match="by one process: jobs=1"):
        describe_corpus(games, features, tmp_path / "out", jobs=2)
    found = describe_corpus(games, features, tmp_path / "out")
    assert found.count == int(games.moves.sum())


def test_other_games_or_settings_do_not_mix(games: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    describe_corpus(games, Features(PLAYOUT), folder)
    for corpus, catalogue in ((games.take(np.arange(7)), PLAYOUT), (games, COULOM)):
        with pytest.raises(KatachiError, match="other games or settings"):
            describe_corpus(corpus, Features(catalogue), folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(KatachiError, match="or something else: remove it"):
        describe_corpus(games, Features(PLAYOUT), tmp_path / "mine")
    assert (tmp_path / "mine" / "diary.txt").exists()


def test_a_size_the_shapes_do_not_know(games: Corpus, tmp_path: Path) -> None:
    shapes = harvest(games.take(games.size == 9), rule="played", min_count=1)
    assert shapes.sizes == (9,)
    with pytest.raises(KatachiError, match=r"\.sgf is on 19x19, but the shapes .* on 9x9"):
        describe_corpus(games, Features(COULOM, {"shape": shapes}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_damaged_folders(games: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(KatachiError, match="does not exist"):
        load_competitions(folder)
    with pytest.raises(KatachiError, match="no games to describe"):
        describe_corpus(corpus_of([]), Features(PLAYOUT), folder)
    describe_corpus(games, Features(PLAYOUT), folder)
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


@pytest.mark.slow
def test_the_uniform_baseline_of_the_paper(tmp_path: Path) -> None:
    """-5.475 on kgs-test-551, where the pack is beside the project."""
    from katachi.go.board import legal_points, new_board, play
    from katachi.records.read import read_games

    path = Path(__file__).parents[3] / "shared" / "data" / "kgs-test-551.tar.xz"
    if not path.exists():
        pytest.skip("kgs-test-551 is not beside the project")
    corpus = read_games(path)
    found = describe_corpus(corpus.take(np.arange(30)), Features(PLAYOUT), tmp_path / "out", jobs=2)
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
