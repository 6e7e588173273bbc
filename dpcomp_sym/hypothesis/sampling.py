"""A coin flip decides whether the record is there: what that is worth, exactly.

Let P and R be the laws of a mechanism without and with a record, and let the record be there with
probability p only, which gives the law (1 - p) P + p R.  For every pair of laws and all factors

    sup (1 - p) P + p R - (1 + p (a - 1)) P   =  p sup (R - a P),
    sup P - b ((1 - p) P + p R)               =  (1 - b (1 - p)) sup (P - c R),

with c = b p / (1 - b (1 - p)), as long as b (1 - p) < 1, and 0 otherwise; the suprema are over
events.  So an (ln q, δ)-DP mechanism becomes (ln(1 + p (q - 1)), p δ)-DP, and its worst pair
attains this.

Source: HBW.V-B, S½; Balle, Barthe, Gaboardi 2018, Theorem 8.
"""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym.hypothesis.tables import MechanismTable

__all__ = ["sampled", "sampled_factor", "sampled_guarantee"]


def sampled(mechanism: MechanismTable, p: Fraction) -> MechanismTable:
    """Return the mechanism on a record that is there with probability p only.

    >>> from dpcomp_sym.hypothesis.tables import response
    >>> sampled(response(Fraction(3)), Fraction(1, 2))[1]
    (Fraction(1, 2), Fraction(1, 2))
    """
    without, having = mechanism
    return without, tuple((1 - p) * a + p * b for a, b in zip(without, having, strict=True))


def sampled_guarantee(q: Fraction, delta: Fraction, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return (e^ε, δ) of an (ln q, δ)-DP mechanism on a record that is there with probability p.

    >>> sampled_guarantee(Fraction(3), Fraction(1, 10), Fraction(1, 2))
    (Fraction(2, 1), Fraction(1, 20))
    """
    return 1 + p * (q - 1), p * delta


def sampled_factor(b: Fraction, p: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return (c, s) with sup P - b ((1 - p) P + p R) = s sup (P - c R), or None where it is 0.

    >>> sampled_factor(Fraction(3, 2), Fraction(1, 2))
    (Fraction(3, 1), Fraction(1, 4))
    """
    s = 1 - b * (1 - p)
    return (b * p / s, s) if s > 0 else None
