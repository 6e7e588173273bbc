"""GB24.IV.2: the diameter of a district and the distance between districts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems.errata._plain import refutes, valid

APART: Final[Mapping[str, Any]] = {
    "districts": ((0, 1), (3, 4)), "L": 1, "D": (0,), "D'": (3,),
    "d_U": 2, "largest distance": 3, "left": 8, "right": 4,
}  # fmt: skip
"""One ambulance in each district; the districts have diameter 1 and are 2 apart."""


def fails_across_districts(data: Mapping[str, Any]) -> bool:
    """Return whether d_U + 2 d_∞ ≤ d_U + 2 L fails, d_∞ the largest distance across D and D'."""
    D, E, L, districts = data["D"], data["D'"], data["L"], data["districts"]
    everywhere = [x for d in districts for x in d]
    apart = sum(abs(D.count(x) - E.count(x)) for x in everywhere)
    largest = max(abs(x - y) for x in D for y in E)
    return bool(
        {max(d) - min(d) for d in districts} == {L} and {*D, *E} <= set(everywhere)
        and apart == data["d_U"] and largest == data["largest distance"]
        and apart + 2 * largest == data["left"] and apart + 2 * L == data["right"]
        and data["left"] > data["right"]
    )  # fmt: skip


@theorem(
    id="E28",
    statement="d_U + 2 d_∞ ≤ d_U + 2 L, with d_∞ the largest distance between a record of D and "
    "one of D' and L the diameter of each district: false for records in different districts.",
    status="refuted",
    cite="GB24.IV.2, the last inequality",
    latex=r"It is false that $d_{\mathcal U}+2d_\infty\le d_{\mathcal U}+2L$, with $d_\infty$ "
    r"the largest distance of a record of $D$ from one of $D'$ and $L$ the diameter of each "
    r"district: the records may lie in different districts.",
)
def not_within_a_diameter_of_another_district() -> Evidence:
    """d_∞ is bounded by the diameter of the union of the districts, not by L.

    L is read as the common diameter of the two districts, as its formula says.
    """
    return refutes("d_U + 2 d_∞ ≤ d_U + 2 L", APART, fails_across_districts)


@theorem(
    id="E28",
    statement="The four parts lose at most d_U(D,D') + 2 L, for all D, D': each of the two places "
    "stays in its own district.",
    status="argued",
    cite="GB24.IV.2, without the middle step",
    latex=r"The four parts lose at most $d_{\mathcal U}(D,D')+2L$ for all $D,D'$, since each of "
    r"the two places stays in its own district.",
)
def unbounded_plus_two_diameters_of_two_districts() -> Evidence:
    """With the hospital's place (in its district) for a district without ambulances."""
    import z3

    c1, c2, p1, p2, d, L = z3.Reals("c1 c2 p1 p2 d L")
    total = c1 + c2 + p1 + p2
    world = z3.And(c1 + c2 == d, p1 <= L, p2 <= L)
    districts, hospitals, cases, true = ((0, 1), (3, 4)), (0, 4), 0, True
    records = [x for d in districts for x in d]
    databases = [
        D for size in range(4) for D in itertools.combinations_with_replacement(records, size)
    ]

    def place(D: tuple[int, ...], number: int) -> int:
        inside = [x for x in D if x in districts[number]]
        return min(inside, key=lambda x: abs(x - hospitals[number]), default=hospitals[number])

    for D, E in itertools.product(databases, repeat=2):
        apart = sum(abs(D.count(x) - E.count(x)) for x in records)
        moved = sum(abs(place(D, n) - place(E, n)) for n in (0, 1))
        cases += 1
        true &= apart + moved <= apart + 2
    return (
        Discharged(
            "smt",
            {"c1 + c2 + p1 + p2 ≤ d_U + 2 L": valid(z3.Implies(world, total <= d + 2 * L))},
            "the counts of the two districts add up to d_U; a place moves within its district",
        ),
        CheckedInScope("two districts of two places, up to three ambulances", cases, true),
    )
