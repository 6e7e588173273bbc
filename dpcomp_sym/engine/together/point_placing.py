"""Neighbours of an edit that names its records, written down: these come and go.

Or D holds them, and D* what a frame makes of them.  Each claim is a question that must be
impossible.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from dpcomp_sym.engine.integers import all_replaced
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import (
    ChangeCondition,
    function_of,
    has_indices,
    index_variable,
    truth_of,
)
from dpcomp_sym.engine.together.kinds import Kinds
from dpcomp_sym.engine.together.placing import Placing, in_range, of_one_value
from dpcomp_sym.model import BoundMap
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
    subterms,
    variable,
)

__all__ = ["MovePlacing", "PointPlacing", "number_after"]

MOST_LABELLED: Final = 16
"""So many choices of listed values and truth values are tried."""
MOST_SHARED: Final = 2
"""Of so many attributes each choice is tried, and of more all but one; first it is asked which ones
must be the same."""


class PointPlacing(Placing):
    """The records that an edit names, which come and go, and nothing else."""

    kinds: Kinds | None = None
    """Which records each block is to hold, where that is asked."""
    table: Term | None = None
    """In tables, where a record stands: each place has one, and those not named are the same."""
    told: str | None = None
    """An attribute that tells the records apart: with listed values, or numbers 0, 1 and so on."""
    labels: Mapping[str, int] = MappingProxyType({})
    """Attributes with listed values, which one all records have; where none is named, the first."""
    denied: frozenset[str] = frozenset()
    """Truth values that only members ask of functions, and that are false of all records."""
    unread: tuple[bool, int] = (False, 0)
    """Integers that nothing reads are a number, or so much more than one that is read there."""
    hides: bool = True
    """Whether integers of which no block speaks are the first ones that the class leaves them."""

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
        if self.table is not None and not self.replaces():
            return False
        room = self.roomy(max(self.deltas.count(1), self.deltas.count(-1)))
        return room and self.letters_are_known() and self.tried()

    def replaces(self) -> bool:
        """Return whether a record goes and another one comes, of which alone the guard reads."""
        read = [x for x in subterms(self.finder.edit.guard) if x.op in ("at", "size")]
        named = {variable(p, CELL) for p in self.points}
        known = all(x.op == "at" and x.args[0] == "D" and x.args[1] in named for x in read)
        return known and sorted(self.deltas) == [-1, 1]

    def letters_are_known(self) -> bool:
        """Return whether the integers of the edit are parameters, or values of its records.

        Or of functions that may be any: what a function is of a record, or of an index of a block,
        too.
        """
        cells = [variable(f"edit.{n}", sort) for n, sort in self.finder.edit.params if sort == CELL]
        return all(
            self.is_of_members_alone(str(_looked_up(letter).args[0]))
            if letter in self.values_chosen()
            else of.op == "var" or (of.op == "attr" and of.terms[0] in cells)
            for letter in self.finder.letters
            for of in [_looked_up(letter)]
        )

    def is_of_members_alone(self, name: str, facts: Sequence[Term] | None = None) -> bool:
        """Return whether nothing but members reads a function, and facts about single values of it.

        These hold of the values at the records, and wherever else the function has such a value.
        """
        if facts is None:
            every = [x for m, _ in self.conditions for f in m.facts for x in conjuncts(f)]
            facts = [x for x in every if not of_one_value(x)]
        return super().is_of_members_alone(name, facts)

    def values_chosen(self) -> Sequence[Term]:
        """Return the integers that are values of functions: they may be any at other arguments."""
        return [x for x in self.finder.letters if _looked_up(x).op == "apply"]

    def arguments(self, query: Query, letter: Term, names: dict[str, Any]) -> tuple[Any, ...]:
        """Return what the function is applied to whose value an integer is, or tells."""
        return super().arguments(query, _looked_up(letter), names)

    def opened(self, mapping: BoundMap) -> Term:
        """Return which records a block holds if what only members ask of functions is as chosen."""
        chosen = {x: FALSE if x.args[0] in self.denied else TRUE for x in self._asked(mapping)}
        return all_replaced(mapping.member, chosen)

    def _asked(self, mapping: BoundMap) -> set[Term]:
        """Return the truth values of functions that only members ask.

        Not where a record may be in few blocks only.
        """
        if any(m.multiplicity is not None for m in self.structure.problem.used_maps.values()):
            return set()
        told = {_looked_up(x).args[0] for x in self.values_chosen()}
        return {
            x for x in subterms(mapping.member)
            if x.op == "apply" and x.sort == BOOL and x.args[0] not in told
            and self.is_of_members_alone(str(x.args[0]))
        }  # fmt: skip

    def labelled(self) -> Iterator[None]:
        """Choose the listed values and the truth values that members read, in each way."""
        maps = [m for m, _ in self.conditions]
        read = {x.args[0] for m in maps for x in subterms(m.member) if x.op == "attr"}
        sorts = self.structure.problem.domain.attribute_sorts
        read -= {_looked_up(x).args[0] for x in self.finder.letters}
        numbers = {a: len(self._constants(s)) for a, s in sorts.items() if a in read}
        listed = {a: range(n) for a, n in numbers.items() if n > 1}
        functions = sorted({str(x.args[0]) for m in maps for x in self._asked(m)})
        truths = itertools.product((False, True), repeat=len(functions))
        ways = itertools.product(truths, itertools.product(*listed.values()))
        for denied, values in itertools.islice(ways, MOST_LABELLED):
            self.labels = dict(zip(listed, values, strict=True))
            self.denied = frozenset(itertools.compress(functions, denied))
            yield

    def chosen(
        self, query: Query, params: dict[str, Any], block: Sequence[Any], values: Sequence[Any]
    ) -> None:
        """Say which values functions have, of the records and the indices of a block."""
        names = params | {index_variable(n).name: x for n, x in enumerate(block, 1)}
        for letter, value in zip(self.finder.letters, values, strict=True):
            if letter in self.values_chosen() and has_indices(letter, block):
                query.add(equal(query.read(self.finder.named(letter), names), value))

    def tried(self) -> bool:
        """Try which values and attributes records share, and prove the rest of some choice."""
        return any(self.tried_so() for _ in self.labelled())

    def tried_so(self) -> bool:
        """Try which attributes the records share, with the same listed values."""
        sorts = self.structure.problem.domain.attribute_sorts
        cells = [n for n, sort in self.finder.edit.params if sort == CELL]
        free = [a for a, sort in sorts.items() if sort != INT and not self._constants(sort)]
        told = [a for a, sort in sorts.items() if len(self._constants(sort)) >= len(cells) > 1]
        told += [a for a, sort in sorts.items() if sort == INT and len(cells) > 1]
        read = {_looked_up(x).args[0] for x in self.finder.letters}
        integers = [a for a, sort in sorts.items() if sort == INT]
        unread = [(False, 0), *([(False, 1)] if {*integers} - read else [])]
        unread += [(True, 1), (True, -1)] if len(integers) > 1 else []
        agreed = self._agreed(cells) if len(free) > MOST_SHARED else frozenset()
        open_ = [a for a in free if a not in agreed]
        numbers = {*range(min(len(open_), MOST_SHARED) + 1), max(0, len(open_) - 1)}
        for n in sorted(numbers):
            hides = (True, False) if self.finder.hidden else (True,)
            for shared, self.hides, self.unread, self.told in itertools.product(
                itertools.combinations(open_, n), hides, unread, (None, *told)
            ):
                self.shared = agreed.union(shared)
                if (
                    self.functions_are_any()
                    and self.guarded()
                    and all(self.held(m, c) for m, c in self.conditions if c is not None)
                    and all(self.hold_all(m) for m, _ in self.conditions)
                ):
                    return True
        return False

    def _agreed(self, cells: Sequence[str]) -> frozenset[str]:
        """Return the attributes of which it follows that all records have the same."""
        one, *others = (variable(n, CELL) for n in cells)

        def same(attribute: str, sort: str) -> bool:
            pair = self.structure.pair(self.finder.edit)
            pair.query.add(self.finder.asked(pair.query, pair.params, ()).holds(self.facts))
            first, *rest = (
                pair.query.read(Term("attr", (attribute, x), sort), pair.params)
                for x in (one, *others)
            )
            pair.query.add(logic.Not(logic.And(*[equal(first, x) for x in rest])))
            return bool(others) and self.structure.unsat(pair.query)

        sorts = self.structure.problem.domain.attribute_sorts
        return frozenset(a for a, sort in sorts.items() if same(a, sort))

    def _constants(self, sort: str) -> list[Any]:
        return self.structure.signature.constants(sort)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the points down; what is left free is shared by all, or something else in each.

        Of values that are listed all points have the same, or, of what tells them apart, each has
        its own.
        """
        query, _ = self.query()
        letters = [query.fresh(INT, "p") for _ in self.finder.letters]
        known = dict(zip(map(_undivided, self.finder.letters), letters, strict=True))
        known |= {atom: known[x] for atom, x in self.finder.same.items() if x in known}
        known |= self._hidden(query, known) if self.hides else {}
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
                term = Term("attr", (a, variable(f"edit.{n}", CELL)), kind)
                here = known.get(term)
                here = self._labelled(query, term, known) if here is None else here
                constants = query.signature.constants(kind)
                if Term("attr", (a, variable(n, CELL)), kind) in asked:
                    here = query.fresh(kind, a)
                elif here is None and kind == INT:
                    here = self._unread(a, n, known)
                elif here is None and constants:
                    here = constants[points.index(n) if a == self.told else self.labels.get(a, 0)]
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

    def _labelled(self, query: Query, attribute: Term, known: dict[Term, Any]) -> Any:
        """Return the value of an attribute that is told by integers, None if there are none.

        Where an integer says of each listed value that it is not this one, it is one of the others.
        """
        said = {t: n for x, n in known.items() if (t := truth_of(x)) is not None}
        if attribute in said:
            return said[attribute] == 1
        told = {t.terms[1].name: n for t, n in said.items() if t.op == "eq"
                and t.terms[0] == attribute}  # fmt: skip
        if not told:
            return None
        names = query.domain.enumerations[attribute.sort]
        constant = query.signature.constant
        value = constant(next((n for n in names if n not in told), names[0]), attribute.sort)
        for name, number in told.items():
            value = logic.If(number == 1, constant(name, attribute.sort), value)
        return value

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
        self.chosen(query, params, (), self._letters)
        guard = query.read(self.finder.edit.guard, params, {"D": (held, lambda: size)})
        goals = [guard, *(fact for p in points for fact in self.good(query, p))]
        goals += [logic.Not(equal(a, b)) for a, b in itertools.combinations(points, 2)]
        if self.table is not None:
            goals.append(equal(*(query.read(self.table, {"c": x}) for x in points)))
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def block_with(self, query: Query, mapping: BoundMap, p: s.Predicate) -> dict[str, Any]:
        """Say that a block has a condition; return its indices, by their names in the map."""
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*in_range(query, mapping, block))
        query.add(SolverNames(query.symbols, self._letters, block).holds(p))
        return dict(zip((n for n, _ in mapping.indices), block, strict=True))

    def held(self, mapping: BoundMap, condition: ChangeCondition) -> bool:
        """Prove that a block with the condition holds one of the points, and sees it change."""
        query, params = self.started()
        names = self.block_with(query, mapping, condition.predicate)
        self.chosen(query, params, [*names.values()], self._letters)
        member = self.opened(mapping)
        inside = [query.read(member, {**names, "c": params[p]}) for p in self.points]
        if mapping.image is not None:
            inside = self._unbalanced(query, mapping.image, params, inside)
        query.add(logic.Not(logic.Or(*inside)))
        return self.never(query)

    def _images(
        self, query: Query, image: Sequence[tuple[str, Term]], params: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Return what the points look like."""
        return [tuple(query.read(t, {"c": params[p]}) for _, t in image) for p in self.points]

    def _unbalanced(
        self, query: Query, image: Sequence[tuple[str, Term]], params: dict[str, Any],
        inside: Sequence[Any],
    ) -> list[Any]:  # fmt: skip
        """Return for each point that it is held, and not as many come as go that look like it."""
        seen = self._images(query, image, params)
        found = []
        for held, here in zip(inside, seen, strict=True):
            total = logic.IntVal(0)
            for other, there, delta in zip(inside, seen, self.deltas, strict=True):
                alike = logic.And(other, equal(here, there))
                total = logic.plus(total, logic.If(alike, delta, 0))
            found.append(logic.And(held, logic.Not(total == 0)))
        return found

    def hold_all(self, mapping: BoundMap) -> bool:
        """Prove that a block with the condition of some points holds each of these.

        And that none of them goes where another one comes that looks like it: all are counted.
        """
        if self.kinds is None:
            return True
        for numbers, condition in self.kinds.exactly.get(mapping.name, {}).items():
            query, params = self.started()
            names = self.block_with(query, mapping, condition)
            self.chosen(query, params, [*names.values()], self._letters)
            points = [params[self.points[n - 1]] for n in numbers]
            goals = [query.read(self.opened(mapping), {**names, "c": x}) for x in points]
            if mapping.image is not None:
                seen = self._images(query, mapping.image, params)
                goals += [
                    logic.Not(equal(seen[a - 1], seen[b - 1]))
                    for a, b in itertools.combinations(numbers, 2)
                    if self.deltas[a - 1] != self.deltas[b - 1]
                ]
            query.add(logic.Not(logic.And(*goals)))
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


def _looked_up(letter: Term) -> Term:
    """Return what of a record, or which function, an integer is the value of, or tells."""
    truth = truth_of(letter)
    if truth is None:
        return _undivided(letter)
    return truth.terms[0] if truth.op == "eq" else truth


def _undivided(letter: Term) -> Term:
    """Return what a letter is the remainder of, which may be no more than the remainder itself."""
    return letter.terms[0] if letter.op == "mod" else letter
