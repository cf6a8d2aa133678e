"""A second teller of words: slow, one plain function to a word, written from the glossary.

It shares nothing with the kernels: the board is sgfmill's, the ladders are read by `ladder_oracle`.
Places are (row, col). A point is OWN, THEIRS, FREE or OFF the board.
"""

from __future__ import annotations

from collections.abc import Collection

from katachi.go.points import PASS, point
from tests.patterns.feature_oracle import Here, Teams
from tests.patterns.vocabulary_far import (
    answer_approach,
    answer_contact_hane,
    answer_contact_stretch,
    answer_crosscut,
    answer_peep,
    approach,
    centre,
    checking_extension,
    connect_out_of_atari,
    double_approach,
    enclosure,
    extension,
    ko_threat,
    on_empty,
    pincer,
    run_out_of_atari,
    side_invasion,
    splitting_move,
    take_out_of_atari,
    tenuki,
    three_three_invasion,
)
from tests.patterns.vocabulary_near import (
    atari,
    bamboo_joint,
    block,
    bump,
    cap,
    capture,
    clamp,
    connect_ko,
    contact,
    crawl,
    crosscut,
    cut,
    descent,
    destroy_eye,
    diagonal,
    diagonal_jump,
    double_atari,
    dumpling,
    empty_triangle,
    fill_eye,
    fill_liberty,
    hane,
    hane_first_line,
    hane_head_of_three,
    hane_head_of_two,
    hanging_connection,
    knights_move,
    ko_capture,
    ladder,
    ladder_breaker,
    large_knights_move,
    make_eye,
    monkey_jump,
    net,
    one_space_jump,
    peep,
    ponnuki,
    push,
    push_through,
    shoulder_hit,
    side_by_side,
    slide,
    snapback,
    solid_connection,
    stretch,
    throw_in,
    turn,
    two_space_jump,
    wedge,
)
from tests.patterns.vocabulary_view import View, Word

_KINDS = ("knight", (1, 2)), ("one-space", (0, 2)), ("large-knight", (1, 3)), ("two-space", (0, 3))
_SPACES = (2, "one"), (3, "two"), (4, "three")

# Written out: the order, too, is the glossary's.
GROUPS: dict[str, dict[str, Word]] = {
    "word-own": {
        "solid-connection": solid_connection,
        "hanging-connection": hanging_connection,
        "bamboo-joint": bamboo_joint,
        "turn": turn,
        "empty-triangle": empty_triangle,
        "dumpling": dumpling,
        "descent": descent,
        "crawl": crawl,
        "stretch": stretch,
        "side-by-side": side_by_side,
        "monkey-jump": monkey_jump,
        "slide": slide,
        "diagonal": diagonal,
        "one-space-jump": one_space_jump,
        "knights-move": knights_move,
        "two-space-jump": two_space_jump,
        "large-knights-move": large_knights_move,
        "diagonal-jump": diagonal_jump,
    },
    "word-contact": {
        "crosscut": crosscut,
        "cut": cut,
        "push-through": push_through,
        "wedge": wedge,
        "hane-head-of-three": hane_head_of_three,
        "hane-head-of-two": hane_head_of_two,
        "hane-first-line": hane_first_line,
        "hane": hane,
        "clamp": clamp,
        "push": push,
        "block": block,
        "bump": bump,
        "contact": contact,
        "peep": peep,
        "shoulder-hit": shoulder_hit,
        "cap": cap,
    },
    "word-capture": {
        "ko-capture": ko_capture,
        "ponnuki": ponnuki,
        "capture": capture,
        "snapback": snapback,
        "throw-in": throw_in,
    },
    "word-attack": {
        "double-atari": double_atari,
        "ladder": ladder,
        "atari": atari,
        "net": net,
        "ladder-breaker": ladder_breaker,
        "fill-liberty": fill_liberty,
    },
    "word-eye": {
        "connect-ko": connect_ko,
        "fill-eye": fill_eye,
        "make-eye": make_eye,
        "destroy-eye": destroy_eye,
    },
    "word-corner": {
        "star-point": on_empty(4, 4),
        "three-four": on_empty(3, 4),
        "three-three": on_empty(3, 3),
        "five-four": on_empty(4, 5, 13),
        "five-three": on_empty(3, 5, 13),
        "centre": centre,
        "three-three-invasion": three_three_invasion,
        "double-approach": double_approach,
        **{f"approach-{name}": approach(kind) for name, kind in _KINDS},
        **{f"enclosure-{name}": enclosure(kind) for name, kind in _KINDS},
    },
    "word-side": {
        **{f"pincer-{n}-space-low": pincer(c, 3) for c, n in enumerate(("one", "two", "three"), 2)},
        **{
            f"pincer-{n}-space-high": pincer(c, 4) for c, n in enumerate(("one", "two", "three"), 2)
        },
        "splitting-move": splitting_move,
        "side-invasion": side_invasion,
        "checking-extension": checking_extension,
        "extension-one-space": extension(2, 2),
        "extension-two-space": extension(3, 3),
        "extension-three-space": extension(4, 4),
        "extension-four-space": extension(5, 5),
        "extension-long": extension(6, 9),
    },
    "word-answer": {
        "take-out-of-atari": take_out_of_atari,
        "connect-out-of-atari": connect_out_of_atari,
        "run-out-of-atari": run_out_of_atari,
        "ko-threat": ko_threat,
        "answer-peep": answer_peep,
        "answer-crosscut": answer_crosscut,
        "answer-contact-hane": answer_contact_hane,
        "answer-contact-stretch": answer_contact_stretch,
        "answer-approach": answer_approach,
        "tenuki": tenuki,
    },
}


def word_teams(
    here: Here, groups: Collection[str] = tuple(GROUPS), points: Collection[int] | None = None
) -> Teams:
    """Every legal move, or those of these points, with its words of these groups: the number of the
    first of each group that fits. Raises TooLong.
    """
    view = View(here)
    teams: Teams = {PASS: {}}
    for move in here.moves:
        if points is not None and point(*move.place) not in points:
            continue
        team = {}
        for group in groups:
            words = GROUPS[group].values()
            fits = (number for number, word in enumerate(words, 1) if word(view, move))
            number = next(fits, 0)
            if number:
                team[group] = number
        teams[point(*move.place)] = team
    return teams
