"""The named conditions of a composition: C1, C2, commutativity, partition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, Final

from dpcomp_sym.engine.clauses import Weakest
from dpcomp_sym.engine.counting import most_changed
from dpcomp_sym.engine.moving import moves_all
from dpcomp_sym.engine.records import blocks_in_all
from dpcomp_sym.engine.seen import note_blocks
from dpcomp_sym.engine.structure import MOST_BLOCKS, OUTSIDE, Structure
from dpcomp_sym.engine.verdict import Proved, Refuted, Unknown, Vacuous, Verdict
from dpcomp_sym.engine.weakest import both, weakest_compatible, weakest_sensitive
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.finite import World
from dpcomp_sym.model import BoundMap, BoundPart
from dpcomp_sym.profile import ALL
from dpcomp_sym.smt.query import AskedQuestion
from dpcomp_sym.terms import BOOL, INT

__all__ = ["LABELS", "Condition", "Conditions", "conditions", "label"]

LABELS: Final = {"compatibility": "C1", "sensitivity": "C2"}
"""What papers call conditions."""


def label(name: str) -> str:
    """Return what a condition is called in text.

    >>> label("sensitivity"), label("sensitivity[counts]"), label("partition")
    ('C2', 'C2 of counts', 'partition')
    """
    kind, _, about = name.partition("[")
    found = LABELS.get(kind, kind)
    return f"{found} of {about[:-1]}" if about else found


@dataclass(frozen=True)
class Condition:
    """One condition with its verdict.

    ``about`` names the map or part; ``labels`` is the weakest condition on the labels of the map
    under which it is true, or why none was found, where it is refuted.
    """

    name: str
    about: str
    statement: str
    outcome: Verdict
    note: str = ""
    labels: Weakest | str | None = None

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        when = f"; it holds exactly when {self.weakest}" if self.weakest else ""
        return f"<{label(self.name)}: {self.verdict}{why}; {self.statement}{when}>"

    @property
    def questions(self) -> tuple[AskedQuestion, ...]:
        """The questions to the solver that prove it: each came out as impossible.

        There is none where it is refuted or unknown, or was known without one.  What another
        condition had asked before is not asked again: a certificate has the questions of all.

        >>> proved = Proved((AskedQuestion(()),))
        >>> one = Condition("compatibility", "blocks", "at most one block changes", proved)
        >>> [(question.z3(), question.smtlib().splitlines()) for question in one.questions]
        [((), ['(set-logic ALL)', '(check-sat)'])]
        """
        match self.outcome:
            case Proved(scripts=asked) | Vacuous(scripts=asked):
                return asked
            case _:
                return ()

    @property
    def weakest(self) -> str | None:
        """The weakest condition on the labels as a sentence, where one was proved."""
        return self.labels.text if isinstance(self.labels, Weakest) else None

    @property
    def no_weakest(self) -> str | None:
        """Why none was found, where the condition is refuted."""
        return self.labels if isinstance(self.labels, str) else None

    @property
    def weakest_latex(self) -> str | None:
        """The same as LaTeX mathematics."""
        return self.labels.latex if isinstance(self.labels, Weakest) else None

    def sympy(self) -> Any:
        """Return the condition in SymPy, in the words in which claims are made.

        Where it is refuted and holds exactly for some labels, it is what these must be like, with
        the map's own formula, as ``weakest`` says it.

        >>> Condition("compatibility", "days", "at most one block changes", Proved()).sympy()
        ForAll(Implies(neighbours(D, E), changed(days, D, E) <= 1), D, E)

        Raises:
            InputError: it is another property of neighbours, which was examined.
        """
        import sympy as sp

        if isinstance(self.labels, Weakest):
            return self.labels.sympy()
        if self.name.partition("[")[0] not in _EACH:
            raise InputError(f"'{self.name}' is a property, and no condition of a composition")
        return sp.And(*(_symbolic(self.name.partition("[")[0], a) for a in self.about.split(", ")))

    @property
    def verdict(self) -> str:
        """The verdict as a word."""
        return self.outcome.word

    @property
    def reason(self) -> str | None:
        """Why it is so, where that is not evident."""
        match self.outcome:
            case Unknown(reason=reason):
                return reason
            case Vacuous():
                return "there are no two different neighbours"
            case _:
                return self.note or None

    def as_json(self, maps: Mapping[str, BoundMap]) -> dict[str, Any]:
        """Return the condition as plain data."""
        example = None
        if isinstance(self.outcome, Refuted):
            example = self.outcome.counterexample.as_json(maps)
        return {
            "verdict": self.verdict, "statement": self.statement, "weakest": self.weakest,
            "weakest_latex": self.weakest_latex, "no_weakest": self.no_weakest,
            "counterexample": example, "reason": self.reason,
        }  # fmt: skip


def _symbolic(name: str, about: str) -> Any:
    """Return what a condition says of a map or a part, as a formula of SymPy."""
    import sympy as sp

    from dpcomp_sym.terms.symbolic import ForAll, function

    of, left, right = sp.symbols(f"{about} D E")
    if name == "partition":
        c = sp.Symbol("c")
        return ForAll(function("blocks", INT)(of, c) <= 1, c)
    between = function("neighbours", BOOL)(left, right)
    far = function("distance", INT)(of, left, right)
    match name:
        case "compatibility":
            said = sp.Implies(between, function("changed", INT)(of, left, right) <= 1)
        case "sensitivity":
            said = sp.Implies(between, far <= 1)
        case _:
            said = function("total_distance", INT)(of, left, right) <= function("distance", INT)(
                left, right
            )
    return ForAll(said, left, right)


class Conditions(dict[str, Condition]):
    """Conditions by name, in the order of the report; ``C1`` is compatibility, ``C2`` sensitivity.

    >>> one = Condition("compatibility", "blocks", "at most one block changes", Proved())
    >>> Conditions({"compatibility": one})["C1"]
    <C1: proved; at most one block changes>
    >>> Conditions({"compatibility": one})["compatible"]
    Traceback (most recent call last):
    ...
    dpcomp_sym.errors.InputError: there is no condition 'compatible'; did you mean 'compatibility'?
    """

    def __missing__(self, name: str) -> Condition:
        kind, bracket, rest = name.partition("[")
        long = next((n for n, short in LABELS.items() if short == kind), kind) + bracket + rest
        if long == name or long not in self:
            short = [label(n) for n in self if n in LABELS]
            msg = f"there is no condition '{name}'; {nearest(name, [*self, *short])}"
            raise InputError(msg, word=name)
        return self[long]


def conditions(structure: Structure) -> Conditions:
    """Return the conditions that a problem's maps and parts raise, by name.

    With several maps (or parts) the plain name is their conjunction, and every one also stands
    by itself, as in ``compatibility[blocks]``.
    """
    problem = structure.problem
    families = [m for m in problem.used_maps.values() if not m.constant]
    found = Conditions()
    _collect(
        found, "partition", [_partition(structure, m) for m in families if m.multiplicity is None]
    )
    compatible = [_compatibility(structure, m) for m in families]
    _collect(found, "compatibility", compatible)
    # On the common domain neighbours are at distance 1 for parts with the same granularity.
    separate = [p for p in problem.bound_parts if p.setting == "separate" or not p.same_granularity]
    sensitive = [_sensitivity(structure, p) for p in separate]
    _collect(found, "sensitivity", sensitive)
    if not problem.outer.directed:
        commuting = [
            _commutes(structure, m, [c for c in compatible if c.about == m.name],
                      [s for s, p in zip(sensitive, separate, strict=True)
                       if p.map.name == m.name])
            for m in families
        ]  # fmt: skip
        _collect(found, "commutes", [c for c in commuting if c is not None])
    return found


_EACH: Final = {
    "compatibility": "C1 holds for each of",
    "sensitivity": "C2 holds for each of",
    "commutes": "the metric commutes with each of",
    "partition": "the blocks are disjoint in each of",
}


def _collect(found: dict[str, Condition], name: str, each: Sequence[Condition]) -> None:
    if not each:
        return
    if len(each) == 1:
        found[name] = each[0]
        return
    order = (Refuted, Unknown, Vacuous, Proved)
    worst = min(each, key=lambda c: order.index(type(c.outcome)))
    about = ", ".join(c.about for c in each)
    found[name] = Condition(
        name,
        about,
        f"{_EACH[name]} {about}",
        worst.outcome,
        worst.note if isinstance(worst.outcome, Refuted) else "",
    )
    for condition in each:
        found[f"{name}[{condition.about}]"] = condition


def _partition(structure: Structure, mapping: BoundMap) -> Condition:
    return structure.once(
        "partition", mapping.name, find=lambda: _find_partition(structure, mapping)
    )


def _find_partition(structure: Structure, mapping: BoundMap) -> Condition:
    outcome = structure.disjoint(mapping)
    if isinstance(outcome, Unknown) and isinstance(structure.vacuity, Vacuous):
        outcome = structure.vacuity  # no database shows a record in two blocks to neighbours
    note = ""
    if isinstance(outcome, Proved):
        covering = structure.covers(mapping)
        note = "the blocks cover every record" if covering else "records may lie in no block"
    return Condition(
        "partition", mapping.name, f"no record lies in two blocks of {mapping.name}", outcome, note
    )


def _compatibility(structure: Structure, mapping: BoundMap) -> Condition:
    return structure.once(
        "compatibility", mapping.name, find=lambda: _find_compatibility(structure, mapping)
    )


def _find_compatibility(structure: Structure, mapping: BoundMap) -> Condition:
    outcome = structure.compatible(mapping)
    note = ""
    if isinstance(outcome, Refuted):
        note = structure.of_alike("how many", mapping, find=partial(_how_many, structure))

    def labels() -> Weakest | str:
        return structure.of_alike("labels", mapping, find=partial(_compatible_labels, structure))

    return Condition(
        "compatibility", mapping.name,
        f"between neighbours at most one block of {mapping.name} changes (C1)", outcome, note,
        _agreed(outcome, mapping, labels),
    )  # fmt: skip


def _compatible_labels(structure: Structure, mapping: BoundMap) -> Weakest | str:
    return weakest_compatible(structure, mapping, _world(structure.compatible(mapping)))


def _sensitive_labels(structure: Structure, part: BoundPart) -> Weakest | str:
    return weakest_sensitive(structure, part, _world(structure.sensitivity(part)))


def _world(outcome: Verdict) -> World | None:
    return outcome.counterexample.world if isinstance(outcome, Refuted) else None


def _how_many(structure: Structure, mapping: BoundMap) -> str:
    """Return how many blocks of a map change, where it can be more than one."""
    outcome = structure.compatible(mapping)
    if isinstance(outcome, Refuted):
        note_blocks(structure, mapping, outcome.counterexample)
    if any(moves_all(structure, edit, mapping) for edit in structure.edits):
        every = blocks_in_all(mapping)
        return "all blocks can change" if every is None else f"all {every} blocks can change"
    for number in range(2, MOST_BLOCKS * 2 + 1):
        if all(structure.at_most_blocks(e, mapping, number) for e in structure.edits):
            return f"at most {number} blocks change"
        if number >= MOST_BLOCKS and not isinstance(structure.most_blocks_a_cell(mapping), int):
            break
        if number >= MOST_BLOCKS and any(e.frame is not None for e in structure.edits):
            break
    return _symbolic_count(structure, mapping)


def _agreed(
    outcome: Verdict, mapping: BoundMap, labels: Callable[[], Weakest | str]
) -> Weakest | str | None:
    """Return the weakest condition for what is refuted, if the counterexample breaks it too."""
    world = _world(outcome)
    if world is None:
        return None
    found = labels()
    if not isinstance(found, Weakest):
        return found
    found = replace(found, mapping=mapping)
    return "the solver and the evaluator disagree on it" if found.holds(world) else found


def _symbolic_count(structure: Structure, mapping: BoundMap) -> str:
    """Return what bounds the changed blocks where no small number does."""
    counts = [most_changed(structure, edit, mapping) for edit in structure.edits]
    every = blocks_in_all(mapping)
    if every is not None:
        counts = [every if n == ALL else n for n in counts]
    numbers = [n for n in counts if isinstance(n, int)]
    if len(numbers) == len(counts):
        return f"at most {max(numbers)} blocks change"
    if ALL not in counts:
        return f"at most {' or '.join(dict.fromkeys(map(str, counts)))} blocks change"
    return "no bound was found on how many blocks change"


def _sensitivity(structure: Structure, part: BoundPart) -> Condition:
    outcome = structure.sensitivity(part)
    note = ""
    if isinstance(outcome, Refuted):
        note = outcome.counterexample.reason
    first = structure.likeness.part(part)

    def labels() -> Weakest | str:
        return structure.once_here(
            "labels", first.name, find=lambda: _sensitive_labels(structure, first)
        )

    where = "its own domain" if part.setting == "separate" else "the pushforward of its granularity"
    return Condition(
        "sensitivity", part.name,
        f"{part.name} sees neighbours at distance at most 1 in {where} (C2)", outcome, note,
        _agreed(outcome, part.map, labels),
    )  # fmt: skip


def _joint(structure: Structure, mapping: BoundMap, reasons: Sequence[Condition]) -> Weakest | str:
    """Return the weakest condition under which several hold together."""
    labels: list[Weakest] = []
    for condition in reasons:
        if isinstance(condition.outcome, Proved):
            continue
        if not isinstance(condition.labels, Weakest):
            return f"{condition.name}: {condition.labels or 'not decided'}"
        labels.append(condition.labels)
    clauses = tuple(dict.fromkeys(one.clauses for one in labels))
    if not clauses:
        return "nothing fails"

    def find(first: BoundMap) -> Weakest:
        conditions = [replace(labels[0], mapping=first, clauses=some) for some in clauses]
        return reduce(partial(both, structure), conditions)

    return replace(structure.of_alike("joint", mapping, clauses, find=find), mapping=mapping)


def _commutes(
    structure: Structure, mapping: BoundMap, compatible: Sequence[Condition],
    sensitive: Sequence[Condition],
) -> Condition | None:  # fmt: skip
    """Decide whether Σ d_i(f_i D, f_i D') <= d(D, D') for all D, D'.

    Distances are whole numbers and d is the path metric of the neighbours, so this holds iff it
    holds between neighbours, iff at most one distance there is 1 and the others 0: C1 and C2.
    In the common domain d_i is the distance of the pushforward, 1 where the block changes.  The
    bound max ε_i, for all ε > 0, needs the same.
    """
    statement = (
        f"the metric commutes with {mapping.name}: sum over the blocks of d_i(f_i D, f_i D') "
        "<= d(D, D') for all D, D'"
    )
    reasons = [*compatible, *sensitive]
    for condition in reasons:
        if isinstance(condition.outcome, Refuted):
            undefined = OUTSIDE in condition.outcome.counterexample.reason
            shown = "a distance is not defined" if undefined else "the sum is at least 2"
            return Condition(
                "commutes",
                mapping.name,
                statement,
                condition.outcome,
                f"{LABELS[condition.name]} fails: {shown} between neighbours",
                _joint(structure, mapping, reasons),
            )
    for condition in reasons:
        if not isinstance(condition.outcome, Proved):
            return Condition("commutes", mapping.name, statement, condition.outcome)
    return Condition("commutes", mapping.name, statement, Proved(), "it follows from C1 and C2")
