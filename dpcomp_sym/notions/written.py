"""Small formulas in LaTeX that notions are written with."""

from __future__ import annotations

__all__ = ["beside", "factor", "squared"]


def beside(factor: str, formula: str) -> str:
    r"""Return a product of two formulas; a factor 1 is left out.

    >>> beside("1", "r"), beside(r"\mu", "r")
    ('r', '\\mu \\, r')
    """
    return formula if factor == "1" else rf"{factor} \, {formula}"


def factor(text: str) -> str:
    r"""Return a formula as a factor: a sum in brackets.

    >>> factor(r"\mu \, r"), factor("a + b")
    ('\\mu \\, r', '\\bigl(a + b\\bigr)')
    """
    return rf"\bigl({text}\bigr)" if " + " in text else text


def squared(text: str) -> str:
    r"""Return the square of a formula.

    >>> squared(r"\mu"), squared("a b"), squared(r"\sqrt{x}")
    ('\\mu^2', '\\bigl(a b\\bigr)^2', 'x')
    >>> squared(r"\sqrt{x} \sqrt{y}")
    '\\bigl(\\sqrt{x} \\sqrt{y}\\bigr)^2'
    """
    root = r"\sqrt{"
    if text.startswith(root) and text.endswith("}") and _is_closed(text[len(root) : -1]):
        return text[len(root) : -1]
    plain_letter = len(text) == 1 or (text.startswith("\\") and text[1:].isalpha())
    return f"{text}^2" if plain_letter else rf"\bigl({text}\bigr)^2"


def _is_closed(text: str) -> bool:
    """Return whether all braces of a formula are closed in it."""
    depth = 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            return False
    return depth == 0
