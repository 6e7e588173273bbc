"""Statements with a change in one place that small worlds refute: coqc must not accept them."""

from __future__ import annotations

from itertools import islice

import pytest

from dpcomp_sym.rocq import check
from dpcomp_sym.rocq.coqc import STRUCTURE
from dpcomp_sym.rocq.evidence import outline
from tests.rocq.certified import ACCEPTED, certified
from tests.rocq.mutants import is_refuted, mutants, text_of

SAMPLE = [
    ("w-event-each-step", "comparison"), ("w-event-each-step", "edit"),
    ("users-of-records", "constant"), ("label-dp", "edit"), ("strips", "comparison"),
    ("graph-node-presence", "attribute"), ("hierarchy-tree", "constant"),
    ("filters-and-total-replaced", "comparison"), ("bounded-partition-common", "condition"),
]  # fmt: skip
"""Examples, and kinds of changes of which the first one that is refuted is tried each time."""


def refuted(name, kind=None):
    found = outline(certified(name))
    for mutant in mutants(name):
        wanted = kind in {None, mutant.kind}
        if wanted and is_refuted(mutant.problem, found.bound, found.where):
            yield mutant


def rejected(mutant):
    text = text_of(mutant)
    return text is None or not check(text).accepted


@pytest.mark.rocq
@pytest.mark.parametrize(("name", "kind"), SAMPLE)
def test_coqc_rejects_a_statement_that_small_worlds_refute(name, kind):
    found = outline(certified(name))
    assert not is_refuted(found.problem, found.bound, found.where)
    (mutant,) = islice(refuted(name, kind), 1)
    assert text_of(mutant).count(STRUCTURE) == 1
    assert rejected(mutant), mutant.name


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_coqc_rejects_every_statement_that_small_worlds_refute(name):
    found = outline(certified(name))
    assert not is_refuted(found.problem, found.bound, found.where)
    accepted = [m.name for m in refuted(name) if not rejected(m)]
    assert accepted == []


@pytest.mark.slow
def test_every_kind_of_change_is_refuted_somewhere():
    kinds = {m.kind for name in ACCEPTED for m in refuted(name)}
    assert kinds == {"attribute", "comparison", "condition", "constant", "edit"}
