"""What counts in any block at any place in maxima over integers, compared by a solver."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import Monomial, normal, polynomial
from dpcomp_sym.claims.alike import divided_by_numbers
from dpcomp_sym.claims.substitutions import Letters
from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.model import Problem
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.statements.places import letter_here, totals_of
from dpcomp_sym.statements.terms import rewritten

__all__ = ["AnyBlock"]

STEPS: Final = 100_000
"""The solver's own measure of work for one question."""
Blocks = tuple[k.Sizes, k.Expr]
"""The numbers of blocks, and how many of them count at most."""
Share = tuple[k.Predicate, Fraction, Monomial]
"""A number, and integers to multiply it with, that count under a condition."""
Counted = dict[Blocks, list[dict[Monomial, list[Share]]]]
"""What counts in a block in each total: for products of parameters, the shares that they have."""


class AnyBlock:
    """Any block at any place, of all sizes that a problem allows in a box of them.

    Args:
        problem: it says what its symbols can be.
        sizes: sizes and symbols that are given.
        where: the box.
    """

    def __init__(self, problem: Problem, sizes: Mapping[str, int], where: k.Where) -> None:
        self._query = Query(signature_of(problem), problem.symbols, STEPS)
        self._symbols = self._query.symbols
        ends = [*((s, n, n) for s, n in sizes.items()), *((r.symbol, r.low, r.high) for r in where)]
        for name, low, high in ends:
            if name not in self._symbols:
                continue
            self._query.add(self._symbols[name] >= low)
            if high is not None:
                self._query.add(self._symbols[name] <= high)

    def counts_less(
        self, one: k.MaxOver, others: Sequence[tuple[Fraction, k.MaxOver, Letters]]
    ) -> bool:
        """Return whether nowhere more counts in a maximum than in a sum of others.

        Args:
            one: a sum of totals, at any place.
            others: sums of totals, each with a factor and a place for each of the first one.

        Raises:
            KernelError: something is divided by a size, or a size can be less than 1.
        """
        letters = tuple(map(k.Letter, range(1, one.free + 1)))
        left, right = _counted([(Fraction(1), one, letters)]), _counted(others)
        places = [logic.Int(logic.path("letter", n)) for n in range(one.free)]
        return all(
            self._no_more(blocks, rows, right.get(blocks, []), places)
            for blocks, rows in _fitting(left, right).items()
        )

    def _no_more(
        self, blocks: Blocks, rows: Sequence[Mapping[Monomial, list[Share]]],
        others: Sequence[Mapping[Monomial, list[Share]]], places: Sequence[Any],
    ) -> bool:  # fmt: skip
        """Return whether no block counts more in some totals than in others."""
        indices = [logic.Int(logic.path("index", n)) for n in range(len(blocks[0]))]
        names = SolverNames(self._symbols, places, indices)
        inside = [
            logic.And(i >= 1, i <= (n if isinstance(n, int) else self._symbols[n]))
            for i, n in zip(indices, blocks[0], strict=True)
        ]
        for product in dict.fromkeys(m for row in rows for m in row):
            own, more = ([x for r in each for x in r.get(product, [])] for each in (rows, others))
            by = math.lcm(*(number.denominator for _, number, _ in (*own, *more)))
            larger = self._sum(names, own, by) > self._sum(names, more, by)
            if self._query.check(*inside, larger) != logic.unsat:
                return False
        return True

    def _sum(self, names: SolverNames, shares: Iterable[Share], by: int) -> Any:
        """Return the sum of some shares in a block, so many times."""
        total = logic.IntVal(0)
        for when, number, integers in shares:
            value = logic.IntVal(int(number * by))
            for e, power in integers:
                for _ in range(power):
                    value = value * self._integer(names, e)
            total = total + logic.If(names.holds(when), value, logic.IntVal(0))
        return total

    def _integer(self, names: SolverNames, e: k.Expr) -> Any:
        match e:
            case k.Amount(of):
                number = names.integer(of)
                return logic.If(number >= 0, number, logic.IntVal(0))
            case k.Size(name):
                if self._query.check(self._symbols[name] < 1) != logic.unsat:
                    raise k.KernelError(f"{name} can be less than 1")
                return self._symbols[name]
            case _:
                raise k.KernelError(f"{e.text()} is no integer")


def _counted(maxima: Iterable[tuple[Fraction, k.MaxOver, Letters]]) -> Counted:
    """Return what counts in a block in a sum of maxima, each with a factor and at a place."""
    found: Counted = {}
    for factor, e, at in maxima:
        for total in totals_of(e.body):
            if isinstance(total.count, k.Amount):
                raise k.KernelError("how many blocks count depends on the place")
            when = _placed(k.Connected("and", (e.facts, total.when)), at)
            value = _placed(k.Product((k.Num(factor), total.value)), at)
            row: dict[Monomial, list[Share]] = {}
            for monomial, number in polynomial(value).items():
                integers = tuple((x, n) for x, n in monomial if isinstance(x, k.Amount | k.Size))
                parameters = tuple(pair for pair in monomial if pair not in integers)
                row.setdefault(parameters, []).append((when, number, integers))
            found.setdefault((total.sizes, normal(total.count)), []).append(row)
    return found


def _placed(e: k.Predicate | k.Expr, at: Letters) -> Any:
    """Return what an expression is where its letters are these integers in the block at hand."""

    def change(x: k.KernelTerm) -> k.KernelTerm | None:
        here = letter_here(x) or x
        return at[here.number - 1] if isinstance(here, k.Letter) else None

    here = rewritten(e, change)
    if not divided_by_numbers(here):
        raise k.KernelError("something is divided by a size")
    return here


def _fitting(counted: Counted, others: Counted) -> Counted:
    """Return the same or more, so that each total has others with as many blocks.

    Totals over a few blocks each may choose different ones, so that several count in full.
    """
    found: Counted = {}
    for blocks, rows in counted.items():
        alike = len(rows) == 1 and blocks in others
        found.setdefault(blocks if alike else (blocks[0], k.Inf()), []).extend(rows)
    return found
