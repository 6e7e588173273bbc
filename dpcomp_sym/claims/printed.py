"""Claims as bounds are printed, in Python's words: the first step of reading a claim.

What is printed says "max over t of sum(eps[i] for t <= i < t + w)".  Python's grammar has no such
sentences, but the same in its own words, in which claims can also be written:

====================================  ====================================================
printed                               in Python's words
====================================  ====================================================
``max over t, u with t < u of …``     ``max((…) for t, u in integers if t < u)``
``max over r choices of t of …``      ``choices(r, max((…) for t in integers))``
``sum(a[i] for t <= i)``              ``sum((a[i] if t <= i else 0))``
``sum(1 for t <= i; i <= k)``         ``sum((1 if t <= i else 0) for i in k)``
``sum over i of max over j of …``     ``sum(max((…) for j in blocks) for i in blocks)``
``sum of the 3 largest a[i]``         ``top(3, a[i])``
``max over i != j of (…)``            ``max((…))``
``mu[i]^2``                           ``mu[i]**2``
====================================  ====================================================
"""

from __future__ import annotations

import re
from typing import Final

from dpcomp_sym.errors import InputError

__all__ = ["in_python"]

_TOKENS: Final = re.compile(r"\s+|\w+|\*\*|//|[<>=!]=|.")
_CLOSING: Final = {"(": ")", "[": "]"}
_ENDS: Final = frozenset({")", "]", ",", ";", "for", "if", "of", "with", "largest"})
_SIGNS: Final = frozenset({"+", "-"})
_RANGE: Final = re.compile(r"\s*(\w+)\s*<=\s*(\w+)\s*")


def in_python(text: str) -> str:
    """Return a claim in Python's words; what is written in them is returned as it stands.

    Raises:
        InputError: a sentence is not finished, or reaches further than it can be seen to.

    >>> in_python("(max over t of sum(eps[i] for t <= i < t + w))/2")
    '(max((sum((eps[i] if t <= i < t + w else 0))) for t in integers))/2'
    >>> in_python("2*max(eps[i])")
    '2*max(eps[i])'
    """
    return _Printed(text).whole()


class _Printed:
    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.at = text, [*map(str, _TOKENS.findall(text))], 0

    def fail(self, message: str) -> InputError:
        return InputError(f"cannot read '{self.text}': {message}", word=self.text)

    def whole(self) -> str:
        found = self.formula(frozenset())
        return found.strip()

    # ------------------------------------------------------------- words

    def ahead(self, number: int = 1) -> list[str]:
        """Return the next words and signs, without spaces."""
        found: list[str] = []
        for token in self.tokens[self.at :]:
            if len(found) == number:
                break
            if not token.isspace():
                found.append(token)
        return found

    def take(self) -> str:
        """Return the next token, which can be space."""
        self.at += 1
        return self.tokens[self.at - 1]

    def taken(self, *words: str) -> bool:
        """Leave some words behind, if they come next."""
        if self.ahead(len(words)) != list(words):
            return False
        for _ in words:
            while self.take().isspace():
                pass
        return True

    def must(self, *words: str) -> None:
        if not self.taken(*words):
            raise self.fail(f"'{' '.join(words)}' is missing")

    # ------------------------------------------------------------- sentences

    def formula(self, ends: frozenset[str]) -> str:
        """Return what comes before one of some words, outside of all brackets."""
        found = ""
        while (following := self.ahead()) and following[0] not in ends:
            found += self.piece()
        return found

    def piece(self) -> str:
        """Return a token, a sentence or something in brackets."""
        if self.tokens[self.at].isspace():
            return self.take()
        if self.taken("max", "over", "different", "blocks"):
            raise self.fail("claims have no words for groups of blocks of several kinds")
        if self.taken("max", "over"):
            return self.largest()
        if self.taken("sum", "over"):
            return self.largest_of_each()
        if self.taken("sum", "of", "the"):
            count = self.formula(frozenset({"largest"}))
            self.must("largest")
            return f"top({count.strip()}, {self.reaching()})"
        sign = self.take()
        if sign in _CLOSING:
            return self.bracketed(sign)
        return "**" if sign == "^" else sign

    def reaching(self) -> str:
        """Return what a sentence is about that has no end of its own: a product."""
        found = self.formula(_ENDS | _SIGNS)
        if not found.strip():
            raise self.fail("it ends too early")
        if self.ahead()[:1] and self.ahead()[0] in _SIGNS:
            raise self.fail("put a 'max over … of …' or 'sum of the … largest …' in brackets, or "
                            "the sum that it is about")  # fmt: skip
        return found.strip()

    def largest(self) -> str:
        """Return a largest value over integers, or over different blocks."""
        names = self.formula(frozenset({"of", "with"})).strip()
        facts = ""
        if names.endswith(" choices"):
            self.must("of")
            times = names.removesuffix(" choices")
            return f"choices({times}, {self.largest()})"
        if self.taken("with"):
            facts = f" if {self.formula(frozenset({'of'})).strip()}"
        self.must("of")
        body = self.reaching()
        if "!" in names or names.startswith("different "):
            return f"max({body})"
        return f"max(({body}) for {names} in integers{facts})"

    def largest_of_each(self) -> str:
        """Return the sum, over some indices, of the largest value over another one."""
        others = self.formula(frozenset({"of"})).strip()
        self.must("of", "max", "over")
        last = self.formula(frozenset({"of"})).strip()
        self.must("of")
        return f"sum(max(({self.reaching()}) for {last} in blocks) for {others} in blocks)"

    def bracketed(self, opening: str) -> str:
        """Return what stands in brackets: a value may have a condition, and blocks."""
        inner = self.formula(frozenset({")", "]", ";", "for", "if"}))
        if opening == "(":
            inner = self.with_condition(inner)
        inner += self.formula(frozenset({")", "]"}))
        self.must(_CLOSING[opening])
        return f"{opening}{inner}{_CLOSING[opening]}"

    def with_condition(self, value: str) -> str:
        """Return a value that counts under a condition; what is Python already stays as it is."""
        if self.for_in_python():
            return value
        printed = self.ahead()
        if printed and printed[0] in {"for", "if"}:
            self.must(printed[0])
            when = self.formula(frozenset({")", ";", "else"})).strip()
            if self.ahead() == ["else"]:
                return f"{value} if {when}"
            value = f"({value.strip()} if {when} else 0)"
        return value + (self.blocks() if self.taken(";") else "")

    def for_in_python(self) -> bool:
        """Return whether a "for" has the names and the "in" of Python."""
        following = self.ahead(len(self.tokens))
        if following[:1] != ["for"]:
            return False
        names = following[1:]
        while names[1:2] == [","]:
            names = names[2:]
        return names[1:2] == ["in"]

    def blocks(self) -> str:
        """Return over which blocks something runs: "i <= k, j <= 3"."""
        found = self.formula(frozenset({")"}))
        ranges = [_RANGE.fullmatch(one) for one in found.split(",")]
        if not all(ranges):
            raise self.fail(f"'{found.strip()}' does not say of which blocks, as in 'i <= k'")
        return "".join(f" for {one[1]} in {one[2]}" for one in ranges if one)
