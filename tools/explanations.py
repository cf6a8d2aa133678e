"""Explanations of moves that were played, to be read one by one against the position.

    python -m tools.explanations GAMES… [--moves 50] [--seed 20]

Draws random moves of random games, no passes. Prints for each, as Markdown, the part of the board
around it (9x9 at most: no game can be put together from it), what it is called, what is said of it,
and how it compares with the most usual move, or, if it is that, the second with it.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from katachi.go.points import BLACK, COLUMNS, PASS, WHITE, point, row_col
from katachi.go.position import Position
from katachi.models.model import Model, load_model
from katachi.records.corpus import Corpus
from katachi.records.read import read_games
from katachi.study.annotate import percent
from katachi.study.opinion import Opinion

ACROSS = 4  # points on either side of the move that are shown
_HEAD = """\
# Explanations of fifty professional moves

Moves drawn at random from professionals' games, with what Katachi says of them. `*` is the move,
`X` are stones of its side, `O` the opponent's, `@` the opponent's last move. Printed by
`python -m tools.explanations ../shared/data/pro-train-20000.tar.xz`. (The games were also used to
train the model, whose chances are the numbers here. The words do not depend on it.)
"""


def cropped(position: Position, move: int) -> str:
    """The board around a move, with the names of columns and lines."""
    size = position.size
    signs = {0: ".", position.to_move: "X", 3 - position.to_move: "O"}
    last = position.previous[0] if position.previous else PASS
    row, col = row_col(move)
    rows = [r for r in range(row - ACROSS, row + ACROSS + 1) if 0 <= r < size]
    cols = [c for c in range(col - ACROSS, col + ACROSS + 1) if 0 <= c < size]
    lines = ["   " + " ".join(COLUMNS[c] for c in cols)]
    for r in rows:
        here = [point(r, c) for c in cols]
        told = [
            "*"
            if p == move
            else "@"
            if p == last and position.stone(p)
            else signs[position.stone(p)]
            for p in here
        ]
        lines.append(f"{size - r:2} {' '.join(told)}")
    return "\n".join(lines)


def explained(model: Model, position: Position, move: int) -> str:
    """The section about a move, without its heading."""
    opinion = Opinion(model, position)
    one = opinion.explain(move)
    told = f"{percent(one.probability)}, number {one.rank}"
    said = [f"**{one.vertex}** ({told}), {one.name}: it {one.why}."]
    if one.rank > 1:
        most = opinion.compare(move, opinion.ranked[0])
        said.append(f"{most}." if most else "About as usual as the most usual move.")
    elif len(opinion.points) > 1:
        second = opinion.compare(opinion.ranked[1], move)
        said.append(f"The most usual move. {second}." if second else "The most usual move.")
    return f"```\n{cropped(position, move)}\n```\n\n" + " ".join(said)


def drawn(corpus: Corpus, number: int, seed: int) -> list[tuple[Position, int]]:
    """Random moves of random games, with the positions in which they were played."""
    rng = random.Random(seed)
    found: list[tuple[Position, int]] = []
    while len(found) < number:
        game = corpus[rng.randrange(len(corpus))]
        if not game.moves:
            continue
        n = rng.randrange(len(game.moves))
        colour, move = game.moves[n]
        position = game.position(n)
        if move != PASS and colour in (BLACK, WHITE) and colour == position.to_move:
            found.append((position, move))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    model = load_model()
    print(_HEAD)
    chosen = drawn(read_games(options.paths), options.moves, options.seed)
    for number, (position, move) in enumerate(chosen, 1):
        print(f"## {number}. Move {len(position.moves) + 1}\n")
        print(explained(model, position, move) + "\n")


if __name__ == "__main__":
    main()
