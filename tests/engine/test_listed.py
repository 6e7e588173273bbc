"""Classes that are listed: distances in a second granularity, against search in the graph."""

from __future__ import annotations

import itertools
import random

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Map, Part, Problem
from dpcomp_sym.model.listed import listed_domain, listed_granularity
from dpcomp_sym.profile import Infinity


def drawn(rng, names, fewest=1):
    """Some random pairs of different databases."""
    pairs = list(itertools.combinations(names, 2))
    return rng.sample(pairs, rng.randint(fewest, min(len(pairs), len(names))))


def problem(seed: int) -> Problem:
    rng = random.Random(seed)
    names = [f"n{j}" for j in range(rng.randint(3, 6))]
    inner = listed_granularity("inner", drawn(rng, names, 2))
    some = rng.sample(names, rng.randint(1, 2))
    said = " or ".join(f"database(c) == {n}" for n in some)
    maps = {"all": Map("all"), "some": Map("some", image={"joined": said})}
    used = rng.choice(["all", "some"])
    setting = "common" if used == "some" else rng.choice(["common", "separate"])
    return Problem(
        listed_domain(names), listed_granularity("outer", drawn(rng, names)), [maps[used]],
        [Part("m", used, granularity=inner, setting=setting)],
    )  # fmt: skip


def truth(given: Problem):
    """Return the largest distance of the images of neighbours, by search."""
    domain = given.domain
    (sort,) = domain.attribute_sorts.values()
    cells = tuple((v,) for v in domain.enumerations[sort])
    world = World(domain, cells, dict(domain.enumerations))
    (part,) = given.bound_parts
    return Enumeration(given, world, bound=1, extra=0).farthest(part, [world]).value


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_the_largest_distance(seed):
    try:
        given = problem(seed)
        found = derive(given, {"eps": 1})
    except InputError:
        return
    most = truth(given)
    (bound,) = [b for b in found.bounds if b.notion == "pure"]
    if most in (0, float("inf")):
        assert most == 0 or isinstance(bound.value, Infinity)
        assert most == 0 or bound.known
        return
    assert bound.value == most
    assert bound.tight == "yes"


def test_a_path_through_a_database_that_no_edit_names():
    outer = listed_granularity("ends", [("p", "r")])
    inner = listed_granularity("steps", [("p", "q"), ("q", "r")])
    given = Problem(
        listed_domain(["p", "q", "r"]), outer, [Map("all")], [Part("m", "all", granularity=inner)]
    )  # fmt: skip
    found = derive(given, {"eps": 1})
    assert (found.bounds[0].text, found.bounds[0].value, found.bounds[0].tight) == (
        "2*eps", 2, "yes",
    )  # fmt: skip
    assert verify(certificate(found.theorems, found)).verdict == "proved"
