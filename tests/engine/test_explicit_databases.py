"""Databases that are written down: that they are neighbours of the class, whatever else X holds."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.engine.explicit_databases import (
    ExplicitDatabase,
    linked,
    numbers,
    place,
    pushed,
    records,
    trials,
)
from dpcomp_sym.engine.relations import NamedParameter, X, Y
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite import World
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import BOOL, INT, evaluate
from dpcomp_sym.terms.term import integer
from tests.differential.compare import Witness, linked_through

pytestmark = pytest.mark.in_turn

RECORDS = Domain({"id": "R"})
OWNED = Domain({"id": "R", "owner": "U"})
FEW = replace(OWNED, symbols={"m": "m >= 1"}, limits=[("owner(c)", "m")])
SINGLE = replace(OWNED, limits=[("owner(c)", 1)])
SET = replace(OWNED, cap=1)
SIZED = replace(OWNED, symbols={"N": "N >= 1"}, size=["size(D) == N"])
FLAGGED = Domain({"id": "R", "flag": "bool"})
DAYS = Domain({"day": "int", "id": "R"})
TABLE = Domain(
    {"row": "int", "column": "int", "val": "V"}, symbols={"R": "R >= 1", "C": "C >= 1"}, cap=1,
    cell="1 <= row(c) and row(c) <= R and 1 <= column(c) and column(c) <= C",
    limits=[("row(c), column(c)", 1)], size=["size(D) == R*C"], universe=Universe.PRODUCT,
)  # fmt: skip
OF_ONE = "owner(c) == u"
MOST = 32
"""So many databases are looked at, the smallest."""
THREE = Edit({"x": "cell", "y": "cell", "z": "cell"}, change={"x": -1, "y": 1, "z": -1})


def framed(step, guard="true", frame=OF_ONE):
    return Edit({"u": "U"}, guard, frame=frame, step=step)


def written(domain, edit, given=()):
    """Return the solver's query, and what is tried of an edit."""
    problem = Problem(
        domain, Granularity("own", [edit]), [library_map("partition", name="blocks")],
        [Part("p", "blocks")],
    )  # fmt: skip
    structure = Structure(problem)
    (bound,) = structure.edits
    pair, full = records(structure), place(structure)
    cells = {X.name: pair.query.cell("x"), Y.name: pair.query.cell("y")}
    values = {g.name: pair.query.fresh(g.sort, g.name) for g in given}
    counts = [integer(0), integer(1)] if full else numbers(problem.domain, bound, 1)
    found = trials(
        pair, problem.domain, bound, {**cells, **values}, given, counts, two=False, place=full
    )
    return problem, pair.query, {**cells, **values}, list(itertools.islice(found, MOST)), full


def situations(problem, query, named):
    """Yield what there is to say of two records, and of what is given: what is equal to what."""
    domain = problem.domain
    terms = {sort: [] for sort in (*domain.sorts(), INT, BOOL)}
    for name, value in named.items():
        if isinstance(value, tuple):
            for term, sort in zip(value, domain.attribute_sorts.values(), strict=True):
                terms[sort].append(term)
        else:
            terms[GIVEN[name]].append(value)
    pools = [[[symbol == 1], [symbol == 2]] for symbol in query.symbols.values()]
    for sort, known in terms.items():
        for number, term in enumerate(known):
            others = [term == other for other in known[:number]]
            if sort == INT:
                pools.append([[term == 1], [term == 2]] if number else [[term == 1]])
            else:
                pools += [[[equal], [logic.Not(equal)]] for equal in others]
    for chosen in itertools.product(*pools):
        assumed = [fact for facts in chosen for fact in facts]
        if query.check(*assumed) == logic.sat:
            yield assumed, Snapshot(query, query.model())


def neighbours(problem, query, snapshot, trial, full):
    """Return whether the evaluator has the databases of a trial for neighbours of the class.

    X holds more than the cells that the solver names, of everything that is in sight.
    """
    named = {snapshot.cell(cell): cell for cell in reversed(query.cells)}
    old, new = (
        {cell: snapshot.integer(side.at(ground)) for cell, ground in named.items()}
        for side in (trial.old, trial.new)
    )
    domain = problem.domain
    pools, elements = [], {sort: set() for sort in domain.sorts()}
    for number, (name, sort) in enumerate(domain.attribute_sorts.items()):
        seen = {cell[number] for cell in named}
        if sort == INT:
            pools.append(range(min(seen) - 2, max(seen) + 3))
        elif sort == BOOL:
            pools.append((False, True))
        else:
            pools.append(sorted({*seen, f"another_{name}"}))
            elements[sort] |= {*pools[-1]}
    elements = {sort: tuple(sorted(known)) for sort, known in elements.items()}
    symbols = {n: snapshot.integer(t) for n, t in query.symbols.items()} | {"k": 1}
    tables = {
        name: {(u,): snapshot.lookup(name, (u,)) for u in {c[1] for c in named}}
        for name in domain.functions
    }
    world = World(domain, (), elements, tables, {}, symbols)
    world = replace(world, cells=tuple(c for c in itertools.product(*pools) if world.is_cell(c)))
    if full is not None:
        _fill(world, full, old, new)
    if not all(world.contains(d, domain, world.cells) for d in (old, new)):
        return False
    return world.linking(problem.outer, old, new) is not None


def _fill(world, full, old, new):
    """Give each place of which nothing is known the same record in both tables."""

    def at(cell):
        return evaluate(full, world.environment(variables={"c": cell}))

    taken = {at(cell) for database in (old, new) for cell, held in database.items() if held}
    for cell in world.cells:
        if at(cell) not in taken:
            taken.add(at(cell))
            old[cell] = new[cell] = 1


TRIED = {
    "one more": (RECORDS, Edit({"x": "cell"}, change={"x": 1})),
    "another": (RECORDS, Edit({"x": "cell", "y": "cell"}, "x != y", {"x": -1, "y": 1})),
    "of one owner": (OWNED, framed("true")),
    "of one owner, few": (FEW, framed("true")),
    "of one owner, one": (SINGLE, framed("true")),
    "of one owner, at most one": (SET, framed("true")),
    "of one owner, as many": (SIZED, framed("true")),
    "two records of one": (
        SIZED,
        Edit({"x": "cell", "y": "cell"}, "owner(x) == owner(y)", {"x": -1, "y": 1}),
    ),
    "with a size": (OWNED, framed("true", "size(D) <= 2")),
    "next to a record": (OWNED, framed("new == old or D[c] >= 1")),
    "where nothing comes": (OWNED, framed("new <= old")),
    "three records": (OWNED, THREE),
    "the days near": (DAYS, Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + 2")),
    "as many as said": (
        OWNED,
        Edit({"x": "cell", "y": "cell", "a": "int"}, "a != 0", {"x": "a", "y": 1}),
    ),
    "as many as an owner has": (
        replace(OWNED, functions={"f": (["U"], "int")}),
        Edit({"x": "cell", "u": "U"}, change={"x": "max(f(u), 1)"}),
    ),
    "a row": (TABLE, Edit({"r": "int"}, frame="row(c) == r")),
    "a place": (TABLE, Edit({"r": "int", "s": "int"}, frame="row(c) == r and column(c) == s")),
    "one value for another": (
        TABLE,
        Edit(
            {"r": "int", "s": "int"},
            frame="row(c) == r and column(c) == s",
            step="old == 0 or new == 0",
        ),
    ),
    "all or another": (
        FLAGGED,
        Edit({"x": "cell", "y": "cell", "b": "bool"}, "b or D[x] >= 2", {"x": -1, "y": 1}),
    ),
}
ELSEWHERE = {
    "all records of an owner": (OWNED, framed("D[c] >= 1")),
    "all records of an owner, few": (FEW, framed("D[c] >= 1")),
    "where all differ": (OWNED, framed("new != old")),
    "where all held one": (OWNED, framed("old == 1")),
    "a value of a table": (TABLE, Edit({"v": "V"}, frame="val(c) == v")),
    "all of a table's row": (TABLE, Edit({"r": "int"}, frame="row(c) == r", step="new != old")),
    "a class with facts": (
        replace(RECORDS, facts=["D[c] <= 1"]),
        Edit({"x": "cell"}, change={"x": 1}),
    ),
}
GIVEN = {"u": "cell", "v": "cell", "t": "int", "o": "U"}
OTHER = {"x": "cell", "y": "cell", "u": "cell"}
NAMED = {
    "a third record goes": (
        OWNED,
        Edit(OTHER, "owner(u) == owner(x)", {"x": 1, "y": 1, "u": -1}),
        "u",
    ),
    "a third record stays": (SINGLE, Edit(OTHER, "D[u] >= 1", {"x": -1, "y": 1}), "u"),
    "one of as many": (SIZED, Edit(OTHER, change={"x": 1, "y": 1, "u": -2}), "u"),
    "records of an owner": (FEW, Edit({"o": "U"}, frame="owner(c) == o"), "o"),
    "records like one": (FEW, Edit({"u": "cell"}, "D[u] >= 1", frame="owner(c) == owner(u)"), "u"),
    "a day": (DAYS, Edit({"t": "int"}, frame="day(c) >= t and day(c) <= t + 1"), "t"),
}


def shown(domain, edit, given=()):
    """Return how often databases are shown to be neighbours, which the evaluator confirms."""
    problem, query, named, found, full = written(domain, edit, given)
    number = 0
    for assumed, snapshot in situations(problem, query, named):
        for trial in found:
            doubt = logic.Not(logic.And(*trial.admissible))
            if query.check(*assumed, doubt) == logic.unsat:
                number += 1
                assert neighbours(problem, query, snapshot, trial, full)
    return number


@pytest.mark.in_turn
@pytest.mark.parametrize("name", TRIED)
def test_what_is_tried_are_neighbours(name):
    assert shown(*TRIED[name])


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_depends_on_other_records_is_not_shown(name):
    assert not shown(*ELSEWHERE[name])


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMED)
def test_what_is_tried_with_more_than_two_records_named(name):
    domain, edit, *others = NAMED[name]
    assert shown(domain, edit, [NamedParameter(n, n, GIVEN[n]) for n in others])


# ------------------------------------------------------------------ what a block shows

INNER = {
    "one more": Edit({"x": "cell"}, change={"x": 1}),
    "one more of at most one": Edit({"x": "cell"}, "size(D) <= 1", {"x": 1}),
    "one more than two": Edit({"x": "cell"}, "size(D) == 2", {"x": 1}),
    "another": Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y", {"x": -1, "y": 1}),
    "as many as there are": Edit({"x": "cell"}, change={"x": "size(D)"}),
    "all of a kind": Edit({"x": "cell"}, "D[x] >= 1", {"x": "-D[x]"}),
    "two": Edit({"x": "cell", "y": "cell"}, "owner(x) == owner(y)", {"x": 1, "y": 1}),
    "of one owner": Edit({"u": "U"}, frame="owner(c) == u"),
    "of one owner, one at most": Edit({"u": "U"}, frame="owner(c) == u", step="old + new <= 1"),
    "of one owner, up to the size": Edit({"u": "U"}, frame="owner(c) == u",
                                         step="old == 0 and new <= size(D)"),
}  # fmt: skip
CELLS = [("a", "u"), ("b", "v"), ("c", "u"), ("d", "u"), ("e", "v")]
KEEP = Map("keep", "good(c)", functions={"good": (["cell"], "bool")})


def images(inner, setting):
    """Yield what the solver says of an inner edit between images, and what the evaluator says.

    Two records, of two owners or one, are seen or not.
    """
    part = Part("p", "keep", Granularity("inner", [inner], directed=True), setting=setting)
    problem = Problem(OWNED, library_granularity("unbounded"), [KEEP], [part])
    structure, (bound,) = Structure(problem), problem.bound_parts
    (edit,) = bound.granularity.edits
    pair = records(structure)
    query, x, y = pair.query, pair.query.cell("x"), pair.query.cell("y")
    leads = pushed if setting == "common" else linked
    held = itertools.product(range(2 if setting == "common" else 3), repeat=2)
    for (first, then), alike, second in itertools.product(
        itertools.permutations(held, 2), (False, True), (False, True)
    ):
        sides = [
            ExplicitDatabase(
                pair,
                problem.domain,
                (x, y),
                lambda c, n=numbers: logic.If(
                    query.equal(c, x), n[0], logic.If(query.equal(c, y), n[1], 0)
                ),
            ).within(bound.map, ())
            for numbers in (first, then)
        ]
        seen = [True, second]
        assumed = [
            x[0] != y[0],
            (x[1] == y[1]) if alike else (x[1] != y[1]),
            *[pair.member(bound.map, c, ()) == s for c, s in zip((x, y), seen, strict=True)],
        ]
        says = query.check(*assumed, leads(pair, bound.map, (), edit, *sides)) == logic.sat
        cells = (CELLS[0], ("b", "u") if alike else CELLS[1], *CELLS[2:])
        (label,) = bound.map.functions
        tables = {label: {(c,): s for c, s in zip(cells, (*seen, True, False, False), strict=True)}}
        world = World(
            OWNED, cells, {"R": tuple("abcde"), "U": ("u", "v", "w")}, tables, {label: False}
        )
        old, new = (dict(zip(cells, numbers, strict=False)) for numbers in (first, then))
        if setting == "common":
            yield says, linked_through(bound, Witness(world, old, new), ())
        else:
            left, right = (world.apply(bound.map, d, ()) for d in (old, new))
            kept = world.block_cells(bound.map, ())
            yield says, world.linking(bound.granularity, left, right, kept) is not None


@pytest.mark.in_turn
@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize("name", INNER)
def test_whether_an_inner_edit_leads_from_one_image_to_another(name, setting):
    found = list(images(INNER[name], setting))
    assert [says for says, _ in found] == [true for _, true in found]
    assert {True, False} == {true for _, true in found}
