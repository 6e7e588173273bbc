"""The random problems are what they should be, and the comparison sees what it should see."""

from __future__ import annotations

import itertools
import pathlib
import random
from collections import Counter

import pytest

from dpcomp_sym.finite.enumerate import UNREACHABLE, databases
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.profile import ALL, INFINITY, Case, Group, KRange, MapInfo, PartInfo, Profile
from dpcomp_sym.spec import read_spec
from tests.differential.compare import (
    Answer,
    Said,
    Witness,
    changed,
    covers,
    disagreements,
    evidence,
    is_model,
    too_far,
    unconfirmed,
)
from tests.random_problems.generate import describe, generate, main

BATCH = 30
FEW = ((4, 1), (3, 1))


def test_a_number_gives_one_problem():
    assert describe(generate(7)) == describe(generate(7)) != describe(generate(8))


def test_problems_are_printed(capsys):
    assert main(["--count", "2", "--seed", "3"]) == 0
    assert capsys.readouterr().out.count("[domain]") == 2


@pytest.mark.in_turn
@pytest.mark.parametrize("first", range(0, 150, BATCH))
def test_what_is_printed_is_the_problem(first):
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        again = read_spec(describe(problem), "random", pathlib.Path()).problem
        assert again.outer.edits == problem.outer.edits
        for part, other in zip(again.bound_parts, problem.bound_parts, strict=True):
            assert part.map == other.map
            assert part.granularity.edits == other.granularity.edits
            assert part.domain.size_terms == other.domain.size_terms
            assert part.domain.limit_terms == other.domain.limit_terms
        assert describe(again) == describe(problem)


@pytest.mark.in_turn
def test_problems_are_varied_and_bite():
    seen = Counter()
    for seed in range(200):
        problem = generate(seed)
        known = list(evidence(problem, FEW))
        seen["world"] += bool(known)
        seen["neighbours"] += any(not e.enumeration.vacuous for e in known)
        seen["other"] += not all(p.same_granularity for p in problem.bound_parts)
        for e in known:
            found = e.enumeration.shapes(e.worlds)
            blocks = max((len(bs) for s in found for _, bs in s), default=0)
            far = max((d for s in found for _, bs in s for b in bs for d in b), default=0)
            seen["one block"] += blocks == 1
            seen["many blocks"] += blocks > 1
            seen["near"] += far == 1
            seen["far"] += far > 1
    assert seen["world"] >= 180
    assert seen["neighbours"] >= 150
    assert 60 <= seen["other"] <= 140
    assert min(seen["one block"], seen["many blocks"], seen["near"], seen["far"]) >= 80


@pytest.mark.in_turn
@pytest.mark.parametrize("first", range(0, 150, BATCH))
def test_what_is_found_is_confirmed_literally(first):
    """Everything that exhaustive search finds is a counterexample by the definitions alone."""
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        for one in evidence(problem, FEW):
            assert all(not is_model(problem, w) for w in one.worlds)
            for mapping in problem.used_maps.values():
                most = one.enumeration.most_changed(mapping, one.worlds)
                if most is not None:
                    witness = Witness(most.world, most.old, most.new)
                    assert not unconfirmed(problem, witness)
                    assert changed(mapping, witness) == most.value
            for part in problem.bound_parts:
                far = one.enumeration.farthest(part, one.worlds)
                if far is not None:
                    witness = Witness(far.world, far.old, far.new)
                    assert too_far(problem, part, witness) == (far.value > 1)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize(("image", "far"), [(None, True), ({"kind": "a(c)"}, False)])
def test_a_block_that_does_not_see_owners_may_take_records_for_those_of_one(size, image, far):
    """D and D' are two edits apart, but others with the same images are neighbours."""
    domain = Domain({"a": "A", "b": "B"})
    kinds, owners = (tuple(f"{s}{n}" for n in range(size)) for s in "ab")
    world = World(domain, tuple(itertools.product(kinds, owners)), {"A": kinds, "B": owners})
    inner = library_granularity("user", owner="b(c)")
    part = common(domain, Map("kinds", image=image), inner)
    two = {(kinds[0], owners[0]): 1, (kinds[1], owners[1]): 1}
    assert too_far(*part, Witness(world, {}, two)) is far


@pytest.mark.parametrize(("member", "far"), [("true", True), ("vip(c)", False)])
def test_records_that_a_block_does_not_see_may_be_there(member, far):
    domain = Domain({"id": "R", "vip": "bool"})
    cells = tuple((name, vip) for name in "pq" for vip in (False, True))
    world = World(domain, cells, {"R": ("p", "q")})
    inner = Granularity("more", [Edit({"x": "cell"}, guard="size(D) >= 2", change={"x": 1})])
    part = common(domain, Map("vips", member), inner)
    assert too_far(*part, Witness(world, {}, {("p", True): 1})) is far


def common(domain, mapping, inner):
    """Return a problem with one part in the common setting, and the part."""
    part = Part("p", mapping.name, inner, setting="common")
    problem = Problem(domain, library_granularity("bounded"), [mapping], [part])
    return problem, problem.bound_parts[0]


@pytest.mark.in_turn
def test_what_links_two_databases_is_found_as_if_every_parameter_were_tried():
    rng, seen = random.Random(3), Counter()
    for seed in range(120):
        problem = generate(seed)
        world, domain = sample_world(problem, 0, 3), problem.domain
        if world is None or len(world.cells) > 4:
            continue
        within = list(databases(world, domain, world.cells, 2))
        if not within:  # all are too small for the class
            continue
        granularities = [problem.outer, *(p.granularity for p in problem.bound_parts)]
        for granularity in (g for g in granularities if g.domain == domain):
            for _ in range(10):
                old, new = rng.choices(within, k=2)
                step = world.linking(granularity, old, new)
                assert (step is not None) == any(
                    world.links(edit, params, domain, first, then, world.cells)
                    for first, then in [(old, new), (new, old)][: 1 if granularity.directed else 2]
                    for edit in granularity.edits
                    for params in choices(world, granularity, edit)
                )
                if step is not None:
                    first, then = (new, old) if step.backwards else (old, new)
                    edit, params = granularity.edits[step.edit], dict(step.params)
                    assert world.links(edit, params, domain, first, then, world.cells)
                seen[step is not None] += 1
    assert min(seen[True], seen[False]) >= 300


def choices(world, granularity, edit):
    """Yield every choice of an edit's parameters."""
    integers = world.integers(granularity)
    return world.choices(edit, granularity.domain, world.cells, integers)


@pytest.mark.in_turn
def test_bold_claims_are_contradicted():
    """Whoever claims everything, or nothing, is caught on many problems."""
    seen = Counter()
    for seed in range(60):
        problem = generate(seed)
        known = list(evidence(problem, FEW))
        maps, parts = problem.used_maps, [p.name for p in problem.bound_parts]
        bold = Answer(
            Said("unknown"),
            {n: Said("proved") for n in maps},
            {n: Said("proved") for n in parts},
        )
        seen["proved"] += bool(disagreements(problem, bold, known))
        seen["vacuous"] += bool(disagreements(problem, Answer(Said("vacuous")), known))
        timid = Answer(Said("unknown"), {n: Said("unknown") for n in maps})
        assert not disagreements(problem, timid, known)
        ungrounded = Answer(Said("unknown"), {n: Said("refuted") for n in maps})
        assert disagreements(problem, ungrounded, known)
    assert seen["proved"] >= 30
    assert seen["vacuous"] >= 40


def profile(*cases):
    info = PartInfo("p", "f", (("pure", ("eps",)),))
    return Profile((MapInfo("f", (("i", "k"),), True),), (info,), cases, proved=True, exact=False)


def test_profiles_cover_shapes():
    problem = next(
        p for p in map(generate, range(500))
        if [m.indices for m in p.used_maps.values()] == [(("i", "k"),)] and len(p.parts) == 1
    )  # fmt: skip
    (name,) = problem.used_maps
    one = next(e for e in evidence(problem, FEW))
    world, maps = one.worlds[0], problem.used_maps
    k = world.symbols["k"]

    def says(count, distance, ranges=()):
        group = Group(name, count, (("p", distance),))
        case = Case(tuple(ranges), ((group,),), attained=False)
        made = profile(case)
        info = PartInfo("p", name, made.parts[0].guarantees)
        return Profile(made.maps, (info,), made.cases, proved=True, exact=False)

    every = ((name, ((1,),) * k),)
    assert covers(says(ALL, 1), world, every, maps)
    assert covers(says(ALL, INFINITY), world, ((name, ((UNREACHABLE,),) * k),), maps)
    assert not covers(says(ALL, 1), world, ((name, ((2,),)),), maps)
    assert covers(says(1, 2), world, ((name, ((2,),)),), maps)
    assert not covers(says(1, 2, [KRange("k", k + 1)]), world, ((name, ((2,),)),), maps)
