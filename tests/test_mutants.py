"""What was judged of mutants of writers and of numbers is about them as they are."""

from __future__ import annotations

import re

import pytest

from tests.mutation import ROOT, about, mutants, unknown
from tests.notions import mutants as of_numbers
from tests.notions.mutants import (
    ALIKE,
    BESIDES,
    BOUNDS,
    COLUMNS,
    FRONTS,
    GIVEN,
    LABELS,
    NOTIONS,
    NUMBERS,
    PLACED,
    PLANES,
    REALS,
    SAMPLED,
    TOGETHER,
)
from tests.statements import mutants as of_statements
from tests.statements.mutants import BLOCKS, PLACES, SENTENCES, SHORTER, SYMBOLIC, WRITERS

SUBJECTS = {
    "what writes expressions": WRITERS,
    "what shortens expressions": SHORTER,
    "exact numbers": NUMBERS,
    "columns of numbers": COLUMNS,
    "numbers that are given": GIVEN,
    "maximal pairs": FRONTS,
    "two blocks that labels name": LABELS,
    "blocks that change together": TOGETHER,
    "two integers that decide": PLANES,
    "several integers that decide alike": ALIKE,
    "a block and some others": BESIDES,
    "formulas with roots": REALS,
    "blocks that integers tell": PLACED,
    "numbers that are tried": SAMPLED,
    "what a bound says": BOUNDS,
    "the notions": NOTIONS,
    "which theorems are stated": SENTENCES,
    "a largest value over integers": PLACES,
    "expressions in SymPy": SYMBOLIC,
    "functions of blocks in SymPy": BLOCKS,
}


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_every_judged_mutant_is_still_one(subject):
    assert not unknown(subject)


def test_every_judged_mutant_is_in_a_list():
    listed = set().union(*(s.equivalent for s in SUBJECTS.values()))
    assert of_numbers.JUDGED.keys() | of_statements.JUDGED.keys() == listed


@pytest.mark.parametrize("said", SUBJECTS)
def test_their_number_is_said(said):
    text = (ROOT / "docs" / "soundness" / "figures.md").read_text(encoding="utf-8")
    numbers = re.search(rf"{said}[^;]*? about ([\d,]+)\smutants, (\d+) of them judged", text)
    subject = SUBJECTS[said]
    found = [m for file in subject.files for m in mutants(subject, file)]
    assert numbers
    assert about(numbers[1], len(found))
    assert int(numbers[2]) == sum(m.is_equivalent() for m in found)
