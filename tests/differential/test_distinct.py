"""Limits on distinct values against plain enumeration: in how many teams, on how many days."""

from __future__ import annotations

import random

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer, limited

SEEDS = (0, 1, 2, 3, 4, 5)
LIMITS = (
    ("team(c)", "user(c)"),
    ("day(c)", "user(c)"),
    ("user(c)", "team(c)"),
    ("team(c), day(c)", "user(c)"),
    ("user(c)", "team(c), day(c)"),
    ("dept(team(c))", "user(c)"),
    ("team(c)", "dept(team(c))"),
    ("team(c)", "true"),
    ("c", "user(c)"),
)
KEYS = ("user(c), day(c)", "user(c), team(c)", "user(c)", "day(c)")
MEMBERS = {
    "h(c) == i": ["cell"],
    "h(team(c)) == i": ["team"],
    "h(user(c)) == i": ["user"],
    "h(dept(team(c))) == i": ["Dept"],
    "h(team(c)) == i and day(c) == 1": ["team"],
    "h(team(c)) == i or h(team(c)) == i + 1": ["team"],
    "day(c) == i": None,
    "day(c) >= i": None,
}


def problem(rng: random.Random) -> Problem:
    """Return a random problem about users who have records in few teams, on few days."""
    symbol = rng.random() < 0.3
    domain = Domain(
        {"user": ["ua", "ub"], "day": "int", "team": ["ta", "tb"]},
        {"dept": (["team"], "Dept")},
        symbols={"m": "1 <= m and m <= 2"} if symbol else {},
        cell=f"1 <= day(c) and day(c) <= {rng.choice((1, 2))}",
        limits=[(rng.choice(KEYS), rng.choice((1, 2)))] if rng.random() < 0.4 else [],
        distinct=[
            (of, each, rng.choice(("m", 1) if symbol else (1, 1, 2)))
            for of, each in rng.sample(LIMITS, rng.choice((1, 1, 2)))
        ],
        cap=1 if rng.random() < 0.5 else None,
    )
    maps = []
    for number, (member, argument) in enumerate(rng.sample(list(MEMBERS.items()), 2)):
        name = f"h{number}"
        labels = {} if argument is None else {name: (argument, "int")}
        maps.append(Map(f"f{number}", member.replace("h(", f"{name}("), {"i": "k"}, labels))
    maps = maps[: rng.choice((1, 1, 2))]
    if rng.random() < 0.3:
        maps[-1] = rng.choice([Map("all"), Map("first", "day(c) == 1"), Map("all", image={})])
    parts = [
        Part(
            f"on_{one.name}", one.name,
            granularity=library_granularity("unbounded") if rng.random() < 0.6 else None,
            guarantees={"pure": (f"eps_{one.name}",)},
        )
        for one in maps
    ]  # fmt: skip
    return Problem(domain, _granularity(rng), maps, parts)


def _granularity(rng: random.Random) -> Granularity:
    steps = ("true", "true", "implies(old == 0, new == 0)", "new <= old", "old >= 1 or new <= 1")
    frames = ("user(c) == u", "user(c) == u", "user(c) == u and team(c) == ta", "user(c) != u")
    own = Edit({"u": "user"}, "true", frame=rng.choice(frames), step=rng.choice(steps))
    return rng.choice([
        library_granularity("user", owner="user"),
        library_granularity("user_presence", owner="user"),
        library_granularity("bounded"),
        Granularity("own", [own]),
        Granularity("own", [own], directed=True),
    ])  # fmt: skip


def compare(seed: int, seconds: float = 25.0) -> str:
    """Compare one random problem with enumeration; return in a word what came out."""
    try:
        given = problem(random.Random(f"{seed} distinct"))
        with limited(seconds):
            found = answer(given)
            wrong = disagreements(given, found)
    except InputError:
        return "refused"
    except LateError:
        return "late"
    assert not wrong, (seed, wrong)
    if found.profile is None:
        return "none"
    return "exact" if found.profile.exact else "bounded"


@pytest.mark.long
def test_no_pair_does_more():
    assert {"exact"} <= {compare(seed) for seed in SEEDS}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 230))
def test_no_pair_does_more_in_many_problems(seed):
    compare(seed)
