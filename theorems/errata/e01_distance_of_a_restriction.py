"""GB24.IV.15: what a bounded guarantee becomes for a mechanism that reads D ∩ Y only."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems.errata._plain import (
    FAR,
    bounded,
    gap,
    is_law,
    leq,
    links,
    lost,
    multisets,
    part,
    path_lengths,
    refutes,
    valid,
)

ONE: Final = Fraction(1)
WHOLE: Final[Mapping[str, Any]] = {
    "X": ("a",), "Y": ("a",), "D": (), "D'": ("a",), "printed": 1,
    "laws": {(): {0: ONE}, ("a",): {1: ONE}}, "outcome": 0,
}  # fmt: skip
"""Y = X = {a}; the mechanism publishes the number of records."""

LOOSE: Final[Mapping[str, Any]] = {
    "X": ("a", "b", "z"), "Y": ("a", "b"), "D": ("a",), "D'": ("b", "b"), "printed": 3,
    "path": (("a", "z"), ("b", "z"), ("b", "b")),
}  # fmt: skip
"""A path of replacements between databases with the same images as D and D'."""

STEP: Final[Mapping[str, Any]] = {
    "X": ("z",), "Y": (), "D": (), "D'": ("z",), "padded": (), "right side": 0,
}  # fmt: skip
"""Y empty: the padded image of D and the database D' itself have different sizes."""


def fails_for_the_whole(data: Mapping[str, Any]) -> bool:
    """Return whether a bounded private, Y-dependent mechanism exceeds the printed distance."""
    X, Y, laws = data["X"], data["Y"], data["laws"]
    D, E, outcome = data["D"], data["D'"], data["outcome"]
    # A replacement keeps the number of records, so these are all neighbours of D and D' in D_X.
    databases = [B for B in multisets(X, max(len(D), len(E))) if len(B) in {len(D), len(E)}]
    if set(laws) != set(databases) or not all(map(is_law, laws.values())):
        return False
    pairs = list(itertools.combinations(databases, 2))
    guaranteed = all(laws[A] == laws[B] for A, B in pairs if bounded(A, B))
    dependent = all(laws[A] == laws[B] for A, B in pairs if part(A, Y) == part(B, Y))
    printed = gap(part(D, Y), part(E, Y))  # the bounded distance is infinite: the sizes differ
    # The event has a probability on one side only: no finite distance bounds the loss.
    return bool(
        guaranteed and dependent and len(D) != len(E) and printed == data["printed"]
        and laws[D].get(outcome, 0) == 1 and laws[E].get(outcome, 0) == 0
    )  # fmt: skip


def fails_to_be_the_minimum(data: Mapping[str, Any]) -> bool:
    """Return whether a path between the fibres is shorter than the printed minimum."""
    X, Y, D, E, path = data["X"], data["Y"], data["D"], data["D'"], data["path"]
    printed = gap(part(D, Y), part(E, Y))  # D and D' have different sizes
    return (
        len(D) != len(E) and set().union(D, E, *path) <= set(X) and set(Y) < set(X)
        and part(path[0], Y) == part(D, Y) and part(path[-1], Y) == part(E, Y)
        and all(bounded(A, B) for A, B in itertools.pairwise(path))
        and printed == data["printed"] and len(path) - 1 < printed
    )  # fmt: skip


def fails_as_a_step(data: Mapping[str, Any]) -> bool:
    """Return whether the padded image of D has infinite bounded distance from D' itself."""
    Y, D, E, padded = data["Y"], data["D"], data["D'"], data["padded"]
    missing = len(part(E, Y)) - len(part(D, Y))
    outside = set(data["X"]) - set(Y)
    right = gap(part(D, Y), part(E, Y))
    return (
        missing >= 0 and bool(outside) and set().union(D, E, padded) <= set(data["X"])
        and part(padded, Y) == part(D, Y) and len(padded) == len(part(D, Y)) + missing
        and len(padded) != len(E) and right == data["right side"]
    )  # fmt: skip


@theorem(
    id="E1",
    statement="A bounded d-private mechanism that depends only on D ∩ Y is private for "
    "min{d_B(D,D'), |(D∩Y) Δ (D'∩Y)|}, whatever Y ⊆ X is: false for Y = X, where ∅ and {a} are "
    "told apart with certainty.",
    status="refuted",
    cite="GB24.IV.15",
    latex=r"It is false that a bounded $d$-private mechanism that depends on $D\cap Y$ only is "
    r"private at $\min\{d_{\mathcal B}(D,D'),|(D\cap Y)\triangle(D'\cap Y)|\}$ for every "
    r"$Y\subseteq\mathcal X$: for $Y=\mathcal X$ it may tell $\emptyset$ and $\{a\}$ apart with "
    r"certainty.",
)
def not_private_at_the_symmetric_difference_of_all_records() -> Evidence:
    """The number of records is 0-private for the bounded granularity, and reveals itself."""
    return refutes(
        "for every Y, a bounded private mechanism that reads D∩Y loses at most |(D∩Y)Δ(D'∩Y)|",
        WHOLE, fails_for_the_whole,
    )  # fmt: skip


@theorem(
    id="E1",
    statement="The least bounded distance between databases with the images D∩Y and D'∩Y equals "
    "min{d_B(D,D'), |(D∩Y) Δ (D'∩Y)|}: false, {a} and {b,b} have 2, and the formula says 3.  The "
    "last step of the proof, d_B(C,D') ≤ |(D∩Y) Δ (D'∩Y)| for the padded image C of D, is false "
    "too: C must be compared with the image of D'.",
    status="refuted",
    cite="GB24.IV.15 and its proof",
    latex=r"It is false that the least bounded distance of databases with the images $D\cap Y$ "
    r"and $D'\cap Y$ is $\min\{d_{\mathcal B}(D,D'),|(D\cap Y)\triangle(D'\cap Y)|\}$: for "
    r"$\{a\}$ and $\{b,b\}$ it is $2$, and the formula says $3$.",
)
def not_the_symmetric_difference_of_restrictions() -> Evidence:
    """For Y ≠ X the formula is a sound upper bound, not the minimum."""
    return (
        refutes("the minimum over fibres is the printed formula", LOOSE, fails_to_be_the_minimum),
        refutes("d_B(C, D') ≤ |(D∩Y)Δ(D'∩Y)|", STEP, fails_as_a_step),
    )


def _small_world() -> CheckedInScope:
    X, Y, cases, true = ("a", "b", "z"), ("a", "b"), 0, True
    databases = list(multisets(X, 3))
    length = path_lengths(databases, links(databases, bounded))
    for D, E in itertools.product(multisets(Y, 3), repeat=2):
        found: int | Fraction | None = FAR
        for A, B in itertools.product(databases, repeat=2):
            if part(A, Y) == D and part(B, Y) == E and leq(length[A, B], found):
                found = length[A, B]
        cases += 1
        true &= found == max(lost(D, E), lost(E, D))
    scope = "X = {a, b, z}, Y = {a, b}, all databases with at most three records"
    return CheckedInScope(scope, cases, true)


@theorem(
    id="E1",
    statement="On all tables over X, with Y ≠ X: the least bounded distance between databases "
    "with images A and B in Y is max(|A∖B|, |B∖A|).",
    status="rocq",
    cite="GB24.IV.15, corrected",
    latex=r"On all tables over $\mathcal X$, with $\mathcal Y\ne\mathcal X$, the least bounded "
    r"distance between databases whose records in $\mathcal Y$ are $A$ and $B$ is $d_{\mathcal "
    r"B}^f(D,D')=\max(|A\setminus B|,|B\setminus A|)$.",
)
def larger_loss_of_restrictions_of_bounded_distance() -> Evidence:
    """One replacement changes |A∖B| by at most 1, so the distance is at least both numbers.

    Conversely, pad the smaller image with records outside Y until the sizes agree: then, as long
    as they differ, one has a record too many and one too few, and the replacement of one by the
    other brings |A∖B| down by 1.
    """
    import z3

    a, b, c, d = z3.Ints("a b c d")  # multiplicities at the two touched records
    first, second = z3.Bools("x_in_Y y_in_Y")

    def excess(left: Any, right: Any) -> Any:
        return z3.If(left > right, left - right, 0)

    def counted(inside: Any, value: Any) -> Any:
        return z3.If(inside, value, 0)

    natural = z3.And(a >= 1, b >= 0, c >= 0, d >= 0)
    before = counted(first, excess(a, b)) + counted(second, excess(c, d))
    after = counted(first, excess(a - 1, b)) + counted(second, excess(c + 1, d))
    before_back = counted(first, excess(b, a)) + counted(second, excess(d, c))
    after_back = counted(first, excess(b, a - 1)) + counted(second, excess(d, c + 1))
    near = z3.And(
        after - before <= 1, before - after <= 1,
        after_back - before_back <= 1, before_back - after_back <= 1,
    )  # fmt: skip
    nearer = excess(a - 1, b) + excess(c + 1, d) == excess(a, b) + excess(c, d) - 1
    return (
        Discharged(
            "smt",
            {
                "a replacement changes |A∖B| and |B∖A| by at most 1": valid(
                    z3.Implies(natural, near)
                ),
                "replacing a surplus record by a missing one lowers |A∖B| by 1": valid(
                    z3.Implies(z3.And(natural, a > b, c < d), nearer)
                ),
            },
            "multisets of equal size that differ have a surplus and a missing record",
        ),
        _small_world(),
    )
