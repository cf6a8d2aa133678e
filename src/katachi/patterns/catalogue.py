"""The catalogues: which families describe a move, in the order of their columns, and which
dictionaries of shapes are harvested for them.

A new family is a function in `families` and one line here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from katachi.patterns.families import (
    contact,
    distance,
    light,
    offsets,
    position,
    shape,
    strings,
    tactics,
    whole,
)
from katachi.patterns.family import Family
from katachi.patterns.shapes.answers import ANSWERS, LAST_MOVE, AnyTemplates
from katachi.patterns.shapes.templates import (
    COULOM_CIRCLES,
    LIBERTY_CIRCLES,
    MARKED_CIRCLES,
    STERN_TEMPLATES,
)
from katachi.patterns.vocabulary.groups import WORD_FAMILIES


class Harvest(NamedTuple):
    """How a dictionary of shapes is harvested: see katachi.patterns.shapes.harvest."""

    dictionary: str
    templates: AnyTemplates
    rule: str
    min_count: int


@dataclass(frozen=True)
class Catalogue:
    """A named sequence of families, with different names, and the harvests of its shapes.

    `all_radii`: whether each template is a family, rather than the largest shape, unless one says
    otherwise. `position`: families of the whole position, the same for all candidates: see
    katachi.patterns.families.whole. Only features that want them have them. `position_harvests`:
    those of dictionaries whose families are of the position.
    """

    name: str
    families: tuple[Family, ...]
    harvests: tuple[Harvest, ...] = ()
    all_radii: bool = False
    position: tuple[Family, ...] = ()
    position_harvests: tuple[Harvest, ...] = ()


_PAPER_HARVEST = Harvest("shape", COULOM_CIRCLES, "candidates", 625)

# Coulom 2007, Table 1
COULOM = Catalogue(
    "coulom",
    (
        position.PASSES,
        tactics.CAPTURE,
        tactics.EXTENSION,
        tactics.SELF_ATARI,
        tactics.ATARI,
        position.BORDER,
        distance.DISTANCE,
        distance.DISTANCE2,
        position.OWNER,
    ),
    (_PAPER_HARVEST,),
)

# Beyond the paper: what later programs use
EXTENDED = Catalogue(
    "extended",
    (
        *COULOM.families,
        strings.CAPTURED,
        strings.SAVED,
        strings.LIBERTIES,
        strings.RESCUE,
        strings.DOUBLE_ATARI,
        strings.REDUCTION,
        strings.OWN_STRINGS,
        strings.OPPONENT_STRINGS,
        distance.DISTANCE3,
        distance.DISTANCE4,
        distance.CHAIN,
        distance.CHAIN2,
        strings.EYE,
        position.LINE_STAGE,
        offsets.OFFSET,
        offsets.OFFSET2,
        contact.OWN_WEAKEST,
        contact.OPPONENT_WEAKEST,
        contact.OWN_LARGEST,
        contact.OPPONENT_LARGEST,
        contact.CONTACT,
    ),
    (
        _PAPER_HARVEST,
        Harvest("shape-played", COULOM_CIRCLES, "played", 5),
        Harvest("shape-marked", MARKED_CIRCLES, "played", 5),
        Harvest("shape-liberties", LIBERTY_CIRCLES, "played", 5),
        Harvest("answer", ANSWERS, "played", 5),
    ),
    all_radii=True,
    position=(
        whole.STAGE,
        whole.LEGAL_MOVES,
        whole.KO,
        whole.TAKEN,
        whole.OWN_ATARIS,
        whole.OPPONENT_ATARIS,
        whole.LAST_LINE,
        whole.LAST_OFFSET,
        whole.LAST_OFFSET2,
        whole.LAST_LIBERTIES,
        whole.LAST_SIZE,
        whole.WEAKEST_LIBERTIES,
        whole.WEAKEST_SIZE,
        whole.LOCAL,
    ),
    position_harvests=(Harvest("last", LAST_MOVE, "played", 20),),
)

# Coulom 2007, section 4.1, and fights
PLAYOUT = Catalogue(
    "playout",
    (
        position.PASSES,
        light.SHAPE3,
        light.CAPTURE,
        light.EXTENSION,
        tactics.SELF_ATARI,
        light.CONTIGUITY,
        light.FIGHT,
    ),
)

# Stern 2005, section 2: a move is its largest known pattern. Passes, and points where no pattern is
# known, of which the paper says nothing, are features of their own: each move has exactly one.
STERN = Catalogue(
    "stern", (position.PASSES, shape.NO_SHAPE), (Harvest("shape", STERN_TEMPLATES, "played", 2),)
)

# Stern 2005, section 5: "incorporate context information into the small patterns to broaden their
# horizon". Small patterns that see the liberties of stones, and tactics; nothing of what the last
# moves were (but a pass, a ko), of which section 4 says that it makes a player that only answers.
CONTEXT = Catalogue(
    "context",
    (*STERN.families, strings.CAPTURED, strings.SAVED, tactics.SELF_ATARI, tactics.ATARI),
    (*STERN.harvests, Harvest("shape-liberties", LIBERTY_CIRCLES, "played", 2)),
    all_radii=True,
)

# Araki 2007, III-B: Stern's patterns, and where the move is on the board and to the last moves. The
# patterns of the last moves, which are the same for all candidates of a position, are features of
# the maximum entropy model alone (katachi.learning.maxent): no order of moves depends on them.
ARAKI = Catalogue(
    "araki", (*STERN.families, position.COORDINATES, *distance.RELATIVE), STERN.harvests
)

# What players have words for, and Coulom's features of which they have none: a model to read
WORDS = Catalogue(
    "words",
    (
        position.PASSES,
        *WORD_FAMILIES,
        tactics.CAPTURE,
        tactics.EXTENSION,
        tactics.SELF_ATARI,
        position.BORDER,
        distance.DISTANCE,
        distance.DISTANCE2,
    ),
)
BUILT_IN = (COULOM, EXTENDED, PLAYOUT, STERN, CONTEXT, ARAKI, WORDS)
CATALOGUES = {c.name: c for c in BUILT_IN}  # and what is registered


def register_catalogue(catalogue: Catalogue) -> None:
    """Make a catalogue known under its name: to the command line, and to `load_model`. One of the
    same name is replaced.
    """
    CATALOGUES[catalogue.name] = catalogue
