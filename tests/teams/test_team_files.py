"""Three forms of files: what was written is read, and every fault is told with its line."""

from __future__ import annotations

import csv
import json
import random
import re
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from katachi import BradleyTerry, Competition, KatachiError
from katachi.teams import mm_format
from katachi.teams.files import TeamFile, read_competitions
from katachi.teams.teams import Teams, columns_of
from tests.learning.bradley_terry_oracle import random_problem
from tests.teams.test_teams import decoded, loose, made, sorted_teams

MM = """! 6
2
2 colour
4 size
!
#
0 2
0 2
1 5
#
1 3
0 4
1 3
1
"""


def with_names(problem: list[Competition]) -> list[Competition]:
    return [Competition([[f"m{m}" for m in t] for t in c.teams], c.winner) for c in problem]


def winner_first(c: Competition) -> Competition:
    rest = [team for i, team in enumerate(c.teams) if i != c.winner]
    return Competition([c.teams[c.winner], *rest], 0)


def spaced(c: Any) -> list[str]:
    return [" ".join(map(str, team)) for team in c.teams]


def competitions_in(found: TeamFile) -> list[Competition]:
    return decoded(Teams(found.columns, found.members, np.zeros(0, np.int64)))


def write(folder: Path, text: str | bytes, name: str = "teams.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# Round trips.


def test_json_lines(tmp_path: Path) -> None:
    problem = with_names(random_problem(1))
    lines = [json.dumps({"teams": c.teams, "winner": c.winner}) for c in problem]
    found = read_competitions(write(tmp_path, "\n\n".join(lines)))
    assert (found.kind, found.families) == ("JSON lines", None)
    assert found.competitions == len(problem)
    assert competitions_in(found) == sorted_teams(problem)


def test_json_lines_with_losers(tmp_path: Path) -> None:
    problem = [winner_first(c) for c in with_names(random_problem(2))]
    lines = [json.dumps({"winner": c.teams[0], "losers": c.teams[1:]}) for c in problem]
    assert competitions_in(read_competitions(write(tmp_path, "\n".join(lines)))) == sorted_teams(
        problem
    )


def test_json_members_are_texts_or_numbers(tmp_path: Path) -> None:
    found = read_competitions(write(tmp_path, '{"teams": [[1, "é"], [2.5], []], "winner": 2}'))
    assert sorted(found.members) == ["1", "2.5", "é"]


@pytest.mark.parametrize("header", ["", "winner,loser\n", "Winner, Loser 1,loser2\n", "\ufeff"])
def test_csv(tmp_path: Path, header: str) -> None:
    problem = [winner_first(c) for c in with_names(random_problem(3))]
    path = tmp_path / "games.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(header)
        writer = csv.writer(out, quoting=csv.QUOTE_ALL)
        writer.writerows([*spaced(c), "", ""] for c in problem)
    found = read_competitions(path)
    assert found.kind == "CSV"
    assert competitions_in(found) == sorted_teams(problem)


def test_a_player_may_be_called_winner(tmp_path: Path) -> None:
    found = read_competitions(write(tmp_path, "winner,ann\nbob,winner\n"))
    assert found.competitions == 2


def mm_text(problem: list[Competition], levels: list[int]) -> str:
    lines = [f"! {sum(levels)}", str(len(levels))]
    lines += [f"{n} f{f}" for f, n in enumerate(levels)] + ["!"]
    for c in problem:
        teams = spaced(c)
        lines += ["#", teams[c.winner], *teams]
    return "\n".join(lines) + "\n"


def mm_problem(seed: int, levels: list[int], competitions: int = 30) -> list[Competition]:
    """Members are numbers of gammas; the winner is the first of its like."""
    rng = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(levels)])
    found = []
    for _ in range(competitions):
        teams = [
            [int(first[f] + rng.integers(n)) for f, n in enumerate(levels) if rng.random() < 0.7]
            for _ in range(rng.integers(1, 9))
        ]
        won = teams[rng.integers(len(teams))]
        found.append(Competition([rng.permutation(t).tolist() for t in teams], teams.index(won)))
    return found


@pytest.mark.parametrize("chunk", [64, 1000, 1 << 22])
@pytest.mark.parametrize("levels", [[3, 1, 5], [1], [300, 2], [2] * 20])
def test_mm(tmp_path: Path, levels: list[int], chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the file comes in small pieces, and with other line ends."""
    monkeypatch.setattr(mm_format, "CHUNK", chunk)
    problem = mm_problem(4, levels)
    members = [
        f"f{f}:{i}" if n > 1 else f"f{f}" for f, n in enumerate(levels) for i in range(1, n + 1)
    ]
    name = dict(enumerate(members)).__getitem__
    wanted = [made([[*map(name, t)] for t in loose(c).teams], c.winner) for c in problem]
    text = mm_text(problem, levels)
    for form in (text, text.replace("\n", "\r\n"), text.rstrip("\n"), text + "!\n\n"):
        if form == text.rstrip("\n") and not problem[-1].teams[-1]:
            continue  # the last team is empty: that would remove it
        found = read_competitions(write(tmp_path, form))
        assert found.kind == "mm"
        assert found.members == members
        assert found.families is not None
        assert [len(of_family) for of_family in found.families.values()] == levels
        assert list(found.columns.levels) == levels
        assert competitions_in(found) == sorted_teams(wanted)


@pytest.mark.slow
@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_the_same_ratings_from_every_form(tmp_path_factory: Any, seed: int) -> None:
    folder = tmp_path_factory.mktemp("forms")
    levels = [3, 1, 4]
    problem = [c for c in mm_problem(seed, levels) if any(c.teams)]
    rated = []
    jsons = [json.dumps({"teams": c.teams, "winner": c.winner}) for c in problem]
    for text in (mm_text(problem, levels), "\n".join(jsons)):
        found = read_competitions(write(folder, text))
        model = BradleyTerry().fit_columns(found.columns, found.members)
        rated.append(dict(zip(model.members_, model.elo_.tolist(), strict=True)))
    names = ["f0:1", "f0:2", "f0:3", "f1", "f2:1", "f2:2", "f2:3", "f2:4"]
    direct = BradleyTerry().fit(problem)
    for number, member in enumerate(names):
        if number in direct.members_:
            assert rated[0][member] == pytest.approx(direct.rating(number), abs=0.02)
            assert rated[1][str(number)] == pytest.approx(direct.rating(number), abs=0.02)
        else:
            assert rated[0][member] == pytest.approx(0.0, abs=0.02)


def test_names_and_families_of_mm(tmp_path: Path) -> None:
    found = read_competitions(write(tmp_path, MM))
    assert found.families == {
        "colour": ["colour:1", "colour:2"],
        "size": ["size:1", "size:2", "size:3", "size:4"],
    }
    assert [(len(c.teams), c.winner) for c in competitions_in(found)] == [(2, 0), (3, 1)]


def test_a_blank_line_in_mm_is_a_team_without_members(tmp_path: Path) -> None:
    head = "! 2\n1\n2 f\n"  # without the line !
    found = read_competitions(write(tmp_path, head + "#\n\n0\n\n1\n#\n1\n1\n\n"))
    assert competitions_in(found) == [
        Competition([["f:1"], [], ["f:2"]], 1),
        Competition([["f:2"], []], 0),
    ]


def test_the_form_shows_in_the_content_then_in_the_name(tmp_path: Path) -> None:
    assert read_competitions(write(tmp_path, MM, "a.jsonl")).kind == "mm"
    assert read_competitions(write(tmp_path, "!a,b\n", "a.csv")).kind == "CSV"
    assert read_competitions(write(tmp_path, "{a,b\n", "b.csv")).kind == "CSV"
    line = '{"teams": [["a"], ["b"]], "winner": 0}'
    assert read_competitions(write(tmp_path, f"\ufeff\n {line}", "a.csv2")).kind == "JSON lines"


def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mm_format, "CHUNK", 20)
    told: list[tuple[str, int, int]] = []
    path = write(tmp_path, MM)
    read_competitions(path, lambda *news: told.append(news))
    assert told[-1] == ("reading bytes", len(MM), len(MM))


# Faults.

GOOD = '{"teams": [["a"], ["b"]], "winner": 0}\n'
HEAD = "! 6\n2\n2 colour\n4 size\n!\n"
FAULTS: list[tuple[str, str | bytes, str]] = [
    ("a.txt", b"", " is empty: there are no competitions in it"),
    ("a.txt", b"\n \n", " is empty: there are no competitions in it"),
    ("a.csv", b"\xef\xbb\xbf", " is empty: there are no competitions in it"),
    ("a.txt", b"\x00\x01\x02", " is no text file: give JSON lines, CSV or the format of mm"),
    ("a.csv", b"\x89PNG\r\n\x1a\n", " is no text file: give JSON lines, CSV or the format of mm"),
    (
        "a.csv",
        "ä,ö".encode("latin-1"),
        " is no text file: give JSON lines, CSV or the format of mm",
    ),
    ("a.csv", b"a,b\n" * 3000 + b"a,\x00\n", ", line 3001: this is not text"),
    ("a.csv", b"a,b\n" * 3000 + b"a,\xff\n", ", line 3001: this is not UTF-8 text"),
    # JSON lines
    (
        "a.jsonl",
        GOOD + '{"teams": [["a"], "winner": 0}',
        ", line 2 is no JSON: Expecting ',' delimiter at column 27",
    ),
    ("a.jsonl", GOOD + "\nteams", ", line 3 is no JSON: Expecting value at column 1"),
    ("a.jsonl", "[" * 100_000, ", line 1 is no JSON: "),
    ("a.jsonl", '{"teams": [[NaN], ["b"]], "winner": 0}', ", line 1 is no JSON: NaN is no number"),
    ("a.jsonl", "[1, 2]", ', line 1: a competition is an object, {"teams": …, "winner": …}'),
    (
        "a.jsonl",
        '{"teams": [["a"], ["b"]]}',
        ", line 1 has no winner: give the number of a team, counted from 0",
    ),
    ("a.jsonl", '{"losers": [["a"], ["b"]]}', ', line 1 has no winner: give "winner", a team'),
    (
        "a.jsonl",
        '{"winner": ["a"], "losers": "b"}',
        ', line 1: teams are lists of members, as in [["a", "b"], ["c"]]',
    ),
    (
        "a.jsonl",
        '{"winner": "a", "losers": [["b"]]}',
        ', line 1: teams are lists of members, as in [["a", "b"], ["c"]]',
    ),
    ("a.jsonl", '{"winner": 0}', ', line 1: teams are lists of members, as in [["a", "b"], ["c"]]'),
    (
        "a.jsonl",
        '{"teams": [["a"], ["b"]], "winner": "a"}',
        ', line 1: "winner" is the number of a team, counted from 0',
    ),
    (
        "a.jsonl",
        '{"teams": [["a"], ["b"]], "winner": true}',
        ', line 1: "winner" is the number of a team, counted from 0',
    ),
    (
        "a.jsonl",
        GOOD + '{"teams": [["a"], ["b"]], "winner": 2}',
        ", line 2 is team 2, but its teams are 0 to 1",
    ),
    ("a.jsonl", GOOD + '{"teams": [], "winner": 0}', ", line 2 has no teams"),
    (
        "a.jsonl",
        GOOD + '\n{"teams": [["a"], ["b", "b"]], "winner": 0}',
        ", line 3, team 2 names 'b' twice: a team has each member once",
    ),
    (
        "a.jsonl",
        '{"teams": [["a"], [null]], "winner": 0}',
        ", line 1: a member is a text or a number, not null",
    ),
    (
        "a.jsonl",
        '{"teams": [["a"], [true]], "winner": 0}',
        ", line 1: a member is a text or a number, not true",
    ),
    # CSV
    ("a.csv", "winner,loser\n\n", " holds no competitions: write one to a line, the winner first"),
    (
        "a.csv",
        "winner,loser\na,b\na\n",
        ", line 3 has one team only: the others follow the winner after commas",
    ),
    ("a.csv", "a,b\n,b\n", ", line 2 has no winner: the first cell is the winning team"),
    ("a.csv", "a,,b\n", ", line 1, team 2 is empty: fill or remove the cell"),
    ("a.csv", "a,b\na,b c b\n", ", line 2, team 2 names 'b' twice: a team has each member once"),
    (
        "a.csv",
        'a,b\na,"' + "x" * 200_000,
        ", line 2 is no CSV: field larger than field limit (131072)",
    ),
    # mm
    ("a.mm", "! six\n", ", line 1: the first line must be ! and a number, not 'six'"),
    ("a.mm", "!\n", ", line 1: the first line must be ! and a number, not ''"),
    (
        "a.mm",
        "! 99999999999\n",
        ", line 1: 99,999,999,999 gammas are too many, the limit is 10,000,000",
    ),
    ("a.mm", "! 6\n", " ends after line 1, within its header"),
    ("a.mm", "! 6\n2\n2 colour\n", " ends after line 3, within its header"),
    ("a.mm", "! 6\ntwo\n", ", line 2: here must stand the number of features, not 'two'"),
    ("a.mm", "! 6\n2\n2\n", ", line 3: a feature is a number of gammas and a name, not '2'"),
    (
        "a.mm",
        "! 6\n2\ncolour 2\n",
        ", line 3: a feature is a number of gammas and a name, not 'colour'",
    ),
    ("a.mm", "! 6\n2\n2 f\n4 f\n", ", line 4: the feature 'f' comes twice"),
    (
        "a.mm",
        "! 6\n2\n2 f\n3 g\n",
        ", line 4: the features have 5 gammas together, but the first line says 6",
    ),
    ("a.mm", "! 0\n0\n", ", line 2: there are no gammas: nothing can be rated"),
    (
        "a.mm",
        "! 3\n2\n2 f\n1 f:1\n#\n0\n0\n1\n",
        ": two gammas get the same name, rename a feature",
    ),
    ("a.mm", "! 1\n1\n1 \xff\n".encode("latin-1"), " is no text file"),
    ("a.mm", HEAD, " holds no competitions: each begins with a line #"),
    ("a.mm", HEAD + "\n!\n", " holds no competitions: each begins with a line #"),
    ("a.mm", HEAD + "0 2\n", ", line 6: a team stands outside any competition"),
    ("a.mm", HEAD + "#\n", ", line 6: the competition has no winner"),
    ("a.mm", HEAD + "#\n0\n0\n#\n#\n0\n0\n", ", line 9: the competition has no winner"),
    (
        "a.mm",
        HEAD + "#\n0\n0\n1\n#\n1\n#\n0\n0\n",
        ", line 10: the competition has no participants",
    ),
    ("a.mm", HEAD + "#\n0\n0\n1\n#\n1\n", ", line 10: the competition has no participants"),
    (
        "a.mm",
        HEAD + "#\n0 2\n0 2\n1 5\n#\n0 2\n0 3\n1 2\n",
        ", line 11: the winner is not among the participants, repeat its line below",
    ),
    ("a.mm", HEAD + "#\n0 2\n0 2\n1 6\n", ", line 9: gamma 6 is out of range, they are 0 to 5"),
    (
        "a.mm",
        HEAD + "#\n0 2\n0 2\n1 123456\n",
        ", line 9: gamma 123456 is out of range, they are 0 to 5",
    ),
    ("a.mm", HEAD + "#\n0 2\n0 2\n1 1\n", ", line 9: the team names gamma 1 twice"),
    (
        "a.mm",
        HEAD + "#\n0 2\n0 2\n1 3 5\n",
        ", line 9: the gammas 3 and 5 are of one feature, a team has one of each",
    ),
    ("a.mm", HEAD + "#\n0 2\n0 2\n1 -5\n", ", line 9: '-5' is no gamma"),
    ("a.mm", HEAD + "#\n0 2\n0 2\n1 x5 7\n", ", line 9: 'x5' is no gamma"),
    ("a.mm", HEAD + "#\n0 2\n0 2\n1 5.0\n", ", line 9: '.0' is no gamma"),
    ("a.mm", HEAD + "# game 1\n0 2\n0 2\n", ", line 6: 'game' is no gamma"),
]


@pytest.mark.parametrize(("name", "content", "sentence"), FAULTS)
def test_faults(tmp_path: Path, name: str, content: str | bytes, sentence: str) -> None:
    path = write(tmp_path, content, name)
    with pytest.raises(KatachiError) as raised:
        read_competitions(path)
    told = str(raised.value)
    assert re.search(re.escape(f"{path}{sentence}"), told), told
    assert "\n" not in told
    assert len(told) < len(str(path)) + 160


def test_no_file(tmp_path: Path) -> None:
    for path, sentence in (
        (tmp_path / "none.csv", "none.csv does not exist: name a file of competitions"),
        (tmp_path, "is a folder: name a file of competitions"),
        (write(tmp_path, "a,b") / "below", "below cannot be read: Not a directory"),
    ):
        with pytest.raises(KatachiError, match=sentence):
            read_competitions(path)


def test_the_line_of_a_fault_in_a_later_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mm_format, "CHUNK", 50)
    body = "#\n0 2\n0 2\n1 5\n" * 100
    for bad, line in (("#\n0 2\n1 5\n", 407), ("#\n0 2\n0 2\n6\n", 409), ("#\n0\n0\nz", 409)):
        with pytest.raises(KatachiError, match=f"line {line}: "):
            read_competitions(write(tmp_path, HEAD + body + bad + "\n" + body))


def junk(kind: str, path: Path) -> str:
    """Write some 40 MB of nonsense; the sentence that must come."""
    size = 40 * 2**20
    with path.open("wb") as out:
        if kind == "zeros":
            out.truncate(200 * 2**20)  # a hole: nothing is written
            return "is no text file"
        if kind == "noise":
            out.write(random.Random(1).randbytes(size))
            return "is no text file"
        if kind == "one line":
            out.write(b"a" * size)
            return "line 1: the line is longer than 16,777,216 bytes"
        if kind == "one line of mm":
            out.write(HEAD.encode() + b"#\n" + b" " * size)
            return "line 7: the line is longer than 65,536 bytes"
        out.write(b"lorem ipsum dolor sit amet\n" * (size // 27))
        return "line 1 has one team only"


@pytest.mark.parametrize("kind", ["zeros", "noise", "one line", "one line of mm", "prose"])
def test_junk_fails_fast_and_in_little_memory(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "junk.txt"
    sentence = junk(kind, path)
    tracemalloc.start()
    try:
        with pytest.raises(KatachiError, match=sentence):
            read_competitions(path)
        assert tracemalloc.get_traced_memory()[1] < 80 * 2**20
    finally:
        tracemalloc.stop()


def test_a_file_and_its_competitions_are_rated_alike(tmp_path: Path) -> None:
    problem = [winner_first(c) for c in with_names(random_problem(5))]
    rows = "\n".join(",".join(spaced(c)) for c in problem)
    found = read_competitions(write(tmp_path, rows))
    model = BradleyTerry().fit_columns(found.columns, found.members)
    direct = BradleyTerry().fit(problem)
    assert found.members == columns_of(problem).members
    for member in direct.members_:
        assert model.rating(member) == direct.rating(member)
