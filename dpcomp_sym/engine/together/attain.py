"""Whether all blocks with a condition change at once, for all numbers: cells for them, as terms.

For a frame, every block with the condition has a cell of its own: D holds these cells, once each,
and E nothing.  For an edit that names its points these are written down as terms in its integers.
Each claim is a question that must be impossible.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dpcomp_sym.engine.distances import counts_records
from dpcomp_sym.engine.records import Number, attributes_read, components, number_of, product_of
from dpcomp_sym.engine.replication import stays_as_it_is
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import ChangeCondition, Chosen, Finder, value_between
from dpcomp_sym.engine.together.integers import Polynomial, replaced, solve
from dpcomp_sym.model import BoundMap, BoundPart, Universe
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    Term,
    free_variables,
    reads_database,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Placement", "any_choice", "attained", "everything", "filled", "records_filled"]


def attained(
    structure: Structure,
    finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate,
) -> Placement | None:
    """Return whether for all integers with facts one pair changes all blocks with the conditions.

    ``conditions`` are those of all maps; None for a map without blocks.  The records that change in
    a block are changed once each.
    """
    edit, domain = finder.edit, structure.problem.domain
    written = (*domain.fact_terms, *(f for m, _ in conditions for f in m.facts))
    if domain.size or any(reads_database(f) for f in written):
        return None
    if edit.frame is not None:
        frame = _Frame(structure, finder, conditions, facts)
        return Placement(frame.shared, frame.comes) if frame.holds() else None
    if any(m.image is not None or c is None for m, c in conditions):
        return None
    points = _Points(structure, finder, conditions, facts)
    return Placement(points.shared) if points.holds() else None


class Placement(NamedTuple):
    """How the records of a pair that changes all blocks are placed.

    ``shared``: the attributes that are the same of all, among those whose values are not written
    down; of others each has a value of its own.  ``comes``: what a frame changes comes to an empty
    database, and may not leave one.
    """

    shared: frozenset[str]
    comes: bool = False


@dataclass
class _Cells:
    structure: Structure
    finder: Finder
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]]
    facts: s.Predicate
    shared: frozenset[str] = frozenset()
    comes: bool = False

    def query(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about the integers of the edit, and what its parameters are."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        return query, {}

    def never(self, query: Query) -> bool:
        return self.structure.unsat(query)

    def good(self, query: Query, cell: GroundCell) -> list[Any]:
        """Return that a tuple is a cell, as the class and the maps say."""
        domain = self.structure.problem.domain
        maps = [f for m, _ in self.conditions for f in m.facts]
        here = {"c": cell}
        said = [domain.cell_term, *domain.fact_terms, *maps]
        return [query.read(term, here) for term in said]

    def roomy(self, least: int) -> bool:
        """Prove that every limit leaves room for so many records."""
        for _, bound in self.structure.problem.domain.sufficient_limits:
            query, _ = self.query()
            query.add(query.read(bound) < least)
            if not self.never(query):
                return False
        return True


def filled(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate,
) -> bool:  # fmt: skip
    """Prove that each value between the ends of a block is that of a cell that may change there.

    Only the first value that was bounded is moved; the class must not tie records together.
    """
    if structure.problem.domain.limited:
        return False
    return _Frame(structure, finder, [(mapping, condition)], facts).filled(mapping, condition)


def records_filled(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    facts: s.Predicate,
) -> Number | None:  # fmt: skip
    """Return how many records with each value come or go at once, in all blocks that have it.

    A limit counts the records that share the value, and nothing else is limited: D holds as many as
    it allows, and so does E if the step goes both ways, with names of their own.  What else a cell
    has is the same for all blocks, so that one pair of neighbours is the worst one for all of them.
    """
    domain = structure.problem.domain
    if len(domain.limit_terms) != 1 or domain.distinct_terms or len(condition.cases) != 1:
        return None
    if not (counts_records(part) and part.default_class and part.map.image is None):
        return None
    ((key, bound),) = domain.limit_terms
    return _Frame(structure, finder, [(part.map, condition)], facts).full(key, bound)


def any_choice(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, most: int,
) -> int:  # fmt: skip
    """Return of how many blocks any choice has the condition for some integers, at most so many."""
    found = 0
    for number in range(1, most + 1):
        if not _any_choice(structure, finder, mapping, condition, facts, number):
            break
        found = number
    return found


def everything(
    structure: Structure, finder: Finder, facts: s.Predicate,
    conditions: Sequence[tuple[BoundMap, ChangeCondition]],
) -> bool:  # fmt: skip
    """Return whether for some integers all blocks of some maps have their conditions at once.

    Tried are integers for which the first and the last block of one of the maps have them.
    """
    return any(
        _all_at(structure, finder, facts, conditions, values)
        for mapping, condition in conditions
        for values in _for_both_ends(finder, mapping, condition, _rows_of(finder, facts))
    )


def _for_both_ends(
    finder: Finder, mapping: BoundMap, condition: ChangeCondition, facts: Sequence[Polynomial]
) -> Iterator[dict[Term, Term]]:
    """Yield integers for which the first and the last block have a condition, as far as is told."""
    sizes = [variable(n, INT) if isinstance(n, str) else integer(n) for _, n in mapping.indices]
    names = [variable(f"block.{n}", INT) for n, _ in mapping.indices]
    first = {n: Polynomial.of(integer(1)) for n in names}
    last = {n: Polynomial.of(size) for n, size in zip(names, sizes, strict=True)}
    for choice in itertools.product(condition.rows, repeat=2):
        rows = [
            _at_block(p, values) for rows, values in zip(choice, (first, last), strict=True)
            for p in rows
        ]  # fmt: skip
        known = _solved([*facts, *rows], finder.letters)
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
        query.add(*_in_range(query, mapping, block))
        goals.append(SolverNames(query.symbols, letters, block).holds(condition.predicate))
    query.add(logic.Not(logic.And(*goals)))
    return structure.unsat(query)


def _any_choice(
    structure: Structure, finder: Finder, mapping: BoundMap, condition: ChangeCondition,
    facts: s.Predicate, number: int,
) -> bool:  # fmt: skip
    copies = [{t: variable(f"{t.name}.{n}", INT) for t in finder.indices} for n in range(number)]
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
        query.add(*_in_range(query, mapping, block))
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
        left = [*here.rest, *here.joined()]
    values: dict[Term, Term] = {}
    for letter, here in reversed(ends):
        value = value_between(here)
        for known, term in values.items():
            value = replaced(value, known, term)
        values[letter] = value
    return values


def _of_values_alone(fact: Term) -> bool:
    """Return whether a fact is about the values of functions only, so that it is alike everywhere.

    Then it holds of all records if functions have, wherever nothing is chosen, a value that was.
    """
    for part in subterms(fact):
        if part.op == "apply":
            fact = replaced(fact, part, variable("edit.value", part.sort))
    return "edit.value" not in free_variables(fact) or "c" not in free_variables(fact)


def _in_range(query: Query, mapping: BoundMap, block: Sequence[Any]) -> list[Any]:
    tops = [query.symbols[n] if isinstance(n, str) else logic.IntVal(n)
            for _, n in mapping.indices]  # fmt: skip
    return [logic.And(b >= 1, b <= top) for b, top in zip(block, tops, strict=True)]


class _Frame(_Cells):
    def holds(self) -> bool:
        """Ask all that must be impossible."""
        edit = self.finder.edit
        if any(sort == CELL for _, sort in edit.params) or reads_database(edit.guard, edit.step):
            return False
        if edit.frame is None or reads_database(edit.frame) or not self.letters_are_any():
            return False
        domain = self.structure.problem.domain
        more = domain.universe is Universe.PRODUCT or domain.at_least > 1
        if more and not stays_as_it_is(self.structure, edit):
            return False  # X has other cells than those that change
        cases = [
            (mapping, predicate, chosen)
            for mapping, condition in self.conditions
            for predicate, chosen in (condition.cases if condition else self.whole())
        ]
        if not (self.guarded() and all(map(self.touched, *zip(*cases, strict=True)))):
            return False
        ways = (old for old in (1, 0) if all(self.steps(m, p, c, old) for m, p, c in cases))
        held = next(ways, None)
        if held is None:
            return False
        self.comes = held == 0
        if not any(self.labels(chosen) for _, _, chosen in cases):
            self.shared = frozenset(domain.attributes)
        if not domain.limited:
            return True
        pairs = itertools.combinations_with_replacement(cases, 2)
        return self.roomy(1) and all(self.apart(a, b) for a, b in pairs)

    def letters_are_any(self) -> bool:
        """Return whether the integers of the edit may be any, each by itself.

        Parameters are, and so are values of different functions, which may be constant.
        """
        self._constant: dict[str, Term] = {}
        for letter in self.finder.letters:
            if letter.op == "apply" and str(letter.args[0]) not in self._constant:
                self._constant[str(letter.args[0])] = letter
            elif letter.op != "var":
                return False
        maps = [f for m, _ in self.conditions for f in m.facts]
        return all(map(_of_values_alone, (*self.structure.problem.domain.fact_terms, *maps)))

    def labels(self, chosen: Chosen) -> list[tuple[Term, Term]]:
        """Return values of functions at a cell that can be chosen: one of each function.

        Functions of which only facts of maps speak are 1.
        """
        found: dict[str, tuple[Term, Term]] = {}
        said = {x for m, _ in self.conditions for f in m.facts for x in subterms(f)}
        others = [(x, integer(1)) for x in said if x.op == "apply" and x.sort == INT]
        named = {old.args[0] for old, _ in chosen.values if old.op == "apply"}
        others = [x for x in others if x[0].args[0] not in named | set(self._constant)]
        for old, new in [*chosen.values, *sorted(others, key=repr)]:
            if old.op == "apply":
                name = str(old.args[0])
                if name in found or name in self._constant:
                    return []
                found[name] = old, new
        return list(found.values())

    def whole(self) -> tuple[tuple[s.Predicate, Chosen], ...]:
        """Return that a map without blocks sees what any block's cell is; it needs none itself."""
        return ()

    def setting(
        self, query: Query, params: dict[str, Any], case: tuple[BoundMap, s.Predicate, Chosen]
    ) -> GroundCell:
        """Say that a block is of a case; return its cell."""
        mapping, predicate, chosen = case
        return self.cell(query, self.named(query, params, mapping, predicate), chosen)

    def named(
        self, query: Query, params: dict[str, Any], mapping: BoundMap, predicate: s.Predicate
    ) -> dict[str, Any]:
        """Say that a block has a condition; return what the names of its cell's terms are."""
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*_in_range(query, mapping, block))
        letters = [query.read(self.finder.named(x), params) for x in self.finder.letters]
        asked = SolverNames(query.symbols, letters, block)
        query.add(asked.holds(predicate))
        names = {f"block.{n}": b for (n, _), b in zip(mapping.indices, block, strict=True)}
        for t in self.finder.names.values():
            names[t.name] = query.read(self.finder.named(t), params)
        self._block = block
        return names

    def cell(self, query: Query, names: dict[str, Any], chosen: Chosen) -> GroundCell:
        """Return the cell that is chosen; what is left free is one thing for all blocks.

        What is chosen in terms of other values of the cell is read once these are there.  Where a
        function has a value at the cell, what is left free is new for each block, so that it can.
        """
        values = dict(chosen.values)
        labels = self.labels(chosen)
        self._new: list[tuple[str, Any]] = []
        cell, later = [], []
        for place, (a, sort) in enumerate(query.domain.attribute_sorts.items()):
            here = values.get(Term("attr", (a, variable("c", CELL)), sort))
            if here is not None and "c" in free_variables(here):
                later.append((place, here))
                here = None
            if here is not None:
                cell.append(query.read(here, names))
            elif sort == INT:
                cell.append(logic.IntVal(0))
            else:
                cell.append(self.free(query, a, sort, new=bool(labels)))
        for _ in later:  # each may need the one before
            for place, here in later:
                cell[place] = query.read(here, {**names, "c": tuple(cell)})
        for old, new in labels:
            if self.is_of_new(old, query):
                known = {**names, "c": tuple(cell)}
                query.add(equal(query.read(old, known), query.read(new, known)))
        return tuple(cell)

    def free(self, query: Query, attribute: str, sort: str, *, new: bool) -> Any:
        """Return a value of an attribute that may be any: the same for all blocks if not new."""
        known = query.signature.constants(sort)
        if known:
            return known[0]
        if not new:
            return logic.constant(logic.path("any", attribute), query.signature.sort(sort))
        made = query.fresh(sort, attribute)
        self._new.append((attribute, made))
        return made

    def is_of_new(self, label: Term, query: Query) -> bool:
        """Return whether a function is taken at a value that no other block has."""
        whole = variable("c", CELL)
        new = {Term("attr", (a, whole), query.domain.attribute_sorts[a]) for a, _ in self._new}
        return any(x == whole or x in new for x in label.terms) and bool(new)

    def started(self) -> tuple[Query, dict[str, Any]]:
        query, _ = self.query()
        params = {n: query.fresh(sort, n) for n, sort in self.finder.edit.params}
        letters = [query.read(self.finder.named(x), params) for x in self.finder.letters]
        query.add(SolverNames(query.symbols, letters).holds(self.facts))
        return query, params

    def filled(self, mapping: BoundMap, condition: ChangeCondition, had: int = 1) -> bool:
        """Prove that a cell with any value between the ends is in the block, and may be touched.

        A record there may go, or come where there was none.
        """
        ((predicate, chosen),) = condition.cases
        ((term, ends),) = chosen.ends
        if any("c" in free_variables(p.term()) for _, p in (*ends.lows, *ends.highs)):
            return False
        query, params = self.started()
        value = query.fresh(INT, "value")
        kept = tuple((old, new) for old, new in chosen.values if old != term)
        names = self.named(query, params, mapping, predicate)
        query.add(*[value * a >= query.read(p.term(), names) for a, p in ends.lows])
        query.add(*[value * a <= query.read(p.term(), names) for a, p in ends.highs])
        moved = (*kept, (term, variable("edit.any value", INT)))
        cell = self.cell(query, {**names, "edit.any value": value}, Chosen(moved))
        old = dict(zip((n for n, _ in mapping.indices), self._block, strict=True))
        inside = query.read(mapping.member, {**old, "c": cell})
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        numbers = {"old": logic.IntVal(had), "new": logic.IntVal(1 - had)}
        step = query.read(self.finder.edit.step, {**params, **numbers, "c": cell})
        query.add(logic.Not(logic.And(inside, frame, step, *self.good(query, cell))))
        return self.never(query)

    def full(self, key: Term, bound: Term) -> Number | None:
        """Return how many records with each value can come and go, if a limit is all there is."""
        ((mapping, condition),) = self.conditions
        most = number_of(self.structure, bound)
        if condition is None or most is None or not self.has_names(key, mapping):
            return None
        ((predicate, chosen),) = condition.cases
        parts = components(key)
        inside = [t for t, _ in chosen.ends] or [
            old for old, _ in chosen.values if old in parts and old.op == "attr"
            and old.sort == INT and self.of_block(dict(chosen.values)[old])
        ]  # fmt: skip
        if len(inside) != 1 or inside[0] not in parts:
            return None
        others = [(old, new) for old, new in chosen.values if old != inside[0]]
        if any(self.of_block(new) or old.op != "attr" for old, new in others):
            return None
        if not all(self.alike(x) for x in parts if x != inside[0]):
            return None
        if chosen.ends:
            ways = [self.filled(mapping, condition, old) for old in (1, 0)]
        else:
            ways = [self.steps(mapping, predicate, chosen, old) for old in (1, 0)]
        return product_of([sum(ways), most]) if any(ways) else None

    def of_block(self, term: Term) -> bool:
        """Return whether a term is about the number of a block, or another value of the cell."""
        names = {x.name for x in self.finder.indices} | {"c"}
        return bool(free_variables(term) & names)

    def has_names(self, key: Term, mapping: BoundMap) -> bool:
        """Return whether nothing looks at some attribute, which may have any number of values."""
        edit, domain = self.finder.edit, self.structure.problem.domain
        read = [
            key, mapping.member, *mapping.facts, edit.frame or FALSE, edit.guard, edit.step,
            domain.cell_term, *domain.fact_terms,
        ]  # fmt: skip
        seen = frozenset[str]().union(*(attributes_read(domain, x) for x in read))
        sorts = domain.attribute_sorts.items()
        return any(
            a not in seen and sort not in (INT, BOOL) and sort not in domain.enumerations
            for a, sort in sorts
        )

    def alike(self, term: Term) -> bool:
        """Prove that all cells of the frame have one value of a term."""
        query, params = self.started()
        cells = [query.cell("z"), query.cell("z")]
        frame = self.finder.edit.frame or FALSE
        query.add(*[query.read(frame, {**params, "c": c}) for c in cells])
        query.add(logic.Not(equal(*(query.read(term, {"c": c}) for c in cells))))
        return self.never(query)

    def guarded(self) -> bool:
        """Prove that the guard holds of all integers with the facts."""
        query, params = self.started()
        query.add(logic.Not(query.read(self.finder.edit.guard, params)))
        return self.never(query)

    def touched(self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen) -> bool:
        """Prove that the cell of a block is one, in the block, that the edit may touch."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        names = dict(zip((n for n, _ in mapping.indices), self._block, strict=True))
        inside = query.read(mapping.member, {**names, "c": cell})
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        query.add(logic.Not(logic.And(inside, frame, *self.good(query, cell))))
        return self.never(query)

    def steps(self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen, old: int) -> bool:
        """Prove that the edit may take the record away (or add it, where ``old`` is 0)."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        numbers = {"old": logic.IntVal(old), "new": logic.IntVal(1 - old)}
        query.add(logic.Not(query.read(self.finder.edit.step, {**params, **numbers, "c": cell})))
        return self.never(query)

    def apart(
        self,
        first: tuple[BoundMap, s.Predicate, Chosen],
        second: tuple[BoundMap, s.Predicate, Chosen],
    ) -> bool:
        """Prove that two blocks have one cell, or cells that no limit ties together."""
        query, params = self.started()
        one = self.setting(query, params, first)
        mine, block = self._new, self._block
        other = self.setting(query, params, second)
        if first is second:
            query.add(logic.Not(equal(tuple(block), tuple(self._block))))
        new = [(a, b) for name, a in mine for known, b in self._new if name == known]
        query.add(*[logic.Not(equal(a, b)) for a, b in new])
        same = [
            equal(query.read(key, {"c": one}), query.read(key, {"c": other}))
            for key, _ in self.structure.problem.domain.limit_terms
        ]
        for of, each, _ in self.structure.problem.domain.distinct_terms:
            alike = equal(query.read(each, {"c": one}), query.read(each, {"c": other}))
            value = equal(query.read(of, {"c": one}), query.read(of, {"c": other}))
            same.append(logic.And(alike, logic.Not(value)))
        query.add(logic.Not(equal(one, other)), logic.Or(*same))
        return self.never(query)


class _Points(_Cells):
    def holds(self) -> bool:
        """Ask all that must be impossible."""
        edit = self.finder.edit
        deltas = [d.number if d.op == "int" else 0 for _, d in edit.change]
        if any(abs(d) != 1 for d in deltas) or not edit.change:
            return False
        if len({n for n, sort in edit.params if sort == CELL} ^ set(edit.points)):
            return False
        cells = {n: variable(f"edit.{n}", CELL) for n in edit.points}
        for letter in self.finder.letters:
            simple = letter.op == "attr" and letter.terms[0] in cells.values()
            if not simple and letter.op != "var":
                return False
        if not self.roomy(max(deltas.count(1), deltas.count(-1))):
            return False
        sorts = self.structure.problem.domain.attribute_sorts
        free = [a for a, sort in sorts.items() if sort != INT and not self._constants(sort)]
        told = [a for a, sort in sorts.items() if len(self._constants(sort)) >= len(cells) > 1]
        for n in range(min(len(free), 2) + 1):
            for shared, self.told in itertools.product(
                itertools.combinations(free, n), (None, *told)
            ):
                self.shared = frozenset(shared)
                if self.guarded(deltas) and all(
                    self.held(m, c) for m, c in self.conditions if c is not None
                ):
                    return True
        return False

    def _constants(self, sort: str) -> list[Any]:
        return self.structure.signature.constants(sort)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the points down; what is left free is shared by all, or something else in each.

        Of values that are listed all points have the first one, or, of what tells them apart, each
        has its own.
        """
        query, _ = self.query()
        letters = [query.fresh(INT, "p") for _ in self.finder.letters]
        known = dict(zip(self.finder.letters, letters, strict=True))
        params: dict[str, Any] = {}
        free: dict[str, list[Any]] = {}
        points = [n for n, sort in self.finder.edit.params if sort == CELL]
        for n, sort in self.finder.edit.params:
            if sort != CELL:
                letter = known.get(variable(f"edit.{n}", sort))
                params[n] = query.fresh(sort, n) if letter is None else letter
                continue
            cell = []
            for a, kind in query.domain.attribute_sorts.items():
                here = known.get(Term("attr", (a, variable(f"edit.{n}", CELL)), kind))
                constants = query.signature.constants(kind)
                if here is None and kind == INT:
                    here = logic.IntVal(0)
                elif here is None and constants:
                    here = constants[points.index(n) if a == self.told else 0]
                elif here is None and a in self.shared:
                    sort_ = query.signature.sort(kind)
                    here = logic.constant(logic.path("any", a), sort_)
                elif here is None:
                    here = query.fresh(kind, a)
                    free.setdefault(kind, []).append(here)
                cell.append(here)
            params[n] = tuple(cell)
        for values in free.values():
            query.add(*[logic.Not(equal(a, b)) for a, b in itertools.combinations(values, 2)])
        query.add(SolverNames(query.symbols, letters).holds(self.facts))
        self._letters = letters
        return query, params

    def guarded(self, deltas: Sequence[int]) -> bool:
        """Prove that the points are different cells, and the guard holds of what is taken away."""
        query, params = self.started()
        points = [params[p] for p in self.finder.edit.points]

        def held(cell: GroundCell) -> Any:
            total = logic.IntVal(0)
            for point, delta in zip(points, deltas, strict=True):
                if delta < 0:
                    total = logic.plus(total, logic.If(equal(cell, point), 1, 0))
            return total

        size = logic.IntVal(deltas.count(-1))
        guard = query.read(self.finder.edit.guard, params, {"D": (held, lambda: size)})
        goals = [guard, *(fact for p in points for fact in self.good(query, p))]
        goals += [logic.Not(equal(a, b)) for a, b in itertools.combinations(points, 2)]
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def held(self, mapping: BoundMap, condition: ChangeCondition) -> bool:
        """Prove that a block with the condition holds one of the points."""
        query, params = self.started()
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*_in_range(query, mapping, block))
        query.add(SolverNames(query.symbols, self._letters, block).holds(condition.predicate))
        names = dict(zip((n for n, _ in mapping.indices), block, strict=True))
        inside = [
            query.read(mapping.member, {**names, "c": params[p]}) for p in self.finder.edit.points
        ]
        query.add(logic.Not(logic.Or(*inside)))
        return self.never(query)
