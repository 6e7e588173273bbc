"""Windows of blocks of which each part sees as many edits as there are values in the block.

Which blocks change depends on some integers of the edit, and so does how many of an attribute's
values are in a block and in what changes: a part takes one edit for each, as in ``pieces``.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.blocks import KNOWN, differs, found, when
from dpcomp_sym.rocq.bounds import amount, condition, letters, window
from dpcomp_sym.rocq.edits import EditCase, ProofScript, Window, changed_cell
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.pieces import exchange, in_pieces
from dpcomp_sym.rocq.statement import over_cell
from dpcomp_sym.rocq.terms import AND, RocqTerms, value
from dpcomp_sym.terms import TRUE

__all__ = ["amounts_core", "amounts_lemma"]


def _of_values(proof: ProofScript, case: EditCase) -> bool:
    """Return whether what the parts see in a block is a number of values."""
    maps = proof.setting.maps.values()
    return in_pieces(case) and all(
        m.indices and m.image is None and m.member != TRUE and not proof.setting.common
        for m in maps
    )


def _amount(case: EditCase, part: BoundPart) -> str:
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
    facts = condition(window.pattern.facts)
    among = {m.name: f"forall i, In i {setting.blocks(m)} -> {differs(m)}" for m in maps}
    rows = [f"({among[m.name]} -> {condition(when(case, m))})" for m in maps]
    for part in setting.parts:
        steps = proof.path(part, f"Z.to_nat {_amount(case, part)}")
        rows.append(f"({among[part.map.name]} -> {steps})")
    yield (
        f"Lemma window_{case.name} D E : class D -> class E -> {case.name} D E ->\n"
        f"  exists {' '.join(letters(window.pattern.free))} : Z, {AND.join([facts, *rows])}."
    )
    taken = [value(t, RocqTerms()) for t in window.integers]
    yield f"Proof. intros KD KE Ed. {case.chosen}\n  {KNOWN}"
    yield f"  splits. exists {', '.join(taken)}. split; [solve [exact I | clear KD KE; go] |]."
    for _ in maps:
        yield f"  split; [intros i Ii ne; apply range_in in Ii; {found(case)}; clear KD KE; go |]."
    for number, part in enumerate(setting.parts):
        if number < len(setting.parts) - 1:
            yield "  split."
        yield "  {"
        yield from _path(proof, case, part)
        yield "  }"
    yield "  Qed."


def _path(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Yield tactics: one edit for each value of a block leads to what a part sees after."""
    see, member = made("see", part.map.name), made("mem", part.map.name)
    inside, known = over_cell(case.edit.frame or TRUE).replace("c_", "z"), made("in", part.name)
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
        f"  set (D' := {see} i D) in *. set (E' := {see} i E) in *. clearbody D' E'."
    )
    yield from exchange(proof, case, part, "_", ("D'", "E'"))


def amounts_core(
    proof: ProofScript, case: EditCase, window: Window, positive: str
) -> Iterator[str]:
    """Return the steps from this lemma to the sums that the bound is made of."""
    setting, maps = proof.setting, list(proof.setting.maps.values())
    facts = [f"W{n}" for n in range(len(maps))] + [f"P{n}" for n in range(len(setting.parts))]
    chosen = " & ".join([*letters(window.pattern.free), "F", *facts])
    yield f"  destruct (window_{case.name} D E KD KE Ed) as ({chosen})."
    yield f"  exists (fun t => {setting.cases({p.name: _seen(case, p) for p in setting.parts})})."
    names = " | ".join("i" for _ in setting.parts)
    ways = " | ".join(f"now apply P{n}" for n, _ in enumerate(setting.parts))
    yield (
        f"  split. {{ intros t It. unfold parts in It. destruct t as [{names}]; "
        f"(destruct dec; [now apply path0 |]); "
        "repeat (apply in_app_or in It; destruct It as [It|It]); apply in_map_iff in It; "
        f"destruct It as (j & same & Ij); first [discriminate | injection same as <-]; "
        f"first [{ways}]. }}"
    )
    yield "  unfold parts. rewrite ?sum_app, ?sum_map. cbn [cost]."
    for number, mapping in enumerate(maps):
        yield from _sum(proof, case, mapping, number, positive)


def _seen(case: EditCase, part: BoundPart) -> str:
    see = made("see", part.map.name)
    return f"(if dec ({see} i D = {see} i E) then 0 else Z.to_nat {_amount(case, part)})%nat"


def _sum(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int, positive: str
) -> Iterator[str]:
    """Say that the parts of a map cost at most what the blocks of the window do."""
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks = setting.blocks(mapping)
    costs = {p.name: setting.guarantee(p) for p in parts}
    left = [f"sum {blocks} (fun i => INR {_seen(case, p)} * {costs[p.name]})" for p in parts]
    each = [f"(IZR (Z.max 0 {_amount(case, p)}) * {costs[p.name]})" for p in parts]
    whole = " + ".join(each) if len(each) > 1 else each[0]
    right = window(blocks, condition(when(case, mapping)), whole)
    yield f"  assert (A{number} : ({' + '.join(left)} <= {right})%R)."
    yield (
        "  { rewrite <- ?sum_plus. apply sum_le. intros i Ii.\n"
        + "".join(
            f"    assert (G{n} : (0 <= {costs[p.name]})%R) by ({positive}). "
            f"pose proof (IZR_le _ _ (Z.le_max_l 0 {_amount(case, p)})) as Z{n}.\n"
            for n, p in enumerate(parts)
        )
        + f"    destruct (dec ({made('see', mapping.name)} i D = {made('see', mapping.name)} i E)) "
        "as [e|ne].\n"
        "    - cbn [INR]. destruct dec; nra.\n"
        f"    - specialize (W{number} i Ii ne). destruct dec; [|contradiction].\n"
        "      rewrite ?INR_to_nat. lra. }"
    )
