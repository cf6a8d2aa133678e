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
