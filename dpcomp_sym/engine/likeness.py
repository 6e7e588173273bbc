"""Maps and parts that differ in nothing but names: what is found of one is true of all like it.

A map's own functions stand for any functions with its facts.  Two maps that become the same when
their own functions are numbered are each other's renaming, and so is every question about one of
them and the class.  Their names do not matter: two maps of one name in two places may be unlike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from dpcomp_sym.engine.verdict import Counterexample
from dpcomp_sym.finite import World
from dpcomp_sym.model import BoundMap, BoundPart, Problem
from dpcomp_sym.terms import Term, subterms

__all__ = ["Likeness", "form", "told_of"]

T = TypeVar("T")


def form(mapping: BoundMap) -> Hashable:
    """Return what a map is without its name: its own functions are numbered as they occur.

    >>> from dpcomp_sym.model import Domain, library_map
    >>> domain = Domain({"id": "Record"})
    >>> one, other, third = (library_map(use, name=name).bind(domain) for use, name in (
    ...     ("partition", "a"), ("partition", "b"), ("partial_partition", "c")))
    >>> form(one) == form(other), form(one) == form(third)
    (True, False)
    """
    numbers = {name: f"{n}." for n, name in enumerate(_own(mapping))}

    def numbered(term: Term) -> Term:
        args = tuple(numbered(a) if isinstance(a, Term) else a for a in term.args)
        if term.op == "apply" and term.name in numbers:
            args = (numbers[term.name], *args[1:])
        return Term(term.op, args, term.sort)

    return (
        mapping.indices, numbered(mapping.member), tuple(map(numbered, mapping.facts)),
        mapping.multiplicity,
        None if mapping.image is None else tuple((a, numbered(t)) for a, t in mapping.image),
        tuple(mapping.functions[name] for name in numbers),
    )  # fmt: skip


def _own(mapping: BoundMap) -> list[str]:
    """Return the map's own functions that its formulas read, in the order in which they do."""
    read = (mapping.member, *mapping.facts, *(t for _, t in mapping.image or ()))
    names = (t.name for term in read for t in subterms(term) if t.op == "apply")
    return [name for name in dict.fromkeys(names) if name in mapping.functions]


class Likeness:
    """Which maps and parts of a problem are alike.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> maps = [library_map("partition", name=name) for name in ("a", "b")]
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"), maps,
    ...     [Part(m.name, m.name) for m in maps])
    >>> likeness = Likeness(problem)
    >>> [likeness.map(m).name for m in problem.used_maps.values()]
    ['a', 'a']
    >>> [likeness.part(p).name for p in problem.bound_parts]
    ['a', 'a']
    """

    def __init__(self, problem: Problem) -> None:
        self._forms: dict[str, tuple[BoundMap, Hashable]] = {}
        self._firsts: dict[Hashable, BoundMap] = {}
        self._parts: dict[str, tuple[BoundPart, BoundPart]] = {}
        self._kinds: dict[Hashable, list[BoundPart]] = {}
        for part in problem.bound_parts:
            self.part(part)

    def form(self, mapping: BoundMap) -> Hashable:
        """Return the map without its name."""
        known = self._forms.get(mapping.name)
        if known is None or known[0] is not mapping:
            known = self._forms[mapping.name] = (mapping, form(mapping))
        return known[1]

    def map(self, mapping: BoundMap) -> BoundMap:
        """Return the first map that is like this one."""
        return self._firsts.setdefault(self.form(mapping), mapping)

    def part(self, part: BoundPart) -> BoundPart:
        """Return the first part that reads such a map and sees such distances as this one.

        Which guarantees its mechanism has does not matter.
        """
        known = self._parts.get(part.name)
        if known is None or known[0] is not part:
            kind = (self.form(part.map), part.setting, part.granularity.edits)
            alike = self._kinds.setdefault(kind, [])
            first = next((p for p in alike if _sees_as(p, part)), part)
            if first is part:
                alike.append(part)
            known = self._parts[part.name] = (part, first)
        return known[1]


def _sees_as(one: BoundPart, other: BoundPart) -> bool:
    return (
        one.domain == other.domain
        and one.granularity.domain == other.granularity.domain
        and one.granularity.directed == other.granularity.directed
        and one.same_granularity == other.same_granularity
        and one.default_class == other.default_class
    )


def told_of(example: Counterexample, first: BoundMap, others: Iterable[BoundMap]) -> World:
    """Return a counterexample's world in which other maps have the labels of the first one.

    The evaluator decides, as always, whether it is a counterexample for them.
    """
    world = example.world
    of = {n: f for m in others for n, f in zip(_own(m), _own(first), strict=True)}

    def copied(table: Mapping[str, T]) -> dict[str, T]:
        return {**table, **{n: table[f] for n, f in of.items() if f in table}}

    return replace(world, functions=copied(world.functions), defaults=copied(world.defaults))
