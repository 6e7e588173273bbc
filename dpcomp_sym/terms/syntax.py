"""From text to Python's syntax tree: the first step of every reader of formulas."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from dpcomp_sym.errors import InputError

__all__ = ["parts_of", "tree_of"]

_EQUALS: Final = re.compile(r"(?<![=<>!])=(?!=)")


def parts_of(text: str) -> list[str]:
    """Return what stands between the commas of a tuple; the text itself if it is not a tuple.

    >>> parts_of("row, max(a, b)"), parts_of("max(a, b)")
    (['row', 'max(a, b)'], ['max(a, b)'])
    """
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found]


def tree_of(text: str) -> ast.expr:
    """Return the tree of a formula on one line.

    Raises:
        InputError: Python's grammar has no such expression.
        RecursionError: it is nested too deeply; so may MemoryError be, by Python's parser.

    >>> type(tree_of("1 + 2")).__name__
    'BinOp'
    >>> tree_of("1 +")
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: cannot read '1 +': invalid syntax
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "1 is 2" warns when it is read; readers refuse it
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError) as error:
        hint = "; to compare, write ==" if _EQUALS.search(text) else ""
        raise InputError(f"cannot read '{text}': {error.args[0]}{hint}", word=text) from None
