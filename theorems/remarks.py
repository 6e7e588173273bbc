"""What the papers state in passing, other halves of their statements, and their full generality."""

from __future__ import annotations

from itertools import product
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from theorems import _kernel as t
from theorems._entry import Argued, CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._facts import asked, bounded_by, posed, records
from theorems._finite import FAR, path_metric
from theorems._prove import by_induction, holds, smt
from theorems.errata import e29_further_slips as e29


@theorem(
    id="GB24.A.3",
    statement="If d of G1 is at most c times d of G2, c = dist(G1, G2), every G1 ε-DP mechanism "
    "is G2 (c ε)-DP; so unbounded ε-DP implies bounded 2ε-DP, for every universe of records.",
    status="derived",
    cite="GB24.A.3 and section III-A, the half on privacy",
    latex=r"If $d^{\mathcal G_1}\le c\,d^{\mathcal G_2}$, every $\mathcal G_1$ "
    r"$\varepsilon$-DP mechanism is $\mathcal G_2$ $(c\varepsilon)$-DP; so unbounded "
    r"$\varepsilon$-DP implies bounded $2\varepsilon$-DP.",
)
def private_of_coarser_granularity() -> Evidence:
    """From neighbours of G1 to all pairs, at c times the metric of G2, and back to neighbours."""
    first, second = (k.NamedRelation(name, '"any granularity"') for name in ("G1", "G2"))
    part = t.at_neighbours("pure", first, t.DATABASES)
    leq = k.MetricLeq(
        k.CanonicalMetric(first, t.DATABASES),
        k.Rescaled(k.Size("c"), k.CanonicalMetric(second, t.DATABASES)),
    )
    weaker = k.weaken_metric(k.everywhere(part), t.assumed(leq, "d of G1 is at most c d of G2"))
    found = k.between_neighbours(k.rescale_guarantee(weaker))
    whole = Part("M", "p", library_granularity("unbounded"), {"pure": ("eps",)})
    maps = [library_map("identity", name="p")]
    problem = Problem(records(), library_granularity("bounded"), maps, [whole])
    return found, *bounded_by(problem, {"pure": "2*eps"})


@theorem(
    id=("GB24.III-A", "GB24.A.2"),
    statement="The larger the class, the more privacy: of 𝔼 ⊆ 𝔻, with the same neighbours, the "
    "canonical metric of 𝔼 is at least that of 𝔻 restricted to 𝔼; so what is private on 𝔻 is "
    "private on 𝔼, for every granularity and every pair of classes.",
    status="rocq",
    cite="GB24, section III-A",
    latex=r"For $\mathbb E\subseteq\mathbb D$ with the same neighbours $d_{\mathbb "
    r"E}^{\mathcal G}\ge d_{\mathbb D}^{\mathcal G}$ on $\mathbb E$, so what is $\mathcal G$ "
    r"$\varepsilon$-DP on $\mathbb D$ is so on $\mathbb E$.",
)
def private_on_smaller_class() -> Evidence:
    """V(x, y, n): n steps inside the smaller class lead from x to y; W the same in the larger."""
    import z3

    X = z3.DeclareSort("X")
    inside = z3.Function("inside", X, z3.BoolSort())
    link = z3.Function("G", X, X, z3.BoolSort())
    small, large = (z3.Function(n, X, X, z3.IntSort(), z3.BoolSort()) for n in ("V", "W"))
    x, y, w = z3.Consts("x y w", X)

    def steps(walk: Any, n: Any, *more: Any) -> Any:
        further = z3.Exists([w], z3.And(walk(x, w, n), link(w, y), *more))
        return z3.ForAll([x, y], walk(x, y, n + 1) == further)

    return smt(
        {
            "n steps inside the smaller class are n steps of the larger one, for every n": (
                by_induction(
                    lambda n: z3.ForAll([x, y], z3.Implies(small(x, y, n), large(x, y, n))),
                    [
                        z3.ForAll([x, y], small(x, y, 0) == z3.And(x == y, inside(x))),
                        z3.ForAll([x, y], large(x, y, 0) == (x == y)),
                    ],
                    lambda n: [
                        steps(small, n, inside(w), inside(y)), steps(large, n),
                    ],
                )
            ),
        },
        "a distance is the least number of steps, infinite without any; a smaller metric is the "
        "stronger guarantee (weaken_metric)",
    )  # fmt: skip


@theorem(
    id="GB24.IV.4",
    statement="Over a partition Σ d_i(p_i D, p_i D′) ≤ I_p max (Δp_i d_i(D, D′)), I_p the number "
    "of changed blocks and the maximum that of the products, as the summary prints it.",
    status="decided",
    cite="GB24s §III; GB24 §IV-B, where the maximum is that of the Δp_i (E29)",
    latex=r"Over a partition $\sum_id_i(p_i(D),p_i(D'))\le I_p(D,D')\,\max_i\Delta p_i\,"
    r"d_i(D,D')$, with $I_p$ the number of changed blocks.",
)
def sum_over_partition_le_changed_times_largest() -> Evidence:
    """One more block adds at most the largest product, or nothing: as for E29."""
    return e29.bound_by_a_metric_above_all()


@theorem(
    id=("GB24.IV.4", "GB24.A.4"),
    statement="For a partition by value that need not cover all records, Σ |p_i(D) Δ p_i(D′)| is "
    "equal to |p(D) Δ p(D′)|, where p keeps the records that lie in some block.",
    status="rocq",
    cite="GB24.IV.4, the equality, for partitions that are not exhaustive",
    latex=r"For a partition by value the sum $\sum_i|p_i(D)\triangle p_i(D')|$ is equal to "
    r"$|p(D)\triangle p(D')|$, where $p$ keeps the records that lie in some block.",
)
def sum_of_blocks_eq_symmetric_difference_of_covered() -> Evidence:
    """Record by record: one with label h counts |m − m′| in block h; p keeps it iff h is one."""
    import z3

    h, x = z3.Ints("h x")
    total, kept = (z3.Function(n, z3.IntSort(), z3.IntSort()) for n in ("total", "kept"))
    covered = z3.And
    return smt(
        {
            "the blocks 1..n count a record as often as p does": by_induction(
                lambda n: z3.And(
                    total(n) == kept(n), kept(n) == z3.If(covered(h >= 1, h <= n), x, 0)
                ),
                [total(0) == 0, kept(0) == 0, x >= 0],
                lambda n: [
                    total(n + 1) == total(n) + z3.If(h == n + 1, x, 0),
                    kept(n + 1) == z3.If(covered(h >= 1, h <= n + 1), x, 0),
                    x >= 0, n >= 0,
                ],
            ),
        },
        "sums over records and over blocks change places",
    )  # fmt: skip


@theorem(
    id=("GB24.IV.7", "GB24.A.6"),
    statement="Partitions of the positions are compatible with replacing one value, with every "
    "part at distance at most 1, on ordered databases of every length, also with positions left "
    "empty: max ε_i.  What holds on this class holds on each of its subclasses.",
    status="rocq",
    cite="GB24.IV.7, A.6, for classes of ordered databases of any sizes",
    latex=r"On ordered databases of every length, also with positions left empty, replacing one "
    r"value changes at most one block of a partition of the positions, by one step, so that the "
    r"composition is $(\max_i\varepsilon_i)$-DP, also on each subclass.",
)
def private_max_of_positions_of_any_length() -> Evidence:
    """A position holds at most one value, and nothing is said of how many there are.

    That is one class, which holds every class of the example; the step to the others is prose.
    """
    domain = Domain(
        {"idx": "int", "val": "Value"}, cell="1 <= idx(c)", cap=1, limits=[("idx(c)", 1)]
    )
    ordered = library_granularity("ordered_bounded", position="idx")
    problem = posed(ordered, "partition", domain=domain, by="idx")
    return (
        *asked(problem, "compatibility", "sensitivity"),
        Argued(
            "neighbours in a subclass are neighbours in the class, so that at most one block "
            "changes, and by one value; both parts lie in the class of the subclass's parts"
        ),
        *bounded_by(problem, {"pure": "max(eps[i])"}),
    )


@theorem(
    id="GB24.IV.9",
    statement="The number of a district's records, or any other number that neighbours change by "
    "at most Δ, with Laplace noise of the scale Δ/ε, density (ε/2Δ) e^(−ε|x|/Δ), is ε-DP; and so "
    "is a whole number with two-sided geometric noise, P(n) = (1 − a)/(1 + a) a^|n|, "
    "a = e^(−ε/Δ).",
    status="argued",
    cite="GB24.IV.9, the mechanism, with Δ = 1; GB24t.9",
    latex=r"If neighbours change a number by at most $\Delta$, it is $\varepsilon$-DP with noise "
    r"of the density $\frac\varepsilon{2\Delta}e^{-\varepsilon|x|/\Delta}$; and a whole number "
    r"with $\Pr(n)=\frac{1-a}{1+a}a^{|n|}$, $a=e^{-\varepsilon/\Delta}$.",
)
def private_of_noisy_count() -> Evidence:
    """At each output x the density, or the probability, is N e^(−t|x − c|) with t = ε/Δ.

    N is the same for both numbers c, and |x − c| changes by at most Δ.  In the questions exp is any
    increasing function with exp(y + ε) = q exp(y).
    """
    import z3

    q, x, c, other, t_, eps, delta, most, y = z3.Reals("q x c other t eps delta N y")
    one, two, scaled_one, scaled_two = z3.Reals("one two scaled_one scaled_two")
    exp = z3.Function("exp", z3.RealSort(), z3.RealSort())
    rises = z3.ForAll([x, y], z3.Implies(x <= y, exp(x) <= exp(y)))

    def far(number: Any) -> Any:
        return z3.If(number >= x, number - x, x - number)

    return smt(
        {
            "|x − c| − |x − c′| ≤ Δ": holds(
                far(c) - far(other) <= delta, c - other <= delta, other - c <= delta
            ),
            "t|x − c| − t|x − c′| ≤ ε": holds(
                scaled_one - scaled_two <= eps, one - two <= delta, t_ * delta == eps, t_ >= 0,
                scaled_one == t_ * one, scaled_two == t_ * two,
            ),
            "the density at x is at most q times the other one": holds(
                most * exp(-scaled_two) <= q * (most * exp(-scaled_one)), rises, most >= 0,
                exp(eps - scaled_one) == q * exp(-scaled_one), scaled_one - scaled_two <= eps,
            ),
        },
        "the probability of an event is the integral of the density over it, or the sum over its "
        "outcomes; what holds at each output holds of it",
    )  # fmt: skip


@theorem(
    id=("GB24.IV.13", "GB24s.III.5"),
    statement="For bounded neighbours and a partition by value on the common domain the sum of the "
    "two largest ε_i is the best bound: mechanisms and neighbours attain it, for every k.",
    status="derived",
    cite="GB24.IV.13; that it is tight is shown here",
    latex=r"For bounded neighbours and $p_i$-dependent $M_i$ on the common domain no "
    r"bound below $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$ holds, for any $k$.",
)
def tight_two_largest_of_bounded_partition() -> Evidence:
    """The conditions of N1 are decided: all parts may see distance 1 in any two blocks at once."""
    problem = posed("bounded", "partition", "common")
    found = derive(problem)
    tight = {bound.notion: str(bound.tight) for bound in found.bounds}
    return (
        *bounded_by(problem, {"pure": "sum of the 2 largest eps[i]"}),
        Computed({"pure": "yes", "gaussian": "yes"}, {n: tight[n] for n in ("pure", "gaussian")}),
    )


@theorem(
    id="GB24.IV.14",
    statement="The two largest of k ≥ 3 positive ε_i are together less than Σ ε_i, for every k.",
    status="decided",
    cite="GB24.IV.14, with k ≥ 3",
    latex=r"$\max_{i\ne j}(\varepsilon_i+\varepsilon_j)<\sum_{i=1}^k\varepsilon_i$ for "
    r"all $k\ge3$ and all $\varepsilon_i>0$.",
)
def two_largest_lt_sum_of_three_or_more() -> Evidence:
    """The numbers first and second are among the ε_i; what is left is a positive sum."""
    # The first step adds the third of them, so that the claim starts at k = 3.
    import z3

    rest = z3.Function("rest", z3.IntSort(), z3.RealSort())
    eps = z3.Function("eps", z3.IntSort(), z3.RealSort())
    first, second = z3.Reals("first second")
    whole = first + second
    return smt({
        "k − 2 ≥ 1 further positive numbers make the sum larger": by_induction(
            lambda n: whole < whole + rest(n + 1),
            [rest(0) == 0, rest(1) == rest(0) + eps(0), eps(0) > 0],
            lambda n: [rest(n + 2) == rest(n + 1) + eps(n + 1), eps(n + 1) > 0],
        ),
    })  # fmt: skip


@theorem(
    id=("GB24.VI.5", "GB24.VI.15", "GB24.VI.23", "GB24.IV.3", "GB24.V.3"),
    statement="Parts may be private for different metrics: (ε_i d_i, δ_i [d_i]), ρ_i d_i², μ_i d_i "
    "with any pseudometrics d_i, such as those of different granularities G_i, compose to the "
    "sums, and to the root of the sum of squares, at their own distances.",
    status="rule",
    cite="GB24.IV.3, V.3, VI.5, VI.15, VI.23, for a metric a part",
    latex=r"Parts that are $(\varepsilon_id_i,\delta_i[d_i]_{\varepsilon_i})$-private, "
    r"$\rho_id_i^2$-zC-private or $\mu_id_i$-Gaussian private, each for a pseudometric of its "
    r"own, compose to $\bigl(\sum_i\varepsilon_id_i,\sum_i\delta_i[d_i]_{\varepsilon_i}\bigr)$, "
    r"to $\sum_i\rho_id_i^2$ and to $\bigl(\sum_i\mu_i^2d_i^2\bigr)^{1/2}$.",
)
def private_of_parts_with_their_own_metrics() -> Evidence:
    """The rule of adaptive composition, in each notion, behind any maps."""
    return tuple(t.composed_at_metrics(notion) for notion in t.NOTIONS)


@theorem(
    id=("GB24.VI.7", "GB24.VI.14", "GB24.VI.22", "GB24.IV.11", "GB24.V.5"),
    statement="Parts on the common domain may be private for different granularities G_i: if M_i "
    "is private for G_i and depends on f_i only, the composition is private at Σ ε_i d_i, at "
    "(Σ ε_i d_i, Σ δ_i [d_i]), at Σ ρ_i d_i², at the root of Σ (μ_i d_i)², with d_i the canonical "
    "metric of the pushforward of G_i along f_i.",
    status="derived",
    cite="GB24.IV.11, V.5, VI.7, VI.14, VI.22, for a granularity a part",
    latex=r"Parts on the common domain that depend on $f_i$ only, each private for a granularity "
    r"$\mathcal G_i$ of its own, compose to $\sum_i\varepsilon_id_i$, to $\bigl(\sum_i"
    r"\varepsilon_id_i,\sum_i\delta_i[d_i]_{\varepsilon_i}\bigr)$, to $\sum_i\rho_id_i^2$ and to "
    r"$\bigl(\sum_i\mu_i^2d_i^2\bigr)^{1/2}$, with $d_i$ the canonical metric of the pushforward "
    r"of $\mathcal G_i$ along $f_i$.",
)
def private_of_dependent_parts_with_their_own_granularities() -> Evidence:
    """Each part reads a copy of the databases, whose neighbours are those of its granularity."""
    return tuple(t.common_of_their_own(notion) for notion in t.NOTIONS)


@theorem(
    id="GB24s.III.1",
    statement="Where Σ d_i(f_i D, f_i D′) is infinite nothing is promised: if one of these "
    "distances is, some d_i-private mechanism on the images, and every composition that contains "
    "it, tells D from D′ for sure.  It says whether its input is at a finite distance from f_i D.",
    status="rocq",
    cite="GB24s, after III.1; GB24t.7: no privacy",
    latex=r"If $d_i(f_i(D),f_i(D'))=\infty$ for some $i$, then some $d_i$-private $M_i^*$ has "
    r"$\Pr(M_i^*(f_i(D))=1)=1$ and $\Pr(M_i^*(f_i(D'))=1)=0$.",
)
def private_and_told_apart_at_infinite_distance() -> Evidence:
    """Inputs at a finite distance from each other get one answer, by the triangle inequality."""
    points, cases, good = range(4), 0, True
    links = [(a, b) for a in points for b in points if a < b]
    for chosen in product((False, True), repeat=len(links)):
        d = path_metric(points, [link for link, kept in zip(links, chosen, strict=True) if kept])
        for u, v in product(points, repeat=2):
            if d[u, v] == FAR:
                cases += 1
                answer = {x: d[u, x] != FAR for x in points}
                good &= answer[u] and not answer[v]
                good &= all(answer[x] == answer[y] for x, y in d if d[x, y] != FAR)
    return (
        Argued("inputs at a finite distance from each other get one answer, by the triangles"),
        CheckedInScope("all granularities on four databases", cases, good),
    )


@theorem(
    id=("GB24s.III.1", "GB24.IV.11", "GB24.V.5"),
    statement="Parts M_i that are G_i ε_i-DP, each for a granularity of its own, are behind f_i "
    "together G ε-DP with ε the largest Σ ε_i d_i(f_i D, f_i D′) of G-neighbours, d_i the "
    "canonical metric of G_i, and so with the largest Σ r_i ε_i over the blocks that change "
    "together, r_i the largest d_i of block i; on the common domain the same with pushforwards, "
    "where r_i = 1 if G_i = G.",
    status="rocq",
    cite="GB24s.III.1, the remark after it; GB24.IV.11, V.5, the remark after IV.11",
    latex=r"If $M_i$ is $\mathcal G_i$ $\varepsilon_i$-DP, $(M_i\circ f_i)_i$ is $\mathcal G$ "
    r"$\varepsilon$-DP with $\varepsilon=\sup_{D\sim_{\mathcal G}D'}\sum_i\varepsilon_id_i"
    r"(f_iD,f_iD')\le\sup_{D\sim_{\mathcal G}D'}\sum_{i:f_iD\ne f_iD'}r_i\varepsilon_i$ and "
    r"$r_i=\sup_{D\sim_{\mathcal G}D'}d_i(f_iD,f_iD')$.",
)
def private_at_the_blocks_that_change_together() -> Evidence:
    """At all pairs by the kernel; at neighbours, a block that does not change adds 0."""
    import z3

    names = ("exact", "bound", "eps", "d", "r")
    exact, bound, eps, d, r = (z3.Function(n, z3.IntSort(), z3.RealSort()) for n in names)
    changed = z3.Function("changed", z3.IntSort(), z3.BoolSort())
    own = k.NamedRelation("G_i", '"any granularities, one a block"')
    part = k.preprocess(k.everywhere(t.at_neighbours("pure", own)), t.BLOCK_MAP)
    return (
        k.run_family(part, t.K),
        t.common_of_their_own("pure"),
        smt({
            "Σ ε_i d_i ≤ Σ r_i ε_i over the blocks that change": by_induction(
                lambda n: exact(n) <= bound(n),
                [exact(0) == 0, bound(0) == 0],
                lambda n: [
                    exact(n + 1) == exact(n) + eps(n) * d(n),
                    bound(n + 1) == bound(n) + z3.If(changed(n), r(n) * eps(n), 0),
                    z3.Or(changed(n), d(n) == 0), d(n) <= r(n), eps(n) >= 0,
                ],
            ),
        }, "what holds at each pair of neighbours holds with the supremum; neighbours for G have "
           "images that are equal or neighbours for the pushforward of G"),
    )  # fmt: skip


@theorem(
    id=("GB24.IV.11", "GB24.V.5", "GB24.VI.7", "GB24.VI.14", "GB24.VI.22"),
    statement="Parts on the common domain may be private for any pseudometrics d_i: if M_i depends "
    "on f_i only, the composition is private at Σ ε_i q_i, (Σ ε_i q_i, Σ δ_i [q_i]), Σ ρ_i q_i² or "
    "the root of Σ (μ_i q_i)², with q_i the quotient of d_i by f_i, which is at most the minimum "
    "of d_i over the fibres.",
    status="derived",
    cite="GB24.IV.11, V.5, VI.7, VI.14, VI.22, for any metrics, with the exact metric of N2",
    latex=r"Parts on the common domain that depend on $f_i$ only, each private for a pseudometric "
    r"$d_i$ of its own, compose to $\sum_i\varepsilon_iq_i$, to $\bigl(\sum_i\varepsilon_iq_i,"
    r"\sum_i\delta_i[q_i]_{\varepsilon_i}\bigr)$, to $\sum_i\rho_iq_i^2$ and to "
    r"$\bigl(\sum_i\mu_i^2q_i^2\bigr)^{1/2}$, with $q_i\le d_i^{f_i}$ the quotient of $d_i$ by "
    r"$f_i$.",
)
def private_of_dependent_parts_at_quotients() -> Evidence:
    """Each part reads a copy of the databases with its own metric.

    That the quotient is at most the minimum over fibres: ``private_at_quotient_of_dependent``.
    """
    return tuple(t.common_of_their_own(notion, at_metrics=True) for notion in t.NOTIONS)


@theorem(
    id=("GB24.VI.4", "GB24.VI.5", "GB24.VI.7", "GB24.A.12"),
    statement="The δ_i(D, D′) may be any functions of two databases: if M_i is (d_i, δ_i)-"
    "private for every fixed value of the earlier outputs, the composition is "
    "(Σ d_i, Σ δ_i)-private, at each pair of databases by itself.  Where M_i depends on f_i only, "
    "its (d_i, δ_i) may be taken at any two databases with the images of D and of D′ under f_i.",
    status="rocq",
    cite="GB24.VI.4, VI.5, VI.7, A.12, for any δ_i",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $(d_i,\delta_i)$-private with any functions "
    r"$\delta_i(D,D')$, the adaptive composition is "
    r"$\bigl(\sum_id_i(D,D'),\sum_i\delta_i(D,D')\bigr)$-private at each pair of databases by "
    r"itself; for $f_i$-dependent $M_i$ at $\sum_i(d_i,\delta_i)(\tilde D_i,\tilde D'_i)$, with "
    r"any $\tilde D_i,\tilde D'_i$ such that $f_i(\tilde D_i)=f_i(D)$ and "
    r"$f_i(\tilde D'_i)=f_i(D')$.",
)
def approximate_sum_of_any_deltas() -> Evidence:
    """Nothing but the two laws at one pair is used; t1 = e^(d_1), t2 = e^(d_2) at that pair."""
    import z3

    p, q, e, a, b, t1, t2, d = z3.Reals("p q e a b t1 t2 d")
    good = [*(v >= 0 for v in (p, q, e, a, b, t1, t2, d)), a <= 1, b <= 1]
    m = z3.If(t2 * b <= 1, t2 * b, 1)
    D = z3.DeclareSort("Database")
    X = z3.DeclareSort("Image")
    f = z3.Function("f", D, X)
    law = z3.Function("law", D, z3.RealSort())
    one, two, near, far, x, y = z3.Consts("D E D~ E~ x y", D)
    dependent = z3.ForAll([x, y], z3.Implies(f(x) == f(y), law(x) == law(y)))
    return Discharged(
        "smt",
        {
            "a ≤ t2 b + δ2 gives a ≤ min(1, t2 b) + δ2": holds(a <= m + d, *good, a <= t2 * b + d),
            "p ≤ t1 q + e, y ≤ 1: p y ≤ t1 q y + e": holds(
                p * m <= t1 * q * m + e, *good, p <= t1 * q + e
            ),
            "what holds at D~ and E~ holds at D and E, if f(D~) = f(D) and f(E~) = f(E)": holds(
                law(one) <= t1 * law(two) + e, dependent, f(near) == f(one), f(far) == f(two),
                law(near) <= t1 * law(far) + e,
            ),
        },
        "Σ over outcomes: P(S) ≤ t1 t2 Q(S) + δ1 + δ2 at this pair; then induction on the parts; "
        "each part may read a database of its own with the same image, the law stays as it is",
    )  # fmt: skip


@theorem(
    id=("GB24.VII.2", "GB24.VII.3"),
    statement="If a composition is private in a notion that is closed under post-processing, "
    "whatever that notion is, so is each sequence of its outputs, and each output by itself: "
    "keeping some outputs is post-processing.",
    status="rocq",
    cite="GB24.VII.2, VII.3, for every notion that is closed under post-processing",
    latex=r"If $(M_1,\dots,M_k)$ is private in any notion that is closed under post-processing, so "
    r"is $(M_i)_{i\in I}$ for every $I\subseteq[k]$.",
)
def private_of_kept_outputs() -> Evidence:
    """A notion is any set of mechanisms here; in the four that the kernel knows it is its rule."""
    import z3

    mechanisms, maps = z3.DeclareSort("Mechanism"), z3.DeclareSort("Map")
    after = z3.Function("after", maps, mechanisms, mechanisms)
    private = z3.Function("private", mechanisms, z3.BoolSort())
    m, whole, kept = z3.Consts("m whole kept", mechanisms)
    g, projection = z3.Consts("g projection", maps)
    closed = z3.ForAll([g, m], z3.Implies(private(m), private(after(g, m))))
    rules = tuple(
        k.postprocess(t.composed_at_metrics(notion), "some of the outputs") for notion in t.NOTIONS
    )
    return *rules, smt(
        {
            "a notion that is closed under post-processing holds of what a map keeps": holds(
                private(kept), closed, private(whole), kept == after(projection, whole)
            )
        },
        "the outputs with numbers in I are the projection of all outputs to these coordinates, "
        "whether the mechanisms read earlier outputs or not",
    )
