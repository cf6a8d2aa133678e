"""Standard input, output and errors as they come: closed, full, without a reader, not in Unicode.

`main` runs every verb within `talking` and `ready`; no verb looks after these things itself.
"""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from katachi.errors import KatachiError

_ENCODED: Final = "katachi-plain"  # the name of our handler of what cannot be encoded
_PLAIN: Final = {
    "●": "X",
    "○": "O",
    "·": ".",
    "…": "...",
    "±": "~",
    "−": "-",
    "–": "-",
    "→": "->",
    "∞": "inf",
    "²": "2",
    "×": "x",
    "≥": ">=",
    "≤": "<=",
}
# What a machine runs out of, which is no fault of the program
_SCARCE: Final = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EROFS,
    errno.ENOMEM,
    errno.EMFILE,
    errno.ENFILE,
)


@contextmanager
def talking() -> Iterator[None]:
    """A stderr that takes everything within the block: what cannot be written to it is lost."""
    stream = _nothing(2, "w") if sys.stderr is None else sys.stderr
    _replace_signs(stream)
    sys.stderr = _Talk(stream)
    try:
        yield
    finally:
        sys.stderr = stream
        _let_go(stream, 2)


@contextmanager
def ready() -> Iterator[None]:
    """A stdin and a stdout fit for use within the block; at its end what was printed has gone out.

    A closed stdin is an empty one; what the encoding does not have is replaced. Raises KatachiError
    where stdout is closed or cannot be written to, or where a machine is out of space, memory or
    open files; BrokenPipeError where nobody reads stdout.
    """
    if sys.stdin is None:
        sys.stdin = _nothing(0, "r")
    if sys.stdout is None:
        sys.stdout = _nothing(1, "w")
        raise KatachiError("standard output is closed: send it to /dev/null if nobody reads it")
    _replace_signs(sys.stdout)
    try:
        yield
        sys.stdout.flush()
    except SystemExit as end:
        # click and rich know of broken pipes, too, and end the program
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except MemoryError:
        raise KatachiError("there is not enough memory: ask for less, or fewer --jobs") from None
    except OSError as error:
        if error.errno not in _SCARCE:
            raise
        # A file's error has its name, but for what write_whole catches
        where = error.filename or "standard output"
        raise KatachiError(f"{where} cannot be used: {error.strerror}") from None
    finally:
        _let_go(sys.stdout, 1)


def _replace_signs(stream: Any) -> None:
    """Have a stream replace what its encoding does not have."""
    codecs.register_error(_ENCODED, _plainly)
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=_ENCODED)


def _nothing(handle: int, mode: str) -> Any:
    """The null device in place of a closed stream, so that no file of ours takes its number."""
    null = os.open(os.devnull, os.O_RDWR)
    if null != handle:
        os.dup2(null, handle)
        os.close(null)
    return open(handle, mode, encoding="utf-8", closefd=False)


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """The handler of what an encoding does not have: signs of the same sense, or else ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end])
    return text, error.end


def _let_go(stream: Any, handle: int) -> None:
    """Flush a stream; what it does not take goes nowhere, lest Python complains at its end."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            if stream.fileno() == handle:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, handle)
                os.close(null)


class _Talk:
    """stderr, but that nothing happens where it cannot be written to: talk is not worth a run."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Pass it on, if that can be."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Pass it on, if that can be."""
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
