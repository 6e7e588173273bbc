"""GB24 §IV-C: equality of the sum over the blocks and the distance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from theorems._entry import Evidence, theorem
from theorems._facts import asked, posed
from theorems.errata._plain import (
    FAR,
    bounded,
    changed,
    leq,
    links,
    part,
    path_lengths,
    plus,
    refutes,
    unbounded,
)

OUTSIDE: Final[Mapping[str, Any]] = {
    "relation": "unbounded", "databases": ((), ("b",)), "blocks": (("a",),),
    "D": (), "D'": ("b",), "sum": 0, "distance": 1,
}  # fmt: skip
"""The record b lies in no block."""

COVERED: Final[Mapping[str, Any]] = {
    "relation": "bounded", "databases": (("1", "3"), ("2", "4")),
    "blocks": (("1", "2"), ("3", "4")), "D": ("1", "3"), "D'": ("2", "4"),
    "sum": 2, "distance": FAR,
}  # fmt: skip
"""The blocks cover everything, but the class has no path where the blocks have one."""


def fails_to_be_equal(data: Mapping[str, Any]) -> bool:
    """Return whether C1 and C2 hold and the sum over the blocks is not the distance."""
    relation = {"unbounded": unbounded, "bounded": bounded}[data["relation"]]
    databases, blocks, D, E = data["databases"], data["blocks"], data["D"], data["D'"]
    pairs = links(databases, relation)
    length = path_lengths(databases, pairs)
    seen = []
    for block in blocks:
        images = sorted({part(B, block) for B in databases})
        inside = path_lengths(images, links(images, relation))
        if not all(leq(inside[part(A, block), part(B, block)], 1) for A, B in pairs):
            return False
        seen.append(inside[part(D, block), part(E, block)])
    total = plus(*seen)
    return bool(
        all(len(changed(A, B, blocks)) <= 1 for A, B in pairs)
        and total == data["sum"] and length[D, E] == data["distance"]
        and total != data["distance"]
    )  # fmt: skip


@theorem(
    id="E20",
    statement="C1 and C2 give Σ d_i(p_i D, p_i D') = d(D,D'): false for blocks that do not cover "
    "all records (0 against 1), and for blocks that do, on a class with gaps (2 against ∞).",
    status="refuted",
    cite="GB24 §IV-C, before IV.6; GB24s §III",
    latex=r"It is false that C1 and C2 give $\sum_id_i(p_i(D),p_i(D'))=d(D,D')$: blocks that do "
    r"not cover all records have $0$ against $1$, and blocks that do, on a class with gaps, $2$ "
    r"against $\infty$.",
)
def not_equal_sum_of_block_distances() -> Evidence:
    """Only ≤ holds, and only that is needed."""
    return (
        refutes("equality, some records in no block", OUTSIDE, fails_to_be_equal),
        refutes("equality, all records in blocks", COVERED, fails_to_be_equal),
    )


@theorem(
    id="E20",
    statement="For unbounded neighbours and any value partition, exhaustive or not, "
    "Σ d_i(p_i D, p_i D') ≤ d(D,D').",
    status="decided",
    cite="GB24 §IV-C, corrected",
    latex=r"For unbounded neighbours and any partition by value, exhaustive or not, "
    r"$\sum_id_i(p_i(D),p_i(D'))\le d(D,D')$.",
)
def at_most_the_distance_of_unbounded_blocks() -> Evidence:
    """C1 and C2 hold; each step of a shortest path moves one block by one step."""
    problem = posed("unbounded", "partial_partition")
    return asked(problem, "commutes", "compatibility", "sensitivity")
