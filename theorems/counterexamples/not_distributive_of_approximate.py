"""Scaling a combination of approximate guarantees."""

from __future__ import annotations

from fractions import Fraction

from theorems._entry import Evidence, Refutation, theorem
from theorems._finite import delta_of


@theorem(
    id="N6",
    statement="Scaling distributes over combining in every notion: false for (ε, δ), so guarantees "
    "are scaled first and combined after.",
    status="refuted",
    cite="this project",
    latex=r"It is false that $s_a(g\oplus h)=s_a(g)\oplus s_a(h)$ for $(\varepsilon,\delta)$: "
    r"guarantees are scaled first and combined after.",
)
def not_distributive_of_approximate() -> Evidence:
    """At distance 2: (δ + δ′)(1 + q q′) against δ(1 + q) + δ′(1 + q′)."""
    q, delta = Fraction(2), Fraction(1, 100)
    data = {
        "parts": "twice (ln 2, 1/100)",
        "distance": 2,
        "δ combined, then scaled": Fraction(1, 10),
        "δ scaled, then combined": Fraction(3, 50),
    }

    def fails() -> bool:
        combined = delta_of(2 * delta, q * q, 2)
        scaled = 2 * delta_of(delta, q, 2)
        return (combined, scaled) == (Fraction(1, 10), Fraction(3, 50))

    return Refutation("scale(g ⊕ h, r) = scale(g, r) ⊕ scale(h, r)", data, fails)
