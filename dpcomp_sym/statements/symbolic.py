r"""Expressions in SymPy.  Imported only when one is needed.

``MaxOver(body, (i, 1, k), (j, 1, k))`` is the maximum over different indices (terms are left out
where there are fewer blocks, so that the largest value remains), ``SumOfLargest(n, body,
(i, 1, k))`` the sum of the n largest, and ``MaxOverIntegers(body, t, facts)`` the largest value
over integers t with facts: with numbers ``doit()`` writes them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Any

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values, letters_for
from dpcomp_sym.statements.places import (
    arguments,
    arguments_of_letters,
    blocks,
    by_indices,
    choices,
    covers_block,
    never_falls,
    of_each_number,
    parted,
    places,
    sums_of,
    with_integers_given,
)
from dpcomp_sym.statements.render import largest_of_each, letters
from dpcomp_sym.statements.terms import KernelError

__all__ = ["parameter", "size", "to_sympy", "zcdp_epsilon"]

MOST_BLOCKS = 6
"""How many blocks are written out, at most."""
MOST_CHOICES = 200
"""So many choices of blocks with a condition are written out."""


def to_sympy(e: t.Expr, sizes: Mapping[str, int] | None = None) -> Any:
    """Return an expression in SymPy.

    Args:
        e: the expression.
        sizes: numbers for the sizes; then choices of blocks are written out, over ``eps[1]``, ….

    Raises:
        KernelError: SymPy has no word for a part of it, or there are too many blocks to write out.

    >>> largest = t.Worst(("k",), (t.Choice(t.Num(Fraction(1)), t.BlockEntry("eps", ("k",))),))
    >>> to_sympy(t.Product((t.Num(Fraction(2)), largest)))
    2*MaxOver(eps[i], (i, 1, k))
    >>> to_sympy(largest, {"k": 2})
    Max(eps[1], eps[2])
    """
    return _Symbolic(sizes).of(e)


@dataclass(frozen=True)
class _Symbolic:
    sizes: Mapping[str, int] | None
    block: Mapping[t.Sizes, tuple[Any, ...]] = field(default_factory=dict)
    used: int = 0
    letters: Sequence[Any] = ()
    indices: Sequence[Any] = ()

    def at(self, sizes: t.Sizes, index: Sequence[Any]) -> _Symbolic:
        used = self.used + len(sizes)
        block = {**self.block, sizes: tuple(index)}
        return replace(self, block=block, used=used, indices=tuple(index))

    def of(self, e: t.Expr) -> Any:
        import sympy as sp

        match e:
            case t.Num(value):
                return sp.Rational(value.numerator, value.denominator)
            case t.Inf():
                return sp.oo
            case t.Param(name):
                return parameter(name, family=False)
            case t.Size(name):
                return self.size(name)
            case t.BlockEntry(name, sizes):
                index = self.block.get(sizes) or self.index(sizes, 0)
                return parameter(name, family=True)[index]
            case t.EntryOf(name, _, block):
                return parameter(name, family=True)[tuple(map(sp.Integer, block))]
            case t.Sum(items):
                return sp.Add(*map(self.of, items))
            case t.Product(items):
                values = [self.of(i) for i in items]
                return sp.Integer(0) if 0 in values else sp.Mul(*values)  # 0 * oo = 0 here
            case t.Max(items):
                return sp.Max(*map(self.of, items)) if items else sp.Integer(0)
            case t.Sqrt(of):
                return sp.sqrt(self.of(of))
            case t.Apply(name, items):
                return _applied(name, [self.of(i) for i in items])
            case t.Worst():
                return self.worst(e)
            case t.Amount(of):
                return sp.Max(0, self.integer(of))
            case t.SumOver():
                return self.over(e)
            case t.MaxOver():
                return self.over_integers(e)
            case t.Coverage():
                return self.over_choices(e)
            case t.Cases(items):
                rows = [(self.of(c.value), self.where(c.where)) for c in items]
                return sp.Piecewise(*rows, (sp.oo, True)) if rows else sp.oo
            case _:
                raise TypeError(f"no expression: {e!r}")

    def size(self, number: str | int) -> Any:
        import sympy as sp

        if isinstance(number, str):
            known = (self.sizes or {}).get(number)
            return size(number) if known is None else sp.Integer(known)
        return sp.Integer(number)

    def index(self, sizes: t.Sizes, shift: int) -> tuple[Any, ...]:
        import sympy as sp

        names = letters(sizes, self.used + shift * len(sizes))
        return tuple(sp.Symbol(name, integer=True, positive=True) for name in names)

    def where(self, where: t.Where) -> Any:
        import sympy as sp

        bounds = [self.size(r.symbol) >= r.low for r in where]
        bounds += [self.size(r.symbol) <= r.high for r in where if r.high is not None]
        return sp.And(*bounds)

    def limits(self, sizes: t.Sizes, index: Sequence[Any]) -> list[Any]:
        import sympy as sp

        each = zip(index, sizes, strict=True)
        return [sp.Tuple(i, sp.Integer(1), self.size(s)) for i, s in each]

    def worst(self, e: t.Worst) -> Any:
        import sympy as sp

        if self.sizes is not None and all(isinstance(s, int) or s in self.sizes for s in e.sizes):
            return self.written_out(e)
        index = self.index(e.sizes, 0)
        limits = self.limits(e.sizes, index)
        if len(e.groups) == 1:
            (group,) = e.groups
            body = self.at(e.sizes, index).of(group.value)
            if isinstance(group.count, t.Inf):
                return _functions().BlockSum(body, *limits)
            if group.count != t.Num(Fraction(1)):
                return _functions().SumOfLargest(self.of(group.count), body, *limits)
            return _functions().MaxOver(body, *limits)
        bodies, over = [], []
        values = [g.value for g in e.groups for _ in range(_number(g.count))]
        for n, value in enumerate(values):
            index = self.index(e.sizes, n)
            bodies.append(self.at(e.sizes, index).of(value))
            over += self.limits(e.sizes, index)
        return _functions().MaxOver(sp.Add(*bodies), *over)

    def integer(self, e: t.Whole) -> Any:
        import sympy as sp

        match e:
            case t.Integer(value):
                return sp.Integer(value)
            case t.Symbol(name):
                return self.size(name)
            case t.Letter(number) | t.LetterAt(number):
                return self.letters[number - 1]  # a function stands where its indices are the same
            case t.Index(number):
                return self.indices[number - 1]
            case t.Combined(word, items):
                values = [self.integer(x) for x in items]
                return _combined(word, values)
            case _:
                raise TypeError(f"no integer: {e!r}")

    def predicate(self, p: t.Predicate) -> Any:
        import sympy as sp

        match p:
            case t.Connected("not", (one,)):
                return sp.Not(self.predicate(one))
            case t.Connected(word, items):
                return (sp.And if word == "and" else sp.Or)(*map(self.predicate, items))
            case t.Compared(word, left, right):
                kind = {"lt": sp.Lt, "le": sp.Le, "eq": sp.Eq, "ne": sp.Ne}[word]
                return kind(self.integer(left), self.integer(right))
            case _:
                raise TypeError(f"no condition: {p!r}")

    def over(self, e: t.SumOver) -> Any:
        """Return a total over the blocks with a condition: the others count 0."""
        import sympy as sp

        index = self.index(e.sizes, 0)
        inside = self.at(e.sizes, index)
        body = inside.of(e.value)
        when = inside.predicate(e.when)
        if when is not sp.true:
            body = sp.Piecewise((body, when), (0, True))
        if not e.sizes:
            return body
        limits = self.limits(e.sizes, index)
        if isinstance(e.count, t.Inf):
            return _functions().BlockSum(body, *limits)
        if e.count == t.Num(Fraction(1)):
            return _functions().MaxOver(body, *limits)
        return _functions().SumOfLargest(self.of(e.count), body, *limits)

    def over_integers(self, e: t.MaxOver) -> Any:
        """Return the largest value over integers; with numbers, over the places that matter."""
        import sympy as sp

        numbers = self.sizes or {}
        if all(n in numbers for n in _sizes_of(e)):
            if (counted := of_each_number(e, numbers)) is not None:
                return sp.Max(0, *map(self.over_integers, counted))
            each = [
                sp.Add(*(
                    self.largest_written_out(x, numbers, [(at,) for at in places(x, numbers)])
                    for x in by_indices(given, numbers)
                ))
                for given in with_integers_given(e, numbers)
            ]  # fmt: skip
            return each[0] if len(each) == 1 else sp.Max(*each) if each else sp.Integer(0)
        names = letters_for(e, e.free, self.used, letters)
        inside = replace(self, letters=tuple(sp.Symbol(n, integer=True) for n in names))
        if arguments(e):
            return inside.over_functions(e)
        body, facts = inside.of(e.body), inside.predicate(e.facts)
        if not e.free:
            return body if facts is sp.true else sp.Piecewise((body, facts), (0, True))
        return _functions().MaxOverIntegers(body, *inside.letters, facts)

    def over_functions(self, e: t.MaxOver, times: t.Expr | None = None) -> Any:
        """Return the largest value over functions: a sum over the integers that these take.

        Of integers beside them the largest one is taken of it.  ``times``: over so many choices.
        """
        import sympy as sp

        about, others = parted(e)
        if times is None and (last := largest_of_each(e)) is not None:
            (one,) = about
            index = self.index(one.sizes, 0)
            value, limits = self.at(one.sizes, index).of(one.value), self.limits(one.sizes, index)
            largest = _functions().MaxOver(value, limits.pop(last - 1))
            return _functions().BlockSum(largest, *limits)
        outer = [self.taken(about[0], x, n) for n, x in enumerate(arguments(e))]
        limits = [limit for limit, _ in outer]
        each = []
        for one in about:
            index = self.index(one.sizes, 0)
            within = self.at(one.sizes, index)
            here = [when for _, when in outer if when is not sp.true]
            when = sp.And(*here, within.predicate(one.when))
            body = sp.Piecewise((within.of(one.value), when), (0, True))
            left = [x for x in self.limits(one.sizes, index) if x not in limits]
            each.append(_functions().BlockSum(body, *left) if left else body)
        depends = arguments_of_letters(e)
        letters = {n: x for n, x in enumerate(self.letters, 1) if depends.get(n) != ()}
        integers = [x for n, x in enumerate(self.letters, 1) if n not in letters]
        facts, always = self.predicate(e.facts), sp.true if integers else self.predicate(e.facts)
        largest = _functions().MaxOverIntegers(sp.Add(*each), *letters.values(), always)
        if times is not None:
            largest = _functions().MaxCoverage(self.of(times), largest)
        summed = _functions().BlockSum(largest, *limits)
        if integers:
            return _functions().MaxOverIntegers(
                summed + sum(map(self.of, others)), *integers, facts
            )
        rest = self.of(t.MaxOver(0, e.facts, t.Sum(tuple(others)))) if others else 0
        return summed + rest

    def taken(self, e: t.SumOver, of: t.Whole, number: int) -> tuple[Any, Any]:
        """Return the values of what functions take, as limits, and which blocks have one.

        An index has those of the blocks.  For a remainder a letter from 1 on stands for its values
        and 1; for a quotient that never falls with the one index that it names, for these from the
        first block's on.

        Raises:
            KernelError: it is something else.
        """
        import sympy as sp

        index = self.index(e.sizes, 0)
        limits = self.limits(e.sizes, index)
        if isinstance(of, t.Index):
            return limits[of.number - 1], sp.true
        name = letters(("",), self.used + len(e.sizes) + number)[0]
        letter = sp.Symbol(name, integer=True, positive=True)
        value = self.at(e.sizes, index).integer(of)
        if isinstance(of, t.Combined) and of.word == "mod":
            return (letter, 1, self.integer(of.items[1])), sp.Eq(value, letter - 1)
        if not never_falls(of):
            raise KernelError("SymPy has no word for this total")
        (place,) = t.indices_named(of)
        low, high = (value.subs(index[place - 1], end) for end in (1, limits[place - 1][2]))
        return (letter, 1, high - low + 1), sp.Eq(value, low + letter - 1)

    def over_choices(self, e: t.Coverage) -> Any:
        """Return the largest total over what several choices cover; with numbers, written out."""
        import sympy as sp

        numbers = self.sizes or {}
        if all(n in numbers for n in _sizes_of(e)):
            each = [t.Coverage(e.times, x) for x in by_indices(e.most, numbers)]
            return sp.Add(*(
                self.largest_written_out(x.most, numbers, choices(x, numbers)) for x in each
            ))  # fmt: skip
        if arguments(e.most):
            names = letters_for(e.most, e.most.free, self.used, letters)
            inside = replace(self, letters=tuple(sp.Symbol(n, integer=True) for n in names))
            return inside.over_functions(e.most, e.times)
        return _functions().MaxCoverage(self.of(e.times), self.over_integers(e.most))

    def largest_written_out(
        self, e: t.MaxOver, numbers: Mapping[str, int],
        ways: Sequence[Sequence[tuple[int, ...]]],
    ) -> Any:  # fmt: skip
        """Return the largest of the totals, each written out, over ways to choose places."""
        import sympy as sp

        found = []
        for some in ways:
            items: list[Any] = []
            for one in e.body.items if isinstance(e.body, t.Sum) else (e.body,):
                if not isinstance(one, t.SumOver):
                    raise KernelError("SymPy has no word for this total")
                mine = []
                for block in blocks(one.sizes, numbers):
                    if covers_block(one, some, Values(numbers, (), block)):
                        here = replace(self, letters=tuple(map(sp.Integer, some[0])))
                        mine.append(here.at(one.sizes, list(map(sp.Integer, block))).of(one.value))
                items += self.largest_of(mine, one.count)
            if len(items) > MOST_BLOCKS:
                raise KernelError(f"more than {MOST_BLOCKS} blocks are not written out")
            found.append(sp.Add(*items))
        return sp.Max(0, *dict.fromkeys(found)) if found else sp.Integer(0)

    def largest_of(self, values: Sequence[Any], count: t.Expr) -> Sequence[Any]:
        """Return what is added up where at most so many of some values are: all, or one maximum."""
        import sympy as sp

        most = len(values) if isinstance(count, t.Inf) else int(self.of(count))
        if most >= len(values):
            return values
        if comb(len(values), most) > MOST_CHOICES:
            raise KernelError(f"the {most} largest of {len(values)} blocks are not written out")
        return [sp.Max(0, *(sp.Add(*some) for some in combinations(values, most)))]

    def written_out(self, e: t.Worst) -> Any:
        """Return the maximum over all choices of blocks."""
        import sympy as sp

        shape = [int(self.size(s)) for s in e.sizes]
        blocks = list(product(*(range(1, n + 1) for n in shape)))
        if len(blocks) > MOST_BLOCKS:
            many = f"{len(blocks)} blocks are too many to write out; at most {MOST_BLOCKS}"
            raise KernelError(many)
        rooms = [
            len(blocks) if isinstance(g.count, t.Inf) else int(self.of(g.count)) for g in e.groups
        ]
        values = [
            [self.at(e.sizes, list(map(sp.Integer, b))).of(g.value) for b in blocks]
            for g in e.groups
        ]
        full = min(len(blocks), sum(rooms))
        totals = []
        for choice in product([None, *range(len(rooms))], repeat=len(blocks)):
            counts = [choice.count(g) for g in range(len(rooms))]
            if sum(counts) == full and all(c <= r for c, r in zip(counts, rooms, strict=True)):
                chosen = [values[g][b] for b, g in enumerate(choice) if g is not None]
                totals.append(sp.Add(*chosen))
        return sp.Max(*totals)


def _functions() -> Any:
    """Return the module of functions, which loads SymPy."""
    from dpcomp_sym.statements import blocks_sympy

    return blocks_sympy


def parameter(name: str, *, family: bool) -> Any:
    """Return a parameter as expressions have it: one number, or one for each block.

    >>> parameter("eps", family=True)[1], parameter("eps0", family=False)
    (eps[1], eps0)
    """
    import sympy as sp

    kind = sp.IndexedBase if family else sp.Symbol
    return kind(name, nonnegative=True)


def size(name: str) -> Any:
    """Return the symbol of a whole number as expressions have it."""
    import sympy as sp

    return sp.Symbol(name, integer=True)


def _sizes_of(e: t.MaxOver | t.Coverage) -> set[str]:
    """Return all symbols that a number needs."""
    names = {x.name for x in t.subterms(e) if isinstance(x, t.Symbol | t.Size)}
    totals = sums_of(e.most if isinstance(e, t.Coverage) else e)
    return names | {s for x in totals for s in x.sizes if isinstance(s, str)}


def _combined(word: str, values: Sequence[Any]) -> Any:
    import sympy as sp

    match word:
        case "add":
            return sp.Add(*values)
        case "mul":
            return sp.Mul(*values)
        case "neg":
            return -values[0]
        case "min" | "max":
            return (sp.Min if word == "min" else sp.Max)(*values)
        case "div":
            return sp.floor(values[0] / values[1])
        case "pow":
            return sp.Max(values[0], 1) ** sp.Max(values[1], 0)
        case _:
            return sp.Mod(*values)


def _number(count: t.Expr) -> int:
    if isinstance(count, t.Num):
        return count.value.numerator
    raise KernelError(f"SymPy has no word for {count.text()} different blocks of several kinds")


def _applied(name: str, items: Sequence[Any]) -> Any:
    import sympy as sp

    match name:
        case "growth":
            eps, r = items
            if r in {0, 1} or eps == 0:
                return r
            return (sp.exp(r * eps) - 1) / (sp.exp(eps) - 1)
        case "gdp":
            return 2 * sp.sqrt(2) * sp.erfinv(sp.tanh(items[0] / 2))
        case "tanh":
            return sp.tanh(items[0])
        case "exp":
            return sp.exp(items[0])
        case "path_rho":
            eps, r = items
            if 0 in {eps, r}:
                return sp.Integer(0)
            return eps * (r - (1 - sp.exp(-r * eps)) / sp.sinh(eps))
        case "path_mu":
            eps, r = items
            each = (sp.exp(-eps * f((r + 1) / 2)) for f in (sp.floor, sp.ceiling))
            return sp.sqrt(2) * sum(sp.erfinv(1 - 2 * x / (1 + sp.exp(-eps))) for x in each)
        case "zcdp_epsilon":
            return zcdp_epsilon()(*items)
        case "gaussian_delta":
            mu, eps = items
            if mu == 0:
                return sp.Integer(0)
            return _phi(mu / 2 - eps / mu) - sp.exp(eps) * _phi(-mu / 2 - eps / mu)
        case _:
            raise KernelError(f"SymPy has no word for {name}")


@cache
def zcdp_epsilon() -> Any:
    """Return the function of SymPy for what zero-concentrated privacy is at a delta.

    >>> zcdp_epsilon()(0, 1), zcdp_epsilon()("1/2", "1/1000").evalf(5)
    (0, 3.5366)
    """
    import sympy as sp

    class ZcdpEpsilon(sp.Function):
        """The least rho a + ln(1 - 1/a) - ln(a delta)/(a - 1) over a > 1, or 0."""

        nargs = 2

        @classmethod
        def eval(cls, rho: Any, delta: Any) -> Any:
            """Return 0 where nothing is lost."""
            del delta
            return rho if rho == 0 else None

        def _eval_evalf(self, prec: int) -> Any:
            if not all(x.is_number for x in self.args):
                return None
            digits = prec // 3 + 10
            rho, delta = (sp.N(x, digits) for x in self.args)
            t = sp.Symbol("t")
            slope = rho * sp.exp(2 * t) + sp.log(1 + sp.exp(t)) + sp.log(delta)
            start = sp.log(-sp.log(delta) / rho) / 2
            order = 1 + sp.exp(sp.nsolve(slope, t, start, prec=digits))
            least = rho * order + sp.log(1 - 1 / order) - sp.log(order * delta) / (order - 1)
            return sp.Max(least, 0)

    ZcdpEpsilon.__name__ = "zcdp_epsilon"  # SymPy prints it so
    return ZcdpEpsilon


def _phi(x: Any) -> Any:
    """Return the distribution function of the standard normal law."""
    import sympy as sp

    return (1 + sp.erf(x / sp.sqrt(2))) / 2
