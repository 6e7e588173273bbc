"""Random problems about labels of things beside days: partitions, and what has an order.

One map asks what a record is about, by labels that may be any, and others on which day it is; what
neighbours change in one of them says nothing of the other, or all of it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Final

from dpcomp_sym.finite.world import Cell
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_map
from dpcomp_sym.model import library_granularity as granularity

__all__ = ["LABELS", "cells_beside", "problem_beside"]

LABELS: Final = 2
"""So many labels there are, and blocks."""
ELEMENTS: Final = {"Id": ("r", "s"), "Item": ("a", "b")}
_DAYS: Final = (
    "day(c) == i", "day(c) == i", "day(c) <= i", "i <= day(c)", "day(c)//2 == i",
    "2*i - 2 <= day(c) and day(c) < 2*i", "i <= day(c) and day(c) < i + 2",
)  # fmt: skip
_CELLS: Final = ("true", "true", "1 <= day(c)", "1 <= day(c) and day(c) <= 3", "0 <= day(c)")
_GUARDS: Final = (
    "x != y", "x != y and differ_in_one(x, y)", "x != y and differ_only(x, y, item)",
    "differ_only(x, y, day) and abs(day(x) - day(y)) <= 1",
    "differ_only(x, y, day) and abs(day(x) - day(y)) <= 2 and day(x) != day(y)",
)  # fmt: skip


def problem_beside(rng: random.Random, title: str) -> Problem:
    """Return a problem about records with an owner, an item and a day."""
    limits: list[tuple[str, int]] = []
    of = rng.choice(("pairs", "pairs", "one", "two", "owner", "presence"))
    if of == "pairs":
        guard = f"D[x] >= 1 and {rng.choice(_GUARDS)}"
        edit = Edit({"x": "cell", "y": "cell"}, guard, {"x": "-1", "y": "1"})
        changed = Granularity("g", [edit])
    elif of == "two":
        changed = Granularity(
            "g", [Edit({"x": "cell", "y": "cell"}, "x != y", {"x": "1", "y": "1"})]
        )
    elif of == "one":
        changed = granularity("unbounded")
    else:
        changed = granularity("user" if of == "owner" else "user_presence", owner="id")
        most = 1 if of == "owner" else rng.choice((1, 2))
        limits = rng.choice(([("id(c)", most)], [("id(c)", most)], [("id(c), day(c)", 1)], []))
    maps = [_of_days(rng, n) for n in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.75:
        by = rng.choice(("item(c)", "item(c)", "id(c)"))
        free = rng.choice(("partition", "partition", "partial_partition"))
        maps.insert(rng.randrange(len(maps) + 1), library_map(free, name="labels", by=by))
    domain = Domain(
        {"id": "Id", "item": "Item", "day": "int"}, limits=limits, cap=1, cell=rng.choice(_CELLS)
    )
    single = rng.random() < 0.6
    parts = [
        Part(f"p{n}", m.name, granularity("unbounded"), guarantees)
        if single and (not limits or m.image is None)
        else Part(f"p{n}", m.name, None, guarantees, setting="common")
        for n, m in enumerate(maps)
        for guarantees in [{"pure": (f"eps{n}",), "zcdp": (f"rho{n}",)}]
    ]
    return Problem(domain, changed, maps, parts, title)


def _of_days(rng: random.Random, number: int) -> Map:
    image = {} if rng.random() < 0.15 else None
    if rng.random() < 0.2:
        labels = {f"h{number}": (["Item"], "int")}
        member = f"day(c) == i and h{number}(item(c)) == j"
        return Map(f"m{number}", member, {"i": "k", "j": "k"}, labels, image=image)
    return Map(f"m{number}", rng.choice(_DAYS), {"i": "k"}, image=image)


def cells_beside(problem: Problem, rng: random.Random) -> Iterator[Sequence[Cell]]:
    """Yield records of both owners on a few days, or of one owner on more, and on all of some."""
    frame = any(e.frame is not None for e in problem.granularity.edits)
    ids, items = ELEMENTS["Id"], ELEMENTS["Item"]
    for days in ((1, 2), (2, 3), (1, 3), (0, 1), (3, 4), (4, 5), (2, 4), (-1, 1), (0, 2), (3, 5)):
        yield list(itertools.product(ids[:1] if frame else ids, items, days))
    if frame:
        yield [(ids[0], items[day % 2], day) for day in range(-1, 6)]
    some = [tuple(sorted(rng.sample(range(-1, 6), 3))) for _ in range(4)]
    for days in ((1, 2, 3), (0, 1, 2), (2, 3, 4), *some):
        yield list(itertools.product(ids[:1], items, days))
