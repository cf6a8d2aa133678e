"""Faults that visitors have met on the page, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.study.server import Served
from tests.study.test_page import Visit, expect_stones

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)
# Symmetric to both diagonals until White's second move
CORNERS = b"(;SZ[19];B[pd];W[dp];B[pq];W[dd])"


@pytest.fixture
def visit(chromium: Browser, server: Served) -> Iterator[Visit]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    found.drawn(0)
    yield found
    context.close()
    assert found.wrong == []


def open_text(page: Page, sgf: bytes) -> None:
    page.locator("#paste").click()
    page.locator("#paste-dialog textarea").fill(sgf.decode())
    page.locator("#paste-open").click()


def answer(visit: Visit, *lines: str, status: int = 200, first: int = 0) -> list[str]:
    """Answer for /api/play in the server's place; `first` times with 429. What was asked."""
    asked: list[str] = []

    def reply(route: Route) -> None:
        asked.append(route.request.post_data or "")
        if len(asked) <= first:
            route.fulfill(status=429, headers={"Retry-After": "0"}, body='{"error": "busy"}')
        else:
            route.fulfill(status=status, body="\n".join(lines) + "\n")

    visit.page.route("**/api/play", reply)
    return asked


def new_board(visit: Visit, size: int = 9) -> None:
    visit.page.locator("#new").select_option(str(size))
    visit.page.wait_for_selector(f"#board svg[aria-label='A Go board of {size} lines']")


# -- handicap and komi ----------------------------------------------------------------------------


def test_a_handicap_game_without_ha(visit: Visit) -> None:
    open_text(visit.page, b"(;SZ[19]AB[dd][pp];W[dp];B[pd])")
    visit.page.wait_for_selector("#board svg[aria-label='A Go board of 19 lines']")
    visit.drawn(0)
    expect_stones(visit, 2, 0)
    expect(visit.page.locator("#status")).to_contain_text("Usual for white")
    expect(visit.page.locator("#graph circle")).to_have_count(2)


def test_a_komi_without_end(visit: Visit) -> None:
    open_text(visit.page, b"(;SZ[9]PB[Endless]KM[" + b"9" * 400 + b"];B[ee];W[cc])")
    expect(visit.page.locator("#title")).to_contain_text("Endless")
    visit.press("ArrowRight")
    visit.drawn(1)
    expect(visit.page.locator("#graph circle")).to_have_count(2)


# -- win rates ------------------------------------------------------------------------------------

THOUGHT = (
    '{"simulations": 1900, "of": 2000, "win_rate": 0.6, "moves": [{"vertex": "F2", "visits": 1180,'
    ' "win_rate": 0.66}]}',
    '{"simulations": 2000, "of": 2000, "win_rate": 0.661, "move": "F2", "moves": [{"vertex": "F2",'
    ' "visits": 1240, "win_rate": 0.661}, {"vertex": "C3", "visits": 300, "win_rate": 0.5}],'
    ' "comment": "White F2 wins 66.1% of 1,240 of 2,000 simulations; expected F2 C3"}',
)


def test_a_win_rate_says_of_how_many(visit: Visit) -> None:
    page = visit.page
    new_board(visit)
    answer(visit, *THOUGHT)
    visit.press("p")
    page.locator("#hints").check()
    visit.click("E5")
    expect(page.locator("#count")).to_have_text("2 / 2")
    told = page.locator("#thinking")
    expect(told).to_contain_text("White F2 wins 66.1% of 1,240 of 2,000 simulations")
    expect(told).to_contain_text("2,000 of 2,000 simulations for White")
    expect(told.locator(".row.chosen")).to_contain_text("F266 % of 1,240")


def test_no_win_rate_of_another_position(visit: Visit) -> None:
    """What the engine thought goes away with the position: by a pass, by a step, by a new game."""
    page = visit.page
    new_board(visit)
    answer(visit, *THOUGHT)
    visit.press("p")
    page.locator("#hints").check()
    visit.click("E5")
    told = page.locator("#thinking")
    expect(told).to_contain_text("wins 66.1%")
    visit.press("ArrowLeft")  # the position it thought about
    expect(told).to_contain_text("wins 66.1%")
    visit.press("ArrowLeft")
    expect(told).to_be_empty()
    visit.press("ArrowRight", "ArrowRight")
    page.unroute("**/api/play")
    answer(visit, '{"move": "pass", "comment": "White passes: it is settled"}')
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(told).to_have_text("White passes: it is settled.")
    expect(page.locator("#count")).to_have_text("4 / 4")
    expect(page.locator("#banner")).to_contain_text("Both have passed")
    asked = answer(visit, *THOUGHT)
    page.locator("#engine").click()  # the game is over: nobody is asked
    expect(page.locator("#banner")).to_contain_text("Both have passed")
    assert asked == []
    new_board(visit, 13)
    expect(told).to_be_empty()


def test_a_busy_engine_is_asked_again(visit: Visit) -> None:
    page = visit.page
    vars(visit)["log"] = lambda _words: None  # the browser logs each 429
    new_board(visit)
    asked = answer(visit, '{"move": "C3", "comment": "C3"}', first=3)
    visit.press("p")
    visit.click("E5")
    expect(page.locator("#count")).to_have_text("2 / 2")
    assert len(asked) == 4
    page.unroute("**/api/play")
    asked = answer(visit, first=10**9)
    visit.click("G7")
    expect(page.locator("#banner")).to_contain_text("busy")  # the server's own sentence, at last
    expect(page.locator("#thinking")).to_be_empty()
    expect(page.locator("#engine")).to_be_enabled()


# -- a reload -------------------------------------------------------------------------------------


def test_a_reload_keeps_variations(visit: Visit) -> None:
    page = visit.page
    visit.press("ArrowRight", "ArrowRight")
    visit.drawn(2)
    visit.click("A1")
    expect(page.locator("#count")).to_have_text("3 / 3")
    expect_stones(visit, 2, 1)
    page.reload()
    expect(page.locator("#count")).to_have_text("3 / 3")
    expect_stones(visit, 2, 1)
    visit.press("ArrowLeft")
    expect(page.locator("#branches")).to_contain_text("then A1")
    # A game that was opened here, too, and under a link
    open_text(page, CORNERS.replace(b";B", b"PB[Kept]C[words];B", 1))
    expect(page.locator("#title")).to_contain_text("Kept")
    page.locator("#save summary").click()
    page.locator("#save-link").click()
    visit.press("ArrowRight")
    visit.click("K10", 19)
    expect(page.locator("#count")).to_have_text("2 / 2")
    page.reload()
    expect(page.locator("#count")).to_have_text("2 / 2")
    expect(page.locator("#title")).to_contain_text("Kept")
    visit.press("Home")
    expect(page.locator("#comment")).to_have_value("words")
    expect(page.locator("#count")).to_have_text("0 / 4")  # the main line is whole


def test_another_game_of_the_server_is_shown(visit: Visit) -> None:
    """A page that is kept does not hide the game that the server was started with anew."""
    page = visit.page
    visit.click("A1")
    expect(page.locator("#count")).to_have_text("1 / 1")

    def other(route: Route) -> None:
        data = route.fetch().json()
        data["game"]["black"] = "Another"
        route.fulfill(json=data)

    page.route("**/api/start", other)
    page.reload()
    expect(page.locator("#title")).to_contain_text("Another")
    expect(page.locator("#count")).to_contain_text("0 / ")


def test_what_cannot_be_kept_is_asked_about(visit: Visit) -> None:
    page = visit.page
    page.evaluate(
        """() => {
          Storage.prototype.setItem = () => { throw new DOMException('f', 'QuotaExceededError'); };
        }"""
    )
    visit.click("A1")
    expect(page.locator("#count")).to_have_text("1 / 1")
    with page.expect_event("dialog") as asked:
        page.evaluate("() => { setTimeout(() => location.reload(), 0); }")
    assert asked.value.type == "beforeunload"
    asked.value.accept()
    page.wait_for_selector("body[data-ready=yes]")


def test_damaged_keeping_is_left_aside(visit: Visit) -> None:
    page = visit.page
    page.evaluate(
        """() => addEventListener('pagehide', () =>
             sessionStorage.setItem('katachi.tree', JSON.stringify({ link: '', tree: 7 })))"""
    )
    page.reload()
    visit.drawn(0)
    expect(page.locator("#count")).to_contain_text("0 / ")


# -- guessing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guess", "words", "same"),
    [
        ("Q16", "Q16, as was played", "100"),
        ("D4", "D4 is the same move on this board", "100"),
        ("D16", "D16 is the same move", "100"),
        ("R16", "You: R16", "0"),
    ],
)
def test_a_guess_that_is_turned(visit: Visit, guess: str, words: str, same: str) -> None:
    page = visit.page
    open_text(page, CORNERS)
    page.wait_for_selector("#board svg[aria-label='A Go board of 19 lines']")
    visit.drawn(0)
    visit.press("g")
    visit.click(guess, 19)
    expect(page.locator("#guess-told")).to_contain_text(words)
    cells = page.locator("#guess-score tr").nth(1).locator("td")
    expect(cells).to_have_text(["opening", "1", f"{same} %", re.compile(".*")])


def test_what_is_the_same_move(visit: Visit) -> None:
    """The page's rule beside a plain one: all eight images of the whole position are compared."""
    found = visit.page.evaluate(
        """async () => {
          const { Board, fromVertex, symmetries } = await import('./rules.js');
          const alike = (actions, a, b, size = 9) => {
            const board = new Board(size);
            for (const action of actions) board.apply(action);
            return board.alike(fromVertex(a, size), fromVertex(b, size));
          };
          const ko = ['AB B5', 'AB C6', 'AB C4', 'AW C5', 'AW E5', 'AW D6', 'AW D4', 'PL B'];
          return {
            empty: alike([], 'C3', 'G7'),
            other: alike([], 'C3', 'C4'),
            pass: [alike([], 'pass', 'pass'), alike([], 'pass', 'C3')],
            diagonal: [alike(['B C3'], 'C7', 'G3'), alike(['B C3'], 'C7', 'G7')],
            last: alike(['B C7', 'W E5', 'B G3'], 'A9', 'J1'),
            setup: alike(['AB C7', 'AB G3'], 'A9', 'J1'),
            colours: alike(['AB C7', 'AW G3'], 'A9', 'J1'),
            ko: [alike(ko, 'A9', 'A1'), alike([...ko, 'B D5'], 'A9', 'A1')],
            eight: new Set(symmetries(5).map(String)).size,
          };
        }"""
    )
    assert found == {
        "empty": True,
        "other": False,
        "pass": [True, False],
        "diagonal": [True, False],
        "last": False,
        "setup": True,
        "colours": False,
        "ko": [True, True],
        "eight": 8,
    }


# -- colours --------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Of a colour as #rrggbb or rgb(…): relative, by WCAG."""
    found = re.findall(r"[0-9a-f]{2}", colour[1:]) if colour.startswith("#") else []
    parts = [int(h, 16) for h in found] or [int(n) for n in re.findall(r"\d+", colour)[:3]]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in parts)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_black_is_black_in_the_graph(chromium: Browser, server: Served, scheme: Any) -> None:
    context = chromium.new_context(color_scheme=scheme)
    context.set_default_timeout(LONG)
    page = Visit(context.new_page(), server.address).page
    page.wait_for_selector("#unusual:not([hidden])")
    ground = luminance(page.locator("#graph rect").first.get_attribute("fill") or "")
    for colour in ("black", "white"):
        line = page.locator(f"#graph polyline.{colour}").evaluate("e => getComputedStyle(e).stroke")
        dot = page.locator(f"#graph circle.{colour}").first.evaluate(
            "e => getComputedStyle(e).fill"
        )
        for one in (luminance(line), luminance(dot)):
            assert one < 0.05 if colour == "black" else one > 0.8
            dark, light = sorted((one, ground))
            assert (light + 0.05) / (dark + 0.05) >= 3
    context.close()


# -- labels ---------------------------------------------------------------------------------------


def test_the_saved_review_has_no_label_twice(visit: Visit, tmp_path: Path) -> None:
    from katachi.records.record import parse_tree

    page = visit.page
    open_text(page, b"(;SZ[9]PB[Labels];B[ee]LB[aa:A][bb:B];W[cc]LB[aa:C];B[gg])")
    expect(page.locator("#title")).to_contain_text("Labels")
    page.locator("#save summary").click()
    with page.expect_download() as coming:
        page.locator("#save-sgf").click()
    coming.value.save_as(tmp_path / "a.sgf")
    for node in parse_tree((tmp_path / "a.sgf").read_bytes(), "").nodes[1:]:
        labels = [value.partition(b":")[2] for value in node.properties["LB"]]
        assert len(labels) == len(set(labels)) >= 3
