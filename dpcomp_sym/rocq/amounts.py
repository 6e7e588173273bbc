"""Windows of blocks of which each part sees as many edits as there are values in the block.

Which blocks change depends on some integers of the edit, and so does how many of an attribute's
values are in a block and in what changes: a part takes one edit for each, as in ``pieces``, or one
for each record, of which so many share a value by a limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.blocks import KNOWN, differs, found, when
from dpcomp_sym.rocq.bounds import amount, bound_by, condition, last_factor, letters, window
from dpcomp_sym.rocq.counts import changed_cell
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Window
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.near import in_x
from dpcomp_sym.rocq.pieces import exchange, in_pieces
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.terms import AND, RocqTerms, value
from dpcomp_sym.rocq.walks import path_lemma
from dpcomp_sym.terms import INT, TRUE

__all__ = ["amount_of", "amounts_lemma", "amounts_road", "amounts_sums", "seen_steps"]


def _of_values(proof: ProofScript, case: EditCase) -> bool:
    """Return whether what the parts see in a block is a number of values, or of their records."""
    maps = proof.setting.maps.values()
    return (in_pieces(case) or _by_limits(case)) and all(
        m.indices and m.image is None and m.member != TRUE and not proof.setting.common
        for m in maps
    )


def _by_limits(case: EditCase) -> bool:
    """Return whether parts see one record after the other, counted by a limit."""
    reasons = case.touched.reasons.values()
    return bool(reasons) and all(r["is"] == "records by limits" for r in reasons)


def amount_of(case: EditCase, part: BoundPart) -> str:
    """Return how many values of a block ``i`` change, as a term over the letters."""
    group = case.group(part.map)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {part.name} sees")
    return amount(group.distances[part.name])


def amounts_lemma(proof: ProofScript, case: EditCase, window: Window) -> Iterator[str]:
    """Say for which integers an edit changes what is in a window, and how far off parts see it."""
    setting, maps = proof.setting, list(proof.setting.maps.values())
    if not _of_values(proof, case):
        raise UnwrittenError(f"why parts see {case.name} at these distances is not known")
    if _by_limits(case):
        for part in setting.parts:
            yield from path_lemma(proof, part)
    facts = condition(window.pattern.facts)
    among = {m.name: f"forall i, In i {setting.blocks(m)} -> {differs(m)}" for m in maps}
    rows = [f"({among[m.name]} -> {condition(when(case, m))})" for m in maps]
    for part in setting.parts:
        few = f"exists n, (n <= Z.to_nat {amount_of(case, part)})%nat /\\ {proof.path(part, 'n')}"
        rows.append(f"({among[part.map.name]} -> {few})")
    yield (
        f"Lemma window_{case.name} D E : class D -> class E -> {case.name} D E ->\n"
        f"  {bound_by('exists', letters(window.pattern.free), 'Z')}{AND.join([facts, *rows])}."
    )
    taken = [value(t, RocqTerms()) for t in window.integers]
    yield f"Proof. intros KD KE Ed. {case.chosen}\n  {KNOWN}"
    chosen = f"exists {', '.join(taken)}. " if taken else ""
    yield f"  splits. {chosen}split; [solve [exact I | clear KD KE; go] |]."
    for _ in maps:
        yield f"  split; [intros i Ii ne; apply range_in in Ii; {found(case)}; clear KD KE; go |]."
    for number, part in enumerate(setting.parts):
        if number < len(setting.parts) - 1:
            yield "  split."
        yield "  {"
        if _by_limits(case):
            yield from _letters(taken)
            yield from _moved(proof, case, part)
        else:
            yield from _path(proof, case, part)
        yield "  }"
    yield "  Qed."


def _path(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Yield tactics: one edit for each value of a block leads to what a part sees after."""
    see, member = made("see", part.map.name), made("mem", part.map.name)
    inside, known = over_cell(case.edit.frame or TRUE, cell="z"), made("in", part.name)
    yield (
        f"  intros i Ii ne. pose proof ({known} i D KD) as ID. pose proof ({known} i E KE) as IE.\n"
        f"  assert (framed : forall z, {see} i D z <> {see} i E z -> "
        f"X z /\\ ({inside} /\\ {member} i z)).\n"
        f"  {{ intros z nz. unfold {see}, keep in nz. destruct dec as [mz|]; [|tauto]. "
        f"{changed_cell(case)}; "
        "split; [assumption | split; [first [assumption | exact I] | assumption]]. }\n"
        f"  assert (some : exists z, D z <> E z /\\ {member} i z).\n"
        "  { apply keep_diff in ne. destruct ne as (z & mz & nz). now exists z. }\n"
        f"  destruct some as (z & nz & mz). {changed_cell(case)}.\n"
        "  rename z into w, Xz into Xw, mz into mw; try rename fz into fw. "
        "clear KD KE XD XE ne nz.\n"
        f"  set (D' := {see} i D) in *. set (E' := {see} i E) in *. clearbody D' E'.\n"
        "  eexists; split; [apply Nat.le_refl |]."
    )
    yield from exchange(proof, case, part, "_", ("D'", "E'"))


def _letters(taken: list[str]) -> Iterator[str]:
    """Yield tactics that give the integers of the edit the names that they have in the bound."""
    for name, term in zip(letters(len(taken)), taken, strict=True):
        yield (
            f"  assert (at_{name} : exists {name}, {name} = {term}) by now exists {term}. "
            f"destruct at_{name} as ({name} & at_{name})."
        )


def _moved(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Yield tactics: so many values are in the block and in what changes, with few records each.

    Raises:
        UnwrittenError: no limit says of a number how many records share it.
    """
    member, group = made("mem", part.map.name), case.group(part.map)
    inside = over_cell(case.edit.frame or TRUE, cell="z")
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {part.name} sees")
    length, moved = last_factor(group.distances[part.name]), f"moves l ({member} i) D E"
    apart = (
        "intros y z Iy Iz my mz; apply framed in Iy; apply framed in Iz; "
        f"destruct Iy as (Xy & fy); destruct Iz as (Xz & fz); {in_x(proof)}un; splits; subst; lia"
    )
    limits = [
        (f"(fun c_ : cell => {value(key, RocqTerms(OVER))})", value(bound, RocqTerms()))
        for key, bound in proof.setting.problem.domain.limit_terms
        if key.sort == INT
    ]
    if not limits:
        raise UnwrittenError(f"no limit says how many records {case.name} changes")
    yield (
        "  intros i Ii ne. destruct (changed_list _ D E) as (l & N & A); [apply KD | apply KE |].\n"
        f"  exists ({moved}). split; [| now apply {made('steps', part.name)}].\n"
        "  pose proof KD as CD. pose proof KE as CE. unfold class in CD, CE. splits.\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
        f"  assert (long : 0 <= {length}).\n"
        "  { apply keep_diff in ne. destruct ne as (z & mz & nz). apply A, framed in nz.\n"
        f"    destruct nz as (Xz & fz). {in_x(proof, 'z')}un; splits; subst; lia. }}\n"
        "  clear KD KE XD XE ne A."
    )
    tried = " | ".join(
        f"solve [set (f := {key}); eapply Nat.le_trans; "
        f"[apply (moves_near _ l ({member} i) f {length} (Z.to_nat (2 * {most})) D E); "
        f"[exact long | subst f; cbv beta; {apart} "
        f"| intros v; apply (moves_keyed _ _ f D E {most} l ({member} i) v); assumption] "
        "| rewrite <- Z2Nat.inj_mul by (exact long || lia); "
        "apply Nat.eq_le_incl; f_equal; subst; ring]]"
        for key, most in limits
    )
    yield f"  first [{tried}]."


def amounts_road(proof: ProofScript, case: EditCase, window: Window) -> Iterator[str]:
    """Return the steps from this lemma to how far the parts see what changes."""
    setting, maps = proof.setting, list(proof.setting.maps.values())
    facts = [f"W{n}" for n in range(len(maps))] + [f"P{n}" for n in range(len(setting.parts))]
    chosen = " & ".join([*letters(window.pattern.free), "F", *facts])
    yield f"  destruct (window_{case.name} D E KD KE Ed) as ({chosen})."
    seen = {p.name: seen_steps(proof, case, p) for p in setting.parts}
    yield f"  exists (fun t => {setting.cases(seen)})."
    names = " | ".join("i" for _ in setting.parts)
    ways = " | ".join(
        f"solve [destruct (P{n} j Ij ltac:(assumption)) as (m & few & P); "
        f"apply (least_ok (fun n => {proof.path(p, 'n', 'j')}) _ m P few)]"
        for n, p in enumerate(setting.parts)
    )
    yield (
        f"  split. {{ intros t It. unfold parts in It. destruct t as [{names}]; "
        f"(destruct dec; [now apply path0 |]); "
        "repeat (apply in_app_or in It; destruct It as [It|It]); apply in_map_iff in It; "
        f"destruct It as (j & same & Ij); first [discriminate | injection same as <-]; "
        f"first [{ways}]. }}"
    )


def amounts_sums(proof: ProofScript, case: EditCase, positive: str) -> Iterator[str]:
    """Return the steps to the sums that the bound is made of."""
    for number, mapping in enumerate(proof.setting.maps.values()):
        yield from _sum(proof, case, mapping, number, positive)


def seen_steps(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return how many steps a part is away in block ``i``, 0 where nothing changes."""
    see = made("see", part.map.name)
    least = f"least (fun n => {proof.path(part, 'n')}) (Z.to_nat {amount_of(case, part)})"
    return f"(if dec ({see} i D = {see} i E) then 0%nat else {least})"


def _sum(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, positive: str
) -> Iterator[str]:
    """Say that the parts of a map cost at most what the blocks of the window do."""
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks = setting.blocks(mapping)
    costs = {p.name: setting.guarantee(p) for p in parts}
    left = [
        f"sum {blocks} (fun i => INR {seen_steps(proof, case, p)} * {costs[p.name]})" for p in parts
    ]
    each = [f"(IZR (Z.max 0 {amount_of(case, p)}) * {costs[p.name]})" for p in parts]
    whole = " + ".join(each) if len(each) > 1 else each[0]
    right = window(blocks, condition(when(case, mapping)), whole)
    yield f"  assert (A{number} : ({' + '.join(left)} <= {right})%R)."
    yield (
        "  { rewrite <- ?sum_plus. apply sum_le. intros i Ii.\n"
        + "".join(
            f"    assert (G{n} : (0 <= {costs[p.name]})%R) by ({positive}). "
            f"pose proof (IZR_le _ _ (Z.le_max_l 0 {amount_of(case, p)})) as Z{n}.\n"
            for n, p in enumerate(parts)
        )
        + f"    destruct (dec ({made('see', mapping.name)} i D = {made('see', mapping.name)} i E)) "
        "as [e|ne].\n"
        "    - cbn [INR]. destruct dec; nra.\n"
        f"    - specialize (W{number} i Ii ne). destruct dec; [|contradiction].\n"
        + "".join(
            f"      destruct (P{setting.parts.index(p)} i Ii ne) as (m{n} & few{n} & P{n}').\n"
            f"      pose proof (proj2 (least_ok (fun n => {proof.path(p, 'n')}) _ m{n} P{n}' few{n}"
            f")) as L{n}.\n"
            f"      apply (fun L => le_INR _ _ (Nat.le_trans _ _ _ L few{n})) in L{n}. "
            f"rewrite INR_to_nat in L{n}.\n"
            for n, p in enumerate(parts)
        )
        + "      nra. }"
    )
