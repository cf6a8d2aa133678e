"""How often two of the ten likeliest moves of a position share their whole sentence.

    python -m tools.shared_sentences GAMES… [--positions 200] [--seed 1] [--model FILE]

Prints the share of random positions in which they do; the same where the names of points are
blotted out; how long the sentences of a position take, in processor time, and the opinion that they
are part of; and how many words a sentence has.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from katachi.go.position import Position
from katachi.models.model import Model, load_model
from katachi.records.corpus import Corpus
from katachi.records.read import read_games
from katachi.study.opinion import Opinion
from katachi.study.words.seen import Seen
from katachi.study.words.words import Words

MOST = 10
_POINT = re.compile(r"\b[A-HJ-T](1?[1-9]|10)\b")


@dataclass
class Shared:
    """What was found in so many positions."""

    positions: int = 0
    with_equal: int = 0  # in which two sentences are the same
    without_points: int = 0  # the same where points have no names
    same_for_all: int = 0  # in which all are


def is_repeated(sentences: Sequence[str]) -> bool:
    """Whether two are the same."""
    return len(set(sentences)) < len(sentences)


def count(positions: Sequence[Position], model: Model) -> Shared:
    """What is shared in these positions."""
    found = Shared()
    for position in positions:
        told = [one.why for one in Opinion(model, position).suggest(MOST)]
        found.positions += 1
        found.with_equal += is_repeated(told)
        found.without_points += is_repeated([_POINT.sub("…", text) for text in told])
        found.same_for_all += len(told) > 1 and len(set(told)) == 1
    return found


def draw(corpus: Corpus, number: int, seed: int) -> list[Position]:
    """Random positions of random games, any move of any game before its last."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < number:
        game = corpus[rng.randrange(len(corpus))]
        if len(game.moves):
            found.append(game.position(rng.randrange(len(game.moves))))
    return found


def milliseconds(positions: Sequence[Position], model: Model) -> tuple[float, float]:
    """(medians of an opinion with ten explained moves, and of the words in it alone)."""
    whole, words = [], []
    for position in positions:
        start = time.process_time()
        opinion = Opinion(model, position)
        opinion.suggest(MOST)
        whole.append(time.process_time() - start)
        start = time.process_time()
        said = Words(Seen(position), opinion.ranked[:MOST])
        for move in opinion.ranked[:MOST]:
            said.sentence(move)
        words.append(time.process_time() - start)
    return 1000 * float(np.median(whole)), 1000 * float(np.median(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    model = load_model(options.model)
    positions = draw(read_games(options.paths), options.positions, options.seed)
    found = count(positions, model)
    print(
        f"{found.positions} positions; two of the {MOST} likeliest moves share the whole sentence "
        f"in {found.with_equal / found.positions:.1%}, all of them in "
        f"{found.same_for_all / found.positions:.1%}; without the names of points two do in "
        f"{found.without_points / found.positions:.1%}"
    )
    whole, words = milliseconds(positions, model)
    print(f"{whole:.1f} ms for an opinion with {MOST} explained moves; its words {words:.1f} ms")


if __name__ == "__main__":
    main()
