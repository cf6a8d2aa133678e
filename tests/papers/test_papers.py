from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from katachi.papers import numbers as papers

TEXTS = Path(__file__).parents[3] / "shared" / "papers"


def test_shares_are_shares_and_grow_with_the_rank() -> None:
    for points in papers.RANKS.values():
        assert 1 in points
        assert all(0 < share < 1 for share in points.values())
        assert all(points[a] < points[b] for a, b in pairwise(sorted(points)))
    for rank, shares in papers.ARAKI_OTHERS.items():
        best = papers.RANKS["Araki et al. 2007"].get(rank)
        assert best is None or max(shares) < best


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("coulom-2007-icga-journal.txt", {0.349, 0.42}),
        ("stern-2005-bayesian-ranking.txt", set(papers.RANKS["Stern et al. 2005"].values())),
        (
            "araki-2007-maximum-entropy.txt",
            {
                *papers.RANKS["Araki et al. 2007"].values(),
                *papers.RANKS["Stern et al. 2006"].values(),
                *papers.RANKS["Stern et al. 2005"].values(),
                *papers.RANKS["van der Werf et al. 2003"].values(),
                *(share for shares in papers.ARAKI_OTHERS.values() for share in shares),
            },
        ),
    ],
)
def test_the_texts_give_these_numbers(text: str, shares: set[float]) -> None:
    path = TEXTS / text
    if not path.exists():
        pytest.skip("the papers are not on this machine")
    words = path.read_text()
    for share in shares:
        assert any(f"{100 * share:{form}}%" in words for form in (".2f", ".1f", ".0f")), share
    if text.startswith("coulom"):
        for value in papers.LOG_EVIDENCE.values():
            assert f" {value}," in words


SUMMARY = Path(__file__).parents[2] / "docs" / "results" / "index.md"


def test_every_table_of_the_papers_has_its_row() -> None:
    """Theirs, ours with a link to the lab book, command and date; or that it was not played."""
    text = SUMMARY.read_text(encoding="utf-8").split("## The papers' tables")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in row] for row in rows[2:]]
    tables = {
        "coulom": ("section 3", "Table 1", "Figures 3, 4", "Table 2, 9x9", "Table 2, 19x19"),
        "stern": ("Figure 2", "section 4", "Figures 3, 4"),
        "araki": ("Table I:", "Table II:", "Table III:", "Table IV:", "section IV-D"),
    }
    for paper, names in tables.items():
        for name in names:
            assert any(row[0].startswith(f"{paper}, {name}") for row in rows), f"{paper}, {name}"
    for table, theirs, ours, command, date in rows:
        assert theirs, table
        assert command, table
        if ours != "not played yet":
            assert "(lab-book.md#" in ours, table
            assert len(date) == len("2026-11-15"), table
