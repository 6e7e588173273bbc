"""From what the engine found to theorems of the kernel.

The engine proposes: structural facts, each decided by the solver, and a profile.  The kernel
disposes: it enumerates what an edit can do to the blocks, scales and combines the parts'
guarantees, and takes the maximum.  What it accepts is a theorem, whose trust names every fact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final, cast

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import Touched, push_metric, touched_by, worst_guarantee
from dpcomp_sym.algebra.polynomials import dominated, polynomial
from dpcomp_sym.algebra.sizes import covers
from dpcomp_sym.derivation.maximal import maximal
from dpcomp_sym.derivation.means import below_a_mean
from dpcomp_sym.derivation.order import at_most
from dpcomp_sym.derivation.shorten import equal_to_shorter, shortened
from dpcomp_sym.model.serial import canonical, problem_to_json
from dpcomp_sym.notions import NOTIONS, Notion
from dpcomp_sym.numbers.bound import box_of
from dpcomp_sym.numbers.sampled import sometimes_larger
from dpcomp_sym.numbers.single import GuaranteeCases, RecordBudget, Single
from dpcomp_sym.numbers.sources import BoundSource, sources
from dpcomp_sym.profile import (
    INFINITY,
    Case,
    Count,
    Distance,
    Group,
    KRange,
    Profile,
    Symbolic,
    Total,
    Varying,
    Vector,
)

if TYPE_CHECKING:
    from dpcomp_sym.engine.facts import (
        Fact,
        Facts,
        InfeasiblePattern,
        MixedVectors,
        Shared,
        TogetherSets,
    )
    from dpcomp_sym.engine.together import Structured
    from dpcomp_sym.model import BoundGranularity, BoundPart, Problem

__all__ = ["NotComposedError", "Proof", "box_of", "number", "prove"]

TRUE = k.Connected("and", ())
MOST_SHARED: Final = 200
"""So many records that blocks share are shared out in numbers, at most."""


class NotComposedError(Exception):
    """The kernel's rules do not lead from the facts about edits to the profile."""


@dataclass(frozen=True)
class Proof:
    """The kernel's theorems about a composition, by notion, and the problem as it sees it."""

    problem: k.CompositionProblem
    theorems: Mapping[str, k.Theorem]
    single: Mapping[str, GuaranteeCases] = field(default_factory=dict)
    """What single pairs of neighbours need in notions of several parameters, for each case."""

    @property
    def guarantees(self) -> Mapping[str, tuple[k.Expr, ...]]:
        """What the theorems state, by notion."""
        return {name: _guarantee(theorem) for name, theorem in self.theorems.items()}


def _guarantee(theorem: k.Theorem) -> tuple[k.Expr, ...]:
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        raise NotComposedError("this is not a guarantee between neighbours")
    return statement.loss.guarantee


def prove(
    problem: Problem,
    profile: Profile,
    facts: Facts | None,
    notions: Sequence[str],
) -> Proof:
    """Derive the composition's guarantee in each notion.

    Args:
        problem: the composition.
        profile: the vectors that bound its neighbours; not vacuous.
        facts: the structural facts behind the profile; None if it was found in another way, and
            is itself what is taken as a fact.
        notions: in which notions; a notion that some part cannot reach is left out.

    Raises:
        NotComposedError: the facts do not add up to the profile, by the rules of the kernel.
    """
    return _Prover(problem, profile, facts).proof(notions)


def number(value: Distance | Count) -> k.Expr:
    """Return a count or distance of a profile as the kernel says it; all blocks are infinity."""
    if isinstance(value, int | Fraction):
        return k.Num(Fraction(value))
    if isinstance(value, Total):
        return k.Sum(tuple(map(number, value.terms)))
    if isinstance(value, Symbolic):
        sizes = tuple(map(k.Size, value.symbols))
        items = sizes if value.factor == 1 else (k.Num(Fraction(value.factor)), *sizes)
        return items[0] if len(items) == 1 else k.Product(items)
    if isinstance(value, Varying):
        return k.Amount(value.of)
    return k.Inf()


def _smallest(where: k.Where, boxes: Sequence[k.Where]) -> list[k.Where]:
    """Return the boxes inside another one that hold none of the others; that one if there are none.

    >>> one, more = ((k.SizeRange("k", 1, 1),), (k.SizeRange("k", 2, None),))
    >>> _smallest((), [(), one, more]) == [one, more], _smallest(one, [(), more]) == [one]
    (True, True)
    """
    inside = [b for b in dict.fromkeys(boxes) if covers((where,), b)]
    return [b for b in inside if not any(covers((b,), c) for c in inside if c != b)] or [where]


def _within(ranges: Sequence[KRange], known: Sequence[KRange]) -> k.Where:
    """Return a box of sizes, and of the symbols of which it says nothing the known numbers."""
    named = {r.symbol for r in ranges}
    return box_of((*ranges, *(r for r in known if r.symbol not in named)))


def _relation(granularity: BoundGranularity, detail: str) -> k.Relation:
    kind = k.OneSided if granularity.directed else k.NamedRelation
    return kind(granularity.name, detail)


class _Prover:
    def __init__(self, problem: Problem, profile: Profile, facts: Facts | None) -> None:
        self.problem = problem
        self.profile = profile
        self.facts = facts
        self._made: dict[tuple[KRange, ...], tuple[k.Theorem, ...]] = {}
        self.data = problem_to_json(problem)
        self.statement = canonical(self.data)
        self.tag = hashlib.sha256(self.statement.encode()).hexdigest()[:16]
        outer = problem.outer
        self.databases = k.DatabaseClass("D", canonical(self.data["domain"]), ())
        self.relation = _relation(outer, canonical(self.data["granularity"]))
        self.parts = {p.name: p for p in problem.bound_parts}
        self.details = {p["name"]: canonical(p) for p in self.data["parts"]}
        self.maps = {p.name: self._map(p) for p in problem.bound_parts}
        views = tuple(
            k.PartView(p.name, p.map.name, self._sizes(p), self._seen(p))
            for p in problem.bound_parts
        )
        edits: list[k.EditShape] = []
        for fact in facts.most if facts else ():
            name = _edit_name(fact)
            points = 0 if fact.frame else len(outer.edits[fact.edit].points)
            if name not in [e.name for e in edits]:
                edits.append(k.EditShape(name, points))
        self.kernel = k.CompositionProblem(
            self.databases, self.relation, tuple(edits), views, self.statement
        )

    # ------------------------------------------------------------- terms

    @staticmethod
    def _sizes(part: BoundPart) -> tuple[int | str, ...]:
        return tuple(size for _, size in part.map.indices)

    def _map(self, part: BoundPart) -> k.NamedMap:
        sizes = self._sizes(part)
        origin = canonical([m for m in self.data["maps"] if m["name"] in part.map.origin])
        detail = self.details[part.name]
        image = k.DatabaseClass(f"{part.map.name}(D)", detail, sizes)
        return k.NamedMap(part.map.name, origin, self.databases, image, sizes)

    def _inner(self, part: BoundPart) -> k.Relation:
        if part.same_granularity:
            return self.relation
        return _relation(part.granularity, self.details[part.name])

    def _seen(self, part: BoundPart) -> k.Pseudometric:
        arrow, inner = self.maps[part.name], self._inner(part)
        if part.setting == "common":
            return push_metric(inner, arrow)
        return k.Pullback(k.CanonicalMetric(inner, arrow.codomain), arrow)

    def _guarantee(self, part: BoundPart, parameters: Sequence[Any]) -> tuple[k.Expr, ...]:
        sizes = self._sizes(part)
        return tuple(
            k.Num(Fraction(p))
            if isinstance(p, int | Fraction)
            else (k.BlockEntry(p, sizes) if sizes else k.Param(p))
            for p in parameters
        )

    # ------------------------------------------------------------- derivation

    def proof(self, notions: Sequence[str]) -> Proof:
        profiles = [(case, self._profiles(case)) for case in self.profile.cases]
        found: dict[str, k.Theorem] = {}
        single: dict[str, GuaranteeCases] = {}
        for notion in notions:
            composed = self._composition(NOTIONS[notion])
            if composed is None:
                continue
            cases = [x for case, facts in profiles for x in self._case(composed, case, facts)]
            found[notion] = cases[0] if len(cases) == 1 else k.cover_cases(tuple(cases), ())
            if len(NOTIONS[notion].parameters) > 1:
                single[notion] = tuple(
                    (box_of(c.ranges), self._single(c, notion, composed))
                    for c in self.profile.cases
                )
        return Proof(self.kernel, found, single)

    @staticmethod
    def _case(composed: k.Theorem, case: Case, facts: Sequence[k.Theorem]) -> list[k.Theorem]:
        """Return the guarantee of a case, or of the boxes of sizes that it falls into."""
        boxes = [k.maximum_over_neighbours(composed, f) for f in facts]
        if len(boxes) > 1 and len({_guarantee(theorem) for theorem in boxes}) == 1:
            boxes = [k.cover_cases(tuple(boxes), box_of(case.ranges))]
        boxes = [shortened(_simplified(theorem)) for theorem in boxes]
        if len(boxes) == 1 or len({_guarantee(theorem) for theorem in boxes}) > 1:
            return boxes
        return [k.cover_cases(tuple(boxes), box_of(case.ranges))]

    def _single(self, case: Case, notion: str, composed: k.Theorem) -> tuple[Single, ...]:
        """Return what neighbours need who change as one of the maximal vectors says."""
        statement = composed.statement
        if not isinstance(statement, k.Private):
            raise NotComposedError("this is not a guarantee")
        every = list(map(_vector, case.single or ((),)))
        vectors = [v for v in every if isinstance(v, k.DifferenceVector)]
        patterns = [v for v in every if isinstance(v, k.BlockPattern | k.Several)]
        if len(vectors) + len(patterns) < len(every) or not all(map(_names_all, patterns)):
            return ()
        where = box_of(case.ranges)
        together = tuple(
            Single(values, (), together=True)
            for v in patterns
            if (values := worst_guarantee(self.kernel, (v,), notion, statement.loss))
        )
        if any(isinstance(x, k.Inf) for one in together for x in one.guarantee):
            return ()
        wide = [v for v in vectors if any(g.wide is not None for g in v.groups)]
        found = [self._sharing(v, notion, statement.loss, where) for v in wide]
        ways = {
            touched_by(self.kernel, v, notion, statement.loss): v
            for v in vectors if v not in wide
        }  # fmt: skip
        kept = list(ways) if case.infinite else maximal(list(ways), where)
        for way in kept:
            values = worst_guarantee(self.kernel, (ways[way],), notion, statement.loss)
            short = tuple(equal_to_shorter(e, where).right for e in values)
            found.append(Single(short, way))
        return (*found, *together)

    def _sharing(
        self, vector: k.DifferenceVector, notion: str, loss: k.Loss, where: k.Where
    ) -> Single:
        """Return what neighbours need whose blocks share records: so many in each of them."""
        taken = {*self.problem.symbols} | {
            str(p) for part in self.problem.bound_parts for _, ps in part.guarantees for p in ps
        }
        letters = (x for x in chain("nxyz", (f"n{i}" for i in count(1))) if x not in taken)
        numbers: dict[str, k.Expr] = {}
        groups, said = [], []
        for group in vector.groups:
            if group.wide is None:
                groups.append(group)
                continue
            letter = next(letters)
            sizes = next(v.sizes for v in self.kernel.views if v.map == group.map)
            numbers[letter] = k.BlockEntry(letter, sizes)
            (far,) = {s.distance for s in group.distances}
            each = tuple(k.SeenDistance(s.part, k.Size(letter)) for s in group.distances)
            groups.append(k.BlockGroup(group.map, k.Inf(), each))
            whole = _shorter_text(k.Product((group.count, far)), where)
            entry = numbers[letter].text()
            said.append(f"{letter} with {entry} <= {far.text()} and sum({entry}) <= {whole}")
        values = worst_guarantee(self.kernel, (k.DifferenceVector(tuple(groups)),), notion, loss)
        short = tuple(_with_entries(e, numbers) for e in values)
        known = self._budget(vector, notion, loss)
        if known is None:
            return Single(short, (), tuple(said))
        alone = k.DifferenceVector(tuple(g for g in vector.groups if g.wide is None))
        touched = touched_by(self.kernel, alone, notion, loss)
        return Single(short, touched, tuple(said), known)

    def _budget(self, vector: k.DifferenceVector, notion: str, loss: k.Loss) -> RecordBudget | None:
        """Return what blocks of one map add that share records, where the numbers are known."""
        (group, *others) = (g for g in vector.groups if g.wide is not None)
        (far,) = {s.distance for s in group.distances}
        each, whole = (_as_number(e) for e in (far, k.Product((group.count, far))))
        if others or not each or not whole or each > MOST_SHARED or whole > MOST_SHARED:
            return None
        if any(g.map == group.map for g in vector.groups if g is not group):
            return None
        rows: list[Touched] = []
        for n in range(1, each + 1):
            seen = tuple(k.SeenDistance(s.part, number(n)) for s in group.distances)
            of = k.DifferenceVector((k.BlockGroup(group.map, k.Inf(), seen),))
            rows += touched_by(self.kernel, of, notion, loss)
        return RecordBudget(tuple(rows), whole, alone=len(group.distances) == 1)

    def _composition(self, notion: Notion) -> k.Theorem | None:
        families: list[k.Theorem] = []
        used = sources(self.profile, notion) or {}
        for part in self.problem.bound_parts:
            if part.name not in used:
                return None
            theorem = self._part(part, used[part.name], notion.name)
            sizes = self._sizes(part)
            families.append(k.run_family(theorem, sizes) if sizes else theorem)
        return families[0] if len(families) == 1 else k.run_adaptively(tuple(families))

    def _part(self, part: BoundPart, used: BoundSource, notion: str) -> k.Theorem:
        arrow, inner = self.maps[part.name], self._inner(part)
        common = part.setting == "common"
        domain = self.databases if common else arrow.codomain
        mechanism = k.NamedMechanism(part.name, domain, self._sizes(part))
        loss = k.Neighbouring(inner, domain, self._guarantee(part, used.parameters))
        given = k.given(k.Private(mechanism, used.notion, loss, ()))
        rule = used.conversion
        if rule is not None and rule.path is not None and not common:
            # Before the map there is a mechanism on every path; behind it, perhaps, there is none.
            return k.preprocess(k.convert(k.everywhere(given), notion), arrow)
        if common:
            theorem = k.pushforward(given, k.given(k.Dependent(mechanism, arrow)))
        else:
            theorem = k.preprocess(k.everywhere(given), arrow)
        if rule is None:
            return theorem
        chosen = () if used.chosen is None else self._guarantee(part, [used.chosen])
        return k.convert(theorem, notion, chosen)

    def _profiles(self, case: Case) -> list[k.Theorem]:
        """Return theorems that bound the neighbours of a case, for boxes of sizes that cover it."""
        where = box_of(case.ranges)
        vectors = _ways(case)
        if self.facts is None:
            return [k.oracle(k.ProfileFact(self.kernel, where, vectors), "smt", self.tag)]
        known = self.facts.of(case.ranges)
        leaves = self._leaves(known)
        try:
            return [k.compose_profile(self.kernel, leaves, vectors, where)]
        except k.KernelError:  # more combinations than there are
            boxes = _smallest(where, [_within(n.ranges, case.ranges) for n in known.never])
        try:
            return [
                k.compose_profile(
                    self.kernel, (*leaves, *self._impossible(known, box)), vectors, box
                )
                for box in boxes
            ]
        except k.KernelError as error:
            raise NotComposedError(f"the kernel does not compose what edits do: {error}") from None

    def _leaves(self, facts: Facts) -> tuple[k.Theorem, ...]:
        """Return what was found of edits, for the numbers of symbols that it was found of."""
        box = box_of(facts.ranges)

        def found(fact: k.EditFact) -> k.Theorem:
            return k.oracle(k.Restricted(fact, box) if box else fact, "smt", self.tag)

        if facts.ranges not in self._made:
            self._made[facts.ranges] = (
                *(self._on_common(fact) or found(self._leaf(fact)) for fact in facts.most),
                *(found(self._shared(fact)) for fact in facts.shared),
                *(found(self._joined(fact)) for fact in facts.together),
                *(found(self._mixed(fact)) for fact in facts.mixed),
                *(found(self._changed_together(at, how)) for at, how in facts.patterns.items()),
            )
        return self._made[facts.ranges]

    def _shared(self, fact: Shared) -> k.Shares:
        far, name = number(fact.distance), _edit_name(fact)
        parts = (p.name for p in self.problem.bound_parts if p.map.name == fact.map)
        seen = tuple(k.SeenDistance(part, far) for part in parts)
        return k.Shares(self.kernel, name, fact.map, number(fact.count), seen)

    def _mixed(self, fact: MixedVectors) -> k.Mixed:
        return k.Mixed(self.kernel, _edit_name(fact), tuple(map(_vector, fact.vectors)))

    def _changed_together(self, where: tuple[int, bool], found: Structured) -> k.EditFact:
        number_, reverse = where
        name = f"edit {number_ + 1}" + (" backwards" if reverse else "")
        places = tuple(
            k.Place(m, held, p, tuple(
                k.SeenDistance(part, k.Amount(of))
                for (name, part), of in found.spans.items()
                if name == m
            ))
            for m, whole in found.conditions.items()
            for held, p in found.held.get(m, {(): whole}).items()
        )  # fmt: skip
        if found.by_records:
            times = number(found.times)
            return k.ChangedByRecords(
                self.kernel, name, times, found.written, found.facts, places
            )  # fmt: skip
        return k.ChangedTogether(self.kernel, name, found.written, found.facts, places)

    def _joined(self, fact: TogetherSets) -> k.Together:
        sets = tuple(
            k.Reach(tuple(
                k.Touch(name, block, tuple(p + 1 for p in held), tuple(
                    k.SeenDistance(part, number(r)) for part, r in seen
                ))
                for name, block, held, seen in one
            ))
            for one in fact.sets
        )  # fmt: skip
        return k.Together(self.kernel, _edit_name(fact), sets)

    def _impossible(self, facts: Facts, box: k.Where) -> tuple[k.Theorem, ...]:
        """Return what was found impossible for all sizes of a box."""
        here = [n for n in facts.never if covers((box_of(n.ranges),), box)]
        return tuple(
            self._apart(n) for n in here if not any(o != n and _is_within(o, n) for o in here)
        )

    def _apart(self, never: InfeasiblePattern) -> k.Theorem:
        pattern = tuple(
            k.TouchedKind(name, tuple(p + 1 for p in touched), count)
            for name, touched, count in never.blocks
        )
        where = box_of(never.ranges)
        said = k.Infeasible(self.kernel, _edit_name(never), pattern, where)
        return k.oracle(said, "smt", self.tag)

    def _on_common(self, fact: Fact) -> k.Theorem | None:
        """Return what a rule says of a distance on the common domain, None if it is not one."""
        part = self.parts.get(fact.part or "")
        if part is None or part.setting != "common" or not part.same_granularity:
            return None
        if fact.bound == 0:
            return None
        touched = tuple(p + 1 for p in fact.touched)
        return k.common_distance(self.kernel, _edit_name(fact), part.name, touched)

    def _leaf(self, fact: Fact) -> k.EditFact:
        name = _edit_name(fact)
        if fact.part is None:
            return k.TouchCount(self.kernel, name, fact.map, number(fact.bound))
        touched = tuple(p + 1 for p in fact.touched)
        bound = k.Inf() if fact.bound == INFINITY else number(fact.bound)
        return k.BlockDistance(self.kernel, name, fact.part, touched, bound)


def _names_all(pattern: k.BlockPattern | k.Several) -> bool:
    """Return whether all blocks with a condition change, at distances that are alike."""
    if isinstance(pattern, k.Several):
        return True
    amounts = any(isinstance(s.distance, k.Amount) for f in pattern.families for s in f.distances)
    return not amounts and all(isinstance(f.count, k.Inf) for f in pattern.families)


def _as_number(e: k.Expr) -> int:
    """Return an integer that an expression is, 0 if it is none."""
    known = polynomial(e)
    (value,) = known.values() if known.keys() == {()} else (0,)
    return int(value) if value == int(value) else 0


def _shorter_text(value: k.Expr, where: k.Where) -> str:
    """Return an expression in its shorter form, in words."""
    leq = equal_to_shorter(value, where)
    return leq.right.text()


def _with_entries(value: k.Expr, numbers: Mapping[str, k.Expr]) -> k.Expr:
    """Return an expression with entries of the block at hand in the place of sizes."""

    def read(data: Any) -> Any:
        if isinstance(data, list):
            return [read(x) for x in data]
        if not isinstance(data, dict):
            return data
        if data["op"] == "Size" and data["name"] in numbers:
            return numbers[data["name"]].as_json()
        return {key: read(x) for key, x in data.items()}

    return cast("k.Expr", k.from_json(read(value.as_json())))


def _ways(case: Case) -> tuple[k.Way, ...]:
    """Return how neighbours of a case differ: together as a mean, where that says more."""
    ways = [_vector(v) for v in case.vectors or ((),)]
    if not case.within:
        return tuple(ways)
    within = tuple(map(_vector, case.within))
    alone = [w for w in ways if isinstance(w, k.BlockPattern | k.Several) and w in within]
    mean = k.MeanOf(
        tuple(w for w in ways if w not in alone), tuple(w for w in within if w not in alone)
    )
    return (*alone, mean)


def _vector(vector: Vector) -> k.Way:
    known = [g.when for g in vector if g.when is not None]
    if known:
        free, facts, _ = known[0]
        pattern = k.BlockPattern(free, facts, tuple(_family(g) for g in vector))
        times = vector[0].times
        return pattern if times == 1 else k.Several(number(times), pattern)
    return _plain_vector(vector)


def _plain_vector(vector: Vector) -> k.DifferenceVector:
    return k.DifferenceVector(
        tuple(
            k.BlockGroup(
                g.map, number(g.count), tuple(k.SeenDistance(p, number(d)) for p, d in g.distances),
                g.block, None if g.wide is None else number(g.wide),
            )
            for g in vector
        )
    )  # fmt: skip


def _family(group: Group) -> k.Family:
    condition = group.when[2] if group.when is not None else None
    seen = tuple(k.SeenDistance(p, number(d)) for p, d in group.distances)
    count = number(group.count) if group.times == 1 else k.Inf()
    return k.Family(group.map, count, seen, condition or TRUE)


def _is_within(small: InfeasiblePattern, large: InfeasiblePattern) -> bool:
    """Return whether what one fact excludes contains what another one does."""
    counts = {(name, touched): n for name, touched, n in large.blocks}
    alike = (small.edit, small.reverse) == (large.edit, large.reverse)
    return alike and all(n <= counts.get((name, t), 0) for name, t, n in small.blocks)


def _edit_name(fact: Fact | InfeasiblePattern | MixedVectors | Shared | TogetherSets) -> str:
    return f"edit {fact.edit + 1}" + (" backwards" if fact.reverse else "")


def _simplified(theorem: k.Theorem) -> k.Theorem:
    """Drop the items of a maximum that another item outweighs, by theorems of the kernel."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return theorem
    leqs = []
    changed = False
    for value in statement.loss.guarantee:
        inside = value.of if isinstance(value, k.Sqrt) else value
        leq = _fewer(inside, statement.where)
        if leq is None:
            leqs.append(k.bounded_polynomial(value, value, statement.where))
            continue
        changed = True
        leqs.append(k.monotone("sqrt", (leq,)) if isinstance(value, k.Sqrt) else leq)
    return k.change_guarantee(theorem, tuple(leqs)) if changed else theorem


def _fewer(value: k.Expr, where: tuple[k.SizeRange, ...]) -> k.Theorem | None:
    """Return that a maximum is at most that of its items which no other one outweighs."""
    if not isinstance(value, k.Max):
        return None
    kept = list(value.items)
    below: dict[k.Expr, k.Theorem] = {}
    for item in value.items:
        for goal in kept:
            leq = None if goal == item else _outweighed(item, goal, where)
            if leq is not None:
                below[item] = leq
                kept.remove(item)
                break
    for item in list(kept):
        leq = below_a_mean(item, [goal for goal in kept if goal != item], where)
        if leq is not None:
            below[item] = leq
            kept.remove(item)
    if not below:
        return None
    most = kept[0] if len(kept) == 1 else k.Max(tuple(kept))
    known: dict[k.Expr, k.Theorem] = {
        item: k.some_item(item, most, where)
        if isinstance(most, k.Max)
        else k.bounded_polynomial(item, most, where)
        for item in kept
    }

    def up_to(item: k.Expr) -> k.Theorem:
        """Return that an item is at most the maximum of what was kept."""
        if item not in known:
            leq = below[item]
            goal = leq.statement.right if isinstance(leq.statement, k.BoundLeq) else item
            if isinstance(goal, k.Max) and goal not in below and goal not in known:
                larger = k.maximum(tuple(map(up_to, goal.items)))  # it was a mean of these
            else:
                larger = up_to(goal)
            known[item] = k.transitive(leq, larger)
        return known[item]

    return k.maximum(tuple(map(up_to, value.items)))


def _outweighed(item: k.Expr, goal: k.Expr, where: tuple[k.SizeRange, ...]) -> k.Theorem | None:
    """Try the kernel's rules for "item is at most goal"."""
    if goal == k.Inf() or dominated(polynomial(item), polynomial(goal)):
        return k.bounded_polynomial(item, goal, where)
    if not isinstance(item, k.Worst) or not isinstance(goal, k.Worst):
        return None
    if sometimes_larger(item, goal, where):
        return None
    for base in _bases(item):
        try:
            return k.abel(item, goal, base, where)
        except k.KernelError:
            continue
    low = _without_growth(goal, where)
    if low is None:
        return at_most(item, goal, where)
    below = at_most(item, low.left, where)
    return None if below is None else k.transitive(below, low.theorem)


@dataclass(frozen=True)
class _Lower:
    left: k.Expr
    theorem: k.Theorem


def _without_growth(goal: k.Worst, where: tuple[k.SizeRange, ...]) -> _Lower | None:
    """Return that a choice of blocks is smaller where the growth over r is taken for r."""
    leqs = [_grown(group.value, where) for group in goal.groups]
    groups = []
    for group, leq in zip(goal.groups, leqs, strict=True):
        if not isinstance(leq.statement, k.BoundLeq):
            return None
        groups.append(k.Choice(group.count, leq.statement.left))
    low = k.Worst(goal.sizes, tuple(groups))
    if low == goal:
        return None
    plan = tuple(range(len(groups)))
    return _Lower(low, k.transport(low, goal, plan, tuple(leqs), where))


def _grown(value: k.Expr, where: tuple[k.SizeRange, ...]) -> k.Theorem:
    """Return "r times what one step costs is at most what r steps cost", in sums and products."""
    match value:
        case k.Sum(items) | k.Product(items) if items:
            kind = "sum" if isinstance(value, k.Sum) else "product"
            return k.monotone(kind, tuple(_grown(i, where) for i in items))
        case k.Apply("growth" | "path_rho"):
            try:
                return k.growth_least(value, where)
            except k.KernelError:
                pass
        case _:
            pass
    return k.bounded_polynomial(value, value, where)


def _bases(worst: k.Worst) -> list[k.Expr]:
    """Return values of which the groups may be multiples."""
    found: list[k.Expr] = []
    for group in worst.groups:
        value = group.value
        found.append(value)
        if isinstance(value, k.Product):
            rest = tuple(i for i in value.items if not isinstance(i, k.Num))
            found.append(rest[0] if len(rest) == 1 else k.Product(rest))
    return found
