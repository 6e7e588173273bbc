"""Bounds for two hypotheses from couplings: matched pairs of membership vectors.

A coupling writes both hypotheses as mixtures with the same weights w, of vectors b0 and b1; each
matched pair has its own factor e^ε, the product of q_i over the databases in which it differs.
The weighted mean of these factors is not a bound once both hypotheses are mixtures (correction E3);
what is one:

- the largest factor, both ways;
- if the first hypothesis is a single vector: Σ w e^ε for the second against the first, and
  1 / Σ w e^-ε for the first against the second;
- for any coupling, first against second: the smaller of max over b1 of E[e^ε | b1] and max over
  b0 of 1 / E[e^-ε | b0].

Source: HBW.V-B and Alg. 3, corrected: E3, E15.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm, prod

from dpcomp_sym.hypothesis.tables import DatabaseVector, Hypothesis

__all__ = [
    "Coupling",
    "conditional_bound",
    "factor",
    "largest_factor",
    "least_bound",
    "narrowest_coupling",
    "point_mass_bounds",
    "printed_factor",
    "refine",
    "sampling_bound",
]

Coupling = Sequence[tuple[DatabaseVector, DatabaseVector, Fraction]]
"""Matched pairs with their weights: a multiset, whose weights have the sum 1."""


def refine(
    first: Hypothesis, second: Hypothesis
) -> list[tuple[DatabaseVector, DatabaseVector, Fraction]]:
    """Split the weights of two hypotheses until they match, pair by pair.

    Tuple refinement (HBW, Alg. 3), with multisets of matched triples, where equal weights leave
    nothing behind.

    Raises:
        ValueError: the weights of the two have different sums, or one is negative.

    >>> half = Fraction(1, 2)
    >>> refine({(0,): Fraction(1)}, {(0,): half, (1,): half})
    [((0,), (0,), Fraction(1, 2)), ((0,), (1,), Fraction(1, 2))]
    """
    if sum(first.values()) != sum(second.values()) or min(*first.values(), *second.values()) < 0:
        raise ValueError("two hypotheses with non-negative weights of the same sum are needed")
    left = [(b, w) for b, w in first.items() if w]
    right = [(b, w) for b, w in second.items() if w]
    found = []
    i = j = 0
    spent = given = Fraction(0)
    while i < len(left):
        (b0, w0), (b1, w1) = left[i], right[j]
        weight = min(w0 - spent, w1 - given)
        found.append((b0, b1, weight))
        spent, given = spent + weight, given + weight
        if spent == w0:
            i, spent = i + 1, Fraction(0)
        if given == w1:
            j, given = j + 1, Fraction(0)
    return found


def factor(b0: DatabaseVector, b1: DatabaseVector, qs: Sequence[Fraction]) -> Fraction:
    """Return e^ε of two vectors: only databases in which they differ count.

    >>> factor((0, 1, 1), (1, 1, 0), [Fraction(2), Fraction(3), Fraction(5)])
    Fraction(10, 1)
    """
    return prod((q for a, b, q in zip(b0, b1, qs, strict=True) if a != b), start=Fraction(1))


def printed_factor(coupling: Coupling, qs: Sequence[Fraction]) -> Fraction:
    """Return the weighted mean of the factors, which is not a bound for two mixtures (E3)."""
    return sum((w * factor(a, b, qs) for a, b, w in coupling), Fraction(0))


def largest_factor(coupling: Coupling, qs: Sequence[Fraction]) -> Fraction:
    """Return the largest factor of a matched pair: a bound both ways."""
    return max(factor(a, b, qs) for a, b, w in coupling if w)


def point_mass_bounds(
    vector: DatabaseVector, other: Hypothesis, qs: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return bounds for a single vector: other against it, and it against other.

    >>> third = Fraction(1, 3)
    >>> point_mass_bounds((0, 0), {(0, 1): third, (1, 0): third, (1, 1): third}, [Fraction(3)] * 2)
    (Fraction(5, 1), Fraction(27, 7))
    """
    factors = [(w, factor(vector, b, qs)) for b, w in other.items()]
    mean = sum((w * f for w, f in factors), Fraction(0))
    return mean, 1 / sum((w / f for w, f in factors), Fraction(0))


def conditional_bound(coupling: Coupling, qs: Sequence[Fraction]) -> Fraction:
    """Return a bound of the first hypothesis against the second, from any coupling."""
    return min(_mean(coupling, qs, 1), _mean(coupling, qs, 0))


def _mean(coupling: Coupling, qs: Sequence[Fraction], given: int) -> Fraction:
    """Return the largest conditional mean of e^ε given b1, or 1 / that of e^-ε given b0."""
    mass: dict[DatabaseVector, Fraction] = defaultdict(Fraction)
    total: dict[DatabaseVector, Fraction] = defaultdict(Fraction)
    for *pair, w in coupling:
        f = factor(pair[0], pair[1], qs)
        mass[pair[given]] += w
        total[pair[given]] += w * f if given else w / f
    return max(
        (total[b] / mass[b] if given else mass[b] / total[b] for b in mass if mass[b]),
        default=Fraction(1),
    )


def narrowest_coupling(
    first: Hypothesis, second: Hypothesis, qs: Sequence[Fraction]
) -> tuple[Fraction, list[tuple[DatabaseVector, DatabaseVector, Fraction]]]:
    """Return the least possible largest factor, and a coupling that has it.

    The pairs with a factor up to t have a coupling iff a flow through them carries all weight;
    the least such t is found by bisection over the factors that there are.

    >>> half = Fraction(1, 2)
    >>> first = {(0, 0): half, (1, 1): half}
    >>> narrowest_coupling(first, {(0, 1): half, (1, 1): half}, [Fraction(3)] * 2)[0]
    Fraction(3, 1)
    """
    factors = {(a, b): factor(a, b, qs) for a in first for b in second}
    steps = sorted(set(factors.values()))
    low, high = 0, len(steps) - 1
    best = _flow(first, second, factors)
    while low < high:
        middle = (low + high) // 2
        close = {pair: f for pair, f in factors.items() if f <= steps[middle]}
        found = _flow(first, second, close)
        if found is None:
            low = middle + 1
        else:
            high, best = middle, found
    return steps[low], best or []


def _flow(
    first: Hypothesis, second: Hypothesis, pairs: Iterable[tuple[DatabaseVector, DatabaseVector]]
) -> list[tuple[DatabaseVector, DatabaseVector, Fraction]] | None:
    """Return a coupling that uses these pairs only, or None: a flow of whole numbers."""
    import networkx as nx

    scale = lcm(*(w.denominator for w in (*first.values(), *second.values())))
    graph = nx.DiGraph()
    for b, w in first.items():
        graph.add_edge("source", (0, b), capacity=int(w * scale))
    for b, w in second.items():
        graph.add_edge((1, b), "sink", capacity=int(w * scale))
    graph.add_edges_from(((0, a), (1, b)) for a, b in pairs)
    value, flow = nx.maximum_flow(graph, "source", "sink")
    if value < scale:
        return None
    return [
        (a, b, Fraction(amount, scale))
        for a in first
        for (_, b), amount in flow[0, a].items()
        if amount
    ]


def least_bound(first: Hypothesis, second: Hypothesis, qs: Sequence[Fraction]) -> Fraction:
    """Return the least of the bounds above, both ways: never below the exact optimum.

    >>> third = Fraction(1, 3)
    >>> none, some = {(0, 0): Fraction(1)}, {(0, 1): third, (1, 0): third, (1, 1): third}
    >>> least_bound(none, some, [Fraction(3)] * 2)
    Fraction(5, 1)
    """
    widest, coupling = narrowest_coupling(first, second, qs)
    couplings = [coupling, refine(first, second)]
    return max(
        min(widest, *(conditional_bound(c, qs) for c in couplings)),
        min(widest, *(conditional_bound(_turned(c), qs) for c in couplings)),
    )


def _turned(coupling: Coupling) -> Coupling:
    return [(b, a, w) for a, b, w in coupling]


def sampling_bound(
    qs: Sequence[Fraction], deltas: Sequence[Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """Bound "in no database" against "in at least one", all choices equally likely.

    The second hypothesis is a mixture over the first database that the person is in: mechanism i
    then sees the record, the later ones see it with probability one half, and by simple composition
    of these q̂_i = q_i Π (1 + q_j)/2 and δ̂_i = δ_i + Σ δ_j/2, with weights w_i = 2^(k-i)/(2^k - 1).

    Returns:
        e^ε = Σ w q̂; the δ that holds both ways, max(Σ w δ̂, (Σ w δ̂/q̂)/(Σ w/q̂)); and Σ w δ̂ alone,
        which is printed for both and holds for the second hypothesis against the first (E4).

    >>> sampling_bound([Fraction(3)] * 2, [Fraction(1, 10)] * 2)
    (Fraction(5, 1), Fraction(2, 15), Fraction(2, 15))
    """
    k = len(qs)
    rows = []
    q_later, d_later = Fraction(1), Fraction(0)
    for i in range(k, 0, -1):
        rows.append(
            (Fraction(2 ** (k - i), 2**k - 1), qs[i - 1] * q_later, deltas[i - 1] + d_later)
        )
        q_later, d_later = q_later * (1 + qs[i - 1]) / 2, d_later + deltas[i - 1] / 2
    mean = sum((w * q for w, q, _ in rows), Fraction(0))
    one_way = sum((w * d for w, _, d in rows), Fraction(0))
    other = sum((w * d / q for w, q, d in rows), Fraction(0)) / sum(
        (w / q for w, q, _ in rows), Fraction(0)
    )
    return mean, max(one_way, other), one_way
