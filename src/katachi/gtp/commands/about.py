"""What the engine is and knows. Nothing here may import anything heavy."""

from __future__ import annotations

from katachi.gtp.commands import COMMANDS, command
from katachi.gtp.session import Session


@command("protocol_version")
def protocol_version(_session: Session) -> str:
    """The version of GTP."""
    return "2"


@command("name")
def name(_session: Session) -> str:
    """The name of the engine."""
    return "Katachi"


@command("version")
def version(session: Session) -> str:
    """The version of Katachi, as X.Y.Z, or what the user wants it to be called."""
    return session.version


@command("known_command", "NAME")
def known_command(_session: Session, name: str) -> str:
    """Whether a command of this name is known."""
    return "true" if name in COMMANDS else "false"


@command("list_commands")
def list_commands(_session: Session) -> str:
    """The names of all commands, one to a line."""
    return "\n".join(COMMANDS)


@command("quit")
def quit(_session: Session) -> None:
    """Nothing; the loop ends after the reply."""


@command("stop")
def stop(_session: Session) -> None:
    """Nothing: that it has come has ended the analysis."""
