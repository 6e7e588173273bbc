"""Closed forms as SymPy expressions.  Imported only when somebody asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions.closed_forms import (
    ClosedForm,
    Leaf,
    _index_names,
    _Term,
    choices,
    terms_of,
    vectors_of,
)
from dpcomp_sym.notions.numbers import applicable, block_count, count_of, distance
from dpcomp_sym.profile import All, Case, Count, Distance, Infinity, Symbolic

__all__ = ["to_sympy_form"]

_MOST = 6


def to_sympy_form(form: ClosedForm, sizes: Mapping[str, int] | None) -> Any:
    """Return the formula as SymPy says it, or None if it cannot.

    Raises ``InputError`` if numeric sizes ask for more than a handful of blocks.
    """
    import sympy as sp

    used = dict(form.used)
    additive = form.notion.additive
    wanted = range(1 if additive is not None else 2)
    cases = form.profile.cases
    if sizes is not None:
        cases = (applicable(form.profile, sizes),)
    branches = []
    for case in cases:
        vectors = vectors_of(case, form.notion, used)
        if vectors is None:
            whole: Any = sp.oo if additive is not None else sp.Tuple(sp.oo, sp.oo)
        else:
            values = []
            for coordinate in wanted:
                options = []
                for vector in vectors:
                    terms = terms_of(form.profile, case, vector, form.notion, used, coordinate)
                    pieces = [
                        _symbolic(t) if sizes is None else _written_out(t, sizes) for t in terms
                    ]
                    if any(piece is None for piece in pieces):
                        return None
                    total = sp.Add(*pieces)
                    if additive is not None and additive.root:
                        total = _root(total)
                    options.append(total)
                values.append(sp.Max(*options) if options else sp.Integer(0))
            whole = values[0] if additive is not None else sp.Tuple(*values)
        branches.append((whole, _condition(case)))
    if len({branch[0] for branch in branches}) == 1:
        return branches[0][0]
    if additive is None:
        return sp.Tuple(
            *(sp.Piecewise(*((pair[c], when) for pair, when in branches)) for c in wanted)
        )
    return sp.Piecewise(*branches)


def _root(total: Any) -> Any:
    """Return the square root, taken inside a maximum."""
    import sympy as sp

    if getattr(total.func, "__name__", "") == "MaxOver":
        body, *limits = total.args
        return total.func(sp.sqrt(body), *limits)
    return sp.sqrt(total)


def _condition(case: Case) -> Any:
    import sympy as sp

    conditions = []
    for one in case.ranges:
        k = sp.Symbol(one.symbol, integer=True, positive=True)
        conditions.append(k >= one.low)
        if one.high is not None:
            conditions.append(k <= one.high)
    return sp.And(*conditions)


def _size(size: str | int) -> Any:
    import sympy as sp

    if isinstance(size, int):
        return sp.Integer(size)
    return sp.Symbol(size, integer=True, positive=True)


def _distance(r: Distance) -> Any:
    import sympy as sp

    if isinstance(r, Symbolic):
        return r.factor * sp.Symbol(r.symbol, integer=True, positive=True)
    if isinstance(r, Infinity):
        return sp.oo
    fraction = Fraction(r)
    return sp.Rational(fraction.numerator, fraction.denominator)


def _leaf(leaf: Leaf, index: tuple[Any, ...]) -> Any:
    """Return what one part adds at a block."""
    import sympy as sp

    r, one = leaf

    def value(name: str | Fraction) -> Any:
        if isinstance(name, Fraction):
            return sp.Rational(name.numerator, name.denominator)
        if index:
            return sp.IndexedBase(name, nonnegative=True)[index]
        return sp.Symbol(name, nonnegative=True)

    d = _distance(r)
    x = value(one.parameters[0])
    match one.shape:
        case "plain":
            return d**one.power * x
        case "square":
            return d**one.power * x**2
        case "half square":
            return d**one.power * x**2 / 2
        case "gdp":
            return 8 * sp.erfinv(sp.tanh(d * x / 2)) ** 2
        case "zero":
            return sp.Integer(0)
        case "zcdp point":
            rho = d**2 * x
            return rho + 2 * sp.sqrt(rho * sp.log(1 / value(one.parameters[1])))
        case "gaussian point":
            mu, eps = d * x, value(one.parameters[1])
            if mu == 0:
                return sp.Integer(0)
            return _phi(mu / 2 - eps / mu) - sp.exp(eps) * _phi(-mu / 2 - eps / mu)
        case "growth":
            y = value(one.parameters[1])
            if d == 1:
                return y
            if x == 0:
                return d * y
            return y * (sp.exp(d * x) - 1) / (sp.exp(x) - 1)


def _phi(x: Any) -> Any:
    """Return the distribution function of the standard normal law."""
    import sympy as sp

    return (1 + sp.erf(x / sp.sqrt(2))) / 2


def _indices(names: str) -> tuple[Any, ...]:
    import sympy as sp

    return tuple(sp.Symbol(name, integer=True, positive=True) for name in names.split(","))


def _symbolic(term: _Term) -> Any:
    """Return what one map adds, with the number of blocks left open."""
    import sympy as sp

    info = term.info
    if not info.indices or term.fixed == 1:
        index = tuple(sp.Integer(1) for _ in info.indices)
        return sp.Max(*(sp.Add(*(_leaf(leaf, index) for leaf in ls)) for _, ls in term.entries))

    def limits(index: tuple[Any, ...]) -> list[Any]:
        return [
            sp.Tuple(i, sp.Integer(1), _size(size))
            for i, (_, size) in zip(index, info.indices, strict=True)
        ]

    counts = [count for count, _ in term.entries]
    (name,) = _index_names(info, 1)
    index = _indices(name)
    if len(counts) == 1:
        count, leaves = term.entries[0]
        body = sp.Add(*(_leaf(leaf, index) for leaf in leaves))
        if isinstance(count, All) or (
            isinstance(count, int) and term.fixed is not None and count >= term.fixed
        ):
            return sp.Sum(body, *((i, lo, hi) for i, lo, hi in limits(index)))
        if count not in {1, 2}:
            return sp.Function("SumOfLargest")(_count(count), body, *limits(index))
        if count == 1 and not body.has(sp.Indexed):
            return body
    numbers = [count for count in counts if isinstance(count, int)]
    if len(numbers) != len(counts) or sum(numbers) > 4:
        return None
    total = sum(numbers)
    names = [_indices(one) for one in _index_names(info, total)]
    wanted = [leaves for count, leaves in term.entries for _ in range(int(str(count)))]
    body = sp.Add(
        *(_leaf(leaf, i) for leaves, i in zip(wanted, names, strict=True) for leaf in leaves)
    )
    return sp.Function("MaxOver")(body, *(one for i in names for one in limits(i)))


def _count(count: Count) -> Any:
    import sympy as sp

    if isinstance(count, Symbolic):
        return count.factor * sp.Symbol(count.symbol, integer=True, positive=True)
    return sp.Integer(int(str(count)))


def _written_out(term: _Term, sizes: Mapping[str, int]) -> Any:
    """Return the maximum over all choices of blocks."""
    import sympy as sp

    n = block_count(term.info, sizes)
    if n > _MOST:
        raise InputError(f"{n} blocks are too many to write out; at most {_MOST}")
    shape = [size if isinstance(size, int) else sizes[size] for _, size in term.info.indices]
    capacities = [min(n, count_of(count, n, sizes)) for count, _ in term.entries]
    options = []
    goal = min(n, sum(capacities))
    for choice in choices(capacities, n):
        if sum(g is not None for g in choice) < goal:
            continue
        pieces = []
        for block, g in enumerate(choice):
            if g is None:
                continue
            index = _block_index(block, shape)
            for r, one in term.entries[g][1]:
                pieces.append(_leaf((distance(r, sizes), one), index))
        options.append(sp.Add(*pieces))
    return sp.Max(*options)


def _block_index(block: int, shape: list[int]) -> tuple[Any, ...]:
    import sympy as sp

    index: list[Any] = []
    for size in reversed(shape):
        block, position = divmod(block, size)
        index.insert(0, sp.Integer(position + 1))
    return tuple(index)
