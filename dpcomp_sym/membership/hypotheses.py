"""An adversary with prior knowledge: two hypotheses about the databases that a person is in.

Both hypotheses are uniform over the membership vectors that a formula allows.  What the worst
mechanisms with the stated guarantees tell about which is true is computed exactly, for e^ε between
two rationals: more revealing mechanisms, with a larger e^ε, tell more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import comb, inf, nextafter
from typing import Any, Final

from dpcomp_sym.balls import exp, log
from dpcomp_sym.errors import InputError
from dpcomp_sym.hypothesis import (
    MechanismTable,
    delta_at,
    exchangeable_views,
    largest_ratio,
    response,
    uniform,
    views,
)
from dpcomp_sym.membership import Membership
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import epsilon_delta

__all__ = ["distinguished"]

MOST_VIEWS: Final = 2**16
MOST_ALIKE: Final = (100, 24)
"""How many databases that are alike: with ε alone, and with δ."""
_BITS: Final = 80

ResponseColumns = Callable[[Sequence[MechanismTable]], list[Any]]


def distinguished(
    membership: Membership,
    hypotheses: Sequence[str],
    problem: Problem,
    values: Mapping[str, Any],
    sizes: Mapping[str, int],
) -> dict[str, Any] | None:
    """Return how well two hypotheses can be distinguished, as plain data; None without numbers.

    ``epsilon`` is the least ε with δ = 0, between two floats, or "inf"; ``deltas`` the least δ at
    some ε, none against the other and the other way round, rounded up.

    Args:
        membership: the groups of databases, and what is allowed at all.
        hypotheses: two formulas; all allowed vectors that satisfy one are equally likely.
        problem: the parts, one for each group.
        values: numbers for their parameters.
        sizes: numbers for all symbols.

    Raises:
        InputError: a hypothesis allows nothing, or there are too many databases.

    >>> three = Membership({"databases": 3})
    >>> from dpcomp_sym.model import Part
    >>> problem = three.with_parts([Part("a", "databases", guarantees={"pure": (Fraction(1),)})])
    >>> told = distinguished(three, ["total == 0", "total >= 1"], problem, {}, {})
    >>> round(told["epsilon"][1], 6)  # ln(((1 + e)^3 - 1)/7)
    1.974231
    """
    guarantees = _guarantees(membership, problem, values, sizes)
    if guarantees is None:
        return None
    pure = all(delta == 0 for _, delta in guarantees)
    seen = _seen(membership, hypotheses, guarantees, sizes)
    low, high = (
        seen([response(q, d) for q, (_, d) in zip(qs, guarantees, strict=True)])
        for qs in zip(*(_between(eps) for eps, _ in guarantees), strict=True)
    )
    found: dict[str, Any] = {"hypotheses": list(hypotheses), "deltas": []}
    ends = [largest_ratio(row[-2:] for row in one) for one in (low, high)]
    found["epsilon"] = "inf"
    if inf not in ends:
        least, most = (log(Fraction(end)) for end in ends)
        found["epsilon"] = [_down(least.lower), _up(most.upper)]
    total = sum((eps for eps, _ in guarantees), Fraction(0))
    for part in () if pure else range(4):
        at = total * part / 4
        back, forth = delta_at(high, _between(at)[0])
        found["deltas"].append({"epsilon": float(at), "delta": [_up(back), _up(forth)]})
    return found


def _down(x: Fraction) -> float:
    near = float(x)
    return near if Fraction(near) <= x else nextafter(near, -inf)


def _up(x: Fraction) -> float:
    return -_down(-x)


def _between(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return rationals of some digits below and above e^x."""
    if x == 0:
        return Fraction(1), Fraction(1)
    near = exp(x)
    unit = 2**_BITS
    return Fraction(int(near.lower * unit), unit), Fraction(int(near.upper * unit) + 1, unit)


def _guarantees(
    membership: Membership, problem: Problem, values: Mapping[str, Any], sizes: Mapping[str, int]
) -> list[tuple[Fraction, Fraction]] | None:
    """Return (ε, δ) of each database, group by group, or None where a number is missing."""
    found: list[tuple[Fraction, Fraction]] = []
    for group, size in membership.groups.items():
        readers = [p for p in problem.bound_parts if p.map.name == group]
        if len(readers) != 1:
            raise InputError(f"hypotheses need one mechanism for each of '{group}', not "
                             f"{len(readers)}", where="membership, hypotheses")  # fmt: skip
        declared = dict(readers[0].guarantees)
        number = sizes[size] if isinstance(size, str) else size
        for names in map(declared.get, epsilon_delta()):
            columns = [] if names is None else [_column(values, n, number) for n in names]
            if columns and None not in columns:
                break
        else:
            return None
        rows = list(zip(*(c for c in columns if c is not None), strict=True))
        found += [(row[0], row[1] if len(row) > 1 else Fraction(0)) for row in rows]
    return found


def _column(
    values: Mapping[str, Any], parameter: str | Fraction, count: int
) -> list[Fraction] | None:
    given = values.get(parameter) if isinstance(parameter, str) else parameter
    items: Iterable[Any] = given if isinstance(given, Sequence) else [given] * count
    found = [Fraction(x) for x in items if isinstance(x, int | Fraction)]
    return found if len(found) == count else None


def _seen(
    membership: Membership,
    hypotheses: Sequence[str],
    guarantees: Sequence[tuple[Fraction, Fraction]],
    sizes: Mapping[str, int],
) -> ResponseColumns:
    """Return the function from mechanisms to what the adversary sees, by symmetry if possible."""
    k = len(guarantees)
    laws = [
        replace(membership, require=(*membership.require, text), neighbours="bounded")
        for text in hypotheses
    ]
    alike = len(set(guarantees)) == 1 and len(membership.groups) == 1
    most = MOST_ALIKE[any(delta for _, delta in guarantees)]
    if alike and all(law.counting for law in laws) and k <= most:
        (group,) = membership.groups
        weights = []
        for law, text in zip(laws, hypotheses, strict=True):
            counts = {j: comb(k, j) for j in range(k + 1) if law.allows_counts({group: j}, sizes)}
            _some(counts, text)
            total = sum(counts.values())
            weights.append({j: Fraction(n, total) for j, n in counts.items()})
        first, second = weights
        return lambda mechanisms: list(exchangeable_views(first, second, k, mechanisms[0]))
    outcomes = 2 ** sum(2 if delta else 1 for _, delta in guarantees)
    if max(outcomes, 2**k) > MOST_VIEWS:
        raise InputError(f"{k} databases are too many to compare hypotheses: up to 16 (8 with "
                         f"delta), or up to {most} that are alike",
                         where="membership, hypotheses")  # fmt: skip
    priors = []
    for law, text in zip(laws, hypotheses, strict=True):
        allowed = [b for b in uniform(k) if law.allows(_split(membership, b, sizes), sizes)]
        _some(allowed, text)
        priors.append(dict.fromkeys(allowed, Fraction(1, len(allowed))))
    return lambda mechanisms: list(views(priors[0], priors[1], mechanisms))


def _some(allowed: Iterable[Any], text: str) -> None:
    if not any(True for _ in allowed):
        raise InputError(f"no allowed membership vector satisfies '{text}'",
                         where="membership, hypotheses", word=text)  # fmt: skip


def _split(
    membership: Membership, vector: Sequence[int], sizes: Mapping[str, int]
) -> dict[str, list[int]]:
    bits = iter(vector)
    return {
        group: list(islice(bits, sizes[size] if isinstance(size, str) else size))
        for group, size in membership.groups.items()
    }
