"""What may be said in Python where a number, a choice, or yes or no is meant: as in a spec."""

from __future__ import annotations

from collections.abc import Iterable

from dpcomp_sym.errors import InputError, nearest

__all__ = ["check_choice", "check_count", "check_truth"]


def check_choice(said: object, choices: Iterable[str], what: str) -> None:
    """Refuse what is none of some words.

    >>> check_choice("comon", ("separate", "common"), "setting")
    Traceback (most recent call last):
        ...
    dpcomp_sym.errors.InputError: unknown setting 'comon'; did you mean 'common'?
    """
    known = [str(one) for one in choices]
    if said not in known:
        msg = f"unknown {what} '{said}'; {nearest(str(said), known)}"
        raise InputError(msg, word=str(said))


def check_count(said: object, what: str, *, or_symbol: bool = False) -> None:
    """Refuse what is no whole number from 1 on; with ``or_symbol``, names and terms are let pass.

    >>> check_count(0, "the number of blocks")
    Traceback (most recent call last):
        ...
    dpcomp_sym.errors.InputError: the number of blocks is an integer >= 1, not 0
    """
    if or_symbol and isinstance(said, str):
        return
    if type(said) is not int or said < 1:
        msg = f"{what} is an integer >= 1{', or a symbol' if or_symbol else ''}, not {said!r}"
        raise InputError(msg, word=str(said))


def check_truth(said: object, what: str) -> None:
    """Refuse what is not True or False.

    >>> check_truth("no", "'directed'")
    Traceback (most recent call last):
        ...
    dpcomp_sym.errors.InputError: 'directed' is True or False, not 'no'
    """
    if type(said) is not bool:
        msg = f"{what} is True or False, not {said!r}"
        raise InputError(msg, word=str(said))
