"""Tasks that do harm once, in the place of the program's own: for tests of clusters.

    python -m tests.cluster_tasks HARM SIGN VERB …

runs a verb. The first task that a worker begins creates the file SIGN and does this harm: `worker`
ends the worker's process, `scheduler` the process whose number stands in the file SIGN.scheduler;
`none` does none. `pass` ends a worker amid the fit: at the 30th task of its passes that begins.
Shards are small, and so are their chunks.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

SHARD = 10  # games


def once(harm: str, sign: str, place: str, *args: Any) -> Any:
    """What `module:function` gives; the first time with harm."""
    path = Path(sign)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        pass
    else:
        if harm != "scheduler":
            os.kill(os.getpid(), signal.SIGKILL)
        os.kill(int(path.with_name(f"{path.name}.scheduler").read_text()), signal.SIGKILL)
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)(*args)


def amid(sign: str, *args: Any) -> Any:
    """A task of a pass; the 30th one, of all workers, ends its worker."""
    with Path(f"{sign}.tasks").open("ab") as count:
        count.write(b".")
        begun = count.tell()
    if begun >= 30:
        return once("pass", sign, "tests.cluster_tasks:summed", *args)
    return summed(*args)


def summed(length: int, function: Any, numbers: range) -> Any:
    """What a task of a pass gives."""
    from katachi.learning.bradley_terry.places import Summing

    return Summing(length)(function, numbers)


def main() -> None:
    import katachi.match.play as play
    from katachi.cli import main as run
    from katachi.learning.bradley_terry import places
    from katachi.patterns import competitions
    from tests.cluster_tasks import amid  # not of __main__: workers import it
    from tests.cluster_tasks import once as task

    harm, sign, *arguments = sys.argv[1:]
    vars(competitions)["GAMES_PER_SHARD"] = SHARD
    vars(places)["CHUNK"] = 1
    if harm == "pass":
        vars(places)["Summing"] = partial(partial, amid, sign)
    elif harm != "none":
        for module, name in ((competitions, "_work"), (play, "play_apart")):
            place = f"{module.__name__}:{name}"
            vars(module)[name] = partial(task, harm, sign, place)
    run(arguments)


if __name__ == "__main__":
    main()
