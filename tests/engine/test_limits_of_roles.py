"""Edits of all records in which someone has one role or another, with a limit for each role.

The edges from a vertex and those to it, messages that a person sends or gets: no more records
change than the limits of all roles allow together.  Bounds are compared with all neighbours in
small worlds by the random problems of ``tests.random_problems.structured``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.counting import blocks_by_cases
from dpcomp_sym.engine.crowds import Asked, crowded
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import Symbolic
from dpcomp_sym.replay import read

pytestmark = pytest.mark.in_turn

EDGES = Domain(
    {"tail": "Vertex", "head": "Vertex"},
    symbols={"p": "p >= 1", "q": "q >= 1"},
    cell="tail(c) != head(c)",
    cap=1,
    limits=[("tail(c)", "p"), ("head(c)", "q")],
)
LETTERS = Domain(
    {"id": "Letter", "by": "Person", "to": "Person", "copy": "Person", "day": "int"},
    symbols={"p": "p >= 1", "q": "q >= 1", "r": "r >= 1"},
    limits=[("by(c)", "p"), ("to(c)", "2*q"), ("copy(c)", "r + 1")],
)
ONE_MORE = library_granularity("unbounded")
ANY = "by(c) == v or to(c) == v or copy(c) == v"
TWICE = ["D[c] == D[(head(c), tail(c))]"]


def of(domain, frame, step="true", mapping="identity", inner=None, **more):
    sort = next(s for a, s in domain.attributes.items() if a != "id")
    edit = Edit({"v": sort}, "true", frame=frame, step=step)
    maps = [library_map(mapping, name="blocks", **more)]
    part = Part("p0", "blocks", inner, guarantees={"pure": ("eps",)})
    return Problem(domain, Granularity("one", [edit]), maps, [part])


def pure(problem, **more):
    (bound,) = derive(problem, **more).bounds
    return bound.text, bound.tight == "yes", bound.tight_note


@pytest.mark.parametrize(
    ("domain", "frame", "step", "expected"),
    [
        (EDGES, "tail(c) == v or head(c) == v", "true", "2*eps*(p + q)"),
        (EDGES, "tail(c) == v or head(c) == v", "old == 0", "eps*(p + q)"),
        (EDGES, "head(c) == v or tail(c) == v", "new <= old", "eps*(p + q)"),
        (EDGES, "tail(c) == v", "old == 0", "p*eps"),
        (LETTERS, "by(c) == v or to(c) == v", "old == 0", "eps*(p + 2*q)"),
        (LETTERS, ANY, "new <= old", "eps*(p + 2*q + r + 1)"),
        (LETTERS, f"({ANY}) and day(c) >= 3", "new <= old", "eps*(p + 2*q + r + 1)"),
    ],
)
def test_the_limits_of_all_roles_add_up(domain, frame, step, expected):
    assert pure(of(domain, frame, step, inner=ONE_MORE)) == (expected, True, "")


@pytest.mark.parametrize(
    ("values", "expected"),
    [({"p": 3, "q": 2, "eps": 1}, 10), ({"p": 1, "q": 1, "eps": 2}, 8)],
)
def test_with_numbers(values, expected):
    """With p = 3 and q = 2 there are five edges before, and five others afterwards."""
    problem = of(EDGES, "tail(c) == v or head(c) == v", inner=ONE_MORE)
    numbers = {name: values.pop(name) for name in "pq"}
    for asked, sizes in ((problem, numbers), (problem.at(numbers), {})):
        (bound,) = derive(asked, values, sizes).bounds
        assert (bound.value, bound.tight) == (expected, "yes")


@pytest.mark.parametrize(
    ("mapping", "by", "expected"),
    [
        # The edges from v are in one block; those to it are before and afterwards in q others.
        ("partition", {"by": "tail"}, "sum of the 2*q + 1 largest eps[i]"),
        ("partition", {"by": "head"}, "sum of the 2*p + 1 largest eps[i]"),
        ("partition", {}, "sum of the 2*p + 2*q largest eps[i]"),
    ],
)
def test_blocks_are_counted_case_by_case(mapping, by, expected):
    problem = of(EDGES, "tail(c) == v or head(c) == v", mapping=mapping, **by)
    (bound,) = derive(problem).bounds
    assert (bound.text, bound.tight) == (expected, "yes")


@pytest.mark.parametrize(
    ("q", "values", "expected"),
    [(1, [3], 3), (1, [3, 1, 2, 5], 10), (2, [3, 1, 2, 5], 11), (2, [0, 0], 0)],
)
def test_blocks_case_by_case_in_numbers(q, values, expected):
    """One block of v, and 2*q of those from which edges lead to it; k = 1 among them."""
    problem = of(EDGES, "tail(c) == v or head(c) == v", mapping="partition", by="tail")
    (bound,) = derive(problem, {"eps": values}, {"p": 2, "q": q}).bounds
    assert bound.value == expected


def test_a_case_with_few_blocks_has_their_number():
    """Two blocks of what v gets, on even days and on odd ones; and p of what is sent."""
    blocks = Map("blocks", "by(c) != to(c) and f(day(c) % 2 == 0, to(c)) == i", {"i": "k"},
                 {"f": (["bool", "Person"], "int")})  # fmt: skip
    edit = Edit({"v": "Person"}, "true", frame="to(c) == v or by(c) == v", step="old == 0")
    domain = replace(LETTERS, limits=[("by(c)", "p")])
    problem = Problem(domain, Granularity("one", [edit]), [blocks], [Part("p0", "blocks")])
    structure = Structure(problem)
    (edit,), mapping = structure.edits, problem.bound_maps["blocks"]
    assert str(blocks_by_cases(structure, edit, mapping)) == "p + 2"


def test_where_one_case_has_any_number_all_have():
    blocks = library_map("partition", name="blocks", by="to")
    edit = Edit({"v": "Person"}, "true", frame="to(c) == v or copy(c) == v")
    domain = replace(LETTERS, limits=[("by(c)", "p")])
    problem = Problem(domain, Granularity("one", [edit]), [blocks], [Part("p0", "blocks")])
    structure = Structure(problem)
    (edit,), mapping = structure.edits, problem.bound_maps["blocks"]
    assert blocks_by_cases(structure, edit, mapping) is None


def test_a_role_without_a_limit_bounds_nothing():
    alone = replace(LETTERS, limits=[("by(c)", "p")])
    text, *_ = pure(of(alone, "by(c) == v or to(c) == v", "old == 0", inner=ONE_MORE))
    assert text.startswith("inf")


def test_what_is_certified_is_checked_by_another_program():
    found = derive(of(EDGES, "tail(c) == v or head(c) == v", inner=ONE_MORE))
    assert verify(read(as_text(certificate(found.theorems, found)).encode())).verdict == "proved"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("distance(p0) <= 2*(p + q)", "proved"),
        ("distance(p0) <= q*2 + 2*p", "proved"),
        ("distance(p0) <= 4*p*q", "proved"),
        ("distance(p0) <= 2*p*q + 2*q", "proved"),
        ("distance(p0) <= p + q + 1", "refuted"),
        ("distance(p0) <= 4*p", "refuted"),
        ("distance(p0) <= 9", "refuted"),
    ],
)
def test_claims_are_sums_and_products(claim, verdict):
    problem = of(EDGES, "tail(c) == v or head(c) == v", inner=ONE_MORE)
    assert examine(problem, claim).verdict == verdict


def test_a_number_is_refuted_by_the_least_that_is_larger():
    found = examine(of(EDGES, "tail(c) == v or head(c) == v", inner=ONE_MORE), "distance(p0) <= 9")
    example = found.outcome.counterexample
    assert sum(example.old.values()) + sum(example.new.values()) == 10


@pytest.mark.parametrize("said", ["p - q", "2*s", "p +", "p + -1", "p//q", "1000*p"])
def test_a_claim_that_is_no_sum_of_products_says_what_one_is(said):
    problem = of(EDGES, "tail(c) == v or head(c) == v", inner=ONE_MORE)
    with pytest.raises(Exception, match="a sum or product of numbers and symbols"):
        examine(problem, f"distance(p0) <= {said}")


# ------------------------------------------------------------- what is there both ways


def in_all(problem):
    structure = Structure(problem)
    (edit,) = structure.edits
    return records_by_keys(structure, edit, problem.bound_maps["blocks"], one_block=False)


def both_ways(facts, limits=(("tail(c)", "m"),)):
    attributes = {"tail": "Vertex", "head": "Vertex"}
    return Domain(
        attributes, symbols={"m": "m >= 1"}, cap=1, cell="tail(c) != head(c)", facts=facts,
        limits=limits,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (TWICE, "4*m"),
        (["D[(head(c), tail(c))] == D[c]"], "4*m"),
        ([], "None"),
        (["D[c] <= D[(head(c), tail(c))]"], "None"),
        (["D[c] == D[c]"], "None"),
    ],
)
def test_edges_there_both_ways_have_both_limits(facts, expected):
    found = in_all(of(both_ways(facts), "tail(c) == v or head(c) == v"))
    assert str(found) == expected


def test_records_with_the_same_image_may_be_many():
    domain = replace(
        both_ways([]),
        attributes={"tail": "Vertex", "head": "Vertex", "kind": ("red", "blue")},
        facts=["D[c] == D[(head(c), tail(c), red)]"],
    )
    assert str(in_all(of(domain, "tail(c) == v or head(c) == v"))) == "None"


def test_an_image_is_of_the_whole_key():
    domain = both_ways(TWICE, [("tail(c), head(c)", "m")])
    assert str(in_all(of(domain, "tail(c) == v or head(c) == v"))) == "None"


# ------------------------------------------------------------- what must not be called attained


def asked_of(domain, seen, apart=None, count=None, mapping="identity"):
    """Return the crowds that together are seen from so far in one block."""
    problem = of(domain, "by(c) == v or to(c) == v", "old == 0", mapping, ONE_MORE)
    structure = Structure(problem)
    (edit,) = structure.edits
    wanted = Asked(problem.bound_maps["blocks"], count, (seen,), (apart,))
    return list(crowded(structure, edit, [wanted]))


TWO_EACH = replace(LETTERS, functions={"f": (["int"], "int")}, limits=[("by(c)", 2), ("to(c)", 2)])


def test_crowds_of_two_parts_are_seen_together():
    (one, other), *_ = asked_of(TWO_EACH, 4)
    assert {one.alike, other.alike} == {2}
    assert one.part != other.part


@pytest.mark.parametrize("seen", [5, 8, Symbolic("p")])
def test_so_many_and_no_others(seen):
    assert not asked_of(TWO_EACH, seen)


@pytest.mark.parametrize(("count", "shown"), [(1, True), (2, False)])
def test_all_of_them_are_in_one_block(count, shown):
    assert bool(asked_of(TWO_EACH, 4, count=count, mapping="partition")) == shown


def test_what_counts_values_is_not_shown_by_records():
    assert not asked_of(TWO_EACH, 4, frozenset({"day"}))


@pytest.mark.parametrize(("most", "shown"), [(3, False), (4, True)])
def test_limits_that_both_parts_share(most, shown):
    """Each of them has two records of a day, whose group may have three."""
    domain = replace(TWO_EACH, limits=[*TWO_EACH.limits, ("f(day(c))", most)])
    assert bool(asked_of(domain, 4)) == shown


def test_records_of_both_parts_may_be_the_same():
    """Letters to oneself are of both parts, and there is one of each person."""
    domain = replace(TWO_EACH, attributes={"by": "Person", "to": "Person"}, cap=1, functions={},
                     cell="by(c) == to(c)", limits=[("by(c)", 2), ("to(c)", 2)])  # fmt: skip
    assert not asked_of(domain, 2)


def test_a_limit_of_all_and_limits_of_the_cases():
    """Three records a day, on two days, are more than two in each role."""
    days = "(by(c) == v or to(c) == v) and 0 <= day(c) and day(c) < 2"
    for most, expected in ((3, 4), (1, 2)):
        domain = replace(TWO_EACH, limits=[*TWO_EACH.limits, ("day(c)", most)])
        assert in_all(of(domain, days, "old == 0")) == expected


# ------------------------------------------------------------- symbols with more to them


def claimed(symbols, claim):
    domain = replace(EDGES, symbols=symbols)
    found = examine(of(domain, "tail(c) == v or head(c) == v", inner=ONE_MORE), claim)
    return found.verdict


@pytest.mark.parametrize(
    ("symbols", "claim", "verdict"),
    [
        ({"p": "1 <= p and p <= 2", "q": "1 <= q and q <= 2"}, "distance(p0) <= 9", "proved"),
        ({"p": "1 <= p and p <= 2", "q": "1 <= q and q <= 2"}, "distance(p0) <= 8", "proved"),
        ({"p": "1 <= p and p <= 2", "q": "1 <= q and q <= 2"}, "distance(p0) <= 7", "refuted"),
        ({"p": "1 <= p and p <= 2", "q": "q == 3"}, "distance(p0) <= 10", "proved"),
        ({"p": "p >= 1", "q": "q >= p + 1"}, "distance(p0) <= 5", "refuted"),
        ({"p": "p >= 1", "q": "q >= p + 1"}, "distance(p0) <= 3*q", "refuted"),
    ],
)
def test_claims_keep_to_the_numbers_that_symbols_can_have(symbols, claim, verdict):
    assert claimed(symbols, claim) == verdict
