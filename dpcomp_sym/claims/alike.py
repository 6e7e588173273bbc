"""Maxima over integers that are the same but for how their conditions are written.

``t <= i < t + w`` and ``i >= t and i <= t + w - 1`` say the same of all integers.  Both have one
canonical form: comparisons of a linear form with 0, without common factors, in a fixed order.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.statements.integers import TRUE, Values
from dpcomp_sym.statements.terms import rewritten

__all__ = ["Form", "aligned", "canonical", "compared_forms", "divided_by_numbers", "integer_of"]

MOST_ORDERED: Final = 4
"""Up to so many letters are put into all orders."""
_FALSE: Final = k.Connected("or", ())
_ZERO: Final = k.Integer(0)
Form = dict[tuple[k.Whole, ...], int]
"""A sum of products of integers, by their factors."""


def aligned(e: k.Expr, known: Iterable[k.Expr], numbers: Mapping[str, int]) -> k.Expr:
    """Return an equal expression, with maxima over integers as they stand in known expressions.

    Args:
        e: the expression.
        known: expressions whose words are used where they say the same.
        numbers: sizes and symbols that are given.
    """
    table = {
        canonical(x, numbers): x for one in known for x in k.subterms(one)
        if isinstance(x, k.MaxOver)
    }  # fmt: skip

    def change(x: k.KernelTerm) -> k.KernelTerm | None:
        return table.get(canonical(x, numbers)) if isinstance(x, k.MaxOver) else None

    return rewritten(e, change) if table else e


def canonical(e: k.MaxOver, numbers: Mapping[str, int] | None = None) -> k.Expr:
    """Return the canonical form of a maximum over integers; itself, if it is divided by no number.

    >>> t, i = k.Letter(1), k.Index(1)
    >>> one, other = (k.MaxOver(1, TRUE, k.SumOver(("k",), when, k.Inf(), k.Param("eps")))
    ...     for when in (k.Compared("lt", t, i), k.Connected("not", (k.Compared("le", i, t),))))
    >>> canonical(one) == canonical(other)
    True
    """
    if not divided_by_numbers(e):
        return e
    write = _Canonical(numbers or {})
    orders = itertools.permutations(range(1, e.free + 1)) if e.free <= MOST_ORDERED else ()
    try:
        found = [write.largest(_ordered(e, order)) for order in orders]
    except k.KernelError:
        return e
    return min(found, key=repr) if found else e


def compared_forms(p: k.Predicate) -> list[tuple[str, Form]]:
    """Return the comparisons that a condition is made of: forms that are le, eq or ne 0.

    >>> t, i = k.Letter(1), k.Index(1)
    >>> compared_forms(k.Connected("not", (k.Compared("le", i, t),)))  # i >= t + 1
    [('le', {(): 1, (Index(number=1),): -1, (Letter(number=1),): 1})]

    Raises:
        KernelError: it is no condition on integers.
    """
    write = _Canonical({})
    comparisons = [x for x in k.subterms(write.condition(p)) if isinstance(x, k.Compared)]
    return [(x.word, write.form(x.left)) for x in comparisons]


def integer_of(form: Form) -> k.Whole:
    """Return a sum of products as an integer, in a fixed order."""
    return _written(form)


def _ordered(e: k.MaxOver, order: Sequence[int]) -> k.MaxOver:
    """Return the same with its letters in another order."""

    def change(x: k.KernelTerm) -> k.KernelTerm | None:
        match x:
            case k.Letter(number):
                return k.Letter(order[number - 1])
            case k.LetterAt(number, at):
                return k.LetterAt(order[number - 1], at)
            case _:
                return None

    return rewritten(e, change)


def divided_by_numbers(e: k.KernelTerm) -> bool:
    """Return whether nothing is divided, unless by a number: it is an integer everywhere."""
    quotients = [x for x in k.subterms(e) if isinstance(x, k.Combined) and x.word in {"div", "mod"}]
    return all(isinstance(x.items[1], k.Integer) and x.items[1].value > 0 for x in quotients)


@dataclass(frozen=True)
class _Canonical:
    """Writes canonical forms; symbols that have numbers are these."""

    numbers: Mapping[str, int]

    def largest(self, e: k.MaxOver) -> k.MaxOver:
        return k.MaxOver(e.free, self.condition(e.facts), normal(self.value(e.body)))

    def value(self, e: k.Expr) -> k.Expr:
        return rewritten(e, self._inside)

    def _inside(self, x: k.KernelTerm) -> k.KernelTerm | None:
        match x:
            case k.Amount(of):
                return k.Amount(self.integer(of))
            case k.SumOver(sizes, when, count, value):
                many = self.value(count)
                return self._total(sizes, self.condition(when), many, self.value(value))
            case _:
                return None

    @staticmethod
    def _total(sizes: k.Sizes, when: k.Predicate, count: k.Expr, value: k.Expr) -> k.Expr:
        """Return a total, in other words where all blocks have the condition."""
        if when == TRUE and not sizes and count in {k.Inf(), k.Num(Fraction(1))}:
            return value
        if when == TRUE and not any(isinstance(x, k.Amount) for x in k.subterms((count, value))):
            return k.Worst(sizes, (k.Choice(count, value),))
        return k.SumOver(sizes, when, count, value)

    # ------------------------------------------------------------- integers

    def integer(self, e: k.Whole) -> k.Whole:
        """Return an integer as a sum of products, in a fixed order."""
        return _written(self.form(e))

    def form(self, e: k.Whole) -> Form:
        match e:
            case k.Integer(value):
                return {(): value} if value else {}
            case k.Symbol(name) if name in self.numbers:
                return self.form(k.Integer(self.numbers[name]))
            case k.Combined("add", items):
                return _sum(map(self.form, items))
            case k.Combined("neg", (of,)):
                return _times({(): -1}, self.form(of))
            case k.Combined("mul", items):
                return functools.reduce(_times, map(self.form, items))
            case k.Combined("div", (of, k.Integer(by))):
                return self._quotient(self.form(of), by)
            case k.Combined("mod", (of, k.Integer(by))):
                whole = self.form(of)
                return _sum([whole, _times({(): -by}, self._quotient(whole, by))])
            case k.Combined("min" | "max" as word, items):
                return self._extreme(word, items)
            case k.Combined("pow", items):
                atom = k.Combined("pow", tuple(map(self.integer, items)))
                if all(isinstance(x, k.Integer) for x in atom.items):
                    return self.form(k.Integer(Values({}).of(atom)))
                return {(atom,): 1}
            case _:
                return {(e,): 1}

    def _extreme(self, word: str, items: Sequence[k.Whole]) -> Form:
        """Return the least or the largest of some integers, each of them once."""
        found: set[k.Whole] = set()
        for item in map(self.integer, items):
            same = isinstance(item, k.Combined) and item.word == word
            found |= set(item.items) if same and isinstance(item, k.Combined) else {item}
        (one, *more) = sorted(found, key=repr)
        return {(k.Combined(word, (one, *more)),): 1} if more else self.form(one)

    @staticmethod
    def _quotient(of: Form, by: int) -> Form:
        """Return a quotient, rounded downwards: what the number divides comes out of it."""
        whole = {m: c // by for m, c in of.items() if c // by}
        rest = {m: c % by for m, c in of.items() if c % by}
        common = math.gcd(by, *(c for m, c in rest.items() if m))
        rest = {m: c // common for m, c in rest.items() if c // common}
        if by == common:
            return whole  # what is left is a number less than what it is divided by
        return _sum([whole, {(k.Combined("div", (_written(rest), k.Integer(by // common))),): 1}])

    # ------------------------------------------------------------- conditions

    def condition(self, p: k.Predicate, *, holds: bool = True) -> k.Predicate:
        """Return a condition, or its opposite."""
        match p:
            case k.Connected("not", (of,)):
                return self.condition(of, holds=not holds)
            case k.Connected(word, items):
                both = word if holds else {"and": "or", "or": "and"}[word]
                return _joined(both, [self.condition(x, holds=holds) for x in items])
            case k.Compared(word, left, right):
                if not holds:
                    opposite = {"lt": "le", "le": "lt", "eq": "ne", "ne": "eq"}[word]
                    turned = (right, left) if word in {"lt", "le"} else (left, right)
                    return self.condition(k.Compared(opposite, *turned))
                difference = _sum([self.form(left), _times({(): -1}, self.form(right))])
                return _compared(word, difference)
            case _:
                raise k.KernelError("no condition")


def _sum(items: Iterable[Form]) -> Form:
    found: Counter[tuple[k.Whole, ...]] = Counter()
    for item in items:
        found.update(item)
    return {m: c for m, c in found.items() if c}


def _times(left: Form, right: Form) -> Form:
    return _sum(
        {tuple(sorted((*m, *n), key=repr)): a * b}
        for (m, a), (n, b) in itertools.product(left.items(), right.items())
    )


def _written(form: Form) -> k.Whole:
    items = []
    for factors, number in sorted(form.items(), key=repr):
        some = (k.Integer(number), *factors) if number != 1 or not factors else factors
        items.append(some[0] if len(some) == 1 else k.Combined("mul", some))
    return items[0] if len(items) == 1 else k.Combined("add", tuple(items)) if items else _ZERO


def _compared(word: str, form: Form) -> k.Predicate:
    """Return the condition that a form is less than 0, at most 0, 0 or not 0."""
    number = form.get((), 0) + (word == "lt")
    rest = {m: c for m, c in form.items() if m}
    if not rest:
        holds = {"eq": number == 0, "ne": number != 0}.get(word, number <= 0)
        return TRUE if holds else _FALSE
    common = math.gcd(*rest.values())
    if word in {"lt", "le"}:
        word, number = "le", -(-number // common)
    elif number % common:
        return _FALSE if word == "eq" else TRUE
    else:
        common *= 1 if min(rest.items(), key=repr)[1] > 0 else -1
        number //= common
    left = _sum([{m: c // common for m, c in rest.items()}, {(): number}])
    return k.Compared(word, _written(left), _ZERO)


def _joined(word: str, items: Iterable[k.Predicate]) -> k.Predicate:
    """Return several conditions as one, each of them once and in a fixed order."""
    neutral, ends = (TRUE, _FALSE) if word == "and" else (_FALSE, TRUE)
    found: set[k.Predicate] = set()
    for item in items:
        same = isinstance(item, k.Connected) and item.word == word
        found |= set(item.items) if same and isinstance(item, k.Connected) else {item}
    found.discard(neutral)
    if ends in found:
        return ends
    kept = sorted(found, key=repr)
    return kept[0] if len(kept) == 1 else k.Connected(word, tuple(kept))
