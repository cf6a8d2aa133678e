"""The arguments of commands: colours, vertices, numbers. Each raises GtpError("syntax error")."""

from __future__ import annotations

import math
import re
from typing import Final

from katachi.go.points import BLACK, WHITE, from_vertex
from katachi.gtp.framing import ILLEGAL, SYNTAX, GtpError

_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_VERTEX = re.compile(r"[A-HJ-Z][1-9][0-9]?", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE | re.ASCII)
_WHOLE_DIGITS: Final = 9  # more is a mistake, and Python's own limit is far off


def colour(text: str) -> int:
    """BLACK or WHITE."""
    if text.lower() not in _COLOURS:
        raise GtpError(SYNTAX)
    return _COLOURS[text.lower()]


def move(text: str, size: int) -> int:
    """A point or PASS; a vertex that is none of this board is an illegal move."""
    try:
        return from_vertex(text, size)
    except ValueError:
        raise GtpError(ILLEGAL if _VERTEX.fullmatch(text) else SYNTAX) from None


def whole(text: str) -> int:
    """A number without a sign: 0, 1, 2 …"""
    if not (text.isascii() and text.isdigit() and len(text) <= _WHOLE_DIGITS):
        raise GtpError(SYNTAX)
    return int(text)


def number(text: str) -> float:
    """Any finite number."""
    if not _NUMBER.fullmatch(text) or not math.isfinite(value := float(text)):
        raise GtpError(SYNTAX)
    return value


def plain(value: float) -> str:
    """A number as people write it: 7.5, 0, -3, never with an exponent."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
