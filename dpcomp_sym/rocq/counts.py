"""Lemmas that count the blocks that an edit changes: by its cells, limits, or values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from dpcomp_sym.engine.records import mirrors
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.rocq.bounds import as_integer, infinite, integral, natural, sizes
from dpcomp_sym.rocq.edits import EditCase, ProofScript
from dpcomp_sym.rocq.evidence import Expression, Seen
from dpcomp_sym.rocq.keys import APART, values_of_key
from dpcomp_sym.rocq.names import made, of_attribute, of_spec
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import INT, TRUE, Term

__all__ = [
    "cell_lemma",
    "changed_blocks",
    "changed_cell",
    "count_lemma",
    "counted",
    "found_cell",
]

MOST_NAMED = 2
"""How many cells the library adds up the blocks of, at most."""
FORGET = "repeat match goal with K : forall c : cell, E c = _ |- _ => clear K end"


def counted(case: EditCase, mapping: BoundMap) -> str:
    """Return the name of the lemma that counts the blocks of a map that an edit changes."""
    return made(f"count_{case.name}", mapping.name)


def _per_cell(proof: ProofScript, mapping: BoundMap, count: Expression) -> str:
    """Return a tactic for: one cell is in at most so many blocks."""
    if mapping.multiplicity is not None:
        return f"apply {made('most', mapping.name)}; assumption"
    most = as_integer(count)
    if most == 1:
        return AT_MOST_ONE
    if most == 2:
        return "apply cnt_le2; [blocks_nodup | intros a b d Ia Ib Id; intros; go]"
    numbers = [of_attribute(a) for a, s in proof.setting.problem.domain.attribute_sorts.items()
               if s == INT]  # fmt: skip
    windows = [
        f"solve [apply (cnt_image _ _ (fun j => j) ({a} c_ - {integral(count)} + 1)); "
        "[apply range_nodup | intros i m; exists i; split; [go | reflexivity]]]"
        for a in numbers
    ]
    if infinite(count) or not windows:
        raise UnwrittenError(f"why {mapping.name} has so many blocks of one cell is not known")
    return f"first [{' | '.join(windows)}]"


def cell_lemma(
    proof: ProofScript, case: EditCase, mapping: BoundMap, most: Expression | None = None
) -> str:
    """Say in how many blocks of a map one cell is: in as many as the edit changes, if not in fewer.

    ``most``: how many at most, where that is known to be fewer.
    """
    member, blocks = made("mem", mapping.name), proof.setting.blocks(mapping)
    count = most or case.touched.counts[mapping.name]
    return (
        f"Lemma {made(f'cell_{case.name}', mapping.name)} c_ : X c_ -> "
        f"(cnt {blocks} (fun i => {member} i c_) <= {natural(count)})%nat.\n"
        f"Proof. intros Xc. {_per_cell(proof, mapping, count)}. Qed."
    )


def count_lemma(proof: ProofScript, case: EditCase, mapping: BoundMap) -> Iterator[str]:
    """Say in how many blocks of a map something changes."""
    group = case.group(mapping)
    if group is None:
        raise UnwrittenError(f"{case.name} changes nothing that {mapping.name} keeps")
    if not mapping.indices or infinite(group.count):
        return
    see, blocks = made("see", mapping.name), proof.setting.blocks(mapping)
    head = (
        f"Lemma {counted(case, mapping)} D E : class D -> class E -> {case.name} D E ->\n"
        f"  (cnt {blocks} (fun i => {see} i D <> {see} i E) <= {natural(group.count)})%nat.\n"
        f"Proof. intros KD KE Ed. {case.chosen}\n"
    )
    if case.edit.frame is not None:
        yield head + _count_of_frame(proof, case, mapping, group)
        return
    whole = as_integer(group.count)
    each = as_integer(case.touched.counts[mapping.name])
    known = mapping.multiplicity is not None or each is None
    if known or (whole is not None and each is not None and len(case.points) * each <= whole):
        yield cell_lemma(proof, case, mapping)
        points = case.points[:1] if group.count == case.touched.counts[mapping.name] else None
        yield head + "  " + _count_of_points(case, mapping, points or case.points) + ". Qed."
    elif whole and each and len(case.points) > MOST_NAMED:
        yield cell_lemma(proof, case, mapping)
        some = combinations(case.points, whole // each)
        among = (_count_of_points(case, mapping, points, _named(case)) for points in some)
        yield head + "  splits. first [" + "\n   | ".join(f"solve [{w}]" for w in among) + "]. Qed."
    else:
        yield head + _count_of_blocks(case, mapping, whole)


def changed_blocks(case: EditCase, mapping: BoundMap) -> str:
    """Return the blocks in which something can change."""
    member = made("mem", mapping.name)
    if case.edit.frame is None:
        return " \\/ ".join(f"{member} i {x}" for x in case.points)
    return f"exists z, X z /\\ {member} i z /\\ {over_cell(case.edit.frame).replace('c_', 'z')}"


def _named(case: EditCase) -> str:
    """Return a tactic: a cell ``z`` that changes is one of the named ones; each is looked at."""
    found = _alternative(["e"] * len(case.points))
    which = " \\/ ".join(f"z = {p}" for p in case.points)
    return (
        f"assert (which : {which}) by (apply NNPP; intro other; apply nz; symmetry; "
        "match goal with K : forall c : cell, E c = _ |- _ => rewrite K end; "
        "unfold put; repeat (destruct dec as [e|]; [exfalso; apply other; subst; tauto|]); lia); "
        f"clear nz; {FORGET}; clear KD KE; destruct which as {found}; subst; "
        "un_members; cbn in *; first [left; congruence | right; congruence]"
    )


def _alternative(names: Sequence[str]) -> str:
    """Return a pattern for one of several cases."""
    first, *rest = names
    return f"[{first} | {_alternative(rest)}]" if rest else first


def _count_of_points(
    case: EditCase, mapping: BoundMap, points: Sequence[str], decided: str = "clear KD KE; go"
) -> str:
    """Return a tactic that adds up the blocks of some named cells, which stand for all."""
    member, lemma = made("mem", mapping.name), made(f"cell_{case.name}", mapping.name)
    each = case.touched.counts[mapping.name]
    if len(points) > MOST_NAMED:
        raise UnwrittenError(f"{case.name} changes more than two cells")
    sets = " ".join(f"(fun i => {member} i {x})" for x in points)
    some = "apply keep_diff in ne; destruct ne as (z & mz & nz)"
    which = f"cnt_pts{len(points)}"
    many = " | ".join(f"apply {lemma}; tauto" for _ in points)
    tail = f" {natural(each)}" * len(points)
    return (
        f"eapply Nat.le_trans; [apply ({which} _ _ _ {sets}{tail}); "
        f"[intros i ne; {some}; {decided} | {many}] | lia]"
    )


def _distinct(number: int | None) -> str:
    match number:
        case 1:
            return "apply cnt_le1; [blocks_nodup |]. intros a b _ _ ab A B."
        case 2:
            return "apply cnt_le2; [blocks_nodup |]. intros a b d _ _ _ ab ad bd A B C."
        case _:
            raise UnwrittenError("more than two blocks change, and no limit says how many")


def _count_of_blocks(case: EditCase, mapping: BoundMap, whole: int | None) -> str:
    return (
        f"  apply (cnt_pts1 _ _ _ (fun i => {changed_blocks(case, mapping)})).\n"
        "  - intros i ne. apply keep_diff in ne. destruct ne as (z & mz & nz). clear KD KE. go.\n"
        f"  - splits. {FORGET}. clear KD KE. {_distinct(whole)} go. Qed."
    )


def found_cell(case: EditCase) -> str:
    """Return a tactic: what changes in a block is a cell ``z`` of the frame."""
    return "apply keep_diff in ne; destruct ne as (z & mz & nz); " + changed_cell(case)


def changed_cell(case: EditCase) -> str:
    """Return a tactic: a cell ``z`` that changes can hold records, and is one of the frame."""
    frame = case.edit.frame or TRUE
    inside = over_cell(frame, cell="z")
    unchanged = "match goal with K : forall c_ : cell, ~ _ -> E c_ = D c_ |- _ => "
    unchanged += "apply nz; symmetry; now apply K end"
    there = (
        "apply NNPP; intro Q; apply nz; transitivity 0; "
        "[apply NNPP; intro; apply Q; now apply XD "
        "| symmetry; apply NNPP; intro; apply Q; now apply XE]"
    )
    framed = f"; assert (fz : {inside}) by (apply NNPP; intro; {unchanged})"
    return f"assert (Xz : X z) by ({there}){framed if frame != TRUE else ''}"


def _count_of_frame(proof: ProofScript, case: EditCase, mapping: BoundMap, group: Seen) -> str:
    whole, change = as_integer(group.count), found_cell(case)
    known = "  pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE.\n"
    ways = [
        *_by_distinct(case, mapping, whole),
        *_by_one_cell(case, mapping),
        *_by_limit(proof, case, mapping, group, change),
        *_by_values(proof, case, mapping, group, change),
        *(_by_interval(proof, case, group, change) if whole is None else ()),
    ]
    if not ways:
        raise UnwrittenError(f"why {mapping.name} changes in so many blocks is not known")
    return f"{known}  splits. first [" + "\n   | ".join(f"solve [{w}]" for w in ways) + "]. Qed."


def _by_distinct(case: EditCase, mapping: BoundMap, number: int | None) -> Iterator[str]:
    """Yield a tactic: one block more cannot hold a cell of the frame each."""
    if number is None or number > MOST_NAMED:
        return
    last = "split; assumption" if case.edit.frame != TRUE else "split; [assumption | exact I]"
    names = "a b _ _ ab A B" if number == 1 else "a b d _ _ _ ab ad bd A B C"
    yield (
        f"apply (cnt_pts1 _ _ _ (fun i => {changed_blocks(case, mapping)})); "
        f"[intros i ne; {found_cell(case)}; exists z; split; [assumption | {last}] "
        "| clear KD KE XD XE; repeat match goal with "
        "| K : forall c_ : cell, _ -> E c_ = _ |- _ => clear K "
        "| K : forall c_ : cell, X c_ -> _ -> E c_ = _ |- _ => clear K end; "
        f"apply cnt_le{number}; [blocks_nodup | intros {names}; "
        "first [solve [go] | solve [by_values; go] | splits; un_members; two_numbers]]]"
    )


def _by_one_cell(case: EditCase, mapping: BoundMap) -> Iterator[str]:
    """Yield a tactic: all cells of the frame are in the same blocks, so one stands for all."""
    if mapping.multiplicity is None:
        return
    member, change = made("mem", mapping.name), found_cell(case)
    inside = over_cell(case.edit.frame or TRUE, cell="y")
    yield (
        f"destruct (classic (exists y, X y /\\ {inside})) as [(y & Xy & fy) | none]; "
        f"[apply (cnt_pts1 _ _ _ (fun i => {member} i y)); "
        f"[intros i ne; {change}; clear KD KE XD XE; un; intuition congruence "
        f"| now apply {made('most', mapping.name)}] "
        f"| eapply Nat.le_trans; [apply cnt_le0 | apply Nat.le_0_l]; intros i _ ne; {change}; "
        "apply none; exists z; tauto]"
    )


AT_MOST_ONE = (
    "apply cnt_le1; [blocks_nodup | intros a b Ia Ib; intros; "
    "first [solve [go] | un_members; two_numbers]]"
)
"""A tactic: a record is in one block."""
ONE_BLOCK = (
    "intros (i1 & i2) (j1 & j2) z mi mj _; un_members; cbn [fst snd] in *; "
    "intuition (f_equal; congruence || lia)"
)
"""A tactic: a record in two blocks with two numbers is in one."""
ONE_OF_VALUES = (
    "intros (i1 & i2) (j1 & j2) y z my mz ky kz same; un_members; cbn [fst snd] in *; "
    "intuition (f_equal; congruence || lia)"
)
"""A tactic: records with a key and a value are in one block with two numbers."""
ONE_SIDE = f"first [left; intros z key nz; {APART}; go | right; intros z key nz; {APART}; go]"
"""A tactic: of all records that share a key none come, or none go."""


def _by_limit(
    proof: ProofScript, case: EditCase, mapping: BoundMap, group: Seen, change: str
) -> Iterator[str]:
    """Yield tactics: the records of the frame share a key, which so many records share."""
    member = made("mem", mapping.name)
    for key, bound in proof.setting.problem.domain.limit_terms:
        shared = f"(fun c_ : cell => {value(key, RocqTerms({'c': 'c_'}))})"
        most = value(bound, RocqTerms())
        for name, _ in case.edit.params if key.op == "tuple" else ():
            yield from _by_keys(case, mapping, group, change, (key, most, name))
        for what in values_of_key(case.edit, key):
            given = f"_ _ _ D E {shared} {what} {most} {member}"
            start = "pose proof KD as CD; pose proof KE as CE; unfold class in CD, CE; splits"
            twice = f"(2 * Z.to_nat {most})%nat"
            both = f"replace ({natural(group.count)})%nat with {twice} by lia; {start}"
            one = ONE_BLOCK if len(mapping.indices) > 1 else "go"
            for there in _same_key(proof):
                known = (
                    f"[blocks_nodup | assumption | assumption | assumption | assumption "
                    f"| intros i ne; {change}; {there} | {one}"
                )
                yield f"{both}; eapply (cnt_records {given}); {known}]"
                yield f"{start}; eapply (cnt_records_one_way {given}); {known} | {ONE_SIDE}]"


def _same_key(proof: ProofScript) -> Iterator[str]:
    """Yield tactics: a cell ``z`` that changes has the key, or the one that is there with it.

    An edge leads to a vertex, and the one that leads back from it.
    """
    shared = "first [tauto | intuition congruence]"
    here = f"exists z; split; [assumption | split; [assumption | {shared}]]"
    yield here
    for mirror in mirrors(proof.setting.problem.domain.fact_terms):
        changes = (
            "intro Q; apply nz; repeat match goal with K : forall c_, X c_ -> _ = _ |- _ => "
            "rewrite (K z Xz) end; exact Q"
        )
        yield (
            f"destruct fz as [fz | fz]; [{here} | exists {value(mirror, RocqTerms({'c': 'z'}))}; "
            f"split; [un_members; cbn; assumption | split; [{changes} | cbn; assumption]]]"
        )


def _by_values(
    proof: ProofScript, case: EditCase, mapping: BoundMap, group: Seen, change: str
) -> Iterator[str]:
    """Yield tactics: the records of the frame share a key, and have so many different values."""
    member = made("mem", mapping.name)
    several = len(mapping.indices) > 1
    one = ONE_OF_VALUES if several else "intros i j a b; un_members; intuition congruence"
    for of, each, bound in proof.setting.problem.domain.distinct_terms:
        terms = [f"(fun c_ : cell => {value(t, RocqTerms(OVER))})" for t in (each, of)]
        for name, sort in case.edit.params:
            if sort == each.sort:
                given = f"{' '.join(terms)} {of_spec(name)} {value(bound, RocqTerms())} {member}"
                yield (
                    f"cut (Z.of_nat (cnt {proof.setting.blocks(mapping)} (fun i => "
                    f"{made('see', mapping.name)} i D <> {made('see', mapping.name)} i E)) <= "
                    f"{integral(group.count)})%Z; [lia |]; "
                    "pose proof KD as CD; pose proof KE as CE; "
                    f"unfold class in CD, CE; splits; apply (cnt_values _ _ _ _ _ D E {given}); "
                    f"[blocks_nodup | assumption | assumption | intros i ne; {change}; "
                    "exists z; split; [assumption | split; [assumption | tauto]] "
                    f"| {one}]"
                )


def _by_keys(
    case: EditCase, mapping: BoundMap, group: Seen, change: str, limit: tuple[Term, str, str]
) -> Iterator[str]:
    """Yield tactics: the keys of the frame's records differ in a number with so many values."""
    key, most, name = limit
    member, shared = made("mem", mapping.name), f"(fun c_ : cell => {value(key, RocqTerms(OVER))})"
    sorts = dict(case.edit.params)
    if sorted(t.sort for t in key.terms) != sorted([INT, sorts[name]]) or sorts[name] == INT:
        return
    number = next(value(t, RocqTerms({"c": "z"})) for t in key.terms if t.sort == INT)
    keys = ", ".join("(1 + Z.of_nat j)" if t.sort == INT else of_spec(name) for t in key.terms)
    for size in sizes(group.count):
        yield (
            f"replace ({natural(group.count)})%nat with "
            f"(2 * (Z.to_nat {size} * Z.to_nat {most}))%nat by nia; "
            "pose proof KD as CD; pose proof KE as CE; unfold class in CD, CE; splits; "
            f"eapply (cnt_keyed _ _ _ D E {shared} (fun j => ({keys})) (Z.to_nat {size}) {most} "
            f"{member}); [apply range_nodup | assumption | assumption | assumption | assumption "
            f"| intros i ne; {change}; exists z; split; [assumption | split; [assumption "
            f"| exists (Z.to_nat ({number} - 1)); clear KD KE XD XE; un; "
            "first [specialize (X_cell z Xz) | idtac]; "
            f"split; [lia | rewrite Z2Nat.id by lia; f_equal; [congruence | lia]]]] | go]"
        )


def _by_interval(proof: ProofScript, case: EditCase, group: Seen, change: str) -> Iterator[str]:
    """Yield tactics: the blocks are the images of so many successive numbers."""
    domain = proof.setting.problem.domain
    attributes = [of_attribute(a) for a, s in domain.attribute_sorts.items() if s == INT]
    functions = [f for f, (a, r) in domain.signatures.items() if a == (INT,) and r == INT]
    for mapping in proof.setting.maps.values():
        functions += [f for f, (a, r) in mapping.functions.items() if a == (INT,) and r == INT]
    images = ["j", *(f"{of_spec(f)} j" for f in functions)]
    found = "first [exists i; split; [nia | reflexivity]"
    found += "".join(f" | exists ({a} z); split; [lia | congruence]" for a in attributes) + "]"
    anchors = [of_spec(n) for n, s in case.edit.params if s == INT]
    starts = ["1", *(f"({anchor} + {off})" for anchor in anchors for off in "01")]
    for start, image in product(starts, images):
        yield (
            f"apply (cnt_image _ _ (fun j => {image}) {start} "
            f"{integral(group.count)}); [apply range_nodup |]; "
            f"intros i ne; {change}; clear KD KE XD XE; un; {found}"
        )
