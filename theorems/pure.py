"""Composition under pure differential privacy, and d-privacy in general."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import push_metric
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.numbers import ParameterTable, evaluate
from dpcomp_sym.numbers.exact import Real
from theorems import _kernel as t
from theorems._entry import Computed, Discharged, Evidence, theorem
from theorems._facts import asked, bounded_by, composed, examined, posed, records
from theorems._inductions import largest_weight
from theorems._prove import by_induction, holds, smt
from theorems.errata import e08_partitions_and_bounded as e08

UNBOUNDED = k.NamedRelation("unbounded", '"one record is added or removed"')
BOUNDED = k.NamedRelation("bounded", '"one record is replaced"')
EPS = k.BlockEntry("eps", t.K)


@theorem(
    id=("GB24.II.5", "GB24.II.6", "GB24.II.7"),
    statement="k unbounded ε_i-DP mechanisms on one class of databases, each of which may read "
    "the outputs of the earlier ones, are together unbounded (Σ ε_i)-DP.",
    status="derived",
    cite="GB24.II.5-II.7",
    latex=r"If $M_i$ is unbounded $\varepsilon_i$-DP for $i\in[k]$, for every value of the "
    r"earlier outputs, then $(M_1,\dots,M_k)$ is unbounded "
    r"$\bigl(\sum_i\varepsilon_i\bigr)$-DP.",
)
def private_sum_of_adaptive_sequential() -> Evidence:
    """Independent mechanisms are adaptive ones that ignore earlier outputs."""
    return t.sequential("pure", UNBOUNDED)


@theorem(
    id=("GB24.IV.1", "GB24.V.2"),
    statement="If M_i is d_i-private for every fixed value of the earlier outputs, then the "
    "adaptive composition of the M_i ∘ f_i is private at distance Σ d_i(f_i D, f_i D′); so is the "
    "independent one.  Maps and guarantees are fixed in advance.",
    status="rocq",
    cite="GB24.IV.1, V.2",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $d_i$-private, for every value $\bar s_i$ of the "
    r"earlier outputs, the adaptive composition of the $M_i\circ f_i$ is private at $\sum_i "
    r"d_i(f_i(D),f_i(D'))$, and so is the independent one.",
)
def private_sum_of_distances_of_adaptive() -> Evidence:
    """The rule, and its core inequality for one more mechanism.

    With a_x = P2(S_x | x) and b_x the same on the other database, a_x ≤ t2 b_x gives
    Σ P1(x) a_x ≤ t1 t2 Σ Q1(x) b_x, outcome by outcome, for every event S.
    """
    import z3

    p, q, a, b, t1, t2 = z3.Reals("p q a b t1 t2")
    good = [x >= 0 for x in (p, q, a, b, t1, t2)]
    step = holds(p * a <= t1 * t2 * q * b, *good, p <= t1 * q, a <= t2 * b)
    s, u, v, c = z3.Reals("s u v c")
    add = holds(s + u <= c * v + c * q, s <= c * v, u <= c * q)
    return t.composed_at_metrics("pure"), smt(
        {
            "p ≤ t1 q and a ≤ t2 b imply p a ≤ t1 t2 q b (each outcome, each slice)": step,
            "inequalities with one factor add up (over outcomes)": add,
        },
        "M_1, …, M_j and M_{j+1} are two mechanisms: induction on the number of parts",
    )


@theorem(
    id=("GB24.IV.3", "GB24.V.3"),
    statement="If M_i is ε_i d-private for one metric d, the composition is (Σ ε_i) d-private; for "
    "any granularity G, parts that are G ε_i-DP are together G (Σ ε_i)-DP.",
    status="rocq",
    cite="GB24.IV.3, V.3",
    latex=r"If each $M_i$ is $\varepsilon_id$-private, the composition is "
    r"$(\sum_i\varepsilon_i)\,d$-private; if each is $\mathcal G$ $\varepsilon_i$-DP, it is "
    r"$\mathcal G$ $(\sum_i\varepsilon_i)$-DP.",
)
def private_sum_of_one_metric() -> Evidence:
    """For a granularity by the kernel; for a given metric by factoring out d, k symbolic."""
    import z3

    lost, total, eps = (
        z3.Function(name, z3.IntSort(), z3.RealSort()) for name in ("lost", "total", "eps")
    )
    d = z3.Real("d")
    factored = by_induction(
        lambda n: lost(n) == total(n) * d,
        [lost(0) == 0, total(0) == 0],
        lambda n: [lost(n + 1) == lost(n) + eps(n) * d, total(n + 1) == total(n) + eps(n)],
    )
    return k.everywhere(t.sequential("pure")), smt(
        {"Σ (ε_i d) = (Σ ε_i) d, for every number of parts": factored},
        "by GB24.IV.1 the composition is private at the sum of the ε_i d",
    )


@theorem(
    id=("GB24.II.8", "GB24s.II.6"),
    statement="Unbounded ε_i-DP mechanisms on the parts p_i(𝔻) of a partition of the records, "
    "exhaustive or not, are together unbounded (max ε_i)-DP.",
    status="derived",
    cite="GB24.II.8; GB24s.II.6",
    latex=r"If $M_i$ is unbounded $\varepsilon_i$-DP on $p_i(\mathbb D)$, then "
    r"$(M_i\circ p_i)_i$ is unbounded $\max_i\varepsilon_i$-DP.",
)
def private_max_of_unbounded_partition() -> Evidence:
    """The two conditions are decided for every universe, label function and k."""
    return bounded_by(posed("unbounded", "partial_partition"), {"pure": "max(eps[i])"})


@theorem(
    id="GB24.II.9",
    statement="Under bounded neighbours no finite ε holds for parallel composition on separate "
    "domains: for every label function with a proper non-empty block, the part that says whether "
    "its block holds a record is bounded 0-DP on its own domain, and tells two neighbours apart.",
    status="rocq",
    cite="GB24.II.9, with one block enough",
    latex=r"For every partition with a block $\emptyset\ne\mathcal X_i\ne\mathcal X$ there are "
    r"bounded $0$-DP mechanisms on the blocks that are together bounded $\varepsilon$-DP for no "
    r"$\varepsilon$: the one that says whether block $i$ holds a record tells $\{a\}$ from "
    r"$\{b\}$, $a\in\mathcal X_i$, $b\notin\mathcal X_i$.",
)
def no_private_parallel_of_bounded_counting() -> Evidence:
    """With a in the block and b outside: D = {a}, D′ = {b}; so already the count tells them apart.

    Replacing a record of the block changes neither whether there is one, nor how many there are.
    """
    import z3

    X = z3.DeclareSort("X")
    h = z3.Function("h", X, z3.IntSort())
    a, b, r = z3.Consts("a b r", X)
    i = z3.Int("i")

    def counted(x: Any) -> Any:
        """The only record of block i of {x} is x itself."""
        return z3.ForAll([r], z3.And(r == x, h(r) == i) == (r == x))

    def empty(x: Any) -> Any:
        return z3.ForAll([r], z3.Not(z3.And(r == x, h(r) == i)))

    apart = [h(a) == i, h(b) != i]
    return (
        smt(
            {
                "{a} and {b} are bounded neighbours, block i has one record of {a}, none of {b}": (
                    holds(z3.And(a != b, counted(a), empty(b)), *apart)
                )
            },
            "the count of the block is 1 on D and 0 on D′, so that no factor bounds the event "
            '"1", whatever the other blocks are',
        ),
        examined(posed("bounded", "identity"), "size(D) == size(E)"),
    )


@theorem(
    id="GB24s.III.1",
    statement="If neighbours change at most n blocks, each seen at distance at most r, the "
    "composition is ε-DP with ε = max over neighbours of Σ ε_i d_i(f_i D, f_i D′) ≤ the sum of the "
    "n largest r ε_i ≤ n r max ε_i; n and r symbolic.",
    status="rocq",
    cite="GB24s.III.1 and the remark after it; GB24 after IV.4",
    latex=r"If neighbours change at most $n$ blocks, each seen at distance at most $r$, the "
    r"composition is $\mathcal G$ $\varepsilon$-DP with $\varepsilon=\max_{D\sim "
    r"D'}\sum_i\varepsilon_id_i(f_iD,f_iD')\le\sum_{j\le n}(r\varepsilon)_{(j)}\le "
    r"n\,r\max_i\varepsilon_i$.",
)
def private_max_over_neighbours_of_profile() -> Evidence:
    """The sum over the changed blocks, then its looser form."""
    n, r = k.Size("n"), k.Size("r")
    inner = k.CanonicalMetric(t.NEIGHBOURS, t.BLOCKS)
    problem = t.blocks_of_neighbours(t.BLOCK_MAP, t.NEIGHBOURS, k.Pullback(inner, t.BLOCK_MAP))
    vector = k.DifferenceVector((k.BlockGroup(t.BLOCK_MAP.name, n, (k.SeenDistance("M", r),)),))
    profile = t.assumed(k.ProfileFact(problem, (), (vector,)), "n blocks change, by r at most")
    part = k.preprocess(k.everywhere(t.at_neighbours("pure")), t.BLOCK_MAP)
    exact = t.total(k.run_family(part, t.K), problem, profile)
    bound = t.worst(exact)
    single = k.Worst(t.K, (k.Choice(t.ONE, bound.groups[0].value),))
    plain = k.Worst(t.K, (k.Choice(t.ONE, EPS),))
    factored = k.factor_out(single, r, plain, ())
    spread = k.spread(bound, ())
    goal = k.Sum((k.Product((n, k.Product((r, plain)))),))
    same_n = k.bounded_polynomial(n, n, ())
    inside = k.monotone("sum", (k.monotone("product", (same_n, factored)),))
    looser = k.transitive(spread, inside)
    found = k.change_guarantee(exact, (looser,))
    return t.simpler(found, (k.Product((n, r, plain)),)), goal_is(found, goal)


def goal_is(found: k.Theorem, goal: k.Expr) -> k.Theorem:
    """Return the theorem with its guarantee written as the goal."""
    return t.simpler(found, (goal,))


@theorem(
    id=("GB24.IV.4", "GB24.A.4"),
    statement="A partition by value commutes with the symmetric difference: Σ |p_i(D) Δ p_i(D′)| "
    "≤ |D Δ D′|, with equality if it is exhaustive, for all D, D′, k and label functions; where a "
    "metric commutes, d_i = ε_i d* gives (max ε_i) d*.",
    status="rocq",
    cite="GB24.IV.4, A.4",
    latex=r"For a partition by value the sum $\sum_i|p_i(D)\triangle p_i(D')|$ is at most "
    r"$|D\triangle D'|$, and equal to it if the partition is exhaustive; where a metric commutes, "
    r"$d_i=\varepsilon_id^*$ gives $(\max_i\varepsilon_i)\,d^*$.",
)
def sum_of_blocks_le_symmetric_difference() -> Evidence:
    """Record by record, by induction on the number of blocks.

    A record with label h counts |m − m′| in block h, if that is one of 1..k, and 0 in all others.
    """
    import z3

    h, x = z3.Ints("h x")
    total = z3.Function("total", z3.IntSort(), z3.IntSort())

    def one_by_one(n: Any) -> list[Any]:
        return [total(n + 1) == total(n) + z3.If(h == n + 1, x, 0), x >= 0]

    def labelled(n: Any) -> Any:
        return total(n) == z3.If(z3.And(h >= 1, h <= n), x, 0)

    commuting = smt(
        {
            "the blocks 1..n have |m − m′| of the record if its label is one of them, else 0": (
                by_induction(labelled, [total(0) == 0, x >= 0], one_by_one)
            ),
            "which is at most |m − m′|, and equal if every label is one of 1..n": by_induction(
                lambda n: z3.And(total(n) <= x, z3.Implies(z3.And(h >= 1, h <= n), total(n) == x)),
                [total(0) == 0, x >= 0],
                lambda n: [*one_by_one(n), labelled(n)],
            ),
        },
        "sums over records and over blocks change places",
    )
    largest = smt({
        "Σ ε_i r_i ≤ (max ε_i) Σ r_i, for every number of blocks": largest_weight(),
    })  # fmt: skip
    blocks = posed("unbounded", "partial_partition")
    return commuting, largest, *asked(blocks, "commutes", "compatibility", "sensitivity")


@theorem(
    id=("GB24.IV.6", "GB24.V.4"),
    statement="If at most one block changes between G-neighbours (C1) and every f_i has "
    "sensitivity at most 1 (C2), parts that are G ε_i-DP on their own domains are together "
    "G (max ε_i)-DP, adaptively too, for every granularity G.",
    status="derived",
    cite="GB24.IV.6, V.4",
    latex=r"If $\#\{i: f_i(D)\ne f_i(D')\}\le1$ and $d_i(f_i(D),f_i(D'))\le1$ for "
    r"$D\sim_{\mathcal G}D'$, then $(M_i\circ f_i)_i$ is $\mathcal G$ "
    r"$\max_i\varepsilon_i$-DP.",
)
def private_max_of_compatible_nonexpansive() -> Evidence:
    """The conditions are the hypotheses; the profile they give is one block at distance 1."""
    return t.parallel("pure")


@theorem(
    id="GB24.A.5",
    statement="No partition by value with two non-empty blocks is compatible with bounded "
    "neighbours on all databases over X.",
    status="decided",
    cite="GB24.A.5, for two non-empty blocks",
    latex=r"On $\mathbb D_{\mathcal X}$ no partition by value with two non-empty blocks is "
    r"compatible with bounded neighbours: $\{a\}$ and $\{b\}$ with different labels differ in "
    r"two blocks.",
)
def incompatible_of_bounded_of_two_nonempty_blocks() -> Evidence:
    """For every label function: D = {a}, D′ = {b} with different labels changes two blocks."""
    return e08.incompatible_of_two_non_empty_blocks()


def _ordered() -> Domain:
    return Domain(
        {"idx": "int", "val": "Value"},
        symbols={"N": "N >= 1"},
        cell="1 <= idx(c) and idx(c) <= N",
        cap=1,
        size=["size(D) == N"],
        limits=[("idx(c)", 1)],
    )


@theorem(
    id=("GB24.IV.7", "GB24.A.6"),
    statement="For ordered databases of N values, partitions of the positions are compatible with "
    "replacing one value, and every part sees neighbours at distance at most 1: max ε_i.",
    status="decided",
    cite="GB24.IV.7, A.6",
    latex=r"For ordered databases of $N$ values and a partition of the positions, replacing one "
    r"value changes at most one block, by one step, so that the composition is "
    r"$(\max_i\varepsilon_i)$-DP.",
)
def private_max_of_ordered_index_partition() -> Evidence:
    """Position and value are attributes of a cell; the label depends on the position alone."""
    ordered = library_granularity("ordered_bounded", position="idx")
    problem = posed(ordered, "partition", domain=_ordered(), by="idx")
    return (
        *asked(problem, "compatibility", "sensitivity"),
        *bounded_by(problem, {"pure": "max(eps[i])"}),
    )


@theorem(
    id=("GB24.IV.11", "GB24.V.5"),
    statement="On the common domain, if M_i is G ε_i-DP and depends on f_i only, the composition "
    "is private at Σ ε_i d_i, with d_i the canonical metric of the pushforward of G along f_i; "
    "between neighbours this is the sum of ε_i over the blocks that change.",
    status="derived",
    cite="GB24.IV.11, V.5, with the exact metric of N2",
    latex=r"If $M_i$ is $\mathcal G$ $\varepsilon_i$-DP on $\mathbb D$ and "
    r"$f_i$-dependent, the composition is private at $\sum_i\varepsilon_id_i(f_iD,f_iD')$, "
    r"with $d_i$ the canonical metric of the pushforward of $\mathcal G$ along $f_i$; between "
    r"neighbours that is $\sum_{i:f_i(D)\ne f_i(D')}\varepsilon_i$.",
)
def private_sum_of_pushforwards_of_dependent() -> tuple[k.Theorem, k.Theorem]:
    """First for all pairs; then between neighbours that change at most n blocks, n symbolic.

    The published metric, a minimum over fibres, is at least this one: see
    ``quotient_le_min_of_fibres``.
    """
    n = k.Size("n")
    seen = push_metric(t.NEIGHBOURS, t.BLOCK_MAP)
    problem = t.blocks_of_neighbours(t.BLOCK_MAP, t.NEIGHBOURS, seen, (k.EditShape("step", 0),))
    many = t.assumed(k.TouchCount(problem, "step", t.BLOCK_MAP.name, n), "n blocks change")
    near = k.common_distance(problem, "step", "M", ())
    vector = k.DifferenceVector((k.BlockGroup(t.BLOCK_MAP.name, n, (k.SeenDistance("M", t.ONE),)),))
    profile = k.compose_profile(problem, (many, near), (vector,), ())
    everywhere = t.common("pure")
    return everywhere, t.total(everywhere, problem, profile)


@theorem(
    id=("GB24.IV.12", "GB24.V.6", "GB24s.III.4"),
    statement="On the common domain condition C1 alone gives max ε_i: parts that are G ε_i-DP on "
    "the whole domain and depend on their block only, of which at most one changes between "
    "G-neighbours, are together G (max ε_i)-DP.",
    status="derived",
    cite="GB24.IV.12, V.6; GB24s.III.4",
    latex=r"If $\#\{i:f_i(D)\ne f_i(D')\}\le1$ for all $D\sim_{\mathcal G}D'$, and each "
    r"$M_i$ is $\mathcal G$ $\varepsilon_i$-DP on $\mathbb D$ and $f_i$-dependent, then "
    r"$(M_i)_i$ is $\mathcal G$ $(\max_i\varepsilon_i)$-DP.",
)
def private_max_of_compatible_dependent() -> Evidence:
    """Images of neighbours have distance at most 1 in the pushforward: no C2 is needed."""
    return t.on_common_domain("pure")


@theorem(
    id=("GB24.IV.13", "GB24s.III.5"),
    statement="For bounded neighbours and a partition by value on the common domain, the sum "
    "of the two largest ε_i holds: max over i ≠ j of ε_i + ε_j (k = 1: ε_1), for every k.",
    status="derived",
    cite="GB24.IV.13; GB24s.III.5",
    latex=r"If $M_i$ is bounded $\varepsilon_i$-DP and $p_i$-dependent, then $(M_i)_i$ is bounded "
    r"$\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$-DP.",
)
def private_two_largest_of_bounded_partition() -> Evidence:
    """That a record lies in one block at most is decided; the kernel enumerates the rest.

    It is attained (N1): see ``attained_profile_bound``.
    """
    bound = "sum of the 2 largest eps[i]"
    return bounded_by(posed("bounded", "partial_partition", "common"), {"pure": bound})


@theorem(
    id="GB24.IV.14",
    statement="Bounded neighbours that differ within one block are indistinguishable up to ε_i, "
    "all others up to the two largest ε_i + ε_j; for ε = (1, …, k) that is Σ ε_i at k = 2, and "
    "less at k = 3 and k = 5.",
    status="derived",
    cite="GB24.IV.14",
    latex=r"Bounded neighbours that differ in block $i$ only are $\varepsilon_i$-close, all "
    r"others at most $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$-close; for $\varepsilon_i=i$ "
    r"the latter is $\sum_i\varepsilon_i$ at $k=2$, and less at $k=3$ and $k=5$.",
)
def private_by_pair_of_bounded_partition() -> Evidence:
    """A replacement within a block is a granularity of its own, and it is compatible."""
    edit = Edit(
        {"x": "cell", "y": "cell"},
        "D[x] >= 1 and x != y and h(id(x)) == h(id(y))",
        {"x": "-1", "y": "1"},
    )
    within = Granularity("within", [edit])
    domain = Domain({"id": "Record"}, {"h": (["Record"], "int")})
    inside = posed(within, "labels", "common", domain, label="h(id(c))")
    anywhere = posed("bounded", "labels", "common", domain, label="h(id(c))")
    pairs = "sum of the 2 largest eps[i]"
    figures = {f"k = {n}: two largest, all": _two_and_all(n) for n in (2, 3, 5)}
    return (
        *bounded_by(inside, {"pure": "max(eps[i])"}),
        *bounded_by(anywhere, {"pure": pairs}),
        Computed(dict(zip(figures, ((3, 3), (5, 6), (9, 15)), strict=True)), figures),
    )


def _two_and_all(size: int) -> tuple[Real, Real]:
    (bound,) = t.largest(t.of_two_touched("pure"))
    values = ParameterTable.plain({("eps", t.K): list(range(1, size + 1))})
    every = k.Worst(t.K, (k.Choice(k.Inf(), EPS),))
    return evaluate(bound, values, {"k": size}), evaluate(every, values, {"k": size})


@theorem(
    id="GB24.IV.9",
    statement="Counting the records of a district depends on the district's records only: if "
    "p_i(D) = p_i(D′), the counts agree, so the noisy count has one law.",
    status="decided",
    cite="GB24.IV.9",
    latex=r"The noisy count of a district has one law for $D$ and $D'$ if $p_i(D)=p_i(D')$, "
    r"since then $|p_i(D)|=|p_i(D')|$.",
)
def dependent_of_counting_a_block() -> Evidence:
    """In region sizes: blocks without difference have equal sizes."""
    from theorems._regions import Regions

    w = Regions("DE", ("block", "rest"))
    inside = ("block",)
    return smt({
        "p_i(D) = p_i(D′) implies |p_i(D)| = |p_i(D′)|": holds(
            w.size("D", inside) == w.size("E", inside), *w.facts, w.apart("D", "E", inside) == 0
        ),
    })  # fmt: skip


@theorem(
    id=("GB24.IV.5", "GB24s.III.2"),
    statement="If every ambulance works for at most three hospitals, k counts that are unbounded "
    "1-DP on their own hospital's ambulances are together 3-DP, against k by sequential "
    "composition.",
    status="derived",
    cite="GB24.IV.5; GB24s.III.2, read as at most three",
    latex=r"If every ambulance works for at most three hospitals, $k$ counts that are unbounded "
    r"$1$-DP on their own hospital's ambulances are together $3$-DP, against $k$ by sequential "
    r"composition.",
)
def private_three_of_at_most_three_hospitals() -> Evidence:
    """Each record lies in at most three blocks; 3 against k, the latter by induction."""
    cover = library_map("cover", name="p", m=3)
    part = Part("M", "p", guarantees={"pure": (Fraction(1),)})
    problem = Problem(records(), library_granularity("unbounded"), [cover], [part])
    (exact,) = composed(problem, "pure")
    three = k.Num(Fraction(3))
    bound = t.worst(exact)
    one = k.bounded_polynomial(t.ONE, t.ONE, ())
    single = k.each_block(one, k.Worst(t.K, (k.Choice(t.ONE, t.ONE),)))
    triple = k.monotone("sum", (k.monotone(
        "product", (k.bounded_polynomial(three, three, ()), single)),))  # fmt: skip
    at_most_three = k.change_guarantee(exact, (k.transitive(k.spread(bound, ()), triple),))
    size = k.Size("k")
    step = k.bounded_polynomial(k.Sum((size, t.ONE)), k.Sum((size, t.ONE)), ())
    everything = k.induction(one, step, t.ONE, size, "k")
    alls = k.Worst(t.K, (k.Choice(k.Inf(), t.ONE),))
    fewer = k.transport(bound, alls, (0,), (one,), ())
    at_most_k = k.change_guarantee(exact, (k.transitive(fewer, everything),))
    return t.simpler(at_most_three, (three,)), at_most_k


@theorem(
    id="GB24.III.8",
    statement="The sensitivity of a composition is at most the product: Δ(g ∘ f) ≤ Δf · Δg.",
    status="decided",
    cite="GB24.III.8",
    latex=r"The sensitivity of a composition is at most the product: $\Delta(g\circ f)\le\Delta "
    r"f\cdot\Delta g$.",
)
def sensitivity_le_product_of_composition() -> Evidence:
    """For the distances at any two databases, and for every private mechanism behind both maps."""
    first, second, third = (k.DatabaseClass(n, '"any"', ()) for n in ("D1", "D2", "D3"))
    d1, d2, d3 = (
        k.NamedPseudometric(f"d{n}", '"any"', d) for n, d in enumerate((first, second, third), 1)
    )
    f, g = k.NamedMap("f", '"any"', first, second, ()), k.NamedMap("g", '"any"', second, third, ())
    cf, cg = k.Size("Df"), k.Size("Dg")
    of_f = k.metric_of_sensitivity(t.assumed(k.Sensitive(f, cf, d1, d2), "Δf"))
    of_g = k.metric_of_sensitivity(t.assumed(k.Sensitive(g, cg, d2, d3), "Δg"))
    eps = k.Param("eps")
    part = k.given(k.Private(k.NamedMechanism("M", third, ()), "pure", k.At((eps,), d3), ()), "M")
    behind_g = k.rescale_guarantee(k.weaken_metric(k.preprocess(part, g), of_g))
    behind_f = k.rescale_guarantee(k.weaken_metric(k.preprocess(behind_g, f), of_f))
    return _product_of_sensitivities(), behind_f


def _product_of_sensitivities() -> Discharged:
    """Distances and sensitivities are numbers from 0 on, or infinite; 0 · ∞ is ∞."""
    import z3

    names = ("d1", "d2", "d3", "Df", "Dg")
    value = {n: z3.Real(n) for n in names}
    infinite = {n: z3.Bool(f"{n}_is_infinite") for n in names}

    def at_most(left: str, *factors: str) -> Any:
        product_: Any = value[factors[0]]
        for n in factors[1:]:
            product_ = product_ * value[n]
        without = z3.Not(infinite[left])
        return z3.Or(*(infinite[n] for n in factors), z3.And(without, value[left] <= product_))

    return smt({
        "d2 ≤ Δf d1 and d3 ≤ Δg d2 at the images make d3 ≤ Δf Δg d1, infinity included": holds(
            at_most("d3", "Df", "Dg", "d1"),
            *(value[n] >= 0 for n in names), at_most("d2", "Df", "d1"), at_most("d3", "Dg", "d2"),
        ),
    })  # fmt: skip


@theorem(
    id="GB24.IV.2",
    statement="Counts of two districts and a private location in each: the composition is private "
    "at Σ (d_U(p_i D, p_i D′) + d(f_i D, f_i D′)), a sum of metrics of different kinds.",
    status="derived",
    cite="GB24.IV.2; the printed last form is corrected elsewhere (E14)",
    latex=r"Counts of two districts and a private place in each are together private at "
    r"$\sum_{i=1}^2\bigl(d^{\mathcal U}(p_i(D),p_i(D'))+d(f_i(D),f_i(D'))\bigr)$, a sum of "
    r"metrics of different kinds.",
)
def private_mixed_metrics_of_counts_and_locations() -> Evidence:
    """One family behind the districts, one behind the nearest ambulances, run together."""
    near = k.NamedMap("near", '"the ambulance nearest to the hospital"', t.DATABASES, t.BLOCKS, t.K)
    places = k.NamedPseudometric("euclid", '"Euclidean distance"', t.BLOCKS)
    counts = k.run_family(
        k.preprocess(_unit("count", k.CanonicalMetric(UNBOUNDED, t.BLOCKS)), t.partition_map()), t.K
    )
    located = k.run_family(k.preprocess(_unit("place", places), near), t.K)
    return k.run_adaptively((counts, located))


def _unit(name: str, metric: k.Pseudometric) -> k.Theorem:
    mechanism = k.NamedMechanism(name, t.BLOCKS, t.K)
    return k.given(k.Private(mechanism, "pure", k.At((t.ONE,), metric), ()), f"{name} of block i")
