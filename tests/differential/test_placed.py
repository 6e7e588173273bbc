"""Which blocks change together, written out at given sizes, against all neighbours there are."""

from __future__ import annotations

from collections import Counter

import pytest

from dpcomp_sym.engine.freed import specialised
from dpcomp_sym.numbers.placed import placed
from dpcomp_sym.profile import Infinity
from tests.differential.compare import rows
from tests.differential.structured import Comparison
from tests.random_problems.generate import describe
from tests.shares import shared

PROBLEMS = 400
BATCH = 20


def _written_out(found, sizes):
    """Return what changes together as {(map, block): distances}; None where it is not found."""
    families = {m.name: tuple(size for _, size in m.indices) for m in found.maps}
    (case,) = [case for case in found.cases if case.speaks_of(sizes)]
    each = [placed(vector, families, sizes) for vector in case.single]
    if None in each or any(g.when is not None for vs in each for v in vs for g in v):
        return None
    vectors = [v for vs in each for v in vs]
    if any(not g.block and families[g.map] for v in vectors for g in v):
        return None  # blocks with any numbers
    return [
        {(g.map, g.block): dict(g.distances) for g in v if any(r != 0 for _, r in g.distances)}
        for v in vectors
    ]


def _within(one, other):
    return all(
        block in other and all(r <= other[block].get(part, 0) for part, r in seen.items())
        for block, seen in one.items()
    )


def _changed(problem, row):
    readers = {
        name: [p.name for p in problem.bound_parts if p.map.name == name]
        for name in problem.used_maps
    }
    return {
        (name, index): {p: r for p, r in zip(readers[name], seen, strict=True) if r}
        for name, index, seen in row
    }


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, PROBLEMS, BATCH)))
def test_what_changes_together_is_what_neighbours_do(first):
    kinds = Counter()
    for seed in range(first, first + BATCH):
        one = Comparison(seed)
        sizes = one.drawn.sizes
        if one.profile.vacuous or not one.profile.proved:
            continue
        found = specialised(one.profile, sizes)
        told = any(g.when is not None for c in found.cases for v in c.vectors for g in v)
        written = _written_out(found, sizes)
        if not told or written is None or any(case.within for case in found.cases):
            continue
        if any(
            isinstance(r, Infinity) for v in written for seen in v.values() for r in seen.values()
        ):
            continue
        kinds["written out"] += 1
        met = []
        for evidence in one.evidence():
            for row in rows(evidence.enumeration, evidence.worlds[0]):
                changed = _changed(one.problem, row)
                assert any(_within(changed, other) for other in written), describe(one.problem)
                met.append(changed)
        if found.exact:
            kinds["exact"] += 1
            missing = [v for v in written if not any(_within(v, other) for other in met)]
            assert not missing, f"{seed} {describe(one.problem)}\n{missing}"
    assert kinds["exact"] >= 1, kinds
