"""Whether some numbers show that one expression is not always at most another one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Final

from dpcomp_sym.numbers.columns import ParameterTable, Sizes, block_size
from dpcomp_sym.numbers.evaluator import Evaluator
from dpcomp_sym.numbers.exact import Real, is_infinite
from dpcomp_sym.statements import terms as t

__all__ = ["sometimes_larger"]

TRIES: Final = 10
MOST_BLOCKS: Final = 60
SOME: Final = tuple(Fraction(n, 2) for n in (0, 1, 2, 3, 8))


def sometimes_larger(left: t.Expr, right: t.Expr, where: t.Where) -> bool:
    """Return whether an expression is larger than another one for some numbers that were tried.

    Nothing is proved where it is not.

    Args:
        left: what would be the smaller one.
        right: the other one.
        where: the sizes that both are about.

    >>> eps = t.BlockEntry("eps", ("k",))
    >>> one, two = (t.Worst(("k",), (t.Choice(t.Num(Fraction(n)), eps),)) for n in (1, 2))
    >>> sometimes_larger(two, one, ()), sometimes_larger(one, two, ())
    (True, False)
    """
    both = [*t.subterms(left), *t.subterms(right)]
    if any(isinstance(one, t.Apply) for one in both):  # their values are no fractions
        return False
    entries = {(one.name, one.sizes) for one in both if isinstance(one, t.BlockEntry)}
    singles = {one.name for one in both if isinstance(one, t.Param)}
    names = {one.name for one in both if isinstance(one, t.Size | t.Symbol)}
    names |= {s for one in both for s in getattr(one, "sizes", ()) if isinstance(s, str)}
    rng = random.Random(0)
    for sizes in _sizes(sorted(names), where, rng):
        lengths = {family: prod(block_size(s, sizes) for s in family) for _, family in entries}
        if any(n > MOST_BLOCKS for n in lengths.values()):
            continue
        numbers = {
            (name, family): [rng.choice(SOME) for _ in range(lengths[family])]
            for name, family in sorted(entries, key=str)
        }
        table = ParameterTable.plain({
            **numbers, **{(name, ()): rng.choice(SOME) for name in sorted(singles)}
        })  # fmt: skip
        known = Evaluator(table, sizes)
        try:
            if _is_larger(known.of(left), known.of(right)):
                return True
        except (ValueError, ArithmeticError, TypeError):
            return False
    return False


def _is_larger(a: Real, b: Real) -> bool:
    """Return whether exact numbers, or infinity, are in this order; floats tell nothing."""
    exact = all(is_infinite(x) or not isinstance(x, float) for x in (a, b))
    return exact and a > b


def _sizes(names: list[str], where: t.Where, rng: random.Random) -> Iterator[Sizes]:
    ranges = {r.symbol: (r.low, r.high) for r in where}
    for _ in range(TRIES):
        found = {}
        for name in names:
            low, high = ranges.get(name, (1, None))
            most = low + 3 if high is None else min(high, low + 3)
            found[name] = rng.randint(low, most)
        yield found
