"""Edits that add or remove a symbol's number of records, against mechanisms for one record."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.replay import read
from tests.shares import shared

RECORD = library_granularity("unbounded")
BLOCKS = library_map("partition", name="blocks")
CARDINALITY = library_map("cardinality", name="blocks")


def problem(change, guard="x != y", mapping=BLOCKS, inner=RECORD, **more):
    symbols = {"s": "s >= 1", "t": "t >= 0"}
    cells = dict.fromkeys(change, "cell")
    edit = Edit(cells, guard if "y" in change else "true", change)
    domain = Domain({"id": "Record"}, symbols=symbols, **more)
    return Problem(domain, Granularity("bulk", [edit]), [mapping], [Part("p", "blocks", inner)])


def pure(asked):
    (bound, *_) = derive(asked).bounds
    return bound.text, bound.tight, bound.tight_note


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("change", "bound"),
    [
        ({"x": "s"}, "s*max(eps[i])"),
        ({"x": "-s"}, "s*max(eps[i])"),
        ({"x": "2*s"}, "2*s*max(eps[i])"),
        ({"x": "3"}, "3*max(eps[i])"),
        ({"x": "s", "y": "-s"}, "2*s*max(eps[i])"),
        ({"x": "s", "y": "2*s"}, "3*s*max(eps[i])"),
    ],
)
def test_as_many_edits_as_records(change, bound):
    assert pure(problem(change)) == (bound, "yes", "")


@pytest.mark.long
def test_one_record_and_many_are_one_more():
    assert pure(problem({"x": "s", "y": "-1"})) == (
        "max((s + 1)*max(eps[i]), max over i != j of (s*eps[i] + eps[j]))", "yes", "",
    )  # fmt: skip


@pytest.mark.parametrize("change", shared(2, [{"x": "t"}, {"x": "s*t"}, {"x": "s", "y": "t"}]))
def test_a_symbol_that_may_be_0_bounds_nothing(change):
    assert "inf" in pure(problem(change))[0]


def test_amounts_that_make_up_for_each_other_in_an_image_are_not_tight_for_all():
    bound = pure(problem({"x": "s", "y": "-s"}, mapping=CARDINALITY))
    assert bound[0] == "0" or bound[1] != "yes"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "more", [{"limits": [("id(c)", 2)]}, {"size": ["size(D) <= 3"]}, {"cap": 2}]
)
def test_where_the_class_limits_records_it_is_not_for_all_symbols(more):
    assert pure(problem({"x": "s"}, **more)) != ("s*max(eps[i])", "yes", "")


@pytest.mark.in_turn
def test_strangers_decide_it_again():
    derivation = derive(problem({"x": "s", "y": "2*s"}))
    document = as_text(certificate(derivation.theorems, derivation)).encode()
    assert verify(read(document)).verdict == "proved"
