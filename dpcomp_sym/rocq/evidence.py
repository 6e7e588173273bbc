"""What a certificate says for Rocq: the problem, the bound, and what its structural facts are.

Nothing else of this package reads certificates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dpcomp_sym.engine.together.naming import number_of_records
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model import Problem
from dpcomp_sym.model.serial import problem_from_json
from dpcomp_sym.notions import of_epsilon, of_pairs
from dpcomp_sym.replay import Leaf, replay
from dpcomp_sym.replay.terms import text_of
from dpcomp_sym.rocq.bounds import Expression, maxima
from dpcomp_sym.terms import Term
from dpcomp_sym.terms.data import from_text

__all__ = [
    "EditTouches",
    "Expression",
    "Outline",
    "Seen",
    "Vector",
    "Window",
    "WindowPattern",
    "outline",
]


@dataclass(frozen=True)
class EditTouches:
    """What one edit does: the cells it names, how many blocks hold one, and the distances there.

    ``windows`` are the patterns with the integers on which it depends which blocks change; what
    changes is a mean of what changes for some integers of ``means``.
    """

    points: tuple[str, ...]
    counts: Mapping[str, Expression]
    distances: Mapping[tuple[str, tuple[str, ...]], Expression]
    windows: tuple[Window, ...] = ()
    means: tuple[WindowPattern, ...] = ()
    reasons: Mapping[tuple[str, tuple[str, ...]], Mapping[str, Any]] = field(default_factory=dict)
    """Why a part sees no larger distance, as the certificate says."""

    def farthest(self, part: str) -> list[Expression]:
        """Return the distances that a part can see."""
        return [d for (name, _), d in self.distances.items() if name == part]


@dataclass(frozen=True)
class Seen:
    """Some blocks of a map, how many, and at what distance each part sees each.

    Args:
        map: the map.
        count: how many blocks there are at most.
        distances: the distance for each part.
        block: the block, where it is one that is named.
        when: a condition on the block and the letters of the pattern, where there is one.
    """

    map: str
    count: Expression
    distances: Mapping[str, Expression]
    block: int | None = None
    when: Expression | None = None


@dataclass(frozen=True)
class WindowPattern:
    """Some integers with facts, on which it depends which blocks change.

    Where there are ``times``, there are so many choices of the integers, and a block that has its
    condition for one of them can change.
    """

    free: int
    facts: Expression
    times: Expression | None = None


@dataclass(frozen=True)
class Window:
    """A pattern, and its integers as terms of an edit, or of a record that the edit changes.

    ``places`` are the conditions on the blocks of each map that can change.
    """

    pattern: WindowPattern
    integers: tuple[Term, ...]
    places: Sequence[tuple[str, Expression]] = ()

    @property
    def records(self) -> Expression | None:
        """How many records change at most, where the integers are about records."""
        number = number_of_records(self.integers)
        named = {"op": "Num", "value": str(number)} if number else None
        return self.pattern.times or named

    def is_in(self, vector: Vector) -> bool:
        """Return whether a vector has the same conditions on the same maps."""
        return all(place in [(g.map, g.when) for g in vector.groups] for place in self.places)

    @property
    def once(self) -> Window:
        """The same integers, of which there is one choice."""
        return replace(self, pattern=replace(self.pattern, times=None))


@dataclass(frozen=True)
class Vector:
    """One way in which neighbours can differ: all blocks that change are in these groups.

    Where it is one of a ``mean``, what changes is a mean of such vectors, for several integers.
    """

    groups: tuple[Seen, ...]
    pattern: WindowPattern | None = None
    mean: bool = False


@dataclass(frozen=True)
class Outline:
    """A certificate, as far as Rocq is to check it.

    Where ``where`` names symbols, the bound is for these numbers of them alone.  Where there is a
    ``delta``, the bound is on (ε, δ).
    """

    problem: Problem
    bound: Expression
    edits: tuple[EditTouches, ...]
    vectors: tuple[Vector, ...]
    where: tuple[tuple[str, int, int | None], ...] = ()
    delta: Expression | None = None
    shared: bool = False
    """Whether what changes is shared out among maps or blocks, in several ways."""

    @property
    def maxima(self) -> list[Expression]:
        """The maxima over integers in the bound, each once."""
        return maxima(self.bound, *([] if self.delta is None else [self.delta]))

    @property
    def notion(self) -> str:
        """The notion of the bound."""
        return of_epsilon() if self.delta is None else of_pairs()


def outline(data: Mapping[str, Any]) -> Outline:
    """Read a certificate.

    Raises:
        UnwrittenError: it claims no bound for eps-DP and none for (eps, delta), or one that depends
            on ranges of sizes.
    """
    if data["verdict"] != "proved":
        raise UnwrittenError(f"there is no bound: the verdict is {data['verdict']}")
    played = replay(data)
    conclusions = played.conclusions
    reasons = _reasons(data["evidence"], played.leaves)
    notion = of_epsilon() if of_epsilon() in conclusions else of_pairs()
    if notion not in conclusions:
        raise UnwrittenError(
            "there is no bound for eps-DP or (eps, delta), and no other is written"
        )
    said = [_only_case(json.loads(text_of(bound))) for bound in conclusions[notion][3][3]]
    (value, where), *more = said
    if any(other != where for _, other in more):
        raise UnwrittenError("eps and delta are bounded for different sizes")
    cases = [c for c in data["profile"]["cases"] if c["where"] == where]
    if len(cases) != 1:
        raise UnwrittenError("the profile has cases by ranges of sizes")
    vectors = cases[0]["vectors"]
    return Outline(
        problem_from_json(data["problem"]),
        value,
        tuple(_touched(e, reasons) for e in data["profile"]["edits"]),
        tuple(map(_vector, vectors)),
        tuple((r["symbol"], r["low"], r["high"]) for r in where),
        more[0][0] if more else None,
        len(vectors) > 1 or vectors[0]["op"] == "MeanOf",
    )


def _only_case(bound: Expression) -> tuple[Expression, list[Expression]]:
    """Return the bound for the only sizes for which it is finite, and these sizes."""
    if bound["op"] != "Cases":
        return bound, []
    finite = [item for item in bound["items"] if item["value"]["op"] != "Inf"]
    if len(finite) != 1:
        raise UnwrittenError("the bound has several cases by ranges of sizes")
    return finite[0]["value"], finite[0]["where"]


_Reasons = dict[tuple[str, str, tuple[str, ...]], Mapping[str, Any]]


def _reasons(rows: Sequence[Mapping[str, Any]], leaves: Sequence[Leaf]) -> _Reasons:
    """Return why distances are no larger, for each edit, part and cells that a block holds."""
    known = {row["step"]: row["reason"] for row in rows}
    return {
        (edit, part, tuple(map(str, touched))): known[leaf.step]
        for leaf in leaves if leaf.statement[0] == "BlockDistance"
        for _, _, edit, part, touched, _ in [leaf.statement]
    }  # fmt: skip


def _touched(edit: Mapping[str, Any], reasons: _Reasons) -> EditTouches:
    return EditTouches(
        tuple(edit["points"]),
        dict(edit["blocks"]),
        {(part, tuple(points)): distance for part, points, distance in edit["distances"]},
        tuple(map(_window, [*edit["patterns"], *edit["records"]])),
        tuple(_pattern(way) for way in edit["means"] if way["op"] == "BlockPattern"),
        {(part, touched): why for (of, part, touched), why in reasons.items()
         if of == edit["edit"]},
    )  # fmt: skip


def _window(said: Mapping[str, Any]) -> Window:
    integers = tuple(map(from_text, said["integers"]))
    places = [(place["map"], place["when"]) for place in said["places"]]
    return Window(WindowPattern(len(integers), said["facts"], said.get("times")), integers, places)


def _pattern(way: Mapping[str, Any], times: Expression | None = None) -> WindowPattern:
    return WindowPattern(way["free"], way["facts"], times)


def _vector(vector: Mapping[str, Any], times: Expression | None = None) -> Vector:
    match vector["op"]:
        case "Vector":
            return Vector(tuple(map(_seen, vector["groups"])))
        case "BlockPattern":
            if any(family["count"]["op"] == "Amount" for family in vector["families"]):
                raise UnwrittenError("how many blocks change is one of the integers")
            maps = [family["map"] for family in vector["families"]]
            if len(set(maps)) < len(maps):
                raise UnwrittenError("blocks are told apart by the records that they hold")
            return Vector(tuple(map(_family, vector["families"])), _pattern(vector, times))
        case "Several":
            return _vector(vector["pattern"], vector["times"])
        case "MeanOf" if [way["op"] for way in vector["vectors"]] == ["BlockPattern"]:
            return replace(_vector(vector["vectors"][0]), mean=True)
        case "MeanOf" if len(vector["within"]) == 1:  # all that changes lies in this one
            return _vector(vector["within"][0])
        case other:
            raise UnwrittenError(f"a profile of the form {other} is not written so far")


def _distances(group: Mapping[str, Any]) -> dict[str, Expression]:
    return {s["part"]: s["distance"] for s in group["distances"]}


def _seen(group: Mapping[str, Any]) -> Seen:
    if len(group["block"]) > 1:
        raise UnwrittenError("a map has more than one index")
    block = group["block"][0] if group["block"] else None
    return Seen(group["map"], group["count"], _distances(group), block)


def _family(family: Mapping[str, Any]) -> Seen:
    return Seen(family["map"], family["count"], _distances(family), None, family["when"])
