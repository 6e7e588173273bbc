r"""Exact numbers in plain characters, such as ``1/4*e^-2``, as mathematics in marked prose."""

from __future__ import annotations

import re
from typing import Final

from dpcomp_sym.report.document import plain

__all__ = ["amounts", "as_math"]

_NUMBER: Final = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_WORD: Final = (
    r"(?:P\[event \| D'?\]|D_alpha\(M\(D\) \|\| M\(D'\)\)|D_alpha|T\(M\(D\), M\(D'\)\)"
    r"|alpha|delta|rho|mu|epsilon|eps|t)(?!\w)"
)
_ATOM: Final = (
    r"(?:min\(d\(E, x\), \d+\)|sqrt\([^()]*\)|Phi\([^()]*\)|e\^(?:-?\d+|\([^()]*\))"
    rf"|{_NUMBER}|{_WORD})"
)
_SUM: Final = rf"{_ATOM}(?:(?: [-+] |[*/^]| (?=alpha|Phi)){_ATOM})*"
_WHOLE: Final = rf"(?:\({_SUM}\)/\({_SUM}\)|{_SUM})"
_RUN: Final = re.compile(rf"(?<![\w.\[^*/]){_WHOLE}(?: (?:>=|<=|=) {_WHOLE})*(?![\w.\]])")
_SIGNS: Final = ("/", "^", "sqrt", "min(", "e+", "e-", "=", "alpha", "epsilon", "Phi", "P[", "T(")
_LETTERS: Final = {
    "P[event | D]": r"P[\text{event} \mid D]", "P[event | D']": r"P[\text{event} \mid D']",
    "||": r"\,\|\,", "D_alpha": r"D_\alpha", ">=": r"\ge", "<=": r"\le", "Phi": r"\Phi",
}  # fmt: skip


def amounts(text: str) -> str:
    r"""Return words in which nothing is a mark, and what is written as a formula is one.

    >>> print(amounts("1 - 1/2*e^-1 at x_1, min(d(E, x), 2) at 3"))
    $1 - \tfrac{1}{2} e^{-1}$ at x_1, $\min\{d(E, x), 2\}$ at 3
    """
    pieces, at = [], 0
    for found in _RUN.finditer(text):
        if any(sign in found[0] for sign in _SIGNS):
            pieces += [plain(text[at : found.start()]), f"${as_math(found[0])}$"]
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
    text = re.sub(r"min\(d\(E, x\), (\d+)\)", r"\\min\\{d(E, x), \1\\}", text)
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
