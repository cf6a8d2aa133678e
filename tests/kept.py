"""Comparisons with slow twins, made once and kept as digests of all that they are comparisons of.

    python -m tests.kept [FILE ...]

compares everything and writes `tests/kept` anew, or what it has of these files of tests.

`holds(check, …)` runs a check, unless a run of it is kept that passed, with just these arguments,
by just this program. What the kernels said is among the arguments: when they say something else,
when the oracle changes, the positions or sgfmill, the check is run as if nothing were kept. So it
is where KATACHI_PROVE is set.

What a check looks at is given to it, or belongs to its program: constants, and modules that play
no part in the kernels. It asks no kernel.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dis import get_instructions
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

FOLDER = Path(__file__).with_suffix("")
OWN = ("tests", "katachi")

# What passed in this run, in this order: the programs of checks, then the digests of arguments too.
_passed: defaultdict[Path, dict[str, None]] = defaultdict(dict)
_programs: defaultdict[Path, dict[str, None]] = defaultdict(dict)


def holds(check: Callable[..., None], *given: object) -> None:
    """Run a check that raises where what it is given is wrong, unless it is kept that it passed."""
    path = file_of(check.__module__)
    line = digest(program(check), *given)
    if os.environ.get("KATACHI_PROVE") or line not in kept(path):
        check(*given)
        _programs[path][named(check)] = None
        _passed[path][line] = None


def named(check: Callable[..., None]) -> str:
    """The line of a check: its name, and its program."""
    return f"{check.__name__} {program(check)}"


def file_of(module: str) -> Path:
    """Where the checks of a module of tests are kept."""
    return FOLDER / f"{module.removeprefix('tests.')}.txt"


@cache
def kept(path: Path) -> frozenset[str]:
    """The lines of a file, none if there is no such file."""
    return frozenset(path.read_text().splitlines()) if path.exists() else frozenset()


def digest(*said: object) -> str:
    """The same for the same values, in any process."""
    found = blake2b(digest_size=16)
    for part in told(said):
        found.update(part.encode() if isinstance(part, str) else part)
    return found.hexdigest()


PLAIN = frozenset((type(None), bool, int, float, str, bytes))


def told(value: Any) -> Iterator[str | bytes]:
    """A value in words that say all of it. Raises TypeError where that is not known."""
    if type(value) in PLAIN:
        yield f"{value!r};"
    elif isinstance(value, np.generic):
        yield f"{value.item()!r};"
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield f"array {value.dtype.str} {value.shape};"
        yield value.tobytes()
    elif isinstance(value, tuple | list | range):
        if PLAIN.issuperset(map(type, value)):
            yield f"{list(value)!r};"
        else:
            yield "["
            for one in value:
                yield from told(one)
            yield "];"
    elif isinstance(value, Mapping | set | frozenset):
        items = value.items() if isinstance(value, Mapping) else value
        yield "{"
        yield from sorted(_joined(told(one)) for one in items)
        yield "};"
    else:
        raise TypeError(f"{type(value).__name__} {value!r} is not told in words")


def _joined(parts: Iterable[str | bytes]) -> bytes:
    return b"".join(part.encode() if isinstance(part, str) else part for part in parts)


# -- programs ------------------------------------------------------------------------------------


@cache
def program(check: Callable[..., object]) -> str:
    """The digest of a function's program: its source, and all of Katachi's tests that it names.

    Of its own module that is the functions it calls, and theirs; of other modules of the tests all,
    with the modules that they import; of Katachi's modules that any of these name the source.
    How lines are broken is no part of it.
    """
    parts: dict[str, object] = {"sgfmill": version("sgfmill")}
    _add_function(check, parts)
    return digest(parts)


@cache
def source(part: Any) -> str:
    """What a function, class or module is written like, however its lines are broken."""
    return "".join(inspect.getsource(part).split())


def _add_function(function: Callable[..., object], parts: dict[str, object]) -> None:
    plain = inspect.unwrap(function)
    assert isinstance(plain, FunctionType)
    name = f"{plain.__module__}.{plain.__qualname__}"
    if name in parts:
        return
    parts[name] = source(plain)
    for used in sorted(_names(plain.__code__)):
        if used in plain.__globals__:
            meant = _value(plain.__globals__[used], plain.__module__, parts)
            parts[f"{used} in {plain.__module__}"] = meant


def _names(code: CodeType) -> set[str]:
    """The global names that a function reads."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    own = {one.argval for one in get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    return own.union(*map(_names, inner))


def _value(value: Any, home: str, parts: dict[str, object]) -> object:
    """What a name of the module `home` stands for; what belongs to it is added to the parts."""
    if isinstance(value, ModuleType):
        _add_module(value.__name__, parts)
        return value.__name__
    if callable(value):
        module = getattr(value, "__module__", "typing")
        name = getattr(value, "__qualname__", repr(value))
        if module != home:
            _add_module(module, parts)
        elif isinstance(value, type):
            parts[f"{module}.{name}"] = source(value)
            for method in vars(value).values():
                if isinstance(method, FunctionType) and method.__module__ == home:
                    _add_function(method, parts)
        else:
            _add_function(value, parts)
        return f"{module}.{name}"
    if isinstance(value, dict):
        return {key: _value(one, home, parts) for key, one in value.items()}
    return value


def _add_module(name: str, parts: dict[str, object]) -> None:
    """The source of a module of our own, and of what a module of the tests imports."""
    if name.partition(".")[0] not in OWN or name in parts or name == __name__:
        return
    module = import_module(name)
    parts[name] = source(module)
    if name.startswith("tests"):
        for imported in _imports(module):
            _add_module(imported, parts)


def _imports(module: ModuleType) -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            if node.module.partition(".")[0] in OWN and node.module != "katachi":
                names = (f"{node.module}.{one.name}" for one in node.names)
                yield from (name for name in names if _is_module(name))


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


# -- to write them anew --------------------------------------------------------------------------


def write() -> None:
    """Keep what has passed in this process, and nothing else of the files that it is in."""
    FOLDER.mkdir(exist_ok=True)
    for path, lines in _passed.items():
        path.write_text("".join(f"{line}\n" for line in [*_programs[path], *lines]))


def main(files: list[str]) -> int:
    """Run the tests that keep something, all in this process; write it if they pass."""
    import pytest

    os.environ["KATACHI_PROVE"] = "1"
    here = Path(__file__).parent
    users = [p for p in here.rglob("test_*.py") if "tests.kept" in p.read_text()]
    chosen = files or [str(p) for p in sorted(users)]
    failed = pytest.main([*chosen, "-q", "-p", "no:randomly", "--durations=25"])
    if not failed:
        write()
    return int(failed)


if __name__ == "__main__":
    from tests import kept as itself  # as the tests import it

    sys.exit(itself.main(sys.argv[1:]))
