"""Granularities, canonical metrics, sensitivity, and the metric of a restriction."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Computed, Evidence, theorem
from theorems._facts import neighbours, posed, records
from theorems._finite import FAR, bounded_multisets, multisets, path_metric, unbounded_multisets
from theorems._inductions import multiple_of_steps, product_along_a_path
from theorems._prove import by_induction, holds, possible, smt
from theorems._regions import Regions, bounded, canonical, unbounded


@theorem(
    id="GB24.III.3",
    statement="M is ε d-private for the canonical metric d of G if and only if M is G ε-DP, for "
    "every granularity G on every class of databases.",
    status="rocq",
    cite="GB24.III.3",
    latex=r"For every granularity $\mathcal G$ on every class $\mathbb D$ of databases, $M$ is "
    r"$\varepsilon d^{\mathcal G}_{\mathbb D}$-private iff $M$ is $\mathcal G$ "
    r"$\varepsilon$-DP.",
)
def private_at_canonical_iff_private() -> Evidence:
    """Both rules, and the induction along a path that justifies the first one."""
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, (k.Param("eps"),))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), "pure", loss, ()), "M")
    far = k.everywhere(part)
    step = smt({"P ≤ q^n P′ at the ends of every path of n steps": product_along_a_path()})
    return far, k.between_neighbours(far), step


@theorem(
    id="GB24.II.2",
    statement="M is unbounded ε-DP if and only if P[M(D) ∈ S] ≤ e^(ε |D Δ D′|) P[M(D′) ∈ S] for "
    "all pairs and events: group privacy.",
    status="rocq",
    cite="GB24.II.2",
    latex=r"$M$ is unbounded $\varepsilon$-DP iff $\Pr[M(D)\in S]\le "
    r"e^{\varepsilon|D\triangle D'|}\Pr[M(D')\in S]$ for all $D,D'$ and all $S$.",
)
def private_of_all_pairs_of_unbounded() -> Evidence:
    """Both directions, and that |D Δ D′| is the canonical metric of unbounded."""
    import z3

    relation = k.NamedRelation("unbounded", '"one record is added or removed"')
    loss = k.Neighbouring(relation, t.DATABASES, (k.Param("eps"),))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), "pure", loss, ()), "M")
    closed = canonical(unbounded, lambda p, q: p + q, lambda _p, _q: z3.BoolVal(True))
    far = k.everywhere(part)
    return far, k.between_neighbours(far), smt(closed)


@theorem(
    id="GB24.III.4",
    statement="On databases of one size no two differ by one record: there are no unbounded "
    "neighbours, and every mechanism is vacuously private.",
    status="vacuous",
    cite="GB24.III.4",
    latex=r"On a class of databases of one size no two satisfy $|D\triangle D'|=1$, so there are "
    r"no unbounded neighbours, and every mechanism is vacuously private.",
)
def vacuous_of_unbounded_at_fixed_size() -> Evidence:
    """Decided for every size N and every universe; the toolkit then claims no ε at all."""
    domain = records(symbols={"N": "N >= 0"}, size=["size(D) == N"])
    problem = posed("unbounded", "identity", domain=domain)
    return neighbours(problem)


@theorem(
    id="GB24.III.4",
    statement="Bounded neighbours connect all databases of one size, at distance |D ∖ D′|; among "
    "all databases those of different sizes are infinitely far apart.",
    status="decided",
    cite="GB24.III.4",
    latex=r"For $|D|=|D'|$ the bounded distance is $d^{\mathcal B}(D,D')=|D\setminus D'|$, which "
    r"is finite; for $|D|\ne|D'|$ it is $\infty$.",
)
def connected_of_bounded_at_fixed_size() -> Evidence:
    """The closed form of the canonical metric on both classes.

    It is finite where as many records are gone as come, which is for equal sizes.
    """
    import z3

    size = z3.Int("N")
    fixed = canonical(bounded, lambda p, _q: p, lambda p, q: p == q, lambda n: n == size)
    free = canonical(bounded, lambda p, _q: p, lambda p, q: p == q)
    w = Regions("DE")
    both = {f"size N: {text}": settled for text, settled in fixed.items()}
    both |= {f"any size: {text}": settled for text, settled in free.items()}
    both["databases of different sizes exist"] = possible(
        *w.facts, w.minus("D", "E") != w.minus("E", "D")
    )
    return smt(both)


@theorem(
    id="GB24.III-A",
    statement="If d1 ≤ d2, every d1-private mechanism is d2-private; free-lunch is below every "
    "canonical metric, and a metric of finite diameter is at most that diameter times every "
    "canonical metric.",
    status="rocq",
    cite="GB24, section III-A, for canonical metrics",
    latex=r"If $d_1\le d_2$, every $d_1$-private mechanism is $d_2$-private; "
    r"$d^{\mathrm{FL}}\le d^{\mathcal G}$ for every $\mathcal G$; and "
    r"$d\le\mathrm{diam}(d)\,d^{\mathcal G}$ for every $d$ of finite diameter.",
)
def private_of_smaller_metric() -> Evidence:
    """Weakening is a rule; canonical metrics are 0 or at least 1."""
    import z3

    d1, d2 = (k.NamedPseudometric(n, '"any pseudometric"', t.DATABASES) for n in ("d1", "d2"))
    eps = (k.Param("eps"),)
    part = k.given(
        k.Private(k.NamedMechanism("M", t.DATABASES, ()), "pure", k.At(eps, d1), ()), "M"
    )
    leq = t.assumed(k.MetricLeq(d1, d2), "d1 is at most d2")
    far, diameter, first = z3.Int("d2"), z3.Real("diameter"), z3.Real("d1")
    steps = smt({
        "different databases: the free-lunch distance 1 is at most d": holds(
            far >= 1, far >= 0, far != 0
        ),
        "different databases: d1 ≤ diameter ≤ diameter · d": holds(
            first <= diameter * z3.ToReal(far), first <= diameter, diameter >= 0, far >= 1
        ),
    })  # fmt: skip
    return k.weaken_metric(part, leq), steps


@theorem(
    id="GB24.III.6",
    statement="If M is ε d2-private and f has sensitivity Δf from d1 to d2, M ∘ f is "
    "(ε Δf) d1-private; for a canonical d1 the sensitivity is the maximum over neighbours.",
    status="rocq",
    cite="GB24.III.6",
    latex=r"If $M$ is $\varepsilon d_2$-private and $d_2(f(D),f(D'))\le\Delta "
    r"f\,d_1(D,D')$ for all $D,D'$, then $M\circ f$ is $(\varepsilon\,\Delta "
    r"f)\,d_1$-private; for a canonical $d_1$ the least $\Delta f$ is $\max_{D\sim "
    r"D'}d_2(f(D),f(D'))$.",
)
def private_of_preprocessing() -> Evidence:
    """Three rules; and the induction along a path for the last claim."""
    inner = k.DatabaseClass("E", '"any"', ())
    arrow = k.NamedMap("f", '"any map"', t.DATABASES, inner, ())
    d1, d2 = (
        k.NamedPseudometric("d1", '"any"', t.DATABASES),
        k.NamedPseudometric("d2", '"any"', inner),
    )
    part = k.given(
        k.Private(k.NamedMechanism("M", inner, ()), "pure", k.At((k.Param("eps"),), d2), ()), "M"
    )
    bound = t.assumed(k.Sensitive(arrow, k.Size("Df"), d1, d2), "Δf")
    found = k.rescale_guarantee(
        k.weaken_metric(k.preprocess(part, arrow), k.metric_of_sensitivity(bound))
    )
    return found, smt({
        "images of n steps, each at most c apart, are at most c n apart, for every n": (
            multiple_of_steps()
        ),
    })  # fmt: skip


@theorem(
    id="GB24.A.1",
    statement="The canonical metric of any granularity is an extended metric: 0 exactly for equal "
    "databases, symmetric, with the triangle inequality.",
    status="decided",
    cite="GB24.A.1",
    latex=r"The canonical metric of any granularity is an extended metric: $d(D,D')=0$ iff "
    r"$D=D'$, $d(D,D')=d(D',D)$, and $d(D,D'')\le d(D,D')+d(D',D'')$.",
)
def metric_of_canonical() -> Evidence:
    """W(x, y, n) says that n steps lead from x to y; d is the least such n, infinite without one.

    Concatenation gives the triangle inequality, reversal the symmetry, and no steps lead nowhere;
    moreover all 64 granularities on four databases are checked by their shortest paths.
    """
    import z3

    X = z3.DeclareSort("X")
    walk = z3.Function("W", X, X, z3.IntSort(), z3.BoolSort())
    link = z3.Function("G", X, X, z3.BoolSort())
    x, y, z, w = z3.Consts("x y z w", X)
    m = z3.Int("m")

    def lengthened(steps: Any) -> Any:
        """W(x, z, n + 1) iff n steps lead to some w, and one more to z."""
        further = z3.Exists([w], z3.And(walk(x, w, steps), link(w, z)))
        return z3.ForAll([x, z], walk(x, z, steps + 1) == further)

    def concatenated(n: Any) -> Any:
        there = z3.And(walk(x, y, m), walk(y, z, n))
        return z3.ForAll([x, y, z], z3.Implies(there, walk(x, z, m + n)))

    def reversed_(n: Any) -> Any:
        return z3.ForAll([x, y], z3.Implies(walk(x, y, n), walk(y, x, n)))

    nowhere = z3.ForAll([x, y], walk(x, y, 0) == (x == y))
    symmetric = z3.ForAll([x, y], link(x, y) == link(y, x))
    one_first = z3.ForAll(
        [x, y, z],
        z3.Implies(z3.And(link(x, y), walk(y, z, m)), walk(x, z, m + 1)),
    )
    joined = smt({
        "m steps and then n steps are m + n steps: the triangle inequality": by_induction(
            concatenated, [nowhere], lambda n: [lengthened(n), lengthened(m + n)]
        ),
        "one step is a link": holds(
            z3.ForAll([x, z], walk(x, z, 1) == link(x, z)), nowhere, lengthened(z3.IntVal(0))
        ),
        "n steps there are n steps back: symmetry": by_induction(
            reversed_, [nowhere],
            lambda n: [lengthened(n), symmetric, z3.substitute(one_first, (m, n))],
        ),
        "a link and then m steps are m + 1 steps": holds(
            one_first, z3.ForAll([x, y], walk(x, y, 1) == link(x, y)),
            z3.ForAll([x, y, z], z3.Implies(
                z3.And(walk(x, y, 1), walk(y, z, m)), walk(x, z, m + 1)
            )),
        ),
    })  # fmt: skip
    cases, good = 0, True
    pairs = list(combinations(range(4), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        links = [p for p, c in zip(pairs, chosen, strict=True) if c]
        d = path_metric(range(4), links)
        cases += 1
        good &= all(
            (d[a, b] == 0) == (a == b) and d[a, b] == d[b, a]
            for a, b in product(range(4), repeat=2)
        ) and all(d[a, c] <= d[a, b] + d[b, c] for a, b, c in product(range(4), repeat=3))
    return joined, CheckedInScope("all granularities on four databases", cases, good)


@theorem(
    id="GB24.A.2",
    statement="The canonical metric of a subclass is not the restriction: {a} and {b} have "
    "distance 2 among all databases, and an infinite one among those of size 1.",
    status="computed",
    cite="GB24.A.2",
    latex=r"The canonical metric of a subclass is not the restriction: $d^{\mathcal "
    r"U}(\{a\},\{b\})$ is $2$ among all databases, and $\infty$ among those of size $1$.",
)
def canonical_of_subclass_ne_restriction() -> Evidence:
    """Shortest paths through all databases of at most three records, and through size 1 only."""
    world = multisets("abc", 3)
    d = path_metric(world, unbounded_multisets(world))
    small = [x for x in world if len(x) == 1]
    inside = path_metric(small, unbounded_multisets(small))
    a, b = ("a",), ("b",)
    return Computed(
        {"among all": 2, "among size 1": "infinite"},
        {"among all": d[a, b], "among size 1": "infinite" if inside[a, b] == FAR else "finite"},
    )


@theorem(
    id="GB24.A.3",
    statement="d of G1 ≤ dist(G1, G2) · d of G2, where dist is the largest G1-distance of "
    "G2-neighbours; on all databases over at least two records, dist(unbounded, bounded) = 2 and "
    "dist(bounded, unbounded) = ∞.",
    status="decided",
    cite="GB24.A.3",
    latex=r"$d^{\mathcal G_1}\le\mathrm{dist}(\mathcal G_1,\mathcal G_2)\,d^{\mathcal "
    r"G_2}$ with $\mathrm{dist}(\mathcal G_1,\mathcal G_2)=\max_{D\sim_{\mathcal "
    r"G_2}D'}d^{\mathcal G_1}(D,D')$; on all databases over at least two records "
    r"$\mathrm{dist}(\mathcal U,\mathcal B)=2$ and $\mathrm{dist}(\mathcal B,\mathcal "
    r"U)=\infty$.",
)
def canonical_le_distance_times_canonical() -> Evidence:
    """A path of n steps of G2, each of them c steps of G1 at most; then region sizes.

    Bounded neighbours have one record each that the other lacks, so |D Δ D′| = 2.
    """
    import z3

    w = Regions("DE")
    closed = canonical(unbounded, lambda p, q: p + q, lambda _p, _q: z3.BoolVal(True))
    replacing = canonical(bounded, lambda p, _q: p, lambda p, q: p == q)
    return smt(
        {
            "n steps of G2, each at most c steps of G1, lead at most c n away, for every n": (
                multiple_of_steps()
            ),
            "bounded neighbours exist": possible(*w.facts, bounded(w, "D", "E")),
            "unbounded neighbours have different sizes, which replacements keep": holds(
                w.size("D") != w.size("E"), *w.facts, unbounded(w, "D", "E")
            ),
            **{f"unbounded: {text}": settled for text, settled in closed.items()},
            **{f"bounded: {text}": settled for text, settled in replacing.items()},
        },
    )


@theorem(
    id="GB24.A.8",
    statement="If |A| ≤ |B|, padding A with any |B| − |A| records gives C with d_B(C, B) ≤ "
    "|A Δ B|; sharper, d_B(C, B) ≤ |B ∖ A|.",
    status="decided",
    cite="GB24.A.8",
    latex=r"If $|A|\le|B|$ and $C$ is $A$ with any $|B|-|A|$ records added, $d_{\mathcal "
    r"B}(C,B)\le|B\setminus A|\le|A\triangle B|$.",
)
def bounded_distance_le_of_padding() -> Evidence:
    """Region sizes of A, B, C with A ⊆ C and |C| = |B|; d_B is |C ∖ B| for equal sizes."""
    w = Regions("ABC")
    facts = [*w.facts, w.minus("A", "C") == 0, w.size("C") == w.size("B")]
    closed = canonical(bounded, lambda p, _q: p, lambda p, q: p == q)
    return smt({
        "|C ∖ B| ≤ |A Δ B|": holds(w.minus("C", "B") <= w.apart("A", "B"), *facts),
        "|C ∖ B| ≤ |B ∖ A|": holds(w.minus("C", "B") <= w.minus("B", "A"), *facts),
        **{f"bounded: {text}": settled for text, settled in closed.items()},
    })  # fmt: skip


@theorem(
    id="GB24.IV.15",
    statement="If Y ≠ X, the least bounded distance of databases with D ∩ Y = A and D′ ∩ Y = B is "
    "max(|A ∖ B|, |B ∖ A|); so a bounded 1-DP mechanism that depends on D ∩ Y only is private at "
    "that distance, which is at most |A Δ B|.",
    status="rocq",
    cite="GB24.IV.15, corrected (E1)",
    latex=r"For $Y\ne X$ the least bounded distance of $D,D'$ with $D\cap Y=A$ and "
    r"$D'\cap Y=B$ is $\max(|A\setminus B|,|B\setminus A|)\le|A\triangle B|$; a bounded "
    r"$1$-DP mechanism that depends on $D\cap Y$ only is private at that distance.",
)
def minimum_bounded_distance_of_restriction() -> Evidence:
    """Regions over the classes Y and X ∖ Y; the minimum is attained by padding outside Y.

    Padding takes copies of one record outside Y, the side that is short of records gets them.
    """
    import z3

    w = Regions("DE", ("y", "rest"))
    inside = ("y",)
    gone, come = w.minus("D", "E", inside), w.minus("E", "D", inside)
    largest = z3.If(gone >= come, gone, come)
    equal = [*w.facts, w.size("D") == w.size("E")]
    p, q, both = z3.Ints("p q both")
    pad_d, pad_e = z3.If(q > p, q - p, 0), z3.If(p > q, p - q, 0)
    base = [p >= 0, q >= 0, both >= 0]
    top = z3.If(p >= q, p, q)
    settled = smt({
        "no smaller: |D ∖ D′| ≥ max": holds(w.minus("D", "E") >= largest, *equal),
        "padded databases have equal sizes": holds(both + p + pad_d == both + q + pad_e, *base),
        "and differ by exactly the maximum": holds(p + pad_d == top, *base),
        "max ≤ |A Δ B|": holds(top <= p + q, *base),
        **{
            f"bounded: {text}": settled
            for text, settled in canonical(
                bounded, lambda p, _q: p, lambda p, q: p == q
            ).items()
        },
    }, "d_B is |D ∖ D′| for equal sizes, else infinite; GB24.IV.10 gives the privacy")  # fmt: skip
    return settled, _restricted()


def _restricted() -> CheckedInScope:
    world = multisets("abz", 4)
    d = path_metric(world, bounded_multisets(world, "abz"))
    least: dict[tuple[Any, Any], float] = {}
    for x, y in product(world, repeat=2):
        key = tuple(c for c in x if c != "z"), tuple(c for c in y if c != "z")
        least[key] = min(least.get(key, FAR), d[x, y])
    good, cases = True, 0
    for (a, b), value in least.items():
        if len(a) > 2 or len(b) > 2:
            continue  # too little room for padding in this scope
        cases += 1
        good &= value == max(
            sum(max(0, a.count(c) - b.count(c)) for c in "ab"),
            sum(max(0, b.count(c) - a.count(c)) for c in "ab"),
        )
    return CheckedInScope("X = {a, b, z}, Y = {a, b}, at most four records", cases, good)
