"""Hypotheses and mechanisms as tables of fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym.optimal.pairs import table, worst_pair

__all__ = ["DatabaseVector", "Hypothesis", "MechanismTable", "response", "uniform"]

DatabaseVector = tuple[int, ...]
"""In which databases a person is: 0 or 1 for each."""

Hypothesis = Mapping[Any, Fraction]
"""A distribution of membership vectors (any tuples of 0 and 1)."""

MechanismTable = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""The laws of one mechanism without the person's record, and with it, outcome by outcome."""


def uniform(
    k: int, allowed: Callable[[DatabaseVector], bool] = lambda _: True
) -> dict[DatabaseVector, Fraction]:
    """Return the uniform distribution over the vectors that are allowed.

    Raises:
        ValueError: none is.

    >>> uniform(2, any)
    {(0, 1): Fraction(1, 3), (1, 0): Fraction(1, 3), (1, 1): Fraction(1, 3)}
    """
    found = [b for b in product((0, 1), repeat=k) if allowed(b)]
    if not found:
        raise ValueError("no membership vector is allowed")
    return dict.fromkeys(found, Fraction(1, len(found)))


def response(q: Fraction, delta: Fraction = Fraction(0)) -> MechanismTable:
    """Return the worst pair of laws that (ln q, δ)-DP allows between two neighbours.

    For δ = 0 randomized response; otherwise two more outcomes, which give each database away with
    probability δ.  Every (ln q, δ)-DP pair is made from it by post-processing (Kairouz, Oh,
    Viswanath 2015), so that no mechanism tells more.

    Raises:
        ValueError: q < 1, or δ is not in [0, 1].

    >>> response(Fraction(2))
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    >>> response(Fraction(2), Fraction(1, 4))[0]
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0, 1))
    """
    if q < 1 or not 0 <= delta <= 1:
        raise ValueError("q = e^ε is at least 1, and δ is a probability")
    rows = table(q, worst_pair(q, delta, 1))
    return tuple(p for p, _ in rows), tuple(r for _, r in rows)
