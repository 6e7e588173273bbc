"""GB24, GB24s, condition C1: how many blocks a compatible partition lets change."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._facts import examined, posed
from theorems.errata._plain import (
    Law,
    bounded,
    changed,
    delta,
    is_law,
    leq,
    links,
    multisets,
    part,
    path_lengths,
    refutes,
)

_RR: Final = (
    {0: Fraction(2, 3), 1: Fraction(1, 3)},
    {0: Fraction(1, 3), 1: Fraction(2, 3)},
)  # randomized response: every ratio is 2 or 1/2

LITERAL: Final[Mapping[str, Any]] = {
    "databases": (("a",), ("b",)), "blocks": (("a",), ("b",)),
    "parts": ({("a",): _RR[1], ("b",): _RR[0]}, {("a",): _RR[0], ("b",): _RR[1]}),
    "factor": 2, "composed": 4,
}  # fmt: skip
"""Bounded neighbours {a}, {b}: both blocks change, so no j has all other blocks agreeing."""

NONE: Final[Mapping[str, Any]] = {
    "X": ("a", "b", "c"), "blocks": (("a",),), "D": ("b",), "D'": ("c",), "changed": 0,
}  # fmt: skip
WHOLE: Final[Mapping[str, Any]] = {
    "X": ("a", "b"), "blocks": (("a", "b"), ()), "most": 3, "sensitivities": (1, 0),
}  # fmt: skip


def _product(first: Law, second: Law) -> dict[Any, Fraction]:
    return {(x, y): p * q for x, p in first.items() for y, q in second.items()}


def fails_as_worded(data: Mapping[str, Any]) -> bool:
    """Return whether the wording of C1 holds while two ln 2-DP parts compose to more than ln 2."""
    blocks, tables, factor = data["blocks"], data["parts"], data["factor"]
    pairs = links(data["databases"], bounded)
    k = len(blocks)

    def others_agree(j: int, D: Any, E: Any) -> bool:
        return not set(changed(D, E, blocks)) - {j}

    worded = all(sum(others_agree(j, D, E) for j in range(1, k + 1)) <= 1 for D, E in pairs)
    laws = all(is_law(law) for table in tables for law in table.values())
    dependent = all(
        table[D] == table[E]
        for block, table in zip(blocks, tables, strict=True)
        for D, E in itertools.combinations(data["databases"], 2)
        if part(D, block) == part(E, block)
    )
    guaranteed = all(
        not delta(t[D], t[E], factor) and not delta(t[E], t[D], factor)
        for t in tables for D, E in pairs
    )  # fmt: skip
    whole = {D: _product(tables[0][D], tables[1][D]) for D in data["databases"]}
    worst = max(
        whole[D][o] / whole[E][o] for D, E in itertools.permutations(whole, 2) for o in whole[D]
    )
    return bool(
        pairs and len(tables) == k == 2 and worded and laws and dependent and guaranteed
        and worst == data["composed"] > factor
    )  # fmt: skip


def fails_to_change_one(data: Mapping[str, Any]) -> bool:
    """Return whether bounded neighbours agree on all blocks."""
    D, E, blocks = data["D"], data["D'"], data["blocks"]
    known = set(data["X"])
    return (
        bounded(D, E) and {*D, *E} <= known and set().union(*blocks) <= known
        and len(changed(D, E, blocks)) == data["changed"] == 0
    )  # fmt: skip


def fails_to_be_infinite(data: Mapping[str, Any]) -> bool:
    """Return whether the blocks of a value partition have finite bounded sensitivity."""
    databases = list(multisets(data["X"], data["most"]))
    found = []
    for block in data["blocks"]:
        images = sorted({part(D, block) for D in databases})
        length = path_lengths(images, links(images, bounded))
        seen = [length[part(D, block), part(E, block)] for D, E in links(databases, bounded)]
        if not all(leq(r, 1) for r in seen):
            return False
        found.append(max(int(r or 0) for r in seen))
    return bool(tuple(found) == data["sensitivities"])


@theorem(
    id="E7",
    statement="C1 as worded (at most one j such that all blocks but the j-th agree) gives the "
    "bound max ε_i: false, it admits neighbours that change two blocks (2 ln 2 against ln 2).  "
    "Meant is I_p ≤ 1, which the summary adds.",
    status="refuted",
    cite="GB24 §IV-C, before IV.6; GB24s §III, C1",
    latex=r"It is false that C1 as worded, at most one $j$ with $p_i(D)=p_i(D')$ for all $i\ne "
    r"j$, gives $\max_i\varepsilon_i$: it admits neighbours that change two blocks, which lose "
    r"$2\ln2$ against $\ln2$. Meant is $I_p(D,D')\le1$, which the summary adds.",
)
def not_max_of_at_most_one_block_outside_which_neighbours_agree() -> Evidence:
    """When two blocks change, no j at all has the others agreeing, and none is at most one."""
    return refutes("C1 as worded gives max ε_i in the common domain", LITERAL, fails_as_worded)


@theorem(
    id="E7",
    statement="For neighbours exactly one block of a compatible partition changes, and one or two "
    "for bounded neighbours: false for blocks that do not cover all records (none changes).",
    status="refuted",
    cite="GB24 §IV-B, IV-C (a footnote there allows such blocks)",
    latex=r"It is false that neighbours change exactly one block of a compatible partition, and "
    r"bounded ones one or two of any: if the blocks do not cover all records, $I_p(D,D')=0$ is "
    r"possible.",
)
def not_exactly_one_changed_block() -> Evidence:
    """Both replaced records may lie outside all blocks."""
    return refutes("I_p(D,D') ≥ 1 for all neighbours D ≠ D'", NONE, fails_to_change_one)


@theorem(
    id="E7",
    statement="Every block of a value partition has infinite bounded sensitivity: false for the "
    "trivial blocks X (1) and ∅ (0).",
    status="refuted",
    cite="GB24s §III",
    latex=r"It is false that every block of a partition by value has $\Delta p_i=\infty$ for "
    r"bounded neighbours: for $\mathcal X_i=\mathcal X$ it is $1$, and for $\mathcal "
    r"X_i=\emptyset$ it is $0$.",
)
def not_infinite_bounded_sensitivity_of_trivial_blocks() -> Evidence:
    """The table is cut at three records; replacements keep the size, so nothing is lost."""
    return refutes("Δp_i = ∞ for the bounded granularity", WHOLE, fails_to_be_infinite)


@theorem(
    id="E7",
    statement="Bounded neighbours change at most two blocks of any partition, exhaustive or not.",
    status="decided",
    cite="GB24s §III, corrected",
    latex=r"Bounded neighbours change at most two blocks of any partition, exhaustive or not: "
    r"$I_p(D,D')\le2$.",
)
def at_most_two_changed_blocks_of_bounded() -> Evidence:
    """A replacement touches two records; each lies in at most one block."""
    return examined(posed("bounded", "partial_partition", "common"), "changed(p) <= 2")


@theorem(
    id="E7",
    statement="C1 reads: for some j all blocks but the j-th agree (I_p ≤ 1).  In this form it is "
    "necessary and sufficient for the bound ε of equal parts ε > 0 in the common domain.",
    status="checked",
    cite="GB24.IV.12, with C1 corrected; N5",
    latex=r"If C1 is read as $I_p(D,D')\le1$ for all neighbours, it is necessary and sufficient "
    r"for the bound $\varepsilon$ of equal parts $\varepsilon>0$ on the common domain.",
)
def max_of_equal_parts_iff_compatible() -> Evidence:
    """All granularities and all two maps on four points, against randomized response.

    Sufficient: only one part sees a difference.  Necessary: if two parts see the edge (D, D'),
    both publish by randomized response whether their image is that of D, and the ratio is q².
    """
    points, cases, true = range(4), 0, True
    edges = list(itertools.combinations(points, 2))
    labelings = [f for f in itertools.product(range(4), repeat=4) if _canonical(f)]
    tables = {(f, x): {y: _RR[f[y] == f[x]] for y in points} for f in labelings for x in points}
    for f, g in itertools.combinations_with_replacement(labelings, 2):
        for x, y in edges:
            both = f[x] != f[y] and g[x] != g[y]
            first, second = tables[f, x], tables[g, x]
            worst = max(
                first[x][o] / first[y][o] * second[x][p] / second[y][p]
                for o in (0, 1) for p in (0, 1)
            )  # fmt: skip
            cases += 1
            true &= (worst > 2) == both
    scope = "every edge of every granularity on four databases, all pairs of maps"
    return CheckedInScope(scope, cases, true)


def _canonical(labels: tuple[int, ...]) -> bool:
    """Return whether the labels are numbered in the order in which they occur."""
    return all(x <= max(labels[:n], default=-1) + 1 for n, x in enumerate(labels))
