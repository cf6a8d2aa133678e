"""All English of the page stands in words.js."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files

PAGE = files("katachi") / "study" / "page"
SAME = {"Katachi", "◐", "?", "×", "|◀", "◀", "▶", "▶|", "0 / 0", "19×19", "13×13", "9×9"}
TEXTS = ("aria-label", "title", "placeholder", "alt")


class Texts(HTMLParser):
    """What a reader would see of the file as it stands, and the names of the words it asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.asked: set[str] = set()
        self.feed(text)

    def handle_data(self, data: str) -> None:
        self.seen += [data.strip()] if data.strip() else []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [v for k, v in attrs if k in TEXTS and v]
        self.asked |= {v for k, v in attrs if k in ("data-words", "data-label", "data-hint") and v}


def test_the_file_itself_has_no_words() -> None:
    found = Texts((PAGE / "index.html").read_text(encoding="utf-8"))
    assert set(found.seen) <= SAME
    words = (PAGE / "words.js").read_text(encoding="utf-8")
    assert not {name for name in found.asked if not re.search(rf"^  {name}:", words, re.MULTILINE)}


def test_no_other_module_has_a_sentence() -> None:
    """A text with two words and more that is no name of a class, a path or a selector."""
    for path in PAGE.iterdir():
        if path.name.endswith(".js") and path.name != "words.js":
            code = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            texts = re.findall(r'"([A-Z][a-z]+ [^"]*|[^"]* [a-z]+[.!?])"', code)
            assert texts == [], path.name
