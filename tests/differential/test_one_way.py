"""Distances between granularities whose edits lead one way, against all databases of a class."""

from __future__ import annotations

import itertools
import random

import pytest

from dpcomp_sym.engine.verdict import Proved, Vacuous
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity
from dpcomp_sym.profile import INFINITY, Infinity
from tests.shares import shared

VALUES = "u", "v", "w"
EDITS = [
    Edit({"x": "cell"}, "true", {"x": "1"}),
    Edit({"x": "cell"}, "D[x] >= 1", {"x": "-1"}),
    Edit({"x": "cell"}, "id(x) != u", {"x": "1"}),
    Edit({"x": "cell"}, "D[x] >= 1 and id(x) == v", {"x": "-1"}),
    Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y", {"x": "-1", "y": "1"}),
    Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and id(x) == u and x != y", {"x": "-1", "y": "1"}),
    Edit({"x": "cell", "y": "cell"}, "x != y", {"x": "1", "y": "1"}),
    Edit({}, "true", frame="id(c) == u", step="new >= old"),
    Edit({}, "true", frame="true", step="new <= old"),
]


def granularity(rng: random.Random, name: str, *, directed: bool) -> Granularity:
    edits = rng.sample(EDITS, rng.randint(1, 2))
    framed = any(e.frame for e in edits)
    group = 1 if framed else rng.choice((1, 1, 2))
    return Granularity(name, edits, directed=directed, group=group)


def farthest(domain: Domain, of: Granularity, to: Granularity) -> int | Infinity | None:
    """Return the largest distance over all sets of records; None without neighbours."""
    found: int | Infinity | None = None
    for number in range(1, len(VALUES) + 1):
        for cells in itertools.combinations([(v,) for v in VALUES], number):
            world = World(domain, cells, domain.enumerations, {}, {}, {})
            inner, outer = (EditGraph(world, g.bind(domain), cells, domain.cap) for g in (of, to))
            for left, right in outer.pairs():
                far = inner.distance(left, right)
                far = INFINITY if far == UNREACHABLE else int(far)
                found = far if found is None or found < far else found
    return found


@pytest.mark.parametrize("seed", shared(6, range(60)))
def test_one_way(seed):
    rng = random.Random(seed)
    ways = [(True, True), (True, False), (False, True)][seed % 3]
    domain = Domain({"id": VALUES}, cap=rng.choice((1, 2)))
    of, to = (granularity(rng, n, directed=d) for n, d in zip(("of", "to"), ways, strict=True))
    told = Relations(domain, {"of": of, "to": to}).distance("of", "to")
    known = farthest(domain, of, to)
    if isinstance(told.verdict, Vacuous):
        assert known is None
    elif isinstance(told.verdict, Proved):
        assert known == told.distance
    else:
        assert known is None or told.least <= known
        assert told.most is None or known is None or known <= told.most
