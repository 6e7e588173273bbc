"""Each rule derives what its figure says, from premises that all differ."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import converted, scale
from dpcomp_sym.algebra.sizes import intersection
from dpcomp_sym.kernel.rules import SUBJECTS
from dpcomp_sym.statements import terms
from tests.kernel.world import (
    BLOCK,
    CANON,
    DELTA,
    EPS,
    EUCLID,
    GUARANTEES,
    INF,
    MU,
    ONE,
    ONE_SIDED,
    RHO,
    SCALARS,
    SEEN,
    SIZE,
    TWO,
    ZERO,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    K,
    M,
    N,
    P,
    Q,
    at,
    fact,
    family,
    group,
    leq,
    num,
    one_sided,
    part,
    private,
    problem,
    up_to,
    vector,
    worst,
)
from tests.statements import exact_values as exact

NOTIONS = ["pure", "approximate", "zcdp", "gaussian"]
each_notion = pytest.mark.parametrize("notion", NOTIONS)


def neighbours(notion, *guarantee, mechanism=M, where=()):
    return k.Private(mechanism, notion, k.Neighbouring(G, D, guarantee), where)


def product(*items):
    return k.Product(items)


# Given and oracle.


def test_given_and_oracle_tag_their_trust():
    said = k.Dependent(M, F)
    assert k.given(said).trust == {k.Trust("given", "input", said.digest())}
    one = k.given(neighbours("pure", A), "counts")
    assert one.statement == neighbours("pure", A)
    assert one.trust == {k.Trust("given", "counts", one.statement.digest())}
    for kind in ("smt", "witness", "finite"):
        two = k.oracle(k.MetricLeq(CANON, EUCLID), kind, "evidence")
        assert two.trust == {k.Trust(kind, "evidence", two.statement.digest())}
        assert (two.rule, two.source, two.premises) == ("oracle", "", ())


@pytest.mark.parametrize(
    "statement",
    [
        k.MetricLeq(CANON, EUCLID),
        k.Sensitive(F, ONE, CANON, k.CanonicalMetric(H, E)),
        k.Compatible(P, G, D),
        k.ProfileFact(problem(), (), ()),
        k.BlockDistance(problem(), "e", "s", (1,), ONE),
        k.TouchCount(problem(), "e", "p", ONE),
        k.Infeasible(problem(), "e", (), ()),
        k.Restricted(k.TouchCount(problem(), "e", "p", ONE), up_to("k", 1, 1)),
    ],
)
def test_oracles_speak_of_structure(statement):
    assert k.oracle(statement, "finite", "x").statement == statement


def test_every_rule_joins_the_trust_of_all_premises():
    first, second = at(CANON), at(EUCLID, mechanism=N)
    both = k.run_adaptively((first, second))
    assert both.trust == first.trust | second.trust
    assert len(both.trust) == 2
    leq1 = fact(k.MetricLeq(CANON, EUCLID), tag="x")
    weaker = k.weaken_metric(first, leq1)
    assert weaker.trust == first.trust | leq1.trust
    assert weaker.premises == (first, leq1)
    assert leq(A, A).trust == frozenset()


# Granularities and metrics.


@each_notion
def test_group_privacy_both_ways(notion):
    start = private(notion, where=up_to("k", 2))
    everywhere = k.everywhere(start)
    g = SCALARS[notion]
    assert everywhere.statement == k.Private(M, notion, k.At(g, CANON), up_to("k", 2))
    assert everywhere.source == "GB24.III.3, VI.3, VI.12, VI.20"
    back = k.between_neighbours(everywhere)
    assert back.statement == neighbours(notion, *g, where=up_to("k", 2))
    assert back.source == everywhere.source


def test_weaker_metrics():
    start = k.restrict(at(CANON), up_to("k", 3))
    weaker = k.weaken_metric(start, fact(k.MetricLeq(CANON, EUCLID)))
    assert weaker.statement == k.Private(M, "pure", k.At((A,), EUCLID), up_to("k", 3))
    assert weaker.source == "GB24.III-A"


@pytest.mark.parametrize(
    ("notion", "expected"),
    [
        ("pure", (product(TWO, A),)),
        ("approximate", (product(TWO, A), product(B, k.Apply("growth", (A, TWO))))),
        ("zcdp", (product(TWO, TWO, A),)),
        ("gaussian", (product(TWO, A),)),
    ],
)
def test_multiples_of_metrics(notion, expected):
    start = k.restrict(at(k.Rescaled(TWO, CANON), notion), up_to("k", 3))
    scaled = k.rescale_guarantee(start).statement
    assert scaled == k.Private(M, notion, k.At(expected, CANON), up_to("k", 3))


def test_finite_factors():
    by = k.Sum((k.Max((ONE, k.Size("m"))), product(TWO, SIZE)))
    scaled = k.rescale_guarantee(at(k.Rescaled(by, CANON))).statement
    assert scaled.loss == k.At((product(by, A),), CANON)


def test_sensitivity_gives_preprocessing():
    inner, source = k.CanonicalMetric(H, E), CANON
    sensitive = fact(k.Sensitive(F, num(3), source, inner))
    metrics = k.metric_of_sensitivity(sensitive)
    assert metrics.statement == k.MetricLeq(k.Pullback(inner, F), k.Rescaled(num(3), source))
    start = at(inner, "zcdp", k.NamedMechanism("N", E, ()))
    done = k.rescale_guarantee(k.weaken_metric(k.preprocess(start, F), metrics))
    mechanism = k.After(k.NamedMechanism("N", E, ()), F)
    loss = k.At((product(num(3), num(3), A),), source)
    assert done.statement == k.Private(mechanism, "zcdp", loss, ())
    assert "GB24.III.6" in {step.source for step in k.dag(done)}


def test_order_of_metrics():
    d1, d2, d3 = (k.NamedPseudometric(name, "", D) for name in ("d1", "d2", "d3"))
    one, two = fact(k.MetricLeq(d1, d2), tag="1"), fact(k.MetricLeq(d2, d3), tag="2")
    assert k.transitive_leq(one, two).statement == k.MetricLeq(d1, d3)
    into = k.NamedMap("h", "", E, D, ())
    assert k.pull_back_leq(one, into).statement == k.MetricLeq(
        k.Pullback(d1, into), k.Pullback(d2, into)
    )
    assert k.rescale_leq(one, A).statement == k.MetricLeq(k.Rescaled(A, d1), k.Rescaled(A, d2))


# Maps, composition, post-processing.


@each_notion
def test_preprocessing(notion):
    done = k.preprocess(k.restrict(k.everywhere(part(notion)), up_to("k", 2)), P)
    loss = k.At(GUARANTEES[notion], SEEN)
    mechanism = k.After(k.NamedMechanism("S", BLOCK, K), P)
    assert done.statement == k.Private(mechanism, notion, loss, up_to("k", 2))
    assert done.source == "GB24.III.6"


@each_notion
def test_adaptive_composition(notion):
    first = k.restrict(at(CANON, notion), up_to("k", 2))
    second = k.restrict(at(EUCLID, notion, N, (C, C)[: len(SCALARS[notion])]), up_to("k", 1, 5))
    done = k.run_adaptively((first, second)).statement
    loss = k.Joint((first.statement.loss, second.statement.loss))
    assert done == k.Private(k.Adaptive((M, N)), notion, loss, up_to("k", 2, 5))
    assert k.run_adaptively((first, second)).source == "GB24.V.2, VI.4, VI.13, VI.21"


@each_notion
def test_families(notion):
    start = k.preprocess(k.restrict(k.everywhere(part(notion)), up_to("m", 2)), P)
    done = k.run_family(start, K).statement
    said = start.statement
    assert done == k.Private(
        k.EachAdaptive(K, said.mechanism), notion, k.EachJoint(K, said.loss), up_to("m", 2)
    )


def test_postprocessing():
    start = private("gaussian", where=up_to("k", 2))
    done = k.postprocess(start, "round").statement
    assert done == neighbours("gaussian", A, mechanism=k.Processed(M, "round"), where=up_to("k", 2))


@each_notion
def test_pushforward(notion):
    given = k.given(k.Dependent(M, F))
    done = k.pushforward(private(notion, where=up_to("k", 2)), given)
    metric = k.Pullback(k.CanonicalMetric(k.Push(G, F), E), F)
    loss = k.At(SCALARS[notion], metric)
    assert done.statement == k.Private(M, notion, loss, up_to("k", 2))
    assert done.source == "N2"
    for guarantee in (SCALARS[notion], (ZERO, C)[: len(SCALARS[notion])]):
        done = k.pushforward(at(EUCLID, notion, guarantee=guarantee), given)
        metric = k.Pullback(k.Quotient(EUCLID, F), F)
        assert done.statement == k.Private(M, notion, k.At(guarantee, metric), ())
    assert k.space_of(k.Quotient(EUCLID, F)) == E


# Maximum over neighbours.


def bound(*vectors, notion="pure", of=None, parts=None, where=()):
    profile = fact(k.ProfileFact(of or problem(), where, vectors))
    return k.maximum_over_neighbours(parts or family(notion), profile).statement


@pytest.mark.parametrize(
    ("notion", "one", "two"),
    [
        ("pure", (worst((1, EPS)),), (worst((1, product(TWO, EPS))),)),
        (
            "approximate",
            (worst((1, EPS)), worst((1, DELTA))),
            (
                worst((1, product(TWO, EPS))),
                worst((1, product(DELTA, k.Apply("growth", (EPS, TWO))))),
            ),
        ),
        ("zcdp", (worst((1, RHO)),), (worst((1, product(TWO, TWO, RHO))),)),
        (
            "gaussian",
            (k.Sqrt(worst((1, product(MU, MU)))),),
            (k.Sqrt(worst((1, product(product(TWO, MU), product(TWO, MU))))),),
        ),
    ],
)
def test_parallel_composition(notion, one, two):
    said = bound(vector(group(1)), notion=notion)
    mechanism = k.EachAdaptive(K, k.After(k.NamedMechanism("S", BLOCK, K), P))
    assert said == neighbours(notion, *one, mechanism=mechanism)
    assert bound(vector(group(1, s=2)), notion=notion).loss.guarantee == two


@each_notion
def test_distances_zero_and_infinity(notion):
    size = len(GUARANTEES[notion])
    assert bound(vector(), notion=notion).loss.guarantee == (ZERO,) * size
    assert bound(vector(group(1, s=0)), notion=notion).loss.guarantee == (ZERO,) * size
    infinite = bound(vector(group(1)), vector(group(1, s=INF)), notion=notion)
    assert infinite.loss.guarantee == (INF,) * size
    hidden = family(notion, guarantee=(INF,) * size)
    assert (
        bound(vector(group(1, s=0)), notion=notion, parts=hidden).loss.guarantee == (ZERO,) * size
    )
    nothing = family(notion, guarantee=(ZERO,) * size)
    assert (
        bound(vector(group(1, s=INF)), notion=notion, parts=nothing).loss.guarantee == (INF,) * size
    )


def test_zero_delta_stays_zero():
    said = bound(
        vector(group(1, s=2)),
        notion="approximate",
        parts=family("approximate", guarantee=(EPS, ZERO)),
    )
    assert said.loss.guarantee == (worst((1, product(TWO, EPS))), ZERO)


def test_guarantees_that_are_one():
    found = bound(vector(group(1)), parts=family(guarantee=(ONE,)))
    assert found.loss.guarantee == (worst((1, ONE)),)


def test_several_blocks_and_vectors():
    both = bound(vector(group(1), group(1)), vector(group(k.Size("m"), s=2)), where=up_to("k", 2))
    first = worst((1, EPS), (1, EPS))
    second = worst((k.Size("m"), product(TWO, EPS)))
    assert both.loss.guarantee == (k.Max((first, second)),)
    assert both.where == up_to("k", 2)
    same = bound(vector(group(1)), vector(group(1)), vector())
    assert same.loss.guarantee == (worst((1, EPS)),)
    everywhere = bound(vector(group(INF)))
    assert everywhere.loss.guarantee == (worst((INF, EPS)),)
    some = bound(vector(group(1, s=0), group(2)))
    assert some.loss.guarantee == (worst((2, EPS)),)


def test_premises_for_different_sizes():
    said = bound(
        vector(group(1)), parts=k.restrict(family(), up_to("k", 1, 9)), where=up_to("k", 2)
    )
    assert said.where == up_to("k", 2, 9)


@pytest.mark.parametrize("notion", ["pure", "gaussian"])
def test_parts_of_two_maps(notion):
    other = k.BlockEntry("other", K)
    of = problem(("s", P), ("t", P), ("u", Q))
    parts = k.run_adaptively(
        (
            family(notion),
            family(notion, P, "S2", (other,)),
            family(notion, Q, "S3", (k.BlockEntry("third", K),)),
        )
    )
    found = bound(
        vector(group(1, s=1, t=1), group(2, "q", u=1)), notion=notion, of=of, parts=parts
    ).loss.guarantee

    def square(x):
        return product(x, x) if notion == "gaussian" else x

    # All parts with the same metric see the same distance.
    first = k.Sum((square(GUARANTEES[notion][0]), square(other)))
    total = k.Sum((worst((1, first)), worst((2, square(k.BlockEntry("third", K))))))
    assert found == ((k.Sqrt(total),) if notion == "gaussian" else (total,))


def test_parts_with_different_distances():
    euclid = k.NamedPseudometric("d", "", BLOCK)
    of = problem(("s", P), k.PartView("t", "p", K, k.Pullback(euclid, P)))
    second = k.NamedMechanism("T", BLOCK, K)
    parts = k.run_adaptively(
        (
            k.run_family(k.preprocess(at(euclid, "pure", second, (DELTA,)), P), K),
            family(),
        )
    )
    found = bound(vector(group(1, s=1, t=3)), of=of, parts=parts).loss.guarantee
    assert found == (worst((1, k.Sum((product(num(3), DELTA), EPS)))),)


def test_single_maps():
    inner = k.CanonicalMetric(H, E)
    of = problem(k.PartView("t", "f", (), k.Pullback(inner, F)))
    parts = k.preprocess(at(inner, mechanism=k.NamedMechanism("T", E, ())), F)
    assert bound(vector(group(1, "f", t=2)), of=of, parts=parts).loss.guarantee == (
        product(TWO, A),
    )
    assert bound(
        vector(group(1, "f", t=2), group(1, "f", t=1)), of=of, parts=parts
    ).loss.guarantee == (k.Max((product(TWO, A), A)),)
    assert bound(vector(group(1, "f", t=0)), of=of, parts=parts).loss.guarantee == (ZERO,)


def test_a_family_over_the_whole_database():
    of = problem(k.PartView("s", "id", K, CANON))
    parts = k.run_family(at(CANON, mechanism=k.NamedMechanism("S", D, K), guarantee=(EPS,)), K)
    found = bound(vector(group(INF, "id")), of=of, parts=parts).loss.guarantee
    assert found == (worst((INF, EPS)),)


# Conversions.


@pytest.mark.parametrize(
    ("source", "target", "value"),
    [
        ("pure", "approximate", (A, ZERO)),
        ("pure", "zcdp", (product(A, k.Apply("tanh", (product(num("1/2"), A),))),)),
        ("pure", "gaussian", (k.Apply("gdp", (A,)),)),
        ("gaussian", "zcdp", (product(num("1/2"), A, A),)),
    ],
)
def test_conversions(source, target, value):
    start = private(source, where=up_to("k", 2))
    done = k.convert(start, target)
    assert done.statement == neighbours(target, *value, where=up_to("k", 2))
    far = k.Rescaled(ONE, CANON)
    pairwise = k.convert(at(far, source), target).statement
    assert pairwise == k.Private(M, target, k.Converted(source, k.At((A,), far)), ())
    steps = k.convert(at(CANON, source), target).statement.loss
    better = source == "pure" and target in {"zcdp", "gaussian"}
    assert steps == (
        k.Stepwise(source, (A,), CANON) if better else k.Converted(source, k.At((A,), CANON))
    )


def test_one_sided_guarantees_convert_where_one_direction_is_enough():
    for source, target in (("pure", "approximate"), ("gaussian", "zcdp")):
        for theorem in one_sided(source):
            assert k.convert(theorem, target).statement.notion == target
    between = k.between_neighbours(one_sided("gaussian")[1])
    assert k.convert(between, "approximate", (B,)).statement.notion == "approximate"


def test_a_one_sided_guarantee_converts_at_a_symmetric_metric():
    leq = fact(k.MetricLeq(k.CanonicalMetric(ONE_SIDED, D), CANON))
    both = k.weaken_metric(one_sided()[1], leq)
    assert k.convert(both, "zcdp").statement.loss == k.Stepwise("pure", (A,), CANON)


def test_conversions_come_after_scaling():
    start = k.preprocess(k.everywhere(part()), P)
    twice = product(TWO, EPS)
    expected = {
        "approximate": (worst((1, twice)), ZERO),
        "zcdp": (worst((1, product(twice, k.Apply("tanh", (product(num("1/2"), twice),))))),),
        "gaussian": (k.Sqrt(worst((1, product(*(k.Apply("gdp", (twice,)),) * 2)))),),
    }
    for target, guarantee in expected.items():
        parts = k.run_family(k.convert(start, target), K)
        found = bound(vector(group(1, s=2)), notion=target, parts=parts)
        assert found.loss.guarantee == guarantee
        infinite = bound(vector(group(1, s=INF)), notion=target, parts=parts)
        assert set(infinite.loss.guarantee) == {INF}
        nothing = bound(vector(group(1, s=0)), notion=target, parts=parts)
        assert set(nothing.loss.guarantee) == {ZERO}


def test_steps_are_worth_more_than_their_distance():
    """What is converted before the map counts the steps of a path, behind it the distance."""
    for target, name in (("zcdp", "path_rho"), ("gaussian", "path_mu")):
        converted = k.convert(k.everywhere(part()), target)
        parts = k.run_family(k.preprocess(converted, P), K)
        (found,) = bound(vector(group(1, s=2)), notion=target, parts=parts).loss.guarantee
        value = k.Apply(name, (EPS, TWO))
        squares = k.Sqrt(worst((1, product(value, value))))
        assert found == (squares if target == "gaussian" else worst((1, value)))
        for r, lost in ((INF, INF), (0, ZERO)):
            (said,) = bound(vector(group(1, s=r)), notion=target, parts=parts).loss.guarantee
            assert said == lost
    single = k.run_family(k.preprocess(k.convert(k.everywhere(part()), "zcdp"), P), K)
    (found,) = bound(vector(group(1)), notion="zcdp", parts=single).loss.guarantee
    assert found == worst((1, product(EPS, k.Apply("tanh", (product(num("1/2"), EPS),)))))


def test_only_where_a_path_leads_through_databases_its_steps_count():
    """Two databases two steps apart behind a map that leaves out what is between them.

    A mechanism that loses 2 eps there is eps-DP times the distance, and loses more than two steps.
    """
    behind = k.Pullback(k.CanonicalMetric(H, E), F)
    other = k.NamedMap("other", "", D, E, ())
    for metric in (
        behind, k.Rescaled(TWO, CANON), k.Added((CANON, CANON)), k.Largest((CANON, CANON)),
        k.Pullback(k.CanonicalMetric(k.Push(G, other), E), F), EUCLID,
        k.Pullback(k.Quotient(CANON, F), F),
    ):  # fmt: skip
        loss = k.At((A,), metric)
        private = k.given(
            k.Private(k.NamedMechanism("N", k.space_of(metric), ()), "pure", loss, ())
        )
        for target in ("zcdp", "gaussian"):
            assert k.convert(private, target).statement.loss == k.Converted("pure", loss)
    pushed = k.At((A,), k.Pullback(k.CanonicalMetric(k.Push(G, F), E), F))
    private = k.given(k.Private(M, "pure", pushed, ()))
    assert k.convert(private, "zcdp").statement.loss == k.Stepwise("pure", (A,), pushed.metric)


def test_conversions_in_a_row():
    start = k.preprocess(k.everywhere(part()), P)
    parts = k.run_family(k.convert(k.convert(start, "gaussian"), "zcdp"), K)
    gdp = k.Apply("gdp", (EPS,))
    found = bound(vector(group(1)), notion="zcdp", parts=parts).loss.guarantee
    assert found == (worst((1, product(num("1/2"), gdp, gdp))),)


def test_points_of_curves():
    zcdp = k.convert(private("zcdp", where=up_to("k", 2)), "approximate", (B,)).statement
    pair = (k.Apply("zcdp_epsilon", (A, B)), B)
    assert zcdp == neighbours("approximate", *pair, where=up_to("k", 2))
    gaussian = k.convert(private("gaussian"), "approximate", (B,)).statement
    assert gaussian == neighbours("approximate", B, k.Apply("gaussian_delta", (A, B)))


@pytest.mark.parametrize(
    ("source", "scaled", "point"),
    [
        (
            "zcdp",
            product(TWO, TWO, k.BlockEntry("rho", K)),
            lambda x: (k.Apply("zcdp_epsilon", (x, DELTA)), DELTA),
        ),
        (
            "gaussian",
            product(TWO, k.BlockEntry("mu", K)),
            lambda x: (DELTA, k.Apply("gaussian_delta", (x, DELTA))),
        ),
    ],
)
def test_a_point_of_a_curve_is_taken_after_scaling(source, scaled, point):
    start = k.preprocess(k.everywhere(part(source)), P)
    parts = k.run_family(k.convert(start, "approximate", (DELTA,)), K)
    found = bound(vector(group(1, s=2)), notion="approximate", parts=parts)
    assert found.loss.guarantee == tuple(worst((1, value)) for value in point(scaled))
    infinite = bound(vector(group(1, s=INF)), notion="approximate", parts=parts)
    assert set(infinite.loss.guarantee) == {INF}
    nothing = bound(vector(group(1, s=0)), notion="approximate", parts=parts)
    assert set(nothing.loss.guarantee) == {ZERO}


# Guarantees and ranges.


def test_larger_guarantees():
    start = private("approximate", where=up_to("k", 1, 9))
    eps, delta = leq(A, k.Sum((A, C)), up_to("k", 2)), leq(B, k.Sum((B, ONE)), up_to("m", 3))
    done = k.change_guarantee(start, (eps, delta)).statement
    where = intersection(up_to("k", 2, 9), up_to("m", 3))
    assert done == neighbours("approximate", k.Sum((A, C)), k.Sum((B, ONE)), where=where)


def test_restriction():
    assert k.restrict(leq(A, A), up_to("k", 2)).statement == k.BoundLeq(A, A, up_to("k", 2))
    profile = k.ProfileFact(problem(), up_to("k", 1, 5), (vector(group(1)),))
    assert k.restrict(fact(profile), up_to("k", 2)).statement == k.ProfileFact(
        problem(), up_to("k", 2, 5), (vector(group(1)),)
    )


def test_boxes():
    assert intersection() == ()
    assert intersection(up_to("k", 2), up_to("j", 1, 4), up_to("k", 1, 7), up_to("k", 3)) == (
        k.SizeRange("j", 1, 4),
        k.SizeRange("k", 3, 7),
    )
    assert intersection(up_to("k", 2, 3), up_to("k", 1, 9)) == up_to("k", 2, 3)


def test_cases():
    few, many = (
        private(where=up_to("k", 1, 2)),
        private(loss=k.Neighbouring(G, D, (INF,)), where=up_to("k", 3)),
    )
    done = k.cover_cases((few, many), ()).statement
    cases = k.Cases((k.SizeCase(up_to("k", 1, 2), A), k.SizeCase(up_to("k", 3), INF)))
    assert done == neighbours("pure", cases)
    same = k.cover_cases((few, private(where=up_to("k", 3))), up_to("m", 2)).statement
    assert same == neighbours("pure", A, where=up_to("m", 2))
    within = k.cover_cases((few,), up_to("k", 2, 2)).statement
    assert within == neighbours("pure", A, where=up_to("k", 2, 2))
    assert k.cover_cases((many,), up_to("k", 3)).statement == many.statement
    assert k.cover_cases((few,), up_to("k", 1, 2)).statement == few.statement
    assert k.cover_cases((private(),), ()).statement == neighbours("pure", A)
    pair = k.cover_cases(
        (
            private("approximate", where=up_to("k", 1, 1)),
            private("approximate", loss=k.Neighbouring(G, D, (A, C)), where=up_to("k", 2)),
        ),
        (),
    ).statement.loss.guarantee
    assert pair == tuple(
        k.Cases((k.SizeCase(up_to("k", 1, 1), x), k.SizeCase(up_to("k", 2), y)))
        for x, y in ((A, A), (B, C))
    )


def test_cases_over_two_sizes():
    def box(a, b):
        return private(where=intersection(a, b))

    boxes = (
        box(up_to("k", 1, 1), ()), box(up_to("k", 2), up_to("m", 1, 3)),
        box(up_to("k", 2, 5), up_to("m", 4)), box(up_to("k", 6), up_to("m", 4)),
    )  # fmt: skip
    assert k.cover_cases(boxes, ()).statement == neighbours("pure", A)
    for n in range(4):
        with pytest.raises(k.KernelError):
            k.cover_cases(boxes[:n] + boxes[n + 1 :], ())


# Helpers whose results enter theorems.


def test_scaling_laws():
    for notion in NOTIONS:
        g = SCALARS[notion]
        assert scale(notion, g, ONE) == g
        assert scale(notion, g, ZERO) == (ZERO,) * len(g)
        assert scale(notion, g, INF) == (INF,) * len(g)
    values = {"a": exact.Log(Fraction(3)), "b": Fraction(1, 100)}
    for r, s in [(2, 3), (1, 4), (5, 1)]:
        for notion in NOTIONS[:2]:
            twice = scale(notion, scale(notion, SCALARS[notion], num(r)), num(s))
            once = scale(notion, SCALARS[notion], num(r * s))
            assert [exact.evaluate(x, values) for x in twice] == [
                exact.evaluate(x, values) for x in once
            ]
    half = product(num("1/2"), A)
    assert converted("pure", "zcdp", (A,)) == (product(A, k.Apply("tanh", (half,))),)


def test_open_families():
    assert k.open_sizes(EPS) == {K}
    assert k.open_sizes(worst((1, EPS))) == frozenset()
    assert k.open_sizes(k.EachAdded(K, SEEN)) == frozenset()
    assert k.open_sizes((P, Q, A)) == {K}
    assert k.open_sizes((F, M, D, k.BlockEntry("x", ()))) == frozenset()
    assert k.open_sizes(BLOCK) == {K}
    assert k.open_sizes(problem()) == frozenset()


def test_families_of_one_block():
    assert k.BlockEntry("x", (1,)).sizes == (1,)
    assert k.EditShape("frame", 0).points == 0


def test_ends_spaces_and_domains():
    h = k.NamedMap("h", "", E, BLOCK, K)
    both = k.Composite(F, h)
    assert k.ends(both) == (D, BLOCK)
    metric = k.Pullback(k.CanonicalMetric(H, BLOCK), both)
    assert k.space_of(metric) == D
    assert k.space_of(k.Rescaled(TWO, metric)) == D
    assert k.space_of(k.EachAdded(K, metric)) == D
    assert k.space_of(k.Added((metric,))) == k.space_of(k.Largest((metric,))) == D
    assert k.space_of(k.Added((metric, CANON))) == k.space_of(k.Largest((EUCLID, CANON))) == D
    mechanism = k.Adaptive((k.After(k.NamedMechanism("X", E, ()), F), M))
    assert k.domain_of(k.Processed(mechanism, "h")) == D
    for broken in (k.ends, k.space_of, k.domain_of):
        with pytest.raises(k.KernelError):
            broken(A)


def every_kind():
    """One term of each kind."""
    of = problem(edits=(("e", 1),))
    loss = k.Joint((k.EachJoint(K, k.At((EPS,), SEEN)),))
    added = k.Largest((k.Added((k.EachAdded(K, SEEN), EUCLID)), k.Rescaled(A, CANON)))
    return [
        k.Private(k.Adaptive((k.EachAdaptive(K, k.After(k.NamedMechanism("S", BLOCK, K), P)),)),
                  "pure", loss, up_to("k", 1, 2)),
        k.Private(k.Processed(M, "h"), "zcdp", k.Converted("pure", k.At((A,), CANON)), ()),
        k.Private(M, "zcdp", k.Stepwise("pure", (A,), CANON), ()),
        neighbours("pure", k.Cases((k.SizeCase((), k.Sqrt(k.Sum((A, k.Max((INF, SIZE)))))),))),
        k.BoundLeq(worst((1, EPS), (TWO, EPS)), k.Apply("gdp", (product(A),)), ()),
        k.Dependent(M, k.Composite(F, k.NamedMap("h", "", E, E, ()))),
        k.Sensitive(F, ONE, CANON, k.CanonicalMetric(H, E)),
        k.Compatible(P, k.Push(G, F), D),
        k.Compatible(P, ONE_SIDED, D),
        k.MetricLeq(added, k.Pullback(k.Quotient(EUCLID, F), F)),
        k.ProfileFact(of, (), (vector(group(1)),)),
        k.BlockDistance(of, "e", "s", (1,), INF),
        k.TouchCount(of, "e", "p", num(3)),
        k.Infeasible(of, "e", (k.TouchedKind("p", (1,), 2),), ()),
        k.Restricted(k.TouchCount(of, "e", "p", num(3)), up_to("w", 2)),
        k.Together(of, "e", (k.Reach((k.Touch("p", (), (1,)),)),)),
        k.BoundLeq(k.EntryOf("eps", (3,), (2,)), A, ()),
        k.Shares(of, "e", "p", ONE, (k.SeenDistance("s", num(3)),)),
        k.Mixed(of, "e", (vector(group(1)),)),
        k.ProfileFact(of, (), (k.MeanOf((vector(group(1)),), (vector(group(2)),)),)),
        *of_patterns(),
    ]  # fmt: skip


def of_patterns():
    """What says which blocks change together."""
    of = problem(edits=(("e", 1),))
    here = k.Combined("add", (k.Letter(1), k.Symbol("w"), k.Integer(2)))
    when = k.Connected("and", (k.Compared("le", k.Index(1), here),))
    far = (k.SeenDistance("s", k.Amount(here)),)
    total = k.SumOver(K, when, INF, product(k.Amount(here), EPS))
    always = k.Connected("and", ())
    level = k.Compared("le", k.LetterAt(1, (k.Index(1),)), k.Symbol("w"))
    return [
        k.BoundLeq(k.MaxOver(1, always, total), A, ()),
        k.BoundLeq(k.MaxOver(1, always, k.SumOver(K, level, INF, EPS)), A, ()),
        k.ProfileFact(of, (), (k.BlockPattern(1, always, (k.Family("p", INF, far, when),)),)),
        k.ChangedTogether(of, "e", ("t",), always, (k.Place("p", (1,), when, far),)),
        k.ChangedByRecords(of, "e", num(3), ("t",), always, (k.Place("p", (), when, ()),)),
        k.BoundLeq(k.Coverage(num(3), k.MaxOver(1, always, k.SumOver(K, when, INF, EPS))), A, ()),
        k.ProfileFact(
            of,
            (),
            (
                k.Several(
                    num(3),
                    k.BlockPattern(
                        1, always, (k.Family("p", INF, (k.SeenDistance("s", ONE),), when),)
                    ),
                ),
            ),
        ),
    ]


@pytest.mark.parametrize("r", [ZERO, ONE, TWO, INF, SIZE, num("1/2")])
@pytest.mark.parametrize("guarantee", [(A,), (A, B), (), (ZERO,), (INF,)])
def test_an_unknown_notion_is_not_scaled_like_another(r, guarantee):
    with pytest.raises(k.KernelError, match="nothing is known of renyi"):
        scale("renyi", guarantee, r)


@pytest.mark.parametrize("notion", list(k.NOTIONS))
@pytest.mark.parametrize("r", [ONE, TWO, SIZE])
def test_a_wrong_number_of_parameters_is_not_scaled(notion, r):
    with pytest.raises(k.KernelError, match=f"nothing is known of {notion}"):
        scale(notion, (A, B, C), r)


def test_a_notion_is_never_taken_for_another(monkeypatch):
    """A further notion, of which no rule knows anything yet."""
    monkeypatch.setitem(terms.NOTIONS, "renyi", 1)
    for pair in (("pure", "renyi"), ("renyi", "zcdp"), ("renyi", "approximate")):
        with pytest.raises(k.KernelError, match=f"no conversion from {pair[0]} to {pair[1]}"):
            converted(*pair, (A,))
    composed = k.run_adaptively((at(SEEN_BY_F, "renyi", guarantee=(A,)),))
    for r in (ZERO, ONE, INF):
        of = problem(k.PartView("s", "f", (), SEEN_BY_F))
        profile = fact(k.ProfileFact(of, (), (vector(group(1, "f", s=r)),)))
        with pytest.raises(k.KernelError, match="nothing is known of renyi"):
            k.maximum_over_neighbours(composed, profile)
    with pytest.raises(k.KernelError, match="nothing is known of renyi"):
        k.rescale_guarantee(at(k.Rescaled(ONE, EUCLID), "renyi", guarantee=(A,)))


SEEN_BY_F = k.Pullback(k.CanonicalMetric(H, E), F)


def test_json_and_text_of_every_kind():
    seen = set()

    def visit(data):
        if isinstance(data, dict):
            seen.add(data["op"])
            for value in data.values():
                visit(value)
        elif isinstance(data, list):
            for value in data:
                visit(value)

    said = every_kind()
    for statement in said:
        data = statement.as_json()
        visit(data)
        assert k.from_json(data) == statement
        assert statement.text()
        assert "(op=" not in statement.text()
        assert "name='" not in statement.text()
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        assert statement.digest() == hashlib.sha256(text.encode()).hexdigest()
        assert not hasattr(statement, "__dict__")
        with pytest.raises((AttributeError, TypeError)):
            statement.op = "other"
    assert seen == set(terms.base._KINDS)
    assert len({s.digest() for s in said}) == len(said)
    assert k.Sum((A,)) != k.Max((A,))
    assert k.Sum((A,)).digest() != k.Max((A,)).digest()


def test_each_kind_of_statement_is_named_in_words():
    kinds = [
        kind
        for kind in vars(terms).values()
        if isinstance(kind, type) and issubclass(kind, terms.Statement) and kind != terms.Statement
    ]
    assert len(kinds) > 10
    for kind in kinds:
        assert issubclass(kind, tuple(SUBJECTS)), kind
    said = "a theorem about the privacy of a mechanism is needed, not one about two bounds"
    with pytest.raises(k.KernelError, match=said):
        k.between_neighbours(leq(A, A))
