"""When what an edit changes is a mean of what it would change with all records in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Final

from dpcomp_sym.algebra.polynomials import ZERO, at_most
from dpcomp_sym.statements.terms import (
    BlockPattern,
    ChangedTogether,
    Connected,
    EditShape,
    Expr,
    Family,
    Inf,
    KernelTerm,
    Letter,
    LetterAt,
    Num,
    Predicate,
    Product,
    SeenDistance,
    Sum,
    Way,
    Where,
    Whole,
    rewritten,
)

__all__ = ["is_mean_of_records", "with_letters"]

MOST_CHOICES: Final = 500
"""So many ways to take the integers of a vector for those of an edit are tried."""


def with_letters(p: Predicate, chosen: Sequence[int]) -> Predicate:
    """Return a condition with other letters in the place of the first, the second, and so on.

    >>> from dpcomp_sym.statements.terms import Compared, Index
    >>> with_letters(Compared("le", Letter(1), Index(1)), [2])
    Compared(word='le', left=Letter(number=2), right=Index(number=1))
    """

    def change(x: KernelTerm) -> Whole | None:
        match x:
            case Letter(number):
                return Letter(chosen[number - 1])
            case LetterAt(number, indices):
                return LetterAt(chosen[number - 1], indices)
            case _:
                return None

    return rewritten(p, change)


def is_mean_of_records(
    edit: EditShape,
    joint: ChangedTogether,
    tables: Mapping[str, Mapping[tuple[int, ...], tuple[SeenDistance, ...]]],
    counts: Mapping[tuple[str, str], Expr],
    vectors: tuple[Way, ...],
    where: Where,
) -> bool:
    """Return whether what an edit changes is a mean of some vectors, one for each of its n records.

    For each record there is a vector of which the blocks that hold it, alone or with others, have
    the condition, for integers that the edit names.  With weights 1/n: n times what a part sees of
    a block is at most the sum of what the vectors of the records in it say.

    Args:
        edit: which names its records.
        joint: which blocks it changes, by the records that they hold.
        tables: by map, what the parts see in a block that holds exactly some records.
        counts: by edit and map, how many blocks hold a record, at most.
        vectors: of which it may be a mean.
        where: the sizes in question.
    """
    patterns = [v for v in vectors if isinstance(v, BlockPattern)]
    places = {(p.map, p.touched): p for p in joint.places}
    if not edit.points or any(p.distances for p in joint.places):
        return False

    def conditions(name: str, held: tuple[int, ...]) -> list[Predicate]:
        """Return what is known of blocks that change and hold exactly some records."""
        known = (places.get((name, kind)) for kind in (held, ()))
        return [x for place in known if place is not None for x in _flat(place.when)]

    def seen(name: str) -> list[tuple[tuple[int, ...], tuple[SeenDistance, ...]]]:
        return [
            (held, row)
            for held, row in tables[name].items()
            if any(s.distance != ZERO for s in row)
        ]

    def of_record(n: int) -> dict[str, Family] | None:
        """Return the family of each map in which the blocks are that hold a record."""
        for way in patterns:
            letters = product(range(1, len(joint.terms) + 1), repeat=way.free)
            for chosen in islice(letters, MOST_CHOICES):
                if not set(_flat(with_letters(way.facts, chosen))) <= set(_flat(joint.facts)):
                    continue
                found = {}
                for name in tables:
                    kinds = [held for held, _ in seen(name) if n in held]
                    fitting = (
                        f
                        for f in way.families
                        if f.map == name
                        and at_most(counts.get((edit.name, name), Inf()), f.count, where)
                        and all(
                            set(_flat(with_letters(f.when, chosen))) <= set(conditions(name, held))
                            for held in kinds
                        )
                    )
                    family = next(fitting, None)
                    if family is not None:
                        found[name] = family
                    elif kinds:
                        break
                else:
                    return found
        return None

    each = {n: of_record(n) for n in range(1, edit.points + 1)}
    points = Num(Fraction(edit.points))

    def said(n: int, name: str, part: str) -> Expr:
        family = (each[n] or {})[name]
        return next(s.distance for s in family.distances if s.part == part)

    return None not in each.values() and all(
        at_most(
            Product((points, s.distance)), Sum(tuple(said(n, name, s.part) for n in held)), where
        )
        for name in tables
        for held, row in seen(name)
        for s in row
    )


def _flat(p: Predicate) -> tuple[Predicate, ...]:
    return p.items if isinstance(p, Connected) and p.word == "and" else (p,)
