"""Random problems about users with few records in each epoch, in each week or on each weekday.

A limit counts records by a quotient or a remainder of their step, and blocks are steps.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any, Final

from dpcomp_sym.finite.world import Cell
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity

__all__ = ["ELEMENTS", "cells_of_epochs", "problem_of_epochs", "sizes_of_epochs"]

ELEMENTS: Final = {"User": ("p", "q"), "Id": ("r", "s", "v", "w")}
_EPOCHS: Final = (
    "step(c)//2", "step(c)//2", "step(c)//3", "(step(c) - 1)//2", "step(c) % 2", "step(c) % 3",
    "(step(c) + 1) % 2", "step(c)//b", "(step(c) + 1)//b", "2*(step(c)//2)", "step(c)//2 % 2",
)  # fmt: skip
_MEMBERS: Final = (
    "step(c) == i", "step(c) == i", "step(c) == i", "step(c) + 1 == i", "step(c) == i + 1",
    "i <= step(c) and step(c) < i + 2", "step(c)//2 == i", "step(c) == i and kind(c) == j",
    "step(c) == j and kind(c) == i", "kind(c) == i",
)  # fmt: skip
_FRAMES: Final = (
    "user(c) == p",
    "user(c) == p",
    "user(c) == p",
    "user(c) == p and t <= step(c)",
    "user(c) == p and t <= step(c) and step(c) < t + 3",
)
_MORE: Final = (("user(c)", 2), ("user(c)", 3), ("user(c), step(c)", 1), ("user(c), kind(c)", 1))
_CELLS: Final = ("true", "true", "0 <= step(c)", "1 <= step(c)", "1 <= step(c) and step(c) <= 4")


def problem_of_epochs(rng: random.Random, title: str) -> Problem:
    """Return a problem about one user's records."""
    most = rng.choice((1, 1, 1, 2, "m"))
    of, frame = rng.choice(_EPOCHS), rng.choice(_FRAMES)
    some = rng.sample(_MEMBERS, rng.choice((1, 1, 1, 2)))
    limits: list[tuple[str, Any]] = [(f"user(c), {of}", most)]
    limits += [rng.choice(_MORE)] if rng.random() < 0.3 else []
    kinds = any("kind" in x for x in (*some, *(key for key, _ in limits)))
    attributes: dict[str, Any] = {"user": "User", "step": "int"}
    attributes |= {"kind": "int"} if kinds else {}
    attributes |= {"id": "Id"} if not kinds and rng.random() < 0.5 else {}
    symbols = {"m": "m >= 1"} if most == "m" else {}
    symbols |= {"b": "b >= 1"} if re.search(r"\bb\b", of) else {}
    domain = Domain(attributes, limits=limits, symbols=symbols, cap=rng.choice((None, 1)),
                    cell=rng.choice(_CELLS))  # fmt: skip
    params = {n: s for n, s in {"p": "User", "t": "int"}.items() if re.search(rf"\b{n}\b", frame)}
    edit = Edit(params, "true", frame=frame, step=rng.choice(("true", "new <= old")))
    maps = [
        Map(f"m{n}", member, {x: {"i": "k", "j": 2}[x] for x in "ij"
                              if re.search(rf"\b{x}\b", member)})
        for n, member in enumerate(some)
    ]  # fmt: skip
    # So that small worlds show what is seen, records have names, of which there are enough.
    counts = library_granularity("unbounded") if "id" in attributes and rng.random() < 0.6 else None
    parts = [Part(f"p{n}", m.name, counts, {"pure": (f"eps{n}",), "zcdp": (f"rho{n}",)})
             for n, m in enumerate(maps)]  # fmt: skip
    return Problem(domain, Granularity("g", [edit]), maps, parts, title)


def sizes_of_epochs(problem: Problem, rng: random.Random) -> dict[str, int]:
    """Return numbers for its symbols: so many blocks that small worlds have records for all."""
    beside = len(problem.domain.attributes) > 2
    usual = {"k": 2 if beside else rng.choice((2, 3)), "m": rng.choice((1, 2)),
             "b": rng.choice((1, 2, 3))}  # fmt: skip
    return {n: usual[n] for n in ("k", *problem.symbols)}


def cells_of_epochs(problem: Problem) -> list[Sequence[Cell]]:
    """Return the cells of small worlds: records of one user, at a few steps."""
    counted = any(part.granularity is not None for part in problem.parts)
    values = {"kind": (1, 2), "id": ELEMENTS["Id"][: 4 if counted else 2]}
    beside = [values[a] for a in list(problem.domain.attributes)[2:]]
    few = ((1, 2, 3), (2, 3, 4), (1, 2, 4), (0, 1, 2))
    many = [range(first, first + (4 if beside else 6)) for first in (1, 0, 2)]
    return [
        [("p", step, *more) for step in steps for more in itertools.product(*beside)]
        for steps in (few if counted else many)
    ]
