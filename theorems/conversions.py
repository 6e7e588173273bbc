"""From one notion to another, pair by pair: scaled first, then converted; as published."""

from __future__ import annotations

from typing import Any

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems._entry import Evidence, Fallen, Obligation, theorem
from theorems._prove import holds, identical, identities, smt


def rule_of(source: str, target: str, name: str, *chosen: str) -> k.Theorem:
    """Return what the kernel makes of a guarantee at all pairs of databases, in another notion."""
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, (k.Param(name),))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), source, loss, ()), "M")
    return k.convert(k.everywhere(part), target, tuple(map(k.Param, chosen)))


@theorem(
    id="conversions.pure-approximate",
    statement="ε-DP is (ε, 0)-DP, at every pair of databases.",
    status="rule",
    cite="definition",
    latex=r"$\varepsilon$-DP is $(\varepsilon,0)$-DP, at every pair of databases.",
)
def approximate_of_pure() -> Evidence:
    """The pair is (ε d, 0)."""
    return rule_of("pure", "approximate", "eps")


@theorem(
    id="conversions.pure-zcdp",
    statement="A pair at distance ε in pure privacy has D_α ≤ α ε²/2 for all orders α > 1: ε-DP is "
    "ε²/2-zCDP.",
    status="rocq",
    cite="Bun, Steinke 2016, Prop. 1.4",
    latex=r"If $P,Q$ are $\varepsilon$-close, $D_\alpha(P\|Q)\le\alpha\,\varepsilon^2/2$ "
    r"for all $\alpha>1$.",
)
def zcdp_half_square_of_pure() -> Evidence:
    """Randomized response is the worst pair, and ln cosh grows more slowly than half the square.

    The likelihood ratio lies in [1/q, q], where the convex r^α is below its chord; ratios have
    mean 1.  The chord at 1 is the moment of randomized response, cosh((α−½)ε)/cosh(ε/2).  Then
    ln cosh y − ln cosh x ≤ (y² − x²)/2 for y = (α−½)ε ≥ x = ε/2, and y² − x² = α(α−1)ε².
    With u = e^t everything is a rational function of u.
    """
    import sympy

    u, a, e = sympy.symbols("u alpha eps", positive=True)
    tanh = (u**2 - 1) / (u**2 + 1)
    return identities({
        **chord_of_moments(),
        "the derivative of t − tanh t, which is 0 at 0, is tanh² t ≥ 0": identical(
            1 - u * sympy.Derivative(tanh, u), tanh**2
        ),
        "y² − x² = α(α − 1) ε²": identical(
            ((a - sympy.Rational(1, 2)) * e) ** 2 - (e / 2) ** 2, a * (a - 1) * e**2
        ),
    }, "randomized response is the worst pair at every order (Blackwell)")  # fmt: skip


def chord_of_moments() -> dict[str, Obligation]:
    """Ask what the chord of r^α between 1/q and q is at 1: the moment of randomized response."""
    import sympy

    q, Q, s = sympy.symbols("q Q s", positive=True)
    weight = (1 - 1 / q) / (q - 1 / q)
    return {
        "the chord at 1 is (q^α + q^(1−α))/(1 + q)": identical(
            weight * Q + (1 - weight) / Q, (Q + q / Q) / (1 + q)
        ),
        "which is cosh((α−½)ε)/cosh(ε/2), with s = √q": identical(
            (Q + s**2 / Q) / (1 + s**2), ((Q / s + s / Q) / 2) / ((s + 1 / s) / 2)
        ),
    }


@theorem(
    id="conversions.pure-gaussian",
    statement="ε-DP is exactly 2Φ⁻¹(q/(1+q))-GDP, q = e^ε: the kink of its trade-off function lies "
    "on the Gaussian one, which is convex.",
    status="rule",
    cite="this project; the trade-off function of ε-DP is in Dong, Roth, Su 2019",
    latex=r"$\varepsilon$-DP is $\mu$-GDP exactly for $\mu\ge2\Phi^{-1}\bigl(e^"
    r"\varepsilon/(1+e^\varepsilon)\bigr)$.",
)
def gaussian_of_pure() -> Evidence:
    """With μ = 2z, z = Φ⁻¹(q/(1+q)): at type I error 1/(1+q) the curve gives Φ(z − μ) = Φ(−z).

    The trade-off function of ε-DP is max(1 − qα, (1−α)/q), two lines through (0, 1) and (1, 0)
    that meet at the kink; a convex function through these three points is below both.
    """
    import sympy

    q = sympy.Symbol("q", positive=True)
    kink = 1 / (1 + q)
    return rule_of("pure", "gaussian", "eps"), identities({
        "Φ(−z) = 1 − q/(1+q) = 1/(1+q)": identical(1 - q / (1 + q), kink),
        "one line passes there: 1 − q α = α": identical(1 - q * kink, kink),
        "and so does the other: (1 − α)/q = α": identical((1 - kink) / q, kink),
    })  # fmt: skip


@theorem(
    id="conversions.gaussian-zcdp",
    statement="μ-GDP is μ²/2-zCDP: D_α of N(0,1) and N(μ,1) is α μ²/2.",
    status="rule",
    cite="Dong, Roth, Su 2019, Cor. B.6; Bun, Steinke 2016, Prop. 1.6",
    latex=r"A $\mu$-GDP mechanism is $\mu^2/2$-zCDP, since of two normal laws "
    r"$D_\alpha(N(0,1)\|N(\mu,1))$ is $\alpha\mu^2/2$ at every order $\alpha>1$.",
)
def zcdp_half_square_of_gaussian() -> Evidence:
    """The exponents add up to a square and a constant, so the integral is the constant's."""
    import sympy

    x, mu, a = sympy.symbols("x mu alpha")
    exponent = -a * (x - mu) ** 2 / 2 - (1 - a) * x**2 / 2
    square = -((x - a * mu) ** 2) / 2
    return rule_of("gaussian", "zcdp", "mu"), identities({
        "−α(x−μ)²/2 − (1−α)x²/2 = −(x−αμ)²/2 + α(α−1)μ²/2": identical(
            exponent, square + a * (a - 1) * mu**2 / 2
        ),
    }, "the pair is a post-processing of the Gaussian one (Blackwell)")  # fmt: skip


@theorem(
    id="conversions.zcdp-approximate",
    statement="ρ-zCDP, ρ > 0, is (ρ + 2√(ρ ln 1/δ), δ)-DP for 0 < δ < 1, at every pair of "
    "databases.",
    status="rocq",
    cite="Bun, Steinke 2016, Prop. 1.3",
    latex=r"$\rho$-zCDP is $\bigl(\rho+2\sqrt{\rho\ln(1/\delta)},\delta\bigr)$-DP for "
    r"$\rho>0$ and $0<\delta<1$.",
)
def approximate_of_zcdp() -> Evidence:
    """Markov at the best order; with a = √ρ and b = √(ln 1/δ).

    Pointwise p − tq ≤ p (p/(tq))^(α−1) where p > tq, because a power of a number from 1 on is at
    least 1.
    """
    import sympy
    import z3

    a, b = sympy.symbols("a b", positive=True)
    rho, eps = a**2, a**2 + 2 * a * b
    order = (eps + rho) / (2 * rho)
    p, q, factor, power = z3.Reals("p q t power")
    return identities({
        "(α − 1)(ρα − ε) = −b² = ln δ at α = (ε + ρ)/(2ρ)": identical(
            (order - 1) * (rho * order - eps), -(b**2)
        ),
        "this order is 1 + b/a > 1": identical(order, 1 + b / a),
    }, "the mean of p (p/(tq))^(α−1) under p is e^((α−1) D_α)/t^(α−1)"), smt({
        "p − tq ≤ p · (p/(tq))^(α−1), where that power is at least 1": holds(
            p - factor * q <= p * power, p >= 0, q >= 0, factor >= 0, power >= 1
        ),
    })  # fmt: skip


@theorem(
    id="conversions.gaussian-approximate",
    statement="μ-GDP is (ε, δ)-DP exactly for δ ≥ Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2).",
    status="rule",
    cite="Dong, Roth, Su 2019, Cor. 2.13",
    latex=r"$\mu$-GDP is $(\varepsilon,\delta)$-DP iff $\delta\ge\Phi(-\varepsilon/\mu+"
    r"\mu/2)-e^\varepsilon\Phi(-\varepsilon/\mu-\mu/2)$.",
)
def approximate_of_gaussian() -> Evidence:
    """The best event is a half-line from the point where the densities are in ratio e^ε.

    It is the set where p > e^ε q, which is the largest excess over all events.  With the point
    x = ε/μ + μ/2 it has Φ(μ − x) under one law, and Φ(−x) under the other.
    """
    import sympy

    x, mu, eps = sympy.symbols("x mu eps", positive=True)
    cut = eps / mu + mu / 2
    log_ratio = -((x - mu) ** 2) / 2 + x**2 / 2
    return rule_of("gaussian", "approximate", "mu", "eps"), identities({
        "ln p/q = μx − μ²/2, increasing in x": identical(log_ratio, mu * x - mu**2 / 2),
        "it is ε at x = ε/μ + μ/2": identical(log_ratio.subs(x, cut), eps),
    })  # fmt: skip


@theorem(
    id="conversions.none",
    statement="(ε, δ)-DP with δ > 0 gives no pure, zero-concentrated or Gaussian guarantee: "
    "publishing the database with probability δ is (0, δ)-DP.",
    status="argued",
    cite="this project",
    latex=r"For $\delta>0$ an $(\varepsilon,\delta)$-DP mechanism need be neither pure nor "
    r"zero-concentrated nor Gaussian private with any parameter: publishing the database with "
    r"probability $\delta$ is $(0,\delta)$-DP.",
)
def no_conversion_of_approximate() -> Evidence:
    """An outcome of probability δ that is impossible on the neighbour, for every δ in ]0, 1].

    The kernel refuses these conversions, and that of zCDP to Gaussian, for which no rule is known
    to it (the tempting μ = √(2ρ) is false: ``not_gaussian_root_of_two_rho_of_zcdp``).
    """
    import z3

    d, factor = z3.Reals("delta t")
    seen, other, nothing = z3.Bools("D other nothing")

    def law(outcome: Any) -> Any:
        """The probability of an event: the database is published with probability δ."""
        return z3.If(outcome, d, 0) + z3.If(nothing, 1 - d, 0)

    p, q, event = law(seen), law(other), [seen, other, nothing]
    certain = [d > 0, d <= 1]
    for source, target, names in (
        ("approximate", "pure", ("eps", "delta")), ("approximate", "zcdp", ("eps", "delta")),
        ("approximate", "gaussian", ("eps", "delta")), ("zcdp", "gaussian", ("rho",)),
    ):  # fmt: skip
        _refused(source, target, names)
    return smt({
        "it is (0, δ)-DP: P(S) ≤ Q(S) + δ and Q(S) ≤ P(S) + δ for all events S": holds(
            z3.And(p <= q + d, q <= p + d), *certain
        ),
        "for every factor t some event has P(S) > t Q(S)": holds(
            z3.Exists(event, p > factor * q), *certain
        ),
        "some event has Q(S) = 0 and 1 − P(S) < 1, which is G_μ(0) for every μ": holds(
            z3.Exists(event, z3.And(q == 0, 1 - p < 1)), *certain
        ),
    }, "P is not absolutely continuous, so that its Rényi divergences are infinite")  # fmt: skip


def _refused(source: str, target: str, names: tuple[str, ...]) -> None:
    loss: Any = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, tuple(map(k.Param, names)))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), source, loss, ()), "M")
    try:
        k.convert(part, target)
    except k.KernelError:
        return
    raise Fallen(f"the kernel converts {source} to {target}")
