"""What theorems state."""

from __future__ import annotations

from typing import Final

from dpcomp_sym.statements.terms.base import (
    KernelError,
    Sizes,
    Statement,
    check_block,
    check_indices,
    loose,
    open_sizes,
    written_as,
)
from dpcomp_sym.statements.terms.expressions import (
    Expr,
    Predicate,
    SizeRange,
    check_binder,
    check_count,
)
from dpcomp_sym.statements.terms.problems import (
    BlockGroup,
    BlockPattern,
    CompositionProblem,
    DifferenceVector,
    Family,
    MeanOf,
    Place,
    Reach,
    SeenDistance,
    Several,
    TouchedKind,
    Way,
)
from dpcomp_sym.statements.terms.spaces import (
    Arrow,
    At,
    Converted,
    EachJoint,
    Joint,
    Loss,
    Neighbouring,
    Procedure,
    Pseudometric,
    Relation,
    Space,
    Stepwise,
    domain_of,
    space_of,
)

__all__ = [
    "NOTIONS",
    "BlockDistance",
    "BoundLeq",
    "ChangedByRecords",
    "ChangedTogether",
    "Compatible",
    "Dependent",
    "EditFact",
    "Infeasible",
    "MetricLeq",
    "Mixed",
    "Private",
    "ProfileFact",
    "Restricted",
    "Sensitive",
    "Shares",
    "StructureFact",
    "Together",
    "TouchCount",
]

NOTIONS: Final[dict[str, int]] = {}
"""The notions, with the number of their parameters; the registry of notions puts them here."""


def _check_loss(notion: str, loss: Loss, domain: Space) -> None:
    """Check that a loss is about this domain, in the parameters of this notion."""
    if notion not in NOTIONS:
        raise KernelError(f"no notion: {notion}")
    match loss:
        case Neighbouring() | At():
            if len(loss.guarantee) != NOTIONS[notion]:
                raise KernelError(f"a {notion} guarantee has {NOTIONS[notion]} parameter(s)")
            at = loss.domain if isinstance(loss, Neighbouring) else space_of(loss.metric)
            if at != domain:
                raise KernelError("a guarantee is about another domain than its mechanism")
        case Joint():
            for item in loss.items:
                _check_loss(notion, item, domain)
        case EachJoint():
            _check_loss(notion, loss.item, domain)
        case Stepwise(source, guarantee, metric):
            _check_loss(source, At(guarantee, metric), domain)
        case Converted():
            _check_loss(loss.source, loss.of, domain)
        case _:
            raise KernelError("no loss")


@written_as("Private")
class Private(Statement):
    """The mechanism is private: whatever earlier outputs are, pairs lose at most ``loss``."""

    mechanism: Procedure
    notion: str
    loss: Loss
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        _check_loss(self.notion, self.loss, domain_of(self.mechanism))


@written_as("Dependent")
class Dependent(Statement):
    """The mechanism depends on its database only through the map."""

    mechanism: Procedure
    map: Arrow


@written_as("Sensitive")
class Sensitive(Statement):
    """target(f(D), f(D')) <= bound * source(D, D') for all D, D'."""

    map: Arrow
    bound: Expr
    source: Pseudometric
    target: Pseudometric


@written_as("Compatible")
class Compatible(Statement):
    """Condition C1: for all neighbours, at most one block of the family changes."""

    map: Arrow
    relation: Relation
    domain: Space


@written_as("MetricLeq")
class MetricLeq(Statement):
    """left(D, D') <= right(D, D') for all D, D'."""

    left: Pseudometric
    right: Pseudometric

    def _check(self) -> None:
        if space_of(self.left) != space_of(self.right):
            raise KernelError("metrics on one space are needed")


@written_as("BoundLeq")
class BoundLeq(Statement):
    """left <= right for all parameters and all sizes of the box."""

    left: Expr
    right: Expr
    where: tuple[SizeRange, ...]


@written_as("ProfileFact")
class ProfileFact(Statement):
    """For all neighbours, and sizes of the box, some vector bounds all distances jointly."""

    problem: CompositionProblem
    where: tuple[SizeRange, ...]
    vectors: tuple[Way, ...]

    def _check(self) -> None:
        _check_ways(self.problem, self.vectors)


def _check_ways(problem: CompositionProblem, ways: tuple[Way, ...]) -> None:
    sizes = {v.map: v.sizes for v in problem.views}
    for group in (g for way in ways for g in _groups(way)):
        parts = sorted(v.part for v in problem.views if v.map == group.map)
        if not parts or parts != sorted(s.part for s in group.distances):
            raise KernelError(f"a vector must list every part of the map {group.map} once")
        if isinstance(group, Family):
            check_indices(sizes[group.map], group.when, group.distances)
        elif group.block:
            check_block(sizes[group.map], group.block)


def _groups(way: Way) -> tuple[BlockGroup | Family, ...]:
    if isinstance(way, BlockPattern):
        return way.families
    if isinstance(way, Several):
        return way.pattern.families
    if isinstance(way, MeanOf):
        return tuple(g for of in (*way.vectors, *way.within) for g in _groups(of))
    return way.groups if isinstance(way, DifferenceVector) else ()


def _sizes(problem: CompositionProblem, name: str) -> Sizes:
    return next((v.sizes for v in problem.views if v.map == name), ())


class StructureFact(Statement):
    """What edits of a problem do to the blocks of its maps, for some sizes or for all."""

    __slots__ = ()


class EditFact(StructureFact):
    """What an edit of a problem does to the blocks of its maps."""

    __slots__ = ()
    problem: CompositionProblem
    edit: str


@written_as("BlockDistance")
class BlockDistance(EditFact):
    """In a block that holds exactly these touched records, the part sees at most this distance."""

    problem: CompositionProblem
    edit: str
    part: str
    touched: tuple[int, ...]
    distance: Expr


@written_as("TouchCount")
class TouchCount(EditFact):
    """Blocks of the map that the edit changes hold a touched record, each in at most ``count``.

    For an edit of 0 points (a frame): at most ``count`` blocks of the map change.
    """

    problem: CompositionProblem
    edit: str
    map: str
    count: Expr

    def _check(self) -> None:
        check_count(self.count)


@written_as("Infeasible")
class Infeasible(EditFact):
    """For all sizes of the box, this edit changes all these blocks in no databases."""

    problem: CompositionProblem
    edit: str
    pattern: tuple[TouchedKind, ...]
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        if len({(kind.map, kind.touched) for kind in self.pattern}) != len(self.pattern):
            raise KernelError("a pattern counts each kind of block once")


@written_as("ChangedTogether", binds=("letters",))
class ChangedTogether(EditFact):
    """Which blocks an edit changes at once, as a condition on integers that it names.

    ``terms`` are integers of the edit (JSON text), the parameters; they have ``facts``.  Each block
    that the edit changes, and that holds exactly the touched records of a place, is as it says.
    """

    problem: CompositionProblem
    edit: str
    terms: tuple[str, ...]
    facts: Predicate
    places: tuple[Place, ...]

    def _check(self) -> None:
        check_binder(len(self.terms), self.facts, self.places)
        _check_places(self.problem, self.places)


@written_as("ChangedByRecords", binds=("letters",))
class ChangedByRecords(EditFact):
    """Which blocks hold the records that an edit changes, by integers of these.

    Each such record has integers, the ``terms`` (JSON text), and these have ``facts``; each block
    that holds it has the condition of the place of its map, for the integers of this record.  A
    block changes only if it holds such a record.  All of them together have at most ``times``
    different choices of the integers, so in particular if there are no more records than these.
    """

    problem: CompositionProblem
    edit: str
    times: Expr
    terms: tuple[str, ...]
    facts: Predicate
    places: tuple[Place, ...]

    def _check(self) -> None:
        check_count(self.times)
        check_binder(len(self.terms), self.facts, self.places)
        _check_places(self.problem, self.places)
        if any(p.touched or p.distances for p in self.places):
            raise KernelError("of records that may be many, only conditions of blocks are said")


def _check_places(problem: CompositionProblem, places: tuple[Place, ...]) -> None:
    sizes = {v.map: v.sizes for v in problem.views}
    for place in places:
        if place.map not in sizes:
            raise KernelError(f"no part reads {place.map}")
        check_indices(sizes[place.map], place.when, place.distances)
    if len({(p.map, p.touched) for p in places}) != len(places):
        raise KernelError("a place occurs twice")


@written_as("Together")
class Together(EditFact):
    """All blocks that this edit changes in some databases lie in one of the sets.

    A block lies in a set that lists it, or its whole map, with exactly the touched records that it
    holds, if no part that is listed there sees it from farther.
    """

    problem: CompositionProblem
    edit: str
    sets: tuple[Reach, ...]

    def _check(self) -> None:
        for touch in (x for reach in self.sets for x in reach.touches):
            if touch.block:
                check_block(_sizes(self.problem, touch.map), touch.block)
            readers = {v.part for v in self.problem.views if v.map == touch.map}
            if not {s.part for s in touch.distances} <= readers:
                raise KernelError(f"a part that is listed does not read {touch.map}")
            if any(loose(touch.distances)) or open_sizes(touch.distances):
                raise KernelError("a distance depends on the block at hand")


@written_as("Shares")
class Shares(EditFact):
    """The blocks of a map that this edit changes share distances.

    There are weights of the blocks, from 0 to 1 and with a sum of at most ``count``, such that each
    part that reads the map sees a block at most at the block's weight times its distance here.
    """

    problem: CompositionProblem
    edit: str
    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]

    def _check(self) -> None:
        check_count(self.count)
        parts = sorted(v.part for v in self.problem.views if v.map == self.map)
        if not parts or parts != sorted(s.part for s in self.distances):
            raise KernelError(f"every part of the map {self.map} must be listed once")


@written_as("Mixed")
class Mixed(EditFact):
    """What this edit does is a mean of some vectors, as :class:`MeanOf` says."""

    problem: CompositionProblem
    edit: str
    vectors: tuple[Way, ...]

    def _check(self) -> None:
        if any(isinstance(way, MeanOf) for way in self.vectors):
            raise KernelError("a mean of means")
        _check_ways(self.problem, self.vectors)


@written_as("Restricted")
class Restricted(StructureFact):
    """For all sizes of the box, a fact about an edit."""

    of: EditFact
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        if not self.where:
            raise KernelError("a fact about all sizes is not restricted")
