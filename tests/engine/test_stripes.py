"""Values that move along a list change all of its blocks: two that take turns show it, for each k.

Next to what is tight are problems in which one condition fails.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together.stripes import striped
from dpcomp_sym.spec import load_spec
from tests.differential.compare import SCOPES, disagreements, evidence
from tests.differential.engine import answer

LISTS = (Path(__file__).parents[2] / "examples/ordered-insertion.toml").read_text("utf-8")
LISTS, _, _ = LISTS.partition("# An edit changes the length")
VALUES = 'val = "Value" }'


def tight(text, *sets):
    spec = load_spec(text, sets)
    found = derive(spec.problem, values=spec.values, sizes=spec.sizes)
    (bound,) = (b for b in found.bounds if b.notion == "pure")
    return bound.text, bound.tight, bound.tight_note


@pytest.mark.in_turn
def test_an_inserted_value_moves_all_others():
    assert tight(LISTS) == ("sum(eps[i])", "yes", "")
    assert tight(LISTS, "k=5", "eps=[1,2,3,4,5]")[1] == "yes"


def test_two_values_are_enough():
    text = LISTS.replace(VALUES, 'val = ["zero", "one"] }')
    assert tight(text) == ("sum(eps[i])", "yes", "")


def test_the_values_may_be_integers_too():
    assert all_change(LISTS.replace(VALUES, 'val = "int" }'))


INSERTION = '''[granularity]
name = "insertion of one value"
[[granularity.edit]]
params = { x = "cell" }
guard = "true"
frame = "position(c) >= position(x)"
step = """new == ((1 if c == x else 0) if position(c) == position(x) else
  D[(position(c) - 1, val(c))])"""
'''
WRITTEN = LISTS.replace('[granularity]\nuse = "insertion"\nposition = "position"\n', INSERTION)


def all_change(text):
    structure = Structure(load_spec(text).problem)
    (part,) = structure.problem.bound_parts
    return any(striped(structure, edit, part.map) for edit in structure.edits)


def test_the_edit_written_out():
    assert all_change(LISTS)
    assert all_change(WRITTEN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (VALUES, 'val = ["zero"] }'),
        ('limits = [["position(c)", 1]]', 'limits = [["position(c)", 1], ["val(c)", 1]]'),
        ('limits = [["position(c)", 1]]', 'limits = [["position(c) // 2", 1]]'),
        ("position(c) <= size(D))", "position(c) <= size(D) - 1)"),
        ('cell = "position(c) >= 1"', 'cell = "position(c) >= 2"'),
        ('by = "position"', 'by = "val"'),
        ('guard = "true"', 'guard = "size(D) >= 3"'),
        ("D[(position(c) - 1, val(c))]", "D[(position(c) - 2, val(c))]"),
        ("D[(position(c) - 1, val(c))]", "D[c]"),
        ("1 if c == x else 0", "0"),
        ("new == (", "new >= ("),
        ("position(c) >= position(x)", "position(c) >= position(x) and position(c) <= 5"),
    ],
)
def test_where_two_values_do_not_show_it(old, new):
    assert old in WRITTEN
    assert not all_change(WRITTEN.replace(old, new))


@pytest.mark.in_turn
def test_lists_of_at_most_four_values():
    text = LISTS.replace('size(D))"]', 'size(D))", "size(D) <= 4"]')
    assert tight(text) == ("sum of the 4 largest eps[i]", "yes", "")


def test_small_worlds_agree():
    problem = load_spec(LISTS).problem
    some = (one for one in evidence(problem, SCOPES * 8) if 0 < len(one.enumeration.pairs) <= 300)
    found = list(itertools.islice(some, 3))
    assert found
    assert not disagreements(problem, answer(problem), found)
