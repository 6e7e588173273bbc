"""Comparing numbers: polynomials over whatever is neither a sum nor a product.

Everything is a number in [0, inf], so polynomials can be compared coefficient by coefficient.
A polynomial maps monomials, frozen sets of (atom, power), to coefficients; an atom is a key that
is the same for expressions that are equal by rewriting.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import isqrt
from typing import Any, Final

from dpcomp_sym.replay.terms import Node, RejectedError, make, need

__all__ = [
    "INF", "ONE", "ZERO", "Polynomial", "at_most", "dominated", "is_finite", "most_blocks", "num",
    "polynomial", "same", "whole",
]  # fmt: skip

Monomial = frozenset[tuple[Hashable, int]]
Polynomial = dict[Monomial, Fraction]

INF: Final = make("Inf")
ZERO: Final = make("Num", Fraction(0))
ONE: Final = make("Num", Fraction(1))
UNIT: Final[Monomial] = frozenset()
MOST_TERMS: Final = 3000


def num(value: int | Fraction) -> Node:
    """Return a number as a term."""
    return make("Num", Fraction(value))


def _add(parts: Iterable[Polynomial]) -> Polynomial:
    found: Polynomial = {}
    for part in parts:
        for monomial, c in part.items():
            found[monomial] = found.get(monomial, Fraction(0)) + c
    need(len(found) <= MOST_TERMS, "an expression is too large")
    return found


def _multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product; the square of a root is what stands under it."""
    need(len(left) * len(right) <= MOST_TERMS, "an expression is too large")
    parts = []
    for m, a in left.items():
        for n, b in right.items():
            powers = dict(m)
            for atom, power in n:
                powers[atom] = powers.get(atom, 0) + power
            part: Polynomial = {UNIT: a * b}
            for atom, power in powers.items():
                rest = power
                if isinstance(atom, tuple) and atom[0] == "Sqrt":
                    for _ in range(power // 2):
                        part = _multiply(part, dict(atom[1]))
                    rest = power % 2
                if rest:
                    part = {_times(monomial, atom, rest): c for monomial, c in part.items()}
            parts.append(part)
    return _add(parts)


def _times(monomial: Monomial, atom: Hashable, power: int) -> Monomial:
    powers = dict(monomial)
    exponent = _exponent(atom)
    if exponent is not None:
        # e^x e^y = e^(x + y): a monomial has one power of e, to the power of 1.
        inside = [{m: power * c for m, c in exponent.items()}]
        inside += [x for x in map(_exponent, powers) if x is not None]
        powers = {x: n for x, n in powers.items() if _exponent(x) is None}
        atom, power = ("Apply", "exp", (frozenset(_add(inside).items()),)), 1
    powers[atom] = powers.get(atom, 0) + power
    return frozenset(powers.items())


def _exponent(atom: Any) -> Polynomial | None:
    """Return the exponent of a power of e, or None."""
    match atom:
        case ("Apply", "exp", (inside,)):
            return dict(inside)
        case _:
            return None


def _atom(key: Hashable) -> Polynomial:
    return {frozenset({(key, 1)}): Fraction(1)}


def _frozen(e: Node) -> frozenset[tuple[Monomial, Fraction]]:
    return frozenset(polynomial(e).items())


def polynomial(e: Node) -> Polynomial:
    """Return an expression as a polynomial.

    >>> x = make("Param", "x")
    >>> polynomial(make("Product", (x, make("Sum", (x, ONE))))) == polynomial(
    ...     make("Sum", (x, make("Product", (x, x)))))
    True
    """
    match e:
        case ("Num", value):
            return {UNIT: value} if value else {}
        case ("Sum", items):
            return _add(map(polynomial, items))
        case ("Product", items):
            found: Polynomial = {UNIT: Fraction(1)}
            for item in items:
                found = _multiply(found, polynomial(item))
            return found
        case ("Max", items):
            return _maximum(items)
        case ("Sqrt", of):
            return _root(polynomial(of))
        case ("Apply", name, items):
            if name == "growth":
                first, second = map(polynomial, items)
                if not first or not second or second == {UNIT: Fraction(1)}:
                    return second
            if name == "exp" and not polynomial(items[0]):
                return {UNIT: Fraction(1)}
            return _atom(("Apply", name, tuple(map(_frozen, items))))
        case ("Worst", sizes, groups):
            return _worst(sizes, groups)
        case ("SumOver", sizes, when, count, value):
            total = polynomial(value) and polynomial(count)
            return total and _atom(("SumOver", sizes, when, _frozen(count), _frozen(value)))
        case ("MaxOver", free, facts, body):
            return polynomial(body) and _atom(("MaxOver", free, facts, _frozen(body)))
        case ("Coverage", times, most):
            covered = polynomial(most) and polynomial(times)
            return covered and _atom(("Coverage", _frozen(times), _frozen(most)))
        case _:
            return _atom(("Term", e))


def _maximum(items: tuple[Node, ...]) -> Polynomial:
    kept: set[Any] = set()
    for frozen in map(_frozen, items):
        inner = _single(frozen)
        kept |= set(inner[1]) if inner is not None and inner[0] == "Max" else {frozen}
    kept.discard(frozenset())
    if len(kept) > 1:
        return _atom(("Max", frozenset(kept)))
    return dict(kept.pop()) if kept else {}


def _single(frozen: frozenset[tuple[Monomial, Fraction]]) -> Any:
    """Return the atom that a polynomial consists of, or None."""
    if len(frozen) != 1:
        return None
    ((monomial, c),) = frozen
    if c != 1 or len(monomial) != 1:
        return None
    ((atom, power),) = monomial
    return atom if power == 1 else None


def _root(p: Polynomial) -> Polynomial:
    if not p:
        return {}
    if len(p) == 1:
        ((monomial, c),) = p.items()
        up, down = isqrt(c.numerator), isqrt(c.denominator)
        if up * up == c.numerator and down * down == c.denominator:
            whole = frozenset((a, n // 2) for a, n in monomial if n > 1)
            odd = frozenset((a, 1) for a, n in monomial if n % 2)
            outside: Polynomial = {whole: Fraction(up, down)}
            if not odd:
                return outside
            return _multiply(outside, _atom(("Sqrt", frozenset({(odd, Fraction(1))}))))
    return _atom(("Sqrt", frozenset(p.items())))


def _worst(sizes: Any, groups: tuple[Node, ...]) -> Polynomial:
    counts: dict[Any, list[Node]] = {}
    for _, count, value in groups:
        counts.setdefault(_frozen(value), []).append(count)
    kept = set()
    for value, each in counts.items():
        total = ("all",) if INF in each else ("sum", frozenset(_add(map(polynomial, each)).items()))
        if value and total != ("sum", frozenset()):
            kept.add((total, value))
    return _atom(("Worst", sizes, frozenset(kept))) if kept else {}


def same(a: Node, b: Node) -> bool:
    """Return whether two expressions are equal by rewriting."""
    return polynomial(a) == polynomial(b)


def dominated(p: Polynomial, q: Polynomial) -> bool:
    """Return whether each coefficient of p is at most that of q."""
    return all(c <= q.get(m, 0) for m, c in p.items())


def is_finite(e: Node, *more: str) -> bool:
    """Return whether an expression is made of numbers and sizes only, and of what else is named."""
    if e[0] in {"Num", "Size", *more}:
        return True
    return e[0] in {"Sum", "Product", "Max"} and all(is_finite(x, *more) for x in e[1])


def at_most(a: Node, b: Node, where: tuple[Node, ...]) -> bool:
    """Return whether a <= b for all sizes of a box; both are finite, or b is infinite."""
    if b == INF:
        return True
    if not is_finite(a) or not is_finite(b):
        return False
    lows = {symbol: low for _, symbol, low, _ in where}

    def shifted(e: Node) -> Node:
        """Write each size as its least value and something more."""
        if e[0] == "Size":
            return make("Sum", (e, num(lows.get(e[1], 1))))
        return e if e[0] == "Num" else make(e[0], tuple(map(shifted, e[1])))

    return dominated(polynomial(shifted(a)), polynomial(shifted(b)))


def most_blocks(sizes: tuple[Any, ...], where: tuple[Node, ...]) -> int | None:
    """Return the largest number of blocks for the sizes of a box, None if there is none."""
    highs = {symbol: high for _, symbol, _, high in where}
    found = 1
    for size in sizes:
        high = size if isinstance(size, int) else highs.get(size)
        if high is None:
            return None
        found *= high
    return found


def whole(e: Node, largest: int) -> int:
    """Return a number of the language that is an integer, and not too large.

    Raises:
        RejectedError: it is something else.
    """
    if e[0] != "Num" or e[1].denominator != 1 or e[1] > largest:
        raise RejectedError("a small whole number is needed")
    return int(e[1])
