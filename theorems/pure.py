"""Composition under pure differential privacy, and d-privacy in general."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import push_metric
from dpcomp_sym.model import Domain
from theorems import _kernel as t
from theorems._entry import Evidence, theorem
from theorems._facts import compatible, fact, posed, sensitive, within_one_block
from theorems._prove import holds, identical, identities, smt

UNBOUNDED = k.Granularity("unbounded", '"one record is added or removed"')
BOUNDED = k.Granularity("bounded", '"one record is replaced"')
EPS = k.Entry("eps", t.K)


@theorem(
    id=("GB24.II.5", "GB24.II.6", "GB24.II.7"),
    statement="k unbounded ε_i-DP mechanisms on one class of databases, each of which may read "
    "the outputs of the earlier ones, are together unbounded (Σ ε_i)-DP.",
    status="proved",
    cite="GB24.II.5-II.7",
    latex=r"If $M_i$ is unbounded $\varepsilon_i$-DP for $i\in[k]$, then "
    r"$(M_1,\dots,M_k)$ is unbounded $\bigl(\sum_i\varepsilon_i\bigr)$-DP.",
)
def private_sum_of_adaptive_sequential() -> Evidence:
    """Independent mechanisms are adaptive ones that ignore earlier outputs."""
    return t.sequential("pure", UNBOUNDED)


@theorem(
    id=("GB24.IV.1", "GB24.V.2"),
    statement="If M_i is d_i-private for every fixed value of the earlier outputs, then the "
    "adaptive composition of the M_i ∘ f_i is private at distance Σ d_i(f_i D, f_i D′); so is the "
    "independent one.  Maps and guarantees are fixed in advance.",
    status="proved",
    cite="GB24.IV.1, V.2",
    latex=r"If each $M_i(\bar s_i,\cdot)$ is $d_i$-private, then $(M_i\circ f_i)_{i\in[k]}$ is "
    r"$\bigl(\sum_i d_i(f_i(D),f_i(D'))\bigr)$-private.",
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
    status="proved",
    cite="GB24.IV.3, V.3",
)
def private_sum_of_one_metric() -> Evidence:
    """For a granularity by the kernel; for a given metric by factoring out d, k symbolic."""
    import z3

    theorem_of_g = t.sequential("pure")
    step, eps, d, total = z3.Reals("s eps d total")
    return k.everywhere(theorem_of_g), smt(
        {
            "no part: 0 = 0 d": holds(0 * d == 0),
            "one part more: (Σ ε) d + ε d = (Σ ε + ε) d": holds(
                step + eps * d == (total + eps) * d, step == total * d
            ),
        },
        "Σ d_i = (Σ ε_i) d for d_i = ε_i d, by induction on the number of parts",
    )


@theorem(
    id=("GB24.II.8", "GB24s.II.6"),
    statement="Unbounded ε_i-DP mechanisms on the parts p_i(𝔻) of a partition of the records, "
    "exhaustive or not, are together unbounded (max ε_i)-DP.",
    status="proved",
    cite="GB24.II.8; GB24s.II.6",
    latex=r"If $M_i$ is unbounded $\varepsilon_i$-DP on $p_i(\mathbb D)$, then "
    r"$(M_i\circ p_i)_i$ is unbounded $\max_i\varepsilon_i$-DP.",
)
def private_max_of_unbounded_partition() -> Evidence:
    """The two conditions are decided for every universe, label function and k."""
    structure = posed("unbounded", "partial_partition")
    arrow = t.partition_map()
    inner, outer = k.Canonical(UNBOUNDED, t.BLOCKS), k.Canonical(UNBOUNDED, t.DATABASES)
    c1 = fact(compatible(structure), k.Compatible(arrow, UNBOUNDED, t.DATABASES), "C1")
    c2 = fact(sensitive(structure), k.Sensitive(arrow, t.ONE, outer, inner), "C2")
    problem = t.blocks_of_neighbours(arrow, UNBOUNDED, k.Pullback(inner, arrow))
    part = k.everywhere(t.at_neighbours("pure", UNBOUNDED))
    family = k.run_family(k.preprocess(part, arrow), t.K)
    return t.total(family, problem, k.compatible_profile(problem, c1, (c2,)))


@theorem(
    id="GB24.II.9",
    statement="Under bounded neighbours no finite ε holds for parallel composition on separate "
    "domains: for every label function with a proper non-empty block, the part that counts its "
    "block is bounded 0-DP on its own domain, and two neighbours give it different counts.",
    status="proved",
    cite="GB24.II.9, with one block enough",
)
def no_private_parallel_of_bounded_counting() -> Evidence:
    """With a in the block and b outside: D = {a}, D′ = {b}, and the counts are 1 and 0."""
    import z3

    X = z3.DeclareSort("X")
    h = z3.Function("h", X, z3.IntSort())
    a, b, r = z3.Consts("a b r", X)
    i = z3.Int("i")

    def one(x: Any) -> Any:
        return z3.If(r == x, 1, 0)

    apart = [h(a) == i, h(b) != i]
    before, after = z3.Ints("before after")
    return smt(
        {
            "{a} and {b} are bounded neighbours: b replaces a": holds(
                z3.And(a != b, one(b) == one(a) - one(a) + one(b)), *apart
            ),
            "block i holds one record of {a} and none of {b}": holds(
                z3.And(z3.If(h(a) == i, 1, 0) == 1, z3.If(h(b) == i, 1, 0) == 0), *apart
            ),
            "a replacement keeps the size: counting is bounded 0-DP": holds(
                after == before, after == before - 1 + 1
            ),
        },
        "P[count = 1] is 1 on D and 0 on D′: no factor helps, whatever the other blocks are",
    )


@theorem(
    id="GB24s.III.1",
    statement="If neighbours change at most n blocks, each seen at distance at most r, the "
    "composition is ε-DP with ε = max over neighbours of Σ ε_i d_i(f_i D, f_i D′) ≤ the sum of the "
    "n largest r ε_i ≤ n r max ε_i; n and r symbolic.",
    status="proved",
    cite="GB24s.III.1 and the remark after it; GB24 after IV.4",
)
def private_max_over_neighbours_of_profile() -> Evidence:
    """The sum over the changed blocks, then its looser form."""
    n, r = k.Size("n"), k.Size("r")
    inner = k.Canonical(t.NEIGHBOURS, t.BLOCKS)
    problem = t.blocks_of_neighbours(t.BLOCK_MAP, t.NEIGHBOURS, k.Pullback(inner, t.BLOCK_MAP))
    vector = k.Vector((k.Group(t.BLOCK_MAP.name, n, (k.Seen("M", r),)),))
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
    status="proved",
    cite="GB24.IV.4, A.4",
)
def sum_of_blocks_le_symmetric_difference() -> Evidence:
    """Record by record, by induction on the number of blocks.

    A record with label h counts |m − m′| in block h, if that is one of 1..k, and 0 in all others.
    """
    import z3

    j, n, h, x, s = z3.Ints("j n h x s")

    def after(m: object) -> object:
        return z3.If(z3.And(h >= 1, h <= m), x, 0)

    commuting = smt(
        {
            "no block: the sum is 0": holds(after(z3.IntVal(0)) == 0),
            "one block more adds the record iff it is labelled so": holds(
                after(j + 1) == s + z3.If(h == j + 1, x, 0), s == after(j), j >= 0
            ),
            "the sum is at most |m − m′|": holds(after(n) <= x, x >= 0, n >= 1),
            "and equal if every label is one of 1..k": holds(after(n) == x, h >= 1, h <= n),
        }
    )
    total, r, e, top, weighted = z3.Reals("total r e top weighted")
    largest = smt(
        {
            "one part more: Σ ε r + ε r ≤ (max ε)(Σ r + r)": holds(
                weighted + e * r <= top * (total + r),
                weighted <= top * total, e <= top, r >= 0, e >= 0,
            ),
        },
        "Σ ε_i d*(p_i D, p_i D′) ≤ max ε_i · Σ d*(p_i D, p_i D′) ≤ max ε_i · d*(D, D′)",
    )  # fmt: skip
    structure = posed("unbounded", "partial_partition")
    return commuting, largest, compatible(structure), sensitive(structure)


@theorem(
    id=("GB24.IV.6", "GB24.V.4"),
    statement="If at most one block changes between G-neighbours (C1) and every f_i has "
    "sensitivity at most 1 (C2), parts that are G ε_i-DP on their own domains are together "
    "G (max ε_i)-DP, adaptively too, for every granularity G.",
    status="proved",
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
    status="proved",
    cite="GB24.A.5, for two non-empty blocks",
)
def incompatible_of_bounded_of_two_nonempty_blocks() -> Evidence:
    """For every label function: D = {a}, D′ = {b} with different labels changes two blocks."""
    import z3

    X = z3.DeclareSort("X")
    h = z3.Function("h", X, z3.IntSort())
    a, b = z3.Consts("a b", X)
    k_ = z3.Int("k")
    labels = [h(a) >= 1, h(a) <= k_, h(b) >= 1, h(b) <= k_, h(a) != h(b)]

    def held(record: object, block: object) -> object:
        return z3.If(h(record) == block, 1, 0)

    return smt(
        {
            "{a} and {b} are bounded neighbours": holds(a != b, *labels),
            "block h(a) loses its record": holds(
                z3.And(held(a, h(a)) == 1, held(b, h(a)) == 0), *labels
            ),
            "block h(b) gains one": holds(z3.And(held(a, h(b)) == 0, held(b, h(b)) == 1), *labels),
        },
        "two different blocks of 1..k change, whatever h, k and the other records are",
    )


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
    status="proved",
    cite="GB24.IV.7, A.6",
)
def private_max_of_ordered_index_partition() -> Evidence:
    """Position and value are attributes of a cell; the label depends on the position alone."""
    from dpcomp_sym.model import library_granularity

    ordered = library_granularity("ordered_bounded", position="idx")
    structure = posed(ordered, "partition", domain=_ordered(), by="idx")
    neighbours = k.Granularity("ordered_bounded", '"the value at one position is replaced"')
    arrow = k.Map("p", '"any partition of the positions"', t.DATABASES, t.BLOCKS, t.K)
    inner, outer = k.Canonical(neighbours, t.BLOCKS), k.Canonical(neighbours, t.DATABASES)
    c1 = fact(compatible(structure), k.Compatible(arrow, neighbours, t.DATABASES), "C1")
    c2 = fact(sensitive(structure), k.Sensitive(arrow, t.ONE, outer, inner), "C2")
    problem = t.blocks_of_neighbours(arrow, neighbours, k.Pullback(inner, arrow))
    part = k.everywhere(t.at_neighbours("pure", neighbours))
    family = k.run_family(k.preprocess(part, arrow), t.K)
    return t.total(family, problem, k.compatible_profile(problem, c1, (c2,)))


@theorem(
    id=("GB24.IV.11", "GB24.V.5"),
    statement="On the common domain, if M_i is G ε_i-DP and depends on f_i only, the composition "
    "is private at Σ ε_i d_i, with d_i the canonical metric of the pushforward of G along f_i; "
    "between neighbours this is the sum of ε_i over the blocks that change.",
    status="proved",
    cite="GB24.IV.11, V.5, with the exact metric of N2",
)
def private_sum_of_pushforwards_of_dependent() -> tuple[k.Theorem, k.Theorem]:
    """First for all pairs; then between neighbours that change at most n blocks, n symbolic.

    The published metric, a minimum over fibres, is at least this one: see
    ``quotient_le_min_of_fibres``.
    """
    n = k.Size("n")
    seen = push_metric(t.NEIGHBOURS, t.BLOCK_MAP)
    problem = t.blocks_of_neighbours(t.BLOCK_MAP, t.NEIGHBOURS, seen, (k.Edit("step", 0),))
    many = t.assumed(k.TouchCount(problem, "step", t.BLOCK_MAP.name, n), "n blocks change")
    near = k.common_distance(problem, "step", "M", ())
    vector = k.Vector((k.Group(t.BLOCK_MAP.name, n, (k.Seen("M", t.ONE),)),))
    profile = k.compose_profile(problem, (many, near), (vector,), ())
    everywhere = t.common("pure")
    return everywhere, t.total(everywhere, problem, profile)


@theorem(
    id=("GB24.IV.12", "GB24.V.6", "GB24s.III.4"),
    statement="On the common domain condition C1 alone gives max ε_i: parts that are G ε_i-DP on "
    "the whole domain and depend on their block only, of which at most one changes between "
    "G-neighbours, are together G (max ε_i)-DP.",
    status="proved",
    cite="GB24.IV.12, V.6; GB24s.III.4",
)
def private_max_of_compatible_dependent() -> Evidence:
    """Images of neighbours have distance at most 1 in the pushforward: no C2 is needed."""
    return t.on_common_domain("pure")


@theorem(
    id=("GB24.IV.13", "GB24s.III.5"),
    statement="For bounded neighbours and a partition by value on the common domain, the sum "
    "of the two largest ε_i holds: max over i ≠ j of ε_i + ε_j (k = 1: ε_1), for every k.",
    status="proved",
    cite="GB24.IV.13; GB24s.III.5",
    latex=r"If $M_i$ is bounded $\varepsilon_i$-DP and $p_i$-dependent, then $(M_i)_i$ is bounded "
    r"$\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$-DP.",
)
def private_two_largest_of_bounded_partition() -> Evidence:
    """That a record lies in one block at most is decided; the kernel enumerates the rest.

    It is attained (N1): see ``attained_profile_bound``.
    """
    structure = posed("bounded", "partial_partition", "common")
    problem = t.replacement_problem()
    statement = k.TouchCount(problem, "replace", t.partition_map().name, t.ONE)
    one = fact(within_one_block(structure), statement, "a record lies in at most one block")
    return t.of_two_touched("pure", one)


@theorem(
    id="GB24.IV.14",
    statement="Bounded neighbours that differ within one block are indistinguishable up to ε_i, "
    "those that differ in two blocks up to ε_i + ε_j; this is below Σ ε_i only for k ≥ 3.",
    status="proved",
    cite="GB24.IV.14",
)
def private_by_pair_of_bounded_partition() -> Evidence:
    """A replacement within a block is a granularity of its own, and it is compatible."""
    from dpcomp_sym.model import Edit, Granularity

    edit = Edit(
        {"x": "cell", "y": "cell"},
        "D[x] >= 1 and x != y and h(id(x)) == h(id(y))",
        {"x": "-1", "y": "1"},
    )
    within = Granularity("within", [edit])
    domain = Domain({"id": "Record"}, {"h": (["Record"], "int")})
    structure = posed(within, "labels", "common", domain, label="h(id(c))")
    neighbours = k.Granularity("within", '"a record is replaced by one of its block"')
    arrow = t.partition_map()
    c1 = fact(compatible(structure), k.Compatible(arrow, neighbours, t.DATABASES), "C1")
    seen = push_metric(neighbours, arrow)
    problem = t.blocks_of_neighbours(arrow, neighbours, seen)
    same = t.total(
        t.common("pure", neighbours, arrow), problem, k.compatible_profile(problem, c1, ())
    )
    figures = {n: _two_and_all(tuple(range(1, n + 1))) for n in (2, 3, 5)}
    return (
        same,
        private_two_largest(),
        smt({
            "k = 2: the two largest are all": figures[2] == _pair(3, 3),
            "k = 3: below the sum": figures[3] == _pair(5, 6),
            "k = 5: below the sum": figures[5] == _pair(9, 15),
        }),
    )  # fmt: skip


def private_two_largest() -> k.Theorem:
    """Return the bound for any two blocks."""
    return t.of_two_touched("pure")


def _pair(two: int, every: int) -> tuple[Fraction, Fraction]:
    return Fraction(two), Fraction(every)


def _two_and_all(eps: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    (bound,) = t.largest(t.of_two_touched("pure"))
    values = {"eps": [Fraction(e) for e in eps]}
    two = k.evaluate(bound, values, {"k": len(eps)})
    every = k.evaluate(k.Worst(t.K, (k.Choice(k.Inf(), EPS),)), values, {"k": len(eps)})
    if not isinstance(two, Fraction) or not isinstance(every, Fraction):
        raise k.KernelError("the bounds of numbers are numbers")
    return two, every


@theorem(
    id="GB24.IV.9",
    statement="Counting the records of a district depends on the district's records only: if "
    "p_i(D) = p_i(D′), the counts agree, so the noisy count has one law.",
    status="proved",
    cite="GB24.IV.9",
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
    status="proved",
    cite="GB24.IV.5; GB24s.III.2, read as at most three",
)
def private_three_of_at_most_three_hospitals() -> Evidence:
    """Each record lies in at most three blocks; 3 against k, the latter by induction."""
    from dpcomp_sym.model import Map

    cover = Map("p", "lab(c, i)", {"i": "k"}, {"lab": (["cell", "int"], "bool")}, multiplicity=3)
    structure = posed("unbounded", cover)
    three = k.Num(Fraction(3))
    arrow = k.Map("p", '"covers, at most three labels a record"', t.DATABASES, t.BLOCKS, t.K)
    inner = k.Canonical(UNBOUNDED, t.BLOCKS)
    seen = k.Pullback(inner, arrow)
    problem = t.blocks_of_neighbours(arrow, UNBOUNDED, seen, (k.Edit("add", 1),))
    many = fact(compatible(structure, 3), k.TouchCount(problem, "add", "p", three), "three blocks")
    near = fact(sensitive(structure), k.BlockDistance(problem, "add", "M", (1,), t.ONE), "C2")
    vector = k.Vector((k.Group("p", three, (k.Seen("M", t.ONE),)),))
    profile = k.compose_profile(problem, (many, near), (vector,), ())
    loss = k.Neighbouring(UNBOUNDED, t.BLOCKS, (t.ONE,))
    part = k.given(k.Private(k.Mechanism("M", t.BLOCKS, t.K), "pure", loss, ()), "part i")
    family = k.run_family(k.preprocess(k.everywhere(part), arrow), t.K)
    exact = t.total(family, problem, profile)
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
    status="proved",
    cite="GB24.III.8",
)
def sensitivity_le_product_of_composition() -> Evidence:
    """As an inequality of metrics, and for every private mechanism behind both maps."""
    first, second, third = (k.Domain(n, '"any"', ()) for n in ("D1", "D2", "D3"))
    d1, d2, d3 = (k.Distance(f"d{n}", '"any"', d) for n, d in enumerate((first, second, third), 1))
    f, g = k.Map("f", '"any"', first, second, ()), k.Map("g", '"any"', second, third, ())
    cf, cg = k.Size("Df"), k.Size("Dg")
    of_f = k.metric_of_sensitivity(t.assumed(k.Sensitive(f, cf, d1, d2), "Δf"))
    of_g = k.metric_of_sensitivity(t.assumed(k.Sensitive(g, cg, d2, d3), "Δg"))
    moved = k.oracle(
        k.MetricLeq(k.Pullback(k.Rescaled(cg, d2), f), k.Rescaled(cg, k.Pullback(d2, f))),
        "witness", "equal by definition: c d(f D, f D′) both times",
    )  # fmt: skip
    chain = k.transitive_leq(k.transitive_leq(k.pull_back_leq(of_g, f), moved),
                             k.rescale_leq(of_f, cg))  # fmt: skip
    eps = k.Param("eps")
    part = k.given(k.Private(k.Mechanism("M", third, ()), "pure", k.At((eps,), d3), ()), "M")
    behind_g = k.rescale_guarantee(k.weaken_metric(k.preprocess(part, g), of_g))
    behind_f = k.rescale_guarantee(k.weaken_metric(k.preprocess(behind_g, f), of_f))
    return chain, behind_f


@theorem(
    id="GB24.IV.2",
    statement="Counts of two districts and a private location in each: the composition is private "
    "at Σ (d_U(p_i D, p_i D′) + d(f_i D, f_i D′)), a sum of metrics of different kinds.",
    status="proved",
    cite="GB24.IV.2; the printed last form is corrected elsewhere (E14)",
)
def private_mixed_metrics_of_counts_and_locations() -> Evidence:
    """One family behind the districts, one behind the nearest ambulances, run together."""
    near = k.Map("near", '"the ambulance nearest to the hospital"', t.DATABASES, t.BLOCKS, t.K)
    places = k.Distance("euclid", '"Euclidean distance"', t.BLOCKS)
    counts = k.run_family(
        k.preprocess(_unit("count", k.Canonical(UNBOUNDED, t.BLOCKS)), t.partition_map()), t.K
    )
    located = k.run_family(k.preprocess(_unit("place", places), near), t.K)
    import sympy

    left, right, c = sympy.symbols("a b c")
    return k.run_adaptively((counts, located)), identities(
        {"the four distances add up in any order": identical(left + (right + c), c + left + right)}
    )


def _unit(name: str, metric: k.Metric) -> k.Theorem:
    mechanism = k.Mechanism(name, t.BLOCKS, t.K)
    return k.given(k.Private(mechanism, "pure", k.At((t.ONE,), metric), ()), f"{name} of block i")
