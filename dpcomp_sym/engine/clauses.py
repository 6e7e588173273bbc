"""What a condition on a map's labels says: clauses about two records, decided and written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.engine.relations import NamedParameter, X, Y, spoken
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundMap
from dpcomp_sym.terms import (
    BOOL,
    CELL,
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

__all__ = ["Clause", "Needed", "Says", "Weakest", "WrittenPair"]


class Says(StrEnum):
    """What a clause says of two related records, or of one."""

    TOGETHER = "lie in no two different blocks"
    ALIKE = "lie in the same blocks"
    APART = "lie in no common block"
    OUTSIDE = "lie in no block"


@dataclass(frozen=True)
class Clause:
    """All records x and y with a relation between them lie in … (``says``).

    ``given`` are what else the relation mentions; it is meant for all their values.
    """

    relation: Term
    says: Says
    given: tuple[NamedParameter, ...] = ()

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
                    variables={X.name: x, Y.name: y, **dict(zip(names, values, strict=True))}
                ),
            )
            for values in itertools.product(*pools)
        )


@dataclass(frozen=True)
class WrittenPair:
    """Two databases of copies of the records x and y, and the edit that leads to the second.

    Args:
        before: how many copies of x and of y the first database holds.
        after: how many the second one holds.
        values: what the edit's parameters stand for, as terms over x and y.
    """

    before: tuple[Term, Term]
    after: tuple[Term, Term]
    values: tuple[tuple[str, Term], ...]

    @property
    def negative(self) -> bool:
        """Whether fewer than no records would be left."""
        return any(n.op == "int" and n.number < 0 for n in self.after)


@dataclass(frozen=True)
class Needed:
    """That a clause is needed: at any records that break it, some of these databases do harm.

    Args:
        edit: the number of the edit that leads from the first to the second, from 1.
        clause: which clause.
        pairs: the databases; None where one is not made of these two records alone.
    """

    edit: int
    clause: Clause
    pairs: tuple[WrittenPair | None, ...]


@dataclass(frozen=True)
class Weakest:
    """A condition on the blocks of a map, as clauses; none: it always holds.

    ``covering`` tells that each record lies in some block; ``needed`` what shows, edit by edit,
    that these clauses, or others that say the same, are necessary.
    """

    mapping: BoundMap
    clauses: tuple[Clause, ...]
    covering: bool = False
    needed: tuple[Needed, ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Weakest: {self.text or 'it always holds'}>"

    def holds(self, world: World) -> bool:
        """Decide the condition in a finite world, by the evaluator."""
        blocks = {cell: set(world.holding(self.mapping, cell)) for cell in world.cells}
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

    def letters(self) -> tuple[str, str]:
        """Return what the two records are called: nothing else in the condition is."""
        return _records(self)

    def sympy(self) -> Any:
        """Return the condition in SymPy, with the map's formula for "x lies in block i"."""
        import sympy as sp

        return sp.And(*(_symbolic(self, clause) for clause in self.clauses))


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


# ------------------------------------------------------------------ telling


_PAIRS: Final = (("x", "y"), ("u", "v"), ("p", "q"), ("a", "b"))


def _records(weakest: Weakest) -> tuple[str, str]:
    """Return what the two records are called: nothing that a clause or a map's formula says."""
    said = [weakest.mapping.with_own_names(weakest.mapping.member)]
    said += [clause.relation for clause in weakest.clauses]
    taken = {t.name for term in said for t in subterms(term) if t.op in ("attr", "apply", "var")}
    taken |= {g.name for clause in weakest.clauses for g in clause.given}
    numbered = ((f"x{n}", f"y{n}") for n in itertools.count(1))
    return next(pair for pair in itertools.chain(_PAIRS, numbered) if not taken & {*pair})


def _text_of(weakest: Weakest, term: Term) -> str:
    return to_text(spoken(term, _records(weakest)))


def _latex_of(weakest: Weakest, term: Term) -> str:
    return to_latex(spoken(term, _records(weakest)))


def _label(weakest: Weakest) -> Term | None:
    """Return the label of a record, where a map's formula is "label == i"."""
    mapping = weakest.mapping
    if len(mapping.indices) != 1 or mapping.member.op != "eq":
        return None
    name = mapping.indices[0][0]
    for side, other in (mapping.member.terms, mapping.member.terms[::-1]):
        if side.op == "var" and side.name == name and name not in free_variables(other):
            return mapping.with_own_names(other)
    return None


def _text(weakest: Weakest, clause: Clause) -> str:
    label, relation = _label(weakest), clause.relation
    (x, y), related = _records(weakest), _text_of(weakest, relation)
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
            left, right = (_text_of(weakest, substitute(label, {"c": v})) for v in (X, Y))
            records = ", ".join([x, y, *(g.name for g in clause.given if g.sort == CELL)])
            rest = "".join(f" and every {g.name}" for g in clause.given if g.sort != CELL)
            return f"{left} == {right} for all {which} {records}{rest} with {related}"
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
            return f"no record {x} with {related} lies in a block"
    return f"records {x}, {y} with {_related(weakest, clause)} {clause.says}"


def _related(weakest: Weakest, clause: Clause) -> str:
    """Return the relation of a clause, with what else there may be."""
    some = ", ".join(g.name for g in clause.given)
    return _text_of(weakest, clause.relation) + (f" for some {some}" if some else "")


def _kept(weakest: Weakest, clause: Clause) -> str:
    """Return what a clause says of a map without blocks, which keeps records or does not."""
    name, other = weakest.mapping.name, Term("ne", (X, Y), BOOL)
    relation = conjunction([p for p in conjuncts(clause.relation) if p != other])
    shared = _agreed(relation)
    x, y = _records(weakest)
    if relation == TRUE:
        whose = "the records"
    elif shared is not None:
        whose = _whose(shared).format("records")
    else:
        whose = f"records {x}, {y} with {_related(weakest, clause)}"
    match clause.says:
        case Says.APART:
            return f"of {whose} {name} keeps at most one"
        case Says.OUTSIDE:
            some = f"no record {x} with {_text_of(weakest, relation)}"
            which = "no record" if relation == TRUE else some
            return f"{name} keeps {which}"
        case _:
            return f"of {whose} {name} keeps all or none"


def _agreed(relation: Term) -> Term | None:
    """Return the term on which x and y agree, if the relation says just that."""
    if relation.op != "eq":
        return None
    left, right = relation.terms
    return left if left != X and substitute(left, {X.name: Y}) == right else None


def _whose(shared: Term) -> str:
    if shared.op == "attr" and shared.sort not in (INT, BOOL):
        return f"each {shared.name}'s {{}}"
    return f"the {{}} with the same {to_text(spoken(shared))}".replace("(x)", "")


def _latex(weakest: Weakest, clause: Clause) -> str:
    label, relation = _label(weakest), _latex_of(weakest, clause.relation)
    x, y = _records(weakest)
    premise = "" if clause.relation == TRUE else rf"{relation} \Rightarrow "
    cells = ", ".join([x, y, *(_name(g) for g in clause.given if g.sort == CELL)])
    rest = "".join(
        rf",\, {_name(g)} \in {_set(g.sort)}" for g in clause.given if g.sort != CELL
    )  # fmt: skip
    everywhere = rf"\forall {cells} \in \mathcal{{X}}{rest}\colon\, "

    def blocks(name: str) -> str:
        return rf"I({name})"

    match clause.says:
        case Says.TOGETHER if label is not None:
            left, right = (_latex_of(weakest, substitute(label, {"c": v})) for v in (X, Y))
            (_, size), *_ = weakest.mapping.indices
            inside = "" if weakest.covering else rf"{left}, {right} \in [{size}] \land "
            both_ways = relation if clause.relation != TRUE else ""
            whole = (inside + both_ways).removesuffix(r" \land ")
            then = rf"{left} = {right}"
            return everywhere + (rf"{whole} \Rightarrow {then}" if whole else then)
        case Says.TOGETHER if clause.relation == Term("eq", (X, Y), BOOL) and not clause.given:
            return rf"\forall {x} \in \mathcal{{X}}\colon\, \lvert {blocks(x)} \rvert \le 1"
        case Says.TOGETHER:
            return rf"{everywhere}{premise}\lvert {blocks(x)} \cup {blocks(y)} \rvert \le 1"
        case Says.ALIKE:
            return rf"{everywhere}{premise}{blocks(x)} = {blocks(y)}"
        case Says.APART:
            return rf"{everywhere}{premise}{blocks(x)} \cap {blocks(y)} = \emptyset"
        case Says.OUTSIDE:
            return rf"\forall {x} \in \mathcal{{X}}\colon\, {premise}{blocks(x)} = \emptyset"


def _symbolic(weakest: Weakest, clause: Clause) -> Any:
    """Return a clause as a formula of SymPy: for all records, and all blocks that hold them."""
    import sympy as sp

    from dpcomp_sym.statements.symbolic import size
    from dpcomp_sym.terms.symbolic import ForAll, term_to_sympy

    mapping = weakest.mapping
    x, y = map(sp.Symbol, _records(weakest))
    letters: list[Any] = []
    member = mapping.with_own_names(mapping.member)

    def lies(record: Any, prime: str) -> tuple[list[Any], Any, Any]:
        """Return letters for a block, their ends, and that it holds the record."""
        index = {n: sp.Symbol(n + prime, integer=True) for n, _ in mapping.indices}
        ends = [
            sp.And(i >= 1, i <= (size(s) if isinstance(s, str) else s))
            for i, (_, s) in zip(index.values(), mapping.indices, strict=True)
        ]
        letters.extend(i for i in index.values() if i not in letters)
        held = term_to_sympy(member, {**index, "c": record})
        return list(index.values()), sp.And(*ends), held

    relation = term_to_sympy(clause.relation, {X.name: x, Y.name: y})
    one, inside, first = lies(x, "")
    match clause.says:
        case Says.TOGETHER:
            other, also, second = lies(y, "'")
            same = sp.And(*map(sp.Eq, one, other))
            said = sp.Implies(sp.And(relation, inside, also, first, second), same)
        case Says.ALIKE:
            said = sp.Implies(sp.And(relation, inside), sp.Equivalent(first, lies(y, "")[2]))
        case Says.APART:
            both = sp.And(first, lies(y, "")[2])
            said = sp.Implies(sp.And(relation, inside), sp.Not(both))
        case Says.OUTSIDE:
            said = sp.Implies(sp.And(relation, inside), sp.Not(first))
    given = [term_to_sympy(variable(g.name, g.sort)) for g in clause.given]
    used = [v for v in (x, y, *given, *letters) if v in said.free_symbols]
    return ForAll(said, *used) if used else said


def _name(given: NamedParameter) -> str:
    return to_latex(variable(given.name, given.sort))


def _set(sort: str) -> str:
    return {INT: r"\mathbb{Z}", BOOL: r"\{0, 1\}"}.get(sort, rf"\mathrm{{{sort}}}")
