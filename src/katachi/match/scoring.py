"""Who has won a finished game: the referee says, the engines agree, or the area counts."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from katachi.go.points import BLACK, COLOUR_NAMES, WHITE, vertex
from katachi.go.position import Position
from katachi.match.client import Engine, EngineError
from katachi.match.engines import KGS_RULES, EnginePool, begin_game
from katachi.match.settings import OWN, MatchSettings

REFEREE: Final = "referee"
_SCORE: Final = re.compile(r"([BW])\+(\d+(?:\.\d*)?|\.\d+)", re.IGNORECASE)


class Score(NamedTuple):
    """Black's points minus white's, komi counted, and how it was found where that matters."""

    margin: float
    note: str = ""


def parse_score(text: str) -> float | None:
    """Black's margin of "B+3.5", "W+0.5", "0" or "draw"; None for anything else."""
    word = text.split()[0] if text.split() else ""
    if word.lower() in ("0", "draw", "jigo"):
        return 0.0
    found = _SCORE.fullmatch(word)
    if found is None:
        return None
    return float(found[2]) * (1 if found[1].upper() == "B" else -1)


def result_text(margin: float) -> str:
    """The margin as SGF and GTP write it."""
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def score_game(
    position: Position,
    players: dict[int, tuple[str, Engine]],
    engines: EnginePool,
    settings: MatchSettings,
) -> Score:
    """The score of a finished game; `players` has role and engine by colour.

    A referee that fails is replaced by our own count, and the note says so. An engine that fails
    here has merely no say; `Engine.alive` tells.
    """
    note = ""
    if settings.referee != OWN:
        try:
            return Score(_ask_referee(position, engines, settings))
        except (EngineError, ValueError) as error:
            note = f"the referee failed: {error}; "
    said = {}
    for colour, (role, engine) in players.items():
        if engines.knows(role, "final_score"):
            try:
                said[colour] = parse_score(engine.ask("final_score", settings.timeout))
            except EngineError:
                said[colour] = None
    black, white = said.get(BLACK), said.get(WHITE)
    if black is not None and black == white:
        return Score(black, note.removesuffix("; "))
    words = ", ".join(
        f"{COLOUR_NAMES[colour]} says {'nothing' if margin is None else result_text(margin)}"
        for colour, margin in ((BLACK, black), (WHITE, white))
    )
    if black is not None and white is not None and black * white > 0:
        return Score(min(black, white, key=abs), f"{note}{words}: the smaller margin is taken")
    margin = position.score() - settings.komi
    return Score(margin, f"{note}{words}: area of the board as it stands")


def _ask_referee(position: Position, engines: EnginePool, settings: MatchSettings) -> float:
    """Raises EngineError, and ValueError for an answer that is no score."""
    referee = engines.take(REFEREE, settings.seed)
    sound = False
    try:
        for command in begin_game(settings):
            referee.ask(command, settings.timeout)
        if engines.knows(REFEREE, "kgs-rules"):
            referee.ask(f"kgs-rules {KGS_RULES[settings.rules]}", settings.timeout)
        for colour, p in position.moves:
            move = f"play {COLOUR_NAMES[colour]} {vertex(p, position.size)}"
            referee.ask(move, settings.timeout)
        answer = referee.ask("final_score", settings.timeout)
        margin = parse_score(answer)
        if margin is None:
            raise ValueError(f"{answer[:80]!r} is no score")
        sound = True
        return margin
    finally:
        engines.give_back(REFEREE, referee, sound=sound)
