"""Counting queries over many independent records, exactly, with or without geometric noise.

The attacker knows some records and wants to tell whether the target's record counts; what is
unknown of the others is a sum of independent bits.  Known records only shift the output, so that
the loss is the same for active and passive attackers and for every background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import accumulate, pairwise
from operator import add
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve

__all__ = ["CountLaw", "binomial", "count_law", "nested_curves"]

MOST: Final = 20_000
MOST_PRODUCTS: Final = 4_000_000
MOST_BITS: Final = 2_000_000_000


@dataclass(frozen=True)
class CountLaw:
    """The law of a count: ``weights[m] / whole`` is the probability of m.

    ``bits`` says of how many independent bits of which probability it is the sum, if they are
    alike; their weights can be had in another unit without products of long numbers.
    """

    weights: tuple[int, ...]
    whole: int
    bits: tuple[int, Fraction] | None = field(default=None, repr=False, compare=False)

    def times(self, factor: int) -> list[int]:
        """Return the weights times a factor."""
        if self.bits is not None:
            return _weights(*self.bits, factor)
        return [w * factor for w in self.weights]

    def __add__(self, other: CountLaw) -> CountLaw:
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
        return CountLaw(tuple(found), self.whole * other.whole)


def binomial(n: int, p: Fraction) -> CountLaw:
    """Return the law of the number of ones among n independent bits, in closed form.

    Raises:
        InputError: n is negative or too large, or p no probability.

    >>> binomial(3, Fraction(1, 3))
    CountLaw(weights=(8, 12, 6, 1), whole=27)
    """
    if not 0 <= n <= MOST:
        raise InputError(f"{n} records: 0 to {MOST:,} can be counted exactly", word=str(n))
    if not 0 <= p <= 1:
        raise InputError(f"{p} is not a probability", word=str(p))
    _afford(n * n * p.denominator.bit_length())
    return CountLaw(tuple(_weights(n, p, 1)), p.denominator**n, (n, p))


def _afford(bits: int) -> None:
    if bits > MOST_BITS:
        raise InputError("the exact numbers would be too long: write probabilities and noise with "
                         "fewer digits, such as 1/3 or 0.12, or take fewer people")  # fmt: skip


def _weights(n: int, p: Fraction, factor: int) -> list[int]:
    """Return the weights of a binomial law: each is the one before, times a small fraction."""
    yes, no = p.numerator, p.denominator - p.numerator
    if no == 0:
        return [*(0,) * n, factor]
    weights = [factor * no**n]
    for k in range(n):
        weights.append(weights[-1] * ((n - k) * yes) // ((k + 1) * no))
    return weights


def count_law(groups: Sequence[tuple[int, Fraction]]) -> CountLaw:
    """Return the law of a count over groups of (number of records, probability).

    Groups of the same probability add up first: Bin(n, p) + Bin(m, p) = Bin(n + m, p).
    """
    together: dict[Fraction, int] = {}
    for n, p in groups:
        together[p] = together.get(p, 0) + n
    ordered = sorted(together.items(), key=lambda pn: pn[1])
    laws = [binomial(n, p) for p, n in ordered] or [CountLaw((1,), 1)]
    return reduce(add, laws)


def nested_curves(others: CountLaw, decay: Fraction = Fraction(0)) -> tuple[DeltaCurve, DeltaCurve]:
    """Return the curves of a count with noise: the target counts against not, and the reverse.

    The noise is two-sided geometric on all integers, P(N = m) proportional to ``decay``^|m|;
    decay 0 means no noise, and decay e^(−ε) alone is ε-private.  Nothing is truncated: below the
    smallest and above the largest possible count the loss is constant, so that both infinite
    tails are one outcome each.  Clamping the output to that range changes no curve either.

    Args:
        others: what the attacker does not know of the other records.
        decay: at least 0 and less than 1.

    Raises:
        InputError: ``decay`` is out of range.

    >>> alone, _ = nested_curves(CountLaw((1,), 1), Fraction(1, 2))
    >>> alone.factor(0), alone.delta(1)
    (Fraction(2, 1), Fraction(1, 3))
    """
    if not 0 <= decay < 1:
        raise InputError(f"the noise decays by a factor of at least 0 and less than 1, not {decay}",
                         word=str(decay))  # fmt: skip
    r, s = decay.as_integer_ratio()
    n = len(others.weights)
    _afford(n * (others.whole.bit_length() + n * s.bit_length()))
    law = _with_noise(others, r, s)
    # At output m the target that counts needs m − 1 others, the one that does not needs m.
    pairs = [(r * law[0], s * law[0])]
    pairs += [((s - r) * p, (s - r) * q) for p, q in pairwise(law)]
    pairs.append((s * law[-1], r * law[-1]))
    whole = others.whole * s ** (len(law) - 1) * (s + r)
    # Sums of independent bits are log-concave, so is the noise, and so is their convolution:
    # the ratio of neighbouring probabilities, which is e^L, only rises with the output.
    up = DeltaCurve(reversed(pairs), whole, falling=True)
    return up, DeltaCurve([(q, p) for p, q in pairs], whole, falling=True)


def _with_noise(others: CountLaw, r: int, s: int) -> list[int]:
    """Return s^n times u_m = sum of weights[k] (r/s)^|m − k| over k, for m = 0, …, n.

    The sums from below and from above take a product and a division by a small number each.
    """
    if r == 0:
        return list(others.weights)
    scaled = others.times(s ** (len(others.weights) - 1))
    below = list(accumulate(scaled, lambda total, w: total * r // s + w))
    above = list(accumulate(reversed(scaled), lambda total, w: total * r // s + w))
    return [x + y - w for x, y, w in zip(below, reversed(above), scaled, strict=True)]
