"""How far the counts, or bounded sums, that a map hands on can move: norms between neighbours.

A map into ℓ1 or ℓ2 counts the records of a block by the image attributes (by themselves, without an
image), each record with a weight: 1 for a histogram, ``min(spent(c), B)`` for a bounded sum.  What
a block hands on is then a vector, with one coordinate for each value of the attributes, and the
sensitivity of the map is the largest norm of its change between neighbours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.counting import records_touched
from dpcomp_sym.engine.definitions import Fails
from dpcomp_sym.engine.floors import floor_of, has_power
from dpcomp_sym.engine.records import components, fewest, in_solver, number_of, records_by_keys
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Verdict, not_decided
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.finite import Database, World
from dpcomp_sym.model import BoundEdit, BoundMap, Problem
from dpcomp_sym.profile import Number, product_of
from dpcomp_sym.smt import GroundCell, Pair, logic
from dpcomp_sym.smt.query import equal, unequal
from dpcomp_sym.terms import CELL, FALSE, INT, TRUE, Term, evaluate, parse
from dpcomp_sym.terms.term import integer, variable

__all__ = ["Norm", "decide_norm", "norm_holds", "norm_text", "read_norm"]

_NORM: Final = re.compile(r"l([12])\s*\(\s*([\w.]+)\s*(?:,(.+))?\)\s*<=(.+)\Z")
NOTHING: Final = BoundEdit((), TRUE, (), FALSE)
_ROOT: Final = re.compile(r"\s*sqrt\s*\((.+)\)\s*\Z")


@dataclass(frozen=True)
class Norm:
    """The claim that a norm of the change in a block is at most ``most``, or its root.

    ``power`` is 1 or 2; ``weight`` a term over ``c``; ``most`` one over the symbols.
    """

    mapping: BoundMap
    power: int
    weight: Term
    most: Term
    root: bool

    def exceeded(self, total: Any, most: Any) -> list[Any]:
        """Return what it means that the sum of the powers is too large: any of these.

        Norms are compared by their squares, where there is a root or a power.
        """
        if self.power == 1:
            return [total * total > most] if self.root else [total > most]
        return [total > most] if self.root else [total > most * most, most < 0]


def read_norm(text: str, problem: Problem) -> Norm | None:
    """Read ``l1(MAP) <= n``, ``l2(MAP, WEIGHT) <= sqrt(n)``; None if it is not such a claim.

    Norms in l1, and squares of those in l2, are whole numbers: a bound with a power of e is
    compared by its floor.

    Raises:
        InputError: it is about a norm and cannot be read.
    """
    plain = " ".join(text.split())
    if not re.match(r"l[12]\s*\(", plain):
        return None
    found = _NORM.match(plain)
    if found is None:
        msg = f"'{plain}': write l1(MAP) <= n or l2(MAP, WEIGHT) <= sqrt(n), a weight over c"
        raise InputError(msg, where="claim", word=plain)
    power, name, weight, most = found.groups()
    if name not in problem.used_maps:
        known = nearest(name, problem.used_maps)
        msg = f"the spec has no map '{name}' that is read: {known}"
        raise InputError(msg, where="claim", word=name)
    if has_power(most):
        try:
            exact = floor_of(most, squared=power == "2")
        except InputError as error:
            raise error.within("claim") from None
        most = f"sqrt({exact})" if power == "2" else str(exact)
    root = _ROOT.match(most)
    scope = problem.domain.scope().having(dict.fromkeys(problem.symbols, INT))
    try:
        return Norm(
            problem.used_maps[name],
            int(power),
            integer(1) if weight is None else parse(weight.strip(), scope.having({"c": CELL}), INT),
            parse((root[1] if root else most).strip(), scope, INT),
            root is not None,
        )
    except InputError as error:
        raise error.within("claim") from None


# ------------------------------------------------------------------ in a finite world


def norm_holds(norm: Norm, world: World, old: Database, new: Database) -> bool:
    """Decide a claim about two databases by the evaluator: the definition of the norms."""
    env = world.environment()
    most = int(evaluate(norm.most, env))
    return all(
        not any(norm.exceeded(_moved(norm, world, old, new, index), most))
        for index in _held(norm, world, old, new)
    )


def norm_text(norm: Norm, world: World, old: Database, new: Database) -> str:
    """Return the largest norm of the change in a block, exactly."""
    held = _held(norm, world, old, new)
    total = max((_moved(norm, world, old, new, index) for index in held), default=0)
    root = math.isqrt(total)
    if norm.power == 1 or root * root == total:
        return str(total if norm.power == 1 else root)
    return f"sqrt({total})"


def _held(norm: Norm, world: World, old: Database, new: Database) -> set[tuple[int, ...]]:
    """Return the blocks that hold a record: nothing changes in the others."""
    return {index for cell in (*old, *new) for index in world.holding(norm.mapping, cell)}


def _moved(
    norm: Norm, world: World, old: Database, new: Database, index: tuple[int, ...]
) -> int:  # fmt: skip
    """Return the sum of the powers of what changes in a block."""
    vector: dict[Any, int] = {}
    for cell in dict.fromkeys((*old, *new)):
        change = new.get(cell, 0) - old.get(cell, 0)
        weight = int(evaluate(norm.weight, world.environment(variables={"c": cell})))
        for key in world.apply(norm.mapping, {cell: 1}, index):
            vector[key] = vector.get(key, 0) + change * weight
    return sum(abs(value) ** norm.power for value in vector.values())


# ------------------------------------------------------------------ for all neighbours


def decide_norm(structure: Structure, norm: Norm) -> Verdict:
    """Prove a claim about a norm for all neighbours, or refute it by the smallest."""
    start = len(structure.scripts)
    undecided = [
        edit
        for edit in structure.edits
        if not (_proved(structure, norm, edit) or _few_records(structure, norm, edit))
    ]
    if not undecided:
        return Proved(tuple(structure.scripts[start:]))
    for edit in undecided:
        found = structure.confirmed(edit, _asking(norm), _judging(norm))
        if found is not None:
            return structure.refuted(found, _larger(norm), "the norm is larger")
    return not_decided("the solver's candidates were not confirmed by the evaluator")


def _proved(structure: Structure, norm: Norm, edit: BoundEdit) -> bool:
    """Prove the claim for an edit that names its records: nothing else changes."""
    if edit.frame is not None:
        return False
    pair = structure.pair(edit)
    _exceed(pair, norm, pair.points)
    return structure.unsat(pair.query)


def _few_records(structure: Structure, norm: Norm, edit: BoundEdit) -> bool:
    """Prove the claim where a limit of the class bounds how many records change.

    The change is the sum of one vector for each of them, whose norms are their weights.  Its square
    is also at most the sum of its coordinates times the largest one, which is that of the records
    with one key.  An edit that names its records is none of these: it may add any number to one.
    """
    if edit.frame is None:
        return False
    by_keys = records_by_keys(structure, edit, norm.mapping, one_block=True)
    records = fewest(records_touched(structure, edit), by_keys)
    if records is None:
        return False
    alike = _alike(structure, norm, edit) if norm.power == 2 else None
    for in_one in dict.fromkeys((records, alike) if alike is not None else (records,)):
        pair = structure.pair(edit)
        query = pair.query
        largest = _size(query.read(norm.weight, {"c": query.cell("z")}))
        total = in_solver(query, records) * largest
        if norm.power == 2:
            total = total * (in_solver(query, in_one) * largest)
        query.add(logic.Or(*norm.exceeded(total, query.read(norm.most))))
        if structure.unsat(query):
            return True
    return False


def _alike(structure: Structure, norm: Norm, edit: BoundEdit) -> Number | None:
    """Return by how many records a coordinate can change, where a limit of the class bounds it.

    All that changes in a coordinate has one value of the limited key, so that D and E hold at most
    so many records of it each.  Where weights have one sign, what goes and what comes cancel.
    """
    domain = structure.problem.domain
    limits = list(domain.limit_terms)
    if domain.cap is not None:
        cell = variable("c", CELL)
        every = tuple(Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items())
        key = every[0] if len(every) == 1 else Term("tuple", every, "tuple")
        limits.append((key, integer(domain.cap)))
    sides = 1 if _one_sign(structure, norm) else 2
    numbers = (
        number_of(structure, bound) for key, bound in limits if _one_key(structure, norm, edit, key)
    )
    least = fewest(*numbers)
    return None if least is None else product_of([sides, least])


def _one_sign(structure: Structure, norm: Norm) -> bool:
    """Prove that no weight of a record is below 0, or none above."""
    for sign in (1, -1):
        query = structure.pair(NOTHING).query
        query.add(query.read(norm.weight, {"c": query.cell("z")}) * sign < 0)
        if structure.unsat(query):
            return True
    return False


def _one_key(structure: Structure, norm: Norm, edit: BoundEdit, key: Term) -> bool:
    """Prove that two cells that change in one coordinate of a block agree in a limited key."""
    pair = structure.pair(edit)
    query = pair.query
    block = pair.index(norm.mapping)
    cells = [query.cell("z") for _ in range(2)]
    for cell in cells:
        query.add(pair.old(cell) != pair.new(cell), pair.member(norm.mapping, cell, block))
    query.add(equal(*(_key(pair, norm.mapping, c) for c in cells)))
    parts = components(key)
    query.add(logic.Or(*[unequal(*(query.read(p, {"c": c}) for c in cells)) for p in parts]))
    return structure.unsat(query)


def _exceed(pair: Pair, norm: Norm, cells: Sequence[GroundCell]) -> tuple[Any, ...]:
    """Say that the claim fails in some block, where only some cells change; return the block."""
    query = pair.query
    pair.differ()
    block = pair.index(norm.mapping)
    keys = [_key(pair, norm.mapping, c) for c in cells]
    moved = []
    for number, cell in enumerate(cells):
        again = [query.equal(cell, other) for other in cells[:number]]
        inside = logic.And(pair.member(norm.mapping, cell, block), logic.Not(logic.Or(*again)))
        change = (pair.new(cell) - pair.old(cell)) * query.read(norm.weight, {"c": cell})
        moved.append(logic.If(inside, change, 0))
    total = logic.IntVal(0)
    for number, key in enumerate(keys):
        value = sum(
            (logic.If(equal(key, other), m, 0) for other, m in zip(keys, moved, strict=True)),
            logic.IntVal(0),
        )
        again = [equal(key, other) for other in keys[:number]]
        power = _size(value) if norm.power == 1 else value * value
        total = total + logic.If(logic.Or(*again), 0, power)
    query.add(logic.Or(*norm.exceeded(total, query.read(norm.most))))
    return block


def _key(pair: Pair, mapping: BoundMap, cell: GroundCell) -> GroundCell:
    if mapping.image is None:
        return cell
    return tuple(pair.query.read(t, {"c": cell}) for _, t in mapping.image)


def _size(value: Any) -> Any:
    return logic.If(value >= 0, value, -value)


def _asking(norm: Norm) -> Callable[[Pair], Demand]:
    def ask(pair: Pair) -> Demand:
        cells = pair.points if pair.edit.frame is None else [pair.query.cell("z") for _ in "xy"]
        return Demand([(norm.mapping, _exceed(pair, norm, cells))], [])

    return ask


def _larger(norm: Norm) -> Fails:
    """Return the definition of neighbours at which the norm is larger than claimed."""
    return lambda world, old, new: not norm_holds(norm, world, old, new)


def _judging(norm: Norm) -> Callable[[FoundPair], bool]:
    return lambda found: _larger(norm)(found.world, found.old, found.new)
