"""Families of shapes, the largest or one to each template, against pictures; and `Features`."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.points import BLACK, PASS, point, row_col
from katachi.go.position import Position
from katachi.patterns.catalogue import COULOM, EXTENDED, PLAYOUT, Catalogue
from katachi.patterns.competitions import FIXED
from katachi.patterns.describe import describe, describe_position
from katachi.patterns.families.shape import shape_families
from katachi.patterns.features import Features, Watch, dictionary_names
from katachi.patterns.shapes.answers import HARVESTED, AnyTemplates
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.keys import template_keys
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    STERN_TEMPLATES,
    Templates,
    tables,
)
from tests.go.helpers import FROM_SGF_COLOUR, bundled_games
from tests.kept import holds
from tests.patterns.shape_oracle import (
    BOARD,
    RADII,
    VIEWS,
    Shape,
    Turn,
    added,
    canonical,
    corpus_from,
    from_katachis_order,
    random_record,
    shapes_at,
    turns,
)

NONE_BUT_SHAPES = Catalogue("none", ())
FAMILIES = pytest.mark.parametrize("name", ALL_TEMPLATES)


@cache
def known() -> list[bytes]:
    """The games from which the shapes are: of two sizes, with passes, setup, moves out of turn."""
    return [
        *bundled_games(9)[:3],
        *(random_record(size, seed, 50) for seed, size in ((1, 9), (2, 5))),
    ]


@cache
def others() -> list[bytes]:
    """Games in which much is new."""
    return [bundled_games(9)[7], random_record(9, 3, 40), random_record(5, 4, 30)]


@cache
def dictionary(name: str, rule: str = "played", min_count: int = 1) -> Shapes:
    return harvest(corpus_from(known()), templates=HARVESTED[name], rule=rule, min_count=min_count)


class Place(NamedTuple):
    """Where a shape stands in a dictionary: its template, its number there, its number in all."""

    template: int
    of_template: int
    of_all: int


@cache
def index_of(name: str, rule: str, min_count: int) -> dict[Shape, Place]:
    """Every picture of a dictionary; numbers count from 1."""
    shapes = dictionary(name, rule, min_count)
    found: dict[Shape, Place] = {}
    assert isinstance(shapes.templates, Templates)
    seen = [0] * len(shapes.templates)
    for number, ring in enumerate(shapes.rings.tolist()):
        radius = shapes.templates.radii[ring]
        one = from_katachis_order(shapes.states(number), shapes.templates, ring)
        seen[ring] += 1
        found[radius, canonical(one, radius)] = Place(ring, seen[ring], number + 1)
    assert len(found) == len(shapes)
    return found


def moments(records: list[bytes], step: int) -> Iterator[tuple[Position, Turn]]:
    """Positions by Katachi, and the same by the oracle."""
    for record in records:
        (game,) = corpus_from([record])
        for number, turn in list(enumerate(turns(record)))[::step]:
            position = game.position(number)
            assert position.to_move == FROM_SGF_COLOUR[turn.colour]
            yield position, turn


def shapes_there(turn: Turn, p: int, name: str) -> list[Shape]:
    more = added(VIEWS[name], turn.stones, turn.size, turn.previous)
    return shapes_at(turn.stones, turn.size, row_col(p), turn.colour, RADII[name], more)


# -- against pictures ----------------------------------------------------------------------------


@pytest.mark.slow
@FAMILIES
@pytest.mark.parametrize(("rule", "min_count"), [("played", 1), ("played", 2), ("candidates", 9)])
def test_levels_are_the_shapes_that_stand_there(name: str, rule: str, min_count: int) -> None:
    """Each template's, and the largest of them, around every legal point."""
    shapes = dictionary(name, rule, min_count)
    places = index_of(name, rule, min_count)
    all_radii = Features(NONE_BUT_SHAPES, {"x": shapes}, all_radii=True)
    largest = Features(NONE_BUT_SHAPES, {"x": shapes})
    told: list[LevelsOfMove] = []
    for position, turn in moments([known()[0], known()[-2], *others()], 9):
        teams = describe_position(position, all_radii)
        large = describe_position(position, largest)
        assert list(teams) == list(large) == position.legal_moves()
        assert teams[PASS] == large[PASS] == {}
        told += [(turn, p, teams[p], large[p]) for p in list(teams)[:-1]]
    levels = sum(len(of_radii) for *_, of_radii, _ in told)
    assert levels > 200
    assert len(told) * len(RADII[name]) - levels > 200
    numbers = [(shape, *at) for shape, at in places.items()]
    holds(compare, told, name, numbers)


LevelsOfMove: TypeAlias = tuple[Turn, int, dict[str, int], dict[str, int]]
Numbered: TypeAlias = tuple[Shape, int, int, int]


def compare(
    told: list[LevelsOfMove], name: str, numbers: list[tuple[Shape, int, int, int]]
) -> None:
    """Levels of all radii and of the largest, for points at turns; a shape's place is known."""
    places = {shape: at for shape, *at in numbers}
    for turn, p, teams, large in told:
        found = [places[shape] for shape in shapes_there(turn, p, name) if shape in places]
        of = RADII[name]
        expected = {
            f"x-{'board' if of[template] == BOARD else of[template]}": of_template
            for template, of_template, _ in found
        }
        assert teams == expected
        assert large == ({"x": found[-1][2]} if found else {})


@FAMILIES
def test_the_largest_is_the_last_of_all_radii(name: str) -> None:
    """In the columns themselves, from one watch."""
    shapes = dictionary(name)
    features = Features(NONE_BUT_SHAPES, {"x": shapes}, all_radii=True)
    (one,) = shape_families("x", shapes, all_radii=False)
    watch = Watch(features)
    checked = 0
    for position, _ in moments(known()[-2:] + others(), 5):
        watch.start(position.size)
        situation = watch.look(position.board)
        (large,) = describe(situation, (one,))
        of_radii = describe(situation, features.families)
        expected = np.zeros(situation.count, np.int64)
        for family, column in zip(features.families, of_radii, strict=True):
            expected[column > 0] = column[column > 0].astype(np.int64) + family.first
        assert large.tolist() == expected.tolist()
        checked += int(np.count_nonzero(expected))
    assert checked > 300


def test_a_mark_and_liberties_are_seen_in_a_position() -> None:
    """The same stones in another order are another shape with the mark, not with liberties."""
    names = {name: dictionary_of_one(name) for name in ALL_TEMPLATES}
    features = Features(NONE_BUT_SHAPES, names)
    middle = point(4, 4)

    def found(*moves: str, passes: int = 0) -> set[str]:
        position = Position(9)
        for move in moves:
            position.play(move)
        for _ in range(passes):
            position.pass_()
        return set(describe_position(position, features)[middle])

    assert found("D5", "F5") == {"circles", "stern", "marked", "liberties"}
    assert found("D5", "F5", passes=2) == {"circles", "stern", "liberties"}
    assert found("D5", "F5", "D4", "F9") == set()
    position = Position.from_diagram(str(played_position()), to_move=1)
    assert set(describe_position(position, features)[middle]) == {"circles", "stern", "liberties"}


def played_position() -> Position:
    position = Position(9)
    position.play("D5")
    position.play("F5")
    return position


def dictionary_of_one(name: str) -> Shapes:
    """The shapes around the third move alone."""
    shapes = [
        harvest(
            corpus_from([b"(;SZ[9];B[de];W[fe]" + more + b")"]),
            templates=ALL_TEMPLATES[name],
            rule="played",
            min_count=1,
        )
        for more in (b";B[ee]", b"")
    ]
    new = ~np.isin(shapes[0].keys, shapes[1].keys)
    assert np.count_nonzero(new) == len(ALL_TEMPLATES[name])
    whole = shapes[0]
    return Shapes(
        whole.templates,
        whole.rule,
        1,
        whole.sizes,
        whole.keys[new],
        whole.counts[new],
        whole.rings[new],
        np.zeros(0, np.uint8),
    )


# -- families ------------------------------------------------------------------------------------


@FAMILIES
def test_families_of_a_dictionary(name: str) -> None:
    shapes = dictionary(name)
    (largest,) = shape_families("shape", shapes, all_radii=False)
    assert (largest.name, largest.dictionary, largest.first) == ("shape", "shape", 0)
    assert largest.size == largest.shapes == len(shapes)
    families = shape_families("shape", shapes, all_radii=True)
    sizes = ["board" if radius == BOARD else str(radius) for radius in RADII[name]]
    assert [f.name for f in families] == [f"shape-{size}" for size in sizes]
    assert [f.size for f in families] == list(shapes.per_template().values())
    assert all(f.dictionary == "shape" and f.levels == () for f in families)
    for ring, family in enumerate(families):
        mine = slice(family.first, family.first + family.size)
        assert set(shapes.rings[mine].tolist()) == {ring}
        assert family.title.endswith(f"radius {sizes[ring]}")
    assert sum(f.size for f in families) == len(shapes)


def test_templates_without_a_shape_give_no_family() -> None:
    shapes = dictionary("circles")
    for without in ([7], [3, 4, 5, 6, 7]):  # the largest: what is known has known shapes in it
        kept = np.isin(shapes.rings, without, invert=True)
        some = Shapes(
            shapes.templates,
            "played",
            1,
            shapes.sizes,
            shapes.keys[kept],
            shapes.counts[kept],
            shapes.rings[kept],
            np.zeros(0, np.uint8),
        )
        features = Features(NONE_BUT_SHAPES, {"x": some}, all_radii=True)
        left = [r for i, r in enumerate(COULOM_CIRCLES.radii) if i not in without]
        assert [f.name for f in features.families] == [f"x-{radius}" for radius in left]
        whole = Features(NONE_BUT_SHAPES, {"x": shapes}, all_radii=True)
        for position, _ in moments(known()[-1:], 15):
            names = {f.name for f in features.families}
            for team, rest in zip(
                describe_position(position, whole).values(),
                describe_position(position, features).values(),
                strict=True,
            ):
                assert rest == {family: level for family, level in team.items() if family in names}


def test_a_dictionary_of_nothing() -> None:
    empty = dictionary("circles").keep(10**6)
    assert shape_families("x", empty, all_radii=True) == ()
    (largest,) = shape_families("x", empty, all_radii=False)
    assert largest.size == 0
    features = Features(NONE_BUT_SHAPES, {"x": empty})
    assert not any(describe_position(Position(9), features).values())


@pytest.mark.parametrize(
    ("count", "dtype"),
    [(1, "uint8"), (255, "uint8"), (256, "uint16"), (65_535, "uint16"), (65_536, "uint32")],
)
def test_the_smallest_type_that_holds_the_levels(count: int, dtype: str) -> None:
    """Counted within the family: the last template may have small numbers where all have not."""
    before = 70_999  # shapes of the template before it
    keys = np.arange(1, before + count + 1, dtype=np.uint64)
    t = tables(COULOM_CIRCLES, 9)
    places = {point(0, 0): before + 1, point(4, 4): before + count}  # the first and the last
    for p, number in places.items():
        out = np.zeros(8, np.uint64)
        template_keys(t.empty_keys, BLACK, p, t.salt, out)
        keys[number - 1] = out[1]
        keys[number - before - 1] = out[0]  # the smaller shape in it is known, too
    rings = np.repeat(np.array([0, 1], np.uint8), [before, count])
    shapes = Shapes(
        COULOM_CIRCLES,
        "played",
        1,
        (9,),
        keys,
        np.ones(len(keys), np.int64),
        rings,
        np.zeros(0, np.uint8),
    )
    _, family = shape_families("x", shapes, all_radii=True)
    assert (family.first, family.size, str(family.dtype)) == (before, count, dtype)
    one, all_radii = (
        describe_position(Position(9), Features(NONE_BUT_SHAPES, {"x": shapes}, radii))
        for radii in (False, True)
    )
    assert one[point(4, 4)] == {"x": before + count}
    assert all_radii[point(4, 4)]["x-4"] == count
    if count > 1:
        assert one[point(0, 0)] == {"x": before + 1}
        assert all_radii[point(0, 0)]["x-4"] == 1
        assert one[point(0, 1)] == all_radii[point(0, 1)] == {}


# -- features ------------------------------------------------------------------------------------


@cache
def of_all_views(min_count: int = 2) -> dict[str, Shapes]:
    return {
        "shape": dictionary("circles", "candidates", 9),
        "played": dictionary("circles", "played", min_count),
        "marked": dictionary("marked", "played", min_count),
        "liberties": dictionary("liberties", "played", min_count),
    }


def names_of(features: Features) -> list[str]:
    return [f.name for f in features.families]


def test_families_of_the_catalogue_come_first_and_shapes_last() -> None:
    plain = [f.name for f in COULOM.families if f.name != "owner"]
    assert names_of(Features(COULOM)) == plain
    assert names_of(Features(COULOM, owner=True)) == [f.name for f in COULOM.families]
    dictionaries = of_all_views()
    assert names_of(Features(COULOM, dictionaries)) == [*plain, *dictionaries]
    expected = [
        f"{name}-{radius}"
        for name, shapes in dictionaries.items()
        for radius, count in shapes.per_template().items()
        if count
    ]
    found = names_of(Features(COULOM, dictionaries, all_radii=True))
    assert found == plain + expected
    assert len(set(found)) == len(found)


def test_without() -> None:
    """What is left out is gone; the rest says what it said before."""
    left_out = frozenset({"border", "shape-3", "marked-5", "liberties-6", "owner"})
    whole = Features(COULOM, of_all_views(), all_radii=True)
    some = Features(COULOM, of_all_views(), all_radii=True, without=left_out)
    assert names_of(some) == [name for name in names_of(whole) if name not in left_out]
    assert len(names_of(some)) == len(names_of(whole)) - 4
    assert names_of(Features(COULOM, owner=True, without=left_out))[-1] == "distance2"
    for position, _ in moments(others()[:1], 20):
        teams, fewer = (describe_position(position, features) for features in (whole, some))
        assert fewer == {
            p: {family: level for family, level in team.items() if family not in left_out}
            for p, team in teams.items()
        }


def test_also() -> None:
    """The families of other features of the same dictionaries, each once."""
    large = Features(COULOM, of_all_views(), without=frozenset({"atari"}))
    radii = Features(COULOM, of_all_views(), all_radii=True)
    both = Features(COULOM, of_all_views(), without=frozenset({"atari"}), also=(radii, large))
    names = names_of(both)
    assert names[: len(large.families)] == names_of(large)
    assert names[len(large.families) :] == [n for n in names_of(radii) if n not in names_of(large)]
    assert len(set(names)) == len(names)
    for position, _ in moments(others()[:1], 20):
        found = describe_position(position, both)
        for one in (large, radii):
            for p, team in describe_position(position, one).items():
                assert found[p].items() >= team.items()


def test_several_dictionaries_do_not_disturb_each_other() -> None:
    """Each says together with the others what it says alone, also along a game."""
    together = Features(COULOM, of_all_views(), all_radii=True)
    alone = {
        name: Features(NONE_BUT_SHAPES, {name: shapes}, all_radii=True)
        for name, shapes in of_all_views().items()
    }
    for position, _ in moments(known()[-2:-1] + others(), 10):
        teams = describe_position(position, together)
        for name, features in alone.items():
            for p, team in describe_position(position, features).items():
                mine = {f: n for f, n in teams[p].items() if f.startswith(f"{name}-")}
                assert mine == team


def test_a_watch_that_looks_now_and_then() -> None:
    """From game to game, from size to size; the keys are those of a fresh one."""
    features = Features(COULOM, of_all_views(), all_radii=True)
    watch = Watch(features)
    for record in (others()[0], others()[2], others()[1]):
        (game,) = corpus_from([record])
        watch.start(game.size)
        for number in sorted({0, 1, 2, 3, 9, 10, 17, len(game.moves)}):
            position = game.position(number)
            fresh = Watch(features)
            fresh.start(game.size)
            one, two = watch.look(position.board), fresh.look(position.board)
            assert set(one.keys) == {"circles", "marked", "liberties"}
            assert all(np.array_equal(one.keys[name], two.keys[name]) for name in one.keys)
            columns = (describe(situation, features.families) for situation in (one, two))
            for a, b in zip(*columns, strict=True):
                assert np.array_equal(a, b)


def test_features_travel_to_other_processes() -> None:
    features = Features(
        EXTENDED,
        of_all_views(),
        True,
        True,
        frozenset({"atari", "played-3"}),
        (Features(COULOM, of_all_views()),),
    )
    twin = pickle.loads(pickle.dumps(features))
    assert twin.catalogue is EXTENDED
    assert (twin.all_radii, twin.owner, twin.without) == (True, True, features.without)
    assert [(f.name, f.size, f.first) for f in twin.families] == [
        (f.name, f.size, f.first) for f in features.families
    ]
    with pytest.raises(KatachiError, match="catalogue of one's own"):
        pickle.dumps(Features(NONE_BUT_SHAPES))
    impostor = Catalogue("coulom", PLAYOUT.families)
    with pytest.raises(KatachiError, match="catalogue of one's own"):
        pickle.dumps(Features(impostor))


# -- names and sizes -----------------------------------------------------------------------------


def of_kind(templates: AnyTemplates, rule: str) -> Shapes:
    """A dictionary without shapes."""
    nothing = np.zeros(0, np.int64)
    return Shapes(
        templates,
        rule,
        1,
        (9,),
        nothing.astype(np.uint64),
        nothing,
        nothing.astype(np.uint8),
        nothing.astype(np.uint8),
    )


def test_names_of_dictionaries() -> None:
    kinds = {h.dictionary: of_kind(h.templates, h.rule) for h in EXTENDED.harvests}
    names = ["shape", "shape-played", "shape-marked", "shape-liberties", "answer"]
    assert list(kinds) == names
    for some in (names, names[::-1], names[2:3], [names[3], names[0]], []):
        assert dictionary_names([kinds[name] for name in some], EXTENDED) == some


@pytest.mark.parametrize("all_radii", [False, True])
def test_no_two_families_have_one_name(all_radii: bool) -> None:
    """A family of the catalogue and a dictionary: their columns would be one."""
    dictionaries = {
        h.dictionary: dictionary(h.templates.name, h.rule, 9) for h in EXTENDED.harvests
    }
    names = names_of(Features(EXTENDED, dictionaries, all_radii, owner=True))
    assert len(set(names)) == len(names)
    assert not set(names) & set(FIXED)


@pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)
@pytest.mark.parametrize("rule", ["candidates", "played"])
def test_one_place_takes_any_dictionary(templates: Templates, rule: str) -> None:
    """The paper's catalogue is often tried with other shapes."""
    assert dictionary_names([of_kind(templates, rule)], COULOM) == ["shape"]


def test_dictionaries_without_a_place() -> None:
    circles, stern = of_kind(COULOM_CIRCLES, "played"), of_kind(STERN_TEMPLATES, "played")
    marked = of_kind(ALL_TEMPLATES["marked"], "candidates")
    with pytest.raises(KatachiError, match=r"extended have no place .* of stern, played"):
        dictionary_names([circles, stern], EXTENDED)
    with pytest.raises(KatachiError, match=r"extended have no place .* of marked, candidates"):
        dictionary_names([marked], EXTENDED)
    with pytest.raises(KatachiError, match=r"extended have no second place .* of circles, played"):
        dictionary_names([circles, circles], EXTENDED)
    with pytest.raises(KatachiError, match=r"coulom have no second place .* of stern, played"):
        dictionary_names([circles, stern], COULOM)
    with pytest.raises(KatachiError, match=r"playout have no place .* of circles, played"):
        dictionary_names([circles], PLAYOUT)


def test_sizes_the_shapes_do_not_know() -> None:
    """Every dictionary must know the size."""
    small = of_kind(COULOM_CIRCLES, "played")
    both = harvest(corpus_from(known()), min_count=5)
    assert (small.sizes, both.sizes) == ((9,), (5, 9))
    features = Features(COULOM, {"shape": both, "played": small})
    features.check_size(9, "it")
    with pytest.raises(KatachiError, match=r"^it is on 5x5, but the shapes were harvested on 9x9$"):
        features.check_size(5, "it")
    with pytest.raises(KatachiError, match="the position is on 5x5, but the shapes"):
        describe_position(Position(5), features)
    with pytest.raises(KatachiError, match=r"on 19x19, but .* harvested on 5x5, 9x9$"):
        describe_position(Position(19), Features(COULOM, {"shape": both}))
    assert describe_position(Position(5), Features(COULOM, {"shape": both}))
    assert describe_position(Position(13), Features(COULOM))
