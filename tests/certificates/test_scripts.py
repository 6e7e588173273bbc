"""Questions to solvers as scripts: what was asserted, as it was asserted, and nothing trivial."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import z3

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.facts import SolverQuestion, UndecidedError
from dpcomp_sym.certificates.recheck import _answered, verify
from dpcomp_sym.certificates.write import write
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity, library_map
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import ONE, ZERO
from dpcomp_sym.replay.terms import make
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import SETTING, Said, ScriptSection, Signature, excluded
from dpcomp_sym.smt.script import Assertion, written
from dpcomp_sym.smt.solvers import FirstSolver, SecondSolver

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (
    "nested",
    "rows-of-two-tables",
    "user-level-limited",
    "fixed-size-unbounded",
    "values-in-steps",
    "histogram",
)


def query():
    return Query(Signature(Domain({"id": "Record"}), {}), {})


def test_what_the_solver_made_of_a_question_is_not_what_was_asked():
    asked, n = query(), logic.Int("n")
    asked.add(n < 0, n > 0)
    assert asked.check() == logic.unsat
    assert "(assert (< n 0))\n(assert (> n 0))" in asked.script()
    assert "false" not in asked.script()


@pytest.mark.in_turn
@pytest.mark.parametrize("name", EXAMPLES)
def test_scripts_of_certificates_are_raw(library, name):
    found = verify(library.certificate(name))
    assert found.questions
    for question in found.questions:
        lines = question.script.splitlines()
        assert lines[0] == f"; {question.about}"
        assert lines[-1] == "(check-sat)"
        assert "(assert false)" not in lines
        sections = [line[2:] for line in lines[1:] if line.startswith("; ")]
        order = [str(s) for s in ScriptSection if str(s) in sections]
        assert sections == order
        assert len(question.script) > len(question.setting)


def test_the_same_question_is_the_same_text_in_every_process(library, tmp_path):
    file = tmp_path / "c.json"
    write(library.certificate("household-moves"), file)
    texts = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        subprocess.run(
            [sys.executable, "-m", "dpcomp_sym", "verify", str(file), "--scripts", str(folder)],
            cwd=ROOT, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        texts.append([p.read_text("utf-8") for p in sorted(folder.iterdir())])
    assert texts[0] == texts[1]


def test_every_question_that_was_impossible_is_noted():
    with excluded("inner") as found:
        for number in range(3):
            asked = query()
            asked.add(logic.Int("n") < number, logic.Int("n") > 1)
            asked.check()
    assert all("; inner" in one.script for one in found)
    assert len(found) == 3


# ------------------------------------------------------------- nothing trivial


def blocks(*facts):
    lab = Map(
        "lab", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")},
        ("1 <= h(c) and h(c) <= k", *facts),
    )  # fmt: skip
    maps = [lab, library_map("partition", name="blocks")]
    return Problem(
        Domain({"id": "Record"}), library_granularity("unbounded"), maps, [Part("counts", "lab")]
    )


def asked(problem, count):
    check = Recheck(problem)
    check.fact(make("TouchCount", check.meaning.term, "edit 1", "lab", count))
    return check.questions


def test_a_question_must_be_impossible_because_of_what_it_asks():
    right = _answered(asked(blocks(), ONE), [FirstSolver()], blunt=False)
    assert [q.answers for q in right] == [(("z3", "unsat"),)]
    with pytest.raises(RejectedError, match="not confirmed"):
        asked(blocks(), ZERO)
    absurd = asked(blocks("h(c) == 0"), ZERO)  # facts of the map that contradict each other
    with pytest.raises(RejectedError, match="impossible by itself"):
        _answered(absurd, [FirstSolver()], blunt=False)


def test_a_single_false_is_no_question():
    folded = SolverQuestion("x", "(set-logic ALL)\n(assert false)\n(check-sat)\n", "(check-sat)")
    with pytest.raises(RejectedError, match="nothing is asked"):
        _answered([folded], [FirstSolver()], blunt=False)
    assert _answered([folded], [FirstSolver()], blunt=True)


class Silent(FirstSolver):
    name = "silent"

    def ask(self, _script):
        return "unknown"


class Contrary(FirstSolver):
    name = "contrary"

    def ask(self, _script):
        return "sat"


def test_some_solver_must_answer_the_script_and_none_may_disagree():
    questions = asked(blocks(), ONE)
    with pytest.raises(UndecidedError):
        _answered(questions, [Silent()], blunt=False)
    with pytest.raises(RejectedError, match="contrary disagrees"):
        _answered(questions, [FirstSolver(), Contrary()], blunt=False)
    found = _answered(questions, [Silent(), FirstSolver()], blunt=False)
    assert found[0].answers == (("silent", "unknown"), ("z3", "unsat"))


def test_what_is_given_before_a_question_is_not_the_edit_and_not_the_claim():
    assert {ScriptSection.EDIT, ScriptSection.VIEW, ScriptSection.CLAIM} & SETTING == set()
    one = query()
    n = logic.Int("n")
    one.add(Said(n > 1, ScriptSection.CLASS), Said(n > 2, ScriptSection.EDIT), n > 3)
    assert re.findall(r"> n (\d)", one.setting()) == ["1"]
    assert re.findall(r"> n (\d)", one.script()) == ["1", "2", "3"]


# ------------------------------------------------------------- how they are written


def test_a_comment_cannot_hold_commands():
    text = written([Assertion(logic.Int("n") > 0, "a\n(assert false)\r(exit)")], "b\n(exit)")
    assert [line for line in text.splitlines() if not line.startswith(";")] == [
        "(set-logic ALL)", "(declare-fun n () Int)", "(assert (> n 0))", "(check-sat)",
    ]  # fmt: skip


def test_words_are_quoted_or_refused_and_never_two_things():
    odd = z3.Int("two words")
    assert "(declare-fun |two words| () Int)" in written([Assertion(odd > 0, "x")])
    with pytest.raises(ValueError, match="bar"):
        written([Assertion(z3.Int("bar|") > 0, "x")])
    with pytest.raises(ValueError, match="two ways"):
        written([Assertion(z3.Bool("p"), "x"), Assertion(z3.Int("p") > 0, "x")])


def formula(pick, depth):
    """A random formula of the kinds that the encoding makes."""
    sort = z3.DeclareSort("S.T")
    terms = [z3.Const(f"c.{n}", sort) for n in range(3)]
    count = z3.Function("f.count", sort, z3.IntSort())

    def number(left):
        kind = pick.randrange(6 if left else 3)
        if kind == 0:
            return z3.IntVal(pick.randint(-3, 3))
        if kind in (1, 2):
            return pick.choice([z3.Int("s.k"), count(pick.choice(terms))])
        if kind == 3:
            return number(left - 1) + number(left - 1)
        if kind == 4:
            return pick.choice([-number(left - 1), 2 * number(left - 1)])
        return z3.If(truth(left - 1), number(left - 1), number(left - 1))

    def truth(left):
        kind = pick.randrange(7 if left else 2)
        if kind == 0:
            return pick.choice(terms) == pick.choice(terms)
        if kind == 1:
            return number(0) <= number(0)
        several = [truth(left - 1) for _ in range(pick.randrange(4))]
        match kind:
            case 2:
                return z3.And(*several)
            case 3:
                return z3.Or(*several)
            case 4:
                return z3.Not(truth(left - 1))
            case 5:
                return z3.Implies(truth(left - 1), truth(left - 1))
            case _:
                return number(left - 1) != number(left - 1)

    return truth(depth)


def test_random_formulas_are_read_as_they_were_meant():
    pick = random.Random(3)
    for _ in range(150):
        meant = formula(pick, 5)
        read = z3.parse_smt2_string(written([Assertion(meant, "x")]).replace("(check-sat)", ""))
        solver = z3.Solver()
        solver.add(z3.And(*read) != meant)
        assert solver.check() == z3.unsat


@pytest.mark.skipif(not SecondSolver.installed(), reason="cvc5 is not installed")
def test_both_solvers_read_random_scripts_alike():
    pick, first, second = random.Random(4), FirstSolver(), SecondSolver()
    try:
        for _ in range(60):
            text = written([Assertion(formula(pick, 3), "x") for _ in range(4)])
            answers = {first.ask(text), second.ask(text)}
            assert len(answers) == 1
            assert answers < {"sat", "unsat"}
    finally:
        first.close()
        second.close()
