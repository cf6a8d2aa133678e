"""`make lock` and the installation of `make`: the exact packages, each with the digest of its file.

    python tools/lock.py write      ask pip what it would install now, and write requirements.lock
    python tools/lock.py install    install what the lock says, and this project, into this Python

The digests are of the files for one Python on one kind of machine, which the first line of the lock
names. There pip takes no other file. Elsewhere it takes the same versions, unchecked. Only what
comes with Python is imported here.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "requirements.lock"
WANTED: Final = f"{ROOT}[dev]"
PIP: Final = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]


def here() -> str:
    """This Python, and this kind of machine."""
    version = ".".join(platform.python_version_tuple()[:2])
    return f"Python {version}, {sys.platform}, {platform.machine()}"


def lines_of(report: dict[str, Any]) -> list[str]:
    """The lines of the lock for what pip reports that it would install, without this project."""
    found = {}
    for one in report["install"]:
        about = one["metadata"]
        if about["name"] != "katachi":
            digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
            found[f"{about['name']}=={about['version']}"] = f"--hash=sha256:{digest}"
    return [f"{name} {found[name]}" for name in sorted(found, key=str.lower)]


def without_digests(lock: str) -> str:
    """The versions alone, for a constraint."""
    return re.sub(r" --hash=\S+", "", lock)


def write() -> None:
    """Write the lock from the newest releases."""
    asked = subprocess.run(
        [*PIP, "--dry-run", "--ignore-installed", "--report", "-", WANTED],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    head = f"# {here()}. Written by make lock; tools/lock.py says how it is used."
    LOCK.write_text("\n".join([head, *lines_of(json.loads(asked.stdout)), ""]), encoding="utf-8")


def install() -> None:
    """Install the lock and, editable, this project. Raises CalledProcessError where pip fails."""
    lock = LOCK.read_text(encoding="utf-8")
    if lock.startswith(f"# {here()}."):
        subprocess.run([*PIP, "--require-hashes", "--no-deps", "-r", str(LOCK)], check=True)
        subprocess.run([*PIP, "--no-deps", "--editable", str(ROOT)], check=True)
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraint:
        constraint.write(without_digests(lock))
        constraint.flush()
        subprocess.run([*PIP, "--constraint", constraint.name, "--editable", WANTED], check=True)


if __name__ == "__main__":
    {"write": write, "install": install}[sys.argv[1]]()
