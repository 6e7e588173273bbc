"""Databases, granularities, maps, metrics and mechanisms, and what mechanisms guarantee."""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.statements.terms.base import (
    KernelError,
    KernelTerm,
    Sizes,
    check_closed,
    check_sizes,
    open_sizes,
    written_as,
)
from dpcomp_sym.statements.terms.expressions import Expr

__all__ = [
    "Adaptive",
    "Added",
    "After",
    "Arrow",
    "At",
    "CanonicalMetric",
    "Composite",
    "Converted",
    "DatabaseClass",
    "EachAdaptive",
    "EachAdded",
    "EachJoint",
    "Joint",
    "Largest",
    "Loss",
    "NamedMap",
    "NamedMechanism",
    "NamedPseudometric",
    "NamedRelation",
    "Neighbouring",
    "OneSided",
    "Procedure",
    "Processed",
    "Pseudometric",
    "Pullback",
    "Push",
    "Quotient",
    "Relation",
    "Rescaled",
    "Space",
    "Stepwise",
    "domain_of",
    "ends",
    "space_of",
]


class Space(KernelTerm):
    """A set of databases."""

    __slots__ = ()


class Relation(KernelTerm):
    """A granularity: a relation between databases, "neighbours"; symmetric unless one-sided."""

    __slots__ = ()


class Arrow(KernelTerm):
    """A deterministic map, or one for each block of a family."""

    __slots__ = ()


@written_as("Domain", of_block=True)
class DatabaseClass(Space):
    """A class of databases, or one for each block, with its definition (JSON text)."""

    name: str
    detail: str
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)


@written_as("Granularity")
class NamedRelation(Relation):
    """A granularity, with its definition (JSON text)."""

    name: str
    detail: str


@written_as("OneSided")
class OneSided(Relation):
    """A granularity that leads from D to D' only, with its definition (JSON text)."""

    name: str
    detail: str


@written_as("Push")
class Push(Relation):
    """The pushforward: y ~ y' iff some neighbours D ~ D' of the map's domain are mapped to them."""

    of: Relation
    map: Arrow


@written_as("Map", of_block=True)
class NamedMap(Arrow):
    """A map, or one for each block of a family, with its definition (JSON text)."""

    name: str
    detail: str
    domain: Space
    codomain: Space
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "map", self.name, (self.detail, self.domain, self.sizes)


@written_as("Composite")
class Composite(Arrow):
    """First one map, then the other."""

    first: Arrow
    second: Arrow

    def _check(self) -> None:
        if ends(self.first)[1] != ends(self.second)[0]:
            raise KernelError("the maps do not fit together")


def ends(arrow: Arrow) -> tuple[Space, Space]:
    """Return domain and codomain of a map."""
    if isinstance(arrow, Composite):
        return ends(arrow.first)[0], ends(arrow.second)[1]
    if isinstance(arrow, NamedMap):
        return arrow.domain, arrow.codomain
    raise KernelError("no map")


class Pseudometric(KernelTerm):
    """An extended pseudometric on a space; not symmetric if it comes from a one-sided relation."""

    __slots__ = ()


@written_as("Canonical")
class CanonicalMetric(Pseudometric):
    """The canonical metric: the least number of steps between neighbours."""

    relation: Relation
    domain: Space


@written_as("Distance")
class NamedPseudometric(Pseudometric):
    """A given pseudometric, with its definition (JSON text)."""

    name: str
    detail: str
    domain: Space


@written_as("Rescaled")
class Rescaled(Pseudometric):
    """A multiple of a pseudometric (with 0 * inf = inf: E13)."""

    by: Expr
    of: Pseudometric


@written_as("Added")
class Added(Pseudometric):
    """The sum of pseudometrics on one space."""

    items: tuple[Pseudometric, ...]

    def _check(self) -> None:
        if len({space_of(m) for m in self.items}) != 1:
            raise KernelError("metrics on one space are needed")


@written_as("EachAdded", binds=("block",))
class EachAdded(Pseudometric):
    """The sum over all blocks of a family."""

    sizes: Sizes
    item: Pseudometric

    def _check(self) -> None:
        check_closed(self.sizes, self.item)


@written_as("Largest")
class Largest(Pseudometric):
    """The pointwise maximum of pseudometrics on one space."""

    items: tuple[Pseudometric, ...]

    def _check(self) -> None:
        if len({space_of(m) for m in self.items}) != 1:
            raise KernelError("metrics on one space are needed")


@written_as("Pullback")
class Pullback(Pseudometric):
    """d(f(D), f(D'))."""

    of: Pseudometric
    map: Arrow

    def _check(self) -> None:
        if space_of(self.of) != ends(self.map)[1]:
            raise KernelError("the metric is not on the map's range")


@written_as("Quotient")
class Quotient(Pseudometric):
    """The quotient pseudometric on the image: the infimum over chains through the fibres."""

    of: Pseudometric
    map: Arrow

    def _check(self) -> None:
        if space_of(self.of) != ends(self.map)[0]:
            raise KernelError("the metric is not on the map's domain")


def space_of(metric: Pseudometric) -> Space:
    """Return the space on which a metric is defined."""
    match metric:
        case CanonicalMetric() | NamedPseudometric():
            return metric.domain
        case Rescaled():
            return space_of(metric.of)
        case Added() | Largest():
            return space_of(metric.items[0])
        case EachAdded():
            return space_of(metric.item)
        case Pullback():
            return ends(metric.map)[0]
        case Quotient():
            return ends(metric.map)[1]
        case _:
            raise KernelError("no metric")


class Procedure(KernelTerm):
    """A randomized mechanism, or one for each block of a family."""

    __slots__ = ()


@written_as("Mechanism", of_block=True)
class NamedMechanism(Procedure):
    """A named mechanism; it may read earlier outputs of the composition that it is part of."""

    name: str
    domain: Space
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "mechanism", self.name, (self.domain, self.sizes)


@written_as("After")
class After(Procedure):
    """A mechanism behind a map."""

    mechanism: Procedure
    map: Arrow

    def _check(self) -> None:
        if domain_of(self.mechanism) != ends(self.map)[1]:
            raise KernelError("the mechanism does not start where the map ends")


@written_as("Adaptive")
class Adaptive(Procedure):
    """Mechanisms run one after the other, each seeing all earlier outputs."""

    items: tuple[Procedure, ...]

    def _check(self) -> None:
        if len({domain_of(m) for m in self.items}) != 1:
            raise KernelError("mechanisms on one domain are needed")


@written_as("EachAdaptive", binds=("block",))
class EachAdaptive(Procedure):
    """The mechanisms of all blocks, run one after the other."""

    sizes: Sizes
    item: Procedure

    def _check(self) -> None:
        check_closed(self.sizes, self.item)
        if open_sizes(domain_of(self.item)):
            raise KernelError("mechanisms on one domain are needed")


@written_as("Processed")
class Processed(Procedure):
    """What is computed from the output of a mechanism, without the database."""

    of: Procedure
    by: str


def domain_of(mechanism: Procedure) -> Space:
    """Return the databases that a mechanism accepts."""
    match mechanism:
        case NamedMechanism():
            return mechanism.domain
        case After():
            return ends(mechanism.map)[0]
        case Adaptive():
            return domain_of(mechanism.items[0])
        case EachAdaptive():
            return domain_of(mechanism.item)
        case Processed():
            return domain_of(mechanism.of)
        case _:
            raise KernelError("no mechanism")


class Loss(KernelTerm):
    """What a mechanism may reveal about a pair of databases, in the units of a notion."""

    __slots__ = ()


@written_as("Neighbouring")
class Neighbouring(Loss):
    """The guarantee, between neighbours."""

    relation: Relation
    domain: Space
    guarantee: tuple[Expr, ...]


@written_as("At")
class At(Loss):
    """The guarantee scaled by the distance of the pair.

    At distance r: eps r; (eps r, delta growth(eps, r)); rho r^2; mu r.  Nothing is revealed at
    distance 0, whatever the guarantee, and nothing guaranteed at distance infinity.
    """

    guarantee: tuple[Expr, ...]
    metric: Pseudometric


@written_as("Joint")
class Joint(Loss):
    """All of these together: sums, or roots of sums of squares, as the notion says."""

    items: tuple[Loss, ...]


@written_as("EachJoint", binds=("block",))
class EachJoint(Loss):
    """The losses of all blocks of a family together."""

    sizes: Sizes
    item: Loss

    def _check(self) -> None:
        check_closed(self.sizes, self.item)


@written_as("Stepwise")
class Stepwise(Loss):
    """What so many steps as the distance of the pair cost, each under a guarantee of ``source``.

    In the units of another notion.  It says more than the loss at the distance: between the two
    laws there are others, and neighbours among them are under the guarantee.
    """

    source: str
    guarantee: tuple[Expr, ...]
    metric: Pseudometric


@written_as("Converted")
class Converted(Loss):
    """A loss in the units of another notion, ``source``, converted pair by pair.

    ``chosen``: the parameters that the conversion leaves free, the same for all pairs.
    """

    source: str
    of: Loss
    chosen: tuple[Expr, ...] = ()
