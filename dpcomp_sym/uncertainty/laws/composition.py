"""Composition under partial knowledge: the sum of losses and dependencies against the exact loss.

Theorem 6, for k mechanisms: the loss of (M_1, …, M_k) is Σ L(M_j) + Σ dep_j, where dep_j is the
dependency of M_j on (M_1, …, M_(j−1)).  If M_j is (ε_j, δ_j)-private by itself and dep_j is
(ε′_j, δ′_j)-bounded, everything together is (Σ ε_j + Σ ε′_j, Σ δ_j + Σ δ′_j)-private.
Dependencies between pairs of mechanisms would not do: three mechanisms can be pairwise
independent, and give everything away together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_factor
from dpcomp_sym.uncertainty.laws.worlds import AttackCase, Attacker, composed, curves

__all__ = ["PARTS", "Composition", "Costs", "Share", "costs", "shared_out"]

PARTS = 24


Costs = list[tuple[Fraction, Fraction | None]]
"""For each number of units of δ: so much of δ, and the factor e^ε that a term costs there."""


@dataclass(frozen=True)
class Share:
    """One term of the bound: its part of δ, and the factor e^ε that it costs there.

    The term is the loss of a mechanism, or its dependency on those before it.
    """

    name: str
    dependency: bool
    delta: Fraction
    factor: Fraction | None = field(repr=False)  # it can have more digits than Python writes


@dataclass(frozen=True)
class Composition:
    """Several mechanisms on the same random data, seen by one attacker.

    Args:
        found: what the attacker can compare; see :func:`dpcomp_sym.uncertainty.laws.worlds.cases`.
        attacker: whether the background is chosen (active) or given (passive).
        names: of the mechanisms, in order.

    >>> from dpcomp_sym.uncertainty.laws.worlds import cases
    >>> pad = {"pad": {(x, key): Fraction(1, 4) for x in (0, 1) for key in (0, 1)}}
    >>> see = [lambda d: d[1], lambda d: d[0] ^ d[1]]
    >>> both = Composition(cases(pad, lambda d: d[0], lambda d: None, see), "active", ("r", "s"))
    >>> both.alone(0, 0), both.alone(1, 0), both.together(2, 0), both.depends(1, 0)
    (Fraction(1, 1), Fraction(1, 1), None, None)
    """

    found: Sequence[AttackCase]
    attacker: Attacker
    names: Sequence[str]
    _known_costs: dict[Any, Costs] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def single_curves(self) -> list[list[DeltaCurve]]:
        """For each mechanism the curves of its own loss."""
        return [self._loss([j]) for j in range(len(self.names))]

    @cached_property
    def dependency_curves(self) -> list[list[DeltaCurve]]:
        """For each mechanism the curves of its dependency on those before it."""
        return [
            curves(self.found, self.attacker, partial(AttackCase.dependency_pairs, j=j))
            for j in range(len(self.names))
        ]

    @cached_property
    def joint_curves(self) -> list[list[DeltaCurve]]:
        """For t = 0, …, k the curves of the loss of the first t mechanisms together."""
        return [self._loss(range(t)) for t in range(len(self.names) + 1)]

    def _loss(self, which: Sequence[int]) -> list[DeltaCurve]:
        return curves(self.found, self.attacker, partial(AttackCase.loss_pairs, which=which))

    def alone(self, j: int, delta: Fraction | int) -> Fraction | None:
        """Return the least e^ε of one mechanism by itself at δ; None for infinity."""
        return worst_factor(self.single_curves[j], delta)

    def depends(self, j: int, delta: Fraction | int) -> Fraction | None:
        """Return the least e^ε that bounds the dependency on the earlier ones at δ."""
        return worst_factor(self.dependency_curves[j], delta)

    def together(self, count: int, delta: Fraction | int) -> Fraction | None:
        """Return the least e^ε of the first mechanisms together at δ: exact."""
        return worst_factor(self.joint_curves[count], delta)

    def bound(self, count: int, delta: Fraction) -> tuple[Fraction | None, list[Share]]:
        """Return e^ε by Theorem 6 for the first mechanisms at δ, and how δ is shared out.

        Every way of sharing δ is sound; this is the best one in whole units of a grid.
        """
        return shared_out(
            [(self.names[j], self._costs(j, delta)) for j in range(count)],
            [(self.names[j], self._costs(j, delta, dependency=True)) for j in range(1, count)],
        )

    def _costs(self, j: int, delta: Fraction, *, dependency: bool = False) -> Costs:
        key = j, delta, dependency
        if key not in self._known_costs:
            found = (self.dependency_curves if dependency else self.single_curves)[j]
            parts = max(PARTS, 4 * len(self.names))  # every term may need some of δ
            self._known_costs[key] = costs(found, delta, parts)
        return self._known_costs[key]


def costs(found: Sequence[DeltaCurve], delta: Fraction, parts: int = PARTS) -> Costs:
    """Return what one term of the bound costs at each number of units of δ."""
    grid = [delta * n / parts for n in range(parts + 1)] if delta else [delta]
    return [(d, worst_factor(found, d)) for d in grid]


def shared_out(
    losses: Sequence[tuple[str, Costs]], dependencies: Sequence[tuple[str, Costs]] = ()
) -> tuple[Fraction | None, list[Share]]:
    """Return the product of the factors of all terms where δ is shared out best, and the shares."""
    terms = [(name, False, row) for name, row in losses]
    terms += [(name, True, row) for name, row in dependencies]
    chosen = _cheapest([[_log(factor) for _, factor in row] for *_, row in terms])
    shares = [
        Share(name, dependency, *row[n])
        for (name, dependency, row), n in zip(terms, chosen, strict=True)
    ]
    return composed(s.factor for s in shares), shares


def _log(factor: Fraction | None) -> float:
    return math.inf if factor is None else math.log(factor.numerator) - math.log(factor.denominator)


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return how many units each term gets so that the sum of the costs is least.

    >>> _cheapest([[3.0, 0.0], [1.0, 0.5]])
    [1, 0]
    """
    best: list[tuple[float, list[int]]] = [(0.0, [])] * len(costs[0])
    for row in costs:
        best = [
            min(
                ((best[used - n][0] + row[n], [*best[used - n][1], n]) for n in range(used + 1)),
                key=lambda found: found[0],
            )
            for used in range(len(row))
        ]
    return best[-1][1]
