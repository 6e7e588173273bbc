"""The second part of a Rocq file: structural facts.

A structural fact is a lemma about one edit: in how many blocks something changes, and by how many
steps what a part sees there gets from the one to the other.  What changes are few named cells, or
the cells of a frame, so that one tactic (``settle`` in the library) decides what remains: it takes
every hypothesis over all cells at the cells that were named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.domain import Domain, Universe
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.bounds import as_integer, infinite, sizes
from dpcomp_sym.rocq.evidence import (
    EditTouches,
    Expression,
    Outline,
    Seen,
    Vector,
    Window,
)
from dpcomp_sym.rocq.keys import values_of_key
from dpcomp_sym.rocq.names import made, of_attribute, of_sort, of_spec
from dpcomp_sym.rocq.statement import Setting, reads_size
from dpcomp_sym.rocq.terms import AND, RocqTerms, value
from dpcomp_sym.terms import CELL, INT, TRUE, reads_database, subterms
from dpcomp_sym.terms.term import integer

__all__ = [
    "SPLIT",
    "EditCase",
    "ProofScript",
    "at_once",
    "become_alike",
    "class_lemma",
    "far_apart",
    "holding",
    "image_changes",
    "joined",
    "one_step",
    "own_tactics",
    "split_on_points",
    "sum_of_points",
]

ONE: Expression = {"op": "Num", "value": "1"}
MOST_STEPS = 12
"""How many ways of choosing an inner edit's parameters are tried, at most."""
SPLIT = "repeat (lazymatch goal with |- _ /\\ _ => split end)"


@dataclass(frozen=True)
class EditCase:
    """One outer edit: its name, what it is, and what the certificate says of it."""

    name: str
    edit: BoundEdit
    touched: EditTouches
    seen: tuple[Seen, ...]
    window: Window | None = None
    steps: Expression | None = None
    """How many records come or go in all, where they are taken one after the other."""
    near: bool = False
    """Whether each part sees as many records come and go as there are values near each other."""
    stairs: bool = False
    """Whether a record changes its value, and the parts see so many steps of one."""
    single: bool = False
    """Whether the parts see the records that change one by one, also where only one does."""
    mean: Vector | None = None
    """What one of several records changes, where all of them change what is a mean of that."""

    @property
    def counted(self) -> bool:
        """Whether parts see as many edits as there are values in a block of the window."""
        return self.window is not None and any(
            as_integer(d) != 1 for g in self.seen for d in g.distances.values()
        )

    @property
    def apart(self) -> bool:
        """Whether distances add up over the named cells, rather than being the same everywhere."""
        return (
            self.window is None
            and self.steps is None
            and not self.near
            and not self.stairs
            and not self.seen
            and any(
                len(points) > 1 and as_integer(d) not in {0, 1}
                for (_, points), d in self.touched.distances.items()
            )
        )

    def at_once(self, mapping: BoundMap) -> bool:
        """Return whether the parts of a map see all that changes in a block as one edit."""
        group = self.group(mapping)
        if group is None or self.single:
            return False
        return all(as_integer(d) == 1 for d in group.distances.values())

    @property
    def chosen(self) -> str:
        """The tactic that takes the edit apart."""
        names = [of_spec(n) for n, _ in self.edit.params]
        names += ["n"] * reads_size(self.edit.guard)
        apart = f" destruct Ed as ({' & '.join([*names, 'Ed'])})." if names else ""
        return f"unfold {self.name} in Ed.{apart}"

    @property
    def points(self) -> list[str]:
        """The cells whose multiplicity changes, without repetition."""
        return list(dict.fromkeys(of_spec(p) for p in self.edit.points))

    def group(self, mapping: BoundMap) -> Seen | None:
        """Return what the vector states about the blocks of a map."""
        return next((g for g in self.seen if g.map == mapping.name), None)


@dataclass(frozen=True)
class ProofScript:
    """What the proof is about."""

    setting: Setting
    outline: Outline

    @cached_property
    def cases(self) -> list[EditCase]:
        """The outer edits, each with a vector that is no better than what it does."""
        names, found = self.setting.outer_edits, []
        pairs = any(len(m.indices) > 1 for m in self.setting.maps.values())
        for name, touched in zip(names, self.outline.edits, strict=True):
            case = self._case(name, touched)
            if pairs and case.mean is None and (case.window is None or case.counted):
                raise UnwrittenError("a map has two indices, and no path or window of its blocks")
            found.append(case)
        return found

    def _case(self, name: str, touched: EditTouches) -> EditCase:
        apart = not self.outline.where  # for these sizes alone, distances are what a tactic proves
        case = EditCase(name, self.setting.edits[name], touched, ())
        if any(reason["is"] == "records in pairs" for reason in touched.reasons.values()):
            raise UnwrittenError(f"of {name} each record that comes replaces one that goes")
        mean = [v for v in self.outline.vectors if v.mean]
        if mean and (case.edit.frame is None or mean[0].pattern in touched.means):
            return self._case_of_mean(case, mean)
        fits = [v for v in self.outline.vectors if self.listed or _fits(v.groups, touched, apart)]
        vector = fits[0] if fits and not self.listed else Vector(())
        if not fits and self._counted_in_windows():
            fits = list(self.outline.vectors)
            vector = fits[0]
        if vector.pattern is None:
            case = EditCase(name, self.setting.edits[name], touched, vector.groups)
            if fits and self._one_by_one(case):
                return replace(case, steps=ONE, single=True)
            if not fits and self._steps_of_one(case):
                return replace(case, seen=self.outline.vectors[0].groups, stairs=True)
            if fits or case.apart:
                return case
            steps = self._steps_of(case)
            if steps is None and self._steps_of_some(case) is not None:
                seen, steps = self.outline.vectors[0].groups, self._steps_of_some(case)
                return replace(case, seen=seen, steps=steps)
            if steps is None and self._seen_one_by_one(case):
                return replace(case, seen=self.outline.vectors[0].groups, near=True)
            if steps is None:
                raise UnwrittenError(f"{name} sees distances that are not 1, or not numbers")
            return replace(case, steps=steps)
        for window in touched.windows:
            fits.sort(key=lambda v: not window.is_in(v))
            same = [v for v in fits if v.pattern == window.pattern]
            if same and window.records == ONE and self._one_by_one(case):
                groups = same[0].groups
                return replace(case, seen=groups, steps=ONE, single=True, mean=same[0])
            if same:
                return EditCase(name, self.setting.edits[name], touched, same[0].groups, window)
            once = [v for v in fits if v.pattern == window.once.pattern]
            if once and window.records == ONE:
                groups = once[0].groups
                return EditCase(name, self.setting.edits[name], touched, groups, window.once)
        raise UnwrittenError(f"the bound is over other integers than those of {name}")

    def _case_of_mean(self, case: EditCase, ways: Sequence[Vector]) -> EditCase:
        """Return what an edit does whose records cost no more than so many times one of them."""
        steps = self._steps_of(case) if case.edit.frame is not None else self._records_named(case)
        if len(ways) > 1 or steps is None:
            raise UnwrittenError(f"{case.name} sees distances that are not 1, or not numbers")
        return replace(case, seen=ways[0].groups, steps=steps, mean=ways[0], single=True)

    def _records_named(self, case: EditCase) -> Expression | None:
        """Return how many records an edit names that come or go, if the parts see each of them."""
        deltas = [d.number for _, d in case.edit.change if d.op == "int"]
        known = case.touched.distances.items()
        each = all(as_integer(d) == len(cells) for (_, cells), d in known if cells)
        number = sum(map(abs, deltas))
        named = len(case.points) == len(deltas) == len(case.edit.change) == number == 2
        return {"op": "Num", "value": str(number)} if named and each else None

    def _one_by_one(self, case: EditCase) -> bool:
        """Return whether one record of a frame changes, and parts are private for one record."""
        return case.edit.frame is not None and not self.setting.common and all(
            edit.frame is None and len(edit.change) == 1 and len(edit.params) == 1
            for part in self.setting.parts if not part.map.image
            for edit in [self.setting.edits[n] for n in self.setting.edits_of(part)]
        ) and self._one_record(case)  # fmt: skip

    def _one_record(self, case: EditCase) -> bool:
        """Return whether a limit says that one record has what a frame gives, as far as is seen."""
        domain = self.setting.problem.domain
        ones = [key for key, most in domain.limit_terms if most == integer(1)]
        return bool(domain.distinct_terms) or any(
            list(values_of_key(case.edit, key)) for key in ones
        )

    def _counted_in_windows(self) -> bool:
        """Return whether all that parts see are numbers of values in the blocks of windows."""
        vectors = self.outline.vectors
        seen = [d["op"] for v in vectors for g in v.groups for d in g.distances.values()]
        return all(v.pattern is not None for v in vectors) and {*seen} == {"Amount"}

    def _steps_of_one(self, case: EditCase) -> bool:
        """Return whether a record is exchanged for another, and parts see steps of one value."""
        both = [r["is"] for (_, cells), r in case.touched.reasons.items() if len(cells) > 1]
        single = len(self.outline.vectors) == 1 and not self.setting.common
        return single and len(case.points) > 1 and {*both} == {"unit steps"}

    def _steps_of(self, case: EditCase) -> Expression | None:
        """Return the only distance of an edit that changes the records of a frame."""
        distances = list(case.touched.distances.values())
        groups = [g for v in self.outline.vectors for g in v.groups]
        if case.edit.frame is None or self.setting.common or any(map(self._is_shared, groups)):
            return None
        return distances[0] if all(d == distances[0] for d in distances) else None

    def _steps_of_some(self, case: EditCase) -> Expression | None:
        """Return the only distance that is not 1, where some parts see all of a frame at once."""
        groups = [g for v in self.outline.vectors for g in v.groups]
        if not self._seen_one_by_one(case) or any(len({*map(str, g.distances.values())}) > 1
                                                  for g in groups):  # fmt: skip
            return None
        distances = case.touched.distances
        far = {part: d for (part, _), d in distances.items() if as_integer(d) != 1}
        reasons = [r["is"] for (part, _), r in case.touched.reasons.items() if part in far]
        known = 0 < len(far) < len(distances) and {*reasons} == {"records by limits"}
        first, *others = far.values() or [None]
        return first if known and all(d == first for d in others) else None

    def _is_shared(self, group: Seen) -> bool:
        """Return whether blocks are counted by the records of a limit, not by those of one."""
        mapping = self.setting.maps[group.map]
        own = {
            of_spec(t.name)
            for term in (mapping.member, mapping.multiplicity or TRUE)
            for t in subterms(term)
            if t.op == "var"
        }
        return group.block is None and not set(sizes(group.count)) <= own

    def _seen_one_by_one(self, case: EditCase) -> bool:
        """Return whether all that can change of a frame stands in one vector, each map once."""
        groups = [g.map for v in self.outline.vectors for g in v.groups]
        single = len(self.outline.vectors) == 1 and len(set(groups)) == len(groups)
        return single and case.edit.frame is not None and not self.setting.common

    @property
    def listed(self) -> bool:
        """Whether all that changes is listed: single blocks, and maps without blocks."""
        groups = [g for v in self.outline.vectors for g in v.groups]
        return (
            all(v.pattern is None for v in self.outline.vectors)
            and (any(g.block is not None for g in groups) or len(self.outline.vectors) > 1)
            and all(g.block is not None or not self.setting.maps[g.map].indices for g in groups)
            and all(as_integer(d) == 1 for g in groups for d in g.distances.values())
            and all(
                as_integer(d) in {0, 1} for t in self.outline.edits for d in t.distances.values()
            )
        )

    def path(self, part: BoundPart, steps: str, block: str = "i") -> str:
        """Say that so many steps lead from what a part sees in D to what it sees in E."""
        see = f"{made('see', part.map.name)} {block}"
        if self.setting.common:
            return f"({see} D = {see} E \\/ (1 <= {steps})%nat)"
        return f"path {self.setting.neighbours_of(part)} ({steps}) ({see} D) ({see} E)"

    def parts_of(self, mapping: BoundMap) -> list[BoundPart]:
        """Return the parts that read a map."""
        return [p for p in self.setting.parts if p.map.name == mapping.name]


def _fits(vector: tuple[Seen, ...], touched: EditTouches, apart: bool) -> bool:
    """Return whether a vector has one group for each map, with distance 1 for all that is seen.

    Where ``apart``, an edit must see no more at any of its cells.  Of a map of which it changes all
    blocks the vector must have all.
    """
    if len({g.map for g in vector}) != len(vector):
        return False
    everywhere = {m for m, count in touched.counts.items() if infinite(count)}
    if any(g.map in everywhere and not infinite(g.count) and g.when is None for g in vector):
        return False
    at = {part: as_integer(d) for g in vector for part, d in g.distances.items()}
    parts = {part for part, _ in touched.distances}
    return all(
        at.get(part) == 1 and all(as_integer(d) in {0, 1} for d in touched.farthest(part) if apart)
        for part in parts
    )


def own_tactics(setting: Setting) -> Iterator[str]:
    """Return the tactics that unfold what the statement defines."""
    problem = setting.problem
    own = [setting.class_of(p) for p in setting.parts] + [
        setting.neighbours_of(p) for p in setting.parts
    ]
    names = ["class", "neighbours", *own, *setting.edits]
    names += [made("see", m) for m in setting.maps if m not in setting.images] + ["keep", "put"]
    names += ["X"] * (problem.domain.universe == Universe.PRODUCT)
    members = [made("mem", m) for m in setting.maps]
    yield f"Ltac un_whole := unfold {', '.join(dict.fromkeys(names))} in *."
    formulas = (t for m in setting.maps for t in subterms(setting.maps[m].member))
    divided = any(t.op == "pow" and t.terms[1] == integer(1) for t in formulas)
    yield f"Ltac un_members := unfold {', '.join(members)} in *{'; divisors' * divided}."
    yield "Ltac un := un_whole; un_members."
    yield "Ltac go := un; settle cell."
    yield f"Ltac by_values := un; splits; {_by_values_of(problem.domain)}cbn in *."
    yield "Ltac go_whole := un_whole; settle cell.   (* whatever the blocks hold *)"
    yield "Ltac unfolded_inside := splits; " + SPLIT + "; try assumption;"
    yield "  try (intros; destruct dec; auto; fail);"
    yield "  try (eapply limited_sub; [eassumption|]);"
    if problem.domain.distinct:
        yield "  try (eapply few_values_sub; [eassumption | solve [settle cell]]);"
    yield "  try (first [ eapply finite_sub; [eassumption | solve [settle cell]]"
    yield "    | eapply finite_sub2; [eassumption | eassumption | solve [settle cell]] ]);"
    yield "  settle cell."
    yield "Ltac inside := un; unfolded_inside."
    yield "Ltac inside_whole := un_whole; unfolded_inside."
    for number in setting.images.values():
        yield f"Ltac go{number} := un; settle cell{number}."
        yield f"Ltac inside{number} := un; splits; {SPLIT}; try assumption;"
        yield "  try (eapply finite_sub2; [eassumption | eassumption |]);"
        yield f"  cbv beta; first [solve [settle cell{number}] | intros c; touch cell{number}; "
        yield "    unfold put; intros; destruct dec; [subst; auto | "
        yield f"    match goal with H : forall c, _ <> 0 -> X{number} c |- _ => apply H; lia end]]."


def _by_values_of(domain: Domain) -> str:
    """Return tactics that look at all cells by the values of their finite attributes."""
    cells = "repeat match goal with c : cell |- _ => destruct c end; "
    kinds = [of_sort(sort) for sort in domain.enumerations]
    split = "repeat match goal with " + "".join(
        f"| v : {kind} |- _ => destruct v " for kind in kinds
    )
    return f"{cells}{split}end; " if kinds else ""


def class_lemma(setting: Setting, part: BoundPart) -> Iterator[str]:
    """Say that what a map hands on is in the class of the part."""
    inner, see = setting.class_of(part), made("see", part.map.name)
    yield f"Lemma {made('in', part.name)} i D : class D -> {inner} ({see} i D)."
    if part.map.image is None:
        yield "Proof. intros K. inside. Qed."
        return
    space = setting.space(part)
    yield f"Proof. intros K. {_of_class('K', 'D', 'P', 'S', 'F')} unfold {inner}, {see}; {SPLIT};"
    yield "  first [now apply image_pos | now apply image_finite | idtac]."
    yield "  intros c n. apply image_in in n. destruct n as (x & m & <- & n)."
    yield f"  apply X{space}_cell; auto. Qed."


def _steps(
    proof: ProofScript, part: BoundPart, case: EditCase, cells: Sequence[str] | None = None
) -> str:
    """Return a tactic that finds one inner edit between two databases, in some direction.

    What adds to ``cells`` what the outer edit does is tried first; if None, what adds it to all.
    """
    setting = proof.setting
    space = setting.space(part)
    end = "go_whole" if _alternatives(part.map) and not space else f"go{space}"
    names = setting.edits_of(part)
    directed = part.granularity.directed
    attributes = setting.problem.domain.attribute_sorts.items()
    known = [
        (f"(become{space} i {of_spec(n)})" if space and s == CELL else of_spec(n), s)
        for n, s in case.edit.params
    ]
    known += [
        (f"({of_attribute(a)} {of_spec(n)})", sort)
        for n, s in case.edit.params
        if s == CELL
        for a, sort in attributes
    ]
    inner = [setting.edits[name] for name in names]
    known += [
        (f"({value(t, RocqTerms({'c': of_spec(n)}))})", INT)
        for edit in inner for t in edit.measured for n, s in case.edit.params if s == CELL
    ]  # fmt: skip
    numbers = [t for t, s in known if s == INT]
    known += [
        (f"({t} / {value(by, RocqTerms())})", INT)
        for edit in inner for each in edit.multiples.values() for by in each for t in numbers
    ]  # fmt: skip
    own = tuple(of_spec(n) for n, _ in case.edit.params)
    wanted = {of_spec(p): d.number for p, d in case.edit.change if d.op == "int"}
    if cells is not None:
        wanted = {cell: number for cell, number in wanted.items() if cell in cells}
    tried: list[tuple[tuple[int, bool, bool, bool], str]] = []
    ways = len(names) * (1 if directed else 2)
    for number, name in enumerate(names):
        sorts = [s for _, s in setting.edits[name].params]
        for chosen in product(*[[t for t, s in known if s == sort] for sort in sorts]):
            for back in (False, True)[: 1 if directed else 2]:
                at = number + back * len(names)
                way = ["right"] * at + ["left"] * (at < ways - 1)
                sized = reads_size(setting.edits[name].guard) and reads_size(case.edit.guard)
                witness = "".join(f"exists {c}; " for c in (*chosen, *["n"] * sized))
                text = "; ".join([*way, f"unfold {name}"]) + f"; {witness}{SPLIT}; {end}"
                wrong = _mismatches(setting.edits[name], chosen, wanted, back=back)
                tried.append(((wrong, chosen != own, back, name != case.name), text))
    if not tried:
        raise UnwrittenError(f"no edit of {part.name} is about what {case.name} names")
    tried.sort(key=lambda row: row[0])
    return "first [" + " | ".join(f"solve [{text}]" for _, text in tried[:MOST_STEPS]) + "]"


def _alternatives(mapping: BoundMap) -> bool:
    """Return whether what a block holds has several cases: they are better not split."""
    return any(t.op == "or" for t in subterms(mapping.member))


def _mismatches(
    inner: BoundEdit, chosen: tuple[str, ...], wanted: Mapping[str, int], *, back: bool
) -> int:
    """Return at how many cells an inner edit does not add what is wanted there."""
    at = dict(zip((n for n, _ in inner.params), chosen, strict=True))
    does = {at[p]: -d.number if back else d.number for p, d in inner.change if d.op == "int"}
    return sum(wanted.get(cell) != delta for cell, delta in does.items())


def holding(mapping: BoundMap, cell: str) -> str:
    """Say that block ``i`` of a map holds a cell."""
    return f"{made('mem', mapping.name)} i {cell}"


def split_on_points(case: EditCase, mapping: BoundMap) -> str:
    """Return tactics: whether a block holds each of the cells that an edit names."""
    if case.edit.frame is not None or mapping.member == TRUE:
        return ""
    return "".join(f"destruct (dec ({holding(mapping, x)})); " for x in case.points)


def one_step(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Say that one inner edit leads from what a part sees to what it sees after."""
    see = made("see", part.map.name)
    steps = _steps(proof, part, case)
    found = "keep_diff" if part.map.member != TRUE else "db_diff"
    name = made(f"dist_{case.name}", part.name)
    if proof.setting.space(part):
        yield from _one_step_of_image(proof, case, part, name, steps)
        return
    yield (
        f"Lemma {name} D E i : class D -> class E -> {case.name} D E -> "
        f"{see} i D <> {see} i E ->\n  {proof.path(part, '1')}."
    )
    yield (
        f"Proof. intros KD KE Ed ne. pose proof ({made('in', part.name)} i D KD) as ID. "
        f"pose proof ({made('in', part.name)} i E KE) as IE.\n"
        f"  apply path1. split; [assumption | split; [assumption|]]. clear ID IE.\n"
        f"  {case.chosen}\n"
        f"  apply {found} in ne. destruct ne as (w & W). "
        f"{split_on_points(case, part.map)}\n"
        f"  first [clear KD KE W w; {steps}\n   | solve [exfalso; clear KD KE; go] "
        f"| clear KD KE; {steps}\n   | {steps}{_of_whole_lists(case, part, steps)}]. Qed."
    )


def _of_whole_lists(case: EditCase, part: BoundPart, steps: str) -> str:
    """Try steps where a block holds all records that there are before the edit, its size too."""
    mapping, edits = part.map, (case.edit, *part.granularity.edits)
    if mapping.member == TRUE or not all(reads_size(e.guard) for e in edits):
        return ""
    member, see = made("mem", mapping.name), made("see", mapping.name)
    return (
        f"\n   | assert (whole : forall c, D c <> 0 -> {member} i c) by (clear KE W w; un; splits; "
        "repeat match goal with F : forall n, sized ?B n -> _, S : sized ?B ?n |- _ => "
        "specialize (F n S) end; intros c Dc; go); "
        f"unfold {see}; rewrite (keep_whole _ _ _ whole); clear KD KE W w; {steps}"
    )


def _one_step_of_image(
    proof: ProofScript, case: EditCase, part: BoundPart, name: str, steps: str
) -> Iterator[str]:
    """Say that one inner edit leads from the counts of what records become to those after."""
    space = proof.setting.space(part)
    see = made("see", part.map.name)
    yield (
        f"Lemma {name} D E i : class D -> class E -> {case.name} D E -> "
        f"{see} i D <> {see} i E ->\n  {proof.path(part, '1')}."
    )
    yield (
        f"Proof. intros KD KE Ed ne. pose proof ({made('in', part.name)} i D KD) as ID. "
        f"pose proof ({made('in', part.name)} i E KE) as IE.\n"
        f"  apply path1. split; [assumption | split; [assumption|]].\n"
        f"  {case.chosen} splits. {image_changes(case, part, f'become{space}')}\n"
        f"  apply db_diff in ne. destruct ne as (w & W). clear KD KE ID IE.\n"
        f"  {split_on_points(case, part.map) or 'idtac;'}{_becoming(case, space)} "
        f"first [{become_alike(case, space)}{steps}]. Qed."
    )


def become_alike(case: EditCase, space: str) -> str:
    """Return a tactic to try: two cells that become the same one change no count."""
    if len(case.points) != 2:
        return ""
    x, y = (f"become{space} i {point}" for point in case.points)
    return (
        f"solve [exfalso; assert (same : {x} = {y}) by (unfold become{space}; congruence); "
        f"rewrite ?same in *; go{space}] | "
    )


def _becoming(case: EditCase, space: str) -> str:
    """Return tactics: what the named cells become is among the cells that a part knows."""
    if not space:
        return ""
    return "".join(
        f" try assert (X{space} (become{space} i {x})) by (apply X{space}_cell; assumption);"
        for x in case.points
    )


def image_changes(case: EditCase, part: BoundPart, become: str) -> str:
    """Return tactics: how the counts of what records become are changed, as ``IM``."""
    if case.edit.frame is not None:
        return ""
    if len(case.edit.change) > 2:
        raise UnwrittenError(f"{case.name} changes more than two cells, and a map counts images")
    put = "image_put2" if len(case.edit.change) == 2 else "image_put"
    member, see = made("mem", part.map.name), made("see", part.map.name)
    return (
        f"{_of_class('KD', 'D', 'PD', 'SD', 'FD')} {_of_class('KE', 'E', 'PE', 'SE', 'FE')} "
        f"match goal with K : forall c : cell, E c = @?f c |- _ => "
        f"pose proof ({put} ({member} i) ({become} i) D E _ _ "
        f"{'_ _ ' * (len(case.edit.change) - 1)}PD PE FD K) as IM; clear K end; "
        f"fold ({see} i D) ({see} i E) in IM; clear PD SD FD PE SE FE."
    )


def _of_class(known: str, database: str, *names: str) -> str:
    """Return tactics: a database of the class is nonnegative, of cells that there are, finite."""
    pos, inside, finite = names
    return (
        f"assert ({pos} : forall c, 0 <= {database} c) by (apply {known}); "
        f"assert ({inside} : forall c, {database} c <> 0 -> X c) by (apply {known}); "
        f"assert ({finite} : finite {database}) by (apply {known});"
    )


def at_once(case: EditCase, part: BoundPart) -> bool:
    """Return whether a part that sees all records sees both cells of an edit as one step."""
    both = case.touched.distances.get((part.name, tuple(case.edit.points)))
    return both is not None and as_integer(both) == 1 and not part.map.indices


def far_apart(case: EditCase, part: BoundPart) -> str:
    """Return how many steps a part is away in block ``i``: one for each cell, or one for both."""
    if at_once(case, part):
        return "1"
    return " + ".join(f"one_if ({holding(part.map, p)})" for p in case.points)


def sum_of_points(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say that what a part sees in a block is one step for each named cell there."""
    setting = proof.setting
    if case.edit.frame is not None or len(case.points) != 2 or setting.common:
        raise UnwrittenError(f"{case.name} sees distances that are not 1, or not numbers")
    known = case.touched.distances.items()
    once = {p.name for p in setting.parts if at_once(case, p)}
    if any(as_integer(d) not in {0, len(points)} for (p, points), d in known if p not in once):
        raise UnwrittenError(f"the distances that {case.name} sees are not one for each cell")
    x, y = case.points
    (first, second) = (value(d, RocqTerms()) for _, d in case.edit.change)
    claims, tactics = [], []
    for part in setting.parts:
        most = far_apart(case, part)
        claims.append(f"(exists r, (r <= {most})%nat /\\ {proof.path(part, 'r')})")
        changes = ((x, first), (y, second))
        tactics.append(_of_both_points(proof, case, part, changes))
    yield joined(case, claims)
    rows = "; [" + " | ".join(tactics) + "]" if len(tactics) > 1 else "; " + tactics[0]
    yield (
        f"Proof. intros KD KE Ed. {case.chosen}\n"
        f"  splits. exists {x}, {y}. split; [assumption | split; [assumption|]]. intro i. "
        f"{SPLIT}{rows}. Qed."
    )


def _of_both_points(
    proof: ProofScript, case: EditCase, part: BoundPart, changes: Sequence[tuple[str, str]]
) -> str:
    """Return a tactic: a part is so many steps away as there are named cells in its block."""
    setting = proof.setting
    see, inner, space = made("see", part.map.name), setting.neighbours_of(part), setting.space(part)
    whole = "_whole" if _alternatives(part.map) and not space else space
    points = [p for p, _ in changes]
    reads = any(reads_database(setting.edits[n].guard) for n in setting.edits_of(part))
    clear = "clear ID IE" if space or reads else "clear ID IE KD KE"  # no record less than none
    only, other, once = (
        "solve [exists 1%nat; split; [lia | apply path1; split; [assumption | "
        f"split; [assumption | {clear}; {_steps(proof, part, case, cells)}]]]]"
        for cells in ([points[0]], [points[1]], points)
    )
    none = "solve [exists 0%nat; split; [lia | apply path0; apply functional_extensionality; "
    none += f"intro; {clear}; go{whole}]]"
    at = {p: f"(become{space} i {p})" if space else p for p in points}
    middle = {p: f"(fun c => {see} i D c + put c {at[p]} ({d}))" for p, d in changes}
    halves = " | ".join(
        f"solve [assert (CM : {setting.class_of(part)} {middle[p]}) by "
        f"first [solve [clear KD KE; inside{whole}] | inside{whole}]; "
        f"exists 2%nat; split; [lia | apply path2 with {middle[p]}; "
        f"[split; [assumption | split; [exact CM | {clear} CM; "
        f"{_steps(proof, part, case, [p])}]] "
        f"| split; [exact CM | split; [assumption | {clear} CM; "
        f"{_steps(proof, part, case, [q for q in points if q != p])}]]]]]"
        for p, _ in changes
    )
    both = f"first [{halves} | {once}]"
    if space:
        both = f"destruct (dec ({at[points[0]]} = {at[points[1]]})); [{none} | {both}]"
    cannot = f"solve [exfalso; {clear}; go]"  # the guard may ask for both cells, or for neither
    cases = f"[{both} | first [{only} | {cannot}] | first [{other} | {cannot}] | {none}]"
    if part.map.member == TRUE:  # everything is held: the other cases cannot be
        cases = f"[{both} | exfalso; un; tauto ..]"
    split = "; ".join(f"destruct (dec ({holding(part.map, p)}))" for p in points)
    counted_after = (
        f"{image_changes(case, part, f'become{space}')[:-1]}; clear KD KE; " if space else ""
    )
    return (
        f"(unfold one_if; pose proof ({made('in', part.name)} i D KD) as ID; "
        f"pose proof ({made('in', part.name)} i E KE) as IE; {counted_after}"
        f"unfold {inner};\n     {split};{_becoming(case, space)}\n     {cases})"
    )


def joined(case: EditCase, claims: list[str]) -> str:
    """Say that there are the two cells that an edit names, and claims that hold of every block."""
    x, y = case.points
    return (
        f"Lemma dist_{case.name} D E : class D -> class E -> {case.name} D E ->\n"
        f"  exists ({x} {y} : cell), X {x} /\\ X {y} /\\ forall i, {AND.join(claims)}."
    )
