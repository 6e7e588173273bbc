"""Edits of many records, seen by mechanisms that protect one: one comes or goes after the other.

Where D and E differ in at most n records, a part that protects single records is so many steps
away as records come or go in its block.  So together the parts of a map lose at most n times what
the blocks of one record lose (``walk`` and ``sum_moves`` of the library).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.bounds import integral, real
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript, changed_cell
from dpcomp_sym.rocq.evidence import Expression
from dpcomp_sym.rocq.names import made, of_spec
from dpcomp_sym.rocq.statement import over_cell
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import TRUE

__all__ = ["FINISH", "walk_core", "walk_lemmas"]

FINISH = "  cbn [sc pure] in *. unfold bound. rewrite ?worst_mult by lra. below."
LISTED = "NoDup l -> (forall z, In z l <-> D z <> E z)"
BETWEEN = "intros c nc; specialize (P c); specialize (L c)"


def walk_lemmas(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Say how many records come or go, and that each is a step of the mechanisms.

    Raises:
        UnwrittenError: mechanisms protect something else, or databases can be too few records.
    """
    yield from _total(proof, case, steps)
    for part in proof.setting.parts:
        yield from _path(proof, part)
    for mapping in proof.setting.maps.values():
        if mapping.indices:
            yield _in_blocks(proof, case, mapping)


def _total(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    frame = case.edit.frame or TRUE
    inside = over_cell(frame).replace("c_", "z")
    ways = " | ".join(f"solve [{w}]" for w in _by_limits(proof, case))
    if not ways:
        raise UnwrittenError(f"no limit says how many records {case.name} changes")
    yield (
        f"Lemma walk_{case.name} D E : class D -> class E -> {case.name} D E -> exists l,\n"
        "  NoDup l /\\ (forall z, In z l <-> D z <> E z) /\\ (forall z, In z l -> X z) /\\\n"
        f"  (INR (moves l all_cells D E) <= {real(steps)})%R."
    )
    yield (
        f"Proof. intros KD KE Ed. {case.chosen} pose proof KD as CD. pose proof KE as CE.\n"
        "  unfold class in CD, CE. splits.\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
        "  destruct (changed_list _ D E) as (l & N & A); [apply KD | apply KE |]. exists l.\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
        "  split; [assumption | split; [assumption | split; [intros; now apply framed |]]].\n"
        f"  assert (most : Z.of_nat (moves l all_cells D E) <= {integral(steps)})\n"
        f"    by first [{ways}].\n"
        "  apply IZR_le in most. rewrite <- INR_IZR_INZ, ?mult_IZR, ?plus_IZR in most. lra. Qed."
    )


def _by_limits(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Yield tactics: all records that change share a key, which so many records share."""
    shared = "intros z Iz; apply framed in Iz; tauto"
    one_way = (
        "intros z Iz; apply framed in Iz; destruct Iz; match goal with K : forall c_, X c_ -> _ "
        "|- _ => specialize (K z) end; assert (0 <= D z) by auto; assert (0 <= E z) by auto; "
        "intuition lia"
    )
    for key, bound in proof.setting.problem.domain.limit_terms:
        function = f"(fun c_ : cell => {value(key, RocqTerms({'c': 'c_'}))})"
        most = value(bound, RocqTerms())
        for name, sort in case.edit.params:
            if sort == key.sort:
                given = f"{function} {of_spec(name)} D E {most} l"
                known = f"assumption | assumption | assumption | assumption | assumption | {shared}"
                yield (
                    f"eapply Z.le_trans; [apply (moves_limited_one_way _ _ {given}); [{known} | "
                    f"first [left; {one_way} | right; {one_way}]] | lia]"
                )
                yield f"eapply Z.le_trans; [apply (moves_limited _ _ {given}); [{known}] | lia]"


def _path(proof: ProofScript, part: BoundPart) -> Iterator[str]:
    """Say that a part is so many steps away as records come or go in its block."""
    setting = proof.setting
    domain = part.domain
    if domain.fact_terms or domain.size_terms:
        raise UnwrittenError(
            f"{part.name} knows more of its databases than what fewer records keep"
        )
    inner, see = setting.neighbours_of(part), made("see", part.map.name)
    member, smaller = made("mem", part.map.name), made("smaller", part.name)
    yield (
        f"Lemma {smaller} B F : class B -> (forall c, 0 <= F c) -> (forall c, F c <= B c) -> "
        f"{setting.class_of(part)} F."
    )
    yield (
        f"Proof. intros K P L. unfold class, {setting.class_of(part)} in *. splits. "
        f"{SPLIT};\n  first [ assumption | {BETWEEN}; "
        "match goal with XB : forall c, B c <> 0 -> X c |- _ => apply XB; lia end\n"
        f"  | eapply finite_sub; [eassumption | {BETWEEN}; lia]\n"
        "  | intros c; eapply Z.le_trans; [apply L | auto]\n"
        f"  | eapply few_values_sub; [eassumption | {BETWEEN}; lia]\n"
        "  | eapply limited_sub; eassumption ]. Qed."
    )
    yield (
        f"Lemma {made('steps', part.name)} D E i l : class D -> class E -> {LISTED} ->\n"
        f"  path {inner} (moves l ({member} i) D E) ({see} i D) ({see} i E)."
    )
    whole = "rewrite !keep_all in W. " if part.map.member == TRUE else ""
    kept = "all_cells" if part.map.member == TRUE else f"({member} i)"
    ways = " | ".join(_single(proof, part))
    if not ways:
        raise UnwrittenError(f"the neighbours of {part.name} do not differ in a single record")
    yield (
        f"Proof. intros KD KE N A. pose proof (walk _ {inner} D E {kept} l N A) as W. {whole}\n"
        f"  apply W; [apply KD | apply KE | intros F G K; unfold {inner} in *; tauto |].\n"
        "  intros H H' x low high e. assert (P : forall c, 0 <= H c).\n"
        "  { intro c. rewrite e. specialize (low c). unfold put. destruct dec; lia. }\n"
        "  assert (L : forall c, H' c <= H c).\n"
        "  { intro c. rewrite e. unfold put. destruct dec; lia. }\n"
        f"  assert (C : {setting.class_of(part)} H /\\ {setting.class_of(part)} H').\n"
        "  { destruct high as [h|h]; split.\n"
        f"    - now apply ({smaller} D).\n"
        f"    - apply ({smaller} D); auto. intro c. eapply Z.le_trans; auto.\n"
        f"    - now apply ({smaller} E).\n"
        f"    - apply ({smaller} E); auto. intro c. eapply Z.le_trans; auto. }}\n"
        "  assert (Xx : X x).\n"
        "  { apply (proj1 C). rewrite e. specialize (low x). unfold put.\n"
        "    destruct dec; [lia | tauto]. }\n"
        f"  split; [apply C | split; [apply C |]]. first [{ways}]. Qed."
    )


def _single(proof: ProofScript, part: BoundPart) -> Iterator[str]:
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
                f"solve [{'; '.join([*way, f'unfold {name}'])}; exists x; {SPLIT}; first "
                "[assumption | lia | specialize (e x); specialize (low x); unfold put in *; "
                "destruct dec; [lia | tauto] | intros c; specialize (e c); unfold put in *; "
                "destruct dec; lia]]"
            )


def _most(mapping: BoundMap) -> str:
    """Return in how many blocks of a map a record is at most, of sort nat."""
    if mapping.multiplicity is None:
        return "1"
    return f"(Z.to_nat {value(mapping.multiplicity, RocqTerms())})"


def _in_blocks(proof: ProofScript, case: EditCase, mapping: BoundMap) -> str:
    member, blocks = made("mem", mapping.name), proof.setting.blocks(mapping)
    known = f"apply {made('most', mapping.name)}; assumption"
    one = "apply cnt_le1; [apply range_nodup | intros a b Ia Ib; intros; go]"
    return (
        f"Lemma {made(f'cell_{case.name}', mapping.name)} c_ : X c_ -> "
        f"(cnt {blocks} (fun i => {member} i c_) <= {_most(mapping)})%nat.\n"
        f"Proof. intros Xc. {one if mapping.multiplicity is None else known}. Qed."
    )


def walk_core(
    proof: ProofScript, case: EditCase, steps: Expression, positive: str
) -> Iterator[str]:
    """Return the steps from these lemmas to the sums that the bound is made of.

    Args:
        proof: what the proof is about.
        case: the edit.
        steps: how many records come or go.
        positive: a tactic for what is not negative.
    """
    setting = proof.setting
    moved = {p.name: f"moves l ({made('mem', p.map.name)} i) D E" for p in setting.parts}
    names = " | ".join("i" for _ in setting.parts)
    paths = " | ".join(f"now apply {made('steps', p.name)}" for p in setting.parts)
    yield f"  destruct (walk_{case.name} D E KD KE Ed) as (l & N & A & Xl & L)."
    yield f"  exists (fun t => {setting.cases(moved)}). split."
    yield f"  {{ intros t _. destruct t as [{names}]; [{paths}]. }}"
    yield "  unfold parts. rewrite ?sum_app, ?sum_map. cbn [cost]."
    maps = list(setting.maps.values())
    if proof.outline.bound["op"] == "Max" and not any(m.indices for m in maps):
        yield from _shared_out(proof, maps, real(steps))
        return
    for number, mapping in enumerate(maps):
        yield from _summed(proof, case, mapping, number, real(steps), positive)
    yield FINISH + " Qed."


def _shared_out(proof: ProofScript, maps: Sequence[BoundMap], steps: str) -> Iterator[str]:
    """Share the records that come or go among maps, of which some have no records in common."""
    moved = {m.name: f"moves l ({made('mem', m.name)} 1) D E" for m in maps}
    yield "  change (range 1) with [1]. cbn [sum sc pure]."
    for part in proof.setting.parts:
        yield f"  pose proof (cost_pos ({made('part', part.name)} 1)). cbn [cost] in *."
    for name, own in moved.items():
        yield f"  pose proof (pos_INR ({own})). "
        yield f"  pose proof (le_INR _ _ (moves_le cell l ({made('mem', name)} 1) D E))."
    for one, other in combinations(moved, 2):
        known = f"(moves_apart cell l ({made('mem', one)} 1) ({made('mem', other)} 1) D E)"
        yield (
            f"  try (assert ((INR ({moved[one]}) + INR ({moved[other]}) <= {steps})%R) by "
            f"(rewrite <- plus_INR; eapply Rle_trans; [apply le_INR, {known}; "
            "intros c _; un_members; intuition congruence | exact L]))."
        )
    yield "  unfold bound, Rmax. repeat destruct Rle_dec; nra. Qed."


def _summed(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, steps: str, positive: str
) -> Iterator[str]:
    setting = proof.setting
    blocks, member = setting.blocks(mapping), made("mem", mapping.name)
    costs = [setting.guarantee(p) for p in proof.parts_of(mapping)]
    each = f"({' + '.join(costs)})"
    moved = f"INR (moves l ({member} i) D E)"
    left = " + ".join(f"sum {blocks} (fun i => {moved} * {cost})" for cost in costs)
    most = f"worst {_most(mapping)} {blocks} (fun i => {each})" if mapping.indices else each
    yield f"  assert (A{number} : ({left} <= {steps} * ({most}))%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with "
        f"(g := fun i => ({moved} * {each})%R); intros; right; ring |]."
    )
    if not mapping.indices:
        yield "    change (range 1) with [1]. cbn [sum]. "
        yield f"    assert (C : (0 <= {each})%R) by ({positive})."
        yield f"    pose proof (le_INR _ _ (moves_le cell l ({member} 1) D E)). nra. }}"
        return
    yield (
        f"    eapply Rle_trans; [apply (sum_moves cell {blocks} {member} l D E "
        f"(fun i => {each}%R) {_most(mapping)}); [intros; {positive} | intros; "
        f"apply {made(f'cell_{case.name}', mapping.name)}; auto] |]."
    )
    yield "    apply Rmult_le_compat_r; [apply worst_pos | exact L]. }"
