"""The rules of a game in KataGo's words, for its GTP commands and its JSON protocol."""

from __future__ import annotations

from typing import Any, Final

from katachi.errors import KatachiError
from katachi.search.player import RULES

# What KataGo calls rules that are like ours
_NAMED: Final = {
    "chinese": "chinese",
    "chinese-ogs": "chinese",
    "chinese-kgs": "chinese",
    "aga": "chinese",
    "new-zealand": "chinese",
    "bga": "chinese",
    "japanese": "japanese",
    "korean": "japanese",
    "tromp-taylor": "tromp-taylor",
    "territory": "japanese",
    "area": "chinese",
}


def rules_data(name: str) -> dict[str, Any]:
    """Our rules in KataGo's words."""
    area = name != "japanese"
    return {
        "friendlyPassOk": name != "tromp-taylor",
        "hasButton": False,
        "ko": "POSITIONAL",
        "scoring": "AREA" if area else "TERRITORY",
        "suicide": False,
        "tax": "NONE" if area else "SEKI",
        "whiteHandicapBonus": "0",
    }


def rules_named(given: Any) -> str:
    """Our rules, by a name or by KataGo's JSON. Raises KatachiError if there are none like it."""
    if isinstance(given, dict):
        scoring = str(given.get("scoring", "AREA")).upper()
        if scoring not in ("AREA", "TERRITORY"):
            raise KatachiError(f"there are no rules with the scoring {scoring:.20}")
        if scoring == "TERRITORY":
            return "japanese"
        return "chinese" if given.get("friendlyPassOk", True) else "tromp-taylor"
    name = str(given).strip().lower().replace("_", "-")
    if name not in _NAMED:
        raise KatachiError(f"there are no rules {name[:30]!r}: choose from {', '.join(RULES)}")
    return _NAMED[name]
