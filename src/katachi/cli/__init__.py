"""The command line. Each verb is a module of its own, imported only when that verb runs."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from katachi import __version__
from katachi.cli.missing import check_named
from katachi.cli.streams import ready, talking
from katachi.errors import KatachiError
from katachi.printable import one_line

# reader → verb → what `katachi --help` says of it; its module is katachi.cli.<verb>, its command
# `command`
READERS = {
    "To begin": {
        "demo": "The first minute: Katachi learns, asks you for a move, and plays.",
        "doctor": "Whether all that Katachi needs is here, and what to do if not.",
        "warm": "Compile all kernels now, so that no verb has to on first use.",
        "games": "Say what is in these game records, and what was skipped and why.",
    },
    "For students": {
        "study": "A page in the browser: games, usual moves and why, guessing, playing.",
        "suggest": "What strong players usually play in a position, on a board in the terminal.",
        "explain": "Why a move is usual, or unusual: the features behind it, one by one.",
        "review": "A game's most unusual moves, with reasons; written back as SGF.",
        "style": "What one player plays more often, or less often, than a model expects.",
        "similar": "Games in which a position or a shape occurred, and what was played there.",
        "library": "Index games in one file, in which similar positions are found.",
        "proverbs": "Test the proverbs of the game: how often players play the proverb's move.",
    },
    "To play, and for authors of engines": {
        "gtp": "Play: the engine for Sabaki, GoGui, Lizzie and others that speak GTP.",
        "analysis": "Analyse: KataGo's JSON protocol, for KaTrain and others.",
        "match": "Play games between two GTP engines: win rate with its interval, Elo, SGFs.",
        "tune": "Tune numbers of an engine by games: the values with which it wins most (CLOP).",
        "export": "Write a model's ratings, or its playout gammas, for another program.",
    },
    "To learn, and for researchers": {
        "train": "Learn a model from games: harvest, describe, fit the ratings.",
        "harvest": "Find the shapes that appear often in these games: a dictionary of shapes.",
        "describe": "Turn games into competitions: every legal move as a team of features.",
        "evaluate": "Measure how well models predict the moves of games.",
        "ratings": "Show what a model has learnt: Elo, gamma and counts of every feature.",
        "reproduce": "A paper's experiment from end to end, theirs and ours side by side.",
        "cluster": "Who works for a Dask scheduler, and how fast.",
        "rate": "Rate the members of any competing teams (Bradley-Terry).",
    },
}
VERBS = {verb: words for verbs in READERS.values() for verb, words in verbs.items()}


class _Verbs(click.Group):
    """A group whose commands are imported one by one, on demand."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"katachi.cli.{name}").command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for reader, verbs in READERS.items():
            with formatter.section(reader):
                formatter.write_dl(list(verbs.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], VERBS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(VERBS)}"
            raise click.UsageError(f"there is no verb {args[0]!r}: {hint}", ctx)
        if args:
            check_named(args[0], args[1:])
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="katachi", message="%(prog)s %(version)s")
def katachi() -> None:
    """Katachi learns from game records of Go what strong players play, as ratings of move
    patterns; it shows that knowledge to people, and plays with it.
    """


def main(args: list[str] | None = None) -> Any:
    """Run the command line; a user's mistake is one sentence on stderr and exit code 2.

    Where nobody reads the results any more (`| head`), it ends without a word, and well.
    """
    with talking():
        status = _status(args)
    sys.exit(status if isinstance(status, int) else 0)


def _status(args: list[str] | None) -> Any:
    try:
        with ready():
            return katachi.main(args=args, prog_name="katachi", standalone_mode=False)
    except BrokenPipeError:
        return 0
    except click.exceptions.Abort as error:
        if isinstance(error.__cause__, EOFError):  # as Ctrl-C to click
            return _mistake(_cut_short(error.__cause__))
        return _interrupted()
    except click.UsageError as error:
        verb = error.ctx.command_path if error.ctx else "katachi"
        sentence = error.format_message().rstrip(".")
        return _mistake(f"{sentence[:1].lower()}{sentence[1:]} (see {verb} --help)")
    except (click.ClickException, KatachiError) as error:
        return _mistake(str(error))
    except KeyboardInterrupt:
        return _interrupted()


def _cut_short(error: EOFError) -> str:
    """What to say where a file ended too early. Nothing that the user names does that."""
    place = Path(__file__).parents[1]
    return (
        f"a file that Python has compiled is cut short ({error}): remove the folders __pycache__ "
        f"in {place}"
    )


def _mistake(sentence: str) -> int:
    click.echo(f"katachi: {one_line(sentence)}", err=True)
    return 2


def _interrupted() -> int:
    click.echo("katachi: interrupted; run it again to go on", err=True)
    return 130
