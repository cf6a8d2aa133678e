"""An SGF file as a tree, variations and comments included, for reading on a board and for writing
back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sgfmill import sgf_grammar

from katachi.errors import KatachiError
from katachi.go.board import clear, new_board
from katachi.records.actions import FAULTS, FINE, SETUP, replay
from katachi.records.game import Game, Notice
from katachi.records.sgf import collect, parse_trees, place_of, read_tree

Properties = dict[str, list[bytes]]


@dataclass(eq=False)
class Node:
    """A node of the tree: `properties` as in the file, `actions` what it does to the board.

    `fault` says why the board cannot follow: then it and all after it have no actions.
    """

    number: int  # in the order of the file, the root is 0
    parent: int  # -1 of the root
    properties: Properties
    actions: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    fault: str = ""

    @property
    def comment(self) -> str:
        """What its C says, "" if there is none."""
        values = self.properties.get("C")
        return "" if not values else text_of(values[0])


@dataclass(eq=False)
class Tree:
    """A game with all its variations; `game` is the main line."""

    game: Game
    nodes: list[Node]
    notices: list[Notice]
    _whole: list[Any]  # sgfmill's trees of all games of the file, whose properties the nodes share

    @property
    def main_line(self) -> list[Node]:
        """The nodes of the first child at every branch, the root first."""
        line = [self.nodes[0]]
        while line[-1].children:
            line.append(self.nodes[line[-1].children[0]])
        return line

    def to_sgf(self) -> bytes:
        """The whole file again, with the properties that the nodes have now, in UTF-8."""
        root = self.nodes[0].properties
        root.setdefault("FF", [b"4"])
        root["CA"] = [b"UTF-8"]
        return b"\n".join(bytes(sgf_grammar.serialise_game_tree(tree)) for tree in self._whole)


def text_of(raw: bytes) -> str:
    """An SGF Text value, escapes resolved."""
    return bytes(sgf_grammar.text_value(raw)).decode("utf-8", "replace")


def raw_text(text: str) -> bytes:
    """A text as an SGF Text value."""
    return bytes(sgf_grammar.escape_text(text.encode("utf-8", "replace")))


def parse_tree(data: bytes, source: str = "", number: int = 1) -> Tree:
    """The game of this number in an SGF file, with its variations.

    Raises KatachiError, with what is wrong and where, if there is none that can be read. Where a
    line breaks the rules, the nodes from there on say so, and the rest is read.
    """
    whole, notices = parse_trees(data, source)
    if not whole:
        what = str(notices[0]) if notices else f"{source}: no game record"
        raise KatachiError(f"{what}: choose another file")
    if not 1 <= number <= len(whole):
        raise KatachiError(f"{source} has {len(whole)} games, none of number {number}")
    coarse = whole[number - 1]
    game, more = read_tree(coarse, source)
    if game is None:
        raise KatachiError(f"{more[-1]}: choose another file")
    nodes = list(_flat(coarse))
    _follow(nodes, game)
    return Tree(game, nodes, [*notices, *more], whole)


def _flat(coarse: Any) -> Iterator[Node]:
    """The nodes in the order of the file; without recursion, since a game may be deep."""
    waiting = [(coarse, -1)]
    found: list[Node] = []
    while waiting:
        tree, parent = waiting.pop()
        for properties in tree.sequence:
            node = Node(len(found), parent, properties)
            if parent >= 0:
                found[parent].children.append(node.number)
            found.append(node)
            parent = node.number
        waiting += [(child, parent) for child in reversed(tree.children)]
    yield from found


def _follow(nodes: list[Node], game: Game) -> None:
    """Give every node its actions, as far as the rules let it."""
    board = new_board(game.size)
    here = -1  # the node whose position is on the board
    put = _forgotten(nodes, game)
    for node in nodes:
        actions, outside, _ = collect([node.properties], game.size)
        actions = [*(put if node.parent < 0 else []), *actions]
        if node.parent >= 0 and nodes[node.parent].fault:
            node.fault = nodes[node.parent].fault
            continue
        if outside:
            node.fault = f"{outside} is outside the board"
            continue
        if node.parent != here or here < 0:
            clear(board, game.size)
            replay(board, np.array(path_actions(nodes, node.parent), np.uint16))
        done, fault = replay(board, np.array(actions, np.uint16))
        here = node.number
        if fault == FINE:
            node.actions = actions
            continue
        _, detail = place_of(np.array(actions, np.uint16), int(done), game.size)
        node.fault = f"{detail}: {FAULTS[fault]}"
        here = -1


def path_actions(nodes: list[Node], last: int) -> list[int]:
    """All actions from the root to a node."""
    line = []
    while last >= 0:
        line.append(nodes[last].actions)
        last = nodes[last].parent
    return [action for actions in reversed(line) for action in actions]


def _forgotten(nodes: list[Node], game: Game) -> list[int]:
    """The handicap stones that the reader has put before the first move, since no node does."""
    line = [nodes[0]]
    while line[-1].children:
        line.append(nodes[line[-1].children[0]])
    plain, _, _ = collect([node.properties for node in line], game.size)
    if not game.handicap or (plain and plain[0] & SETUP) or not int(game.actions[0]) & SETUP:
        return []
    return [int(action) for action in game.actions[: game.handicap]]
