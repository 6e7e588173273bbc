"""GB24 §IV-B, A.6, VI.3: a free index, a block named for a record, and a distance one too far."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import Computed, Evidence, theorem
from theorems._prove import by_induction, holds, smt
from theorems.errata._plain import exp_between, refutes

FREE: Final[Mapping[str, Any]] = {
    "D": (), "D'": ("b",), "blocks": {"a": 1, "b": 2}, "eps": {1: 1, 2: 3}, "index": 1,
}  # fmt: skip
"""A record comes into block 2; the bound is read with the metric of block 1."""

POSITION: Final[Mapping[str, Any]] = {
    "D": ("x", "x"), "D'": ("x", "y"), "blocks of the positions": (1, 1),
}  # fmt: skip
"""One block holds both positions, and the record in the second one changes."""

STEPS: Final[Mapping[str, Any]] = {"eps": 1, "delta": Fraction(1, 10**5), "distance": 13}


def fails_for_the_free_index(data: Mapping[str, Any]) -> bool:
    """Return whether Σ d_i(p_i D, p_i D′) exceeds I_p (max Δp_i) d_i for the index that was read.

    d_i is ε_i times the number of records in which two databases differ, so every Δp_i, the ratio
    of d_i after to d_i before the map, is at most 1.
    """
    blocks, eps = data["blocks"], data["eps"]
    different = [
        x for x in blocks if data["D"].count(x) != data["D'"].count(x)
    ]  # each by one record
    once = all(abs(data["D"].count(x) - data["D'"].count(x)) == 1 for x in different)
    total = sum(eps[blocks[x]] for x in different)
    changed = len({blocks[x] for x in different})
    return bool(
        once and set(blocks.values()) == set(eps)
        and total > changed * 1 * eps[data["index"]] * len(different)
    )  # fmt: skip


def fails_for_the_position(data: Mapping[str, Any]) -> bool:
    """Return whether p_j(D) Δ p_j(D′) is not what is printed, {(j, x), (j, y)} for the block j."""
    old, new, of = data["D"], data["D'"], data["blocks of the positions"]
    places = [n for n, (x, y) in enumerate(zip(old, new, strict=True)) if x != y]
    if len(of) != len(old) or len(places) != 1:
        return False
    (n,) = places
    printed = {(of[n], old[n]), (of[n], new[n])}
    return of[n] in of[:n] and {(n + 1, old[n]), (n + 1, new[n])} != printed


def fails_before_fourteen(data: Mapping[str, Any]) -> bool:
    """Return whether δ (q^d − 1)/(q − 1) ≥ 1, q = e^ε, already at this distance and not before.

    With q between two fractions, the sum 1 + q + … + q^(d−1) is between theirs.
    """
    low, high = exp_between(Fraction(data["eps"]))
    n, delta = data["distance"], data["delta"]
    here = delta * sum(low**j for j in range(n))
    before = delta * sum(high**j for j in range(n - 1))
    return bool(here >= 1 > before)


@theorem(
    id="E29",
    statement="Over a partition Σ d_i(p_i D, p_i D′) ≤ I_p (max Δp_j) d_i for every i: false, the "
    "i of d_i is free where it is printed, and a record may come into a block with a larger d_i.",
    status="refuted",
    cite="GB24.IV.4, the inequality after it (§IV-B)",
    latex=r"It is false for a free $i$ that $I_p\,(\max_j\Delta p_j)\,d_i(D,D')$ bounds the sum of "
    r"all $d_j(p_j(D),p_j(D'))$: a record may come into a block $j$ with a larger $d_j$.",
)
def not_a_bound_by_the_metric_of_any_block() -> Evidence:
    """With parts that share one metric, d_i = d, it holds; so it does with the largest d_i."""
    return refutes("Σ d_j(p_j D, p_j D′) ≤ I_p (max Δp_j) d_i", FREE, fails_for_the_free_index)


@theorem(
    id="E29",
    statement="Over n changed blocks Σ d_i(p_i D, p_i D′) ≤ n max (Δp_i d_i(D, D′)), as the "
    "summary prints it, the maximum being over the products; so at most n (max Δp_i) d if no d_i "
    "exceeds d.",
    status="decided",
    cite="GB24.IV.4, the inequality after it, corrected; GB24s §III",
    latex=r"A sum of $d_i(p_i(D),p_i(D'))$ over $n$ changed blocks is at most "
    r"$n\,\max_i\Delta p_i\,d_i(D,D')$, and at most $n\,(\max_i\Delta p_i)\,d(D,D')$ if "
    r"$d_i\le d$ for all $i$.",
)
def bound_by_a_metric_above_all() -> Evidence:
    """One more block adds at most the largest product, or nothing."""
    import z3

    total, many, seen = (
        z3.Function(name, z3.IntSort(), z3.RealSort()) for name in ("total", "changed", "d_i")
    )
    changes = z3.Function("changes", z3.IntSort(), z3.BoolSort())
    most, own, delta, s, d = z3.Reals("most d_i delta_i s d")
    return smt({
        "Σ d_i(p_i D, p_i D′) ≤ n m, if n of the blocks change, with m the largest Δp_i d_i": (
            by_induction(
                lambda k: total(k) <= many(k) * most,
                [total(0) == 0, many(0) == 0],
                lambda k: [
                    total(k + 1) == total(k) + seen(k), seen(k) >= 0,
                    many(k + 1) == many(k) + z3.If(changes(k), 1, 0),
                    z3.If(changes(k), seen(k) <= most, seen(k) == 0),
                ],
            )
        ),
        "Δp_i d_i ≤ (max Δp_i) d": holds(
            delta * own <= s * d, delta >= 0, own >= 0, delta <= s, own <= d
        ),
    })  # fmt: skip


@theorem(
    id="E29",
    statement="If bounded neighbours of ordered data differ in block j, the block's records differ "
    "in {(j, x), (j, y)}: false, in the position that changed; the proof's conclusion stands.",
    status="refuted",
    cite="GB24.A.6, proof",
    latex=r"It is false that the records of bounded neighbours of ordered data that differ in "
    r"block $j$ differ in $\{(j,x),(j,y)\}$: they differ in the position that changed, which "
    r"need not be $j$.",
)
def not_the_block_of_the_position() -> Evidence:
    """The proof writes the block's number where the record's identifier belongs."""
    return refutes("p_j(D) Δ p_j(D′) = {(j, x), (j, y)}", POSITION, fails_for_the_position)


@theorem(
    id="E29",
    statement="With ε = 1 and δ = 10⁻⁵ the printed δ reaches 1 when more than thirteen records "
    "change: it does so already for thirteen, and not for twelve.",
    status="computed",
    cite="GB24.VI.3, the remark after it; the inequality there is right",
    latex=r"For $\varepsilon=1$ and $\delta=10^{-5}$ the printed $\delta$ is at least $1$ for "
    r"thirteen changed records already, not from fourteen on, and less than $1$ for twelve.",
)
def no_guarantee_from_thirteen_records_on() -> Evidence:
    """The formula beside the remark says so: distance 13 is included."""
    first = next(n for n in range(1, 40) if fails_before_fourteen({**STEPS, "distance": n}))
    return Computed({"first distance with δ ≥ 1": 13}, {"first distance with δ ≥ 1": first})
