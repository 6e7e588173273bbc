"""Closed forms of metrics: terms over counts that speak of two databases D and E.

A closed form is written in the language of the spec, with four words more, which count over all
cells ``c`` at once:

* ``sum(t)``: the sum of a term over ``c``, ``D[c]``, ``E[c]``, such as ``sum(abs(D[c] - E[c]))``;
* ``values(k, p, …)``: how many values of the keys ``k`` there are such that each of the formulas
  ``p`` holds at some cell with that value: ``values(owner(c), D[c] != E[c])``;
* ``same(k)``: D and E have equally many records with each value of the keys ``k``; without
  keys, equally many records;
* ``size(D)``.

Where ``finite`` is false the distance is infinite.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import Database, World
from dpcomp_sym.model import Domain
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, CELL, INT, Scope, Term, evaluate, parse, subterms

__all__ = ["Aggregate", "BoundForm", "ClosedForm"]

WORDS: Final = ("sum", "values", "same", "size")


@dataclass(frozen=True)
class Aggregate:
    """One count over all cells: ``keys`` and ``conditions`` are terms over ``c``, D and E.

    ``kind`` is ``sum`` (one condition: the term that is added up), ``values`` or ``same``.
    """

    kind: str
    keys: tuple[Term, ...]
    conditions: tuple[Term, ...]


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

    def distance(self, world: World, left: Database, right: Database) -> int | Infinity:
        """Return what the form says of two databases: the definition of its words."""
        counts = {
            _name(n): self._count(world, one, left, right) for n, one in enumerate(self.aggregates)
        }
        env = world.environment(self.domain, counts)
        return int(evaluate(self.value, env)) if evaluate(self.finite, env) else INFINITY

    def _count(self, world: World, one: Aggregate, left: Database, right: Database) -> int | bool:
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


def _name(number: int) -> str:
    return f"aggregate{number}"


class _Reader(ast.NodeTransformer):
    """Puts a variable in the place of each count, and reads the rest as a term."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.inner: Scope = domain.scope().having({"c": CELL}, ("D", "E"))
        self.aggregates: list[Aggregate] = []

    def read(self, text: str, sort: str) -> Term:
        try:
            tree = ast.parse(" ".join(str(text).split()), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            why = getattr(error, "msg", None) or error
            raise InputError(f"cannot read '{text}': {why}", word=str(text)) from None
        lifted = ast.unparse(self.visit(tree.body))
        counts = {
            _name(n): BOOL if one.kind == "same" else INT for n, one in enumerate(self.aggregates)
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
        return ast.Name(_name(self.aggregates.index(made)))

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
        conditions = [t for t in terms if _reads_databases(t)]
        keys = terms[: len(terms) - len(conditions)]
        if word == "same" and conditions:
            raise InputError("the keys of same(…) cannot depend on D or E", word=word)
        if word == "values" and (
            not conditions
            or terms[len(keys) :] != conditions
            or any(t.sort != BOOL for t in conditions)
        ):
            raise InputError(
                "values(…) takes keys, then at least one formula on D[c] and E[c]", word=word
            )
        return Aggregate(word, tuple(keys), tuple(conditions))


def _reads_databases(term: Term) -> bool:
    return any(t.op == "at" for t in subterms(term))
