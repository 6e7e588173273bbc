"""Conditions of theorems as formulas of the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.smt import logic
from dpcomp_sym.statements import terms as s

__all__ = ["SolverNames"]


@dataclass(frozen=True)
class SolverNames:
    """What symbols, letters and indices are to the solver.

    A letter that is a function of indices is its value in the block at hand.
    """

    symbols: Mapping[str, Any]
    letters: Sequence[Any]
    indices: Sequence[Any] = ()

    def integer(self, e: s.Whole) -> Any:
        """Return an integer as a term of the solver."""
        match e:
            case s.Integer(value):
                return logic.IntVal(value)
            case s.Symbol(name):
                return self.symbols[name]
            case s.Letter(number) | s.LetterAt(number):
                return self.letters[number - 1]
            case s.Index(number):
                return self.indices[number - 1]
            case s.Combined(op, items):
                return _combined(op, [self.integer(x) for x in items])
            case _:
                raise ValueError(e)

    def holds(self, p: s.Predicate) -> Any:
        """Return a condition as a formula of the solver."""
        match p:
            case s.Connected("not", (inner,)):
                return logic.Not(self.holds(inner))
            case s.Connected(op, items):
                return (logic.And if op == "and" else logic.Or)(*map(self.holds, items))
            case s.Compared("eq", left, right):
                return logic.equal(self.integer(left), self.integer(right))
            case s.Compared("ne", left, right):
                return logic.Not(logic.equal(self.integer(left), self.integer(right)))
            case s.Compared(op, left, right):
                return logic.compared(op, self.integer(left), self.integer(right))
            case _:
                raise ValueError(p)


def _combined(op: str, values: list[Any]) -> Any:
    match op:
        case "add":
            return reduce(logic.plus, values)
        case "mul":
            return reduce(lambda a, b: a * b, values)
        case "neg":
            return -values[0]
        case "min":
            return reduce(lambda a, b: logic.If(a <= b, a, b), values)
        case "max":
            return reduce(lambda a, b: logic.If(a >= b, a, b), values)
        case "div":
            return logic.quotient(values[0], values[1])
        case "pow":
            return logic.power(values[0], values[1])
        case _:
            return logic.remainder(values[0], values[1])
