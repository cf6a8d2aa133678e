"""The lock: each package with a digest, all that the project asks for among them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tools.lock import LOCK, lines_of, without_digests

ROOT = Path(__file__).parents[1]


def name_of(requirement: str) -> str:
    """As registries compare names."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_all_that_is_asked_for_is_locked() -> None:
    head, *lines = LOCK.read_text(encoding="utf-8").splitlines()
    assert re.match(r"# Python 3\.\d+, \w+, \w+\. ", head)
    assert all(re.fullmatch(r"\S+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)
    names = [name_of(line) for line in lines]
    assert len(set(names)) == len(names)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {name_of(one) for one in wanted} <= set(names)


def test_a_report_of_pip_becomes_lines() -> None:
    report = {
        "install": [
            {
                "metadata": {"name": name, "version": "1.0"},
                "download_info": {"archive_info": {"hashes": {"sha256": digest}}},
            }
            for name, digest in (("beta", "b1"), ("Alpha", "a1"), ("katachi", ""))
        ]
    }
    lines = lines_of(report)
    assert lines == ["Alpha==1.0 --hash=sha256:a1", "beta==1.0 --hash=sha256:b1"]
    assert without_digests("\n".join(lines)) == "Alpha==1.0\nbeta==1.0"
