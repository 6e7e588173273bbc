"""Bounds of random problems with structured blocks, against all neighbours in small worlds.

For random parameters no neighbours need more than the bound says, and some need just that where it
is called tight.  What is compared is the theorem's own expression, evaluated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cached_property

from dpcomp_sym.derivation.proof import prove
from dpcomp_sym.engine.freed import specialised
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.numbers import bounds
from dpcomp_sym.profile import Infinity, Profile
from dpcomp_sym.statements import Expr
from tests.differential.compare import (
    POWERS,
    Claim,
    Evidence,
    Numbers,
    contradicted,
    random_numbers,
)
from tests.random_problems.structured import Drawn, structured

__all__ = ["Comparison"]

DRAWINGS = 3
"""So many choices of parameters for each problem."""


class Comparison:
    """A random problem, what is proved of it, and what small worlds show."""

    def __init__(self, seed: int, drawn: Drawn | None = None) -> None:
        self.seed = seed
        self.drawn = structured(seed) if drawn is None else drawn
        self.problem = self.drawn.problem
        self.profile, self.facts = profile_with_facts(Structure(self.problem))

    @cached_property
    def guarantees(self) -> Mapping[str, tuple[Expr, ...]]:
        """What the theorems about the problem state."""
        return prove(self.problem, self.profile, self.facts, list(POWERS)).guarantees

    @cached_property
    def here(self) -> Profile:
        """The profile, for the numbers of the small worlds."""
        return specialised(self.profile, self.drawn.sizes)

    def evidence(self) -> Iterator[Evidence]:
        """Yield small worlds with all their neighbours."""
        for world in self.drawn.worlds():
            if world.cells:
                yield Evidence(Enumeration(self.problem, world, self.drawn.most), [world])

    def claims(self, numbers: Numbers) -> list[Claim]:
        """Return what the bounds say for some parameters."""
        found = bounds(self.here, self.guarantees, numbers.values, self.drawn.sizes)
        return [Claim(b.notion, float(b.value), b.tight == "yes") for b in found
                if b.value is not None and not isinstance(b.value, Infinity)]  # fmt: skip

    def wrong(self) -> list[str]:
        """Return what contradicts the bounds."""
        if self.profile.vacuous:
            pairs = next((e.enumeration.pairs for e in self.evidence()), [])
            return ["vacuous, but there are neighbours"] if pairs else []
        if not self.profile.proved:
            return []
        rng, first = random.Random(f"{self.seed} numbers"), next(self.drawn.worlds())
        drawn = [random_numbers(self.problem, first, rng) for _ in range(DRAWINGS)]
        return contradicted(self.problem, self.evidence(), [(n, self.claims(n)) for n in drawn])

    def kinds(self) -> list[str]:
        """Return of which kinds the bound is."""
        groups = [g for case in self.profile.cases for v in case.vectors for g in v]
        infinite = any(case.infinite for case in self.here.cases)
        found = {
            "vacuous": self.profile.vacuous,
            "infinite": infinite,
            "tight": self.here.exact and not self.profile.vacuous and not infinite,
            "a pattern": any(g.when is not None for g in groups),
            "named blocks": any(g.block for g in groups),
            "a mean": any(case.within for case in self.profile.cases),
            "shared distances": any(g.wide is not None for g in groups),
            "cases": len(self.profile.cases) > 1,
        }
        return [kind for kind, holds in found.items() if holds]
