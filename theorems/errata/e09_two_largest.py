"""GB24.IV.13, A.18: the maximum over pairs of different blocks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._facts import bounded_by, examined, posed
from theorems.errata._plain import bounded, changed, delta, links, multisets, private, refutes

_RR: Final = (
    {0: Fraction(2, 3), 1: Fraction(1, 3)},
    {0: Fraction(1, 3), 1: Fraction(2, 3)},
)

SINGLE: Final[Mapping[str, Any]] = {
    "blocks": (("a", "b"),), "databases": (("a",), ("b",)),
    "mechanism": {("a",): _RR[0], ("b",): _RR[1]}, "factor": 2, "printed factor": 1,
}  # fmt: skip
"""One block: there is no pair i ≠ j, so the printed maximum is over nothing, 0 at best."""

UNSEEN: Final[Mapping[str, Any]] = {
    "databases": (("a",), ("b",)), "blocks": (("a",), ("b",), ("c",)), "eps": (1, 1, 5),
    "printed": 6, "exact": 2,
}  # fmt: skip
"""No database of the class has a record in the third block."""


def fails_for_one_block(data: Mapping[str, Any]) -> bool:
    """Return whether one ε-DP part loses more than the maximum over no pairs."""
    table, blocks = data["mechanism"], data["blocks"]
    pairs = links(data["databases"], bounded)
    exponents = [1 + 1 for i, j in itertools.permutations(range(len(blocks)), 2)]
    claimed = data["factor"] ** max(exponents, default=0)
    return (
        bool(pairs) and len(blocks) == 1 and private(table, pairs, data["factor"])
        and not private(table, pairs, data["factor"] - Fraction(1, 100))
        and claimed == data["printed factor"]
        and any(delta(table[D], table[E], claimed) > 0 for D, E in pairs)
    )  # fmt: skip


def fails_to_be_tight(data: Mapping[str, Any]) -> bool:
    """Return whether all neighbours change blocks of a smaller sum than the printed maximum."""
    eps, blocks = data["eps"], data["blocks"]
    printed = max(eps[i] + eps[j] for i, j in itertools.permutations(range(len(eps)), 2))
    pairs = links(data["databases"], bounded)
    exact = max(sum(eps[i - 1] for i in changed(D, E, blocks)) for D, E in pairs)
    return (
        len(eps) == len(blocks)
        and (printed, exact) == (data["printed"], data["exact"])
        and (exact < printed)
    )


@theorem(
    id="E9",
    statement="Over a value partition the bounded common-domain bound is the maximum of ε_i + ε_j "
    "over i ≠ j, for every k: false for k = 1, where there is no such pair and the loss is ε_1.",
    status="refuted",
    cite="GB24.IV.13, A.18; GB24s.III.5; GB24t.11",
    latex=r"It is false that for every $k$ the bound is $\max_{i\ne "
    r"j}(\varepsilon_i+\varepsilon_j)$: for $k=1$ there is no such pair, and the loss is "
    r"$\varepsilon_1$.",
)
def not_max_over_pairs_of_one_block() -> Evidence:
    """Read as 0 the maximum over nothing is unsound; the statement does not exclude k = 1."""
    return refutes("k = 1: the composition is 0-DP", SINGLE, fails_for_one_block)


@theorem(
    id="E9",
    statement="The maximum of ε_i + ε_j over i ≠ j is tight, whatever the class and the partition: "
    "false where a block is always empty (6 against 2).",
    status="refuted",
    cite="GB24 §IV-E; GB24s, after III.5",
    latex=r"It is false that $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$ is tight for every "
    r"class and partition: where a block is always empty it can be $6$ against $2$.",
)
def not_tight_max_over_pairs_of_empty_blocks() -> Evidence:
    """Only pairs of blocks that neighbours can change count."""
    return refutes("max_{i≠j} is attained on every class", UNSEEN, fails_to_be_tight)


@theorem(
    id="E9",
    statement="Over a value partition, bounded, common domain: max over i ≠ j of ε_i + ε_j, and "
    "ε_1 for k = 1; √(μ_i² + μ_j²) for Gaussian parts.",
    status="decided",
    cite="GB24.IV.13, A.18, corrected",
    latex=r"For bounded neighbours, a partition by value and the common domain the bound is "
    r"$\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$, and $\varepsilon_1$ for $k=1$; for Gaussian "
    r"parts it is $\max_{i\ne j}\sqrt{\mu_i^2+\mu_j^2}$.",
)
def max_over_pairs_or_the_only_one_of_bounded_partition() -> Evidence:
    """At most two blocks change between bounded neighbours."""
    problem = posed("bounded", "partition", "common")
    bounds = {
        "pure": "sum of the 2 largest eps[i]",
        "gaussian": "sqrt(sum of the 2 largest mu[i]^2)",
    }
    return examined(problem, "changed(p) <= 2"), *bounded_by(problem, bounds)


def _power(mechanism: Mapping[Any, Mapping[int, Fraction]], D: Any, E: Any) -> int:
    """Return the exponent of the largest ratio, a power of 2."""
    ratio = max(mechanism[D][o] / mechanism[E][o] for o in (0, 1))
    return ratio.numerator.bit_length() - 1


@theorem(
    id="E9",
    statement="Exactly: the maximum, over the bounded neighbours of the class, of the sum of ε_i "
    "over the blocks that they change.",
    status="checked",
    cite="GB24.IV.11 for granularities",
    latex=r"The exact bound is the maximum of $\sum_{i:p_i(D)\ne p_i(D')}\varepsilon_i$ over the "
    r"bounded neighbours of the class.",
)
def max_over_changeable_blocks_of_bounded() -> Evidence:
    """Every class of databases with two records over {a, b, c}, every partition into blocks.

    At each neighbouring pair all parts publish by randomized response whether their block is as
    in D: part i, with ratio 2^ε_i, is private on the whole class, and the losses add up.
    """
    everything = [D for D in multisets("abc", 2) if len(D) == 2]
    blocks = (("a",), ("b",), ("c",))
    merged = (("a", "b"), ("c",), ())
    eps, cases, true = (1, 2, 3), 0, True
    for number in range(1, 1 << len(everything)):
        databases = [D for n, D in enumerate(everything) if number >> n & 1]
        pairs = links(databases, bounded)
        for choice in (blocks, merged):
            for D, E in pairs:
                moved = changed(D, E, choice)
                total = 0
                for i, block in enumerate(choice, 1):
                    law = Fraction(2 ** eps[i - 1], 1 + 2 ** eps[i - 1])
                    table = {
                        B: {0: law, 1: 1 - law} if not changed(D, B, (block,))
                        else {0: 1 - law, 1: law}
                        for B in databases
                    }  # fmt: skip
                    true &= private(table, pairs, 2 ** eps[i - 1])
                    total += _power(table, D, E)
                cases += 1
                true &= total == sum(eps[i - 1] for i in moved)
    return CheckedInScope(
        "all classes of databases of size two over {a,b,c}, ε = (1,2,3) ln 2", cases, true
    )
