"""Which guarantee of each part a bound uses, and how it enters the bound.

A bound in a notion is a sum over the touched blocks of a non-negative contribution of every
part that reads them (of squares, for the Gaussian notion; of two sums, one of epsilons and one
of deltas, for the approximate one).  A *coordinate* is one of these sums.  Closed forms and
numbers both start from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpcomp_sym.notions.conversions import Conversion, conversion, points
from dpcomp_sym.notions.core import Notion
from dpcomp_sym.profile import Distance, Infinity, MapInfo, Profile, Symbolic, Vector

__all__ = ["BoundSource", "Contribution", "Place", "coordinates", "is_zero", "sources"]

ContributionShape = Literal[
    "plain", "square", "half square", "gdp", "growth", "zero", "zcdp point", "gaussian point"
]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one part adds to one sum, for a block that it sees at distance r.

    ``plain``: r^power * x; ``square``: r^power * x^2; ``half square``: r^power * x^2/2; ``gdp``:
    the square of the Gaussian parameter of an (r x)-DP mechanism; ``growth``, with parameters
    (eps, delta): delta (e^{r eps} - 1)/(e^eps - 1); ``zero``: nothing; ``zcdp point``, with
    (rho, delta): the epsilon of an (r^2 rho)-zCDP mechanism at this delta; ``gaussian point``,
    with (mu, eps): the delta of an (r mu)-GDP mechanism at this epsilon.
    """

    shape: ContributionShape
    parameters: tuple[str | Fraction, ...]
    power: int = 1


@dataclass(frozen=True, slots=True)
class BoundSource:
    """The declared guarantee of a part that a bound starts from, and its conversion if any.

    ``chosen``: the name of the parameter that the conversion leaves free, if it does.
    """

    part: str
    notion: str
    parameters: tuple[str | Fraction, ...]
    conversion: Conversion | None
    chosen: str | None = None

    def slots(self) -> list[tuple[str | Fraction, int]]:
        """Return all parameters with their slots (1 for a delta, else 0)."""
        found: list[tuple[str | Fraction, int]] = [(p, n) for n, p in enumerate(self.parameters)]
        if self.chosen is not None and self.conversion is not None:
            found.append((self.chosen, int(self.conversion.chosen == "delta")))
        return found


def is_zero(r: Distance) -> bool:
    """Return whether the part does not notice the change.

    >>> is_zero(0), is_zero(Symbolic("m"))
    (True, False)
    """
    return not isinstance(r, Infinity | Symbolic) and r == 0


def touched(profile: Profile) -> frozenset[str]:
    """Return the parts that notice some pair of neighbours."""
    return frozenset(
        part
        for case in profile.cases
        for vector in case.vectors
        for group in vector
        for part, r in group.distances
        if not is_zero(r)
    )


def sources(profile: Profile, notion: Notion) -> dict[str, BoundSource] | None:
    """Return for every part its own guarantee in the notion, else the first one that converts.

    None if a part that notices some neighbours has neither: then the composition has no bound
    in this notion.  Parts that notice nothing are left out if they have no guarantee.
    """
    needed = touched(profile)
    curves = points(profile.parts) if notion.name == "approximate" else {}
    found: dict[str, BoundSource] = {}
    for part in profile.parts:
        declared = dict(part.guarantees)
        if notion.name in declared:
            found[part.name] = BoundSource(part.name, notion.name, declared[notion.name], None)
            continue
        point = curves.get(part.name)
        rule = conversion(part, notion.name) if point is None else point.rule
        if rule is not None:
            source = rule.source_notion
            chosen = None if point is None else point.name
            found[part.name] = BoundSource(part.name, source, declared[source], rule, chosen)
        elif part.name in needed:
            return None
    return found


def coordinates(notion: Notion, source: BoundSource) -> tuple[Contribution, ...]:
    """Return what a part adds to each of the sums of a notion.

    Raises ``ValueError`` for a notion whose guarantees do not add up.

    >>> from dpcomp_sym.notions.core import ZCDP
    >>> coordinates(ZCDP, BoundSource("m", "zcdp", ("rho",), None))
    (Contribution(shape='plain', parameters=('rho',), power=2),)
    """
    parameters = source.parameters
    if source.conversion is None:
        if notion.additive is not None:
            shape: ContributionShape = "square" if notion.additive.root else "plain"
            return (Contribution(shape, parameters, notion.additive.power),)
        if len(notion.parameters) == 2:
            eps = parameters[0]
            return (Contribution("plain", (eps,)), Contribution("growth", parameters))
        raise ValueError(f"there are no closed forms for the notion '{notion.name}'")
    match source.conversion.shape:
        case "half square":
            return (Contribution("half square", parameters, 2),)
        case "gdp":
            return (Contribution("gdp", parameters),)
        case "with zero":
            return (Contribution("plain", parameters), Contribution("zero", ()))
        case "zcdp point" | "gaussian point" as shape:
            # What is chosen is the same at every distance but 0.
            chosen = tuple(p for p, _ in source.slots()[len(parameters) :])
            pair = Contribution(shape, (*parameters, *chosen)), Contribution("plain", chosen, 0)
            return pair if source.conversion.chosen == "delta" else pair[::-1]


Place = tuple[str, tuple[int, ...]]
"""A map, with the number of one of its blocks; () for all of them."""


def by_map(vector: Vector) -> dict[Place, list[int]]:
    """Return the positions of the groups of a vector, map by map in order of appearance.

    A block that is named stands by itself.
    """
    result: dict[Place, list[int]] = {}
    for position, group in enumerate(vector):
        result.setdefault((group.map, group.block), []).append(position)
    return result


def maps_by_name(profile: Profile) -> dict[str, MapInfo]:
    """Return the maps of a profile by name."""
    return {info.name: info for info in profile.maps}
