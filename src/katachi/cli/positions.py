"""Verbs about one position: from a game and the number of a move, a diagram, or moves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NamedTuple

import click

from katachi.cli.missing import archive_in
from katachi.cli.options import FROM_1, model_option, option, together
from katachi.errors import KatachiError
from katachi.go.points import BLACK, COLOUR_NAMES, MAX_SIZE, MIN_SIZE, WHITE
from katachi.go.position import IllegalMove, Position
from katachi.records.game import Game
from katachi.records.record import Record, parse_tree
from katachi.records.sources import members

LARGEST: Final = 10_000_000  # bytes of a file
SIZES: Final = click.IntRange(MIN_SIZE, MAX_SIZE)
_COLOURS = {"black": BLACK, "white": WHITE}
which_game = option("--game which N", "Which game of a file with several", FROM_1, 1)

# For a verb about a whole record
record_options = together(which_game, model_option())

# For a verb about one position: keywords for `chosen_position`, and the model and the output
position_options = together(
    option(
        "--move number N",
        "The position before move N of the game (default after all; explain: before the last)",
        int,
    ),
    which_game,
    option(
        "--diagram FILE",
        "Instead of a game: a position as text with X, O and . (- reads it from stdin)",
        click.Path(path_type=Path, allow_dash=True),
    ),
    option("--moves MOVES", 'Instead of a game: moves from the empty board, as "Q16 D4 pass"'),
    option("--size N", "The size of the board of --moves (default 19)", SIZES),
    option(
        "--to-move",
        "Who is to move (default with --diagram black, with --moves the next colour)",
        tuple(_COLOURS),
    ),
    model_option(),
    option("--json --as-json as_json", "Print the result as JSON", bool),
)


class Chosen(NamedTuple):
    """The position before a move, its number, and the move that was played there, if any."""

    position: Position
    number: int
    played: int | None
    game: Game | None


def read_record(path: Path, which: int = 1) -> Record:
    """The game of a file with its variations. A file in an archive is named as `katachi style` and
    others name it: ARCHIVE:NAME. Raises KatachiError with what is wrong.
    """
    if path.is_dir():
        raise KatachiError(f"{path} is a folder: name one SGF file")
    try:
        if path.stat().st_size > LARGEST:
            raise KatachiError(
                f"{path} has more than {LARGEST // 10**6} MB, which no game record has: name an "
                "SGF file"
            )
        data = path.read_bytes()
    except FileNotFoundError:
        archive = archive_in(str(path))
        if archive is None:
            raise KatachiError(f"{path} does not exist: name an SGF file") from None
        data = _member(archive, str(path))
    except OSError as error:
        raise KatachiError(f"{path} cannot be read: {error.strerror}") from None
    return parse_tree(data, str(path), which)


def _member(archive: Path, name: str) -> bytes:
    """The bytes of ARCHIVE:NAME."""
    for member in members(archive):
        if member.name == name and member.data is not None:
            return member.data
    raise KatachiError(f"{archive} holds no {name[len(str(archive)) + 1 :]}: name a file of it")


def chosen_position(
    game: Path | None,
    number: int | None,
    which: int,
    diagram: Path | None,
    moves: str | None,
    size: int | None,
    to_move: str | None,
    *,
    last: bool,
) -> Chosen:
    """The position that the options name. `last`: without a number it is before the last move of
    the game; else it is after it.

    Raises KatachiError or UsageError if they do not name one.
    """
    sources = [source for source in (game, diagram, moves) if source is not None]
    if len(sources) != 1:
        raise click.UsageError("name one of: a game, --diagram FILE, --moves MOVES")
    if number is not None and game is None:
        raise click.UsageError("--move is for a game: name one")
    if size is not None and moves is None:
        raise click.UsageError("--size is for --moves")
    if to_move is not None and game is not None:
        raise click.UsageError(
            "--to-move is for --diagram and --moves: a game knows whose turn it is"
        )
    if game is not None:
        return _of_game(read_record(game, which).game, number, last, str(game))
    if diagram is not None:
        position = _of_diagram(diagram, _COLOURS[to_move or "black"])
        return Chosen(position, 1, None, None)
    position = _of_moves(moves or "", size or MAX_SIZE, last)
    played = position.undo()[1] if last else None
    if to_move is not None:
        position.to_play(_COLOURS[to_move])  # after undo, which forgets it
    return Chosen(position, len(position.moves) + 1, played, None)


def _of_game(game: Game, number: int | None, last: bool, source: str) -> Chosen:
    count = len(game.moves)
    if number is None:
        number = max(count, 1) if last else count + 1
    if not 1 <= number <= count + (0 if last else 1):
        raise KatachiError(f"{source} has {count} moves, none of number {number}")
    played = game.moves[number - 1][1] if number <= count else None
    return Chosen(game.position(number - 1), number, played, game)


def _of_diagram(path: Path, to_move: int) -> Position:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or "it is no text"
        raise KatachiError(f"{path} cannot be read: {what}") from None
    try:
        return Position.from_diagram(text, to_move)
    except ValueError as error:
        raise KatachiError(f"{path} is no diagram: {error}") from None


def _of_moves(text: str, size: int, last: bool) -> Position:
    position = Position(size)
    for number, name in enumerate(text.replace(",", " ").split(), 1):
        try:
            position.play(name)
        except (IllegalMove, ValueError) as error:
            raise KatachiError(f"--moves: move {number}, {name}: {error}") from None
    if last and not position.moves:
        raise KatachiError("--moves names no move to explain: give one at least")
    return position


def turn_text(chosen: Chosen) -> str:
    """ "move 57, black to play"."""
    return f"move {chosen.number}, {COLOUR_NAMES[chosen.position.to_move]} to play"
