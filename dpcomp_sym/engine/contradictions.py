"""Specs that contradict themselves: no databases, no edits, or labels that overlap."""

from __future__ import annotations

from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Refuted
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.smt import logic
from dpcomp_sym.terms import TRUE, Term

__all__ = ["check_input"]


def check_input(structure: Structure) -> None:
    """Refuse a spec that cannot be meant.

    Raises:
        InputError: the class is empty, an edit can never change anything, or the labels of
            something called a partition overlap.
    """
    structure.once("input", find=lambda: _check_input(structure))


def _check_input(structure: Structure) -> None:
    domain = structure.problem.domain
    idle = BoundEdit((), TRUE, (), Term("bool", (False,), "bool"))
    empty = structure.pair(idle, whole=True)
    if empty.query.check() == logic.unsat:
        facts = "; ".join([*domain.size, *domain.symbols.values()])
        msg = f"no database satisfies the size and symbol facts ({facts}): they contradict"
        raise InputError(msg, where="domain", word=domain.size[0] if domain.size else "symbols")
    # With numbers for symbols an edit may well be impossible: that is a vacuous answer.
    fixed = [
        i for i in map(structure.numbers, domain.symbols) if i.low is not None and i.low == i.high
    ]
    for number, edit in enumerate(() if fixed else structure.edits, 1):
        pair = structure.pair(edit, sizes=False, whole=True)
        pair.differ()
        if pair.query.check() == logic.unsat:
            msg = (
                f"edit {number} can never change a database of this class: its guard "
                "contradicts itself, the domain, or the change"
            )
            name = structure.problem.granularity.name
            raise InputError(msg, where=f"granularity '{name}'", word="guard")
    for mapping in structure.problem.maps:
        if mapping.partition:
            _check_partition(structure, structure.problem.bound_maps[mapping.name])


def _check_partition(structure: Structure, mapping: BoundMap) -> None:
    verdict = structure.disjoint(mapping)
    if isinstance(verdict, Refuted):
        world = verdict.counterexample.world
        held_somewhere = {**verdict.counterexample.old, **verdict.counterexample.new}
        cell = max(
            held_somewhere,
            key=lambda c: len(verdict.counterexample.holding(c, {mapping.name: mapping})),
        )
        held = verdict.counterexample.holding(cell, {mapping.name: mapping})
        values = ", ".join(f"{a} = {v}" for a, v in zip(world.domain.attributes, cell, strict=True))
        msg = (
            f"it is called a partition, but its labels overlap: the record ({values}) lies "
            f"in {' and '.join(held)}; use a cover, or labels that exclude each other"
        )
        raise InputError(msg, where=f"map '{mapping.name}'", word=mapping.name)
