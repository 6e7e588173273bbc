"""One composition by every theorem that applies, at one δ: what each of them makes of it.

The parts are those that the worst memberships see.  A mechanism that is (ε_i, δ_i)-DP tells
everything with probability δ_i and is ε_i-DP otherwise (Kairouz, Oh, Viswanath 2015), so that at a
target δ what is left for the pure parts is x with 1 - δ = (1 - x) Π (1 - δ_i).  Then

- *zero-concentrated*: ρ = Σ ε_i tanh(ε_i/2), and the least ε = ρα + ln(1 - 1/α) - ln(α x)/(α - 1)
  (conversions.pure-zcdp and .zcdp-approximate of the library); beside it the published forms,
  ρ = Σ ε_i²/2 and ε = ρ + 2 √(ρ ln 1/x) (Bun, Steinke 2016);
- *Rényi*: the divergence of randomized response at one order α, added up, and
  ε = Σ D_α + ln(1 - 1/α) - ln(α x)/(α - 1) (Canonne, Kamath, Steinke 2020, Proposition 12);
- *Gaussian*: μ_i = 2 Φ⁻¹(q/(1 + q)), μ = √Σ μ_i², and the ε of N(μ, 1) (Dong, Roth, Su 2022);
- *privacy loss distribution*: the package dp-accounting, by its own convolution;
- *parallel*: the number of changed databases times the largest ε, where as many times the largest
  δ is at most the target (McSherry 2009).

The first ones are rational upper bounds.  The others are floats: nothing is proved with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import exp, log, log1p
from typing import Any, Final

from dpcomp_sym import balls
from dpcomp_sym.balls import Ball
from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.errors import InputError
from dpcomp_sym.notions.points import concentrated_epsilon, epsilon_at_order, gaussian_epsilon
from dpcomp_sym.numbers.exact import gdp_squared, root, rounded_up, times
from dpcomp_sym.numbers.sums import total
from dpcomp_sym.optimal import Comparison, SeenPart

__all__ = ["GRID", "TheoremAnswer", "answers", "loss_distribution_epsilon", "side_by_side"]

Parts = Mapping[SeenPart, int]

GRID: Final = 1e-5
"""The step in which dp-accounting rounds losses up; its answer is an upper bound."""

_ORDERS: Final = tuple(1 + n / 8 for n in range(1, 8)) + tuple(range(2, 65)) + (96, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class TheoremAnswer:
    """What one theorem says: ε at the target, None where it says nothing; ``why`` tells why.

    ``exact``: a rational number that is certainly no smaller than the theorem's; else a float.
    """

    theorem: str
    epsilon: Fraction | float | None
    exact: bool = True
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        said = self.epsilon
        return {
            "theorem": self.theorem,
            "epsilon": balls.above(said) if isinstance(said, Fraction) else said,
            "rigorous": self.exact,
            "why": self.why or None,
        }


def answers(comparison: Comparison, target: Fraction) -> list[TheoremAnswer]:
    """Return what each theorem makes of a composition at δ = ``target``, the best ones last.

    Each answer is a maximum over the choices of databases that can be worst.
    """
    row = comparison.at_delta(target)
    optimal = None if row.optimal is None else row.optimal.high
    said = [
        TheoremAnswer("basic composition", row.basic),
        TheoremAnswer("advanced composition", row.advanced),
    ]
    simple = [_group_first(choice) for choice in comparison.choices.above]
    left = [_left_for_pure(choice, target) for choice in simple]
    directed = any(part.directed for choice in comparison.choices.above for part in choice)
    for name, rule, exact in (
        ("through zero-concentrated privacy, as published", _zcdp_published, True),
        ("through zero-concentrated privacy", _zcdp, True),
        ("through Rényi privacy", _renyi, True),
        ("through Gaussian privacy", _gaussian, True),
    ):
        if directed:
            said.append(TheoremAnswer(name, None, exact, _ONE_WAY))
            continue
        values = [
            None if x is None else rule(choice, x) for choice, x in zip(simple, left, strict=True)
        ]
        said.append(TheoremAnswer(name, _largest(values), exact, "" if all(left) else _TOO_SMALL))
    parallel = _parallel(simple, target)
    too_small = "" if parallel is not None else _TOO_SMALL
    said.insert(0, TheoremAnswer("parallel composition", parallel, why=too_small))
    if directed:
        said.append(TheoremAnswer("privacy loss distribution", None, exact=False, why=_ONE_WAY))
    elif find_spec("dp_accounting") is None:
        missing = "pip install 'dpcomp-sym[accounting]'"
        said.append(TheoremAnswer("privacy loss distribution", None, exact=False, why=missing))
    else:
        said.append(_loss_distribution(simple, target))
    said.append(TheoremAnswer("optimal composition", optimal))
    return said


def _loss_distribution(choices: list[Simple], target: Fraction) -> TheoremAnswer:
    name = "privacy loss distribution"
    try:
        values = [loss_distribution_epsilon(choice, target) for choice in choices]
    except OverflowError:  # it computes e^ε in floats
        return TheoremAnswer(
            name, None, exact=False, why="the package cannot compute with such a large ε"
        )
    return TheoremAnswer(name, _largest(values), exact=False)


def side_by_side(derivation: Derivation, target: Fraction | None = None) -> dict[str, Any]:
    """Return what each theorem makes of a derivation, as plain data, at a δ or at the usual one.

    Where databases are limited, also what the classic composition of all of them would be.

    Raises:
        InputError: there are no numbers, or no δ below 1 to compare at.
    """
    compared = derivation.comparison
    rows = () if compared is None else compared.rows(at_delta=target)
    at = next((row.target for row in rows if row.at == "delta"), None)
    if compared is None or not at:
        raise InputError("the theorems are compared at a positive δ below 1: give --at-delta")
    said = answers(compared, at)
    if derivation.unlimited is not None:
        row = derivation.unlimited.at_delta(at)
        optimal = None if row.optimal is None else row.optimal.high
        said = [
            TheoremAnswer("every database, basic composition", row.basic),
            TheoremAnswer("every database, optimal composition", optimal),
            *said,
        ]
    return {"theorems": [one.as_json() for one in said], "theorems_at_delta": float(at)}


_ONE_WAY: Final = "it needs guarantees in both directions, and the granularity is directed"
_TOO_SMALL: Final = "the δ of the parts leave nothing for the target"


def _largest(values: Iterable[Fraction | float | None]) -> Fraction | float | None:
    found = list(values)
    return None if None in found else max((v for v in found if v is not None), default=0.0)


def _group_first(choice: Parts) -> list[tuple[Fraction, Fraction, int]]:
    """Return (ε, δ, how often) at the distances that are seen, by group privacy."""
    found = []
    for part, count in choice.items():
        delta = Ball.of(0)
        for _ in range(part.steps):
            delta = delta * balls.exp(part.eps) + part.delta
        found.append((part.eps * part.steps, min(delta.upper, Fraction(1)), count))
    return found


Simple = list[tuple[Fraction, Fraction, int]]


def _left_for_pure(parts: Simple, target: Fraction) -> Fraction | None:
    kept = Ball.of(1)
    for _, delta, count in parts:
        for _ in range(count if delta else 0):
            kept = kept * (1 - delta)
    if kept.lower <= 0:
        return None
    left = 1 - (1 - target) / kept.lower
    return left if left > 0 else None


def _parallel(choices: list[Simple], target: Fraction) -> Fraction | None:
    """Return the number of parts times the largest ε, if as many largest δ leave it."""
    found = Fraction(0)
    for parts in choices:
        number = sum(count for *_, count in parts)
        if number * max((delta for _, delta, _ in parts), default=Fraction(0)) > target:
            return None
        found = max(found, number * max((eps for eps, *_ in parts), default=Fraction(0)))
    return found


def _zcdp(parts: Simple, delta: Fraction) -> Fraction:
    rho = Ball.of(0)
    for eps, _, count in parts:
        rho = rho + (1 - 2 / (balls.exp(eps) + 1)) * eps * count
    return concentrated_epsilon(max(rho.upper, Fraction(0)), delta)


def _zcdp_published(parts: Simple, delta: Fraction) -> Fraction:
    rho = sum((count * eps**2 / 2 for eps, _, count in parts), Fraction(0))
    spread = 4 * rho * -balls.log(delta).lower
    return rho + balls.sqrt(Ball.of(max(spread, Fraction(0)))).upper


def _renyi(parts: Simple, delta: Fraction) -> Fraction:
    """Return the bound at the order that is best in floats, evaluated rigorously."""
    logarithm = float(balls.log(delta))

    def near(order: float) -> float:
        total = sum(
            count * (e + (log1p(exp((1 - 2 * order) * e)) - log1p(exp(-e))) / (order - 1))
            for e, count in ((float(eps), count) for eps, _, count in parts)
        )
        return total + log1p(-1 / order) - (log(order) + logarithm) / (order - 1)

    order = Fraction(min(_ORDERS, key=near))
    total = Ball.of(0)
    for eps, _, count in parts:
        # (e^(aε) + e^((1-a)ε)) / (1 + e^ε), of which only e^((a-1)ε) can be large
        rest = balls.exp((1 - 2 * order) * eps), balls.exp(-eps)
        few, most = (balls.log(1 + one) for one in rest)
        total += (few - most) * count / (order - 1) + eps * count
    return epsilon_at_order(total, order, delta)


def _gaussian(parts: Simple, delta: Fraction) -> Fraction:
    squares = total([times(gdp_squared(eps), count) for eps, _, count in parts])
    return gaussian_epsilon(rounded_up(root(squares)), delta)


def loss_distribution_epsilon(parts: Simple, delta: Fraction, grid: float = GRID) -> float:
    """Return the ε that dp-accounting finds for (ε_i, δ_i)-DP parts, each so many times.

    Raises:
        InputError: the package is missing.
    """
    try:
        from dp_accounting.pld import common, privacy_loss_distribution
    except ImportError:
        raise InputError(
            "privacy loss distributions need the package dp-accounting: "
            "pip install 'dpcomp-sym[accounting]'"
        ) from None
    whole = None
    for eps, slack, count in parts:
        guarantee = common.DifferentialPrivacyParameters(float(eps), float(slack))
        one = privacy_loss_distribution.from_privacy_parameters(
            guarantee, value_discretization_interval=grid
        ).self_compose(count)
        whole = one if whole is None else whole.compose(one)
    return 0.0 if whole is None else float(whole.get_epsilon_for_delta(float(delta)))
