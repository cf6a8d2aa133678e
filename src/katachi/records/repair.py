"""Structure of damaged SGF, made sound so that sgfmill can parse it.

What is mended: text before the game (mail headers), a missing `(`, missing or surplus `)`, nodes
after a variation, a new game inside an unclosed one, an unescaped `]` inside a text, a move whose
`]` is missing, junk between properties, and a file that ends in the middle. Everything takes time
linear in the text.
"""

from __future__ import annotations

import re

# What is repeated without bound gives nothing back (*+): a long run of anything is read once.
_START = re.compile(r"\(\s*+;|;\s*+[A-Za-z]{1,64}+\s*+\[|(?<![A-Za-z])[A-Z]{1,2}+\s*+\[")
_SPACE = re.compile(r"\s++")
_NAME = re.compile(r"([A-Za-z]{1,64}+)\s*+(?=\[)")
_JUNK = re.compile(r"[^\s;()A-Za-z]++|[A-Za-z]{1,64}+")
_NEW_GAME = re.compile(r"\(\s*+;\s*+(?:GM|FF|CA|SZ)\s*+\[")
_OPENING = re.compile(r"\s*+(?:;|[A-Za-z]{1,64}+\s*+\[)")
# What may stand between brackets in a move or a setup: the closing bracket may be missing.
_POINTS = re.compile(r"\[\s*+([A-Za-z]{0,2}+(?::[A-Za-z]{2})?+)\s*+(\]|(?=[;()\[]))")
_POINT_PROPERTIES = {"B", "W", "AB", "AW", "AE"}
_VALUE = re.compile(r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]", re.DOTALL)
_MORE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+\]", re.DOTALL)
_STRAY_BRACKETS = 16  # looked past in one text; the bound keeps the time linear
_AFTER_VALUE = re.compile(r"\s*+(?:[\[;()]|[A-Za-z]{1,64}+\s*+\[|\Z)")

BEFORE = "text before the game"
NO_OPENING = "no opening parenthesis"
NO_CLOSING = "no closing parenthesis"
STRAY_CLOSING = "closing parenthesis too many"
AFTER_VARIATION = "moves after a variation"
BRACKET = "bracket inside a text not escaped"
NO_BRACKET = "closing bracket missing"
JUNK = "text between properties"
CUT_OFF = "file ends inside a property"


class NoGame(ValueError):
    """The text holds nothing that looks like a game."""


def looks_sound(text: str) -> bool:
    """Whether the text begins as SGF should, so that a parser starts at the right place."""
    return re.match(r"\s*+\(\s*+;", text) is not None


def repair(text: str) -> tuple[str, list[str]]:
    """(sound SGF, what was mended). Raises NoGame if there is nothing to mend."""
    found = _START.search(text)
    if not found:
        raise NoGame("no game in it")
    return _Mender(text).mend(found.start())


class _Mender:
    """One pass over a text; `out` collects the sound pieces, `depth` counts open parentheses."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.depth = 0
        self.closed = False  # the last piece was `)`
        self.notes: dict[str, None] = {}  # in order, each once

    def mend(self, i: int) -> tuple[str, list[str]]:
        if self.text[:i].strip("\ufeff \t\r\n"):
            self.note(BEFORE)
        end = len(self.text)
        while i < end:
            sign = self.text[i]
            if sign == "(":
                i = self.opening(i)
            elif sign == ")":
                self.closing()
                i += 1
            elif sign == ";":
                self.node()
                i += 1
            elif space := _SPACE.match(self.text, i):
                i = space.end()
            elif name := _NAME.match(self.text, i):
                i = self.property(name[1], name.end())
            else:
                junk = _JUNK.match(self.text, i)
                self.note(JUNK)
                i = junk.end() if junk else i + 1
        if self.depth:
            self.note(NO_CLOSING)
            self.out.append(")" * self.depth)
        return "".join(self.out), list(self.notes)

    def note(self, what: str) -> None:
        self.notes.setdefault(what)

    def opening(self, i: int) -> int:
        """A `(` that begins something; a stray one is dropped."""
        if not _OPENING.match(self.text, i + 1):
            self.note(JUNK)
            return i + 1
        if self.depth and _NEW_GAME.match(self.text, i):
            self.note(NO_CLOSING)
            self.out.append(")" * self.depth)
            self.depth = 0
        self.out.append("(")
        self.depth += 1
        self.closed = False
        after = _SPACE.match(self.text, i + 1)
        i = after.end() if after else i + 1
        if self.text[i] != ";":
            self.out.append(";")
        return i

    def closing(self) -> None:
        if self.depth:
            self.out.append(")")
            self.depth -= 1
            self.closed = True
        else:
            self.note(STRAY_CLOSING)

    def node(self) -> None:
        if self.depth == 0:
            self.note(NO_OPENING)
            self.open_again()
        elif self.closed:
            self.note(AFTER_VARIATION)
            self.open_again()
        self.out.append(";")

    def open_again(self) -> None:
        self.out.append("(")
        self.depth += 1
        self.closed = False

    def property(self, name: str, i: int) -> int:
        """A name and its values, from the first `[` at i; returns where the values end."""
        if self.depth == 0 or self.closed:
            self.node()
        values: list[str] = []
        while True:
            space = _SPACE.match(self.text, i)
            at = space.end() if space else i
            if at >= len(self.text) or self.text[at] != "[":
                break
            value, i = self.value(name, at)
            if value is None:
                self.note(CUT_OFF)
                break
            values.append(value)
        if values:
            self.out.append(name + "".join(values))
        return i

    def value(self, name: str, i: int) -> tuple[str | None, int]:
        """(the value with its brackets, where it ends), or None where the text breaks off."""
        if "".join(c for c in name if c.isupper()) in _POINT_PROPERTIES:
            points = _POINTS.match(self.text, i)
            if points:
                if not points[2]:
                    self.note(NO_BRACKET)
                return f"[{points[1]}]", points.end()
        whole = _VALUE.match(self.text, i)
        if not whole:
            return None, len(self.text)
        end = whole.end()
        pieces = [whole[0][:-1]]
        # A `]` with something else than SGF behind it belongs to the text.
        while not _AFTER_VALUE.match(self.text, end):
            more = _MORE.match(self.text, end)
            if not more or len(pieces) > _STRAY_BRACKETS:
                return whole[0], whole.end()
            pieces.append(more[0][:-1])
            end = more.end()
        if len(pieces) > 1:
            self.note(BRACKET)
        return "\\]".join(pieces) + "]", end
