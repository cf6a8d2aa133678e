"""`Features`: a catalogue with its dictionaries: all that decides how a move is described."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import local
from typing import Any, Final
from weakref import WeakKeyDictionary

from katachi.errors import KatachiError
from katachi.go.board import Board
from katachi.patterns.catalogue import CATALOGUES, Catalogue
from katachi.patterns.families.answer import answer_families
from katachi.patterns.families.shape import shape_families
from katachi.patterns.family import Family
from katachi.patterns.shapes.answers import Answers
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import empty_codes, follow
from katachi.patterns.shapes.templates import tables
from katachi.patterns.situation import Situation

WAYS: Final = {"largest": False, "all-radii": True}  # how to take shapes → all_radii


@dataclass(frozen=True, eq=False)
class Features:
    """A catalogue, its dictionaries by name, and whether the slow families are wanted.

    `all_radii`: each template of a dictionary is a family of its own; else its largest shape is. Of
    answers each kind always is.
    `without`: names of families that are left out. `also`: features of other models of the same
    games and dictionaries, whose families come after these, so that positions are described once.
    `position`: whether the families of the position are wanted, too.
    """

    catalogue: Catalogue
    dictionaries: Mapping[str, Shapes] = field(default_factory=dict)
    all_radii: bool = False
    owner: bool = False
    without: frozenset[str] = frozenset()
    also: tuple[Features, ...] = ()
    position: bool = False

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The candidates' families, in the order of their columns: shapes come last. Names are
        different.
        """
        wanted = [f for f in self.catalogue.families if self.owner or not f.slow]
        for name, shapes in self.dictionaries.items():
            if not isinstance(shapes.templates, Answers):
                wanted += shape_families(name, shapes, self.all_radii)
            elif not shapes.templates.of_position:
                wanted += answer_families(name, shapes)
        if len({f.name for f in wanted}) < len(wanted):
            raise KatachiError(f"two families of {self.catalogue.name} have one name")
        own = [f for f in wanted if f.name not in self.without]
        names = {f.name for f in own}
        for other in self.also:
            own += [f for f in other.families if f.name not in names]
            names |= {f.name for f in own}
        return tuple(own)

    @cached_property
    def position_families(self) -> tuple[Family, ...]:
        """The families of the position, in the order of their columns; none unless they are wanted.
        Their names are different, and none is a candidates' family's.
        """
        wanted = [f for f in self.catalogue.position if self.owner or not f.slow]
        for name, shapes in self.dictionaries.items():
            if isinstance(shapes.templates, Answers) and shapes.templates.of_position:
                wanted += answer_families(name, shapes)
        names = {f.name for f in wanted}
        if len(names) < len(wanted) or not names.isdisjoint(f.name for f in self.families):
            raise KatachiError(f"two families of {self.catalogue.name} have one name")
        own = [f for f in wanted if f.name not in self.without] if self.position else []
        for other in self.also:
            names = {f.name for f in own}
            own += [f for f in other.position_families if f.name not in names]
        return tuple(own)

    def __reduce__(self) -> Any:
        """Families do not travel between processes, since they hold functions: names do."""
        if CATALOGUES.get(self.catalogue.name) is not self.catalogue:
            raise KatachiError("a catalogue of one's own is described by one process: jobs=1")
        return _restored, (
            self.catalogue.name,
            dict(self.dictionaries),
            self.all_radii,
            self.owner,
            self.without,
            self.also,
            self.position,
        )

    def check_size(self, size: int, where: str) -> None:
        """Raises KatachiError if a dictionary was not harvested on boards of this size."""
        for shapes in self.dictionaries.values():
            if size not in shapes.sizes:
                known = ", ".join(f"{s}x{s}" for s in shapes.sizes)
                raise KatachiError(
                    f"{where} is on {size}x{size}, but the shapes were harvested on {known}"
                )


def _restored(catalogue: str, *others: Any) -> Features:
    return Features(CATALOGUES[catalogue], *others)


def dictionary_names(found: Sequence[Shapes], catalogue: Catalogue) -> list[str]:
    """The names of the catalogue's harvests that these dictionaries come from, by templates and
    rule.

    Raises KatachiError for a dictionary that the catalogue has no use for, or two of one kind.
    """
    names: list[str] = []
    for shapes in found:
        kind = (shapes.templates, shapes.rule)
        name = next((h.dictionary for h in catalogue.harvests if (h.templates, h.rule) == kind), "")
        if not name and len(catalogue.harvests) == 1:
            name = catalogue.harvests[0].dictionary  # the only place it can have
        if not name or name in names:
            raise KatachiError(
                f"the features {catalogue.name} have no {'second ' if name else ''}place for a "
                f"dictionary of {shapes.templates.name}, {shapes.rule}"
            )
        names.append(name)
    return names


class Watch:
    """Follows a board through a game and keeps a situation's keys up to it."""

    def __init__(self, features: Features) -> None:
        self.situation = Situation(dictionaries=features.dictionaries)
        self._templates = {
            templates.name: templates
            for shapes in features.dictionaries.values()
            for templates in shapes.templates.followed
        }
        self._codes: dict[str, object] = {}

    def start(self, size: int) -> None:
        """Begin with the empty board of this size."""
        for name, templates in self._templates.items():
            t = tables(templates, size)
            self.situation.keys[name] = t.empty_keys.copy()
            self._codes[name] = empty_codes(size)

    def look(self, board: Board) -> Situation:
        """The situation on this board, for its side to move."""
        self.situation.look(board)
        for name, templates in self._templates.items():
            t = tables(templates, self.situation.size)
            follow(self.situation.keys[name], self._codes[name], board, t)
        return self.situation


_own = local()  # of a thread


def thread_watch(features: Features, size: int) -> Watch:
    """This thread's watch of these features, on boards of this size: its workspace is made once.

    What it finds holds until this thread asks for it again.
    """
    watches: WeakKeyDictionary[Features, Watch] = _own.__dict__.setdefault(
        "watches", WeakKeyDictionary()
    )
    watch = watches.get(features)
    if watch is None:
        watch = watches[features] = Watch(features)
    if watch.situation.size != size:
        watch.start(size)
    return watch
