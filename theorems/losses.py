"""Losses under partial knowledge composed by worst steps, Rényi orders and buckets.

The source says after its Theorem 6 that such methods can be used, and states none of them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from dpcomp_sym import balls
from dpcomp_sym.balls import Ball
from dpcomp_sym.notions.points import gaussian_delta
from dpcomp_sym.uncertainty.laws.accounting import (
    advanced_epsilon,
    bucket_curve,
    buckets,
    dependent_moment,
    moment,
    renyi_delta,
    step_factor,
    worst_steps,
)
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve
from dpcomp_sym.uncertainty.settings.claims import exponential
from theorems._entry import CheckedInScope, Discharged, Evidence, Obligation, theorem
from theorems._prove import by_induction, holds, identical, identities, smt
from theorems.des import is_dependency, possible_outcomes, small_cases

_FACTORS = (Fraction(1), Fraction(3, 2), Fraction(3))
_SCOPE = "two bits with probabilities in quarters, two bits out"


# ------------------------------------------------------------------ worst steps


@theorem(
    id="Des.advanced",
    statement="If |L(M_j)| ≤ ε_j and |dep_j| ≤ ε′_j surely, given a and given b, for the "
    "dependency of M_j on all mechanisms before it, the loss of M_j given any earlier outputs is "
    "at most e_j = ε_j + ε′_j either way, so that the composition loses at most what independent "
    "randomized responses with the e_j lose, and is (ε, δ)-private with ε = Σ e_j tanh(e_j/2) + "
    "√(2 ln(1/δ) Σ e_j²).",
    status="argued",
    cite="Des 3.2.4, after Thm6; optimal composition: Kairouz, Oh, Viswanath",
    latex=r"If $|\mathcal L(M_j)|\le\varepsilon_j$ and $|\mathrm{dep}_j|\le\varepsilon'_j$ surely, "
    r"with $e_j=\varepsilon_j+\varepsilon'_j$ the composition loses at most what independent "
    r"randomized responses with the $e_j$ lose, and is $(\varepsilon,\delta)$-private with "
    r"$\varepsilon=\sum_je_j\tanh\frac{e_j}2+\bigl(2\ln\frac1\delta\sum_je_j^2\bigr)^{1/2}$.",
)
def private_of_worst_steps() -> Evidence:
    """P, P₁, P₂ are the probabilities of (o₁, o₂), o₁, o₂ given a; Q, Q₁, Q₂ given b.

    With u = e^(−dep) and v = Q₂/P₂ the conditional ratio (Q/Q₁)/(P/P₁) is u v, a number between
    1/(c d) and c d if u lies between 1/d and d, and v between 1/c and c.
    """
    import z3

    u, v, c, d = z3.Reals("u v c d")
    p, p1, p2, q, q1, q2 = probabilities = z3.Reals("p p1 p2 q q1 q2")
    bounded = [c >= 1, d >= 1, u <= d, u * d >= 1, v <= c, v * c >= 1]
    return (
        smt({
            "(Q/Q₁)/(P/P₁) = u v where o₁ and o₂ are possible given b": holds(
                q * p1 == u * v * p * q1, *possible_outcomes(probabilities), q1 > 0, q2 > 0,
                is_dependency(u, probabilities), v * p2 == q2,
            ),
            "u v ≤ c d": holds(u * v <= c * d, *bounded),
            "u v ≥ 1/(c d)": holds((u * v) * (c * d) >= 1, *bounded),
        }, "step by step, with o₁ in the place of all earlier outputs: given these, two laws whose "
           "ratio is bounded both ways are random functions of a randomized response, whose loss "
           "lies between −e_j and e_j and has the mean e_j tanh(e_j/2), so that the tail of the "
           "sum has Hoeffding's bound; a passive attacker's δ is an average of such"),
        _steps_of_small_models(),
    )  # fmt: skip


def _steps_of_small_models() -> CheckedInScope:
    """Worst steps against exact curves, and the closed formula against worst steps."""
    count, true = 0, True
    for case in small_cases():
        steps = [step_factor(case, j) for j in (0, 1)]
        known = [step for step in steps if step is not None]
        if len(known) < len(steps):
            continue
        alone, dep = (
            max((max(x, 1 / x) for x in found.values() if x is not None), default=Fraction(1))
            for found in (case.losses([1]), case.dependencies(1))
        )
        true &= known[1] <= alone * dep
        exact, bound = DeltaCurve(case.loss_pairs([0, 1])), worst_steps(known)
        for x in _FACTORS:
            count += 1
            true &= exact.delta(x) <= bound.delta(x)
    for factors in ([Fraction(11, 10)] * 40, [Fraction(5, 4)] * 20, [Fraction(2), Fraction(3)]):
        for delta in (Fraction(1, 10), Fraction(1, 10**6)):
            count += 1
            low, _ = exponential(advanced_epsilon(factors, delta), 50)
            true &= worst_steps(factors).delta(low) <= delta
    return CheckedInScope(f"{_SCOPE}; three products of randomized responses", count, true)


# ------------------------------------------------------------------ Rényi orders


@theorem(
    id="Des.Renyi",
    statement="If dep ≤ ε′ surely, D_α of (M₁, M₂) is at most ε′ + D_(2α−1) of M₁ + D_(2α−1) of "
    "M₂, for every α > 1; with outputs that are independent given a, and given b, D_α is D_α of M₁ "
    "+ D_α of M₂.  One order gives δ = e^((α−1)(D_α − ε)) (1 − 1/α)^α/(α − 1) at ε.",
    status="argued",
    cite="Des 3.2.4, after Thm6; the last formula: Canonne, Kamath, Steinke, Prop. 12",
    latex=r"If $\mathrm{dep}\le\varepsilon'$ surely, then $D_\alpha(M_1,M_2)\le\varepsilon'+"
    r"D_{2\alpha-1}(M_1)+D_{2\alpha-1}(M_2)$ for every $\alpha>1$. If the outputs are independent "
    r"given $a$, and given $b$, then $D_\alpha(M_1,M_2)=D_\alpha(M_1)+D_\alpha(M_2)$. One order "
    r"gives $\delta=e^{(\alpha-1)(D_\alpha-\varepsilon)}\frac{(1-1/\alpha)^\alpha}{\alpha-1}$.",
)
def renyi_of_dependent_losses() -> Evidence:
    """The loss is L₁ + L₂ + dep, and e^((α−1)D_α) is the mean given a of e^((α−1)L).

    The inequality of Cauchy and Schwarz bounds the mean of e^((α−1)L₁) e^((α−1)L₂) by the root of
    those of e^(2(α−1)L₁) and e^(2(α−1)L₂), and 2(α − 1) = (2α − 1) − 1.  It is shown by induction
    on the number of outcomes, whose step uses the question before it.
    """
    import z3

    names = ("mixed", "first", "second", "weight", "one", "other")
    mixed, first, second, weight, one, other = (
        z3.Function(name, z3.IntSort(), z3.RealSort()) for name in names
    )
    p, p1, p2, q, q1, q2, r, r1, r2 = z3.Reals("p p1 p2 q q1 q2 r r1 r2")
    a, b, x, y, s = z3.Reals("a b x y s")

    def adding(n: Any) -> list[Any]:
        return [
            mixed(n + 1) == mixed(n) + weight(n) * one(n) * other(n),
            first(n + 1) == first(n) + weight(n) * one(n) * one(n),
            second(n + 1) == second(n) + weight(n) * other(n) * other(n),
            weight(n) >= 0, one(n) >= 0, other(n) >= 0,
            2 * mixed(n) * one(n) * other(n) <= first(n) * other(n) ** 2 + second(n) * one(n) ** 2,
        ]  # fmt: skip

    def claim(n: Any) -> Any:
        return z3.And(mixed(n) ** 2 <= first(n) * second(n), first(n) >= 0, second(n) >= 0)

    return (
        smt({
            "if S² ≤ A B, then 2 S x y ≤ A y² + B x²": holds(
                2 * s * x * y <= a * y * y + b * x * x, s * s <= a * b, a >= 0, b >= 0
            ),
            "(Σ w x y)² ≤ (Σ w x²)(Σ w y²), for every number of outcomes": by_induction(
                claim, [mixed(0) == 0, first(0) == 0, second(0) == 0], adding
            ),
            "P/Q = (P₁/Q₁) (P₂/Q₂) for independent outputs": holds(
                r == r1 * r2, r * q == p, r1 * q1 == p1, r2 * q2 == p2, p == p1 * p2, q == q1 * q2,
                q1 > 0, q2 > 0,
            ),
        }, "e^((α−1)dep) is at most e^((α−1)ε′); means over infinitely many outcomes are limits; "
           "for independent outputs powers multiply, and the mean of the product is the product of "
           "the means; "
           "max(0, 1 − e^(−z)) ≤ e^((α−1)z) (1 − 1/α)^α/(α − 1) for every z"),
        _orders_of_small_models(),
    )  # fmt: skip


def _orders_of_small_models() -> CheckedInScope:
    count, true = 0, True
    for case in small_cases():
        own = [moment(case.loss_pairs([j]), 3) for j in (0, 1)]
        both, deps = moment(case.loss_pairs([0, 1]), 2), case.dependencies(1).values()
        known = [x for x in (*own, *deps) if x is not None]
        if both is None or len(known) < len(own) + len(deps):
            continue
        bound = dependent_moment(known[0], known[1], max(known[2:]), 2)
        true &= both <= bound
        exact = DeltaCurve(case.loss_pairs([0, 1]))
        for x in _FACTORS:
            count += 1
            true &= exact.delta(x) <= renyi_delta(both, 2, x) <= renyi_delta(bound, 2, x)
    return CheckedInScope(_SCOPE, count, true)


# ------------------------------------------------------------------ buckets


@theorem(
    id="Des.buckets",
    statement="If k outputs are independent given a, and given b, their losses rounded up to "
    "multiples of h and convolved give a δ that is at least the exact one at ε and at most the "
    "exact one at ε − k h.",
    status="argued",
    cite="Des 3.2.4, after Thm6; privacy buckets: Meiser, Mohammadi",
    latex=r"If $k$ outputs are independent given $a$, and given $b$, their losses rounded up to "
    r"multiples of $h$ and convolved give $\delta^{\mathrm{up}}$ with "
    r"$\delta(\varepsilon)\le\delta^{\mathrm{up}}(\varepsilon)\le\delta(\varepsilon-kh)$.",
)
def losses_in_buckets() -> Evidence:
    """A loss that is rounded up by at most h has a probability Q′ with Q e^(−h) ≤ Q′ ≤ Q."""
    import z3

    p, q, r, x, b = z3.Reals("p q r x b")
    q1, q2, r1, r2, b1, b2 = z3.Reals("q1 q2 r1 r2 b1 b2")
    known = [p >= 0, q >= 0, x >= 0, b >= 1, r >= 0]

    def excess(first: Any, second: Any) -> Any:
        return z3.If(first >= second, first - second, 0)

    rounded = [r1 >= 0, r2 >= 0, r1 <= q1, r2 <= q2, q1 <= b1 * r1, q2 <= b2 * r2,
               b1 >= 1, b2 >= 1]  # fmt: skip
    return (
        smt({
            "Q′ ≤ Q gives no smaller excess": holds(
                excess(p, x * q) <= excess(p, x * r), *known, r <= q
            ),
            "Q ≤ b Q′ gives none that is larger than at x/b": holds(
                b * excess(p, x * r) <= excess(b * p, x * q), *known, q <= b * r
            ),
            "products of roundings are below": holds(r1 * r2 <= q1 * q2, *rounded),
            "and within the product of the factors": holds(
                q1 * q2 <= b1 * b2 * (r1 * r2), *rounded
            ),
        }, "excesses are added over all outcomes, outcomes in one bucket have one loss, and the "
           "loss of independent outputs is the sum of their losses; k outputs by induction"),
        _buckets_of_small_models(),
    )  # fmt: skip


def _buckets_of_small_models() -> CheckedInScope:
    count, true = 0, True
    laws = [(Fraction(n, 6), Fraction(6 - n, 6)) for n in range(7)]
    for one, other, third, fourth in product(laws, laws[::2], laws[::3], laws[1::2]):
        singles = [list(zip(one, other, strict=True)), list(zip(third, fourth, strict=True))]
        exact = DeltaCurve((p * r, q * s) for (p, q), (r, s) in product(*singles))
        for base in (Fraction(3, 2), Fraction(4)):
            found = bucket_curve([buckets(pairs, base) for pairs in singles], base)
            for x in _FACTORS:
                count += 1
                true &= exact.delta(x) <= found.delta(x) <= exact.delta(x / base**2)
    return CheckedInScope("two independent outputs with two values, in sixths", count, true)


# ------------------------------------------------------------------ a quoted limit


@theorem(
    id="Des.limit",
    statement="The number of 2m fair bits and any continuous law, such as a normal one, have "
    "distribution functions that differ by at least 1/(4√m) somewhere: what replaces the law of a "
    "count by a normal one has an error of the order of one over the root of the number of people.",
    status="argued",
    cite="Des 3.2.4, nested composition, which says so of the central limit theorem",
    latex=r"The number of $2m$ fair bits and any continuous law have distribution functions that "
    r"differ by at least $\frac1{4\sqrt m}$ somewhere, since the count has the value $m$ with "
    r"probability $4^{-m}\binom{2m}m\ge\frac1{2\sqrt m}$.",
)
def normal_error_of_counts() -> Evidence:
    """With a_m = C(2m, m)/4^m: 4 m a_m² does not fall, and is 1 for m = 1."""
    return smt(
        {"4 m a_m² ≥ 1, from a_1 = 1/2 and (2m + 2) a_(m+1) = (2m + 1) a_m": _largest_atom()},
        "a distribution function that jumps by a_m is at least a_m/2 away from one that does not "
        "jump, on one side of the jump or on the other",
    )


def _largest_atom() -> Obligation:
    """Ask with m = n + 1, so that the induction starts at m = 1."""
    import z3

    atom = z3.Function("a", z3.IntSort(), z3.RealSort())

    def claim(n: Any) -> Any:
        return z3.And(4 * (z3.ToReal(n) + 1) * atom(n) ** 2 >= 1, atom(n) > 0)

    def step(n: Any) -> list[Any]:
        m = z3.ToReal(n) + 1
        return [(2 * m + 2) * atom(n + 1) == (2 * m + 1) * atom(n)]

    return by_induction(claim, [2 * atom(0) == 1], step)


@theorem(
    id="Des.limit",
    statement="A count over n unknown records, each there with probability p by itself, with "
    "N(0, σ²) added: its δ at ε is at most δ_μ(ε) + (1 + e^ε) K, with μ = 1/√(σ² + n p (1 − p)), "
    "less than the 1/σ of the noise alone, δ_μ that of μ-GDP, and K the largest difference of the "
    "distribution functions of the count and of the normal law with its mean and variance.  K and "
    "δ_μ(ε) fall to 0, so that from some n on both together are better than the noise alone; never "
    "are they worse than the noise alone, or the count alone.",
    status="argued",
    cite="Des 3.2.4, nested composition, which quotes Theorem 6 of its reference 176: here for "
    "counts, with proof",
    latex=r"A count over $n$ unknown records, each there with probability $p$, with "
    r"$N(0,\sigma^2)$ added has $\delta(\varepsilon)\le\delta_\mu(\varepsilon)+"
    r"(1+e^{\varepsilon})K$, where $\mu=1/\sqrt{\sigma^2+np(1-p)}$ and $K$ is the largest "
    r"difference of the distribution functions of the count and of the normal law with its mean "
    r"and variance; so from some $n$ on both together are better than the noise alone, and never "
    r"worse.",
)
def approximate_of_count_with_gaussian_noise() -> Evidence:
    """The best tests are half-lines, whose probabilities are those of normal laws up to K.

    With and without the target the law is that of B + Z and of B + 1 + Z, B binomial and Z normal.
    The ratio of the densities at x is a mean of P[B = k − 1]/P[B = k], which rises with k, under
    weights P[B = k] φ(x − k), of which more lies at larger k for larger x: it rises, too.  Adding Z
    to B and to its normal law brings their distribution functions no further apart.
    """
    return (*_half_lines(), _better_than_noise())


def _half_lines() -> tuple[Discharged, Discharged]:
    import sympy
    import z3

    x, y, k, m = sympy.symbols("x y k m")
    pairs = identities({
        "φ(x − k) φ(y − m) ≥ φ(x − m) φ(y − k) for x ≤ y, k ≤ m: the exponents differ by the "
        "product (y − x)(m − k)": identical(
            ((x - m) ** 2 + (y - k) ** 2 - (x - k) ** 2 - (y - m) ** 2) / 2, (y - x) * (m - k)
        ),
    })  # fmt: skip
    n, i = z3.Ints("n i")
    a, b, g, h, f, d, K, v, w, m1, m2 = z3.Reals("a b g h f d K v w m1 m2")
    parts = smt(
        {
            "(n − i)/(i + 1) ≤ (n − i + 1)/i: P[B = i − 1]/P[B = i] rises": holds(
                (n - i) * i <= (n - i + 1) * (i + 1), i >= 1, i <= n
            ),
            "on a half-line a ≤ g + K, b ≥ h − K, g ≤ f h + δ give a ≤ f b + δ + (1 + f) K": holds(
                a <= f * b + d + (1 + f) * K, a <= g + K, b >= h - K, g <= f * h + d, f >= 1
            ),
            "μ < 1/σ, from μ² (σ² + w) = 1 and w > 0": holds(
                m1 < m2, m1 * m1 * (v + w) == 1, m2 * m2 * v == 1, v > 0, w > 0, m1 > 0, m2 > 0
            ),
        },
        "where the ratio rises, the events at which P − e^ε Q is largest are half-lines; K and μ "
        "fall to 0 by the central limit theorem; given the other records both together are the "
        "noise alone, and δ is no more for a mixture; adding the noise is post-processing",
    )
    return parts, pairs


def count_with_noise(bits: int = 84, spread: int = 2) -> tuple[bool, bool]:
    """Say whether the bound holds of fair bits, and whether it is below that of the noise alone.

    At ε = 1/10, by enclosures, on the half-lines around the middle; σ is ``spread``, and
    σ² + bits/4 a square.

    >>> count_with_noise(20)
    (True, False)
    """
    eps, root = Fraction(1, 10), balls.sqrt(Ball.of(Fraction(bits, 4)))
    laws = [Fraction(math.comb(bits, k), 2**bits) for k in range(bits + 1)]
    sums = [sum(laws[:k], Fraction(0)) for k in range(bits + 2)]
    middle = bits // 2
    normal = [1 - balls.normal_tail(Ball.of(k - middle) / root) for k in range(bits + 1)]
    error = max(
        max((x - one).upper, (one - x).upper)
        for k, one in enumerate(normal)
        for x in sums[k : k + 2]
    )
    together = Fraction(1, math.isqrt(spread**2 + bits // 4))
    bound = gaussian_delta(together, eps) + (1 + balls.exp(eps).upper) * error

    @cache
    def tail(t: int) -> Ball:
        return balls.normal_tail(Ball.of(Fraction(t, spread)))

    def above(t: int) -> Ball:
        """Return how likely the noisy count without the target is above t."""
        return sum((tail(t - k) * laws[k] for k in range(bits + 1)), Ball.of(0))

    near = range(middle - 12, middle + 18)
    losses = [(above(t - 1) - balls.exp(eps) * above(t)).lower for t in near]
    return max(losses) <= bound, bound < gaussian_delta(Fraction(1, spread), eps)


def _better_than_noise() -> CheckedInScope:
    return CheckedInScope(
        "84 fair bits, σ = 2, ε = 1/10, 30 half-lines", 30, all(count_with_noise())
    )
