"""Random problems whose neighbours differ by what a user has, or by single records.

Maps ask of which kind records are, on which day, up to which one, or whose label they have; so what
changes in one of them by one edit need not by the other.
"""

from __future__ import annotations

import itertools
import random
import re
from typing import Final

from dpcomp_sym.finite.world import Cell
from dpcomp_sym.model import Domain, Edit, Granularity, Map

__all__ = ["CELLS", "ELEMENTS", "SIZES", "problem_parts"]

ELEMENTS: Final = {"User": ("p",), "Id": ("r", "s")}
SIZES: Final = {"k": 2, "m": 1}
CELLS: Final[list[Cell]] = list(itertools.product(("p",), ("r", "s"), ("a", "b"), (1, 2)))
_USERS: Final = (
    ("user(c) == u", "true"), ("user(c) == u", "old == 0"), ("user(c) == u", "new <= old"),
    ("user(c) == u and kind(c) == a", "old == 0"), ("user(c) == u and kind(c) == a", "true"),
    ("user(c) == u and day(c) == t", "old == 0"),
)  # fmt: skip
_ONE: Final = ("true", "kind(x) == b", "day(x) <= 1")
_TWO: Final = (
    "x != y", "x != y and day(x) == day(y)", "x != y and kind(x) == kind(y)",
)  # fmt: skip
_MEMBERS: Final = (
    "day(c) == i", "day(c) <= i", "i <= day(c)",
    "f(id(c)) == i", "f(id(c)) <= i", "kind(c) == a and f(id(c)) == i",
    "f(id(c)) == i and day(c) == j", "day(c) == i and f(id(c)) <= j",
    "kind(c) == a", "kind(c) == b", "true", "day(c) >= 2",
)  # fmt: skip
_LIMITS: Final = (
    [], [("user(c)", 1)], [("user(c)", "m")], [("user(c), day(c)", 1)],
    [("user(c), kind(c)", 1)], [("user(c)", 2)],
)  # fmt: skip


def problem_parts(rng: random.Random) -> tuple[Domain, Granularity, list[Map]]:
    """Return a class of databases, two edits that make neighbours, and one to three maps."""
    members = rng.sample(_MEMBERS, rng.choice((1, 1, 2, 2, 3)))
    limits = rng.choice(_LIMITS)
    domain = Domain(
        {"user": "User", "id": "Id", "kind": ("a", "b"), "day": "int"},
        {"f": (["Id"], "int")} if any("f(" in member for member in members) else {},
        limits=limits, symbols={"m": "m >= 1"} if ("user(c)", "m") in limits else {}, cap=1,
        cell=rng.choice(("true", "true", "1 <= day(c)", "kind(c) == a or day(c) >= 2")),
    )  # fmt: skip
    edits = [_of_user(rng), _of_records(rng)]
    rng.shuffle(edits)
    maps = [
        Map(f"m{n}", member, {x: "k" for x in "ij" if re.search(rf"\b{x}\b", member)})
        for n, member in enumerate(members)
    ]
    return domain, Granularity("g", edits[: rng.choice((1, 2, 2, 2))]), maps


def _of_user(rng: random.Random) -> Edit:
    frame, step = rng.choice(_USERS)
    params = {"u": "User", **({"t": "int"} if "== t" in frame else {})}
    return Edit(params, "true", frame=frame, step=step)


def _of_records(rng: random.Random) -> Edit:
    if rng.random() < 0.5:
        return Edit({"x": "cell"}, rng.choice(_ONE), {"x": "1"})
    return Edit({"x": "cell", "y": "cell"}, rng.choice(_TWO), {"x": "-1", "y": "1"})
