"""The page in a real Chromium: everything that it can do, driven as a visitor would."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from katachi.go.points import vertex
from katachi.records.record import parse_tree
from katachi.records.sgf import parse_games
from katachi.study.wire import game_of
from tests.games import bundled_sgfs
from tests.study.conftest import SMALL
from tests.study.server import Served, served

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # milliseconds that no test waits for: a guard against waiting for ever
expect.set_options(timeout=LONG)

BRANCHED = """(;FF[4]GM[1]SZ[9]KM[6.5]PB[First]PW[Second]
C[<b>bold</b><script>window.hacked=1</script>]
;B[ee];W[cc]C[a comment <img src=x onerror="window.hacked=2">](;B[gg];W[cg])(;B[gc];W[dd]))"""


class Visit:
    """A page, and what went wrong on it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.touch = bool(page.evaluate("() => navigator.maxTouchPoints"))
        self.wrong: list[str] = []
        self.refused = False  # whether the server may answer 400, which is logged
        self.asked: list[str] = []
        page.on("console", lambda m: self.log(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.set_default_timeout(LONG)
        page.goto(address)
        page.wait_for_selector("body[data-ready=yes]")

    def log(self, words: str) -> None:
        if not (self.refused and "400" in words):
            self.wrong.append(words)

    def drawn(self, node: int) -> None:
        """Wait until the suggestions of a node are there."""
        self.page.wait_for_selector(f'body[data-drawn="{node}"]')

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, vertex: str, size: int = 9) -> None:
        """Click a point of the board."""
        self.page.mouse.click(*self.place(vertex, size))

    def place(self, vertex: str, size: int) -> tuple[float, float]:
        box = self.page.locator("#board svg").bounding_box()
        assert box is not None
        whole = 24 * (size - 1) + 2 * 24 * 1.15
        column, row = "ABCDEFGHJKLMNOPQRST".index(vertex[0]), size - int(vertex[1:])
        at = [(24 * 1.15 + 24 * n) * box["width"] / whole for n in (column, row)]
        return box["x"] + at[0], box["y"] + at[1]


@pytest.fixture
def visit(chromium: Browser, server: Served) -> Iterator[Visit]:
    """A visitor of one's own; at the end nothing may have gone wrong."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    found = Visit(context.new_page(), server.address)
    found.drawn(0)
    yield found
    foreign = [u for u in found.asked if not u.startswith((server.address, "blob:", "data:"))]
    context.close()
    assert found.wrong == []
    assert foreign == []  # no request leaves the machine


def expect_stones(visit: Visit, black: int, white: int) -> None:
    """Wait until so many stones are on the board."""
    for colour, count in (("black", black), ("white", white)):
        stones = visit.page.locator(f'#board .stones circle[fill="url(#{colour}-stone)"]')
        expect(stones).to_have_count(count)


def test_stepping_shows_the_right_stones(visit: Visit) -> None:
    (game,), _ = parse_games(SMALL)
    last = len(game.moves)
    expect(visit.page.locator("#count")).to_have_text(f"0 / {last}")
    for number in (1, 2, 3):
        visit.press("ArrowRight")
        visit.drawn(number)
    visit.press("End")
    visit.drawn(last)
    colors = game.position().colors
    expect_stones(visit, int((colors == 1).sum()), int((colors == 2).sum()))
    expect(visit.page.locator("#count")).to_have_text(f"{last} / {last}")
    visit.press("ArrowLeft")
    visit.drawn(last - 1)
    visit.press("Home")
    visit.drawn(0)
    expect_stones(visit, 0, 0)
    visit.page.get_by_label("One move on").click()
    visit.drawn(1)
    expect_stones(visit, 1, 0)
    expect(visit.page.locator("#status")).to_contain_text("Move 1, black")


def test_the_board_follows_the_rules_as_the_server_does(visit: Visit) -> None:
    """Captures, handicap, setup and ko of all kinds: the page's own rules against ours."""
    games = [
        *list(bundled_sgfs().values())[1:67:13],
        b"(;SZ[9]HA[2];W[ee];B[ed];W[dd])",
        b"(;SZ[5]AB[ab][ba][bc][cb]AW[bd][cc][db][ca];W[bb];B[ab];W[dd])",
    ]
    for data in games:
        (game,), _ = parse_games(data)
        actions = visit.page.evaluate(
            """async ([sgf]) => {
              const { Tree } = await import('./tree.js');
              const response = await fetch('api/open', { method: 'POST', body: sgf });
              const tree = Tree.from(await response.json());
              const line = tree.line(0);
              return line.map((n) => [...tree.board(n).stones]);
            }""",
            [data.decode()],
        )
        size = game.size
        seen = 0
        for number in range(len(game.moves) + 1):
            colors = game.position(number).colors
            wanted = [int(colors[20 * (r + 1) + c + 1]) for r in range(size) for c in range(size)]
            # Setup after the last move of a position may be a node of its own
            assert wanted in actions[seen:]
            seen += actions[seen:].index(wanted)


def test_the_ko_goes_with_the_turn(visit: Visit) -> None:
    """The page's own rules against ours, where the record gives the turn to a colour."""
    stones = ["AB A4", "AB B5", "AB B3", "AB C4", "AW B2", "AW C3", "AW D4", "AW C5"]
    actions = [*stones, "W B4", "PL B", "PL W", "PL B", "B E1", "PL W", "W C4", "PL W", "PL B"]
    found = visit.page.evaluate(
        """async ([actions]) => {
          const { Board } = await import('./rules.js');
          let board = new Board(5);
          return actions.map((action) => {
            board = board.copy();
            board.apply(action);
            return [board.turn, board.ko];
          });
        }""",
        [actions],
    )
    for count, (turn, ko) in enumerate(found, 1):
        position = game_of({"size": 5, "actions": actions[:count]}).position()
        there = -1 if position.ko is None else 5 * (position.ko // 20 - 1) + position.ko % 20 - 1
        assert (turn, ko) == (position.to_move, there), actions[count - 1]
    assert [ko >= 0 for _, ko in found[8:12]] == [True, True, False, True]


def test_drawings_of_shapes_and_answers(visit: Visit) -> None:
    """As many cells, stones and rings as the text has."""

    def drawn(text: str) -> tuple[list[str], list[str], list[str]]:
        """(the viewBox, the fills of stones, the texts and the radii of the rings on them)."""
        found: Any = visit.page.evaluate(
            """async (text) => {
                const { shapeOf } = await import("./shape.js");
                const svg = shapeOf(text, "black");
                const all = (name) => [...svg.querySelectorAll(name)];
                const told = (c) => [c.getAttribute("fill"), c.getAttribute("r")];
                const size = svg.getAttribute("viewBox").split(" ").slice(2);
                return [size, all("circle").map(told), all("text").map((t) => t.textContent)];
            }""",
            text,
        )
        size, circles, texts = found
        stones = [fill for fill, radius in circles if float(radius) > 9]
        rings = [radius for fill, radius in circles if fill == "none"]
        return size, stones, [*texts, *rings]

    black, white = "#151515", "#f6f5f1"
    assert drawn(". . .\n. @ X\n. * .") == (["60", "60"], [white, black], ["3.5"])
    assert drawn("@ Y\n*") == (["40", "40"], [white, black], ["3.5", "3.5"])
    assert drawn("@\n\n    *") == (["60", "60"], [white], ["3.5"])
    assert drawn(" . @2  .\n .  * X1") == (["60", "40"], [white, black], ["2", "1", "6.5"])
    assert drawn(" .  .  .\n .  @  .\n       *") == (["60", "60"], [white], ["3.5"])


def test_candidates_and_explanations(visit: Visit) -> None:
    visit.press("ArrowRight", "ArrowRight")
    visit.drawn(2)
    page = visit.page
    expect(page.locator("#candidates ol li")).to_have_count(10)
    expect(page.locator("#board .candidate").nth(3)).to_be_visible()
    expect(page.locator("#played")).to_contain_text("was played")
    page.locator("#candidates ol button").nth(2).hover()
    panel = page.locator("#explanation")
    expect(panel).to_be_visible()
    name = page.locator("#candidates ol .vertex").nth(2).inner_text()
    expect(panel.locator("h2")).to_contain_text(f"{name}: ")
    expect(panel.locator(".bar").first).to_be_visible()
    for number in range(2):  # its shape, and how it answers the last move
        expect(panel.locator("figure svg").nth(number)).to_be_visible()
    alone = panel.locator('.bar:not([title^="Together"]) .elo')  # what they are together is last
    elos = [float(t.replace("−", "-")) for t in alone.all_inner_texts()]
    assert elos == sorted(elos, reverse=True)
    visit.press("1")
    first = page.locator("#candidates ol .vertex").nth(0).inner_text()
    expect(panel.locator("h2")).to_contain_text(f"{first}: ")
    visit.press("1")  # once more plays it
    expect(page.locator("#count")).to_contain_text("3 / ")
    visit.press("ArrowLeft")
    visit.drawn(2)
    page.mouse.move(*visit.place(name, 9))
    expect(panel.locator("h2")).to_contain_text(f"{name}: ")


def test_what_is_shown(visit: Visit) -> None:
    page = visit.page
    visit.press("ArrowRight", "ArrowRight")
    visit.drawn(2)
    visit.press("s")
    expect(page.locator("#board .candidate")).to_have_count(0)
    visit.press("s", "n")
    visit.drawn(2)
    expect(page.locator("#board .marks text")).to_have_count(2)
    visit.press("c")
    expect(page.locator("#board .coordinates")).to_have_attribute("visibility", "hidden")
    visit.press("o")
    page.wait_for_selector("#board .owners rect", state="attached")
    page.reload()  # what is shown is kept
    visit.drawn(2)
    expect(page.locator("#show-numbers")).to_be_checked()
    expect(page.locator("#show-coordinates")).not_to_be_checked()


def test_help(visit: Visit) -> None:
    visit.press("?")
    expect(visit.page.locator("#help-dialog")).to_be_visible()
    expect(visit.page.locator("#help-dialog")).to_contain_text("Usual is not good")
    visit.press("Escape")
    expect(visit.page.locator("#help-dialog")).to_be_hidden()


def test_own_moves_and_variations(visit: Visit) -> None:
    page = visit.page
    page.locator("#new").select_option("9")
    page.wait_for_selector("#board svg[aria-label='A Go board of 9 lines']")
    for place in ("E5", "C7"):
        visit.click(place)
    expect(page.locator("#count")).to_have_text("2 / 2")
    expect_stones(visit, 1, 1)
    visit.click("E5")
    expect(page.locator("#banner")).to_contain_text("there is a stone already")
    visit.press("ArrowLeft")
    page.get_by_label("A move to play").fill("g3")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#branches button.chosen")).to_have_text("instead G3")
    visit.press("ArrowUp")
    expect(page.locator("#branches button.chosen")).to_have_text("instead C7")
    page.get_by_label("A move to play").fill("Z99")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#banner")).to_contain_text("Z99 is no point of this board")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("#count")).to_have_text("3 / 3")


def test_opening_by_file_and_comments_as_text(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "branched.sgf"
    path.write_text(BRANCHED)
    page = visit.page
    page.locator("#file").set_input_files(path)
    expect(page.locator("#title")).to_contain_text("First (black) – Second (white)")
    expect(page.locator("#comment")).to_have_value("<b>bold</b><script>window.hacked=1</script>")
    visit.press("ArrowRight", "ArrowRight")
    expect(page.locator("#comment")).to_have_value(re.compile('onerror="window.hacked=2"'))
    assert page.evaluate("() => window.hacked ?? 0") == 0
    expect(page.locator("#branches button")).to_have_text(["then G3", "then G7"])
    page.locator("#branches button").nth(1).click()
    expect(page.locator("#count")).to_have_text("3 / 4")
    visit.press("ArrowUp")
    expect(page.locator("#branches button.chosen")).to_have_text("instead G3")


def test_opening_by_pasting_and_dropping(visit: Visit) -> None:
    page = visit.page
    page.locator("#paste").click()
    page.locator("#paste-dialog textarea").fill(BRANCHED)
    page.locator("#paste-open").click()
    expect(page.locator("#title")).to_contain_text("First (black)")
    data = page.evaluate_handle(
        """([text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'dropped.sgf'));
          return data;
        }""",
        [BRANCHED.replace("First", "Dropped")],
    )
    page.locator("#board").dispatch_event("dragover", {"dataTransfer": data})
    page.locator("#board").dispatch_event("drop", {"dataTransfer": data})
    expect(page.locator("#title")).to_contain_text("Dropped (black)")
    page.locator("#sample").click()
    page.wait_for_selector("#board svg[aria-label='A Go board of 19 lines']")


def test_the_graph_and_the_unusual_moves(visit: Visit) -> None:
    page = visit.page
    (game,), _ = parse_games(SMALL)
    page.wait_for_selector("#unusual:not([hidden])")
    expect(page.locator("#graph circle")).to_have_count(len(game.moves))
    expect(page.locator("#unusual ol li")).to_have_count(10)
    chances = page.locator("#unusual .chance").all_inner_texts()
    assert chances[0].startswith(("<", "0.")) or float(chances[0][:-2]) < 20
    box = page.locator("#graph svg").bounding_box()
    assert box is not None
    page.locator("#graph svg").click(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
    expect(page.locator("#count")).not_to_have_text(f"0 / {len(game.moves)}")
    number = int(page.locator("#count").inner_text().split(" / ")[0])
    assert 0.4 * len(game.moves) < number < 0.75 * len(game.moves)
    wanted = int(page.locator("#unusual .sign").first.inner_text())
    page.locator("#unusual ol button").first.click()
    expect(page.locator("#count")).to_have_text(f"{wanted - 1} / {len(game.moves)}")
    expect(page.locator("#players table tr").nth(4)).to_be_visible()


def test_guessing(visit: Visit) -> None:
    page = visit.page
    (game,), _ = parse_games(SMALL)
    visit.press("g")
    expect(page.locator("#guessing")).to_be_visible()
    expect(page.locator("#candidates")).to_be_hidden()
    expect(page.locator("#graph svg")).to_have_count(0)
    expect(page.locator("#board .candidate")).to_have_count(0)
    expect(page.locator("#guess-told")).to_contain_text("Where did black play next?")
    visit.click(vertex(game.moves[0][1], 9))
    expect(page.locator("#guess-told")).to_contain_text("as was played")
    expect(page.locator("#candidates")).to_be_visible()
    visit.press("Enter")
    expect(page.locator("#count")).to_contain_text("1 / ")
    expect(page.locator("#candidates")).to_be_hidden()
    free = next(v for v in ("A1", "J9") if v != vertex(game.moves[1][1], 9))
    visit.click(free)
    expect(page.locator("#guess-told")).to_contain_text(f"You: {free}, ")
    score = page.locator("#guess-score tr")
    expect(score.nth(1).locator("td").nth(1)).to_have_text("2")
    rows = score.all_inner_texts()
    assert rows[1].split() == ["opening", "2", "50", "%", *rows[1].split()[4:]]
    page.reload()
    visit.drawn(1)
    visit.press("g")
    expect(score).to_have_text(rows, use_inner_text=True)  # kept in the browser
    page.locator("#guess-forget").click()
    expect(page.locator("#guess-score tr")).to_have_count(0)
    visit.press("Escape")
    expect(page.locator("#candidates")).to_be_visible()


@pytest.mark.parametrize("strength", ["pattern", "200"])
def test_playing(visit: Visit, strength: str) -> None:
    page = visit.page
    page.locator("#new").select_option("9")
    page.wait_for_selector("#board svg[aria-label='A Go board of 9 lines']")
    visit.press("p")
    page.locator("#strength").select_option(strength)
    page.locator("#hints").check()
    visit.click("E5")
    expect(page.locator("#count")).to_have_text("2 / 2")
    expect_stones(visit, 1, 1)
    expect(page.locator("#thinking")).to_contain_text("number" if strength == "pattern" else "wins")
    page.locator("#engine").click()  # changing sides
    expect(page.locator("#count")).to_have_text("3 / 3")
    expect(page.locator("#you")).to_have_value("W")


def test_thinking_is_shown_and_stopped(visit: Visit) -> None:
    page = visit.page
    page.locator("#new").select_option("19")  # where so much thinking takes long
    page.wait_for_selector("#board svg[aria-label='A Go board of 19 lines']")
    visit.press("p")
    page.locator("#strength").select_option("10000")
    page.locator("#hints").check()
    page.locator("#engine").click()
    expect(page.locator("#thinking .row").first).to_be_visible()
    expect(page.locator("#thinking")).to_contain_text("of 10,000 simulations")
    page.locator("#stop").click()
    expect(page.locator("#thinking")).to_have_text("stopped")
    expect(page.locator("#count")).to_contain_text("0 / ")


def test_saving(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.press("ArrowRight", "ArrowRight", "ArrowRight")
    visit.drawn(3)
    (game,), _ = parse_games(SMALL)

    def saved(button: str) -> bytes:
        page.locator("#save summary").click()
        with page.expect_download() as coming:
            page.locator(button).click()
        path = tmp_path / coming.value.suggested_filename
        coming.value.save_as(path)
        return path.read_bytes()

    reviewed = saved("#save-sgf")
    (again,), _ = parse_games(reviewed)
    assert again.actions.tolist() == game.actions.tolist()
    assert "--- Katachi" in parse_tree(reviewed, "").nodes[1].comment
    svg = saved("#save-svg")
    assert svg.startswith(b"<svg")
    assert svg.count(b"-stone)") == 3
    assert saved("#save-png").startswith(b"\x89PNG")
    page.locator("#save summary").click()
    page.locator("#save-link").click()
    expect(page.locator("#banner")).to_contain_text("link to this position")
    address = page.url
    assert "#9," in address
    other = page.context.new_page()
    other.goto(address)
    other.wait_for_selector("body[data-ready=yes]")
    expect(other.locator("#count")).to_have_text("3 / 3")
    board = "#board .stones circle"
    expect(other.locator(board)).to_have_count(page.locator(board).count())
    other.close()


def test_a_variation_of_ones_own_is_saved(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    page.locator("#paste").click()
    page.locator("#paste-dialog textarea").fill(BRANCHED)
    page.locator("#paste-open").click()
    expect(page.locator("#title")).to_contain_text("First")
    visit.press("ArrowRight")
    visit.click("A1")
    page.locator("#save summary").click()
    with page.expect_download() as coming:
        page.locator("#save-sgf").click()
    coming.value.save_as(tmp_path / "a.sgf")
    before = parse_tree(BRANCHED.encode(), "")
    after = parse_tree((tmp_path / "a.sgf").read_bytes(), "")
    assert len(after.nodes) == len(before.nodes) + 1
    assert after.nodes[1].children[1] == after.nodes[-1].number
    assert after.nodes[-1].properties["W"] == [b"ai"]
    assert after.nodes[0].comment.startswith("<b>bold</b><script>")


def test_a_slow_answer_leaves_no_move_of_another_position(visit: Visit) -> None:
    """The list of the position before cannot be asked about while the new one is on its way."""
    page = visit.page
    held: list[Route] = []
    page.route("**/api/position", lambda route: held.append(route))
    first = page.locator("#candidates ol button").first
    expect(first).to_be_enabled()
    visit.click("E5")
    expect(page.locator("#count")).to_contain_text("1 / ")
    expect(first).to_be_disabled()
    while not held:
        page.wait_for_timeout(10)
    for route in held:
        route.continue_()
    first.click()
    expect(page.locator("#explanation")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(chromium: Browser, server: Served, scheme: Any) -> None:
    context = chromium.new_context(color_scheme=scheme)
    visit = Visit(context.new_page(), server.address)
    page = visit.page
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    colour = "() => getComputedStyle(document.body).backgroundColor"
    dark = sum(map(int, re.findall(r"\d+", page.evaluate(colour))[:3])) < 200
    assert dark == (scheme == "dark")
    page.get_by_label("Light or dark").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", scheme)
    context.close()
    assert visit.wrong == []


def test_a_phone(chromium: Browser, server: Served) -> None:
    """390 pixels wide: nothing goes beyond the edge, the board fills the width, two taps play."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    visit = Visit(context.new_page(), server.address)
    visit.drawn(0)
    page = visit.page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    box = page.locator("#board svg").bounding_box()
    assert box is not None
    assert 350 <= box["width"] <= 390
    x, y = visit.place("E5", 9)
    page.touchscreen.tap(x, y)
    expect(page.locator("#hint")).to_contain_text("Tap again to play it")
    expect(page.locator("#count")).to_contain_text("0 / ")
    page.touchscreen.tap(x, y)
    expect(page.locator("#count")).to_contain_text("1 / ")
    page.locator("#candidates ol button").first.tap()
    expect(page.locator("#explanation")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    context.close()
    assert visit.wrong == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("broken.sgf", b"(;SZ[9];B[ee", "no moves"),
        ("outside.sgf", b"(;SZ[9];B[zz];W[aa])", "outside the board"),
        ("picture.sgf", b"\x89PNG\r\n\x1a\n" + bytes(100), "binary data"),
        ("large.sgf", b"(;SZ[25];B[aa])", "board size out of range"),
        ("huge.sgf", b"(;SZ[9];B[aa]" + b" " * 6_000_000 + b")", "more than 5 MB"),
    ],
)
def test_bad_files(
    chromium: Browser, server: Served, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    """The page says what is wrong, and goes on with what it has."""
    path = tmp_path / name
    path.write_bytes(content)
    context = chromium.new_context()
    visit = Visit(context.new_page(), server.address)
    visit.drawn(0)
    visit.refused = True
    visit.page.locator("#file").set_input_files(path)
    expect(visit.page.locator("#banner")).to_contain_text(words)
    visit.press("ArrowRight")
    visit.drawn(1)
    context.close()
    assert visit.wrong == []


def test_the_server_goes_away_and_comes_back(chromium: Browser, game: Path) -> None:
    """Stepping goes on without it; when it is there again, the page goes on by itself."""
    with served(str(game)) as own:
        context = chromium.new_context()
        context.set_default_timeout(LONG)
        visit = Visit(context.new_page(), own.address)
        visit.drawn(0)
        page = visit.page
        page.wait_for_selector("#unusual:not([hidden])")
        own.kill()
        visit.press("End")
        expect(page.locator("#banner")).to_contain_text("The server does not answer")
        expect(page.locator("#count")).to_have_text(re.compile(r"^(\d+) / \1$"))  # goes on stepping
        expect(page.locator("#board .stones circle").nth(10)).to_be_attached()
        visit.press("Home")
        visit.drawn(0)  # what was known is still there
        visit.press("ArrowRight", "ArrowRight", "ArrowRight")
        expect(page.locator("#banner")).to_contain_text("The server does not answer")
        with served(str(game), "--port", own.address.rpartition(":")[2].strip("/")):
            visit.drawn(3)  # nobody has pressed anything
            expect(page.locator("#banner")).to_be_hidden()
            expect(page.locator("#candidates ol button").first).to_be_enabled()
        context.close()


def test_a_link_that_holds_nothing(visit: Visit, server: Served) -> None:
    visit.refused = True
    visit.page.goto(f"{server.address}#19,7.5,B.Z99")
    visit.page.reload()
    visit.page.wait_for_selector("body[data-ready=yes]")
    visit.page.goto(f"{server.address}#9,6.5,B.E5-W.E5")
    visit.page.reload()
    expect(visit.page.locator("#banner")).to_contain_text("E5")
