"""The converse of the conversion from Gaussian to zero-concentrated privacy."""

from __future__ import annotations

from fractions import Fraction

from theorems._entry import Evidence, Refutation, theorem


@theorem(
    id="conversions.none",
    statement="ρ-zCDP is √(2ρ)-GDP, as the Gaussian mechanism suggests: false for randomized "
    "response with ε = 1, which is ½-zCDP and not 1-GDP.",
    status="refuted",
    cite="this project",
    latex=r"It is false that $\rho$-zCDP is $\sqrt{2\rho}$-GDP: randomized response with "
    r"$\varepsilon=1$ is $\frac12$-zCDP and not $1$-GDP.",
)
def not_gaussian_root_of_two_rho_of_zcdp() -> Evidence:
    """Both trade-off functions fall; their fixed points are 1/(1+e) < Φ(−½).

    Exact bounds: e > 27/10 (five terms of the series), and
    Φ(−½) = ½ − ∫_0^½ φ > ½ − ½/√(2π) with 2π > 157/25 > (5/2)².
    At α = 1/(1+e) randomized response has error 1/(1+e), and G_1 at least its fixed point.
    """
    e_low = 1 + 1 + Fraction(1, 2) + Fraction(1, 6) + Fraction(1, 24)
    response, normal = 1 / (1 + e_low), Fraction(1, 2) - Fraction(1, 2) / Fraction(5, 2)
    data = {"ε": 1, "ρ": Fraction(1, 2), "claimed μ": 1,
            "fixed point of randomized response, at most": response,
            "fixed point of G_1, at least": normal}  # fmt: skip

    def fails() -> bool:
        two_pi = 2 * Fraction(157, 50)  # below 2 * 3.1415…
        root = Fraction(5, 2)
        tight = root * root < two_pi and e_low > Fraction(27, 10)
        return tight and response < normal

    return Refutation("T ≥ G_√(2ρ) for ρ-zCDP", data, fails)
