"""Exact numbers in LaTeX, written as the formulas of theorems are."""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym.numbers.atoms import Atom, AtomMonomial
from dpcomp_sym.numbers.exact import Exact, Root
from dpcomp_sym.numbers.guarantee import Guarantee
from dpcomp_sym.profile import Infinity
from dpcomp_sym.statements.latex import LATEX
from dpcomp_sym.statements.render import Level, Written

__all__ = ["number_latex"]


def number_latex(x: Guarantee) -> str:
    r"""Return a number or a pair of them in LaTeX, without dollar signs.

    >>> from dpcomp_sym.numbers.exact import growth, logarithm, root, surd
    >>> print(number_latex(2 * logarithm(3) + surd(Fraction(1, 2))), number_latex(root(5)))
    2 \log(3) + \tfrac{1}{2} \sqrt{2} \sqrt{5}
    >>> print(number_latex((3, growth(1, 2) * Fraction(1, 100))))
    \Bigl(3, \tfrac{1}{100} \frac{e^{2} - 1}{e - 1}\Bigr)
    """
    if isinstance(x, tuple):
        inside = ", ".join(map(number_latex, x))
        return rf"\Bigl({inside}\Bigr)" if r"\frac" in inside else f"({inside})"
    if isinstance(x, Infinity):
        return LATEX.infinity()
    if isinstance(x, float):
        return f"{x:.6g}"
    return _text(x)


def _text(x: int | Fraction | Exact | Root) -> str:
    if isinstance(x, int | Fraction):
        return LATEX.number(Fraction(x)).text
    if isinstance(x, Root):
        return LATEX.root(_text(x.square))
    power, rest = x.with_power_of_e()
    terms = [_term(monomial, factor) for monomial, factor in rest]
    if power is not None:
        factor, exponent = power
        terms.append(_multiple(factor, [Written(_power_of_e(exponent))]))
    return " + ".join(terms).replace("+ -", "- ")


def _term(monomial: AtomMonomial, factor: Fraction) -> str:
    above: list[Written] = []
    below: list[Written] = []
    for atom, power in monomial:
        (above if power > 0 else below).append(_factor(atom, abs(power)))
    if below:
        top = _product(above) if above else "1"
        above = [Written(rf"\frac{{{top}}}{{{_product(below)}}}")]
    return _multiple(factor, above)


def _multiple(factor: Fraction, of: list[Written]) -> str:
    number = [] if abs(factor) == 1 and of else [LATEX.number(abs(factor))]
    return ("-" if factor < 0 else "") + _product([*number, *of])


def _product(factors: list[Written]) -> str:
    if len(factors) == 1:
        return factors[0].text
    return LATEX.product([LATEX.fitted(f, Level.PRODUCT) for f in factors])


def _factor(atom: Atom, power: int) -> Written:
    """Return a power of an atom; two of them are squares of what is written."""
    kind, arguments = atom
    if kind == "expm1":
        base = Written(f"{_power_of_e(arguments[0])} - 1", Level.SUM)
    elif kind == "sqrt":
        base = Written(LATEX.root(_text(arguments[0])))
    else:
        name = "gaussian_delta" if kind == "tails" else kind
        base = LATEX.applied(name, [Written(_text(x)) for x in arguments])
        power = 2 * power if kind in {"gdp", "path_mu"} else power
    return base if power == 1 else Written(LATEX.power(LATEX.fitted(base, Level.ATOM), power))


def _power_of_e(x: Fraction | Exact) -> str:
    return "e" if x == 1 else rf"e^{{{_text(x)}}}"
