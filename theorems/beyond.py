"""Statements of this project: attained bounds, pushforwards, conditions, laws of the notions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, Literal

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Part, Problem, library_granularity, library_map
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._facts import asked, bounded_by, posed, records
from theorems._finite import FAR, Law, excess, randomized_response
from theorems._prove import by_induction, holds, identical, identities, smt
from theorems.notions import pushed_forward


@theorem(
    id="N1",
    statement="The exact profile bound is attained for pure, zero-concentrated and Gaussian "
    "parts: there are parts, private for their metrics everywhere, whose composition loses "
    "Σ r_i ε_i, Σ r_i² ρ_i and √(Σ r_i² μ_i²) at the worst pair.",
    status="argued",
    cite="this project",
    latex=r"For any distances $r_i$ that neighbours see there are parts, private for their "
    r"metrics everywhere, whose composition loses $\sum_ir_i\varepsilon_i$, $\sum_ir_i^2\rho_i$ "
    r"and $\bigl(\sum_ir_i^2\mu_i^2\bigr)^{1/2}$ at the worst pair, so that the exact profile "
    r"bound is attained.",
)
def attained_profile_bound() -> Evidence:
    """Part i knows E, the first database's image, and publishes by min(d_i(E, ·), r_i).

    Pure: P(1) = x/2 with x = e^(−ε m), m that minimum.  m is 1-Lipschitz for every pseudometric,
    so x changes by a factor of at most e^(ε d), and so does 1 − x/2 because t(1 − t/2) increases
    on [0, 1].  Gaussian: N(μ m, 1); zCDP: the variance 1/(2ρ) makes D_α = α ρ m².  At the pair
    m goes from 0 to r.  At r = ∞ a part publishes whether d_i(E, ·) is finite: neighbours agree.
    """
    import z3

    a, b, d, r = z3.Reals("a b d r")

    def cut(value: Any) -> Any:
        return z3.If(value <= r, value, r)

    x, y, factor = z3.Reals("x y factor")
    return (
        smt({
            "min(d(E, ·), r) is 1-Lipschitz, by the triangle inequality": holds(
                z3.And(cut(a) - cut(b) <= d, cut(b) - cut(a) <= d),
                a <= b + d, b <= a + d, d >= 0, a >= 0, b >= 0, r >= 0,
            ),
            "outcome 1: x/2 ≤ factor · y/2": holds(x / 2 <= factor * y / 2, x <= factor * y),
            "outcome 0: 1 − y/2 ≤ factor (1 − x/2) for y ≤ x ≤ factor · y": holds(
                1 - y / 2 <= factor * (1 - x / 2), y > 0, y <= x, x <= 1, x <= factor * y,
                factor >= 1,
            ),
            "outcome 0, the other way: 1 − x/2 ≤ factor (1 − y/2)": holds(
                1 - x / 2 <= factor * (1 - y / 2), y > 0, y <= x, x <= 1, factor >= 1
            ),
        }, "at the pair part i has the ratio e^(ε_i r_i), and the ratios of independent outcomes "
           "(1, …, 1) multiply to e^(Σ r_i ε_i); for Gaussian and zero-concentrated parts shifts "
           "of independent normal laws add up in squares"),
        _attained(),
    )  # fmt: skip


def _attained() -> CheckedInScope:
    """All pseudometrics on three points with values 0, 1, 2 and infinity, q = 2."""
    q, cases, good = Fraction(2), 0, True
    for d01, d02, d12 in product((0, 1, 2, FAR), repeat=3):
        d: dict[tuple[int, int], Any] = {(n, n): 0 for n in range(3)}
        for (a, b), value in {(0, 1): d01, (0, 2): d02, (1, 2): d12}.items():
            d[a, b] = d[b, a] = value
        if any(d[a, c] > d[a, b] + d[b, c] for a, b, c in product(range(3), repeat=3)):
            continue
        for r in (0, 1, 2):
            cases += 1
            near = {n: min(d[0, n], r) for n in range(3)}
            law: dict[int, Law] = {
                n: (1 / q ** near[n] / 2, 1 - 1 / q ** near[n] / 2) for n in range(3)
            }
            good &= all(
                value == FAR or excess(law[a], law[b], q**value) == 0 for (a, b), value in d.items()
            )
            good &= all(law[0][0] / law[n][0] == q ** near[n] for n in range(3))
    return CheckedInScope("all pseudometrics on three points with values 0, 1, 2, ∞", cases, good)


@theorem(
    id="N2",
    statement="M that depends on f only has a guarantee for G if and only if M* on f(𝔻) has it for "
    "the pushforward of G along f; for a given pseudometric d, if and only if M* has it at the "
    "quotient of d by f, the infimum of Σ d(D_j, D′_j) over chains with f(D′_j) = f(D_(j+1)).  "
    "All notions.",
    status="rule",
    cite="this project",
    latex=r"A mechanism $M=M^*\circ f$ has a guarantee for $\mathcal G$ iff $M^*$ has it on "
    r"$f(\mathbb D)$ for the pushforward of $\mathcal G$ along $f$. For a pseudometric $d$, $M$ "
    r"has it iff $M^*$ has it at the quotient, $\inf\sum_jd(D_j,D'_j)$ over chains with "
    r"$f(D'_j)=f(D_{j+1})$.",
)
def private_iff_private_of_pushforward() -> Evidence:
    """The rule, from neighbours and from a given metric, in each notion; and why it holds.

    The law of M at D is that of M* at f(D).  A guarantee between neighbours is a relation of laws,
    whatever the notion, so that the equivalence for G is logic.  A guarantee at distances is a
    relation of two laws for each distance.  In each notion it lets distances add up along a path
    (group privacy: GB24.III.3, VI.3, VI.12, VI.20), grows with the distance, and is closed, so that
    it holds at an infimum: that is all that is used of it.
    """
    rules: list[k.Theorem] = []
    for notion, names in (
        ("pure", ("eps",)), ("approximate", ("eps", "delta")), ("zcdp", ("rho",)),
        ("gaussian", ("mu",)),
    ):  # fmt: skip
        rules += pushed_forward(notion, *names)
    return *rules, _for_neighbours(), _for_quotients()


def _for_neighbours() -> Discharged:
    """Both directions for neighbours, with any relation of laws for a guarantee between them."""
    import z3

    databases, images, laws = (z3.DeclareSort(n) for n in ("Database", "Image", "Law"))
    D, E = z3.Consts("D E", databases)
    y, z = z3.Consts("y z", images)
    f = z3.Function("f", databases, images)
    star = z3.Function("M*", images, laws)
    near = z3.Function("G", databases, databases, z3.BoolSort())
    close = z3.Function("close", laws, laws, z3.BoolSort())
    pushed = z3.Exists([D, E], z3.And(near(D, E), f(D) == y, f(E) == z))
    on_databases = z3.ForAll([D, E], z3.Implies(near(D, E), close(star(f(D)), star(f(E)))))
    on_images = z3.ForAll([y, z], z3.Implies(pushed, close(star(y), star(z))))
    return smt({
        "M* ∘ f is private for G: so is M* for the pushforward": holds(on_images, on_databases),
        "M* is private for the pushforward: so is M* ∘ f for G": holds(on_databases, on_images),
    })  # fmt: skip


def _for_quotients() -> Discharged:
    """The same for distances: along chains of any length, and at the infimum of their lengths."""
    import z3

    databases, images, laws = (z3.DeclareSort(n) for n in ("Database", "Image", "Law"))
    whole, real, truth = z3.IntSort(), z3.RealSort(), z3.BoolSort()
    D, E = z3.Consts("D E", databases)
    a, b = z3.Consts("a b", laws)
    r, s = z3.Reals("r s")
    f, star = z3.Function("f", databases, images), z3.Function("M*", images, laws)
    d = z3.Function("d", databases, databases, real)
    quotient = z3.Function("quotient", images, images, real)
    close = z3.Function("close", laws, laws, real, truth)
    start, end = (z3.Function(name, whole, databases) for name in ("start", "end"))
    length = z3.Function("length", whole, real)

    def law(database: Any) -> Any:
        return star(f(database))

    private = z3.ForAll([D, E], close(law(D), law(E), d(D, E)))
    growing = z3.ForAll([a, b, r, s], z3.Implies(z3.And(close(a, b, r), r <= s), close(a, b, s)))

    def chained(n: Any) -> Any:
        return close(law(start(0)), law(end(n)), length(n))

    def one_link_more(n: Any) -> list[Any]:
        linked = [f(end(n)) == f(start(n + 1))]
        longer = [length(n + 1) == length(n) + d(start(n + 1), end(n + 1))]
        return [*linked, *longer, private, added(n)]

    def added(n: Any) -> Any:
        """Distances add up: those of the chain so far and of the next link."""
        first, last, link = law(start(0)), law(end(n + 1)), d(start(n + 1), end(n + 1))
        return z3.Implies(
            z3.And(close(first, law(end(n)), length(n)), close(law(end(n)), last, link)),
            close(first, last, length(n) + link),
        )

    y, z = z3.Consts("y z", images)
    least = quotient(y, z)
    shorter = z3.Function("shorter", real, real)  # the length of a chain that is below a number
    chains = z3.ForAll(
        [s],
        z3.Implies(s > least, z3.And(shorter(s) < s, close(star(y), star(z), shorter(s)))),
    )
    grown = z3.ForAll(
        [s],
        z3.Implies(
            z3.And(close(star(y), star(z), shorter(s)), shorter(s) < s),
            close(star(y), star(z), s),
        ),
    )
    above = z3.ForAll([s], z3.Implies(s > least, close(star(y), star(z), s)))
    at_infimum = close(star(y), star(z), least)
    at_quotient = z3.ForAll([y, z], close(star(y), star(z), quotient(y, z)))
    one_link = z3.ForAll([D, E], quotient(f(D), f(E)) <= d(D, E))
    return smt({
        "M* ∘ f is private at d: along a chain of any number of links lengths add up": by_induction(
            chained,
            [length(0) == d(start(0), end(0)), private],
            one_link_more,
        ),
        "and so M* is private at the infimum of the lengths of the chains that lead there": holds(
            at_infimum, chains, grown, z3.Implies(above, at_infimum)
        ),
        "M* is private at the quotient: M* ∘ f is private at d, a chain of one link": holds(
            private, at_quotient, one_link, growing
        ),
    })  # fmt: skip


@theorem(
    id="N4",
    statement="Where each record lies in at most m of k blocks, any of them, the pure loss of one "
    "record more or less is the sum of the min(m, k) largest ε_i; that of a replaced record is, on "
    "the common domain, that of the min(2m, k) largest, and with mechanisms for one record more or "
    "less twice that of the min(m, k) largest.  None of these is larger than it must be.",
    status="derived",
    cite="this project",
    latex=r"If each record lies in at most $m$ of $k$ blocks, any of them, the loss is "
    r"$\sum_{j\le\min(m,k)}\varepsilon_{(j)}$ for one record more or less, "
    r"$\varepsilon_{(1)}\ge\varepsilon_{(2)}\ge\dots$; for a replaced record it is that sum up "
    r"to $\min(2m,k)$ on the common domain, and twice that up to $\min(m,k)$ with unbounded "
    r"parts. All are attained.",
)
def private_largest_of_covers() -> Evidence:
    """That a record lies in m blocks at most is given; the kernel adds up what is seen.

    The last one: a block sees as many edits as it holds of the two records, so that the blocks
    share 2m of them, at most two each; the loss is convex in what a block sees, and worst where m
    blocks hold both.
    """
    domain = records(symbols={"m": "m >= 1"})
    stated: tuple[tuple[str, Literal["separate", "common"], str | None, str], ...] = (
        ("unbounded", "separate", None, "sum of the m largest eps[i]"),
        ("bounded", "common", None, "sum of the 2*m largest eps[i]"),
        ("bounded", "separate", "unbounded", "2*(sum of the m largest eps[i])"),
    )
    found: list[k.Theorem | Computed] = []
    for granularity, setting, own, bound in stated:
        cover = library_map("cover", name="p", m="m")
        inner = None if own is None else library_granularity(own)
        part = Part("M", "p", setting=setting, granularity=inner)
        problem = Problem(domain, library_granularity(granularity), [cover], [part])
        tight = {b.notion: b.tight for b in derive(problem).bounds}["pure"]
        found += [
            *bounded_by(problem, {"pure": bound}),
            Computed({"tight": "yes"}, {"tight": tight}),
        ]
    return tuple(found)


@theorem(
    id="N5",
    statement="C1 holds iff no single admissible edit changes two labelled cells with different "
    "labels.  The bound max ε_i holds for all ε > 0 iff C1 on the common domain, and iff C1 and "
    "C2 on separate domains.",
    status="argued",
    cite="this project",
    latex=r"C1 holds iff no single admissible edit changes two labelled cells with different "
    r"labels. The bound $\max_i\varepsilon_i$ holds for all $\varepsilon>0$ iff C1 does, on the "
    r"common domain, and iff C1 and C2 do, on separate domains.",
)
def max_iff_compatible() -> Evidence:
    """Blocks change iff a cell in them changes; and if the conditions fail, N1 attains more.

    Two changed blocks i ≠ j at distances at least 1: some parts lose ε_i + ε_j > max for equal
    ε.  One block at distance r ≥ 2 (or ∞) in separate domains: r ε > ε.  Sufficiency is
    derived by the kernel.  The equivalence of C1 is for restrictions to labelled cells.
    """
    import z3

    X = z3.DeclareSort("X")
    old, new = (z3.Function(n, X, z3.IntSort()) for n in ("old", "new"))
    h = z3.Function("h", X, z3.IntSort())
    a, b, c = z3.Consts("a b c", X)
    i, j = z3.Ints("i j")
    eps, r, s = z3.Reals("eps r s")

    def in_block(database: Any, block: Any, cell: Any) -> Any:
        return z3.If(h(cell) == block, database(cell), 0)

    return t.parallel("pure"), t.on_common_domain("pure"), smt({
        "a cell where block i differs is labelled i and changes": holds(
            z3.And(h(a) == i, old(a) != new(a)), in_block(old, i, a) != in_block(new, i, a)
        ),
        "so two changed blocks have two changed cells with different labels": holds(
            z3.And(old(a) != new(a), old(b) != new(b), h(a) != h(b)),
            in_block(old, i, a) != in_block(new, i, a),
            in_block(old, j, b) != in_block(new, j, b), i != j,
        ),
        "and such cells make their two blocks change": holds(
            z3.And(in_block(old, h(a), a) != in_block(new, h(a), a), h(a) != h(c),
                   in_block(old, h(c), c) != in_block(new, h(c), c)),
            old(a) != new(a), h(b) == h(c), old(c) != new(c), h(a) != h(b),
        ),
        "two blocks at distances ≥ 1: r ε + s ε > ε": holds(
            r * eps + s * eps > eps, r >= 1, s >= 1, eps > 0
        ),
        "one block at distance ≥ 2: r ε > ε": holds(r * eps > eps, r >= 2, eps > 0),
    }, "images of neighbours that differ are at distance 1 or more"), _conditions()  # fmt: skip


def _conditions() -> CheckedInScope:
    """Attack the bound max ε with randomized responses to f and g, both ln 2-DP."""
    cases, good, q = 0, True, Fraction(2)
    links = [(0, 1), (0, 2), (1, 2)]
    maps = list(product((0, 1), repeat=3))
    law = randomized_response(q)
    for chosen in product((False, True), repeat=3):
        kept = [link for link, c in zip(links, chosen, strict=True) if c]
        for f, g in product(maps, repeat=2):
            cases += 1
            c1 = all(f[a] == f[b] or g[a] == g[b] for a, b in kept)
            both = [tuple(x * y for x in law[f[n]] for y in law[g[n]]) for n in range(3)]
            bound = all(excess(both[a], both[b], q) == 0 == excess(both[b], both[a], q)
                        for a, b in kept)  # fmt: skip
            good &= c1 == bound
    return CheckedInScope("all granularities on three databases, all pairs of maps", cases, good)


@theorem(
    id="N5",
    statement="Unbounded neighbours satisfy C1 and C2 for every partition by value; bounded ones "
    "satisfy C2 for the whole database.",
    status="decided",
    cite="this project",
    latex=r"Unbounded neighbours satisfy C1 and C2 for every partition $p$ by value, exhaustive "
    r"or not; bounded neighbours satisfy C2 for $f=\mathrm{id}$.",
)
def conditions_of_unbounded_partition() -> Evidence:
    """Decided by the engine for every universe, size, label function and k."""
    separate = asked(posed("unbounded", "partial_partition"), "compatibility", "sensitivity")
    return *separate, *asked(posed("bounded", "identity"), "sensitivity")


@theorem(
    id="N6",
    statement="In all four notions combining is associative, commutative and monotone, and "
    "scale(g, ab) = scale(scale(g, a), b), scale(g, 1) = g, scale(g, 0) = unit; scaling "
    "distributes over combining for pure, zero-concentrated and Gaussian guarantees.",
    status="argued",
    cite="this project",
    latex=r"In each notion $g\oplus h$ is associative, commutative and monotone, and scaling "
    r"satisfies $s_{ab}=s_a\circ s_b$, $s_1=\mathrm{id}$ and $s_0=0$; for pure, "
    r"zero-concentrated and Gaussian guarantees $s_a(g\oplus h)=s_a(g)\oplus s_a(h)$.",
)
def laws_of_notions() -> Evidence:
    """Polynomial and rational identities; A = q^a and B = q^(ab) for the approximate notion.

    That scaling does not distribute over combining approximate guarantees is refuted by example:
    ``not_distributive_of_approximate``.  The program's own functions are compared, exactly, on a
    grid that includes infinite guarantees.
    """
    import sympy
    import z3

    e, f, a = sympy.symbols("e f a", positive=True)
    q, A, B, d = z3.Reals("q A B delta")

    def growth(last: Any, first: Any) -> Any:
        return (last - 1) / (first - 1)

    return identities({
        "pure, zero-concentrated: r(ε + ε′) = rε + rε′": identical(a * (e + f), a * e + a * f),
        "Gaussian: r²(μ² + ν²) = (rμ)² + (rν)²": identical(
            a**2 * (e**2 + f**2), (a * e) ** 2 + (a * f) ** 2
        ),
    }, "sums and products are associative, commutative and monotone on [0, ∞], and so are roots of "
       "sums of squares; (ab) ε = b (a ε) and (ab)² ρ = b² (a² ρ)"), smt({
        "approximate, ε > 0: δ [a]_ε [b]_(aε) = δ [ab]_ε": holds(
            d * growth(A, q) * growth(B, A) == d * growth(B, q), q > 1, A > 1, B > 1
        ),
        "approximate, ε > 0: δ [1] = δ": holds(d * growth(q, q) == d, q > 1),
    }), _laws_of_the_program()  # fmt: skip


def _laws_of_the_program() -> CheckedInScope:
    from dpcomp_sym.notions import NOTIONS
    from dpcomp_sym.numbers import ParameterTable, evaluate
    from dpcomp_sym.statements import Expr, Inf, Num, Sqrt, Sum

    def number(e: Expr) -> Any:
        return evaluate(e, ParameterTable(), {})

    one, values = Num(Fraction(1)), [Num(Fraction(n, 2)) for n in (0, 1, 4)]
    cases, good = 0, True
    for additive in (n.additive for n in NOTIONS.values()):
        if additive is None:
            continue

        def combined(x: Expr, y: Expr, of: Any = additive) -> Expr:
            total = Sum((of.lost(x, one), of.lost(y, one)))
            return Sqrt(total) if of.root else total

        def scaled(x: Expr, r: Expr, of: Any = additive) -> Expr:
            return of.scale((x,), r)[0] if r != values[0] else values[0]

        for x, y, z in product(values, repeat=3):
            cases += 1
            left, right = combined(x, combined(y, z)), combined(combined(z, y), x)
            good &= number(left) == number(right)
        for x, r, s in product(values, (0, 1, 2), (0, 1, 3)):
            cases += 1
            once = scaled(x, Num(Fraction(r * s)))
            good &= number(once) == number(scaled(scaled(x, Num(Fraction(r))), Num(Fraction(s))))
    for notion in NOTIONS.values():
        endless = tuple(Inf() for _ in notion.parameters)
        nothing = tuple(values[0] for _ in notion.parameters)
        cases += 2
        good &= notion.scale(endless, values[0]) == nothing
        good &= notion.scale(nothing, Inf()) == endless
    return CheckedInScope("parameters 0, 1/2, 2; distances 0 to 3 and ∞", cases, good)
