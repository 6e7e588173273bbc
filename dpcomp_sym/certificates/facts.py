"""The questions behind the facts of a certificate, built from the problem alone, and asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any, Final, Self

from dpcomp_sym.certificates.integers import solved, whole
from dpcomp_sym.certificates.meaning import Meaning, as_node, count_term, points, restriction
from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.counting import blocks_alike, blocks_by_span, blocks_by_values
from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.pieces import in_pieces
from dpcomp_sym.engine.quotients import WHOLE, whole_view
from dpcomp_sym.engine.records import records_by_keys, records_moved
from dpcomp_sym.engine.together.spans import spanning
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Problem
from dpcomp_sym.replay import RejectedError, words
from dpcomp_sym.replay.algebra import INF, ONE, ZERO, at_most, num
from dpcomp_sym.replay.terms import Node, make, need
from dpcomp_sym.replay.words import blocks, condition
from dpcomp_sym.smt import Pair, Query, View, ViewDistance, logic
from dpcomp_sym.smt.query import GroundCell, equal, excluded, unequal
from dpcomp_sym.terms import BOOL, CELL, FALSE, INT, TRUE, Term, reads_database, variable
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer

__all__ = ["FALSE_ALONE", "SHORT", "FactChecker", "SolverQuestion", "UndecidedError"]


MOST_ASKED: Final = 8


MOST_STEPS: Final = 24


NOTHING: Final = BoundEdit((), TRUE, (), FALSE)


TOGETHER: Final = make("Connected", "and", ())
"""A condition that always holds."""


SHORT: Final = 60


FALSE_ALONE: Final = "(assert false)"


class UndecidedError(RejectedError):
    """Nothing is wrong with the certificate, but a solver gave up."""


@dataclass(frozen=True)
class SolverQuestion:
    """One question that is impossible, as SMT-LIB, and what each solver answers.

    ``setting`` is what it is asked under, the class, the symbols and the maps: a script by itself,
    which must be possible.
    """

    about: str
    script: str
    setting: str = ""
    answers: tuple[tuple[str, str], ...] = ()


class FactChecker:
    """Decides structural facts about one problem.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> check = FactChecker(problem)
    >>> check.fact(make("TouchCount", check.meaning.term, "edit 1", "blocks", ONE))
    >>> [q.about for q in check.questions]
    ['a record touched by edit 1 is in at most 1 block of blocks']
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.meaning = Meaning(problem)
        self.structure = Structure(problem)
        self.parts = {p.name: p for p in problem.bound_parts}
        self.questions: list[SolverQuestion] = []
        self._narrower: dict[tuple[Node, ...], Self] = {}

    # ------------------------------------------------------------- asking

    @contextmanager
    def noting(self, about: str) -> Iterator[None]:
        """Keep the script of every question that comes out as impossible meanwhile."""
        with excluded(about) as found:
            yield
        for one in found:
            if all(q.script != one.script for q in self.questions):
                self.questions.append(SolverQuestion(about, one.script, one.setting))

    def _pair(self, edit: BoundEdit = NOTHING) -> Pair:
        return self.structure.pair(edit)

    @staticmethod
    def _never(query: Query) -> bool:
        """Return whether all that was asserted is impossible."""
        return bool(query.check() == logic.unsat)

    # ------------------------------------------------------------- the facts, one by one

    def question(self, statement: Node) -> str:
        """Return what a structural leaf asks, in the words of the problem."""
        match statement:
            case ("BlockDistance", _, edit, part, touched, r):
                held = ", ".join(self._names(edit, touched)) or "changed records"
                far = "any distance" if r == INF else f"distance at most {words(r)}"
                exactly = "exactly " if touched else ""
                return f"after {edit}, {part} sees {far} in a block with {exactly}{held}"
            case ("TouchCount", _, edit, name, count):
                most = f"{blocks(count)} of {name}"
                if points(self._edit(edit)[0]):
                    return f"a record touched by {edit} is in at most {most}"
                return f"{edit} changes at most {most}"
            case ("Infeasible", _, edit, pattern, ranges):
                said = " and ".join(
                    f"{blocks(num(n))} of {name} with exactly {', '.join(self._names(edit, held))}"
                    for _, name, held, n in pattern
                )
                return f"{edit} never changes {said}" + restriction(ranges)
            case ("Restricted", of, ranges):
                return self.question(of) + restriction(ranges)
            case ("Shares", _, edit, name, count, distances):
                self._map(name)
                seen = ", ".join(f"{part} {words(r)}" for _, part, r in distances)
                return f"{edit} changes blocks of {name} that share what {words(count)} see: {seen}"
            case ("Mixed", _, edit, vectors):
                kinds = [" and ".join(map(self._group, groups)) for _, groups in vectors]
                return f"what {edit} changes is a mean of " + ", or ".join(f"({k})" for k in kinds)
            case ("Together", _, edit, sets):
                each = [" and ".join(self._lies(edit, x) for x in one) for _, one in sets]
                return f"{edit} changes nothing outside " + ", or ".join(f"({s})" for s in each)
            case ("ChangedTogether", _, edit, terms, facts, places):
                named = [to_text(from_text(t)) for t in terms]
                letters = {("Letter",): ",".join(f"({n})" if " " in n else n for n in named)}
                told = "; ".join(self._place(edit, p, letters) for p in places)
                there = "" if facts == TOGETHER else f", where {condition(facts, letters)}"
                return f"{edit} changes only {told}{there}"
            case _:
                raise RejectedError(f"a {statement[0]} leaf cannot be decided again")

    def _group(self, group: Node) -> str:
        """Return how blocks are seen, in words."""
        _, name, count, distances, block, wide = group
        self._map(name)
        which = f"block {','.join(map(str, block))}" if block else blocks(count)
        need(wide is None, "blocks that share what they see are not decided here")
        seen = ", ".join(f"{part} {words(r)}" for _, part, r in distances)
        return f"{which} of {name} ({seen})"

    def _place(self, edit: str, place: Node, letters: dict[Node, str]) -> str:
        """Return which blocks of a map an edit changes, in words."""
        _, name, touched, when, _ = place
        indices = ",".join(index for index, _ in self._map(name).indices)
        held = f" with exactly {', '.join(self._names(edit, touched))}" if touched else ""
        inside = {**letters, ("Index",): indices}
        said = condition(when, inside)
        for _, part, r in place[4]:
            said += f", where {part} sees distance at most {words(r, inside)}"
        return f"blocks {indices} of {name}{held} with {said}"

    def is_about_this(self, statement: Node) -> None:
        """Check that a fact is about this problem.

        Raises:
            RejectedError: it is about another one.
        """
        fact = statement[1] if statement[0] == "Restricted" else statement
        need(fact[1] == self.meaning.term, "the fact is about another problem")

    def fact(self, statement: Node) -> None:
        """Decide a structural fact.

        Raises:
            RejectedError: it is not about this problem, false, or not decided.
        """
        about = self.question(statement)
        self.is_about_this(statement)
        need(
            self._holds(about, partial(FactChecker.decided, statement=statement)),
            f"not confirmed: {about}",
        )

    def decided(self, statement: Node) -> bool:
        """Decide a fact for the numbers that symbols have."""
        match statement:
            case ("Restricted", of, ranges):
                return self._within(ranges).decided(of)
            case ("BlockDistance", _, edit, part, touched, r):
                return r == INF or self._distance(edit, part, touched, r)
            case ("TouchCount", _, edit, name, count):
                return count == INF or self._count(edit, name, count)
            case ("Infeasible", _, edit, pattern, ranges):
                return self._infeasible(edit, pattern, ranges)
            case ("Together", _, edit, sets):
                return self._together(edit, sets)
            case ("Shares", _, edit, name, count, distances):
                return self._shares(edit, name, count, distances)
            case ("Mixed", _, edit, vectors):
                return self._mixed(edit, vectors)
            case ("ChangedTogether", _, edit, terms, facts, places):
                return self._changed_together(edit, terms, facts, places)
            case _:
                return False

    @cached_property
    def _freed(self) -> Self | None:
        """The same problem with its fixed symbols open; None if it has none."""
        free = self.problem.freed()
        return None if free is self.problem else type(self)(free)

    def _within(self, ranges: tuple[Node, ...]) -> Self:
        """Return the same problem where symbols have no other numbers than those of a box.

        A range from 1 on does not bound the least number: it covers symbols that may be 0, too.
        """
        if ranges not in self._narrower:
            least = {symbol: low for _, symbol, low, _ in ranges if low > 1}
            most = {symbol: high for _, symbol, _, high in ranges}
            narrow = self.problem.within(least, most)
            self._narrower[ranges] = self if narrow is self.problem else type(self)(narrow)
        return self._narrower[ranges]

    def _holds(self, about: str, decide: Callable[[Self], bool]) -> bool:
        """Decide a statement for the numbers that symbols have, or else for all their numbers.

        What is true of all numbers is true of these; the question that was asked says so.
        """
        with self.noting(about):
            if decide(self):
                return True
        if self._freed is None:
            return False
        fixed = [n for n, f in self.problem.symbols.items() if self._freed.problem.symbols[n] != f]
        with self.noting(f"{about}, for all {', '.join(sorted(fixed))}"):
            return decide(self._freed)

    def _edit(self, name: str) -> tuple[BoundEdit, bool]:
        if name not in self.meaning.edits:
            raise RejectedError(f"the problem has no edit {name}")
        return self.meaning.edits[name]

    def _part(self, name: str) -> BoundPart:
        if name not in self.parts:
            raise RejectedError(f"the problem has no part {name}")
        return self.parts[name]

    def _map(self, name: str) -> BoundMap:
        if name not in self.problem.used_maps:
            raise RejectedError(f"the problem has no map {name}")
        return self.problem.used_maps[name]

    def _names(self, edit: str, touched: Sequence[int]) -> list[str]:
        bound = self._edit(edit)[0]
        need(list(touched) == sorted(set(touched)), "touched records are listed once, in order")
        need(all(1 <= n <= points(bound) for n in touched), "there is no such touched record")
        need(bool(touched) == bool(points(bound)), "a changed block holds a touched record")
        return [bound.points[n - 1] for n in touched]

    @staticmethod
    def _hold(
        pair: Pair, mapping: BoundMap, touched: Sequence[int], edit: BoundEdit
    ) -> tuple[Any, ...]:
        """Return a block that holds exactly the touched records (any block, for a frame)."""
        block = pair.index(mapping)
        if points(edit):
            for number, point in enumerate(pair.points, 1):
                inside = pair.member(mapping, point, block)
                pair.query.add(inside if number in touched else logic.Not(inside))
        return block

    def _in_class(self, part: BoundPart) -> bool:
        """Prove that what a map hands on lies in the part's class, at least of neighbours."""
        if part.default_class:  # what a map hands on, and nothing else is asked of it
            return True
        if not all(
            part.map.image is None and any(
                key == other and self._at_most(most, bound)
                for other, most in self.problem.domain.limit_terms
            )
            for key, bound in part.domain.limit_terms
        ):  # fmt: skip
            return False
        edits = [edit for edit, _ in self.meaning.edits.values()]
        return self._stays(part, NOTHING) or all(self._stays(part, edit) for edit in edits)

    def _stays(self, part: BoundPart, edit: BoundEdit) -> bool:
        """Prove that what a part sees before and after an edit has the sizes that it asks for."""
        pair = self._pair(edit)
        if edit is not NOTHING:
            pair.differ()
        query, view = pair.query, pair.view(part.map, pair.index(part.map))
        cell, fails = view.any_cell("z"), []
        for at, side in ((view.old, 0), (view.new, 1)):
            if part.domain.cap is not None:
                fails.append(at(cell) > part.domain.cap)
            for term in part.domain.size_terms:
                size = view.sizes()[side]
                databases = {"D": (at, lambda size=size: size)}
                fails.append(logic.Not(query.read(term, {}, databases)))
        query.add(logic.Or(*fails))
        return not fails or self._never(query)

    def _at_most(self, left: Term, right: Term) -> bool:
        query = Query(self.structure.signature, self.problem.symbols)
        query.add(query.read(left) > query.read(right))
        return self._never(query)

    def _distance(self, edit_name: str, part_name: str, touched: Sequence[int], r: Node) -> bool:
        edit, reverse = self._edit(edit_name)
        part = self._part(part_name)
        if not self._in_class(part):
            return False
        listing = self.structure.listing(part)
        if listing is not None:
            far = farthest_in_list(listing, edit, part, reverse=reverse)
            if isinstance(far, int) and at_most(num(far), r, ()):
                return True
        single = edit.frame is not None and one_by_one(part)
        if single and any(at_most(records, r, ()) for records in self._records(edit)):
            return True
        counted = records_by_keys(self.structure, edit, part.map, one_block=True)
        if single and counted is not None and at_most(as_node(counted), r, ()):
            return True
        if self._pieces(edit, part, r, reverse=reverse):
            return True
        if touched and one_by_one(part):
            moved = records_moved(self.structure, edit, [n - 1 for n in touched])
            if moved is not None and at_most(as_node(moved), r, ()):
                return True
        if r[0] != "Num" or r[1].denominator != 1:
            return self._walks(edit, part, touched, r)

        def hold(pair: Pair) -> tuple[Any, ...]:
            return self._hold(pair, part.map, touched, edit)

        if r == ZERO:
            pair = self._pair(edit)
            pair.view(part.map, hold(pair)).changed()
            return self._never(pair.query)
        near = self._near(edit, part, min(int(r[1]), MOST_STEPS), hold, reverse=reverse)
        return near or self._walks(edit, part, touched, r)

    def _pieces(self, edit: BoundEdit, part: BoundPart, r: Node, *, reverse: bool) -> bool:
        """Decide again of how many edits, one a piece, what a frame changes is made."""

        def look(pair: Pair) -> View:
            if part.setting == "common":
                return whole_view(pair)
            return pair.view(part.map, pair.index(part.map))

        found = in_pieces(self.structure, edit, part, look, reverse=reverse)
        return found is not None and at_most(as_node(found), r, ())

    def _near(
        self, edit: BoundEdit, part: BoundPart, most: int,
        hold: Callable[[Pair], tuple[Any, ...]], *, reverse: bool,
    ) -> bool:  # fmt: skip
        """Prove that a part sees a block at a distance of at most so many edits."""
        if part.setting == "common":
            return part.same_granularity or self.structure.pushed_at_most(
                edit, part, most, reverse=reverse, hold=hold
            )
        pair = self._pair(edit)
        view = pair.view(part.map, hold(pair))
        view.changed()
        distance = ViewDistance(view, part.granularity, reverse=reverse)
        return any(distance.at_most(length) == "proved" for length in range(1, most + 1))

    def _walks(self, edit: BoundEdit, part: BoundPart, touched: Sequence[int], r: Node) -> bool:
        """Decide again how many single steps a record takes to where an edit moves it."""
        if part.setting != "common" and len(touched) != len(edit.points):
            return False

        def look(pair: Pair) -> View:
            if part.setting == "common":
                return whole_view(pair)
            return pair.view(part.map, self._hold(pair, part.map, touched, edit))

        far = walked(self.structure, edit, part, look)
        return far is not None and at_most(as_node(far), r, ())

    def _count(self, edit_name: str, name: str, count: Node) -> bool:
        edit, _ = self._edit(edit_name)
        mapping = self._map(name)
        if not mapping.indices:
            return at_most(ONE, count, ())
        if mapping.constant:
            return False
        number = int(count[1]) if count[0] == "Num" else None
        if points(edit):
            if number is not None and number <= MOST_ASKED:
                return self._shared_by_at_most(mapping, number)
            each = self._each(mapping)
            return each is not None and at_most(each, count, ())
        if number is not None and number <= MOST_ASKED and self._change(edit, mapping, number):
            return True
        each = self._each(mapping)
        shared = each is not None and at_most(each, count, ())
        if shared and blocks_alike(self.structure, edit, mapping):
            return True
        if self._by_records(edit, mapping, count):
            return True
        ways = (
            bound(self.structure, edit, mapping) for bound in (blocks_by_span, blocks_by_values)
        )
        return any(most is not None and at_most(as_node(most), count, ()) for most in ways)

    def _shared_by_at_most(self, mapping: BoundMap, number: int, *, held: bool = False) -> bool:
        """Prove that a record lies in at most so many blocks; with ``held``, one that is there."""
        pair = self._pair()
        cell = pair.query.cell("z")
        for block in self._different(pair, mapping, number + 1):
            pair.query.add(pair.member(mapping, cell, block))
        if held:
            pair.query.add(pair.old(cell) >= 1)
        return self._never(pair.query)

    def _change(self, edit: BoundEdit, mapping: BoundMap, number: int) -> bool:
        """Prove that an edit changes at most so many blocks."""
        pair = self._pair(edit)
        for block in self._different(pair, mapping, number + 1):
            pair.view(mapping, block).changed()
        return self._never(pair.query)

    def _each(self, mapping: BoundMap) -> Node | None:
        """Return how many blocks can hold one record, as an expression."""
        most = self.structure.most_blocks_a_cell(mapping)
        return num(most) if isinstance(most, int) else count_term(most)

    @staticmethod
    def _different(pair: Pair, mapping: BoundMap, count: int) -> list[tuple[Any, ...]]:
        blocks = [pair.index(mapping) for _ in range(count)]
        for number, block in enumerate(blocks):
            pair.query.add(*[logic.Not(equal(block, other)) for other in blocks[:number]])
        return blocks

    def _by_records(self, edit: BoundEdit, mapping: BoundMap, count: Node) -> bool:
        """Bound the changed blocks by the changed records, each in so many blocks."""
        each = self._each(mapping)
        if each is None:
            return False
        counted = records_by_keys(self.structure, edit, mapping, one_block=False)
        found = [*self._records(edit), *([] if counted is None else [as_node(counted)])]
        return any(at_most(make("Product", (records, each)), count, ()) for records in found)

    def _records(self, edit: BoundEdit) -> Iterator[Node]:
        """Yield bounds on how many cells an edit changes, and a frame how many records.

        If all cells of a frame share the value of a limited term, each side holds at most the
        limit there; one side holds all that changes where the step only adds, or only removes.
        """
        if edit.frame is None:
            yield num(len(edit.points))
            return
        for key, bound in self.problem.domain.limit_terms:
            pair = self._pair(edit)
            query = pair.query
            cells = [query.cell("z"), query.cell("z")]
            for cell in cells:
                query.add(query.read(edit.frame, {**pair.params, "c": cell}))
            left, right = (query.read(key, {"c": c}) for c in cells)
            query.add(unequal(left, right))
            limit = count_term(bound)
            if limit is not None and self._never(query):
                sides = 1 if any(pair.monotone()) else 2
                yield make("Product", (num(sides), limit))

    def _positive(self, symbol: str) -> bool:
        """Return whether a symbol is at least 1: ranges that cover these numbers cover all."""
        fact = self.problem.symbols[symbol]
        one = Term("le", (integer(1), variable(symbol, INT)), BOOL)
        if fact in (one, Term("ge", (variable(symbol, INT), integer(1)), BOOL)):
            return True
        query = self._pair().query
        query.add(logic.compared("lt", query.symbols[symbol], 1))
        return self._never(query)

    def _infeasible(self, edit_name: str, pattern: Sequence[Node], ranges: Sequence[Node]) -> bool:
        edit, _ = self._edit(edit_name)
        pair = self._pair(edit)
        for _, symbol, low, high in ranges:
            if symbol not in pair.query.symbols or not self._positive(symbol):
                return False
            size = pair.query.symbols[symbol]
            pair.query.add(size >= low, *[size <= top for top in [high] if top is not None])
        blocks: list[tuple[str, tuple[Any, ...]]] = []
        for _, name, touched, count in pattern:
            self._names(edit_name, touched)
            if not 0 <= count <= MOST_ASKED:
                return False
            mapping = self._map(name)
            for _ in range(count):
                block = self._hold(pair, mapping, touched, edit)
                for other, index in blocks:
                    if other == name and mapping.indices:
                        pair.query.add(logic.Not(equal(block, index)))
                blocks.append((name, block))
        for name, block in blocks:
            pair.view(self._map(name), block).changed()
        return self._never(pair.query)

    def _shares(self, edit_name: str, name: str, count: Node, distances: Sequence[Node]) -> bool:
        """Prove that blocks share their records, each of which lies in so many of them.

        Each part sees a block from at most as far as there are records that come or go in it; no
        block has more of them than its distance says, and all together have each as often as it may
        lie in blocks: no more than that distance as often as ``count`` says.
        """
        edit, _ = self._edit(edit_name)
        mapping = self._map(name)
        each = self._each(mapping)
        parts = [self._part(part) for _, part, _ in distances]
        simple = edit.frame is not None and all(one_by_one(p) and p.map.name == name for p in parts)
        if not simple or each is None:
            return False
        if not all(map(self._in_class, parts)):
            return False
        counted = records_by_keys(self.structure, edit, mapping, one_block=False)
        alone = records_by_keys(self.structure, edit, mapping, one_block=True)
        found = [*self._records(edit), *([] if counted is None else [as_node(counted)])]
        inside = [*found, *([] if alone is None else [as_node(alone)])]
        return all(
            any(at_most(n, r, ()) for n in inside)
            and any(
                at_most(make("Product", (n, each)), make("Product", (count, r)), ()) for n in found
            )
            for _, _, r in distances
        )

    def _mixed(self, edit_name: str, vectors: Sequence[Node]) -> bool:
        """Prove that what parts see is a mean of what they see if all records lie where one does.

        No more records come or go than each part that is listed sees in each vector; and each of
        them lies in no blocks but those of one vector.
        """
        edit, _ = self._edit(edit_name)
        groups = [g for _, listed in vectors for g in listed]
        maps = {g[1]: self._map(g[1]) for g in groups}
        parts = {part: self._part(part) for g in groups for _, part, _ in g[3]}
        if edit.frame is None or any(m.image is not None for m in maps.values()):
            return False
        if not all(one_by_one(p) and self._in_class(p) for p in parts.values()):
            return False
        counted = records_by_keys(self.structure, edit, WHOLE, one_block=False)
        found = [*self._records(edit), *([] if counted is None else [as_node(counted)])]
        if not any(all(at_most(n, s[2], ()) for g in groups for s in g[3]) for n in found):
            return False
        for _, name, count, _, block, _ in groups:
            each = num(1) if block else self._each(maps[name])
            if each is None or not at_most(each, count, ()):
                return False
        return self._held_by_one(edit, vectors)

    def _held_by_one(self, edit: BoundEdit, vectors: Sequence[Node]) -> bool:
        """Prove that no record that changes lies outside of the blocks of each of the vectors."""
        pair = self._pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        for _, listed in vectors:
            outside = []
            for name, mapping in self.problem.used_maps.items():
                own = [g[4] for g in listed if g[1] == name]
                if () in own:
                    continue
                block, facts = self._block(pair, mapping, ())
                facts += [logic.Not(equal(block, tuple(map(logic.IntVal, b)))) for b in own]
                outside.append(logic.And(pair.member(mapping, cell, block), *facts))
            pair.query.add(logic.Or(*outside))
        return self._never(pair.query)

    def _changed_together(
        self, edit_name: str, terms: Sequence[str], facts: Node, places: Sequence[Node]
    ) -> bool:
        """Prove which blocks an edit changes, by the integers that it names."""
        edit, _ = self._edit(edit_name)
        pair = self._pair(edit)
        pair.query.add(logic.Not(solved(facts, pair, self._integers(pair, terms), ())))
        if facts != TOGETHER and not self._never(pair.query):
            return False
        for _, name, touched, when, distances in places:
            for _, part, r in distances:
                if not self._spanned(edit, terms, self._part(part), r):
                    return False
            self._names(edit_name, touched) if touched else None
            pair = self._pair(edit)
            mapping = self._map(name)
            block = self._hold(pair, mapping, touched, edit) if touched else pair.index(mapping)
            pair.view(mapping, block).changed()
            letters = self._integers(pair, terms)
            pair.query.add(logic.Not(solved(when, pair, letters, block)))
            if not self._never(pair.query):
                return False
        return True

    def _spanned(self, edit: BoundEdit, terms: Sequence[str], part: BoundPart, r: Node) -> bool:
        """Prove that a part sees a block at a distance that differs from block to block.

        One edit of the part changes all records with one value of an attribute, and the values of
        any two records that change in the block differ by less than that.
        """
        need(r[0] == "Amount" and edit.frame is not None, "no such distance is decided")
        domain = self.problem.domain
        if not self._in_class(part):
            return False
        for name, sort in domain.attribute_sorts.items():
            term = Term("attr", (name, variable("c", CELL)), INT)
            if sort != INT or not spanning(self.structure, part, term):
                continue
            pair = self._pair(edit)
            block = pair.index(part.map)
            view = pair.view(part.map, block)
            low, high = (pair.query.read(term, {"c": view.changed()}) for _ in range(2))
            length = whole(r[1], pair, self._integers(pair, terms), block)
            pair.query.add(high - low + 1 > length)
            if self._never(pair.query):
                return True
        return False

    @staticmethod
    def _integers(pair: Pair, terms: Sequence[str]) -> list[Any]:
        """Return the integers that an edit names: terms over its parameters, no databases."""
        read = [from_text(t) for t in terms]
        need(all(t.sort == INT and not reads_database(t) for t in read), "no integers of the edit")
        return [pair.query.read(t, pair.params) for t in read]

    def _lies(self, edit: str, touch: Node) -> str:
        _, name, block, touched, distances = touch
        held = ", ".join(self._names(edit, touched)) or "changed records"
        where_ = f"block {','.join(map(str, block))} of {name}" if block else name
        far = " and ".join(f"{part} at distance at most {words(r)}" for _, part, r in distances)
        seen = f", seen by {far}" if far else ""
        return f"{where_} with {'exactly ' if touched else ''}{held}{seen}"

    def _together(self, edit_name: str, sets: Sequence[Node]) -> bool:
        """Prove that no neighbours change, for each of the sets, something that is not in it."""
        edit, _ = self._edit(edit_name)
        pair = self._pair(edit)
        nearer = any(seen for _, listed in sets for *_, seen in listed)
        records = self._changed_records(pair) if nearer else []
        known: dict[tuple[Any, ...], Any] = {}
        for _, listed in sets:
            outside = []
            for name, block in self._places(sets):
                here = [x for x in listed if x[1:3] == (name, block)]
                for _, _, _, touched, _ in here:
                    self._names(edit_name, touched)
                allowed = tuple(sorted({touched for _, _, _, touched, _ in here}))
                most = self._most_records(here)
                if allowed and most is None and not points(edit):
                    continue
                key = name, block, allowed, most
                if key not in known:
                    changes = (
                        self._changes(pair, self._map(name), block, allowed)
                        if most is None
                        else self._more(pair, self._map(name), block, records, most)
                    )
                    known[key] = changes
                outside.append(known[key])
            if not outside:
                return True  # everything lies in this set
            pair.query.add(logic.Or(*outside))
        return self._never(pair.query)

    def _most_records(self, listed: Sequence[Node]) -> int | None:
        """Return how many records may change in a block that a set lists; None if any number.

        Where no more come or go, each of the parts that are listed sees it at most from there.
        """
        found = []
        for _, part, r in (seen for x in listed for seen in x[4]):
            is_whole = r[0] == "Num" and r[1].denominator == 1
            need(is_whole and not any(x[3] for x in listed), "no such distance is decided")
            reader = self._part(part)
            counts = reader.map.image is None and one_by_one(reader) and self._in_class(reader)
            need(counts, f"{part} may see more than there are records")
            found.append(int(r[1]))
        return min(found, default=None)

    def _changed_records(self, pair: Pair) -> list[GroundCell]:
        """Return cells, perhaps equal ones, among which are all that a frame changes."""
        bounds = list(self._records(pair.edit)) if pair.edit.frame is not None else []
        for most in range(1, MOST_ASKED + 1):
            if any(at_most(bound, num(most), ()) for bound in bounds):
                return [pair.query.cell("z") for _ in range(most)]
        raise RejectedError("any number of records may change")

    def _places(self, sets: Sequence[Node]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield all maps, or their blocks one by one where a set names some."""
        named = {name for _, listed in sets for _, name, block, *_ in listed if block}
        for name, mapping in self.problem.used_maps.items():
            if name not in named:
                yield name, ()
                continue
            sizes = [size for size in mapping.sizes if isinstance(size, int)]
            need(len(sizes) == len(mapping.sizes), f"the number of blocks of {name} is open")
            for block in product(*(range(1, n + 1) for n in sizes)):
                yield name, block

    @staticmethod
    def _block(
        pair: Pair, mapping: BoundMap, block: tuple[int, ...]
    ) -> tuple[tuple[Any, ...], list[Any]]:
        """Return a block, or any block of the map, and that there is one with this number."""
        index: tuple[Any, ...] = tuple(map(logic.IntVal, block))
        facts = []
        if not block and mapping.indices:
            index = tuple(pair.query.fresh(INT, name) for name, _ in mapping.indices)
            facts.append(pair.in_range(mapping, index))
        pair.indices.append((mapping, index))
        pair.query.stale()
        return index, facts

    @classmethod
    def _more(
        cls, pair: Pair, mapping: BoundMap, block: tuple[int, ...],
        records: Sequence[GroundCell], most: int,
    ) -> Any:  # fmt: skip
        """Return a truth value: more records come or go in the block (or one of the map)."""
        index, facts = cls._block(pair, mapping, block)

        def changed(cell: GroundCell) -> Any:
            more = pair.new(cell) - pair.old(cell)
            inside = pair.member(mapping, cell, index)
            return logic.If(inside, logic.If(more >= 0, more, -more), 0)

        found = pair.query.fresh(BOOL, "changes")
        number = pair.query.distinct_sum(changed, records)
        pair.query.add(logic.Implies(found, logic.And(*facts, number > most)))
        return found

    @classmethod
    def _changes(
        cls, pair: Pair, mapping: BoundMap, block: tuple[int, ...], allowed: Sequence[Sequence[int]]
    ) -> Any:
        """Return a truth value: the block (or one of the map) changes, and holds something else."""
        index, facts = cls._block(pair, mapping, block)
        view = pair.view(mapping, index)
        if pair.edit.frame is not None:
            cell = pair.query.cell("z") if mapping.image is None else view.cell("z")
            facts.append(view.old(cell) != view.new(cell))
        else:
            inside = [pair.member(mapping, p, index) for p in pair.points]
            seen = zip(inside, view.touched_points(), strict=True)
            facts.append(logic.Or(
                *[logic.And(here, view.old(c) != view.new(c)) for here, c in seen]
            ))  # fmt: skip
        for touched in allowed:
            exactly = [i if n in touched else logic.Not(i) for n, i in enumerate(inside, 1)]
            facts.append(logic.Not(logic.And(*exactly)))
        found = pair.query.fresh(BOOL, "changes")
        pair.query.add(logic.Implies(found, logic.And(*facts)))
        return found
