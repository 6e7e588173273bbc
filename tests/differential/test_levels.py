"""Levels as one index and the nodes of each as another, ``node(place(c), l) == n``.

A record is in one node of each level, and which one it is of one level says nothing of another: the
sum over the levels of the largest node, against all neighbours for all ways to assign nodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.spec import load_spec
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

SPEC = """
[domain]
attributes = {{ id = "Record", {attributes} }}
functions = {{ node = [["Place", "int"], "int"] }}
kind = "set"
{domain}
[granularity]
{granularity}
[[map]]
name = "tree"
index = {{ {index} }}
member = "{member}"
[[part]]
name = "counts"
map = "tree"
guarantee = {{ pure = "eps", zcdp = "rho" }}
{part}
"""
USUAL = {
    "attributes": 'place = "Place"', "domain": "", "granularity": 'use = "unbounded"',
    "index": 'l = "h", n = "k"', "member": "node(place(c), l) == n", "part": "",
}  # fmt: skip
MOVED = {"granularity": 'use = "bounded"', "part": 'setting = "common"'}
TWO_PLACES = {"attributes": 'home = "Place", work = "Place"'}
ONE = "sum over i of max over j of rho[i,j]"
TWO = "max over t, u of sum(rho[i,j] for j == t(i) or j == u(i))"
ALL_BLOCKS = "sum(rho[i,j])"
DAYS = "max over t, u of sum(rho[i,j] for j == t(i) and u <= i)"
ALL = '[[part]]\nname = "all"\nmap = "identity"\nguarantee = { pure = "eta", zcdp = "sigma" }'
GUARDED = """name = "one whose place is in the first node"
[[granularity.edit]]
params = { x = "cell" }
change = { x = "1" }
guard = "D[x] == 0 and node(place(x), 1) == 1"
"""
OPEN = """universe = "product"
facts = ["not open(c) or node(place(c), 1) == 1"]
"""
CASES = {
    "a day beside it": (
        {"attributes": 'place = "Place", day = "int"',
         "member": "node(place(c), l) == n and day(c) <= l"}, DAYS),
    "one node of each level": ({}, ONE),
    "two records": (MOVED, TWO),
    "a group of two": (
        {"granularity": 'use = "unbounded"\ngroup = 2', "part": 'setting = "common"'}, TWO),
    "all records of a place": (
        {"granularity": 'use = "user"\nowner = "place"'}, ONE),
    "two nodes of each level": (
        TWO_PLACES | {"member": "node(home(c), l) == n or node(work(c), l) == n"}, TWO),
    "the next level": ({"member": "node(place(c), l + 1) == n"}, ONE),
    "one part for all": ({"part": ALL}, None),
    "levels with an end": ({"member": "node(place(c), l) <= n"}, ALL_BLOCKS),
    "from one level to the next": (
        {"member": "node(place(c), l) == n and node(place(c), l + 1) >= n"}, None),
    "the root": ({"domain": 'facts = ["node(place(c), 1) == 1"]'}, None),
    "what is asked of others with the place": (
        {"attributes": 'place = "Place", open = "bool"', "domain": OPEN}, None),
    "the guard": ({"granularity": GUARDED}, None),
    "records of one place": (
        MOVED | {"domain": 'cell = "node(place(c), 1) == node(place(c), 2)"'}, None),
}  # fmt: skip
TIGHT = 9
"""So many of the cases, the first ones, are tight."""
SIZES = {"h": 2, "k": 2}


class Levels(Drawn):
    """Worlds of two places, with all ways to give nodes to them."""

    def worlds(self) -> Iterator[World]:
        """Yield them; levels from 1 to 3 are asked for."""
        domain = self.problem.domain
        taken = list(itertools.product(("p", "q"), (1, 2, 3)))
        for labels in itertools.product((1, 2), repeat=len(taken)):
            tables = {"node": dict(zip(taken, labels, strict=True))}
            for some in self.cells():
                world = World(domain, tuple(some), self.elements, tables, {"node": 1}, self.sizes)
                cells = tuple(c for c in some if world.is_cell(c))
                yield World(domain, cells, self.elements, tables, {"node": 1}, self.sizes)


def drawn(case: str) -> Levels:
    problem = load_spec(SPEC.format(**USUAL | CASES[case][0])).problem
    values = {"Record": "r", "Place": "pq", "bool": (False, True), "int": (1, 2)}
    sorts = problem.domain.attributes.values()
    cells: list[Cell] = list(itertools.product(*(values[str(sort)] for sort in sorts)))
    return Levels(problem, SIZES, lambda: iter([cells]), {"Record": ("r",), "Place": ("p", "q")})


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_levels(case):
    found = Comparison(1, drawn(case))
    assert not found.wrong()
    assert ("tight" in found.kinds()) == (case in list(CASES)[:TIGHT])
    said = CASES[case][1]
    assert said is None or derive(found.problem).bounds["zcdp"].text == said
