"""What is asked of the solver, or evaluated, once: again it would be the same answer."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest
import z3

from dpcomp_sym.engine import records
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.symbols import numbers_of_symbol
from dpcomp_sym.finite import World
from dpcomp_sym.metrics import relations
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import Symbolic
from dpcomp_sym.smt import Pair, Query, ViewDistance, logic
from dpcomp_sym.smt.query import Signature, excluded

OWNED = Domain({"id": "R", "owner": "U"})


def structure_of(step: str) -> Structure:
    edit = Edit({"u": "U"}, frame="owner(c) == u", step=step)
    return Structure(Problem(OWNED, Granularity("own", [edit]), [], []))


@pytest.fixture
def asked(monkeypatch):
    """The questions that are asked of the solver, counted."""
    known, check = Counter(), Query.check

    def counted(query, *assumptions):
        known["questions"] += 1
        return check(query, *assumptions)

    monkeypatch.setattr(Query, "check", counted)
    return known


def test_what_an_edit_does_to_the_number_of_records_is_asked_once_for_all_pairs(asked):
    structure = structure_of("new <= old")
    (edit,) = structure.edits
    assert structure.pair(edit).monotone() == (True, False)
    structure.pair(edit).size_facts()
    before = asked["questions"]
    assert before == 3  # greater, less, and whether it names all that it changes
    structure.pair(edit).size_facts()
    assert structure.pair(edit).monotone() == (True, False)
    assert asked["questions"] == before


def test_it_is_asked_of_each_edit():
    structure = structure_of("new <= old")
    (edit,) = structure.edits
    (other,) = structure_of("new >= old").edits
    assert structure.pair(edit).monotone() == (True, False)
    assert structure.pair(other).monotone() == (False, True)


def test_where_scripts_are_noted_each_has_all_that_it_rests_on():
    structure = structure_of("new <= old")
    (edit,) = structure.edits
    for _ in range(2):
        with excluded("a step that only removes") as found:
            assert structure.pair(edit).monotone() == (True, False)
        assert len(found) == 1


def test_what_the_solver_gives_up_is_asked_again():
    signature, answers = Signature(OWNED, {}), iter([None, False])
    assert signature.once("a question", lambda: next(answers)) is None
    assert signature.once("a question", lambda: next(answers)) is False
    assert signature.once("a question", lambda: next(answers)) is False


def test_a_limit_is_said_once_of_cells_with_one_key():
    domain = Domain({"id": "R", "owner": "U"}, limits=[("owner(c)", 2)])
    problem = Problem(domain, Granularity("own", [Edit({"u": "U"}, frame="owner(c) == u")]), [], [])
    structure = Structure(problem)
    pair = structure.pair(structure.edits[0])
    first, second = (pair.query.cell(name) for name in "xy")
    shared = pair.query.register((second[0], first[1]))
    pair.query.add(pair.old(first) == 1, pair.old(second) == 2, pair.old(shared) == 1)
    pair.query.add(logic.Not(pair.query.equal(first, shared)))
    assert len(pair._group_facts()) == 4  # two owners, in D and in E
    assert pair.query.check(first[1] != second[1]) == z3.sat
    assert pair.query.check(first[1] == second[1]) == z3.unsat


def test_a_sum_with_a_name_is_the_sum_when_there_are_more_cells():
    query = Query(Signature(OWNED, {}), {})
    value = z3.Function("value", query._sorts[0], query._sorts[1], z3.IntSort())
    seen = []

    def held(cell):
        seen.append(cell)
        return value(*cell)

    for more in (2, 1):
        for _ in range(more):
            query.cell()
        named = query.distinct_sum(held, name="held")
        assert named.eq(query.distinct_sum(lambda c: value(*c)))
    assert len(seen) == 3  # each cell once
    few = query.cells[:1] + query.cells[2:]
    assert query.distinct_sum(held, few, name="held").eq(query.distinct_sum(held, few))


def test_a_limit_holds_of_cells_that_come_later():
    domain = Domain({"id": "R", "owner": "U"}, limits=[("owner(c)", 1)])
    structure = Structure(Problem(domain, Granularity("any", [Edit({}, frame="true")]), [], []))
    pair = Pair(Query(structure.signature, {}), structure.edits[0], [])
    first = pair.query.cell("x")
    assert pair.query.check(pair.old(first) == 1) == z3.sat
    second = pair.query.cell("y")
    both = (pair.old(first) == 1, pair.old(second) == 1, first[1] == second[1])
    assert pair.query.check(*both) == z3.sat  # one record, with two names
    assert pair.query.check(*both, first[0] != second[0]) == z3.unsat


class Counted(dict):
    """A table that counts how often it is read."""

    read = 0

    def get(self, key, default=None):
        type(self).read += 1
        return super().get(key, default)


def test_a_frame_is_evaluated_once_for_all_databases():
    domain = Domain({"id": "R"}, {"kind": (["R"], "K")})
    edit = Edit({"k": "K"}, frame="kind(id(c)) == k", step="new >= old")
    bound = Granularity("own", [edit]).bind(domain)
    cells = (("a",), ("b",), ("c",))
    table = Counted({("a",): "p", ("b",): "p", ("c",): "q"})
    world = World(domain, cells, {"R": ("a", "b", "c"), "K": ("p", "q")}, {"kind": table})

    def linked(new, kind="p"):
        return world.links(bound.edits[0], {"k": kind}, domain, {("a",): 1}, new, cells)

    assert linked({("a",): 2, ("b",): 1})
    read = Counted.read
    assert not linked({})  # less than before
    assert not linked({("a",): 1, ("c",): 1})  # of another kind
    assert linked({("a",): 1})
    assert Counted.read == read
    assert linked({("a",): 1, ("c",): 4}, "q")
    reached = {
        tuple(cell for cell in cells if new.get(cell))
        for _, new in world.successors(bound, {}, dict.fromkeys(cells, 1), cells)
    }
    assert reached == {cells[:2], cells[2:], ()}


def test_integers_are_those_of_tables_as_they_have_grown():
    table = {}
    world = World(Domain({"id": "R"}, {"f": (["R"], "int")}), (), functions={"f": table})
    assert 70 not in world.integers()
    table["a",] = 70
    assert 70 in world.integers()


def test_a_bound_on_a_form_is_asked_once_for_all_granularities_with_this_metric(monkeypatch):
    table = Domain(
        {"row": "int", "val": "Value"}, cap=1, limits=[("row(c)", 1)], size="size(D) == R",
        symbols={"R": "R >= 1"}, cell="1 <= row(c) and row(c) <= R", universe="product",
    )  # fmt: skip
    between, known = relations.most_between_neighbours, Counter()

    def counted(granularity, edit, form, most):
        known[edit, form.source, most] += 1
        return between(granularity, edit, form, most)

    monkeypatch.setattr(relations, "most_between_neighbours", counted)
    names = ("bounded", "unbounded_or_bounded", "free_lunch")
    given = {name: library_granularity(name) for name in names}
    found = relations.Relations(table, given)
    forms = {name: str(found.metrics[name].form.source) for name in names}
    assert forms["bounded"] == forms["unbounded_or_bounded"]
    for name in names[:2]:
        assert found.distance(name, "free_lunch").most == Symbolic("R", 1)
    assert set(known.values()) == {1}


def test_no_path_is_looked_for_where_more_cells_differ_than_edits_can_change(monkeypatch):
    numbers = tuple((n,) for n in range(6))
    world = World(Domain({"n": "int"}, cap=1), numbers)
    replaced = library_granularity("bounded").bind(world.domain)
    looked = Counter()
    tried = World.successors

    def counted(self, granularity, old, target, cells):
        looked["databases"] += 1
        return tried(self, granularity, old, target, cells)

    monkeypatch.setattr(World, "successors", counted)
    few, many = dict.fromkeys(numbers[:3], 1), dict.fromkeys(numbers[3:], 1)
    assert world.path(replaced, few, many, 2) is None
    assert looked["databases"] == 0
    # Each of the nine databases after the first edit is tried, and none of those after two.
    assert len(world.path(replaced, few, many, 3)) == 3
    assert 0 < looked["databases"] <= 10


def test_paths_are_looked_for_with_so_much_work_and_no_more():
    records = Domain({"id": "R"})
    outer, inner = library_granularity("bounded"), library_granularity("unbounded")
    structure = Structure(
        Problem(records, outer, [library_map("identity")], [Part("part", "identity", inner)])
    )
    (part,), (edit,) = structure.problem.bound_parts, structure.edits
    outcomes = []
    for work in (0, None):
        view = structure.pair(edit).view(part.map, ())
        view.changed()
        outcomes.append(ViewDistance(view, part.granularity, work=work).at_most(2))
    assert outcomes == ["unknown", "proved"]


DAYS = Domain({"id": "R", "day": "int"}, symbols={"w": "w >= 1"}, limits=[("(id(c), day(c))", "w")])
WINDOW = Granularity("window", [Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + w")])


def structure_of_days() -> Structure:
    blocks = library_map("partition", name="blocks")
    return Structure(Problem(DAYS, WINDOW, [blocks], [Part("p", "blocks")]))


def test_whether_more_blocks_change_is_asked_once_and_its_script_kept_each_time(asked):
    problem = Problem(OWNED, library_granularity("bounded"),
                      [library_map("partition", name="blocks")], [Part("p", "blocks")])  # fmt: skip
    structure = Structure(problem)
    (edit,), mapping = structure.edits, problem.used_maps["blocks"]
    answers = [structure.at_most_blocks(edit, mapping, n) for n in (1, 2)]
    assert answers == [False, True]
    before, scripts = asked["questions"], len(structure.scripts)
    assert [structure.at_most_blocks(edit, mapping, n) for n in (1, 2)] == answers
    assert asked["questions"] == before
    assert len(structure.scripts) == scripts + 1  # of what is shown; it is shown to whoever asks


def test_whether_more_blocks_change_is_asked_again_where_scripts_are_noted():
    one = Granularity("one", [Edit({"x": "cell"}, change={"x": 1})])
    blocks = library_map("partition", name="blocks")
    structure = Structure(Problem(OWNED, one, [blocks], [Part("p", "blocks")]))
    (edit,), mapping = structure.edits, structure.problem.used_maps["blocks"]
    for _ in range(2):
        with excluded("one block") as found:
            assert structure.at_most_blocks(edit, mapping, 1)
        assert len(found) == 1


def test_what_is_never_so_of_records_that_change_is_asked_once_for_all_limits(asked):
    structure = structure_of_days()
    (edit,), mapping = structure.edits, structure.problem.used_maps["blocks"]
    place = partial(records._Place, structure, edit, mapping, one_block=False)
    day = structure.problem.domain.limit_terms[0][0].terms[1]
    width = structure.limiting_symbols()[0]
    assert records._near(place(), day, width)
    before = asked["questions"]
    assert records._near(place(used=structure.problem.domain.distinct_terms), day, width)
    assert asked["questions"] == before
    assert not records._near(place(), day, None)  # another question
    assert asked["questions"] == before + 1


@pytest.mark.parametrize("seed", range(20))
def test_the_numbers_of_a_symbol_are_its_least_and_largest(seed):
    draw = random.Random(seed)
    low, high = sorted(draw.randint(-70, 70) for _ in range(2))
    sides = draw.choice([("low",), ("high",), ("low", "high"), ("low", "high"), ()])
    facts = [f"{low} <= w"] * ("low" in sides) + [f"w <= {high}"] * ("high" in sides)
    domain = Domain({"id": "R"}, symbols={"w": " and ".join(facts) or "true"})
    found = numbers_of_symbol(Query(Signature(domain, {}), domain.symbol_terms), "w")
    far = 64
    assert found.low == (low if "low" in sides and -far < low <= far else None)
    assert found.high == (high if "high" in sides and -far <= high < far else None)


def test_the_numbers_of_a_symbol_that_is_positive_take_few_questions(asked):
    domain = Domain({"id": "R"}, symbols={"w": "w >= 1"})
    assert numbers_of_symbol(Query(Signature(domain, {}), domain.symbol_terms), "w").low == 1
    assert asked["questions"] <= 5
