"""tools/model.py, by which the model that comes with Katachi is made, on small packs."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.models.model import load_model
from tests.archives import tar_of
from tests.games import bundled_sgfs
from tests.trained import FACTORS
from tools import model as tool


def packs(folder: Path) -> Path:
    """Bundled games of 9x9, some in each of the packs."""
    folder.mkdir()
    games = list(bundled_sgfs().items())
    for number, name in enumerate(tool.PACKS):
        some = dict(games[5 * number : 5 * number + 5])
        (folder / name).write_bytes(tar_of(some, "w:xz"))
    return folder


@pytest.mark.slow
def test_from_packs_to_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "SHARE", 0.2)
    data, out = packs(tmp_path / "data"), tmp_path / "out" / "default.katachi"
    out.parent.mkdir()
    wanted = replace(FACTORS, any_size=True)
    model, held = tool.make(data, out, wanted)
    found = load_model(out)
    assert found.digest == model.digest
    assert found.about["names"] == list(tool.PACKS)
    assert found.about["games"] + len(held) == 20
    assert 0 < len(held) < 20
    assert found.playout is not None
    assert found.playout.about["names"] == list(tool.FOR_PLAYOUTS)
    assert found.playout.about["games"] == 15
    names = ["default.katachi", "factors.katachi", "playout.katachi"]
    assert sorted(path.name for path in out.parent.iterdir()) == names
    again, _ = tool.make(data, out, wanted)  # what is there is taken
    assert again.digest == model.digest
    with pytest.raises(KatachiError, match=r"factors\.katachi was trained with other settings"):
        tool.make(data, out, replace(wanted, seed=2))


def test_what_is_shipped() -> None:
    """The settings of the tool are those of the model that comes with Katachi."""
    shipped = load_model()
    assert shipped.about["settings"] == tool.settings("hidden").plan()
    assert shipped.playout is not None
    assert shipped.playout.about["names"] == list(tool.FOR_PLAYOUTS)


def test_packs_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["model", "--data", str(tmp_path), "-o", str(tmp_path / "out" / "x.katachi")]
    monkeypatch.setattr(sys, "argv", args)
    with pytest.raises(SystemExit) as ended:
        tool.main()
    assert ended.value.code == 2
    assert "amateur-large-kgs.tar.xz does not exist" in capsys.readouterr().err
