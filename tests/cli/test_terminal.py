"""Text of others on its way to a terminal: nothing in it is obeyed, all of it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

import katachi.cli
from katachi.cli.talk import results, screen, stages, talk
from katachi.gtp.say import say
from katachi.printable import json_text, one_line, printable, readable_name
from katachi.records.game import Notice
from tests.archives import tar_of
from tests.cli.test_learning_verbs import katachi as run

# Clear the screen, set the title, 8-bit CSI, backspace, override of direction, half a pair.
EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\x08\x7f\u202egro\u2066[red]x[/red]:smile:"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def record(name: str = EVIL, more: str = "") -> bytes:
    # A file with these would be taken for binary data.
    text = name.replace("\x07", "").replace("\x08", "").replace("]", "\\]")
    return f"(;SZ[9]CA[UTF-8]PB[{text}]PW[{text}]RU[{text}]RE[{text}]{more};B[ee];W[cc])".encode()


def assert_harmless(*texts: str) -> None:
    for text in texts:
        assert not OBEYED.search(text), ascii(text)


@given(st.text())
def test_printable(text: str) -> None:
    assert_harmless(printable(text), one_line(text))
    assert len(printable(text)) == len(text)
    assert "\n" not in one_line(text)
    printable(text).encode()


def test_printable_leaves_the_languages_alone() -> None:
    text = "聂卫平 Müller Ольга יוסי 이세돌\tB+2.5 😀\n"
    assert printable(text) == text


@given(st.dictionaries(st.text(), st.text() | st.floats(allow_nan=False) | st.none()))
def test_json_keeps_the_text(data: dict[str, object]) -> None:
    text = json_text(data, indent=1)
    assert json.loads(text) == data
    assert_harmless(text)
    text.encode()


def test_names_of_files() -> None:
    assert readable_name("a\udcff.sgf") == r"a\xff.sgf"
    assert readable_name("a\ud800") == r"a\ud800"
    assert len(readable_name("x" * 10_000)) == 500


@pytest.mark.parametrize("made", [talk, screen, results])
def test_consoles_print_text_as_it_is(made: object, capsys: pytest.CaptureFixture[str]) -> None:
    console = made()  # type: ignore[operator]
    console.print(EVIL, soft_wrap=True)
    console.print(Text(EVIL), soft_wrap=True)
    console.print(Panel(EVIL, title=EVIL))
    table = Table(EVIL, title=EVIL)
    table.add_row(EVIL)
    console.print(table)
    out = "".join(capsys.readouterr())
    assert_harmless(out)
    assert out.count("[red]x[/red]:smile:") >= 4


def test_bars_print_names_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with stages(talk()) as show:
        show("[red]x\x1b]0;t\x07", 1, 2)
    err = capsys.readouterr().err
    assert "[red]x" in err
    assert "\x1b]0" not in err
    assert "\x07" not in err


def test_no_verb_has_a_console_of_its_own() -> None:
    for path in Path(katachi.cli.__file__).parent.glob("*.py"):
        if path.name != "talk.py":
            assert "Console(" not in path.read_text(encoding="utf-8"), path
            assert "ensure_ascii" not in path.read_text(encoding="utf-8"), path


def test_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "\x1b[2Ja[red].sgf").write_bytes(record())
    (folder / "\x9b31m\nb.sgf").write_bytes(b"hello")
    (folder / "c.tar").write_bytes(tar_of({"\x1b]0;t\x07.sgf": record(more="KM[750]")}))
    (folder / "d.sgf").write_bytes(record(more="").replace(b"SZ[9]", b"SZ[\x1b[2J\\]]"))
    for more in ((), ("--all",)):
        done = run(capsys, "games", folder, "--no-cache", *more)
        assert done.code == 0
        assert_harmless(done.out, done.err)
        assert "b.sgf: skipped: no game record" in done.out
    assert done.out.count("komi in hundredths") == 2  # counted, and told
    done = run(capsys, "games", folder, "--no-cache", "--json")
    assert_harmless(done.out)
    data = json.loads(done.out)
    assert data["games"] == 2
    assert "\x9b31m\nb.sgf" in {Path(notice["source"]).name for notice in data["notices"]}


@pytest.mark.parametrize("verb", ["suggest", "explain", "review"])
def test_verbs_about_a_game(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "\x1b[2J[red].sgf"
    path.write_bytes(record(more="KM[750]"))
    for more in ((), ("--json",)):
        done = run(capsys, verb, path, *more)
        assert done.code == 0
        assert_harmless(done.out, done.err)
    if verb == "review":
        assert "[red]x[/red]" in run(capsys, verb, path).out


@pytest.mark.parametrize(
    "args", [("games",), ("review",), ("suggest",), ("evaluate", "--model"), ("match", "--a"), ()]
)
def test_sentences(
    args: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, *args, tmp_path / "\x1b]0;t\x07\x9b\n\udcff.sgf")
    assert done.code == 2
    assert_harmless(done.out, done.err)
    assert done.err.count("\n") == 1
    done.err.encode()


def test_what_the_engine_says(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"cannot load file: {EVIL}\n")
    assert_harmless(capsys.readouterr().err)


def test_notices_are_one_line() -> None:
    assert str(Notice("skipped", "a\nb\x1b", "", "c\td", EVIL)).isprintable()
