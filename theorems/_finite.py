"""Finite models: databases as tuples, mechanisms as tables of fractions.

All definitions are executable here, for mechanisms with finitely many databases and outcomes;
q = e^ε is a rational number.  Distances are integers, or :data:`FAR` for infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any, Final

__all__ = [
    "FAR",
    "Law",
    "bounded_multisets",
    "delta_of",
    "dependent",
    "excess",
    "is_approximate",
    "is_private",
    "joint",
    "moment",
    "multisets",
    "path_metric",
    "pushforward",
    "quotient",
    "randomized_response",
    "ratio",
    "sensitivity",
    "tradeoff",
    "tradeoff_at",
    "unbounded_multisets",
]

FAR: Final = math.inf
Law = tuple[Fraction, ...]
"""The probabilities of the outcomes, in a fixed order."""

Metric = Mapping[tuple[Any, Any], Any]


def multisets(records: str, most: int) -> list[tuple[str, ...]]:
    """Return all databases of at most so many records."""
    return [c for n in range(most + 1) for c in combinations_with_replacement(records, n)]


def unbounded_multisets(world: Iterable[tuple[str, ...]]) -> list[tuple[Any, Any]]:
    """Return the pairs that differ by one record."""
    known = set(world)
    return [
        (x, (*x[:n], *x[n + 1 :])) for x in known for n in range(len(x))
        if (*x[:n], *x[n + 1 :]) in known
    ]  # fmt: skip


def bounded_multisets(world: Iterable[tuple[str, ...]], records: str) -> list[tuple[Any, Any]]:
    """Return the pairs that differ in one replaced record."""
    known = set(world)
    found = []
    for x in known:
        for n, r in product(range(len(x)), records):
            y = tuple(sorted((*x[:n], r, *x[n + 1 :])))
            if y != x and y in known:
                found.append((x, y))
    return found


def path_metric(
    points: Iterable[Hashable], links: Iterable[tuple[Hashable, Hashable]]
) -> dict[tuple[Any, Any], Any]:
    """Return the canonical metric of a granularity: numbers of steps, infinity without a path.

    >>> path_metric("abc", [("a", "b")])["a", "c"]
    inf
    """
    all_points = list(points)
    near: dict[Any, set[Any]] = {x: set() for x in all_points}
    for x, y in links:
        near[x].add(y)
        near[y].add(x)
    found: dict[tuple[Any, Any], Any] = {}
    for start in all_points:
        front, seen, steps = {start}, {start}, 0
        while front:
            found |= {(start, x): steps for x in front}
            front = {y for x in front for y in near[x]} - seen
            seen |= front
            steps += 1
        found |= {(start, x): FAR for x in all_points if x not in seen}
    return found


def pushforward(
    links: Iterable[tuple[Any, Any]], image: Callable[[Any], Any]
) -> set[tuple[Any, Any]]:
    """Return the pushforward granularity: images of neighbours are neighbours."""
    return {
        (image(y), image(x)) for a, b in links for x, y in ((a, b), (b, a)) if image(x) != image(y)
    }


def quotient(metric: Metric, points: Sequence[Any], image: Callable[[Any], Any]) -> Metric:
    """Return the quotient pseudometric on the image: the infimum over chains through fibres."""
    images = list(dict.fromkeys(map(image, points)))
    found: dict[tuple[Any, Any], Any] = {
        (a, b): min(metric[x, y] for x in points for y in points
                    if image(x) == a and image(y) == b)
        for a, b in product(images, repeat=2)
    }  # fmt: skip
    for c, a, b in product(images, repeat=3):
        found[a, b] = min(found[a, b], found[a, c] + found[c, b])
    return found


def sensitivity(source: Metric, target: Metric, image: Callable[[Any], Any]) -> Any:
    """Return the least c with target(f(D), f(D')) <= c source(D, D'), with 0 * inf = inf.

    >>> line = path_metric(range(3), [(0, 1), (1, 2)])
    >>> sensitivity(line, line, lambda x: 2 - x), sensitivity(line, line, lambda x: 0)
    (Fraction(1, 1), Fraction(0, 1))
    """
    worst: Any = Fraction(0)
    for (x, y), d in source.items():
        seen = target[image(x), image(y)]
        if d == FAR or seen == 0:
            continue
        if d == 0 or seen == FAR:
            return FAR
        worst = max(worst, Fraction(seen, d))
    return worst


def ratio(p: Law, q: Law) -> Any:
    """Return the largest P(S)/Q(S) over all events; infinite if an outcome is impossible in Q.

    >>> ratio((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3)))
    Fraction(2, 1)
    """
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return FAR
    return max(x / y for x, y in zip(p, q, strict=True) if y)


def excess(p: Law, q: Law, factor: Fraction) -> Fraction:
    """Return the largest P(S) - factor * Q(S) over all events S."""
    pairs = zip(p, q, strict=True)
    return sum((max(Fraction(0), x - factor * y) for x, y in pairs), Fraction(0))


def is_private(law: Mapping[Any, Law], metric: Metric, q: Fraction) -> bool:
    """Say whether a mechanism is ε d-private, for e^ε = q and integer distances.

    >>> two = randomized_response(Fraction(3))
    >>> line = path_metric((0, 1), [(0, 1)])
    >>> is_private(two, line, Fraction(3)), is_private(two, line, Fraction(2))
    (True, False)
    """
    return all(d == FAR or excess(law[x], law[y], q**d) == 0 for (x, y), d in metric.items())


def delta_of(delta: Fraction, q: Fraction, r: int) -> Fraction:
    """Return δ [r]_ε = δ (q^r - 1)/(q - 1), and δ r for q = 1.

    >>> delta_of(Fraction(1, 10), Fraction(2), 3), delta_of(Fraction(1, 10), Fraction(1), 3)
    (Fraction(7, 10), Fraction(3, 10))
    """
    return delta * sum((q**n for n in range(r)), Fraction(0))


def is_approximate(law: Mapping[Any, Law], metric: Metric, q: Fraction, delta: Fraction) -> bool:
    """Say whether a mechanism is (ε d, δ [d]_ε)-private."""
    return all(
        d == FAR or excess(law[x], law[y], q**d) <= delta_of(delta, q, d)
        for (x, y), d in metric.items()
    )


def moment(p: Law, q: Law, order: int) -> Any:
    """Return Σ P^α Q^(1-α) = e^((α-1) D_α(P‖Q)) for an integer order α; infinite if P is not ≪ Q.

    >>> moment((Fraction(1, 2),) * 2, (Fraction(1, 2),) * 2, 5)
    Fraction(1, 1)
    """
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return FAR
    pairs = zip(p, q, strict=True)
    return sum((x**order / y ** (order - 1) for x, y in pairs if y), Fraction(0))


def tradeoff(p: Law, q: Law) -> list[tuple[Fraction, Fraction]]:
    """Return the corners (α, β) of the trade-off function of tests of P against Q.

    The most powerful tests reject outcomes by falling likelihood ratio Q/P; between the corners
    the function is linear.

    >>> tradeoff((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3)))[1]
    (Fraction(1, 3), Fraction(1, 3))
    """
    order = sorted(zip(p, q, strict=True), key=lambda c: (c[0] != 0, -(c[1] / c[0]) if c[0] else 0))
    alpha, beta = Fraction(0), Fraction(1)
    corners = [(alpha, beta)]
    for x, y in order:
        alpha, beta = alpha + x, beta - y
        corners.append((alpha, beta))
    return corners


def tradeoff_at(p: Law, q: Law, alpha: Fraction) -> Fraction:
    """Return the least type II error at type I error at most α."""
    corners = tradeoff(p, q)
    best = min((b for a, b in corners if a <= alpha), default=Fraction(1))
    for (a, b), (c, d) in pairwise(corners):
        if a <= alpha <= c and a < c:
            best = min(best, b + (d - b) * (alpha - a) / (c - a))
    return best


def joint(first: Law, second: Sequence[Law]) -> Law:
    """Return the law of both outcomes, the second mechanism chosen by the first outcome."""
    return tuple(p * x for p, law in zip(first, second, strict=True) for x in law)


def dependent(law: Mapping[Any, Any], image: Callable[[Any], Any]) -> bool:
    """Say whether a mechanism depends on the database only through a map."""
    seen: dict[Any, Any] = {}
    return all(seen.setdefault(image(x), table) == table for x, table in law.items())


def randomized_response(q: Fraction) -> dict[int, Law]:
    """Return randomized response on {0, 1}, which is ln(q)-DP and no better."""
    low, high = 1 / (1 + q), q / (1 + q)
    return {0: (high, low), 1: (low, high)}
