"""Every move has its own lead: in streams, and in answers as JSON."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from typing import Any

import pytest

from katachi.analysis.engine import AnalysisEngine
from katachi.gtp.commands import answer
from katachi.gtp.framing import serve
from katachi.gtp.session import Limits, Session
from katachi.models.model import load_model
from katachi.search.engine import SearchPlayer, search_player


def build(number: int = 0) -> SearchPlayer:
    return search_player(load_model(), memory_mb=16, seed=number + 1)


def asked(*queries: dict[str, Any]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    engine = AnalysisEngine(build, lambda line: told.append(json.loads(line)))
    for query in queries:
        engine.ask(json.dumps(query))
    engine.close()
    return told


# White to move is sure to lose: Black has all but a corner, or not, by whether B9 is White's.
QUERY: dict[str, Any] = {
    "id": "a",
    "moves": [["B", "E5"], ["W", "C7"]],
    "rules": "chinese",
    "komi": 6.5,
    "boardXSize": 9,
    "boardYSize": 9,
    "maxVisits": 400,
}


@pytest.mark.parametrize("side", ["BLACK", "WHITE", "SIDETOMOVE"])
def test_leads_differ_and_their_mean_is_the_roots(side: str) -> None:
    settings = {"reportAnalysisWinratesAs": side}
    (found,) = asked(QUERY | {"overrideSettings": settings})
    infos, root = found["moveInfos"], found["rootInfo"]
    assert len({info["scoreLead"] for info in infos}) > 3
    assert len({info["scoreStdev"] for info in infos}) > 3
    assert sum(info["visits"] for info in infos) == root["visits"]
    mean = sum(info["visits"] * info["scoreLead"] for info in infos) / root["visits"]
    assert mean == pytest.approx(root["scoreLead"], abs=0.01)
    assert root["scoreStdev"] > 1
    for info in infos:
        assert info["scoreMean"] == info["scoreSelfplay"] == info["scoreLead"]
        assert abs(info["scoreLead"]) <= 81 + 6.5
        assert 0 <= info["scoreStdev"] <= 81
        if info["visits"] == 1:
            assert info["scoreStdev"] == 0


def test_blacks_lead_is_whites_turned_round() -> None:
    told = [
        asked(QUERY | {"overrideSettings": {"reportAnalysisWinratesAs": side}})[0]["moveInfos"]
        for side in ("BLACK", "WHITE")
    ]
    for black, white in zip(*told, strict=True):
        assert black["scoreLead"] == -white["scoreLead"]
        assert black["scoreStdev"] == white["scoreStdev"]


def test_komi_and_dead_stones_count() -> None:
    """All of the board is Black's but two eyes: 25 points less White's 0 and komi."""
    stones = [
        ["B", f"{c}{r}"]
        for c in "ABCDE"
        for r in range(1, 6)
        if f"{c}{r}" not in ("A1", "E5", "C3")
    ]
    query = {
        "id": "a",
        "moves": [],
        "initialStones": stones,
        "initialPlayer": "W",
        "komi": 4.5,
        "rules": "chinese",
        "boardXSize": 5,
        "boardYSize": 5,
        "maxVisits": 20,
    }
    (found,) = asked(query)
    assert found["rootInfo"]["scoreLead"] == 25 - 4.5
    assert found["rootInfo"]["scoreStdev"] == 0


def test_the_stream_of_kata_analyze() -> None:
    out = io.BytesIO()
    session = Session(build, limits=Limits(simulations=300))
    lines = [b"boardsize 9", b"kata-analyze b 50 rootInfo true ownership true"]
    serve(lines, out, partial(answer, session))
    text = out.getvalue().decode()
    infos = [line for line in text.split("\n") if line.startswith("info ")]
    assert infos
    *moves, root = re.findall(r"scoreMean (\S+) scoreStdev (\S+) scoreLead (\S+)", infos[0])
    assert len({lead for _, _, lead in moves}) > 1
    assert all(mean == lead for mean, _, lead in [*moves, root])
    assert float(root[1]) > 1
    owners = [float(word) for word in infos[0].split(" ownership ")[1].split()]
    assert len(owners) == 81
    assert all(-1 <= share <= 1 for share in owners)


def test_after_two_passes_the_board_is_analysed_as_if_the_game_went_on() -> None:
    (found,) = asked(QUERY | {"moves": [*QUERY["moves"], ["B", "pass"], ["W", "pass"]]})
    assert found["moveInfos"]
    assert found["rootInfo"]["scoreStdev"] > 1
    out = io.BytesIO()
    session = Session(build, limits=Limits(simulations=20))
    lines = [b"boardsize 9", b"play b pass", b"play w pass", b"kata-analyze b 5"]
    serve(lines, out, partial(answer, session))
    assert b"\ninfo move " in out.getvalue()
