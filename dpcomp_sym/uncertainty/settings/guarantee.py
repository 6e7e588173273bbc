"""What is stated of random data: guarantees, with ε exact or rounded up, and tables of losses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym import balls
from dpcomp_sym.notions import of_pairs
from dpcomp_sym.report.text import rounded_up

__all__ = ["StatedGuarantee", "TextTable", "decimal", "loss", "short_log", "upper_log"]

_SHORT: Final = 14
_READABLE: Final = 40


def upper_log(factor: Fraction) -> float:
    """Return ln of a factor ≥ 1 as the next float that is not less.

    >>> 0.6931471805599453 <= upper_log(Fraction(2)) < 0.6931471805599455
    True
    >>> upper_log(Fraction(1))
    0.0
    """
    return 0.0 if factor == 1 else balls.above(balls.log(factor).upper)


def short_log(factor: Fraction | None) -> str:
    """Return ln of a factor with six digits, rounded up.

    >>> short_log(Fraction(5, 4)), short_log(Fraction(1)), short_log(None)
    ('0.223144', '0', '∞')
    """
    return "∞" if factor is None else rounded_up(upper_log(factor))


def decimal(number: Fraction) -> str:
    """Return a short decimal.

    >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 2**4000)), decimal(Fraction(0))
    ('0.333333', '7.58608e-1205', '0')
    """
    if number == 0 or abs(number) > Fraction(1, 10**300):
        return f"{number.numerator / number.denominator:.6g}"
    power = math.floor((math.log(number.numerator) - math.log(number.denominator)) / math.log(10))
    mantissa = number * 10 ** (-power)
    return f"{mantissa.numerator / mantissa.denominator:.6g}e{power}"


def loss(factor: Fraction | None) -> str:
    """Return ε in words: exact where that is short.

    >>> loss(Fraction(121, 45)), loss(None), loss(Fraction(1))
    ('0.989129 = ln(121/45)', '∞', '0')
    """
    if factor is None:
        return "∞"
    if factor == 1:
        return "0"
    near = short_log(factor)
    exact = _exact_log(factor, _SHORT)
    return f"{near} = {exact}" if exact else near


def _exact_log(factor: Fraction, longest: int) -> str:
    if max(factor.numerator, factor.denominator) >= 10**longest:
        return ""
    text = str(factor)
    return f"ln({text})" if len(text) <= longest else ""


def _tex(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number)
    return rf"\frac{{{number.numerator}}}{{{number.denominator}}}"


@dataclass(frozen=True, repr=False)
class StatedGuarantee:
    """An (ε, δ) guarantee: of what, how it is known, and whether it is exact.

    ``factor`` is e^ε, None for infinity; ``epsilon`` and ``text`` give ε where e^ε is irrational.
    """

    about: str
    factor: Fraction | None
    delta: Fraction
    by: str
    exact: bool
    text: str = ""
    epsilon: float | None = None
    latex: str = ""

    def __repr__(self) -> str:  # the factor can have more digits than Python writes
        return f"<Guarantee {self.about}: {self.said}>"

    def _epsilon_latex(self) -> str:
        if self.factor is None:
            return r"\infty"
        if self.factor == 1:
            return "0"
        if _exact_log(self.factor, _SHORT):
            return rf"\ln {_tex(self.factor)}"
        return short_log(self.factor)

    @property
    def said(self) -> str:
        """The guarantee in words."""
        return f"({self.text or loss(self.factor)}, {self.delta})"

    def as_json(self) -> dict[str, Any]:
        """Return the guarantee as a bound of the stable form; a float ε is rounded up."""
        value: Any = "inf"
        if self.epsilon is not None:
            value = [self.epsilon, float(self.delta)]
        elif self.factor is not None:
            value = [upper_log(self.factor), float(self.delta)]
        elif self.text:
            value = None
        exact = self.text if self.factor is None else _exact_log(self.factor, _READABLE)
        return {
            "notion": of_pairs(),
            "parameter": "epsilon,delta",
            "text": f"{self.about}: {self.text}" if self.text else self.about,
            "latex": rf"\left({self.latex or self._epsilon_latex()}, {_tex(self.delta)}\right)",
            "value": value,
            "exact": f"({exact}, {self.delta})" if exact else None,
            "pareto": None,
            "tight": "yes" if self.exact else "no",
            "by": [self.by],
        }


@dataclass(frozen=True)
class TextTable:
    """A table of texts."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": list(map(list, self.rows)),
        }
