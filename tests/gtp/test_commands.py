"""The commands, asked of a session in this process; GNU Go where it knows the answer."""

from __future__ import annotations

import io
import re
import subprocess
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from threading import Event

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf

from katachi.errors import KatachiError
from katachi.go.board import is_own_eye
from katachi.go.points import BLACK, COLUMNS, PASS, WHITE, all_points, vertex
from katachi.go.position import Position
from katachi.gtp.commands import COMMANDS, REGISTERED, answer
from katachi.gtp.commands.handicap import free_handicap
from katachi.gtp.compiling import Compiling
from katachi.gtp.framing import GtpError, parse, serve
from katachi.gtp.session import Limits, Session
from katachi.models.model import load_model
from katachi.search.clock import ABSOLUTE, CANADIAN, Control, Left
from katachi.search.engine import search_player
from katachi.search.pattern_player import PatternPlayer
from katachi.search.player import RESIGN, Budget, Choice, GameState
from tests.games import bundled_sgfs
from tests.go.test_gnugo_legality import GnuGo as PlainGnuGo
from tests.gtp.test_final import SEKI


class GnuGo(PlainGnuGo):
    """A GNU Go process with other options."""

    def __init__(self, program: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [program, "--mode", "gtp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


class Simple:
    """Plays the first legal point that repeats nothing and is no eye; remembers what it saw."""

    def __init__(self) -> None:
        self.games: list[GameState] = []
        self.budgets: list[Budget] = []
        self.cleared = 0
        self.wanted: int | None = None

    def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
        assert stop is None or not stop.is_set()
        self.games.append(game)
        self.budgets.append(budget)
        if self.wanted is not None:
            return Choice(self.wanted)
        colour, board = game.position.to_move, game.position.board
        moves = game.position.legal_moves(superko=True)
        return Choice(next(p for p in moves if p == PASS or not is_own_eye(board, p, colour)))

    def owners(self, game: GameState) -> npt.NDArray[np.float64]:
        """As the stones stand: nothing is dead."""
        found = np.full(421, 0.5)
        found[game.position.owners() == BLACK] = 1.0
        found[game.position.owners() == WHITE] = 0.0
        return found

    def clear(self) -> None:
        self.cleared += 1


class Talk:
    """A session, asked by lines."""

    def __init__(self, player: object = None, **options: object) -> None:
        self.player = player or Simple()
        self.session = Session(lambda: self.player, compiling=Compiling("gtp-test"), **options)  # type: ignore

    def __call__(self, line: str) -> str:
        """The answer, or "? " and the error."""
        command = parse(line.encode())
        assert command is not None
        try:
            found = answer(self.session, command)
            return found if isinstance(found, str) else "\n".join(found.lines)
        except GtpError as error:
            return f"? {error}"

    def all(self, *lines: str) -> list[str]:
        return [self(line) for line in lines]


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_about(talk: Talk) -> None:
    assert talk("protocol_version") == "2"
    assert talk("name") == "Katachi"
    numbers = talk("version").split(".")
    assert len(numbers) == 3
    assert all(n.isdigit() for n in numbers)
    assert talk("list_commands").split("\n") == list(COMMANDS)
    assert talk("known_command genmove") == "true"
    assert talk("known_command Genmove") == "false"
    assert talk("known_command") == "? syntax error"
    assert talk("quit") == ""
    assert talk("12") == "? unknown command"
    assert talk("GENMOVE b") == "? unknown command"


def test_every_command_exists(talk: Talk) -> None:
    """With no arguments each gives an answer or a word of the protocol."""
    words = {"syntax error", "cannot undo", "bad vertex list"}
    for name in COMMANDS:
        found = talk(name)
        fine = not found.startswith("?") or found[2:] in words
        # This player has neither a search nor a model, and says so
        assert fine or found.startswith("? this player "), (name, found)


@pytest.mark.parametrize("size", [*range(2, 20)])
def test_boardsize(talk: Talk, size: int) -> None:
    talk("play b A1")
    assert talk(f"boardsize {size}") == ""
    assert talk.session.position.size == size
    assert not talk.session.position.moves
    assert len(talk("showboard").splitlines()) >= size + 4


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("boardsize 1", "unacceptable size"),
        ("boardsize 20", "unacceptable size"),
        ("boardsize 999999999", "unacceptable size"),
        ("boardsize 0", "unacceptable size"),
        ("boardsize", "syntax error"),
        ("boardsize x", "syntax error"),
        ("boardsize 9 9", "syntax error"),
        ("boardsize -9", "syntax error"),
        ("boardsize ٩", "syntax error"),
        ("boardsize 9.0", "syntax error"),
        ("komi", "syntax error"),
        ("komi x", "syntax error"),
        ("komi nan", "syntax error"),
        ("komi inf", "syntax error"),
        ("komi 1e999", "syntax error"),
        ("komi 1_0", "syntax error"),
        ("komi ٥", "syntax error"),
        ("play", "syntax error"),
        ("play b", "syntax error"),
        ("play x D4", "syntax error"),
        ("play D4 b", "syntax error"),
        ("play b D4 D5", "syntax error"),
        ("play b 44", "syntax error"),
        ("play b I5", "syntax error"),
        ("play b D", "syntax error"),
        ("play b K1", "illegal move"),
        ("play b A10", "illegal move"),
        ("play b A0", "syntax error"),
        ("play b ä1", "syntax error"),
        ("play b C3", "illegal move"),
        ("play w C3", "illegal move"),
        ("genmove", "syntax error"),
        ("genmove x", "syntax error"),
        ("genmove b w", "syntax error"),
        ("reg_genmove", "syntax error"),
        ("gg-undo x", "syntax error"),
        ("gg-undo -1", "syntax error"),
        ("gg-undo 2", "cannot undo"),
        ("fixed_handicap", "syntax error"),
        ("fixed_handicap x", "syntax error"),
        ("fixed_handicap 2", "board not empty"),
        ("place_free_handicap 2", "board not empty"),
        ("set_free_handicap A1 A2", "board not empty"),
        ("loadsgf", "syntax error"),
        ("loadsgf no-such-file.sgf", "cannot load file"),
        ("loadsgf no-such-file.sgf 3", "cannot load file"),
        ("loadsgf no-such-file.sgf 0", "syntax error"),
        ("loadsgf /", "cannot load file"),
        ("loadsgf /dev/zero", "cannot load file"),
        ("loadsgf " + "x" * 5000, "cannot load file"),
        (
            "printsgf no-such-folder/game.sgf",
            "no-such-folder/game.sgf cannot be written: No such file or directory",
        ),
        ("time_settings 1 2", "syntax error"),
        ("time_settings 1 2 x", "syntax error"),
        ("time_settings -1 0 0", "syntax error"),
        ("time_settings 1 1 1.5", "syntax error"),
        ("time_left b 1", "syntax error"),
        ("time_left x 1 0", "syntax error"),
        ("final_status_list", "syntax error"),
        ("final_status_list x", "syntax error"),
        ("final_status_list alive dead", "syntax error"),
    ],
)
def test_errors_change_nothing(talk: Talk, line: str, error: str) -> None:
    talk.all("boardsize 9", "play b C3")
    before = talk("showboard")
    assert talk(line) == f"? {error}"
    assert talk("showboard") == before


def test_komi(talk: Talk) -> None:
    shown_as = {
        "7.5": "7.5",
        "0": "0",
        "-3": "-3",
        "+6": "6",
        "6.": "6",
        ".5": "0.5",
        "1e3": "1000",
        "-0.0": "0",
        "375e-2": "3.75",
    }
    for text, shown in shown_as.items():
        assert talk(f"komi {text}") == ""
        assert talk("get_komi") == shown
    talk.all("boardsize 9", "clear_board")
    assert talk("get_komi") == "3.75"


def test_play_and_undo(talk: Talk) -> None:
    talk("boardsize 9")
    assert talk.all("play b d4", "PLAY b d4", "play BLACK E5", "play White Pass", "play w a1") == [
        "",
        "? unknown command",
        "",
        "",
        "",
    ]
    position = talk.session.position
    assert position.moves == [
        (BLACK, position.point("D4")),
        (BLACK, position.point("E5")),
        (WHITE, PASS),
        (WHITE, position.point("A1")),
    ]
    assert talk("undo") == ""
    assert talk("gg-undo 2") == ""
    assert len(position.moves) == 1
    assert talk("gg-undo 2") == "? cannot undo"
    assert talk("gg-undo 0") == ""
    assert talk("gg-undo") == ""
    assert talk("undo") == "? cannot undo"


KO = [
    "play b C4",
    "play w D4",
    "play b B3",
    "play w E3",
    "play b C2",
    "play w D2",
    "play b D3",
    "play w C3",
]


def test_a_repeated_position_may_be_played_but_is_never_made(talk: Talk) -> None:
    talk("boardsize 5")
    assert set(talk.all(*KO)) == {""}
    assert talk("play b D3") == "? illegal move"  # the plain ko
    talk.all("play b pass", "play w pass")
    assert talk("play b D3") == ""  # the board as it was before White took
    assert talk("undo") == ""
    player = talk.player
    assert isinstance(player, Simple)
    player.wanted = talk.session.position.point("D3")
    assert "superko" in talk("genmove b")
    player.wanted = None
    while (move := talk("genmove b")) != "pass":
        assert not move.startswith("?")
    hashes = talk.session.position.history.tolist()
    assert len(set(hashes[8:])) == len([m for m in talk.session.position.moves[8:] if m[1]]) + 1


def test_showboard(talk: Talk) -> None:
    talk.all("boardsize 5", *KO)
    shown = talk("showboard").split("\n")
    assert shown == [
        "",
        "   A B C D E",
        " 5 . . . . . 5",
        " 4 . . X O . 4",
        " 3 . X O . O 3",
        " 2 . . X O . 2",
        " 1 . . . . . 1",
        "   A B C D E",
        "Last move: white C3",
        "To move: black",
        "Captured by black (X): 0, by white (O): 1",
        "Komi: 7.5, rules: chinese",
    ]


def test_genmove(talk: Talk) -> None:
    talk("boardsize 9")
    player = talk.player
    assert isinstance(player, Simple)
    assert talk("reg_genmove w") == "A9"
    assert talk.session.position.moves == []
    assert talk.all("genmove b", "genmove b", "genmove w", "genmove WHITE") == [
        "A9",
        "B9",
        "C9",
        "D9",
    ]
    assert [colour for colour, _ in talk.session.position.moves] == [1, 1, 2, 2]
    assert [game.position.to_move for game in player.games[-5:]] == [2, 1, 1, 2, 2]
    assert player.budgets[-1] == Budget()
    assert player.games[-1].may_resign
    player.wanted = RESIGN
    assert talk("genmove b") == "resign"
    player.wanted = PASS
    assert talk("reg_genmove b") == "pass"
    assert len(talk.session.position.moves) == 4
    assert talk("genmove b") == "pass"
    assert len(talk.session.position.moves) == 5


def test_the_last_move_is_explained() -> None:
    class Talker(Simple):
        def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
            found = super().choose(game, budget, stop)
            return Choice(found.move, comment=f"choice {len(self.games)}")

    player = Talker()
    talk = Talk(player)
    explain = "gomill-explain_last_move"
    assert talk(f"known_command {explain}") == "true"
    assert talk(explain) == ""
    talk.all("boardsize 9", "play b E5")
    assert talk(explain) == ""
    talk("genmove w")
    said = f"choice {len(player.games)}"
    assert talk.all(explain, "reg_genmove b", explain) == [said, "B9", said]
    assert talk.all("play b D4", explain) == ["", ""]  # another's
    talk("genmove w")
    said = f"choice {len(player.games)}"
    assert talk(explain) == said
    assert talk.all("undo", explain) == ["", ""]
    player.wanted = PASS
    assert talk("genmove w") == "pass"
    assert talk(explain) == f"choice {len(player.games)}"
    player.wanted = RESIGN
    assert talk("genmove b") == "resign"
    assert talk(explain) == f"choice {len(player.games)}"
    talk("clear_board")
    assert talk(explain) == ""


def test_a_colour_out_of_turn_is_under_no_ban(talk: Talk) -> None:
    """White has just taken a ko: the ban is Black's, and White may fill it."""
    talk.all("boardsize 5", *KO)
    player = talk.player
    assert isinstance(player, Simple)
    player.wanted = talk.session.position.point("D3")
    assert talk("genmove b").startswith("? ")
    assert talk("genmove w") == "D3"
    assert player.games[-1].position.ko is None


def test_the_last_move_is_explained_for_its_colour(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White has taken a ko and fills it, out of turn: that was legal, and is explained so."""
    talk.all("boardsize 5", *KO)
    player = talk.player
    assert isinstance(player, Simple)
    player.wanted = talk.session.position.point("D3")
    assert talk("genmove w") == "D3"
    seen = []

    def opinion(_model: object, position: Position) -> None:
        seen.append((position.to_move, position.ko))
        raise KatachiError("enough")

    import_module("katachi.study.annotate")  # whose own imports are the real ones
    monkeypatch.setattr("katachi.study.opinion.Opinion", opinion)
    monkeypatch.setattr(type(talk.session), "model", None)
    talk("gomill-explain_last_move")
    assert seen == [(WHITE, None)]


def test_clear_cache_and_terms() -> None:
    talk = Talk(rules="japanese", may_resign=False)
    player = talk.player
    assert isinstance(player, Simple)
    assert talk("clear_cache") == ""
    assert player.cleared == 0  # nobody there yet
    talk.all("boardsize 9", "komi 6.5", "genmove b")
    before = player.cleared
    assert talk("clear_cache") == ""
    assert player.cleared == before + 1
    game = player.games[-1]
    assert (game.komi, game.rules, game.may_resign, game.cleanup) == (6.5, "japanese", False, False)


# -- time --------------------------------------------------------------------------------------


def test_clock(talk: Talk) -> None:
    talk("boardsize 9")
    assert talk("time_settings 60 0 0") == ""
    assert talk.session.clock.control == Control(ABSOLUTE, 60)
    assert talk("time_left b 12.5 0") == ""
    assert talk.session.clock.black.main == 12.5
    talk("genmove b")
    assert 12 < talk.session.clock.black.main < 12.5  # the engine counts, too
    assert talk.session.clock.white.main == 60
    player = talk.player
    assert isinstance(player, Simple)
    allowed = player.budgets[-1]
    assert allowed.simulations is None
    assert 0 < (allowed.seconds or 0) <= (allowed.longest or 0) < 3
    talk("clear_board")
    assert talk.session.clock.black.main == 60
    talk.all("time_settings 60 30 25", "time_left w 20 10", "time_left b -1 0")
    assert talk.session.clock.control == Control(CANADIAN, 60, 30, 25)
    assert talk.session.clock.white == Left(0, 20, 10)
    assert talk.session.clock.black == Left(0, 30, 25)
    talk("time_settings 0 1 0")
    talk("genmove b")
    assert player.budgets[-1] == Budget()


@pytest.mark.parametrize(
    ("limits", "clock", "expected"),
    [
        (Limits(500), "", Budget(500)),
        (Limits(None, 2.5), "", Budget(None, 2.5, 2.5)),
        (Limits(500, 2.5), "", Budget(500, 2.5, 2.5)),
        (Limits(500, 2.5), "time_settings 6000 0 0", Budget(500, 2.5, 2.5)),
    ],
)
def test_limits(limits: Limits, clock: str, expected: Budget) -> None:
    talk = Talk(limits=limits)
    talk("boardsize 9")
    if clock:
        talk(clock)
    assert talk.session.budget(BLACK) == expected


def test_limits_never_break_the_clock() -> None:
    talk = Talk(limits=Limits(10**6, 100))
    talk.all("boardsize 9", "time_settings 10 0 0")
    allowed = talk.session.budget(BLACK)
    assert allowed.simulations == 10**6
    assert allowed.seconds == allowed.longest
    assert 0 < (allowed.longest or 99) < 2
    talk = Talk(limits=Limits(10**6))
    talk.all("boardsize 9", "time_settings 10 0 0")
    allowed = talk.session.budget(BLACK)
    assert allowed.seconds is None
    assert 0 < (allowed.longest or 99) < 2


def test_cputime(talk: Talk) -> None:
    first = float(talk("cputime"))
    assert first > 0
    sum(i * i for i in range(200_000))
    assert float(talk("cputime")) > first


# -- handicap ----------------------------------------------------------------------------------


def black_stones(talk: Talk) -> list[str]:
    position = talk.session.position
    return [vertex(p, position.size) for p in all_points(position.size) if position.stone(p)]


def test_handicap(talk: Talk) -> None:
    talk("boardsize 9")
    assert sorted(talk("fixed_handicap 3").split()) == ["C3", "C7", "G7"]
    assert sorted(black_stones(talk)) == ["C3", "C7", "G7"]
    assert talk.session.position.to_move == WHITE
    assert talk.session.handicap == 3
    assert talk("fixed_handicap 3") == "? board not empty"
    assert talk("undo") == "? cannot undo"
    talk("clear_board")
    assert talk.session.handicap == 0
    assert talk("set_free_handicap a1 PASS") == "? bad vertex list"
    assert talk("set_free_handicap") == "? bad vertex list"
    assert talk("set_free_handicap A1") == "? bad vertex list"
    assert talk("set_free_handicap A1 a1") == "? bad vertex list"
    assert talk("set_free_handicap A1 K1") == "? bad vertex list"
    assert talk("set_free_handicap A1 x") == "? bad vertex list"
    assert talk("set_free_handicap " + " ".join(vertex(p, 9) for p in all_points(9))) == (
        "? bad vertex list"
    )
    assert black_stones(talk) == []
    assert talk("set_free_handicap e5 J9") == "E5 J9"
    assert black_stones(talk) == ["J9", "E5"]
    talk("clear_board")
    for stones in ("0", "1", "10", "81"):
        assert talk(f"fixed_handicap {stones}") == "? invalid number of stones"
    for stones in ("0", "1", "81", "999"):
        assert talk(f"place_free_handicap {stones}") == "? invalid number of stones"
    assert len(talk("place_free_handicap 80").split()) == 80
    assert len(black_stones(talk)) == 80


@pytest.mark.parametrize("size", [2, 3, 5, 8, 9, 13, 19])
def test_free_handicap(size: int) -> None:
    for stones in {*range(2, min(size * size, 30)), size * size // 2, size * size - 1}:
        points = free_handicap(size, stones)
        assert len(points) == len(set(points)) == stones
        assert set(points) <= set(all_points(size))
        if size > 6 and stones <= size:
            rows = [(p // 20 - 1, p % 20 - 1) for p in points]
            assert all(0 < x < size - 1 for place in rows for x in place)  # none on the edge
            assert min(
                abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in rows for b in rows if a != b
            ) >= (3 if size == 19 else 2)


@pytest.mark.needs("gnugo")
@pytest.mark.parametrize("size", [7, 8, 9, 11, 13, 19])
def test_fixed_handicap_as_gnugo_places_it(gnugo: str, talk: Talk, size: int) -> None:
    engine = GnuGo(gnugo)
    for stones in range(2, 10):
        engine.ask(f"boardsize {size}")
        engine.ask("clear_board")
        talk(f"boardsize {size}")
        theirs = engine.ask(f"fixed_handicap {stones}")
        ours = talk(f"fixed_handicap {stones}")
        if theirs is None:
            assert ours == "? invalid number of stones"
        else:
            assert sorted(ours.split()) == sorted(theirs.split())
    engine.close()


# -- records -----------------------------------------------------------------------------------


def test_loadsgf_is_before_the_move(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "my  game 7.sgf"
    file.write_bytes(b"(;SZ[9]KM[5.5]HA[2]AB[cc][gg];W[ee];B[ed];W[])")
    assert talk(f"loadsgf {file}") == ""
    position = talk.session.position
    assert [c for c, _ in position.moves] == [WHITE, BLACK, WHITE]
    assert (talk("get_komi"), talk.session.handicap) == ("5.5", 2)
    for number, moves in ((1, 0), (2, 1), (4, 3), (99, 3)):
        assert talk(f"loadsgf {file} {number}") == ""
        assert len(talk.session.position.moves) == moves
    assert talk(f"loadsgf {file} 1") == ""
    assert talk.session.position.to_move == WHITE
    assert sorted(black_stones(talk)) == ["C7", "G3"]


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (b"(;SZ[9])", 0),
        (b"(;SZ[9]KM[0])", 0),
        (b"(;SZ[9]AB[cc])", 0),
        (b"SZ[9];B[cc];W[dd];B[e", 2),  # mended: no parentheses, and a cut end
        (b"From: me\n\n(;SZ[9];B[cc];W[dd])", 2),
        (b"(;SZ[9];B[cc])(;SZ[9];B[cc];W[dd])", 1),
        (b"(;SZ[9];B[cc];W[cc])", None),  # a move on a stone
        (b"(;SZ[21];B[cc])", None),
        (b"(;SZ[21])", None),
        (b"(;SZ[21];B[cc])(;SZ[9];B[cc];W[dd])", None),  # the first game counts
        (b"hello", None),
        (b"", None),
        (b"\x00\x01", None),
    ],
)
def test_files_of_all_kinds(talk: Talk, tmp_path: Path, data: bytes, moves: int | None) -> None:
    talk.all("boardsize 13", "play b A1")
    file = tmp_path / "game.sgf"
    file.write_bytes(data)
    found = talk(f"loadsgf {file}")
    if moves is None:
        assert found == "? cannot load file"
        assert talk.session.position.size == 13
        assert len(talk.session.position.moves) == 1
    else:
        assert found == ""
        assert talk.session.position.size == 9
        assert len(talk.session.position.moves) == moves


def test_a_game_is_loaded_up_to_its_fault(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_bytes(b"(;SZ[9];B[cc];W[dd];B[cc];W[ee])")
    assert talk(f"loadsgf {file}") == "? cannot load file"
    assert talk(f"loadsgf {file} 4") == "? cannot load file"
    assert talk(f"loadsgf {file} 3") == ""
    assert len(talk.session.position.moves) == 2


def test_printsgf(talk: Talk, tmp_path: Path) -> None:
    talk.all("boardsize 9", "komi 0.5", "fixed_handicap 4", "play w E5", "play b pass", "play b A1")
    text = talk("printsgf")
    assert "\n\n" not in text
    game = sgf.Sgf_game.from_string(text)  # sgfmill's reader, not ours
    root = game.get_root()
    assert (game.get_size(), game.get_komi(), game.get_handicap()) == (9, 0.5, 4)
    assert root.get("RU") == "Chinese"
    assert root.get("PL") == "w"
    assert root.get("AB") == {(2, 2), (2, 6), (6, 2), (6, 6)}
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert moves == [("w", (4, 4)), ("b", None), ("b", (0, 0))]
    assert not any(node.has_property("C") for node in game.get_main_sequence())
    file = tmp_path / "my game.sgf"
    assert talk(f"printsgf {file}") == ""
    assert file.read_text(encoding="utf-8").strip() == text


@pytest.mark.parametrize("seed", range(6))
def test_printsgf_and_loadsgf_are_inverse(talk: Talk, tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    size = rng.choice([5, 9, 13])
    talk(f"boardsize {size}")
    if seed % 3 == 1:
        talk("place_free_handicap 7")
    for _ in range(seed * 8):
        talk(f"genmove {rng.choice('bw')}")
        talk(f"play {rng.choice('bw')} {COLUMNS[rng.randrange(size)]}{rng.randint(1, size)}")
    talk(f"printsgf {tmp_path / 'game.sgf'}")
    again = Talk()
    assert again(f"loadsgf {tmp_path / 'game.sgf'}") == ""
    one, two = talk.session.position, again.session.position
    assert one.moves == two.moves
    assert talk("showboard") == again("showboard")
    assert again.session.handicap == talk.session.handicap


# -- the end -----------------------------------------------------------------------------------


def test_scores(talk: Talk) -> None:
    talk.all("boardsize 5", "play b C3", "komi 7.5")
    assert talk("final_score") == "B+17.5"
    talk("komi 25")
    assert talk("final_score") == "0"
    talk("komi 30.5")
    assert talk("final_score") == "W+5.5"
    talk("komi 20")
    assert talk("final_score") == "B+5"


def test_status_lists() -> None:
    class Doubts(Simple):
        """Takes every white stone for dead."""

        def owners(self, game: GameState) -> npt.NDArray[np.float64]:  # noqa: ARG002
            return np.ones(421)

    stones = ["boardsize 5", "play b B2", "play w D4", "play w D5", "play w A5"]
    talk = Talk(Doubts())
    talk.all(*stones)
    assert talk("final_status_list dead").split("\n") == ["A5", "D5 D4"]
    assert talk("final_status_list Alive") == "B2"
    assert talk("final_status_list seki") == ""
    assert talk("final_score") == "B+17.5"
    talk = Talk(Doubts(), rules="tromp-taylor")
    talk.all(*stones)
    assert talk("final_status_list dead") == ""
    assert len(talk("final_status_list alive").split("\n")) == 3


def test_seki_is_listed(talk: Talk) -> None:
    talk.session.restart(Position.from_diagram(SEKI))
    assert talk("final_status_list seki").split("\n") == ["C7 C6 C5 D5", "E7 E6 E5"]
    assert len(talk("final_status_list alive").split("\n")) == 2


def test_no_owners_no_score() -> None:
    class Helpless(Simple):
        def owners(self, game: GameState) -> npt.NDArray[np.float64]:  # noqa: ARG002
            raise KatachiError("it does not know")

    talk = Talk(Helpless())
    assert talk("final_score") == "? cannot score"
    assert talk("final_status_list dead") == "? cannot score"


class NoModel:
    """For a player that only counts."""

    method = "bradley-terry"

    def probabilities(self, position: Position) -> dict[int, float]:
        return dict.fromkeys(position.legal_moves(), 1.0)


@pytest.fixture(scope="module")
def counting() -> dict[str, Talk]:
    """Sessions whose player counts by playouts alone."""
    return {
        rules: Talk(PatternPlayer(NoModel()), rules=rules)  # type: ignore[arg-type]
        for rules in ("chinese", "japanese")
    }


@pytest.mark.slow
@pytest.mark.needs("gnugo")
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_finished_games_as_gnugo_counts_them(
    gnugo: str, counting: dict[str, Talk], tmp_path: Path, rules: str
) -> None:
    """Random games see one position of these as even that GNU Go sees as settled: no. 23."""
    engine = GnuGo(gnugo, "--level", "1", f"--{rules}-rules")
    talk = counting[rules]
    agreed = []
    dead = 0
    names = [f"gnugo-09-{n:03}.sgf" for n in range(16, 31)] + ["gnugo-19-001.sgf"]
    for name in names:
        file = tmp_path / name
        file.write_bytes(bundled_sgfs()[name])
        assert talk(f"loadsgf {file}") == ""
        assert engine.ask(f"loadsgf {file}") is not None
        ours = talk("final_score")
        if ours == engine.ask("final_score"):
            agreed.append(name)
            theirs = (engine.ask("final_status_list dead") or "").split()
            assert sorted(talk("final_status_list dead").split()) == sorted(theirs)
            dead += len(theirs)
    engine.close()
    assert sorted(set(names) - set(agreed)) == ["gnugo-09-023.sgf"]
    assert dead > 20


# -- whatever comes ----------------------------------------------------------------------------


def test_faults_are_told_and_survived(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(Simple):
        def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
            if stop is not None:
                raise ZeroDivisionError("by\n\nnought")
            return super().choose(game, budget, stop)

    class Worse(Broken):
        def clear(self) -> None:
            raise RuntimeError("even before the game")

    talk = Talk(Worse())
    assert talk("boardsize 9") == ""
    assert "RuntimeError: even before the game" in capsys.readouterr().err
    talk = Talk(Broken())
    assert talk("genmove b") == "? internal error: ZeroDivisionError: by nought"
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "katachi: internal error: ZeroDivisionError: by nought (in genmove)"
    assert talk("name") == "Katachi"


def test_a_user_s_mistake_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def build() -> Simple:
        raise KatachiError("there is no such model")

    session = Session(build, compiling=Compiling("gtp-test"))
    talk = Talk()
    talk.session = session
    assert talk("boardsize 9") == ""
    assert "katachi: there is no such model" in capsys.readouterr().err
    assert talk("genmove b") == "? there is no such model"
    assert talk("clear_board") == ""
    assert "no such model" not in capsys.readouterr().err  # once is enough


def test_a_board_the_player_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    class OnlyNine(Simple):
        def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
            if game.position.size != 9:
                raise KatachiError("only 9x9")
            return super().choose(game, budget, stop)

    talk = Talk(OnlyNine())
    assert talk("clear_board") == ""
    assert "only 9x9" not in capsys.readouterr().err
    assert talk("genmove b") == "? only 9x9"
    assert talk.all("boardsize 9", "genmove b") == ["", "A9"]


WORDS = st.one_of(
    st.sampled_from(
        [
            "b",
            "W",
            "black",
            "D4",
            "a1",
            "pass",
            "K11",
            "0",
            "1",
            "2",
            "9",
            "20",
            "7.5",
            "-1",
            "alive",
            "dead",
            "seki",
            "x.sgf",
            "resign",
            "nan",
        ]
    ),
    st.text(max_size=6),
)
NAMES = st.sampled_from([name for name in COMMANDS if name not in ("printsgf", "quit")])


@settings(max_examples=150)
@given(st.lists(st.tuples(NAMES, st.lists(WORDS, max_size=4)), max_size=12))
def test_no_arguments_are_an_internal_error(asked: list[tuple[str, list[str]]]) -> None:
    talk = Talk()
    talk("boardsize 5")
    for name, words in asked:
        found = talk(" ".join([name, *words]).encode("utf-8", "replace").decode())
        assert "internal error" not in found, (name, words)
        assert talk("list_commands")


LINES = st.one_of(
    st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")),
    st.builds(
        lambda number, name, words: " ".join([*number, name, *words]).encode("utf-8", "replace"),
        st.lists(st.integers(0, 10**12).map(str), max_size=1),
        NAMES,
        st.lists(WORDS.map(lambda word: word.replace("\n", "")), max_size=3),
    ),
)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(LINES, max_size=10))
def test_every_line_with_a_command_gets_one_reply(lines: list[bytes]) -> None:
    out = io.BytesIO()
    session = Talk().session
    serve(lines, out, partial(answer, session))
    replies = out.getvalue().decode("utf-8", "surrogateescape").split("\n\n")
    commands = [command for line in lines if (command := parse(line))]
    quits = [i for i, command in enumerate(commands) if command.name == "quit"]
    asked = commands[: quits[0] + 1] if quits else commands
    assert replies.pop() == ""
    assert [re.match(r"[=?](\d*) ", reply)[1] for reply in replies] == [c.id for c in asked]  # type: ignore[index]


def test_every_command_registers_in_its_module() -> None:
    for module in set(COMMANDS.values()):
        import_module(f"katachi.gtp.commands.{module}")
    assert set(REGISTERED) == set(COMMANDS)
    for name, module in COMMANDS.items():
        run = REGISTERED[name].run
        home = getattr(run, "func", run).__module__  # of a partial, the function's
        assert home == f"katachi.gtp.commands.{module}", name


def test_every_command_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "gtp.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`{name}`" in text, f"docs/gtp.md does not tell of {name}"


def test_a_stream_that_fails_ends_in_good_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever goes wrong amid a stream, there is one reply, and the session goes on."""
    talk = Talk()
    talk.session._player = search_player(load_model(), memory_mb=16)
    out = io.BytesIO()

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("amid it")

    talk.session._player.search = fail  # type: ignore[method-assign, assignment]
    lines = [b"boardsize 9\n", b"3 lz-analyze 5\n", b"4 name\n"]
    serve(lines, out, partial(answer, talk.session))
    assert out.getvalue() == b"= \n\n=3\n\n=4 Katachi\n\n"
    assert "internal error: ZeroDivisionError: amid it (in lz-analyze)" in capsys.readouterr().err
