"""`katachi gtp` as a controller finds it: a process, its pipes, its signals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from katachi.cli import gtp
from katachi.search.player import RULES
from tests.cli.test_cli import katachi, one_sentence
from tests.gtp.spoken import spoken
from tests.gtp.toys import LONG
from tests.trained import trained

pytestmark = pytest.mark.slow

QUICK = ["protocol_version", "name", "version", "known_command play", "list_commands", "quit"]
HEAVY = {"numba", "numpy", "scipy", "llvmlite", "rich", "sgfmill", "safetensors"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model for 9x9."""
    path = tmp_path_factory.mktemp("gtp") / "small.katachi"
    trained().save(path)
    return path


class Process:
    """`katachi gtp` as a controller has it: asked and answered, line by line."""

    def __init__(self, *args: str | Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "katachi", "gtp", *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def reply(self) -> str:
        assert self.process.stdout is not None
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line)
        return "".join(lines).strip()

    def ask(self, command: str) -> str:
        self.send(command + "\n")
        return self.reply()

    def close(self) -> tuple[int, str]:
        """(exit code, stderr)."""
        _, error = self.process.communicate(timeout=LONG)
        return self.process.returncode, error


@pytest.fixture
def pattern(model: Path) -> Iterator[Process]:
    process = Process("--player", "pattern", "--model", model)
    yield process
    if process.process.poll() is None:
        process.process.kill()
        process.close()


def test_the_rules_are_those_of_the_players() -> None:
    assert gtp.RULES == RULES


def test_the_first_replies_import_nothing_heavy() -> None:
    code = (
        "import sys, katachi.cli\n"
        "try: katachi.cli.main(['gtp'])\n"
        "except SystemExit: pass\n"
        "print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(QUICK) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert not HEAVY & set(done.stderr.split())
    replies = done.stdout.split("\n\n")
    assert replies[:2] == ["= 2", "= Katachi"]
    assert re.fullmatch(r"= \d+\.\d+\.\d+", replies[2])
    assert replies[3] == "= true"
    assert len(replies) == len(QUICK) + 1


def test_a_script_plays_to_its_end(model: Path) -> None:
    """Every command is answered, the last one without a newline; the input's end is no hurry."""
    moves = "".join(f"{n} genmove {'bw'[n % 2]}\n" for n in range(30))
    script = f"boardsize 9\n# comment\n\n\tkomi 6.5\r\n{moves}foo\nshowboard\n99 final_score"
    done = spoken(script, "--player", "pattern", "--model", model)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    replies = done.stdout.split("\n\n")
    assert replies[-1] == ""
    assert len(replies) == 2 + 30 + 3 + 1
    assert replies[0] == replies[1] == "= "
    for n in range(30):
        assert re.fullmatch(rf"={n} ([A-HJ][1-9]|pass)", replies[2 + n])
    assert replies[-4] == "? unknown command"
    assert replies[-3].startswith("= \n   A B C")
    assert re.fullmatch(r"=99 ([BW]\+\d+(\.\d+)?|0)", replies[-2])
    # The same seed, the same game.
    assert spoken(script, "--player", "pattern", "--model", model).stdout == done.stdout


def test_seed_and_temperature(model: Path) -> None:
    script = "boardsize 9\n" + "genmove b\ngenmove w\n" * 6
    options = ("--player", "pattern", "--model", model, "--temperature", "1")
    one, two = (spoken(script, *options, "--seed", seed).stdout for seed in ("1", "2"))
    assert one != two
    assert spoken(script, *options, "--seed", "1").stdout == one


def test_any_bytes(model: Path) -> None:
    """Whatever comes, the process lives and answers."""
    junk = bytes(range(256)) * 3 + b"\nplay \xff\xfe D4\n12 \xc3\x28\nloadsgf \xe4.sgf\n\x00\n"
    done = subprocess.run(
        [sys.executable, "-m", "katachi", "gtp", "--player", "pattern", "--model", str(model)],
        input=junk + b"77 name\nquit\nname\n",
        capture_output=True,
        timeout=LONG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(b"=77 Katachi\n\n= \n\n")
    assert b"?12 unknown command\n\n" in done.stdout
    assert b"? cannot load file\n\n" in done.stdout
    assert b"Traceback" not in done.stderr


def test_a_conversation(pattern: Process) -> None:
    assert pattern.ask("1 boardsize 9") == "=1"
    assert pattern.ask("2 play b E5") == "=2"
    assert re.fullmatch(r"=3 [A-HJ]\d", pattern.ask("3 genmove w"))
    assert pattern.ask("4 boardsize 19") == "=4"
    expected = "?5 the position is on 19x19, but the shapes were harvested on 9x9"
    assert pattern.ask("5 genmove b") == expected
    assert pattern.ask("6 quit") == "=6"
    assert pattern.close()[0] == 0


def test_the_default_model_is_there() -> None:
    commands = "genmove b\nboardsize 9\ngenmove b\nboardsize 7\ngenmove b\n"
    replies = spoken(commands, "--player", "pattern").stdout.split("\n\n")
    assert re.fullmatch(r"= [A-T]\d+", replies[0])
    assert re.fullmatch(r"= [A-J]\d", replies[2])
    known = "9x9, 13x13, 19x19"
    assert replies[4] == f"? the position is on 7x7, but the shapes were harvested on {known}"


def test_compiling_is_told(tmp_path: Path, model: Path) -> None:
    """Where no cache can be, it is compiled every time: `name` first, then the words."""
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    process = subprocess.Popen(
        [sys.executable, "-m", "katachi", "gtp", "--player", "pattern", "--model", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"KATACHI_CACHE_DIR": str(blocked / "x")},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write("name\nboardsize 9\n")
    process.stdin.flush()
    assert process.stdout.readline() == "= Katachi\n"
    told = process.stderr.readline()
    assert told.startswith("katachi: compiling kernels")
    assert "every time: the cache folder cannot be written" in told
    process.kill()
    process.communicate()


def test_ctrl_c_is_quiet(pattern: Process) -> None:
    assert pattern.ask("boardsize 9") == "="
    os.killpg(pattern.process.pid, signal.SIGINT)
    code, error = pattern.close()
    assert code == 130
    assert "Traceback" not in error
    assert "interrupted" not in error


def test_a_closed_pipe_is_quiet() -> None:
    """As in `katachi gtp | head -1`."""
    engine = Process()
    assert engine.ask("name") == "= Katachi"
    assert engine.process.stdout is not None
    assert engine.process.stdin is not None
    assert engine.process.stderr is not None
    engine.process.stdout.close()
    with suppress(BrokenPipeError):  # it may be gone already
        engine.send("name\n" * 50)
        engine.process.stdin.close()
    assert engine.process.stderr.read() == ""
    engine.process.stderr.close()
    assert engine.process.wait(LONG) == 0


def test_a_terminal_is_told_what_this_is() -> None:
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "katachi", "gtp"],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(master, b"name\nquit\n")
    out, error = process.communicate(timeout=LONG)
    os.close(master)
    os.close(slave)
    assert out == "= Katachi\n\n= \n\n"
    assert "speaking GTP" in error


SLOW = """
import sys
import katachi.cli.gtp as verb
import katachi.gtp.lines
from tests.gtp.test_commands import Simple
from katachi.search.player import Choice

class Slow(Simple):
    def choose(self, game, budget, stop=None):
        if stop is not None:
            print("thinking", file=sys.stderr, flush=True)
            heard = stop.wait(float(sys.argv.pop()))
            print("ended" if heard else "not ended", file=sys.stderr, flush=True)
        return super().choose(game, budget, None)

katachi.gtp.lines._SETTLED = 600  # a busy machine may need long to read what waits

verb._pattern_player = lambda *_: Slow()
sys.exit(verb.command(["--player", "pattern"], standalone_mode=False))
"""


def test_what_waits_does_not_end_the_thinking(tmp_path: Path) -> None:
    path = tmp_path / "script"  # a file waits whole; a pipe is filled as fast as the machine goes
    path.write_text("boardsize 9\ngenmove b\ngenmove w\nname\n" + "name\n" * 20_000)
    with path.open("rb") as script:
        done = subprocess.run(
            [sys.executable, "-c", SLOW, "0.2", "0.3"],
            stdin=script,
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
    assert "internal error" not in done.stdout
    talk = [line for line in done.stderr.splitlines() if line in ("ended", "not ended")]
    assert talk == ["not ended", "not ended"]


def test_a_new_command_ends_the_thinking() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "3600"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("boardsize 9\ngenmove b\n")
    process.stdin.flush()
    while process.stderr.readline() != "thinking\n":
        assert process.poll() is None
    process.stdin.write("# not a command\n\n")
    process.stdin.flush()
    process.stdin.write("quit\n")
    process.stdin.flush()
    out, error = process.communicate(timeout=LONG)
    assert out == "= \n\n= A9\n\n= \n\n"
    assert process.returncode == 0
    assert error.splitlines()[-1] == "ended"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--model", "no-such.katachi"], "no-such.katachi does not exist"),
        (["--model", "/"], "/ is a folder, not a model"),
        (["--player", "random"], "'random' is not one of"),
        (["--rules", "french"], "'french' is not one of"),
        (["--simulations", "0"], "not in the range"),
        (["--seconds", "0"], "not in the range"),
        (["--seconds", "x"], "is not a valid float"),
        (["--temperature", "1"], "--temperature is for --player pattern"),
        (["--player", "pattern", "--temperature", "-1"], "not in the range"),
        (["--player", "pattern", "--threads", "2"], "--threads is for --player search"),
        (["--player", "pattern", "--memory", "2"], "--memory is for --player search"),
        (["--player", "pattern", "--setting", "a=b"], "--setting is for --player search"),
        (["--setting", "ucb"], "--setting 'ucb' is not NAME=VALUE"),
        (["--setting", "=1"], "--setting '=1' is not NAME=VALUE"),
        (["--setting", "ravee=1"], "there is no setting 'ravee': choose from preset, playouts"),
        (["--setting", "rave=x"], "the setting rave=x is not a number"),
        (["--setting", "preset=best"], "there is no preset 'best': choose from default"),
    ],
)
def test_mistakes_are_one_sentence(args: list[str], words: str) -> None:
    assert words in one_sentence(katachi("gtp", *args))


def test_a_damaged_model_is_told_when_it_is_needed(tmp_path: Path, model: Path) -> None:
    cut = tmp_path / "cut.katachi"
    cut.write_bytes(model.read_bytes()[:5000])
    done = spoken("name\ngenmove b\nname\n", "--player", "pattern", "--model", cut)
    assert done.returncode == 0
    replies = done.stdout.split("\n\n")
    assert replies[0] == replies[2] == "= Katachi"
    assert re.match(r"\? .*cut.katachi is no model, or cut short", replies[1])
