"""Our grammar beside sgfmill's: the same trees, and the same texts refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from fuzz.sgf import generate
from katachi.records.grammar import GameTree, NotSound, parse_collection, serialise


def flat(tree: GameTree | sgf_grammar.Coarse_game_tree) -> list[object]:
    """The tree as data; a name without capital letters is no name to us."""
    found: list[object] = []
    waiting = [(0, tree)]
    while waiting:
        depth, part = waiting.pop()
        nodes = [{k: v for k, v in node.items() if k} for node in part.sequence]
        found.append((depth, nodes, len(part.children)))
        waiting += [(depth + 1, child) for child in part.children]
    return found


def compare(data: bytes) -> None:
    try:
        theirs = sgf_grammar.parse_sgf_collection(data)
    except ValueError:
        with pytest.raises(NotSound):
            list(parse_collection(data))
        return
    ours = list(parse_collection(data))
    assert [flat(tree) for tree in ours] == [flat(tree) for tree in theirs]
    assert [tree.nodes for tree in ours] == [count(tree) for tree in ours]
    again = list(parse_collection(b"".join(serialise(tree) for tree in ours)))
    assert [flat(tree) for tree in again] == [flat(tree) for tree in ours]


def count(tree: GameTree) -> int:
    waiting, nodes = [tree], 0
    while waiting:
        part = waiting.pop()
        nodes += len(part.sequence)
        waiting += part.children
    return nodes


@given(st.binary() | st.text("();[]\\ABwz: \n").map(str.encode))
def test_any_text(data: bytes) -> None:
    compare(data)


@given(st.text("();[]\\ABwz: \n").map(lambda text: b"(;SZ[9]" + text.encode() + b")"))
def test_any_text_in_a_game(data: bytes) -> None:
    compare(data)


@pytest.mark.parametrize("seed", range(150))
def test_games_of_the_fuzzer(seed: int) -> None:
    compare(generate(Random(seed)))


@pytest.mark.slow
def test_a_deep_tree_ends() -> None:
    (tree,) = parse_collection(b"(;" * 150_000 + b")" * 150_000)
    assert tree.nodes == 150_000
    assert serialise(tree).count(b"(") == 150_000
