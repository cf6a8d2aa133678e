"""Positions with a known answer: the search finds it with 2,000 simulations, and the playouts alone
tell who wins where it is settled.

python -m tests.search.answers tells, by kind, which are missed.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.search.answers import is_right, judged, missed
from tests.search.problems import CATEGORIES, load_problems, load_settled

SIMULATIONS = 2000
# Of these the search misses more than half: the stones to be given up are no shape that playouts
# give up, and the tree tries only what playouts may play.
BEYOND = {"bent four"}


@pytest.mark.slow
def test_the_search_finds_93_answers_of_100() -> None:
    problems = load_problems()
    assert len(problems) >= 130
    assert {problem.category for problem in problems} == set(CATEGORIES)
    wrong = missed(problems, seed=1, simulations=SIMULATIONS)
    told = [f"{problem.category} {problem.name}: {move}" for problem, move in wrong.items()]
    assert len(wrong) <= 0.07 * len(problems), told
    # No other kind of problem is beyond it.
    counts = Counter(problem.category for problem in problems)
    failed = Counter(problem.category for problem in wrong)
    for category in set(CATEGORIES) - BEYOND:
        assert failed[category] <= counts[category] / 2, told


@pytest.mark.slow
def test_with_all_legal_moves_it_finds_the_bent_fours() -> None:
    problems = [problem for problem in load_problems() if problem.category in BEYOND]
    assert len(problems) >= 10
    wrong = missed(problems, seed=1, simulations=SIMULATIONS, settings={"children": "legal"})
    assert len(wrong) <= 0.1 * len(problems), wrong


@pytest.mark.slow
def test_playouts_alone_judge_three_settled_positions_of_four() -> None:
    positions = load_settled()
    assert len(positions) >= 50
    said = judged(positions)
    wrong = [f"{s.category} {s.name}" for s in positions if not is_right(said[s])]
    assert len(wrong) <= 0.25 * len(positions), wrong
