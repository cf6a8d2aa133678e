"""The docs as a site: built strictly, so that no link is broken, and with every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import katachi
from tools.architecture import drawing

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    sources = {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    }
    assert sources <= pages
    reference = (site / "reference.html").read_text(encoding="utf-8")
    assert reference.count('class="doc doc-heading"') >= len(katachi.__all__) - 1
    # Nothing is loaded from elsewhere.
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="https?://[^"]+"', text), path


def test_the_reference_names_everything_public() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    named = re.findall(r"^::: (katachi\.\S+)$", text, re.MULTILINE)
    public = [f"{home}.{name}" for name, home in katachi._HOMES.items()]
    assert sorted(named) == sorted(public)


def test_the_drawing_is_of_the_packages() -> None:
    assert (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8") == drawing()
