"""A style in sentences."""

from __future__ import annotations

from katachi.styles.differences import SURE, WITHIN_95, Difference
from katachi.styles.style import Prediction, Style


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
    sure = len(style.sure)
    return [
        f"{first} (mean log-evidence).",
        f"{sure} of {len(style.differences)} features differ with q < {SURE} (Benjamini and "
        "Hochberg); ± is half of the 95 % interval, by the full Hessian.",
    ]


def _told(prediction: Prediction) -> str:
    mean = f"{prediction.log_evidence:.3f}"
    if prediction.interval is None:
        return mean
    low, high = prediction.interval
    return f"{mean} [{low:.3f}, {high:.3f}]"


def split_differences(style: Style, top: int) -> list[tuple[str, list[Difference]]]:
    """(title, the differences that are sure) of what is played more readily, and less."""
    more = [one for one in style.sure if one.elo > 0][:top]
    less = [one for one in style.sure if one.elo < 0][:top]
    return [
        ("Habits, most telling first" if more else "No habit can be told from chance", more),
        (
            "Avoided, most telling first" if less else "Nothing avoided can be told from chance",
            less,
        ),
    ]


def sentence(one: Difference) -> str:
    """A difference as one sentence."""
    times = f"{one.times:.2g} times as readily as the base expects"
    return (
        f"A move that {one.sentence}: {times}, {one.elo:+.0f} ± {WITHIN_95 * one.error:.0f} Elo, "
        f"{one.played:,} moves ({one.expected:,.0f} expected); changes {one.changed:,.0f} decisions"
    )
