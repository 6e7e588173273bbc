"""A direct encoding for z3 with quantifiers over records; not bounded by a scope."""

from __future__ import annotations

import z3

TIMEOUT = 2000


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool | None:
    """Decide the question for all records; None if the solver gives up."""
    del n  # nothing is bounded
    record, owner_sort = z3.DeclareSort("Record"), z3.DeclareSort("Owner")
    old, new = (z3.Function(name, record, z3.IntSort()) for name in ("old", "new"))
    label = z3.Function("label", record, z3.IntSort())
    owner = z3.Function("owner", record, owner_sort)
    x, y, r, s = z3.Consts("x y r s", record)
    person = z3.Const("p", owner_sort)
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT)
    solver.add(z3.ForAll(r, z3.And(old(r) >= 0, new(r) >= 0, label(r) >= 1, label(r) <= k)))
    match setting:
        case "unbounded":
            solver.add(z3.ForAll(r, new(r) == old(r) + z3.If(r == x, 1, 0)))
        case "bounded":
            change = z3.If(r == y, 1, 0) - z3.If(r == x, 1, 0)
            solver.add(x != y, old(x) >= 1, z3.ForAll(r, new(r) == old(r) + change))
        case "owner":
            solver.add(z3.ForAll(r, z3.Or(owner(r) == person, new(r) == old(r))))
            solver.add(z3.ForAll([r, s], z3.Implies(owner(r) == owner(s), label(r) == label(s))))
    if inside:  # most + 1 records of one block differ
        seen = z3.Consts(" ".join(f"r{j}" for j in range(most + 1)), record)
        solver.add(z3.Distinct(*seen) if len(seen) > 1 else z3.BoolVal(True))
        solver.add(*[z3.And(old(q) != new(q), label(q) == label(seen[0])) for q in seen])
        answer = solver.check()
        return None if answer == z3.unknown else answer == z3.unsat
    blocks = z3.Ints(" ".join(f"i{j}" for j in range(most + 1)))
    solver.add(z3.Distinct(*blocks) if len(blocks) > 1 else z3.BoolVal(True))
    for block in blocks:
        solver.add(z3.Exists(r, z3.And(label(r) == block, old(r) != new(r))))
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat
