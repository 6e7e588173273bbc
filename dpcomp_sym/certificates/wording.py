"""The facts of a certificate in the words of the problem: what is asked, and of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcomp_sym.certificates.integers import sliced_by
from dpcomp_sym.certificates.meaning import Meaning, points, restriction
from dpcomp_sym.engine.together.find import index_variable
from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Problem
from dpcomp_sym.replay import RejectedError, words
from dpcomp_sym.replay.algebra import INF, num
from dpcomp_sym.replay.terms import Node, make, need
from dpcomp_sym.replay.words import blocks, called, condition, integer, number_of_blocks
from dpcomp_sym.terms import INT, substitute, variable
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.render import to_text

__all__ = ["TOGETHER", "FactWords"]


TOGETHER = make("Connected", "and", ())
"""A condition that always holds."""


class FactWords:
    """The edits, parts and maps of a problem under the names that facts give them."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.meaning = Meaning(problem)
        self.parts = {p.name: p for p in problem.bound_parts}

    def question(self, statement: Node) -> str:
        """Return what a structural leaf asks, in the words of the problem."""
        match statement:
            case ("BlockDistance", _, edit, part, touched, r):
                held = ", ".join(self._names(edit, touched)) or "changed records"
                far = "any distance" if r == INF else f"distance at most {words(r)}"
                exactly = "exactly " if touched else ""
                return f"after {edit}, {part} sees {far} in a block with {exactly}{held}"
            case ("TouchCount", _, edit, name, count):
                most = f"{blocks(count)} of {name}"
                if points(self._edit(edit)[0]):
                    return f"a record touched by {edit} is in at most {most}"
                return f"{edit} changes at most {most}"
            case ("Infeasible", _, edit, pattern, ranges):
                said = " and ".join(
                    f"{blocks(num(n))} of {name} with exactly {', '.join(self._names(edit, held))}"
                    for _, name, held, n in pattern
                )
                return f"{edit} never changes {said}" + restriction(ranges)
            case ("Restricted", of, ranges):
                return self.question(of) + restriction(ranges)
            case ("Shares", _, edit, name, count, distances):
                self._map(name)
                seen = ", ".join(f"{part} {words(r)}" for _, part, r in distances)
                return f"{edit} changes blocks of {name} that share what {words(count)} see: {seen}"
            case ("Mixed", _, edit, vectors):
                kinds = [self._kind(v) for v in vectors]
                return f"what {edit} changes is a mean of " + ", or ".join(f"({k})" for k in kinds)
            case ("Together", _, edit, sets):
                each = [" and ".join(self._lies(edit, x) for x in one) for _, one in sets]
                return f"{edit} changes nothing outside " + ", or ".join(f"({s})" for s in each)
            case ("ChangedTogether", _, edit, terms, facts, places):
                told = "; ".join(self._place(edit, p, terms) for p in places)
                letters = _letters(terms, ())
                there = "" if facts == TOGETHER else f", where {condition(facts, letters)}"
                records = names_of_records(number_of_records(tuple(map(from_text, terms))))
                among = f"no records but {' and '.join(records)}, and " if records else ""
                if records and (at := self._sliced(terms, places)):
                    among = f"in blocks of each {at} {among}"
                return f"{edit} changes {among}only {told}{there}"
            case ("ChangedByRecords", _, edit, times, terms, facts, places):
                told = "; ".join(self._place(edit, p, terms) for p in places)
                there = (
                    "" if facts == TOGETHER else f", where {condition(facts, _letters(terms, ()))}"
                )
                these = ", ".join(to_text(from_text(x)) for x in terms)
                many = f"at most {words(times)} different values of {these or 'nothing'}"
                at = self._sliced(terms, places)
                among = f"in blocks of each {at} " if at else ""
                return (
                    f"{edit} changes {among}records with {many}, each of them in only {told}{there}"
                )
            case _:
                raise RejectedError(f"a {statement[0]} leaf cannot be decided again")

    def _sliced(self, terms: Sequence[str], places: Sequence[Node]) -> str:
        """Return by what of blocks it is told which records are meant, if by anything."""
        for place in places:
            sliced = sliced_by(terms, [place])
            if sliced:
                index = called("Index", [n for n, _ in self._map(place[1]).indices])
                return ",".join(integer(x, index) for at in sorted(sliced) for x in at)
        return ""

    def _kind(self, vector: Node) -> str:
        """Return what changes at once, and how parts see it, in words."""
        need(vector[0] in {"BlockPattern", "Vector"}, "no mean of such vectors is decided")
        if vector[0] != "BlockPattern":
            return " and ".join(map(self._group, vector[1]))
        _, free, facts, families = vector
        names = _free_letters(free)
        letters = called("Letter", names)
        said = []
        for _, name, count, distances, when in families:
            index = [n for n, _ in self._map(name).indices]
            inside = {**letters, **called("Index", index)}
            few = "" if count == INF else f", at most {number_of_blocks(count, letters)} of them,"
            seen = ", ".join(f"{part} {words(r, inside)}" for _, part, r in distances)
            which = f"blocks {','.join(index)} of {name}" if index else name
            said.append(f"{which} with {condition(when, inside)}{few} ({seen})")
        there = f"for some {', '.join(names)}" + (
            "" if facts == TOGETHER else f" with {condition(facts, letters)}"
        )
        return " and ".join(said) + (f", {there}" if free else "")

    def _group(self, group: Node) -> str:
        """Return how blocks are seen, in words."""
        _, name, count, distances, block, wide = group
        self._map(name)
        which = f"block {','.join(map(str, block))}" if block else blocks(count)
        need(wide is None, "blocks that share what they see are not decided here")
        seen = ", ".join(f"{part} {words(r)}" for _, part, r in distances)
        return f"{which} of {name} ({seen})"

    def _place(self, edit: str, place: Node, terms: Sequence[str]) -> str:
        """Return which blocks of a map an edit changes, in words."""
        _, name, touched, when, _ = place
        index = [name for name, _ in self._map(name).indices]
        which = f"blocks {','.join(index)} of {name}" if index else name
        held = f" with exactly {', '.join(self._names(edit, touched))}" if touched else ""
        inside = {**_letters(terms, index), **called("Index", index)}
        said = condition(when, inside)
        for _, part, r in place[4]:
            said += f", where {part} sees distance at most {words(r, inside)}"
        return f"{which}{held} with {said}"

    def _edit(self, name: str) -> tuple[BoundEdit, bool]:
        if name not in self.meaning.edits:
            raise RejectedError(f"the problem has no edit {name}")
        return self.meaning.edits[name]

    def _part(self, name: str) -> BoundPart:
        if name not in self.parts:
            raise RejectedError(f"the problem has no part {name}")
        return self.parts[name]

    def _map(self, name: str) -> BoundMap:
        if name not in self.problem.used_maps:
            raise RejectedError(f"the problem has no map {name}")
        return self.problem.used_maps[name]

    def _names(self, edit: str, touched: Sequence[int]) -> list[str]:
        bound = self._edit(edit)[0]
        need(list(touched) == sorted(set(touched)), "touched records are listed once, in order")
        need(all(1 <= n <= points(bound) for n in touched), "there is no such touched record")
        need(bool(touched) == bool(points(bound)), "a changed block holds a touched record")
        return [bound.points[n - 1] for n in touched]

    def _lies(self, edit: str, touch: Node) -> str:
        _, name, block, touched, distances = touch
        held = ", ".join(self._names(edit, touched)) or "changed records"
        where_ = f"block {','.join(map(str, block))} of {name}" if block else name
        far = " and ".join(f"{part} at distance at most {words(r)}" for _, part, r in distances)
        seen = f", seen by {far}" if far else ""
        return f"{where_} with {'exactly ' if touched else ''}{held}{seen}"


def _free_letters(free: int) -> list[str]:
    """Return names for integers that are not those of an edit."""
    return [f"p{n}" for n in range(1, free + 1)]


def _letters(terms: Sequence[str], index: Sequence[str]) -> dict[Node, str]:
    """Return what the integers that an edit names are in words, in a block with these indices."""
    here: dict[str, Any] = {
        index_variable(n).name: variable(name, INT) for n, name in enumerate(index, 1)
    }
    named = [to_text(substitute(from_text(t), here)) for t in terms]
    texts = [f"({n})" if " " in n else n for n in named]
    return called("Letter", texts) | called("LetterAt", texts)
