"""Granularities, canonical metrics, sensitivity, and the metric of a restriction."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Computed, Evidence, theorem
from theorems._facts import posed, records
from theorems._finite import FAR, bounded_multisets, multisets, path_metric, unbounded_multisets
from theorems._prove import holds, possible, smt
from theorems._regions import Regions, bounded, canonical, unbounded


@theorem(
    id="GB24.III.3",
    statement="M is ε d-private for the canonical metric d of G if and only if M is G ε-DP, for "
    "every granularity G on every class of databases.",
    status="proved",
    cite="GB24.III.3",
    latex=r"$M$ is $\varepsilon d^{\mathcal G}_{\mathbb D}$-private iff $M$ is $\mathcal G$ "
    r"$\varepsilon$-DP.",
)
def private_at_canonical_iff_private() -> Evidence:
    """Both rules, and the step of the induction along a path; Q stands for e^(nε)."""
    import z3

    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, (k.Param("eps"),))
    part = k.given(k.Private(k.Mechanism("M", t.DATABASES, ()), "pure", loss, ()), "M")
    far = k.everywhere(part)
    p, mid, last, q, power = z3.Reals("p mid last q power")
    step = smt({
        "path of no step: P ≤ P": holds(p <= p * 1),
        "one step more: P ≤ q P″ and P″ ≤ q^n P′ imply P ≤ q^(n+1) P′": holds(
            p <= q * power * last, q >= 1, p <= q * mid, mid <= power * last
        ),
    })  # fmt: skip
    return far, k.between_neighbours(far), step


@theorem(
    id="GB24.II.2",
    statement="Unbounded ε-DP is P[M(D) ∈ S] ≤ e^(ε |D Δ D′|) P[M(D′) ∈ S] for all pairs: group "
    "privacy.",
    status="proved",
    cite="GB24.II.2",
)
def private_of_all_pairs_of_unbounded() -> Evidence:
    """The general statement, and that |D Δ D′| is the canonical metric of unbounded."""
    import z3

    relation = k.Granularity("unbounded", '"one record is added or removed"')
    loss = k.Neighbouring(relation, t.DATABASES, (k.Param("eps"),))
    part = k.given(k.Private(k.Mechanism("M", t.DATABASES, ()), "pure", loss, ()), "M")
    closed = canonical(unbounded, lambda p, q: p + q, lambda _p, _q: z3.BoolVal(True))
    return k.everywhere(part), smt(closed, "|D Δ D′| is the least number of steps")


@theorem(
    id="GB24.III.4",
    statement="On databases of one size no two differ by one record: there are no unbounded "
    "neighbours, and every mechanism is vacuously private.",
    status="vacuous",
    cite="GB24.III.4",
)
def vacuous_of_unbounded_at_fixed_size() -> Evidence:
    """Decided for every size N and every universe; the toolkit then claims no ε at all."""
    domain = records(symbols={"N": "N >= 0"}, size=["size(D) == N"])
    structure = posed("unbounded", "identity", domain=domain)
    return structure.vacuity


@theorem(
    id="GB24.III.4",
    statement="Bounded neighbours connect all databases of one size, at distance |D ∖ D′|; among "
    "all databases those of different sizes are infinitely far apart.",
    status="proved",
    cite="GB24.III.4",
)
def connected_of_bounded_at_fixed_size() -> Evidence:
    """The closed form of the canonical metric on both classes."""
    import z3

    size = z3.Int("N")
    fixed = canonical(bounded, lambda p, _q: p, lambda p, q: p == q, lambda n: n == size)
    free = canonical(bounded, lambda p, _q: p, lambda p, q: p == q)
    w = Regions("DE")
    both = {f"size N: {text}": settled for text, settled in fixed.items()}
    both |= {f"any size: {text}": settled for text, settled in free.items()}
    both["equal sizes make the distance finite"] = holds(
        w.minus("D", "E") == w.minus("E", "D"), *w.facts, w.size("D") == w.size("E")
    )
    both["databases of different sizes exist"] = possible(
        *w.facts, w.minus("D", "E") != w.minus("E", "D")
    )
    return smt(both, "finite exactly for equal sizes, by the invariant and the descent")


@theorem(
    id="GB24.III-A",
    statement="If d1 ≤ d2, every d1-private mechanism is d2-private; free-lunch is below every "
    "canonical metric, and a metric of finite diameter is at most that diameter times every "
    "canonical metric.",
    status="proved",
    cite="GB24, section III-A, for canonical metrics",
)
def private_of_smaller_metric() -> Evidence:
    """Weakening is a rule; canonical metrics are 0 or at least 1."""
    import z3

    d1, d2 = (k.Distance(n, '"any pseudometric"', t.DATABASES) for n in ("d1", "d2"))
    eps = (k.Param("eps"),)
    part = k.given(k.Private(k.Mechanism("M", t.DATABASES, ()), "pure", k.At(eps, d1), ()), "M")
    leq = t.assumed(k.MetricLeq(d1, d2), "d1 is at most d2")
    far, diameter, first = z3.Int("d2"), z3.Real("diameter"), z3.Real("d1")
    steps = smt({
        "different databases: free-lunch distance 1 ≤ d": holds(far >= 1, far >= 0, far != 0),
        "different databases: d1 ≤ diameter ≤ diameter · d": holds(
            first <= diameter * z3.ToReal(far), first <= diameter, diameter >= 0, far >= 1
        ),
        "equal databases: both sides are 0": holds(first <= diameter * 0, first == 0),
    })  # fmt: skip
    return k.weaken_metric(part, leq), steps


@theorem(
    id="GB24.III.6",
    statement="If M is ε d2-private and f has sensitivity Δf from d1 to d2, M ∘ f is "
    "(ε Δf) d1-private; for a canonical d1 the sensitivity is the maximum over neighbours.",
    status="proved",
    cite="GB24.III.6",
)
def private_of_preprocessing() -> Evidence:
    """Three rules; and the induction along a path for the last claim."""
    import z3

    inner = k.Domain("E", '"any"', ())
    arrow = k.Map("f", '"any map"', t.DATABASES, inner, ())
    d1, d2 = k.Distance("d1", '"any"', t.DATABASES), k.Distance("d2", '"any"', inner)
    part = k.given(
        k.Private(k.Mechanism("M", inner, ()), "pure", k.At((k.Param("eps"),), d2), ()), "M"
    )
    bound = t.assumed(k.Sensitive(arrow, k.Size("Df"), d1, d2), "Δf")
    found = k.rescale_guarantee(
        k.weaken_metric(k.preprocess(part, arrow), k.metric_of_sensitivity(bound))
    )
    whole, so_far, step, c, n = z3.Reals("whole so_far step c n")
    return found, smt({
        "no step: 0 ≤ c · 0": holds(0 * c <= 0),
        "one step more: d2 ≤ c n and a step of at most c give c (n + 1)": holds(
            whole <= c * (n + 1), whole <= so_far + step, so_far <= c * n, step <= c
        ),
    })  # fmt: skip


@theorem(
    id="GB24.A.1",
    statement="The canonical metric of any granularity is an extended metric: 0 exactly for equal "
    "databases, symmetric, with the triangle inequality.",
    status="proved",
    cite="GB24.A.1",
)
def metric_of_canonical() -> Evidence:
    """W(x, y, n) says that n steps lead from x to y; both inductions are on n.

    Concatenation gives the triangle inequality, reversal the symmetry; moreover all 64
    granularities on four databases are checked by their shortest paths.
    """
    import z3

    X = z3.DeclareSort("X")
    walk = z3.Function("W", X, X, z3.IntSort(), z3.BoolSort())
    link = z3.Function("G", X, X, z3.BoolSort())
    x, y, z, w = z3.Consts("x y z w", X)
    m, n = z3.Ints("m n")

    def last(a: Any, b: Any, c: Any, steps: Any) -> Any:
        return z3.Implies(z3.And(walk(a, c, steps), link(c, b)), walk(a, b, steps + 1))

    joined = smt({
        "concatenation, no step: y = z": holds(walk(x, z, m + 0), walk(x, y, m), y == z),
        "concatenation, one step more": holds(
            walk(x, z, m + n + 1), z3.Implies(walk(y, w, n), walk(x, w, m + n)),
            walk(y, w, n), link(w, z), last(x, z, w, m + n),
        ),
        "reversal, no step": holds(walk(y, x, 0), walk(x, y, 0), x == y),
        "reversal, one step more: the last step, reversed, then the rest": holds(
            walk(z, x, 1 + n), walk(y, x, n), link(y, z), z3.Implies(link(y, z), link(z, y)),
            z3.Implies(link(z, y), walk(z, y, 1)),
            z3.Implies(z3.And(walk(z, y, 1), walk(y, x, n)), walk(z, x, 1 + n)),
        ),
        "n steps are at least 1 for different databases": holds(
            n >= 1, n >= 0, z3.Implies(n == 0, x == y), x != y
        ),
    }, "d is the least n with W(x, y, n), infinite if there is none")  # fmt: skip
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
    status="proved",
    cite="GB24.A.3",
)
def canonical_le_distance_times_canonical() -> Evidence:
    """A path of n steps of G2, each of them c steps of G1 at most; then region sizes."""
    import z3

    whole, so_far, step, c, n = z3.Reals("whole so_far step c n")
    w = Regions("DE")
    closed = canonical(unbounded, lambda p, q: p + q, lambda _p, _q: z3.BoolVal(True))
    return smt(
        {
            "no step: 0 ≤ c · 0": holds(0 * c <= 0),
            "one step more, by the triangle inequality": holds(
                whole <= c * (n + 1), whole <= so_far + step, so_far <= c * n, step <= c
            ),
            "bounded neighbours differ by |D Δ D′| = 2": holds(
                w.apart("D", "E") == 2, *w.facts, bounded(w, "D", "E")
            ),
            "bounded neighbours exist": possible(*w.facts, bounded(w, "D", "E")),
            "unbounded neighbours have different sizes, which replacements keep": holds(
                w.size("D") != w.size("E"), *w.facts, unbounded(w, "D", "E")
            ),
            **{f"unbounded: {text}": settled for text, settled in closed.items()},
        },
        "d_U = |D Δ D′|; d_B is infinite between different sizes",
    )


@theorem(
    id="GB24.A.8",
    statement="If |A| ≤ |B|, padding A with any |B| − |A| records gives C with d_B(C, B) ≤ "
    "|A Δ B|; sharper, d_B(C, B) ≤ |B ∖ A|.",
    status="proved",
    cite="GB24.A.8",
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
    status="proved",
    cite="GB24.IV.15, corrected (E1)",
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
