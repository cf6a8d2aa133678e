"""The settings of the engine in one place: a TOML file in the user's configuration folder.

    player = "search"        # or "pattern"
    simulations = 2000
    ponder = true

    [settings]               # of the search, as `--setting`
    rave = 500

What the command line says holds before what `--config FILE` says, and that before the usual file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from katachi.errors import KatachiError

# Name → (what it may be, what it is where nobody says otherwise)
KNOWN: Final[dict[str, tuple[type, Any]]] = {
    "player": (str, "search"),
    "model": (str, None),
    "simulations": (int, None),
    "seconds": (float, None),
    "threads": (int, 1),
    "memory": (int, 512),
    "seed": (int, 1),
    "rules": (str, "chinese"),
    "temperature": (float, 0.0),
    "resign": (bool, True),
    "ponder": (bool, False),
    "log": (str, None),
    "override_version": (str, None),
}
COMMAND_LINE: Final = "command line"
_WORDS: Final = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def usual_config() -> Path:
    """Where the user's own file is, if there is one."""
    import platformdirs

    return Path(platformdirs.user_config_dir("katachi", appauthor=False)) / "gtp.toml"


def read_config(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """(settings by name, those of the search) of a file.

    Raises KatachiError with what is wrong, and where.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise KatachiError(f"{path} does not exist: name a TOML file") from None
    except OSError as error:
        raise KatachiError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KatachiError(f"{path} is no TOML: {' '.join(str(error).split())[:100]}") from None
    search = data.pop("settings", {})
    if not isinstance(search, dict):
        raise KatachiError(f"{path}: settings is a table, [settings]")
    for name, value in data.items():
        if name not in KNOWN:
            raise KatachiError(f"{path}: there is no {name!r}: {', '.join([*KNOWN, 'settings'])}")
        kind = KNOWN[name][0]
        number = kind is float and isinstance(value, int) and not isinstance(value, bool)
        if type(value) is not kind and not number:
            raise KatachiError(f"{path}: {name} is {_WORDS[kind]}, not {value!r:.30}")
    return data, {str(name): str(value) for name, value in search.items()}


class Config:
    """What holds: the options, the settings of the search, and where each of them is from."""

    def __init__(self) -> None:
        self.options = {name: usual for name, (_, usual) in KNOWN.items()}
        self.search: dict[str, str] = {}
        self._sources = dict.fromkeys(KNOWN, "usual")
        self._search_sources: dict[str, str] = {}

    def add(self, options: dict[str, Any], search: dict[str, str], source: str) -> None:
        """These hold before what was there."""
        self.options |= options
        self._sources |= dict.fromkeys(options, source)
        self.search |= search
        self._search_sources |= dict.fromkeys(search, source)

    def source(self, name: str) -> str:
        """Where an option is from."""
        return self._sources[name]

    def text(self) -> str:
        """All of it as TOML, each with where it is from."""
        lines = [
            f"# {name} is not set"
            if value is None
            else f"{name} = {_toml(value)}  # {self._sources[name]}"
            for name, value in self.options.items()
        ]
        if self.search:
            lines += ["", "[settings]"]
        for name, value in self.search.items():
            lines.append(f"{name} = {_toml(value)}  # {self._search_sources[name]}")
        return "\n".join(lines)


def find_config(path: Path | None, flags: dict[str, Any], search: dict[str, str]) -> Config:
    """What the user's own file, the file `path` and the command line say together; a flag that is
    None was not given. Raises KatachiError for a file that cannot be used.
    """
    config = Config()
    own = usual_config()
    for file in ([own] if own.is_file() else []) + ([path] if path is not None else []):
        config.add(*read_config(file), str(file))
    given = {name: value for name, value in flags.items() if value is not None}
    config.add(given, search, COMMAND_LINE)
    return config


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | Path):
        text = str(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    return str(value)
