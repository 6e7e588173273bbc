"""Plain exact evaluation for counterexamples: multisets, path lengths, tables of fractions.

Nothing here knows of the engine, of the kernel or of a solver, except :func:`valid`.  A database
is a sorted tuple of records; a law maps outcomes to fractions; a distance is a number or
:data:`FAR`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from theorems._entry import Obligation, Refutation
from theorems._prove import holds

__all__ = [
    "FAR",
    "Database",
    "Law",
    "Length",
    "bounded",
    "changed",
    "delta",
    "exp_between",
    "gap",
    "is_law",
    "leq",
    "links",
    "lost",
    "multisets",
    "part",
    "path_lengths",
    "plus",
    "private",
    "refutes",
    "times",
    "unbounded",
    "valid",
]

Database = tuple[str, ...]
Law = Mapping[Any, Fraction]
Length = int | Fraction | None
FAR: Final = None
"""The infinite distance."""


# ---------------------------------------------------------------- refutations


def refutes(
    claim: str, data: Mapping[str, Any], fails: Callable[[Mapping[str, Any]], bool]
) -> Refutation:
    """Return the refutation whose check is ``fails`` of exactly these data."""
    return Refutation(claim, data, partial(fails, data))


# ---------------------------------------------------------------- distances


def plus(*lengths: Length) -> Length:
    """Add distances."""
    total: int | Fraction = 0
    for one in lengths:
        if one is None:
            return FAR
        total += one
    return total


def times(factor: Length, length: Length, *, nothing_times_far: Length = FAR) -> Length:
    """Multiply; 0 times the infinite distance is what the caller says.

    >>> times(0, FAR), times(0, FAR, nothing_times_far=0), times(2, 3)
    (None, 0, 6)
    """
    if factor is None or length is None:
        if 0 in (factor, length):
            return nothing_times_far
        return FAR
    return factor * length


def leq(left: Length, right: Length) -> bool:
    """Return whether left <= right.

    >>> leq(3, FAR), leq(FAR, 3), leq(FAR, FAR)
    (True, False, True)
    """
    return right is None or (left is not None and left <= right)


def path_lengths(
    points: Sequence[Hashable], edges: Iterable[tuple[Hashable, Hashable]]
) -> dict[tuple[Any, Any], Length]:
    """Return the canonical metric of a symmetric relation: the fewest steps between points.

    >>> path_lengths("abc", [("a", "b")])["b", "a"], path_lengths("abc", [("a", "b")])["a", "c"]
    (1, None)
    """
    nearby: dict[Hashable, set[Hashable]] = {p: set() for p in points}
    for left, right in edges:
        nearby[left].add(right)
        nearby[right].add(left)
    found: dict[tuple[Any, Any], Length] = {(x, y): FAR for x in points for y in points}
    for start in points:
        layer, seen, length = {start}, {start}, 0
        while layer:
            for point in layer:
                found[start, point] = length
            layer = set().union(*(nearby[p] for p in layer)) - seen
            seen |= layer
            length += 1
    return found


# ---------------------------------------------------------------- databases


def multisets(records: Iterable[str], most: int) -> Iterator[Database]:
    """Yield the databases over these records with at most ``most`` records.

    >>> list(multisets("ab", 2))
    [(), ('a',), ('b',), ('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    ordered = sorted(records)
    for size in range(most + 1):
        yield from itertools.combinations_with_replacement(ordered, size)


def lost(D: Iterable[str], E: Iterable[str]) -> int:
    """Return the number of records of D that E lacks."""
    return (Counter(D) - Counter(E)).total()


def gap(D: Iterable[str], E: Iterable[str]) -> int:
    """Return the size of the symmetric difference of two multisets."""
    D, E = tuple(D), tuple(E)
    return lost(D, E) + lost(E, D)


def unbounded(D: Database, E: Database) -> bool:
    """Return whether one database is the other with one record more."""
    return gap(D, E) == 1


def bounded(D: Database, E: Database) -> bool:
    """Return whether one record of D is replaced by another in E."""
    return len(D) == len(E) and gap(D, E) == 2


def links(
    databases: Sequence[Database], relation: Callable[[Database, Database], bool]
) -> list[tuple[Database, Database]]:
    """Return the pairs of neighbours, each once."""
    return [(D, E) for D, E in itertools.combinations(databases, 2) if relation(D, E)]


def part(D: Database, block: Iterable[str]) -> Database:
    """Return the records of D that lie in the block."""
    inside = set(block)
    return tuple(x for x in D if x in inside)


def changed(D: Database, E: Database, blocks: Sequence[Iterable[str]]) -> list[int]:
    """Return the numbers, from 1, of the blocks on which D and E differ."""
    return [i for i, b in enumerate(blocks, 1) if gap(part(D, b), part(E, b))]


# ---------------------------------------------------------------- laws


def is_law(law: Law) -> bool:
    """Return whether these are probabilities: exact, not negative, of sum 1."""
    values: list[Any] = list(law.values())
    return all(isinstance(p, Fraction | int) and p >= 0 for p in values) and sum(values) == 1


def delta(P: Law, Q: Law, factor: Fraction | int) -> Fraction:
    """Return the most that P(S) exceeds factor * Q(S), over all events S."""
    outcomes = {*P, *Q}
    excess = (P.get(o, Fraction(0)) - factor * Q.get(o, Fraction(0)) for o in outcomes)
    return sum((x for x in excess if x > 0), Fraction(0))


def private(
    mechanism: Mapping[Any, Law],
    neighbours: Iterable[tuple[Any, Any]],
    factor: Fraction | int,
    slack: Fraction | int = 0,
) -> bool:
    """Return whether P(S) <= factor * P'(S) + slack for all events, neighbours and directions."""
    return all(map(is_law, mechanism.values())) and all(
        delta(mechanism[D], mechanism[E], factor) <= slack
        and delta(mechanism[E], mechanism[D], factor) <= slack
        for D, E in neighbours
    )


# ---------------------------------------------------------------- numbers and formulas


def exp_between(x: Fraction | int, terms: int = 30) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^x for 0 <= x <= 2, from the series.

    The tail after n terms is less than twice the next term once n >= 4.

    >>> low, high = exp_between(1)
    >>> low < high < low + Fraction(1, 10**30), int(low * 10**5), int(high * 10**5)
    (True, 271828, 271828)
    """
    x = Fraction(x)
    if not 0 <= x <= 2 or terms < 4:
        raise ValueError("only for 0 <= x <= 2, with at least four terms")
    term, total = Fraction(1), Fraction(1)
    for n in range(1, terms + 1):
        term = term * x / n
        total += term
    return total, total + 2 * term * x / (terms + 1)


def valid(formula: Any) -> Obligation:
    """Ask whether a formula holds for all values of its variables.

    An implication must also be about something: its hypotheses must be possible.
    """
    import z3

    if z3.is_implies(formula):
        return holds(formula.arg(1), formula.arg(0))
    return holds(formula)
