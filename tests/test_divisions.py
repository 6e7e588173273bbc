"""Many divisions of one number by different ones: easy questions stay easy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import Domain
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import BOOL, CELL, INT, Term
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
