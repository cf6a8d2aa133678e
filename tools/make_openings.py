"""Make the balanced openings: from Katachi's own model and search, for 9x9, 13x13 and 19x19.

    python tools/make_openings.py [--openings 100] [--out src/katachi/data]

The moves of a candidate are drawn by the default model's probabilities, a pass left out. It stays
if the search gives the side to move between 40 and 60 % after some thousand simulations with a komi
of 7.5, and if no earlier one leads to the same stones in any of the 8 symmetries, colours exchanged
or not. A candidate's number is its seed: the same model and program give the same openings. The
files are not made again for another model: matches of before and after it are to begin alike. Takes
about two minutes of one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from katachi.folders import write_whole
from katachi.go.points import EMPTY, PASS, all_points, other, vertex
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, point_tables
from katachi.match.openings import Opening
from katachi.models.model import Model, load_model
from katachi.search.engine import search_player
from katachi.search.player import Budget, GameState, Player

LENGTHS = {9: (4, 8), 13: (8, 12), 19: (12, 20)}  # moves, by size of the board
SIMULATIONS = {9: 3000, 13: 2000, 19: 1500}
BALANCED = (0.4, 0.6)
KOMI = 7.5


def candidate(model: Model, size: int, number: int) -> Position:
    """The position after moves drawn by the model."""
    random = Random(f"opening {size}/{number}")
    position = Position(size)
    for _ in range(random.randint(*LENGTHS[size])):
        chances = model.probabilities(position)
        chances.pop(PASS)
        position.play(random.choices(list(chances), list(chances.values()))[0])
    return position


def same_under_symmetry(position: Position) -> bytes:
    """The same bytes for the same stones in any symmetry, colours exchanged or not."""
    size = position.size
    stones = {p: position.stone(p) for p in all_points(size) if position.stone(p) != EMPTY}
    forms = []
    for table in point_tables(size)[:SYMMETRIES]:
        for exchanged in (False, True):
            turned = sorted(
                (int(table[p]), other(colour) if exchanged else colour)
                for p, colour in stones.items()
            )
            forms.append(repr(turned).encode())
    return min(forms)


def rate(player: Player, position: Position, simulations: int) -> float:
    """The win rate of the side to move."""
    player.clear()
    game = GameState(position, komi=KOMI, may_resign=False)
    found = player.choose(game, Budget(simulations=simulations)).win_rate
    assert found is not None
    return found


def balanced(model: Model, size: int) -> Iterator[Opening]:
    """Openings without end."""
    player = search_player(model, memory_mb=64, seed=1)
    seen = set()
    number = 0
    while True:
        number += 1
        position = candidate(model, size, number)
        key = same_under_symmetry(position)
        if key in seen:
            continue
        seen.add(key)
        if BALANCED[0] <= rate(player, position, SIMULATIONS[size]) <= BALANCED[1]:
            yield tuple(p for _, p in position.moves)


def text_of(openings: list[Opening], size: int) -> str:
    """A file of openings: one a line, after a line that says what it is."""
    lines = [" ".join(vertex(p, size) for p in opening) for opening in openings]
    return "\n".join([f"# {size}x{size}, Black first; made by tools/make_openings.py", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--openings", type=int, default=100, help="openings of each size")
    parser.add_argument("--out", type=Path, default=Path("src/katachi/data"))
    options = parser.parse_args()
    model = load_model()
    for size in LENGTHS:
        found: list[Opening] = []
        for opening in balanced(model, size):
            found.append(opening)
            print(f"\r{size}x{size}: {len(found)}", end="", file=sys.stderr, flush=True)
            if len(found) == options.openings:
                break
        print(file=sys.stderr)
        path = options.out / f"openings-{size}.txt"
        write_whole(path, text_of(found, size).encode())


if __name__ == "__main__":
    main()
