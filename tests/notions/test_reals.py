"""Formulas with roots, logarithms and powers of e: their exact values, and what is refused."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers.exact import Exact, exponential, logarithm, surd
from dpcomp_sym.numbers.real_column import RealColumn
from dpcomp_sym.spec.reals import real_value

F = Fraction
FORMULAS = {
    "+i - 5": -3, "-(-i)": 2, "1/4 + 0.5*i": F(5, 4), "i/3": F(2, 3), "3*i - 1": 5, "i - i": 0,
    "i**3": 8, "i**-2": F(1, 4), "(-i)**3": -8, "i**0": 1, "0**0": 1, "abs(1/2)": F(1, 2),
    "1/(3*sqrt(2))": surd(2) * F(1, 6), "4**(1/2)": 2, "4**(-1/2)": F(1, 2),
    "4**(3/2)": 8, "1**64": 1, "1**-64": 1, "1**(63/2)": 1, "sqrt(2)**2": 2, "2**(1/2)": surd(2),
    "sqrt(2)*sqrt(3) - sqrt(6)": 0, "sqrt(2)*3": 3 * surd(2), "3*sqrt(2)": 3 * surd(2),
    "i*sqrt(2)/sqrt(2)": 2, "1/sqrt(2)": surd(2) * F(1, 2), "sqrt(2)**-3": surd(2) * F(1, 4),
    "log(1 + i)/2": logarithm(3) * F(1, 2), "log(3)/log(3)": 1, "exp(log(3))": 3, "sqrt(0)": 0,
    "exp(1000)": exponential(F(1000)), "exp(-1)": exponential(F(-1)), "min(3, i, 4)": 2,
    "max(1, 3, i)": 3, "max(sqrt(2), sqrt(3))": surd(3), "abs(-i)": 2, "abs(i)": 2, "abs(0)": 0,
    "abs(1 - sqrt(2))": surd(2) - 1, "log(1)": 0, "exp(0)": 1, "2**64": 2**64, "0*sqrt(2)": 0,
}  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas(text):
    found = real_value(ast.parse(text, mode="eval").body, text, {"i": 2})
    assert (found == FORMULAS[text], type(found) is Exact) == (
        True, type(FORMULAS[text]) is Exact
    ), found  # fmt: skip


REFUSED = {
    "1/0": "divides by zero", "0**-1": "divides by zero", "1/(i - 2)": "divides by zero",
    "1/(sqrt(2)*sqrt(3) - sqrt(6))": "divides by zero", "2/(1 + sqrt(2))": "multiply it out",
    "i**sqrt(2)": "neither a whole number nor half", "8**(1/3)": "neither a whole number nor half",
    "1**65": "an exponent larger than 64", "1**-65": "an exponent larger than 64",
    "1**(65/2)": "an exponent larger than 64", "sqrt(-1)": "the root of a number less than 0",
    "(-4)**(1/2)": "the root of a number less than 0", "sqrt(1 - sqrt(2))": "the root of a number",
    "log(0)": "not greater than 0", "log(-1)": "not greater than 0", "exp(1001)": "larger than e^",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_number_or_not_written_exactly(text):
    with pytest.raises(InputError, match=f"{re.escape(repr(text))}.*{re.escape(REFUSED[text])}"):
        real_value(ast.parse(text, mode="eval").body, text, {"i": 2})


def test_numbers_are_read_as_they_are_written():
    text = "0.1 + 1e-3"
    found = real_value(ast.parse(text, mode="eval").body, text, {}, lambda x: 2 * F(x))
    assert found == F(202, 1000)


def test_columns_of_numbers():
    three = logarithm(3)
    column = RealColumn((F(1), three, F(-1), F(2)))
    assert [*column] == [F(1), three, F(-1), F(2)]
    assert (column[1], column[1:], len(column)) == (three, RealColumn((three, F(-1), F(2))), 4)
    assert (column.first_below(0), column.first_below(1), column.first_below(-1)) == (2, 2, None)
    assert (column.first_above(1), column.first_above(2)) == (1, None)
    assert repr(column) == "RealColumn(1, log(3), -1, 2)"
    assert repr(RealColumn((F(1),) * 6)) == "RealColumn(1, 1, 1, 1, 1, 1)"
    assert repr(RealColumn((F(1),) * 8)) == "RealColumn(1, 1, 1, 1, 1, 1, … 8 numbers)"
    with pytest.raises(AttributeError):
        column.items = ()
