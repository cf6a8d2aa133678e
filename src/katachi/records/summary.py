"""What is in a corpus, as plain data."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from katachi.go.points import BLACK, WHITE
from katachi.records import headers
from katachi.records.corpus import Corpus
from katachi.records.game import CUT, MENDED, ODD, SKIPPED

_WINNERS = {BLACK: "black", WHITE: "white", headers.DRAW: "draw", headers.UNKNOWN: "unknown"}


def summarize(corpus: Corpus) -> dict[str, Any]:
    """Games, moves, passes, lengths, sizes, ranks, dates, komi, results, handicaps, notices.

    Counts by value come most frequent first. `skipped`, `cut`, `mended` and `odd` count by
    reason. JSON takes it as it is.
    """
    moves = np.asarray(corpus.moves)
    lengths = (
        {
            "shortest": int(moves.min()),
            "median": float(np.median(moves)),
            "mean": round(float(moves.mean()), 1),
            "longest": int(moves.max()),
        }
        if len(corpus)
        else {}
    )
    dated = corpus.date[corpus.date > 0]
    return {
        "games": len(corpus),
        "moves": int(moves.sum()),
        "passes": int(corpus.passes.sum()),
        "length": lengths,
        "sizes": _counts(f"{size}x{size}" for size in corpus.size.tolist()),
        "ranks": _counts(headers.rank_name(rank) for rank in corpus.rank.ravel().tolist()),
        "dates": {
            "first": headers.date_name(int(dated.min())) if len(dated) else None,
            "last": headers.date_name(int(dated.max())) if len(dated) else None,
            "undated": len(corpus) - len(dated),
        },
        "komi": _counts("?" if np.isnan(komi) else f"{komi:g}" for komi in corpus.komi.tolist()),
        "results": _counts(_WINNERS[winner] for winner in corpus.winner.tolist()),
        "handicaps": _counts(str(stones) for stones in corpus.handicap.tolist()),
        **{
            kind: _counts(n.reason for n in corpus.notices if n.kind == kind)
            for kind in (SKIPPED, CUT, MENDED, ODD)
        },
    }


def _counts(values: Any) -> dict[str, int]:
    return dict(Counter(values).most_common())
