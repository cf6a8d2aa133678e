from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.records.text import decode


@pytest.mark.parametrize(
    ("name", "encoding", "declared"),
    [
        ("吳清源", "utf-8", "UTF-8"),
        ("吴清源", "gbk", "GBK"),
        ("吴清源", "gb2312", "gb2312"),
        ("吳清源", "big5", "Big5"),
        ("呉清源", "shift_jis", "Shift_JIS"),
        ("呉清源", "euc_jp", "EUC-JP"),
        ("이창호", "euc_kr", "EUC-KR"),
        ("Müller", "latin-1", "ISO-8859-1"),
        ("Müller", "cp1252", "Windows-1252"),
        ("Шикшин", "koi8_r", "KOI8-R"),
        # no CA, or one that lies
        ("吳清源", "utf-8", ""),
        ("吴清源九段对木谷实", "gbk", ""),
        ("Müller", "latin-1", ""),
        ("吳清源", "utf-8", "ISO-8859-1"),
        ("吴清源九段对木谷实", "gbk", "UTF-8"),
        ("吳清源", "utf-8", "no-such-charset"),
        ("吳清源", "utf-8", "unicode_escape"),
    ],
)
def test_names_come_out_whole(name: str, encoding: str, declared: str) -> None:
    head = f"CA[{declared}]" if declared else ""
    text, _ = decode(f"(;{head}PB[{name}])".encode(encoding))
    assert f"PB[{name}]" in text


def test_byte_order_marks() -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        assert decode("(;PB[吳清源])".encode(encoding)) == ("(;PB[吳清源])", "")


def test_ascii_needs_no_note() -> None:
    assert decode(b"(;PB[Cho])") == ("(;PB[Cho])", "")


def test_damaged_utf8_keeps_its_whole_characters() -> None:
    data = "(;PB[武宫正树]PW[大竹英雄])".encode()
    damaged = data.replace("宫".encode()[1:2], b"?", 1)
    text, note = decode(damaged)
    assert "大竹英雄" in text
    assert note == "damaged UTF-8 text"


def test_brackets_inside_gbk_characters() -> None:
    # The second byte of these characters is `\` or `]`.
    name = next(c for c in map(chr, range(0x4E00, 0x9FFF)) if c.encode("gbk", "ignore")[1:] == b"]")
    text, _ = decode(f"(;CA[GBK]PB[{name}])".encode("gbk"))
    assert f"PB[{name}]" in text


@given(st.binary())
def test_any_bytes_decode(data: bytes) -> None:
    text, note = decode(data)
    assert isinstance(text, str)
    assert isinstance(note, str)
