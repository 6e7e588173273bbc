"""What was judged of mutants is about the engine as it is."""

from __future__ import annotations

import re

from tests.engine.mutants import ENGINE, FILES
from tests.mutation import ROOT, about, mutants, unknown


def test_every_judged_mutant_is_still_one():
    assert not unknown(ENGINE)


def test_their_number_is_said():
    text = (ROOT / "docs" / "soundness" / "figures.md").read_text(encoding="utf-8")
    said = re.search(r"has about ([\d,]+) mutants; (\d+) of them were judged", text)
    found = [m for file in FILES for m in mutants(ENGINE, file)]
    judged = sum(m.is_equivalent() for m in found)
    assert said
    assert about(said[1], len(found))
    assert int(said[2]) == judged
