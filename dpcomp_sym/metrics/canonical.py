"""The canonical metric of a granularity over a class: found, proved, bounded or refuted."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from dpcomp_sym.engine.definitions import Pairs, counterexample, refuted
from dpcomp_sym.engine.verdict import Checked, Proved, Unknown, Verdict
from dpcomp_sym.finite import Database, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, State
from dpcomp_sym.metrics.capacities import never_larger
from dpcomp_sym.metrics.counting_terms import BoundForm, ClosedForm
from dpcomp_sym.metrics.finite_class import FiniteClass
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.readings import Readings
from dpcomp_sym.metrics.small_worlds import LARGEST_SYMBOL, Small, invariants_of
from dpcomp_sym.model import BoundGranularity, Domain
from dpcomp_sym.profile import INFINITY, Infinity

__all__ = ["Canonical", "Sample"]

MOST_PAIRS: Final = 80
MOST_TRIES: Final = 4
MOST_GIVEN_UP: Final = 3
"""Bounds are tried until the solver has given up so many questions of the granularity."""
FEW_STATES: Final = 16
MANY_STATES: Final = 32
FAR_PAIRS: Final = 16
FEW_WORLDS: Final = 6
MORE_RECORDS: Final = 2
"""A path may lead over so many records more in a cell than there are at its ends."""
MOST_MEASURED: Final = 4096
"""So many databases a path is looked for in, at most."""


@dataclass(frozen=True)
class Sample:
    """Two databases in a small world, and bounds of their distance (None: no path was found)."""

    world: World
    left: Database
    right: Database
    lower: int | Infinity
    upper: int | Infinity | None

    def contradicts(self, said: int | Infinity) -> bool:
        """Return whether the distance cannot be the stated one."""
        return self.too_large(said) or self.too_small(said)

    def too_large(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly smaller than stated."""
        return self.upper is not None and said > self.upper

    def too_small(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly larger than stated."""
        return said < self.lower

    def is_known(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly the stated one."""
        return self.lower == self.upper == said

    def at_least(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly the stated one, or larger."""
        return self.lower >= said

    def at_most(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly the stated one, or smaller."""
        return self.upper is not None and self.upper <= said

    def within(self, lower: int | Infinity | None, upper: int | Infinity | None) -> Sample:
        """Return the pair with bounds of the distance that are known besides."""
        least = max(n for n in (self.lower, lower) if n is not None)
        most = min((n for n in (self.upper, upper) if n is not None), default=None)
        return replace(self, lower=least, upper=most)

    def __str__(self) -> str:
        """Return the distance as text."""
        if self.lower == self.upper:
            return "infinite" if isinstance(self.lower, Infinity) else str(self.lower)
        most = "" if self.upper is None else f", at most {self.upper}"
        return f"at least {self.lower}{most}"


def _alike(pair: tuple[State, State]) -> int:
    """Return in how many cells two databases hold the same, or nothing."""
    return sum(a == b for a, b in zip(*pair, strict=True))


class _Looked(NamedTuple):
    """A small world in which edits are tried, from some databases."""

    graph: EditGraph
    states: Sequence[State]
    pairs: int
    """So many pairs of them are looked at, besides those that differ the most."""


Wrong = Callable[[Sample, int | Infinity], bool]
WRONG: Final[dict[str, Wrong]] = {
    "exact": Sample.contradicts, "at least": Sample.too_large, "at most": Sample.too_small,
}  # fmt: skip
SETTLED: Final[dict[str, Wrong]] = {
    "exact": Sample.is_known, "at least": Sample.at_least, "at most": Sample.at_most,
}  # fmt: skip


@dataclass
class Canonical:
    """The canonical metric of a granularity: the number of edits of a shortest path in the class.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> bounded = Canonical(library_granularity("bounded").bind(domain))
    >>> str(bounded.form.source), bounded.verdict.word
    ('sum(max(D[c] - E[c], 0)) if same() else inf', 'proved')
    """

    granularity: BoundGranularity
    shared: Readings | None = field(default=None, repr=False, compare=False)
    """What closed forms say in small worlds, where several granularities of the class use it."""
    _proofs: dict[ClosedForm, Obligations] = field(default_factory=dict, repr=False)
    _given_up: Counter[str] = field(default_factory=Counter, repr=False)
    """How often the solver has given up what for some form: less is spent on it for others."""

    @property
    def domain(self) -> Domain:
        """The class of databases."""
        return self.granularity.domain

    @cached_property
    def readings(self) -> Readings:
        """The small worlds, and what closed forms say in them."""
        return Readings(self.domain) if self.shared is None else self.shared

    # ------------------------------------------------------------- by exhaustive search

    @cached_property
    def whole(self) -> FiniteClass | None:
        """All databases with their distances, where the class is finite and small."""
        return FiniteClass.of(self.granularity)

    @cached_property
    def samples(self) -> list[Sample]:
        """Pairs of databases in small worlds, small ones first, with their distances."""
        return list(self.pairs(MOST_PAIRS) if self.whole is None else self._all(self.whole))

    @staticmethod
    def _all(whole: FiniteClass) -> Iterator[Sample]:
        """Yield all pairs of databases of a finite class, different ones with few records first."""
        numbers = itertools.combinations_with_replacement(range(len(whole.states)), 2)
        sizes = [sum(s) for s in whole.states]
        for a, b in sorted(numbers, key=lambda p: (p[0] == p[1], sizes[p[0]] + sizes[p[1]])):
            exact = whole.distance(a, b)
            yield Sample(whole.world, whole.database(a), whole.database(b), exact, exact)

    def pairs(self, most: int | None = None) -> Iterator[Sample]:
        """Yield the pairs of databases in small worlds; of each world at most so many."""
        rng = random.Random(0)
        for small in self._worlds():
            both = list(itertools.combinations(small.states, 2))
            if most is not None and len(both) > most:
                both = rng.sample(both, most)
            both.sort(key=lambda pair: sum(pair[0]) + sum(pair[1]))
            for left, right in both:
                lower, upper = small.distance(left, right)
                ends = small.database(left), small.database(right)
                yield Sample(small.world, *ends, lower, upper)

    def _worlds(self) -> Iterator[Small]:
        """Yield the small worlds with their distances."""
        kept = invariants_of(self.granularity)
        return (Small(w, self.granularity, kept=kept) for w in self.readings.worlds)

    def _alike(self) -> Iterator[Sample]:
        """Yield a database of each small world beside itself: its distance is 0."""
        for world in self.readings.worlds:
            for state in Small(world, self.granularity).states:
                database = dict(zip(world.cells, state, strict=True))
                yield Sample(world, database, database, 0, 0)

    # ------------------------------------------------------------- closed forms

    def proof(self, form: ClosedForm) -> Obligations:
        """Return the obligations of a closed form."""
        if form not in self._proofs:
            bound = form.bind(self.domain)
            self._proofs[form] = Obligations(self.granularity, bound, given_up=self._given_up)
        return self._proofs[form]

    def decide(self, form: ClosedForm, bound: str = "exact") -> Verdict:
        """Decide whether a closed form is the canonical metric, or bounds it.

        A refutation is a pair of databases, the smallest of the search, with their distance.

        Args:
            form: what is claimed.
            bound: ``exact``, or the distance is ``at least`` or ``at most`` what the form says.

        >>> from dpcomp_sym.model import library_granularity
        >>> domain = Domain({"id": "Record"})
        >>> bounded = Canonical(library_granularity("bounded").bind(domain))
        >>> changed = ClosedForm("sum(abs(D[c] - E[c]))")
        >>> bounded.decide(changed).counterexample.reason
        'the form says 1, the distance is infinite'
        >>> bounded.decide(ClosedForm("abs(size(D) - size(E))"), "at least")
        Proved(...)
        """
        if self.granularity.directed:
            return Unknown("the edits lead one way only, so that their number is not a metric")
        claimed, wrong = form.bind(self.domain), WRONG[bound]
        found = self._wrong(claimed, self.samples, wrong)
        if found is not None:
            return self._refuted(claimed, found, wrong)
        if self.whole is not None:
            return Proved()  # all pairs were compared
        if self.proves(form, bound):
            return Proved(tuple(self.proof(form).scripts))
        return self._searched(claimed, bound)

    def _searched(self, claimed: BoundForm, bound: str) -> Verdict:
        """Compare a claim with all pairs of databases in the small worlds, and say with how many.

        A pair settles the claim where enough is known of its distance.
        """
        wrong, settles = WRONG[bound], SETTLED[bound]
        settled, pairs, worlds = 0, 0, dict[int, World]()
        for sample in self._informed(itertools.chain(self.pairs(), self._alike())):
            ends = ((sample.left, sample.right), (sample.right, sample.left))
            said = [claimed.distance(sample.world, *both) for both in ends]
            if any(wrong(sample, one) for one in said):
                return self._refuted(claimed, sample, wrong)
            settled += all(settles(sample, one) for one in said)
            pairs += 1
            worlds[id(sample.world)] = sample.world
        if not settled:
            return Unknown("neither proved, nor is a distance known in the small worlds searched")
        most = max(len(w.cells) for w in worlds.values())
        symbols = f", symbols at most {LARGEST_SYMBOL}" if self.domain.symbols else ""
        known = "all" if settled == pairs else f"{settled} of"
        rest = "" if settled == pairs else "; of the others too little is known"
        return Checked(
            f"{known} {pairs} pairs of databases in {len(worlds)} small worlds, over at most "
            f"{most} records{symbols}{rest}"
        )

    def proves(self, form: ClosedForm, bound: str) -> bool:
        """Prove a claim: by its own steps, or because a form that is proved says more."""
        claimed = form.bind(self.domain)
        match bound:
            case "at least":
                known = self.lower
                return self._lower(form) or (known is not None and never_larger(claimed, known))
            case "at most":
                known = self.upper
                return self._upper(form) or (known is not None and never_larger(known, claimed))
            case _:
                return self._exact(form)

    def _informed(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Yield samples with what is proved of the distances."""
        for sample in samples:
            if sample.lower == sample.upper:
                yield sample
                continue
            yield sample.within(*(
                None if form is None else form.distance(sample.world, sample.left, sample.right)
                for form in (self.lower, self.upper)
            ))  # fmt: skip

    def _wrong(
        self, form: BoundForm, samples: Iterable[Sample], wrong: Wrong = Sample.contradicts
    ) -> Sample | None:
        for sample in samples:
            for one in (sample, replace(sample, left=sample.right, right=sample.left)):
                if wrong(one, self.readings.distance(form, one.world, one.left, one.right)):
                    return one
        return None

    def _refuted(self, form: BoundForm, found: Sample, wrong: Wrong) -> Verdict:
        """Return a wrong value as a refutation, the one with the fewest records."""

        def weight(sample: Sample) -> tuple[int, int]:
            records = sum(sample.left.values()) + sum(sample.right.values())
            return records, len(sample.world.cells)

        every = (s for s in self.samples if weight(s) < weight(found))
        for sample in sorted(every, key=weight):
            if self._wrong(form, [sample], wrong) is not None:
                found = sample
                break

        def fails(world: World, left: Database, right: Database) -> bool:
            sample = self.measured(replace(found, world=world, left=left, right=right))
            return sample is not None and self._wrong(form, [sample], wrong) is not None

        said = form.distance(found.world, found.left, found.right)
        text = "infinite" if isinstance(said, Infinity) else str(said)
        reason = f"the form says {text}, the distance is {found}"
        pairs = Pairs(self.granularity, linked=False)
        return refuted(
            counterexample(pairs, fails, found.world, found.left, found.right, reason=reason)
        )

    def measured(self, sample: Sample) -> Sample | None:
        """Return a pair with the length of a path that the evaluator finds anew.

        None is returned if it is shorter than the stated distance, which then is wrong.
        """
        world, ends = sample.world, (sample.left, sample.right)
        known = None if self.whole is None else self.whole.states
        graph = EditGraph(world, self.granularity, world.cells, self._room(*ends), known)
        length = graph.distance(*(tuple(d.get(c, 0) for c in world.cells) for d in ends))
        if length == UNREACHABLE:
            return sample
        return None if int(length) < sample.lower else sample.within(None, int(length))

    def is_small(self, world: World, *ends: Database) -> bool:
        """Return whether the databases are few that paths between two of them could go through."""
        many: int = (self._room(*ends) + 1) ** len(world.cells)
        return many <= MOST_MEASURED

    def _room(self, *ends: Database) -> int:
        """Return how many records a cell may hold on a path between databases."""
        if self.domain.cap is not None:
            return self.domain.cap
        return max((n for d in ends for n in d.values()), default=0) + MORE_RECORDS

    def _exact(self, form: ClosedForm) -> bool:
        return form.bind(self.domain).separable and self._lower(form) and self._upper(form)

    def _lower(self, form: ClosedForm) -> bool:
        return self._keeps_step(form.bind(self.domain)) and self.proof(form).lower()

    def _upper(self, form: ClosedForm) -> bool:
        return self._falls(form.bind(self.domain)) and self.proof(form).upper()

    # What the solver is to prove is first looked at in small worlds, where it may be wrong.

    @cached_property
    def _few(self) -> list[_Looked]:
        """The small worlds with few databases: those with the fewest cells first."""
        return [
            _Looked(small.graph, small.states, MOST_PAIRS) for small in self._worlds()
            if 1 < len(small.states) <= FEW_STATES
        ]  # fmt: skip

    @cached_property
    def _wide(self) -> list[_Looked]:
        """Some databases of worlds with a few cells more."""
        graphs = [EditGraph(w, self.granularity, w.cells, 1) for w in self.readings.wider]
        rng = random.Random(0)
        return [
            _Looked(graph, rng.sample(graph.states, min(len(graph.states), MANY_STATES)), FAR_PAIRS)
            for graph in graphs
        ]

    def _said(self, form: BoundForm, graph: EditGraph, left: State, right: State) -> float:
        ends = graph.database(left), graph.database(right)
        value = self.readings.distance(form, graph.world, *ends)
        return math.inf if isinstance(value, Infinity) else value

    def _keeps_step(self, form: BoundForm) -> bool:
        """Return whether no edit in a very small world changes the form by more than one."""
        for looked in self._few[:FEW_WORLDS]:
            said = partial(self._said, form, looked.graph)
            for goal, start in itertools.product(looked.states, repeat=2):
                here = said(goal, start)
                for after in looked.graph.after(start):
                    there = said(goal, after)
                    if here != there and abs(here - there) != 1:
                        return False
        return True

    def _falls(self, form: BoundForm) -> bool:
        """Return whether some edit makes the form smaller, for pairs in very small worlds.

        What passes there is looked at in the largest of the small worlds, and in wider ones.
        """
        rng = random.Random(0)
        few, rest = self._few[:FEW_WORLDS], self._few[FEW_WORLDS:]
        for looked in itertools.chain(few, rest[-FEW_WORLDS:], self._later()):
            graph, said = looked.graph, partial(self._said, form, looked.graph)
            pairs = list(itertools.combinations(looked.states, 2))
            some = rng.sample(pairs, min(len(pairs), looked.pairs))
            # Where much differs, what comes may have no room before something else goes.
            for left, right in (*sorted(pairs, key=_alike)[:FAR_PAIRS], *some):
                here = said(left, right)
                if (
                    0 < here < math.inf
                    and not any(said(left, s) < here for s in graph.adjacent(right))
                    and not any(said(s, right) < here for s in graph.adjacent(left))
                ):
                    return False
        return True

    def _later(self) -> Iterator[_Looked]:
        """Yield the wider worlds, which are made when they are needed."""
        yield from self._wide

    # ------------------------------------------------------------- found

    @cached_property
    def candidates(self) -> list[ClosedForm]:
        """The closed forms of the library that no pair of the sample contradicts."""
        if self.granularity.directed or not self.samples:
            return []
        return [
            form.source for form in self.readings.forms if self._wrong(form, self.samples) is None
        ]

    @cached_property
    def form(self) -> BoundForm | None:
        """The closed form that is proved, if one of the library is."""
        for form in self.candidates:
            if self.whole is not None or self._exact(form):
                return self.proof(form).form
        return None

    @cached_property
    def verdict(self) -> Verdict:
        """What is known of the metric as a closed form."""
        if self.granularity.directed:
            return Unknown("the edits lead one way only, so that their number is not a metric")
        if self.whole is not None:
            return Proved()
        if self.form is not None:
            return Proved(tuple(self.proof(self.form.source).scripts))
        if self.candidates:  # what only fits the pairs that it was chosen by says nothing
            return Unknown("no closed form of the library was proved")
        return Unknown("no closed form of the library fits")

    @cached_property
    def lower(self) -> BoundForm | None:
        """A closed form that is proved to be at most the metric."""
        return self.form or self._bound(Sample.too_large, self._lower)

    @cached_property
    def upper(self) -> BoundForm | None:
        """A closed form that is proved to be at least the metric."""
        return self.form or self._bound(Sample.too_small, self._upper)

    def _bound(
        self,
        wrong: Wrong,
        prove: Callable[[ClosedForm], bool],
    ) -> BoundForm | None:
        if self.granularity.directed or not self.samples:
            return None
        fitting: list[tuple[int, ClosedForm]] = []
        for form in self.readings.forms:
            said = [self.readings.distance(form, s.world, s.left, s.right) for s in self.samples]
            exact = sum(s.lower == v != INFINITY for s, v in zip(self.samples, said, strict=True))
            if exact and not any(wrong(s, v) for s, v in zip(self.samples, said, strict=True)):
                fitting.append((exact, form.source))
        # The closest first; between equally close ones, as they stand in the library.
        for _, close in sorted(fitting, key=lambda one: -one[0])[:MOST_TRIES]:
            if self._given_up.total() >= MOST_GIVEN_UP:
                return None
            if self.whole is not None or prove(close):
                return self.proof(close).form
        return None
