"""What δ comes to where parts see neighbours at distances above 1: it grows with the steps.

After r steps of (ε, δ) it is δ times ``growth`` ε r, which is e^ε times as much, and δ, with each
step.  So more than their share is never lost by the first ones of n steps (``growth_share``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.amounts import amount_of, seen_steps
from dpcomp_sym.rocq.blocks import when
from dpcomp_sym.rocq.bounds import as_integer, condition, natural, window
from dpcomp_sym.rocq.counts import counted
from dpcomp_sym.rocq.edits import EditCase, ProofScript, at_once, far_apart
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.near import steps_near
from dpcomp_sym.rocq.pieces import in_pieces, pieces_few
from dpcomp_sym.rocq.places import RecordShare, together
from dpcomp_sym.rocq.stairs import along, stairs_seen
from dpcomp_sym.rocq.statement import Setting
from dpcomp_sym.rocq.sums import group_sum
from dpcomp_sym.rocq.walks import everywhere, most_blocks, moved_steps

__all__ = ["growth_sums"]

AS_NUMBER = "rewrite INR_IZR_INZ, <- ?mult_IZR, <- ?plus_IZR in L. apply le_IZR in L. lia."
"""Tactics: no more records change than ``L`` says, as a natural number."""


def growth_sums(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Yield tactics that bound the sum of what δ comes to, part by part.

    Raises:
        UnwrittenError: what the parts see has a form of which no lemma speaks.
    """
    if case.steps is not None and in_pieces(case):
        most = natural(case.steps)
        yield from pieces_few(proof, case)
        for n, part in enumerate(proof.setting.parts):
            yield _mono(part, f"L{n}", most, "1")
        return
    if case.mean is not None:
        yield from _around(proof, case)
        return
    cases: list[str] = []
    for number, mapping in enumerate(proof.setting.maps.values()):
        if not _losing(proof.setting, proof.parts_of(mapping)):
            yield from _nothing(proof, case, mapping, number)
        elif mapping.image is not None:
            raise UnwrittenError(f"what delta comes to behind {mapping.name} is not written")
        elif case.steps is not None and case.at_once(mapping):
            yield from _at_once(proof, case, mapping, number)
        elif case.steps is not None:
            yield from _walked(proof, case, mapping, number)
        elif case.window is not None:
            yield from _in_window(proof, case, mapping, number)
        elif case.near:
            yield from _near(proof, case, mapping)
        elif case.stairs:
            yield from _stairs(proof, case, mapping, number)
        else:
            yield from _apart(proof, case, mapping, number)
            cases += [f"T{number}"] if mapping.indices else []
    if case.near:
        yield "  change (range 1) with [1]. cbn [sum]."
    for one in cases:
        yield f"  all: destruct {one} as [{one}|{one}]."


def _around(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say that all records that change make δ no more than one of them would, in all steps."""
    setting, shares, n = proof.setting, [], natural(case.steps or {})
    yield f"  assert (few : (moves l all_cells D E <= {n})%nat)."
    yield f"  {{ {AS_NUMBER} }}"
    for number, mapping in enumerate(setting.maps.values()):
        parts = proof.parts_of(mapping)
        if not _losing(setting, parts):
            yield from _nothing(proof, case, mapping, number)
            continue
        blocks, member = setting.blocks(mapping), made("mem", mapping.name)
        seen = _seen(proof, case, parts[0])
        f, last = _grown(setting, parts, "r"), _grown(setting, parts, n)
        split = (
            "rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with (g := fun i => "
            f"((fun i (r : nat) => {f}) i ({seen}))%R); intros; cbv beta; lra |].\n"
            f"    apply (sum_moves_parts _ cell {blocks} {member} l D E (fun i r => {f}%R) {n});\n"
            f"    [intros i _; {_positive(parts)} | intros i r _ Lr; {_shares(parts, 'r', n)}\n"
            "    | intros; cbn [growth]; ring | exact few]."
        )
        left = _left(setting, parts, [seen] * len(parts), mapping)
        positive = _positive(parts)
        known = f"assert (G : (0 <= {last})%R) by ({positive}); pose proof (shares_all {n} _ G)"
        known += "; rewrite ?growth_single in *"
        positive = f"apply share_pos; {positive}"
        shares.append(RecordShare(mapping, left, f"share {n} {last}", split, positive, known))
    yield from together(proof, case, shares, f"INR {n}", proof.outline.delta or {})


def _losing(setting: Setting, parts: Sequence[BoundPart]) -> list[BoundPart]:
    """Return the parts whose δ is not 0."""
    return [p for p in parts if replace(setting, second=True).parameters(p)[1] != Fraction(0)]


def _nothing(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    """Say that parts without a δ lose nothing, however far they see."""
    parts = proof.parts_of(mapping)
    left = _left(proof.setting, parts, [_seen(proof, case, p) for p in parts], mapping)
    yield f"  assert (A{number} : ({left} <= 0)%R)."
    yield "  { rewrite <- ?sum_plus. right. apply sum_zero. intros. ring. }"


def _seen(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return at how many steps a part sees block ``i``."""
    if case.steps is not None:
        return moved_steps(proof, case, part)
    if case.window is not None:
        return seen_steps(proof, case, part)
    if case.near:
        return f"moves l ({made('mem', part.map.name)} i) D E"
    if case.stairs:
        return stairs_seen(proof, case, part)
    return f"least (fun n => {proof.path(part, 'n')}) 2"


def _delta(setting: Setting, part: BoundPart) -> str:
    return replace(setting, second=True).guarantee(part)


def _grown(setting: Setting, parts: Sequence[BoundPart], steps: str) -> str:
    """Return what the δ of some parts come to after so many steps, as the bound says it."""
    each = [
        f"({_delta(setting, p)} * growth ({setting.guarantee(p)}) {steps})"
        for p in _losing(setting, parts)
    ]
    return f"({' + '.join(each)})" if len(each) > 1 else "".join(each) or "0"


def _plain(setting: Setting, parts: Sequence[BoundPart]) -> str:
    """Return what the δ of some parts come to after one step."""
    return " + ".join(_delta(setting, p) for p in _losing(setting, parts))


def _left(
    setting: Setting, parts: Sequence[BoundPart], seen: Sequence[str], mapping: BoundMap
) -> str:
    """Return what the δ of a map's parts come to in all blocks."""
    blocks = setting.blocks(mapping)
    return " + ".join(
        f"sum {blocks} (fun i => growth ({setting.guarantee(p)}) ({r}) * {_delta(setting, p)})"
        for p, r in zip(parts, seen, strict=True)
    )


def _known(part: BoundPart, block: str = "i") -> str:
    """Return a tactic: the part's ε and δ are not negative, as ``C`` and ``G``."""
    one = f"({made('part', part.name)} {block})"
    return (
        f"pose proof (cost_pos {one}) as C; pose proof (loss_pos {one}) as G; "
        "cbn [cost] in C; cbn [loss] in G"
    )


def _mono(part: BoundPart, few: str, steps: str, block: str) -> str:
    """Return tactics: at no more steps δ comes to no more."""
    one = f"({made('part', part.name)} {block})"
    return (
        f"  pose proof (Rmult_le_compat_r _ _ _ (loss_pos {one}) "
        f"(growth_mono (cost {one}) (cost {one}) _ {steps} (Rle_refl _) {few})) as G{few}. "
        f"cbn [cost loss] in G{few}."
    )


def _positive(parts: Sequence[BoundPart]) -> str:
    each = "; ".join(f"{_known(p)}; clear C; rename G into G{n}" for n, p in enumerate(parts))
    return (
        f"{each}; repeat (apply growth_pos || apply Rplus_le_le_0_compat || apply Rmult_le_pos "
        "|| assumption); try lra"
    )


def _shares(parts: Sequence[BoundPart], r: str, n: str) -> str:
    """Return tactics: r of n steps come to no more than their share, for all parts together."""
    each = "; ".join(
        f"{_known(p)}; "
        f"pose proof (Rmult_le_compat_l _ _ _ G (growth_share _ {r} {n} C Lr)); clear C G"
        for p in parts
    )
    return f"{each}; cbn [INR] in *; lra"


def _walked(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks, member = setting.blocks(mapping), made("mem", mapping.name)
    n = natural(case.steps or {})
    seen = _seen(proof, case, parts[0])
    left = _left(setting, parts, [seen] * len(parts), mapping)
    f, last = _grown(setting, parts, "r"), _grown(setting, parts, n)
    yield f"  assert (few{number} : (moves l all_cells D E <= {n})%nat)."
    yield f"  {{ {AS_NUMBER} }}"
    if not mapping.indices:
        yield f"  assert (A{number} : ({left} <= {last})%R)."
        yield "  { change (range 1) with [1]. cbn [sum]."
        for part in parts:
            few = f"(Nat.le_trans _ _ _ (moves_le cell l ({member} 1) D E) few{number})"
            yield f"    pose proof {few} as F{number}."
            yield _mono(part, f"F{number}", n, "1") + f" clear F{number}."
        yield "    lra. }"
        return
    if everywhere(case, mapping):
        each = _plain(setting, parts) if n == "1" else last
        whole = f"sum {blocks} (fun i => {each})"
        yield f"  assert (A{number} : ({left} <= {whole})%R)."
        yield "  { rewrite <- ?sum_plus. apply sum_le. intros i Ii."
        yield (
            f"    pose proof (Nat.le_trans _ _ _ (moves_le cell l ({member} i) D E) few{number}) "
            f"as F{number}."
        )
        yield from (_mono(part, f"F{number}", n, "i") + f" rename GF{number} into H{k}."
                    for k, part in enumerate(parts))  # fmt: skip
        yield "    rewrite ?growth_single in *. lra. }"
        return
    most = most_blocks(mapping)
    yield f"  assert (A{number} : ({left} <= worst {most} {blocks} (fun i => {last}))%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with (g := fun i => "
        f"((fun (i : Z) (r : nat) => {f}) i ({seen}))%R); intros; cbv beta; lra |].\n"
        f"    apply (sum_moves_share cell {blocks} {member} l D E (fun i r => {f}%R) {most} {n});\n"
        f"    [intros i r _; {_positive(parts)}\n"
        f"    | intros i r _ Lr; {_shares(parts, 'r', n)}\n"
        "    | intros; cbn [growth]; ring\n"
        f"    | intros; apply {made(f'cell_{case.name}', mapping.name)}; auto\n"
        f"    | exact few{number}]. }}"
    )


def _at_once(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    """Say that at one step δ comes to what it is, in each block that changes."""
    setting, parts, see = proof.setting, proof.parts_of(mapping), made("see", mapping.name)
    second, blocks = replace(proof, setting=replace(setting, second=True)), setting.blocks(mapping)
    step = f"(if dec ({see} i D = {see} i E) then 0 else 1)"
    yield from group_sum(second, case, mapping, number)
    for part in parts:
        delta = _delta(setting, part)
        grown = _left(setting, [part], [_seen(proof, case, part)], mapping)
        yield (
            f"  assert (S_{part.name} : ({grown} = sum {blocks} (fun i => INR {step} * {delta}))%R)"
            "\n    by (apply sum_eq; intros; destruct dec; cbn [growth INR]; ring)."
        )


def _near(proof: ProofScript, case: EditCase, mapping: BoundMap) -> Iterator[str]:
    """Say that there are no more steps than values near each other."""
    n, few = natural(steps_near(case, mapping)), made(f"few_{case.name}", mapping.name)
    for part in proof.parts_of(mapping):
        own = f"F{proof.setting.parts.index(part)}"
        yield (
            f"  assert ({own} : (moves l ({made('mem', mapping.name)} 1) D E <= {n})%nat)."
            f"\n  {{ pose proof ({few} D E l KD KE Ed N A) as F. "
            "rewrite INR_IZR_INZ, <- ?mult_IZR, <- ?plus_IZR in F. apply le_IZR in F. lia. }"
        )
        yield _mono(part, own, n, "1") + f" rewrite ?growth_single in G{own}."


def _stairs(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    """Say that each block that changes is so many steps away at most."""
    setting, parts, see = proof.setting, proof.parts_of(mapping), made("see", mapping.name)
    blocks, group = setting.blocks(mapping), case.group(mapping)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    n = natural(along(case, parts[0])[1])
    last = _grown(setting, parts, n)
    left = _left(setting, parts, [_seen(proof, case, p) for p in parts], mapping)
    worst = f"worst {natural(group.count)} {blocks} (fun i => {last})"
    yield f"  assert (A{number} : ({left} <= {worst})%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [|apply (sum_worst _ _ "
        f"(fun i => {see} i D <> {see} i E) (fun i => {last}%R)); "
        f"[intros i _; {_positive(parts)} | now apply {counted(case, mapping)}]].\n"
        f"    apply sum_le. intros i _. destruct (dec ({see} i D = {see} i E)) as [e|n], "
        f"(dec ({see} i D <> {see} i E)) as [n'|e']; try tauto.\n"
        "    - cbn [growth]. lra."
    )
    for k, part in enumerate(parts):
        yield (
            f"    {'- ' if k == 0 else '  '}"
            f"destruct ({made(f'stairs_{case.name}', part.name)} D E i KD KE Ed n) "
            f"as (m{k} & few{k} & Q{k}).\n"
            f"      pose proof (Nat.le_trans _ _ _ (proj2 (least_ok "
            f"(fun n => {proof.path(part, 'n')}) _ m{k} Q{k} few{k})) few{k}) as L{k}."
        )
        yield "    " + _mono(part, f"L{k}", n, "i")
    yield "      lra. }"


def _in_window(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks, see = setting.blocks(mapping), made("see", mapping.name)
    left = _left(setting, parts, [_seen(proof, case, p) for p in parts], mapping)
    amounts = {p.name: f"(Z.to_nat {amount_of(case, p)})" for p in parts}
    whole = " + ".join(_grown(setting, [p], amounts[p.name]) for p in _losing(setting, parts))
    where = condition(when(case, mapping))
    right = window(blocks, where, whole)
    inside = "" if where == "True" else "destruct dec; [|contradiction]."
    yield f"  assert (A{number} : ({left} <= {right})%R)."
    yield (
        "  { rewrite <- ?sum_plus. apply sum_le. intros i Ii. "
        f"destruct (dec ({see} i D = {see} i E)) as [e|ne].\n"
        "    - assert (zero : forall e, growth e 0 = 0%R) by reflexivity. rewrite ?zero.\n"
        f"      assert (Q : (0 <= {whole})%R) by ({_positive(parts)}).\n"
        "      repeat destruct dec; lra.\n"
        f"    - specialize (W{number} i Ii ne). {inside}"
    )
    for n, part in enumerate(parts):
        yield (
            f"      destruct (P{setting.parts.index(part)} i Ii ne) as (m{n} & few{n} & Q{n}).\n"
            f"      pose proof (Nat.le_trans _ _ _ (proj2 (least_ok "
            f"(fun n => {proof.path(part, 'n')}) _ m{n} Q{n} few{n})) few{n}) as L{n}."
        )
        yield "    " + _mono(part, f"L{n}", amounts[part.name], "i")
    yield "      lra. }"


def _apart(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> Iterator[str]:
    """Say that two cells are in one block, or in two: there is a case for each."""
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks = setting.blocks(mapping)
    left = _left(setting, parts, [_seen(proof, case, p) for p in parts], mapping)
    numbers = {p.name: setting.parts.index(p) for p in parts}
    if not mapping.indices:
        last = " + ".join(_grown(setting, [p], "1" if at_once(case, p) else "2") for p in parts)
        yield f"  assert (A{number} : ({left} <= {last})%R)."
        yield "  { change (range 1) with [1]. cbn [sum]."
        for part in parts:
            n, most = numbers[part.name], "1" if at_once(case, part) else "2"
            yield (
                f"    destruct (P{n} 1) as (_ & K{n}). assert (L{n} : (_ <= {most})%nat) by "
                f"(eapply Nat.le_trans; [exact K{n} | unfold one_if; repeat destruct dec; lia])."
            )
            yield "    " + _mono(part, f"L{n}", most, "1")
        yield "    lra. }"
        yield f"  rewrite ?growth_single in A{number}."
        return
    if as_integer(case.touched.counts[mapping.name]) != 1:
        raise UnwrittenError(f"a record is in several blocks of {mapping.name}, and delta grows")
    cells, most = [f"(fun i => {made('mem', mapping.name)} i {c})" for c in case.points], "r"
    f, both = _grown(setting, parts, most), far_apart(case, parts[0])
    given = f"{blocks} {cells[0]} {cells[1]} (fun i r => {f}%R)"
    total = f"sum {blocks} (fun i => (fun (i : Z) (r : nat) => {f}) i ({both})%nat)"
    yield f"  assert (A{number} : ({left} <= {total})%R)."
    yield "  { rewrite <- ?sum_plus. apply sum_le. intros i Ii. cbv beta."
    for part in parts:
        n = numbers[part.name]
        yield f"    destruct (P{n} i) as (_ & L{n})."
        yield "    " + _mono(part, f"L{n}", f"({both})", "i")
    yield "    lra. }"
    lemma = made(f"cell_{case.name}", mapping.name)
    two, one = (f"worst {k} {blocks} (fun i => {_grown(setting, parts, r)})" for k, r in
                ((2, "1"), (1, "2")))  # fmt: skip
    plain = _plain(setting, parts)
    yield (
        f"  assert (B{number} : ({two} <= {one})%R).\n"
        f"  {{ apply worst_two; intros i Ii; [{_positive(parts)} | "
        f"assert (Lr : (1 <= 2)%nat) by lia; {_shares(parts, '1%nat', '2%nat')}]. }}\n"
        f"  assert (C{number} : ({two} <= worst 2 {blocks} (fun i => {plain}))%R).\n"
        f"  {{ apply worst_mono; [lia |]. intros i Ii. "
        f"split; [{_positive(parts)} | cbn [growth]; lra]. }}\n"
        f"  assert (T{number} : ({total} <= {two})%R \\/ ({total} <= {one})%R).\n"
        f"  {{ apply (sum_two_cells _ {given});\n"
        f"    [intros i r _; {_positive(parts)} | intros; cbn [growth]; ring "
        f"| now apply {lemma} | now apply {lemma}]. }}\n"
        f"  cbv beta in T{number}."
    )
