"""Composition problems, and ways in which neighbours differ."""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym.statements.terms.base import (
    KernelError,
    KernelTerm,
    Sizes,
    check_closed,
    check_names,
    loose,
    open_sizes,
    written_as,
)
from dpcomp_sym.statements.terms.expressions import (
    Expr,
    Inf,
    Num,
    Predicate,
    check_alike,
    check_binder,
    check_count,
)
from dpcomp_sym.statements.terms.spaces import (
    NamedMap,
    Pseudometric,
    Pullback,
    Relation,
    Space,
    space_of,
)

__all__ = [
    "BlockGroup",
    "BlockPattern",
    "CompositionProblem",
    "DifferenceVector",
    "EditShape",
    "Family",
    "MeanOf",
    "PartView",
    "Place",
    "Reach",
    "SeenDistance",
    "Several",
    "Touch",
    "TouchedKind",
    "Way",
]


@written_as("Edit")
class EditShape(KernelTerm):
    """An edit that leads to neighbours; ``points`` records stand for all that it touches.

    They are numbered from 1; an edit of 0 points is a frame, which may touch any number.
    """

    name: str
    points: int

    def _check(self) -> None:
        if self.points < 0:
            raise KernelError("the number of touched records is not negative")


@written_as("View", binds=("block",))
class PartView(KernelTerm):
    """A part of a composition: the map (family) it reads and the distance that it sees."""

    part: str
    map: str
    sizes: Sizes
    seen: Pseudometric

    def _check(self) -> None:
        check_closed(self.sizes, self.seen)


@written_as("Problem")
class CompositionProblem(KernelTerm):
    """A composition problem; ``statement`` is its full definition (JSON text).

    Two databases are neighbours iff one of the edits leads from one of them to the other.  That
    the list is complete is a definition; theorems that rest on it say so in their trust.
    """

    domain: Space
    relation: Relation
    edits: tuple[EditShape, ...]
    views: tuple[PartView, ...]
    statement: str

    def _check(self) -> None:
        if open_sizes((self.domain, self.relation)):
            raise KernelError("a problem is about one domain, not one for each block")
        by_map: dict[str, Sizes] = {}
        for view in self.views:
            if space_of(view.seen) != self.domain:
                raise KernelError(f"part {view.part} sees another domain")
            if by_map.setdefault(view.map, view.sizes) != view.sizes:
                raise KernelError(f"the parts of map {view.map} disagree on its blocks")
            read = view.seen.map if isinstance(view.seen, Pullback) else None
            if isinstance(read, NamedMap) and read.name != view.map:
                raise KernelError(f"part {view.part} reads {read.name}, not {view.map}")
        check_names(self.views)
        for names in ([v.part for v in self.views], [e.name for e in self.edits]):
            if len(set(names)) != len(names):
                raise KernelError("a name is used twice")


@written_as("Seen")
class SeenDistance(KernelTerm):
    """A distance, at most, for one part."""

    part: str
    distance: Expr


@written_as("Group")
class BlockGroup(KernelTerm):
    """At most ``count`` blocks of a map, each seen at most at these distances.

    All parts that read the map are listed, each once.  With ``block``, it is that block.  With
    ``wide``, up to so many blocks change and share: there are weights of these blocks, from 0 to 1
    and with a sum of at most ``count``, such that each part sees a block at most at the block's
    weight times its distance here.
    """

    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]
    block: tuple[int, ...] = ()
    wide: Expr | None = None

    def _check(self) -> None:
        check_count(self.count)
        if self.wide is not None:
            check_count(self.wide)
        if self.block and (self.wide is not None or self.count != Num(Fraction(1))):
            raise KernelError("a block that is named is one block")


class Way(KernelTerm):
    """A way in which neighbours can differ."""

    __slots__ = ()


@written_as("Vector")
class DifferenceVector(Way):
    """One way in which neighbours can differ: different blocks for the groups, others agree."""

    groups: tuple[BlockGroup, ...]


@written_as("Family", binds=("indices",))
class Family(KernelTerm):
    """At most ``count`` blocks of a map, each with ``when`` and seen at most at these distances.

    All parts that read the map are listed, each once.  ``when`` and the distances may name the
    indices of the block and the parameters that are bound.
    """

    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]
    when: Predicate

    def _check(self) -> None:
        check_count(self.count, chosen=True)


@written_as("BlockPattern", binds=("letters",))
class BlockPattern(Way):
    """One way in which neighbours can differ: all blocks that change are in these families.

    There are ``free`` integers with ``facts`` for which that is so.
    """

    free: int
    facts: Predicate
    families: tuple[Family, ...]

    def _check(self) -> None:
        check_binder(self.free, self.facts, self.families)


@written_as("Several")
class Several(Way):
    """One way in which neighbours can differ: as at most ``times`` patterns of one form do at once.

    Each has its own integers, or functions.  All blocks that change are in the families of one.
    """

    times: Expr
    pattern: BlockPattern

    def _check(self) -> None:
        check_count(self.times)
        check_alike(self.pattern)
        for family in self.pattern.families:
            if family.count != Inf():
                raise KernelError("of several patterns all blocks count")
            if loose(family.distances)[0]:
                raise KernelError("only conditions may name the integers of several patterns")


@written_as("MeanOf")
class MeanOf(Way):
    """One way in which neighbours can differ: as a mean of some vectors, and as one ``within``.

    There are weights with a sum of at most 1 and, for each of them, one of the vectors with
    different blocks for its groups, or integers for its letters, such that each part sees a block
    at most at the sum of the weights times the distances that these say of the block.
    """

    vectors: tuple[Way, ...]
    within: tuple[Way, ...]

    def _check(self) -> None:
        if any(isinstance(way, MeanOf) for way in (*self.vectors, *self.within)):
            raise KernelError("a mean of means")


@written_as("Place", binds=("indices",))
class Place(KernelTerm):
    """Which blocks of a map change that hold exactly the ``touched`` records (none: any block).

    They have ``when``, and the parts that are listed see them at most at these distances.
    """

    map: str
    touched: tuple[int, ...]
    when: Predicate
    distances: tuple[SeenDistance, ...]


@written_as("Touch")
class Touch(KernelTerm):
    """A block that changes and holds exactly the ``touched`` records: ``block``, or any if ().

    The parts that are listed see such a block at most at these distances.
    """

    map: str
    block: tuple[int, ...]
    touched: tuple[int, ...]
    distances: tuple[SeenDistance, ...] = ()


@written_as("Reach")
class Reach(KernelTerm):
    """A set of blocks, each with records that it may hold."""

    touches: tuple[Touch, ...]

    def _check(self) -> None:
        for touch in self.touches:
            others = (x for x in self.touches if x.map == touch.map)
            if any(bool(x.block) != bool(touch.block) for x in others):
                raise KernelError(f"a set names the blocks of {touch.map}, or it does not")
        if len({(x.map, x.block, x.touched) for x in self.touches}) != len(self.touches):
            raise KernelError("a set lists a block twice")


@written_as("Kind")
class TouchedKind(KernelTerm):
    """At least ``count`` blocks of a map that change and hold exactly the ``touched`` records."""

    map: str
    touched: tuple[int, ...]
    count: int

    def _check(self) -> None:
        if self.count < 1:
            raise KernelError("a pattern is about one block at least")
