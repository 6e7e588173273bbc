"""Which blocks change of a frame that changes few records for each value of an index.

Records have names for each value of that index, such as the hour of a day: two of those that change
there, perhaps the same one twice, of which there is no third one, as a limit says.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.engine.together.slices import slicing
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.blocks import INSIDE, found, named, when
from dpcomp_sym.rocq.bounds import (
    indices_of_letters,
)
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Window
from dpcomp_sym.rocq.statement import OVER
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.rocq.walks import ONE_WAY, changed_records

__all__ = ["slices_lemma"]

LEMMAS = ("slice_one", "slice_two")


def slices_lemma(
    proof: ProofScript, case: EditCase, window: Window, head: str
) -> Iterator[str]:  # fmt: skip
    """Prove ``head``: for some functions of an index all blocks that change lie in a window.

    Raises:
        UnwrittenError: there are several maps, indices that records have a name for, or more than
            two names.
    """
    number = number_of_records(window.integers)
    mapping, *more = proof.setting.maps.values()
    at = next(indices_of_letters(when(case, mapping)), ())
    told = slicing(mapping, tuple(int(n) for n in at))
    if more or told is None or len(at) != 1 or len(mapping.indices) != 2 or number > len(LEMMAS):
        raise UnwrittenError(f"records of {case.name} have names for more than an index and a map")
    where = f"(fun c_ : cell => {value(told[0], RocqTerms(OVER))})"
    block = ("fst i", "snd i")[int(at[0]) - 1]
    cells = [f"y{n}" for n in range(1, number + 1)]
    terms = RocqTerms({
        name: f"({y} b1)" for name, y in zip(names_of_records(number), cells, strict=True)
    })  # fmt: skip
    taken = ", ".join(f"(fun b1 : Z => {value(t, terms)})" for t in window.integers)
    yield head
    which = "rename at_z into e" if number == 1 else "destruct at_z as [e | e]"
    yield (
        f"Proof. intros KD KE Ed apart. {changed_records(case)}"
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
    for key, bound in proof.setting.problem.domain.limit_terms:
        most = value(bound, RocqTerms())
        function = f"(fun c_ : cell => {value(key, RocqTerms(OVER))})"
        alike = (
            "intros y z Iy Iz my mz; apply framed in Iy, Iz; cbv beta in *; "
            "repeat match goal with H : _ /\\ _ |- _ => destruct H end; congruence"
        )
        given = f"{function} D E {most} l (fun c => {where} c = b)"
        few = f"first [apply G; first [left; {ONE_WAY} | right; {ONE_WAY}] | exact F]"
        yield (
            f"solve [destruct (moves_alike _ _ {given}) as (F & G); [assumption | assumption | lia "
            f"| assumption | assumption | assumption | {alike} | "
            f"eapply Nat.le_trans; [{few} | lia]]]"
        )
