"""GB24 §IV-B, IV-D, IV-E, VI.3, VI.15, GB24s, GB24t, HBW §V-A: a word too much, or one too few."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from theorems._entry import Evidence, theorem
from theorems._prove import by_induction, holds, smt
from theorems.errata._plain import (
    bounded,
    changed,
    delta,
    exp_between,
    is_law,
    lost,
    part,
    refutes,
)

ONE: Final = Fraction(1)
MEETING: Final[Mapping[str, Any]] = {
    "D": ("a",), "D'": (), "blocks": (("a",), ("a",)), "eps": (1, 1), "sum": 2,
}  # fmt: skip
"""Two copies of the whole: their parts have a record in common, as is printed."""

RATE: Final[Mapping[str, Any]] = {"rho": 2, "d": 1, "rate as printed": 4, "rate": 2}
PER_STEP: Final[Mapping[str, Any]] = {
    "D": ("a",), "D'": ("b",), "blocks": (("a", "b"), ("c",)), "eps": (1, 3),
    "by distances": 1, "two largest": 4,
}  # fmt: skip
"""A record is replaced by another one of its own block."""

TWO: Final[Mapping[str, Any]] = {"eps": (1, 2), "two largest": 3, "sum": 3}
NOTHING: Final[Mapping[str, Any]] = {
    "laws": (({"x": ONE}, {"x": ONE}), ({"x": ONE}, {"x": ONE})),
    "eps": (1, 1), "sum": 2, "lost": 0,
}  # fmt: skip
"""Two mechanisms that always say the same."""

FEWER: Final[Mapping[str, Any]] = {
    "k": 3, "m": 2, "one": (1, 1, 0), "other": (0, 0, 1), "eps": (1, 2, 3), "lost": 6,
}  # fmt: skip
"""Two choices of at most two of three databases, which have none in common."""

WITHOUT: Final[Mapping[str, Any]] = {
    "q": 4, "delta": Fraction(0), "d": 1,
    "laws": ({"y": Fraction(4, 5), "n": Fraction(1, 5)},
             {"y": Fraction(1, 5), "n": Fraction(4, 5)}),
}  # fmt: skip
"""Randomized response, ln 4-DP, between two neighbours."""


def fails_as_parts_that_meet(data: Mapping[str, Any]) -> bool:
    """Return whether all blocks have records in common, and more than the largest ε is lost."""
    D, E, blocks, eps = data["D"], data["D'"], data["blocks"], data["eps"]
    meet = all(set(part(D, b)) & set(part(D, c)) for b, c in combinations(blocks, 2))
    total = sum(eps[i - 1] for i in changed(D, E, blocks))
    return bool(len(eps) == len(blocks) and meet and total == data["sum"] > max(eps))


def fails_as_a_metric(data: Mapping[str, Any]) -> bool:
    """Return whether ρ d², taken for the metric itself, has another square than itself."""
    said = data["rho"] * data["d"] ** 2
    return bool(said**2 == data["rate as printed"] and said == data["rate"] != said**2)


def fails_to_be_tighter(data: Mapping[str, Any]) -> bool:
    """Return whether Σ ε_i d^(p_i) is less than the two largest ε_i for a replaced record.

    d^(p_i) is the number of replaced records that the blocks need: see E1.
    """
    D, E, blocks, eps = data["D"], data["D'"], data["blocks"], data["eps"]
    pairs = [(part(D, b), part(E, b)) for b in blocks]
    near = sum(e * max(lost(x, y), lost(y, x)) for e, (x, y) in zip(eps, pairs, strict=True))
    most = sum(sorted(eps)[-2:])
    return bool(
        bounded(D, E) and near == data["by distances"] and most == data["two largest"]
        and near < most
    )  # fmt: skip


def fails_to_be_less(data: Mapping[str, Any]) -> bool:
    """Return whether the two largest ε_i are all of them."""
    eps = data["eps"]
    most = sum(sorted(eps)[-2:])
    return bool(len(eps) > 1 and most == data["two largest"] and sum(eps) == data["sum"] == most)


def fails_to_be_lost(data: Mapping[str, Any]) -> bool:
    """Return whether nothing is lost by mechanisms that are ε_i-DP, and Σ ε_i is more."""
    nothing = all(
        is_law(p) and is_law(q) and delta(p, q, 1) == delta(q, p, 1) == data["lost"]
        for p, q in data["laws"]
    )
    apart = len(data["eps"]) == len(data["laws"]) and min(data["eps"]) >= 0
    return bool(nothing and apart and sum(data["eps"]) == data["sum"] > data["lost"])


def fails_to_improve(data: Mapping[str, Any]) -> bool:
    """Return whether two choices of at most m < k databases differ in all k of them."""
    one, other, m = data["one"], data["other"], data["m"]
    bits = {*one, *other} <= {0, 1} and isinstance(m, int) and len(one) == data["k"]
    allowed = sum(one) <= m and sum(other) <= m < data["k"]
    total = sum(e for e, b, c in zip(data["eps"], one, other, strict=True) if b != c)
    return bool(bits and allowed and total == data["lost"] == sum(data["eps"]))


def fails_without_the_factor(data: Mapping[str, Any]) -> bool:
    """Return whether (ln q, δ)-DP laws at distance 1 are not (1, δ)-close."""
    p, q = data["laws"]
    _, e = exp_between(Fraction(data["d"]))
    exact = delta(p, q, data["q"]) == data["delta"] == delta(q, p, data["q"])
    least = max(p[o] / q[o] for o in p) == data["q"]
    return bool(
        data["d"] == 1 and is_law(p) and is_law(q) and exact and least
        and delta(p, q, e) > data["delta"]
    )  # fmt: skip


@theorem(
    id="E31",
    statement="The parts of a partitioning function have records in common, p_i(D) ∩ p_j(D) ≠ ∅: "
    "false, they have none.  Two copies of the database would do, and lose 2 ε.",
    status="refuted",
    cite="GB24 §IV-B, the definition before IV.4 (the sign may be the scan's)",
    latex=r"It is false that the parts of a partitioning function satisfy "
    r"$p_i(D)\cap p_j(D)\ne\emptyset$: they are disjoint. Two copies of the database would lose "
    r"$2\varepsilon$.",
)
def not_a_partition_of_parts_that_meet() -> Evidence:
    """An equality is meant, as the words "disjoint subsets" before it say."""
    return refutes("parts with records in common have the bound max ε_i", MEETING,
                   fails_as_parts_that_meet)  # fmt: skip


@theorem(
    id="E31",
    statement="With d_i = ρ_i d² the sum Σ d_i² is that of the ρ_i between neighbours: false, it "
    "is that of their squares; d_i² = ρ_i d² is meant.",
    status="refuted",
    cite="GB24.VI.15, the remark after it (the scan may have lost a square)",
    latex=r"It is false that $\sum_id_i^2=\sum_i\rho_i$ between neighbours if $d_i=\rho_id^2$: "
    r"$d_i^2=\rho_id^2$ is meant.",
)
def not_the_rate_of_a_metric() -> Evidence:
    """One part with ρ = 2, between neighbours."""
    return refutes("d_1² = ρ_1 where d_1 = ρ_1 d²", RATE, fails_as_a_metric)


@theorem(
    id="E31",
    statement="For bounded neighbours and blocks the bound max (ε_i + ε_j) is tighter than the "
    "distances Σ ε_i d^(p_i): false, these are never more, and less where a record stays in its "
    "block, as Example IV.14 says itself (1 against 4).",
    status="refuted",
    cite="GB24 §IV-E, the remark after IV.13, if read so",
    latex=r"It is false that $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$ is tighter than "
    r"$\sum_i\varepsilon_id_{\mathcal B}^{p_i}$ between bounded neighbours: a record that stays in "
    r"block $i$ costs $\varepsilon_i$.",
)
def not_tighter_between_neighbours() -> Evidence:
    """What the remark may mean: as a single number for all neighbours, it is less than Σ ε_i."""
    return refutes("max (ε_i + ε_j) ≤ Σ ε_i d^(p_i)", PER_STEP, fails_to_be_tighter)


@theorem(
    id="E31",
    statement="For databases of one size, n replaced records apart, and any blocks without common "
    "records, Σ ε_i d^(p_i) is at most n (ε_1 + ε_2), with the two largest ε_i.",
    status="decided",
    cite="GB24.IV.13, in its form with distances",
    latex=r"If $d_{\mathcal B}(D,D')=n$, then $\sum_i\varepsilon_id_{\mathcal B}^{p_i}(D,D')\le "
    r"n\,\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$.",
)
def sum_of_block_distances_le_two_largest_per_step() -> Evidence:
    """D has a_i records of block i that D′ lacks, D′ has b_i that D lacks; n records in all, each.

    Block i needs max(a_i, b_i) ≤ a_i + b_i steps.  The block with the largest ε is set aside.
    """
    import z3

    others, left, right, a, b, eps = (
        z3.Function(name, z3.IntSort(), z3.RealSort())
        for name in ("others", "left", "right", "a", "b", "eps")
    )
    first, second, n, x, y, rest = z3.Reals("first second n x y rest")

    def steps(one: Any, two: Any) -> Any:
        return z3.If(one >= two, one, two)

    return smt({
        "blocks besides the first: Σ ε_i max(a_i, b_i) ≤ ε_2 (Σ a_i + Σ b_i)": by_induction(
            lambda j: others(j) <= second * (left(j) + right(j)),
            [others(0) == 0, left(0) == 0, right(0) == 0],
            lambda j: [
                others(j + 1) == others(j) + eps(j) * steps(a(j), b(j)),
                left(j + 1) == left(j) + a(j), right(j + 1) == right(j) + b(j),
                a(j) >= 0, b(j) >= 0, eps(j) >= 0, eps(j) <= second,
            ],
        ),
        "with the first block: at most (ε_1 + ε_2) n": holds(
            first * steps(x, y) + rest <= (first + second) * n,
            rest <= second * ((n - x) + (n - y)),
            x >= 0, y >= 0, x <= n, y <= n, first >= second, second >= 0,
        ),
    })  # fmt: skip


@theorem(
    id="E31",
    statement="max (ε_i + ε_j) is less than Σ ε_i: false for two parts.",
    status="refuted",
    cite="GB24t.11, where the k > 2 of the paper is not repeated",
    latex=r"It is false that $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)<\sum_i\varepsilon_i$ for "
    r"$k=2$.",
)
def not_less_than_the_sum_of_two() -> Evidence:
    """For k ≥ 3 positive ε_i it is true: ``two_largest_lt_sum_of_three_or_more``."""
    return refutes("max (ε_i + ε_j) < Σ ε_i", TWO, fails_to_be_less)


@theorem(
    id="E31",
    statement="On the common domain the loss is at least Σ d_i: false, it is at most that, and "
    "mechanisms that always say the same lose nothing.",
    status="refuted",
    cite="GB24 §IV-D; GB24s §III-A: the words 'by at least'",
    latex=r"It is false that at least $\sum_id_i(D,D')$ is lost on the common domain; it is at "
    r"most that.",
)
def not_at_least_the_sum() -> Evidence:
    """Two constant mechanisms."""
    return refutes("the loss is at least Σ d_i", NOTHING, fails_to_be_lost)


@theorem(
    id="E31",
    statement="Whoever can be in fewer than all databases loses less than by composing all: false "
    "for bounded neighbours and at most m of k ≤ 2m databases.  Two choices of at most two of "
    "three differ in all three.",
    status="refuted",
    cite="HBW.V-A, the general case",
    latex=r"It is false that the bound improves for bounded neighbours whenever a person is in at "
    r"most $m<k$ of $k$ databases: for $k\le2m$ two allowed choices differ in all of them.",
)
def not_better_of_fewer_than_all() -> Evidence:
    """For unbounded neighbours it is true where all ε_i are positive."""
    return refutes("at most m < k databases lose less than Σ ε_i", FEWER, fails_to_improve)


@theorem(
    id="E31",
    statement="Two choices of at most m of k databases differ in at most 2m of them, and if k ≤ 2m "
    "some two differ in all; a choice differs from none in at most m.  So what improves is m < k "
    "for unbounded neighbours, and 2m < k for bounded ones.",
    status="decided",
    cite="HBW.V-A, V-A.1, corrected",
    latex=r"Two choices of at most $m$ of $k$ databases differ in at most $2m$ of them, and for "
    r"$m\le k\le2m$ some two differ in all $k$.",
)
def differences_of_two_choices() -> Evidence:
    """Of the databases x are in the first choice only, y in the second only, z in both."""
    import z3

    x, y, z, m, k = z3.Ints("x y z m k")
    return smt({
        "x + y ≤ 2m, and x ≤ m against none": holds(
            z3.And(x + y <= 2 * m, x <= m), x + z <= m, y + z <= m, x >= 0, y >= 0, z >= 0
        ),
        "for m ≤ k ≤ 2m some x, y ≤ m have x + y = k": holds(
            z3.Exists([x, y], z3.And(x >= 0, y >= 0, x <= m, y <= m, x + y == k)),
            m >= 1, m <= k, k <= 2 * m,
        ),
    })  # fmt: skip


@theorem(
    id="E31",
    statement="M is G (ε, δ)-DP iff it is (d, δ [d]_ε)-private: false without the ε before d, for "
    "randomized response with e^ε = 4, whose δ at distance 1 is positive.",
    status="refuted",
    cite="GB24.VI.3, where the ε of ε d is missing (perhaps lost in the scan)",
    latex=r"It is false that $M$ is $(d,\delta[d]_\varepsilon)$-private iff it is $\mathcal G$ "
    r"$(\varepsilon,\delta)$-DP: $(\varepsilon d,\delta[d]_\varepsilon)$ is meant.",
)
def not_private_without_the_factor() -> Evidence:
    """Between neighbours that is (1, δ), whatever ε is."""
    return refutes("(ε, δ)-DP is (1, δ)-privacy between neighbours", WITHOUT,
                   fails_without_the_factor)  # fmt: skip
