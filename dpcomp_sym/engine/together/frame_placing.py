"""Neighbours of an edit with a frame, written down: a cell for each block that is to change.

D holds these cells, once each, and D* nothing; or each of them holds some, where limits allow no
more.  Each claim is a question that must be impossible.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.integers import Polynomial, all_replaced, replaced
from dpcomp_sym.engine.records import components, in_solver, mirrors, number_of
from dpcomp_sym.engine.replication import stays_as_it_is
from dpcomp_sym.engine.together.find import (
    ChangeCondition,
    Chosen,
    function_of,
    index_variable,
)
from dpcomp_sym.model import BoundMap, Domain, Universe
from dpcomp_sym.profile import Number, product_of
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    Term,
    conjuncts,
    free_variables,
    reads_database,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

if TYPE_CHECKING:
    pass

from dpcomp_sym.engine.together.placing import Placing, in_range

__all__ = ["FramePlacing", "only_mirror"]

Case = tuple[BoundMap, s.Predicate, Chosen]
"""What a block of a map may be like, and which cell it has then."""
MOST_CASES: Final = 8
"""Of more cases, or choices of them, not every one is tried."""
MOST_SPREADS: Final = 24
"""So many choices are tried of which values the cells of blocks may have any."""


@dataclass(frozen=True)
class AnyValue:
    """An attribute of which cells may have any value, an integer between two ends or one of few."""

    attribute: str
    low: Term | None
    high: Term | None
    many: Term
    """How many values it has."""

    def value(self, query: Query, sort: str, names: Mapping[str, Any]) -> Any:
        """Return any of the values; the ends may depend on the block and the edit."""
        any_value = query.fresh(sort, self.attribute)
        if self.low is not None and self.high is not None:
            query.add(any_value >= query.read(self.low, names))
            query.add(any_value <= query.read(self.high, names))
        return any_value


class FramePlacing(Placing):
    """A cell for each block of a frame: D holds them, or D* does, and the other one nothing."""

    spread: Sequence[AnyValue] = ()
    """Attributes that the cell of any block may have any of so many values of."""

    beyond: bool = False
    """Whether blocks are spoken of that have larger numbers than there are."""
    anew: bool = False
    """Whether what is left free of a cell is new for each block, where no label needs it."""
    whole_cases: bool = True
    """Whether D holds the cells of all cases, as they are written down."""
    mirror: Term | None = None
    """A record that is there whenever ``c`` is, which a fact of the class says of both of them."""
    _constant: Mapping[str, Term] = MappingProxyType({})
    """Functions that have one value everywhere, an integer of the edit."""
    by_block: bool = False
    """Whether functions are told the block, so that no cell need be new for what they say there."""

    def holds(self) -> bool:
        """Ask all that must be impossible, of the cells of all cases, or of one cell a block."""
        return any(self.hold() for _ in self.ways())

    def ways(self) -> Iterator[None]:
        """Choose cells: those of all cases, or one of those that blocks have on one condition.

        Where limits tie these together, what is left free of a cell may be new for each block.
        """
        self.cases = [
            (mapping, predicate, chosen)
            for mapping, condition in self.conditions
            for predicate, chosen in (condition.cases if condition else self.whole())
        ]
        self.whole_cases = True
        yield
        self.whole_cases = False
        if not self.structure.problem.domain.limited:
            return
        if self.labels_are_of_blocks():
            self.by_block = True
            yield
            self.by_block = False
        alike: list[list[Case]] = []
        for case in self.cases:
            same = next((of for of in alike if of[0][:2] == case[:2]), None)
            if same is None:
                alike.append([case])
            else:
                same.append(case)
        several = len(alike) < len(self.cases)
        if len(self.cases) > MOST_CASES:
            return
        for self.anew in (False, True) if several else (True,):
            for chosen in itertools.islice(itertools.product(*alike), MOST_CASES):
                self.cases = list(chosen)
                yield

    def hold(self) -> bool:
        """Ask all that must be impossible of the cells that are chosen."""
        if not self.written():
            return False
        held = [old for old in (1, 0) if self.all_step(old, 1 - old)]
        if not held:
            return False
        self.comes = held[0] == 0
        if not self.anew and not any(self.labels(chosen) for _, _, chosen in self.cases):
            self.shared = frozenset(self.structure.problem.domain.attributes)
        if self.untied():
            return True
        if len(held) == 2 and self.on_two_sides():
            self.comes, self.whole_cases = None, False
            return True
        return False

    def any_of(
        self, most: Number, inside: Sequence[tuple[BoundMap, ChangeCondition | None]] = (), *,
        beyond: bool = False, each: bool = False,
    ) -> bool:  # fmt: skip
        """Ask all that must be impossible if any so many blocks are to change, and no others need.

        The cells of these come or go, half of them on each side, and one that is of several blocks
        on one of them; what the limits tell apart besides their owners is spread over all values
        that it may have.  All of them lie ``inside`` other maps, in all blocks with a condition;
        they go on ``beyond`` the blocks that there are.  ``each``: the cells are of different
        blocks, since these other maps see how many there are.
        """
        self.spread, self.beyond = self.spreads(), beyond
        return any(
            self.any_hold(most)
            and (self.mirror is None or (not each and self.mirrored()))
            and all(
                (not each or self.lies_nowhere_else(*case))
                and all(self.lies_in(*other, case) for other in inside)
                for case in (self.cases if inside else ())
            )
            for _ in self.ways()
        )

    def lies_nowhere_else(
        self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen
    ) -> bool:  # fmt: skip
        """Prove that the cell of a block lies in no other block, nor do those that go on."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        other = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*in_range(query, mapping, other))
        query.add(logic.Not(equal(tuple(other), tuple(self.block))))
        names = dict(zip((n for n, _ in mapping.indices), other, strict=True))
        query.add(query.read(mapping.member, {**names, "c": cell}))
        return self.never(query)

    def lies_in(self, other: BoundMap, condition: ChangeCondition | None, case: Case) -> bool:
        """Prove that the cell of a block lies in all those of another map with a condition."""
        query, params = self.started()
        cell = self.setting(query, params, case)
        block = [query.fresh(INT, "i") for _ in other.indices]
        query.add(*in_range(query, other, block))
        if condition is not None:
            query.add(self.finder.asked(query, params, block).holds(condition.predicate))
        names = dict(zip((n for n, _ in other.indices), block, strict=True))
        query.add(logic.Not(query.read(other.member, {**names, "c": cell})))
        return self.never(query)

    def one_cell(self) -> bool:
        """Ask all that must be impossible of one cell that is in all blocks with a condition.

        Limits leave room for it.  It is what the first blocks of all maps have in common, or the
        last ones.
        """
        next(self.ways())
        seen_as_it_is = all(m.image is None for m, _ in self.conditions)
        if not (self.cases and seen_as_it_is and self.writable()):
            return False
        of_maps = [list(cases) for _, cases in itertools.groupby(self.cases, lambda case: case[0])]
        self.shared = frozenset(self.structure.problem.domain.attributes)
        for several in itertools.islice(itertools.product(*of_maps), MOST_CASES):
            for last in (False, True):
                case = self.in_common(several, last=last)
                self.cases = [case]
                held = [old for old in (1, 0) if self.all_step(old, 1 - old)]
                everywhere = (self.lies_in(*of, case) for of in self.conditions)
                if held and self.fits(case) and self.roomy(1) and all(everywhere):
                    self.comes = held[0] == 0
                    return True
        return False

    @staticmethod
    def in_common(cases: Sequence[Case], *, last: bool) -> Case:
        """Return a cell with what cells of several maps have in their first or last blocks."""
        found: dict[Term, Term] = {}
        for mapping, _, chosen in cases:
            ends = {
                index_variable(n): variable(size, INT) if isinstance(size, str) else integer(size)
                for n, size in enumerate(mapping.sizes, 1)
            }
            ends = ends if last else dict.fromkeys(ends, integer(1))
            for old, new in chosen.values:
                found.setdefault(all_replaced(old, ends), all_replaced(new, ends))
        mapping, _, _ = cases[0]
        return mapping, s.Connected("and", ()), Chosen(tuple(found.items()))

    def fits(self, case: Case) -> bool:
        """Prove that a cell is one that the edit may touch."""
        query, params = self.started()
        cell = self.setting(query, params, case)
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        query.add(logic.Not(logic.And(frame, *self.good(query, cell))))
        return self.never(query)

    def any_hold(self, most: Number) -> bool:
        """Ask all that must be impossible of the cells that are chosen, of which any may change."""
        if not (self.written() and self.all_step(0, 0)):
            return False
        come, go = self.all_step(0, 1), self.all_step(1, 0)
        if not (come or go):
            return False
        for sides in (1, 2) if come and go else (1,):
            limits = self.structure.problem.domain.sufficient_limits
            self.ample = frozenset(x for x in limits if self.leaves(*x, most, sides))
            if self.untied():
                return True
        return False

    def mirrored(self) -> bool:
        """Prove that with all cells those may come and go that are there whenever they are.

        No limit ties these to any other cell, and each of them has the cell for its own mirror.
        """
        pairs = list(itertools.product(self.cases, repeat=2))
        return all(map(self.has_mirror, self.cases)) and all(
            self.apart(a, b, mirror=True) and self.apart(a, b, mirror=True, both=True)
            for a, b in pairs
        )

    def has_mirror(self, case: Case) -> bool:
        """Prove that the mirror of a cell is one in the frame, with the same steps, and untied."""
        query, params = self.started()
        cell = self.setting(query, params, case)
        there = self.reflected(query, cell)
        goals = [equal(self.reflected(query, there), cell), *self.good(query, there)]
        goals.append(query.read(self.finder.edit.frame or FALSE, {**params, "c": there}))
        for old, new in ((0, 0), (0, 1), (1, 0)):
            numbers = {"old": logic.IntVal(old), "new": logic.IntVal(new)}
            mine, theirs = (
                query.read(self.finder.edit.step, {**params, **numbers, "c": c})
                for c in (cell, there)
            )
            goals.append(logic.Or(logic.Not(mine), theirs))
        goals.append(logic.Not(self.tied(query, cell, there, always=True)))
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def reflected(self, query: Query, cell: GroundCell) -> GroundCell:
        """Return the mirror of a cell."""
        if self.mirror is None:
            return cell
        found: GroundCell = query.read(self.mirror, {"c": cell})
        return found

    def facts_of_class(self) -> Sequence[Term]:
        """Return what the class says of each record, but for that its mirror is there, too."""
        facts = super().facts_of_class()
        return facts if self.mirror is None else [f for f in facts if not reads_database(f)]

    def spreads(self) -> list[AnyValue]:
        """Return what limits tell apart, and of which it is known how many values there are.

        Not what depends on the number of a block.  Records are spread evenly over the values of two
        of them and their pairs; of three that may fail.
        """
        domain = self.structure.problem.domain
        known = {x for key, _ in domain.sufficient_limits for x in components(key)}
        by = {
            old
            for _, condition in self.conditions if condition is not None
            for _, chosen in condition.cases
            for old, new in chosen.values if self.of_block(new)
        }  # fmt: skip
        found: list[AnyValue] = []
        for a, sort in domain.attribute_sorts.items():
            term = Term("attr", (a, variable("c", CELL)), sort)
            if term not in known - by:
                continue
            constants = self.structure.signature.constants(sort)
            if sort == INT:
                found += self.all_between(a, *_ends(domain, term))
            elif constants:
                found.append(AnyValue(a, None, None, integer(len(constants))))
        return found[:2]

    def all_between(
        self, attribute: str, low: Term | None, high: Term | None
    ) -> Iterator[AnyValue]:
        """Yield all values of an integer between two ends, if it is always as many, and some."""
        if low is None or high is None or not self.is_named(low, high):
            return
        many = Polynomial.of(Term("sub", (Term("add", (high, integer(1)), INT), low), INT)).term()
        if self.is_alike(many) and self.positive(many):
            yield AnyValue(attribute, low, high, many)

    def is_named(self, *ends: Term) -> bool:
        """Return whether terms are about the block, the edit and symbols alone."""
        names = {x.name for x in (*self.finder.indices, *self.finder.names.values())}
        names |= self.structure.problem.domain.symbols.keys()
        return all(free_variables(end) <= names for end in ends)

    def is_alike(self, term: Term) -> bool:
        """Return whether a term says the same whatever the block and the edit are."""
        return free_variables(term) <= self.structure.problem.domain.symbols.keys()

    def every_value(self) -> Number | None:
        """Return how many cells of each block come or go at once, one for each choice of values.

        These are of integers that neither the block nor the edit says: each has all values that
        the class allows, or that are in the block.
        """
        for _ in self.all_or_one():
            each = [(*self.widest(a), None) for a in self.structure.problem.domain.attributes]
            for chosen in itertools.islice(itertools.product(*each), MOST_SPREADS):
                self.spread = [one for one in chosen if one is not None]
                if self.spread and self.hold():
                    known = [number_of(self.structure, x.many) for x in self.spread]
                    return product_of([n for n in known if n is not None]) if all(known) else None
        return None

    def all_or_one(self) -> Iterator[None]:
        """Choose the cells of all cases, or of one that all blocks with the condition are of."""
        next(self.ways())
        yield
        every = self.cases[:MOST_CASES] if len(self.cases) > 1 else []
        for case in every:
            if self.is_of_all_blocks(case):
                self.cases = [case]
                yield

    def is_of_all_blocks(self, case: Case) -> bool:
        """Prove that all blocks with the condition are of a case."""
        mapping, predicate, _ = case
        ((_, condition),) = self.conditions
        query, params = self.started()
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        asked = self.finder.asked(query, params, block)
        if condition is not None:
            query.add(*in_range(query, mapping, block), asked.holds(condition.predicate))
        query.add(logic.Not(asked.holds(predicate)))
        return self.never(query)

    def widest(self, attribute: str) -> Iterator[AnyValue]:
        """Yield the values that an integer may have in each block, the most first."""
        domain = self.structure.problem.domain
        term = Term("attr", (attribute, variable("c", CELL)), domain.attribute_sorts[attribute])

        if term.sort != INT:
            return
        told = [new for _, _, chosen in self.cases for old, new in chosen.values if old == term]
        of_class = _ends(domain, term) if all(map(self.is_alike, told)) else (None, None)
        lows, highs = ([end] if end is not None else [] for end in of_class)
        for _, _, chosen in self.cases:
            if (ends := dict(chosen.ends).get(term)) is not None:
                lows += [p.term() for a, p in ends.lows if a == 1]
                highs += [p.term() for a, p in ends.highs if a == 1]
        # One that stands for "none of these" may be left out.
        lows += [Term("add", (low, integer(1)), INT) for low in lows[:1]]
        sides = [dict.fromkeys(map(Polynomial.of, side)) for side in (lows, highs)]
        for low, high in itertools.product(*sides):
            yield from self.all_between(attribute, low.term(), high.term())

    def positive(self, number: Term) -> bool:
        """Prove that a number is at least 1."""
        query, _ = self.query()
        query.add(query.read(number) < 1)
        return self.never(query)

    def leaves(self, key: Term, bound: Term, most: Number, sides: int) -> bool:
        """Prove that a limit leaves room for so many records, if these are spread evenly."""
        query, _ = self.query()
        room = query.read(bound) * sides
        told = {x.name for x in components(key) if x.op == "attr"}
        for one in self.spread:
            if one.attribute in told:
                room *= query.read(one.many)
        query.add(room < in_solver(query, most))
        return self.never(query)

    def written(self) -> bool:
        """Ask what must be impossible of the cell of a block by itself."""
        return self.writable() and all(map(self.touched, *zip(*self.cases, strict=True)))

    def writable(self) -> bool:
        """Return whether neighbours can be written down, whatever their cells are."""
        edit = self.finder.edit
        if any(sort == CELL for _, sort in edit.params) or reads_database(edit.guard, edit.step):
            return False
        if edit.frame is None or reads_database(edit.frame) or not self.letters_are_any():
            return False
        domain = self.structure.problem.domain
        more = domain.universe is Universe.PRODUCT or domain.at_least > 1
        if more and not stays_as_it_is(self.structure, edit):
            return False  # X has other cells than those that change
        return self.guarded()

    def all_step(self, old: int, new: int) -> bool:
        """Prove that the edit may leave so many records of the cell of each block."""
        return all(self.steps(m, p, c, old, new) for m, p, c in self.cases)

    def untied(self) -> bool:
        """Prove that no limit ties the cells of two blocks together."""
        domain = self.structure.problem.domain
        if not domain.limited:
            return True
        if self.ample.issuperset(domain.sufficient_limits):
            return self.roomy(1)
        pairs = itertools.combinations_with_replacement(self.cases, 2)
        return self.roomy(1) and all(self.apart(a, b) for a, b in pairs)

    def on_two_sides(self) -> bool:
        """Prove that D may hold the cells of some cases, and E those of the others.

        No limit ties cells of one side together, and no cell is on both of them.
        """
        numbers = range(len(self.cases))
        if len(numbers) > MOST_CASES or not self.roomy(1):
            return False
        if any(m.image is not None for m, _ in self.conditions):
            return False  # what comes may look like what leaves

        @cache
        def together(one: int, other: int) -> bool:
            return self.apart(self.cases[one], self.cases[other])

        @cache
        def opposite(one: int, other: int) -> bool:
            return self.apart(self.cases[one], self.cases[other], tied=False)

        pairs = list(itertools.combinations_with_replacement(numbers, 2))
        return any(
            all((together if sides[a] == sides[b] else opposite)(a, b) for a, b in pairs)
            for sides in itertools.product((False, True), repeat=len(numbers))
            if any(sides) and not sides[0]
        )

    def letters_are_any(self) -> bool:
        """Return whether the integers of the edit may be any, each by itself.

        Parameters are, and so are values of different functions, which may be constant.
        """
        constant: dict[str, Term] = {}
        self._constant = constant
        for letter in self.finder.letters:
            if function_of(letter):
                if not self.is_of_members_alone(str(letter.args[0])):
                    return False
            elif letter.op == "apply" and str(letter.args[0]) not in constant:
                constant[str(letter.args[0])] = letter
            elif letter.op != "var":
                return False
        maps = [f for m, _ in self.conditions for f in m.facts]
        facts = (*self.facts_of_class(), *maps)
        return all(map(_of_values_alone, facts)) and self.functions_are_any()

    def labels(self, chosen: Chosen) -> list[tuple[Term, Term]]:
        """Return values of functions at a cell that can be chosen: one of each function.

        Functions of which only facts of maps speak are 1.
        """
        found: dict[str, tuple[Term, Term]] = {}
        said = {x for m, _ in self.conditions for f in m.facts for x in subterms(f)}
        others = [(x, integer(1)) for x in said if x.op == "apply" and x.sort == INT]
        named = {old.args[0] for old, _ in chosen.values if old.op == "apply"}
        others = [x for x in others if x[0].args[0] not in named | set(self._constant)]
        for old, new in [*chosen.values, *sorted(others, key=repr)]:
            if not (old.op == "apply" and "c" in free_variables(old)):
                continue
            if old.args[0] not in self._constant:
                name = str(old.args[0])
                if name in found:
                    return []
                found[name] = old, new
        return list(found.values())

    def labels_are_of_blocks(self) -> bool:
        """Return whether each function that is chosen is told the block, and speaks of one case."""
        said: list[Any] = []
        for mapping, _, chosen in self.cases:
            block = {index_variable(n) for n in range(1, len(mapping.indices) + 1)}
            labels = [old for old, _ in self.labels(chosen)]
            told = all(block <= set(label.terms) for label in labels)
            if not told or mapping.multiplicity is not None:
                return False
            said += [label.args[0] for label in labels]
        return 0 < len(said) == len(set(said))

    def whole(self) -> tuple[tuple[s.Predicate, Chosen], ...]:
        """Return that a map without blocks sees what any block's cell is; it needs none itself."""
        return ()

    def setting(self, query: Query, params: dict[str, Any], case: Case) -> GroundCell:
        """Say that a block is of a case; return its cell."""
        mapping, predicate, chosen = case
        return self.cell(query, self.named(query, params, mapping, predicate), chosen)

    def named(
        self, query: Query, params: dict[str, Any], mapping: BoundMap, predicate: s.Predicate
    ) -> dict[str, Any]:
        """Say that a block has a condition; return what the names of its cell's terms are."""
        block = [query.fresh(INT, "i") for _ in mapping.indices]
        query.add(*([b >= 1 for b in block] if self.beyond else in_range(query, mapping, block)))
        query.add(self.finder.asked(query, params, block).holds(predicate))
        names = {index_variable(place).name: b for place, b in enumerate(block, 1)}
        for t in self.finder.names.values():
            names[t.name] = query.read(self.finder.named(t), params)
        self.block = block
        return names

    def cell(self, query: Query, names: dict[str, Any], chosen: Chosen) -> GroundCell:
        """Return the cell that is chosen; what is left free is one thing for all blocks.

        What is chosen in terms of other values of the cell is read once these are there.  Where a
        function has a value at the cell, what is left free is new for each block, so that it can.
        """
        values = dict(chosen.values)
        labels = self.labels(chosen)
        self._new: list[tuple[str, Any]] = []
        cell, later = [], []
        spread = {one.attribute: one for one in self.spread}
        of_labels = set() if self.by_block else {x for old, _ in labels for x in old.terms}
        for place, (a, sort) in enumerate(query.domain.attribute_sorts.items()):
            if a in spread:
                cell.append(spread[a].value(query, sort, names))
                continue
            value = Term("attr", (a, variable("c", CELL)), sort)
            here = values.get(value)
            if here is not None and "c" in free_variables(here):
                later.append((place, here))
                here = None
            if here is not None:
                cell.append(query.read(here, names))
            elif sort == INT and value not in of_labels and not self.any_integer(query, value):
                cell.append(self.integer(query, value))
            else:
                anew = self.anew or bool(labels and not self.by_block)
                cell.append(self.free(query, a, sort, new=anew))
        for _ in later:  # each may need the one before
            for place, here in later:
                cell[place] = query.read(here, {**names, "c": tuple(cell)})
        for old, new in labels:
            if self.is_of_new(old, query):
                known = {**names, "c": tuple(cell)}
                query.add(equal(query.read(old, known), query.read(new, known)))
        known = {**names, "c": tuple(cell)}
        for old in values:  # functions that are constant are so everywhere
            if old.op == "apply" and (same := self.always(str(old.args[0]))) is not None:
                query.add(equal(query.read(old, known), query.read(same, known)))
        return tuple(cell)

    def any_integer(self, query: Query, term: Term) -> bool:
        """Return whether an integer is new for each block that may be any."""
        return self.anew and self.mirror is not None and _ends(query.domain, term) == (None, None)

    @staticmethod
    def integer(query: Query, term: Term) -> Any:
        """Return an integer of which the class alone says something: its least one, or 0."""
        low, high = _ends(query.domain, term)
        least = low if low is not None else high
        return logic.IntVal(0) if least is None else query.read(least)

    def always(self, function: str) -> Term | None:
        """Return the value of a function that is constant: a letter, or a truth value.

        Not where a record may be in few blocks only, which truth values say.
        """
        few = any(m.multiplicity is not None for m in self.structure.problem.used_maps.values())
        truths = set() if few else {
            new for _, _, chosen in self.cases for old, new in chosen.values
            if old.op == "apply" and old.args[0] == function and old.sort == BOOL
        }  # fmt: skip
        return truths.pop() if len(truths) == 1 else self._constant.get(function)

    def free(self, query: Query, attribute: str, sort: str, *, new: bool) -> Any:
        """Return a value of an attribute that may be any: the same for all blocks if not new.

        It is none of the values that the edit names.
        """
        known = query.signature.constants(sort)
        if known:
            return known[0]
        if not new:
            value = logic.constant(logic.path("any", attribute), query.signature.sort(sort))
            query.add(*[logic.Not(equal(value, x)) for x in self._named.get(sort, ())])
            return value
        made = query.fresh(sort, attribute)
        self._new.append((attribute, made))
        if self.mirror is not None:
            query.add(*[logic.Not(equal(made, x)) for x in self._named.get(sort, ())])
        return made

    def is_of_new(self, label: Term, query: Query) -> bool:
        """Return whether a function is taken at a value that no other block has."""
        if self.by_block:
            return True
        whole = variable("c", CELL)
        new = {Term("attr", (a, whole), query.domain.attribute_sorts[a]) for a, _ in self._new}
        return any(x == whole or x in new for x in label.terms) and bool(new)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about integers with the facts, and what its parameters are."""
        query, _ = self.query()
        params = {n: query.fresh(sort, n) for n, sort in self.finder.edit.params}
        self._named: dict[str, list[Any]] = {}
        for n, sort in self.finder.edit.params:
            self._named.setdefault(sort, []).append(params[n])
        query.add(self.finder.asked(query, params, ()).holds(self.facts))
        return query, params

    def filled(self, mapping: BoundMap, condition: ChangeCondition, had: int = 1) -> bool:
        """Prove that a cell with any value between the ends is in the block, and may be touched.

        A record there may go, or come where there was none.
        """
        ((predicate, chosen),) = condition.cases
        ((term, ends),) = chosen.ends
        if any("c" in free_variables(p.term()) for _, p in (*ends.lows, *ends.highs)):
            return False
        query, params = self.started()
        value = query.fresh(INT, "value")
        kept = tuple((old, new) for old, new in chosen.values if old != term)
        names = self.named(query, params, mapping, predicate)
        query.add(*[value * a >= query.read(p.term(), names) for a, p in ends.lows])
        query.add(*[value * a <= query.read(p.term(), names) for a, p in ends.highs])
        moved = (*kept, (term, variable("edit.any value", INT)))
        cell = self.cell(query, {**names, "edit.any value": value}, Chosen(moved))
        old = dict(zip((n for n, _ in mapping.indices), self.block, strict=True))
        inside = query.read(mapping.member, {**old, "c": cell})
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        numbers = {"old": logic.IntVal(had), "new": logic.IntVal(1 - had)}
        step = query.read(self.finder.edit.step, {**params, **numbers, "c": cell})
        query.add(logic.Not(logic.And(inside, frame, step, *self.good(query, cell))))
        return self.never(query)

    def full(self, key: Term, bound: Term) -> Number | None:
        """Return how many records with each value can come and go, if a limit is all there is."""
        ((mapping, condition),) = self.conditions
        most = number_of(self.structure, bound)
        if condition is None or most is None or not self.has_names(key, mapping):
            return None
        ((predicate, chosen),) = condition.cases
        parts = components(key)
        inside = [t for t, _ in chosen.ends] or [
            old for old, _ in chosen.values if old in parts and old.op == "attr"
            and old.sort == INT and self.of_block(dict(chosen.values)[old])
        ]  # fmt: skip
        if len(inside) != 1 or inside[0] not in parts:
            return None
        others = [(old, new) for old, new in chosen.values if old != inside[0]]
        if any(self.of_block(new) or old.op != "attr" for old, new in others):
            return None
        if not all(self.alike(x) for x in parts if x != inside[0]):
            return None
        if chosen.ends:
            ways = [self.filled(mapping, condition, old) for old in (1, 0)]
        else:
            ways = [self.steps(mapping, predicate, chosen, old, 1 - old) for old in (1, 0)]
        return product_of([sum(ways), most]) if any(ways) else None

    def full_block(self, key: Term, bound: Term) -> Number | None:
        """Return how many records like its cell can come and go in each block at once."""
        ((mapping, condition),) = self.conditions
        most = number_of(self.structure, bound)
        if condition is None or most is None or not self.has_names(key, mapping, most):
            return None
        if not self.letters_are_any():
            return None
        next(self.ways())
        if not self.untied():
            return None
        ways = [self.all_step(old, 1 - old) for old in (1, 0)]
        every = product_of([sum(ways), most])
        return every if any(ways) and self.has_names(key, mapping, every) else None

    def of_block(self, term: Term) -> bool:
        """Return whether a term is about the number of a block, or another value of the cell."""
        names = {x.name for x in self.finder.indices} | {"c"}
        return bool(free_variables(term) & names)

    def has_names(self, key: Term, mapping: BoundMap, number: Number | None = None) -> bool:
        """Return whether so many records that a limit counts, of blocks of a map, have names."""
        return self.leaves_names(self.finder.edit, [key, mapping.member, *mapping.facts], number)

    def alike(self, term: Term) -> bool:
        """Prove that all cells of the frame have one value of a term."""
        query, params = self.started()
        cells = [query.cell("z"), query.cell("z")]
        frame = self.finder.edit.frame or FALSE
        query.add(*[query.read(frame, {**params, "c": c}) for c in cells])
        query.add(logic.Not(equal(*(query.read(term, {"c": c}) for c in cells))))
        return self.never(query)

    def guarded(self) -> bool:
        """Prove that the guard holds of all integers with the facts."""
        query, params = self.started()
        query.add(logic.Not(query.read(self.finder.edit.guard, params)))
        return self.never(query)

    def touched(self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen) -> bool:
        """Prove that the cell of a block is one, in the block, that the edit may touch."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        names = dict(zip((n for n, _ in mapping.indices), self.block, strict=True))
        inside = query.read(mapping.member, {**names, "c": cell})
        frame = query.read(self.finder.edit.frame or FALSE, {**params, "c": cell})
        query.add(logic.Not(logic.And(inside, frame, *self.good(query, cell))))
        return self.never(query)

    def steps(
        self, mapping: BoundMap, predicate: s.Predicate, chosen: Chosen, old: int, new: int
    ) -> bool:  # fmt: skip
        """Prove that the edit may leave so many records of the cell of a block."""
        query, params = self.started()
        cell = self.setting(query, params, (mapping, predicate, chosen))
        numbers = {"old": logic.IntVal(old), "new": logic.IntVal(new)}
        query.add(logic.Not(query.read(self.finder.edit.step, {**params, **numbers, "c": cell})))
        return self.never(query)

    def apart(
        self, first: Case, second: Case, *, tied: bool = True, mirror: bool = False,
        both: bool = False,
    ) -> bool:  # fmt: skip
        """Prove that two blocks have one cell, or cells that no limit ties together.

        If it does not matter what is ``tied``: that they have different cells.  Of the ``mirror``
        of the first one, or ``both``: that no limit at all counts these.
        """
        query, params = self.started()
        one = self.setting(query, params, first)
        mine, block = self._new, self.block
        other = self.setting(query, params, second)
        if first is second:
            query.add(logic.Not(equal(tuple(block), tuple(self.block))))
        new = [(a, b) for name, a in mine for known, b in self._new if name == known]
        query.add(*[logic.Not(equal(a, b)) for a, b in new])
        one = self.reflected(query, one) if mirror else one
        other = self.reflected(query, other) if both else other
        query.add(self.tied(query, one, other, always=mirror) if tied else equal(one, other))
        return self.never(query)


def only_mirror(domain: Domain) -> tuple[bool, Term | None]:
    """Return whether the class says nothing of databases but that a mirror is there, and which.

    >>> both = Domain({"tail": "V", "head": "V"}, facts=["D[c] == D[(head(c), tail(c))]"])
    >>> known, mirror = only_mirror(both)
    >>> known, mirror.op, only_mirror(Domain({"tail": "V"}))
    (True, 'tuple', (True, None))
    """
    said = [f for f in domain.fact_terms if reads_database(f)]
    found = list(mirrors(said))
    return len(said) == len(found) < 2, found[0] if found else None


def _of_values_alone(fact: Term) -> bool:
    """Return whether a fact is about the values of functions only, so that it is alike everywhere.

    Then it holds of all records if functions have, wherever nothing is chosen, a value that was.
    """
    for part in subterms(fact):
        if part.op == "apply":
            fact = replaced(fact, part, variable("edit.value", part.sort))
    return "edit.value" not in free_variables(fact) or "c" not in free_variables(fact)


def _ends(domain: Domain, term: Term) -> tuple[Term | None, Term | None]:
    """Return between which numbers and symbols the class says that a term is."""
    low = high = None
    for fact in conjuncts(domain.cell_term):
        if fact.op not in ("le", "lt", "ge", "gt"):
            continue
        small, large = fact.terms if fact.op in ("le", "lt") else fact.terms[::-1]
        off = integer(int(fact.op in ("lt", "gt")))
        if small == term and not free_variables(large) - domain.symbols.keys():
            high = Term("sub", (large, off), INT)
        elif large == term and not free_variables(small) - domain.symbols.keys():
            low = Term("add", (small, off), INT)
    return low, high
