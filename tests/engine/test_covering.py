"""Neighbours that are written down: they change all blocks that they should, or are not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.covering import covering
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity

pytestmark = pytest.mark.in_turn

GRAPHS = Domain({"t": "int", "h": "int"}, cap=1, cell="t(c) < h(c)")
LABELS = Domain({"v": "int", "lab": "Label"})
PLACES = Domain({"at": "int", "v": "int"}, cap=1, cell="at(c) >= 1", limits=[("at(c)", 1)])
NODE = library_granularity("node", tail="t", head="h")
EDGES = library_granularity("edge_neighbourhood", tail="t", head="h")
NEARBY = library_granularity("nearby", value="v")
PLACED = library_granularity("ordered_bounded", position="at")


def written_out(members):
    return " or ".join(f"(i == {n} and {m})" for n, m in enumerate(members, 1))


def problem(members, domain, granularity, setting="common"):
    blocks = Map("blocks", written_out(members), index={"i": len(members)})
    return Problem(domain, granularity, [blocks], [Part("counts", "blocks", setting=setting)])


def found(given):
    (mapping,) = given.used_maps.values()
    blocks = [(mapping, (n,)) for n in range(1, mapping.sizes[0] + 1)]
    return list(covering(given, given.outer.edits[0], blocks))


REMAINDERS = [f"t(c) % 12 == {n}" for n in range(12)]
RANGES = [f"{n} <= t(c) and t(c) <= {n + 2}" for n in range(1, 13)]
DIVISORS = [f"v(c) % {n} == 0" for n in range(1, 13)]
MANY = [f"v(c) % {n} == 0" for n in range(1, 41)]
OF_PLACES = [f"at(c) % {n} == 0" for n in range(1, 41)]  # all of them at their common multiple
POWERS = [f"v(c) % {2**n} == 0" for n in range(1, 41)]  # too far apart to go through all between
SETTINGS = [
    (REMAINDERS, GRAPHS, NODE),
    (REMAINDERS, GRAPHS, EDGES),
    (RANGES, GRAPHS, EDGES),
    (DIVISORS, LABELS, NEARBY),
    (DIVISORS, PLACES, PLACED),
    (MANY, LABELS, NEARBY),
    (OF_PLACES, PLACES, PLACED),
    (POWERS, LABELS, NEARBY),
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_all_blocks_change_at_once(setting):
    given = problem(*setting)
    for pair in found(given):
        assert all(pair.changes(*block) for block in pair.blocks)
    bound = derive(given).bounds["pure"]
    every = {"sum(eps[i])", " + ".join(f"eps[{n}]" for n in range(1, len(setting[0]) + 1))}
    assert bound.text in every
    assert bound.tight == "yes"


@pytest.mark.parametrize(
    "setting",
    [
        (["v(c) == 1", "v(c) == 2", "v(c) == 5"], LABELS, NEARBY),  # 5 is not beside 1 or 2
        (["t(c) == 1", "t(c) == 1 and t(c) == 2"], GRAPHS, NODE),  # one holds nothing
        (["v(c) == 1", "v(c) == 2", "v(c) == 3"], PLACES, PLACED),  # two values, three blocks
    ],
)
def test_what_no_neighbours_do_is_not_written_down(setting):
    assert found(problem(*setting)) == []


@pytest.mark.parametrize(
    "setting", [(OF_PLACES, PLACES, PLACED), (POWERS, LABELS, NEARBY), (MANY, LABELS, NEARBY)]
)
def test_common_multiples_and_numbers_far_apart_are_gone_through(setting):
    assert found(problem(*setting))


def test_databases_of_the_class_are_written_down_and_no_others():
    few = replace(GRAPHS, limits=[("h(c)", 2)])
    assert found(problem(REMAINDERS, few, NODE)) == []
    assert found(problem(REMAINDERS[:2], few, NODE)) != []


def test_functions_that_could_be_anything_are_left_to_the_solver():
    owned = Domain({"t": "int", "h": "int"}, {"f": (["int"], "int")}, cell="t(c) < h(c)")
    assert found(problem(["f(t(c)) == 1", "f(t(c)) == 2"], owned, NODE)) == []
