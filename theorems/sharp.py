"""Conversions as good as they can be, at any distance; each beside the looser form that is usual.

The kernel converts by these, wherever a distance is a number of steps between neighbours.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym.optimal.pairs import truncated_geometric
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, Obligation, theorem
from theorems._finite import Law, moment, ratio
from theorems._prove import by_induction, holds, identical, identities, smt
from theorems.conversions import chord_of_moments, rule_of

FACTORS = (Fraction(9, 8), Fraction(2), Fraction(7, 2), Fraction(9))
"""Values of e^ε."""


# ------------------------------------------------------------------ pure to zero-concentrated


@theorem(
    id="conversions.pure-zcdp",
    statement="The least ρ such that every pair at distance ε in pure privacy has D_α ≤ α ρ for "
    "all orders α > 1 is ρ = ε tanh(ε/2), the relative entropy of randomized response.  The usual "
    "ε²/2 is larger, by the factor (ε/2)/tanh(ε/2).",
    status="rule",
    cite="differentialprivacy.org, Tight RDP and zCDP bounds from pure DP; the larger ε²/2 is "
    "Bun, Steinke 2016, Prop. 1.4",
    latex=r"The least $\rho$ with $D_\alpha(P\|Q)\le\alpha\rho$ for all $\alpha>1$ and all "
    r"$\varepsilon$-close $P,Q$ is $\rho=\varepsilon\tanh(\varepsilon/2)\le\varepsilon^2/2$, "
    r"the relative entropy of randomized response.",
)
def zcdp_tanh_of_pure() -> Evidence:
    """(α−1) D_α of randomized response is ln cosh((α−½)ε) − ln cosh(ε/2), concave in squares.

    With y = t² the function ln cosh √y has the slope tanh(t)/(2t), which falls as t grows; so it is
    below its tangent at t = ε/2, where the slope is tanh(ε/2)/ε.  And the squares of (α−½)ε and of
    ε/2 are α(α−1)ε² apart.  No ρ below serves: D_α of randomized response tends to its relative
    entropy as α tends to 1.  Functions of t are rational functions of t and u = e^t.
    """
    import sympy

    t, u, s, e, a, slope = sympy.symbols("t u s eps alpha slope", positive=True)
    sinh, cosh = (u - 1 / u) / 2, (u + 1 / u) / 2

    def by_t(f: Any) -> Any:
        return sympy.Derivative(f, t) + u * sympy.Derivative(f, u)

    squares = ((a - sympy.Rational(1, 2)) * e) ** 2 - (e / 2) ** 2
    return rule_of("pure", "zcdp", "eps"), identities({
        **chord_of_moments(),
        "the derivative of tanh(t)/t is (t − sinh t cosh t)/(t cosh t)²": identical(
            by_t(sinh / cosh / t), (t - sinh * cosh) / (t * cosh) ** 2
        ),
        "the derivative of sinh t cosh t − t, which is 0 at 0, is 2 sinh² t ≥ 0": identical(
            by_t(sinh * cosh - t), 2 * sinh**2
        ),
        "the tangent gives α(α − 1) ε tanh(ε/2)": identical(
            slope / e * squares, a * (a - 1) * e * slope
        ),
        "the relative entropy of randomized response, with s = e^(ε/2)": identical(
            e * (s**2 - 1) / (s**2 + 1), e * (s - 1 / s) / (s + 1 / s)
        ),
    }, "randomized response is the worst pair at every order; a concave function is below its "
       "tangent; D_α ≤ αρ for all α > 1 has the limit D_1 ≤ ρ"), _zcdp_in_numbers((1,))  # fmt: skip


@theorem(
    id="conversions.pure-renyi",
    statement="Of ε-DP mechanisms, at distance r ≥ 1 of the canonical metric, D_α is at most that "
    "of the truncated geometric pair, and some mechanism has it: with a = e^(−ε), e^((α−1) D_α) = "
    "(a^(−r(α−1)) + a^(rα) + (1−a) Σ_(m=1..r−1) a^(m(2α−1) − r(α−1)))/(1+a).  The usual bounds "
    "are larger: D_α of randomized response at rε (from r = 2 on), and rε.",
    status="argued",
    cite="this project",
    latex=r"e^{(\alpha-1)D_\alpha}\le\frac{1}{1+a}\Bigl(a^{-r(\alpha-1)}+a^{r\alpha}+(1-a)"
    r"\sum_{m=1}^{r-1}a^{m(2\alpha-1)-r(\alpha-1)}\Bigr),\quad a=e^{-\varepsilon}",
)
def renyi_of_pure_at_distance() -> Evidence:
    """The pair is the worst one (N3), and what is worse for tests has larger divergences.

    Without the sum: with x = α − ½ and w = a^(−x) the moment is, up to a^(r/2)/(1+a),
    (w^(r+1) − w^(−r−1) − a (w^(r−1) − w^(1−r)))/(w − 1/w).
    """
    import sympy

    a, w, W, m, r, alpha = sympy.symbols("a w W m r alpha", positive=True)
    half = sympy.Rational(1, 2)
    v, ends = 1 / w**2, W + 1 / W
    inside = W * (v - 1 / W**2) / (1 - v)
    return identities({
        "P_m = c a^m and Q_m = c a^(r−m): the exponent of P_m^α Q_m^(1−α)": identical(
            m * alpha + (r - m) * (1 - alpha), m * (2 * alpha - 1) - r * (alpha - 1)
        ),
        "it is r/2 − (r − 2m)(α − ½)": identical(
            m * alpha + (r - m) * (1 - alpha), r / 2 - (r - 2 * m) * (alpha - half)
        ),
        "the sum of all outcomes, with W = w^r and v = w^(−2)": identical(
            ends + (1 - a) * inside,
            (w * W - 1 / (w * W) - a * (W / w - w / W)) / (w - 1 / w),
        ),
    }, "N3, and Blackwell's theorem: a pair that is at least as good for every test has "
       "at least its divergences"), smt({
        "a sum of powers: (1 − v) Σ_(m=1..n) v^m = v − v^(n+1)": _sum_of_powers()
    }), _moments()  # fmt: skip


def _sum_of_powers() -> Obligation:
    import z3

    power, total = (z3.Function(n, z3.IntSort(), z3.RealSort()) for n in ("power", "total"))
    v = z3.Real("v")
    return by_induction(
        lambda n: (1 - v) * total(n) == v - power(n + 1),
        [total(0) == 0, power(0) == 1, power(1) == v],
        lambda n: [total(n + 1) == total(n) + power(n + 1), power(n + 2) == v * power(n + 1)],
    )


def geometric_moment(q: Fraction, r: int, order: int) -> Fraction:
    """Return e^((α−1) D_α) of the truncated geometric pair, by its formula.

    >>> geometric_moment(Fraction(2), 1, 2)
    Fraction(3, 2)
    """
    a = 1 / q
    inside = sum(
        (a ** (m * (2 * order - 1) - r * (order - 1)) for m in range(1, r)), start=Fraction(0)
    )
    return (a ** (-r * (order - 1)) + a ** (r * order) + (1 - a) * inside) / (1 + a)


def _moments() -> CheckedInScope:
    """The formula against tables, and paths of three ε-close laws against the formula."""
    cases, true = 0, True
    for q, r, order in product(FACTORS, range(1, 6), range(2, 6)):
        cases += 1
        table = truncated_geometric(q, r, 0), truncated_geometric(q, r, r)
        response = (q ** (r * order) + q ** (r * (1 - order))) / (1 + q**r)
        found = geometric_moment(q, r, order)
        true &= moment(*table, order) == found
        true &= found == response if r == 1 else found < response
    q = Fraction(2)
    near = [(x, y) for x, y in product(_laws(9), repeat=2) if ratio(x, y) <= q >= ratio(y, x)]
    for (x, y), (z, end) in product(near, repeat=2):
        if y == z:
            cases += 1
            true &= moment(x, end, 2) <= geometric_moment(q, 2, 2)
    return CheckedInScope(
        "the formula at e^ε in {9/8, 2, 7/2, 9}, r up to 5, α = 2 to 5; and all paths of three "
        "laws on three outcomes, in ninths, that are ln 2-close, at α = 2",
        cases, true,
    )  # fmt: skip


def _laws(parts: int) -> list[Law]:
    """Return the laws on three outcomes, all of them possible, in these parts."""
    return [
        (Fraction(x, parts), Fraction(y, parts), Fraction(parts - x - y, parts))
        for x, y in product(range(1, parts), repeat=2)
        if x + y < parts
    ]


@theorem(
    id="conversions.pure-zcdp",
    statement="At distance r ≥ 1 of the canonical metric the least ρ such that every ε-DP "
    "mechanism has D_α ≤ α ρ for all α > 1 is the relative entropy of the truncated geometric "
    "pair, ρ_r = ε (r − 2a(1 − a^r)/(1 − a²)), a = e^(−ε).  The usual r² ε²/2 is larger; never "
    "smaller are r² ε tanh(ε/2), which scales after the conversion, and rε tanh(rε/2), which "
    "forgets the path.",
    status="rule",
    cite="this project; for discrete Laplace noise Harrison, Manurangsi 2026; the larger r² ε²/2 "
    "is Bun, Steinke 2016",
    latex=r"At distance $r$ of the canonical metric the least $\rho$ with "
    r"$D_\alpha\le\alpha\rho$ for all $\alpha>1$ and all $\varepsilon$-DP mechanisms is "
    r"$\rho_r=\varepsilon\Bigl(r-\frac{2a(1-a^r)}{1-a^2}\Bigr)$, $a=e^{-\varepsilon}$. It is at "
    r"most $r^2\varepsilon\tanh(\varepsilon/2)$, at most $r\varepsilon\tanh(r\varepsilon/2)$, "
    r"and less than $r^2\varepsilon^2/2$.",
)
def zcdp_of_pure_at_distance() -> Evidence:
    """The moment has imaginary zeros only, so its logarithm is concave in x², x = α − ½.

    Write z = e^(2xε).  The moment vanishes where z^r (z − a) = 1 − az and z ≠ 1.  Inside the unit
    circle the left side is smaller in absolute value than the right side, outside (put 1/z for z)
    it is larger: all zeros lie on the circle.  They come in conjugate pairs, besides −1, and z = 1
    is none, because the moment is positive at x = 0.  So the moment is a product of factors
    cosh s − c, s = 2xε and −1 ≤ c ≤ 1, to the power 1 or ½.  Each has a logarithm that is
    concave in s²: the slope sinh s/(s (cosh s − c)) falls.  As (α−1) D_α is that logarithm
    at x minus its value at x = ½, which is α(α − 1) further in squares, the tangent at ½, whose
    slope is the relative entropy, bounds it.
    """
    import sympy
    import z3

    x, y, a, s, u, c = sympy.symbols("x y a s u c", real=True)
    sinh, cosh = (u - 1 / u) / 2, (u + 1 / u) / 2

    def by_s(f: Any) -> Any:
        return sympy.Derivative(f, s) + u * sympy.Derivative(f, u)

    falls = s * (1 - c * cosh) - sinh * cosh + c * sinh
    S, C, length, at = z3.Reals("sinh cosh s c")
    return rule_of("pure", "zcdp", "eps"), identities({
        "|1 − az|² − |z − a|² = (1 − a²)(1 − |z|²), z = x + iy": identical(
            (1 - a * x) ** 2 + (a * y) ** 2 - (x - a) ** 2 - y**2,
            (1 - a**2) * (1 - x**2 - y**2),
        ),
        "the derivative of sinh s/(s (cosh s − c)), up to a square": identical(
            by_s(sinh / (s * (cosh - c))) * (s * (cosh - c)) ** 2, falls
        ),
        "the derivative of sinh s − s, which is 0 at 0, is cosh s − 1, a square": identical(
            by_s(sinh - s), (u - 1) ** 2 / (2 * u)
        ),
        "two conjugate zeros: z² − 2cz + 1 = 2z (cosh s − c), z = e^s": identical(
            u**2 - 2 * c * u + 1, 2 * u * (cosh - c)
        ),
    }, "zeros of polynomials with real coefficients; a concave function is below its tangent; "
       "D_α ≤ αρ for all α > 1 has the limit D_1 ≤ ρ; the geometric mechanism has r steps, each "
       "of them ε-close, so GB24.VI.12 holds for it, and its two ends are rε-close"), smt({
        "s (1 − c cosh s) ≤ sinh s (cosh s − c), for −1 ≤ c ≤ 1": holds(
            length * (1 - at * C) - S * C + at * S <= 0,
            length >= 0, length <= S, C >= 1, at >= -1, at <= 1,
        ),
    }), *_relative_entropy(), _zcdp_in_numbers(range(1, 5))  # fmt: skip


def _relative_entropy() -> tuple[Discharged | Computed, ...]:
    """Σ P_m (r − 2m) ε over the outcomes, by two sums that are proved by induction."""
    import sympy
    import z3

    power, second = (z3.Function(n, z3.IntSort(), z3.RealSort()) for n in ("power", "second"))
    b = z3.Real("a")
    a, p, r = sympy.symbols("a p r", positive=True)
    ones = (a - p) / (1 - a)
    weighted = (a - r * p + (r - 1) * p * a) / (1 - a) ** 2
    found = (r - r * p + (1 - a) * (r * ones - 2 * weighted)) / (1 + a)
    return smt({
        "(1 − a) Σ_(m=1..n) a^m = a − a^(n+1)": _sum_of_powers(),
        "(1 − a)² Σ_(m=1..n) m a^m = a − (n + 1) a^(n+1) + n a^(n+2)": by_induction(
            lambda n: (1 - b) * (1 - b) * second(n)
            == b - z3.ToReal(n + 1) * power(n + 1) + z3.ToReal(n) * b * power(n + 1),
            [second(0) == 0, power(0) == 1, power(1) == b],
            lambda n: [
                second(n + 1) == second(n) + z3.ToReal(n + 1) * power(n + 1),
                power(n + 2) == b * power(n + 1),
            ],
        ),
    }), identities({
        "Σ P_m (r − 2m) = r − 2a(1 − a^r)/(1 − a²), with p = a^r": identical(
            found, r - 2 * a * (1 - p) / (1 - a**2)
        ),
    }), Computed(
        {"ρ_2/ln 2 at e^ε = 2": Fraction(1), "4 tanh(ε/2)": Fraction(4, 3),
         "2 tanh(2 ε/2)": Fraction(6, 5)},
        {"ρ_2/ln 2 at e^ε = 2": entropy(Fraction(2), 2),
         "4 tanh(ε/2)": 4 * entropy(Fraction(2), 1), "2 tanh(2 ε/2)": 2 * entropy(Fraction(4), 1)},
    )  # fmt: skip


def entropy(q: Fraction, r: int) -> Fraction:
    """Return ρ_r/ε, a rational number where e^ε is one.

    >>> entropy(Fraction(2), 1), entropy(Fraction(2), 2)
    (Fraction(1, 3), Fraction(1, 1))
    """
    a = 1 / q
    return r - 2 * a * (1 - a**r) / (1 - a**2)


def _zcdp_in_numbers(distances: Any) -> CheckedInScope:
    """Compare e^((α−1) D_α) with q^(α(α−1) ρ/ε), both to a power that makes them rational."""
    cases, true = 0, True
    for q, r, order in product(FACTORS, distances, range(2, 7)):
        cases += 1
        low, high = truncated_geometric(q, r, 0), truncated_geometric(q, r, r)
        true &= _at_most(moment(low, high, order), q, order * (order - 1) * entropy(q, r))
        true &= entropy(q, r) == _mean_of_losses(low, r)
        true &= entropy(q, r) <= min(r**2 * entropy(q, 1), r * entropy(q**r, 1))
    return CheckedInScope(
        f"e^ε in {{9/8, 2, 7/2, 9}}, distances up to {max(distances)}, α = 2 to 6", cases, true
    )


def _mean_of_losses(law: Law, r: int) -> Fraction:
    return sum((p * (r - 2 * m) for m, p in enumerate(law)), start=Fraction(0))


def _at_most(x: Fraction, base: Fraction, exponent: Fraction) -> bool:
    return x**exponent.denominator <= base**exponent.numerator
