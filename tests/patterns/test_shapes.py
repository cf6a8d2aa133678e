"""The dictionary: drawn, saved and loaded, merged; and every way in which a file can be wrong."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from katachi.errors import KatachiError
from katachi.patterns.shapes.dictionary import (
    FORMAT,
    KIND,
    Shapes,
    load_shapes,
    merge_shapes,
    picture_starts,
)
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.lookup import find
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    LIBERTY_CIRCLES,
    MARKED_CIRCLES,
    PLAIN,
    STERN_TEMPLATES,
    Templates,
)
from katachi.tensors import packed
from tests.games import bundled_sgfs
from tests.patterns.shape_oracle import (
    BOARD,
    corpus_from,
    count_shapes,
    counted,
    forms,
    places,
    random_record,
    record_of,
    same_shapes,
)

COLUMNS = ("keys", "counts", "rings", "pictures")
FAMILIES = pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)


@cache
def small_records() -> list[bytes]:
    bundled = [text for name, text in bundled_sgfs().items() if "-09-" in name]
    return [*bundled[:5], *(random_record(size, seed, 40) for seed, size in enumerate((5, 7, 5)))]


@cache
def some_shapes(templates: Templates = COULOM_CIRCLES, min_count: int = 2) -> Shapes:
    return harvest(
        corpus_from(small_records()), templates=templates, rule="played", min_count=min_count
    )


# -- what stands in it ---------------------------------------------------------------------------


@FAMILIES
def test_order_and_columns(templates: Templates) -> None:
    shapes = some_shapes(templates, 1)
    assert [getattr(shapes, name).dtype for name in COLUMNS] == [
        np.uint64,
        np.int64,
        np.uint8,
        np.uint8,
    ]
    rows = list(
        zip(shapes.rings.tolist(), (-shapes.counts).tolist(), shapes.keys.tolist(), strict=True)
    )
    assert rows == sorted(rows)
    assert len(shapes) == len(rows) == len(set(shapes.keys.tolist()))
    assert picture_starts(templates, shapes.rings)[-1] == len(shapes.pictures)
    per_template = shapes.per_template()
    assert tuple(per_template) == templates.labels
    assert list(per_template.values()) == [
        shapes.rings.tolist().count(t) for t in range(len(templates))
    ]
    assert shapes.sizes == (5, 7, 9)
    assert ("board" in per_template) == (templates is STERN_TEMPLATES)


@FAMILIES
def test_pictures_are_packed(templates: Templates) -> None:
    """Two bits to a point, or four where a stone has more than its colour; the rest is zero."""
    shapes = some_shapes(templates, 1)
    bits = 2 if templates.view == PLAIN else 4
    starts = picture_starts(templates, shapes.rings).tolist()
    for shape in range(0, len(shapes), 7):
        packed = int.from_bytes(shapes.pictures[starts[shape] : starts[shape + 1]], "little")
        states = shapes.states(shape).tolist()
        assert len(states) == len(places(templates.radii[shapes.rings[shape]]))
        assert packed == sum(state << bits * k for k, state in enumerate(states))
        assert starts[shape + 1] - starts[shape] == -(-bits * len(states) // 8)


def test_every_shape_is_found_by_its_key() -> None:
    shapes = some_shapes()
    assert [find(shapes.lookup, key) for key in shapes.keys] == list(range(len(shapes)))
    assert find(shapes.lookup, shapes.keys[0] ^ np.uint64(1)) == -1


def test_a_dictionary_of_nothing(tmp_path: Path) -> None:
    """Setup alone is a game without positions."""
    shapes = harvest(corpus_from([record_of(9, "AB[aa][bb]")]), min_count=1)
    assert len(shapes) == 0
    assert set(shapes.per_template().values()) == {0}
    shapes.save(tmp_path / "nothing")
    assert same_shapes(load_shapes(tmp_path / "nothing"), shapes)
    assert same_shapes(merge_shapes([shapes, shapes]), shapes)
    assert same_shapes(shapes.keep(1), shapes)


# -- drawing -------------------------------------------------------------------------------------


def drawings(record: bytes, templates: Templates = COULOM_CIRCLES) -> dict[int, str]:
    """Radius → the shape around the only move of a record."""
    shapes = harvest(corpus_from([record]), templates=templates, rule="played", min_count=1)
    assert shapes.rings.tolist() == list(range(len(templates)))
    return {radius: shapes.draw(shape) for shape, radius in enumerate(templates.radii)}


def text(picture: str) -> str:
    """A picture in the source as `draw` writes it."""
    return dedent(picture).strip("\n")


def turned_texts(picture: str, with_liberties: bool = False) -> list[str]:
    """The 8 forms of a picture. With liberties its signs are words, and `_` is no place at all."""
    width = 2 if with_liberties else 1
    lines = text(picture).split("\n")
    words = [line.split() if with_liberties else list(line[::2]) for line in lines]
    spots = {
        (row, col): sign.rjust(width)
        for row, line in enumerate(words)
        for col, sign in enumerate(line)
        if sign not in " _"
    }
    result = []
    for symmetry in range(8):
        image = {forms(row, col)[symmetry]: sign for (row, col), sign in spots.items()}
        rows, columns = (sorted({place[axis] for place in image}) for axis in (0, 1))
        lines = [" ".join(image.get((row, col), " " * width) for col in columns) for row in rows]
        result.append("\n".join(line.rstrip() for line in lines))
    return result


EMPTY_CIRCLES = {
    3: """
        . . .
        . * .
        . . .
        """,
    4: """
            .
          . . .
        . . * . .
          . . .
            .
        """,
    5: """
          . . .
        . . . . .
        . . * . .
        . . . . .
          . . .
        """,
    8: """
                .
            . . . . .
          . . . . . . .
          . . . . . . .
        . . . . * . . . .
          . . . . . . .
          . . . . . . .
            . . . . .
                .
        """,
}


def test_empty_circles() -> None:
    drawn = drawings(record_of(19, ";B[jj]"))
    for radius, picture in EMPTY_CIRCLES.items():
        assert drawn[radius] == text(picture)


# Black's four around a point, White's four farther out, as Black sees them.
SYMMETRIC = """
          .
      O . . . O
      . X . X .
    . . . * . . .
      . X . X .
      O . . . O
          .
    """


@pytest.mark.parametrize(("colour", "signs"), [("B", "XO"), ("W", "OX")])
def test_stones_are_drawn_as_the_mover_sees_them(colour: str, signs: str) -> None:
    setup = "AB[dd][df][fd][ff]AW[cc][cg][gc][gg]"
    drawn = drawings(record_of(9, f"{setup};{colour}[ee]"))
    assert drawn[6] == text(SYMMETRIC.translate(str.maketrans("XO", signs)))


def test_the_board_is_drawn_whole_and_alone() -> None:
    drawn = drawings(record_of(5, "AB[aa][ae][ea][ee];B[cc]"), STERN_TEMPLATES)
    assert drawn[BOARD] == text("""
        X . . . X
        . . . . .
        . . * . .
        . . . . .
        X . . . X
        """)
    assert drawn[8] == text("""
                #
            # # # # #
          # X . . . X #
          # . . . . . #
        # # . . * . . # #
          # . . . . . #
          # X . . . X #
            # # # # #
                #
        """)


# The opponent's stone was played last; then the same where the mover plays twice.
MARKED_AT_THE_EDGE = """
      . . .
    . . @ . .
    . . * X .
    . X . O .
      # # #
    """


@pytest.mark.parametrize("colour", ["B", "W"])
@pytest.mark.parametrize("sign", ["@", "Y"])
def test_the_previous_move_is_drawn(colour: str, sign: str) -> None:
    own, others = ("B", "W") if colour == "B" else ("W", "B")
    last = others if sign == "@" else own
    record = record_of(9, f"A{own}[fh][di]A{others}[fi];{last}[eg];{colour}[eh]")
    shapes = harvest(corpus_from([record]), templates=MARKED_CIRCLES, rule="played", min_count=1)
    drawn = [shapes.draw(i) for i in range(len(shapes)) if shapes.rings[i] == 2]
    expected = MARKED_AT_THE_EDGE.replace("@", sign)
    assert len(set(turned_texts(expected)).intersection(drawn)) == 1


@pytest.mark.parametrize("between", [";B[];W[]", ";W[];PL[B]", ";AE[aa]", ";AB[ei]"])
def test_no_mark_is_drawn_after_a_pass_or_setup(between: str) -> None:
    """Nor in a shape that the previous move is too far from."""
    record = record_of(9, f";B[dd];W[ee]{between};B[ed];W[];B[hh];W[hb]")
    shapes = harvest(corpus_from([record]), templates=MARKED_CIRCLES, rule="played", min_count=1)
    drawn = [shapes.draw(i) for i in range(len(shapes))]
    assert not any(sign in picture for picture in drawn for sign in "Y")
    # W[ee] has B[dd] beside it; all other moves come after passes, setup, or far away.
    assert sum("@" in picture for picture in drawn) == len(MARKED_CIRCLES)


# A stone in atari, one with two liberties, one with three, and strings with more: 3, too.
WITH_LIBERTIES = {
    3: """
         . X3 X3
        O2  *  .
        X1 O3  .
        """,
    5: """
         _  #  #  #  _
         #  . X3 X3  .
         # O2  *  . O3
         # X1 O3  .  .
         _  .  .  .  _
        """,
}


@pytest.mark.parametrize(("own", "others"), ["BW", "WB"])
def test_liberties_are_drawn(own: str, others: str) -> None:
    setup = f"A{own}[ba][ca][ac]A{others}[ab][bc][db][eb]"
    drawn = drawings(record_of(7, f"{setup};{own}[bb]"), LIBERTY_CIRCLES)
    for radius, picture in WITH_LIBERTIES.items():
        assert len(set(turned_texts(picture, True))) == 8
        assert drawn[radius] in turned_texts(picture, True)
    assert turned_texts(WITH_LIBERTIES[3], True)[0] == " . X3 X3\nO2  *  .\nX1 O3  ."


def test_liberties_go_one_by_one() -> None:
    """The stone beside each of Black's moves has one liberty less every time."""
    record = record_of(9, "AW[ee];B[ed];W[aa];B[de];W[ia];B[fe];W[ai];B[ef]")
    shapes = harvest(corpus_from([record]), templates=LIBERTY_CIRCLES, rule="played", min_count=1)
    drawn = {shapes.draw(i) for i in range(len(shapes)) if shapes.rings[i] == 0}
    for picture in (
        ". . .\n. * .\n. O3 .",
        ". . X3\n. * O3\n. . .",
        "X3 . .\nO2 * .\n. . .",
        "X3 O1 X3\n. * .\n. . .",
    ):
        assert len(drawn.intersection(turned_texts(picture, True))) == 1


ON_7X7 = """
    . . X . . . .
    . * . . . . .
    . O . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
AROUND = {
    3: """
        . . X
        . * .
        . O .
        """,
    5: """
          # # #
        # . . X .
        # . * . .
        # . O . .
          . . .
        """,
    BOARD: ON_7X7,
}


def records_of_on_7x7() -> list[bytes]:
    """The move of ON_7X7 in 8 forms, by Black and by White."""
    found = []
    for symmetry in range(8):
        own, opponent, move = (
            chr(ord("d") + x) + chr(ord("d") + y)
            for y, x in (forms(row - 3, col - 3)[symmetry] for row, col in [(0, 2), (2, 1), (1, 1)])
        )
        found.append(record_of(7, f"AB[{own}]AW[{opponent}];B[{move}]"))
        found.append(record_of(7, f"AW[{own}]AB[{opponent}];W[{move}]"))
    return found


@FAMILIES
def test_all_forms_of_a_shape_are_drawn_as_one(templates: Templates) -> None:
    drawn = [drawings(record, templates) for record in records_of_on_7x7()]
    assert len(drawn) == 16
    assert all(one == drawn[0] for one in drawn)
    for radius, picture in AROUND.items():
        assert len(set(turned_texts(picture))) == 8
        if templates is LIBERTY_CIRCLES and radius == 3:
            picture = picture.replace("X", "X3").replace("O", "O3")
            assert drawn[0][radius] in turned_texts(picture, True)
        elif templates is not LIBERTY_CIRCLES and radius in templates.radii:
            assert drawn[0][radius] in turned_texts(picture)


# -- files ---------------------------------------------------------------------------------------


@FAMILIES
@pytest.mark.parametrize("min_count", [1, 3])
def test_a_file_gives_back_the_dictionary(
    templates: Templates, min_count: int, tmp_path: Path
) -> None:
    shapes = some_shapes(templates, min_count)
    path = tmp_path / "name.shapes"
    shapes.save(path)
    loaded = load_shapes(path)
    assert same_shapes(loaded, shapes)
    assert loaded.draw(len(shapes) - 1) == shapes.draw(len(shapes) - 1)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_saved_over(tmp_path: Path) -> None:
    path = tmp_path / "name.shapes"
    for min_count in (1, 5, 2):
        some_shapes(min_count=min_count).save(path)
        assert same_shapes(load_shapes(path), some_shapes(min_count=min_count))


def test_a_file_has_the_usual_permissions(tmp_path: Path) -> None:
    """As any other file that the user writes: it may be for others to read."""
    some_shapes().save(tmp_path / "name.shapes")
    (tmp_path / "other").write_bytes(b"")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


class HalfWritten:
    """A file on a disk that is full after some bytes."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __enter__(self) -> HalfWritten:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.handle)

    def write(self, data: bytes) -> None:
        os.write(self.handle, data[: len(data) // 2])
        raise OSError(28, "No space left on device")


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("where", "crash", "error"),
    [
        (
            "folders.Path.open",
            lambda path, _: HalfWritten(os.open(path, os.O_WRONLY)),
            KatachiError,
        ),
        ("folders.Path.replace", interrupted, KeyboardInterrupt),
        ("tensors.safetensors.numpy.save", interrupted, KeyboardInterrupt),
    ],
)
def test_a_crash_while_saving_leaves_the_old_file(
    where: str,
    crash: Callable[..., Any],
    error: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "name.shapes"
    some_shapes(min_count=3).save(path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(f"katachi.{where}", crash)
        with pytest.raises(error):
            some_shapes(min_count=2).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# -- damaged files -------------------------------------------------------------------------------

ABOUT = {"templates": "circles", "rule": "played", "min_count": 2, "sizes": [5, 7, 9]}


def good_columns() -> dict[str, Any]:
    return {name: getattr(some_shapes(), name) for name in COLUMNS}


def header_of(**entries: Any) -> dict[str, str]:
    """The right header but for these entries; one that is None is left out."""
    about = {name: value for name, value in (ABOUT | entries).items() if value is not None}
    return {"format": FORMAT, "shapes": json.dumps(about)}


def file_of(columns: Mapping[str, Any] | None = None, /, **entries: Any) -> bytes:
    """A file with these columns and entries of the header instead of the right ones."""
    return packed(KIND, header_of(**entries)["shapes"], {**good_columns(), **(columns or {})})


def refused(data: bytes, folder: Path) -> str:
    """How the file is refused: in one sentence that names it."""
    path = folder / "damaged.shapes"
    path.write_bytes(data)
    with pytest.raises(KatachiError) as caught:
        load_shapes(path)
    message = str(caught.value)
    assert message.startswith(f"{path} ")
    assert "\n" not in message
    assert len(message) < len(str(path)) + 200
    return message


def test_the_file_that_is_damaged_below_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "sound.shapes"
    path.write_bytes(file_of())
    assert same_shapes(load_shapes(path), some_shapes())


def test_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "missing.shapes"
    with pytest.raises(KatachiError, match="does not exist: make it by katachi harvest") as caught:
        load_shapes(path)
    assert str(caught.value).startswith(str(path))


def test_a_folder_is_no_file_but_exists(tmp_path: Path) -> None:
    with pytest.raises(KatachiError) as caught:
        load_shapes(tmp_path)
    assert "does not exist" not in str(caught.value)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 50, 300, -5000, -1000, -100, -2, -1])
def test_a_file_cut_short(length: int, tmp_path: Path) -> None:
    assert "cut short" in refused(file_of()[:length], tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        np.random.default_rng(1).bytes(5000),
        b"\x10" + bytes(7) + np.random.default_rng(2).bytes(5000),
        b"(;GM[1]SZ[9];B[aa])",
        b"\x02" + bytes(7) + b"[]",
    ],
    ids=["random", "random header", "SGF", "no object"],
)
def test_no_dictionary_at_all(data: bytes, tmp_path: Path) -> None:
    assert "no dictionary of shapes" in refused(data, tmp_path)


def test_a_file_with_something_after_it(tmp_path: Path) -> None:
    assert "no dictionary of shapes" in refused(file_of() + b"!", tmp_path)


def test_another_kind_of_file(tmp_path: Path) -> None:
    plain = safetensors.numpy.save({"weights": np.zeros(3)})
    assert f"another kind of file, not {FORMAT}" in refused(plain, tmp_path)
    model = safetensors.numpy.save({"gammas": np.zeros(3)}, {"format": "katachi-model-1"})
    assert f"is katachi-model-1, not {FORMAT}" in refused(model, tmp_path)


def test_another_kind_of_file_with_numbers_that_numpy_has_not(tmp_path: Path) -> None:
    """Many models of neural networks are such."""
    header = b'{"weights":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}'
    data = len(header).to_bytes(8, "little") + header + b"1234"
    assert f"another kind of file, not {FORMAT}" in refused(data, tmp_path)


def test_another_version(tmp_path: Path) -> None:
    old = header_of() | {"format": "katachi-shapes-1"}
    message = refused(safetensors.numpy.save(good_columns(), old), tmp_path)
    assert f"is katachi-shapes-1, not {FORMAT}: harvest it again" in message


@pytest.mark.parametrize("name", ["squares", "", 8])
def test_unknown_templates(name: Any, tmp_path: Path) -> None:
    assert "unknown templates" in refused(file_of(templates=name), tmp_path)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("templates", None),
        ("templates", ["circles"]),
        ("rule", None),
        ("rule", "moves"),
        ("min_count", None),
        ("min_count", "often"),
        ("min_count", 0),
        ("min_count", math.inf),
        ("sizes", None),
        ("sizes", "[5, 7"),
        ("sizes", 9),
        ("sizes", [math.inf]),
    ],
)
def test_a_damaged_header(entry: str, value: Any, tmp_path: Path) -> None:
    assert "damaged" in refused(file_of(**{entry: value}), tmp_path)


@pytest.mark.parametrize("about", ["", "{", "[]", "3", "null", '"circles"', None])
def test_a_header_that_is_none(about: str | None, tmp_path: Path) -> None:
    if about is None:
        data = safetensors.numpy.save(good_columns(), {"format": FORMAT})
    else:
        data = packed(KIND, about, good_columns())
    assert "damaged" in refused(data, tmp_path)


def test_columns_that_do_not_fit(tmp_path: Path) -> None:
    shapes = some_shapes()
    for name in ("keys", "counts", "rings"):
        column = getattr(shapes, name)
        for wrong in (column[:-1], column[:0], np.append(column, column[:1])):
            assert "damaged" in refused(file_of({name: wrong}), tmp_path)
    for name in COLUMNS:
        for kind in (np.int32, np.float64, np.uint16):
            column = getattr(shapes, name).astype(kind)
            assert "damaged" in refused(file_of({name: column}), tmp_path)
    assert "damaged" in refused(file_of({"more": shapes.keys}), tmp_path)
    for name in COLUMNS:
        rest = {n: column for n, column in good_columns().items() if n != name}
        assert "damaged" in refused(packed(KIND, header_of()["shapes"], rest), tmp_path)


@pytest.mark.parametrize("change", [-1, -100, 1])
def test_pictures_that_do_not_fit(change: int, tmp_path: Path) -> None:
    pictures = np.resize(some_shapes().pictures, len(some_shapes().pictures) + change)
    assert "pictures do not fit" in refused(file_of({"pictures": pictures}), tmp_path)


@pytest.mark.parametrize("name", ["stern", "marked", "liberties"])
def test_columns_of_other_templates(name: str, tmp_path: Path) -> None:
    """A dictionary of circles cannot be taken for another, whose pictures have other sizes."""
    assert "damaged" in refused(file_of(templates=name), tmp_path)
    others = {column: getattr(some_shapes(ALL_TEMPLATES[name]), column) for column in COLUMNS}
    assert "pictures do not fit" in refused(file_of(others), tmp_path)


@pytest.mark.parametrize("ring", [8, 200, 255])
def test_a_template_that_is_not_there(ring: int, tmp_path: Path) -> None:
    rings = some_shapes().rings.copy()
    rings[-1] = ring
    assert "damaged" in refused(file_of({"rings": rings}), tmp_path)


@pytest.mark.parametrize("name", ["keys", "counts", "rings"])
def test_columns_are_columns(name: str, tmp_path: Path) -> None:
    """Neither tables nor single numbers."""
    column = getattr(some_shapes(), name)
    for wrong in (column[:, None], np.array(column[0])):
        assert "damaged" in refused(file_of({name: wrong}), tmp_path)


def test_a_flipped_bit_in_the_header_is_an_error_or_none(tmp_path: Path) -> None:
    whole = file_of()
    path = tmp_path / "flipped.shapes"
    refusals = []
    for i in range(8 + int.from_bytes(whole[:8], "little")):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        try:
            load_shapes(path)
        except KatachiError as error:
            refusals.append(str(error))
    assert len(refusals) > 200
    assert not any("\n" in message for message in refusals)


# -- merging -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["candidates", "played"])
@FAMILIES
def test_halves_merge_into_the_whole(templates: Templates, rule: str) -> None:
    records = small_records()[-3:] if rule == "candidates" else small_records()
    halves = [
        harvest(corpus_from(half), templates=templates, rule=rule, min_count=1)
        for half in (records[:-2], records[-2:])
    ]
    assert halves[0].sizes != halves[1].sizes
    for order in (halves, halves[::-1]):
        merged = merge_shapes(order)
        for min_count in (1, 2, 5):
            whole = harvest(
                corpus_from(records), templates=templates, rule=rule, min_count=min_count
            )
            assert same_shapes(merged.keep(min_count), whole)
    if rule == "played":
        assert counted(merged) == count_shapes(records, templates.name, rule)


def test_one_part_and_many() -> None:
    parts = [harvest(corpus_from([r]), rule="played", min_count=1) for r in small_records()]
    assert same_shapes(merge_shapes(parts[:1]), parts[0])
    assert same_shapes(merge_shapes(parts), some_shapes(min_count=1))
    assert same_shapes(
        merge_shapes([merge_shapes(parts[:4]), merge_shapes(parts[4:])]), some_shapes(min_count=1)
    )


def test_keep() -> None:
    shapes = some_shapes(min_count=2)
    kept = shapes.keep(5)
    assert kept.min_count == 5
    assert 0 < len(kept) < len(shapes)
    assert kept.counts.min() == 5
    assert same_shapes(kept.keep(2), kept)  # what is dropped does not come back, nor is it said to
    assert same_shapes(shapes.keep(1), shapes)
    none = shapes.keep(10**6)
    assert len(none) == len(none.pictures) == 0


def test_what_does_not_merge() -> None:
    whole = some_shapes(min_count=1)
    with pytest.raises(KatachiError, match="seen 2 times or more does not merge"):
        merge_shapes([whole, some_shapes(min_count=2)])
    with pytest.raises(KatachiError, match="does not merge"):
        merge_shapes([whole.keep(3), whole])
    for templates in (STERN_TEMPLATES, MARKED_CIRCLES, LIBERTY_CIRCLES):
        with pytest.raises(KatachiError, match="different templates or rules"):
            merge_shapes([whole, some_shapes(templates, 1)])
    other = harvest(corpus_from(small_records()), rule="candidates", min_count=1)
    with pytest.raises(KatachiError, match="different templates or rules"):
        merge_shapes([whole, other])
