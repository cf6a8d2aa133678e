"""An SGF value and the text that it holds."""

from __future__ import annotations

from sgfmill import sgf_grammar

from katachi.records import headers
from katachi.records.grammar import Properties


def text_of(raw: bytes) -> str:
    """An SGF Text value, escapes resolved."""
    return bytes(sgf_grammar.text_value(raw)).decode("utf-8", "replace")


def raw_text(text: str) -> bytes:
    """A text as an SGF Text or SimpleText value."""
    return bytes(sgf_grammar.escape_text(text.encode("utf-8", "replace")))


def first_text(node: Properties, name: str) -> str:
    """The first value of a property as simple text, "" if there is none; MAX_TEXT characters of
    it at most.
    """
    values = node.get(name)
    if not values:
        return ""
    if len(values[0]) <= headers.MAX_TEXT and values[0].isalnum():
        return values[0].decode("ascii")  # isalnum on bytes: ASCII only
    return simple_text(values[0])[: headers.MAX_TEXT].rstrip()


def simple_text(raw: bytes) -> str:
    """A value as simple text: all of it, or more than MAX_TEXT characters."""
    # Eight bytes are the most that one character takes: four, each behind a backslash.
    value: bytes = sgf_grammar.simpletext_value(raw[: 9 * headers.MAX_TEXT])
    return value.decode("utf-8", "replace").strip()
