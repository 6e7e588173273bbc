"""Noise that is added to uncertain counts: alone, binomial, and twice (Des 3.2.4, nested)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, Final

from dpcomp_sym.uncertainty.laws.chained import chained
from dpcomp_sym.uncertainty.laws.counts import binomial, nested_curves
from dpcomp_sym.uncertainty.laws.curve import worst_delta
from theorems._entry import Argued, CheckedInScope, Computed, Evidence, Refutation, theorem
from theorems._prove import holds, smt

_HALF: Final = Fraction(1, 2)


@theorem(
    id="Des.Figure3.5",
    statement="Of a function of uncertain data to which noise of its own is added, both sources "
    "together have, at every ε, no more δ than either alone: than the function without the noise, "
    "and, where the law of the other records does not depend on the target's, than the noise with "
    "all other records known.",
    status="rocq",
    cite="Des 3.2.4, nested composition (Figure 3.5)",
    latex=r"Let $R$ be what is unknown besides the target's record, with one law whatever that "
    r"record is, and $k$ the noise. If $f_a(R)$ and $f_b(R)$ are $(\varepsilon,\delta)$-close, or "
    r"$k(f_a(r))$ and $k(f_b(r))$ are for every $r$, then $k(f_a(R))$ and $k(f_b(R))$ are.",
)
def private_of_either_source() -> Evidence:
    """Adding noise is post-processing; with the noise, the law is a mixture over the others."""
    count, good = 0, True
    noise = nested_curves(binomial(0, _HALF), _HALF)
    for size, p in product((1, 3, 8), (Fraction(1, 10), _HALF)):
        alone, both = (nested_curves(binomial(size, p), a) for a in (Fraction(0), _HALF))
        for x in (Fraction(1), Fraction(11, 10), Fraction(3, 2)):
            count += 1
            good &= worst_delta(both, x) <= min(worst_delta(alone, x), worst_delta(noise, x))
    return (
        Argued("post-processing, and mixtures of laws that are close"),
        CheckedInScope("binomial counts with two-sided geometric noise", count, good),
    )


@theorem(
    id="Des.Figure3.5",
    statement="Where little is unknown the noise takes over: at e^ε = 11/10 two-sided geometric "
    "noise that is ln 2-private has δ = 3/10, and a count of n unknown fair bits alone has more "
    "for n ≤ 4 and less for n from 5 to 20; both together have less than each for n from 1 to 20.",
    status="computed",
    cite="Des 3.2.4, nested composition (Figure 3.5, whose numbers are not in the text)",
    latex=r"At $e^\varepsilon=\frac{11}{10}$ two-sided geometric noise that is $\ln2$-private has "
    r"$\delta=\frac3{10}$; a count of $n$ unknown fair bits has more for $n\le4$ and less for "
    r"$5\le n\le20$, and with the noise less than each for $1\le n\le20$.",
)
def noise_takes_over_of_few_unknown() -> Evidence:
    """Exactly, without truncation; the count alone with nothing unknown has δ = 1."""
    x, sizes = Fraction(11, 10), range(21)
    noise = worst_delta(nested_curves(binomial(0, _HALF), _HALF), x)
    alone, both = (
        [worst_delta(nested_curves(binomial(n, _HALF), a), x) for n in sizes]
        for a in (Fraction(0), _HALF)
    )
    return Computed(
        {
            "noise alone": Fraction(3, 10), "noise takes over": [0, 1, 2, 3, 4],
            "both have less than each": list(range(1, 21)),
        },
        {
            "noise alone": noise, "noise takes over": [n for n in sizes if noise < alone[n]],
            "both have less than each": [n for n in sizes if both[n] < min(noise, alone[n])],
        },
    )  # fmt: skip


EQUAL: Final[Mapping[str, Any]] = {"records": 2, "a": _HALF, "event": "the noisy count is <= 0"}


def _tail(below: int, a: Fraction) -> Fraction:
    """Return P[Z <= −below] of two-sided geometric noise: a^below/(1 + a)."""
    return Fraction(a**below / (1 + a))


def fails_for_equal_records(data: Mapping[str, Any]) -> bool:
    """Return whether the event is more than 1/a times as likely without the records as with them.

    All records equal the target's, which is 0 or 1, each with probability 1/2.
    """
    a, many = data["a"], data["records"]
    return bool(_tail(0, a) > _tail(many, a) / a)


@theorem(
    id="Des.Figure3.5",
    statement="Noise that is ε-private by itself keeps its ε under partial knowledge, whatever the "
    "law of the data: false where other records depend on the target's.  If m records always "
    "equal, their number with two-sided geometric noise loses mε: 4 against 2 for m = 2.",
    status="refuted",
    cite="Des 3.2.4, nested composition, if records may depend on each other",
    latex=r"It is false that noise which is $\varepsilon$-private by itself is so under partial "
    r"knowledge whatever the law of the data: if $m$ records always equal, their number with "
    r"two-sided geometric noise loses $m\varepsilon$.",
)
def not_private_of_noise_on_dependent_records() -> Evidence:
    """Two records that always equal: what is known of one is known of the other."""
    claim = "noise that is ε-private by itself is so for every law of the data"
    return Refutation(claim, EQUAL, lambda: fails_for_equal_records(EQUAL))


@theorem(
    id="Des.binomial",
    statement="Binomial noise is like further records: one that is there with probability p by "
    "itself is added to a count as one bit of noise is, so that Bin(n, p) + Bin(m, p) is "
    "Bin(n + m, p).  With another probability r of the noise, Bin(n, p) + Bin(m, r) is no binomial "
    "law at all: its mean and variance are those of n + m equal bits only if p = r.",
    status="argued",
    cite="Des 3.2.4, nested composition, on binomial noise",
    latex=r"Bits of noise are like bits of records: "
    r"$\mathrm{Bin}(n,p)+\mathrm{Bin}(m,p)=\mathrm{Bin}(n+m,p)$; and "
    r"$\mathrm{Bin}(n,p)+\mathrm{Bin}(m,r)$, with $n,m\ge1$, is a binomial law only if $p=r$.",
)
def binomial_of_binomial_noise() -> Evidence:
    """From n p² + m r² = (n + m) s² and n p + m r = (n + m) s it follows n m (p − r)² = 0."""
    import z3

    n, m, p, r, s = z3.Reals("n m p r s")
    return (
        smt({
            "equal means and variances of n + m bits: p = r": holds(
                p == r, n >= 1, m >= 1, n * p + m * r == (n + m) * s,
                n * p * (1 - p) + m * r * (1 - r) == (n + m) * s * (1 - s),
            ),
        }, "a binomial law is that of a number of independent bits, so bits of noise are like "
           "records; a binomial law with the largest value n + m is that of n + m bits"),
        _sums_of_binomials(),
    )  # fmt: skip


def _sums_of_binomials() -> CheckedInScope:
    """Convolve, and compare with the binomial law of the same size and mean."""
    count, good = 0, True
    quarters = [Fraction(n, 4) for n in (1, 2, 3)]
    for n, m, p, r in product((1, 2, 3), (1, 2, 3), quarters, quarters):
        one, other = _bits(n, p), _bits(m, r)
        both = [
            sum((one[i] * other[k - i] for i in range(n + 1) if 0 <= k - i <= m), Fraction(0))
            for k in range(n + m + 1)
        ]
        count += 1
        good &= (both == _bits(n + m, (n * p + m * r) / (n + m))) == (p == r)
    return CheckedInScope("up to three bits of each, probabilities in quarters", count, good)


def _bits(n: int, p: Fraction) -> list[Fraction]:
    return [Fraction(comb(n, k)) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def _around(size: int, q: Fraction) -> list[Fraction]:
    """Return the law of noise on Z/size: 0 is q times as likely as each other value."""
    return [(q if n == 0 else Fraction(1)) / (q + size - 1) for n in range(size)]


def _twice(law: list[Fraction]) -> list[Fraction]:
    size = len(law)
    return [sum((law[i] * law[n - i] for i in range(size)), Fraction(0)) for n in range(size)]


def _factor(law: list[Fraction]) -> Fraction:
    """Return e^ε of the noise on Z/size between any two inputs: they shift it."""
    return max(law) / min(law)


THREE: Final[Mapping[str, Any]] = {"size": 3, "e^ε": Fraction(2)}


def fails_to_attain(data: Mapping[str, Any]) -> bool:
    """Return whether noise that is added twice loses less than a chain of two may."""
    law = _around(data["size"], data["e^ε"])
    return _factor(law) == data["e^ε"] and _factor(_twice(law)) < chained([data["e^ε"]] * 2)


@theorem(
    id="Des.additive",
    statement="Noise that is added twice loses what a chain of two mechanisms loses at worst: "
    "false.  On Z/m, with 0 q times as likely as each other value, twice the noise has e^ε = "
    "(q² + m − 1)/(2q + m − 2), less than (q² + 1)/(2q) for all m > 2 and q > 1: 6/5 against 5/4 "
    "for m = 3 and q = 2.",
    status="refuted",
    cite="Des 3.2.4, nested composition, which expects so of additive noise",
    latex=r"It is false that noise which is added twice loses what a chain of two mechanisms may: "
    r"on $\mathbb Z/m$, with $0$ being $q$ times as likely as each other value, it has "
    r"$e^\varepsilon=\frac{q^2+m-1}{2q+m-2}<\frac{q^2+1}{2q}$ for all $m>2$ and $q>1$.",
)
def not_the_bound_of_chains_for_additive_noise() -> Evidence:
    """Of the m ways to a sum, m − 1 come to 0 without a 0, and m − 2 to each other value."""
    import z3

    q, m = z3.Reals("q m")
    count, good = 0, True
    for size, factor in product(range(2, 7), (Fraction(3, 2), Fraction(2), Fraction(5))):
        count += 1
        found = _factor(_twice(_around(size, factor)))
        good &= found == (factor**2 + size - 1) / (2 * factor + size - 2)
    return (
        Refutation("noise added twice attains the bound of chains", THREE,
                   lambda: fails_to_attain(THREE)),
        smt({
            "(q² + m − 1) 2q < (q² + 1)(2q + m − 2)": holds(
                (q * q + m - 1) * 2 * q < (q * q + 1) * (2 * q + m - 2), q > 1, m > 2
            ),
        }),
        CheckedInScope("Z/m for m from 2 to 6, three values of q", count, good),
    )  # fmt: skip
