"""What a certificate says for Rocq: the problem, the bound, and what its structural facts are.

Nothing else of this package reads certificates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model import Problem
from dpcomp_sym.model.serial import problem_from_json
from dpcomp_sym.notions import of_epsilon
from dpcomp_sym.replay import replay
from dpcomp_sym.replay.terms import text_of

__all__ = ["EditTouches", "Expression", "Outline", "Seen", "outline"]

Expression = dict[str, Any]
"""A bound or a count as plain data: ``{"op": "Num", "value": "3"}``."""


@dataclass(frozen=True)
class EditTouches:
    """What one edit does: the cells it names, how many blocks hold one, and the distances there."""

    points: tuple[str, ...]
    counts: Mapping[str, Expression]
    distances: Mapping[tuple[str, tuple[str, ...]], Expression]

    def farthest(self, part: str) -> list[Expression]:
        """Return the distances that a part can see."""
        return [d for (name, _), d in self.distances.items() if name == part]


@dataclass(frozen=True)
class Seen:
    """Some blocks of a map, how many, and at what distance each part sees each."""

    map: str
    count: Expression
    distances: Mapping[str, Expression]


@dataclass(frozen=True)
class Outline:
    """A certificate, as far as Rocq is to check it."""

    problem: Problem
    bound: Expression
    edits: tuple[EditTouches, ...]
    vectors: tuple[tuple[Seen, ...], ...]


def outline(data: Mapping[str, Any]) -> Outline:
    """Read a certificate.

    Raises:
        UnwrittenError: it claims no bound for eps-DP, or one that depends on ranges of sizes.
    """
    if data["verdict"] != "proved":
        raise UnwrittenError(f"there is no bound: the verdict is {data['verdict']}")
    conclusion = replay(data).conclusions.get(of_epsilon())
    if conclusion is None:
        raise UnwrittenError("there is no bound for eps-DP, the only notion that is written so far")
    (bound,) = conclusion[3][3]
    cases = data["profile"]["cases"]
    if len(cases) != 1 or cases[0]["where"]:
        raise UnwrittenError("the profile has cases by ranges of sizes")
    return Outline(
        problem_from_json(data["problem"]),
        json.loads(text_of(bound)),
        tuple(_touched(e) for e in data["profile"]["edits"]),
        tuple(map(_vector, cases[0]["vectors"])),
    )


def _touched(edit: Mapping[str, Any]) -> EditTouches:
    return EditTouches(
        tuple(edit["points"]),
        dict(edit["blocks"]),
        {(part, tuple(points)): distance for part, points, distance in edit["distances"]},
    )


def _vector(vector: Mapping[str, Any]) -> tuple[Seen, ...]:
    if vector["op"] != "Vector":
        raise UnwrittenError(f"a profile of the form {vector['op']} is not written so far")
    return tuple(map(_seen, vector["groups"]))


def _seen(group: Mapping[str, Any]) -> Seen:
    distances = {s["part"]: s["distance"] for s in group["distances"]}
    return Seen(group["map"], group["count"], distances)
