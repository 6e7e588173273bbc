"""Bounded model finding with a SAT solver, through python-sat."""

from __future__ import annotations

import itertools

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Cadical153


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question: unsatisfiable is a proof within the scope."""
    pool = IDPool()
    var = pool.id
    records, blocks, owners = range(n), range(k), max(1, n // 2)
    clauses: list[list[int]] = []

    def exactly(literals: list[int], number: int) -> None:
        found = CardEnc.equals(literals, number, vpool=pool, encoding=EncType.seqcounter)
        clauses.extend(found.clauses)

    def at_least(literals: list[int], number: int) -> None:
        found = CardEnc.atleast(literals, number, vpool=pool, encoding=EncType.seqcounter)
        clauses.extend(found.clauses)

    for x in records:
        exactly([var(("label", x, i)) for i in blocks], 1)
        old, new, differ = var(("old", x)), var(("new", x)), var(("differ", x))
        clauses += [[-differ, old, new], [-differ, -old, -new],
                    [differ, -old, new], [differ, old, -new]]  # fmt: skip
    if inside:
        exactly([var(("chosen block", i)) for i in blocks], 1)
        for x in records:
            clauses.append([-var(("inside", x)), var(("differ", x))])
            clauses += [[-var(("inside", x)), -var(("chosen block", i)), var(("label", x, i))]
                        for i in blocks]  # fmt: skip
        if most + 1 > n:
            return True
        at_least([var(("inside", x)) for x in records], most + 1)
    for i in () if inside else blocks:
        seen = []
        for x in records:
            both = var(("both", x, i))
            clauses += [[-both, var(("differ", x))], [-both, var(("label", x, i))]]
            seen.append(both)
        clauses.append([-var(("changed", i)), *seen])
    if not inside:
        if most + 1 > k:
            return True
        at_least([var(("changed", i)) for i in blocks], most + 1)
    match setting:
        case "unbounded":
            exactly([var(("differ", x)) for x in records], 1)
        case "bounded":
            gone, come = [[var((w, x)) for x in records] for w in ("gone", "come")]
            exactly(gone, 1)
            exactly(come, 1)
            for x in records:
                old, new, differ = var(("old", x)), var(("new", x)), var(("differ", x))
                clauses += [[-gone[x], old], [-gone[x], -new], [-come[x], -old], [-come[x], new],
                            [-differ, gone[x], come[x]]]  # fmt: skip
        case "owner":
            exactly([var(("chosen", o)) for o in range(owners)], 1)
            for x in records:
                clauses.append([-var(("differ", x)), var(("chosen", x % owners))])
            for x, y in itertools.combinations(records, 2):
                if x % owners == y % owners:
                    clauses += [[-var(("label", x, i)), var(("label", y, i))] for i in blocks]
    with Cadical153(bootstrap_with=clauses) as solver:
        return not solver.solve()
