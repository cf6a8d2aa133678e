"""From the bytes of a record to text: the declared encoding, or the one that fits.

The order is the declared one (CA), UTF-8, GBK, Latin-1. Two things that real files taught:
valid UTF-8 beats a declared 8-bit encoding, which would accept anything; and text that is mostly
UTF-8, with some bytes lost, stays UTF-8 with a mark at each loss, since GBK would turn all of it
into other characters.
"""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:-]{1,30})\s*\]")
_EIGHT_BIT = re.compile(r"iso8859|cp12\d\d|koi8|ascii|latin|mac|cp437|cp850")
_KNOWN = re.compile(
    r"utf|gb|big5|hz$|shift_jis|euc_|cp9\d\d|johab|iso2022|iso8859|cp12\d\d|koi8|ascii"
)
# A UTF-8 sequence of two or more bytes, or any other byte that is not ASCII.
_SEQUENCE = re.compile(
    rb"([\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3})|[\x80-\xFF]+"
)
_PAIR = re.compile(rb"[\x81-\xFE]([\x40-\xFE])")
# Shares of whole characters from which damaged text counts as UTF-8: before and after trying GBK.
_MOSTLY, _PARTLY = 0.6, 0.25


def decode(data: bytes) -> tuple[str, str]:
    """(text, note): the note is "" or says how an undeclared or wrong encoding was read.

    Never raises: Latin-1 takes everything that is left.
    """
    for bom, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(bom):
            return data.decode(name, "replace"), ""
    if data.isascii():
        return data.decode("ascii"), ""
    declared = _declared(data)
    if declared and not _EIGHT_BIT.search(declared):
        text = _strict(data, declared)
        if text is not None:
            return text, ""
    text = _strict(data, "utf-8")
    if text is not None:
        return text, "read as UTF-8, which it does not declare"
    if declared and declared != "utf-8":
        text = _strict(data, declared)
        if text is not None:
            return text, ""
    if _share_of_utf8(data) >= _MOSTLY:
        return data.decode("utf-8", "replace"), "damaged UTF-8 text"
    text = _strict(data, "gbk")
    if text is not None and _looks_like_gbk(data):
        return text, "read as GBK, which it does not declare"
    if _share_of_utf8(data) >= _PARTLY:
        return data.decode("utf-8", "replace"), "damaged UTF-8 text"
    return data.decode("latin-1"), "read as Latin-1, for want of a better encoding"


def _declared(data: bytes) -> str:
    """Python's name of the encoding in CA, "" if there is none or none that we know."""
    match = _DECLARED.search(data)
    if not match:
        return ""
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except LookupError:
        return ""
    return name if _KNOWN.match(name) else ""


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _looks_like_gbk(data: bytes) -> bool:
    """Whether most second bytes are no ASCII, as in nearly all Chinese text.

    In "Müller" as Latin-1 the ü would take the l along.
    """
    second: list[int] = [match[1][0] for match in _PAIR.finditer(data)]
    return 2 * sum(byte >= 0x80 for byte in second) >= len(second)


def _share_of_utf8(data: bytes) -> float:
    """The share of whole UTF-8 characters among everything that is not ASCII."""
    whole = lost = 0
    for match in _SEQUENCE.finditer(data):
        if match[1]:
            whole += 1
        else:
            lost += 1
    return whole / (whole + lost) if whole else 0.0
