"""`katachi analysis`: KataGo's JSON analysis protocol, for KaTrain and others."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from katachi.cli.options import FROM_1, model_option, option, seed_option
from katachi.cli.talk import talk

if TYPE_CHECKING:
    from katachi.search.engine import SearchPlayer

_EPILOG = """\b
KaTrain: General & Engine Settings, "Override Engine Command": katachi analysis
Before that, once: katachi warm analysis
"""


@click.command(
    "analysis", short_help="The engine, for KaTrain and others: queries as JSON.", epilog=_EPILOG
)
@model_option()
@option("--workers N", "Number of positions that are worked on at a time", FROM_1, 1)
@option("--memory MB", "Memory for the tree of each position", FROM_1, 256)
@seed_option()
def command(model: Path | None, workers: int, memory: int, seed: int) -> int:
    """Analyse: take queries on stdin, a line of JSON to each, and answer on stdout, as KataGo's
    analysis engine does: win rate, lead, visits, prior and expected moves of the best moves;
    owners, and the model's probabilities as policy.
    """
    from katachi.analysis.engine import AnalysisEngine
    from katachi.analysis.held import Held
    from katachi.cli.warming import begin, sentence
    from katachi.go.kernel import mark_compiled
    from katachi.models.model import load_model
    from katachi.search.engine import search_player

    found = load_model(model)
    search_player(found, memory_mb=1, seed=seed)  # raises: told before anybody waits
    told = sentence("analysis")
    compiler = None
    if told is not None:
        talk().print(told, soft_wrap=True)
        compiler = begin("gtp")

    def build(number: int) -> SearchPlayer:
        player = search_player(found, memory_mb=memory, seed=seed + 1000 * number)
        mark_compiled("analysis")
        return player

    def write(line: str) -> None:
        with suppress(BrokenPipeError, ValueError):  # nobody reads: the end of the input comes soon
            print(line, flush=True)

    engine = AnalysisEngine(build, write, workers)
    held = Held(engine.ask, (lambda: None) if compiler is None else compiler.wait)
    try:
        for line in sys.stdin.buffer:
            held.ask(line.decode("utf-8", "replace"))
        held.close()
        engine.close()
    except KeyboardInterrupt:
        engine.stop()
        return 130
    finally:
        if compiler is not None:
            compiler.kill()
            compiler.wait()
    return 0
