"""GB24, after VI.24 and VI.25: when the Gaussian bound is an equality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from theorems import _kernel
from theorems._entry import Evidence, theorem
from theorems._inductions import squares_below_a_square
from theorems._prove import smt
from theorems.errata._plain import changed, gap, part, refutes, unbounded, valid
from theorems.notions import root_of_largest_square

UNEQUAL: Final[Mapping[str, Any]] = {
    "blocks": (("a",), ("b",)), "mu": (1, 2), "D": (), "D'": ("a",), "changed": (1,),
    "left squared": 1, "right squared": 4,
}  # fmt: skip
OUTSIDE: Final[Mapping[str, Any]] = {
    "blocks": (("a",),), "mu": (1,), "D": (), "D'": ("b",), "changed": (),
    "left squared": 0, "right squared": 1,
}  # fmt: skip
"""The record b lies in no block."""


def fails_to_be_equal(data: Mapping[str, Any]) -> bool:
    """Return whether at most one block changes between neighbours, and the sides differ."""
    D, E, blocks, mu = data["D"], data["D'"], data["blocks"], data["mu"]
    left = sum((m * gap(part(D, b), part(E, b))) ** 2 for m, b in zip(mu, blocks, strict=True))
    right = (max(mu) * gap(D, E)) ** 2
    moved = tuple(changed(D, E, blocks))
    return bool(
        unbounded(D, E) and moved == data["changed"] and len(moved) <= 1
        and left == data["left squared"] and right == data["right squared"] and left != right
    )  # fmt: skip


@theorem(
    id="E27",
    statement="√(Σ (μ_i d_i)²) ≤ max μ_i · d is an equality where only one block changes, so that "
    "nothing is gained over a compatible partition: false for μ = (1, 2) and a change in the "
    "first block (1 against 2), and for a record in no block (0 against 1).",
    status="refuted",
    cite="GB24, after VI.24 and before VI.26",
    latex=r"It is false that $\bigl(\sum_i\mu_i^2d_i^2\bigr)^{1/2}=(\max_i\mu_i)\,d$ wherever "
    r"one block changes: for $\mu=(1,2)$ and a change in the first block it is $1$ against $2$, "
    r"and for a record in no block $0$ against $1$.",
)
def not_equal_gaussian_bounds_of_one_changed_block() -> Evidence:
    """It needs the largest μ_i at the changed block, and d_i = d there."""
    return (
        refutes("equality, unequal parts", UNEQUAL, fails_to_be_equal),
        refutes("equality, a record in no block", OUTSIDE, fails_to_be_equal),
    )


@theorem(
    id="E27",
    statement="√(Σ (μ_i d_i)²) ≤ max μ_i · d if Σ d_i ≤ d; equality for one changed block iff "
    "μ_j d_j = max μ_i · d.  Over a compatible partition the bound for neighbours is max μ_i.",
    status="decided",
    cite="GB24.VI.24, VI.26",
    latex=r"If $\sum_id_i\le d$, then $\bigl(\sum_i\mu_i^2d_i^2\bigr)^{1/2}\le(\max_i\mu_i)\,d$; "
    r"where only block $j$ changes, with equality iff $\mu_jd_j=(\max_i\mu_i)\,d$. Over a "
    r"compatible partition neighbours have the bound $\max_i\mu_i$.",
)
def at_most_the_largest_gaussian_of_commuting_blocks() -> Evidence:
    """Squares are compared; S is their sum, T that of the distances, m the largest parameter.

    One changed block j has the root μ_j d_j itself.
    """
    import z3

    s, t, m, far = z3.Reals("S T m far")
    most = z3.And(m >= 0, t >= 0, t <= far, s <= (m * t) * (m * t))
    return (
        smt({
            "Σ (μ_i d_i)² ≤ (m Σ d_i)², for every number of blocks": squares_below_a_square(),
            "and that is at most (m d)² if Σ d_i ≤ d": valid(
                z3.Implies(most, s <= (m * far) * (m * far))
            ),
        }),
        root_of_largest_square(_kernel.parallel("gaussian")),
    )  # fmt: skip
