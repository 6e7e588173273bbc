"""Basic, advanced and optimal composition of one profile, side by side.

Each is a maximum over the neighbours: over the vectors of the profile and the choices of blocks.

- *Basic*: ε and δ add up, after group privacy (r ε, δ (e^(rε) - 1)/(e^ε - 1)).
- *Advanced*: Σ ε_i (e^ε_i - 1) + √(2 ln(1/δ′) Σ ε_i²) at Σ δ_i + δ′ (Dwork, Rothblum, Vadhan 2010,
  Theorem III.3), by the same concentration bound where the ε_i differ; after group privacy too.
  It needs both directions, and does not apply to directed granularities.
- *Optimal*: the exact curve of the products of worst pairs (Kairouz, Oh, Viswanath 2015; Murtagh,
  Vadhan 2016, for different ε_i; statements N3 and N3′ for distances above 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.balls import Ball, above, below, exp, log, near, sqrt
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.optimal.choices import Choices, Parts, worst_choices
from dpcomp_sym.optimal.curve import (
    LARGEST_EPS,
    CompositionCurve,
    NumberRange,
    SeenPart,
    compose,
    infinite_loss,
)
from dpcomp_sym.optimal.pairs import group_delta
from dpcomp_sym.optimal.touched import touched_blocks
from dpcomp_sym.profile import Profile

__all__ = ["AnswerRow", "Comparison", "comparison"]

_LARGEST_DISTANCE: Final = 5000
_POINTS: Final = 120
_SMALLEST_DRAWN: Final = Fraction(1, 10**12)
_MARGIN: Final = Fraction(1, 10**6)
SOURCES: Final = ("Dwork, Rothblum, Vadhan 2010", "Kairouz, Oh, Viswanath 2015", "N3", "N3′")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question and the three answers.

    ``at`` is the parameter that is fixed, "delta" or "epsilon", and ``target`` its value; the
    answers are values of the other one, None where there is no guarantee.  ``optimal`` is a range;
    basic and advanced are upper bounds.
    """

    at: str
    target: Fraction
    basic: Fraction | None
    advanced: Fraction | None
    optimal: NumberRange | None

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data; upper ends are rounded up, lower ones down."""
        return {
            "at": self.at,
            "target": near(self.target),
            "basic": _printed(self.basic),
            "advanced": _printed(self.advanced),
            "optimal": _printed(None if self.optimal is None else self.optimal.high),
            "optimal_at_least": None if self.optimal is None else below(self.optimal.low),
        }


def _rounded_up(x: Fraction) -> Fraction:
    """Return a decimal of four digits that is not less.

    >>> _rounded_up(Fraction(12341, 10**8))
    Fraction(247, 2000000)
    """
    unit = Fraction(1, 10**3)
    while unit * 1000 > x:
        unit /= 10
    return -(-x // unit) * unit


def _printed(x: Fraction | None) -> float | int | str:
    return "inf" if x is None else above(x)


@dataclass(frozen=True, repr=False)
class Comparison:
    """What is known in numbers of the privacy of one composition.

    Attributes:
        notion: of the parts' guarantees, "pure" or "approximate".
        choices: what the maximum is taken over.
        note: why the optimal answers may be too large; empty if every choice occurs for some
            neighbours, and mechanisms that attain the answers exist.
    """

    notion: str
    choices: Choices
    note: str = ""

    def __repr__(self) -> str:
        exact = "" if self.exact else f"; {self.note}"
        return f"<Comparison of {self.notion} guarantees with optimal composition{exact}>"

    @property
    def exact(self) -> bool:
        """Whether the optimal answers are the best possible (up to the range that they state)."""
        return not self.note

    def as_json(
        self, at_epsilon: Fraction | None = None, at_delta: Fraction | None = None
    ) -> dict[str, Any]:
        """Return the comparison at the targets of :meth:`rows` as plain data."""
        return {
            "notion": self.notion,
            "exact": self.exact,
            "note": self.note,
            "rows": [row.as_json() for row in self.rows(at_epsilon, at_delta)],
            "by": list(SOURCES),
        }

    def drawing(self, title: str = "") -> Drawing:
        """Return δ against ε for the three, from ε = 0 to that of basic composition."""
        end = self.basic[0] or Fraction(1)
        rows = [self.at_epsilon(end * n / _POINTS) for n in range(_POINTS + 1)]
        eps = [float(row.target) for row in rows]

        def heights(values: Sequence[Fraction | None]) -> list[float | None]:
            return [float(v) if v is not None and v > _SMALLEST_DRAWN else None for v in values]

        lines = [
            ("basic", eps, heights([row.basic for row in rows])),
            ("advanced", eps, heights([row.advanced for row in rows])),
            (
                "optimal",
                eps,
                heights([None if r.optimal is None else r.optimal.high for r in rows]),
            ),
        ]
        return Drawing(title, [Panel("ε", "δ", lines, log_y=True)])

    @cached_property
    def _above(self) -> tuple[CompositionCurve, ...]:
        return tuple(map(compose, self.choices.above))

    @cached_property
    def _below(self) -> tuple[CompositionCurve, ...]:
        if self.choices.complete:
            return self._above
        return tuple(map(compose, self.choices.below))

    def delta(self, eps: Fraction) -> NumberRange:
        """Return the optimal δ at an ε >= 0."""
        high = max((c.at_most(eps) for c in self._above), default=Fraction(0))
        return NumberRange(max((c.at_least(eps) for c in self._below), default=Fraction(0)), high)

    def epsilon(self, delta: Fraction) -> NumberRange | None:
        """Return the least ε >= 0 at which the optimal δ is at most ``delta``; None: none is."""
        high = low = Fraction(0)
        for curve in self._above:
            most = curve.epsilon_at_most(delta)
            if most is None:
                return None
            high = max(high, most)
        for curve in self._below:
            low = max(low, curve.epsilon_at_least(delta, high))
        return NumberRange(low, high)

    @cached_property
    def basic(self) -> tuple[Fraction, Fraction]:
        """The sums of ε and of δ, each the largest over all neighbours; δ rounded up."""
        eps = (_sum(c, lambda part: part.eps * part.steps) for c in self.choices.above)
        delta = (_sum(c, _printed_delta) for c in self.choices.above)
        return max(eps, default=Fraction(0)), max(delta, default=Fraction(0))

    def rows(
        self, at_epsilon: Fraction | None = None, at_delta: Fraction | None = None
    ) -> tuple[AnswerRow, ...]:
        """Compare at the given targets.

        Without any: at δ a millionth above that of basic composition (rounded up to four digits),
        and at the ε of basic composition if its δ is positive.
        """
        eps, delta = self.basic
        if at_epsilon is None and at_delta is None:
            at_delta = _rounded_up(delta + _MARGIN)
            at_epsilon = eps if delta else None
        found = []
        if at_delta is not None and at_delta < 1:
            found.append(self.at_delta(at_delta))
        if at_epsilon is not None:
            found.append(self.at_epsilon(at_epsilon))
        return tuple(found)

    def at_delta(self, target: Fraction) -> AnswerRow:
        """Compare the least ε at a δ."""
        eps, delta = self.basic
        basic = eps if delta <= target else None
        return AnswerRow(
            "delta", target, basic, self._advanced_epsilon(target), self.epsilon(target)
        )

    def at_epsilon(self, target: Fraction) -> AnswerRow:
        """Compare the least δ at an ε."""
        eps, delta = self.basic
        basic = min(delta, Fraction(1)) if eps <= target else Fraction(1)
        return AnswerRow("epsilon", target, basic, self._advanced_delta(target), self.delta(target))

    def _advanced_epsilon(self, target: Fraction) -> Fraction | None:
        worst = Fraction(0)
        for choice in self.choices.above:
            if any(part.directed for part in choice):
                return None
            mean, squares, delta = _moments(choice)
            slack = target - delta
            if slack <= 0:
                return None
            if squares:
                spread = 2 * squares * max(Fraction(0), -log(slack).lower)
                worst = max(worst, mean + sqrt(Ball.of(spread)).upper)
        return worst

    def _advanced_delta(self, target: Fraction) -> Fraction:
        worst = Fraction(0)
        for choice in self.choices.above:
            if any(part.directed for part in choice):
                return Fraction(1)
            mean, squares, delta = _moments(choice)
            if squares:
                gap = target - mean
                delta += exp(-(gap**2) / (2 * squares)).upper if gap > 0 else 1
            worst = max(worst, delta)
        return min(worst, Fraction(1))

    def tight(self) -> str:
        """Return whether the δ of basic composition is the best one at its ε: yes, no or unknown.

        There the optimal δ is 1 - Π (1 - δ_i), δ_i the exact δ of part i at its distance: less
        than the sum as soon as two of them are positive, or one of them is less than printed.
        """
        if not self.exact:
            return "unknown"
        exact = [c for c in self.choices.above if _basic_is_exact(c)]
        others = [c for c in self.choices.above if c not in exact]
        attained = max((_sum(c, _printed_low) for c in exact), default=Fraction(-1))
        if all(_sum(c, _printed_delta) <= attained for c in others):
            return "yes"
        certain = max(_sum(c, _printed_low) for c in self.choices.below)
        least = max(infinite_loss(c).high for c in self.choices.above)
        return "no" if least < certain else "unknown"


def _sum(choice: Parts, of: Callable[[SeenPart], Fraction]) -> Fraction:
    return sum((n * of(part) for part, n in choice.items()), Fraction(0))


def _group_delta(part: SeenPart) -> Ball:
    """Return δ (q^r - 1)/(q - 1), the δ of group privacy as it is printed."""
    power = total = Ball.of(1)
    q = exp(part.eps)
    for _ in range(part.steps - 1):
        power = power * q
        total += power
    return total * part.delta


def _printed_delta(part: SeenPart) -> Fraction:
    return part.delta if part.steps == 1 else _group_delta(part).upper


def _printed_low(part: SeenPart) -> Fraction:
    return part.delta if part.steps == 1 else _group_delta(part).lower


def _moments(choice: Parts) -> tuple[Fraction, Fraction, Fraction]:
    """Return Σ ε (e^ε - 1), Σ ε² and Σ δ after group privacy, rounded up."""
    mean = _sum(choice, lambda p: p.eps * p.steps * (exp(p.eps * p.steps).upper - 1))
    squares = _sum(choice, lambda p: (p.eps * p.steps) ** 2)
    return mean, squares, _sum(choice, _printed_delta)


def _basic_is_exact(choice: Parts) -> bool:
    """Return whether the sum of δ is certainly the δ that is lost."""
    positive = [(part, n) for part, n in choice.items() if part.delta]
    if not positive:
        return True
    ((part, n), *others) = positive
    if others or n > 1:
        return False
    if part.steps == 1:
        return True
    q, delta = exp(part.eps), Ball.of(part.delta)
    before = group_delta(q, delta, part.steps - 1)
    return before.upper <= ((1 - delta) / (1 + q)).lower


def comparison(
    profile: Profile,
    notion: str,
    values: Mapping[str, Any],
    sizes: Mapping[str, int] | None = None,
    directed: frozenset[str] = frozenset(),
) -> Comparison | None:
    """Return the comparison for a profile, given numbers for the parts' guarantees.

    Args:
        profile: what neighbours do to the parts, not vacuous.
        notion: "pure" or "approximate"; parts in the other notion are converted.
        values: numbers for parameters.
        sizes: numbers for the symbols of sizes.
        directed: the parts whose granularity is directed.

    Returns:
        None where there is nothing to compare, as a distance or a parameter is infinite; and where
        it would be too much: ε above 1000, distances above 5000, more than 1000 different parts.

    Raises:
        InputError: numbers are missing or out of range.

    >>> from dpcomp_sym.profile import Case, Group, KRange, MapInfo, PartInfo
    >>> pairs = Case((KRange("k"),), ((Group("p", 2, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (pairs,), proved=True, exact=True)
    >>> found = comparison(example, "pure", {"eps": [1, 2, 3]})
    >>> found.basic, found.exact, found.tight()
    ((Fraction(5, 1), Fraction(0, 1)), True, 'yes')
    """
    vectors = touched_blocks(profile, NOTIONS[notion], values, sizes)
    choices = None if vectors is None else worst_choices(vectors, directed)
    if choices is None or any(
        part.eps > LARGEST_EPS or part.steps > _LARGEST_DISTANCE
        for choice in choices.above
        for part in choice
    ):
        return None
    if not profile.exact:
        note = "the profile is an upper bound"
    elif not profile.interchangeable:
        note = "the blocks are not interchangeable"
    elif directed:
        note = "the granularity is directed"
    elif not all(touched.all_fractions for vector in vectors or () for touched in vector):
        note = "numbers that are no fractions are enclosed"
    elif not choices.complete and not all(t.occurs for vector in vectors or () for t in vector):
        note = "blocks may share records in fewer ways"
    elif not choices.complete:
        note = "there are too many choices of blocks"
    else:
        note = ""
    return Comparison(notion, choices, note)
