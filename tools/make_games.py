"""Make the bundled games: GNU Go 3.8 against itself, from seeded random openings.

    python tools/make_games.py --gnugo /usr/games/gnugo --out src/katachi/data/games.tar.xz

Each game has its own number, which is its seed: GNU Go's `--seed`, the opening, the komi and the
rules follow from it, so the same numbers give the same games. Finished games wait in a work folder;
an interrupted run goes on where it stopped. GNU Go never resigns here, so that every game is played
to the end and carries a counted result.
"""

from __future__ import annotations

import argparse
import io
import random
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sgfmill import common, sgf

from katachi.records.sgf import parse_games

LEVEL = {19: 2, 9: 6}
COLOURS = ("b", "w")


class GnuGo:
    """One GNU Go process spoken to in GTP. Raises RuntimeError on a failed command."""

    def __init__(self, program: str, level: int, seed: int, rules: str) -> None:
        self.process = subprocess.Popen(
            [
                program,
                "--mode",
                "gtp",
                "--level",
                str(level),
                "--seed",
                str(seed),
                "--never-resign",
                f"--{rules}-rules",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line)
        reply = "".join(lines).strip()
        if not reply.startswith("="):
            raise RuntimeError(f"GNU Go answered {reply!r} to {command!r}")
        return reply[1:].strip()

    def close(self) -> None:
        self.ask("quit")
        self.process.wait()


def opening(size: int, rng: random.Random) -> list[str]:
    """Vertices of a few first moves, black and white in turn, all on different points."""
    letters = "ABCDEFGHJKLMNOPQRST"
    if size < 13:
        inner = range(2, size - 2)
        points = rng.sample([(r, c) for r in inner for c in inner], rng.choice((2, 3, 3, 4)))
        return [f"{letters[c]}{r + 1}" for r, c in points]
    corners = [(low_r, low_c) for low_r in (True, False) for low_c in (True, False)]
    rng.shuffle(corners)
    moves = []
    for low_r, low_c in corners[: rng.choice((2, 3, 4, 4))]:
        a, b = rng.choice(((3, 3), (3, 3), (2, 3), (3, 2), (2, 2), (2, 4), (4, 2), (4, 3), (3, 4)))
        row, col = (a if low_r else size - 1 - a), (b if low_c else size - 1 - b)
        moves.append(f"{letters[col]}{row + 1}")
    return moves


def play_game(program: str, size: int, seed: int) -> bytes:
    """One finished game as SGF."""
    rng = random.Random(f"{size}:{seed}")
    rules, komi = rng.choice((("chinese", 7.5), ("chinese", 7.5), ("japanese", 6.5)))
    engine = GnuGo(program, LEVEL[size], seed, rules)
    engine.ask(f"boardsize {size}")
    engine.ask("clear_board")
    engine.ask(f"komi {komi}")
    game = sgf.Sgf_game(size=size)
    root = game.get_root()
    root.set("KM", komi)
    root.set("RU", rules.capitalize())
    root.set("PB", f"GNU Go 3.8 level {LEVEL[size]}")
    root.set("PW", f"GNU Go 3.8 level {LEVEL[size]}")
    root.set("GN", f"{size}x{size} seed {seed}")
    root.set("AP", ("make_games.py", "1"))
    planned = opening(size, rng)
    passes = 0
    for number in range(3 * size * size):
        colour = COLOURS[number % 2]
        if number < len(planned):
            vertex = planned[number]
            engine.ask(f"play {colour} {vertex}")
        else:
            vertex = engine.ask(f"genmove {colour}")
        passes = passes + 1 if vertex.upper() == "PASS" else 0
        node = game.extend_main_sequence()
        node.set_move(colour, common.move_from_vertex(vertex, size))
        if passes == 2:
            break
    root.set("RE", engine.ask("final_score"))
    engine.close()
    return bytes(game.serialise(wrap=None))


def make(program: str, wanted: list[tuple[int, int]], work: Path, jobs: int) -> None:
    """Play every (size, seed) not yet in `work`; each file appears whole or not at all."""

    def one(job: tuple[int, int]) -> None:
        size, seed = job
        path = work / f"gnugo-{size:02}-{seed:03}.sgf"
        if path.exists():
            return
        data = play_game(program, size, seed)
        partial = path.with_suffix(".part")
        partial.write_bytes(data)
        partial.rename(path)
        print(path.name, file=sys.stderr, flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, wanted))


def pack(work: Path, out: Path) -> int:
    """Write the games of `work` as one .tar.xz, the same bytes for the same games.

    A game that repeats another's moves in any symmetry is left out: now and then two seeds open
    alike, and GNU Go then plays alike. Returns how many were packed.
    """
    files: dict[int, Path] = {}
    for path in sorted(work.glob("gnugo-*.sgf")):
        games, _ = parse_games(path.read_bytes(), path.name)
        files.setdefault(games[0].digest, path)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", preset=9) as tar:
        for path in files.values():
            data = path.read_bytes()
            info = tarfile.TarInfo(f"gnugo/{path.name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(buffer.getvalue())
    return len(files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--gnugo", default="/usr/games/gnugo")
    parser.add_argument("--games", type=int, default=70, help="games of each size")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("build/games"))
    parser.add_argument("--out", type=Path, default=Path("src/katachi/data/games.tar.xz"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wanted = [(size, seed) for size in (9, 19) for seed in range(1, options.games + 1)]
    make(options.gnugo, wanted, options.work, options.jobs)
    print(f"{pack(options.work, options.out)} games in {options.out}")


if __name__ == "__main__":
    main()
