"""What the engine says to people."""

from __future__ import annotations

import sys
from contextlib import suppress

from katachi.printable import one_line


def say(sentence: str) -> None:
    """One line for people, on stderr; nobody need be there to read it."""
    with suppress(OSError, ValueError, AttributeError):
        print(f"katachi: {one_line(sentence)}", file=sys.stderr, flush=True)
