"""What an entry of the theorem library is, and what counts as evidence for it.

An entry is a function without arguments, decorated with :func:`theorem`; its name says the
statement, conclusion first, hypotheses after ``of``.  Nothing happens at import: the body runs
when somebody asks, and returns the evidence.  The evidence decides the status, by the table below
and by nothing else; an entry whose body comes out as anything else than it declares has failed.

=======================  ========  ================================================================
evidence                 status    what it says
=======================  ========  ================================================================
a theorem of the kernel  derived   by several rules, from what is given and from named hypotheses
a theorem of the kernel  rule      by the rule that is the statement: what stands beside it is the
                                   justification of the rule, and no proof by the kernel
:class:`Asked`           decided   the engine has decided a question about a problem, for every
                                   universe of records, size, labels and k; the words of the
                                   question are made from the problem
:class:`Discharged`      decided   a solver or exact algebra has settled obligations that are the
                                   statement
:class:`Discharged`      argued    the same, and ``argument`` is the step in prose that makes the
                                   statement of them
:class:`Argued`          argued    a step of the proof is prose; it is written out
:class:`CheckedInScope`  checked   true of everything in a stated finite scope
:class:`Refutation`      refuted   a claim is false, by exact data that plain code evaluates
:class:`Computed`        computed  figures of an example, recomputed exactly
``Vacuous`` (engine)     vacuous   true of nothing
:class:`NotKnown`        unknown   and why
=======================  ========  ================================================================

A :class:`Defined` is *defined*: a definition, which nothing can prove, and how its reading was
looked at.

Where a theorem that coqc has checked says all that an entry says (:mod:`theorems._rocq`), an entry
whose evidence here is a rule or has a step in prose is *rocq*.

Of a tuple of evidence all items must hold.  Where the first one establishes its statement, the
others belong to the proof, and the tuple is no more than the weakest of them: a rule, else argued,
else decided, else derived.  What is checked in a scope or computed beside a proof is a second look
at what the proof establishes; nothing rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NoReturn, TypeVar

from dpcomp_sym.engine import verdict
from dpcomp_sym.kernel import Inf, Private, Theorem, TouchCount, dag, is_theorem

__all__ = [
    "ENTRIES",
    "ESTABLISHED",
    "STATUSES",
    "Argued",
    "Asked",
    "CheckedInScope",
    "Computed",
    "Defined",
    "Discharged",
    "Entry",
    "Evidence",
    "Fallen",
    "NotKnown",
    "Obligation",
    "Refutation",
    "rule_of",
    "status_of",
    "theorem",
    "unproved_steps",
]

ESTABLISHED: Final = ("rule", "argued", "decided", "derived")
"""The statuses of what is shown for all sizes, the weakest first."""

STATUSES: Final = (
    *ESTABLISHED,
    "rocq",
    "defined",
    "checked",
    "refuted",
    "computed",
    "vacuous",
    "unknown",
)


HYPOTHESIS: Final = "hypothesis: "
"""How the evidence of a fact begins that a statement assumes."""


class Fallen(Exception):  # noqa: N818 - said of theorems, not of programs
    """The evidence does not hold, and why."""


@dataclass(frozen=True)
class Refutation:
    """A claim that is false.

    ``data`` is the counterexample (databases, tables of fractions); ``check`` evaluates it with
    plain exact code, and returns True only if the claim fails there.
    """

    claim: str
    data: Mapping[str, Any]
    check: Callable[[], bool] = field(repr=False)


@dataclass(frozen=True)
class Computed:
    """Figures: ``stated`` by the source (or by its correction), ``found`` by exact computation."""

    stated: Mapping[str, Any]
    found: Mapping[str, Any]


@dataclass(frozen=True)
class CheckedInScope:
    """True of everything in a finite scope; ``cases`` counts what was looked at."""

    scope: str
    cases: int
    check: bool = True


@dataclass(frozen=True)
class Defined:
    """A definition, which nothing can prove; ``reading`` looks at how it is read here."""

    reading: CheckedInScope


@dataclass(frozen=True)
class Obligation:
    """A question to a solver or to exact algebra, as it was asked, and what came of it.

    ``trivial`` says why there was nothing to ask, where the question folds as soon as it is
    written down (both sides are one formula, or the claim is among the hypotheses); it is empty
    where there was.  An obligation has no truth value: both fields count.
    """

    asked: str
    settled: bool
    trivial: str = ""

    def __bool__(self) -> NoReturn:
        raise TypeError("an obligation is settled or not, and trivial or not: name which")


@dataclass(frozen=True)
class Discharged:
    """Obligations settled for all values of their variables.

    ``by`` is "smt" (the negation is unsatisfiable) or "algebra" (both sides are the same
    polynomial).  ``obligations`` says each of them in words.  ``argument`` is the step in prose
    that leads from them to the statement; without one, they are the statement.
    """

    by: str
    obligations: Mapping[str, Obligation]
    argument: str = ""


@dataclass(frozen=True)
class Argued:
    """A step of a proof that is prose: nothing but a reader checks it."""

    step: str


@dataclass(frozen=True)
class Asked:
    """A question about a problem, in words made from the problem, and the engine's verdict.

    :func:`theorems._facts.asked` makes one.
    """

    about: Mapping[str, str]
    question: str
    verdict: verdict.Verdict


@dataclass(frozen=True)
class NotKnown:
    """Not decided, and why."""

    reason: str


One = (
    Theorem
    | Asked
    | Refutation
    | Computed
    | CheckedInScope
    | Defined
    | Discharged
    | Argued
    | NotKnown
)
Evidence = One | tuple[One, ...]
E = TypeVar("E", bound=Evidence)


@dataclass(frozen=True)
class Entry:
    """One statement of the library, with the body that establishes it.

    ``rows`` are the ids of the published statements that it meets, ``cite`` tells where they
    stand; ``scope`` qualifies a status that is only checked.
    """

    name: str
    rows: tuple[str, ...]
    statement: str
    status: str
    cite: str
    latex: str
    body: Callable[[], Evidence] = field(repr=False)

    @property
    def note(self) -> str:
        """What the docstring of the body adds: the argument, and what is weak."""
        return (self.body.__doc__ or "").strip()


ENTRIES: Final[dict[str, Entry]] = {}
"""All entries that have been imported, by name; :func:`theorems._rows.entries` imports all."""


def theorem(
    *,
    id: str | tuple[str, ...],  # noqa: A002 - the rows of the published tables are called ids
    statement: str,
    status: str,
    cite: str,
    latex: str = "",
) -> Callable[[Callable[[], E]], Callable[[], E]]:
    """Enter a function into the library under its own name.

    Args:
        id: the row or rows that the entry meets, such as "GB24.II.5", "N2" or "E7".
        statement: the statement, in plain words and formulas.  For a refutation: the claim's
            negation, "… is false".
        status: one of :data:`STATUSES`; what the body must come out as.
        cite: where the statement stands; "this project" if nowhere else.
        latex: the statement in LaTeX: sentences with formulas between dollar signs, or one formula
            that is displayed under the words.

    Raises:
        ValueError: for an unknown status, and if the name is taken.
    """
    if status not in STATUSES:
        raise ValueError(f"no status {status!r}: one of {', '.join(STATUSES)}")

    def enter(body: Callable[[], E]) -> Callable[[], E]:
        name = body.__name__
        known = ENTRIES.get(name)
        if known is not None and known.body.__module__ != body.__module__:
            raise ValueError(f"two entries are called {name}")
        rows = (id,) if isinstance(id, str) else id
        ENTRIES[name] = Entry(name, rows, statement, status, cite, latex, body)
        return body

    return enter


def status_of(evidence: Any, rows: Sequence[str] = ()) -> str:
    """Return the status that evidence amounts to, for an entry that meets these rows.

    Raises:
        Fallen: the evidence does not hold: a check is not True, figures differ, an obligation is
            open or trivial, or the object is not evidence at all.

    >>> status_of(Computed({"bound": 3}, {"bound": 3}))
    'computed'
    >>> status_of(Computed({"bound": 3}, {"bound": 4}))
    Traceback (most recent call last):
    theorems._entry.Fallen: bound: 4, stated 3
    """
    pieces = evidence if isinstance(evidence, tuple) else (evidence,)
    if not pieces:
        raise Fallen("there is no evidence")
    statuses = [_status(one, rows) for one in pieces]
    if statuses[0] not in ESTABLISHED:
        return statuses[0]
    for one, status in zip(pieces, statuses, strict=True):
        if status not in (*ESTABLISHED, "checked", "computed") or (
            status == "checked" and isinstance(one, Asked)
        ):
            raise Fallen(f"beside a proof stands what is {status}")
    return min((s for s in statuses if s in ESTABLISHED), key=ESTABLISHED.index)


def _status(one: Any, rows: Sequence[str]) -> str:
    match one:
        case Theorem() if is_theorem(one):
            if rule_of(one, rows):
                return "rule"
            return "argued" if unproved_steps(one) else "derived"
        case Discharged(_, obligations, argument):
            _see_that_settled(obligations)
            return "argued" if argument else "decided"
        case Argued(step) if step:
            return "argued"
        case Asked(about, question, answer) if about and question:
            return _answered(answer)
        case CheckedInScope(scope, cases, check):
            if check is not True or cases < 1 or not scope:
                raise Fallen(f"not true, or nothing looked at, in the scope: {scope}")
            return "checked"
        case Defined(reading):
            _status(reading, rows)
            return "defined"
        case Refutation(claim, data, check):
            if not data or check() is not True:
                raise Fallen(f"the counterexample does not refute: {claim}")
            return "refuted"
        case Computed(stated, found):
            return _computed(stated, found)
        case NotKnown(reason) if reason:
            return "unknown"
        case _:
            raise Fallen(f"this is not evidence: {one!r}")


def _answered(answer: Any) -> str:
    match answer:
        case verdict.Proved():
            return "decided"
        case verdict.Vacuous():
            return "vacuous"
        case verdict.Refuted():
            return "refuted"
        case verdict.Checked(scope) if scope:
            return "checked"
        case verdict.Unknown(reason) if reason:
            return "unknown"
        case _:
            raise Fallen(f"this is not a verdict: {answer!r}")


# ------------------------------------------------------------------ what a derivation shows

_LEAVES: Final = ("given", "oracle")
_PREPARING: Final = ("everywhere", "preprocess")
"""Rules that bring what is given of a part to all pairs of databases, or behind a map."""


def rule_of(theorem: Theorem, rows: Sequence[str] = ()) -> Theorem | None:
    """Return the step whose rule is what a theorem states, or None if it is derived.

    That is the only step, if there is but one besides those that bring a given part to where the
    rule applies; the last step, apart from changes of the guarantee, if its rule names one of these
    rows as its source; or a step that is applied to what is given and names one.
    """
    if not isinstance(theorem.statement, Private):
        return None
    steps = [s for s in dag(theorem) if s.rule not in _LEAVES]
    own = [s for s in steps if s.rule not in _PREPARING] or steps
    if len(own) == 1:
        return own[0]
    mechanical = [s for s in steps if isinstance(s.statement, Private)]
    last = [s for s in mechanical if s.rule != "change_guarantee"][-1:]
    of_given = [s for s in mechanical if any(p.rule == "given" for p in s.premises)]
    return next((s for s in (*last, *of_given) if _cites(s.source, rows)), None)


def _cites(source: str, rows: Sequence[str]) -> bool:
    """Return whether the source of a rule names one of these rows.

    >>> _cites("GB24.V.2, VI.4", ["GB24.VI.4"]), _cites("GB24.V.2, VI.4", ["GB24.VI.40"])
    (True, False)
    >>> _cites("conversions", ["conversions.pure-zcdp"])
    True
    """
    paper, named = "", []
    for word in source.split(", "):
        chapter = re.match(r"[IVX]+\.", word)
        named.append(f"{paper}.{word}" if chapter else word)
        paper = paper if chapter else word.partition(".")[0]
    return any(row == name or row.startswith(f"{name}.") for row in rows for name in named if name)


def unproved_steps(theorem: Theorem) -> list[str]:
    """Return what a derivation takes from prose: facts that nobody decided and nobody assumes.

    A fact is decided by the engine ("smt"), or it is a hypothesis of the statement; that a number
    of blocks is at most infinite is not a fact.
    """
    found = []
    for step in dag(theorem):
        arguments = dict(step.arguments)
        if step.rule != "oracle" or arguments["kind"] == "smt":
            continue
        free = isinstance(step.statement, TouchCount) and step.statement.count == Inf()
        if not free and not arguments["tag"].startswith(HYPOTHESIS):
            found.append(arguments["tag"])
    return found


def _see_that_settled(obligations: Mapping[str, Obligation]) -> None:
    if not obligations:
        raise Fallen("no obligations")
    for text, one in obligations.items():
        if not isinstance(one, Obligation):
            raise Fallen(f"no obligation, but {one!r}: {text}")
        if one.settled is not True:
            raise Fallen(f"not settled: {text}")
        if one.trivial:
            raise Fallen(f"nothing was asked, {one.trivial}: {text}")


def _computed(stated: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    if not stated or set(stated) != set(found):
        raise Fallen("other figures are stated than found")
    for name, value in found.items():
        if _inexact(value) or _inexact(stated[name]):
            raise Fallen(f"{name}: figures are exact here, not floats")
        if value != stated[name]:
            raise Fallen(f"{name}: {value}, stated {stated[name]}")
    return "computed"


def _inexact(value: Any) -> bool:
    if isinstance(value, tuple | list | set | frozenset):
        return any(map(_inexact, value))
    return isinstance(value, float) and not isinstance(value, Fraction)
