"""A review written into the game's own record: comments and labels that any SGF viewer shows.

Our part of a comment stands between two lines that can be seen, and a second run replaces it. What
the author has written stays, letter by letter, and so do all other properties and variations.
"""

from __future__ import annotations

import re
import string
from typing import Any, Final

from katachi.go.points import COLUMNS, PASS, letters
from katachi.records.actions import SETUP
from katachi.records.record import Node, Record
from katachi.records.values import raw_text
from katachi.study.review import Reviewed, players, unusual

BEGIN: Final = "--- Katachi: how usual the moves are ---"
END: Final = "--- end of Katachi ---"
LABELS: Final = string.ascii_uppercase + string.ascii_lowercase
_BLOCK = re.compile(rf"(?:\n\n)?{re.escape(BEGIN)}\n.*?\n{re.escape(END)}", re.DOTALL)
_LABELLED = re.compile(rf"^([{LABELS}]) ([{COLUMNS}])(\d+)  ", re.MULTILINE)


def annotate(tree: Record, moves: list[Reviewed]) -> bytes:
    """The whole file with the review of the main line, as SGF. The tree's nodes are changed.

    `moves` must be those of the tree's game, in order: that is not checked.
    """
    size = tree.game.size
    for node in tree.nodes:
        clean(node, size)
    # Now, so that it stands before our comment, as it will on a second run
    tree.nodes[0].properties.setdefault("CA", [b"UTF-8"])
    left = list(moves)
    for number, node in enumerate(tree.main_line):
        lines: list[str] = []
        if number == 0:
            lines += _summary(moves, size)
        for action in node.actions:
            if not action & SETUP and left:
                lines += _move_lines(left.pop(0), node)
        if lines:
            _write(node, lines)
    return tree.to_sgf()


def clean(node: Node, size: int) -> None:
    """Take our block, and the labels it tells of, out of a node."""
    comment = node.comment
    block = _BLOCK.search(comment)
    if block is None:
        return
    ours = {
        f"{chr(97 + COLUMNS.index(column))}{chr(97 + size - int(line))}:{label}".encode()
        for label, column, line in _LABELLED.findall(block[0])
    }
    labels = [value for value in node.properties.get("LB", []) if value not in ours]
    _set(node, "LB", labels)
    rest = comment[: block.start()] + comment[block.end() :]
    _set(node, "C", [raw_text(rest)] if rest else [])


def _set(node: Node, name: str, values: list[bytes]) -> None:
    """An empty list of points breaks viewers: then there is no property."""
    if values:
        node.properties[name] = values
    else:
        node.properties.pop(name, None)


def _write(node: Node, lines: list[str]) -> None:
    block = "\n".join([BEGIN, *lines, END])
    comment = node.comment
    node.properties["C"] = [raw_text(f"{comment}\n\n{block}" if comment else block)]


def _move_lines(move: Reviewed, node: Node) -> list[str]:
    """The lines about a move; its alternatives are labelled where the author has no label."""
    lines = [f"{move.vertex}: {percent(move.probability)}, number {move.rank} of {move.legal}"]
    if move.rank == 1:
        lines[0] += ", the most usual move"
    lines.append(f"{move.vertex} {move.why}")
    if move.best:
        lines.append(
            f"the search: {move.vertex} wins {move.win_rate:.0%}, {move.best} "
            f"{move.best_win_rate:.0%}"
        )
    taken, used = _labelled(node)
    free = iter([label for label in LABELS if label.encode() not in used])
    for p, vertex, chance, called in move.alternatives:
        told = f"{vertex}  {percent(chance)}  {called}"
        place = letters(p).encode()
        label = "" if p == PASS or place in taken else next(free, "")
        if not label:
            lines.append(f"  {told}")
            continue
        node.properties.setdefault("LB", []).append(place + b":" + label.encode())
        lines.append(f"{label} {told}")
    if move.reason:
        lines.append(move.reason)
    return lines


def _labelled(node: Node) -> tuple[set[bytes], set[bytes]]:
    """(points with a label, labels used) on the board of a node, by whomever: no label is used
    twice. `L`, of old files, names no letters: viewers show a, b, c … or A, B, C … in order.
    """
    places, used = set(), set()
    for value in node.properties.get("LB", []):
        place, _, label = value.partition(b":")
        places.add(place.strip())
        used.add(label.strip())
    for place, small in zip(node.properties.get("L", []), string.ascii_lowercase, strict=False):
        places.add(place.strip())
        used |= {small.encode(), small.upper().encode()}
    return places, used


def _summary(moves: list[Reviewed], size: int) -> list[str]:
    lines = []
    for colour, about in players(moves, size).items():
        lines.append(f"{colour}: {described(about)}")
        lines += [f"  {stage}: {described(part)}" for stage, part in about["stages"].items()]
    found = unusual(moves)
    if found:
        listed = ", ".join(f"{m.number} {m.vertex}" for m in found)
        lines.append(f"the most unusual moves: {listed}")
    return lines


def described(about: dict[str, Any]) -> str:
    """A player's numbers as a phrase."""
    return (
        f"{about['moves']} moves, {about['first_choices']:.0%} first choices, "
        f"mean log-evidence {about['mean_log_evidence']:.2f}"
    )


def percent(share: float) -> str:
    """A probability for people: more digits where it is small."""
    return f"{share:.1%}" if share >= 0.01 else f"{share:.2%}" if share >= 0.0005 else "< 0.05%"
