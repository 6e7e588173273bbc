"""The privacy curve δ(ε) of a product of worst pairs, with rigorous bounds on the error.

The losses ln(P/Q) of a product are whole multiples of the parts' ε, so they are rational and
compared exactly; only the probabilities need e^ε.  They are kept as lower bounds, in units of
2^-256, and since all of them sum to a known number, what the rounding has lost is known too: it is
added where an upper bound is wanted.

Where too many different losses come together, there are two curves, and the truth is between.
The upper one splits each outcome between two points of a grid, such that both laws keep their
totals (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, Connect the dots): the original is what
remains when they are not distinguished.  The lower one merges outcomes whose losses are near each
other, which anybody could do who sees them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import floor, gcd, isqrt, lcm, log
from typing import Final

from dpcomp_sym.balls import BITS, Ball, exp
from dpcomp_sym.optimal.pairs import LikelihoodPair, directed_pair, worst_pair

__all__ = ["LARGEST_EPS", "CompositionCurve", "NumberRange", "SeenPart", "compose", "infinite_loss"]

LARGEST_EPS: Final = 1000
"""Beyond this ε the probabilities have no digits left."""

_ONE: Final = 1 << BITS
_BUDGET: Final = 3_000_000
_MOST_LOSSES: Final = 200_000
_EXACT_PRODUCT: Final = 2000
_HALVINGS: Final = 60
_MANY: Final = 1000
_NEGLIGIBLE: Final = 1 << (BITS - 140)
"""On a grid, probabilities below 2^-140 are dropped (and counted among what is missing)."""

Masses = dict[int, int]
"""Probabilities under P, rounded down, in units of 2^-256, by loss in units of the grid."""


@dataclass(frozen=True, slots=True, order=True)
class SeenPart:
    """An (eps, delta)-DP mechanism whose two databases are ``steps`` apart.

    ``directed`` if its granularity is.
    """

    eps: Fraction
    delta: Fraction
    steps: int = 1
    directed: bool = False


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A number that is at least ``low`` and at most ``high``."""

    low: Fraction
    high: Fraction

    @classmethod
    def exactly(cls, x: Fraction) -> NumberRange:
        """Return the range of one number."""
        return cls(x, x)


@dataclass(frozen=True)
class Losses:
    """A pair of laws by its losses.

    Attributes:
        unit: losses are multiples of it.
        masses: probabilities of finite losses.
        infinite: the probability of an infinite loss.
        largest: the largest finite loss.
    """

    unit: Fraction
    masses: Masses
    infinite: NumberRange
    largest: Fraction

    @cached_property
    def _sums(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return positive losses, and for each the sums over it and all larger ones.

        Of the probabilities under P, and of lower and upper bounds of those under Q times the
        likelihood ratio of the first of them (so that nothing gets too small to be written).
        """
        losses = sorted(n for n in self.masses if n > 0)
        falls: dict[int, Ball] = {}
        p = q_low = q_high = 0
        last = losses[-1] if losses else 0
        rows = [(0, 0, 0)]
        for n in reversed(losses):
            fall = falls.setdefault(last - n, exp(self.unit * (n - last)))
            mass, last = self.masses[n], n
            p += mass
            q_low = mass + (q_low * fall.low >> BITS)
            q_high = mass + (q_high * fall.high >> BITS) + 1
            rows.append((p, q_low, q_high))
        rows.reverse()
        under_p, low, high = (list(column) for column in zip(*rows, strict=True))
        return losses, under_p, low, high

    @cached_property
    def _missing(self) -> int:
        """What rounding down has lost of the finite losses, at most."""
        return max(0, Ball.of(1 - self.infinite.low).high - sum(self.masses.values()))

    def _finite(self, eps: Fraction) -> NumberRange:
        """Return the part of δ that is due to finite losses."""
        losses, under_p, low, high = self._sums
        at = bisect_right(losses, eps / self.unit)
        if at == len(losses):
            return NumberRange(Fraction(0), Fraction(self._missing, _ONE))
        factor = exp(eps - losses[at] * self.unit)
        least = under_p[at] + (-factor.high * high[at] >> BITS)
        most = under_p[at] - (factor.low * low[at] >> BITS)
        top = max(most, 0) + self._missing
        return NumberRange(Fraction(max(least, 0), _ONE), Fraction(top, _ONE))

    def at_least(self, eps: Fraction) -> Fraction:
        """Return a lower bound of δ."""
        if eps >= self.largest:
            return self.infinite.low
        return self.infinite.low + self._finite(eps).low

    def at_most(self, eps: Fraction) -> Fraction:
        """Return an upper bound of δ."""
        if eps >= self.largest:
            return self.infinite.high
        return min(Fraction(1), self.infinite.high + self._finite(eps).high)


@dataclass(frozen=True)
class Merged:
    """A pair of laws that the true pair can be made into, outcome by outcome.

    ``outcomes`` are lower bounds of P and upper bounds of Q, in units of 2^-256.
    """

    outcomes: Sequence[tuple[int, int]]
    infinite: NumberRange

    def at_least(self, eps: Fraction) -> Fraction:
        """Return a lower bound of δ."""
        factor = exp(eps).high
        excess = sum(max(0, p + (-factor * q >> BITS)) for p, q in self.outcomes)
        return self.infinite.low + Fraction(excess, _ONE)


@dataclass(frozen=True)
class CompositionCurve:
    """δ(ε) of a composition, between a lower and an upper bound (the same where it is exact).

    The two are computed when they are first asked for.
    """

    parts: Mapping[SeenPart, int]

    @cached_property
    def _groups(self) -> list[_Group]:
        groups = [
            _group(part, count)
            for part, count in sorted(self.parts.items())
            if count and part.steps and (part.eps or part.delta)
        ]
        return sorted(groups, key=lambda g: len(g.masses))

    @cached_property
    def _unit(self) -> Fraction:
        return _common([g.part.eps for g in self._groups])

    @cached_property
    def upper(self) -> Losses:
        """A pair of laws that dominates the true one."""
        infinite = infinite_loss(self.parts)
        if self.exact:
            return _exact(self._groups, self._unit, infinite)
        return _split(self._groups, _grid(self._groups), infinite)

    @cached_property
    def lower(self) -> Losses | Merged:
        """A pair of laws that the true one dominates."""
        if self.exact:
            return self.upper
        return _merge(self._groups, _grid(self._groups), infinite_loss(self.parts))

    @cached_property
    def exact(self) -> bool:
        """Whether the two bounds differ by the rounding of probabilities only."""
        return _cost(self._groups, self._unit) <= _BUDGET

    def at_most(self, eps: Fraction) -> Fraction:
        """Return an upper bound of δ at an ε >= 0."""
        return self.upper.at_most(eps)

    def at_least(self, eps: Fraction) -> Fraction:
        """Return a lower bound of δ at an ε >= 0."""
        return self.lower.at_least(eps)

    def delta(self, eps: Fraction) -> NumberRange:
        """Return δ at an ε >= 0.

        >>> curve = compose({SeenPart(Fraction(1), Fraction(0)): 1})
        >>> curve.delta(Fraction(1)), round(float(curve.delta(Fraction(0)).high), 6)
        (NumberRange(low=Fraction(0, 1), high=Fraction(0, 1)), 0.462117)
        """
        return NumberRange(self.at_least(eps), self.at_most(eps))

    def epsilon(self, delta: Fraction) -> NumberRange | None:
        """Return the least ε >= 0 at which δ(ε) <= ``delta``; None if there may be none.

        >>> curve = compose({SeenPart(Fraction(1), Fraction(0)): 1})
        >>> curve.epsilon(Fraction(0)) == NumberRange.exactly(Fraction(1))
        True
        >>> curve.epsilon(Fraction(1, 2)) == NumberRange.exactly(Fraction(0))
        True
        """
        high = self.epsilon_at_most(delta)
        return None if high is None else NumberRange(self.epsilon_at_least(delta, high), high)

    def epsilon_at_most(self, delta: Fraction) -> Fraction | None:
        """Return an upper bound of the least ε; None if there may be none."""
        top = self.upper.largest
        if self.upper.at_most(top) > delta:
            return None
        if self.exact and delta <= self.upper.infinite.low:
            return top
        return _least(lambda eps: self.at_most(eps) <= delta, top)[1]

    def epsilon_at_least(self, delta: Fraction, high: Fraction) -> Fraction:
        """Return a lower bound of the least ε, or ``high`` if it is not below that."""
        if self.exact and delta <= self.upper.infinite.low:
            # Below the largest loss δ is more than the probability of an infinite one.
            return min(high, self.upper.largest)
        if self.at_least(high) > delta:
            return high
        return _least(lambda eps: self.at_least(eps) <= delta, high)[0]


def _least(enough: Callable[[Fraction], bool], top: Fraction) -> tuple[Fraction, Fraction]:
    """Return two numbers, not enough and enough, near each other; ``top`` is enough."""
    if enough(Fraction(0)):
        return Fraction(0), Fraction(0)
    low, high = Fraction(0), top
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return low, high


# ------------------------------------------------------------------ products


@dataclass(frozen=True)
class _Group:
    """Equal parts together: probabilities by the number of times that the loss falls by 2 ε."""

    part: SeenPart
    count: int
    start: int
    masses: list[int]

    @property
    def top(self) -> int:
        """The largest finite loss, in units of ε."""
        return self.part.steps * self.count


def compose(parts: Mapping[SeenPart, int]) -> CompositionCurve:
    """Return the curve of a composition.

    Args:
        parts: what is composed, each part with how many times it occurs.

    Raises:
        ValueError: an ε is larger than :data:`LARGEST_EPS`.

    >>> curve = compose({SeenPart(Fraction(1, 10), Fraction(0)): 100})
    >>> round(float(curve.epsilon(Fraction(1, 10**6)).high), 6)
    4.774568
    """
    if any(part.eps > LARGEST_EPS for part in parts):
        raise ValueError(f"an epsilon is larger than {LARGEST_EPS}")
    return CompositionCurve(dict(parts))


def _group(part: SeenPart, count: int) -> _Group:
    start, masses = _power([max(0, m.low) for m in _pair(part).masses], count)
    return _Group(part, count, start, masses)


@cache
def _pair(part: SeenPart) -> LikelihoodPair[Ball]:
    build = directed_pair if part.directed else worst_pair
    return build(exp(part.eps), Ball.of(part.delta), part.steps)


def infinite_loss(parts: Mapping[SeenPart, int]) -> NumberRange:
    """Return 1 - Π (1 - δ_i), the probability that some part has an infinite loss."""
    exact = all(p.steps == 1 or p.delta == 0 for p in parts)
    if exact and sum(n for p, n in parts.items() if p.delta) <= _EXACT_PRODUCT:
        rest = Fraction(1)
        for part, count in parts.items():
            if part.steps:
                rest *= (1 - part.delta) ** count
        return NumberRange.exactly(1 - rest)
    kept = Ball.of(1)
    for part, count in parts.items():
        if part.delta and part.steps:
            base, left = 1 - _pair(part).infinite, count
            while left:
                kept = kept * base if left % 2 else kept
                base, left = base * base, left // 2
    lost = 1 - kept
    return NumberRange(max(Fraction(0), lost.lower), min(Fraction(1), lost.upper))


def _common(numbers: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all are whole multiples (1 if all are 0)."""
    bottom = lcm(*(x.denominator for x in numbers))
    return Fraction(gcd(*(x.numerator * bottom // x.denominator for x in numbers)) or 1, bottom)


def _cost(groups: Sequence[_Group], unit: Fraction) -> int:
    """Return about how many products the composition needs; too many if it gets too large."""
    size, span, cost = 1, 0, 0
    for group in groups:
        cost += size * len(group.masses)
        span += int(group.top * group.part.eps / unit)
        size = min(size * len(group.masses), span + 1)
        if size > _MOST_LOSSES:
            return _BUDGET + 1
    return cost


def _grid(groups: Sequence[_Group]) -> Fraction:
    """Return the distance of grid points with which the composition stays within the budget."""
    points = max(1000, _BUDGET // sum(len(g.masses) for g in groups))
    top = sum((g.top * g.part.eps for g in groups), Fraction(0))
    # Losses far from their mean have no probability that could be written down.
    squares = sum((g.count * (g.part.steps * g.part.eps) ** 2 for g in groups), Fraction(0))
    mean = sum(
        (g.top * g.part.eps * min(Fraction(1), g.part.steps * g.part.eps) for g in groups),
        Fraction(0),
    )
    deviation = Fraction(isqrt(int(squares * 10**6)) + 1, 10**3)
    return 2 * min(top, mean + 14 * deviation) / points or Fraction(1)


def _exact(groups: Sequence[_Group], unit: Fraction, infinite: NumberRange) -> Losses:
    """Compose parts whose losses are multiples of the unit."""
    masses = {0: _ONE}
    for group in groups:
        size = int(group.part.eps / unit)
        placed = [
            ((group.top - 2 * j) * size, mass) for j, mass in enumerate(group.masses, group.start)
        ]
        masses = _convolved(masses, placed)
    top = sum((g.top * g.part.eps for g in groups), Fraction(0))
    return Losses(unit, masses, infinite, top)


def _split(groups: Sequence[_Group], grid: Fraction, infinite: NumberRange) -> Losses:
    """Compose parts after splitting each of their outcomes between two points of a grid."""
    whole = 1 - exp(-grid)
    top = 0
    factors = []
    for group in groups:
        placed: Masses = {}
        for j, mass in enumerate(group.masses, group.start):
            loss = (group.top - 2 * j) * group.part.eps
            below = loss // grid
            rest = loss - below * grid
            share = (1 - exp(-rest)) / whole if rest else Ball.of(0)
            placed[below] = placed.get(below, 0) + (mass * (_ONE - share.high) >> BITS)
            if rest:
                placed[below + 1] = placed.get(below + 1, 0) + (mass * share.low >> BITS)
        factors.append(placed)
        top += -(-group.top * group.part.eps // grid)
    masses = _product(factors)
    return Losses(grid, masses, infinite, top * grid)


def _merge(groups: Sequence[_Group], grid: Fraction, infinite: NumberRange) -> Merged:
    """Compose parts, merging outcomes of nearly the same loss after each.

    Which ones are merged does not matter for correctness, so floats may choose them.
    """
    scale = 1 / float(grid)
    bins = {0: (_ONE, _ONE)}
    for group in groups:
        rows = []
        for j, mass in enumerate(group.masses, group.start):
            other = (mass * exp((2 * j - group.top) * group.part.eps).high >> BITS) + 1
            if mass:
                rows.append((mass, other, scale * (log(mass) - log(other))))
        new: dict[int, tuple[int, int]] = {}
        for p, q in bins.values():
            loss = scale * (log(p) - log(q))
            for mass, other, more in rows:
                both = p * mass >> BITS
                if both >= _NEGLIGIBLE:
                    at = floor(loss + more)
                    old = new.get(at, (0, 0))
                    new[at] = old[0] + both, old[1] + (q * other >> BITS) + 1
        bins = new
    return Merged(list(bins.values()), infinite)


def _product(factors: Sequence[Masses]) -> Masses:
    """Return the probabilities of sums of losses, rounded down; to 0 those that are negligible.

    They are multiplied two at a time, as polynomials: so nearly all of these are short.
    """
    from flint import fmpz_poly

    waiting = deque(factors)
    while len(waiting) > 1:
        two = waiting.popleft(), waiting.popleft()
        if not all(two):
            return {}
        left, right = (
            fmpz_poly([one.get(n, 0) for n in range(min(one), max(one) + 1)]) for one in two
        )
        sums = enumerate((left * right).coeffs(), sum(map(min, two)))
        rounded = ((n, int(mass) >> BITS) for n, mass in sums)
        waiting.append({n: mass for n, mass in rounded if mass >= _NEGLIGIBLE})
    return waiting[0]


def _convolved(masses: Masses, placed: Sequence[tuple[int, int]]) -> Masses:
    """Return the probabilities of sums of losses, rounded down."""
    sums: Masses = {}
    get = sums.get
    for shift, factor in placed:
        for n, mass in masses.items():
            sums[n + shift] = get(n + shift, 0) + mass * factor
    return {n: kept for n, mass in sums.items() if (kept := mass >> BITS)}


def _power(masses: list[int], count: int) -> tuple[int, list[int]]:
    """Return the n-fold convolution and where it starts, without zeros at the ends."""
    if len(masses) == 2 and count > _MANY and masses[0]:
        return _binomial(masses[0], masses[1], count)
    result: tuple[int, list[int]] = (0, [_ONE])
    base = _trimmed(0, masses)
    while count:
        if count % 2:
            result = _times(result, base)
        count //= 2
        if count:
            base = _times(base, base)
    return result


def _binomial(first: int, second: int, count: int) -> tuple[int, list[int]]:
    """Return lower bounds of C(n, j) first^(n-j) second^j for the j that matter, and the first j.

    Relative to the largest term, each follows from the one before it by a rational ratio.  All
    terms together are (first + second)^n, so the largest one is that divided by the sum of all
    relative to it; those beyond the last are less than a geometric series.
    """
    mode = min(count, second * (count + 1) // (first + second))
    sides: list[list[int]] = []
    most = 0
    for upwards in (False, True):
        low = high = _ONE
        rest, side, j = 0, [], mode
        while j < count if upwards else j > 0:
            top, bottom = ((count - j) * second, (j + 1) * first)
            if not upwards:
                top, bottom = (j * first, (count - j + 1) * second)
            if high < _NEGLIGIBLE:
                rest = -(-high * top // (bottom - top))
                break
            low, high = low * top // bottom, -(-high * top // bottom)
            j += 1 if upwards else -1
            side.append(low)
            most += high
        most += rest
        sides.append(side)
    below, above = sides
    power, base, left = _ONE, first + second, count
    while left:
        power = power * base >> BITS if left % 2 else power
        base, left = base * base >> BITS, left // 2
    terms = [*reversed(below), _ONE, *above]
    return mode - len(below), [term * power // (most + _ONE) for term in terms]


def _times(a: tuple[int, list[int]], b: tuple[int, list[int]]) -> tuple[int, list[int]]:
    """Multiply two polynomials as two large integers, each coefficient in bytes of its own."""
    (start, left), (other, right) = a, b
    if not left or not right:
        return 0, []
    width = (2 * BITS + min(len(left), len(right)).bit_length()) // 8 + 1
    whole = _packed(left, width) * _packed(right, width)
    size = len(left) + len(right) - 1
    data = whole.to_bytes(size * width, "little")
    coefficients = [
        int.from_bytes(data[n * width : (n + 1) * width], "little") >> BITS for n in range(size)
    ]
    return _trimmed(start + other, coefficients)


def _packed(coefficients: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join(c.to_bytes(width, "little") for c in coefficients), "little")


def _trimmed(start: int, coefficients: list[int]) -> tuple[int, list[int]]:
    first = next((n for n, c in enumerate(coefficients) if c), len(coefficients))
    last = next((n for n in range(len(coefficients), first, -1) if coefficients[n - 1]), first)
    return start + first, coefficients[first:last]
