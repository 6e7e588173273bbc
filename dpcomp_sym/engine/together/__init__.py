"""Which blocks change together: where the number of a block means a time, a place or a node.

:mod:`integers` solves conditions for an integer, :mod:`find` makes conditions of edits and maps,
:mod:`attain` shows that all blocks with a condition do change at once; here it is put together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpcomp_sym.engine.together.attain import attained
from dpcomp_sym.engine.together.find import TRUE, Condition, Finder
from dpcomp_sym.engine.together.integers import TooManyError
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import ALL, Count, Symbolic
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import INT, Term
from dpcomp_sym.terms.data import to_data_text

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Structured", "limited", "structured"]

MOST_COUNTED = 8


@dataclass(frozen=True)
class Structured:
    """Which blocks one edit changes together.

    ``terms`` are integers of the edit, in the words of the edit; they have ``facts``, and each
    block of a map that changes has the map's condition.  ``attained``: for all integers with the
    facts one pair of neighbours changes all blocks that have it, in all maps.
    """

    terms: tuple[Term, ...]
    facts: s.Predicate
    conditions: Mapping[str, s.Predicate]
    attained: bool

    @property
    def written(self) -> tuple[str, ...]:
        """The integers of the edit as plain data."""
        return tuple(map(to_data_text, self.terms))


def structured(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]
) -> Structured | None:
    """Return which blocks of some maps an edit changes together, None if nothing is known."""
    finder = Finder(structure, edit)
    found: dict[str, Condition] = {}
    try:
        for mapping in maps:
            if mapping.indices and not mapping.constant:
                of = finder.of_points if edit.frame is None else finder.of_frame
                condition = of(mapping)
                if condition is not None and condition.predicate != TRUE:
                    found[mapping.name] = condition
    except TooManyError:
        return None
    facts = finder.facts()
    proved = {
        m.name: found[m.name].predicate
        for m in maps
        if m.name in found and _holds(structure, finder, m, found[m.name].predicate)
    }
    if not any(_names_a_block(p) for p in proved.values()):
        return None
    if not _facts_hold(structure, finder, facts):
        facts = TRUE
    everything = [(m, found.get(m.name)) for m in maps]
    whole = all(m.name in proved for m in maps)
    return Structured(
        tuple(map(finder.named, finder.letters)), facts, proved,
        whole and attained(structure, finder, everything, facts),
    )  # fmt: skip


def _names_a_block(p: s.Predicate) -> bool:
    return any(isinstance(x, s.Index) for x in s.subterms(p))


def _holds(structure: Structure, finder: Finder, mapping: BoundMap, p: s.Predicate) -> bool:
    """Prove that a block that the edit changes has a condition."""
    pair = structure.pair(finder.edit)
    block = pair.index(mapping)
    pair.view(mapping, block).changed()
    asked = finder.asked(pair.query, pair.params, block)
    pair.query.add(logic.Not(asked.holds(p)))
    return structure.unsat(pair.query)


def _facts_hold(structure: Structure, finder: Finder, facts: s.Predicate) -> bool:
    """Prove that the integers of the edit have some facts."""
    pair = structure.pair(finder.edit)
    pair.query.add(logic.Not(finder.asked(pair.query, pair.params, ()).holds(facts)))
    return facts == TRUE or structure.unsat(pair.query)


def limited(structure: Structure, found: Structured, mapping: BoundMap, count: Count) -> bool:
    """Return whether no more than so many blocks of a map have their condition, for any integers.

    Then the condition says more than the number does.
    """
    condition = found.conditions.get(mapping.name)
    if count == ALL or condition is None:
        return count == ALL
    if isinstance(count, int) and count > MOST_COUNTED:
        return False
    from dpcomp_sym.engine.together.asking import Asked

    pair = structure.pair(structure.edits[0])
    query = pair.query.beside()
    for fact in structure.problem.symbols.values():
        query.add(query.read(fact))
    letters = [query.fresh(INT, "p") for _ in found.terms]
    query.add(Asked(query.symbols, letters).holds(found.facts))
    many = count + 1 if isinstance(count, int) else 2
    blocks = [[query.fresh(INT, "i") for _ in mapping.indices] for _ in range(many)]
    for n, block in enumerate(blocks):
        query.add(Asked(query.symbols, letters, block).holds(condition))
        if isinstance(count, int):
            query.add(*[logic.Not(equal(tuple(block), tuple(b))) for b in blocks[:n]])
    if isinstance(count, Symbolic):
        if len(mapping.indices) != 1:
            return False
        (first,), (second,) = blocks
        query.add(second - first >= query.symbols[count.symbol] * count.factor)
    return structure.unsat(query)
