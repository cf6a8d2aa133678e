"""KaTrain's own engine class drives `katachi analysis` through a game, without a window.

It comes with `pip install katachi[gui-tests]`; elsewhere the test is left out.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from threading import Condition
from typing import Any

import pytest

# KaTrain's libraries read the command line and write logs if nobody tells them not to.
for _name in ("KIVY_NO_ARGS", "KIVY_NO_CONSOLELOG", "KIVY_NO_FILELOG", "KIVY_NO_CONFIG"):
    os.environ.setdefault(_name, "1")
engine_module = pytest.importorskip("katrain.core.engine", exc_type=ImportError)

GAME = "E5 C7 G7 C3 G3 C5 E7 D6 E6 D5 D4 C4 E3 F4"


LAST_GUARD = 600.0  # seconds, against a hang only


class Window:
    """All that the engine class wants of KaTrain's window."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.changed = Condition()

    def log(self, text: object, level: float = 0) -> None:
        """-1 is an error, -0.5 what the engine says on stderr."""
        if level <= -1:
            self.errors.append(str(text))

    def update_state(self) -> None:
        """After each answer."""
        with self.changed:
            self.changed.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        """Until it is so, or there was an error."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.errors or until(), LAST_GUARD)
        assert not self.errors


def test_a_game() -> None:
    node_module = import_module("katrain.core.game_node")
    window = Window()
    command = f"{shlex.quote(sys.executable)} -m katachi analysis --memory 64"
    config: dict[str, Any] = {
        "backend": "custom",
        "altcommand": command,
        "max_visits": 120,
        "fast_visits": 25,
        "max_time": 60.0,
        "wide_root_noise": 0.0,
        "_enable_ownership": True,
        "allow_recovery": False,
    }
    engine = engine_module.KataGoEngine(window, config)
    try:
        node = node_module.GameNode(properties={"SZ": ["9"], "KM": ["6.5"], "RU": ["chinese"]})
        nodes = [node]
        for number, name in enumerate(GAME.split()):
            node = node.play(node_module.Move.from_gtp(name, "BW"[number % 2]))
            nodes.append(node)
        for node in nodes:
            node.analyze(engine, report_every=0.05)
        window.wait(lambda: all(node.analysis_complete for node in nodes))
        for node in nodes:
            assert 0 <= node.winrate <= 1
            assert abs(node.score) <= 81 + 6.5
            assert len(node.ownership) == 81
            assert len(node.policy) == 82
            moves = node.candidate_moves
            assert moves[0]["order"] == 0
            assert len({move["pointsLost"] for move in moves if "pointsLost" in move}) > 1
        lost = [node.points_lost for node in nodes[1:]]
        assert all(abs(points) < 60 for points in lost)
        assert len(set(lost)) > 5
        # Alternatives, a part of the board, and thinking that is ended
        answers: dict[str, dict[str, Any]] = {}

        def kept(name: str) -> Callable[[dict[str, Any], bool], None]:
            return lambda found, partial: None if partial else answers.update({name: found})

        known = set(nodes[3].analysis["moves"])
        engine.request_analysis(nodes[3], kept("alternatives"), find_alternatives=True)
        engine.request_analysis(nodes[4], kept("part"), region_of_interest=[0, 4, 0, 4])
        window.wait(lambda: len(answers) == 2)
        assert not known & {move["move"] for move in answers["alternatives"]["moveInfos"]}
        for move in answers["part"]["moveInfos"]:
            assert move["move"] == "pass" or (move["move"][0] in "ABCDE" and move["move"][1] < "6")
        nodes[5].analyze(engine, ponder=True)
        window.wait(lambda: nodes[5].root_visits > 150)
        engine.stop_pondering()
        engine.request_analysis(nodes[6], kept("next"), visits=150)
        window.wait(lambda: "next" in answers)
    finally:
        engine.shutdown(finish=None)
