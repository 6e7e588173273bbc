r"""Other letters in what LaTeX writes: ``\epsilon`` for ``\varepsilon``, ``x`` for ``D``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from dpcomp_sym.errors import InputError

__all__ = ["check_notation", "in_notation"]

_SYMBOL: Final = r"\\(?:math[a-z]+|boldsymbol)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]"
_BRACES: Final = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_WORDS: Final = r"\\(?:mathrm|operatorname\*?|mathit|mathsf|mathtt|label|tag|begin|end)\{[^{}]*\}"
_WORDS_IN: Final = rf"\\(?:text|mbox){_BRACES}"
_MATH: Final = re.compile(
    rf"(?P<kept>%[^\n]*|\\[%$#&_{{}}\\])"
    rf"|\$(?P<inline>(?:{_WORDS_IN}|\\.|[^$\\])*)\$|\\\[(?P<display>.*?)\\\]"
    rf"|\\ensuremath(?P<sign>{_BRACES})"
    r"|\\begin\{(?P<name>aligned|alignedat|align|equation|gather|multline|cases)\*?\}"
    r"(?P<lines>.*?)\\end\{(?P=name)\*?\}",
    re.DOTALL,
)
_TOKEN: Final = re.compile(
    rf"(?P<text>{_WORDS_IN})|(?P<word>{_WORDS})|(?P<symbol>{_SYMBOL})|(?P<other>\\.|.)",
    re.DOTALL,
)
_STRUCTURE: Final = frozenset(
    rf"\{name}"
    for name in (
        "begin", "end", "text", "mbox", "frac", "tfrac", "dfrac", "sqrt", "left", "right", "label",
        "tag", "operatorname", "mathrm", "limits", "displaystyle", "substack", "dpfit", "quad",
        "qquad", "allowbreak", "ensuremath", "big", "Big", "bigl", "bigr", "mkern", "middle",
    )
)  # fmt: skip
"""Commands that are no letters or signs."""


def check_notation(notation: Mapping[str, str]) -> None:
    r"""Refuse what is no other letter or sign for one.

    Raises:
        InputError: a side is not one letter or sign, or two are to be written alike.

    >>> check_notation({r"\varepsilon": r"\epsilon", "D": r"\mathbf{x}"})
    >>> check_notation({r"\frac": "f"})
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: notation: '\frac' is no letter or sign of mathematics
    """
    for side in (*notation, *notation.values()):
        if not re.fullmatch(_SYMBOL, side) or side in _STRUCTURE:
            said = f"'{side}' is no letter or sign of mathematics"
            raise InputError(said, where="notation", word=side)
    _different(notation, ())


def in_notation(latex: str, notation: Mapping[str, str]) -> str:
    r"""Return LaTeX with other letters and signs in its formulas; words stay as they are.

    Args:
        latex: a whole article, or a part of one.
        notation: a letter, a command such as ``\le`` or a letter in a font, ``\mathcal{X}``, and
            what is written for it.  What does not occur is left alone.

    Raises:
        InputError: what is to be written stands for something else already.

    >>> print(in_notation(r"A database $D \in \mathbb{D}$ at $\varepsilon_D$",
    ...     {"D": "x", r"\mathbb{D}": r"\mathcal{D}", r"\varepsilon": r"\epsilon"}))
    A database $x \in \mathcal{D}$ at $\epsilon_x$
    >>> in_notation("$D(c)$", {"D": "c"})
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: notation: 'c' for 'D' stands for something else here
    """
    if not notation:
        return latex
    start = latex.find(r"\begin{document}")
    before, body = (latex[:start], latex[start:]) if start >= 0 else ("", latex)
    met: list[str] = []

    def seen(symbol: str) -> str:
        met.append(symbol)
        return symbol

    _written(body, seen)
    used = {old: new for old, new in notation.items() if old in met}
    _different(used, set(met) - used.keys())
    return before + _written(body, lambda symbol: used.get(symbol, symbol))


def _different(notation: Mapping[str, str], others: Collection[str]) -> None:
    """Refuse two things that are to be written alike."""
    taken = set(others)
    for old, new in notation.items():
        if new in taken:
            said = f"'{new}' for '{old}' stands for something else here"
            raise InputError(said, where="notation", word=new)
        taken.add(new)


def _written(text: str, name: Callable[[str], str]) -> str:
    """Return words and formulas, with other names for the symbols of formulas."""

    def formula(m: re.Match[str]) -> str:
        kind = next((k for k in ("inline", "display", "sign", "lines") if m[k] is not None), None)
        if kind is None:
            return m[0]
        before, after = text[m.start() : m.start(kind)], text[m.end(kind) : m.end()]
        return f"{before}{''.join(_symbols(m[kind], name))}{after}"

    return _MATH.sub(formula, text)


def _symbols(formula: str, name: Callable[[str], str]) -> Iterator[str]:
    """Yield the pieces of a formula; a command that gets a letter behind it, with a space."""
    pieces = [_piece(m, name) for m in _TOKEN.finditer(formula)]
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        yield f"{piece} " if re.fullmatch(r"\\[A-Za-z]+", piece) and after[:1].isalpha() else piece


def _piece(m: re.Match[str], name: Callable[[str], str]) -> str:
    if m["text"] is not None:
        return _written(m["text"], name)
    if m["symbol"] is not None and m["symbol"] not in _STRUCTURE:
        return name(m["symbol"])
    return m[0]
