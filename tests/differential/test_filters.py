"""Distances of several maps at once, against all pairs of databases of one person.

Random filters, and families that are written out, whose parts protect single records.  A person
with at most so many records is replaced, appears or leaves: every pair of what the person may have
is looked at, and what it costs is compared with the bound, for random guarantees.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.finite.world import World
from dpcomp_sym.spec import load_spec
from tests.shares import shared

PROBLEMS = 48
BATCH = 6
FILTERS = (
    "true", "kind(c) == ka", "kind(c) == kb", "not kind(c) == ka", "day(c) == 1", "day(c) >= 1",
    "kind(c) == ka and day(c) >= 1", "kind(c) == kb or day(c) == 2", "kind(c) != kc", "day(c) < 1",
)  # fmt: skip
FAMILIES = (
    "i == 1 and kind(c) == ka or i == 2 and kind(c) == kb or i == 3 and day(c) == 1",
    "i == 1 and day(c) <= 1 or i == 2 and day(c) >= 1 or i == 3 and kind(c) != ka",
    "i == 1 or i == 2 and kind(c) == kc or i == 3 and day(c) == 2",
)
DETAILS = ("w", "x", "y", "z")
CELLS = tuple(
    (detail, "p", kind, day)
    for kind in ("ka", "kb", "kc")
    for day in (0, 1, 2)
    for detail in DETAILS
)


def written(seed: int) -> tuple[str, dict[str, int]]:
    """Return a random problem, and the least that a person has of what is limited."""
    draw = random.Random(seed)
    most = draw.choice((1, 1, 1, 2))
    limits = [f'["person(c)", {most}]']
    if draw.random() < 0.2:
        limits.append('["person(c), kind(c)", 1]')
    members = draw.sample(FILTERS, draw.randint(2, 3 if most == 1 else 2))
    if draw.random() < 0.3:
        members[0] = draw.choice(FAMILIES)
    parts = "".join(
        f'[[map]]\nname = "m{n}"\nmember = "{member}"\n'
        + ("index = { i = 3 }\n" if "i ==" in member else "")
        + f'[[part]]\nname = "p{n}"\nmap = "m{n}"\ngranularity = "unbounded"\n'
        f'guarantee = {{ pure = "e{n}" }}\n'
        for n, member in enumerate(members)
    )
    use = draw.choice(("user", "user", "user_presence"))
    kind = draw.choice(("", "", 'kind = "set"\n'))
    return (
        f'title = "seed {seed}"\n[domain]\nattributes = {{ detail = "Detail", person = "Person", '
        f'kind = ["ka", "kb", "kc"], day = "int" }}\n{kind}limits = [{", ".join(limits)}]\n'
        f'[granularity]\nuse = "{use}"\nowner = "person"\n{parts}'
    ), {"most": most, "kinds": len(limits) > 1, "presence": use == "user_presence"}


def held(limits):
    """Yield all that one person may have."""
    for number in range(limits["most"] + 1):
        for some in itertools.combinations(CELLS, number):
            if not limits["kinds"] or len({c[2] for c in some}) == len(some):
                yield some


def worst(problem, values, limits):
    """Return what the worst pair costs: each record that comes or goes, in each block with it."""
    world = World(problem.domain, CELLS, {"Detail": DETAILS, "Person": ("p",)}, {}, {}, {})
    price = {}
    for cell in CELLS:
        price[cell] = sum(
            values[name] if not block else values[name][block[0] - 1]
            for part in problem.bound_parts
            for (name,) in [dict(part.guarantees)["pure"]]
            for block in world.blocks(part.map)
            if world.member(part.map, cell, block)
        )
    everything = list(held(limits))
    if limits["presence"]:
        return max(sum(price[c] for c in some) for some in everything)
    return max(
        sum(price[c] for c in set(before) ^ set(after))
        for before, after in itertools.product(everything, repeat=2)
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, PROBLEMS, BATCH)))
def test_bounds_of_maps_that_share_records(first):
    wrong, tight = [], 0
    for seed in range(first, first + BATCH):
        text, limits = written(seed)
        problem = load_spec(text).problem
        draw = random.Random(seed)
        values = {
            name: [draw.randint(0, 9) for _ in range(3)] if p.map.indices else draw.randint(0, 9)
            for p in problem.bound_parts
            for (name,) in [dict(p.guarantees)["pure"]]
        }
        (bound,) = derive(problem, values, {}).bounds
        cost = worst(problem, values, limits)
        tight += bound.tight == "yes"
        assert isinstance(bound.value, int | Fraction)
        if cost > bound.value or (bound.tight == "yes" and cost < bound.value):
            wrong.append(f"{text}\n{values}\n{bound.text} = {bound.value}, {bound.tight}: {cost}")
    assert not wrong, "\n\n".join(wrong)
    assert tight
