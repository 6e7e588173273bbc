"""The questions behind the facts of a certificate, built from the problem alone, and asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any, Final, Self

from dpcomp_sym.certificates.integers import as_term, lettered, sliced_by, solved, whole
from dpcomp_sym.certificates.meaning import as_node, count_term, points
from dpcomp_sym.certificates.wording import TOGETHER, FactWords
from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.blocks import near_each
from dpcomp_sym.engine.counting import (
    blocks_alike,
    blocks_by_cases,
    blocks_by_span,
    blocks_by_values,
    cells_touched,
)
from dpcomp_sym.engine.distances import edits_a_record, one_by_one
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.pieces import in_pieces
from dpcomp_sym.engine.quotients import WHOLE, whole_view
from dpcomp_sym.engine.records import (
    records_by_keys,
    records_moved,
    records_of_one_side,
    values_told,
)
from dpcomp_sym.engine.replaced import in_pairs
from dpcomp_sym.engine.together.find import function_of, has_indices, index_variable
from dpcomp_sym.engine.together.naming import (
    named_records,
    names_of_records,
    number_of_records,
)
from dpcomp_sym.engine.together.slices import records_in_slice
from dpcomp_sym.engine.together.spans import spanning, steps_of_one_value
from dpcomp_sym.engine.trail import Choice, Trail
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Problem
from dpcomp_sym.profile import Infinity, Number, product_of
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import INF, ONE, ZERO, at_most, num
from dpcomp_sym.replay.terms import Node, make, need
from dpcomp_sym.smt import Pair, Query, View, logic
from dpcomp_sym.smt.query import GroundCell, equal, excluded, unequal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer

__all__ = ["FALSE_ALONE", "SHORT", "FactChecker", "SolverQuestion", "UndecidedError"]


MOST_ASKED: Final = 8


MOST_STEPS: Final = 24


NOTHING: Final = BoundEdit((), TRUE, (), FALSE)


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


class FactChecker(FactWords):
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
        super().__init__(problem)
        self.structure = Structure(problem)
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

    def is_about_this(self, statement: Node) -> None:
        """Check that a fact is about this problem.

        Raises:
            RejectedError: it is about another one.
        """
        fact = statement[1] if statement[0] == "Restricted" else statement
        need(fact[1] == self.meaning.term, "the fact is about another problem")

    def fact(self, statement: Node, reason: Choice | None = None) -> None:
        """Decide a structural fact, by the reason that is given; by any argument if none is.

        Raises:
            RejectedError: it is not about this problem, false, or not decided.
        """
        about = self.question(statement)
        self.is_about_this(statement)
        trail = Trail(None if reason is None else [reason])
        need(self._shown(about, statement, trail), f"not confirmed: {about}")
        need(reason is None or trail.choices == [reason], f"another reason: {about}")

    def reason(self, statement: Node) -> Choice:
        """Return by which argument a fact holds; one that says so where none was found."""
        trail = Trail()
        self._shown(self.question(statement), statement, trail)
        return trail.choices[0]

    def _shown(self, about: str, statement: Node, trail: Trail) -> bool:
        return self._holds(about, lambda check: check.decided(statement, trail), trail)

    def decided(self, statement: Node, trail: Trail) -> bool:
        """Decide a fact by one of the arguments for such facts, which the trail notes."""
        if statement[0] == "Restricted":
            return self._within(statement[2]).decided(statement[1], trail)
        self.structure.trail = trail
        try:
            ways = self._arguments(statement)
            return bool(trail.first("argument", ways, lambda way: ways[way]()))
        finally:
            self.structure.trail = Trail()

    def _arguments(self, statement: Node) -> dict[str, Callable[[], bool]]:
        match statement:
            case ("BlockDistance", _, _, _, _, r) if r == INF:
                return {"no distance is larger": lambda: True}
            case ("BlockDistance", _, edit, part, touched, r):
                return self._distances(edit, part, touched, r)
            case ("TouchCount", _, _, _, count) if count == INF:
                return {"no number is larger": lambda: True}
            case ("TouchCount", _, edit, name, count):
                return self._counts(edit, name, count)
            case ("Infeasible", _, edit, pattern, ranges):
                return {
                    "no neighbours change these": partial(self._infeasible, edit, pattern, ranges)
                }
            case ("Together", _, edit, sets):
                return {"no neighbours change more": partial(self._together, edit, sets)}
            case ("Shares", _, edit, name, count, distances):
                return {
                    "records lie in blocks": partial(self._shares, edit, name, count, distances)
                }
            case ("ChangedTogether", _, edit, terms, facts, places):
                changed = partial(self._changed_together, edit, terms, facts, places)
                return {"no neighbours change others": changed}
            case ("ChangedByRecords", _, edit, times, terms, facts, places):
                held = partial(self._by_records, edit, times, terms, facts, places)
                return {"each record lies in these": held}
            case _:
                return {}

    def _holds(
        self, about: str, decide: Callable[[Self], bool], trail: Trail | None = None
    ) -> bool:
        """Decide a statement for the numbers that symbols have, or else for all their numbers.

        What is true of all numbers is true of these; the question that was asked says so.
        """
        if self._freed is None:
            with self.noting(about):
                return decide(self)
        fixed = [n for n, f in self.problem.symbols.items() if self._freed.problem.symbols[n] != f]
        general = f"for all {', '.join(sorted(fixed))}"
        checks = {"for these": self, general: self._freed}

        def show(numbers: str) -> bool:
            with self.noting(about if checks[numbers] is self else f"{about}, {numbers}"):
                return decide(checks[numbers])

        return bool((trail or Trail()).first("numbers", checks, show))

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

    def _distances(
        self, edit_name: str, part_name: str, touched: Sequence[int], r: Node
    ) -> dict[str, Callable[[], bool]]:
        """Return the arguments for a part seeing what changes at no larger distance."""
        edit, reverse = self._edit(edit_name)
        part = self._part(part_name)
        if not self._in_class(part):
            return {}
        ways: dict[str, Callable[[], bool]] = {}
        listing = self.structure.listing(part)
        if listing is not None:
            ways["databases of a list"] = lambda: self._no_more(
                farthest_in_list(listing, edit, part, reverse=reverse), r
            )
        if edit.frame is not None and one_by_one(part):
            ways["records of a limit"] = lambda: self._of_limit(edit, r)
            ways["records by limits"] = lambda: self._no_more(
                records_by_keys(self.structure, edit, part.map, one_block=True), r
            )
        again = edits_a_record(part.granularity) == 2
        if edit.frame is not None and again:
            ways["records by limits, two edits each"] = lambda: self._no_more(
                _twice(records_by_keys(self.structure, edit, part.map, one_block=True)), r
            )
        if edit.frame is not None and in_pairs(part):
            ways["records in pairs"] = lambda: self._no_more(
                records_of_one_side(self.structure, edit, part.map), r
            )
        ways["an edit for each piece"] = lambda: self._no_more(
            in_pieces(self.structure, edit, part, partial(self._whole, part), reverse=reverse), r
        )
        if touched and one_by_one(part):
            ways["records one by one"] = lambda: self._no_more(
                records_moved(self.structure, edit, [n - 1 for n in touched]), r
            )
        if touched and again:
            ways["records one by one, two edits each"] = lambda: self._no_more(
                _twice(records_moved(self.structure, edit, [n - 1 for n in touched])), r
            )
        hold = partial(self._hold, mapping=part.map, touched=touched, edit=edit)
        if r == ZERO:
            ways["nothing changes"] = lambda: self._unseen(edit, part, hold)
        elif r[0] == "Num" and r[1].denominator == 1:
            most = min(int(r[1]), MOST_STEPS)
            if part.setting != "common" and not touched and reads_database(edit.step):
                pair_of = partial(self._pair, edit)
                ways["blocks one by one"] = lambda: bool(
                    near_each(pair_of, part, most, reverse=reverse)
                )
            ways |= self._near(edit, part, most, hold, reverse=reverse)
        if r != ZERO and (part.setting == "common" or len(touched) == len(edit.points)):
            ways["unit steps"] = lambda: self._walks(edit, part, touched, r)
        return ways

    @staticmethod
    def _no_more(found: Any, r: Node) -> bool:
        """Return whether a number that was found is at most another one."""
        known = found is not None and not isinstance(found, Infinity)
        return known and at_most(as_node(found), r, ())

    def _unseen(
        self, edit: BoundEdit, part: BoundPart, hold: Callable[[Pair], tuple[Any, ...]]
    ) -> bool:
        pair = self._pair(edit)
        pair.view(part.map, hold(pair)).changed()
        return self._never(pair.query)

    @staticmethod
    def _whole(part: BoundPart, pair: Pair) -> View:
        """Return what a part sees of any block, or the whole databases on the common domain."""
        if part.setting == "common":
            return whole_view(pair)
        return pair.view(part.map, pair.index(part.map))

    def _near(
        self, edit: BoundEdit, part: BoundPart, most: int,
        hold: Callable[[Pair], tuple[Any, ...]], *, reverse: bool,
    ) -> dict[str, Callable[[], bool]]:  # fmt: skip
        """Return the arguments for a distance of at most so many edits."""
        structure = self.structure
        if part.setting == "common":
            if part.same_granularity:
                return {"neighbours of the whole domain": lambda: True}
            return {
                "paths of the whole domain": lambda: structure.pushed_at_most(
                    edit, part, most, reverse=reverse, hold=hold
                )
            }

        def led_over() -> bool:
            pair = self._pair(edit)
            view = pair.view(part.map, hold(pair))
            view.changed()
            return structure.led_over(view, part.granularity, 1, most, reverse=reverse)

        return {"paths": led_over}

    def _walks(self, edit: BoundEdit, part: BoundPart, touched: Sequence[int], r: Node) -> bool:
        """Prove how many single steps a record takes to where an edit moves it."""

        def look(pair: Pair) -> View:
            if part.setting == "common":
                return whole_view(pair)
            return pair.view(part.map, self._hold(pair, part.map, touched, edit))

        return self._no_more(walked(self.structure, edit, part, look), r)

    def _counts(
        self, edit_name: str, name: str, count: Node
    ) -> dict[str, Callable[[], bool]]:  # fmt: skip
        """Return the arguments for no more blocks holding a record, or changing."""
        edit, _ = self._edit(edit_name)
        mapping, structure = self._map(name), self.structure
        if not mapping.indices:
            return {"one block": lambda: at_most(ONE, count, ())}
        if mapping.constant:
            return {}
        number = int(count[1]) if count[0] == "Num" else None
        few = number if number is not None and number <= MOST_ASKED else None
        if points(edit):
            if few is not None:
                return {"so many different blocks": lambda: self._shared_by_at_most(mapping, few)}
            return {"blocks of a record": lambda: self._shared(mapping, count)}
        ways: dict[str, Callable[[], bool]] = {}
        if few is not None:
            ways["so many different blocks"] = lambda: self._change(edit, mapping, few)
        ways["all in the same blocks"] = lambda: (
            self._shared(mapping, count) and blocks_alike(structure, edit, mapping)
        )
        ways["records of a limit, each in so many blocks"] = lambda: self._by_limit(
            edit, mapping, count
        )
        ways["records by limits, each in so many blocks"] = lambda: self._by_limits(
            edit, mapping, count
        )
        ways["cells that change, each in so many blocks"] = lambda: self._each_in_blocks(
            mapping, cells_touched(structure, edit), count
        )
        ways["case by case of the frame"] = lambda: self._no_more(
            blocks_by_cases(structure, edit, mapping), count
        )
        ways["what is near"] = lambda: self._no_more(
            blocks_by_span(structure, edit, mapping), count
        )
        ways["values of limits"] = lambda: self._no_more(
            blocks_by_values(structure, edit, mapping), count
        )
        return ways

    def _shared(self, mapping: BoundMap, count: Node) -> bool:
        """Prove that no record lies in more blocks than a count."""
        each = self._each(mapping)
        return each is not None and at_most(each, count, ())

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

    def _by_limit(self, edit: BoundEdit, mapping: BoundMap, count: Node) -> bool:
        """Bound the changed blocks by the records of a limit, each in so many blocks."""
        each = self._each(mapping)
        return each is not None and self._of_limit(edit, count, each)

    def _by_limits(self, edit: BoundEdit, mapping: BoundMap, count: Node) -> bool:
        """Bound the changed blocks by the changed records, each in so many blocks."""
        counted = records_by_keys(self.structure, edit, mapping, one_block=False)
        return self._each_in_blocks(mapping, counted, count)

    def _each_in_blocks(self, mapping: BoundMap, counted: Number | None, count: Node) -> bool:
        each = self._each(mapping)
        known = each is not None and counted is not None
        return known and at_most(make("Product", (as_node(counted), each)), count, ())

    def _of_limit(self, edit: BoundEdit, most: Node, each: Node = ONE) -> bool:
        """Prove that an edit changes no more, where each of its records counts so often.

        If all cells of a frame share the value of a limited term, each side holds at most the
        limit there; one side holds all that changes where the step only adds, or only removes.
        """
        if edit.frame is None:
            return at_most(make("Product", (num(len(edit.points)), each)), most, ())

        def bounds(limit: tuple[Term, Term]) -> bool:
            records = self._records_of(edit, *limit)
            return records is not None and at_most(make("Product", (records, each)), most, ())

        shown = self.structure.trail.first(
            "limit", self.problem.domain.limit_terms, bounds,
            lambda limit: f"{to_text(limit[1])} with the same {to_text(limit[0])}",
        )  # fmt: skip
        return bool(shown)

    def _records_of(self, edit: BoundEdit, key: Term, bound: Term) -> Node | None:
        """Return how many records a frame changes all of which share the key of a limit."""
        limit, pair = count_term(bound), self._pair(edit)
        query = pair.query
        cells = [query.cell("z"), query.cell("z")]
        for cell in cells:
            query.add(query.read(edit.frame or TRUE, {**pair.params, "c": cell}))
        left, right = (query.read(key, {"c": c}) for c in cells)
        query.add(unequal(left, right))
        if limit is None or not self._never(query):
            return None
        return make("Product", (num(1 if any(pair.monotone()) else 2), limit))

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
        totals = [(make("Product", (count, r)), each) for _, _, r in distances]
        single = [(r, ONE) for _, _, r in distances]
        return self._no_more_records(
            edit, mapping, totals, one_block=False
        ) and self._no_more_records(edit, mapping, single, one_block=True)

    def _no_more_records(
        self, edit: BoundEdit, mapping: BoundMap, wanted: Sequence[tuple[Node, Node]], *,
        one_block: bool,
    ) -> bool:  # fmt: skip
        """Prove that no more records than that, each counted so often, come or go in a map."""

        def all_of(way: str) -> bool:
            return all(ways[way](most, each) for most, each in wanted)

        def by_keys(most: Node, each: Node) -> bool:
            found = records_by_keys(self.structure, edit, mapping, one_block=one_block)
            return found is not None and at_most(make("Product", (as_node(found), each)), most, ())

        ways: dict[str, Callable[[Node, Node], bool]] = {
            "by a limit": partial(self._of_limit, edit),
            "by limits": by_keys,
        }
        return bool(self.structure.trail.first("records", ways, all_of))

    def _by_records(
        self, edit_name: str, times: Node, terms: Sequence[str], facts: Node, places: Sequence[Node]
    ) -> bool:
        """Prove how many integers the records have that change, and which blocks hold each."""
        edit, _ = self._edit(edit_name)
        maps = {name: self._map(name) for _, name, *_ in places}
        if edit.frame is None or any(m.image is not None for m in maps.values()):
            return False
        (record,) = names_of_records(1)
        read = tuple(map(from_text, terms))
        families, at = _sliced(maps, terms, places), sliced_by(terms, places)
        if not (
            self._no_more_values(edit, times, read, record)
            or (at and self._no_more_in_slices(edit, times, families, at))
        ):
            return False
        return self._record_has(edit, terms, facts, None) and all(
            self._record_has(edit, terms, when, maps[name]) for _, name, _, when, _ in places
        )

    def _no_more_values(
        self, edit: BoundEdit, most: Node, terms: Sequence[Term], record: str
    ) -> bool:
        """Prove how many choices of integers there are: no more than records, or by a limit."""
        if self._no_more_records(edit, WHOLE, [(most, ONE)], one_block=False):
            return True
        known = {record, *(index_variable(n).name for x in terms for n in function_of(x))}
        if not all(record in free_variables(x) <= known for x in terms):
            return False
        whole = [substitute(x, {record: variable("c", CELL)}) for x in terms]
        number = values_told(self.structure, edit, WHOLE, whole)
        return number is not None and at_most(as_node(number), most, ())

    def _no_more_in_slices(
        self, edit: BoundEdit, most: Node, maps: Sequence[BoundMap], at: set[tuple[Node, ...]]
    ) -> bool:
        """Prove how many records change in the blocks of a slice.

        Of each such choice a record is one; functions of the slice choose one of each.
        """
        if len(at) != 1:
            return False
        (sliced,) = at
        pair = self._pair(edit)
        for mapping in maps:
            block = pair.index(mapping)
            _ = [whole(x, pair, (), block) for x in sliced]  # nothing is divided by 0
        number = records_in_slice(self.structure, edit, maps, tuple(map(as_term, sliced)))
        return number is not None and at_most(as_node(number), most, ())

    def _record_has(
        self, edit: BoundEdit, terms: Sequence[str], said: Node, mapping: BoundMap | None
    ) -> bool:
        """Prove that any record that changes has facts, or each block that holds it a condition."""
        self._are_functions(terms, (said,))
        pair = self._pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        block: tuple[Any, ...] = ()
        if mapping is not None:
            block, there = self._block(pair, mapping, ())
            pair.query.add(pair.member(mapping, cell, block), *there)
        (name,) = names_of_records(1)
        letters = self._integers(pair, terms, block, {name: cell})
        pair.query.add(logic.Not(solved(said, pair, letters, block)))
        return self._never(pair.query)

    def _changed_together(
        self, edit_name: str, terms: Sequence[str], facts: Node, places: Sequence[Node]
    ) -> bool:
        """Prove which blocks an edit changes, by the integers that it names."""
        edit, _ = self._edit(edit_name)
        records = number_of_records(tuple(map(from_text, terms)))
        sliced = sliced_by(terms, places)
        if records and sliced:
            need(facts == TOGETHER and len(sliced) == 1, "no such functions are decided")
            (at,) = sliced
            return self._in_slices(edit, records, terms, at, places)
        if records:
            if edit.frame is None or not self._few_records(edit, records):
                return False
            edit = named_records(edit, records)
        pair = self._pair(edit)
        pair.differ()  # what changes nothing makes no neighbours
        for _, name, *_ in places:
            pair.speak_of(self._map(name))
        self._are_functions(terms, (facts,))
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
            letters = self._integers(pair, terms, block)
            self._are_functions(terms, (when, *distances))
            pair.query.add(logic.Not(solved(when, pair, letters, block)))
            if not self._never(pair.query):
                return False
        return True

    def _in_slices(
        self, edit: BoundEdit, records: int, terms: Sequence[str], at: tuple[Node, ...],
        places: Sequence[Node],
    ) -> bool:  # fmt: skip
        """Prove which blocks change, by the records that change in those of one slice.

        There are no more than have names; which these are depends on what slices ``at``.  Maps of
        which nothing is said of these records need not know them.
        """
        names = names_of_records(records)
        read = tuple(map(from_text, terms))
        self._are_integers(read, {**dict(edit.params), **dict.fromkeys(names, CELL)})
        sliced = [p for p in places if sliced_by(terms, [p])]
        maps = {name: self._map(name) for _, name, *_ in places}
        told = _sliced(maps, terms, places)
        number = records_in_slice(self.structure, edit, told, tuple(map(as_term, at)))
        known = number is not None and at_most(as_node(number), num(records), ())
        if any(m.image is not None for m in maps.values()) or not known:
            return False
        for place in places:
            _, name, touched, when, distances = place
            need(not (touched or distances), "no such place is decided")
            pair = self._pair(edit)
            block, there = self._block(pair, maps[name], ())
            _ = [whole(x, pair, (), block) for x in at] if place in sliced else []
            cell, named = pair.query.cell("z"), {n: pair.query.cell("z") for n in names}
            changed = pair.old(cell) != pair.new(cell)
            pair.query.add(changed, pair.member(maps[name], cell, block), *there)
            if place in sliced:
                pair.query.add(logic.Or(*(equal(cell, x) for x in named.values())))
            letters = [pair.query.read(x, {**pair.params, **named}) for x in read]
            pair.query.add(logic.Not(solved(when, pair, letters, block)))
            if not self._never(pair.query):
                return False
        return True

    def _few_records(self, edit: BoundEdit, most: int) -> bool:
        """Prove that no more records come or go, so that all that do can have names."""
        return self._no_more_records(edit, WHOLE, [(num(most), ONE)], one_block=False)

    def _spanned(self, edit: BoundEdit, terms: Sequence[str], part: BoundPart, r: Node) -> bool:
        """Prove that a part sees a block at a distance that differs from block to block.

        One edit of the part changes all records with one value of an attribute, or so many do, one
        for each of them; and the values of any two records that change in the block differ by less
        than that, times so many.
        """
        need(r[0] == "Amount" and edit.frame is not None, "no such distance is decided")
        domain = self.problem.domain
        if not self._in_class(part):
            return False

        def spans(name: str) -> bool:
            term = Term("attr", (name, variable("c", CELL)), INT)
            length = r[1]
            if not spanning(self.structure, part, term):
                steps = steps_of_one_value(self.structure, edit, part, term)
                if steps is None or (steps != 1 and r[1][:2] != ("Combined", "mul")):
                    return False
                *factors, length = (length,) if steps == 1 else r[1][2]
                if tuple(factors) != _factors(steps):
                    return False
            pair = self._pair(edit)
            block = pair.index(part.map)
            view = pair.view(part.map, block)
            low, high = (pair.query.read(term, {"c": view.changed()}) for _ in range(2))
            most = whole(length, pair, self._integers(pair, terms, block), block)
            pair.query.add(high - low + 1 > most)
            return self._never(pair.query)

        integers = [name for name, sort in domain.attribute_sorts.items() if sort == INT]
        return bool(self.structure.trail.first("values that differ by less", integers, spans))

    def _are_integers(self, read: Sequence[Term], names: Mapping[str, str]) -> None:
        """Check that terms are integers of what has these names and sorts, of no databases."""
        known = {**dict.fromkeys(self.problem.symbols, INT), **names}
        sorts = {"attr": self.problem.domain.attribute_sorts, "var": known}
        for term in read:
            named = [x for x in subterms(term) if x.op in sorts]
            fine = all(sorts[x.op].get(str(x.args[0])) == x.sort for x in named)
            need(fine and term.sort == INT and not reads_database(term), "no integers of the edit")

    def _integers(
        self, pair: Pair, terms: Sequence[str], block: Sequence[Any] = (),
        records: Mapping[str, GroundCell] | None = None,
    ) -> list[Any]:  # fmt: skip
        """Return integers of an edit, or of records: terms over what these name, no databases.

        What is a function of indices has its value in a block; None where there is no block.
        """
        read = [from_text(t) for t in terms]
        names = pair.params | dict(records or {})
        names |= {index_variable(n).name: x for n, x in enumerate(block, 1)}
        indices = {index_variable(n).name: INT for t in read for n in function_of(t)}
        named = {**dict(pair.edit.params), **dict.fromkeys(records or (), CELL)}
        self._are_integers(read, {**named, **indices})
        return [None if not has_indices(t, block) else pair.query.read(t, names) for t in read]

    @staticmethod
    def _are_functions(terms: Sequence[str], stated: Sequence[Node]) -> None:
        """Check that a letter depends on no other indices than those that it is a function of."""
        depends = [function_of(from_text(t)) for t in terms]
        for number, indices in lettered(stated):
            known = {("Index", n) for n in depends[number - 1]}
            need(known <= set(indices), "a letter depends on other indices")

    def _together(self, edit_name: str, sets: Sequence[Node]) -> bool:
        """Prove that no neighbours change, for each of the sets, something that is not in it."""
        edit, reverse = self._edit(edit_name)
        pair = self._pair(edit)
        nearer = {part for _, listed in sets for x in listed for _, part, _ in x[4]}
        counting = set(filter(self._counts_records, sorted(nearer)))
        records = self._changed_records(pair) if counting else []
        known: dict[tuple[Any, ...], Any] = {}
        for _, listed in sets:
            outside = []
            for name, block in self._places(sets):
                here = [x for x in listed if x[1:3] == (name, block)]
                for _, _, _, touched, _ in here:
                    self._names(edit_name, touched)
                allowed = tuple(sorted({touched for _, _, _, touched, _ in here}))
                for _, part, r in sorted({seen for x in here for seen in x[4]}):
                    if part not in counting:
                        self._sees_near(edit, part, block, r, reverse=reverse)
                most = self._most_records(here, counting)
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

    @staticmethod
    def _most_records(listed: Sequence[Node], counting: Collection[str]) -> int | None:
        """Return how many records may change in a block that a set lists; None if any number.

        Where no more come or go, each of the parts that count them sees it at most from there.
        """
        found = []
        for _, part, r in (seen for x in listed for seen in x[4]):
            is_whole = r[0] == "Num" and r[1].denominator == 1
            need(is_whole and not any(x[3] for x in listed), "no such distance is decided")
            if part in counting:
                found.append(int(r[1]))
        return min(found, default=None)

    def _counts_records(self, name: str) -> bool:
        """Return whether a part sees so many records that come or go at most from so far."""
        part = self._part(name)
        return part.map.image is None and one_by_one(part) and self._in_class(part)

    def _sees_near(
        self, edit: BoundEdit, name: str, block: tuple[int, ...], r: Node, *, reverse: bool
    ) -> None:
        """Prove that a part sees a certain block of a frame at most from so far, when it changes.

        Raises:
            RejectedError: it is not so.
        """
        part, near = self._part(name), False
        if block and edit.frame is not None and part.setting != "common" and self._in_class(part):
            pair = self._pair(edit)
            view = pair.view(part.map, pair.index(part.map, block))
            view.changed()
            most = min(int(r[1]), MOST_STEPS) if r[0] == "Num" else 0
            near = self.structure.led_over(view, part.granularity, 1, most, reverse=reverse)
        need(near, f"{name} may see a block from farther")

    def _changed_records(self, pair: Pair) -> list[GroundCell]:
        """Return cells, perhaps equal ones, among which are all that a frame changes."""
        tried = range(1, MOST_ASKED + 1) if pair.edit.frame is not None else ()
        most = self.structure.trail.first(
            "records that change", tried, lambda n: n if self._of_limit(pair.edit, num(n)) else 0
        )
        if not most:
            raise RejectedError("any number of records may change")
        return [pair.query.cell("z") for _ in range(most)]

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


def _sliced(
    maps: Mapping[str, BoundMap], terms: Sequence[str], places: Sequence[Node]
) -> list[BoundMap]:
    """Return the maps of which functions of a slice say which blocks change."""
    return [maps[place[1]] for place in places if sliced_by(terms, [place])]


def _factors(number: Number) -> tuple[Node, ...]:
    """Return the factors of a number as integers of the replay."""
    if isinstance(number, int):
        return (make("Integer", number),) if number != 1 else ()
    first = () if number.factor == 1 else (make("Integer", number.factor),)
    return (*first, *(make("Symbol", s) for s in number.symbols))


def _twice(number: Number | None) -> Number | None:
    return number and product_of([2, number])
