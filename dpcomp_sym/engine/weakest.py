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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from dpcomp_sym.engine.relations import (
    Given,
    X,
    Y,
    agreements,
    disjunction,
    end_points,
    shapes,
    spelled,
    vocabulary,
)
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Vacuous
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Domain
from dpcomp_sym.smt import Distance, Pair, Query, logic
from dpcomp_sym.smt.asking import RESOURCES
from dpcomp_sym.smt.query import GroundCell, Signature, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    conjunction,
    conjuncts,
    evaluate,
    free_variables,
    substitute,
    subterms,
    to_latex,
    to_text,
    variable,
)
from dpcomp_sym.terms.term import integer

__all__ = ["Clause", "Says", "Weakest", "both", "weakest_compatible", "weakest_sensitive"]

NOWHERE: Final = BoundEdit((), TRUE, (), FALSE)
MOST_TRIALS: Final = 128
"""Databases that are tried to show that a clause is necessary; fewer where each asks much."""
EACH: Final = RESOURCES // 10
"""The solver's work on one question about them: what they show, they show at once."""
OWN: Final = "of "
"""Stands before the names of an edit's parameters where the records x and y are spoken of, too."""
KNOWN: Final = frozenset(
    ("attributes", "functions", "symbols", "cell", "cap", "size", "limits", "universe", "at_least")
)
"""What a class may be made of for its members to be written down here."""


class Says(StrEnum):
    """What a clause says of two related records, or of one."""

    TOGETHER = "lie in no two different blocks"
    ALIKE = "lie in the same blocks"
    APART = "lie in no common block"
    OUTSIDE = "lie in no block"


@dataclass(frozen=True)
class Clause:
    """All records x and y with a relation between them lie in … (``says``).

    ``given`` are what else the relation speaks of; it is meant for all their values.
    """

    relation: Term
    says: Says
    given: tuple[Given, ...] = ()

    def true_of(self, world: World, x: Cell, y: Cell) -> bool:
        """Decide the relation of two records in a finite world, for some values of the rest."""
        pools: list[Sequence[Any]] = [
            world.cells if g.sort == CELL else world.integers() if g.sort == INT
            else (False, True) if g.sort == BOOL else world.elements[g.sort]
            for g in self.given
        ]  # fmt: skip
        names = [g.name for g in self.given]
        return any(
            evaluate(
                self.relation,
                world.environment(
                    variables={"x": x, "y": y, **dict(zip(names, values, strict=True))}
                ),
            )
            for values in itertools.product(*pools)
        )


@dataclass(frozen=True)
class Weakest:
    """A condition on the blocks of a map, as clauses; none: it always holds.

    ``covering`` tells that each record lies in some block.
    """

    mapping: BoundMap
    clauses: tuple[Clause, ...]
    covering: bool = False

    def holds(self, world: World) -> bool:
        """Decide the condition in a finite world, by the evaluator."""
        blocks = {
            cell: {i for i in world.blocks(self.mapping) if world.member(self.mapping, cell, i)}
            for cell in world.cells
        }
        return not any(
            _broken(clause.says, blocks[x], blocks[y])
            for clause in self.clauses
            for x, y in itertools.product(world.cells, repeat=2)
            if clause.true_of(world, x, y)
        )

    @property
    def text(self) -> str:
        """The condition as a sentence."""
        return " and ".join(_text(self, clause) for clause in self.clauses)

    @property
    def latex(self) -> str:
        """The condition as LaTeX mathematics."""
        return r" \text{ and } ".join(_latex(self, clause) for clause in self.clauses)


def _broken(says: Says, left: set[tuple[int, ...]], right: set[tuple[int, ...]]) -> bool:
    match says:
        case Says.TOGETHER:
            return len(left | right) > 1
        case Says.ALIKE:
            return left != right
        case Says.APART:
            return bool(left & right)
        case Says.OUTSIDE:
            return bool(left)


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
    if part.setting != "common" and not isinstance(structure.range(part), Proved):
        return "the part's class may not hold all images, whatever the labels"
    return _Search(structure, part.map, part, example).found()


def both(structure: Structure, left: Weakest, right: Weakest) -> Weakest:
    """Return the conjunction of two conditions on one map, without what the rest implies."""
    return _simple(
        structure, replace(left, clauses=tuple(dict.fromkeys(left.clauses + right.clauses)))
    )


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
    return f"the class has {odd[0].replace('_', ' ')}" if odd else ""


def _said(domain: Domain, name: str) -> object:
    """Return what a domain says in a field; an empty list says nothing, however it is written."""
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
        self.tried: dict[tuple[int, bool, tuple[Given, ...]], _Tried] = {}

    def found(self) -> Weakest | str:
        clauses: list[Clause] = []
        for number, edit in enumerate(self.structure.edits, 1):
            if self.sufficient(edit, clauses):
                continue
            proposed = itertools.chain(self.of_edit(edit), self.readable(), self.spelled(edit))
            exact = self.first(edit, proposed)
            if exact is None:
                return (
                    f"no readable condition was proved sufficient and necessary for edit {number}"
                )
            clauses += next((c for c in self.readable() if self.same(c, exact)), exact)
        weakest = Weakest(
            self.mapping, tuple(dict.fromkeys(clauses)), self.structure.covers(self.mapping)
        )
        return _simple(self.structure, weakest)

    def first(
        self, edit: BoundEdit, candidates: Iterator[tuple[Clause, ...]]
    ) -> tuple[Clause, ...] | None:
        """Return the first proposal that is proved sufficient and necessary for an edit."""
        for candidate in dict.fromkeys(candidates):
            if self.example and Weakest(self.mapping, candidate).holds(self.example):
                continue
            if self.sufficient(edit, candidate):
                enough = _simple(self.structure, Weakest(self.mapping, candidate)).clauses
                if all(self.necessary(edit, clause) for clause in enough):
                    return enough
        return None

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
        alone = [substitute(r, {"y": X}) for r in (pairs if edit.frame is not None else single)]
        for relation in _tidy(self.structure, alone):
            yield (Clause(relation, Says.OUTSIDE),)

    def readable(self) -> Iterator[tuple[Clause, ...]]:
        """Yield short proposals, made of what can be said of a record."""
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
        pair = self.structure.pair(edit)
        if self.part is None:
            blocks = self.structure.different(pair, self.mapping, 2)
            for block in blocks:
                self.structure.view(pair, self.mapping, block).changed()
            _assume(pair, self.mapping, clauses, blocks)
            return self.structure.unsat(pair.query)
        if self.part.setting == "common":
            return self.structure.pushed_at_most(
                edit, self.part, 1, hold=partial(self._block, clauses)
            )  # fmt: skip
        block = pair.index(self.mapping)
        view = pair.view(self.mapping, block, self.part.domain)
        view.changed()
        _assume(pair, self.mapping, clauses, [block])
        if Distance(view, self.part.granularity).at_most(1) != "proved":
            return False
        self.structure.scripts.append(pair.query.script)
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
        self.structure.scripts.append(partial(query.script, *violated))
        return True

    def harm(self, trial: _Trial, blocks: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return that the trial's databases show the condition to fail."""
        if self.part is None:
            return [trial.old.at(c) != trial.new.at(c) for c in trial.cells]
        (block,) = blocks
        sides = [db.within(self.mapping, block) for db in (trial.old, trial.new)]
        seen = logic.Or(*[sides[0].at(c) != sides[1].at(c) for c in trial.old.cells])
        linked = _pushed if self.part.setting == "common" else _linked
        return [seen] + [
            logic.Not(linked(trial.pair, self.mapping, block, inner, first, then))
            for inner in self.part.granularity.edits
            for first, then in (sides, sides[::-1])[: 1 if self.part.granularity.directed else 2]
        ]


class _Tried:
    """Trials of one edit that are excluded so far: the same for all clauses, more when needed."""

    def __init__(
        self, search: _Search, edit: BoundEdit, given: tuple[Given, ...], *, two: bool
    ) -> None:
        part = search.part
        self.pair = pair = _records(search.structure, EACH)
        self.cells = pair.query.cell("x"), pair.query.cell("y")
        self.values = _fresh(pair, given)
        self.blocks = [pair.index(search.mapping) for _ in range(2 if part is None else 1)]
        domain = search.structure.problem.domain
        each = 1 if part is None else 2 * len(part.granularity.edits)
        # Two blocks change if each holds a record more or less; distances can need more.
        numbers = _numbers(domain, edit, 1 if part is None else 2)
        named = {"x": self.cells[0], "y": self.cells[1], **self.values}
        trials = _trials(pair, domain, edit, named, given, numbers, two=two)
        self._harm = search.harm
        self._left = itertools.islice(trials, MOST_TRIALS // each)
        self._number = 0

    def more(self) -> bool:
        """Exclude as many trials again, one at first; return whether there were any."""
        some = list(itertools.islice(self._left, max(self._number, 1)))
        for trial in some:
            harm = self._harm(trial, self.blocks)
            self.pair.query.add(logic.Not(logic.And(*trial.admissible, *harm)))
        self._number += len(some)
        return bool(some)


def _fresh(pair: Pair, given: Sequence[Given]) -> dict[str, Any]:
    """Return any values for what a clause speaks of besides its two records."""
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

    def instances() -> list[Any]:
        cells = pair.query.cells
        pairs = [
            chosen
            for n in (1, 2)
            for chosen in itertools.permutations(blocks, n)
        ]  # fmt: skip
        return [
            logic.Not(_violation(pair, mapping, clause, two, chosen, named))
            for clause in clauses
            for named in values(clause)
            for chosen in pairs
            if len(chosen) == (2 if clause.says is Says.TOGETHER else 1)
            for two in itertools.product(cells, repeat=2)
        ]

    if clauses:
        pair.query.at_check(instances)


def _violation(
    pair: Pair, mapping: BoundMap, clause: Clause, cells: Sequence[GroundCell],
    blocks: Sequence[tuple[Any, ...]], values: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Return that two cells break a clause, at given blocks, for values of what is given."""
    related = pair.query.read(clause.relation, {"x": cells[0], "y": cells[1], **values})
    left, right = (pair.member(mapping, c, blocks[0]) for c in cells)
    match clause.says:
        case Says.TOGETHER:
            second = [pair.member(mapping, c, blocks[1]) for c in cells]
            apart = logic.Not(equal(blocks[0], blocks[1]))
            return logic.And(related, apart, logic.Or(left, right), logic.Or(*second))
        case Says.ALIKE:
            return logic.And(related, left != right)
        case Says.APART:
            return logic.And(related, left, right)
        case Says.OUTSIDE:
            return logic.And(related, left)


def _simple(structure: Structure, weakest: Weakest) -> Weakest:
    """Leave out what other clauses imply."""
    kept = list(weakest.clauses)
    for clause in reversed(weakest.clauses):  # what was proposed first stays
        others = [c for c in kept if c is not clause]
        if _implied(structure, weakest.mapping, others, clause):
            kept = others
    return replace(weakest, clauses=tuple(kept))


def _implied(
    structure: Structure, mapping: BoundMap, assumed: Sequence[Clause], clause: Clause
) -> bool:
    """Prove that a clause holds of all labels of which others hold."""
    pair = _records(structure)
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
        pair = _records(structure)
        cells = {"x": pair.query.cell("x"), "y": pair.query.cell("y")}
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


# ------------------------------------------------------------------ databases written down


def _records(structure: Structure, steps: int = RESOURCES) -> Pair:
    """Return a place for statements about the records of X and their blocks alone.

    Whatever the class asks of databases is left out, since none is spoken of.
    """
    problem, signature = structure.problem, structure.signature
    domain = replace(problem.domain, cap=None, size=(), limits=())
    query = Query(Signature(domain, signature.signatures), problem.symbols, steps)
    return Pair(query, NOWHERE, tuple(problem.used_maps.values()), sizes=False)


def _remembering(at: Callable[[GroundCell], Any]) -> Callable[[GroundCell], Any]:
    """Return a function of cells that remembers its values, and the cells, so that ids stay."""
    known: dict[int, tuple[GroundCell, Any]] = {}

    def found(cell: GroundCell) -> Any:
        if id(cell) not in known:
            known[id(cell)] = (cell, at(cell))
        return known[id(cell)][1]

    return found


@dataclass(frozen=True)
class _Written:
    """A database with records in few cells, as solver terms."""

    pair: Pair
    domain: Domain
    cells: tuple[GroundCell, ...]
    at: Callable[[GroundCell], Any]

    def __post_init__(self) -> None:
        """Make the number of records in a cell a term once."""
        object.__setattr__(self, "at", _remembering(self.at))

    @property
    def size(self) -> Any:
        return self.total(lambda _: logic.BoolVal(True))

    def total(self, chosen: Callable[[GroundCell], Any]) -> Any:
        """Return the number of records in the cells with a property."""
        found = logic.IntVal(0)
        for number, cell in enumerate(self.cells):
            before = [self.pair.query.equal(cell, other) for other in self.cells[:number]]
            counted = logic.And(chosen(cell), *[logic.Not(again) for again in before])
            found = logic.plus(found, logic.If(counted, self.at(cell), 0))
        return found

    def within(self, mapping: BoundMap, block: tuple[Any, ...]) -> _Written:
        """Return what a block keeps of it."""
        return replace(
            self,
            at=lambda c: logic.If(self.pair.member(mapping, c, block), self.at(c), 0),
        )

    def in_class(self) -> list[Any]:
        """Return that it is a database of the class."""
        query, domain = self.pair.query, self.domain
        facts = []
        for cell in self.cells:
            facts.append(logic.compared("ge", self.at(cell), 0))
            if domain.cap is not None:
                facts.append(logic.compared("le", self.at(cell), domain.cap))
            for key, bound in domain.limit_terms:
                here = query.read(key, {"c": cell})

                def alike(other: GroundCell, key: Term = key, here: Any = here) -> Any:
                    return equal(query.read(key, {"c": other}), here)

                facts.append(logic.compared("le", self.total(alike), query.read(bound)))
        return facts + [query.read(t, {}, self.reading()) for t in domain.size_terms]

    def reading(self) -> dict[str, Any]:
        """Return what D means in a formula about it."""
        return {"D": (self.at, lambda: self.size)}


@dataclass(frozen=True)
class _Trial:
    """Two databases of few records, and that an edit leads from one to the other.

    ``cells`` are the two records in question.
    """

    pair: Pair
    cells: tuple[GroundCell, GroundCell]
    old: _Written
    new: _Written
    link: tuple[Any, ...]

    @property
    def admissible(self) -> list[Any]:
        return [*self.old.in_class(), *self.new.in_class(), *self.link]


def _trials(
    pair: Pair, domain: Domain, edit: BoundEdit, named: Mapping[str, Any],
    given: Sequence[Given], numbers: Sequence[Term], *, two: bool,
) -> Iterator[_Trial]:  # fmt: skip
    """Yield pairs of written databases that an edit may link, smallest first.

    ``named`` are the two records, and what is given; ``numbers`` the multiplicities to try;
    ``two``: the edit must name both records.
    """
    query = pair.query
    if domain.facts or any(t.op in ("at", "size") for t in subterms(edit.step)):
        return  # what is written would have to say more than two records do
    both = (named["x"], named["y"])
    named_too = [] if edit.frame is not None else [g.name for g in given if g.sort == CELL]
    cells = (*both, *(named[n] for n in named_too))
    counts = [query.read(t) for t in numbers]

    def written(values: Sequence[Any]) -> _Written:
        def at(cell: GroundCell) -> Any:
            found = logic.IntVal(0)
            for known, value in zip(reversed(cells), reversed(values), strict=True):
                found = logic.If(query.equal(cell, known), value, found)
            return found

        return _Written(pair, domain, cells, at)

    olds = sorted(itertools.product(range(len(counts)), repeat=len(cells)), key=sum)
    for chosen in _choices(domain, edit, given):
        if two and edit.points and not {X, Y} <= {chosen[p] for p in edit.points}:
            continue
        params = {name: query.read(term, named) for name, term in chosen.items()}
        for before in olds:
            old = written([counts[n] for n in before])
            guard = query.read(edit.guard, params, old.reading())
            if logic.is_false(logic.simplify(guard)):
                continue
            if edit.frame is None:
                yield _Trial(pair, both, old, _changed(edit, params, old), (guard,))
                continue
            for after in olds:
                if any(a == b for a, b in zip(before, after, strict=True)):
                    continue
                new = written([counts[n] for n in after])
                inside = _framed(edit.frame, edit.step, params, old, new)
                yield _Trial(pair, both, old, new, (guard, *inside))


def _numbers(domain: Domain, edit: BoundEdit, most: int) -> list[Term]:
    """Return multiplicities to try: small ones, and those that sizes and guards speak of."""
    found = [integer(n) for n in range(most + 1)]
    for term in (edit.guard, edit.step, *domain.size_terms):
        for inner in subterms(term):
            if inner.op == "int" and most < int(inner.name) <= 3:
                found.append(inner)
            if inner.op == "var" and inner.name in domain.symbols and term in domain.size_terms:
                found += [inner, Term("sub", (inner, integer(1)), INT)]
    return list(dict.fromkeys(found))


def _choices(domain: Domain, edit: BoundEdit, given: Sequence[Given]) -> Iterator[dict[str, Term]]:
    """Yield values for the parameters of an edit: what is given, the records, terms over them."""
    ends = end_points(edit.renamed(OWN))
    themselves = {g.param: variable(g.name, g.sort) for g in given}
    added = {v for _, delta in edit.change for v in free_variables(delta)}
    pools: list[list[Term]] = []
    for name, sort in edit.params:
        if name in themselves:
            pools.append([themselves[name]])
        elif sort == CELL:
            pools.append([X, Y])
        else:
            pools.append(list(vocabulary(domain, sort, extra=ends)))
            if sort == INT and name in added:
                pools[-1] += [integer(1), integer(-1)]
    names = [OWN + n for n, _ in edit.params]
    for values in itertools.product(*pools):
        chosen = dict(zip(names, values, strict=True))
        found = {
            n: substitute(t, {m: v for m, v in chosen.items() if m != n}) for n, t in chosen.items()
        }
        # The end of one parameter can be given by another one, and that by the first: no values.
        if not any(free_variables(t) & set(names) for t in found.values()):
            yield {n.removeprefix(OWN): t for n, t in found.items()}


def _changed(edit: BoundEdit, params: Mapping[str, Any], old: _Written) -> _Written:
    query = old.pair.query
    deltas = [(params[p], query.read(d, params, old.reading())) for p, d in edit.change]

    def at(cell: GroundCell) -> Any:
        value = old.at(cell)
        for point, delta in deltas:
            value = logic.plus(value, logic.If(equal(cell, point), delta, 0))
        return value

    return replace(old, at=at)


def _framed(
    frame: Term, step: Term, params: Mapping[str, Any], old: _Written, new: _Written
) -> list[Any]:
    """Return that an edit of a frame leads from one to the other."""
    query = old.pair.query

    def here(cell: GroundCell, before: Any, after: Any) -> Any:
        names = {**params, "c": cell}
        done = query.read(step, {**names, "old": before, "new": after}, old.reading())
        return logic.If(query.read(frame, names, old.reading()), done, logic.equal(before, after))

    found = [here(c, old.at(c), new.at(c)) for c in old.cells]
    nothing = {**params, "c": old.cells[0], "old": logic.IntVal(0), "new": logic.IntVal(0)}
    idle = query.read(step, nothing, old.reading())
    if not logic.is_true(logic.simplify(idle)):
        # Elsewhere both are empty; the negation of "everywhere" has a cell of its own.
        other = query.cell("other")
        apart = [logic.Not(query.equal(other, c)) for c in old.cells]
        zero = logic.IntVal(0)
        found.append(logic.Or(logic.Not(logic.And(*apart)), here(other, zero, zero)))
    return found


def _linked(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: _Written, then: _Written,
) -> Any:  # fmt: skip
    """Return that an inner edit leads from one to the other, for new constants as parameters."""
    query = pair.query
    params: dict[str, Any] = {n: query.fresh(s, f"in_{n}") for n, s in inner.params}
    named = [params[n] for n, s in inner.params if s == CELL]
    facts = [query.read(inner.guard, params, first.reading())]
    facts += [pair.member(mapping, cell, block) for cell in named]
    return logic.And(*facts, *_leads(pair, mapping, block, inner, first, then, params))


def _pushed(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: _Written, then: _Written,
) -> Any:  # fmt: skip
    """Return that two images may be those of databases that an inner edit links.

    What the block does not show of the first is any number of records, new functions and sizes.
    """
    query, domain = pair.query, pair.domain
    number = next(query.numbers)
    sorts = [query.signature.sort(s) for s in domain.attribute_sorts.values()]
    hidden = logic.Function(f"hidden_{number}", *sorts, logic.IntSort())
    size = logic.Int(f"size_{number}")
    params: dict[str, Any] = {n: query.fresh(s, f"in_{n}") for n, s in inner.params}

    def whole(cell: GroundCell) -> Any:
        return logic.If(pair.member(mapping, cell, block), first.at(cell), hidden(*cell))

    reading = {"D": (whole, lambda: size)}
    facts = [query.read(inner.guard, params, reading), size >= first.size]
    cells = [*first.cells, *(params[n] for n, s in inner.params if s == CELL)]
    facts += [whole(cell) >= 0 for cell in cells]
    return logic.And(*facts, *_leads(pair, mapping, block, inner, first, then, params, reading))


def _leads(
    pair: Pair, mapping: BoundMap, block: tuple[Any, ...], inner: BoundEdit,
    first: _Written, then: _Written, params: Mapping[str, Any],
    reading: Mapping[str, Any] | None = None,
) -> list[Any]:  # fmt: skip
    """Return that an inner edit makes of one what the block shows of the other."""
    query = pair.query
    cells = [*first.cells, *(params[n] for n, s in inner.params if s == CELL)]
    reading = first.reading() if reading is None else reading
    facts = []
    if inner.frame is None:
        deltas = [(params[p], query.read(d, params, reading)) for p, d in inner.change]
        for cell in cells:
            value = first.at(cell)
            for point, delta in deltas:
                value = logic.plus(value, logic.If(equal(cell, point), delta, 0))
            shown = pair.member(mapping, cell, block)
            facts.append(logic.Implies(shown, logic.equal(value, then.at(cell))))
        return facts
    for cell in cells:
        names = {**params, "c": cell}
        moved_to = {**names, "old": first.at(cell), "new": then.at(cell)}
        step = query.read(inner.step, moved_to, reading)
        inside = logic.And(pair.member(mapping, cell, block), query.read(inner.frame, names))
        facts.append(logic.If(inside, step, logic.equal(first.at(cell), then.at(cell))))
    return facts


# ------------------------------------------------------------------ telling


def _label(weakest: Weakest) -> Term | None:
    """Return the label of a record, where a map's formula is "label == i"."""
    mapping = weakest.mapping
    if len(mapping.indices) != 1 or mapping.member.op != "eq":
        return None
    name = mapping.indices[0][0]
    for side, other in (mapping.member.terms, mapping.member.terms[::-1]):
        if side.op == "var" and side.name == name and name not in free_variables(other):
            return _own_names(mapping, other)
    return None


def _own_names(mapping: BoundMap, term: Term) -> Term:
    """Return a term in which the map's functions have the names that its author gave them."""
    args = tuple(_own_names(mapping, a) if isinstance(a, Term) else a for a in term.args)
    if term.op == "apply" and term.name in mapping.functions:
        for origin in mapping.origin:
            if term.name.startswith(f"{origin}_"):
                args = (term.name[len(origin) + 1 :], *args[1:])
    return Term(term.op, args, term.sort)


def _text(weakest: Weakest, clause: Clause) -> str:
    label, relation = _label(weakest), clause.relation
    if not weakest.mapping.indices:
        return _kept(weakest, clause)
    parts = conjuncts(relation)
    other = Term("ne", (X, Y), BOOL)
    shared = _agreed(conjunction([p for p in parts if p != other]))
    whose = _whose(shared) if shared is not None else ""
    which = "records" if weakest.covering else "labelled records"
    match clause.says:
        case Says.TOGETHER if label is not None and label.op in ("apply", "attr"):
            if relation == TRUE:
                return (
                    f"{label.name} is constant"
                    if weakest.covering
                    else f"{label.name} uses at most one label"
                )
            if shared is not None:
                return f"{label.name} is constant on {whose.format(which)}"
            left, right = (to_text(substitute(label, {"c": v})) for v in (X, Y))
            records = ", ".join(["x", "y", *(g.name for g in clause.given if g.sort == CELL)])
            rest = "".join(f" and every {g.name}" for g in clause.given if g.sort != CELL)
            return f"{left} == {right} for all {which} {records}{rest} with {to_text(relation)}"
        case Says.TOGETHER:
            if relation == Term("eq", (X, Y), BOOL):
                return "no record lies in two blocks"
            if relation == TRUE:
                return "at most one block holds records"
            if shared is not None:
                return f"{whose.format('records')} lie in at most one block"
        case Says.ALIKE:
            if relation == TRUE:
                return (
                    f"{label.name} is constant"
                    if weakest.covering and label is not None and label.op in ("apply", "attr")
                    else "all records lie in the same blocks"
                )
            if shared is not None:
                return f"{whose.format('records')} lie in the same blocks"
        case Says.APART:
            if relation == other:
                return "each block holds at most one record"
            if shared is not None and other in parts:
                return f"of {whose.format('records')} each block holds at most one"
        case Says.OUTSIDE:
            if relation == TRUE:
                return "no record lies in a block"
            return f"no record x with {to_text(relation)} lies in a block"
    return f"records x, y with {_related(clause)} {clause.says}"


def _related(clause: Clause) -> str:
    """Return the relation of a clause, with what else there may be."""
    some = ", ".join(g.name for g in clause.given)
    return to_text(clause.relation) + (f" for some {some}" if some else "")


def _kept(weakest: Weakest, clause: Clause) -> str:
    """Return what a clause says of a map without blocks, which keeps records or does not."""
    name, other = weakest.mapping.name, Term("ne", (X, Y), BOOL)
    relation = conjunction([p for p in conjuncts(clause.relation) if p != other])
    shared = _agreed(relation)
    if relation == TRUE:
        whose = "the records"
    elif shared is not None:
        whose = _whose(shared).format("records")
    else:
        whose = f"records x, y with {_related(clause)}"
    match clause.says:
        case Says.APART:
            return f"of {whose} {name} keeps at most one"
        case Says.OUTSIDE:
            which = "no record" if relation == TRUE else f"no record x with {to_text(relation)}"
            return f"{name} keeps {which}"
        case _:
            return f"of {whose} {name} keeps all or none"


def _agreed(relation: Term) -> Term | None:
    """Return the term on which x and y agree, if the relation says just that."""
    if relation.op != "eq":
        return None
    left, right = relation.terms
    return left if left != X and substitute(left, {"x": Y}) == right else None


def _whose(shared: Term) -> str:
    if shared.op == "attr" and shared.sort not in (INT, BOOL):
        return f"each {shared.name}'s {{}}"
    return f"the {{}} with the same {to_text(shared)}".replace("(x)", "")


def _latex(weakest: Weakest, clause: Clause) -> str:
    label, relation = _label(weakest), to_latex(clause.relation)
    premise = "" if clause.relation == TRUE else rf"{relation} \Rightarrow "
    cells = ", ".join(["x", "y", *(_name(g) for g in clause.given if g.sort == CELL)])
    rest = "".join(
        rf",\, {_name(g)} \in {_set(g.sort)}" for g in clause.given if g.sort != CELL
    )  # fmt: skip
    everywhere = rf"\forall {cells} \in \mathcal{{X}}{rest}\colon\, "

    def blocks(name: str) -> str:
        return rf"I({name})"

    match clause.says:
        case Says.TOGETHER if label is not None:
            left, right = (to_latex(substitute(label, {"c": v})) for v in (X, Y))
            (_, size), *_ = weakest.mapping.indices
            inside = "" if weakest.covering else rf"{left}, {right} \in [{size}] \land "
            both_ways = relation if clause.relation != TRUE else ""
            whole = (inside + both_ways).removesuffix(r" \land ")
            then = rf"{left} = {right}"
            return everywhere + (rf"{whole} \Rightarrow {then}" if whole else then)
        case Says.TOGETHER:
            return rf"{everywhere}{premise}\lvert {blocks('x')} \cup {blocks('y')} \rvert \le 1"
        case Says.ALIKE:
            return rf"{everywhere}{premise}{blocks('x')} = {blocks('y')}"
        case Says.APART:
            return rf"{everywhere}{premise}{blocks('x')} \cap {blocks('y')} = \emptyset"
        case Says.OUTSIDE:
            return rf"\forall x \in \mathcal{{X}}\colon\, {premise}{blocks('x')} = \emptyset"


def _name(given: Given) -> str:
    return to_latex(variable(given.name, given.sort))


def _set(sort: str) -> str:
    return {INT: r"\mathbb{Z}", BOOL: r"\{0, 1\}"}.get(sort, rf"\mathrm{{{sort}}}")
