"""Questions that take too much: unknown and said to be, and everything else is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import z3

from dpcomp_sym.limits import limited
from dpcomp_sym.smt.asking import ask, ask_twice, usable
from dpcomp_sym.spec import load_spec
from tests.shares import shared

ROOT = Path(__file__).resolve().parent.parent
# The last square has millions of digits: the solver does not look up from multiplying.
SQUARES = " and ".join(f"r{n}(c) == r{n - 1}(c)*r{n - 1}(c)" for n in range(1, 27))
FUNCTIONS = ", ".join(f'r{n} = [["cell"], "int"]' for n in range(27))
HARD = f"""
title = "Squares of squares"
[domain]
attributes = {{ id = "Record" }}
functions = {{ {FUNCTIONS} }}
[granularity]
use = "bounded"
[[map]]
name = "squares"
index = {{ i = "k" }}
functions = {{ h = [["cell"], "int"] }}
member = "h(c) == i and r0(c) == 3 and {SQUARES}"
[[part]]
name = "hard"
map = "squares"
guarantee = {{ pure = "a" }}
[[part]]
name = "easy"
map = "identity"
guarantee = {{ pure = "b" }}
"""
MANY = """
import sys, z3
from dpcomp_sym.limits import limited
from dpcomp_sym.smt.asking import ask, prepared

def holes(number):
    solver = prepared(z3.SimpleSolver())
    inside = [[z3.Bool(f"p{i}_{j}") for j in range(number)] for i in range(number + 1)]
    solver.add(*[z3.Or(row) for row in inside])
    for column in zip(*inside):
        solver.add(*[z3.Or(z3.Not(a), z3.Not(b)) for a in column for b in column if a is not b])
    return solver

def factors(bits):
    solver = prepared(z3.SimpleSolver())
    x, y = z3.BitVecs("x y", bits)
    solver.add(x * y == 15, x > 1, y > 1)
    return solver
"""


@pytest.fixture
def hard(spec_file):
    return spec_file(HARD)


def python(script):
    return subprocess.run(
        [sys.executable, "-c", MANY + script], cwd=ROOT, check=False, capture_output=True, text=True
    )


def dpcomp(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", *map(str, arguments)],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.long
def test_what_takes_too_long_is_unknown_and_the_rest_is_kept(hard, tmp_path):
    page = tmp_path / "page.html"
    done = dpcomp("derive", hard, "--timeout", "0.1", "--json", "--html", page)
    assert (done.returncode, done.stderr) == (3, "")
    document = json.loads(done.stdout)
    assert document["verdict"] == "unknown"
    found = {name: condition["verdict"] for name, condition in document["conditions"].items()}
    assert found["sensitivity[easy]"] == "proved"
    assert found["sensitivity[hard]"] == "unknown"
    assert "given up (after 0.1 s" in document["conditions"]["sensitivity[hard]"]["reason"]
    assert "questions to the solver were given up" in page.read_text("utf-8")


@pytest.mark.in_turn
def test_the_command_says_so(hard):
    done = dpcomp("check", hard, "--timeout", "0.1")
    assert (done.returncode, done.stderr) == (3, "")
    assert "given up (after 0.1 s" in " ".join(done.stdout.split())


@pytest.mark.parametrize(("option", "value"), [("--timeout", "0"), ("--memory", "lots")])
def test_limits_that_are_none(option, value, hard):
    done = dpcomp("derive", hard, option, value)
    assert done.returncode == 2
    assert option in done.stderr


def test_time_and_steps_in_one_process():
    done = python(
        "from dpcomp_sym.smt import asking\n"
        "with limited(seconds=0.2) as limits:\n"
        "    print(ask(holes(13)))\n"
        "    asking.RESOURCES = 1000\n"
        "with limited() as more:\n"
        "    print(ask(holes(13), steps=1000), ask(holes(2)))\n"
        "print(limits.reached, more.reached)\n"
    )
    assert done.stdout == "unknown\nunknown unsat\n['after 0.2 s'] []\n" + done.stderr


@pytest.mark.parametrize("apart", [False, True])
def test_memory(apart):
    done = python(
        "with limited(megabytes=64) as limits:\n"
        f"    print(ask(factors(1500), apart={apart}), limits.reached)\n"
        "print(ask(holes(2)))"
    )
    assert done.stdout == "unknown ['at 64 MB']\nunsat\n" + done.stderr


ANOTHER = """
import z3
from dpcomp_sym.limits import limited
from dpcomp_sym.smt.asking import ask_twice, prepared

x, y, z = z3.Ints("x y z")
for another in (None, z3.Solver):
    solver = prepared(z3.SimpleSolver(), 50_000)
    solver.add(x * x == y * y + z * z + 1, x > 10, y > 3, z > 3)
    with limited() as limits:
        answer, answered = ask_twice(solver, another, (), 50_000)
    print(answer, answered is solver, limits.text)
    if answer == z3.sat:
        model = answered.model()
        print(model.evaluate(x * x - y * y - z * z), model.evaluate(z3.And(x > 10, y > 3, z > 3)))
"""


def test_where_a_solver_loses_its_way_another_is_asked():
    command = [sys.executable, "-c", ANOTHER]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "unknown True \nsat False \n1 True\n" + done.stderr


class Faulty:
    """A solver that finds itself where it should never be."""

    def set(self, *args: object, **options: object) -> None:
        pass

    def check(self, *assumptions: object) -> None:
        del assumptions
        raise z3.Z3Exception(b"unreachable")


def test_a_fault_of_the_solver_is_no_answer():
    faulty = Faulty()
    with limited() as limits:
        assert ask(faulty) == z3.unknown
        assert ask(faulty) == z3.unknown  # it is not asked again
    assert not usable(faulty)
    assert "by a fault of the solver" in limits.text


class Lost:
    """A solver that finds no answer."""

    def set(self, *args: object, **options: object) -> None:
        pass

    def check(self, *assumptions: object) -> object:
        del assumptions
        return z3.unknown

    def assertions(self) -> list[object]:
        return []


def test_of_several_solvers_the_one_that_broke_is_kept_and_left_alone():
    lost, faulty = Lost(), Faulty()
    with limited() as limits:
        assert ask_twice(lost, None, before=[lambda: faulty]) == (z3.unknown, lost)
    assert "by a fault of the solver" in limits.text
    assert usable(lost)
    assert not usable(faulty)


def test_the_first_questions_get_the_most_time():
    with limited(seconds=50) as limits:
        assert limits.allowed == 50
        for _ in range(8):
            limits.give_up("after 50 s")
        assert limits.allowed == 0.5
        assert limits.text == "8 questions to the solver were given up (after 50 s)"


@pytest.mark.parametrize("seconds", [0.1, 5])
def test_hard_questions_leave_some_time_for_an_easy_one(seconds):
    with limited(seconds=seconds) as limits:
        for _ in range(100):
            limits.give_up(f"after {limits.allowed} s")
        assert limits.allowed == min(seconds, 0.2)


@pytest.mark.in_turn
@pytest.mark.parametrize("question", ["ask(solver)", "ask(solver, apart=True)"])
def test_an_interruption_stops_the_solver(question):
    script = MANY + f"solver = holes(14)\nprint('asking', flush=True)\n{question}"
    running = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    running.stdout.readline()
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert said.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.long
def test_an_interruption_of_a_hard_derivation(hard):
    """What is known is printed, with what is missing."""
    running = subprocess.Popen(
        [sys.executable, "-m", "dpcomp_sym", "derive", str(hard), "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(6)
    running.send_signal(signal.SIGINT)
    shown, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (3, "")
    document = json.loads(shown)
    assert document["verdict"] == "unknown"
    assert document["unfinished"].startswith("the call did not come to its end, since it was inter")


@pytest.mark.in_turn
def test_the_time_of_a_whole_call(hard):
    done = dpcomp("derive", hard, "--time", "8", "--json")
    assert (done.returncode, done.stderr) == (3, "")
    document = json.loads(done.stdout)
    assert "since its 8 s were over" in document["unfinished"]
    assert document["bounds"][0]["value"] == "inf"
    assert document["verdict"] == "unknown"


def test_a_call_without_time():
    """A spec may be read in a thousandth of a second, or not even that."""
    done = dpcomp("derive", "examples/ambulances.toml", "--time", "0.001")
    assert done.returncode == 3
    if done.stdout:
        assert "since its 0.001 s were over" in " ".join(done.stdout.split())
        assert "Bounds" not in done.stdout
    else:
        assert done.stderr == "unknown: the time of the call was over (see --time)\n"


def test_a_comparison_without_time_says_what_it_knows():
    """What was not compared is unknown, with the reason; the rest is there."""
    done = dpcomp("relate", "examples/ordered-append.toml", "--time", "3", "--json")
    assert (done.returncode, done.stderr) == (3, "")
    document = json.loads(done.stdout)
    assert document["verdict"] == "unknown"
    reasons = {row["reason"] for row in document["distances"]}
    assert any(r and "since its 3 s were over" in r for r in reasons)
    assert len(document["granularities"]) == 8


INTERRUPTED_STRING = """
import dpcomp_sym.cli
from dpcomp_sym.__main__ import run

def main():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        raise SystemExit(3)

dpcomp_sym.cli.main = main
run()
"""


def test_an_interruption_inside_a_string_does_not_end_the_program(tmp_path):
    """Python dies of it at its end, though it was caught; dataclasses are made of strings."""
    (tmp_path / "interrupted_string.py").write_text(INTERRUPTED_STRING, encoding="utf-8")
    call = [sys.executable, "-m", "interrupted_string"]
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(call, env={**os.environ, "PYTHONPATH": path}, check=False, timeout=60)
    assert done.returncode == 3


@pytest.mark.parametrize("command", shared(1, ["derive", "check"]))
def test_a_call_with_enough_time_says_what_others_say(command):
    usual = dpcomp(command, "examples/ambulances.toml", "--json")
    assert dpcomp(command, "examples/ambulances.toml", "--time", "500", "--json").stdout == (
        usual.stdout
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("total", [0.0, 1e-9])
@pytest.mark.parametrize(
    "name", ["bounded-partition", "ambulances", "user-level-owner-partition", "own-granularity"]
)
def test_what_is_known_without_time_is_never_less_than_what_is_true(name, total):
    """Without a single question all that is said is sound, and nothing is called tight."""
    spec = load_spec(ROOT / "examples" / f"{name}.toml", ["k=4", "eps=[5, 1, 1, 5]"])
    usual = spec.derive()
    with limited(total=total):
        hurried = spec.derive()
    assert hurried.unfinished is not None
    assert usual.unfinished is None
    known = {b.notion: b for b in usual.bounds}
    for bound in hurried.bounds:
        assert bound.tight != "yes"
        if bound.notion == "pure" and not known["pure"].infinite:
            assert bound.infinite or bound.value >= known["pure"].value


def test_half_of_the_time_that_is_left_is_the_most_for_a_question():
    with limited(total=20) as limits:
        assert 5 < limits.allowed <= 7
        with limited() as inner:
            assert inner.budget is limits.budget
            inner.budget.stopped = True
        assert limits.budget.over
