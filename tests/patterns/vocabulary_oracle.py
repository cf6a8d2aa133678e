"""A second teller of words: slow, one plain function to a word, written from the glossary.

It shares nothing with the kernels: the board is sgfmill's, the ladders are read by `ladder_oracle`.
Places are (row, col). A point is OWN, THEIRS, FREE or OFF the board.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from itertools import product

from sgfmill.boards import Board

from katachi.go.points import PASS, point
from tests.go.ladder_oracle import Point, liberties, neighbours, oracle_takes, quick_copy, string
from tests.patterns.feature_oracle import Here, Move, String, Teams

OWN, THEIRS, FREE, OFF = "XO.#"
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
SLANTED = tuple(product((-1, 1), repeat=2))
AROUND = STRAIGHT + SLANTED
Step = tuple[int, int]


def plus(place: Point, *steps: Step) -> Point:
    row, col = place
    for down, right in steps:
        row += down
        col += right
    return row, col


def times(step: Step, number: int) -> Step:
    return step[0] * number, step[1] * number


def sideways(step: Step) -> tuple[Step, Step]:
    """The two steps at right angles to a straight one."""
    return (step[1], step[0]), (-step[1], -step[0])


class View:
    """A position as its player sees it, with what words ask of it."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.size = here.board.side
        last = here.game.back(1)
        standing = last is not None and here.board.get(*last) == here.opponent
        self.last = last if standing else None
        signs = {None: FREE, here.own: OWN, here.opponent: THEIRS}
        self._signs = {q: signs[here.board.get(*q)] for q in here.board.board_points}

    def __getitem__(self, place: Point) -> str:
        return self._signs.get(place, OFF)

    def string(self, place: Point) -> String:
        return self.here.strings[place]

    def beside(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in STRAIGHT if self[plus(place, d)] == what]

    def around(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in AROUND if self[plus(place, d)] == what]

    def corners(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in SLANTED if self[plus(place, d)] == what]

    def touched(self, place: Point, side: str) -> set[String]:
        return {self.string(q) for q in self.beside(place, side)}

    def lines(self, place: Point) -> dict[Step, int]:
        """The line of a place from each side, by the step towards that side."""
        row, col = place
        return {
            (-1, 0): row + 1,
            (1, 0): self.size - row,
            (0, -1): col + 1,
            (0, 1): self.size - col,
        }

    def lowest(self, place: Point) -> int:
        return min(self.lines(place).values())

    def both_lines(self, place: Point) -> tuple[int, int]:
        """The lines from the nearest sides, one way and the other."""
        lines = self.lines(place)
        return min(lines[-1, 0], lines[1, 0]), min(lines[0, -1], lines[0, 1])

    def if_played(self, place: Point, side: str) -> set[Point]:
        """The liberties of what a stone there would belong to, if it took nothing."""
        found = set(self.beside(place, FREE))
        for string in self.touched(place, side):
            found |= string.liberties
        return found - {place}

    def is_cutting_point(self, place: Point, side: str) -> bool:
        enemy = THEIRS if side == OWN else OWN
        stones = self.beside(place, side)
        for one, two in product(stones, repeat=2):
            if self.string(one) == self.string(two):
                continue
            opposite = (one[0] + two[0], one[1] + two[1]) == (2 * place[0], 2 * place[1])
            other = one[0] + two[0] - place[0], one[1] + two[1] - place[1]
            if opposite or self[other] == enemy:
                return True
        return False

    @cached_property
    def corner_size(self) -> int:
        return min(7, self.size // 2)

    def corner(self, place: Point) -> list[Point] | None:
        """All points of the corner that a place is in."""
        if max(self.both_lines(place)) > self.corner_size:
            return None
        row, col = place
        rows = range(self.size)[: self.corner_size]
        cols = rows
        if row >= self.corner_size:
            rows = range(self.size)[-self.corner_size :]
        if col >= self.corner_size:
            cols = range(self.size)[-self.corner_size :]
        return list(product(rows, cols))

    def corner_stones(self, place: Point) -> tuple[list[Point], list[Point]] | None:
        """The own and the opponent's stones of the corner that a place is in."""
        inside = self.corner(place) if self.size >= 9 else None
        if inside is None:
            return None
        return [q for q in inside if self[q] == OWN], [q for q in inside if self[q] == THEIRS]

    @cached_property
    def chases(self) -> list[tuple[String, list[set[Point]]]]:
        """The own strings that a chase takes in six steps or more, and the points of each step."""
        own = {s for s in self.here.strings.values() if s.colour == self.here.own}
        found = []
        for string in own:
            if len(string.liberties) <= 2:
                steps = chase(self.here.board, min(string.stones))
                if steps is not None and len(steps) >= 6:
                    found.append((string, steps))
        return found


Word = Callable[[View, Move], bool]


# -- with own stones -----------------------------------------------------------------------------


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
            if (
                all(v[q] == FREE for q in between)
                and v[plus(m.place, times(step, far), up)] == OWN
            ):
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


# -- against the opponent's stones ---------------------------------------------------------------


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


# -- taking stones -------------------------------------------------------------------------------


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
    return all(
        v[q] != OFF and after[q[0]][q[1]] == v.here.own for q in sides
    ) and not v.corners(stone, OWN)


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


# -- attacking stones ----------------------------------------------------------------------------


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


def chase(board: Board, stone: Point) -> list[set[Point]] | None:
    """The points of each step of the chase of a string, if it is taken."""
    prey = board.get(*stone)
    hunter = "w" if prey == "b" else "b"
    board = quick_copy(board)
    steps: list[set[Point]] = []

    def after_run(way: Point) -> set[Point]:
        """The liberties of the string if it runs there, taking nothing."""
        tried = quick_copy(board)
        tried.board[way[0]][way[1]] = prey
        return liberties(tried, way)

    while len(steps) < 80:
        ways = sorted(liberties(board, stone))
        step: set[Point] = set()
        if len(ways) == 2:
            left = [len(after_run(ways[1]) - {ways[0]}), len(after_run(ways[0]) - {ways[1]})]
            if max(left) <= 1:
                return [*steps, set(ways)]
            if left[0] == left[1]:
                left = [2 - line_of(board, way) for way in ways] if left[0] == 2 else [3, 3]
            if left[0] == left[1] or min(left) >= 3:
                return None
            taken = ways.pop(left.index(min(left)))
            step.add(taken)
            board.play(*taken, hunter)
            if board.get(*taken) is None:
                return None
        if liberties(board, stone) != set(ways) or len(ways) != 1:
            return None
        if any_atari(board, stone, hunter):
            return None
        (run,) = ways
        before = len(board.list_occupied_points())
        open_ways = after_run(run)
        steps.append(step | {run})
        tried = quick_copy(board)
        tried.play(*run, prey)
        if tried.get(*run) is not None and len(tried.list_occupied_points()) != before + 1:
            return None  # it takes a stone
        if len(open_ways) <= 1:
            return steps
        if len(open_ways) >= 3:
            return None
        board = tried
    return None


def line_of(board: Board, place: Point) -> int:
    row, col = place
    return min(row + 1, board.side - row, col + 1, board.side - col)


def any_atari(board: Board, stone: Point, hunter: str) -> bool:
    """Whether a stone of the hunter's that touches this string is in atari."""
    near = {q for s in string(board, stone) for q in neighbours(board.side, s)}
    return any(board.get(*q) == hunter and len(liberties(board, q)) == 1 for q in near)


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


# -- eyes ----------------------------------------------------------------------------------------


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
        walled(v, q, side, but=place) and not is_false(v, q, enemy)
        for q in v.beside(place, FREE)
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


# -- in the corner -------------------------------------------------------------------------------


def on_empty(low: int, high: int, smallest: int = 9) -> Word:
    def word(v: View, m: Move) -> bool:
        there = sorted(v.both_lines(m.place)) == [low, high]
        return there and v.size >= smallest and v.corner_stones(m.place) == ([], [])

    return word


def centre(v: View, m: Move) -> bool:
    middle = (v.size - 1) / 2
    return (
        v.size >= 9
        and m.place == (middle, middle)
        and len(v.around(m.place, FREE)) == 8
    )


def three_three_invasion(v: View, m: Move) -> bool:
    if v.size < 9 or v.both_lines(m.place) != (3, 3):
        return False
    for row, col in SLANTED:
        star = plus(m.place, (row, col))
        if v[star] == THEIRS and v.both_lines(star) == (4, 4):
            low = [plus(m.place, (-row * i, -col * j)) for i in range(3) for j in range(3)]
            return all(v[q] == FREE for q in (*low, plus(m.place, (row, 0)), plus(m.place, (0, col))))
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


# -- on the side ---------------------------------------------------------------------------------


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


# -- answers -------------------------------------------------------------------------------------


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
    return (
        v.last is not None and stretches_from_last(v, m) and is_crosscut(v, v.last, THEIRS, OWN)
    )


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


_KINDS = ("knight", (1, 2)), ("one-space", (0, 2)), ("large-knight", (1, 3)), ("two-space", (0, 3))

# Written out: the order, too, is the glossary's.
GROUPS: dict[str, dict[str, Word]] = {
    "word-own": {
        "solid-connection": solid_connection,
        "hanging-connection": hanging_connection,
        "bamboo-joint": bamboo_joint,
        "turn": turn,
        "empty-triangle": empty_triangle,
        "dumpling": dumpling,
        "descent": descent,
        "crawl": crawl,
        "stretch": stretch,
        "side-by-side": side_by_side,
        "monkey-jump": monkey_jump,
        "slide": slide,
        "diagonal": diagonal,
        "one-space-jump": one_space_jump,
        "knights-move": knights_move,
        "two-space-jump": two_space_jump,
        "large-knights-move": large_knights_move,
        "diagonal-jump": diagonal_jump,
    },
    "word-contact": {
        "crosscut": crosscut,
        "cut": cut,
        "push-through": push_through,
        "wedge": wedge,
        "hane-head-of-three": hane_head_of_three,
        "hane-head-of-two": hane_head_of_two,
        "hane-first-line": hane_first_line,
        "hane": hane,
        "clamp": clamp,
        "push": push,
        "block": block,
        "bump": bump,
        "contact": contact,
        "peep": peep,
        "shoulder-hit": shoulder_hit,
        "cap": cap,
    },
    "word-capture": {
        "ko-capture": ko_capture,
        "ponnuki": ponnuki,
        "capture": capture,
        "snapback": snapback,
        "throw-in": throw_in,
    },
    "word-attack": {
        "double-atari": double_atari,
        "ladder": ladder,
        "atari": atari,
        "net": net,
        "ladder-breaker": ladder_breaker,
        "fill-liberty": fill_liberty,
    },
    "word-eye": {
        "connect-ko": connect_ko,
        "fill-eye": fill_eye,
        "make-eye": make_eye,
        "destroy-eye": destroy_eye,
    },
    "word-corner": {
        "star-point": on_empty(4, 4),
        "three-four": on_empty(3, 4),
        "three-three": on_empty(3, 3),
        "five-four": on_empty(4, 5, 13),
        "five-three": on_empty(3, 5, 13),
        "centre": centre,
        "three-three-invasion": three_three_invasion,
        "double-approach": double_approach,
        **{f"approach-{name}": approach(kind) for name, kind in _KINDS},
        **{f"enclosure-{name}": enclosure(kind) for name, kind in _KINDS},
    },
    "word-side": {
        **{f"pincer-{n}-space-low": pincer(c, 3) for c, n in enumerate(("one", "two", "three"), 2)},
        **{f"pincer-{n}-space-high": pincer(c, 4) for c, n in enumerate(("one", "two", "three"), 2)},
        "splitting-move": splitting_move,
        "side-invasion": side_invasion,
        "checking-extension": checking_extension,
        "extension-one-space": extension(2, 2),
        "extension-two-space": extension(3, 3),
        "extension-three-space": extension(4, 4),
        "extension-four-space": extension(5, 5),
        "extension-long": extension(6, 9),
    },
    "word-answer": {
        "take-out-of-atari": take_out_of_atari,
        "connect-out-of-atari": connect_out_of_atari,
        "run-out-of-atari": run_out_of_atari,
        "ko-threat": ko_threat,
        "answer-peep": answer_peep,
        "answer-crosscut": answer_crosscut,
        "answer-contact-hane": answer_contact_hane,
        "answer-contact-stretch": answer_contact_stretch,
        "answer-approach": answer_approach,
        "tenuki": tenuki,
    },
}


def word_teams(
    here: Here, groups: Collection[str] = tuple(GROUPS), points: Collection[int] | None = None
) -> Teams:
    """Every legal move, or those of these points, with its words of these groups: the number of the
    first of each group that fits. Raises TooLong.
    """
    view = View(here)
    teams: Teams = {PASS: {}}
    for move in here.moves:
        if points is not None and point(*move.place) not in points:
            continue
        team = {}
        for group in groups:
            words = GROUPS[group].values()
            fits = (number for number, word in enumerate(words, 1) if word(view, move))
            number = next(fits, 0)
            if number:
                team[group] = number
        teams[point(*move.place)] = team
    return teams
