"""`katachi export`: the C header, in the hands of a C program, and the tables."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from katachi.go.board import is_own_eye
from katachi.go.points import PASS, from_letters, letters
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.patterns.describe import describe_position
from katachi.search.header import c_header, light_factors
from tests.cli.test_cli import katachi, one_sentence
from tests.trained import trained

EXAMPLE = Path(__file__).parents[1] / "examples" / "playout.c"
GAMES = 4


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built with the header of the model that comes with Katachi."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("example")
    shutil.copy(EXAMPLE, folder)
    done = katachi("export", "--format", "c-header", "-o", folder / "katachi_playout.h")
    assert done.returncode == 0, done.stderr
    flags = ("-O2", "-std=c11", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["gcc", *flags, "-o", "playout", "playout.c"], cwd=folder, check=True)
    return folder / "playout"


def said(program: Path, *args: str) -> list[str]:
    return subprocess.run(
        [program, *args], capture_output=True, text=True, check=True
    ).stdout.splitlines()


def moves_of(line: str, size: int) -> list[int]:
    return [PASS if text == "tt" else from_letters(text, size) for text in line.split()]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_games_are_legal_and_end(program: Path, size: int) -> None:
    for line in said(program, str(size), str(GAMES)):
        moves = moves_of(line, size)
        assert len(moves) > size * size
        position = Position(size)
        for move in moves:
            position.play(move)  # raises what is illegal
        assert position.board.passes == 2 or len(moves) == 3 * size * size


@cache
def factors(kind: str = "balanced") -> dict[str, list[float]]:
    return {name: list(of) for name, of in light_factors(load_model(), kind).items()}


@pytest.mark.parametrize("size", [9, 19])
def test_its_weights_are_the_products_of_the_gammas(program: Path, size: int) -> None:
    """Of the two families that the example knows, in positions of its own games."""
    light = load_model().playout
    assert light is not None
    gamma = factors()
    looked_at = 0
    for line in said(program, str(size), "2"):
        moves = moves_of(line, size)
        for number in range(0, len(moves), 23):
            if PASS in moves[:number]:
                break  # the example takes points only
            position = Position(size)
            for move in moves[:number]:
                position.play(move)
            words = [letters(move) for move in moves[:number]]
            found = {
                from_letters(name, size): float(weight)
                for name, weight in (r.split() for r in said(program, str(size), "weights", *words))
            }
            teams = describe_position(position, light.features)
            # Playouts fill no own eye; those the example leaves out, and nothing else.
            left_out = {p for p in teams if p != PASS and p not in found}
            assert all(is_own_eye(position.board, p, position.to_move) for p in left_out)
            assert not any(is_own_eye(position.board, p, position.to_move) for p in found)
            for p, weight in found.items():
                level = teams[p].get("contiguity", 0)
                expected = gamma["shape3"][teams[p]["shape3"]] * gamma["contiguity"][level]
                assert weight == pytest.approx(expected, rel=1e-5)
            looked_at += len(found)
    assert looked_at > 200


def test_all_gammas_are_in_the_tables() -> None:
    model = trained()
    rows = list(csv.DictReader(io.StringIO(katachi_export(model, "csv"))))
    assert json.loads(katachi_export(model, "json"))[0]["gamma"] == pytest.approx(
        float(rows[0]["gamma"])
    )
    assert {row["of"] for row in rows} == {"model"}  # it has no playout gammas
    for name, ratings in model.predictor.ratings.items():
        gammas = [float(row["gamma"]) for row in rows if row["family"] == name]
        assert gammas == pytest.approx(ratings.gamma.tolist())


def katachi_export(model: object, kind: str) -> str:
    from katachi.cli.export import _table

    return _table(model, kind)  # type: ignore[arg-type]


def test_playout_gammas_are_told_in_both_ways() -> None:
    from katachi.cli.export import _rows

    light = load_model().playout
    assert light is not None
    rows = [row for row in _rows(light) if row.of != "model"]
    for kind in ("fitted", "balanced"):
        for name, of in factors(kind).items():
            found = [r.gamma for r in rows if (r.of, r.family) == (f"playout-{kind}", name)]
            assert found == pytest.approx(of[1:])
    assert factors("fitted")["capture"][4] != factors()["capture"][4]
    header = c_header(load_model(), "fitted")
    assert f"1, {factors('fitted')['contiguity'][1]:.6g}" in header


def test_mistakes(tmp_path: Path) -> None:
    trained().save(tmp_path / "plain.katachi")
    done = katachi("export", tmp_path / "plain.katachi", "--format", "c-header")
    assert "has no playout gammas" in one_sentence(done)
    assert "is a folder" in one_sentence(katachi("export", "-o", tmp_path))
    assert "does not exist" in one_sentence(katachi("export", tmp_path / "none.katachi"))
    assert "c-header" in one_sentence(katachi("export", "--format", "xml"))
