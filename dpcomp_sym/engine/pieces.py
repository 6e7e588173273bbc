"""How many edits of another granularity an edit with a frame is made of, one for each piece.

Where all records of a person change, and a mechanism is private for what changes of a person on one
day, the way is at most as long as there are days: day by day, what D holds is put aside for what E
holds.  A *piece* is what one inner edit may change around a changed record.  That pieces do not
overlap, that each is one inner edit whatever pieces came before, and that all databases on the way
are in the class, is proved for every such record.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.records import rank, records_of, values_of
from dpcomp_sym.model import BoundEdit, BoundPart, Domain
from dpcomp_sym.profile import Number, product_of
from dpcomp_sym.smt import GroundCell, Pair, View, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import equal, unequal
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, free_variables, subterms
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import variable

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Look", "in_pieces"]

Look = Callable[[Pair], View]
"""Makes what a part sees of a pair of neighbours."""
MOST_CHOICES: Final = 8
MOST_NAMED: Final = 6
"""For up to this many records of a formula it is decided which of them lie in one piece."""
RECORD: Final = variable("c", CELL)


def in_pieces(
    structure: Structure, edit: BoundEdit, part: BoundPart, look: Look, *, reverse: bool = False
) -> Number | None:
    """Return how many inner edits lead at most from one image to the other; None if not found.

    Args:
        structure: the questions about the problem.
        edit: has a frame.
        part: whose granularity counts the edits.
        look: makes what the part sees.
        reverse: the way from E to D, which matters for directed granularities only.
    """
    domain = part.granularity.domain
    if edit.frame is None or part.map.image is not None or not domain.attributes:
        return None
    if uses_size(*domain.fact_terms) or domain.distinct:
        return None

    def led_over(inner: BoundEdit, names: dict[str, Term]) -> _Pieces | None:
        pieces = _Pieces(structure, edit, part, look, inner, names, reverse)
        return pieces if pieces.lead_over() else None

    def number(inner: BoundEdit) -> Number | None:
        if uses_size(*inner.terms):
            return None
        pieces = structure.trail.first(
            "named by", itertools.islice(_choices(structure, inner), MOST_CHOICES),
            partial(led_over, inner), lambda names: {n: to_text(t) for n, t in names.items()},
        )  # fmt: skip
        return pieces.number() if pieces else None

    edits = part.granularity.edits
    return structure.trail.least(
        "pieces, one edit each", edits, number, rank, lambda inner: f"edit {edits.index(inner) + 1}"
    )


# ------------------------------------------------------------- what an inner edit is named by


def _choices(structure: Structure, inner: BoundEdit) -> Iterator[dict[str, Term]]:
    """Yield terms for the parameters of an inner edit, over a record ``c`` of its piece.

    A parameter is what the frame, or the guard, says it equals; a record without such a fact is
    ``c`` itself.
    """
    known = {"c", *structure.problem.domain.symbols}
    frame = list(_equations(inner.frame or TRUE))
    options: list[list[tuple[str, Term]]] = []
    for name, sort in inner.params:
        ways = [t for n, t in frame if n == name and free_variables(t) <= known]
        if sort == CELL:
            ways = [t for n, t in _equations(inner.guard) if n == name] or [RECORD]
        options.append([(name, t) for t in dict.fromkeys(ways)])
    for chosen in itertools.product(*options):
        ordered = _in_order(dict(chosen), known)
        if ordered is not None:
            yield ordered


def _in_order(chosen: Mapping[str, Term], known: set[str]) -> dict[str, Term] | None:
    """Return terms in an order in which each depends on earlier ones only; None in a circle."""
    found: dict[str, Term] = {}
    while len(found) < len(chosen):
        ready = [n for n, t in chosen.items()
                 if n not in found and free_variables(t) <= known | set(found)]  # fmt: skip
        if not ready:
            return None
        found[ready[0]] = chosen[ready[0]]
    return found


def _equations(formula: Term) -> Iterator[tuple[str, Term]]:
    """Yield what a name equals in some case of a formula."""
    if formula.op in {"and", "or"}:
        for inner in formula.terms:
            yield from _equations(inner)
    elif formula.op == "eq":
        for side, other in (formula.terms, formula.terms[::-1]):
            if side.op == "var":
                yield side.name, other


def _told(inner: BoundEdit) -> Iterator[Term]:
    """Yield what a frame says of a record, by equations with what an edit is named by."""
    names = {name for name, _ in inner.params}
    for term in subterms(inner.frame or TRUE):
        if term.op == "eq":
            for side, other in (term.terms, term.terms[::-1]):
                of_record = "c" in free_variables(side) and not free_variables(side) & names
                if of_record and free_variables(other) & names:
                    yield side


# ------------------------------------------------------------- a step of the way


@dataclass
class _Pieces:
    """The pieces of what an edit changes in a block, by what an inner edit is named by."""

    structure: Structure
    edit: BoundEdit
    part: BoundPart
    look: Look
    inner: BoundEdit
    names: Mapping[str, Term]
    reverse: bool

    @property
    def domain(self) -> Domain:
        """The class that all databases on the way must be in."""
        return self.part.granularity.domain

    def ask(self) -> _Asked:
        """Return a new question about a pair of neighbours."""
        return _Asked(self)

    def unsat(self, asked: _Asked, *formulas: Any) -> bool:
        """Return whether some formulas, of any neighbours, cannot all hold."""
        asked.query.add(*formulas)
        return self.structure.unsat(asked.query)

    def lead_over(self) -> bool:
        """Prove that the pieces, in some order, are as many edits, inside the class."""
        return self._apart() and self._one_edit() and self._facts_hold() and self._limits_hold()

    def _apart(self) -> bool:
        """Prove that each changed record lies in one piece."""
        asked = self.ask()
        one, two, three = (asked.view.changed() for _ in range(3))
        here = asked.linked(one, one)
        both = logic.And(asked.linked(one, two), asked.linked(one, three))
        return self.unsat(
            asked, logic.Not(logic.And(here, logic.Implies(both, asked.linked(two, three))))
        )

    def _one_edit(self) -> bool:
        """Prove that an inner edit exchanges a piece, whatever other pieces were exchanged before.

        In the other direction, too, an edit is one; "everywhere" is then another record.
        """
        asked = self.ask()
        way = asked.way()
        ways = [asked.exchanged(way.before, way.after, way.params)]
        if not self.part.granularity.directed:
            ways.append(asked.exchanged(way.after, way.before, way.params))
        asked.query.add(*way.closed())
        return self.unsat(asked, *map(logic.Not, ways))

    def _facts_hold(self) -> bool:
        """Prove that the facts of the class hold on the way."""
        if not self.domain.facts:
            return True
        asked = self.ask()
        way = asked.way()
        here = {"c": asked.query.cell("any")}
        facts = [
            asked.query.read(fact, here, {"D": (way.after, None)})
            for fact in self.domain.fact_terms
        ]
        asked.query.add(*way.closed())
        return self.unsat(asked, logic.Not(logic.And(*facts)))

    def _limits_hold(self) -> bool:
        """Prove that limits and sizes are kept on the way, in the best order of the pieces.

        Where groups of limits are changed in several pieces, all changes must lie in these groups,
        or there is one such group.  First come the pieces that lose most there: what is in the
        group first falls and then rises.
        """
        one_way = any(self.structure.pair(self.edit).monotone())
        open_keys = (
            [] if one_way
            else [k for k, _ in self.domain.limit_terms if not self._is("of one piece", k)]
        )  # fmt: skip
        whole = [key for key in open_keys if self._is("of one group", key)]
        single = [key for key in open_keys if key not in whole]
        if single and (len(open_keys) > 1 or self.domain.size or not self._one_open(*single)):
            return False
        if not self.domain.size:
            return True
        ends = ((True, True),) if one_way else ((False, True), *[(True, False)] * (not whole))
        shown = self.structure.trail.first(
            "sizes", ends, lambda end: self._sizes_hold(*end),
            lambda end: "above one, below one" if all(end) else "below" if end[1] else "above",
        )  # fmt: skip
        return bool(shown)

    def _is(self, said: str, key: Term) -> bool:
        """Return whether something is shown of the records that share a key; noted either way."""
        show = {"of one piece": self._of_one_piece, "of one group": self._of_one_group}[said]
        answers = (said, f"not known to be {said}")
        found = self.structure.trail.first(
            to_text(key), answers, lambda way: way if way != said or show(key) else ""
        )
        return found == said

    def _of_one_piece(self, key: Term) -> bool:
        asked = self.ask()
        one, two = asked.view.changed(), asked.view.changed()
        same = equal(*(asked.query.read(key, {"c": c}) for c in (one, two)))
        return self.unsat(asked, same, logic.Not(asked.linked(one, two)))

    def _one_open(self, key: Term) -> bool:
        """Prove that at most one group is changed in several pieces."""
        asked = self.ask()
        groups = []
        for _ in range(2):
            one, two = asked.view.changed(), asked.view.changed()
            here, there = (asked.query.read(key, {"c": c}) for c in (one, two))
            asked.query.add(equal(here, there), logic.Not(asked.linked(one, two)))
            groups.append(here)
        return self.unsat(asked, unequal(*groups))

    def _of_one_group(self, key: Term) -> bool:
        asked = self.ask()
        one, two = asked.view.changed(), asked.view.changed()
        return self.unsat(asked, unequal(*(asked.query.read(key, {"c": c}) for c in (one, two))))

    def _sizes_hold(self, above: bool, below: bool) -> bool:
        """Prove the facts on the size of one that is not below, or above, both ends."""
        asked = self.ask()
        query = asked.query
        ends, size = asked.view.sizes(), query.fresh(INT, "size")
        query.add(size >= 0)
        if above:
            query.add(logic.Or(*[size >= end for end in ends]))
        if below:
            query.add(logic.Or(*[size <= end for end in ends]))
        said = [query.read(t, {}, {"D": (None, lambda: size)}) for t in self.domain.size_terms]
        for end in ends:
            query.add(*[query.read(t, {}, {"D": (None, lambda n=end: n)})
                        for t in self.domain.size_terms])  # fmt: skip
        return self.unsat(asked, logic.Not(logic.And(*said)))

    # ------------------------------------------------------------- how many there are

    def number(self) -> Number | None:
        """Return how many pieces there are at most."""
        mapping = self.ask().view.mapping
        records = partial(records_of, self.structure, self.edit, mapping)

        def by_values() -> Number | None:
            values = [values_of(self.structure, self.edit, mapping, k) for k in self._keys()]
            known = [v for v in values if v is not None]
            return product_of(known) if known and len(known) == len(values) else None

        def meeting(some: Term) -> Number | None:
            return records(some) if self._met(some) else None

        ways: dict[str, Callable[[], Number | None]] = {
            "no more than records": records, "no more than values": by_values,
        }  # fmt: skip
        frame = self.edit.frame
        for some in frame.terms if frame is not None and frame.op == "or" else ():
            ways[f"no more than records with {to_text(some)}"] = partial(meeting, some)
        return self.structure.trail.least("how many pieces", ways, lambda way: ways[way](), rank)

    def _keys(self) -> list[Term]:
        """Return terms such that records with the same values lie in one piece, as few as can be.

        None at all if records are told apart otherwise.  With a constant, there is one piece.
        """
        found = list(dict.fromkeys(_told(self.inner)))
        if not self._told_by(found):
            return []
        for key in tuple(found):
            rest = [k for k in found if k != key]
            spared = partial(self._spared, rest)
            how = self.structure.trail.first(to_text(key), ("not needed", "needed"), spared)
            found = rest if how == "not needed" else found
        return found or [TRUE]

    def _spared(self, rest: Sequence[Term], way: str) -> str:
        return way if way == "needed" or self._told_by(rest) else ""

    def _told_by(self, keys: Sequence[Term]) -> bool:
        """Prove that records with the same keys lie in one piece."""
        asked = self.ask()
        one, two = asked.view.changed(), asked.view.changed()
        same = [equal(*(asked.query.read(k, {"c": c}) for c in (one, two))) for k in keys]
        return self.unsat(asked, *same, logic.Not(asked.linked(one, two)))

    def _met(self, some: Term) -> bool:
        """Prove that each piece has a changed record in some part of the frame."""
        asked = self.ask()
        one = asked.view.changed()
        params = asked.params(one)
        there = [one, *(params[n] for n, sort in self.inner.params if sort == CELL)]
        meets = [
            logic.And(
                asked.changed(c), asked.linked(one, c),
                asked.query.read(some, {**asked.pair.params, "c": c}),
            )
            for c in there
        ]  # fmt: skip
        return self.unsat(asked, logic.Not(logic.Or(*meets)))


class _Asked:
    """A question about any neighbours, and what a part sees of them."""

    def __init__(self, pieces: _Pieces) -> None:
        self.pieces, self.inner = pieces, pieces.inner
        self.pair = pieces.structure.pair(pieces.edit)
        self.query = self.pair.query
        self.view = pieces.look(self.pair)
        ends = (self.view.old, self.view.new)
        self.start, self.goal = ends[::-1] if pieces.reverse else ends

    def changed(self, cell: GroundCell) -> Any:
        """Return the formula: the block sees another number of this record."""
        return unequal(self.start(cell), self.goal(cell))

    def params(self, cell: GroundCell) -> dict[str, Any]:
        """Return the parameters of the inner edit of a record's piece."""
        names: dict[str, Any] = {"c": cell}
        for name, term in self.pieces.names.items():
            value = self.query.read(term, names)
            is_cell = dict(self.inner.params)[name] == CELL
            names[name] = self.query.possible(value) if is_cell and value is not cell else value
        return {name: names[name] for name in self.pieces.names}

    def linked(self, cell: GroundCell, other: GroundCell) -> Any:
        """Return the formula: another record lies in the piece of a record."""
        params = self.params(cell)
        if self.inner.frame is not None:
            return self.query.read(self.inner.frame, {**params, "c": other})
        return logic.Or(*[equal(other, params[point]) for point in self.inner.points])

    def way(self) -> _Way:
        """Return a step of the way: the piece of a record that changes is next."""
        return _Way(self, self.view.changed())

    def exchanged(self, source: Any, target: Any, params: Mapping[str, Any]) -> Any:
        """Return the formula: the inner edit leads from one database to the other one.

        Everywhere: at one new record, on which the negation may fail.
        """
        query, inner = self.query, self.inner
        databases = {"D": (source, None)}
        cell = self.view.cell("any")
        found = [query.read(inner.guard, params, databases)]
        found += [self.view.held(params[n]) for n, sort in inner.params if sort == CELL]
        if inner.frame is None:
            value = source(cell)
            for point, delta in inner.change:
                added = query.read(delta, params, databases)
                value = value + logic.If(equal(cell, params[point]), added, 0)
            return logic.And(*found, value == target(cell))
        here = {**params, "c": cell}
        step = {**here, "old": source(cell), "new": target(cell)}
        kept = logic.If(
            query.read(inner.frame, here), query.read(inner.step, step, databases),
            source(cell) == target(cell),
        )  # fmt: skip
        return logic.And(*found, kept)


class _Way:
    """Databases before and after the piece of a record is exchanged, others having been before."""

    def __init__(self, asked: _Asked, cell: GroundCell) -> None:
        self.asked, self.cell = asked, cell
        self._named: list[GroundCell] = [cell]
        asked.query.add(logic.Not(self._done(*cell)))

    @cached_property
    def _done(self) -> Any:
        """Whether a record was exchanged before."""
        query = self.asked.query
        sorts = [query.signature.sort(s) for s in query.domain.attribute_sorts.values()]
        return logic.SolverFunction(query.new("done"), *sorts, query.signature.sort(BOOL))

    @cached_property
    def params(self) -> dict[str, Any]:
        """The parameters of the inner edit."""
        return self.asked.params(self.cell)

    def before(self, cell: GroundCell) -> Any:
        """Return how many of a record there are before."""
        self._note(cell)
        return logic.If(self._done(*cell), self.asked.goal(cell), self.asked.start(cell))

    def after(self, cell: GroundCell) -> Any:
        """Return how many of a record there are after."""
        self._note(cell)
        moved = logic.Or(self._done(*cell), self.asked.linked(self.cell, cell))
        return logic.If(moved, self.asked.goal(cell), self.asked.start(cell))

    def _note(self, cell: GroundCell) -> None:
        if not any(cell is known for known in self._named):
            self._named.append(cell)

    def closed(self) -> Iterator[Any]:
        """Yield that of a piece all changed records were exchanged, or none."""
        asked = self.asked
        for one, two in itertools.permutations(self._named[:MOST_NAMED], 2):
            inside = logic.And(asked.changed(one), asked.changed(two), asked.linked(one, two))
            yield logic.Implies(inside, self._done(*one) == self._done(*two))
