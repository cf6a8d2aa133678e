"""`katachi doctor`: whether all that Katachi needs is here, and what to do if not."""

from __future__ import annotations

import json
import locale
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple

import click
from rich.table import Table
from rich.text import Text

from katachi import __version__
from katachi.cli.cluster import playouts_per_second
from katachi.cli.options import json_option, option
from katachi.cli.talk import kernels_ready, results, talk
from katachi.errors import KatachiError
from katachi.folders import cache_folder, writable
from katachi.processes import default_jobs

PACKAGES: Final = (
    *("numpy", "numba", "scipy", "rich", "safetensors", "sgfmill", "matplotlib"),
    *("starlette", "uvicorn"),
)
SECONDS: Final = 1.0  # of playouts, to tell the speed
SLOW: Final = 20_000  # playouts a second on 9x9; an old laptop has more
LITTLE: Final = 500 * 2**20  # bytes of a disk: kernels and games that were read take 200 MB
PROGRAMS: Final = (
    ("gnugo", "it is the opponent and referee in matches: install GNU Go 3.8"),
    ("chromium", "only our own tests need it: install Chromium to run them"),
)

GOOD, MISSING, WRONG = "good", "missing", "wrong"  # missing: something is left out without it


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    found: str
    state: str = GOOD
    remedy: str = ""


@click.command("doctor", short_help="Whether all that Katachi needs is here.")
@option("--quick", "Do not measure the speed, which compiles kernels", bool)
@json_option("everything that was looked at")
def command(quick: bool, as_json: bool) -> None:
    """Look at what Katachi needs: versions, the cache folder, the model that comes with it, the
    programs beside it, and how fast this machine is. What is wrong is told with what to do. The
    exit code is 1 if something is wrong.
    """
    checks = list(_checks(quick))
    if as_json:
        click.echo(json.dumps([one._asdict() for one in checks], indent=1))
    else:
        _show(checks)
    if any(one.state == WRONG for one in checks):
        raise SystemExit(1)


def _checks(quick: bool) -> Iterator[Check]:
    yield Check("Katachi", f"{__version__}, Python {platform.python_version()}")
    yield from map(_package, PACKAGES)
    yield _cache()
    yield _kernels()
    yield _told("model", _model, "install Katachi again: a file of it is damaged or missing")
    yield _terminal()
    yield from (_program(*one) for one in PROGRAMS)
    if not quick:
        yield _told("speed", _speed, "run katachi doctor --quick, and katachi warm to see why")


def _package(name: str) -> Check:
    try:
        return Check(name, version(name))
    except PackageNotFoundError:
        return Check(name, "not installed", WRONG, f"install Katachi again, or {name}")


def _cache() -> Check:
    folder = cache_folder()
    if not writable(folder):
        remedy = "kernels are compiled again by every verb: name a folder by KATACHI_CACHE_DIR"
        return Check("cache folder", f"{folder} cannot be written", WRONG, remedy)
    used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    free = shutil.disk_usage(folder).free
    found = f"{folder}, {used / 2**20:,.0f} MB"
    if free < LITTLE:
        remedy = "make room: results are written whole or not at all"
        return Check("cache folder", f"{found}; {free / 2**20:,.0f} MB are free", WRONG, remedy)
    return Check("cache folder", found)


def _kernels() -> Check:
    from katachi.cli.warming import STEPS, done

    there = sum(map(done, STEPS))
    if there == len(STEPS):
        return Check("kernels", "all compiled")
    left = sum(seconds for step, seconds in STEPS.items() if not done(step))
    remedy = f"katachi warm compiles them now, in about {left} s; each verb also does so itself"
    return Check("kernels", f"{there} of {len(STEPS)} steps compiled by warm", MISSING, remedy)


def _told(name: str, look: Callable[[], Check], remedy: str) -> Check:
    """What `look` finds; what it raises is what is wrong."""
    try:
        return look()
    except (KatachiError, OSError) as error:
        return Check(name, str(error), WRONG, remedy)


def _model() -> Check:
    from katachi.models.model import load_model

    began = time.perf_counter()
    about = load_model().about
    seconds = time.perf_counter() - began
    return Check("model", f"learnt from {about['games']:,} games; read in {seconds:.2f} s")


def _terminal() -> Check:
    encoding = getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding()
    if encoding.lower().replace("-", "") not in ("utf8", "utf16"):
        remedy = "stones and names are replaced by plain signs: set LC_ALL to a UTF-8 locale"
        return Check("text", encoding, MISSING, remedy)
    return Check("text", encoding)


def _program(name: str, remedy: str) -> Check:
    found = shutil.which(name) or shutil.which(name, path="/usr/games")  # Debian's place of games
    return Check(name, found) if found else Check(name, "not found", MISSING, remedy)


def _speed() -> Check:
    with kernels_ready(talk(), "games"):
        speed = playouts_per_second(SECONDS)
    found = f"{speed:,.0f} random games of 9x9 a second on one of {default_jobs()} cores"
    if speed < SLOW:
        return Check("speed", found, MISSING, "close what else is running: this is slow")
    return Check("speed", found)


def _show(checks: list[Check]) -> None:
    out = results()
    table = Table(box=None, pad_edge=False, show_header=False)
    styles = {GOOD: "green", MISSING: "yellow", WRONG: "bold red"}
    for one in checks:
        table.add_row(Text(one.state, styles[one.state]), Text(one.name), Text(one.found))
        if one.remedy:
            table.add_row("", "", Text(f"→ {one.remedy}"))
    out.print(table)
    if any(one.state == WRONG for one in checks):
        out.print("\nSomething is wrong: see the arrows.")
    elif any(one.state == MISSING for one in checks):
        out.print("\nKatachi works. See the arrows for what more could be there.")
    else:
        out.print("\nAll is well.")
