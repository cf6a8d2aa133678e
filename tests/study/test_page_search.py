"""The search of the game and the likely lines on the page, on a wide window and on a phone, in a
real Chromium.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from katachi.go.points import from_vertex, vertex
from katachi.models.model import load_model
from katachi.records.sgf import parse_games
from katachi.study.expected import expected
from tests.study.server import Served
from tests.study.test_page import Visit
from tests.study.test_page_board import SIZES

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)
GAME = b"(;SZ[9]KM[6.5];B[ee];W[cc];B[gc];W[gg];B[cg];W[ah];B[ff];W[ia])"
LAST = 8
# Black to move can take ten stones, and loses them instead
BLUNDER = (
    b"(;SZ[9]KM[6.5]AB[ce][cf][cg][ch][ci][fe][ff][fg][fh][fi][ad][bd][cd][dd][fd][gd][hd][id]"
    b"AW[de][df][dg][dh][di][ee][ef][eg][eh][ei][ac][bc][cc][dc][ec][fc][gc][hc][ic]PL[B]"
    b";B[ai];W[ed];B[ii];W[aa])"
)
MOVES = 4


def open_game(visit: Visit, sgf: bytes = GAME, moves: int = LAST) -> None:
    visit.page.evaluate(
        """async (sgf) => {
          const { openBytes } = await import('./opening.js');
          await openBytes(new TextEncoder().encode(sgf));
        }""",
        sgf.decode(),
    )
    expect(visit.page.locator("#count")).to_have_text(f"0 / {moves}")
    visit.drawn(0)


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param])
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    found.drawn(0)
    open_game(found)
    yield found
    context.close()
    assert found.wrong == []


def search(visit: Visit, depth: int = 50) -> list[dict[str, Any]]:
    """Search the game to its end; what the server has said of each position, in order."""
    page = visit.page
    page.locator("#depth").select_option(str(depth))
    page.locator("#search-begin").click()
    expect(page.locator("#search-told")).to_have_text("all positions are known")
    expect(page.locator("#search-stop")).to_be_hidden()
    return known(page)


def known(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        """async () => {
          const { state } = await import('./state.js');
          return state.tree.line(0).map((n) => state.tree.nodes[n].searched ?? null);
        }"""
    )
    return found


def go(visit: Visit, node: int) -> None:
    visit.press("Home")
    visit.drawn(0)
    for number in range(1, node + 1):
        visit.press("ArrowRight")
        visit.drawn(number)


def test_the_arithmetic_of_losses(visit: Visit) -> None:
    """Points lost and their errors, against plain Python, for searches made up by chance."""
    rng = np.random.default_rng(5)

    def made(**more: Any) -> dict[str, Any]:
        numbers = ("win_rate", "rate_error", "lead", "lead_error")
        found = dict(zip(numbers, rng.normal(0, 1, 4) * (0.3, 0.05, 20, 3), strict=True))
        return {k: abs(v) if "error" in k else v for k, v in found.items()} | more

    cases: list[Any] = []
    for number in range(60):
        apart = made(vertex="D4", probability=float(rng.random()), line=[])
        before = made(best="D4", played="E5", apart=None if number % 10 == 7 else apart)
        after = None if number % 10 == 3 else made()
        name = "D4" if number % 10 == 5 else "E5"
        cases.append([before, after, {"colour": "BW"[number % 2], "vertex": name}])
    found, points, usual = visit.page.evaluate(
        """async (cases) => {
          const { loss, mistakes } = await import('./losses.js');
          const all = cases.map(([one, two, move], i) => {
            const found = loss(one, two, move);
            return found && { ...found, i };
          });
          const there = all.filter(Boolean);
          const places = (order) => mistakes(there, order).map((one) => one.i);
          return [all, places('points'), places('usual')];
        }""",
        cases,
    )
    worth = {}
    for number, ((before, after, move), one) in enumerate(zip(cases, found, strict=True)):
        best = before["apart"]
        if after is None or (best is None and move["vertex"] != "D4"):
            assert one is None
            continue
        if move["vertex"] == "D4":
            assert (one["points"], one["sure"], one["own"]) == (0, False, True)
            continue
        sign = 1 if move["colour"] == "B" else -1
        assert one["points"] == pytest.approx(sign * (best["lead"] - after["lead"]))
        error = 2.5 * math.sqrt(best["lead_error"] ** 2 + after["lead_error"] ** 2)
        assert one["error"] == pytest.approx(error)
        assert one["rate"] == pytest.approx(sign * (best["win_rate"] - after["win_rate"]))
        error = 2.5 * math.sqrt(best["rate_error"] ** 2 + after["rate_error"] ** 2)
        assert one["rateError"] == pytest.approx(error)
        assert one["sure"] == (one["points"] > one["error"])
        if one["sure"]:
            worth[number] = (one["points"], best["probability"])
    assert len(worth) > 5
    assert points == sorted(worth, key=lambda n: -worth[n][0])
    assert usual == sorted(worth, key=lambda n: -worth[n][1])


def test_a_game_is_searched(visit: Visit) -> None:
    """The graph, the mistakes in both orders, the verdict, and all of it again after a reload."""
    page = visit.page
    open_game(visit, BLUNDER, MOVES)
    expect(page.locator("#mistakes")).to_be_hidden()
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page.locator("#leads svg")).to_have_count(0)
    found = search(visit)
    assert [one["simulations"] for one in found] == [50] * (MOVES + 1)
    assert all(one["lead_error"] > 0 < one["rate_error"] for one in found)
    expect(page.locator("#leads svg")).to_be_visible()
    rows = page.locator("#mistakes ol li")
    expect(rows.filter(has_text="black A1")).to_have_count(1)
    expect(rows.filter(has_text="E6 instead")).to_have_count(1)
    expect(rows.filter(has_text="white E6")).to_have_count(0)
    lost = [
        float(t.split(" ±")[0][1:]) for t in page.locator("#mistakes .chance").all_inner_texts()
    ]
    errors = [float(t.split("± ")[1]) for t in page.locator("#mistakes .chance").all_inner_texts()]
    assert lost == sorted(lost, reverse=True)
    assert all(a > b for a, b in zip(lost, errors, strict=True))
    expect(page.locator("#leads .mistake")).to_have_count(len(lost))
    expect(page.locator("#mistakes p")).to_contain_text(f"{len(lost)} of {MOVES} moves lost more")
    page.locator("#mistakes-order").select_option("usual")
    usual = [
        float(re.findall(r"\((?:< )?([\d.]+) % usual\)", text)[0])
        for text in page.locator("#mistakes .because").all_inner_texts()
    ]
    assert usual == sorted(usual, reverse=True)
    number = int(page.locator("#mistakes .sign").first.inner_text())
    page.locator("#mistakes ol button").first.click()
    expect(page.locator("#count")).to_have_text(f"{number - 1} / {MOVES}")
    one, move = found[number - 1], found[number - 1]["played"]
    verdict = page.locator("#verdict")
    side, lead = ("Black", one["lead"]) if one["lead"] >= 0 else ("White", -one["lead"])
    expect(verdict.locator(".whole")).to_contain_text(
        f"{side} leads by {lead:.1f} ± {2.5 * one['lead_error']:.1f} points"
    )
    expect(verdict.locator(".lost")).to_contain_text(f"{move} was played: a mistake, ")
    names = verdict.locator("ol .vertex").all_inner_texts()
    assert names[:2] == [one["best"], move]
    page.evaluate("() => document.querySelector('#leads svg').scrollIntoView()")
    box = page.locator("#leads svg").bounding_box()
    assert box is not None
    page.locator("#leads svg").click(position={"x": box["width"] - 10, "y": box["height"] / 2})
    expect(page.locator("#count")).to_have_text(f"{MOVES} / {MOVES}")
    page.reload()
    visit.drawn(MOVES)
    expect(page.locator("#search-told")).to_have_text("all positions are known")
    assert known(page) == found
    visit.press("g")  # a guess must not be given away
    for hidden in ("#verdict", "#mistakes", "#search"):
        expect(page.locator(hidden)).to_be_hidden()


def test_a_search_is_stopped_and_goes_on(visit: Visit) -> None:
    """What is known stays, stepping goes on meanwhile, and only the rest is asked for again."""
    page = visit.page
    asked: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/search"):
            asked.append(json.loads(request.post_data or "null"))

    page.on("request", note)
    page.locator("#depth").select_option("1000")
    page.locator("#search-begin").click()
    expect(page.locator("#search-stop")).to_be_visible()
    visit.press("ArrowRight")  # while the engine is at work
    visit.drawn(1)
    expect(page.locator("#search-told")).to_have_text(re.compile(rf"^[1-{LAST}] of {LAST + 1} "))
    page.locator("#search-stop").click()
    expect(page.locator("#search-begin")).to_be_visible()
    before = known(page)
    there = sum(one is not None for one in before)
    assert 0 < there < LAST + 1
    expect(page.locator("#search-told")).to_have_text(f"{there} of {LAST + 1} positions are known")
    expect(page.locator("#search-begin")).to_have_text("Search on")
    after = search(visit, 50)
    assert all(two == one for one, two in zip(before, after, strict=True) if one is not None)
    assert [len(one["positions"]) for one in asked[:2]] == [LAST + 1, LAST + 1 - there]
    assert asked[1]["simulations"] == 50
    # The server may still have been at the search before: then it says so, and is asked again
    assert all(one == asked[1] for one in asked[2:])
    visit.wrong = [words for words in visit.wrong if "429" not in words]


def test_other_games_end_the_search(visit: Visit) -> None:
    page = visit.page
    page.locator("#depth").select_option("1000")
    page.locator("#search-begin").click()
    expect(page.locator("#search-stop")).to_be_visible()
    open_game(visit)
    expect(page.locator("#search-begin")).to_be_visible()
    expect(page.locator("#leads svg")).to_have_count(0)
    assert known(page) == [None] * (LAST + 1)


def test_a_server_that_is_busy_is_asked_again(visit: Visit) -> None:
    page = visit.page
    answers = [429, 503]

    def busy(route: Route) -> None:
        if answers:
            code = answers.pop()
            route.fulfill(status=code, headers={"Retry-After": "0"}, json={"error": "busy"})
        else:
            route.continue_()

    page.route("**/api/search", busy)
    search(visit)
    assert answers == []
    visit.wrong = [words for words in visit.wrong if "429" not in words and "503" not in words]


# -- likely lines ----------------------------------------------------------------------------------


def likely(number: int, begin: list[str]) -> list[str]:
    """By the model, in this process."""
    (game,), _ = parse_games(GAME)
    moves = [from_vertex(name, 9) for name in begin]
    return [vertex(p, 9) for p in expected(load_model(), game.position(number), moves)]


def expect_line(visit: Visit, line: list[str]) -> None:
    """Wait until these moves lie on the board, numbered."""
    page = visit.page
    expect(page.locator("body")).to_have_attribute("data-sequence", " ".join(line))
    numbers = page.locator("#board .marks text").all_text_contents()
    assert len(set(line)) == len(line)
    assert sorted(map(int, numbers)) == list(range(1, len(line) + 1))
    expect(page.locator("#board .candidate")).to_have_count(0)


def stones(page: Page) -> str:
    found: str = page.locator("#board .stones").inner_html()
    return found


def test_a_line_by_the_key(visit: Visit) -> None:
    page = visit.page
    go(visit, 2)
    before, title = stones(page), page.locator("#title").inner_text()
    first = page.locator("#candidates .vertex").first.inner_text()
    visit.press("e")
    expect_line(visit, likely(2, [first]))
    expect(page.locator("#title")).to_contain_text("Likely, by the model")
    visit.press("e")
    expect(page.locator("body")).not_to_have_attribute("data-sequence", re.compile(""))
    assert (stones(page), page.locator("#title").inner_text()) == (before, title)
    expect(page.locator("#board .candidate")).not_to_have_count(0)
    visit.press("2")  # of the move that is explained
    expect(page.locator("#explanation")).to_be_visible()
    second = page.locator("#candidates .vertex").nth(1).inner_text()
    visit.press("e")
    expect_line(visit, likely(2, [second]))
    visit.press("ArrowRight")  # and it is gone with the position
    visit.drawn(3)
    expect(page.locator("body")).not_to_have_attribute("data-sequence", re.compile(""))


def test_a_line_by_the_search(visit: Visit) -> None:
    """Where the search has looked, its line comes first, and the model goes on from there."""
    page = visit.page
    found = search(visit)
    go(visit, 4)
    one = found[4]
    best = one["apart"] or one["moves"][0]
    lines = [m["line"] for m in [*one["moves"], best] if m["vertex"] == one["best"]]
    if one["played"] == one["best"]:
        lines.append([one["best"], *found[5]["line"]])
    line = max(lines, key=len)
    assert len(line) > 1
    page.evaluate(
        """async (name) => {
          const { playOut } = await import('./sequence.js');
          await playOut(name);
        }""",
        one["best"],
    )
    expect_line(visit, likely(4, line))
    expect(page.locator("#title")).to_contain_text("by the search")


def test_a_line_while_the_pointer_is_there(chromium: Browser, server: Served) -> None:
    context = chromium.new_context(**SIZES["wide"])
    context.set_default_timeout(LONG)
    visit = Visit(context.new_page(), server.address)
    visit.drawn(0)
    open_game(visit)
    go(visit, 2)
    page = visit.page
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if r.url.endswith("/expected") else None)
    before = stones(page)
    names = page.locator("#candidates .vertex").all_inner_texts()
    page.mouse.move(*visit.place(names[0], 9))
    expect_line(visit, likely(2, [names[0]]))
    page.mouse.move(1, 1)
    expect(page.locator("body")).not_to_have_attribute("data-sequence", re.compile(""))
    assert stones(page) == before
    page.locator("#candidates ol button").nth(1).hover()  # the list does the same
    expect_line(visit, likely(2, [names[1]]))
    page.mouse.move(*visit.place(names[0], 9))
    expect_line(visit, likely(2, [names[0]]))
    assert len(asked) == 2  # what is known is not asked for again
    page.mouse.move(1, 1)
    page.locator("#shows summary").click()
    page.locator("#show-sequences").click()
    page.locator("#show-sequences").press("Escape")
    with page.expect_response("**/api/explain"):  # the pointer has rested there
        page.mouse.move(*visit.place("A1", 9))
        page.evaluate("async () => (await import('./candidates.js')).explain('A1')")
    expect(page.locator("body")).not_to_have_attribute("data-sequence", re.compile(""))
    context.close()
    assert visit.wrong == []


def test_a_line_while_a_finger_stays(chromium: Browser, server: Served) -> None:
    """The board goes back when it is lifted, and nothing is tapped by that."""
    context = chromium.new_context(**SIZES["phone"])
    context.set_default_timeout(LONG)
    visit = Visit(context.new_page(), server.address)
    visit.drawn(0)
    open_game(visit)
    go(visit, 2)
    page = visit.page
    first = page.locator("#candidates .vertex").first.inner_text()
    page.evaluate("() => scrollTo(0, 0)")
    x, y = visit.place(first, 9)
    control = context.new_cdp_session(page)
    control.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    expect_line(visit, likely(2, [first]))
    control.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("body")).not_to_have_attribute("data-sequence", re.compile(""))
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#count")).to_have_text(f"2 / {LAST}")
    page.touchscreen.tap(x, y)  # a tap is a tap as before
    expect(page.locator("#hint")).to_contain_text("Tap again to play it")
    page.touchscreen.tap(x, y)
    expect(page.locator("#count")).to_contain_text("3 / ")
    context.close()
    assert visit.wrong == []
