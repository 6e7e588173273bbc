r"""Expressions in LaTeX.

>>> squared = t.Product((t.Product((t.Num(Fraction(2)), t.Param("mu"))),) * 2)
>>> print(latex_text(squared))
(2 \mu)^{2}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import LATEX_SIGNS, Naming
from dpcomp_sym.statements.render import Blocks, Level, Writer, Written, render

__all__ = ["LATEX", "latex_name", "latex_ranges", "latex_text"]

_NEXT: Final = r" \\ "
_CHOICES: Final = r"\mathcal{T}"
_OTHERWISE: Final = r"\text{otherwise}"
_GREEK: Final = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip


def latex_text(e: t.Expr, at: Level = Level.CASES) -> str:
    r"""Return an expression in LaTeX, without dollar signs.

    >>> three = t.Worst(("k",), (t.Choice(t.Num(Fraction(3)), t.BlockEntry("eps", ("k",))),))
    >>> print(latex_text(three))
    \sum_{j=1}^{\min(3, k)} \varepsilon_{(j)}
    """
    return render(e, LATEX, at)


def latex_name(name: str, index: str = "") -> str:
    r"""Return a name in LaTeX, with an index if it belongs to a family.

    Different names look different.

    >>> print(latex_name("eps", "i"), latex_name("eps0"), latex_name("eps_0"), latex_name("eps_fl"))
    \varepsilon_i \varepsilon_{0} \varepsilon_{\_0} \varepsilon_{\mathrm{fl}}
    >>> print(latex_name("x.2"), latex_name("blocks.h"), latex_name("home"))
    x^{(2)} h^{\mathrm{blocks}} \mathrm{home}
    """
    first, _, last = name.partition(".")
    if last:  # a path: of a map and its function, of a parameter and the number of its edit
        above = f"({last})" if last.isdigit() else rf"\mathrm{{{_words(first)}}}"
        return f"{latex_name(first if last.isdigit() else last, index)}^{{{above}}}"
    match = re.fullmatch(r"([A-Za-z]+?)(_?\d+)?(?:_([^\W_]\w*))?", name, re.ASCII)
    stem, number, suffix = match.groups() if match else (name, None, None)
    if stem == "eps":
        base = r"\varepsilon"
    elif stem in _GREEK:
        base = "\\" + stem
    else:
        base = stem if len(stem) == 1 else rf"\mathrm{{{_words(stem)}}}"
    below = [] if number is None else [_words(number)]
    if suffix:
        below.append(suffix if suffix.isdigit() else rf"\mathrm{{{_words(suffix)}}}")
    if index:
        below.append(index)
    if below == [index] and len(index) == 1:
        return f"{base}_{index}"
    return f"{base}_{{{','.join(below)}}}" if below else base


def _words(text: str) -> str:
    return text.replace("_", r"\_")


def latex_ranges(where: t.Where) -> str:
    r"""Return ranges of sizes in LaTeX.

    >>> print(latex_ranges((t.SizeRange("k", 2, None), t.SizeRange("w", 1, 1))))
    k \ge 2,\ w = 1
    """
    return r",\ ".join(
        rf"{latex_name(r.symbol)} \ge {r.low}"
        if r.high is None
        else f"{latex_name(r.symbol)} = {r.low}"
        if r.low == r.high
        else rf"{r.low} \le {latex_name(r.symbol)} \le {r.high}"
        for r in where
    )


class _Latex(Writer):
    open_last = True

    def number(self, value: Fraction) -> Written:
        if value.denominator == 1:
            return Written(str(value.numerator))
        return Written(rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}", Level.PRODUCT)

    def infinity(self) -> str:
        return r"\infty"

    def name(self, name: str, index: str = "") -> str:
        return latex_name(name, index)

    def bracketed(self, text: str) -> str:
        return rf"\Bigl({text}\Bigr)" if r"\sum" in text or r"\max" in text else f"({text})"

    def product(self, factors: Sequence[str]) -> str:
        found = factors[0]
        for factor in factors[1:]:
            found += rf" \cdot {factor}" if _starts_with_number(factor) else f" {factor}"
        return found

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{{{exponent}}}"

    def maximum(self, items: Sequence[str]) -> str:
        return rf"\max\{{{', '.join(items)}\}}"

    def root(self, of: str) -> str:
        return rf"\sqrt{{{of}}}"

    def applied(self, name: str, items: Sequence[Written]) -> Written:
        texts = [i.text for i in items]
        if name == "growth":
            eps, r = (self.fitted(i, Level.PRODUCT) for i in items)
            said = rf"\frac{{e^{{{self.product([r, eps])}}} - 1}}{{e^{{{texts[0]}}} - 1}}"
            return Written(said, Level.PRODUCT)
        if name == "gdp":
            (eps,) = texts
            said = rf"2\,\Phi^{{-1}}\bigl(e^{{{eps}}} / (1 + e^{{{eps}}})\bigr)"
            return Written(said, Level.PRODUCT)
        symbols = {
            "zcdp_epsilon": r"\varepsilon_{\mathrm{Z}}", "gaussian_delta": r"\delta_{\mathrm{G}}",
            "path_rho": r"\rho_{\mathrm{P}}", "path_mu": r"\mu_{\mathrm{P}}", "tanh": r"\tanh",
            "exp": r"\exp", "log": r"\log",
        }  # fmt: skip
        symbol = symbols.get(name, rf"\operatorname{{{name}}}")
        return Written(f"{symbol}({', '.join(texts)})")

    def largest(self, blocks: Blocks, value: Written) -> Written:
        return Written(rf"\max_{{{_over(blocks)}}} {self._fitted(value)}", Level.OPEN)

    def total(self, blocks: Blocks, value: Written) -> Written:
        each = zip(blocks.letters, blocks.sizes, strict=True)
        signs = " ".join(rf"\sum_{{{letter}=1}}^{{{size}}}" for letter, size in each)
        return Written(f"{signs} {self._fitted(value)}", Level.OPEN)

    def most(self, count: str, blocks: Blocks, value: Written, ordered: str | None) -> Written:
        if ordered is not None:
            sign = rf"\sum_{{j=1}}^{{\min({count}, {blocks.sizes[0]})}}"
            return Written(f"{sign} {ordered}", Level.OPEN)
        below = rf"|S| \le {count}" + _unnamed(blocks)
        return Written(
            rf"\max_{{{below}}} \sum_{{{blocks.index} \in S}} {self._fitted(value)}", Level.OPEN
        )

    def different(self, names: Sequence[str], body: str) -> Written:
        over = r" \neq ".join(names) if len(names) == 2 else ", ".join(names) + r"\ \text{distinct}"
        return Written(rf"\max_{{{over}}} ({body})", Level.OPEN)

    def groups(self, blocks: Blocks, items: Sequence[tuple[str | None, Written]]) -> Written:
        names = [f"S_{{{n}}}" if n > 9 else f"S_{n}" for n in range(1, len(items) + 1)]
        sums = " + ".join(
            rf"\sum_{{{blocks.index} \in {name}}} {self._fitted(value)}"
            for name, (_, value) in zip(names, items, strict=True)
        )
        limits = [
            rf"|{name}| \le {count}"
            for name, (count, _) in zip(names, items, strict=True)
            if count is not None
        ]
        below = ", ".join([rf"{', '.join(names)}\ \text{{disjoint}}", *limits]) + _unnamed(blocks)
        return Written(rf"\max_{{{below}}} \Bigl({sums}\Bigr)", Level.OPEN)

    signs = LATEX_SIGNS

    def amount(self, of: t.Whole, naming: Naming) -> str:
        return rf"\max(0, {naming.integer(of)})"

    def over(self, blocks: Blocks, value: Written, when: str, count: str | None) -> Written:
        each = zip(blocks.letters, blocks.sizes, strict=True)
        range_ = ",\\ ".join(rf"1 \le {letter} \le {size}" for letter, size in each)
        if count is None:
            return Written(rf"\sum_{{{range_},\ {when}}} {self._fitted(value)}", Level.OPEN)
        if count == "1":
            return Written(rf"\max_{{{range_},\ {when}}} {self._fitted(value)}", Level.OPEN)
        below = rf"|S| \le {count}{_unnamed(blocks)},\ {when}\ \text{{in}}\ S"
        return Written(
            rf"\max_{{{below}}} \sum_{{{blocks.index} \in S}} {self._fitted(value)}", Level.OPEN
        )

    def only(self, value: str, when: str) -> Written:
        return Written(rf"[{when}] \cdot ({value})", Level.PRODUCT)

    def largest_of_each(self, limits: Mapping[str, str], last: str, value: Written) -> Written:
        others = [
            rf"\sum_{{{letter}=1}}^{{{size}}}" for letter, size in limits.items() if letter != last
        ]
        largest = rf"\max_{{1 \le {last} \le {limits[last]}}} {self._fitted(value)}"
        return Written(f"{' '.join(others)} {largest}", Level.OPEN)

    def over_integers(self, names: Sequence[str], facts: str, body: Written) -> Written:
        below = ", ".join(names) + (rf":\ {facts}" if facts else "")
        return Written(rf"\max_{{{below}}} {self.fitted(body, Level.OPEN)}", Level.OPEN)

    def over_choices(self, times: str, names: Sequence[str], facts: str, body: Written) -> Written:
        among = rf"{_CHOICES} \subseteq \{{{_tuple(names)}:\ {facts}\}},\ " if facts else ""
        below = rf"{among}|{_CHOICES}| \le {times}"
        return Written(rf"\max_{{{below}}} {self.fitted(body, Level.OPEN)}", Level.OPEN)

    def of_some(self, names: Sequence[str]) -> str:
        return rf"\exists\, {_tuple(names)} \in {_CHOICES}:\ "

    def pair(self, items: Sequence[str]) -> str:
        return rf"\left({', '.join(items)}\right)"

    def no_guarantee(self, *, known: bool) -> str:
        del known
        return self.infinity()

    def cases(self, items: Sequence[tuple[str, t.Where]]) -> str:
        rows = [f"{value} & {latex_ranges(where) or _OTHERWISE}" for value, where in items]
        return rf"\begin{{cases}} {_NEXT.join(rows)} \end{{cases}}"

    def _fitted(self, value: Written) -> str:
        return self.fitted(value, Level.PRODUCT)


def _tuple(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _starts_with_number(factor: str) -> bool:
    return factor[0].isdigit() or factor.startswith(r"\tfrac")


def _over(blocks: Blocks) -> str:
    return ",".join(blocks.letters) + _unnamed(blocks)


def _unnamed(blocks: Blocks) -> str:
    r"""Return what the letters run to, where the value does not tell."""
    if blocks.named:
        return ""
    each = zip(blocks.letters, blocks.sizes, strict=True)
    return "".join(rf",\ {letter} \le {size}" for letter, size in each)


LATEX: Final[Writer] = _Latex()
