"""GB24 §III, V.1, VI.19: order of indices, ranges of values, and empty products."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems._inductions import multiple_of_steps
from theorems.errata._plain import (
    FAR,
    bounded,
    delta,
    is_law,
    leq,
    links,
    multisets,
    path_lengths,
    plus,
    refutes,
    unbounded,
    valid,
)

ORDER: Final[Mapping[str, Any]] = {
    "X": ("a", "b"), "most": 2, "first": "unbounded", "second": "bounded",
    "sensitivity of the identity": FAR, "dist(first, second)": 2, "dist(second, first)": FAR,
}  # fmt: skip
ZERO: Final[Mapping[str, Any]] = {"d1": 1, "d2": 0, "candidate": Fraction(1, 10)}
"""A constant map: every positive number works, and so does its half."""

DIAMETER: Final[Mapping[str, Any]] = {"d1": 1, "d2": 0, "factor": 1000}
LIMIT: Final[Mapping[str, Any]] = {
    "laws": ({"x": Fraction(1)}, {"y": Fraction(1)}), "alpha": 0,
    "trade-off": 0, "limit of the normal ones": 1,
}  # fmt: skip
EMPTY: Final[Mapping[str, Any]] = {
    "databases": ("D", "D'"), "printed": (), "product": 1, "arguments": 0, "needed": 2,
}  # fmt: skip
_RELATIONS: Final = {"unbounded": unbounded, "bounded": bounded}


def fails_for_the_identity(data: Mapping[str, Any]) -> bool:
    """Return whether the identity's sensitivity is the distance with the indices swapped."""
    databases = list(multisets(data["X"], data["most"]))
    one, two = (links(databases, _RELATIONS[data[n]]) for n in ("first", "second"))

    def largest(lengths: Any, pairs: Any) -> Any:
        seen = [lengths[p] for p in pairs]
        return FAR if None in seen else max(seen)

    first, second = path_lengths(databases, one), path_lengths(databases, two)
    identity = largest(second, one)  # max over neighbours of the first of the second's distance
    ordered = largest(first, two)  # dist(G1, G2): max over G2-neighbours of the distance of G1
    return bool(
        identity == data["sensitivity of the identity"]
        and ordered == data["dist(first, second)"] and identity != ordered
        and identity == data["dist(second, first)"]
    )  # fmt: skip


def fails_to_have_a_least(data: Mapping[str, Any]) -> bool:
    """Return whether a positive sensitivity works although its half does too."""
    c = data["candidate"]
    return bool(c > 0 and data["d2"] == 0 and data["d1"] > 0 and data["d2"] <= c / 2 * data["d1"])


def fails_to_compare(data: Mapping[str, Any]) -> bool:
    """Return whether a bounded diameter is above every multiple of another metric."""
    return bool(data["d1"] > 0 and data["d2"] == 0 and data["d1"] > data["factor"] * data["d2"])


def fails_as_a_limit(data: Mapping[str, Any]) -> bool:
    """Return whether a mechanism that hides nothing violates the limit of G_μ at 0.

    G_μ(0) = Φ(Φ⁻¹(1) − μ) = 1 for every finite μ, so the limit is 1 there; distance ∞ must allow
    everything.
    """
    one, two = data["laws"]
    separated = is_law(one) and is_law(two) and delta(one, two, 1) == 1
    # The test that accepts exactly the outcomes of the first law has no error of either kind.
    errors = (1 - sum(one.values()), sum((p for o, p in two.items() if o in one), Fraction(0)))
    return bool(
        separated and errors[0] <= data["alpha"] == 0 and errors[1] == data["trade-off"]
        and data["limit of the normal ones"] == 1 and data["trade-off"] < 1
    )  # fmt: skip


def fails_as_the_empty_set(data: Mapping[str, Any]) -> bool:
    """Return whether ∅ × 𝔻 lacks the arguments that the first mechanism needs."""
    pairs = list(itertools.product(data["printed"], data["databases"]))
    right: list[Any] = list(itertools.product([()], data["databases"]))
    return bool(
        len(pairs) == data["arguments"] and len(right) == data["needed"]
        and len(list(itertools.product(repeat=0))) == data["product"] and len(pairs) < len(right)
    )  # fmt: skip


@theorem(
    id="E22",
    statement="The sensitivity of the identity from G1 to G2 is dist(G1, G2): false, it is "
    "dist(G2, G1); from unbounded to bounded ∞, not 2.",
    status="refuted",
    cite="GB24, after III.6",
    latex=r"It is false that the sensitivity of the identity from $\mathcal G_1$ to $\mathcal "
    r"G_2$ is $\mathrm{dist}(\mathcal G_1,\mathcal G_2)$: it is $\mathrm{dist}(\mathcal "
    r"G_2,\mathcal G_1)$, and so $\infty$, not $2$, from unbounded to bounded.",
)
def not_sensitivity_of_identity_in_that_order() -> Evidence:
    """dist(G1, G2) is the largest G1-distance of G2-neighbours."""
    return refutes("Δid = dist(G1, G2)", ORDER, fails_for_the_identity)


@theorem(
    id="E22",
    statement="Sensitivities are the least numbers in ]0,∞]; a bounded diameter can be compared "
    "with every metric: both false, for a constant map, and for a metric that vanishes.",
    status="refuted",
    cite="GB24.III.5, §III-A",
    latex=r"It is false that sensitivities are the least numbers in $]0,\infty]$, since that of "
    r"a constant map is $0$; and that a metric of bounded diameter can be compared with every "
    r"metric, since one may vanish.",
)
def not_always_comparable_and_positive() -> Evidence:
    """Sensitivities lie in [0,∞]; the comparison needs canonical metrics, which are ≥ 1."""
    return (
        refutes("Δf ∈ ]0,∞] is attained", ZERO, fails_to_have_a_least),
        refutes("d1 ≤ c d2 for some c, if d1 is bounded", DIAMETER, fails_to_compare),
    )


@theorem(
    id="E22",
    statement="G_∞ is the limit of G_μ, and the first mechanism reads the product of no ranges, "
    "∅: both false; "
    "G_∞ := 0 (the limit is 1 at 0), and the product of no sets has one point.",
    status="refuted",
    cite="GB24.VI.19, V.1",
    latex=r"It is false that $G_\infty$ is the limit of $G_\mu$, which is $1$ at $0$, where "
    r"$G_\infty:=0$; and that the product of no ranges, from which the first mechanism reads, is "
    r"$\emptyset$: it has one point.",
)
def not_a_limit_and_not_empty() -> Evidence:
    """Distance ∞ must allow a mechanism that publishes its input."""
    return (
        refutes("G_∞(0) = lim G_μ(0)", LIMIT, fails_as_a_limit),
        refutes("M_1 is defined on ∅ × 𝔻", EMPTY, fails_as_the_empty_set),
    )


@theorem(
    id="E22",
    statement="d^{G1} ≤ dist(G1, G2) · d^{G2}, the identity's sensitivity from G2 to G1 being "
    "dist(G1, G2); a metric of diameter c is at most c times every canonical metric.",
    status="decided",
    cite="GB24.A.3, §III-A, corrected",
    latex=r"$d^{\mathcal G_1}\le\mathrm{dist}(\mathcal G_1,\mathcal G_2)\,d^{\mathcal G_2}$, "
    r"where $\mathrm{dist}(\mathcal G_1,\mathcal G_2)$ is the sensitivity of the identity from "
    r"$\mathcal G_2$ to $\mathcal G_1$; and a metric of diameter $c$ is at most $c\,d^{\mathcal "
    r"G}$ for every $\mathcal G$.",
)
def compared_canonical_metrics() -> Evidence:
    """By the triangle inequality along a path; all pairs of graphs on four points besides."""
    import z3

    r, n, c = z3.Reals("r n c")
    points, cases, true = range(4), 0, True
    every = list(itertools.combinations(points, 2))
    graphs = [[e for i, e in enumerate(every) if number >> i & 1] for number in range(64)]
    tables = [path_lengths(points, edges) for edges in graphs]
    for one in tables:
        for edges, two in zip(graphs, tables, strict=True):
            seen = [one[e] for e in edges]
            largest = FAR if None in seen else max((x for x in seen if x is not None), default=0)
            cases += 1
            for x, y in every:
                steps = two[x, y]
                bound = FAR
                if steps is not None and largest is not None:
                    bound = plus(largest * steps)
                true &= leq(one[x, y], bound)
    return (
        Discharged(
            "smt",
            {
                "n steps of G2, each at most c steps of G1, lead at most c n away, for every n": (
                    multiple_of_steps()
                ),
                "a diameter is a multiple of a distance that is at least 1": valid(
                    z3.Implies(z3.And(r <= c, c >= 0, n >= 1), r <= c * n)
                ),
            },
        ),
        CheckedInScope("all pairs of graphs on four databases", cases, true),
    )
