"""SGF in: the bytes of a file become games and notices. sgfmill parses, we mend and interpret.

Only the main line is read: the first child at every branch.
"""

from __future__ import annotations

import re
from functools import cache
from threading import local
from typing import Any, Final, TypeAlias

import numpy as np
from sgfmill import sgf_grammar

from katachi.go.board import clear, new_board
from katachi.go.points import (
    BLACK,
    COLOUR_NAMES,
    EMPTY,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    WHITE,
    all_points,
    from_letters,
    handicap_points,
    letters,
    point,
    row_col,
    vertex,
)
from katachi.records import headers
from katachi.records.actions import (
    FAULTS,
    FINE,
    SETUP,
    Actions,
    colours_of,
    is_move,
    move_action,
    points_of,
    replay,
    setup_action,
    turn_action,
)
from katachi.records.game import CUT, MENDED, ODD, SKIPPED, Game, Notice
from katachi.records.repair import CUT_OFF, NoGame, looks_sound, repair
from katachi.records.text import decode

Node: TypeAlias = dict[str, list[bytes]]

_SETUP: Final = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_MOVES: Final = {"B": BLACK, "W": WHITE}
_BINARY = re.compile(rb"[\x00-\x08\x0E-\x1A\x1C-\x1F]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

_own = local()  # of a thread

NOT_SGF = "no game record"
BINARY = "binary data"
OUTSIDE = "point outside the board"


def parse_games(data: bytes, source: str = "") -> tuple[list[Game], list[Notice]]:
    """All games of an SGF file with what was noticed about them. Never raises.

    `source` names the file in games and notices; a file of several games numbers them
    ("file.sgf#2"). Every move of a returned game is legal: a game that breaks the rules is cut.
    """
    games, notices = _read_trees(*parse_trees(data, source), source)
    if any(notice.reason == OUTSIDE and ";" in notice.detail for notice in notices):
        # A lost bracket has swallowed a node: sound for a parser, not for a reader.
        return _read_trees(*parse_trees(data, source, mend=True), source)
    return games, notices


def _read_trees(
    trees: list[Any], notices: list[Notice], source: str
) -> tuple[list[Game], list[Notice]]:
    games = []
    for number, tree in enumerate(trees, 1):
        name = f"{source}#{number}" if len(trees) > 1 else source
        game, remarks = read_tree(tree, name)
        notices += remarks
        if game is not None:
            games.append(game)
    return games, notices


def parse_trees(data: bytes, source: str, mend: bool = False) -> tuple[list[Any], list[Notice]]:
    """sgfmill's coarse trees of a file, mended where need be, or on demand."""
    if not data.strip():
        return [], [Notice(SKIPPED, source, "", "empty file")]
    if not data.startswith(_UTF16) and _BINARY.search(data, 0, 4096):
        return [], [Notice(SKIPPED, source, "", BINARY)]
    text, note = decode(data)
    notices = [Notice(MENDED, source, "", note)] if note else []
    try:
        if looks_sound(text) and not mend:
            return sgf_grammar.parse_sgf_collection(text.encode("utf-8", "replace")), notices
    except ValueError:
        pass  # not as sound as it looked
    try:
        mended, notes = repair(text)
        trees = sgf_grammar.parse_sgf_collection(mended.encode("utf-8", "replace"))
    except NoGame:
        return [], [Notice(SKIPPED, source, "", NOT_SGF)]
    except ValueError as error:
        return [], [Notice(SKIPPED, source, "", NOT_SGF, str(error))]
    place = f"byte {len(data)}" if CUT_OFF in notes else ""
    return trees, notices + [Notice(MENDED, source, place, what) for what in notes]


def _text(node: Node, name: str) -> str:
    """The first value of a property as simple text, "" if there is none."""
    values = node.get(name)
    if not values:
        return ""
    if values[0].isalnum():
        return values[0].decode("ascii")  # isalnum on bytes: ASCII only
    value: bytes = sgf_grammar.simpletext_value(values[0])
    return value.decode("utf-8", "replace").strip()


def read_tree(tree: Any, source: str) -> tuple[Game | None, list[Notice]]:
    """One game, or None with the reason among the notices."""
    nodes: list[Node] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]

    def skip(reason: str, detail: str = "") -> tuple[None, list[Notice]]:
        return None, [Notice(SKIPPED, source, "", reason, detail)]

    kind = _text(root, "GM")
    if kind not in ("", "1"):
        return skip("not a game of Go", f"GM[{kind}]")
    columns, rows = headers.board_size(_text(root, "SZ"))
    if columns != rows:
        return skip("board not square", f"{columns}x{rows}")
    if not MIN_SIZE <= columns <= MAX_SIZE:
        given = _text(root, "SZ")
        return skip("board size out of range", f"SZ[{given}], sizes 2 to 19 are read")
    size = columns

    notices = []
    codes, fault, doubled = collect(nodes, size)
    actions = np.array(codes, np.uint16)
    moves = int(np.count_nonzero(is_move(actions)))
    if not codes:
        return skip(OUTSIDE, fault) if fault else skip("no moves")
    if fault:
        notices.append(Notice(CUT, source, f"move {moves + 1}", OUTSIDE, fault))
    if doubled:
        notices.append(Notice(MENDED, source, f"node {doubled}", "move given twice"))
    actions, handicap, given = _handicap(_text(root, "HA"), actions, size)
    if given:
        notices.append(Notice(MENDED, source, "", given))
    done, broken = replayed(actions, size)
    if broken != FINE:
        place, detail = place_of(actions, done, size)
        notices.append(Notice(CUT, source, place, FAULTS[broken], detail))
        actions = actions[:done]
        if not is_move(actions).any():
            return None, [*notices[:-1], Notice(SKIPPED, source, place, FAULTS[broken], detail)]
    komi, note = headers.komi(_text(root, "KM"))
    if note:
        notices.append(Notice(MENDED, source, "", note, f"KM[{_text(root, 'KM')}]"))
    game = Game(
        size=size,
        actions=actions,
        komi=komi,
        handicap=handicap,
        rules=_text(root, "RU"),
        black=_text(root, "PB"),
        white=_text(root, "PW"),
        black_rank=_text(root, "BR"),
        white_rank=_text(root, "WR"),
        date=_text(root, "DT"),
        result=_text(root, "RE"),
        source=source,
    )
    if turn := game.breaks_turn:
        notices.append(Notice(ODD, source, f"move {turn}", "colours do not alternate"))
    return game, notices


def collect(nodes: list[Node], size: int) -> tuple[list[int], str, int]:
    """(actions of the main line, "" or the point outside the board, first doubled move or 0).

    In a node setup comes before moves, whatever their order in the file. Of a move given twice in
    one node the first counts.
    """
    moves = _move_codes(size)
    codes: list[int] = []
    doubled = 0
    for number, node in enumerate(nodes):
        try:
            if len(node) > 1 or not node.keys() <= moves.keys():
                codes += _setup_codes(node, size)
            for name, values in node.items():
                if name not in moves:
                    continue
                code = moves[name].get(values[0].strip())
                if code is None:
                    raise ValueError(f"{name}[{values[0].decode('utf-8', 'replace')[:20]}]")
                codes.append(code)
                if len(values) > 1 and not doubled:
                    doubled = number
        except ValueError as error:
            return codes, str(error), doubled
    return codes, "", doubled


@cache
def _move_codes(size: int) -> dict[str, dict[bytes, int]]:
    """Property → letters → action: a table, since 47 million moves are looked up."""
    points = [PASS, *all_points(size)]
    tables = {
        name: {letters(p).encode(): move_action(colour, p) for p in points}
        for name, colour in _MOVES.items()
    }
    for name, colour in _MOVES.items():
        tables[name][b"tt"] = move_action(colour, PASS)
    return tables


def _setup_codes(node: Node, size: int) -> list[int]:
    """The setup of a node. Raises ValueError on a point outside the board."""
    codes = []
    for name, colour in _SETUP.items():
        for value in node.get(name, ()):
            codes += [setup_action(colour, p) for p in _area(value.decode("ascii").strip(), size)]
    turn = _text(node, "PL")[:1].upper()
    if turn in _MOVES:
        codes.append(turn_action(_MOVES[turn]))
    return codes


def _area(text: str, size: int) -> list[int]:
    """The points of "dd" or of the rectangle "aa:cc". Raises ValueError; "" is no point."""
    if not text:
        return []
    first, _, last = text.partition(":")
    corners = [from_letters(corner, size) for corner in (first, last or first)]
    if PASS in corners:
        raise ValueError(f"{text!r} is no point of a {size}x{size} board")
    (top, left), (bottom, right) = (row_col(p) for p in corners)
    return [
        point(row, col)
        for row in range(min(top, bottom), max(top, bottom) + 1)
        for col in range(min(left, right), max(left, right) + 1)
    ]


def _handicap(text: str, actions: Actions, size: int) -> tuple[Actions, int, str]:
    """(actions, handicap, note): stones that HA promises and the record forgot are put down.

    They go on the usual points if White moves first and the game is then legal no less far.
    HA[1] is no handicap. Without HA, black stones put before White's first move are one.
    """
    number = int(text) if text.isascii() and text.isdigit() else 0
    moved = np.flatnonzero(is_move(actions))
    start = int(moved[0]) if len(moved) else len(actions)
    white_first = len(moved) > 0 and colours_of(actions[start]) == WHITE
    before = actions[:start]
    stones = before[points_of(before) != PASS]
    if len(stones):
        only_black = bool(np.all(colours_of(stones) == BLACK))
        return actions, number if number >= 2 else len(stones) * (only_black and white_first), ""
    if number < 2 or not white_first:
        return actions, number if number >= 2 else 0, ""
    try:
        points = handicap_points(size, number)
    except ValueError:
        return actions, number, ""
    put = np.array([setup_action(BLACK, p) for p in points], np.uint16)
    whole = np.concatenate([put, actions])
    if replayed(whole, size)[0] - len(put) < replayed(actions, size)[0]:
        return actions, number, ""
    return whole, number, "handicap stones put on the usual points"


def replayed(actions: Actions, size: int) -> tuple[int, int]:
    """(how many actions apply from the empty board on, FINE or the fault)."""
    board = _board(size)
    clear(board, size)
    done, fault = replay(board, actions)
    return int(done), int(fault)


def _board(size: int) -> Any:
    """A board for `replayed` alone, one to each thread."""
    boards: dict[int, Any] = _own.__dict__.setdefault("boards", {})
    if size not in boards:
        boards[size] = new_board(size)
    return boards[size]


def place_of(actions: Actions, index: int, size: int) -> tuple[str, str]:
    """("move 57", "white D4") of an action."""
    action = actions[index]
    number = int(np.count_nonzero(is_move(actions[:index])))
    if int(action) & SETUP:
        return f"after move {number}", "setup"
    name = COLOUR_NAMES[int(colours_of(action))]
    return f"move {number + 1}", f"{name} {vertex(int(points_of(action)), size)}"
