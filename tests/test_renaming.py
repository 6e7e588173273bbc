"""Under adversarial names, and in another order of maps and parts, everything is as it was."""

from __future__ import annotations

import contextlib
import re

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    granularity,
    library_granularity,
    library_map,
    mapping,
)
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.check import read
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements import terms
from dpcomp_sym.terms import substitute, to_text, variable
from tests.differential.engine import LateError
from tests.random_problems.generate import generate
from tests.renaming import difference, examples, permuted
from tests.shares import shared

RANDOM = range(4000, 4016)
MANY = range(5000, 5400)
RENAMINGS = 20
"""So often is each trap renamed: enough to meet each way of gluing names."""

# Problems in which whatever is taken for something else changes the answer.
TRAPS = {
    "composed maps": """
        [domain]
        attributes = { id = "Person", age = "int", city = "City" }
        [granularity]
        use = "unbounded"
        [[map]]
        name = "grown"
        member = "age(c) >= 18"
        [[map]]
        name = "cover"
        use = "cover"
        m = 3
        [[map]]
        name = "districts"
        use = "partition"
        by = "city"
        [[part]]
        name = "first"
        map = ["grown", "cover"]
        guarantee = { pure = "eps" }
        [[part]]
        name = "second"
        map = "districts"
        guarantee = { pure = "eta" }
        """,
    "functions of maps": """
        [domain]
        attributes = { id = "Person" }
        functions = { sex = [["cell"], "int"] }
        [[granularity.edit]]
        params = { p = "cell", q = "cell" }
        guard = "D[p] >= 1 and p != q and sex(p) == sex(q)"
        change = { p = -1, q = 1 }
        [[map]]
        name = "blocks"
        use = "partition"
        [[part]]
        name = "M"
        map = "blocks"
        setting = "common"
        guarantee = { pure = "eps" }
        """,
    "symbols": """
        [domain]
        attributes = { id = "Person" }
        functions = { lab = [["cell"], "int"] }
        symbols = { bound = "true" }
        [[granularity.edit]]
        params = { number = "int", p = "cell", q = "cell" }
        guard = "D[p] >= 1 and p != q and (number != bound or lab(p) == lab(q))"
        change = { p = -1, q = 1 }
        [[map]]
        name = "blocks"
        member = "lab(c) == i"
        index = { i = "k" }
        [[part]]
        name = "M"
        map = "blocks"
        setting = "common"
        guarantee = { pure = "eps" }
        """,
    "cells": """
        [domain]
        attributes = { place = "int", block = "int" }
        [[granularity.edit]]
        params = { p = "cell", number = "int", q = "cell" }
        guard = "D[p] >= 1 and p != q and (number != place(p) or block(p) == block(q))"
        change = { p = -1, q = 1 }
        [[map]]
        name = "blocks"
        member = "block(c) == i"
        index = { i = "k" }
        [[part]]
        name = "M"
        map = "blocks"
        setting = "common"
        guarantee = { pure = "eps" }
        """,
    "groups": """
        [domain]
        attributes = { id = "Person" }
        [granularity]
        directed = true
        group = 2
        [[granularity.edit]]
        params = { p = "cell", q = "cell" }
        guard = "D[p] >= 1 and p != q"
        change = { p = -1, q = 1 }
        [[map]]
        name = "blocks"
        use = "partition"
        [[part]]
        name = "M"
        map = "blocks"
        setting = "common"
        guarantee = { pure = "eps" }
        """,
}  # fmt: skip


def trap(name):
    return load_spec(TRAPS[name]).problem


def found(problem, seeds):
    """Return the first difference that a renaming makes."""
    before = derive(problem)
    return next((d for seed in seeds if (d := difference(problem, seed, before))), None)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "renamings", shared(1, [range(2), range(2, 6), range(6, RENAMINGS)]), ids=str
)
@pytest.mark.parametrize("name", TRAPS)
def test_nothing_is_taken_for_something_else(name, renamings):
    assert found(trap(name), renamings) is None
    assert difference(trap(name), renamings.stop, verified=True) is None


def compared(seeds, compare):
    """Return the differences, and how many comparisons needed too many questions."""
    different, late = [], 0
    for seed in seeds:
        try:
            found_here = compare(generate(seed), seed)
        except LateError:
            late += 1
            continue
        different += [f"problem {seed}: {found_here}"] * (found_here is not None)
    return different, late


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", [RANDOM], ids=str)
def test_random_problems_under_other_names(seeds):
    different, late = compared(seeds, difference)
    assert not different, "\n\n".join(different)
    assert late <= 2 * len(seeds) // 3


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", [RANDOM], ids=str)
def test_random_problems_in_another_order(seeds):
    several = [s for s in seeds if len(generate(s).parts) + len(generate(s).maps) > 2]
    different, late = compared(several, permuted)
    assert not different, "\n\n".join(different)
    assert late <= 2 * len(several) // 3


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", shared(1, ["label-dp", "bounded-partition", "nested", "stream-weeks"])
)
def test_examples_under_other_names(name):
    problem = dict(examples())[name]
    assert difference(problem, 1, verified=True) is None
    assert permuted(problem, 1) is None


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(MANY) // 20))
def test_more_random_problems(number):
    seeds = MANY[20 * number : 20 * number + 20]
    for compare in (difference, permuted):
        different, _ = compared(seeds, compare)
        assert not different, "\n\n".join(different)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in examples()])
def test_every_example_under_many_names(name):
    problem = dict(examples())[name]
    for seed in range(5):
        with contextlib.suppress(LateError):
            assert difference(problem, seed, verified=seed == 0) is None
            assert permuted(problem, seed) is None


# ------------------------------------------------------------------ the test finds what it is for


def composed_with_underscores(monkeypatch):
    monkeypatch.setattr(mapping, "PATH", "_")
    for module in (terms.base, terms.problems):  # they would refuse the problem
        monkeypatch.setattr(module, "check_names", lambda _: None)


def own_functions_with_underscores(monkeypatch):
    monkeypatch.setattr(mapping, "own_function", lambda mapping, name: f"{mapping}_{name}")


def constants_with_underscores(monkeypatch):
    monkeypatch.setattr(logic, "path", lambda *words: "_".join(map(str, words)))


def groups_with_prefixes(monkeypatch):
    right = granularity.BoundEdit.renamed

    def renamed(self, mark):
        if not isinstance(mark, int):
            return right(self, mark)
        new = {n: variable(f"s{mark}{n}", s) for n, s in self.params}
        return BoundEdit(
            tuple((f"s{mark}{n}", s) for n, s in self.params),
            substitute(self.guard, new),
            tuple((f"s{mark}{p}", substitute(d, new)) for p, d in self.change),
        )

    monkeypatch.setattr(granularity.BoundEdit, "renamed", renamed)


@pytest.mark.parametrize(
    ("glued", "name"),
    shared(2, [
        (own_functions_with_underscores, "functions of maps"),
        (constants_with_underscores, "cells"),
        (constants_with_underscores, "symbols"),
        (composed_with_underscores, "composed maps"),
        (groups_with_prefixes, "groups"),
    ]),
)  # fmt: skip
def test_gluing_names_is_found(glued, name, monkeypatch):
    problem = trap(name)
    glued(monkeypatch)
    assert found(problem, range(200)) is not None


# ------------------------------------------------------------------ names taken for others

PAIRS = "sum of the 2 largest eps[i]"
CAPTURES = {
    "a composition and a map": (
        "composed maps",
        {"grown": "adults", "cover": "cities", "districts": "adults_cities"},
        "max(eta[i]) + sum of the 3 largest eps[i]",
    ),
    "a map's function and one of the domain": ("functions of maps", {"sex": "blocks_h"}, PAIRS),
    "a symbol and a parameter": ("symbols", {"number": "s_w", "bound": "w_0"}, PAIRS),
    "a symbol and a record": ("symbols", {"bound": "x"}, PAIRS),
    "an attribute of a cell and a parameter": (
        "cells", {"p": "x", "number": "x_0_a", "place": "a_1"}, PAIRS,
    ),
    "parameters of the first edit and the second": (
        "groups", {"p": "x", "q": "s2x"}, "sum of the 4 largest eps[i]",
    ),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("name", CAPTURES)
def test_the_answer_with_names_that_were_captured(name):
    of, names, bound = CAPTURES[name]
    text = TRAPS[of]
    for old, new in names.items():
        text = re.sub(rf"\b{old}\b(?! =)" if old == "cover" else rf"\b{old}\b", new, text)
    derivation = derive(load_spec(text.replace('use = "cities"', 'use = "cover"')).problem)
    assert [b.text for b in derivation.bounds] == [bound]
    data = read(as_text(certificate(derivation.theorems, derivation)).encode())
    found = verify(data, SecondSolver())
    assert found.verdict == "proved"
    solvers = {"z3", "cvc5"} if SecondSolver.installed() else {"z3"}
    assert {frozenset(q.answers) for q in found.questions} == {
        frozenset((solver, "unsat") for solver in solvers)
    }


def test_what_a_question_beside_another_names_is_new():
    """A frame that is named by a cell called m was taken for that cell alone."""
    domain = Domain({"id": "Record", "owner": "Owner"})
    edit = Edit({"m": "cell"}, frame="owner(c) == owner(m)")
    query = Query(Signature(domain, {}), {})
    pair = Pair(query, Granularity("own", [edit]).bind(domain).edits[0], ())
    query.add(pair.old(pair.params["m"]) == pair.new(pair.params["m"]))
    query.add(pair.size(new=True) > pair.size(new=False))
    assert query.check() == logic.sat


def test_sorts_that_differ_in_case_have_elements_of_their_own():
    domain = Domain({"one": "Owner", "other": "owner"})
    query = Query(Signature(domain, {}), {})
    cell, again = query.cell(), query.cell()
    query.add(cell[0] != again[0], cell[1] != again[1])
    assert query.check() == logic.sat
    snapshot = Snapshot(query, query.model())
    values = [snapshot.cell(c) for c in (cell, again)]
    for value, terms_of in zip(values, (cell, again), strict=True):
        for element, sort, term in zip(value, ("Owner", "owner"), terms_of, strict=True):
            found = snapshot.term(element, sort)
            assert logic.same(found, logic.evaluated(query.model(), term))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('index = { c = "k" }', "'c' cannot be the name of an index"),
        ('index = { bound = "k" }', "the index 'bound' is also a symbol of the domain"),
        ('index = { k = "k" }', "the index 'k' is also a symbol of the domain"),
    ],
)
def test_an_index_hides_nothing(change, message):
    text = TRAPS["symbols"].replace('index = { i = "k" }', change)
    with pytest.raises(InputError, match=message):
        load_spec(text)


def test_a_parameter_of_two_kinds_of_blocks_is_refused():
    problem = trap("composed maps")
    single = Part("all", "grown", guarantees={"pure": ("eta",)})
    with pytest.raises(InputError, match="'eta' is already the parameter of part 'second'"):
        Problem(problem.domain, problem.granularity, problem.maps, [*problem.parts, single])


def test_what_two_maps_say_of_a_symbol_holds_of_it():
    maps = [
        Map("a", "i <= w", {"i": "k"}, symbols={"w": "w >= 2"}),
        Map("b", "j <= w", {"j": "k"}, symbols={"w": "w >= 3"}),
    ]
    parts = [Part(m.name, m.name, guarantees={"pure": (f"eps_{m.name}",)}) for m in maps]
    unbounded = library_granularity("unbounded")
    for order in (maps, maps[::-1]):
        problem = Problem(Domain({"id": "Record"}), unbounded, order, parts)
        assert to_text(problem.symbols["w"]) == "w >= 2 and w >= 3"


def test_a_part_called_like_another_map_is_not_refuted_by_its_blocks():
    """Databases that refute C2 of the part that reads the map "counts" say nothing of that part."""
    maps = [library_map("cardinality", name="total"), library_map("partition", name="counts")]
    unbounded = library_granularity("unbounded")
    parts = [Part("counts", "total", unbounded), Part("r", "counts", unbounded, {"pure": ("eta",)})]
    problem = Problem(Domain({"id": "R"}), library_granularity("bounded"), maps, parts)
    check, derivation = Recheck(problem), derive(problem)
    conditions = certificate(derivation.theorems, derivation)["conditions"]
    rows = {row["name"]: row for row in conditions}
    example = rows["sensitivity[r]"]["example"]
    check.refuted("sensitivity[r]", "r", example)
    with pytest.raises(RejectedError, match="do not refute"):
        check.refuted("sensitivity[counts]", "counts", example)
