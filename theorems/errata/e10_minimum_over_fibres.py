"""GB24.IV.10, IV.11: the minimum over fibres."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym import kernel
from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems.errata._plain import FAR, is_law, leq, path_lengths, private, refutes, valid

FOUR: Final[Mapping[str, Any]] = {
    "points": (1, 2, 3, 4), "edges": ((1, 2), (3, 4)),
    "f": {1: "A", 2: "B", 3: "B", 4: "C"}, "D": 1, "D'": 4, "printed": FAR,
    "chain": (1, 2, 3, 4), "exact": 2,
}  # fmt: skip
"""Two edges, and f glues an end of one to an end of the other."""

TRIANGLE: Final[Mapping[str, Any]] = {
    "points": (1, 2, 3, 4), "edges": ((1, 2), (3, 4)),
    "f": {1: "A", 2: "B", 3: "B", 4: "C"}, "corners": (1, 2, 4), "sides": (1, 1, FAR),
}  # fmt: skip


def over_fibres(data: Mapping[str, Any], D: Any, E: Any) -> Any:
    """Return the least distance between points with the images of D and E."""
    length = path_lengths(data["points"], data["edges"])
    f, found = data["f"], FAR
    for A, B in itertools.product(data["points"], repeat=2):
        if f[A] == f[D] and f[B] == f[E] and leq(length[A, B], found):
            found = length[A, B]
    return found


def fails_to_be_exact(data: Mapping[str, Any]) -> bool:
    """Return whether a chain of edges and equal images bounds the loss below the minimum.

    Along an edge an ε-DP mechanism loses at most ε; between equal images an f-dependent one loses
    nothing; so the chain bounds the loss between its ends by ε times its number of edges.
    """
    chain, f = data["chain"], data["f"]
    edges = {frozenset(e) for e in data["edges"]}
    cost = 0
    for A, B in itertools.pairwise(chain):
        if f[A] == f[B]:
            continue
        if frozenset((A, B)) not in edges:
            return False
        cost += 1
    printed = over_fibres(data, data["D"], data["D'"])
    return (
        (chain[0], chain[-1]) == (data["D"], data["D'"]) and set(f) == set(data["points"])
        and cost == data["exact"] and printed == data["printed"] and not leq(printed, cost)
    )  # fmt: skip


def fails_to_be_a_metric(data: Mapping[str, Any]) -> bool:
    """Return whether the triangle inequality fails for the minimum over fibres."""
    one, two, three = data["corners"]
    sides = tuple(over_fibres(data, *pair) for pair in ((one, two), (two, three), (one, three)))
    if sides != data["sides"] or None in sides[:2]:
        return False
    return not leq(sides[2], sides[0] + sides[1])


@theorem(
    id="E10",
    statement="The minimum of d over the fibres of f is the exact guarantee of f-dependent "
    "mechanisms: false, on four points it is ∞ and every such mechanism has 2.",
    status="refuted",
    cite="GB24.IV.10, IV.11, where it is called the minimum privacy",
    latex=r"It is false that the minimum of $d$ over the fibres of $f$ is the exact guarantee of "
    r"$f$-dependent mechanisms: on four points it is $\infty$, and every such mechanism is "
    r"private at $2$.",
)
def not_exact_minimum_over_fibres() -> Evidence:
    """Sound, but loose: the guarantee also passes along chains through other fibres.

    That the minimum violates the triangle inequality is said in the source; here it is shown.
    """
    return (
        refutes("d^f is the least guarantee", FOUR, fails_to_be_exact),
        refutes("d^f is a metric", TRIANGLE, fails_to_be_a_metric),
    )


@theorem(
    id="E10",
    statement="The least distance between two fibres need not be attained: it is an infimum.",
    status="decided",
    cite="GB24.IV.10, where it is called a minimum and attained databases are chosen",
    latex=r"The infimum of $d(D,D')$ over $D\in f^{-1}(y)$ and $D'\in f^{-1}(y')$ need not be "
    r"attained.",
)
def not_attained_infimum_over_fibres() -> Evidence:
    """On the line, f(−1/n) = A and f(1/m) = B: the distances 1/n + 1/m have infimum 0, no minimum.

    The conclusion holds for the infimum: the laws are the same for all databases of a fibre, and
    an inequality that holds for every larger bound holds for the infimum.
    """
    import z3

    n, m, t = z3.Reals("n m t")
    natural = z3.And(n >= 1, m >= 1)
    return Discharged(
        "smt",
        {
            "every distance is positive": valid(z3.Implies(natural, 1 / n + 1 / m > 0)),
            "and is undercut by another": valid(
                z3.Implies(natural, 1 / (n + 1) + 1 / m < 1 / n + 1 / m)
            ),
            "every t > 0 is undercut": valid(
                z3.Implies(z3.And(t > 0, n * t > 2, n >= 1), 1 / n + 1 / n < t)
            ),
        },
    )


@theorem(
    id="E10",
    statement="An f-dependent mechanism that is private for G on 𝔻 is private for the distance of "
    "the pushforward of G on f(𝔻): y ~ y′ iff some D ~ D′ are mapped to them.",
    status="rule",
    cite="N2, for GB24.IV.10, IV.11",
    latex=r"An $f$-dependent mechanism that is private for $\mathcal G$ is private at the "
    r"canonical metric on $f(\mathbb D)$ of the relation $y\sim y'$ that holds iff $y=f(D)$ and "
    r"$y'=f(D')$ for some $D\sim_{\mathcal G}D'$.",
)
def private_at_pushforward_distance_of_dependent() -> Evidence:
    """A rule of the kernel, argued along paths."""
    domain, image = kernel.DatabaseClass("D", "{}", ()), kernel.DatabaseClass("E", "{}", ())
    mechanism, arrow = (
        kernel.NamedMechanism("M", domain, ()),
        kernel.NamedMap("f", "{}", domain, image, ()),
    )
    loss = kernel.Neighbouring(kernel.NamedRelation("G", "{}"), domain, (kernel.Param("a"),))
    part = kernel.given(kernel.Private(mechanism, "pure", loss, ()), "M is private")
    dependent = kernel.given(kernel.Dependent(mechanism, arrow), "M depends only on f")
    return kernel.pushforward(part, dependent)


@theorem(
    id="E10",
    statement="On the four points the loss between 1 and 4 is at most 2ε, which is attained for "
    "ε = ln 2.",
    status="decided",
    cite="this project, for GB24.IV.10",
    latex=r"On the four points the loss between $1$ and $4$ is at most $2\varepsilon$, and this "
    r"is attained for $\varepsilon=\ln2$.",
)
def twice_epsilon_of_four_points() -> Evidence:
    """Two steps and an equality; attained by the truncated geometric mechanism."""
    import z3

    p1, p2, p3, p4, q = z3.Reals("p1 p2 p3 p4 q")
    chain = z3.And(q >= 1, p1 <= q * p2, p2 == p3, p3 <= q * p4, p4 >= 0)
    a = Fraction(1, 2)
    ends, middle = (1 / (1 + a), a * (1 - a) / (1 + a), a**2 / (1 + a)), a / (1 + a)
    tables = {
        "A": dict(enumerate(ends)),
        "B": {0: middle, 1: (1 - a) / (1 + a), 2: middle},
        "C": dict(enumerate(reversed(ends))),
    }
    laws = {x: tables[image] for x, image in FOUR["f"].items()}
    found = {
        "laws": all(map(is_law, laws.values())),
        "2-private along the edges": private(laws, FOUR["edges"], 2),
        "ratio at 1 and 4": laws[1][0] / laws[4][0],
    }
    return (
        Discharged("smt", {"p1 ≤ q² p4": valid(z3.Implies(chain, p1 <= q * q * p4))}),
        Computed(
            {"laws": True, "2-private along the edges": True, "ratio at 1 and 4": Fraction(4)},
            found,
        ),
    )


@theorem(
    id="E10",
    statement="The pushforward distance never exceeds the minimum over fibres, and is a metric.",
    status="checked",
    cite="N2, against GB24.IV.10",
    latex=r"The distance of the pushforward is a metric, and is never above the minimum of $d$ "
    r"over the fibres of $f$.",
)
def pushforward_below_minimum_over_fibres() -> Evidence:
    """All graphs on four points with all maps."""
    points, cases, true = range(4), 0, True
    every = list(itertools.combinations(points, 2))
    for number in range(1 << len(every)):
        edges = [e for n, e in enumerate(every) if number >> n & 1]
        for labels in itertools.product(range(3), repeat=4):
            images = sorted(set(labels))
            pushed = path_lengths(images, {(labels[x], labels[y]) for x, y in edges})
            f = dict(enumerate(labels))
            world = {"points": points, "edges": edges, "f": f}
            cases += 1
            true &= all(
                leq(pushed[f[x], f[y]], over_fibres(world, x, y))
                for x, y in ((0, 1), (0, 3), (1, 2))
            )
    return CheckedInScope("all graphs on four databases, all maps to three images", cases, true)
