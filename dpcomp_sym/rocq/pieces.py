"""Edits that are made of edits of a part, one for each value of an attribute.

Where all that changes of a person is made of what changes of her on single days, so many days apart
at most, a part that sees all records is as many steps away as there are days: on the way stand the
databases that have E's records before a day, and D's from it on.  Which attribute, how far apart,
and what names the edits is the reason that the certificate gives.  Or pieces are around records
(``bundles``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.bounds import Expression, integral, real
from dpcomp_sym.rocq.bundles import around_records, bundles
from dpcomp_sym.rocq.counts import changed_cell
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript
from dpcomp_sym.rocq.names import made, of_attribute, of_spec
from dpcomp_sym.rocq.near import in_x, near_values
from dpcomp_sym.rocq.statement import over_cell
from dpcomp_sym.rocq.walks import FINISH
from dpcomp_sym.terms import TRUE

__all__ = [
    "exchange",
    "in_pieces",
    "pieces_few",
    "pieces_lemmas",
    "pieces_road",
    "pieces_sums",
]


def in_pieces(case: EditCase) -> bool:
    """Return whether the certificate says of all parts that they see an edit for each piece."""
    reasons = case.touched.reasons.values()
    return bool(reasons) and all(r["is"] == "an edit for each piece" for r in reasons)


def pieces_lemmas(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Say of each part that so many of its edits lead from D to E.

    Raises:
        UnwrittenError: pieces are not told apart by one attribute, or a map hides records.
    """
    for part in proof.setting.parts:
        yield from _path(proof, case, part, steps)


def _path(proof: ProofScript, case: EditCase, part: BoundPart, steps: Expression) -> Iterator[str]:
    setting = proof.setting
    if part.map.member != TRUE or part.map.indices or part.map.image is not None:
        raise UnwrittenError(f"{part.name} does not see all records, of which pieces are made")
    inside = over_cell(case.edit.frame or TRUE, cell="z")
    see, of_class = made("see", part.map.name), setting.class_of(part)
    yield (
        f"Lemma {made(f'pieces_{case.name}', part.name)} D E i : class D -> class E -> "
        f"{case.name} D E ->\n"
        f"  exists n, (n <= Z.to_nat {integral(steps)})%nat /\\ {proof.path(part, 'n')}."
    )
    yield (
        f"Proof. intros KD KE Ed. {case.chosen}\n"
        f"  assert (ID : {of_class} D) by apply ({made('in', part.name)} i D KD).\n"
        f"  assert (IE : {of_class} E) by apply ({made('in', part.name)} i E KE).\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE. splits.\n"
        f"  assert (framed : forall z, D z <> E z -> X z /\\ {inside}).\n"
        f"  {{ intros z nz. {changed_cell(case)}; split; first [assumption | exact I]. }}\n"
        f"  clear KD KE XD XE. unfold {see}."
    )
    if around_records(case, part):
        yield from bundles(proof, case, part, integral(steps))
    else:
        yield "  eexists; split; [apply Nat.le_refl |]."
        yield from exchange(proof, case, part, integral(steps))
    yield "  Qed."


def exchange(
    proof: ProofScript,
    case: EditCase,
    part: BoundPart,
    steps: str,
    ends: tuple[str, str] = ("D", "E"),
) -> Iterator[str]:
    """Yield tactics: a part's edits lead from one end to the other, one for each value.

    Known are ``ID`` and ``IE``, that the ends are in the class, and ``framed``, what changes.
    """
    (key, names), (d, e) = _key(proof, case, part), ends
    inner, of_class = proof.setting.neighbours_of(part), proof.setting.class_of(part)
    yield (
        f"  assert (C : forall k, {of_class} (exchanged {of_attribute(key)} k {d} {e})).\n"
        f"  {{ intro k. unfold class, {of_class}, exchanged in *. splits. {SPLIT}; first\n"
        "    [ solve [intros c; destruct dec; auto]\n"
        f"    | apply (finite_sub2 _ {d} {e}); [assumption | assumption | "
        "intros c; destruct dec; tauto] ]. }\n"
        f"  apply (path_near _ _ {of_attribute(key)} {steps}); "
        "[apply ID | apply IE | un_members; splits; lia | |].\n"
        "  - clear C ID IE. intros y z Iy Iz. apply framed in Iy, Iz. "
        "destruct Iy as (Xy & fy), Iz as (Xz & fz).\n"
        f"    {in_x(proof)}un; splits; subst; lia.\n"
        f"  - intro k. unfold {inner}. split; [apply C | split; [apply C | clear C ID IE]]."
    )
    outside = (
        "intros c_ Q; unfold exchanged; repeat destruct dec; try reflexivity; try (exfalso; lia); "
        f"apply NNPP; intro ne; assert (nz : {d} c_ <> {e} c_) by congruence; apply framed in nz; "
        f"destruct nz as (Xc & fc); splits; apply Q; {SPLIT}; "
        "first [assumption | lia | congruence]"
    )
    close = f"{SPLIT}; first [exact I | lia | solve [{outside}] | solve [intros; exact I]]"
    ways = " | ".join(f"solve [{way}; {close}]" for way in _edits(proof, case, part, key, names))
    yield f"    first [{ways}]."


def _key(proof: ProofScript, case: EditCase, part: BoundPart) -> tuple[str, Mapping[str, str]]:
    """Return the attribute that tells pieces apart, and what names the inner edit of a piece."""
    (made_of,) = case.touched.reasons[part.name, ()]["by"]
    by: dict[str, dict[str, Any]] = {one["choice"]: one for one in made_of["by"]}
    said = by["how many pieces"]
    attributes = {f"values of {a}(c)": a for a in proof.setting.problem.domain.attribute_sorts}
    values = [one for one in said["by"] if one["choice"].startswith("values of ")]
    known = said["is"] == "no more than values" and len(values) == 1
    if not known or values[0]["choice"] not in attributes or not near_values(values[0]):
        raise UnwrittenError(f"no attribute tells apart the pieces that {part.name} sees")
    return attributes[values[0]["choice"]], by["named by"]["is"]


def _edits(
    proof: ProofScript, case: EditCase, part: BoundPart, key: str, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield tactics that choose an inner edit, and its parameters: the value, or the outer ones."""
    setting = proof.setting
    inner = setting.edits_of(part)
    ways = len(inner) * (1 if part.granularity.directed else 2)
    for number, name in enumerate(inner):
        pools = [
            ["k"] if names.get(n) == f"{key}(c)"
            else [of_spec(m) for m, s in case.edit.params if s == sort]
            for n, sort in setting.edits[name].params
        ]  # fmt: skip
        for chosen in product(*pools):
            way = ["right"] * number + ["left"] * (number < ways - 1)
            yield "; ".join([*way, f"unfold {name}", *(f"exists {c}" for c in chosen)])


def pieces_road(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Return the steps from these lemmas to how far the parts see what changes."""
    setting, number = proof.setting, f"Z.to_nat {integral(steps)}"
    least = {p.name: f"least (fun n => {proof.path(p, 'n')}) ({number})" for p in setting.parts}
    names = " | ".join("i" for _ in setting.parts)
    ways = " | ".join(
        f"destruct ({made(f'pieces_{case.name}', p.name)} D E i KD KE Ed) as (m & few & P); "
        f"apply (least_ok (fun n => {proof.path(p, 'n')}) _ m P few)"
        for p in setting.parts
    )
    yield f"  exists (fun t => {setting.cases(least)}). split."
    yield f"  {{ intros t _. destruct t as [{names}]; [{ways}]. }}"


def pieces_few(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Yield tactics: the parts see what changes at no more than so many steps, ``L0`` and so on."""
    yield "  change (range 1) with [1]. cbn [sum sc pure] in *."
    for n, part in enumerate(proof.setting.parts):
        path = proof.path(part, "n", "1")
        yield (
            f"  destruct ({made(f'pieces_{case.name}', part.name)} D E 1 KD KE Ed) "
            f"as (m{n} & few{n} & P{n}).\n"
            f"  pose proof (Nat.le_trans _ _ _ "
            f"(proj2 (least_ok (fun n => {path}) _ m{n} P{n} few{n})) few{n}) as L{n}."
        )


def pieces_sums(proof: ProofScript, case: EditCase, steps: Expression) -> Iterator[str]:
    """Return the steps to the sums that the bound is made of."""
    yield f"  assert (whole : INR (Z.to_nat {integral(steps)}) = ({real(steps)})%R)."
    yield "  { rewrite ?mult_INR, ?INR_IZR_INZ, ?Z2Nat.id by lia. "
    yield "  rewrite ?plus_IZR, ?mult_IZR. lra. }"
    yield from pieces_few(proof, case)
    for n, part in enumerate(proof.setting.parts):
        yield (
            f"  apply le_INR in L{n}. rewrite whole in L{n}.\n"
            f"  apply (Rmult_le_compat_r _ _ _ (cost_pos ({made('part', part.name)} 1))) in L{n}. "
            f"cbn [cost] in L{n}."
        )
    yield FINISH
