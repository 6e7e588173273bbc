"""The reading of terms as Rocq: a formula becomes a proposition, everything else a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.names import of_attribute, of_spec
from dpcomp_sym.terms import BOOL, CELL, Algebra, Term, fold

__all__ = ["RocqTerms", "power", "proposition", "value"]

_COMPARED: Final = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMPUTED: Final = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "mod"}
AND: Final = " /\\ "
OR: Final = " \\/ "


def power(base: str, exponent: str) -> str:
    """Return a power: the base counts from 1 on, the exponent from 0 on, as in the language.

    >>> power("q_", "(i - 1)"), power("q_", "1")
    ('(power q_ (i - 1))', '(Z.max 1 q_)')
    """
    return f"(Z.max 1 {base})" if exponent == "1" else f"(power {base} {exponent})"


@dataclass(frozen=True)
class RocqTerms(Algebra[str]):
    """How terms are written: a formula as a proposition, all else as a value.

    Args:
        names: how variables are written that are not names of the spec, such as ``old``.
        database: what the database is called.
        size: how its size is written; None where no size is known.
        space: the number of the cells that an image puts out; nothing for those of the domain.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    database: str = "D"
    size_name: str | None = None
    space: str = ""

    def variable(self, name: str, sort: str) -> str:
        """Write a variable; one that is true or false is compared with ``true``."""
        text = self.names.get(name, of_spec(name))
        return f"({text} = true)" if sort == BOOL else text

    def integer(self, value: int) -> str:
        """Write a number."""
        return f"{value}" if value >= 0 else f"({value})"

    def boolean(self, value: bool) -> str:
        """Write a truth value."""
        return "True" if value else "False"

    def constant(self, name: str, sort: str) -> str:
        """Write a value of a list."""
        del sort
        return of_spec(name)

    def attribute(self, name: str, cell: str) -> str:
        """Write an attribute."""
        return f"({of_attribute(name)}{self.space} {cell})"

    def apply(self, name: str, args: Sequence[str]) -> str:
        """Write an application."""
        return f"({' '.join([of_spec(name), *args])})"

    def at(self, database: str, cell: str) -> str:
        """Write how often a cell is there."""
        if database != "D":
            raise UnwrittenError(f"a formula reads the database {database}")
        return f"({self.database} {cell})"

    def size(self, database: str) -> str:
        """Write the number of records."""
        if self.size_name is None or database != "D":
            raise UnwrittenError("the size of a database is read where only cells can be")
        return self.size_name

    def operation(self, op: str, args: Sequence[str], term: Term) -> str:
        """Write any other operator."""
        if op in _COMPARED:
            return f"({args[0]} {_COMPARED[op]} {args[1]})"
        if op in _COMPUTED:
            return f"({f' {_COMPUTED[op]} '.join(args)})"
        formulas = bool(term.terms) and term.terms[-1].sort == BOOL
        match op:
            case "and":
                return f"({AND.join(args) or 'True'})"
            case "or":
                return f"({OR.join(args) or 'False'})"
            case "not":
                return f"(~ {args[0]})"
            case "implies":
                return f"({args[0]} -> {args[1]})"
            case "holds":
                return f"({args[0]} = true)"
            case "neg":
                return f"(- {args[0]})"
            case "pow":
                return power(*args)
            case "eq":
                return f"({args[0]} {'<->' if formulas else '='} {args[1]})"
            case "ne":
                return f"(~ ({args[0]} {'<->' if formulas else '='} {args[1]}))"
            case "ite" if formulas:
                return f"(({args[0]} -> {args[1]}) /\\ (~ {args[0]} -> {args[2]}))"
            case "ite":
                return f"(if dec {args[0]} then {args[1]} else {args[2]})"
            case "tuple" if term.sort == CELL:
                return f"(mk{self.space} {' '.join(args)})"
            case "tuple":
                return f"({', '.join(args)})"
            case _:
                raise UnwrittenError(f"nothing is known of the operator {op}")


def _prepared(term: Term) -> Term:
    """Return a term in which a true-or-false attribute is compared with ``true``.

    A truth value cannot be an argument here: it is a proposition.
    """
    if term.op in {"apply", "tuple", "attr", "at"} and any(t.sort == BOOL for t in term.terms):
        raise UnwrittenError("a truth value is the argument of a function or stands in a tuple")
    inner = tuple(_prepared(a) if isinstance(a, Term) else a for a in term.args)
    made = Term(term.op, inner, term.sort)
    return Term("holds", (made,), BOOL) if term.op == "attr" and term.sort == BOOL else made


def proposition(term: Term, reading: RocqTerms) -> str:
    r"""Return a formula as a proposition.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> scope = Scope(variables={"x": "cell"}, attributes={"day": "int"}, databases=("D",))
    >>> print(proposition(parse("D[x] >= 1 and day(x) != 3", scope), RocqTerms()))
    (((D x_) >= 1) /\ (~ ((day_of x_) = 3)))

    Raises:
        UnwrittenError: it cannot be written.
    """
    return fold(_prepared(term), reading)


def value(term: Term, reading: RocqTerms) -> str:
    """Return a term that is not a formula.

    Raises:
        UnwrittenError: it cannot be written, or is a formula.
    """
    if term.sort == BOOL:
        raise UnwrittenError("a truth value is needed as a value")
    return fold(_prepared(term), reading)
