"""Expressions over given metrics of points: sums, multiples, maxima, ℓ2, pullbacks.

The metrics themselves are given; nothing is known of them but that they are metrics, and the
facts that are stated.  ``counts + 2*euclid``, ``max(a, b)``, ``min(a, b)``, ``l2(a, b)`` (the root
of the sum of squares), ``pull(f, d)`` (d of the images under f).  Distances may be infinite.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.terms.syntax import tree_of

__all__ = [
    "Constant",
    "Expression",
    "GivenMetric",
    "MetricGroup",
    "Point",
    "PointSpace",
    "Scaled",
    "expression",
    "image",
    "image_among",
    "inequality",
    "parts",
    "value_at_least",
]

Point = tuple[str, ...]
"""A point: its name, then the functions applied to it, first ones first."""
PRECISION: Final = 1 << 120


@dataclass(frozen=True)
class GivenMetric:
    """A given metric between the images of two points under functions, in order of application."""

    metric: str
    through: tuple[str, ...] = ()


@dataclass(frozen=True)
class Constant:
    """A constant."""

    value: Fraction


@dataclass(frozen=True)
class Scaled:
    """A multiple, by a factor that is at least 0; nothing times infinity is nothing."""

    factor: Fraction
    of: Expression


@dataclass(frozen=True)
class MetricGroup:
    """``sum``, ``max``, ``min`` or ``l2`` of several."""

    word: str
    of: tuple[Expression, ...]


Expression = GivenMetric | Constant | Scaled | MetricGroup


def expression(text: str, metrics: Sequence[str] | None = None) -> Expression:
    """Read an expression; ``metrics`` are the names that there are, if that is known.

    Raises:
        InputError: it is not such an expression.

    >>> expression("pull(f, d + 2*e)").of[0]
    GivenMetric(metric='d', through=('f',))
    >>> expression("d - e")
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: 'd - e' is not an expression over metrics: d, numbers, +, 2*d, \
max, min, l2, pull(f, d)
    """
    try:
        return _read(tree_of(" ".join(text.split())), (), metrics)
    except (RecursionError, MemoryError):
        raise InputError(f"'{text:.40}…' is nested too deeply", word=text[:40]) from None


def inequality(text: str, metrics: Sequence[str] | None = None) -> tuple[Expression, Expression]:
    """Read ``left <= right``.

    Raises:
        InputError: it is not an inequality of expressions.
    """
    left, sign, right = text.partition("<=")
    if not sign:
        raise InputError(f"'{text}' is not an inequality: write left <= right", word=text)
    return expression(left, metrics), expression(right, metrics)


def _read(node: ast.expr, through: tuple[str, ...], metrics: Sequence[str] | None) -> Expression:
    match node:
        case ast.Name(id=name):
            if metrics is not None and name not in metrics:
                raise InputError(f"unknown metric '{name}'; {nearest(name, metrics)}", word=name)
            return GivenMetric(name, through)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return MetricGroup(
                "sum", (_read(left, through, metrics), _read(right, through, metrics))
            )
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return Scaled(_number(left), _read(right, through, metrics))
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _is_number(right):
            if _is_number(left):
                return Constant(_number(node))
            if _number(right) == 0:
                raise InputError("nothing can be divided by 0", word=ast.unparse(node))
            return Scaled(1 / _number(right), _read(left, through, metrics))
        case ast.Call(func=ast.Name(id="max" | "min" | "l2" as word), args=[_, *_] as items):
            return MetricGroup(word, tuple(_read(n, through, metrics) for n in items))
        case ast.Call(func=ast.Name(id="pull"), args=[ast.Name(id=name), inner]):
            return _read(inner, (*through, name), metrics)
        case _:
            if _is_number(node):
                return Constant(_number(node))
    raise InputError(
        f"'{ast.unparse(node)}' is not an expression over metrics: d, numbers, +, 2*d, max, min, "
        "l2, pull(f, d)",
        word=ast.unparse(node),
    )


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() as value):
            return not isinstance(value, bool)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _is_number(left) and _is_number(right)
        case _:
            return False


def _number(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return Fraction(value)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _is_number(right):
            if _number(right) == 0:
                raise InputError("nothing can be divided by 0", word=ast.unparse(node))
            return _number(left) / _number(right)
        case _:
            pass
    text = ast.unparse(node)
    raise InputError(f"'{text}' should be a number such as 2 or 1/3, as a factor", word=text)


def parts(whole: Expression) -> Iterator[Expression]:
    """Yield an expression and everything in it."""
    yield whole
    match whole:
        case Scaled(of=inner):
            yield from parts(inner)
        case MetricGroup(of=items):
            for item in items:
                yield from parts(item)
        case GivenMetric() | Constant():
            pass


def image(point: Point, through: Sequence[str]) -> Point:
    """Return the image of a point, ``g(f(x))`` for the functions f and g.

    >>> image(("x",), ("f", "g"))
    ('x', 'f', 'g')
    """
    return (*point, *through)


def image_among(points: Sequence[Point], point: Point, through: Sequence[str]) -> Point:
    """Return the image of a point among some; where it has no name, the first image there is.

    >>> image_among([("x",), ("x", "f"), ("y",)], ("y",), ("f",))
    ('x', 'f')
    """
    for function in through:
        there = image(point, [function])
        if there not in points:
            there = next((p for p in points if p[-1] == function), point)
        point = there
    return point


@dataclass(frozen=True)
class PointSpace:
    """Finitely many points with their distances; None is an infinite one.

    ``distances`` maps a metric and two different points, in sorted order, to their distance.
    A function takes points whose image has no name to the first point that is an image under it.
    """

    points: tuple[Point, ...]
    distances: Mapping[tuple[str, Point, Point], Fraction | None]

    def distance(self, metric: str, a: Point, b: Point) -> Fraction | None:
        """Return the distance of two points."""
        if a == b:
            return Fraction(0)
        return self.distances[metric, min(a, b), max(a, b)]

    def is_metric(self, metric: str) -> bool:
        """Return whether the triangle inequality holds."""
        numbers = {
            (a, b): _large(self.distance(metric, a, b)) for a in self.points for b in self.points
        }
        return all(
            numbers[a, c] <= numbers[a, b] + numbers[b, c]
            for a in self.points for b in self.points for c in self.points
        )  # fmt: skip

    def bounds(self, e: Expression, a: Point, b: Point) -> tuple[Fraction, Fraction] | None:
        """Return bounds of an expression, equal unless there is a root; None if infinite."""
        match e:
            case Constant(value=value):
                return value, value
            case GivenMetric(metric=metric, through=through):
                there = (image_among(self.points, p, through) for p in (a, b))
                exact = self.distance(metric, *there)
                return None if exact is None else (exact, exact)
            case Scaled(factor=factor, of=inner):
                if factor == 0:
                    return Fraction(0), Fraction(0)
                found = self.bounds(inner, a, b)
                return None if found is None else (factor * found[0], factor * found[1])
            case MetricGroup(word=word, of=items):
                return _grouped(word, [self.bounds(i, a, b) for i in items])


def _grouped(
    word: str, values: Sequence[tuple[Fraction, Fraction] | None]
) -> tuple[Fraction, Fraction] | None:
    finite = [v for v in values if v is not None]
    if not finite or (word != "min" and len(finite) < len(values)):
        return None
    lows, highs = [v[0] for v in finite], [v[1] for v in finite]
    match word:
        case "sum":
            return sum(lows, Fraction(0)), sum(highs, Fraction(0))
        case "max":
            return max(lows), max(highs)
        case "min":
            return min(lows), min(highs)
        case _:
            squares = [sum((x * x for x in side), Fraction(0)) for side in (lows, highs)]
            return _root(squares[0], up=False), _root(squares[1], up=True)


def _root(square: Fraction, *, up: bool) -> Fraction:
    scaled = square.numerator * square.denominator * PRECISION * PRECISION
    root = math.isqrt(scaled)
    exact = root * root == scaled
    return Fraction(root + (up and not exact), square.denominator * PRECISION)


def _large(value: Fraction | None) -> Fraction | float:
    return math.inf if value is None else value


def value_at_least(
    space: PointSpace, larger: Expression, smaller: Expression, a: Point, b: Point
) -> bool | None:
    """Return whether one expression is at least another; None where roots are too close.

    >>> triangle = PointSpace((("x",), ("y",)), {("d", ("x",), ("y",)): Fraction(1)})
    >>> one, two = expression("l2(d, d)"), expression("d + d")
    >>> [value_at_least(triangle, *pair, ("x",), ("y",)) for pair in ((two, one), (one, two))]
    [True, False]
    """
    left, right = space.bounds(larger, a, b), space.bounds(smaller, a, b)
    if left is None:
        return True
    if right is None or left[1] < right[0]:
        return False
    return True if left[0] >= right[1] else None
