"""Statements of this project: the worst pairs behind optimal composition."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any

from dpcomp_sym.optimal.pairs import (
    delta_of,
    group_delta,
    homogeneous_delta,
    joint,
    step,
    table,
    truncated_geometric,
    worst_pair,
)
from theorems._entry import (
    CheckedInScope,
    Computed,
    Evidence,
    Obligation,
    Refutation,
    theorem,
)
from theorems._prove import by_induction, holds, smt
from theorems.errata.e11_group_privacy_of_approximate import smt_close, smt_step

FACTORS = (Fraction(1), Fraction(4, 3), Fraction(2), Fraction(7, 2), Fraction(9))


@theorem(
    id="N3′",
    statement="At distance r of the canonical metric of its granularity an (ε,δ)-DP mechanism "
    "satisfies P(S) ≤ g(g(…g(Q(S)))), r times, for all events S, g(a) = min(1, qa + δ, "
    "1 − (1−δ−a)/q).  Some mechanism attains this at all Q(S) at once: Q uniform on [0, 1], and P "
    "with this distribution function.",
    status="argued",
    cite="this project; Kairouz, Oh, Viswanath 2015 for r = 1",
    latex=r"With $q=e^\varepsilon$ and $g(a)=\min\{1,\,qa+\delta,\,1-(1-\delta-a)/q\}$ an "
    r"$(\varepsilon,\delta)$-DP mechanism satisfies $P(S)\le g^r(Q(S))$ for all events $S$ at "
    r"distance $r$ of the canonical metric, $g^r$ being $g$ applied $r$ times; and some "
    r"mechanism attains this at all $Q(S)$ at once.",
)
def worst_pair_of_iterated_power() -> Evidence:
    """Induction on the steps of a path; attained by laws with distribution functions g, g(g), ….

    Upper bound: along a path D_0, …, D_r the probabilities of an event satisfy P_j ≤ g(P_(j+1)),
    and g increases.  Tests that reject with a probability are mixtures of events; g is concave,
    and so are its iterates, so they gain nothing.

    Attained: the mechanism publishes, at databases with t = min(d(E, x), r), a number in [0, 1]
    whose distribution function is the (r − t)-th iterate.  t is 1-Lipschitz, so neighbours have
    the same law or consecutive ones.  The distribution function of law j is g of that of law
    j + 1, and concave in it; so the likelihood ratio falls along [0, 1], the best tests are the
    intervals from 0 (Neyman, Pearson), and these have the power g.  The converse direction is the
    same for complements.
    """
    import z3

    q, s, a, b, p, t = z3.Reals("q delta a b p t")
    d, x, y, r = z3.Reals("d x y r")
    slope, base, top, other = z3.Reals("slope base top other")
    g, close = partial(smt_step, q, s), partial(smt_close, q, s)
    fixed = (q >= 1, s >= 0, s <= 1, a >= 0, a <= 1)

    def cut(value: Any) -> Any:
        return z3.If(value <= r, value, r)

    return (
        smt({
            "P(S) ≤ g(P'(S)) for neighbours": holds(
                p <= g(a), *fixed, p >= 0, p <= 1, close(p, a), close(a, p)
            ),
            "g is increasing": holds(g(a) <= g(b), *fixed, b >= a, b <= 1),
            "g is the least of three lines, none of which falls": holds(
                z3.And(g(a) <= q * a + s, g(a) <= 1 - (1 - s - a) / q, g(a) <= 1,
                       z3.Or(g(a) == q * a + s, g(a) == 1 - (1 - s - a) / q, g(a) == 1)), *fixed
            ),
            "what is below a line at two points is below it between them": holds(
                t * top + (1 - t) * other <= slope * (t * a + (1 - t) * b) + base,
                t >= 0, t <= 1, top <= slope * a + base, other <= slope * b + base,
            ),
            "g keeps [0, 1]": holds(z3.And(g(a) >= 0, g(a) <= 1), *fixed),
            "P ≤ g(P') implies P ≤ q P' + δ": holds(p <= q * a + s, *fixed, p <= g(a)),
            "for the complement it implies P' ≤ q P + δ": holds(
                a <= q * p + s, *fixed, 1 - p <= g(1 - a)
            ),
            "min(d(E, x), r) is 1-Lipschitz": holds(
                z3.And(cut(x) - cut(y) <= d, cut(y) - cut(x) <= d),
                x <= y + d, y <= x + d, d >= 0, x >= 0, y >= 0, r >= 0,
            ),
        }, "induction on the number of steps; Neyman and Pearson; Jensen"),
        _finite_form(),
    )  # fmt: skip


def _finite_form() -> CheckedInScope:
    """The finite table of the pair, and the chain that attains it, against the iterates."""
    cases, true = 0, True
    for q, delta, r in product(
        (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)),
        (Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(2, 5), Fraction(1)),
        range(1, 6),
    ):
        cases += 1
        rows = table(q, worst_pair(q, delta, r))
        rows = tuple(
            sorted(rows, key=lambda row: -(row[0] / row[1]) if row[1] else -(q ** (r + 1)))
        )
        under_p = under_q = Fraction(0)
        for mass, other in rows:
            under_p, under_q = under_p + mass, under_q + other
            power = under_q
            for _ in range(r):
                power = step(q, delta, power)
            true &= power == under_p
        true &= delta_of(rows, q**r) == group_delta(q, delta, r)
    return CheckedInScope(
        "the finite table of the pair has this power: e^ε in {1, 3/2, 2, 5}, δ in {0, 1/100, 1/10, "
        "2/5, 1}, r up to 5, at every corner",
        cases, true,
    )  # fmt: skip


@theorem(
    id="N3",
    statement="At integer distance r ≥ 1 of the canonical metric the truncated geometric pair is "
    "the worst ε-DP pair: outcomes 0, …, r; with a = e^(−ε), centre j, probability a^|m−j|/(1+a) "
    "at the ends and a^|m−j| (1−a)/(1+a) inside; centres 0 and r.  Neighbouring centres are "
    "ε-close.  Every event has P(S) ≤ g^r(Q(S)) at distance r, for any ε-DP mechanism and "
    "g(x) = min(1, x/a, 1 − a(1−x)); and the tests of the pair that reject all outcomes below some "
    "m, and m with some probability, have exactly P = g^r(Q), at every size Q from 0 to 1.",
    status="decided",
    cite="this project; Ghosh, Roughgarden, Sundararajan 2012 for the geometric mechanism",
    latex=r"Let $a=e^{-\varepsilon}$ and let $\mathrm{TG}_j$ on $0,\dots,r$ have probability "
    r"$a^{|m-j|}/(1+a)$ at the ends and $a^{|m-j|}(1-a)/(1+a)$ inside. At distance $r\ge1$ of "
    r"the canonical metric $(\mathrm{TG}_0,\mathrm{TG}_r)$ is the worst $\varepsilon$-DP pair: "
    r"$P(S)\le g^r(Q(S))$ for every event of every such mechanism, with "
    r"$g(x)=\min\{1,x/a,1-a(1-x)\}$, and its tests attain this at every size.",
)
def worst_pair_of_truncated_geometric() -> Evidence:
    """Its distribution functions are the iterates of g, at every outcome and between them.

    C_j(m), the probability of at most m with centre j, is a^(j−m)/(1+a) for m < j,
    1 − a^(m−j+1)/(1+a) for j ≤ m < r, 1 at r and 0 below 0.  The law of centre j comes from that of
    centre j + 1 by g, so that by induction centre 0 comes from centre r by the r-th iterate.
    Between two outcomes g is linear, as the power of tests is.
    """
    return smt(_laws_of_geometric() | _powers_of_geometric()), _as_tables()


def _reals(*names: str) -> list[Any]:
    import z3

    return [z3.Function(name, z3.IntSort(), z3.RealSort()) for name in names]


class _Geometric:
    """The truncated geometric laws with r + 1 outcomes, for all r ≥ 1 and all a in ]0, 1]."""

    def __init__(self) -> None:
        import z3

        self.a = z3.Real("a")
        self.r, self.j, self.m = z3.Ints("r j m")
        (self.power,) = _reals("power")
        self.always = [self.a > 0, self.a <= 1, self.r >= 1]

    def powers(self, *exponents: Any) -> list[Any]:
        """Say what the powers of a are from these exponents on: in ]0, 1], and a times the last."""
        import z3

        return [self.power(0) == 1] + [
            z3.Implies(
                n >= 0,
                z3.And(
                    self.power(n) > 0, self.power(n) <= 1,
                    self.power(n + 1) == self.a * self.power(n),
                ),
            )
            for n in exponents
        ]  # fmt: skip

    def at_most(self, centre: Any, m: Any) -> Any:
        """Return the probability of at most m."""
        import z3

        below = self.power(centre - m) / (1 + self.a)
        above = 1 - self.power(m - centre + 1) / (1 + self.a)
        inside = z3.If(m < centre, below, above)
        return z3.If(m < 0, 0, z3.If(m >= self.r, 1, inside))

    def exactly(self, centre: Any, m: Any) -> Any:
        """Return the probability of m."""
        import z3

        power = z3.If(m < centre, self.power(centre - m), self.power(m - centre))
        end = z3.Or(m == 0, m == self.r)
        return power * z3.If(end, 1, 1 - self.a) / (1 + self.a)

    def outcome(self, centre: Any) -> Any:
        """Say that m is an outcome and this a centre."""
        import z3

        return z3.And(self.m >= 0, self.m <= self.r, centre >= 0, centre <= self.r)

    def step(self, x: Any) -> Any:
        """Return g(x)."""
        import z3

        low, high = x / self.a, 1 - self.a * (1 - x)
        least = z3.If(low <= high, low, high)
        return z3.If(least <= 1, least, 1)

    def test(self, centre: Any, share: Any) -> Any:
        """Return the power of the test that rejects below m, and m with probability 1 − share."""
        return share * self.at_most(centre, self.m - 1) + (1 - share) * self.at_most(centre, self.m)


def _laws_of_geometric() -> dict[str, Obligation]:
    import z3

    w = _Geometric()
    a, j, m = w.a, w.j, w.m
    near = w.powers(j - m, m - j, j - m - 1, m - j - 1, j - m + 1, m - j + 1)
    one, other = w.exactly(j, m), w.exactly(j + 1, m)
    return {
        "powers of a lie in ]0, 1]": by_induction(
            lambda n: z3.And(w.power(n) > 0, w.power(n) <= 1),
            [w.power(0) == 1],
            lambda n: [*w.always, w.power(n + 1) == a * w.power(n)],
        ),
        "C_j(m) − C_j(m − 1) is the probability of m": holds(
            w.at_most(j, m) - w.at_most(j, m - 1) == one, *w.always, w.outcome(j), *near
        ),
        "probabilities with centres j and j + 1 differ by the factor 1/a at most": holds(
            z3.And(a * one <= other, a * other <= one),
            *w.always, w.outcome(j), w.outcome(j + 1), *near,
        ),
    }  # fmt: skip


def _powers_of_geometric() -> dict[str, Obligation]:
    import z3

    w = _Geometric()
    a, j, m, share = w.a, w.j, w.m, z3.Real("share")
    p, power = _reals("P", "power_of_test")
    near = w.powers(j - m, m - j, j - m - 1, m - j - 1, j - m + 1, m - j + 1)
    mixed = [share >= 0, share <= 1]
    one_step = w.test(j, share) == w.step(w.test(j + 1, share))
    (iterate,) = _reals("iterate")
    cases = {
        "m = 0 < j": [m == 0, m < j], "0 < m < j": [m > 0, m < j],
        "m = j = 0": [m == 0, m == j], "0 < m = j": [m > 0, m == j],
        "j < m < r": [m > j, m < w.r], "j < m = r": [m > j, m == w.r],
    }  # fmt: skip

    def at_centre(n: Any) -> Any:
        return iterate(n) == power(w.r - n)

    return {
        "every event has P_n(S) ≤ g^n(P_0(S)) at the ends of every path of n steps": by_induction(
            lambda n: z3.And(p(n) <= iterate(n), p(n) >= 0, iterate(n) <= 1),
            [iterate(0) == p(0), p(0) >= 0, p(0) <= 1],
            lambda n: [
                *w.always, iterate(n + 1) == w.step(iterate(n)), p(n + 1) >= 0, p(n + 1) <= 1,
                a * p(n + 1) <= p(n), a * (1 - p(n)) <= 1 - p(n + 1), p(n) <= 1,
            ],
        ),
        **{
            f"the power of a test with centre j is g of that with centre j + 1, {case}": holds(
                one_step, *w.always, *mixed, w.outcome(j), w.outcome(j + 1), *where, *near
            )
            for case, where in cases.items()
        },
        "so with centre r − n it is g^n of that with centre r": by_induction(
            at_centre,
            [iterate(0) == power(w.r)],
            lambda n: [
                iterate(n + 1) == w.step(iterate(n)), power(w.r - n - 1) == w.step(power(w.r - n))
            ],
        ),
        "these tests have every size: C_r rises from 0 to 1": holds(
            z3.And(w.at_most(w.r, -1) == 0, w.at_most(w.r, w.r) == 1,
                   w.at_most(w.r, m - 1) <= w.at_most(w.r, m)),
            *w.always, w.outcome(w.r), *w.powers(w.r - m, w.r - m + 1),
        ),
    }  # fmt: skip


def _as_tables() -> CheckedInScope:
    cases, true = 0, True
    for q, r in product((Fraction(3, 2), Fraction(2), Fraction(7)), range(1, 7)):
        cases += 1
        laws = [truncated_geometric(q, r, centre) for centre in range(r + 1)]
        ends = tuple(zip(laws[0], laws[-1], strict=True))
        worst = table(q, worst_pair(q, Fraction(0), r))
        true &= all(sum(law) == 1 for law in laws)
        true &= all(
            u <= q * v and v <= q * u
            for law, other in pairwise(laws)
            for u, v in zip(law, other, strict=True)
        )
        true &= all(delta_of(ends, f) == delta_of(worst, f) for f in FACTORS)
    return CheckedInScope("e^ε in {3/2, 2, 7}, r up to 6: tables, privacy, δ(ε)", cases, true)


@theorem(
    id=("N3", "N3′"),
    statement="At distances r_i the composition of (ε_i,δ_i)-DP mechanisms, adaptive or not, has "
    "δ(ε′) at most that of the product of their worst pairs, for every ε′; independent mechanisms "
    "attain it.",
    status="argued",
    cite="this project; Kairouz, Oh, Viswanath 2015, Murtagh, Vadhan 2016 for r = 1",
    latex=r"At distances $r_i$ the composition of $(\varepsilon_i,\delta_i)$-DP mechanisms, "
    r"adaptive or not, has at every $\varepsilon'$ at most the $\delta(\varepsilon')$ of the "
    r"product of their worst pairs, and independent mechanisms attain it.",
)
def optimal_composition_of_worst_pairs() -> Evidence:
    """Every pair is a processing of the worst one, and processing loses no more.

    A pair of laws whose power function lies below that of another one is made from it by a random
    function of the outcome (Blackwell 1953).  Mechanism i, given all earlier outputs, is
    (ε_i,δ_i)-DP, so at distance r_i it is such a function of worst pair i; which function may
    depend on the earlier outputs.  All outputs together are then a random function of the
    independent worst pairs.  δ(ε′) is a sum of positive parts over outcomes, and no function of the
    outcome increases it.  Each pair is attained by a mechanism of its own, at one and the same pair
    of neighbours.
    """
    import z3

    x, y, share = z3.Reals("x y share")

    def part(value: Any) -> Any:
        return z3.If(value >= 0, value, 0)

    return (
        smt({
            "outcomes that are no longer told apart": holds(part(x + y) <= part(x) + part(y)),
            "an outcome that is split at random": holds(
                part(share * x) + part((1 - share) * x) == part(x), share >= 0, share <= 1
            ),
        }, "Blackwell, part by part; then processing"),
        _closed_forms(),
    )  # fmt: skip


def _closed_forms() -> CheckedInScope:
    cases, true = 0, True
    for q, delta, k in product(
        (Fraction(1), Fraction(3, 2), Fraction(4)), (Fraction(0), Fraction(1, 10)), range(1, 5)
    ):
        pairs = [table(q, worst_pair(q, delta, 1))] * k
        for i in range(k // 2 + 1):
            cases += 1
            true &= delta_of(joint(pairs), q ** (k - 2 * i)) == homogeneous_delta(q, delta, k, i)
    return CheckedInScope(
        "r = 1, equal parts, up to 4 of them: the product has the published closed form",
        cases, true,
    )  # fmt: skip


@theorem(
    id="N3",
    statement="Randomized response at rε is the worst ε-DP pair at distance r of a canonical "
    "metric: false, for e^ε = 2 and r = 2 it loses 3/5 at ε′ = 0, and no ε-DP mechanism more "
    "than 1/2.",
    status="refuted",
    cite="this project",
    latex=r"It is false that randomized response at $r\varepsilon$ is the worst $\varepsilon$-DP "
    r"pair at distance $r$ of a canonical metric: for $e^\varepsilon=2$ and $r=2$ it has "
    r"$\delta=\frac35$ at $\varepsilon'=0$, and no $\varepsilon$-DP mechanism has more than "
    r"$\frac12$.",
)
def not_worst_randomized_response_at_distance_two() -> Evidence:
    """Right for a given metric, where nothing lies between the two databases."""
    q = Fraction(2)
    data = {"e^ε": q, "r": 2, "randomized response": Fraction(3, 5), "optimal": Fraction(1, 2)}

    def fails() -> bool:
        response = table(q**2, worst_pair(q**2, Fraction(0), 1))
        best = delta_of(table(q, worst_pair(q, Fraction(0), 2)), Fraction(1))
        # The printed g twice, and the most that g(g(a)) − a can be: concave, so at a corner.
        corners = [Fraction(n, 6) for n in range(7)]
        gain = max(step(q, Fraction(0), step(q, Fraction(0), a)) - a for a in corners)
        return delta_of(response, Fraction(1)) == Fraction(3, 5) and best == gain == Fraction(1, 2)

    return Refutation("randomized response at rε is the worst ε-DP pair at distance r", data, fails)


@theorem(
    id="N3",
    statement="For a given metric, at distance d of it, δ(ε′) of an (ε d)-private mechanism is at "
    "most (e^(ε d) − e^ε′)/(1 + e^(ε d)), that of randomized response at ε d, which attains it "
    "where there are no other databases.",
    status="decided",
    cite="Kairouz, Oh, Viswanath 2015; this project",
    latex=r"For a given metric and a pair at distance $d$ an $(\varepsilon d)$-private mechanism "
    r"has $\delta(\varepsilon')\le\max\bigl(0,\frac{e^{\varepsilon "
    r"d}-e^{\varepsilon'}}{1+e^{\varepsilon d}}\bigr)$, which is that of randomized response at "
    r"$\varepsilon d$ and is attained where there are no other databases.",
)
def worst_pair_of_given_metric() -> Evidence:
    """The case r = 1 of N3, with e^(ε d) for q: on two points nothing else is demanded.

    Databases between the two, in the sense of the metric, leave less: that is N3.
    """
    import z3

    q, f, p, a = z3.Reals("q f p a")
    return smt({
        "P − f Q is at most (q − f)/(1 + q)": holds(
            (p - f * a) * (1 + q) <= q - f,
            q >= 1, f >= 1, f <= q, a >= 0, p <= q * a, 1 - a <= q * (1 - p),
        ),
        "randomized response attains it": holds(
            (p - f * a) * (1 + q) == q - f, q >= 1, p * (1 + q) == q, a * (1 + q) == 1
        ),
    })  # fmt: skip


@theorem(
    id="N3′",
    statement="For e^ε = 2, δ = 1/100 the optimal δ at ε′ = 0 and distance 2 is 51/100; the pair "
    "with four outcomes at the printed group guarantee (2ε, 3δ) gives 612/1000.",
    status="computed",
    cite="this project",
    latex=r"For $e^\varepsilon=2$ and $\delta=\frac1{100}$ the optimal $\delta$ at "
    r"$\varepsilon'=0$ and distance $2$ is $\frac{51}{100}$; the four-outcome pair at the "
    r"printed group guarantee $(2\varepsilon,3\delta)$ has $\frac{612}{1000}$.",
)
def figures_of_worst_pair_at_distance_two() -> Evidence:
    """Exact tables."""
    q, delta = Fraction(2), Fraction(1, 100)
    four = table(q**2, worst_pair(q**2, 3 * delta, 1))
    return Computed(
        {"optimal": Fraction(51, 100), "four outcomes": Fraction(612, 1000)},
        {
            "optimal": delta_of(table(q, worst_pair(q, delta, 2)), Fraction(1)),
            "four outcomes": delta_of(four, Fraction(1)),
        },
    )
