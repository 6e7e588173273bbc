"""One question to the solver: ground cells, and universal facts asserted for each of them.

What is asked is always whether some database pair with a property exists.  Universal facts
(multiplicities are natural, the frame is kept, a map's facts hold) are registered once as
functions of a cell and asserted for every ground cell, also for cells created later.  Leaving
out the other instances only weakens the question: *unsat is a proof*.  *sat is a candidate*
that the evaluator must confirm.

A cell is the tuple of its attributes, so two cells are equal iff all attributes are: the
extensionality of cells is the congruence of the solver.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import z3

from dpcomp_sym.model import Domain, Universe
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import RESOURCES, ask, prepared, usable
from dpcomp_sym.terms import BOOL, CELL, INT, Algebra, Term, fold

__all__ = ["GroundCell", "Query", "Reading", "Signature"]

GroundCell = tuple[Any, ...]
"""A cell as a tuple of solver terms, in the order of the domain's attributes."""

DEEPEST: Final = 1
"""So often facts of a cell may name further cells of which all facts are said."""

FEW_PRODUCTS: Final = 4
"""Questions with more products of unknowns are tried in a process that can be ended."""


@lru_cache(maxsize=4096)
def _sort(name: str, values: tuple[str, ...] | None) -> Any:
    if name == INT:
        return z3.IntSort()
    if name == BOOL:
        return z3.BoolSort()
    if values is None:
        return z3.DeclareSort(f"S_{name}")
    # The name holds the values: sorts are global, and two domains may differ in them.
    sort, _ = z3.EnumSort(f"E_{name}_{'_'.join(values)}", [f"v_{name}_{v}" for v in values])
    return sort


@lru_cache(maxsize=4096)
def _value(sort: Any, position: int) -> Any:
    return sort.constructor(position)()


class Signature:
    """The sorts and functions of a problem, as the solver knows them.

    Args:
        domain: the outer domain.
        functions: name → (argument sorts, result) of everything, maps' functions included.
    """

    def __init__(
        self, domain: Domain, functions: Mapping[str, tuple[tuple[str, ...], str]]
    ) -> None:
        self.domain = domain
        self.signatures = dict(functions)
        self._functions: dict[str, Any] = {}

    def sort(self, name: str) -> Any:
        """Return the solver's sort for a sort of the language."""
        return _sort(name, self.domain.enumerations.get(name))

    def constants(self, sort: str) -> list[Any]:
        """Return the values of a sort that has finitely many: truth values, enumerated ones."""
        if sort == BOOL:
            return [logic.BoolVal(False), logic.BoolVal(True)]
        return [self.constant(v, sort) for v in self.domain.enumerations.get(sort, ())]

    def function(self, name: str) -> Any:
        """Return the solver's function for a function of the language."""
        if name not in self._functions:
            arguments, result = self.signatures[name]
            sorts = []
            for argument in arguments:
                if argument == CELL:
                    sorts += [self.sort(s) for s in self.domain.attribute_sorts.values()]
                else:
                    sorts.append(self.sort(argument))
            self._functions[name] = logic.Function(f"f_{name}", *sorts, self.sort(result))
        return self._functions[name]

    def apply(self, name: str, args: Sequence[Any]) -> Any:
        """Return the application of a function; cells are spread into their attributes."""
        flat: list[Any] = []
        for arg in args:
            flat.extend(arg) if isinstance(arg, tuple) else flat.append(arg)
        function = self.function(name)
        return function(*flat) if flat else function()

    def constant(self, name: str, sort: str) -> Any:
        """Return the solver's constant for a value of an enumerated sort."""
        return _value(self.sort(sort), self.domain.enumerations[sort].index(name))


class Reading(Algebra[Any]):
    """Terms as solver formulas.

    Args:
        signature: sorts and functions.
        positions: attribute → place in a cell (an image has other attributes than the domain).
        noted: what to do with a cell that is written as a tuple.
        multiplied: what to do with a product of unknowns.
        variables: what variables stand for.
        databases: name → (multiplicity at a cell, size).
    """

    def __init__(
        self,
        signature: Signature,
        positions: Mapping[str, int],
        variables: Mapping[str, Any],
        databases: Mapping[str, tuple[Callable[[GroundCell], Any], Callable[[], Any]]],
        noted: Callable[[GroundCell], GroundCell] = lambda cell: cell,
        multiplied: Callable[[Any], Any] = lambda product: product,
    ) -> None:
        self.signature = signature
        self.positions = positions
        self.variables = variables
        self.databases = databases
        self.noted = noted
        self.multiplied = multiplied

    def variable(self, name: str, sort: str) -> Any:
        del sort
        return self.variables[name]

    def integer(self, value: int) -> Any:
        return logic.IntVal(value)

    def boolean(self, value: bool) -> Any:
        return logic.BoolVal(value)

    def constant(self, name: str, sort: str) -> Any:
        return self.signature.constant(name, sort)

    def attribute(self, name: str, cell: Any) -> Any:
        return cell[self.positions[name]]

    def apply(self, name: str, args: Sequence[Any]) -> Any:
        return self.signature.apply(name, args)

    def at(self, database: str, cell: Any) -> Any:
        return self.databases[database][0](cell)

    def size(self, database: str) -> Any:
        return self.databases[database][1]()

    def operation(self, op: str, args: Sequence[Any], term: Term) -> Any:
        match op:
            case "and":
                return logic.And(*args)
            case "or":
                return logic.Or(*args)
            case "not":
                return logic.Not(args[0])
            case "implies":
                return logic.Implies(args[0], args[1])
            case "eq":
                return equal(args[0], args[1])
            case "ne":
                return logic.Not(equal(args[0], args[1]))
            case "lt" | "le" | "gt" | "ge":
                return logic.compared(op, args[0], args[1])
            case "add":
                return logic.plus(args[0], args[1])
            case "sub":
                return args[0] - args[1]
            case "mul":
                product = args[0] * args[1]
                known = any(z3.is_int_value(a) for a in args)
                return product if known else self.multiplied(product)
            case "neg":
                return -args[0]
            case "tuple":
                return self.noted(tuple(args)) if term.sort == CELL else tuple(args)
            case "ite":
                if isinstance(args[1], tuple):
                    return tuple(
                        logic.If(args[0], a, b) for a, b in zip(args[1], args[2], strict=True)
                    )
                return logic.If(args[0], args[1], args[2])
            case _:
                raise ValueError(op)


def equal(left: Any, right: Any) -> Any:
    """Return the equality of two values; cells are equal iff all their attributes are."""
    if isinstance(left, tuple):
        if all(logic.same(a, b) for a, b in zip(left, right, strict=True)):
            return logic.BoolVal(True)
        return logic.And(*[logic.equal(a, b) for a, b in zip(left, right, strict=True)])
    return logic.equal(left, right)


class Query:
    """A conjunction of facts on ground cells, and the solver that decides it."""

    def __init__(
        self,
        signature: Signature,
        symbols: Mapping[str, Term],
        logic_steps: int = RESOURCES,
    ) -> None:
        self.signature = signature
        self.domain = signature.domain
        self.positions = {a: n for n, a in enumerate(self.domain.attributes)}
        self.solver = prepared(z3.SimpleSolver(), logic_steps)
        self._steps = logic_steps
        self._products: dict[int, Any] = {}
        self.cells: list[GroundCell] = []
        self.maybe: list[GroundCell] = []
        """Tuples that the formulas name: in X, or outside, where nothing is held."""
        self.beyond: list[GroundCell] = []
        """Tuples of which nothing is said, lest naming them goes on forever."""
        self._rules: list[Callable[[GroundCell], list[Any]]] = []
        self._absent: list[Callable[[GroundCell], list[Any]]] = []
        self._depth = 0
        self._closing: list[Callable[[], list[Any]]] = []
        self._closed: tuple[tuple[int, int], list[Any]] | None = None
        self._equalities: dict[tuple[int, int], Any] = {}
        self._repeats: dict[tuple[int, ...], tuple[Any, GroundCell]] = {}
        self.numbers = itertools.count()
        """One supply of numbers for all fresh names of a query."""
        self.core: list[Any] = []
        """The assumptions that the last unsatisfiable check needed."""
        self.symbols = {name: z3.Int(f"s_{name}") for name in symbols}
        for fact in symbols.values():
            self.add(self.read(fact))

    def limit(self, resources: int) -> None:
        """Bound the work of each further check."""
        self.solver.set("rlimit", resources)

    def add(self, *formulas: Any) -> None:
        """Assert formulas."""
        for formula in formulas:
            if not logic.is_true(formula) and usable(self.solver):
                logic.asserted(self.solver, [formula])

    def read(
        self,
        term: Term,
        variables: Mapping[str, Any] | None = None,
        databases: Mapping[str, Any] | None = None,
        positions: Mapping[str, int] | None = None,
    ) -> Any:
        """Return a term as a formula."""
        return fold(
            term,
            Reading(
                self.signature,
                self.positions if positions is None else positions,
                {**self.symbols, **(variables or {})},
                databases or {},
                self.possible,
                self._multiplied,
            ),
        )

    def _multiplied(self, product: Any) -> Any:
        self._products[product.get_id()] = product
        return product

    def fresh(self, sort: str, name: str = "t") -> Any:
        """Return a new constant of a sort of the language; a new ground cell for ``cell``."""
        if sort == CELL:
            return self.cell(name)
        return logic.constant(f"{name}_{next(self.numbers)}", self.signature.sort(sort))

    def cell(self, name: str = "c") -> GroundCell:
        """Return a new ground cell, of which all universal facts hold."""
        number = next(self.numbers)
        cell = tuple(
            logic.constant(f"{name}_{number}_{a}", self.signature.sort(s))
            for a, s in self.domain.attribute_sorts.items()
        )
        return self.register(cell)

    def register(self, cell: GroundCell) -> GroundCell:
        """Make a tuple of terms a ground cell."""
        self.cells.append(cell)
        if self.maybe:
            self.add(self._in_x(cell))
        for rule in list(self._rules):
            self.add(*rule(cell))
        return cell

    def possible(self, cell: GroundCell) -> GroundCell:
        """Take note of a tuple of terms that may be a cell of X or not.

        If it is, all universal facts hold of it; if not, what :meth:`for_all_others` says.
        """
        sorts = [self.signature.sort(s) for s in self.domain.attribute_sorts.values()]
        if [t.sort() for t in cell] != sorts:
            return cell  # a cell of an image
        for known in (*self.cells, *self.maybe, *self.beyond):
            if all(logic.same(a, b) for a, b in zip(cell, known, strict=True)):
                return known
        if self._depth >= DEEPEST:
            self.beyond.append(cell)
            return cell
        if not self.maybe:
            self.add(*[self._in_x(c) for c in self.cells])
        self.maybe.append(cell)
        if self.domain.universe is Universe.PRODUCT:
            self.add(logic.Implies(self.read(self.domain.cell_term, {"c": cell}), self._in_x(cell)))
        for rule in list(self._rules):
            self._where_present(rule, cell)
        for rule in self._absent:
            self.add(logic.Implies(logic.Not(self._in_x(cell)), logic.And(*rule(cell))))
        return cell

    def _where_present(self, rule: Callable[[GroundCell], list[Any]], cell: GroundCell) -> None:
        self._depth += 1
        self.add(logic.Implies(self._in_x(cell), logic.And(*rule(cell))))
        self._depth -= 1

    def _in_x(self, cell: GroundCell) -> Any:
        sorts = [t.sort() for t in cell]
        return logic.Function("in_X", *sorts, z3.BoolSort())(*cell)

    def present(self, cell: GroundCell) -> Any:
        """Return the formula: the cell is one of X."""
        if any(cell is c for c in (*self.maybe, *self.beyond)):
            return self._in_x(cell)
        return logic.BoolVal(True)

    def for_all_cells(self, rule: Callable[[GroundCell], list[Any]]) -> None:
        """Register a universal fact: a function from a cell to formulas."""
        self._rules.append(rule)
        for cell in list(self.cells):
            self.add(*rule(cell))
        for cell in list(self.maybe):
            self._where_present(rule, cell)

    def for_all_others(self, rule: Callable[[GroundCell], list[Any]]) -> None:
        """Register a fact of the tuples outside X: a function from a tuple to formulas."""
        self._absent.append(rule)
        for cell in list(self.maybe):
            self.add(logic.Implies(logic.Not(self._in_x(cell)), logic.And(*rule(cell))))

    def at_check(self, closing: Callable[[], list[Any]]) -> None:
        """Register facts on all ground cells together (limits, sizes), made anew at every check."""
        self._closing.append(closing)

    def distinct_sum(
        self, value: Callable[[GroundCell], Any], cells: Sequence[GroundCell] | None = None
    ) -> Any:
        """Return the sum of ``value`` over the ground cells, equal cells counted once."""
        total = logic.IntVal(0)
        pool = [*self.cells, *self.maybe] if cells is None else cells
        for cell, repeated in zip(pool, self._repeated(pool), strict=True):
            here = value(cell)
            total = logic.plus(total, here if repeated is None else logic.If(repeated, 0, here))
        return total

    def _repeated(self, pool: Sequence[GroundCell]) -> list[Any]:
        """Return for each cell the formula that it equals an earlier one, built once."""
        found: list[Any] = []
        for number, cell in enumerate(pool):
            before = tuple(map(id, pool[: number + 1]))
            if before not in self._repeats:
                equals = [self.equal(cell, other) for other in pool[:number]]
                # The cells stand beside it so that they, and so their ids, stay alive.
                self._repeats[before] = (logic.Or(*equals) if equals else None, cell)
            found.append(self._repeats[before][0])
        return found

    def equal(self, left: GroundCell, right: GroundCell) -> Any:
        """Return the equality of two ground cells, built once."""
        key = (id(left), id(right))
        found = self._equalities.get(key)
        if found is None:
            found = (equal(left, right), left, right)  # keeps the cells, and so their ids, alive
            self._equalities[key] = found
        return found[0]

    def _closing_facts(self) -> list[Any]:
        """Return the facts on all ground cells together, made anew when there are new cells."""
        while True:
            key = (len(self.cells) + len(self.maybe) + len(self.beyond), len(self._closing))
            if self._closed is not None and self._closed[0] == key:
                return self._closed[1]
            facts = [f for closing in list(self._closing) for f in closing()]
            facts = [f for f in facts if not logic.is_true(f)]
            self._closed = (key, facts)

    def stale(self) -> None:
        """Forget the facts on all ground cells: something else than the cells has changed."""
        self._closed = None

    def check(self, *assumptions: Any) -> Any:
        """Ask whether the facts, with the assumptions, can hold."""
        self._closing_facts()  # made before the solver's time begins
        if not usable(self.solver):
            return z3.unknown
        scopes = self.solver.num_scopes()
        answer = self._answer(assumptions)
        if usable(self.solver) and self.solver.num_scopes() > scopes:
            self.solver.pop()
        return answer

    def _answer(self, assumptions: Sequence[Any]) -> Any:
        """Ask; the facts on all ground cells stay on the solver's stack."""
        apart = len(self._products) > FEW_PRODUCTS
        facts = self._closing_facts()
        answer = ask(self.solver, assumptions, self._steps, besides=facts, apart=apart)
        self._model = self.solver.model() if answer == z3.sat else None
        self.core = list(self.solver.unsat_core()) if answer == z3.unsat else []
        return answer

    def model(self) -> Any:
        """Return the model of the last satisfiable check.

        Raises:
            RuntimeError: the last check was not satisfiable.
        """
        if self._model is None:
            msg = "there is no model: the last check was not satisfiable"
            raise RuntimeError(msg)
        return self._model

    def script(self, *assumptions: Any) -> str:
        """Return the query as SMT-LIB 2."""
        extra = self._closing_facts()
        copy = z3.Solver()
        copy.add(*self.solver.assertions(), *extra, *assumptions)
        return logic.script(copy)
