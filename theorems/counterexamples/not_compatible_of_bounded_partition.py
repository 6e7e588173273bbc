"""Partitions by value are not compatible with bounded neighbours."""

from __future__ import annotations

from theorems._entry import Evidence, Refutation, theorem


@theorem(
    id="GB24.A.5",
    statement="Every partition by value is compatible with bounded neighbours: false, a "
    "replacement can change two blocks.",
    status="refuted",
    cite="GB24.A.5",
    latex=r"It is false that every partition by value is compatible with bounded neighbours: "
    r"replacing $a$ by $b$ changes two blocks if their labels differ.",
)
def not_compatible_of_bounded_partition() -> Evidence:
    """The smallest pair: one record, which moves to another block."""
    old, new, label = ("a",), ("b",), {"a": 1, "b": 2}
    data = {"D": old, "D'": new, "labels": label}

    def block(database: tuple[str, ...], number: int) -> list[str]:
        return [r for r in database if label[r] == number]

    def fails() -> bool:
        return sum(block(old, n) != block(new, n) for n in (1, 2)) == 2

    return Refutation("at most one block changes between bounded neighbours", data, fails)
