"""Few records in each epoch: coqc accepts what is written, and no less."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.rocq import check, rocq_file
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.rocq

SPEC = """
title = "Users with few records in each epoch"
[domain]
attributes = {{ user = "User", step = "int"{attributes} }}
symbols = {{ b = "b >= 1", m = "m >= 1" }}
limits = [["user(c), {of}", {most}]]
[granularity]
use = "{use}"
owner = "user"
[[map]]
name = "steps"
index = {{ {index} }}
member = "{member}"
[[part]]
name = "releases"
map = "steps"
guarantee = {{ pure = "eps" }}
"""
USUAL = {
    "attributes": "", "of": "step(c)//b", "most": "1", "use": "user_presence",
    "index": 'i = "k"', "member": "step(c) == i",
}  # fmt: skip
PAIRS = {
    "attributes": ', kind = "int"', "index": 'i = "k", j = "l"',
    "member": "step(c) == j and kind(c) == i",
}  # fmt: skip
CASES = {
    "before and after": {"use": "user"},
    "weekdays": {"of": "(step(c) - 1) % 7"},
    "one later": {"member": "step(c) == i + 1"},
    "one earlier, before and after": {"member": "step(c) + 1 == i", "use": "user"},
    "so many": {"most": '"m"'},
    "so many, before and after": {"most": '"m"', "use": "user"},
    "kinds": PAIRS,
    "so many kinds": {**PAIRS, "most": '"m"'},
}
WEAKER = {
    "one after": ("before and after", "\\/ (i = (p2 (i / b_)))", "\\/ (i = (p1 (i / b_)))"),
    "weeks of eight days": ("weekdays", ") mod 7))) D 1.", ") mod 8))) D 1."),
    "another epoch": ("one later", "(p1 ((i + 1) / b_))", "(p1 ((i + 2) / b_))"),
    "a choice fewer": ("so many", "length ps <= (Z.to_nat m_)", "length ps <= (Z.to_nat (m_ - 1))"),
}


def file(case):
    found = load_spec(SPEC.format(**USUAL | CASES[case])).derive()
    assert found.bounds["pure"].tight == "yes"
    return rocq_file(certificate(found.theorems, found))


@pytest.mark.parametrize("case", CASES)
def test_coqc_accepts(case):
    answer = check(file(case))
    assert answer.accepted, answer.message


@pytest.mark.parametrize("what", WEAKER)
def test_coqc_rejects_less(what):
    case, old, new = WEAKER[what]
    text = file(case)
    start = text.index("Variable O :") if "p" in new else 0  # the bound, or all there is
    end = text.index("Definition claim", start) if start else len(text)
    assert old in text[start:end], text[start:end]
    wrong = text[:start] + text[start:end].replace(old, new) + text[end:]
    assert not check(wrong).accepted
