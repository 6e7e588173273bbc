"""The rule about blocks that change together: how many of them are in one place at most."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import ceil, prod
from typing import Any

from dpcomp_sym.replay.algebra import INF, ONE, at_most, num
from dpcomp_sym.replay.rules.base import Nodes, box, few, rule, says
from dpcomp_sym.replay.terms import Node, RejectedError, indices, make, need

Factors = tuple[Node, ...]
Form = dict[Factors, int]
UNIT: Form = {(): 1}
MOST_CASES = 16

__all__: list[str] = []


@rule("most:Expr counts:Expr* where:Range*")
def anywhere(most: Node, counts: Nodes, where: Nodes) -> Node:
    totals = list(_totals(says(most, "MaxOver")[2]))
    need(len(totals) == len(counts), "one number for each total is needed")
    items = []
    for (_, sizes, when, limit, value), count in zip(totals, counts, strict=True):
        if sizes:
            holds = count in (INF, limit) or _fits(when, sizes, count, where)
            need(holds, "there can be more blocks in a place")
            items.append(make("Worst", sizes, (make("Choice", count, value),)))
        else:
            items.append(value)
    return make("BoundLeq", most, make("Sum", tuple(items)), box(where))


def _totals(body: Node) -> Iterator[Any]:
    if body[0] == "Sum":
        for item in body[1]:
            yield from _totals(item)
    else:
        says(body, "SumOver")
        yield body


def _fits(when: Node, sizes: Any, count: Node, where: Nodes) -> bool:
    """Return whether a condition holds in no more blocks than a number says."""
    try:
        cases = _cases(when)
    except RejectedError:
        return False
    ways = [list(_spans(case, sizes)) for case in cases]
    if len(ways) == 1:
        options = ((a, make("Sum", (make("Product", (c, count)), b))) for c, a, b in ways[0])
        return any(at_most(above, room, where) for above, room in options)
    single = [next(above for c, above, _ in case if c == ONE) for case in ways]
    return at_most(make("Sum", tuple(single)), count, where)


def _spans(rows: list[Form], sizes: Any) -> Iterator[tuple[Node, Node, Node]]:
    """Yield c, a and b: the rows hold in at most n blocks if a <= c n + b."""
    for order in permutations(range(1, len(sizes) + 1)):
        yield from _along(rows, sizes, order, (), None)


def _along(
    rows: list[Form],
    sizes: Any,
    order: tuple[int, ...],
    free: Nodes,
    span: tuple[Form, Form] | None,
) -> Iterator[tuple[Node, Node, Node]]:
    """Yield such numbers where some indices are done: free ones, and one between two ends."""
    if not order:
        step, wide = span or (UNIT, UNIT)
        if set(step) == set(wide) == {()}:
            step, wide = UNIT, {(): ceil(Fraction(wide[()], step[()]))}
        if not free or step == UNIT:
            above, below = (make("Product", (_expr(wide, s), *free)) for s in (1, -1))
            yield ONE if step == UNIT else _expr(step, 1), above, below
        return
    index, *rest = order
    ends = _ends(rows, index, set(order))
    if any(step == wide for step, wide in ends):
        yield from _along(rows, sizes, tuple(rest), free, span)
        return
    if span is None:
        for pair in ends:
            if all(f[0] == "Symbol" for form in pair for p in form for f in p):
                yield from _along(rows, sizes, tuple(rest), free, pair)
    size = sizes[index - 1]
    every = make("Size", size) if isinstance(size, str) else num(size)
    yield from _along(rows, sizes, tuple(rest), (*free, every), span)


def _ends(rows: list[Form], index: int, unknown: set[int]) -> list[tuple[Form, Form]]:
    """Return c and d such that c times an index is one of d integers one after the other."""
    here: Node = make("Index", index)
    sides = []
    for row in rows:
        with_it = {p: n for p, n in row.items() if here in p}
        one_off = {_without(p, here): n for p, n in with_it.items()}
        rest = {p: n for p, n in row.items() if here not in p}
        named = {i for p in (*one_off, *rest) for f in p for i in indices(f)}
        if with_it and not named & unknown:
            sides.append((one_off, rest))
    found = []
    for (low, below), (high, above) in product(sides, sides):
        if all(n > 0 for n in high.values()) and _sum(low, high) == {}:
            found.append((high, _sum({p: -n for p, n in _sum(below, above).items()}, UNIT)))
    return found


def _without(factors: Factors, one: Node) -> Factors:
    at = factors.index(one)
    return factors[:at] + factors[at + 1 :]


def _expr(form: Form, sign: int) -> Node:
    """Return the products of a form with this sign, as a number in [0, inf]."""
    items = [
        make("Product", (num(abs(n)), *(make("Size", f[1]) for f in p)))
        for p, n in form.items()
        if n * sign > 0
    ]
    return make("Sum", tuple(items))


def _cases(p: Node) -> list[list[Form]]:
    """Return a condition as cases of forms that are at most 0; others say nothing."""
    match p:
        case ("Connected", "or", items):
            found = [case for x in items for case in _cases(x)]
        case ("Connected", "and", items):
            each = [_cases(x) for x in items]
            need(prod(len(x) for x in each) <= MOST_CASES, "too many cases")
            found = [[row for case in choice for row in case] for choice in few(product(*each))]
        case ("Compared", "le" | "lt" | "eq" as op, left, right):
            less = _sum(_form(left), {q: -n for q, n in _form(right).items()})
            rows = {"le": [less], "lt": [_sum(less, UNIT)],
                    "eq": [less, {q: -n for q, n in less.items()}]}  # fmt: skip
            found = [rows[op]]
        case _:
            found = [[]]
    return found


def _form(e: Node) -> Form:
    match e:
        case ("Integer", value):
            return {(): value} if value else {}
        case ("Combined", "add", items):
            return _sum(*map(_form, items))
        case ("Combined", "neg", (of,)):
            return {p: -n for p, n in _form(of).items()}
        case ("Combined", "mul", items):
            found = UNIT
            for item in items:
                terms = product(found.items(), _form(item).items())
                found = _sum(*({tuple(sorted(p + q, key=repr)): m * n} for (p, m), (q, n) in terms))
            return found
        case _:
            return {(e,): 1}


def _sum(*forms: Form) -> Form:
    found: Form = {}
    for form in forms:
        for factors, number in form.items():
            found[factors] = found.get(factors, 0) + number
    return {factors: number for factors, number in found.items() if number}
