"""Files that a command names and that are not there: told before the verb's module, and all that it
needs, is imported. The verbs say the same of any file that they come upon themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Final

from katachi.errors import KatachiError

LIKE: Final = 0.85  # how alike two names are, where one may be meant for the other
_MODEL: Final = "make it by katachi train GAMES… -o {}"
_SHAPES: Final = "make it by katachi harvest GAMES… -o {}"
_GAME: Final = "name an SGF file"
_GAMES: Final = "name an SGF file, an archive or a folder"
_LIBRARY: Final = "make it by katachi library build GAMES… -o {}"
_TEAMS: Final = "name a file of competitions"

# Verb → what its first argument is; of GAMES there may be several
_ARGUMENTS: Final = {
    **dict.fromkeys(
        ("games", "harvest", "describe", "train", "evaluate", "style", "proverbs"), _GAMES
    ),
    **dict.fromkeys(("suggest", "explain", "review", "study", "similar"), _GAME),
    "ratings": _MODEL,
    "export": _MODEL,
    "rate": _TEAMS,
}
_OPTIONS: Final = {
    **dict.fromkeys(("--model", "--continue", "--playout"), _MODEL),
    "--dictionary": _SHAPES,
    "--library": _LIBRARY,
    "--openings": _GAMES,
}

_OWN: Final = (("default", _MODEL), ("balanced", _GAMES))  # what comes with Katachi


def check_named(verb: str, arguments: Sequence[str]) -> None:
    """Raises KatachiError if these arguments of a verb name a file to be read that does not exist.
    Arguments that come after an option are left to the verb.
    """
    if {"-h", "--help"} & set(arguments):
        return
    for name, what in _named(verb, arguments):
        path = Path(name)
        try:
            path.stat()
        except FileNotFoundError:
            if (name, what) not in _OWN and (what != _GAME or archive_in(name) is None):
                near = _near(path)
                hint = f"did you mean {near}?" if near else what.format(path)
                raise KatachiError(f"{path} does not exist: {hint}") from None
        except OSError:
            continue  # there are better sentences for this one


def archive_in(name: str) -> Path | None:
    """The file of ARCHIVE:NAME that is there, if the name is of this kind."""
    places = (Path(name[:i]) for i, sign in enumerate(name) if sign == ":" and i)
    return next((path for path in places if path.is_file()), None)


def _near(path: Path) -> Path | None:
    """A file or folder beside this one whose name is spelt almost like it."""
    try:
        beside = [one.name for one in path.parent.iterdir()]
    except OSError:
        return None
    found = get_close_matches(path.name, beside, 1, LIKE)
    return path.with_name(found[0]) if found else None


def _named(verb: str, arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, what it is) of the files to be read."""
    first = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    given = {argument.partition("=")[0] for argument in arguments}
    if verb in _ARGUMENTS and not {"--diagram", "--moves"} & given:
        what = _ARGUMENTS[verb]
        for name in first if what == _GAMES else first[:1]:
            model = verb == "evaluate" and (name.endswith(".katachi") or name == "default")
            yield name, _MODEL if model else what
    for option, value in pairwise(arguments):
        if option in _OPTIONS:
            yield value, _OPTIONS[option]
