"""Numbers in [0, inf] as polynomials: the normal form by which expressions are compared.

Everything is non-negative, so that polynomials can be compared coefficient by coefficient.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from dpcomp_sym.statements.terms import (
    Apply,
    BlockEntry,
    Choice,
    Coverage,
    EntryOf,
    Expr,
    Inf,
    Max,
    MaxOver,
    Num,
    Param,
    Product,
    Size,
    Sqrt,
    Sum,
    SumOver,
    Where,
    Worst,
    keep,
)

ZERO, ONE = Num(Fraction(0)), Num(Fraction(1))


Monomial = tuple[tuple[Expr, int], ...]
Polynomial = dict[Monomial, Fraction]


def _made_of(e: Expr, *atoms: type[Expr]) -> bool:
    if isinstance(e, Sum | Product | Max):
        return all(_made_of(x, *atoms) for x in e.items)
    return isinstance(e, atoms)


def is_finite(e: Expr) -> bool:
    """Return whether an expression is made of numbers and sizes only, so that it is finite."""
    return _made_of(e, Num, Size)


def stays_finite(e: Expr) -> bool:
    """Return whether an expression is made of numbers, sizes and parameters, which are finite."""
    return _made_of(e, Num, Size, Param, BlockEntry, EntryOf)


def _multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials, with sqrt(x)^2 = x and exp(x) exp(y) = exp(x + y)."""
    found: Polynomial = {}
    for m, a in p.items():
        for n, b in q.items():
            powers = dict(m)
            for atom, power in n:
                powers[atom] = powers.get(atom, 0) + power
            squares = [x for x, e in powers.items() if isinstance(x, Sqrt) and e > 1]
            rest: Polynomial = {_monomial(powers): a * b}
            if squares:
                powers[squares[0]] -= 2
                rest = _multiply({_monomial(powers): a * b}, polynomial(squares[0].of))
            for monomial, c in rest.items():
                found[monomial] = found.get(monomial, Fraction(0)) + c
    return found


def _monomial(powers: dict[Expr, int]) -> Monomial:
    grown = {x: e for x, e in powers.items() if isinstance(x, Apply) and x.name == "exp"}
    if sum(grown.values()) > 1:
        inside = Sum(tuple(Product((Num(Fraction(e)), *x.items)) for x, e in grown.items()))
        others = {x: e for x, e in powers.items() if x not in grown}
        powers = {**others, Apply("exp", (normal(inside),)): 1}
    return tuple(sorted(((x, e) for x, e in powers.items() if e), key=repr))


def polynomial(e: Expr) -> Polynomial:
    """Return an expression as a polynomial in everything that is neither a sum nor a product.

    >>> from dpcomp_sym.statements import Param
    >>> polynomial(Product((Param("x"), Sum((Param("x"), ONE))))) == polynomial(
    ...     Sum((Param("x"), Product((Param("x"), Param("x"))))))
    True
    """
    return dict(keep(e, "polynomial", lambda: _polynomial(e)))


def _polynomial(e: Expr) -> Polynomial:
    if isinstance(e, Num):
        return {(): e.value} if e.value else {}
    if isinstance(e, Sum):
        found: Polynomial = {}
        for item in e.items:
            for monomial, c in polynomial(item).items():
                found[monomial] = found.get(monomial, Fraction(0)) + c
        return found
    if isinstance(e, Product):
        found = {(): Fraction(1)}
        for item in e.items:
            found = _multiply(found, polynomial(item))
        return found
    atom = _atom(e)
    return {((atom, 1),): Fraction(1)} if atom == e else polynomial(atom)


def normal(e: Expr) -> Expr:
    """Return an equal expression in normal form.

    >>> from dpcomp_sym.statements import Param
    >>> x = Param("x")
    >>> normal(Sqrt(Product((x, Num(Fraction(4)), x)))).text()
    '2*x'
    """
    terms = [
        (Num(c), *(x for x, power in m for _ in range(power)))
        for m, c in sorted(polynomial(e).items(), key=repr)
    ]
    items = tuple(_product(tuple(x for x in t if x != ONE)) for t in terms)
    return items[0] if len(items) == 1 else Sum(items) if items else ZERO


def _product(items: tuple[Expr, ...]) -> Expr:
    return items[0] if len(items) == 1 else Product(items) if items else ONE


def _atom(e: Expr) -> Expr:
    """Return an equal expression whose inside is in normal form."""
    match e:
        case Max(items):
            flat: dict[Expr, None] = {}
            for item in map(normal, items):
                flat |= dict.fromkeys(item.items if isinstance(item, Max) else (item,))
            kept = sorted((x for x in flat if x != ZERO), key=repr)
            return Max(tuple(kept)) if len(kept) > 1 else kept[0] if kept else ZERO
        case Sqrt(of):
            return _root(normal(of))
        case Apply(name, items):
            args = tuple(map(normal, items))
            if name == "growth" and (args[0] == ZERO or args[1] in {ZERO, ONE}):
                return args[1]
            return ONE if name == "exp" and args == (ZERO,) else Apply(name, args)
        case Worst(sizes, groups):
            merged: dict[Expr, list[Expr]] = {}
            for group in groups:
                merged.setdefault(normal(group.value), []).append(group.count)
            counts = [
                (v, Inf() if Inf() in cs else normal(Sum(tuple(cs)))) for v, cs in merged.items()
            ]
            left = sorted((Choice(c, v) for v, c in counts if ZERO not in {c, v}), key=repr)
            return Worst(sizes, tuple(left)) if left else ZERO
        case SumOver(sizes, when, count, value):
            inside = normal(value)
            return ZERO if ZERO in {count, inside} else SumOver(sizes, when, normal(count), inside)
        case MaxOver(free, facts, body):
            inside = normal(body)
            return ZERO if inside == ZERO else MaxOver(free, facts, inside)
        case Coverage(times, most):
            one, many = _atom(most), normal(times)
            return Coverage(many, one) if isinstance(one, MaxOver) and many != ZERO else ZERO
        case _:
            return e


def _root(e: Expr) -> Expr:
    """Return the square root, drawn where it is a monomial."""
    p = polynomial(e)
    if not p:
        return ZERO
    if len(p) == 1:
        (m, c), *_ = p.items()
        up, down = isqrt(c.numerator), isqrt(c.denominator)
        if up**2 == c.numerator and down**2 == c.denominator:
            whole = tuple(x for x, power in m for _ in range(power // 2))
            odd = tuple(x for x, power in m if power % 2)
            kept = (Num(Fraction(up, down)), *whole, *((Sqrt(_product(odd)),) if odd else ()))
            return _product(tuple(x for x in kept if x != ONE))
    return Sqrt(e)


def same(a: Expr, b: Expr) -> bool:
    """Return whether two expressions are the same polynomial."""
    return polynomial(a) == polynomial(b)


def dominated(a: Polynomial, b: Polynomial) -> bool:
    """Return whether no coefficient of the first is larger than that of the second."""
    return all(c <= b.get(m, 0) for m, c in a.items())


def at_most(a: Expr, b: Expr, where: Where) -> bool:
    """Return whether a <= b for all sizes of a box, where both are finite or b is infinity.

    Sizes are written as their least value plus something non-negative; then coefficients decide.
    That is done of numbers, sums, products and maxima only: one under a root would be left as it is
    on one side, and come out of the root unchanged.
    """
    if b == Inf():
        return True
    if not is_finite(a) or not is_finite(b):
        return False
    lows = {r.symbol: r.low for r in where}

    def shifted(e: Expr) -> Expr:
        if isinstance(e, Size):
            return Sum((e, Num(Fraction(lows.get(e.name, 1)))))
        if isinstance(e, Sum | Product | Max):
            return type(e)(tuple(map(shifted, e.items)))
        return e

    return dominated(polynomial(shifted(a)), polynomial(shifted(b)))
