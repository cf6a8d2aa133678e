"""The first moves of the games: balanced ones of our own, from records, or at random; a pair of
games shares them.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Final

from katachi.errors import KatachiError
from katachi.go.points import PASS, all_points, from_vertex, row_col
from katachi.go.position import IllegalMove, Position
from katachi.match.settings import BALANCED, MatchSettings
from katachi.records.game import Game
from katachi.records.read import read_games

Opening = tuple[int, ...]  # points, black first, no passes
BALANCED_SIZES: Final = (9, 13, 19)


class Openings:
    """The opening of every game. Games 2k + 1 and 2k + 2 have the same one.

    Raises KatachiError if there is no opening for these settings.
    """

    def __init__(self, settings: MatchSettings) -> None:
        self.settings = settings
        self.recorded: list[Opening] = []
        if settings.openings == BALANCED:
            self.recorded = balanced_openings(settings.size)
        elif settings.openings is not None:
            self.recorded = recorded_openings(Path(settings.openings), settings)

    def of(self, number: int) -> Opening:
        """The opening of a game, counted from 1; recorded ones come again when all were played."""
        pair = (number - 1) // 2
        if self.recorded:
            return self.recorded[pair % len(self.recorded)]
        return random_opening(self.settings, pair)

    @property
    def digest(self) -> str:
        """A name for the recorded openings, "" if there are none."""
        text = repr(self.recorded).encode()
        return blake2b(text, digest_size=8).hexdigest() if self.recorded else ""


def balanced_openings(size: int) -> list[Opening]:
    """The openings that come with Katachi, made by tools/make_openings.py: both sides have about
    the same chances. Raises KatachiError for a board that has none.
    """
    if size not in BALANCED_SIZES:
        sizes = ", ".join(f"{n}x{n}" for n in BALANCED_SIZES)
        raise KatachiError(f"there are no balanced openings for {size}x{size}, only for {sizes}")
    path = Path(__file__).parent.parent / "data" / f"openings-{size}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [tuple(from_vertex(word, size) for word in line.split()) for line in lines]


def recorded_openings(path: Path, settings: MatchSettings) -> list[Opening]:
    """The openings in these records, in order, each once.

    Games on other boards, with setup stones or with colours out of turn are left out, and an
    opening ends before a pass. Raises KatachiError if nothing is left, or if a whole game seems to
    be meant as an opening.
    """
    found: dict[Opening, None] = {}
    for game in read_games([path]):
        if game.size != settings.size or game.has_setup or game.breaks_turn:
            continue
        opening = _first_moves(game, settings)
        if settings.opening_moves is None and len(opening) > settings.size**2 // 2:
            raise KatachiError(
                f"{game.source} has {len(opening)} moves, a whole game: say how many are the "
                "opening (--opening-moves)"
            )
        if opening:
            found[opening] = None
    if not found:
        raise KatachiError(
            f"{path} holds no opening for a {settings.size}x{settings.size} board (games with "
            "setup stones are left out)"
        )
    return list(found)


def _first_moves(game: Game, settings: MatchSettings) -> Opening:
    position = Position(settings.size)
    moves = game.moves[: settings.opening_moves]
    for colour, p in moves:
        if p == PASS or colour != position.to_move:
            break
        try:
            position.play(p, superko=settings.rules == "tromp-taylor")
        except IllegalMove:
            break
    return tuple(p for _, p in position.moves)


def random_opening(settings: MatchSettings, pair: int) -> Opening:
    """Random legal moves for a pair of games, away from the edge while there is room; no stone is
    taken and none is left in atari. Fewer than wanted where the board has no room for them.
    """
    random = Random(f"{settings.seed}/{pair}")
    size = settings.size
    edge = 2 if size >= 9 else 1 if size >= 5 else 0
    every = all_points(size)
    inner = [p for p in every if all(edge <= x < size - edge for x in row_col(p))]
    position = Position(size)
    for _ in range(settings.random_opening):
        places = random.sample(inner, len(inner)) + random.sample(every, len(every))
        p = next((p for p in places if _quiet(position, p)), PASS)
        if p == PASS:
            break
        position.play(p)
    return tuple(p for _, p in position.moves)


def _quiet(position: Position, p: int) -> bool:
    """Whether this is a legal move after which no string has fewer than two liberties. Not
    checked: strings that were there before the first move.
    """
    if position.why_illegal(p):
        return False
    after = position.copy()
    after.play(p)
    return all(len(after.liberties(q)) >= 2 for _, q in after.moves)
