"""Metrics that belong to no granularity, not even up to a factor."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from theorems._entry import Evidence, Refutation, theorem
from theorems._finite import FAR, path_metric


def is_canonical(ab: Fraction, bc: Fraction, ac: Fraction) -> bool:
    """Return whether a metric is a multiple of a canonical one, trying all granularities.

    >>> is_canonical(Fraction(3), Fraction(3), Fraction(6))
    True
    """
    pairs = (("a", "b"), ("b", "c"), ("a", "c"))
    for chosen in product((False, True), repeat=3):
        d = path_metric("abc", [pair for pair, kept in zip(pairs, chosen, strict=True) if kept])
        steps = [d[pair] for pair in pairs]
        if FAR not in steps and len({v / n for v, n in zip((ab, bc, ac), steps, strict=True)}) == 1:
            return True
    return False


@theorem(
    id="GB24.III.3",
    statement="Every metric is a multiple of the canonical metric of some granularity: false for "
    "three databases at the distances 2, 3 and 4.  Privacy for metrics says more than privacy for "
    "granularities.",
    status="refuted",
    cite="GB24.III.3, the remark after it, by example",
    latex=r"The metric $d(a,b)=2$, $d(b,c)=3$, $d(a,c)=4$ is $c\,d^{\mathcal G}$ for no "
    r"$\mathcal G$ and no $c$.",
)
def not_canonical_up_to_a_factor() -> Evidence:
    """All granularities on three databases, and the factor that their first distance would need.

    Connected ones have the distances 1, 1, 1 or 1, 1, 2 in some order; of 2, 3, 4 no two are equal.
    """
    data = {"a, b": Fraction(2), "b, c": Fraction(3), "a, c": Fraction(4)}

    def fails() -> bool:
        first, second, third = sorted(data.values())
        return first > 0 and third <= first + second and not is_canonical(first, second, third)

    return Refutation("d = c d_G for some granularity G and some factor c", data, fails)
