"""In which notions parts meet: by their own guarantees, by conversions, or at points of curves.

Part by part, scale first, then convert, then combine: converting before scaling or after
combining gives other numbers, and for some notions wrong ones.  Some conversions take one point of
a curve, at a parameter that may be chosen freely.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpcomp_sym.notions.core import Conversion
from dpcomp_sym.notions.registry import NOTIONS, conversions_to

__all__ = ["CurvePoint", "Declared", "conversion", "explained", "points"]


class Declared(Protocol):
    """A part: its name, what it guarantees, and whether in one direction only."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def guarantees(self) -> Sequence[tuple[str, Sequence[str | Fraction]]]:
        """Notions with their parameters."""

    @property
    def directed(self) -> bool:
        """Whether they hold in one direction only."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A conversion of a part at one point of its curve, and the name of the parameter there."""

    rule: Conversion
    name: str

    @property
    def slot(self) -> int:
        """The position of the parameter that is chosen, among those of the target."""
        return NOTIONS[self.rule.target].parameters.index(self.rule.chosen)


def conversion(part: Declared, target: str, *, at_points: bool = False) -> Conversion | None:
    """Return the first rule that leads from a notion of the part to the target, if any.

    ``at_points``: rules that leave a parameter to choose count as well.
    """
    declared = dict(part.guarantees)
    for rule in conversions_to(target):
        fits = rule.source in declared and not (rule.both_ways and part.directed)
        if fits and (at_points or rule.chosen is None):
            return rule
    return None


def points(parts: Sequence[Declared]) -> dict[str, CurvePoint]:
    """Return at which points curves are read so that the parts meet in one notion.

    By part; empty if the parts have a notion in common without this, or not even so.

    >>> from dpcomp_sym.profile import PartInfo
    >>> zcdp = PartInfo("counts", "p", (("zcdp", ("rho",)),))
    >>> points([zcdp]), points([zcdp, PartInfo("mean", "q", (("gaussian", ("mu",)),))])
    ({}, {})
    >>> points([zcdp, PartInfo("m", "q", (("approximate", ("eps", "delta")),))])["counts"].name
    'delta_counts'
    """

    def meet(target: str, *, at_points: bool) -> bool:
        return all(
            target in dict(p.guarantees) or conversion(p, target, at_points=at_points)
            for p in parts
        )

    if any(meet(target, at_points=False) for target in NOTIONS):
        return {}
    target = next((n for n in NOTIONS if meet(n, at_points=True)), None)
    if target is None:
        return {}
    taken = {name for p in parts for _, names in p.guarantees for name in names}
    found = {}
    for part in parts:
        rule = conversion(part, target, at_points=True)
        if target in dict(part.guarantees) or rule is None or rule.chosen is None:
            continue
        name = f"{rule.chosen}_{re.sub(r'[^A-Za-z0-9_]', '_', part.name)}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[part.name] = CurvePoint(rule, name)
    return found


def explained(parts: Sequence[Declared]) -> list[str]:
    """Say what the parameters are at which curves are read.

    >>> from dpcomp_sym.profile import PartInfo
    >>> pair = PartInfo("m", "q", (("approximate", ("eps", "delta")),))
    >>> explained([PartInfo("counts", "p", (("zcdp", ("rho",)),)), pair])[0][-30:]
    'rho + 2*sqrt(rho*ln(1/delta)))'
    """
    found = []
    for name, point in points(parts).items():
        rule, chosen = point.rule, str(point.rule.chosen)
        pair = ", ".join(NOTIONS[rule.target].parameters)
        article = "an" if chosen[0] in "aeiou" else "a"
        found.append(
            f"the bound takes {name}, which is {rule.source} private, as ({pair}) private at "
            f"{article} {chosen} of your choice, {point.name}: {rule.meaning}"
        )
    return found
