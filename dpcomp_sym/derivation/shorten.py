"""Bounds as people write them: the same number in fewer words, and a theorem that it is.

What is short is proposed here; that it is equal is proved by the kernel in both directions, and is
a step of the derivation.  What cannot be proved equal is left as it was derived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.algebra.sizes import most_blocks
from dpcomp_sym.derivation.order import at_most

__all__ = ["Equal", "equal_to_shorter", "shortened"]

ONE = k.Num(Fraction(1))
MOST_ITEMS: Final = 12
"""Of more numbers it is not asked which ones are never the largest."""


@dataclass(frozen=True)
class Equal:
    """Two expressions that are equal, for the sizes of a box.

    ``proved`` are the theorems left <= right and right <= left; None for one expression twice:
    that is proved where a larger proof needs it, and of most parts of a long bound none does.
    """

    left: k.Expr
    right: k.Expr
    where: k.Where
    proved: tuple[k.Theorem, k.Theorem] | None = None

    @classmethod
    def by(cls, there: k.Theorem, back: k.Theorem) -> Equal:
        """Return what two theorems say."""
        statement = there.statement
        if not isinstance(statement, k.BoundLeq):
            raise TypeError("no inequality")
        return cls(statement.left, statement.right, statement.where, (there, back))

    @cached_property
    def _trivially(self) -> k.Theorem:
        return k.bounded_polynomial(self.left, self.left, self.where)

    @property
    def there(self) -> k.Theorem:
        """The theorem left <= right."""
        return self._trivially if self.proved is None else self.proved[0]

    @property
    def back(self) -> k.Theorem:
        """The theorem right <= left."""
        return self._trivially if self.proved is None else self.proved[1]

    def then(self, other: Equal) -> Equal:
        """Return that the first expression equals what the second one equals."""
        if other.left == other.right:
            return self
        if self.left == self.right:
            return other
        return Equal.by(
            k.transitive(self.there, other.there), k.transitive(other.back, self.back)
        )  # fmt: skip


def shortened(theorem: k.Theorem) -> k.Theorem:
    """Return a guarantee between neighbours in a shorter form, by inequalities of the kernel."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return theorem
    equal = [equal_to_shorter(e, statement.where) for e in statement.loss.guarantee]
    if all(e.left == e.right for e in equal):
        return theorem
    return k.change_guarantee(theorem, tuple(e.there for e in equal))


def equal_to_shorter(e: k.Expr, where: k.Where) -> Equal:
    """Return that an expression equals one that reads better, for the sizes of a box.

    Numbers and factors that all blocks share stand before the choice of blocks, equal factors of a
    sum before the sum, squares before their root; what reaches to the right comes last.

    >>> x = k.Param("x")
    >>> long = k.Sqrt(k.Product((x, k.Num(Fraction(4)), x))), k.Sum((x, x))
    >>> [equal_to_shorter(e, ()).right.text() for e in long]
    ['2*x', '2*x']
    """
    return _Shortening(where).of(e)


@dataclass(frozen=True)
class _Shortening:
    where: k.Where
    known: dict[k.Expr, Equal] = field(default_factory=dict)

    def of(self, e: k.Expr) -> Equal:
        """Return that an expression equals its shorter form, found once."""
        if e not in self.known:
            self.known[e] = self.found(e)
        return self.known[e]

    def found(self, e: k.Expr) -> Equal:
        """Shorten the inside first, then the whole; what has no proof stays as it is."""
        try:
            inside = self.within(e)
            return inside.then(self.whole(inside.right))
        except k.KernelError:
            return self.same(e, e)

    def same(self, e: k.Expr, other: k.Expr) -> Equal:
        """Return that two expressions are equal as polynomials."""
        if e == other:
            return Equal(e, e, self.where)
        return Equal.by(
            k.bounded_polynomial(e, other, self.where), k.bounded_polynomial(other, e, self.where)
        )

    def within(self, e: k.Expr) -> Equal:
        """Shorten what an operator is applied to."""
        match e:
            case k.Sum(items) if items:
                return self.applied("sum", e, items)
            case k.Product(items) if items:
                return self.applied("product", e, items)
            case k.Max(items) if items:
                return self.applied("max", e, items)
            case k.Sqrt(of):
                return self.applied("sqrt", e, (of,))
            case k.Worst():
                return self.values(e)
            case k.SumOver(sizes, when, count, value):
                return self.same(e, k.SumOver(sizes, when, count, self.of(value).right))
            case k.MaxOver(free, facts, body):
                return self.same(e, k.MaxOver(free, facts, self.of(body).right))
            case k.Coverage(times, k.MaxOver() as most) if isinstance(
                of := self.of(most).right, k.MaxOver
            ):
                return self.same(e, k.Coverage(times, of))
            case _:
                return self.same(e, e)

    def applied(self, kind: str, e: k.Expr, items: Sequence[k.Expr]) -> Equal:
        equal = [self.of(i) for i in items]
        if all(x.left == x.right for x in equal):
            return self.same(e, e)
        return Equal.by(
            k.monotone(kind, tuple(e.there for e in equal)),
            k.monotone(kind, tuple(e.back for e in equal)),
        )

    def values(self, e: k.Worst) -> Equal:
        """Shorten the values of the blocks."""
        equal = [self.of(g.value) for g in e.groups]
        if all(x.left == x.right for x in equal):
            return self.same(e, e)
        groups = [k.Choice(g.count, x.right) for g, x in zip(e.groups, equal, strict=True)]
        return self.blockwise(e, k.Worst(e.sizes, tuple(groups)), equal)

    def blockwise(self, e: k.Worst, other: k.Worst, equal: Sequence[Equal]) -> Equal:
        """Return that two choices of as many blocks with equal values are equal."""
        plan = tuple(range(len(e.groups)))
        there, back = tuple(x.there for x in equal), tuple(x.back for x in equal)
        return Equal.by(
            k.transport(e, other, plan, there, self.where),
            k.transport(other, e, plan, back, self.where),
        )

    def whole(self, e: k.Expr) -> Equal:
        """Shorten an expression whose inside is as short as it gets."""
        match e:
            case k.Sum(items):
                return self.same(e, _sum(items))
            case k.Product():
                return self.same(e, _product(*_factors(e)))
            case k.Max(items):
                once = self.without_copies(e, k.Max(tuple(dict.fromkeys(items))))
                return once.then(self.without_smaller(once.right))
            case k.Worst():
                alone = self.of_one_block(e)
                inside = alone.right
                return alone.then(self.chosen(inside)) if isinstance(inside, k.Worst) else alone
            case k.Sqrt(of):
                return self.root(e, of)
            case _:
                return self.same(e, e)

    def of_one_block(self, e: k.Worst) -> Equal:
        """Return the largest value of a block where there is one block, whatever its group."""
        known = len(e.groups) == 1 and e.groups[0].count == ONE
        if most_blocks(e.sizes, self.where) != 1 or not e.groups or known:
            return self.same(e, e)
        values = tuple(g.value for g in e.groups)
        kept = [
            v
            for n, v in enumerate(values)
            if not any(
                self.is_below(v, w) and not (m > n and self.is_below(w, v))
                for m, w in enumerate(values)
                if m != n
            )
        ]
        most = kept[0] if len(kept) == 1 else k.Max(tuple(kept))
        largest = k.Worst(e.sizes, (k.Choice(ONE, most),))
        leqs = tuple(self.up_to(v, kept, most) for v in values)
        there = k.transport(e, largest, (0,) * len(values), leqs, self.where)
        below = [self.one_of(e, values.index(v)) for v in kept]
        back = below[0] if len(below) == 1 else k.maximum(tuple(below))
        return Equal.by(there, k.each_block(back, largest))

    def is_below(self, left: k.Expr, right: k.Expr) -> bool:
        return at_most(left, right, self.where) is not None

    def up_to(self, value: k.Expr, kept: Sequence[k.Expr], most: k.Expr) -> k.Theorem:
        """Return that a value is at most the largest one that was kept."""
        goal, below = next(
            (v, leq) for v in kept if (leq := at_most(value, v, self.where)) is not None
        )
        if not isinstance(most, k.Max):
            return below
        return k.transitive(below, k.some_item(goal, most, self.where))

    def one_of(self, e: k.Worst, n: int) -> k.Theorem:
        """Return that the value of any block is at most a choice that has it in a group."""
        value = e.groups[n].value
        alone = k.Worst(e.sizes, (k.Choice(ONE, value),))
        same = k.bounded_polynomial(value, value, self.where)
        return k.transitive(
            k.choose(alone, self.where), k.transport(alone, e, (n,), (same,), self.where)
        )

    def without_copies(self, e: k.Max, other: k.Max) -> Equal:
        def below(these: k.Max, those: k.Max) -> k.Theorem:
            return k.maximum(tuple(k.some_item(i, those, self.where) for i in these.items))

        return Equal.by(below(e, other), below(other, e)) if e != other else self.same(e, e)

    def without_smaller(self, e: k.Expr) -> Equal:
        """Return that a largest value is that of the items that are not below others."""
        if not isinstance(e, k.Max) or len(e.items) > MOST_ITEMS:
            return self.same(e, e)
        below: dict[k.Expr, k.Theorem] = {}
        for item in e.items:
            left = (x for x in e.items if x != item and x not in below)
            leq = next((y for x in left if (y := self.part_by_part(item, x)) is not None), None)
            if leq is not None:
                below[item] = leq
        if not below:
            return self.same(e, e)
        kept = [x for x in e.items if x not in below]
        most = kept[0] if len(kept) == 1 else k.Max(tuple(kept))
        return Equal.by(
            k.maximum(tuple(self.within_kept(x, below, most) for x in e.items)),
            self.among(kept, most, e),
        )

    def part_by_part(self, small: k.Expr, large: k.Expr) -> k.Theorem | None:
        """Return that a sum is at most another one, if each part is, of the same parameters.

        What is left out of a part, or of a sum, is found by the kernel.
        """
        left, right, zero = _parts(small), _parts(large), k.Num(Fraction(0))
        each = [at_most(left.get(of, zero), part, self.where) for of, part in right.items()]
        known = tuple(x for x in each if x is not None)
        if len(known) < len(each):
            return None
        try:
            parts = k.Sum(tuple(left.get(of, zero) for of in right)), k.Sum((*right.values(),))
            below = k.transitive(
                k.bounded_polynomial(small, parts[0], self.where), k.monotone("sum", known)
            )
            return k.transitive(below, k.bounded_polynomial(parts[1], large, self.where))
        except k.KernelError:
            return None

    def within_kept(
        self, item: k.Expr, below: Mapping[k.Expr, k.Theorem], most: k.Expr
    ) -> k.Theorem:
        """Return that an item is at most what is kept, which it is below, or is below in turn."""
        if item in below:
            leq = below[item]
            larger = leq.statement.right if isinstance(leq.statement, k.BoundLeq) else most
            return k.transitive(leq, self.within_kept(larger, below, most))
        if isinstance(most, k.Max):
            return k.some_item(item, most, self.where)
        return k.bounded_polynomial(item, most, self.where)

    def among(self, kept: Sequence[k.Expr], most: k.Expr, e: k.Max) -> k.Theorem:
        """Return that what is kept is at most the largest of all items."""
        each = tuple(k.some_item(x, e, self.where) for x in kept)
        return each[0] if most == kept[0] else k.maximum(each)

    def chosen(self, e: k.Worst) -> Equal:
        """Return the largest of values that are the same for all blocks: it is this one."""
        match e.groups:
            case (k.Choice(count, value),) if count == ONE and not k.open_sizes(value):
                leq = k.bounded_polynomial(value, value, self.where)
                return Equal.by(k.each_block(leq, e), k.choose(e, self.where))
            case _:
                return self.drawn(e)

    def drawn(self, e: k.Worst) -> Equal:
        """Draw what all blocks share before the choice of blocks."""
        if not e.groups:
            return self.same(e, e)
        number, common, rests = _shared([_factors(g.value) for g in e.groups])
        if number == 1 and not common:
            return self.same(e, e)
        factor = _product(number, common)
        groups = [k.Choice(g.count, _product(*r)) for g, r in zip(e.groups, rests, strict=True)]
        inside = k.Worst(e.sizes, tuple(groups))
        before = Equal.by(
            k.factor_out(e, factor, inside, self.where), k.factor_in(e, factor, inside, self.where)
        )
        return before.then(self.same(before.right, _product(number, common + Counter([inside]))))

    def root(self, e: k.Sqrt, of: k.Expr) -> Equal:
        """Draw squares out of a root, and put the root of a largest value into it."""
        drawn = _root(of)
        if drawn == e:
            return self.inward(e)
        equal = Equal.by(*(self.by_squares(a, b) for a, b in ((e, drawn), (drawn, e))))
        if isinstance(drawn, k.Sqrt):
            return equal.then(self.inward(drawn))
        if not isinstance(drawn, k.Product):
            return equal
        inside = [self.inward(x) if isinstance(x, k.Sqrt) else self.same(x, x) for x in drawn.items]
        return equal.then(
            Equal.by(
                k.monotone("product", tuple(x.there for x in inside)),
                k.monotone("product", tuple(x.back for x in inside)),
            )
        )

    def by_squares(self, left: k.Expr, right: k.Expr) -> k.Theorem:
        squares = [k.Product((x, x)) for x in (left, right)]
        return k.root(k.bounded_polynomial(squares[0], squares[1], self.where))

    def inward(self, e: k.Sqrt) -> Equal:
        """Put the root of the largest value of one block into it."""
        match e.of:
            case k.Worst(sizes, (k.Choice(count, value),)) if count == ONE:
                pass
            case _:
                return self.same(e, e)
        rooted = self.of(k.Sqrt(value))
        largest = k.Worst(sizes, (k.Choice(ONE, rooted.right),))
        squared = k.Worst(sizes, (k.Choice(ONE, k.Product((rooted.right, rooted.right))),))
        as_square = self.same(value, k.Product((rooted.right, rooted.right)))
        below = k.transitive(
            self.blockwise(e.of, squared, [as_square]).there, k.squares(largest, self.where)
        )
        there = k.transitive(
            k.monotone("sqrt", (below,)),
            k.bounded_polynomial(k.Sqrt(k.Product((largest, largest))), largest, self.where),
        )
        each = k.transitive(rooted.back, k.monotone("sqrt", (k.choose(e.of, self.where),)))
        return Equal.by(there, k.each_block(each, largest))


Factors = tuple[Fraction, Counter[k.Expr]]


def _parts(e: k.Expr) -> dict[frozenset[str], k.Expr]:
    """Return the parts of a sum by the parameters that they name, of each of these one."""
    whole = normal(e)
    found: dict[frozenset[str], k.Expr] = {}
    for item in whole.items if isinstance(whole, k.Sum) else (whole,):
        read = (x for x in k.subterms(item) if isinstance(x, k.BlockEntry | k.EntryOf | k.Param))
        found[frozenset(x.text() for x in read)] = item
    return found


def _factors(e: k.Expr) -> Factors:
    """Return a product as its number and its other factors."""
    match e:
        case k.Num(value):
            return value, Counter()
        case k.Product(items):
            number, found = Fraction(1), Counter[k.Expr]()
            for item in items:
                n, more = _factors(item)
                number, found = number * n, found + more
            return number, found
        case k.Sum((item,)):
            return _factors(item)
        case _:
            return Fraction(1), Counter([e])


def _product(number: Fraction, factors: Counter[k.Expr]) -> k.Expr:
    ordered = sorted(factors, key=_place)
    items = [x for x in ordered for _ in range(factors[x])]
    if number != 1 or not items:
        items.insert(0, k.Num(number))
    return items[0] if len(items) == 1 else k.Product(tuple(items))


def _place(e: k.Expr) -> tuple[bool, bool]:
    """Sizes come first, then parameters, and last what has an inside."""
    return (
        not isinstance(e, k.Size),
        not isinstance(e, k.Size | k.Param | k.BlockEntry | k.EntryOf),
    )


def _sum(items: Sequence[k.Expr]) -> k.Expr:
    flat = _collected([x for i in items for x in (i.items if isinstance(i, k.Sum) else (i,))])
    if len(flat) < 2:
        return flat[0] if flat else k.Num(Fraction(0))
    number, common, rests = _shared([_factors(x) for x in flat])
    kept = sorted((_product(*r) for r in rests), key=_reaches)
    inside = k.Sum(tuple(kept))
    if number == 1 and not common:
        return inside
    return _product(number, common + Counter([inside]))


def _collected(items: Sequence[k.Expr]) -> Sequence[k.Expr]:
    """Add up the numbers of items that are otherwise alike."""
    found: dict[frozenset[tuple[k.Expr, int]], Fraction] = {}
    for item in items:
        number, factors = _factors(item)
        like = frozenset(factors.items())
        found[like] = found.get(like, Fraction(0)) + number
    if len(found) == len(items):
        return items
    return [_product(number, Counter(dict(like))) for like, number in found.items()]


def _reaches(e: k.Expr) -> int:
    """Return how far a formula reaches to the right: what reaches farthest ends a sum."""
    match e:
        case k.Product(items):
            return max(map(_reaches, items), default=0)
        case k.Worst(_, (k.Choice(count, _),)) if count == ONE or isinstance(count, k.Inf):
            return 1
        case k.Worst():
            return 2
        case _:
            return 0


def _shared(items: Sequence[Factors]) -> tuple[Fraction, Counter[k.Expr], list[Factors]]:
    """Return what all products share, which depends on no block, and what is left of each."""
    numbers = {n for n, _ in items}
    number = numbers.pop() if len(numbers) == 1 and 0 not in numbers else Fraction(1)
    common = Counter(items[0][1])
    for _, factors in items[1:]:
        common &= factors
    common = Counter({x: n for x, n in common.items() if not k.open_sizes(x)})
    return number, common, [(n / number, factors - common) for n, factors in items]


def _root(of: k.Expr) -> k.Expr:
    number, factors = _factors(of)
    drawn, left = Counter[k.Expr](), Counter[k.Expr]()
    for x, n in factors.items():
        drawn[x], left[x] = n // 2, n % 2
    up, down = isqrt(number.numerator), isqrt(number.denominator)
    square = up * up == number.numerator and down * down == number.denominator
    before = Fraction(up, down) if square else Fraction(1)
    inside = _product(Fraction(1) if square else number, +left)
    roots: Counter[k.Expr] = Counter() if inside == ONE else Counter([k.Sqrt(inside)])
    return _product(before, +drawn + roots)
