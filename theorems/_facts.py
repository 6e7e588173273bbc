"""Structural facts about concrete granularities and maps, from the engine."""

from __future__ import annotations

import hashlib
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.engine import Proved, Structure, Verdict
from dpcomp_sym.model import (
    Domain,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from theorems._entry import Fallen

__all__ = ["compatible", "fact", "posed", "records", "sensitive", "within_one_block"]


def records(**more: Any) -> Domain:
    """Return the class of all databases over any universe of records."""
    return Domain({"id": "Record"}, **more)


def posed(
    granularity: str | Granularity,
    mapping: str | Map,
    setting: Any = "separate",
    domain: Domain | None = None,
    inner: InnerClass | None = None,
    **arguments: Any,
) -> Structure:
    """Pose one mechanism for each block of a map."""
    if isinstance(granularity, str):
        granularity = library_granularity(granularity)
    if isinstance(mapping, str):
        mapping = library_map(mapping, name="p", **arguments)
    part = Part("M", mapping.name, setting=setting, inner=inner)
    return Structure(Problem(domain or records(), granularity, [mapping], [part]))


def compatible(structure: Structure, most: int = 1) -> Verdict:
    """Decide whether at most so many blocks change (1: condition C1)."""
    (part,) = structure.problem.bound_parts
    return structure.compatible(part.map, most)


def sensitive(structure: Structure) -> Verdict:
    """Decide whether the part sees neighbours at distance at most 1 in its class (C2)."""
    (part,) = structure.problem.bound_parts
    return structure.sensitivity(part)


def within_one_block(structure: Structure) -> Verdict:
    """Decide whether every record lies in at most one block."""
    (part,) = structure.problem.bound_parts
    return structure.disjoint(part.map)


def fact(verdict: Verdict, statement: k.Statement, what: str) -> k.Theorem:
    """Make what the engine has proved a leaf of a derivation.

    Raises:
        Fallen: the engine has not proved it.
    """
    if not isinstance(verdict, Proved):
        raise Fallen(f"not proved by the engine: {what} ({type(verdict).__name__})")
    scripts = "\n".join(written() for written in verdict.scripts)
    digest = hashlib.sha256(scripts.encode()).hexdigest()[:16]
    return k.oracle(statement, "smt", f"{what}, {len(verdict.scripts)} queries, {digest}")
