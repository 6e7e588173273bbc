"""Every example against exhaustive search in small worlds."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.spec import load_spec
from tests.differential.compare import SCOPES, disagreements, evidence
from tests.differential.engine import answer
from tests.shares import shared

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
VACUOUS = {"fixed-size-unbounded"}
WORLDS = (1, 3)
"""So many worlds with neighbours are compared, of those that are looked at."""
LOOKED_AT = 60
PAIRS = 300
"""Worlds with more neighbours take too long here."""


@pytest.mark.in_turn
@pytest.mark.parametrize("worlds", shared(1, WORLDS))
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_agrees_with_exhaustive_search(path, worlds):
    problem = load_spec(path).problem
    found = []
    for one in evidence(problem, SCOPES * (LOOKED_AT // len(SCOPES))):
        if 0 < len(one.enumeration.pairs) <= PAIRS:
            found.append(one)
        if len(found) == worlds:
            break
    assert bool(found) == (path.stem not in VACUOUS)
    assert not disagreements(problem, answer(problem), found)
