"""Queries of `katachi analysis`: JSON that is right, wrong, and no JSON."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from fuzz import damage
from katachi.analysis.engine import AnalysisEngine
from katachi.analysis.query import KNOWN
from katachi.search.engine import SearchPlayer, search_player

_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    19,
    25,
    7.5,
    0.1,
    1e308,
    -1e308,
    1e999,
    math.nan,
    10**30,
    "",
    "B",
    "w",
    "black",
    "Q16",
    "pass",
    "chinese",
    "japanese",
    "WHITE",
    "SIDETOMOVE",
    [],
    [[]],
    {},
    [["B", "A1"], ["B", "A1"]],
    [["B", "pass"]],
    [[1, 2]],
    [0, 0, 0],
    {"scoring": "AREA"},
    [{"player": "B", "moves": ["A1"], "untilDepth": 1}],
    [{"moves": 3}],
    "\ud800",
    "\x1b[2J",
)
_ACTIONS: Final = (
    "query_version",
    "query_models",
    "clear_cache",
    "terminate",
    "terminate_all",
    "explode",
    3,
)
_PIECES: Final = (b'"', b"{", b"}", b"[", b"]", b"null", b"NaN", b"1e999", b"\\ud800", b"\n")


def _query(rng: Random) -> dict[str, Any]:
    size = rng.choice((2, 3, 5, 5, 7, 9))
    columns = "ABCDEFGHJ"[:size]
    moves = [
        ["BW"[n % 2], f"{rng.choice(columns)}{rng.randrange(1, size + 1)}"]
        for n in range(rng.choice((0, 0, 1, 2, 4)))
    ]
    query: dict[str, Any] = {
        "id": rng.choice(("a", "b", "c")),
        "moves": moves,
        "rules": "chinese",
        "komi": 6.5,
        "boardXSize": size,
        "boardYSize": size,
        "maxVisits": rng.choice((1, 2, 8)),
    }
    for name in rng.sample(sorted(KNOWN - {"maxVisits"}), rng.choice((0, 1, 2, 4))):
        right = {
            "includeOwnership": True,
            "includePolicy": True,
            "includePVVisits": True,
            "analyzeTurns": [0, len(moves)],
            "initialPlayer": "W",
            "priority": 3,
            "reportDuringSearchEvery": 0.01,
        }
        query[name] = right[name] if name in right and rng.random() < 0.6 else rng.choice(_ODD)
    if rng.random() < 0.1:
        query = {
            "id": rng.choice(("x", None, 3)),
            "action": rng.choice(_ACTIONS),
            "terminateId": rng.choice(("a", None, 3)),
            "turnNumbers": rng.choice(([0], None, "x")),
        }
    if rng.random() < 0.05:
        query["maxVisits"] = rng.choice((0, -1, 1.5, "8", True))
    return query


def generate(rng: Random) -> bytes:
    """Some lines."""
    lines = [json.dumps(_query(rng)).encode() for _ in range(rng.randrange(1, 8))]
    data = b"\n".join(lines)
    return damage(data, rng, _PIECES) if rng.random() < 0.5 else data


def check(data: bytes, folder: Path) -> None:
    """Each query is answered, every answer is finite JSON, and no fault is told."""
    del folder
    player = _player()
    player.clear()
    told: list[str] = []
    engine = AnalysisEngine(lambda _number: player, told.append)
    wanted = 0
    try:
        for line in data.split(b"\n")[:100]:
            text = line.decode("utf-8", "replace")
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                found = None
            visits = found.get("maxVisits") if isinstance(found, dict) else None
            plain = isinstance(found, dict) and "action" not in found
            if plain and (not isinstance(visits, int) or visits > 50):
                continue  # right, perhaps, but long
            wanted += bool(text.strip())
            engine.ask(text)
    finally:
        engine.close()
    assert len(told) >= wanted
    for each in told:
        assert "\n" not in each
        answer = json.loads(each, parse_constant=_refuse)
        assert isinstance(answer, dict)
        assert "internal error" not in str(answer.get("error")), each[:2000]
        if "error" in answer or "warning" in answer:
            continue
        assert isinstance(answer["id"], str)
        if "rootInfo" in answer:
            _possible(answer)


def _possible(answer: dict[str, Any]) -> None:
    for info in [answer["rootInfo"], *answer["moveInfos"]]:
        assert 0 <= info["winrate"] <= 1, info
        assert abs(info["scoreLead"]) <= 361 + 361, info
        assert info["visits"] <= answer["rootInfo"]["visits"], info
    assert all(-1 <= share <= 1 for share in answer.get("ownership", []))


def _refuse(word: str) -> float:
    raise AssertionError(f"{word} is no JSON")


@cache
def _player() -> SearchPlayer:
    from katachi.models.model import load_model

    return search_player(load_model(), memory_mb=4)
