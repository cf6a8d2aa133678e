"""How much the points lost that a program such as KaTrain shows differ from move to move.

    python -m tools.points_lost GAMES [--games 3] [--moves 30] [--visits 300] [--visits 2000]

Asks `katachi analysis` for the lead before and after each of the first moves of the first games.
The points that a move loses are the difference, for the side that moves. Strong players lose
hardly any: the standard deviation is mostly the noise of the two leads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from katachi.go.points import BLACK, vertex
from katachi.records.game import Game
from katachi.records.read import read_games

Lead = dict[tuple[str, int], tuple[float, float]]  # (game, turn) → (Black's lead, its deviation)


def query(number: int, game: Game, moves: int, visits: int) -> dict[str, Any]:
    """The query about the positions of a game up to this move."""
    position = game.position(moves)
    played = [["B" if c == BLACK else "W", vertex(p, game.size)] for c, p in position.moves]
    return {
        "id": str(number),
        "moves": played,
        "rules": "chinese",
        "komi": 6.5,
        "boardXSize": game.size,
        "boardYSize": game.size,
        "maxVisits": visits,
        "analyzeTurns": list(range(len(played) + 1)),
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
    }


def leads(queries: list[dict[str, Any]]) -> Lead:
    """What `katachi analysis` says of each position."""
    done = subprocess.run(
        [sys.executable, "-m", "katachi", "analysis"],
        check=True,
        capture_output=True,
        text=True,
        input="".join(f"{json.dumps(one)}\n" for one in queries),
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        (one["id"], one["turnNumber"]): (
            one["rootInfo"]["scoreLead"],
            one["rootInfo"]["scoreStdev"],
        )
        for one in answers
    }


def points_lost(queries: list[dict[str, Any]], found: Lead) -> list[float]:
    """Of every move, in order."""
    lost = []
    for one in queries:
        for turn, (colour, _) in enumerate(one["moves"]):
            change = found[one["id"], turn][0] - found[one["id"], turn + 1][0]
            lost.append(change if colour == "B" else -change)
    return lost


def main() -> None:
    """Print a line to each number of visits."""
    parser = argparse.ArgumentParser(prog="python -m tools.points_lost", description=__doc__)
    parser.add_argument("path", type=Path, metavar="GAMES")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--visits", type=int, action="append")
    options = parser.parse_args()
    corpus = read_games(options.path)
    for visits in options.visits or [300, 2000]:
        queries = [query(i, corpus[i], options.moves, visits) for i in range(options.games)]
        found = leads(queries)
        lost = points_lost(queries, found)
        single = mean(deviation for _, deviation in found.values())
        print(
            f"{visits:,} visits: {len(lost)} moves lose {mean(lost):+.2f} points, "
            f"standard deviation {pstdev(lost):.2f} (of a single simulation {single:.0f})"
        )


if __name__ == "__main__":
    main()
