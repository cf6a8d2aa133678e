"""Tasks that do harm once, in the place of the program's own: for tests of clusters.

    python -m tests.cluster_tasks HARM SIGN VERB …

runs a verb. The first task that a worker begins creates the file SIGN and does this harm: `worker`
ends the worker's process, `scheduler` the process whose number stands in the file SIGN.scheduler;
`none` does none. Shards are small.
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
        if harm == "worker":
            os.kill(os.getpid(), signal.SIGKILL)
        os.kill(int(path.with_name(f"{path.name}.scheduler").read_text()), signal.SIGKILL)
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)(*args)


def main() -> None:
    import katachi.match.play as play
    from katachi.cli import main as run
    from katachi.patterns import competitions
    from tests.cluster_tasks import once as task  # not of __main__: workers import it

    harm, sign, *arguments = sys.argv[1:]
    vars(competitions)["GAMES_PER_SHARD"] = SHARD
    if harm != "none":
        for module, name in ((competitions, "_work"), (play, "play_apart")):
            place = f"{module.__name__}:{name}"
            vars(module)[name] = partial(task, harm, sign, place)
    run(arguments)


if __name__ == "__main__":
    main()
