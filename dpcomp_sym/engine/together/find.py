"""Which blocks change together: a condition on the number of a block, found and then proved.

For an edit that names its points a block that changes holds one of them.  For a frame it holds a
cell that the edit may touch, which is eliminated: what is left is about the block and the integers
that the edit names.  What was found is proved by itself, "a block that changes is so"; elimination
may therefore drop what it cannot do, and the condition is then only weaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.integers import (
    CELL_VARIABLE,
    Ends,
    Polynomial,
    TooManyError,
    all_replaced,
    compared,
    disjuncts,
    replaced,
    solve,
    told,
)
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Term,
    conjunction,
    conjuncts,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer, power

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "TRUE", "ChangeCondition", "Chosen", "Finder", "function_of", "has_indices",
    "index_variable", "label_of", "truth_of", "value_between",
]  # fmt: skip

TRUE: Final = s.Connected("and", ())
FALSE: Final = s.Connected("or", ())
INDEX: Final = "block."
MOST_ROWS: Final = 40
LONGEST_PERIOD: Final = 5000
"""After so many integers, at most, remainders by numbers are what they were."""
MOST_LETTERS: Final = 6


@dataclass(frozen=True)
class Chosen:
    """A cell in a block, as integers of the edit and the block: what its attributes are.

    ``values`` are terms over the edit's parameters, symbols and the indices of the block.
    """

    values: tuple[tuple[Term, Term], ...]
    ends: tuple[tuple[Term, Ends], ...] = ()
    """What bounds the integers of the cell, in the order in which they were eliminated."""


@dataclass(frozen=True)
class ChangeCondition:
    """Which blocks of a map change: cases, each with a cell that may be what changes there."""

    cases: tuple[tuple[s.Predicate, Chosen], ...]
    rows: tuple[tuple[Polynomial, ...], ...] = ()
    """The cases as inequalities p <= 0."""

    @property
    def predicate(self) -> s.Predicate:
        """The condition as a whole."""
        found = tuple(dict.fromkeys(p for p, _ in self.cases))
        if TRUE in found:
            return TRUE
        return found[0] if len(found) == 1 else s.Connected("or", found)


@dataclass
class Finder:
    """Finds the conditions of one edit; its integers become letters as they are met."""

    structure: Structure
    edit: BoundEdit
    shift: Mapping[str, Term] = field(default_factory=dict)
    """What is added to integers of the edit, so that conditions read better."""
    letters: list[Term] = field(default_factory=list)
    """The integers of the edit, over its parameters as these are called here."""
    functions_of: tuple[int, ...] = ()
    """If there are any: indices of which all of these are taken to be functions, also integers."""
    records: tuple[str, ...] = ()
    """What the records are called that change, of an edit with a frame that names all of these."""
    whole: bool = True
    """Whether integers are attributes of records, also where these read a remainder alone."""
    truths: bool = False
    """Whether what records are said to be is one of the integers, too: 1 if it is so, else 0."""
    mixed: tuple[int, ...] = ()
    """Indices that one of these is a function of, where another one is an integer, or of others."""
    same: dict[Term, Term] = field(default_factory=dict)
    """What is always one of the integers, as what two records agree in."""
    hidden: dict[Term, Term] = field(default_factory=dict)
    """Integers of records of which no block speaks, in the others: what they may be."""

    def __post_init__(self) -> None:
        """Give parameters names that no index and no symbol has."""
        self._quotients: dict[Term, Term] = {}
        self._period = 1
        self.names = {n: variable(f"edit.{n}", sort) for n, sort in self.edit.params}
        self.own = {
            n: Term("sub", (t, self.shift[n]), INT) if n in self.shift else t
            for n, t in self.names.items()
        }

    def named(self, letter: Term) -> Term:
        """Return an integer of the edit over its parameters as the edit calls them."""
        back = {
            t.name: Term("add", (variable(n, INT), self.shift[n]), INT)
            if n in self.shift
            else variable(n, t.sort)
            for n, t in self.names.items()
        }
        return substitute(letter, back)

    def better_shift(self, condition: ChangeCondition) -> dict[str, Term]:
        """Return what to add to the only integer of the edit so that blocks start there."""
        if len(self.letters) != 1 or len(condition.rows) != 1 or self.letters[0].op != "var":
            return {}
        (letter,) = self.letters
        for p in condition.rows[0]:
            table = dict(p.terms)
            blocks = [m for m in table if self._of_block(m)]
            rest = p.part(lambda m: m != (letter,) and not self._of_block(m))
            alone = all(letter not in m for m, _ in rest.terms)
            starts = len(blocks) == 1 and table[blocks[0]] == -1 and len(blocks[0]) == 1
            if starts and table.get((letter,)) == 1 and alone and rest.terms:
                return {letter.name.removeprefix("edit."): rest.term()}
        return {}

    def _of_block(self, monomial: Sequence[Term]) -> bool:
        return any(map(function_of, monomial))

    @property
    def indices(self) -> Sequence[Term]:
        """The indices of the block that was last mentioned."""
        return tuple(self._indices)

    # ------------------------------------------------------------- conditions

    def of_points(
        self, mapping: BoundMap, points: Sequence[str] | None = None
    ) -> ChangeCondition | None:
        """Return that a block holds one of the points that an edit names, or of some of these."""
        named = (self.records or self.edit.points) if points is None else points
        return self._of_each([self._holds(mapping, point) for point in named])

    def of_some_points(
        self, mapping: BoundMap, some: Sequence[frozenset[int]]
    ) -> ChangeCondition | None:
        """Return that a block holds some of the points that an edit names, and none of the others.

        ``some``: which ones these may be, by their numbers from 0 on.
        """
        inside = [self._holds(mapping, point) for point in self.edit.points]
        outside = [Term("not", (x,), BOOL) for x in inside]
        return self._of_each([
            conjunction([inside[n] if n in held else x for n, x in enumerate(outside)])
            for held in some
        ])  # fmt: skip

    def _holds(self, mapping: BoundMap, point: str) -> Term:
        return substitute(self._member(mapping), {"c": self.own[point]})

    def _of_each(self, ways: Sequence[Term]) -> ChangeCondition | None:
        """Return that a block is in one of some ways, which do not mention cells."""
        cases: list[tuple[s.Predicate, Chosen]] = []
        kept: list[tuple[Polynomial, ...]] = []
        for way in ways:
            for rows, _ in self._cases(way):
                said = self._said(rows)
                if said is None:
                    return None
                cases.append((said, Chosen(())))
                kept.append(self._kept)
        return ChangeCondition(tuple(cases), tuple(kept))

    def of_frame(self, mapping: BoundMap) -> ChangeCondition | None:
        """Return that a block can hold a cell that a frame may touch."""
        frame = substitute(self.edit.frame or TRUE_TERM, self.own)
        whole = conjunction([self._member(mapping), frame, said_of_cells(self.structure)])
        cases: list[tuple[s.Predicate, Chosen]] = []
        kept: list[tuple[Polynomial, ...]] = []
        for rows, chosen in self._cases(whole):
            said = self._said(rows)
            if said is None:
                return None
            cases.append((said, chosen))
            kept.append(self._kept)
        return ChangeCondition(tuple(cases), tuple(kept))

    def length(self, mapping: BoundMap, ends: Ends) -> s.Whole | None:
        """Return how many integers lie between some ends, where these are about blocks of a map."""
        self._member(mapping)
        lows = [p for a, p in ends.lows if a == 1]
        highs = [p for a, p in ends.highs if a == 1]
        lows, highs = self._outermost(mapping, lows, 1), self._outermost(mapping, highs, -1)
        if len(lows) == len(highs) == 1:
            return self._whole(highs[0] - lows[0] + Polynomial.of(integer(1)))
        wholes = [[self._whole(p) for p in rows] for rows in (lows, highs)]
        low, high = ([x for x in rows if x is not None] for rows in wholes)
        if not lows or not highs or len(low) < len(lows) or len(high) < len(highs):
            return None
        return s.Combined("add", (
            _least(s.Combined, "min", high),
            s.Combined("neg", (_least(s.Combined, "max", low),)), s.Integer(1),
        ))  # fmt: skip

    def _outermost(
        self, mapping: BoundMap, ends: list[Polynomial], sign: int
    ) -> list[Polynomial]:  # fmt: skip
        """Leave out ends of which another one says at least as much, in all blocks of a map."""
        there = [Polynomial.of(integer(1)) - Polynomial.of(i) for i in self._indices]
        there += [
            Polynomial.of(i) - Polynomial.of(variable(n, INT) if isinstance(n, str) else integer(n))
            for i, n in zip(self._indices, mapping.sizes, strict=True)
        ]
        kept = list(ends)
        for one in ends if len(ends) > 1 else ():
            others = [p for p in kept if p is not one]
            if any(self._impossible(there, (one - p) * sign) for p in others):
                kept = others
        return kept

    def facts(self) -> s.Predicate:
        """Return what the guard says of the integers of the edit that are known so far."""
        if self.functions_of:
            return TRUE
        cell_term = said_of_cells(self.structure)
        cells = [variable(n, CELL) for n, sort in self.edit.params if sort == CELL]
        said_of_all = [self.edit.guard, *(substitute(cell_term, {"c": x}) for x in cells)]
        known = len(self.letters)
        found: list[s.Predicate] = []
        whole = [
            one for one in conjuncts(substitute(conjunction(said_of_all), self.own))
            if not reads_database(one)
        ]  # fmt: skip
        left = False
        for one in whole:
            said = self._written(one)
            if said is not None and len(self.letters) == known:
                found.append(said)
            elif one.terms and one.terms[0].sort == INT:
                left = True
            del self.letters[known:]
        found += self._of_truths()
        if left and self.edit.frame is None:
            said = self._said(self._of_letters(whole))
            if said is not None and len(self.letters) == known:
                found.append(said)
            del self.letters[known:]
        return found[0] if len(found) == 1 else s.Connected("and", tuple(found))

    def facts_of_labels(self, maps: Sequence[BoundMap]) -> s.Predicate:
        """Return what the facts of maps say of labels that are integers of the edit."""
        found: list[s.Predicate] = []
        known = len(self.letters)
        for fact in (x for m in maps for f in m.facts for x in conjuncts(f)):
            applied = {x for x in subterms(fact) if x.op == "apply"}
            label = applied.pop() if len(applied) == 1 else fact
            for letter in self.letters[:known]:
                if label.op == letter.op == "apply" and label.args[0] == letter.args[0]:
                    said = self._written(replaced(fact, label, letter))
                    found += [] if said is None or len(self.letters) > known else [said]
                    del self.letters[known:]
        return s.Connected("and", tuple(found))

    def _of_truths(self) -> Iterator[s.Predicate]:
        """Yield that truths are 0 or 1, and that a record has at most one of the listed values."""
        groups: dict[Term, list[tuple[s.Whole, Term]]] = {}
        for number, letter in enumerate(self.letters, 1):
            truth = truth_of(letter)
            if truth is None:
                continue
            here = s.Letter(number)
            yield s.Compared("le", s.Integer(0), here)
            yield s.Compared("le", here, s.Integer(1))
            if truth.op == "eq":
                groups.setdefault(truth.terms[0], []).append((here, truth.terms[1]))
        for of, said in groups.items():
            if len(said) > 1:
                every = len(said) == len(self.structure.signature.constants(of.sort))
                total = s.Combined("add", tuple(x for x, _ in said))
                yield s.Compared("eq" if every else "le", total, s.Integer(1))

    def _of_letters(self, whole: Sequence[Term]) -> list[Polynomial]:
        """Return what conditions that all hold say of the integers of blocks alone.

        What else they mention is eliminated; what it may be is kept.
        """
        rows = [row for one in whole for row in self._certain(one)]
        known = {*self.letters, *(x for x, letter in self.same.items() if letter in self.letters)}
        ends: list[tuple[Term, Ends]] = []
        for _ in range(MOST_ROWS):
            atoms = {a for p in rows for m, _ in p.terms for a in m if self._is_hidden(a, known)}
            solved = [(_cost(e), v, e) for v in atoms if (e := solve(rows, v)) is not None]
            if not solved:
                rows = [p for p in rows if not atoms.intersection(a for m, _ in p.terms for a in m)]
                break
            _, v, best = min(solved, key=lambda row: (row[0], repr(row[1])))
            ends.append((v, best))
            rows = [*best.rest, *best.joined()][:MOST_ROWS]
        self.hidden = {}
        for v, best in reversed(ends):
            self.hidden[v] = all_replaced(value_between(best), self.hidden)
        return rows

    def _certain(self, term: Term) -> list[Polynomial]:
        """Return inequalities that a condition says in each of its cases, as that of an abs."""
        try:
            cases = [[p for x in case for p in _rows(x)] for case in disjuncts(term)]
        except TooManyError:
            return []
        return [p for case in cases for p in case if all(self._follows(p, x) for x in cases)]

    def _follows(self, row: Polynomial, rows: Sequence[Polynomial]) -> bool:
        """Prove that inequalities of integers imply another one."""
        return row in rows or self._impossible(rows, row)

    def _is_hidden(self, atom: Term, known: set[Term]) -> bool:
        """Return whether an atom is about records, and none of the integers of blocks."""
        own = {t.name for t in self.names.values()}
        return atom not in known and bool({t.name for t in subterms(atom) if t.op == "var"} & own)

    def _written(self, term: Term) -> s.Predicate | None:
        """Return a condition of the guard on integers, None if it is not such a thing."""
        try:
            cases = disjuncts(term)
        except TooManyError:
            return None
        found = []
        for literals in cases:
            each = [_rows(self._by_number(x) if self.truths else x) for x in literals]
            said = self._said([row for rows in each for row in rows]) if all(each) else None
            if said is None:
                return None
            found.append(said)
        return found[0] if len(found) == 1 else s.Connected("or", tuple(found))

    def _member(self, mapping: BoundMap) -> Term:
        names = {n: index_variable(place) for place, (n, _) in enumerate(mapping.indices, 1)}
        self._indices = {t: s.Index(n) for n, t in enumerate(names.values(), 1)}
        return substitute(mapping.member, names)

    # ------------------------------------------------------------- elimination

    def _cases(self, whole: Term) -> Iterator[tuple[list[Polynomial], Chosen]]:
        """Yield the cases of a condition, without the cell that it is about."""
        for literals in disjuncts(whole):
            asked = [x for x in map(self._by_number, literals) if x not in self._given]
            if not any(_denied(x) in self._given for x in asked):
                yield self._without_cell(asked if self.truths else literals)

    @cached_property
    def _given(self) -> frozenset[Term]:
        """What the guard says that records are, by numbers."""
        guard = substitute(self.edit.guard, self.own)
        return frozenset(self._by_number(x) for x in conjuncts(guard) if label_of(x))

    def _without_cell(self, literals: list[Term]) -> tuple[list[Polynomial], Chosen]:
        left = list(literals)
        values: list[tuple[Term, Term]] = []
        while (pair := _equality(left)) is not None:
            gone, value = pair
            left = [replaced(one, gone, value) for one in left]
            values = [(old, replaced(t, gone, value)) for old, t in values] + [(gone, value)]
        values += [known for one in left for known in _told(one)]
        left = [literal for one in left for literal in self._without_quotients(one)]
        rows = [row for one in left for row in _rows(one)]
        for quotient in self._quotients.values():  # what is known of it is a fact of the rest
            it = told(rows, quotient)
            rows = rows if it is None else list(it.rest)
        ends: list[tuple[Term, Ends]] = []
        for _ in range(MOST_ROWS):
            atoms = {a for p in rows for m, _ in p.terms for a in m if _has_cell(a)}
            if not atoms:
                break
            solved = [(_cost(e), v, e) for v in atoms if (e := solve(rows, v)) is not None]
            solved = solved or [((0, 0), v, e) for v in atoms if (e := told(rows, v)) is not None]
            if not solved:
                rows = [p for p in rows if not any(_has_cell(a) for m, _ in p.terms for a in m)]
                break
            _, v, best = min(solved, key=lambda row: (row[0], repr(row[1])))
            ends.append((v, best))
            rows = [*best.rest, *best.joined()][:MOST_ROWS]
        for v, best in reversed(ends):
            value = value_between(best)
            for gone, known in values:
                value = replaced(value, gone, known)
            values = [(old, replaced(t, v, value)) for old, t in values] + [(v, value)]
        free = dict.fromkeys(self._quotients.values(), integer(0))  # any will do
        values = [(old, all_replaced(t, free)) for old, t in values if old not in free]
        return rows, Chosen(tuple(values), tuple(ends))

    def _by_number(self, literal: Term) -> Term:
        """Return a literal that says which value a record has, if it does, by a number.

        Of two listed values a record that has not the first one has the second one.
        """
        label = label_of(literal)
        if label is None:
            return literal
        truth, holds = label
        if truth.op == "eq":
            of, value = truth.terms
            values = self.structure.problem.domain.enumerations[of.sort]
            if len(values) == 2 and value.name == values[1]:
                truth = Term("eq", (of, Term("const", (values[0],), of.sort)), BOOL)
                holds = not holds
        return Term("eq", (_number_of(truth), integer(int(holds))), BOOL)

    def _without_quotients(self, literal: Term) -> list[Term]:
        """Return a literal with an integer q for each e//n of cell or block: n*q <= e < n*q + n.

        A remainder e % n is e - n*q, with the same q.
        """
        found = [literal]
        while True:
            split = next(
                (
                    x
                    for one in found
                    for x in subterms(one)
                    if (x.op in ("div", "mod") and (_has_cell(x) or function_of(x)))
                    or self._of_edit(x)
                ),
                None,
            )
            if split is None:
                return found
            of, by = split.terms
            name = f"quotient.{len(self._quotients)}"
            quotient = self._quotients.setdefault(
                Term("div", (of, by), INT), Term("attr", (name, CELL_VARIABLE), INT)
            )
            times = Term("mul", (by, quotient), INT)
            value = quotient if split.op == "div" else Term("sub", (of, times), INT)
            found = [replaced(one, split, value) for one in found]
            found.append(Term("le", (times, of), BOOL))
            found.append(Term("lt", (of, Term("add", (times, by), INT)), BOOL))

    def _of_edit(self, term: Term) -> bool:
        """Return whether a term is a quotient of an integer of the edit."""
        if term.op != "div":
            return False
        names = free_variables(term.terms[0])
        return bool(names) and names <= {t.name for t in self.names.values()}

    def _said(self, rows: Sequence[Polynomial]) -> s.Predicate | None:
        """Return inequalities as a condition; None if some term is not an integer of the edit.

        Lower ends of the block come first, then upper ones.
        """
        rows = [_without_numbers(p).tightened() for p in rows]
        kept = [p for p in dict.fromkeys(rows) if p.terms and not _plainly(p)]
        self._kept: tuple[Polynomial, ...] = ()
        if any(not any(m for m, _ in p.terms) and p.constant > 0 for p in kept):
            return FALSE
        found: list[tuple[int, s.Predicate]] = []
        needed = self._needed(kept)
        for p in needed:
            if p * -1 in needed[: needed.index(p)]:
                continue
            said = self._equated(p) if p * -1 in needed else self._compared(p)
            if said is None:
                return None
            found.append(said)
        same = {atom: letter for atom, letter in self.same.items() if letter in self.letters}
        self._kept = tuple(p.renamed(same) for p in needed)
        ordered = [c for _, c in sorted(found, key=lambda row: row[0])]
        return ordered[0] if len(ordered) == 1 else s.Connected("and", tuple(ordered))

    def _needed(self, rows: list[Polynomial]) -> list[Polynomial]:
        """Leave out what follows from the other rows and the facts about symbols."""
        kept = list(rows)
        for row in sorted(rows, key=_speaks_of_block):
            others = [p for p in kept if p != row]
            if self._impossible(others, row):
                kept = others
        return [p for p in rows if p in kept]

    def _impossible(self, rows: Sequence[Polynomial], row: Polynomial) -> bool:
        """Prove that no integers have some inequalities, p <= 0, and not the last one."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        known: dict[Term, Any] = {}

        def read(p: Polynomial) -> Any:
            total = logic.IntVal(0)
            for monomial, c in p.terms:
                product = logic.IntVal(c)
                for atom in monomial:
                    if atom.op == "var" and atom.name in query.symbols:
                        here = query.symbols[atom.name]
                    elif atom.op == "mod" and atom.terms[1].op == "int":
                        of = read(Polynomial.of(atom.terms[0]))
                        here = logic.remainder(of, logic.IntVal(atom.terms[1].number))
                    else:
                        here = known.setdefault(atom, query.fresh(INT, "a"))
                    product = product * here
                total = logic.plus(total, product)
            return total

        query.add(*[read(p) <= 0 for p in rows])
        query.add(read(row) > 0)
        return bool(query.check() == logic.unsat)

    def _block_side(self, p: Polynomial) -> Polynomial:
        """Return what stands on the side of the block: indices, or else exponents with them."""
        named = p.part(lambda m: any(a in self._indices for a in m))
        return named if named.terms else p.part(self._of_block)

    def _compared(self, p: Polynomial) -> tuple[int, s.Predicate] | None:
        """Return p <= 0 as a comparison, and where it stands: what bounds a block from below first.

        What depends on the block stands on one side, with a positive factor in front; where that is
        all there is, what is added there stands on one side, and what is taken away on the other.
        """
        block = self._block_side(p)
        rest = p - block
        both = {c > 0 for _, c in block.terms} == {True, False}
        if not block.terms or (both and not any(m for m, _ in rest.terms)):
            block = p.part(lambda m: bool(m) and dict(p.terms)[m] > 0)
            rest = p.part(lambda m: not m or dict(p.terms)[m] < 0)
        if not block.terms:  # all is taken away: numbers stand on the other side
            block = rest.part(bool)
            rest = rest - block
        upper = not block.terms or block.terms[0][1] > 0
        one = Polynomial.made([((), 1)])
        strict = rest.constant >= 1
        moved = rest - one if strict else rest
        pair = (block, moved * -1) if upper else (moved, block * -1)
        sides = [self._whole(x) for x in pair]
        if None in sides:
            return None
        left, right = (x for x in sides if x is not None)
        if isinstance(left, s.Combined) and (left.word, right) == ("mod", s.Integer(0)):
            return 0, s.Compared("eq", left, right)  # remainders are not negative
        return int(upper), s.Compared("lt" if strict else "le", left, right)

    def _equated(self, p: Polynomial) -> tuple[int, s.Predicate] | None:
        """Return p == 0 as a comparison: what depends on the block with the rest, if any does."""
        block = self._block_side(p)
        if (block.terms[0][1] < 0) if block.terms else p.constant > 0:
            return self._equated(p * -1)
        if not block.terms:
            table = dict(p.terms)
            block = p.part(lambda m: bool(m) and table[m] > 0)
        left, right = self._whole(block), self._whole((p - block) * -1)
        return None if left is None or right is None else (0, s.Compared("eq", left, right))

    def _whole(self, p: Polynomial) -> s.Whole | None:
        items: list[s.Whole] = []
        ordered = sorted(p.terms, key=lambda row: (row[1] < 0, not row[0]))
        for monomial, c in ordered:
            atoms = [self._atom(a) for a in monomial]
            known = [a for a in atoms if a is not None]
            if len(known) < len(atoms):
                return None
            if not known:
                items.append(s.Integer(c))
                continue
            factors = [s.Integer(abs(c))] if abs(c) != 1 else []
            whole = [*factors, *known]
            one = whole[0] if len(whole) == 1 else s.Combined("mul", tuple(whole))
            items.append(one if c > 0 else s.Combined("neg", (one,)))
        if not items:
            return s.Integer(0)
        return items[0] if len(items) == 1 else s.Combined("add", tuple(items))

    def _atom(self, atom: Term) -> s.Whole | None:
        if atom in self._indices:
            return self._indices[atom]
        names = {t.name for t in subterms(atom) if t.op == "var"}
        own = {t.name for t in self.names.values()}
        if atom.op == "var" and atom.name in self.structure.problem.symbols:
            return s.Symbol(atom.name)
        if atom.op == "pow":
            return self._power(*atom.terms)
        at = function_of(atom)
        if atom.op == "mod" and not _has_cell(atom) and not self._all_that_counts(atom):
            of, by = (self._whole(Polynomial.of(x)) for x in atom.terms)
            if of is None or not isinstance(by, s.Integer | s.Symbol):
                return None
            if isinstance(by, s.Integer):
                self._period = lcm(self._period, by.value)
                if self._period > LONGEST_PERIOD:  # so that there are numbers for it
                    return None
            return s.Combined("mod", (of, by))
        if _has_cell(atom) or (at and atom.op != "apply"):
            return None
        at = at or self.functions_of
        if at and at[-1] > len(self._indices):
            return None
        known = own | {index_variable(n).name for n in at} | set(self.structure.problem.symbols)
        if not names <= known or not names & own or reads_database(atom):
            return None
        known_at = {function_of(x) or self.functions_of for x in self.letters}
        others = known_at - {at, ()}
        if at and others:  # all that are functions take the same indices
            self.mixed = max(at, *others)
            return None
        if {at, *known_at} - {()} and () in {at, *known_at}:
            self.mixed = max(at, *known_at)
        letter = self._letter(atom)
        if letter not in self.letters:
            if len(self.letters) >= MOST_LETTERS:
                return None
            self.letters.append(letter)
        number = self.letters.index(letter) + 1
        return s.LetterAt(number, tuple(map(s.Index, at))) if at else s.Letter(number)

    def _letter(self, atom: Term) -> Term:
        """Return the integer that an atom always is, if there is one already; else itself."""
        if atom in self.letters or self.same.get(atom) in self.letters:
            return self.same.get(atom, atom)
        for letter in (
            self.letters if atom.op in ("attr", "apply") and not function_of(atom) else ()
        ):
            if (letter.op, letter.args[0]) == (atom.op, atom.args[0]) and not function_of(letter):
                pair = self.structure.pair(self.edit)
                one, other = (pair.query.read(self.named(x), pair.params) for x in (atom, letter))
                pair.query.add(logic.Not(equal(one, other)))
                if self.structure.unsat(pair.query):
                    self.same[atom] = letter
                    return letter
        return atom

    def _all_that_counts(self, remainder: Term) -> bool:
        """Return whether of an attribute of a record nothing is read but this remainder.

        Then it may be any number that is so small itself.
        """
        of, by = remainder.terms
        if self.whole or of.op != "attr" or uses_size(self.edit.guard):
            return False
        problem = self.structure.problem
        members = (m.member for m in problem.used_maps.values())
        read = [self.edit.guard, problem.domain.cell_term, *members]
        inside = sum(
            _count(
                t,
                lambda x: (
                    x.op == "mod"
                    and x.terms[0].args[:1] == of.args[:1]
                    and x.terms[0].op == "attr"
                    and x.terms[1] == by
                ),
            )
            for t in read
        )
        return inside == sum(
            _count(t, lambda x: x.op == "attr" and x.args[0] == of.args[0]) for t in read
        )

    def _power(self, base: Term, exponent: Term) -> s.Whole | None:
        """Return a power of a number or symbol, with an exponent made of symbols and indices."""
        known = len(self.letters)
        of, by = (self._whole(Polynomial.of(x)) for x in (base, exponent))
        lettered = len(self.letters) > known
        del self.letters[known:]
        if of is None or by is None or lettered:
            return None
        if any(isinstance(x, s.Letter) for x in (*s.subterms(of), *s.subterms(by))):
            return None
        if isinstance(of, s.Integer) and isinstance(by, s.Integer):
            return s.Integer(power(of.value, by.value))
        return of if by == s.Integer(1) and self._positive(base) else s.Combined("pow", (of, by))

    def _positive(self, term: Term) -> bool:
        """Prove that a term made of symbols and indices is at least 1."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        indices = {t.name: query.fresh(INT, "i") for t in self.indices}
        query.add(*(i >= 1 for i in indices.values()))
        query.add(query.read(term, indices) < 1)
        return bool(query.check() == logic.unsat)

    # ------------------------------------------------------------- asking

    def asked(self, query: Query, params: dict[str, Any], indices: Sequence[Any]) -> SolverNames:
        """Return what letters and indices are in a question about a pair of neighbours."""
        here = params | {index_variable(n).name: x for n, x in enumerate(indices, 1)}
        letters = [
            query.read(self.named(x), here) if has_indices(x, indices) else None
            for x in self.letters
        ]
        return SolverNames(query.symbols, letters, indices)


def truth_of(letter: Term) -> Term | None:
    """Return what an integer of the edit is the truth of, as 1 or 0; None if it is another one.

    >>> truth_of(_number_of(variable("b", BOOL)))
    Term(op='var', args=('b',), sort='bool')
    """
    yes_or_no = letter.op == "ite" and letter.terms[1:] == (integer(1), integer(0))
    return letter.terms[0] if yes_or_no else None


def _number_of(truth: Term) -> Term:
    return Term("ite", (truth, integer(1), integer(0)), INT)


def _denied(literal: Term) -> Term | None:
    """Return that a truth is the other one, where a literal says it by a number."""
    if literal.op != "eq" or truth_of(literal.terms[0]) is None:
        return None
    number, truth = literal.terms
    return Term("eq", (number, integer(1 - truth.number)), BOOL)


def label_of(literal: Term) -> tuple[Term, bool] | None:
    """Return what a literal says of a record, and whether it holds; None if it says no such thing.

    That is a truth value, or that it has some listed value, which comes second.  What is about a
    block says nothing of a record, nor what is about any cell.

    >>> yes = variable("b", BOOL)
    >>> label_of(Term("not", (Term("attr", ("adult", variable("x", CELL)), BOOL),), BOOL))[1]
    False
    >>> label_of(yes) is None
    True
    """
    holds = literal.op not in ("not", "ne")
    truth = literal.terms[0] if literal.op == "not" else literal
    said = truth
    if truth.op in ("eq", "ne"):
        of, value = sorted(truth.terms, key=lambda x: x.op in ("const", "bool"))
        if value.op == "bool":
            truth, holds = of, holds == value.args[0]
        elif value.op == "const":
            truth = Term("eq", (of, value), BOOL)
        else:
            return None
        said = of
    free = bool(free_variables(said)) and not function_of(said) and not _has_cell(said)
    return (truth, holds) if free and truth.sort == BOOL and said.op in ("attr", "apply") else None


def said_of_cells(structure: Structure) -> Term:
    """Return what the class says of any cell, whatever the databases hold."""
    domain = structure.problem.domain
    facts = [x for f in domain.fact_terms for x in conjuncts(f) if not reads_database(x)]
    return conjunction([domain.cell_term, *facts])


def index_variable(place: int) -> Term:
    """Return what the index at this place, from 1 on, is called in terms about a block."""
    return variable(f"{INDEX}{place}", INT)


def function_of(letter: Term) -> tuple[int, ...]:
    """Return the places of the indices that a term depends on.

    >>> function_of(index_variable(2))
    (2,)
    """
    named = (n.removeprefix(INDEX) for n in free_variables(letter) if n.startswith(INDEX))
    return tuple(sorted(map(int, named)))


def has_indices(letter: Term, indices: Sequence[Any]) -> bool:
    """Return whether a block with these indices has all that a term depends on."""
    return max(function_of(letter), default=0) <= len(indices)


def _least(made: type[s.Combined], word: str, items: list[s.Whole]) -> s.Whole:
    return items[0] if len(items) == 1 else made(word, tuple(items))


TRUE_TERM: Final = conjunction([])


def _count(term: Term, wanted: Callable[[Term], bool]) -> int:
    """Return how often something occurs in a term."""
    return int(wanted(term)) + sum(_count(x, wanted) for x in term.terms)


def _has_cell(term: Term) -> bool:
    return CELL_VARIABLE in subterms(term)


def _without_numbers(p: Polynomial) -> Polynomial:
    """Return the same with the remainders of numbers by numbers as numbers."""
    for atom in {a for m, _ in p.terms for a in m if a.op == "mod"}:
        of, by = atom.terms
        if of.op == by.op == "int" and by.number > 0:
            p = p.substituted(atom, Polynomial.of(integer(of.number % by.number)))
    return p


def _speaks_of_block(p: Polynomial) -> bool:
    return any(function_of(a) for m, _ in p.terms for a in m)


def _plainly(p: Polynomial) -> bool:
    """Return whether p <= 0 is a true statement about numbers."""
    return all(not m for m, _ in p.terms) and p.constant <= 0


def _equality(literals: Sequence[Term]) -> tuple[Term, Term] | None:
    """Return a part of the cell, and what it equals that does not mention the cell.

    An attribute comes before a function of it, which is then known, too.
    """
    found = [
        (gone, value)
        for one in literals if one.op == "eq"
        for gone, value in (one.terms, one.terms[::-1])
        if _has_cell(gone) and gone.op in ("attr", "apply") and not _has_cell(value)
    ]  # fmt: skip
    return min(found, key=lambda pair: pair[0].op == "apply", default=None)


def _told(literal: Term) -> list[tuple[Term, Term]]:
    """Return what a truth value must be, of the cell or of a function."""
    if literal.sort != BOOL:
        return []
    negated = literal.op == "not"
    inner = literal.terms[0] if negated else literal
    if inner.op != "apply" and not (inner.op == "attr" and _has_cell(inner)):
        return []
    return [(inner, Term("bool", (not negated,), BOOL))]


def _rows(literal: Term) -> list[Polynomial]:
    """Return a literal as inequalities p <= 0; nothing for what is not about integers."""
    if literal.op == "eq" and literal.terms[0].sort == INT:
        left, right = map(Polynomial.of, literal.terms)
        return [left - right, right - left]
    p = compared(literal)
    return [] if p is None else [p]


def _cost(ends: Ends) -> tuple[int, int]:
    """Factors other than 1 come last, and so does what makes many rows."""
    factors = [a for a, _ in (*ends.lows, *ends.highs)]
    return sum(a != 1 for a in factors), len(ends.lows) * len(ends.highs)


def value_between(ends: Ends) -> Term:
    """Return an integer between its ends: the largest lower one, or the least upper one."""
    zero = Polynomial(())
    if ends.lows:
        items = [p.term() if a == 1 else _ceiling(p, a) for a, p in ends.lows]
        return _extreme(items, "ge")
    items = [p.term() if a == 1 else _floor(p, a) for a, p in ends.highs]
    return _extreme(items, "le") if items else zero.term()


def _floor(p: Polynomial, by: int) -> Term:
    return Term("div", (p.term(), Term("int", (by,), INT)), INT)


def _ceiling(p: Polynomial, by: int) -> Term:
    return Term("neg", (_floor(p * -1, by),), INT)


def _extreme(items: Sequence[Term], op: str) -> Term:
    found = items[0]
    for item in items[1:]:
        found = Term("ite", (Term(op, (found, item), BOOL), found, item), INT)
    return found
