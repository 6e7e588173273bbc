"""Whether the blocks of a map can be renumbered because values of one function can be renamed.

A map's own labels can be renamed, since nothing else reads them.  Those that the class declares,
functions and attributes of sort int, are read by guards, facts and other maps as well.  Where all
of these only compare such values with each other, as in ``city(x) == city(y)``, a permutation of
the values makes neighbours of neighbours, at the same distances, and permutes the blocks
``city(c) == i``.

Where a map looks its index up in functions of its own, and nowhere else, as in ``node(c) ==
centre(i)``, other functions with the values in another order give the blocks in that order.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.engine.records import components
from dpcomp_sym.model import BoundMap, Problem
from dpcomp_sym.model.domain import Domain
from dpcomp_sym.terms import CELL, INT, Term, conjuncts, subterms

__all__ = ["keys", "looked_up", "values_can_be_renamed"]


def looked_up(mapping: BoundMap) -> frozenset[str]:
    """Return the functions of a map in which alone it looks its index up; empty if it does more.

    >>> from dpcomp_sym.model import Domain, Map
    >>> network = Domain({"node": "Node"}, {"linked": (["Node", "Node"], "bool")})
    >>> member = "node(c) == centre(i) or linked(node(c), centre(i))"
    >>> of = {"centre": (["int"], "Node")}
    >>> sorted(looked_up(Map("all", member, {"i": "k"}, of).bind(network)))
    ['all.centre']
    >>> sorted(looked_up(Map("all", f"({member}) and i <= 3", {"i": "k"}, of).bind(network)))
    []
    """
    if len(mapping.indices) != 1 or mapping.image is not None:
        return frozenset()
    (index, _), = mapping.indices  # fmt: skip
    found: dict[str, set[tuple[bool, ...]]] = {}
    waiting = [mapping.member]
    while waiting:
        term = waiting.pop()
        if _is(term, index):
            return frozenset()
        inside = list(term.terms)
        if term.op == "apply" and term.name in mapping.functions:
            places = tuple(_is(t, index) for t in inside)
            found.setdefault(term.name, set()).add(places)
            inside = [t for t, here in zip(inside, places, strict=True) if not here]
        waiting += inside
    chosen = {name for name, ways in found.items() if any(any(way) for way in ways)}
    read = {t.name for fact in mapping.facts for t in subterms(fact) if t.op == "apply"}
    if any(len(found[name]) > 1 or name in read for name in chosen):
        return frozenset()
    return frozenset(chosen)


def values_can_be_renamed(problem: Problem, mapping: BoundMap) -> bool:
    """Return whether a problem stays the same when the blocks of a map are permuted.

    Asked of families with one index, whose blocks hold what has ``f(…) == i``, perhaps with more
    conditions.

    Args:
        problem: the whole problem: each formula of it must treat all values of ``f`` alike.
        mapping: the map, which one of its parts reads.
    """
    if len(mapping.indices) != 1:
        return False
    (index, _), = mapping.indices  # fmt: skip
    labels = {r for t in conjuncts(mapping.member) if (r := _label(t, index)) is not None}
    if len(labels) != 1:
        return False
    (label,) = labels
    if label[0] == "attr" and any(m.image is not None for m in problem.used_maps.values()):
        return False  # the attributes of an image are others
    if not _treated_alike(mapping.member, label, index):
        return False
    whole = [*problem.formulas(beside=mapping.name)]
    for key in keys(problem):  # records share its value, which is a comparison
        whole += key.terms if _reads(key, label) else (key,)
    return all(_treated_alike(term, label, None) for term in whole)


def _label(term: Term, index: str) -> tuple[str, str] | None:
    """Return the function that an equation compares with the index."""
    if term.op != "eq":
        return None
    left, right = term.terms
    if left.op == "var" and left.name == index:
        left, right = right, left
    if right.op == "var" and right.name == index and left.op in ("apply", "attr"):
        return left.op, left.name
    return None


def _treated_alike(term: Term, label: tuple[str, str], index: str | None) -> bool:
    """Return whether a formula reads a function only to compare its values with each other."""
    if term.op == "tuple" and term.sort == CELL and label[0] == "attr":
        return False  # a cell that is written down has a value in the attribute's place
    if term.op == "var" and term.name == index:
        return False
    if _reads(term, label):
        return False
    inside = term.terms
    if term.op in ("eq", "ne") and inside[0].sort == INT:
        values = [_reads(t, label) or _is(t, index) for t in inside]
        if all(values) and any(_reads(t, label) for t in inside):
            inside = tuple(a for t in inside for a in t.terms)
    return all(_treated_alike(t, label, index) for t in inside)


def _is(term: Term, index: str | None) -> bool:
    return term.op == "var" and term.name == index


def _reads(term: Term, label: tuple[str, str]) -> bool:
    return term.op == label[0] and term.name == label[1]


def keys(problem: Problem) -> Iterator[Term]:
    """Yield what records are counted by, in all classes."""
    for domain in _classes(problem):
        keys = [key for key, _ in domain.limit_terms]
        keys += [key for limit in domain.distinct_terms for key in (limit.of, limit.each)]
        for key in keys:
            yield from components(key)


def _classes(problem: Problem) -> Iterator[Domain]:
    yield problem.domain
    yield problem.outer.domain
    for part in problem.bound_parts:
        yield part.domain
        yield part.granularity.domain
