"""The short way to write an option: what click makes of it, and what a reader is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from katachi.cli.options import FROM_1, json_option, option, output_option, seed_option, together
from tests.cli.test_cli import program

CLI = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def run(decorate: Callable[[Any], Any], *args: str) -> tuple[dict[str, Any], str]:
    """What the verb gets, and what it says of its options."""
    found: dict[str, Any] = {}

    @click.command()
    @decorate
    def verb(**given: Any) -> None:
        found.update(given)

    done = CliRunner().invoke(verb, args)
    assert done.exit_code == 0, done.output
    text = " ".join(CliRunner().invoke(verb, ["--help"]).output.split())
    return found, text


@pytest.mark.parametrize(
    ("decorate", "args", "wanted", "words"),
    [
        (option("--games N", "Play", int, 5), [], {"games": 5}, "--games N Play (default 5)."),
        (option("--games N", "Play", int, 5), ["--games", "7"], {"games": 7}, "Play"),
        (option("--draw N", "Draw", int, 0), [], {"draw": 0}, "Draw (default 0)."),
        (option("--seconds S", "Wait", float), [], {"seconds": None}, "--seconds S Wait."),
        (option("--wait S", "Wait", float, 600.0), [], {"wait": 600.0}, "Wait (default 600)."),
        (option("--min-rank RANK", "Rank", default=""), [], {"min_rank": ""}, "RANK Rank."),
        (option("--even", "Even", bool), ["--even"], {"even": True}, "--even Even."),
        (option("--even", "Even", bool), [], {"even": False}, "--even Even."),
        (option("--on/--no-on", "Do", bool, True), [], {"on": True}, "Do (default yes)."),
        (option("--on/--no-on", "Do", bool), [], {"on": None}, "--on / --no-on Do."),
        (option("--all every", "All", bool), ["--all"], {"every": True}, "--all All."),
        (option("--way", "How", ("a", "b"), "a"), [], {"way": "a"}, "[a|b] How (default a)."),
        (
            option("--prior WINS LOSSES", "Prior", (float, float), (1.0, 2.5)),
            [],
            {"prior": (1.0, 2.5)},
            "--prior WINS LOSSES Prior (default 1 2.5).",
        ),
        (
            option("--set settings NAME=VALUE", "Set", multiple=True),
            ["--set", "a=1", "--set", "b=2"],
            {"settings": ("a=1", "b=2")},
            "--set NAME=VALUE Set.",
        ),
        (
            output_option("Folder", default=Path("out")),
            ["-o", "x"],
            {"output": Path("x")},
            "-o, --output FOLDER Folder; an interrupted run goes on there (default out).",
        ),
    ],
)
def test_an_option(decorate: Any, args: list[str], wanted: dict[str, Any], words: str) -> None:
    found, text = run(decorate, *args)
    assert found == wanted
    assert words in text


def test_several_keep_their_order() -> None:
    found, text = run(together(seed_option(), json_option()), "--seed", "3")
    assert found == {"seed": 3, "as_json": False}
    assert text.index("--seed N") < text.index("--json")


def test_a_range_is_kept() -> None:
    @click.command()
    @option("--jobs N", "Number of processes", FROM_1)
    def verb(jobs: int) -> None:
        assert jobs

    assert CliRunner().invoke(verb, ["--jobs", "0"]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "found"),
    [("katachi su", {"suggest"}), ("katachi suggest --mo", {"--move", "--moves", "--model"})],
)
def test_shells_complete_verbs_and_options(words: str, found: set[str]) -> None:
    """As docs/cli.md says; click asks the program by these variables."""
    done = program(
        env={
            "_KATACHI_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
    )
    assert {line.partition(",")[2] for line in done.stdout.split()} == found
    for shell in ("bash", "zsh", "fish"):
        assert f"_KATACHI_COMPLETE={shell}_source katachi" in CLI


def test_completion_is_printed_for_each_shell() -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "katachi" in program(env={"_KATACHI_COMPLETE": f"{shell}_source"}).stdout
