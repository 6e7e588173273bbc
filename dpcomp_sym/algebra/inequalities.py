"""Laws of inequalities between bounds.

Everything is a number in [0, inf], so every operation is monotone and polynomials can be compared
coefficient by coefficient.  Inequalities hold for all values of the parameters, at every block and
for all sizes of the box ``where``.  Figures are written as in :mod:`dpcomp_sym.kernel.rules`.
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from itertools import accumulate, chain, repeat
from typing import cast

from dpcomp_sym.algebra.counts import places_of
from dpcomp_sym.algebra.polynomials import ONE, at_most, dominated, polynomial, same
from dpcomp_sym.algebra.sizes import intersection, most_blocks
from dpcomp_sym.statements.places import totals_of
from dpcomp_sym.statements.terms import (
    Apply,
    BoundLeq,
    Cases,
    Choice,
    Expr,
    Inf,
    KernelError,
    KernelTerm,
    Max,
    MaxOver,
    Num,
    Product,
    Size,
    SizeRange,
    Sqrt,
    Sum,
    SumOver,
    Symbol,
    Where,
    Worst,
    is_whole,
    open_sizes,
    subterms,
)

__all__ = [
    "abel", "anywhere", "bounded_polynomial", "choose", "each_block", "factor_in", "factor_out",
    "growth_in", "growth_least", "growth_most", "growth_out", "induction", "maximum",
    "monotone", "root", "share", "some_item", "spread", "squares", "transitive", "transport",
]  # fmt: skip

MOST_STEPS = 100
"""Up to this distance what grows is written as a sum of powers."""
MOST_BLOCKS = 10_000
"""Up to this many blocks of one group are added up one by one."""

# Order.


def bounded_polynomial(left: Expr, right: Expr, where: Where) -> BoundLeq:
    """Polynomials are compared coefficient by coefficient; equal ones are equal.

    each coefficient of a is at most that of b      or: b is infinite
    -----------------------------------------------------------------
    a <= b

    Source: algebra of [0, inf].  Raises: KernelError if a coefficient is larger.
    """
    if right != Inf() and not dominated(polynomial(left), polynomial(right)):
        raise KernelError(f"{left.text()} is not, coefficient by coefficient, <= {right.text()}")
    return BoundLeq(left, right, intersection(where))


def transitive(first: BoundLeq, second: BoundLeq) -> BoundLeq:
    """Two inequalities, one after the other; middle terms may differ in writing.

    a <= b     b <= c
    -----------------
    a <= c

    Source: order.  Raises: KernelError unless the middle terms are the same polynomial.
    """
    if not same(first.right, second.left):
        raise KernelError(f"{first.right.text()} is not {second.left.text()}")
    return BoundLeq(first.left, second.right, intersection(first.where, second.where))


def maximum(leqs: tuple[BoundLeq, ...]) -> BoundLeq:
    """What bounds all items bounds their maximum.

    a_1 <= b   ...   a_n <= b
    -------------------------
    max(a_1, ..., a_n) <= b

    Source: order.  Raises: KernelError without premises, and for different right sides.
    """
    if not leqs or any(p.right != leqs[0].right for p in leqs):
        raise KernelError("the inequalities end in different bounds")
    where = intersection(*(p.where for p in leqs))
    return BoundLeq(Max(tuple(p.left for p in leqs)), leqs[0].right, where)


def some_item(left: Expr, right: Max, where: Where) -> BoundLeq:
    """An item is at most the maximum.

    -------------------
    a <= max(..., a, ...)

    Source: order.  Raises: KernelError if the item is not there.
    """
    if not any(same(left, item) for item in right.items):
        raise KernelError(f"{left.text()} is not an item of {right.text()}")
    return BoundLeq(left, right, intersection(where))


def monotone(kind: str, leqs: tuple[BoundLeq, ...]) -> BoundLeq:
    """Operations are monotone.

    a_1 <= b_1   ...   a_n <= b_n
    --------------------------------
    F(a_1, ..., a_n) <= F(b_1, ..., b_n)

    ``kind`` is "sum", "product", "max", "sqrt", "gdp", "tanh", "exp", "path_rho", "path_mu" or
    "growth".
    growth(eps, r) grows in eps only for r >= 1, which must hold for its first r.  Source: order;
    for growth, the convexity of q^r in q; for path_rho(eps, r) = eps (r - (1 - a^r)/sinh(eps)),
    that (q^r - 1)/r >= eps >= tanh(eps), so that (1 - a^r)/sinh(eps) falls in eps, and that it
    falls in r by at most 1 a step; for path_mu, that a^j/(1 + a) grows in a for j >= 1.
    Raises: KernelError for other operations and numbers of arguments.
    """
    lefts, rights = tuple(p.left for p in leqs), tuple(p.right for p in leqs)
    where = intersection(*(p.where for p in leqs))
    lists: dict[str, type[Sum | Product | Max]] = {"sum": Sum, "product": Product, "max": Max}
    if kind in lists:
        return BoundLeq(lists[kind](lefts), lists[kind](rights), where)
    if kind == "sqrt" and len(leqs) == 1:
        return BoundLeq(Sqrt(lefts[0]), Sqrt(rights[0]), where)
    if kind not in {"gdp", "tanh", "exp", "path_rho", "path_mu", "growth"}:
        raise KernelError(f"nothing is known of the operation {kind} of {len(leqs)} arguments")
    if kind == "growth" and not (len(leqs) == 2 and at_most(ONE, lefts[1], where)):
        raise KernelError("growth(eps, r) needs a distance r that is at least 1")
    return BoundLeq(Apply(kind, lefts), Apply(kind, rights), where)


def growth_least(growth: Apply, where: Where) -> BoundLeq:
    """What grows over a distance grows at least with the distance.

    --------------------   -----------------------------------   (r >= 1)
    r <= growth(eps, r)    r eps tanh(eps/2) <= path_rho(eps, r)

    Source: both are convex in r and 0 at r = 0, so that they are at least r times what they are at
    r = 1: 1, and eps (1 - 2 a/(1 + a)).  Raises: KernelError for other functions, and unless the
    distance is at least 1.
    """
    if growth.name not in {"growth", "path_rho"} or not at_most(ONE, growth.items[1], where):
        raise KernelError("growth(eps, r) or path_rho(eps, r) with an r of at least 1 is needed")
    eps, r = growth.items
    coins = Product((r, eps, Apply("tanh", (Product((Num(Fraction(1, 2)), eps)),))))
    return BoundLeq(r if growth.name == "growth" else coins, growth, intersection(where))


def growth_out(growth: Apply, where: Where) -> BoundLeq:
    """Growth over n steps is the sum of n powers of e^eps.

    ---------------------------------------------------------------   (n an integer up to 100)
    growth(eps, n) <= exp(0 eps) + exp(1 eps) + ... + exp((n - 1) eps)

    The converse is :func:`growth_in`.  Source: geometric sums.
    Raises: KernelError for other functions, and other distances.
    """
    return BoundLeq(growth, _powers(growth), intersection(where))


def growth_in(growth: Apply, where: Where) -> BoundLeq:
    """The converse of :func:`growth_out`.

    ---------------------------------------------------------------   (n an integer up to 100)
    exp(0 eps) + exp(1 eps) + ... + exp((n - 1) eps) <= growth(eps, n)

    Source: geometric sums.  Raises: KernelError for other functions, and other distances.
    """
    return BoundLeq(_powers(growth), growth, intersection(where))


def _powers(growth: Apply) -> Expr:
    match growth:
        case Apply("growth", (eps, Num(n))) if n.denominator == 1 and n <= MOST_STEPS:
            each = (Product((Num(Fraction(i)), eps)) for i in range(n.numerator))
            return Sum(tuple(Apply("exp", (x,)) for x in each))
    raise KernelError(f"growth(eps, n) with an integer n of at most {MOST_STEPS} is needed")


def growth_most(growth: Apply, steps: Expr, where: Where) -> BoundLeq:
    """Each of the steps grows at most as the last one.

    r <= s + 1
    --------------------------------
    growth(eps, r) <= r exp(s eps)

    Source: the mean value theorem for q^r, q = e^eps; for r <= 1 the left side is at most r.
    Raises: KernelError for other functions, and unless r is at most s + 1.
    """
    if growth.name != "growth" or not at_most(growth.items[1], Sum((steps, ONE)), where):
        raise KernelError("growth(eps, r) with an r of at most one more than the steps is needed")
    eps, r = growth.items
    right = Product((r, Apply("exp", (Product((steps, eps)),))))
    return BoundLeq(growth, right, intersection(where))


def root(leq: BoundLeq) -> BoundLeq:
    """Squares compare like numbers.

    a * a <= b * b
    --------------
    a <= b

    Source: order.  Raises: KernelError unless both sides are written as squares.
    """
    match leq.left, leq.right:
        case Product((a, a2)), Product((b, b2)) if a == a2 and b == b2:
            return BoundLeq(a, b, leq.where)
    raise KernelError("both sides must be written as squares")


# The worst choice of blocks.


def choose(worst: Worst, where: Where) -> BoundLeq:
    """A block is no worse than the worst one.

    -----------------------------   (first group has count 1 or more)
    a[i] <= worst choice(1 of a[i]; ...)

    Source: definition.  Raises: KernelError unless the first count is at least 1.
    """
    if not worst.groups or not at_most(ONE, worst.groups[0].count, where):
        raise KernelError("the first group must have at least one block")
    return BoundLeq(worst.groups[0].value, worst, intersection(where))


def each_block(leq: BoundLeq, worst: Worst) -> BoundLeq:
    """What bounds each block bounds the worst choice of one.

    a[i] <= b
    -----------------------------     (b does not depend on the block)
    worst choice(1 of a[i]) <= b

    Source: definition.  Raises: KernelError unless there is one group, of count 1, with this
    value, and the right side depends on no block.
    """
    if open_sizes(leq.right):
        raise KernelError("the right side depends on the block")
    if worst.groups != (Choice(ONE, leq.left),):
        raise KernelError("one group of count 1, with the left side as its value, is needed")
    return BoundLeq(worst, leq.right, leq.where)


def spread(worst: Worst, where: Where) -> BoundLeq:
    """The worst choice is at most count times the worst block, group by group.

    --------------------------------------------------------------------------
    worst choice(n_1 of a_1; n_2 of a_2; ...) <= n_1 max(a_1) + n_2 max(a_2) + ...

    An infinite count is the number of blocks.  Source: GB24s, after III.1.
    """
    total = Product(tuple(Size(s) if isinstance(s, str) else Num(Fraction(s)) for s in worst.sizes))
    items = tuple(
        Product(
            (total if g.count == Inf() else g.count, Worst(worst.sizes, (Choice(ONE, g.value),)))
        )
        for g in worst.groups
    )
    return BoundLeq(worst, Sum(items), intersection(where))


def share(
    worst: Worst, pieces: tuple[Worst, ...], times: tuple[Expr, ...], where: Where
) -> BoundLeq:
    """A choice of blocks is handed out to smaller choices, each of them made several times.

    n_j <= c_1 m_1j + c_2 m_2j + ...  for all j      (c, m integers; piece l has m_lj blocks of a_j)
    ------------------------------------------------------------------------------------------------
    worst choice(n_j of a_j) <= c_1 worst choice(m_1j of a_j) + c_2 worst choice(m_2j of a_j) + ...

    Groups with equal values count as one.  Argument: hand the blocks out to the places; those in
    one copy of a piece are different.  Source: definition.  Raises: KernelError for pieces of other
    blocks, numbers that are not integers, and if a group has no room.
    """
    if len(times) != len(pieces) or any(p.sizes != worst.sizes for p in pieces):
        raise KernelError("the pieces are not of the same blocks, or not one number for each")
    counts = [g.count for p in pieces for g in p.groups]
    if not all(map(is_whole, (*times, *counts))):
        raise KernelError("the pieces and their counts must be integers")
    for value in (g.value for g in worst.groups):
        need = Sum(tuple(g.count for g in worst.groups if same(g.value, value)))
        room = tuple(
            Product((c, g.count))
            for p, c in zip(pieces, times, strict=True)
            for g in p.groups
            if same(g.value, value)
        )
        if not at_most(need, Sum(room), where):
            raise KernelError(f"there is no room for {need.text()} blocks of {value.text()}")
    whole = tuple(Product((c, p)) for p, c in zip(pieces, times, strict=True))
    return BoundLeq(worst, Sum(whole), intersection(where))


def anywhere(most: MaxOver, counts: tuple[Expr, ...], where: Where) -> BoundLeq:
    """Blocks that change together are some blocks, and no more than fit in one place.

    for all letters t: at most n_j blocks satisfy c_j     (n_j infinite, or what the total counts)
    ----------------------------------------------------------------------------------------------
    max over t of (sum(a_1[i] for c_1) + ...) <= worst choice(n_1 of a_1) + ...

    How many blocks satisfy a condition is read off it (:mod:`counts`); a total without blocks is
    its value.  Values that name letters are left open, which no statement is.
    Source: definition.  Raises: KernelError if there can be more blocks.
    """
    totals = totals_of(most.body)
    if len(totals) != len(counts):
        raise KernelError("one number for each total is needed")
    items: list[Expr] = []
    for total, count in zip(totals, counts, strict=True):
        if not total.sizes:
            items.append(total.value)
            continue
        if count not in {Inf(), total.count} and not _holds_all(total, count, where):
            raise KernelError(f"there can be more than {count.text()} blocks in a place")
        items.append(Worst(total.sizes, (Choice(count, total.value),)))
    return BoundLeq(most, Sum(tuple(items)), intersection(where))


def _holds_all(total: SumOver, count: Expr, where: Where) -> bool:
    """Return whether a number is at least that of the blocks in a total, whatever the letters."""
    cases = places_of(total)
    if len(cases) == 1:
        return any(
            at_most(more, Sum((Product((factor, count)), less)), where)
            for factor, more, less in cases[0]
        )
    # No case has less than no block: what is less in one does not make room in another.
    each = [next(more for factor, more, _ in ways if factor == ONE) for ways in cases]
    return at_most(Sum(tuple(each)), count, where)


def squares(worst: Worst, where: Where) -> BoundLeq:
    """Squares sum up to no more than the square of the sum.

    ---------------------------------------------------------------
    worst choice(n_j of a_j a_j) <= worst choice(n_j of a_j)^2

    Source: algebra of [0, inf].  Raises: nothing.
    """
    groups = tuple(Choice(g.count, Product((g.value, g.value))) for g in worst.groups)
    return BoundLeq(Worst(worst.sizes, groups), Product((worst, worst)), intersection(where))


def factor_out(worst: Worst, factor: Expr, inside: Worst, where: Where) -> BoundLeq:
    """A factor that is the same for all blocks.

    a_j[i] = c b_j[i]     (c does not depend on the block)
    --------------------------------------------------------------
    worst choice(n_j of a_j) <= c * worst choice(n_j of b_j)

    The converse is :func:`factor_in`.  Source: algebra.
    Raises: KernelError unless the groups correspond, one by one.
    """
    _factored(worst, factor, inside)
    return BoundLeq(worst, Product((factor, inside)), intersection(where))


def factor_in(worst: Worst, factor: Expr, inside: Worst, where: Where) -> BoundLeq:
    """The converse of :func:`factor_out`.

    a_j[i] = c b_j[i]     (c does not depend on the block)
    --------------------------------------------------------------
    c * worst choice(n_j of b_j) <= worst choice(n_j of a_j)

    Source: algebra.  Raises: KernelError unless the groups correspond, one by one.
    """
    _factored(worst, factor, inside)
    return BoundLeq(Product((factor, inside)), worst, intersection(where))


def _factored(worst: Worst, factor: Expr, inside: Worst) -> None:
    if open_sizes(factor):
        raise KernelError("the factor depends on the block")
    if worst.sizes != inside.sizes or len(worst.groups) != len(inside.groups):
        raise KernelError("the choices are not of the same blocks")
    for a, b in zip(worst.groups, inside.groups, strict=True):
        if a.count != b.count or not same(a.value, Product((factor, b.value))):
            raise KernelError(f"{a.text()} is not {factor.text()} times {b.text()}")


def _cap(count: Expr, most: int | None, where: Where) -> Expr:
    """Return a count, or the number of blocks where that is known to be smaller."""
    if most is not None and at_most(Num(Fraction(most)), count, where):
        return Num(Fraction(most))
    return count


def transport(
    left: Worst, right: Worst, plan: tuple[int, ...], leqs: tuple[BoundLeq, ...], where: Where
) -> BoundLeq:
    """Each group goes into a group that is at least as bad and has room.

    a_j[i] <= b_plan(j)[i]  for all j       (counts that go into group l sum to at most m_l)
    ----------------------------------------------------------------------------------------
    worst choice(n_1 of a_1; ...) <= worst choice(m_1 of b_1; ...)

    Counts are cut at the number of blocks where ``where`` bounds it: blocks in excess are dropped.
    Source: domination of profiles.  Raises: KernelError unless plan, inequalities and groups
    correspond, and if a group has no room.
    """
    if left.sizes != right.sizes:
        raise KernelError("the choices are not of the same blocks")
    if not len(plan) == len(leqs) == len(left.groups):
        raise KernelError("one target and one inequality for each group are needed")
    box = intersection(where, *(p.where for p in leqs))
    most = most_blocks(left.sizes, box)
    for group, target, p in zip(left.groups, plan, leqs, strict=True):
        if not 0 <= target < len(right.groups):
            raise KernelError(f"there is no group {target}")
        if p.left != group.value or p.right != right.groups[target].value:
            raise KernelError("an inequality is about other groups")
    for n, goal in enumerate(right.groups):
        into = tuple(
            _cap(g.count, most, box) for g, t in zip(left.groups, plan, strict=True) if t == n
        )
        full = most is not None and at_most(Num(Fraction(most)), goal.count, box)
        if not full and not at_most(Sum(into), goal.count, box):
            raise KernelError(f"group {n} has no room")
    return BoundLeq(left, right, box)


def abel(left: Worst, right: Worst, base: Expr, where: Where) -> BoundLeq:
    """Multiples of one value, by the sums of the largest multiples (Abel summation).

    a_j[i] = s_j x[i],  b_l[i] = t_l x[i]      S_n <= T_n  for all n
    -----------------------------------------------------------------
    worst choice(n_1 of a_1; ...) <= worst choice(m_1 of b_1; ...)

    S_n is the sum of the n largest numbers s_j (each n_j times), T_n that of the t_l; only n up to
    the number of blocks count.  Argument: with x decreasing, sum s_j x_j = sum S_n (x_n - x_{n+1}).
    Source: domination of profiles.  Raises: KernelError if a value is not a rational multiple of
    the base, a count on the left is not an integer or more than 10,000, or a sum is larger.
    """
    if left.sizes != right.sizes:
        raise KernelError("the choices are not of the same blocks")
    small = _multiples(left, base, None)
    large = _multiples(right, base, len(small))
    most = most_blocks(left.sizes, where)
    padded = chain(large, repeat(Fraction(0)))
    sums = zip(accumulate(small[:most]), accumulate(padded), strict=False)
    for n, (s, t) in enumerate(sums, 1):
        if s > t:
            raise KernelError(f"the {n} largest multiples sum up to more than on the right")
    return BoundLeq(left, right, intersection(where))


def _count(group: Choice) -> int:
    if not isinstance(group.count, Num):  # the number of a choice is an integer
        raise KernelError("the counts must be integers")
    return group.count.value.numerator


def _multiples(worst: Worst, base: Expr, most: int | None) -> list[Fraction]:
    """Return the multiples of the base, largest first; at most so many of a group."""
    if not polynomial(base):
        raise KernelError("the base is zero")
    m, c = next(iter(polynomial(base).items()))
    found: list[Fraction] = []
    for g in worst.groups:
        factor = polynomial(g.value).get(m, Fraction(0)) / c
        if not same(g.value, Product((Num(factor), base))):
            raise KernelError(f"{g.value.text()} is not a multiple of {base.text()}")
        count = _count(g) if most is None or g.count != Inf() else most
        if most is None and count > MOST_BLOCKS:
            raise KernelError(f"more than {MOST_BLOCKS} blocks are not added up one by one")
        found += [factor] * (count if most is None else min(count, most))
    return sorted(found, reverse=True)


# Induction on the number of blocks.


def _names(term: KernelTerm, symbol: str) -> bool:
    """Return whether a term mentions a size, by any name that it gives to one."""
    return any(
        symbol in getattr(x, "sizes", ())
        or (isinstance(x, Size | Symbol) and x.name == symbol)
        or (isinstance(x, SizeRange) and x.symbol == symbol)
        for x in subterms(term)
    )


def _substitute(e: Expr, symbol: str, value: Expr) -> Expr:
    """Return an expression with a size replaced, which no family may have."""

    def inside(x: object) -> object:
        if x == Size(symbol):
            return value
        if isinstance(x, tuple):
            return tuple(map(inside, x))
        if isinstance(x, Worst | SumOver | MaxOver | SizeRange) and _names(x, symbol):
            raise KernelError(f"the size {symbol} cannot be replaced in {x.text()}")
        if isinstance(x, KernelTerm):
            return type(x)(*(inside(getattr(x, f.name)) for f in fields(x)))
        return x

    return cast("Expr", inside(e))


def induction(base: BoundLeq, step: BoundLeq, value: Expr, bound: Expr, size: str) -> BoundLeq:
    """Induction on the number k of blocks.

    a[i] <= F(1)     F(k) + a[i] <= F(k + 1)
    ----------------------------------------     (F depends on no block)
    sum over i <= k of a[i] <= F(k)

    Both premises hold at every block i.  Source: induction.
    Raises: KernelError unless the premises have these shapes and hold for all sizes.
    """
    if base.where or step.where:
        raise KernelError("the premises must hold for all sizes")
    if open_sizes(bound) or any(
        x == Size(size) or isinstance(x, Worst | Cases) for x in subterms(value)
    ):
        raise KernelError("the bound depends on the block, or a block on their number")
    if base != BoundLeq(value, _substitute(bound, size, ONE), ()):
        raise KernelError("this is not a base")
    if step != BoundLeq(Sum((bound, value)), _substitute(bound, size, Sum((Size(size), ONE))), ()):
        raise KernelError("this is not a step")
    return BoundLeq(Worst((size,), (Choice(Inf(), value),)), bound, ())
