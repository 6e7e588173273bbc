"""What else a certificate claims of a problem: conditions, and databases as evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final

from dpcomp_sym.certificates.examples import ExampleReader, example_to_json
from dpcomp_sym.certificates.means import MeanChecker
from dpcomp_sym.engine import Refuted
from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.distances import Invariant
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import Infinity
from dpcomp_sym.replay import Leaf, RejectedError
from dpcomp_sym.replay.algebra import INF
from dpcomp_sym.replay.terms import need
from dpcomp_sym.smt import Pair, ViewDistance
from dpcomp_sym.terms import FALSE

__all__ = ["Recheck"]

PUSHED: Final = "the pushforward of its granularity"
COMMUTES: Final = "sum over the blocks of d_i(f_i D, f_i D') <= d(D, D') for all D, D'"
EACH: Final = {
    "compatibility": "C1 holds for each of",
    "sensitivity": "C2 holds for each of",
    "commutes": "the metric commutes with each of",
    "partition": "the blocks are disjoint in each of",
}


@dataclass(frozen=True)
class CertifiedCondition:
    """A named condition, what it says, and how it is proved."""

    name: str
    about: str
    statement: str
    holds: Callable[[], bool] = field(repr=False)


def _all_hold(each: Sequence[CertifiedCondition]) -> bool:
    return all(c.holds() for c in each)


def _with_all(each: Sequence[CertifiedCondition]) -> list[CertifiedCondition]:
    """Return several conditions of a kind: first that all of them hold, then each by itself."""
    if len(each) < 2:
        return list(each)
    name, about = each[0].name, ", ".join(c.about for c in each)
    whole = CertifiedCondition(name, about, f"{EACH[name]} {about}", partial(_all_hold, each))
    return [whole, *(replace(c, name=f"{name}[{c.about}]") for c in each)]


class Recheck(MeanChecker):
    """Decides facts, conditions and evidence about one problem."""

    def blunt(self) -> bool:
        """Return whether a formula of the problem is the word "false"."""
        problem = self.problem
        edits = [
            edit
            for granularity in (problem.outer, *(p.granularity for p in problem.bound_parts))
            for edit in granularity.edits
        ]
        maps = problem.used_maps.values()
        said = (
            problem.domain.cell_term,
            *problem.domain.fact_terms,
            *problem.symbols.values(),
            *(term for e in edits for term in (e.guard, e.frame, e.step)),
            *(term for m in maps for term in (m.member, *m.facts)),
        )
        return FALSE in said

    def possible(self) -> None:
        """Refuse a class that provably has no database.

        Raises:
            RejectedError: it has none.
        """
        need(not self._never(self._pair().query), "no database is in the class")

    def vacuous(self) -> bool:
        """Return whether there are provably no two different neighbours."""
        return self._no_neighbours

    @cached_property
    def _no_neighbours(self) -> bool:
        return self._holds("no two different databases are neighbours", Recheck._all_idle)

    def _all_idle(self) -> bool:
        return all(self._idle(edit) for edit, _ in self.meaning.edits.values())

    def _idle(self, edit: BoundEdit) -> bool:
        pair = self._pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        return self._never(pair.query)

    def conditions(self) -> list[CertifiedCondition]:
        """Return the conditions that the problem raises, each with a way to prove it."""
        problem = self.problem
        families = [m for m in problem.used_maps.values() if not m.constant]
        alone = [
            self._stated("partition", m.name, f"no record lies in two blocks of {m.name}",
                         partial(Recheck._shared_by_at_most, mapping=m, number=1, held=True))
            for m in families if m.multiplicity is None
        ]  # fmt: skip
        one = {
            m.name: self._stated(
                "compatibility", m.name,
                f"between neighbours at most one block of {m.name} changes (C1)",
                partial(Recheck._one_changes, mapping=m),
            )
            for m in families
        }  # fmt: skip
        near = {
            p.name: self._stated(
                "sensitivity", p.name,
                f"{p.name} sees neighbours at distance at most 1 in "
                f"{'its own domain' if p.setting == 'separate' else PUSHED} (C2)",
                partial(Recheck._sees_one, part=p),
            )
            for p in problem.bound_parts if p.setting == "separate" or not p.same_granularity
        }  # fmt: skip
        both = []
        for m in () if problem.outer.directed else families:
            why = [one[m.name]]
            why += [near[p.name] for p in problem.bound_parts
                    if p.map.name == m.name and p.name in near]  # fmt: skip
            said = f"the metric commutes with {m.name}: {COMMUTES}"
            both.append(CertifiedCondition("commutes", m.name, said, partial(_all_hold, why)))
        groups = (alone, list(one.values()), list(near.values()), both)
        return [c for group in groups for c in _with_all(group)]

    def _stated(
        self, name: str, about: str, statement: str, decide: Callable[[Recheck], bool]
    ) -> CertifiedCondition:
        """Return a condition that is decided for the numbers of symbols, or for all of them."""
        return CertifiedCondition(
            name, about, statement, partial(self._holds, f"{name}: {statement}", decide)
        )

    def _one_changes(self, mapping: BoundMap) -> bool:
        return all(self._change(edit, mapping, 1) for edit, _ in self.meaning.edits.values())

    def _sees_one(self, part: BoundPart) -> bool:
        def hold(pair: Pair) -> tuple[Any, ...]:
            return pair.index(part.map)

        return self._in_class(part) and all(
            self._near(edit, part, 1, hold, reverse=reverse)
            for edit, reverse in self.meaning.edits.values()
        )

    def condition(self, row: Mapping[str, Any], expected: CertifiedCondition) -> None:
        """Decide one condition again; one that is unknown claims nothing.

        Raises:
            RejectedError: it is another condition, or it does not come out so.
        """
        name, verdict, example = row["name"], row["verdict"], row["example"]
        stated = (name, row["about"], row["statement"])
        need(stated == (expected.name, expected.about, expected.statement), "other conditions")
        need(verdict == "refuted" or example is None, f"{name}: an example that refutes nothing")
        with self.noting(f"{name}: {expected.statement}"):
            match verdict:
                case "proved":
                    need(expected.holds(), f"not confirmed: {expected.statement}")
                case "refuted":
                    self.refuted(expected.name, expected.about, example)
                case "vacuous":
                    need(self.vacuous(), f"{name} is not vacuous: there may be neighbours")
                case _:
                    need(verdict == "unknown", f"{name}: there is no such verdict")

    @staticmethod
    def example_of(outcome: object) -> dict[str, Any] | None:
        """Return the databases behind a refutation as plain data."""
        if not isinstance(outcome, Refuted):
            return None
        e = outcome.counterexample
        return example_to_json(e.world, e.old, e.new, e.blocks)

    def refuted(self, name: str, about: str, example: Any) -> None:
        """Evaluate the databases that are to refute a condition.

        Raises:
            RejectedError: they do not.
        """
        found = self.example(example)
        kind, _, _ = name.partition("[")
        names = about.split(", ")
        holds = False
        if kind in {"compatibility", "commutes"}:
            holds = self._two_changed(found, names)
        if kind == "partition":
            holds = self._overlap(found, names)
        readers = [
            p
            for p in self.problem.bound_parts
            if (p.map.name if kind == "commutes" else p.name) in names
        ]
        if kind in {"sensitivity", "commutes"}:
            holds = holds or self._far(found, readers, 1) is not None
        need(holds, f"the databases do not refute {name}")

    @staticmethod
    def _overlap(found: FoundPair, names: Sequence[str]) -> bool:
        """Evaluate whether a record lies in two blocks of one of the maps."""
        if len(found.blocks) != 2:
            return False
        (mapping, first), (other, second) = found.blocks
        return (
            mapping.name == other.name
            and mapping.name in names
            and first != second
            and any(
                found.world.member(mapping, cell, first)
                and found.world.member(mapping, cell, second)
                for cell in (*found.old, *found.new)
            )
        )

    @staticmethod
    def _two_changed(found: FoundPair, names: Sequence[str]) -> bool:
        changed = {
            (m.name, i)
            for m, i in found.blocks
            if found.world.apply(m, found.old, i) != found.world.apply(m, found.new, i)
        }
        return any(sum(n == name for n, _ in changed) >= 2 for name in names)

    def _far(self, found: FoundPair, readers: Sequence[BoundPart], least: int) -> BoundPart | None:
        """Return one of the parts that sees the databases at more than this distance."""
        for part in readers:
            for mapping, index in found.blocks:
                if mapping.name != part.map.name:
                    continue
                for reverse in self.structure.orientations:
                    lower = self.structure.bracket(found, part, index, reverse=reverse).lower
                    if isinstance(lower, Infinity) or lower > least:
                        return part
        return None

    # ------------------------------------------------------------- evidence

    def evidence(self, leaf: Leaf) -> dict[str, Any]:
        """Return the question behind a leaf, its reason, and an example of an infinite distance."""
        statement = leaf.statement
        found: dict[str, Any] = {
            "step": leaf.step, "question": self.question(statement),
            "reason": self.reason(statement), "example": None, "invariants": [],
        }  # fmt: skip
        if statement[0] == "BlockDistance" and statement[5] == INF:
            example = self._infinite(statement[2], statement[3], statement[4])
            if example is not None:
                found["example"] = example_to_json(
                    example.world, example.old, example.new,
                    [(m.name, i) for m, i in example.blocks],
                )  # fmt: skip
                found["invariants"] = self._broken(example, self._part(statement[3]))
        return found

    def _infinite(self, edit_name: str, part_name: str, touched: Sequence[int]) -> FoundPair | None:
        """Look for neighbours that a part sees at infinite distance."""
        edit, reverse = self._edit(edit_name)
        part = self._part(part_name)
        if part.setting == "common":
            return None

        def ask(pair: Pair) -> Demand:
            block = self._hold(pair, part.map, touched, edit)
            view = pair.view(part.map, block)
            view.changed()
            far = [(ViewDistance(view, part.granularity, reverse=reverse), 2)]
            return Demand([(part.map, block)], far)

        def judge(found: FoundPair) -> bool:
            ((_, index),) = found.blocks
            lower = self.structure.bracket(found, part, index, reverse=reverse).lower
            return isinstance(lower, Infinity)

        return self.structure.confirmed(edit, ask, judge)

    def _broken(self, found: FoundPair, part: BoundPart) -> list[list[str]]:
        """Return the counts that the part's edits keep and these databases do not share."""
        ((_, index),) = found.blocks
        old, new = (found.world.apply(part.map, d, index) for d in (found.old, found.new))
        kept: list[Invariant] = self.structure.kept_by(part.granularity)
        return [
            inv.text()
            for inv in kept
            if inv.counts(found.world, part.domain, old)
            != inv.counts(found.world, part.domain, new)
        ]

    def supported(self, row: Mapping[str, Any], leaf: Leaf) -> None:
        """Check the evidence for a leaf: its question, and the example of an infinite distance.

        Raises:
            RejectedError: it does not support the leaf.
        """
        statement = leaf.statement
        need(type(row["step"]) is int and row["step"] == leaf.step, "evidence for another step")
        need(
            row["question"] == self.question(statement),
            "the question is not the one of the condition",
        )
        if row["example"] is None:
            need(row["invariants"] == [], "invariants without an example")
            return
        infinite = statement[0] == "BlockDistance" and statement[5] == INF
        need(infinite, "there is an example for a distance that is not infinite")
        found = self.example(row["example"])
        part = self._part(statement[3])
        need([m.name for m, _ in found.blocks] == [part.map.name], "the example is about others")
        ((_, index),) = found.blocks
        reverse = self._edit(statement[2])[1]
        lower = self.structure.bracket(found, part, index, reverse=reverse).lower
        need(isinstance(lower, Infinity), "the distance in the example is not infinite")
        need(
            row["invariants"] == self._broken(found, part),
            "the invariants are not those that were found",
        )

    # ------------------------------------------------------------- databases

    def example(self, data: Any) -> FoundPair:
        """Read two databases, and check that they are neighbours.

        Raises:
            RejectedError: they are not, or something is malformed.
        """
        found = ExampleReader(self.structure, self._map).read(data)
        try:
            holds = Pairs.of(self.problem).hold(found.world, found.old, found.new)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise RejectedError(f"the example cannot be evaluated: {error}") from None
        need(holds, "the databases of the example are not neighbours")
        return found
