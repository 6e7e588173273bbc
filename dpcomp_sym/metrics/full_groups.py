"""Classes whose records fill every group of a limit: tables and lists without gaps.

If at most m records share a key, the numbers of a key lie between ends, and there are at least m
times as many records as there are keys between them, then m records have each of these keys:
with fewer for one of them there would be fewer records in all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from dpcomp_sym.metrics.totals import ANY_PAIR, RESOURCES, CellCount, Counted, Ledger
from dpcomp_sym.model import Domain
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import GroundCell, Signature
from dpcomp_sym.terms import INT, Term, free_variables, subterms
from dpcomp_sym.terms.term import integer

__all__ = ["FullGroups", "attempts", "full_groups", "parts_of", "say_full"]

MOST_ENDS: Final = 3
"""So many ends of a number are looked at, from each side."""

Ends = tuple[Term, Term]
"""The least and the largest value that a number takes."""


@dataclass(frozen=True)
class FullGroups:
    """The groups of a limit, each of which holds all that it may: the ends of the keys."""

    key: Term
    most: Term
    ends: tuple[Ends, ...]

    def held(self, query: Query, key: GroundCell, size: Any) -> Any:
        """Return how many records of a database of some size have a key."""
        sized = {"D": (None, lambda: size)}
        inside = [
            logic.And(query.read(low, {}, sized) <= value, value <= query.read(high, {}, sized))
            for value, (low, high) in zip(key, self.ends, strict=True)
        ]
        return logic.If(logic.And(*inside), query.read(self.most), logic.IntVal(0))

    @property
    def parts(self) -> tuple[Term, ...]:
        """The numbers of a key."""
        return parts_of(self.key)

    def last(self, query: Query, part: Term, size: Any) -> Any | None:
        """Return the largest value of a number, where there are records; None if no key has it."""
        if part not in self.parts:
            return None
        high = self.ends[self.parts.index(part)][1]
        return query.read(high, {}, {"D": (None, lambda: size)})


@cache
def full_groups(domain: Domain) -> tuple[FullGroups, ...]:
    """Return the limits of a class whose groups are provably full.

    >>> table = Domain({"row": "int", "val": "Value"}, symbols={"R": "R >= 1"},
    ...                cell="1 <= row(c) and row(c) <= R", limits=[("row(c)", 1)],
    ...                size="size(D) == R")
    >>> len(full_groups(table))  # each row from 1 to R has a record
    1
    >>> full_groups(Domain({"row": "int", "val": "Value"}, limits=[("row(c)", 1)]))
    ()
    """
    return tuple(
        found for key, most in domain.limit_terms if (found := _full(domain, key, most)) is not None
    )


def attempts(domain: Domain) -> tuple[bool, ...]:
    """Return whether questions say what limits groups, in turn: most proofs do not need it.

    Facts on all cells at hand make a question several times as dear.  Where the class has a size,
    groups may be full: what is in one follows from what is in others, and proofs need it.

    >>> attempts(Domain({"id": "Record"}))
    (True,)
    >>> attempts(Domain({"id": "Record", "owner": "Owner"}, limits=[("owner(c)", 2)]))
    (False, True)
    """
    return (False, True) if domain.limited and not _sized(domain) else (True,)


def _sized(domain: Domain) -> bool:
    return bool(domain.size) or uses_size(*domain.fact_terms)


def say_full(ledger: Ledger, pair: Pair, *others: tuple[CellCount, Any]) -> None:
    """Say that neighbours, and other databases of some sizes, hold all that they may with a key.

    The facts are about the keys of the cells that the edit names.
    """
    for full in full_groups(pair.domain):
        keys, key = ledger.keys([full.key]), [full.key]
        at = pair.points if pair.edit.frame is None else None

        def filled(held: Any, size: Any, value: GroundCell, full: FullGroups = full) -> None:
            ledger.query.add(held(*value) == full.held(ledger.query, value, size))

        first = ledger.group(key, pair.old, "full")
        beside = Counted(None, pair.old, first, at)
        second = ledger.group(key, pair.new, "full", beside)
        ends = [(first, pair.size_old), (second, pair.size_new)]
        ends += [(ledger.group(key, database, "full"), size) for database, size in others]
        for held, size in ends:
            keys.for_all(partial(filled, held, size))
        for point in pair.points:
            keys.register(keys.of(point))


def _full(domain: Domain, key: Term, most: Term) -> FullGroups | None:
    parts = parts_of(key)
    if not _sized(domain) or any(part.sort != INT for part in parts):
        return None
    options = [list(itertools.islice(_ends(domain, part), MOST_ENDS**2)) for part in parts]
    if not all(options):
        return None
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    size = Pair(query, ANY_PAIR, ()).size_old
    read: Mapping[str, Any] = {"D": (None, lambda: size)}
    for ends in itertools.islice(itertools.product(*options), MOST_ENDS**2):
        room, wrong = query.read(most), [query.read(most) < 1]
        for low, high in ends:
            width = query.read(high, {}, read) - query.read(low, {}, read) + 1
            wrong.append(width < 0)
            room = room * logic.simplify(width)
        if query.check(logic.Or(*wrong, size < room)) == logic.unsat:
            return FullGroups(key, most, tuple(ends))
    return None


def parts_of(*keys: Term) -> tuple[Term, ...]:
    """Return the parts of keys, of which some may be tuples."""
    return tuple(p for key in keys for p in (key.terms if key.op == "tuple" else (key,)))


def _ends(domain: Domain, part: Term) -> Iterator[Ends]:
    """Yield values between which those of all records lie, of the terms that the class names."""
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    pair = Pair(query, ANY_PAIR, ())
    cell = query.cell("z")
    query.add(pair.old(cell) >= 1)
    value = query.read(part, {"c": cell})
    databases = {"D": (pair.old, lambda: pair.size_old)}

    def read(end: Term) -> Any:
        return query.read(end, {}, databases)

    def ends(sign: int) -> list[Term]:
        """Return the least ends above, or the largest below, of those that are ends."""
        found: list[Term] = []
        for end in _named(domain):
            if query.check(sign * (value - read(end)) > 0) != logic.unsat:
                continue
            wider = [
                t for t in found if query.check(sign * (read(end) - read(t)) > 0) == logic.unsat
            ]
            if wider or all(
                query.check(sign * (read(t) - read(end)) > 0) != logic.unsat for t in found
            ):
                found = [*(t for t in found if t not in wider), end]
        return found[:MOST_ENDS]

    yield from itertools.product(ends(-1), ends(1))


def _named(domain: Domain) -> Sequence[Term]:
    """Return the numbers that the class names, but for those of single cells."""
    said = (domain.cell_term, *domain.fact_terms, *domain.size_terms)
    found = dict.fromkeys(
        t
        for term in said
        for t in subterms(term)
        if t.sort == INT
        and free_variables(t) <= domain.symbols.keys()
        and not any(s.op == "at" for s in subterms(t))
    )
    return list(dict.fromkeys(_beside(t, n) for n in (-1, 0, 1) for t in found))


def _beside(term: Term, number: int) -> Term:
    """Return a term plus a number."""
    if term.op == "int" or not number:
        return integer(term.number + number) if number else term
    return Term("add" if number > 0 else "sub", (term, integer(abs(number))), INT)
