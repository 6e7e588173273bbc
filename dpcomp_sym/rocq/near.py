"""Edits of records whose values are near each other: each part sees as many as there are values.

Where at most one record has the same attributes, and those that change in a map share some of these
and differ by less than a length in the others, there are no more than the product of the lengths.
Which attributes, and which lengths, is the reason that the certificate gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model import Universe
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.rocq.bounds import Expression, real
from dpcomp_sym.rocq.counts import changed_cell
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.names import made, of_attribute, of_spec
from dpcomp_sym.rocq.statement import over_cell
from dpcomp_sym.rocq.walks import FINISH, path_lemma
from dpcomp_sym.terms import TRUE

__all__ = ["in_x", "moved_road", "near_lemmas", "near_sums", "near_values", "steps_near"]


def near_lemmas(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say of each map how many records come or go in it, and that each is a step of its parts.

    Raises:
        UnwrittenError: the certificate gives another reason, or a map has blocks or an image.
    """
    maps = proof.setting.maps.values()
    if proof.setting.problem.domain.cap != 1 or any(m.indices or m.image is not None for m in maps):
        raise UnwrittenError(f"{case.name} sees distances that are not 1, or not numbers")
    for part in proof.setting.parts:
        yield from path_lemma(proof, part)
    for mapping in maps:
        yield from _few(proof, case, mapping)


def _few(proof: ProofScript, case: EditCase, mapping: BoundMap) -> Iterator[str]:
    lengths = _lengths(proof, case, mapping)
    inside = over_cell(case.edit.frame or TRUE, cell="z")
    most = "".join(f"Z.to_nat {length} * (" for length in lengths.values())
    two = (
        "intros y z Iy Iz my mz; apply framed in Iy; apply framed in Iz; "
        f"destruct Iy as (Xy & fy); destruct Iz as (Xz & fz); {in_x(proof)}un; splits"
    )
    yield (
        f"Lemma {made(f'few_{case.name}', mapping.name)} D E l : class D -> class E -> "
        f"{case.name} D E -> NoDup l ->\n  (forall z, In z l <-> D z <> E z) -> "
        f"(INR (moves l ({made('mem', mapping.name)} 1) D E) <= "
        f"{real(steps_near(case, mapping))})%R."
    )
    yield (
        f"Proof. intros KD KE Ed N A. {case.chosen} pose proof KD as CD. pose proof KE as CE.\n"
        "  unfold class in CD, CE. splits.\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
        f"  assert (most : (moves l ({made('mem', mapping.name)} 1) D E <= "
        f"{most}1{')' * len(lengths)})%nat).\n  {{ clear KD KE XD XE."
    )
    for name, length in lengths.items():
        yield (
            f"    apply (moves_near _ l _ {of_attribute(name)} {length}); "
            f"[lia | {two}; subst; lia | intro]."
        )
    yield (
        "    apply moves_alone; [assumption | intros c _; repeat match goal with "
        "K : forall c : cell, _ <= _ |- _ => specialize (K c) end; lia |].\n"
        f"    {two}; destruct y, z; cbn in *; subst; f_equal; first [congruence | lia]. }}\n"
        "  eapply Rle_trans; [apply le_INR; exact most |].\n"
        "  rewrite ?mult_INR, ?INR_IZR_INZ, ?Z2Nat.id by lia. cbn. lra. Qed."
    )


def in_x(proof: ProofScript, cells: str = "yz") -> str:
    """Return a tactic that says of some cells, such as y and z, what is known of all records."""
    domain = proof.setting.problem.domain
    known = domain.universe is Universe.ANY and domain.cell_term != TRUE
    return "".join(f"pose proof (X_cell _ X{v}); " for v in cells if known)


def steps_near(case: EditCase, mapping: BoundMap) -> Expression:
    """Return at what distance a map's parts see what changes in it."""
    group = case.group(mapping)
    found = [] if group is None else list(group.distances.values())
    if not found or any(d != found[0] for d in found):
        raise UnwrittenError(f"{case.name} sees distances that are not 1, or not numbers")
    return found[0]


def _lengths(proof: ProofScript, case: EditCase, mapping: BoundMap) -> dict[str, str]:
    """Return the attributes that are near each other in a map, with by how much they differ."""
    part, *_ = proof.parts_of(mapping)
    reason = case.touched.reasons.get((part.name, ()), {})
    attributes = proof.setting.problem.domain.attribute_sorts
    wanted = f"1 times 1 with the same {', '.join(f'{a}(c)' for a in attributes)}"
    (limit,) = reason.get("by") or [{}]
    if reason.get("is") != "records by limits" or limit.get("is") != wanted:
        raise UnwrittenError(f"no limit says how many records {case.name} changes")
    found = {name: near_values(one) for name, one in zip(attributes, limit["by"], strict=True)}
    return {name: length for name, length in found.items() if length}


def near_values(values: Mapping[str, Any]) -> str:
    """Return by how much values differ at most, as the certificate says; nothing if not at all."""
    if values["is"] == "the same":
        return ""
    inner = [one["by"] for one in values["by"] if one["is"] == "near each other"]
    if values["is"] != "few" or len(inner) != 1:
        raise UnwrittenError("values that are not near each other")
    ((length,),) = inner
    return str(length["is"]) if length["is"].isdigit() else of_spec(length["is"])


def moved_road(proof: ProofScript) -> Iterator[str]:
    """Return the steps that say how far each part sees a block: as many records as move there."""
    setting = proof.setting
    moved = {p.name: f"moves l ({made('mem', p.map.name)} i) D E" for p in setting.parts}
    names = " | ".join("i" for _ in setting.parts)
    paths = " | ".join(f"now apply {made('steps', p.name)}" for p in setting.parts)
    yield "  destruct (changed_list _ D E) as (l & N & A); [apply KD | apply KE |]."
    yield f"  exists (fun t => {setting.cases(moved)}). split."
    yield f"  {{ intros t _. destruct t as [{names}]; [{paths}]. }}"


def near_sums(proof: ProofScript, case: EditCase, positive: str) -> Iterator[str]:
    """Return the steps from these lemmas to the bound: each part loses so many times its cost."""
    setting = proof.setting
    for number, part in enumerate(setting.parts):
        steps, cost = real(steps_near(case, part.map)), setting.guarantee(part)
        mine = f"INR (moves l ({made('mem', part.map.name)} 1) D E)"
        yield f"  assert (A{number} : ({mine} * {cost} <= {steps} * {cost})%R)."
        yield (
            f"  {{ apply Rmult_le_compat_r; [{positive} | "
            f"now apply {made(f'few_{case.name}', part.map.name)}]. }}"
        )
    yield "  change (range 1) with [1]. cbn [sum]."
    yield FINISH
