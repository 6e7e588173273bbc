"""Refuted means refuted: every counterexample is confirmed, in one place, by the definition.

What is printed is collected from odd problems, and evaluated anew by the brute-force evaluator of
``tests/differential``, which shares none of the definitions with the engine.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import dpcomp_sym
from dpcomp_sym.engine import Proved, Refuted, Unknown, Vacuous
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.definitions import (
    Pairs,
    counterexample,
    differ,
    is_world,
    more_blocks_change,
    neighbours,
    overlap,
    refuted,
)
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite import World
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from tests.differential.compare import Witness, disagreements, unconfirmed
from tests.differential.engine import conditions as asked

pytestmark = pytest.mark.in_turn

RECORDS, SETS = Domain({"id": "R"}), Domain({"id": "R"}, cap=1)
OWNED = Domain({"id": "R", "owner": "U"})
FLAGGED = Domain({"id": "R", "flag": "bool"})
AGED = Domain({"id": "R", "age": "int"})
NUMBERED = Domain({"id": "R"}, symbols={"N": "N >= 0"})
EXACT = Domain({"id": "R"}, size=["size(D) == N"], symbols={"N": "N >= 0"})
UNBOUNDED, BOUNDED = library_granularity("unbounded"), library_granularity("bounded")
USER = library_granularity("user", owner="owner")
WHOLE, BLOCKS = library_map("identity", name="b"), library_map("partition", name="b")
OVERLAP = Map("b", "flag(c) or h(c) == i", {"i": "k"}, {"h": (["cell"], "int")})


def step(guard="true", amount: str | int = 1, **more):
    """Return an edit of one record, which is called x."""
    return Edit({"x": "cell"}, guard, {"x": amount}, **more)


def edits(*each, **more):
    return Granularity("own", list(each), **more)


def one_way(*each):
    return edits(*each, directed=True)


def labelled(count):
    """Return a partition with so many blocks."""
    return Map("b", "h(c) == i", {"i": count}, {"h": (["cell"], "int")})


def sized(*facts, **more):
    return InnerClass(size=list(facts), **more)


TWO = {"x": "cell", "y": "cell"}
EMPTIED = edits(step("D[x] == 0 or size(D) >= 3", "-D[x]"))
MOVED = edits(Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1}))
MORE = edits(step(), directed=True)
NEVER, P, R, U, V = None, Proved, Refuted, Unknown, Vacuous
"""What is expected: no such condition, or the kind of its verdict."""


def own(granularity=None, inner=None, setting="separate"):
    return Part("p", "b", granularity, inner=inner, setting=setting)


ODD = {
    # The class of a part matters where a database has a neighbour, on both sides of the edit.
    "isolated outside": (SETS, EMPTIED, WHOLE, own(inner=sized("size(D) >= 1")), NEVER, P),
    "all that have neighbours": (SETS, EMPTIED, WHOLE, own(inner=sized("size(D) >= 2")), NEVER, P),
    "the smaller outside": (SETS, EMPTIED, WHOLE, own(inner=sized("size(D) >= 3")), NEVER, R),
    "a block empty": (SETS, EMPTIED, BLOCKS, own(inner=sized("size(D) >= 1")), P, R),
    "the class of what is left": (
        RECORDS, one_way(step("size(D) >= 2")), WHOLE, own(inner=sized("size(D) >= 2")), NEVER, P,
    ),
    "one way, D' outside": (
        RECORDS, one_way(step("size(D) <= 2")), WHOLE, own(inner=sized("size(D) <= 2")), NEVER, R,
    ),
    "both ways, D' outside": (
        RECORDS, edits(step("size(D) <= 2")), WHOLE, own(inner=sized("size(D) <= 2")), NEVER, R,
    ),
    "beside the record": (
        RECORDS, edits(step("D[x] == 0")), WHOLE, own(inner=InnerClass(cap=1)), NEVER, R,
    ),
    "up to N": (
        NUMBERED, edits(step("size(D) < N")), WHOLE, own(inner=sized("size(D) <= N")), NEVER, P,
    ),
    "up to N + 1": (
        NUMBERED, edits(step("size(D) <= N")), WHOLE, own(inner=sized("size(D) <= N")), NEVER, R,
    ),
    "N is 0 and nobody comes": (
        NUMBERED, edits(step("size(D) < N and N <= 0")), WHOLE,
        own(inner=sized("size(D) <= N")), NEVER, V,
    ),
    "a limit of its own": (
        OWNED, edits(step()), BLOCKS, own(inner=InnerClass(limits=[("owner(c)", 2)])), P, R,
    ),
    "nothing in the class changes": (
        AGED, edits(step("age(x) >= 18")), Map("b", "age(c) < 18"), own(UNBOUNDED), NEVER, P,
    ),
    "unchanged, and outside": (
        AGED, edits(step("age(x) >= 18")), Map("b", "age(c) < 18"),
        own(inner=sized("size(D) <= 1")), NEVER, R,
    ),
    # Edits that may change nothing.
    "to itself": (RECORDS, MOVED, BLOCKS, own(UNBOUNDED), R, R),
    "twice nothing": (
        RECORDS, edits(step("D[x] == 0", "D[x]"), step(amount=2)), BLOCKS, own(), P, P,
    ),
    "by any number": (
        RECORDS, edits(Edit({"x": "cell", "n": "int"}, "0 <= n and n <= 2", {"x": "n"})),
        BLOCKS, own(UNBOUNDED), P, R,
    ),
    "a frame that stays": (
        OWNED, edits(Edit({"u": "U"}, frame="owner(c) == u", step="new == old")), WHOLE, own(),
        NEVER, V,
    ),
    "one edit of two is idle": (
        RECORDS,
        edits(Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1}), step("size(D) >= 5")), WHOLE,
        own(BOUNDED), NEVER, R,
    ),
    # Other granularities, settings, images, limits.
    "replaced": (RECORDS, BOUNDED, BLOCKS, own(UNBOUNDED), R, R),
    "replaced, in common": (RECORDS, BOUNDED, BLOCKS, own(UNBOUNDED, setting="common"), R, R),
    "none of its own, in common": (RECORDS, BOUNDED, BLOCKS, own(setting="common"), R, NEVER),
    "one way": (RECORDS, UNBOUNDED, BLOCKS, own(MORE), P, R),
    "one way, in common": (RECORDS, UNBOUNDED, BLOCKS, own(MORE, setting="common"), P, R),
    "both one way": (RECORDS, MORE, BLOCKS, own(MORE), P, P),
    "counted by owner": (
        OWNED, USER, Map("b", "true", image={"owner": "owner(c)"}), own(UNBOUNDED), NEVER, R,
    ),
    "counted by owner, at most one": (
        replace(OWNED, cap=1), UNBOUNDED, Map("b", "true", image={"owner": "owner(c)"}),
        own(inner=InnerClass(cap=1)), NEVER, R,
    ),
    "two for each": (replace(OWNED, limits=[("owner(c)", 2)]), USER, BLOCKS, own(UNBOUNDED), R, R),
    "one for each": (replace(OWNED, limits=[("owner(c)", 1)]), USER, BLOCKS, own(UNBOUNDED), R, R),
    "exactly N, replaced": (EXACT, BOUNDED, BLOCKS, own(UNBOUNDED), R, R),
    "exactly N": (EXACT, UNBOUNDED, BLOCKS, own(), V, V),
    "two at once": (RECORDS, edits(step(), group=2), BLOCKS, own(UNBOUNDED), R, R),
    "two at once, one block": (SETS, edits(step(), group=2), labelled(1), own(UNBOUNDED), P, R),
    "one block": (RECORDS, BOUNDED, labelled(1), own(UNBOUNDED), P, R),
    "two blocks": (RECORDS, BOUNDED, labelled(2), own(UNBOUNDED), R, R),
    "a finite table": (
        Domain({"id": ["u", "v"], "f": "bool"}, cap=1, universe=Universe.PRODUCT), BOUNDED, BLOCKS,
        own(UNBOUNDED, sized("size(D) <= 2")), R, R,
    ),
    "three at least": (replace(SETS, at_least=3), BOUNDED, BLOCKS, own(UNBOUNDED), R, R),
    "three at once": (RECORDS, edits(step("size(D) == 0", 3)), WHOLE, own(UNBOUNDED), NEVER, R),
    "stored in both directions": (
        Domain(
            {"a": "V", "b": "V"}, cap=1, cell="a(c) != b(c)",
            facts=["D[c] == D[replace(replace(c, a, b(c)), b, a(c))]"],
        ),
        edits(Edit(TWO, "y == replace(replace(x, a, b(x)), b, a(x))", {"x": 1, "y": 1})),
        library_map("partition", name="b", by="a"), own(UNBOUNDED), R, R,
    ),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ODD)
def test_odd_problems(name):
    """The verdicts are right, and all databases that are shown are what they are said to be."""
    domain, granularity, mapping, part, blocks, distances = ODD[name]
    problem = Problem(domain, granularity, [mapping], [part])
    structure = Structure(problem)
    found = conditions(structure)
    for condition, expected in (("compatibility", blocks), ("sensitivity", distances)):
        outcome = found[condition].outcome if condition in found else None
        assert type(outcome) is (type(None) if expected is None else expected)
    for one in found.values():
        if isinstance(one.outcome, Refuted):
            example = one.outcome.counterexample
            shown = Witness(example.world, example.old, example.new)
            assert not unconfirmed(problem, shown)
    assert not disagreements(problem, asked(structure))


# ------------------------------------------------------------------ the one place


def test_only_the_definitions_make_counterexamples():
    """No other code says Refuted(…) or Counterexample(…) of the engine's verdicts."""
    package = Path(dpcomp_sym.__file__).parent
    made = set()
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and node.module in {"dpcomp_sym.engine", "dpcomp_sym.engine.verdict"}
            for alias in node.names
        } & {"Counterexample", "Refuted"}
        for node in ast.walk(tree):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id in imported:
                made.add(path.relative_to(package).as_posix())
    assert made == {"engine/definitions.py"}


UNBOUND = UNBOUNDED.bind(SETS)
ONE = World(SETS, (("a",), ("b",)), {"R": ("a", "b")})
A, B = {("a",): 1}, {("b",): 1}


@pytest.mark.parametrize(
    ("old", "new", "linked"),
    [
        ({}, A, True), (A, {}, True), (A, {**A, **B}, True),
        ({}, {}, False), (A, {("a",): 1, ("b",): 0}, False),  # the same
        (A, B, False), ({}, {("c",): 1}, False),  # two edits; another cell
        ({}, {("a",): 2}, False), (A, {("a",): 2}, False), ({}, {("a",): -1}, False),  # no sets
    ],
)  # fmt: skip
def test_what_neighbours_are(old, new, linked):
    assert neighbours(ONE, UNBOUND, old, new) == linked
    shown = counterexample(Pairs(UNBOUND), differ, ONE, old, new)
    assert (shown is not None) == linked


def test_an_edit_to_the_same_database_makes_no_neighbours():
    moved = MOVED.bind(SETS)
    assert ONE.linking(moved, A, A) is not None
    assert neighbours(ONE, moved, A, B)
    assert not neighbours(ONE, moved, A, A)
    assert not neighbours(ONE, moved, A, {**A, ("b",): 0})
    problem = Problem(SETS, MOVED, [WHOLE], [own()])
    (edit,) = problem.outer.edits
    same = Pairs.of(problem, edit, same=True)
    assert same.hold(ONE, A, A)
    assert not same.hold(ONE, A, B)
    assert not same.hold(ONE, {}, {})
    assert not same.hold(ONE, {("a",): 2}, {("a",): 2})


def test_the_edit_that_is_asked_about_must_link():
    problem = Problem(SETS, edits(step(), step(amount=-1), step("size(D) == 1")), [BLOCKS], [own()])
    (grows, shrinks, first) = problem.outer.edits
    functions = problem.bound_maps["b"].functions
    world = World(
        SETS, ONE.cells, ONE.elements, {n: {} for n in functions},
        dict.fromkeys(functions, 1), {"k": 1},
    )  # fmt: skip
    ahead = replace(problem.outer, directed=True)
    for edit, linked in ((grows, True), (shrinks, False), (first, False)):
        assert neighbours(world, replace(ahead, edits=(edit,)), {}, A) == linked
    pairs = Pairs.of(problem, first)
    assert pairs.granularity.edits == (first,)
    assert not pairs.hold(world, {}, A)
    assert Pairs.of(problem, grows).hold(world, {}, A)


def test_worlds_that_are_none():
    domain = Domain({"n": "int"}, cell="n(c) >= 1", symbols={"N": "N >= 2"}, at_least=2)

    def holds(cells, number):
        return is_world(World(domain, cells, symbols={"N": number}))

    assert holds(((1,), (2,)), 2)
    assert not holds(((1,), (2,)), 1)
    assert not holds(((1,),), 2)
    assert not holds(((1,), (1,)), 2)
    assert not holds(((0,), (1,)), 2)
    table = Domain({"id": ["u", "v"]}, universe=Universe.PRODUCT)
    values = {"id": ("u", "v")}
    assert is_world(World(table, (("u",), ("v",)), values))
    assert not is_world(World(table, (("u",),), values))
    assert not is_world(World(RECORDS, (), {"R": ("a",)}))
    facts = Map("b", "h(c) == i", {"i": 2}, {"h": (["cell"], "int")}, facts=["h(c) >= 1"])
    bound = facts.bind(SETS)
    (name,) = bound.functions
    for value, good in ((0, False), (1, True)):
        world = World(SETS, (("a",),), {"R": ("a",)}, {name: {(("a",),): value}})
        assert is_world(world, [bound]) == good


def test_what_fails():
    bound = Map("b", "flag(c) or n(c) == i", {"i": 2}).bind(Domain({"n": "int", "flag": "bool"}))
    domain = Domain({"n": "int", "flag": "bool"})
    both, first, second, none = (0, True), (1, False), (2, False), (3, False)
    world = World(domain, (both, first, second, none))
    two = overlap(bound)
    assert two(world, {both: 1}, {})
    assert two(world, {}, {both: 1})
    assert not two(world, {both: 0, first: 1}, {second: 1})
    assert not more_blocks_change(bound, 1)(world, {first: 1}, {first: 2, none: 1})
    assert more_blocks_change(bound, 1)(world, {first: 1}, {second: 1})
    assert not more_blocks_change(bound, 2)(world, {first: 1}, {second: 1})
    assert more_blocks_change(bound, 1)(world, {}, {both: 1})


def test_what_is_not_confirmed_is_not_refuted():
    outcome = refuted(counterexample(Pairs(UNBOUND), differ, ONE, A, A))
    assert isinstance(outcome, Unknown)
    assert "does not confirm" in outcome.reason


# ------------------------------------------------------------------ equal databases


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("D[x] == E[x]", "refuted"),
        ("size(D) == size(E)", "proved"),
        ("size(D) >= 1", "proved"),  # there is a record to move, unless nothing changes
        ("l1(b) <= 2", "proved"),
        ("l1(b) <= 0", "refuted"),
        ("l1(b) <= 0 - 1", "refuted"),
        ("changed(b) <= 2", "proved"),
    ],
)
def test_properties_are_of_different_databases(text, verdict):
    idle = edits(Edit(TWO, "D[x] >= 1 or x == y", {"x": -1, "y": 1}))
    problem = Problem(RECORDS, idle, [BLOCKS], [own(UNBOUNDED)])
    found = examine(problem, text)
    assert found.verdict == verdict
    if isinstance(found.outcome, Refuted):
        example = found.outcome.counterexample
        assert not unconfirmed(problem, Witness(example.world, example.old, example.new))


def test_a_record_in_two_blocks_that_no_neighbours_have():
    """Only databases without neighbours hold it: which is not decided, and nothing is shown."""
    alone = edits(step("not flag(x) and size(D) == 0"))
    problem = Problem(FLAGGED, alone, [OVERLAP], [own()])
    structure = Structure(problem)
    assert isinstance(structure.disjoint(problem.bound_maps["b"]), Unknown)
    idle = edits(step("not flag(x)"), step("flag(x)", 0))
    problem = Problem(FLAGGED, idle, [OVERLAP], [own()])
    found = Structure(problem).disjoint(problem.bound_maps["b"])
    assert isinstance(found, Refuted)
    example = found.counterexample
    assert dict(example.old) != dict(example.new)


def test_an_edit_is_said_to_be_idle_where_a_database_shows_it():
    """A guard that holds nowhere in the class shows nothing."""
    domain = Domain({"id": "R"}, size=["size(D) <= 2"])
    two = edits(
        Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1}),
        Edit(TWO, "D[x] >= 1 and x != y", {"x": -1, "y": 1}),
        Edit(TWO, "D[x] >= 1 and (x != y or size(D) >= 3)", {"x": -1, "y": 1}),
    )
    assert Structure(Problem(domain, two, [BLOCKS], [own()])).idle_edits() == [1]


def test_what_pairs_are_made_of():
    """Facts of symbols and maps count; a claim about a metric is of any two databases."""
    assert counterexample(Pairs(UNBOUND), lambda *_: False, ONE, {}, A) is None
    twice = World(SETS, (("a",), ("a",)), {"R": ("a",)})
    assert not Pairs(UNBOUND).hold(twice, {}, A)
    any_two = Pairs(UNBOUND, linked=False)
    assert any_two.hold(ONE, A, B)
    assert any_two.hold(ONE, A, A)
    assert not any_two.hold(ONE, A, {("a",): 2})
    assert not any_two.hold(ONE, {("a",): 2}, A)
    other = library_map("partition", name="d")
    problem = Problem(SETS, UNBOUNDED, [BLOCKS, other], [own()])
    assert [m.name for m in Pairs.of(problem).maps] == ["b"]
    assert [m.name for m in Pairs.of(replace(problem, parts=[])).maps] == ["b", "d"]
    none = World(SETS, ONE.cells, ONE.elements, symbols={"k": 0})
    assert is_world(none)
    assert not is_world(none, symbols=problem.symbols)
    flags = Domain({"f": "bool"}, universe=Universe.PRODUCT)
    assert is_world(World(flags, ((False,), (True,))))
    assert not is_world(World(flags, ((True,),)))
    assert not is_world(World(flags, ((False,),)))
