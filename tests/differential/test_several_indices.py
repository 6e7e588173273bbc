"""Blocks with two indices, and maps beside each other, against all neighbours in small worlds.

Settings as people write them: a user and a week, a region and its days, places on a grid, days
beside a partition.  Each bound is the largest that any neighbours need, and is called tight.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.finite.enumerate import label_worlds
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem
from dpcomp_sym.numbers.together import largest_together
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

USERS, PAGES = ("p", "q"), ("a", "b")
TIMES = "t <= day(c) and day(c) < t + w"
WEEKS = f"""
[domain]
attributes = {{ user = "User", day = "int" }}
symbols = {{ w = "w >= 1" }}
kind = "set"
[granularity]
name = "some days of a user"
[[granularity.edit]]
params = {{ u = "User", t = "int" }}
frame = "user(c) == u and {TIMES}"
[[map]]
name = "weeks"
index = {{ i = "k", j = "n" }}
functions = {{ h = [["User"], "int"] }}
member = "h(user(c)) == i and day(c)//2 == j - 1"
[[part]]
name = "counts"
map = "weeks"
guarantee = {{ pure = "eps", zcdp = "rho" }}
"""
REGIONS = """
[domain]
attributes = { user = "User", day = "int" }
functions = { region = [["User"], "int"] }
kind = "set"
[granularity]
use = "user"
owner = "user"
[[map]]
name = "regions"
index = { i = "k" }
member = "region(user(c)) == i"
[[map]]
name = "days"
index = { j = "n" }
member = "region(user(c)) == 2 and day(c) == j"
[[part]]
name = "counts"
map = "regions"
guarantee = { pure = "eps", zcdp = "rho" }
[[part]]
name = "daily"
map = "days"
guarantee = { pure = "eta", zcdp = "tau" }
"""
GRID = """
[domain]
attributes = { x = "int", y = "int" }
kind = "set"
[granularity]
use = "unbounded"
[[map]]
name = "near"
index = { i = "k", j = "n" }
member = "abs(x(c) - i) <= 1 and abs(y(c) - j) <= 1"
[[part]]
name = "counts"
map = "near"
guarantee = { pure = "eps", zcdp = "rho" }
"""
MOVES = """
setting = "common"
[domain]
attributes = { x = "int", y = "int" }
kind = "set"
[granularity]
name = "a step on the grid"
[[granularity.edit]]
params = { a = "cell", b = "cell" }
guard = "D[a] >= 1 and a != b and abs(x(a) - x(b)) + abs(y(a) - y(b)) <= 1"
change = { a = "-1", b = "1" }
[[map]]
name = "places"
index = { i = "k", j = "n" }
member = "x(c) == i and y(c) == j"
[[part]]
name = "counts"
map = "places"
guarantee = { pure = "eps", zcdp = "rho" }
"""
BESIDE = f"""
[domain]
attributes = {{ page = "Page", day = "int" }}
symbols = {{ w = "w >= 1" }}
kind = "set"
[granularity]
name = "some days"
[[granularity.edit]]
params = {{ t = "int" }}
frame = "{TIMES}"
[[map]]
name = "days"
index = {{ i = "k" }}
member = "day(c) == i"
[[map]]
name = "pages"
index = {{ j = "n" }}
functions = {{ g = [["Page"], "int"] }}
member = "g(page(c)) == j"
facts = ["1 <= g(page(c)) and g(page(c)) <= n"]
[[map]]
name = "all"
use = "identity"
[[map]]
name = "late"
member = "day(c) >= 2"
[[part]]
name = "counts"
map = "days"
guarantee = {{ pure = "eps", zcdp = "rho" }}
[[part]]
name = "by_page"
map = "pages"
guarantee = {{ pure = "eta", zcdp = "tau" }}
[[part]]
name = "total"
map = "all"
guarantee = {{ pure = "zeta", zcdp = "xi" }}
[[part]]
name = "after"
map = "late"
guarantee = {{ pure = "theta", zcdp = "chi" }}
"""


@dataclass(frozen=True)
class Labelled(Drawn):
    """A problem in a world whose functions, of the class and of maps, take all values."""

    def worlds(self) -> Iterator[World]:
        """Yield worlds with all labels."""
        domain, maps = self.problem.domain, list(self.problem.used_maps.values())
        symbols = {name: self.sizes[name] for name in self.problem.symbols}
        own = list(domain.functions)
        for (cells,) in zip(self.cells()):
            for values in itertools.product(range(4), repeat=len(USERS) * len(own)):
                tables = {name: {(u,): values[n] for n, u in enumerate(USERS)} for name in own}
                world = World(
                    domain, tuple(cells), self.elements, tables, dict.fromkeys(own, 0), symbols
                )
                yield from label_worlds(world, maps, 24)


CASES = {
    "weeks of users": (WEEKS, {"k": 2, "n": 2, "w": 2}, [itertools.product(USERS, range(4))],
        "max over t, u of sum(eps[i,j] for i == t and u < 2*j <= u + w + 1)"),
    "days of one region": (REGIONS, {"k": 3, "n": 2}, [itertools.product(USERS, (1, 2))],
        "max over t of (sum(eps[i] for i == t) + sum(eta[i] for t == 2))"),
    "near cells": (GRID, {"k": 3, "n": 3},
        [[(0, 1), (1, 1), (2, 2), (2, 3), (4, 2), (4, 4), (3, 0)]],
        "max over t, u of sum(eps[i,j] for t - 1 <= i <= t + 1 and u - 1 <= j <= u + 1)"),
    "steps on a grid": (MOVES, {"k": 3, "n": 2}, [itertools.product((1, 2, 3), (1, 2))], None),
    "days, pages and all": (BESIDE, {"k": 3, "n": 2, "w": 2}, [itertools.product(PAGES, (1, 2, 3))],
        None),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_bounds_are_what_is_needed(case):
    text, sizes, cells, said = CASES[case]
    problem = load_spec(text).problem
    listed = [list(c) for c in cells]
    drawn = Labelled(problem, sizes, lambda: iter(listed), {"User": USERS, "Page": PAGES})
    found = Comparison(1, drawn)
    assert not found.wrong()
    assert "tight" in found.kinds()
    assert "a pattern" in found.kinds()
    if said:
        assert derive(problem).bounds["pure"].text == said


@pytest.mark.in_turn
def test_the_best_pair_of_blocks_is_the_best_place():
    """Two blocks that an edit names: the pairs are compared with all places around them."""
    whens = (
        t.Connected("or", (_is(1, 2), _is(3, 4))),
        t.Connected("or", (_is(1, 2), t.Connected("and", (_is(3, 4), _less(1, 4))))),
    )
    facts = (_less(1, 3), t.Connected("or", (_less(1, 3), _less(4, 2))), t.Connected("and", ()))
    draw = random.Random(5)
    for _ in range(12):
        values = [draw.randint(0, 6) for _ in range(6)]
        eps = t.SumOver(("k", "n"), draw.choice(whens), t.Inf(), t.BlockEntry("eps", ("k", "n")))
        e = t.MaxOver(4, draw.choice(facts), eps)
        sizes = {"k": 3, "n": 2}
        blocks = list(itertools.product((1, 2, 3), (1, 2)))
        most = max(
            sum(v for v, b in zip(values, blocks, strict=True) if Values({}, at, b).hold(eps.when))
            for at in itertools.product(range(5), repeat=4)
            if Values({}, at).hold(e.facts)
        )
        assert largest_together(e, sizes, lambda *_, v=values: v, lambda _: math.inf) == most


def _is(first, second):
    """Return that the block at hand has these letters as its numbers."""
    return t.Connected("and", (
        t.Compared("eq", t.Index(1), t.Letter(first)),
        t.Compared("eq", t.Index(2), t.Letter(second)),
    ))  # fmt: skip


def _less(first, second):
    return t.Compared("lt", t.Letter(first), t.Letter(second))


def test_the_only_integer_starts_where_blocks_of_the_first_map_do():
    """That map has two indices, the one beside it has one."""
    days = Domain({"day": "int", "age": "int"})
    window = Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + 2")
    maps = [
        Map("a", "age(c) == i and day(c) <= age(c) + j - 1", {"i": "k", "j": 2}),
        Map("b", "age(c) == i or age(c) == i + 1", {"i": "k"}),
    ]
    parts = [
        Part("x", "a", setting="common", guarantees={"pure": ("eps",)}),
        Part("y", "b", setting="common", guarantees={"pure": ("eta",)}),
    ]
    found = derive(Problem(days, Granularity("window", [window]), maps, parts)).bounds["pure"]
    assert (found.text, found.tight) == ("sum(eps[i,j]) + sum(eta[i])", "yes")
