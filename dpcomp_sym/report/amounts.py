r"""Exact numbers in plain characters, such as ``1/4*e^-2``, as mathematics in marked prose."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpcomp_sym.report.document import plain
from dpcomp_sym.statements.latex import latex_name

__all__ = ["amounts", "as_math"]

_NUMBER: Final = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_WORDS: Final = "alpha|delta|rho|mu|epsilon|eps"
_SIGNS: Final = ("/", "^", "sqrt", "e+", "e-", "=", "alpha", "epsilon")
_LETTERS: Final = {">=": r"\ge", "<=": r"\le"}


@cache
def _runs(letter: str) -> re.Pattern[str]:
    """Return what is a formula: numbers, names of parameters, and a letter if there is one."""
    words = rf"(?:{_WORDS}{letter and '|'}{re.escape(letter)})(?!\w)"
    atom = rf"(?:sqrt\([^()]*\)|e\^(?:-?\d+|\([^()]*\))|{_NUMBER}|{words})"
    total = rf"{atom}(?:(?: [-+] |[*/^]| (?=alpha)){atom})*"
    whole = rf"(?:\({total}\)/\({total}\)|{total})"
    return re.compile(rf"(?<![\w.\[^*/]){whole}(?: (?:>=|<=|=) {whole})*(?![\w.\]])")


def amounts(text: str, letter: str = "") -> str:
    r"""Return words in which nothing is a mark, and what is written as a formula is one.

    ``letter`` is one, too, where it stands alone.

    >>> print(amounts("1 - 1/2*e^-1 at x_1, of mean 2*t, by t", "t"))
    $1 - \tfrac{1}{2} e^{-1}$ at x_1, of mean $2 \cdot t$, by $t$
    """
    pieces, at = [], 0
    signs = (*_SIGNS, letter) if letter else _SIGNS
    for found in _runs(letter).finditer(text):
        if any(sign in found[0] for sign in signs):
            formula = as_math(found[0])
            if letter:
                formula = re.sub(rf"\b{re.escape(letter)}\b", lambda _: latex_name(letter), formula)
            pieces += [plain(text[at : found.start()]), f"${formula}$"]
            at = found.end()
    return "".join([*pieces, plain(text[at:])])


def as_math(text: str) -> str:
    r"""Return an exact number as LaTeX.

    >>> print(as_math("(1 + e^1)/(2 - 3*e^(1/2))"), as_math("sqrt(3/2)"), as_math("2.5e-06"))
    \dfrac{1 + e}{2 - 3 e^{1/2}} \sqrt{3/2} 2.5 \cdot 10^{-6}
    """
    whole = re.fullmatch(r"\(([^/]*(?:/[^()]*)?.*)\)/\((.*)\)", text)
    if whole is not None and _balanced(whole[1]) and _balanced(whole[2]):
        return rf"\dfrac{{{as_math(whole[1])}}}{{{as_math(whole[2])}}}"
    text = re.sub(r"(\d)e([+-]?\d+)\b", lambda m: rf"{m[1]} \cdot 10^{{{int(m[2])}}}", text)
    text = re.sub(r"e\^\(([^()]*)\)|e\^(-?\d+)", lambda m: f"e^{{{m[1] or m[2]}}}", text)
    text = text.replace("e^{1}", "e").replace("*e^", " e^").replace("*e", " e")
    text = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", text)
    text = re.sub(r"(?<![\w{/])(\d+)/(\d+)(?![\w/}])", r"\\tfrac{\1}{\2}", text)
    text = re.sub(r"(?<![\w.])1\*", "", text)
    text = re.sub(r"\*", r" \\cdot ", text)
    for word, sign in _LETTERS.items():
        text = text.replace(word, sign)
    text = re.sub(r"(?<!\\)\b(alpha|delta|rho|mu)\b", r"\\\1", text)
    return re.sub(r"\beps(?:ilon)?\b", r"\\varepsilon", text)


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0
