"""What the headers of a record mean: komi, handicap, ranks, dates, results, sizes.

Each function takes the text as it stands and never raises.
"""

from __future__ import annotations

import math
import re
from typing import Final

from katachi.go.points import BLACK, WHITE

DRAW: Final = 3
UNKNOWN: Final = 0

MAX_TEXT: Final = 1000  # characters of a header that are read
MAX_KOMI: Final = 100.0  # KM[100] and more are hundredths

_NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)?")
_DATE = re.compile(r"(?<![0-9])([0-9]{4})(?:[-./年]([0-9]{1,2}))?(?:[-./月]([0-9]{1,2}))?(?![0-9])")
_RANK = re.compile(r"(?:(P)\s*+)?([0-9]{1,2})\s*+(p|d|k|段|级|級)", re.IGNORECASE)
_WIN = re.compile(r"\s*+([BW])(?:lack|hite)?\s*+(?:\+|wins|胜)|([黑白])[^和]*[胜勝]", re.IGNORECASE)
_DRAWN = re.compile(r"\s*+(?:0(?:\.0*+)?|draw|jigo|tie|和棋|持碁)\s*+$", re.IGNORECASE)


def komi(text: str) -> tuple[float | None, str]:
    """(points, note). KM[750] is 7.5; KM[375] and KM[3.75] count Chinese stones: 7.5 points.

    The points have two decimals at most and lie between -100 and 100; None stands for no number
    and for one that is none of these.
    """
    match = _NUMBER.search(text)
    if not match:
        return None, ""
    value = round(float(match[0].replace(",", ".")), 2)
    note = ""
    if abs(value) >= MAX_KOMI:
        value = round(value / 100, 2)
        note = "komi in hundredths"
    if math.isfinite(value) and value * 2 % 1 == 0.5:
        value *= 2
        note = "komi in Chinese stones"
    if not abs(value) < MAX_KOMI:
        return None, "komi out of range"
    return value + 0.0, note  # not -0.0


def handicap(text: str, size: int) -> int:
    """The stones that HA names, 0 for none, for no number, and for more than the board takes.

    HA[1] is no handicap.
    """
    digits = text.lstrip("0")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3):
        return 0
    stones = int(digits)
    return stones if 2 <= stones <= size * size else 0


def rank(text: str) -> int:
    """Strength in order: 30k … 1k are -30 … -1, 1d … 9d are 1 … 9, 1p … 9p are 11 … 19.

    0 stands for an unknown rank.
    """
    match = _RANK.search(text)
    if not match:
        return 0
    number = int(match[2])
    if number == 0:
        return 0
    kind = match[3].lower()
    if match[1] or kind == "p":
        return 10 + min(number, 9)
    return -min(number, 30) if kind in "k级級" else min(number, 9)


def rank_name(strength: int) -> str:
    """ "9p", "6d", "3k", or "?" for 0."""
    if strength == 0:
        return "?"
    if strength < 0:
        return f"{-strength}k"
    return f"{strength - 10}p" if strength > 10 else f"{strength}d"


def date(text: str) -> int:
    """yyyymmdd of the first date, 00 for a month or day that is not given; 0 unknown."""
    match = _DATE.search(text)
    if not match or match[1] == "0000":
        return 0
    month, day = int(match[2] or 0), int(match[3] or 0)
    if month > 12 or day > 31:
        month = day = 0
    return int(match[1]) * 10000 + month * 100 + day


def date_name(number: int) -> str:
    """ "2006-01-31", "2006-01", "2006", or "?" for 0."""
    if number == 0:
        return "?"
    year, month, day = number // 10000, number // 100 % 100, number % 100
    if not month:
        return f"{year:04}"
    return f"{year:04}-{month:02}-{day:02}" if day else f"{year:04}-{month:02}"


def winner(text: str) -> int:
    """BLACK, WHITE, DRAW or UNKNOWN (unfinished, void, or not given)."""
    match = _WIN.match(text)
    if match:
        return BLACK if (match[1] or match[2]) in "Bb黑" else WHITE
    return DRAW if _DRAWN.match(text) else UNKNOWN


def board_size(text: str) -> tuple[int, int]:
    """(columns, rows): 19x19 where nothing is given, (0, 0) where it is no size."""
    if not text:
        return 19, 19
    match = re.fullmatch(r"\s*+([0-9]{1,3})\s*+(?:[:x]\s*+([0-9]{1,3})\s*+)?", text)
    if not match:
        return 0, 0
    columns = int(match[1])
    return columns, int(match[2] or columns)
