"""Deciding the leaves of a certificate again, from the statement of the problem alone.

Guarantees must be those of the problem, word by word.  Structural facts are questions to the solver
again, built here from the problem and never taken from the certificate; a second
solver, where it is installed, gets the same questions as SMT-LIB.  Databases are evaluated exactly.
Nothing of the kernel is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.facts import (
    FALSE_ALONE,
    SHORT,
    SolverQuestion,
    UndecidedError,
)
from dpcomp_sym.certificates.meaning import touched_profile
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import current
from dpcomp_sym.model import Problem
from dpcomp_sym.model.serial import canonical, problem_from_json, problem_to_json
from dpcomp_sym.model.statement import differences, digest, stated
from dpcomp_sym.printable import one_line
from dpcomp_sym.replay import Leaf, RejectedError, Replayed, replay, seal, words
from dpcomp_sym.replay.terms import NOTIONS, need
from dpcomp_sym.smt.solvers import FirstSolver, TextSolver

__all__ = ["Verified", "verify", "write_scripts"]


# ------------------------------------------------------------- the whole


@dataclass(frozen=True)
class Verified:
    """What a certificate establishes, on what, and who agreed.

    Args:
        problem: what it is about.
        verdict: proved, vacuous, or unknown where no bound is claimed.
        conditions: name, statement and verdict of each.
        bounds: notion and parameters.
        given: the guarantees that it rests on.
        facts: what the solvers have confirmed.
        steps: how many steps were applied again.
        questions: what the solvers were asked, with their answers.
        other: the problem of another spec, which it is compared with.
    """

    problem: Problem
    verdict: str
    conditions: tuple[tuple[str, str, str], ...]
    bounds: tuple[tuple[str, tuple[str, ...]], ...]
    given: tuple[str, ...]
    facts: tuple[str, ...]
    steps: int
    questions: tuple[SolverQuestion, ...] = field(repr=False)
    other: Problem | None = None

    def __repr__(self) -> str:
        said = ", ".join(f"{notion}: {', '.join(found)}" for notion, found in self.bounds)
        asked = " and ".join(self.solvers()) or "no solver"
        name = f" {self.title!r}" if self.title else ""
        return (
            f"<Verified{name}: {self.verdict}; {said or 'no bound'}; {self.steps} steps, "
            f"{len(self.questions)} questions to {asked}>"
        )

    def __str__(self) -> str:
        """Return the result as text."""
        return self.text()

    @cached_property
    def title(self) -> str:
        """What the certificate calls itself, which states nothing: one short line."""
        title = one_line(self.problem.title)
        return title if len(title) <= SHORT else f"{title[:SHORT]}…"

    @cached_property
    def data(self) -> dict[str, Any]:
        """The problem as plain data."""
        return problem_to_json(self.problem)

    @cached_property
    def differences(self) -> tuple[tuple[str, str, str], ...]:
        """In what the other spec's problem differs: the place, there, here."""
        if self.other is None:
            return ()
        return tuple(differences(problem_to_json(self.other), self.data))

    def solvers(self) -> dict[str, dict[str, int]]:
        """Return, solver by solver, how many questions got which answer."""
        found: dict[str, dict[str, int]] = {}
        for question in self.questions:
            for solver, answer in question.answers:
                counts = found.setdefault(solver, {})
                counts[answer] = counts.get(answer, 0) + 1
        return found

    def text(self) -> str:
        """Return the result as text: what is stated, what follows, and what it rests on."""
        lines = [f"verified: “{self.title}”" if self.title else "verified"]
        lines += [f"statement {digest(self.data)}"]
        lines += [f"  {line}" for line in stated(self.problem)]
        lines += list(self._conclusion())
        lines += ["conditions"] * bool(self.conditions)
        lines += [f"  {name}: {verdict} ({said})" for name, said, verdict in self.conditions]
        lines += ["rests on the guarantees"] * bool(self.given)
        lines += [f"  {said}" for said in self.given]
        lines += ["and on the facts"] * bool(self.facts)
        lines += [f"  {said}" for said in self.facts]
        lines.append(f"{self.steps} steps applied again")
        lines += list(self._answers())
        lines += list(self._comparison())
        return "\n".join(map(one_line, lines))

    def _conclusion(self) -> Iterator[str]:
        if self.verdict == "vacuous":
            yield "no two different databases are neighbours: nothing is protected"
        elif self.verdict == "unknown":
            yield "the certificate claims no bound"
        else:
            yield "the composition is private between neighbours, for all sizes, with"
            yield from (f"  {notion}: {', '.join(values)}" for notion, values in self.bounds)

    def _answers(self) -> Iterator[str]:
        number = len(self.questions)
        if not number:
            return
        yield f"{number} questions to solvers, as scripts; impossible, they say:"
        for name, counts in self.solvers().items():
            if set(counts) == {"not asked"}:
                yield f"  {name}: is not installed, and was not asked (pip install {name})"
                continue
            silent = number - counts.get("unsat", 0)
            yield f"  {name}: {number - silent} of {number}" + f", no answer to {silent}" * bool(
                silent
            )
        yield "  what is given before a question is possible by itself, for each of them"

    def _comparison(self) -> Iterator[str]:
        if self.other is None:
            return
        if not self.differences:
            yield "this is the statement of the spec"
            return
        yield "this is NOT the statement of the spec"
        for place, there, here in self.differences:
            yield f"  {place}: the spec has {there}, the certificate {here}"

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        found: dict[str, Any] = {
            "schema": "dpcomp/1",
            "verdict": "refuted" if self.differences else "proved",
            "title": self.problem.title,
            "certified": self.verdict,
            "digest": digest(self.data),
            "statement": stated(self.problem),
            "problem": self.data,
            "conditions": [{"name": n, "statement": said, "verdict": v}
                           for n, said, v in self.conditions],
            "bounds": [{"notion": n, "parameters": list(p)} for n, p in self.bounds],
            "given": list(self.given),
            "facts": list(self.facts),
            "steps": self.steps,
            "questions": [{"about": q.about, **dict(q.answers)} for q in self.questions],
            "solvers": self.solvers(),
        }  # fmt: skip
        if self.other is not None:
            found["spec"] = {
                "same": not self.differences,
                "differences": [
                    {"where": place, "spec": there, "certificate": here}
                    for place, there, here in self.differences
                ],
            }
        return found


def verify(
    data: Mapping[str, Any], second: TextSolver | None = None, other: Problem | None = None
) -> Verified:
    """Verify a certificate.

    Args:
        data: the document, from :func:`dpcomp_sym.replay.read`.
        second: a second solver for the same questions; None to ask z3 only.
        other: the problem of a spec, to be compared with that of the certificate.

    Raises:
        RejectedError: the certificate is wrong, or a fact is not confirmed.
    """
    try:
        return _verified(data, second, other)
    except RejectedError:
        raise
    except RecursionError:
        raise RejectedError("the certificate is nested too deeply") from None
    except Exception as error:  # noqa: BLE001 - what cannot be evaluated is not verified
        raise RejectedError(f"the certificate cannot be evaluated: {error!r:.200}") from None


def _verified(
    data: Mapping[str, Any], second: TextSolver | None, other: Problem | None
) -> Verified:
    played = replay(data)
    need(data["seal"] == seal(data), "the seal is broken: something was changed")
    try:
        problem = problem_from_json(data["problem"])
        check = Recheck(problem)
        need(_same(check.meaning.data, data["problem"]), "the problem is not written canonically")
        given = _given(check, played)
        check.possible()
    except InputError as error:
        raise RejectedError(f"the problem: {error}") from None
    expected = touched_profile(check.meaning, played.statements)
    need(_same(data["profile"], expected), "the profile is not the one of the steps")
    bounds = _conclusions(check, data, played)
    leaves = [leaf for leaf in played.leaves if leaf.kind != "given"]
    rows = _rows(data["evidence"], leaves)
    facts = _facts(check, rows, leaves)
    decided = _conditions(check, data["conditions"])
    _evidence(check, rows, leaves)
    solvers = [FirstSolver(), *([] if second is None else [second])]
    questions = _answered(check.questions, solvers, blunt=check.blunt())
    return Verified(
        problem, str(data["verdict"]), decided, bounds, given, facts, len(played.statements),
        tuple(questions), other,
    )  # fmt: skip


def write_scripts(found: Verified, folder: Path) -> None:
    """Write the questions of a verification as SMT-LIB files, 001.smt2 and so on."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, question in enumerate(found.questions, 1):
        (folder / f"{number:03}.smt2").write_text(question.script, encoding="utf-8")


def _same(left: Any, right: Any) -> bool:
    return canonical(left) == canonical(right)


def _conclusions(
    check: Recheck, data: Mapping[str, Any], played: Replayed
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    meaning = check.meaning
    if check.vacuous():
        need(data["verdict"] == "vacuous" and not played.conclusions, "the problem is vacuous")
        return ()
    verdict = "proved" if played.conclusions else "unknown"
    need(data["verdict"] == verdict, f"the verdict is {verdict}")
    found = []
    for notion, (_, mechanism, _, loss, sizes) in played.conclusions.items():
        need(notion in NOTIONS, "an unknown notion")
        need(mechanism == meaning.composition, f"{notion}: not the composition of all parts")
        need(loss[0] == "Neighbouring", f"{notion}: not a guarantee between neighbours")
        need(loss[1] == meaning.relation and loss[2] == meaning.domain, f"{notion}: of others")
        need(sizes == (), f"{notion}: not for all sizes")
        found.append((notion, tuple(map(words, loss[3]))))
    return tuple(found)


def _given(check: Recheck, played: Replayed) -> tuple[str, ...]:
    """Compare all leaves with the problem: what is given, and what the facts are about."""
    given: dict[str, None] = {}
    for leaf in played.leaves:
        try:
            if leaf.kind == "given":
                need(leaf.tag == "input", "what is given is the input")
                said = check.meaning.given.get(leaf.statement)
                if said is None:
                    raise RejectedError("the problem does not say so")
                given[said] = None
                continue
            need(leaf.kind == "smt", "only facts that a solver can decide are decided again")
            need(leaf.tag == check.meaning.tag, "the fact belongs to another problem")
            check.question(leaf.statement)
            check.is_about_this(leaf.statement)
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None
    return tuple(given)


def _facts(
    check: Recheck, rows: Sequence[Mapping[str, Any]], leaves: Sequence[Leaf]
) -> tuple[str, ...]:
    """Decide the structural facts again, each by its reason."""
    facts: dict[str, None] = {}
    for row, leaf in zip(rows, leaves, strict=True):
        try:
            check.fact(leaf.statement, row["reason"])
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None
        facts[check.question(leaf.statement)] = None
    return tuple(facts)


def _conditions(check: Recheck, rows: Any) -> tuple[tuple[str, str, str], ...]:
    """Decide the conditions again."""
    names = {"name", "about", "statement", "verdict", "example"}
    need(type(rows) is list and all(type(r) is dict and set(r) == names for r in rows),
         "the conditions are malformed")  # fmt: skip
    expected = check.conditions()
    need(len(rows) == len(expected), "the problem raises other conditions")
    for row, one in zip(rows, expected, strict=True):
        check.condition(row, one)
    return tuple((c.name, c.statement, r["verdict"]) for r, c in zip(rows, expected, strict=True))


def _rows(rows: Any, leaves: Sequence[Leaf]) -> list[dict[str, Any]]:
    """Return the evidence, a row for each structural leaf."""
    names = {"step", "question", "reason", "example", "invariants"}
    need(type(rows) is list and all(type(r) is dict and set(r) == names for r in rows),
         "the evidence is malformed")  # fmt: skip
    need(len(rows) == len(leaves), "there is evidence for each structural leaf")
    need(all(type(r["reason"]) is dict for r in rows), "a reason is malformed")
    return list(rows)


def _evidence(check: Recheck, rows: Sequence[Mapping[str, Any]], leaves: Sequence[Leaf]) -> None:
    for row, leaf in zip(rows, leaves, strict=True):
        try:
            with check.noting(f"what edits keep: {check.question(leaf.statement)}"):
                check.supported(row, leaf)
        except RejectedError as error:
            raise RejectedError(f"step {leaf.step}: {error}") from None


def _answered(
    questions: Sequence[SolverQuestion], solvers: Sequence[TextSolver], *, blunt: bool
) -> list[SolverQuestion]:
    """Have the questions answered as they are written, by each of the solvers.

    A script must be impossible because of what it asks: not by a single "false", unless the
    problem is so ``blunt`` as to say "false" itself, and not because nothing satisfies what is
    given before.

    Raises:
        RejectedError: a solver finds a script possible, or what is given before impossible.
        UndecidedError: no solver answers.
    """
    possible: dict[str, bool] = {}
    found = []
    try:
        for question in questions:
            about = question.about
            folded = FALSE_ALONE in question.script.splitlines() and not blunt
            need(not folded, f"nothing is asked: {about}")
            answers = tuple((s.name, s.ask(question.script)) for s in solvers)
            for name, answer in answers:
                need(answer != "sat", f"{name} disagrees: {about}")
            if all(answer != "unsat" for _, answer in answers):
                current().give_up("as a script")
                raise UndecidedError(f"no solver answers the script: {about}")
            if question.setting not in possible:
                given = [s.ask(question.setting) for s in solvers]
                need("unsat" not in given, f"what is given is impossible by itself: {about}")
                possible[question.setting] = "sat" in given
            if not possible[question.setting]:
                current().give_up("as a script")
                raise UndecidedError(f"no solver shows what is given to be possible: {about}")
            found.append(replace(question, answers=answers))
    finally:
        for solver in solvers:
            solver.close()
    return found
