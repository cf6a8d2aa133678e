"""Words for corners, sides and answers: slow, one plain function to a word."""

from __future__ import annotations

from tests.go.ladder_oracle import Point
from tests.patterns.feature_oracle import Move, String
from tests.patterns.vocabulary_near import apart, is_crosscut, put_in_atari
from tests.patterns.vocabulary_view import (
    FREE,
    OWN,
    SLANTED,
    STRAIGHT,
    THEIRS,
    Step,
    View,
    Word,
    plus,
    sideways,
    times,
)

# -- in the corner ---------------------------------------------------------------------------------


def on_empty(low: int, high: int, smallest: int = 9) -> Word:
    def word(v: View, m: Move) -> bool:
        there = sorted(v.both_lines(m.place)) == [low, high]
        return there and v.size >= smallest and v.corner_stones(m.place) == ([], [])

    return word


def centre(v: View, m: Move) -> bool:
    middle = (v.size - 1) / 2
    return v.size >= 9 and m.place == (middle, middle) and len(v.around(m.place, FREE)) == 8


def three_three_invasion(v: View, m: Move) -> bool:
    if v.size < 9 or v.both_lines(m.place) != (3, 3):
        return False
    for row, col in SLANTED:
        star = plus(m.place, (row, col))
        if v[star] == THEIRS and v.both_lines(star) == (4, 4):
            low = [plus(m.place, (-row * i, -col * j)) for i in range(3) for j in range(3)]
            return all(
                v[q] == FREE for q in (*low, plus(m.place, (row, 0)), plus(m.place, (0, col)))
            )
    return False


def is_corner_stone(v: View, place: Point) -> bool:
    return all(3 <= line <= 5 for line in v.both_lines(place))


def offset(one: Point, two: Point) -> tuple[int, int]:
    return abs(one[0] - two[0]), abs(one[1] - two[1])


def approaches(v: View, place: Point, stone: Point) -> tuple[int, ...] | None:
    """How a place lies to a corner stone, the smaller number first, if that is an approach."""
    if not is_corner_stone(v, stone) or min(v.both_lines(place)) not in (3, 4):
        return None
    kind = tuple(sorted(offset(place, stone)))
    return kind if kind in ((1, 2), (0, 2), (1, 3), (0, 3)) else None


def double_approach(v: View, m: Move) -> bool:
    stones = v.corner_stones(m.place)
    if stones is None or [len(s) for s in stones] != [1, 1]:
        return False
    (own,), (theirs,) = stones
    if approaches(v, own, theirs) is None or approaches(v, m.place, theirs) is None:
        return False
    (down, right), (down2, right2) = offset(own, theirs), offset(m.place, theirs)
    return (down > right) != (down2 > right2)


def approach(kind: tuple[int, int]) -> Word:
    def word(v: View, m: Move) -> bool:
        stones = v.corner_stones(m.place)
        if stones is None or stones[0] or len(stones[1]) != 1:
            return False
        return approaches(v, m.place, stones[1][0]) == kind

    return word


def enclosure(kind: tuple[int, int]) -> Word:
    def word(v: View, m: Move) -> bool:
        stones = v.corner_stones(m.place)
        if stones is None or stones[1] or len(stones[0]) != 1:
            return False
        return approaches(v, m.place, stones[0][0]) == kind

    return word


# -- on the side -----------------------------------------------------------------------------------


def column(v: View, place: Point, down: Step, step: Step, columns: int) -> list[Point]:
    """The second to fifth points of a column of this side, so many columns from a place."""
    first = plus(place, times(down, v.lines(place)[down] - 1), times(step, columns))
    return [plus(first, times(down, -n)) for n in range(1, 5)]


def neighbour(v: View, place: Point, down: Step, step: Step) -> tuple[int, list[Point]] | None:
    """How many columns away the nearest stones along a side are, and they."""
    for columns in range(1, 10):
        stones = [q for q in column(v, place, down, step, columns) if v[q] in (OWN, THEIRS)]
        if stones:
            return columns, stones
    return None


def side_views(v: View, place: Point) -> list[tuple[int, list[tuple[int, str, list[Point], Step]]]]:
    """Of each side on whose third or fourth line a place is: the line, and its neighbours (columns,
    whose, stones, step).
    """
    if v.size < 9 or v.around(place, OWN) or v.around(place, THEIRS):
        return []
    found = []
    lines = v.lines(place)
    for down in STRAIGHT:
        if lines[down] not in (3, 4) or min(lines[s] for s in sideways(down)) < v.corner_size:
            continue
        near = []
        for step in sideways(down):
            seen = neighbour(v, place, down, step)
            if seen is not None:
                near.append((seen[0], "".join({v[q] for q in seen[1]}), seen[1], step))
        found.append((lines[down], near))
    return found


def pincer(columns: int, line: int) -> Word:
    def word(v: View, m: Move) -> bool:
        return any(
            own_line == line
            and far == columns
            and whose == THEIRS
            and len(stones) == 1
            and is_pinned(v, stones[0], step)
            for own_line, near in side_views(v, m.place)
            for far, whose, stones, step in near
        )

    return word


def is_pinned(v: View, stone: Point, step: Step) -> bool:
    """Whether a stone of the opponent's has come close to an own corner stone, in this direction
    along the side.
    """
    downs = [down for down in sideways(step) if v.lines(stone)[down] in (3, 4)]
    if len(v.string(stone).stones) > 1:
        return False
    for down in downs:
        beyond = neighbour(v, stone, down, step)
        if beyond is None or len(beyond[1]) != 1 or v[beyond[1][0]] != OWN:
            continue
        if is_corner_stone(v, beyond[1][0]) and approaches(v, stone, beyond[1][0]):
            return True
    return False


def sides_of(v: View, m: Move) -> list[dict[str, list[int]]]:
    """Of each side: whose neighbours are how many columns away."""
    found = []
    for _, near in side_views(v, m.place):
        whose: dict[str, list[int]] = {OWN: [], THEIRS: []}
        for columns, who, _, _ in near:
            if len(who) == 1:
                whose[who].append(columns)
        found.append(whose)
    return found


def splitting_move(v: View, m: Move) -> bool:
    return any(len(w[THEIRS]) == 2 and min(w[THEIRS]) >= 5 for w in sides_of(v, m))


def side_invasion(v: View, m: Move) -> bool:
    return any(len(w[THEIRS]) == 2 and min(w[THEIRS]) < 5 for w in sides_of(v, m))


def checking_extension(v: View, m: Move) -> bool:
    return any(
        w[OWN] and w[OWN][0] >= 2 and w[THEIRS] and w[THEIRS][0] <= 4 for w in sides_of(v, m)
    )


def extension(least: int, most: int) -> Word:
    def word(v: View, m: Move) -> bool:
        return any(w[OWN] and least <= min(w[OWN]) <= most for w in sides_of(v, m))

    return word


# -- answers ---------------------------------------------------------------------------------------


def new_ataris(v: View) -> set[String]:
    return v.here.newly_in_atari if v.last is not None else set()


def take_out_of_atari(v: View, m: Move) -> bool:
    return any(v.here.touch(taken, own) for taken in m.taken for own in new_ataris(v))


def helped(v: View, m: Move) -> bool:
    return not m.taken and m.liberties >= 2 and bool(v.touched(m.place, OWN) & new_ataris(v))


def connect_out_of_atari(v: View, m: Move) -> bool:
    return helped(v, m) and len(v.touched(m.place, OWN)) >= 2


def run_out_of_atari(v: View, m: Move) -> bool:
    return helped(v, m)


def ko_threat(v: View, m: Move) -> bool:
    if v.here.game.ko is None or v.last is None:
        return False
    return bool(put_in_atari(v, m) - {v.string(v.last)})


def touch(one: Point, two: Point) -> bool:
    return sum(offset(one, two)) == 1


def answer_peep(v: View, m: Move) -> bool:
    return (
        v.last is not None
        and touch(m.place, v.last)
        and not v.beside(v.last, OWN)
        and v.is_cutting_point(m.place, OWN)
    )


def stretches_from_last(v: View, m: Move) -> bool:
    """Whether it touches one own stone, which touches the last move, a string by itself."""
    own = v.beside(m.place, OWN)
    return (
        v.last is not None
        and len(v.string(v.last).stones) == 1
        and not touch(m.place, v.last)
        and len(own) == 1
        and touch(own[0], v.last)
    )


def answer_crosscut(v: View, m: Move) -> bool:
    return v.last is not None and stretches_from_last(v, m) and is_crosscut(v, v.last, THEIRS, OWN)


def answer_contact_hane(v: View, m: Move) -> bool:
    if v.last is None or v.around(v.last, THEIRS) or not apart(v, m) or not touch(m.place, v.last):
        return False
    step = v.last[0] - m.place[0], v.last[1] - m.place[1]
    return any(
        v[plus(v.last, side)] == OWN and v[plus(m.place, side)] == FREE for side in sideways(step)
    )


def answer_contact_stretch(v: View, m: Move) -> bool:
    return v.last is not None and not v.around(v.last, THEIRS) and stretches_from_last(v, m)


def answer_approach(v: View, m: Move) -> bool:
    if v.last is None:
        return False
    stones = v.corner_stones(v.last)
    if stones is None or len(stones[0]) != 1 or stones[1] != [v.last]:
        return False
    if approaches(v, v.last, stones[0][0]) is None:
        return False
    inside = v.corner(v.last)
    assert inside is not None
    return max(offset(m.place, v.last)) <= 4 or m.place in inside


def tenuki(v: View, m: Move) -> bool:
    before = [q for q in (v.here.game.back(1), v.here.game.back(2)) if q is not None]
    return bool(before) and all(max(offset(m.place, q)) > v.size // 3 for q in before)
