r"""Expressions as formulas: one fold, one table of precedence, one writer a language.

What is written can be read back: whatever would reach further than it should, or binds less than
its place demands, stands in brackets.  From weak to tight:

===========  ===========================================  ===================================
level        in plain characters                          in LaTeX
===========  ===========================================  ===================================
``CASES``    ``a for k = 1; b for k >= 2``                a table of cases
``SUM``      ``a + b``                                    :math:`a + b`
``OPEN``     ``sum of the 3 largest a[i]``: reaches to    :math:`\max_i a_i`
             the end of a product
``PRODUCT``  ``2*a``, ``a^2``, ``1/2``                    :math:`2 a`, :math:`a^2`
``ATOM``     ``a``, ``a[i]``, ``max(a[i])``, ``(a + b)``  :math:`a`, :math:`\sqrt{a}`
===========  ===========================================  ===================================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, auto
from fractions import Fraction
from itertools import groupby
from typing import ClassVar, Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import TRUE, Naming, Signs, letters_for

__all__ = [
    "Blocks", "Level", "Writer", "Written", "largest_of_each", "letters", "render", "tupled",
    "whole",
]  # fmt: skip

MOST_NAMED: Final = 3
"""Up to this many different blocks are called by different letters."""
_LETTERS: Final = "ijlnst"
_ONE: Final = t.Num(Fraction(1))
_ZERO: Final = t.Num(Fraction(0))


class Level(IntEnum):
    """How tightly a formula binds."""

    CASES = auto()
    SUM = auto()
    OPEN = auto()
    PRODUCT = auto()
    ATOM = auto()


@dataclass(frozen=True)
class Written:
    """A formula and how tightly it binds."""

    text: str
    level: Level = Level.ATOM


@dataclass(frozen=True)
class Blocks:
    """A choice of blocks of a family, as a writer needs it.

    Attributes:
        letters: the index of the block at hand, one letter for each size.
        sizes: what the letters run up to, written.
        named: whether the value itself tells which family is meant.
    """

    letters: tuple[str, ...]
    sizes: tuple[str, ...]
    named: bool

    @property
    def index(self) -> str:
        """The index of the block at hand as one sign."""
        return tupled(self.letters)


class Writer(ABC):
    """How the operators are written in a language: plain characters, or LaTeX."""

    open_last: ClassVar[bool]
    """Whether the last factor of a product may reach to the right, as in 2 max a[i]."""

    @abstractmethod
    def number(self, value: Fraction) -> Written:
        """Write a number."""

    @abstractmethod
    def infinity(self) -> str:
        """Write infinity."""

    @abstractmethod
    def name(self, name: str, index: str = "") -> str:
        """Write a parameter or a size, with the block at hand."""

    @abstractmethod
    def bracketed(self, text: str) -> str:
        """Put a formula in brackets."""

    def fitted(self, written: Written, at: Level) -> str:
        """Return a formula, in brackets if it binds less tightly than that."""
        return written.text if written.level >= at else self.bracketed(written.text)

    @abstractmethod
    def product(self, factors: Sequence[str]) -> str:
        """Write a product of factors that bind tightly enough."""

    @abstractmethod
    def power(self, base: str, exponent: int) -> str:
        """Write a power of an atom."""

    @abstractmethod
    def maximum(self, items: Sequence[str]) -> str:
        """Write the largest of several numbers."""

    @abstractmethod
    def root(self, of: str) -> str:
        """Write a square root."""

    @abstractmethod
    def applied(self, name: str, items: Sequence[Written]) -> Written:
        """Write a named function."""

    @abstractmethod
    def largest(self, blocks: Blocks, value: Written) -> Written:
        """Write the largest value of a block."""

    @abstractmethod
    def total(self, blocks: Blocks, value: Written) -> Written:
        """Write the sum of the values of all blocks."""

    @abstractmethod
    def most(self, count: str, blocks: Blocks, value: Written, ordered: str | None) -> Written:
        """Write the largest sum of the values of so many blocks.

        ``ordered`` is the value of the block at place j, where the value grows with its only
        parameter, so that the blocks have the same order in both.
        """

    @abstractmethod
    def different(self, names: Sequence[str], body: str) -> Written:
        """Write the largest sum over different blocks with these names."""

    @abstractmethod
    def groups(self, blocks: Blocks, items: Sequence[tuple[str | None, Written]]) -> Written:
        """Write the largest sum over groups of blocks: how many (None for all), and the value."""

    @abstractmethod
    def amount(self, of: t.Whole, naming: Naming) -> str:
        """Write an integer as a number that is not negative."""

    @abstractmethod
    def over(self, blocks: Blocks, value: Written, when: str, count: str | None) -> Written:
        """Write the total over the blocks with a condition, or over so many of them."""

    @abstractmethod
    def only(self, value: str, when: str) -> Written:
        """Write a value that counts under a condition."""

    @abstractmethod
    def largest_of_each(self, limits: Mapping[str, str], last: str, value: Written) -> Written:
        """Write the sum, over all indices but the last, of the largest value over this one."""

    @abstractmethod
    def over_integers(self, names: Sequence[str], facts: str, body: Written) -> Written:
        """Write the largest value over integers with these names, and with facts."""

    @abstractmethod
    def over_choices(self, times: str, names: Sequence[str], facts: str, body: Written) -> Written:
        """Write the largest value over so many choices of integers."""

    @abstractmethod
    def of_some(self, names: Sequence[str]) -> str:
        """Write, before a condition, that it holds for one of several choices of integers."""

    @property
    @abstractmethod
    def signs(self) -> Signs:
        """How integers and conditions are written."""

    @abstractmethod
    def pair(self, items: Sequence[str]) -> str:
        """Write the parameters of a guarantee that has several."""

    def together(self, items: Sequence[str]) -> str:
        """Write the parameters of a guarantee."""
        return items[0] if len(items) == 1 else self.pair(items)

    @abstractmethod
    def no_guarantee(self, *, known: bool) -> str:
        """Write that there is no finite guarantee, or that none is known."""

    @abstractmethod
    def cases(self, items: Sequence[tuple[str, t.Where]]) -> str:
        """Write what holds in each of several ranges."""


def letters(sizes: t.Sizes, start: int = 0) -> tuple[str, ...]:
    """Return the index of a block of a family, from some place of the alphabet on.

    >>> letters(("k", "m")), letters(("k",), 1), letters(("k",), 6)
    (('i', 'j'), ('j',), ('i1',))
    """
    found = (divmod(start + n, len(_LETTERS)) for n in range(len(sizes)))
    return tuple(_LETTERS[place] + (str(again) if again else "") for again, place in found)


def tupled(index: tuple[str, ...]) -> str:
    """Return an index as one sign.

    >>> tupled(("i",)), tupled(("i", "j"))
    ('i', '(i,j)')
    """
    return index[0] if len(index) == 1 else f"({','.join(index)})"


def render(e: t.Expr, writer: Writer, at: Level = Level.CASES) -> str:
    """Return an expression as a formula.

    Args:
        e: the expression; what is about "the block at hand" has the index i.
        writer: the language.
        at: how tightly the formula has to bind in the place where it will stand.
    """
    return _Renderer(writer).placed(e, at)


def whole(
    guarantee: Sequence[t.Expr],
    writer: Writer,
    unsettled: Callable[[t.Where], bool] = lambda _: False,
) -> str:
    """Return the parameters of a guarantee as one formula: a pair for (epsilon, delta).

    ``unsettled`` says for which sizes it is open whether there is a finite guarantee.

    >>> from dpcomp_sym.statements.plain import PLAIN
    >>> whole((t.Param("eps"), t.Param("delta")), PLAIN), whole((t.Inf(), t.Inf()), PLAIN)
    ('(eps, delta)', 'inf (no guarantee)')
    """
    first = guarantee[0]
    if all(isinstance(e, t.Inf) for e in guarantee):
        return writer.no_guarantee(known=not unsettled(()))
    if not isinstance(first, t.Cases):
        return writer.together([render(e, writer, Level.SUM) for e in guarantee])
    rows = []
    for n, case in enumerate(first.items):
        values = [e.items[n].value if isinstance(e, t.Cases) else e for e in guarantee]
        if not all(isinstance(e, t.Inf) for e in values):
            text = writer.together([render(e, writer, Level.SUM) for e in values])
        elif unsettled(case.where):
            text = writer.no_guarantee(known=False)
        else:
            text = writer.infinity()
        rows.append((text, case.where))
    return writer.cases(rows)


@dataclass(frozen=True)
class _Renderer:
    writer: Writer
    open: Mapping[t.Sizes, tuple[str, ...]] = field(default_factory=dict)
    """The index of the block at hand, for each family of which one is."""
    used: int = 0
    """How many letters are taken."""
    letters: Sequence[str] = ()
    """What the bound parameters are called."""
    index: Sequence[str] = ()
    some: str = ""
    """What stands before a condition that holds for one of several choices of these."""

    def within(self, sizes: t.Sizes, index: tuple[str, ...], used: int) -> _Renderer:
        open_ = {**self.open, sizes: index}
        return _Renderer(self.writer, open_, used, self.letters, index, self.some)

    @property
    def naming(self) -> Naming:
        return Naming(self.writer.signs, self.writer.name, self.letters, self.index)

    def placed(self, e: t.Expr, at: Level) -> str:
        return self.fitted(self.of(e), at)

    def fitted(self, written: Written, at: Level) -> str:
        return self.writer.fitted(written, at)

    def of(self, e: t.Expr) -> Written:
        writer = self.writer
        match e:
            case t.Num(value):
                return writer.number(value)
            case t.Inf():
                return Written(writer.infinity())
            case t.Param(name) | t.Size(name):
                return Written(writer.name(name))
            case t.BlockEntry(name, sizes):
                return Written(writer.name(name, ",".join(self.open.get(sizes, letters(sizes)))))
            case t.EntryOf(name, _, block):
                return Written(writer.name(name, ",".join(map(str, block))))
            case t.Sum(items) | t.Product(items) | t.Max(items) if len(items) < 2:
                return self.of(items[0]) if items else self.empty(e)
            case t.Sum(items):
                return self.sum(items)
            case t.Product(items):
                return self.product(items)
            case t.Max(items):
                return Written(writer.maximum([self.placed(i, Level.SUM) for i in items]))
            case t.Sqrt(of):
                return Written(writer.root(self.placed(of, Level.SUM)))
            case t.Apply(name, items):
                return writer.applied(name, [self.of(i) for i in items])
            case t.Worst():
                return self.worst(e)
            case t.Amount(of):
                return Written(self.writer.amount(of, self.naming))
            case t.SumOver():
                return self.over(e)
            case t.MaxOver():
                return self.over_integers(e)
            case t.Coverage():
                return self.over_choices(e)
            case t.Cases(items):
                rows = [(self.placed(c.value, Level.SUM), c.where) for c in items]
                return Written(writer.cases(rows), Level.CASES)
            case _:
                raise TypeError(f"no expression: {e!r}")

    def empty(self, e: t.Expr) -> Written:
        return self.of(_ONE if isinstance(e, t.Product) else _ZERO)

    def sum(self, items: Sequence[t.Expr]) -> Written:
        """Write a sum; what reaches to the right without brackets comes last."""
        *before, last = items
        parts = [self.placed(i, Level.PRODUCT) for i in before] + [self.placed(last, Level.OPEN)]
        return Written(" + ".join(parts), Level.SUM)

    def product(self, items: Sequence[t.Expr]) -> Written:
        runs = [(item, len(list(run))) for item, run in groupby(items)]
        factors = []
        level = Level.PRODUCT
        for n, (item, times) in enumerate(runs, start=1):
            inner = self.of(item)
            at = Level.PRODUCT
            # A product inside a product is one factor: it is seen to be one.
            if times > 1 or isinstance(item, t.Product):
                at = Level.ATOM
            elif n == len(runs) and inner.level is Level.OPEN and self.writer.open_last:
                at = level = Level.OPEN
            text = self.fitted(inner, at)
            factors.append(text if times == 1 else self.writer.power(text, times))
        return Written(self.writer.product(factors), level)

    # ------------------------------------------------------------- over blocks

    def worst(self, e: t.Worst) -> Written:
        if not e.groups:
            return self.of(_ZERO)
        if len(e.groups) > 1 and _can_be_named(e):
            return self.named(e)
        index = letters(e.sizes, self.used)
        blocks = self.blocks(e, index)
        inside = self.within(e.sizes, index, self.used + len(index))
        values = [inside.of(g.value) for g in e.groups]
        if len(e.groups) > 1:
            return self.writer.groups(
                blocks, list(zip([self.count(g.count) for g in e.groups], values, strict=True))
            )
        (group,), (value,) = e.groups, values
        count = self.count(group.count)
        if group.count == _ONE:
            return self.writer.largest(blocks, value)
        if count is None:
            return self.writer.total(blocks, value)
        ordered = None
        if len(e.sizes) == 1 and _grows_with_its_entry(group.value):
            place = self.within(e.sizes, ("(j)",), self.used)
            ordered = place.placed(group.value, Level.PRODUCT)
        return self.writer.most(count, blocks, value, ordered)

    def named(self, e: t.Worst) -> Written:
        """Write different blocks by different letters."""
        values = [g.value for g in e.groups for _ in range(_number(g.count))]
        width = len(e.sizes)
        names = [letters(e.sizes, self.used + n * width) for n in range(len(values))]
        used = self.used + len(values) * width
        summands = [
            self.within(e.sizes, index, used).placed(value, Level.PRODUCT)
            for value, index in zip(values, names, strict=True)
        ]
        return self.writer.different(list(map(tupled, names)), " + ".join(summands))

    def over(self, e: t.SumOver) -> Written:
        """Write a total over the blocks with a condition."""
        index = letters(e.sizes, self.used)
        inside = self.within(e.sizes, index, self.used + len(index))
        value, when = inside.of(e.value), self.some + inside.naming.predicate(e.when)
        if not e.sizes:
            if e.when == TRUE:
                return value
            return self.writer.only(self.fitted(value, Level.SUM), when)
        blocks = Blocks(index, self.ends(e.sizes), named=_speaks_of(e.value, e.sizes))
        if e.when != TRUE:
            return self.writer.over(blocks, value, when, self.count(e.count))
        if isinstance(e.count, t.Inf):
            return self.writer.total(blocks, value)
        if e.count == _ONE:
            return self.writer.largest(blocks, value)
        return self.writer.most(self.count(e.count) or "", blocks, value, None)

    def over_integers(self, e: t.MaxOver) -> Written:
        """Write the largest value over integers."""
        if (last := largest_of_each(e)) is not None and isinstance(e.body, t.SumOver):
            sizes = e.body.sizes
            index = letters(sizes, self.used)
            inside = self.within(sizes, index, self.used + len(index))
            limits = dict(zip(index, self.ends(sizes), strict=True))
            return self.writer.largest_of_each(limits, index[last - 1], inside.of(e.body.value))
        names = letters_for(e, e.free, self.used, letters)
        inside = replace(self, letters=names)
        body = inside.of(e.body)
        facts = "" if e.facts == TRUE else inside.naming.predicate(e.facts)
        if not names:
            return self.writer.only(self.fitted(body, Level.SUM), facts) if facts else body
        return self.writer.over_integers(names, facts, body)

    def over_choices(self, e: t.Coverage) -> Written:
        """Write the largest total over what several choices of integers cover."""
        names = letters_for(e, e.most.free, self.used, letters)
        if not names:
            return self.over_integers(e.most)
        inside = replace(self, letters=names, some=self.writer.of_some(names))
        facts = "" if e.most.facts == TRUE else inside.naming.predicate(e.most.facts)
        times = self.placed(e.times, Level.PRODUCT)
        return self.writer.over_choices(times, names, facts, inside.of(e.most.body))

    def blocks(self, e: t.Worst, index: tuple[str, ...]) -> Blocks:
        named = any(_speaks_of(g.value, e.sizes) for g in e.groups)
        return Blocks(index, self.ends(e.sizes), named=named)

    def ends(self, sizes: t.Sizes) -> tuple[str, ...]:
        return tuple(self.writer.name(s) if isinstance(s, str) else str(s) for s in sizes)

    def count(self, count: t.Expr) -> str | None:
        if isinstance(count, t.Amount):  # of a number below 0 there are none anyway
            return self.naming.integer(count.of)
        return None if isinstance(count, t.Inf) else self.placed(count, Level.SUM)


def largest_of_each(e: t.MaxOver) -> int | None:
    """Return which index is chosen where one is, for each of the others; None if it is not so.

    A function of all other indices then says which one: that is the largest value for each of them.

    >>> LEVEL = t.LetterAt(1, (t.Index(1),))
    >>> total = t.SumOver(("h", "k"), t.Compared("eq", t.Index(2), LEVEL), t.Inf(),
    ...     t.BlockEntry("eps", ("h", "k")))
    >>> largest_of_each(t.MaxOver(1, TRUE, total)), t.MaxOver(1, TRUE, total).text()
    (2, 'sum over i of max over j of eps[i,j]')
    """
    match e:
        case t.MaxOver(
            1, facts, t.SumOver(sizes, t.Compared("eq", t.Index(last), t.LetterAt(_, at)), _, value)
        ) if facts == TRUE and _speaks_of(value, sizes):
            others = tuple(t.Index(n) for n in range(1, len(sizes) + 1) if n != last)
            return last if at == others != () else None
        case _:
            return None


def _speaks_of(value: t.Expr, sizes: t.Sizes) -> bool:
    return sizes in t.open_sizes(value)


def _number(count: t.Expr) -> int:
    """Return a number of blocks, 0 where it is not known."""
    return count.value.numerator if isinstance(count, t.Num) else 0


def _can_be_named(e: t.Worst) -> bool:
    """Return whether letters suffice: few blocks, and different values."""
    counts = [_number(g.count) for g in e.groups]
    return (
        all(counts)
        and sum(counts) <= MOST_NAMED
        and len({g.value for g in e.groups}) == len(e.groups)
        and all(_speaks_of(g.value, e.sizes) for g in e.groups)
    )


def _grows_with_its_entry(e: t.Expr) -> bool:
    inside = list(t.subterms(e))
    simple = all(isinstance(x, t.BlockEntry | t.Product | t.Num) for x in inside)
    return simple and len({x for x in inside if isinstance(x, t.BlockEntry)}) == 1
