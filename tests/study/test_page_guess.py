"""Guessing on the page: sessions over several games, the score, hard ones again; in Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from katachi.models.model import load_model
from katachi.records.bundled import bundled_games
from katachi.study.opinion import Opinion
from katachi.study.problems import AGREE, problems
from katachi.study.review import stage_of
from katachi.study.wire import game_of
from tests.study.server import Served
from tests.study.test_page import Visit
from tests.study.test_page_board import SIZES

pytestmark = [pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param])
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    found.drawn(0)
    yield found
    context.close()
    assert found.wrong == []


def test_problems_are_where_players_agree() -> None:
    """Each beside the model's own opinion; of the stage and the kinds that are asked for."""
    model, games = load_model(), bundled_games()
    found = list(problems(model, games, 6, "middle game", {"block"}, 5))
    assert len(found) == 6
    for one in found:
        game = game_of({"size": one["size"], "komi": one["komi"], "actions": one["actions"]})
        opinion = Opinion(model, game.position())
        best = opinion.explain(opinion.ranked[0])
        assert (best.vertex, best.name) == (one["vertex"], one["kind"])
        assert best.probability >= AGREE
        assert one["stage"] == "middle game" == stage_of(one["number"], one["size"])
    assert sum(one["kind"] == "block" for one in found) >= 3
    again = list(problems(model, games, 6, "middle game", {"block"}, 5))
    assert again == found
    assert list(problems(model, games, 0, "", set(), 1)) == []


def guess(page: Page, vertex: str) -> None:
    page.get_by_label("A move to play").fill(vertex)
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#guess-next")).to_be_visible()


@pytest.mark.needs("chromium")
def test_a_session_over_several_games(visit: Visit) -> None:
    page = visit.page
    asked: list[str] = []

    answers: list[str] = []

    def listen(route: Route) -> None:
        asked.append(route.request.post_data or "")
        answer = route.fetch()
        answers.append(answer.text())
        route.fulfill(response=answer)

    page.route("**/api/problems", listen)
    visit.press("g")
    page.get_by_label("Stage of the problems").select_option("opening")
    page.get_by_role("button", name="Ten problems").click()
    expect(page.locator("#guess-place")).to_be_visible()
    told = [json.loads(line) for line in answers[0].splitlines()][:-1]
    many = len(told)
    assert many == 10
    assert {one["stage"] for one in told} == {"opening"}
    missed = []
    for place, one in enumerate(told):
        expect(page.locator("#guess-place")).to_contain_text(f"Problem {place + 1} of {many}")
        expect(page.locator("#candidates")).to_be_hidden()
        expect(page.locator("#about")).not_to_contain_text("Result")
        if place < 2:  # a miss: the least usual legal move
            game = game_of({"size": one["size"], "komi": one["komi"], "actions": one["actions"]})
            opinion = Opinion(load_model(), game.position())
            wrong = opinion.explain(next(p for p in reversed(opinion.ranked) if p)).vertex
            guess(page, wrong)
            expect(page.locator("#guess-told")).to_contain_text(f"You: {wrong}, ")
            missed.append(one["kind"])
        else:
            guess(page, one["vertex"])
            expect(page.locator("#guess-told")).to_contain_text("as was played")
        visit.press("Enter")
    expect(page.locator("#banner")).to_contain_text(f"{many - 2} of {many} right")
    page.reload()  # the history stays in the browser
    visit.drawn(0)
    visit.press("g")
    expect(page.locator("#guess-history")).to_contain_text(f"{many - 2} of {many} right, problems")
    expect(page.locator("#guess-history")).to_contain_text("You miss most: ")
    expect(page.locator("#guess-score tr").nth(1)).to_contain_text("opening10")
    page.get_by_role("button", name="Hard ones again (2)").click()
    expect(page.locator("#guess-place")).to_have_text("Problem 1 of 2, 0 right")
    for one in (told[1], told[0]):  # the last missed comes first
        guess(page, one["vertex"])
        visit.press("Enter")
    expect(page.locator("#banner")).to_contain_text("2 of 2 right")
    page.get_by_role("button", name="Ten problems").click()  # of the kinds that were missed, too
    expect(page.locator("#guess-place")).to_contain_text("Problem 1 of ")
    assert set(json.loads(asked[-1])["kinds"]) == set(missed)
    visit.press("Escape")  # the game that was put aside
    expect(page.locator("#count")).to_contain_text("0 / ")
    expect(page.locator("#guessing")).to_be_hidden()
    visit.press("g")
    page.get_by_role("button", name=re.compile("Hard ones again")).click()
    expect(page.locator("#guess-place")).to_contain_text("of 2, 0 right")  # twice, not once
