"""The canonical metric of a granularity over a class: found, proved, bounded or refuted."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib import resources
from typing import Final

from dpcomp_sym.engine.verdict import Checked, Counterexample, Proved, Refuted, Unknown, Verdict
from dpcomp_sym.finite import Database, World
from dpcomp_sym.metrics.forms import BoundForm, ClosedForm
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.small import Small, invariants_of, small_worlds
from dpcomp_sym.metrics.whole import Whole
from dpcomp_sym.model import BoundGranularity, Domain
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, CELL

__all__ = ["Canonical", "Sample", "closed_forms"]

MOST_PAIRS: Final = 80
MOST_TRIES: Final = 4


@lru_cache(maxsize=1)
def _library() -> tuple[ClosedForm, ...]:
    text = resources.files("dpcomp_sym.metrics").joinpath("library.toml").read_text("utf-8")
    return tuple(
        ClosedForm(entry["value"], entry.get("finite", "true"))
        for entry in tomllib.loads(text)["form"]
    )


def closed_forms(domain: Domain) -> list[ClosedForm]:
    """Return the closed forms of the library over a domain, with every choice of keys.

    >>> [str(f) for f in closed_forms(Domain({"id": "Record"}))][1:3]
    ['sum(abs(D[c] - E[c]))', 'sum(max(D[c] - E[c], 0)) if same() else inf']
    """
    found: list[ClosedForm] = []
    for form in _library():
        keyed = "{key}" in form.value + form.finite
        for key in _keys(domain) if keyed else [""]:
            value, finite = (
                t.replace("{key}, ", f"{key}, " if key else "").replace("{key}", key)
                for t in (form.value, form.finite)
            )
            found.append(ClosedForm(value, finite))
    return found


def _keys(domain: Domain) -> list[str]:
    attributes = [f"{a}(c)" for a in domain.attribute_sorts]
    keys = ["", *attributes]
    for name, (sorts, result) in domain.signatures.items():
        if result == BOOL or len(sorts) != 1:
            continue
        if sorts == (CELL,):
            keys.append(f"{name}(c)")
        keys += [f"{name}({a}(c))" for a, s in domain.attribute_sorts.items() if (s,) == sorts]
    if len(attributes) > 2:
        keys += [", ".join(a for a in attributes if a != left) for left in attributes]
    return keys


@dataclass(frozen=True)
class Sample:
    """Two databases in a small world, and bounds of their distance (None: no path was found)."""

    world: World
    left: Database
    right: Database
    lower: int | Infinity
    upper: int | Infinity | None

    def contradicts(self, said: int | Infinity) -> bool:
        """Return whether the distance cannot be what is said."""
        return self.too_large(said) or self.too_small(said)

    def too_large(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly smaller than what is said."""
        return self.upper is not None and _number(said) > _number(self.upper)

    def too_small(self, said: int | Infinity) -> bool:
        """Return whether the distance is certainly larger than what is said."""
        return _number(said) < _number(self.lower)

    def __str__(self) -> str:
        """Return the distance as text."""
        if self.lower == self.upper:
            return "infinite" if isinstance(self.lower, Infinity) else str(self.lower)
        most = "" if self.upper is None else f", at most {self.upper}"
        return f"at least {self.lower}{most}"


def _number(value: int | Infinity) -> float:
    return float("inf") if isinstance(value, Infinity) else value


@dataclass
class Canonical:
    """The canonical metric of a granularity: the number of edits of a shortest path in the class.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> bounded = Canonical(library_granularity("bounded").bind(domain))
    >>> str(bounded.form.source), type(bounded.verdict).__name__
    ('sum(max(D[c] - E[c], 0)) if same() else inf', 'Proved')
    """

    granularity: BoundGranularity
    _proofs: dict[ClosedForm, Obligations] = field(default_factory=dict, repr=False)

    @property
    def domain(self) -> Domain:
        """The class of databases."""
        return self.granularity.domain

    # ------------------------------------------------------------- by exhaustive search

    @cached_property
    def whole(self) -> Whole | None:
        """All databases with their distances, where the class is finite and small."""
        return Whole.of(self.granularity)

    @cached_property
    def samples(self) -> list[Sample]:
        """Pairs of databases in small worlds, small ones first, with their distances."""
        return list(self.pairs(MOST_PAIRS) if self.whole is None else self._all(self.whole))

    @staticmethod
    def _all(whole: Whole) -> Iterator[Sample]:
        """Yield all pairs of databases of a finite class, those with few records first."""
        numbers = itertools.combinations(range(len(whole.states)), 2)
        sizes = [sum(s) for s in whole.states]
        for a, b in sorted(numbers, key=lambda pair: sizes[pair[0]] + sizes[pair[1]]):
            exact = whole.distance(a, b)
            yield Sample(whole.world, whole.database(a), whole.database(b), exact, exact)

    def pairs(self, most: int | None = None) -> Iterator[Sample]:
        """Yield the pairs of databases in small worlds; of each world at most so many."""
        rng = random.Random(0)
        kept = invariants_of(self.granularity)
        for world in small_worlds(self.domain):
            small = Small(world, self.granularity, kept=kept)
            both = list(itertools.combinations(small.states, 2))
            if most is not None and len(both) > most:
                both = rng.sample(both, most)
            both.sort(key=lambda pair: sum(pair[0]) + sum(pair[1]))
            for left, right in both:
                lower, upper = small.distance(left, right)
                yield Sample(world, small.database(left), small.database(right), lower, upper)

    @cached_property
    def scope(self) -> str:
        """What was searched exhaustively."""
        worlds = list(small_worlds(self.domain))
        most = max((len(w.cells) for w in worlds), default=0)
        return f"{len(self.samples)} pairs of databases over at most {most} records"

    # ------------------------------------------------------------- closed forms

    def proof(self, form: ClosedForm) -> Obligations:
        """Return the obligations of a closed form."""
        if form not in self._proofs:
            self._proofs[form] = Obligations(self.granularity, form.bind(self.domain))
        return self._proofs[form]

    def decide(self, form: ClosedForm) -> Verdict:
        """Decide whether a closed form is the canonical metric.

        A refutation is a pair of databases, the smallest of the search, with their distance.

        >>> from dpcomp_sym.model import library_granularity
        >>> domain = Domain({"id": "Record"})
        >>> bounded = Canonical(library_granularity("bounded").bind(domain))
        >>> wrong = bounded.decide(ClosedForm("sum(abs(D[c] - E[c]))"))
        >>> wrong.counterexample.reason
        'the form says 1, the distance is infinite'
        """
        if self.granularity.directed:
            return Unknown("the edits lead one way only, so that their number is no metric")
        bound = form.bind(self.domain)
        wrong = self._wrong(bound, self.samples)
        if wrong is not None:
            return Refuted(self._smallest(bound, wrong))
        if self.whole is not None:
            return Proved()  # all pairs were compared
        proof = self.proof(form)
        if proof.exact():
            return Proved(tuple(proof.scripts))
        wrong = self._wrong(bound, self.pairs()) or self._unlike(bound)
        if wrong is not None:
            return Refuted(self._smallest(bound, wrong))
        return Checked(f"all pairs of databases in small worlds, among them {self.scope}")

    @staticmethod
    def _wrong(form: BoundForm, samples: Iterable[Sample]) -> Sample | None:
        for sample in samples:
            if sample.contradicts(form.distance(sample.world, sample.left, sample.right)):
                return sample
            if sample.contradicts(form.distance(sample.world, sample.right, sample.left)):
                return Sample(sample.world, sample.right, sample.left, sample.lower, sample.upper)
        return None

    def _unlike(self, form: BoundForm) -> Sample | None:
        """Return a pair at which the form differs from one that is proved."""
        known = self.form
        if known is None:
            return None
        for sample in self.samples:
            true = known.distance(sample.world, sample.left, sample.right)
            if form.distance(sample.world, sample.left, sample.right) != true:
                return replace(sample, lower=true, upper=true)
        return None

    def _smallest(self, form: BoundForm, found: Sample) -> Counterexample:
        """Return a wrong value as a counterexample, the one with the fewest records."""

        def weight(sample: Sample) -> tuple[int, int]:
            records = sum(sample.left.values()) + sum(sample.right.values())
            return records, len(sample.world.cells)

        every = (s for s in self.samples if weight(s) < weight(found))
        for sample in sorted(every, key=weight):
            if self._wrong(form, [sample]) is not None:
                found = sample
                break
        said = form.distance(found.world, found.left, found.right)
        text = "infinite" if isinstance(said, Infinity) else str(said)
        reason = f"the form says {text}, the distance is {found}"
        return Counterexample(found.world, found.left, found.right, reason=reason)

    # ------------------------------------------------------------- found

    @cached_property
    def candidates(self) -> list[ClosedForm]:
        """The closed forms of the library that no pair of the sample contradicts."""
        if self.granularity.directed or not self.samples:
            return []
        return [
            form
            for form in closed_forms(self.domain)
            if self._wrong(form.bind(self.domain), self.samples) is None
        ]

    @cached_property
    def form(self) -> BoundForm | None:
        """The closed form that is proved, if one of the library is."""
        for form in self.candidates:
            if self.whole is not None or self.proof(form).exact():
                return self.proof(form).form
        return None

    @cached_property
    def verdict(self) -> Verdict:
        """What is known of the metric as a closed form."""
        if self.granularity.directed:
            return Unknown("the edits lead one way only, so that their number is no metric")
        if self.whole is not None:
            return Proved()
        if self.form is not None:
            return Proved(tuple(self.proof(self.form.source).scripts))
        if self.candidates:
            return Checked(f"{self.candidates[0]}: {self.scope}")
        return Unknown("no closed form of the library fits")

    @cached_property
    def lower(self) -> BoundForm | None:
        """A closed form that is proved to be at most the metric."""
        return self.form or self._bound(Sample.too_large, Obligations.lower)

    @cached_property
    def upper(self) -> BoundForm | None:
        """A closed form that is proved to be at least the metric."""
        return self.form or self._bound(Sample.too_small, Obligations.upper)

    def _bound(
        self,
        wrong: Callable[[Sample, int | Infinity], bool],
        prove: Callable[[Obligations], bool],
    ) -> BoundForm | None:
        if self.granularity.directed or not self.samples:
            return None
        fitting: list[tuple[int, ClosedForm]] = []
        for form in closed_forms(self.domain):
            bound = form.bind(self.domain)
            said = [bound.distance(s.world, s.left, s.right) for s in self.samples]
            exact = sum(s.lower == v != INFINITY for s, v in zip(self.samples, said, strict=True))
            if exact and not any(wrong(s, v) for s, v in zip(self.samples, said, strict=True)):
                fitting.append((exact, form))
        # The closest first; between equally close ones, as they stand in the library.
        for _, form in sorted(fitting, key=lambda one: -one[0])[:MOST_TRIES]:
            if self.whole is not None or prove(self.proof(form)):
                return self.proof(form).form
        return None
