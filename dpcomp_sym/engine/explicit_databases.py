"""Databases written down for the solver: few records, and the edits that lead from one to another.

With two records and small multiplicities, "they are neighbours of the class" is a formula without
quantifiers.  In a class whose databases have one record at every place, such as tables, what stands
elsewhere is the same in both, and anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.engine.clauses import WrittenPair
from dpcomp_sym.engine.relations import NamedParameter, X, Y, end_points, vocabulary
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import BoundEdit, BoundMap, Domain, Universe
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.asking import RESOURCES
from dpcomp_sym.smt.query import GroundCell, Signature, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    conjuncts,
    free_variables,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

__all__ = ["ExplicitDatabase", "Trial", "linked", "numbers", "place", "pushed", "records", "trials"]

NOWHERE: Final = BoundEdit((), TRUE, (), FALSE)
OWN: Final = "own"
"""Stands behind the names of an edit's parameters where the records x and y are mentioned, too."""


def records(structure: Structure, steps: int = RESOURCES) -> Pair:
    """Return a place for statements about the records of X and their blocks alone.

    What the class requires of databases is left out, since none is mentioned.
    """
    problem, signature = structure.problem, structure.signature
    domain = replace(problem.domain, cap=None, size=(), limits=(), distinct=(), facts=())
    query = Query(Signature(domain, signature.signatures), problem.symbols, steps)
    return Pair(query, NOWHERE, tuple(problem.used_maps.values()))


def _remembering(at: Callable[[GroundCell], Any]) -> Callable[[GroundCell], Any]:
    """Return a function of cells that keeps its values, and the cells, so that ids stay."""
    known: dict[int, tuple[GroundCell, Any]] = {}

    def found(cell: GroundCell) -> Any:
        if id(cell) not in known:
            known[id(cell)] = (cell, at(cell))
        return known[id(cell)][1]

    return found


@dataclass(frozen=True)
class ExplicitDatabase:
    """A database with records in few cells, as solver terms."""

    pair: Pair
    domain: Domain
    cells: tuple[GroundCell, ...]
    at: Callable[[GroundCell], Any]
    rest: Any = None
    """The number of records besides; None: there are none."""

    def __post_init__(self) -> None:
        """Make the number of records in a cell a term once."""
        object.__setattr__(self, "at", _remembering(self.at))

    @property
    def size(self) -> Any:
        """The number of all records."""
        here = self.total(lambda _: logic.BoolVal(True))
        return here if self.rest is None else logic.plus(here, self.rest)

    def total(self, chosen: Callable[[GroundCell], Any]) -> Any:
        """Return the number of records in the cells with a property."""
        found = logic.IntVal(0)
        for number, cell in enumerate(self.cells):
            before = [self.pair.query.equal(cell, other) for other in self.cells[:number]]
            counted = logic.And(chosen(cell), *[logic.Not(again) for again in before])
            found = logic.plus(found, logic.If(counted, self.at(cell), 0))
        return found

    def within(self, mapping: BoundMap, block: tuple[Any, ...]) -> ExplicitDatabase:
        """Return what a block keeps of it."""
        return replace(
            self,
            at=lambda c: logic.If(self.pair.member(mapping, c, block), self.at(c), 0),
            rest=None if self.rest is None else self.pair.query.fresh(INT, "rest"),
        )

    def in_class(self) -> list[Any]:
        """Return that it is a database of the class."""
        query, domain = self.pair.query, self.domain
        facts = []
        for cell in self.cells:
            facts.append(logic.compared("ge", self.at(cell), 0))
            if domain.cap is not None:
                facts.append(logic.compared("le", self.at(cell), domain.cap))
            for key, bound in domain.limit_terms:
                here = query.read(key, {"c": cell})

                def alike(other: GroundCell, key: Term = key, here: Any = here) -> Any:
                    return equal(query.read(key, {"c": other}), here)

                alike_held, most = self.total(alike), query.read(bound)
                facts.append(
                    logic.compared("le", alike_held, most)
                    if self.rest is None
                    else logic.equal(alike_held, most)
                )
        if self.rest is not None:
            return facts
        return facts + [query.read(t, {}, self.reading()) for t in domain.size_terms]

    def reading(self) -> dict[str, Any]:
        """Return what D means in a formula about it."""
        return {"D": (self.at, lambda: self.size)}


@dataclass(frozen=True)
class Trial:
    """Two databases of few records, and that an edit leads from one to the other.

    ``cells`` are the two records in question.
    """

    pair: Pair
    cells: tuple[GroundCell, GroundCell]
    old: ExplicitDatabase
    new: ExplicitDatabase
    link: tuple[Any, ...]
    written: WrittenPair | None = None
    """The same in words, where the databases are made of these records alone."""

    @property
    def admissible(self) -> list[Any]:
        """That these are neighbours of the class."""
        return [*self.old.in_class(), *self.new.in_class(), *self.link]


def place(structure: Structure) -> Term | None:
    """Return the attributes of which every value, in all databases of the class, has one record.

    So it is with tables of a fixed size: at most one record a place, as many records as places, and
    all other attributes free.  In a class with two databases each place has two records to choose.
    """
    domain = structure.problem.domain
    if domain.universe is not Universe.PRODUCT or len(domain.limit_terms) != 1 or domain.distinct:
        return None
    ((key, most),) = domain.limit_terms
    sides = [s for t in domain.size_terms if t.op == "eq" for s in t.terms if s.op != "size"]
    number = _values(domain, key)
    if most != integer(1) or len(domain.size_terms) != 1 or len(sides) != 1 or number is None:
        return None
    query = records(structure).query
    query.add(query.read(Term("ne", (sides[0], number), BOOL)))
    return key if structure.unsat(query) else None


def _values(domain: Domain, key: Term) -> Term | None:
    """Return how many values attributes have, if the cells are limited by their intervals alone."""
    keys = key.terms if key.op == "tuple" else (key,)
    if any(k.op != "attr" for k in keys):
        return None  # a function may have any number of values
    ends: dict[tuple[str, bool], Term] = {}
    for fact in conjuncts(domain.cell_term):
        left, right = fact.terms if fact.op == "le" else (TRUE, TRUE)
        inner, end, lower = (right, left, True) if right.op == "attr" else (left, right, False)
        if inner.op != "attr" or "c" in free_variables(end):
            return None
        if ends.setdefault((inner.name, lower), end) != end:
            return None
    found = integer(1)
    for name in (k.name for k in keys):
        low, high = (ends.pop((name, lower), None) for lower in (True, False))
        if low is None or high is None:
            return None
        values = Term("add", (Term("sub", (high, low), INT), integer(1)), INT)
        found = Term("mul", (found, values), INT)
    return None if ends else found


def trials(
    pair: Pair, domain: Domain, edit: BoundEdit, named: Mapping[str, Any],
    given: Sequence[NamedParameter], numbers: Sequence[Term], *, two: bool,
    place: Term | None = None,
) -> Iterator[Trial]:  # fmt: skip
    """Yield pairs of written databases that an edit may link, smallest first.

    ``named`` are the two records, and what is given; ``numbers`` the multiplicities to try;
    ``two``: the edit must name both records; ``place``: of which each value has one record.
    """
    query = pair.query
    if domain.facts:
        return  # what is written would have to say more than two records do
    both = (named[X.name], named[Y.name])
    named_too = [] if edit.frame is not None else [g.name for g in given if g.sort == CELL]
    cells = (*both, *(named[n] for n in named_too))
    alone = place is None and not named_too
    counts = [query.read(t) for t in numbers]
    rest = None
    if place is not None:
        rest = query.fresh(INT, "rest")
        others = tuple(_another(query, place, cell) for cell in both)
        query.add(logic.Implies(query.equal(*both), query.equal(*others)))
        cells = (*cells, *others)
    besides = _besides(pair, place, cells)

    def written(values: Sequence[Any]) -> ExplicitDatabase:
        def at(cell: GroundCell) -> Any:
            found = besides(cell)
            for known, value in zip(reversed(cells), reversed(values), strict=True):
                found = logic.If(query.equal(cell, known), value, found)
            return found

        return ExplicitDatabase(pair, domain, cells, at, rest)

    ways = [
        (chosen, {name: query.read(term, named) for name, term in chosen.items()})
        for chosen in choices(domain, edit, given)
        if not two or not edit.points or {X, Y} <= {chosen[p] for p in edit.points}
    ]
    for before, after in _steps(edit, range(len(counts)), len(cells), full=place is not None):
        old = written([counts[n] for n in before])
        numbered = [[numbers[n] for n in some] for some in (before, after) if some is not None]
        for chosen, params in ways:
            guard = query.read(edit.guard, params, old.reading())
            words = _in_words(edit, chosen, *numbered) if alone else None
            if logic.is_false(logic.simplify(guard)) or (words is not None and words.negative):
                continue
            if after is None or edit.frame is None:
                yield Trial(pair, both, old, _changed(edit, params, old), (guard,), words)
                continue
            new = written([counts[n] for n in after])
            inside = _framed(edit.frame, edit.step, params, old, new)
            yield Trial(pair, both, old, new, (guard, *inside), words)


_Held = tuple[int, ...]


def _steps(
    edit: BoundEdit, numbers: range, cells: int, *, full: bool
) -> Iterator[tuple[_Held, _Held | None]]:
    """Yield how many records two databases hold; after an edit that adds numbers these tell it.

    Of a frame both records change; where databases are ``full``, no number of records does.
    """
    held = list(itertools.product(numbers, repeat=cells))
    afters: list[_Held | None] = [None] if edit.frame is None else [*held]
    for before, after in sorted(itertools.product(held, afters), key=_records_of):
        unchanged = after is not None and any(before[n] == after[n] for n in (0, 1))
        moved = after is not None and full and sum(before) != sum(after)
        if not unchanged and not moved:
            yield before, after


def _records_of(step: tuple[_Held, _Held | None]) -> tuple[int, int, _Held]:
    """Return how many records both databases hold, and the first one, of which x has the most."""
    before, after = step
    return sum(before) + sum(after or ()), sum(before), tuple(-number for number in before)


def _in_words(
    edit: BoundEdit, chosen: Mapping[str, Term], before: Sequence[Term],
    after: Sequence[Term] | None = None,
) -> WrittenPair | None:  # fmt: skip
    """Return two databases of copies of x and y in words; None where a sum of numbers is none."""
    then = list(before) if after is None else list(after)
    for point, delta in edit.change:
        here = (X, Y).index(chosen[point])
        if {then[here].op, delta.op} - {"int"}:
            return None
        then[here] = integer(int(then[here].name) + int(delta.name))
    values = tuple((n, t) for n, t in chosen.items() if t not in (X, Y))
    return WrittenPair((before[0], before[1]), (then[0], then[1]), values)


def numbers(domain: Domain, edit: BoundEdit, most: int) -> list[Term]:
    """Return multiplicities to try: small ones, and those that sizes and guards mention."""
    found = [integer(n) for n in range(most + 1)]
    for term in (edit.guard, edit.step, *domain.size_terms):
        for inner in subterms(term):
            if inner.op == "int" and most < int(inner.name) <= 3:
                found.append(inner)
            if inner.op == "var" and term in domain.size_terms:
                found += [inner, Term("sub", (inner, integer(1)), INT)]
    return list(dict.fromkeys(found))


def choices(
    domain: Domain, edit: BoundEdit, given: Sequence[NamedParameter]
) -> Iterator[dict[str, Term]]:
    """Yield values for the parameters of an edit: what is given, the records, terms over them."""
    ends = end_points(edit.renamed(OWN))
    themselves = {g.param: variable(g.name, g.sort) for g in given}
    added = {v for _, delta in edit.change for v in free_variables(delta)}
    pools: list[list[Term]] = []
    for name, sort in edit.params:
        if name in themselves:
            pools.append([themselves[name]])
        elif sort == CELL:
            pools.append([X, Y])
        else:
            pools.append(list(vocabulary(domain, sort, extra=ends)))
            if sort == INT and name in added:
                pools[-1] += [integer(1), integer(-1)]
    names = [n for n, _ in edit.renamed(OWN).params]
    for values in itertools.product(*pools):
        chosen = dict(zip(names, values, strict=True))
        found = {
            n: substitute(t, {m: v for m, v in chosen.items() if m != n}) for n, t in chosen.items()
        }
        # The end of one parameter can be given by another one, and that by the first: no values.
        if not any(free_variables(t) & set(names) for t in found.values()):
            yield {n.removesuffix(f".{OWN}"): t for n, t in found.items()}


def _changed(edit: BoundEdit, params: Mapping[str, Any], old: ExplicitDatabase) -> ExplicitDatabase:
    query = old.pair.query
    deltas = [(params[p], query.read(d, params, old.reading())) for p, d in edit.change]

    def at(cell: GroundCell) -> Any:
        value = old.at(cell)
        for point, delta in deltas:
            value = logic.plus(value, logic.If(equal(cell, point), delta, 0))
        return value

    return replace(old, at=at)


def _framed(
    frame: Term, step: Term, params: Mapping[str, Any], old: ExplicitDatabase, new: ExplicitDatabase
) -> list[Any]:
    """Return that an edit of a frame leads from one to the other."""
    query = old.pair.query

    def here(cell: GroundCell, before: Any, after: Any) -> Any:
        names = {**params, "c": cell}
        done = query.read(step, {**names, "old": before, "new": after}, old.reading())
        return logic.If(query.read(frame, names, old.reading()), done, logic.equal(before, after))

    found = [here(c, old.at(c), new.at(c)) for c in old.cells]
    if step == TRUE:
        return found
    # Elsewhere both hold the same; the negation of "everywhere" has a cell of its own.
    other = query.cell("other")
    apart = [logic.Not(query.equal(other, c)) for c in old.cells]
    same = old.at(other)
    return [*found, logic.Or(logic.Not(logic.And(*apart)), here(other, same, same))]


def _another(query: Query, place: Term, cell: GroundCell) -> GroundCell:
    """Return another record at the same place."""
    other = query.cell("other")
    alike = equal(query.read(place, {"c": other}), query.read(place, {"c": cell}))
    query.add(alike, logic.Not(query.equal(other, cell)))
    return other


def _besides(
    pair: Pair, place: Term | None, cells: Sequence[GroundCell]
) -> Callable[[GroundCell], Any]:
    """Return how many records there are in any other cell: none, or one at each other place."""
    query = pair.query
    if place is None:
        return lambda _: logic.IntVal(0)
    sorts = [query.signature.sort(s) for s in pair.domain.attribute_sorts.values()]
    held = logic.SolverFunction(query.new("besides"), *sorts, query.signature.sort(BOOL))

    def at(cell: GroundCell) -> Any:
        here = query.read(place, {"c": cell})
        taken = [equal(query.read(place, {"c": known}), here) for known in cells]
        return logic.If(logic.And(held(*cell), logic.Not(logic.Or(*taken))), 1, 0)

    return at


def linked(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: ExplicitDatabase, then: ExplicitDatabase,
) -> Any:  # fmt: skip
    """Return that an inner edit leads from one to the other, for new constants as parameters."""
    query = pair.query
    params: dict[str, Any] = {n: query.fresh(s, logic.path("in", n)) for n, s in inner.params}
    named = [params[n] for n, s in inner.params if s == CELL]
    facts = [query.read(inner.guard, params, first.reading())]
    facts += [pair.member(mapping, cell, block) for cell in named]
    return logic.And(*facts, *_leads(pair, mapping, block, inner, first, then, params))


def pushed(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: ExplicitDatabase, then: ExplicitDatabase,
) -> Any:  # fmt: skip
    """Return that two images may be those of databases that an inner edit links.

    What the block does not show of the first is any number of records, new functions and sizes.
    """
    query, domain = pair.query, pair.domain
    sorts = [query.signature.sort(s) for s in domain.attribute_sorts.values()]
    hidden = logic.SolverFunction(query.new("hidden"), *sorts, logic.IntSort())
    size = query.fresh(INT, "size")
    params: dict[str, Any] = {n: query.fresh(s, logic.path("in", n)) for n, s in inner.params}

    def whole(cell: GroundCell) -> Any:
        return logic.If(pair.member(mapping, cell, block), first.at(cell), hidden(*cell))

    reading = {"D": (whole, lambda: size)}
    facts = [query.read(inner.guard, params, reading), size >= first.size]
    cells = [*first.cells, *(params[n] for n, s in inner.params if s == CELL)]
    facts += [whole(cell) >= 0 for cell in cells]
    return logic.And(*facts, *_leads(pair, mapping, block, inner, first, then, params, reading))


def _leads(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: ExplicitDatabase, then: ExplicitDatabase, params: Mapping[str, Any],
    reading: Mapping[str, Any] | None = None,
) -> list[Any]:  # fmt: skip
    """Return that an inner edit makes of one what the block shows of the other."""
    query = pair.query
    cells = [*first.cells, *(params[n] for n, s in inner.params if s == CELL)]
    reading = first.reading() if reading is None else reading
    facts = []
    if inner.frame is None:
        deltas = [(params[p], query.read(d, params, reading)) for p, d in inner.change]
        for cell in cells:
            value = first.at(cell)
            for point, delta in deltas:
                value = logic.plus(value, logic.If(equal(cell, point), delta, 0))
            shown = pair.member(mapping, cell, block)
            facts.append(logic.Implies(shown, logic.equal(value, then.at(cell))))
        return facts
    for cell in cells:
        names = {**params, "c": cell}
        moved_to = {**names, "old": first.at(cell), "new": then.at(cell)}
        step = query.read(inner.step, moved_to, reading)
        inside = logic.And(pair.member(mapping, cell, block), query.read(inner.frame, names))
        facts.append(logic.If(inside, step, logic.equal(first.at(cell), then.at(cell))))
    return facts
