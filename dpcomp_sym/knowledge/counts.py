"""Counting queries over many independent records, exactly, with or without geometric noise.

The attacker knows some records and wants to tell whether the target's record counts; what is
unknown of the others is a sum of independent bits.  Known records only shift the output, so that
the loss is the same for active and passive attackers and for every background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.knowledge.curve import Curve

__all__ = ["Count", "binomial", "count_law", "nested_curves"]

MOST: Final = 20_000
MOST_PRODUCTS: Final = 4_000_000


@dataclass(frozen=True)
class Count:
    """The law of a count: ``weights[m] / whole`` is the probability of m."""

    weights: tuple[int, ...]
    whole: int

    def __add__(self, other: Count) -> Count:
        """Return the law of the sum of independent counts."""
        products = len(self.weights) * len(other.weights)
        if products > MOST_PRODUCTS:
            raise InputError(f"records of different probabilities take {products:,} products of "
                             f"long numbers here, more than {MOST_PRODUCTS:,}: put records of the "
                             "same probability into one group")  # fmt: skip
        found = [0] * (len(self.weights) + len(other.weights) - 1)
        for i, w in enumerate(self.weights):
            for j, v in enumerate(other.weights, i):
                found[j] += w * v
        return Count(tuple(found), self.whole * other.whole)


def binomial(n: int, p: Fraction) -> Count:
    """Return the law of the number of ones among n independent bits, in closed form.

    Raises:
        InputError: n is negative or too large, or p no probability.

    >>> binomial(3, Fraction(1, 3))
    Count(weights=(8, 12, 6, 1), whole=27)
    """
    if not 0 <= n <= MOST:
        raise InputError(f"{n} records: 0 to {MOST:,} can be counted exactly", word=str(n))
    if not 0 <= p <= 1:
        raise InputError(f"{p} is no probability", word=str(p))
    yes, whole = p.as_integer_ratio()
    no = whole - yes
    ones = list(accumulate([yes] * n, int.__mul__, initial=1))
    zeros = list(accumulate([no] * n, int.__mul__, initial=1))
    choose, weights = 1, []
    for k in range(n + 1):
        weights.append(choose * ones[k] * zeros[n - k])
        choose = choose * (n - k) // (k + 1)
    return Count(tuple(weights), whole**n)


def count_law(groups: Sequence[tuple[int, Fraction]]) -> Count:
    """Return the law of a count over groups of (number of records, probability).

    Groups of the same probability add up first: Bin(n, p) + Bin(m, p) = Bin(n + m, p).
    """
    together: dict[Fraction, int] = {}
    for n, p in groups:
        together[p] = together.get(p, 0) + n
    total = Count((1,), 1)
    for p, n in sorted(together.items(), key=lambda pn: pn[1]):
        total += binomial(n, p)
    return total


def nested_curves(others: Count, decay: Fraction = Fraction(0)) -> tuple[Curve, Curve]:
    """Return the curves of a count with noise: the target counts against not, and the reverse.

    The noise is two-sided geometric on all integers, P(N = m) proportional to ``decay``^|m|;
    decay 0 is no noise, and decay e^(−ε) alone is ε-private.  Nothing is truncated: below the
    smallest and above the largest possible count the loss is constant, so that both infinite
    tails are one outcome each.  Clamping the output to that range changes no curve either.

    Args:
        others: what the attacker does not know of the other records.
        decay: at least 0 and less than 1.

    Raises:
        InputError: ``decay`` is out of range.

    >>> alone, _ = nested_curves(Count((1,), 1), Fraction(1, 2))
    >>> alone.factor(0), alone.delta(1)
    (Fraction(2, 1), Fraction(1, 3))
    """
    if not 0 <= decay < 1:
        raise InputError(f"the noise decays by a factor of at least 0 and less than 1, not {decay}",
                         word=str(decay))  # fmt: skip
    r, s = decay.as_integer_ratio()
    law = _with_noise(others.weights, r, s)
    # At output m the target that counts needs m − 1 others, the one that does not needs m.
    pairs = [(r * law[0], s * law[0])]
    pairs += [((s - r) * p, (s - r) * q) for p, q in pairwise(law)]
    pairs.append((s * law[-1], r * law[-1]))
    whole = others.whole * s ** (len(law) - 1) * (s + r)
    # Sums of independent bits are log-concave, so is the noise, and so is their convolution:
    # the ratio of neighbouring probabilities, which is e^L, only rises with the output.
    up = Curve(reversed(pairs), whole, falling=True)
    return up, Curve([(q, p) for p, q in pairs], whole, falling=True)


def _with_noise(weights: Sequence[int], r: int, s: int) -> list[int]:
    """Return s^n times u_m = sum of weights[k] (r/s)^|m − k| over k, for m = 0, …, n.

    u_(m+1) + u_(m−1) = (s/r + r/s) u_m − (s/r − r/s) weights[m], and u_(−1) = (r/s) u_0: a few
    products with small numbers each.
    """
    if r == 0:
        return list(weights)
    first, unit = weights[-1], 1
    for w in reversed(weights[:-1]):
        unit *= s
        first = r * first + w * unit
    law, before = [first], None
    for w in weights[:-1]:
        here = law[-1]
        # Before the first stands r/s times the first, which need not be an integer.
        both = (s * s + (0 if before is None else r * r)) * here
        after = (both - (s * s - r * r) * unit * w) // (r * s) - (before or 0)
        law.append(after)
        before = here
    return law
