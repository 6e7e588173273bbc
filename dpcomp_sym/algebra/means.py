"""When what an edit changes is a mean of what it would change with all records in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

Held = tuple[int, ...]
Tables = Mapping[str, Mapping[Held, tuple[SeenDistance, ...]]]
"""By map, what the parts see in a block that holds exactly some records."""
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
            case LetterAt(number, at):
                return LetterAt(chosen[number - 1], at)
            case _:
                return None

    return rewritten(p, change)


def is_mean_of_records(
    edit: EditShape,
    joint: ChangedTogether,
    tables: Tables,
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
    if not edit.points or any(p.distances for p in joint.places):
        return False
    known = _Places(edit.name, joint, tables, counts, where)
    each = {n: known.of_record(n, vectors) for n in range(1, edit.points + 1)}
    points = Num(Fraction(edit.points))

    def said(n: int, name: str, part: str) -> Expr:
        family = (each[n] or {})[name]
        return next(s.distance for s in family.distances if s.part == part)

    return None not in each.values() and all(
        at_most(
            Product((points, s.distance)), Sum(tuple(said(n, name, s.part) for n in held)), where
        )
        for name in tables
        for held, row in known.seen(name)
        for s in row
    )


@dataclass(frozen=True)
class _Places:
    """Where the blocks are that an edit changes, by the records that they hold."""

    edit: str
    joint: ChangedTogether
    tables: Tables
    counts: Mapping[tuple[str, str], Expr]
    where: Where

    def seen(self, name: str) -> list[tuple[Held, tuple[SeenDistance, ...]]]:
        """Return what blocks of a map hold that some part sees."""
        rows = self.tables[name].items()
        return [(held, row) for held, row in rows if any(s.distance != ZERO for s in row)]

    def conditions(self, name: str, held: Held) -> set[Predicate]:
        """Return what is known of blocks that change and hold exactly some records."""
        return {
            one
            for place in self.joint.places
            if place.map == name and place.touched in (held, ())
            for one in _flat(place.when)
        }

    def of_record(self, n: int, vectors: Sequence[Way]) -> dict[str, Family] | None:
        """Return the family of each map in which the blocks are that hold a record."""
        letters = range(1, len(self.joint.terms) + 1)
        for way in vectors:
            if not isinstance(way, BlockPattern):
                continue
            for chosen in islice(product(letters, repeat=way.free), MOST_CHOICES):
                if set(_flat(with_letters(way.facts, chosen))) <= set(_flat(self.joint.facts)):
                    found = {name: self.family(n, name, way, chosen) for name in self.tables}
                    if all(f or not self.kinds(n, name) for name, f in found.items()):
                        return {name: f for name, f in found.items() if f is not None}
        return None

    def kinds(self, n: int, name: str) -> list[Held]:
        """Return which records blocks of a map hold, with a certain one among them."""
        return [held for held, _ in self.seen(name) if n in held]

    def family(self, n: int, name: str, way: BlockPattern, chosen: Sequence[int]) -> Family | None:
        """Return a family of a vector with all blocks of a map that hold a record."""
        count = self.counts.get((self.edit, name), Inf())
        for family in way.families:
            wanted = set(_flat(with_letters(family.when, chosen)))
            if family.map == name and at_most(count, family.count, self.where) and all(
                wanted <= self.conditions(name, held) for held in self.kinds(n, name)
            ):  # fmt: skip
                return family
        return None


def _flat(p: Predicate) -> tuple[Predicate, ...]:
    return p.items if isinstance(p, Connected) and p.word == "and" else (p,)
