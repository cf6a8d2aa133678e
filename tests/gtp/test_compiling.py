"""While kernels are compiled beside it, the engine answers what needs none."""

from __future__ import annotations

import json
from subprocess import Popen
from threading import Event
from typing import Any, cast

import pytest

from katachi.analysis.held import Held
from katachi.go import kernel
from katachi.go.position import Position
from katachi.gtp import compiling as compiling_module
from katachi.gtp.compiling import Compiling
from katachi.gtp.session import Session
from katachi.search.player import Player

TOLD = "compiling kernels, once: about 14 s"


class FakeCompiler:
    """A process that compiles: it ends when somebody waits for it."""

    def __init__(self) -> None:
        self.waited = self.killed = False

    def wait(self) -> int:
        self.waited = True
        return 0

    def kill(self) -> None:
        self.killed = True


class Engine:
    """A session whose player counts how often it is made, and what the session says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ready: bool, beside: bool = True) -> None:
        self.said: list[str] = []
        self.rehearsed: list[bool] = []
        self.compiler = FakeCompiler()
        monkeypatch.setattr(compiling_module, "say", self.said.append)
        monkeypatch.setattr(kernel, "compiled_before", lambda _what: ready or self.compiler.waited)
        monkeypatch.setattr(kernel, "mark_compiled", lambda _what: None)
        monkeypatch.setattr(
            Session, "_rehearse", lambda _s, _p, everything: self.rehearsed.append(everything)
        )
        self.session = Session(
            lambda: cast(Player, object()),
            compiling=Compiling(
                begin=lambda: cast("Popen[bytes]", self.compiler) if beside else None,
                sentence=lambda: TOLD,
            ),
        )


def test_a_board_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(monkeypatch, ready=False)
    for size in (9, 13):
        engine.session.restart(Position(size))
        engine.session.position.play(engine.session.position.legal_moves()[0])
    assert engine.said == [TOLD]
    assert not engine.compiler.waited
    assert engine.rehearsed == []


def test_a_move_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(monkeypatch, ready=False)
    engine.session.restart(Position(9))
    engine.session.warm_up()
    assert engine.compiler.waited
    assert engine.rehearsed == [False]  # it finds the kernels in the cache
    assert [text.split(";")[0] for text in engine.said] == [TOLD, "kernels are compiled"]
    engine.session.warm_up()
    engine.session.restart(Position(9))
    assert len(engine.rehearsed) == 1


def test_what_is_compiled_is_loaded_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(monkeypatch, ready=True)
    engine.session.restart(Position(9))
    assert engine.rehearsed == [False]
    assert engine.said == []


def test_without_a_process_it_compiles_here(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(monkeypatch, ready=False, beside=False)
    engine.session.restart(Position(9))
    assert engine.rehearsed == [True]
    assert engine.said[0] == TOLD


def test_the_end_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(monkeypatch, ready=False)
    engine.session.restart(Position(9))
    engine.session.end()
    assert engine.compiler.killed


def _query(**what: Any) -> str:
    return json.dumps(what)


def test_queries_are_held_and_keep_their_order() -> None:
    ready, asked = Event(), list[str]()
    held = Held(asked.append, ready.wait)
    lines = [_query(id="a", moves=[]), "no JSON", _query(id="b", action="terminate")]
    version = _query(id="v", action="query_version")
    for line in (*lines, version):
        held.ask(line)
    assert asked == [version]
    ready.set()
    held.close()
    assert asked == [version, *lines]
    held.ask(lines[0])
    assert asked == [version, *lines, lines[0]]
