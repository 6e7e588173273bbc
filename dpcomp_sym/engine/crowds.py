"""Whether one edit changes very many records at once: as many as the limits of the class allow.

A *crowd* is made of one record that changes.  It has a record for each choice of values of some
attributes (the days of a frame, or so many teams that nothing else has), and a number of records of
each choice, which other attributes tell apart by values that nothing else has.  All else is as in
the first record.  Some of them are in D only, and, where the step allows both, as many others in E
only; the databases hold nothing else.  Labels of a map's own functions are chosen anew where what
they are of is new.

Where the class limits nothing, a crowd may be as large as one likes: of copies of one record, or of
records with values that nothing else has.  Then no distance bounds what a part sees.

A claim here only ever makes a proved upper bound "exact", or an infinite one; no bound rests on it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.explicit_databases import place
from dpcomp_sym.engine.integers import TooManyError, compared, disjuncts, solve
from dpcomp_sym.engine.records import components, in_solver, lengths, number_of, widths
from dpcomp_sym.engine.replication import stays_as_it_is
from dpcomp_sym.engine.worst import Crowd, Holding, Spread
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundMap, Domain
from dpcomp_sym.profile import (
    ALL,
    All,
    Count,
    Distance,
    Number,
    Symbolic,
    Total,
    is_at_most,
    product_of,
    sum_of,
)
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Term,
    conjunction,
    conjuncts,
    free_variables,
    reads_database,
    subterms,
    variable,
)

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["MANY", "Asked", "crowded", "endless"]

MOST_TRIED: Final = 48
MOST_OF_PART: Final = 8
MANY: Final = Symbolic("*")
"""A number as large as one likes; no symbol of a spec is called so."""
CELL_VARIABLE: Final = variable("c", CELL)


@dataclass(frozen=True)
class Asked:
    """What is to change: so many blocks of a map, seen from so far by parts that count records.

    A map without blocks, or whose blocks are all alike, has a count of None.  ``most`` is how many
    blocks hold a record, and ``piled`` requires all records in the same ones.  A part with
    ``apart`` does not count records but the values of these attributes at them.  ``one_way``: a
    part counts them only where all come, or all leave.
    """

    map: BoundMap
    count: Count | None
    seen: tuple[Distance, ...]
    apart: tuple[frozenset[str] | None, ...]
    most: Number = 1
    piled: bool = False
    one_way: bool = False


@dataclass(frozen=True)
class _Crowd:
    """Attributes that have so many values, and what is new in each record.

    Integers start from a term; of an enumeration all values are meant, and the values of others are
    new: then there is no such term.  The records that are ``alike`` may also be copies, all
    ``stacked`` in one cell.  ``through``: a function of the class whose value is new where that of
    its argument is; any other one gives what is new what it gave the old.  ``stride``: new integers
    are the old one and so many times as much more; without it larger than all that are named.
    """

    spans: Mapping[str, tuple[Term | All | None, Number]]
    new: frozenset[str]
    alike: Number
    sides: int
    stacked: bool = False
    through: str | None = None
    stride: int | None = None

    def size(self, told: frozenset[str] = frozenset()) -> Number:
        """Return how many records there are with the same values of some attributes."""
        inside = [n for a, (_, n) in self.spans.items() if a not in told]
        return product_of([self.sides, self.alike, *inside])

    def values(self, of: frozenset[str], told: frozenset[str] = frozenset()) -> Number:
        """Return how many values some attributes have at records that agree in some integers."""
        found: list[Number] = [n for a, (_, n) in self.spans.items() if a in of - told]
        return product_of([*found, *([self.sides, self.alike] if self.new & of else [])])

    def alike_in(self, key: Term) -> Number:
        """Return how many records of one of the databases may share a value of a key."""
        told = {t.name for t in components(key) if t.op == "attr"}
        if any(map(self.is_new, components(key))):
            return 1
        return product_of([self.alike, *(n for a, (_, n) in self.spans.items() if a not in told)])

    def values_in(self, domain: Domain, limit: BoundDistinct) -> Number:
        """Return how many values one of the databases may have that count for a limit."""
        told = {t.name for t in components(limit.each) if t.op == "attr"}
        if any(map(self.is_new, components(limit.each))):
            return 1
        read = attributes_read(domain, limit.of)
        if self.new & read:
            return self.alike_in(limit.each)
        return product_of([1, *(n for a, (_, n) in self.spans.items() if a in read - told)])

    def is_new(self, term: Term) -> bool:
        """Return whether a part of a key has a new value in each record."""
        if term.op == "apply" and term.name == self.through:
            (term,) = term.terms
        if term.op == "div" and self.stride is not None and term.terms[1].op == "int":
            (term, by) = term.terms
            if by.number < 1 or self.stride % by.number:
                return False
        return term.op == "attr" and term.name in self.new

    def fills_places(self, keys: Sequence[Term]) -> bool:
        """Return whether both databases have one record at each of the same places.

        Each value of the keys, which are attributes, is a place.
        """
        of_place = {k.name for k in keys}
        return (
            self.sides == 2 and self.alike == 1
            and self.spans.keys() <= of_place and not self.unheard & of_place
        )  # fmt: skip

    @property
    def unheard(self) -> frozenset[str]:
        """The attributes whose values are new, in each record or in some together."""
        return self.new | {a for a, (start, _) in self.spans.items() if start is None}


def crowded(
    structure: Structure, edit: BoundEdit, asked: Sequence[Asked]
) -> Iterator[tuple[Crowd, ...]]:
    """Yield records that are enough: if they change, one pair of neighbours changes all at once.

    It is one record, in a block of each map that is asked for, by its place; or one for each, if
    their crowds only come, or only leave.  Such records are not looked for.
    """
    domain = structure.problem.domain
    if domain.facts or edit.frame is None:
        return
    if reads_database(edit.guard, edit.frame, edit.step) or not stays_as_it_is(structure, edit):
        return
    of_place = place(structure) if domain.size else None
    if domain.size and (of_place is None or not stays_as_it_is(structure, edit, 1)):
        return
    if any((a.map.image is not None or len(a.map.indices) > 1) and a.count is not None
           for a in asked):  # fmt: skip
        return
    counted = any(a.map.image is not None for a in asked)
    one_way = any(a.one_way for a in asked)
    parts = _parts(edit.frame)
    for part in parts:
        # Records that only leave, or only come, differ in what they are counted by: none makes up
        # for another one there.
        fitting = (
            c for c in _crowds(structure, edit, part, asked)
            if (c.sides == 1 or not (counted or one_way))
            and (of_place is None or c.fills_places(components(of_place)))
            and all(_enough(c, a) for a in asked)
        )  # fmt: skip
        changing = (
            crowd
            for crowd in fitting
            if _within_limits(structure, edit, [_Seeded(part, None, crowd)])
            and _changes(structure, edit, part, asked, crowd)
        )
        for crowd in itertools.islice(changing, 1):
            yield (_seed(part, range(len(asked)), crowd, asked),)
    if one_way:
        return
    if of_place is None and len(asked) > 1:
        yield from _side_by_side(structure, edit, parts, asked)
    elif of_place is None and len(parts) > 1:
        yield from _part_by_part(structure, edit, parts, asked[0])


def endless(structure: Structure, edit: BoundEdit, asked: Asked) -> Iterator[tuple[Crowd, ...]]:
    """Yield records that are enough: if one changes, as many as one likes may come there with it.

    It is in a block of the map that is asked for, which then is seen from farther and farther.
    """
    domain = structure.problem.domain
    if domain.facts or domain.size or edit.frame is None:
        return
    if reads_database(edit.guard, edit.frame, edit.step) or not stays_as_it_is(structure, edit):
        return
    crowds = [_Crowd({}, frozenset(), MANY, 1, stacked=True)] if domain.cap is None else []
    crowds += [
        _Crowd({}, frozenset({a}), MANY, 1, through=name)
        for a, sort in domain.attribute_sorts.items()
        if sort != BOOL
        and sort not in domain.enumerations
        and (sort != INT or _labels_records(asked.map) or not _reads(domain, asked.map, a))
        for name in (None, *_giving_new(domain, a))
    ]
    told = attributes_read(domain, domain.cell_term)
    crowds += [
        _Crowd({}, frozenset({a}), MANY, 1, stride=stride)
        for a, sort in domain.attribute_sorts.items()
        if sort == INT and (a in told or _reads(domain, asked.map, a))
        for stride in _strides(domain, asked.map)
    ]
    for part, crowd in itertools.product(_parts(edit.frame), crowds):
        if (
            _seen(asked, crowd)
            and _within_limits(structure, edit, [_Seeded(part, None, crowd)])
            and _changes(structure, edit, part, [asked], crowd)
        ):
            yield (_seed(part, [0], crowd, [asked]),)


def _strides(domain: Domain, mapping: BoundMap) -> list[int]:
    """Return by how much integers may go on, up or down: by 1, or by what they are divided by."""
    read = (mapping.member, *(key for key, _ in domain.sufficient_limits))
    by = {
        t.terms[1].number for term in read for t in subterms(term)
        if t.op in ("div", "mod") and t.terms[1].op == "int" and t.terms[1].number > 1
    }  # fmt: skip
    found = [1, *sorted(by), *([math.prod(by)] if len(by) > 1 else [])]
    return [sign * n for n in found for sign in (-1, 1)]


def _giving_new(domain: Domain, attribute: str) -> Iterator[str]:
    """Yield functions by whose values limits count the records that have something new."""
    keys = [key for key, _ in domain.limit_terms] + [x.each for x in domain.distinct_terms]
    of = ("attr", attribute)
    read = dict.fromkeys(t for key in keys for t in components(key) if t.op == "apply")
    for name, inner in ((t.name, t.terms[0]) for t in read if len(t.terms) == 1):
        given = domain.signatures[name][1]
        if (inner.op, *inner.args[:1]) == of and given not in {BOOL, INT, *domain.enumerations}:
            yield name


def _reads(domain: Domain, mapping: BoundMap, attribute: str) -> bool:
    """Return whether a map, or what is assumed of its functions, looks at an attribute."""
    read = (attributes_read(domain, x) for x in (mapping.member, *mapping.facts))
    return any(attribute in names for names in read)


def _labels_records(mapping: BoundMap) -> bool:
    """Return whether a map's own functions are only read of records: of no other integers."""
    read = [t for f in (mapping.member, *mapping.facts) for t in subterms(f)]
    return all(
        CELL_VARIABLE in t.terms or all(x.sort != INT or x.op == "attr" for x in t.terms)
        for t in read if t.op == "apply" and t.name in mapping.functions
    )  # fmt: skip


def _parts(frame: Term) -> Sequence[Term]:
    """Return formulas that each imply the frame, which is their disjunction."""
    if frame.op == "or":
        return frame.terms
    if all(t.op != "or" for t in conjuncts(frame)):
        return (frame,)
    try:
        return [conjunction(literals) for literals in disjuncts(frame)]
    except TooManyError:
        return (frame,)


def _side_by_side(
    structure: Structure, edit: BoundEdit, parts: Sequence[Term], asked: Sequence[Asked]
) -> Iterator[tuple[Crowd, ...]]:
    """Yield a record for each map, whose crowds all come, or all leave."""
    for way in ((0, 1), (1, 0)):
        chosen = [
            next(
                (
                    (part, crowd)
                    for part in parts
                    for crowd in _crowds(structure, edit, part, [one])
                    if crowd.sides == 1 and _enough(crowd, one)
                    and _survives(structure, edit, part, [one], crowd, [way])
                ),
                None,
            )
            for one in asked
        ]  # fmt: skip
        if None in chosen:
            continue
        found = [
            _Seeded(part, one.map, crowd)
            for one, (part, crowd) in zip(asked, filter(None, chosen), strict=True)
        ]
        if _within_limits(structure, edit, found):
            yield tuple(_seed(one.part, [n], one.crowd, asked) for n, one in enumerate(found))


def _part_by_part(
    structure: Structure, edit: BoundEdit, parts: Sequence[Term], asked: Asked
) -> Iterator[tuple[Crowd, ...]]:
    """Yield a record for each part of a frame, whose crowds are all seen together in one block.

    All come, or all leave, or as many of each come as leave.  What is new in them tells them apart.
    """
    if asked.count is not None and asked.count != asked.most:
        return
    asked = replace(asked, piled=True)
    ways = (((0, 1), (1, 0)), ((1, 0),), ((0, 1),))
    found = [list(itertools.islice(_of_part(structure, edit, part, asked), MOST_OF_PART))
             for part in parts]  # fmt: skip
    for way, chosen in itertools.product(ways, itertools.product(*found)):
        if any(len(way) != one.crowd.sides for one in chosen):
            continue
        many = sum_of([one.crowd.size() for one in chosen])
        if (
            all(r in (0, 1) or r == many for r in asked.seen)
            and all(_survives(structure, edit, one.part, [asked], one.crowd, way) for one in chosen)
            and _within_limits(structure, edit, chosen)
        ):
            yield tuple(_seed(one.part, [0], one.crowd, [asked]) for one in chosen)


def _of_part(structure: Structure, edit: BoundEdit, part: Term, asked: Asked) -> Iterator[_Seeded]:
    """Yield the crowds in a part of a frame whose records all have something that is new."""
    for crowd in _crowds(structure, edit, part, [asked]):
        if crowd.new and not any(asked.apart):
            one = _Seeded(part, asked.map, crowd)
            if _within_limits(structure, edit, [one]):
                yield one


def _seed(part: Term, places: Sequence[int], crowd: _Crowd, asked: Sequence[Asked]) -> Crowd:
    """Return a record with what is known of its crowd."""
    holding = []
    for one in (asked[n] for n in places):
        told = {} if one.piled or one.count is None else _labels(crowd, one.map)
        by = frozenset[str]().union(*told.values())
        holding.append(Holding(one.map.name, one.most, tuple(sorted(by))))
    spread = tuple(Spread(a, start, n) for a, (start, n) in crowd.spans.items())
    new = tuple(sorted(crowd.new))
    return Crowd(part, tuple(places), spread, new, crowd.alike, crowd.sides, tuple(holding))


# ------------------------------------------------------------- what there can be


def _crowds(
    structure: Structure, edit: BoundEdit, part: Term, asked: Sequence[Asked]
) -> Iterator[_Crowd]:
    """Yield the first crowds of those that there may be."""
    return itertools.islice(_all_crowds(structure, edit, part, asked), MOST_TRIED)


def _all_crowds(
    structure: Structure, edit: BoundEdit, part: Term, asked: Sequence[Asked]
) -> Iterator[_Crowd]:
    """Yield crowds whose integers have, one by one, so many values, and so has what is new."""
    domain = structure.problem.domain

    def alone(crowd: _Crowd) -> bool:
        return _changes(structure, edit, part, asked, crowd)

    def fresh(*, integers: bool) -> frozenset[str]:
        return frozenset(
            a
            for a, sort in domain.attribute_sorts.items()
            if sort != BOOL and sort not in domain.enumerations and (sort == INT) == integers
            and alone(_Crowd({}, frozenset({a}), 1, 1))
        )  # fmt: skip

    new = fresh(integers=False)
    integers = fresh(integers=True) if all(_labels_records(a.map) for a in asked) else new
    new = new or integers
    choices: list[list[tuple[str, tuple[Term | All | None, Number]] | None]] = []
    few = [number_of(structure, limit.at_most) for limit in domain.distinct_terms]
    counted = frozenset[str]().union(
        *(attributes_read(domain, limit.of) for limit in domain.distinct_terms)
    )
    limited = frozenset[str]().union(
        *(attributes_read(domain, key) for key, _ in domain.sufficient_limits)
    )
    for a, sort in domain.attribute_sorts.items():
        if sort == INT:
            spans = _spans(structure, edit, part, asked, a)
            found: list[tuple[Term | All | None, Number]] = [
                s for s in spans if alone(_Crowd({a: s}, frozenset(), 1, 1))
            ]
            choices.append([*((a, s) for s in found), None])
        elif sort in domain.enumerations:
            whole = (ALL, len(domain.enumerations[sort]))
            choices.append(
                [(a, whole), None] if alone(_Crowd({a: whole}, frozenset(), 1, 1)) else [None]
            )
        elif a in new & counted:
            values = dict.fromkeys(n for n in few if n is not None and n != 1)
            choices.append([None, *((a, (None, n)) for n in values)])
    limits = [number_of(structure, bound) for _, bound in domain.sufficient_limits]
    of_blocks = {size for a in asked for size in a.map.sizes}
    limits += [
        a.count for a in asked if isinstance(a.count, Symbolic) and a.count.symbol in of_blocks
    ]
    numbers = dict.fromkeys([*(n for n in limits if n is not None and new), 1])
    for chosen in itertools.product(*choices):
        spans_ = dict(c for c in chosen if c is not None)
        # Integers are new where a limit counts their values, or the records of each, or where
        # nothing else is.
        for what in dict.fromkeys((new | (integers & counted), new, new | (integers & limited))):
            rest = what - spans_.keys()
            for alike, sides in itertools.product(numbers, (2, 1) if rest else (1,)):
                if rest or alike == 1:
                    yield _Crowd(spans_, rest, alike, sides)


def _spans(
    structure: Structure, edit: BoundEdit, part: Term, asked: Sequence[Asked], attribute: str
) -> Iterator[tuple[Term, Number]]:
    """Yield where an integer may start, and how many values it may have from there on."""
    domain = structure.problem.domain
    of = Term("attr", (attribute, CELL_VARIABLE), INT)
    members = [a.map.member for a in asked if not a.map.indices]
    try:
        cases = disjuncts(conjunction([part, domain.cell_term, *members]))
    except TooManyError:
        return
    starts = {
        low.term(): None
        for case in cases
        for row in map(compared, case)
        if row is not None and (ends := solve([row], of)) is not None
        for factor, low in ends.lows
        if factor == 1 and "c" not in free_variables(low.term())
    }
    plain = (n for a in asked for n in lengths(structure, edit, a.map))
    between = (n for a in asked for n in widths(structure, edit, a.map, of))
    sizes = dict.fromkeys((*plain, *between))
    for start, size in itertools.product(starts, sizes):
        number = number_of(structure, size)
        if number is not None and number != 1:
            yield start, number


def _enough(crowd: _Crowd, asked: Asked) -> bool:
    """Return whether the records, by their labels, make as many blocks that are seen as far."""
    everything = crowd.size()
    if asked.count is None:
        return _seen(asked, crowd)
    told = _labels(crowd, asked.map)
    if asked.piled or not told:  # all records in the same blocks
        return asked.count == asked.most and _seen(asked, crowd)
    if len(told) != 1:
        return False
    (by,) = told.values()
    here = 1 if by & crowd.new else crowd.size(by)
    labels = _quotient(everything, here)
    return (
        labels is not None
        and _reaches(product_of([labels, asked.most]), asked.count)
        and (_near(asked.seen) if by & crowd.new else _seen(asked, crowd, by))
    )


def _labels(crowd: _Crowd, mapping: BoundMap) -> dict[Term, frozenset[str]]:
    """Return what of a map's own functions may differ in a crowd, with the attributes it is of.

    If it is one thing, blocks are distinguished by it.
    """
    return {
        term: told
        for term in subterms(mapping.member)
        if term.op == "apply" and term.name in mapping.functions and (told := _moved(crowd, term))
    }


def _moved(crowd: _Crowd, term: Term) -> frozenset[str]:
    """Return the attributes that differ in a crowd among what a function is of."""
    named = {t.name for t in term.terms if t.op == "attr"}
    if CELL_VARIABLE in term.terms:
        named |= {*crowd.spans, *crowd.new}
    return frozenset(named & {*crowd.spans, *crowd.new})


def _near(wanted: Sequence[Distance]) -> bool:
    return all(r in (0, 1) for r in wanted)


def _seen(asked: Asked, crowd: _Crowd, by: frozenset[str] = frozenset()) -> bool:
    """Return whether parts see as far as is asked where some integers tell the blocks."""
    return all(
        r in (0, 1) or _same(r, crowd.size(by) if of is None else crowd.values(of, by))
        for r, of in zip(asked.seen, asked.apart, strict=True)
    )


def _same(left: Distance, right: Number) -> bool:
    if isinstance(left, Symbolic) and isinstance(right, Symbolic):
        return left.alike(right) and left.factor == right.factor
    return left == right


def _reaches(number: Number, wanted: Count) -> bool:
    """Return whether a number is at least another one, whatever the symbols are from 1 on."""
    return not isinstance(wanted, All) and is_at_most(wanted, number)


def _quotient(number: Number, by: Number) -> Number | None:
    """Return a quotient, None if it is not a whole one for all symbols.

    >>> half = _quotient(sum_of([Symbolic("p", 2), Symbolic("q", 4)]), 2)
    >>> str(half), _quotient(Symbolic("p", 2), sum_of([Symbolic("p"), Symbolic("q")]))
    ('p + 2*q', None)
    """
    if number == by:
        return 1
    if isinstance(by, Total):
        return None
    if isinstance(number, Total):
        known = [n for n in (_quotient(term, by) for term in number.terms) if n is not None]
        return sum_of(known) if len(known) == len(number.terms) else None
    symbols = list(_symbols(number))
    for name in _symbols(by):
        if name not in symbols:
            return None
        symbols.remove(name)
    whole, rest = divmod(_factor(number), _factor(by))
    return None if rest else product_of([whole, *map(Symbolic, symbols)])


def _symbols(number: Number) -> tuple[str, ...]:
    return () if isinstance(number, int) else number.symbols


def _factor(number: Number) -> int:
    return number if isinstance(number, int) else number.factor


@dataclass(frozen=True)
class _Seeded:
    """A crowd of a record in a part of a frame, and in a block of a map, if that is of use."""

    part: Term
    map: BoundMap | None
    crowd: _Crowd


def _within_limits(structure: Structure, edit: BoundEdit, crowds: Sequence[_Seeded]) -> bool:
    """Prove that no limit of the class is passed in either database, which holds all crowds.

    Records of different crowds are counted together, unless they never share a key.
    """
    domain = structure.problem.domain
    limits = [(key, bound, [x.crowd.alike_in(key) for x in crowds])
              for key, bound in domain.limit_terms]  # fmt: skip
    limits += [(x.each, x.at_most, [c.crowd.values_in(domain, x) for c in crowds])
               for x in domain.distinct_terms]  # fmt: skip
    for key, bound, numbers in limits:
        pairs = itertools.combinations(crowds, 2)
        alone = len(crowds) > 1 and all(_apart(structure, edit, key, *two) for two in pairs)
        for together in [[n] for n in numbers] if alone else [numbers]:
            query = Query(structure.signature, structure.problem.symbols)
            total = logic.IntVal(0)
            for number in together:
                total = logic.plus(total, _read(query, number))
            query.add(query.read(bound) < total)
            if query.check() != logic.unsat:
                return False
    return True


def _apart(structure: Structure, edit: BoundEdit, key: Term, one: _Seeded, other: _Seeded) -> bool:
    """Prove that records of two crowds differ in the part of a key in which a crowd is alike."""
    if any(x.crowd.is_new(t) for x in (one, other) for t in components(key)):
        return True
    pair = structure.pair(edit)
    query = pair.query
    cells = []
    for seeded in (one, other):
        cell = query.cell("z")
        query.add(
            query.read(seeded.part, {**pair.params, "c": cell}), pair.old(cell) != pair.new(cell)
        )
        if seeded.map is not None:
            query.add(pair.member(seeded.map, cell, pair.index(seeded.map)))
        cells.append(cell)
    varying = {*one.crowd.spans, *one.crowd.new, *other.crowd.spans, *other.crowd.new}
    alike = [
        t for t in components(key) if not attributes_read(structure.problem.domain, t) & varying
    ]
    query.add(*[equal(*(query.read(t, {"c": c}) for c in cells)) for t in alike])
    return bool(query.check() == logic.unsat)


# ------------------------------------------------------------- that all of it changes


def _changes(
    structure: Structure, edit: BoundEdit, part: Term, asked: Sequence[Asked], crowd: _Crowd
) -> bool:
    """Prove of every record that changes that each record of its crowd may change as well.

    Functions of one thing give what is new what they give the old; no other function is chosen, but
    the label of the map's own that identifies blocks.
    """
    return any(
        _survives(structure, edit, part, asked, crowd, ways)
        for ways in (((0, 1), (1, 0)),) * (crowd.sides == 2) or (((1, 0),), ((0, 1),))
    )


def _survives(
    structure: Structure, edit: BoundEdit, part: Term, asked: Sequence[Asked], crowd: _Crowd,
    ways: Sequence[tuple[int, int]],
) -> bool:  # fmt: skip
    domain = structure.problem.domain
    pair = structure.pair(edit)
    query = pair.query
    cell = query.cell("z")
    query.add(query.read(part, {**pair.params, "c": cell}), pair.old(cell) != pair.new(cell))
    query.add(*[query.read(f, {"c": cell}) for m in pair.maps for f in m.facts])
    copy = _copy(query, pair, cell, crowd)
    held = (logic.IntVal(0), _read(query, crowd.alike) if crowd.stacked else logic.IntVal(1))
    goals = [
        query.read(part, {**pair.params, "c": copy}),
        query.read(domain.cell_term, {"c": copy}),
        *(
            query.read(
                edit.step,
                {**pair.params, "c": copy, "old": held[a], "new": held[b]},
            )
            for a, b in ways
        ),
    ]
    for one in asked:
        block = pair.index(one.map)
        query.add(pair.member(one.map, cell, block))
        there = block
        if one.count is not None and _labels(crowd, one.map):
            there = pair.index(one.map)
            _choose(query, one.map, crowd, (cell, block), (copy, there))
        goals.append(pair.member(one.map, copy, there))
    labels = {n for a in asked if a.count is not None for n in a.map.functions}
    _agree(structure, query, crowd, cell, copy, labels)
    goals += [query.read(f, {"c": copy}) for m in pair.maps for f in m.facts]
    stays = logic.Not(logic.And(*goals))
    return bool(query.check(stays) == logic.unsat and query.check() == logic.sat)


def _copy(query: Query, pair: Pair, cell: GroundCell, crowd: _Crowd) -> GroundCell:
    """Return any record of the crowd of a cell."""
    sorts = query.domain.attribute_sorts
    values: list[Any] = []
    for (a, sort), here in zip(sorts.items(), cell, strict=True):
        start, size = crowd.spans.get(a, (None, 1))
        if isinstance(start, All):
            values.append(query.fresh(sort, "v"))
        elif start is not None:
            value, low = query.fresh(INT, "v"), query.read(start, pair.params)
            query.add(value >= low, value < low + _read(query, size))
            values.append(value)
        elif a in crowd.new and sort == INT and crowd.stride is not None:
            times = query.fresh(INT, "n")
            query.add(times >= 1)
            values.append(here + times * crowd.stride)
        elif a in crowd.unheard:
            value = query.fresh(sort, "e")
            known = [t for n, t in pair.params.items() if dict(pair.edit.params)[n] == sort]
            known += [t for t, s in zip(cell, sorts.values(), strict=True) if s == sort]
            known += [t for t, s in zip(values, sorts.values(), strict=False) if s == sort]
            # Of an integer: larger than all that are named; there are as many of those.
            query.add(*[value > t if sort == INT else value != t for t in known])
            values.append(value)
        else:
            values.append(here)
    return tuple(values)


def _read(query: Query, number: Number) -> Any:
    if isinstance(number, Total):
        return in_solver(query, number)
    total = logic.IntVal(_factor(number))
    for name in _symbols(number):
        total = total * (_many(query) if name == MANY.symbol else query.symbols[name])
    return total


def _many(query: Query) -> Any:
    number = query.fresh(INT, "many")
    query.add(number >= 1)
    return number


def _choose(
    query: Query, mapping: BoundMap, crowd: _Crowd,
    first: tuple[GroundCell, Sequence[Any]], then: tuple[GroundCell, Sequence[Any]],
) -> None:  # fmt: skip
    """Choose the label of a copy: it is in the other block as the first cell is in its own."""
    for term in _labels(crowd, mapping):
        here, there = (
            query.read(term, {**dict(zip((n for n, _ in mapping.indices), i, strict=True)), "c": c})
            for c, i in (first, then)
        )
        query.add(there == (then[1][0] if term.sort == INT else here))


def _agree(
    structure: Structure, query: Query, crowd: _Crowd, cell: GroundCell, copy: GroundCell,
    labels: set[str],
) -> None:  # fmt: skip
    """Let functions of one thing give what is new in a copy what they give the cell."""
    sorts, apply = query.domain.attribute_sorts, query.signature.apply
    pairs = [
        (sorts[a], old, new)
        for a, old, new in zip(sorts, cell, copy, strict=True)
        if a in crowd.unheard
    ]
    if crowd.through is not None:
        (of,), given = structure.signature.signatures[crowd.through]
        for kind, *values in list(pairs):
            if kind == of:
                old, new = (apply(crowd.through, [x]) for x in values)
                query.add(old != new)
                pairs.append((given, old, new))
    for name, (arguments, _) in structure.signature.signatures.items():
        for kind, old, new in (*pairs, (CELL, cell, copy)):
            if arguments == (kind,) and kind != INT and name not in {*labels, crowd.through}:
                query.add(apply(name, [old]) == apply(name, [new]))
