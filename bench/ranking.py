"""Ranking: how many positions a second are followed, and learnt from, on one core.

The games are `kgs-train-652` where the shared packs lie beside the project, else bundled ones. The
baseline of following games is describing their positions one by one, with the same result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

from rich.table import Table

from bench import Report
from bench.patterns import games_path
from katachi.learning.ranking.filtering import Positions, learn, new_workspace, prior_beliefs
from katachi.learning.ranking.learner import usual_beta
from katachi.learning.ranking.positions import first_members, follows, merged, team_width
from katachi.patterns.catalogue import CONTEXT, STERN
from katachi.patterns.competitions import describe_games
from katachi.patterns.features import WAYS, Features
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.largest import Follower
from katachi.records.corpus import Corpus
from katachi.records.read import read_games


def benchmark(quick: bool) -> Report:
    """Half a minute, or a few seconds if `quick`."""
    corpus = read_games(games_path())
    corpus = corpus.take(corpus.size == 19)
    print("harvesting …", file=sys.stderr)
    ways = features_of(corpus)
    some = range(10 if quick else 40)
    repeats = 1 if quick else 3
    print("following and learning …", file=sys.stderr)
    speed = {
        f"{what}, {way}": found
        for way, features in ways.items()
        for what, found in speeds(corpus, features, some, repeats).items()
    }
    ratio = speed["follow, largest"] / speed["describe, largest"]
    table = Table(box=None, title="Ranking, one core", title_justify="left")
    table.add_column("")
    table.add_column("positions/s", justify="right")
    for name, value in speed.items():
        table.add_row(name, f"{value:,.0f}")
    table.add_row("follow / describe", f"{ratio:.1f}")
    patterns = len(ways["largest"].dictionaries["shape"])
    data = {
        "games": len(corpus),
        "patterns": patterns,
        "positions_per_second": speed,
        "follow_by_describe": ratio,
    }
    return Report(data, table)


def features_of(corpus: Corpus) -> dict[str, Features]:
    """The paper's patterns alone, nested, and in their context, harvested from these games."""
    found = {
        h.dictionary: harvest(corpus, templates=h.templates, rule=h.rule, min_count=h.min_count)
        for h in CONTEXT.harvests
    }
    alone = {"shape": found["shape"]}
    ways = {way: Features(STERN, alone, all_radii) for way, all_radii in WAYS.items()}
    return ways | {"context": Features(CONTEXT, found, all_radii=True)}


def speeds(corpus: Corpus, features: Features, some: range, repeats: int) -> dict[str, float]:
    """Positions a second of each kind of work."""
    works: dict[str, Callable[[], object]] = {}
    # Each kind of work once beforehand: that compiles what is not compiled yet.
    teams = merged(describe_games(corpus, some, features), features)
    if follows(features):
        follower = Follower(features.dictionaries["shape"], features.all_radii)
        found = follower.games(corpus, some)
        teams = Positions(found.starts, found.winner, found.kinds, found.times)
        works["follow"] = lambda: follower.games(corpus, some)
    members = first_members(features)[""]
    space = new_workspace(members, team_width(features))
    learn(prior_beliefs(members), teams, usual_beta(features), space)
    works |= {
        "learn": lambda: learn(prior_beliefs(members), teams, usual_beta(features), space),
        "describe": lambda: merged(describe_games(corpus, some, features), features),
    }
    return {name: len(teams.winner) / _seconds(work, repeats) for name, work in works.items()}


def _seconds(work: Callable[[], object], repeats: int) -> float:
    """The median time of so many runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)
