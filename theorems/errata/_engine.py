"""One composition problem in a line, for the corrected statements that the engine decides."""

from __future__ import annotations

from typing import Literal

from dpcomp_sym.derivation import Derivation, derive
from dpcomp_sym.engine import Structure, Verdict
from dpcomp_sym.model import Domain, InnerClass, Map, Part, Problem, library_granularity

__all__ = ["blocks_that_change", "bound_of", "derived", "posed"]


def posed(
    granularity: str,
    mapping: Map,
    setting: Literal["separate", "common"],
    domain: Domain | None = None,
    inner: InnerClass | None = None,
) -> Problem:
    """Pose the composition of one mechanism for each block of a map, over tables of records."""
    tables = domain or Domain({"id": "Record"})
    return Problem(
        tables, library_granularity(granularity), [mapping],
        [Part("part", mapping.name, setting=setting, inner=inner)],
    )  # fmt: skip


def derived(
    granularity: str,
    mapping: Map,
    setting: Literal["separate", "common"],
    domain: Domain | None = None,
) -> Derivation:
    """Derive what such a composition guarantees."""
    return derive(posed(granularity, mapping, setting, domain))


def bound_of(derivation: Derivation, notion: str) -> str:
    """Return the text of the bound in a notion, if the profile behind it is proved."""
    if derivation.verdict != "proved":
        return f"not proved: {derivation.verdict}"
    return next(b.text for b in derivation.bounds if b.notion == notion)


def blocks_that_change(granularity: str, mapping: Map, most: int) -> Verdict:
    """Decide whether at most ``most`` blocks of the map change between neighbours."""
    problem = posed(granularity, mapping, "common")
    return Structure(problem).compatible(problem.bound_maps[mapping.name], most)
