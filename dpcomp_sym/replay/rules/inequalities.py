"""Rules of inequalities between bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpcomp_sym.replay.algebra import (
    INF,
    ONE,
    at_most,
    dominated,
    is_finite,
    most_blocks,
    num,
    polynomial,
    same,
    whole,
)
from dpcomp_sym.replay.rules.base import Nodes, box, rule, says
from dpcomp_sym.replay.terms import (
    Node,
    fields_of,
    is_integer,
    make,
    need,
    open_sizes,
)

# ------------------------------------------------------------- inequalities

__all__ = ["inner"]

MOST_STEPS = 100


@rule("left:Expr right:Expr where:Range*")
def bounded_polynomial(left: Node, right: Node, where: Nodes) -> Node:
    holds = right == INF or dominated(polynomial(left), polynomial(right))
    need(holds, "a coefficient is larger")
    return make("BoundLeq", left, right, box(where))


@rule("first:|- second:|-")
def transitive(first: Node, second: Node) -> Node:
    (a, b, here), (c, d, there) = says(first, "BoundLeq"), says(second, "BoundLeq")
    need(same(b, c), "the middle terms differ")
    return make("BoundLeq", a, d, box(here, there))


@rule("leqs:|-*")
def maximum(leqs: Nodes) -> Node:
    rows = [says(q, "BoundLeq") for q in leqs]
    need(bool(rows) and all(r[1] == rows[0][1] for r in rows), "different right sides")
    left = make("Max", tuple(r[0] for r in rows))
    return make("BoundLeq", left, rows[0][1], box(*(r[2] for r in rows)))


@rule("left:Expr right:Expr where:Range*")
def some_item(left: Node, right: Node, where: Nodes) -> Node:
    (items,) = says(right, "Max")
    need(any(same(left, item) for item in items), "the item is not there")
    return make("BoundLeq", left, right, box(where))


@rule("kind:text leqs:|-*")
def monotone(kind: str, leqs: Nodes) -> Node:
    rows = [says(q, "BoundLeq") for q in leqs]
    left, right = tuple(r[0] for r in rows), tuple(r[1] for r in rows)
    where = box(*(r[2] for r in rows))
    lists = {"sum": "Sum", "product": "Product", "max": "Max"}
    if kind in lists:
        return make("BoundLeq", make(lists[kind], left), make(lists[kind], right), where)
    if kind == "sqrt":
        need(len(rows) == 1, "one root")
        return make("BoundLeq", make("Sqrt", left[0]), make("Sqrt", right[0]), where)
    growing = {"exp", "gdp", "growth", "path_mu", "path_rho", "tanh"}
    need(kind in growing, "nothing is known of this operation")
    if kind == "growth":
        need(len(rows) == 2 and at_most(ONE, left[1], where), "a distance of at least 1 is needed")
    return make("BoundLeq", make("Apply", kind, left), make("Apply", kind, right), where)


@rule("growth:Expr where:Range*")
def growth_least(growth: Node, where: Nodes) -> Node:
    name, items = says(growth, "Apply")
    need(name in {"growth", "path_rho"}, "a growth is needed")
    eps, r = items
    need(at_most(ONE, r, where), "a distance of at least 1 is needed")
    if name == "growth":
        return make("BoundLeq", r, growth, box(where))
    half = make("Product", (num(Fraction(1, 2)), eps))
    coins = make("Product", (r, eps, make("Apply", "tanh", (half,))))
    return make("BoundLeq", coins, growth, box(where))


@rule("growth:Expr where:Range*")
def growth_out(growth: Node, where: Nodes) -> Node:
    return make("BoundLeq", growth, _powers(growth), box(where))


@rule("growth:Expr where:Range*")
def growth_in(growth: Node, where: Nodes) -> Node:
    return make("BoundLeq", _powers(growth), growth, box(where))


def _powers(growth: Node) -> Node:
    name, items = says(growth, "Apply")
    need(name == "growth", "a growth is needed")
    eps, (op, *value) = items
    need(op == "Num" and value[0].denominator == 1, "a whole number of steps is needed")
    need(value[0] <= MOST_STEPS, "too many steps")
    each = (make("Product", (num(i), eps)) for i in range(int(value[0])))
    return make("Sum", tuple(make("Apply", "exp", (x,)) for x in each))


@rule("growth:Expr steps:Expr where:Range*")
def growth_most(growth: Node, steps: Node, where: Nodes) -> Node:
    name, items = says(growth, "Apply")
    need(name == "growth", "a growth is needed")
    eps, r = items
    need(at_most(r, make("Sum", (steps, ONE)), where), "more steps than one beyond these")
    power = make("Apply", "exp", (make("Product", (steps, eps)),))
    return make("BoundLeq", growth, make("Product", (r, power)), box(where))


@rule("leq:|-")
def root(leq: Node) -> Node:
    left, right, where = says(leq, "BoundLeq")
    (one,), (other,) = says(left, "Product"), says(right, "Product")
    need(len(one) == len(other) == 2 and one[0] == one[1], "squares are needed")
    need(other[0] == other[1], "squares are needed")
    return make("BoundLeq", one[0], other[0], where)


@rule("worst:Expr where:Range*")
def choose(worst: Node, where: Nodes) -> Node:
    _, groups = says(worst, "Worst")
    need(bool(groups) and at_most(ONE, groups[0][1], where), "the first group may be empty")
    return make("BoundLeq", groups[0][2], worst, box(where))


@rule("leq:|- worst:Expr")
def each_block(leq: Node, worst: Node) -> Node:
    left, right, where = says(leq, "BoundLeq")
    _, groups = says(worst, "Worst")
    need(not open_sizes(right), "the right side depends on the block")
    need(groups == (make("Choice", ONE, left),), "one group of count 1 is needed")
    return make("BoundLeq", worst, right, where)


@rule("worst:Expr where:Range*")
def spread(worst: Node, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    everything = tuple(make("Size", s) if isinstance(s, str) else num(s) for s in sizes)
    items = []
    for _, count, value in groups:
        single = make("Worst", sizes, (make("Choice", ONE, value),))
        number = make("Product", everything) if count == INF else count
        items.append(make("Product", (number, single)))
    return make("BoundLeq", worst, make("Sum", tuple(items)), box(where))


@rule("worst:Expr pieces:Expr* times:Expr* where:Range*")
def share(worst: Node, pieces: Nodes, times: Nodes, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    need(len(pieces) == len(times), "one number for each piece is needed")
    places: list[tuple[Node, Node]] = []
    for piece, number in zip(pieces, times, strict=True):
        others, parts = says(piece, "Worst")
        need(others == sizes, "the pieces are of other blocks")
        need(is_integer(number), "a number of pieces is not an integer")
        for _, count, value in parts:
            need(count != INF, "a piece has all blocks")
            places.append((value, make("Product", (number, count))))
    for _, _, value in groups:
        wanted = make("Sum", tuple(n for _, n, other in groups if same(other, value)))
        room = make("Sum", tuple(n for other, n in places if same(other, value)))
        need(is_finite(wanted) and at_most(wanted, room, where), "a group has no room")
    items = tuple(make("Product", pair) for pair in zip(times, pieces, strict=True))
    return make("BoundLeq", worst, make("Sum", items), box(where))


@rule("worst:Expr where:Range*")
def squares(worst: Node, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    doubled = tuple(
        make("Choice", count, make("Product", (value, value))) for _, count, value in groups
    )
    square = make("Product", (worst, worst))
    return make("BoundLeq", make("Worst", sizes, doubled), square, box(where))


def factored(worst: Node, factor: Node, inside: Node) -> Node:
    """Check that a factor stands before all values; return the product."""
    (sizes, groups), (others, rest) = says(worst, "Worst"), says(inside, "Worst")
    need(not open_sizes(factor), "the factor depends on the block")
    need(sizes == others and len(groups) == len(rest), "the choices differ")
    for (_, count, value), (_, again, other) in zip(groups, rest, strict=True):
        holds = count == again and same(value, make("Product", (factor, other)))
        need(holds, "a value is not the factor times the other")
    return make("Product", (factor, inside))


@rule("worst:Expr factor:Expr inside:Expr where:Range*")
def factor_out(worst: Node, factor: Node, inside: Node, where: Nodes) -> Node:
    return make("BoundLeq", worst, factored(worst, factor, inside), box(where))


@rule("worst:Expr factor:Expr inside:Expr where:Range*")
def factor_in(worst: Node, factor: Node, inside: Node, where: Nodes) -> Node:
    return make("BoundLeq", factored(worst, factor, inside), worst, box(where))


@rule("left:Expr right:Expr plan:int* leqs:|-* where:Range*")
def transport(left: Node, right: Node, plan: tuple[int, ...], leqs: Nodes, where: Nodes) -> Node:
    (sizes, groups), (others, goals) = says(left, "Worst"), says(right, "Worst")
    rows = [says(q, "BoundLeq") for q in leqs]
    need(sizes == others, "the choices are not of the same blocks")
    need(len(plan) == len(rows) == len(groups), "one target and inequality for each group")
    within = box(where, *(r[2] for r in rows))
    need(within == box(where), "an inequality is known in a smaller range")
    most = most_blocks(sizes, within)
    filled: dict[int, list[Node]] = {}
    for (_, count, value), target, row in zip(groups, plan, rows, strict=True):
        need(0 <= target < len(goals), "there is no such group")
        need(row[0] == value and row[1] == goals[target][2], "an inequality is about others")
        few_blocks = most is not None and at_most(num(most), count, within)
        filled.setdefault(target, []).append(num(most or 0) if few_blocks else count)
    for target, counts in filled.items():
        room = goals[target][1]
        full = most is not None and at_most(num(most), room, within)
        holds = full or at_most(make("Sum", tuple(counts)), room, within)
        need(holds, "a group has no room")
    return make("BoundLeq", left, right, within)


def multiples(worst: Node, base: Node, most: int | None) -> list[Fraction]:
    """Return the multiples of the base, largest first; ``most`` limits each group."""
    p = polynomial(base)
    need(bool(p), "the base is zero")
    unit, c = next(iter(p.items()))
    found: list[Fraction] = []
    for _, count, value in worst[2]:
        factor = polynomial(value).get(unit, Fraction(0)) / c
        need(same(value, make("Product", (num(factor), base))), "no multiple of the base")
        if most is None:
            number = whole(count, 10_000)
        else:
            number = most if count == INF else min(most, whole(count, 10**15))
        found += [factor] * number
    return sorted(found, reverse=True)


@rule("left:Expr right:Expr base:Expr where:Range*")
def abel(left: Node, right: Node, base: Node, where: Nodes) -> Node:
    need(says(left, "Worst")[0] == says(right, "Worst")[0], "the choices are of other blocks")
    small = multiples(left, base, None)
    large = multiples(right, base, len(small))
    most = most_blocks(left[1], where)
    up = down = Fraction(0)
    for n, factor in enumerate(small):
        if most is not None and n >= most:
            break
        up += factor
        down += large[n] if n < len(large) else 0
        need(up <= down, f"the {n + 1} largest multiples sum up to more than on the right")
    return make("BoundLeq", left, right, box(where))


def replaced(node: Node, symbol: str, value: Node) -> Node:
    """Return an expression with a size replaced."""
    if node == make("Size", symbol):
        return value
    if node[0] in {"Worst", "SumOver", "MaxOver", "Range"}:
        need(symbol not in symbols(node), "the size cannot be replaced there")
    after: list[Any] = [node[0]]
    for _, kind, field in fields_of(node):
        if kind.endswith("*") and kind[0].isupper():
            after.append(tuple(replaced(x, symbol, value) for x in field))
        else:
            after.append(replaced(field, symbol, value) if kind[0].isupper() else field)
    return make(*after)


def inner(node: Node) -> Iterator[Node]:
    """Yield a term and everything in it."""
    yield node
    for _, kind, field in fields_of(node):
        if kind[0].isupper() and field is not None:
            for each in field if kind.endswith("*") else (field,):
                yield from inner(each)


def symbols(node: Node) -> set[Any]:
    """Return all texts in a term, sizes of families included."""
    found: set[Any] = set()
    for each in inner(node):
        for _, kind, field in fields_of(each):
            found |= set(field) if kind == "sizes" else {field} if kind == "text" else set()
    return found


@rule("base:|- step:|- value:Expr bound:Expr size:text")
def induction(base: Node, step: Node, value: Node, bound: Node, size: str) -> Node:
    free = not open_sizes(bound)
    free = free and not any(
        x == make("Size", size) or x[0] in {"Worst", "Cases"} for x in inner(value)
    )
    need(free, "the bound depends on the block, or a block on their number")
    more = make("Sum", (make("Size", size), ONE))
    first = make("BoundLeq", value, replaced(bound, size, ONE), ())
    later = make("BoundLeq", make("Sum", (bound, value)), replaced(bound, size, more), ())
    need(base == first, "this is not a base")
    need(step == later, "this is not a step")
    worst = make("Worst", (size,), (make("Choice", INF, value),))
    return make("BoundLeq", worst, bound, ())
