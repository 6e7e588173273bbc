"""Inequalities between bounds over the non-negative reals, for a fixed number of blocks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import z3

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import is_finite
from dpcomp_sym.numbers import ParameterTable
from dpcomp_sym.numbers.evaluator import Evaluator
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import ask, prepared

__all__ = ["UnsupportedError", "larger", "named"]

MOST_LISTED: Final = 256
"""How many choices of blocks are listed; where there are more, prices are asked for."""
STEPS: Final = 4_000_000
"""The solver's own measure of work after which it answers unknown."""


class UnsupportedError(ValueError):
    """The expression is not made of sums, products, maxima and roots."""


def named(name: str, block: tuple[int, ...]) -> str:
    """Return the name of a block's entry.

    >>> named("eps", (2,)), named("eps0", ())
    ('eps[2]', 'eps0')
    """
    return f"{name}[{','.join(map(str, block))}]" if block else name


def larger(
    left: k.Expr,
    rights: Sequence[k.Expr],
    sizes: Mapping[str, int],
    *,
    squared: bool = False,
    only_linear: bool = False,
) -> dict[str, Fraction] | bool | None:
    """Look for parameters at which ``left`` is more than the least of ``rights``.

    Args:
        left: a sum over named blocks: parameters ``eps[1]``, as :func:`named` writes them.
        rights: expressions with worst choices of blocks.
        sizes: the numbers of blocks and other symbols.
        squared: compare with the squares of ``rights``.
        only_linear: give up at once where numbers are multiplied.

    Returns:
        Parameters (perhaps only close to some); False if there are none, which is proved; None
        if the solver gave up.

    Raises:
        UnsupportedError: an expression is not made of sums, products, maxima and roots.

    >>> x, y = k.Param("eps[1]"), k.Param("eps[2]")
    >>> largest = k.Worst(("k",), (k.Choice(k.Num(Fraction(1)), k.BlockEntry("eps", ("k",))),))
    >>> twice = k.Product((k.Num(Fraction(2)), largest))
    >>> larger(k.Sum((x, y)), [twice], {"k": 2})
    False
    """
    undecided = False
    for right in rights:
        asked = _Question(sizes)
        bound = asked.of(right, ())
        asked.linear = asked.linear and not squared
        asked.facts.append(asked.of(left, ()) > (bound * bound if squared else bound))
        if only_linear and not asked.linear:
            return None
        solver = prepared(z3.SolverFor("QF_LRA" if asked.linear else "QF_NRA"), STEPS)
        solver.add(*asked.facts)
        answer = ask(solver, steps=STEPS)
        if answer == z3.sat:
            return asked.numbers(solver.model())
        undecided = undecided or answer != z3.unsat
    return None if undecided else False


class _Question:
    """A question to the solver.

    Maxima and roots on the right are new numbers that are at least as large: the right side grows
    with them, so that nothing is lost and nothing gained.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.facts: list[Any] = []
        self.linear = True
        self.variables: dict[str, Any] = {}
        self.fresh = itertools.count()

    def variable(self, name: str) -> Any:
        if name not in self.variables:
            self.variables[name] = z3.Real(name)
            self.facts.append(self.variables[name] >= 0)
        return self.variables[name]

    def of(self, e: k.Expr, block: tuple[int, ...]) -> Any:
        match e:
            case k.Num(value):
                return z3.RealVal(str(value))
            case k.Param(name):
                return self.variable(name)
            case k.BlockEntry(name):
                return self.variable(named(name, block))
            case k.EntryOf(name, _, here):
                return self.variable(named(name, here))
            case k.Size(name):
                return z3.RealVal(self.sizes[name])
            case k.Sum(items):
                return z3.Sum([z3.RealVal(0), *(self.of(x, block) for x in items)])
            case k.Product(items):
                self.linear = self.linear and sum(not is_finite(x) for x in items) <= 1
                found = z3.RealVal(1)
                for x in items:
                    found = found * self.of(x, block)
                return found
            case k.Max(items):
                return self.above([self.of(x, block) for x in items])
            case k.Sqrt(of):
                root = self.above([])
                self.linear = False
                self.facts.append(root * root >= self.of(of, block))
                return root
            case k.Apply("exp", (inside,)):
                # More than is true is refuted, nothing less: e^x is at least 1 + x.
                return self.above([1 + self.of(inside, block)])
            case k.Worst(sizes, groups):
                return self.worst(sizes, groups)
            case _:
                raise UnsupportedError(e.text())

    def above(self, items: Sequence[Any]) -> Any:
        new = z3.Real(logic.path("above", next(self.fresh)))
        self.facts += [new >= 0, *[new >= x for x in items]]
        return new

    def worst(self, sizes: k.Sizes, groups: Sequence[k.Choice]) -> Any:
        """Return an upper bound of the worst choice that can be as small as the choice itself."""
        numbers = [s if isinstance(s, int) else self.sizes[s] for s in sizes]
        blocks = list(itertools.product(*(range(1, n + 1) for n in numbers)))
        rooms = [self.room(g.count, len(blocks)) for g in groups]
        values = [[self.of(g.value, b) for b in blocks] for g in groups]
        few = (len(groups) + 1) ** len(blocks) <= MOST_LISTED
        return self.listed(rooms, values) if few else self.priced(rooms, values)

    def listed(self, rooms: Sequence[int], values: Sequence[Sequence[Any]]) -> Any:
        """Compare with all choices, which is easier where numbers are multiplied."""
        places = range(len(rooms))
        totals = []
        for choice in itertools.product((None, *places), repeat=len(values[0]) if values else 0):
            counts = [choice.count(g) for g in places]
            full = all(c == r for c, r in zip(counts, rooms, strict=True))
            fits = all(c <= r for c, r in zip(counts, rooms, strict=True))
            if fits and (full or None not in choice):
                chosen = [values[g][b] for b, g in enumerate(choice) if g is not None]
                totals.append(z3.Sum([z3.RealVal(0), *chosen]))
        return self.above(totals)

    def priced(self, rooms: Sequence[int], values: Sequence[Sequence[Any]]) -> Any:
        """Compare with prices of the blocks and of the places in the groups.

        Handing blocks out to groups is a transportation problem: prices y and z with
        y + z >= value bound it, and the best ones are equal to it.
        """
        blocks = [self.above([]) for _ in values[0]]
        total = [z3.RealVal(0), *blocks]
        for room, row in zip(rooms, values, strict=True):
            place = self.above([])
            self.facts += [b + place >= value for b, value in zip(blocks, row, strict=True)]
            total.append(room * place)
        return z3.Sum(total)

    def room(self, count: k.Expr, blocks: int) -> int:
        if isinstance(count, k.Inf):
            return blocks
        return min(blocks, Evaluator(ParameterTable(), self.sizes).count(count, blocks))

    def numbers(self, model: Any) -> dict[str, Fraction]:
        found = {}
        for name, variable in self.variables.items():
            value = model.eval(variable, model_completion=True)
            if not z3.is_rational_value(value):
                value = value.approx(20)
            found[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        return found
