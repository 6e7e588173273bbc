"""What a SymPy expression of a bound means, in floats, from its documented words alone."""

from __future__ import annotations

import math
from itertools import product

import sympy as sp

from dpcomp_sym.statements.symbolic import zcdp_epsilon
from tests.statements.meaning import times
from tests.statements.meaning import zcdp_epsilon as at_best_order

FUNCTIONS = {
    sp.Abs: abs, sp.exp: math.exp, sp.erf: math.erf, sp.tanh: math.tanh, sp.log: math.log,
    sp.sinh: math.sinh, sp.floor: math.floor, sp.ceiling: math.ceil,
    sp.erfinv: lambda x: float(sp.erfinv(x)), zcdp_epsilon(): at_best_order,
}  # fmt: skip


def value(e, values, sizes, index=None):
    """Return the value: ``values`` by name, ``sizes`` by name, ``index`` of the bound letters."""
    index = index or {}

    def of(x):
        return value(x, values, sizes, index)

    if e.is_Number or e in {sp.oo, sp.pi}:
        return float(e)
    if e.is_Symbol:
        return float(index[e] if e in index else sizes.get(e.name, values.get(e.name)))
    if isinstance(e, sp.Indexed):
        return float(values[str(e.base)][tuple(int(of(i)) for i in e.indices)])
    if e.is_Add:
        return sum(map(of, e.args))
    if e.is_Mul:
        found = 1.0
        for item in e.args:
            found = times(found, of(item))
        return found
    if e.is_Pow:
        base, exponent = map(of, e.args)
        return math.inf if base == 0 and exponent < 0 else base**exponent
    if isinstance(e, sp.Max):
        return max(map(of, e.args))
    if isinstance(e, sp.Piecewise):
        return next(
            of(x)
            for x, holds in e.args
            if holds.subs({s: sizes[s.name] for s in holds.free_symbols}) == sp.true
        )
    if isinstance(e, sp.Sum):
        return sum(value(e.function, values, sizes, one) for one in choices(e.limits, sizes, index))
    name = getattr(e.func, "__name__", "")
    if name == "SumOfLargest":
        count, body, *limits = e.args
        each = [value(body, values, sizes, one) for one in choices(limits, sizes, index)]
        return sum(sorted(each, reverse=True)[: int(min(of(count), len(each)))])
    if name == "MaxOver":
        body, *limits = e.args
        return max(
            value(body, values, sizes, one)
            for one in choices(limits, sizes, index)
            if different(body, limits, one)
        )
    return FUNCTIONS[e.func](*map(of, e.args))


def choices(limits, sizes, index):
    """Yield all values of some bound letters."""
    ends = [sizes[end.name] if end.is_Symbol else int(end) for _, _, end in limits]
    for chosen in product(*(range(1, end + 1) for end in ends)):
        yield {**index, **dict(zip((letter for letter, _, _ in limits), chosen, strict=True))}


def different(body, limits, chosen):
    """Return whether the blocks are different: a block has as many letters as its entries."""
    letters = [letter for letter, _, _ in limits]
    inside = [x for x in body.atoms(sp.Indexed) if set(x.indices) <= set(letters)]
    width = len(inside[0].indices) if inside else 1
    blocks = [
        tuple(chosen[letter] for letter in letters[n : n + width])
        for n in range(0, len(letters), width)
    ]
    return len(set(blocks)) == len(blocks)
