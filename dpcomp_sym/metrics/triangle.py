"""What distances say of each other: the triangle inequality, along ways over other granularities.

Let ``d(a, c)`` be how far apart, in a, neighbours in c can be.  Neighbours in c are at most
``d(b, c)`` edits of b apart, each of which is at most ``d(a, b)`` in a: so ``d(a, c)`` is at most
``d(a, b) * d(b, c)``.  This bounds the left side from above, and each factor from below.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from dpcomp_sym.engine.verdict import Proved, Unknown
from dpcomp_sym.metrics.distance_relation import DistanceRelation, ProductFormula
from dpcomp_sym.profile import INFINITY, Infinity, Number, is_at_most, product_of

__all__ = ["completed"]

Pair = tuple[str, str]
Far = Number | ProductFormula | Infinity


def completed(direct: Iterable[DistanceRelation]) -> dict[Pair, DistanceRelation]:
    """Return the distances, with those that were not decided as far as the others say more.

    Args:
        direct: the distances of all pairs of some granularities over one class.
    """
    found = _Completion({(r.of, r.to): r for r in direct})
    names = list(dict.fromkeys(name for pair in found.relations for name in pair))
    while any(found.look(*three) for three in itertools.permutations(names, 3)):
        pass
    return found.relations


class _Completion:
    """Distances, of which those that are not decided become closer."""

    def __init__(self, relations: dict[Pair, DistanceRelation]) -> None:
        self.relations = relations
        self.finite = {p for p, r in relations.items() if _is_finite(r.most)}

    def look(self, a: str, b: str, c: str) -> bool:
        """Say what can be said of one of three distances by the others; return whether that is new.

        ``a`` measures, ``b`` is on the way, and ``c`` has the neighbours.
        """
        first, second, whole = (self.relations.get(p) for p in ((a, b), (b, c), (a, c)))
        if first is None or second is None or whole is None:
            return False  # a claim about few of them
        found = False
        if {(a, b), (b, c)} <= self.finite:
            found |= (a, c) not in self.finite
            self.finite.add((a, c))
            found |= self._closer(whole, most=_product(first.most, second.most), why=(
                f"neighbours in {c} are {_few(second)} edits of {b} apart, and each of these is "
                f"{_few(first)} of {a}"
            ))  # fmt: skip
        if (b, c) in self.finite:
            found |= self._closer(first, least=_quotient(whole.least, second.most), why=(
                f"{_far_apart(whole)}, but are {_few(second)} edits of {b} apart"
            ))  # fmt: skip
        if (a, b) in self.finite:
            found |= self._closer(second, least=_quotient(whole.least, first.most), why=(
                f"{_far_apart(whole)}, of which each edit of {b} is {_few(first)}"
            ))  # fmt: skip
        return found

    def _closer(
        self, known: DistanceRelation, *, least: Far | None = None, most: Far | None = None,
        why: str,
    ) -> bool:  # fmt: skip
        """Keep a better bound, if it is one; a distance with two equal bounds is decided."""
        if not isinstance(known.verdict, Unknown):
            return False
        lower = least is not None and _is_less(known.least, least)
        upper = most is not None and (known.most is None or _is_less(most, known.most))
        if not (lower or upper):
            return False
        least = least if lower and least is not None else known.least
        most = most if upper else known.most
        far = least if isinstance(least, Infinity) or least == most else None
        told = f"at least {least}" + ("" if most is None else f", at most {most}")
        self.relations[known.of, known.to] = replace(
            known, least=least, most=most if far is None else far, distance=far,
            verdict=Unknown(f"proved is only: {told}") if far is None else Proved(),
            example=None if lower else known.example, why="" if far is None else why,
        )  # fmt: skip
        return True


def _few(known: DistanceRelation) -> str:
    return "finitely many" if known.most is None else f"at most {known.most}"


def _far_apart(known: DistanceRelation) -> str:
    far = known.least
    said = "infinitely far" if isinstance(far, Infinity) else f"at least {far} edits"
    return f"neighbours in {known.to} can be {said} apart in {known.of}"


def _is_finite(far: Far | None) -> bool:
    return far is not None and not isinstance(far, Infinity)


def _is_less(one: Far, other: Far) -> bool:
    """Return whether a distance is known to be smaller than another, for all values of symbols."""
    if isinstance(one, ProductFormula) or isinstance(other, ProductFormula):
        return isinstance(other, Infinity) and not isinstance(one, Infinity)
    return one != other and is_at_most(one, other)


def _product(one: Far | None, other: Far | None) -> Far | None:
    """Return a product of finite distances, None if it cannot be said."""
    if isinstance(one, Number) and isinstance(other, Number):
        return product_of([one, other])
    return other if one == 1 else one if other == 1 else None


def _quotient(far: Far, by: Far | None) -> Far | None:
    """Return what is left at least of a distance that is no more than so many times another."""
    if isinstance(far, Infinity):
        return INFINITY
    return -(-far // by) if isinstance(far, int) and isinstance(by, int) and by else None
