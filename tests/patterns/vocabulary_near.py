"""Words for what a move does to the stones near it: slow, one plain function to a word."""

from __future__ import annotations

from tests.go.ladder_oracle import Point, liberties, oracle_takes, quick_copy
from tests.patterns.feature_oracle import Move, String
from tests.patterns.vocabulary_view import (
    FREE,
    OFF,
    OWN,
    SLANTED,
    STRAIGHT,
    THEIRS,
    Step,
    View,
    chase,
    plus,
    sideways,
    times,
)

# -- with own stones -------------------------------------------------------------------------------


def solid_connection(v: View, m: Move) -> bool:
    return v.is_cutting_point(m.place, OWN)


def hanging_connection(v: View, m: Move) -> bool:
    return any(
        len(v.beside(q, OWN)) == 2 and v.is_cutting_point(q, OWN) for q in v.beside(m.place, FREE)
    )


def bamboo_joint(v: View, m: Move) -> bool:
    for mate in v.beside(m.place, OWN):
        step = mate[0] - m.place[0], mate[1] - m.place[1]
        for side in sideways(step):
            gap = [plus(m.place, side), plus(mate, side)]
            other = [plus(m.place, side, side), plus(mate, side, side)]
            if (
                all(v[q] == FREE for q in gap)
                and all(v[q] == OWN for q in other)
                and v.string(mate) != v.string(other[0])
            ):
                return True
    return False


def squares(v: View, place: Point) -> list[tuple[str, str, str]]:
    """The other points of the four squares of a place: beside, beside, and across."""
    found = []
    for row, col in SLANTED:
        one, two = plus(place, (row, 0)), plus(place, (0, col))
        found.append((v[one], v[two], v[plus(place, (row, col))]))
    return found


def turn(v: View, m: Move) -> bool:
    return any({one, two} == {OWN, THEIRS} and c == OWN for one, two, c in squares(v, m.place))


def empty_triangle(v: View, m: Move) -> bool:
    return any(sorted(square) == [FREE, OWN, OWN] for square in squares(v, m.place))


def dumpling(v: View, m: Move) -> bool:
    return (OWN, OWN, OWN) in squares(v, m.place)


def descent(v: View, m: Move) -> bool:
    own = v.beside(m.place, OWN)
    if len(own) != 1:
        return False
    down = m.place[0] - own[0][0], m.place[1] - own[0][1]
    line = v.lines(m.place)[down]
    return line == 1 or (line == 2 and v[plus(m.place, down)] == FREE)


def crawl(v: View, m: Move) -> bool:
    own = v.beside(m.place, OWN)
    if len(own) != 1:
        return False
    step = m.place[0] - own[0][0], m.place[1] - own[0][1]
    return any(
        v.lines(m.place)[down] <= 3 and v[plus(own[0], times(down, -1))] == THEIRS
        for down in sideways(step)
    )


def stretch(v: View, m: Move) -> bool:
    own = v.beside(m.place, OWN)
    return len(own) == 1 and bool(v.beside(own[0], THEIRS))


def side_by_side(v: View, m: Move) -> bool:
    own = v.beside(m.place, OWN)
    return len(own) == 1 and not v.beside(own[0], THEIRS)


def along(v: View, place: Point, line: int) -> list[tuple[Step, Step]]:
    """(up, along) for the sides from which a place is on this line."""
    downs = [down for down, number in v.lines(place).items() if number == line]
    return [(times(down, -1), step) for down in downs for step in sideways(down)]


def apart(v: View, m: Move) -> bool:
    """Whether it touches no own stone."""
    return not v.beside(m.place, OWN)


def monkey_jump(v: View, m: Move) -> bool:
    for up, step in along(v, m.place, 1):
        between = [plus(m.place, times(step, n), times(up, k)) for n in (1, 2) for k in (0, 1)]
        above = [plus(m.place, times(step, n), times(up, k)) for n in (-1, 0, 1) for k in (1, 2)]
        if (
            all(v[q] == FREE for q in between)
            and v[plus(m.place, times(step, 3), up)] == OWN
            and any(v[q] == THEIRS for q in above)
        ):
            return apart(v, m)
    return False


def slide(v: View, m: Move) -> bool:
    for up, step in along(v, m.place, 2):
        for far in (2, 3):
            between = [
                plus(m.place, times(step, n), times(up, k)) for n in range(1, far) for k in (0, 1)
            ]
            if all(v[q] == FREE for q in between) and v[plus(m.place, times(step, far), up)] == OWN:
                return apart(v, m)
    return False


def diagonal(v: View, m: Move) -> bool:
    return apart(v, m) and (FREE, FREE, OWN) in squares(v, m.place)


def jumps(v: View, m: Move, far: int, off: int) -> bool:
    """An own stone so far away in a straight line, and so far off it, with nothing between."""
    for step in STRAIGHT:
        for side in sideways(step):
            goal = plus(m.place, times(step, far), times(side, off))
            between = [
                plus(m.place, times(step, n), times(side, k))
                for n in range(1, far)
                for k in range(off + 1)
            ]
            if v[goal] == OWN and all(v[q] == FREE for q in between):
                return apart(v, m)
    return False


def one_space_jump(v: View, m: Move) -> bool:
    return jumps(v, m, 2, 0)


def knights_move(v: View, m: Move) -> bool:
    return jumps(v, m, 2, 1)


def two_space_jump(v: View, m: Move) -> bool:
    return jumps(v, m, 3, 0)


def large_knights_move(v: View, m: Move) -> bool:
    return jumps(v, m, 3, 1)


def diagonal_jump(v: View, m: Move) -> bool:
    return apart(v, m) and any(
        v[plus(m.place, d)] == FREE and v[plus(m.place, d, d)] == OWN for d in SLANTED
    )


# -- against the opponent's stones -----------------------------------------------------------------


def cut_stones(v: View, place: Point, side: str, enemy: str) -> list[list[Point]]:
    """The stones of each cross that a stone of this side is the fourth of."""
    found = []
    for row, col in SLANTED:
        one, two = plus(place, (row, 0)), plus(place, (0, col))
        across = plus(place, (row, col))
        if v[one] == v[two] == enemy and v[across] == side and v.string(one) != v.string(two):
            found.append([one, two, across])
    return found


def is_crosscut(v: View, place: Point, side: str, enemy: str) -> bool:
    return not v.beside(place, side) and any(
        all(len(v.string(q).stones) <= 2 for q in cross)
        for cross in cut_stones(v, place, side, enemy)
    )


def crosscut(v: View, m: Move) -> bool:
    return is_crosscut(v, m.place, OWN, THEIRS)


def gaps(v: View, m: Move) -> list[str]:
    """What is on the other two sides, if it is between two strings of the opponent's."""
    found = []
    for step in ((0, 1), (1, 0)):
        one, two = plus(m.place, step), plus(m.place, times(step, -1))
        if v[one] == v[two] == THEIRS and v.string(one) != v.string(two):
            found.append("".join(sorted(v[plus(m.place, side)] for side in sideways(step))))
    return found


def cut(v: View, m: Move) -> bool:
    return bool(cut_stones(v, m.place, OWN, THEIRS)) or OWN + OWN in gaps(v, m)


def push_through(v: View, m: Move) -> bool:
    return FREE + OWN in gaps(v, m)


def wedge(v: View, m: Move) -> bool:
    return apart(v, m) and any(FREE in gap for gap in gaps(v, m))


def hanes(v: View, m: Move) -> list[int]:
    """How many stones each hane is at the head of; 1 if it is only a hane."""
    found = []
    for step in STRAIGHT if apart(v, m) else ():
        head = plus(m.place, step)
        for side in sideways(step):
            if (v[head], v[plus(head, side)], v[plus(m.place, side)]) != (THEIRS, OWN, FREE):
                continue
            line = []
            while v[head] == THEIRS:
                line.append(v[plus(head, side)] == OWN)
                head = plus(head, step)
            found.append(len(line) if all(line) and len(line) in (2, 3) else 1)
            head = plus(m.place, step)
    return found


def hane_head_of_three(v: View, m: Move) -> bool:
    return 3 in hanes(v, m)


def hane_head_of_two(v: View, m: Move) -> bool:
    return 2 in hanes(v, m)


def hane_first_line(v: View, m: Move) -> bool:
    return bool(hanes(v, m)) and v.lowest(m.place) == 1


def hane(v: View, m: Move) -> bool:
    return bool(hanes(v, m))


def clamp(v: View, m: Move) -> bool:
    return apart(v, m) and any(
        v[plus(m.place, d)] == THEIRS
        and v[plus(m.place, d, d)] == OWN
        and len(v.string(plus(m.place, d)).stones) <= 2
        for d in STRAIGHT
    )


def push(v: View, m: Move) -> bool:
    return any(
        v[plus(m.place, d)] == OWN
        and v[plus(m.place, times(d, -1))] == FREE
        and v[plus(m.place, side)] == v[plus(m.place, d, side)] == THEIRS
        for d in STRAIGHT
        for side in sideways(d)
    )


def block(v: View, m: Move) -> bool:
    return any(
        v[plus(m.place, d)] == OWN
        and v[plus(m.place, side)] == THEIRS
        and (v[plus(m.place, side, side)] == THEIRS or plus(m.place, side) == v.last)
        for d in STRAIGHT
        for side in sideways(d)
    )


def bump(v: View, m: Move) -> bool:
    return any(
        v[plus(m.place, d)] == OWN and v[plus(m.place, times(d, -1))] == THEIRS for d in STRAIGHT
    )


def contact(v: View, m: Move) -> bool:
    return apart(v, m) and bool(v.beside(m.place, THEIRS))


def peep(v: View, m: Move) -> bool:
    return not v.beside(m.place, THEIRS) and any(
        v.is_cutting_point(q, THEIRS) for q in v.beside(m.place, FREE)
    )


def shoulder_hit(v: View, m: Move) -> bool:
    if v.beside(m.place, THEIRS) or v.around(m.place, OWN):
        return False
    return any(
        v[plus(m.place, (row, col))] == THEIRS
        and v[plus(m.place, (row, 0))] == v[plus(m.place, (0, col))] == FREE
        and 2 <= v.lowest(plus(m.place, (row, col))) <= 4
        and v.lowest(m.place) == v.lowest(plus(m.place, (row, col))) + 1
        for row, col in SLANTED
    )


def cap(v: View, m: Move) -> bool:
    if v.around(m.place, OWN) or v.around(m.place, THEIRS):
        return False
    for down in STRAIGHT:
        stone = plus(m.place, down, down)
        if v[plus(m.place, down)] != FREE or v[stone] != THEIRS:
            continue
        lines = v.lines(stone)
        nearest = lines[down] == v.lowest(stone) >= 3
        if nearest and all(lines[side] >= 6 for side in sideways(down)):
            return True
    return False


# -- taking stones ---------------------------------------------------------------------------------


def only_taken(m: Move) -> Point | None:
    stones = [stone for string in m.taken for stone in string.stones]
    return stones[0] if len(stones) == 1 else None


def ko_capture(v: View, m: Move) -> bool:
    return only_taken(m) is not None and apart(v, m) and m.liberties == 1


def ponnuki(v: View, m: Move) -> bool:
    stone = only_taken(m)
    if stone is None:
        return False
    after = m.after.board
    sides = [plus(stone, d) for d in STRAIGHT]
    return all(v[q] != OFF and after[q[0]][q[1]] == v.here.own for q in sides) and not v.corners(
        stone, OWN
    )


def capture(_v: View, m: Move) -> bool:
    return bool(m.taken)


def throw_in(v: View, m: Move) -> bool:
    return not m.taken and apart(v, m) and m.liberties == 1


def snapback(v: View, m: Move) -> bool:
    if not throw_in(v, m):
        return False
    (way,) = v.beside(m.place, FREE)
    after = quick_copy(m.after)
    before = len(after.list_occupied_points())
    after.play(*way, v.here.opponent)
    takes_one = len(after.list_occupied_points()) == before
    joins = bool(v.beside(way, THEIRS))
    return takes_one and joins and liberties(after, way) == {m.place}


# -- attacking stones ------------------------------------------------------------------------------


def put_in_atari(v: View, m: Move) -> set[String]:
    return {s for s in v.touched(m.place, THEIRS) if len(s.liberties) == 2}


def double_atari(v: View, m: Move) -> bool:
    return len(put_in_atari(v, m)) >= 2


def ladder(v: View, m: Move) -> bool:
    for string in put_in_atari(v, m) if not m.taken else ():
        (last,) = string.liberties - {m.place}
        run = v.if_played(last, THEIRS) - {m.place}
        if len(run) == 2 and oracle_takes(m.after, min(string.stones), v.here.opponent, m.ko):
            return True
    return False


def atari(v: View, m: Move) -> bool:
    return bool(put_in_atari(v, m))


def net(v: View, m: Move) -> bool:
    if m.taken:
        return False
    opponent = v.here.opponent
    for stone in v.corners(m.place, THEIRS):
        ways = {(stone[0], m.place[1]), (m.place[0], stone[1])}
        if (
            v.string(stone).liberties == ways
            and not oracle_takes(v.here.board, stone, opponent)
            and oracle_takes(m.after, stone, opponent, m.ko)
        ):
            return True
    return False


def ladder_breaker(v: View, m: Move) -> bool:
    if m.taken:
        return False
    for string, steps in v.chases:
        played = set().union(*steps[4:])
        close = m.place in played or any(plus(m.place, d) in played for d in STRAIGHT)
        if close and m.place not in string.liberties:
            after = quick_copy(v.here.board)
            after.play(*m.place, v.here.own)
            if chase(after, min(string.stones)) is None:
                return True
    return False


def fill_liberty(v: View, m: Move) -> bool:
    touched = v.touched(m.place, OWN)
    own = {s for s in v.here.strings.values() if s.colour == v.here.own}
    racing = [s for s in own - touched if len(s.stones) >= 3 and 2 <= len(s.liberties) <= 5]
    return any(
        len(theirs.stones) >= 3
        and 3 <= len(theirs.liberties) <= 5
        and any(v.here.touch(theirs, mine) for mine in racing)
        for theirs in v.touched(m.place, THEIRS)
    )


# -- eyes ------------------------------------------------------------------------------------------


def is_false(v: View, eye: Point, enemy: str, more: int = 0) -> bool:
    """Whether the enemy has corners enough, with so many more."""
    lost = len(v.corners(eye, enemy)) + more
    return lost >= (1 if v.corners(eye, OFF) else 2)


def walled(v: View, place: Point, side: str, but: Point | None = None) -> bool:
    """Whether all points beside a place, without one of them, are stones of this side."""
    sides = [v[plus(place, d)] for d in STRAIGHT if plus(place, d) != but]
    return side in sides and set(sides) <= {side, OFF}


def connect_ko(v: View, m: Move) -> bool:
    return walled(v, m.place, OWN) and any(
        len(s.stones) == 1 and len(s.liberties) == 1 for s in v.touched(m.place, OWN)
    )


def fill_eye(v: View, m: Move) -> bool:
    return walled(v, m.place, OWN) and not is_false(v, m.place, THEIRS)


def completes(v: View, place: Point, side: str) -> bool:
    enemy = THEIRS if side == OWN else OWN
    return any(
        walled(v, q, side, but=place) and not is_false(v, q, enemy) for q in v.beside(place, FREE)
    )


def in_danger(v: View, place: Point, side: str) -> list[Point]:
    """The eyes of this side at whose corner a place is, and that one more stone makes false."""
    enemy = THEIRS if side == OWN else OWN
    return [
        q
        for q in v.corners(place, FREE)
        if walled(v, q, side) and not is_false(v, q, enemy) and is_false(v, q, enemy, 1)
    ]


def make_eye(v: View, m: Move) -> bool:
    last = any(len(v.corners(q, FREE)) == 1 for q in in_danger(v, m.place, OWN))
    return completes(v, m.place, OWN) or last


def destroy_eye(v: View, m: Move) -> bool:
    return bool(in_danger(v, m.place, THEIRS)) or completes(v, m.place, THEIRS)
