"""SGF out: a game as FF[4], CA[UTF-8], main line only."""

from __future__ import annotations

from katachi import __version__
from katachi.go.points import PASS, letters
from katachi.records.actions import SETUP, colours_of, points_of
from katachi.records.course import MOVE_NAMES, STONE_NAMES, STONES
from katachi.records.game import Game
from katachi.records.grammar import GameTree, serialise
from katachi.records.values import raw_text

_ORDER = [*STONES, "PL"]  # in which a node's setup is read


def to_sgf(game: Game) -> bytes:
    """The game as SGF. What `parse_games` reads from it equals the game, but for its source."""
    komi = "" if game.komi is None else f"{game.komi:.10g}"
    handicap = str(game.handicap) if game.handicap else ""
    texts = {
        "KM": komi,
        "HA": handicap,
        "RU": game.rules,
        "PB": game.black,
        "PW": game.white,
        "BR": game.black_rank,
        "WR": game.white_rank,
        "DT": game.date,
        "RE": game.result,
        "EV": game.event,
    }
    root: dict[str, list[bytes]] = {
        "FF": [b"4"],
        "CA": [b"UTF-8"],
        "GM": [b"1"],
        "SZ": [str(game.size).encode()],
        "AP": [f"Katachi:{__version__}".encode()],
    }
    root |= {name: [raw_text(text)] for name, text in texts.items() if text}
    tree = GameTree()
    tree.sequence = [root]
    last = 0  # index in _ORDER of what the last node got; len(_ORDER) once it holds a move
    colours, points = colours_of(game.actions).tolist(), points_of(game.actions).tolist()
    for action, colour, p in zip(game.actions.tolist(), colours, points, strict=True):
        if not action & SETUP:
            tree.sequence.append({MOVE_NAMES[colour]: [letters(p).encode()]})
            last = len(_ORDER)
            continue
        name = "PL" if p == PASS else STONE_NAMES[colour]
        value = MOVE_NAMES[colour] if p == PASS else letters(p)
        given = tree.sequence[-1].get(name, [])
        if _ORDER.index(name) < last or value.encode() in given or (given and p == PASS):
            tree.sequence.append({})
        tree.sequence[-1].setdefault(name, []).append(value.encode())
        last = _ORDER.index(name)
    return serialise(tree)
