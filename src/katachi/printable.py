"""Text of others made fit for a terminal: player names, comments, file names, what engines say.

Such text may hold escape sequences that move the cursor, change the title or type for the user,
and marks that turn the order of what follows. They are shown as a replacement character.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
LONGEST_NAME: Final = 500  # characters

# C0 but tab and line feed, DEL, C1, marks and overrides of direction, separators of lines and
# paragraphs, halves of surrogate pairs, and language tags.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_LOST = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with everything replaced that a terminal would obey; tabs and line feeds stay."""
    return _UNFIT.sub(REPLACED, text)


def one_line(text: str) -> str:
    """The same on one line: a space for each line feed or tab."""
    return printable(text.replace("\n", " ").replace("\t", " "))


def json_text(data: Any, indent: int | None = None) -> str:
    """The data as JSON, in the letters it has, but what a terminal would obey is escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return _UNFIT.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def readable_name(name: str) -> str:
    """A file's name as text that can be stored: bytes that are no UTF-8 as \\xff, and no longer
    than LONGEST_NAME (the middle is left out).
    """
    text = _LOST.sub(_byte, name)
    if len(text) <= LONGEST_NAME:
        return text
    half = LONGEST_NAME // 2
    return f"{text[:half]}…{text[-half + 1 :]}"


def _byte(match: re.Match[str]) -> str:
    """Python gives the byte 0xff of a name as U+DCFF."""
    return f"\\x{ord(match[0]) - 0xDC00:02x}" if match[0] >= "\udc80" else f"\\u{ord(match[0]):04x}"
