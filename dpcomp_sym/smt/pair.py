"""A pair of neighbours as solver terms, and what a block sees of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from dpcomp_sym.model import BoundEdit, BoundMap, Domain
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import GroundCell, Query, Said, ScriptSection, equal, numbers_of
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    reads_database,
    specialised,
    subterms,
)  # fmt: skip

__all__ = ["MOST_PRODUCT", "Pair", "View", "cells_of", "fill_product", "uses_size"]

FIRST: Final = 4
"""How many blocks of a map are examined one by one in the search for counterexamples."""


def uses_size(*terms: Term) -> bool:
    """Return whether a term reads the size of a database."""
    return any(t.op == "size" for term in terms for t in subterms(term))


MOST_PRODUCT: Final = 24
"""At most so many cells of a product are made."""

Multiplicity = Callable[[GroundCell], Any]


def _excluded(answer: Any) -> bool | None:
    """Return whether something cannot be, None if the solver does not know."""
    return None if answer == logic.unknown else bool(answer == logic.unsat)


class _Limit:
    """At most so many records share a key: said of the key of each ground cell."""

    def __init__(self, pair: Pair, key: Term, bound: Term) -> None:
        self.query = pair.query
        self.key, self.bound = key, bound
        self.sides = (pair.old, ScriptSection.CLASS), (pair.new, ScriptSection.EDIT)
        self._keys: dict[int, Any] = {}
        """The key at each cell, by the cell's id: cells stay with the query."""
        self._alike: dict[tuple[int, int], Any] = {}

    def facts(self, cells: Sequence[GroundCell]) -> Iterator[Said]:
        """Yield that the cells at hand keep to it in D and in E; cells with one key say it once."""
        most = self.query.read(self.bound)
        first: dict[tuple[int, ...], GroundCell] = {}
        for cell in cells:
            first.setdefault(numbers_of(self._at(cell)), cell)
        for value, section in self.sides:
            for cell in first.values():
                name = (self, section, id(cell))
                total = self.query.distinct_sum(self._held(value, cell), name=name)
                yield Said(logic.compared("le", total, most), section)

    def _at(self, cell: GroundCell) -> Any:
        """Return the key at a cell."""
        if id(cell) not in self._keys:
            self._keys[id(cell)] = self.query.read(self.key, {"c": cell})
        return self._keys[id(cell)]

    def _held(self, value: Multiplicity, here: GroundCell) -> Multiplicity:
        """Return the multiplicity of the cells with the key of one cell; of others it is 0."""

        def held(cell: GroundCell) -> Any:
            both = id(cell), id(here)
            if both not in self._alike:
                self._alike[both] = equal(self._at(cell), self._at(here))
            return logic.If(self._alike[both], value(cell), 0)

        return held


class Pair:
    """Databases D and E of the class, where one edit leads from D to E.

    ``closed`` makes the ground cells all the cells there are (everything else is 0), for the
    search of counterexamples; proofs leave it open.

    Of the facts of maps an open pair is given those of the maps that it comes to mention, and
    those that say something of more than the map itself; a ``whole`` or closed one is given all.
    Without ``limited`` the limits of groups are left out, which most proofs do not need.
    Leaving facts out makes a proof harder and never wrong.
    """

    def __init__(
        self, query: Query, edit: BoundEdit, maps: Sequence[BoundMap], *, closed: bool = False,
        sizes: bool = True, whole: bool = False, limited: bool = True,
    ) -> None:  # fmt: skip
        self.query = query
        self.edit = edit
        self.maps = tuple(maps)
        self.closed = closed
        self.limited = limited
        self._given = {m.name for m in maps if whole or closed or not m.loose}
        self.domain: Domain = query.domain
        sorts = [query.signature.sort(s) for s in self.domain.attribute_sorts.values()]
        self._old = logic.SolverFunction(logic.path("db", "D"), *sorts, logic.IntSort())
        self._new = logic.SolverFunction(logic.path("db", "E"), *sorts, logic.IntSort())
        self.size_old, self.size_new = logic.Ints("size.D size.E")
        read = (*edit.terms, *self.domain.fact_terms)
        self.sized = sizes and (bool(self.domain.size) or uses_size(*read))
        self.indices: list[tuple[BoundMap, tuple[Any, ...]]] = []
        self.params: dict[str, Any] = {}
        self.points: list[GroundCell] = []
        self._after: dict[int, tuple[GroundCell, Any]] = {}
        self._members: dict[tuple[Any, ...], tuple[Any, GroundCell, Sequence[Any]]] = {}
        self._any_members: dict[str, Any] = {}
        self._limits = [_Limit(self, *limit) for limit in query.domain.limit_terms]
        for name, sort in edit.params:
            self.params[name] = query.cell(name) if sort == CELL else query.fresh(sort, name)
        self._databases = {"D": (self.old, lambda: self.size(new=False))}
        self.deltas = [query.read(delta, self.params, self._databases) for _, delta in edit.change]
        self.points = [self.params[p] for p in edit.points]
        query.add(Said(query.read(edit.guard, self.params, self._databases), ScriptSection.EDIT))
        query.for_all_cells(self._cell_facts)
        query.for_all_others(
            lambda c: [
                Said(self.old(c) == 0, ScriptSection.CLASS),
                Said(self.new(c) == 0, ScriptSection.EDIT),
            ]
        )
        query.at_check(self._group_facts)
        if closed:
            query.at_check(self._nothing_else)

    # ------------------------------------------------------------- the databases

    def old(self, cell: GroundCell) -> Any:
        """Return the multiplicity of a cell in D."""
        return self._old(*cell) if cell else self._old()

    def new(self, cell: GroundCell) -> Any:
        """Return the multiplicity of a cell in E."""
        if self.edit.frame is not None:
            return self._new(*cell) if cell else self._new()
        if id(cell) not in self._after:
            value = self.old(cell)
            for point, delta in zip(self.points, self.deltas, strict=True):
                value = logic.plus(value, logic.If(equal(cell, point), delta, 0))
            self._after[id(cell)] = (cell, value)  # with the cell, so that its id stays its own
        return self._after[id(cell)][1]

    def size(self, *, new: bool) -> Any:
        """Return the size of D or E; from then on it is tied to the records."""
        if not self.sized:
            self.sized = True
            self.query.stale()
        return self.size_new if new else self.size_old

    def reading(self, *, swapped: bool = False) -> dict[str, Any]:
        """Return what D and E stand for in formulas about both; swapped, the other way round."""
        old = (self.old, lambda: self.size(new=False))
        new = (self.new, lambda: self.size(new=True))
        return {"D": new, "E": old} if swapped else {"D": old, "E": new}

    def differ(self) -> GroundCell:
        """Assert that D and E are different databases, and return a cell where they are."""
        cell = self.query.cell("z")
        self.query.add(self.old(cell) != self.new(cell))
        return cell

    def _cell_facts(self, cell: GroundCell) -> list[Said]:
        query, domain = self.query, self.domain
        here = {"c": cell}
        facts = [Said(query.read(domain.cell_term, here), ScriptSection.CLASS)]
        sides = ((self.old, False, ScriptSection.CLASS), (self.new, True, ScriptSection.EDIT))
        for at, _, section in sides:
            value = at(cell)
            facts.append(Said(logic.compared("ge", value, 0), section))
            if domain.cap is not None:
                facts.append(Said(logic.compared("le", value, domain.cap), section))
        for at, new, section in sides:
            databases = {"D": (at, lambda new=new: self.size(new=new))}
            facts += [Said(query.read(f, here, databases), section) for f in domain.fact_terms]
        if self.edit.frame is not None:
            names = {**self.params, **here, "old": self.old(cell), "new": self.new(cell)}
            kept = logic.If(
                query.read(self.edit.frame, {**self.params, **here}),
                query.read(self.edit.step, names, self._databases),
                logic.equal(self.old(cell), self.new(cell)),
            )
            facts.append(Said(kept, ScriptSection.EDIT))
        for mapping in self.maps:
            if mapping.name in self._given:
                facts += self._map_facts(mapping, cell)
        return facts

    def _map_facts(self, mapping: BoundMap, cell: GroundCell) -> list[Said]:
        return [Said(self.query.read(f, {"c": cell}), ScriptSection.MAPS) for f in mapping.facts]

    def speak_of(self, mapping: BoundMap) -> None:
        """Give the facts of a map, of all cells, if they are not given yet."""
        if mapping.name not in self._given:
            self._given.add(mapping.name)
            self.query.for_all_cells(lambda cell: self._map_facts(mapping, cell))

    def _nothing_else(self) -> list[Any]:
        """Outside the cells at hand nothing is held."""
        query = self.query
        facts = []
        for cell in query.beyond:
            known = [query.equal(cell, c) for c in (*query.cells, *query.maybe)]
            facts.append(logic.Or(*known, logic.And(self.old(cell) == 0, self.new(cell) == 0)))
        return facts

    def _group_facts(self) -> list[Said]:
        """Facts on the ground cells together: limits, sizes, blocks a cell."""
        query = self.query
        facts: list[Said] = []
        cells = [*query.cells, *query.maybe]
        if self.limited:
            facts += self._limit_facts(cells)
        if self.sized:
            facts += self.size_facts()
        facts += self._multiplicity_facts()
        return facts

    def _limit_facts(self, cells: Sequence[GroundCell]) -> Iterator[Said]:
        for limit in self._limits:
            yield from limit.facts(cells)
        yield from self._distinct_facts(cells)

    def keeps_limits(self, model: Any) -> bool:
        """Return whether the databases of a model keep the limits, as far as cells are at hand."""
        facts = self._limit_facts([*self.query.cells, *self.query.maybe])
        return all(logic.is_true(logic.evaluated(model, f.formula)) for f in facts)

    def _distinct_facts(self, cells: Sequence[GroundCell]) -> Iterator[Said]:
        """Yield that records at hand that share one term have few values of another one.

        A value is counted at the first cell that holds it.
        """
        query = self.query
        sides = ((self.old, ScriptSection.CLASS), (self.new, ScriptSection.EDIT))
        for limit in self.domain.distinct_terms:
            most = query.read(limit.at_most)
            keys = [[query.read(t, {"c": c}) for t in (limit.each, limit.of)] for c in cells]
            for value, section in sides:
                held = [logic.compared("ge", value(c), 1) for c in cells]
                first = []
                for n, both in enumerate(keys):
                    earlier = [logic.And(held[o], *map(equal, both, keys[o])) for o in range(n)]
                    first.append(logic.And(held[n], logic.Not(logic.Or(*earlier))))
                for each, _ in keys:
                    total = logic.IntVal(0)
                    for new, (other, _) in zip(first, keys, strict=True):
                        here = logic.And(new, equal(other, each))
                        total = logic.plus(total, logic.If(here, 1, 0))
                    yield Said(logic.compared("le", total, most), section)

    def size_facts(self) -> list[Said]:
        """Return what ties the sizes to the records."""
        query = self.query
        rest_old, rest_new = logic.Ints("rest.D rest.E")
        sides = (
            (self.size_old, self.old, rest_old, ScriptSection.CLASS),
            (self.size_new, self.new, rest_new, ScriptSection.EDIT),
        )
        facts = [
            Said(size == query.distinct_sum(at, name=(self, "size", s)) + rest, s)
            for size, at, rest, s in sides
        ]
        facts += [Said(rest >= 0, section) for _, _, rest, section in sides]
        if self.closed:
            facts += [Said(rest == 0, section) for _, _, rest, section in sides]
        if self._names_all_it_changes():
            facts.append(Said(rest_old == rest_new, ScriptSection.EDIT))
        else:
            falling, rising = self.monotone()
            facts += [Said(rest_new <= rest_old, ScriptSection.EDIT)] * falling
            facts += [Said(rest_new >= rest_old, ScriptSection.EDIT)] * rising
        for term in self.domain.size_terms:
            for size, _, _, section in sides:
                said = query.read(term, {}, {"D": (self.old, lambda v=size: v)})
                facts.append(Said(said, section))
        return facts

    def _names_all_it_changes(self) -> bool:
        """Return whether all that the edit changes are cells among its parameters."""
        if self.edit.frame in (None, FALSE):
            return True
        return bool(self.query.signature.once(("confined", self.edit), self._confined))

    def _confined(self) -> bool | None:
        query = self.query.beside()
        cell = query.cell("m")
        points = [self.params[n] for n, sort in self.edit.params if sort == CELL]
        query.add(query.read(self.edit.frame or TRUE, {**self.params, "c": cell}))
        query.add(*[logic.Not(equal(cell, point)) for point in points])
        return _excluded(query.check())

    def monotone(self) -> tuple[bool, bool]:
        """Return whether the step never raises, and never lowers, a multiplicity."""
        if reads_database(self.edit.step):
            return (False, False)
        never = [
            self.query.signature.once((way, self.edit), partial(self._never, way))
            for way in ("gt", "lt")
        ]
        return never[0] is True, never[1] is True

    def _never(self, way: str) -> bool | None:
        """Return whether the step makes no multiplicity greater, or less; None if unknown."""
        query = self.query.beside()
        cell = query.cell("m")
        old, new = (query.fresh(INT, name) for name in ("old", "new"))
        names = {**self.params, "c": cell, "old": old, "new": new}
        query.add(old >= 0, new >= 0, query.read(self.edit.step, names))
        return _excluded(query.check(logic.compared(way, new, old)))

    def _multiplicity_facts(self) -> list[Said]:
        """At most m of the blocks at hand hold a cell."""
        query = self.query
        facts: list[Said] = []
        named: dict[str, list[tuple[Any, ...]]] = {}
        for mapping, index in self.indices:
            named.setdefault(mapping.name, []).append(index)
        for mapping in self.maps:
            blocks = named.get(mapping.name, [])
            if mapping.multiplicity is None or not blocks:
                continue
            if self.closed:
                blocks += self._all_blocks(mapping)
            most = query.read(mapping.multiplicity)
            for cell in (*query.cells, *query.maybe):
                total = logic.IntVal(0)
                for number, index in enumerate(blocks):
                    inside = self.member(mapping, cell, index)
                    again = [equal(index, other) for other in blocks[:number]]
                    real = self.in_range(mapping, index)
                    counted = logic.And(inside, real, logic.Not(logic.Or(*again)))
                    total = logic.plus(total, logic.If(counted, 1, 0))
                few = logic.compared("le", total, most)
                facts.append(Said(logic.Implies(query.present(cell), few), ScriptSection.MAPS))
        return facts

    @staticmethod
    def _all_blocks(mapping: BoundMap) -> list[tuple[Any, ...]]:
        """Return the first blocks of a map by number, which a finite world will have."""
        ranges = [
            range(1, 1 + (FIRST if isinstance(size, str) else min(size, FIRST)))
            for _, size in mapping.indices
        ]
        return [tuple(map(logic.IntVal, index)) for index in itertools.product(*ranges)]

    def in_range(self, mapping: BoundMap, index: Sequence[Any]) -> Any:
        """Return the formula: the map has a block with this number."""
        tops = [self.query.symbols[s] if isinstance(s, str) else s for _, s in mapping.indices]
        return logic.And(
            *[
                logic.And(logic.compared("ge", i, 1), logic.compared("le", i, top))
                for i, top in zip(index, tops, strict=True)
            ]
        )

    # ------------------------------------------------------------- blocks

    def member(self, mapping: BoundMap, cell: GroundCell, index: Sequence[Any]) -> Any:
        """Return the formula: block ``index`` keeps the records of ``cell``."""
        self.speak_of(mapping)
        if mapping.name in self._any_members:
            return self._any_members[mapping.name](*index, *cell)
        key: tuple[Any, ...] = (mapping.name, id(cell), *map(id, index))
        found = self._members.get(key)
        if found is None:
            names = dict(zip((n for n, _ in mapping.indices), index, strict=True))
            numbers = tuple((n, int(str(i))) for n, i in names.items() if logic.is_number(i))
            member = specialised(mapping.member, numbers) if numbers else mapping.member
            formula = self.query.read(member, {**names, "c": cell})
            found = self._members[key] = (formula, cell, index)  # with them their ids stay
        return found[0]

    def leave_open(self, mapping: BoundMap) -> None:
        """Let blocks of a map keep any records: what is proved then is true of what they keep."""
        sorts = [self.query.signature.sort(s) for s in self.domain.attribute_sorts.values()]
        numbers = [logic.IntSort()] * len(mapping.indices)
        kept = logic.SolverFunction(
            logic.path("keeps", mapping.name), *numbers, *sorts, self.query.signature.sort(BOOL)
        )
        self._any_members[mapping.name] = kept

    def index(self, mapping: BoundMap, block: Sequence[int] = ()) -> tuple[Any, ...]:
        """Return a new block number, in range; the given one, if it is a certain block."""
        index: list[Any] = [logic.IntVal(n) for n in block]
        if index:
            self.indices.append((mapping, tuple(index)))
            self.query.stale()
            return tuple(index)
        for name, size in mapping.indices:
            value = self.query.fresh(INT, logic.path("i", name))
            top = self.query.symbols[size] if isinstance(size, str) else logic.IntVal(size)
            least, most = logic.compared("ge", value, 1), logic.compared("le", value, top)
            self.query.add(Said(least, ScriptSection.VIEW), Said(most, ScriptSection.VIEW))
            index.append(value)
        self.indices.append((mapping, tuple(index)))
        self.query.stale()
        return tuple(index)

    def view(self, mapping: BoundMap, index: Sequence[Any]) -> View:
        """Return what block ``index`` sees."""
        return View(self, mapping, tuple(index))


@dataclass
class _Image:
    old: Any
    new: Any
    cells: list[GroundCell]


class View:
    """The two databases as one block sees them: restricted, or counted by image attributes."""

    def __init__(self, pair: Pair, mapping: BoundMap, index: tuple[Any, ...]) -> None:
        pair.speak_of(mapping)
        self.pair = pair
        self.query = pair.query
        self.mapping = mapping
        self.index = index
        self.positions = self.query.positions
        self._image: _Image | None = None
        self._sizes: tuple[Any, Any] | None = None
        if mapping.image is not None:
            self.positions = {a: n for n, (a, _) in enumerate(mapping.image)}
            sorts = [self.query.signature.sort(t.sort) for _, t in mapping.image]
            self._image = _Image(
                logic.SolverFunction(self.query.new("image", "D"), *sorts, logic.IntSort()),
                logic.SolverFunction(self.query.new("image", "E"), *sorts, logic.IntSort()),
                [],
            )
            self.query.at_check(self._image_facts)
            for point in pair.points:
                self._register(self.key(point))
            if not mapping.image:
                self._register(())

    @property
    def cells(self) -> list[GroundCell]:
        """The ground cells of the block's own domain."""
        if self._image is not None:
            return self._image.cells
        return [*self.query.cells, *self.query.maybe]

    def member(self, cell: GroundCell) -> Any:
        """Return the formula: the cell belongs to the block's own domain."""
        if self._image is not None:
            return logic.BoolVal(True)
        inside = self.pair.member(self.mapping, cell, self.index)
        present = self.query.present(cell)
        return inside if logic.is_true(present) else logic.And(present, inside)

    def held(self, cell: GroundCell) -> Any:
        """Return a formula that makes sure that some record of the block is handed on as this cell.

        So an edit of the part may name it.  For an image the record is one that is counted there,
        or one at hand.
        """
        if not self.mapping.image:
            return self.member(cell)
        found = [self.old(cell) > 0, self.new(cell) > 0]
        for source in (*self.query.cells, *self.query.maybe):
            inside = self.pair.member(self.mapping, source, self.index)
            same = equal(self.key(source), cell)
            found.append(logic.And(self.query.present(source), inside, same))
        return logic.Or(*found)

    def key(self, cell: GroundCell) -> GroundCell:
        """Return the image cell in which a record is counted."""
        return tuple(self.query.read(t, {"c": cell}) for _, t in self.mapping.image or ())

    def cell(self, name: str = "z") -> GroundCell:
        """Return a new ground cell of the block's own domain."""
        if self._image is None:
            cell = self.query.cell(name)
            self.query.add(self.member(cell))
            return cell
        image = tuple(self.query.fresh(t.sort, name) for _, t in self.mapping.image or ())
        return self._register(image)

    def any_cell(self, name: str = "z") -> GroundCell:
        """Return a new ground cell, which the block need not have: of another one it sees none.

        What is asked of all databases is asked of a block that can hold nothing, too.
        """
        return self.query.cell(name) if self._image is None else self.cell(name)

    def _register(self, cell: GroundCell) -> GroundCell:
        image = self._image
        if image is None or any(cell is c or (not c and not cell) for c in image.cells):
            return cell
        image.cells.append(cell)
        self.query.stale()
        self.query.add(*[Said(at(cell) >= 0, ScriptSection.VIEW) for at in (self.old, self.new)])
        if self.pair.edit.frame is not None:
            # Where the counts differ, some record of that image cell differs.
            source = self.query.cell("src")
            differs = logic.And(
                self.pair.member(self.mapping, source, self.index),
                equal(self.key(source), cell),
                self.pair.old(source) != self.pair.new(source),
            )
            because = logic.Implies(self.old(cell) != self.new(cell), differs)
            self.query.add(Said(because, ScriptSection.VIEW))
        return cell

    def _mapped_to(self, image: GroundCell, whole: Multiplicity) -> Multiplicity:
        """Return how many records of a cell the map sends to a cell of the image."""

        def counted(c: GroundCell) -> Any:
            inside = self.pair.member(self.mapping, c, self.index)
            return logic.If(logic.And(inside, equal(self.key(c), image)), whole(c), 0)

        return counted

    def _image_facts(self) -> list[Said]:
        pair = self.pair
        facts: list[Said] = []
        image = self._image
        if image is None:
            return facts
        for cell in image.cells:
            for mine, whole in ((self.old, pair.old), (self.new, pair.new)):
                total = self.query.distinct_sum(self._mapped_to(cell, whole))
                said = mine(cell) == total if pair.closed else mine(cell) >= total
                facts.append(Said(said, ScriptSection.VIEW))
            if not cell and self.mapping.member == TRUE:
                pair.sized = True  # the count of all records is the size
                sizes = [self.old(cell) == pair.size_old, self.new(cell) == pair.size_new]
                facts += [Said(f, ScriptSection.VIEW) for f in sizes]
                facts += pair.size_facts()
        return facts

    def old(self, cell: GroundCell) -> Any:
        """Return the multiplicity in the block's view of D."""
        if self._image is not None:
            return self._image.old(*cell) if cell else self._image.old()
        return logic.If(self.member(cell), self.pair.old(cell), 0)

    def new(self, cell: GroundCell) -> Any:
        """Return the multiplicity in the block's view of E."""
        if self._image is None:
            return logic.If(self.member(cell), self.pair.new(cell), 0)
        if self.pair.edit.frame is not None:
            return self._image.new(*cell) if cell else self._image.new()
        value = self.old(cell)
        for point, delta in zip(self.pair.points, self.pair.deltas, strict=True):
            counted = logic.And(
                self.pair.member(self.mapping, point, self.index), equal(self.key(point), cell)
            )
            value = value + logic.If(counted, delta, 0)
        return value

    def sizes(self) -> tuple[Any, Any]:
        """Return the sizes of the two databases that the block sees."""
        if self._sizes is None:
            if self.mapping.identity:
                self._sizes = (self.pair.size(new=False), self.pair.size(new=True))
            else:
                self._sizes = (self.query.fresh(INT, "size.D"), self.query.fresh(INT, "size.E"))
                self.query.at_check(self._view_size_facts)
                self._say_what_is_left_out()
        return self._sizes

    def _say_what_is_left_out(self) -> None:
        """Name for each database a record outside the block, if the block has fewer than it.

        Said of edits that read sizes: of a list, whose next place is given by how long it is.
        """
        pair = self.pair
        plain = self.mapping.image is None and self.mapping.multiplicity is None
        if pair.closed or not plain or not uses_size(*pair.edit.terms):
            return
        for number, at in ((0, pair.old), (1, pair.new)):
            size, whole = self.sizes()[number], pair.size(new=bool(number))
            other = self.query.cell("other")
            inside = pair.member(self.mapping, other, self.index)
            left_out = logic.And(logic.compared("ge", at(other), 1), logic.Not(inside))
            known = logic.And(logic.compared("le", size, whole), logic.Or(size == whole, left_out))
            self.query.add(Said(known, ScriptSection.VIEW))

    def _view_size_facts(self) -> list[Said]:
        return [Said(f, ScriptSection.VIEW) for f in self._sizes_seen()]

    def _sizes_seen(self) -> list[Any]:
        before, after = self.sizes()
        total_old = self.query.distinct_sum(self.old, self.cells)
        total_new = self.query.distinct_sum(self.new, self.cells)
        if self.pair.closed and self._image is None:
            return [before == total_old, after == total_new]
        facts = [before >= total_old, after >= total_new]
        if self.pair.edit.frame is None:
            facts.append(after - before == total_new - total_old)
        if self.pair.domain.size:  # no block has more records than there are
            facts += [before <= self.pair.size(new=False), after <= self.pair.size(new=True)]
        return facts

    def changed(self) -> GroundCell:
        """Assert that the block sees a change, and return a cell where it does."""
        cell = self.cell("z")
        self.query.add(self.old(cell) != self.new(cell))
        return cell

    def touched_points(self) -> list[GroundCell]:
        """Return the cells of the block's domain that the edit names."""
        if self._image is None:
            return list(self.pair.points)
        return [self.key(p) for p in self.pair.points]


def cells_of(domain: Domain) -> float:
    """Return how many cells a product has at most: infinity if a sort is not written out.

    >>> cells_of(Domain({"id": ["a", "b"], "paid": "bool"})), cells_of(Domain({"id": "Record"}))
    (4, inf)
    """
    values = [
        2 if sort == BOOL else len(domain.enumerations.get(sort, ())) or math.inf
        for sort in domain.attribute_sorts.values()
    ]
    return math.prod(values)


def fill_product(pair: Pair) -> None:
    """Make cells of all tuples of values that occur: all constants, where a sort has some."""
    query = pair.query
    sorts = list(query.domain.attribute_sorts.values())
    pools: dict[str, list[Any]] = {}
    for sort in dict.fromkeys(sorts):
        known = query.signature.constants(sort)
        if not known:
            known = [c[n] for c in query.cells for n, s in enumerate(sorts) if s == sort]
            if sort != INT:
                known += [pair.params[n] for n, s in pair.edit.params if s == sort]
        pool = pools[sort] = []
        for term in known:
            if not any(term.eq(t) for t in pool):
                pool.append(term)
    for number, cell in enumerate(itertools.product(*(pools[s] for s in sorts))):
        if number >= MOST_PRODUCT:
            return
        query.possible(tuple(cell))
