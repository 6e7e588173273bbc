"""Inequalities between expressions over metrics, for all points of all spaces."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal

import z3

from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import ask, prepared
from dpcomp_sym.smt.script import Assertion, written
from dpcomp_sym.terms.points import (
    Constant,
    Expression,
    GivenMetric,
    MetricGroup,
    Point,
    PointSpace,
    Scaled,
    image,
    image_among,
    parts,
)

__all__ = ["PointDistances"]

STEPS: Final = 5_000_000
LARGEST: Final = 4
"""Distances in examples are whole numbers up to this one, if they can be."""
PointValue = tuple[Any, Any]
"""A distance: its number, and whether it is infinite instead."""


class PointDistances:
    """The distances between a few points and their images, in every metric that is named.

    ``finite``: metrics that are never infinite.  Without ``triangles`` they need not be metrics:
    what cannot be even so has a short proof.
    """

    def __init__(
        self, names: Sequence[str], expressions: Sequence[Expression], finite: Sequence[str],
        *, triangles: bool = True,
    ) -> None:  # fmt: skip
        self.solver = prepared(z3.SolverFor("QF_NRA"), STEPS)
        self._said: list[Any] = []
        self.fresh = itertools.count()
        given = [g for e in expressions for g in parts(e) if isinstance(g, GivenMetric)]
        self.base: list[Point] = [(n,) for n in names]
        images = {
            image(p, g.through[:n]) for p in self.base for g in given
            for n in range(1, len(g.through) + 1)
        }  # fmt: skip
        self.points = sorted({*self.base, *images})
        self.metrics = sorted({g.metric for g in given})
        self.known: dict[tuple[str, Point, Point], PointValue] = {}
        for metric in self.metrics:
            for number, (a, b) in enumerate(itertools.combinations(self.points, 2)):
                value = (
                    z3.Real(logic.path("d", metric, number)),
                    z3.Bool(logic.path("far", metric, number)),
                )
                self.known[metric, a, b] = value
                self._say(value[0] >= 0)
                if metric in finite:
                    self._say(z3.Not(value[1]))
            for a, b, c in itertools.permutations(self.points if triangles else (), 3):
                if a < c:
                    way = _sum([self.distance(metric, a, b), self.distance(metric, b, c)])
                    self._say(_at_most(self.distance(metric, a, c), way))

    def _say(self, *formulas: Any) -> None:
        self._said += formulas
        self.solver.add(*formulas)

    def distance(self, metric: str, a: Point, b: Point) -> PointValue:
        """Return the distance of two points."""
        if a == b:
            return z3.RealVal(0), z3.BoolVal(False)
        low, high = sorted((a, b))
        return self.known[metric, low, high]

    def of(self, e: Expression, a: Point, b: Point) -> PointValue:
        """Return an expression as a term."""
        match e:
            case Constant(value=value):
                return z3.RealVal(str(value)), z3.BoolVal(False)
            case GivenMetric(metric=metric, through=through):
                there = (image_among(self.points, p, through) for p in (a, b))
                return self.distance(metric, *there)
            case Scaled(factor=factor, of=inner):
                if factor == 0:
                    return z3.RealVal(0), z3.BoolVal(False)
                found = self.of(inner, a, b)
                return z3.RealVal(str(factor)) * found[0], found[1]
            case MetricGroup(word=word, of=items):
                return self._group(word, [self.of(i, a, b) for i in items])

    def _group(self, word: str, values: Sequence[PointValue]) -> PointValue:
        anywhere = z3.Or(*[v[1] for v in values])
        match word:
            case "sum":
                return _sum(values)
            case "max":
                found = values[0][0]
                for number, _ in values[1:]:
                    found = z3.If(number >= found, number, found)
                return found, anywhere
            case "min":
                number, infinite = values[0]
                for other, far in values[1:]:
                    first = z3.And(z3.Not(infinite), z3.Or(far, number <= other))
                    number, infinite = z3.If(first, number, other), z3.And(infinite, far)
                return number, infinite
            case _:
                root = z3.Real(logic.path("root", next(self.fresh)))
                self._say(root >= 0, root * root == z3.Sum([v[0] * v[0] for v in values]))
                return root, anywhere

    def add(self, left: Expression, right: Expression, a: Point, b: Point) -> None:
        """Say that one expression is at most another."""
        self._say(_at_most(self.of(left, a, b), self.of(right, a, b)))

    def add_not(self, *pairs: tuple[PointValue, PointValue]) -> None:
        """Say that in one of the pairs the first value is larger than the second."""
        self._say(z3.Or(*[z3.Not(_at_most(a, b)) for a, b in pairs]))

    def plus(self, first: PointValue, second: PointValue) -> PointValue:
        """Return a sum."""
        return _sum([first, second])

    def answer(self) -> Literal["impossible", "possible", "unknown"]:
        """Decide whether all assertions can hold together."""
        found = ask(self.solver, steps=STEPS)
        if found == z3.unsat:
            return "impossible"
        return "possible" if found == z3.sat else "unknown"

    def simplify(self) -> None:
        """After "possible": look for a model with small numbers, and none of them infinite."""
        values = list(self.known.values())
        near = [z3.Not(far) for _, far in values]
        small = [z3.Or(far, *[v == n for n in range(LARGEST + 1)]) for v, far in values]
        for wish in ((*near, *small), small, near, ()):
            if ask(self.solver, wish, STEPS) == z3.sat:
                return

    def script(self) -> str:
        """Return the question as SMT-LIB 2."""
        return written([Assertion(f, "the metrics, and the claim denied") for f in self._said])

    def space(self) -> PointSpace:
        """Return the points of the last model; roots in it become close fractions."""
        model = self.solver.model()
        found: dict[tuple[str, Point, Point], Fraction | None] = {}
        for (metric, a, b), (number, infinite) in self.known.items():
            if z3.is_true(model.eval(infinite, model_completion=True)):
                found[metric, a, b] = None
                continue
            value = model.eval(number, model_completion=True)
            if not z3.is_rational_value(value):
                value = value.approx(20)
            found[metric, a, b] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        return PointSpace(tuple(self.points), found)


def _sum(values: Sequence[PointValue]) -> PointValue:
    return z3.Sum([v[0] for v in values]), z3.Or(*[v[1] for v in values])


def _at_most(left: PointValue, right: PointValue) -> Any:
    return z3.Or(right[1], z3.And(z3.Not(left[1]), left[0] <= right[0]))
