"""The page's own files."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


def page_files() -> dict[str, tuple[bytes, str]]:
    """Name → (content, type) of all that the page is made of."""
    found = {}
    for path in (files("katachi") / "study" / "page").iterdir():
        kind = path.name.rpartition(".")[2]
        if kind in KINDS:
            found[path.name] = (path.read_bytes(), KINDS[kind])
    return found
