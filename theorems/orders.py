"""Rényi orders, groups and curves: what sharper conversions give, beside the usual forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym.optimal.pairs import truncated_geometric
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._finite import Law, excess, moment, tradeoff
from theorems._prove import by_induction, holds, identical, identities, smt
from theorems.conversions import rule_of


@theorem(
    id="conversions.renyi-group",
    statement="If D_α ≤ ξ + ρα between neighbours for all orders α > 1, then at distance k of the "
    "canonical metric D_α ≤ k² ρα + ξ kα Σ_(j=1..k) 1/(k(α−1) + j) for all α > 1.  That is "
    "between k² ρα + kξ and the usual k² ρα + k H_k ξ, H_k = 1 + ½ + … + 1/k, its limit at "
    "α = 1.",
    status="argued",
    cite="this project; k H_k ξ: Bun, Steinke 2016, Prop. 27",
    latex=r"D_\alpha\le k^2\rho\alpha+\xi\,k\alpha\sum_{j=1}^{k}\frac{1}{k(\alpha-1)+j}"
    r"\le k^2\rho\alpha+\xi\,k\sum_{j=1}^{k}\frac1j",
)
def renyi_of_group() -> Evidence:
    """A step after k steps, by the weak triangle inequality at the best of its orders.

    D_α(P‖Q) ≤ (α − 1/p)/(α − 1) D_(pα)(P‖R) + D_(pα−1)/(p−1)(R‖Q) for every p > 1, Hölder's
    inequality.  With p = 1 + (α − 1)/(αk) every term of the sum for k at the order pα becomes the
    same term of that for k + 1 at α, and the step adds the last one.
    """
    import sympy
    import z3

    k, a, rho, xi, j = sympy.symbols("k alpha rho xi j", positive=True)
    p = 1 + (a - 1) / (a * k)
    before, step = p * a, (p * a - 1) / (p - 1)
    factor = (a - 1 / p) / (a - 1)

    def term(blocks: Any, order: Any, number: Any) -> Any:
        return blocks * order / (blocks * (order - 1) + number)

    n, number, order = z3.Reals("k j alpha")
    inside = [number >= 1, number <= n, order > 1]
    return identities({
        "Hölder's second exponent: (α − 1/p) p/(p − 1) = (pα − 1)/(p − 1)": identical(
            (a - 1 / j) * j / (j - 1), (j * a - 1) / (j - 1)
        ),
        "and (1 − α) p/(p − 1) is 1 minus that": identical(
            (1 - a) * j / (j - 1), 1 - (j * a - 1) / (j - 1)
        ),
        "the order of the step is (k + 1)α": identical(step, (k + 1) * a),
        "k² ρ becomes, with the step, (k + 1)² ρ": identical(
            factor * k**2 * rho * before + rho * step, (k + 1) ** 2 * rho * a
        ),
        "term j becomes term j": identical(factor * term(k, before, j), term(k + 1, a, j)),
        "the step adds term k + 1": identical(xi, xi * term(k + 1, a, k + 1)),
    }, "Hölder's inequality; induction along a path"), smt({
        "a term is at most k/j and at least 1": holds(
            z3.And(
                n * order * number <= n * (n * (order - 1) + number),
                n * order >= n * (order - 1) + number,
            ),
            *inside,
        ),
        "its denominator is positive": holds(n * (order - 1) + number > 0, *inside),
    })  # fmt: skip


# ------------------------------------------------------------------ to approximate


def least_factor(order: int) -> Fraction:
    """Return (1 − 1/α)^α/(α − 1), what the usual conversion leaves out.

    >>> least_factor(2)
    Fraction(1, 4)
    """
    return (1 - Fraction(1, order)) ** order / (order - 1)


@theorem(
    id="conversions.renyi-approximate",
    statement="If D_α(P‖Q) ≤ γ for one order α > 1, then P(S) ≤ e^ε Q(S) + δ for all events S and "
    "every real ε, with δ = e^((α−1)(γ−ε)) (1 − 1/α)^α/(α − 1); so for each δ it holds with "
    "ε = γ + ln((α−1)/α) − (ln δ + ln α)/(α−1), and with 0 in the place of a negative ε.  No "
    "smaller factor than (1 − 1/α)^α/(α − 1) serves all pairs and all ε; the usual "
    "ε = γ + ln(1/δ)/(α−1) has the factor 1.",
    status="argued",
    cite="Canonne, Kamath, Steinke 2020; the larger ε is Mironov 2017, Prop. 3",
    latex=r"\delta=\frac{e^{(\alpha-1)(\gamma-\varepsilon)}}{\alpha-1}\Bigl(1-\frac1\alpha"
    r"\Bigr)^{\alpha},\qquad\varepsilon=\gamma+\ln\frac{\alpha-1}{\alpha}-\frac{\ln\delta+"
    r"\ln\alpha}{\alpha-1}<\gamma+\frac{\ln(1/\delta)}{\alpha-1}",
)
def approximate_of_renyi() -> Evidence:
    """With v = e^ε q/p an outcome adds p max(0, 1 − v), and (1 − v) v^(α−1) is largest at 1 − 1/α.

    The sum of p v^(1−α) is e^((α−1)(D_α − ε)).  The factor is the least: where P is uniform on
    two outcomes and one of them has v = 1 − 1/α, the other adds to the moment what vanishes as ε
    grows, and the excess is that of the bound.  δ falls as ε grows, so 0 may stand for ε < 0.
    """
    return _largest_excess(), *_outcome_by_outcome()


def _largest_excess() -> Discharged:
    import sympy

    a, v, X = sympy.symbols("alpha v X", positive=True)
    top, half = 1 - 1 / a, sympy.Rational(1, 2)
    logarithm = sympy.log(1 - v) + (a - 1) * sympy.log(v)
    return identities({
        "the slope of ln((1 − v) v^(α−1)) is (α − 1 − αv)/(v(1 − v))": identical(
            sympy.Derivative(logarithm, v), (a - 1 - a * v) / (v * (1 - v))
        ),
        "at v = 1 − 1/α it is 0": identical((a - 1 - a * v).subs(v, top), sympy.Integer(0)),
        "there 1 − v = 1/α: with X = (1 − 1/α)^(α−1) the value is X(1 − 1/α)/(α − 1)": identical(
            (1 - top) * X, X * top / (a - 1)
        ),
        "attained: the excess ½(1 − v) is the value times ½ v^(1−α)": identical(
            half * (1 - top), X * top / (a - 1) * half / X
        ),
    }, "a function that rises up to one point and falls from there is largest there; the limit of "
       "large ε for the least factor")  # fmt: skip


def _outcome_by_outcome() -> tuple[Discharged | CheckedInScope | Computed, ...]:
    import z3

    p, q, s, t, v, weight, factor = z3.Reals("p q s t v weight factor")
    x, y, slope, order = z3.Reals("x y slope alpha")

    def over(e: Any) -> Any:
        return z3.If(p >= e * q, p - e * q, 0)

    return smt({
        "the slope is positive below 1 − 1/α and negative above": holds(
            z3.And(z3.Implies(v * order < order - 1, slope > 0),
                   z3.Implies(v * order > order - 1, slope < 0)),
            slope * v * (1 - v) == order - 1 - order * v, v > 0, v < 1, order > 1,
        ),
        "p − tq = p(1 − v) ≤ factor · p v^(1−α), if (1 − v) v^(α−1) ≤ factor": holds(
            p - t * q <= factor * p * weight,
            v * p == t * q, (1 - v) * y <= factor, y * weight == 1, y > 0, p >= 0,
        ),
        "a larger e^ε has no larger excess": holds(over(s) <= over(t), t <= s, q >= 0, p >= 0),
        "the factor, (1/α) times a power of 1 − 1/α, is below 1": holds(
            x * y < 1, x > 0, x < 1, y > 0, y <= 1
        ),
    }), _excesses(), _least_factors()  # fmt: skip


def _excesses() -> CheckedInScope:
    """All pairs of laws on three outcomes, in sevenths, at e^ε on both sides of 1."""
    laws: list[Law] = [
        (Fraction(x, 7), Fraction(y, 7), Fraction(7 - x - y, 7))
        for x, y in product(range(8), repeat=2)
        if x + y < 7 and x and y
    ]
    cases, true = 0, True
    for p, q, order in product(laws, laws, (2, 3, 5)):
        found = moment(p, q, order)
        for factor in (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)):
            cases += 1
            bound = least_factor(order) * factor ** (1 - order) * found
            true &= excess(p, q, factor) <= bound
    return CheckedInScope(
        "all pairs of laws on three outcomes in sevenths, α in {2, 3, 5}, e^ε in {1/2, 1, 3/2, 3}",
        cases, true,
    )  # fmt: skip


def _least_factors() -> Computed:
    """The pair that needs the factor, at α = 2 and e^ε = 100; and equal laws at an ε below 0."""
    half, factor = Fraction(1, 2), Fraction(100)
    p, q = (half, half), (half / (2 * factor), 1 - half / (2 * factor))
    share = excess(p, q, factor) * factor / moment(p, q, 2)
    same = (half, half)
    return Computed(
        {"δ e^ε/moment at α = 2": Fraction(399, 1600), "and at most": Fraction(1, 4),
         "δ of equal laws at e^ε = 1/2": half, "δ of the formula there": half},
        {"δ e^ε/moment at α = 2": share, "and at most": least_factor(2),
         "δ of equal laws at e^ε = 1/2": excess(same, same, half),
         "δ of the formula there": least_factor(2) / half * moment(same, same, 2)},
    )  # fmt: skip


@theorem(
    id="conversions.zcdp-approximate",
    statement="ρ-zCDP is (ε, δ)-DP for 0 < δ < 1 and ε = ρα + ln((α−1)/α) − (ln δ + ln α)/(α−1), "
    "with any α > 1, and with 0 in its place where that is negative.  Already at "
    "α = 1 + √(ln(1/δ)/ρ) this is less than the usual ρ + 2√(ρ ln 1/δ).",
    status="rule",
    cite="Canonne, Kamath, Steinke 2020; the larger ε is Bun, Steinke 2016, Prop. 1.3",
    latex=r"\varepsilon=\max\Bigl\{0,\min_{\alpha>1}\Bigl(\rho\alpha+\ln\frac{\alpha-1}{\alpha}-"
    r"\frac{\ln\delta+\ln\alpha}{\alpha-1}\Bigr)\Bigr\}<\rho+2\sqrt{\rho\ln(1/\delta)}",
)
def approximate_of_zcdp_at_best_order() -> Evidence:
    """γ = ρα in the conversion of one Rényi order, with a = √ρ and b = √(ln 1/δ)."""
    import sympy
    import z3

    a, b = sympy.symbols("a b", positive=True)
    order = 1 + b / a
    alpha, log_less, log_order = z3.Reals("alpha ln((α−1)/α) ln(α)")
    return rule_of("zcdp", "approximate", "rho", "delta"), identities({
        "without the two further logarithms ρα + ln(1/δ)/(α−1) = ρ + 2√(ρ ln 1/δ)": identical(
            a**2 * order + b**2 / (order - 1), a**2 + 2 * a * b
        ),
    }), smt({
        "and these make it less: ln((α−1)/α) < 0 < ln α": holds(
            log_less - log_order / (alpha - 1) < 0, alpha > 1, log_less < 0, log_order > 0
        ),
    }), _largest_excess(), *_outcome_by_outcome()  # fmt: skip


# ------------------------------------------------------------------ pure to Gaussian, at a distance


@theorem(
    id="conversions.pure-gaussian",
    statement="At distance r ≥ 1 of the canonical metric the least μ such that every ε-DP "
    "mechanism has the trade-off function G_μ is −Φ⁻¹(a^i/(1+a)) − Φ⁻¹(a^j/(1+a)), with "
    "a = e^(−ε) and i, j = (r+1)/2, rounded down and up.  The usual bound is r times that of "
    "r = 1, never less.",
    status="rule",
    cite="this project",
    latex=r"\mu_r=-\Phi^{-1}\Bigl(\frac{a^{\lfloor(r+1)/2\rfloor}}{1+a}\Bigr)-\Phi^{-1}\Bigl("
    r"\frac{a^{\lceil(r+1)/2\rceil}}{1+a}\Bigr)\le r\,\mu_1,\quad a=e^{-\varepsilon}",
)
def gaussian_of_pure_at_distance() -> Evidence:
    """The kinks of the worst pair are (a^i, a^j)/(1+a) with i + j = r + 1, i and j from 1 on.

    The convex G_μ is below a function of chords iff it is below it at the kinks, that is iff
    μ ≥ −Φ⁻¹(x) − Φ⁻¹(y) there.  −Φ⁻¹(e^(−s)) is concave in s, being the inverse of the increasing
    convex −ln Φ(−h); at equal steps of s its increments fall, so that among i + j = r + 1 the
    nearest i and j have the largest sum.
    """
    return rule_of("pure", "gaussian", "eps"), *_normal_tails(), _nearest(), *_kinks()


def _normal_tails() -> tuple[Discharged, ...]:
    """Φ is log-concave; F and f stand for Φ and its density, with F′ = f and f′ = −x f."""
    import sympy
    import z3

    x, F, f = sympy.symbols("x Phi phi", positive=True)

    def by_x(g: Any) -> Any:
        return sympy.Derivative(g, x) + f * sympy.Derivative(g, F) - x * f * sympy.Derivative(g, f)

    Phi = z3.Function("Phi", z3.RealSort(), z3.RealSort())
    y, z, w, mu = z3.Reals("y z w mu")
    grows = z3.ForAll([y, z], z3.Implies(y < z, Phi(y) < Phi(z)))
    return identities({
        "(ln Φ)″ = −φ (xΦ + φ)/Φ²": identical(by_x(f / F), -f * (x * F + f) / F**2),
        "the derivative of xΦ + φ, which is 0 at −∞, is Φ > 0": identical(by_x(x * F + f), F),
    }, "the inverse of an increasing convex function is concave; N3 and its laws; a convex "
       "function is below its chords; the worst pair has r steps, each of them μ_1-GDP, "
       "so GB24.VI.20 holds for it"), smt({
        "Φ(z − μ) ≤ Φ(w) iff μ ≥ z − w: at the kink (x, y), z = −Φ⁻¹(x) and w = Φ⁻¹(y)": holds(
            (Phi(z - mu) <= Phi(w)) == (mu >= z - w), grows
        ),
    })  # fmt: skip


def _nearest() -> Discharged:
    import z3

    h = z3.Function("h", z3.IntSort(), z3.RealSort())
    i = z3.Int("i")

    def gain(at: Any) -> Any:
        return h(at + 1) - h(at)

    return smt({
        "where increments fall, i and i + m + 1 have no larger sum than i + 1 and i + m": (
            by_induction(
                lambda m: h(i) + h(i + m + 1) <= h(i + 1) + h(i + m),
                [],
                lambda m: [gain(i + m + 1) <= gain(i + m)],
            )
        ),
    })  # fmt: skip


def _kinks() -> tuple[CheckedInScope | Computed, ...]:
    """The corners of the trade-off function of the tables, and those of a figure."""
    cases, true = 0, True
    for q, r in product((Fraction(9, 8), Fraction(2), Fraction(7, 2), Fraction(9)), range(1, 8)):
        cases += 1
        a = 1 / q
        ends = [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))]
        stated = {(a**i / (1 + a), a ** (r + 1 - i) / (1 + a)) for i in range(1, r + 1)}
        found = tradeoff(truncated_geometric(q, r, 0), truncated_geometric(q, r, r))
        true &= set(found) == stated | set(ends)
    return (
        CheckedInScope("the kinks at e^ε in {9/8, 2, 7/2, 9}, r up to 7", cases, true),
        Computed(
            {"both errors of the middle kink, e^ε = 3, r = 3": (Fraction(1, 12),) * 2,
             "of the only one, r = 1": (Fraction(1, 4),) * 2},
            {"both errors of the middle kink, e^ε = 3, r = 3": middle_kink(Fraction(3), 3),
             "of the only one, r = 1": middle_kink(Fraction(3), 1)},
        ),
    )  # fmt: skip


def middle_kink(q: Fraction, r: int) -> tuple[Fraction, Fraction]:
    """Return the two errors whose normal quantiles make the least μ at distance r.

    >>> middle_kink(Fraction(2), 2)
    (Fraction(1, 3), Fraction(1, 6))
    """
    a = 1 / q
    return a ** ((r + 1) // 2) / (1 + a), a ** (r // 2 + 1) / (1 + a)
