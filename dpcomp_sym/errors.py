"""Errors in what a user gives, each with the place and the nearest valid word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["InputError", "NoNumberError", "UnwrittenError", "foreign_letter", "nearest"]


class InputError(ValueError):
    """Something the user wrote cannot be used: what is wrong, where, and what would be right.

    ``where`` is the place inside the input ("map 'blocks', member"); ``word`` the offending
    word, with which a reader of a file can find the line.
    """

    def __init__(self, message: str, *, where: str = "", word: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where
        self.word = word

    def within(self, where: str) -> InputError:
        """Return the same error, placed inside ``where``."""
        place = f"{where}, {self.where}" if self.where else where
        return InputError(self.message, where=place, word=self.word)


class NoNumberError(InputError):
    """A bound has no number, though all numbers in it are given: the message says why."""


class UnwrittenError(Exception):
    """A derivation cannot be written as a file for Rocq; the message says why."""


def nearest(word: str, valid: Iterable[str]) -> str:
    r"""Say which valid word was probably meant, or which words there are.

    >>> nearest("ownr", ["owner", "time"])
    "did you mean 'owner'?"
    >>> nearest("own\u0435r", ["owner", "time"])
    "did you mean 'owner'? (its 'е' is U+0435, CYRILLIC SMALL LETTER IE)"
    >>> nearest("zzz", ["owner", "time"])
    'known here: owner, time'
    """
    import difflib

    names = sorted(set(valid))
    close = difflib.get_close_matches(word, names, n=1)
    if close:
        return f"did you mean '{close[0]}'?" + foreign_letter(word)
    return "known here: " + (", ".join(names[:30]) if names else "nothing")


def foreign_letter(text: str) -> str:
    r"""Name the first character that is not ASCII but may look as if it were; "" if none is.

    >>> foreign_letter("own\u0435r")
    " (its 'е' is U+0435, CYRILLIC SMALL LETTER IE)"
    >>> foreign_letter("owner")
    ''
    """
    for letter in text:
        if not letter.isascii():
            name = unicodedata.name(letter, "a character without a name")
            shown = f"'{letter}' is " if letter.isprintable() else ""
            return f" (its {shown}U+{ord(letter):04X}, {name})"
    return ""
