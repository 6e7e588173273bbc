"""Expressions in plain characters.

>>> three = t.Worst(("k",), (t.Choice(t.Num(Fraction(3)), t.BlockEntry("eps", ("k",))),))
>>> render(t.Sum((three, t.Param("eps0"))), PLAIN)
'(sum of the 3 largest eps[i]) + eps0'
>>> render(t.Product((t.Num(Fraction(2)), three)), PLAIN)
'2*(sum of the 3 largest eps[i])'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import PLAIN_SIGNS, Naming
from dpcomp_sym.statements.render import Blocks, Level, Writer, Written, render

__all__ = ["PLAIN", "Plain", "plain_integers", "plain_text", "ranges"]


def plain_text(e: t.Expr, at: Level = Level.CASES) -> str:
    """Return an expression in plain characters."""
    return render(e, PLAIN, at)


def plain_integers(term: t.Whole | t.Predicate) -> str:
    """Return an integer or a condition in plain characters.

    >>> plain_integers(t.Compared("le", t.Letter(1), t.Index(1)))
    'p1 <= b1'
    """
    naming = Naming(PLAIN_SIGNS)
    return naming.integer(term) if isinstance(term, t.Whole) else naming.predicate(term)


def ranges(where: t.Where) -> str:
    """Return ranges of sizes in plain characters.

    >>> ranges((t.SizeRange("k", 2, None), t.SizeRange("w", 1, 1)))
    'k >= 2 and w = 1'
    """
    return " and ".join(
        f"{r.symbol} >= {r.low}"
        if r.high is None
        else f"{r.symbol} = {r.low}"
        if r.low == r.high
        else f"{r.low} <= {r.symbol} <= {r.high}"
        for r in where
    )


class Plain(Writer):
    """Formulas in plain characters."""

    open_last = False

    def number(self, value: Fraction) -> Written:
        return Written(str(value), Level.ATOM if value.denominator == 1 else Level.PRODUCT)

    def infinity(self) -> str:
        return "inf"

    def name(self, name: str, index: str = "") -> str:
        return f"{name}[{index}]" if index else name

    def bracketed(self, text: str) -> str:
        return f"({text})"

    def product(self, factors: Sequence[str]) -> str:
        return "*".join(factors)

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{exponent}"

    def maximum(self, items: Sequence[str]) -> str:
        return f"max({', '.join(items)})"

    def root(self, of: str) -> str:
        return f"sqrt({of})"

    def applied(self, name: str, items: Sequence[Written]) -> Written:
        return Written(f"{name}({', '.join(self.fitted(i, Level.SUM) for i in items)})")

    def largest(self, blocks: Blocks, value: Written) -> Written:
        return Written(f"max({value.text}{_family(blocks)})")

    def total(self, blocks: Blocks, value: Written) -> Written:
        return Written(f"sum({value.text}{_family(blocks)})")

    def most(self, count: str, blocks: Blocks, value: Written, ordered: str | None) -> Written:
        del ordered
        of = value.text
        if value.level < Level.PRODUCT or not blocks.named:
            of = f"({of}{_family(blocks)})"
        return Written(f"sum of the {count} largest {of}", Level.OPEN)

    def different(self, names: Sequence[str], body: str) -> Written:
        over = " != ".join(names) if len(names) == 2 else f"different {', '.join(names)}"
        return Written(f"max over {over} of ({body})", Level.OPEN)

    def groups(self, blocks: Blocks, items: Sequence[tuple[str | None, Written]]) -> Written:
        each = "; ".join(f"{count or 'all'} of {value.text}" for count, value in items)
        return Written(f"max over different blocks({each}{_family(blocks)})")

    signs = PLAIN_SIGNS

    def amount(self, of: t.Whole, naming: Naming) -> str:
        return f"max(0, {naming.integer(of)})"

    def over(self, blocks: Blocks, value: Written, when: str, count: str | None) -> Written:
        of = f"{self.fitted(value, Level.SUM)} for {when}{_family(blocks)}"
        if count is None:
            return Written(f"sum({of})")
        if count == "1":
            return Written(f"max({of})")
        return Written(f"sum of the {count} largest ({of})", Level.OPEN)

    def only(self, value: str, when: str) -> Written:
        return Written(f"({value} if {when})")

    def largest_of_each(self, limits: Mapping[str, str], last: str, value: Written) -> Written:
        others = ", ".join(letter for letter in limits if letter != last)
        of = self.fitted(value, Level.PRODUCT)
        return Written(f"sum over {others} of max over {last} of {of}", Level.OPEN)

    def over_integers(self, names: Sequence[str], facts: str, body: Written) -> Written:
        over = ", ".join(names) + (f" with {facts}" if facts else "")
        return Written(f"max over {over} of {self.fitted(body, Level.PRODUCT)}", Level.OPEN)

    def over_choices(self, times: str, names: Sequence[str], facts: str, body: Written) -> Written:
        over = f"{times} choices of {', '.join(names)}" + (f" with {facts}" if facts else "")
        return Written(f"max over {over} of {self.fitted(body, Level.PRODUCT)}", Level.OPEN)

    def of_some(self, names: Sequence[str]) -> str:
        del names  # that there are choices is said where the blocks are summed up
        return ""

    def pair(self, items: Sequence[str]) -> str:
        return f"({', '.join(items)})"

    def no_guarantee(self, *, known: bool) -> str:
        return "inf (no guarantee)" if known else "inf (not known)"

    def cases(self, items: Sequence[tuple[str, t.Where]]) -> str:
        return "; ".join(f"{value} for {ranges(where) or 'all'}" for value, where in items)


def _family(blocks: Blocks) -> str:
    """Return which blocks are meant, where the value does not tell."""
    if blocks.named:
        return ""
    each = zip(blocks.letters, blocks.sizes, strict=True)
    return "; " + ", ".join(f"{letter} <= {size}" for letter, size in each)


PLAIN: Final[Writer] = Plain()
