"""What the package says of itself, and the README that a registry shows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from hatch_build import addresses, with_whole_links
from tests.cli.test_cli import katachi

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_are_whole_where_the_repository_has_an_address() -> None:
    whole = with_whole_links
    text = "[a](docs/a.md#b) ![p](docs/p.png) [c](https://example.org/c) [d](#d)"
    assert whole(text, "") == text
    assert whole(text, "https://example.org/katachi") == (
        "[a](https://example.org/katachi/blob/main/docs/a.md#b) "
        "![p](https://example.org/katachi/raw/main/docs/p.png) "
        "[c](https://example.org/c) [d](#d)"
    )
    links = re.findall(r"\]\(([^)]+)\)", whole(README, "https://example.org/katachi"))
    assert len(links) > 10
    assert all(link.startswith("https://example.org/katachi/") for link in links)
    assert addresses("") == {}


def test_the_readme_links_to_files_that_are_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", README):
        assert (ROOT / link).is_file(), link


def test_versions_are_the_same() -> None:
    import katachi as package

    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {package.__version__}\n" in citation


def test_pythons_of_the_classifiers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = [c.rpartition(" ")[2] for c in project["classifiers"] if "Python :: 3." in c]
    assert told == ["3.11", "3.12", "3.13"]
    assert project["requires-python"] == f">={told[0]}"


def shown(command: str) -> list[str]:
    """The lines that the README shows below a command, up to the end of its block."""
    return README.split(f"$ katachi {command}")[1].split("```")[0].splitlines()[1:]


def test_the_student_s_output_is_true() -> None:
    moves = re.findall(r'--moves "([^"]+)"', README)[0]
    lines = katachi("suggest", "--moves", moves, "--top", "4").stdout.splitlines()
    expected = [line for line in shown("suggest") if line != "…"]
    assert len(expected) == 5
    assert [line.rstrip() for line in lines][-5:] == expected


@pytest.mark.slow
def test_the_author_s_output_is_true() -> None:
    rows = katachi("export", "--format", "csv").stdout.splitlines()
    expected = [line for line in shown("export") if line != "…"]
    assert len(expected) == 7
    places = [rows.index(line) for line in expected]
    assert places == sorted(places)
