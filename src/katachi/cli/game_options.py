"""The options of the verbs that have engines play games: how the games are played."""

from __future__ import annotations

from typing import Any, Final

from katachi.cli.options import FROM_1, option, seed_option, together
from katachi.errors import KatachiError
from katachi.match.play import STARTUP_TIMEOUT
from katachi.match.settings import OWN, RULES, MatchSettings

DEFAULT: Final = MatchSettings()

# `jobs` and `startup_timeout`, and what `game_settings` takes
game_options = together(
    option("--size N", "Size of the board", int, DEFAULT.size),
    option("--komi POINTS", "Points that White gets", float, DEFAULT.komi),
    option(
        "--rules",
        "Rules that are told to engines that know kgs-rules; superko is judged under tromp-taylor "
        "only",
        RULES,
        DEFAULT.rules,
    ),
    option(
        "--time seconds SECONDS",
        "Each side's time for a game; who overruns it by more than a second loses",
        float,
    ),
    option(
        "--time-settings MAIN BYO STONES",
        "Time with Canadian byoyomi: after MAIN seconds, BYO seconds for STONES moves",
        (float, float, int),
    ),
    option("--playouts N", "The number that replaces {playouts} in the engine commands", int),
    option(
        "--openings PATH",
        "Begin with the moves of these game records, or with balanced ones of Katachi's own, each "
        "with both colours",
    ),
    option("--opening-moves N", "Play only the first N moves of each record", int),
    option(
        "--random-opening N", "Begin with N random moves, the same ones with both colours", int, 0
    ),
    seed_option("Seed of random openings, and of {seed} in the engine commands"),
    option("--jobs N", "Number of games that run at a time", FROM_1, 1),
    option(
        "--referee COMMAND",
        "A GTP engine that scores the games, or own: the engines agree, or the area counts",
        default=OWN,
    ),
    option(
        "--timeout SECONDS",
        "An engine that takes longer for one answer loses the game",
        float,
        DEFAULT.timeout,
    ),
    option(
        "--startup-timeout SECONDS",
        "An engine that takes longer for its first answer, before the first game, ends the run",
        float,
        STARTUP_TIMEOUT,
    ),
    option(
        "--max-moves N",
        "Score a game as it stands after N moves (default three times the points of the board)",
        FROM_1,
    ),
)


def game_settings(games: int, options: dict[str, Any]) -> MatchSettings:
    """The settings by these options, without `jobs` and `startup_timeout`. Raises KatachiError."""
    rest = dict(options)
    seconds, time_settings = rest.pop("seconds"), rest.pop("time_settings")
    if seconds is not None and time_settings is not None:
        raise KatachiError("--time and --time-settings exclude each other: choose one")
    return MatchSettings(
        games=games,
        time=time_settings if seconds is None else (seconds, 0.0, 0),
        max_moves=rest.pop("max_moves") or 0,
        **rest,
    )
