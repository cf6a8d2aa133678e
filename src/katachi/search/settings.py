"""The settings of the search, each with the default that matches chose (docs/results)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from katachi.errors import KatachiError
from katachi.search.widening import SCHEDULES

CHOICES: Final = {
    "playouts": ("pattern", "uniform"),
    "gammas": ("balanced", "fitted", "sized"),
    "self_atari": ("useful", "any"),
    "answers": ("capped", "whole"),
    "children": ("playout", "legal"),
    "widening": SCHEDULES,
}
BY_SIZE: Final = -1.0


@dataclass(frozen=True)
class SearchSettings:
    """How the tree grows, and how it chooses where to look."""

    playouts: str = "pattern"  # or "uniform"
    # Which strings playouts put in atari themselves: "useful" ones, or "any", as the paper has it
    self_atari: str = "useful"
    # Of playouts: "balanced", so that points end as the right side's; "sized", balanced for each
    # size of board; or "fitted", as in the paper
    gammas: str = "balanced"
    # What several features together say of a move in playouts, such as an answer to an atari beside
    # the last move: "capped" at 1,024, or the "whole" of it
    answers: str = "capped"
    # Factor of extensions after which the string has two liberties at most, and takes nothing
    tight: float = 1.0
    # The chance that a playout plays on the vital point of a small eye space that it could kill
    nakade: float = 0.0
    # Moves of the tree: those that a "playout" may make, or all "legal" ones that fill no own eye
    children: str = "playout"
    # A leaf gets children once it has had so many simulations; 0: as many as the board has points
    expand_after: int = 2
    # The full model sorts and weighs a node's moves once it has had so many; -1: never
    model_after: int = 2
    widening: str = "none"  # or "journal", "workshop": see katachi.search.widening
    ucb: float = 0.0  # weight of sqrt(log N / n)
    rave: float = 1000.0  # β = r / (r + n + r·n / rave) of a move's value is AMAF's; 0: none of it
    prior_even: float = -1.0  # every move begins as if it had had so many simulations, half won,
    prior_won: float = -1.0  # and so many won ones times sqrt(p / largest p); -1: see `priors`
    # Half of the won ones are left once a move has had so many simulations of its own; 0: all stay
    prior_fades: float = 100.0
    bias: float = 0.0  # weight of p · sqrt(N) / (1 + n)
    forced: float = 0.0  # a move gets sqrt(forced · p · N) simulations at least, rounded down
    urgency: float = 1.0  # value of a move without any simulation, prior ones included
    virtual_loss: int = 1  # lost simulations that a thread adds to its path while it is under way
    resign: float = 0.05  # win rate below which it gives up
    simulations: int = 10_000  # per move, where no budget is given

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                words = ", ".join(choices)
                raise KatachiError(f"{name}={getattr(self, name)} is none of {words}")
        for name in ("ucb", "rave", "bias", "forced", "prior_even", "prior_won", "prior_fades"):
            own = name in ("prior_even", "prior_won") and getattr(self, name) == BY_SIZE
            if not (own or 0 <= getattr(self, name) < 1e9):
                raise KatachiError(f"{name}={getattr(self, name)} is not between 0 and 1e9")
        low = {"expand_after": 0, "model_after": -1, "virtual_loss": 1, "simulations": 1}
        for name, least in low.items():
            if not least <= getattr(self, name) <= 10**9:
                raise KatachiError(f"{name}={getattr(self, name)} is not {least} or more")
        if not 0 < self.tight <= 1:
            raise KatachiError(f"tight={self.tight} is not above 0 and up to 1")
        if not 0 <= self.nakade < 1:
            raise KatachiError(f"nakade={self.nakade} is not between 0 and 1")
        if not 0 <= self.resign < 1:
            raise KatachiError(f"resign={self.resign} is not between 0 and 1")
        if not abs(self.urgency) < 1e9:
            raise KatachiError(f"urgency={self.urgency} is no number to go by")


def priors(settings: SearchSettings, size: int) -> tuple[float, float]:
    """(prior_even, prior_won) on a board of this size: the more moves there are, the more the model
    is trusted. Chosen on 9x9 and on 19x19 (docs/results), and by a line through both elsewhere.
    """
    even, won = settings.prior_even, settings.prior_won
    return (
        max(30.0 - 2.0 * (size - 9), 10.0) if even == BY_SIZE else even,
        max(40.0 + 8.0 * (size - 9), 40.0) if won == BY_SIZE else won,
    )


# Coulom 2007, Table 2: nodes wait for as many simulations as the board has points, then UCB.
_PLAIN: Final = SearchSettings(
    gammas="fitted",
    self_atari="any",
    expand_after=0,
    model_after=-1,
    ucb=0.5,
    rave=0.0,
    prior_even=0.0,
    prior_won=0.0,
    prior_fades=0.0,
    urgency=10.0,
)
PRESETS: Final = {
    "default": SearchSettings(),
    "no-patterns": replace(_PLAIN, playouts="uniform"),
    "patterns": _PLAIN,
    "patterns-and-widening": replace(_PLAIN, model_after=0, widening="journal"),
}


def parse_settings(texts: Mapping[str, str]) -> SearchSettings:
    """Settings by name, as text: `preset` is one of PRESETS, which the others then change.

    Raises KatachiError for names and values that do not exist.
    """
    preset = texts.get("preset", "default")
    if preset not in PRESETS:
        raise KatachiError(f"there is no preset {preset!r}: choose from {', '.join(PRESETS)}")
    base = PRESETS[preset]
    kinds = {f.name: type(getattr(base, f.name)) for f in fields(base)}
    values: dict[str, str | int | float] = {}
    for name, text in texts.items():
        if name == "preset":
            continue
        if name not in kinds:
            known = ", ".join(["preset", *kinds])
            raise KatachiError(f"there is no setting {name!r}: choose from {known}")
        try:
            values[name] = kinds[name](text)
        except ValueError:
            word = "a whole number" if kinds[name] is int else "a number"
            raise KatachiError(f"the setting {name}={text} is not {word}") from None
    return replace(base, **values)  # type: ignore[arg-type]
