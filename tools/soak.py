"""A mixed load for a long time, and whether the memory stays as it is.

    python tools/soak.py --minutes 30
    python tools/soak.py --minutes 2 --only gtp

Drives `katachi gtp` and the page of `katachi study`, each a process of its own, both at the same
time, and looks at their resident memory every 10 s (more often in a short run). The time begins
after the warm-up: the largest searches first, which fill the trees, and one round of everything.
Prints a table: the memory at the beginning (the largest of the first fifth), at the end (the
largest of the last fifth), and the largest of all. Exit code 1 if it grew by more than 10 % from
the first to the second, or if an answer was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx

GROWTH: Final = 0.10  # that is allowed
EVERY: Final = 10.0  # seconds between two samples
VISITORS: Final = 3  # of the page, at the same time
COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"
GAME: Final = (
    b"(;FF[4]SZ[9]KM[6.5]AB[gc]PB[a]PW[b];W[ee]C[words];B[cc];W[gg](;B[cg];W[ce])"
    b"(;B[eg]LB[cc:A];W[ge]))"
)


class Load:
    """A process under load: what it was asked, its memory, and what went wrong."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.asked: Counter[str] = Counter()
        self.samples: list[tuple[float, float]] = []  # (share of the time, MB)
        self.wrong: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "katachi", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.rng = random.Random(self.name)
        self.began: float | None = None  # when it was warm

    def line(self) -> str:
        """The next line that it prints. Raises EOFError if it has ended."""
        assert self.process.stdout is not None
        found = self.process.stdout.readline()
        if not found:
            raise EOFError(f"{self.name} has ended")
        return found.rstrip("\n")

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def memory(self) -> float:
        """Resident, in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0  # it has ended

    def vertex(self, size: int) -> str:
        return f"{self.rng.choice(COLUMNS[:size])}{self.rng.randint(1, size)}"


# -- gtp -------------------------------------------------------------------------------------------


def reply(load: Load) -> str:
    """The answer to a command, to the empty line after it."""
    lines = []
    while line := load.line():
        lines.append(line)
    return "\n".join(lines)


def ask(load: Load, command: str, *, may_fail: bool = False) -> None:
    load.asked[command.split()[0]] += 1
    load.send(command)
    found = reply(load)
    if not found.startswith("=") and not (may_fail and found.startswith("?")):
        load.wrong.append(f"{command}: {found[:200]}")


def analyse(load: Load, command: str, lines: int) -> None:
    """A stream of so many lines at least, which the next command ends."""
    load.asked[command.split()[0]] += 1
    load.send(command)
    while not load.line().startswith("="):
        pass
    for _ in range(lines):
        if not load.line():
            return  # the game is over: it has nothing to say
    load.send("name")  # ends it: the end of the stream, then the name
    reply(load)
    reply(load)


def gtp_round(load: Load, folder: Path) -> None:
    """A game of random length, with everything else in between."""
    rng = load.rng
    size = rng.choice((9, 9, 13, 19))
    ask(load, f"boardsize {size}")
    ask(load, "clear_board")
    ask(load, f"komi {rng.choice((0, 6.5, 7.5))}")
    if rng.random() < 0.3:
        ask(load, f"fixed_handicap {rng.randint(2, 4)}")
    for number in range(rng.randint(4, 24)):
        ask(load, f"genmove {'bw'[number % 2]}")
        match rng.randrange(12):
            case 0:
                ask(load, "undo", may_fail=True)
            case 1:
                words = rng.choice(("kata-analyze b 10 ownership true", "lz-analyze b 10"))
                analyse(load, words, rng.randint(2, 12))
            case 2:
                ask(load, f"play {rng.choice('bw')} {load.vertex(size)}", may_fail=True)
            case 3:
                ask(load, f"final_status_list {rng.choice(('dead', 'alive', 'seki'))}")
            case 4:
                ask(load, rng.choice(("showboard", "printsgf", "final_score", "list_commands")))
            case 5:
                ask(load, rng.choice(("clear_cache", "katachi-probabilities", "katachi-owner")))
            case 6:
                ask(load, rng.choice(("nonsense", "play b Z99", "boardsize x")), may_fail=True)
    path = folder / "game.sgf"
    ask(load, f"printsgf {path}")
    ask(load, f"loadsgf {path}")


# -- the page --------------------------------------------------------------------------------------


def position(load: Load) -> dict[str, Any]:
    size = load.rng.choice((9, 9, 13, 19))
    actions = [f"AB {v}" for v in {load.vertex(size) for _ in range(load.rng.randrange(3))}]
    taken = {action.split()[1] for action in actions}
    for number in range(load.rng.randrange(12)):
        v = load.vertex(size)
        if v not in taken:
            actions.append(f"{'BW'[number % 2]} {v}")
            taken.add(v)
    return {"size": size, "komi": 6.5, "actions": actions}


KINDS: Final = (
    "page",
    "start",
    "sample",
    "open",
    "position",
    "position",
    "explain",
    "owners",
    "review",
    "reviewed",
    "play",
    "play",
    "leave",
    "damaged",
    "large",
)


def page_round(load: Load, client: httpx.Client) -> None:
    """One request of some kind."""
    rng = load.rng
    kind = rng.choice(KINDS)
    load.asked[kind] += 1
    fine: tuple[int, ...] = (200, 400, 429, 503)
    match kind:
        case "page":
            found = client.get(rng.choice(("/", "/app.js", "/style.css", "/nothing")))
            fine = (200, 404)
        case "start" | "sample":
            found = client.get(f"/api/{kind}")
        case "open" | "reviewed":
            found = client.post(f"/api/{kind}", content=GAME)
        case "damaged":
            cut = rng.randrange(len(GAME))
            found = client.post("/api/open", content=GAME[:cut] + GAME[cut + 3 :])
        case "large":
            found = client.post("/api/open", content=b"(;SZ[9]" + b";B[]" * 1_400_000)
            fine = (413,)
        case "leave":  # in the middle of the answer
            asked = position(load) | {"strength": "3000", "visitor": f"{rng.randrange(6)}"}
            with client.stream("POST", "/api/play", json=asked) as stream:
                next(stream.iter_bytes(), b"")
            return
        case "explain":
            asked = position(load)
            found = client.post("/api/explain", json=asked | {"vertex": load.vertex(asked["size"])})
        case "play":
            strength = rng.choice(("pattern", "200", "200", "3000", "10000"))
            asked = position(load) | {"strength": strength, "visitor": f"{rng.randrange(6)}"}
            found = client.post("/api/play", json=asked)
        case _:
            found = client.post(f"/api/{kind}", json=position(load))
    if found.status_code not in fine:
        load.wrong.append(f"{kind}: {found.status_code} {found.text[:200]}")
    if found.headers["content-type"] == "application/json":
        json.loads(found.text)


# -- both ------------------------------------------------------------------------------------------


def drive_gtp(load: Load, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ask(load, "boardsize 19")
        for _ in range(4):
            analyse(load, "kata-analyze b 50 ownership true", 20)
            ask(load, "genmove b")
        gtp_round(load, Path(folder))
        load.began = time.monotonic()
        while time.monotonic() < load.began + seconds:
            gtp_round(load, Path(folder))
    ask(load, "quit")


def drive_page(load: Load, seconds: float) -> None:
    address = load.line()

    def client() -> httpx.Client:
        return httpx.Client(base_url=address, timeout=600, trust_env=False)

    def warm(number: int) -> None:
        with client() as own:
            actions: list[str] = []
            asked = {"size": 19, "komi": 6.5, "actions": actions, "visitor": str(number)}
            for move in range(3):  # with the tree kept from move to move: both halves are filled
                found = own.post("/api/play", json=asked | {"strength": "10000"})
                actions.append(
                    f"{'BW'[move % 2]} {json.loads(found.text.splitlines()[-1])['move']}"
                )
            own.post("/api/owners", json=asked)
            for _ in range(15):
                page_round(load, own)

    def visit() -> None:
        assert load.began is not None
        with client() as own:
            while time.monotonic() < load.began + seconds:
                page_round(load, own)

    guarded(load, *[partial(warm, number) for number in range(VISITORS)])
    load.began = time.monotonic()
    guarded(load, *[visit] * VISITORS)
    load.process.terminate()


def guarded(load: Load, *works: Callable[[], None]) -> None:
    """Run them side by side; what one of them raises is told."""

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            load.wrong.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def watch(load: Load, seconds: float, done: threading.Event) -> None:
    """Sample the memory until the load is done."""
    while not done.wait(min(EVERY, seconds / 40)):
        if load.began is not None and load.process.poll() is None:
            share = (time.monotonic() - load.began) / seconds
            load.samples.append((min(share, 1.0), load.memory()))


def soak(load: Load, drive: Callable[[Load, float], None], seconds: float) -> None:
    done = threading.Event()
    watcher = threading.Thread(target=watch, args=(load, seconds, done))
    watcher.start()
    guarded(load, lambda: drive(load, seconds))
    done.set()
    watcher.join()
    load.process.kill()
    load.process.wait()


def largest(load: Load, begin: float, end: float) -> float:
    return max((mb for share, mb in load.samples if begin <= share <= end), default=float("nan"))


def report(load: Load) -> bool:
    """Print a load's row; whether all is well."""
    warm, end = largest(load, 0.0, 0.2), largest(load, 0.8, 1.0)
    growth = end / warm - 1
    print(
        f"{load.name:<6} {sum(load.asked.values()):>8,} {warm:>13.0f} {end:>11.0f} "
        f"{largest(load, 0.0, 1.0):>12.0f} {growth:>+8.1%}"
    )
    for one in load.wrong[:5]:
        print(f"       wrong: {one}")
    return growth <= GROWTH and not load.wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="(default 30)")
    parser.add_argument("--only", choices=("gtp", "page"), help="(default: both)")
    options = parser.parse_args()
    # 64 MB for the tree: full during the warm-up, so that what grows later is something else
    engine = ["gtp", "--simulations", "200", "--memory", "64", "--no-resign"]
    page = ["study", "--no-browser", "--port", "0"]
    chosen = [
        (Load(name, command), drive)
        for name, command, drive in (("gtp", engine, drive_gtp), ("page", page, drive_page))
        if options.only in (None, name)
    ]
    works = [
        threading.Thread(target=soak, args=(load, drive, options.minutes * 60))
        for load, drive in chosen
    ]
    for work in works:
        work.start()
    for work in works:
        work.join()
    print("       requests     MB, begin  at the end  the largest   growth")
    well = [report(load) for load, _ in chosen]
    return int(not all(well))


if __name__ == "__main__":
    sys.exit(main())
