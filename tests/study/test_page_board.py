"""The board that one can read, on a wide window and on a phone, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.study.server import Served
from tests.study.test_page import Visit

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)
SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
GAME = b"(;SZ[19]PB[One]PW[Two];B[pd];W[dp];B[pq];W[dd];B[fq];W[cn])"


def open_game(visit: Visit, sgf: bytes) -> None:
    """Show this game, of 19 lines, as if its file were opened."""
    visit.page.evaluate(
        """async (sgf) => {
          const { openBytes } = await import('./opening.js');
          await openBytes(new TextEncoder().encode(sgf));
        }""",
        sgf.decode(),
    )
    visit.page.wait_for_selector("#board svg[aria-label='A Go board of 19 lines']")
    visit.drawn(0)


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param])
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    open_game(found, GAME)
    yield found
    context.close()
    assert found.wrong == []


def go(visit: Visit, number: int) -> None:
    for _ in range(number):
        visit.press("ArrowRight")
    visit.drawn(number)


def pixels(page: Page, selector: str) -> FloatRect:
    """The box of the first such element, on the screen."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box


def contrast(one: str, two: str) -> float:
    """Of two colours as #rrggbb or rgb(…), by WCAG."""

    def light(colour: str) -> float:
        parts = re.findall(r"[0-9a-f]{2}", colour[1:]) if colour.startswith("#") else []
        numbers = [int(p, 16) for p in parts] or [int(n) for n in re.findall(r"\d+", colour)]
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (n / 255 for n in numbers)
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(two)))
    return (bright + 0.05) / (dark + 0.05)


def test_candidates_can_be_read(visit: Visit) -> None:
    """Circles of two thirds of a cell and more, in order of probability, with legible percent."""
    page = visit.page
    go(visit, 4)
    listed = [
        (name, chance)
        for name, chance in zip(
            page.locator("#candidates .vertex").all_inner_texts(),
            page.locator("#candidates .chance").all_inner_texts(),
            strict=True,
        )
        if not chance.startswith("<")
    ]
    shown = page.evaluate(
        """() => [...document.querySelectorAll('#board .candidate')].map((one) => {
          const [circle, text] = one.children, box = circle.getBoundingClientRect();
          return { name: one.dataset.vertex, wide: box.width, fill: circle.getAttribute('fill'),
            ink: text.getAttribute('fill'), words: text.textContent,
            size: parseFloat(text.getAttribute('font-size')) * text.getScreenCTM().a,
            inside: text.getBoundingClientRect().width <= box.width + 1 };
        })"""
    )
    assert [one["name"] for one in shown] == [name for name, _ in listed]
    cell = (visit.place("B1", 19)[0] - visit.place("A1", 19)[0]) * 2 / 3
    for one, (_, chance) in zip(shown, listed, strict=True):
        value = float(chance.split()[0])
        assert float(one["words"]) == pytest.approx(value, abs=0.51 if value >= 1 else 0.051)
        assert one["wide"] >= cell
        assert one["inside"], one["words"]
        assert one["size"] >= 10
        assert contrast(one["fill"], one["ink"]) >= 4.5
    greys = [contrast("#000000", one["fill"]) for one in shown]
    assert greys == sorted(greys)  # the more probable the darker: that needs no colour
    page.keyboard.press("r")
    expect(page.locator("#board .candidate text")).to_have_text(
        [str(i + 1) for i in range(len(listed))]
    )


def test_nothing_is_crossed_by_lines(visit: Visit) -> None:
    """Whatever stands on an empty point has wood or its own ground below it; the grid is first."""
    page = visit.page
    go(visit, 4)
    ring = page.locator("#board .ring.played")
    expect(ring).to_have_count(1)
    fills = page.evaluate(
        """() => {
          const made = [...document.querySelectorAll('#board .ring.played, #board .mark')];
          return made.map((g) => g.firstElementChild.getAttribute('fill'));
        }"""
    )
    expect(page.locator("#board svg > path")).to_have_count(1)
    order = page.evaluate(
        "() => [...document.querySelector('#board svg').children].map((e) => e.tagName)"
    )
    assert order.index("path") < order.index("g")
    candidate = page.locator(
        '#board .candidate[data-vertex="F3"], #board .candidate[data-vertex="C6"]'
    )
    assert fills == ["none" if candidate.count() else "#dcb35c"]
    where = page.locator("#board .ring.played circle").last
    x, y = visit.place("F3", 19)
    box = where.bounding_box()
    assert box is not None
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == pytest.approx(
        (x, y), abs=1
    )


def test_a_tap_shows_and_another_plays(chromium: Browser, server: Served) -> None:
    context = chromium.new_context(**SIZES["phone"])
    context.set_default_timeout(LONG)
    visit = Visit(context.new_page(), server.address)
    open_game(visit, GAME)
    page, count = visit.page, visit.page.locator("#count")
    go(visit, 4)
    for place in ("C6", "F3"):  # another point is another first tap
        page.touchscreen.tap(*visit.place(place, 19))
        expect(page.locator("#hint")).to_contain_text(
            re.compile(f"^{place}: .*Tap again to play it")
        )
        expect(page.locator("#explanation h2")).to_contain_text(f"{place}: ")
        expect(count).to_have_text("4 / 6")
    page.touchscreen.tap(*visit.place("F3", 19))
    expect(count).to_have_text("5 / 6")
    expect(page.locator("#hint")).to_be_hidden()
    visit.press("g")  # a guess is confirmed, too, and not explained before
    visit.drawn(5)
    page.touchscreen.tap(*visit.place("C6", 19))
    expect(page.locator("#hint")).to_have_text("C6. Tap again to guess it.")
    page.touchscreen.tap(*visit.place("C6", 19))
    expect(page.locator("#guess-told")).to_contain_text("as was played")
    context.close()
    assert visit.wrong == []


def test_two_fingers_enlarge_the_board(chromium: Browser, server: Served) -> None:
    """The page lets a phone zoom, and a tap hits the point that is seen then."""
    context = chromium.new_context(**SIZES["phone"])
    context.set_default_timeout(LONG)
    visit = Visit(context.new_page(), server.address)
    open_game(visit, GAME)
    page = visit.page
    x, y = visit.place("Q16", 19)
    control = context.new_cdp_session(page)
    control.send("Input.synthesizePinchGesture", {"x": x, "y": y, "scaleFactor": 2.5})
    page.wait_for_function("() => visualViewport.scale > 2")
    seen = page.evaluate(
        "([x, y]) => [x - visualViewport.offsetLeft, y - visualViewport.offsetTop]", [x, y]
    )
    page.touchscreen.tap(*seen)
    expect(page.locator("#hint")).to_contain_text("Q16: ")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (390, 844)])
def test_nothing_is_cut(
    chromium: Browser, server: Served, size: tuple[int, int], scheme: Any
) -> None:
    """The board as large as the window lets it, no empty column, every control within reach."""
    wide, high = size
    context = chromium.new_context(viewport={"width": wide, "height": high}, color_scheme=scheme)
    context.set_default_timeout(LONG)
    visit = Visit(context.new_page(), server.address)
    open_game(visit, GAME)
    go(visit, 2)
    visit.press("1")
    page = visit.page
    page.wait_for_selector("#unusual:not([hidden])")
    box = pixels(page, "#board svg")
    if wide > high:
        assert page.evaluate("() => document.documentElement.scrollHeight") <= high
        assert box["width"] >= high - 150
        for column in ("#moves", "#details"):
            assert pixels(page, column)["width"] > 200
            assert pixels(page, column)["height"] > 200
    else:
        assert box["width"] >= wide - 20
    assert page.evaluate("() => document.documentElement.scrollWidth") <= wide
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('header *, main *')].filter((one) => {
          const box = one.getBoundingClientRect();
          return one.checkVisibility() && box.width && !one.closest('.unseen, #tree')
            && (box.right > innerWidth + 0.5 || box.left < -0.5);
        }).map((one) => one.id || one.className || one.tagName)"""
    )
    assert beyond == []
    cut = page.evaluate(
        """() => [...document.querySelectorAll('button, h2, td, th, summary')].filter((one) =>
          one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth
          && !one.querySelector('.because')).map((one) => one.outerHTML.slice(0, 90))"""
    )
    assert cut == []
    context.close()
