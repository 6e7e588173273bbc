"""Which blocks change of a frame that changes few records for each value of an index.

Records have names for each value of that index, such as the hour of a day: two of those that change
there, perhaps the same one twice, of which there is no third one, as a limit says.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.engine.together.slices import slicing
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.blocks import INSIDE, changing, found, named, when
from dpcomp_sym.rocq.bounds import (
    bound_by,
    condition,
    indices_of_letters,
    letters,
    sort_of_letters,
)
from dpcomp_sym.rocq.edits import EditCase, ProofScript, changed_cell
from dpcomp_sym.rocq.evidence import Window
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import TRUE

__all__ = ["slices_lemma"]

LEMMAS = ("slice_one", "slice_two")


def slices_lemma(proof: ProofScript, case: EditCase, window: Window) -> Iterator[str]:
    """Say for which functions of an index all blocks that an edit changes lie in a window.

    Raises:
        UnwrittenError: there are several maps, indices that records have a name for, or more than
            two names.
    """
    number = number_of_records(window.integers)
    (mapping, *more), free = list(proof.setting.maps.values()), letters(window.pattern.free)
    at = next(indices_of_letters(when(case, mapping)), ())
    told = slicing(mapping, tuple(int(n) for n in at))
    if more or told is None or len(at) != 1 or len(mapping.indices) != 2 or number > len(LEMMAS):
        raise UnwrittenError(f"records of {case.name} have names for more than an index and a map")
    inside = over_cell(case.edit.frame or TRUE).replace("c_", "z")
    where = f"(fun c_ : cell => {value(told[0], RocqTerms(OVER))})"
    block = ("fst i", "snd i")[int(at[0]) - 1]
    cells = [f"y{n}" for n in range(1, number + 1)]
    terms = RocqTerms({
        name: f"({y} b1)" for name, y in zip(names_of_records(number), cells, strict=True)
    })  # fmt: skip
    taken = ", ".join(f"(fun b1 : Z => {value(t, terms)})" for t in window.integers)
    yield (
        f"Lemma window_{case.name} D E : class D -> class E -> {case.name} D E -> D <> E ->\n"
        f"  {bound_by('exists', free, sort_of_letters(when(case, mapping)))}"
        f"{condition(window.pattern.facts)} /\\ (forall i, In i {proof.setting.blocks(mapping)} -> "
        f"{made('see', mapping.name)} i D <> {made('see', mapping.name)} i E -> "
        f"{changing(case, mapping)})."
    )
    which = "rename at_z into e" if number == 1 else "destruct at_z as [e | e]"
    yield (
        f"Proof. intros KD KE Ed apart. {case.chosen} pose proof KD as CD. pose proof KE as CE.\n"
        "  unfold class in CD, CE. splits.\n"
        "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
        "  destruct (changed_list _ D E) as (l & N & A); [apply KD | apply KE |].\n"
        f"  assert (framed : forall z, In z l -> X z /\\ {inside}).\n"
        f"  {{ intros z Iz. apply A in Iz. rename Iz into nz. {changed_cell(case)}; "
        "split; first [assumption | exact I]. }\n"
        "  assert (some : exists d : cell, True).\n"
        "  { destruct l as [|d]; [|now exists d]. destruct apart.\n"
        "    apply functional_extensionality. intro c. apply NNPP. intro n. now apply A in n. }\n"
        "  destruct some as (d & _).\n"
        f"  assert (few : forall b, (moves l (fun c => {where} c = b) D E <= {number})%nat).\n"
        f"  {{ intro b. first [{' | '.join(_by_limits(proof, where))}]. }}\n"
        f"  destruct ({LEMMAS[number - 1]} cell l {where} D E d A few) as "
        f"({' & '.join(cells)} & which).\n"
        "  clear few framed.\n"
        f"  exists {taken}. split; [exact I |].\n"
        f"  intros i Ii ne; {INSIDE}; {found(case)}; pose proof (which z nz) as at_z; "
        f"clear which A N; {which}; cbv beta in *;\n"
        f"  match type of e with _ = _ ?w => assert (at_i : w = {block}) by (un_members; lia) end; "
        f"rewrite at_i in e; rewrite <- e; clear KD KE; {named(proof, case)}go. Qed."
    )


def _by_limits(proof: ProofScript, where: str) -> Iterator[str]:
    """Yield tactics: all records of a slice share a key, which so many records share."""
    one_way = (
        "intros z Iz; apply framed in Iz; destruct Iz; match goal with K : forall c_, X c_ -> _ "
        "|- _ => specialize (K z) end; assert (0 <= D z) by auto; assert (0 <= E z) by auto; "
        "intuition lia"
    )
    for key, bound in proof.setting.problem.domain.limit_terms:
        most = value(bound, RocqTerms())
        function = f"(fun c_ : cell => {value(key, RocqTerms(OVER))})"
        alike = (
            "intros y z Iy Iz my mz; apply framed in Iy, Iz; cbv beta in *; "
            "repeat match goal with H : _ /\\ _ |- _ => destruct H end; congruence"
        )
        given = f"{function} D E {most} l (fun c => {where} c = b)"
        few = f"first [apply G; first [left; {one_way} | right; {one_way}] | exact F]"
        yield (
            f"solve [destruct (moves_alike _ _ {given}) as (F & G); [assumption | assumption | lia "
            f"| assumption | assumption | assumption | {alike} | "
            f"eapply Nat.le_trans; [{few} | lia]]]"
        )
