"""Deciding the leaves of a certificate again, from the statement of the problem alone.

Guarantees must be those of the problem, word by word.  Structural facts are questions to the solver
again, built here from the problem and never from what the certificate says about them; a second
solver, where it is installed, gets the same questions as SMT-LIB.  Databases are evaluated exactly.
Nothing of the kernel is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.engine import Refuted, Structure
from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.counting import blocks_alike, blocks_by_span
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.distances import Invariant, one_by_one
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.quotients import whole_view
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.limits import current
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Problem
from dpcomp_sym.model.serial import canonical, problem_from_json, problem_to_json
from dpcomp_sym.model.statement import differences, digest, stated
from dpcomp_sym.printable import one_line, quoted
from dpcomp_sym.profile import Infinity, Symbolic
from dpcomp_sym.replay import Leaf, RejectedError, Replayed, replay, seal, words
from dpcomp_sym.replay.algebra import INF, ONE, ZERO, at_most, num
from dpcomp_sym.replay.terms import NOTIONS, Node, make, need, text_of
from dpcomp_sym.replay.words import blocks, condition, where
from dpcomp_sym.smt import Pair, Query, View, ViewDistance, logic
from dpcomp_sym.smt.query import equal, excluded, unequal
from dpcomp_sym.smt.solvers import FirstSolver, SecondSolver, TextSolver
from dpcomp_sym.terms import BOOL, CELL, FALSE, INT, TRUE, Term, reads_database, variable
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer

__all__ = [
    "Recheck",
    "SecondSolver",
    "SolverQuestion",
    "UndecidedError",
    "Verified",
    "verify",
    "write_scripts",
]  # fmt: skip

MOST_POINTS: Final = 4
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


# ------------------------------------------------------------- what the problem says


class Meaning:
    """The terms that stand for a problem, its parts and their guarantees."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.data = problem_to_json(problem)
        self.statement = canonical(self.data)
        self.tag = hashlib.sha256(self.statement.encode()).hexdigest()[:16]
        self.domain = make("Domain", "D", canonical(self.data["domain"]), ())
        granularity = canonical(self.data["granularity"])
        kind = "OneSided" if problem.outer.directed else "Granularity"
        self.relation = make(kind, problem.granularity.name, granularity)
        self._details = {p["name"]: canonical(p) for p in self.data["parts"]}
        self.edits: dict[str, tuple[BoundEdit, bool]] = {}
        directed = any(p.granularity.directed for p in problem.bound_parts)
        ways = (False, True) if directed and not problem.outer.directed else (False,)
        for number, edit in enumerate(problem.outer.edits, 1):
            for reverse in ways:
                name = f"edit {number}" + (" backwards" if reverse else "")
                self.edits[name] = (edit, reverse)

    @cached_property
    def term(self) -> Node:
        """The problem."""
        edits = tuple(make("Edit", n, points(e)) for n, (e, _) in self.edits.items())
        views = tuple(
            make("View", p.name, p.map.name, self.sizes(p), self._seen(p))
            for p in self.problem.bound_parts
        )
        return make("Problem", self.domain, self.relation, edits, views, self.statement)

    @staticmethod
    def sizes(part: BoundPart) -> tuple[str | int, ...]:
        """Return the sizes of a part's family."""
        return tuple(size for _, size in part.map.indices)

    def _arrow(self, part: BoundPart) -> Node:
        origin = canonical([m for m in self.data["maps"] if m["name"] in part.map.origin])
        sizes = self.sizes(part)
        image = make("Domain", f"{part.map.name}(D)", self._details[part.name], sizes)
        return make("Map", part.map.name, origin, self.domain, image, sizes)

    def _inner(self, part: BoundPart) -> Node:
        if part.same_granularity:
            return self.relation
        kind = "OneSided" if part.granularity.directed else "Granularity"
        return make(kind, part.granularity.name, self._details[part.name])

    def _seen(self, part: BoundPart) -> Node:
        arrow, relation = self._arrow(part), self._inner(part)
        if part.setting == "common":
            relation = make("Push", relation, arrow)
        return make("Pullback", make("Canonical", relation, arrow[4]), arrow)

    def _mechanism(self, part: BoundPart) -> Node:
        domain = self.domain if part.setting == "common" else self._arrow(part)[4]
        return make("Mechanism", part.name, domain, self.sizes(part))

    @cached_property
    def given(self) -> dict[Node, str]:
        """All that may be assumed, with words for it."""
        found: dict[Node, str] = {}
        for part in self.problem.bound_parts:
            mechanism, sizes = self._mechanism(part), self.sizes(part)
            for notion, parameters in part.guarantees:
                guarantee = tuple(
                    num(Fraction(p))
                    if isinstance(p, int | Fraction)
                    else make("Entry", p, sizes)
                    if sizes
                    else make("Param", p)
                    for p in parameters
                )
                loss = make("Neighbouring", self._inner(part), mechanism[2], guarantee)
                said = ", ".join(map(words, guarantee))
                place = "the whole domain" if part.setting == "common" else "its own domain"
                found[make("Private", mechanism, notion, loss, ())] = (
                    f"{part.name} is {notion} private ({said}) between "
                    f"{quoted(part.granularity.name)} neighbours of {place}"
                )
            if part.setting == "common":
                found[make("Dependent", mechanism, self._arrow(part))] = (
                    f"{part.name} depends on the database only through {part.map.name}"
                )
        return found

    @cached_property
    def composition(self) -> Node:
        """All parts, run one after the other."""
        items = []
        for part in self.problem.bound_parts:
            item, sizes = self._mechanism(part), self.sizes(part)
            if part.setting == "separate":
                item = make("After", item, self._arrow(part))
            items.append(make("EachAdaptive", sizes, item) if sizes else item)
        return items[0] if len(items) == 1 else make("Adaptive", tuple(items))


def points(edit: BoundEdit) -> int:
    """Return how many touched records are distinguished; 0 for a frame, or for many."""
    return 0 if edit.frame is not None or len(edit.points) > MOST_POINTS else len(edit.points)


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

    # ------------------------------------------------------------- asking

    @contextmanager
    def noting(self, about: str) -> Iterator[None]:
        """Keep the script of every question that comes out as impossible, whoever asks it."""
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
                return f"{edit} never changes {said}" + _when(ranges)
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
        said = condition(when, {**letters, ("Index",): indices})
        return f"blocks {indices} of {name}{held} with {said}"

    def fact(self, statement: Node) -> None:
        """Decide a structural fact.

        Raises:
            RejectedError: it is not about this problem, false, or not decided.
        """
        need(statement[1] == self.meaning.term, "the fact is about another problem")
        about = self.question(statement)
        need(
            self._holds(about, partial(Recheck._decided, statement=statement)),
            f"not confirmed: {about}",
        )

    def _decided(self, statement: Node) -> bool:
        match statement:
            case ("BlockDistance", _, edit, part, touched, r):
                return r == INF or self._distance(edit, part, touched, r)
            case ("TouchCount", _, edit, name, count):
                return count == INF or self._count(edit, name, count)
            case ("Infeasible", _, edit, pattern, ranges):
                return self._infeasible(edit, pattern, ranges)
            case ("Together", _, edit, sets):
                return self._together(edit, sets)
            case ("ChangedTogether", _, edit, terms, facts, places):
                return self._changed_together(edit, terms, facts, places)
            case _:
                return False

    @cached_property
    def _freed(self) -> Recheck | None:
        """The same problem with its fixed symbols open; None if it has none."""
        free = self.problem.freed()
        return None if free is self.problem else Recheck(free)

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
        listed = farthest_in_list(self.structure, edit, part, reverse=reverse)
        if isinstance(listed, int) and at_most(num(listed), r, ()):
            return True
        single = edit.frame is not None and one_by_one(part)
        if single and any(at_most(records, r, ()) for records in self._records(edit)):
            return True
        counted = records_by_keys(self.structure, edit, part.map, one_block=True)
        if single and counted is not None and at_most(_expression(counted), r, ()):
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
        return far is not None and at_most(_expression(far), r, ())

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
        return spanned is not None and at_most(_expression(spanned), count, ())

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
        return num(most) if isinstance(most, int) else _count_term(most)

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
        found = [*self._records(edit), *([] if counted is None else [_expression(counted)])]
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
            limit = _count_term(bound)
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
            need(distances == (), "distances of places are not decided")
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
        found = self._read_example(data)
        try:
            holds = Pairs.of(self.problem).hold(found.world, found.old, found.new)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise RejectedError(f"the example cannot be evaluated: {error}") from None
        need(holds, "the databases of the example are no neighbours")
        return found

    def _read_example(self, data: Any) -> FoundPair:  # noqa: PLR0915 - one check for each field
        names = {"cells", "elements", "functions", "symbols", "D", "E", "blocks"}
        need(type(data) is dict and set(data) == names, "an example has other fields")
        domain = self.problem.domain
        signatures = self.structure.signature.signatures
        sorts = tuple(domain.attribute_sorts.values())
        elements: dict[str, tuple[str, ...]] = {}
        for sort, words_ in _table(data["elements"]):
            need(type(words_) is list and all(type(w) is str for w in words_), "no elements")
            need(len(set(words_)) == len(words_), "an element stands twice")
            elements[sort] = tuple(words_)
        need({*domain.sorts(), *domain.enumerations} <= set(elements), "a sort has no elements")
        for sort, values in domain.enumerations.items():
            need(elements[sort] == values, f"the values of {sort} are others")

        def value(x: Any, sort: str) -> Any:
            if sort == CELL:
                return cell(x)
            if sort == INT:
                holds = type(x) is int
            elif sort == BOOL:
                holds = type(x) is bool
            else:
                holds = type(x) is str and x in elements.get(sort, ())
            need(holds, f"{str(x)[:30]!r} is no value of {sort}")
            return x

        def cell(x: Any) -> Cell:
            need(type(x) is list and len(x) == len(sorts), "no cell")
            return tuple(value(v, s) for v, s in zip(x, sorts, strict=True))

        def database(rows: Any) -> dict[Cell, int]:
            need(type(rows) is list, "no database")
            held: dict[Cell, int] = {}
            for row in rows:
                need(type(row) is list and len(row) == 2, "no database")
                here, number = cell(row[0]), row[1]
                need(type(number) is int and number > 0 and here not in held, "no count")
                held[here] = number
            return held

        need(type(data["cells"]) is list, "no cells")
        cells = tuple(map(cell, data["cells"]))
        need(len(set(cells)) == len(cells), "a cell stands twice")
        tables: dict[str, dict[tuple[Any, ...], Any]] = {}
        defaults: dict[str, Any] = {}
        rows = data["functions"]
        need(type(rows) is list and all(type(r) is list and len(r) == 3 for r in rows), "functions")
        need([r[0] for r in rows] == sorted(signatures), "the functions are others")
        for name, default, table in rows:
            arguments, result = signatures[name]
            defaults[name] = value(default, result)
            need(type(table) is list, "no table")
            tables[name] = {}
            for row in table:
                need(type(row) is list and len(row) == 2 and type(row[0]) is list, "no table")
                need(len(row[0]) == len(arguments), "no table")
                key = tuple(value(x, s) for x, s in zip(row[0], arguments, strict=True))
                need(key not in tables[name], "an entry stands twice")
                tables[name][key] = value(row[1], result)
        symbols = dict(_table(data["symbols"]))
        need(set(symbols) == set(self.problem.symbols), "the symbols are others")
        need(all(type(n) is int and abs(n) < 10**6 for n in symbols.values()), "no symbols")
        world = World(domain, cells, elements, tables, defaults, symbols)
        blocks = []
        need(type(data["blocks"]) is list, "no blocks")
        for row in data["blocks"]:
            need(type(row) is list and len(row) == 2 and type(row[1]) is list, "no block")
            mapping = self._map(row[0])
            index = tuple(row[1])
            need(len(index) == len(mapping.indices), "no block")
            for number, (_, size) in zip(index, mapping.indices, strict=True):
                top = symbols[size] if isinstance(size, str) else size
                need(type(number) is int and 1 <= number <= top, "there is no such block")
            blocks.append((mapping, index))
        return FoundPair(world, database(data["D"]), database(data["E"]), tuple(blocks))


def _table(data: Any) -> list[tuple[str, Any]]:
    need(type(data) is list, "a list of pairs is needed")
    for row in data:
        need(type(row) is list and len(row) == 2 and type(row[0]) is str, "pairs are needed")
    need(len({r[0] for r in data}) == len(data), "a name stands twice")
    return [(r[0], r[1]) for r in data]


def example_to_json(
    world: World, old: Mapping[Cell, int], new: Mapping[Cell, int],
    blocks: Sequence[tuple[str, tuple[int, ...]]],
) -> dict[str, Any]:  # fmt: skip
    """Return a pair of databases in a finite world as plain data."""

    def plain(x: Any) -> Any:
        return [plain(v) for v in x] if isinstance(x, tuple) else x

    def rows(database: Mapping[Cell, int]) -> list[Any]:
        return [[plain(c), n] for c, n in sorted(database.items(), key=str) if n]

    return {
        "cells": [plain(c) for c in world.cells],
        "elements": [[s, list(w)] for s, w in sorted(world.elements.items())],
        "functions": [
            [
                name,
                plain(world.defaults[name]),
                [[plain(k), plain(v)] for k, v in sorted(table.items(), key=str)],
            ]
            for name, table in sorted(world.functions.items())
        ],
        "symbols": [[s, n] for s, n in sorted(world.symbols.items())],
        "D": rows(old),
        "E": rows(new),
        "blocks": [[name, list(index)] for name, index in blocks],
    }


def _when(ranges: tuple[Node, ...]) -> str:
    return f", for {where(ranges)}" if ranges else ""


def _vector(vector: Node) -> str:
    groups = []
    for _, name, count, distances, block in vector[1]:
        seen = ", ".join(f"{part} at distance {words(r)}" for _, part, r in distances)
        which = f"block {','.join(map(str, block))}" if block else blocks(count)
        groups.append(f"{which} of {name} ({seen})")
    return " and ".join(groups) or "nothing"


def _count_term(term: Term | None) -> Node | None:
    """Return a declared number or symbol as an expression."""
    if term is None or term.op not in {"int", "var"}:
        return None
    if term.op == "int":
        value = term.args[0]
        return num(value) if isinstance(value, int) and value >= 0 else None
    return make("Size", term.name)


def _solved(p: Node, pair: Pair, letters: Sequence[Any], block: Sequence[Any]) -> Any:
    """Return a condition on integers as a formula of the solver."""

    def integer_of(e: Node) -> Any:
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
                return _computed(word, items, [integer_of(x) for x in items])
            case _:
                raise RejectedError("no integer")

    match p:
        case ("Connected", "not", (one,)):
            return logic.Not(_solved(one, pair, letters, block))
        case ("Connected", word, items):
            parts = [_solved(x, pair, letters, block) for x in items]
            return logic.And(*parts) if word == "and" else logic.Or(*parts)
        case ("Compared", word, left, right):
            a, b = integer_of(left), integer_of(right)
            if word in ("eq", "ne"):
                return equal(a, b) if word == "eq" else unequal(a, b)
            return logic.compared(word, a, b)
        case _:
            raise RejectedError("no condition")


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


def _expression(value: Any) -> Node:
    if isinstance(value, int | Fraction):
        return num(value)
    if isinstance(value, Symbolic):
        sizes = tuple(make("Size", s) for s in value.symbols)
        items = sizes if value.factor == 1 else (num(value.factor), *sizes)
        return items[0] if len(items) == 1 else make("Product", items)
    return INF


# ------------------------------------------------------------- the profile


def touched_profile(meaning: Meaning, statements: Sequence[Node]) -> dict[str, Any]:
    """Return the profile in terms of the touched cells, as the steps of a certificate state it.

    For each edit and map: in how many blocks a touched record lies, what the parts see in a block
    with exactly these touched records, and which blocks never change at once.  Then the vectors
    that bound all combinations.
    """
    edits = []
    for name, (edit, _) in meaning.edits.items():
        names = list(edit.points) if points(edit) else []
        kinds = {"BlockDistance", "TouchCount", "Infeasible", "Together", "ChangedTogether"}
        here = [s for s in statements if s[0] in kinds and s[2] == name]
        edits.append(
            {
                "edit": name,
                "points": names,
                "change": [[p, to_text(d)] for p, d in edit.change],
                "frame": None if edit.frame is None else to_text(edit.frame),
                "blocks": [[s[3], _plain(s[4])] for s in here if s[0] == "TouchCount"],
                "distances": [
                    [s[3], [names[n - 1] for n in s[4] if n <= len(names)], _plain(s[5])]
                    for s in here
                    if s[0] == "BlockDistance"
                ],
                "together": [
                    [[n, list(b), [names[i - 1] for i in t]] for _, n, b, t in one]
                    for s in here
                    if s[0] == "Together"
                    for _, one in s[3]
                ],
                "never": [
                    {
                        "where": [_plain(r) for r in s[4]],
                        "blocks": [[n, [names[i - 1] for i in t], m] for _, n, t, m in s[3]],
                    }
                    for s in here
                    if s[0] == "Infeasible"
                ],
                "patterns": [
                    {
                        "integers": list(s[3]),
                        "facts": _plain(s[4]),
                        "places": [_plain(p) for p in s[5]],
                    }
                    for s in here
                    if s[0] == "ChangedTogether"
                ],
            }
        )
    facts = list(dict.fromkeys(s for s in statements if s[0] == "ProfileFact"))
    cases = [
        {"where": [_plain(r) for r in ranges], "vectors": [_plain(v) for v in vectors]}
        for _, _, ranges, vectors in facts
    ]
    return {"edits": edits, "cases": cases}


def _plain(node: Node) -> Any:
    return json.loads(text_of(node))


# ------------------------------------------------------------- the whole


@dataclass(frozen=True)
class Verified:
    """What a certificate establishes, on what, and who agreed.

    Args:
        problem: what it is about.
        verdict: proved, vacuous, or unknown where no bound is claimed.
        conditions: name, statement and verdict of each.
        bounds: notion and parameters.
        given: the guarantees that it rests on.
        facts: what the solvers have confirmed.
        steps: how many steps were applied again.
        questions: what the solvers were asked, with their answers.
        other: the problem of another spec, which it is compared with.
    """

    problem: Problem
    verdict: str
    conditions: tuple[tuple[str, str, str], ...]
    bounds: tuple[tuple[str, tuple[str, ...]], ...]
    given: tuple[str, ...]
    facts: tuple[str, ...]
    steps: int
    questions: tuple[SolverQuestion, ...] = field(repr=False)
    other: Problem | None = None

    @cached_property
    def title(self) -> str:
        """What the certificate calls itself, which states nothing: one short line."""
        title = one_line(self.problem.title)
        return title if len(title) <= SHORT else f"{title[:SHORT]}…"

    @cached_property
    def data(self) -> dict[str, Any]:
        """The problem as plain data."""
        return problem_to_json(self.problem)

    @cached_property
    def differences(self) -> tuple[tuple[str, str, str], ...]:
        """In what the other spec's problem differs: the place, there, here."""
        if self.other is None:
            return ()
        return tuple(differences(problem_to_json(self.other), self.data))

    def solvers(self) -> dict[str, dict[str, int]]:
        """Return, solver by solver, how many questions got which answer."""
        found: dict[str, dict[str, int]] = {}
        for question in self.questions:
            for solver, answer in question.answers:
                counts = found.setdefault(solver, {})
                counts[answer] = counts.get(answer, 0) + 1
        return found

    def text(self) -> str:
        """Return the result as text: what is stated, what follows, and what it rests on."""
        lines = [f"verified: “{self.title}”" if self.title else "verified"]
        lines += [f"statement {digest(self.data)}"]
        lines += [f"  {line}" for line in stated(self.problem)]
        lines += list(self._conclusion())
        lines += ["conditions"] * bool(self.conditions)
        lines += [f"  {name}: {verdict} ({said})" for name, said, verdict in self.conditions]
        lines += ["rests on the guarantees"] * bool(self.given)
        lines += [f"  {said}" for said in self.given]
        lines += ["and on the facts"] * bool(self.facts)
        lines += [f"  {said}" for said in self.facts]
        lines.append(f"{self.steps} steps applied again")
        lines += list(self._answers())
        lines += list(self._comparison())
        return "\n".join(map(one_line, lines))

    def _conclusion(self) -> Iterator[str]:
        if self.verdict == "vacuous":
            yield "no two different databases are neighbours: nothing is protected"
        elif self.verdict == "unknown":
            yield "the certificate claims no bound"
        else:
            yield "the composition is private between neighbours, for all sizes, with"
            yield from (f"  {notion}: {', '.join(values)}" for notion, values in self.bounds)

    def _answers(self) -> Iterator[str]:
        number = len(self.questions)
        if not number:
            return
        yield f"{number} questions to solvers, as scripts; impossible, they say:"
        for name, counts in self.solvers().items():
            if set(counts) == {"not asked"}:
                yield f"  {name}: is not installed, and was not asked (pip install {name})"
                continue
            silent = number - counts.get("unsat", 0)
            yield f"  {name}: {number - silent} of {number}" + f", no answer to {silent}" * bool(
                silent
            )
        yield "  what is given before a question is possible by itself, for each of them"

    def _comparison(self) -> Iterator[str]:
        if self.other is None:
            return
        if not self.differences:
            yield "this is the statement of the spec"
            return
        yield "this is NOT the statement of the spec"
        for place, there, here in self.differences:
            yield f"  {place}: the spec has {there}, the certificate {here}"

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        found: dict[str, Any] = {
            "schema": "dpcomp/1",
            "verdict": "refuted" if self.differences else "proved",
            "title": self.problem.title,
            "certified": self.verdict,
            "digest": digest(self.data),
            "statement": stated(self.problem),
            "problem": self.data,
            "conditions": [{"name": n, "statement": said, "verdict": v}
                           for n, said, v in self.conditions],
            "bounds": [{"notion": n, "parameters": list(p)} for n, p in self.bounds],
            "given": list(self.given),
            "facts": list(self.facts),
            "steps": self.steps,
            "questions": [{"about": q.about, **dict(q.answers)} for q in self.questions],
            "solvers": self.solvers(),
        }  # fmt: skip
        if self.other is not None:
            found["spec"] = {
                "same": not self.differences,
                "differences": [
                    {"where": place, "spec": there, "certificate": here}
                    for place, there, here in self.differences
                ],
            }
        return found


def verify(
    data: Mapping[str, Any], second: TextSolver | None = None, other: Problem | None = None
) -> Verified:
    """Verify a certificate.

    Args:
        data: the document, from :func:`dpcomp_sym.replay.read`.
        second: a second solver for the same questions; None to ask z3 only.
        other: the problem of a spec, to be compared with that of the certificate.

    Raises:
        RejectedError: the certificate is wrong, or a fact is not confirmed.
    """
    try:
        return _verified(data, second, other)
    except RejectedError:
        raise
    except RecursionError:
        raise RejectedError("the certificate is nested too deeply") from None
    except Exception as error:  # noqa: BLE001 - what cannot be evaluated is not verified
        raise RejectedError(f"the certificate cannot be evaluated: {error!r:.200}") from None


def _verified(
    data: Mapping[str, Any], second: TextSolver | None, other: Problem | None
) -> Verified:
    played = replay(data)
    need(data["seal"] == seal(data), "the seal is broken: something was changed")
    try:
        problem = problem_from_json(data["problem"])
        check = Recheck(problem)
        need(_same(check.meaning.data, data["problem"]), "the problem is not written canonically")
        given = _given(check, played)
        check.possible()
    except InputError as error:
        raise RejectedError(f"the problem: {error}") from None
    expected = touched_profile(check.meaning, played.statements)
    need(_same(data["profile"], expected), "the profile is not the one of the steps")
    bounds = _conclusions(check, data, played)
    facts = _facts(check, played)
    decided = _conditions(check, data["conditions"])
    _evidence(check, data["evidence"], played)
    solvers = [FirstSolver(), *([] if second is None else [second])]
    questions = _answered(check.questions, solvers, blunt=check.blunt())
    return Verified(
        problem, str(data["verdict"]), decided, bounds, given, facts, len(played.statements),
        tuple(questions), other,
    )  # fmt: skip


def write_scripts(found: Verified, folder: Path) -> None:
    """Write the questions of a verification as SMT-LIB files, 001.smt2 and so on."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, question in enumerate(found.questions, 1):
        (folder / f"{number:03}.smt2").write_text(question.script, encoding="utf-8")


def _same(left: Any, right: Any) -> bool:
    return canonical(left) == canonical(right)


def _conclusions(
    check: Recheck, data: Mapping[str, Any], played: Replayed
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    meaning = check.meaning
    if check.vacuous():
        need(data["verdict"] == "vacuous" and not played.conclusions, "the problem is vacuous")
        return ()
    verdict = "proved" if played.conclusions else "unknown"
    need(data["verdict"] == verdict, f"the verdict is {verdict}")
    found = []
    for notion, (_, mechanism, _, loss, sizes) in played.conclusions.items():
        need(notion in NOTIONS, "an unknown notion")
        need(mechanism == meaning.composition, f"{notion}: not the composition of all parts")
        need(loss[0] == "Neighbouring", f"{notion}: not a guarantee between neighbours")
        need(loss[1] == meaning.relation and loss[2] == meaning.domain, f"{notion}: of others")
        need(sizes == (), f"{notion}: not for all sizes")
        found.append((notion, tuple(map(words, loss[3]))))
    return tuple(found)


def _given(check: Recheck, played: Replayed) -> tuple[str, ...]:
    """Compare all leaves with the problem: what is given, and what the facts are about."""
    given: dict[str, None] = {}
    for leaf in played.leaves:
        try:
            if leaf.kind == "given":
                need(leaf.tag == "input", "what is given is the input")
                said = check.meaning.given.get(leaf.statement)
                if said is None:
                    raise RejectedError("the problem does not say so")
                given[said] = None
                continue
            need(leaf.kind == "smt", "only facts that a solver can decide are decided again")
            need(leaf.tag == check.meaning.tag, "the fact belongs to another problem")
            check.question(leaf.statement)
            need(leaf.statement[1] == check.meaning.term, "the fact is about another problem")
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None
    return tuple(given)


def _facts(check: Recheck, played: Replayed) -> tuple[str, ...]:
    """Decide the structural facts again."""
    facts: dict[str, None] = {}
    for leaf in played.leaves:
        if leaf.kind == "given":
            continue
        try:
            check.fact(leaf.statement)
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None
        facts[check.question(leaf.statement)] = None
    return tuple(facts)


def _conditions(check: Recheck, rows: Any) -> tuple[tuple[str, str, str], ...]:
    """Decide the conditions again."""
    names = {"name", "about", "statement", "verdict", "example"}
    need(type(rows) is list and all(type(r) is dict and set(r) == names for r in rows),
         "the conditions are malformed")  # fmt: skip
    expected = check.conditions()
    need(len(rows) == len(expected), "the problem raises other conditions")
    for row, one in zip(rows, expected, strict=True):
        check.condition(row, one)
    return tuple((c.name, c.statement, r["verdict"]) for r, c in zip(rows, expected, strict=True))


def _evidence(check: Recheck, rows: Any, played: Replayed) -> None:
    names = {"step", "question", "example", "invariants"}
    need(type(rows) is list and all(type(r) is dict and set(r) == names for r in rows),
         "the evidence is malformed")  # fmt: skip
    leaves = [leaf for leaf in played.leaves if leaf.kind != "given"]
    need(len(rows) == len(leaves), "there is evidence for each structural leaf")
    for row, leaf in zip(rows, leaves, strict=True):
        try:
            with check.noting(f"what edits keep: {check.question(leaf.statement)}"):
                check.supported(row, leaf)
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None


def _answered(
    questions: Sequence[SolverQuestion], solvers: Sequence[TextSolver], *, blunt: bool
) -> list[SolverQuestion]:
    """Have the questions answered as they are written, by each of the solvers.

    A script must be impossible because of what it asks: not by a single "false", unless the
    problem is so ``blunt`` as to say "false" itself, and not because nothing satisfies what is
    given before.

    Raises:
        RejectedError: a solver finds a script possible, or what is given before impossible.
        UndecidedError: no solver answers.
    """
    possible: dict[str, bool] = {}
    found = []
    try:
        for question in questions:
            about = question.about
            folded = FALSE_ALONE in question.script.splitlines() and not blunt
            need(not folded, f"nothing is asked: {about}")
            answers = tuple((s.name, s.ask(question.script)) for s in solvers)
            for name, answer in answers:
                need(answer != "sat", f"{name} disagrees: {about}")
            if all(answer != "unsat" for _, answer in answers):
                current().give_up("as a script")
                raise UndecidedError(f"no solver answers the script: {about}")
            if question.setting not in possible:
                given = [s.ask(question.setting) for s in solvers]
                need("unsat" not in given, f"what is given is impossible by itself: {about}")
                possible[question.setting] = "sat" in given
            if not possible[question.setting]:
                current().give_up("as a script")
                raise UndecidedError(f"no solver shows what is given to be possible: {about}")
            found.append(replace(question, answers=answers))
    finally:
        for solver in solvers:
            solver.close()
    return found
