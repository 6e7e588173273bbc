"""Whether all blocks with a condition change at once, for all numbers of symbols.

:mod:`placing` writes neighbours down for it; any choice of blocks, and all of them, have their
condition for integers that are solved for.  Each claim is a question that must be impossible.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from dpcomp_sym.engine.distances import counts_records
from dpcomp_sym.engine.explicit_databases import place
from dpcomp_sym.engine.integers import Polynomial, all_replaced, possible, replaced, solve
from dpcomp_sym.engine.records import components
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import (
    TRUE,
    ChangeCondition,
    Finder,
    function_of,
    index_variable,
    truth_of,
    value_between,
)
from dpcomp_sym.engine.together.frame_placing import FramePlacing
from dpcomp_sym.engine.together.kinds import Kinds
from dpcomp_sym.engine.together.placing import in_range
from dpcomp_sym.engine.together.point_placing import MovePlacing, PointPlacing
from dpcomp_sym.engine.together.record_placing import RecordPlacing
from dpcomp_sym.engine.together.stripes import appended, moved_along
from dpcomp_sym.engine.together.trimming import Trimming, flat
from dpcomp_sym.model import BoundMap, BoundPart
from dpcomp_sym.profile import Number
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import CELL, INT, Term, free_variables, reads_database, subterms, variable
from dpcomp_sym.terms.term import integer, size

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "Placement", "any_choice", "any_of_each", "attained", "block_filled", "cells_filled",
    "everything", "filled", "in_one_record", "one_of_each", "records_filled", "some_block",
]  # fmt: skip

MOST_ROWS: Final = 40
MOST_WRITTEN: Final = 200_000
"""Of more conditions, or in longer terms, no integers are sought: each is written in the others."""


def attained(
    structure: Structure,
    finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate,
    kinds: Kinds | None = None,
) -> Placement | None:
    """Return whether for all integers with facts one pair changes all blocks with the conditions.

    ``conditions`` are those of all maps; None for a map without blocks.  The records that change in
    a block are changed once each.  With ``kinds`` each block with the condition of some records
    holds these.
    """
    edit, domain = finder.edit, structure.problem.domain
    known = [(m, c) for m, c in conditions if c is not None]
    moves = reads_database(edit.step) and len(known) == len(conditions)
    said = (facts, *finder.letters, *((m.name, c.predicate) for m, c in known))
    if moves and structure.once(
        "moved along", edit, *said, find=lambda: moved_along(structure, finder, known, facts)
    ):
        return Placement(frozenset(), written=False)
    sized = edit.frame is None and kinds is None and reads_database(edit.guard)
    if sized and len(known) == len(conditions) and appended(structure, finder, known, facts):
        return Placement(frozenset(), written=False)
    written = (*domain.fact_terms, *(f for m, _ in conditions for f in m.facts))
    table = place(structure) if domain.size and edit.frame is None else None
    if (domain.size and table is None) or any(reads_database(f) for f in written):
        return None
    written_down = not any(map(function_of, finder.letters))
    seen_as_they_are = all(m.image is None and c is not None for m, c in conditions)
    if finder.records:
        records = RecordPlacing(structure, finder, conditions, facts)
        shown = seen_as_they_are and records.holds()
        return Placement(records.shared, records.comes, written=False) if shown else None
    if edit.frame is not None:
        frame = FramePlacing(structure, finder, conditions, facts)
        if frame.holds():
            return Placement(frame.shared, frame.comes, written_down and frame.whole_cases)
    if edit.frame is not None and not seen_as_they_are:
        return None
    if not all(c is not None and _seen_by_attributes(m) for m, c in conditions):
        return None
    if edit.frame is not None:
        named = MovePlacing(structure, finder, conditions, facts)
        return Placement(named.shared, written=False) if named.holds() else None
    points = PointPlacing(structure, finder, conditions, facts)
    points.kinds, points.table = kinds, table
    if not points.holds():
        return None
    opened = any(points.opened(m) != m.member for m, _ in conditions)
    labelled = any(points.labels.values()) or any(map(truth_of, finder.letters))
    chosen = opened or labelled or points.values_chosen() or points.asked_alone()
    return Placement(points.shared, written=not chosen and table is None)


def in_one_record(
    structure: Structure,
    finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate,
) -> Placement | None:
    """Return whether for all integers with facts one record is in all blocks with the conditions.

    That is of use where limits leave no room for a record in each block.
    """
    edit, domain = finder.edit, structure.problem.domain
    if edit.frame is None or not domain.limited or domain.size or finder.records:
        return None
    written = (*domain.fact_terms, *(f for m, _ in conditions for f in m.facts))
    if any(map(reads_database, written)) or any(map(function_of, finder.letters)):
        return None
    frame = FramePlacing(structure, finder, conditions, facts)
    return Placement(frame.shared, frame.comes, written=False) if frame.one_cell() else None


def _seen_by_attributes(mapping: BoundMap) -> bool:
    """Return whether the image of a record is made of its attributes, without functions."""
    terms = [x for _, term in mapping.image or () for x in subterms(term)]
    return not any(x.op == "apply" for x in terms)


class Placement(NamedTuple):
    """How the records of a pair that changes all blocks are placed.

    ``shared``: the attributes that are the same of all, among those whose values are not written
    down; of others each has a value of its own.  ``comes``: what a frame changes comes to an empty
    database, and may not leave one; None if some of it comes, and the rest leaves.  ``written``: it
    can be written down as a :class:`PlacedPair`.
    """

    shared: frozenset[str]
    comes: bool | None = False
    written: bool = True


def filled(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate,
) -> bool:  # fmt: skip
    """Prove that each value between the ends of a block is that of a cell that may change there.

    Only the first value that was bounded is moved; the class must not tie records together.
    """
    if structure.problem.domain.limited or any(map(function_of, finder.letters)):
        return False
    return FramePlacing(structure, finder, [(mapping, condition)], facts).filled(mapping, condition)


def records_filled(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    facts: s.Predicate,
) -> Number | None:  # fmt: skip
    """Return how many records with each value come or go at once, in all blocks that have it.

    A limit counts the records that share the value, and nothing else is limited: D holds as many as
    it allows, and so does E if the step goes both ways, with names of their own.  What else a cell
    has is the same for all blocks, so that one pair of neighbours is the worst one for all of them.
    """
    return _all_records(structure, finder, part, condition, facts, FramePlacing.full)


def block_filled(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    facts: s.Predicate,
) -> Number | None:  # fmt: skip
    """Return how many records come or go at once in each block, none of which share a limit."""
    return _all_records(structure, finder, part, condition, facts, FramePlacing.full_block)


def cells_filled(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    facts: s.Predicate, *, comes: bool | None,
) -> Number | None:  # fmt: skip
    """Return how many cells a class has in each block, which all come or go at once.

    What other maps see comes, or goes, with them: nothing ties records of different cells together.
    """
    if comes is None:
        return None
    domain = structure.problem.domain
    sorts = domain.attribute_sorts.items()
    cell = {Term("attr", (name, variable("c", CELL)), sort) for name, sort in sorts}
    # What limits each cell by itself leaves others their room.
    tied = domain.distinct or any(not cell <= {*components(key)} for key, _ in domain.limit_terms)
    if tied or any(map(function_of, finder.letters)):
        return None
    if not (counts_records(part) and part.default_class and part.map.image is None):
        return None
    placing = FramePlacing(structure, finder, [(part.map, condition)], facts)
    number = placing.every_value()
    return number if placing.comes == comes else None


def _all_records(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    facts: s.Predicate, count: Callable[[FramePlacing, Term, Term], Number | None],
) -> Number | None:  # fmt: skip
    domain = structure.problem.domain
    if any(map(function_of, finder.letters)):
        return None
    if len(domain.limit_terms) != 1 or domain.distinct_terms or len(condition.cases) != 1:
        return None
    if not (counts_records(part) and part.default_class and part.map.image is None):
        return None
    ((key, bound),) = domain.limit_terms
    return count(FramePlacing(structure, finder, [(part.map, condition)], facts), key, bound)


def any_choice(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, most: int,
) -> int:  # fmt: skip
    """Return of how many blocks any choice has the condition for some integers, at most so many."""
    found = 0
    if any(map(function_of, finder.letters)):
        return found
    for number in range(1, most + 1):
        if not _any_choice(structure, finder, mapping, condition, facts, number):
            break
        found = number
    return found


def any_of_each(
    structure: Structure, free: int, facts: s.Predicate,
    conditions: Mapping[str, tuple[s.Predicate, s.Sizes]],
) -> set[str]:  # fmt: skip
    """Return of which maps any one block has its condition, whichever blocks of others do.

    Of all others each block has it; there is none if that is not so.
    """
    chosen: dict[int, str] = {}
    for name, (p, sizes) in conditions.items():
        match p:
            case s.Compared("eq", s.Index(1), s.Letter(n)) if n not in chosen and len(sizes) == 1:
                chosen[n] = name
            case _ if p != TRUE:
                return set()
    trim = Trimming(structure, free)
    for fact in flat(facts):
        said = {x.number for x in s.subterms(fact) if isinstance(x, s.Letter)}
        if not said:
            continue
        if len(said) > 1 or said - chosen.keys():
            return set()  # it ties integers together
        _, sizes = conditions[chosen[min(said)]]
        of_block = s.rewritten(fact, lambda x: s.Index(1) if isinstance(x, s.Letter) else None)
        if not trim.follows(of_block, (), sizes):
            return set()
    return set(chosen.values())


def one_of_each(
    structure: Structure, finder: Finder, facts: s.Predicate,
    one: tuple[BoundMap, ChangeCondition], others: Sequence[tuple[BoundMap, ChangeCondition]], *,
    beyond: bool, many: bool,
) -> bool:  # fmt: skip
    """Prove that a block of a map has its condition wherever one of some other maps has its own.

    For all integers with the facts; which block it is is solved for.

    Args:
        structure: the problem.
        finder: knows the integers.
        facts: about these.
        one: the map, and its condition.
        others: the other maps, and theirs.
        beyond: the block may have a larger number than there are.
        many: any number of blocks have it, which differ in one index.
    """
    mapping, condition = one
    places = [index_variable(n) for n in range(1, len(mapping.indices) + 1)]
    least = [Polynomial.of(integer(1)) - Polynomial.of(i) for i in places]
    solved = (_solved([*rows, *least], places) for rows in condition.rows or ((),))
    found = [[values[i] for i in places] for values in solved if values is not None]
    blocks = [
        [*block[:n], variable("edit.any", INT), *block[n + 1 :]] if many else block
        for block in found
        for n in range(len(places) if many else 1)
    ]
    return all(
        any(_there_too(structure, finder, facts, one, other, block, beyond) for block in blocks)
        for other in others
    )


def _there_too(
    structure: Structure, finder: Finder, facts: s.Predicate,
    one: tuple[BoundMap, ChangeCondition], other: tuple[BoundMap, ChangeCondition],
    block: Sequence[Term], beyond: bool,
) -> bool:  # fmt: skip
    """Prove that a block has its condition, for all integers for which one of another map has."""
    query = Query(structure.signature, structure.problem.symbols)
    named = [variable(f"edit.{n}", INT) for n, _ in enumerate(finder.letters, 1)]
    letters = [query.fresh(INT, "p") for _ in named]
    known = dict(zip((x.name for x in named), letters, strict=True))
    known["edit.any"] = query.fresh(INT, "i")
    query.add(known["edit.any"] >= 1)
    said = [all_replaced(x, dict(zip(finder.letters, named, strict=True))) for x in block]
    if any(free_variables(x) - known.keys() - query.symbols.keys() for x in said):
        return False
    beside = [query.fresh(INT, "i") for _ in other[0].indices]
    query.add(SolverNames(query.symbols, letters).holds(facts))
    query.add(*in_range(query, other[0], beside))
    query.add(SolverNames(query.symbols, letters, beside).holds(other[1].predicate))
    here = [query.read(x, known) for x in said]
    holds = SolverNames(query.symbols, letters, here).holds(one[1].predicate)
    there = [i >= 1 for i in here] if beyond else in_range(query, one[0], here)
    query.add(logic.Not(logic.And(*there, holds)))
    return structure.unsat(query)


def everything(
    structure: Structure, finder: Finder, facts: s.Predicate,
    conditions: Sequence[tuple[BoundMap, ChangeCondition]],
) -> bool:  # fmt: skip
    """Return whether for some integers all blocks of some maps have their conditions at once.

    Tried are integers for which the first and the last block of one of the maps have them.
    """
    differ = any(isinstance(x, s.Compared) and x.word == "ne" for x in s.subterms(facts))
    return any(
        _all_at(structure, finder, facts, conditions, values)
        for mapping, condition in conditions
        for found in _for_both_ends(finder, mapping, condition, _rows_of(finder, facts))
        for values in (found, *(_beside(found) if differ else ()))
    )


def some_block(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate,
) -> bool:  # fmt: skip
    """Prove that the first block of a map, or the last one, has its condition for some integers."""
    known = _rows_of(finder, facts)
    for end in _ends(mapping):
        block = [value.term() for value in end.values()]
        for rows in condition.rows:
            values = _solved([*known, *(_at_block(p, end) for p in rows)], finder.letters)
            if values is not None and _has(structure, finder, mapping, condition, facts, block,
                                           values):  # fmt: skip
                return True
    return False


def _has(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, block: Sequence[Term], values: Mapping[Term, Term],
) -> bool:  # fmt: skip
    """Prove that there is a block, which has its condition for integers with the facts."""
    query = Query(structure.signature, structure.problem.symbols)
    if any(free_variables(values[x]) - query.symbols.keys() for x in finder.letters):
        return False
    letters = [query.read(values[x]) for x in finder.letters]
    here = [query.read(x) for x in block]
    goals = [SolverNames(query.symbols, letters).holds(facts), *in_range(query, mapping, here)]
    goals.append(SolverNames(query.symbols, letters, here).holds(condition.predicate))
    query.add(logic.Not(logic.And(*goals)))
    return structure.unsat(query)


def _ends(mapping: BoundMap) -> list[dict[Term, Polynomial]]:
    """Return the numbers of the first and the last block of a map, by index."""
    names = [index_variable(place) for place in range(1, len(mapping.indices) + 1)]
    sizes = [variable(n, INT) if isinstance(n, str) else integer(n) for n in mapping.sizes]
    first = {n: Polynomial.of(integer(1)) for n in names}
    return [first, {n: Polynomial.of(size) for n, size in zip(names, sizes, strict=True)}]


def _beside(values: dict[Term, Term]) -> Iterator[dict[Term, Term]]:
    """Yield integers of which one is larger or smaller by 1, where two of them must differ."""
    for letter, value in values.items():
        for by in (1, -1):
            yield {**values, letter: Term("add", (value, integer(by)), INT)}


def _for_both_ends(
    finder: Finder, mapping: BoundMap, condition: ChangeCondition, facts: Sequence[Polynomial]
) -> Iterator[dict[Term, Term]]:
    """Yield integers for which the first and the last block have a condition, if they are known."""
    ends = [
        [rows for case in condition.rows if possible(rows := [_at_block(p, end) for p in case])]
        for end in _ends(mapping)
    ]
    for one, other in itertools.product(*ends):
        known = _solved([*facts, *one, *other], finder.letters)
        if known is not None:
            yield known


def _rows_of(finder: Finder, facts: s.Predicate) -> list[Polynomial]:
    """Return what facts say that all hold, as rows p <= 0 in the integers of the edit."""
    match facts:
        case s.Connected("and", items):
            return [row for one in items for row in _rows_of(finder, one)]
        case s.Compared("le" | "lt" | "eq" as word, left, right):
            difference = _polynomial(finder, left) - _polynomial(finder, right)
            if word == "lt":
                return [difference + Polynomial.of(integer(1))]
            return [difference] if word == "le" else [difference, difference * -1]
        case _:
            return []


def _polynomial(finder: Finder, e: s.Whole) -> Polynomial:
    """Return an integer of facts in the integers of the edit, and in unknowns for the rest."""
    match e:
        case s.Letter(number):
            return Polynomial.of(finder.letters[number - 1])
        case s.Integer(value):
            return Polynomial.of(integer(value))
        case s.Symbol(name):
            return Polynomial.of(variable(name, INT))
        case s.Combined("add", items):
            return sum((_polynomial(finder, x) for x in items), Polynomial(()))
        case s.Combined("neg", (of,)):
            return _polynomial(finder, of) * -1
        case s.Combined("mul", (first, *others)):
            found = _polynomial(finder, first)
            for x in others:
                found = found.times(_polynomial(finder, x))
            return found
        case _:
            return Polynomial.of(variable(f"edit.{e.text()}", INT))


def _at_block(p: Polynomial, values: Mapping[Term, Polynomial]) -> Polynomial:
    """Return what a row says of a block with certain numbers."""
    for name, value in values.items():
        p = p.substituted(name, value)
    return p


def _all_at(
    structure: Structure, finder: Finder, facts: s.Predicate,
    conditions: Sequence[tuple[BoundMap, ChangeCondition]], values: Mapping[Term, Term],
) -> bool:  # fmt: skip
    """Prove that these integers have the facts, and that all blocks have their conditions."""
    query = Query(structure.signature, structure.problem.symbols)
    if any(free_variables(values[x]) - query.symbols.keys() for x in finder.letters):
        return False
    letters = [query.read(values[x]) for x in finder.letters]
    goals = [SolverNames(query.symbols, letters).holds(facts)]
    for mapping, condition in conditions:
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*in_range(query, mapping, block))
        goals.append(SolverNames(query.symbols, letters, block).holds(condition.predicate))
    query.add(logic.Not(logic.And(*goals)))
    return structure.unsat(query)


def _any_choice(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, number: int,
) -> bool:  # fmt: skip
    places = [index_variable(n) for n in range(1, len(mapping.indices) + 1)]
    copies = [{t: variable(f"{t.name}.{n}", INT) for t in places} for n in range(number)]
    for choice in itertools.product(condition.rows, repeat=number):
        rows = [p.renamed(new) for rows, new in zip(choice, copies, strict=True) for p in rows]
        known = _solved(rows, finder.letters)
        if known is None:
            continue
        named = {a for p in rows for m, _ in p.terms for a in m}
        free = [x for x in finder.letters if x not in named]
        # What blocks say nothing of may be what they say of another integer.
        for same in (None, *(x for x in finder.letters if free and x in named)):
            values = known if same is None else {**known, **dict.fromkeys(free, known[same])}
            if _all_have(structure, finder, mapping, condition, facts, copies, values):
                return True
    return False


def _all_have(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, copies: Sequence[Mapping[Term, Term]], values: Mapping[Term, Term],
) -> bool:  # fmt: skip
    """Prove that any different blocks have the condition for these integers, which have facts."""
    query = Query(structure.signature, structure.problem.symbols)
    names = {t.name: query.fresh(INT, "i") for new in copies for t in new.values()}
    blocks = [tuple(names[t.name] for t in new.values()) for new in copies]
    for block in blocks:
        query.add(*in_range(query, mapping, block))
    query.add(*[logic.Not(equal(a, b)) for a, b in itertools.combinations(blocks, 2)])
    letters = [query.read(values[x], names) for x in finder.letters]
    goals = [SolverNames(query.symbols, letters).holds(facts)]
    goals += [SolverNames(query.symbols, letters, b).holds(condition.predicate) for b in blocks]
    query.add(logic.Not(logic.And(*goals)))
    return structure.unsat(query)


def _solved(rows: Sequence[Polynomial], letters: Sequence[Term]) -> dict[Term, Term] | None:
    """Return integers that rows allow, as terms over the rest; None if that is not found."""
    ends = []
    left = list(rows)
    for letter in letters:
        here = solve(left, letter)
        if here is None:
            return None
        ends.append((letter, here))
        left = list(dict.fromkeys((*here.rest, *here.joined())))
        if len(left) > MOST_ROWS:
            return None
    values: dict[Term, Term] = {}
    for letter, here in reversed(ends):
        value = value_between(here)
        for known, term in values.items():
            if size(value) * size(term) > MOST_WRITTEN:
                return None
            value = replaced(value, known, term)
        values[letter] = value
    return values
