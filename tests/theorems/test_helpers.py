"""What entries are made of: region proofs, obligations, finite models, shared derivations."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
import sympy
import z3

from dpcomp_sym.engine import Unknown, Vacuous
from tests.statements import exact_values as exact
from theorems import _kernel as t
from theorems._entry import Asked, Discharged, Fallen, status_of
from theorems._facts import asked, composed, examined, in_words, posed, records
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
from theorems._prove import by_induction, holds, identical, possible
from theorems._regions import Regions, bounded, canonical, unbounded

x, y = z3.Reals("x y")
ALWAYS = z3.BoolVal(True)
A = sympy.Symbol("a")


# Obligations.


def test_obligations():
    assert holds(x * x >= 0).settled
    assert not holds(x > 0).settled
    assert holds(x > 0, x > 1).settled
    assert not holds(x > 0, y > 1).settled


def test_contradictory_hypotheses_prove_nothing():
    assert not holds(x > 0, x < 0, x > 1).settled
    assert not possible(x < 0, x > 1).settled


def test_identities():
    a, b = sympy.symbols("a b")
    assert identical((a + b) ** 2, a**2 + 2 * a * b + b**2).settled
    assert not identical((a + b) ** 2, a**2 + b**2).settled
    assert identical((a**2 - b**2) / (a - b), a + b).settled
    assert identical(sympy.Derivative(a**2, a), 2 * a).settled


@pytest.mark.parametrize(
    "obligation",
    [
        holds(0 * x <= 0),  # the start of an induction
        holds(x + y == y + x),
        holds(x < y, y > x),
        holds(z3.And(x < y, x < 5), x < y, x < 5),
        holds(x + 1 == 2, x == 1),
        holds(ALWAYS),
        possible(ALWAYS),
        identical(A - 0, A),
        identical(1 - (1 - A), A),
        by_induction(lambda _: x + y == y + x, [], lambda _: []),
    ],
    ids=lambda o: o.asked,
)
def test_what_folds_is_no_question(obligation):
    """Each of these was, in its words, an obligation of the library."""
    assert obligation.settled
    assert obligation.trivial
    with pytest.raises(Fallen, match="nothing was asked"):
        status_of(Discharged("smt", {"it holds": obligation}))


@pytest.mark.parametrize(
    "obligation",
    [
        holds(x * x + y * y >= 2 * x * y),
        holds(x > 0, x > 1),
        identical((A + 1) ** 2, A**2 + 2 * A + 1),
    ],
)
def test_what_does_not_fold_is_one(obligation):
    assert not obligation.trivial
    assert status_of(Discharged("smt", {"it holds": obligation})) == "decided"
    assert status_of(Discharged("smt", {"it holds": obligation}, "and so on")) == "argued"


def test_an_obligation_has_no_truth_value():
    with pytest.raises(TypeError, match="settled or not, and trivial or not"):
        assert holds(x * x >= 0)


def test_inductions():
    S = z3.Function("S", z3.IntSort(), z3.RealSort())

    def step(n):
        return [S(n + 1) == S(n) + y, y >= 0]

    assert by_induction(lambda n: S(n) >= 0, [S(0) == 0], step).settled
    assert by_induction(lambda n: S(n) == n * y, [S(0) == 0], step).settled
    assert not by_induction(lambda n: S(n) >= 0, [S(0) == -1], step).settled  # no start
    assert not by_induction(lambda n: S(n) <= 5, [S(0) == 0], step).settled  # no step
    assert not by_induction(lambda n: S(n) == (n + 1) * y, [S(0) == 0], step).settled


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
    assert all(o.settled for o in canonical(neighbours, metric, finite, member).values())


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
    assert not all(o.settled for o in canonical(neighbours, metric, finite, member).values())


def test_regions_count_levels():
    w = Regions("DE", ("a", "b"))
    assert len(w.sizes) == 6
    assert holds(w.apart("D", "E") == w.minus("D", "E") + w.minus("E", "D"), *w.facts).settled
    assert holds(w.size("D") == w.size("D", ["a"]) + w.size("D", ["b"]), *w.facts).settled
    assert not holds(w.size("D") == w.size("E"), *w.facts).settled


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
    return exact.evaluate(bound, values, {"k": 5})


def test_bounds_at_numbers():
    assert _value(t.sequential("pure"), eps=EPS) == sum(EPS)
    assert _value(t.parallel("pure"), eps=EPS) == max(EPS)
    assert _value(t.on_common_domain("zcdp"), rho=EPS) == max(EPS)
    pairs = max(a + b for a, b in combinations(EPS, 2))
    assert _value(t.of_two_touched("pure"), eps=EPS) == pairs
    squares = max(a * a + b * b for a, b in combinations(EPS, 2))
    assert _value(t.of_two_touched("gaussian"), mu=EPS) == exact.RootOfFraction(squares)
    assert _value(t.sequential("gaussian"), mu=EPS) == exact.RootOfFraction(sum(a * a for a in EPS))


def test_the_two_largest_of_one_are_one():
    (bound,) = t.largest(t.of_two_touched("pure"))
    assert exact.evaluate(bound, {"eps": [Fraction(3)]}, {"k": 1}) == 3


def test_hypotheses_are_named_in_the_trust():
    tags = {x.tag for x in t.parallel("pure").trust}
    assert any(tag.startswith("hypothesis: C1") for tag in tags)
    assert any(tag.startswith("hypothesis: C2") for tag in tags)


# Facts from the engine: in words made from the problem, and only what is proved is derived from.


def test_the_words_of_a_question_are_those_of_its_problem():
    (plain,) = asked(posed("unbounded", "partial_partition"), "compatibility")
    (grouped,) = asked(posed("bounded", "cover", m=3), "compatibility")
    assert plain.question == grouped.question
    assert plain.about["granularity"] != grouped.about["granularity"]
    assert plain.about["maps"] != grouped.about["maps"]
    assert status_of(plain) == "decided"
    assert status_of(grouped) == "refuted"
    assert examined(posed("bounded", "identity"), "size(D) == size(E)").question == (
        "all neighbours D and D' satisfy size(D) == size(E), where E stands for D'"
    )


@pytest.mark.parametrize("part", ["domain", "granularity", "maps", "parts"])
def test_all_of_a_problem_is_in_its_words(part):
    """A change anywhere in the problem changes the words, so that they cannot come apart."""
    first = posed("bounded", "partition")
    other = {
        "domain": posed("bounded", "partition", domain=records(cap=1)),
        "granularity": posed("unbounded", "partition"),
        "maps": posed("bounded", "partial_partition"),
        "parts": posed("bounded", "partition", "common"),
    }[part]
    assert in_words(first)[part] != in_words(other)[part]
    assert all(in_words(first)[p] == in_words(other)[p] for p in in_words(first) if p != part)


def test_what_is_not_proved_is_not_derived():
    nobody = records(symbols={"N": "N >= 0"}, size=["size(D) == N"])
    with pytest.raises(Fallen, match="vacuous"):
        composed(posed("unbounded", "identity", domain=nobody), "pure")
    for verdict in (None, True, "proved"):
        with pytest.raises(Fallen, match="not a verdict"):
            status_of(Asked({"maps": "p"}, "C1", verdict))
    for verdict, status in ((Unknown("why"), "unknown"), (Vacuous(), "vacuous")):
        assert status_of(Asked({"maps": "p"}, "C1", verdict)) == status
