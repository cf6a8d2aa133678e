"""What is compiled for which verb, how long that takes, and compiling it beside this process.

Kernels are compiled in *steps*: a step calls verbs on something small (`katachi.cli.rehearsal`), so
that all that they call is in the cache folder afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from katachi.errors import KatachiError
from katachi.go.kernel import compiled_before, kernel_folder, mark_compiled
from katachi.processes import default_jobs

# Seconds of processor time of each step after those before it, with an empty cache, as
# `python -m tools.compiled --steps` prints them. (AMD EPYC, Numba 0.68)
STEPS: Final = {
    "games": 2,
    "vocabulary": 10,
    "suggest": 11,
    "gtp": 14,
    "others": 1,
    "train": 5,
    "words": 1,
    "evaluate": 1,
    "style": 2,
    "learners": 19,
    "rate": 1,
    "library": 2,
}

_VOCABULARY: Final = "vocabulary"
OPINION: Final = (_VOCABULARY, "suggest")
_OPINION: Final = ("games", *OPINION)
_FIT: Final = ("games", "train")

# (steps, what says `kernels_ready` and has its kernels compiled in them). Longer names that begin
# with one of these (of a method, of features) are in "learners".
_CALLERS: Final = (
    (("games",), ("games", "match", "tune")),
    (_FIT, ("harvest", "train-bradley-terry-coulom", "describe-coulom")),
    (_OPINION, ("suggest", "explain", "review", "gtp-pattern", "proverbs")),
    ((*_OPINION, "gtp", "others"), ("study", "gtp-search", "analysis")),
    ((*_OPINION, "evaluate"), ("evaluate",)),
    ((*_OPINION, "gtp", "train", "words", "evaluate"), ("demo",)),
    ((*_OPINION, "evaluate", "style"), ("style",)),
    (("rate",), ("rate",)),
    (("games", "library"), ("library", "similar")),
    ((*_FIT, "words", "learners"), ("train", "describe")),
    ((*_OPINION, "train", "words", "evaluate", "learners"), ("reproduce",)),
)
_CALLS: Final = {name: steps for steps, names in _CALLERS for name in names}
# Whoever has run this has all that the step compiles, but for what is rarely called.
_SAME: Final = {
    "games": "games",
    "suggest": "suggest",
    "gtp": "gtp-search",
    "train": "train-bradley-terry-coulom",
    "evaluate": "evaluate",
    "style": "style",
    "rate": "rate",
    "library": "library",
}
_EXPLAINING: Final = frozenset(("suggest", "explain", "review", "study"))
_WITHIN: Final = "KATACHI_REHEARSAL"  # set in a process that compiles for others


def calls(what: str) -> tuple[str, ...]:
    """The steps that compile what this verb calls (with its method and features)."""
    return _CALLS.get(what) or _CALLS[what.split("-")[0]]


def steps_of(verbs: Iterable[str]) -> list[str]:
    """The steps that compile what these verbs call, in order; without any, all steps.

    Raises KatachiError for what is no verb, or calls no kernels.
    """
    found: set[str] = set()
    for verb in verbs:
        names = [name for name in _CALLS if name.split("-")[0] == verb]
        if not names:
            known = ", ".join(dict.fromkeys(name.split("-")[0] for name in _CALLS))
            raise KatachiError(f"nothing is compiled for {verb!r}: choose from {known}")
        found.update(step for name in names for step in _CALLS[name])
    return [step for step in STEPS if step in found or not found]


def seconds_ahead(what: str) -> int:
    """About how many seconds of compiling lie ahead of this verb; 0 if none do."""
    if compiled_before(what):
        return 0
    return sum(STEPS[step] for step in calls(what) if not _known(step))


def sentence(what: str) -> str | None:
    """What to say before this verb runs: that it compiles, and how long; None if it does not."""
    if _WITHIN in os.environ:
        return None
    if kernel_folder() is None:
        seconds = sum(STEPS[step] for step in calls(what))
        often = "every time: the cache folder cannot be written"
        return f"compiling kernels, {often}: about {seconds} s …"
    seconds = seconds_ahead(what) - (STEPS[_VOCABULARY] if _is_beside(what) else 0)
    if seconds == 0:
        return None
    return f"compiling kernels, once: about {seconds} s (katachi warm compiles all of them) …"


@contextmanager
def beside(what: str) -> Iterator[None]:
    """Within this another process compiles the vocabulary, if this verb explains moves by it, it is
    not compiled yet, and there is a core to spare: so the user waits for less.
    """
    process = begin(_VOCABULARY) if _is_beside(what) else None
    try:
        yield
    finally:
        if process is not None:
            process.kill()
            process.wait()


def _is_beside(what: str) -> bool:
    missing = not (compiled_before(what) or _known("suggest") or done(_VOCABULARY))
    return what in _EXPLAINING and missing and default_jobs() > 1


def done(step: str) -> bool:
    """Whether the step was made to its end."""
    return compiled_before(f"step-{step}")


def _known(step: str) -> bool:
    return done(step) or (step in _SAME and compiled_before(_SAME[step]))


def mark_done(step: str) -> None:
    """Remember that the step was made to its end."""
    mark_compiled(f"step-{step}")


def begin(step: str) -> subprocess.Popen[bytes] | None:
    """Make a step in another process, which compiles into the cache folder; None where that is of
    no use: there is no such folder, or this is such a process. It ends with status 0 if all went
    well, and says nothing.
    """
    if kernel_folder() is None or _WITHIN in os.environ:
        return None
    return subprocess.Popen(
        [sys.executable, "-m", "katachi.cli.rehearsal", step],
        env=os.environ | {_WITHIN: "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
