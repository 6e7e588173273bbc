"""GB24s, after III.2: the metric of the composition over a partition, unbounded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from theorems._entry import Evidence, theorem
from theorems._facts import asked, bounded_by, posed
from theorems._inductions import largest_weight
from theorems._prove import smt
from theorems.errata._plain import gap, part, refutes

UNEQUAL: Final[Mapping[str, Any]] = {
    "blocks": (("a",), ("b",)), "eps": (1, 2), "D": (), "D'": ("a",), "sum": 1, "claimed": 2,
}  # fmt: skip


def fails_to_be_equal(data: Mapping[str, Any]) -> bool:
    """Return whether Σ ε_i d_U(p_i D, p_i D') differs from (max ε_i) d_U(D, D')."""
    D, E, eps = data["D"], data["D'"], data["eps"]
    total = sum(e * gap(part(D, b), part(E, b)) for e, b in zip(eps, data["blocks"], strict=True))
    claimed = max(eps) * gap(D, E)
    return bool((total, claimed) == (data["sum"], data["claimed"]) and total != claimed)


@theorem(
    id="E24",
    statement="Over a partition with unbounded parts, Σ ε_i d_U(p_i D, p_i D') = "
    "(max ε_i) d_U(D, D'): false for ε = (1, 2), ∅ and {a}: 1 against 2.",
    status="refuted",
    cite="GB24s §III, before C1 (d_𝔻 = (max ε_i) d_U; GB24 §IV-B has ≤)",
    latex=r"It is false that $\sum_i\varepsilon_id^{\mathcal "
    r"U}(p_i(D),p_i(D'))=(\max_i\varepsilon_i)\,d^{\mathcal U}(D,D')$: for $\varepsilon=(1,2)$, "
    r"$\emptyset$ and $\{a\}$ it is $1$ against $2$.",
)
def not_equal_to_the_largest_of_unequal_parts() -> Evidence:
    """The composition is private for the right side, which can be larger."""
    return refutes("Σ ε_i d_U(p_i D, p_i D') = (max ε_i) d_U(D, D')", UNEQUAL, fails_to_be_equal)


@theorem(
    id="E24",
    statement="Σ ε_i d_U(p_i D, p_i D') ≤ (max ε_i) d_U(D, D'): the composition is (max ε_i)-DP.",
    status="decided",
    cite="GB24 §IV-B; GB24s §III",
    latex=r"Over a partition by value $\sum_i\varepsilon_id^{\mathcal "
    r"U}(p_i(D),p_i(D'))\le(\max_i\varepsilon_i)\,d^{\mathcal U}(D,D')$, so that the composition "
    r"is unbounded $(\max_i\varepsilon_i)$-DP.",
)
def at_most_the_largest_of_unbounded_parts() -> Evidence:
    """The distances of the blocks add up to d_U at most; their weights are at most the largest."""
    problem = posed("unbounded", "partition")
    return (
        *asked(problem, "commutes", "compatibility", "sensitivity"),
        smt({
            "Σ ε_i d_i ≤ e Σ d_i for every number of blocks, if all ε_i ≤ e": largest_weight(),
        }),
        *bounded_by(problem, {"pure": "max(eps[i])"}),
    )  # fmt: skip
