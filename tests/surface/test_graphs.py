"""Graphs of derivations and of granularities, and certificates in Python."""

from __future__ import annotations

import json

import networkx as nx
import pytest
import z3

import dpcomp_sym as dp
from dpcomp_sym import notebook
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.smt import Query
from dpcomp_sym.smt.query import Signature


def visits() -> dp.Domain:
    return dp.Domain(person="Person", day=int)


@pytest.fixture(scope="module")
def answer():
    domain = visits()
    return dp.derive(domain, "user(person)", counts=dp.partition(domain.c.person, pure="eps"))


def test_a_derivation_as_a_graph(answer):
    steps = answer.graph()
    assert nx.is_directed_acyclic_graph(steps)
    assert sorted(steps.nodes) == [s.step for s in answer.trace]
    last = answer.concluding("pure")
    assert nx.ancestors(steps, last) == set(steps.nodes) - {last}
    for step in answer.trace:
        assert set(steps.predecessors(step.step)) == set(step.uses)
        assert steps.nodes[step.step]["statement"] == step.statement


@pytest.mark.in_turn
def test_the_order_of_granularities():
    found = dp.order("unbounded", "bounded", "user(person)", over=visits())
    assert repr(found) == "<Granularities: unbounded, bounded, user(person)>"
    graph = found.graph()
    assert set(graph.nodes) == {"unbounded", "bounded", "user(person)"}
    assert graph.edges["unbounded", "bounded"]["distance"] == 2
    assert nx.has_path(graph, "user(person)", "unbounded")
    assert graph.nodes["user(person)"]["granularity"].arguments == {"owner": "person"}
    assert "user(person)" in notebook.html(found)
    every = dp.order(over=dp.Domain(id="Record", cap_="Cap"))
    assert {"unbounded", "bounded"} <= set(every.granularities)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("bounded", "bounded"), "two granularities are called 'bounded'"),
        (("bonded",), "unknown granularity 'bonded'; did you mean 'bounded'?"),
        (("user(owner)",), "granularity 'user', argument 'owner'"),
    ],
)
def test_granularities_that_are_none(given, said):
    with pytest.raises(dp.InputError) as caught:
        dp.order(*given, over=visits())
    assert str(caught.value).startswith(said)


@pytest.mark.in_turn
def test_certificates_are_verified(answer, tmp_path):
    file = answer.save(tmp_path / "c.json", "certificate")
    for given in (file, str(file), answer.certificate()):
        assert dp.verify(given, answer.spec).differences == ()
    other = dp.derive(visits(), "unbounded", counts=dp.partition(pure="eps"))
    assert dp.verify(file, other.problem).differences
    data = answer.certificate()
    data["verdict"] = "unknown"
    with pytest.raises(RejectedError):
        dp.verify(data)
    for wrong in ({}, {"schema": "x"}):
        with pytest.raises(dp.InputError, match="the certificate: this is not a certificate"):
            dp.verify(wrong)
    file.write_text(json.dumps([1]))
    with pytest.raises(dp.InputError, match="this is not a certificate"):
        dp.verify(file)


def test_the_questions_behind_a_condition_are_what_was_asserted():
    domain = visits()
    answer = dp.derive(domain, "user(person)", counts=dp.partition(domain.c.person, pure="eps"))
    assert answer.C1.verdict == "proved"
    assert answer.C1.questions
    for question in answer.C1.questions:
        expressions, text = question.z3(), question.smtlib("C1")
        assert text.startswith("; C1\n")
        assert text.count("(assert ") == len(expressions)
        for asked in (expressions, z3.parse_smt2_string(text)):
            solver = z3.Solver()
            solver.add(*asked)
            assert solver.check() == z3.unsat
            solver.reset()
            solver.add(*list(asked)[:-1])
            assert solver.check() == z3.sat  # the claim, denied, is the last one
    refuted = dp.derive(domain, "bounded", counts=dp.partition(pure="eps")).C1
    assert (refuted.verdict, refuted.questions) == ("refuted", ())


def test_questions_with_assumptions_are_kept_with_them():
    query = Query(Signature(dp.Domain(id="Record"), {}), {})
    n = z3.Int("n")
    query.add(n > 1)
    assert query.check(n < 1) == z3.unsat
    asked = query.impossible
    query.add(n < 9)
    assert query.check(n > 3) == z3.sat
    assert query.impossible is asked
    assert asked.z3() == (n > 1, n < 1)
