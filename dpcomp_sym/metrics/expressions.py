"""Are expressions over metrics ordered, and are they metrics?  For all points of all spaces.

With d-privacy a mechanism that answers a count and a place is private with respect to a sum such
as ``unbounded + 2*euclid`` (GB24, IV.2); what is private for d is private for every larger d.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Any

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.smt.points import PointDistances
from dpcomp_sym.terms.points import (
    Constant,
    Expression,
    GivenMetric,
    Point,
    PointSpace,
    expression,
    image_among,
    inequality,
    parts,
    value_at_least,
)

__all__ = ["InequalityAnswer", "at_most", "is_metric"]

NamedDistance = tuple[str, Point, Point]
"""Of which metric, and between which points."""


@dataclass(frozen=True)
class InequalityAnswer:
    """Whether an inequality holds for all points: a proof, or points at which it fails.

    ``verdict`` is proved, refuted or unknown; ``space`` the points that refute, and ``read`` the
    distances of them that the claim is about.
    """

    verdict: str
    space: PointSpace | None = None
    script: str = ""
    reason: str = ""
    read: frozenset[NamedDistance] = frozenset()

    def as_json(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {
            "verdict": self.verdict,
            "counterexample": None if self.space is None else _told(self.space, self.read),
            "reason": self.reason or None,
        }


def _told(space: PointSpace, read: Collection[NamedDistance]) -> dict[str, str]:
    """Return distances of points, such as ``d(x, f(y))``.

    >>> from fractions import Fraction
    >>> half = {("d", ("x",), ("y", "f")): Fraction(1, 2)}
    >>> _told(PointSpace((("x",), ("y", "f")), half), half)
    {'d(x, f(y))': '1/2'}
    """

    def named(point: tuple[str, ...]) -> str:
        found = point[0]
        for function in point[1:]:
            found = f"{function}({found})"
        return found

    return {
        f"{metric}({named(a)}, {named(b)})": "inf" if value is None else str(value)
        for (metric, a, b), value in space.distances.items()
        if (metric, a, b) in read
    }


def _read(
    asked: PointDistances, about: Sequence[tuple[Expression, Point, Point]]
) -> frozenset[NamedDistance]:
    """Return the distances that the values of expressions are made of."""
    found = set()
    for whole, *pair in about:
        for given in parts(whole):
            if isinstance(given, GivenMetric):
                a, b = sorted(image_among(asked.points, p, given.through) for p in pair)
                found.add((given.metric, a, b))
    return frozenset(found)


def at_most(
    left: str, right: str, facts: Sequence[str] = (), finite: Sequence[str] = ()
) -> InequalityAnswer:
    """Decide whether one expression is at most another, for all points of all spaces.

    Args:
        left: the expression that is claimed to be smaller.
        right: the expression that is claimed to be larger.
        facts: inequalities ``a <= b`` between expressions that hold for all points.
        finite: metrics that are never infinite.

    Raises:
        InputError: something cannot be read.

    >>> at_most("l2(d, e)", "d + e").verdict
    'proved'
    >>> refuted = at_most("d + e", "l2(d, e)").space.distances  # at two points x and y
    >>> sorted(refuted), all(number > 0 for number in refuted.values())
    ([('d', ('x',), ('y',)), ('e', ('x',), ('y',))], True)
    >>> at_most("pull(f, d)", "3*d", facts=["pull(f, d) <= 2*d"]).verdict
    'proved'
    """
    claim = expression(left), expression(right)
    known = [inequality(f) for f in facts]
    for triangles in (False, True):
        named = [*claim, *(e for f in known for e in f)]
        asked = PointDistances(["x", "y"], named, finite, triangles=triangles)
        x, y = asked.base
        for one in known:
            asked.add(*one, x, y)
        asked.add_not((asked.of(claim[0], x, y), asked.of(claim[1], x, y)))
        if not triangles and asked.answer() == "impossible":
            return InequalityAnswer("proved", script=asked.script())

    def fails(space: PointSpace) -> bool:
        return value_at_least(space, claim[1], claim[0], x, y) is False

    return _answer(asked, known, fails, [(e, x, y) for e in claim])


def is_metric(of: str, facts: Sequence[str] = (), finite: Sequence[str] = ()) -> InequalityAnswer:
    """Decide whether an expression is a pseudometric: 0 from x to x, and the triangle inequality.

    (Symmetric it is, because the given metrics are.)  What is made of metrics by sums, multiples,
    maxima, ℓ2 and pullbacks alone is one: these are norms of the list of distances that grow with
    each of them, so that the triangle inequality of each carries over.  The solver decides what
    has minima or constants.

    Raises:
        InputError: something cannot be read.

    >>> is_metric("max(d, 2*e) + l2(d, pull(f, d))").verdict
    'proved'
    >>> is_metric("min(d, e)").verdict
    'refuted'
    """
    whole = expression(of)
    known = [inequality(f) for f in facts]
    if all(not isinstance(e, Constant) and getattr(e, "word", "") != "min" for e in parts(whole)):
        return InequalityAnswer("proved", reason="a norm of metrics")
    asked = PointDistances(["x", "y", "z"], [whole, *(e for f in known for e in f)], finite)
    for a, b in itertools.combinations(asked.base, 2):
        for one in known:
            asked.add(*one, a, b)
    x, y, z = asked.base
    there, way = asked.of(whole, x, z), (asked.of(whole, x, y), asked.of(whole, y, z))
    itself = asked.of(whole, x, x)
    asked.add_not((there, asked.plus(*way)), (itself, asked.of(Constant(Fraction(0)), x, x)))

    def fails(space: PointSpace) -> bool:
        values = [space.bounds(whole, *pair) for pair in ((x, z), (x, y), (y, z), (x, x))]
        long, first, second, same = values
        if same is None or same[0] > 0:
            return True
        if first is None or second is None:
            return False
        return long is None or long[0] > first[1] + second[1]

    return _answer(
        asked, known, fails, [(whole, *p) for p in itertools.combinations(asked.base, 2)]
    )


def _answer(
    asked: PointDistances, known: Sequence[tuple[Expression, Expression]],
    fails: Callable[[PointSpace], bool], about: Sequence[tuple[Expression, Point, Point]],
) -> InequalityAnswer:  # fmt: skip
    first = asked.answer()
    if first == "impossible":
        return InequalityAnswer("proved", script=asked.script())
    # For an example the facts must hold at the images, too; a proof may not rely on their choice.
    for one in known:
        for a, b in itertools.combinations(asked.points, 2):
            asked.add(*one, a, b)
    if first == "unknown" or asked.answer() != "possible":
        return InequalityAnswer("unknown", reason="neither a proof nor points were found")
    asked.simplify()
    space = asked.space()
    good = all(space.is_metric(m) for m in asked.metrics) and all(
        value_at_least(space, right, left, a, b)
        for left, right in known
        for a, b in itertools.combinations(space.points, 2)
    )
    if good and fails(space):
        return InequalityAnswer("refuted", space, read=_read(asked, about))
    return InequalityAnswer("unknown", reason="the solver's points were not confirmed exactly")
