"""Certificates of the examples, each made once, and which of them Rocq accepts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.spec import load_spec

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {f.stem: f for f in sorted((ROOT / "examples").glob("*.toml"))}
NOT_WRITTEN = {
    "fixed-size-unbounded": "the verdict is vacuous",
    "mixed-notions": "no guarantee of this notion itself",
    "nearby-values": "the bound is infinite",
}
"""Why no file is written about these: the table may only become shorter."""
ACCEPTED = [name for name in EXAMPLES if name not in NOT_WRITTEN]


@cache
def certified(name):
    found = load_spec(EXAMPLES[name], ()).derive()
    return certificate(found.theorems, found)
