"""The plain-Python reading of terms: exact values in a finite world.

A term is compiled once to Python's own code, so that enumeration of many databases stays cheap.
Values: int, bool, ``str`` for elements of named sorts, tuples (in attribute order) for cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import CodeType, FunctionType
from typing import Any, Final

from dpcomp_sym.terms.term import Algebra, Term, fold, power

__all__ = ["Environment", "Value", "evaluate", "evaluator"]

Value = int | bool | str | tuple[Any, ...]
EnvironmentReading = Callable[..., Any]
"""What a term means: a function of the four fields of an environment."""


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


_BINARY: Final[dict[str, str]] = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%",
}  # fmt: skip
DEEPEST: Final = 30
"""Expressions that are nested deeper are cut in pieces: Python reads no deeper than 200."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A term as a Python expression, and how deep it is nested.

    Names of the term stand in it as literals only, so that nothing in them is executed.
    """

    text: str
    depth: int = 0


class _Writer(Algebra[_Text]):
    """Terms as Python expressions over the four fields of an environment: v, f, p and d."""

    def __init__(self) -> None:
        self.pieces: dict[str, Any] = {"__builtins__": {"sum": sum, "power": power}}
        """The functions that the expression calls, and nothing else."""

    def written(self, text: str, args: Sequence[_Text] = ()) -> _Text:
        """Return an expression made of others; a deep one is made a function of its own."""
        found = _Text(text, 1 + max((a.depth for a in args), default=0))
        if found.depth < DEEPEST:
            return found
        name = f"piece{len(self.pieces)}"
        self.pieces[name] = self.function(found)
        return _Text(f"{name}(v, f, p, d)")

    def function(self, text: _Text) -> EnvironmentReading:
        """Return an expression as a function of an environment's fields."""
        code = compile(f"lambda v, f, p, d: {text.text}", "<term>", "eval")
        inner = next(c for c in code.co_consts if isinstance(c, CodeType))
        return FunctionType(inner, self.pieces)

    def variable(self, name: str, sort: str) -> _Text:
        del sort
        return _Text(f"v[{name!r}]")

    def integer(self, value: int) -> _Text:
        return _Text(f"({value!r})")

    def boolean(self, value: bool) -> _Text:
        return _Text(repr(value))

    def constant(self, name: str, sort: str) -> _Text:
        del sort
        return _Text(repr(name))

    def attribute(self, name: str, cell: _Text) -> _Text:
        return self.written(f"{cell.text}[p[{name!r}]]", [cell])

    def apply(self, name: str, args: Sequence[_Text]) -> _Text:
        return self.written(f"f[{name!r}]({_listed(args)})", args)

    def at(self, database: str, cell: _Text) -> _Text:
        return self.written(f"d[{database!r}].get({cell.text}, 0)", [cell])

    def size(self, database: str) -> _Text:
        return self.written(f"sum(d[{database!r}].values())")

    def operation(self, op: str, args: Sequence[_Text], term: Term) -> _Text:
        del term
        texts = [a.text for a in args]
        if op in _BINARY:
            left, right = texts
            return self.written(f"({left} {_BINARY[op]} {right})", args)
        match op:
            case "and" | "or":
                joined = f" {op} ".join(texts) or str(op == "and")
                text = f"(True if {joined} else False)"
            case "not":
                text = f"(not {texts[0]})"
            case "neg":
                text = f"(-{texts[0]})"
            case "pow":
                text = f"power({texts[0]}, {texts[1]})"
            case "implies":
                text = f"({texts[1]} if {texts[0]} else True)"
            case "tuple":
                text = f"({_listed(args)})"
            case "ite":
                text = f"({texts[1]} if {texts[0]} else {texts[2]})"
            case _:
                raise ValueError(op)
        return self.written(text, args)


def _listed(args: Sequence[_Text]) -> str:
    return "".join(f"{a.text}, " for a in args)


@lru_cache(maxsize=20_000)
def _compiled(term: Term) -> EnvironmentReading:
    writer = _Writer()
    return writer.function(fold(term, writer))


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
    return _compiled(term)(env.variables, env.functions, env.positions, env.databases)


def evaluator(term: Term, env: Environment) -> Callable[[], Any]:
    """Return what evaluates a term again and again, with what the environment says by then.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> env = Environment({"n": 1})
    >>> double = evaluator(parse("2*n", Scope(variables={"n": "int"})), env)
    >>> env.variables["n"] = 4
    >>> double()
    8
    """
    return partial(_compiled(term), env.variables, env.functions, env.positions, env.databases)
