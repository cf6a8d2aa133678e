"""Families of the position among features, in competitions, in model files and in evaluations."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.go.kernel import inlined, int64
from katachi.go.points import PASS
from katachi.learning.base import Settings, check_settings
from katachi.models.model import KIND, Model, load_model, restored
from katachi.models.predictor import Judged, Parts, Predictor, Ratings
from katachi.patterns import competitions as module
from katachi.patterns.catalogue import CATALOGUES, EXTENDED, PLAYOUT, STERN, Catalogue
from katachi.patterns.competitions import describe_corpus, load_competitions
from katachi.patterns.context import Context
from katachi.patterns.describe import describe_whole, described
from katachi.patterns.family import Family, Level
from katachi.patterns.features import Features, Watch
from katachi.patterns.field import Field
from katachi.patterns.situation import Situation
from katachi.patterns.together import WHOLE
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from katachi.search.prior import ModelPrior
from katachi.tensors import write_arrays

SMALL = frozenset(f.name for f in EXTENDED.families[4:])  # left out: the tests want few families
PLAIN = Features(EXTENDED, without=SMALL)
WANTED = replace(PLAIN, position=True)
NAMES = [f.name for f in EXTENDED.position]


@pytest.fixture
def games(corpus_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Four bundled games, both sizes in turns, two to a shard."""
    monkeypatch.setattr(module, "GAMES_PER_SHARD", 2)
    corpus = bundled_games().take(np.array([0, 70, 1, 71]))
    assert corpus_cache.exists()
    return corpus


# -- families of one's own -------------------------------------------------------------------------


@inlined
def _moves(context: Context, p: int) -> int:
    return min(int64(context.board.moves), 8) + (100 if p != PASS else 1)


def _plain_moves(context: Context, p: int) -> int:
    assert p == PASS
    return min(int(context.board.moves), 8) + 1


def _write_moves(situation: Situation, out: Any) -> None:
    assert out.shape == (1,)
    out[0] = min(int(situation.context.board.moves), 8) + 1


LEVELS = tuple(Level(str(n), f"comes after {n} moves") for n in range(9))
OWN = (
    Family("compiled", "Compiled", LEVELS, _moves),
    Family("plain", "Plain", LEVELS, _plain_moves),
    Family("written", "Written", LEVELS, write=_write_moves),
)


def test_families_of_ones_own() -> None:
    """Compiled, plain, or written as shapes are; beside ours, in any order."""
    families = (OWN[1], EXTENDED.position[0], *OWN, EXTENDED.position[6])
    position = bundled_games()[0].position(5)
    features = Features(Catalogue("own", STERN.families, position=(*OWN, *EXTENDED.position)))
    situation = Watch(features).look(position.board)
    found = [column.tolist() for column in describe_whole(situation, families)]
    assert found[0] == found[2] == found[3] == found[4] == [6]
    alone = describe_whole(situation, EXTENDED.position)
    assert [found[1], found[5]] == [alone[0].tolist(), alone[6].tolist()]


# -- features ------------------------------------------------------------------------------------


def test_only_who_wants_them_has_them() -> None:
    assert PLAIN.position_families == ()
    assert WANTED.position_families == EXTENDED.position
    assert WANTED.families == PLAIN.families
    some = replace(WANTED, without=SMALL | {"stage", "ko"})
    assert [f.name for f in some.position_families] == [
        name for name in NAMES if name not in ("stage", "ko")
    ]
    assert Features(PLAYOUT, position=True).position_families == ()


def test_they_can_be_left_out() -> None:
    check_settings(Settings(catalogue=EXTENDED, without=("stage", "eye")))
    with pytest.raises(KatachiError, match="have no 'stage' to leave out"):
        check_settings(Settings(catalogue=PLAYOUT, without=("stage",)))


def test_they_come_with_other_features() -> None:
    both = replace(PLAIN, also=(WANTED, replace(WANTED, without=frozenset({"ko"}))))
    assert both.position_families == EXTENDED.position
    assert replace(WANTED, also=(PLAIN,)).position_families == EXTENDED.position


def test_they_travel() -> None:
    for features in (PLAIN, WANTED, replace(PLAIN, also=(WANTED,))):
        again = pickle.loads(pickle.dumps(features))
        assert again.position == features.position
        assert again.position_families == features.position_families
        assert again.families == features.families


def test_all_of_ours_are_in_one_kernel() -> None:
    assert set(WHOLE) == {f for c in CATALOGUES.values() for f in c.position if f.level}
    assert all(f.dtype == np.uint8 for f in WHOLE)


@pytest.mark.parametrize("name", ["plain", "pass"])
def test_names_are_different(name: str) -> None:
    families = (OWN[1], Family(name, "Another", LEVELS, _plain_moves))
    features = Features(Catalogue("twice", STERN.families, position=families), position=True)
    with pytest.raises(KatachiError, match="two families of twice have one name"):
        _ = features.position_families


def test_described() -> None:
    watch = Watch(WANTED)
    watch.start(9)
    situation = watch.look(bundled_games()[0].position(30).board)
    found = described(situation, WANTED)
    assert list(found) == [*(f.name for f in PLAIN.families), *NAMES]
    lengths = {name: len(column) for name, column in found.items()}
    assert lengths == dict.fromkeys(lengths, situation.count) | dict.fromkeys(NAMES, 1)
    assert list(described(situation, PLAIN)) == [f.name for f in PLAIN.families]


# -- competitions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("field", [None, 5])
def test_competitions_have_a_column_to_each(
    games: Corpus, tmp_path: Path, field: int | None
) -> None:
    factors = {f.name: np.ones(f.size + 1) for f in PLAIN.families}
    sampled = None if field is None else Field(field, factors)
    found = describe_corpus(games, WANTED, tmp_path / "out", field=sampled)
    without = describe_corpus(games, PLAIN, tmp_path / "without", field=sampled)
    assert found.position == NAMES
    assert without.position == []
    assert found.families == without.families == [f.name for f in PLAIN.families]
    checked = 0
    for shard, same in zip(found.shards, without.shards, strict=True):
        assert set(shard) - set(same) == set(NAMES)
        for name, column in same.items():
            assert np.array_equal(shard[name], column), name
        for i in range(0, len(shard["winner"]), 15):
            game = games[int(shard["game"][i])]
            situation = Situation()
            situation.look(game.position(int(shard["move"][i])).board)
            columns = describe_whole(situation, EXTENDED.position)
            assert [int(shard[name][i]) for name in NAMES] == [int(c[0]) for c in columns]
            checked += 1
        assert {len(shard[name]) for name in NAMES} == {len(shard["winner"])}
    assert checked > 20
    if field is not None:
        assert int(np.diff(found.shards[0]["starts"]).max()) <= field + 1


def test_folders_with_and_without(games: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    describe_corpus(games, WANTED, folder)
    with pytest.raises(KatachiError, match="other games or settings"):
        describe_corpus(games, PLAIN, folder)
    column = folder / "shards" / "00001" / "stage.npy"
    levels = np.load(column)
    for damaged in (levels[:-1], levels.astype(np.uint16), np.zeros((0,), np.uint8)):
        np.save(column, damaged)
        with pytest.raises(KatachiError, match="00001 is damaged"):
            load_competitions(folder)
    np.save(column, levels)
    assert load_competitions(folder).position == NAMES
    # a folder of before tells of no families of the position
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["position"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert load_competitions(folder).position == []


# -- models ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Toy(Predictor):
    """The first candidate is the stronger, the later the stage: what a product cannot say."""

    def judged(self, columns: Any, starts: Any) -> Judged:
        assert len(columns["stage"]) == len(starts) - 1
        assert {len(columns[name]) for name in NAMES} == {len(starts) - 1}
        strengths = self.strengths(columns)
        strengths[starts[:-1]] *= columns["stage"]
        whole = np.add.reduceat(strengths, starts[:-1])
        return Judged(strengths, strengths, strengths / np.repeat(whole, np.diff(starts)))


def toy_model(features: Features, kind: Any = Toy) -> Model:
    def ratings(size: int) -> Ratings:
        counts = np.ones(size, np.uint32)
        gammas = np.arange(1, size + 1, dtype=np.float32)
        return Ratings(gammas, np.zeros(size, np.float32), counts, counts)

    return Model(features, kind({f.name: ratings(f.size) for f in features.families}))


def test_a_linear_model_does_not_see_them() -> None:
    position = bundled_games()[70].position(40)
    chances = toy_model(PLAIN, Predictor).probabilities(position)
    assert toy_model(WANTED, Predictor).probabilities(position) == chances
    found = toy_model(WANTED, Predictor).team(position, PASS)
    assert found.keys() == {"pass"}


def test_a_model_gets_them_everywhere(games: Corpus) -> None:
    """One position, a search's prior and an evaluation say the same."""
    toy, plain = toy_model(WANTED), toy_model(PLAIN, Predictor)
    nineteen = games.take(games.size == 19)
    # Games are described once for all models: who does not want the position's may come first.
    _, measured = measure([plain, toy], nineteen, cache=False)
    (alone,) = measure([toy], nineteen, cache=False)
    assert np.array_equal(measured.log_evidence, alone.log_evidence)
    game = nineteen[0]
    prior = ModelPrior(toy, 19)
    for move in range(0, len(game.moves), 30):
        position = game.position(move)
        chances = toy.probabilities(position)
        played = game.moves[move][1]
        assert np.log(chances[played]) == pytest.approx(measured.log_evidence[move], abs=1e-12)
        found = prior(position.board, None)
        assert {p: found[p] for p in chances} == pytest.approx(chances, abs=1e-15)
        if move >= 60:
            assert chances != pytest.approx(plain.probabilities(position))


def test_the_file_of_a_model(tmp_path: Path) -> None:
    path = tmp_path / "toy.katachi"
    for features in (PLAIN, WANTED):
        toy_model(features, Predictor).save(path)
        again = load_model(path).features
        assert again.position == features.position
        assert again.position_families == features.position_families
        assert again.families == features.families


def test_files_of_before_and_after(tmp_path: Path) -> None:
    header, tensors = toy_model(WANTED, Predictor).parts()
    assert header["position"] is True
    assert header["position_families"] == {f.name: f.size for f in EXTENDED.position}
    # before there were any
    old = {k: v for k, v in header.items() if not k.startswith("position")}
    assert restored(Parts(old, tensors), CATALOGUES).features.position_families == ()
    # before there were all
    fewer = {name: size for name, size in header["position_families"].items() if name != "ko"}
    model = restored(Parts(header | {"position_families": fewer}, tensors), CATALOGUES)
    assert [f.name for f in model.features.position_families] == list(fewer)
    # of a program that has more
    for more in ({"weather": 3}, {"ko": 2}):
        told = header | {"position_families": header["position_families"] | more}
        write_arrays(tmp_path / "new.katachi", KIND, told, tensors)
        with pytest.raises(KatachiError, match="knows the feature family"):
            load_model(tmp_path / "new.katachi")
