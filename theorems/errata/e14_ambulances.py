"""GB24.IV.2: counts and positions of ambulances in two districts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Part, Problem, library_granularity, library_map
from theorems._entry import CheckedInScope, Computed, Evidence, theorem
from theorems._facts import bounded_by, records
from theorems.errata._plain import refutes

SAME: Final[Mapping[str, Any]] = {"D": (0, 1), "largest distance": 1}
EMPTY: Final[Mapping[str, Any]] = {
    "districts": ((0, 1), (5, 6)), "D": (0,), "district": 2, "records": 0,
}  # fmt: skip
LOOSE: Final[Mapping[str, Any]] = {
    "districts": ((0, 1), (5, 6)), "hospitals": (0, 5), "D": (1, 6), "D'": (0, 1, 6),
    "L": 1, "printed": 3, "true": 2,
}  # fmt: skip


def fails_to_be_a_metric(data: Mapping[str, Any]) -> bool:
    """Return whether the largest distance of a database from itself is positive."""
    found = max(abs(x - y) for x in data["D"] for y in data["D"])
    return bool(found == data["largest distance"] and found > 0)


def fails_to_be_defined(data: Mapping[str, Any]) -> bool:
    """Return whether a district has no ambulance, so that none of them is the closest."""
    inside = [x for x in data["D"] if x in data["districts"][data["district"] - 1]]
    everywhere = set().union(*data["districts"])
    return set(data["D"]) <= everywhere and len(inside) == data["records"] == 0


def _loss(data: Mapping[str, Any], D: tuple[int, ...], E: tuple[int, ...]) -> int:
    """Return the sum of the count distances and of the distances of the closest ambulances.

    An empty district answers with its hospital's place, which lies in the district.
    """
    total = 0
    for district, hospital in zip(data["districts"], data["hospitals"], strict=True):
        one, two = ([x for x in B if x in district] for B in (D, E))
        counts = {x: abs(one.count(x) - two.count(x)) for x in district}
        places = [
            min(B, key=lambda x: (abs(x - hospital), x), default=hospital) for B in (one, two)
        ]
        total += sum(counts.values()) + abs(places[0] - places[1])
    return total


def fails_to_be_exact(data: Mapping[str, Any]) -> bool:
    """Return whether 1 + 2L exceeds the loss, 1 + L at most, between neighbours."""
    D, E, L = data["D"], data["D'"], data["L"]
    spans = {max(d) - min(d) for d in data["districts"]}
    longer = sorted(D) if len(D) > len(E) else sorted(E)
    shorter = sorted(E) if len(D) > len(E) else sorted(D)
    neighbours = any(longer[:n] + longer[n + 1 :] == shorter for n in range(len(longer)))
    true = _loss(data, D, E)
    return (
        spans == {L} and neighbours and data["printed"] == 1 + 2 * L
        and true == data["true"] == 1 + L
    )  # fmt: skip


@theorem(
    id="E14",
    statement="The largest distance between records of D and of D' is a metric: false, {0,1} has "
    "distance 1 from itself.  The closest ambulance of a district without any is undefined.",
    status="refuted",
    cite="GB24.IV.2",
    latex=r"It is false that the largest distance of a record of $D$ from one of $D'$ is a "
    r"metric: $\{0,1\}$ has distance $1$ from itself. The closest ambulance of a district "
    r"without any is undefined.",
)
def not_a_metric_largest_distance() -> Evidence:
    """A convention inside the district (say the hospital's place) is needed."""
    return (
        refutes("max d(x,x') vanishes at D = D'", SAME, fails_to_be_a_metric),
        refutes("every district has a closest ambulance", EMPTY, fails_to_be_defined),
    )


@theorem(
    id="E14",
    statement="Neighbours lose up to 1 + 2L: false as an exact value; one district changes, so "
    "they lose at most 1 + L.",
    status="refuted",
    cite="GB24.IV.2, d_U + 2L",
    latex=r"It is false that neighbours may lose $1+2L$: one district changes, and they lose at "
    r"most $1+L$.",
)
def not_one_plus_twice_the_diameter() -> Evidence:
    """The bound is sound.  L is measured in units of privacy loss."""
    return refutes("1 + 2L is attained", LOOSE, fails_to_be_exact)


@theorem(
    id="E14",
    statement="Over any partition by place, counts that are 1-DP for one record more or less, and "
    "places that are L_i-private between any two databases of district i, as those with a "
    "distance of at most L_i are, together lose max (1 + L_i) between unbounded neighbours, and "
    "that is the best bound.",
    status="derived",
    cite="GB24.IV.2, corrected",
    latex=r"Between unbounded neighbours the parts of all districts together lose at most "
    r"$\max_i(1+L_i)$, with $L_i$ the diameter of district $i$, and may lose as much.",
)
def one_plus_the_diameter_of_neighbours() -> Evidence:
    """One record lies in one district: its count moves by 1, its place by at most the diameter.

    A place is private for every change in its district, free-lunch neighbours: see GB24.III-A.
    """
    districts = library_map("partition", name="districts")
    counts = Part("counts", "districts", guarantees={"pure": (Fraction(1),)})
    places = Part("places", "districts", library_granularity("free_lunch"), {"pure": ("L",)})
    problem = Problem(records(), library_granularity("unbounded"), [districts], [counts, places])
    found = {bound.notion: str(bound.tight) for bound in derive(problem).bounds}
    return (
        *bounded_by(problem, {"pure": "max(1 + L[i])"}),
        Computed({"tight": "yes"}, {"tight": found["pure"]}),
        _small_districts(),
    )


def _small_districts() -> CheckedInScope:
    """The distances themselves, which are at most the diameter."""
    districts = ((0, 1, 2), (5, 6, 7))
    world = {"districts": districts, "hospitals": (1, 5)}
    cases, true = 0, True
    places = [x for d in districts for x in d]
    for size in range(4):
        for D in itertools.combinations_with_replacement(places, size):
            for x in places:
                cases += 1
                true &= _loss(world, D, (*D, x)) <= 1 + 2
    return CheckedInScope("two districts of three places, up to three ambulances", cases, true)
