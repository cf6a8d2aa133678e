"""GTP lines: every command, with random and damaged arguments, to a session with a small player."""

from __future__ import annotations

import contextlib
import io
import os
import re
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

from fuzz import damage
from katachi.gtp.commands import COMMANDS, answer
from katachi.gtp.framing import parse, serve
from katachi.gtp.session import Limits, Session
from katachi.search.engine import SearchPlayer, search_player

_SLOW: Final = ("genmove", "final", "owner", "cleanup")  # asked for more rarely
_WORDS: Final = (
    "b",
    "w",
    "BLACK",
    "White",
    "green",
    "A1",
    "e5",
    "J9",
    "T19",
    "Z99",
    "A0",
    "pass",
    "PASS",
    "resign",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "9",
    "19",
    "25",
    "7.5",
    "-0.5",
    "1e5",
    "1e999",
    "nan",
    "inf",
    "alive",
    "dead",
    "seki",
    "interval",
    "5",
    "minmoves",
    "maxmoves",
    "avoid",
    "allow",
    "A1,B2",
    "ownership",
    "rootInfo",
    "pvVisits",
    "true",
    "false",
    "rave",
    "500",
    "simulations",
    "seconds",
    "resign",
    "ponder",
    "preset",
    "widening",
    "journal",
    "{}",
    '{"scoring":"AREA"}',
    '{"scoring":',
    "é",
    "形",
    "\x01",
    "\t",
    "#",
    "\ufeff",
    "%p",
    "=",
    "?",
    "9" * 30,
    "byoyomi",
    "canadian",
    "absolute",
    "none",
    "japanese",
    "tromp-taylor",
    "game.sgf",
    "out.sgf",
    "private",
)
_PIECES: Final = (b"\n", b"\r\n", b"# ", b"\x00", b"\xff", b" ", b"play b ", b"genmove w", b"9")
_LONG: Final = re.compile(rb"(simulations|seconds)\W+[1-9]")  # would make a command take long
_SGF: Final = b"(;SZ[9]KM[6.5];B[ee];W[cc];B[gg];W[tt])"


def generate(rng: Random) -> bytes:
    """Some lines."""
    lines = [b"boardsize %d" % rng.choice((2, 3, 5, 5, 7, 9))]
    names = list(COMMANDS)
    for _ in range(rng.randrange(1, 30)):
        name = rng.choice(names)
        while any(word in name for word in _SLOW) and rng.random() < 0.7:
            name = rng.choice(names)
        words = [name, *(rng.choice(_WORDS) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5))))]
        if rng.random() < 0.4:  # what is likely to be right
            colour, place = rng.choice("bw"), f"{rng.choice('ABCDE')}{rng.randrange(1, 6)}"
            words = [rng.choice(("play", "genmove", "undo", "kata-analyze", name)), colour, place]
        if rng.random() < 0.3:
            words.insert(0, str(rng.randrange(10**4)))
        lines.append(" ".join(words).encode())
    data = b"\n".join(lines)
    return damage(data, rng, _PIECES) if rng.random() < 0.5 else data


def check(data: bytes, folder: Path) -> None:
    """Each command gets one answer, framed as it must be."""
    (folder / "game.sgf").write_bytes(_SGF)
    lines = [line for line in data.split(b"\n")[:200] if not _LONG.search(line)]
    player = _player()
    player.clear()
    session = Session(
        lambda: player,
        limits=Limits(simulations=8),
        rebuild=lambda settings: search_player(
            player.model, memory_mb=2, settings={**settings, "simulations": "8"}
        ),
    )
    out = io.BytesIO()
    said = io.StringIO()
    before = Path.cwd()
    os.chdir(folder)  # where printsgf writes
    try:
        with contextlib.redirect_stderr(said):
            serve(lines, out, partial(answer, session))
    finally:
        session.wake()
        os.chdir(before)
    wanted = []
    for line in lines:
        command = parse(line)
        if command is not None:
            wanted.append(command)
            if command.name == "quit":
                break
    text = out.getvalue().decode("utf-8", "surrogateescape")
    assert "internal error" not in text, text[-2000:]
    assert "internal error" not in said.getvalue(), said.getvalue()[-2000:]
    assert text.endswith("\n\n") or not wanted
    replies = text.split("\n\n")[:-1]
    assert len(replies) == len(wanted), (len(replies), len(wanted))
    for command, reply in zip(wanted, replies, strict=True):
        assert re.match(rf"[=?]{command.id}( |\n|$)", reply), (command, reply[:200])
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", reply), (command, reply[:200])
        finite = reply[0] == "?" or not re.search(r"\b(nan|inf)\b", reply)
        assert finite or "param" in command.name, reply[:500]


@cache
def _player() -> SearchPlayer:
    from katachi.models.model import load_model

    return search_player(load_model(), memory_mb=4, settings={"simulations": "8"})
