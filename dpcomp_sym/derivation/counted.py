"""The guarantee that follows where the blocks that records lie in are only counted."""

from __future__ import annotations

from collections.abc import Mapping

from dpcomp_sym import kernel as k

__all__ = ["by_counts"]


def by_counts(theorem: k.Theorem) -> k.Theorem | None:
    """Return a guarantee of so many blocks, which may be any; None if the theorem says no more.

    Args:
        theorem: a guarantee between neighbours, in which the places of records are chosen.
    """
    while theorem.rule == "change_guarantee":
        theorem = theorem.premises[0]
    if theorem.rule != "maximum_over_neighbours":
        return None
    composed, profile = theorem.premises
    said, leaves = profile.statement, profile.premises
    if profile.rule != "compose_profile" or not isinstance(said, k.ProfileFact):
        return None
    facts = [x.of if isinstance(x, k.Restricted) else x for x in (y.statement for y in leaves)]
    counts = {x.map: x.count for x in facts if isinstance(x, k.TouchCount)}
    ways = tuple(dict.fromkeys(w for way in said.vectors for w in _counted(way, counts)))
    if ways == said.vectors:
        return None
    try:
        weaker = k.compose_profile(said.problem, leaves, ways, said.where)
        return k.maximum_over_neighbours(composed, weaker)
    except k.KernelError:
        return None


def _counted(way: k.Way, counts: Mapping[str, k.Expr]) -> tuple[k.Way, ...]:
    """Return how many blocks change, where a way says in which places they are.

    Of a mean, what it is within: each block then counts as if all records were in it.
    """
    if isinstance(way, k.MeanOf):
        return tuple(w for one in way.within for w in _counted(one, counts))
    if not isinstance(way, k.Several):
        return (way,)
    families = way.pattern.families
    return (k.DifferenceVector(tuple(
        k.BlockGroup(f.map, counts.get(f.map, k.Inf()), f.distances) for f in families
    )),)  # fmt: skip
