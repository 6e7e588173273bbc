"""Tables and lists without gaps: each key has all the records that it may have."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics.capacities import most_between_neighbours
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.full_groups import full_groups
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.small_worlds import small_worlds
from dpcomp_sym.model import Domain, Universe, library_granularity
from dpcomp_sym.terms import evaluate, to_text

LISTS = Domain(
    {"position": "int", "value": "V"}, cap=1, limits=[("position(c)", 1)],
    cell="position(c) >= 1", facts=["implies(D[c] >= 1, position(c) <= size(D))"],
    universe=Universe.PRODUCT,
)  # fmt: skip


def table(size="size(D) == R*C", cell="1 <= row(c) and row(c) <= R", most=1):
    """Return the class of tables with R rows and C columns."""
    return Domain(
        {"row": "int", "column": "int", "value": "V"}, symbols={"R": "R >= 1", "C": "C >= 1"},
        cell=f"{cell} and 0 <= column(c) and column(c) < C", limits=[("row(c), column(c)", most)],
        size=size, universe=Universe.PRODUCT,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "ends"),
    [
        (LISTS, [("1", "size(D)")]),
        (table(), [("1", "R"), ("0", "C - 1")]),
        (table("size(D) >= 2*R*C", most=2), [("1", "R"), ("0", "C - 1")]),
    ],
)
def test_groups_are_full(domain, ends):
    (full,) = full_groups(domain)
    assert [tuple(map(to_text, pair)) for pair in full.ends] == ends


@pytest.mark.parametrize(
    "domain",
    [
        table("size(D) <= R*C"),
        table("size(D) >= R*C - 1"),
        table("size(D) == R*C", most=2),
        table(cell="1 <= row(c)"),
        table(cell="0 <= row(c) and row(c) <= R"),
        Domain({"position": "int"}, limits=[("position(c)", 1)], cell="position(c) >= 1"),
        Domain({"position": "int"}, limits=[("position(c)", 1)], cell="position(c) >= 1",
               facts=["implies(D[c] >= 1, position(c) <= size(D) + 1)"]),
    ],
)  # fmt: skip
def test_what_may_have_gaps_is_not_called_full(domain):
    assert full_groups(domain) == ()


@pytest.mark.parametrize("domain", [LISTS, table()])
def test_each_database_of_small_worlds_holds_what_is_said(domain):
    (full,) = full_groups(domain)
    granularity = library_granularity("free_lunch").bind(domain)
    seen = 0
    for world in small_worlds(domain):
        graph = EditGraph(world, granularity, world.cells, 1)
        for database in map(graph.database, graph.states):
            env = world.environment(domain, {}, {"D": database})
            ranges = [range(evaluate(low, env), evaluate(high, env) + 1) for low, high in full.ends]
            held = dict.fromkeys(itertools.product(*ranges), 0)
            for cell, number in database.items():
                env.variables["c"] = cell
                held[tuple(evaluate(part, env) for part in full.parts)] += number
            assert set(held.values()) <= {evaluate(full.most, env)}
            seen += len(held) > 1
    assert seen > 6


@pytest.mark.parametrize(
    ("domain", "name", "arguments", "form"),
    [
        (LISTS, "bounded", {}, ("sum(max(D[c] - E[c], 0))", "same()")),
        (table(), "bounded", {}, ("sum(max(D[c] - E[c], 0))", "same()")),
        (table(), "user", {"owner": "column"}, ("values(column(c), D[c] != E[c])", "true")),
    ],
)
def test_metrics_are_proved_where_no_record_can_be_missing(domain, name, arguments, form):
    granularity = library_granularity(name, **arguments).bind(domain)
    assert Obligations(granularity, ClosedForm(*form).bind(domain)).exact()


def test_what_does_not_hold_of_lists_stays_unproved():
    """To change the first of two values, both must go and two must come."""
    unbounded = library_granularity("unbounded").bind(LISTS)
    proof = Obligations(unbounded, ClosedForm("sum(abs(D[c] - E[c]))").bind(LISTS))
    assert proof.lower()
    assert not proof.upper()


def test_a_record_of_a_table_is_replaced_in_its_place():
    domain = table()
    bounded = library_granularity("bounded").bind(domain)
    changed = ClosedForm("values(column(c), D[c] != E[c])").bind(domain)
    (edit,) = bounded.edits
    assert [most_between_neighbours(bounded, edit, changed, n) for n in (0, 1)] == [False, True]
