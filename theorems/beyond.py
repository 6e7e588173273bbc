"""Statements of this project: attained bounds, pushforwards, conditions, laws of the notions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._facts import compatible, posed, sensitive
from theorems._finite import FAR, Law, excess, randomized_response
from theorems._prove import holds, identical, identities, smt


@theorem(
    id="N1",
    statement="The exact profile bound is attained for pure, zero-concentrated and Gaussian "
    "parts: there are parts, private for their metrics everywhere, whose composition loses "
    "Σ r_i ε_i, Σ r_i² ρ_i and √(Σ r_i² μ_i²) at the worst pair.",
    status="proved",
    cite="this project",
)
def attained_profile_bound() -> Evidence:
    """Part i is told E, the first database's image, and publishes by min(d_i(E, ·), r_i).

    Pure: P(1) = x/2 with x = e^(−ε m), m that minimum.  m is 1-Lipschitz for every pseudometric,
    so x changes by a factor of at most e^(ε d), and so does 1 − x/2 because t(1 − t/2) increases
    on [0, 1].  Gaussian: N(μ m, 1); zCDP: the variance 1/(2ρ) makes D_α = α ρ m².  At the pair
    m goes from 0 to r.  At r = ∞ a part publishes whether d_i(E, ·) is finite: neighbours agree.
    """
    import sympy
    import z3

    a, b, d, r = z3.Reals("a b d r")

    def cut(value: Any) -> Any:
        return z3.If(value <= r, value, r)

    x, y, factor = z3.Reals("x y factor")
    al, m, rho, total, step = sympy.symbols("alpha m rho total step", positive=True)
    shift = sympy.symbols("shift", positive=True)
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
            "at the pair: ½ against ½ e^(−ε r), so the ratio is e^(ε r)": holds(
                x / 2 == factor * y / 2, x == 1, factor * y == 1
            ),
        }, "ratios of independent outcomes (1, …, 1) multiply: Σ r_i ε_i"),
        identities({
            "variance 1/(2ρ): α m²/(2 · 1/(2ρ)) = α ρ m²": identical(
                al * m**2 / (2 * (1 / (2 * rho))), al * rho * m**2
            ),
            "independent shifts: squares add up": identical(
                (total**2 + (shift * step) ** 2), total**2 + shift**2 * step**2
            ),
        }),
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
    "the pushforward of G along f; for a given pseudometric, at its quotient.  All notions.",
    status="proved",
    cite="this project",
)
def private_iff_private_of_pushforward() -> Evidence:
    """One direction is a rule; the other preprocesses M* by f, which has sensitivity 1."""
    image = k.Domain("f(D)", '"the image"', ())
    arrow = k.Map("f", '"any map"', t.DATABASES, image, ())
    push = k.Push(t.NEIGHBOURS, arrow)
    found: list[k.Theorem] = []
    for notion, names in (
        ("pure", ("eps",)), ("approximate", ("eps", "delta")), ("zcdp", ("rho",)),
        ("gaussian", ("mu",)),
    ):  # fmt: skip
        guarantee = tuple(map(k.Param, names))
        mechanism = k.Mechanism("M", t.DATABASES, ())
        near = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, guarantee)
        part = k.given(k.Private(mechanism, notion, near, ()), "M")
        depends = k.given(k.Dependent(mechanism, arrow), "M depends on f only")
        found.append(k.pushforward(part, depends))
        inner = k.Neighbouring(push, image, guarantee)
        star = k.given(k.Private(k.Mechanism("M*", image, ()), notion, inner, ()), "M*")
        outer = k.Canonical(t.NEIGHBOURS, t.DATABASES)
        one = k.oracle(
            k.Sensitive(arrow, t.ONE, outer, k.Canonical(push, image)), "witness",
            "images of neighbours are neighbours or equal: the definition of the pushforward",
        )  # fmt: skip
        moved = k.weaken_metric(
            k.preprocess(k.everywhere(star), arrow), k.metric_of_sensitivity(one)
        )
        found.append(k.between_neighbours(k.rescale_guarantee(moved)))
    return tuple(found)


@theorem(
    id="N5",
    statement="C1 holds iff no single admissible edit changes two labelled cells with different "
    "labels.  The bound max ε_i holds for all ε > 0 iff C1 on the common domain, and iff C1 and "
    "C2 on separate domains.",
    status="proved",
    cite="this project",
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
    a, b = z3.Consts("a b", X)
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
            z3.And(in_block(old, h(a), a) != in_block(new, h(a), a),
                   in_block(old, h(b), b) != in_block(new, h(b), b)),
            old(a) != new(a), old(b) != new(b), h(a) != h(b),
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
    status="proved",
    cite="this project",
)
def conditions_of_unbounded_partition() -> Evidence:
    """Decided by the engine for every universe, size, label function and k."""
    structure = posed("unbounded", "partial_partition")
    whole = posed("bounded", "identity")
    return compatible(structure), sensitive(structure), sensitive(whole)


@theorem(
    id="N6",
    statement="In all four notions combining is associative, commutative and monotone, and "
    "scale(g, ab) = scale(scale(g, a), b), scale(g, 1) = g, scale(g, 0) = unit; scaling "
    "distributes over combining for pure, zero-concentrated and Gaussian guarantees.",
    status="proved",
    cite="this project",
)
def laws_of_notions() -> Evidence:
    """Polynomial and rational identities; A = q^a and B = q^(ab) for the approximate notion.

    That scaling does not distribute over combining approximate guarantees is refuted by example:
    ``not_distributive_of_approximate``.  The program's own functions are compared, exactly, on a
    grid that includes infinite guarantees.
    """
    import sympy

    e, f, g, a, b, q, A, B, d = sympy.symbols("e f g a b q A B delta", positive=True)
    return identities({
        "sums are associative and commutative": identical(e + (f + g), (g + f) + e),
        "squares: μ² + ν² too": identical(e**2 + (f**2 + g**2), (g**2 + f**2) + e**2),
        "pure, Gaussian: (ab) ε = b (a ε)": identical((a * b) * e, b * (a * e)),
        "zero-concentrated: (ab)² ρ = b² (a² ρ)": identical((a * b) ** 2 * e, b**2 * (a**2 * e)),
        "approximate: δ[a]_ε [b]_(aε) = δ[ab]_ε": identical(
            d * (A - 1) / (q - 1) * (B - 1) / (A - 1), d * (B - 1) / (q - 1)
        ),
        "approximate: δ[1] = δ": identical(d * (q - 1) / (q - 1), d),
        "pure, zero-concentrated: r(ε + ε′) = rε + rε′": identical(a * (e + f), a * e + a * f),
        "Gaussian: r²(μ² + ν²) = (rμ)² + (rν)²": identical(
            a**2 * (e**2 + f**2), (a * e) ** 2 + (a * f) ** 2
        ),
    }, "sums, roots and powers are monotone on [0, ∞]"), _laws_of_the_program()  # fmt: skip


def _laws_of_the_program() -> CheckedInScope:
    from dpcomp_sym.notions.core import NOTIONS
    from dpcomp_sym.profile import INFINITY

    numbers = [Fraction(0), Fraction(1, 2), Fraction(2)]
    cases, good = 0, True
    for name in ("pure", "zcdp", "gaussian"):
        notion = NOTIONS[name]
        for x, y, z in product(numbers, repeat=3):
            cases += 1
            left = notion.combine(x, notion.combine(y, z))
            good &= notion.at_most(left, notion.combine(notion.combine(z, y), x))
            good &= notion.at_most(notion.combine(notion.combine(z, y), x), left)
        for x, r, s in product(numbers, (0, 1, 2), (0, 1, 3)):
            cases += 1
            once, twice = notion.scale(x, r * s), notion.scale(notion.scale(x, r), s)
            good &= notion.at_most(once, twice) and notion.at_most(twice, once)
        nothing = notion.scale(INFINITY, 0)
        good &= notion.at_most(nothing, Fraction(0))
        good &= not notion.at_most(notion.scale(Fraction(1), INFINITY), Fraction(100))
        cases += 2
    return CheckedInScope("parameters 0, 1/2, 2; distances 0 to 3 and ∞", cases, good)
