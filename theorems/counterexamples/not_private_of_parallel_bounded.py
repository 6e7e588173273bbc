"""Parallel composition under bounded neighbours, on separate domains."""

from __future__ import annotations

from fractions import Fraction

from theorems._entry import Evidence, Refutation, theorem


@theorem(
    id="GB24.II.9",
    statement="Bounded ε_i-DP mechanisms on the blocks of a partition are together bounded ε-DP "
    "for some ε: false, by counting two blocks.",
    status="refuted",
    cite="GB24.II.9",
    latex=r"It is false that bounded $\varepsilon_i$-DP mechanisms on the blocks of a partition "
    r"are together bounded $\varepsilon$-DP for some $\varepsilon$: two blocks are counted.",
)
def not_private_of_parallel_bounded() -> Evidence:
    """Each count is bounded 0-DP on its own domain: replacing a record keeps the size."""
    old, new = ("a",), ("b",)
    blocks = {"a": 1, "b": 2}
    data = {"D": old, "D'": new, "blocks": blocks, "mechanisms": "count your block",
            "event": (1, 0), "P[D]": Fraction(1), "P[D']": Fraction(0)}  # fmt: skip

    def output(database: tuple[str, ...]) -> tuple[int, int]:
        return sum(blocks[r] == 1 for r in database), sum(blocks[r] == 2 for r in database)

    def fails() -> bool:
        replaced = sorted(set(old) ^ set(new)) == ["a", "b"]
        return replaced and output(old) == (1, 0) and output(new) != (1, 0)

    return Refutation("some finite ε bounds the composition", data, fails)
