"""From a problem to a bound: conditions, profile, closed forms, and the derivation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpcomp_sym.engine import Condition, Structure, Unknown, conditions, profile_of
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import Bound, bounds
from dpcomp_sym.profile import INFINITY, Case, Profile, Vector

__all__ = ["Derivation", "Step", "derive"]


@dataclass(frozen=True)
class Step:
    """One step of a derivation: what it says, by which rule, from which steps and source."""

    step: int
    statement: str
    rule: str
    source: str | None
    uses: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the step as plain data."""
        return {
            "step": self.step, "statement": self.statement, "rule": self.rule,
            "source": self.source, "uses": list(self.uses),
        }  # fmt: skip


@dataclass(frozen=True)
class Derivation:
    """What is known of a composition.

    ``conditions`` by name, the ``profile``, one bound a notion, and the numbered ``trace``.
    """

    title: str
    problem: Problem
    conditions: Mapping[str, Condition]
    profile: Profile
    bounds: Sequence[Bound]
    notes: Sequence[str] = ()

    @property
    def vacuous(self) -> bool:
        """Whether there are no two different neighbours."""
        return self.profile.vacuous

    @property
    def infinite(self) -> bool:
        """Whether there is no finite bound (for the numbers of blocks allowed)."""
        return any(b.infinite for b in self.bounds)

    @property
    def verdict(self) -> str:
        """The word for the derivation: its bounds are proved, or hold vacuously."""
        if self.profile.vacuous:
            return "vacuous"
        return "proved" if self.profile.proved else "unknown"

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """The derivation, step by step."""
        return _trace(self)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, in the stable form of the command line."""
        maps = self.problem.used_maps
        return {
            "schema": "dpcomp/1",
            "title": self.title,
            "verdict": self.verdict,
            "conditions": {n: c.as_json(maps) for n, c in self.conditions.items()},
            "profile": {
                "vectors": [
                    {"case": _ranges(case), "vectors": [_vector_text(v) for v in case.vectors]}
                    for case in self.profile.cases
                ],
                "exact": self.profile.exact,
                "proved": self.profile.proved,
            },
            "bounds": [b.as_json() for b in self.bounds],
            "vacuous": self.vacuous,
            "infinite": self.infinite,
            "trace": [s.as_json() for s in self.trace],
        }

    def _repr_html_(self) -> str:
        from dpcomp_sym.report.text import to_text

        escaped = to_text(self.as_json(), tuple(self.notes)).replace("&", "&amp;")
        return f"<pre>{escaped.replace('<', '&lt;')}</pre>"

    def _repr_latex_(self) -> str:
        rows = [rf"\text{{{b.notion}: }} & {b.latex}" for b in self.bounds]
        return r"$$\begin{aligned}" + r"\\".join(rows) + r"\end{aligned}$$"


def derive(
    problem: Problem,
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    title: str = "",
) -> Derivation:
    """Derive what a composition guarantees.

    Args:
        problem: domain, granularity, maps and parts.
        values: numbers for the parameters of the parts (scalars or sequences over the blocks).
        sizes: numbers for k and other symbols, used for the numbers of the bounds.
        title: for reports.

    Raises:
        InputError: the problem contradicts itself, or a number is out of range.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> derive(problem).bounds[0].text
    'max(eps[i])'
    """
    structure = Structure(problem)
    structure.check_input()
    found = conditions(structure)
    profile = profile_of(structure)
    notes = [
        f"edit {number} of granularity '{problem.granularity.name}' can leave a database "
        "unchanged: a guard such as x != y may be missing"
        for number in structure.idle_edits()
    ]
    notes += [
        f"{condition.name} of {condition.about}: {condition.outcome.reason}"
        for condition in found.values()
        if isinstance(condition.outcome, Unknown)
    ]
    return Derivation(
        title or problem.title, problem, found, profile, bounds(profile, values, sizes), notes
    )


def _ranges(case: Case) -> str:
    words = []
    for r in case.ranges:
        if r.high == r.low:
            words.append(f"{r.symbol} = {r.low}")
        elif r.high is None:
            words.append(f"{r.symbol} >= {r.low}")
        else:
            words.append(f"{r.low} <= {r.symbol} <= {r.high}")
    return ", ".join(words)


def _vector_text(vector: Vector) -> list[dict[str, Any]]:
    return [
        {"map": g.map, "blocks": str(g.count), "distances": {p: str(d) for p, d in g.distances}}
        for g in vector
    ]


def _vector_words(vector: Vector) -> str:
    if not vector:
        return "nothing changes"
    words = []
    for group in vector:
        seen = ", ".join(
            f"{part} at distance {'infinity' if d == INFINITY else d}"
            for part, d in group.distances
        )
        count = "all blocks" if str(group.count) == "all" else f"{group.count} block(s)"
        words.append(f"{count} of {group.map} ({seen})")
    return " and ".join(words)


def _trace(derivation: Derivation) -> tuple[Step, ...]:
    problem, profile = derivation.problem, derivation.profile
    steps: list[Step] = []

    def add(statement: str, rule: str, source: str | None, *uses: int) -> int:
        steps.append(Step(len(steps) + 1, statement, rule, source, uses))
        return len(steps)

    granularity = problem.granularity.name
    if profile.vacuous:
        add(
            f"the class has no two different {granularity}-neighbours",
            "structural fact",
            "GB24.III.4",
        )
        add(
            "every mechanism satisfies every guarantee vacuously: nothing is protected",
            "vacuity",
            "GB24.III.4",
            1,
        )
        return tuple(steps)
    givens = []
    for part in problem.bound_parts:
        guarantees = "; ".join(f"{n} ({', '.join(map(str, ps))})" for n, ps in part.guarantees)
        common = part.setting == "common"
        where = "the whole domain, dependent only on" if common else "the image of"
        given = add(
            f"{part.name} is {part.granularity.name}-private on {where} {part.map.name}: "
            f"{guarantees}", "given", None,
        )  # fmt: skip
        if part.setting == "common":
            given = add(
                f"{part.name} is private on the image of {part.map.name} for the pushforward of "
                f"{part.granularity.name}: distance 1 where the block changes, else 0",
                "pushforward", "N2; GB24.IV.10", given,
            )  # fmt: skip
        givens.append(
            add(
                f"{part.name} loses its guarantee scaled by d_i(f_i D, f_i D')",
                "preprocessing of the canonical metric",
                "GB24.III.3, III.6",
                given,
            )
        )
    composed = add(
        "the composition, adaptive or not, loses at most the sum over the parts (for the notion's "
        "sum)", "adaptive composition", "GB24.IV.1, V.2, VI.4, VI.13, VI.21", *givens,
    )  # fmt: skip
    facts = []
    for name, condition in derivation.conditions.items():
        if "[" in name or name == "commutes":
            continue
        if condition.verdict in ("proved", "refuted"):
            word = "holds" if condition.verdict == "proved" else "fails"
            facts.append(
                add(f"{word}: {condition.statement}", "structural fact", "GB24.IV.6, IV.12")
            )
    cases = []
    for case in profile.cases:
        vectors = "; or ".join(_vector_words(v) for v in case.vectors)
        cases.append(
            add(f"for {_ranges(case) or 'every size'}, neighbours differ at worst in: {vectors}",
                "profile", "GB24s.III.1", *facts)
        )  # fmt: skip
    for bound in derivation.bounds:
        add(
            f"the composition is {granularity} {bound.notion} private with {bound.text}",
            "maximum over neighbours",
            ", ".join(bound.by) or None,
            composed,
            *cases,
        )
    return tuple(steps)
