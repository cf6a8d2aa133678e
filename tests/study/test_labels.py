"""Labels of a reviewed game: no two alike on one board, whoever has put them."""

from __future__ import annotations

import pytest

from katachi.models.model import load_model
from katachi.records.record import parse_tree
from katachi.study.annotate import LABELS, annotate, clean
from katachi.study.review import review

FULL = "".join(
    f"[{column}{row}:{label}]"
    for (column, row), label in zip(
        ((c, r) for c in "abcdefghi" for r in "abcdefghi" if (c, r) != ("e", "e")),
        LABELS,
        strict=False,
    )
)


@pytest.mark.parametrize(
    "sgf",
    [
        "(;SZ[9];B[ee]LB[aa:A][bb:B];W[cc])",
        "(;SZ[9];B[ee]LB[aa:B][ab:A][ac:D];W[cc])",
        "(;SZ[9];B[ee]LB[aa: A ][ab:1];W[cc])",
        "(;SZ[9];B[ee]L[aa][bb];W[cc])",  # of old files: a and b, or A and B
        "(;SZ[9];B[ee]W[cc];B[gg])",  # two moves in one node
        f"(;SZ[9];B[ee]LB{FULL};W[cc])",
    ],
)
def test_no_label_twice(sgf: str) -> None:
    model = load_model()
    tree = parse_tree(sgf.encode(), "x")
    before = [dict(node.properties) for node in parse_tree(sgf.encode(), "x").nodes]
    moves = review(model, tree.game)
    once = annotate(tree, moves)
    found = parse_tree(once, "x")
    ours = 0
    for node, was in zip(found.nodes, before, strict=True):
        values = node.properties.get("LB", [])
        assert values[: len(was.get("LB", []))] == was.get("LB", [])  # the author's stay
        places = [value.partition(b":")[0] for value in values]
        labels = [value.partition(b":")[2].strip() for value in values]
        assert len(set(places)) == len(places)
        assert len(set(labels)) == len(labels)
        old = len(was.get("L", []))
        assert not set(labels) & {b"A", b"B", b"a", b"b"} or not old
        ours += len(values) - len(was.get("LB", []))
    assert ours >= 3
    assert annotate(parse_tree(once, "x"), moves) == once  # and again
    for node, was in zip(found.nodes, before, strict=True):
        clean(node, 9)
        assert node.properties.get("LB", []) == was.get("LB", [])
