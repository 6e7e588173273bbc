"""Random problems in which the blocks of several maps share the records of a user.

Maps are filters, unions of filters, families that are written out, overlapping or not, partitions
and covers by labels, and the whole; nearly all parts count records.  A limit, a number or a symbol,
says how many records a user has, or has of each kind.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from dpcomp_sym.finite.world import Cell
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from tests.random_problems.structured import Drawn, K

__all__ = ["budgets"]

KINDS = ("ka", "kb", "kc")
_SINGLE = (
    "kind(c) == ka",
    "kind(c) == kb",
    "kind(c) != ka",
    "kind(c) == kc or day(c) == 1",
    "day(c) == 2 and kind(c) != kb",
    "true",
    "day(c) == 0",
)
_WRITTEN = (
    "(i == 1 and kind(c) == ka) or (i == 2 and kind(c) == kb)",
    "(i == 1 and kind(c) != ka) or (i == 2 and kind(c) != kb) or (i == 3 and day(c) == 1)",
    "(i == 1 and kind(c) == ka and day(c) == 1) or (i == 2 and kind(c) == ka) or i == 3",
)
_FAMILIES = (
    "h(c) == i",
    "kind(c) == ka and h(c) == i",
    "kind(c) != ka and h(c) == i",
    "h(c) == i or h(c) + 1 == i",
    "day(c) == i",
    "day(c) == i and kind(c) == kb",
    "i <= day(c) and day(c) <= i + 1",
)


def budgets(seed: int) -> Drawn:
    """Return the random problem with this number.

    >>> budgets(1).problem.title
    'budget problem 1'
    """
    rng = random.Random(f"{seed} budgets")
    most: int | str = rng.choice((1, 2, 2, 3, "m", "m", "m"))
    keys = rng.choice((["user(c)"], ["user(c)"], ["user(c), kind(c)"], ["user(c), day(c)"],
                       ["user(c)", "user(c), kind(c)"], ["user(c)", "user(c), day(c)"],
                       ["kind(c)"]))  # fmt: skip
    limits = [(key, most if place == 0 else 1) for place, key in enumerate(keys)]
    symbols = {"m": rng.choice(("m >= 1", "m >= 1", "m >= 0", "m >= 2"))} if most == "m" else {}
    domain = Domain(
        {"user": "User", "kind": list(KINDS), "day": "int"},
        symbols=symbols,
        cell="1 <= day(c) and day(c) <= 2",
        limits=limits,
        cap=1 if rng.random() < 0.2 else None,
    )
    outer = rng.choice(("user", "user_presence", "user_presence"))
    maps: list[Map] = []
    for number in range(rng.choice((1, 2, 2, 3))):
        maps.append(_map(rng, number, labels=not any(m.functions for m in maps)))
    parts = [
        Part(
            f"p{number}", one.name,
            granularity=library_granularity("unbounded") if rng.random() < 0.9 else None,
            guarantees={"pure": (f"eps{number}",), "zcdp": (f"rho{number}",)},
        )
        for number, one in enumerate(maps)
    ]  # fmt: skip
    problem = Problem(
        domain, library_granularity(outer, owner="user"), maps, parts, f"budget problem {seed}"
    )
    sizes = {size: K for m in problem.used_maps.values() for size in m.sizes if size == "k"}
    sizes |= {"m": 2} if most == "m" else {}
    return Drawn(problem, sizes, _cells, {"User": ("p", "q")}, 3 if most == 3 else 2)


def _map(rng: random.Random, number: int, *, labels: bool) -> Map:
    """Return a map of one of the sorts, each as often; one at most has labels in small worlds."""
    name = f"f{number}"
    match rng.choice(("single", "single", "written", "family", "family")):
        case "single":
            return Map(name, rng.choice(_SINGLE))
        case "written":
            member = rng.choice(_WRITTEN)
            return Map(name, member, {"i": 3 if "i == 3" in member else 2})
        case _:
            member = rng.choice([m for m in _FAMILIES if labels or "h(" not in m])
            functions = {f"h{number}": (["cell"], "int")} if "h(" in member else {}
            return Map(name, member.replace("h(", f"h{number}("), {"i": "k"}, functions)


def _cells() -> Iterator[Sequence[Cell]]:
    """Yield few records of a user: of all kinds and two days, or of two kinds on both days."""
    for days in ((1, 2, 2, 1), (2, 1, 1, 1)):
        yield [
            ("p", kind, day) for kind, day in zip((*KINDS, KINDS[days[0] % 2]), days, strict=True)
        ]
    for left, right in itertools.combinations(KINDS, 2):
        yield [("p", kind, day) for kind in (left, right) for day in (1, 2)]
