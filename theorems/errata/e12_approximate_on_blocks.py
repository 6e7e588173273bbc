"""GB24.VI.6, VI.7, A.12, A.13, A.15: best bounds and minimum privacy with δ, ρ."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems import _kernel
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._facts import bounded_by, posed
from theorems.errata._plain import (
    Law,
    bounded,
    changed,
    delta,
    exp_between,
    is_law,
    links,
    part,
    private,
    refutes,
)

_RR: Final = (
    {0: Fraction(2, 3), 1: Fraction(1, 3)},
    {0: Fraction(1, 3), 1: Fraction(2, 3)},
)

TWO_BLOCKS: Final[Mapping[str, Any]] = {
    "databases": (("a",), ("b",)), "blocks": (("a",), ("b",)),
    "parts": ({("a",): _RR[1], ("b",): _RR[0]}, {("a",): _RR[0], ("b",): _RR[1]}),
    "factor": 2, "exceeds by": Fraction(2, 9),
}  # fmt: skip
"""Two (ln 2, 0)-DP parts, each on its block; bounded neighbours change both."""

GAUSSIANS: Final[Mapping[str, Any]] = {
    "databases": (("a",), ("b",)), "blocks": (("a",), ("b",)),
    "means": ({("a",): 1, ("b",): 0}, {("a",): 0, ("b",): 1}),
    "rho": Fraction(1, 2), "composed": Fraction(1),
}  # fmt: skip
"""Unit-variance normal laws; the Rényi divergence of order α is α (difference of means)² / 2."""

FIBRES: Final[Mapping[str, Any]] = {
    "points": (1, 2), "d": 0, "delta": {(1, 1): 0, (2, 2): 0, (1, 2): Fraction(1, 2),
                                         (2, 1): Fraction(1, 2)},
    "f": {1: 1, 2: 2}, "laws": {1: {"x": Fraction(1)}, 2: {"x": Fraction(1, 2),
                                                           "y": Fraction(1, 2)}},
    "printed": 0, "true": Fraction(1, 2),
}  # fmt: skip
"""(0,1/2)-privacy on two databases, f the identity."""

JOIN: Final[Mapping[str, Any]] = {
    "parts": ((Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(3, 10))),
    "join": (Fraction(1), Fraction(3, 10)),
    "better": (Fraction(1, 2), Fraction(3, 10)),
}  # fmt: skip
"""Parts on the blocks of a compatible partition: neighbours change one block."""


def _readable(data: Mapping[str, Any], tables: Any) -> bool:
    """Return whether each part depends on its block only."""
    return all(
        table[D] == table[E]
        for block, table in zip(data["blocks"], tables, strict=True)
        for D, E in itertools.combinations(data["databases"], 2)
        if part(D, block) == part(E, block)
    )


def _pairs(first: Law, second: Law) -> dict[Any, Fraction]:
    return {(x, y): p * q for x, p in first.items() for y, q in second.items()}


def fails_without_compatibility(data: Mapping[str, Any]) -> bool:
    """Return whether two p_i-dependent parts compose to more than the larger of their losses."""
    tables, factor = data["parts"], data["factor"]
    neighbours = links(data["databases"], bounded)
    whole = {D: _pairs(tables[0][D], tables[1][D]) for D in data["databases"]}
    excess = max(
        max(delta(whole[D], whole[E], factor), delta(whole[E], whole[D], factor))
        for D, E in neighbours
    )
    return (
        _readable(data, tables) and all(private(t, neighbours, factor) for t in tables)
        and excess == data["exceeds by"] > 0
        and any(len(changed(D, E, data["blocks"])) > 1 for D, E in neighbours)
    )  # fmt: skip


def fails_for_gaussians(data: Mapping[str, Any]) -> bool:
    """Return whether two ρ-zCDP parts, each on its block, compose to more than ρ."""
    means, rho = data["means"], data["rho"]
    neighbours = links(data["databases"], bounded)
    losses = [[Fraction((m[D] - m[E]) ** 2, 2) for m in means] for D, E in neighbours]
    return bool(
        losses and _readable(data, means) and all(max(one) <= rho for one in losses)
        and max(map(sum, losses)) == data["composed"] > rho
    )  # fmt: skip


def fails_without_fibres(data: Mapping[str, Any]) -> bool:
    """Return whether δ minimised over all pairs at the same distance is too small."""
    points, slack, laws, f = data["points"], data["delta"], data["laws"], data["f"]
    # All distances are data["d"] = 0, so every pair of databases competes.
    smallest = min(slack[x, y] for x in points for y in points)
    one, two = points
    real = max(delta(laws[one], laws[two], 1), delta(laws[two], laws[one], 1))
    guaranteed = all(delta(laws[x], laws[y], 1) <= slack[x, y] for x in points for y in points)
    return bool(
        data["d"] == 0 and all(map(is_law, laws.values())) and guaranteed
        and f[one] != f[two]
        and smallest == data["printed"] and real == data["true"] and real > smallest
    )  # fmt: skip


def fails_to_be_best(data: Mapping[str, Any]) -> bool:
    """Return whether every part satisfies a guarantee that is strictly better than the join.

    A pure ε-DP part satisfies (ε', δ) for δ ≥ (e^ε − e^ε') / (1 + e^ε), by randomized response,
    which every pure pair post-processes.
    """
    eps, slack = data["better"]
    join = tuple(max(values) for values in zip(*data["parts"], strict=True))
    for one, other in data["parts"]:
        if one <= eps:
            if other > slack:
                return False
            continue
        if other:
            return False
        high, low = exp_between(one)[1], exp_between(eps)[0]
        if (high - low) / (1 + high) > slack:  # increases with the first, falls with the second
            return False
    return bool(join == data["join"] and eps < join[0] and slack <= join[1])


@theorem(
    id="E12",
    statement="p_i-dependent parts in the common domain compose to (max ε_i, max δ_i), whatever "
    "the partition p: false, for bounded neighbours that change two blocks; the same for ρ.",
    status="refuted",
    cite="GB24.A.13, A.15",
    latex=r"It is false that $p_i$-dependent parts on the common domain compose to "
    r"$(\max_i\varepsilon_i,\max_i\delta_i)$ or to $\max_i\rho_i$ for every partition: bounded "
    r"neighbours change two blocks.",
)
def not_max_of_approximate_parts_of_any_partition() -> Evidence:
    """Both statements omit that p is compatible, which their proofs use."""
    return (
        refutes("A.13 as printed", TWO_BLOCKS, fails_without_compatibility),
        refutes("A.15 as printed", GAUSSIANS, fails_for_gaussians),
    )


@theorem(
    id="E12",
    statement="δ^f as the least δ over all pairs of databases at distance d^f(D,D'): false, the "
    "pairs must also have the images of D and D'.",
    status="refuted",
    cite="GB24.VI.7, A.12 (in A.12 the scan may have displaced the condition)",
    latex=r"It is false that $\delta^f$ may be the least $\delta$ over all pairs at distance "
    r"$d^f(D,D')$: the pairs must have the images $f(D)$ and $f(D')$, too.",
)
def not_least_delta_of_all_pairs_at_the_distance() -> Evidence:
    """At ε = 0 every pair (D, D) competes, with δ = 0."""
    return refutes("M is (d^f, δ^f)-private", FIBRES, fails_without_fibres)


@theorem(
    id="E12",
    statement="(max ε_i, max δ_i) is the best approximate guarantee for disjoint inputs: false, "
    "parts (1, 0) and (1/2, 3/10) compose to (1/2, 3/10).",
    status="refuted",
    cite="GB24.VI.6, where the bound is called the best",
    latex=r"It is false that $(\max_i\varepsilon_i,\max_i\delta_i)$ is the best guarantee for "
    r"disjoint inputs: parts that are $(1,0)$- and $(\frac12,\frac3{10})$-DP compose to "
    r"$(\frac12,\frac3{10})$.",
)
def not_best_join_of_approximate_parts() -> Evidence:
    """It is the least δ at ε = max ε_i only."""
    return refutes("no guarantee is below (max ε_i, max δ_i)", JOIN, fails_to_be_best)


@theorem(
    id="E12",
    statement="For a partition of which neighbours change at most one block, the composition is "
    "(max ε_i, max δ_i)-DP, and max ρ_i-zCDP.",
    status="derived",
    cite="GB24.VI.6, A.13, VI.16, A.15, with compatibility",
    latex=r"If neighbours change at most one block, the composition is "
    r"$(\max_i\varepsilon_i,\max_i\delta_i)$-DP, and $(\max_i\rho_i)$-zCDP.",
)
def max_of_approximate_parts_of_compatible_partition() -> Evidence:
    """For any compatible partition; and unbounded neighbours, where the engine finds the rest."""
    expected = {"approximate": "(max(eps[i]), max(delta[i]))", "zcdp": "max(rho[i])"}
    return (
        *(_kernel.parallel(n) for n in expected),
        *(_kernel.on_common_domain(n) for n in expected),
        *bounded_by(posed("unbounded", "partial_partition"), expected),
        *bounded_by(posed("unbounded", "partial_partition", "common"), expected),
    )


@theorem(
    id="E12",
    statement="With the fibre condition M is (d^f, δ^f)-private: any pair of databases with the "
    "same images will do for its (d, δ).",
    status="checked",
    cite="GB24.VI.7, A.12, with the fibre condition",
    latex=r"With the condition that $f(\tilde D)=f(D)$ and $f(\tilde D')=f(D')$, $M$ is "
    r"$(d^f,\delta^f)$-private: any such pair $\tilde D$, $\tilde D'$ will do.",
)
def private_at_least_delta_over_fibres() -> Evidence:
    """All tables of probabilities in quarters on three databases and all maps, at d = 0."""
    quarters = [Fraction(n, 4) for n in range(5)]
    cases, true = 0, True
    for labels in set(itertools.product(range(3), repeat=3)):
        for chosen in itertools.product(quarters, repeat=3):
            table = [chosen[labels[x]] for x in range(3)]  # f-dependent; at most three images
            slack = {
                (x, y): abs(table[x] - table[y]) + (Fraction(1, 4) if x < y else 0)
                for x in range(3) for y in range(3)
            }  # fmt: skip
            for x, y in itertools.product(range(3), repeat=2):
                fibre = min(
                    slack[u, v] for u in range(3) for v in range(3)
                    if labels[u] == labels[x] and labels[v] == labels[y]
                )  # fmt: skip
                cases += 1
                true &= abs(table[x] - table[y]) <= fibre
    return CheckedInScope("three databases, two outcomes, probabilities in quarters", cases, true)
