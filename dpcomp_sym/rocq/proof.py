"""The third part of a Rocq file: the bound that follows from the structural facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.amounts import amounts_road, amounts_sums
from dpcomp_sym.rocq.blocks import asks_for_change
from dpcomp_sym.rocq.bounds import choice, condition, infinite, letters
from dpcomp_sym.rocq.edits import EditCase, ProofScript, at_once, far_apart, holding
from dpcomp_sym.rocq.evidence import Outline, Window
from dpcomp_sym.rocq.growths import growth_sums
from dpcomp_sym.rocq.halves import halves_core, in_halves
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.near import moved_road, near_sums
from dpcomp_sym.rocq.pieces import in_pieces, pieces_road, pieces_sums
from dpcomp_sym.rocq.places import mean_sums
from dpcomp_sym.rocq.stairs import stairs_road, stairs_sums
from dpcomp_sym.rocq.statement import Setting
from dpcomp_sym.rocq.sums import group_sum, positive, summed
from dpcomp_sym.rocq.walks import FINISH, walk_road, walk_sums

__all__ = ["derivation"]

# ------------------------------------------------------------- derivation


def derivation(setting: Setting, outline: Outline) -> str:
    """Return the steps from the lemmas to the bound.

    Raises:
        UnwrittenError: the bound has a form that no step here leads to.
    """
    proof = ProofScript(setting, outline)
    lines = [*_costs(setting, "cost")]
    if setting.pairs:
        lines += _costs(replace(setting, second=True), "loss")
    for case in proof.cases:
        lines += _core(proof, case)
    lines += _profile(proof)
    lines += _conclusion(setting)
    return "\n".join(lines) + "\n"


def _costs(setting: Setting, name: str) -> Iterator[str]:
    costs = setting.cases({p.name: setting.guarantee(p) for p in setting.parts})
    yield f"Definition {name} (t : part) : R := ({costs})%R."
    yield f"Lemma {name}_pos t : (0 <= {name} t)%R."
    yield f"Proof. destruct t; cbn; {positive(setting)}. Qed."


def _reaches(proof: ProofScript, steps: str) -> str:
    branch = {p.name: proof.path(p, steps) for p in proof.setting.parts}
    return f"(forall t, In t parts -> {proof.setting.cases(branch)})"


def _claimed(proof: ProofScript) -> str:
    if proof.setting.pairs:
        return (
            f"exists r : part -> nat,\n  {_reaches(proof, 'r t')} /\\\n"
            "  (sum parts (fun t => INR (r t) * cost t) <= bound)%R /\\\n"
            "  (sum parts (fun t => growth (cost t) (r t) * loss t) <= more)%R"
        )
    return (
        f"exists r : part -> nat,\n  {_reaches(proof, 'r t')} /\\\n"
        "  (sum parts (fun t => sc pure (r t) * cost t) <= bound)%R"
    )


def _core(proof: ProofScript, case: EditCase) -> Iterator[str]:
    yield (
        f"Lemma core_{case.name} D E : class D -> class E -> {case.name} D E -> {_claimed(proof)}."
    )
    yield "Proof. intros KD KE Ed."
    known = positive(proof.setting)
    if case.steps is not None and in_pieces(case):
        sums = pieces_sums(proof, case, case.steps)
        yield from _far(proof, case, pieces_road(proof, case, case.steps), sums)
        return
    if case.steps is not None:
        sums_of = walk_sums if case.mean is None else mean_sums
        sums = sums_of(proof, case, case.steps, known)
        yield from _far(proof, case, walk_road(proof, case), sums)
        return
    if case.window is not None and case.counted:
        sums = chain(amounts_sums(proof, case, known), _most(proof, case), [FINISH])
        yield from _far(proof, case, amounts_road(proof, case, case.window), sums)
        return
    if case.apart:
        yield from _far(proof, case, _road_apart(proof, case), _sums_apart(proof, case))
        return
    if case.near and in_halves(proof, case):
        if proof.setting.pairs:
            raise UnwrittenError(
                f"a bound on (eps, delta) for what {case.name} does is not written"
            )
        yield from halves_core(proof, case, known)
        return
    if case.near:
        yield from _far(proof, case, moved_road(proof), near_sums(proof, case, known))
        return
    if case.stairs:
        yield from _far(proof, case, stairs_road(proof, case), stairs_sums(proof, case, known))
        return
    yield from _changed_once(proof, case)
    if not proof.setting.pairs:
        yield from _sums(proof, case)
        yield "  Qed."
        return
    yield "  split."
    yield "  { cbn [sc pure]."
    yield from _sums(proof, case)
    yield "  }"
    names = " | ".join("i" for _ in proof.setting.parts)
    yield (
        "  { rewrite growth_once "
        f"by (intros t; destruct t as [{names}]; cbn beta iota; destruct dec; lia)."
    )
    yield from _sums(replace(proof, setting=replace(proof.setting, second=True)), case)
    yield "  } Qed."


def _far(
    proof: ProofScript, case: EditCase, road: Iterator[str], sums: Iterator[str]
) -> Iterator[str]:
    """Yield how far the parts see what changes, and what that costs, also in (eps, delta)."""
    yield from road
    unfold = "unfold parts. rewrite ?sum_app, ?sum_map. "
    if not proof.setting.pairs:
        yield f"  {unfold}cbn [cost]."
        yield from sums
        yield "  Qed."
        return
    yield f"  split.\n  {{ {unfold}cbn [cost]."
    yield from sums
    yield f"  }}\n  {{ {unfold}cbn [cost loss]."
    yield from growth_sums(proof, case)
    yield from _most(proof, case)
    yield "  all: cbn [sc pure] in *; unfold more; rewrite ?worst_mult by lra; below."
    yield "  } Qed."


def _sums(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Bound the sum of what the parts cost, where each sees what changes at distance 1."""
    costs, bound = ("loss", "more") if proof.setting.second else ("cost", "bound")
    yield f"  unfold parts. rewrite ?sum_app, ?sum_map. cbn [{costs}]."
    finish = FINISH.replace("bound", bound)
    if proof.listed:
        yield from _core_listed(proof, case, finish)
        return
    if case.window is not None:
        yield from _window(proof, case, case.window, bound)
    for number, mapping in enumerate(proof.setting.maps.values()):
        yield from group_sum(proof, case, mapping, number)
    yield from _most(proof, case)
    yield finish


def _window(proof: ProofScript, case: EditCase, window: Window, bound: str) -> Iterator[str]:
    """Take the integers for which all that changes lies in a window, or the choices of them."""
    rows = [f"W{n}" for n in range(len(proof.setting.maps))]
    with_facts = condition(window.pattern.facts) != "True"
    if window.pattern.times is not None:
        names = ["ps", "few", *(["F"] if with_facts else [])]
    else:
        names = [*letters(window.pattern.free), "F"]
    apart = ""
    of_records = window.records is not None and window.pattern.times is None
    if of_records or asks_for_change(case, window):
        apart = " apart"
        yield (
            "  destruct (classic (D = E)) as [same|apart].\n"
            "  { subst E. cbn [sc pure]. rewrite ?sum_zero by (intros; cbv beta; destruct dec; "
            f"[cbn [INR]; ring | congruence]). unfold {bound}. below. }}"
        )
    taken = " & ".join([*names, *rows])
    yield f"  destruct (window_{case.name} D E KD KE Ed{apart}) as ({taken})."


def _most(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say that the sum over this window is none of those that are greater than the bound."""
    if case.window is None:
        return
    pattern = case.window.pattern
    several = pattern.times is not None
    given = "F" if condition(pattern.facts) != "True" else ""
    names = "ps few" if several else " ".join(letters(pattern.free))
    for number, most in enumerate(proof.outline.maxima, 1):
        over = most["most"] if several and most["op"] == "Coverage" else most
        same = most.get("times") == pattern.times and over["free"] == pattern.free
        if same and over["facts"] == pattern.facts:
            yield f"  pose proof (most{number}_is {names} {given}) as B{number}."
            yield f"  cbv beta in B{number}."


def _core_listed(proof: ProofScript, case: EditCase, finish: str) -> Iterator[str]:
    """Go through the vectors; in each the sums are over the blocks that it lists."""
    maps = list(proof.setting.maps.values())
    names = " & ".join(f"L{n}" for n in range(len(maps)))
    ways = f"({names})" if len(maps) > 1 else "L0"
    pattern = ways
    for _ in proof.outline.vectors[1:]:
        pattern = f"[{ways} | {pattern}]"
    taken = f"(listed_{case.name} D E KD KE Ed) as {pattern}"
    yield f"  {'destruct' if '|' in pattern else 'pose proof'} {taken}."
    for vector in proof.outline.vectors:
        yield "  {"
        for number, mapping in enumerate(maps):
            blocks = [g.block for g in vector.groups if g.map == mapping.name]
            yield from _listedgroup_sum(proof, mapping, number, blocks)
        yield finish + " }"


def _listedgroup_sum(
    proof: ProofScript, mapping: BoundMap, number: int, listed: Sequence[int | None]
) -> Iterator[str]:
    setting = proof.setting
    parts = proof.parts_of(mapping)
    each = " + ".join(setting.guarantee(p) for p in parts)
    see, blocks = made("see", mapping.name), setting.blocks(mapping)
    among = [b for b in listed if b is not None] if mapping.indices else [1] * len(listed)
    chosen = f"[{'; '.join(map(str, among))}]%Z"
    yield from summed(proof, mapping, number, parts, f"sum {chosen} (fun i : Z => ({each}))")
    if mapping.indices:
        inside = f"L{number} i Ii ne" if listed else f"ne (L{number} i Ii)"
        member = "cbn; intuition congruence" if listed else "tauto"
        inside = f"pose proof ({inside}) as at_i; {member}"
    else:
        inside = "apply range_in in Ii; cbn; left; lia"
        if not listed:
            inside = f"destruct (ne (L{number} i Ii))"
    known = f"intros; {positive(setting)}"
    yield f"    apply sum_listed; [apply range_nodup | {known} | {known} |"
    yield f"      intros i Ii ne; {inside}]. }}"
    yield f"  cbn [sum] in A{number}."
    del see, blocks


def _changed_once(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say that all that changes is at distance 1."""
    setting = proof.setting
    changes = {
        p.name: f"(if dec ({made('see', p.map.name)} i D = {made('see', p.map.name)} i E) "
        "then 0 else 1)%nat"
        for p in setting.parts
    }
    yield f"  exists (fun t => {setting.cases(changes)}). split."
    lemmas = " | ".join(f"now apply {made(f'dist_{case.name}', p.name)}" for p in setting.parts)
    same = "left; assumption" if setting.common else "now apply path0"
    other = "right; auto" if setting.common else f"first [{lemmas}]"
    names = " | ".join("i" for _ in setting.parts)
    yield f"  {{ intros t _. destruct t as [{names}]; (destruct dec; [{same} | {other}]). }}"


def _road_apart(proof: ProofScript, case: EditCase) -> Iterator[str]:
    setting = proof.setting
    x, y = case.points
    yield f"  destruct (dist_{case.name} D E KD KE Ed) as ({x} & {y} & Xx & Xy & W)."
    steps = {p.name: f"least (fun n => {proof.path(p, 'n')}) 2" for p in setting.parts}
    yield f"  exists (fun t => {setting.cases(steps)})."
    pieces = []
    for number, part in enumerate(setting.parts):
        most = far_apart(case, part)
        least = f"least (fun n => {proof.path(part, 'n')}) 2"
        own = f"P{number}"
        pieces.append(own)
        where = "W i"
        yield (
            f"  assert ({own} : forall i, {proof.path(part, least)} /\\ ({least} <= {most})%nat)."
        )
        pick = "".join("destruct W as (_ & W). " for _ in range(number))
        last = number == len(setting.parts) - 1
        take = "" if last else "destruct W as (W & _). "
        del where
        yield (
            f"  {{ intro i. specialize (W i). {pick}{take}destruct W as (r & L & H).\n"
            "    destruct (least_ok (fun n => _) 2 r H) as (G & K); "
            "[unfold one_if in L; repeat destruct dec; lia | split; [exact G | lia]]. }"
        )
    names = " | ".join("i" for _ in setting.parts)
    goals = " | ".join(f"apply {p}" for p in pieces)
    yield f"  split. {{ intros t _. destruct t as [{names}]; [{goals}]. }}"


def _sums_apart(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Add up what the parts of all maps cost, which is true where a vector has blocks of all."""
    together = [{g.map for g in v.groups} for v in proof.outline.vectors]
    if not any(set(proof.setting.maps) <= maps for maps in together):
        raise UnwrittenError(f"what {case.name} changes in blocks of one map excludes another")
    for mapping in proof.setting.maps.values():
        if mapping.indices:
            yield from _added(proof, case, mapping)
        else:
            for part in proof.parts_of(mapping):
                yield from _added_once(proof, case, part)
    yield FINISH


def _least(proof: ProofScript, part: BoundPart) -> str:
    return f"INR (least (fun n => {proof.path(part, 'n')}) 2) * {proof.setting.guarantee(part)}"


def _seen(proof: ProofScript, part: BoundPart, block: str) -> str:
    """Return tactics: how far a part sees a block, as ``L``, and that its cost is not negative."""
    return (
        f"destruct (P{proof.setting.parts.index(part)} {block}) as (_ & L); apply le_INR in L; "
        "rewrite ?plus_INR in L; unfold one_if in L; "
        f"pose proof (cost_pos ({made('part', part.name)} {block})) as C; cbn [cost] in C"
    )


def _added_once(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Say that a part that sees all records costs no more than two steps, or one."""
    cost, number = proof.setting.guarantee(part), proof.setting.parts.index(part)
    most = cost if at_once(case, part) else f"2 * {cost}"
    yield (f"  assert (A{number} : (sum (range 1) (fun i => {_least(proof, part)}) <= {most})%R).")
    yield (
        f"  {{ {_seen(proof, part, '1')}. change (range 1) with [1]. cbn [sum].\n"
        "    repeat destruct dec; cbn [INR] in L; nra. }"
    )


def _added(proof: ProofScript, case: EditCase, mapping: BoundMap) -> Iterator[str]:
    """Say that the parts of a map cost what the blocks of the one cell cost, and of the other."""
    setting, parts = proof.setting, proof.parts_of(mapping)
    blocks, count = setting.blocks(mapping), case.touched.counts[mapping.name]
    costs = [setting.guarantee(p) for p in parts]
    cost = f"({' + '.join(costs)})" if len(costs) > 1 else costs[0]
    each = [f"(if dec ({holding(mapping, p)}) then {cost} else 0)" for p in case.points]
    right = choice(blocks, count, cost)
    left = " + ".join(f"sum {blocks} (fun i => {_least(proof, p)})" for p in parts)
    number = setting.parts.index(parts[0])
    yield f"  assert (A{number} : ({left} <= 2 * {right})%R)."
    seen = "; ".join(f"{_seen(proof, p, 'i')}; rename L into L{n}, C into C{n}"
                     for n, p in enumerate(parts))  # fmt: skip
    yield (
        f"  {{ rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with "
        f"(g := fun i => ({' + '.join(each)})%R); intros i _; {seen}; "
        "repeat destruct dec; cbn [INR] in *; nra |]."
    )
    known = f"intros; {positive(setting)}"
    yield "    rewrite sum_plus. "
    for name, p in zip(("Ax", "Ay"), case.points, strict=True):
        lemma = made(f"cell_{case.name}", mapping.name)
        few = f"apply sum_worst; [{known} | now apply {lemma}]"
        bound = f"apply sum_all; {known}" if infinite(count) else few
        own = f"sum {blocks} (fun i => if dec ({holding(mapping, p)}) then {cost} else 0)"
        yield f"    assert ({name} : ({own} <= {right})%R) by ({bound})."
    yield "    lra. }"


def _profile(proof: ProofScript) -> Iterator[str]:
    yield f"Lemma profile_fact D E : neighbours D E -> {_claimed(proof)}."
    ways = [f"exact (core_{c.name} D E KD KE Ed)" for c in proof.cases]
    turn = (
        "destruct A; [left; now symmetry | right; assumption]"
        if proof.setting.common
        else "apply path_sym; [|exact A]; intros F G K; un; tauto"
    )
    back = f"specialize (A t It); destruct t; ({turn})"
    if not proof.setting.problem.outer.directed:
        ways += [
            f"(destruct (core_{c.name} E D KE KD Ed) as (r & A & B); exists r; split; "
            f"[|exact B]; intros t It; {back})"
            for c in proof.cases
        ]
    yield (
        "Proof. intros (KD & KE & Ed). repeat destruct Ed as [Ed | Ed]; first [\n    "
        + "\n  | ".join(ways)
        + "]. Qed."
    )


def _conclusion(setting: Setting) -> Iterator[str]:
    private = " | ".join(f"now apply {made('private', p.name)}" for p in setting.parts)
    found = (
        "intros t h F G It; unfold parts in It; "
        "repeat (apply in_app_or in It; destruct It as [It|It]); "
        "apply in_map_iff in It; destruct It as (i & <- & Ii)"
    )
    last = (
        "intros D E n. destruct (profile_fact D E n) as (r & A & B). exists r. split; [|exact B]. "
        "intros t It. specialize (A t It). destruct t; exact A."
    )
    yield "Theorem proved : claim."
    events, delta = ("ind_events", "_delta") if setting.pairs else ("pure_events", "")
    given, more = ("", " loss") if setting.pairs else ("pure ", "")
    bounds = "bound more" if setting.pairs else "bound"
    yield f"Proof. intros D E n. apply {events}. revert D E n. unfold composition."
    if setting.common:
        reads = " | ".join(f"now apply {made('reads', p.name)}" for p in setting.parts)
        yield f"  apply (profile_common{delta} {given}part (db cell) neighbours"
        yield f"    (fun t => {setting.held}) O see M cost{more} parts {bounds})."
        yield "  - intros t _. apply cost_pos."
        if setting.pairs:
            yield "  - intros t _. apply loss_pos."
        yield f"  - {found}; cbn [cost{more}]; first [{private}]."
        yield f"  - {found}; intro same; first [{reads}]."
        yield f"  - {last}"
    else:
        sort = f"{setting.held} -> {setting.held} -> Prop"
        rows = setting.cases({p.name: setting.neighbours_of(p) for p in setting.parts}, sort)
        yield f"  apply (profile{delta} {given}part (db cell) neighbours (fun t => {setting.held})"
        yield f"    (fun t => {rows}) O see M cost{more} parts {bounds})."
        yield f"  - intros t _. apply {'loss' if setting.pairs else 'cost'}_pos."
        yield f"  - {found}; cbn [cost{more}]; first [{private}]."
        yield f"  - {last}"
    yield "Qed."
