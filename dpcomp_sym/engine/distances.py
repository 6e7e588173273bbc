"""Exact distances between two concrete databases, from below and from above.

From above: a path of edits, found by the evaluator.  From below: an invariant that every edit
keeps (proved once for the granularity) gives infinity; the largest steps that an edit can make
give numbers; and where no single edit fits, the distance is at least 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.finite.world import MOST_INTEGERS, difference
from dpcomp_sym.model import BoundEdit, BoundGranularity, BoundPart, Domain, Universe
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.query import Signature, equal, unequal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    TRUE,
    Term,
    evaluate,
    free_variables,
    reads_database,
    specialised,
    substitute,
    subterms,
    to_text,
)
from dpcomp_sym.terms.term import integer, variable

__all__ = [
    "Bracket", "Invariant", "bracket", "connected", "counts_records",
    "edits_a_record", "few_a_step", "from_below",
    "invariants", "no_single_edit", "one_by_one", "told_apart", "values_changed",
]  # fmt: skip

LONGEST: Final = 6
MOST_STEPS: Final = 24
COMES: Final = Term("eq", (variable("old", INT), integer(0)), BOOL)
"""The step of a cell that holds no records before."""
"""So long paths are looked for where that many edits are needed: each must then lead on."""


_ONE: Final = integer(1)


@dataclass(frozen=True)
class Invariant:
    """The number of records with each value of some terms over ``c``; no term: the size.

    Args:
        keys: the terms.
        weight: what a record counts, a number over ``c``.
        modulus: only the remainder after division by it is kept; 0: the number itself.
    """

    keys: tuple[Term, ...]
    weight: Term = _ONE
    modulus: int = 0

    def counts(self, world: World, domain: Domain, database: Database) -> dict[Any, int]:
        """Return the numbers that the edits cannot change."""
        found: dict[Any, int] = {}
        env = world.environment(domain)
        for cell, number in database.items():
            if number:
                env.variables["c"] = cell
                value = tuple(evaluate(k, env) for k in self.keys)
                found[value] = found.get(value, 0) + number * evaluate(self.weight, env)
        if self.plain:
            return found
        numbers = {k: n % self.modulus if self.modulus else n for k, n in found.items()}
        return {k: n for k, n in numbers.items() if n}

    @property
    def plain(self) -> bool:
        """Whether records are counted, each as one."""
        return self.weight == _ONE and not self.modulus

    def text(self) -> list[str]:
        """Return what is counted, in the words of specs."""
        said = [to_text(key) for key in self.keys]
        if self.weight != _ONE:
            said.append(f"weight {to_text(self.weight)}")
        return [*said, f"modulo {self.modulus}"] if self.modulus else said


@dataclass(frozen=True)
class Bracket:
    """``lower <= distance <= upper``; an upper bound of None was not found."""

    lower: int | Infinity
    upper: int | Infinity | None

    @property
    def exact(self) -> int | Infinity | None:
        """The distance, where the two bounds meet."""
        return self.lower if self.lower == self.upper else None

    def __str__(self) -> str:
        """Return the distance as text."""
        if self.exact is not None:
            return "infinite" if isinstance(self.exact, Infinity) else str(self.exact)
        return f"at least {self.lower}"


def _candidates(domain: Domain) -> list[Invariant]:
    cell = variable("c", CELL)
    attributes = [Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items()]
    found = [Invariant(())]
    for term in attributes:
        found.append(Invariant((term,)))
        for name, (arguments, result) in domain.signatures.items():
            if arguments == (term.sort,):
                found.append(Invariant((Term("apply", (name, term), result),)))
    for name, (arguments, result) in domain.signatures.items():
        if arguments == (CELL,):
            found.append(Invariant((Term("apply", (name, cell), result),)))
    if len(attributes) > 2:
        found += [Invariant(tuple(t for t in attributes if t is not left)) for left in attributes]
    return found


def _weighted(domain: Domain) -> list[Invariant]:
    """Return counts that edits of several records at once may keep: in pairs, or one for another.

    >>> [one.text() for one in _weighted(Domain({"id": "Order", "buys": "bool"}))]
    [['modulo 2'], ['weight 1 if buys(c) else -1']]
    """
    cell = variable("c", CELL)
    signs = [Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items() if s == BOOL]
    signs += [
        Term("apply", (name, cell), BOOL)
        for name, signature in domain.signatures.items() if signature == ((CELL,), BOOL)
    ]  # fmt: skip
    each = [Term("ite", (sign, _ONE, integer(-1)), INT) for sign in signs]
    return [Invariant((), modulus=2), *(Invariant((), weight) for weight in each)]


def invariants(granularity: BoundGranularity, signature: Signature) -> list[Invariant]:
    """Return the counts that provably no edit of the granularity changes.

    Attributes of one sort of which neither an edit nor the class speaks are alike: exchanging two
    of them changes no question, and what is kept of one is kept of the other.
    """
    domain, known = granularity.domain, dict[Hashable, bool]()
    read = (domain.cell_term, *(t for e in granularity.edits for t in e.terms))
    named = {t.name for term in read for t in subterms(term) if t.op == "attr"}
    sorts = {a: s for a, s in domain.attribute_sorts.items() if a not in named}

    def kept(invariant: Invariant) -> bool:
        plain = [t.name for t in invariant.keys if t.op == "attr"]
        kind: Hashable = invariant
        if invariant.plain and len(plain) == len(invariant.keys):
            # Counted by which of the named attributes, and by how many of each kind of the others.
            kind = (frozenset(named.intersection(plain)),
                    frozenset(Counter(sorts[a] for a in plain if a in sorts).items()))  # fmt: skip
        if kind not in known:
            known[kind] = _kept(invariant, granularity, signature)
        return known[kind]

    found = [c for c in _candidates(domain) if kept(c)]
    if Invariant(()) in found or any(map(_any_number, granularity.edits)):
        return found
    return found + [c for c in _weighted(domain) if kept(c)]


def _any_number(edit: BoundEdit) -> bool:
    """Return whether an edit changes one record, or any number: no weight is kept then."""
    deltas = [delta for _, delta in edit.change]
    return not deltas or (len(deltas) == 1 and deltas[0] in (_ONE, integer(-1)))


def _kept(invariant: Invariant, granularity: BoundGranularity, signature: Signature) -> bool:
    return all(_keeps(edit, invariant, granularity.domain, signature) for edit in granularity.edits)


def _keeps(edit: BoundEdit, invariant: Invariant, domain: Domain, outer: Signature) -> bool:
    """Decide by the solver whether one edit keeps the counts."""
    signature = Signature(domain, outer.signatures)
    query = Query(signature, {})
    query.symbols = {n: logic.Int(logic.path("s", n)) for n in domain.symbols}
    for fact in domain.symbol_terms.values():
        query.add(query.read(fact))
    sorts = [signature.sort(s) for s in domain.attribute_sorts.values()]
    db = logic.SolverFunction(logic.path("db", "A"), *sorts, logic.IntSort())

    def at(cell: Any) -> Any:
        return db(*cell) if cell else db()

    query.for_all_cells(lambda c: [at(c) >= 0, query.read(domain.cell_term, {"c": c})])
    params = {n: query.cell(n) if s == CELL else query.fresh(s, n) for n, s in edit.params}
    size = logic.Int(logic.path("size", "A"))
    databases = {"D": (at, lambda: size)}
    query.add(size >= 0, query.read(edit.guard, params, databases))
    if edit.frame is not None:
        cell = query.cell("z")
        old, new = at(cell), query.fresh(INT, "new")
        names = {**params, "c": cell}
        query.add(
            new >= 0, old != new, query.read(edit.frame, names),
            query.read(edit.step, {**names, "old": old, "new": new}, databases),
        )  # fmt: skip
        return bool(query.check() == logic.unsat)
    values = [query.fresh(k.sort, "v") for k in invariant.keys]
    total = logic.IntVal(0)
    for point, delta in edit.change:
        here = [query.read(k, {"c": params[point]}) for k in invariant.keys]
        same = logic.And(*[equal(a, b) for a, b in zip(here, values, strict=True)])
        weight = query.read(invariant.weight, {"c": params[point]})
        total = total + logic.If(same, query.read(delta, params, databases) * weight, 0)
    query.add(total % invariant.modulus != 0 if invariant.modulus else total != 0)
    return bool(query.check() == logic.unsat)


def told_apart(granularity: BoundGranularity, signature: Signature) -> Invariant | None:
    """Return terms of which all records that one edit changes have the same values; None: none.

    So two databases that differ at records with n values of them are at least n edits apart.
    """
    found = [
        keys.keys[0]
        for keys in _candidates(granularity.domain)
        if len(keys.keys) == 1
        and all(_of_one_value(e, keys.keys[0], granularity, signature) for e in granularity.edits)
    ]
    return Invariant(tuple(found)) if found else None


def _of_one_value(
    edit: BoundEdit, key: Term, granularity: BoundGranularity, outer: Signature
) -> bool:
    domain = granularity.domain
    query = Query(Signature(domain, outer.signatures), domain.symbol_terms)
    pair = Pair(query, edit, ())
    one, two = pair.differ(), pair.differ()
    query.add(unequal(*(query.read(key, {"c": c}) for c in (one, two))))
    return bool(query.check() == logic.unsat)


def values_changed(
    world: World, domain: Domain, keys: Invariant, old: Database, new: Database
) -> int:
    """Return how many values some terms have at the records that differ between two databases."""
    env = world.environment(domain)
    found = set()
    for cell in difference(old, new):
        env.variables["c"] = cell
        found.add(tuple(evaluate(k, env) for k in keys.keys))
    return len(found)


def bracket(
    world: World, granularity: BoundGranularity, old: Database, new: Database,
    cells: Sequence[Cell], kept: Iterable[Invariant], longest: int = LONGEST,
    apart: Invariant | None = None,
) -> Bracket:  # fmt: skip
    """Bound the distance between two databases of a block in a concrete world.

    ``kept`` no edit changes, and it only changes records with the same values of what is ``apart``.
    """
    found = from_below(world, granularity, old, new, cells, kept, apart)
    if found.upper is not None or isinstance(found.lower, Infinity):
        return found
    lower = found.lower
    reach = min(max(longest, min(lower, MOST_STEPS)), lower + 1)
    path = world.path(granularity, old, new, reach, cells)
    return Bracket(lower, None if path is None else len(path))


def from_below(
    world: World, granularity: BoundGranularity, old: Database, new: Database,
    cells: Sequence[Cell], kept: Iterable[Invariant], apart: Invariant | None = None,
) -> Bracket:  # fmt: skip
    """Bound the distance as :func:`bracket` does, but from above only where it is at most one."""
    if not difference(old, new):
        return Bracket(0, 0)
    domain = granularity.domain
    for invariant in kept:
        if invariant.counts(world, domain, old) != invariant.counts(world, domain, new):
            return Bracket(INFINITY, INFINITY)
    if world.linking(granularity, old, new, cells) is not None:
        return Bracket(1, 1)
    if one_way(granularity, old, new):
        return Bracket(INFINITY, INFINITY)
    lower = max(1, steps_needed(granularity, old, new))
    if apart is not None:
        lower = max(lower, values_changed(world, domain, apart, old, new))
    if lower == 1 and no_single_edit(world, granularity, old, new, cells):
        lower = 2
    return Bracket(lower, None)


def connected(granularity: BoundGranularity) -> bool:
    """Return whether all databases are certainly at finite distances: single records come and go.

    Each database can then be emptied, unless its size or a fact of the class stands against it.

    >>> from dpcomp_sym.model import library_granularity
    >>> records = Domain({"id": "Record"})
    >>> [connected(library_granularity(n).bind(records)) for n in ("unbounded", "bounded")]
    [True, False]
    """
    domain = granularity.domain
    if granularity.directed or domain.size or domain.facts:
        return False
    return any(edit.guard == TRUE and _is_any_record(domain, edit) for edit in granularity.edits)


def _is_any_record(domain: Domain, edit: BoundEdit) -> bool:
    """Return whether an edit may add or remove any record alone: it names it, or its frame may.

    A frame may whose cells change at will, if it is given by what any cell has, such as its owner;
    or if they come where there was none, and an owner has one record at most.
    """
    if edit.frame is None:
        named = [s for _, s in edit.params] == [CELL]
        return named and [abs(d.number) for _, d in edit.change if d.op == "int"] == [1]
    if edit.change or len(edit.params) > 1:
        return False
    if edit.step == TRUE:
        ways = edit.frame.terms if edit.frame.op == "or" else (edit.frame,)
        return any(way == TRUE or _of_any(edit, way) is not None for way in ways)
    return edit.step == COMES and (_of_any(edit, edit.frame), integer(1)) in domain.limit_terms


def _of_any(edit: BoundEdit, frame: Term) -> Term | None:
    """Return what any cell has, such as its owner, where a frame has all cells with a given one."""
    given = {variable(*param) for param in edit.params}
    of = [x for x in frame.terms if x not in given] if frame.op == "eq" else []
    return of[0] if len(of) == 1 and free_variables(of[0]) == {"c"} else None


def _is_any_frame(edit: BoundEdit) -> bool:
    """Return whether all records of any frame may come at once, if each record is in a frame."""
    (frame, whole) = (edit.frame, not edit.change and len(edit.params) == 1)
    return whole and frame is not None and edit.step == COMES and _of_any(edit, frame) is not None


def edits_a_record(granularity: BoundGranularity) -> int | None:
    """Return how many edits add or remove a record at most, None if that is not certain.

    One, see :func:`connected`; or two: all records of its owner go, and all but that one come back.
    The class, which loses nothing by fewer records, is not left.
    """
    if connected(granularity):
        return 1
    domain = granularity.domain
    if granularity.directed or domain.size or domain.facts:
        return None
    back = any(edit.guard == TRUE and _is_any_frame(edit) for edit in granularity.edits)
    return 2 if back else None


def one_by_one(part: BoundPart) -> bool:
    """Return whether a part sees no more distance than records come and go in its block.

    Those that go are removed first, one by one: so the class, which loses nothing by fewer
    records, is not left.  A block that counts records has as many as are handed on.  On the common
    domain they are removed from the whole databases, which a block shows without them; what is left
    of both looks the same there.
    """
    return connected(part.granularity)


def counts_records(part: BoundPart) -> bool:
    """Return whether a part sees exactly as much distance as records come and go in its block.

    As :func:`one_by_one` says it is no more, and no edit of the part does more than one.
    """
    return one_by_one(part) and all(
        edit.frame is None and len(edit.change) == 1
        and all(d.op == "int" and abs(d.number) == 1 for _, d in edit.change)
        for edit in part.granularity.edits
    )  # fmt: skip


def few_a_step(granularity: BoundGranularity) -> bool:
    """Return whether each edit adds and removes so many records and no more: no frame is filled."""
    return all(
        edit.frame is None and all(d.op == "int" for _, d in edit.change)
        for edit in granularity.edits
    )


def steps_needed(granularity: BoundGranularity, old: Database, new: Database) -> int:
    """Return a lower bound: each edit adds and removes at most so many records."""
    if not few_a_step(granularity):
        return 1
    most_added, most_removed, most_either = _largest_steps(granularity)
    up, down = _moved(old, new)

    def needed(total: int, step: int) -> int:
        return 1 if step == 0 else -(-total // step)

    return max(needed(up, most_added), needed(down, most_removed), needed(up + down, most_either))


def one_way(granularity: BoundGranularity, old: Database, new: Database) -> bool:
    """Return whether records must go and no edit removes any, or the other way round.

    >>> from dpcomp_sym.model import Edit, Granularity
    >>> more = Granularity("more", [Edit({"x": "cell"}, "true", {"x": "1"})], directed=True)
    >>> added = more.bind(Domain({"id": "Record"}))
    >>> one_way(added, {("a",): 1}, {}), one_way(added, {}, {("a",): 1})
    (True, False)
    """
    if not few_a_step(granularity):
        return False
    most_added, most_removed, _ = _largest_steps(granularity)
    up, down = _moved(old, new)
    return bool(up and not most_added) or bool(down and not most_removed)


def _largest_steps(granularity: BoundGranularity) -> tuple[int, int, int]:
    """Return how many records an edit adds at most, how many it removes, and both together."""
    most_added = most_removed = most_either = 0
    for edit in granularity.edits:
        deltas = [d.number for _, d in edit.change]
        added, removed = sum(d for d in deltas if d > 0), -sum(d for d in deltas if d < 0)
        most_either = max(most_either, added + removed)
        if not granularity.directed:
            added = removed = max(added, removed)
        most_added, most_removed = max(most_added, added), max(most_removed, removed)
    return most_added, most_removed, most_either


def _moved(old: Database, new: Database) -> tuple[int, int]:
    """Return how many records come, and how many go."""
    changes = difference(old, new).values()
    return sum(n for n in changes if n > 0), -sum(n for n in changes if n < 0)


def no_single_edit(
    world: World, granularity: BoundGranularity, old: Database, new: Database,
    cells: Sequence[Cell],
) -> bool:  # fmt: skip
    """Return whether "no edit in this world" means "no edit at all".

    The evaluator has tried every parameter within the world.  Beyond it there are integers, which
    must do what those within its window do; and, if X is more than the world's cells, other cells:
    a parameter there must add a number that nothing cancels, or name a record that is left.
    """
    changed = len(difference(old, new))
    whole = len(world.integers(granularity, cells)) < MOST_INTEGERS
    leave = set(filter(_leaves_what_it_names, granularity.edits))
    for edit in granularity.edits:
        terms = edit.terms
        integers = {n for n, s in edit.params if s == INT}
        if integers and not (whole and all(_window_suffices(t, integers) for t in terms)):
            return False
        if world.domain.universe is Universe.ANY or edit in leave:
            continue
        named = {n for n, s in edit.params if s == CELL}
        moving = {p for p, d in edit.change if d.op == "int" and d.number != 0}
        if named - moving or len(named) - changed > 1:
            return False
        if reads_database(edit.step):  # of a frame; else cells beyond hold nothing in either
            return False
    if not leave:
        return True
    # Which cells a block has beyond is not always known: nor may an edit lead there if it has none.
    alone = replace(granularity, domain=replace(granularity.domain, universe=Universe.ANY))
    return world.linking(alone, old, new, cells) is None


def _leaves_what_it_names(edit: BoundEdit) -> bool:
    """Return whether a frame always leaves a record that it names: one of the later database."""
    if edit.written is None or edit.frame is None or [s for _, s in edit.params] != [CELL]:
        return False
    here = {"c": variable(*edit.params[0])}
    framed, left = (specialised(substitute(t, here), ()) for t in (edit.frame, edit.written))
    return framed == TRUE and left.op == "int" and left.number > 0


def _window_suffices(term: Term, integers: set[str]) -> bool:
    """Return whether each integer beyond the world's window does the same as one within.

    The window reaches to each side of an integer of a record, with a number or a symbol more or
    less.  So one parameter must be compared with no more than that; where two are compared, or one
    with how many records there are, this is not known.
    """
    if not free_variables(term) & integers:
        return True
    if term.op in {"and", "or", "not", "implies"}:
        return all(_window_suffices(t, integers) for t in term.terms)
    if term.op not in {"eq", "ne", "lt", "le", "gt", "ge"}:
        return False
    signs: dict[str, list[int]] = {"parameter": [], "record": [], "more": []}
    for sign, summand in _summands(Term("sub", term.terms, INT)):
        if summand.op in {"attr", "apply"} and not free_variables(summand) & integers:
            signs["record"].append(sign)
        elif summand.op == "int" or (summand.op == "var" and summand.name not in {"old", "new"}):
            signs["parameter" if summand.name in integers else "more"].append(sign)
        else:
            return False
    parameter, record, more = signs.values()
    return len(parameter) == 1 and len(more) <= 1 and record in ([], [-parameter[0]])


def _summands(term: Term, sign: int = 1) -> Iterator[tuple[int, Term]]:
    """Yield what is added, with 1, or subtracted, with -1."""
    if term.op not in {"add", "sub", "neg"}:
        yield sign, term
        return
    *first, last = term.terms
    for one in first:
        yield from _summands(one, sign)
    yield from _summands(last, sign if term.op == "add" else -sign)
