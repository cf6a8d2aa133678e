"""`python -m katachi.cli.rehearsal STEP`: calls verbs on little data, so that their kernels are
compiled. The steps are those of `katachi.cli.warming`; what the verbs say is of no interest.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from katachi.cli import katachi

GAMES: Final = 8  # of 9x9
BIG: Final = 67  # the first of the bundled games on 19x19

# A game; and what is asked less often.
_GAME: Final = "boardsize 9\ngenmove b\ngenmove w\nboardsize 19\ngenmove b\nfinal_score\nquit\n"
_OTHERS: Final = """boardsize 9
kata-genmove_analyze b
play w E5
genmove b
undo
final_status_list dead
final_status_list seki
katachi-probabilities
quit
"""


def run(*arguments: object) -> None:
    """One verb. Raises what it raises."""
    katachi.main([str(argument) for argument in arguments], "katachi", standalone_mode=False)


def _games(folder: Path) -> tuple[Path, Path]:
    """(a folder with some games, one of them)."""
    from katachi.records.bundled import bundled_games
    from katachi.records.write import to_sgf

    games = folder / "games"
    games.mkdir()
    corpus = bundled_games()
    for number in (*range(GAMES), BIG):
        (games / f"{number:02}.sgf").write_bytes(to_sgf(corpus[number]))
    return games, games / f"{BIG}.sgf"


def _read(folder: Path) -> None:
    games, _ = _games(folder)
    run("games", games, "--no-cache", "--jobs", 1)


def _vocabulary(_: Path) -> None:
    from katachi.records.bundled import bundled_games
    from katachi.study.words.seen import Seen
    from katachi.study.words.words import Words

    position = bundled_games()[BIG].position(30)
    Words(Seen(position), ()).keys(position.legal_moves()[0])


def _suggest(folder: Path) -> None:
    _, game = _games(folder)
    for verb in ("suggest", "explain"):
        run(verb, game, "--move", 30)
    run("suggest", "--moves", "E5 C3", "--size", 9, "--json")
    run("review", game, "--output", folder / "reviewed.sgf")
    run("proverbs", game, "--no-cache", "--jobs", 1)


def _play(folder: Path, script: str, *options: object) -> None:
    path = folder / "script"
    path.write_text(script)
    with path.open("rb") as commands:
        os.dup2(commands.fileno(), 0)
        run("gtp", "--simulations", 30, *options)


def _gtp(folder: Path) -> None:
    _play(folder, _GAME)


def _others(folder: Path) -> None:
    _play(folder, _OTHERS, "--threads", 2)
    _play(folder, _OTHERS, "--player", "pattern")
    _, game = _games(folder)
    run("suggest", game, "--move", 30, "--search", 30)


def _train(folder: Path, *options: object) -> Path:
    games, _ = _games(folder)
    model = folder / "model.katachi"
    run("train", games, "-o", model, "--jobs", 1, "--size", 9, "--no-cache", *options)
    return model


def _words(folder: Path) -> None:
    _train(folder, "--features", "words")


def _evaluate(folder: Path) -> None:
    games, _ = _games(folder)
    run("evaluate", games, "--no-cache", "--jobs", 1)


def _style(folder: Path) -> None:
    games, _ = _games(folder)
    run("style", games, "--size", 9, "--no-cache", "--jobs", 1)


def _learners(folder: Path) -> None:
    playout = folder / "1" / "model.katachi"  # of the second
    for number, options in enumerate(
        [
            ("--features", "extended"),
            ("--features", "playout"),
            ("--method", "ranking"),
            ("--method", "frequency"),
            ("--method", "ranking", "--features", "context"),
            ("--method", "maxent"),
            ("--method", "factors"),
            ("--owner", "--field", 20, "--pair", "capture*distance"),
            ("--playout", playout),
        ]
    ):
        work = folder / str(number)
        work.mkdir()
        model = _train(work, *options)
        run("evaluate", model, work / "games", "--size", 9, "--no-cache", "--jobs", 1)
        if options == ("--method", "ranking"):
            games = [work / "games" / f"{number:02}.sgf" for number in range(2)]
            more = (*options, "--continue", model, "--jobs", 1, "--no-cache")
            run("train", *games, "-o", work / "more.katachi", *more)
        if "--playout" in options:  # a model that the search asks through Python
            _play(work, _GAME, "--model", model)


def _rate(folder: Path) -> None:
    path = folder / "teams.jsonl"
    names = ("a", "b", "c", "d")
    path.write_text(
        "".join(
            json.dumps({"teams": [[x, y], [y, z]], "winner": 0}) + "\n"
            for x in names
            for y in names
            for z in names
            if len({x, y, z}) == 3
        )
    )
    for method in ("fast", "mm"):
        run("rate", path, "--method", method)
    path.write_text("! 2\n1\n2 a\n!\n#\n0\n0\n1\n")  # in the format of Coulom's program
    run("rate", path)


def _library(folder: Path) -> None:
    games, game = _games(folder)
    path = folder / "library"
    run("library", "build", games, "-o", path, "--size", 19, "--no-cache", "--jobs", 1)
    run("similar", game, "--move", 30, "--library", path)


STEPS: Final[dict[str, Callable[[Path], object]]] = {
    "games": _read,
    "vocabulary": _vocabulary,
    "suggest": _suggest,
    "gtp": _gtp,
    "others": _others,
    "train": _train,
    "words": _words,
    "evaluate": _evaluate,
    "style": _style,
    "learners": _learners,
    "rate": _rate,
    "library": _library,
}


def main() -> None:
    """Make the step that was named."""
    from katachi.cli.warming import mark_done

    with tempfile.TemporaryDirectory() as folder:
        STEPS[sys.argv[1]](Path(folder))
    mark_done(sys.argv[1])


if __name__ == "__main__":
    main()
