"""Numbers in [0, inf], integers and conditions, in parameters, sizes and the block at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.statements.terms.base import (
    KernelError,
    KernelTerm,
    Sizes,
    check_block,
    check_closed,
    check_indices,
    check_sizes,
    loose,
    subterms,
    written_as,
)

__all__ = [
    "FUNCTIONS",
    "Amount",
    "Apply",
    "BlockEntry",
    "Cases",
    "Choice",
    "Combined",
    "Compared",
    "Connected",
    "Coverage",
    "EntryOf",
    "Expr",
    "Index",
    "Inf",
    "Integer",
    "Letter",
    "LetterAt",
    "Max",
    "MaxOver",
    "Num",
    "Param",
    "Predicate",
    "Product",
    "Size",
    "SizeCase",
    "SizeRange",
    "Sqrt",
    "Sum",
    "SumOver",
    "Symbol",
    "Where",
    "Whole",
    "Worst",
    "indices_named",
    "is_whole",
]

FUNCTIONS: Final = {
    "growth": 2, "gdp": 1, "tanh": 1, "path_rho": 2, "path_mu": 2, "zcdp_epsilon": 2,
    "gaussian_delta": 2, "exp": 1,
}  # fmt: skip
"""Named functions, with the number of their arguments.

``growth(eps, r)`` = (e^(r eps) - 1)/(e^eps - 1), r for eps = 0; ``gdp(eps)`` = 2 Phi^-1(q/(1+q)),
q = e^eps; ``tanh``; with a = e^-eps, ``path_rho(eps, r)`` = eps (r - 2 a (1 - a^r)/(1 - a^2)), and
``path_mu(eps, r)`` = h(floor((r + 1)/2)) + h(ceil((r + 1)/2)) with h(j) = Phi^-1(1 - a^j/(1 + a)),
both 0 for eps = 0, and the latter for r < 1; ``zcdp_epsilon(rho, delta)`` = max(0, min over
alpha > 1 of rho alpha + ln(1 - 1/alpha) - ln(alpha delta)/(alpha - 1)), 0 < delta < 1;
``gaussian_delta(mu, eps)`` = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), 0 for mu = 0;
``exp(x)`` = e^x.
"""


class Expr(KernelTerm):
    """A number in [0, inf], as a function of parameters, sizes and the block at hand."""

    __slots__ = ()


@written_as("Num")
class Num(Expr):
    """A non-negative rational number."""

    value: Fraction

    def _check(self) -> None:
        if self.value < 0:
            raise KernelError("numbers are not negative here")


@written_as("Inf")
class Inf(Expr):
    """Infinity: as a guarantee, none; as a distance, unreachable; as a count, all."""


@written_as("Param")
class Param(Expr):
    """A parameter: any number in [0, inf[."""

    name: str

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.name, "one number"


@written_as("Entry", of_block=True)
class BlockEntry(Expr):
    """The entry, for the block at hand, of a parameter that has one value a block."""

    name: str
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.name, self.sizes


@written_as("EntryOf")
class EntryOf(Expr):
    """The entry, for the block with this number, of a parameter that has one value a block."""

    name: str
    sizes: Sizes
    block: tuple[int, ...]

    def _check(self) -> None:
        check_block(self.sizes, self.block)

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.name, self.sizes


@written_as("Size")
class Size(Expr):
    """A size such as the number of blocks: an integer, at least 1."""

    name: str

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.name, "a size"


@written_as("Sum")
class Sum(Expr):
    """The sum; 0 if empty."""

    items: tuple[Expr, ...]


@written_as("Product")
class Product(Expr):
    """The product; 1 if empty."""

    items: tuple[Expr, ...]


@written_as("Max")
class Max(Expr):
    """The maximum; 0 if empty."""

    items: tuple[Expr, ...]


@written_as("Sqrt")
class Sqrt(Expr):
    """The square root."""

    of: Expr


@written_as("Apply")
class Apply(Expr):
    """One of the :data:`FUNCTIONS`."""

    name: str
    items: tuple[Expr, ...]

    def _check(self) -> None:
        if FUNCTIONS.get(self.name) != len(self.items):
            raise KernelError(f"no function {self.name} of {len(self.items)} arguments")


def is_whole(e: Expr) -> bool:
    """Return whether an expression is made of sizes and integers, so that it is an integer.

    >>> is_whole(Product((Num(Fraction(2)), Size("k")))), is_whole(Num(Fraction(1, 2)))
    (True, False)
    """
    if isinstance(e, Sum | Product | Max):
        return all(map(is_whole, e.items))
    return isinstance(e, Size) or (isinstance(e, Num) and e.value.denominator == 1)


def check_count(count: Expr, *, chosen: bool = False) -> None:
    """Check that a number of blocks is an integer made of sizes and integers, or infinity.

    Or made of bound integers, where it may be ``chosen``; indices belong to blocks.
    """
    if chosen and isinstance(count, Amount) and not loose(count)[1]:
        return
    if not isinstance(count, Inf) and not is_whole(count):
        raise KernelError(f"no number of blocks: {count.text()}")


@written_as("Choice")
class Choice(KernelTerm):
    """Up to ``count`` different blocks, each of which contributes ``value``."""

    count: Expr
    value: Expr

    def _check(self) -> None:
        check_count(self.count)


@written_as("Worst", binds=("block",))
class Worst(Expr):
    """The largest total over all ways to choose *different* blocks for the groups.

    At most ``count`` blocks for each group, and no more than there are.  One group of count 1 is a
    maximum over the blocks, of count n the sum of the n largest, of count infinity the sum of all.
    """

    sizes: Sizes
    groups: tuple[Choice, ...]

    def _check(self) -> None:
        check_closed(self.sizes, self.groups)


class Whole(KernelTerm):
    """An integer, made of numbers, symbols, bound parameters and the indices of a block."""

    __slots__ = ()


class Predicate(KernelTerm):
    """A condition on integers."""

    __slots__ = ()


@written_as("Integer")
class Integer(Whole):
    """An integer."""

    value: int


@written_as("Symbol")
class Symbol(Whole):
    """A symbol of the problem: an integer that its facts allow."""

    name: str

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.name, "a size"


@written_as("Letter")
class Letter(Whole):
    """The parameter with this number, from 1 on, of what binds parameters around it."""

    number: int

    def _check(self) -> None:
        if self.number < 1:
            raise KernelError("parameters are numbered from 1")

    def own_numbers(self) -> tuple[int, int]:
        """Return the number of the parameter."""
        return self.number, 0


@written_as("LetterAt")
class LetterAt(Whole):
    """The value of a bound parameter that is a function, ``at`` integers of the block at hand.

    These are its indices, in their order, or what is made of these and symbols.
    """

    number: int
    at: tuple[Whole, ...]

    def _check(self) -> None:
        if self.number < 1:
            raise KernelError("parameters are numbered from 1")
        if not self.at or len(set(self.at)) < len(self.at):
            raise KernelError("a function takes some integers, each once")
        if any(not loose(x)[1] or loose(x)[0] for x in self.at):
            raise KernelError("a function takes integers of a block")
        plain = [x.number for x in self.at if isinstance(x, Index)]
        if plain != sorted(plain):
            raise KernelError("a function takes indices in their order")

    def own_numbers(self) -> tuple[int, int]:
        """Return the number of the parameter."""
        return self.number, 0


@written_as("Index")
class Index(Whole):
    """The index with this number, from 1 on, of the block at hand."""

    number: int

    def _check(self) -> None:
        if self.number < 1:
            raise KernelError("indices are numbered from 1")

    def own_numbers(self) -> tuple[int, int]:
        """Return the number of the index."""
        return 0, self.number


OPERATIONS: Final = {"neg": 1, "div": 2, "mod": 2, "pow": 2}
"""Operations on integers with a number of arguments; sum, product, min and max have any number.

``div`` and ``mod`` round downwards; ``pow`` is 1 for a base below 1, or an exponent below 0.
"""


@written_as("Combined")
class Combined(Whole):
    """A sum, product, negative, quotient, remainder, least or largest of integers."""

    word: str
    items: tuple[Whole, ...]

    def _check(self) -> None:
        if self.word in ("add", "mul", "min", "max"):
            if len(self.items) < 2:
                raise KernelError(f"{self.word} takes two integers or more")
        elif OPERATIONS.get(self.word) != len(self.items):
            raise KernelError(f"no operation {self.word} of {len(self.items)} integers")


@written_as("Compared")
class Compared(Predicate):
    """Two integers compared: lt, le, eq or ne."""

    word: str
    left: Whole
    right: Whole

    def _check(self) -> None:
        if self.word not in ("lt", "le", "eq", "ne"):
            raise KernelError(f"no comparison: {self.word}")


@written_as("Connected")
class Connected(Predicate):
    """All of some conditions (and), one of them (or), or not the one."""

    word: str
    items: tuple[Predicate, ...]

    def _check(self) -> None:
        if self.word not in ("and", "or", "not") or (self.word == "not" and len(self.items) != 1):
            raise KernelError(f"no connection {self.word} of {len(self.items)} conditions")


@written_as("Amount")
class Amount(Expr):
    """An integer as a number in [0, inf]: 0 if it is negative."""

    of: Whole


@written_as("SumOver", binds=("block", "indices"))
class SumOver(Expr):
    """The total of ``value`` over the blocks with ``when``, over at most ``count`` of them.

    For the block at hand ``when`` and amounts in ``value`` may name its indices.  With fewer blocks
    than there are, the largest total.  Without sizes there is one block.
    """

    sizes: Sizes
    when: Predicate
    count: Expr
    value: Expr

    def _check(self) -> None:
        check_count(self.count, chosen=True)
        check_closed(self.sizes, self.value)
        check_indices(self.sizes, self.when, self.value)


def check_binder(free: int, facts: Predicate, *inner: Any) -> None:
    """Check that a binder of so many parameters leaves none open.

    They are integers with ``facts``, or functions, all of these of the same indices.
    """
    if loose((facts, *inner))[0] > free:  # also of a number below 0
        raise KernelError(f"a parameter is not among the {free} that are bound")
    if loose(facts)[1]:
        raise KernelError("an index is named outside of its block")
    named = [x for x in subterms((facts, *inner)) if isinstance(x, Letter | LetterAt)]
    integers = {x.number for x in named if isinstance(x, Letter)}
    functions = [x for x in named if isinstance(x, LetterAt)]
    if integers.intersection(x.number for x in functions):
        raise KernelError("a parameter is an integer, or a function, not both")
    if len({x.at for x in functions}) > 1:
        raise KernelError("all parameters that are functions take the same indices")


def check_alike(e: KernelTerm) -> None:
    """Check that what is chosen several times are integers, or functions: not both."""
    named = {type(x) for x in subterms(e) if isinstance(x, Letter | LetterAt)}
    if len(named) > 1:
        raise KernelError("choices are of integers, or of functions, not of both")


def indices_named(e: Any) -> tuple[int, ...]:
    """Return the numbers of the indices that a term names, in their order.

    >>> indices_named((Index(2), Combined("div", (Index(1), Integer(3)))))
    (1, 2)
    """
    return tuple(sorted({x.number for x in subterms(e) if isinstance(x, Index)}))


def _check_sizes_of_functions(inside: Sequence[KernelTerm]) -> None:
    """Check that functions take the same sizes everywhere, and that all blocks count."""
    totals = [
        (x, at)
        for x in inside if isinstance(x, SumOver)
        for at in {y.at for y in subterms((x.when, x.value)) if isinstance(y, LetterAt)}
    ]  # fmt: skip
    if any(x.count != Inf() for x, _ in totals):
        raise KernelError("with a function of indices all blocks count")
    if len({tuple(x.sizes[n - 1] for n in indices_named(at)) for x, at in totals}) > 1:
        raise KernelError("a function takes indices with the same sizes everywhere")


@written_as("MaxOver", binds=("letters",))
class MaxOver(Expr):
    """The largest value (supremum) of ``body`` over ``free`` integers with ``facts``; 0 if none.

    Some or all of these may be functions from some indices to integers, :class:`LetterAt`.
    """

    free: int
    facts: Predicate
    body: Expr

    def _check(self) -> None:
        check_binder(self.free, self.facts, self.body)
        if loose(self.body)[1]:
            raise KernelError("an index is named outside of its block")
        inside = list(subterms(self.body))
        if any(isinstance(x, MaxOver) for x in inside):
            raise KernelError("parameters are bound once")
        _check_sizes_of_functions(inside)


@written_as("Coverage")
class Coverage(Expr):
    """The largest total over what some choices of integers cover, at most ``times`` of them.

    These are choices as ``most`` is about, of integers or of functions: a block counts, once, that
    has its condition for one of them.  0 if there is no choice.
    """

    times: Expr
    most: MaxOver

    def _check(self) -> None:
        check_count(self.times)
        check_alike(self.most)
        inside = list(subterms(self.most))
        if any(isinstance(x, Amount) and loose(x)[0] for x in inside):
            raise KernelError("only conditions may name what is chosen several times")
        if any(isinstance(x, SumOver) and x.count != Inf() for x in inside):
            raise KernelError("of what several choices cover all blocks count")


@written_as("Range")
class SizeRange(KernelTerm):
    """The sizes with low <= symbol (and symbol <= high)."""

    symbol: str
    low: int
    high: int | None

    def _check(self) -> None:
        if self.low < 1 or (self.high is not None and self.high < self.low):
            raise KernelError("an empty range of sizes")

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield the name."""
        yield "number", self.symbol, "a size"


Where = tuple[SizeRange, ...]
"""A box of sizes, one range a symbol; symbols not mentioned are any integer from 1 on."""


@written_as("Case")
class SizeCase(KernelTerm):
    """A value for a box of sizes."""

    where: tuple[SizeRange, ...]
    value: Expr


@written_as("Cases")
class Cases(Expr):
    """The value of the first case that holds; infinity if there is none."""

    items: tuple[SizeCase, ...]
