"""Each word of the vocabulary as the rest of a sentence after "It …", with the stones it is about.

Where those are not found, as where the definition is wider than the search for them, the phrase is
the vocabulary's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from katachi.go.points import PASS, STRIDE, row_col
from katachi.patterns.vocabulary.groups import TERMS
from katachi.study.words import about
from katachi.study.words.seen import After, Seen, both

_ORDINALS: Final = ("", "first", "second", "third", "fourth", "fifth")


def bearing(seen: Seen, p: int) -> str:
    """How a move lies to the nearest stone: "is above D4, to the left"; "" on an empty board."""
    stone = about.nearest(seen, p)
    if stone == PASS:
        return ""
    (row, col), (other_row, other_col) = row_col(p), row_col(stone)
    high = "above " if row < other_row else "below " if row > other_row else ""
    side = "to the left" if col < other_col else "to the right" if col > other_col else ""
    if not high:
        return f"is {side} of {seen.name(stone)}"
    return f"is {high}{seen.name(stone)}" + (f", {side}" if side else "")


class Move(NamedTuple):
    """A legal move p, and what it changes."""

    seen: Seen
    p: int
    done: After


def phrase(move: Move, key: str) -> str:
    """What the move, of which this word is told, does: "makes a one-space jump from D4"."""
    find = _PHRASES.get(key)
    return (find and find(move)) or TERMS[key].sentence


def where(seen: Seen, p: int) -> str:
    """Where a move is, in words: "is on the third line of the left side"."""
    line, side = min(seen.lines(p)), about.side_of(seen, p)
    if line <= 5 and max(seen.lines(p)) <= 5:
        corner = f"is in the {about.corner_of(seen, p)} corner"
        return corner if seen.lines(p) == (line, line) else f"{corner}, nearer to the {side} side"
    if line <= 5:
        return f"is on the {_ORDINALS[line]} line of the {side} side"
    return "is towards the centre"


Phrase: TypeAlias = Callable[[Move], str]


def _with_stone(words: str, find: Callable[[Seen, int], int]) -> Phrase:
    """`words` with the string of the stone that is found in place of {}."""

    def made(m: Move) -> str:
        stone = find(m.seen, m.p)
        return "" if stone == PASS else words.format(m.seen.told(stone))

    return made


def _with_own(words: str) -> Phrase:
    """`words` with the own strings that the move touches in place of {}."""

    def made(m: Move) -> str:
        return words.format(m.seen.all_told(m.done.joined)) if m.done.joined else ""

    return made


def _with_theirs(words: str) -> Phrase:
    """`words` with the opponent's strings that the move touches in place of {}."""

    def made(m: Move) -> str:
        return words.format(m.seen.all_told(m.seen.strings_beside(m.p, 3 - m.seen.mover)))

    return made


def _with_last(words: str) -> Phrase:
    """`words` with the last move in place of {}."""
    return lambda m: words.format(m.seen.name(m.seen.last))


def _jump(key: str) -> Phrase:
    words = f"{TERMS[key].sentence} from {{}}"

    def made(m: Move) -> str:
        stone = about.jumped_from(m.seen, m.p, key)
        return "" if stone == PASS else words.format(m.seen.name(stone))

    return made


def _slide(m: Move) -> str:
    stone = about.slid_from(m.seen, m.p)
    return "" if stone == PASS else f"slides along the second line from {m.seen.name(stone)}"


def _hanging(m: Move) -> str:
    point = about.cutting_point(m.seen, m.p, m.seen.mover)
    return "" if point == PASS else f"protects {m.seen.name(point)} with a hanging connection"


def _solid(m: Move) -> str:
    pair = m.seen.cuts(m.p, m.seen.mover)
    return f"connects {both([m.seen.told(s) for s in pair])} solidly" if pair else ""


def _cut(m: Move) -> str:
    pair = m.seen.cuts(m.p, 3 - m.seen.mover) or m.seen.strings_beside(m.p, 3 - m.seen.mover)[:2]
    if len(pair) < 2:
        return ""
    return f"cuts {m.seen.told(pair[0])} from {m.seen.told(pair[1])}"


def _crosscut(m: Move) -> str:
    words = _cut(m)
    return words and f"{words} with a crosscut"


def _between(words: str) -> Phrase:
    def made(m: Move) -> str:
        for d in (1, STRIDE):
            one, two = m.p - d, m.p + d
            if m.seen.color[one] == m.seen.color[two] == 3 - m.seen.mover:
                return f"{words} between {m.seen.name(one)} and {m.seen.name(two)}"
        return ""

    return made


def _head(stones: int, words: str) -> Phrase:
    def made(m: Move) -> str:
        stone = about.headed(m.seen, m.p, stones)
        told = f"plays hane at the head of {words} stones"
        return told if stone == PASS else f"{told} ({m.seen.name(stone)})"

    return made


def _peep(m: Move) -> str:
    point = about.cutting_point(m.seen, m.p, 3 - m.seen.mover)
    return "" if point == PASS else f"peeps at the cutting point {m.seen.name(point)}"


def _capture(words: str) -> Phrase:
    return lambda m: words.format(m.seen.all_told(m.done.taken)) if m.done.taken else ""


def _atari(words: str) -> Phrase:
    return lambda m: words.format(m.seen.all_told(m.done.atari)) if m.done.atari else ""


def _corner(words: str) -> Phrase:
    return lambda m: f"{words} the {about.corner_of(m.seen, m.p)} corner"


def _corner_stone(key: str) -> Phrase:
    words = TERMS[key].sentence.partition(" to the ")[0].partition(" of the ")[0]
    enclosure = key.startswith("enclosure")

    def made(m: Move) -> str:
        stone = about.corner_stone(m.seen, m.p, key)
        if stone == PASS:
            return ""
        name = m.seen.name(stone)
        return f"{words} of the corner with {name}" if enclosure else f"{words} to {name}"

    return made


def _twice(m: Move) -> str:
    stone = about.approached_twice(m.seen, m.p)
    return "" if stone == PASS else f"approaches {m.seen.name(stone)} from the other side, too"


def _pincer(key: str, spaces: int) -> Phrase:
    def made(m: Move) -> str:
        stone = about.along_the_side(m.seen, m.p, 3 - m.seen.mover, spaces + 1)
        return "" if stone == PASS else f"{TERMS[key].sentence} against {m.seen.name(stone)}"

    return made


def _extension(key: str, spaces: int) -> Phrase:
    def made(m: Move) -> str:
        stone = about.along_the_side(m.seen, m.p, m.seen.mover, spaces + 1)
        side = f"the {about.side_of(m.seen, m.p)} side"
        words = TERMS[key].sentence.replace("the side", side)
        return words if stone == PASS else f"{words} from {m.seen.name(stone)}"

    return made


def _checking(m: Move) -> str:
    own = about.next_along_the_side(m.seen, m.p, m.seen.mover)
    theirs = about.next_along_the_side(m.seen, m.p, 3 - m.seen.mover)
    if PASS in (own, theirs):
        return ""
    return f"extends along the side from {m.seen.name(own)} and checks {m.seen.name(theirs)}"


def _side(words: str) -> Phrase:
    return lambda m: words.format(about.side_of(m.seen, m.p))


def _out_of_atari(words: str) -> Phrase:
    """`words` with the own strings that the last move put in atari and the move helps."""

    def made(m: Move) -> str:
        helped = [s for s in m.seen.endangered if s not in m.done.left]
        return words.format(m.seen.all_told(helped)) if helped else ""

    return made


def _connect_out(m: Move) -> str:
    helped = [s for s in m.done.saved if m.seen.string(s) in map(m.seen.string, m.seen.endangered)]
    others = [s for s in m.done.joined if s not in helped]
    if not helped or not others:
        return ""
    rest = f"by connecting to {m.seen.all_told(others, 1)}"
    return f"answers the atari on {m.seen.all_told(helped)} {rest}"


def _answer_peep(m: Move) -> str:
    pair = m.seen.cuts(m.p, m.seen.mover)
    if not pair:
        return ""
    told = both([m.seen.told(s) for s in pair])
    return f"answers the peep at {m.seen.name(m.seen.last)} by connecting {told}"


_PHRASES: Final[dict[str, Phrase]] = {
    **{key: _jump(key) for key in about.JUMPS},
    "slide": _slide,
    "solid-connection": _solid,
    "hanging-connection": _hanging,
    "turn": _with_stone("turns around {}", about.turned_around),
    "empty-triangle": _with_own("makes an empty triangle with {}"),
    "dumpling": _with_own("makes a lump of four stones with {}"),
    "descent": _with_own("descends from {} towards the edge"),
    "crawl": _with_own("crawls along from {} under the opponent's stones"),
    "stretch": _with_own("stretches from {}"),
    "side-by-side": _with_own("extends solidly from {}"),
    "bamboo-joint": _with_own("makes a bamboo joint beside {}"),
    "crosscut": _crosscut,
    "cut": _cut,
    "push-through": _between("pushes through"),
    "wedge": _between("wedges in"),
    "hane-head-of-three": _head(3, "three"),
    "hane-head-of-two": _head(2, "two"),
    "hane-first-line": _with_stone("plays hane on the first line around {}", about.bent_around),
    "hane": _with_stone("plays hane around {}", about.bent_around),
    "clamp": _with_theirs("clamps {}"),
    "push": _with_theirs("pushes along {}"),
    "block": _with_theirs("blocks {}"),
    "bump": _with_stone("bumps into {}", about.bumped),
    "contact": _with_theirs("attaches to {}"),
    "peep": _peep,
    "shoulder-hit": _with_stone("hits {} on the shoulder", about.hit_on_the_shoulder),
    "cap": _with_stone("caps {}", about.capped),
    "ko-capture": _capture("takes the ko at {}"),
    "ponnuki": _capture("takes {} and makes a ponnuki"),
    "capture": _capture("takes {}"),
    "double-atari": _atari("puts {} in atari at once"),
    "ladder": _atari("catches {} in a ladder"),
    "atari": _atari("puts {} in atari"),
    "net": _with_stone("catches {} in a net", about.netted),
    "star-point": _corner("takes the star point of"),
    "three-four": _corner("takes a 3-4 point of"),
    "three-three": _corner("takes the 3-3 point of"),
    "five-four": _corner("takes a 5-4 point of"),
    "five-three": _corner("takes a 5-3 point of"),
    "three-three-invasion": lambda m: (
        f"invades the {about.corner_of(m.seen, m.p)} corner at the 3-3 point"
    ),
    "double-approach": _twice,
    **{key: _corner_stone(key) for key in TERMS if key.startswith(("approach-", "enclosure-"))},
    **{
        key: _pincer(key, spaces)
        for key in TERMS
        for spaces, name in enumerate(("one", "two", "three"), 1)
        if key.startswith(f"pincer-{name}-")
    },
    **{
        f"extension-{name}-space": _extension(f"extension-{name}-space", spaces)
        for spaces, name in enumerate(("one", "two", "three", "four"), 1)
    },
    "extension-long": _side("makes a long extension along the {} side"),
    "checking-extension": _checking,
    "splitting-move": _side("splits the opponent's {} side"),
    "side-invasion": _side("invades between the opponent's stones on the {} side"),
    "take-out-of-atari": lambda m: (
        f"{_out_of_atari('answers the atari on {}')(m)} by taking {m.seen.all_told(m.done.taken)}"
        if m.done.taken and len(m.seen.endangered) > len(m.done.left)
        else ""
    ),
    "connect-out-of-atari": _connect_out,
    "run-out-of-atari": _out_of_atari("answers the atari on {} by running out"),
    "answer-peep": _answer_peep,
    "answer-crosscut": _with_last("answers the crosscut {} by stretching"),
    "answer-contact-hane": _with_last("answers the contact move {} with a hane"),
    "answer-contact-stretch": _with_last("answers the contact move {} by stretching"),
    "answer-approach": _with_last("answers the approach {}"),
}
