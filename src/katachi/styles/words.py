"""A style in sentences."""

from __future__ import annotations

from typing import Final

from katachi.styles.differences import SURE, WITHIN_95, Difference
from katachi.styles.style import Prediction, Style

SIGNS: Final = "* the move, X own stones, O the opponent's, # beyond the edge"


def heading(style: Style) -> str:
    """Whose style it is, and of how much."""
    phase = f", {style.phase}" if style.phase else ""
    return (
        f"{style.player}{phase}: {style.games:,} games, {style.moves:,} moves, against "
        f"{style.against}"
    )


def notes(style: Style) -> list[str]:
    """How well the base predicts, and how much is sure."""
    first = f"The base gives the player's moves {_told(style.prediction)} on average"
    if style.others.moves:
        first += f", and moves of the opponents in the same games {_told(style.others)}"
    told = [
        f"{first} (mean log-evidence).",
        f"{len(style.sure)} of {len(style.differences)} features differ with q < {SURE} (Benjamini "
        f"and Hochberg); ± is half of the 95 % interval, by the {style.fitted.errors_by}.",
    ]
    if style.shape_fit is not None:
        told.append(
            f"Of {len(style.shapes):,} shapes, at {style.shape_moves:,} of the moves, "
            f"{len(style.sure_shapes):,} differ; errors are by the {style.shape_fit.errors_by}, "
            "the features' differences being held."
        )
    if not style.knows:
        told.append(
            "The base has none of these features: a difference may be what all players do, and "
            "not the player's own."
        )
    return told


def _told(prediction: Prediction) -> str:
    mean = f"{prediction.log_evidence:.3f}"
    if prediction.interval is None:
        return mean
    low, high = prediction.interval
    return f"{mean} [{low:.3f}, {high:.3f}]"


def split_differences(style: Style, top: int) -> list[tuple[str, list[Difference]]]:
    """(title, the differences that are sure) of what is played more readily, and less; then of
    shapes, if some are sure.
    """
    more, less = _halves(style.sure, top)
    parts = [
        ("Habits, most telling first" if more else "No habit can be told from chance", more),
        (
            "Avoided, most telling first" if less else "Nothing avoided can be told from chance",
            less,
        ),
    ]
    more, less = _halves(style.sure_shapes, top)
    if more:
        parts.append((f"Shapes played more readily ({SIGNS})", more))
    if less:
        parts.append((f"Shapes avoided ({SIGNS})", less))
    return parts


def _halves(sure: list[Difference], top: int) -> tuple[list[Difference], list[Difference]]:
    """The first of those above 0, and of those below."""
    return [one for one in sure if one.elo > 0][:top], [one for one in sure if one.elo < 0][:top]


def sentence(one: Difference) -> str:
    """A difference as one sentence."""
    times = f"{one.times:.2g} times as readily as the base expects"
    return (
        f"A move that {one.sentence}: {times}, {one.elo:+.0f} ± {WITHIN_95 * one.error:.0f} Elo, "
        f"{one.played:,} moves ({one.expected:,.0f} expected); changes {one.changed:,.0f} decisions"
    )
