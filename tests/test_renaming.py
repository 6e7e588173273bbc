"""Under adversarial names, and in another order of maps and parts, everything is as it was."""

from __future__ import annotations

import contextlib

import pytest

from dpcomp_sym.derivation import derive
from dpcomp_sym.finite.generate import generate
from dpcomp_sym.model import granularity, mapping
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.smt import logic
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements import terms
from dpcomp_sym.terms import substitute, variable
from tests.differential.engine import LateError
from tests.renaming import difference, examples, permuted

RANDOM = range(4000, 4024)
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


@pytest.mark.parametrize("name", TRAPS)
def test_nothing_is_taken_for_something_else(name):
    assert found(trap(name), range(RENAMINGS)) is None
    assert difference(trap(name), RENAMINGS, verified=True) is None


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


def test_random_problems_under_other_names():
    different, late = compared(RANDOM, difference)
    assert not different, "\n\n".join(different)
    assert late <= len(RANDOM) // 2


def test_random_problems_in_another_order():
    several = [s for s in RANDOM if len(generate(s).parts) + len(generate(s).maps) > 2]
    different, late = compared(several, permuted)
    assert not different, "\n\n".join(different)
    assert late <= len(several) // 2


@pytest.mark.parametrize("name", ["bounded-partition", "label-dp", "nested", "stream-weeks"])
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
    monkeypatch.setattr(terms, "check_names", lambda _: None)  # it would refuse the problem


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
    [
        (composed_with_underscores, "composed maps"),
        (own_functions_with_underscores, "functions of maps"),
        (constants_with_underscores, "symbols"),
        (constants_with_underscores, "cells"),
        (groups_with_prefixes, "groups"),
    ],
)
def test_gluing_names_is_found(glued, name, monkeypatch):
    problem = trap(name)
    glued(monkeypatch)
    assert found(problem, range(200)) is not None
