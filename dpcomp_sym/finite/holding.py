"""Which blocks of a family hold a cell, without asking each of a million blocks.

As a function of the number of the block, a formula changes its truth at few integers: where a sum
meets another one, or a table has an entry.  Between these one block speaks for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.terms import Environment, Term, evaluate, free_variables

__all__ = ["numbers_where"]

_COMPARED: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_LOGIC: Final = frozenset({"and", "or", "not", "implies"})
_SUMS: Final = frozenset({"add", "sub", "neg"})


class _UnclearError(Exception):
    """It is not clear where the formula changes."""


@dataclass(frozen=True)
class _Course:
    """How a term goes with the number: by jumps at ``marks`` only, or along a line."""

    marks: frozenset[int] = frozenset()
    line: bool = False


def numbers_where(
    formula: Term, name: str, numbers: range, env: Environment,
    tables: Mapping[str, Mapping[tuple[Any, ...], Any]],
) -> Iterator[int]:  # fmt: skip
    """Yield the numbers for which a formula about one of them is true, in order.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> near = parse("2*i >= t and i < t + 2 and i != 4", Scope(variables={"i": "int", "t": "int"}))
    >>> list(numbers_where(near, "i", range(1, 10**9), Environment({"t": 5}), {}))
    [3, 5, 6]
    """
    inner = Environment(dict(env.variables), env.functions, env.positions, env.databases)

    def true(number: int) -> bool:
        inner.variables[name] = number
        return bool(evaluate(formula, inner))

    try:
        marks = _Reader(name, inner, tables).course(formula).marks
    except _UnclearError:
        yield from filter(true, numbers)
        return
    last = numbers.start
    for mark in sorted(m for m in marks if m in numbers):
        yield from _same(true, range(last, mark))
        yield from _same(true, range(mark, mark + 1))
        last = mark + 1
    yield from _same(true, range(last, numbers.stop))


def _same(true: Callable[[int], bool], piece: range) -> Sequence[int]:
    """Return a piece if the formula is true there, which is the same for all of it."""
    return piece if piece and true(piece[0]) else ()


class _Reader:
    def __init__(
        self, name: str, env: Environment, tables: Mapping[str, Mapping[tuple[Any, ...], Any]]
    ) -> None:
        self.name, self.env, self.tables = name, env, tables

    def course(self, term: Term) -> _Course:
        if self.name not in free_variables(term):
            return _Course()
        inside = [self.course(t) for t in term.terms]
        jumps = frozenset().union(*(c.marks for c in inside))
        lines = any(c.line for c in inside)
        if term.op == "var":
            return _Course(line=True)
        if not lines and (term.op in _COMPARED | _LOGIC | _SUMS or term.op in ("ite", "mul")):
            return _Course(jumps)
        if jumps:
            raise _UnclearError
        if term.op in _SUMS or (term.op == "mul" and sum(c.line for c in inside) == 1):
            return _Course(line=True)
        if term.op in _COMPARED and len(term.terms) == 2:
            return _Course(self.meeting(*term.terms))
        if term.op == "apply":
            return _Course(self.entries(term))
        raise _UnclearError

    def along(self, term: Term) -> tuple[int, int]:
        """Return where a line starts, at 0, and by how much it rises."""
        values = []
        for number in (0, 1):
            self.env.variables[self.name] = number
            values.append(evaluate(term, self.env))
        if not all(type(v) is int for v in values):
            raise _UnclearError
        return values[0], values[1] - values[0]

    def meeting(self, left: Term, right: Term) -> frozenset[int]:
        """Return the integers around which two lines meet."""
        (a, b), (c, d) = self.along(left), self.along(right)
        if b == d:
            return frozenset()
        place, rest = divmod(a - c, d - b)
        return frozenset({place, place + 1} if rest else {place})

    def entries(self, term: Term) -> frozenset[int]:
        """Return the numbers at which arguments are those of an entry of the function's table."""
        if term.name not in self.tables:
            raise _UnclearError
        found: set[int] = set()
        for place, argument in enumerate(term.terms):
            if self.name in free_variables(argument):
                start, rise = self.along(argument)
                for key in self.tables[term.name]:
                    if rise and not (key[place] - start) % rise:
                        found.add((key[place] - start) // rise)
        return frozenset(found)
