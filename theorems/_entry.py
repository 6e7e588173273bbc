"""What an entry of the theorem library is, and what counts as evidence for it.

An entry is a function without arguments, decorated with :func:`theorem`; its name says the
statement, conclusion first, hypotheses after ``of``.  Nothing happens at import: the body runs
when somebody asks, and returns the evidence.  The evidence decides the status; an entry whose
body comes out as anything else than it declares has failed.

========================  =========  ==============================================================
evidence                  status     what it says
========================  =========  ==============================================================
a theorem of the kernel   proved     derived by rules; it knows what it rests on
``Proved`` (engine)       proved     decided for every universe of records, size, labels and k
:class:`Discharged`       proved     a solver or exact algebra has settled the stated obligations
:class:`CheckedInScope`   checked    true of everything in a stated finite scope
:class:`Refutation`       refuted    a claim is false, by exact data that plain code evaluates
:class:`Computed`         computed   figures of an example, recomputed exactly
``Vacuous`` (engine)      vacuous    true of nothing
:class:`NotKnown`         unknown    and why
========================  =========  ==============================================================

A tuple of evidence has the status of its first item; all others must hold as well.  What is checked
in a scope beside a proof is a second look at what the proof establishes; nothing rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeVar

from dpcomp_sym.engine import verdict
from dpcomp_sym.kernel import Theorem, is_theorem
from dpcomp_sym.report.shown import Rich, Shown

__all__ = [
    "ENTRIES",
    "STATUSES",
    "CheckedInScope",
    "Computed",
    "Discharged",
    "Entry",
    "Evidence",
    "Fallen",
    "NotKnown",
    "Refutation",
    "status_of",
    "theorem",
]

STATUSES: Final = ("proved", "checked", "refuted", "computed", "vacuous", "unknown")


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
class Discharged:
    """Obligations settled for all values of their variables.

    ``by`` is "smt" (the negation is unsatisfiable) or "algebra" (both sides are the same
    polynomial, or the difference is a sum of products of non-negative things).  ``obligations``
    states each of them; ``argument`` says why they make the statement.
    """

    by: str
    obligations: Mapping[str, bool]
    argument: str = ""


@dataclass(frozen=True)
class NotKnown:
    """Not decided, and why."""

    reason: str


One = (
    Theorem
    | verdict.Proved
    | verdict.Refuted
    | verdict.Checked
    | verdict.Vacuous
    | verdict.Unknown
    | Refutation
    | Computed
    | CheckedInScope
    | Discharged
    | NotKnown
)
Evidence = One | tuple[One, ...]
E = TypeVar("E", bound=Evidence)


@dataclass(frozen=True)
class Entry(Rich):
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

    def shown(self) -> Shown:
        """Return the statement, without its evidence."""
        from theorems._report import shown
        from theorems._run import entry_as_json

        return shown(entry_as_json(self))


ENTRIES: Final[dict[str, Entry]] = {}
"""All entries that have been imported, by name; :func:`theorems._run.entries` imports all."""


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
        statement: what is said, in plain words and formulas.  For a refutation: the claim's
            negation, "… is false".
        status: one of :data:`STATUSES`; what the body must come out as.
        cite: where the statement stands; "this project" if nowhere else.
        latex: the statement in LaTeX, if it is more than the words.

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


def status_of(evidence: Any) -> str:
    """Return the status that evidence amounts to.

    Raises:
        Fallen: the evidence does not hold: a check is not True, figures differ, an obligation is
            open, or the object is no evidence at all.

    >>> status_of(Computed({"bound": 3}, {"bound": 3}))
    'computed'
    >>> status_of(Computed({"bound": 3}, {"bound": 4}))
    Traceback (most recent call last):
    theorems._entry.Fallen: bound: 4, stated 3
    """
    match evidence:
        case tuple() if evidence:
            statuses = [status_of(one) for one in evidence]
            return statuses[0]
        case Theorem() if is_theorem(evidence):
            return "proved"
        case Discharged(_, obligations, _):
            return _discharged(obligations)
        case CheckedInScope(scope, cases, check):
            if check is not True or cases < 1 or not scope:
                raise Fallen(f"not true, or nothing looked at, in the scope: {scope}")
            return "checked"
        case Refutation(claim, data, check):
            if not data or check() is not True:
                raise Fallen(f"the counterexample does not refute: {claim}")
            return "refuted"
        case Computed(stated, found):
            return _computed(stated, found)
        case verdict.Unknown(reason) | NotKnown(reason) if reason:
            return "unknown"
        case verdict.Proved():
            return "proved"
        case verdict.Vacuous():
            return "vacuous"
        case verdict.Refuted():
            return "refuted"
        case verdict.Checked(scope) if scope:
            return "checked"
        case _:
            raise Fallen(f"this is no evidence: {evidence!r}")


def _discharged(obligations: Mapping[str, bool]) -> str:
    still_open = [text for text, settled in obligations.items() if settled is not True]
    if still_open or not obligations:
        raise Fallen(f"not settled: {'; '.join(still_open) or 'no obligations'}")
    return "proved"


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
