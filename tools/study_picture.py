"""The picture of the study page in the docs, made from the page itself.

    python -m tools.study_picture [-o docs/study.png] [--size 1280x800] [--dark] [--all FOLDER]

Serves a bundled game, opens it in Chromium and takes a picture of move 56 with a usual move
explained. `--all` puts one picture of each size and theme that we promise into a folder instead, to
be looked at. Needs playwright and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from katachi.records.bundled import bundled_games
from katachi.records.write import to_sgf

GAME = 100  # of the bundled ones
MOVE = 56
SIZES = ((1280, 800), (1366, 768), (390, 844))
PHONE = 500  # pixels: a window less wide is a phone's


@contextmanager
def page_of(game: Path) -> Iterator[str]:
    """The address of a server for this game, which ends with the block."""
    command = [sys.executable, "-m", "katachi", "study", "--no-browser", "--port", "0", str(game)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def picture(browser: Browser, address: str, size: tuple[int, int], dark: bool, path: Path) -> None:
    """One picture of the page in a window of this size."""
    wide, high = size
    touch: dict[str, Any] = {"has_touch": True, "is_mobile": True} if wide < PHONE else {}
    context = browser.new_context(
        viewport={"width": wide, "height": high}, color_scheme="dark" if dark else "light", **touch
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#unusual:not([hidden])", state="attached")
    for _ in range(MOVE):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(f'body[data-drawn="{MOVE}"]')
    page.keyboard.press("3")
    page.wait_for_selector("#explanation:not([hidden])", state="attached")
    page.screenshot(path=path)
    context.close()


def main() -> None:
    """Parse the options and take the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", dest="path", type=Path, default=Path("docs/study.png"))
    parser.add_argument("--size", default="1280x800", help="of the window (default 1280x800)")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--all", dest="folder", type=Path, help="all sizes and themes, here")
    options = parser.parse_args()
    wide, high = map(int, options.size.split("x"))
    wanted = [((wide, high), options.dark, options.path)]
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        wanted = [
            (size, dark, options.folder / f"{size[0]}x{size[1]}{'-dark' if dark else ''}.png")
            for size in SIZES
            for dark in (False, True)
        ]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        game = Path(folder) / "game.sgf"
        game.write_bytes(to_sgf(bundled_games()[GAME]))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with page_of(game) as address:
            for size, dark, path in wanted:
                picture(browser, address, size, dark, path)
                print(path)
        browser.close()


if __name__ == "__main__":
    main()
