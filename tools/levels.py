"""The labels of the page's opponents, from matches between them and with GNU Go level 10.

    python -m tools.levels MATCH… [--write]

Each MATCH is the folder of a `katachi match` of two of: `katachi gtp --player pattern`,
`katachi gtp --simulations N`, `gnugo … --level 10`. All of them are fitted together: Elo
differences that make the results likeliest, each pairing with one virtual game won by either side.
The intervals are those of a normal distribution with the likelihood's curvature, at 95 %. Levels
that no chain of matches joins to GNU Go are given beside the strongest level that they are joined
to.

Prints a table; with --write it makes `src/katachi/data/levels.toml`.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.folders import write_whole
from katachi.match.statistics import Tally
from katachi.study.opponents import PATTERN, STRENGTHS

GNU: Final = "GNU Go level 10"
FILE: Final = Path("src/katachi/data/levels.toml")
ELO: Final = 400 / math.log(10)

Pairings = dict[tuple[str, str], Tally]  # (A, B) → the games of A


def player(command: str) -> str:
    """The level that a command plays, or GNU. Raises ValueError for another one."""
    if "gnugo" in command and re.search(r"--level 10\b", command):
        return GNU
    if "--player pattern" in command:
        return PATTERN
    found = re.search(r"--simulations (\d+)\b", command)
    if found is None or found[1] not in STRENGTHS:
        raise ValueError(f"{command!r} plays no level of the page")
    return found[1]


def read(folder: Path) -> tuple[tuple[str, str], Tally]:
    """Who played in the folder of a match, and how it went."""
    data = json.loads((folder / "match.json").read_text(encoding="utf-8"))
    pair = (player(data["engines"]["A"]["command"]), player(data["engines"]["B"]["command"]))
    winners = [game["winner"] for game in data["games"]]
    return pair, Tally(winners.count("A"), winners.count("B"), winners.count(""))


def joined(pairings: Pairings, start: str) -> set[str]:
    """Who is joined to `start` by matches, itself included."""
    found = {start}
    while True:
        more = {one for pair in pairings for one in pair if set(pair) & found} - found
        if not more:
            return found
        found |= more


def fit(pairings: Pairings, anchor: str) -> Mapping[str, tuple[float, float]]:
    """Of everybody joined to the anchor, the Elo above it and half of its 95 % interval."""
    names = sorted(joined(pairings, anchor) - {anchor})
    place = {name: i for i, name in enumerate(names)}
    logs = np.zeros(len(names))
    for _ in range(100):
        slope, curvature = np.zeros(len(names)), np.zeros((len(names), len(names)))
        for (a, b), tally in pairings.items():
            if a not in place and a != anchor:
                continue
            sides = [(place[n], sign) for n, sign in ((a, 1.0), (b, -1.0)) if n in place]
            chance = 1 / (1 + math.exp(-sum(sign * logs[i] for i, sign in sides)))
            games = tally.games + 2
            for i, sign in sides:
                slope[i] += sign * (tally.points + 1 - games * chance)
                for j, other in sides:
                    curvature[i, j] += sign * other * games * chance * (1 - chance)
        step = np.linalg.solve(curvature, slope)
        logs += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    spread: npt.NDArray[np.float64] = 1.96 * np.sqrt(np.diag(np.linalg.inv(curvature)))
    return {name: (ELO * logs[i], ELO * spread[i]) for name, i in place.items()}


def labels(pairings: Pairings) -> list[dict[str, str | int]]:
    """What the page says of each level that was measured."""
    found = []
    for name in STRENGTHS:
        near = joined(pairings, name)
        order = [GNU, *reversed(STRENGTHS)]
        anchor = next(one for one in order if one in near)
        if anchor == name:
            continue
        elo, half = fit(pairings, anchor)[name]
        games = sum(tally.games for pair, tally in pairings.items() if name in pair)
        found.append(
            {
                "name": name,
                "beside": anchor,
                "elo": round(elo, -1),
                "low": round(elo - half, -1),
                "high": round(elo + half, -1),
                "games": games,
            }
        )
    return [{k: v if isinstance(v, str) else int(v) for k, v in one.items()} for one in found]


def text_of(found: list[dict[str, str | int]]) -> str:
    """The file of these labels."""
    lines = [
        "# Made by python -m tools.levels MATCH… --write (docs/results/lab-book.md): Elo on 9x9",
        "# above whom `beside` names, and the ends of the 95 % interval. A level that is missing",
        "# here was not measured.",
    ]
    for one in found:
        lines += ["", "[[level]]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in one.items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Labels of the page's opponents from matches.")
    parser.add_argument("matches", nargs="*", type=Path, metavar="MATCH")
    parser.add_argument("--write", action="store_true", help=f"write {FILE}")
    args = parser.parse_args()
    pairings: Pairings = {}
    for folder in args.matches:
        pair, tally = read(folder)
        pairings[pair] = tally
        low, high = tally.interval
        print(
            f"{pair[0]} against {pair[1]}: {tally.points:g} of {tally.games}, "
            f"{100 * tally.points / tally.games:.1f} % ({100 * low:.1f} … {100 * high:.1f})"
        )
    found = labels(pairings)
    for one in found:
        print("{name}: {elo} Elo above {beside} ({low} … {high}), {games} games".format(**one))
    if args.write:
        write_whole(FILE, text_of(found).encode())


if __name__ == "__main__":
    main()
