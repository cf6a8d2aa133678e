"""Random and damaged command lines, also while the engine analyses: each gets exactly one reply."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from katachi.gtp.commands import COMMANDS
from katachi.gtp.framing import parse
from tests.gtp.live import Live, live

pytestmark = pytest.mark.slow

LINES = 10_000
# What takes long is asked for rarely; quit ends it, loadsgf and printsgf would touch files
SLOW = {
    "genmove",
    "reg_genmove",
    "final_score",
    "final_status_list",
    "katachi-owner",
    "kgs-genmove_cleanup",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "genmove_analyze",
    "kata-set-param",
    "katachi-param",
}
NAMES = [name for name in COMMANDS if name not in {"quit", "loadsgf", "printsgf"} | SLOW]
WORDS = [
    "b",
    "w",
    "BLACK",
    "White",
    "green",
    "A1",
    "e5",
    "J9",
    "Z99",
    "pass",
    "PASS",
    "0",
    "1",
    "-1",
    "7.5",
    "1e999",
    "nan",
    "9",
    "19",
    "alive",
    "dead",
    "interval",
    "5",
    "maxmoves",
    "avoid",
    "ownership",
    "true",
    "rave",
    "500",
    "{}",
    '{"scoring":',
    "é",
    "\x01",
    "\t",
    "#",
    "\ufeff",
    "%p",
    "=",
    "?",
    "99999999999999999999",
    "byoyomi",
    "japanese",
]
BYTES = [b"\x00", b"\xff\xfe", b"\x80", b"\r", b"\x1b[A", b"\xc3", b"\x0b"]


def lines(seed: int, count: int) -> list[bytes]:
    rng = Random(seed)
    found = []
    for number in range(count):
        kind = rng.random()
        if kind < 0.02:
            name = rng.choice(sorted(SLOW))
        elif kind < 0.75:
            name = rng.choice(NAMES)
        else:
            name = "".join(rng.choice("abcz-_0 9") for _ in range(rng.randrange(1, 9)))
        words = [name, *(rng.choice(WORDS) for _ in range(rng.randrange(5)))]
        if rng.random() < 0.5:
            words.insert(0, str(number))
        line = " ".join(words).encode()
        if rng.random() < 0.15:
            at = rng.randrange(len(line) + 1)
            line = line[:at] + rng.choice(BYTES) + line[at:]
        if rng.random() < 0.05:
            line = line[: rng.randrange(len(line) + 1)]
        if rng.random() < 0.02:
            line = line * 50
        if b"quit" not in line and b"sgf" not in line:
            found.append(line.replace(b"\n", b""))
    return found


def memory(engine: Live) -> int:
    """Resident kilobytes."""
    status = Path(f"/proc/{engine.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found is not None
    return int(found[1])


def test_ten_thousand_lines() -> None:
    """No line is left without its reply, none gets two, and memory stays flat."""
    asked = lines(1, LINES + 600)
    assert len(asked) >= LINES
    with live("--simulations", "20", "--memory", "16") as engine:
        engine.ask("boardsize 5")
        early = 0
        for start in range(0, len(asked), 200):
            part = asked[start : start + 200]
            for line in part:
                engine.say(line)
            # Back to a small board, so that nothing takes long
            engine.say("1 boardsize 5")
            wanted = [c for line in part if (c := parse(line)) is not None]
            for command in wanted:
                reply = engine.reply()
                assert re.match(rf"[=?]{command.id}( |\n|$)", reply), (command, reply[:200])
                assert "internal error" not in reply, (command, reply)
            assert engine.reply() == "=1 "
            if start == 2000:
                early = memory(engine)
        late = memory(engine)
        assert engine.ask("name") == "= Katachi"
    assert late < early + 60_000, (early, late)


def test_while_it_analyses() -> None:
    with live("--simulations", "20", "--memory", "16") as engine:
        engine.ask("boardsize 5")
        for line in lines(2, 150):
            engine.say("lz-analyze 1000")
            assert engine.line() == b"="
            engine.say(line)
            while engine.line():
                pass  # the stream ends, whatever came
            engine.say("boardsize 5")  # ends what the line may have begun
            command = parse(line)
            if command is not None:
                assert re.match(rf"[=?]{command.id}( |\n|$)", engine.reply())
            assert engine.reply() == "= "
        assert engine.ask("name") == "= Katachi"
