"""The grammar of SGF: bytes become trees of properties, game by game, within limits, and back.

It reads what sgfmill's grammar reads (the tests compare them) and gives sgfmill's trees, but one
game at a time, and it stops building where a game is larger than any game is: a few kilobytes in
an archive can unfold to millions of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from sgfmill import sgf_grammar

Properties: TypeAlias = dict[str, list[bytes]]

MAX_NODES: Final = 200_000  # of one game, variations included
MAX_VALUES: Final = 1_000_000  # of all properties of one game

TOO_MANY_NODES: Final = f"more than {MAX_NODES:,} nodes in one game"
TOO_MANY_VALUES: Final = f"more than {MAX_VALUES:,} values in one game"

_START = re.compile(rb"\(\s*+;")
# A value, a name or a delimiter. Nothing is given back (*+): the time stays linear.
_TOKEN = re.compile(
    rb"\s*+(?:\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]|([A-Za-z]{1,64}+)|([;()]))", re.DOTALL
)
_PARENTHESIS = re.compile(  # the next one that is in no value
    rb"[^()\[]*+(?:\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\][^()\[]*+)*+([()])", re.DOTALL
)
_VALUE, _NAME = 1, 2
_SMALL = bytes(range(ord("a"), ord("z") + 1))


class NotSound(ValueError):
    """The text is not SGF as it stands."""


class GameTree(sgf_grammar.Coarse_game_tree):  # type: ignore[misc]
    """sgfmill's tree: `sequence`, the nodes before the variations, and `children`, these.

    Of the whole game, `nodes` counts them, and `cut` is "" or the limit at which the rest of the
    game was left out.
    """

    sequence: list[Properties]
    children: list[GameTree]

    def __init__(self) -> None:
        super().__init__()
        self.nodes = 0
        self.cut = ""


def parse_collection(data: bytes) -> Iterator[GameTree]:
    """The games of an SGF file, one after another; what stands between them is passed over.

    Raises NotSound where a game is not as it should be, and if there is none: the games before
    that have been given already.
    """
    found = _START.search(data)
    if not found:
        raise NotSound("no SGF data found")
    number = 0
    while found:
        try:
            tree, end = _parse_game(data, found.start())
        except NotSound as error:
            raise NotSound(f"error parsing game {number}: {error}") from None
        yield tree
        number += 1
        found = _START.search(data, end)


def _parse_game(data: bytes, start: int) -> tuple[GameTree, int]:
    """The game that begins at `start`, and where it ends."""
    names: dict[bytes, str] = {}  # as written → as meant, each text once
    above: list[GameTree] = []  # the trees around this one, the whole game first
    tree = GameTree()
    sequence: list[Properties] | None = tree.sequence  # until its first child or its end
    node: Properties | None = None
    values: list[bytes] | None = None  # of the property read last
    missing = False  # a name without a value so far
    nodes = count = 0
    at = start + 1  # after the parenthesis
    while token := _TOKEN.match(data, at):
        at = token.end()
        kind = token.lastindex
        if kind == _VALUE:
            if values is None:
                raise NotSound("unexpected value")
            missing = False
            values.append(token[1])
            count += 1
            if count > MAX_VALUES:
                return _cut([*above, tree], nodes, TOO_MANY_VALUES, data, at)
            continue
        if missing:
            raise NotSound("property with no values")
        if kind == _NAME:
            if node is None:
                raise NotSound("property value outside a node")
            written = token[2]
            name = names.get(written)
            if name is None:
                name = names[written] = written.translate(None, _SMALL).decode("ascii")
            # A property given twice has the values of both. One without a name, since its
            # letters are all small, is left out: it could not be written.
            values = node.setdefault(name, []) if name else []
            missing = True
            continue
        values = None
        sign = token[3]
        if nodes == MAX_NODES and sign != b")":
            return _cut([*above, tree], nodes, TOO_MANY_NODES, data, token.start(3))
        if sign == b";":
            if sequence is None:
                raise NotSound("unexpected node")
            node = {}
            nodes += 1
            sequence.append(node)
            continue
        node = None
        if sequence is not None and not sequence:
            raise NotSound("empty sequence")
        if sign == b"(":
            child = GameTree()
            tree.children.append(child)
            above.append(tree)
            tree, sequence = child, child.sequence
            continue
        sequence = None
        if not above:
            tree.nodes = nodes
            return tree, at
        tree = above.pop()
    raise NotSound("unexpected end of SGF data")


def _cut(
    trees: list[GameTree], nodes: int, limit: str, data: bytes, at: int
) -> tuple[GameTree, int]:
    """The game as far as it was read, to `at` inside `trees`, and where it ends.

    Of the rest only the parentheses count.
    """
    depth = len(trees)
    trees[0].cut = limit
    trees[0].nodes = nodes
    while found := _PARENTHESIS.match(data, at):
        at = found.end()
        depth += 1 if found[1] == b"(" else -1
        if depth == 0:
            return trees[0], at
    raise NotSound("unexpected end of SGF data")


def serialise(tree: GameTree) -> bytes:
    """The game as SGF, the properties in the order they have; lines of 79 bytes where possible."""
    pieces: list[bytes] = []
    waiting: list[GameTree | None] = [tree]
    while waiting:
        part = waiting.pop()
        if part is None:
            pieces.append(b")")
            continue
        pieces.append(b"(")
        for node in part.sequence:
            pieces.append(b";")
            pieces += [
                name.encode("ascii") + b"".join(b"[%s]" % value for value in values)
                for name, values in node.items()
            ]
        waiting += [None, *reversed(part.children)]
    pieces.append(b"\n")
    return bytes(sgf_grammar.block_format(pieces))
