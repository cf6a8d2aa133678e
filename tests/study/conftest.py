"""One Chromium and one server for all tests of the page that a process runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.conftest import find_program
from tests.games import bundled_sgfs
from tests.study.server import Served, served

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SMALL = next(iter(bundled_sgfs().values()))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A test makes a context of its own in it, which shares nothing with others."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_program("chromium"), args=ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.sgf"
    path.write_bytes(SMALL)
    return path


@pytest.fixture(scope="session")
def server(game: Path) -> Iterator[Served]:
    """It shows a game on 9x9. A test that ends a server starts one of its own."""
    with served(str(game)) as found:
        yield found
