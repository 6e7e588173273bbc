"""Which blocks change of a frame that changes few records for each value of an index.

Records have names for each value of that index, such as the hour of a day: two of those that change
there, perhaps the same one twice, of which there is no third one, as a limit says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from dpcomp_sym.engine.together.find import index_variable
from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.engine.together.slices import slicing
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.blocks import INSIDE, found, named, when
from dpcomp_sym.rocq.bounds import Expression, arguments_of_letters, condition, natural, whole
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Window
from dpcomp_sym.rocq.statement import OVER
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.rocq.walks import ONE_WAY, changed_records
from dpcomp_sym.terms import INT, Term, variable
from dpcomp_sym.terms.term import integer

__all__ = ["many_slices_lemma", "slices_lemma"]

LEMMAS = ("slice_one", "slice_two")


@dataclass(frozen=True)
class _Slices:
    """Where the slices of the only map are, and how the proofs about them begin."""

    proof: ProofScript
    case: EditCase
    window: Window

    def __post_init__(self) -> None:
        mapping, *more = self.proof.setting.maps.values()
        if more or self.told is None or len(self.at) != 1 or len(mapping.indices) > 2:
            raise UnwrittenError(
                f"records of {self.case.name} have names for more than an index and a map"
            )

    @property
    def at(self) -> Sequence[Expression]:
        """By what of their indices blocks are sliced."""
        (mapping, *_) = self.proof.setting.maps.values()
        return next(arguments_of_letters(when(self.case, mapping)), ())

    @property
    def told(self) -> tuple[Term, ...] | None:
        """Which values of these a record has."""
        (mapping, *_) = self.proof.setting.maps.values()
        return slicing(mapping, tuple(map(_term, self.at)))

    @property
    def where(self) -> str:
        """In which slice a cell lies, as a function."""
        (term,) = self.told or ()
        return f"(fun c_ : cell => ({value(term, RocqTerms(OVER))})%Z)"

    @property
    def block(self) -> str:
        """In which slice a block ``i`` is."""
        (mapping, *_) = self.proof.setting.maps.values()
        return whole(self.at[0], len(mapping.indices))

    def taken(self, cells: Sequence[str]) -> str:
        """Write the letters as functions of the slice ``b1``, of records with these names."""
        named = zip(names_of_records(len(cells)), cells, strict=True)
        terms = RocqTerms(dict(named))
        return ", ".join(f"(fun b1 : Z => {value(t, terms)})" for t in self.window.integers)

    def few(self, number: str) -> str:
        """Return tactics that list the records that change, and count those of each slice."""
        most = f"(moves l (fun c => {self.where} c = b) D E <= {number})%nat"
        return (
            f"  assert (few : forall b, {most}).\n"
            f"  {{ intro b. first [{' | '.join(_by_limits(self.proof, self.where))}]. }}\n"
        )


def _term(e: Expression) -> Term:
    """Return what is made of the indices of a block and symbols as a term over these."""
    match e["op"]:
        case "Index":
            return index_variable(e["number"])
        case "Symbol":
            return variable(e["name"], INT)
        case "Integer":
            return integer(e["value"])
        case "Combined" if e["word"] == "neg":
            return Term("neg", tuple(map(_term, e["items"])), INT)
        case "Combined":
            first, *rest = map(_term, e["items"])
            return reduce(partial(_joined, e["word"]), rest, first)
        case other:
            raise UnwrittenError(f"slices by {other}")


def _joined(word: str, left: Term, right: Term) -> Term:
    if (word, right.op) == ("add", "neg"):
        return Term("sub", (left, *right.terms), INT)
    return Term(word, (left, right), INT)


def slices_lemma(
    proof: ProofScript, case: EditCase, window: Window, head: str
) -> Iterator[str]:  # fmt: skip
    """Prove ``head``: for some functions of an index all blocks that change lie in a window.

    Raises:
        UnwrittenError: there are several maps, indices that records have a name for, or more than
            two names.
    """
    slices, number = _Slices(proof, case, window), number_of_records(window.integers)
    if number > len(LEMMAS):
        raise UnwrittenError(f"more than {len(LEMMAS)} records of {case.name} have names")
    cells = [f"y{n}" for n in range(1, number + 1)]
    yield head
    which = "rename at_z into e" if number == 1 else "destruct at_z as [e | e]"
    yield (
        f"Proof. intros KD KE Ed apart. {changed_records(case)}"
        "  assert (some : exists d : cell, True).\n"
        "  { destruct l as [|d]; [|now exists d]. destruct apart.\n"
        "    apply functional_extensionality. intro c. apply NNPP. intro n. now apply A in n. }\n"
        f"  destruct some as (d & _).\n{slices.few(str(number))}"
        f"  destruct ({LEMMAS[number - 1]} cell l {slices.where} D E d A few) as "
        f"({' & '.join(cells)} & which).\n"
        "  clear few framed.\n"
        f"  exists {slices.taken([f'({y} b1)' for y in cells])}. split; [exact I |].\n"
        f"  intros i Ii ne; {INSIDE}; {found(case)}; pose proof (which z nz) as at_z; "
        f"clear which A N; {which}; cbv beta in *;\n"
        f"  match type of e with _ = _ ?w => assert (at_i : w = {slices.block}) by "
        "(un_members; splits; first [lia | congruence | f_equal; lia]) end; "
        f"rewrite at_i in e; rewrite <- e; clear KD KE; {named(proof, case)}go. Qed."
    )


def many_slices_lemma(
    proof: ProofScript, case: EditCase, window: Window, head: str
) -> Iterator[str]:  # fmt: skip
    """Prove ``head``: of so many functions of an index one says where a block is that changes.

    Raises:
        UnwrittenError: there are several maps, or indices that records have a name for, or facts.
    """
    slices, times = _Slices(proof, case, window), window.pattern.times
    if times is None or condition(window.pattern.facts) != "True":
        raise UnwrittenError(f"facts about the records of {case.name}")
    number = natural(times)
    inside = f"(filter (fun c : cell => if dec ({slices.where} c = b1) then true else false) l)"
    taken = slices.taken([f"(nth k {inside} d)"])
    yield head
    yield (
        f"Proof. intros KD KE Ed. {changed_records(case)}"
        "  destruct (classic (exists d : cell, D d <> E d)) as [(d & _)|none].\n"
        f"  2: {{ exists []. split; [cbn; lia |]. intros i Ii ne; {INSIDE}; {found(case)}; "
        "exfalso; apply none; now exists z. }\n"
        f"{slices.few(number)}"
        f"  exists (map (fun k : nat => ({taken})) (seq 0 {number})).\n"
        "  split; [rewrite map_length, seq_length; lia |].\n"
        f"  intros i Ii ne; {INSIDE}; {found(case)};\n"
        f"  destruct (slice_named cell l (fun c => {slices.where} c = {slices.where} z) D E "
        f"{number} d A (few ({slices.where} z)) z nz eq_refl) as (k & kn & e);\n"
        f"  exists {taken}; split; [apply in_map_iff; exists k; split; [reflexivity | "
        "apply in_seq; lia] |]; clear few framed A N; cbv beta in *;\n"
        f"  assert (at_i : {slices.where} z = {slices.block}) by "
        "(cbv beta; un_members; splits; first [lia | congruence | f_equal; lia]); "
        "cbv beta in at_i; rewrite at_i in e; rewrite <- e; clear KD KE; "
        f"{named(proof, case)}go. Qed."
    )


def _by_limits(proof: ProofScript, where: str) -> Iterator[str]:
    """Yield tactics: all records of a slice share a key, which so many records share."""
    for key, bound in proof.setting.problem.domain.limit_terms:
        most = value(bound, RocqTerms())
        function = f"(fun c_ : cell => {value(key, RocqTerms(OVER))})"
        alike = (
            "intros y z Iy Iz my mz; apply framed in Iy, Iz; cbv beta in *; "
            "repeat match goal with H : _ /\\ _ |- _ => destruct H end; first [congruence | "
            "rewrite ?Z.max_r by lia; congruence]"
        )
        given = f"{function} D E {most} l (fun c => {where} c = b)"
        few = f"first [apply G; first [left; {ONE_WAY} | right; {ONE_WAY}] | exact F]"
        yield (
            f"solve [destruct (moves_alike _ _ {given}) as (F & G); [assumption | assumption | lia "
            f"| assumption | assumption | assumption | {alike} | "
            f"eapply Nat.le_trans; [{few} | lia]]]"
        )
