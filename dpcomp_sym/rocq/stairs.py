"""Records whose value changes, where mechanisms protect changes by one.

A record is exchanged for one that differs in one attribute, by so much at most: a part that sees
it is as many steps away, and on the way the record has each value between.  Which attribute, and by
how much, is the reason that the certificate gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model import Universe
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.bounds import Expression, integral, natural, real
from dpcomp_sym.rocq.counts import count_lemma, counted
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript
from dpcomp_sym.rocq.names import made, of_attribute
from dpcomp_sym.rocq.walks import FINISH
from dpcomp_sym.terms import CELL, TRUE

__all__ = ["along", "stairs_lemmas", "stairs_road", "stairs_seen", "stairs_sums"]


def along(case: EditCase, part: BoundPart) -> tuple[str, Expression]:
    """Return the attribute that changes, and by how much at most."""
    (reason,) = [
        r for (name, cells), r in case.touched.reasons.items()
        if name == part.name and len(cells) > 1
    ]  # fmt: skip
    (most,) = [
        d for (name, cells), d in case.touched.distances.items()
        if name == part.name and len(cells) > 1
    ]  # fmt: skip
    (said,) = reason["by"]
    return said["is"], most


def stairs_lemmas(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say of each part that the record goes through all values, and how many blocks change.

    Raises:
        UnwrittenError: databases are limited, so that values between may not be possible.
    """
    for part in proof.setting.parts:
        domain = part.domain
        limited = domain.limit_terms or domain.distinct_terms or domain.cap is not None
        every = domain.universe is Universe.PRODUCT and domain.cell_term == TRUE
        if (
            not every
            or limited
            or domain.fact_terms
            or domain.size_terms
            or part.granularity.directed
        ):
            raise UnwrittenError(f"{part.name} may not see all values between two")
        if not part.map.indices or part.map.image is not None:
            raise UnwrittenError(f"{part.name} sees no blocks of the records themselves")
        yield from _path(proof, case, part)
    for mapping in proof.setting.maps.values():
        yield from count_lemma(proof, case, mapping)


def _path(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    setting, (key, most), (x, y) = proof.setting, along(case, part), case.points[:2]
    see, member = made("see", part.map.name), f"{made('mem', part.map.name)} i"
    inner, of_class = setting.neighbours_of(part), setting.class_of(part)
    fields = [
        "k" if a == key else f"({of_attribute(a)} {x})"
        for a in setting.problem.domain.attribute_sorts
    ]
    value, attribute = f"(fun k => mk {' '.join(fields)})", of_attribute(key)
    yield (
        f"Lemma {made(f'stairs_{case.name}', part.name)} D E i : class D -> class E -> "
        f"{case.name} D E -> {see} i D <> {see} i E ->\n"
        f"  exists n, (n <= {natural(most)})%nat /\\ {proof.path(part, 'n')}."
    )
    ways = " | ".join(f"solve [{way}]" for way in _steps(proof, part, attribute))
    yield (
        f"Proof. intros KD KE Ed ne. {case.chosen}\n"
        f"  pose proof ({made('in', part.name)} i D KD) as ID. unfold class in KD. splits.\n"
        f"  match goal with K : forall c : cell, E c = _ |- _ => rename K into change end.\n"
        f"  assert (fx : {value} ({attribute} {x}) = {x}) by (destruct {x}; reflexivity).\n"
        f"  assert (fy : {value} ({attribute} {y}) = {y})\n"
        f"    by (destruct {x}, {y}; cbn in *; f_equal; congruence).\n"
        f"  assert (alike : forall k, {member} ({value} k) <-> {member} {x})\n"
        "    by (intro k; un_members; cbn; tauto).\n"
        f"  assert (mx : {member} {x}).\n"
        "  { apply keep_diff in ne. destruct ne as (z & mz & nz). rewrite change in nz. "
        "unfold put in nz.\n"
        f"    destruct (dec (z = {x})) as [ex|]; [now rewrite ex in mz |]. "
        f"destruct (dec (z = {y})) as [ey|]; [|lia].\n"
        f"    rewrite ey, <- fy in mz. now apply alike in mz. }}\n"
        f"  exists (Z.abs_nat ({attribute} {y} - {attribute} {x})). split; "
        "[repeat destruct dec; lia |].\n"
        f"  apply (path_stairs cell {inner} _ _ {value});\n"
        f"    [intros F G K; unfold {inner} in *; tauto\n"
        f"    | intro c; rewrite fx, fy; unfold {see}, keep; rewrite change; "
        f"destruct (dec ({member} c)) as [|nm]; [reflexivity |];\n"
        f"      unfold put; destruct (dec (c = {x})); [subst; tauto |]; "
        f"destruct (dec (c = {y})); [|lia];\n"
        f"      destruct nm; subst c; rewrite <- fy; now apply alike |].\n"
        f"  intros k K. rewrite fx. assert (P : {see} i D {x} >= 1).\n"
        f"  {{ unfold {see}, keep. destruct (dec ({member} {x})); [lia | tauto]. }}\n"
        f"  set (D' := {see} i D) in *. clearbody D'. set (f := {value}) in *.\n"
        f"  assert (C : forall j, {of_class} (swapped D' {x} (f j))).\n"
        f"  {{ clear - ID P. intro j. unfold class, {of_class} in ID |- *. splits. {SPLIT}; first\n"
        "    [ now apply swapped_finite\n"
        "    | solve [intros c; match goal with Q : forall c, 0 <= D' c |- _ => specialize (Q c) "
        f"end; unfold swapped, put; destruct (dec (c = {x})) as [e|]; [rewrite <- e in P |]; "
        "repeat destruct dec; lia]\n"
        "    | solve [intros c nc; unfold X; exact I] ]. }\n"
        f"  assert (Q : swapped D' {x} (f k) (f k) >= 1 /\\ "
        f"swapped D' {x} (f (k + 1)) (f (k + 1)) >= 1).\n"
        f"  {{ clear - ID P. unfold class, {of_class} in ID. splits. "
        "match goal with Q : forall c, 0 <= D' c |- _ => pose proof (Q (f k)); "
        "pose proof (Q (f (k + 1))) end.\n"
        f"    unfold swapped, put. split; repeat destruct dec; try congruence; try lia; "
        f"match goal with e : f _ = {x} |- _ => rewrite e; lia end. }}\n"
        f"  unfold {inner}. split; [apply C | split; [apply C |]]. destruct Q as (Q1 & Q2).\n"
        f"  first [{ways}]. Qed."
    )


def _steps(proof: ProofScript, part: BoundPart, attribute: str) -> Iterator[str]:
    """Yield tactics: an inner edit exchanges a record for the next one, up or down."""
    names = proof.setting.edits_of(part)
    number_of = (
        f"solve [clear; unfold f; cbn [{attribute}]; repeat match goal with |- context [dec ?p] "
        "=> destruct (dec p) end; lia]"
    )
    other_than = (
        f"solve [clear; intro q; apply (f_equal {attribute}) in q; unfold f in q; "
        f"cbn [{attribute}] in q; lia]"
    )
    change = (
        "solve [clear; intros c; unfold swapped, put; repeat match goal with "
        "|- context [dec ?p] => destruct (dec p) end; lia]"
    )
    for number, name in enumerate(names):
        if [sort for _, sort in proof.setting.edits[name].params] != [CELL, CELL]:
            continue
        for at in (number, number + len(names)):
            way = ["right"] * at + ["left"] * (at < 2 * len(names) - 1)
            for one, other in permutations(("(f k)", "(f (k + 1))")):
                cells = f"exists {one}, {other}"
                known = (
                    f"exact I | assumption | reflexivity | {change} | {number_of} | {other_than}"
                )
                close = f"{SPLIT}; first [{known}]"
                yield "; ".join([*way, f"unfold {name}", cells, close])


def stairs_road(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Return the steps from these lemmas to how far the parts see what changes."""
    setting = proof.setting
    seen = {p.name: stairs_seen(proof, case, p) for p in setting.parts}
    names = " | ".join("i" for _ in setting.parts)
    ways = " | ".join(
        f"destruct ({made(f'stairs_{case.name}', p.name)} D E i KD KE Ed n) as (m & few & P); "
        f"apply (least_ok (fun n => {proof.path(p, 'n')}) _ m P few)"
        for p in setting.parts
    )
    yield f"  exists (fun t => {setting.cases(seen)}). split."
    yield (
        f"  {{ intros t _. destruct t as [{names}]; (destruct dec as [e|n]; [now apply path0 |]); "
        f"[{ways}]. }}"
    )


def stairs_sums(proof: ProofScript, case: EditCase, positive: str) -> Iterator[str]:
    """Return the steps to the sums that the bound is made of."""
    for number, mapping in enumerate(proof.setting.maps.values()):
        yield from _sum(proof, case, mapping, number, positive)
    yield FINISH


def stairs_seen(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return how many steps a part is away in block ``i``, 0 where nothing changes."""
    see, (_, most) = made("see", part.map.name), along(case, part)
    least = f"least (fun n => {proof.path(part, 'n')}) {natural(most)}"
    return f"(if dec ({see} i D = {see} i E) then 0%nat else {least})"


def _sum(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, positive: str
) -> Iterator[str]:
    setting, parts, group = proof.setting, proof.parts_of(mapping), case.group(mapping)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    see, blocks = made("see", mapping.name), setting.blocks(mapping)
    left = " + ".join(
        f"sum {blocks} (fun i => INR {stairs_seen(proof, case, p)} * {setting.guarantee(p)})"
        for p in parts
    )
    (most, *others) = [along(case, p)[1] for p in parts]
    if any(other != most for other in others):
        raise UnwrittenError(f"parts of {mapping.name} see different numbers of steps")
    costs = [setting.guarantee(p) for p in parts]
    cost = f"({' + '.join(costs)})" if len(costs) > 1 else costs[0]
    worst = f"worst {natural(group.count)} {blocks} (fun i => {cost})"
    yield f"  assert (A{number} : ({left} <= {real(most)} * ({worst}))%R)."
    few = "; ".join(
        f"destruct ({made(f'stairs_{case.name}', p.name)} D E i KD KE Ed n) "
        f"as (m{n} & few{n} & P); "
        f"pose proof (proj2 (least_ok (fun n => {proof.path(p, 'n')}) _ m{n} P few{n})) as L{n}; "
        f"pose proof (le_INR _ _ (Nat.le_trans _ _ _ L{n} few{n})) as N{n}; clear P L{n}; "
        f"rewrite (INR_to_nat {integral(along(case, p)[1])}), Z.max_r in N{n} by lia"
        for n, p in enumerate(parts)
    )
    known = "".join(
        f"assert (G{n} : (0 <= {one})%R) by ({positive}). " for n, one in enumerate(costs)
    )
    yield (
        "  { rewrite <- ?sum_plus, <- worst_mult by (apply IZR_le; lia). eapply Rle_trans; [|apply "
        f"(sum_worst _ _ (fun i => {see} i D <> {see} i E) (fun i => ({real(most)} * {cost})%R)); "
        f"[intros; {positive}; apply IZR_le; lia | now apply {counted(case, mapping)}]].\n"
        f"    apply sum_le. intros i _. {known}\n"
        f"    destruct (dec ({see} i D = {see} i E)) as [e|n], "
        f"(dec ({see} i D <> {see} i E)) as [n'|e']; try tauto; [cbn [INR]; lra |]. {few}. nra. }}"
    )
