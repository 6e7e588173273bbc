"""GB24.III.6, III.8, A.3: what 0 · ∞ must mean where sensitivities multiply distances."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import FAR, Length, delta, is_law, leq, plus, refutes, times

ONE: Final = Fraction(1)
PREPROCESS: Final[Mapping[str, Any]] = {
    "d1": FAR, "d2": FAR, "sensitivity": 0, "claimed": 0,
    "laws": ({"x": ONE}, {"y": ONE}),
}  # fmt: skip
"""Two databases at infinite distance, f the identity: no pair at finite distance, so Δf = 0."""

CHAIN: Final[Mapping[str, Any]] = {
    "d1": 1, "d2": FAR, "d3": 1, "first": FAR, "second": 0, "both": 1, "claimed": 0,
}  # fmt: skip
"""Two points and identities between three metrics: Δf = ∞, Δg = 0, Δ(g∘f) = 1."""

GRANULARITIES: Final[Mapping[str, Any]] = {
    "first": 1, "second": FAR, "k": 0, "claimed": 0,
}  # fmt: skip
"""Two databases that are neighbours for the first granularity only."""


def sensitivity(pairs: list[tuple[Length, Length]]) -> Length:
    """Return the least c >= 0 with d2 <= c d1 where d1 is finite, with 0 · ∞ = ∞."""
    least: Length = 0
    for one, two in pairs:
        if one is None:
            continue
        if two is None or (one == 0 and two):
            return FAR
        if one and least is not None:
            least = max(least, Fraction(two) / one)
    return least


def _claimed(factor: Length, length: Length) -> Length:
    return times(factor, length, nothing_times_far=0)


def fails_to_preprocess(data: Mapping[str, Any]) -> bool:
    """Return whether a d2-private M has M∘f not (Δf)d1-private when 0 · ∞ is 0."""
    one, two = data["laws"]
    claimed = _claimed(data["sensitivity"], data["d1"])
    return (
        is_law(one) and is_law(two) and sensitivity([(data["d1"], data["d2"])]) == 0
        and data["sensitivity"] == 0 and data["d2"] is FAR  # so any M is d2-private
        and claimed == data["claimed"] == 0 and delta(one, two, 1) > 0
    )  # fmt: skip


def fails_to_multiply(data: Mapping[str, Any]) -> bool:
    """Return whether Δ(g∘f) exceeds Δf · Δg when 0 · ∞ is 0."""
    first = sensitivity([(data["d1"], data["d2"])])
    second = sensitivity([(data["d2"], data["d3"])])
    both = sensitivity([(data["d1"], data["d3"])])
    claimed = _claimed(first, second)
    return (
        (first, second, both, claimed)
        == (data["first"], data["second"], data["both"], data["claimed"])
        and not leq(both, claimed)
    )  # fmt: skip


def fails_to_compare(data: Mapping[str, Any]) -> bool:
    """Return whether d1 <= k d2 fails when 0 · ∞ is 0; k is 0 as there are no G2-neighbours."""
    neighbours = [data["first"]] if data["second"] == 1 else []
    k = max(neighbours, default=0)
    claimed = _claimed(k, data["second"])
    return (
        k == data["k"] and claimed == data["claimed"] and data["first"] == 1
        and not leq(data["first"], claimed)
    )  # fmt: skip


@theorem(
    id="E13",
    statement="M∘f is (Δf)d1-private; Δ(g∘f) ≤ Δf·Δg; d^{G1} ≤ dist(G1,G2)·d^{G2}: all three are "
    "false if 0 · ∞ is read as 0.",
    status="refuted",
    cite="GB24.III.6, III.8, A.3 (silent about 0 · ∞)",
    latex=r"If $0\cdot\infty$ is read as $0$, it is false that $M\circ f$ is $(\Delta "
    r"f)d_1$-private, that $\Delta(g\circ f)\le\Delta f\,\Delta g$, and that $d^{\mathcal "
    r"G_1}\le\mathrm{dist}(\mathcal G_1,\mathcal G_2)\,d^{\mathcal G_2}$.",
)
def not_bounded_by_products_of_nothing_and_infinity() -> Evidence:
    """Two databases are enough for each."""
    return (
        refutes("III.6 with 0·∞ = 0", PREPROCESS, fails_to_preprocess),
        refutes("III.8 with 0·∞ = 0", CHAIN, fails_to_multiply),
        refutes("A.3 with 0·∞ = 0", GRANULARITIES, fails_to_compare),
    )


_VALUES: Final[tuple[Length, ...]] = (0, 1, 2, FAR)


def _spaces() -> Iterator[dict[tuple[int, int], Length]]:
    """Yield the pseudometrics on three points with distances 0, 1, 2, ∞."""
    for a, b, c in itertools.product(_VALUES, repeat=3):
        if leq(a, plus(b, c)) and leq(b, plus(a, c)) and leq(c, plus(a, b)):
            table: dict[tuple[int, int], Length] = {(0, 1): a, (0, 2): b, (1, 2): c}
            table |= {(y, x): r for (x, y), r in table.items()}
            yield table | {(x, x): 0 for x in range(3)}


@theorem(
    id="E13",
    statement="With 0 · ∞ = ∞: d2(f D, f D') ≤ Δf · d1(D, D') for all D, D', and Δ(g∘f) ≤ Δf · Δg.",
    status="checked",
    cite="GB24.III.6, III.8, with the convention",
    latex=r"With $0\cdot\infty=\infty$, $d_2(f(D),f(D'))\le\Delta f\,d_1(D,D')$ for all $D,D'$, "
    r"and $\Delta(g\circ f)\le\Delta f\,\Delta g$.",
)
def bounded_by_products_of_sensitivities() -> Evidence:
    """All pseudometrics on three points with distances 0, 1, 2, ∞, and all maps between them."""
    points, cases, true = range(3), 0, True
    spaces = list(_spaces())
    maps = list(itertools.product(points, repeat=3))
    pairs = list(itertools.combinations(points, 2))
    tables = {}
    for f in maps:
        for n, one in enumerate(spaces):
            for m, two in enumerate(spaces):
                c = sensitivity([(one[x, y], two[f[x], f[y]]) for x, y in pairs])
                tables[f, n, m] = c
                cases += 1
                true &= all(leq(two[f[x], f[y]], times(c, one[x, y])) for x, y in pairs)
    # One representative of the maps up to renaming the middle and last points.
    for f, g in (((0, 1, 2), (0, 1, 2)), ((0, 0, 1), (0, 1, 1)), ((0, 1, 1), (1, 2, 2))):
        whole = tuple(g[f[x]] for x in points)
        for n, m, r in itertools.product(range(len(spaces)), repeat=3):
            cases += 1
            true &= leq(tables[whole, n, r], times(tables[f, n, m], tables[g, m, r]))
    return CheckedInScope(
        "pseudometrics on three points with values 0, 1, 2, ∞; all maps (three pairs of maps for "
        "the composition)",
        cases, true,
    )  # fmt: skip
