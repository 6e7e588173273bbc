"""The weakest condition on a map's labels under which C1, or C2, holds.

A condition is a list of clauses "records x and y with this relation lie in …".  Clauses are
proposed by :mod:`dpcomp_sym.engine.relations`, and one is kept only if the solver proves both

* that it suffices: with the clause assumed of all records, no edit changes two blocks (C1), or
  every block sees at most one inner edit (C2);
* that it is necessary: whenever two records break it, some databases made of these two records
  alone are neighbours and change two blocks (C1), or are not one inner edit apart (C2).

Both are ground queries.  The databases of the second are written down, with two records and
small multiplicities, so that "they are neighbours of the class" is a formula without quantifiers;
that no inner edit links them is negated, and the inner edit's parameters become constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

from dpcomp_sym.engine.clauses import Clause, Needed, Says, Weakest, WrittenPair
from dpcomp_sym.engine.explicit_databases import (
    Trial,
    linked,
    numbers,
    place,
    pushed,
    records,
    trials,
)
from dpcomp_sym.engine.relations import (
    NamedParameter,
    X,
    Y,
    agreements,
    disjunction,
    shapes,
    spelled,
)
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Vacuous
from dpcomp_sym.finite import World
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Domain
from dpcomp_sym.smt import Pair, ViewDistance, logic
from dpcomp_sym.smt.asking import RESOURCES
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    TRUE,
    Term,
    conjunction,
    conjuncts,
    substitute,
    subterms,
)
from dpcomp_sym.terms.term import integer

__all__ = ["both", "weakest_compatible", "weakest_sensitive"]

MOST_TRIALS: Final = 128
"""Databases that are tried to show that a clause is necessary; fewer where each asks much."""
EACH: Final = RESOURCES // 10
"""The solver's work on one question about a proposal: what is seen at all is seen at once."""
LARGE: Final = 1_000
"""Remainders by such numbers keep the solver busy, many of them for a minute."""
KNOWN: Final = frozenset(
    ("attributes", "functions", "symbols", "cell", "cap", "size", "limits", "universe", "at_least")
)
"""What a class may be made of for its members to be written down here."""

# ------------------------------------------------------------------ the two conditions


def weakest_compatible(
    structure: Structure, mapping: BoundMap, example: World | None = None
) -> Weakest | str:
    """Return the weakest condition for C1: at most one block of a map changes.

    A reason is returned instead where none of the proposals is proved.  ``example`` is a world
    in which C1 fails: proposals that hold there need not be tried.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> domain = Domain({"id": "R", "owner": "U"})
    >>> blocks = library_map("partial_partition", name="blocks")
    >>> problem = Problem(domain, library_granularity("user", owner="owner"), [blocks],
    ...                   [Part("p", "blocks")])
    >>> weakest_compatible(Structure(problem), problem.bound_maps["blocks"]).text
    "h is constant on each owner's labelled records"
    """
    reason = _out_of_reach(structure, mapping)
    if reason:
        return reason
    return _Search(structure, mapping, None, example).found()


def weakest_sensitive(
    structure: Structure, part: BoundPart, example: World | None = None
) -> Weakest | str:
    """Return the weakest condition for C2: a part sees neighbours at distance at most 1.

    Reasons and ``example`` are as in :func:`weakest_compatible`.
    """
    reason = _out_of_reach(structure, part.map)
    if reason:
        return reason
    if len(structure.orientations) > 1:
        return "the part's granularity is directed and that of the composition is not"
    if not isinstance(structure.range(part), Proved):
        return "the part's class may not hold all images, whatever the labels"
    return _Search(structure, part.map, part, example).found()


def both(structure: Structure, left: Weakest, right: Weakest) -> Weakest:
    """Return the conjunction of two conditions on one map, without what the rest implies."""
    clauses = tuple(dict.fromkeys(left.clauses + right.clauses))
    return _simple(structure, replace(left, clauses=clauses, needed=left.needed + right.needed))


def _out_of_reach(structure: Structure, mapping: BoundMap) -> str:
    if mapping.identity or (mapping.indices and mapping.constant):
        return "there are no labels: the map keeps everything"
    if mapping.image is not None:
        return "the blocks count records by other attributes"
    if isinstance(structure.vacuity, Vacuous):
        return "there are no two different neighbours"
    default = Domain({"id": "R"})
    domain = structure.problem.domain
    odd = [
        f.name
        for f in fields(domain)
        if f.name not in {*KNOWN, "name"} and _said(domain, f.name) != _said(default, f.name)
    ]
    named = "limits on distinct values" if "distinct" in odd else "".join(odd[:1])
    return f"the class has {named.replace('_', ' ')}" if odd else ""


def _said(domain: Domain, name: str) -> object:
    """Return what a domain declares in a field; an empty list, in any form, is nothing."""
    return getattr(domain, name) or None


# ------------------------------------------------------------------ the search


class _Search:
    """Clauses for the edits of one problem, about C2 of a part, or about C1 if there is none."""

    def __init__(
        self, structure: Structure, mapping: BoundMap, part: BoundPart | None,
        example: World | None,
    ) -> None:  # fmt: skip
        self.structure = structure
        self.mapping = mapping
        self.part = part
        self.example = example if len(structure.edits) == 1 else None
        self.needed: dict[tuple[BoundEdit, Clause], Needed] = {}
        self.tried: dict[tuple[int, bool, tuple[NamedParameter, ...]], _Tried] = {}

    def found(self) -> Weakest | str:
        clauses: list[Clause] = []
        needed: list[Needed] = []
        for number, edit in enumerate(self.structure.edits, 1):
            if self.sufficient(edit, clauses):
                continue
            proposed = itertools.chain(self.of_edit(edit), self.readable(), self.spelled(edit))
            exact = self.first(edit, proposed)
            if exact is None:
                return (
                    f"no readable condition was proved sufficient and necessary for edit {number}"
                )
            clauses += self.in_short(exact)
            needed += [self.needed[edit, clause] for clause in exact]
        weakest = Weakest(
            self.mapping, tuple(dict.fromkeys(clauses)), self.structure.covers(self.mapping),
            tuple(needed),
        )  # fmt: skip
        return _simple(self.structure, weakest)

    def first(
        self, edit: BoundEdit, candidates: Iterator[tuple[Clause, ...]]
    ) -> tuple[Clause, ...] | None:
        """Return the first proposal that is proved sufficient and necessary for an edit."""
        for candidate in dict.fromkeys(candidates):
            if not self.allows_harm(candidate) and self.sufficient(edit, candidate):
                enough = _simple(self.structure, Weakest(self.mapping, candidate)).clauses
                if all(self.necessary(edit, clause) for clause in enough):
                    return enough
        return None

    def allows_harm(self, candidate: tuple[Clause, ...]) -> bool:
        """Return whether a condition is known to hold where harm is done."""
        return self.example is not None and Weakest(self.mapping, candidate).holds(self.example)

    def in_short(self, exact: tuple[Clause, ...]) -> tuple[Clause, ...]:
        """Return the first short condition that says the same as a sufficient one, or that one."""
        return next(
            (
                c for c in self.readable()
                if c == exact or (not self.allows_harm(c) and self.same(c, exact))
            ),
            exact,
        )  # fmt: skip

    def same(self, left: tuple[Clause, ...], right: tuple[Clause, ...]) -> bool:
        """Prove that two conditions hold of the same labels."""
        return all(
            _implied(self.structure, self.mapping, assumed, clause)
            for assumed, clauses in ((left, right), (right, left))
            for clause in clauses
        )

    def of_edit(self, edit: BoundEdit) -> Iterator[tuple[Clause, ...]]:
        """Yield proposals that repeat the formulas of an edit."""
        pairs, single = (list(dict.fromkeys(_tidy(self.structure, r))) for r in shapes(edit))
        if self.part is None:
            if pairs:
                yield tuple(Clause(r, Says.TOGETHER) for r in pairs)
            yield tuple(Clause(r, Says.TOGETHER) for r in dict.fromkeys(pairs + single))
            return
        for relation in pairs:
            yield (Clause(relation, Says.ALIKE),)
        for relation in pairs:
            yield (Clause(_of_two(relation), Says.APART),)
        yield (Clause(TRUE, Says.OUTSIDE),)
        alone = [substitute(r, {Y.name: X}) for r in (pairs if edit.frame is not None else single)]
        for relation in _tidy(self.structure, alone):
            yield (Clause(relation, Says.OUTSIDE),)

    def readable(self) -> Iterator[tuple[Clause, ...]]:
        """Yield short proposals, made of the readings of a record."""
        domain = self.structure.problem.domain
        alike = agreements(domain)
        if self.part is None:
            same, other = Term("eq", (X, Y), BOOL), Term("ne", (X, Y), BOOL)
            for relation in (same, TRUE, other, *alike):
                yield (Clause(relation, Says.TOGETHER),)
            for least in _room(domain):
                for relation in alike:
                    yield (Clause(conjunction([least, relation]), Says.TOGETHER),)
            return
        for relation in (TRUE, *alike):
            yield (Clause(relation, Says.ALIKE),)
        for relation in (TRUE, *alike):
            yield (Clause(_of_two(relation), Says.APART),)
        yield (Clause(TRUE, Says.OUTSIDE),)

    def spelled(self, edit: BoundEdit) -> Iterator[tuple[Clause, ...]]:
        """Yield proposals in the edit's own words, for all values of its parameters."""
        said = spelled(edit)
        ways = (Says.TOGETHER,) if self.part is None else (Says.ALIKE, Says.APART)
        for says in ways if said else ():
            yield tuple(Clause(relation, says, given) for relation, given in said)

    # -------------------------------------------------------------- sufficient

    def sufficient(self, edit: BoundEdit, clauses: Sequence[Clause]) -> bool:
        """Prove that an edit does no harm where the clauses hold for all records."""
        if self.part is None and not clauses:
            return self.structure.at_most_blocks(edit, self.mapping, 1)
        pair = self.structure.pair(edit)
        pair.query.limit(EACH)
        if self.part is None:
            blocks = self.structure.different(pair, self.mapping, 2)
            for block in blocks:
                pair.view(self.mapping, block).changed()
            _assume(pair, self.mapping, clauses, blocks)
            return self.structure.unsat(pair.query)
        if self.part.setting == "common":
            return self.structure.pushed_at_most(
                edit, self.part, 1, hold=partial(self._block, clauses)
            )  # fmt: skip
        block = pair.index(self.mapping)
        view = pair.view(self.mapping, block)
        view.changed()
        _assume(pair, self.mapping, clauses, [block])
        if ViewDistance(view, self.part.granularity).at_most(1) != "proved":
            return False
        self.structure.scripts.append(pair.query.impossible)
        return True

    def _block(self, clauses: Sequence[Clause], pair: Pair) -> tuple[Any, ...]:
        """Return a block of the pair for which the clauses hold."""
        block = pair.index(self.mapping)
        _assume(pair, self.mapping, clauses, [block])
        return block

    # -------------------------------------------------------------- necessary

    def necessary(self, edit: BoundEdit, clause: Clause) -> bool:
        """Prove that two records which break a clause can be made to do harm by an edit."""
        two = self.part is None and clause.relation != Term("eq", (X, Y), BOOL)
        key = (self.structure.edits.index(edit), two, clause.given)
        if key not in self.tried:
            self.tried[key] = _Tried(self, edit, clause.given, two=two)
        tried = self.tried[key]
        query = tried.pair.query
        violated = [
            _violation(tried.pair, self.mapping, clause, tried.cells, tried.blocks, tried.values)
        ]
        if clause.says is Says.OUTSIDE:
            violated.append(query.equal(*tried.cells))
        while (answer := query.check(*violated)) != logic.unsat:
            if answer == logic.unknown or not tried.more():
                return False
        self.structure.scripts.append(query.impossible)
        number = self.structure.edits.index(edit) + 1
        self.needed[edit, clause] = Needed(number, clause, tuple(tried.pairs))
        return True

    def harm(self, trial: Trial, blocks: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return that the trial's databases show the condition to fail."""
        if self.part is None:
            return [trial.old.at(c) != trial.new.at(c) for c in trial.cells]
        (block,) = blocks
        sides = [db.within(self.mapping, block) for db in (trial.old, trial.new)]
        seen = logic.Or(*[sides[0].at(c) != sides[1].at(c) for c in trial.old.cells])
        joined = pushed if self.part.setting == "common" else linked
        return [seen] + [
            logic.Not(joined(trial.pair, self.mapping, block, inner, first, then))
            for inner in self.part.granularity.edits
            for first, then in (sides, sides[::-1])[: 1 if self.part.granularity.directed else 2]
        ]


class _Tried:
    """Trials of one edit that are excluded so far: the same for all clauses, more when needed."""

    def __init__(
        self, search: _Search, edit: BoundEdit, given: tuple[NamedParameter, ...], *, two: bool
    ) -> None:
        part = search.part
        self.pair = pair = records(search.structure, EACH)
        self.cells = pair.query.cell("x"), pair.query.cell("y")
        self.values = _fresh(pair, given)
        self.blocks = [pair.index(search.mapping) for _ in range(2 if part is None else 1)]
        domain = search.structure.problem.domain
        each = 1 if part is None else 2 * len(part.granularity.edits)
        # Two blocks change if each holds a record more or less; distances can need more.
        full = place(search.structure)
        counts = numbers(domain, edit, 1 if part is None else 2)
        if full is not None:
            counts = [integer(0), integer(1)]
        named = {X.name: self.cells[0], Y.name: self.cells[1], **self.values}
        found = trials(pair, domain, edit, named, given, counts, two=two, place=full)
        self._harm = search.harm
        self._left = itertools.islice(found, MOST_TRIALS // each)
        self._number = 0
        self.pairs: list[WrittenPair | None] = []

    def more(self) -> bool:
        """Exclude as many trials again, one at first; return whether there were any."""
        some = list(itertools.islice(self._left, max(self._number, 1)))
        for trial in some:
            harm = self._harm(trial, self.blocks)
            self.pair.query.add(logic.Not(logic.And(*trial.admissible, *harm)))
        self._number += len(some)
        self.pairs += [trial.written for trial in some]
        return bool(some)


def _fresh(pair: Pair, given: Sequence[NamedParameter]) -> dict[str, Any]:
    """Return any values for what a clause mentions besides its two records."""
    return {g.name: pair.query.fresh(g.sort, g.name) for g in given}


def _assume(
    pair: Pair, mapping: BoundMap, clauses: Sequence[Clause], blocks: Sequence[tuple[Any, ...]],
    others: Mapping[str, tuple[str, Any]] | None = None,
) -> None:  # fmt: skip
    """Assume clauses of all ground cells, the blocks at hand, and the pair's parameters.

    ``others``, name → (sort, value), are used in the place of the parameters, if given.
    """
    if others is None:
        others = {n: (sort, pair.params[n]) for n, sort in pair.edit.params}

    def values(clause: Clause) -> Iterator[dict[str, Any]]:
        """An edit's own parameter stands for itself, if the clause comes from this edit."""
        pools = [
            [others[g.param][1]]
            if g.param in others and others[g.param][0] == g.sort
            else [value for sort, value in others.values() if sort == g.sort]
            for g in clause.given
        ]
        for chosen in itertools.product(*pools):
            yield dict(zip((g.name for g in clause.given), chosen, strict=True))

    asked = [(clause, named) for clause in clauses for named in values(clause)]
    written: dict[tuple[int, int, int], list[Any]] = {}

    def of_two(number: int, two: Sequence[GroundCell]) -> list[Any]:
        """Return a clause of two cells, written once: cells only ever join the others."""
        key = number, id(two[0]), id(two[1])
        if key not in written:
            clause, named = asked[number]
            together = clause.says is Says.TOGETHER
            # Two blocks in the other order are broken by the same.
            chosen = itertools.combinations(blocks, 2) if together else ((b,) for b in blocks)
            related = _related(pair, clause, two, named)
            written[key] = [
                logic.Not(logic.And(related, *_broken(pair, mapping, clause, two, some)))
                for some in chosen
            ]
        return written[key]

    def instances() -> list[Any]:
        twos = list(itertools.product(pair.query.cells, repeat=2))
        return [f for number in range(len(asked)) for two in twos for f in of_two(number, two)]

    if clauses:
        pair.query.at_check(instances)


def _violation(
    pair: Pair, mapping: BoundMap, clause: Clause, cells: Sequence[GroundCell],
    blocks: Sequence[tuple[Any, ...]], values: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Return that two cells break a clause, at given blocks, for values of what is given."""
    related = _related(pair, clause, cells, values)
    return logic.And(related, *_broken(pair, mapping, clause, cells, blocks))


def _related(
    pair: Pair, clause: Clause, cells: Sequence[GroundCell], values: Mapping[str, Any]
) -> Any:
    """Return that a clause is about two cells."""
    return pair.query.read(clause.relation, {X.name: cells[0], Y.name: cells[1], **values})


def _broken(
    pair: Pair, mapping: BoundMap, clause: Clause, cells: Sequence[GroundCell],
    blocks: Sequence[tuple[Any, ...]],
) -> list[Any]:  # fmt: skip
    """Return what two cells that a clause is about, at given blocks, break it by."""
    left, right = (pair.member(mapping, c, blocks[0]) for c in cells)
    match clause.says:
        case Says.TOGETHER:
            second = [pair.member(mapping, c, blocks[1]) for c in cells]
            apart = logic.Not(equal(blocks[0], blocks[1]))
            return [apart, logic.Or(left, right), logic.Or(*second)]
        case Says.ALIKE:
            return [left != right]
        case Says.APART:
            return [left, right]
        case Says.OUTSIDE:
            return [left]


def _simple(structure: Structure, weakest: Weakest) -> Weakest:
    """Leave out what other clauses imply."""
    kept = list(weakest.clauses)
    for clause in reversed(weakest.clauses):  # what was proposed first stays
        others = [c for c in kept if c is not clause]
        # One clause is a much shorter question than all, and the first often implies the rest.
        ways = (others[:1], others) if len(others) > 1 else (others,)
        if any(_implied(structure, weakest.mapping, some, clause) for some in ways):
            kept = others
    return replace(weakest, clauses=tuple(kept))


def _implied(
    structure: Structure, mapping: BoundMap, assumed: Sequence[Clause], clause: Clause
) -> bool:
    """Prove that a clause holds of all labels of which others hold.

    Whichever records blocks keep, where these are told by remainders of large numbers.
    """
    pair = records(structure)
    if any(t.op in ("mod", "div") and t.terms[1].op == "int" and t.terms[1].number >= LARGE
           for t in subterms(mapping.member)):  # fmt: skip
        pair.leave_open(mapping)
    cells = pair.query.cell("x"), pair.query.cell("y")
    blocks = [pair.index(mapping) for _ in range(2)]
    values = _fresh(pair, clause.given)
    pair.query.add(_violation(pair, mapping, clause, cells, blocks, values))
    sorts = {g.name: g.sort for g in clause.given}
    others = {n: (sorts[n], value) for n, value in values.items()}
    others |= {"x of the two": (CELL, cells[0]), "y of the two": (CELL, cells[1])}
    _assume(pair, mapping, assumed, blocks, others)
    return structure.unsat(pair.query)


def _of_two(relation: Term) -> Term:
    """Return a relation of two different records."""
    return conjunction(list(dict.fromkeys([*conjuncts(relation), Term("ne", (X, Y), BOOL)])))


def _room(domain: Domain) -> list[Term]:
    """Return that a symbolic limit of the class leaves room for two records."""
    return [
        Term("ge", (bound, integer(2)), BOOL)
        for _, bound in domain.limit_terms
        if bound.op != "int"
    ]  # fmt: skip


def _tidy(structure: Structure, relations: Sequence[Term]) -> list[Term]:
    """Return the relations that can hold, without what holds of all records."""

    def excluded(*formulas: Term, negated: Term = FALSE) -> bool:
        pair = records(structure)
        cells = {X.name: pair.query.cell("x"), Y.name: pair.query.cell("y")}
        pair.query.add(*[pair.query.read(f, cells) for f in formulas])
        pair.query.add(logic.Not(pair.query.read(negated, cells)))
        return structure.unsat(pair.query)

    def told(relation: Term) -> Term:
        """Leave out what holds of all records; of alternatives, what the rest of each implies."""
        if relation.op == "or":
            ways = [w for w in relation.terms if not excluded(w)]
            return disjunction(list(dict.fromkeys(shortest(w) for w in ways)))
        return conjunction([a for a in conjuncts(relation) if not excluded(negated=a)])

    def shortest(way: Term) -> Term:
        kept = list(conjuncts(way))
        for atom in conjuncts(way):
            rest = [a for a in kept if a is not atom]
            if excluded(*rest, negated=atom):
                kept = rest
        return conjunction(kept)

    return [told(relation) for relation in relations if not excluded(relation)]
