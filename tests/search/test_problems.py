"""Positions with a known answer: the search finds it with 2,000 simulations."""

from __future__ import annotations

from collections import Counter

from katachi.go.points import vertex
from katachi.learning.model import load_model
from katachi.search.engine import search_player
from katachi.search.player import Budget, Game
from tests.search.problems import load_problems

SIMULATIONS = 2000
CATEGORIES = {"capture", "ladder", "snapback", "eyes", "nakade", "semeai", "ko", "seki"}


def test_the_search_finds_nine_answers_of_ten() -> None:
    model = load_model()
    problems = load_problems()
    assert len(problems) >= 30
    assert {problem.category for problem in problems} == CATEGORIES
    missed = []
    for problem in problems:
        player = search_player(model, memory_mb=32, seed=1)
        position = problem.position()
        found = player.search(Game(position, problem.komi), Budget(simulations=SIMULATIONS))
        move = found.moves[0][0]
        if move not in problem.answers:
            missed.append(f"{problem.category} {problem.name}: {vertex(move, position.size)}")
    assert len(missed) <= 0.1 * len(problems), missed
    # No kind of problem is beyond it.
    counts = Counter(problem.category for problem in problems)
    for category in CATEGORIES:
        wrong = sum(text.startswith(f"{category} ") for text in missed)
        assert wrong <= counts[category] / 2, missed
