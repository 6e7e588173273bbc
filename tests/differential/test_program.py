"""Random problems, and those that are kept, through the whole program.

A problem that once came out wrong, or whose form is rare, is kept in the folder `corpus` as a spec;
`campaign.py --program` runs them all, and writes what newly disagrees beside them.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import load_spec
from tests.differential import program
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer_within, budget
from tests.differential.program import findings
from tests.random_problems.generate import generate

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.toml"))
CHECKS = 200
QUESTIONS = 12
"""So many of them are put to the second solver ..."""
SECONDS = 2
"""... which says nothing if it needs longer."""
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def second():
    solver = SecondSolver(seconds=SECONDS)
    yield solver
    solver.close()


@pytest.mark.in_turn
@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.stem)
def test_what_is_kept(path, second):
    problem = load_spec(path).problem
    assert findings(problem, 0, second, QUESTIONS) == []
    with contextlib.suppress(LateError):
        assert disagreements(problem, answer_within(problem, CHECKS // 2)) == []


@pytest.mark.in_turn
def test_random_problems(second):
    compared = 0
    for seed in range(70_000, 70_005):
        problem = generate(seed)
        try:
            with budget(CHECKS):
                derive(problem)
        except (LateError, InputError):
            continue
        assert findings(problem, seed, second, QUESTIONS) == []
        compared += 1
    assert compared >= 2


def test_a_wrong_answer_of_a_solver_is_noticed(second):
    problem = load_spec(EXAMPLES / "bounded-partition.toml").problem
    with program.recorded() as asked:
        derive(problem)
    assert {answer for _, answer in asked} == {"sat", "unsat"}
    turned = {"sat": "unsat", "unsat": "sat"}
    false = [(question, turned[answer]) for question, answer in asked]
    assert len(list(program.disputed(false, second))) == len(asked)


@pytest.mark.in_turn
@pytest.mark.parametrize("notion", ["pure", "approximate", "zcdp", "gaussian"])
def test_a_bound_that_is_too_small_is_noticed(monkeypatch, notion):
    problem = load_spec(EXAMPLES / "bounded-partition-common.toml").problem
    derivation = derive(problem)
    assert list(program.exceeded(problem, derivation, 0)) == []
    right = program.bounds

    def too_small(*given):
        return [
            replace(b, value=(0, 0) if b.notion == "approximate" else 0)
            if b.notion == notion
            else b
            for b in right(*given)
        ]

    monkeypatch.setattr(program, "bounds", too_small)
    assert {found.split(":")[0] for found in program.exceeded(problem, derivation, 0)} == {notion}


def test_a_report_that_says_something_else_is_noticed(monkeypatch):
    derivation = derive(load_spec(EXAMPLES / "bounded-partition.toml").problem)
    assert list(program.misprinted(derivation)) == []
    told = derivation.as_json()
    told["conditions"]["compatibility"]["counterexample"]["changed"].pop()
    monkeypatch.setattr(type(derivation), "as_json", lambda _: told)
    assert len(list(program.misprinted(derivation))) == 1
