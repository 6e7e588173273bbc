"""Inductions that several entries share: sums over any number of blocks, steps of any path.

Families and paths are functions of the solver that are free but for what is said of them, so that
what holds of them holds of all families and of all paths.
"""

from __future__ import annotations

from typing import Any

from theorems._entry import Obligation
from theorems._prove import by_induction

__all__ = [
    "largest_weight",
    "multiple_of_steps",
    "product_along_a_path",
    "squares_below_a_square",
]


def _reals(*names: str) -> list[Any]:
    import z3

    return [z3.Function(name, z3.IntSort(), z3.RealSort()) for name in names]


def largest_weight() -> Obligation:
    """Ask whether Σ w_i r_i ≤ top Σ r_i, for w_i ≤ top and r_i ≥ 0."""
    import z3

    weighted, total, w, r = _reals("weighted", "total", "w", "r")
    top = z3.Real("top")
    return by_induction(
        lambda n: weighted(n) <= top * total(n),
        [weighted(0) == 0, total(0) == 0],
        lambda n: [
            weighted(n + 1) == weighted(n) + w(n) * r(n),
            total(n + 1) == total(n) + r(n),
            w(n) <= top, r(n) >= 0,
        ],
    )  # fmt: skip


def squares_below_a_square() -> Obligation:
    """Ask whether Σ (w_i r_i)² ≤ (top Σ r_i)², for 0 ≤ w_i ≤ top and r_i ≥ 0."""
    import z3

    squares, total, w, r = _reals("squares", "total", "w", "r")
    top = z3.Real("top")

    def claim(n: Any) -> Any:
        whole = top * total(n)
        return z3.And(squares(n) <= whole * whole, total(n) >= 0)

    return by_induction(
        claim,
        [squares(0) == 0, total(0) == 0],
        lambda n: [
            squares(n + 1) == squares(n) + (w(n) * r(n)) * (w(n) * r(n)),
            total(n + 1) == total(n) + r(n),
            w(n) >= 0, w(n) <= top, r(n) >= 0,
        ],
    )  # fmt: skip


def multiple_of_steps() -> Obligation:
    """Ask whether a path of n steps, each at most c long, leads at most c n away.

    away(n) is the distance of its n-th database from the first one, length(n) that of its step.
    """
    import z3

    away, length = _reals("away", "length")
    c = z3.Real("c")
    return by_induction(
        lambda n: away(n) <= c * n,
        [away(0) == 0],
        lambda n: [away(n + 1) <= away(n) + length(n), length(n) <= c],
    )


def product_along_a_path() -> Obligation:
    """Ask whether P_0 ≤ q^n P_n along a path whose neighbours are within the factor q."""
    import z3

    p, power = _reals("P", "power")
    q = z3.Real("q")
    return by_induction(
        lambda n: z3.And(p(0) <= power(n) * p(n), power(n) >= 1),
        [power(0) == 1, q >= 1],
        lambda n: [power(n + 1) == q * power(n), p(n) <= q * p(n + 1), p(n + 1) >= 0, q >= 1],
    )
