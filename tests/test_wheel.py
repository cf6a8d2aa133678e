"""The wheel: the same from the tree and from the source archive, small; it runs when installed.

Nothing is loaded: the packages that Katachi needs are those of this Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LARGEST = 20 * 2**20

pytestmark = pytest.mark.slow


def build(source: Path, into: Path, target: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = build(ROOT, tmp_path / "source", "sdist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (tree,) = (tmp_path / "unpacked").iterdir()
    again = build(tree, tmp_path / "again", "wheel")
    assert contents(again) == contents(wheel)
    assert (tree / "tests" / "test_wheel.py").is_file()


def test_what_is_in_it(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST
    found = contents(wheel)
    assert {name.partition("/")[0].partition("-")[0] for name in found} == {"katachi"}
    tracked = subprocess.run(
        ["git", "ls-files", "src/katachi"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = {name.removeprefix("src/") for name in tracked.stdout.split()}
    assert names <= found.keys()
    (metadata,) = (text for name, text in found.items() if name.endswith("/METADATA"))
    text = metadata.decode()
    assert "\nLicense-Expression: MIT\n" in text
    assert "\nAuthor: The Katachi authors\n" in text
    assert "Classifier: Operating System :: POSIX :: Linux\n" in text
    assert text.endswith((ROOT / "README.md").read_text(encoding="utf-8"))


def test_it_runs_when_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    """From another folder, in an environment of its own."""
    place = tmp_path / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    own = place / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    installed = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*installed, "--no-deps", "--no-index", str(wheel)], check=True)
    # After its own packages come those of this Python; the files that add folders are not read.
    more = sysconfig.get_paths()["purelib"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    (own / "others.pth").write_text(more + "\n")

    def said(*args: str) -> str:
        done = subprocess.run(
            args, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = said(str(python), "-c", "import katachi; print(katachi.__file__)")
    assert Path(where.strip()).is_relative_to(own)
    katachi = str(place / "bin" / "katachi")
    assert said(katachi, "--version").startswith("katachi ")
    assert "katachi study" in said(katachi, "study", "--help")
    assert "comes with" in said(katachi, "export", "--help")
    bundled = "from katachi.records.bundled import bundled_path; print(bundled_path())"
    games = said(str(python), "-c", bundled).strip()
    assert said(katachi, "games", games).startswith("games")
    assert "wins" in said(katachi, "ratings", "--family", "capture", "--csv").splitlines()[0]
