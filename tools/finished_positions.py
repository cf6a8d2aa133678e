"""Makes the finished positions on which passing and counting are measured (`tools.passing`).

    python -m tools.finished_positions FILE [--games 9x9=60,13x13=30,19x19=10] [--seed 1]
    python -m tools.finished_positions FILE --from GAMES…

Our engine and GNU Go (levels 1 to 5) play games against themselves and each other; on 19x19 the
games that come with Katachi are taken, which GNU Go played against itself. Each game gives
positions at its end and a few moves before, where borders are open and dead stones still stand,
with either side to move, most after the opponent's pass. The positions of `tools.made_positions`
follow. GNU Go (level 8) counts each. Komi is chosen so that the game is close by that count: a
wrong idea of a few stones decides it. The games themselves are kept in FILE.games.

A line of the file is a position, its fields divided by blanks:

    kind     end, before, or by hand: made, and open where a border or a ko is
    size
    komi
    to move  b or w, before the moves below
    stones   three points to a letter (`packed`)
    moves    the last ones, as vertices divided by commas, pass for a pass; - if there are none
    score    GNU Go's: Black's area minus White's, dead stones taken off, komi not counted
    dead     a stone of each string that GNU Go takes for dead, divided by commas; - if none
    seki     the same of the strings in a seki
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from katachi.go.points import BLACK, EMPTY, PASS, WHITE, all_points, other, vertex
from katachi.go.position import Position
from katachi.records.bundled import bundled_games
from katachi.search.final import all_strings
from tools.compare_status import Engine
from tools.made_positions import made_positions

LETTERS: Final = ".abcdefghijklmnopqrstuvwxyz"  # 3 ** 3 of them
COLOURS: Final = {"b": BLACK, "w": WHITE}
MARGINS: Final = (0.5, 1.5, 2.5, 6.5)  # points by which one side wins by GNU Go's count
JUDGE_LEVEL: Final = 8
BUNDLED_SIZE: Final = 19

Moves = list[tuple[int, int]]


@dataclass(frozen=True)
class Finished:
    """A position at the end of a game, and what GNU Go says of it (see the module)."""

    kind: str
    position: Position
    komi: float
    line: str = ""  # of the file
    score: float = 0.0
    dead: frozenset[int] = frozenset()  # all stones of dead strings
    seki: frozenset[int] = frozenset()


def packed(position: Position) -> str:
    """The stones as letters: three points to a letter, empty, black and white being 0, 1 and 2."""
    digits = [position.stone(p) for p in all_points(position.size)]
    digits += [0] * (-len(digits) % 3)
    triples = zip(digits[::3], digits[1::3], digits[2::3], strict=True)
    return "".join(LETTERS[9 * a + 3 * b + c] for a, b, c in triples)


def unpacked(text: str, size: int, to_move: int) -> Position:
    """The position that `packed` has written."""
    digits = [d for i in map(LETTERS.index, text) for d in (i // 9, i // 3 % 3, i % 3)]
    colors = Position(size).colors
    for p, digit in zip(all_points(size), digits, strict=False):
        colors[p] = digit
    return Position.from_stones(size, colors, to_move)


def parsed(line: str) -> Finished:
    """The position of a line of the file."""
    kind, size, komi, turn, stones, moves, score, dead, seki = line.split()
    position = unpacked(stones, int(size), COLOURS[turn])
    for move in [] if moves == "-" else moves.split(","):
        position.play(move)
    strings = [
        frozenset(p for v in ([] if text == "-" else text.split(",")) for p in position.string(v))
        for text in (dead, seki)
    ]
    return Finished(kind, position, float(komi), line, float(score), *strings)


def finished(path: Path) -> list[Finished]:
    """The positions of a file."""
    return [parsed(line) for line in path.read_text().splitlines() if line[:1] != "#"]


def setup_sgf(start: Position, moves: Moves) -> str:
    """A record that begins with these stones and goes on with these moves."""
    size = start.size

    def place(p: int) -> str:
        if p == PASS:
            return "[]"
        i = all_points(size).index(p)
        return f"[{chr(97 + i % size)}{chr(97 + i // size)}]"

    stones: dict[int, list[str]] = {BLACK: [], WHITE: []}
    for p in all_points(size):
        if start.stone(p) != EMPTY:
            stones[start.stone(p)].append(place(p))
    named = zip(("AB", "AW"), stones.values(), strict=True)
    setup = "".join(f"{name}{''.join(places)}" for name, places in named if places)
    played = "".join(f";{'B' if c == BLACK else 'W'}{place(p)}" for c, p in moves)
    turn = "B" if start.to_move == BLACK else "W"
    return f"(;GM[1]FF[4]SZ[{size}]KM[0]RU[Chinese]{setup}PL[{turn}]{played})"


class Referee:
    """GNU Go, asked about positions."""

    def __init__(self, level: int = JUDGE_LEVEL) -> None:
        self.engine = gnugo(level, 1)
        self._folder = tempfile.TemporaryDirectory()

    def load(self, start: Position, moves: Moves) -> None:
        """Have it stand there. Without komi: it remembers the score of stones that it has counted
        before, with the komi of that time.
        """
        path = Path(self._folder.name) / "position.sgf"
        path.write_text(setup_sgf(start, moves))
        self.engine.ask(f"loadsgf {path}")
        self.engine.ask("komi 0")

    def score(self) -> float:
        """Black's lead, komi not counted."""
        return value(self.engine.ask("final_score"))

    def status(self, name: str) -> list[str]:
        """The stones of this status."""
        return self.engine.ask(f"final_status_list {name}").split()

    def close(self) -> None:
        """End it."""
        self.engine.quit()
        self._folder.cleanup()


def gnugo(level: int, seed: int) -> Engine:
    """A process of GNU Go."""
    path = shutil.which("gnugo") or "/usr/games/gnugo"
    options = "--mode gtp --chinese-rules --positional-superko --never-resign"
    options += f" --level {level} --seed {seed}"
    return Engine(path, *options.split())


def katachi(seed: int) -> Engine:
    """A process of ours."""
    options = f"gtp --no-resign --simulations 150 --memory 64 --seed {seed}"
    return Engine(sys.executable, "-m", "katachi", *options.split())


def value(score: str) -> float:
    """Black's lead of a score as GTP has it."""
    sign = {"B": 1.0, "W": -1.0}.get(score[:1], 0.0)
    return sign * float(score[2:]) if sign else 0.0


def played(size: int, black: Engine, white: Engine, rng: Random) -> Moves:
    """A game from three random moves on, to two passes or the length of a long game."""
    position = Position(size)
    engines = {BLACK: black, WHITE: white}
    for engine in {black, white}:
        engine.ask(f"boardsize {size}")
        engine.ask("clear_board")
        engine.ask("komi 6.5")
    while position.board.passes < 2 and len(position.moves) < 2 * size * size:
        c = position.to_move
        if len(position.moves) < 3:
            move = rng.choice([vertex(p, size) for p in position.legal_moves() if p != PASS])
            engines[c].ask(f"play {'bw'[c - 1]} {move}")
        else:
            move = engines[c].ask(f"genmove {'bw'[c - 1]}")
        if engines[c] is not engines[other(c)]:
            engines[other(c)].ask(f"play {'bw'[c - 1]} {move}")
        position.play(move)
    return position.moves


def cuts(moves: Moves, size: int, rng: Random) -> Iterator[tuple[str, Position, Moves]]:
    """(kind, start, moves from there) of the positions taken from one game."""
    while moves and moves[-1][1] == PASS:
        moves = moves[:-1]
    early = max(len(moves) - rng.randrange(1, 6), 1)
    while moves[early - 1][1] == PASS:
        early -= 1
    for kind, length in (("end", len(moves)), ("before", early)):
        last = Position(size)
        for c, p in moves[: length - 1]:
            last.play(p, c)
        start = Position.from_stones(size, last.colors, moves[length - 1][0])
        after = start.copy()
        after.play(moves[length - 1][1])
        yield kind, start, [moves[length - 1], (other(start.to_move), PASS)]
        if kind == "before":
            yield kind, start, [moves[length - 1]]
        passed = Position.from_stones(size, after.colors, start.to_move)
        yield kind, passed, [(start.to_move, PASS)]


def line_of(kind: str, start: Position, moves: Moves, referee: Referee, rng: Random) -> str:
    """The line of the file for this position."""
    size = start.size
    referee.load(start, moves)
    score = referee.score()
    position = start.copy()
    for c, p in moves:
        position.play(p, c)
    status = [_strings(position, referee.status(name)) for name in ("dead", "seki")]
    komi = score + rng.choice((-1, 1)) * rng.choice(MARGINS)
    last = ",".join(vertex(p, size) for _, p in moves).lower() or "-"
    turn = "bw"[start.to_move - 1]
    return f"{kind} {size} {komi} {turn} {packed(start)} {last} {score:.0f} {' '.join(status)}"


def _strings(position: Position, stones: Iterable[str]) -> str:
    wanted = {position.point(v) for v in stones}
    first = [vertex(s[0], position.size) for s in all_strings(position) if s[0] in wanted]
    return ",".join(first).lower() or "-"


def games(counts: dict[int, int], seed: int) -> Iterator[tuple[int, Moves]]:
    """(size, moves) of games, the engines in turn: GNU Go, both, ours."""
    rng = Random(seed)
    for size, count in counts.items():
        if size == BUNDLED_SIZE:
            corpus = bundled_games()
            large = [g for g in range(len(corpus)) if corpus.size[g] == size][:count]
            yield from ((size, list(corpus[g].moves)) for g in large)
            continue
        for n in range(count):
            ours, theirs = katachi(seed + n), gnugo(rng.randrange(1, 6), seed + n)
            pairs = ((theirs, theirs), (ours, theirs), (theirs, ours), (ours, ours))
            yield size, played(size, *pairs[n % 4], rng)
            for engine in (ours, theirs):
                engine.quit()


def read_games(paths: Iterable[Path]) -> Iterator[tuple[int, Moves]]:
    """The games that an earlier run has kept."""
    for path in paths:
        for line in path.read_text().splitlines():
            size, *moves = line.split()
            position = Position(int(size))
            for move in moves:
                position.play(move)
            yield int(size), position.moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", default="9x9=60,13x13=30,19x19=10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="kept", type=Path, nargs="*")
    given = parser.parse_args()
    counts = {int(s.split("x")[0]): int(s.split("=")[1]) for s in given.games.split(",")}
    referee, rng = Referee(), Random(given.seed)
    found = list(made_positions())
    with Path(f"{given.file}.games").open("w") as keep:
        source = read_games(given.kept) if given.kept else games(counts, given.seed)
        for size, moves in source:
            text = " ".join(vertex(p, size) for _, p in moves)
            print(size, text, file=keep, flush=True)
            found += cuts(moves, size, rng)
    with given.file.open("w") as out:
        print("# Made by tools/finished_positions.py, which says what the fields are.", file=out)
        for kind, start, last in found:
            print(line_of(kind, start, last, referee, rng), file=out, flush=True)
    referee.close()


if __name__ == "__main__":
    main()
