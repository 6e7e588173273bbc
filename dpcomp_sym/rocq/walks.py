"""Edits of many records, seen by mechanisms that protect one: one comes or goes after the other.

Where D and E differ in at most n records, a part that protects single records is so many steps
away as records come or go in its block.  So together the parts of a map lose at most n times what
the blocks of one record lose (``walk`` and ``sum_moves`` of the library).  Other parts may see all
that changes in a block as one edit: as many blocks change as records come or go (``cnt_moves``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, permutations

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.bounds import Expression, as_integer, infinite, integral, natural, real
from dpcomp_sym.rocq.counts import AT_MOST_ONE, changed_cell, counted
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript, one_step
from dpcomp_sym.rocq.keys import values_of_key
from dpcomp_sym.rocq.names import made, of_spec
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.sums import group_sum
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import BOOL, TRUE, Term, cases, conjuncts, free_variables

__all__ = [
    "FINISH",
    "ONE_WAY",
    "changed_records",
    "everywhere",
    "few_lemma",
    "most_blocks",
    "moved_steps",
    "path_lemma",
    "values_lemma",
    "walk_lemmas",
    "walk_road",
    "walk_sums",
]

ONE_WAY = (
    "intros z Iz; apply framed in Iz; destruct Iz; match goal with K : forall c_, X c_ -> _ "
    "|- _ => specialize (K z) end; assert (0 <= D z) by auto; assert (0 <= E z) by auto; "
    "intuition lia"
)
"""A tactic: a cell that changes holds no more after the edit, or no fewer."""
FINISH = "  cbn [sc pure] in *. unfold bound. rewrite ?worst_mult by lra. below."
LISTED = "NoDup l -> (forall z, In z l <-> D z <> E z)"
BETWEEN = "intros c nc; specialize (P c); specialize (L c)"


def walk_lemmas(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Say how many records come or go, and that each is a step of the mechanisms.

    Raises:
        UnwrittenError: mechanisms protect something else, or databases can be too few records.
    """
    yield from few_lemma(proof, case, steps)
    for part in proof.setting.parts:
        at_once = case.at_once(part.map)
        yield from one_step(proof, case, part) if at_once else path_lemma(proof, part)
    for mapping in proof.setting.maps.values():
        if mapping.indices and not everywhere(case, mapping):
            yield _in_blocks(proof, case, mapping)
            if case.at_once(mapping):
                yield _count(proof, case, mapping)


def _count(proof: ProofScript, case: EditCase, mapping: BoundMap) -> str:
    """Say in how many blocks of a map something changes: in those of the records."""
    group, blocks = case.group(mapping), proof.setting.blocks(mapping)
    see, member = made("see", mapping.name), made("mem", mapping.name)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    return (
        f"Lemma {counted(case, mapping)} D E : class D -> class E -> {case.name} D E ->\n"
        f"  (cnt {blocks} (fun i => {see} i D <> {see} i E) <= {natural(group.count)})%nat.\n"
        "Proof. intros KD KE Ed. "
        f"destruct (walk_{case.name} D E KD KE Ed) as (l & N & A & Xl & L).\n"
        f"  eapply Nat.le_trans; [apply (cnt_moves cell {blocks} {member} l D E "
        f"{most_blocks(mapping)} A); intros; "
        f"apply {made(f'cell_{case.name}', mapping.name)}; auto |].\n"
        "  rewrite INR_IZR_INZ, <- ?mult_IZR, <- ?plus_IZR in L. apply le_IZR in L. nia. Qed."
    )


def changed_records(case: EditCase, then: str = "") -> str:
    """Return tactics that list the cells that change, as ``l``, each of which is in the frame."""
    inside = _at_z(case.edit.frame or TRUE)
    return (
        f"{case.chosen} pose proof KD as CD. pose proof KE as CE.\n"
        "  unfold class in CD, CE. splits.\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
        f"  destruct (changed_list _ D E) as (l & N & A); [apply KD | apply KE |].{then}\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
    )


def few_lemma(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Say of the cells that an edit changes how many records come or go in all.

    Raises:
        UnwrittenError: no limit says how many, or none of them is seen.
    """
    if as_integer(steps) == 0:
        raise UnwrittenError(f"why parts see nothing of what {case.name} changes is not known")
    named = "eapply Z.le_trans; [eapply (moves_points cell l D E); [exact N | eassumption] | lia]"
    ways_of = _by_limits(proof, case) if case.edit.frame is not None else iter([named])
    ways = " | ".join(f"solve [{w}]" for w in ways_of)
    if not ways:
        raise UnwrittenError(f"no limit says how many records {case.name} changes")
    yield (
        f"Lemma walk_{case.name} D E : class D -> class E -> {case.name} D E -> exists l,\n"
        "  NoDup l /\\ (forall z, In z l <-> D z <> E z) /\\ (forall z, In z l -> X z) /\\\n"
        f"  (INR (moves l all_cells D E) <= {real(steps)})%R."
    )
    yield (
        f"Proof. intros KD KE Ed. {changed_records(case, ' exists l.')}"
        "  split; [assumption | split; [assumption | split; [intros; now apply framed |]]].\n"
        f"  assert (most : Z.of_nat (moves l all_cells D E) <= {integral(steps)})\n"
        f"    by first [{ways}].\n"
        "  apply IZR_le in most. rewrite <- INR_IZR_INZ, ?plus_IZR, ?mult_IZR, ?plus_IZR in most. "
        "lra. Qed."
    )


def values_lemma(
    proof: ProofScript, case: EditCase, most: Expression, integers: Callable[[str], str]
) -> Iterator[str]:
    """Say which cells stand for all that change: so many have all integers that these have.

    ``integers`` writes those of a cell; limits on distinct values say how many there are, or limits
    on records, of which there are no fewer.

    Raises:
        UnwrittenError: no limit says how many, or none of them is seen.
    """
    all_of = f"forall c, {{}} -> exists y, In y {{}} /\\ ({integers('y')}) = ({integers('c')})"
    then = (
        "exists r; split; [lia | split; [exact I | intros c C; destruct (J c C) as (y & Y & e); "
        "exists y; split; [exact Y | cbv beta in e; congruence]]]"
    )
    changed = "intros z Iz; now apply A | intros z Iz; apply framed in Iz; tauto"
    ways = []
    for of, each, bound in proof.setting.problem.domain.distinct_terms:
        terms = [f"(fun c_ : cell => {value(t, RocqTerms(OVER))})" for t in (each, of)]
        for name, sort in case.edit.params:
            if sort == each.sort:
                given = f"{' '.join(terms)} {of_spec(name)} D E {value(bound, RocqTerms())} l"
                ways.append(
                    f"destruct (few_stand_one_way cell _ _ {given}) as (r & L & I & J); "
                    "[assumption | assumption | assumption | assumption | "
                    f"{changed} | first [left; {ONE_WAY} | right; {ONE_WAY}] | {then}]"
                )
                ways.append(
                    f"destruct (few_stand_both cell _ _ {given}) as (r & L & I & J); "
                    f"[assumption | assumption | {changed} | {then}]"
                )
    ways += [
        f"assert (few : Z.of_nat (moves l all_cells D E) <= {integral(most)}) by ({way}); "
        "pose proof (length_moves cell l D E (fun c C => proj1 (A c) C)); exists l; "
        "split; [lia | split; [intros c C; exact C | intros c C; now exists c]]"
        for way in _by_limits(proof, case)
    ]
    if not ways:
        raise UnwrittenError(f"no limit says how many records {case.name} changes")
    yield (
        f"Lemma kinds_{case.name} D E : class D -> class E -> {case.name} D E -> exists l,\n"
        f"  (forall z, In z l -> X z) /\\ (length l <= Z.to_nat {integral(most)})%nat /\\\n"
        f"  {all_of.format('D c <> E c', 'l')}."
    )
    yield (
        f"Proof. intros KD KE Ed. {changed_records(case)}"
        f"  assert (some : exists r, Z.of_nat (length r) <= {integral(most)} /\\ incl r l /\\\n"
        f"    {all_of.format('In c l', 'r')}).\n"
        f"  {{ first [{' | '.join(f'solve [{w}]' for w in ways)}]. }}\n"
        "  destruct some as (r & L & I & J). exists r.\n"
        "  split; [intros z Iz; now apply framed, I | split; [lia |]].\n"
        "  intros c nc. apply J. now apply A. Qed."
    )


def _by_limits(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Yield tactics: limits say how many records change, of all together, or case by case."""
    frame = case.edit.frame or TRUE
    for way in (*_in_list(proof, case, "l"), *_case_by_case(proof, case, frame)):
        yield f"eapply Z.le_trans; [{way} | first [lia | nia]]"


def _in_list(proof: ProofScript, case: EditCase, listed: str) -> Iterator[str]:
    """Yield tactics: all records of a list share a key, which so many records share."""
    shared = "intros z Iz; apply framed in Iz; first [tauto | intuition congruence]"
    for key, bound in proof.setting.problem.domain.limit_terms:
        function = f"(fun c_ : cell => {value(key, RocqTerms({'c': 'c_'}))})"
        most = value(bound, RocqTerms())
        for given, few in chain(
            _by_values(proof, case, key, most), _by_near_values(proof, case, key, most)
        ):
            known = " | ".join(["assumption"] * 2 + ["lia"] + ["assumption"] * 2)
            known += f" | {few('D')} | {few('E')} | assumption"
            alike = (
                "intros z Iz; apply framed in Iz; destruct Iz as (Xz & fz); splits; "
                "split; cbv beta; congruence"
            )
            yield (
                f"apply (moves_values_one_way _ _ _ _ {function} {given} {listed}); "
                f"[{known} | {alike} | first [left; {ONE_WAY} | right; {ONE_WAY}]]"
            )
            yield f"apply (moves_values _ _ _ _ {function} {given} {listed}); [{known} | {alike}]"
        for what in values_of_key(case.edit, key):
            given = f"{function} {what} D E {most} {listed}"
            known = f"assumption | assumption | assumption | assumption | assumption | {shared}"
            yield (
                f"apply (moves_limited_one_way _ _ {given}); [{known} | "
                f"first [left; {ONE_WAY} | right; {ONE_WAY}]]"
            )
            yield f"apply (moves_limited _ _ {given}); [{known}]"


def _case_by_case(proof: ProofScript, case: EditCase, frame: Term, listed: str = "l") -> list[str]:
    """Return a tactic: each case of a frame has a limit of its own; none if it is one case."""
    first, *others = cases(frame)
    if not others:
        return []
    rest = others[0] if len(others) == 1 else Term("or", tuple(others), BOOL)
    fewer, of, one = (f"{name}'" for name in (listed, f"{listed}_of", f"{listed}_one"))

    def those(formula: Term, why: str) -> str:
        return (
            f"intros {fewer} ? {of} {one}; "
            f"assert (fewer : forall z, In z {fewer} -> X z /\\ {_at_z(formula)}) "
            f"by (intros z Iz; {why}); clear framed; rename fewer into framed; "
        )

    here = those(first, f"split; [apply framed; auto | now apply {one}]")
    there = those(
        rest, f"specialize ({of} z Iz); apply framed in {of}; specialize ({one} z Iz); tauto"
    )
    ways = [f"solve [{way}]" for way in _in_list(proof, case, fewer)]
    more = [f"solve [{way}]" for way in _case_by_case(proof, case, rest, fewer)] or ways
    both = f"{here}first [{' | '.join(ways)}] | {there}first [{' | '.join(more)}]"
    split = f"moves_cases cell {listed} (fun z => {_at_z(first)}) D E"
    return [f"eapply ({split}); [assumption | {both}]"]


def _at_z(formula: Term) -> str:
    return over_cell(formula, cell="z")


Few = Callable[[str], str]
"""Writes a tactic: there are few values in a database."""


def _by_values(
    proof: ProofScript, case: EditCase, key: Term, most: str
) -> Iterator[tuple[str, Few]]:
    """Yield what the records share, and what tells them apart of which there are few values."""
    for of, each, bound in proof.setting.problem.domain.distinct_terms:
        for name, sort in case.edit.params:
            if key.op == "tuple" and sort == each.sort and key.terms in {(each, of), (of, each)}:
                shared, counted_ = (
                    f"(fun c_ : cell => {value(t, RocqTerms(OVER))})" for t in (each, of)
                )
                u = of_spec(name)
                pair = f"({u}, w)" if key.terms == (each, of) else f"(w, {u})"
                few = value(bound, RocqTerms())
                given = f"{shared} {counted_} (fun w => {pair}) {u} D E {most} {few}"
                yield given, lambda _: "assumption"


def _by_near_values(
    proof: ProofScript, case: EditCase, key: Term, most: str
) -> Iterator[tuple[str, Few]]:
    """Yield the same where what tells them apart is an integer that lies in a range."""
    for each, of in permutations(key.terms, 2) if key.op == "tuple" and len(key.terms) == 2 else ():
        low, high = _range_of(proof, of)
        for name, sort in case.edit.params if low and high else ():
            if sort != each.sort:
                continue
            shared, counted_ = (
                f"(fun c_ : cell => {value(t, RocqTerms(OVER))})" for t in (each, of)
            )
            u = of_spec(name)
            pair = f"({u}, w)" if key.terms == (each, of) else f"(w, {u})"
            few = f"({high} - {low} + 1)"

            def in_range(database: str, low: str = low) -> str:
                return (
                    f"apply few_values_range with (low := {low}); [lia | intros c nc; "
                    f"pose proof (X_cell c (X{database} c nc)); lia]"
                )

            yield f"{shared} {counted_} (fun w => {pair}) {u} D E {most} {few}", in_range


def _range_of(proof: ProofScript, term: Term) -> tuple[str, str]:
    """Return the least and the largest value of an integer of a record; nothing if not known."""
    low = high = ""
    for fact in conjuncts(proof.setting.problem.domain.cell_term):
        if fact.op not in {"le", "lt"} or term not in fact.terms:
            continue
        (other,) = [t for t in fact.terms if t != term] or [term]
        if "c" in free_variables(other):
            continue
        said = value(other, RocqTerms())
        if fact.terms[1] == term:
            low = said if fact.op == "le" else f"({said} + 1)"
        else:
            high = said if fact.op == "le" else f"({said} - 1)"
    return low, high


def _smaller(name: str, of_class: str) -> str:
    """Say that fewer records of a database of the class are in a part's class."""
    return (
        f"Lemma {name} B F : class B -> (forall c, 0 <= F c) -> (forall c, F c <= B c) -> "
        f"{of_class} F.\n"
        f"Proof. intros K P L. unfold class, {of_class} in *. splits. "
        f"{SPLIT};\n  first [ assumption | {BETWEEN}; "
        "match goal with XB : forall c, B c <> 0 -> X c |- _ => apply XB; lia end\n"
        f"  | eapply finite_sub; [eassumption | {BETWEEN}; lia]\n"
        "  | intros c; eapply Z.le_trans; [apply L | auto]\n"
        f"  | eapply few_values_sub; [eassumption | {BETWEEN}; lia]\n"
        "  | eapply limited_sub; eassumption ]. Qed."
    )


def path_lemma(proof: ProofScript, part: BoundPart) -> Iterator[str]:
    """Say that a part is so many steps away as records come or go in its block, by any edit."""
    setting = proof.setting
    domain = part.domain
    if domain.fact_terms or domain.size_terms:
        raise UnwrittenError(
            f"{part.name} knows more of its databases than what fewer records keep"
        )
    inner, see = setting.neighbours_of(part), made("see", part.map.name)
    space, smaller = setting.space(part), made("smaller", part.name)
    of_class = "class" if space else setting.class_of(part)
    yield _smaller(smaller, of_class)
    member, become = f"({made('mem', part.map.name)} i)", f"(become{space} i)"
    steps = f"path {inner} {{}} ({see} i D) ({see} i E)"
    if space:
        most = f"(n <= moves l all_cells D E)%nat /\\ {steps.format('n')}"
        said, known = f"exists n, {most}", "apply KD | apply KE | apply KD | apply KE"
        walked = f"apply (walk_image _ _ {inner} {member} {become} D E l N A)"
        given, inside = "low high e mx im", f"exact ({made('in', part.name)} i _ (proj{{}} C))"
        record = f"assert (Xr : X{space} ({become} x)) by (apply X{space}_cell; assumption)."
    else:
        whole = "rewrite !keep_all in W. " if part.map.member == TRUE else ""
        kept = "all_cells" if part.map.member == TRUE else member
        said, known = steps.format(f"(moves l {member} D E)"), "apply KD | apply KE"
        walked = f"pose proof (walk _ {inner} D E {kept} l N A) as W. {whole}apply W"
        given, inside, record = "low high e", "exact (proj{} C)", "pose proof e as im."
    ways = " | ".join(_single(proof, part, f"({become} x)" if space else "x"))
    if not ways:
        raise UnwrittenError(f"the neighbours of {part.name} do not differ in a single record")
    yield (
        f"Lemma {made('steps', part.name)} D E i l : class D -> class E -> {LISTED} ->\n  {said}.\n"
        f"Proof. intros KD KE N A. {walked};\n"
        f"  [{known} | intros F G K; unfold {inner} in *; tauto |].\n"
        f"  intros H H' x {given}. assert (P : forall c, 0 <= H c).\n"
        "  { intro c. rewrite e. specialize (low c). unfold put. destruct dec; lia. }\n"
        "  assert (L : forall c, H' c <= H c).\n"
        "  { intro c. rewrite e. unfold put. destruct dec; lia. }\n"
        f"  assert (C : {of_class} H /\\ {of_class} H').\n"
        "  { destruct high as [h|h]; split.\n"
        f"    - now apply ({smaller} D).\n"
        f"    - apply ({smaller} D); auto. intro c. eapply Z.le_trans; auto.\n"
        f"    - now apply ({smaller} E).\n"
        f"    - apply ({smaller} E); auto. intro c. eapply Z.le_trans; auto. }}\n"
        "  assert (Xx : X x).\n"
        "  { apply (proj1 C). rewrite e. specialize (low x). unfold put.\n"
        "    destruct dec; [lia | tauto]. }\n"
        f"  {record} split; [{inside.format(1)} | split; [{inside.format(2)} |]].\n"
        f"  first [{ways}]. Qed."
    )


def _single(proof: ProofScript, part: BoundPart, record: str) -> Iterator[str]:
    """Yield tactics: an inner edit adds or removes the one record."""
    names = proof.setting.edits_of(part)
    ways = len(names) * (1 if part.granularity.directed else 2)
    if part.granularity.directed:
        return
    for number, name in enumerate(names):
        edit = proof.setting.edits[name]
        if edit.frame is not None or len(edit.change) != 1 or len(edit.params) != 1:
            continue
        for at in (number, number + len(names)):
            way = ["right"] * at + ["left"] * (at < ways - 1)
            yield (
                f"solve [{'; '.join([*way, f'unfold {name}'])}; exists {record}; {SPLIT}; first "
                "[assumption | lia | specialize (e x); specialize (low x); unfold put in *; "
                "destruct dec; [lia | tauto] | intros c; specialize (im c); unfold put in *; "
                "destruct dec; lia]]"
            )


def most_blocks(mapping: BoundMap) -> str:
    """Return in how many blocks of a map a record is at most, of sort nat."""
    if mapping.multiplicity is None:
        return "1"
    return f"(Z.to_nat {value(mapping.multiplicity, RocqTerms())})"


def everywhere(case: EditCase, mapping: BoundMap) -> bool:
    """Return whether any number of blocks of a map can change."""
    known = mapping.multiplicity is not None or not infinite(case.touched.counts[mapping.name])
    return not known and not case.at_once(mapping)


def _in_blocks(proof: ProofScript, case: EditCase, mapping: BoundMap) -> str:
    member, blocks = made("mem", mapping.name), proof.setting.blocks(mapping)
    known = f"apply {made('most', mapping.name)}; assumption"
    return (
        f"Lemma {made(f'cell_{case.name}', mapping.name)} c_ : X c_ -> "
        f"(cnt {blocks} (fun i => {member} i c_) <= {most_blocks(mapping)})%nat.\n"
        f"Proof. intros Xc. {AT_MOST_ONE if mapping.multiplicity is None else known}. Qed."
    )


def walk_road(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Return the steps from these lemmas to how far the parts see what changes."""
    setting = proof.setting
    moved = {p.name: moved_steps(proof, case, p) for p in setting.parts}
    names = " | ".join("i" for _ in setting.parts)
    paths = " | ".join(_reached(proof, case, p) for p in setting.parts)
    yield f"  destruct (walk_{case.name} D E KD KE Ed) as (l & N & A & Xl & L)."
    yield f"  exists (fun t => {setting.cases(moved)}). split."
    yield f"  {{ intros t _. destruct t as [{names}]; [{paths}]. }}"


def walk_sums(
    proof: ProofScript, case: EditCase, steps: Expression, positive: str
) -> Iterator[str]:
    """Return the steps to the sums that the bound is made of.

    Args:
        proof: what the proof is about.
        case: the edit.
        steps: how many records come or go.
        positive: a tactic for what is not negative.
    """
    setting = proof.setting
    maps = list(setting.maps.values())
    if proof.outline.shared and len(maps) > 1 and not setting.images:
        yield from _shared_out(proof, case, maps, real(steps), positive)
        return
    for number, mapping in enumerate(maps):
        if case.at_once(mapping):
            yield from group_sum(proof, case, mapping, number)
        else:
            yield from _summed(proof, case, mapping, number, real(steps), positive)
    yield FINISH


def moved_steps(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return how many steps a part is away in block ``i``."""
    if case.at_once(part.map):
        see = made("see", part.map.name)
        return f"(if dec ({see} i D = {see} i E) then 0 else 1)%nat"
    if proof.setting.space(part):
        return f"least (fun n => {proof.path(part, 'n')}) (moves l all_cells D E)"
    return f"moves l ({made('mem', part.map.name)} i) D E"


def _reached(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return a tactic: so many steps lead there, and where records are counted not more."""
    if case.at_once(part.map):
        known = made(f"dist_{case.name}", part.name)
        return f"destruct dec; [now apply path0 | now apply {known}]"
    lemma = made("steps", part.name)
    if not proof.setting.space(part):
        return f"now apply {lemma}"
    return (
        f"destruct ({lemma} D E i l KD KE N A) as (n & few & P); "
        f"apply (least_ok (fun n => {proof.path(part, 'n')}) _ n P few)"
    )


def _shared_out(
    proof: ProofScript, case: EditCase, maps: Sequence[BoundMap], steps: str, positive: str
) -> Iterator[str]:
    """Share the records that come or go among maps, of which some have no records in common."""
    held = {m.name: _held(m) for m in maps}
    moved = {name: f"moves l {cells} D E" for name, cells in held.items()}
    for number, mapping in enumerate(maps):
        if mapping.indices and everywhere(case, mapping):
            raise UnwrittenError(f"{case.name} changes any number of blocks of {mapping.name}")
        if mapping.indices:
            yield from _in_some_block(proof, case, mapping, number, positive)
    yield "  change (range 1) with [1]. cbn [sum sc pure]."
    for part in proof.setting.parts:
        if not part.map.indices:
            yield f"  pose proof (cost_pos ({made('part', part.name)} 1)). cbn [cost] in *."
    for name, own in moved.items():
        yield f"  pose proof (pos_INR ({own})). "
        yield f"  pose proof (le_INR _ _ (moves_le cell l {held[name]} D E))."
    for one, other in combinations(moved, 2):
        known = f"(moves_apart cell l {held[one]} {held[other]} D E)"
        yield (
            f"  try (assert ((INR ({moved[one]}) + INR ({moved[other]}) <= {steps})%R) by "
            f"(rewrite <- plus_INR; eapply Rle_trans; [apply le_INR, {known}; "
            "intros c _; intros; splits; un_members; intuition congruence | exact L]))."
        )
    for one, other in combinations([_worst_cost(proof, m) for m in maps if m.indices], 2):
        yield f"  destruct (Rle_dec ({one}) ({other}));"
    numbers = "in_numbers; same_numbers; same_blocks; known_sizes; "
    added = numbers if proof.setting.numbers else ""
    yield f"  unfold bound, Rmax; repeat destruct Rle_dec; {added}nra."


def _worst_cost(proof: ProofScript, mapping: BoundMap) -> str:
    """Return what the blocks of one record cost at worst."""
    each = " + ".join(proof.setting.guarantee(p) for p in proof.parts_of(mapping))
    return f"worst {most_blocks(mapping)} {proof.setting.blocks(mapping)} (fun i => ({each})%R)"


def _held(mapping: BoundMap) -> str:
    """Return the set of the cells that some block of a map holds."""
    member = made("mem", mapping.name)
    return f"(fun c => exists i, {member} i c)" if mapping.indices else f"({member} 1)"


def _in_some_block(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, positive: str
) -> Iterator[str]:
    """Say that the parts of a map lose what the records in its blocks cost at worst."""
    blocks, member = proof.setting.blocks(mapping), made("mem", mapping.name)
    costs = [proof.setting.guarantee(p) for p in proof.parts_of(mapping)]
    each, most = f"({' + '.join(costs)})", most_blocks(mapping)
    worst = _worst_cost(proof, mapping)
    left = " + ".join(
        f"sum {blocks} (fun i => INR (moves l ({member} i) D E) * {c})" for c in costs
    )
    yield f"  assert (A{number} : ({left} <= INR (moves l {_held(mapping)} D E) * ({worst}))%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with (g := fun i => "
        f"(INR (moves l ({member} i) D E) * {each})%R); intros; right; ring |].\n"
        f"    apply (sum_moves_held cell {blocks} {member} l D E (fun i => {each}%R) {most}); "
        f"[intros; {positive} | intros; apply {made(f'cell_{case.name}', mapping.name)}; auto]. }}"
    )
    yield f"  pose proof (worst_pos {most} Z {blocks} (fun i => {each}%R) : (0 <= {worst})%R)."


def _no_more_in(mapping: BoundMap) -> str:
    """Return a tactic: block ``i`` is no more steps away than records come or go."""
    return f"pose proof (le_INR _ _ (moves_le cell l ({made('mem', mapping.name)} i) D E))."


def _no_more(proof: ProofScript, mapping: BoundMap) -> str:
    """Return tactics: a block without a number is no more steps away than records come or go."""
    (part, *_) = proof.parts_of(mapping)
    if mapping.image is None:
        return f"pose proof (le_INR _ _ (moves_le cell l ({made('mem', mapping.name)} 1) D E))."
    path = proof.path(part, "n", "1")
    return (
        f"destruct ({made('steps', part.name)} D E 1 l KD KE N A) as (n & few & P). "
        f"destruct (least_ok (fun n => {path}) _ n P few) as (_ & least_few). "
        "pose proof (le_INR _ _ (Nat.le_trans _ _ _ least_few few))."
    )


def _summed(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, steps: str, positive: str
) -> Iterator[str]:
    setting = proof.setting
    blocks, member = setting.blocks(mapping), made("mem", mapping.name)
    if mapping.image is not None and (mapping.indices or len(proof.parts_of(mapping)) > 1):
        raise UnwrittenError(f"{mapping.name} counts by an image, for several blocks or parts")
    costs = [setting.guarantee(p) for p in proof.parts_of(mapping)]
    each = f"({' + '.join(costs)})"
    moved = f"INR ({moved_steps(proof, case, proof.parts_of(mapping)[0])})"
    left = " + ".join(f"sum {blocks} (fun i => {moved} * {cost})" for cost in costs)
    most = f"worst {most_blocks(mapping)} {blocks} (fun i => {each})" if mapping.indices else each
    if mapping.indices and everywhere(case, mapping):
        most = f"sum {blocks} (fun i => {each})"
    yield f"  assert (A{number} : ({left} <= {steps} * ({most}))%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with "
        f"(g := fun i => ({moved} * {each})%R); intros; right; ring |]."
    )
    if not mapping.indices:
        yield "    change (range 1) with [1]. cbn [sum]. "
        yield f"    assert (C : (0 <= {each})%R) by ({positive})."
        yield f"    {_no_more(proof, mapping)} nra. }}"
        return
    if everywhere(case, mapping):
        yield f"    rewrite <- sum_mult. apply sum_le. intros i Ii. assert (C : (0 <= {each})%R)"
        yield f"      by ({positive}). {_no_more_in(mapping)} nra. }}"
        return
    yield (
        f"    eapply Rle_trans; [apply (sum_moves cell {blocks} {member} l D E "
        f"(fun i => {each}%R) {most_blocks(mapping)}); [intros; {positive} | intros; "
        f"apply {made(f'cell_{case.name}', mapping.name)}; auto] |]."
    )
    yield "    apply Rmult_le_compat_r; [apply worst_pos | exact L]. }"
