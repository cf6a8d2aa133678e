"""Files of competitions for `katachi rate`: JSON lines, CSV, and the format of mm."""

from __future__ import annotations

import io
import json
import math
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

from fuzz import damage
from katachi.cli import main

ENDINGS = (".jsonl", ".csv", ".mm", ".txt")
PIECES = (
    b"\n",
    b"#\n",
    b"!\n",
    b"! 3\n",
    b",",
    b'"',
    b"{",
    b"}",
    b"[]",
    b'{"teams":',
    b"1e999",
    b"NaN",
    b"-1",
    b"99999999999999999999",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\x00",
    b"winner",
    b"\xff",
)


def generate(rng: Random) -> bytes:
    """One byte that chooses the ending of the file's name, then its contents."""
    make = rng.choice((_json_lines, _csv, _mm))
    data = make(rng)
    if rng.random() < 0.9:
        data = damage(data, rng, PIECES)
    return bytes([rng.randrange(256)]) + data


def _teams(rng: Random) -> list[list[str]]:
    names = [f"m{n}" for n in range(rng.choice((1, 3, 8)))]
    return [rng.sample(names, rng.randrange(len(names) + 1)) for _ in range(rng.randrange(1, 5))]


def _json_lines(rng: Random) -> bytes:
    rows = []
    for _ in range(rng.randrange(1, 8)):
        teams = _teams(rng)
        if rng.random() < 0.5:
            rows.append(json.dumps({"teams": teams, "winner": rng.randrange(len(teams))}))
        else:
            rows.append(json.dumps({"winner": teams[0], "losers": teams[1:]}))
    return "\n".join(rows).encode()


def _csv(rng: Random) -> bytes:
    rows = ["winner,loser"] if rng.random() < 0.5 else []
    for _ in range(rng.randrange(1, 8)):
        rows.append(",".join(" ".join(team) for team in _teams(rng)))
    return "\n".join(rows).encode()


def _mm(rng: Random) -> bytes:
    sizes = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 4))]
    first = [sum(sizes[:i]) for i in range(len(sizes))]
    rows = [f"! {sum(sizes)}", str(len(sizes)), *(f"{n} f{i}" for i, n in enumerate(sizes)), "!"]
    for _ in range(rng.randrange(1, 8)):
        teams = [
            " ".join(
                str(a + rng.randrange(n))
                for a, n in zip(first, sizes, strict=True)
                if rng.random() < 0.8
            )
            for _ in range(rng.randrange(1, 5))
        ]
        rows += ["#", rng.choice(teams), *teams]
    return "\n".join([*rows, ""]).encode()


def check(data: bytes, folder: Path) -> None:
    """It is refused in one sentence, or rated with numbers that are some."""
    path = folder / f"a{ENDINGS[data[0] % len(ENDINGS)] if data else ''}"
    path.write_bytes(data[1:])
    out, err = io.StringIO(), io.StringIO()
    status: object = None
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(["rate", str(path), "--json", "--max-iterations", "30"])
        except SystemExit as end:
            status = end.code
    assert status in (0, 2), status
    if status == 2:
        *others, last = err.getvalue().strip().splitlines()
        assert last.startswith("katachi: "), last
        assert all(line.startswith("compiling") for line in others), others
        assert not out.getvalue()
        return
    told = json.loads(out.getvalue(), parse_constant=_refuse)
    for row in told["ratings"]:
        assert all(math.isfinite(row[name]) for name in ("elo", "gamma")), row


def _refuse(name: str) -> float:
    raise AssertionError(f"{name} is no JSON")
