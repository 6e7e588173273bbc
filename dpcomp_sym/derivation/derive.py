"""From a problem to a bound: conditions, profile, closed forms, and the derivation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dpcomp_sym.derivation.below import apart, narrowed
from dpcomp_sym.derivation.proof import NotComposedError, Proof, prove
from dpcomp_sym.derivation.tightness import Witness, witness
from dpcomp_sym.engine import AnswerCache, Condition, Conditions, Structure, Unknown, conditions
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.facts import Facts
from dpcomp_sym.engine.profiler import profile_with_facts, rough_profile
from dpcomp_sym.errors import InputError
from dpcomp_sym.kernel import Theorem, dag
from dpcomp_sym.limits import AFTERWARDS, LOOKING, Limits, limited, uninterrupted
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS, epsilon_delta
from dpcomp_sym.notions.meeting import explained
from dpcomp_sym.numbers import Bound, Bounds, bounds, notions_of
from dpcomp_sym.numbers.columns import lengths
from dpcomp_sym.profile import Case, Interval, Profile, Vector

if TYPE_CHECKING:
    from dpcomp_sym.optimal import Comparison
    from dpcomp_sym.report.document import Document
    from dpcomp_sym.report.setting import Notation

MOST_WRITTEN_OUT: Final = 8
"""So few blocks are written out where the bound of any number of them is not tight."""

T = TypeVar("T")

__all__ = ["Derivation", "Step", "compared", "derive", "evaluated", "steps"]


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

    ``conditions`` by name, the ``profile``, one bound a notion, the kernel's ``proof`` of each
    (absent where the guarantee is vacuous), the mechanisms that attain a tight bound as
    ``witnesses``, and the numbered ``trace``.  ``choice`` tells of the databases that a person
    can be in, where the problem is about that.  Where numbers are given, ``comparison`` sets basic,
    advanced and optimal composition side by side.
    """

    title: str
    problem: Problem
    conditions: Conditions
    profile: Profile
    bounds: Bounds
    proof: Proof | None = None
    notes: Sequence[str] = ()
    choice: Mapping[str, Any] | None = None
    witnesses: Mapping[str, Witness] = field(default_factory=dict)
    comparison: Comparison | None = None
    unlimited: Comparison | None = None
    """The comparison without the limit on databases, where the problem is about that."""
    numbers: Mapping[str, Any] | None = None
    """The comparison at the targets that were asked for, as plain data."""
    elsewhere: Sequence[tuple[Interval, Bounds]] = ()
    """What is derived for numbers of a symbol, such as 0, that need bounds of their own."""
    unfinished: str | None = None
    """Why not all was looked for, and what is missing, if the time of the call was over."""

    def __hash__(self) -> int:
        return hash((type(self), self.title, self.problem))

    def __repr__(self) -> str:
        stated = ", ".join(f"{b.notion}: {b.text}" for b in self.bounds)
        title = f" {self.title!r}" if self.title else ""
        return f"<Derivation{title}: {self.verdict}; {stated or 'no bound'}>"

    @property
    def theorems(self) -> Mapping[str, Theorem]:
        """The kernel's theorem for each notion."""
        return {} if self.proof is None else self.proof.theorems

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
        """The word for the derivation: its bounds are proved, or hold vacuously, or are not known.

        An infinite bound is proved if no finite one is true, and not known if none was found.
        """
        if self.profile.vacuous:
            return "vacuous"
        return "proved" if any(b.known for b in self.bounds) else "unknown"

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """The derivation, step by step."""
        return _trace(self)

    def concluding(self, notion: str) -> int:
        """Return the number of the step that states the guarantee in a notion."""
        if notion not in self.theorems:
            return len(self.trace)
        return _numbering(self.theorems.values())[id(self.theorems[notion])]

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
            "bounds": [
                {**b.as_json(), "step": self.concluding(b.notion), "witness": self._witness(b)}
                for b in self.bounds
            ],
            "vacuous": self.vacuous,
            "infinite": self.infinite,
            "trace": [s.as_json() for s in self.trace],
            **({} if self.numbers is None else {"comparison": dict(self.numbers)}),
            **({} if self.unfinished is None else {"unfinished": self.unfinished}),
        }

    def _witness(self, bound: Bound) -> dict[str, Any] | None:
        found = self.witnesses.get(bound.notion)
        return None if found is None else found.as_json()

    def notation(self) -> Notation:
        """Return the words in which reports describe the problem."""
        from dpcomp_sym.report.setting import Notation, label_for

        return Notation(self.problem, label_for(self.problem, self.title))

    def document(self) -> Document:
        """Return the report, for LaTeX."""
        from dpcomp_sym.report.article import article

        return article(self)

    def page(self) -> str:
        """Return the report as one self-contained HTML page."""
        from dpcomp_sym.report.webpage import page_of

        return page_of(self)

    def unwritable(self, option: str) -> str | None:
        """Return why a file cannot be written about this, or None if it can."""
        if option == "curve" and self.comparison is None:
            in_numbers = any(
                b.notion in epsilon_delta() and b.value is not None for b in self.bounds
            )
            why = (
                "there is too much to compose exactly" if in_numbers
                else "a finite bound needs numbers for all parts"
            )  # fmt: skip
            return f"has nothing to draw here: {why}"
        return None

    def curve(self) -> str:
        """Return basic, advanced and optimal composition as δ against ε, drawn as SVG.

        Raises:
            InputError: matplotlib is not installed, or there are no numbers to draw.
        """
        if self.comparison is None:
            raise InputError("there are no numbers to draw here")
        return self.comparison.drawing(self.title).svg()


def derive(
    problem: Problem,
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    title: str = "",
    shared: AnswerCache | None = None,
) -> Derivation:
    """Derive what a composition guarantees.

    Args:
        problem: domain, granularity, maps and parts.
        values: numbers for the parameters of the parts (scalars or sequences over the blocks);
            the length of a sequence says how many blocks there are.
        sizes: numbers for k and other symbols.  With them everything is about the problem in
            which these symbols are fixed: conditions, vacuity, bounds, whether they are tight.
        title: for reports.
        shared: answers about the same neighbours and maps, used and added to.

    Raises:
        InputError: the problem contradicts itself, or a number is out of range.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks", setting="common")])
    >>> derive(problem).bounds["pure"].text, derive(problem, sizes={"k": 1}).bounds["pure"].text
    ('sum of the 2 largest eps[i]', 'max(eps[i])')
    """
    read = ((p.map.indices, p.guarantees) for p in problem.bound_parts)
    sizes = {**lengths(read, values or {}), **(sizes or {})}
    with limited() as limits:
        here = problem.at(sizes)
        found = _derive(here, values, sizes, title, shared, limits)
        if limits.budget.over or not _may_be_better(found, here, sizes):
            return found
        numbered = _derive(here.counted(sizes), values, sizes, title, shared, limits)
        return numbered if _is_better(numbered, found) else found


def _may_be_better(found: Derivation, problem: Problem, sizes: Mapping[str, int]) -> bool:
    """Return whether to write out blocks may give a better bound, and there are few of them."""
    if not found.bounds or found.infinite or all(b.tight == "yes" for b in found.bounds[:1]):
        return False
    families = [m.sizes for m in problem.used_maps.values()]
    symbols = {n for family in families for n in family if isinstance(n, str)}
    if not symbols or not symbols <= sizes.keys():
        return False
    many = sum(prod(sizes[n] if isinstance(n, str) else n for n in f) for f in families)
    return many <= MOST_WRITTEN_OUT


def _is_better(new: Derivation, old: Derivation) -> bool:
    """Return whether bounds are smaller, none is larger, or the first one is tight only there."""
    before_it = {b.notion: b for b in old.bounds}
    both = [(b, before_it[b.notion]) for b in new.bounds if b.notion in before_it]
    if new.infinite or len(both) < len(before_it):
        return False
    known = [
        (b.value, c.value)
        for b, c in both
        if isinstance(b.value, int | Fraction) and isinstance(c.value, int | Fraction)
    ]
    if any(b > c for b, c in known):
        return False
    first, before = both[0]
    return any(b < c for b, c in known) or (first.tight == "yes" != before.tight)


def evaluated(found: Derivation, values: Mapping[str, Any], sizes: Mapping[str, int]) -> Derivation:
    """Return a derivation with other numbers for the parameters: nothing is derived anew.

    Args:
        found: a derivation of the problem, with these sizes.
        values: numbers for the parameters of the parts.
        sizes: the numbers that the symbols have in it.

    Raises:
        InputError: a number is out of range.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> found = derive(Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")]), sizes={"k": 2})
    >>> evaluated(found, {"eps": [1, 3]}, {"k": 2}).bounds["pure"].value
    3
    """
    guarantees, single = ({}, {}) if found.proof is None else (
        found.proof.guarantees, found.proof.single
    )  # fmt: skip
    in_numbers = None
    stated: list[Bound] = []
    if found.bounds:
        stated = bounds(found.profile, guarantees, values, sizes, single)
    if stated and not found.vacuous:
        in_numbers = compared(found.problem, found.profile, stated, values, sizes)
    witnesses = {
        **_witnesses(
            found.problem, found.profile,
            [b for b in stated if b.notion not in found.witnesses], found.proof,
        ),
        **found.witnesses,
    }  # fmt: skip
    stated = [_beside(_decided(_shown(b, witnesses), in_numbers), found.elsewhere) for b in stated]
    kept = {b.notion: witnesses[b.notion] for b in stated if b.notion in witnesses}
    return replace(
        found, bounds=Bounds(stated), comparison=in_numbers, witnesses=kept, numbers=None
    )


_PROFILE: Final = "which blocks change together"
_NOTHING: Final = Profile((), (), (), proved=False, exact=False), Facts((), ())
_UNPROVED: Final[tuple[Proof | None, str]] = (None, "")


class _Work:
    """What a derivation is made of, piece by piece: what is found stays found."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.missing: list[str] = []
        self.patience = 2
        """2: all is looked for; 1: only what a bound needs; 0: nothing any more."""

    def piece(self, what: str, find: Callable[[], T], instead: T, *, needed: bool = True) -> T:
        """Return a piece, looked for if it is not there yet, or something in its stead."""
        if what not in self.found:
            if self.patience < (1 if needed else 2):
                self.missing.append(what)
                return instead
            self.found[what] = find()
        piece: T = self.found[what]
        return piece


def _derive(
    problem: Problem, values: Mapping[str, Any] | None, sizes: Mapping[str, int], title: str,
    shared: AnswerCache | None, limits: Limits,
) -> Derivation:  # fmt: skip
    """Derive all that there is time for; then put together what is known."""
    work, budget = _Work(), limits.budget
    structure = Structure(problem, shared=shared or AnswerCache())

    def find() -> Derivation:
        work.missing.clear()
        return _put_together(work, structure, values, sizes, title, limits)

    found = uninterrupted(find, budget.left(LOOKING))
    if found is None:
        work.patience = 1
        found = uninterrupted(find, AFTERWARDS if budget.stopped else budget.left())
    if found is None:
        work.patience = 0
        found = find()
    return found


def _put_together(
    work: _Work, structure: Structure, values: Mapping[str, Any] | None, sizes: Mapping[str, int],
    title: str, limits: Limits,
) -> Derivation:  # fmt: skip
    problem = structure.problem
    work.piece("whether the spec contradicts itself", lambda: check_input(structure), None)
    rough, sure = _NOTHING, _UNPROVED
    if limits.budget.seconds is not None:  # what matters first: a sound bound, then the best one
        rough, sure = _any_bound(work, structure)
        _profile(work, structure, rough)
    found = work.piece("the conditions", lambda: conditions(structure), Conditions())
    profile, facts = _profile(work, structure, rough)
    idle: list[int] = work.piece(
        "edits that change nothing", structure.idle_edits, [], needed=False
    )
    notes = list(_noted(problem, idle, found, facts))
    stated: list[Bound] = []
    proof: Proof | None = None
    in_numbers: Comparison | None = None
    if profile.vacuous:
        stated = bounds(profile, {}, values, sizes)
    elif not profile.proved:
        if _PROFILE in work.found:
            notes.append("no bound: a part may be given databases outside its class (see C2)")
    else:
        proof, why = sure
        if profile is not rough[0]:
            known = work.piece(
                "the proof of a bound", lambda: _proof(problem, profile, facts), None
            )
            proof, why = known or sure
            profile = rough[0] if known is None and proof is not None else profile
        notes += [why] if why else []
        if proof is not None:
            stated = bounds(profile, proof.guarantees, values, sizes, proof.single)
            in_numbers = work.piece(
                "the comparison in numbers",
                lambda: compared(problem, profile, stated, values or {}, sizes),
                None, needed=False,
            )  # fmt: skip
            notes += explained(problem.bound_parts) if stated else [_nothing_in_common(problem)]
    witnesses: dict[str, Witness] = work.piece(
        "mechanisms that attain the bounds",
        lambda: _witnesses(problem, profile, stated, proof), {}, needed=False,
    )  # fmt: skip
    stated = [_decided(_shown(b, witnesses), in_numbers) for b in stated]
    others: list[tuple[Interval, Bounds]] = work.piece(
        "bounds for numbers below 1", lambda: list(_elsewhere(structure, profile)), [],
        needed=False,
    )  # fmt: skip
    stated = [_beside(b, others) for b in stated]
    unfinished = _unfinished(work, limits)
    notes += [limits.text] if limits.reached else []
    notes += [] if unfinished is None else [unfinished]
    return Derivation(
        title or problem.title, problem, found, profile, Bounds(stated), proof, notes,
        witnesses=witnesses, comparison=in_numbers, elsewhere=others, unfinished=unfinished,
    )  # fmt: skip


def _elsewhere(structure: Structure, profile: Profile) -> Iterator[tuple[Interval, Bounds]]:
    """Yield what is derived for the numbers of a symbol that need bounds of their own."""
    for numbers in apart(structure, profile):
        narrow = narrowed(structure, numbers)
        found, facts = profile_with_facts(narrow)
        known = found.proved and not found.vacuous
        proof = _proof(narrow.problem, found, facts)[0] if known else None
        if proof is not None:
            stated = bounds(found, proof.guarantees, single=proof.single)
            witnesses = _witnesses(narrow.problem, found, stated, proof)
            yield numbers, Bounds([_shown(b, witnesses) for b in stated])


def _beside(bound: Bound, others: Iterable[tuple[Interval, Bounds]]) -> Bound:
    """Return a bound, followed by finite ones in the same notion of which more is known."""
    better = [
        (numbers, other) for numbers, there in others for other in there
        if other.notion == bound.notion and not other.infinite
        and (other.text, other.tight) != (bound.text, bound.tight)
    ]  # fmt: skip
    return replace(bound, elsewhere=tuple(better))


def _noted(
    problem: Problem, idle: Iterable[int], found: Mapping[str, Condition], facts: Facts
) -> Iterator[str]:
    """Yield notes about the edits, the conditions and the numbers of symbols."""
    for number in idle:
        yield (
            f"edit {number} of granularity '{problem.granularity.name}' can leave a database "
            "unchanged: a guard such as x != y may be missing"
        )
    for condition in found.values():
        if isinstance(condition.outcome, Unknown):
            yield f"{condition.name} of {condition.about}: {condition.outcome.reason}"
    if facts.freed:
        yield (
            "the bound was found for all numbers of the symbols that have one: what holds of all "
            "holds of these"
        )


def _any_bound(
    work: _Work, structure: Structure
) -> tuple[tuple[Profile, Facts], tuple[Proof | None, str]]:
    """Return a rough profile, and the proof of its bound."""
    rough, sure = work.piece("any bound", lambda: rough_profile(structure), _NOTHING), _UNPROVED
    if rough[0].proved and not rough[0].vacuous:
        sure = work.piece(
            "the proof of any bound", partial(_proof, structure.problem, *rough), sure
        )
    return rough, sure


def _profile(
    work: _Work, structure: Structure, rough: tuple[Profile, Facts]
) -> tuple[Profile, Facts]:
    return work.piece(_PROFILE, lambda: profile_with_facts(structure), rough)


def _proof(problem: Problem, profile: Profile, facts: Facts) -> tuple[Proof | None, str]:
    """Return the kernel's theorems, or why there are none."""
    try:
        return prove(problem, profile, facts, notions_of(profile)), ""
    except NotComposedError as error:
        return None, f"no bound: {error}"


def _unfinished(work: _Work, limits: Limits) -> str | None:
    """Say why not all was looked for, and what was not; None if all was."""
    if work.patience == 2 and not limits.budget.over:
        return None
    missing = ", ".join(dict.fromkeys(work.missing))
    what = f"missing are {missing}" if missing else "what is unknown may be decided with more"
    return f"the call did not come to its end, since {limits.budget.why}: {what}"


def _nothing_in_common(problem: Problem) -> str:
    """Say why parts in different notions have no bound together."""
    declared = "; ".join(
        f"{p.name}: {' and '.join(dict(p.guarantees)) or 'nothing'}" for p in problem.bound_parts
    )
    return f"no bound: the parts have no notion in common ({declared})"


def _witnesses(
    problem: Problem, profile: Profile, stated: Sequence[Bound], proof: Proof | None
) -> dict[str, Witness]:
    """Return the mechanisms that attain the bounds that are called tight."""
    found = {}
    for bound in stated:
        if bound.tight == "yes" and proof is not None:
            made = witness(problem, profile, bound.notion, proof.theorems[bound.notion])
            if made is not None:
                found[bound.notion] = made
    return found


def _shown(bound: Bound, witnesses: Mapping[str, Witness]) -> Bound:
    """Return a bound that is called tight only if mechanisms attain it (N1)."""
    if "N1" not in bound.by or bound.notion in witnesses:
        return bound
    by = tuple(name for name in bound.by if name != "N1")
    return replace(
        bound, tight="unknown", tight_note="no mechanisms were shown to attain it", by=by
    )


def compared(
    problem: Problem,
    profile: Profile,
    stated: Sequence[Bound],
    values: Mapping[str, Any],
    sizes: Mapping[str, int] | None,
) -> Comparison | None:
    """Return the comparison of guarantees that are (ε, δ), those with a δ first, if in numbers."""
    if any(case.within for case in profile.cases):
        return None  # which pairs of neighbours there are is not known
    known = {b.notion for b in stated if b.value is not None}
    for notion in epsilon_delta():
        if notion in known:
            from dpcomp_sym.optimal import comparison

            directed = (p.name for p in problem.bound_parts if p.granularity.directed)
            return comparison(profile, notion, values, sizes, frozenset(directed))
    return None


def _decided(bound: Bound, in_numbers: Comparison | None) -> Bound:
    """Say whether a bound whose sums are not exact is tight, where the numbers decide it."""
    if in_numbers is None or in_numbers.notion != bound.notion or NOTIONS[bound.notion].additive:
        return bound
    match in_numbers.tight():
        case "yes":
            return replace(bound, tight="yes", tight_note="the smallest δ at this ε")
        case "no":
            return replace(bound, tight="no", tight_note="δ can be smaller at this ε")
        case _:
            return bound


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
        {
            "map": g.map,
            "blocks": str(g.count),
            "distances": {p: str(d) for p, d in g.distances},
            **({"block": list(g.block)} if g.block else {}),
        }
        for g in vector
    ]


def _trace(derivation: Derivation) -> tuple[Step, ...]:
    """Number the steps of the kernel's theorems, premises first, each step once."""
    if derivation.vacuous:
        name = derivation.problem.granularity.name
        return (
            Step(
                1,
                f"the class has no two different {name}-neighbours",
                "structural fact",
                "GB24.III.4",
            ),
            Step(
                2,
                "every mechanism satisfies every guarantee vacuously: nothing is protected",
                "vacuity",
                "GB24.III.4",
                (1,),
            ),
        )
    return steps(derivation.theorems.values())


def _numbering(theorems: Iterable[Theorem]) -> dict[int, int]:
    """Return the numbers of steps, by identity: premises first, each step once."""
    numbers: dict[int, int] = {}
    for theorem in theorems:
        for step in dag(theorem):
            numbers.setdefault(id(step), len(numbers) + 1)
    return numbers


def steps(theorems: Collection[Theorem]) -> tuple[Step, ...]:
    """Return the derivations of theorems as numbered steps, premises first, each step once."""
    numbers = _numbering(theorems)
    every = {id(step): step for theorem in theorems for step in dag(theorem)}
    return tuple(
        Step(
            number, every[one].statement.text(),
            _RULE_NAMES.get(every[one].rule, every[one].rule.replace("_", " ")),
            every[one].source or None, tuple(numbers[id(p)] for p in every[one].premises),
        )
        for one, number in numbers.items()
    )  # fmt: skip


_RULE_NAMES = {
    "given": "given",
    "oracle": "structural fact",
    "everywhere": "group privacy",
    "preprocess": "preprocessing",
    "pushforward": "pushforward",
    "run_family": "adaptive composition of a family",
    "run_adaptively": "adaptive composition",
    "compose_profile": "profile",
    "common_distance": "distance on the common domain",
    "cover_cases": "cases",
}
