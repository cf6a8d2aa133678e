"""An SGF file as a tree, variations and comments included, for reading on a board and for writing
back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.go.board import clear, new_board
from katachi.records.actions import FAULTS, FINE, SETUP, replay
from katachi.records.course import OUTSIDE, TOO_MANY_ACTIONS, collect
from katachi.records.game import Game, Notice
from katachi.records.grammar import GameTree, Properties, serialise
from katachi.records.sgf import parse_trees, read_tree
from katachi.records.values import text_of
from katachi.records.walk import place_of

MAX_FILE_NODES: Final = 1_000_000  # of all games of a file
MAX_TREE_ACTIONS: Final = 1_000_000  # of all nodes of a game: moves, and stones put or taken
NEAR: Final = 64  # nodes, between two boards that are kept while reading
NOWHERE: Final = -2


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
class Record:
    """A game with all its variations; `game` is the main line."""

    game: Game
    nodes: list[Node]
    notices: list[Notice]
    _whole: list[GameTree]  # all games of the file; the nodes share their properties

    @property
    def main_line(self) -> list[Node]:
        """The nodes of the first child at every branch, the root first."""
        return _main_line(self.nodes)

    def to_sgf(self) -> bytes:
        """The whole file again, with the properties that the nodes have now, in UTF-8."""
        root = self.nodes[0].properties
        if "FF" not in root:  # it belongs to the beginning
            rest = dict(root)
            root.clear()
            root |= {"FF": [b"4"], **rest}
        for tree in self._whole:
            tree.sequence[0]["CA"] = [b"UTF-8"]  # readers look at the first
        return b"\n".join(serialise(tree) for tree in self._whole)


def parse_tree(data: bytes, source: str = "", number: int = 1) -> Record:
    """The game of this number in an SGF file, with its variations.

    Raises KatachiError, with what is wrong and where, if there is none that can be read, or if
    the file is larger than a tree may be: a part of it could not be written back. Where a line
    breaks the rules, the nodes from there on say so, and the rest is read.
    """
    whole, notices, complete = parse_trees(data, source, MAX_FILE_NODES)
    if not whole:
        what = str(notices[0]) if notices else f"{source}: no game record"
        raise KatachiError(f"{what}: choose another file")
    if not complete:
        raise KatachiError(
            f"{source} has more than {MAX_FILE_NODES:,} nodes: choose a smaller file"
        )
    for tree in whole:
        if tree.cut:
            raise KatachiError(f"{source} has {tree.cut}: choose a smaller file")
    if not 1 <= number <= len(whole):
        raise KatachiError(f"{source} has {len(whole)} games, none of number {number}")
    coarse = whole[number - 1]
    game, more = read_tree(coarse, source)
    if game is None:
        raise KatachiError(f"{more[-1]}: choose another file")
    nodes = _flat(coarse)
    _follow(nodes, game)
    return Record(game, nodes, [*notices, *more], whole)


def _main_line(nodes: list[Node]) -> list[Node]:
    line = [nodes[0]]
    while line[-1].children:
        line.append(nodes[line[-1].children[0]])
    return line


def _flat(coarse: GameTree) -> list[Node]:
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
    return found


def _follow(nodes: list[Node], game: Game) -> None:
    """Give every node its actions, as far as the rules let it."""
    boards = _Boards(nodes, game.size)
    put = _forgotten(nodes, game)
    left = MAX_TREE_ACTIONS
    for node in nodes:
        if node.parent >= 0 and nodes[node.parent].fault:
            node.fault = nodes[node.parent].fault
            continue
        codes, fault, detail, _ = collect([node.properties], game.size)
        actions = [*(put if node.parent < 0 else []), *codes]
        left -= len(actions)
        if fault == OUTSIDE:
            node.fault = f"{detail} is outside the board"
            continue
        if fault or left < 0:
            node.fault = TOO_MANY_ACTIONS
            continue
        done, broken = replay(boards.before(node), np.array(actions, np.uint16))
        if broken == FINE:
            node.actions = actions
            boards.keep(node)
            continue
        boards.forget()
        _, detail = place_of(np.array(actions, np.uint16), int(done), game.size)
        node.fault = f"{detail}: {FAULTS[broken]}"


class _Boards:
    """The board before each node, nodes taken in the order of the file.

    Boards are kept along the line, so that a branch is never far from one: the time is linear in
    the nodes, however long the line and however many the branches.
    """

    def __init__(self, nodes: list[Node], size: int) -> None:
        self.nodes = nodes
        self.board = new_board(size)
        clear(self.board, size)
        self.at = -1  # the node whose position is on the board, NOWHERE for none
        self.work = {-1: 0}  # node → what it takes to come there from the beginning
        self.kept: list[tuple[int, Any]] = [(-1, self.board.copy())]  # (node of the line, board)

    def before(self, node: Node) -> Any:
        """The board on which this node acts."""
        here = self.work[node.parent]
        while self.work[self.kept[-1][0]] > here:  # of another branch
            self.kept.pop()
        if node.parent != self.at:
            base, board = self.kept[-1]
            self.board = board.copy()
            path = path_actions(self.nodes, node.parent, base)
            replay(self.board, np.array(path, np.uint16))
        return self.board

    def keep(self, node: Node) -> None:
        """The board is now the one after this node."""
        self.at = node.number
        work = self.work[node.parent] + 1 + len(node.actions) // 16
        self.work[node.number] = work
        if work - self.work[self.kept[-1][0]] >= NEAR:
            self.kept.append((node.number, self.board.copy()))

    def forget(self) -> None:
        """What is on the board is no position of the game."""
        self.at = NOWHERE


def path_actions(nodes: list[Node], last: int, base: int = -1) -> list[int]:
    """All actions after node `base` (the beginning) up to a node that follows it."""
    line = []
    while last != base:
        line.append(nodes[last].actions)
        last = nodes[last].parent
    return [action for actions in reversed(line) for action in actions]


def _forgotten(nodes: list[Node], game: Game) -> list[int]:
    """The handicap stones that the reader has put before the first move, since no node does."""
    plain = collect([node.properties for node in _main_line(nodes)], game.size).codes
    if not game.handicap or (plain and plain[0] & SETUP) or not int(game.actions[0]) & SETUP:
        return []
    return [int(action) for action in game.actions[: game.handicap]]
