"""Edits of records that share a key, in blocks of which each holds few of them.

At most so many of D's records go, and so many of E's come; a block has at most b of the ones and b
of the others, by a second limit.  So D's records lose b times what the worst blocks lose, as many
as there are records, and E's lose as much (``sum_halves`` of the library).
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.rocq.bounds import as_integer, infinite, natural
from dpcomp_sym.rocq.counts import changed_cell
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Seen
from dpcomp_sym.rocq.names import made, of_spec
from dpcomp_sym.rocq.near import in_x, moved_road
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.rocq.walks import FINISH, path_lemma
from dpcomp_sym.terms import TRUE

__all__ = ["halves_core", "halves_lemmas", "in_halves"]


def in_halves(proof: ProofScript, case: EditCase) -> bool:
    """Return whether parts see an even number of records in each block, counted by limits."""
    groups = [g for v in proof.outline.vectors for g in v.groups]
    maps = [g.map for g in groups]
    reasons = case.touched.reasons.values()
    return (
        case.edit.frame is not None
        and not proof.setting.common
        and len(proof.outline.vectors) == 1
        and len(set(maps)) == len(maps)
        and bool(reasons)
        and all(r["is"] == "records by limits" for r in reasons)
        and all(_half(g) and not infinite(g.count) for g in groups)
        and all(m.indices and m.image is None for m in proof.setting.maps.values())
    )


def _half(group: Seen) -> int:
    """Return how many records of one database a block has at most, 0 if that is not known."""
    found = {as_integer(d) for d in group.distances.values()}
    (most, *more) = found
    return 0 if more or most is None or most % 2 else most // 2


def _group(case: EditCase, mapping: BoundMap) -> Seen:
    group = case.group(mapping)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    return group


def halves_lemmas(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say how many blocks hold records of D that go, or of E that come, and how many each holds."""
    for part in proof.setting.parts:
        yield from path_lemma(proof, part)
    for mapping in proof.setting.maps.values():
        yield from _of_map(proof, case, mapping, _group(case, mapping))


def _of_map(proof: ProofScript, case: EditCase, mapping: BoundMap, group: Seen) -> Iterator[str]:
    member, blocks = made("mem", mapping.name), proof.setting.blocks(mapping)
    inside = over_cell(case.edit.frame or TRUE, cell="z")
    counts, holds = list(_counts(proof, case, mapping, group)), list(_holds(proof, mapping, group))
    if not counts or not holds:
        raise UnwrittenError(f"no limits say what {case.name} changes in {mapping.name}")
    yield (
        f"Lemma {made(f'half_{case.name}', mapping.name)} D E l F : class D -> class E -> "
        f"{case.name} D E -> NoDup l ->\n"
        "  (forall z, In z l <-> D z <> E z) -> F = D \\/ F = E ->\n"
        f"  (cnt {blocks} (fun i => exists c, In c l /\\ {member} i c /\\ F c <> 0%Z) <= "
        f"{natural(group.count)})%nat /\\\n"
        f"  forall i, In i {blocks} -> total l (keep ({member} i) F) <= {_half(group)}."
    )
    yield (
        f"Proof. intros KD KE Ed N A W. {case.chosen}\n"
        "  assert (KF : class F) by (destruct W; subst; assumption). unfold class in KF. splits.\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
        "  clear KD KE XD XE W A. split.\n"
        f"  - first [{' | '.join(counts)}].\n"
        f"  - intros i Ii. first [{' | '.join(holds)}]. Qed."
    )


def _counts(proof: ProofScript, case: EditCase, mapping: BoundMap, group: Seen) -> Iterator[str]:
    """Yield tactics: all records share a key, so many records share it, each in one block."""
    given = "intros z Iz; apply framed in Iz; tauto"
    one = "intros i j c Ic; intros; un_members; splits; congruence || lia"
    for key, bound in proof.setting.problem.domain.limit_terms:
        shared, most = (f"(fun c_ : cell => {value(key, RocqTerms(OVER))})",
                        value(bound, RocqTerms()))  # fmt: skip
        for name, sort in case.edit.params:
            if sort == key.sort and natural(group.count) in {most, f"(Z.to_nat {most})"}:
                yield (
                    f"solve [change ({natural(group.count)}) with (Z.to_nat {most}); "
                    f"apply (cnt_held _ _ _ F {shared} {of_spec(name)} {most} "
                    f"{made('mem', mapping.name)} l); [apply range_nodup | assumption | assumption "
                    f"| {given} | {one}]]"
                )


def _holds(proof: ProofScript, mapping: BoundMap, group: Seen) -> Iterator[str]:
    """Yield tactics: the records of a block share a key, and so many records share it."""
    alike = (
        "intros y z Iy Iz my mz; apply framed in Iy; apply framed in Iz; "
        f"destruct Iy as (Xy & fy); destruct Iz as (Xz & fz); {in_x(proof)}un_members; splits; "
        "congruence"
    )
    for key, bound in proof.setting.problem.domain.limit_terms:
        most = value(bound, RocqTerms())
        if most == str(_half(group)):
            shared = f"(fun c_ : cell => {value(key, RocqTerms(OVER))})"
            yield (
                f"solve [apply (total_alike _ _ {shared} F {most} l "
                f"({made('mem', mapping.name)} i)); [assumption | lia | assumption | {alike}]]"
            )


def halves_core(proof: ProofScript, case: EditCase, positive: str) -> Iterator[str]:
    """Return the steps from these lemmas to the bound."""
    setting = proof.setting
    yield from moved_road(proof)
    yield "  unfold parts. rewrite ?sum_app, ?sum_map. cbn [cost]."
    for number, mapping in enumerate(setting.maps.values()):
        group, member = _group(case, mapping), made("mem", mapping.name)
        blocks, half = setting.blocks(mapping), _half(group)
        costs = [setting.guarantee(p) for p in proof.parts_of(mapping)]
        each = f"({' + '.join(costs)})" if len(costs) > 1 else costs[0]
        step = f"INR (moves l ({member} i) D E)"
        left = " + ".join(f"sum {blocks} (fun i => {step} * {cost})" for cost in costs)
        worst = f"worst {natural(group.count)} {blocks} (fun i => {each})"
        yield f"  assert (A{number} : ({left} <= {2 * half} * {worst})%R)."
        yield (
            "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with "
            f"(g := fun i => ({step} * ({each}))%R); intros; right; ring |].\n"
            f"    apply (sum_halves cell {blocks} {member} l D E (fun i => ({each})%R) {half}); "
            f"[intros; {positive} | lia | apply KD | apply KE | intros; "
            f"now apply {made(f'half_{case.name}', mapping.name)} with (D := D) (E := E)]. }}"
        )
    yield FINISH + " Qed."
