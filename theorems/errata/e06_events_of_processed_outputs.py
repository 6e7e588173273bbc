"""GB24.VII.1: the step of the proof about events of processed outputs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym import kernel
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import is_law, refutes

HALF: Final = Fraction(1, 2)
COIN: Final[Mapping[str, Any]] = {
    "law": {"h": HALF, "t": HALF}, "g": {"h": "same", "t": "same"}, "S": ("h",),
    "left": HALF, "right": Fraction(1),
}  # fmt: skip


def fails_for_images(data: Mapping[str, Any]) -> bool:
    """Return whether P(M ∈ S) differs from P(g(M) ∈ g(S))."""
    law, g, S = data["law"], data["g"], set(data["S"])
    image = {g[o] for o in S}
    left = sum((p for o, p in law.items() if o in S), Fraction(0))
    right = sum((p for o, p in law.items() if g[o] in image), Fraction(0))
    return bool(
        is_law(law) and set(law) >= S and left == data["left"] and right == data["right"]
        and left != right
    )  # fmt: skip


@theorem(
    id="E6",
    statement="P{M ∈ S} = P{g(M) ∈ g(S)} for every function g: false for a fair coin, a constant "
    "g and S = {h} (½ against 1).",
    status="refuted",
    cite="GB24.VII.1, proof",
    latex=r"It is false that $\Pr(M\in S)=\Pr(g(M)\in g(S))$ for every $g$: for a fair coin, a "
    r"constant $g$ and one side $S$ of the coin these are $\frac12$ and $1$.",
)
def not_equal_probabilities_of_images() -> Evidence:
    """Equality holds for g that are one-to-one on the outcomes; the theorem itself stands."""
    return refutes("P{M ∈ S} = P{g(M) ∈ g(S)}", COIN, fails_for_images)


def _preimages() -> CheckedInScope:
    """Look at all functions on three outcomes and all laws in quarters."""
    quarters = [Fraction(n, 4) for n in range(5)]
    laws = [(p, q, 1 - p - q) for p in quarters for q in quarters if p + q <= 1]
    functions = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    cases, true = 0, True
    for law in laws:
        for g in functions:
            pushed = [
                sum((p for p, o in zip(law, g, strict=True) if o == y), Fraction(0))
                for y in range(3)
            ]
            for number in range(8):
                event = {y for y in range(3) if number >> y & 1}
                pulled = sum((p for p, o in zip(law, g, strict=True) if o in event), Fraction(0))
                cases += 1
                true &= pulled == sum((pushed[y] for y in event), Fraction(0))
    return CheckedInScope("three outcomes, probabilities in quarters, all g, all T", cases, true)


@theorem(
    id="E6",
    statement="P{g(M) ∈ T} = P{M ∈ g⁻¹(T)}, so post-processing loses nothing, in each of the "
    "notions pure, approximate, zero-concentrated and Gaussian.",
    status="rule",
    cite="GB24.VII.1",
    latex=r"Since $\Pr(g(M)\in T)=\Pr(M\in g^{-1}(T))$, post-processing loses nothing for pure, "
    r"approximate, zero-concentrated and Gaussian privacy.",
)
def private_of_post_processing_by_preimages() -> Evidence:
    """The kernel's rule is argued by preimages; they are also counted out on three outcomes."""
    domain, granularity = kernel.DatabaseClass("D", "{}", ()), kernel.NamedRelation("G", "{}")
    mechanism = kernel.NamedMechanism("M", domain, ())
    a, b = kernel.Param("a"), kernel.Param("b")
    found = []
    for notion in ("pure", "approximate", "zcdp", "gaussian"):
        guarantee = (a, b) if notion == "approximate" else (a,)
        loss = kernel.Neighbouring(granularity, domain, guarantee)
        part = kernel.given(kernel.Private(mechanism, notion, loss, ()), f"M is {notion} private")
        found.append(kernel.postprocess(part, "g"))
    return (*found, _preimages())
