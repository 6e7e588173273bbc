"""The plain-Python reading of terms: exact values in a finite world.

A term is compiled once to a closure, so that enumeration of many databases stays cheap.
Values: int, bool, ``str`` for elements of named sorts, tuples (in attribute order) for cells.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from dpcomp_sym.terms.term import Algebra, Term, fold

__all__ = ["Environment", "Value", "evaluate"]

Value = int | bool | str | tuple[Any, ...]
EnvironmentReading = Callable[["Environment"], Any]


@dataclass(slots=True)
class Environment:
    """What the names of a term stand for.

    ``functions`` maps a name to a callable on values; ``positions`` an attribute to its place in
    a cell; ``databases`` a name to a mapping from cells to multiplicities (absent means 0).
    """

    variables: dict[str, Value] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Value]] = field(default_factory=dict)
    positions: Mapping[str, int] = field(default_factory=dict)
    databases: dict[str, Mapping[tuple[Any, ...], int]] = field(default_factory=dict)


_BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "add": operator.add, "sub": operator.sub,
    "mul": operator.mul,
}  # fmt: skip


class _Compiler(Algebra[EnvironmentReading]):
    def variable(self, name: str, sort: str) -> EnvironmentReading:
        del sort
        return lambda env: env.variables[name]

    def integer(self, value: int) -> EnvironmentReading:
        return lambda _: value

    def boolean(self, value: bool) -> EnvironmentReading:
        return lambda _: value

    def constant(self, name: str, sort: str) -> EnvironmentReading:
        del sort
        return lambda _: name

    def attribute(self, name: str, cell: EnvironmentReading) -> EnvironmentReading:
        return lambda env: cell(env)[env.positions[name]]

    def apply(self, name: str, args: Sequence[EnvironmentReading]) -> EnvironmentReading:
        return lambda env: env.functions[name](*[a(env) for a in args])

    def at(self, database: str, cell: EnvironmentReading) -> EnvironmentReading:
        return lambda env: env.databases[database].get(cell(env), 0)

    def size(self, database: str) -> EnvironmentReading:
        return lambda env: sum(env.databases[database].values())

    def operation(
        self, op: str, args: Sequence[EnvironmentReading], term: Term
    ) -> EnvironmentReading:
        del term
        if op in _BINARY:
            fn, (left, right) = _BINARY[op], args
            return lambda env: fn(left(env), right(env))
        match op:
            case "and":
                return lambda env: all(a(env) for a in args)
            case "or":
                return lambda env: any(a(env) for a in args)
            case "not":
                return lambda env: not args[0](env)
            case "neg":
                return lambda env: -args[0](env)
            case "implies":
                return lambda env: args[1](env) if args[0](env) else True
            case "tuple":
                return lambda env: tuple(a(env) for a in args)
            case "ite":
                return lambda env: args[1](env) if args[0](env) else args[2](env)
            case _:
                raise ValueError(op)


_COMPILER: Final = _Compiler()


@lru_cache(maxsize=20_000)
def _compiled(term: Term) -> EnvironmentReading:
    return fold(term, _COMPILER)


def evaluate(term: Term, env: Environment) -> Any:
    """Return the value of ``term`` where names mean what ``env`` says.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> scope = Scope(variables={"x": "cell"}, attributes={"age": "int"}, databases=("D",))
    >>> env = Environment({"x": (7,)}, positions={"age": 0}, databases={"D": {(7,): 2}})
    >>> evaluate(parse("D[x]*age(x)", scope), env)
    14
    >>> evaluate(parse("(D[x], age(x)) == (2, 7)", scope), env)
    True
    """
    return _compiled(term)(env)
