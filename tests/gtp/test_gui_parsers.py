"""What Sabaki and Lizzie make of our lines: their readers' rules, in our own words."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from functools import partial

import pytest

from katachi import __version__
from katachi.gtp.commands import answer
from katachi.gtp.framing import serve
from katachi.gtp.session import Limits, Session
from katachi.models.model import load_model
from katachi.search.engine import search_player
from katachi.search.player import Player

VERTEX = re.compile(r"[A-Za-z]\d+")


def build() -> Player:
    return search_player(load_model(), memory_mb=16)


def session(version: str | None = None) -> Session:
    return Session(build, limits=Limits(simulations=200), version=version)


def asked(one: Session, *lines: str) -> list[str]:
    """The lines of all replies."""
    out = io.BytesIO()
    serve([line.encode() for line in lines], out, partial(answer, one))
    return out.getvalue().decode().split("\n")


# -- Sabaki ------------------------------------------------------------------------------------

SABAKI_ANALYSES = ("analyze", "kata-analyze", "lz-analyze")  # in the order of its wishes
SABAKI_GENMOVES = ("genmove_analyze", "kata-genmove_analyze", "lz-genmove_analyze")


@dataclass
class Variation:
    move: str
    visits: int
    percent: float
    lead: float | None
    moves: list[str] = field(default_factory=list)


def sabaki(line: str, command: str) -> list[Variation]:
    """The variations of an info line: pairs of a name and a value, and the moves at the end.

    The win rate is a fraction for commands that begin with kata, else ten-thousandths.
    What ends with anything but moves, has no move or no win rate, or is a pass, is left out.
    """
    found = []
    for part in re.split(r"\s*info\s+", line)[1:]:
        words = part.split()
        if "pv" not in words:
            continue
        pv = words[words.index("pv") + 1 :]
        pairs = words[: words.index("pv")]
        if not pv or not all(word == "pass" or VERTEX.fullmatch(word) for word in pv):
            continue
        values = dict(zip(pairs[::2], pairs[1::2], strict=True))
        if not VERTEX.fullmatch(values["move"]):
            continue
        rate = float(values["winrate"])
        lead = float(values["scoreLead"]) if "scoreLead" in values else None
        percent = 100 * rate if command.startswith("kata") else rate / 100
        found.append(Variation(values["move"], int(values["visits"]), percent, lead, pv))
    return found


@pytest.mark.parametrize("command", [*SABAKI_ANALYSES, *SABAKI_GENMOVES])
def test_what_sabaki_shows(command: str) -> None:
    """It showed 0 % for `analyze`, which it asks first."""
    one = session()
    lines = asked(one, "boardsize 9", f"{command} B 20")
    infos = [line for line in lines if line.startswith("info ")]
    assert infos
    for line in infos:
        found = sabaki(line, command)
        assert len(found) == line.count("info ")
        assert 20 < found[0].percent < 80  # an empty board
        assert all(0 <= one.percent <= 100 for one in found)
        assert found[0].moves[0] == found[0].move
        if command.startswith("lz"):
            assert found[0].lead is None
        else:
            assert found[0].lead is not None
            assert abs(found[0].lead) <= 81 + 7.5
    if "genmove" in command:
        assert sum(line.startswith("play ") for line in lines) == 1


def test_what_sabaki_asks_first() -> None:
    known = asked(session(), "list_commands")
    assert known[0] == "= protocol_version"
    assert SABAKI_ANALYSES[0] in known
    assert SABAKI_GENMOVES[0] in known


def test_a_pass_alone_is_nothing_for_sabaki() -> None:
    assert sabaki("info move pass visits 3 winrate 5000 order 0 pv pass", "analyze") == []


# -- Lizzie ------------------------------------------------------------------------------------


def lizzie_starts(lines: list[str]) -> str:
    """What Lizzie takes the engine for after `1 name` and `2 version`: "KataGo", "Leela Zero", or
    "too old". Raises what would end its reader: answers without their number, a version without a
    second number, a summary of Leela Zero's that is none.
    """
    kind = ""
    for line in lines:
        assert " -> " not in line
        if not line.startswith(("=", "?")):
            continue
        words = line.split(" ")
        number = int(words[0][1:])
        if number == 1:
            kind = "KataGo" if words[1].startswith("KataGo") else ""
        elif number == 2 and not kind:
            minor = int(words[1].split(".")[1])
            kind = "too old" if minor < 15 else "Leela Zero"
    return kind


HANDSHAKE = ("1 name", "2 version", "3 boardsize 19", "4 komi 7.5")


def test_lizzie_finds_our_own_version_too_old() -> None:
    """We do not call ourselves what we are not: the user says it."""
    lines = asked(session(), *HANDSHAKE)
    assert lines[:3] == ["=1 Katachi", "", f"=2 {__version__}"]
    assert lizzie_starts(lines) == "too old"


def test_lizzie_starts_with_the_version_that_the_user_gives() -> None:
    one = session("0.17")
    assert lizzie_starts(asked(one, *HANDSHAKE)) == "Leela Zero"
    assert asked(one, "name")[0] == "= Katachi"
    assert __version__ in " ".join(asked(one, "gomill-describe_engine"))


def test_what_lizzie_reads_of_a_line() -> None:
    """Whole numbers only, and nothing between the last pair and the moves."""
    one = session("0.17")
    lines = asked(one, "1 boardsize 9", "2 lz-analyze 10")
    infos = [line for line in lines if line.startswith("info ")]
    assert infos
    for part in infos[0][5:].split(" info "):
        words = part.split(" ")
        values = dict(zip(words[:-1:2], words[1::2], strict=False))
        for name in ("visits", "winrate", "prior", "lcb"):
            assert re.fullmatch(r"\d+", values[name]), (name, part)
        assert 0 <= int(values["winrate"]) <= 10_000
        assert words[words.index("pv") + 1] == values["move"]
