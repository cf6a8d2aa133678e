"""docs/formats.md: its program makes the keys that Katachi makes, and its tables say what is so."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WHITE, point, row_col
from katachi.go.position import Position
from katachi.library.file import APPLICATION
from katachi.library.file import FORMAT as LIBRARY
from katachi.library.keys import keys_of
from katachi.match.record import FORMAT as MATCH
from katachi.match.tune_log import FORMAT as TUNE
from katachi.models.model import FORMAT as MODEL
from katachi.patterns.competitions import FIXED
from katachi.patterns.competitions import FORMAT as COMPETITIONS
from katachi.patterns.shapes.answers import ANSWERS
from katachi.patterns.shapes.dictionary import FORMAT as SHAPES
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.templates import ALL_TEMPLATES, LIBERTIES, MARKED, PLAIN, Templates
from katachi.records.game import Game
from tests.trained import games

PAGE = Path(__file__).parent.parent / "docs" / "formats.md"
TEXT = PAGE.read_text(encoding="utf-8")

State = Callable[[int, int], int | None]


@cache
def program() -> dict[str, Any]:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    return names


def seen(position: Position, view: int, last: int) -> State:
    """The state of a point, as the page's program wants it, told by the position alone."""
    board = position.board

    def look(row: int, col: int) -> int | None:
        if not (0 <= row < position.size and 0 <= col < position.size):
            return 2
        p = point(row, col)
        colour = int(board.color[p])
        if colour == EMPTY:
            return None
        state = 0 if colour == position.to_move else 1
        if view == MARKED and p == last:
            return state + 3
        if view == LIBERTIES:
            return state + 3 * min(int(board.liberties[board.head[p]]), 3)
        return state

    return look


def moments(game: Game) -> list[tuple[Position, int, list[int]]]:
    """(position, the move played, the last two moves, the last one first) of every stone."""
    found = []
    for number, (_, played) in enumerate(game.moves):
        if played != PASS:
            last = [p for _, p in game.moves[max(0, number - 2) : number]][::-1]
            found.append((game.position(number), played, last))
    return found


@pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)
def test_keys_of_shapes(templates: Templates) -> None:
    """All keys around the moves of a game, each radius apart."""
    some = games(0, 1)
    found = harvest(some, templates=templates, rule="played", min_count=1)
    for ring, radius in enumerate(templates.radii):
        if templates.view == PLAIN and radius not in (3, 6, 10, 999):
            continue
        keys = {
            program()["shape_key"](
                seen(position, templates.view, last[0] if last else PASS), *row_col(move), radius
            )
            for position, move, last in moments(some[0])
        }
        assert keys == set(found.keys[found.rings == ring].tolist())


def test_keys_of_answers() -> None:
    some = games(0, 1)
    found = harvest(some, templates=ANSWERS, rule="played", min_count=1)
    for number, kind in enumerate(ANSWERS.labels):
        keys = set()
        for position, move, last in moments(some[0]):
            known = last[: last.index(PASS)] if PASS in last else last
            if len(known) >= program()["KINDS"][kind][3]:
                where = [row_col(p) for p in known]
                keys.add(
                    program()["answer_key"](
                        kind, lambda view, at=position: seen(at, view, PASS), row_col(move), where
                    )
                )
        assert keys == set(found.keys[found.rings == number].tolist()), kind


def test_keys_of_whole_positions() -> None:
    """Those of libraries: one XOR for each symmetry, and the smallest."""
    numbers = np.random.default_rng(2007).integers(1, 2**64, 3 * AREA, dtype=np.uint64)
    assert "`np.random.default_rng(2007).integers(1, 2**64, 3 * AREA, dtype=np.uint64)`" in TEXT
    corpus = games(0, 1)
    found = keys_of(corpus.actions[corpus.starts[0] : corpus.starts[1]], 9)
    turned = program()["turned"]
    for position, key in zip(
        [corpus[0].position(n) for n in range(len(corpus[0].moves))],
        found.keys[:, -1].tolist(),
        strict=True,
    ):
        sums = [0] * 8
        for row in range(9):
            for col in range(9):
                colour = int(position.board.color[point(row, col)])
                for s in range(8 if colour in (BLACK, WHITE) else 0):
                    y, x = turned(row - 4, col - 4, s)  # the middle of the board stays
                    own = 1 if colour == position.to_move else 2
                    sums[s] ^= int(numbers[own * AREA + point(y + 4, x + 4)])
        assert key == min(sums)


def test_the_numbers_of_the_page() -> None:
    first = ", ".join(str(int(one)) for one in program()["NUMBERS"].ravel()[:3])
    assert f"The first three of `NUMBERS`\nare {first}" in TEXT
    assert point(0, 0) == STRIDE + 1
    assert f"(row + 1) · {STRIDE} + column + 1" in TEXT


def test_formats_and_columns_are_those_of_the_code() -> None:
    for name in (SHAPES, COMPETITIONS, MODEL, TUNE):
        assert f"`{name}`" in TEXT
    assert f"| `match.json` | {MATCH} |" in TEXT
    assert f"0x{APPLICATION:X}, `user_version` {LIBRARY}" in TEXT.replace("4b", "4B")
    for name, dtype in FIXED.items():
        assert re.search(rf"^\| `{name}\.npy` \| {dtype}\[", TEXT, re.MULTILINE), name
