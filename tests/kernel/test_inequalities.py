"""The inequalities behind the rules, attacked with random exact mechanisms.

Distributions are lists of fractions over a few outcomes, and q = e^eps is rational.  For events in
general, ``sum max(0, p - t q)`` is the largest excess P(S) - t Q(S) over *all* events S, rectangles
or not.  The steps that need real analysis are checked symbolically.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from statistics import NormalDist

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import scale
from tests.kernel.world import A, B, num
from tests.shares import shared
from tests.statements import exact_values as exact


def thorough(*drawn, **named):
    """Try a test on random values: on some in every run, on many by ``make test-long``."""

    def decorated(body):
        @pytest.mark.parametrize("number", shared(1, [150, 1000]))
        def tried(number):
            often = settings(max_examples=number, deadline=None, derandomize=True, database=None)
            often(given(*drawn, **named)(body))()

        return tried

    return decorated


factors = st.fractions(1, 6, max_denominator=4)


def laws(outcomes, least=0):
    """Distributions over so many outcomes."""
    weights = st.lists(st.integers(least, 9), min_size=outcomes, max_size=outcomes)
    return weights.filter(any).map(lambda w: [Fraction(x, sum(w)) for x in w])


def pairs(outcomes, least=0):
    return st.tuples(laws(outcomes, least), laws(outcomes, least))


def adaptive(least=0):
    """Two pairs of laws: a first mechanism with 3 outcomes, a second one for each of them."""
    return st.tuples(pairs(3, least), st.lists(pairs(3, least), min_size=3, max_size=3))


def joint(first, second):
    """The law of both outcomes together."""
    return [p * x for p, law in zip(first, second, strict=True) for x in law]


def excess(p, q, t):
    """The largest P(S) - t Q(S) over all events S."""
    return sum((max(Fraction(0), x - t * y) for x, y in zip(p, q, strict=True)), Fraction(0))


def ratio(p, q):
    """The largest P(S)/Q(S)."""
    return max(x / y for x, y in zip(p, q, strict=True) if y)


def moment(p, q, alpha):
    """e^((alpha - 1) D_alpha(P || Q))."""
    return sum((x**alpha * y ** (1 - alpha) for x, y in zip(p, q, strict=True)), Fraction(0))


def sides(mechanism):
    """The joint laws on both databases."""
    (p, q), second = mechanism
    return joint(p, [a for a, _ in second]), joint(q, [b for _, b in second])


# Adaptive composition: V.2, VI.4, VI.13, VI.21.


@thorough(adaptive(least=1))
def test_pure_adaptive_composition(mechanism):
    (p, q), second = mechanism
    whole = ratio(*sides(mechanism))
    assert whole <= ratio(p, q) * max(ratio(a, b) for a, b in second)


@thorough(adaptive(), factors, factors)
def test_approximate_adaptive_composition_for_all_events(mechanism, t, u):
    (p, q), second = mechanism
    delta = excess(p, q, t) + max(excess(a, b, u) for a, b in second)
    assert excess(*sides(mechanism), t * u) <= delta


def test_approximate_composition_is_attained_by_no_rectangle():
    """The excess of an event that is not a rectangle can be larger than that of every rectangle."""
    p, q = [Fraction(1, 2)] * 2, [Fraction(1), Fraction(0)]
    best = excess(joint(p, [p, p]), joint(q, [q, q]), 1)
    rectangles = max(
        sum(p[i] for i in s) * sum(p[j] for j in r) - sum(q[i] for i in s) * sum(q[j] for j in r)
        for s, r in product(((), (0,), (1,), (0, 1)), repeat=2)
    )
    assert (best, rectangles) == (Fraction(3, 4), Fraction(1, 2))


@thorough(adaptive(least=1), st.integers(2, 6))
def test_renyi_moments_factorize(mechanism, alpha):
    (p, q), second = mechanism
    inner = [moment(a, b, alpha) for a, b in second]
    whole = moment(*sides(mechanism), alpha)
    assert whole <= moment(p, q, alpha) * max(inner)
    if len({tuple(map(tuple, x)) for x in second}) == 1:
        assert whole == moment(p, q, alpha) * inner[0]


def test_gaussian_mechanisms_compose_to_one():
    """The privacy loss of two Gaussians is that of one with the root of the sum of squares."""
    x, y = sympy.symbols("x y", real=True)
    mu, nu = sympy.symbols("mu nu", positive=True)

    def log_ratio(z, shift):
        return sympy.expand(-((z - shift) ** 2) / 2 + z**2 / 2)

    loss = log_ratio(x, mu) + log_ratio(y, nu)
    # For independent standard normal x and y this is normal, with these moments.
    mean = loss.subs({x: 0, y: 0})
    variance = sympy.diff(loss, x) ** 2 + sympy.diff(loss, y) ** 2
    assert sympy.diff(loss, x, 2) == sympy.diff(loss, x, y) == sympy.diff(loss, y, 2) == 0
    total = sympy.sqrt(mu**2 + nu**2)
    single = log_ratio(x, total)
    assert sympy.simplify(mean - single.subs(x, 0)) == 0
    assert sympy.simplify(variance - sympy.diff(single, x) ** 2) == 0


# Group privacy: III.3, VI.3, VI.12, VI.20.


@thorough(st.lists(laws(3, least=1), min_size=2, max_size=5))
def test_pure_group_privacy(chain):
    q = max(ratio(a, b) for x, y in pairwise(chain) for a, b in ((x, y), (y, x)))
    steps = len(chain) - 1
    (bound,) = scale("pure", (A,), num(steps))
    if q > 1:
        assert exact.evaluate(bound, {"a": exact.Log(q)}) == exact.Log(q**steps)
    assert ratio(chain[0], chain[-1]) <= q**steps


@thorough(st.lists(laws(3), min_size=2, max_size=5), factors.filter(lambda q: q > 1))
def test_approximate_group_privacy(chain, q):
    delta = max(excess(a, b, q) for x, y in pairwise(chain) for a, b in ((x, y), (y, x)))
    steps = len(chain) - 1
    eps, bound = scale("approximate", (A, B), num(steps))
    values = {"a": exact.Log(q), "b": delta}
    assert exact.evaluate(eps, values) == exact.Log(q**steps)
    assert excess(chain[0], chain[-1], q**steps) <= exact.evaluate(bound, values)


def iterate(a, q, delta):
    """One step of the exact recursion for delta: E11."""
    return min(Fraction(1), q * a + delta, 1 - (1 - delta - a) / q)


@thorough(factors, st.fractions(0, "1/20", max_denominator=400), st.integers(1, 9))
def test_the_formula_of_group_privacy_is_above_the_exact_iterate(q, delta, steps):
    a = last = Fraction(0)
    for _ in range(steps):
        last, a = a, iterate(a, q, delta)
    eps = exact.Log(q) if q > 1 else Fraction(0)
    _, bound = scale("approximate", (A, B), num(steps))
    formula = exact.evaluate(bound, {"a": eps, "b": delta})
    assert a <= formula
    if last <= (1 - delta) / (1 + q):
        assert a == formula


@thorough(laws(3, least=1), laws(3, least=1), laws(3, least=1))
def test_weak_triangle_inequality_of_renyi_divergence(p, q, r):
    """D_2(P||R) <= 4/3 D_3(P||Q) + D_4(Q||R), as polynomials in the probabilities."""
    assert moment(p, r, 2) ** 3 <= moment(p, q, 3) ** 2 * moment(q, r, 4)


def test_zero_concentrated_group_privacy():
    """With the best order, a^2 rho and b^2 rho in a row are (a + b)^2 rho."""
    a, b, alpha, rho = sympy.symbols("a b alpha rho", positive=True)
    order = 1 + a / b
    first, second = (order * alpha - 1) / (order - 1), order * alpha
    total = order * alpha / (order * alpha - 1) * rho * a**2 * first + rho * b**2 * second
    assert sympy.simplify(total - (a + b) ** 2 * rho * alpha) == 0
    assert scale("zcdp", (A,), num(3))[0] == k.Product((num(3), num(3), A))


def test_gaussian_group_privacy():
    """G_a after G_b is G_(a+b), in terms of z = Phi^-1(1 - alpha)."""
    z, a, b = sympy.symbols("z a b", real=True)
    # Phi^-1(G_b(alpha)) = z - b, and 1 - (1 - G_b(alpha)) = G_b(alpha) goes into G_a.
    after = (z - b) - a
    assert sympy.expand(after - (z - (a + b))) == 0


# Post-processing: VII.1.


@thorough(pairs(3, least=1), st.lists(laws(2), min_size=3, max_size=3), factors)
def test_post_processing(laws_of, kernel, t):
    p, q = laws_of
    after = [
        [sum((x * row[n] for x, row in zip(law, kernel, strict=True)), Fraction(0)) for n in (0, 1)]
        for law in (p, q)
    ]
    assert excess(*after, t) <= excess(p, q, t)
    assert ratio(*after) <= ratio(p, q)
    if all(after[1]):
        assert moment(*after, 3) <= moment(p, q, 3)


# The pushforward: N2.


@thorough(
    st.lists(laws(3, least=1), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
    st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6),
)
def test_pushforward(law_of, image, neighbours):
    """A mechanism of the image is as private for the pushforward as it is for the granularity."""
    steps = {(image[a], image[b]) for x, y in neighbours for a, b in ((x, y), (y, x))}
    q = max(ratio(law_of[a], law_of[b]) for a, b in steps)
    far = {(a, b): 0 if a == b else 1 if (a, b) in steps else math.inf
           for a in range(3) for b in range(3)}  # fmt: skip
    for c, a, b in product(range(3), repeat=3):
        far[a, b] = min(far[a, b], far[a, c] + far[c, b])
    for a, b in product(range(3), repeat=2):
        if far[a, b] < math.inf:
            assert ratio(law_of[a], law_of[b]) <= max(q, 1) ** far[a, b]


@thorough(
    st.lists(st.tuples(laws(2, least=1), laws(2, least=1)), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
    st.integers(0, 3),
    factors,
)
def test_distances_of_a_pair_bound_the_composition(parts, seen, outcome, t):
    """At one pair of databases the losses add up, whatever the distances were."""
    whole_p, whole_q, delta, factor = [Fraction(1)], [Fraction(1)], Fraction(0), Fraction(1)
    for (p, q), r in zip(parts, seen, strict=True):
        here = (p, p) if r == 0 else (p, q)
        whole_p = [x * y for x in whole_p for y in here[0]]
        whole_q = [x * y for x in whole_q for y in here[1]]
        step = t**r
        factor, delta = factor * step, delta + excess(*here, step)
    assert excess(whole_p, whole_q, factor) <= delta
    event = [n for n in range(len(whole_p)) if n >> outcome & 1]
    gain = sum((whole_p[n] - factor * whole_q[n] for n in event), Fraction(0))
    assert gain <= delta


# Conversions.


@thorough(pairs(3, least=1), st.integers(2, 6))
def test_pure_pairs_have_the_moments_of_randomized_response_at_most(laws_of, alpha):
    p, q = laws_of
    t = max(ratio(p, q), ratio(q, p))
    assert moment(p, q, alpha) <= (t**alpha + t ** (1 - alpha)) / (1 + t)


def test_pure_to_zero_concentrated():
    """ln cosh(y) - ln cosh(x) <= (y^2 - x^2)/2 for 0 <= x <= y, at y = (alpha - 1/2) eps."""
    t, eps, alpha = sympy.symbols("t eps alpha", positive=True)
    gap = sympy.diff(t**2 / 2 - sympy.log(sympy.cosh(t)), t)
    assert sympy.simplify(gap - (t - sympy.tanh(t))) == 0
    assert sympy.simplify(sympy.diff(gap, t) - sympy.tanh(t) ** 2) == 0
    assert gap.subs(t, 0) == 0
    difference = ((alpha - sympy.Rational(1, 2)) ** 2 - sympy.Rational(1, 4)) * eps**2 / 2
    assert sympy.expand(difference - alpha * (alpha - 1) * eps**2 / 2) == 0
    # The moment of randomized response is that quotient of hyperbolic cosines.
    response = (sympy.exp(alpha * eps) + sympy.exp((1 - alpha) * eps)) / (1 + sympy.exp(eps))
    cosines = sympy.cosh((alpha - sympy.Rational(1, 2)) * eps) / sympy.cosh(eps / 2)
    assert sympy.simplify((response - cosines).rewrite(sympy.exp)) == 0


@pytest.mark.parametrize("q", [1.5, 2, 7, 40])
def test_pure_to_gaussian(q):
    """The kink of the trade-off curve of eps-DP lies on the Gaussian curve, which is convex."""
    normal = NormalDist()
    mu = 2 * normal.inv_cdf(q / (1 + q))
    kink = 1 / (1 + q)
    assert normal.cdf(normal.inv_cdf(1 - kink) - mu) == pytest.approx(kink)
    for n in range(1, 100):
        alpha = n / 100
        pure = max(1 - q * alpha, (1 - alpha) / q)
        assert normal.cdf(normal.inv_cdf(1 - alpha) - mu) <= pure + 1e-12


def test_gaussian_to_zero_concentrated():
    x = sympy.symbols("x", real=True)
    mu, alpha = sympy.symbols("mu alpha", positive=True)
    exponent = sympy.expand(-alpha * (x - mu) ** 2 / 2 - (1 - alpha) * x**2 / 2)
    square = sympy.expand(-((x - alpha * mu) ** 2) / 2)
    assert sympy.expand(exponent - square - alpha * (alpha - 1) * mu**2 / 2) == 0


@thorough(pairs(3, least=1), factors, st.integers(2, 6))
def test_zero_concentrated_to_approximate(laws_of, t, alpha):
    """Markov: the excess at e^eps is at most e^((alpha - 1)(D_alpha - eps))."""
    p, q = laws_of
    assert excess(p, q, t) <= moment(p, q, alpha) / t ** (alpha - 1)


def test_the_best_order_gives_the_formula():
    rho, log = sympy.symbols("rho L", positive=True)
    eps = rho + 2 * sympy.sqrt(rho * log)
    best = (eps + rho) / (2 * rho)
    exponent = (best - 1) * (rho * best - eps)
    assert sympy.simplify(exponent + log) == 0


@pytest.mark.parametrize(("mu", "eps"), [(1, 0.5), (0.5, 2), (2, 1)])
def test_gaussian_to_approximate(mu, eps):
    """The formula is the largest excess over half-lines, by direct search."""
    normal = NormalDist()

    def gain(x):
        return normal.cdf(mu - x) - math.exp(eps) * normal.cdf(-x)

    formula = normal.cdf(mu / 2 - eps / mu) - math.exp(eps) * normal.cdf(-mu / 2 - eps / mu)
    assert formula == pytest.approx(gain(eps / mu + mu / 2))
    assert all(gain(n / 50) <= formula + 1e-12 for n in range(-500, 500))
