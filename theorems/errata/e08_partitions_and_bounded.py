"""GB24.A.5: which value partitions the bounded granularity cannot have as compatible ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from theorems._entry import Discharged, Evidence, theorem
from theorems.errata._plain import bounded, changed, links, multisets, refutes, valid

EMPTY: Final[Mapping[str, Any]] = {
    "X": ("a", "b"), "blocks": (("a", "b"), ()), "most": 3, "most changed": 1, "pairs": 6,
}  # fmt: skip


def fails_for_an_empty_block(data: Mapping[str, Any]) -> bool:
    """Return whether a partition into k > 1 blocks is compatible with bounded neighbours.

    Beyond the sizes looked at: an empty block hands on the empty database always.
    """
    blocks = data["blocks"]
    if len(blocks) < 2 or sum(map(bool, blocks)) != 1:
        return False
    pairs = links(list(multisets(data["X"], data["most"])), bounded)
    most = max(len(changed(D, E, blocks)) for D, E in pairs)
    return (
        sorted(x for b in blocks for x in b) == sorted(data["X"]) and len(data["X"]) > 1
        and len(pairs) == data["pairs"] and most == data["most changed"] == 1
    )  # fmt: skip


@theorem(
    id="E8",
    statement="No value partition into k > 1 blocks is compatible with the bounded granularity: "
    "false for the blocks X and ∅.",
    status="refuted",
    cite="GB24.A.5",
    latex=r"It is false that no partition by value into $k>1$ blocks is compatible with bounded "
    r"neighbours: the blocks $\mathcal X$ and $\emptyset$ are.",
)
def not_incompatible_of_an_empty_block() -> Evidence:
    """The argument takes a record from each of two blocks, so it needs two that are not empty."""
    return refutes("k > 1 implies that p is not compatible", EMPTY, fails_for_an_empty_block)


@theorem(
    id="E8",
    statement="No value partition with two non-empty blocks is compatible with the bounded "
    "granularity on all tables over X.",
    status="decided",
    cite="GB24.A.5, corrected",
    latex=r"No partition by value with two non-empty blocks is compatible with bounded "
    r"neighbours on $\mathbb D_{\mathcal X}$.",
)
def incompatible_of_two_non_empty_blocks() -> Evidence:
    """Replace a record x of block i by a record y of block j: {x} and {y} differ on both.

    c == x says that the table {x} holds the record c.
    """
    import z3

    record = z3.DeclareSort("Record")
    label = z3.Function("h", record, z3.IntSort())
    x, y, c = z3.Consts("x y c", record)
    i, j = z3.Ints("i j")

    def differs(block: Any) -> Any:
        return z3.Exists([c], z3.And(label(c) == block, (c == x) != (c == y)))

    given = z3.And(i != j, label(x) == i, label(y) == j)
    return Discharged(
        "smt",
        {
            "{x} and {y} are bounded neighbours, and differ on both blocks, i and j": valid(
                z3.Implies(given, z3.And(x != y, differs(i), differs(j)))
            ),
        },
    )
