"""How many blocks an edit with a frame changes at most, where no number says it."""

from __future__ import annotations

import itertools
import random

import pytest

from dpcomp_sym.engine.counting import blocks_by_span, most_changed
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.profile import ALL, Symbolic, sum_of
from dpcomp_sym.smt.asking import ASKED
from dpcomp_sym.spec import load_spec

EVENTS = Domain(
    {"id": "R", "day": "int"}, functions={"f": (["R", "int"], "int")}, symbols={"w": "w >= 1"}
)
PLACE = "f(id(c), 1)"  # of two things, so that no term of one thing says it


def window(of):
    """All records in w steps of a term."""
    return Granularity("window", [Edit({"t": "int"}, frame=f"t <= {of} and {of} < t + w")])


def grid(member, index, functions=None, **more):
    return Map("b", member, index, functions or {}, **more)


@pytest.mark.parametrize(
    ("of", "mapping", "most"),
    [
        ("day(c)", grid("day(c) == i", {"i": "k"}), Symbolic("w")),
        (PLACE, grid(f"{PLACE} == i", {"i": "k"}), Symbolic("w")),
        (
            "day(c)",
            grid("lab(day(c), i)", {"i": "k"}, {"lab": (["int", "int"], "bool")}, multiplicity=2),
            Symbolic("w", 2),
        ),
        # A day's records lie in any number of blocks of its row.
        (
            "day(c)",
            grid("day(c) == i and h(c) == j", {"i": "k", "j": "l"}, {"h": (["cell"], "int")}),
            None,
        ),
    ],
)
def test_blocks_of_a_window(of, mapping, most):
    structure = Structure(Problem(EVENTS, window(of), [mapping], [Part("p", "b")]))
    (edit,) = structure.edits
    assert blocks_by_span(structure, edit, structure.problem.used_maps["b"]) == most


@pytest.mark.parametrize(("steps", "size", "most"), [(3, "k", 3), (5, 40, 5), (9, 7, 9)])
def test_the_least_number_is_found(steps, size, most):
    """Also where larger ones are written down, and where there are fewer blocks than that."""
    frame = Edit({"t": "int"}, frame=f"t <= day(c) and day(c) < t + {steps} and t != 20")
    written = grid("day(c) == i", {"i": size})
    problem = Problem(EVENTS, Granularity("window", [frame]), [written], [Part("p", "b")])
    structure = Structure(problem)
    (edit,) = structure.edits
    assert blocks_by_span(structure, edit, structure.problem.used_maps["b"]) == most


def test_numbers_of_blocks_are_not_tried_one_by_one():
    """Where the largest one says too little, all do, and no two of n blocks are n apart."""
    blocks = " or ".join(f"(i == {n} and day(c) % {n + 1} == 0)" for n in range(1, 13))
    problem = Problem(EVENTS, library_granularity("unbounded"), [grid(blocks, {"i": 12})],
                      [Part("p", "b")])  # fmt: skip
    structure = Structure(problem)
    (edit,), mapping = structure.edits, structure.problem.used_maps["b"]
    asked = ASKED.number
    assert blocks_by_span(structure, edit, mapping) == 12
    assert ASKED.number - asked < 4


def test_symbols_that_may_bound_a_number():
    domain = Domain({"id": "R"}, symbols={"w": "w >= 1", "u": "u >= 0", "a": "a >= 2"})
    problem = Problem(domain, library_granularity("unbounded"), [grid("true", {"i": "k"})],
                      [Part("p", "b")])  # fmt: skip
    assert [term.name for term in Structure(problem).limiting_symbols()] == ["a", "w"]


def test_a_sum_bounds_the_blocks_of_a_record():
    """It is not a multiple of one symbol."""
    domain = Domain({"id": "R", "owner": "U"}, limits=[("owner(c)", "3")])
    blocks = grid("lab(c, i)", {"i": "k"}, {"lab": (["cell", "int"], "bool")},
                  multiplicity="m + 1", symbols={"m": "m >= 1"})  # fmt: skip
    user = library_granularity("user", owner="owner")
    structure = Structure(Problem(domain, user, [blocks], [Part("p", "b")]))
    (edit,) = structure.edits
    assert most_changed(structure, edit, structure.problem.used_maps["b"]) == ALL


@pytest.mark.parametrize("seed", range(4))
def test_blocks_that_are_written_out_are_counted(seed):
    """Where each block has a formula of its own, against all pairs of values."""
    draw = random.Random(seed)
    starts = [draw.randint(0, 6) for _ in range(5)]
    blocks = [range(a, a + draw.randint(1, 4)) for a in starts]
    member = " or ".join(
        f"i == {n} and {b.start} <= x(c) and x(c) < {b.stop}" for n, b in enumerate(blocks, 1)
    )
    mapping = Map("m", member, index={"i": 5})
    domain = Domain({"id": "Record", "x": "int"})
    for use, sides in (("unbounded", 1), ("bounded", 2)):
        problem = Problem(domain, library_granularity(use), [mapping], [Part("p", "m")])
        structure = Structure(problem)
        most = max(
            len({n for n, b in enumerate(blocks) if set(b) & set(some)})
            for some in itertools.product(range(-1, 11), repeat=sides)
        )
        (edit,) = structure.edits
        bound = problem.used_maps["m"]
        found = [structure.at_most_blocks(edit, bound, n) for n in range(6)]
        assert found == [n >= most for n in range(6)]


@pytest.mark.parametrize(
    ("limits", "step", "most"),
    [
        ([("a(c)", "m"), ("b(c)", "m")], "true", Symbolic("m", 4)),
        ([("a(c)", "m"), ("b(c)", "m")], "new <= old", Symbolic("m", 2)),
        ([("a(c)", 1), ("b(c)", 2)], "true", 6),
        ([("a(c)", "m")], "true", None),
        ([("a(c)", "m"), ("b(c)", 2)], "true", sum_of([Symbolic("m", 2), 4])),
    ],
)
def test_the_records_of_a_frame_with_cases_are_those_of_each_case(limits, step, most):
    """Edges at a vertex: at most m lead away from it, and at most m lead to it."""
    domain = Domain(
        {"a": "V", "b": "V"}, cap=1, cell="a(c) != b(c)", limits=limits, symbols={"m": "m >= 1"}
    )
    edit = Edit({"v": "V"}, frame="a(c) == v or b(c) == v", step=step)
    edge = library_granularity("edge")
    problem = Problem(
        domain, Granularity("vertex", [edit]), [Map("all")], [Part("p", "all", granularity=edge)]
    )
    structure = Structure(problem)
    (bound,) = structure.edits
    found = records_by_keys(structure, bound, problem.bound_maps["all"], one_block=True)
    assert found == most


def test_a_vertex_with_few_edges_each_way_is_few_edges_away():
    problem = load_spec(VERTEX).problem
    assert profile_of(Structure(problem)).cases[0].vectors[0][0].distances == (("p", 4),)


VERTEX = """
[domain]
attributes = { a = "V", b = "V" }
kind = "set"
cell = "a(c) != b(c)"
limits = [["a(c)", 1], ["b(c)", 1]]
[granularity]
use = "node"
tail = "a"
head = "b"
[[part]]
name = "p"
map = "identity"
granularity = "edge"
"""


def test_an_edge_and_the_one_back_may_be_in_one_case():
    """All edges of kind 5 change: they are no edges of the vertex."""
    domain = Domain(
        {"tail": "int", "head": "int", "kind": "int"}, facts=BOTH_WAYS,
        limits=[("tail(c)", "m")], symbols={"m": "m >= 1"}, cap=1,
    )  # fmt: skip
    edit = Edit({"v": "int"}, frame="tail(c) == v or kind(c) == 5", step="true")
    blocks = Map("b", "kind(c) == i", {"i": "k"})
    structure = Structure(Problem(domain, Granularity("g", [edit]), [blocks], [Part("p", "b")]))
    found = most_changed(structure, structure.edits[0], structure.problem.used_maps["b"])
    assert str(found) == "2*m + 1"


BOTH_WAYS = ["D[c] == D[(head(c), tail(c), kind(c))]"]


@pytest.mark.parametrize(
    ("facts", "member", "step", "most"),
    [
        (BOTH_WAYS, "kind(c) == i", "true", "2*m"),
        (BOTH_WAYS, "kind(c) == i", "new <= old", "m"),
        # There is nothing that says that edges are there both ways, or which kind they have then.
        ([], "kind(c) == i", "true", None),
        (["D[c] == D[(head(c), tail(c), kind(c) + 1)]"], "kind(c) == i", "true", "4*m"),
        # Blocks by the vertex from which an edge leads: its own, and one for each other vertex.
        (BOTH_WAYS, "tail(c) == i", "true", "2*m + 1"),
        (BOTH_WAYS, "tail(c) == i", "new <= old", "m + 1"),
    ],
)
def test_an_edge_that_is_there_both_ways_is_one(facts, member, step, most):
    domain = Domain(
        {"tail": "int", "head": "int", "kind": "int"}, facts=facts, limits=[("tail(c)", "m")],
        symbols={"m": "m >= 1"}, cap=1, cell="tail(c) != head(c)",
    )  # fmt: skip
    frame = "tail(c) == v or head(c) == v"
    vertex = Granularity("vertex", [Edit({"v": "int"}, frame=frame, step=step)])
    blocks = Map("b", member, {"i": "k"})
    structure = Structure(Problem(domain, vertex, [blocks], [Part("p", "b")]))
    (edit,) = structure.edits
    found = most_changed(structure, edit, structure.problem.used_maps["b"])
    assert found == ALL if most is None else str(found) == most
