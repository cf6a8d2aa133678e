"""`@kernel`: a function compiled by Numba, without the GIL, and cached in Katachi's own folder.

Rules for kernels, each learnt the hard way:

- One record dtype only, `katachi.go.board.BOARD`. Numba names record types by a counter of the
  process; two of them in one cached function can link the wrong machine code.
- Cast with `int64(...)` where a kernel is called with a value read from a small integer field,
  or the callee is compiled once per integer type. Never mix uint64 and int64: that is a float64.
- An index of a signed type costs a test for Python's counting from the end, at every access: write
  `a[at(i)]` where i is computed. A field of an unsigned type needs no `at`.
- A kernel that is given an array counts references to it, atomically, at each call, and to each
  array of a tuple. One that makes no arrays need not: `@lean`, or `@inlined`, which is no call.
  What a playout calls for every move is `@inlined`.
- A kernel that Python calls gives back numbers, not arrays: it is given the arrays to write to.
  What an array needs to become an object of Python would be lost where another kernel that calls
  this one was loaded before, and the process would end.
- Numba does not notice when a kernel *called* by a cached kernel changes in another file. The
  cache folder is therefore named after a digest of the source of all packages with kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np

from katachi.folders import cache_folder, mark_used, source_digest, writable
from katachi.go.saving import saved_alone

F = TypeVar("F", bound=Callable[..., Any])

# Casts inside kernels. Numba sees numpy's types, mypy sees plain numbers.
int64: Callable[[Any], int] = np.int64  # type: ignore[assignment]
uint64: Callable[[Any], Any] = np.uint64
at = uint64  # of an index: cannot be negative, so Numba does not ask

# The versions of Numba whose insides `katachi.go.whole` was tried with. With any other, kernels are
# compiled as Numba does it: the same kernels, in twice the time.
TRIED: Final = ("0.68.",)

# Every package that may hold kernels, or constants that are compiled into them.
_PACKAGES = (
    "go",
    "records",
    "patterns",
    "library",
    "models",
    "learning",
    "teams",
    "evaluation",
    "styles",
    "search",
)


@cache
def kernel_folder() -> Path | None:
    """The folder of compiled kernels; None where it cannot be written: then nothing is cached."""
    versions = f"numba{numba.__version__}-numpy{np.__version__}"
    folder = cache_folder() / "kernels" / f"{source_digest(*_PACKAGES)}-{versions}"
    if not writable(folder):
        return None
    mark_used(folder)
    return folder


def compiled_before(what: str) -> bool:
    """Whether `what` (a verb, say) has run to its end before, so that no compilation lies ahead."""
    folder = kernel_folder()
    return folder is not None and (folder / f"{what}.ready").exists()


def mark_compiled(what: str) -> None:
    """Remember that `what` has run to its end."""
    folder = kernel_folder()
    if folder is not None:
        with suppress(OSError):
            (folder / f"{what}.ready").touch()


def kernel(function: F) -> F:
    """Compile `function` on its first call: `nogil`, no Python objects, cached where possible."""
    return _compiled(function)


def lean(function: F) -> F:
    """A kernel that counts no references to the arrays it is given: it must make no array, and
    return none. Numba refuses to compile one that does.
    """
    return _compiled(function, counts=False)


def inlined(function: F) -> F:
    """A lean kernel that becomes part of every kernel that calls it. Python can call it all the
    same.
    """
    return _compiled(function, inline=True, counts=False)


def apart(function: F) -> F:
    """A kernel that becomes part of none that calls it: large, and called by Python, too. It is
    compiled once for all of them. It has one signature.
    """
    return _compiled(function, apart=True)


def fresh(function: F) -> F:
    """A kernel that is compiled anew in each process: it calls functions of which the cache does
    not know when they change.
    """
    return _compiled(function, cached=False)


def _compiled(
    function: F, inline: bool = False, apart: bool = False, counts: bool = True, cached: bool = True
) -> F:
    folder = kernel_folder() if cached else None
    config: Any = numba.config
    before = config.CACHE_DIR
    # Numba looks the folder up while it decorates; other users of Numba keep theirs.
    if folder is not None and not before:
        config.CACHE_DIR = str(folder)
    try:
        compiled = _dispatcher(function, inline, apart, counts, cached=folder is not None)
    finally:
        config.CACHE_DIR = before
    if folder is not None:
        for one in (compiled, getattr(compiled, "part", None)):
            if one is not None:
                saved_alone(one, folder)
    return cast(F, compiled)


def _dispatcher(function: F, inline: bool, apart: bool, counts: bool, cached: bool) -> Any:
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": inline,
        "_nrt": counts,
    }
    if not numba.__version__.startswith(TRIED):
        return numba.njit(function, cache=cached, **options)
    from katachi.go.whole import Whole

    options |= {"nopython": True, "boundscheck": None}
    compiled = Whole(function, targetoptions=options, apart=apart)
    if cached:
        compiled.enable_caching()
    return compiled
