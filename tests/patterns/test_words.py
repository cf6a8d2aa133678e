"""The names of the words, the glossary, and the model that is made of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from katachi.go.points import PASS
from katachi.patterns.vocabulary.glossary import page
from katachi.patterns.vocabulary.groups import GROUPS, TERMS
from katachi.patterns.vocabulary.names import LANGUAGES, all_names, japanese, name_of
from katachi.records.bundled import bundled_games
from tools.word_counts import count, summary, table

ROOT = Path(__file__).parents[2]


def test_no_name_is_missing() -> None:
    """Every word has an entry for every language, and a name in English."""
    assert list(all_names()) == list(TERMS)
    for key, names in all_names().items():
        assert tuple(names) == LANGUAGES, key
        assert names["en"] == TERMS[key].word
        assert all(name == name.strip() for name in names.values()), key
        assert names["romaji"].isprintable()


def test_names_are_told_apart() -> None:
    """No two words of a group have one name in a language; and most words have one."""
    for language in LANGUAGES:
        for group in GROUPS:
            names = Counter(name_of(term.key, language) for term in group.terms)
            del names[""]
            assert set(names.values()) <= {1}, (language, group.family.name)
    known = [sum(bool(names[language]) for names in all_names().values()) for language in LANGUAGES]
    assert known[0] == len(TERMS)
    assert min(known) >= 25


def test_names() -> None:
    assert japanese("hane") == "hane (ハネ)"
    assert japanese("fill-eye") == ""
    assert name_of("ladder", "de") == "Treppe"
    with pytest.raises(KeyError):
        name_of("ladder", "la")


def test_the_glossary_is_current() -> None:
    assert (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8") == page()


def test_words_are_counted() -> None:
    """By tools/word_counts.py, in two games of ours: a small one and a large one."""
    games = [bundled_games()[3], bundled_games()[70]]
    tally = count(games)
    moves = sum(p != PASS for game in games for _, p in game.moves)
    assert sum(tally.words) == moves
    assert all(sum(played) == moves for played in tally.played)
    assert len({sum(legal) for legal in tally.legal}) == 1
    found = sum(number * has for has, number in enumerate(tally.words))
    assert found == sum(sum(played[1:]) for played in tally.played)
    assert table(tally).count("%") == len(GROUPS) + 2 * len(TERMS)
    assert f"{moves:,} moves; one word at least: " in summary(tally)
    assert len(tally.bare) == tally.words[0]


def test_the_glossary_has_every_word() -> None:
    for term in TERMS.values():
        assert f"**{term.word}**" in page()
        assert f"{term.definition}. (`{term.key}`)" in page()
