"""SGF in: the bytes of a file become games and notices, mended where need be.

Only the main line is read: the first child at every branch. The limits below are checked while
reading: what is beyond them is never built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from sgfmill import sgf_grammar

from katachi.go.points import MAX_SIZE, MIN_SIZE
from katachi.records import headers
from katachi.records.actions import FAULTS, FINE, is_move
from katachi.records.course import OUTSIDE, SHOWN, collect, with_handicap
from katachi.records.game import CUT, MENDED, ODD, SKIPPED, Game, Notice
from katachi.records.grammar import GameTree, NotSound, Properties, parse_collection
from katachi.records.repair import CUT_OFF, NoGame, looks_sound, repair
from katachi.records.text import decode
from katachi.records.values import first_text, simple_text
from katachi.records.walk import place_of, replayed

MAX_GAMES: Final = 50_000  # of one file
MAX_SKIPPED: Final = 1_000  # games of one file of which each is told why it was skipped

_TEXTS: Final = {
    "rules": "RU",
    "black": "PB",
    "white": "PW",
    "black_rank": "BR",
    "white_rank": "WR",
    "date": "DT",
    "result": "RE",
    "event": "EV",
}
_BINARY = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")
_CONTROL = re.compile(f"[{_BINARY.decode('ascii')}]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

NOT_SGF = "no game record"
BINARY = "binary data"
TOO_MANY_GAMES: Final = f"more than {MAX_GAMES:,} games in one file"
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


def _long_headers(root: Properties) -> list[str]:
    """The names of the headers that `first_text` cuts."""
    return [
        name
        for name in _TEXTS.values()
        if name in root
        and len(root[name][0]) > headers.MAX_TEXT
        and len(simple_text(root[name][0])) > headers.MAX_TEXT
    ]


def read_tree(tree: GameTree, source: str) -> tuple[Game | None, list[Notice]]:
    """One game, or None with the reason among the notices."""
    nodes: list[Properties] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]

    def skip(reason: str, detail: str = "") -> tuple[None, list[Notice]]:
        return None, [Notice(SKIPPED, source, "", reason, detail)]

    kind = first_text(root, "GM")
    if kind not in ("", "1"):
        return skip("not a game of Go", f"GM[{kind[:SHOWN]}]")
    columns, rows = headers.board_size(first_text(root, "SZ"))
    if columns != rows:
        return skip("board not square", f"{columns}x{rows}")
    if not MIN_SIZE <= columns <= MAX_SIZE:
        given = first_text(root, "SZ")[:SHOWN]
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
    actions, handicap, given = with_handicap(first_text(root, "HA"), actions, size)
    if given:
        notices.append(Notice(MENDED, source, "", given))
    done, broken = replayed(actions, size)
    if broken != FINE:
        place, detail = place_of(actions, done, size)
        notices.append(Notice(CUT, source, place, FAULTS[broken], detail))
        actions = actions[:done]
        if not is_move(actions).any():
            return None, [*notices[:-1], Notice(SKIPPED, source, place, FAULTS[broken], detail)]
    komi, note = headers.komi(first_text(root, "KM"))
    if note:
        notices.append(Notice(MENDED, source, "", note, f"KM[{first_text(root, 'KM')[:SHOWN]}]"))
    texts = {field: first_text(root, name) for field, name in _TEXTS.items()}
    notices += [Notice(MENDED, source, name, LONG_HEADER) for name in _long_headers(root)]
    game = Game(size=size, actions=actions, komi=komi, handicap=handicap, source=source, **texts)
    if turn := game.breaks_turn:
        notices.append(Notice(ODD, source, f"move {turn}", "colours do not alternate"))
    return game, notices
