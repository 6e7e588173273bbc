"""What was judged of mutants is about the engine as it is."""

from __future__ import annotations

from tests.engine.mutants import ENGINE, FILES
from tests.mutation import ROOT, mutants


def test_every_judged_mutant_is_still_one():
    known = set()
    for file in FILES:
        lines = (ROOT / ENGINE.package / file).read_text(encoding="utf-8").splitlines()
        known |= {(file, lines[m.line - 1].strip(), m.change) for m in mutants(ENGINE, file)}
    assert not set(ENGINE.equivalent) - known
