"""The study page: from a key press to the suggestions on the board, in a real Chromium; the review
of a game, and its search.

The page asks for the next position while one looks at this one: *stepping* finds it there, unless
the keys come faster; *jumping* goes to a position that was never asked for.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from rich.table import Table

from bench import Report
from katachi.models.model import Model, load_model
from katachi.records.bundled import bundled_games
from katachi.records.game import Game
from katachi.records.write import to_sgf
from katachi.study.pool import DEPTHS, Job, Pool
from katachi.study.review import review
from katachi.study.searched import terms_of

ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

# Milliseconds from the key event to the frame in which the suggestions of its position are drawn
_STEPS = """async ([keys, pause]) => {
  const times = [];
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const key of keys) {
    const before = document.body.dataset.node, start = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    while (document.body.dataset.node === before || document.body.dataset.drawn !== document.body.dataset.node) {
      await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
    }
    times.push(performance.now() - start);
    await wait(pause);
  }
  return times;
}"""  # noqa: E501
_JUMPS = """async ([numbers]) => {
  const times = [];
  for (const number of numbers) {
    const dot = document.querySelector(`#graph circle[data-number="${number}"]`);
    const box = dot.getBoundingClientRect();
    const before = document.body.dataset.node, start = performance.now();
    dot.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + box.width / 2, clientY: box.top }));
    while (document.body.dataset.node === before || document.body.dataset.drawn !== document.body.dataset.node) {
      await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
    }
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 150));
  }
  return times;
}"""  # noqa: E501


def benchmark(quick: bool) -> Report:
    """Half a minute, or some seconds if `quick`."""
    corpus = bundled_games()
    game = corpus[max(range(len(corpus)), key=lambda g: int(corpus.moves[g]))]
    data: dict[str, Any] = {"moves": len(game.moves)}
    table = Table(title="Study: 19x19, the model that comes with Katachi", title_justify="left")
    for name in ("what", "median", "95 %"):
        table.add_column(name, justify="left" if name == "what" else "right")
    model = load_model()
    review(model, game)
    times = []
    for _ in range(1 if quick else 3):
        start = time.perf_counter()
        review(model, game)
        times.append(time.perf_counter() - start)
    data["review_seconds"] = median(times)
    table.add_row(f"review of {len(game.moves)} moves, one core", f"{median(times):.2f} s", "")
    depth = 50 if quick else 200
    took, processor, threads = searched(model, game, depth)
    data["search"] = {
        "simulations": depth,
        "seconds": took,
        "processor_seconds": processor,
        "threads": threads,
    }
    what = f"search of {len(game.moves) + 1} positions by {depth} simulations, {threads} threads"
    table.add_row(what, f"{took:.1f} s", "")
    table.add_row("… the processor's time of all threads", f"{processor:.1f} s", "")
    chromium = shutil.which("chromium")
    if chromium is None:
        table.add_row("key press to suggestions", "chromium is not installed", "")
        return Report(data, table)
    print("in the browser …", file=sys.stderr)
    for name, found in in_the_browser(game, chromium, 40 if quick else 150).items():
        data[name] = {"median_ms": median(found), "p95_ms": quantiles(found, n=20)[-1]}
        table.add_row(
            f"key press to suggestions, {name}",
            f"{median(found):.1f} ms",
            f"{quantiles(found, n=20)[-1]:.1f} ms",
        )
    return Report(data, table)


def searched(model: Model, game: Game, simulations: int) -> tuple[float, float, int]:
    """(seconds that the page's pool takes for the whole game, those of the processor, threads)."""
    moves = [*(move for _, move in game.moves), None]
    jobs = [Job(n, terms_of(game.position(n), game.komi), played) for n, played in enumerate(moves)]
    pool = Pool(model)
    for _ in pool.search("warm", DEPTHS[0], jobs[:8]):  # every thread has its player
        pass
    start, before = time.perf_counter(), time.process_time()
    for _ in pool.search("bench", simulations, jobs):
        pass
    took, processor = time.perf_counter() - start, time.process_time() - before
    pool.stop()
    return took, processor, pool.threads


def in_the_browser(game: Game, chromium: str, steps: int) -> dict[str, list[float]]:
    """Milliseconds of each step: stepping slowly, stepping at once, and jumping."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        path.write_bytes(to_sgf(game))
        server = subprocess.Popen(
            [sys.executable, "-m", "katachi", "study", str(path), "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
                found = {}
                for name, pause in (("stepping", 150), ("stepping without a pause", 0)):
                    page = _page(browser, address)
                    found[name] = page.evaluate(_STEPS, [["ArrowRight"] * steps, pause])[5:]
                    page.close()
                page = _page(browser, address)
                numbers = [3 + 97 * i % (len(game.moves) - 4) for i in range(steps // 2)]
                found["jumping"] = page.evaluate(_JUMPS, [numbers])[5:]
                browser.close()
        finally:
            server.kill()
            server.communicate()
    return found


def _page(browser: Any, address: str) -> Any:
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("#unusual:not([hidden])", timeout=60_000)
    return page
