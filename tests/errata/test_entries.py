"""Every correction re-checks, and a counterexample that is touched no longer refutes."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import z3

from theorems import _run, errata
from theorems._entry import (
    ENTRIES,
    ESTABLISHED,
    Computed,
    Fallen,
    Refutation,
    status_of,
)
from theorems.errata._plain import valid

MODULES = [
    importlib.import_module(f"theorems.errata.{found.name}")
    for found in pkgutil.iter_modules(errata.__path__)
    if not found.name.startswith("_")
]
NAMES = {module.__name__ for module in MODULES}
FOUND = {name: entry for name, entry in sorted(ENTRIES.items()) if entry.body.__module__ in NAMES}
NUMBERS = set(range(1, 33))

# Some changes leave a counterexample one: a looser claim falls too, a name is only a name, and a
# larger table shows the same.  Entry, number of the refutation in it, and what may be changed.
STILL_TRUE = {
    ("not_a_bound_by_the_metric_of_any_block", 0, "eps"),
    ("not_a_metric_largest_distance", 1, "D"),
    ("not_a_metric_largest_distance", 1, "districts"),
    ("not_always_comparable_and_positive", 0, "candidate"),
    ("not_always_comparable_and_positive", 0, "d1"),
    ("not_always_comparable_and_positive", 1, "d1"),
    ("not_always_comparable_and_positive", 1, "factor"),
    ("not_best_join_of_approximate_parts", 0, "better"),
    ("not_everywhere_private_with_nothing_times_infinity", 1, "eps"),
    ("not_exact_minimum_over_fibres", 1, "corners"),
    ("not_infinite_bounded_sensitivity_of_trivial_blocks", 0, "most"),
    ("not_least_delta_of_all_pairs_at_the_distance", 0, "delta"),
    ("not_least_delta_of_all_pairs_at_the_distance", 0, "f"),
    ("not_max_of_approximate_parts_of_any_partition", 1, "rho"),
    ("not_max_of_at_most_one_block_outside_which_neighbours_agree", 0, "factor"),
    ("not_one_plus_twice_the_diameter", 0, "hospitals"),
    ("not_private_of_printed_choices", 2, "m"),
    ("not_sensitivity_of_identity_in_that_order", 0, "most"),
    ("not_three_times_unbounded_of_at_least_three_labels", 0, "labels"),
    ("not_three_times_unbounded_of_at_least_three_labels", 1, "k"),
}


@cache
def evidence_of(name: str) -> Any:
    """Return the evidence of an entry, found once: no test changes it."""
    return FOUND[name].body()


def refutations(name: str) -> list[Refutation]:
    evidence = evidence_of(name)
    items = evidence if isinstance(evidence, tuple) else (evidence,)
    return [one for one in items if isinstance(one, Refutation)]


REFUTED = [
    (name, number, one)
    for name, entry in FOUND.items()
    if entry.status == "refuted"
    for number, one in enumerate(refutations(name))
]
LABELS = [f"{name}-{number}" for name, number, _ in REFUTED]


def check_of(one: Refutation, data: Mapping[str, Any]) -> bool:
    """Run the check of a refutation on other data; data that break it do not refute."""
    try:
        return one.check.func(data) is True
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return False


def touched(value: Any) -> Iterator[Any]:
    """Yield changed copies: each number moved, each part left out, infinity made finite."""
    match value:
        case None:
            yield 1
        case bool():
            yield not value
        case int() | Fraction():
            yield value + 1
            yield value + Fraction(1, 7)
        case dict():
            for key in value:
                for other in touched(value[key]):
                    yield {**value, key: other}
        case tuple() if value:
            for n, item in enumerate(value):
                for other in touched(item):
                    yield (*value[:n], other, *value[n + 1 :])


def test_every_correction_is_there():
    rows = {row for entry in FOUND.values() for row in entry.rows}
    assert {f"E{n}" for n in NUMBERS} <= rows
    for number in NUMBERS:
        mine = [e for e in FOUND.values() if f"E{number}" in e.rows]
        statuses = {e.status for e in mine}
        assert "refuted" in statuses, f"E{number}: nothing printed is refuted"
        assert statuses & {*ESTABLISHED, "rocq", "checked"}, f"E{number}: nothing holds instead"


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_a_file_has_the_number_of_its_entries(module):
    number = int(module.__name__.rpartition(".")[2][1:3])
    mine = [e for e in FOUND.values() if e.body.__module__ == module.__name__]
    assert mine
    assert all(e.rows == (f"E{number}",) for e in mine)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", FOUND)
def test_an_entry_comes_out_as_declared(name):
    entry = FOUND[name]
    assert _run.came_out(entry, evidence_of(name)) == entry.status
    assert name.startswith("not_") == (entry.status == "refuted" or name.startswith("not_attained"))
    assert entry.statement
    assert entry.cite


@pytest.mark.in_turn
@pytest.mark.parametrize("name", FOUND)
def test_no_evidence_has_floats(name):
    def exact(value):
        match value:
            case float():
                return False
            case Mapping():
                return all(exact(k) and exact(v) for k, v in value.items())
            case tuple() | list() | set() | frozenset():
                return all(map(exact, value))
            case _:
                return True

    evidence = evidence_of(name)
    for one in evidence if isinstance(evidence, tuple) else (evidence,):
        if isinstance(one, Refutation):
            assert exact(one.data)
        if isinstance(one, Computed):
            assert exact(one.found)


@pytest.mark.parametrize(("name", "number", "one"), REFUTED, ids=LABELS)
def test_a_check_reads_its_data(name, number, one):
    assert one.check.args == (one.data,)
    assert check_of(one, one.data)
    assert not check_of(one, {})
    fell, stood = set(), set()
    for key, value in one.data.items():
        without = {k: v for k, v in one.data.items() if k != key}
        if not check_of(one, without):
            fell.add(key)
        for other in touched(value):
            tampered = {**one.data, key: other}
            (stood if check_of(one, tampered) else fell).add(key)
    assert fell
    allowed = {key for entry, n, key in STILL_TRUE if (entry, n) == (name, number)}
    assert stood == allowed


@pytest.mark.parametrize(("name", "number", "one"), REFUTED, ids=LABELS)
def test_a_touched_counterexample_falls(name, number, one):
    key = next(
        k
        for k, v in one.data.items()
        if (name, number, k) not in STILL_TRUE and any(True for _ in touched(v))
    )
    other = next(touched(one.data[key]))
    tampered = Refutation(one.claim, one.data, lambda: check_of(one, {**one.data, key: other}))
    with pytest.raises(Fallen, match="does not refute"):
        status_of(tampered)


def test_an_obligation_must_be_about_something():
    x = z3.Real("x")
    assert valid(z3.Implies(x > 1, x > 0)).settled
    assert not valid(z3.Implies(x > 0, x > 1)).settled
    assert not valid(z3.Implies(z3.And(x > 1, x < 0), x > 5)).settled
