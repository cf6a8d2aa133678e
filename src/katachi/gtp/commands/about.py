"""What the engine is and knows. Nothing here may import anything heavy."""

from __future__ import annotations

from katachi.gtp.commands import COMMANDS
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Session


def protocol_version(_session: Session, _command: Command) -> str:
    """The version of GTP."""
    return "2"


def name(_session: Session, _command: Command) -> str:
    """The name of the engine."""
    return "Katachi"


def version(session: Session, _command: Command) -> str:
    """The version of Katachi, as X.Y.Z, or what the user wants it to be called."""
    return session.version


def known_command(_session: Session, command: Command) -> str:
    """Whether a command of this name is known."""
    if len(command.args) != 1:
        raise GtpError("syntax error")
    return "true" if command.args[0] in COMMANDS else "false"


def list_commands(_session: Session, _command: Command) -> str:
    """The names of all commands, one to a line."""
    return "\n".join(COMMANDS)


def quit(_session: Session, _command: Command) -> str:
    """Nothing; the loop ends after the reply."""
    return ""


def stop(_session: Session, _command: Command) -> str:
    """Nothing: that it has come has ended the analysis."""
    return ""
