"""Measures whether a pass is ever a loss, and how final_score agrees with GNU Go's.

    python -m tools.passing [FILE] [--simulations 1000] [--every 1] [--rules chinese] [--show]

For each position of a file of `tools.finished_positions` (default tests/search/finished.txt) the
engine is asked for the final score, for a move (it may not resign), and for the score again.
Printed are the positions where

- the score changed from one question to the next;
- the score, or the dead stones, are not GNU Go's;
- the engine passed, and by GNU Go's count (level 8, dead stones taken off) loses by that. Whether
  it was wrong is decided by play: GNU Go (level 10) plays both sides on from there, the side that
  passed to move. A pass is wrong if that side wins then: there was something better.

At last the numbers. Only positions where the engine passed in a lost game need GNU Go.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from katachi import load_model
from katachi.go.points import BLACK, PASS, vertex
from katachi.go.position import Position
from katachi.search.engine import SearchPlayer, search_player
from katachi.search.final import (
    Owners,
    dead_strings,
    empty_regions,
    final_score,
    seki_strings,
    without,
)
from katachi.search.player import Budget, GameState
from tools.finished_positions import Finished, Referee, finished

FILE: Final = Path(__file__).parent.parent / "tests" / "search" / "finished.txt"
KOMI: Final = 6.5
FINISHED: Final = ("end", "made")  # kinds whose borders are closed: the score can be compared


def lead(score: float, komi: float, colour: int) -> float:
    """By how much the colour wins with this score of Black's."""
    return score - komi if colour == BLACK else komi - score


def playing_on_wins(one: Finished, referee: Referee) -> bool:
    """Whether the side to move wins if GNU Go plays both sides on from there."""
    position = one.position.copy()
    mover = position.to_move
    start = position.copy()
    if position.moves:
        start.undo(len(position.moves))
    referee.load(start, position.moves)
    passes = 0
    while passes < 2 and len(position.moves) < 3 * position.size**2:
        colour = "bw"[position.to_move - 1]
        move = referee.engine.ask(f"genmove {colour}")
        position.play(move)
        passes = passes + 1 if move.lower() == "pass" else 0
    return lead(referee.score(), one.komi, mover) > 0


@dataclass(frozen=True)
class Answers:
    """What the engine says and does at a position."""

    scores: list[float]  # asked twice, with a move between; komi not counted
    owners: Owners
    move: int
    ms: float  # that judging took


def seki_eyes(position: Position, owners: Owners) -> int:
    """Black's points minus White's that only strings in a seki surround: area, but not by GNU Go's
    count.
    """
    living = without(position, dead_strings(position, owners))
    seki = {p for string in seki_strings(living) for p in string}
    eyes = 0
    for region, border in empty_regions(living):
        colours = {living.stone(p) for p in border}
        if len(colours) == 1 and border <= seki:
            eyes += len(region) if colours == {BLACK} else -len(region)
    return eyes


def measured(one: Finished, player: SearchPlayer, budget: Budget, rules: str) -> Answers:
    """What the engine says and does there."""
    game = GameState(one.position, one.komi, rules, may_resign=False)
    player.clear()
    scores, seconds = [], []
    for _ in range(2):
        began = time.process_time()
        owners = player.owners(game)
        seconds.append(time.process_time() - began)
        scores.append(final_score(one.position, owners, 0.0, rules))
        choice = player.choose(game, budget)
    return Answers(scores, owners, choice.move, 1000 * seconds[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rules", default="chinese")
    parser.add_argument("--show", action="store_true", help="draw the positions")
    given = parser.parse_args()
    player = search_player(load_model(), memory_mb=128)
    player.owners(GameState(finished(given.file)[0].position))  # compiled before it is timed
    referee: Referee | None = None
    count: Counter[str] = Counter()
    cost: dict[int, list[float]] = {}
    for one in finished(given.file)[:: given.every]:
        position = one.position
        found = measured(one, player, Budget(simulations=given.simulations), given.rules)
        cost.setdefault(position.size, []).append(found.ms)
        closed = "closed" if one.kind in FINISHED else "open"
        scores, owners = found.scores, found.owners
        dead = {p for string in dead_strings(position, owners) for p in string}
        notes = []
        count[closed] += 1
        if scores[0] != scores[1]:
            count["changed"] += 1
            notes.append(f"the score changed from {scores[0]} to {scores[1]}")
        if scores[0] == one.score:
            count[f"{closed}, same score"] += 1
        else:
            notes.append(f"score {scores[0]:+.0f}, GNU Go's {one.score:+.0f}")
        near = abs(scores[0] - one.score) <= 2
        count[f"{closed}, within 2 points"] += near
        count[f"{closed}, same winner at komi 6.5"] += (scores[0] > KOMI) == (one.score > KOMI)
        eyes = seki_eyes(position, owners)
        count[f"{closed}, same score but for eyes in a seki"] += scores[0] - eyes == one.score
        if dead == one.dead:
            count[f"{closed}, same dead stones"] += 1
        else:
            apart = " ".join(vertex(p, position.size) for p in sorted(dead ^ one.dead))
            notes.append(f"dead apart: {apart}")
        if found.move == PASS:
            count["passes"] += 1
            if lead(one.score, one.komi, position.to_move) < 0:
                count["passes that lose by GNU Go's count"] += 1
                referee = referee or Referee(10)
                wrong = playing_on_wins(one, referee)
                count["wrong passes"] += wrong
                word = "wins" if wrong else "loses, too"
                notes.append(f"passed though it loses; playing on {word}")
        elif lead(one.score, one.komi, position.to_move) < 0:
            count["played on in a game lost by GNU Go's count"] += 1
        if notes:
            print(f"{one.line}\n    {'; '.join(notes)}", flush=True)
            if given.show:
                print(position.diagram())
    for name, n in sorted(count.items()):
        print(f"{name}: {n}")
    for size, ms in sorted(cost.items()):
        print(f"{size}x{size}: judging takes {sum(ms) / len(ms):.0f} ms, at most {max(ms):.0f}")
    if referee is not None:
        referee.close()


if __name__ == "__main__":
    main()
