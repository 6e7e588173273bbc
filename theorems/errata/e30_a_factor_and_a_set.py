"""HBW.Thm1, Appendix B: a factor that is lost; GB24.VI.8: a set that bears the name of a number."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import Evidence, theorem
from theorems._prove import by_induction, smt
from theorems.errata._plain import refutes
from theorems.errata.e15_flipping_bits import chance

LOST: Final[Mapping[str, Any]] = {
    "q": Fraction(2), "T0": (((1,), Fraction(1)),), "T1": (((0,), Fraction(1)),), "event": ((1,),),
    "both sums": (Fraction(2, 3), Fraction(1, 3)),
}  # fmt: skip
"""One round of randomized response, ln 2-DP with δ = 0, and the event that it says 1."""


def fails_without_the_factor(data: Mapping[str, Any]) -> bool:
    """Return whether Σ w P[b0] > Σ w P[b1], over the tuples (b, w), where δ = 0."""
    sums = tuple(
        sum((w * chance(data["event"], b, data["q"]) for b, w in data[name]), Fraction(0))
        for name in ("T0", "T1")
    )
    weights = [sum(w for _, w in data[name]) for name in ("T0", "T1")]
    bits = {bit for name in ("T0", "T1") for b, _ in data[name] for bit in b}
    good = bits <= {0, 1} and weights == [1, 1] and sums == data["both sums"]
    return bool(good and sums[0] > sums[1])


@theorem(
    id="E30",
    statement="After the last step of the refinement Σ w P[b0] ≤ Σ w P[b1] + δ: false as printed, "
    "the factor e^ε of the lines before and after it is missing.",
    status="refuted",
    cite="HBW.Thm1, Appendix B; the theorem stands",
    latex=r"It is false that $\sum w\Pr(V^{b_0}\in S)\le\sum w\Pr(V^{b_1}\in S)+\delta$ after "
    r"the last step of the refinement: the factor $e^\varepsilon$ is missing.",
)
def not_without_the_factor() -> Evidence:
    """One round of randomized response, 0 against 1, and no δ."""
    return refutes("Σ w P[b0] ≤ Σ w P[b1] + δ over T0 and T1", LOST, fails_without_the_factor)


@theorem(
    id="E30",
    statement="For any number of matched triples (b0, b1, w), w ≥ 0, with P[b0] ≤ e^ε P[b1] + δ "
    "for each: Σ w P[b0] ≤ e^ε Σ w P[b1] + δ Σ w.",
    status="decided",
    cite="HBW.Thm1, Appendix B, corrected",
    latex=r"$\sum w\Pr(V^{b_0}\in S)\le e^{\varepsilon}\sum w\Pr(V^{b_1}\in S)+\delta\sum w$ over "
    r"matched triples $(b_0,b_1,w)$ with $\Pr(V^{b_0}\in S)\le e^{\varepsilon}\Pr(V^{b_1}\in S)+"
    r"\delta$ each.",
)
def sum_of_matched_triples() -> Evidence:
    """By induction on the number of triples; all sums start at 0."""
    import z3

    left, right, weight, p, q, w = (
        z3.Function(n, z3.IntSort(), z3.RealSort())
        for n in ("left", "right", "weight", "p", "q", "w")
    )
    factor, delta = z3.Reals("factor delta")
    return smt({
        "Σ w p ≤ factor Σ w q + δ Σ w": by_induction(
            lambda n: left(n) <= factor * right(n) + delta * weight(n),
            [left(0) == 0, right(0) == 0, weight(0) == 0],
            lambda n: [
                left(n + 1) == left(n) + w(n) * p(n),
                right(n + 1) == right(n) + w(n) * q(n),
                weight(n + 1) == weight(n) + w(n),
                p(n) <= factor * q(n) + delta, w(n) >= 0,
            ],
        ),
    })  # fmt: skip


@theorem(
    id="E30",
    statement="I_f is the number of changed blocks in one example and the set of them in the "
    "other; read as the set, a sum of distances over all k blocks is the sum over I_f, and at most "
    "its size times any number that no distance exceeds.",
    status="decided",
    cite="GB24.IV.5, VI.8",
    latex=r"With $I_f$ the set of changed blocks, $\sum_{i=1}^{k}d_i(f_iD,f_iD')=\sum_{i\in "
    r"I_f}d_i(f_iD,f_iD')$, which is at most $|I_f|$ times any number that no distance exceeds.",
)
def sum_over_changed_blocks() -> Evidence:
    """Where a block is the same its distance is 0; by induction on the number of blocks."""
    import z3

    whole, changed, size, d = (
        z3.Function(n, z3.IntSort(), z3.RealSort()) for n in ("whole", "changed", "size", "d")
    )
    same = z3.Function("same", z3.IntSort(), z3.BoolSort())
    top = z3.Real("top")
    return smt({
        "Σ over all blocks = Σ over I_f ≤ size · top": by_induction(
            lambda n: z3.And(whole(n) == changed(n), changed(n) <= size(n) * top),
            [whole(0) == 0, changed(0) == 0, size(0) == 0],
            lambda n: [
                whole(n + 1) == whole(n) + d(n),
                changed(n + 1) == changed(n) + z3.If(same(n), 0, d(n)),
                size(n + 1) == size(n) + z3.If(same(n), 0, 1),
                z3.Implies(same(n), d(n) == 0), d(n) <= top,
            ],
        ),
    })  # fmt: skip
