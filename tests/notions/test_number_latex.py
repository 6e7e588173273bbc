"""Exact numbers in LaTeX."""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym.numbers.exact import (
    at_best_order,
    exponential,
    gdp_squared,
    growth,
    logarithm,
    path_mu_squared,
    root,
    surd,
    tails,
    tanh,
)
from dpcomp_sym.numbers.latex import number_latex
from dpcomp_sym.profile import INFINITY

F = Fraction


def test_numbers_in_latex():
    written = [
        (3, "3"),
        (F(1, 3), r"\tfrac{1}{3}"),
        (0.3333333333, "0.333333"),
        (INFINITY, r"\infty"),
        (root(5), r"\sqrt{5}"),
        (root(2 + logarithm(3)), r"\sqrt{2 + \log(3)}"),
        (F(1, 2) * surd(2), r"\tfrac{1}{2} \sqrt{2}"),
        (2 - surd(2), r"2 - \sqrt{2}"),
        (-1 * surd(2), r"-\sqrt{2}"),
        (surd(2) * surd(3) * logarithm(2), r"\log(2) \sqrt{2} \sqrt{3}"),
        (logarithm(3) * logarithm(3), r"\log(3)^{2}"),
        (exponential(F(1, 2)), "e^{\\tfrac{1}{2}}"),
        (2 * exponential(1) + 1, "1 + 2 e"),
        ((exponential(1) - 1) * (exponential(2) - 1), "(e - 1) (e^{2} - 1)"),
        (growth(1, 2) * growth(1, 2), r"\frac{(e^{2} - 1)^{2}}{(e - 1)^{2}}"),
        (growth(1, 2), r"\frac{e^{2} - 1}{e - 1}"),
        (F(1, 100) * growth(1, 2), r"\tfrac{1}{100} \frac{e^{2} - 1}{e - 1}"),
        (growth(surd(2), 2), r"\frac{e^{2 \sqrt{2}} - 1}{e^{\sqrt{2}} - 1}"),
        (gdp_squared(1), r"(2\,\Phi^{-1}\bigl(e^{1} / (1 + e^{1})\bigr))^{2}"),
        (path_mu_squared(1, 2), r"\mu_{\mathrm{P}}(1, 2)^{2}"),
        (tanh(F(1, 2)), r"\tanh(\tfrac{1}{2})"),
        (tails(F(1), F(2)), r"\delta_{\mathrm{G}}(1, 2)"),
        (at_best_order(F(2), F(1, 9)), r"\varepsilon_{\mathrm{Z}}(2, \tfrac{1}{9})"),
        ((3, F(1, 9)), r"(3, \tfrac{1}{9})"),
        ((growth(1, 2), 0), r"\Bigl(\frac{e^{2} - 1}{e - 1}, 0\Bigr)"),
    ]
    for number, text in written:
        assert number_latex(number) == text
