"""Formulas with roots, logarithms and powers of e: the number of each block, exact."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NoReturn

from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers.exact import Exact, Sum, exponential, logarithm, surd, tidy

__all__ = ["FUNCTIONS", "real_value"]

MOST_TIMES: Final = 64
MOST_EXPONENT: Final = 1000
FUNCTIONS: Final[Mapping[str, Callable[[Sum], Sum]]] = {
    "sqrt": surd,
    "log": logarithm,
    "exp": exponential,
}
"""What a formula may say besides arithmetic: each takes one number."""


def real_value(
    tree: ast.expr,
    text: str,
    names: Mapping[str, int | Fraction],
    literal: Callable[[str], Fraction] = Fraction,
) -> Sum:
    """Return what a formula is at some numbers; ``literal`` reads the numbers that it writes.

    Raises:
        InputError: a division by 0, a root of less than 0, a logarithm of 0 or less, or a quotient
            or power that is not written exactly here.

    >>> tree = ast.parse("log(1 + 2*i)/2", mode="eval").body
    >>> real_value(tree, "log(1 + 2*i)/2", {"i": 1})
    Exact('1/2*log(3)')
    """
    found = _Reading(text, names, literal).of(tree)
    # What is 0 in another form, sqrt(2)*sqrt(3) - sqrt(6), is 0: nothing divides by it unseen.
    return 0 if isinstance(found, Exact) and found.sign() == 0 else found


class _Reading:
    def __init__(
        self, text: str, names: Mapping[str, int | Fraction], literal: Callable[[str], Fraction]
    ) -> None:
        self.text = text
        self.names = names
        self.literal = literal

    def of(self, node: ast.expr) -> Sum:
        match node:
            case ast.Constant():
                return self.literal(ast.get_source_segment(self.text, node) or "")
            case ast.Name(id=name):
                return self.names[name]
            case ast.UnaryOp(op=op, operand=inner):
                return self.of(inner) if isinstance(op, ast.UAdd) else -self.of(inner)
            case ast.BinOp(op=op, left=left, right=right):
                return tidy(self.binary(op, self.of(left), self.of(right)))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, [self.of(x) for x in args])
            case _:  # the reader of formulas lets nothing else through
                raise InputError(f"'{self.text}' is not a formula", word=self.text)

    def binary(self, op: ast.operator, a: Sum, b: Sum) -> Sum:
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return b * a if isinstance(b, Exact) else a * b
            case ast.Div():
                return a * self.inverse(b)
            case _:
                return self.power(a, b)

    def inverse(self, x: Sum) -> Exact | Fraction:
        if x == 0 or (isinstance(x, Exact) and x.sign() == 0):
            self.fail("divides by zero")
        if not isinstance(x, Exact):
            return 1 / Fraction(x)
        if len(x.terms) > 1:
            self.fail("divides by a sum with a root, a logarithm or a power of e: multiply it out")
        ((monomial, factor),) = x.terms
        turned = tuple((atom, -power) for atom, power in monomial)
        return Exact(((turned, 1 / factor),)) * 1

    def power(self, x: Sum, n: Sum) -> Sum:
        if isinstance(n, Exact) or Fraction(n).denominator > 2:
            self.fail("has an exponent that is neither a whole number nor half of one")
        times = int(n) if n == int(n) else int(2 * n)
        if abs(times) > MOST_TIMES:
            self.fail(f"has an exponent larger than {MOST_TIMES}")
        base = x if n == int(n) else self.call("sqrt", [x])
        factor = base if times >= 0 else self.inverse(base)
        found: Sum = 1
        for _ in range(abs(times)):
            found = factor * found if isinstance(factor, Exact) else found * factor
        return found

    def call(self, name: str, items: Sequence[Sum]) -> Sum:
        (x, *_) = items
        match name:
            case "min":
                return min(items)
            case "max":
                return max(items)
            case "abs":
                return x if x >= 0 else -x
            case "sqrt" if x < 0:
                self.fail("has the root of a number less than 0")
            case "log" if x <= 0:
                self.fail("has the logarithm of a number that is not greater than 0")
            case "exp" if x > MOST_EXPONENT:
                self.fail(f"has a power of e larger than e^{MOST_EXPONENT}")
        return FUNCTIONS[name](x)

    def fail(self, what: str) -> NoReturn:
        raise InputError(f"'{self.text}' {what}", word=self.text)
