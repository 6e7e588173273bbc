"""Closed forms of metrics: terms over counts that are about two databases D and E.

A closed form is written in the language of the spec, with four words more, which count over all
cells ``c`` at once:

* ``sum(t)``: the sum of a term over ``c``, ``D[c]``, ``E[c]``, such as ``sum(abs(D[c] - E[c]))``;
* ``values(k, p, …)``: how many values of the keys ``k`` there are such that each of the formulas
  ``p`` holds at some cell with that value: ``values(owner(c), D[c] != E[c])``;
* ``same(k)``: D and E have equally many records with each value of the keys ``k``; without
  keys, equally many records;
* ``size(D)``;
* ``cover(k, l, …, p)``: the fewest values such that each cell at which the formula ``p`` holds has
  one of them as a key: vertices that meet all edges with a difference;
* ``lcs(k, l, …)``: the length of a longest common subsequence of the records of D and E in the
  order of the number ``k``, those being the same that agree in the other keys.

The last two are not sums over cells: what is claimed with them is checked, not proved.
Where ``finite`` is false the distance is infinite.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.model import Domain
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, CELL, INT, Scope, Term, evaluate, parse, subterms, variable
from dpcomp_sym.terms.syntax import tree_of

__all__ = ["Aggregate", "BoundForm", "ClosedForm", "aggregate_name"]

WORDS: Final = ("sum", "values", "same", "size", "cover", "lcs")


@dataclass(frozen=True)
class Aggregate:
    """One count over all cells: ``keys`` and ``conditions`` are terms over ``c``, D and E.

    ``kind`` is ``sum`` (one condition: the term that is added up), ``values``, ``same``, ``cover``
    (one condition) or ``lcs``.
    """

    kind: str
    keys: tuple[Term, ...]
    conditions: tuple[Term, ...]

    @property
    def sides(self) -> set[str]:
        """The databases that it reads, D, E or both; those that balance are read both."""
        read = {str(t.args[0]) for part in self.conditions for t in subterms(part) if t.op == "at"}
        return read if self.conditions else {"D", "E"}

    @property
    def elsewhere(self) -> bool:
        """Whether what is counted at ``c`` depends on what other cells hold."""
        reads = (t for part in self.conditions for t in subterms(part) if t.op == "at")
        return any(t.terms[0] != variable("c", CELL) for t in reads)

    def sympy(self) -> Any:
        """Return the count in SymPy: a sum over records, or a function called as in closed forms.

        Such a function has the keys and the formulas as arguments, and the databases.
        """
        import sympy as sp

        from dpcomp_sym.terms.symbolic import SumOverRecords, function, term_to_sympy

        inside = [term_to_sympy(t) for t in (*self.keys, *self.conditions)]
        if self.kind == "sum":
            return SumOverRecords(inside[0], sp.Symbol("c"))
        sort = BOOL if self.kind == "same" else INT
        return function(self.kind, sort)(*inside, *sp.symbols("D E"))

    def swapped(self) -> Aggregate:
        """Return the same count of (E, D)."""
        return replace(self, conditions=tuple(map(_swapped, self.conditions)))


@dataclass(frozen=True)
class ClosedForm:
    """What is claimed of a metric.

    Args:
        value: the distance, where it is finite.
        finite: where it is finite.

    >>> bounded = ClosedForm("sum(max(D[c] - E[c], 0))", "same()")
    >>> form = bounded.bind(Domain({"id": "Record"}))
    >>> world = World(form.domain, (("a",), ("b",)), {"Record": ("a", "b")})
    >>> form.distance(world, {("a",): 2}, {("b",): 2}), form.distance(world, {}, {("b",): 1})
    (2, Infinity())
    """

    value: str
    finite: str = "true"

    def bind(self, domain: Domain) -> BoundForm:
        """Read the closed form over the names of a domain.

        Raises:
            InputError: a word is unknown, or a formula has the wrong sort.
        """
        reader = _Reader(domain)
        try:
            value = reader.read(self.value, INT)
            finite = reader.read(self.finite, BOOL)
        except InputError as error:
            raise error.within("closed form") from None
        return BoundForm(domain, tuple(reader.aggregates), value, finite, self)

    def __str__(self) -> str:
        """Return the closed form as text."""
        return self.value if self.finite == "true" else f"{self.value} if {self.finite} else inf"


@dataclass(frozen=True)
class BoundForm:
    """A closed form over a domain; aggregate n is the variable ``aggregate n`` of its terms."""

    domain: Domain
    aggregates: tuple[Aggregate, ...]
    value: Term
    finite: Term
    source: ClosedForm

    def swapped(self) -> BoundForm:
        """Return the value of the form at (E, D) as a form of (D, E)."""
        return replace(self, aggregates=tuple(one.swapped() for one in self.aggregates))

    def _found(self, world: World, one: Aggregate, left: Database, right: Database) -> int:
        """Return a count that is found by search."""
        env = world.environment(self.domain, databases={"D": left, "E": right})

        def keys(cell: Cell) -> tuple[Any, ...]:
            env.variables["c"] = cell
            return tuple(evaluate(k, env) for k in one.keys)

        if one.kind == "lcs":
            first, second = (
                [k[1:] for k in sorted(keys(c) for c, n in d.items() for _ in range(n))]
                for d in (left, right)
            )
            return _common(first, second)
        held = [c for c in dict.fromkeys((*left, *right)) if left.get(c) or right.get(c)]
        return _fewest([set(k) for k in map(keys, held) if evaluate(one.conditions[0], env)])

    def sympy(self) -> Any:
        """Return the form in SymPy: D(c) and E(c) are how often the databases have a record c.

        >>> ClosedForm("sum(max(D[c] - E[c], 0))", "same()").bind(Domain({"id": "R"})).sympy()
        Piecewise((SumOverRecords(Max(0, D(c) - E(c)), c), same(D, E)), (oo, True))
        """
        import sympy as sp

        from dpcomp_sym.terms.symbolic import term_to_sympy

        known = {aggregate_name(n): one.sympy() for n, one in enumerate(self.aggregates)}
        value, finite = (term_to_sympy(x, known) for x in (self.value, self.finite))
        return value if finite == sp.true else sp.Piecewise((value, finite), (sp.oo, True))

    @property
    def separable(self) -> bool:
        """Whether it is made of counts that add up over cells, which proofs can use."""
        return not any(one.kind in ("cover", "lcs") for one in self.aggregates)

    def distance(self, world: World, left: Database, right: Database) -> int | Infinity:
        """Return what the form says of two databases: the definition of its words."""
        counts = {
            aggregate_name(n): self._count(world, one, left, right)
            for n, one in enumerate(self.aggregates)
        }
        env = world.environment(self.domain, counts)
        return int(evaluate(self.value, env)) if evaluate(self.finite, env) else INFINITY

    def _count(self, world: World, one: Aggregate, left: Database, right: Database) -> int | bool:
        if one.kind in ("cover", "lcs"):
            return self._found(world, one, left, right)
        env = world.environment(self.domain, databases={"D": left, "E": right})
        held = [c for c in dict.fromkeys((*left, *right)) if left.get(c) or right.get(c)]
        total = 0
        seen: list[set[Any]] = [set() for _ in one.conditions]
        balance: dict[Any, int] = {}
        for cell in held:
            env.variables["c"] = cell
            key = tuple(evaluate(k, env) for k in one.keys)
            balance[key] = balance.get(key, 0) + left.get(cell, 0) - right.get(cell, 0)
            for found, condition in zip(seen, one.conditions, strict=True):
                value = evaluate(condition, env)
                if one.kind == "sum":
                    total += value
                elif value:
                    found.add(key)
        match one.kind:
            case "sum":
                return total
            case "values":
                return len(set.intersection(*seen))
            case _:
                return not any(balance.values())


def _swapped(term: Term) -> Term:
    args = tuple(_swapped(a) if isinstance(a, Term) else a for a in term.args)
    if term.op == "at":
        args = ("E" if args[0] == "D" else "D", *args[1:])
    return Term(term.op, args, term.sort)


def aggregate_name(number: int) -> str:
    """Return what the terms of a form call one of its counts."""
    return f"aggregate{number}"


def _common(first: Sequence[Any], second: Sequence[Any]) -> int:
    """Return the length of a longest common subsequence.

    >>> _common("abcab", "bacb")
    3
    """
    row = [0] * (len(second) + 1)
    for one in first:
        above, row = row, [0]
        for place, other in enumerate(second):
            longer = above[place] + 1 if one == other else max(above[place + 1], row[-1])
            row.append(longer)
    return row[-1]


def _fewest(sets: Sequence[set[Any]]) -> int:
    """Return how many elements are needed to meet all sets.

    >>> _fewest([{1, 2}, {2, 3}, {3, 4}])
    2
    """
    if not sets:
        return 0
    smallest = min(sets, key=len)
    return 1 + min(_fewest([s for s in sets if element not in s]) for element in smallest)


class _Reader(ast.NodeTransformer):
    """Puts a variable in the place of each count, and reads the rest as a term."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.inner: Scope = domain.scope().having({"c": CELL}, ("D", "E"))
        self.aggregates: list[Aggregate] = []

    def read(self, text: str, sort: str) -> Term:
        try:
            tree = tree_of(" ".join(str(text).split()))
        except (RecursionError, MemoryError) as error:
            raise InputError(f"cannot read '{text}': {error}", word=str(text)) from None
        lifted = ast.unparse(self.visit(tree))
        counts = {
            aggregate_name(n): BOOL if one.kind == "same" else INT
            for n, one in enumerate(self.aggregates)
        }
        try:
            return parse(lifted, self.domain.scope().having(counts), sort)
        except InputError as error:
            raise InputError(f"{error.message} (in '{text}')", word=error.word) from None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a count by its variable."""
        if not isinstance(node.func, ast.Name) or node.func.id not in WORDS or node.keywords:
            return self.generic_visit(node)
        made = self._aggregate(node.func.id, [ast.unparse(a) for a in node.args])
        if made not in self.aggregates:
            self.aggregates.append(made)
        return ast.Name(aggregate_name(self.aggregates.index(made)))

    def _aggregate(self, word: str, texts: Sequence[str]) -> Aggregate:
        if word == "size":
            if list(texts) not in (["D"], ["E"]):
                raise InputError("size(…) takes one of the databases D and E", word="size")
            return Aggregate("sum", (), (parse(f"{texts[0]}[c]", self.inner, INT),))
        terms = [parse(t, self.inner) for t in texts]
        if word == "sum":
            if [t.sort for t in terms] != [INT]:
                raise InputError("sum(…) takes one number, a term over c, D[c], E[c]", word="sum")
            return Aggregate("sum", (), tuple(terms))
        if word == "lcs":
            if not terms or any(map(_reads_databases, terms)) or terms[0].sort != INT:
                raise InputError("lcs(…) takes a number of c, and keys that must agree", word=word)
            return Aggregate("lcs", tuple(terms), ())
        conditions = [t for t in terms if _reads_databases(t)]
        if word == "cover" and (len(conditions) != 1 or len(terms) < 2):
            raise InputError("cover(…) takes keys, then one formula on D[c] and E[c]", word=word)
        keys = terms[: len(terms) - len(conditions)]
        if word == "same" and conditions:
            raise InputError("the keys of same(…) cannot depend on D or E", word=word)
        if word in ("values", "cover") and (
            not conditions
            or terms[len(keys) :] != conditions
            or any(t.sort != BOOL for t in conditions)
        ):
            raise InputError(
                f"{word}(…) takes keys, then at least one formula on D[c] and E[c]", word=word
            )
        return Aggregate(word, tuple(keys), tuple(conditions))


def _reads_databases(term: Term) -> bool:
    return any(t.op == "at" for t in subterms(term))
