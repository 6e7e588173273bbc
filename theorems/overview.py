"""GB24's overview of its own theorems, Figure 1, and its list of symbols, Table I.

What the figure draws is known from its caption and from the sentences of the paper that say which
theorem is a case of which.  Each arrow is a derivation here, and one test of each is that no other
composition theorem is among its steps; where an arrow cannot be turned round, a counterexample
stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Final

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems import _regions as regions
from theorems._entry import Argued, CheckedInScope, Evidence, Fallen, theorem
from theorems._facts import bounded_by, posed
from theorems._finite import excess, joint, ratio
from theorems._prove import holds, smt
from theorems._regions import canonical
from theorems.errata import e21_common_domain_is_more as e21
from theorems.errata._plain import (
    FAR,
    bounded,
    changed,
    gap,
    leq,
    links,
    lost,
    multisets,
    part,
    path_lengths,
    plus,
    refutes,
)
from theorems.pure import UNBOUNDED

COMPOSES: Final = frozenset({"run_family", "run_adaptively"})
"""The rules of the kernel that are the composition theorem, for families and for single parts."""


def composed_once(found: k.Theorem) -> k.Theorem:
    """Return a derivation whose only composition theorem is V.2.

    Raises:
        Fallen: it uses that theorem not at all or more than once, or takes a composition as given.
    """
    used = [step for step in k.dag(found) if step.rule in COMPOSES]
    taken = [
        step for step in k.dag(found)
        if step.rule == "given" and isinstance(step.statement, k.Private)
        and not isinstance(step.statement.mechanism, k.NamedMechanism)
    ]  # fmt: skip
    if len(used) != 1 or taken:
        raise Fallen(f"composition theorems used: {len(used)}; compositions given: {len(taken)}")
    return found


@theorem(
    id="GB24.Figure1",
    statement="The adaptive composition theorem (V.2) implies the sequential ones, for every "
    "granularity (V.3) and for the unbounded one (II.7), the best bound under C1 and C2 (V.4) and "
    "so parallel composition (II.8), the one for a common domain (V.5), and through it the best "
    "bound under C1 alone (V.6).",
    status="derived",
    cite="GB24, Figure 1 and sections IV, V",
    latex=r"Theorem V.2 implies V.3 by $f_i=\mathrm{id}$, and so II.7; V.4 by C1 and C2, and so "
    r"II.8; V.5 by the metrics of $f_i$-dependent mechanisms, and so V.6 by C1 alone.",
)
def composition_theorems_of_the_adaptive_one() -> Evidence:
    """Each arrow that leads away from V.2, as a derivation in which V.2 is used once.

    Both kinds of sequential composition read the whole database, k times.  That C1 and C2 hold for
    unbounded neighbours and any partition by value is decided.
    """
    parallel, *figures = bounded_by(
        posed("unbounded", "partial_partition"), {"pure": "max(eps[i])"}
    )
    if not isinstance(parallel, k.Theorem):
        raise Fallen("parallel composition is not derived")
    arrows = (
        t.sequential("pure"), t.sequential("pure", UNBOUNDED), t.parallel("pure"), parallel,
        t.common("pure"), t.on_common_domain("pure"),
    )  # fmt: skip
    return (*map(composed_once, arrows), *figures)


@theorem(
    id="GB24.Figure1",
    statement="The same arrows hold for approximate, zero-concentrated and Gaussian privacy: from "
    "one adaptive composition theorem of each notion come its sequential bound, its best bound "
    "under C1 and C2, its bound for a common domain, and its best bound under C1 alone there.",
    status="derived",
    cite="GB24, Figure 1 and sections V, VI",
    latex=r"For approximate, zero-concentrated and Gaussian privacy, too, the adaptive "
    r"composition theorem implies the bounds for $f_i=\mathrm{id}$, under C1 and C2, for a "
    r"common domain, and there under C1 alone.",
)
def composition_theorems_of_the_adaptive_one_in_all_notions() -> Evidence:
    """The rules do not depend on the notion; what they do with a guarantee does."""
    return tuple(
        composed_once(arrow(notion))
        for notion in t.NOTIONS[1:]
        for arrow in (t.sequential, t.parallel, t.common, t.on_common_domain)
    )


@theorem(
    id="GB24.Figure1",
    statement="An adaptive composition theorem implies its independent form: mechanisms that run "
    "independently are adaptive ones that ignore the earlier outputs, and those are private for "
    "every value of the earlier outputs if they are private.",
    status="rocq",
    cite="GB24, Figure 1 and section II-C",
    latex=r"With $M_i(\bar s_i,D)=M_i(D)$ for all earlier outputs $\bar s_i$, the adaptive "
    r"composition of the $M_i$ has the law $\prod_i\Pr(M_i(D)\in\cdot)$ of independent ones, and "
    r"$M_i(\bar s_i,\cdot)$ is $d_i$-private for every $\bar s_i$ iff $M_i$ is.",
)
def independent_of_adaptive_composition() -> Evidence:
    """Laws of two outcomes each: the joint law, and the factor between two of them."""
    laws = [(Fraction(n, 4), Fraction(4 - n, 4)) for n in range(5)]
    cases, good = 0, True
    for p, q, r, s in product(laws, repeat=4):
        cases += 1
        first, second = joint(p, (r, r)), joint(q, (s, s))
        good &= first == tuple(x * y for x, y in product(p, r))
        whole, single = ratio(first, second), (ratio(p, q), ratio(r, s))
        good &= whole == single[0] * single[1]
    return (
        Argued(
            "the law of all outputs is determined by the laws of each output given the earlier "
            "ones; where these do not depend on the earlier ones, it is their product, which is "
            "that of independent outputs"
        ),
        CheckedInScope("two mechanisms of two outcomes, in quarters", cases, good),
    )


@theorem(
    id="GB24.Figure1",
    statement="The best bound under C1 and C2 (V.4) follows from that under C1 alone on the common "
    "domain (V.6): by C2 a part that is private on its own domain is so on the common one, behind "
    "its map.",
    status="derived",
    cite="GB24, Figure 1; section IV-D, with the direction corrected (E21)",
    latex=r"The bound $\max_i\varepsilon_i$ under C1 and C2 (V.4) follows from that under C1 "
    r"alone on the common domain (V.6), since by C2 $M_i\circ f_i$ is $\mathcal G$ "
    r"$\varepsilon_i$-DP on $\mathbb D$ and $f_i$-dependent.",
)
def best_bound_of_common_domain() -> Evidence:
    """The kernel's derivation of the hypothesis of V.6 from that of V.4, and V.6 itself."""
    return e21.on_the_whole_class(), composed_once(t.on_common_domain("pure"))


TWICE: Final[Mapping[str, Any]] = {
    "factor": Fraction(2), "laws": ((Fraction(2, 3), Fraction(1, 3)),
                                    (Fraction(1, 3), Fraction(2, 3))),
}  # fmt: skip
BLOCKS: Final[Mapping[str, Any]] = {"databases": (("a",), ("b",)), "blocks": (("a",), ("b",))}
PADDED: Final[Mapping[str, Any]] = {
    "first": (Fraction(1, 2), Fraction(1, 2)),
    "second": {0: ((1, 0), (0, 1)), 1: ((0, 1), (1, 0))},
}


def fails_to_be_the_largest(data: Mapping[str, Any]) -> bool:
    """Return whether a mechanism that keeps this factor exceeds it when it is run twice."""
    p, q = data["laws"]
    both = [tuple(x * y for x, y in product(law, law)) for law in (p, q)]
    kept = ratio(p, q) == ratio(q, p) == data["factor"]
    return bool(kept and excess(both[0], both[1], data["factor"]) > 0)


def fails_to_be_parallel(data: Mapping[str, Any]) -> bool:
    """Return whether bounded neighbours have blocks that no bounded steps connect."""
    databases, far = data["databases"], []
    for block in data["blocks"]:
        images = sorted({part(D, block) for D in databases})
        inside = path_lengths(images, links(images, bounded))
        far += [inside[part(D, block), part(E, block)] is FAR for D, E in links(databases, bounded)]
    return any(far)


def fails_by_marginals(data: Mapping[str, Any]) -> bool:
    """Return whether each output has one law for both inputs, and the pair tells them apart."""
    first, second = data["first"], data["second"]
    pairs = [joint(first, [tuple(map(Fraction, law)) for law in second[x]]) for x in (0, 1)]
    singles = [tuple(sum(pair[n::2], Fraction(0)) for n in (0, 1)) for pair in pairs]
    return singles[0] == singles[1] and ratio(*pairs) == math.inf


@theorem(
    id="GB24.Figure1",
    statement="The arrows can be turned round: false for each kind.  Sequential composition does "
    "not give the largest guarantee, unbounded parallel composition not that of bounded "
    "neighbours, the best bound on separate domains not that on the common one, and guarantees of "
    "the single outputs, which are enough for independent mechanisms, are not enough for adaptive "
    "ones.",
    status="refuted",
    cite="GB24, Figure 1, read in the other direction",
    latex=r"No arrow can be turned round: sequential composition does not give "
    r"$\max_i\varepsilon_i$, parallel composition of unbounded neighbours not that of bounded "
    r"ones, V.4 not V.6, and laws of single outputs $M_i$ that are private by themselves not a "
    r"private adaptive composition.",
)
def not_reversible_arrows_of_the_overview() -> Evidence:
    """Randomized response twice; two counted blocks; E21; and a fair coin added to a bit."""
    return (
        refutes("two ε-DP mechanisms on the whole database are ε-DP", TWICE,
                fails_to_be_the_largest),
        refutes("parallel composition holds for bounded neighbours", BLOCKS, fails_to_be_parallel),
        refutes("whenever IV.12 applies, IV.6 does", e21.TWO, e21.fails_to_follow),
        refutes("if each output is 0-DP by itself, the adaptive composition is ε-DP for some ε",
                PADDED, fails_by_marginals),
    )  # fmt: skip


# ------------------------------------------------------------------ the list of symbols


@theorem(
    id="GB24.TableI",
    statement="For multisets, D Δ D′ = (D ∪ D′) ∖ (D ∩ D′) has |m − m′| copies of a record that D "
    "has m times and D′ has m′ times, and |D Δ D′| = |D ∖ D′| + |D′ ∖ D|; on all databases this is "
    "the canonical metric of unbounded neighbours, and |D ∖ D′|, for databases of one size, that "
    "of bounded ones.",
    status="decided",
    cite="GB24, Table I",
    latex=r"With multiplicities $m$ and $m'$ of a record in $D$ and $D'$, "
    r"$D\triangle D'=(D\cup D')\setminus(D\cap D')$ has $|m-m'|$ copies of it, and "
    r"$|D\triangle D'|=|D\setminus D'|+|D'\setminus D|=d^{\mathcal U}(D,D')$; if $|D|=|D'|$, "
    r"$d^{\mathcal B}(D,D')=|D\setminus D'|$.",
)
def symbols_of_multisets() -> Evidence:
    """Record by record: unions are maxima, intersections minima, differences end at 0.

    The other rows of the table are definitions; I_f is a number there (E30).
    """
    import z3

    m, n, union, common, first, second = z3.Ints("m n union common first second")
    meant = [
        m >= 0, n >= 0, union == z3.If(m >= n, m, n), common == z3.If(m >= n, n, m),
        first == z3.If(m >= n, m - n, 0), second == z3.If(n >= m, n - m, 0),
    ]  # fmt: skip
    distance = z3.If(m >= n, m - n, n - m)
    adding = canonical(regions.unbounded, lambda p, q: p + q, lambda _p, _q: z3.BoolVal(True))
    replacing = canonical(regions.bounded, lambda p, _q: p, lambda p, q: p == q)
    return (
        smt({
            "max(m, m′) − min(m, m′), which is never negative, is |m − m′|": holds(
                z3.And(union >= common, union - common == distance), *meant
            ),
            "|m − m′| is what D has more and what D′ has more": holds(
                first + second == distance, *meant
            ),
            "what D has more is m less what both have": holds(first == m - common, *meant),
            **{f"unbounded: {text}": settled for text, settled in adding.items()},
            **{f"bounded: {text}": settled for text, settled in replacing.items()},
        }),
        _small_multisets(),
    )  # fmt: skip


def _small_multisets() -> CheckedInScope:
    world = list(multisets("abc", 3))
    blocks = (("a",), ("b", "c"))
    adding = path_lengths(world, [(D, E) for D, E in product(world, repeat=2) if gap(D, E) == 1])
    replacing = path_lengths(world, links(world, bounded))
    cases, good = 0, True
    for D, E in product(world, repeat=2):
        cases += 1
        good &= len(D) == sum(D.count(x) for x in "abc")
        good &= adding[D, E] == gap(D, E) == lost(D, E) + lost(E, D)
        good &= replacing[D, E] == (lost(D, E) if len(D) == len(E) else FAR)
        touched = sum(part(D, b) != part(E, b) for b in blocks)
        good &= len(changed(D, E, blocks)) == touched
    return CheckedInScope("databases of at most three of three records", cases, good)


OUTSIDE: Final[Mapping[str, Any]] = {"D": (), "D'": ("b",), "blocks": (("a",),)}


def fails_to_separate(data: Mapping[str, Any]) -> bool:
    """Return whether all blocks of two different databases agree, so that all distances are 0."""
    D, E = data["D"], data["D'"]
    total = plus(*(gap(part(D, b), part(E, b)) for b in data["blocks"]))
    return D != E and len(data["blocks"]) > 0 and leq(total, 0)


@theorem(
    id="GB24.TableI",
    statement="What is written d and called a metric is one: false of the distance of a "
    "composition, Σ d_i(f_i D, f_i D′), which is 0 for different databases that no map tells "
    "apart, and may be infinite; an extended pseudometric is meant, as the text of section III-A "
    "says.",
    status="refuted",
    cite="GB24, Table I; GB24.III.2",
    latex=r"It is false that $\sum_id_i(f_i(D),f_i(D'))$ is a metric: it is $0$ for different "
    r"databases that no $f_i$ tells apart. It is an extended pseudometric.",
)
def not_a_metric_distance_of_a_composition() -> Evidence:
    """∅ and {b}, where the only block keeps the records a."""
    return refutes("Σ d_i(f_i D, f_i D′) = 0 only if D = D′", OUTSIDE, fails_to_separate)
