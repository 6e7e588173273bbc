"""Composition under approximate, zero-concentrated and Gaussian differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.model import Part, Problem, library_granularity, library_map
from dpcomp_sym.numbers import ParameterTable, evaluate
from dpcomp_sym.numbers.exact import root
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._facts import bounded_by, composed, posed, records
from theorems._finite import excess, joint
from theorems._inductions import squares_below_a_square
from theorems._prove import holds, identical, identities, smt


def _group(notion: str, *parameters: str) -> tuple[k.Theorem, k.Theorem]:
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, tuple(map(k.Param, parameters)))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), notion, loss, ()), "M")
    far = k.everywhere(part)
    return far, k.between_neighbours(far)


def root_of_largest_square(square: k.Theorem) -> k.Theorem:
    """Write √max μ_i² as max μ_i, and √(sum of squares) unchanged otherwise."""
    (bound,) = t.largest(square)
    mu = k.BlockEntry("mu", t.K)
    plain = k.Worst(t.K, (k.Choice(t.ONE, mu),))
    one = k.choose(plain, ())
    inside = k.each_block(
        k.monotone("product", (one, one)), k.Worst(t.K, (k.Choice(t.ONE, k.Product((mu, mu))),))
    )
    drawn = k.bounded_polynomial(
        k.Product((bound, bound)), k.Worst(t.K, (k.Choice(t.ONE, k.Product((mu, mu))),)), ()
    )
    return k.change_guarantee(square, (k.root(k.transitive(drawn, inside)),))


# ------------------------------------------------------------------ approximate


@theorem(
    id="GB24.VI.3",
    statement="M is (ε d, δ [d]_ε)-private for the canonical metric d of G iff M is G (ε, δ)-DP, "
    "with [n]_ε = (q^n − 1)/(q − 1) and [n]_0 = n.",
    status="rocq",
    cite="GB24.VI.3",
    latex=r"$M$ is $(\varepsilon d,\delta[d]_\varepsilon)$-private iff $M$ is $\mathcal G$ "
    r"$(\varepsilon,\delta)$-DP, where $[n]_\varepsilon=(q^n-1)/(q-1)$.",
)
def approximate_at_canonical_iff_approximate() -> Evidence:
    """The rules; and the induction along a path, which needs no continuity.

    Q stands for q^n.  That the pair (nε, δ [n]) is not the exact one is the subject of E11.
    """
    import sympy
    import z3

    p, mid, last, q, power, d, far = z3.Reals("p mid last q power d far")
    step = holds(
        p <= q * power * last + (d + q * far),
        p <= q * mid + d, mid <= power * last + far, q >= 1, d >= 0, far >= 0,
    )  # fmt: skip
    x, Q, delta = sympy.symbols("q Q delta")
    return (
        *_group("approximate", "eps", "delta"),
        smt({"P ≤ q P″ + δ and P″ ≤ Q P′ + δ[n] imply P ≤ qQ P′ + δ + q δ[n]": step}),
        identities({
            "δ + q δ[n] = δ[n + 1]": identical(
                delta + x * delta * (Q - 1) / (x - 1), delta * (x * Q - 1) / (x - 1)
            ),
            "for q = 1: δ + δ n = δ (n + 1)": identical(delta + delta * Q, delta * (Q + 1)),
        }),
    )  # fmt: skip


@theorem(
    id="GB24.VI.3",
    statement="For ε = 1 and δ = 10⁻⁵ the group guarantee is void (δ [n] ≥ 1) from n = 13 on.",
    status="computed",
    cite="GB24.VI.3",
    latex=r"For $\varepsilon=1$ and $\delta=10^{-5}$ the group guarantee is void from $n=13$ on: "
    r"$\delta[n]_\varepsilon\ge1$ iff $n\ge13$.",
)
def no_approximate_guarantee_from_thirteen_on() -> Evidence:
    """With rational bounds of e below and above, so that no rounding decides."""
    terms, factorial = Fraction(0), Fraction(1)
    for n in range(25):
        factorial *= max(n, 1)
        terms += 1 / factorial
    low, high = terms, terms + 2 / factorial
    delta = Fraction(1, 10**5)

    def total(q: Fraction, n: int) -> Fraction:
        return delta * sum((q**m for m in range(n)), Fraction(0))

    void_at_13, good_at_12 = total(low, 13) >= 1, total(high, 12) < 1
    return Computed({"first void n": 13}, {"first void n": 13 if void_at_13 and good_at_12 else 0})


@theorem(
    id="GB24.VI.4",
    statement="If M_i is (d_i, δ_i)-private for every fixed value of the earlier outputs, the "
    "adaptive composition behind the f_i is (Σ d_i, Σ δ_i)-private at the distances of the "
    "images, for all events and not only for rectangles.",
    status="rocq",
    cite="GB24.VI.4, for general events (E17)",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $(d_i,\delta_i)$-private, then the adaptive "
    r"composition behind the $f_i$ is $(\sum_id_i(f_iD,f_iD'),\sum_i"
    r"\delta_i(f_iD,f_iD'))$-private, for all events.",
)
def approximate_sum_of_adaptive() -> Evidence:
    """The rule; and its core inequality, outcome by outcome of the first mechanism.

    e is the first excess (p ≤ t1 q + e, total at most δ1), a and b the probabilities of the slice
    of the event.  Summing over outcomes (Σ p = 1, Σ e ≤ δ1) gives t1 t2 Q(S) + δ2 + δ1.
    """
    import z3

    p, q, e, a, b, t1, t2, d = z3.Reals("p q e a b t1 t2 d")
    good = [x >= 0 for x in (p, q, e, a, b, t1, t2, d)] + [a <= 1, b <= 1]
    m = z3.If(t2 * b <= 1, t2 * b, 1)
    first = holds(a <= m + d, *good, a <= t2 * b + d)
    y = z3.Real("y")
    second = holds(p * a <= p * y + p * d, p >= 0, d >= 0, a <= y + d)
    third = holds(
        p * y <= t1 * q * y + e, y >= 0, y <= 1, e >= 0, q >= 0, t1 >= 0, p >= 0, p <= t1 * q + e
    )
    z = z3.Real("z")
    fourth = holds(t1 * q * y <= t1 * q * z, t1 >= 0, q >= 0, y <= z)
    scope = _all_small_events()
    return (
        t.composed_at_metrics("approximate"),
        smt({
            "with y = min(1, t2 b): a ≤ y + δ2": first,
            "p a ≤ p y + p δ2": second,
            "p y ≤ t1 q y + e": third,
            "t1 q y ≤ t1 q t2 b": fourth,
        }, "Σ_x: P(S) ≤ t1 t2 Q(S) + δ1 + δ2; then induction on the number of parts"),
        scope,
    )  # fmt: skip


def _all_small_events() -> CheckedInScope:
    """Check the inequality on all pairs of laws with weights 0 to 2 over two outcomes."""
    weights = [(a, b) for a in range(3) for b in range(3) if a + b]
    laws = [(Fraction(a, a + b), Fraction(b, a + b)) for a, b in weights]
    laws = list(dict.fromkeys(laws))
    cases, good = 0, True
    for factor in (Fraction(1), Fraction(3, 2)):
        for p in laws:
            for q in laws:
                first = excess(p, q, factor)
                for x in laws:
                    for y in laws:
                        cases += 1
                        whole = excess(joint(p, (x, p)), joint(q, (y, q)), factor * factor)
                        inner = max(excess(x, y, factor), excess(p, q, factor))
                        good &= whole <= first + inner
    return CheckedInScope("all pairs of two-outcome laws with weights 0 to 2", cases, good)


@theorem(
    id="GB24.VI.5",
    statement="Parts that are G (ε_i, δ_i)-DP are together G (Σ ε_i, Σ δ_i)-DP.",
    status="derived",
    cite="GB24.VI.5",
    latex=r"If each $M_i$ is $\mathcal G$ $(\varepsilon_i,\delta_i)$-DP, together they "
    r"are $\mathcal G$ $(\sum_i\varepsilon_i,\sum_i\delta_i)$-DP.",
)
def approximate_sum_of_sequential() -> Evidence:
    """For every granularity, k symbolic; adaptively."""
    return t.sequential("approximate")


@theorem(
    id="GB24.VI.6",
    statement="Under C1 and C2, parts that are G (ε_i, δ_i)-DP on their own domains are together "
    "G (max ε_i, max δ_i)-DP.",
    status="derived",
    cite="GB24.VI.6",
    latex=r"Under C1 and C2, parts that are $\mathcal G$ $(\varepsilon_i,\delta_i)$-DP on "
    r"their own domains are together $\mathcal G$ $(\max_i\varepsilon_i,\max_i\delta_i)$-DP.",
)
def approximate_max_of_compatible_nonexpansive() -> Evidence:
    """The maxima are taken one by one: the smallest δ at ε = max ε_i (E12)."""
    return t.parallel("approximate")


@theorem(
    id="GB24.VI.7",
    statement="On the common domain, G (ε_i, δ_i)-DP parts that depend on f_i only compose at the "
    "canonical metrics of the pushforwards of G: (Σ ε_i d_i, Σ δ_i [d_i]).",
    status="derived",
    cite="GB24.VI.7, with the exact metric of N2",
    latex=r"On the common domain, $f_i$-dependent parts that are $\mathcal G$ "
    r"$(\varepsilon_i,\delta_i)$-DP compose to $(\sum_i\varepsilon_id_i,\sum_i\delta_i[d_i]_{"
    r"\varepsilon_i})$, with $d_i$ the canonical metric of the pushforward of $\mathcal G$ "
    r"along $f_i$.",
)
def approximate_sum_of_pushforwards_of_dependent() -> Evidence:
    """The pushforward has no fibre condition to forget (E12)."""
    return t.common("approximate")


@theorem(
    id=("GB24.A.10", "GB24.A.11"),
    statement="Integrals of functions with values in [0, 1] keep the guarantee: if "
    "P(S) ≤ t Q(S) + δ for all events S, then ∫ g dP ≤ t ∫ g dQ + δ for 0 ≤ g ≤ 1 (δ = 0: "
    "d-privacy).",
    status="rocq",
    cite="GB24.A.10, A.11, by another argument (E17)",
    latex=r"If $P(S)\le t\,Q(S)+\delta$ for all $S$, then $\int g\,dP\le t\int "
    r"g\,dQ+\delta$ for all $g$ with $0\le g\le1$.",
)
def integral_le_of_events() -> Evidence:
    """G is the mean of the indicators of its level sets {g > u}, u uniform in [0, 1].

    For a simple function this is Abel summation, one level at a time.
    """
    import z3

    total, more, p, q, w, factor, d, weight = z3.Reals("I J p q w t d W")
    return smt({
        "one level of height w more: weights add up": holds(
            total + w * p <= factor * (more + w * q) + (weight + w) * d,
            w >= 0, p <= factor * q + d, total <= factor * more + weight * d,
        ),
        "weights sum up to at most 1": holds(weight * d <= d, weight >= 0, weight <= 1, d >= 0),
    }, "monotone limits of simple functions carry the inequality to all g")  # fmt: skip


@theorem(
    id="GB24.A.12",
    statement="A mechanism that is (ε d, δ [d])-private and depends on f only is so at the "
    "quotient of its metric by f; for a granularity, at the pushforward.  [d] = "
    "(e^(εd) − 1)/(e^ε − 1), and d for ε = 0.",
    status="rocq",
    cite="GB24.A.12, with the exact metric of N2 (E10, E12)",
    latex=r"An $(\varepsilon d,\delta[d]_\varepsilon)$-private mechanism that depends on $f$ only "
    r"is so at the quotient of its metric by $f$, and for a granularity at the canonical metric "
    r"of the pushforward.",
)
def approximate_at_quotient_of_dependent() -> Evidence:
    """The rule N2 for a granularity, and for a given metric."""
    return pushed_forward("approximate", "eps", "delta")


def pushed_forward(notion: str, *parameters: str) -> tuple[k.Theorem, k.Theorem]:
    """Derive the guarantee of a dependent mechanism, from neighbours and from a metric."""
    image = k.DatabaseClass("f(D)", '"the image"', ())
    arrow = k.NamedMap("f", '"any map"', t.DATABASES, image, ())
    mechanism = k.NamedMechanism("M", t.DATABASES, ())
    dependent = k.given(k.Dependent(mechanism, arrow), "M depends on f only")
    guarantee = tuple(map(k.Param, parameters))
    metric = k.NamedPseudometric("d", '"any pseudometric"', t.DATABASES)
    near = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, guarantee)
    of_neighbours = k.given(k.Private(mechanism, notion, near, ()), "M")
    of_metric = k.given(k.Private(mechanism, notion, k.At(guarantee, metric), ()), "M")
    return k.pushforward(of_neighbours, dependent), k.pushforward(of_metric, dependent)


@theorem(
    id="GB24.A.13",
    statement="On the common domain condition C1 gives G (max ε_i, max δ_i)-DP.",
    status="derived",
    cite="GB24.A.13, with the compatibility it needs (E12)",
    latex=r"On the common domain C1 gives $\mathcal G$ $(\max_i\varepsilon_i,\max_i"
    r"\delta_i)$-DP.",
)
def approximate_max_of_compatible_dependent() -> Evidence:
    """Condition C1 is the hypothesis."""
    return t.on_common_domain("approximate")


@theorem(
    id="GB24.VI.8",
    statement="Bounded neighbours, at most three hospitals an ambulance, k parts that are bounded "
    "(1, 10⁻⁵)-DP on the common domain: together bounded (6, 6·10⁻⁵)-DP.",
    status="derived",
    cite="GB24.VI.8, read as at most three (E2)",
    latex=r"If every ambulance works for at most three hospitals, $k$ parts that are bounded "
    r"$(1,10^{-5})$-DP on the common domain are together bounded $(6,6\cdot10^{-5})$-DP.",
)
def approximate_six_of_at_most_three_hospitals() -> Evidence:
    """Two touched records, each in at most three blocks (a property of the cover, decided)."""
    small = k.Num(Fraction(1, 10**5))
    cover = library_map("cover", name="p", m=3)
    guarantees = {"approximate": (Fraction(1), small.value)}
    part = Part("M", "p", setting="common", guarantees=guarantees)
    problem = Problem(records(), library_granularity("bounded"), [cover], [part])
    (exact,) = composed(problem, "approximate")
    six = k.Num(Fraction(6))
    touched = k.Worst(t.K, (k.Choice(six, t.ONE),))
    single = k.each_block(
        k.bounded_polynomial(t.ONE, t.ONE, ()), k.Worst(t.K, (k.Choice(t.ONE, t.ONE),))
    )
    six_times = k.monotone("product", (k.bounded_polynomial(six, six, ()), single))
    at_most_six = k.transitive(k.spread(touched, ()), k.monotone("sum", (six_times,)))
    leqs = []
    for bound, value in zip(t.largest(exact), (t.ONE, small), strict=True):
        each = k.bounded_polynomial(value, value, ())
        as_often = k.bounded_polynomial(bound, k.Product((value, touched)), ())
        leqs.append(k.transitive(as_often, k.monotone("product", (each, at_most_six))))
    found = k.change_guarantee(exact, tuple(leqs))
    return t.simpler(found, (six, k.Num(Fraction(6, 10**5))))


# ------------------------------------------------------------------ zero-concentrated


@theorem(
    id="GB24.VI.12",
    statement="M is ρ d²-zC-private for the canonical metric d of G iff M is G ρ-zCDP: at n steps "
    "the guarantee is n² ρ.",
    status="rocq",
    cite="GB24.VI.12",
    latex=r"$M$ is $\rho d^2$-zC-private for the canonical metric $d$ of $\mathcal G$ iff $M$ "
    r"is $\mathcal G$ $\rho$-zCDP; at $n$ steps the guarantee is $n^2\rho$.",
)
def zcdp_at_canonical_iff_zcdp() -> Evidence:
    """The rules; and the weak triangle inequality at its best order, a step after n steps.

    Hölder's inequality with exponents s/(s−1) and s gives, for the order α,
    D_α(P‖R) ≤ (sα)/(sα−1) D_(sα−1)/(s−1)(P‖Q) + D_sα(Q‖R); with s = 1 + n this is (n + 1)² ρ α.
    """
    import sympy

    n, alpha, rho, s = sympy.symbols("n alpha rho s")
    first, second = (s * alpha - 1) / (s - 1), s * alpha
    total = s * alpha / (s * alpha - 1) * rho * n**2 * first + rho * second
    held = identities({
        "s = 1 + n: s α/(sα − 1) · n² ρ (sα − 1)/(s − 1) + ρ s α = (n + 1)² ρ α": identical(
            total.subs(s, 1 + n), (n + 1) ** 2 * rho * alpha
        ),
        "Hölder's exponents are conjugate: (s − 1)/s + 1/s = 1": identical(
            (s - 1) / s + 1 / s, sympy.Integer(1)
        ),
        "the first order: 1 + (α − 1) s/(s − 1) = (sα − 1)/(s − 1)": identical(
            1 + (alpha - 1) * s / (s - 1), first
        ),
        "the second order: 1 + (s(α − 1) + s − 1) = sα": identical(
            1 + s * (alpha - 1) + s - 1, second
        ),
    }, "induction along a path")  # fmt: skip
    return *_group("zcdp", "rho"), held


@theorem(
    id="GB24.VI.13",
    statement="If M_i is d_i²-zC-private for every fixed value of the earlier outputs, the "
    "adaptive composition behind the f_i is (Σ d_i²)-zC-private: rates add up.",
    status="rocq",
    cite="GB24.VI.13",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $d_i^2$-zC-private, then the adaptive "
    r"composition behind the $f_i$ is $\sum_id_i^2(f_iD,f_iD')$-zC-private.",
)
def zcdp_sum_of_adaptive() -> Evidence:
    """The rule; and that moments factorize, outcome by outcome of the first mechanism.

    (pa)^α (qb)^(1−α) = p^α q^(1−α) · a^α b^(1−α), for each pair of outcomes.
    """
    import z3

    total, weight, x, top, so_far = z3.Reals("total weight x top so_far")
    return (
        t.composed_at_metrics("zcdp"),
        smt({
            "one outcome more: Σ w x + w x ≤ (Σ w + w) max x": holds(
                total + weight * x <= (so_far + weight) * top,
                total <= so_far * top, weight >= 0, x <= top,
            ),
        }, "e^((α−1) D_α) of both ≤ that of the first times the largest of the second"),
    )  # fmt: skip


@theorem(
    id="GB24.VI.14",
    statement="On the common domain, G ρ_i-zCDP parts that depend on f_i only compose to "
    "Σ ρ_i d_i², with the canonical metrics of the pushforwards.",
    status="derived",
    cite="GB24.VI.14, with the exact metric of N2",
    latex=r"On the common domain, $f_i$-dependent parts that are $\mathcal G$ "
    r"$\rho_i$-zCDP compose to $\sum_i\rho_id_i^2$, with $d_i$ the canonical metric of the "
    r"pushforward of $\mathcal G$ along $f_i$.",
)
def zcdp_sum_of_pushforwards_of_dependent() -> Evidence:
    """By the pushforward and adaptive composition."""
    return t.common("zcdp")


@theorem(
    id="GB24.VI.15",
    statement="Parts that are G ρ_i-zCDP are together G (Σ ρ_i)-zCDP.",
    status="derived",
    cite="GB24.VI.15",
    latex=r"If each $M_i$ is $\mathcal G$ $\rho_i$-zCDP, together they are $\mathcal G$ "
    r"$(\sum_i\rho_i)$-zCDP.",
)
def zcdp_sum_of_sequential() -> Evidence:
    """For every granularity, k symbolic; adaptively."""
    return t.sequential("zcdp")


@theorem(
    id="GB24.VI.16",
    statement="Under C1 and C2, parts that are G ρ_i-zCDP on their own domains are together "
    "G (max ρ_i)-zCDP.",
    status="derived",
    cite="GB24.VI.16",
    latex=r"Under C1 and C2, parts that are $\mathcal G$ $\rho_i$-zCDP on their own "
    r"domains are together $\mathcal G$ $(\max_i\rho_i)$-zCDP.",
)
def zcdp_max_of_compatible_nonexpansive() -> Evidence:
    """C1 and C2 are the hypotheses."""
    return t.parallel("zcdp")


@theorem(
    id="GB24.A.14",
    statement="A d²-zC-private mechanism that depends on f only has its guarantee at the quotient "
    "of its metric by f; for a granularity, at the pushforward.",
    status="rocq",
    cite="GB24.A.14, with the exact metric of N2",
    latex=r"A $d^2$-zC-private mechanism that depends on $f$ only is so at the quotient of its "
    r"metric by $f$, and for a granularity at the canonical metric of the pushforward.",
)
def zcdp_at_quotient_of_dependent() -> Evidence:
    """The rule N2 for a granularity, and for a given metric."""
    return pushed_forward("zcdp", "rho")


@theorem(
    id="GB24.A.15",
    statement="On the common domain condition C1 gives G (max ρ_i)-zCDP.",
    status="derived",
    cite="GB24.A.15, with the compatibility it needs (E12)",
    latex=r"On the common domain C1 gives $\mathcal G$ $(\max_i\rho_i)$-zCDP.",
)
def zcdp_max_of_compatible_dependent() -> Evidence:
    """Condition C1 is the hypothesis."""
    return t.on_common_domain("zcdp")


# ------------------------------------------------------------------ Gaussian


@theorem(
    id="GB24.VI.20",
    statement="M is μ d-Gaussian private for the canonical metric d of G iff M is G μ-GDP: at n "
    "steps the guarantee is n μ.",
    status="rocq",
    cite="GB24.VI.20",
    latex=r"$M$ is $\mu d$-Gaussian private for the canonical metric $d$ of $\mathcal G$ iff "
    r"$M$ is $\mathcal G$ $\mu$-GDP; at $n$ steps the guarantee is $n\mu$.",
)
def gaussian_at_canonical_iff_gaussian() -> Evidence:
    """The rules; in normal quantiles G_μ is z ↦ z − μ, and steps compose to z − (n + 1) μ."""
    import sympy

    z, mu, n = sympy.symbols("z mu n")
    held = identities({
        "G_μ after G_nμ, in z = Φ⁻¹(1 − α): (z − nμ) − μ = z − (n + 1) μ": identical(
            (z - n * mu) - mu, z - (n + 1) * mu
        ),
    }, "T(P, R) ≥ T(P″, R)(1 − T(P, P″)), and trade-off functions decrease; induction")  # fmt: skip
    return *_group("gaussian", "mu"), held


@theorem(
    id=("GB24.VI.21", "GB24.A.16"),
    statement="If M_i is d_i-Gaussian private for every fixed value of the earlier outputs, the "
    "adaptive composition behind the f_i is √(Σ d_i²)-Gaussian private; tensor products of "
    "Gaussian trade-off functions are Gaussian, with the root of the sum of squares.",
    status="rule",
    cite="GB24.VI.21, A.16",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $d_i$-Gaussian private, then the adaptive "
    r"composition behind the $f_i$ is $\bigl(\sum_id_i^2(f_iD,f_iD')\bigr)^{1/2}$-Gaussian "
    r"private; and $G_\mu\otimes G_\nu=G_{\sqrt{\mu^2+\nu^2}}$.",
)
def gaussian_root_of_squares_of_adaptive() -> Evidence:
    """The rule; and the log-likelihood ratio of a product of two Gaussian pairs.

    It is a linear form in two standard normal variables: its mean and variance are those of one
    pair at distance √(μ² + ν²), so the tests and their errors are the same.
    """
    return t.composed_at_metrics("gaussian"), _tensor()


def _tensor() -> Discharged:
    import sympy

    x, y, mu, nu, w, s = sympy.symbols("x y mu nu w s")

    def loss(z: Any, shift: Any) -> Any:
        return -((z - shift) ** 2) / 2 + z**2 / 2

    return identities({
        "of two pairs, a linear form in x and y: μx + νy − (μ² + ν²)/2": identical(
            loss(x, mu) + loss(y, nu), mu * x + nu * y - (mu**2 + nu**2) / 2
        ),
        "of one pair at distance s: sw − s²/2": identical(loss(w, s), s * w - s**2 / 2),
    }, "for standard normal x, y, w and s² = μ² + ν² both are normal, with the mean −s²/2 and the "
       "variance s²; shifted by μ, ν and s, with the mean s²/2; induction on the number of parts",
    )  # fmt: skip


@theorem(
    id="GB24.VI.22",
    statement="On the common domain, G μ_i-GDP parts that depend on f_i only compose to "
    "√(Σ (μ_i d_i)²), with the canonical metrics of the pushforwards.",
    status="derived",
    cite="GB24.VI.22, with the exact metric of N2",
    latex=r"On the common domain, $f_i$-dependent parts that are $\mathcal G$ $\mu_i$-GDP "
    r"compose to $\bigl(\sum_i(\mu_id_i)^2\bigr)^{1/2}$, with $d_i$ the canonical metric of "
    r"the pushforward of $\mathcal G$ along $f_i$.",
)
def gaussian_root_of_pushforwards_of_dependent() -> Evidence:
    """By the pushforward and adaptive composition."""
    return t.common("gaussian")


@theorem(
    id="GB24.VI.23",
    statement="Parts that are G μ_i-GDP are together G √(Σ μ_i²)-GDP.",
    status="derived",
    cite="GB24.VI.23, for Gaussian private parts (E18)",
    latex=r"If each $M_i$ is $\mathcal G$ $\mu_i$-GDP, together they are $\mathcal G$ "
    r"$\bigl(\sum_i\mu_i^2\bigr)^{1/2}$-GDP.",
)
def gaussian_root_of_squares_of_sequential() -> Evidence:
    """For every granularity, k symbolic; adaptively."""
    return t.sequential("gaussian")


@theorem(
    id="GB24.VI.24",
    statement="Where a metric commutes with the partition, μ_i d_i-Gaussian private parts compose "
    "to √(Σ (μ_i d_i)²) ≤ (max μ_i) d.",
    status="rule",
    cite="GB24.VI.24",
    latex=r"Where a metric commutes with the partition, $\mu_id_i$-Gaussian private parts "
    r"compose to $\bigl(\sum_i(\mu_id_i)^2\bigr)^{1/2}\le(\max_i\mu_i)\,d$.",
)
def gaussian_max_of_commuting() -> Evidence:
    """The first bound is the rule of composition; squares are compared, as roots are monotone."""
    import z3

    total, top, d = z3.Reals("total top d")
    return t.composed_at_metrics("gaussian"), smt({
        "Σ (μ_i r_i)² ≤ (max μ_i Σ r_i)², for every number of parts": squares_below_a_square(),
        "and (max μ Σ r)² ≤ (max μ d)² for Σ r ≤ d": holds(
            (top * total) * (top * total) <= (top * d) * (top * d), total >= 0, total <= d, top >= 0
        ),
    })  # fmt: skip


@theorem(
    id="GB24.VI.25",
    statement="One record less in each of two blocks: √2 by adaptive composition of Gaussian "
    "private parts, against 2 for the metric.",
    status="computed",
    cite="GB24.VI.25",
    latex=r"If $D'$ has one record less in each of two blocks, $1$-Gaussian private parts "
    r"compose to $\sqrt2$ there, against $2$ by the metric.",
)
def gaussian_root_two_of_two_blocks() -> Evidence:
    """The value of the composed loss, where two blocks change by one record each."""
    problem = t.blocks_of_neighbours(
        t.BLOCK_MAP, t.NEIGHBOURS,
        k.Pullback(k.CanonicalMetric(t.NEIGHBOURS, t.BLOCKS), t.BLOCK_MAP),
    )  # fmt: skip
    vector = k.DifferenceVector(
        (k.BlockGroup(t.BLOCK_MAP.name, t.TWO, (k.SeenDistance("M", t.ONE),)),)
    )
    profile = t.assumed(k.ProfileFact(problem, (), (vector,)), "two blocks change by one record")
    loss = k.Neighbouring(t.NEIGHBOURS, t.BLOCKS, (t.ONE,))
    part = k.given(k.Private(k.NamedMechanism("M", t.BLOCKS, t.K), "gaussian", loss, ()), "part i")
    family = k.run_family(k.preprocess(k.everywhere(part), t.BLOCK_MAP), t.K)
    (bound,) = t.largest(t.total(family, problem, profile))
    value = evaluate(bound, ParameterTable(), {"k": 2})
    removed = {"block 1": ("a",), "block 2": ("b",)}
    return Computed(
        {"composition": root(2), "metric": 2},
        {"composition": value, "metric": sum(map(len, removed.values()))},
    )


@theorem(
    id="GB24.VI.26",
    statement="Under C1 and C2, parts that are G μ_i-GDP on their own domains are together "
    "G (max μ_i)-GDP.",
    status="derived",
    cite="GB24.VI.26",
    latex=r"Under C1 and C2, parts that are $\mathcal G$ $\mu_i$-GDP on their own domains "
    r"are together $\mathcal G$ $(\max_i\mu_i)$-GDP.",
)
def gaussian_max_of_compatible_nonexpansive() -> Evidence:
    """C1 and C2 are the hypotheses."""
    return root_of_largest_square(t.parallel("gaussian"))


@theorem(
    id="GB24.A.17",
    statement="On the common domain condition C1 gives G (max μ_i)-GDP.",
    status="derived",
    cite="GB24.A.17",
    latex=r"On the common domain C1 gives $\mathcal G$ $(\max_i\mu_i)$-GDP.",
)
def gaussian_max_of_compatible_dependent() -> Evidence:
    """Condition C1 is the hypothesis."""
    return root_of_largest_square(t.on_common_domain("gaussian"))


@theorem(
    id="GB24.A.18",
    statement="For bounded neighbours and a partition by value on the common domain: the root of "
    "the sum of the two largest μ_i², max over i ≠ j of √(μ_i² + μ_j²) (k = 1: μ_1).",
    status="derived",
    cite="GB24.A.18",
    latex=r"For bounded neighbours and a partition by value on the common domain: "
    r"$\max_{i\ne j}\sqrt{\mu_i^2+\mu_j^2}$, and $\mu_1$ for $k=1$.",
)
def gaussian_two_largest_of_bounded_partition() -> Evidence:
    """That a record lies in one block at most is decided; the kernel enumerates the rest."""
    bound = "sqrt(sum of the 2 largest mu[i]^2)"
    return bounded_by(posed("bounded", "partial_partition", "common"), {"gaussian": bound})
