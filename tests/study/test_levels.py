"""The labels of the page's opponents: from matches of known strengths."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from katachi.match.statistics import Tally, elo_difference
from tools.levels import GNU, fit, joined, labels, player, read, text_of


def test_commands_name_their_level() -> None:
    assert player("katachi gtp --simulations 200 --seed {seed}") == "200"
    assert player("katachi gtp --player pattern") == "pattern"
    assert player("gnugo --mode gtp --level 10 --chinese-rules") == GNU
    for other in ("gnugo --mode gtp", "katachi gtp --simulations 2000", "pachi"):
        with pytest.raises(ValueError, match="plays no level"):
            player(other)


def test_one_pairing_has_its_closed_form() -> None:
    """With one virtual game won by either side: 31 of 42, and the interval of that rate."""
    ((name, (elo, half)),) = fit({("200", "50"): Tally(30, 10)}, "50").items()
    assert name == "200"
    assert elo == pytest.approx(elo_difference(31 / 42))
    assert half == pytest.approx(1.96 * 173.718 / (42 * (31 / 42) * (11 / 42)) ** 0.5, rel=1e-4)


def test_a_chain_adds_up() -> None:
    pairings = {("200", "50"): Tally(30, 10), (GNU, "200"): Tally(10, 30)}
    found = fit(pairings, GNU)
    assert found["200"][0] == pytest.approx(elo_difference(31 / 42))
    assert found["50"][0] == pytest.approx(0, abs=1e-6)
    assert found["50"][1] == pytest.approx(2**0.5 * found["200"][1])


def test_who_is_joined_to_nobody_has_no_label(tmp_path: Path) -> None:
    pairings = {("50", "pattern"): Tally(30, 10), ("800", GNU): Tally(20, 20)}
    assert joined(pairings, "pattern") == {"50", "pattern"}
    found = {one["name"]: one for one in labels(pairings)}
    assert found.keys() == {"pattern", "800"}  # 50 is what the pattern player is measured by
    assert (found["pattern"]["beside"], found["800"]["beside"]) == ("50", GNU)
    assert found["800"]["elo"] == 0
    assert tomllib.loads(text_of(labels(pairings)))["level"] == list(found.values())
    engines = {"A": {"command": "gnugo --level 10"}, "B": {"command": "x --player pattern"}}
    games = [{"winner": winner} for winner in ("A", "A", "B", "")]
    (tmp_path / "match.json").write_text(json.dumps({"engines": engines, "games": games}))
    assert read(tmp_path) == ((GNU, "pattern"), Tally(2, 1, 1))
