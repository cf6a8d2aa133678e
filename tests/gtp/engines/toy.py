"""A GTP engine for tests that behaves as badly as it is told.

    python toy.py [BEHAVIOUR] [--at N] [--moves N | --script "D4 …"] [--score TEXT] [--log FILE] …

Well-behaved it plays column by column, black from the left and white from the right, so that on a
small board nothing is ever captured, and passes after a few moves. A behaviour begins at its Nth
genmove. With a log it notes its process, its arguments and every command it gets.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

COLUMNS = "ABCDEFGHJKLMNOPQRST"
COMMANDS = [
    "boardsize",
    "clear_board",
    "genmove",
    "gomill-explain_last_move",
    "kgs-rules",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "time_left",
    "time_settings",
    "version",
]
BEHAVIOURS = {
    "plays": "well",
    "passes": "passes always",
    "resigns": "resigns",
    "crashes": "ends with code 3 and a word on stderr",
    "hangs": "thinks for ever",
    "waits": "thinks until the file --gate is there, after its Nth clear_board",
    "occupied": "plays where a stone is",
    "outside": "plays outside the board",
    "babbles": "answers with what is no move",
    "refuses": "answers ? to genmove",
    "garbage": "never writes a line of GTP, but other lines",
    "floods": "writes lines without end",
    "silent": "never answers anything",
    "unended": "forgets the empty line after an answer",
    "stubborn": "starts a child, and neither leaves when told to, nor at the end of its input",
    "small": "refuses every board",
    "deaf": "refuses the moves of others",
    "bare": "knows no list_commands",
    "dies-idle": "ends when a game is over",
}


class Toy:
    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.size = 19
        self.taken: set[str] = set()
        self.genmoves = 0
        self.cleared = 0
        self.note(f"start {' '.join(sys.argv[1:])}")

    def note(self, text: str) -> None:
        if self.args.log:
            with Path(self.args.log).open("a", encoding="utf-8") as log:
                log.write(f"{os.getpid()} {text}\n")

    def misbehaves(self, behaviour: str) -> bool:
        return bool(self.args.behaviour == behaviour and self.genmoves >= self.args.at)

    def run(self) -> None:
        if self.args.behaviour == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            self.note(f"child {child.pid}")
        while self.args.behaviour == "floods":
            print("blah", flush=True)
        for line in sys.stdin:
            self.note(line.strip())
            if self.args.behaviour == "silent":
                continue
            if self.args.behaviour == "garbage":
                print("I speak no GTP", flush=True)
                continue
            command, *words = line.split()
            try:
                answer = f"= {self.answer(command, words)}"
            except ValueError as error:
                answer = f"? {error}"
            end = "\n" if self.args.behaviour == "unended" else "\n\n"
            print(answer, end=end, flush=True)
            if command == "quit" and self.args.behaviour != "stubborn":
                return
        while self.args.behaviour == "stubborn":
            time.sleep(1)

    def answer(self, command: str, words: list[str]) -> str:
        if command == "protocol_version":
            return "2"
        if command == "name":
            return str(self.args.name)
        if command == "version":
            return "1.0"
        if command == "list_commands":
            if self.args.behaviour == "bare":
                raise ValueError("unknown command")
            return "\n".join([*COMMANDS, *(["final_score"] if self.args.score else [])])
        if command == "boardsize":
            if self.args.behaviour == "small":
                raise ValueError("unacceptable size")
            self.size = int(words[0])
        elif command == "clear_board":
            if self.args.behaviour == "dies-idle" and self.taken:
                sys.exit(4)
            self.taken.clear()
            self.genmoves = 0
            self.cleared += 1
        elif command == "play":
            if self.misbehaves("deaf"):
                raise ValueError("illegal move")
            self.taken.add(words[1].upper())
        elif command == "genmove":
            self.genmoves += 1
            return self.genmove(words[0][0].lower())
        elif command == "final_score":
            return str(self.args.score)
        elif command == "gomill-explain_last_move":
            return f"my move {self.genmoves}\nwith [brackets]"
        elif command not in COMMANDS:
            raise ValueError("unknown command")
        return ""

    def genmove(self, colour: str) -> str:
        if self.misbehaves("crashes"):
            print("something broke", file=sys.stderr, flush=True)
            os._exit(3)
        if self.misbehaves("hangs"):
            self.note("hangs")
            time.sleep(3600)
        if self.args.behaviour == "waits" and self.cleared >= self.args.at:
            self.note("waits")
            while not Path(self.args.gate).exists():
                time.sleep(0.01)
        if self.misbehaves("refuses"):
            raise ValueError("I would rather not")
        odd = {
            "resigns": "resign",
            "passes": "PASS",
            "outside": "Z99",
            "babbles": "let me see",
            "occupied": min(self.taken, default="A1"),
        }
        if self.args.behaviour in odd and self.misbehaves(self.args.behaviour):
            return odd[self.args.behaviour]
        if self.args.script:
            moves: list[str] = self.args.script.split()
            return [*moves, *["pass"] * 100][self.genmoves - 1]
        if self.genmoves > self.args.moves:
            return "pass"
        points = [f"{c}{line + 1}" for c in COLUMNS[: self.size] for line in range(self.size)]
        free = [p for p in (points if colour == "b" else points[::-1]) if p not in self.taken]
        self.taken.add(free[0])
        return free[0].lower()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("behaviour", nargs="?", choices=BEHAVIOURS, default="plays")
    parser.add_argument("--at", type=int, default=1)
    parser.add_argument("--moves", type=int, default=4)
    parser.add_argument("--script", default="")
    parser.add_argument("--gate", default="")
    parser.add_argument("--score", default="")
    parser.add_argument("--name", default="Toy")
    parser.add_argument("--log", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--playouts", type=int, default=0)
    Toy(parser.parse_args()).run()


if __name__ == "__main__":
    main()
