"""Distances between granularities: how far apart, in one, the neighbours of another can be.

``dist(G1, G2)`` is the largest G1-distance of G2-neighbours.  Then d of G1 <= dist · d of G2, and
what is ε-private for G1 is (dist · ε)-private for G2 (GB24, A.3).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.engine.definitions import Fails, Pairs, counterexample
from dpcomp_sym.engine.pieces import in_pieces
from dpcomp_sym.engine.profiler import profile_of, rough_profile
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.engine.verdict import (
    Counterexample,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    not_decided,
)
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.limits import in_time
from dpcomp_sym.metrics.boxes import fills_boxes
from dpcomp_sym.metrics.canonical import Canonical, Sample
from dpcomp_sym.metrics.capacities import capacities, most_between_neighbours, neighbours_beyond
from dpcomp_sym.metrics.counting_terms import BoundForm, ClosedForm
from dpcomp_sym.metrics.distance_relation import DistanceRelation, ProductFormula
from dpcomp_sym.metrics.finite_class import FiniteClass
from dpcomp_sym.metrics.full_tables import replaces_all
from dpcomp_sym.metrics.growth import SHARE, grows, reaches
from dpcomp_sym.metrics.inductive import WorkSpent, parted
from dpcomp_sym.metrics.narrows import passes_few
from dpcomp_sym.metrics.product_bounds import fills
from dpcomp_sym.metrics.readings import Readings
from dpcomp_sym.metrics.shifted import moves_many
from dpcomp_sym.metrics.small_worlds import Small, invariants_of, most_records
from dpcomp_sym.metrics.triangle import completed
from dpcomp_sym.model import (
    BoundEdit,
    BoundGranularity,
    Domain,
    Granularity,
    Part,
    Problem,
    Universe,
    library_map,
)
from dpcomp_sym.profile import INFINITY, Distance, Infinity, Number, Profile, Symbolic, Total
from dpcomp_sym.smt import Pair, Query, View, ViewDistance, logic
from dpcomp_sym.smt.asking import work_done
from dpcomp_sym.smt.gapless import fill_list
from dpcomp_sym.smt.pair import fill_product
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import INT, TRUE, Term, cases, free_variables, reads_database
from dpcomp_sym.terms.term import integer, variable

__all__ = ["Relations"]

MOST: Final = 8
"""The largest finite distance that is looked for."""
MOST_PAIRS: Final = 60
"""How many neighbours are looked at in a small world, about."""
MOST_STEPS: Final = 3
"""The longest path that is looked for where no closed form is known."""
MOST_PATHS: Final = 8
"""How many paths of a length are put to the solver, at most; few are needed."""
RESOURCES: Final = 150_000
"""What a check in the search of paths may cost."""
SIZES: Final = ClosedForm("abs(size(D) - size(E))")
MOST_PARTED: Final = 3
"""So many neighbours are looked at that no path was found between."""
MOST_HARD: Final = 2
"""So often that may take too much work, for one granularity."""
MOST_SEEDS: Final = 3
"""How many seeds are tried: whether the solver gives up within its resources depends on chance."""
MOST_WORK: Final = 150_000
"""What all checks in the search of paths may cost together; proofs have cost less."""
"""Neighbours are shown in worlds with so few sets of records that all paths can be looked at."""
MOST_TIMES: Final = 2
"""The largest multiple of a symbol that is looked for."""


@dataclass
class Relations:
    """All distances between granularities over one class.

    >>> from dpcomp_sym.model import library_granularity
    >>> names = ["unbounded", "bounded"]
    >>> both = Relations(Domain({"id": "R"}), {n: library_granularity(n) for n in names})
    >>> both.distance("unbounded", "bounded").distance
    2
    >>> both.distance("bounded", "unbounded").distance
    Infinity()
    """

    domain: Domain
    granularities: Mapping[str, Granularity]
    _known: dict[tuple[str, str], DistanceRelation] = field(default_factory=dict, repr=False)
    _both_ways: dict[str, Relations] = field(default_factory=dict, repr=False)

    @cached_property
    def metrics(self) -> dict[str, Canonical]:
        """The canonical metrics by name."""
        shared = self.readings
        return {n: Canonical(g.bind(self.domain), shared) for n, g in self.granularities.items()}

    def both_ways(self, name: str) -> Relations:
        """Return the same with the edits of a granularity leading either way.

        A distance that is the same in both directions is no farther between these neighbours.
        """
        if name not in self._both_ways:
            given = self.granularities[name]
            either = {**self.granularities, name: replace(given, directed=False)}
            found = Relations(self.domain, either)
            found.readings = self.readings
            turned = Canonical(either[name].bind(self.domain), self.readings)
            found.metrics = {**self.metrics, name: turned}
            self._both_ways[name] = found
        return self._both_ways[name]

    @cached_property
    def hard(self) -> Counter[str]:
        """How often it took too much work to part databases, by granularity that measures."""
        return Counter()

    @cached_property
    def readings(self) -> Readings:
        """The small worlds of the class, and what closed forms say in them."""
        return Readings(self.domain)

    def distance(self, of: str, to: str) -> DistanceRelation:
        """Return how far apart, in ``of``, neighbours in ``to`` can be.

        Where nothing decides that by itself, what the distances of the others say of it counts too.
        """
        known = self.by_itself(of, to)
        return known if isinstance(known.verdict, Proved | Vacuous) else self._completed[of, to]

    def by_itself(self, of: str, to: str) -> DistanceRelation:
        """Return the same, by what is known of these two alone."""
        if (of, to) not in self._known:
            self._known[of, to] = in_time(
                lambda: self._found(of, to),
                lambda why: DistanceRelation(of, to, not_decided(why), None),
            )
        return self._known[of, to]

    @cached_property
    def _completed(self) -> dict[tuple[str, str], DistanceRelation]:
        pairs = itertools.permutations(self.granularities, 2)
        return completed(itertools.starmap(self.by_itself, pairs))

    def _found(self, of: str, to: str) -> DistanceRelation:
        inner, outer = (self.metrics[name].granularity for name in (of, to))
        if not (inner.directed or outer.directed):
            return _Question(self, of, to).answer()
        # Several edits in a row do more if each of them leads either way.
        if inner.directed or self.granularities[to].group > 1:
            return _Question(self, of, to).one_way()
        found = self.both_ways(to).by_itself(of, to)
        return replace(found, example=_in_order(found.example, outer))

    def all(self) -> list[DistanceRelation]:
        """Return the distances of all pairs of different granularities."""
        return [self.distance(a, b) for a, b in itertools.permutations(self.granularities, 2)]

    @cached_property
    def neighbours(self) -> dict[str, list[tuple[World, Any, Any]]]:
        """Neighbours in small worlds, by granularity; each pair in one order."""
        return {n: self._neighbours(m.granularity) for n, m in self.metrics.items()}

    def _neighbours(self, granularity: BoundGranularity) -> list[tuple[World, Any, Any]]:
        found = []
        for world in self.readings.worlds:
            graph = EditGraph(world, granularity, world.cells, most_records(world))
            here = [(world, left, right) for left, right in graph.pairs() if left < right]
            here.sort(key=lambda one: sum(one[1]) + sum(one[2]))
            found += here[:: max(1, len(here) // MOST_PAIRS)]
        return found

    @cached_property
    def _between(self) -> dict[tuple[str, BoundEdit, ClosedForm, int | Term], bool]:
        return {}

    def most_between(self, to: str, edit: BoundEdit, form: BoundForm, most: int | Term) -> bool:
        """Prove that a form is at most so large between neighbours in ``to`` by one of its edits.

        Several granularities have the same form as their metric: it is asked once for all.
        """
        key = (to, edit, form.source, most)
        if key not in self._between:
            outer = self.metrics[to].granularity
            self._between[key] = most_between_neighbours(outer, edit, form, most)
        return self._between[key]

    @cached_property
    def _small(self) -> dict[tuple[str, int], Small]:
        return {}

    def small(self, name: str, world: World) -> Small:
        """Return exact distances of a granularity in one of the worlds."""
        key = (name, id(world))
        if key not in self._small:
            granularity = self.metrics[name].granularity
            self._small[key] = Small(world, granularity, kept=self.kept[name])
        return self._small[key]

    @cached_property
    def kept(self) -> dict[str, Any]:
        """The counts that the edits of each granularity keep."""
        return {n: invariants_of(m.granularity) for n, m in self.metrics.items()}

    # ------------------------------------------------------------- the order

    def order(self) -> list[tuple[str, str, Number | ProductFormula]]:
        """Return the finite distances that do not follow from others, as (of, to, distance).

        A distance follows if a way over other granularities has a product that is no larger.
        Granularities at distance 1 both ways are the same metric.
        """
        kept = {
            (r.of, r.to): r.distance
            for r in self.all()
            if isinstance(r.distance, int | Symbolic) and isinstance(r.verdict, Proved)
        }
        for (a, b), direct in sorted(kept.items(), key=lambda item: (_rank(item[1]), item[0])):
            others = {k: n for k, n in kept.items() if k != (a, b)}
            if _follows(others, a, b, direct):
                del kept[a, b]
        found: list[tuple[str, str, Number | ProductFormula]] = [
            (r.of, r.to, r.distance)
            for r in self.all()
            if isinstance(r.distance, ProductFormula | Total)
        ]
        found += [(a, b, n) for (a, b), n in kept.items()]
        return sorted(found, key=lambda one: one[:2])


def _in_order(
    example: Counterexample | None, granularity: BoundGranularity
) -> Counterexample | None:  # fmt: skip
    """Return an example with its databases in the order in which edits lead."""
    for one in () if example is None else (example, example.swapped()):
        if one.world.linking(granularity, one.old, one.new, one.world.cells) is not None:
            return one
    return None


def _rank(distance: int | Symbolic) -> tuple[bool, int]:
    """Return what large distances come first by."""
    symbolic = isinstance(distance, Symbolic)
    return not symbolic, -(distance.factor if isinstance(distance, Symbolic) else distance)


def _follows(
    links: Mapping[tuple[str, str], int | Symbolic], start: str, goal: str, most: int | Symbolic
) -> bool:
    """Return whether the least product of distances along a way is at most so large.

    A symbol is at least 1, and one way uses it once: ``n * m`` is at most ``most`` for all values
    if the factors compare and the way depends on no symbol but that of ``most``.
    """
    symbol = most.symbol if isinstance(most, Symbolic) else None
    limit = most.factor if isinstance(most, Symbolic) else most
    best: dict[tuple[str, bool], int] = {(start, False): 1}
    border = [(start, False)]
    while border:
        here = border.pop()
        for (a, b), n in links.items():
            if a != here[0]:
                continue
            if isinstance(n, Symbolic) and (here[1] or n.symbol != symbol):
                continue
            factor = best[here] * (n.factor if isinstance(n, Symbolic) else n)
            there = (b, here[1] or isinstance(n, Symbolic))
            if factor < best.get(there, limit + 1):
                best[there] = factor
                border.append(there)
    return (goal, False) in best or (goal, True) in best


class _Question:
    """How far apart in one granularity neighbours in another can be."""

    def __init__(self, relations: Relations, of: str, to: str) -> None:
        self.relations, self.of, self.to = relations, of, to
        self.inner, self.outer = relations.metrics[of], relations.metrics[to]
        problem = Problem(
            relations.domain, relations.granularities[to], [library_map("identity")],
            [Part("inner", "identity", relations.granularities[of])],
        )  # fmt: skip
        self.structure = Structure(problem)

    def answer(self) -> DistanceRelation:
        """Decide by what is cheap first: examples, closed forms, paths, growing families."""
        if self.inner.whole is not None and self.outer.whole is not None:
            return self._listed(self.inner.whole, self.outer.whole)
        best = self._example()
        example = None if best is None else self._told(best, self._measured(best))
        if example is None:
            best = None  # there is none, or none that the evaluator confirms
        if best is None and isinstance(self.structure.vacuity, Vacuous):
            return DistanceRelation(self.of, self.to, self.structure.vacuity, 0, 0, 0,
                            why=f"{self.to} has no neighbours")  # fmt: skip
        least: int | Infinity = 0 if best is None else best.lower
        if isinstance(least, Infinity):
            return DistanceRelation(
                self.of, self.to, Proved(), INFINITY, INFINITY, INFINITY, example
            )
        family = self._family()
        if family is not None:
            return DistanceRelation(
                self.of, self.to, Proved(), INFINITY, INFINITY, INFINITY, example, family
            )
        bound, why = self._symbolic()
        if bound is not None and why is not None:
            return DistanceRelation(self.of, self.to, Proved(), bound, bound, bound, example, why)
        most = self._most(least)
        if most is not None and most > least:
            least, example = self._farther(least, most, example)
        if most is not None and least == most:
            return DistanceRelation(self.of, self.to, Proved(), most, least, most, example)
        sure = most is not None or isinstance(bound, Symbolic)
        far, attained = self._made_of(bounded=sure)
        if far is not None and attained:
            return DistanceRelation(
                self.of, self.to, Proved(), far, far, far, example,
                f"neighbours {far} apart are there for all values of the symbols"
                if not isinstance(far, int) else "",
            )  # fmt: skip
        if isinstance(far, int) and (most is None or far < most):
            most = far
        limit: Number | ProductFormula | None = bound if most is None else most
        limit = far if limit is None else limit
        if limit is None:
            boxes = self._boxes()
            if boxes is not None:
                return DistanceRelation(
                    self.of, self.to, Proved(), INFINITY, INFINITY, INFINITY, example, boxes
                )
            lost = self._unreachable()
            if lost is not None:
                return lost
        told = f"at least {least}" + ("" if limit is None else f", at most {limit}")
        return DistanceRelation(
            self.of, self.to, Unknown(f"proved is only: {told}"), None, least, limit,
            example,
        )  # fmt: skip

    def one_way(self) -> DistanceRelation:
        """Decide for a granularity whose edits lead one way, as for what a part sees."""
        (part,) = self.structure.problem.bound_parts
        if isinstance(self.structure.vacuity, Vacuous):
            return DistanceRelation(self.of, self.to, self.structure.vacuity, 0, 0, 0,
                                    why=f"{self.to} has no neighbours")  # fmt: skip
        profile = profile_of(self.structure)
        seen = _seen(profile)
        far = seen if isinstance(seen, Number | Infinity) and profile.proved else None
        attained = all(c.attained and not (c.shown or c.within) for c in profile.cases)
        if isinstance(far, Infinity) and not (
            attained or all(c.unbounded and not c.shown for c in profile.cases)
        ):
            far = None
        least, example = 0, None
        for most in range(far if isinstance(far, int) else MOST_STEPS):
            shorter = self.structure.sensitivity(part, most)
            if not isinstance(shorter, Refuted):
                break
            least, example = most + 1, shorter.counterexample
        if example is not None:
            said = far if far == least else f"at least {least}"
            reason = f"neighbours in {self.to}, at distance {said} in {self.of}"
            example = replace(example, blocks=(), distances=(), reason=reason, changed=())
        if far is not None and (isinstance(far, Infinity) or attained or far == least):
            return DistanceRelation(self.of, self.to, Proved(), far, far, far, example)
        told = f"at least {least}" + ("" if far is None else f", at most {far}")
        return DistanceRelation(self.of, self.to, Unknown(f"proved is only: {told}"), None, least,
                                far, example)  # fmt: skip

    def _listed(self, inner: FiniteClass, outer: FiniteClass) -> DistanceRelation:
        """Decide for a finite class, whose neighbours are all listed."""
        if not outer.pairs:
            return DistanceRelation(
                self.of, self.to, Vacuous(), 0, 0, 0, why=f"{self.to} has no neighbours"
            )
        a, b = max(outer.pairs, key=lambda pair: inner.distance(*pair))
        far = inner.distance(a, b)
        sample = Sample(outer.world, outer.database(a), outer.database(b), far, far)
        return DistanceRelation(
            self.of, self.to, Proved(), far, far, far, self._told(sample, self._measured(sample))
        )

    # ------------------------------------------------------------- from below

    def _example(self) -> Sample | None:
        """Return neighbours in a small world that are farthest apart, the smallest first."""
        best: Sample | None = None
        form, exact = self.inner.lower, self.inner.form is not None
        for world, left, right in self.relations.neighbours[self.to]:
            small = self.relations.small(self.of, world)
            old, new = small.database(left), small.database(right)
            least = 0 if form is None else self.inner.readings.distance(form, world, old, new)
            lower, upper = (least, least) if exact else small.distance(left, right)
            lower = max(least, lower)
            if best is None or lower > best.lower:
                upper = lower if isinstance(lower, Infinity) else upper
                best = Sample(world, old, new, lower, upper)
                if isinstance(lower, Infinity):
                    break
        return best

    def _measured(self, sample: Sample) -> Fails:
        """Return the definition of neighbours so far apart: no path is shorter."""

        def holds(world: World, left: Any, right: Any) -> bool:
            ends = replace(sample, world=world, left=left, right=right)
            return self.inner.measured(ends) is not None

        return holds

    def _told(self, sample: Sample, holds: Fails) -> Counterexample | None:
        """Return neighbours as an example of a distance, if they are one by definition."""
        reason = f"neighbours in {self.to}, at distance {sample} in {self.of}"
        return counterexample(
            Pairs(self.outer.granularity), holds, sample.world, sample.left, sample.right,
            reason=reason,
        )  # fmt: skip

    def _farther(
        self, least: int, most: int, example: Counterexample | None
    ) -> tuple[int | Infinity, Counterexample | None]:
        """Look with the solver for neighbours that are farther apart than those in small worlds."""
        if self.inner.form is not None:
            return self._farther_by_form(self.inner.form, least, most) or (least, example)
        (part,) = self.structure.problem.bound_parts
        for number in range(most - 1, least - 1, -1):
            for edit in self.structure.edits:
                found = self.structure.far_apart(edit, part, number, reverse=False)
                if found is not None:
                    seen = self.structure.bracket(found, part, ())
                    shown = Sample(found.world, found.old, found.new, seen.lower, seen.upper)
                    told = self._told(shown, self.structure.too_far(part, number))
                    if told is not None:
                        return seen.lower, told
        return least, example

    def _farther_by_form(
        self, form: BoundForm, least: int, most: int
    ) -> tuple[int | Infinity, Counterexample] | None:
        """Look for neighbours for which the closed form of the distance is larger."""
        outer = self.outer.granularity
        for number, edit in itertools.product(range(most - 1, least - 1, -1), outer.edits):
            for found in neighbours_beyond(outer, edit, form, number):
                if not self.inner.is_small(found.world, found.old, found.new):
                    continue
                far = form.distance(found.world, found.old, found.new)
                shown = Sample(found.world, found.old, found.new, far, far)
                told = self._told(shown, self._measured(shown))
                if told is not None:
                    return far, told
        return None

    def _unreachable(self) -> DistanceRelation | None:
        """Return that no edits lead from a database to a neighbour, if a set parts some two."""
        tried, spent = 0, WorkSpent()
        if self.relations.hard[self.of] == MOST_HARD:
            return None
        for world, left, right in self.relations.neighbours[self.to]:
            small = self.relations.small(self.of, world)
            if small.distance(left, right)[1] is not None:
                continue
            old, new = small.database(left), small.database(right)
            why = parted(world, self.inner.granularity, old, new, spent)
            if why is not None:
                ends = Sample(world, old, new, INFINITY, INFINITY)
                told = self._told(ends, lambda *_: True)
                if told is not None:
                    return DistanceRelation(
                        self.of, self.to, Proved(), INFINITY, INFINITY, INFINITY, told,
                        f"edits lead from one of them to such databases alone: {why}",
                    )  # fmt: skip
            tried += 1
            if spent.over or tried == MOST_PARTED:
                self.relations.hard[self.of] += spent.over
                break
        return None

    # ------------------------------------------------------------- from above

    def _most(self, least: int) -> int | None:
        """Return a proved upper bound, or None."""
        bounds = []
        for edit in self.structure.edits:
            found = self._by_form(edit, least)
            if found is None:
                found = self._by_paths(edit, least)
            if found is None:
                return None
            bounds.append(found)
        return max(bounds)

    def _symbolic(self) -> tuple[Symbolic | ProductFormula | None, str | None]:
        """Return an upper bound that depends on symbols, and why it is attained, if it is."""
        domain, edits = self.relations.domain, self.outer.granularity.edits
        names = _positive(domain) if any(e.frame is not None for e in edits) else []
        form = self.inner.upper if names else None
        if form is None:
            return None, None
        found: Symbolic | ProductFormula | None = None
        for name in names:
            bound = self._least_multiple(name, form)
            if bound is not None:
                ways = (reaches(self.inner, self.outer.granularity, e, bound) for e in edits)
                why = next((w for w in ways if w is not None), None)
                if why is not None:
                    return bound, why
                found = found or bound
        filled = self._filled(form)
        return filled if found is None or filled[1] is not None else (found, None)

    def _least_multiple(self, name: str, form: BoundForm) -> Symbolic | None:
        """Return the least multiple of a symbol, which is at least 1, that is a proved bound."""
        least = None
        for times in range(MOST_TIMES, 0, -1):
            term = Term("mul", (integer(times), variable(name, INT)), INT)
            edits = self.outer.granularity.edits
            if not all(self.relations.most_between(self.to, e, form, term) for e in edits):
                break  # then no smaller one is proved either
            least = Symbolic(name, times)
        return least

    def _filled(self, form: BoundForm) -> tuple[Symbolic | ProductFormula | None, str | None]:
        """Return the number of records that there can be in a frame, once or twice, as a bound."""
        domain, outer = self.relations.domain, self.outer.granularity
        (edit, *more) = outer.edits
        for room in () if more else capacities(domain, edit):
            if not free_variables(room.size):
                continue
            for sides in range(1, MOST_TIMES + 1):
                term = room.size
                if sides > 1:
                    term = Term("mul", (integer(sides), term), INT)
                if self.relations.most_between(self.to, edit, form, term):
                    why = fills(self.inner, outer, edit, room, sides)
                    if why is None and sides == 1:
                        why = replaces_all(self.inner, outer, edit, room)
                    return self._simple(room.size, sides) or ProductFormula(term), why
        return None, None

    def _simple(self, size: Term, times: int) -> Symbolic | None:
        """Return a multiple of a symbol that is at least 1, if a product is one."""
        positive = size.op == "var" and size.name in _positive(self.relations.domain)
        return Symbolic(size.name, times) if positive else None

    def _by_form(self, edit: BoundEdit, least: int) -> int | None:
        form = self.inner.form
        if form is None:
            return None

        def proved(number: int) -> bool:
            return self.relations.most_between(self.to, edit, form, number)

        if not proved(MOST):  # then none of a smaller one either
            return None
        return next((n for n in range(max(least, 1), MOST) if proved(n)), MOST)

    def _by_paths(self, edit: BoundEdit, least: int) -> int | None:
        (part,) = self.structure.problem.bound_parts
        domain, inner = self.relations.domain, self.inner.granularity
        if reads_database(edit.step) and all(e.frame is None for e in inner.edits):
            return None  # what moves along is not made up for by a few records
        begin = None
        for number in range(max(least, 1), MOST_STEPS + 1):
            for seed in range(MOST_SEEDS):
                pair = self.structure.pair(edit)
                done = work_done(pair.query.solver)
                begin = done if begin is None else begin
                left = MOST_WORK - (done - begin)
                if left <= 0:
                    return None
                pair.query.limit(min(RESOURCES, left), seed)
                view = pair.view(part.map, ())
                fill_list(pair, view.changed())
                if domain.universe is Universe.PRODUCT and domain.cell_term == TRUE:
                    fill_product(pair)  # cells on the way, all of which there are
                distance = ViewDistance(view, part.granularity, paths=MOST_PATHS, work=left)
                outcome = distance.at_most(number)
                if outcome == "proved":
                    return number
                if outcome == "candidate":
                    # A longer path may lead over more cells, which are named from two steps on.
                    named = number > 1 or domain.universe is not Universe.PRODUCT
                    if named and not distance.resist(MOST_STEPS):
                        return None
                    break
        return None

    def _made_of(self, *, bounded: bool) -> tuple[Number | None, bool]:
        """Return how many single steps, or pieces, the edits are made of, and if it is attained.

        Or how many records with a limit of several keys there are in frames.  None if no edit is
        known to be made of such; what the others do is bounded beside it.  ``bounded``: something
        is known from closed forms.
        """
        (part,) = self.structure.problem.bound_parts
        keys = [key for key, _ in self.relations.domain.limit_terms]
        several = any(key.op == "tuple" for key in keys)

        def counted(edit: BoundEdit) -> bool:
            """Return whether it says more how many records there are than closed forms do."""
            if edit.frame is None:
                return False
            ways = len(cases(edit.frame))
            if not several and ways == 1:
                return False
            number = records_by_keys(self.structure, edit, part.map, one_block=False)
            if isinstance(number, int) or number is None:
                return number is not None
            return ways > 1 or not bounded

        edits = self.structure.edits
        by_limits = [counted(edit) for edit in edits]
        limited = any(by_limits) and all(
            known or edit.frame is None for known, edit in zip(by_limits, edits, strict=True)
        )

        def look(pair: Pair) -> View:
            return pair.view(part.map, ())

        if all(
            not limited
            and walked(self.structure, edit, part, look) is None
            and in_pieces(self.structure, edit, part, look) is None
            for edit in edits
        ):
            return None, False
        rough, _ = rough_profile(self.structure)
        if any(isinstance(r, Infinity) for r in _distances(rough)):
            return None, False  # whether that is attained is of no use
        profile = profile_of(self.structure)
        far = _seen(profile)
        if not profile.proved or not isinstance(far, Number):
            return None, False
        return far, profile.exact and not any(c.shown or c.far for c in profile.cases)

    def _keeps_size(self) -> bool:
        """Return whether no edit of the granularity that measures changes the size by much."""
        form = SIZES.bind(self.relations.domain)
        edits = self.inner.granularity.edits
        few = all(self.relations.most_between(self.of, e, form, SHARE) for e in edits)
        return few or self.inner.proves(SIZES, "at least")

    def _family(self) -> str | None:
        """Return why there are neighbours at every distance, or None."""
        for edit in self.outer.granularity.edits:
            inner, outer = self.inner.granularity, self.outer.granularity
            found = (
                grows(self.inner, outer, edit)
                or moves_many(inner, outer, edit, self._keeps_size)
                or passes_few(inner, outer, edit, self._keeps_size)
            )
            if found is not None:
                return found
        return None

    def _boxes(self) -> str | None:
        """Return why there are neighbours at every distance in a class with facts, or None."""
        inner, outer = self.inner.granularity, self.outer.granularity
        found = (fills_boxes(inner, outer, edit) for edit in outer.edits)
        return next((f for f in found if f is not None), None)


def _seen(profile: Profile) -> Distance | None:
    """Return the only distance that is seen, or None."""
    seen = _distances(profile)
    return seen.pop() if len(seen) == 1 else None


def _distances(profile: Profile) -> set[Distance]:
    """Return all distances that are seen."""
    return {
        r
        for case in profile.cases
        for vector in case.vectors
        for group in vector
        for _, r in group.distances
    }


def _positive(domain: Domain) -> list[str]:
    """Return the symbols of the class that are at least 1."""
    found = []
    for name in sorted(domain.symbols):
        query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        query.add(query.symbols[name] < 1)
        if query.check() == logic.unsat:
            found.append(name)
    return found
