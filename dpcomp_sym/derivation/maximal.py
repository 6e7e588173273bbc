"""Which ways of touching blocks no other way outweighs, by inequalities of the kernel.

One way is outweighed by another if its touched blocks can be taken for blocks of the other one such
that each adds at most as much to every sum, to the epsilons and to the deltas alike: then whatever
a single pair of neighbours needs, some pair that changes in the other way needs as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.derivation.order import at_most

__all__ = ["maximal"]

MOST_PLANS: Final = 200
ZERO: Final = k.Num(Fraction(0))
Way = tuple[Touched, ...]


def maximal(ways: Sequence[Way], where: k.Where) -> list[Way]:
    """Return the ways that no other one outweighs, for the sizes of a box; of equals the first.

    >>> eps, one, two = k.BlockEntry("eps", ("k",)), k.Num(Fraction(1)), k.Num(Fraction(2))
    >>> once, twice = (Touched("p", ("k",), ((n, (eps, ZERO)),)) for n in (one, two))
    >>> maximal([(once,), (twice,)], ()) == [(twice,)]
    True
    """
    kept: list[Way] = []
    for way in ways:
        if any(_below(way, other, where) for other in kept):
            continue
        kept = [other for other in kept if not _below(other, way, where)]
        kept.append(way)
    return kept


def _below(small: Way, large: Way, where: k.Where) -> bool:
    above = {(blocks.map, blocks.block): blocks for blocks in large}
    return all(
        (place := (blocks.map, blocks.block)) in above and _fits(blocks, above[place], where)
        for blocks in small
        if any(added != ZERO for _, each in blocks.groups for added in each)
    )


def _fits(small: Touched, large: Touched, where: k.Where) -> bool:
    """Return whether the groups on the left go into groups on the right, the same in all sums."""
    targets = [
        [n for n, (_, high) in enumerate(large.groups) if _each_below(low, high, where)]
        for _, low in small.groups
    ]
    if not small.sizes:  # there is one block, which belongs to one of the groups
        return all(targets)
    return any(
        all(_has_room(small, large, plan, n, where) for n in range(len(small.groups[0][1])))
        for plan in islice(product(*targets), MOST_PLANS)
    )


def _each_below(low: Sequence[k.Expr], high: Sequence[k.Expr], where: k.Where) -> bool:
    return all(at_most(a, b, where) is not None for a, b in zip(low, high, strict=True))


def _has_room(
    small: Touched, large: Touched, plan: tuple[int, ...], n: int, where: k.Where
) -> bool:
    """Return whether the kernel moves the choice for one of the sums in this way."""
    left, right = (
        k.Worst(blocks.sizes, tuple(k.Choice(count, added[n]) for count, added in blocks.groups))
        for blocks in (small, large)
    )
    leqs = [
        at_most(a.value, right.groups[target].value, where)
        for a, target in zip(left.groups, plan, strict=True)
    ]
    known = tuple(leq for leq in leqs if leq is not None)
    if len(known) < len(leqs):
        return False
    try:
        k.transport(left, right, plan, known, where)
    except k.KernelError:
        return False
    return True
