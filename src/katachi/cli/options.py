"""The options of the verbs: a short way to write one, and those that several verbs share.

    @option("--games N", "Number of games to play", int, 100)
    @option("-o --output FOLDER", "Folder for the games", Path, Path("match"))
    @option("--json as_json", "Print the result as JSON", bool)

Nothing heavy may be imported here: `katachi gtp --help` answers at once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

FROM_0: Final = click.IntRange(0)
FROM_1: Final = click.IntRange(1)


def option(
    spec: str, words: str, kind: Any = None, default: Any = None, **more: Any
) -> Callable[[F], F]:
    """A click option.

    `spec` has the flags, then, where it is wanted, the name of the verb's parameter in small
    letters, and the name of the value in capitals. `words` say what the option does, without a full
    stop; the default is added to them. `kind` is a type of Python or click; `bool` makes a flag,
    `Path` a path, a tuple of words a choice. `more` goes to click as it is.
    """
    parts = spec.split()
    names = [part for part in parts if part.startswith("-") or part.islower()]
    values = [part for part in parts if part not in names]
    if kind is bool:
        more |= {"is_flag": True, "default": default if "/" in spec else False}
    else:
        more |= {"type": _type(kind), "metavar": " ".join(values) or None}
        if default is not None:  # None would be a value to click: the option were not missed
            more["default"] = default
    shown = "" if default in (None, "") else f" (default {_text(default)})"
    return click.option(*names, help=f"{words}{shown}.", **more)


def _type(kind: Any) -> Any:
    if kind is Path:
        return click.Path(path_type=Path)
    words = isinstance(kind, tuple) and all(isinstance(word, str) for word in kind)
    return click.Choice(kind) if words else kind


def _text(default: Any) -> str:
    if isinstance(default, tuple):
        return " ".join(map(_text, default))
    if isinstance(default, bool):
        return "yes" if default else "no"
    return f"{default:g}" if isinstance(default, float) else str(default)


# -- what several verbs have -----------------------------------------------------------------------


def json_option(what: str = "the result") -> Callable[[F], F]:
    """--json, as `as_json`."""
    return option("--json as_json", f"Print {what} as JSON", bool)


def seed_option(words: str = "Seed of everything random", kind: Any = int) -> Callable[[F], F]:
    """--seed, 1 by default."""
    return option("--seed N", words, kind, 1)


def jobs_option(words: str = "Number of processes (default all cores)") -> Callable[[F], F]:
    """--jobs; None where it is not given."""
    return option("--jobs N", words, FROM_1)


def cluster_option() -> Callable[[F], F]:
    """--cluster, entered by `entered_cluster`; None where it is not given."""
    return option(
        "--cluster ADDRESS",
        "Work on the workers of this Dask scheduler, as tcp://host:8786 (see docs/scale.md)",
        str,
    )


def entered_cluster(address: str | None, jobs: int | None) -> int | None:
    """The number of processes to ask for. If there is a cluster's address, work goes there from now
    on, up to the end of the verb. Raises KatachiError if it cannot.
    """
    if address is None:
        return jobs
    from katachi.cluster import on_cluster

    cluster = click.get_current_context().with_resource(on_cluster(address))
    return max(2, jobs or len(cluster.workers()))  # with one the work would be done here


def model_option() -> Callable[[F], F]:
    """--model; None where it is not given."""
    return option("--model FILE", "The model (default the one that comes with Katachi)", Path)


def output_option(words: str, **more: Any) -> Callable[[F], F]:
    """-o FOLDER, where an interrupted run goes on."""
    return option("-o --output FOLDER", f"{words}; an interrupted run goes on there", Path, **more)


def together(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order."""

    def add(function: F) -> F:
        for decorate in reversed(decorators):
            function = decorate(function)
        return function

    return add
