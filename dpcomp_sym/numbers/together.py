"""Largest totals over blocks that change together, in numbers: fast where one integer decides.

Each block counts for the numbers of one or several intervals; the intervals' ends in order show all
that can happen.  Whole numbers find the places that can be the largest, exact ones decide.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate, combinations, product
from typing import Final

from dpcomp_sym.balls import BITS
from dpcomp_sym.errors import NoNumberError
from dpcomp_sym.numbers.alike import best_places, of_one_letter
from dpcomp_sym.numbers.besides import largest_besides
from dpcomp_sym.numbers.covering import best_cover
from dpcomp_sym.numbers.coverings import MOST_WORK, afford, blocks_that_can_count, coverings
from dpcomp_sym.numbers.exact import Exact, Real, Root, is_infinite, rounded_down, rounded_up
from dpcomp_sym.numbers.labels import BlockTotal, largest_pair
from dpcomp_sym.numbers.planes import largest_in_plane
from dpcomp_sym.numbers.sums import total
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import (
    Form,
    arguments,
    blocks,
    by_indices,
    cases,
    choices,
    covers_block,
    interval,
    intervals,
    linear,
    merged,
    of_each_number,
    places_apart,
    times_of,
    totals_of,
    with_integers_given,
    with_values,
)  # fmt: skip
from dpcomp_sym.statements.remainders import divides_letters, repeats
from dpcomp_sym.statements.terms import KernelError

__all__ = ["largest_covered", "largest_together", "pairs_together"]

Rows = Callable[[t.Expr, t.Sizes], Sequence[Real]]
Count = Callable[[t.Expr], Real]
Interval = tuple[float, float]

_MOST_NEAR: Final = 20
_MOST_PIECES: Final = 1000
_LONGEST_UNIT: Final = 4000
"""A common denominator has at most so many bits."""
_ANY_UNIT: Final = 100_000
"""As many, where nothing else is exact."""


def largest_together(e: t.MaxOver, sizes: Mapping[str, int], rows: Rows, count: Count) -> Real:
    """Return the largest total over integers.

    Args:
        e: what is largest; its body is a sum of totals over blocks.
        sizes: the numbers of symbols.
        rows: the values of an expression for all blocks of a family, in order.
        count: the value of a number of blocks.

    Raises:
        NoNumberError: there are too many places to look at, or a symbol has no number.

    >>> two = t.Connected("and", (t.Compared("le", t.Letter(1), t.Index(1)),
    ...     t.Compared("lt", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(2))))))
    >>> eps = t.SumOver(("k",), two, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> largest_together(t.MaxOver(1, t.Connected("and", ()), eps), {"k": 4},
    ...     lambda *_: [5, 1, 1, 5], lambda _: math.inf)
    6
    """
    try:
        if arguments(e):
            return _over_functions(e, sizes, rows, count)
        left = of_each_number(e, sizes)
        if left is None and (given := with_values(e, sizes)) is not None:
            left = [x for _, x in given[1]]
        if left is not None:
            return max((largest_together(x, sizes, rows, count) for x in left), default=0)
        parts = totals_of(e.body)
        if any(isinstance(x, t.Amount) for x in t.subterms(e.body)):
            return _along(e, sizes, [_Varying(x, sizes, rows, count) for x in parts])
        totals = [_Total(x, sizes, rows, count) for x in parts]
        if any(is_infinite(v) for x in totals for v in x.values):
            return math.inf
        one = (
            of_one_letter(e)
            if e.free > 1 and repeats(e) and all(x.everything for x in totals)
            else None
        )
        if one is not None and not any(isinstance(x, t.Letter) for x in t.subterms(one.facts)):
            several = [_Total(x, sizes, rows, count) for x in totals_of(one.body)]
            return _of_all_choices(t.Coverage(t.Num(Fraction(e.free)), one), several, sizes)
        if repeats(e) or (e.free == 1 and divides_letters(e)):
            return _looked_at(e, sizes, totals)
        if e.free == 1 and all(x.everything for x in totals):
            return _swept(e, sizes, totals)
        if e.free == 1 and (beside := _in_units_of(e, sizes, totals, largest_besides)) is not None:
            return beside
        if all(x.everything for x in totals):
            pair = largest_pair(e, sizes, totals)
            if pair is None:
                pair = _alike(e, sizes, rows, count)
            if pair is None and e.free == 2:
                pair = _in_units_of(e, sizes, totals, largest_in_plane)
            if pair is not None:
                return pair
        return _looked_at(e, sizes, totals)
    except KernelError as error:
        raise NoNumberError(f"no number for this bound: {error}") from None


def _over_functions(e: t.MaxOver, sizes: Mapping[str, int], rows: Rows, count: Count) -> Real:
    """Return the largest total over functions: for integers beside them, index by index."""
    some, known = with_integers_given(e, sizes), cache(rows)
    if some != [e]:
        return max((largest_together(x, sizes, known, count) for x in some), default=0)
    found = [largest_together(x, sizes, known, count) for x in by_indices(e, sizes)]
    return math.inf if any(map(is_infinite, found)) else total(found)


def largest_covered(e: t.Coverage, sizes: Mapping[str, int], rows: Rows, count: Count) -> Real:
    """Return the largest total over what several choices of integers cover.

    Args:
        e: what is largest; its body is a sum of totals over blocks.
        sizes: the numbers of symbols.
        rows: the values of an expression for all blocks of a family, in order.
        count: the value of a number of choices, or of blocks.

    Raises:
        NoNumberError: there are too many choices to look at, or a symbol has no number.

    >>> two = t.Connected("and", (t.Compared("le", t.Letter(1), t.Index(1)),
    ...     t.Compared("lt", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(2))))))
    >>> eps = t.SumOver(("k",), two, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> most = t.MaxOver(1, t.Connected("and", ()), eps)
    >>> largest_covered(t.Coverage(t.Size("r"), most), {"k": 6, "r": 2},
    ...     lambda *_: [5, 1, 1, 1, 1, 4], lambda _: 2)
    11
    """
    times = count(e.times)
    try:
        each = by_indices(e.most, sizes)
        if each != [e.most]:
            known = cache(rows)
            found_ = [largest_covered(t.Coverage(e.times, x), sizes, known, count) for x in each]
            return math.inf if any(map(is_infinite, found_)) else total(found_)
        totals = [_Total(x, sizes, rows, count) for x in totals_of(e.most.body)]
        if any(is_infinite(v) for x in totals for v in x.values):
            return math.inf
        number = sum(len(x.blocks) for x in totals)
        most = math.floor(rounded_down(min(times, number)))
        if not most:
            return 0
        found = _of_several(e.most.facts, totals, most, sizes) if e.most.free == 1 else None
        return _of_all_choices(e, totals, sizes) if found is None else found
    except KernelError as error:
        raise NoNumberError(f"no number for this bound: {error}") from None


def pairs_together(
    pair: Sequence[t.Expr], sizes: Mapping[str, int], rows: Rows, count: Count
) -> Iterator[tuple[Real, Real]]:
    """Yield two totals at each place where something changes, for the same integers in both.

    Args:
        pair: largest totals over the same integers, or so many choices of these, or 0.
        sizes: the numbers of symbols.
        rows: the values of an expression for all blocks of a family, in order.
        count: the value of a number of blocks.

    Raises:
        KernelError: there are too many places, or they are not found.
    """
    times = {
        x.times if isinstance(x, t.Coverage) else None for x in pair if x != t.Num(Fraction(0))
    }
    pair = [x.most if isinstance(x, t.Coverage) else x for x in pair]
    over = [x for x in pair if isinstance(x, t.MaxOver)]
    if len(times) != 1 or len({(x.free, x.facts) for x in over}) != 1:
        raise KernelError("totals over different integers")
    if any(map(arguments, over)):
        raise KernelError("functions have too many values together")
    both = t.MaxOver(over[0].free, over[0].facts, t.Sum(tuple(x.body for x in over)))
    totals = [
        [_Total(one, sizes, rows, count) for one in totals_of(x.body)]
        if isinstance(x, t.MaxOver)
        else []
        for x in pair
    ]
    number = sum(len(x.blocks) for each in totals for x in each)
    (many,) = times
    if many is not None:
        some = choices(t.Coverage(many, both), sizes)
        afford(len(some) * number)
        for chosen in some:
            first, second = (_sum_at_some(each, chosen, sizes) for each in totals)
            yield first, second
        return
    for covering in coverings(both, sizes):
        here = iter(covering)
        first, second = (total([v for x in each for v in x.of(next(here))]) for each in totals)
        yield first, second


class _Total:
    """A total over blocks: their values, and which of them count where."""

    def __init__(self, e: t.SumOver, sizes: Mapping[str, int], rows: Rows, count: Count) -> None:
        self.sizes = sizes
        kept = list(blocks_that_can_count(e, sizes))
        values = rows(e.value, e.sizes)
        self.values: Sequence[Real] = [values[n] for n, _ in kept]
        self.blocks = [b for _, b in kept]
        self.e = e
        most = count(e.count)
        self.most = len(self.blocks) if most >= len(self.blocks) else math.floor(rounded_down(most))

    @property
    def everything(self) -> bool:
        """Whether all blocks with the condition count."""
        return self.most == len(self.blocks)

    def of(self, covering: int) -> list[Real]:
        """Return the values of the blocks that count, of those with a bit."""
        return self._most([v for n, v in enumerate(self.values) if covering >> n & 1])

    def at(self, letters: tuple[int, ...]) -> list[Real]:
        """Return the values of the blocks that count at some place."""
        each = zip(self.values, self.blocks, strict=True)
        return self._most([v for v, b in each if Values(self.sizes, letters, b).hold(self.e.when)])

    def _most(self, here: list[Real]) -> list[Real]:
        if len(here) > self.most:
            here.sort(reverse=True)
        return here[: self.most]

    @property
    def intervals(self) -> list[tuple[Real, float, float]]:
        """Where each block counts, for one integer, with its value."""
        return [(v, low, high) for v, each in self.by_block for low, high in each]

    @cached_property
    def by_block(self) -> list[tuple[Real, Sequence[Interval]]]:
        """In which intervals of one integer each block counts, with its value, if that is not 0."""
        return self._by_block(self.e.when)

    def _by_block(self, when: t.Predicate) -> list[tuple[Real, Sequence[Interval]]]:
        try:
            rows = cases(when, len(self.e.sizes), Values(self.sizes))
        except KernelError:
            rows = None
        found: list[tuple[Real, Sequence[Interval]]] = []
        for v, b in zip(self.values, self.blocks, strict=True):
            if not v:
                continue
            each: Sequence[Interval]
            if rows is None:
                each = intervals(when, Values(self.sizes, (), b))
            elif len(rows) == 1:
                one = interval(rows[0], b)
                each = [] if one is None else [one]
            else:
                each = merged(one for row in rows if (one := interval(row, b)) is not None)
            found.append((v, each))
        return found


def _sum_at(totals: Sequence[_Total], letters: tuple[int, ...]) -> Real:
    return total([v for x in totals for v in x.at(letters)])


def _swept(e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[_Total]) -> Real:
    """Go through the ends of the intervals in order, and add up what counts between two of them.

    In whole units, which are exact for fractions that are not too long: then one place is the
    largest. Otherwise some of the places are looked at that differ by no more than was rounded.
    """
    rows = [row for x in totals for row in x.intervals]
    units, slack = _in_units([v for v, _, _ in rows])
    changes: dict[float, int] = {}
    for value, (_, low, high) in zip(units, rows, strict=True):
        changes[low] = changes.get(low, 0) + value
        changes[high + 1] = changes.get(high + 1, 0) - value
    allowed = intervals(e.facts, Values(sizes))
    starts = sorted({*changes, *(low for low, _ in allowed)})
    reached: list[tuple[int, float]] = []
    running = at = 0
    for n, start in enumerate(starts):
        running += changes.get(start, 0)
        end = starts[n + 1] - 1 if n + 1 < len(starts) else math.inf
        while at < len(allowed) and allowed[at][1] < start:
            at += 1
        if at == len(allowed):
            break
        if allowed[at][0] <= end:
            reached.append((running, max(start, allowed[at][0])))
    most = max((r for r, _ in reached), default=0)
    near = sorted(((r, place) for r, place in reached if r >= most - slack), reverse=True)
    those = [place for _, place in near]
    found: Real = 0
    for place in _largest_near(rows, those) if slack else those[:1]:
        found = max(found, total([v for v, low, high in rows if low <= place <= high]))
    return found


def _largest_near(
    rows: Sequence[tuple[Real, float, float]], near: Sequence[float]
) -> Sequence[float]:
    """Return a few of some places, with the largest of them.

    From one to the next the total changes by what begins and ends between them, which is exact.
    With roots and floats it is a float near the total, unless a root stands alone: many are taken.
    """
    if len(near) <= _MOST_NEAR or any(isinstance(v, float | Root) for v, _, _ in rows):
        return near[: max(_MOST_NEAR, MOST_WORK // len(rows))]
    changes: dict[float, list[Fraction | int | Exact]] = {place: [] for place in near}
    for v, low, high in rows:
        if not isinstance(v, float | Root):
            changes.setdefault(low, []).append(v)
            changes.setdefault(high + 1, []).append(-v)
    wanted, best = set(near), None
    gap: Fraction | int | Exact = 0
    for place in sorted(changes):
        for change in changes[place]:
            gap = change + gap
        if place in wanted and (best is None or gap > 0):
            best, gap = place, 0
    return [] if best is None else [best]


def _in_units(values: Sequence[Real], longest: int = _LONGEST_UNIT) -> tuple[list[int], int]:
    """Return numbers in some small unit, rounded down, and how much sums of them can differ.

    Fractions, and floats as the fractions that they are, in the unit of all of them, if that is not
    too small; others in 2^-256.
    """
    whole = 1
    for v in values:
        whole = 0 if isinstance(v, Exact | Root) else math.lcm(whole, Fraction(v).denominator)
        if not 0 < whole < 1 << longest:
            lows = [math.floor(rounded_down(v) * (1 << BITS)) for v in values]
            highs = [math.ceil(rounded_up(v) * (1 << BITS)) for v in values]
            return lows, sum(highs) - sum(lows)
    return [int(Fraction(v) * whole) for v in values if not isinstance(v, Exact | Root)], 0


class _Varying:
    """A total over blocks whose values differ from place to place, along one integer."""

    def __init__(self, e: t.SumOver, sizes: Mapping[str, int], rows: Rows, count: Count) -> None:
        self.e = e
        self.sizes = sizes
        self.rows = rows
        self.blocks = blocks(e.sizes, sizes)
        self.amounts = [x for x in t.subterms(e.value) if isinstance(x, t.Amount)]
        self._known: dict[tuple[int, ...], Sequence[Real]] = {}
        self._looked_at = 0
        if count(e.count) < len(self.blocks):
            raise KernelError("so many of some blocks, at distances that differ")

    def value(self, number: int, place: int) -> Real:
        """Return the value of a block, by its place in order, at some integer."""
        at = Values(self.sizes, (place,), self.blocks[number])
        amounts = tuple(max(0, at.of(x.of)) for x in self.amounts)
        if amounts not in self._known:
            table: dict[t.Expr, int] = dict(zip(self.amounts, amounts, strict=True))
            self._known[amounts] = self.rows(_with_numbers(self.e.value, table), self.e.sizes)
        return self._known[amounts][number]

    def pieces(self) -> Iterator[tuple[int, Interval, set[int]]]:
        """Yield where each block counts, and between which integers its value is convex there."""
        for number, block in enumerate(self.blocks):
            at = Values(self.sizes, (), block)
            edges = {
                edge
                for x in self.amounts
                for f, g in combinations(_linear_pieces(x.of, at), 2)
                if f.factors != g.factors
                for edge in _beside(f.number - g.number, f.factors[0] - g.factors[0])
            }
            for low, high in intervals(self.e.when, at):
                if not (math.isfinite(low) and math.isfinite(high)):
                    raise KernelError("a block counts without end")
                if not _is_convex(self.e.value):
                    self._looked_at += int(high - low)
                    if self._looked_at > MOST_WORK:
                        raise KernelError("there are too many places to look at")
                    edges.update(range(int(low), int(high) + 1))
                yield number, (low, high), edges


def _linear_pieces(e: t.Whole, at: Values) -> set[Form]:
    """Return linear forms in an integer, one of which a whole number is everywhere.

    >>> both = t.Combined("min", (t.Letter(1), t.Integer(7)))
    >>> sorted(_linear_pieces(t.Combined("add", (both, t.Integer(2))), Values({})), key=str)
    [Form(factors=(0,), number=9), Form(factors=(1,), number=2)]
    """
    match e:
        case t.Combined("min" | "max", items):
            return {f for x in items for f in _linear_pieces(x, at)}
        case t.Combined("add", items):
            found = {Form((0,), 0)}
            for x in items:
                more = _linear_pieces(x, at)
                found = {
                    Form((f.factors[0] + g.factors[0],), f.number + g.number)
                    for f, g in product(found, more)
                }
                if len(found) > _MOST_PIECES:
                    raise KernelError("distances change their course too often")
            return found
        case t.Combined("neg", (of,)):
            return {_times(f, -1) for f in _linear_pieces(of, at)}
        case t.Combined("mul", items) if len(changing := list(filter(_changes, items))) == 1:
            by = math.prod(at.of(x) for x in items if x not in changing)
            return {_times(f, by) for f in _linear_pieces(changing[0], at)}
        case _:
            return {linear(e, 1, at)}


def _changes(e: t.Whole) -> bool:
    return any(isinstance(x, t.Letter) for x in t.subterms(e))


def _times(f: Form, by: int) -> Form:
    return Form((f.factors[0] * by,), f.number * by)


def _is_convex(e: t.Expr) -> bool:
    """Whether a value is convex in an integer in which its distances are linear, 0 at least.

    A product is, of parts that rise and fall together: with one distance.
    """
    amounts = {x for x in t.subterms(e) if isinstance(x, t.Amount)}
    match e:
        case t.Sum(items) | t.Max(items):
            return all(map(_is_convex, items))
        case t.Product(items):
            return len(amounts) < 2 and all(map(_is_convex, items))
        case t.Apply("growth" | "path_rho", (eps, r)) if amounts.isdisjoint(t.subterms(eps)):
            return _is_convex(r)
        case _:
            return not amounts or isinstance(e, t.Amount)


def _beside(number: int, factor: int) -> Iterator[int]:
    edge = -number // factor
    yield from range(edge - 2, edge + 3)


def _with_numbers(e: t.Expr, table: Mapping[t.Expr, int]) -> t.Expr:
    """Return an expression with numbers in the place of amounts."""
    match e:
        case t.Amount():
            return t.Num(Fraction(table[e]))
        case t.Sum(items) | t.Product(items) | t.Max(items):
            return type(e)(tuple(_with_numbers(x, table) for x in items))
        case t.Sqrt(of):
            return t.Sqrt(_with_numbers(of, table))
        case t.Apply(name, items):
            return t.Apply(name, tuple(_with_numbers(x, table) for x in items))
        case _:
            return e


def _along(e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[_Varying]) -> Real:
    """Look at the places where a distance changes its course: between them totals are convex.

    Where a value is not, all integers are looked at.
    """
    if e.free != 1:
        raise KernelError("distances that differ, by several integers")
    pieces = [(x, *piece) for x in totals for piece in x.pieces()]
    allowed = intervals(e.facts, Values(sizes))
    ends = {int(x) for _, _, low_high, _ in pieces for x in low_high}
    ends |= {x + by for x in ends for by in (-1, 1)}
    ends |= {int(x) for both in allowed for x in both if math.isfinite(x)}
    ends.update(*(edges for *_, edges in pieces))
    here = sorted(x for x in ends if any(low <= x <= high for low, high in allowed))
    found: dict[int, list[Real]] = {}
    for x, number, (low, high), _ in pieces:
        for place in here[bisect_left(here, low) : bisect_right(here, high)]:
            found.setdefault(place, []).append(x.value(number, place))
    if any(map(is_infinite, (v for row in found.values() for v in row))):
        return math.inf
    return max(map(total, found.values()), default=0)


Search = Callable[
    [t.MaxOver, Mapping[str, int], Sequence[BlockTotal], Sequence[Sequence[int]]],
    tuple[int, tuple[int, ...]] | None,
]


def _in_units_of(
    e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[_Total], search: Search
) -> Real | None:  # fmt: skip
    """Return the largest total that a search finds in exact units; None if it finds none."""
    units, slack = _in_units([v for x in totals for v in x.values])
    ends = list(accumulate(len(x.values) for x in totals))
    each = [units[end - len(x.values) : end] for x, end in zip(totals, ends, strict=True)]
    found = None if slack else search(e, sizes, totals, each)
    if found is None:
        return None
    most, place = found
    return _sum_at(totals, place) if most else 0


def _alike(e: t.MaxOver, sizes: Mapping[str, int], rows: Rows, count: Count) -> Real | None:
    """Return the largest total where each of several integers decides alike, in exact units."""
    one = of_one_letter(e)
    if one is None:
        return None
    try:
        allowed = intervals(one.facts, Values(sizes))
        few = sum(high - low + 1 for low, high in allowed) < e.free
        totals = [_Total(x, sizes, rows, count) for x in totals_of(one.body)]
    except KernelError:
        return None
    return None if few else _of_several(one.facts, totals, e.free, sizes)


def _of_several(
    facts: t.Predicate, totals: Sequence[_Total], number: int, sizes: Mapping[str, int]
) -> Real | None:
    """Return the largest total where so many integers decide, each alike, in exact units."""
    try:
        allowed = intervals(facts, Values(sizes))
        each = [row for x in totals for row in x.by_block]
    except KernelError:
        return None
    units, slack = _in_units([v for v, _ in each], _ANY_UNIT)
    if slack or any(len(at) > 1 for _, at in each):
        return None
    held = [(v, *at[0]) for v, (_, at) in zip(units, each, strict=True) if at]
    at = best_places(held, allowed, number)
    if at is None:
        return None
    return total([
        v for v, where in each if any(low <= x <= high for low, high in where for x in at)
    ])  # fmt: skip


def _of_all_choices(e: t.Coverage, totals: Sequence[_Total], sizes: Mapping[str, int]) -> Real:
    """Look at choices of places that cover different blocks, in exact units at the best ones."""
    apart = places_apart(e.most, sizes)
    numbered = {(n, b): v for n, x in enumerate(totals)
                for v, b in zip(x.values, x.blocks, strict=True)}  # fmt: skip
    units, slack = _in_units(list(numbered.values()), _ANY_UNIT)
    if slack:
        known = choices(e, sizes)
        afford(len(known) * len(numbered))
        return max(_sum_at_some(totals, some, sizes) for some in known)
    number_of = {block: n for n, block in enumerate(numbered)}
    sets = [frozenset(map(number_of.__getitem__, covered)) for covered, _ in apart]
    best = best_cover(sets, units, times_of(e, sizes, len(sets)))
    if best is None:
        raise KernelError("there are too many choices of places to look at")
    return _sum_at_some(totals, [apart[n][1] for n in best], sizes)


def _sum_at_some(
    totals: Sequence[_Total], some: Sequence[tuple[int, ...]], sizes: Mapping[str, int]
) -> Real:
    return total([
        v for x in totals for v, b in zip(x.values, x.blocks, strict=True)
        if covers_block(x.e, some, Values(sizes, (), b))
    ])  # fmt: skip


def _looked_at(e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[_Total]) -> Real:
    """Look at all places where something changes."""
    return max(
        (
            total([v for x, here in zip(totals, covering, strict=True) for v in x.of(here)])
            for covering in coverings(e, sizes)
        ),
        default=0,
    )
