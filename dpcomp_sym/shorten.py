"""Bounds as people write them: the same number in fewer words, and a theorem that it is.

What is short is proposed here; that it is equal is proved by the kernel in both directions, and is
a step of the derivation.  What cannot be proved equal is left as it was derived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from dpcomp_sym import kernel as k
from dpcomp_sym.order import at_most

__all__ = ["shortened", "shorter"]

ONE = k.Num(Fraction(1))


def shortened(theorem: k.Theorem) -> k.Theorem:
    """Return a guarantee between neighbours in a shorter form, by an inequality of the kernel.

    >>> from dpcomp_sym.kernel import Param, Product, Sqrt
    >>> x = Param("x")
    >>> shorter(Sqrt(Product((x, k.Num(Fraction(4)), x)))).text()
    '2*x'
    """
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return theorem
    goals = [shorter(value) for value in statement.loss.guarantee]
    leqs = []
    for value, goal in zip(statement.loss.guarantee, goals, strict=True):
        there = at_most(value, goal, statement.where) if goal != value else None
        back = at_most(goal, value, statement.where) if there is not None else None
        leqs.append(there if back is not None else at_most(value, value, statement.where))
    known = tuple(leq for leq in leqs if leq is not None)
    if len(known) < len(leqs) or all(_sides(leq)[0] == _sides(leq)[1] for leq in known):
        return theorem
    return k.change_guarantee(theorem, known)


def _sides(leq: k.Theorem) -> tuple[k.Expr, k.Expr]:
    statement = leq.statement
    if not isinstance(statement, k.BoundLeq):
        raise TypeError("no inequality")
    return statement.left, statement.right


def shorter(e: k.Expr) -> k.Expr:
    """Return an expression that is meant to be equal, and reads better.

    Numbers and factors that all blocks share stand before the choice of blocks, equal factors of a
    sum before the sum, squares before their root; what reaches to the right comes last.
    """
    match e:
        case k.Sum():
            return _sum([shorter(i) for i in e.items])
        case k.Product():
            return _product(*_factors(e))
        case k.Max(items):
            return k.Max(tuple(dict.fromkeys(map(shorter, items))))
        case k.Worst():
            return _worst(e)
        case k.Sqrt(of):
            return _root(shorter(of))
        case k.Apply(name, items):
            return k.Apply(name, tuple(map(shorter, items)))
        case _:
            return e


Factors = tuple[Fraction, Counter[k.Expr]]


def _factors(e: k.Expr) -> Factors:
    """Return a product as its number and its other factors."""
    match e:
        case k.Num(value):
            return value, Counter()
        case k.Product(items):
            number, found = Fraction(1), Counter[k.Expr]()
            for item in items:
                n, more = _factors(item if isinstance(item, k.Product) else shorter(item))
                number, found = number * n, found + more
            return number, found
        case k.Sum((item,)):
            return _factors(item)
        case _:
            return Fraction(1), Counter([e])


def _product(number: Fraction, factors: Counter[k.Expr]) -> k.Expr:
    ordered = sorted(factors, key=_place)
    items = [x for x in ordered for _ in range(factors[x])]
    if number != 1 or not items:
        items.insert(0, k.Num(number))
    return items[0] if len(items) == 1 else k.Product(tuple(items))


def _place(e: k.Expr) -> int:
    """Sizes come first, then parameters, and last what has an inside."""
    return 0 if isinstance(e, k.Size) else 1 if isinstance(e, k.Param | k.Entry) else 2


def _sum(items: Sequence[k.Expr]) -> k.Expr:
    flat = [x for i in items for x in (i.items if isinstance(i, k.Sum) else (i,))]
    if len(flat) < 2:
        return flat[0] if flat else k.Num(Fraction(0))
    number, common, rests = _shared([_factors(x) for x in flat])
    kept = sorted((_product(*r) for r in rests), key=_reaches)
    inside = k.Sum(tuple(kept))
    if number == 1 and not common:
        return inside
    return _product(number, common + Counter([inside]))


def _reaches(e: k.Expr) -> bool:
    """Return whether a formula reaches to the right: it is the last of a sum."""
    if isinstance(e, k.Product):
        return any(map(_reaches, e.items))
    return isinstance(e, k.Worst)


def _shared(items: Sequence[Factors]) -> tuple[Fraction, Counter[k.Expr], list[Factors]]:
    """Return what all products share, which speaks of no block, and what is left of each."""
    numbers = {n for n, _ in items}
    number = numbers.pop() if len(numbers) == 1 and 0 not in numbers else Fraction(1)
    common = Counter(items[0][1])
    for _, factors in items[1:]:
        common &= factors
    common = Counter({x: n for x, n in common.items() if not k.open_sizes(x)})
    return number, common, [(n / number, factors - common) for n, factors in items]


def _worst(e: k.Worst) -> k.Expr:
    if not e.groups:
        return e
    values = [_factors(shorter(g.value)) for g in e.groups]
    number, common, rests = _shared(values)
    groups = tuple(
        k.Choice(shorter(g.count), _product(*r)) for g, r in zip(e.groups, rests, strict=True)
    )
    inside = k.Worst(e.sizes, groups)
    if number == 1 and not common:
        return inside
    return _product(number, common + Counter([inside]))


def _root(of: k.Expr) -> k.Expr:
    number, factors = _factors(of)
    drawn, left = Counter[k.Expr](), Counter[k.Expr]()
    for x, n in factors.items():
        drawn[x], left[x] = n // 2, n % 2
    up, down = isqrt(number.numerator), isqrt(number.denominator)
    square = up * up == number.numerator and down * down == number.denominator
    before = Fraction(up, down) if square else Fraction(1)
    inside = _product(Fraction(1) if square else number, +left)
    roots = Counter[k.Expr]() if inside == ONE else Counter([_rooted(inside)])
    return _product(before, +drawn + roots)


def _rooted(of: k.Expr) -> k.Expr:
    """Return a root, which goes into the largest value of one block."""
    match of:
        case k.Worst(sizes, (k.Choice(count, value),)) if count == ONE:
            return k.Worst(sizes, (k.Choice(ONE, _root(value)),))
        case _:
            return k.Sqrt(of)
