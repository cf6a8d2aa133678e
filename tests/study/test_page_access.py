"""The page by keyboard and for a screen reader, and help on one screen, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.study.server import Served
from tests.study.test_page import Visit
from tests.study.test_page_board import GAME, SIZES, open_game

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param])
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    open_game(found, GAME)
    yield found
    context.close()
    assert found.wrong == []


CONTROLS = "[...document.querySelectorAll('button, input, select, textarea, summary, [role]')]"
NAMELESS = f"""() => {CONTROLS}
  .filter((one) => one.checkVisibility() && !['status', 'alert'].includes(one.getAttribute('role')))
  .filter((one) => !(one.ariaLabel || one.labels?.[0]?.textContent.trim()
    || one.textContent.trim()))
  .map((one) => one.outerHTML.slice(0, 90))"""
# What Tab reaches, until it is back: ids, or the names of radio groups, which are one stop each
NAME = "(e) => e.name || e.id || e.textContent.trim().slice(0, 30)"
STOP = f"() => ({NAME})(document.activeElement)"
WANTED = f"""() => {CONTROLS}
  .filter((one) => one.checkVisibility() && !one.disabled && one.matches(':not([role])'))
  .map({NAME})"""


def test_every_control_has_a_name_and_tab_reaches_it(visit: Visit) -> None:
    page = visit.page
    visit.press("ArrowRight", "ArrowRight")
    visit.drawn(2)
    page.wait_for_selector("#unusual:not([hidden])")
    for mode in ("Escape", "g", "p"):
        visit.press(mode)
        assert page.evaluate(NAMELESS) == []
    visit.press("Escape")
    page.locator("body").evaluate("(body) => { body.tabIndex = -1; body.focus(); }")
    reached: list[str] = []
    wanted = set(page.evaluate(WANTED))
    for _ in range(2 * len(wanted) + 20):
        visit.press("Tab")
        reached.append(page.evaluate(STOP))
        if wanted <= set(reached):
            break
    assert wanted - set(reached) == set()


def test_a_screen_reader_finds_its_way(visit: Visit) -> None:
    """By roles and names alone, as a reader tells them: to a move, a mark, a guess."""
    page = visit.page
    page.get_by_role("toolbar", name="Step through the game").get_by_role(
        "button", name="One move on"
    ).press("Enter")
    visit.drawn(1)
    expect(page.get_by_role("status").filter(has_text="Move 1, black Q16")).to_be_attached()
    expect(page.get_by_role("img", name="A Go board of 19 lines")).to_be_visible()
    tools = page.get_by_role("radiogroup", name="What a click on the board does")
    tools.get_by_role("radio", name="Play a move").press("ArrowRight")
    expect(tools.get_by_role("radio", name="Triangle")).to_be_checked()
    page.get_by_role("textbox", name="A move to play").fill("Q16")
    page.get_by_role("textbox", name="A move to play").press("Enter")
    expect(page.locator("#board .mark.TR")).to_have_count(1)
    page.locator("#tools label").first.click()  # with the mouse: the arrows are the game's again
    visit.press("ArrowRight")
    visit.drawn(2)
    modes = page.get_by_role("radiogroup", name="What to do")
    modes.get_by_role("radio", name="Study").press("ArrowRight")
    expect(modes.get_by_role("radio", name="Guess")).to_be_checked()
    expect(page.get_by_role("heading", name="Guess the move")).to_be_visible()


def test_menus_open_and_close_by_keyboard(visit: Visit) -> None:
    page = visit.page
    summary = page.locator("#shows summary")
    summary.press("Enter")
    box = page.get_by_role("checkbox", name="move numbers")
    box.press("Space")
    expect(box).to_be_checked()
    box.press("Escape")
    expect(page.locator("#shows")).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()


def test_help_is_on_one_screen(visit: Visit) -> None:
    page = visit.page
    visit.press("?")
    dialog = page.get_by_role("dialog", name="Help")
    expect(dialog).to_be_visible()
    found = dialog.evaluate(
        "(d) => [d.scrollHeight - d.clientHeight, d.scrollWidth - d.clientWidth]"
    )
    assert max(found) <= 1
    box = dialog.bounding_box()
    assert box is not None
    window = page.viewport_size
    assert window is not None
    assert box["x"] >= 0 <= box["y"]
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]
    expect(dialog.get_by_role("row")).not_to_have_count(0)
    visit.press("Escape")
    expect(dialog).to_be_hidden()
