"""A game against the engine in a real Chromium, on a wide window and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from katachi.go.points import handicap_points, row_col
from katachi.records.record import Record, parse_tree
from tests.study.server import Served
from tests.study.test_page import Visit, expect_stones
from tests.study.test_page_board import SIZES

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)

# Black has the left and White the right, with two dead stones of White's and one of Black's
SPLIT = (
    "(;SZ[9]RU[%s]KM[6.5]AB[da][db][dc][dd][de][df][dg][dh][di][gb]"
    "AW[ea][eb][ec][ed][ee][ef][eg][eh][ei][bc][bd];B[];W[])"
)


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param], accept_downloads=True)
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    found.drawn(0)
    yield found
    context.close()
    assert found.wrong == []


def touched(visit: Visit, vertex: str) -> None:
    """Press a point of the board of 9 lines: twice by touch, where the first tap only shows."""
    visit.page.evaluate("scrollTo(0, 0)")  # on a phone the panels are below the board
    at = visit.place(vertex, 9)
    if not visit.touch:
        visit.page.mouse.click(*at)
        return
    visit.page.touchscreen.tap(*at)
    expect(visit.page.locator("#hint")).to_contain_text("Tap again")
    visit.page.touchscreen.tap(*at)


def arrange(visit: Visit, **terms: str) -> None:
    """Begin a game on 9x9 on these terms: the ids of the dialog's fields without "terms-"."""
    page = visit.page
    page.locator("input[name=mode][value=play]").check(force=True)
    page.locator("#arrange").click()
    for name, value in ({"size": "9"} | terms).items():
        field = page.locator(f"#terms-{name}")
        if field.evaluate("(e) => e.tagName") == "SELECT":
            field.select_option(value)
        elif value in ("on", "off"):
            field.set_checked(value == "on")
        else:
            field.fill(value)
    page.locator("#terms-begin").click()
    expect(page.locator("#match")).to_be_visible()


def answers(visit: Visit, *moves: str | None) -> list[Any]:
    """Let the engine play these moves; None never comes. What it is asked is returned."""
    asked: list[Any] = []
    left = list(moves)

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        move = left.pop(0)
        if move is not None:
            route.fulfill(body=json.dumps({"move": move, "comment": "so"}) + "\n")

    visit.page.route("**/api/play", answer)
    return asked


def saved(visit: Visit, folder: Path) -> Record:
    """The record as the page saves it."""
    visit.page.locator("#save summary").click()
    with visit.page.expect_download() as coming:
        visit.page.locator("#save-game").click()
    coming.value.save_as(folder / "game.sgf")
    return parse_tree((folder / "game.sgf").read_bytes(), "")


def test_the_terms_of_a_game_stand_in_its_record(visit: Visit, tmp_path: Path) -> None:
    asked = answers(visit, "E5", "D5")
    arrange(
        visit,
        strength="200",
        colour="B",
        handicap="3",
        rules="japanese",
        name="Ann [1]",
        clock="on",
        main="5",
        periods="2",
        seconds="20",
    )
    page = visit.page
    expect_stones(visit, 3, 1)  # White, the engine, begins
    terms = {name: asked[0][name] for name in ("strength", "rules", "cleanup", "komi", "size")}
    assert terms == {
        "strength": "200",
        "rules": "japanese",
        "cleanup": False,
        "komi": 0.5,
        "size": 9,
    }
    expect(page.locator("#clock")).to_contain_text("then 2 periods")
    expect(page.locator("#match-told")).to_contain_text("You are black against 200 simulations")
    touched(visit, "G3")  # the corner without a stone
    expect(page.locator("#count")).to_have_text("3 / 3")
    root = saved(visit, tmp_path).nodes[0].properties
    told = {name: root[name][0].decode() for name in ("PB", "PW", "KM", "HA", "RU", "TM", "OT")}
    assert told == {
        "PB": r"Ann [1\]",
        "PW": "Katachi, 200 simulations",
        "KM": "0.5",
        "HA": "3",
        "RU": "Japanese",
        "TM": "300",
        "OT": "2x20 byo-yomi",
    }
    assert sorted(root["AB"]) == [b"cc", b"cg", b"gc"]
    assert root["PL"] == [b"W"]
    assert "RE" not in root


def test_handicap_stones_stand_where_programs_place_them(visit: Visit) -> None:
    for size in (9, 13, 19):
        for stones in range(2, 10):
            found = visit.page.evaluate(
                "async ([size, stones]) => "
                "(await import('./arranging.js')).handicapPoints(size, stones)",
                [size, stones],
            )
            wanted = [row_col(p) for p in handicap_points(size, stones)]
            assert [divmod(index, size) for index in found] == wanted


def test_nothing_is_suggested_unless_one_asks(visit: Visit) -> None:
    page = visit.page
    expect(page.locator("#board .candidate").first).to_be_attached()
    answers(visit, "E5")
    arrange(visit)
    touched(visit, "C3")
    expect(page.locator("#count")).to_have_text("2 / 2")
    visit.drawn(2)
    for hidden in ("#candidates", "#explanation", "#graph", "#unusual"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#board .candidate, #board .ring")).to_have_count(0)
    visit.press("1")
    expect(page.locator("#explanation")).to_be_hidden()
    expect(page.locator("#status")).not_to_contain_text("Usual")
    expect(page.locator("#thinking")).to_be_empty()
    page.locator("#hints").check()
    expect(page.locator("#board .candidate").first).to_be_attached()
    expect(page.locator("#candidates ol button").first).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Usual")


@pytest.mark.parametrize(("rules", "result"), [("Japanese", "W+14.5"), ("Chinese", "W+15.5")])
def test_the_end_is_counted_and_corrected(visit: Visit, rules: str, result: str) -> None:
    """Territory 27 + 2 against 36 + 1, or area 36 against 45; the judge finds the dead."""
    page = visit.page
    page.evaluate(
        """async (sgf) => {
          const { openBytes } = await import('./opening.js');
          await openBytes(new TextEncoder().encode(sgf));
        }""",
        SPLIT % rules,
    )
    expect(page.locator("#count")).to_contain_text("/ 2")
    visit.press("End", "p")
    expect(page.locator("#count-told")).to_contain_text(f"({result})")
    expect(page.locator("#board .owners rect")).to_have_count(63)  # the dead are marked, too
    expect(page.locator("#status")).to_contain_text("Dead: ")
    cells = page.locator("#count-table tr").nth(1).locator("td")
    expect(cells).to_have_text(["27", "36"] if rules == "Japanese" else ["36", "45"])
    page.evaluate("scrollTo(0, 0)")
    at = visit.place("G8", 9)  # Black's stone is alive, one says
    press: Callable[[float, float], None] = (
        page.touchscreen.tap if visit.touch else page.mouse.click
    )
    press(*at)
    expect(cells).to_have_text(["27", "0"] if rules == "Japanese" else ["37", "9"])
    press(*at)
    expect(page.locator("#count-told")).to_contain_text(f"({result})")
    page.locator("#count-accept").click()
    expect(page.locator("#title")).to_contain_text(result)
    expect(page.locator("#count-accept")).to_be_hidden()
    assert (
        page.evaluate("() => document.documentElement.scrollWidth")
        <= SIZES["phone" if visit.touch else "wide"]["viewport"]["width"]
    )


def test_a_whole_game_with_the_real_engine(visit: Visit, tmp_path: Path) -> None:
    """Both pass on the empty board, where White has the komi."""
    page = visit.page
    arrange(visit, strength="pattern", rules="chinese")
    page.locator("#pass").click()
    expect(page.locator("#count-told")).to_have_text("White wins by 7.5 points (W+7.5).")
    page.locator("#count-accept").click()
    expect(page.locator("#match-result")).to_have_text("White wins by 7.5 points (W+7.5).")
    record = saved(visit, tmp_path)
    assert record.nodes[0].properties["RE"] == [b"W+7.5"]
    assert [sorted(node.properties) for node in record.nodes[1:]] == [["B"], ["W"]]


def test_undo_takes_back_both_moves_and_a_move_under_way(visit: Visit) -> None:
    page = visit.page
    answers(visit, "E5", None, "D5")
    arrange(visit)
    page.locator("#take-back").click()
    expect(page.locator("#banner")).to_contain_text("nothing to undo")
    touched(visit, "C3")
    expect_stones(visit, 1, 1)
    touched(visit, "G7")
    expect_stones(visit, 2, 1)
    page.locator("#take-back").click()  # while the engine thinks
    expect_stones(visit, 1, 1)
    page.locator("#take-back").click()
    expect_stones(visit, 0, 0)
    expect(page.locator("#count")).to_have_text("0 / 0")
    touched(visit, "G7")
    expect_stones(visit, 1, 1)
    expect(page.locator("#count")).to_have_text("2 / 2")


def test_resigning_ends_the_game_and_undo_takes_it_back(visit: Visit) -> None:
    page = visit.page
    answers(visit, "E5", "resign")
    arrange(visit)
    touched(visit, "C3")
    expect_stones(visit, 1, 1)
    page.locator("#resign").click()
    expect(page.locator("#match-result")).to_have_text("White wins by resignation (W+R).")
    expect(page.locator("#resign")).to_be_disabled()
    page.locator("#take-back").click()
    expect(page.locator("#match-result")).to_be_empty()
    touched(visit, "G7")
    expect(page.locator("#match-result")).to_have_text("Black wins by resignation (B+R).")
    expect(page.locator("#title")).to_contain_text("B+R")


def test_disputed_stones_are_played_out(visit: Visit) -> None:
    page = visit.page
    asked = answers(visit, "E5", "pass", "D5")
    arrange(visit)
    touched(visit, "C3")
    expect_stones(visit, 1, 1)
    page.locator("#pass").click()
    expect(page.locator("#counting")).to_be_visible()
    page.locator("#count-on").click()
    expect(page.locator("#counting")).to_be_hidden()
    expect(page.locator("#count")).to_have_text("2 / 2")
    touched(visit, "G7")
    expect_stones(visit, 2, 2)
    assert [one["cleanup"] for one in asked] == [False, False, True]


def test_a_reload_goes_on_with_the_game(visit: Visit) -> None:
    page = visit.page
    answers(visit, "E5", "D5")
    arrange(visit, strength="800", rules="tromp-taylor")
    touched(visit, "C3")
    expect_stones(visit, 1, 1)
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator("#match-told")).to_contain_text("800 simulations")
    expect(page.locator("#candidates")).to_be_hidden()
    touched(visit, "G7")
    expect_stones(visit, 2, 2)


def test_the_engine_moves_when_the_server_is_there_again(visit: Visit) -> None:
    page = visit.page
    arrange(visit, strength="pattern")
    page.route("**/api/play", lambda route: route.abort(), times=1)
    page.route("**/icon.svg", lambda route: route.abort(), times=1)
    touched(visit, "C3")
    expect(page.locator("#banner")).to_contain_text("The server does not answer")
    expect_stones(visit, 1, 1)  # nobody has pressed anything
    expect(page.locator("#banner")).to_be_hidden()
    visit.wrong.clear()  # the browser logs what was aborted


def test_what_is_left_of_a_clock(visit: Visit) -> None:
    spent = """async ([left, seconds, spent]) => {
      const { spend, isUp } = await import('./clock.js');
      const found = spend(left, { seconds }, spent);
      return [found.main, found.periods, found.period, isUp(found)];
    }"""

    def left(main: float, periods: int, period: float, seconds: float) -> list[Any]:
        start = {"main": main, "periods": periods, "period": period}
        found: list[Any] = visit.page.evaluate(spent, [start, 30, seconds])
        return found

    assert left(60, 3, 30, 20) == [40, 3, 30, False]
    assert left(60, 3, 30, 70) == [0, 3, 20, False]
    assert left(0, 3, 20, 25) == [0, 2, 25, False]
    assert left(0, 3, 30, 65) == [0, 1, 25, False]
    assert left(0, 1, 30, 30)[1:2] + left(0, 1, 30, 30)[3:] == [0, True]
    assert left(60, 0, 30, 61)[3] is True
    assert left(60, 0, 30, 59)[3] is False


@pytest.mark.parametrize("size", list(SIZES))
def test_time_runs_out(chromium: Browser, server: Served, size: str) -> None:
    """A clock of the test's own, which stands still until it is told otherwise."""
    context = chromium.new_context(**SIZES[size])
    context.set_default_timeout(LONG)
    page = context.new_page()
    page.clock.install(time=0)
    visit = Visit(page, server.address)
    visit.drawn(0)
    answers(visit, "E5", "D5")
    page.clock.pause_at(3_600_000)
    arrange(visit, clock="on", main="1", periods="2", seconds="30")
    clock = page.locator("#clock")
    expect(clock).to_have_text("Your time: 1:00, then 2 periods")
    page.clock.run_for(15_500)  # the clock is looked at five times a second
    expect(clock).to_have_text("Your time: 0:45, then 2 periods")
    touched(visit, "C3")
    expect_stones(visit, 1, 1)
    page.clock.run_for(50_000)
    expect(clock).to_contain_text("2 periods left")
    touched(visit, "G7")
    expect_stones(visit, 2, 2)
    page.clock.run_for(200)
    expect(clock).to_have_text("Byo-yomi: 0:30, 2 periods left")  # it begins anew
    page.clock.run_for(40_000)
    expect(clock).to_contain_text("1 period left")
    page.clock.run_for(30_000)
    expect(page.locator("#match-result")).to_have_text("White wins on time (W+T).")
    expect(page.locator("#banner")).to_contain_text("Your time is up")
    context.close()
    assert visit.wrong == []


def test_the_keyboard_arranges_and_plays_a_game(visit: Visit) -> None:
    """Without a pointer: to the dialog, a move, a pass, the count and its acceptance."""
    page = visit.page
    answers(visit, "E5", "pass")
    visit.press("p")
    page.get_by_role("button", name="New game…").press("Enter")
    dialog = page.get_by_role("dialog", name="New game…")
    dialog.get_by_label("Board").press("9")
    dialog.get_by_label("Your name").press("Enter")
    expect(page.get_by_text("You are black against")).to_be_visible()
    page.get_by_label("A move to play").fill("C3")
    page.get_by_label("A move to play").press("Enter")
    expect_stones(visit, 1, 1)
    page.get_by_role("button", name="Pass", exact=True).press("Enter")
    expect(page.locator("#count-told")).to_contain_text("wins by")
    page.get_by_label("A move to play").fill("E5")
    page.get_by_label("A move to play").press("Enter")  # says that its string lives, or does not
    page.get_by_role("button", name="Accept the result").press("Enter")
    expect(page.locator("#match-result")).to_contain_text("wins by")
