"""Bounded model finding with a SAT solver, through python-sat."""

from __future__ import annotations

import itertools
from collections.abc import Hashable

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Cadical153

from rivals import SETTINGS, Scope


class Formula:
    """Clauses over named variables."""

    def __init__(self) -> None:
        self.pool = IDPool()
        self.clauses: list[list[int]] = []

    def var(self, *name: Hashable) -> int:
        """Return the variable of this name."""
        return int(self.pool.id(name))

    def add(self, *clauses: list[int]) -> None:
        """Add clauses."""
        self.clauses += clauses

    def at_most(self, literals: list[int], number: int) -> None:
        """Let at most so many literals be true."""
        found = CardEnc.atmost(literals, number, vpool=self.pool, encoding=EncType.seqcounter)
        self.add(*found.clauses)

    def exactly_one(self, literals: list[int]) -> None:
        """Let exactly one literal be true."""
        self.add(list(literals))
        self.at_most(literals, 1)

    def at_least(self, literals: list[int], number: int) -> None:
        """Let at least so many literals be true, counted from the first to the last."""
        for c, (j, one) in itertools.product(range(1, number + 1), enumerate(literals)):
            count = [-self.var("count", c, j), *([self.var("count", c, j - 1)] if j else [])]
            self.add([*count, one])
            if c > 1:
                self.add([*count, *([self.var("count", c - 1, j - 1)] if j else [])])
        if number:
            self.add([self.var("count", number, len(literals) - 1)])


def change(scope: Scope, formula: Formula) -> None:
    """Say in what neighbours differ."""
    var = formula.var
    records = range(len(scope.keys))
    for x in records:
        old, new, differ = var("old", x), var("new", x), var("differ", x)
        formula.add([-differ, old, new], [-differ, -old, -new],
                    [differ, -old, new], [differ, old, -new])  # fmt: skip
    if scope.together is None:
        formula.exactly_one([var("gone", x) for x in records])
        formula.exactly_one([var("come", x) for x in records])
        for x in records:
            old, new, gone, come = (var(word, x) for word in ("old", "new", "gone", "come"))
            formula.add([-gone, old], [-gone, -new], [-come, -old], [-come, new],
                        [-var("differ", x), gone, come])  # fmt: skip
    else:
        own: dict[int, list[int]] = {x: [] for x in records}
        for number, together in enumerate(scope.together):
            for x in together:
                own[x].append(var("chosen", number))
        formula.exactly_one([var("chosen", number) for number in range(len(scope.together))])
        formula.add(*([-var("differ", x), *chosen] for x, chosen in own.items()))


def label(scope: Scope, k: int, formula: Formula) -> None:
    """Say how many blocks a key has."""
    for y in set(itertools.chain(*scope.keys)):
        of_key = [formula.var("label", y, i) for i in range(k)]
        if scope.fewest:
            formula.add(of_key)
        formula.at_most(of_key, scope.most)


def seen(scope: Scope, i: int, formula: Formula) -> list[int]:
    """Return literals for the records that differ and lie in block i."""
    found = []
    for x in scope.possible(i):
        both = formula.var("both", x, i)
        formula.add([-both, formula.var("differ", x)])
        if scope.given is None:
            labels = [formula.var("label", y, i) for y in scope.keys[x]]
            formula.add(*([-both, one] for one in labels) if scope.every else ([-both, *labels],))
        found.append(both)
    return found


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question: unsatisfiable is a proof within the scope."""
    scope, formula = SETTINGS[setting](n), Formula()
    change(scope, formula)
    if scope.given is None:
        label(scope, k, formula)
    blocks = {
        formula.var("block", i): seen(scope, i, formula)
        for i in scope.looked_at(k, 1 if inside else most + 1)
    }
    if inside:  # all that is counted is in one block
        formula.exactly_one(list(blocks))
        formula.add(*([-one, block] for block, records in blocks.items() for one in records))
        formula.at_least(list(itertools.chain(*blocks.values())), most + 1)
    else:
        formula.add(*([-block, *records] for block, records in blocks.items()))
        formula.at_least(list(blocks), most + 1)
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        return not solver.solve()
