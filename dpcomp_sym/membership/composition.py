"""The profile of mechanisms on databases, one each, under a membership constraint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpcomp_sym.membership.reach import VectorReach, widest_pair
from dpcomp_sym.membership.setting import Membership
from dpcomp_sym.membership.worst import WorstPair, confirm_pair
from dpcomp_sym.model import Problem
from dpcomp_sym.profile import Case, Group, KRange, MapInfo, PartInfo, Profile, Vector

__all__ = ["membership_profile", "pair_at"]


def membership_profile(membership: Membership, problem: Problem, found: VectorReach) -> Profile:
    """Return the profile of a composition of which each part reads one group of databases.

    Mechanism i of a part is private between "the person's record is in database i" and "it is
    not", so that it sees distance 1 where two vectors differ, and 2 where a record is replaced.

    >>> from dpcomp_sym.membership import reach
    >>> from dpcomp_sym.model import Part
    >>> one = Membership({"databases": "k"}, ["total <= 1"], neighbours="bounded")
    >>> problem = one.with_parts([Part("counts", "databases")])
    >>> [case] = membership_profile(one, problem, reach(one)).cases
    >>> [[(group.map, group.count, group.distances) for group in v] for v in case.vectors]
    [[('databases', 2, (('counts', 1),))]]
    """
    parts = problem.bound_parts
    readers = {
        group: tuple((p.name, found.distance) for p in parts if p.map.name == group)
        for group in membership.groups
    }
    vectors: dict[Vector, None] = {}
    for counts in found.vectors:
        vector = tuple(
            Group(group, count, readers[group])
            for group, count in counts.items()
            if readers[group] and count != 0
        )
        vectors[vector] = None
    maps = tuple(
        MapInfo(g, (("i", size),), exchangeable=membership.counting)
        for g, size in membership.groups.items()
        if readers[g]
    )
    infos = tuple(PartInfo(p.name, p.map.name, p.guarantees) for p in parts)
    ranges = tuple(KRange(size) for size in membership.sizes)
    cases = () if found.vacuous else (Case(ranges, tuple(vectors), found.exact),)
    return Profile(
        maps, infos, cases, proved=True, exact=found.exact, vacuous=found.vacuous
    )  # fmt: skip


def pair_at(
    membership: Membership, sizes: Mapping[str, int], weights: Mapping[str, Sequence[Fraction]]
) -> WorstPair | None:
    """Return the worst pair under a constraint on numbers of databases, for a single group.

    The heaviest databases are those in which the two vectors differ; None if there are no two.

    >>> two = Membership({"databases": 4}, ["total <= 1"], neighbours="bounded")
    >>> pair = pair_at(two, {}, {"databases": [Fraction(n) for n in (1, 4, 2, 3)]})
    >>> pair.first, pair.second, pair.weight
    ({'databases': (0, 1, 0, 0)}, {'databases': (0, 0, 0, 1)}, Fraction(7, 1))
    """
    ((group, column),) = weights.items()
    counts = widest_pair(membership, sizes)
    if counts is None:
        return None
    both, one, other = counts
    order = sorted(range(len(column)), key=lambda i: (-column[i], i))
    first, second = [0] * len(column), [0] * len(column)
    for place, i in enumerate(order[: both + one + other]):
        first[i] = int(place < one or place >= one + other)
        second[i] = int(place >= one)
    weight = sum((column[i] for i in order[: one + other]), Fraction(0))
    if membership.neighbours == "replace-one":
        first = second
    pair = WorstPair({group: tuple(first)}, {group: tuple(second)}, weight, weight)
    confirm_pair(membership, sizes, pair.first, pair.second)
    return pair
