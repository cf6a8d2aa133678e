"""The record of a match game as SGF: every move with its seconds and the engine's own words."""

from __future__ import annotations

import numpy as np
from sgfmill import sgf

from katachi.go.points import BLACK, WHITE
from katachi.match.game import Played
from katachi.match.record import EngineInfo
from katachi.match.settings import SIDES, MatchSettings
from katachi.records.actions import move_action
from katachi.records.game import Game
from katachi.records.write import to_sgf


def player_names(engines: dict[str, EngineInfo]) -> dict[str, str]:
    """Side → how the engine is called; the side is added where both have the same name."""
    titles = {side: engines[side].title for side in SIDES}
    if len(set(titles.values())) == len(SIDES):
        return titles
    return {side: f"{title} ({side})" for side, title in titles.items()}


def match_sgf(
    played: Played, engines: dict[str, EngineInfo], settings: MatchSettings, date: str
) -> bytes:
    """The game as SGF, with a comment to each move and one in the root."""
    record = played.record
    names = player_names(engines)
    black = record.black
    white = SIDES[1 - SIDES.index(black)]
    game = Game(
        size=settings.size,
        actions=np.array([move_action(c, p) for c, p in played.moves], np.uint16),
        komi=settings.komi,
        rules=settings.rules,
        black=names[black],
        white=names[white],
        date=date,
        result=record.result,
    )
    tree = sgf.Sgf_game.from_bytes(to_sgf(game))
    root, *nodes = tree.get_main_sequence()
    if settings.time is not None:
        main, byoyomi, stones = settings.time
        root.set_raw("TM", f"{main:g}".encode())
        if stones:
            root.set("OT", f"{stones}/{byoyomi:g} Canadian")
    root.set("GN", f"game {record.number}")
    root.set("C", _root_comment(played, engines, {BLACK: black, WHITE: white}))
    for index, comment in played.comments.items():
        if index < len(nodes):
            nodes[index].add_comment_text(comment)
    if record.detail and nodes:
        tree.get_last_node().add_comment_text(_ending(played))
    return bytes(tree.serialise())


def _root_comment(played: Played, engines: dict[str, EngineInfo], sides: dict[int, str]) -> str:
    record = played.record
    opening = len(record.opening.split())
    lines = [
        f"black: {engines[sides[BLACK]].command}",
        f"white: {engines[sides[WHITE]].command}",
        f"seconds: black {record.seconds[sides[BLACK]]:.1f}, "
        f"white {record.seconds[sides[WHITE]]:.1f}",
        *([f"opening: {opening} moves"] if opening else []),
        f"seed: {record.seed}",
        _ending(played),
    ]
    return "\n".join(lines)


def _ending(played: Played) -> str:
    record = played.record
    detail = f": {record.detail}" if record.detail else ""
    return f"{record.result} by {record.reason}{detail}"
