"""Structural questions about one problem: vacuity, changed blocks, distances of parts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, TypeVar

from dpcomp_sym.engine.answers import AnswerCache
from dpcomp_sym.engine.blocks import (
    change_of,
    first_of_many,
    outside_class,
    written_out,
)
from dpcomp_sym.engine.counterexample import (
    AGAIN,
    TRIES,
    Demand,
    FoundPair,
    SearchWork,
    confirm,
    signature_of,
)
from dpcomp_sym.engine.definitions import (
    Fails,
    Pairs,
    counterexample,
    differ,
    more_blocks_change,
    overlap,
    refuted,
)
from dpcomp_sym.engine.distances import Bracket, Invariant, bracket, invariants, told_apart
from dpcomp_sym.engine.effort import Effort
from dpcomp_sym.engine.likeness import Likeness, told_of
from dpcomp_sym.engine.listing import distance_in_list, in_list, listed, near_in_list
from dpcomp_sym.engine.quotients import pushed, views
from dpcomp_sym.engine.symbols import numbers_of_symbol
from dpcomp_sym.engine.trail import Choice, Trail
from dpcomp_sym.engine.unreachable import isolated, unlinked
from dpcomp_sym.engine.verdict import (
    Counterexample,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    Verdict,
    not_decided,
)
from dpcomp_sym.engine.written_lists import far_in_lists
from dpcomp_sym.finite import Database, World
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.model import (
    BoundEdit,
    BoundGranularity,
    BoundMap,
    BoundPart,
    Domain,
    Problem,
    Universe,
)
from dpcomp_sym.profile import INFINITY, Interval
from dpcomp_sym.smt import Pair, Query, View, ViewDistance, logic
from dpcomp_sym.smt.pair import MOST_PRODUCT, cells_of
from dpcomp_sym.smt.query import AskedQuestion, Signature, equal, noting
from dpcomp_sym.terms import FALSE, INT, TRUE, Term, free_variables, subterms
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import variable

__all__ = ["MOST_BLOCKS", "OUTSIDE", "AnswerCache", "Structure"]

OUTSIDE: Final = "lies outside the part's class"
"""Why C2 fails where the distance is not even defined."""
_FAR: Final = "a distance larger than"
MOST_BLOCKS: Final = 4
"""Up to this many blocks are counted one by one."""
MORE_CHANGE: Final = "more blocks change"
MORE_HOLD: Final = "more blocks hold one record"
_NOTHING: Final = BoundEdit((), TRUE, (), FALSE)
MOST_LISTED: Final = 100_000
"""How many blocks that hold a record are examined, at most, to say which ones change."""
T = TypeVar("T")


@dataclass
class Structure:
    """Questions about one problem, each asked of the solver once.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> structure = Structure(problem)
    >>> structure.compatible(problem.bound_maps["blocks"]).word
    'refuted'
    """

    problem: Problem
    scripts: list[AskedQuestion] = field(default_factory=list)
    shared: AnswerCache = field(default_factory=AnswerCache)
    trail: Trail = field(default_factory=Trail, repr=False)
    """Where the ways are noted by which things are shown."""
    effort: Effort = field(default_factory=Effort, repr=False)

    def __post_init__(self) -> None:
        """Prepare sorts and functions."""
        self.shared.serve(self.problem)
        self.signature = signature_of(self.problem)
        self._invariants: dict[tuple[Any, ...], list[Invariant]] = {}
        self._of_parts: dict[tuple[Any, ...], Any] = {}
        self._pairs = Pairs.of(self.problem)
        self._told: dict[int, tuple[Counterexample, World]] = {}

    def once(self, *question: Any, find: Callable[[], T]) -> T:
        """Return the answer to a question that is not about the parts, found once."""
        return self._kept(self.shared.answers, question, find)

    def once_here(self, *question: Any, find: Callable[[], T]) -> T:
        """Return the answer to a question about the parts of this problem, found once."""
        return self._kept(self._of_parts, question, find)

    def nearness(self, part: BoundPart) -> Verdict | None:
        """Return the answer to C2 if it was asked, and is one about these numbers; else None."""
        asked = ("sensitivity", part.name, 1) in self._of_parts and self.freed is None
        return self.sensitivity(part) if asked else None

    def _kept(
        self, known: dict[tuple[Any, ...], Any], question: tuple[Any, ...], find: Callable[[], T]
    ) -> T:
        """Return an answer, found once, and note by which ways."""
        if question in known:
            kept: tuple[T, list[Choice]] = known[question]
            return self.trail.served(kept)
        known[question] = kept = self.trail.kept(find)
        return kept[0]

    # ------------------------------------------------------------- what is alike

    @cached_property
    def likeness(self) -> Likeness:
        """Which maps and parts are alike."""
        return Likeness(self.problem)

    def of_alike(
        self, question: str, mapping: BoundMap, *more: Any, find: Callable[[BoundMap], T]
    ) -> T:
        """Return the answer to a question about a map, found once for all maps like it."""
        first = self.likeness.map(mapping)
        return self.once(question, first.name, *more, find=lambda: find(first))

    def _decided(
        self, question: str, mapping: BoundMap, *more: Any,
        find: Callable[[BoundMap], Verdict], fails: Callable[[BoundMap], Fails],
    ) -> Verdict:  # fmt: skip
        """Return the verdict about a map: that of the first map like it, in terms of this one."""
        first = self.likeness.map(mapping)
        verdict = self.once(question, first.name, *more, find=lambda: find(first))
        if first is mapping:
            return verdict

        def told() -> Verdict:
            known = self._retold(verdict, first, mapping, fails(mapping))
            return find(mapping) if known is None else known

        return self.once(question, mapping.name, *more, find=told)

    def _retold(
        self, verdict: Verdict, first: BoundMap, mapping: BoundMap, fails: Fails,
        parts: Sequence[BoundPart] = (),
    ) -> Verdict | None:  # fmt: skip
        """Return a verdict about a map as one about another like it; None if it is not confirmed.

        Only counterexamples depend on names.
        """
        if not isinstance(verdict, Refuted):
            return verdict
        example = verdict.counterexample
        if id(example) not in self._told:
            alike = [m for m in self.problem.used_maps.values() if self.likeness.map(m) is first]
            self._told[id(example)] = (example, told_of(example, first, alike))
        _, world = self._told[id(example)]
        blocks = tuple((mapping, index) for name, index in example.blocks if name == first.name)
        found = FoundPair(world, example.old, example.new, blocks)
        shown = self.example(found, fails, example.reason, parts)
        return None if shown is None else refuted(shown)

    # ------------------------------------------------------------- numbers

    @cached_property
    def freed(self) -> Structure | None:
        """Questions about the problem with its fixed symbols open; None if it has none."""
        free = self.problem.freed()
        if free is self.problem:
            return None
        return Structure(free, shared=self.shared.of_other_numbers(), effort=self.effort)

    def also_freed(self, verdict: Verdict, ask: Callable[[Structure], Verdict]) -> Verdict:
        """Return a verdict, or one for all numbers of the symbols where it is not decided.

        Maps and parts are the same, whatever is known of the symbols in their formulas.
        """
        if not isinstance(verdict, Unknown) or self.freed is None:
            return verdict
        general = ask(self.freed)
        return general if isinstance(general, Proved | Vacuous) else verdict

    # ------------------------------------------------------------- pairs

    @property
    def edits(self) -> tuple[BoundEdit, ...]:
        """The edits of the outer granularity."""
        return self.problem.outer.edits

    @property
    def orientations(self) -> tuple[bool, ...]:
        """Whether distances must also be measured from E to D (directed parts only)."""
        directed = any(p.granularity.directed for p in self.problem.bound_parts)
        return (False, True) if directed and not self.problem.outer.directed else (False,)

    def pair(self, edit: BoundEdit, *, sizes: bool = True, whole: bool = False) -> Pair:
        """Return a symbolic pair of neighbours, open: for proofs.

        It is given the facts of the maps that it comes to mention; of all maps if it is ``whole``.
        """
        query = Query(self.signature, self.problem.symbols)
        maps = tuple(self.problem.used_maps.values()) or tuple(self.problem.bound_maps.values())
        return Pair(query, edit, maps, sizes=sizes, whole=whole)

    def numbers(self, symbol: str) -> Interval:
        """Return the numbers that a symbol can have: the least and the largest, where known."""
        query = partial(Query, self.signature, self.problem.symbols)
        return self.once("numbers", symbol, find=lambda: numbers_of_symbol(query(), symbol))

    def allows(self, symbol: str, number: int) -> bool:
        """Return whether it is known that a symbol can have a number."""
        query = Query(self.signature, self.problem.symbols)
        return bool(query.check(query.symbols[symbol] == number) == logic.sat)

    def never(self, *question: Any, find: Callable[[], Query]) -> bool:
        """Ask once whether the facts of a query cannot hold; keep the script each time.

        Where scripts are noted it is asked again: each answer needs all that it rests on.
        """
        if noting():
            return self.unsat(find())
        script = self.once(*question, find=lambda: self._impossible(find()))
        if script is not None:
            self.scripts.append(script)
        return script is not None

    @staticmethod
    def _impossible(query: Query) -> AskedQuestion | None:
        """Return the question that the facts of a query are, if they cannot hold."""
        return query.impossible if query.check() == logic.unsat else None

    def unsat(self, query: Query) -> bool:
        """Ask whether the facts of a query cannot hold; keep the script of a proof."""
        answer = query.check()
        if answer == logic.unsat:
            self.scripts.append(query.impossible)
            return True
        return False

    def confirmed(
        self, edit: BoundEdit, ask: Callable[[Pair], Demand], judge: Callable[[FoundPair], bool],
        tries: int = TRIES, *, readable: bool = True, same: bool = False, again: int = AGAIN,
        work: SearchWork | None = None,
    ) -> FoundPair | None:  # fmt: skip
        """Look for a smallest confirmed pair with a property."""
        return confirm(
            self.problem, self.signature, edit, ask, judge, tries,
            readable=readable, same=same, again=again, work=work,
        )  # fmt: skip

    # ------------------------------------------------------------- the class

    def vacuous(self) -> Verdict:
        """Decide whether there are no two different neighbours at all."""
        if all(self._idle(edit) for edit in self.edits):
            return Vacuous(tuple(self.scripts[-len(self.edits) :]))
        for edit in self.edits:
            found = self.confirmed(edit, self._ask_any, _anything, readable=False)
            if found is not None:
                return self.refuted(found, differ, "two different neighbours")
        return not_decided("no neighbours were found, and none were excluded")

    def _idle(self, edit: BoundEdit) -> bool:
        pair = self.pair(edit, whole=True)
        pair.differ()
        return self.unsat(pair.query)

    @staticmethod
    def _ask_any(pair: Pair) -> Demand:
        pair.differ()
        return Demand([], [])

    def idle_edits(self) -> list[int]:
        """Return the numbers of the change edits that can leave a database as it is."""
        return self.once("idle", find=self._idle_edits)

    def _idle_edits(self) -> list[int]:
        found = []
        for number, edit in enumerate(self.edits, 1):
            # A frame that changes nothing is not a surprise.
            if edit.frame is None and self.confirmed(
                edit, self._ask_nothing, _anything, readable=False, same=True
            ):
                found.append(number)
        return found

    @staticmethod
    def _ask_nothing(pair: Pair) -> Demand:
        pair.query.add(*[pair.old(p) == pair.new(p) for p in pair.points])
        return Demand([], [])

    def few_databases(self) -> int:
        """Return how many databases of one record there are if there are no larger ones, else 0.

        A shortest path between two of them, or the empty one, is not longer.
        """
        return self.once("few", find=self._few_databases)

    def _few_databases(self) -> int:
        cells = cells_of(self.problem.domain)
        if cells > MOST_PRODUCT or self.problem.domain.universe is not Universe.PRODUCT:
            return 0
        pair = self.pair(BoundEdit((), TRUE, (), Term("bool", (False,), "bool")))
        pair.query.add(pair.size(new=False) >= 2)
        return int(cells) if self.unsat(pair.query) else 0

    def listing(self, part: BoundPart) -> Enumeration | None:
        """Return all databases, where they are few and a part has their class, or their images."""
        if not self.few_databases() or not in_list(part, self.kept_by(part.granularity)):
            return None
        return self.once_here("listing", find=lambda: listed(self.problem))

    # ------------------------------------------------------------- blocks

    def disjoint(self, mapping: BoundMap) -> Verdict:
        """Decide whether no record lies in two blocks."""
        return self._decided(
            "disjoint", mapping,
            find=lambda m: self.also_freed(self._disjoint(m), lambda s: s.disjoint(m)),
            fails=overlap,
        )  # fmt: skip

    def _disjoint(self, mapping: BoundMap) -> Verdict:
        def ask(pair: Pair) -> Demand:
            cell = pair.query.cell("z")
            blocks = self.different(pair, mapping, 2)
            pair.query.add(*[pair.member(mapping, cell, b) for b in blocks])
            pair.query.add(logic.Or(pair.old(cell) >= 1, pair.new(cell) >= 1))
            return Demand([(mapping, b) for b in blocks], [])

        def ask_neighbours(pair: Pair) -> Demand:
            pair.differ()
            return ask(pair)

        idle = BoundEdit((), TRUE, (), Term("bool", (True,), "bool"))
        pair = self.pair(idle)
        ask(pair)
        if self.unsat(pair.query):
            return Proved()
        maps = {mapping.name: mapping}
        for edit in self.edits:
            found = self.confirmed(edit, ask_neighbours, lambda f: self.overlap(f, maps))
            if found is not None:
                return self.refuted(found, overlap(mapping), "one record in two blocks")
        return not_decided("no example of a record in two blocks was confirmed")

    @staticmethod
    def overlap(found: FoundPair, maps: dict[str, BoundMap]) -> bool:
        """Evaluate whether a record of the example lies in two blocks of a map."""
        (name, first), (_, second) = ((m.name, i) for m, i in found.blocks)
        return first != second and any(
            found.world.member(maps[name], c, first) and found.world.member(maps[name], c, second)
            for c in (*found.old, *found.new)
        )

    def covers(self, mapping: BoundMap) -> bool:
        """Prove that every record lies in some block, where a label says in which one.

        With ``t == i`` in the map's formula, the block of a cell can be t.
        """
        return self.of_alike("covers", mapping, find=self._covers)

    def _covers(self, mapping: BoundMap) -> bool:
        labels: dict[str, list[Term]] = {n: [] for n, _ in mapping.indices}
        for term in subterms(mapping.member):
            if term.op == "eq":
                for side, other in (term.terms, term.terms[::-1]):
                    known = not free_variables(other) & labels.keys()
                    if side.op == "var" and side.name in labels and known:
                        labels[side.name].append(other)
        if not all(labels.values()):
            return False
        pair = self.pair(BoundEdit((), TRUE, (), Term("bool", (False,), "bool")))
        query, cell = pair.query, pair.query.cell("z")
        index = [query.read(labels[n][0], {"c": cell}) for n, _ in mapping.indices]
        inside = [pair.member(mapping, cell, index)]
        for value, (_, size) in zip(index, mapping.indices, strict=True):
            top = query.symbols[size] if isinstance(size, str) else logic.IntVal(size)
            inside += [value >= 1, value <= top]
        query.add(logic.Not(logic.And(*inside)))
        return self.unsat(query)

    def most_blocks_a_cell(self, mapping: BoundMap) -> int | Term | None:
        """Return how many blocks can hold one record: found, declared, or None for no limit."""
        if mapping.multiplicity is not None:
            self.trail.first("blocks that hold a record", ("declared",), bool)
            known = mapping.multiplicity
            return known.number if known.op == "int" else known
        if not mapping.indices:
            return 1
        return self.once("most", mapping.name, find=lambda: self._most_blocks_a_cell(mapping))

    def _most_blocks_a_cell(self, mapping: BoundMap) -> int | Term | None:
        def more(number: int) -> Query:
            pair = self.pair(BoundEdit((), TRUE, (), Term("bool", (False,), "bool")))
            cell = pair.query.cell("z")
            blocks = self.different(pair, mapping, number + 1)
            pair.query.add(*[pair.member(mapping, cell, b) for b in blocks])
            return pair.query

        def at_most(number: int) -> int:
            return self.never(MORE_HOLD, mapping.name, number, find=partial(more, number)) * number

        few = self.trail.first("blocks that hold a record", range(1, MOST_BLOCKS + 1), at_most)
        return few or self._blocks_in_a_row(mapping)

    def _blocks_in_a_row(self, mapping: BoundMap) -> Term | None:
        """Return a symbol n such that the numbers of blocks that hold one cell differ by less."""
        if len(mapping.indices) != 1:
            return None

        def at_most(symbol: Term) -> Term | None:
            pair = self.pair(BoundEdit((), TRUE, (), Term("bool", (False,), "bool")))
            cell = pair.query.cell("z")
            first, second = pair.index(mapping), pair.index(mapping)
            pair.query.add(*[pair.member(mapping, cell, b) for b in (first, second)])
            pair.query.add(second[0] - first[0] >= pair.query.read(symbol))
            return symbol if self.unsat(pair.query) else None

        return self.trail.first(
            "blocks in a row that hold a record", self.limiting_symbols(), at_most, to_text
        )

    def limiting_symbols(self) -> list[Term]:
        """Return the symbols that may bound a number of blocks: positive, and no block sizes."""
        sizes = {size for m in self.problem.used_maps.values() for _, size in m.indices}
        return [
            variable(name, INT)
            for name in sorted(self.problem.symbols)
            if name not in sizes and self._positive(name)
        ]

    def _positive(self, name: str) -> bool:
        query = self.pair(_NOTHING).query
        query.add(query.symbols[name] < 1)
        return self.unsat(query)

    def different(self, pair: Pair, mapping: BoundMap, count: int) -> list[tuple[Any, ...]]:
        """Return pairwise different new blocks of a map."""
        blocks = [pair.index(mapping) for _ in range(count)]
        for number, block in enumerate(blocks):
            pair.query.add(*[logic.Not(equal(block, other)) for other in blocks[:number]])
        return blocks

    def compatible(self, mapping: BoundMap, most: int = 1) -> Verdict:
        """Decide whether at most ``most`` blocks of a family change between neighbours (C1)."""
        return self._decided(
            "compatible", mapping, most,
            find=lambda m: self.also_freed(
                self._compatible(m, most), lambda s: s.compatible(m, most)
            ),
            fails=lambda m: more_blocks_change(m, most),
        )  # fmt: skip

    def _compatible(self, mapping: BoundMap, most: int) -> Verdict:
        vacuous = self.vacuity
        if isinstance(vacuous, Vacuous):
            return vacuous
        start = len(self.scripts)
        open_edits = [e for e in self.edits if not self.at_most_blocks(e, mapping, most)]
        if not open_edits:
            return Proved(tuple(self.scripts[start:]))

        def ask(pair: Pair) -> Demand:
            blocks = self.different(pair, mapping, most + 1)
            for block in blocks:
                pair.view(mapping, block).changed()
            return Demand([(mapping, b) for b in blocks], [])

        best: FoundPair | None = None
        for edit in open_edits:
            found = self.confirmed(edit, ask, self._all_changed)
            if found is not None and (best is None or _weight(found) < _weight(best)):
                best = found
        if best is not None:
            fails = more_blocks_change(mapping, most)
            return self.refuted(best, fails, f"{most + 1} blocks change")
        return not_decided("the solver's candidates were not confirmed by the evaluator")

    def at_most_blocks(self, edit: BoundEdit, mapping: BoundMap, most: int) -> bool:
        """Prove that one edit changes at most ``most`` blocks."""
        return self.never(
            MORE_CHANGE, edit, mapping.name, most,
            find=lambda: self._more_blocks(edit, mapping, most),
        )  # fmt: skip

    def _more_blocks(self, edit: BoundEdit, mapping: BoundMap, most: int) -> Query:
        """Ask whether one edit changes more than ``most`` blocks."""
        pair = self.pair(edit)
        plain = edit.frame is None and mapping.image is None
        blocks = tuple(written_out(mapping)) if plain else ()
        if blocks:  # each with a formula of its own: to count them is easier than to choose some
            changes = [change_of(pair, mapping, block, [frozenset()]) for block in blocks]
            pair.query.add(sum(logic.If(change, 1, 0) for change in changes) > most)
        else:
            for block in self.different(pair, mapping, most + 1):
                pair.view(mapping, block).changed()
        return pair.query

    @staticmethod
    def _all_changed(found: FoundPair) -> bool:
        world = found.world
        if len({(m.name, i) for m, i in found.blocks}) < len(found.blocks):
            return False
        return all(
            world.apply(m, found.old, i) != world.apply(m, found.new, i) for m, i in found.blocks
        )

    # ------------------------------------------------------------- distances

    @property
    def vacuity(self) -> Verdict:
        """Whether there are no two different neighbours, asked once."""
        return self.once(
            "vacuity", find=lambda: self.also_freed(self.vacuous(), lambda s: s.vacuity)
        )

    def kept_by(self, granularity: BoundGranularity) -> list[Invariant]:
        """Return the invariants of an inner granularity, found once."""
        key = (
            granularity.edits,
            tuple(granularity.domain.attributes),
            granularity.domain.cell,
            granularity.domain.cap,
        )
        if key not in self._invariants:
            self._invariants[key] = invariants(granularity, self.signature)
        return self._invariants[key]

    def told_apart(self, granularity: BoundGranularity) -> Invariant | None:
        """Return what is the same of all records that an edit with a frame changes, found once."""
        if all(edit.frame is None for edit in granularity.edits):
            return None  # records are counted there
        inner = granularity.domain
        return self.once_here(
            "told apart", granularity.edits, tuple(inner.attributes), inner.cell, inner.cap,
            inner.size_terms, inner.fact_terms, inner.limit_terms,
            find=lambda: told_apart(granularity, self.signature),
        )  # fmt: skip

    def still(self, part: BoundPart) -> bool:
        """Prove that a part's class has no two different neighbours: all else is infinitely far."""
        inner = part.granularity
        if not inner.domain.size:
            return False
        first = self.likeness.part(part)
        return self.once_here(
            "still",
            first.name,
            find=lambda: all(self._changes_nothing(e, inner.domain) for e in inner.edits),
        )

    def _changes_nothing(self, edit: BoundEdit, domain: Domain) -> bool:
        query = Query(Signature(domain, self.signature.signatures), self.problem.symbols)
        Pair(query, edit, ()).differ()
        return self.unsat(query)

    def sensitivity(self, part: BoundPart, most: int = 1) -> Verdict:
        """Decide whether a part sees neighbours at distance at most ``most``, inside its class.

        For 1 this is C2.
        """

        def find() -> Verdict:
            first = self.likeness.part(part)
            known = None
            if first is not part:
                known = self._seen_by(self.sensitivity(first, most), first, part, most)
            if known is not None:
                return known
            verdict = self._sensitivity(part, most)
            return self.also_freed(verdict, lambda s: s.sensitivity(part, most))

        return self.once_here("sensitivity", part.name, most, find=find)

    def _seen_by(
        self, verdict: Verdict, first: BoundPart, part: BoundPart, most: int
    ) -> Verdict | None:
        """Return what is known of a part as a verdict about another one like it."""
        return self._retold(verdict, first.map, part.map, self.too_far(part, most), [part])

    def _sensitivity(self, part: BoundPart, most: int) -> Verdict:
        if isinstance(self.vacuity, Vacuous):
            return self.vacuity
        if part.setting == "common":
            # Between neighbours images are equal or neighbours in the pushforward.
            return Proved() if part.same_granularity else self._common(part, most)
        outside = self.range(part)
        if not isinstance(outside, Proved):
            return outside
        start, listing = len(self.scripts), self.listing(part)
        for edit, reverse in itertools.product(self.edits, self.orientations):
            seen = partial(self.bracket, part=part, reverse=reverse)
            found = far_in_lists(self.problem, edit, part, most, seen)
            if found is not None:
                found = replace(found, old=found.new, new=found.old) if reverse else found
                shown = self.refuted(found, self.too_far(part, most), f"{_FAR} {most}", [part])
                if isinstance(shown, Refuted):
                    return shown
        undecided = []
        for edit in self.edits:
            for reverse in self.orientations:
                if near_in_list(listing, edit, part, most, reverse=reverse):
                    continue
                pair = self.pair(edit)
                block = pair.index(part.map)
                view = pair.view(part.map, block)
                view.changed()
                distance = ViewDistance(view, part.granularity, reverse=reverse)
                if distance.at_most(most) == "proved":
                    self.scripts.append(pair.query.impossible)
                else:
                    undecided.append((edit, reverse))
        if not undecided:
            return Proved(tuple(self.scripts[start:]))
        best: FoundPair | None = None
        for edit, reverse in undecided:
            found = self.far_apart(edit, part, most, reverse=reverse)
            if found is not None and (best is None or _weight(found) < _weight(best)):
                best = found
        if best is not None:
            return self.refuted(best, self.too_far(part, most), f"{_FAR} {most}", [part])
        return not_decided("the solver's candidates were not confirmed by the evaluator")

    def _common(self, part: BoundPart, most: int) -> Verdict:
        """Decide whether a part with its own granularity sees distances of at most ``most``."""
        listing = self.listing(part)
        undecided = [
            (edit, reverse)
            for edit in self.edits
            for reverse in self.orientations
            if not near_in_list(listing, edit, part, most, reverse=reverse)
            and not self.pushed_at_most(edit, part, most, reverse=reverse)
        ]
        if not undecided:
            return Proved()
        for edit, reverse in undecided:
            found = self.far_apart(edit, part, most, reverse=reverse)
            if found is not None:
                return self.refuted(found, self.too_far(part, most), f"{_FAR} {most}", [part])
        return not_decided("the distance of the pushforward was not found")

    def pushed_at_most(
        self, edit: BoundEdit, part: BoundPart, most: int, *, reverse: bool = False,
        hold: Callable[[Pair], tuple[Any, ...]] | None = None,
    ) -> bool:  # fmt: skip
        """Prove a bound of the pushforward distance that a part on the common domain sees.

        ``hold`` makes the block, any block of the part's map if absent.
        """

        def shown(number: int) -> bool:
            pair = self.pair(edit)
            block = pair.index(part.map) if hold is None else hold(pair)
            options = views(pair, part, block)
            pair.view(part.map, block).changed()
            if self.still(part):
                return number == 0 and self.unsat(pair.query)
            return number < len(options) and self.led_over(
                options[number], part.granularity, most, most, reverse=reverse
            )

        where = ("the whole databases", "what the block sees")
        found = self.trail.first("paths between", (0, 1), shown, where.__getitem__)
        return bool(found)

    def led_over(
        self, view: View, granularity: BoundGranularity, least: int, most: int, *, reverse: bool
    ) -> bool:
        """Prove that paths of edits lead from one database of a view to the other one.

        They are looked for in lengths from ``least`` on to ``most``.
        """
        distance = ViewDistance(view, granularity, reverse=reverse, spoken=True)

        def find() -> Any:
            proved = any(distance.at_most(n) == "proved" for n in range(least, most + 1))
            return (distance.said() or "found again") if proved else None

        def show(paths: Any) -> bool:
            return bool(find()) if paths == "found again" else distance.holds_by(paths, most)

        shown = self.trail.found("one of the paths", find, show)
        if shown:
            self.scripts.append(view.query.impossible)
        return shown

    def far_apart(
        self, edit: BoundEdit, part: BoundPart, number: int, *, reverse: bool
    ) -> FoundPair | None:
        """Find neighbours that a part sees at a distance larger than ``number``.

        With ``reverse``, where neighbours stand in either order, they are returned in the one in
        which the part sees it.
        """

        def ask(pair: Pair, number_of_block: tuple[int, ...] = ()) -> Demand:
            block = pair.index(part.map, number_of_block)
            view = pair.view(part.map, block)
            view.changed()
            of_images = part.setting == "common" and part.map.image is not None
            if of_images or self.still(part):  # its edits are not about the images, or none
                return Demand([(part.map, block)], [])
            return Demand(
                [(part.map, block)],
                [(ViewDistance(view, part.granularity, reverse=reverse), number)],
            )

        def judge(found: FoundPair) -> bool:
            ((mapping, index),) = found.blocks
            del mapping
            seen = self.bracket(found, part, index, reverse=reverse)
            return seen.lower > number

        tries = ((), *first_of_many(part.map))
        ways = (self.confirmed(edit, partial(ask, number_of_block=n), judge) for n in tries)
        found = next((pair for pair in ways if pair is not None), None)
        return replace(found, old=found.new, new=found.old) if found and reverse else found

    def bracket(
        self, found: FoundPair, part: BoundPart, index: tuple[int, ...], *, reverse: bool = False
    ) -> Bracket:
        """Bound the distance that a part sees in a block of a concrete world."""
        world = found.world
        ends = (found.new, found.old) if reverse else (found.old, found.new)
        listing = self.listing(part)
        if listing is not None:
            exact = distance_in_list(listing, part, index, *ends)
            return Bracket(exact, exact)
        old, new = (world.apply(part.map, d, index) for d in (found.old, found.new))
        if reverse:
            old, new = new, old
        if old != new and self.still(part):
            return Bracket(INFINITY, INFINITY)
        if part.setting == "common":
            if old == new:
                return Bracket(0, 0)
            if part.same_granularity:
                return Bracket(1, 1)
            seen = pushed(world, part, index, *ends, self.kept_by(part.granularity))
            shown = world.block_cells(part.map, index)
            open_yet = seen.exact is None and seen.lower == 1 and part.map.image is None
            if open_yet and unlinked(world, part.granularity, old, new, shown=shown):
                return Bracket(2, seen.upper)
            return seen
        cells = world.block_cells(part.map, index)
        if not all(world.contains(d, part.domain, cells) for d in (old, new)):
            return Bracket(INFINITY, INFINITY)
        kept, apart = self.kept_by(part.granularity), self.told_apart(part.granularity)
        inner = part.map.within(part.granularity, index)
        seen = bracket(world, inner, old, new, cells, kept, apart=apart)
        if seen.exact is None:  # the evaluator looked at what is in sight only
            # A block of a product is none: which cells there are besides is not known.
            inner = replace(inner, domain=replace(inner.domain, universe=Universe.ANY))
            both_ways = not inner.directed
            if isolated(world, inner, old, cells, into=both_ways) or isolated(
                world, inner, new, cells, out=both_ways
            ):
                return Bracket(INFINITY, INFINITY)
            if seen.lower == 1 and unlinked(world, inner, old, new, cells):
                return Bracket(2, seen.upper)
        return seen

    def too_far(self, part: BoundPart, most: int) -> Fails:
        """Return the definition of neighbours that a part sees outside its class, or too far apart.

        From below distances rest on what edits keep; the evaluator must find no short path, too.
        """

        def fails(world: World, old: Database, new: Database) -> bool:
            return any(
                self._farther(FoundPair(world, old, new, ()), part, index, most, reverse=reverse)
                for index in world.blocks(part.map)
                for reverse in self.orientations
            )

        return fails

    def _farther(
        self, found: FoundPair, part: BoundPart, index: tuple[int, ...], most: int, *, reverse: bool
    ) -> bool:
        if not self.bracket(found, part, index, reverse=reverse).lower > most:
            return False
        world = found.world
        ends: list[Database] = [found.old, found.new]
        cells, inner = world.cells, part.granularity
        if part.setting == "separate":
            inner = part.map.within(inner, index)
            ends = [world.apply(part.map, d, index) for d in ends]
            cells = tuple(world.block_cells(part.map, index))
            if not all(world.contains(d, part.domain, cells) for d in ends):
                return True
        start, goal = reversed(ends) if reverse else ends
        return world.path(inner, start, goal, min(most, 2), cells) is None

    def range(self, part: BoundPart) -> Verdict:
        """Decide whether f_i(D) lies in the part's class where D has neighbours (part of C2).

        About a database without neighbours, privacy makes no statement.
        """
        if part.default_class:  # as has every part on the common domain
            return Proved()

        def find() -> Verdict:
            first = self.likeness.part(part)
            known = None
            if first is not part:
                known = self._seen_by(self.range(first), first, part, 1)
            return self._range(part) if known is None else known

        return self.once_here("range", part.name, find=find)

    def _range(self, part: BoundPart) -> Verdict:
        anything = BoundEdit((), TRUE, (), Term("bool", (False,), "bool"))
        if self._inside(part, anything) or all(self._inside(part, e) for e in self.edits):
            return Proved()
        return self.also_freed(self._outside(part), lambda s: s.range(part))

    def _inside(self, part: BoundPart, edit: BoundEdit) -> bool:
        """Prove that what a part sees of two databases that an edit links is in its class."""
        inner, outer = part.domain, self.problem.domain
        pair = self.pair(edit)
        if edit in self.edits:
            pair.differ()
        view = pair.view(part.map, pair.index(part.map))
        query = pair.query
        cell = view.any_cell("z")
        fails = []
        sides = ((view.old, 0), (view.new, 1))
        if inner.cap is not None:
            fails += [at(cell) > inner.cap for at, _ in sides]
        for term, (at, side) in itertools.product(inner.size_terms, sides):
            sizes = view.sizes()
            fails.append(logic.Not(query.read(term, {}, {"D": (at, lambda n=sizes[side]: n)})))
        for key, bound in inner.limit_terms:
            if part.map.image is None and any(
                key == other and self._leq(most, bound) for other, most in outer.limit_terms
            ):
                continue
            fails.append(logic.BoolVal(True))
        query.add(logic.Or(*fails) if fails else logic.BoolVal(False))
        return self.unsat(query)

    def _leq(self, left: Term, right: Term) -> bool:
        query = Query(self.signature, self.problem.symbols)
        query.add(query.read(left) > query.read(right))
        return bool(query.check() == logic.unsat)

    def _outside(self, part: BoundPart) -> Verdict:
        """Find neighbours of which one has an image that is not in the part's class."""
        both_ways = not self.problem.outer.directed
        for edit, after in itertools.product(self.edits, (False, True)):
            found = self._seen_outside(edit, part, after=after)
            if found is not None:
                swap = after and both_ways
                shown = replace(found, old=found.new, new=found.old) if swap else found
                image = "f(D′)" if after and not both_ways else "f(D)"
                return self.refuted(shown, self.too_far(part, 1), f"{image} {OUTSIDE}")
        return not_decided("not decided whether f(D) always lies in the part's class")

    def _seen_outside(self, edit: BoundEdit, part: BoundPart, *, after: bool) -> FoundPair | None:
        """Find neighbours that an edit links, the first (or ``after`` it) seen outside a class."""

        def ask(pair: Pair) -> Demand:
            pair.differ()
            block = pair.index(part.map)
            pair.query.cell("more")
            pair.query.add(outside_class(pair.view(part.map, block), part, after=after))
            return Demand([(part.map, block)], [])

        def judge(found: FoundPair) -> bool:
            ((_, index),) = found.blocks
            image = found.world.apply(part.map, found.new if after else found.old, index)
            cells = found.world.block_cells(part.map, index)
            return not found.world.contains(image, part.domain, cells)

        return self.confirmed(edit, ask, judge)

    # ------------------------------------------------------------- telling

    def refuted(
        self, found: FoundPair, fails: Fails, reason: str, parts: Sequence[BoundPart] = ()
    ) -> Verdict:
        """Return a found pair as a refutation of what fails for it."""
        return refuted(self.example(found, fails, reason, parts))

    def example(
        self, found: FoundPair, fails: Fails, reason: str, parts: Sequence[BoundPart] = ()
    ) -> Counterexample | None:
        """Return a found pair as a counterexample, with what parts that read its blocks see."""
        blocks = tuple(sorted((m.name, i) for m, i in found.blocks))
        distances = tuple(
            (p.name, i, str(self.bracket(found, p, i))) for p in parts for _, i in found.blocks
        )
        world, maps = found.world, {m.name: m for m, _ in found.blocks}
        changed = tuple(
            (name, index)
            for name, mapping in sorted(maps.items())
            for index in self._in_sight(found, mapping)
            if world.apply(mapping, found.old, index) != world.apply(mapping, found.new, index)
        )
        return counterexample(
            self._pairs, fails, world, found.old, found.new,
            blocks=blocks, distances=distances, reason=reason, changed=changed,
        )  # fmt: skip

    @staticmethod
    def _in_sight(found: FoundPair, mapping: BoundMap) -> Sequence[tuple[int, ...]]:
        """Return the blocks that hold a record, of very many only the first."""
        cells = dict.fromkeys((*found.old, *found.new))
        held = itertools.chain.from_iterable(found.world.holding(mapping, c) for c in cells)
        return sorted(dict.fromkeys(itertools.islice(held, MOST_LISTED)))


def _anything(found: FoundPair) -> bool:
    """Accept any pair that is one at all."""
    del found
    return True


def _weight(found: FoundPair) -> tuple[int, int]:
    return sum(found.old.values()) + sum(found.new.values()), len(found.world.cells)
