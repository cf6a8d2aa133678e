"""Splits games into two folders of SGF files, to choose settings without the test games.

    python tools/split.py GAMES… -o FOLDER [--first N]

FOLDER/held-out gets a fifth of the games, by their moves (katachi.records.filters.held_out);
FOLDER/train the others, or the first N of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from katachi.processes import default_jobs
from katachi.records.corpus import Corpus
from katachi.records.filters import held_out
from katachi.records.read import read_games
from katachi.records.write import to_sgf

SHARE, SALT = 0.2, "issue-4"


def write(games: Corpus, folder: Path) -> None:
    folder.mkdir(parents=True)
    for number, game in enumerate(games):
        (folder / f"{number:05}.sgf").write_bytes(to_sgf(game))
    print(f"{folder}: {len(games):,} games")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--first", type=int)
    options = parser.parse_args()
    corpus = read_games(options.games, jobs=default_jobs())
    held = held_out(corpus, SHARE, SALT)
    train = corpus.take(~held)
    write(train.take(np.arange(len(train))[: options.first]), options.output / "train")
    write(corpus.take(held), options.output / "held-out")


if __name__ == "__main__":
    main()
