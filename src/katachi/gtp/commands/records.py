"""Game records: a game from an SGF file, the game as SGF."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from sgfmill import sgf

from katachi.folders import write_whole
from katachi.go.points import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from katachi.gtp.commands import command
from katachi.gtp.framing import SYNTAX, Command, GtpError
from katachi.gtp.say import say
from katachi.gtp.session import Session
from katachi.records import headers
from katachi.records.actions import move_action, setup_action, turn_action
from katachi.records.game import CUT, Game
from katachi.records.sgf import parse_games
from katachi.records.sources import MAX_BYTES
from katachi.records.write import to_sgf

_WITH_NUMBER = re.compile(r"(.*\S)\s+(\d{1,9})", re.ASCII)
_STONES = (BLACK, WHITE)
_RULES = {"chinese": "Chinese", "japanese": "Japanese", "tromp-taylor": "Tromp-Taylor"}


@command("loadsgf", "FILE [N] …")
def loadsgf(session: Session, asked: Command) -> None:
    """The first game of the file, to its end or before move N; and its komi.

    A damaged file is mended. One that breaks the rules before that move is not loaded, and stderr
    tells why.
    """
    if not asked.args:
        raise GtpError(SYNTAX)
    try:
        path, before = _file_and_number(asked.rest)
        game = _read(path, before)
        moves = len(game.moves)
        position = game.position(moves if before is None else min(before - 1, moves))
    except (OSError, ValueError) as error:
        say(f"cannot load file: {error}")
        raise GtpError("cannot load file") from None
    if game.komi is not None:
        session.komi = game.komi
    session.restart(position, game.handicap)


def _file_and_number(text: str) -> tuple[Path, int | None]:
    """File names may have spaces, and even end with a number: what exists decides."""
    match = _WITH_NUMBER.fullmatch(text)
    if not match or Path(text).exists():
        return Path(text), None
    before = int(match[2])
    if before < 1:
        raise GtpError(SYNTAX)
    return Path(match[1]), before


def _read(path: Path, before: int | None) -> Game:
    """The first game of a file. Raises OSError or ValueError if it has no such move."""
    if not path.is_file():  # reading a device might never end
        raise ValueError(f"{path} is no file")
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path} is too large for a game")
    data = path.read_bytes()
    games, notices = parse_games(data, str(path))
    if not games and any(notice.reason == "no moves" for notice in notices):
        return _without_moves(data)
    if not games or games[0].source not in (str(path), f"{path}#1"):
        raise ValueError(str(notices[0]))
    game = games[0]
    cut = [n for n in notices if n.kind == CUT and n.source == game.source]
    if cut and (before is None or before > len(game.moves) + 1):
        raise ValueError(str(cut[0]))
    return game


def _without_moves(data: bytes) -> Game:
    """The terms of a game that has not begun: no corpus wants it, but a controller may."""
    root = sgf.Sgf_game.from_bytes(data).get_root()
    size = root.get_size()
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board size {size} is not between {MIN_SIZE} and {MAX_SIZE}")
    text = root.get_raw("KM").decode("ascii", "replace") if root.has_property("KM") else ""
    return Game(size, np.zeros(0, np.uint16), headers.komi(text)[0])


@command("printsgf", "[FILE] …")
def printsgf(session: Session, asked: Command) -> str | None:
    """The game as SGF, in the reply or in a file, which is replaced."""
    data = to_sgf(_record(session))
    if not asked.rest:
        return data.decode("utf-8").strip()
    write_whole(Path(asked.rest), data)
    return None


def _record(session: Session) -> Game:
    position = session.position
    _, stones, first = position.beginning
    actions = [setup_action(colour, p) for p, colour in enumerate(stones) if colour in _STONES]
    if first != BLACK:
        actions.append(turn_action(first))
    actions += [move_action(colour, p) for colour, p in position.moves]
    return Game(
        position.size,
        np.array(actions, np.uint16),
        session.komi,
        session.handicap,
        _RULES[session.rules],
    )
