"""`katachi doctor`: what is wrong is found, and told with what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import katachi.models.model as models
from katachi.cli import READERS, VERBS, doctor, warming
from katachi.errors import KatachiError
from tests.cli.test_cli import katachi


def checks(*args: str) -> tuple[int, dict[str, dict[str, str]]]:
    """(exit code, what was looked at by name)."""
    done = katachi("doctor", "--json", *args)
    return done.returncode, {one["name"]: one for one in json.loads(done.stdout)}


def test_all_that_is_needed_is_here() -> None:
    code, found = checks("--quick")
    assert code == 0
    assert set(doctor.PACKAGES) < set(found)
    assert not [one for one in found.values() if one["state"] == "wrong"]
    assert all(bool(one["remedy"]) == (one["state"] != "good") for one in found.values())
    assert "speed" not in found


def test_the_speed_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SECONDS", 0.0)
    monkeypatch.setattr(doctor, "_speed", lambda real=doctor._speed: real())
    done = katachi("doctor")
    assert "random games of 9x9 a second" in done.stdout


def test_a_cache_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(tmp_path / "file" / "cache"))
    code, found = checks("--quick")
    assert code == 1
    assert found["cache folder"]["state"] == "wrong"
    assert "KATACHI_CACHE_DIR" in found["cache folder"]["remedy"]


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=10 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    code, found = checks("--quick")
    assert code == 1
    assert "10 MB are free" in found["cache folder"]["found"]


def test_a_damaged_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise KatachiError("default.katachi is damaged")

    monkeypatch.setattr(models, "load_model", damaged)
    done = katachi("doctor", "--quick")
    assert done.returncode == 1
    assert "default.katachi is damaged" in done.stdout
    assert "→ install Katachi again" in done.stdout
    assert "Something is wrong" in done.stdout


def test_programs_and_kernels_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(warming, "done", lambda _: False)
    code, found = checks("--quick")
    assert code == 0  # Katachi does without
    assert {found[name]["state"] for name in ("gnugo", "chromium", "kernels")} == {"missing"}
    assert f"about {sum(warming.STEPS.values())} s" in found["kernels"]["remedy"]


def test_a_package_that_is_not_there() -> None:
    assert doctor._package("no-such-package").state == "wrong"


def test_help_is_by_reader() -> None:
    said = katachi("--help").stdout
    places = [said.index(f"{reader}:") for reader in READERS]
    assert places == sorted(places)
    assert sum(len(verbs) for verbs in READERS.values()) == len(VERBS)  # no verb stands twice
    assert all(f"  {verb} " in said for verb in VERBS)
