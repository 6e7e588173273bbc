"""What the solver is told of neighbours, asked for directly."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import z3

from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.model import Domain, Edit, Granularity, Part, Problem, library_map
from dpcomp_sym.smt import Pair, Query
from dpcomp_sym.smt.query import Signature

OWNED = Domain({"id": "R", "owner": "U"})
OWN = {"u": "U"}


def pair_of(edit, domain=OWNED):
    problem = Problem(domain, Granularity("own", [edit]), [], [])
    (bound,) = problem.outer.edits
    return Pair(Query(signature_of(problem), problem.symbols), bound, [])


@pytest.mark.parametrize(
    ("step", "grows", "shrinks"),
    [
        ("true", True, True),
        ("new <= old", False, True),
        ("new >= old", True, False),
        ("new == old", False, False),
        ("new == 0", False, True),
        ("old == 0", True, False),
        ("old == 0 or new == 0", True, True),
        ("new == 0 or new == 1", True, True),
        ("new <= D[c]", None, True),
        ("new >= D[c]", True, None),
    ],
)
def test_what_a_step_does_to_the_number_of_records(step, grows, shrinks):
    """What can be must be left open, of any number of records; None: it need not be excluded."""
    for sign, possible in ((1, grows), (-1, shrinks)):
        pair = pair_of(Edit(OWN, frame="owner(c) == u", step=step))
        pair.query.add(sign * (pair.size(new=True) - pair.size(new=False)) == 5)
        if possible is not None:
            assert (pair.query.check() == z3.sat) == possible


@pytest.mark.parametrize(
    ("params", "frame", "others"),
    [
        ({"x": "cell"}, "c == x", False),
        ({"x": "cell", "y": "cell"}, "c == x or c == y", False),
        ({"x": "cell"}, "owner(c) == owner(x)", True),
        ({"x": "cell"}, "c != x", True),
        (OWN, "owner(c) == u", True),
    ],
)
def test_whether_records_change_that_an_edit_does_not_name(params, frame, others):
    pair = pair_of(Edit(params, frame=frame))
    for name, sort in pair.edit.params:
        if sort == "cell":
            pair.query.add(pair.old(pair.params[name]) == pair.new(pair.params[name]))
    pair.query.add(pair.size(new=True) != pair.size(new=False))
    assert (pair.query.check() == z3.sat) == others


@pytest.mark.parametrize("fuller", ["D", "E"])
def test_each_database_has_the_facts_of_its_own_size(fuller):
    """Two records of a kind need a third one: that of the database that has them."""
    change, few, many = (-1, "E", "D") if fuller == "D" else (1, "D", "E")
    crowded = replace(OWNED, facts=["D[c] <= 1 or size(D) >= 3"])
    pair = pair_of(Edit({"x": "cell"}, change={"x": change}), crowded)
    (x,) = pair.points
    count = {"D": pair.old(x), "E": pair.new(x)}
    size = {"D": pair.size(new=False), "E": pair.size(new=True)}
    pair.query.add(count[many] == 2, count[few] == 1)
    assert pair.query.check(size[many] == 3, size[few] == 2) == z3.sat
    assert pair.query.check(size[many] == 2) == z3.unsat


def test_nothing_is_held_outside_the_cells():
    pair = pair_of(Edit({"x": "cell"}, change={"x": 1}))
    query = pair.query
    (x,) = pair.points
    beside = query.possible((x[0], query.fresh("U")))
    absent = z3.Not(query.present(beside))
    assert query.check(absent, pair.old(beside) == 0, pair.new(beside) == 0) == z3.sat
    assert query.check(absent, pair.old(beside) != 0) == z3.unsat
    assert query.check(absent, pair.new(beside) != 0) == z3.unsat
    assert query.check(query.present(beside), pair.old(beside) == 3) == z3.sat


@pytest.mark.parametrize("others", [[], [Edit({"x": "cell"}, "D[x] >= 2", {"x": 5})]])
def test_a_part_whose_edits_change_records_that_the_neighbours_share(others):
    """One record more is not an edit by which all of its owner's cells get one more."""
    raised = Edit(OWN, frame="owner(c) == u", step="new == old + 1")
    part = Part("p", "b", Granularity("inner", [raised, *others]))
    outer = Granularity("own", [Edit({"x": "cell"}, change={"x": 1})])
    problem = Problem(OWNED, outer, [library_map("partition", name="b")], [part])
    assert not isinstance(Structure(problem).sensitivity(problem.bound_parts[0]), Proved)


# ------------------------------------------------------------- one question after another

NUMBERS = Domain({"n": "int"})


class Asked:
    """A question that grows: numbers, of which all named so far differ, and facts about them."""

    def __init__(self):
        self.query = Query(Signature(NUMBERS, {}), {})
        self.query.at_check(self.different)
        self.numbers = []
        self.most = 9

    def different(self):
        apart = [z3.Distinct(*self.numbers)] if len(self.numbers) > 1 else []
        return [*apart, *(n <= self.most for n in self.numbers)]

    def do(self, step):
        word, first, second = step
        if word == "name":
            (number,) = self.query.cell()
            self.numbers.append(number)
            self.query.add(number >= 0)
        elif word == "most":
            self.most = second
            self.query.stale()
        elif self.numbers:
            self.query.add(self.fact(first, second))

    def fact(self, first, second):
        return self.numbers[first % len(self.numbers)] <= second

    def check(self, first, second):
        return self.query.check(*([self.fact(first, second)] if self.numbers else []))


def steps(rng, number):
    kinds = ("name", "fact", "most", "check", "check", "check")
    return [(rng.choice(kinds), rng.randrange(9), rng.randrange(6)) for _ in range(number)]


def test_what_was_asked_before_changes_no_answer():
    seen = set()
    for seed in range(60):
        rng, often, made = random.Random(seed), Asked(), []
        for step in steps(rng, 12):
            if step[0] != "check":
                often.do(step)
                made.append(step)
                continue
            once = Asked()
            for before in made:
                once.do(before)
            assert often.check(*step[1:]) == once.check(*step[1:])
            answer = often.query.check()
            assert answer == once.query.check()
            seen.add(str(answer))
            if answer == z3.sat and rng.random() < 1 / 2:
                often.do(("fact", *step[1:]))  # what follows does not spoil the model
                made.append(("fact", *step[1:]))
                numbers = {often.query.model()[n].as_long() for n in often.numbers}
                assert len(numbers) == len(often.numbers)
    assert seen == {"sat", "unsat"}


def test_an_interrupted_question_leaves_nothing(monkeypatch):
    """Facts on what is named so far are not asserted of what is named later."""
    asked = Asked()
    query = asked.query
    query.at_check(lambda: [asked.numbers[0] == len(asked.numbers)])
    for _ in range(2):
        asked.do(("name", 0, 0))

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(query.solver, "check", interrupted)
        with pytest.raises(KeyboardInterrupt):
            query.check()
    asked.do(("name", 0, 0))
    assert query.check() == z3.sat
    assert query.model()[asked.numbers[0]].as_long() == 3
