"""Two hypotheses as the adversary sees them, and how well they can be distinguished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, inf, lcm, prod
from operator import mul

from dpcomp_sym.hypothesis.tables import Hypothesis, MechanismTable

__all__ = [
    "Views",
    "delta_at",
    "exchangeable_views",
    "is_hypothesis_private",
    "largest_ratio",
    "views",
]

Views = Iterable[tuple[Fraction, Fraction]]
"""For each view of the adversary its probabilities under the first and the second hypothesis."""


def views(
    first: Hypothesis, second: Hypothesis, mechanisms: Sequence[MechanismTable]
) -> list[tuple[Fraction, Fraction]]:
    """Return the probabilities of all views: 2^k of them for randomized response, 4^k with δ.

    One mechanism after the other replaces its bit by its output, so that k steps over tables of
    this size are enough.

    >>> from dpcomp_sym.hypothesis.tables import response, uniform
    >>> largest_ratio(views({(0, 0): Fraction(1)}, uniform(2, any), [response(Fraction(3))] * 2))
    Fraction(5, 1)
    """
    return list(
        zip(_view(first, mechanisms), _view(second, mechanisms), strict=True)
    )  # fmt: skip


def _view(hypothesis: Hypothesis, mechanisms: Sequence[MechanismTable]) -> list[Fraction]:
    """Return the law of the outputs, computed with integers over one denominator."""
    k = len(mechanisms)
    if any(len(b) != k for b in hypothesis):
        raise ValueError(f"{k} mechanisms need membership vectors of {k} bits")
    scale = prod({p.denominator for p in hypothesis.values()})
    table = [0] * 2**k
    for b, p in hypothesis.items():
        table[int("".join(map(str, b)), 2) if k else 0] += int(p * scale)
    outputs = 1
    for without, having in mechanisms:
        denominator = prod({p.denominator for p in (*without, *having)})
        scale *= denominator
        pairs = [
            (int(p * denominator), int(r * denominator))
            for p, r in zip(without, having, strict=True)
        ]
        # The table is outputs so far x the bit of this mechanism x the bits that are left.
        rest = len(table) // (2 * outputs)
        table = [
            a * table[2 * o * rest + n] + b * table[(2 * o + 1) * rest + n]
            for o in range(outputs)
            for a, b in pairs
            for n in range(rest)
        ]
        outputs *= len(pairs)
    return [Fraction(n, scale) for n in table]


def exchangeable_views(
    first: Mapping[int, Fraction], second: Mapping[int, Fraction], k: int, mechanism: MechanismTable
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Yield how many views look alike, and the probabilities of one of them, by symmetry.

    Args:
        first: number of databases → probability; all vectors with that number are equally likely.
        second: the same of the other hypothesis.
        k: how many databases there are.
        mechanism: the mechanism on each of them.

    >>> from dpcomp_sym.hypothesis.tables import response
    >>> one_at_least = {j: Fraction(comb(40, j), 2**40 - 1) for j in range(1, 41)}
    >>> alike = exchangeable_views({0: Fraction(1)}, one_at_least, 40, response(Fraction(3)))
    >>> largest_ratio((p, r) for _, p, r in alike) == Fraction(4**40 - 1, 2**40 - 1)
    True
    """
    # Whole numbers over one denominator: fractions would be shortened at every step.
    shares = [
        [law.get(j, Fraction(0)) / comb(k, j) for j in range(k + 1)] for law in (first, second)
    ]
    scale = lcm(*(w.denominator for law in shares for w in law))
    weights = [[int(w * scale) for w in law] for law in shares]
    denominator = lcm(*(p.denominator for law in mechanism for p in law))
    pairs = [(int(p * denominator), int(r * denominator)) for p, r in zip(*mechanism, strict=True)]
    whole = scale * denominator**k
    for counts in _compositions(k, len(pairs)):
        # The coefficient of x^j sums over all vectors with j ones.
        polynomial = [1]
        for n, (without, having) in zip(counts, pairs, strict=True):
            factor = [comb(n, i) * without ** (n - i) * having**i for i in range(n + 1)]
            polynomial = _times(polynomial, factor)
        one, other = (sum(map(mul, law, polynomial)) for law in weights)
        many = factorial(k) // prod(map(factorial, counts))
        yield many, Fraction(one, whole), Fraction(other, whole)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for n in range(total + 1):
        for rest in _compositions(total - n, parts - 1):
            yield (n, *rest)


def _times(left: Sequence[int], right: Sequence[int]) -> list[int]:
    found = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return found


def largest_ratio(seen: Views) -> Fraction | float:
    """Return e^ε for the least ε of (ε, 0)-hypothesis privacy; infinity if there is none.

    >>> largest_ratio([(Fraction(1, 4), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 2))])
    Fraction(2, 1)
    """
    most: Fraction | float = Fraction(1)
    for p, r in seen:
        if p == r:
            continue
        if p == 0 or r == 0:
            return inf
        most = max(most, p / r, r / p)
    return most


def delta_at(seen: Iterable[tuple[Fraction, ...]], factor: Fraction) -> tuple[Fraction, Fraction]:
    """Return the least δ at e^ε = ``factor``: first against second, and second against first.

    ``seen`` has pairs of probabilities, or these after the number of views that look alike.

    >>> delta_at([(Fraction(1, 4), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 2))], Fraction(1))
    (Fraction(1, 4), Fraction(1, 4))
    """
    rows = [(int(many[0]) if many else 1, p, r) for *many, p, r in seen]
    # Whole numbers over one denominator: fractions would be shortened at every step.
    scale = lcm(*(x.denominator for _, p, r in rows for x in (p, r)))
    numerator, denominator = factor.numerator, factor.denominator
    first = second = 0
    for n, p, r in rows:
        here = p.numerator * (scale // p.denominator)
        there = r.numerator * (scale // r.denominator)
        first += n * max(here * denominator - there * numerator, 0)
        second += n * max(there * denominator - here * numerator, 0)
    return Fraction(first, scale * denominator), Fraction(second, scale * denominator)


def is_hypothesis_private(
    pairs: Iterable[tuple[Hypothesis, Hypothesis]],
    mechanisms: Sequence[MechanismTable],
    q: Fraction,
    delta: Fraction = Fraction(0),
) -> bool:
    """Return whether mechanisms are (ln q, δ)-hypothesis private for pairs of hypotheses.

    Source: HBW, Definition 3.

    >>> from dpcomp_sym.hypothesis.tables import response
    >>> none, both = {(0, 0): Fraction(1)}, {(1, 1): Fraction(1)}
    >>> is_hypothesis_private([(none, both)], [response(Fraction(2))] * 2, Fraction(4))
    True
    """
    return all(max(delta_at(views(a, b, mechanisms), q)) <= delta for a, b in pairs)
