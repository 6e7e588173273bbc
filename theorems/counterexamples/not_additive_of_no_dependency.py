"""Mechanisms without any dependency whose losses are not independent."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.uncertainty.laws.accounting import moment
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve
from dpcomp_sym.uncertainty.laws.worlds import AttackCase
from theorems._entry import Evidence, theorem
from theorems.errata._plain import refutes

DATA: Final[Mapping[str, Any]] = {
    "given a": {(0, 0): Fraction(1, 6), (0, 2): Fraction(1, 6), (2, 0): Fraction(1, 6),
                (2, 2): Fraction(1, 6), (1, 1): Fraction(1, 3)},
    "given b": {(0, 0): Fraction(3, 8), (0, 2): Fraction(1, 8), (2, 0): Fraction(1, 8),
                (2, 2): Fraction(1, 24), (1, 1): Fraction(1, 3)},
    "order": 2, "e^eps": Fraction(3),
}  # fmt: skip


def _case(data: Mapping[str, Any]) -> AttackCase | None:
    """Return what is compared, or None if these are no laws or there is a dependency."""
    first, second = data["given a"], data["given b"]
    if sum(first.values()) != 1 or sum(second.values()) != 1 or set(first) != set(second):
        return None
    case = AttackCase("laws", ("a", "b"), None, Fraction(1), first, second)
    return case if set(case.dependencies(1).values()) == {Fraction(1)} else None


def fails_to_add_up(data: Mapping[str, Any]) -> bool:
    """Return whether the moment of both is more than the product of the single ones."""
    case = _case(data)
    if case is None:
        return False
    one, other, both = (moment(case.loss_pairs(w), data["order"]) for w in ([0], [1], [0, 1]))
    return one is not None and other is not None and both is not None and both > one * other


def fails_to_convolve(data: Mapping[str, Any]) -> bool:
    """Return whether the exact δ of both is more than that of the convolved losses."""
    case = _case(data)
    if case is None:
        return False
    one, other = (case.loss_pairs([j]) for j in (0, 1))
    convolved = DeltaCurve((p * r, q * s) for p, q in one for r, s in other)
    factor = data["e^eps"]
    return DeltaCurve(case.loss_pairs([0, 1])).delta(factor) > convolved.delta(factor)


@theorem(
    id=("Des.Renyi", "Des.buckets"),
    statement="For (0, 0)-bounded dependent mechanisms the Rényi divergences of one order add up, "
    "and the losses convolve: both false.  With dependency 0 everywhere e^(D_2) of the pair is "
    "41/27, and 121/81 for the sum; at e^ε = 3 its δ is 1/24, and 1/36 for the convolution.",
    status="refuted",
    cite="Des 3.2.4, the remark after Thm6, read without independence",
    latex=r"It is false that for $(0,0)$-bounded dependent mechanisms $D_\alpha$ adds up and "
    r"losses convolve: with dependency $0$ everywhere $e^{D_2}$ of a pair can be $\frac{41}{27}$, "
    r"and $\frac{121}{81}$ for the sum, and its $\delta$ at $e^\varepsilon=3$ be $\frac1{24}$, "
    r"and $\frac1{36}$ for the convolution.",
)
def not_additive_of_no_dependency() -> Evidence:
    """Both outputs show whether they are 1, and are independent given that they are not.

    No dependency says that the losses add up; it does not say that they are independent.
    """
    return (
        refutes("D_2 of both is at most the sum of the single ones", DATA, fails_to_add_up),
        refutes("δ of both is at most that of the convolved losses", DATA, fails_to_convolve),
    )
