"""`KeptTree`: the tree of a game, of which is kept what still matters after each move."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board, new_board
from katachi.go.points import MAX_SIZE
from katachi.search.player import GameState
from katachi.search.space import END, FULL, NEXT, SearchSpace
from katachi.search.tree import ROOT, child_of, clear_node, keep, new_tree


class KeptTree:
    """A tree and the game that it belongs to; `root` is the board at its root."""

    def __init__(self, nodes: int) -> None:
        self.tree = new_tree(nodes)
        self.spare = new_tree(nodes)
        self.root: Board = new_board(MAX_SIZE)
        self._terms: tuple[Any, ...] | None = None
        self._moves: list[tuple[int, int]] = []
        self.forget()

    def forget(self) -> None:
        """Begin again with a root that knows nothing."""
        clear_node(self.tree, ROOT)
        self._terms = None
        self._used = 1

    def take_over(self, game: GameState, spaces: list[SearchSpace]) -> None:
        """Make the game's position the root, and keep what is known about it. The rest of the
        memory is shared out among the threads with these spaces.
        """
        position = game.position
        terms = (position.beginning, game.komi, game.rules, game.cleanup)
        node = self._known(game) if self._terms == terms else None
        if node is None:
            self.forget()
        elif node != ROOT:
            # Half of the memory may be kept, so that there is room to go on.
            self._used = int(keep(self.tree, self.spare, node, len(self.tree.move) // 2))
            self.tree, self.spare = self.spare, self.tree
        if node != ROOT:
            room = (len(self.tree.move) - self._used) // len(spaces)
            for i, space in enumerate(spaces):
                space.control[NEXT] = self._used + i * room
                space.control[END] = self._used + (i + 1) * room
                space.control[FULL] = 0
        self._terms = terms
        self._moves = list(position.moves)
        self.root = position.board.copy()

    def _known(self, game: GameState) -> int | None:
        """The node of the position, if it was reached from the root by turns."""
        position = game.position
        if position.moves[: len(self._moves)] != self._moves:
            return None
        node: int | None = ROOT
        turn = int(self.root.to_move)
        for colour, move in position.moves[len(self._moves) :]:
            if node is None or colour != turn:
                return None
            node = child_of(self.tree, node, move)
            turn = 3 - turn
        return node if turn == position.to_move else None
