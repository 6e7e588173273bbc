"""Neighbours that are written down as terms, so that all blocks with a condition change at once.

For a frame, every block with the condition has a cell of its own: D holds these cells, once each,
and D* nothing.  For an edit that names its records these come and go, or D holds them and D* what
the edit makes of them.  Each claim is a question that must be impossible.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.records import Number, components, number_of, product_of
from dpcomp_sym.engine.replication import stays_as_it_is
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import (
    ChangeCondition,
    Chosen,
    Finder,
    function_of,
    has_indices,
    index_variable,
)
from dpcomp_sym.engine.together.integers import all_replaced, replaced
from dpcomp_sym.engine.together.kinds import Kinds
from dpcomp_sym.model import BoundEdit, BoundMap, Domain, Universe
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    conjuncts,
    free_variables,
    reads_database,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["FramePlacing", "MovePlacing", "PointPlacing", "in_range", "number_after", "product"]


Case = tuple[BoundMap, s.Predicate, Chosen]
"""What a block of a map may be like, and which cell it has then."""
MOST_CASES: Final = 8
"""Of more cases, or choices of them, not every one is tried."""


@dataclass(frozen=True)
class AnyValue:
    """An attribute of which cells may have any value, an integer between two ends or one of few."""

    attribute: str
    low: Term | None
    high: Term | None
    many: Term
    """How many values it has."""

    def value(self, query: Query, sort: str) -> Any:
        """Return any of the values."""
        any_value = query.fresh(sort, self.attribute)
        if self.low is not None and self.high is not None:
            query.add(any_value >= query.read(self.low), any_value <= query.read(self.high))
        return any_value


@dataclass
class Placing:
    structure: Structure
    finder: Finder
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]]
    facts: s.Predicate
    shared: frozenset[str] = frozenset()
    comes: bool = False
    ample: frozenset[tuple[Term, Term]] = frozenset()
    """Limits that leave room for all records there are: they tie none together."""

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about integers with the facts, and what the parameters are."""
        raise NotImplementedError

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

    def tied(self, query: Query, one: GroundCell, other: GroundCell) -> Any:
        """Return that two cells are different, and that some limit counts both."""
        domain = self.structure.problem.domain
        same = [
            equal(query.read(key, {"c": one}), query.read(key, {"c": other}))
            for key, bound in domain.limit_terms if (key, bound) not in self.ample
        ]  # fmt: skip
        for of, each, bound in domain.distinct_terms:
            if (each, bound) in self.ample:
                continue
            alike = equal(query.read(each, {"c": one}), query.read(each, {"c": other}))
            value = equal(query.read(of, {"c": one}), query.read(of, {"c": other}))
            same.append(logic.And(alike, logic.Not(value)))
        return logic.And(logic.Not(equal(one, other)), logic.Or(*same))

    def is_of_members_alone(self, name: str) -> bool:
        """Return whether nothing but the members of maps reads a function."""
        edit, domain = self.finder.edit, self.structure.problem.domain
        read = [
            edit.guard, edit.step, edit.frame or FALSE, *(d for _, d in edit.change),
            domain.cell_term, *domain.fact_terms, *(f for m, _ in self.conditions for f in m.facts),
            *(x for row in (*domain.limit_terms, *domain.distinct_terms) for x in row),
        ]  # fmt: skip
        return not any(x.op == "apply" and x.args[0] == name for t in read for x in subterms(t))

    def functions_are_any(self) -> bool:
        """Prove that no two of the values that are chosen are of the same arguments."""
        return all(
            self.differ(one, other)
            for one, other in itertools.combinations_with_replacement(self.values_chosen(), 2)
            if one.args[0] == other.args[0]
        )

    def values_chosen(self) -> Sequence[Term]:
        """Return the integers that are values of functions, which are chosen for each argument."""
        return [x for x in self.finder.letters if function_of(x)]

    def differ(self, one: Term, other: Term) -> bool:
        """Prove that a function has different arguments for two letters, or other indices."""
        query, params = self.started()
        taken = []
        for letter in (one, other):
            indices = {index_variable(n).name: query.fresh(INT, "i") for n in function_of(letter)}
            taken.append((self.arguments(query, letter, params | indices), [*indices.values()]))
        (first, here), (second, there) = taken
        query.add(equal(first, second))
        if one is other:
            query.add(logic.Not(equal(tuple(here), tuple(there))))
        return self.never(query)

    def arguments(self, query: Query, letter: Term, names: dict[str, Any]) -> tuple[Any, ...]:
        """Return what a function is applied to; of a record all its attributes."""
        values = [query.read(x, names) for x in self.finder.named(letter).terms]
        return tuple(y for x in values for y in (x if isinstance(x, tuple) else (x,)))

    def leaves_names(self, edit: BoundEdit, read: Sequence[Term]) -> bool:
        """Return whether nothing looks at some attribute, which may have any number of values.

        Neither what is read, nor the edit, nor what the class says of records.
        """
        domain = self.structure.problem.domain
        of_edit = (edit.frame or FALSE, edit.guard, edit.step)
        every = (*read, *of_edit, domain.cell_term, *domain.fact_terms)
        seen = frozenset[str]().union(*(attributes_read(domain, x) for x in every))
        return any(
            a not in seen and sort not in (INT, BOOL) and sort not in domain.enumerations
            for a, sort in domain.attribute_sorts.items()
        )

    def roomy(self, least: int) -> bool:
        """Prove that every limit leaves room for so many records."""
        for _, bound in self.structure.problem.domain.sufficient_limits:
            query, _ = self.query()
            query.add(query.read(bound) < least)
            if not self.never(query):
                return False
        return True


class FramePlacing(Placing):
    """A cell for each block of a frame: D holds them, or D* does, and the other one nothing."""

    spread: Sequence[AnyValue] = ()
    """Attributes that the cell of any block may have any of so many values of."""

    anew: bool = False
    """Whether what is left free of a cell is new for each block, where no label needs it."""
    whole_cases: bool = True
    """Whether D holds the cells of all cases, as they are written down."""

    def holds(self) -> bool:
        """Ask all that must be impossible, of the cells of all cases, or of one cell a block."""
        return any(self.hold() for _ in self.ways())

    def ways(self) -> Iterator[None]:
        """Choose cells: those of all cases, or one of those that blocks have on one condition.

        Where limits tie these together, what is left free of a cell may be new for each block.
        """
        self.cases = [
            (mapping, predicate, chosen)
            for mapping, condition in self.conditions
            for predicate, chosen in (condition.cases if condition else self.whole())
        ]
        self.whole_cases = True
        yield
        self.whole_cases = False
        if not self.structure.problem.domain.limited:
            return
        alike: list[list[Case]] = []
        for case in self.cases:
            same = next((of for of in alike if of[0][:2] == case[:2]), None)
            if same is None:
                alike.append([case])
            else:
                same.append(case)
        several = len(alike) < len(self.cases)
        if len(self.cases) > MOST_CASES:
            return
        for self.anew in (False, True) if several else (True,):
            for chosen in itertools.islice(itertools.product(*alike), MOST_CASES):
                self.cases = list(chosen)
                yield

    def hold(self) -> bool:
        """Ask all that must be impossible of the cells that are chosen."""
        if not self.written():
            return False
        held = next((old for old in (1, 0) if self.all_step(old, 1 - old)), None)
        if held is None:
            return False
        self.comes = held == 0
        if not self.anew and not any(self.labels(chosen) for _, _, chosen in self.cases):
            self.shared = frozenset(self.structure.problem.domain.attributes)
        return self.untied()

    def any_of(self, most: Number) -> bool:
        """Ask all that must be impossible if any so many blocks are to change, and no others need.

        The cells of these come or go, half of them on each side, and one that is of several blocks
        on one of them; what the limits tell apart besides their owners is spread over all values
        that it may have.
        """
        self.spread = self.spreads()
        return any(self.any_hold(most) for _ in self.ways())

    def any_hold(self, most: Number) -> bool:
        """Ask all that must be impossible of the cells that are chosen, of which any may change."""
        if not (self.written() and self.all_step(0, 0)):
            return False
        come, go = self.all_step(0, 1), self.all_step(1, 0)
        if not (come or go):
            return False
        for sides in (1, 2) if come and go else (1,):
            limits = self.structure.problem.domain.sufficient_limits
            self.ample = frozenset(x for x in limits if self.leaves(*x, most, sides))
            if self.untied():
                return True
        return False

    def spreads(self) -> list[AnyValue]:
        """Return what limits tell apart, and of which it is known how many values there are.

        Not what depends on the number of a block.  Records are spread evenly over the values of two
        of them and their pairs; of three that may fail.
        """
        domain = self.structure.problem.domain
        known = {x for key, _ in domain.sufficient_limits for x in components(key)}
        by = {
            old
            for _, condition in self.conditions if condition is not None
            for _, chosen in condition.cases
            for old, new in chosen.values if self.of_block(new)
        }  # fmt: skip
        found = []
        for a, sort in domain.attribute_sorts.items():
            term = Term("attr", (a, variable("c", CELL)), sort)
            if term not in known - by:
                continue
            constants = self.structure.signature.constants(sort)
            if sort == INT:
                low, high = _ends(domain, term)
                if low is not None and high is not None and self.ordered(low, high):
                    most = Term("add", (high, integer(1)), INT)
                    found.append(AnyValue(a, low, high, Term("sub", (most, low), INT)))
            elif constants:
                found.append(AnyValue(a, None, None, integer(len(constants))))
        return found[:2]

    def ordered(self, low: Term, high: Term) -> bool:
        """Prove that there is a number between two ends."""
        query, _ = self.query()
        query.add(query.read(low) > query.read(high))
        return self.never(query)

    def leaves(self, key: Term, bound: Term, most: Number, sides: int) -> bool:
        """Prove that a limit leaves room for so many records, if these are spread evenly."""
        query, _ = self.query()
        room = query.read(bound) * sides
        told = {x.name for x in components(key) if x.op == "attr"}
        for one in self.spread:
            if one.attribute in told:
                room *= query.read(one.many)
        query.add(room < product(query, most))
        return self.never(query)

    def written(self) -> bool:
        """Ask what must be impossible of the cell of a block by itself."""
        edit = self.finder.edit
        if any(sort == CELL for _, sort in edit.params) or reads_database(edit.guard, edit.step):
            return False
        if edit.frame is None or reads_database(edit.frame) or not self.letters_are_any():
            return False
        domain = self.structure.problem.domain
        more = domain.universe is Universe.PRODUCT or domain.at_least > 1
        if more and not stays_as_it_is(self.structure, edit):
            return False  # X has other cells than those that change
        return self.guarded() and all(map(self.touched, *zip(*self.cases, strict=True)))

    def all_step(self, old: int, new: int) -> bool:
        """Prove that the edit may leave so many records of the cell of each block."""
        return all(self.steps(m, p, c, old, new) for m, p, c in self.cases)

    def untied(self) -> bool:
        """Prove that no limit ties the cells of two blocks together."""
        domain = self.structure.problem.domain
        if not domain.limited:
            return True
        if self.ample.issuperset(domain.sufficient_limits):
            return self.roomy(1)
        pairs = itertools.combinations_with_replacement(self.cases, 2)
        return self.roomy(1) and all(self.apart(a, b) for a, b in pairs)

    def letters_are_any(self) -> bool:
        """Return whether the integers of the edit may be any, each by itself.

        Parameters are, and so are values of different functions, which may be constant.
        """
        self._constant: dict[str, Term] = {}
        for letter in self.finder.letters:
            if function_of(letter):
                if not self.is_of_members_alone(str(letter.args[0])):
                    return False
            elif letter.op == "apply" and str(letter.args[0]) not in self._constant:
                self._constant[str(letter.args[0])] = letter
            elif letter.op != "var":
                return False
        maps = [f for m, _ in self.conditions for f in m.facts]
        facts = (*self.structure.problem.domain.fact_terms, *maps)
        return all(map(_of_values_alone, facts)) and self.functions_are_any()

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
            if not (old.op == "apply" and "c" in free_variables(old)):
                continue
            if old.args[0] not in self._constant:
                name = str(old.args[0])
                if name in found:
                    return []
                found[name] = old, new
        return list(found.values())

    def whole(self) -> tuple[tuple[s.Predicate, Chosen], ...]:
        """Return that a map without blocks sees what any block's cell is; it needs none itself."""
        return ()

    def setting(self, query: Query, params: dict[str, Any], case: Case) -> GroundCell:
        """Say that a block is of a case; return its cell."""
        mapping, predicate, chosen = case
        return self.cell(query, self.named(query, params, mapping, predicate), chosen)

    def named(
        self, query: Query, params: dict[str, Any], mapping: BoundMap, predicate: s.Predicate
    ) -> dict[str, Any]:
        """Say that a block has a condition; return what the names of its cell's terms are."""
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*in_range(query, mapping, block))
        query.add(self.finder.asked(query, params, block).holds(predicate))
        names = {index_variable(place).name: b for place, b in enumerate(block, 1)}
        for t in self.finder.names.values():
            names[t.name] = query.read(self.finder.named(t), params)
        self.block = block
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
        spread = {one.attribute: one for one in self.spread}
        of_labels = {x for old, _ in labels for x in old.terms}
        for place, (a, sort) in enumerate(query.domain.attribute_sorts.items()):
            if a in spread:
                cell.append(spread[a].value(query, sort))
                continue
            value = Term("attr", (a, variable("c", CELL)), sort)
            here = values.get(value)
            if here is not None and "c" in free_variables(here):
                later.append((place, here))
                here = None
            if here is not None:
                cell.append(query.read(here, names))
            elif sort == INT and value not in of_labels:
                cell.append(logic.IntVal(0))
            else:
                cell.append(self.free(query, a, sort, new=self.anew or bool(labels)))
        for _ in later:  # each may need the one before
            for place, here in later:
                cell[place] = query.read(here, {**names, "c": tuple(cell)})
        for old, new in labels:
            if self.is_of_new(old, query):
                known = {**names, "c": tuple(cell)}
                query.add(equal(query.read(old, known), query.read(new, known)))
        known = {**names, "c": tuple(cell)}
        for old in values:  # functions that are constant are so everywhere
            if old.op == "apply" and (same := self.always(str(old.args[0]))) is not None:
                query.add(equal(query.read(old, known), query.read(same, known)))
        return tuple(cell)

    def always(self, function: str) -> Term | None:
        """Return the value of a function that is constant: a letter, or a truth value.

        Not where a record may be in few blocks only, which truth values say.
        """
        few = any(m.multiplicity is not None for m in self.structure.problem.used_maps.values())
        truths = set() if few else {
            new for _, _, chosen in self.cases for old, new in chosen.values
            if old.op == "apply" and old.args[0] == function and old.sort == BOOL
        }  # fmt: skip
        return truths.pop() if len(truths) == 1 else self._constant.get(function)

    def free(self, query: Query, attribute: str, sort: str, *, new: bool) -> Any:
        """Return a value of an attribute that may be any: the same for all blocks if not new.

        It is none of the values that the edit names.
        """
        known = query.signature.constants(sort)
        if known:
            return known[0]
        if not new:
            value = logic.constant(logic.path("any", attribute), query.signature.sort(sort))
            query.add(*[logic.Not(equal(value, x)) for x in self._named.get(sort, ())])
            return value
        made = query.fresh(sort, attribute)
        self._new.append((attribute, made))
        return made

    def is_of_new(self, label: Term, query: Query) -> bool:
        """Return whether a function is taken at a value that no other block has."""
        whole = variable("c", CELL)
        new = {Term("attr", (a, whole), query.domain.attribute_sorts[a]) for a, _ in self._new}
        return any(x == whole or x in new for x in label.terms) and bool(new)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about integers with the facts, and what its parameters are."""
        query, _ = self.query()
        params = {n: query.fresh(sort, n) for n, sort in self.finder.edit.params}
        self._named: dict[str, list[Any]] = {}
        for n, sort in self.finder.edit.params:
            self._named.setdefault(sort, []).append(params[n])
        query.add(self.finder.asked(query, params, ()).holds(self.facts))
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
        old = dict(zip((n for n, _ in mapping.indices), self.block, strict=True))
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
            ways = [self.steps(mapping, predicate, chosen, old, 1 - old) for old in (1, 0)]
        return product_of([sum(ways), most]) if any(ways) else None

    def full_block(self, key: Term, bound: Term) -> Number | None:
        """Return how many records like its cell can come and go in each block at once."""
        ((mapping, condition),) = self.conditions
        most = number_of(self.structure, bound)
        if condition is None or most is None or not self.has_names(key, mapping):
            return None
        next(self.ways())
        if not self.untied():
            return None
        ways = [self.all_step(old, 1 - old) for old in (1, 0)]
        return product_of([sum(ways), most]) if any(ways) else None

    def of_block(self, term: Term) -> bool:
        """Return whether a term is about the number of a block, or another value of the cell."""
        names = {x.name for x in self.finder.indices} | {"c"}
        return bool(free_variables(term) & names)

    def has_names(self, key: Term, mapping: BoundMap) -> bool:
        """Return whether records that a limit counts, of blocks of a map, have names."""
        return self.leaves_names(self.finder.edit, [key, mapping.member, *mapping.facts])

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
        names = dict(zip((n for n, _ in mapping.indices), self.block, strict=True))
        inside = query.read(mapping.member, {**names, "c": cell})
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        query.add(logic.Not(logic.And(inside, frame, *self.good(query, cell))))
        return self.never(query)

    def steps(
        self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen, old: int, new: int
    ) -> bool:  # fmt: skip
        """Prove that the edit may leave so many records of the cell of a block."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        numbers = {"old": logic.IntVal(old), "new": logic.IntVal(new)}
        query.add(logic.Not(query.read(self.finder.edit.step, {**params, **numbers, "c": cell})))
        return self.never(query)

    def apart(
        self,
        first: Case,
        second: Case,
    ) -> bool:
        """Prove that two blocks have one cell, or cells that no limit ties together."""
        query, params = self.started()
        one = self.setting(query, params, first)
        mine, block = self._new, self.block
        other = self.setting(query, params, second)
        if first is second:
            query.add(logic.Not(equal(tuple(block), tuple(self.block))))
        new = [(a, b) for name, a in mine for known, b in self._new if name == known]
        query.add(*[logic.Not(equal(a, b)) for a, b in new])
        query.add(self.tied(query, one, other))
        return self.never(query)


class PointPlacing(Placing):
    """The records that an edit names, which come and go, and nothing else."""

    kinds: Kinds | None = None
    """Which records each block is to hold, where that is asked."""
    told: str | None = None
    """An attribute that tells the records apart: with listed values, or numbers 0, 1 and so on."""
    unread: tuple[bool, int] = (False, 0)
    """Integers that nothing reads are a number, or so much more than one that is read there."""

    @property
    def points(self) -> Sequence[str]:
        """The parameters that are the records."""
        return self.finder.edit.points

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        edit = self.finder.edit
        self.deltas = [d.number if d.op == "int" else 0 for _, d in edit.change]
        if any(abs(d) != 1 for d in self.deltas) or not edit.change:
            return False
        if {n for n, sort in edit.params if sort == CELL} != set(edit.points):
            return False
        room = self.roomy(max(self.deltas.count(1), self.deltas.count(-1)))
        return room and self.letters_are_known() and self.tried()

    def letters_are_known(self) -> bool:
        """Return whether the integers of the edit are parameters, or values of its records.

        Or of functions that may be any: what a function is of a record, or of an index of a block,
        too.
        """
        cells = [variable(f"edit.{n}", sort) for n, sort in self.finder.edit.params if sort == CELL]
        return all(
            self.is_of_members_alone(str(letter.args[0]))
            if letter in self.values_chosen()
            else letter.op == "var" or (letter.op == "attr" and letter.terms[0] in cells)
            for letter in map(_undivided, self.finder.letters)
        )

    def values_chosen(self) -> Sequence[Term]:
        """Return the integers that are values of functions: they may be any at other arguments."""
        return [x for x in self.finder.letters if x.op == "apply"]

    def opened(self, mapping: BoundMap) -> Term:
        """Return which records a block holds if what only members ask of functions is true.

        Not where a record may be in few blocks only.
        """
        few = any(m.multiplicity is not None for m in self.structure.problem.used_maps.values())
        asked = set() if few else {
            x for x in subterms(mapping.member)
            if x.op == "apply" and x.sort == BOOL and self.is_of_members_alone(str(x.args[0]))
        }  # fmt: skip
        return all_replaced(mapping.member, dict.fromkeys(asked, TRUE))

    def chosen(
        self, query: Query, params: dict[str, Any], block: Sequence[Any], values: Sequence[Any]
    ) -> None:
        """Say which values functions have, of the records and the indices of a block."""
        names = params | {index_variable(n).name: x for n, x in enumerate(block, 1)}
        for letter, value in zip(self.finder.letters, values, strict=True):
            if letter in self.values_chosen() and has_indices(letter, block):
                query.add(equal(query.read(self.finder.named(letter), names), value))

    def tried(self) -> bool:
        """Try which attributes the records share, and prove the rest of some choice."""
        sorts = self.structure.problem.domain.attribute_sorts
        cells = [n for n, sort in self.finder.edit.params if sort == CELL]
        free = [a for a, sort in sorts.items() if sort != INT and not self._constants(sort)]
        told = [a for a, sort in sorts.items() if len(self._constants(sort)) >= len(cells) > 1]
        told += [a for a, sort in sorts.items() if sort == INT and len(cells) > 1]
        several = list(sorts.values()).count(INT) > 1
        unread = ((False, 0), (False, 1), (True, 1), (True, -1)) if several else ((False, 0),)
        for n in range(min(len(free), 2) + 1):
            for shared, self.unread, self.told in itertools.product(
                itertools.combinations(free, n), unread, (None, *told)
            ):
                self.shared = frozenset(shared)
                if (
                    self.functions_are_any()
                    and self.guarded()
                    and all(self.held(m, c) for m, c in self.conditions if c is not None)
                    and all(self.hold_all(m) for m, _ in self.conditions)
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
        known = dict(zip(map(_undivided, self.finder.letters), letters, strict=True))
        known |= {atom: known[x] for atom, x in self.finder.same.items() if x in known}
        known |= self._hidden(query, known)
        asked = {x for c in self.asked_alone() for x in subterms(c) if x.op == "attr"}
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
                if Term("attr", (a, variable(n, CELL)), kind) in asked:
                    here = query.fresh(kind, a)
                elif here is None and kind == INT:
                    here = self._unread(a, n, known)
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
        self._letters, self._free = letters, free
        return query, params

    def _hidden(self, query: Query, known: dict[Term, Any]) -> dict[Term, Any]:
        """Return integers of which no block speaks, as what they may be beside the others."""
        named = {x: variable(f"edit.letter.{n}", INT) for n, x in enumerate(known)}
        values = {named[x].name: value for x, value in known.items()}
        found = {atom: all_replaced(term, named) for atom, term in self.finder.hidden.items()}
        return {
            atom: query.read(term, values)
            for atom, term in found.items()
            if free_variables(term) <= values.keys() | query.symbols.keys()
        }

    def _unread(self, attribute: str, point: str, known: dict[Term, Any]) -> Any:
        """Return an integer of a record that nothing reads."""
        if attribute == self.told:
            return logic.IntVal(self.points.index(point))
        cell = variable(f"edit.{point}", CELL)
        read = [x for t, x in known.items() if t.op == "attr" and t.terms[0] == cell]
        beside, number = self.unread
        return read[0] + number if beside and read else logic.IntVal(number)

    def asked_alone(self) -> list[Term]:
        """Return what a guard asks of one record that nothing else looks at: it may be so.

        That is a truth value, of the record or of a function, or one of the values of a sort.
        """
        edit, domain = self.finder.edit, self.structure.problem.domain
        wanted = conjuncts(edit.guard)
        read = [
            *wanted, edit.step, edit.frame or FALSE, *(d for _, d in edit.change),
            domain.cell_term, *domain.fact_terms, *domain.size_terms,
            *(x for row in (*domain.limit_terms, *domain.distinct_terms) for x in row),
            *(t for m, _ in self.conditions for t in (m.member, *m.facts)),
        ]  # fmt: skip
        named = Counter(_looked_at(x) for t in read for x in subterms(t))
        return [c for c in wanted if (of := _of_one(c)) is not None and named[_looked_at(of)] == 1]

    def guarded(self) -> bool:
        """Prove that the points are different cells, and the guard holds of what is taken away."""
        query, params = self.started()
        deltas = self.deltas
        points = [params[p] for p in self.points]

        def held(cell: GroundCell) -> Any:
            total = logic.IntVal(0)
            for point, delta in zip(points, deltas, strict=True):
                if delta < 0:
                    total = logic.plus(total, logic.If(equal(cell, point), 1, 0))
            return total

        size = logic.IntVal(deltas.count(-1))
        query.add(*[query.read(c, params) for c in self.asked_alone()])
        guard = query.read(self.finder.edit.guard, params, {"D": (held, lambda: size)})
        goals = [guard, *(fact for p in points for fact in self.good(query, p))]
        goals += [logic.Not(equal(a, b)) for a, b in itertools.combinations(points, 2)]
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def block_with(self, query: Query, mapping: BoundMap, p: s.Predicate) -> dict[str, Any]:
        """Say that a block has a condition; return its indices, by their names in the map."""
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*in_range(query, mapping, block))
        query.add(SolverNames(query.symbols, self._letters, block).holds(p))
        return dict(zip((n for n, _ in mapping.indices), block, strict=True))

    def held(self, mapping: BoundMap, condition: ChangeCondition) -> bool:
        """Prove that a block with the condition holds one of the points."""
        query, params = self.started()
        names = self.block_with(query, mapping, condition.predicate)
        self.chosen(query, params, [*names.values()], self._letters)
        member = self.opened(mapping)
        inside = [query.read(member, {**names, "c": params[p]}) for p in self.points]
        query.add(logic.Not(logic.Or(*inside)))
        return self.never(query)

    def hold_all(self, mapping: BoundMap) -> bool:
        """Prove that a block with the condition of some points holds each of these."""
        if self.kinds is None:
            return True
        for numbers, condition in self.kinds.exactly.get(mapping.name, {}).items():
            query, params = self.started()
            names = self.block_with(query, mapping, condition)
            self.chosen(query, params, [*names.values()], self._letters)
            points = [params[self.points[n - 1]] for n in numbers]
            inside = [query.read(self.opened(mapping), {**names, "c": x}) for x in points]
            query.add(logic.Not(logic.And(*inside)))
            if not self.never(query):
                return False
        return True


class MovePlacing(PointPlacing):
    """The records that a frame's edit names, once each, and what the edit makes of them.

    Its step gives each cell a number, which is read off D, such as that of another cell.
    """

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        numbers = number_after(self.finder.edit.step)
        if numbers is None or not any(sort == CELL for _, sort in self.finder.edit.params):
            return False
        self.number = numbers
        if any(map(function_of, self.finder.letters)):
            return False
        return self.letters_are_known() and self.roomy(1) and self.tried()

    def world(self) -> tuple[Query, dict[str, Any], list[GroundCell]]:
        """Return a question about D, which holds the records that are named, and these records."""
        query, params = self.started()
        named = [params[n] for n, sort in self.finder.edit.params if sort == CELL]

        def held(cell: GroundCell) -> Any:
            return logic.If(logic.Or(*(equal(cell, x) for x in named)), 1, 0)

        size = logic.IntVal(len(named))
        self._before = {"D": (held, lambda: size)}
        return query, params, named

    def after(self, query: Query, params: dict[str, Any], cell: GroundCell) -> Any:
        """Return how many records like a cell there are after the edit."""
        held = self._before["D"][0](cell)
        here = {**params, "c": cell}
        frame = query.read(self.finder.edit.frame or FALSE, here, self._before)
        new = query.read(self.number, {**here, "old": held}, self._before)
        return logic.If(frame, new, held)

    def candidates(
        self, query: Query, params: dict[str, Any], named: Sequence[GroundCell]
    ) -> list[GroundCell]:
        """Return the records that are named, and the cells whose numbers are read for them."""
        read = [x.args[1] for x in subterms(self.number) if x.op == "at" and x.args[0] == "D"]
        there = [
            query.read(x, {**params, "c": cell}) for cell in named for x in read
            if isinstance(x, Term)
        ]  # fmt: skip
        return [*named, *there]

    def guarded(self) -> bool:
        """Prove that both databases are in the class, and that the edit leads from D to D*."""
        query, params, named = self.world()
        guard = query.read(self.finder.edit.guard, params, self._before)
        goals = [guard, *(fact for x in named for fact in self.good(query, x))]
        for one, other in itertools.combinations(named, 2):
            goals += [logic.Not(equal(one, other)), logic.Not(self.tied(query, one, other))]
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query) and self.finite() and self.untied()

    def finite(self) -> bool:
        """Prove that D* holds some of the candidates, at most once each, and nothing else."""
        query, params, named = self.world()
        cell = query.cell("z")
        query.add(*self.good(query, cell))
        number = self.after(query, params, cell)
        among = [equal(cell, x) for x in self.candidates(query, params, named)]
        query.add(logic.Not(logic.Or(number == 0, logic.And(number == 1, logic.Or(*among)))))
        return self.never(query)

    def untied(self) -> bool:
        """Prove that no limit counts two records of D*."""
        query, params, _ = self.world()
        cells = [query.cell("z"), query.cell("z")]
        for cell in cells:
            query.add(*self.good(query, cell), self.after(query, params, cell) >= 1)
        query.add(self.tied(query, *cells))
        return self.never(query)

    def held(self, mapping: BoundMap, condition: ChangeCondition) -> bool:
        """Prove that a block with the condition holds a candidate, of which the number changes."""
        query, params, named = self.world()
        names = self.block_with(query, mapping, condition.predicate)
        changes = [
            logic.And(
                query.read(mapping.member, {**names, "c": x}),
                logic.Not(equal(self._before["D"][0](x), self.after(query, params, x))),
                *self.good(query, x),
            )
            for x in self.candidates(query, params, named)
        ]
        query.add(logic.Not(logic.Or(*changes)))
        return self.never(query)


def number_after(step: Term) -> Term | None:
    """Return the number that a step gives a cell, if it says one: new == number."""
    if step.op != "eq":
        return None
    new = variable("new", INT)
    sides = [x for x in step.terms if x != new]
    return sides[0] if len(sides) == 1 and "new" not in free_variables(sides[0]) else None


def _of_one(asked: Term) -> Term | None:
    """Return the attribute or function that a formula asks to have some value, if it is plain."""
    of = asked.terms[0] if asked.op == "not" else asked
    if asked.op == "eq" and asked.terms[1].op == "const":
        of = asked.terms[0]
    plain = of.op in ("attr", "apply") and (of.sort == BOOL or asked.op == "eq")
    return of if plain else None


def _looked_at(term: Term) -> tuple[str, str] | None:
    """Return which attribute or function a term is of."""
    return (term.op, str(term.args[0])) if term.op in ("attr", "apply") else None


def _undivided(letter: Term) -> Term:
    """Return what a letter is the remainder of, which may be no more than the remainder itself."""
    return letter.terms[0] if letter.op == "mod" else letter


def _of_values_alone(fact: Term) -> bool:
    """Return whether a fact is about the values of functions only, so that it is alike everywhere.

    Then it holds of all records if functions have, wherever nothing is chosen, a value that was.
    """
    for part in subterms(fact):
        if part.op == "apply":
            fact = replaced(fact, part, variable("edit.value", part.sort))
    return "edit.value" not in free_variables(fact) or "c" not in free_variables(fact)


def _ends(domain: Domain, term: Term) -> tuple[Term | None, Term | None]:
    """Return between which numbers and symbols the class says that a term is."""
    low = high = None
    for fact in conjuncts(domain.cell_term):
        if fact.op not in ("le", "lt", "ge", "gt"):
            continue
        small, large = fact.terms if fact.op in ("le", "lt") else fact.terms[::-1]
        off = integer(int(fact.op in ("lt", "gt")))
        if small == term and not free_variables(large) - domain.symbols.keys():
            high = Term("sub", (large, off), INT)
        elif large == term and not free_variables(small) - domain.symbols.keys():
            low = Term("add", (small, off), INT)
    return low, high


def product(query: Query, number: Number) -> Any:
    """Return a number, of blocks or of records, as a term of the solver."""
    if isinstance(number, int):
        return logic.IntVal(number)
    symbols = (query.symbols[name] for name in number.symbols)
    return math.prod(symbols, start=logic.IntVal(number.factor))


def in_range(query: Query, mapping: BoundMap, block: Sequence[Any]) -> list[Any]:
    """Return that a map has a block with these numbers."""
    tops = [query.symbols[n] if isinstance(n, str) else logic.IntVal(n)
            for _, n in mapping.indices]  # fmt: skip
    return [logic.And(b >= 1, b <= top) for b, top in zip(block, tops, strict=True)]
