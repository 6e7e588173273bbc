"""GB24 §IV-D, equation (IV.1): the distances of the blocks and the distance of the whole."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import (
    bounded,
    changed,
    leq,
    links,
    part,
    path_lengths,
    plus,
    refutes,
)

PATH: Final[Mapping[str, Any]] = {
    "databases": (("1", "3"), ("2", "3"), ("2", "4"), ("4", "5")),
    "blocks": (("1", "2", "5"), ("3", "4")),
    "D": ("1", "3"), "D'": ("4", "5"), "parts": (3, 1), "sum": 4, "distance": 3,
}  # fmt: skip
"""A path of three replacements: in the first block, in the second, in the first."""


def fails_to_commute(data: Mapping[str, Any]) -> bool:
    """Return whether C1 holds and the minima over fibres add up to more than the distance."""
    databases, blocks, D, E = data["databases"], data["blocks"], data["D"], data["D'"]
    pairs = links(databases, bounded)
    length = path_lengths(databases, pairs)
    compatible = all(len(changed(A, B, blocks)) <= 1 for A, B in pairs)
    found = []
    for block in blocks:
        ones = [A for A in databases if part(A, block) == part(D, block)]
        twos = [B for B in databases if part(B, block) == part(E, block)]
        finite = [r for A in ones for B in twos if (r := length[A, B]) is not None]
        if not finite:
            return False
        found.append(min(finite))
    disjoint = not set(blocks[0]) & set(blocks[1])
    covered = {x for B in databases for x in B} <= {x for b in blocks for x in b}
    return bool(
        compatible and disjoint and covered and tuple(found) == data["parts"]
        and sum(found) == data["sum"] and length[D, E] == data["distance"]
        and sum(found) > data["distance"]
    )  # fmt: skip


@theorem(
    id="E19",
    statement="A compatible partition satisfies Σ d^{p_i}(D,D') = d(D,D') for all D, D': false, "
    "and so is ≤: 4 > 3 for {1,3} and {4,5} in the class {1,3}, {2,3}, {2,4}, {4,5}, bounded, "
    "blocks {1,2,5} and {3,4}.",
    status="refuted",
    cite="GB24 §IV-D, equation (IV.1), before IV.12",
    latex=r"It is false that a compatible partition satisfies $\sum_id^{p_i}=d$ for all "
    r"databases, and so is $\le$: in the class of $\{1,3\}$, $\{2,3\}$, $\{2,4\}$, $\{4,5\}$ "
    r"with bounded neighbours and the blocks $\{1,2,5\}$, $\{3,4\}$ the sum is $4$ for the first "
    r"and the last, and $d=3$.",
)
def not_commuting_of_compatible() -> Evidence:
    """The bound between neighbours (IV.12) stands."""
    return refutes("C1 implies Σ d^{p_i} = d", PATH, fails_to_commute)


@theorem(
    id="E19",
    statement="A compatible family of maps satisfies Σ d_i(f_i D, f_i D') ≤ d(D,D') for the "
    "distances of the pushforwards.",
    status="checked",
    cite="GB24, equation (IV.1) before IV.12, corrected; N2",
    latex=r"The distances $d_i$ of the pushforwards along a compatible family of maps satisfy "
    r"$\sum_id_i(f_i(D),f_i(D'))\le d(D,D')$ for all databases.",
)
def commuting_pushforwards_of_compatible() -> Evidence:
    """All graphs on four points and all pairs of maps.

    In general: each edge of a shortest path moves at most one image, by one step of its
    pushforward, and distances are at most the lengths of the image paths.
    """
    points, cases, true = range(4), 0, True
    labelings = [
        f for f in itertools.product(range(4), repeat=4)
        if all(x <= max(f[:n], default=-1) + 1 for n, x in enumerate(f))
    ]  # fmt: skip
    every = list(itertools.combinations(points, 2))
    for number in range(1 << len(every)):
        edges = [e for n, e in enumerate(every) if number >> n & 1]
        whole = path_lengths(points, edges)
        pushed = {
            f: path_lengths(sorted(set(f)), {(f[x], f[y]) for x, y in edges}) for f in labelings
        }
        for f, g in itertools.combinations_with_replacement(labelings, 2):
            if any(f[x] != f[y] and g[x] != g[y] for x, y in edges):
                continue
            cases += 1
            true &= all(
                leq(plus(pushed[f][f[x], f[y]], pushed[g][g[x], g[y]]), whole[x, y])
                for x, y in every
            )
    return CheckedInScope("all graphs on four databases, all compatible pairs of maps", cases, true)


@theorem(
    id="E19",
    statement="The class of four databases is smallest: on three databases a compatible pair of "
    "maps never has Σ d^{f_i} > d.",
    status="checked",
    cite="this project",
    latex=r"On three databases a compatible pair of maps never has $\sum_id^{f_i}>d$, so that "
    r"the counterexample with four databases is smallest.",
)
def commuting_fibres_of_three_databases() -> Evidence:
    """All graphs and all pairs of maps on three points."""
    points, cases, true = range(3), 0, True
    labelings = list(itertools.product(range(3), repeat=3))
    every = list(itertools.combinations(points, 2))
    for number in range(1 << len(every)):
        edges = [e for n, e in enumerate(every) if number >> n & 1]
        whole = path_lengths(points, edges)

        def fibre(f: tuple[int, ...], x: int, y: int, whole: Any = whole) -> int | None:
            pairs = [(a, b) for a in points for b in points if f[a] == f[x] and f[b] == f[y]]
            return min((r for p in pairs if (r := whole[p]) is not None), default=None)

        for f, g in itertools.combinations_with_replacement(labelings, 2):
            if any(f[x] != f[y] and g[x] != g[y] for x, y in edges):
                continue
            cases += 1
            true &= all(leq(plus(fibre(f, x, y), fibre(g, x, y)), whole[x, y]) for x, y in every)
    return CheckedInScope("all graphs on three databases, all pairs of maps", cases, true)
