"""A direct encoding for z3 with quantifiers over records; not bounded by a scope."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from rivals import DAYS

TIMEOUT = 2000

INT, BOOL = z3.IntSort(), z3.BoolSort()
RECORD, OWNER = z3.DeclareSort("Record"), z3.DeclareSort("Owner")
owner = z3.Function("owner", RECORD, OWNER)
day = z3.Function("day", RECORD, INT)
among = z3.Function("among", RECORD, INT, BOOL)
x, y = z3.Consts("x y", RECORD)
person = z3.Const("person", OWNER)
tail, head, vertex, first = z3.Ints("tail head vertex first")


@dataclass(frozen=True)
class Encoding:
    """A setting over all records.

    Args:
        differ: which records may be in one of two neighbours only.
        lies: whether a record lies in a block, from the label function, the block and the record.
        record: the sorts of what tells records apart.
        key: the sort of what has a label.
        facts: what else is known, from both databases and k.
    """

    differ: Callable[..., Any]
    lies: Callable[..., Any]
    record: tuple[Any, ...] = (RECORD,)
    key: Any = RECORD
    facts: Callable[[Any, Any, int], list[Any]] = lambda *_: []


def replaced(old: Any, new: Any, _k: int) -> list[Any]:
    """Say that one record goes and another comes."""
    return [old(x), z3.Not(new(x)), new(y), z3.Not(old(y))]


def covered(_old: Any, _new: Any, k: int) -> list[Any]:
    """Say that a record lies in at most three blocks."""
    return [z3.ForAll(x, z3.AtMost(*(among(x, i) for i in range(1, k + 1)), 3))]


SETTINGS = {
    "unbounded": Encoding(lambda r: r == x, lambda h, i, r: h(r) == i),
    "bounded": Encoding(
        lambda r: z3.Or(r == x, r == y), lambda h, i, r: h(r) == i, facts=replaced
    ),
    "owner": Encoding(
        lambda r: owner(r) == person, lambda h, i, r: h(owner(r)) == i, key=OWNER
    ),
    "cover": Encoding(lambda r: r == x, lambda _, i, r: among(r, i), facts=covered),
    "node": Encoding(
        lambda a, b: z3.And(a < b, z3.Or(a == vertex, b == vertex)),
        lambda h, i, a, b: z3.And(h(a) == i, h(b) == i),
        record=(INT, INT), key=INT,
    ),
    "edge": Encoding(
        lambda a, b: z3.And(a < b, a == tail, b == head),
        lambda h, i, a, b: z3.Or(h(a) == i, h(b) == i),
        record=(INT, INT), key=INT,
    ),
    "window": Encoding(
        lambda r: z3.And(first <= day(r), day(r) < first + DAYS),
        lambda _, i, r: z3.And((i - 1) * DAYS <= day(r), day(r) < i * DAYS),
    ),
    "season": Encoding(
        lambda r: z3.And(first <= day(r), day(r) < first + DAYS),
        lambda h, i, r: h(day(r)) == i,
        key=INT,
    ),
}  # fmt: skip


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool | None:
    """Decide the question for all records; None if the solver gives up."""
    del n  # nothing is bounded
    known = SETTINGS[setting]
    old, new = (z3.Function(name, *known.record, BOOL) for name in ("old", "new"))
    label = z3.Function("label", known.key, INT)
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT)

    def record(name: str) -> list[Any]:
        return [z3.Const(f"{name}{j}", sort) for j, sort in enumerate(known.record)]

    r, key = record("r"), z3.Const("key", known.key)
    solver.add(*known.facts(old, new, k))
    solver.add(z3.ForAll(key, z3.And(label(key) >= 1, label(key) <= k)))
    solver.add(z3.ForAll(r, z3.Or(known.differ(*r), old(*r) == new(*r))))
    seen = [record(f"seen{j}_") for j in range(most + 1)]
    blocks = z3.Ints(" ".join(f"block{j}" for j in range(1 if inside else most + 1)))
    solver.add(*(z3.And(i >= 1, i <= k) for i in blocks))
    for one, i in zip(seen, blocks * len(seen) if inside else blocks, strict=True):
        solver.add(known.lies(label, i, *one), old(*one) != new(*one))
    for one, other in itertools.combinations(seen if inside else [[i] for i in blocks], 2):
        solver.add(z3.Or(*(a != b for a, b in zip(one, other, strict=True))))
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat
