"""Records counted by limits, and blocks that share them, against plain enumeration."""

from __future__ import annotations

import random

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer, limited

SEEDS = (0, 1, 2, 3)


def problem(rng: random.Random) -> Problem:
    """Return a random problem about users who have records on few days, in few places."""
    symbol = rng.random() < 0.3
    symbols = {"T": "1 <= T and T <= 2"} if symbol else {}
    last = "T" if symbol else str(rng.choice((1, 2)))
    keys = [
        "user(c)",
        "user(c), day(c)",
        "user(c), place(c)",
        "day(c)",
        "user(c), day(c), place(c)",
    ]
    limits = [(key, rng.choice((1, 1, 2))) for key in rng.sample(keys, rng.randint(1, 2))]
    domain = Domain(
        {"user": ["ua", "ub"], "day": "int", "place": ["pa", "pb"]},
        symbols=symbols,
        cell=f"1 <= day(c) and day(c) <= {last}",
        limits=limits,
        cap=1 if rng.random() < 0.5 else None,
    )
    outer = rng.choice(["user", "user", "user_presence"])
    labels = {"h": (["cell"], "int")}
    maps = [
        rng.choice([
            Map("blocks", "h(c) == i", {"i": "k"}, labels),
            Map("blocks", "h(c) == i", {"i": "k"}, labels),
            Map("blocks", "day(c) == i", {"i": "k"}),
            Map("blocks", "h(c) == i or h(c) == i + 1", {"i": "k"}, labels),
            Map("blocks", "(i == 1 and place(c) == pa) or (i == 2 and place(c) == pb)", {"i": 2}),
        ])
    ]  # fmt: skip
    if rng.random() < 0.5:
        maps.append(rng.choice([
            Map("single", "place(c) == pa"), Map("single"), Map("single", "day(c) == 1"),
            Map("single", image={}),
        ]))  # fmt: skip
    parts = [
        Part(
            f"on_{one.name}", one.name,
            granularity=library_granularity("unbounded") if rng.random() < 0.8 else None,
            guarantees={"pure": (f"eps_{one.name}",)},
        )
        for one in maps
    ]  # fmt: skip
    return Problem(domain, library_granularity(outer, owner="user"), maps, parts)


def compare(seed: int, seconds: float = 25.0) -> str:
    """Compare one random problem with enumeration; return in a word what came out."""
    try:
        given = problem(random.Random(seed))
        with limited(seconds):
            found = answer(given)
            wrong = disagreements(given, found)
    except InputError:
        return "refused"
    except LateError:
        return "late"
    assert not wrong, (seed, wrong)
    profile = found.profile
    if profile is None:
        return "none"
    groups = [g for c in profile.cases for v in c.vectors for g in v]
    return "shared" if any(g.wide is not None for g in groups) else "counted"


@pytest.mark.long
def test_no_pair_does_more():
    assert {"shared", "counted"} <= {compare(seed) for seed in SEEDS}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 230))
def test_no_pair_does_more_in_many_problems(seed):
    compare(seed)
