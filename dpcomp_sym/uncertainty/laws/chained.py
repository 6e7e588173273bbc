"""Chained mechanisms: the second one reads only what the first one publishes.

If M₁ is ε₁-private for its neighbours and M₂ is ε₂-private between *any two* of its inputs, then
M₂ ∘ M₁ is ln((1 + e^(ε₁+ε₂)) / (e^ε₁ + e^ε₂))-private, and randomized response twice attains it.
With t = tanh(ε/2) = (e^ε − 1)/(e^ε + 1) this is t = t₁ t₂, so that any number of mechanisms chain
in any order.  If M₂ is only private for a distance, ε₂ must be taken at the largest distance
between two of its inputs.

Source: D. Desfontaines, thesis, section 3.2.4 (nested composition), and the work cited there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpcomp_sym.errors import InputError

__all__ = ["chained"]


def chained(factors: Sequence[Fraction]) -> Fraction:
    """Return e^ε of mechanisms one after the other, from e^ε of each, in any order.

    Raises:
        InputError: there is no mechanism, or a factor is less than 1.

    >>> chained([Fraction(2), Fraction(2)]), chained([Fraction(2), Fraction(32)])
    (Fraction(5, 4), Fraction(65, 34))
    """
    if not factors:
        raise InputError("there is no mechanism to chain")
    for factor in factors:
        if factor < 1:
            raise InputError(f"e^eps is at least 1, not {factor}", word=str(factor))
    found = factors[0]
    for factor in factors[1:]:
        found = (1 + found * factor) / (found + factor)
    return found
