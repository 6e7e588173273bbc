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
    return _written(x).text


def _written(x: int | Fraction | Exact | Root) -> Written:
    if isinstance(x, int | Fraction):
        return LATEX.number(Fraction(x))
    if isinstance(x, Root):
        return Written(LATEX.root(_written(x.square).text))
    power, rest = x.with_power_of_e()
    terms = [_term(monomial, factor) for monomial, factor in rest]
    terms += [_term((), *power)] if power else []
    text = " + ".join(term.text for term in terms).replace("+ -", "- ")
    return Written(text, terms[0].level if len(terms) == 1 else Level.SUM)


def _term(
    monomial: AtomMonomial, factor: Fraction, e_to: Fraction | Exact | None = None
) -> Written:
    above = [_factor(atom, power) for atom, power in monomial if power > 0]
    below = [_factor(atom, -power) for atom, power in monomial if power < 0]
    if e_to is not None:
        above.insert(0, Written(_power_of_e(e_to), Level.ATOM))
    if below:
        top = _product(above).text if above else "1"
        above = [Written(rf"\frac{{{top}}}{{{_product(below).text}}}")]
    sign = "-" if factor < 0 else ""
    if abs(factor) != 1 or not above:
        above.insert(0, LATEX.number(abs(factor)))
    found = _product(above)
    return Written(sign + found.text, Level.SUM if sign else found.level)


def _product(factors: list[Written]) -> Written:
    if len(factors) == 1:
        return factors[0]
    return Written(LATEX.product([LATEX.fitted(f, Level.PRODUCT) for f in factors]), Level.PRODUCT)


def _factor(atom: Atom, power: int) -> Written:
    """Return a power of an atom; two of them are squares of what is written."""
    kind, arguments = atom
    if kind == "expm1":
        base = Written(f"{_power_of_e(arguments[0])} - 1", Level.SUM)
    elif kind == "sqrt":
        base = Written(LATEX.root(_written(arguments[0]).text))
    else:
        name = "gaussian_delta" if kind == "tails" else kind
        base = LATEX.applied(name, [_written(x) for x in arguments])
        power = 2 * power if kind in {"gdp", "path_mu"} else power
    if power == 1:
        return base
    return Written(LATEX.power(LATEX.fitted(base, Level.ATOM), power))


def _power_of_e(x: Fraction | Exact) -> str:
    return "e" if x == 1 else rf"e^{{{_written(x).text}}}"
