"""The record on the page: tree, comments, marks, several games, a folder; in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from katachi.records.record import parse_tree
from tests.study.server import Served, served
from tests.study.test_page import Visit
from tests.study.test_page_board import SIZES

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

LONG = 600_000  # ms, against a hang
expect.set_options(timeout=LONG)
KEPT = rb"""(;FF[4]GM[1]SZ[9]KM[6.5]PB[First]PW[Second]EV[A cup \] here]
RU[Japanese]TM[3600]OT[5x30]XX[own][two]
;B[ee]C[one \[two\] \\ three]TR[aa:cb]LB[ee:x\]y]
;W[cc](;B[gg];W[cg]C[told])(;B[gc];W[dd](;B[dc])(;B[hh])))"""
SECOND = b"(;SZ[9]PB[Third]PW[Fourth]RE[B+R]DT[2026-11-19];B[cc];W[gg])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games")
    (path / "several.sgf").write_bytes(KEPT + b"\n" + SECOND)
    (path / "below").mkdir()
    (path / "below" / "one.sgf").write_bytes(b"(;SZ[9]PB[Fifth]PW[Sixth]RE[W+2.5];B[ee])")
    return path


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    with served(str(folder)) as found:
        yield found


@pytest.fixture(params=list(SIZES))
def visit(chromium: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    context = chromium.new_context(**SIZES[request.param], accept_downloads=True)
    context.set_default_timeout(LONG)
    found = Visit(context.new_page(), server.address)
    expect(found.page.locator("#games-dialog")).to_be_visible()
    yield found
    context.close()
    assert found.wrong == []


def open_listed(page: Page, words: str) -> None:
    """Open a game of the folder by a search for its names."""
    if not page.locator("#games-dialog").is_visible():
        page.get_by_role("button", name="Games", exact=True).click()
    page.get_by_role("searchbox", name="Search for names").fill(words)
    page.locator("#of-folder ol button").first.click()


def open_file(page: Page, path: Path) -> None:
    page.locator("#games-dialog").get_by_role("button", name="Close").click()
    page.locator("#file").set_input_files(path)


def saved(page: Page, path: Path) -> bytes:
    page.locator("#save summary").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Game (SGF)", exact=True).click()
    coming.value.save_as(path)
    return path.read_bytes()


def test_a_folder_is_a_list(visit: Visit) -> None:
    page = visit.page
    listed = page.locator("#of-folder ol button")
    expect(listed).to_have_count(3)
    expect(page.locator("#of-folder .found")).to_have_text("3 of 3")
    page.get_by_role("searchbox").fill("w+2.5 fif")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Fifth – Sixth")
    expect(listed).to_contain_text("one.sgf")
    listed.click()
    expect(page.locator("#title")).to_contain_text("Fifth (black) – Sixth (white)")
    open_listed(page, "third")  # the second game of its file
    expect(page.locator("#title")).to_contain_text("Third")
    expect(page.locator("#count")).to_have_text("0 / 2")


def test_the_tree_is_drawn_and_changed(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    open_listed(page, "first")
    nodes = page.locator("#tree [data-node]")
    expect(nodes).to_have_count(9)
    page.get_by_role("button", name="Move 5, black H2").click()
    expect(page.locator("#count")).to_have_text("5 / 5")
    expect(page.locator("#tree .here")).to_have_count(1)
    promote = page.get_by_role("button", name="Move this variation up")
    promote.click()  # before D7 …
    visit.press("m")  # … and its line before the main line
    expect(promote).to_be_disabled()
    visit.press("Home")
    visit.press("End")
    expect(page.get_by_role("button", name="Move 5, black H2").locator(".here")).to_have_count(1)
    page.get_by_role("button", name="Move 3, black G3").click()
    page.get_by_role("button", name="Delete this move").click()
    expect(page.locator("#banner")).to_contain_text("2 moves are deleted")
    expect(nodes).to_have_count(7)
    page.get_by_role("button", name="Undo delete").click()
    expect(nodes).to_have_count(9)
    visit.press("Delete")
    expect(nodes).to_have_count(7)
    tree = parse_tree(saved(page, tmp_path / "a.sgf"), "")
    assert [n.properties.get("B", n.properties.get("W")) for n in tree.main_line[1:]] == [
        [b"ee"],
        [b"cc"],
        [b"gc"],
        [b"dd"],
        [b"hh"],
    ]
    assert len(tree.nodes) == 7


def test_what_is_written_is_kept(visit: Visit, folder: Path, tmp_path: Path) -> None:
    """Comments, marks, another game of the file: over a reload, and in the file."""
    page = visit.page
    open_file(page, folder / "several.sgf")
    expect(page.locator("#title")).to_contain_text("First")
    about = page.locator("#about")
    for words in ("A cup ] here", "Japanese", "6.5", "1 hours", "5x30"):
        expect(about).to_contain_text(words)
    visit.press("ArrowRight")
    visit.drawn(1)
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("one [two] \\ three")
    expect(page.locator("#board .mark.TR")).to_have_count(6)  # the rectangle
    expect(page.locator("#board .mark.LB text")).to_have_text("x]y")
    marks = [("Triangle", "A9"), ("Square", "H8"), ("Circle", "G7"), ("Cross", "C3")]
    for name, place in [*marks, ("Letter", "J1"), ("Number", "H1")]:
        page.get_by_role("radio", name=name).check(force=True)
        (page.touchscreen.tap if visit.touch else page.mouse.click)(*visit.place(place, 9))
    expect(page.locator("#board .mark.TR")).to_have_count(5)  # A9 was one
    expect(page.locator("#board .mark.LB text")).to_have_text(["x]y", "A", "1"])
    for kind in ("SQ", "CR", "MA"):
        expect(page.locator(f"#board .mark.{kind}")).to_have_count(1)
    visit.press("Escape")
    page.get_by_role("textbox", name="Comment").fill("new ] \\ words\nof two lines")
    expect(page.locator("#saved")).to_have_text("✓ Kept in this browser")
    page.reload()
    visit.drawn(1)
    expect(page.get_by_role("textbox", name="Comment")).to_have_value(
        "new ] \\ words\nof two lines"
    )
    expect(page.locator("#board .mark.TR")).to_have_count(5)
    page.get_by_role("button", name="Games", exact=True).click()
    page.locator("#of-file").get_by_role("button", name="2. Third – Fourth").click()
    expect(page.locator("#title")).to_contain_text("Third")
    page.get_by_label("A move to play").fill("E5")
    page.get_by_role("button", name="Play it").click()
    data = saved(page, tmp_path / "a.sgf")
    first, second = (parse_tree(data, "", n) for n in (1, 2))
    before = parse_tree(KEPT, "")
    node = first.nodes[1]
    assert node.comment == "new ] \\ words\nof two lines"
    assert sorted(node.properties["TR"]) == [b"ab", b"ba", b"bb", b"ca", b"cb"]
    assert node.properties["LB"] == [b"ee:x\\]y", b"ii:A", b"hi:1"]
    assert {k: node.properties[k] for k in ("SQ", "CR", "MA")} == {
        "SQ": [b"hb"],
        "CR": [b"gc"],
        "MA": [b"cg"],
    }
    for old, new in zip(before.nodes[2:], first.nodes[2:], strict=True):
        assert old.properties == new.properties
    known = {k: v for k, v in first.nodes[0].properties.items() if k != "CA"}
    assert known == before.nodes[0].properties  # what the page does not know, too
    assert [n.properties.get("B") for n in second.nodes if n.parent == 0] == [[b"cc"], [b"ee"]]


def test_a_closed_tab_loses_nothing(visit: Visit, folder: Path) -> None:
    page = visit.page
    open_file(page, folder / "below" / "one.sgf")
    expect(page.locator("#title")).to_contain_text("Fifth")
    page.get_by_label("A move to play").fill("A1")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#saved")).to_have_text("✓ Kept in this browser")
    other = page.context.new_page()  # a tab that knows nothing of this one
    page.close()
    other.goto(visit.address)
    expect(other.locator("#games-dialog")).to_be_visible()
    other.locator("#of-browser").get_by_role("button", name="Fifth – Sixth").first.click()
    expect(other.locator("#tree [data-node]")).to_have_count(3)
    expect(other.locator("#title")).to_contain_text(re.compile("Fifth"))
