"""Which blocks hold which of the records that an edit names, as conditions on their numbers.

Where a block with several of these records is seen from farther than one with a single one of them,
it says more to tell these blocks apart.  And where distances add up, a block with all of n records
being seen from n times as far, what an edit does is a mean of what it would do if all of them
were where one is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from dpcomp_sym.engine.together.find import TRUE, ChangeCondition, Chosen, Finder, function_of
from dpcomp_sym.engine.together.trimming import Trimming, flat
from dpcomp_sym.model import BoundMap
from dpcomp_sym.smt import logic
from dpcomp_sym.statements import terms as s

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Kinds", "OnePlace", "kinds_of", "one_place"]

Held = tuple[int, ...]
"""Records that a block holds, by their numbers from 1 on."""


@dataclass(frozen=True)
class Kinds:
    """Conditions of the blocks of some maps, by the records that they hold.

    ``holding``: for each record, of blocks that hold it, among others perhaps.  ``exactly``: for
    some records, of blocks that change and hold these and no other.
    """

    holding: Mapping[str, tuple[s.Predicate, ...]]
    exactly: Mapping[str, Mapping[Held, s.Predicate]]
    all_of_them: Mapping[str, ChangeCondition]
    """Of blocks that hold all records, with its rows."""


@dataclass(frozen=True)
class OnePlace:
    """What an edit would do if all its records were where one of them is.

    There are ``free`` integers with ``facts``, and blocks of a map change that have its condition.
    """

    free: int
    facts: s.Predicate
    conditions: Mapping[str, s.Predicate]
    attained: bool
    """Whether for all integers with the facts all records of some edit are there."""


def kinds_of(
    structure: Structure,
    finder: Finder,
    maps: Sequence[BoundMap],
    facts: s.Predicate,
    types: Mapping[str, Collection[frozenset[int]]],
) -> Kinds | None:
    """Return conditions of the blocks that hold some records, None if they are not found.

    ``types`` are the records, numbered from 0, that blocks of a map may hold that change.
    """
    if finder.functions_of or any(map(function_of, finder.letters)) or _multiplies(facts):
        return None
    known = len(finder.letters)
    trim = Trimming(structure, known)
    holding: dict[str, tuple[s.Predicate, ...]] = {}
    exactly: dict[str, dict[Held, s.Predicate]] = {}
    every: dict[str, ChangeCondition] = {}
    for mapping in maps:
        points = [finder.of_points(mapping, [point]) for point in finder.edit.points]
        found = [c for c in points if c is not None]
        if len(finder.letters) > known or len(found) < len(points):
            return None
        every[mapping.name] = _all_of(found)
        here = tuple(trim.trimmed(c.predicate, TRUE, mapping.sizes) for c in found)
        holding[mapping.name] = here
        for held in sorted(types[mapping.name], key=lambda t: (len(t), sorted(t))):
            inside = [*dict.fromkeys(one for n in sorted(held) for one in flat(here[n]))]
            apart = s.Connected(
                "and", tuple(_negated(p) for n, p in enumerate(here) if n not in held)
            )
            given = s.Connected("and", (facts, *inside))
            condition = s.Connected(
                "and", (*inside, *flat(trim.trimmed(apart, given, mapping.sizes)))
            )
            if _multiplies(condition) or not _holds(structure, finder, mapping, held, condition):
                return None
            exactly.setdefault(mapping.name, {})[tuple(n + 1 for n in sorted(held))] = condition
    return Kinds(holding, exactly, every)


def _all_of(conditions: Sequence[ChangeCondition]) -> ChangeCondition:
    """Return the condition of blocks that have all of some."""
    choices = product(*(zip(c.cases, c.rows, strict=True) for c in conditions))
    joined = [
        (
            s.Connected("and", tuple(p for (p, _), _ in one)),
            tuple(r for _, rows in one for r in rows),
        )
        for one in choices
    ]
    return ChangeCondition(
        tuple((p, Chosen(())) for p, _ in joined), tuple(rows for _, rows in joined)
    )


def _negated(p: s.Predicate) -> s.Predicate:
    """Return what holds where a condition does not."""
    match p:
        case s.Connected("not", (inner,)):
            return inner
        case s.Connected(word, items):
            return s.Connected("or" if word == "and" else "and", tuple(map(_negated, items)))
        case s.Compared("le", left, right):
            return s.Compared("lt", right, left)
        case s.Compared("lt", left, right):
            return s.Compared("le", right, left)
        case s.Compared(word, left, right):
            return s.Compared("ne" if word == "eq" else "eq", left, right)
        case _:
            return s.Connected("not", (p,))


def _holds(
    structure: Structure, finder: Finder, mapping: BoundMap, held: Collection[int], p: s.Predicate
) -> bool:
    """Prove that a block that changes and holds exactly these records has a condition."""
    pair = structure.pair(finder.edit)
    block = pair.index(mapping)
    for number, point in enumerate(pair.points):
        inside = pair.member(mapping, point, block)
        pair.query.add(inside if number in held else logic.Not(inside))
    pair.view(mapping, block).changed()
    pair.query.add(logic.Not(finder.asked(pair.query, pair.params, block).holds(p)))
    return structure.unsat(pair.query)


def one_place(
    structure: Structure, finder: Finder, kinds: Kinds, facts: s.Predicate
) -> OnePlace | None:
    """Return what an edit would do with all records in one place, None if it is not alike for all.

    The integers of each record are the same ones, by other numbers.
    """
    points = len(finder.edit.points)
    found: list[tuple[int, s.Predicate, dict[str, s.Predicate]]] = []
    numbers: list[tuple[int, ...]] = []
    for n in range(points):
        mine = {name: rows[n] for name, rows in kinds.holding.items()}
        letters = sorted({x for p in mine.values() for x in _letters(p)})
        about = [one for one in flat(facts) if _letters(one) and _letters(one) <= set(letters)]
        new = {old: place for place, old in enumerate(letters, 1)}
        said = tuple(_renamed(one, new) for one in about)
        found.append((
            len(letters),
            said[0] if len(said) == 1 else s.Connected("and", said),
            {name: _renamed(p, new) for name, p in mine.items()},
        ))  # fmt: skip
        numbers.append(tuple(letters))
    (free, each, conditions), *others = found
    if any(one != found[0] for one in others) or not free:
        return None
    trim = Trimming(structure, free)
    same = {old: place for letters in numbers for place, old in enumerate(letters, 1)}
    whole = _letters(facts) <= same.keys() and len(finder.letters) == len(same)
    attained = whole and trim.follows(_renamed(facts, same), [each], ())
    return OnePlace(free, each, conditions, attained)


def _multiplies(p: s.Predicate) -> bool:
    """Return whether letters are multiplied by letters: no largest value of these is found."""
    products = (x for x in s.subterms(p) if isinstance(x, s.Combined) and x.word == "mul")
    return any(sum(bool(_letters(one)) for one in x.items) > 1 for x in products)


def _letters(p: s.KernelTerm) -> set[int]:
    return {x.number for x in s.subterms(p) if isinstance(x, s.Letter)}


def _renamed(p: s.Predicate, numbers: Mapping[int, int]) -> s.Predicate:
    def change(x: s.KernelTerm) -> s.Whole | None:
        return s.Letter(numbers[x.number]) if isinstance(x, s.Letter) else None

    return s.rewritten(p, change)
