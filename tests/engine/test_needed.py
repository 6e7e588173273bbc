"""Databases that show a condition to be necessary: wherever it fails, plain evaluation agrees."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.engine.clauses import Says, Weakest
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite.enumerate import label_worlds
from dpcomp_sym.terms import evaluate
from tests.random_problems.generate import generate

pytestmark = pytest.mark.in_turn

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def breaking(world, mapping, clause):
    """Yield the records of a world that break a clause: x and y, or x alone twice."""
    held = {cell: set(world.holding(mapping, cell)) for cell in world.cells}
    for x, y in itertools.product(world.cells, repeat=2):
        left, right = held[x], held[y]
        broken = {
            Says.TOGETHER: len(left | right) > 1, Says.ALIKE: left != right,
            Says.APART: bool(left & right), Says.OUTSIDE: bool(left) and x == y,
        }[clause.says]  # fmt: skip
        if broken and clause.true_of(world, x, y):
            yield x, y


def databases(pair, x, y, framed, world, domain):
    """Return the two databases that a pair in words stands for: of one record x comes first."""
    env = world.environment(domain)
    numbers = [[evaluate(t, env) for t in side] for side in (pair.before, pair.after)]
    if x != y:
        return [dict(zip((x, y), side, strict=True)) for side in numbers]
    (a, b), (then_a, then_b) = numbers
    return [{x: a}, {x: then_a if framed else then_a + then_b - b}]


def changed(world, mapping, old, new):
    """Return how many blocks differ between two databases."""
    images = ([world.apply(mapping, d, i) for d in (old, new)] for i in world.blocks(mapping))
    return sum(one != other for one, other in images)


def unlinked(world, part, old, new):
    """Return whether some block keeps what no edit of the part leads from one to the other."""
    for index in world.blocks(part.map):
        first, then = (world.apply(part.map, d, index) for d in (old, new))
        cells = world.block_cells(part.map, index)
        if first != then and world.linking(part.granularity, first, then, cells) is None:
            return True
    return False


def harm(problem, condition, world, old, new):
    """Return whether neighbours show that C1 of a map, or C2 of a part, fails."""
    if condition.name == "compatibility":
        return changed(world, condition.labels.mapping, old, new) > 1
    part = next(p for p in problem.bound_parts if p.name == condition.about)
    return unlinked(world, part, old, new)


def shows(problem, condition):
    """Return whether a condition says what its neighbours are, in words that can be evaluated."""
    if not isinstance(condition.labels, Weakest) or condition.name == "commutes":
        return False
    parts = {p.name: p for p in problem.bound_parts}
    return condition.name == "compatibility" or parts[condition.about].setting == "separate"


def failures(problem, conditions):
    """Yield what is wrong, and count what was looked at, for C1 and C2 of a problem."""
    granularity, domain = problem.outer, problem.outer.domain
    for condition in conditions:
        if not shows(problem, condition):
            continue
        weakest = condition.labels
        mapping = weakest.mapping
        world = condition.outcome.counterexample.world
        for labelled in label_worlds(world, [mapping], 12):
            for one in weakest.needed:
                if None in one.pairs or one.clause.given:
                    continue
                framed = granularity.edits[one.edit - 1].frame is not None
                for x, y in breaking(labelled, mapping, one.clause):
                    found = [databases(p, x, y, framed, labelled, domain) for p in one.pairs]
                    right = any(
                        all(labelled.contains(d, domain, labelled.cells) for d in both)
                        and labelled.linking(granularity, *both) is not None
                        and harm(problem, condition, labelled, *both)
                        for both in found
                    )  # fmt: skip
                    yield None if right else (one.clause, x, y, found, labelled)


def checked(problem, conditions):
    found = list(failures(problem, conditions))
    assert [one for one in found if one is not None] == []
    return len(found)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name",
    [
        "ambulances", "bounded-partition", "w-event-each-step", "user-level-record-partition",
        "user-level-truncated", "digraph-node-out-edges", "nearby-values-common", "strips",
        "policy-secret-pairs", "one-sided", "graph-edge-incident", "foreign-keys", "mixed-notions",
        "bounded-partition-unbounded-parts", "cover-replaced", "graph-edge-rewired",
    ],
)  # fmt: skip
def test_what_an_article_writes_down(name):
    d = dp.load(EXAMPLES / f"{name}.toml").derive()
    assert checked(d.problem, d.conditions.values()) >= 1


@pytest.mark.in_turn
def test_random_problems():
    seen = 0
    for seed in range(24):
        problem = generate(seed)
        found = conditions(Structure(problem))
        seen += checked(problem, found.values())
    assert seen >= 50


def test_a_wrong_pair_is_noticed():
    d = dp.load(EXAMPLES / "user-level-record-partition.toml").derive()
    condition = d.C1
    (one,) = condition.labels.needed
    (pair,) = one.pairs
    wrong = replace(pair, after=pair.before)
    labels = replace(condition.labels, needed=(replace(one, pairs=(wrong,)),))
    assert any(failures(d.problem, [replace(condition, labels=labels)]))


def test_the_article_proves_both_directions(tmp_path):
    text = " ".join(
        dp.load(EXAMPLES / "ambulances.toml").derive().save(tmp_path / "a.tex").read_text().split()
    )
    assert r"\emph{Sufficient.} Let the condition hold. Suppose that the different blocks" in text
    assert (
        r"\emph{Necessary.} Let a record $x$ lie in two different blocks. Then $D = \emptyset$ and "
        r"$D' = \mathbf{1}_{x}$ are neighbours in $\mathbb{D}$, and both blocks differ" in text
    )
    assert text.count("The sum is bounded so exactly when C1 and C2 hold") == 1


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ["bounded-partition", "foreign-keys", "swapped-items"])
def test_every_exactly_when_of_an_article_is_proved(name, tmp_path):
    d = dp.load(EXAMPLES / f"{name}.toml").derive()
    text = d.save(tmp_path / "a.tex").read_text()
    said = text.count("It holds exactly when")
    proved = text.count("Necessary.") + text.count("The sum is bounded so exactly when")
    assert said == proved > 0


def test_parameters_that_are_called_as_records(tmp_path):
    """The edit's x is a day, and the record is called x."""
    days = dp.Domain(id="Record", day=int)
    one = dp.Granularity("one day", [dp.Edit(x=int, frame=lambda x: days.c.day == x)])
    d = dp.derive(days, one, counts=dp.partition(pure="eps"))
    text = " ".join(d.save(tmp_path / "a.tex").read_text().split())
    assert r"(the edit's $x$ is $\mathrm{day}(x)$, only $x$ counts if $x = y$)" in text
