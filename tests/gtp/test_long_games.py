"""Games of tens of thousands of moves: every command answers in linear time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gtp.test_commands import Talk
from tests.records.test_hostile import grows_linearly


def passes(path: Path, count: int) -> Path:
    path.write_bytes(b"(;SZ[9]" + b";B[];W[]" * (count // 2) + b")")
    return path


def test_a_game_of_many_passes_is_loaded(tmp_path: Path) -> None:
    def load(n: int) -> None:
        talk = Talk()
        assert talk(f"loadsgf {passes(tmp_path / 'a.sgf', n)}") == ""
        assert len(talk.session.position.moves) == n // 2 * 2
        assert talk(f"gg-undo {n // 2}") == ""
        assert talk("printsgf").count(";") == n // 2 * 2 - n // 2 + 1

    assert grows_linearly(load, 4000)


@pytest.mark.slow
def test_more_than_a_game_may_have_is_not_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = Talk()
    path = passes(tmp_path / "a.sgf", 66_000)
    assert talk(f"loadsgf {path}") == "? cannot load file"
    assert "more than 65,535 moves and setup stones" in capsys.readouterr().err
    assert talk(f"loadsgf {path} 101") == ""
    assert len(talk.session.position.moves) == 100
    assert talk("genmove b") != ""


def test_a_sequence_that_ends_badly_leaves_nothing() -> None:
    def play(n: int) -> None:
        talk = Talk()
        talk("boardsize 9")
        talk("play b a1")
        assert talk("gogui-play_sequence " + "w pass b pass " * n + "w a1").startswith("? ")
        assert len(talk.session.position.moves) == 1

    assert grows_linearly(play, 400)
