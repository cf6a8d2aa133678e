"""Rules and settings, by KataGo's commands and GoGui's dialog."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.gtp.commands import arguments
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Limits, Session
from katachi.search.player import RULES
from katachi.search.settings import CHOICES, PRESETS, SearchSettings, parse_settings

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
_LIMITS: Final = ("simulations", "seconds")
_CHOICES: Final = {
    "preset": tuple(PRESETS),
    "playouts": CHOICES["playouts"],
    "widening": CHOICES["widening"],
}


def kata_get_rules(session: Session, _command: Command) -> str:
    """The rules as KataGo's JSON tells them."""
    return json.dumps(rules_data(session.rules))


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


def rules_named(told: Any) -> str:
    """Our rules, by a name or by KataGo's JSON. Raises KatachiError if there are none like it."""
    if isinstance(told, dict):
        scoring = str(told.get("scoring", "AREA")).upper()
        if scoring not in ("AREA", "TERRITORY"):
            raise KatachiError(f"there are no rules with the scoring {scoring:.20}")
        if scoring == "TERRITORY":
            return "japanese"
        return "chinese" if told.get("friendlyPassOk", True) else "tromp-taylor"
    name = str(told).strip().lower().replace("_", "-")
    if name not in _NAMED:
        raise KatachiError(f"there are no rules {name[:30]!r}: choose from {', '.join(RULES)}")
    return _NAMED[name]


def kata_set_rules(session: Session, command: Command) -> str:
    """kata-set-rules NAME, or JSON."""
    if not command.rest:
        raise GtpError(arguments.SYNTAX)
    told: Any = command.rest
    if command.rest.startswith("{"):
        try:
            told = json.loads(command.rest)
        except (ValueError, RecursionError):
            raise GtpError(arguments.SYNTAX) from None
    session.rules = rules_named(told)
    return ""


def parameters(session: Session) -> dict[str, str]:
    """Name → value of all that can be set."""
    limits = session.limits
    found = {name: str(getattr(limits, name) or 0) for name in _LIMITS}
    found["resign"] = str(session.may_resign).lower()
    found["ponder"] = str(session.ponders).lower()
    found["preset"] = session.settings.get("preset", "default")
    settings = parse_settings(session.settings)
    return (
        found
        | {
            f.name: str(getattr(settings, f.name))
            for f in fields(SearchSettings)
            if f.name not in ("simulations", "resign")
        }
        | {"resign_below": str(settings.resign)}
    )


def set_parameter(session: Session, name: str, value: str) -> None:
    """Set one. Raises KatachiError if there is none of this name, or it cannot be this."""
    if name not in parameters(session):
        raise KatachiError(f"there is no parameter {name[:30]!r}: kata-list-params names them")
    if name in ("resign", "ponder"):
        if value.lower() not in ("true", "false", "1", "0"):
            raise KatachiError(f"{name} is true or false, not {value[:20]!r}")
        on = value.lower() in ("true", "1")
        if name == "resign":
            session.may_resign = on
        else:
            session.ponders = on
    elif name in _LIMITS:
        try:
            number = arguments.number(value)
        except GtpError:
            raise KatachiError(f"{name} is a number, not {value[:20]!r}") from None
        if number < 0 or number > 1e9 or (name == "simulations" and number != int(number)):
            raise KatachiError(f"{name} cannot be {value[:20]}: 0 leaves it to the clock")
        simulations, seconds = session.limits.simulations, session.limits.seconds
        if name == "simulations":
            simulations = int(number) or None
        else:
            seconds = number or None
        session.limits = Limits(simulations, seconds)
    else:
        session.set("resign" if name == "resign_below" else name, value)


def kata_list_params(session: Session, _command: Command) -> str:
    """The names of all parameters."""
    return " ".join(parameters(session))


def kata_get_param(session: Session, command: Command) -> str:
    """kata-get-param NAME."""
    (name,) = arguments.arguments(command, 1)
    found = parameters(session)
    if name not in found:
        raise KatachiError(f"there is no parameter {name[:30]!r}: kata-list-params names them")
    return found[name]


def kata_set_param(session: Session, command: Command) -> str:
    """kata-set-param NAME VALUE."""
    name, value = arguments.arguments(command, 2)
    set_parameter(session, name, value)
    return ""


def katachi_param(session: Session, command: Command) -> str:
    """katachi-param: all parameters as GoGui's dialog takes them; katachi-param NAME VALUE sets."""
    args = arguments.arguments(command, 0, 2)
    if len(args) == 2:
        set_parameter(session, *args)
        return ""
    if args:
        raise GtpError(arguments.SYNTAX)
    lines = []
    for name, value in parameters(session).items():
        kind = "string"
        if value in ("true", "false"):
            kind, value = "bool", "1" if value == "true" else "0"
        elif name in _CHOICES:
            kind = "list/" + "/".join(_CHOICES[name])
        lines.append(f"[{kind}] {name} {value}")
    return "\n".join(["", *lines])
