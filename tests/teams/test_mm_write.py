"""Games as input of Coulom's program mm: told by plain text, and by our reader of that format."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.patterns.catalogue import COULOM, PLAYOUT
from katachi.patterns.competitions import describe_corpus, load_competitions
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from katachi.teams.files import read_competitions
from katachi.teams.mm_write import numbered, write_mm
from tests.cli.test_cli import katachi, one_sentence
from tests.trained import games, trained

LIGHT = Features(PLAYOUT)


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mm") / "described"
    describe_corpus(games(0, 2), LIGHT, folder)
    return folder


def test_each_line_is_the_team_of_a_legal_move(described: Path, tmp_path: Path) -> None:
    """Told from the positions themselves, move by move."""
    write_mm(load_competitions(described), tmp_path / "mm.txt")
    lines = iter((tmp_path / "mm.txt").read_text().split("\n"))
    families = {family.name: family.size for family in LIGHT.families}
    assert next(lines) == f"! {sum(families.values())}"
    assert next(lines) == str(len(families))
    assert [next(lines) for _ in families] == [f"{size} {name}" for name, size in families.items()]
    assert next(lines) == "!"
    number_of = {pair: n for n, pair in enumerate(numbered(families))}
    for game in games(0, 2):
        for move, (_, played) in enumerate(game.moves):
            position = game.position(move)
            teams = {
                point: " ".join(str(number_of[one]) for one in team.items())
                for point, team in describe_position(position, LIGHT).items()
            }
            points = sorted(p for p in teams if p != PASS)
            assert next(lines) == "#"
            assert next(lines) == teams[played]
            found = [next(lines) for _ in teams]
            assert found == [teams[p] for p in points] + [teams[PASS]]
    assert list(lines) == [""]


def test_our_reader_of_the_format_finds_the_same_columns(described: Path, tmp_path: Path) -> None:
    competitions = load_competitions(described)
    write_mm(competitions, tmp_path / "mm.txt")
    found = read_competitions(tmp_path / "mm.txt")
    assert (found.kind, found.competitions) == ("mm", competitions.count)
    assert list(found.families or {}) == competitions.families
    (shard,) = competitions.shards
    read = found.columns.shards
    assert np.array_equal(
        np.diff(shard["starts"]), np.concatenate([np.diff(x.starts) for x in read])
    )
    for f, name in enumerate(competitions.families):
        assert np.array_equal(shard[name], np.concatenate([x.columns[f] for x in read])), name
    winners = np.concatenate([one.winner for one in read])
    for first, ours, theirs in zip(shard["starts"], shard["winner"], winners, strict=False):
        for name in competitions.families:  # of equal teams any may be the winner
            assert shard[name][first + ours] == shard[name][first + theirs]


def test_the_verbs(tmp_path: Path) -> None:
    from tests.games import bundled_sgfs

    (tmp_path / "one.sgf").write_bytes(next(iter(bundled_sgfs().values())))
    done = katachi("describe", tmp_path / "one.sgf", "-o", tmp_path / "out", "--mm", tmp_path / "x")
    assert done.returncode == 0, done.stderr
    rated = json.loads(katachi("rate", tmp_path / "x", "--json").stdout)
    names = [family.name for family in Features(COULOM).families]
    assert {one["family"] for one in rated["ratings"]} == set(names)
    mistake = katachi("describe", tmp_path / "one.sgf", "-o", tmp_path / "a", "--mm", tmp_path)
    assert "is a folder: name a file for mm's input" in one_sentence(mistake)
    assert not (tmp_path / "a").exists()


def test_gammas_have_the_numbers_of_the_competitions(tmp_path: Path) -> None:
    model = trained()
    model.save(tmp_path / "my.katachi")
    text = katachi("export", tmp_path / "my.katachi", "--format", "mm").stdout
    families = {family.name: family.size for family in model.features.families}
    rows = [line.split() for line in text.splitlines()]
    assert [int(number) for number, _ in rows] == list(range(sum(families.values())))
    for (name, level), (_, gamma) in zip(numbered(families), rows, strict=True):
        assert float(gamma) == pytest.approx(model.predictor.ratings[name].gamma[level - 1], 1e-5)


def test_weights_are_refused(described: Path, tmp_path: Path) -> None:
    competitions = load_competitions(described)
    competitions.manifest["field"] = 20
    with pytest.raises(KatachiError, match="mm knows no weights"):
        write_mm(competitions, tmp_path / "mm.txt")
    assert not (tmp_path / "mm.txt").exists()
