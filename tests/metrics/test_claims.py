"""Claims about metrics, against all pairs of databases: proved, refuted and checked alike."""

from __future__ import annotations

import itertools
import operator
import random
from collections import Counter

import pytest

from dpcomp_sym.engine.verdict import Checked, Proved, Refuted, Unknown
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.library import closed_forms
from dpcomp_sym.metrics.relate import compared
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from tests.metrics.compare import as_number

WRONG = {"exact": operator.ne, "at least": operator.gt, "at most": operator.lt}
"""What the form says, beside the distance, where a claim is wrong."""
FINITE = Domain({"kind": ["p", "q"], "vip": "bool"}, cap=1, universe=Universe.PRODUCT)
SETS = Domain({"id": "Record"}, cap=1)
TWO = {"x": "cell", "y": "cell"}
ODD = (
    library_granularity("unbounded"),
    library_granularity("bounded"),
    library_granularity("free_lunch"),
    Granularity("twos", [Edit(TWO, "x != y", {"x": 1, "y": 1})]),
    Granularity("few", [Edit({"x": "cell"}, "size(D) <= 1", {"x": 1})]),
    Granularity("itself", [Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1})]),
    Granularity("emptied", [Edit({"x": "cell"}, "size(D) >= 2", {"x": "-D[x]"})]),
)
OTHERS = ("0", "1", "2", "size(D)", "max(1, sum(abs(D[c] - E[c])))", "3*sum(abs(D[c] - E[c]))")


def all_distances(domain, granularity):
    """Yield (world, D, E, distance) for all pairs of sets in a small world, equal ones included."""
    bound = granularity.bind(domain)
    problem = Problem(domain, granularity, [library_map("identity")], [Part("p", "identity")])
    world = sample_world(problem, 3, 3)
    graph = EditGraph(world, bound, world.cells, 1)
    for old, new in itertools.product(graph.states, repeat=2):
        yield world, graph.database(old), graph.database(new), graph.distance(old, new)


@pytest.mark.in_turn
@pytest.mark.parametrize("domain", [FINITE, SETS], ids=["finite", "any set"])
def test_claims_against_all_pairs(domain):
    """A claim that is proved is true of all pairs; databases that refute one are at that distance.

    The classes are sets, so that every path of a world lies among its databases.
    """
    rng, seen = random.Random(5), Counter()
    for granularity in ODD:
        pairs = list(all_distances(domain, granularity))
        metric = Canonical(granularity.bind(domain))
        forms = [*rng.sample(closed_forms(domain), 4), *map(ClosedForm, rng.sample(OTHERS, 3))]
        for form, (bound, wrong) in itertools.product(forms, WRONG.items()):
            verdict, claim = metric.decide(form, bound), form.bind(domain)
            seen[type(verdict)] += 1
            if isinstance(verdict, Proved | Checked):
                for world, old, new, true in pairs if isinstance(verdict, Proved) else ():
                    assert not wrong(as_number(claim.distance(world, old, new)), true)
                continue
            if isinstance(verdict, Unknown):
                continue
            assert isinstance(verdict, Refuted)
            example = verdict.counterexample
            graph = EditGraph(example.world, metric.granularity, example.world.cells, 1)
            ends = [
                tuple(d.get(c, 0) for c in example.world.cells) for d in (example.old, example.new)
            ]
            assert set(ends) <= set(graph.states)
            shown = [(example.old, example.new, ends), (example.new, example.old, ends[::-1])]
            assert any(
                wrong(as_number(claim.distance(example.world, a, b)), graph.distance(*states))
                for a, b, states in shown
            )
    assert min(seen[Proved], seen[Refuted]) >= 20


def test_a_claim_that_is_written_over_several_lines_is_printed_on_one():
    claim = ("records", "exact", "sum(\n  abs(D[c] - E[c])\n)", "true")
    own = {"records": library_granularity("unbounded")}
    found = compared("Sets", SETS, own, [claim], {}, ["records"]).as_json()
    assert found["claims"][0]["value"] == "sum( abs(D[c] - E[c]) )"
    assert found["claims"][0]["verdict"] == "proved"
