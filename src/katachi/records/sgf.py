"""SGF in: the bytes of a file become games and notices, mended where need be.

Only the main line is read: the first child at every branch. The limits below are checked while
reading: what is beyond them is never built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from threading import local
from typing import Any, Final, NamedTuple

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
from katachi.records.grammar import GameTree, Node, NotSound, parse_collection
from katachi.records.repair import CUT_OFF, NoGame, looks_sound, repair
from katachi.records.text import decode

MAX_GAMES: Final = 50_000  # of one file
MAX_ACTIONS: Final = 65_535  # of one game: moves, and stones put or taken; a column is 16 bits wide
MAX_NAMED: Final = 10_000  # points in the setup of one node, each as often as it is named
MAX_SKIPPED: Final = 1_000  # games of one file of which each is told why it was skipped

_SETUP: Final = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_MOVES: Final = {"B": BLACK, "W": WHITE}
_TEXTS: Final = {
    "rules": "RU",
    "black": "PB",
    "white": "PW",
    "black_rank": "BR",
    "white_rank": "WR",
    "date": "DT",
    "result": "RE",
}
_SHOWN = 20  # characters of a bad value
_BINARY = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")
_CONTROL = re.compile(f"[{_BINARY.decode('ascii')}]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

_own = local()  # of a thread

NOT_SGF = "no game record"
BINARY = "binary data"
OUTSIDE = "point outside the board"
TOO_MANY_GAMES: Final = f"more than {MAX_GAMES:,} games in one file"
TOO_MANY_ACTIONS: Final = f"more than {MAX_ACTIONS:,} moves and setup stones"
LONG_HEADER: Final = f"header of more than {headers.MAX_TEXT:,} characters"


def parse_games(data: bytes, source: str = "") -> tuple[list[Game], list[Notice]]:
    """All games of an SGF file with what was noticed about them. Never raises.

    `source` names the file in games and notices; a file of several games numbers them
    ("file.sgf#2"). Every move of a returned game is legal: a game that breaks the rules is cut.
    """
    result: tuple[list[Game], list[Notice]] = [], []
    for text, notices in _readings(data, source):
        if text is None:
            return [], notices
        try:
            games, remarks = _read_collection(text, source)
        except NotSound as error:
            result = [], [Notice(SKIPPED, source, "", NOT_SGF, str(error))]
            continue
        result = games, notices + remarks
        # A lost bracket may swallow a node: sound for a parser, not for a reader.
        if not any(notice.reason == OUTSIDE and ";" in notice.detail for notice in remarks):
            break
    return result


def _readings(data: bytes, source: str) -> Iterator[tuple[bytes | None, list[Notice]]]:
    """The ways to read a file, the likeliest first: (SGF in UTF-8, notices): as it stands if it
    begins well, then mended. None instead of SGF: there is no game in it.
    """
    if not data.strip():
        yield None, [Notice(SKIPPED, source, "", "empty file")]
        return
    if not data.startswith(_UTF16) and _holds_binary(data[:4096]):
        yield None, [Notice(SKIPPED, source, "", BINARY)]
        return
    text, note = decode(data)
    notices = [Notice(MENDED, source, "", note)] if note else []
    if _holds_binary(data) and _CONTROL.search(text):
        # Written back, such a file could be taken for binary data.
        text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
        notices.append(Notice(MENDED, source, "", "control characters in the text"))
    if looks_sound(text):
        yield text.encode("utf-8", "replace"), notices
    try:
        mended, notes = repair(text)
    except NoGame:
        yield None, [Notice(SKIPPED, source, "", NOT_SGF)]
        return
    place = f"byte {len(data)}" if CUT_OFF in notes else ""
    notices = notices + [Notice(MENDED, source, place, what) for what in notes]
    yield mended.encode("utf-8", "replace"), notices


def _holds_binary(data: bytes) -> bool:
    return len(data.translate(None, _BINARY)) < len(data)


def _read_collection(text: bytes, source: str) -> tuple[list[Game], list[Notice]]:
    """The games of sound SGF. Raises NotSound."""
    games: list[Game] = []
    notices: list[Notice] = []
    skipped = 0
    for number, several, tree in _numbered(parse_collection(text)):
        if number > MAX_GAMES:
            notices.append(Notice(SKIPPED, source, f"game {number}", TOO_MANY_GAMES))
            break
        game, remarks = read_tree(tree, f"{source}#{number}" if several else source)
        if game is not None:
            games.append(game)
        else:
            skipped += 1
            if skipped > MAX_SKIPPED:
                continue
        notices += remarks
    if skipped > MAX_SKIPPED:
        more = f"{skipped - MAX_SKIPPED:,} games"
        notices.append(Notice(SKIPPED, source, "", "not told one by one", more))
    return games, notices


def _numbered(trees: Iterator[GameTree]) -> Iterator[tuple[int, bool, GameTree]]:
    """(number from 1, whether there are several, tree), one tree ahead at most."""
    number, waiting = 1, next(trees)
    for tree in trees:
        yield number, True, waiting
        number, waiting = number + 1, tree
    yield number, number > 1, waiting


def parse_trees(
    data: bytes, source: str, most_nodes: int
) -> tuple[list[GameTree], list[Notice], bool]:
    """The trees of a file, mended where need be; what was noticed; whether they are all of it.

    Reading stops once they have more than `most_nodes` nodes.
    """
    problem = Notice(SKIPPED, source, "", NOT_SGF)
    for text, notices in _readings(data, source):
        if text is None:
            return [], notices, True
        trees: list[GameTree] = []
        nodes = 0
        try:
            for tree in parse_collection(text):
                trees.append(tree)
                nodes += tree.nodes
                if nodes > most_nodes:
                    return trees, notices, False
        except NotSound as error:
            problem = Notice(SKIPPED, source, "", NOT_SGF, str(error))
            continue
        return trees, notices, True
    return [], [problem], True


def _text(node: Node, name: str) -> str:
    """The first value of a property as simple text, "" if there is none; MAX_TEXT characters of
    it at most.
    """
    values = node.get(name)
    if not values:
        return ""
    if len(values[0]) <= headers.MAX_TEXT and values[0].isalnum():
        return values[0].decode("ascii")  # isalnum on bytes: ASCII only
    return _simple(values[0])[: headers.MAX_TEXT].rstrip()


def _simple(raw: bytes) -> str:
    """A value as simple text: all of it, or more than MAX_TEXT characters."""
    # Eight bytes are the most that one character takes: four, each behind a backslash.
    value: bytes = sgf_grammar.simpletext_value(raw[: 9 * headers.MAX_TEXT])
    return value.decode("utf-8", "replace").strip()


def _long_headers(root: Node) -> list[str]:
    """The names of the headers that `_text` cuts."""
    return [
        name
        for name in _TEXTS.values()
        if name in root
        and len(root[name][0]) > headers.MAX_TEXT
        and len(_simple(root[name][0])) > headers.MAX_TEXT
    ]


def read_tree(tree: GameTree, source: str) -> tuple[Game | None, list[Notice]]:
    """One game, or None with the reason among the notices."""
    nodes: list[Node] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]

    def skip(reason: str, detail: str = "") -> tuple[None, list[Notice]]:
        return None, [Notice(SKIPPED, source, "", reason, detail)]

    kind = _text(root, "GM")
    if kind not in ("", "1"):
        return skip("not a game of Go", f"GM[{kind[:_SHOWN]}]")
    columns, rows = headers.board_size(_text(root, "SZ"))
    if columns != rows:
        return skip("board not square", f"{columns}x{rows}")
    if not MIN_SIZE <= columns <= MAX_SIZE:
        given = _text(root, "SZ")[:_SHOWN]
        return skip("board size out of range", f"SZ[{given}], sizes 2 to 19 are read")
    size = columns

    notices = []
    codes, fault, detail, doubled = collect(nodes, size)
    actions = np.array(codes, np.uint16)
    moves = int(np.count_nonzero(is_move(actions)))
    if not codes:
        return skip(fault, detail) if fault else skip("no moves")
    if fault:
        notices.append(Notice(CUT, source, f"move {moves + 1}", fault, detail))
    elif tree.cut:
        notices.append(Notice(CUT, source, f"after move {moves}", tree.cut))
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
        notices.append(Notice(MENDED, source, "", note, f"KM[{_text(root, 'KM')[:_SHOWN]}]"))
    texts = {field: _text(root, name) for field, name in _TEXTS.items()}
    notices += [Notice(MENDED, source, name, LONG_HEADER) for name in _long_headers(root)]
    game = Game(size=size, actions=actions, komi=komi, handicap=handicap, source=source, **texts)
    if turn := game.breaks_turn:
        notices.append(Notice(ODD, source, f"move {turn}", "colours do not alternate"))
    return game, notices


class Collected(NamedTuple):
    """The actions of nodes as far as they can be read; "" or why no farther, with the particulars;
    and the node of the first move given twice, or 0.
    """

    codes: list[int]
    fault: str
    detail: str
    doubled: int


class _Outside(ValueError):
    """A point that is not on the board."""


class _TooMany(ValueError):
    """More actions than a game may have."""


def collect(nodes: list[Node], size: int) -> Collected:
    """What the nodes of a line do to the board, MAX_ACTIONS at most.

    In a node setup comes before moves, whatever their order in the file. Of a move given twice in
    one node the first counts.
    """
    moves = _move_codes(size)
    codes: list[int] = []
    doubled = 0
    for number, node in enumerate(nodes):
        try:
            if len(node) > 1 or not node.keys() <= moves.keys():
                codes += _setup_codes(node, size, MAX_ACTIONS - len(codes))
            for name, values in node.items():
                if name not in moves:
                    continue
                code = moves[name].get(values[0].strip())
                if code is None:
                    shown = values[0][: 4 * _SHOWN].decode("utf-8", "replace")[:_SHOWN]
                    raise _Outside(f"{name}[{shown}]")
                if len(codes) >= MAX_ACTIONS:
                    raise _TooMany
                codes.append(code)
                if len(values) > 1 and not doubled:
                    doubled = number
        except _Outside as error:
            return Collected(codes, OUTSIDE, str(error), doubled)
        except _TooMany:
            return Collected(codes, TOO_MANY_ACTIONS, "", doubled)
    return Collected(codes, "", "", doubled)


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


def _setup_codes(node: Node, size: int, most: int) -> list[int]:
    """The setup of a node, each stone once. Raises _Outside, and _TooMany for more than `most`."""
    codes: dict[int, None] = {}
    named = 0  # points: a few letters may name all of the board, again and again
    for name, colour in _SETUP.items():
        for value in node.get(name, ()):
            points = _area(value, size)
            named += len(points)
            if named > MAX_NAMED:
                raise _TooMany
            codes.update((setup_action(colour, p), None) for p in points)
    turn = _text(node, "PL")[:1].upper()
    if turn in _MOVES:
        codes[turn_action(_MOVES[turn])] = None
    if len(codes) > most:
        raise _TooMany
    return list(codes)


def _area(value: bytes, size: int) -> list[int]:
    """The points of "dd" or of the rectangle "aa:cc". Raises _Outside; "" is no point."""
    text = value.strip()[: 4 * _SHOWN].decode("utf-8", "replace")[:_SHOWN]
    if not text:
        return []
    first, _, last = text.partition(":")
    try:
        corners = [from_letters(corner, size) for corner in (first, last or first)]
    except ValueError as error:
        raise _Outside(str(error)) from None
    if PASS in corners:
        raise _Outside(f"{text!r} is no point of a {size}x{size} board")
    (top, left), (bottom, right) = (row_col(p) for p in corners)
    return [
        point(row, col)
        for row in range(min(top, bottom), max(top, bottom) + 1)
        for col in range(min(left, right), max(left, right) + 1)
    ]


def _handicap(text: str, actions: Actions, size: int) -> tuple[Actions, int, str]:
    """(actions, handicap, note): stones that HA promises and the record forgot are put down.

    They go on the usual points if White moves first and the game is then legal no less far.
    Without HA, two black stones or more put before White's first move are one.
    """
    number = headers.handicap(text, size)
    moved = np.flatnonzero(is_move(actions))
    start = int(moved[0]) if len(moved) else len(actions)
    white_first = len(moved) > 0 and int(colours_of(actions[start])) == WHITE
    before = actions[:start]
    stones = before[points_of(before) != PASS]
    if len(stones):
        only_black = bool(np.all(colours_of(stones) == BLACK))
        put = len(np.unique(stones))
        given = put if put >= 2 and only_black and white_first else 0
        return actions, number or given, ""
    if not number or not white_first:
        return actions, number, ""
    try:
        points = handicap_points(size, number)
    except ValueError:
        return actions, number, ""
    forgotten = np.array([setup_action(BLACK, p) for p in points], np.uint16)
    whole = np.concatenate([forgotten, actions])
    worse = replayed(whole, size)[0] - len(forgotten) < replayed(actions, size)[0]
    if worse or len(whole) > MAX_ACTIONS:
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
