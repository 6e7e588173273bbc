"""The questions behind the facts of a certificate, built from the problem alone, and asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, Final

from dpcomp_sym.certificates.examples import ExampleReader, example_to_json
from dpcomp_sym.certificates.meaning import Meaning, as_node, count_term, points, restriction
from dpcomp_sym.engine import Refuted, Structure
from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.counting import blocks_alike, blocks_by_span
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.distances import Invariant, one_by_one
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.quotients import whole_view
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.together.spans import spanning
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Problem
from dpcomp_sym.profile import Infinity
from dpcomp_sym.replay import Leaf, RejectedError, words
from dpcomp_sym.replay.algebra import INF, ONE, ZERO, at_most, num
from dpcomp_sym.replay.terms import Node, make, need
from dpcomp_sym.replay.words import blocks, condition
from dpcomp_sym.smt import Pair, Query, View, ViewDistance, logic
from dpcomp_sym.smt.query import equal, excluded, unequal
from dpcomp_sym.terms import BOOL, CELL, FALSE, INT, TRUE, Term, reads_database, variable
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer

__all__ = ["FALSE_ALONE", "SHORT", "Recheck", "SolverQuestion", "UndecidedError"]


MOST_ASKED: Final = 8


MOST_STEPS: Final = 24


WHOLE: Final = BoundMap(".whole", (), TRUE, {}, (), None, None, {}, ("", "whole"))


NOTHING: Final = BoundEdit((), TRUE, (), FALSE)


PUSHED: Final = "the pushforward of its granularity"


TOGETHER: Final = make("Connected", "and", ())
"""A condition that always holds."""


COMMUTES: Final = "sum over the blocks of d_i(f_i D, f_i D') <= d(D, D') for all D, D'"


EACH: Final = {
    "compatibility": "C1 holds for each of",
    "sensitivity": "C2 holds for each of",
    "commutes": "the metric commutes with each of",
    "partition": "the blocks are disjoint in each of",
}


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


# ------------------------------------------------------------- facts


@dataclass(frozen=True)
class CertifiedCondition:
    """A named condition, what it says, and how it is proved."""

    name: str
    about: str
    statement: str
    holds: Callable[[], bool] = field(repr=False)


def _all_hold(each: Sequence[CertifiedCondition]) -> bool:
    return all(c.holds() for c in each)


def _with_all(each: Sequence[CertifiedCondition]) -> list[CertifiedCondition]:
    """Return several conditions of a kind: first that all of them hold, then each by itself."""
    if len(each) < 2:
        return list(each)
    name, about = each[0].name, ", ".join(c.about for c in each)
    whole = CertifiedCondition(name, about, f"{EACH[name]} {about}", partial(_all_hold, each))
    return [whole, *(replace(c, name=f"{name}[{c.about}]") for c in each)]


class Recheck:
    """Decides structural facts about one problem.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> check = Recheck(problem)
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
        self._narrower: dict[tuple[Node, ...], Recheck] = {}

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
        """Check that a fact speaks of this problem.

        Raises:
            RejectedError: it speaks of another one.
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
            self._holds(about, partial(Recheck.decided, statement=statement)),
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
            case ("ChangedTogether", _, edit, terms, facts, places):
                return self._changed_together(edit, terms, facts, places)
            case _:
                return False

    @cached_property
    def _freed(self) -> Recheck | None:
        """The same problem with its fixed symbols open; None if it has none."""
        free = self.problem.freed()
        return None if free is self.problem else Recheck(free)

    def _within(self, ranges: tuple[Node, ...]) -> Recheck:
        """Return the same problem where symbols have no other numbers than those of a box.

        A range from 1 on says nothing of the least number: it covers symbols that may be 0, too.
        """
        if ranges not in self._narrower:
            least = {symbol: low for _, symbol, low, _ in ranges if low > 1}
            most = {symbol: high for _, symbol, _, high in ranges}
            narrow = self.problem.within(least, most)
            self._narrower[ranges] = self if narrow is self.problem else Recheck(narrow)
        return self._narrower[ranges]

    def _holds(self, about: str, decide: Callable[[Recheck], bool]) -> bool:
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
        """Prove that what a map hands on lies in the part's class."""
        if part.default_class:  # what a map hands on, and nothing else is asked of it
            return True
        pair = self._pair()
        query, view = pair.query, pair.view(part.map, pair.index(part.map))
        cell, fails = view.cell("z"), []
        if part.domain.cap is not None:
            fails.append(view.old(cell) > part.domain.cap)
        for term in part.domain.size_terms:
            size, _ = view.sizes()
            databases = {"D": (view.old, lambda size=size: size)}
            fails.append(logic.Not(query.read(term, {}, databases)))
        for key, bound in part.domain.limit_terms:
            if part.map.image is not None or not any(
                key == other and self._at_most(most, bound)
                for other, most in self.problem.domain.limit_terms
            ):
                return False
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
        spanned = blocks_by_span(self.structure, edit, mapping)
        return spanned is not None and at_most(as_node(spanned), count, ())

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
        block has more of them than there are, and all together have each as often as it may lie in
        blocks.
        """
        edit, _ = self._edit(edit_name)
        mapping = self._map(name)
        each = self._each(mapping)
        parts = [self._part(part) for _, part, _ in distances]
        simple = edit.frame is not None and all(one_by_one(p) and p.map.name == name for p in parts)
        if not simple or each is None or not at_most(each, count, ()):
            return False
        if not all(map(self._in_class, parts)):
            return False
        counted = records_by_keys(self.structure, edit, mapping, one_block=False)
        found = [*self._records(edit), *([] if counted is None else [as_node(counted)])]
        return any(all(at_most(n, r, ()) for _, _, r in distances) for n in found)

    def _changed_together(
        self, edit_name: str, terms: Sequence[str], facts: Node, places: Sequence[Node]
    ) -> bool:
        """Prove which blocks an edit changes, by the integers that it names."""
        edit, _ = self._edit(edit_name)
        pair = self._pair(edit)
        pair.query.add(logic.Not(_solved(facts, pair, self._integers(pair, terms), ())))
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
            pair.query.add(logic.Not(_solved(when, pair, letters, block)))
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
            length = _whole(r[1], pair, self._integers(pair, terms), block)
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
        _, name, block, touched = touch
        held = ", ".join(self._names(edit, touched)) or "changed records"
        where_ = f"block {','.join(map(str, block))} of {name}" if block else name
        return f"{where_} with {'exactly ' if touched else ''}{held}"

    def _together(self, edit_name: str, sets: Sequence[Node]) -> bool:
        """Prove that no neighbours change, for each of the sets, something that is not in it."""
        edit, _ = self._edit(edit_name)
        pair = self._pair(edit)
        changes: dict[tuple[str, tuple[int, ...], tuple[Any, ...]], Any] = {}
        for _, listed in sets:
            outside = []
            for name, block in self._places(sets):
                allowed = tuple(sorted({t for _, n, b, t in listed if (n, b) == (name, block)}))
                for touched in allowed:
                    self._names(edit_name, touched)
                if allowed and not points(edit):
                    continue
                key = name, block, allowed
                if key not in changes:
                    changes[key] = self._changes(pair, self._map(name), block, allowed)
                outside.append(changes[key])
            if not outside:
                return True  # everything lies in this set
            pair.query.add(logic.Or(*outside))
        return self._never(pair.query)

    def _places(self, sets: Sequence[Node]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield all maps, or their blocks one by one where a set names some."""
        named = {name for _, listed in sets for _, name, block, _ in listed if block}
        for name, mapping in self.problem.used_maps.items():
            if name not in named:
                yield name, ()
                continue
            sizes = [size for size in mapping.sizes if isinstance(size, int)]
            need(len(sizes) == len(mapping.sizes), f"the number of blocks of {name} is no number")
            for block in product(*(range(1, n + 1) for n in sizes)):
                yield name, block

    @staticmethod
    def _changes(
        pair: Pair, mapping: BoundMap, block: tuple[int, ...], allowed: Sequence[Sequence[int]]
    ) -> Any:
        """Return a truth value: the block (or one of the map) changes, and holds something else."""
        index: tuple[Any, ...] = tuple(map(logic.IntVal, block))
        facts = []
        if not block and mapping.indices:
            index = tuple(pair.query.fresh(INT, name) for name, _ in mapping.indices)
            facts.append(pair.in_range(mapping, index))
        pair.indices.append((mapping, index))
        pair.query.stale()
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

    # ------------------------------------------------------------- neighbours, conditions

    def blunt(self) -> bool:
        """Return whether a formula of the problem is the word "false"."""
        problem = self.problem
        edits = [
            edit
            for granularity in (problem.outer, *(p.granularity for p in problem.bound_parts))
            for edit in granularity.edits
        ]
        maps = problem.used_maps.values()
        said = (
            problem.domain.cell_term,
            *problem.domain.fact_terms,
            *problem.symbols.values(),
            *(term for e in edits for term in (e.guard, e.frame, e.step)),
            *(term for m in maps for term in (m.member, *m.facts)),
        )
        return FALSE in said

    def possible(self) -> None:
        """Refuse a class that provably has no database.

        Raises:
            RejectedError: it has none.
        """
        need(not self._never(self._pair().query), "no database is in the class")

    def vacuous(self) -> bool:
        """Return whether there are provably no two different neighbours."""
        return self._no_neighbours

    @cached_property
    def _no_neighbours(self) -> bool:
        return self._holds("no two different databases are neighbours", Recheck._all_idle)

    def _all_idle(self) -> bool:
        return all(self._idle(edit) for edit, _ in self.meaning.edits.values())

    def _idle(self, edit: BoundEdit) -> bool:
        pair = self._pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        return self._never(pair.query)

    def conditions(self) -> list[CertifiedCondition]:
        """Return the conditions that the problem raises, each with a way to prove it."""
        problem = self.problem
        families = [m for m in problem.used_maps.values() if not m.constant]
        alone = [
            self._stated("partition", m.name, f"no record lies in two blocks of {m.name}",
                         partial(Recheck._shared_by_at_most, mapping=m, number=1, held=True))
            for m in families if m.multiplicity is None
        ]  # fmt: skip
        one = {
            m.name: self._stated(
                "compatibility", m.name,
                f"between neighbours at most one block of {m.name} changes (C1)",
                partial(Recheck._one_changes, mapping=m),
            )
            for m in families
        }  # fmt: skip
        near = {
            p.name: self._stated(
                "sensitivity", p.name,
                f"{p.name} sees neighbours at distance at most 1 in "
                f"{'its own domain' if p.setting == 'separate' else PUSHED} (C2)",
                partial(Recheck._sees_one, part=p),
            )
            for p in problem.bound_parts if p.setting == "separate" or not p.same_granularity
        }  # fmt: skip
        both = []
        for m in () if problem.outer.directed else families:
            why = [one[m.name]]
            why += [near[p.name] for p in problem.bound_parts
                    if p.map.name == m.name and p.name in near]  # fmt: skip
            said = f"the metric commutes with {m.name}: {COMMUTES}"
            both.append(CertifiedCondition("commutes", m.name, said, partial(_all_hold, why)))
        groups = (alone, list(one.values()), list(near.values()), both)
        return [c for group in groups for c in _with_all(group)]

    def _stated(
        self, name: str, about: str, statement: str, decide: Callable[[Recheck], bool]
    ) -> CertifiedCondition:
        """Return a condition that is decided for the numbers of symbols, or for all of them."""
        return CertifiedCondition(
            name, about, statement, partial(self._holds, f"{name}: {statement}", decide)
        )

    def _one_changes(self, mapping: BoundMap) -> bool:
        return all(self._change(edit, mapping, 1) for edit, _ in self.meaning.edits.values())

    def _sees_one(self, part: BoundPart) -> bool:
        def hold(pair: Pair) -> tuple[Any, ...]:
            return pair.index(part.map)

        return self._in_class(part) and all(
            self._near(edit, part, 1, hold, reverse=reverse)
            for edit, reverse in self.meaning.edits.values()
        )

    def condition(self, row: Mapping[str, Any], expected: CertifiedCondition) -> None:
        """Decide one condition again; one that is unknown claims nothing.

        Raises:
            RejectedError: it is another condition, or it does not come out so.
        """
        name, verdict, example = row["name"], row["verdict"], row["example"]
        stated = (name, row["about"], row["statement"])
        need(stated == (expected.name, expected.about, expected.statement), "other conditions")
        need(verdict == "refuted" or example is None, f"{name}: an example that refutes nothing")
        with self.noting(f"{name}: {expected.statement}"):
            match verdict:
                case "proved":
                    need(expected.holds(), f"not confirmed: {expected.statement}")
                case "refuted":
                    self.refuted(expected.name, expected.about, example)
                case "vacuous":
                    need(self.vacuous(), f"{name} is not vacuous: there may be neighbours")
                case _:
                    need(verdict == "unknown", f"{name}: there is no such verdict")

    @staticmethod
    def example_of(outcome: object) -> dict[str, Any] | None:
        """Return the databases behind a refutation as plain data."""
        if not isinstance(outcome, Refuted):
            return None
        e = outcome.counterexample
        return example_to_json(e.world, e.old, e.new, e.blocks)

    def refuted(self, name: str, about: str, example: Any) -> None:
        """Evaluate the databases that are to refute a condition.

        Raises:
            RejectedError: they do not.
        """
        found = self.example(example)
        kind, _, _ = name.partition("[")
        names = about.split(", ")
        holds = False
        if kind in {"compatibility", "commutes"}:
            holds = self._two_changed(found, names)
        if kind == "partition":
            holds = self._overlap(found, names)
        readers = [
            p
            for p in self.problem.bound_parts
            if (p.map.name if kind == "commutes" else p.name) in names
        ]
        if kind in {"sensitivity", "commutes"}:
            holds = holds or self._far(found, readers, 1) is not None
        need(holds, f"the databases do not refute {name}")

    @staticmethod
    def _overlap(found: FoundPair, names: Sequence[str]) -> bool:
        """Evaluate whether a record lies in two blocks of one of the maps."""
        if len(found.blocks) != 2:
            return False
        (mapping, first), (other, second) = found.blocks
        return (
            mapping.name == other.name
            and mapping.name in names
            and first != second
            and any(
                found.world.member(mapping, cell, first)
                and found.world.member(mapping, cell, second)
                for cell in (*found.old, *found.new)
            )
        )

    @staticmethod
    def _two_changed(found: FoundPair, names: Sequence[str]) -> bool:
        changed = {
            (m.name, i)
            for m, i in found.blocks
            if found.world.apply(m, found.old, i) != found.world.apply(m, found.new, i)
        }
        return any(sum(n == name for n, _ in changed) >= 2 for name in names)

    def _far(self, found: FoundPair, readers: Sequence[BoundPart], least: int) -> BoundPart | None:
        """Return one of the parts that sees the databases at more than this distance."""
        for part in readers:
            for mapping, index in found.blocks:
                if mapping.name != part.map.name:
                    continue
                for reverse in self.structure.orientations:
                    lower = self.structure.bracket(found, part, index, reverse=reverse).lower
                    if isinstance(lower, Infinity) or lower > least:
                        return part
        return None

    # ------------------------------------------------------------- evidence

    def evidence(self, leaf: Leaf) -> dict[str, Any]:
        """Return the question behind a leaf and, behind an infinite distance, an example."""
        statement = leaf.statement
        found: dict[str, Any] = {
            "step": leaf.step, "question": self.question(statement), "example": None,
            "invariants": [],
        }  # fmt: skip
        if statement[0] == "BlockDistance" and statement[5] == INF:
            example = self._infinite(statement[2], statement[3], statement[4])
            if example is not None:
                found["example"] = example_to_json(
                    example.world, example.old, example.new,
                    [(m.name, i) for m, i in example.blocks],
                )  # fmt: skip
                found["invariants"] = self._broken(example, self._part(statement[3]))
        return found

    def _infinite(self, edit_name: str, part_name: str, touched: Sequence[int]) -> FoundPair | None:
        """Look for neighbours that a part sees at infinite distance."""
        edit, reverse = self._edit(edit_name)
        part = self._part(part_name)
        if part.setting == "common":
            return None

        def ask(pair: Pair) -> Demand:
            block = self._hold(pair, part.map, touched, edit)
            view = pair.view(part.map, block)
            view.changed()
            far = [(ViewDistance(view, part.granularity, reverse=reverse), 2)]
            return Demand([(part.map, block)], far)

        def judge(found: FoundPair) -> bool:
            ((_, index),) = found.blocks
            lower = self.structure.bracket(found, part, index, reverse=reverse).lower
            return isinstance(lower, Infinity)

        return self.structure.confirmed(edit, ask, judge)

    def _broken(self, found: FoundPair, part: BoundPart) -> list[list[str]]:
        """Return the counts that the part's edits keep and these databases do not share."""
        ((_, index),) = found.blocks
        old, new = (found.world.apply(part.map, d, index) for d in (found.old, found.new))
        kept: list[Invariant] = self.structure.kept_by(part.granularity)
        return [
            [to_text(k) for k in inv.keys]
            for inv in kept
            if inv.counts(found.world, part.domain, old)
            != inv.counts(found.world, part.domain, new)
        ]

    def supported(self, row: Mapping[str, Any], leaf: Leaf) -> None:
        """Check the evidence for a leaf: its question, and the example of an infinite distance.

        Raises:
            RejectedError: it does not support the leaf.
        """
        statement = leaf.statement
        need(type(row["step"]) is int and row["step"] == leaf.step, "evidence for another step")
        need(row["question"] == self.question(statement), "the question is another one")
        if row["example"] is None:
            need(row["invariants"] == [], "invariants without an example")
            return
        infinite = statement[0] == "BlockDistance" and statement[5] == INF
        need(infinite, "there is an example for a distance that is not infinite")
        found = self.example(row["example"])
        part = self._part(statement[3])
        need([m.name for m, _ in found.blocks] == [part.map.name], "the example is about others")
        ((_, index),) = found.blocks
        reverse = self._edit(statement[2])[1]
        lower = self.structure.bracket(found, part, index, reverse=reverse).lower
        need(isinstance(lower, Infinity), "the distance in the example is not infinite")
        need(row["invariants"] == self._broken(found, part), "the invariants are others")

    # ------------------------------------------------------------- databases

    def example(self, data: Any) -> FoundPair:
        """Read two databases, and check that they are neighbours.

        Raises:
            RejectedError: they are not, or something is malformed.
        """
        found = ExampleReader(self.structure, self._map).read(data)
        try:
            holds = Pairs.of(self.problem).hold(found.world, found.old, found.new)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise RejectedError(f"the example cannot be evaluated: {error}") from None
        need(holds, "the databases of the example are no neighbours")
        return found


def _solved(p: Node, pair: Pair, letters: Sequence[Any], block: Sequence[Any]) -> Any:
    """Return a condition on integers as a formula of the solver."""
    match p:
        case ("Connected", "not", (one,)):
            return logic.Not(_solved(one, pair, letters, block))
        case ("Connected", word, items):
            parts = [_solved(x, pair, letters, block) for x in items]
            return logic.And(*parts) if word == "and" else logic.Or(*parts)
        case ("Compared", word, left, right):
            a, b = (_whole(side, pair, letters, block) for side in (left, right))
            if word in ("eq", "ne"):
                return equal(a, b) if word == "eq" else unequal(a, b)
            return logic.compared(word, a, b)
        case _:
            raise RejectedError("no condition")


def _whole(e: Node, pair: Pair, letters: Sequence[Any], block: Sequence[Any]) -> Any:
    """Return an integer as a term of the solver."""
    match e:
        case ("Integer", value):
            return logic.IntVal(value)
        case ("Symbol", name):
            return pair.query.symbols[name]
        case ("Letter", number):
            return letters[number - 1]
        case ("Index", number):
            return block[number - 1]
        case ("Combined", word, items):
            return _computed(word, items, [_whole(x, pair, letters, block) for x in items])
        case _:
            raise RejectedError("no integer")


def _computed(word: str, items: Sequence[Node], values: Sequence[Any]) -> Any:
    first, *others = values
    if word in ("div", "mod"):
        need(items[1][0] == "Integer" and items[1][1] > 0, "a divisor is no positive number")
        return (logic.quotient if word == "div" else logic.remainder)(first, values[1])
    if word == "neg":
        return -first
    for other in others:
        if word == "add":
            first = logic.plus(first, other)
        elif word == "mul":
            first = first * other
        else:
            first = logic.If(
                logic.compared("le" if word == "min" else "ge", first, other), first, other
            )
    return first
