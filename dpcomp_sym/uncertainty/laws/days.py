"""Daily counts of the same users: records are series of states, and days depend on each other.

Each user is a finite Markov chain over days, independent of the other users; some states count
(such as "used the feature"), others do not ("did not", "took no part").  Every day the number of
users in such a state is published, without noise.  The target's record is the whole series, the
attacker knows nothing of the other users' states (users that are known only shift the counts).

Source: D. Desfontaines, thesis, section 3.2.4, Example 9.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.worlds import AttackCase

__all__ = ["Chain", "daily_cases", "enumerable"]

MOST_CELLS: Final = 120_000
MOST_DAYS: Final = 8

DayVector = tuple[int, ...]


@dataclass(frozen=True)
class Chain:
    """The series of one user: exact probabilities of its states.

    Args:
        start: the probability of each state on the first day.
        change: for each state, the probability of each state on the next day.
        counted: for each state, whether it is counted.

    Raises:
        InputError: a row is not a distribution, or the sizes do not match.

    >>> keep = Chain.keeping((Fraction(3, 4), Fraction(1, 4)), Fraction(1, 2), (False, True))
    >>> keep.change[0], keep.correlation(3)
    ((Fraction(7, 8), Fraction(1, 8)), Fraction(5, 2))
    """

    start: tuple[Fraction, ...]
    change: tuple[tuple[Fraction, ...], ...]
    counted: tuple[bool, ...]

    def __post_init__(self) -> None:
        states = len(self.start)
        if len(self.change) != states or len(self.counted) != states:
            raise InputError(f"there are {states} states, but {len(self.change)} rows of changes "
                             f"and {len(self.counted)} marks of what counts")  # fmt: skip
        for row in (self.start, *self.change):
            if len(row) != states or any(p < 0 for p in row) or sum(row) != 1:
                said = ", ".join(map(str, row))
                raise InputError(f"({said}) is not a distribution over {states} states: the "
                                 "probabilities must sum to 1")  # fmt: skip

    @classmethod
    def keeping(cls, start: Sequence[Fraction], keep: Fraction, counted: Sequence[bool]) -> Chain:
        """Return the chain that keeps its state with a probability, and else draws it anew.

        Every day has the law ``start``; 0 makes days independent, 1 makes them equal.
        """
        change = [
            tuple((1 - keep) * p + (keep if s == t else 0) for t, p in enumerate(start))
            for s in range(len(start))
        ]
        return cls(tuple(start), tuple(change), tuple(counted))

    def correlation(self, days: int) -> Fraction | None:
        """Return e^γ: how far a day's state moves the probabilities of the next day's.

        The least factor between P[state on day t + 1 | state on day t] and P[state on day t + 1],
        either way, over all days and all states that occur; None if no factor is enough.
        """
        worst, today = Fraction(1), self.start
        for _ in range(days - 1):
            after = self._next(today)
            for s, row in enumerate(self.change):
                for p, q in zip(row, after, strict=True):
                    if today[s] == 0 or q == 0:
                        continue
                    if p == 0:
                        return None
                    worst = max(worst, p / q, q / p)
            today = after
        return worst

    def counted_on(self, days: int) -> list[Fraction]:
        """Return for each day the probability that a user is counted."""
        found, today = [], self.start
        for _ in range(days):
            found.append(self._share(today))
            today = self._next(today)
        return found

    def dependency(self, day: int) -> Fraction | None:
        """Return a factor that bounds e^dep of a day's count on all counts before it.

        For any number of other users: the counts of the days before give how many users were
        counted yesterday, c among those of the target's one series and at most one more or less
        among those of the other.  Let p be the probability to be counted on the day, and p₁, p₀
        the same for those who were counted yesterday and who were not.  One user who changes
        sides moves the law by at most U = max of p₁/p₀, (1−p₀)/(1−p₁) and their inverses; and
        knowing the sides moves the ratio of neighbouring probabilities of the count by at most
        O, the largest factor between the odds of p₁ or p₀ and those of p.  The dependency is at
        most ln O + ln U; with e^γ between p₁, p₀ and p, and between their complements, that is
        at most 4γ.  None is infinity.

        This needs that nothing but yesterday's count matters: the first two days, or a chain in
        which all states that are counted lead to being counted alike, and all others too.

        Args:
            day: from 1; the first day depends on nothing.

        Raises:
            InputError: neither of these is the case.

        Source: the theorem ``dependency_of_daily_counts`` of the library (Des.Ex9).

        >>> half = Fraction(1, 2)
        >>> Chain.keeping((half, half), Fraction(1, 3), (False, True)).dependency(2)
        Fraction(4, 1)
        """
        if day == 1:
            return Fraction(1)
        if day > 2 and not self.lumped:
            raise InputError("some states that are alike in what is counted lead to being counted "
                             "with different probabilities: there is no bound for more than two "
                             "days of so many users", word="change")  # fmt: skip
        today = self.start
        for _ in range(day - 2):
            today = self._next(today)
        p = self._share(self._next(today))
        sides = []
        for side in (True, False):
            inside = [
                q if c is side else Fraction(0) for q, c in zip(today, self.counted, strict=True)
            ]
            if sum(inside):
                sides.append(self._share(self._next(inside)) / sum(inside))
        odds = [_between(q * (1 - p), p * (1 - q)) for q in sides]
        one = [
            _between(*pair) for q, r in product(sides, sides) for pair in ((q, r), (1 - q, 1 - r))
        ]
        if None in odds or None in one:
            return None
        return max(f for f in odds if f) * max(f for f in one if f)

    @property
    def lumped(self) -> bool:
        """Whether being counted today is all of a state that matters for being counted later."""
        return all(
            len({self._share(row) for row, c in zip(self.change, self.counted, strict=True)
                 if c is side}) <= 1
            for side in (True, False)
        )  # fmt: skip

    def _share(self, today: Sequence[Fraction]) -> Fraction:
        return sum((p for p, c in zip(today, self.counted, strict=True) if c), Fraction(0))

    def _next(self, today: Sequence[Fraction]) -> tuple[Fraction, ...]:
        states = range(len(today))
        zero = Fraction(0)
        return tuple(sum((today[s] * self.change[s][t] for s in states), zero) for t in states)

    def counts(self, days: int) -> dict[DayVector, Fraction]:
        """Return the law of one user's contributions: day by day, 1 if counted, else 0."""
        paths: dict[tuple[DayVector, int], Fraction] = {
            ((int(self.counted[s]),), s): p for s, p in enumerate(self.start) if p
        }
        for _ in range(days - 1):
            longer: dict[tuple[DayVector, int], Fraction] = {}
            for (seen, s), p in paths.items():
                for t, step in enumerate(self.change[s]):
                    key = ((*seen, int(self.counted[t])), t)
                    if step:
                        longer[key] = longer.get(key, Fraction(0)) + p * step
            paths = longer
        law: dict[DayVector, Fraction] = {}
        for (seen, _), p in paths.items():
            law[seen] = law.get(seen, Fraction(0)) + p
        return law


def _between(one: Fraction, other: Fraction) -> Fraction | None:
    """Return the factor between two numbers, at least 1; None if only one of them is 0."""
    if one == other:
        return Fraction(1)
    return None if 0 in {one, other} else max(one / other, other / one)


def enumerable(chain: Chain, others: int, days: int) -> bool:
    """Return whether :func:`daily_cases` can list all cases."""
    if others > MOST_CELLS or days > MOST_DAYS:
        return False
    cells = int((others + 1) ** days)
    return cells <= MOST_CELLS and cells * len(_differences(chain.counts(days))) <= MOST_CELLS


def _differences(own: Iterable[DayVector]) -> set[DayVector]:
    series = list(own)
    found = {tuple(x - y for x, y in zip(a, b, strict=True)) for a in series for b in series}
    return {d for d in found if any(d)}


def daily_cases(chain: Chain, others: int, days: int) -> list[AttackCase]:
    """Return what an attacker can compare: two series of the target, among so many others.

    Only the difference of the two series matters, day by day, so there is one case for each.

    Raises:
        InputError: there would be too many vectors of counts to enumerate.

    >>> chain = Chain.keeping((Fraction(1, 2),) * 2, Fraction(0), (False, True))
    >>> [case.values for case in daily_cases(chain, 3, 1)]
    [((1,), (0,)), ((0,), (1,))]
    """
    if not enumerable(chain, others, days):
        raise InputError(f"{others} other users on {days} days have too many vectors of counts to "
                         "enumerate; take fewer users or days")  # fmt: skip
    own = chain.counts(days)
    law = _sums(own, others)
    found = []
    for shift in sorted(_differences(own), reverse=True):
        series = tuple(max(d, 0) for d in shift), tuple(max(-d, 0) for d in shift)
        first, second = (
            {tuple(map(int.__add__, c, own)): p for c, p in law.items()} for own in series
        )
        found.append(AttackCase("users", series, None, 1, first, second))
    return found


def _sums(own: Mapping[DayVector, Fraction], others: int) -> dict[DayVector, Fraction]:
    """Return the law of the sum of independent vectors, in integers until the end."""
    unit = math.lcm(*(p.denominator for p in own.values()))
    steps = [(v, int(p * unit)) for v, p in own.items()]
    days = len(steps[0][0])
    law: dict[DayVector, int] = {(0,) * days: 1}
    for _ in range(others):
        longer: dict[DayVector, int] = {}
        for c, w in law.items():
            for v, x in steps:
                key = tuple(map(int.__add__, c, v))
                longer[key] = longer.get(key, 0) + w * x
        law = longer
    whole = unit**others
    return {c: Fraction(w, whole) for c, w in law.items()}
