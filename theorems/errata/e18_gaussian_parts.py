"""GB24.VI.23: which guarantee the parts of a Gaussian composition have."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems import _kernel
from theorems._entry import Evidence, theorem
from theorems.errata._plain import exp_between, private, refutes

COIN: Final[Mapping[str, Any]] = {
    "laws": {1: {0: Fraction(2, 3), 1: Fraction(1, 3)}, 2: {0: Fraction(1, 3), 1: Fraction(2, 3)}},
    "factor": 2, "mu above": Fraction(6932, 10**4), "error": Fraction(1, 3),
    "normal below": Fraction(63864, 10**5),
}  # fmt: skip
"""Randomized response with e^ε = 2, as a single part: both errors of its best test are 1/3."""


def fails_for_pure_parts(data: Mapping[str, Any]) -> bool:
    """Return whether an ε-DP mechanism is not ε-Gaussian private.

    If it were, its trade-off function at 1/3 would be at least Φ(Φ⁻¹(2/3) − ε).  It is 1/3, so
    this says Φ(ε/2) ≥ 2/3.  But Φ(x) ≤ 1/2 + x/√(2π) ≤ 1/2 + x/2.5, as 2.5² < 6.28 < 2π.
    """
    laws, mu, error = data["laws"], data["mu above"], data["error"]
    above = 0 < mu <= 2 and exp_between(mu)[0] > data["factor"]  # mu > ε
    slope = Fraction(5, 2)
    normal = Fraction(1, 2) + mu / 2 / slope
    test = laws[1][1], laws[2][0]  # reject on outcome 1: the two kinds of error
    return bool(
        above and private(laws, [(1, 2)], data["factor"]) and slope**2 < Fraction(628, 100)
        and test == (error, error) and normal == data["normal below"] < 1 - error
    )  # fmt: skip


@theorem(
    id="E18",
    statement="Parts that are d_i-DP compose to √(d_1² + … + d_k²)-Gaussian privacy: false read as "
    "pure privacy, already for k = 1 and randomized response with e^ε = 2.",
    status="refuted",
    cite="GB24.VI.23",
    latex=r"It is false that parts that are $d_i$-DP in the pure sense compose to "
    r"$\bigl(\sum_id_i^2\bigr)^{1/2}$-Gaussian privacy, already for $k=1$ and randomized "
    r"response with $e^\varepsilon=2$.",
)
def not_gaussian_of_pure_parts() -> Evidence:
    """The parts must be d_i-Gaussian private; surely meant so."""
    return refutes("an ε-DP mechanism is ε-Gaussian private", COIN, fails_for_pure_parts)


@theorem(
    id="E18",
    statement="Parts that are μ_i-Gaussian private compose adaptively to √(μ_1² + … + μ_k²).",
    status="derived",
    cite="GB24.VI.23, corrected",
    latex=r"Parts that are $\mu_i$-Gaussian private compose adaptively to "
    r"$\bigl(\sum_i\mu_i^2\bigr)^{1/2}$.",
)
def root_of_squares_of_gaussian_parts() -> Evidence:
    """The sequential composition, with k symbolic: all parts read the whole database."""
    return _kernel.sequential("gaussian")
