"""KaTrain's own engine class drives `katachi analysis` through a game, without a window.

It comes with `pip install katachi[gui-tests]`; elsewhere the test is left out.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

import pytest

# KaTrain's libraries read the command line and write logs if nobody tells them not to.
for _name in ("KIVY_NO_ARGS", "KIVY_NO_CONSOLELOG", "KIVY_NO_FILELOG", "KIVY_NO_CONFIG"):
    os.environ.setdefault(_name, "1")
engine_module = pytest.importorskip("katrain.core.engine", exc_type=ImportError)

GAME = "E5 C7 G7 C3 G3 C5 E7 D6 E6 D5 D4 C4 E3 F4"


class Window:
    """All that the engine class wants of KaTrain's window."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def log(self, text: object, level: float = 0) -> None:
        """Levels below 0 are errors."""
        if level < 0:
            self.errors.append(str(text))

    def update_state(self) -> None:
        """Nothing is drawn."""


def test_a_game() -> None:
    from katrain.core.game_node import GameNode, Move

    window = Window()
    command = f"{shlex.quote(sys.executable)} -m katachi analysis --memory 64"
    config: dict[str, Any] = {
        "backend": "custom", "altcommand": command, "max_visits": 120, "fast_visits": 25,
        "max_time": 60.0, "wide_root_noise": 0.0, "_enable_ownership": True,
        "allow_recovery": False,
    }  # fmt: skip
    engine = engine_module.KataGoEngine(window, config)
    try:
        node = GameNode(properties={"SZ": ["9"], "KM": ["6.5"], "RU": ["chinese"]})
        nodes = [node]
        for number, name in enumerate(GAME.split()):
            node = node.play(Move.from_gtp(name, "BW"[number % 2]))
            nodes.append(node)
        for node in nodes:
            node.analyze(engine, report_every=0.05)
        engine.wait_to_finish()
        assert not window.errors
        for node in nodes:
            assert node.analysis_complete
            assert 0 <= node.winrate <= 1
            assert abs(node.score) <= 81 + 6.5
            assert len(node.ownership) == 81
            assert len(node.policy) == 82
            moves = node.candidate_moves
            assert moves[0]["order"] == 0
            assert len({move["pointsLost"] for move in moves if "pointsLost" in move}) > 1
        lost = [node.points_lost for node in nodes[1:]]
        assert all(abs(points) < 40 for points in lost)
        assert len(set(lost)) > 5
        # Alternatives, a region, and a query that is ended
        nodes[3].analyze(engine, find_alternatives=True)
        nodes[4].analyze(engine, region_of_interest=[0, 4, 0, 4])
        nodes[5].analyze(engine, ponder=True)
        engine.stop_pondering()
        engine.on_new_game()
        nodes[6].analyze(engine, visits=150)
        engine.wait_to_finish()
        assert not window.errors
    finally:
        engine.shutdown(finish=None)
