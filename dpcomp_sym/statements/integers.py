"""Integers and conditions on them, as formulas and as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import prod
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.terms import KernelError

__all__ = ["LATEX_SIGNS", "PLAIN_SIGNS", "TRUE", "Naming", "Signs", "Values", "letters_for"]

TRUE: Final = t.Connected("and", ())
_LETTERS: Final = "tuvxyz"
MOST_BITS: Final = 100_000
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_OR, _AND, _HOLDS = range(3)


@dataclass(frozen=True)
class Values:
    """What letters, indices and symbols stand for.

    >>> Values({"w": 3}, (2,)).of(t.Combined("add", (t.Letter(1), t.Symbol("w"))))
    5
    """

    symbols: Mapping[str, int]
    letters: tuple[int, ...] = ()
    indices: tuple[int, ...] = ()

    def of(self, e: t.Whole) -> int:
        """Return an integer.

        Raises:
            KernelError: a symbol has no number, or something is divided by zero.
        """
        match e:
            case t.Integer(value):
                return value
            case t.Letter(number):
                return self.letters[number - 1]
            case t.Index(number):
                return self.indices[number - 1]
            case t.Symbol(name):
                if name not in self.symbols:
                    raise KernelError(f"no number for {name}")
                return self.symbols[name]
            case t.Combined(op, items):
                return _combined(op, [self.of(x) for x in items])
            case _:
                raise KernelError("no integer")

    def hold(self, p: t.Predicate) -> bool:
        """Return whether a condition holds."""
        match p:
            case t.Connected("not", (inner,)):
                return not self.hold(inner)
            case t.Connected(op, items):
                return (all if op == "and" else any)(self.hold(x) for x in items)
            case t.Compared(op, left, right):
                a, b = self.of(left), self.of(right)
                return {"lt": a < b, "le": a <= b, "eq": a == b, "ne": a != b}[op]
            case _:
                raise KernelError("no condition")


def _combined(op: str, values: Sequence[int]) -> int:
    match op:
        case "add":
            return sum(values)
        case "mul":
            return prod(values)
        case "neg":
            return -values[0]
        case "pow":
            return _power(*values)
        case "min" | "max":
            return min(values) if op == "min" else max(values)
        case _:
            if values[1] == 0:
                raise KernelError("a division by zero")
            quotient, rest = divmod(values[0], values[1])
            return quotient if op == "div" else rest


def _power(base: int, exponent: int) -> int:
    if base < 2 or exponent < 1:
        return 1
    if base.bit_length() * exponent > MOST_BITS:
        raise KernelError(f"the power {base}**{exponent} is too large")
    found: int = base**exponent
    return found


# ------------------------------------------------------------- formulas


@dataclass(frozen=True)
class Signs:
    """How a language writes integers and conditions."""

    times: str
    comparisons: Mapping[str, str]
    and_: str
    or_: str
    not_: str
    true: str
    false: str
    open: str
    close: str
    least: str
    largest: str
    divided: Callable[[str, str], str]
    power: Callable[[str, str], str]
    tight_power: bool
    """Whether an exponent needs no brackets of its own."""
    rest: Callable[[str, str], str]
    beside: str
    """What stands between the factors of a product before one that begins with a letter."""
    tight_quotient: bool
    """Whether a quotient needs no brackets of its own."""


PLAIN_SIGNS: Final = Signs(
    "*", {"lt": " < ", "le": " <= ", "eq": " == ", "ne": " != "}, " and ", " or ", "not ",
    "true", "false", "(", ")", "min", "max",
    "{}//{}".format, "{}**{}".format, False, "{} % {}".format, beside="*", tight_quotient=False,
)  # fmt: skip
LATEX_SIGNS: Final = Signs(
    r" \cdot ", {"lt": " < ", "le": r" \le ", "eq": " = ", "ne": r" \neq "}, r" \land ",
    r" \lor ", r"\lnot ", r"\top", r"\bot", r"\left(", r"\right)", r"\min", r"\max",
    r"\lfloor {} / {} \rfloor".format, "{}^{{{}}}".format, True, r"{} \bmod {}".format,
    beside=r"\,", tight_quotient=True,
)  # fmt: skip


def letters_for(
    e: t.KernelTerm, free: int, used: int, start: Callable[..., Sequence[str]]
) -> list[str]:
    """Return letters for bound parameters that mean nothing else in a term.

    ``start(sizes, used)`` are the letters of the indices of a family.
    """
    taken = {getattr(x, "name", "") for x in t.subterms(e)}
    for x in t.subterms(e):
        for size in getattr(x, "sizes", ()):
            taken.add(size)
        if isinstance(x, t.SumOver):
            taken |= set(start(x.sizes, used))
    names = (letter + (str(n) if n else "") for n in count() for letter in _LETTERS)
    return list(islice((name for name in names if name not in taken), free))


@dataclass(frozen=True)
class Naming:
    """What letters, indices and symbols are called, and how the rest is written."""

    signs: Signs
    symbol: Callable[[str], str] = str
    letters: Sequence[str] = ()
    indices: Sequence[str] = ()
    here: Sequence[str] = ()
    """What letters that are functions of indices are in the block at hand, if that has a name."""

    def integer(self, e: t.Whole) -> str:
        """Write an integer."""
        return self._integer(e)[0]

    def _at(self, e: t.Whole, level: int) -> str:
        text, own = self._integer(e)
        return text if own >= level else f"{self.signs.open}{text}{self.signs.close}"

    def _product(self, factors: Sequence[str]) -> str:
        """Write a product; in formulas for print no sign is needed before a letter."""
        found = factors[0]
        for factor in factors[1:]:
            found += self.signs.beside if factor[0].isalpha() else self.signs.times
            found += factor
        return found

    def _integer(self, e: t.Whole) -> tuple[str, int]:
        signs = self.signs
        match e:
            case t.Integer(value):
                return str(value), _ATOM if value >= 0 else _PRODUCT
            case t.Letter(number):
                known = self.letters[number - 1 : number]
                return (known[0] if known else f"p{number}"), _ATOM
            case t.LetterAt(number) if self.here:
                return self.here[number - 1], _ATOM
            case t.LetterAt(number, at):
                taken = ",".join(map(self.integer, at))
                return f"{self.integer(t.Letter(number))}({taken})", _ATOM
            case t.Index(number):
                known = self.indices[number - 1 : number]
                return (known[0] if known else f"b{number}"), _ATOM
            case t.Symbol(name):
                return self.symbol(name), _ATOM
            case t.Combined("add", (first, *rest)):
                return self._at(first, _SUM) + "".join(map(self._plus, rest)), _SUM
            case t.Combined("neg", (of,)):
                return f"-{self._at(of, _POWER)}", _PRODUCT
            case t.Combined("mul", items):
                return self._product([self._at(x, _POWER) for x in items]), _PRODUCT
            case t.Combined("min" | "max" as op, items):
                sign = signs.least if op == "min" else signs.largest
                inside = ", ".join(map(self.integer, items))
                return f"{sign}{signs.open}{inside}{signs.close}", _ATOM
            case t.Combined("pow", (base, exponent)):
                above = self._at(exponent, _SUM if signs.tight_power else _ATOM)
                return signs.power(self._at(base, _ATOM), above), _POWER
            case t.Combined(op, (of, by)):
                write = signs.divided if op == "div" else signs.rest
                own = _ATOM if signs.tight_quotient and op == "div" else _PRODUCT
                return write(self._at(of, _POWER), self._at(by, _POWER)), own
            case _:
                raise TypeError(f"no integer: {e!r}")

    def _plus(self, e: t.Whole) -> str:
        match e:
            case t.Integer(value) if value < 0:
                return f" - {-value}"
            case t.Combined("neg", (of,)):
                return f" - {self._at(of, _PRODUCT)}"
            case _:
                return f" + {self._at(e, _PRODUCT)}"

    def predicate(self, p: t.Predicate) -> str:
        """Write a condition."""
        return self._predicate(p)[0]

    def _fitted(self, p: t.Predicate, level: int) -> str:
        text, own = self._predicate(p)
        return text if own >= level else f"{self.signs.open}{text}{self.signs.close}"

    def _predicate(self, p: t.Predicate) -> tuple[str, int]:
        signs = self.signs
        match p:
            case t.Compared(op, left, right):
                return f"{self.integer(left)}{signs.comparisons[op]}{self.integer(right)}", _HOLDS
            case t.Connected("not", (inner,)):
                return f"{signs.not_}{signs.open}{self.predicate(inner)}{signs.close}", _HOLDS
            case t.Connected(op, ()):
                return (signs.true if op == "and" else signs.false), _HOLDS
            case t.Connected(_, (one,)):
                return self._predicate(one)
            case t.Connected("or", items):
                return signs.or_.join(self._fitted(x, _AND) for x in items), _OR
            case t.Connected("and", items):
                return signs.and_.join(self._chained(items)), _AND
            case _:
                raise TypeError(f"no condition: {p!r}")

    def _chained(self, items: Sequence[t.Predicate]) -> list[str]:
        """Write a < b and b < c as a < b < c."""
        found: list[str] = []
        last: t.Whole | None = None
        for item in items:
            right: t.Whole | None = None
            if isinstance(item, t.Compared) and item.word in ("lt", "le"):
                if item.left == last:
                    found[-1] += f"{self.signs.comparisons[item.word]}{self.integer(item.right)}"
                    last = None
                    continue
                right = item.right
            found.append(self._fitted(item, _HOLDS))
            last = right
        return found
