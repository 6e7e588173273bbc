"""What entries are made of: region proofs, obligations, finite models, shared derivations."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
import sympy
import z3

from dpcomp_sym import kernel as k
from dpcomp_sym.engine import Refuted, Unknown, Vacuous
from theorems import _kernel as t
from theorems._entry import Fallen
from theorems._facts import compatible, fact, posed, sensitive
from theorems._finite import (
    FAR,
    bounded_multisets,
    multisets,
    path_metric,
    pushforward,
    quotient,
    tradeoff,
    unbounded_multisets,
)
from theorems._prove import holds, identical, possible
from theorems._regions import Regions, bounded, canonical, unbounded

x, y = z3.Reals("x y")
ALWAYS = z3.BoolVal(True)


# Obligations.


def test_obligations():
    assert holds(x * x >= 0)
    assert not holds(x > 0)
    assert holds(x > 0, x > 1)
    assert not holds(x > 0, y > 1)


def test_contradictory_hypotheses_prove_nothing():
    assert not holds(x > 0, x < 0, x > 1)
    assert not possible(x < 0, x > 1)


def test_identities():
    a, b = sympy.symbols("a b")
    assert identical((a + b) ** 2, a**2 + 2 * a * b + b**2)
    assert not identical((a + b) ** 2, a**2 + b**2)
    assert identical((a**2 - b**2) / (a - b), a + b)


# Regions: right closed forms are proved, wrong ones are not.


@pytest.mark.parametrize(
    ("neighbours", "metric", "finite", "member"),
    [
        (unbounded, lambda p, q: p + q, lambda _p, _q: ALWAYS, None),
        (bounded, lambda p, _q: p, lambda p, q: p == q, None),
        (bounded, lambda p, _q: p, lambda p, q: p == q, lambda n: n == z3.Int("N")),
    ],
)
def test_right_canonical_metrics(neighbours, metric, finite, member):
    assert all(canonical(neighbours, metric, finite, member).values())


@pytest.mark.parametrize(
    ("neighbours", "metric", "finite", "member"),
    [
        (bounded, lambda p, q: p + q, lambda p, q: p == q, None),
        (bounded, lambda p, _q: p, lambda _p, _q: ALWAYS, None),
        (bounded, lambda p, _q: 2 * p, lambda p, q: p == q, None),
        (unbounded, lambda p, _q: p, lambda _p, _q: ALWAYS, None),
        (unbounded, lambda p, q: p + q, lambda p, q: p == q, None),
        (unbounded, lambda p, q: p + q, lambda _p, _q: ALWAYS, lambda n: n == z3.Int("N")),
    ],
)
def test_wrong_canonical_metrics(neighbours, metric, finite, member):
    assert not all(canonical(neighbours, metric, finite, member).values())


def test_regions_count_levels():
    w = Regions("DE", ("a", "b"))
    assert len(w.sizes) == 6
    assert holds(w.apart("D", "E") == w.minus("D", "E") + w.minus("E", "D"), *w.facts)
    assert holds(w.size("D") == w.size("D", ["a"]) + w.size("D", ["b"]), *w.facts)
    assert not holds(w.size("D") == w.size("E"), *w.facts)


# Finite models.


def test_finite_granularities():
    world = multisets("ab", 2)
    assert len(world) == 6
    assert (("a",), ()) in unbounded_multisets(world)
    assert (("a",), ("b",)) in bounded_multisets(world, "ab")
    assert path_metric("ab", [])["a", "b"] == FAR


def test_pushforward_and_quotient():
    line = [(0, 1), (1, 2), (2, 3)]
    assert pushforward(line, lambda n: n // 2) == {(0, 1), (1, 0)}
    d = path_metric(range(4), line)
    folded = quotient(d, range(4), lambda n: n % 3)
    assert (folded[1, 2], folded[0, 2]) == (1, 1)


def test_tradeoff_functions_have_falling_slopes():
    p = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    corners = tradeoff(p, p[::-1])
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(corners) if c > a]
    assert slopes == sorted(slopes)
    assert corners[0] == (0, 1)
    assert corners[-1] == (1, 0)


# Derivations: their bounds at concrete parameters, against brute force.

EPS = [Fraction(n) for n in (3, 1, 4, 1, 5)]


def _value(theorem, **values):
    (bound,) = t.largest(theorem)
    return k.evaluate(bound, values, {"k": 5})


def test_bounds_at_numbers():
    assert _value(t.sequential("pure"), eps=EPS) == sum(EPS)
    assert _value(t.parallel("pure"), eps=EPS) == max(EPS)
    assert _value(t.on_common_domain("zcdp"), rho=EPS) == max(EPS)
    pairs = max(a + b for a, b in combinations(EPS, 2))
    assert _value(t.of_two_touched("pure"), eps=EPS) == pairs
    squares = max(a * a + b * b for a, b in combinations(EPS, 2))
    assert _value(t.of_two_touched("gaussian"), mu=EPS) == k.Root(squares)
    assert _value(t.sequential("gaussian"), mu=EPS) == k.Root(sum(a * a for a in EPS))


def test_the_two_largest_of_one_are_one():
    (bound,) = t.largest(t.of_two_touched("pure"))
    assert k.evaluate(bound, {"eps": [Fraction(3)]}, {"k": 1}) == 3


def test_hypotheses_are_named_in_the_trust():
    tags = {x.tag for x in t.parallel("pure").trust}
    assert any(tag.startswith("hypothesis: C1") for tag in tags)
    assert any(tag.startswith("hypothesis: C2") for tag in tags)


# Facts from the engine: only what is proved becomes a leaf.


def test_only_proved_facts_become_leaves():
    structure = posed("bounded", "partial_partition")
    verdict = compatible(structure)
    assert isinstance(verdict, Refuted)
    statement = k.Compatible(t.partition_map(), t.NEIGHBOURS, t.DATABASES)
    for other in (verdict, sensitive(structure), Unknown("why"), Vacuous()):
        with pytest.raises(Fallen):
            fact(other, statement, "C1")
