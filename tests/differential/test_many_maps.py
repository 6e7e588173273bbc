"""Many filters, each a map of its own: what is lost is that of the worst neighbours, all looked at.

What a filter keeps depends on a record alone, so two of these, for a record that leaves and one
that comes, are all that a pair of neighbours is.  The bound must be the largest of their losses.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

import pytest

import dpcomp_sym as dp
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec
from tests.shares import shared

HEAD = """
setting = "{setting}"
[domain]
attributes = {{ id = "Record", kind = ["ka", "kb", "kc"], age = "int" }}
{symbols}[granularity]
{use}
"""
FILTER = """
[[map]]
name = "m{n}"
member = "{member}"
[[part]]
name = "p{n}"
map = "m{n}"
{own}
guarantee = {{ pure = "e{n}" }}
"""
SYMBOL = 'symbols = { n = "n >= 0" }\n'


def written(members, use, *, common, symbols=""):
    """Return a spec of filters, whose parts are in the domain of all or in one of their own."""
    setting, own = ("common", "") if common else ("separate", 'granularity = "unbounded"')
    parts = (FILTER.format(n=n, member=m, own=own) for n, m in enumerate(members))
    return HEAD.format(setting=setting, use=use, symbols=symbols) + "".join(parts)


def bound_of(members, losses, use, *, common):
    """Return the bound for filters with these losses."""
    problem = load_spec(written(members, use, common=common)).problem
    (bound,) = derive(problem, {f"e{n}": loss for n, loss in enumerate(losses)}, {}).bounds
    return bound


def ranges(draw, count):
    """Return intervals of ages, some of them single ages and some that overlap."""
    starts = [draw.randint(0, 3 * count) for _ in range(count)]
    return [(low, low + draw.choice((0, 0, 1, 3, 7))) for low in starts]


def worst(kept, losses, use, *, common):
    """Return the largest loss of a record that leaves or comes, and of one in another's place."""
    points = sorted({x for low, high in kept for x in (low, high)} | {-1})
    sets = {frozenset(n for n, (a, b) in enumerate(kept) if a <= x <= b) for x in points}

    def lost(one, other):
        both = one | other if common else [*one, *other]
        return sum(losses[n] for n in both)

    if use == "unbounded":
        return max(lost(one, frozenset()) for one in sets)
    return max(lost(one, other) for one, other in itertools.product(sets, repeat=2))


class Record(NamedTuple):
    """A record, but for its id, and the numbers of a condition of it."""

    kind: str
    age: int
    n: int = 0
    m: int = 0


RECORDS = tuple(itertools.starmap(Record, itertools.product(("ka", "kb", "kc"), range(-25, 26))))
FILTERS = (
    ("kind(c) == ka", lambda c: c.kind == "ka"),
    ("not kind(c) == ka", lambda c: c.kind != "ka"),
    ("age(c) == {n}", lambda c: c.age == c.n),
    ("age(c) >= {n}", lambda c: c.age >= c.n),
    ("age(c) % {m} == 1", lambda c: c.age % c.m == 1),
    ("age(c) // {m} == {n}", lambda c: c.age // c.m == c.n),
    ("kind(c) == ka and age(c) <= {n}", lambda c: c.kind == "ka" and c.age <= c.n),
    ("kind(c) == kb or age(c) == {n}", lambda c: c.kind == "kb" or c.age == c.n),
    ("age(c) > {n} and age(c) < {n}", lambda _: False),
    ("true", lambda _: True),
)
"""Conditions of records, as text and in Python."""
GRANULARITIES = {
    'use = "bounded"': lambda _: True,
    'use = "unbounded_or_bounded"': lambda _: True,
    'use = "nearby"\nvalue = "age"': lambda two: (
        two[0].kind == two[1].kind and abs(two[0].age - two[1].age) == 1
    ),
    'use = "label"\nlabel = "age"': lambda two: (
        two[0].kind == two[1].kind and two[0].age != two[1].age
    ),
    'use = "attribute"': lambda two: two[0].kind == two[1].kind or two[0].age == two[1].age,
    'use = "one_sided"\nsensitive = "kind(c) == ka"': lambda two: two[0].kind == "ka",
}
"""How granularities are written, and whether one record may take the place of another one."""


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, 120, 4)))
def test_random_filters(first):
    for seed in range(first, first + 4):
        draw = random.Random(seed)
        use, common = draw.choice(sorted(GRANULARITIES)), draw.random() < 0.5
        chosen = [
            (*draw.choice(FILTERS), draw.randint(1, 6), draw.randint(2, 4))
            for _ in range(draw.randint(9, 14))
        ]
        losses = [draw.randint(0, 9) for _ in chosen]
        kept = {
            record: [
                x for x, (_, holds, n, m) in enumerate(chosen) if holds(record._replace(n=n, m=m))
            ]
            for record in RECORDS
        }
        most = max(
            sum(losses[x] for x in ({*kept[a], *kept[b]} if common else (*kept[a], *kept[b])))
            for a, b in itertools.product(RECORDS, repeat=2)
            if GRANULARITIES[use]((a, b))
        )
        members = [text.format(n=n, m=m) for text, _, n, m in chosen]
        bound = bound_of(members, losses, use, common=common)
        assert (bound.value, bound.tight) == (most, "yes"), (seed, use, common, members)


@pytest.mark.in_turn
@pytest.mark.parametrize("use", ["unbounded", "bounded"])
@pytest.mark.parametrize("common", [True, False])
@pytest.mark.parametrize("count", shared(1, [[9], [12, 24], [18, 30, 40]]), ids=str)
def test_overlapping_filters(use, common, count):
    for number in count:
        draw = random.Random(f"{use} {common} {number}")
        kept = ranges(draw, number)
        losses = [draw.randint(1, 9) for _ in kept]
        members = [f"{a} <= age(c) and age(c) <= {b}" for a, b in kept]
        bound = bound_of(members, losses, f'use = "{use}"', common=common)
        assert bound.tight == "yes", (use, common, number)
        assert bound.value == worst(kept, losses, use, common=common)


def test_forty_disjoint_filters_cost_the_two_largest():
    members = [f"age(c) == {n}" for n in range(40)]
    bound = bound_of(members, range(40), 'use = "bounded"', common=True)
    assert (bound.value, bound.tight) == (39 + 38, "yes")


@pytest.mark.parametrize("use", ["unbounded", "bounded"])
def test_forty_filters_by_remainders_that_one_age_is_in(use):
    members = [f"age(c) % {n} == 0" for n in range(2, 42)]
    bound = bound_of(members, [1] * 40, f'use = "{use}"', common=True)
    assert (bound.value, bound.tight) == (40, "yes")


CLOSED = [("n == {}", 7, 1), ("n == {}", 50, 0), ("n > 3", 3, 0), ("age(c) == 5 and n > 3", 3, 0)]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("member", "n", "cost", "many"),
    shared(4, [(*closed, many) for many in (41, 20) for closed in CLOSED]),
)
@pytest.mark.parametrize(
    ("use", "common"), shared(1, list(itertools.product(("bounded", "unbounded"), (True, False))))
)
def test_a_bound_for_all_numbers_of_a_symbol_is_not_tight_where_filters_are_closed(
    member, n, cost, many, use, common
):
    """For some numbers of the symbol few filters keep anything, or none does."""
    members = [member.format(x) for x in range(many)]
    found = dp.load(written(members, f'use = "{use}"', common=common, symbols=SYMBOL)).derive()
    bound = found.bound("pure").sympy()
    numbers = {x: n if str(x) == "n" else 1 for x in bound.free_symbols}
    value = bound.subs(numbers).doit()
    most = 2 * cost if use == "bounded" and not common else cost
    assert value >= most
    assert value == most or found.bound("pure").tight != "yes"
