"""How many records a frame changes in a map, by limits of the class whose keys are finer than it.

A limit allows at most r records a key.  If every component of the key is the same at all cells that
change, or takes at most n values there (two of them differ by less than n, or there are no more), D
and E each hold at most r times the product of the n there, and so at most twice as many records
change; once where the step only adds or only removes, and where r is how many records a cell holds.

A limit on distinct values says how many values D, and E, may have there: at most m of a term among
records that share another one, so at most m for each value that the other one takes.

Of a frame that is one case or another, such as the edges from a vertex and those to it, each case
may have a limit of its own: no more records change than the cases allow together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.integers import Polynomial, compared, solve
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundMap
from dpcomp_sym.profile import Number, Symbolic, Total, is_at_most, product_of, sum_of
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.query import equal, unequal
from dpcomp_sym.terms import BOOL, CELL, INT, Term, cases, free_variables, substitute, subterms
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer, variable

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "alike_in",
    "amount_of",
    "blocks_in_all",
    "components",
    "fewest",
    "in_solver",
    "lengths",
    "mirrors",
    "number_of",
    "rank",
    "records_by_keys",
    "records_in",
    "records_moved",
    "records_of",
    "records_of_one_side",
    "records_of_one_value",
    "tells",
    "times_over",
    "values_of",
    "values_of_limit",
    "values_told",
]


def records_by_keys(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, *, one_block: bool
) -> Number | None:
    """Return how many records a frame changes in all blocks of a map, or in any one of them.

    Where a map counts all of them in one block together, it is how far their numbers are apart.
    The least number that was found: with the fewest symbols, then with the least factor.
    """
    question = ("records", edit, mapping.name, one_block)
    return structure.once(
        *question, find=lambda: _in_all(structure, edit, mapping, one_block=one_block)
    )


def _in_all(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, *, one_block: bool
) -> Number | None:
    """Return how many records a frame changes, by a limit about all or case by case of it."""
    found = _bound(structure, edit, mapping, one_block=one_block)
    ways = () if edit.frame is None else cases(edit.frame)
    if len(ways) < 2:
        return found
    counted = [_bound(structure, edit, mapping, one_block=one_block, within=way) for way in ways]
    known = [number for number in counted if number is not None]
    return fewest(found, sum_of(known) if len(known) == len(ways) else None)


def records_of(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, within: Term | None = None
) -> Number | None:
    """Return how many records a frame changes in any one block of a map.

    Args:
        structure: the questions about the problem.
        edit: has a frame.
        mapping: the map.
        within: a part of the frame; only the records in it are counted.
    """
    return _bound(structure, edit, mapping, one_block=True, within=within)


def records_of_one_side(
    structure: Structure, edit: BoundEdit, mapping: BoundMap
) -> Number | None:  # fmt: skip
    """Return how many records D, or E, holds at most where a frame changes one block of a map."""
    return structure.once(
        "records of one side", edit, mapping.name,
        find=lambda: _bound(structure, edit, mapping, one_block=True, one_side=True),
    )  # fmt: skip


def records_in(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, within: Term
) -> Number | None:
    """Return how many records a frame changes in all blocks of a map together, in a part of it."""
    return _bound(structure, edit, mapping, one_block=False, within=within)


def records_of_one_value(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, term: Term
) -> Number | None:
    """Return how many records with the same value of a term a frame changes in any one block.

    By a limit whose key names the term, so that it counts each value by itself.
    """
    return _bound(structure, edit, mapping, one_block=True, each=term)


def values_of(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, term: Term
) -> Number | None:
    """Return how many values a term has at the records that a frame changes in any one block.

    In D and E together: what limits on distinct values allow either of them is not used.
    """
    unused = structure.problem.domain.distinct_terms
    return _values(_Place(structure, edit, mapping, one_block=True, used=unused), term)


def records_moved(structure: Structure, edit: BoundEdit, touched: Iterable[int]) -> Number | None:
    """Return how many records come or go at some of the points of an edit, all together."""
    amounts = [amount_of(structure, edit.change[point][1]) for point in touched]
    known = [a for a in amounts if a is not None]
    return sum_of(known) if len(known) == len(amounts) else None


def in_solver(query: Query, number: Number) -> Any:
    """Return a number, of blocks or of records, as a term of the solver."""
    if isinstance(number, int):
        return logic.IntVal(number)
    if isinstance(number, Total):
        return sum((in_solver(query, n) for n in number.terms), start=logic.IntVal(0))
    symbols = (query.symbols[name] for name in number.symbols)
    return math.prod(symbols, start=logic.IntVal(number.factor))


def amount_of(structure: Structure, delta: Term) -> Number | None:
    """Return how many records an amount adds or removes."""
    if delta.op == "int":
        return abs(delta.number)
    if delta.op == "neg":
        return amount_of(structure, delta.terms[0])
    if delta.op == "mul":
        factors = [amount_of(structure, t) for t in delta.terms]
        return None if None in factors else product_of([f for f in factors if f is not None])
    return number_of(structure, delta)


def times_over(number: Number, by: object) -> Number | None:
    """Return how often a number fits into another one at most, None if that is not known.

    >>> times_over(7, 2), str(times_over(Symbolic("r", 5, ("T",)), Symbolic("T", 2)))
    (4, '3*r')
    """
    if not isinstance(by, int | Symbolic) or by == 0:
        return None
    if isinstance(number, Total):
        each = [times_over(term, by) for term in number.terms]
        known = [n for n in each if n is not None]
        return sum_of(known) if len(known) == len(each) else None
    left = list(number.symbols) if isinstance(number, Symbolic) else []
    for symbol in by.symbols if isinstance(by, Symbolic) else ():
        if symbol not in left:
            return None
        left.remove(symbol)
    whole, part = (x.factor if isinstance(x, Symbolic) else x for x in (number, by))
    return product_of([-(-whole // part), *map(Symbolic, left)])


def fewest(*numbers: Number | None) -> Number | None:
    """Return the number with the fewest symbols, of these the one with the least factor.

    >>> str(fewest(Symbolic("r", 2), None, 6)), fewest(None)
    ('6', None)
    """
    return min((n for n in numbers if n is not None), key=rank, default=None)


def blocks_in_all(mapping: BoundMap) -> int | None:
    """Return how many blocks a map has, None where a symbol says it."""
    numbers = [size for size in mapping.sizes if isinstance(size, int)]
    return math.prod(numbers) if len(numbers) == len(mapping.sizes) else None


def rank(number: Number) -> tuple[int, int, int]:
    """Return what makes a number less than another one: fewer symbols, then a smaller factor.

    That is what it is where all symbols are 1; then it is less that grows less with the symbols.

    >>> numbers = [sum_of([Symbolic("m"), 1]), Symbolic("m", 2), 5]
    >>> [str(n) for n in sorted(numbers, key=rank)]
    ['5', 'm + 1', '2*m']
    """
    if isinstance(number, int):
        return 0, number, 0
    products = number.items if isinstance(number, Total) else (number,)
    most = max(len(product.symbols) for product in products)
    return most, number.factor, sum(p.factor for p in products if len(p.symbols) == most)


def _bound(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, *, one_block: bool,
    within: Term | None = None, each: Term | None = None, one_side: bool = False,
) -> Number | None:  # fmt: skip
    if edit.frame is None:
        return None
    domain = structure.problem.domain
    one_side = one_side or any(structure.pair(edit).monotone())
    sides = 1 if one_side or (one_block and _counted_together(structure, edit, mapping)) else 2
    unused: tuple[BoundDistinct, ...] = ()
    limits: list[_Limit] = [
        (sides, components(key), bound, unused)
        for key, bound in (*domain.limit_terms, *_mirrored(structure))
    ]
    if each is not None:
        limits = [
            (times, [x for x in parts if x != each], bound, used)
            for times, parts, bound, used in limits if each in parts
        ]  # fmt: skip
    else:
        cell = variable("c", CELL)
        every = [Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items()]
        caps = [] if domain.cap is None else [integer(domain.cap)]
        limits += [(sides, every, cap, unused) for cap in caps]
        caps += [bound for key, bound in domain.limit_terms if {*every} <= {*components(key)}]
        # No more come or go in a cell than it may hold, whatever D and E may have together.
        limits += [(1, every, cap, domain.distinct_terms) for cap in caps]

    def counted(limit: _Limit) -> Number | None:
        times, parts, bound, used = limit
        most = number_of(structure, bound)
        if most is None:
            return None
        values = [most]
        for component in parts:
            few = _values(_Place(structure, edit, mapping, one_block, within, used), component)
            if few is None:
                return None
            values.append(few)
        return product_of([times, *values])

    def order(number: Number) -> tuple[bool, _Ranked]:
        # As many records as there are blocks say nothing of how many blocks these change.
        factor = number if isinstance(number, int) else number.factor
        every = None if one_block else blocks_in_all(mapping)
        return every is not None and factor >= every, _Ranked(structure, number)

    limits.sort(key=lambda limit: len(limit[1]))  # of equal ones, that with the plainest key
    return structure.trail.least("records by a limit", limits, counted, order, _named)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """A number that is less than others which are more for all values of the symbols.

    Where neither is, :func:`rank` decides.
    """

    structure: Structure
    number: Number

    def __lt__(self, other: _Ranked) -> bool:
        below, above = self._is_at_most(other), other._is_at_most(self)
        return below if below != above else rank(self.number) < rank(other.number)

    def _is_at_most(self, other: _Ranked) -> bool:
        if is_at_most(self.number, other.number):
            return True
        symbols = self.structure.problem.symbols
        if isinstance(self.number, int) or isinstance(other.number, int) or len(symbols) < 2:
            return False
        query = Query(self.structure.signature, symbols)
        query.add(in_solver(query, self.number) > in_solver(query, other.number))
        return bool(query.check() == logic.unsat)


def _mirrored(structure: Structure) -> tuple[tuple[Term, Term], ...]:
    """Return limits that follow from others, as a fact says that records occur as often as others.

    Where an edge is there both ways, as many edges lead to a vertex as lead from it.
    """
    return structure.once("mirrored limits", find=lambda: tuple(_of_mirrors(structure)))


def _of_mirrors(structure: Structure) -> Iterator[tuple[Term, Term]]:
    domain = structure.problem.domain
    for there in mirrors(domain.fact_terms) if domain.limits else ():
        if _is_injective(structure, there):
            for key, bound in domain.limit_terms:
                yield substitute(key, {"c": there}), bound


def mirrors(facts: Iterable[Term]) -> Iterator[Term]:
    """Yield the other records, in terms of ``c``, as often as which ``c`` occurs as facts say."""
    here = Term("at", ("D", variable("c", CELL)), INT)
    for fact in facts:
        if fact.op != "eq" or here not in fact.terms:
            continue
        (there,) = [term for term in fact.terms if term != here] or [here]
        if there.op == "at" and there != here:
            yield there.terms[0]


def _is_injective(structure: Structure, image: Term) -> bool:
    """Prove that no two cells have the same image, which is a term over ``c``."""
    query = Query(structure.signature, structure.problem.symbols)
    one, other = query.cell("z"), query.cell("z")
    query.add(unequal(one, other))
    query.add(equal(*(query.read(image, {"c": cell}) for cell in (one, other))))
    return structure.unsat(query)


def _counted_together(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that all records that change in a block of a map are counted as one number.

    They are made the same by it, or are the same.
    """
    pair = structure.pair(edit)
    query, block = pair.query, pair.index(mapping)
    names = dict(zip((n for n, _ in mapping.indices), block, strict=True))
    images = []
    for _ in range(2):
        cell = query.cell("z")
        query.add(pair.old(cell) != pair.new(cell), pair.member(mapping, cell, block))
        image = mapping.image
        images.append(
            cell
            if image is None
            else tuple(query.read(term, {**names, "c": cell}) for _, term in image)
        )
    query.add(unequal(*images))
    return structure.unsat(query)


_Limit = tuple[int, list[Term], Term, tuple[BoundDistinct, ...]]
"""How often a limit counts, what its records share, how many, and what need not be used again."""


def _named(limit: _Limit) -> str:
    times, parts, bound, _ = limit
    return f"{times} times {to_text(bound)} with the same {', '.join(map(to_text, parts))}"


def components(key: Term) -> list[Term]:
    """Return what a key is made of."""
    return list(key.terms) if key.op == "tuple" else [key]


def number_of(structure: Structure, bound: Term) -> Number | None:
    """Return a limit as a number: a sum of products of numbers and symbols that are at least 1."""
    if bound.op == "int":
        return bound.number
    if bound.op in ("add", "mul"):
        numbers = [number_of(structure, t) for t in bound.terms]
        fitting = [n for n in numbers if n is not None and (not isinstance(n, int) or n > 0)]
        combined = sum_of if bound.op == "add" else product_of
        return combined(fitting) if len(fitting) == len(numbers) else None
    if bound.op != "var" or not _positive(structure, bound.name):
        return None
    known = structure.numbers(bound.name)
    if known.low is not None and known.low == known.high:
        return known.low
    return Symbolic(bound.name)


def _positive(structure: Structure, name: str) -> bool:
    low = structure.numbers(name).low
    return low is not None and low >= 1


@dataclass(frozen=True)
class _Place:
    """The cells that an edit changes in all blocks of a map, or in any one of them.

    ``within`` is a part of the frame, if only the cells in it count; ``used`` are limits on
    distinct values that need not be looked at again.
    """

    structure: Structure
    edit: BoundEdit
    mapping: BoundMap
    one_block: bool
    within: Term | None = None
    used: tuple[BoundDistinct, ...] = ()

    def never(self, *what: Any, said: Callable[[Query, GroundCell, GroundCell], Any]) -> bool:
        """Prove that something is not so of any two of the cells.

        Several limits ask it of the same cells: it is asked once, by what it is.
        """
        where = (self.edit, self.mapping.name, self.one_block, self.within)
        return self.structure.never("never", *where, *what, find=lambda: self._asked(said))

    def _asked(self, said: Callable[[Query, GroundCell, GroundCell], Any]) -> Query:
        """Ask whether something is so of two of the cells."""
        pair = self.structure.pair(self.edit)
        query = pair.query
        block = pair.index(self.mapping)
        ends = []
        for other in (block, block if self.one_block else pair.index(self.mapping)):
            cell = query.cell("z")
            query.add(pair.old(cell) != pair.new(cell), pair.member(self.mapping, cell, other))
            if self.within is not None:
                query.add(query.read(self.within, {**pair.params, "c": cell}))
            ends.append(cell)
        query.add(said(query, *ends))
        return query


def _values(place: _Place, component: Term) -> Number | None:
    """Return how many values a component has where D, or E, has what changes; None if unknown."""
    first = place.structure.trail.first
    values = place.structure.problem.domain.enumerations.get(component.sort)

    def may_have(value: str) -> bool:
        ways: dict[str, Callable[[], bool]] = {
            "never": partial(_never_has, place, component, value), "perhaps": lambda: True,
        }  # fmt: skip
        return first(value, ways, lambda way: ways[way]() and way) == "perhaps"

    ways: dict[str, Callable[[], Number | None]] = {
        "the same": lambda: 1 if _near(place, component, None) else None
    }
    if component.sort == BOOL:
        ways["true and false"] = lambda: 2
    elif values:
        ways["values of the list"] = lambda: max(1, sum([may_have(value) for value in values]))
    else:
        ways["few"] = partial(_few_values, place, component)
    return first(f"values of {to_text(component)}", ways, lambda way: ways[way]()) or None


def _few_values(place: _Place, component: Term) -> Number | None:
    """Return how many values there are by how far apart they are, by a remainder, or by limits."""
    structure = place.structure
    trail = structure.trail

    def apart() -> Number | None:
        tried: Iterable[Term] = ()
        if component.sort == INT:
            where = structure, place.edit, place.mapping
            between = (n for n in widths(*where, component) if number_of(structure, n) is not None)
            tried = dict.fromkeys((*lengths(*where), *between))
        length = trail.first(
            "less apart than", tried, lambda n: n if _near(place, component, n) else None, to_text
        )
        return number_of(structure, length) if isinstance(length, Term) else None

    ways: dict[str, Callable[[], Number | None]] = {"near each other": apart}
    if component.op == "mod":
        ways |= {
            f"remainders by {t.number}": partial(int, t.number)
            for t in component.terms[1:] if t.op == "int"
        }  # fmt: skip
    ways |= {
        f"limited: {to_text(limit.of)} for each {to_text(limit.each)}": partial(
            _limited_values, place, component, limit
        )
        for limit in structure.problem.domain.distinct_terms
    }
    return trail.least("how", ways, lambda way: ways[way](), rank)


def _never_has(place: _Place, component: Term, value: str) -> bool:
    """Prove that a component has not this value at a cell that changes."""

    def has(query: Query, one: GroundCell, _: GroundCell) -> Any:
        constant = query.signature.constant(value, component.sort)
        return logic.equal(query.read(component, {"c": one}), constant)

    return place.never(component, value, said=has)


def _near(place: _Place, component: Term, length: Term | None) -> bool:
    """Prove that two cells that change agree in a component, or differ by less than a length."""

    def apart(query: Query, one: GroundCell, other: GroundCell) -> Any:
        left, right = (query.read(component, {"c": c}) for c in (one, other))
        if length is None:
            return unequal(left, right)
        return logic.compared("ge", right - left, query.read(length))

    return place.never(component, length, said=apart)


def _limited_values(place: _Place, component: Term, limit: BoundDistinct) -> Number | None:
    """Return how many values a limit on distinct values allows: what it counts tells the value."""

    def apart(query: Query, one: GroundCell, other: GroundCell) -> Any:
        left, right = (query.read(component, {"c": c}) for c in (one, other))
        return logic.And(alike_in(query, limit, one, other), unequal(left, right))

    number = _limit_there(place, limit)
    return number if number is not None and place.never(component, limit, said=apart) else None


def _limit_there(place: _Place, limit: BoundDistinct) -> Number | None:
    """Return how many values a limit allows where D, or E, has what changes.

    The limit is for each value of what the records share.
    """
    most = number_of(place.structure, limit.at_most)
    if limit in place.used or most is None or (isinstance(most, int) and most < 1):
        return None
    there = replace(place, used=(*place.used, limit))
    groups: list[Number] = []
    for part in components(limit.each):
        few = _values(there, part)
        if few is None:
            return None
        groups.append(few)
    return product_of([most, *groups])


def alike_in(query: Query, limit: BoundDistinct, one: GroundCell, other: GroundCell) -> Any:
    """Return that two records count as one for a limit on distinct values."""
    ends = ([query.read(t, {"c": c}) for t in (limit.each, limit.of)] for c in (one, other))
    return logic.And(*[equal(*both) for both in zip(*ends, strict=True)])


def values_told(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, terms: Sequence[Term]
) -> Number | None:
    """Return how many choices of some terms there are among the records that change in a map.

    As many as some limit on distinct values allows, if what it counts tells these terms.
    """
    for limit in structure.problem.domain.distinct_terms:
        number = values_of_limit(structure, edit, mapping, limit)
        if number is not None and tells(structure, edit, limit, terms):
            return number
    return None


def tells(
    structure: Structure, edit: BoundEdit, limit: BoundDistinct, terms: Sequence[Term]
) -> bool:
    """Prove that records that change agree in some terms if a limit counts them as one.

    Whatever the indices of blocks are that the terms name.
    """
    pair = structure.pair(edit)
    query = pair.query
    one, other = query.cell("z"), query.cell("z")
    query.add(*[pair.old(cell) != pair.new(cell) for cell in (one, other)])
    query.add(alike_in(query, limit, one, other))
    named = {n for x in terms for n in free_variables(x)} - {"c"}
    names = {n: query.fresh(INT, "i") for n in sorted(named)}
    query.add(unequal(*(
        tuple(query.read(x, {**names, "c": cell}) for x in terms) for cell in (one, other)
    )))  # fmt: skip
    return structure.unsat(query)


def values_of_limit(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, limit: BoundDistinct
) -> Number | None:
    """Return how many pairs of the terms of a limit on distinct values change in a map.

    Twice as many as D or E may have; once if one of the two has a record of all that changes.
    """
    number = _limit_there(_Place(structure, edit, mapping, one_block=False), limit)
    if number is None:
        return None
    held = structure.once("held", edit, mapping.name,
                          find=lambda: _held_by_one(structure, edit, mapping))  # fmt: skip
    return product_of([1 if held else 2, number])


def _held_by_one(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that D has a record in every cell that changes, or that E has one."""

    def held(side: int) -> bool:
        pair = structure.pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        pair.query.add(pair.member(mapping, cell, pair.index(mapping)))
        pair.query.add((pair.old, pair.new)[side](cell) <= 0)
        return structure.unsat(pair.query)

    return bool(
        structure.trail.first("all that changes is held by", (0, 1), held, "DE".__getitem__)
    )


def lengths(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Iterator[Term]:
    """Yield what may bound how far apart two values lie: numbers, then symbols from 1 on."""
    inside = [t for term in _said(structure, edit, mapping) for t in subterms(term)]
    yield from map(integer, sorted({t.number for t in inside if t.op == "int" and t.number > 0}))
    symbols = structure.problem.symbols
    for name in dict.fromkeys(t.name for t in inside if t.op == "var" and t.name in symbols):
        if _positive(structure, name):
            yield variable(name, INT)


def _said(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> list[Term]:
    """Return what is said of records that an edit changes in a block of a map."""
    said = (edit.frame, edit.guard, mapping.member, structure.problem.domain.cell_term)
    return [term for term in said if term is not None]


def widths(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, component: Term
) -> Iterator[Term]:
    """Yield how many values an integer has between two ends that are said of it."""
    lows: list[Polynomial] = []
    highs: list[Polynomial] = []
    for row in filter(None, map(compared, _comparisons(_said(structure, edit, mapping)))):
        if (ends := solve([row], component)) is not None:
            lows += [low for factor, low in ends.lows if factor == 1]
            highs += [high for factor, high in ends.highs if factor == 1]
    one_more = Polynomial.of(integer(1))
    known = structure.problem.symbols.keys()
    for low, high in itertools.product(lows, highs):
        width = (high - low + one_more).term()
        if free_variables(width) <= known:
            yield width


def _comparisons(terms: Iterable[Term]) -> Iterator[Term]:
    """Yield the comparisons in some terms; what an absolute value is below, both its ends are."""
    for one in (x for term in terms for x in subterms(term)):
        if one.op in ("lt", "le", "gt", "ge"):
            yield one
            small, large = one.terms if one.op in ("lt", "le") else one.terms[::-1]
            if small.op == "abs":
                (inside,) = small.terms
                for end in (inside, Term("neg", (inside,), INT)):
                    yield Term("le" if one.op in ("le", "ge") else "lt", (end, large), BOOL)
