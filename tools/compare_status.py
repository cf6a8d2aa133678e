"""Compares final_score and final_status_list with GNU Go's on finished games.

    python tools/compare_status.py [GAMES]

Takes the bundled games, on 9x9 and 19x19 in turn, loads each at its end into `katachi gtp` and into
GNU Go, and prints how often both give the same score, and the same dead stones.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from katachi.records.bundled import bundled_games
from katachi.records.write import to_sgf


class Engine:
    """A GTP engine."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, line: str) -> str:
        """The text of the reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while (found := self._process.stdout.readline().rstrip("\n")) or not lines:
            lines.append(found)
        return "\n".join(lines)[1:].strip()

    def quit(self) -> None:
        """End it."""
        self.ask("quit")
        self._process.wait()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    gnugo = shutil.which("gnugo") or "/usr/games/gnugo"
    corpus = bundled_games()
    small, large = ([g for g in range(len(corpus)) if corpus.size[g] == s] for s in (9, 19))
    chosen = [g for pair in zip(small, large, strict=False) for g in pair][:count]
    ours = Engine(sys.executable, "-m", "katachi", "gtp")
    theirs = Engine(gnugo, "--mode", "gtp", "--chinese-rules")
    same = {9: [0, 0, 0], 19: [0, 0, 0]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        for g in chosen:
            game = corpus[g]
            path.write_bytes(to_sgf(game))
            for engine in (ours, theirs):
                engine.ask(f"loadsgf {path}")
                engine.ask(f"komi {game.komi}")
            scores = [engine.ask("final_score") for engine in (ours, theirs)]
            dead = [set(engine.ask("final_status_list dead").split()) for engine in (ours, theirs)]
            values = [_value(score) for score in scores]
            row = same[game.size]
            row[0] += 1
            row[1] += values[0] == values[1]
            row[2] += dead[0] == dead[1]
            if values[0] != values[1] or dead[0] != dead[1]:
                apart = sorted(dead[0] ^ dead[1])
                print(f"{game.source}: {scores[0]} and {scores[1]}, dead apart: {apart}")
    for size, (games, score, status) in same.items():
        print(f"{size}x{size}: {games} games, same score {score}, same dead stones {status}")
    games, score, status = (sum(row[i] for row in same.values()) for i in range(3))
    print(f"in all {games}: same score {score / games:.0%}, same dead stones {status / games:.0%}")
    ours.quit()
    theirs.quit()


def _value(score: str) -> float:
    sign = {"B": 1.0, "W": -1.0}.get(score[:1], 0.0)
    return sign * float(score[2:]) if sign else 0.0


if __name__ == "__main__":
    main()
