"""KataGo's analysis protocol: queries, actions, errors, many at once."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from katachi.analysis.engine import AnalysisEngine
from katachi.analysis.query import BadQuery, queries_of
from katachi.go.points import all_points, vertex
from katachi.models.model import load_model
from katachi.search.engine import SearchPlayer, search_player


class Answers:
    """An engine whose answers are kept."""

    def __init__(self, workers: int = 1) -> None:
        self.told: list[dict[str, Any]] = []
        self.some = threading.Condition()
        self.engine = AnalysisEngine(self.build, self.take, workers)

    def build(self, number: int) -> SearchPlayer:
        return search_player(load_model(), memory_mb=16, seed=number + 1)

    def take(self, line: str) -> None:
        with self.some:
            self.told.append(json.loads(line))
            self.some.notify_all()

    def ask(self, **query: Any) -> None:
        self.engine.ask(json.dumps(query))

    def reports_of(self, name: str, count: int) -> None:
        """Wait until so many reports of a query have come."""
        with self.some:
            assert self.some.wait_for(
                lambda: sum(a.get("id") == name for a in self.told) >= count, timeout=600
            )

    def all(self) -> list[dict[str, Any]]:
        """Everything, once all is done."""
        self.engine.close()
        return self.told


def query(name: str = "a", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "moves": [["B", "E5"], ["W", "C7"]],
        "rules": "chinese",
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "maxVisits": 60,
        **more,
    }


def test_an_answer_field_by_field() -> None:
    answers = Answers()
    answers.ask(**query(includeOwnership=True, includePolicy=True, includePVVisits=True))
    (found,) = answers.all()
    assert found.keys() == {
        "id",
        "turnNumber",
        "isDuringSearch",
        "moveInfos",
        "rootInfo",
        "ownership",
        "policy",
    }
    assert (found["id"], found["turnNumber"], found["isDuringSearch"]) == ("a", 2, False)
    root = found["rootInfo"]
    assert root["currentPlayer"] == "B"
    assert 0 <= root["winrate"] <= 1
    assert root["visits"] == sum(m["visits"] for m in found["moveInfos"])
    names = {
        "move",
        "visits",
        "winrate",
        "scoreMean",
        "scoreLead",
        "scoreSelfplay",
        "scoreStdev",
        "utility",
        "utilityLcb",
        "lcb",
        "prior",
        "order",
        "pv",
        "pvVisits",
    }
    for order, info in enumerate(found["moveInfos"]):
        assert info.keys() == names
        assert info["order"] == order
        assert info["pv"][0] == info["move"]
        assert len(info["pvVisits"]) == len(info["pv"])
        assert info["pvVisits"][0] == info["visits"]
        assert info["pvVisits"] == sorted(info["pvVisits"], reverse=True)
        assert info["lcb"] <= info["winrate"]
        assert 0 <= info["prior"] <= 1
    visits = [info["visits"] for info in found["moveInfos"]]
    assert visits == sorted(visits, reverse=True)
    assert len(found["ownership"]) == 81
    assert all(-1 <= share <= 1 for share in found["ownership"])
    policy = found["policy"]
    assert len(policy) == 82
    assert sum(p for p in policy if p >= 0) == pytest.approx(1, abs=1e-4)
    taken = [vertex(p, 9) for p, share in zip(all_points(9), policy, strict=False) if share < 0]
    assert sorted(taken) == ["C7", "E5"]


def test_whose_win_rate() -> None:
    """Black's unless asked otherwise: the same search, told for each side."""
    found = {}
    for side in (None, "BLACK", "WHITE", "SIDETOMOVE"):
        answers = Answers()
        more: dict[str, Any] = {}
        if side is not None:
            more["overrideSettings"] = {"reportAnalysisWinratesAs": side}
        answers.ask(**query(moves=[["B", "E5"]], includeOwnership=True, **more))
        (found[side],) = answers.all()
    black, white = found["BLACK"], found["WHITE"]
    assert found[None] == black
    assert found["SIDETOMOVE"] == white  # White is to move
    assert black["rootInfo"]["winrate"] == pytest.approx(1 - white["rootInfo"]["winrate"])
    assert black["rootInfo"]["scoreLead"] == -white["rootInfo"]["scoreLead"]
    assert black["ownership"] == [-share for share in white["ownership"]]
    for one, two in zip(black["moveInfos"], white["moveInfos"], strict=True):
        assert one["move"] == two["move"]
        assert one["winrate"] == pytest.approx(1 - two["winrate"])


def test_turns_and_priorities() -> None:
    answers = Answers()
    # Until all others wait; it must be at work before they come, or else it waits with them
    answers.ask(**query("slow", maxVisits=1_000_000, reportDuringSearchEvery=0.01))
    answers.reports_of("slow", 1)
    answers.ask(**query("turns", analyzeTurns=[0, 1, 2], priorities=[1, 3, 2]))
    answers.ask(**query("first", priority=10))
    answers.ask(id="end", action="terminate", terminateId="slow")
    found = answers.all()
    order = [(a["id"], a["turnNumber"]) for a in found if a["id"] in ("turns", "first")]
    assert order == [("first", 2), ("turns", 1), ("turns", 2), ("turns", 0)]
    players = {a["turnNumber"]: a["rootInfo"]["currentPlayer"] for a in found if a["id"] == "turns"}
    assert players == {0: "B", 1: "W", 2: "B"}


def test_a_hundred_at_once() -> None:
    answers = Answers(workers=2)
    for number in range(100):
        answers.ask(**query(f"q{number}", maxVisits=8))
    found = answers.all()
    assert sorted(a["id"] for a in found) == sorted(f"q{number}" for number in range(100))
    assert all(a["moveInfos"] for a in found)


def test_reports_while_it_searches() -> None:
    answers = Answers()
    answers.ask(**query(maxVisits=1_000_000, reportDuringSearchEvery=0.01))
    answers.reports_of("a", 3)
    answers.ask(id="end", action="terminate", terminateId="a")
    found = [a for a in answers.all() if a["id"] == "a"]
    assert [a["isDuringSearch"] for a in found] == [True] * (len(found) - 1) + [False]
    assert len(found) > 2


def test_terminating() -> None:
    answers = Answers()
    answers.ask(**query("long", maxVisits=1_000_000))
    answers.ask(**query("waits", maxVisits=1_000_000, analyzeTurns=[0, 1]))
    answers.ask(id="t1", action="terminate", terminateId="waits", turnNumbers=[0])
    answers.ask(id="t2", action="terminate_all")
    found = answers.all()
    by = {(a["id"], a.get("turnNumber")): a for a in found if "action" not in a}
    assert by["waits", 0]["noResults"]
    assert by["waits", 1]["noResults"]
    assert ("long", 2) in by
    told = [a for a in found if "action" in a]
    assert [a["id"] for a in told] == ["t1", "t2"]
    assert told[0]["terminateId"] == "waits"


def test_other_actions_and_warnings() -> None:
    answers = Answers()
    answers.ask(id="v", action="query_version")
    answers.ask(id="m", action="query_models")
    answers.ask(**query(wizard=True))
    found = answers.all()
    assert found[0]["version"].count(".") == 2
    assert found[1] == {"id": "m", "action": "query_models", "models": []}
    assert found[2] == {"warning": "Unexpected or unused field", "field": "wizard", "id": "a"}


def test_moves_to_avoid() -> None:
    answers = Answers()
    rule = {"player": "B", "moves": ["E3", "pass"], "untilDepth": 1}
    answers.ask(**query("only", allowMoves=[rule]))
    answers.ask(**query("not", avoidMoves=[rule]))
    found = {a["id"]: [m["move"] for m in a["moveInfos"]] for a in answers.all()}
    assert set(found["only"]) <= {"E3", "pass"}
    assert not set(found["not"]) & {"E3", "pass"}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"boardXSize": 25}, "boardXSize"),
        ({"boardXSize": None}, "boardXSize"),
        ({"boardYSize": 13}, "boardYSize"),
        ({"moves": None}, "moves"),
        ({"moves": [["B", "Z99"]]}, "moves"),
        ({"moves": [["X", "D4"]]}, "moves"),
        ({"moves": [["B", "D4"], ["W", "D4"]]}, "moves"),
        ({"moves": "B D4"}, "moves"),
        ({"initialStones": [["B", "pass"]]}, "initialStones"),
        ({"initialPlayer": "green"}, "initialPlayer"),
        ({"rules": "bridge"}, "rules"),
        ({"komi": "much"}, "komi"),
        ({"komi": 6.3}, "komi"),
        ({"komi": 1e9}, "komi"),
        ({"maxVisits": 0}, "maxVisits"),
        ({"maxVisits": 1.5}, "maxVisits"),
        ({"analyzeTurns": [3]}, "analyzeTurns"),
        ({"analyzeTurns": 1}, "analyzeTurns"),
        ({"priority": "high"}, "priority"),
        ({"priorities": [1, 2]}, "priorities"),
        ({"includePolicy": 1}, "includePolicy"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery"),
        ({"overrideSettings": []}, "overrideSettings"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "ME"}}, "overrideSettings"),
        ({"avoidMoves": [1]}, "avoidMoves"),
        ({"allowMoves": "D4"}, "allowMoves"),
        ({"action": "dance"}, "action"),
        ({"id": 5}, "id"),
    ],
)
def test_mistakes(change: dict[str, Any], name: str) -> None:
    answers = Answers()
    answers.ask(**query() | change)
    (found,) = answers.all()
    assert found["field"] == name
    assert found["error"]
    if name != "id":
        assert found["id"] == "a"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(sorted(query())), values, max_size=3))
def test_whatever_is_in_a_field(change: dict[str, Any]) -> None:
    """A query is understood, or refused: nothing else is raised."""
    with suppress(BadQuery):
        assert queries_of(query() | change) is not None


@pytest.mark.slow
def test_the_verb() -> None:
    lines = [json.dumps(query("one", maxVisits=20)), "", "no json", "[1]", json.dumps({"id": "x"})]
    done = subprocess.run(
        [sys.executable, "-m", "katachi", "analysis"],
        input="\n".join(lines),
        text=True,
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a.get("id") for a in found if "error" in a] == [None, None, "x"]
    assert [a["id"] for a in found if "moveInfos" in a] == ["one"]
    assert "Traceback" not in done.stderr
