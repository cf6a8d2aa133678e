"""`katachi demo`: the first minute. It learns, asks for a move, plays, and says what next."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

import click
import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.boards import draw_board
from katachi.cli.demo_picture import draw_words
from katachi.cli.options import option, seed_option
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.ratings import Rating, ratings_of
from katachi.evaluation.report import report
from katachi.evaluation.tables import headline_table
from katachi.folders import check_file, check_ordinary
from katachi.go.points import BLACK, COLOUR_NAMES, vertex
from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.learning.train import train
from katachi.models.model import Model, load_model
from katachi.papers.plots import check_picture
from katachi.patterns.catalogue import WORDS
from katachi.patterns.vocabulary.groups import TERMS, WORD_FAMILIES
from katachi.patterns.vocabulary.names import japanese
from katachi.processes import default_jobs
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, select
from katachi.records.game import Game
from katachi.search.engine import search_player
from katachi.search.player import Budget, GameState
from katachi.study.annotate import percent
from katachi.study.opinion import Explained, Opinion
from katachi.styles.differences import WITHIN_95

TESTED: Final = 10  # games kept back from learning
SEEN: Final = 50  # times that a word's move was played, or more: else it is not shown
STRONGEST: Final = 12  # words in the table,
WEAKEST: Final = 3
ASKED_OF: Final = 3  # games,
ASKED: Final = range(20, 120)  # and moves of them, among which the reader's position is looked for
CHOICES: Final = 3
SIMULATIONS: Final = 500
PLAYED: Final = 10  # moves of the engine against itself
SIZE: Final = 9
KOMI: Final = 6.5


@click.command("demo", short_help="The first minute: learn, guess, play.")
@option("--picture FILE", "Draw what was learnt into this file", Path, Path("katachi-demo.png"))
@seed_option("Seed of the engine's random games")
def command(picture: Path, seed: int) -> None:
    """The first minute with Katachi. It learns from the games that come with it what the words of
    Go players are worth, asks you for a move that was played, and plays a few moves against itself.
    """
    check_file(picture, "the picture")
    check_ordinary(picture)
    check_picture(picture)
    out, console = screen(), talk()
    with kernels_ready(console, "demo"):
        games, _ = select(bundled_games(), Filters(size=19))
        known = load_model()
        _learn(out, console, games, known, picture)
        _ask(out, _part(games, len(games) - ASKED_OF, len(games)), known)
        _play(out, known, seed)
    _next(out)


def _part(games: Corpus, first: int, last: int) -> Corpus:
    return games.take(np.arange(first, last))


def _title(out: Console, number: int, words: str) -> None:
    out.print(Text(f"{number}. {words}", "bold"))
    out.print()


def _learn(out: Console, console: Console, games: Corpus, known: Model, picture: Path) -> None:
    """Learn what words are worth from all games but the last ones, and predict those."""
    learnt_from = _part(games, 0, len(games) - TESTED)
    _title(out, 1, "Katachi learns what words of Go players are worth")
    out.print(
        f"GNU Go 3.8 played {len(games)} games of 19x19 against itself. Katachi learns from "
        f"{len(learnt_from)} of them, {int(learnt_from.moves.sum()):,} moves.\n"
    )
    with stages(console) as show, tempfile.TemporaryDirectory() as folder:
        model = train(
            learnt_from,
            Settings(catalogue=WORDS),
            Path(folder) / "work",
            names=("the bundled games",),
            jobs=default_jobs(),
            progress=show,
        )
    rows = _rated(model)
    out.print(_words(rows))
    out.print(
        "\nElo +400: a move with this name is played ten times as often as the same move "
        "without it.\n"
    )
    out.print(f"How many moves of the other {TESTED} games each model finds:\n")
    models = {"learnt just now": model, "comes with Katachi": known}
    others = _part(games, len(games) - TESTED, len(games))
    found = measure(list(models.values()), others, jobs=default_jobs(), cache=False)
    out.print(headline_table({n: report(m) for n, m in zip(models, found, strict=True)}))
    try:
        draw_words(rows, picture)
        out.print(f"\nAll words are drawn in {picture}.\n", soft_wrap=True)
    except KatachiError as error:
        console.print(f"\nno picture: {error}\n", soft_wrap=True)


def _rated(model: Model) -> list[Rating]:
    """The words that were played often enough to tell, the strongest first."""
    rows = [row for family in WORD_FAMILIES for row in ratings_of(model, family.name)]
    return sorted((row for row in rows if row.wins >= SEEN), key=lambda row: -row.elo)


def _words(rows: list[Rating]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("word", "Japanese"):
        table.add_column(name)
    for name in ("Elo", "±", "played", "possible"):
        table.add_column(name, justify="right", no_wrap=True)
    for i, row in enumerate(rows):
        if i == STRONGEST:
            table.add_row(f"({len(rows) - STRONGEST - WEAKEST} more between)")
        if i < STRONGEST or i >= len(rows) - WEAKEST:
            table.add_row(
                Text(TERMS[row.level].word),
                Text(japanese(row.level).partition(" (")[0]),
                f"{row.elo:+.0f}",
                f"{WITHIN_95 * row.error:.0f}",
                f"{row.wins:,}",
                f"{row.appearances:,}",
            )
    return table


def _ask(out: Console, games: Corpus, model: Model) -> None:
    """Ask for the move that was played, of the likeliest ones; then tell."""
    _title(out, 2, "Your turn")
    game, number, moves = _question(games, model)
    position = game.position(number)
    played = game.moves[number][1]
    shown = sorted(moves, key=lambda one: one.move)  # no hint in their order
    out.print(draw_board(position, [one.move for one in shown]))
    name = COLOUR_NAMES[position.to_move].capitalize()
    out.print(
        f"\nMove {number + 1} of {game.source.rpartition('/')[2]}. {name} to play. Strong players "
        "would consider these three moves first:\n"
    )
    for sign, one in enumerate(shown, 1):
        out.print(Text.assemble((f"{sign}  {one.vertex:4}", "bold"), one.why))
    out.print("\nWhich one was played?")
    guess = _key()
    answer = next(sign for sign, one in enumerate(shown, 1) if one.move == played)
    if guess is not None:
        out.print("That is it." if guess == str(answer) else f"It was {answer}.")
    chances = ", ".join(f"{one.vertex} {percent(one.probability)}" for one in moves)
    out.print(
        f"{vertex(played, game.size)} was played. The model that comes with Katachi expects: "
        f"{chances}.\n"
    )


def _question(games: Corpus, model: Model) -> tuple[Game, int, list[Explained]]:
    """(a game, how many moves to play of it, the likeliest moves then): of the positions in which
    the move played is one of these, and each has a name of its own, the one where they are most
    alike in chance.
    """
    best: tuple[float, Game, int, list[Explained]] | None = None
    for game in games:
        for number in ASKED:
            opinion = Opinion(model, game.position(number))
            likeliest = opinion.ranked[:CHOICES]
            least = opinion.probability(likeliest[-1])
            if game.moves[number][1] not in likeliest or (best and least <= best[0]):
                continue
            moves = opinion.suggest(CHOICES)
            if len({one.name for one in moves if one.name}) == CHOICES:
                best = least, game, number, moves
    assert best is not None, "the bundled games have such a position"
    return best[1:]


def _key() -> str | None:
    """What the reader types; None where nobody can."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    return str(click.prompt("1, 2 or 3", default="", show_default=False)).strip()


def _play(out: Console, model: Model, seed: int) -> None:
    """A few moves of the engine against itself."""
    _title(out, 3, "Katachi plays")
    player = search_player(model, memory_mb=64, seed=seed)
    position = Position(SIZE)
    rate = 0.5
    for _ in range(PLAYED):
        choice = player.choose(
            GameState(position, KOMI, may_resign=False), Budget(simulations=SIMULATIONS)
        )
        assert choice.win_rate is not None
        rate = choice.win_rate if position.to_move == BLACK else 1 - choice.win_rate
        position.play(choice.move)
    out.print(draw_board(position))
    out.print(
        f"\nThe first {PLAYED} moves of a game against itself, {SIMULATIONS} simulations each. "
        f"Black wins {rate:.0%} of the last ones (komi {KOMI:g}).\n"
    )


def _next(out: Console) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for verb, words in (
        ("katachi study GAME.sgf", "your game in the browser, with reasons"),
        ("katachi gtp", "the engine, for Sabaki, GoGui or Lizzie"),
        ("katachi games YOUR_GAMES", "what is in your own records"),
        ("katachi --help", "all verbs"),
    ):
        table.add_row(Text(verb, "bold"), words)
    _title(out, 4, "What next")
    out.print(table)
