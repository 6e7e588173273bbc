"""One question to the solver: ground cells, and universal facts asserted for each of them.

The question is always whether some database pair with a property exists.  Universal facts
(multiplicities are natural, the frame is kept, a map's facts hold) are registered once as
functions of a cell and asserted for every ground cell, also for cells created later.  Leaving
out the other instances only weakens the question: *unsat is a proof*.  *sat is a candidate*
that the evaluator must confirm.

A cell is the tuple of its attributes, so two cells are equal iff all attributes are: the
extensionality of cells is the congruence of the solver.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from typing import Any, Final, NamedTuple, TypeVar

import z3

from dpcomp_sym.model import Domain, Universe
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import RESOURCES, ask_twice, prepared, usable
from dpcomp_sym.smt.script import Assertion, written
from dpcomp_sym.terms import BOOL, CELL, INT, Algebra, Term, fold, subterms
from dpcomp_sym.terms.linear import without_quotients

__all__ = [
    "AskedQuestion",
    "Excluded",
    "GroundCell",
    "Query",
    "Reading",
    "Said",
    "ScriptSection",
    "Signature",
    "excluded",
    "noting",
    "numbers_of",
]

T = TypeVar("T")
GroundCell = tuple[Any, ...]
"""A cell as a tuple of solver terms, in the order of the domain's attributes."""

FEW_QUOTIENTS: Final = 32
"""So many numbers that are divided by one symbol are compared with each other."""
DEEPEST: Final = 1
"""How often facts of a cell may name further cells, whose facts are asserted too."""


class ScriptSection(StrEnum):
    """Which part of a question a formula belongs to; a script is written in these words."""

    SYMBOLS = "the symbols, as the spec says"
    CLASS = "D is in the class: facts of the records named here"
    MAPS = "the maps, as the spec says"
    NUMBERS = "quotients by one number are in the order of what is divided"
    EDIT = "an edit leads from D to E, which is in the class, too"
    VIEW = "what the block sees of D and E"
    CLAIM = "the claim, denied"


SETTING: Final = frozenset({ScriptSection.SYMBOLS, ScriptSection.CLASS, ScriptSection.MAPS})
"""What is given before there is any question; by itself it must be possible."""


class Said(Assertion):
    """A formula, and which part of the question it belongs to."""

    section: ScriptSection


@dataclass(frozen=True, eq=False)
class AskedQuestion:
    """A question to the solver, whether all of this can hold, as it was asked.

    >>> from dpcomp_sym.smt import Query
    >>> from dpcomp_sym.smt.query import Signature
    >>> from dpcomp_sym.model import Domain
    >>> query = Query(Signature(Domain({"id": "Record"}), {}), {})
    >>> n = z3.Int("n")
    >>> query.check(n > 1, n < 1), query.impossible.z3()
    (unsat, (n > 1, n < 1))
    >>> query.impossible.smtlib().splitlines()[-2:]
    ['(assert (< n 1))', '(check-sat)']
    """

    asserted: tuple[Said, ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"<AskedQuestion: {len(self.asserted)} assertions that cannot hold together>"

    def sections(self) -> list[Said]:
        """Return all that was asserted, each section by itself."""
        order = list(ScriptSection)
        return sorted(self.asserted, key=lambda one: order.index(one.section))

    def z3(self) -> tuple[Any, ...]:
        """Return all that was asserted as expressions of z3: these together cannot hold."""
        return tuple(one.formula for one in self.sections())

    def smtlib(self, about: str = "") -> str:
        """Return the same as SMT-LIB 2, for any solver; ``about`` becomes a comment."""
        return written(self.sections(), about)


class Excluded(NamedTuple):
    """A question that came out as impossible, and what is given before it, as scripts."""

    script: str
    setting: str


_NOTED: ContextVar[tuple[str, list[Excluded]] | None] = ContextVar("excluded", default=None)


@contextmanager
def excluded(about: str) -> Iterator[list[Excluded]]:
    """Note all questions that come out as impossible while this lasts.

    Nothing that rests on the solver's "unsatisfiable" is then without its script.
    """
    found: list[Excluded] = []
    token = _NOTED.set((about, found))
    try:
        yield found
    finally:
        _NOTED.reset(token)


def noting() -> bool:
    """Return whether questions are noted that come out as impossible."""
    return _NOTED.get() is not None


FEW_PRODUCTS: Final = 4
"""Questions with more products of unknowns are tried in a process that can be ended."""


@lru_cache(maxsize=4096)
def _sort(name: str, values: tuple[str, ...] | None) -> Any:
    if name == INT:
        return z3.IntSort()
    if name == BOOL:
        return z3.BoolSort()
    if values is None:
        return z3.DeclareSort(logic.path("S", name))
    # The name holds the values: sorts are global, and two domains may differ in them.
    constants = [logic.path("v", name, v) for v in values]
    sort, _ = z3.EnumSort(logic.path("E", name, *values), constants)
    return sort


@lru_cache(maxsize=4096)
def _value(sort: Any, position: int) -> Any:
    return sort.constructor(position)()


class Signature:
    """The sorts and functions of a problem, as the solver has them.

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
        self._answers: dict[Hashable, Any] = {}

    def once(self, question: Hashable, find: Callable[[], T | None]) -> T | None:
        """Return the answer to a question that rests on the names alone, found once.

        Where there is none, or scripts are noted, it is asked again: each script needs all that
        it rests on.
        """
        if question not in self._answers or noting():
            found = find()
            if found is None:
                return None
            self._answers[question] = found
        answer: T = self._answers[question]
        return answer

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
            self._functions[name] = logic.SolverFunction(
                logic.path("f", name), *sorts, self.sort(result)
            )
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
        raised: what to do with an exponent.
        divided: what to do with a number that is divided, and by what.
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
        raised: Callable[[Any], Any] = lambda exponent: exponent,
        divided: Callable[[Any, Any], Any] = lambda number, _: number,
    ) -> None:
        self.signature = signature
        self.positions = positions
        self.variables = variables
        self.databases = databases
        self.noted = noted
        self.multiplied = multiplied
        self.raised = raised
        self.divided = divided

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
            case "div":
                return logic.quotient(self.divided(args[0], args[1]), args[1])
            case "mod":
                return logic.remainder(self.divided(args[0], args[1]), args[1])
            case "pow":
                return logic.power(args[0], self.raised(args[1]))
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


def unequal(left: Any, right: Any) -> Any:
    """Return that two values differ, in full: two that are one term are not taken for "false"."""
    if isinstance(left, tuple):
        return logic.Not(logic.And(*[logic.equal(a, b) for a, b in zip(left, right, strict=True)]))
    return logic.Not(logic.equal(left, right))


@lru_cache(maxsize=4096)
def _remainders(term: Term) -> tuple[int, ...]:
    """Return the numbers that remainders are compared with in a term."""
    terms = [term.terms for term in subterms(term) if term.op in {"eq", "ne"}]
    pairs = [(a, b) for pair in terms for a, b in itertools.permutations(pair, 2)]
    return tuple(b.number for a, b in pairs if a.op == "mod" and b.op == "int")


def _same_at_first(before: Sequence[GroundCell], now: Sequence[GroundCell]) -> int:
    """Return how many cells two lists begin with alike: the same objects, which so are alive."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((n for n, (a, b) in pairs if a is not b), min(len(before), len(now)))


def numbers_of(value: Any) -> tuple[int, ...]:
    """Return the numbers of a value's terms: the same for the same terms, while they are there."""
    return tuple(term.ast.value for term in (value if isinstance(value, tuple) else (value,)))


class Query:
    """A conjunction of facts on ground cells, and the solver that decides it."""

    _begins_elsewhere = True
    """Whether the solver is given values to begin with: dividing quotients, it may not survive it.
    """

    def __init__(
        self,
        signature: Signature,
        symbols: Mapping[str, Term],
        logic_steps: int = RESOURCES,
    ) -> None:
        self.signature = signature
        self.domain = signature.domain
        self.positions = {a: n for n, a in enumerate(self.domain.attributes)}
        self._sorts = [signature.sort(s) for s in self.domain.attribute_sorts.values()]
        self.solver = prepared(z3.SimpleSolver(), logic_steps)
        self._steps = logic_steps
        self._products: dict[int, Any] = {}
        self._dividends: dict[int, Any] = {}
        self._started = 0
        """Of how many of the numbers that are divided the solver has a value to begin with."""
        self._remainders: Counter[int] = Counter()
        """What remainders are compared with."""
        self.exponents: dict[int, Any] = {}
        """Of what powers there are that the formulas name."""
        self._said: list[Said] = []
        self.cells: list[GroundCell] = []
        self.maybe: list[GroundCell] = []
        """Tuples that the formulas name: in X, or outside, where nothing is held."""
        self.beyond: list[GroundCell] = []
        """Tuples whose facts are not asserted, so that naming them comes to an end."""
        self._ground: dict[tuple[int, ...], GroundCell] = {}
        self._others: dict[tuple[int, ...], GroundCell] = {}
        """The cells, and the tuples of the other two lists, by the numbers of their terms."""
        self._rules: list[Callable[[GroundCell], list[Any]]] = []
        self._absent: list[Callable[[GroundCell], list[Any]]] = []
        self._depth = 0
        self._closing: list[Callable[[], list[Any]]] = []
        self._closed: tuple[tuple[int, int], list[Said]] | None = None
        self._on_stack: list[Said] | None = None
        """The facts on all ground cells that are on the solver's stack, if it is known which."""
        self._stacked = False
        """Whether anything may be there."""
        self._model: Any = None
        self._answered_by: Any = self.solver
        self._has_model = False
        """Whether the solver has a model that was not taken from it."""
        self._equalities: dict[tuple[int, int], Any] = {}
        self._repeats: dict[int, tuple[Sequence[GroundCell], list[Any]]] = {}
        """By the first of some cells: these, and of each that it equals one before it."""
        self._sums: dict[Hashable, tuple[Sequence[GroundCell], list[Any]]] = {}
        """What sums with a name were asked of last, and what they are after each of the cells."""
        self.numbers = itertools.count()
        """One supply of numbers for all fresh names of a query."""
        self.impossible = AskedQuestion(())
        """The last question that came out as impossible."""
        self.core: list[Any] = []
        """The assumptions that the last unsatisfiable check needed."""
        self.symbols = {name: z3.Int(logic.path("s", name)) for name in symbols}
        for fact in symbols.values():
            self.add(Said(self.read(fact), ScriptSection.SYMBOLS))

    def limit(self, resources: int, seed: int = 0) -> None:
        """Bound the work of each further check; with another seed the solver takes other ways."""
        self._steps = resources
        prepared(self.solver, resources)
        self.solver.set("random_seed", seed)

    def add(self, *formulas: Any) -> None:
        """Assert formulas, of the claim if they do not say otherwise.

        They are kept as they are: the solver keeps only what it has made of them.
        """
        for formula in formulas:
            said = _said(formula)
            if not logic.is_true(said.formula):
                self._said.append(said)
                if usable(self.solver):
                    self._take_off()
                    logic.asserted(self.solver, [said.formula])

    def read(
        self,
        term: Term,
        variables: Mapping[str, Any] | None = None,
        databases: Mapping[str, Any] | None = None,
        positions: Mapping[str, int] | None = None,
    ) -> Any:
        """Return a term as a formula."""
        term = without_quotients(term)
        formula = fold(
            term,
            Reading(
                self.signature,
                self.positions if positions is None else positions,
                {**self.symbols, **(variables or {})},
                databases or {},
                self.possible,
                self._multiplied,
                self._raised,
                self._divided,
            ),
        )
        if self._dividends:
            self._remainders.update(_remainders(term))
        return formula

    def _multiplied(self, product: Any) -> Any:
        self._products[product.get_id()] = product
        return product

    def _raised(self, exponent: Any) -> Any:
        self.exponents[exponent.get_id()] = exponent
        return exponent

    def _divided(self, number: Any, by: Any) -> Any:
        if logic.is_constant(number):
            self._dividends[number.get_id()] = number
        else:
            self._begins_elsewhere = False
        if not z3.is_int_value(by):
            self._compare(number, by)
        return number

    @cached_property
    def _divided_by(self) -> dict[int, list[Any]]:
        """What is divided by a symbol, by the number of the symbol's term."""
        return {}

    def _compare(self, number: Any, by: Any) -> None:
        """Say that quotients do not fall where numbers rise: of symbols the solver sees it late."""
        known = self._divided_by.setdefault(by.get_id(), [])
        if any(number.eq(other) for other in known):
            return
        known.append(number)
        for other in known[:-1] if len(known) <= FEW_QUOTIENTS else ():
            for low, high in ((number, other), (other, number)):
                rises = logic.compared("le", logic.quotient(low, by), logic.quotient(high, by))
                ordered = logic.And(logic.compared("ge", by, 1), logic.compared("le", low, high))
                self.add(Said(logic.Implies(ordered, rises), ScriptSection.NUMBERS))

    def _elsewhere(self) -> list[Callable[[], Any]]:
        """Have the search begin where it is likely to end; return solvers that begin elsewhere."""
        if not (self._begins_elsewhere and self._dividends):
            return []
        dividends = tuple(self._dividends.values())
        first, *others = self._starts()
        _begin(self.solver, dividends[self._started :], first)
        self._started = len(dividends)
        starts = (*others, first, first)
        return [
            partial(_beginning, dividends, start, way)
            for start, way in zip(starts, OTHER_WAYS, strict=True)
        ]

    def _starts(self) -> tuple[Sequence[int], ...]:
        """Return what the search may take numbers that are divided for at first.

        Many divisions of one number keep it long busy, if it begins anywhere.  Most conditions
        hold where the remainder is what most of them ask for; records that are to differ in what
        they hold need another one, too.
        """
        often = [n for n, _ in self._remainders.most_common(2)]
        first = often[0] if often else 0
        other = often[1] if often[1:] else first + 1
        return (first,), (first, other), (other, first)

    def new(self, *words: str) -> str:
        """Return a name that nothing else in the query has: the words and a number."""
        return logic.path(*words, next(self.numbers))

    def beside(self) -> Query:
        """Return an empty query about the same terms: what it names anew is none of these."""
        other = Query(self.signature, {})
        other.symbols, other.numbers = self.symbols, self.numbers
        return other

    def is_positive(self, symbol: str) -> bool:
        """Return whether it follows from what is known of the symbols that one is at least 1."""
        other = self.beside()
        other.add(*[said for said in self._said if said.section is ScriptSection.SYMBOLS])
        other.add(self.symbols[symbol] < 1)
        return bool(other.check() == z3.unsat)

    def fresh(self, sort: str, name: str = "t") -> Any:
        """Return a new constant of a sort of the language; a new ground cell for ``cell``."""
        if sort == CELL:
            return self.cell(name)
        return logic.constant(self.new(name), self.signature.sort(sort))

    def cell(self, name: str = "c") -> GroundCell:
        """Return a new ground cell, of which all universal facts hold."""
        new = self.new(name)
        cell = tuple(
            logic.constant(logic.path(new, a), self.signature.sort(s))
            for a, s in self.domain.attribute_sorts.items()
        )
        return self.register(cell)

    def register(self, cell: GroundCell) -> GroundCell:
        """Make a tuple of terms a ground cell."""
        self.cells.append(cell)
        self._ground.setdefault(numbers_of(cell), cell)
        if self.maybe:
            self.add(Said(self._in_x(cell), ScriptSection.CLASS))
        for rule in list(self._rules):
            self.add(*rule(cell))
        return cell

    def possible(self, cell: GroundCell) -> GroundCell:
        """Take note of a tuple of terms that may be a cell of X or not.

        If it is, all universal facts hold of it; if not, what :meth:`for_all_others` says.
        """
        if len(cell) != len(self._sorts) or not all(map(logic.is_of, cell, self._sorts)):
            return cell  # a cell of an image
        key = numbers_of(cell)
        known = self._ground.get(key, self._others.get(key))
        if known is not None:
            return known
        self._others[key] = cell
        if self._depth >= DEEPEST:
            self.beyond.append(cell)
            return cell
        if not self.maybe:
            self.add(*[Said(self._in_x(c), ScriptSection.CLASS) for c in self.cells])
        self.maybe.append(cell)
        if self.domain.universe is Universe.PRODUCT:
            is_cell = self.read(self.domain.cell_term, {"c": cell})
            self.add(Said(logic.Implies(is_cell, self._in_x(cell)), ScriptSection.CLASS))
        for rule in list(self._rules):
            self._where_present(rule, cell)
        for rule in self._absent:
            self.add(_only_if(logic.Not(self._in_x(cell)), rule(cell)))
        return cell

    def _where_present(self, rule: Callable[[GroundCell], list[Any]], cell: GroundCell) -> None:
        self._depth += 1
        self.add(_only_if(self._in_x(cell), rule(cell)))
        self._depth -= 1

    def _in_x(self, cell: GroundCell) -> Any:
        return self._inside(*cell)

    @cached_property
    def _inside(self) -> logic.SolverFunction:
        return logic.SolverFunction(logic.path("in", "X"), *self._sorts, z3.BoolSort())

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
            self.add(_only_if(logic.Not(self._in_x(cell)), rule(cell)))

    def at_check(self, closing: Callable[[], list[Any]]) -> None:
        """Register facts on all ground cells together (limits, sizes), made anew at every check."""
        self._closing.append(closing)

    def distinct_sum(
        self, value: Callable[[GroundCell], Any], cells: Sequence[GroundCell] | None = None,
        name: Hashable = None,
    ) -> Any:  # fmt: skip
        """Return the sum of ``value`` over the ground cells, equal cells counted once.

        A sum with a name is asked for again when there are more cells, always of the same value:
        what was made of the cells before the first new one is used again.
        """
        pool = [*self.cells, *self.maybe] if cells is None else list(cells)
        before, totals = self._sums.get(name, ((), [logic.IntVal(0)]))
        same = _same_at_first(before, pool)
        totals = totals[: same + 1]
        for cell, repeated in zip(pool[same:], self._repeated(pool)[same:], strict=True):
            here = value(cell)
            here = here if repeated is None else logic.If(repeated, 0, here)
            totals.append(logic.plus(totals[-1], here))
        if name is not None:
            self._sums[name] = pool, totals
        return totals[-1]

    def _repeated(self, pool: Sequence[GroundCell]) -> list[Any]:
        """Return for each cell the formula that it equals an earlier one, built once."""
        if not pool:
            return []
        before, known = self._repeats.get(id(pool[0]), ((), []))
        same = _same_at_first(before, pool)
        found = known[:same]
        if same < len(pool):
            for number in range(same, len(pool)):
                equals = [self.equal(pool[number], other) for other in pool[:number]]
                found.append(logic.Or(*equals) if equals else None)
            self._repeats[id(pool[0])] = list(pool), found
        return found

    def equal(self, left: GroundCell, right: GroundCell) -> Any:
        """Return the equality of two ground cells, built once."""
        key = (id(left), id(right))
        found = self._equalities.get(key)
        if found is None:
            found = (equal(left, right), left, right)  # keeps the cells, and so their ids, alive
            self._equalities[key] = found
        return found[0]

    def _closing_facts(self) -> list[Said]:
        """Return the facts on all ground cells together, made anew when there are new cells."""
        while True:
            key = (len(self.cells) + len(self.maybe) + len(self.beyond), len(self._closing))
            if self._closed is not None and self._closed[0] == key:
                return self._closed[1]
            facts = [_said(f) for closing in list(self._closing) for f in closing()]
            facts = [f for f in facts if not logic.is_true(f.formula)]
            self._closed = (key, facts)

    def stale(self) -> None:
        """Forget the facts on all ground cells: something else than the cells has changed."""
        self._closed = None

    def check(self, *assumptions: Any) -> Any:
        """Ask whether the facts, with the assumptions, can hold."""
        self._closing_facts()  # made before the solver's time begins
        if not usable(self.solver):
            return z3.unknown
        answer = self._answer(assumptions)
        if answer == z3.unsat:
            self.impossible = self._asked(assumptions)
        noted = _NOTED.get()
        if noted is not None and answer == z3.unsat:
            about, found = noted
            found.append(Excluded(self.script(*assumptions, about=about), self.setting()))
        return answer

    def _answer(self, assumptions: Sequence[Any]) -> Any:
        """Ask; the facts on all ground cells stay on the solver's stack while they are the same."""
        apart = len(self._products) > FEW_PRODUCTS
        facts = self._closing_facts()
        if self._on_stack is not facts:
            self._take_off()
        besides = [] if self._on_stack is facts else [f.formula for f in facts]
        self._model, self._has_model = None, False
        self._stacked, self._on_stack = True, None  # an interrupted question leaves some of them
        another = None if self._products else z3.Solver
        elsewhere = self._elsewhere()
        answer, self._answered_by = ask_twice(
            self.solver, another, assumptions, self._steps,
            besides=besides, apart=apart, before=elsewhere,
        )  # fmt: skip
        if usable(self.solver) and self.solver.num_scopes():
            self._on_stack = facts
        self._has_model = bool(answer == z3.sat)
        self.core = []
        if assumptions and answer == z3.unsat:
            first = self._answered_by is self.solver
            self.core = list(self.solver.unsat_core() if first else assumptions)
        return answer

    def _take_off(self) -> None:
        """Take the facts on all ground cells off the solver's stack, but keep the model."""
        if self._has_model:
            self.model()
        if self._stacked:
            self.solver.pop(self.solver.num_scopes())
        self._stacked, self._on_stack = False, None

    def model(self) -> Any:
        """Return the model of the last satisfiable check.

        Raises:
            RuntimeError: the last check was not satisfiable.
        """
        if self._has_model:
            self._model, self._has_model = self._answered_by.model(), False
        if self._model is None:
            msg = "there is no model: the last check was not satisfiable"
            raise RuntimeError(msg)
        return self._model

    def script(self, *assumptions: Any, about: str = "") -> str:
        """Return the question as SMT-LIB 2: all that was asserted, as it was asserted."""
        return self._asked(assumptions).smtlib(about)

    def setting(self) -> str:
        """Return what is given before anything is asked, as a script: it must be possible."""
        given = (a for a in self._asked(()).asserted if a.section in SETTING)
        return AskedQuestion(tuple(given)).smtlib(SETTING_ALONE)

    def _asked(self, assumptions: Sequence[Any]) -> AskedQuestion:
        """Return the question with all that is asserted."""
        return AskedQuestion((*self._said, *self._closing_facts(), *map(_said, assumptions)))


OTHER_WAYS: Final[tuple[dict[str, int], ...]] = (
    {}, {"arith.solver": 2}, {"random_seed": 1}, {"arith.solver": 2, "random_seed": 1},
)  # fmt: skip
"""How the solver may be asked about divisions: one way is often at once where another is lost."""
SETTING_ALONE: Final = "What is given before the question: by itself, this must be possible"


def _begin(solver: Any, dividends: Sequence[Any], values: Sequence[int]) -> None:
    """Have a solver's search begin with values of what is divided, in turns."""
    for number, value in zip(dividends, itertools.cycle(values), strict=False):
        logic.starts_at(solver, number, value)


def _beginning(dividends: Sequence[Any], values: Sequence[int], way: Mapping[str, int]) -> Any:
    """Return a new solver, whose search begins with values of what is divided."""
    solver = z3.SimpleSolver()
    solver.set(**way)
    _begin(solver, dividends, values)
    return solver


def _said(formula: Any) -> Said:
    return formula if isinstance(formula, Said) else Said(formula, ScriptSection.CLAIM)


def _only_if(condition: Any, facts: Sequence[Any]) -> Said:
    """Return that facts hold under a condition; it belongs where the last of them does."""
    said = [_said(f) for f in facts]
    order = list(ScriptSection)
    section = max((f.section for f in said), key=order.index, default=ScriptSection.CLASS)
    return Said(logic.Implies(condition, logic.And(*[f.formula for f in said])), section)
