"""Which guarantee of each part a bound uses: its own, or one that converts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcomp_sym.notions import NOTIONS, Conversion, Notion
from dpcomp_sym.notions.meeting import conversion, points
from dpcomp_sym.profile import Distance, MapInfo, Profile, Vector

__all__ = ["BoundSource", "Place", "by_map", "is_zero", "maps_by_name", "sources"]


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
            target = NOTIONS[self.conversion.target]
            found.append((self.chosen, target.parameters.index(str(self.conversion.chosen))))
        return found


def is_zero(r: Distance) -> bool:
    """Return whether the part does not notice the change.

    >>> from dpcomp_sym.profile import Symbolic
    >>> is_zero(0), is_zero(Symbolic("m"))
    (True, False)
    """
    return r == 0


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
    curves = {
        part: point
        for part, point in points(profile.parts).items()
        if point.rule.target == notion.name
    }
    found: dict[str, BoundSource] = {}
    for part in profile.parts:
        declared = dict(part.guarantees)
        if notion.name in declared:
            found[part.name] = BoundSource(part.name, notion.name, declared[notion.name], None)
            continue
        point = curves.get(part.name)
        rule = conversion(part, notion.name) if point is None else point.rule
        if rule is not None:
            source = rule.source
            chosen = None if point is None else point.name
            found[part.name] = BoundSource(part.name, source, declared[source], rule, chosen)
        elif part.name in needed:
            return None
    return found


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
