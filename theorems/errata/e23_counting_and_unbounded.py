"""GB24.II.9: the closing remark on the mechanism that counts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._facts import examined, posed
from theorems.errata._plain import (
    bounded,
    is_law,
    links,
    multisets,
    private,
    refutes,
    unbounded,
)

COUNT: Final[Mapping[str, Any]] = {
    "D": (), "D'": ("x",), "outcome": 0,
    "laws": {(): {0: Fraction(1)}, ("x",): {1: Fraction(1)}},
}  # fmt: skip


def fails_for_counting(data: Mapping[str, Any]) -> bool:
    """Return whether the number of records tells unbounded neighbours apart with certainty."""
    D, E, laws, outcome = data["D"], data["D'"], data["laws"], data["outcome"]
    counts = all(is_law(law) and law.get(len(B), 0) == 1 for B, law in laws.items())
    certain = (laws[D].get(outcome, 0), laws[E].get(outcome, 0))
    return bool(counts and unbounded(D, E) and certain == (1, 0))


@theorem(
    id="E23",
    statement="Publishing |D| is unbounded ε-DP for some ε: false, ∅ and {x} are told apart "
    "with certainty.",
    status="refuted",
    cite="GB24.II.9, the closing remark (the word unbounded)",
    latex=r"It is false that publishing $|D|$ is unbounded $\varepsilon$-DP for some "
    r"$\varepsilon$: $\emptyset$ and $\{x\}$ are told apart with certainty.",
)
def not_unbounded_private_counting() -> Evidence:
    """It is bounded 0-DP, which is what the example uses; surely meant so."""
    return refutes("|D| is unbounded ε-DP", COUNT, fails_for_counting)


@theorem(
    id="E23",
    statement="Publishing |D| is bounded 0-DP.",
    status="decided",
    cite="GB24.II.9, corrected",
    latex=r"Publishing $|D|$ is bounded $0$-DP.",
)
def bounded_private_counting() -> Evidence:
    """A replacement keeps the number of records."""
    databases = list(multisets("ab", 3))
    counting = {D: {len(D): Fraction(1)} for D in databases}
    pairs = links(databases, bounded)
    return (
        examined(posed("bounded", "identity"), "size(D) == size(E)"),
        CheckedInScope("up to three records over {a, b}", len(pairs), private(counting, pairs, 1)),
    )
