"""Persons with any number of records, each where it is: so many choices of one record's place."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.model.domain import Domain
from dpcomp_sym.replay import read
from dpcomp_sym.smt.solvers import SecondSolver
from tests.engine.test_few_records import (
    ATTRIBUTES,
    LEAVES,
    ONE,
    TREE,
    WINDOWS,
    changed,
    nodes_above,
    presence,
    problem,
)

SYMBOLS = {"L": "L >= 1", "r": "r >= 1"}
OF_R = [("own(c)", "r")]


def pure(*args, **more):
    bound = derive(problem(*args, **{"symbols": SYMBOLS, **more})).bounds[0]
    return bound.text, bound.tight


@pytest.mark.parametrize(
    ("limits", "use", "times"),
    [
        (OF_R, presence, "r"),
        (OF_R, changed, "2*r"),
        ([("own(c)", 3)], presence, "3"),
        ([("own(c)", 3)], changed, "6"),
        ([("own(c)", 100)], presence, "100"),
        ([*OF_R, ("own(c), id(c)", "r")], presence, "r"),
    ],
)
def test_sliding_windows_of_a_person_with_any_number_of_records(limits, use, times):
    text = f"max over {times} choices of t of sum(eps[i] for {ONE})"
    assert pure(limits, use()) == (text, "yes")


VALUES = [5, 1, 1, 4, 1, 1, 1, 6, 2]


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("records", [1, 2, 3, 4, 9])
def test_their_number_is_that_of_the_worst_times(records, length):
    sizes = {"k": 9, "L": length, "r": records}
    found = derive(
        problem(OF_R, presence(), symbols=SYMBOLS), values={"eps": VALUES}, sizes=sizes
    ).bounds[0]
    windows = [
        {i for i in range(9) if t - length < i <= t} for t in range(9 + length)
    ]  # fmt: skip
    best = max(
        sum(VALUES[i] for i in set().union(*some))
        for some in itertools.combinations(windows, min(records, 4 if records < 9 else 9))
    )
    assert (found.value, found.tight) == (best, "yes")


@pytest.mark.parametrize("records", [1, 2, 3])
def test_paths_of_a_tree_above_any_number_of_records(records):
    values = [[5, 1, 2, 7], [3, 8, 1, 1], [4, 1, 1, 1]]
    of = problem(OF_R, changed(), TREE, cell=LEAVES, symbols={"r": "r >= 1"})
    bound = derive(of, values={"eps": values}, sizes={"r": records}).bounds[0]
    known = {(level, x): values[level - 1][x - 1] for level in (1, 2, 3) for x in range(1, 5)}
    expected = max(
        sum(known[node] for node in set().union(*map(nodes_above, at)))
        for at in itertools.combinations_with_replacement(range(4), min(2 * records, 4))
    )
    assert (bound.value, bound.tight) == (expected, "yes")


def test_two_maps_share_the_places():
    """A record is in the windows and in the filter of its time: both count for it, once each."""
    domain = Domain(ATTRIBUTES, limits=OF_R, symbols=SYMBOLS)
    maps = [WINDOWS, Map("first", "t(c) <= 3")]
    parts = [
        Part("counts", "windows", guarantees={"pure": ("eps",)}),
        Part("early", "first", guarantees={"pure": ("eta",)}),
    ]
    of = Problem(domain, presence(), maps, parts)
    bound = derive(of).bounds[0]
    assert bound.tight == "yes"
    assert bound.text == f"max over r choices of t of (sum(eps[i] for {ONE}) + (eta if t <= 3))"
    numbers = {"eps": [5, 1, 1, 4, 3], "eta": 7}
    for records, value in ((1, 13), (2, 20), (3, 21)):
        sizes = {"k": 5, "L": 2, "r": records}
        assert derive(of, values=numbers, sizes=sizes).bounds[0].value == value


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        # Two records are never in the same ten of steps.
        ([*OF_R, ("own(c), t(c) // 10", 1)], {}),
        # All records of a person are at one time, or at two.
        (OF_R, {"distinct": [("t(c)", "own(c)", 1)]}),
        (OF_R, {"distinct": [("t(c)", "own(c)", 2)]}),
        # Of all persons together no two records are at one time, which others may have taken.
        ([*OF_R, ("t(c)", 1)], {}),
        # A database has so many records.
        (OF_R, {"size": ["size(D) <= 5"]}),
    ],
)
def test_where_limits_keep_records_apart_blocks_are_counted(limits, more):
    text, tight = pure(limits, presence(), **more)
    assert "choices" not in text
    assert tight != "yes"


@pytest.mark.parametrize(
    ("frame", "step"),
    [
        ("own(c) == w", "old + new == 1"),
        ("own(c) == w", "old >= 1 or new >= 1"),
        ("own(c) == w and t(c) == s", "true"),
        ("own(c) == w and t(c) >= s", "true"),
    ],
)
def test_frames_in_which_records_are_not_anywhere(frame, step):
    """Others may not stay away, or all records of the frame are at one time, or at late ones."""
    use = Granularity("some", [Edit({"w": "User", "s": "int"}, frame=frame, step=step)])
    bound = derive(problem(OF_R, use, symbols=SYMBOLS)).bounds[0]
    assert "choices" not in bound.text or bound.tight != "yes" or ">= s" in frame


def test_what_records_are_anywhere_from_some_time_on():
    """Records of a person from some time on, whichever that is, may be anywhere."""
    frame = "own(c) == w and t(c) >= s"
    use = Granularity("late", [Edit({"w": "User", "s": "int"}, frame=frame)])
    text, tight = pure(OF_R, use)
    assert tight != "yes" or text == f"max over 2*r choices of t of sum(eps[i] for {ONE})"


def test_only_what_comes_or_only_what_goes():
    for step, times in (("old == 0", "r"), ("new == 0", "r"), ("old == 0 or new == 0", "2*r")):
        use = Granularity("g", [Edit({"w": "User"}, frame="own(c) == w", step=step)])
        text, tight = pure(OF_R, use)
        assert (text, tight) == (f"max over {times} choices of t of sum(eps[i] for {ONE})", "yes")


def test_mechanisms_that_protect_records_have_a_mean():
    """Where a part sees each record, all of a person's are worst in one place."""
    domain = Domain(ATTRIBUTES, limits=OF_R, symbols=SYMBOLS)
    records = library_granularity("unbounded")
    of = Problem(domain, presence(), [WINDOWS], [Part("counts", "windows", records)])
    bound = derive(of).bounds[0]
    assert (bound.text, bound.tight) == (f"max over t of sum(r*eps[i] for {ONE})", "yes")


@pytest.mark.parametrize("use", [presence, changed])
def test_its_certificate_is_checked_by_another_program(use):
    derivation = derive(problem(OF_R, use(), symbols=SYMBOLS))
    second = SecondSolver() if SecondSolver.installed() else None
    written = as_text(certificate(derivation.theorems, derivation))
    found = verify(read(written.encode()), second)
    assert found.verdict == "proved"
    assert any("records, each of them in only blocks" in said for said in found.facts)


def test_a_single_pair_has_its_own_choices():
    bounds = derive(problem(OF_R, presence(), symbols=SYMBOLS)).bounds
    (said,) = {b.pareto for b in bounds if b.pareto}
    text = f"sum(eps[i] for {ONE}), sum(delta[i] for {ONE})"
    assert said == f"({text}) for each r choices of t"


def test_its_pairs_in_numbers_are_those_of_all_choices():
    """Of two times of three, with one window a time: all sums of two, not the largest of each."""
    tenths = [Fraction(n, 10) for n in (3, 2, 1)]
    numbers = {"eps": [1, 2, 3], "delta": tenths, "rho": [1] * 3, "mu": [1] * 3}
    of = problem(OF_R, presence(), symbols=SYMBOLS)
    bounds = derive(of, values=numbers, sizes={"k": 3, "L": 1, "r": 2}).bounds
    (front,) = [b.pareto for b in bounds if b.pareto]
    assert front == ((5, Fraction(3, 10)), (4, Fraction(2, 5)), (3, Fraction(1, 2)))
