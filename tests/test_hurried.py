"""Where a call has little time: a sound bound first, and it says that it is coarser."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import _proof, _put_together, _Work, derive
from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.profiler import rough_profile
from dpcomp_sym.limits import limited
from dpcomp_sym.numbers import bounds
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FILTERS = """
[domain]
attributes = {{ id = "Id", owner = "Person", day = "int", ok = "bool" }}
symbols = {{ w = "w >= 1" }}
[granularity]
{granularity}
""" + "".join(
    f'[[map]]\nname = "m{n}"\nmember = "{member}"\n'
    f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nguarantee = {{{{ pure = "e{n}" }}}}\n'
    for n, member in enumerate(
        ["day(c) == 1", "day(c) % 2 == 0", "day(c) >= 3 and ok(c)", "not ok(c) and day(c) < 4"]
    )
)
EVENTS = 'use = "w_event"\ntime = "day"\nlength = "w"'


def roughly(structure):
    """Return what a derivation says that had time for any bound, and for nothing else."""
    work = _Work()
    rough = rough_profile(structure)
    work.found = {
        "whether the spec contradicts itself": None,
        "any bound": rough,
        "the proof of any bound": _proof(structure.problem, *rough),
    }
    work.patience = 0
    with limited(total=1000) as limits:
        limits.budget.start -= 1000
        return _put_together(work, structure, None, {}, "", limits)


@pytest.mark.parametrize("granularity", [EVENTS, 'use = "user"\nowner = "owner"'])
def test_a_bound_for_which_there_was_no_time_is_the_sum_of_all_parts(granularity):
    found = roughly(Structure(load_spec(FILTERS.format(granularity=granularity)).problem))
    (bound,) = found.bounds
    assert (bound.text, bound.tight) == ("e0 + e1 + e2 + e3", "unknown")
    assert bound.tight_note.startswith("a coarser bound: the time was over")
    assert found.unfinished.endswith(
        "missing are which blocks change together, the conditions, edits that change nothing, the "
        "comparison in numbers, mechanisms that attain the bounds, bounds for numbers below 1"
    )


def test_it_is_of_use():
    """With time some of these parts are found not to change together."""
    problem = load_spec(FILTERS.format(granularity='use = "unbounded"')).problem
    assert roughly(Structure(problem)).bounds["pure"].text == "e0 + e1 + e2 + e3"
    assert derive(problem).bounds["pure"].text == "max(e1 + e3, e1 + e2, e0 + e3)"


@pytest.mark.parametrize(
    "name",
    ["bounded-partition-common", "ambulances", "user-level-limited", "hierarchy-tree", "strips",
     "nested", "w-event-each-step", "sliding-windows-events", "family-written-out", "histogram"],
)  # fmt: skip
def test_a_rough_bound_is_never_less_than_the_best_one(name):
    spec = load_spec(EXAMPLES / f"{name}.toml")
    sizes = dict.fromkeys(spec.problem.symbols, 2) | {"k": 7}
    known = {s: n for s, n in sizes.items() if s in spec.problem.symbols}
    problem = spec.problem.at(known)
    values = {}
    for part in problem.bound_parts:
        (eps,) = dict(part.guarantees)["pure"]
        for _, size in part.map.indices:
            many = size if isinstance(size, int) else sizes[size]
            values[eps] = [1 + 3 * i % 5 for i in range(many)]
        values.setdefault(eps, 3)
    best = derive(spec.problem, values, known)
    structure = Structure(problem)
    profile, facts = rough_profile(structure)
    proof, why = _proof(structure.problem, profile, facts)
    assert not why
    assert profile.proved
    assert not profile.exact
    (rough,) = (b for b in bounds(profile, proof.guarantees, values, known) if b.notion == "pure")
    assert rough.tight == "unknown"
    assert rough.value >= best.bounds["pure"].value
