"""Nothing on the command line or in the Python API goes undocumented."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

import katachi
from katachi.cli import VERBS
from katachi.cli import katachi as group

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def command(verb: str) -> click.Command:
    found = group.get_command(click.Context(group), verb)
    assert found is not None
    return found


def parameters(verb: str) -> list[click.Parameter]:
    """Its parameters, but --help; those of the learners among them."""
    found = command(verb)
    return [p for p in found.get_params(click.Context(found)) if "--help" not in p.opts]


def section(verb: str) -> str:
    """The part of docs/cli.md that is about a verb."""
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    heading = f"\n## katachi {verb}\n"
    assert heading in text, f"docs/cli.md has no section 'katachi {verb}'"
    return text.split(heading)[1].split("\n## ")[0]


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_documented(verb: str) -> None:
    text = section(verb)
    for parameter in parameters(verb):
        if isinstance(parameter, click.Option):
            for name in parameter.opts:
                assert f"`{name}" in text, f"docs/cli.md does not tell of katachi {verb} {name}"


@pytest.mark.parametrize("verb", VERBS)
def test_every_documented_option_exists(verb: str) -> None:
    import re

    known = {name for parameter in parameters(verb) for name in parameter.opts}
    for name in re.findall(r"^\| `(--[a-z-]+)", section(verb), re.MULTILINE):
        assert name in known, f"docs/cli.md tells of {name}, which katachi {verb} does not have"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_an_example(verb: str) -> None:
    assert f"\n    katachi {verb}" in section(verb)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_words_for_its_options(verb: str) -> None:
    found = command(verb)
    assert found.help
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"katachi {verb} {parameter.opts[0]} has no help"


def test_the_public_names_exist_and_are_documented() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in katachi.__all__:
        assert getattr(katachi, name) is not None
        assert f"`{name}" in text, f"docs/api.md does not tell of {name}"
    with pytest.raises(AttributeError):
        _ = katachi.no_such_name
