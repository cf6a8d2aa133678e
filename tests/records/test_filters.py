"""Filters, duplicates, splits, summary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.filters import Filters, held_out, select
from katachi.records.game import Notice
from katachi.records.sgf import parse_games
from katachi.records.summary import summarize


def corpus_from(*texts: str) -> Corpus:
    games, notices = [], []
    for number, text in enumerate(texts):
        found, remarks = parse_games(text.encode(), f"{number}.sgf")
        games += found
        notices += remarks
    return corpus_of(games, notices)


FILTERED = [
    # (filters, texts that pass, texts that do not, the reason counted)
    ({"size": 9}, ["(;SZ[9];B[aa])"], ["(;SZ[13];B[aa])"], "another board size"),
    (
        {"even": True},
        ["(;HA[0];B[aa])", "(;HA[1];B[aa])"],
        ["(;HA[2]AB[dd][pp];W[aa])", "(;AB[dd]AW[pp];B[aa])", "(;HA[2];B[aa];B[bb])"],
        "handicap or setup",
    ),
    ({"min_moves": 2}, ["(;;B[aa];W[bb])"], ["(;;B[aa])"], "too few moves"),
    (
        {"min_rank": "6d"},
        ["(;BR[6d]WR[1p];B[aa])", "(;BR[9d]WR[6d?];B[aa])"],
        ["(;BR[5d]WR[9d];B[aa])", "(;BR[9d];B[aa])", "(;BR[1k]WR[9p];B[aa])"],
        "rank too low or unknown",
    ),
    (
        {"since": "2006-02"},
        ["(;DT[2006-02-01];B[aa])", "(;DT[2007];B[aa])"],
        ["(;DT[2006-01-31];B[aa])", "(;B[aa])"],
        "too early or undated",
    ),
    (
        {"until": "2006-02"},
        ["(;DT[2006-02-28];B[aa])", "(;DT[1990];B[aa])"],
        ["(;DT[2006-03-01];B[aa])", "(;B[aa])"],
        "too late or undated",
    ),
    (
        {"until": "2006"},
        ["(;DT[2006-12-31];B[aa])"],
        ["(;DT[2007-01-01];B[aa])"],
        "too late or undated",
    ),
    (
        {"known_result": True},
        ["(;RE[B+R];B[aa])", "(;RE[Jigo];B[aa])"],
        ["(;RE[Void];B[aa])", "(;B[aa])"],
        "result unknown",
    ),
    (
        {"alternating": True},
        ["(;;B[aa];W[bb])", "(;;W[aa];B[bb])"],
        ["(;;B[aa];B[bb])"],
        "colours do not alternate",
    ),
    ({"whole": True}, ["(;;B[aa];W[bb])"], ["(;;B[aa];W[aa])"], "cut"),
    (
        {"unique": True},
        ["(;;B[dd];W[pd])", "(;;B[dd];W[pp])"],
        ["(;;B[dd];W[pd];)", "(;;B[pp];W[dp])", "(;;B[dd];W[dp])"],
        "same moves as another",
    ),
]


@pytest.mark.parametrize(("options", "good", "bad", "reason"), FILTERED)
def test_filters(options: dict[str, Any], good: list[str], bad: list[str], reason: str) -> None:
    corpus = corpus_from(*good, *bad)
    kept, dropped = select(corpus, Filters(**options))
    assert [game.source for game in kept] == [f"{i}.sgf" for i in range(len(good))]
    assert dropped == {reason: len(bad)}


def test_no_filter_keeps_everything() -> None:
    corpus = corpus_from("(;SZ[9];B[aa])", "(;SZ[9];B[aa])")
    assert select(corpus, Filters()) == (corpus, {})


@pytest.mark.parametrize("wrong", [{"min_rank": "strong"}, {"since": "soon"}, {"until": "x"}])
def test_filters_that_cannot_be_understood(wrong: dict[str, str]) -> None:
    with pytest.raises(KatachiError, match="write it like"):
        select(corpus_from("(;SZ[9];B[aa])"), Filters(**wrong))  # type: ignore[arg-type]


def test_a_game_counts_for_the_first_filter_it_fails() -> None:
    corpus = corpus_from("(;SZ[9];B[aa])", "(;SZ[13];B[aa])", "(;SZ[13];B[aa];W[bb])")
    _, dropped = select(corpus, Filters(size=13, min_moves=2))
    assert dropped == {"another board size": 1, "too few moves": 1}


def test_split_is_stable(corpus_cache: Path) -> None:
    corpus = bundled_games()
    test = held_out(corpus, 0.3)
    assert 0.15 < test.mean() < 0.45
    some = np.arange(len(corpus)) % 3 != 0
    assert (held_out(corpus.take(some), 0.3) == test[some]).all()  # adding games moves none
    assert (test <= held_out(corpus, 0.5)).all()  # a larger share keeps the smaller
    assert (held_out(corpus, 0.3, salt="other") != test).any()
    assert not held_out(corpus, 0).any()
    assert held_out(corpus, 1).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        held_out(corpus, 1.5)
    assert corpus_cache.exists()


def test_split_keeps_mirrored_games_together() -> None:
    corpus = corpus_from(*[f"(;;B[{a}d];W[pp])(;;B[d{a}];W[pp])" for a in "abcefghijklmn"])
    test = held_out(corpus, 0.5)
    assert (test[::2] == test[1::2]).all()
    assert 0 < test.sum() < len(test)


def test_summary() -> None:
    corpus = corpus_from(
        "(;SZ[9]KM[6.5]BR[6d]WR[7d]DT[2006-01-02]RE[B+R];B[aa];W[])",
        "(;SZ[19]KM[0]RE[W+1];B[aa];W[bb];B[cc])",
        "(;SZ[19];B[aa];W[aa])",
        "hello",
    )
    summary = summarize(corpus)
    assert (summary["games"], summary["moves"], summary["passes"]) == (3, 6, 1)
    assert summary["sizes"] == {"19x19": 2, "9x9": 1}
    assert summary["ranks"] == {"?": 4, "6d": 1, "7d": 1}
    assert summary["dates"] == {"first": "2006-01-02", "last": "2006-01-02", "undated": 2}
    assert summary["results"] == {"black": 1, "white": 1, "unknown": 1}
    assert summary["komi"] == {"6.5": 1, "0": 1, "?": 1}
    assert summary["skipped"] == {"no game record": 1}
    assert summary["cut"] == {"move on a stone": 1}
    assert summary["length"] == {"shortest": 1, "median": 2.0, "mean": 2.0, "longest": 3}
    assert summarize(corpus_of([]))["games"] == 0
    assert Notice("skipped", "3.sgf", "", "no game record") in corpus.notices
