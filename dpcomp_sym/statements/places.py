"""Where a largest value over integers can be attained: a few places among all of them.

Conditions are compared with 0 as linear forms in the letters, one for each block.  Between the
places where a form changes its sign nothing changes, so that one place of each kind is enough.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.remainders import (
    MOST_REMAINDERS,
    divides_letters,
    of_remainders,
    period,
    repeats,
)  # fmt: skip
from dpcomp_sym.statements.terms import KernelError
from dpcomp_sym.statements.terms.base import loose

__all__ = [
    "Form", "arguments", "blocks", "by_indices", "cases", "forms", "indices", "interval",
    "intervals", "letter_here", "linear", "merged", "never_falls", "of_each_number", "parted",
    "places", "sums_of", "totals_of", "tried", "with_values",
]  # fmt: skip

MOST_PLACES: Final = 400_000
MOST_POINTS: Final = 200_000
"""Where signs change at more places, all of so many are looked at, if the facts leave no more."""
FEW_VALUES: Final = 4
"""A letter with so many values has each of them in turn."""
MOST_COUNTED: Final = 10_000
"""A letter that says how many blocks count has at most so many values."""
MOST_CASES: Final = 64
MOST_FACTS: Final = 20_000
"""For so many choices of remainders it is looked whether facts hold."""


@dataclass(frozen=True, slots=True)
class Form:
    """A linear form in the letters: factors, and a number."""

    factors: tuple[int, ...]
    number: int

    def at(self, letters: Sequence[int]) -> int:
        """Return the value."""
        return self.number + sum(a * x for a, x in zip(self.factors, letters, strict=True))


def sums_of(e: t.MaxOver) -> list[t.SumOver]:
    """Return the sums over blocks in a largest value."""
    return [x for x in t.subterms(e.body) if isinstance(x, t.SumOver)]


def blocks(sizes: t.Sizes, numbers: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return the indices of all blocks.

    Raises:
        KernelError: a size has no number.
    """
    return list(itertools.product(*indices(sizes, numbers)))


def indices(sizes: t.Sizes, numbers: Mapping[str, int]) -> list[range]:
    """Return the indices that blocks have, at each place.

    Raises:
        KernelError: a size has no number.
    """
    known = []
    for size in sizes:
        if isinstance(size, str) and size not in numbers:
            raise KernelError(f"no number for {size}")
        known.append(range(1, (numbers[size] if isinstance(size, str) else size) + 1))
    return known


def with_integers_given(e: t.MaxOver, numbers: Mapping[str, int]) -> list[t.MaxOver]:
    """Return largest values over functions, of which one over integers beside them is the largest.

    There is one for each kind of integers; what functions are is not chosen with these.  Over
    integers alone, or functions alone, it is the value itself.

    Raises:
        KernelError: a size has no number, a condition is not linear, or there are too many.

    >>> here = t.Connected("and", (t.Compared("eq", t.Index(1), t.Letter(1)),
    ...     t.Compared("eq", t.Index(2), t.LetterAt(2, (t.Index(1),)))))
    >>> largest = t.MaxOver(2, t.Connected("and", ()),
    ...     t.SumOver(("h", "k"), here, t.Inf(), t.BlockEntry("eps", ("h", "k"))))
    >>> [x.text() for x in with_integers_given(largest, {"h": 1, "k": 1})][1]
    'max over t of sum(eps[i,j] for i == 1 and j == t(i))'
    """
    at = arguments_of_letters(e)
    functions = [n for n in range(1, e.free + 1) if at.get(n) != ()]  # or of no use
    integers = [n for n in range(1, e.free + 1) if n not in functions]
    if not any(at.values()) or not integers:
        return [e]
    order = {n: place for place, n in enumerate((*integers, *functions), 1)}
    plain = t.rewritten(_numbered(e, order), letter_here)
    by = period(plain, numbers)
    if by**e.free > MOST_REMAINDERS:
        raise KernelError("letters are divided by too many numbers")
    some = [
        _with_rest(at, rest[: len(integers)], by)
        for rest, x in of_remainders(plain, e.free, by)
        for at in _first_letters(x, len(integers), numbers)
    ]
    found: list[t.MaxOver] = []
    for chosen in dict.fromkeys(_not_too_many(some)):
        if Values(numbers, (*chosen, *(0 for _ in functions))).hold(plain.facts):
            given = _numbered(e, order)
            for value in chosen:
                given = _with_value(given, 1, value)
            found.append(given)
    return found


def _numbered(e: t.MaxOver, order: Mapping[int, int]) -> t.MaxOver:
    """Return the same with other numbers for its letters."""

    def change(x: t.KernelTerm) -> t.KernelTerm | None:
        match x:
            case t.Letter(number):
                return t.Letter(order[number])
            case t.LetterAt(number, at):
                return t.LetterAt(order[number], at)
            case _:
                return None

    return t.rewritten(e, change)


def arguments_of_letters(e: t.KernelTerm) -> dict[int, tuple[t.Whole, ...]]:
    """Return of what the parameters that are named are functions; of nothing if integers."""
    named = [x for x in t.subterms(e) if isinstance(x, t.Letter | t.LetterAt)]
    return {x.number: x.at if isinstance(x, t.LetterAt) else () for x in named}


def by_indices(e: t.MaxOver, numbers: Mapping[str, int]) -> list[t.MaxOver]:
    """Return largest values over integers, of which one over functions of indices is the sum.

    There is one for each value of what they take: what the functions are there is chosen by itself.
    What no function is about comes last.  Over integers it is the value itself.  No parameter
    beside functions is an integer (:func:`with_integers_given`).

    Raises:
        KernelError: a size has no number, or the value is no sum of totals over blocks.

    >>> levels = t.Compared("eq", t.Index(2), t.LetterAt(1, (t.Index(1),)))
    >>> eps = t.SumOver(("h", "k"), levels, t.Inf(), t.BlockEntry("eps", ("h", "k")))
    >>> largest = t.MaxOver(1, t.Connected("and", ()), eps)
    >>> [x.text() for x in by_indices(largest, {"h": 2})][1]
    'max over t of sum(eps[i,j] for i == 2 and j == t)'
    """
    at = arguments(e)
    if not at:
        return [e]
    about, others = parted(e)
    each = [
        t.Sum(tuple(where_these_are(x, dict(zip(at, values, strict=True))) for x in about))
        for values in _values_of(at, about[0].sizes, numbers)
    ]
    bodies = [*each, t.Sum(tuple(others))] if others else each
    return [t.MaxOver(e.free, e.facts, body) for body in bodies]


def parted(e: t.MaxOver) -> tuple[list[t.SumOver], list[t.SumOver]]:
    """Return the totals of a largest value that functions are about, and the others."""
    totals = totals_of(e.body)
    about = [x for x in totals if arguments(x)]
    return about, [x for x in totals if x not in about]


def arguments(e: t.KernelTerm) -> tuple[t.Whole, ...]:
    """Return what parameters in a term are functions of; nothing if they are integers."""
    return next((x.at for x in t.subterms(e) if isinstance(x, t.LetterAt)), ())


def _values_of(
    at: Sequence[t.Whole], sizes: t.Sizes, numbers: Mapping[str, int]
) -> list[tuple[int, ...]]:
    """Return the values that integers of a block have together, in the order of the blocks."""
    named = t.indices_named(tuple(at))
    found: dict[tuple[int, ...], None] = {}
    for block in blocks(tuple(sizes[n - 1] for n in named), numbers):
        here = dict(zip(named, block, strict=True))
        values = Values(numbers, (), tuple(here.get(n, 0) for n in range(1, max(named) + 1)))
        found[tuple(map(values.of, at))] = None
    return list(found)


def never_falls(e: t.Whole) -> bool:
    """Return whether an integer is no less in later blocks, where it names one index.

    >>> later = t.Combined("add", (t.Index(1), t.Symbol("s")))
    >>> never_falls(t.Combined("div", (later, t.Integer(7))))
    True
    """
    match e:
        case t.Combined("div", (of, t.Integer() | t.Symbol())):
            return never_falls(of)
        case t.Combined("add", items):
            told = [x for x in items if t.indices_named(x)]
            return len(told) == 1 and never_falls(told[0])
        case _:
            return isinstance(e, t.Index)


def totals_of(body: t.Expr) -> list[t.SumOver]:
    """Return the totals over blocks that a value is the sum of.

    Raises:
        KernelError: it is something else.
    """
    match body:
        case t.SumOver():
            return [body]
        case t.Sum(items):
            return [x for item in items for x in totals_of(item)]
        case _:
            raise KernelError(f"{body.text()} is not a total over blocks")


def where_these_are(e: t.SumOver, values: Mapping[t.Whole, int]) -> t.SumOver:
    """Return a total over blocks where integers are these; functions of them are integers then."""
    here = [t.Compared("eq", of, t.Integer(n)) for of, n in values.items()]
    when = t.rewritten(e.when, letter_here)
    also = when.items if isinstance(when, t.Connected) and when.word == "and" else (when,)
    return t.SumOver(
        e.sizes, t.Connected("and", (*here, *also)), e.count, t.rewritten(e.value, letter_here)
    )


def letter_here(x: t.KernelTerm) -> t.Letter | None:
    """Return the integer that a function is where what it takes is the same in all blocks."""
    return t.Letter(x.number) if isinstance(x, t.LetterAt) else None


def linear(e: t.Whole, free: int, values: Values) -> Form:
    """Return an integer as a linear form in so many letters; symbols and indices have values.

    Quotients and remainders are linear where the number divides all factors of letters.

    Raises:
        KernelError: it is not linear.

    >>> linear(t.Combined("neg", (t.Letter(1),)), 1, Values({}))
    Form(factors=(-1,), number=0)
    """
    match e:
        case t.Letter(number):
            return Form(tuple(int(n == number) for n in range(1, free + 1)), 0)
        case t.Combined("add", items):
            parts = [linear(x, free, values) for x in items]
            columns = zip(*(p.factors for p in parts), strict=True)
            return Form(tuple(map(sum, columns)), sum(p.number for p in parts))
        case t.Combined("neg", (of,)):
            inner = linear(of, free, values)
            return Form(tuple(-a for a in inner.factors), -inner.number)
        case t.Combined("mul", items):
            found = Form((0,) * free, 1)
            for part in (linear(x, free, values) for x in items):
                if any(part.factors) and any(found.factors):
                    raise KernelError("two letters are multiplied")
                number = found.number if any(part.factors) else part.number
                other = part if any(part.factors) else found
                found = Form(tuple(a * number for a in other.factors), other.number * number)
            return found
        case _ if not any(isinstance(x, t.Letter) for x in t.subterms(e)):
            return Form((0,) * free, values.of(e))
        case t.Combined("div" | "mod" as word, (of, by)):
            if any(isinstance(x, t.Letter) for x in t.subterms(by)):
                raise KernelError("something is divided by a letter")
            inner, number = linear(of, free, values), values.of(by)
            if number < 1 or any(a % number for a in inner.factors):
                raise KernelError("no linear form in the letters")
            if word == "mod":
                return Form((0,) * free, inner.number % number)
            return Form(tuple(a // number for a in inner.factors), inner.number // number)
        case _:
            raise KernelError("no linear form in the letters")


def forms(p: t.Predicate, free: int, values: Values) -> Iterator[Form]:
    """Yield the forms whose sign decides a condition: left - right of each comparison."""
    for one in t.subterms(p):
        if isinstance(one, t.Compared):
            difference = t.Combined("add", (one.left, t.Combined("neg", (one.right,))))
            yield linear(difference, free, values)


def places(e: t.MaxOver, numbers: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return places among which a largest value is attained, if it is anywhere.

    Raises:
        KernelError: conditions are not linear in the letters, or there are too many places.
    """
    if any(isinstance(x, t.Amount) for total in sums_of(e) for x in t.subterms(total.value)):
        raise KernelError("distances differ from place to place")
    if any(isinstance(total.count, t.Amount) for total in sums_of(e)):
        raise KernelError("how many blocks count differs from place to place")
    ranges = ranges_of(e, numbers)
    if (given := with_values(e, numbers, ranges)) is not None:
        number, each = given
        some = [
            (*at[: number - 1], value, *at[number - 1 :])
            for value, left in each for at in places(left, numbers)
        ]  # fmt: skip
        return _not_too_many(some)
    try:
        return _where_signs_change(e, numbers)
    except KernelError:
        if len(ranges) < e.free or math.prod(map(len, ranges.values())) > MOST_POINTS:
            raise
        points = itertools.product(*(ranges[n] for n in range(1, e.free + 1)))
        return [at for at in points if Values(numbers, at).hold(e.facts)]


def with_values(
    e: t.MaxOver, numbers: Mapping[str, int], ranges: Mapping[int, range] | None = None
) -> tuple[int, list[tuple[int, t.MaxOver]]] | None:  # fmt: skip
    """Return a letter to which the facts leave few values, and what is largest for each of these.

    None if there is no such letter.

    >>> one = t.Compared("eq", t.Index(1), t.Letter(1))
    >>> yes = t.Compared("eq", t.Letter(2), t.Integer(1))
    >>> facts = t.Connected("and", (t.Compared("le", t.Integer(0), t.Letter(2)),
    ...     t.Compared("le", t.Letter(2), t.Integer(1))))
    >>> days = t.SumOver(("k",), t.Connected("and", (one, yes)), t.Inf(),
    ...     t.BlockEntry("eps", ("k",)))
    >>> number, each = with_values(t.MaxOver(2, facts, days), {"k": 3})
    >>> number, [value for value, _ in each]
    (2, [0, 1])
    """
    if any(isinstance(x, t.LetterAt) for x in t.subterms(e)):
        return None
    ranges = ranges_of(e, numbers) if ranges is None else ranges
    few = [n for n, values in ranges.items() if len(values) <= FEW_VALUES]
    if not few:
        return None
    number = few[0]
    return number, [(value, _with_value(e, number, value)) for value in ranges[number]]


def of_each_number(e: t.MaxOver, numbers: Mapping[str, int]) -> list[t.MaxOver] | None:
    """Return what is largest for each number of an integer that says how many blocks count.

    None if there is no such integer.

    Its amounts that depend on nothing else are numbers then.

    Raises:
        KernelError: the facts do not say between which numbers it is, or there are too many.

    >>> some = t.SumOver(("k",), t.Connected("and", ()), t.Amount(t.Letter(1)),
    ...     t.BlockEntry("eps", ("k",)))
    >>> facts = t.Connected("and", (t.Compared("lt", t.Integer(0), t.Letter(1)),
    ...     t.Compared("lt", t.Letter(1), t.Symbol("m"))))
    >>> [x.body.text() for x in of_each_number(t.MaxOver(1, facts, some), {"m": 4})]
    ['max(eps[i])', 'sum of the 2 largest eps[i]', 'sum of the 3 largest eps[i]']
    """
    named = {x.number for total in sums_of(e) for x in _letters(total.count)}
    if not named:
        return None
    number = min(named)
    values = ranges_of(e, numbers).get(number)
    if values is None:
        raise KernelError("nothing bounds how many blocks count")
    if len(values) > MOST_COUNTED:
        raise KernelError("there are too many numbers of blocks to look at")
    return [_folded(_with_value(e, number, value), numbers) for value in values]


def _letters(e: t.KernelTerm) -> Iterator[t.Letter]:
    return (x for x in t.subterms(e) if isinstance(x, t.Letter))


def _folded(e: t.MaxOver, numbers: Mapping[str, int]) -> t.MaxOver:
    """Return the same with numbers in the place of amounts that name no integer and no index."""

    def number(x: t.KernelTerm) -> t.KernelTerm | None:
        if isinstance(x, t.Amount) and loose(x) == (0, 0):
            return t.Num(Fraction(max(0, Values(numbers).of(x.of))))
        return None

    return t.rewritten(e, number)


def ranges_of(e: t.MaxOver, numbers: Mapping[str, int]) -> dict[int, range]:
    """Return between which ends the facts say that letters are, for those with both ends.

    >>> from fractions import Fraction
    >>> two = t.Combined("add", (t.Letter(1), t.Letter(2)))
    >>> facts = t.Connected("and", tuple(t.Compared("le", x, y) for x, y in (
    ...     (t.Integer(0), t.Letter(1)), (t.Integer(0), t.Letter(2)), (two, t.Integer(1)))))
    >>> ranges_of(t.MaxOver(2, facts, t.Num(Fraction(1))), {})
    {1: range(0, 2), 2: range(0, 2)}
    """
    rows: list[Form] = []
    for one in _conjuncts(e.facts):
        if not isinstance(one, t.Compared) or one.word == "ne":
            continue
        difference = t.Combined("add", (one.left, t.Combined("neg", (one.right,))))
        try:
            f = linear(difference, e.free, Values(numbers))
        except KernelError:
            continue
        rows.append(Form(f.factors, f.number + (one.word == "lt")))
        if one.word == "eq":
            rows.append(Form(tuple(-a for a in f.factors), -f.number))
    ends: dict[tuple[int, bool], int] = {}  # of a letter: the lower one, or the upper one
    for row in rows * (e.free + 1):
        for n, end in _told(row, ends):
            upper = row.factors[n - 1] > 0
            known = ends.get((n, upper), end)
            ends[n, upper] = min(known, end) if upper else max(known, end)
    return {
        n: range(ends[n, False], ends[n, True] + 1)
        for n in range(1, e.free + 1) if {(n, False), (n, True)} <= ends.keys()
    }  # fmt: skip


def _told(row: Form, ends: Mapping[tuple[int, bool], int]) -> Iterator[tuple[int, int]]:
    """Yield what an inequality, that a form is not positive, says of a letter beside the others."""
    named = [(n, a) for n, a in enumerate(row.factors, 1) if a]
    for n, by in named:
        others = [(m, a) for m, a in named if m != n]
        if all((m, a < 0) in ends for m, a in others):
            room = -row.number - sum(a * ends[m, a < 0] for m, a in others)  # by*n <= room
            yield n, room // by if by > 0 else -(room // -by)


def _conjuncts(p: t.Predicate) -> Iterator[t.Predicate]:
    if isinstance(p, t.Connected) and p.word == "and":
        for one in p.items:
            yield from _conjuncts(one)
    else:
        yield p


def _with_value(e: t.MaxOver, number: int, value: int) -> t.MaxOver:
    """Return the same with a number in the place of a letter, and one letter less."""

    def given(x: t.KernelTerm) -> t.KernelTerm | None:
        if isinstance(x, t.LetterAt):
            return t.LetterAt(x.number - 1, x.at) if x.number > number else x
        if not isinstance(x, t.Letter):
            return None
        if x.number == number:
            return t.Integer(value)
        return t.Letter(x.number - 1) if x.number > number else x

    return t.MaxOver(e.free - 1, t.rewritten(e.facts, given), t.rewritten(e.body, given))


def _not_too_many(some: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    if len(some) > MOST_PLACES:
        raise KernelError("there are too many places to look at")
    return some


def _where_signs_change(e: t.MaxOver, numbers: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return places of each kind that the signs of conditions make, among those with the facts."""
    by = period(e, numbers)
    if by == 1:
        found: Iterable[tuple[int, ...]] = _of_forms(e, numbers)
    elif repeats(e):
        found = _of_each_remainder(e, by, numbers)
    elif by**e.free > MOST_REMAINDERS:
        raise KernelError("letters are divided by too many numbers")
    else:
        found = (
            _with_rest(at, rest, by)
            for rest, x in of_remainders(e, e.free, by)
            for at in _of_forms(x, numbers)
        )
    some = list(itertools.islice(found, MOST_PLACES + 1))
    return [at for at in dict.fromkeys(_not_too_many(some)) if Values(numbers, at).hold(e.facts)]


def _with_rest(at: tuple[int, ...], rest: tuple[int, ...], by: int) -> tuple[int, ...]:
    return tuple(by * n + r for n, r in zip(at, rest, strict=True))


def _of_each_remainder(
    e: t.MaxOver, by: int, numbers: Mapping[str, int]
) -> Iterator[tuple[int, ...]]:
    """Yield a place for each choice of remainders, where the facts hold at one; they decide all.

    Raises:
        KernelError: there are too many.
    """
    said = None if divides_letters(e.facts) else set(forms(e.facts, e.free, Values(numbers)))
    if e.free == 2 and said and all(sum(f.factors) == 0 for f in said):
        gaps = list(_gaps(e.facts, said, by, numbers))
        yield from ((at, at + gap) for gap in gaps for at in range(by))
        return
    if by**e.free > (MOST_FACTS if said else MOST_PLACES):
        raise KernelError("there are too many remainders")
    if said is not None and not said:
        yield from itertools.product(range(by), repeat=e.free)
        return
    for rest, facts in of_remainders(e.facts, e.free, by):
        places = tried(forms(facts, e.free, Values(numbers)), e.free)
        at = next((p for p in places if Values(numbers, p).hold(facts)), None)
        if at is not None:
            yield _with_rest(at, rest, by)


def _gaps(
    facts: t.Predicate, said: Iterable[Form], by: int, numbers: Mapping[str, int]
) -> Iterator[int]:
    """Yield by how much a second letter may be more than the first, once for each remainder.

    ``said``: the forms of the facts, which are about that alone.
    """
    roots = [f.number // f.factors[0] for f in said if f.factors[0]]
    for rest in range(by):
        near = (root - (root - rest) % by + n * by for root in roots or [0] for n in (-1, 0, 1))
        held = (gap for gap in near if Values(numbers, (0, gap)).hold(facts))
        yield from itertools.islice(held, 1)


def _of_forms(e: t.MaxOver, numbers: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    """Yield places of each kind that the signs of all conditions make, without remainders."""
    yield from tried(_all_forms(e, numbers), e.free)


def _all_forms(e: t.MaxOver, numbers: Mapping[str, int]) -> set[Form]:
    """Return the forms whose signs decide all conditions."""
    found: set[Form] = set(forms(e.facts, e.free, Values(numbers)))
    for total in sums_of(e):
        for block in blocks(total.sizes, numbers):
            found.update(forms(total.when, e.free, Values(numbers, (), block)))
    return found


def _first_letters(
    e: t.MaxOver, count: int, numbers: Mapping[str, int]
) -> Iterator[tuple[int, ...]]:
    """Yield values of the first letters, one at least of each kind that all conditions make.

    Two are of one kind if, whatever the other letters are, these have a place in the same order
    among what decides the conditions.
    """
    marks = {g for f in _all_forms(e, numbers) if any(f.factors) for g in _without_factor(f)}
    some = itertools.islice(_tried(_eliminated(marks, e.free)[:count], ()), MOST_PLACES + 1)
    yield from _not_too_many(list(some))


Covered = frozenset[tuple[int, tuple[int, ...]]]
"""Blocks: of which total, and their numbers."""


def choices(e: t.Coverage, numbers: Mapping[str, int]) -> list[tuple[tuple[int, ...], ...]]:
    """Return choices of places, one of which covers most, whatever the blocks count for.

    Raises:
        KernelError: conditions are not linear in the letters, or there are too many.

    >>> near = t.Connected("and", (t.Compared("le", t.Letter(1), t.Index(1)),
    ...     t.Compared("le", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(2))))))
    >>> days = t.SumOver(("k",), near, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> most = t.MaxOver(1, t.Connected("and", ()), days)
    >>> choices(t.Coverage(t.Size("r"), most), {"k": 4, "r": 1})
    [((1,),), ((2,),)]
    """
    kept = places_apart(e.most, numbers)
    few = times_of(e, numbers, len(kept))
    if math.comb(len(kept), few) > MOST_PLACES:
        raise KernelError("there are too many choices of places to look at")
    return [tuple(at for _, at in some) for some in itertools.combinations(kept, few)]


def places_apart(e: t.MaxOver, numbers: Mapping[str, int]) -> list[tuple[Covered, tuple[int, ...]]]:
    """Return places where different blocks count, each with these: none has a part of another's.

    A block is told by the place of its total in the sum, and by its numbers.

    Raises:
        KernelError: conditions are not linear in the letters, or there are too many places.
    """
    held = sorted(
        ((_blocks_at(e, at, numbers), at) for at in places(e, numbers)),
        key=lambda row: len(row[0]), reverse=True,
    )  # fmt: skip
    kept: list[tuple[Covered, tuple[int, ...]]] = []
    for covered, at in held:
        if not any(covered <= other for other, _ in kept):
            kept.append((covered, at))
    return kept


def covers_block(e: t.SumOver, some: Iterable[tuple[int, ...]], here: Values) -> bool:
    """Return whether a block counts at one of some places; ``here``: symbols and its indices."""
    return any(Values(here.symbols, at, here.indices).hold(e.when) for at in some)


def times_of(e: t.Coverage, numbers: Mapping[str, int], most: int) -> int:
    """Return how many choices there are, at most so many.

    Raises:
        KernelError: that is no integer.
    """
    return min(_times(e.times, numbers, most), most)


def _blocks_at(e: t.MaxOver, at: tuple[int, ...], numbers: Mapping[str, int]) -> Covered:
    """Return the blocks that count at a place."""
    return frozenset(
        (n, block)
        for n, total in enumerate(sums_of(e))
        for block in blocks(total.sizes, numbers)
        if Values(numbers, at, block).hold(total.when)
    )


def _times(e: t.Expr, numbers: Mapping[str, int], most: int) -> int:
    match e:
        case t.Num(value) if value.denominator == 1:
            return int(value)
        case t.Size(name):
            return numbers[name]
        case t.Product(items):
            return math.prod(_times(x, numbers, most) for x in items)
        case t.Sum(items):
            return sum(_times(x, numbers, most) for x in items)
        case t.Inf():
            return most
        case _:
            raise KernelError(f"{e.text()} is no number of choices")


def tried(found: Iterable[Form], free: int) -> Iterator[tuple[int, ...]]:
    """Yield places, one at least of each kind that the signs of forms in so many letters make.

    Raises:
        KernelError: a letter beside others has a factor, or there are too many places.

    >>> list(tried([Form((1,), -3)], 1))
    [(2,), (3,), (4,)]
    >>> sorted({second for _, second in tried([Form((0, 2), -7)], 2)})  # 2*x < 7 and 2*x > 7
    [2, 3, 4, 5]
    """
    if not free:
        yield ()
        return
    marks = {g for f in found if any(f.factors) for g in _without_factor(f)}
    yield from _tried(_eliminated(marks, free), ())


def _without_factor(f: Form) -> Iterator[Form]:
    """Yield forms without a common factor of the letters, whose signs decide that of a form."""
    by = math.gcd(*f.factors)
    if by == 1:
        yield f
        return
    unit = tuple(a // by for a in f.factors)
    for edge in {-f.number // by, -(f.number // by)}:  # the integers on both sides of the root
        yield Form(unit, -edge)


def _eliminated(marks: set[Form], free: int) -> list[set[Form]]:
    """Return forms in the first letter, in the first two, and so on: what is left of all of them.

    Where two forms with the last letter cross, its place changes; there the others decide.
    """
    levels = [marks]
    for last in range(free - 1, 0, -1):
        here = {f for f in levels[0] if f.factors[last]}
        rest = {f for f in levels[0] if not f.factors[last]}
        if any(abs(f.factors[last]) != 1 for f in here):
            raise KernelError("a letter has a factor")
        # Forms in the last letter alone have fixed roots: two of these say nothing of the others.
        mixed = [f for f in here if any(f.factors[:last])]
        alone = [f for f in here if not any(f.factors[:last])]
        pairs = itertools.combinations(mixed, 2), itertools.product(mixed, alone)
        for f, g in itertools.chain(*pairs):
            sign = -f.factors[last] * g.factors[last]
            factors = tuple(a + sign * b for a, b in zip(f.factors, g.factors, strict=True))
            if any(factors):
                # Integers at the edges of open conditions lie up to two beside the crossing.
                number = f.number + sign * g.number
                by = math.gcd(*factors)
                small = tuple(a // by for a in factors)
                rest |= {
                    Form(small, d) for d in range((number - 2) // by, -(-(number + 2) // by) + 1)
                }
            if len(rest) > MOST_PLACES:
                raise KernelError("there are too many places")
        levels.insert(0, rest)
    return levels


def _tried(levels: Sequence[set[Form]], start: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield places letter by letter: beside each edge, or 0 where there is none."""
    if not levels:
        yield start
        return
    letter = len(start)
    edges: set[int] = set()
    for f in levels[0]:
        factor = f.factors[letter]
        if factor:
            known = f.number + sum(a * x for a, x in zip(f.factors, start, strict=False))
            edge = -known // factor
            edges |= {edge - 1, edge, edge + 1}
    if len(edges) > MOST_PLACES:
        raise KernelError("there are too many places")
    for value in sorted(edges) or [0]:
        yield from _tried(levels[1:], (*start, value))


Row = tuple[int, tuple[int, ...], int]
"""a*letter + (factors of the indices) + number <= 0."""


def cases(p: t.Predicate, width: int, values: Values) -> list[list[Row]]:
    """Return a condition on one letter and some indices as cases of linear inequalities.

    Raises:
        KernelError: it is not linear, or "not" stands in it.

    >>> cases(t.Compared("lt", t.Letter(1), t.Index(1)), 1, Values({}))
    [[(1, (-1,), 1)]]
    """
    match p:
        case t.Connected("or", items):
            return [case for x in items for case in cases(x, width, values)]
        case t.Connected("and", items):
            each = [cases(x, width, values) for x in items]
            if math.prod(map(len, each)) > MOST_CASES:
                raise KernelError("there are too many cases")
            return [list(itertools.chain(*choice)) for choice in itertools.product(*each)]
        case t.Compared(word, left, right):
            difference = t.Combined("add", (left, t.Combined("neg", (right,))))
            form = linear(_as_letters(difference), 1 + width, values)
            row = (form.factors[0], form.factors[1:], form.number)
            back = (-row[0], tuple(-x for x in row[1]), -row[2])
            match word:
                case "le":
                    return [[row]]
                case "lt":
                    return [[(*row[:2], row[2] + 1)]]
                case "eq":
                    return [[row, back]]
                case _:
                    return [[(*row[:2], row[2] + 1)], [(*back[:2], back[2] + 1)]]
        case _:
            raise KernelError("no linear condition")


def _as_letters(e: t.Whole) -> t.Whole:
    """Return an integer with letters 2, 3, … in the place of indices."""
    match e:
        case t.Index(number):
            return t.Letter(number + 1)
        case t.Combined(word, items):
            return t.Combined(word, tuple(map(_as_letters, items)))
        case _:
            return e


def interval(case: Sequence[Row], block: Sequence[int]) -> tuple[float, float] | None:
    """Return for which numbers of the letter a block is of a case, None if for none."""
    low, high = -math.inf, math.inf
    for factor, factors, number in case:
        rest = number + sum(map(operator.mul, factors, block))
        if factor > 0:
            high = min(high, -rest // factor)
        elif factor < 0:
            low = max(low, -(-rest // -factor))
        elif rest > 0:
            return None
    return (low, high) if low <= high else None


def intervals(p: t.Predicate, values: Values) -> list[tuple[float, float]]:
    """Return for which numbers of the only letter a condition holds, as intervals in order.

    Raises:
        KernelError: it is not linear in the letter.
    """
    match p:
        case t.Connected("not", (inner,)):
            return _outside(intervals(inner, values))
        case t.Connected("and", items):
            found: list[tuple[float, float]] = [(-math.inf, math.inf)]
            for item in items:
                found = _both(found, intervals(item, values))
            return found
        case t.Connected("or", items):
            return merged(x for item in items for x in intervals(item, values))
        case t.Compared(word, left, right):
            difference = t.Combined("add", (left, t.Combined("neg", (right,))))
            form = linear(difference, 1, values)
            (a,), c = form.factors, form.number
            if a == 0:
                holds = {"lt": c < 0, "le": c <= 0, "eq": c == 0, "ne": c != 0}[word]
                return [(-math.inf, math.inf)] if holds else []
            if word in ("eq", "ne"):
                at = [(-c // a, -c // a)] if c % a == 0 else []
                return list(at) if word == "eq" else _outside([*at])
            c += word == "lt"
            if a > 0:
                return [(-math.inf, -c // a)]
            return [(-(-c // -a), math.inf)]
        case _:
            raise KernelError("no condition")


def _both(
    a: Sequence[tuple[float, float]], b: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    pairs = ((max(x[0], y[0]), min(x[1], y[1])) for x in a for y in b)
    return sorted(p for p in pairs if p[0] <= p[1])


def merged(items: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the integers that lie in some of these intervals, as intervals apart."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(items):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def _outside(items: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    found = []
    start = -math.inf
    for low, high in items:
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    if start < math.inf:
        found.append((start, math.inf))
    return found
