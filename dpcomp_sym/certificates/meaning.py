"""What a problem means in the terms of the replay: spaces, metrics, parts, profiles."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.model import BoundEdit, BoundPart, Problem
from dpcomp_sym.model.serial import canonical, problem_to_json
from dpcomp_sym.printable import quoted
from dpcomp_sym.profile import Symbolic, Total
from dpcomp_sym.replay import words
from dpcomp_sym.replay.algebra import INF, num
from dpcomp_sym.replay.terms import Node, make, text_of
from dpcomp_sym.replay.words import where
from dpcomp_sym.terms import Term
from dpcomp_sym.terms.render import to_text

__all__ = ["Meaning", "as_node", "count_term", "points", "restriction", "touched_profile"]


MOST_POINTS: Final = 4


# ------------------------------------------------------------- what the problem says


class Meaning:
    """The terms that stand for a problem, its parts and their guarantees."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.data = problem_to_json(problem)
        self.statement = canonical(self.data)
        self.tag = hashlib.sha256(self.statement.encode()).hexdigest()[:16]
        self.domain = make("Domain", "D", canonical(self.data["domain"]), ())
        granularity = canonical(self.data["granularity"])
        kind = "OneSided" if problem.outer.directed else "Granularity"
        self.relation = make(kind, problem.granularity.name, granularity)
        self._details = {p["name"]: canonical(p) for p in self.data["parts"]}
        self.edits: dict[str, tuple[BoundEdit, bool]] = {}
        directed = any(p.granularity.directed for p in problem.bound_parts)
        ways = (False, True) if directed and not problem.outer.directed else (False,)
        for number, edit in enumerate(problem.outer.edits, 1):
            for reverse in ways:
                name = f"edit {number}" + (" backwards" if reverse else "")
                self.edits[name] = (edit, reverse)

    @cached_property
    def term(self) -> Node:
        """The problem."""
        edits = tuple(make("Edit", n, points(e)) for n, (e, _) in self.edits.items())
        views = tuple(
            make("View", p.name, p.map.name, self.sizes(p), self._seen(p))
            for p in self.problem.bound_parts
        )
        return make("Problem", self.domain, self.relation, edits, views, self.statement)

    @staticmethod
    def sizes(part: BoundPart) -> tuple[str | int, ...]:
        """Return the sizes of a part's family."""
        return tuple(size for _, size in part.map.indices)

    def _arrow(self, part: BoundPart) -> Node:
        origin = canonical([m for m in self.data["maps"] if m["name"] in part.map.origin])
        sizes = self.sizes(part)
        image = make("Domain", f"{part.map.name}(D)", self._details[part.name], sizes)
        return make("Map", part.map.name, origin, self.domain, image, sizes)

    def _inner(self, part: BoundPart) -> Node:
        if part.same_granularity:
            return self.relation
        kind = "OneSided" if part.granularity.directed else "Granularity"
        return make(kind, part.granularity.name, self._details[part.name])

    def _seen(self, part: BoundPart) -> Node:
        arrow, relation = self._arrow(part), self._inner(part)
        if part.setting == "common":
            relation = make("Push", relation, arrow)
        return make("Pullback", make("Canonical", relation, arrow[4]), arrow)

    def _mechanism(self, part: BoundPart) -> Node:
        domain = self.domain if part.setting == "common" else self._arrow(part)[4]
        return make("Mechanism", part.name, domain, self.sizes(part))

    @cached_property
    def given(self) -> dict[Node, str]:
        """All that may be assumed, with words for it."""
        found: dict[Node, str] = {}
        for part in self.problem.bound_parts:
            mechanism, sizes = self._mechanism(part), self.sizes(part)
            for notion, parameters in part.guarantees:
                guarantee = tuple(
                    num(Fraction(p))
                    if isinstance(p, int | Fraction)
                    else make("Entry", p, sizes)
                    if sizes
                    else make("Param", p)
                    for p in parameters
                )
                loss = make("Neighbouring", self._inner(part), mechanism[2], guarantee)
                said = ", ".join(map(words, guarantee))
                place = "the whole domain" if part.setting == "common" else "its own domain"
                found[make("Private", mechanism, notion, loss, ())] = (
                    f"{part.name} is {notion} private ({said}) between "
                    f"{quoted(part.granularity.name)} neighbours of {place}"
                )
            if part.setting == "common":
                found[make("Dependent", mechanism, self._arrow(part))] = (
                    f"{part.name} depends on the database only through {part.map.name}"
                )
        return found

    @cached_property
    def composition(self) -> Node:
        """All parts, run one after the other."""
        items = []
        for part in self.problem.bound_parts:
            item, sizes = self._mechanism(part), self.sizes(part)
            if part.setting == "separate":
                item = make("After", item, self._arrow(part))
            items.append(make("EachAdaptive", sizes, item) if sizes else item)
        return items[0] if len(items) == 1 else make("Adaptive", tuple(items))


def points(edit: BoundEdit) -> int:
    """Return how many touched records are distinguished; 0 for a frame, or for many."""
    return 0 if edit.frame is not None or len(edit.points) > MOST_POINTS else len(edit.points)


def restriction(ranges: tuple[Node, ...]) -> str:
    """Return the words for a box of sizes; none for all sizes."""
    return f", for {where(ranges)}" if ranges else ""


def count_term(term: Term | None) -> Node | None:
    """Return a declared number or symbol as an expression."""
    if term is None or term.op not in {"int", "var"}:
        return None
    if term.op == "int":
        value = term.args[0]
        return num(value) if isinstance(value, int) and value >= 0 else None
    return make("Size", term.name)


def as_node(value: Any) -> Node:
    """Return a number, a symbol or infinity in the terms of the replay."""
    if isinstance(value, int | Fraction):
        return num(value)
    if isinstance(value, Total):
        return make("Sum", tuple(map(as_node, value.terms)))
    if isinstance(value, Symbolic):
        sizes = tuple(make("Size", s) for s in value.symbols)
        items = sizes if value.factor == 1 else (num(value.factor), *sizes)
        return items[0] if len(items) == 1 else make("Product", items)
    return INF


# ------------------------------------------------------------- the profile


def touched_profile(meaning: Meaning, statements: Sequence[Node]) -> dict[str, Any]:
    """Return the profile in terms of the touched cells, as the steps of a certificate state it.

    For each edit and map: in how many blocks a touched record lies, what the parts see in a block
    with exactly these touched records, and which blocks never change at once.  Then the vectors
    that bound all combinations.
    """
    edits = []
    for name, (edit, _) in meaning.edits.items():
        names = list(edit.points) if points(edit) else []
        boxes = dict.fromkeys(s[2] for s in statements if s[0] == "Restricted" and s[1][2] == name)
        edits.append(
            {
                "edit": name,
                "points": names,
                "change": [[p, to_text(d)] for p, d in edit.change],
                "frame": None if edit.frame is None else to_text(edit.frame),
                **_known(name, names, statements),
                "restricted": [
                    {
                        "where": [_plain(r) for r in box],
                        **_known(name, names, [
                            s[1] for s in statements if s[0] == "Restricted" and s[2] == box
                        ]),
                    }
                    for box in boxes
                ],
            }
        )  # fmt: skip
    facts = list(dict.fromkeys(s for s in statements if s[0] == "ProfileFact"))
    cases = [
        {"where": [_plain(r) for r in ranges], "vectors": [_plain(v) for v in vectors]}
        for _, _, ranges, vectors in facts
    ]
    return {"edits": edits, "cases": cases}


def _known(edit: str, names: Sequence[str], statements: Sequence[Node]) -> dict[str, Any]:
    """Return what the facts among some statements say of an edit, kind by kind."""
    kinds = {"BlockDistance", "TouchCount", "Infeasible", "Together", "Shares", "ChangedTogether",
             "ChangedByRecords", "Mixed"}  # fmt: skip
    here = [s for s in statements if s[0] in kinds and s[2] == edit]
    return {
        "blocks": [[s[3], _plain(s[4])] for s in here if s[0] == "TouchCount"],
        "distances": [
            [s[3], [names[n - 1] for n in s[4] if n <= len(names)], _plain(s[5])]
            for s in here
            if s[0] == "BlockDistance"
        ],
        "together": [
            [
                [n, list(b), [names[i - 1] for i in t], [[part, _plain(r)] for _, part, r in seen]]
                for _, n, b, t, seen in one
            ]
            for s in here
            if s[0] == "Together"
            for _, one in s[3]
        ],
        "shares": [
            [s[3], _plain(s[4]), [[part, _plain(r)] for _, part, r in s[5]]]
            for s in here
            if s[0] == "Shares"
        ],
        "means": [_plain(v) for s in here if s[0] == "Mixed" for v in s[3]],
        "never": [
            {
                "where": [_plain(r) for r in s[4]],
                "blocks": [[n, [names[i - 1] for i in t], m] for _, n, t, m in s[3]],
            }
            for s in here
            if s[0] == "Infeasible"
        ],
        "patterns": [
            {"integers": list(s[3]), "facts": _plain(s[4]), "places": [_plain(p) for p in s[5]]}
            for s in here
            if s[0] == "ChangedTogether"
        ],
        "records": [
            {
                "times": _plain(s[3]),
                "integers": list(s[4]),
                "facts": _plain(s[5]),
                "places": [_plain(p) for p in s[6]],
            }
            for s in here
            if s[0] == "ChangedByRecords"
        ],
    }


def _plain(node: Node) -> Any:
    return json.loads(text_of(node))
