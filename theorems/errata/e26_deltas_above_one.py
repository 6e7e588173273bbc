"""GB24, after VI.5: sums of δ that exceed 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems.errata._plain import Law, delta, is_law, refutes, valid

_PART: Final = (
    {"D": Fraction(3, 5), "both": Fraction(2, 5)},
    {"D'": Fraction(3, 5), "both": Fraction(2, 5)},
)  # with probability 3/5 the input is published, otherwise nothing
TWICE: Final[Mapping[str, Any]] = {
    "parts": (_PART, _PART), "deltas": (Fraction(3, 5), Fraction(3, 5)),
    "sum": Fraction(6, 5), "exact": Fraction(21, 25),
}  # fmt: skip
"""Two (0,3/5)-DP parts: 6/5 is printed, the composition has 21/25."""


def together(first: Law, second: Law) -> dict[Any, Fraction]:
    """Return the law of two independent outcomes."""
    return {(x, y): p * q for x, p in first.items() for y, q in second.items()}


def joint(deltas: tuple[Fraction, ...]) -> Fraction:
    """Return 1 − Π (1 − δ_i)."""
    rest = Fraction(1)
    for one in deltas:
        rest *= 1 - one
    return 1 - rest


def fails_to_lose_everything(data: Mapping[str, Any]) -> bool:
    """Return whether δ of a composition stays below 1 although the sum of the δ exceeds 1."""
    parts, deltas = data["parts"], data["deltas"]
    for (one, two), slack in zip(parts, deltas, strict=True):
        if not (is_law(one) and is_law(two) and delta(one, two, 1) == slack):
            return False
        if delta(two, one, 1) != slack:
            return False
    (a, b), (c, d) = parts
    real = max(delta(together(a, c), together(b, d), 1), delta(together(b, d), together(a, c), 1))
    return bool(
        sum(deltas) == data["sum"] and data["sum"] > 1
        and real == data["exact"] == joint(deltas) and real < 1
    )  # fmt: skip


@theorem(
    id="E26",
    statement="Once Σ δ_i exceeds 1 a composition has no guarantee left, though all δ_i < 1: "
    "false, two (0,3/5)-DP parts compose to (0,21/25).",
    status="refuted",
    cite="GB24, after VI.5 (in the scan the δ of the sum look like d)",
    latex=r"It is false that no guarantee is left once $\sum_i\delta_i>1$, though all "
    r"$\delta_i<1$: two $(0,\frac35)$-DP parts compose to $(0,\frac{21}{25})$.",
)
def not_without_guarantee_of_deltas_above_one() -> Evidence:
    """The sum is sound, and says nothing above 1; the composition still has a guarantee."""
    return refutes("Σ δ_i > 1 leaves no guarantee at Σ ε_i", TWICE, fails_to_lose_everything)


@theorem(
    id="E26",
    statement="(ε_i, δ_i)-private parts compose adaptively to (Σ ε_i, 1 − Π(1 − δ_i)), which is "
    "never more than Σ δ_i, and less than 1 if all δ_i are.",
    status="rocq",
    cite="this project, for GB24.VI.4, VI.5",
    latex=r"If $M_i$ is $(\varepsilon_i,\delta_i)$-private for every value of the earlier "
    r"outputs, their composition is "
    r"$\bigl(\sum_i\varepsilon_i,\,1-\prod_i(1-\delta_i)\bigr)$-private, and "
    r"$1-\prod_i(1-\delta_i)\le\sum_i\delta_i$.",
)
def joint_delta_of_adaptive_composition() -> Evidence:
    """Two parts; k by induction, the first k − 1 as one part.

    Fix an event.  After the first output s let f and f' be its probabilities, so that
    f ≤ min(1, q2 f' + δ2), and h = min(1, q2 f' / (1 − δ2)).  Then f ≤ δ2 + (1 − δ2) h.  The first
    part gives E h ≤ q1 E' h + δ1 for h in [0, 1] (integrals of bounded functions, as for events),
    and (1 − δ2) E' h ≤ q2 E' f'.  For δ2 = 1 there is nothing to show.
    """
    import z3

    f, g, q1, q2, s1, s2, x, y, z = z3.Reals("f g q1 q2 delta1 delta2 x y z")
    fixed = z3.And(
        q1 >= 1, q2 >= 1, s1 >= 0, s1 <= 1, s2 >= 0, s2 < 1, f >= 0, f <= 1, g >= 0, g <= 1
    )
    scaled = q2 * g / (1 - s2)
    h = z3.If(scaled <= 1, scaled, 1)
    second = f <= q2 * g + s2
    whole = 1 - (1 - s1) * (1 - s2)
    total = z3.Real("total")
    obligations = {
        "f ≤ δ2 + (1 − δ2) h": z3.Implies(z3.And(fixed, second), f <= s2 + (1 - s2) * h),
        "h lies in [0, 1], and (1 − δ2) h ≤ q2 f'": z3.Implies(
            fixed, z3.And(h >= 0, h <= 1, (1 - s2) * h <= q2 * g)
        ),
        "total ≤ q1 q2 E' f' + 1 − (1 − δ1)(1 − δ2)": z3.Implies(
            z3.And(fixed, x <= q1 * y + s1, (1 - s2) * y <= q2 * z, total <= s2 + (1 - s2) * x),
            total <= q1 * q2 * z + whole,
        ),
        "1 − (1 − δ1)(1 − δ2) ≤ δ1 + δ2, and < 1": z3.Implies(
            z3.And(fixed, s1 < 1), z3.And(whole <= s1 + s2, whole < 1)
        ),
    }
    found = {text: valid(formula) for text, formula in obligations.items()}
    return Discharged("smt", found, "induction on the number of parts"), _attained()


def _attained() -> CheckedInScope:
    """Look at parts that publish their input with probability δ_i: the bound is attained."""
    cases, true = 0, True
    tenths = [Fraction(n, 10) for n in range(11)]

    def laws(slack: Fraction) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        return {"D": slack, "both": 1 - slack}, {"D'": slack, "both": 1 - slack}

    for one in tenths:
        for two in tenths:
            (a, b), (c, d) = laws(one), laws(two)
            cases += 1
            true &= delta(together(a, c), together(b, d), 1) == joint((one, two))
    return CheckedInScope("two parts, ε = 0, δ in tenths: attained", cases, true)
