"""Many divisions of one number by different ones: easy questions stay easy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import z3

from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import Domain
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.asking import A_LITTLE, A_MOMENT, ask_twice
from dpcomp_sym.smt.query import OTHER_WAYS, Signature
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term
from dpcomp_sym.terms.term import integer, variable

ROOT = Path(__file__).parent.parent
DIVISORS = range(2, 41)

SPEC = """
title = "forty"
[domain]
attributes = {{ id = "Record", age = "int" }}
[granularity]
use = "{use}"
[[map]]
name = "blocks"
index = {{ i = 40 }}
member = "{member}"
[[part]]
name = "counts"
map = "blocks"
setting = "common"
"""


def forty(use: str, folder: Path) -> Path:
    """Write the spec of forty blocks: block i holds the records whose age i divides."""
    member = " or ".join(f"(i == {n} and age(c) % {n} == 0)" for n in range(1, 41))
    path = folder / "forty.toml"
    path.write_text(SPEC.format(use=use, member=member), encoding="utf-8")
    return path


def divided(number: int, remainder: int) -> Term:
    age = Term("attr", ("age", variable("c", CELL)), INT)
    rest = Term("mod", (age, integer(number)), INT)
    return Term("eq", (rest, integer(remainder)), BOOL)


@pytest.mark.parametrize("remainders", [(0, 0), (1, 1), (0, 1)])
def test_records_that_fit_many_divisions_are_found(remainders):
    query = Query(Signature(Domain({"id": "Record", "age": INT}), {}), {})
    query.limit(1_100_000)
    cells = [query.cell() for _ in remainders]
    for cell, remainder in zip(cells, remainders, strict=True):
        fits = [query.read(divided(n, remainder), {"c": cell}) for n in DIVISORS]
        query.add(sum(logic.If(fit, 1, 0) for fit in fits) > len(fits) - 1)
    query.add(logic.Not(query.equal(*cells)))
    assert query.check() == logic.sat
    ages = [logic.integer_of(query.model(), cell[1]) for cell in cells]
    for age, remainder in zip(ages, remainders, strict=True):
        assert all(age % n == remainder for n in DIVISORS)


@pytest.mark.parametrize("most", [30, 36, 38])
def test_blocks_that_change_together_are_found_with_little_work(most, tmp_path):
    problem = load_spec(forty("unbounded", tmp_path)).problem
    structure = Structure(problem)
    (edit, *_), mapping = structure.edits, problem.used_maps["blocks"]
    query = structure._more_blocks(edit, mapping, most)
    query.limit(1_100_000)
    assert query.check() == logic.sat


class _Way:
    """A solver that is lost, or answers, and notes when it is asked and what it may spend."""

    def __init__(self, name, asked, answer=z3.unknown):
        self.name, self.asked, self.answer = name, asked, answer
        self.limits = {}

    def set(self, *pair, **more):
        self.limits |= dict([pair]) if pair else more

    def add(self, *facts):
        pass

    def assertions(self):
        return []

    def check(self, *_assumptions):
        self.asked.append((self.name, self.limits.get("rlimit"), self.limits.get("timeout")))
        return self.answer


def test_of_several_ways_each_has_its_turn_until_one_answers():
    asked = []
    lost = _Way("first", asked)
    ways = [_Way(name, asked, answer) for name, answer in
            (("second", z3.unknown), ("third", z3.sat), ("fourth", z3.sat))]  # fmt: skip
    answer, by = ask_twice(lost, None, before=[lambda way=way: way for way in ways])
    assert (answer, by) == (z3.sat, ways[1])
    assert [name for name, *_ in asked] == ["first", "second", "third"]
    assert all(work <= A_LITTLE and time <= 1000 * A_MOMENT for _, work, time in asked)


def test_an_attempt_of_little_work_is_made_once_and_has_little_time():
    asked = []
    lost, other = _Way("first", asked), _Way("second", asked, z3.sat)
    answer, _ = ask_twice(lost, None, (), A_LITTLE, before=[lambda: other])
    assert answer == z3.unknown
    ((name, work, time),) = asked
    assert (name, work, time <= 1000 * A_MOMENT) == ("first", A_LITTLE, True)


def test_the_ways_differ():
    """Where one arithmetic, or one order of attempts, is lost, another often is not."""
    assert len({tuple(sorted(way.items())) for way in OTHER_WAYS}) == len(OTHER_WAYS) > 2


def test_what_does_not_fit_is_still_excluded():
    query = Query(Signature(Domain({"id": "Record", "age": INT}), {}), {})
    cell = query.cell()
    facts = [query.read(divided(n, r), {"c": cell}) for n, r in ((4, 1), (6, 2))]
    query.add(*facts)
    assert query.check() == logic.unsat


@pytest.mark.parametrize("use", ["unbounded", "bounded"])
def test_forty_blocks_that_divide_one_number(use, tmp_path):
    path = forty(use, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", "derive", str(path)],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "DPCOMP_KEPT": "off"},
    )  # fmt: skip
    told = " ".join(done.stdout.split())
    every = " + ".join(f"eps[{n}]" for n in range(1, 41))  # a record of age 0 is in all blocks
    assert f"pure (ε) {every} tight" in told, done.stdout + done.stderr


def days(length: int | None = None) -> tuple[Query, list[tuple[object, object]]]:
    """Return a question that names the days of two ages, L to a day."""
    query = Query(Signature(Domain({"id": "Record", "age": INT}), {}), {"L": TRUE})
    if length is not None:
        query.add(query.symbols["L"] == length)
    age = Term("attr", ("age", variable("c", CELL)), INT)
    day = Term("div", (age, variable("L", INT)), INT)
    cells = [query.cell() for _ in range(2)]
    return query, [(query.read(age, {"c": c}), query.read(day, {"c": c})) for c in cells]


def test_a_later_record_is_in_no_earlier_day():
    query, ((one, first), (other, second)) = days()
    query.add(query.symbols["L"] >= 1, one <= other, first > second)
    assert query.check() == logic.unsat


@pytest.mark.parametrize("length", [-2, -1, 1, 2, 3])
@pytest.mark.parametrize("ages", [(-3, 5), (5, -3), (4, 4), (0, 7)])
def test_what_is_said_of_days_is_so_in_numbers(length, ages):
    """Also of a negative divisor, of which nothing is said."""
    query, named = days(length)
    for (age, _), number in zip(named, ages, strict=True):
        query.add(age == number)
    assert query.check() == logic.sat
