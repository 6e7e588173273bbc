"""Steps that bound what the parts of a map cost by what its blocks cost that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.blocks import changing
from dpcomp_sym.rocq.bounds import choice, infinite, only, window
from dpcomp_sym.rocq.counts import counted
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.statement import Setting

__all__ = ["group_sum", "positive", "summed"]


def positive(setting: Setting) -> str:
    """Return a tactic for what is not negative: made of guarantees by sums and products."""
    names = {x for p in setting.parts for x in setting.parameters(p) if isinstance(x, str)}
    known = "".join(f"apply {made('pos', n)} || " for n in sorted(names))
    return (
        "repeat (apply Rplus_le_le_0_compat || apply Rmult_le_pos || "
        f"{known}(apply sum_pos; intros)); try lra"
    )


def group_sum(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    """Say that the parts of a map cost at most what so many of its blocks cost."""
    setting, group = proof.setting, case.group(mapping)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    blocks = setting.blocks(mapping)
    parts = {p.name: p for p in proof.parts_of(mapping)}
    ordered = [parts[name] for name in group.distances]
    costs = " + ".join(setting.guarantee(p) for p in ordered)
    each = f"({costs})" if len(ordered) > 1 else costs
    if case.window is not None and not infinite(group.count):
        yield from _few_of_window(proof, case, mapping, number, ordered, each)
        return
    if case.window is not None:
        right = window(blocks, changing(case, mapping), each)
    else:
        right = choice(blocks, group.count, each) if mapping.indices else each
    yield from summed(proof, mapping, number, ordered, right)
    known = f"intros; {positive(setting)}"
    if case.window is not None:
        everywhere = changing(case, mapping) == "True"
        way = f"sum_all; {known}" if everywhere else f"sum_where; [{known} | exact W{number}]"
        yield f"    apply {way}. }}"
    elif not mapping.indices:
        yield (
            "    change (range 1) with [1]. cbn [sum]. destruct dec; rewrite ?Rplus_0_r; "
            f"[right; reflexivity | {known}]. }}"
        )
    elif infinite(group.count):
        yield f"    apply sum_all; {known}. }}"
    else:
        yield f"    apply sum_worst; [{known} | now apply {counted(case, mapping)}]. }}"


def _few_of_window(
    proof: ProofScript, case: EditCase, mapping: BoundMap, number: int,
    parts: Sequence[BoundPart], each: str,
) -> Iterator[str]:  # fmt: skip
    """Say that the parts of a map cost at most what so many blocks of a window cost."""
    setting, group = proof.setting, case.group(mapping)
    if group is None or case.window is None or case.window.pattern.times is not None:
        raise UnwrittenError("so many of the blocks of several windows are not counted")
    when, blocks = changing(case, mapping), setting.blocks(mapping)
    value, see = only(when, each), made("see", mapping.name)
    yield from summed(proof, mapping, number, parts, choice(blocks, group.count, value))
    some, none = f"{see} i D <> {see} i E", f"intros; try destruct dec; {positive(setting)}"
    inside = (
        "lra"
        if when == "True"
        else f"destruct (dec {when}%Z) as [|no]; [lra | destruct (no (W{number} i Ii ne))]"
    )
    yield (
        f"    eapply Rle_trans; [apply sum_le with (g := fun i => (if dec ({some}) then "
        f"({value}) else 0)%R); intros i Ii; destruct (dec ({some})) as [ne|]; "
        f"[{inside} | lra] |].\n"
        f"    apply (sum_worst _ _ (fun i => {some}) (fun i => ({value})%R)); "
        f"[{none} | now apply {counted(case, mapping)}]. }}"
    )


def summed(
    proof: ProofScript, mapping: BoundMap, number: int, parts: Sequence[BoundPart], right: str
) -> Iterator[str]:
    """Say that the parts of a map cost at most ``right``, up to the sum over all that changes."""
    setting = proof.setting
    see, blocks = made("see", mapping.name), setting.blocks(mapping)
    each = f"({' + '.join(setting.guarantee(p) for p in parts)})"
    step = f"INR (if dec ({see} i D = {see} i E) then 0 else 1)"
    left = " + ".join(f"sum {blocks} (fun i => {step} * {setting.guarantee(p)})" for p in parts)
    yield f"  assert (A{number} : ({left} <= {right})%R)."
    yield (
        f"  {{ rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with (g := fun i => "
        f"(if dec ({see} i D <> {see} i E) then {each} else 0)%R); intros i _; "
        f"destruct (dec ({see} i D = {see} i E)), (dec ({see} i D <> {see} i E)); "
        "try tauto; cbn [INR]; lra |]."
    )
