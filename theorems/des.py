"""Partial knowledge: losses, dependency, composition, nested and chained mechanisms.

The source's formulas are lost in the text that was read; the statements are reconstructed, and no
printed constant is carried.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym.uncertainty.laws.chained import chained
from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.counts import binomial, nested_curves
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_delta, worst_factor
from dpcomp_sym.uncertainty.laws.days import Chain, daily_cases
from dpcomp_sym.uncertainty.laws.worlds import AttackCase, Attacker, cases, composed
from theorems._entry import CheckedInScope, Computed, Defined, Evidence, Obligation, theorem
from theorems._finite import excess, randomized_response
from theorems._prove import holds, identical, identities, smt

_HALF = Fraction(1, 2)
_FACTORS = (Fraction(1), Fraction(3, 2), Fraction(3))
_TWO_BITS = tuple(product((0, 1), repeat=2))


# ------------------------------------------------------------------ definitions


def _small_models() -> Iterator[tuple[dict[Any, Fraction], tuple[Any, ...]]]:
    """Yield all laws of two bits in quarters, each with all pairs of functions of them."""
    functions = [dict(zip(_TWO_BITS, values, strict=True)) for values in product((0, 1), repeat=4)]
    for weights in product(range(5), repeat=4):
        if sum(weights) == 4:
            law = {d: Fraction(w, 4) for d, w in zip(_TWO_BITS, weights, strict=True) if w}
            for first, second in product(functions[:8], functions[:8]):
                yield law, (first.__getitem__, second.__getitem__)


def _found(law: dict[Any, Fraction], see: Sequence[Any]) -> list[AttackCase]:
    return cases({"law": law}, lambda d: d[0], lambda _: None, see)


def small_cases() -> Iterator[AttackCase]:
    """Yield all that an attacker can compare in the small models, each with its values a and b."""
    for law, see in _small_models():
        yield from _found(law, see)


def _expected(
    law: dict[Any, Fraction], see: Sequence[Any], which: Sequence[int], x: Fraction
) -> Fraction:
    """Return the largest E of max(0, 1 − e^(ε − L)) from the definition, with x = e^ε."""
    worst = Fraction(0)
    for a, b in ((0, 1), (1, 0)):
        if {a, b} - {d[0] for d in law}:
            continue
        total = Fraction(0)
        for o in product((0, 1), repeat=len(which)):
            p, q = (_given(law, v, see, which, o) for v in (a, b))
            if p:
                total += p * (max(Fraction(0), 1 - x * q / p) if q else 1)
        worst = max(worst, total)
    return worst


def _given(law: Any, value: int, see: Any, which: Any, o: tuple[int, ...]) -> Fraction:
    """Return the probability of these outputs given the first bit."""
    possible = {d: p for d, p in law.items() if d[0] == value}
    seen = [p for d, p in possible.items() if o == tuple(see[j](d) for j in which)]
    return Fraction(sum(seen) / sum(possible.values()))


@theorem(
    id="Des.PLRV",
    statement="The least δ at ε, E over o ∼ M, given D_i = a and the background, of max(0, "
    "1 − e^(ε − L)), is "
    "Σ max(0, P_a(o) − e^ε P_b(o)): the largest excess of an event.  An active attacker "
    "chooses the background, a passive one is given it, so that passive is never worse.",
    status="defined",
    cite="Des 3.2; D. Desfontaines et al., Differential privacy with partial knowledge",
    latex=r"With $\mathcal L(o)=\ln\frac{P_a(o)}{P_b(o)}$ the mean of "
    r"$\max(0,1-e^{\varepsilon-\mathcal L(o)})$ over $o\sim P_a$ is "
    r"$\sum_o\max(0,P_a(o)-e^\varepsilon P_b(o))$, the least $\delta$ at $\varepsilon$. An "
    r"active attacker chooses the background and a passive one is given it, so that the passive "
    r"one never has more.",
)
def loss_of_partial_knowledge() -> Evidence:
    """L(o, b̂) = ln P[M = o | D_i = a, b̂] / P[M = o | D_i = b, b̂].

    Conventions: the loss is 0 where b̂ is impossible with a or with b, ∞ where o is impossible
    under b only; outcomes that are impossible under a never occur.
    """
    count, true = 0, True
    for law, see in _small_models():
        found = _found(law, see)
        both = Composition(found, "active", ("first", "second"))
        for x in _FACTORS:
            count += 1
            true &= worst_delta(both.joint_curves[2], x) == _expected(law, see, (0, 1), x)
    for law, see in list(_small_models())[::29]:
        known = cases({"law": law}, lambda d: d[0], lambda d: d[1], see)
        sides = [Composition(known, side, ("first", "second")) for side in _attackers()]
        for x in _FACTORS:
            active, passive = (worst_delta(one.joint_curves[2], x) for one in sides)
            count += 1
            true &= passive <= active
    return Defined(
        CheckedInScope("two bits with probabilities in quarters, two bits out", count, true)
    )


def _attackers() -> tuple[Attacker, Attacker]:
    return "active", "passive"


@theorem(
    id="Des.Def62",
    statement="The dependency of M₂ on M₁, the loss of M₂ given M₁'s output minus its own, is "
    "L(o₁, o₂) − L(o₁) − L(o₂) where these are finite; ∞ − ∞ = 0, and 0 where o₁ is impossible "
    "under b.  With ∞ − ∞ = ∞ Proposition 29 would fail: outputs that are independent given a, "
    "and given b, may each have an infinite loss.",
    status="defined",
    cite="Des.62, whose convention for ∞ is lost in the text",
    latex=r"The dependency of $M_2$ on $M_1$ is $\mathrm{dep}(o_1,o_2)=\mathcal "
    r"L(o_1,o_2)-\mathcal L(o_1)-\mathcal L(o_2)$ where these are finite, with "
    r"$\infty-\infty=0$, and $0$ where $o_1$ is impossible under $b$.",
)
def dependency_of_losses() -> Evidence:
    """With these conventions the three add up to the loss of the pair also at infinity.

    The loss of M₂ may be infinite by itself, and given M₁'s output: outputs with Q₂ = 0 < P₂, and
    independent ones.
    """
    count, true = 0, True
    for law, see in _small_models():
        for case in _found(law, see):
            both, first, second = (case.losses(which) for which in ((0, 1), (0,), (1,)))
            for o, dep in case.dependencies(1).items():
                count += 1
                true &= both[o] == composed((first[o[:1]], second[o[1:]], dep))
    return Defined(
        CheckedInScope("two bits with probabilities in quarters, two bits out", count, true)
    )


@theorem(
    id="Des.Def63",
    statement="M₂ is (ε, δ)-bounded dependent on M₁ if E over (o₁, o₂), given D_i = a and the "
    "background, of max(0, 1 − e^(ε − dep)) is at most δ, for all θ, i, a, b and "
    "backgrounds: a curve in ε like that of a loss.",
    status="defined",
    cite="Des.63",
    latex=r"$M_2$ is $(\varepsilon,\delta)$-bounded dependent on $M_1$ if the mean of "
    r"$\max(0,1-e^{\varepsilon-\mathrm{dep}(o_1,o_2)})$ over the outputs, given $D_i=a$ and the "
    r"background, is at most $\delta$, for all $\theta$, $i$, $a$, $b$ and backgrounds.",
)
def bounded_dependency_of_expectation() -> Evidence:
    """The curve is compared with the expectation, outcome by outcome."""
    count, true = 0, True
    for law, see in list(_small_models())[::7]:
        for case in _found(law, see):
            curve = DeltaCurve(case.dependency_pairs(1))
            for x in _FACTORS:
                expected = sum(
                    (p * (1 if dep is None else max(Fraction(0), 1 - x / dep))
                     for (o, p), dep in
                     ((op, case.dependencies(1)[op[0]]) for op in case.first.items())),
                    Fraction(0),
                )  # fmt: skip
                count += 1
                true &= curve.delta(x) == expected
    return Defined(
        CheckedInScope("two bits with probabilities in quarters, two bits out", count, true)
    )


# ------------------------------------------------------------------ sequential composition


def _lost(u: Any) -> Any:
    """Return max(0, 1 − u), where u = e^(−x) ≥ 0, and u = 0 is x = ∞."""
    import z3

    return z3.If(u <= 1, 1 - u, 0)


@theorem(
    id="Des.subadditive",
    statement="x ↦ max(0, 1 − e^(−x)) is subadditive, on the reals and at ∞.",
    status="decided",
    cite="Des.Thm6, in the proof",
    latex=r"The function $h(x)=\max(0,1-e^{-x})$ satisfies $h(x+y)\le h(x)+h(y)$ for all "
    r"$x,y\in\mathbb R\cup\{\infty\}$.",
)
def subadditive_of_positive_part() -> Evidence:
    """With u = e^(−x) and v = e^(−y), which are ≥ 0, and 0 at infinity: sums are products."""
    import z3

    u, v = z3.Reals("u v")
    return smt({
        "max(0, 1 − uv) ≤ max(0, 1 − u) + max(0, 1 − v) for u, v ≥ 0": holds(
            _lost(u * v) <= _lost(u) + _lost(v), u >= 0, v >= 0
        ),
    })  # fmt: skip


@theorem(
    id="Des.Thm6",
    statement="L(o₁, o₂) = L(o₁) + L(o₂) + dep(o₁, o₂), hence: if dep is (ε, δ)-bounded and M_j is "
    "(ε_j, δ_j)-private under partial knowledge, (M₁, M₂) is (ε+ε₁+ε₂, δ+δ₁+δ₂)-private, against "
    "active and against passive attackers.  For k mechanisms: add the dependency of each M_j on "
    "(M₁, …, M_(j−1)).",
    status="argued",
    cite="Des.Thm6 and its corollary",
    latex=r"$\mathcal L(o_1,o_2)=\mathcal L(o_1)+\mathcal L(o_2)+\mathrm{dep}(o_1,o_2)$; so if "
    r"$\mathrm{dep}_j$, the dependency of $M_j$ on $(M_1,\dots,M_{j-1})$, is "
    r"$(\varepsilon'_j,\delta'_j)$-bounded and $M_j$ is $(\varepsilon_j,\delta_j)$-private "
    r"under partial knowledge, all together are private at "
    r"$\sum_j\varepsilon_j+\sum_{j\ge2}\varepsilon'_j$ with "
    r"$\sum_j\delta_j+\sum_{j\ge2}\delta'_j$.",
)
def private_sum_of_bounded_dependent() -> Evidence:
    """P, P₁, P₂ are the probabilities of (o₁, o₂), o₁, o₂ given a; Q, Q₁, Q₂ given b.

    On outcomes with P > 0 also P₁, P₂ > 0.  With u = e^(−dep), v_j = Q_j/P_j the convention for
    dep makes Q/P = u v₁ v₂ in all cases: u = (Q/Q₁)(P₁/P)/v₂, and if Q₁ = 0 or Q₂ = 0 then u = 1
    and Q = 0.  Subadditivity at x = dep − ε and so on gives the bound for each outcome; taking
    the expectation, each term depends on its own outputs only, whose law given a is the marginal.
    A passive attacker's δ is the average of this over the backgrounds.  k mechanisms: induction,
    with (M₁, …, M_(j−1)) in the place of M₁; then it is the identity of the pair again.
    """
    import z3

    u, v1, v2, e = z3.Reals("u v1 v2 e")
    x, y1, y2 = z3.Reals("x y1 y2")
    p, p1, p2, q, q1, q2 = probabilities = z3.Reals("p p1 p2 q q1 q2")
    return (
        smt({
            "Q/P = u v₁ v₂, for all outcomes that are possible under a": holds(
                q == u * v1 * v2 * p, *possible_outcomes(probabilities),
                is_dependency(u, probabilities), v1 * p1 == q1, v2 * p2 == q2,
            ),
            "max(0, 1 − e (y₂v₂)) ≤ max(0, 1 − e) + max(0, 1 − y₂v₂), e the first two": holds(
                _lost(e * (y2 * v2)) <= _lost(e) + _lost(y2 * v2), e >= 0, y2 > 0, v2 >= 0
            ),
            "max(0, 1 − (xu)(y₁v₁)) ≤ max(0, 1 − xu) + max(0, 1 − y₁v₁)": holds(
                _lost((x * u) * (y1 * v1)) <= _lost(x * u) + _lost(y1 * v1),
                x > 0, u >= 0, y1 > 0, v1 >= 0,
            ),
        }, "expectations given a are linear, and each term has its own marginal law; k mechanisms "
           "by induction, with (M₁, …, M_(j−1)) in the place of M₁"),
        _never_below(),
    )  # fmt: skip


def possible_outcomes(probabilities: Sequence[Any]) -> tuple[Any, ...]:
    """Say that outcomes are possible given a; P is that of both, P₁ and P₂ of each, Q given b."""
    p, p1, p2, q, q1, q2 = probabilities
    return p > 0, p1 >= p, p2 >= p, q >= 0, q1 >= q, q2 >= q


def is_dependency(u: Any, probabilities: Sequence[Any]) -> Any:
    """Say that u = e^(−dep): (Q/Q₁)(P₁/P)/(Q₂/P₂), and 1 where Q₁ or Q₂ is 0."""
    import z3

    p, p1, p2, q, q1, q2 = probabilities
    return z3.If(z3.Or(q1 == 0, q2 == 0), u == 1, u * q2 * p * q1 == q * p1 * p2)


def no_dependency_of_independent() -> Obligation:
    """Ask whether dep = 0 for all outcomes that are possible given a, if P = P₁P₂ and Q = Q₁Q₂."""
    import z3

    u = z3.Real("u")
    p, p1, p2, q, q1, q2 = probabilities = z3.Reals("p p1 p2 q q1 q2")
    return holds(
        u == 1, p == p1 * p2, q == q1 * q2,
        *possible_outcomes(probabilities), is_dependency(u, probabilities),
    )  # fmt: skip


def _never_below() -> CheckedInScope:
    """The exact δ of the pair never exceeds the bound."""
    count, true = 0, True
    for law, see in list(_small_models())[::5]:
        both = Composition(_found(law, see), "active", ("first", "second"))
        for x, y, z in product(_FACTORS, repeat=3):
            exact = worst_delta(both.joint_curves[2], x * y * z)
            terms = ((both.dependency_curves[1], x), (both.single_curves[0], y),
                     (both.single_curves[1], z))  # fmt: skip
            count += 1
            true &= exact <= sum(worst_delta(curves, factor) for curves, factor in terms)
    return CheckedInScope("two bits with probabilities in quarters, two bits out", count, true)


@theorem(
    id="Des.Prop29",
    statement="If M₁'s and M₂'s outputs are independent given D_i = a and the background, for "
    "each value a that is possible with it, they are (0, 0)-bounded dependent; k "
    "mechanisms, if they are mutually independent so.  Functions f_j(D) that are independent "
    "so, with noise of their own, will do.",
    status="argued",
    cite="Des.Prop29, corrected",
    latex=r"If the outputs of $M_1$ and $M_2$ are independent given $D_i=a$ and the background, "
    r"for each possible value $a$, then $M_2$ is $(0,0)$-bounded dependent on $M_1$; $k$ "
    r"mechanisms are so if they are mutually independent given these, as functions $f_j(D)$ that "
    r"are, with noise of their own.",
)
def not_dependent_of_conditionally_independent() -> Evidence:
    """Then P = P₁P₂ and Q = Q₁Q₂, so that dep = 0; noise of its own keeps the independence.

    The printed hypothesis, independence without the condition, is not enough: see E16.
    """
    count, true = 0, True
    for law, see in _small_models():
        for case in _found(law, see):
            tables: list[tuple[Any, Any, Any]] = [
                (given, _table(given, 0), _table(given, 1)) for given in (case.first, case.second)
            ]
            if all(
                joint.get((x, y), 0) == left.get(x, 0) * right.get(y, 0)
                for joint, left, right in tables
                for x, y in _TWO_BITS
            ):
                count += 1
                true &= set(case.dependencies(1).values()) == {1}
    return (
        smt({
            "P = P₁P₂ and Q = Q₁Q₂ make dep = 0, by its convention also where Q is 0": (
                no_dependency_of_independent()
            ),
        }, "outputs that are mutually independent are independent of all earlier ones together; "
           "noise of their own keeps functions of the data independent"),
        CheckedInScope("two bits with probabilities in quarters, two bits out", count, true),
    )  # fmt: skip


def _table(law: Any, j: int) -> dict[Hashable, Fraction]:
    found: dict[Hashable, Fraction] = {}
    for o, p in law.items():
        found[o[j]] = found.get(o[j], Fraction(0)) + p
    return found


@theorem(
    id="Des.Ex9",
    statement="Daily counts of a feature among 8 other users (half use it, a quarter do not, a "
    "quarter take no part), three days, each state kept with probability 1/4: at δ = 1/20 the "
    "exact loss grows from e^ε = 121/45 on a day, the bound of Theorem 6 is above it on each "
    "day, and dependencies are finite; without correlation they are 0.",
    status="computed",
    cite="Des.Ex9",
    latex=r"For daily counts of a feature among $8$ other users over three days, each state kept "
    r"with probability $\frac14$, the exact loss at $\delta=\frac1{20}$ grows from "
    r"$e^\varepsilon=\frac{121}{45}$ on the first day, below the bound by dependencies on each "
    r"day; without correlation the dependencies are $0$.",
)
def loss_over_time_of_daily_counts() -> Evidence:
    """The difference of two series of the target is what counts; all of them are compared."""
    delta = Fraction(1, 20)
    start, counted = (_HALF / 2, _HALF / 2, _HALF), (False, False, True)
    found: dict[str, Any] = {}
    for keep in (Fraction(0), Fraction(1, 4)):
        chain = Chain.keeping(start, keep, counted)
        seen = Composition(daily_cases(chain, 8, 3), "active", ("day 1", "day 2", "day 3"))
        exact = [seen.together(t, delta) for t in (1, 2, 3)]
        bound = [seen.bound(t, delta)[0] for t in (1, 2, 3)]
        rising = all(
            x is not None and y is not None and x <= y for x, y in zip(exact, bound, strict=True)
        )
        depends = [seen.depends(t, 0) for t in (1, 2)]
        found |= {
            f"keep {keep}: correlation": chain.correlation(3),
            f"keep {keep}: one day": exact[0],
            f"keep {keep}: bound at least the exact loss": rising,
            f"keep {keep}: no dependency": depends == [1, 1],
            f"keep {keep}: finite dependency": None not in depends,
        }
    stated: dict[str, Any] = {
        "keep 0: correlation": Fraction(1),
        "keep 1/4: correlation": Fraction(7, 4),
    }
    for word in ("0", "1/4"):
        stated |= {
            f"keep {word}: one day": Fraction(121, 45),
            f"keep {word}: bound at least the exact loss": True,
            f"keep {word}: no dependency": word == "0",
            f"keep {word}: finite dependency": True,
        }
    return Computed(stated, found)


@theorem(
    id="Des.Ex9",
    statement="Daily counts among any number of users: if knowing whether a user was counted "
    "yesterday moves the probabilities to be counted and not to be counted today by a factor of at "
    "most e^γ, the dependency of a day's count on all counts before it is at most 4γ, for two "
    "days, and for more if nothing else of yesterday's state matters.  3γ is not enough.",
    status="argued",
    cite="Des.Ex9, whose constant is lost",
    latex=r"If knowing whether a user was counted on one day moves the probabilities to be "
    r"counted, and not to be counted, on the next by a factor of at most $e^\gamma$, the "
    r"dependency of a day's count on the counts before it is at most $4\gamma$, for two days, "
    r"and for more if nothing else of the day before matters; $3\gamma$ is not enough.",
)
def dependency_of_daily_counts() -> Evidence:
    """Given the counts before, c users were counted yesterday; for the target's other series c ± 1.

    The day's count of the others is a sum of independent bits with probabilities p₁ or p₀; without
    knowledge all have p.  The loss given the past is the ratio at outputs m and m′ (m′ = m or
    m ± 1) of laws that differ in one bit; the loss alone is the ratio at m and m′ of Bin(n, p).
    One bit costs 2γ.  The ratio of neighbouring probabilities of a sum of bits rises with the odds
    of each bit, because sums of bits are log-concave, and is proportional to a common factor of
    all odds; so it is within e^(±2γ) of the binomial's.
    """
    import sympy
    import z3

    w, v, a0, a1, a2, p, x, y, z, t = sympy.symbols("w v a0 a1 a2 p x y z t")
    g, r, q, s, h, b1, b2 = z3.Reals("g r q s h b1 b2")
    near = (q <= g * r, r <= g * q, 1 - q <= g * (1 - r), 1 - r <= g * (1 - q))
    other = (s <= g * r, r <= g * s, 1 - s <= g * (1 - r), 1 - r <= g * (1 - s))
    inside = (g >= 1, r > 0, r < 1, q > 0, q < 1, s > 0, s < 1)
    return (
        smt({
            "odds: q(1 − r) ≤ g² r(1 − q)": holds(
                q * (1 - r) <= g * g * r * (1 - q), *inside, *near
            ),
            "one bit: q ≤ g² s, and 1 − q ≤ g² (1 − s)": holds(
                z3.And(q <= g * g * s, 1 - q <= g * g * (1 - s)), *inside, *near, *other
            ),
            "one bit moves a law as much": holds(
                q * b1 + (1 - q) * b2 <= h * (s * b1 + (1 - s) * b2),
                q <= h * s, 1 - q <= h * (1 - s), b1 >= 0, b2 >= 0, h >= 1,
            ),
        }, "g = e^γ; r is the probability without knowledge, q and s are those with it"),
        identities({
            "more odds, larger ratio: the difference is (v − w)(a₁² − a₀a₂)": identical(
                (v * a1 + a2) * (w * a0 + a1) - (w * a1 + a2) * (v * a0 + a1),
                (v - w) * (a1**2 - a0 * a2),
            ),
            "one more bit keeps log-concavity": identical(
                (p * y + (1 - p) * z) ** 2
                - (p * x + (1 - p) * y) * (p * z + (1 - p) * t),
                p**2 * (y**2 - x * z) + (1 - p) ** 2 * (z**2 - y * t)
                + p * (1 - p) * (y * z - x * t),
            ),
        }, "y z ≥ x t follows from y² ≥ x z and z² ≥ y t where no probability inside is 0"),
        _three_times_is_not_enough(),
        _daily_dependencies(),
    )  # fmt: skip


def _daily_dependencies() -> CheckedInScope:
    """All two-state chains with probabilities in quarters, three days, three other users."""
    quarters = [Fraction(n, 4) for n in (1, 2, 3)]
    count, true = 0, True
    for first, stay, come in product(quarters, repeat=3):
        chain = Chain((1 - first, first), ((1 - come, come), (1 - stay, stay)), (False, True))
        seen = Composition(daily_cases(chain, 3, 3), "active", ("1", "2", "3"))
        for day in (2, 3):
            exact, bound = seen.depends(day - 1, 0), chain.dependency(day)
            count += 1
            true &= exact is not None and bound is not None and exact <= bound
    return CheckedInScope(
        "two states, probabilities in quarters, three days, three users", count, true
    )


def _three_times_is_not_enough() -> Computed:
    """Two days, 16 other users, fair states, each kept with probability 1/20."""
    fair = Chain.keeping((_HALF, _HALF), Fraction(1, 20), (False, True))
    worse = Composition(daily_cases(fair, 16, 2), "active", ("1", "2")).depends(1, 0)
    moved = fair.correlation(2)
    return Computed(
        {"e^γ": Fraction(20, 19), "the dependency is between 3γ and 4γ": True},
        {
            "e^γ": moved,
            "the dependency is between 3γ and 4γ": moved is not None
            and worse is not None
            and moved**3 < worse <= moved**4,
        },
    )


# ------------------------------------------------------------------ nested composition


@theorem(
    id="Des.nested",
    statement="A count over n unknown fair bits plus two-sided geometric noise that is ln 2-"
    "private by itself, exactly, without truncation: both together are never worse than the count "
    "alone or the noise alone, and at e^ε = 11/10, n = 10 it is better than both.",
    status="computed",
    cite="Des 3.2.4, nested composition (Figure 3.6)",
    latex=r"For a count over $n$ unknown fair bits plus two-sided geometric noise that is "
    r"$\ln2$-private by itself, the exact $\delta$ of both together is never above that of the "
    r"count alone or of the noise alone; at $e^\varepsilon=\frac{11}{10}$ and $n=10$ it is below "
    r"both.",
)
def both_of_count_and_noise() -> Evidence:
    """The convolution of binomial and geometric law; both infinite tails have a constant loss.

    Bin(n, p) + Bin(m, p) = Bin(n + m, p): generating functions multiply.
    """
    noise = nested_curves(binomial(0, _HALF), _HALF)
    never_worse, x = True, Fraction(11, 10)
    for size in (1, 2, 5, 10, 40):
        count, both = (nested_curves(binomial(size, _HALF), a) for a in (Fraction(0), _HALF))
        for factor in (Fraction(1), x, Fraction(3, 2), Fraction(19, 10)):
            least = min(worst_delta(count, factor), worst_delta(noise, factor))
            never_worse &= worst_delta(both, factor) <= least
    count, both = (nested_curves(binomial(10, _HALF), a) for a in (Fraction(0), _HALF))
    return (
        Computed(
            {
                "noise alone: e^ε": Fraction(2), "noise alone: δ at 11/10": Fraction(3, 10),
                "count alone: δ at 11/10": Fraction(1067, 5120),
                "both: less than each": True, "never worse": True,
            },
            {
                "noise alone: e^ε": worst_factor(noise, 0),
                "noise alone: δ at 11/10": worst_delta(noise, x),
                "count alone: δ at 11/10": worst_delta(count, x),
                "both: less than each": worst_delta(both, x)
                < min(worst_delta(count, x), worst_delta(noise, x)),
                "never worse": never_worse,
            },
        ),
    )  # fmt: skip


@theorem(
    id="Des.chain",
    statement="If M₁ is ε₁-private and M₂ is ε₂-private between any two of its inputs, M₂ ∘ M₁ is "
    "ln((1 + e^(ε₁+ε₂))/(e^ε₁ + e^ε₂))-private, and randomized response twice attains it.  "
    "tanh(ε/2) multiplies, so that chains of any length are settled.",
    status="rocq",
    cite="Des 3.2.4, chained mechanisms, from the work cited there (Appendix B)",
    latex=r"If $M_1$ is $\varepsilon_1$-private, and $M_2$ is $\varepsilon_2$-private between "
    r"any two of its inputs, $M_2\circ M_1$ is $\varepsilon$-private with "
    r"$\varepsilon=\ln\frac{1+e^{\varepsilon_1+\varepsilon_2}}"
    r"{e^{\varepsilon_1}+e^{\varepsilon_2}}$, "
    r"that is $\tanh\frac\varepsilon2=\tanh\frac{\varepsilon_1}2\tanh\frac{\varepsilon_2}2$; "
    r"randomized response twice attains it.",
)
def private_of_chained() -> Evidence:
    """For an event S let m and m + d be the least and largest probability of S over M₂'s inputs.

    m + d ≤ y m, with x = e^ε₁ and y = e^ε₂.  P[M₂(M₁(D)) ∈ S] = m + d s, where s is the mean
    under M₁(D) of a function in [0, 1], and so m + d t for D′.  Means of functions in [0, 1] obey
    what events obey: s ≤ x t and 1 − t ≤ x (1 − s); so mechanisms on one bit are
    the worst.  The claim is linear in d; at d = 0 and at d = (y − 1) m it is a sum of products of
    what is not negative.
    """
    import sympy

    m, d, s, t, x, y = sympy.symbols("m d s t x y")
    claim = (1 + x * y) * (m + d * t) - (x + y) * (m + d * s)
    at_most = sympy.expand(claim.subs(d, (y - 1) * m))
    return (
        identities({
            "d = 0: m (x − 1)(y − 1)": identical(claim.subs(d, 0), m * (x - 1) * (y - 1)),
            "d = (y − 1) m: (y − 1) m [y (x t − s) + (x (1 − s) − (1 − t))]": identical(
                at_most, (y - 1) * m * (y * (x * t - s) + (x * (1 - s) - (1 - t)))
            ),
            "in between: the claim is linear in d": identical(
                sympy.Derivative(claim, (d, 2)), sympy.Integer(0)
            ),
            "attained: ((xy + 1)/((1+x)(1+y))) / ((x + y)/((1+x)(1+y)))": identical(
                (x / (1 + x) * y / (1 + y) + 1 / (1 + x) / (1 + y))
                / (1 / (1 + x) * y / (1 + y) + x / (1 + x) / (1 + y)),
                (1 + x * y) / (x + y),
            ),
            "tanh(ε/2) = (z − 1)/(z + 1) multiplies": identical(
                ((1 + x * y) / (x + y) - 1) / ((1 + x * y) / (x + y) + 1),
                (x - 1) / (x + 1) * ((y - 1) / (y + 1)),
            ),
        }, "m ≥ 0, x, y ≥ 1, x t ≥ s, x (1 − s) ≥ 1 − t; complements of S give the other side"),
        _chains(),
    )  # fmt: skip


def _chains() -> CheckedInScope:
    """All pairs of mechanisms on two inputs with probabilities in sixths, between 0 and 1."""
    count, true = 0, True
    laws = [(Fraction(n, 6), 1 - Fraction(n, 6)) for n in range(1, 6)]

    def factor(one: Any, other: Any) -> Fraction:
        ratios = [v / w for v, w in zip(one, other, strict=True)]
        return Fraction(max(*ratios, *(1 / r for r in ratios)))

    for P, Q, K, L in product(laws, repeat=4):
        after = [tuple(r[0] * k + r[1] * e for k, e in zip(K, L, strict=True)) for r in (P, Q)]
        count += 1
        true &= factor(*after) <= chained([factor(P, Q), factor(K, L)])
    for q in (Fraction(2), Fraction(5), Fraction(3, 2)):
        one, other = randomized_response(q).values()
        twice = [tuple(r[0] * k + r[1] * e for k, e in zip(one, other, strict=True))
                 for r in (one, other)]  # fmt: skip
        count += 1
        true &= factor(*twice) == chained([q, q])
        true &= excess(twice[0], twice[1], chained([q, q]) - Fraction(1, 1000)) > 0
    return CheckedInScope("two inputs, two outputs, probabilities in sixths", count, true)
