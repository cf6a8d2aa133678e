"""The names of the words in other languages, from the file `words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

# Japanese twice: in Latin letters, and as it is written
LANGUAGES: Final = ("en", "romaji", "ja", "zh", "ko", "de", "fr", "es")


@cache
def all_names() -> dict[str, dict[str, str]]:
    """Key of a word → language → its name there, "" where none is known."""
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def name_of(key: str, language: str) -> str:
    """The name of a word in a language, "" where none is known. Raises KeyError for what is no
    word, or none of LANGUAGES.
    """
    return all_names()[key][language]


def japanese(key: str) -> str:
    """The Japanese term in Latin letters and as it is written: "hane (ハネ)"; or ""."""
    spoken, written = name_of(key, "romaji"), name_of(key, "ja")
    return f"{spoken} ({written})" if spoken and written else spoken or written
