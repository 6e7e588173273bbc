"""Worst pairs: two laws from which every pair that a guarantee allows can be made.

Let a mechanism be (ε, δ)-DP for a granularity, and two databases be at distance r of its canonical
metric.  Whatever the mechanism does, P(S) <= g^r(Q(S)) for every event S, where P and Q are its
laws at the two databases, q = e^ε and

    g(a) = min(1, q a + δ, 1 - (1 - δ - a)/q).

The worst pair attains this: Q is uniform on [0, 1] and P has the distribution function g^r.  The
likelihood ratio P/Q takes the values q^r, q^(r-2), ..., q^-r, infinity and 0 only, so finitely
many outcomes are enough.  For δ = 0 this is the truncated geometric pair, for r = 1 the pair with
four outcomes (Kairouz, Oh, Viswanath 2015).  By Blackwell's theorem products of worst pairs give
the exact privacy of compositions, adaptive ones too: statements N3 and N3′ of the theorem library.

For a given metric d, instead of the canonical one, there are no databases between the two: the
worst pair at distance d of an (ε d)-private mechanism is ``worst_pair(e^(ε d), 0, 1)``,
randomized response.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from itertools import product as choices
from math import comb, prod
from typing import Generic

from dpcomp_sym.balls import N, larger, smaller

__all__ = [
    "LikelihoodPair",
    "LossTable",
    "delta_of",
    "directed_pair",
    "group_delta",
    "homogeneous_delta",
    "joint",
    "step",
    "table",
    "truncated_geometric",
    "worst_pair",
]

LossTable = tuple[tuple[Fraction, Fraction], ...]
"""Two laws, outcome by outcome: pairs (P, Q) of probabilities."""


@dataclass(frozen=True, slots=True)
class LikelihoodPair(Generic[N]):
    """Two laws by likelihood ratio.

    ``infinite`` is the probability under P of what is impossible under Q; ``masses[j]`` is the
    probability under P of the outcome with P/Q = q^(r - 2j), j = 0, ..., r.
    """

    infinite: N
    masses: tuple[N, ...]


def step(q: N, delta: N, a: N) -> N:
    """Return g(a), the most that P(S) can be at a neighbour of a database where it is ``a``.

    >>> step(Fraction(2), Fraction(2, 5), Fraction(0)), step(Fraction(2), Fraction(0), Fraction(1))
    (Fraction(2, 5), Fraction(1, 1))
    """
    one = 0 * a + 1
    return smaller(one, smaller(q * a + delta, 1 - (1 - delta - a) / q))


def group_delta(q: N, delta: N, r: int) -> N:
    """Return the least δ at rε between databases r steps apart: the r-th iterate of g from 0.

    The printed bound δ (q^r - 1)/(q - 1) is larger once the (r-1)-th iterate exceeds
    (1 - δ)/(1 + q).

    >>> group_delta(Fraction(2), Fraction(2, 5), 2)
    Fraction(9, 10)
    """
    a = 0 * delta
    for _ in range(r):
        a = step(q, delta, a)
    return a


def worst_pair(q: N, delta: N, r: int) -> LikelihoodPair[N]:
    """Return the worst pair of (ε, δ)-DP, q = e^ε, at distance r of the canonical metric.

    P has slope q^(r-2j) where r - j steps lie on the line q a + δ of g and then j steps on the
    other one.  A step from x is on the first line as long as x <= c = (1 - δ)/(1 + q), so m + 1
    steps are where x is at most the m-th preimage of c.  The pair is symmetric, so that the
    probabilities under P are those under Q in reverse.

    >>> worst_pair(Fraction(2), Fraction(0), 1)
    LikelihoodPair(infinite=Fraction(0, 1), masses=(Fraction(2, 3), Fraction(1, 3)))
    >>> worst_pair(Fraction(2), Fraction(1, 10), 1)
    LikelihoodPair(infinite=Fraction(1, 10), masses=(Fraction(3, 5), Fraction(3, 10)))
    """
    zero = 0 * delta
    one = zero + 1
    back = 1 / q
    infinite = group_delta(q, delta, r)
    end = 1 - infinite
    ends = [end]  # of the regions with r, r - 1, ..., 0 steps on the second line
    preimage, power, steps_back = (1 - delta) * back / (1 + back), one, zero
    for _ in range(r):
        ends.append(smaller(end, larger(zero, power * preimage - delta * steps_back)))
        power = power * back
        steps_back = steps_back + power
    ends.append(zero)
    masses = [larger(zero, high - low) for high, low in pairwise(ends)]
    return LikelihoodPair(infinite, tuple(masses))


def directed_pair(q: N, delta: N, r: int) -> LikelihoodPair[N]:
    """Return the worst pair of a directed granularity: only P(S) <= q Q(S) + δ is promised.

    P has the distribution function min(1, q^r a + δ (1 + q + ... + q^(r-1))).

    >>> pair = directed_pair(Fraction(2), Fraction(1, 10), 2)
    >>> str(pair.infinite), [str(mass) for mass in pair.masses]
    ('3/10', ['7/10', '0', '0'])
    """
    infinite: N = 0 * delta
    one: N = infinite + 1
    for _ in range(r):
        infinite = smaller(one, q * infinite + delta)
    masses: list[N] = [0 * delta for _ in range(r + 1)]
    masses[0] = 1 - infinite
    return LikelihoodPair(infinite, tuple(masses))


# ------------------------------------------------------------------ exact tables


def truncated_geometric(q: Fraction, r: int, centre: int) -> tuple[Fraction, ...]:
    """Return the law TG(r) with the given centre: the worst ε-DP mechanism on a path of r steps.

    With a = 1/q: a^|m - centre|/(1 + a) at the ends m = 0 and m = r, and
    a^|m - centre| (1 - a)/(1 + a) between them.

    >>> truncated_geometric(Fraction(2), 2, 0)
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    """
    a = 1 / q
    return tuple(
        a ** abs(m - centre) * (1 if m in {0, r} else 1 - a) / (1 + a) for m in range(r + 1)
    )


def table(q: Fraction, pair: LikelihoodPair[Fraction]) -> LossTable:
    """Return a pair outcome by outcome.

    >>> table(Fraction(2), worst_pair(Fraction(2), Fraction(0), 1))
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    """
    r = len(pair.masses) - 1
    rows = [(p, p / q ** (r - 2 * j)) for j, p in enumerate(pair.masses) if p]
    if pair.infinite:
        rows.insert(0, (pair.infinite, Fraction(0)))
    missing = 1 - sum((other for _, other in rows), Fraction(0))
    return (*rows, (Fraction(0), missing)) if missing else tuple(rows)


def joint(tables: Iterable[LossTable]) -> LossTable:
    """Return the two laws of independent outcomes together.

    >>> pair = table(Fraction(2), worst_pair(Fraction(2), Fraction(0), 1))
    >>> len(joint([pair, pair]))
    4
    """
    return tuple(
        (prod((p for p, _ in row), start=Fraction(1)), prod((o for _, o in row), start=Fraction(1)))
        for row in choices(*tables)
    )


def delta_of(pair: LossTable, factor: Fraction) -> Fraction:
    """Return the least δ with P(S) <= factor Q(S) + δ for all events S.

    >>> delta_of(table(Fraction(2), worst_pair(Fraction(2), Fraction(0), 2)), Fraction(1))
    Fraction(1, 2)
    """
    return sum((max(Fraction(0), p - factor * other) for p, other in pair), Fraction(0))


def homogeneous_delta(q: Fraction, delta: Fraction, k: int, i: int) -> Fraction:
    """Return the optimal δ at (k - 2i) ε of k mechanisms that are each (ε, δ)-DP, at distance 1.

    The closed form of Kairouz, Oh, Viswanath 2015, The composition theorem for differential
    privacy, Theorem 3.3.

    >>> [homogeneous_delta(Fraction(2), Fraction(0), 2, i) for i in (0, 1)]
    [Fraction(0, 1), Fraction(1, 3)]
    """
    excess = sum(
        (comb(k, n) * (q ** (k - n) - q ** (k - 2 * i + n)) for n in range(i)), Fraction(0)
    )
    return 1 - (1 - delta) ** k * (1 - excess / (1 + q) ** k)
