"""Records that an edit changes, each in the blocks around it.

There are few records, each with a name, or so many, each with integers of its own: which blocks
change depends on the integers of all records, or each block that changes has the condition for one
of them.  Or each part sees as many steps as records change in its block: they cost no more in all
than so many times what one of them costs in the blocks around it (``sum_mean`` of the library).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice, product

from dpcomp_sym.engine.together.find import function_of, index_variable
from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.rocq.blocks import (
    INSIDE,
    KNOWN,
    changing,
    differs,
    found,
    letter_of,
    named,
    when,
)
from dpcomp_sym.rocq.bounds import (
    Expression,
    as_integer,
    bound_by,
    choices,
    condition,
    indices_of_letters,
    integral,
    letters,
    maxima,
    real,
    sort_of_choice,
    sort_of_letters,
)
from dpcomp_sym.rocq.counts import cell_lemma
from dpcomp_sym.rocq.edits import ONE, SPLIT, EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Window, WindowPattern
from dpcomp_sym.rocq.names import made
from dpcomp_sym.rocq.slices import many_slices_lemma, slices_lemma
from dpcomp_sym.rocq.terms import AND
from dpcomp_sym.rocq.walks import FINISH, few_lemma, path_lemma, values_lemma
from dpcomp_sym.terms import INT, Term, free_variables, substitute, subterms

__all__ = ["RecordShare", "mean_lemmas", "mean_sums", "places_lemmas", "together"]

MOST_TRIED = 40
"""So many choices of integers of a record are tried, at most."""
MOST_NAMED = 2
"""So many records have names in the library, at most."""


# ------------------------------------------------------------- which blocks change


def places_lemmas(
    proof: ProofScript, case: EditCase, window: Window, records: Expression
) -> Iterator[str]:
    """Say how many records change, and for which of their integers all blocks lie in a window.

    Raises:
        UnwrittenError: no limit says how many records, or there are too many.
    """
    sort = _sort_of(proof, case)
    if sort != "Z" and not any(map(function_of, window.integers)):
        if window.pattern.times is None:
            yield from slices_lemma(proof, case, window, _of_named(proof, case, window, sort))
        else:
            head = _of_list(proof, case, window, window.pattern.times, sort)
            yield from many_slices_lemma(proof, case, window, head)
        return
    of_values = bool(proof.setting.problem.domain.distinct_terms)
    once = window.pattern.times is None
    if once and not (of_values and number_of_records(window.integers) == 1):
        yield from few_lemma(proof, case, records)
        yield from _of_names(proof, case, window, records)
        return
    if once:
        yield from values_lemma(proof, case, records, partial(_integers_at, window))
        yield from _of_one_choice(proof, case, window)
        return
    if of_values and sort != "Z":
        raise UnwrittenError("how many functions there are is not written so far")
    if of_values:
        yield from values_lemma(proof, case, records, partial(_integers_at, window))
    else:
        yield from few_lemma(proof, case, records)
    yield from _of_choices(proof, case, window, records, of_values=of_values)


def _sort_of(proof: ProofScript, case: EditCase) -> str:
    """Return the sort of the letters that say which blocks change."""
    return sort_of_letters(*(when(case, m) for m in proof.setting.maps.values()))


def _indices_of(proof: ProofScript, case: EditCase) -> Sequence[int]:
    """Return of which indices these letters are functions."""
    conditions = (when(case, m) for m in proof.setting.maps.values())
    return next(indices_of_letters(*conditions), ())


def _head(proof: ProofScript, case: EditCase, facts: str, given: str = "") -> str:
    """Say which blocks change, in a window that some integers with facts make."""
    rows = [
        f"(forall i, In i {proof.setting.blocks(m)} -> {differs(m)} -> {changing(case, m)})"
        for m in proof.setting.maps.values()
    ]
    return (
        f"Lemma window_{case.name} D E : class D -> class E -> {case.name} D E -> {given}\n"
        f"  {AND.join([facts, *rows])}."
    )


def _of_named(proof: ProofScript, case: EditCase, window: Window, sort: str) -> str:
    """Say which blocks change, for the integers of records that have names, if any change."""
    some = bound_by("exists", letters(window.pattern.free), sort)
    return _head(proof, case, f"{some}{condition(window.pattern.facts)}", "D <> E ->")


def _of_list(
    proof: ProofScript, case: EditCase, window: Window, most: Expression, sort: str
) -> str:  # fmt: skip
    """Say which blocks change, for one of so many choices of integers, or of functions."""
    free = window.pattern.free
    said = AND.join(choices(most, free, condition(window.pattern.facts), sort))
    return _head(proof, case, f"exists ps : list {sort_of_choice(free, sort)}, {said}")


def _begun(case: EditCase) -> str:
    """Return tactics that list the records that change, of which there are few."""
    return (
        f"  destruct (walk_{case.name} D E KD KE Ed) as (l & N & A & Xl & L).\n"
        f"  {case.chosen}\n  {KNOWN}"
    )


def _few(records: Expression) -> str:
    """Return a tactic: no more cells change than records come or go."""
    most = integral(records)
    return (
        f"apply (listed_few cell l D E {most}); [exact A | rewrite ?plus_IZR, ?mult_IZR; exact L]"
    )


def _of_names(
    proof: ProofScript, case: EditCase, window: Window, records: Expression
) -> Iterator[str]:
    """Say which blocks change around one record, or two, which have names."""
    number = number_of_records(window.integers)
    if number > MOST_NAMED:
        raise UnwrittenError(f"more than {MOST_NAMED} records of {case.name} have names")
    yield _of_named(proof, case, window, _sort_of(proof, case))
    cells = [f"y{n}" for n in range(1, number + 1)]
    called, at = dict(zip(names_of_records(number), cells, strict=True)), _indices_of(proof, case)
    taken = ", ".join(letter_of(t, at, called) for t in window.integers)
    inside = " & ".join(f"X{y}" for y in cells)
    one_of = "pose proof (which z nz) as e" if number == 1 else "destruct (which z nz) as [e | e]"
    lemma = ("changes_one", "changes_two")[number - 1]
    yield (
        f"Proof. intros KD KE Ed apart.\n{_begun(case)}\n"
        f"  destruct ({lemma} cell D E l apart A) as ({' & '.join(cells)} & {inside} & which).\n"
        f"  {{ {_few(records)}. }}\n"
        f"  apply Xl in {', '.join(f'X{y}' for y in cells)}. clear N A Xl L l apart.\n"
        f"  splits. exists {taken}. split; [solve [exact I | clear KD KE XD XE which; go] |].\n"
        f"  {SPLIT}; intros i Ii ne; {INSIDE}; {found(case)}; {one_of}; "
        f"subst z; clear KD KE which; cbv beta; {named(proof, case)}go. Qed."
    )


def _of_choices(
    proof: ProofScript, case: EditCase, window: Window, records: Expression, *, of_values: bool
) -> Iterator[str]:
    """Say which blocks change around so many records, each with integers of its own.

    ``of_values``: around those that stand for all records with the same integers.
    """
    free, facts = window.pattern.free, condition(window.pattern.facts)
    sort, of_indices = _sort_of(proof, case), _indices_of(proof, case)
    yield _of_list(proof, case, window, records, sort)
    at_y, at_z = (_integers_at(window, cell, of_indices) for cell in "yz")
    each = ""
    if facts != "True":
        same = "subst" if free == 1 else f"injection e as {' '.join(['<-'] * free)}"
        each = (
            f"  split; [intros {' '.join(letters(free))} J; apply in_map_iff in J; "
            "destruct J as (y & e & J); apply Xl in J; "
            f"{same}; clear KD KE XD XE A; go |].\n"
        )
    few, stands = _few(records), "exists z; split; [reflexivity | now apply A]"
    begun = _begun(case)
    if of_values:
        few, stands = "exact L", "destruct (A z nz) as (y & Y & e); now exists y"
        begun = (
            f"  destruct (kinds_{case.name} D E KD KE Ed) as (l & Xl & L & A).\n"
            f"  {case.chosen}\n  {KNOWN}"
        )
    yield (
        f"Proof. intros KD KE Ed.\n{begun}\n"
        f"  splits. exists (map (fun y : cell => ({at_y})) l).\n"
        f"  split; [rewrite map_length; {few} |].\n{each}"
        f"  {SPLIT}; intros i Ii ne; {INSIDE}; {found(case)}; exists {at_z}; "
        f"(split; [apply in_map_iff; {stands} "
        f"| clear KD KE A; cbv beta; {named(proof, case)}go]). Qed."
    )


def _of_one_choice(proof: ProofScript, case: EditCase, window: Window) -> Iterator[str]:
    """Say which blocks change around one record, which has the integers of all that change."""
    yield _of_named(proof, case, window, "Z")
    at_y, free = _integers_at(window, "y"), window.pattern.free
    same = [f"e{n}" for n in range(free)]
    alike = f"injection e as {' '.join(same)}; " if free > 1 else "pose proof e as e0; "
    yield (
        "Proof. intros KD KE Ed apart.\n"
        f"  destruct (kinds_{case.name} D E KD KE Ed) as (l & Xl & L & A).\n"
        f"  {case.chosen}\n  {KNOWN}\n"
        f"  destruct (one_stands cell _ (fun y : cell => ({at_y})) D E l apart L A) "
        "as (y & Xy & which).\n"
        "  apply Xl in Xy. clear A Xl L l apart.\n"
        f"  splits. exists {at_y}. split; [solve [exact I | clear KD KE XD XE which; go] |].\n"
        f"  {SPLIT}; intros i Ii ne; {INSIDE}; {found(case)}; pose proof (which z nz) as e; "
        f"cbv beta in e; {alike}clear KD KE which; cbv beta; "
        f"rewrite {', '.join(f'?{e}' for e in same)}; {named(proof, case)}go. Qed."
    )


def _integers_at(window: Window, cell: str, of_indices: Sequence[int] = ()) -> str:
    """Return the integers of one record, or functions of indices, with commas between them."""
    (record,) = names_of_records(1)
    return ", ".join(letter_of(t, of_indices, {record: cell}) for t in window.integers)


# ------------------------------------------------------------- what records cost together


def mean_lemmas(proof: ProofScript, case: EditCase, records: Expression) -> Iterator[str]:
    """Say how many records change, that each is a step of the parts, and which blocks hold one.

    Raises:
        UnwrittenError: no limit says how many, or a part does not protect single records.
    """
    yield from few_lemma(proof, case, records)
    maps = list(proof.setting.maps.values())
    if any(m.image is not None for m in maps):
        raise UnwrittenError(f"{case.name} changes records of a map that counts by an image")
    for part in proof.setting.parts:
        yield from path_lemma(proof, part)
    if case.mean is None or case.mean.pattern is None:
        raise UnwrittenError(f"the bound does not say which blocks {case.name} changes")
    free, facts = case.mean.pattern.free, condition(case.mean.pattern.facts)
    rows = [
        f"(forall i, In i {proof.setting.blocks(m)} -> {made('mem', m.name)} i c -> "
        f"{changing(case, m)})"
        for m in maps
    ]
    yield (
        f"Lemma around_{case.name} c : X c -> "
        f"{bound_by('exists', letters(free), _sort_of(proof, case))}{AND.join([facts, *rows])}."
    )
    integers = _integers(maps, _indices_of(proof, case))
    ways = [
        f"solve [{taken}split; [solve [exact I | go] |]; {SPLIT}; "
        f"intros i Ii mi; {INSIDE}; cbv beta; {named(proof, case)}go]"
        for chosen in islice(product(integers, repeat=free), MOST_TRIED)
        for taken in [f"exists {', '.join(chosen)}; " if chosen else ""]
    ]
    if not ways:
        raise UnwrittenError(f"no integers of a record say which blocks {case.name} changes")
    yield "Proof. intros Xc. first [" + "\n  | ".join(ways) + "]. Qed."
    if (mapping := _one_block(proof, case)) is not None:
        yield cell_lemma(proof, case, mapping, ONE)


def _one_block(proof: ProofScript, case: EditCase) -> BoundMap | None:
    """Return the map of which the mean says that one block changes, whatever the integers are."""
    groups = () if case.mean is None else case.mean.groups
    if len(groups) == 1 and as_integer(groups[0].count) == 1:
        return proof.setting.maps[groups[0].map]
    return None


def _integers(maps: list[BoundMap], of_indices: Sequence[int]) -> list[str]:
    """Return the integers of a record ``c`` on which it depends which blocks hold it.

    Or functions of some indices of blocks.
    """
    found: dict[Term, None] = {}
    for mapping in maps:
        at = {mapping.indices[n - 1][0]: index_variable(n) for n in of_indices}
        for term in subterms(mapping.member):
            if term.sort == INT and "c" in free_variables(term) <= {"c", *at}:
                found[substitute(term, at)] = None
    return [letter_of(t, of_indices, {"c": "c"}) for t in found]


@dataclass(frozen=True)
class RecordShare:
    """What a map's parts lose in all blocks, and what each record has of it.

    Args:
        map: the map.
        left: what they lose in all.
        each: what they lose in block ``i`` for each record that changes there.
        split: a tactic: all of them lose no more than that for each record.
        positive: a tactic: that is not negative.
        known: a tactic that says what else is known of it.
    """

    map: BoundMap
    left: str
    each: str
    split: str
    positive: str
    known: str = "idtac"


def mean_sums(
    proof: ProofScript, case: EditCase, records: Expression, positive: str
) -> Iterator[str]:
    """Return the steps to the sums that the bound is made of: all records cost as much as each."""
    shares = []
    for mapping in proof.setting.maps.values():
        costs = [proof.setting.guarantee(p) for p in proof.parts_of(mapping)]
        moved = f"INR (moves l ({made('mem', mapping.name)} i) D E)"
        left = [f"sum {proof.setting.blocks(mapping)} (fun i => {moved} * {c})" for c in costs]
        split = "rewrite <- ?sum_plus. right. apply sum_eq. intros. ring."
        each = f"({' + '.join(costs)})"
        shares.append(RecordShare(mapping, " + ".join(left), each, split, positive))
    yield from together(proof, case, shares, real(records), proof.outline.bound)
    yield FINISH


def together(
    proof: ProofScript, case: EditCase, shares: list[RecordShare], records: str, bound: Expression
) -> Iterator[str]:
    """Return the steps that say of what some maps' parts lose that it is below each maximum.

    Args:
        proof: what the proof is about.
        case: the edit.
        shares: what the parts lose, map by map.
        records: how many records change at most, of sort R; known is ``L``.
        bound: what the maxima are in.
    """
    moved = "INR (Z.abs_nat (E c - D c))"
    costs = []
    for number, share in enumerate(shares):
        blocks, member = proof.setting.blocks(share.map), made("mem", share.map.name)
        cost = f"sum {blocks} (fun i => if dec ({member} i c) then {share.each} else 0)"
        costs.append(cost)
        yield f"  assert (S{number} : ({share.left} <= sum l (fun c => {moved} * {cost}))%R)."
        yield (
            f"  {{ rewrite <- (sum_moves_each _ cell {blocks} {member} l D E "
            f"(fun i => {share.each}%R)). {share.split} }}"
        )
    each = list(zip(shares, costs, strict=True))
    for number, most in enumerate(proof.outline.maxima, 1):
        if most in maxima(bound):
            yield from _each_below(proof, case, each, records, (number, most))


def _each_below(
    proof: ProofScript,
    case: EditCase,
    costs: list[tuple[RecordShare, str]],
    records: str,
    numbered: tuple[int, Expression],
) -> Iterator[str]:
    """Say that so many records cost no more than a maximum, since one so many times costs that."""
    number, most = numbered
    pattern = None if case.mean is None else case.mean.pattern
    if pattern is None or WindowPattern(most.get("free", 0), most.get("facts", {})) != pattern:
        raise UnwrittenError(f"the bound is over other integers than those of {case.name}")
    moved = "INR (Z.abs_nat (E c - D c))"
    names, places = letters(pattern.free), list(proof.setting.maps)
    rows = " & ".join(f"W{n}" for n in range(len(places)))
    given = "F" if condition(pattern.facts) != "True" else ""
    whole = " + ".join(cost for _, cost in costs)
    all_of = " + ".join(f"sum l (fun c => {moved} * {cost})" for _, cost in costs)
    ways = [
        f"apply sum_le; intros i Ii; specialize (W{places.index(share.map.name)} i Ii); "
        f"assert (P : (0 <= {share.each})%R) by ({share.positive}); {share.known}; "
        "repeat destruct dec; first [tauto | nra]"
        for share, _ in costs
    ]
    below = reduce(lambda a, b: f"apply Rplus_le_compat; [{a} | {b}]", ways)
    if (mapping := _one_block(proof, case)) is not None:
        below = _below_one_block(case, mapping, costs[0][0])
    yield f"  assert (B{number} : ({all_of} <= most{number})%R)."
    yield (
        "  { rewrite <- ?sum_plus. eapply Rle_trans; [apply sum_le with "
        f"(g := fun c => ({moved} * ({whole}))%R); intros; right; ring |].\n"
        f"    apply (sum_mean cell l D E (fun c => ({whole})%R) ({records})%R); "
        f"[first [exact L | apply le_INR; exact few] | apply most{number}_pos |].\n"
        f"    assert (some : (0 <= {records})%R) by "
        "first [apply pos_INR | eapply Rle_trans; [apply pos_INR | exact L]].\n"
        f"    intros c Ic. destruct (around_{case.name} c (Xl c Ic)) as "
        f"({' & '.join([*names, 'F', rows])}).\n"
        f"    eapply Rle_trans; [|apply (most{number}_is {' '.join([*names, given])})].\n"
        "    rewrite ?Rmult_plus_distr_l, <- ?sum_mult. "
        f"{below}. }}"
    )


def _below_one_block(case: EditCase, mapping: BoundMap, share: RecordShare) -> str:
    """Return a tactic: what a record costs in the only block that holds it is below the worst."""
    held = f"{made('mem', mapping.name)} i c"
    return (
        "match goal with |- (_ <= worst _ _ ?worst_of)%R => eapply Rle_trans; [apply sum_le with "
        f"(g := fun i => (if dec ({held}) then worst_of i else 0)%R); intros i Ii; "
        f"specialize (W0 i Ii); assert (P : (0 <= {share.each})%R) by ({share.positive}); "
        f"{share.known}; cbv beta; repeat destruct dec; first [tauto | nra] "
        f"| apply (sum_worst _ _ (fun i => {held}) worst_of); [intros i Ii; cbv beta; "
        f"assert (P : (0 <= {share.each})%R) by ({share.positive}); {share.known}; known_ones; "
        "repeat destruct dec; nra "
        f"| apply {made(f'cell_{case.name}', mapping.name)}; now apply Xl]] end"
    )
