"""Numbers below 1 of symbols that may have them: bounds of their own.

Theorems are about symbols from 1 on, since what stands in them are numbers in [0, inf], and much is
equal or larger only from 1 on.  For smaller numbers of a symbol a problem has nothing but these
numbers, and has a bound and a proof of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.freed import specialised
from dpcomp_sym.profile import Interval, Profile

__all__ = ["MOST_BELOW", "apart", "narrowed"]

MOST_BELOW: Final = 3
"""How many values below 1 of a symbol are treated one by one, at most."""


def apart(structure: Structure, profile: Profile) -> Iterator[Interval]:
    """Yield the numbers of symbols for which a bound may be better than the one for all.

    These are numbers below 1 for which the bound is not attained; and those from 1 on, which bounds
    can name, where it is not attained for all.

    >>> from dpcomp_sym.engine import Structure
    >>> from dpcomp_sym.engine.profiler import profile_with_facts
    >>> from dpcomp_sym.model import Domain, Edit, Granularity, Part, Problem, library_map
    >>> near = Granularity("near", (Edit({"x": "cell", "y": "cell"},
    ...     guard="D[x] >= 1 and x != y and abs(day(x) - day(y)) <= w", change={"x": -1, "y": 1}),))
    >>> problem = Problem(Domain({"id": "Record", "day": "int"}, symbols={"w": "w >= 0"}), near,
    ...     [library_map("partition", name="days", by="day(c)")],
    ...     [Part("counts", "days", setting="common")])
    >>> structure = Structure(problem)
    >>> [str(numbers) for numbers in apart(structure, profile_with_facts(structure)[0])]
    ['w = 0']
    """
    if not profile.proved or profile.vacuous:
        return
    for symbol in structure.problem.domain.symbols:
        allowed = structure.numbers(symbol)
        if allowed.low is not None and (allowed.low >= 1 or allowed.low == allowed.high):
            continue
        top = 0 if allowed.high is None else min(0, allowed.high)
        least = top if allowed.low is None else max(allowed.low, top - MOST_BELOW + 1)
        for number in range(least, top + 1):
            known = specialised(profile, {symbol: number}).exact
            if not known and structure.allows(symbol, number):
                yield Interval(symbol, number, number)
        if not profile.exact and (allowed.high is None or allowed.high >= 1):
            yield Interval(symbol, 1, None)


def narrowed(structure: Structure, numbers: Interval) -> Structure:
    """Return the questions about the problem where a symbol has these numbers only."""
    if numbers.low is not None and numbers.low == numbers.high:
        return Structure(structure.problem.at({numbers.symbol: numbers.low}))
    least = {} if numbers.low is None else {numbers.symbol: numbers.low}
    return Structure(structure.problem.within(least, {numbers.symbol: numbers.high}))
