"""Published statements made complete: bounds that are the best ones, and lemmas that were cited."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._facts import bounded_by, posed
from theorems._finite import Law, moment, ratio, tradeoff_at
from theorems._prove import by_induction, holds, identical, identities, smt


def _loses_all() -> Discharged:
    """A block that changes is seen at distance 1, and a part that sees it loses all of ε_i."""
    import z3

    r, n = z3.Int("r"), z3.Int("distance")
    eps, most, other = z3.Reals("eps most other")
    real = z3.ToReal(r)
    return smt({
        "different images are a whole number of steps apart, at least 1; with C2 they are 1": holds(
            r == 1, r >= 1, r <= n, n == 1
        ),
        "the loss at that pair, Σ r_i ε_i, is the largest ε_i; nothing below bounds it": holds(
            z3.Not(real * eps <= other), r == 1, eps == most, other < most
        ),
    }, "N1: parts that are private for their metrics everywhere lose Σ r_i ε_i at one pair; there "
       "the other blocks are the same")  # fmt: skip


def _tight(problem: Problem) -> Computed:
    names = ("pure", "zcdp", "gaussian")
    found = {bound.notion: str(bound.tight) for bound in derive(problem).bounds}
    return Computed(dict.fromkeys(names, "yes"), {name: found[name] for name in names})


@theorem(
    id=("GB24.IV.6", "GB24.V.4"),
    statement="Under C1 and C2 max ε_i is the best bound, if some neighbours change a block with "
    "the largest ε_i: there are parts that are G ε_i-DP on their own domains and together lose it.",
    status="rocq",
    cite="GB24.IV.6, V.4; that it is tight is shown here, by N1",
    latex=r"If some $D\sim_{\mathcal G}D'$ have $f_j(D)\ne f_j(D')$ with $\varepsilon_j=\max_i"
    r"\varepsilon_i$, no bound below $\max_i\varepsilon_i$ holds under C1 and C2.",
)
def tight_max_of_compatible_nonexpansive() -> Evidence:
    """By N1, at the neighbours that change this block; for partitions by value it is decided."""
    problem = posed("unbounded", "partition")
    return _loses_all(), *bounded_by(problem, {"pure": "max(eps[i])"}), _tight(problem)


@theorem(
    id=("GB24.IV.12", "GB24.V.6", "GB24s.III.4"),
    statement="On the common domain, under C1, max ε_i is the best bound, if some neighbours "
    "change a block with the largest ε_i: there are parts that are G ε_i-DP on the whole domain, "
    "depend on their block only, and together lose it.",
    status="rocq",
    cite="GB24.IV.12, V.6; GB24s.III.4; that it is tight is shown here, by N1",
    latex=r"If some $D\sim_{\mathcal G}D'$ have $f_j(D)\ne f_j(D')$ with $\varepsilon_j=\max_i"
    r"\varepsilon_i$, no bound below $\max_i\varepsilon_i$ holds for $f_i$-dependent parts under "
    r"C1.",
)
def tight_max_of_compatible_dependent() -> Evidence:
    """By N1 with the pushforwards of G, at which the images of neighbours are 1 apart or equal."""
    problem = posed("unbounded", "partition", "common")
    return _loses_all(), *bounded_by(problem, {"pure": "max(eps[i])"}), _tight(problem)


# ------------------------------------------------------------------ divergences


@theorem(
    id=("GB24.VI.9", "GB24.VI.11"),
    statement="For all orders p, α > 1: D_α(P‖Q) ≤ (α − 1/p)/(α − 1) D_(pα)(P‖R) + "
    "D_((pα−1)/(p−1))(R‖Q).  And D_∞, the largest ln P(S)/Q(S), is the supremum of all D_α: M is "
    "d-private iff D_α(M(D)‖M(D′)) ≤ d(D, D′) for all α > 1 and all D, D′.",
    status="rocq",
    cite="GB24.VI.9, VI.11, with proof; Mironov 2017",
    latex=r"For $p,\alpha>1$: "
    r"$D_\alpha(P\|Q)\le\frac{\alpha-1/p}{\alpha-1}D_{p\alpha}(P\|R)+D_\beta(R\|Q)$ with "
    r"$\beta=(p\alpha-1)/(p-1)$; and $\sup_\alpha D_\alpha(P\|Q)$ is the largest "
    r"$\ln P(S)/Q(S)$.",
)
def renyi_of_triangles_and_of_infinite_order() -> Evidence:
    """Hölder's inequality with p and p/(p−1); and one event, by merging all outcomes outside it.

    Where p ≤ tq outcome by outcome, (p/q)^(α−1) ≤ t^(α−1), so D_α ≤ ln t.  If P(S) = t Q(S), the
    event S alone gives (α−1) D_α ≥ α ln P(S) + (1−α) ln Q(S), so that D_α ≥ ln t + ln P(S)/(α−1),
    which tends to ln t.
    """
    import sympy
    import z3

    a, p, u, v = sympy.symbols("alpha p u v")
    x, power, top = z3.Reals("x power top")
    second = (p * a - 1) / (p - 1)
    return identities({
        "R's exponent in the first factor, to the power p: −(α − 1/p) p = 1 − pα": identical(
            -(a - 1 / p) * p, 1 - p * a
        ),
        "R's exponent in the second factor: (α − 1/p) p/(p − 1) = (pα − 1)/(p − 1)": identical(
            (a - 1 / p) * p / (p - 1), second
        ),
        "Q's: (1 − α) p/(p − 1) = 1 − (pα − 1)/(p − 1)": identical(
            (1 - a) * p / (p - 1), 1 - second
        ),
        "the weights: (pα − 1)/p = α − 1/p": identical((p * a - 1) / p, a - 1 / p),
        "and (p − 1)/p · ((pα − 1)/(p − 1) − 1) = α − 1": identical(
            (p - 1) / p * (second - 1), a - 1
        ),
        "one event: (α u + (1 − α) v)/(α − 1) = u − v + u/(α − 1)": identical(
            (a * u + (1 - a) * v) / (a - 1), u - v + u / (a - 1)
        ),
    }, "Hölder's inequality; merging outcomes is post-processing (GB24.VII.1)"), smt({
        "an outcome: p (p/q)^(α−1) ≤ p t^(α−1), where the power is at most t^(α−1)": holds(
            x * power <= x * top, x >= 0, power <= top
        ),
    }), _triangles()  # fmt: skip


def _triangles() -> CheckedInScope:
    """All triples of laws on three outcomes, in fifths, at p = 2 and α = 2: orders 2, 4 and 3."""
    laws = [
        tuple(Fraction(n, 5) for n in (x, y, 5 - x - y))
        for x, y in product(range(1, 4), repeat=2)
        if x + y < 5
    ]
    cases, true = 0, True
    for p, q, r in product(laws, repeat=3):
        cases += 1
        # D_2 ≤ 3/2 D_4 + D_3, as e^(2 D_2) ≤ e^(3 D_4) e^(2 D_3).
        true &= moment(p, q, 2) ** 2 <= moment(p, r, 4) * moment(r, q, 3)
        most = ratio(p, q)
        true &= all(moment(p, q, n) <= most ** (n - 1) for n in (2, 3, 9))
        true &= moment(p, q, 9) >= most**8 / 5
    return CheckedInScope("all triples of laws on three outcomes, in fifths", cases, true)


# ------------------------------------------------------------------ Gaussian


@theorem(
    id="GB24.VI.20",
    statement="T(P, R)(α) ≥ T(P″, R)(1 − T(P, P″)(α)) for all laws P, P″, R and all levels α: what "
    "a path of two steps loses.",
    status="rocq",
    cite="GB24.VI.20, the lemma of its proof, with proof",
    latex=r"$T(P,R)(\alpha)\ge T(P'',R)\bigl(1-T(P,P'')(\alpha)\bigr)$ for all $P,P'',R$ and all "
    r"$\alpha\in[0,1]$.",
)
def tests_of_two_steps() -> Evidence:
    """A test at level α of P has a level of at most 1 − T(P, P″)(α) under P″."""
    import z3

    real = z3.RealSort()
    second = z3.Function("T(P'', R)", real, real)
    first, level, power, x, y = z3.Reals("first level power x y")
    falls = z3.ForAll([x, y], z3.Implies(x <= y, second(x) >= second(y)))
    return smt({
        "every test at level α has the type II error T(P″, R)(1 − T(P, P″)(α)) or more": holds(
            1 - power >= second(1 - first),
            1 - level >= first, 1 - power >= second(level), falls,
        ),
    }, "T is the infimum over all tests at level α"), _paths_of_tests()  # fmt: skip


def _paths_of_tests() -> CheckedInScope:
    laws: list[Law] = [
        (Fraction(x, 4), Fraction(y, 4), Fraction(4 - x - y, 4))
        for x, y in product(range(5), repeat=2)
        if x + y <= 4
    ]
    cases, true = 0, True
    least = cache(tradeoff_at)  # the same pairs of laws occur in many triples
    for (p, m, r), n in product(product(laws, repeat=3), (0, 1, 3)):
        cases += 1
        level = Fraction(n, 7)
        between = 1 - least(p, m, level)
        true &= least(p, r, level) >= least(m, r, between)
    return CheckedInScope("all triples of laws on three outcomes, in quarters", cases, true)


@theorem(
    id=("GB24.VI.21", "GB24.A.16"),
    statement="The tests of two turns are no better than those of two independent pairs: if no "
    "test of M_1 is better than the best ones of a pair (P, Q), which are nested events, and no "
    "test of M_2(s) is better than the best ones of (P′, Q′), whatever the first output s was, "
    "then M_2 after M_1 has T(α) ≥ T(P × P′, Q × Q′)(α + 1/n) for every n.",
    status="rocq",
    cite="GB24.VI.21, A.16, the adaptive half, with proof",
    latex=r"If no test of $M_1$ is better than the best ones of $(P,Q)$, which are nested events, "
    r"and no test of any $M_2(s,\cdot)$ better than the best ones of $(P',Q')$, then "
    r"$T\bigl(s,M_2(s,\cdot)\bigr)(\alpha)\ge T(P\times P',Q\times Q')(\alpha+1/n)$ for all $n$.",
)
def tests_of_two_turns() -> Evidence:
    """A test of both outputs becomes one of two independent variables, up to 1/n.

    Given s, it has a level a(s) and the power h(a(s)) at most, h the best power of (P′, Q′).  With
    b(x) = j/n where x lies in the best events of (P, Q) at the levels P[a > i/n], i < j, the mean
    of b is at most that of a and 1/n, and that of h(b) under Q at least that of h(a): these events
    are nested, so that both means are sums over the stairs i/n.
    """
    import z3

    stairs, top = z3.Function("stairs", z3.IntSort(), z3.IntSort()), z3.Real("n a")

    def close(m: Any) -> Any:
        reached = z3.Or(stairs(m) == m, top <= stairs(m))
        return z3.And(stairs(m) <= m, stairs(m) <= top + 1, reached)

    return smt(
        {
            "of the stairs i/n, i < m, below a there are m, or between n a and n a + 1": (
                by_induction(
                    close,
                    [stairs(0) == 0, top >= 0],
                    lambda m: [
                        stairs(m + 1) == stairs(m) + z3.If(z3.ToReal(m) < top, 1, 0), top >= 0,
                    ],
                )
            ),
        },
        "sums over the stairs, first under the laws of s, then under (P, Q)",
    )  # fmt: skip


@theorem(
    id=("GB24.VI.21", "GB24.A.16"),
    statement="The tests of an adaptive composition are no better than those of the product of "
    "two Gaussian pairs: if T(M_1) ≥ G_μ, and T(M_2(s)) ≥ G_ν for every first output s, then M_2 "
    "after M_1 has T ≥ G_√(μ² + ν²).",
    status="argued",
    cite="GB24.VI.21, A.16, with proof",
    latex=r"If $T(M_1)\ge G_\mu$ and $T(M_2(s,\cdot))\ge G_\nu$ for every $s$, then "
    r"$T\bigl(s,M_2(s,\cdot)\bigr)\ge G_{\sqrt{\mu^2+\nu^2}}$.",
)
def gaussian_of_two_turns() -> Evidence:
    """Its tests are no better than those of two independent normal variables (tests_of_two_turns).

    The best tests of N(0, 1) and N(μ, 1) are half-lines, which are nested and have each level.  The
    two variables together are one normal variable in the direction of the shift (μ, ν), with the
    trade-off function G_√(μ² + ν²), and one that is independent of it and has one law under both
    hypotheses.  A test of both, averaged over the second one, is a test of the first with the same
    errors; so no test has fewer than G says.
    """
    import sympy

    x, y, mu, nu = sympy.symbols("x y mu nu")
    along, across = mu * x + nu * y, nu * x - mu * y
    return identities({
        "across the direction of the shift nothing is shifted": identical(
            across.subs({x: x + mu, y: y + nu}, simultaneous=True), across
        ),
        "along it the shift is μ² + ν², of a variable with the variance μ² + ν²": identical(
            along.subs({x: x + mu, y: y + nu}, simultaneous=True) - along, mu**2 + nu**2
        ),
        "the two are orthogonal, and so independent": identical(
            sympy.Derivative(along, x) * sympy.Derivative(across, x)
            + sympy.Derivative(along, y) * sympy.Derivative(across, y), sympy.Integer(0)
        ),
    }, "the ratio of the two normal densities rises, so that half-lines are the best tests; "
       "orthogonal forms of independent normal variables are normal and independent; averaging "
       "over a variable that has one law changes no error; G is continuous, so that 1/n goes to "
       "0; two of more parts at a time, the first ones as one")  # fmt: skip


@theorem(
    id="GB24.VI.25",
    statement="Where neighbours have one record less in each of two blocks, for every universe, "
    "label function and k, Gaussian private parts lose the root of the sum of the two largest "
    "μ_i², and pure ones the sum of the two largest ε_i; for equal μ that is √2 μ, against 2 μ.",
    status="derived",
    cite="GB24.VI.25, with the two blocks decided",
    latex=r"If $D'$ is $D$ without one record in each of two blocks, the composition of the parts "
    r"is $\mu$-Gaussian private with $\mu=\max_{i\ne j}\sqrt{\mu_i^2+\mu_j^2}$.",
)
def gaussian_two_largest_of_two_records() -> Evidence:
    """That two blocks change, by one record each, is decided; the kernel enumerates the rest."""
    edit = Edit(
        {"x": "cell", "y": "cell"},
        "D[x] >= 1 and D[y] >= 1 and h(id(x)) != h(id(y))",
        {"x": "-1", "y": "-1"},
    )
    domain = Domain({"id": "Record"}, {"h": (["Record"], "int")})
    labels = library_map("labels", name="p", label="h(id(c))")
    part = Part("M", "p", granularity=library_granularity("unbounded"))
    problem = Problem(domain, Granularity("two records", [edit]), [labels], [part])
    return bounded_by(problem, {
        "gaussian": "sqrt(sum of the 2 largest mu[i]^2)", "pure": "sum of the 2 largest eps[i]",
    })  # fmt: skip
