"""A chain whose second mechanism is private only for the distance between its inputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theorems._entry import Evidence, Refutation, theorem


@theorem(
    id="Des.chain",
    statement="If M₁ is ε₁-private and M₂ is ε₂-private between neighbouring inputs, M₂ ∘ M₁ is "
    "ln((1 + e^(ε₁+ε₂))/(e^ε₁ + e^ε₂))-private: false, M₂ must be private between any two inputs.",
    status="refuted",
    cite="Des.chain, without its hypothesis",
    latex=r"If $M_1$ is $\varepsilon_1$-private and $M_2$ is $\varepsilon_2$-private between "
    r"neighbouring inputs only, $M_2\circ M_1$ need not be "
    r"$\ln\frac{1+e^{\varepsilon_1+\varepsilon_2}}{e^{\varepsilon_1}+e^{\varepsilon_2}}$-private: "
    r"$M_2$ must be private between any two inputs.",
)
def not_chained_private_of_a_distance() -> Evidence:
    """Randomized response on {0, 5}, then a truncated geometric law on 0, …, 5; both at ln 2.

    The chain loses 65/34, not 5/4.  Between any two of its inputs the second mechanism is
    5 ln 2-private, and the formula with e^ε₂ = 32 is 65/34 indeed.
    """
    x, most, half = Fraction(2), 5, Fraction(1, 2)
    data: dict[str, Any] = {"e^eps of each": x, "inputs of M2": most + 1, "event": (0,),
            "ratio": Fraction(65, 34), "claimed": Fraction(5, 4)}  # fmt: skip

    def response(truth: int) -> dict[int, Fraction]:
        return {s: x / (1 + x) if s == truth else 1 / (1 + x) for s in (0, most)}

    def geometric(centre: int) -> dict[int, Fraction]:
        inside = {m: half ** abs(m - centre) * (1 - half) / (1 + half) for m in range(1, most)}
        return inside | {m: half ** abs(m - centre) / (1 + half) for m in (0, most)}

    def factor(P: dict[int, Fraction], Q: dict[int, Fraction]) -> Fraction:
        return max(max(P[o] / Q[o], Q[o] / P[o]) for o in P)

    def fails() -> bool:
        laws = [response(0), response(most), *map(geometric, range(most + 1))]
        steps = [factor(geometric(m), geometric(m + 1)) for m in range(most)]
        event = [sum(p * geometric(s)[0] for s, p in response(d).items()) for d in (0, most)]
        return (
            all(sum(law.values()) == 1 for law in laws)
            and factor(response(0), response(most)) == x
            and set(steps) == {x}
            and (1 + x * x) / (x + x) == data["claimed"]
            and event[0] / event[1] == data["ratio"]
            and data["ratio"] > data["claimed"]
            and (1 + x * x**most) / (x + x**most) == data["ratio"]
        )

    return Refutation("chained mechanisms lose 5/4 at most", data, fails)
