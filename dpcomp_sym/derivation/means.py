"""What is at most the larger of two bounds because it is at most a mean of them.

With one record that leaves and one that comes, ``eps_a + eps_b`` is at most the larger one of
``2*eps_a`` and ``2*eps_b``: half of the one and half of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import Polynomial, polynomial

__all__ = ["below_a_mean"]

MOST_ITEMS: Final = 40
"""Of so many bounds that share a term all pairs are tried, those with the fewest terms first."""
HALF: Final = Fraction(1, 2)
_ZERO: Final = Fraction(0)


def below_a_mean(item: k.Expr, others: Sequence[k.Expr], where: k.Where) -> k.Theorem | None:
    """Return that an expression is at most the larger of two others, None if it is not found.

    >>> a, b = map(k.Param, "ab")
    >>> twice = [k.Product((k.Num(Fraction(2)), x)) for x in (a, b)]
    >>> found = below_a_mean(k.Sum((a, b)), twice, ())
    >>> found.statement.text()
    'a + b <= max(2*a, 2*b)'
    >>> below_a_mean(k.Sum((a, a, b, b)), twice, ()) is None
    True
    """
    shared = [o for o in others if polynomial(item).keys() & polynomial(o).keys()]
    near = sorted(shared, key=lambda o: len(polynomial(o)))
    whole, *terms = map(polynomial, (item, *near[:MOST_ITEMS]))
    for (one, left), (other, right) in combinations(zip(near, terms, strict=False), 2):
        share = _share(whole, left, right)
        if share is not None:
            return _theorem(item, (one, other), (share, 1 - share), where)
    return None


def _share(small: Polynomial, left: Polynomial, right: Polynomial) -> Fraction | None:
    """Return how much of the first is in a mean that an item does not exceed, by coefficients."""
    low, high = Fraction(0), Fraction(1)
    for monomial, most in small.items():  # what an item does not have, it does not exceed
        base = right.get(monomial, _ZERO)
        slope = left.get(monomial, _ZERO) - base
        needed = most - base
        if slope > 0:
            low = max(low, needed / slope)
        elif slope < 0:
            high = min(high, needed / slope)
        elif needed > 0:
            return None
        if low > high:
            return None
    return HALF if low <= HALF <= high else low if low > 0 else high


def _theorem(
    item: k.Expr, two: tuple[k.Expr, k.Expr], shares: tuple[Fraction, Fraction], where: k.Where
) -> k.Theorem:
    largest = k.Max(two)
    parts = []
    for one, share in zip(two, shares, strict=True):
        number = k.Num(share)
        same = k.bounded_polynomial(number, number, where)
        parts.append(k.monotone("product", (same, k.some_item(one, largest, where))))
    mean = tuple(k.Product((k.Num(share), one)) for share, one in zip(shares, two, strict=True))
    whole = tuple(k.Product((k.Num(share), largest)) for share in shares)
    return k.transitive(
        k.transitive(
            k.bounded_polynomial(item, k.Sum(mean), where), k.monotone("sum", tuple(parts))
        ),
        k.bounded_polynomial(k.Sum(whole), largest, where),
    )
