"""Random hypotheses and mechanisms: no bound below the optimum, no attack above it.

    python tests/hypotheses/campaign.py 10000

The optimum comes from the tables of randomized response; the bounds from couplings; the attacks are
other mechanisms with the same guarantees, and single events, evaluated by their definition.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from dpcomp_sym.hypothesis import (
    conditional_bound,
    delta_at,
    largest_factor,
    largest_ratio,
    least_bound,
    narrowest_coupling,
    point_mass_bounds,
    refine,
    response,
    sampling_bound,
    uniform,
    views,
)


def hypothesis(rng: random.Random, k: int) -> dict[tuple[int, ...], Fraction]:
    vectors = list(product((0, 1), repeat=k))
    chosen = rng.sample(vectors, rng.randint(1, min(len(vectors), 5)))
    weights = [rng.randint(1, 5) for _ in chosen]
    return {b: Fraction(w, sum(weights)) for b, w in zip(chosen, weights, strict=True)}


def worse(rng: random.Random, mechanism):
    """A mechanism with the same guarantee that tells no more: the outcomes, mixed at random."""
    outcomes = len(mechanism[0])
    rows = []
    for _ in range(outcomes):
        weights = [rng.randint(0, 3) for _ in range(rng.choice((2, 3)))] + [1]
        rows.append([Fraction(w, sum(weights)) for w in weights])
    width = max(map(len, rows))
    rows = [row + [Fraction(0)] * (width - len(row)) for row in rows]
    return tuple(
        tuple(sum((p * row[o] for p, row in zip(law, rows, strict=True)), Fraction(0))
              for o in range(width))
        for law in mechanism
    )  # fmt: skip


def chance(event, prior, mechanisms) -> Fraction:
    """P(V in S), by the definition: over the vectors, over the views in S."""
    return sum(
        (
            w
            * prod(
                (m[x][y] for m, x, y in zip(mechanisms, b, seen, strict=True)), start=Fraction(1)
            )
            for b, w in prior.items()
            for seen in event
        ),
        Fraction(0),
    )


def check(rng: random.Random) -> str:
    """Look at one instance, and say what kind it was."""
    k = rng.randint(1, 4)
    qs = [Fraction(rng.randint(2, 9), rng.randint(1, 2)) for _ in range(k)]
    first, second = hypothesis(rng, k), hypothesis(rng, k)
    if rng.random() < 0.3:
        first = {rng.choice(list(product((0, 1), repeat=k))): Fraction(1)}
    mechanisms = [response(q) for q in qs]
    exact = views(first, second, mechanisms)
    optimum = largest_ratio(exact)

    # No sound bound is below it.
    assert optimum <= least_bound(first, second, qs)
    widest, coupling = narrowest_coupling(first, second, qs)
    plain = refine(first, second)
    assert optimum <= widest <= largest_factor(plain, qs)
    for one in (coupling, plain):
        assert _marginals(one) == (first, second)
        forward = max((p / r for p, r in exact if r), default=Fraction(1))
        assert forward <= conditional_bound(one, qs)
    if len(first) == 1:
        (vector,) = first
        there, back = point_mass_bounds(vector, second, qs)
        assert max(r / p for p, r in exact if p) <= there
        assert max(p / r for p, r in exact if r) <= back

    # No attack is above it, and some event attains it.
    outcomes = list(product((0, 1), repeat=k))
    ratios = []
    for seen in outcomes:
        p, r = chance([seen], first, mechanisms), chance([seen], second, mechanisms)
        ratios += [p / r, r / p]
    assert max(ratios) == optimum
    event = rng.sample(outcomes, rng.randint(1, len(outcomes)))
    p, r = chance(event, first, mechanisms), chance(event, second, mechanisms)
    assert p <= optimum * r
    assert r <= optimum * p
    attack = largest_ratio(views(first, second, [worse(rng, m) for m in mechanisms]))
    assert attack <= optimum
    with_delta(rng, qs, first, second)
    return "composite" if len(first) > 1 and len(second) > 1 else "single"


def with_delta(rng: random.Random, qs, first, second) -> None:
    k = len(qs)
    deltas = [Fraction(rng.randint(0, 3), 10) for _ in qs]
    mechanisms = [response(q, d) for q, d in zip(qs, deltas, strict=True)]
    at = Fraction(rng.randint(1, 40), rng.randint(1, 4))
    at = max(at, Fraction(1))
    optimum = delta_at(views(first, second, mechanisms), at)
    attack = delta_at(views(first, second, [worse(rng, m) for m in mechanisms]), at)
    assert all(a <= o for a, o in zip(attack, optimum, strict=True))
    coupling = refine(first, second)
    top = largest_factor(coupling, qs)
    slack = sum(
        (
            w * sum(d for x, y, d in zip(a, b, deltas, strict=True) if x != y)
            for a, b, w in coupling
        ),
        Fraction(0),
    )
    assert max(delta_at(views(first, second, mechanisms), top)) <= slack
    none, some = {(0,) * k: Fraction(1)}, uniform(k, any)
    mean, delta, one_way = sampling_bound(qs, deltas)
    back, forth = delta_at(views(none, some, mechanisms), mean)
    assert forth <= one_way
    assert max(back, forth) <= delta


def _marginals(coupling):
    sides: tuple[dict, dict] = ({}, {})
    for *pair, w in coupling:
        for side, b in zip(sides, pair, strict=True):
            side[b] = side.get(b, 0) + w
    return sides


def run(cases: int, seed: int = 0) -> Iterator[str]:
    for n in range(cases):
        yield check(random.Random(f"{seed} {n}"))


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    counts: dict[str, int] = {}
    for kind in run(wanted):
        counts[kind] = counts.get(kind, 0) + 1
    print(f"{wanted} instances, none wrong: {counts}")  # noqa: T201 - the result of the command
