"""The page with a library: what it shows of similar positions, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from katachi.library.build import build_library
from katachi.library.similar import similar
from katachi.records.corpus import corpus_of
from katachi.records.sgf import parse_games
from tests.games import bundled_sgfs
from tests.study.server import served
from tests.study.test_page import LONG, Visit
from tests.study.test_page_board import SIZES

GAMES = list(bundled_sgfs().values())[:8]


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_the_page_shows_what_the_library_finds(chromium: Browser, tmp_path: Path) -> None:
    games = corpus_of([parse_games(data, str(n))[0][0] for n, data in enumerate(GAMES)])
    build_library(games, tmp_path / "library")
    (tmp_path / "game.sgf").write_bytes(GAMES[0])
    game = games[0]
    wanted = similar(game, 4, tmp_path / "library")
    assert wanted.last is not None
    assert wanted.move is not None
    with served(str(tmp_path / "game.sgf"), "--library", str(tmp_path / "library")) as server:
        for body, words in (
            ({"size": 19, "komi": 7.5, "actions": ["B D4"]}, "is a library of 9x9"),
            ({"size": 9, "komi": 7.5, "actions": [], "played": True}, "no move that was played"),
            ({"size": 9, "komi": 7.5, "actions": [], "whole": ["B Z1"]}, "Z1"),
        ):
            found = httpx.post(f"{server.address}api/similar", json=body, trust_env=False)
            assert (found.status_code, words in found.json()["error"]) == (400, True), found.text
        for size in SIZES.values():
            context = chromium.new_context(**size)
            visit = Visit(context.new_page(), server.address)
            panel = visit.page.locator("#similar")
            visit.drawn(0)
            visit.press("ArrowRight", "ArrowRight", "ArrowRight")
            visit.page.wait_for_selector('#similar[data-node="3"]')
            expect(panel).to_contain_text("In 8 games of the library", timeout=LONG)
            sections = panel.locator("section")
            parts = [p for p in (wanted.board, wanted.last, wanted.move) if p and p.places]
            expect(sections).to_have_count(len(parts), timeout=LONG)
            for number, part in enumerate(parts):
                first = next(n for n in part.next if n.vertex)
                expect(sections.nth(number)).to_contain_text(f"{first.colour} {first.vertex}")
                expect(sections.nth(number)).to_contain_text(f"in {part.games} game")
            visit.press("g")  # while one guesses, nothing is given away
            expect(panel).to_be_hidden(timeout=LONG)
            assert visit.wrong == []
            assert (
                visit.page.evaluate("document.documentElement.scrollWidth")
                <= size["viewport"]["width"]
            )
            context.close()
