"""How many records the frame of an edit holds, and how far an edit leads at most."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from dpcomp_sym.engine.counterexample import Demand, FoundPair, found_in
from dpcomp_sym.metrics.counting_terms import BoundForm
from dpcomp_sym.metrics.full_groups import attempts, say_full
from dpcomp_sym.metrics.totals import ANY_PAIR, RESOURCES, Ledger
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import INT, TRUE, Term, variable
from dpcomp_sym.terms.term import integer

__all__ = [
    "Room",
    "capacities",
    "keeps_limit",
    "most_between_neighbours",
    "neighbours_beyond",
    "never_larger",
]

ONE: Final = integer(1)
MOST_WIDTH: Final = 8
MOST_SUMS: Final = 3
FEW: Final = 2
"""So many records of a kind, and so large symbols, are asked for first."""


def keeps_limit(held: Any, most: Any) -> Any:
    """Say that a group keeps its limit; a group without records does."""
    return logic.Or(held <= most, held == 0)


def most_between_neighbours(
    granularity: BoundGranularity, edit: BoundEdit, form: BoundForm, most: int | Term
) -> bool:
    """Prove that a form is at most so large between databases that an edit links.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> bounded = library_granularity("bounded").bind(domain)
    >>> form = ClosedForm("sum(abs(D[c] - E[c]))").bind(domain)
    >>> [most_between_neighbours(bounded, bounded.edits[0], form, n) for n in (1, 2)]
    [False, True]
    """
    return _between(granularity.domain, edit, form, most).proved is True


def neighbours_beyond(
    granularity: BoundGranularity, edit: BoundEdit, form: BoundForm, most: int
) -> Iterator[FoundPair]:
    """Yield databases that an edit links, and between which a form is larger, if some are found.

    They are models of the solver, the first one it finds and some with few records: the evaluator
    is to confirm them.
    """
    asked = _between(granularity.domain, edit, form, most)
    if asked.proved is not False:
        return
    query, pair = asked.ledger.query, asked.pair
    yield found_in(query, pair, Demand([], []))
    few = [side(cell) <= FEW for cell in query.cells for side in (pair.old, pair.new)]
    few += [symbol <= FEW for symbol in query.symbols.values()]
    sorts = granularity.domain.attribute_sorts.values()
    low = [v <= FEW for c in query.cells for v, s in zip(c, sorts, strict=True) if s == INT]
    ways: tuple[list[Any], ...] = ([*few, *low], few)
    for way in ways:
        found = asked.ledger.check(*way) == logic.sat
        if found and pair.keeps_limits(asked.ledger.model):  # which the question may leave out
            yield found_in(query, pair, Demand([], []))


def _between(domain: Domain, edit: BoundEdit, form: BoundForm, most: int | Term) -> _Between:
    """Return the first attempt that decides the question, or the last one."""
    *first, last = attempts(domain)
    for limited in first:
        asked = _Between(domain, edit, form, most, limited=limited)
        if asked.proved is not None:
            return asked
    return _Between(domain, edit, form, most, limited=last)


class _Between:
    """The question whether a form is larger than a number for some databases that an edit links.

    ``proved``: it is for none; False if the solver knows some of the class, None if it stays open.
    """

    def __init__(
        self, domain: Domain, edit: BoundEdit, form: BoundForm, most: int | Term, *, limited: bool
    ) -> None:
        query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
        self.ledger = ledger = Ledger(query)
        ledger.allow(RESOURCES)
        self.pair = pair = Pair(query, edit, (), limited=limited)
        if domain.size or uses_size(*edit.terms, *domain.fact_terms):
            ledger.size(pair.old, pair.size_old)
            ledger.size(pair.new, pair.size_new)
        say_full(ledger, pair)
        # E beside D: the form is 0 of equal databases, and an edit with points changes little.
        finite, value = ledger.read(form, pair.old, pair.new)
        _limited(ledger, pair, form)
        bound = most if isinstance(most, int) else query.read(most)
        query.add(logic.Or(logic.Not(finite), value > bound))
        answer = ledger.check()
        self.proved: bool | None = True if answer == logic.unsat else None
        if answer == logic.sat and pair.keeps_limits(ledger.model):
            self.proved = False


@dataclass(frozen=True)
class Room:
    """How many records there can be in a frame: at most ``most`` in each of ``width`` groups."""

    most: Term
    widths: tuple[tuple[Term, Term], ...]
    """The parts of the key that take several values there, with how many."""

    @property
    def size(self) -> Term:
        """The number of records."""
        factors = [t for t in (self.most, *(w for _, w in self.widths)) if t != ONE]
        return reduce(lambda a, b: Term("mul", (a, b), INT), factors or [ONE])


def capacities(domain: Domain, edit: BoundEdit) -> list[Room]:
    """Return how many records there can be in the frame of an edit, for each limit that says it.

    A limit holds in each group.  There is one group in the frame if all its cells have the same
    key, and there are w times as many if a number of the key takes at most w values there.

    >>> from dpcomp_sym.model import library_granularity
    >>> from dpcomp_sym.terms import to_text
    >>> signs = {"w": "w >= 1", "m": "m >= 1"}
    >>> domain = Domain({"id": "R", "day": "int"}, symbols=signs, limits=[("day(c)", "m")])
    >>> days = library_granularity("w_event", time="day", length="w").bind(domain)
    >>> [to_text(room.size) for room in capacities(domain, days.edits[0])]
    ['m*w']
    """
    found = []
    for key, most in domain.limit_terms:
        parts = key.terms if key.op == "tuple" else (key,)
        widths = [(part, _width(domain, edit, part)) for part in parts]
        known = tuple((part, width) for part, width in widths if width is not None)
        if len(known) == len(widths):
            found.append(Room(most, tuple((p, w) for p, w in known if w != ONE)))
    return found


def _width(domain: Domain, edit: BoundEdit, part: Term) -> Term | None:
    """Return how many values a term takes in the frame of an edit, if it is found."""
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    params = {name: query.fresh(sort, name) for name, sort in edit.params}
    cells = query.cell("a"), query.cell("b")
    query.add(*[query.read(edit.frame or TRUE, {**params, "c": c}) for c in cells])
    query.add(*[query.read(domain.cell_term, {"c": c}) for c in cells])
    first, second = (query.read(part, {"c": c}) for c in cells)
    if query.check(logic.Not(equal(first, second))) == logic.unsat:
        return ONE
    few = next(_limited_values(domain, edit, part), None)
    if few is not None or part.sort != INT:
        return few
    symbols = [variable(name, INT) for name in sorted(domain.symbols)]
    numbers = [integer(n) for n in range(2, MOST_WIDTH + 1)]
    around = [Term("sub", (s, ONE), INT) for s in symbols], symbols, [
        Term("add", (s, integer(n)), INT) for n in (1, 2) for s in symbols
    ]  # fmt: skip
    for width in (*numbers, *itertools.chain(*around)):
        if query.check(first - second >= query.read(width)) == logic.unsat:
            return width
    return None


def _limited_values(domain: Domain, edit: BoundEdit, part: Term) -> Iterator[Term]:
    """Yield how many values of a term limits on distinct values allow a database in a frame.

    Records of the frame share what the limit is for each of, and the value that it counts tells
    that of the term.
    """
    for of, each, most in domain.distinct_terms:
        query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
        params = {name: query.fresh(sort, name) for name, sort in edit.params}
        cells = query.cell("a"), query.cell("b")
        query.add(*[query.read(edit.frame or TRUE, {**params, "c": c}) for c in cells])

        def alike(term: Term, query: Query = query, cells: Any = cells) -> Any:
            return equal(*(query.read(term, {"c": c}) for c in cells))

        query.add(logic.Or(logic.Not(alike(each)), logic.And(alike(of), logic.Not(alike(part)))))
        if query.check() == logic.unsat:
            yield most


def never_larger(small: BoundForm, large: BoundForm) -> bool:
    """Prove that one form is at most another one for all databases of their class.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> domain = Domain({"id": "Record"})
    >>> texts = "abs(size(D) - size(E))", "sum(abs(D[c] - E[c]))"
    >>> size, change = (ClosedForm(text).bind(domain) for text in texts)
    >>> never_larger(size, change), never_larger(change, size)
    (True, False)
    """
    domain = small.domain
    if not (small.separable and large.separable):
        return False
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    ledger = Ledger(query)
    pair = Pair(query, ANY_PAIR, ())
    (defined, low), (finite, high) = (ledger.read(f, pair.old, pair.new) for f in (small, large))
    counts = [
        ledger.counted(one, pair.old, pair.new)
        for one in (*small.aggregates, *large.aggregates)
        if one.kind == "sum"
    ]
    ledger.combine(list({id(c): c for c in counts}.values())[:MOST_SUMS])
    query.add(finite, logic.Or(logic.Not(defined), low > high))
    return bool(ledger.check() == logic.unsat)


def _limited(ledger: Ledger, pair: Pair, form: BoundForm) -> None:
    """Compare the sums of a form with how many records there can be in the frame, or in all.

    If the cells of the frame lie in few groups with a limit, a term that is at most what D, or E,
    or both hold there adds up to at most what they hold in the groups; so it does with all records.
    Where the frame has no cell, D is E, at which the form is 0; so one cell of it is named.
    """
    query, frame, domain = ledger.query, pair.edit.frame, pair.domain
    if frame is None or not (domain.limits or domain.size):
        return
    first, anywhere = query.cell("z"), query.cell("any")
    query.add(query.read(frame, {**pair.params, "c": first}))
    sides = (pair.old, pair.new)
    groups = []
    if domain.size:
        sizes = (pair.size_old, pair.size_new)
        groups.append([(n, side(anywhere)) for n, side in zip(sizes, sides, strict=True)])
        for one in form.aggregates:
            if one.kind == "same" and not one.keys:
                balance = ledger.counted(one, pair.old, pair.new).groups()
                query.add(balance == pair.size_old - pair.size_new)
    for room in capacities(domain, pair.edit):
        held = [query.fresh(INT, "held") for _ in sides]
        query.add(*[n >= 0 for n in held], *[keeps_limit(n, query.read(room.size)) for n in held])
        inside = query.read(frame, {**pair.params, "c": anywhere})
        groups.append([
            (n, logic.If(inside, side(anywhere), 0)) for n, side in zip(held, sides, strict=True)
        ])  # fmt: skip
    for group, one in itertools.product(groups, form.aggregates):
        if one.kind != "sum":
            continue
        count = ledger.counted(one, pair.old, pair.new)
        for chosen in (group[:1], group[1:], group):
            least = sum((term for _, term in chosen), logic.IntVal(0))
            if query.check(count.term(anywhere) > least) == logic.unsat:
                query.add(count.value <= sum((n for n, _ in chosen), logic.IntVal(0)))
