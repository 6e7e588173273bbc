"""Inner mechanisms of a private adaptive composition."""

from __future__ import annotations

from fractions import Fraction

from theorems._entry import Evidence, Refutation, theorem
from theorems._finite import excess, joint


@theorem(
    id="GB24.VII.3",
    statement="If an adaptive composition is private, M_2(s, ·) is private for every s: false for "
    "an s that never comes out.",
    status="refuted",
    cite="GB24.VII.3, the remark after it",
    latex=r"It is false that in a private adaptive composition $M_2(s,\cdot)$ is private for "
    r"every $s$: an $s$ that never comes out is a counterexample.",
)
def not_private_of_inner_mechanism() -> Evidence:
    """M_1 always gives outcome 0; M_2 tells the database after outcome 1 only."""
    one, zero = Fraction(1), Fraction(0)
    first = (one, zero)
    second = {0: ((one, zero), (one, zero)), 1: ((one, zero), (zero, one))}
    data = {"M_1, both databases": first, "M_2 on D=0, after 0 and after 1": second[0],
            "M_2 on D=1, after 0 and after 1": second[1]}  # fmt: skip

    def fails() -> bool:
        whole = [joint(first, second[n]) for n in (0, 1)]
        private = excess(whole[0], whole[1], one) == 0 == excess(whole[1], whole[0], one)
        return private and excess(second[0][1], second[1][1], Fraction(10**9)) == 1

    return Refutation("inner mechanisms inherit the guarantee", data, fails)
