"""`katachi rate`: what it prints, and one sentence for every mistake."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from katachi import BradleyTerry, Competition
from katachi.cli import main
from katachi.teams.files import read_competitions
from tests.teams.test_team_files import FAULTS, MM

ROOT = Path(__file__).parents[2]
GAMES = [Competition([["ann", "bob"], ["carl"]], 0), Competition([["carl"], ["bob"], ["ann"]], 0)]
TEXT = "winner,loser\nann bob,carl\ncarl,bob,ann\n"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def rate(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["rate", *map(str, args)])
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines(keepends=True) if "compiling" not in line]
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, "".join(lines)


def test_the_table(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = rate(capsys, games)
    assert (status, err) == (0, "")
    *table, last = out.splitlines()
    assert table[0].split() == ["member", "Elo", "±", "gamma", "wins", "appearances"]
    model = BradleyTerry().fit(GAMES)
    assert [line.split()[0] for line in table[1:]] == ["carl", "ann", "bob"]
    for line in table[1:]:
        member, elo, error, gamma, wins, appearances = line.split()
        i = model.members_.index(member)
        assert float(elo) == pytest.approx(model.elo_[i], abs=0.06)
        assert float(error) == pytest.approx(model.standard_error_[i], abs=0.06)
        assert float(gamma) == pytest.approx(model.gamma_[i], rel=1e-3)
        assert (int(wins), int(appearances)) == (model.wins_[i], model.appearances_[i])
    assert last.startswith("2 competitions, log-likelihood ")
    assert f"log-posterior {model.log_posterior_:.6f}" in last
    assert last.endswith("iterations, converged")


def test_families_are_shown_where_they_are_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mm"
    path.write_text(MM, encoding="utf-8")
    _, out, _ = rate(capsys, path)
    rows = [line.split()[:2] for line in out.splitlines()[:-1]]
    assert rows[0] == ["member", "family"]
    assert sorted(rows[1:]) == sorted(
        [[f"colour:{i}", "colour"] for i in (1, 2)] + [[f"size:{i}", "size"] for i in (1, 2, 3, 4)]
    )


def test_as_csv(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = rate(capsys, games, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    model = BradleyTerry().fit(GAMES)
    assert [row["member"] for row in rows] == ["carl", "ann", "bob"]
    for row in rows:
        assert float(row["elo"]) == pytest.approx(model.rating(row["member"]), abs=1e-4)
        assert row["family"] == ""


def test_as_json(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = rate(capsys, games, "--json", "--top", "2", "--jobs", "2")
    data = json.loads(out)
    assert (data["form"], data["competitions"], data["members"]) == ("CSV", 2, 3)
    assert (data["converged"], data["error_kind"]) == (True, "full")
    assert [row["member"] for row in data["ratings"]] == ["carl", "ann"]
    assert set(data["ratings"][0]) == {
        "member",
        "family",
        "elo",
        "error",
        "gamma",
        "wins",
        "appearances",
    }


def test_the_options_reach_the_fit(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = rate(
        capsys, games, "--json", "--method", "mm", "--prior", "2", "0.5", "--tolerance", "1e-6"
    )
    data = json.loads(out)
    model = BradleyTerry(method="mm", wins=2, losses=0.5, tolerance=1e-6).fit(GAMES)
    assert data["iterations"] == model.iterations_
    assert data["log_posterior"] == pytest.approx(model.log_posterior_, abs=1e-12)


def test_non_convergence_is_said(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = rate(capsys, games, "--max-iterations", "1")
    assert status == 0
    assert err == (
        "not converged after 1 iterations: the ratings are not final, give more --max-iterations\n"
    )
    assert out.splitlines()[-1].endswith("1 iterations, not converged")


def test_a_long_table_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(f"player{i},player{i + 1}\n" for i in range(59)), encoding="utf-8")
    _, out, _ = rate(capsys, path)
    assert len(out.splitlines()) == 1 + 50 + 2
    assert "… and 10 more: --top 60 lists them" in out
    assert len(rate(capsys, path, "--top", "60")[1].splitlines()) == 1 + 60 + 1
    assert len(rate(capsys, path, "--csv")[1].splitlines()) == 61
    assert len(rate(capsys, path, "--csv", "--top", "3")[1].splitlines()) == 4


def test_names_are_printed_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    teams = [["[red]x[/red]"], ["\x1b[2Jy"], ["n" * 150]]
    path.write_text(json.dumps({"teams": teams, "winner": 0}), encoding="utf-8")
    _, out, _ = rate(capsys, path)
    assert "[red]x[/red]" in out
    assert "\x1b" not in out
    assert "\N{REPLACEMENT CHARACTER}[2Jy" in out
    assert out.count("n") >= 150


@pytest.mark.parametrize(("name", "content", "sentence"), FAULTS)
def test_every_fault_of_a_file_is_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: str | bytes,
    sentence: str,
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    status, out, err = rate(capsys, path)
    assert (status, out) == (2, "")
    assert err.startswith("katachi: ")
    assert f"{path}{sentence}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--csv", "--json"], "--csv and --json exclude each other"),
        (["--prior", "0", "1"], "a prior of 0 wins and 1 losses does not hold the ratings"),
        (["--prior", "nan", "1"], "a prior of nan wins"),
        (["--prior", "1"], "requires 2 arguments"),
        (["--method", "newton"], "'newton' is not one of 'fast', 'mm'"),
        (["--tolerance", "-1"], "a tolerance of -1.0 cannot be reached"),
        (["--max-iterations", "0"], "0 is not in the range"),
        (["--top", "0"], "0 is not in the range"),
        (["--jobs", "0"], "0 is not in the range"),
    ],
)
def test_bad_options(
    games: Path, capsys: pytest.CaptureFixture[str], args: list[str], sentence: str
) -> None:
    status, out, err = rate(capsys, games, *args)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_no_such_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, sentence in (
        (tmp_path / "none", "none does not exist: name a file of competitions"),
        (tmp_path, "is a folder: name a file of competitions"),
    ):
        status, out, err = rate(capsys, path)
        assert (status, out) == (2, "")
        assert sentence in err


def blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "rate.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.slow
def test_the_examples_of_the_docs_work(tmp_path: Path) -> None:
    """The three files of docs/rate.md are the same games, and its Python runs beside them."""
    rated = []
    for language, name, kind in (
        ("json", "games.jsonl", "JSON lines"),
        ("csv", "games.csv", "CSV"),
        ("text", "games.mm", "mm"),
    ):
        (content,) = blocks(language)
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        found = read_competitions(path)
        assert found.kind == kind
        model = BradleyTerry().fit_columns(found.columns, found.members)
        rated.append(model.log_posterior_)
    assert max(rated) - min(rated) < 1e-8
    (code,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "ann" in done.stdout
