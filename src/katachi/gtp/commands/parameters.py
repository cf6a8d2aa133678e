"""Rules and settings, by KataGo's commands and GoGui's dialog."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

from katachi.analysis.rules import rules_data, rules_named
from katachi.errors import KatachiError
from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import SYNTAX, Command, GtpError
from katachi.gtp.session import Limits, Session
from katachi.search.settings import CHOICES, PRESETS, SearchSettings, parse_settings

_LIMITS: Final = ("simulations", "seconds")
_CHOICES: Final = {
    "preset": tuple(PRESETS),
    "playouts": CHOICES["playouts"],
    "widening": CHOICES["widening"],
}


@command("kata-get-rules")
def get_rules(session: Session) -> str:
    """The rules as KataGo's JSON tells them."""
    return json.dumps(rules_data(session.rules))


@command("kata-set-rules", "NAME|JSON …")
def set_rules(session: Session, asked: Command) -> None:
    """The rules, by KataGo's name or JSON."""
    if not asked.rest:
        raise GtpError(SYNTAX)
    given: Any = asked.rest
    if asked.rest.startswith("{"):
        try:
            given = json.loads(asked.rest)
        except (ValueError, RecursionError):
            raise GtpError(SYNTAX) from None
    session.rules = rules_named(given)


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


@command("kata-set-param", "NAME VALUE")
def set_parameter(session: Session, name: str, value: str) -> None:
    """Set a parameter. Raises KatachiError if there is none of this name, or it cannot be this."""
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


@command("kata-list-params")
def list_params(session: Session) -> str:
    """The names of all parameters."""
    return " ".join(parameters(session))


@command("kata-get-param", "NAME")
def get_param(session: Session, name: str) -> str:
    """The value of a parameter."""
    found = parameters(session)
    if name not in found:
        raise KatachiError(f"there is no parameter {name[:30]!r}: kata-list-params names them")
    return found[name]


@command("katachi-param", "[NAME] [VALUE]")
def dialog(session: Session, *given: str) -> str | None:
    """All parameters as GoGui's dialog takes them; with NAME and VALUE, set this one."""
    if len(given) == 2:
        set_parameter(session, *given)
        return None
    if given:
        raise GtpError(SYNTAX)
    lines = []
    for name, value in parameters(session).items():
        kind = "string"
        if value in ("true", "false"):
            kind, value = "bool", "1" if value == "true" else "0"
        elif name in _CHOICES:
            kind = "list/" + "/".join(_CHOICES[name])
        lines.append(f"[{kind}] {name} {value}")
    return "\n".join(["", *lines])
