"""Streams with one value at each step, of which one is replaced: tables of a fixed size.

The two records that change are written down; at every other step both databases have the same one.
"""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem
from dpcomp_sym.report import latex
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

pytestmark = pytest.mark.in_turn

AT_ONE_STEP = "D[x] >= 1 and x != y and step(x) == step(y)"
WINDOW = "i <= step(c) and step(c) < i + 3"
ALL = "max over t with 0 < t <= T of sum(eps[i] for t - 2 <= i <= t)"


def values(**more):
    given = {
        "symbols": {"T": "T >= 1"}, "cap": 1, "universe": "product", "limits": [("step(c)", 1)],
        "cell": "1 <= step(c) and step(c) <= T", "size": ["size(D) == T"], **more,
    }  # fmt: skip
    return Domain({"step": "int", "val": "Value"}, **given)


def problem(domain=None, guard=AT_ONE_STEP, member=WINDOW, change=None):
    edit = Edit({"x": "cell", "y": "cell"}, guard, change or {"x": "-1", "y": "1"})
    windows = Map("windows", member, {"i": "k"})
    parts = [Part("a", "windows", None, {"pure": ("eps",), "zcdp": ("rho",)}, setting="common")]
    return Problem(domain or values(), Granularity("a value", [edit]), [windows], parts)


def pure(*args, **more):
    found = derive(problem(*args, **more)).bounds["pure"]
    return found.text, found.tight


def test_sliding_windows_of_values():
    assert pure() == (ALL, "yes")


def test_the_smallest_streams_show_it():
    """All streams of three values of two kinds, and all of their neighbours."""
    whole = problem()
    cells = list(itertools.product((1, 2, 3), ("a", "b")))
    found = Comparison(
        1, Streams(whole, {"k": 3, "T": 3}, lambda: iter([cells]), {"Value": ("a", "b")})
    )
    assert "tight" in found.kinds()
    assert not found.wrong()


class Streams(Drawn):
    """Streams of so many steps, with all values."""

    def worlds(self):
        """Yield the only world."""
        (cells,) = self.cells()
        yield World(self.problem.domain, tuple(cells), self.elements, {}, {}, self.sizes)


@pytest.mark.parametrize(
    "more",
    [
        # Nobody knows whether there is a value for every step, or how many steps there are.
        {"domain": values(universe="any")},
        {"domain": values(size=["size(D) >= T"])},
        {"domain": values(cell="1 <= step(c) and step(c) <= T and step(c) != 2")},
        # The value before the one that is replaced is another one, or is not there.
        {"guard": f"{AT_ONE_STEP} and D[replace(x, step, step(x) - 1)] == 0"},
        {"guard": f"{AT_ONE_STEP} and size(D) == 1"},
    ],
)
def test_what_is_not_the_same_everywhere_else_is_not_written_down(more):
    assert pure(**more)[1] != "yes"


def test_reports_do_not_call_the_two_records_databases_of_the_class():
    """Each has a record at every step; the others are not written down."""
    text = latex.article(derive(problem()).document())
    assert "are attained by mechanisms" in text
    assert r"\{x\}" not in text


def test_windows_are_said_also_where_they_are_not_shown_to_change():
    assert pure(values(universe="any")) == (ALL, "unknown")


def test_records_that_change_their_step_leave_one_without_a_value():
    moved = "D[x] >= 1 and x != y and val(x) == val(y)"
    whole = problem(guard=moved)
    assert derive(whole).vacuous or derive(whole).bounds["pure"].tight != "yes"
