"""Structural facts about which blocks change: those of a window, or some of a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from dpcomp_sym.engine.together.find import index_variable
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.rocq.bounds import (
    Expression,
    among,
    bound_by,
    condition,
    indices_of_letters,
    letters,
    sort_of_letters,
)
from dpcomp_sym.rocq.counts import changed_blocks, changed_cell
from dpcomp_sym.rocq.edits import (
    SPLIT,
    EditCase,
    ProofScript,
    become_alike,
    image_changes,
    split_on_points,
)
from dpcomp_sym.rocq.evidence import Vector, Window
from dpcomp_sym.rocq.names import made, of_attribute, of_spec
from dpcomp_sym.rocq.terms import AND, OR, RocqTerms, value
from dpcomp_sym.terms import CELL, TRUE, Term

__all__ = [
    "INSIDE",
    "KNOWN",
    "asks_for_change",
    "changing",
    "differs",
    "found",
    "listed_lemma",
    "named",
    "when",
    "window_lemma",
]

FORGET_REMAINDERS = (
    "repeat match goal with _ : context [?a mod ?b] |- _ => "
    "let v := fresh in let e := fresh in remember (a mod b) as v eqn:e; clear e end"
)
INSIDE = "first [apply range_in in Ii | apply pairs_in in Ii]"
KEPT = (
    "first [apply keep_diff in ne; destruct ne as (z & mz & nz) "
    "| apply db_diff in ne; destruct ne as (z & nz)]"
)
KNOWN = "pose proof (proj1 (proj2 KD)) as XD. pose proof (proj1 (proj2 KE)) as XE."


def when(case: EditCase, mapping: BoundMap) -> Expression:
    """Return the condition on the blocks of a map that change.

    Raises:
        UnwrittenError: there is none.
    """
    group = case.group(mapping)
    if group is None or group.when is None:
        raise UnwrittenError(f"the bound does not say which blocks of {mapping.name} change")
    return group.when


def changing(case: EditCase, mapping: BoundMap) -> str:
    """Say that a block of a map is one of those that change, for the integers of the window."""
    holds = condition(when(case, mapping), len(mapping.indices))
    pattern = None if case.window is None else case.window.pattern
    if pattern is None or pattern.times is None:
        return holds
    return among(pattern.free, holds, sort_of_letters(when(case, mapping)))


def differs(mapping: BoundMap) -> str:
    """Say that what a map hands on of a block changes."""
    see = made("see", mapping.name)
    return f"{see} i D <> {see} i E"


def window_lemma(proof: ProofScript, case: EditCase, window: Window) -> Iterator[str]:
    """Say for which integers all blocks that an edit changes lie in a window."""
    names = letters(window.pattern.free)
    facts = condition(window.pattern.facts)
    maps = list(proof.setting.maps.values())
    conditions = [when(case, m) for m in maps]
    rows = [
        f"(forall i, In i {proof.setting.blocks(m)} -> {differs(m)} -> {changing(case, m)})"
        for m in maps
    ]
    given, moved = (" D <> E ->", " apart") if asks_for_change(case, window) else ("", "")
    yield (
        f"Lemma window_{case.name} D E : class D -> class E -> {case.name} D E ->{given}\n"
        f"  {bound_by('exists', names, sort_of_letters(*conditions))}{AND.join([facts, *rows])}."
    )
    of_indices = next(indices_of_letters(*conditions), ())
    taken = ", ".join(letter_of(t, of_indices) for t in window.integers)
    chosen = f"exists {taken}. " if taken else ""
    pairs = any(len(m.indices) > 1 for m in maps)
    inside = INSIDE if pairs else "apply range_in in Ii"
    each = f"{found(case)}; clear KD KE; cbv beta; {named(proof, case)}"
    each += "first [solve [go] | un; rewrite ?fz in *; go]"
    images = case.edit.frame is None and any(m.image is not None for m in maps)
    ways = [_counted(proof, case, m) if images and m.image is not None else each for m in maps]
    by_map = f"[{' | '.join(ways)}]" if images else each
    some = "apply db_diff in apart; destruct apart as (z0 & nz0). " if moved else ""
    told_apart = _told_apart(proof, case) if moved else ""
    yield (
        f"Proof. intros KD KE Ed{moved}. {some}{case.chosen}\n  {KNOWN}\n"
        f"  splits. {told_apart}{chosen}split; [solve [exact I | clear KD KE; go] |].\n"
        f"  {SPLIT}; intros i Ii ne; {inside}; {by_map}. Qed."
    )


def asks_for_change(case: EditCase, window: Window) -> bool:
    """Return whether facts say that two integers differ: only an edit that changes something does.

    Its guard may allow that a record moves to where it was.
    """
    moves = case.edit.frame is None and len(case.edit.points) == 2
    return moves and any(_sets_apart(window.pattern.facts))


def _told_apart(proof: ProofScript, case: EditCase) -> str:
    """Return tactics: the record that goes and the one that comes differ in some attribute."""
    one, other = map(of_spec, case.edit.points)
    fields = map(of_attribute, proof.setting.problem.domain.attribute_sorts)
    differ = OR.join(f"{field} {one} <> {field} {other}" for field in fields)
    return (
        f"assert ({differ}) as told. {{ apply NNPP; intros no; apply nz0. "
        f"assert ({one} = {other}) as same by (destruct {one}, {other}; cbn in *; "
        "f_equal; apply NNPP; tauto). clear no. subst. clear KD KE. go. } clear nz0. "
    )


def _sets_apart(facts: Expression) -> Iterator[bool]:
    """Yield of each comparison whether it says that two letters are different."""
    if facts["op"] == "Compared":
        yield facts["word"] in {"ne", "lt"} and all(_named(facts[x]) for x in ("left", "right"))
    for one in facts.get("items", ()):
        yield from _sets_apart(one)


def _named(e: Expression) -> bool:
    return bool(e["op"] == "Letter")


def _counted(proof: ProofScript, case: EditCase, mapping: BoundMap) -> str:
    """Return tactics: counts that change are of images of which more come than go, or fewer."""
    part = proof.parts_of(mapping)[0]
    space = proof.setting.space(part)
    return (
        f"{image_changes(case, part, f'become{space}').removesuffix('.')}; apply db_diff in ne; "
        f"destruct ne as (w & W); clear KD KE; {split_on_points(case, mapping) or 'idtac;'} "
        f"first [{become_alike(case, space)}solve [go{space}] | solve [go]]"
    )


def named(proof: ProofScript, case: EditCase) -> str:
    """Return a tactic that gives powers names, where a window has some; nothing elsewhere."""
    said = [changing(case, m) for m in proof.setting.maps.values()]
    return "un; powers; " if any("(power " in one for one in said) else ""


def letter_of(
    term: Term, indices: Sequence[int], called: Mapping[str, str] | None = None
) -> str:  # fmt: skip
    """Return an integer of an edit, as a function of indices if it is one.

    ``called``: names of records in it.
    """
    names = {index_variable(n).name: f"b{n}" for n in indices}
    text = value(term, RocqTerms({**names, **(called or {})}))
    return f"(fun {' '.join(names.values())} : Z => {text})" if names else text


def found(case: EditCase) -> str:
    """Return a tactic: what changes in a block is a cell ``z``, of the frame if there is one."""
    if case.edit.frame is not None:
        return f"{KEPT}; {changed_cell(case)}; clear XD XE"
    return KEPT


def listed_lemma(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Say that the blocks that an edit changes are among those of one of the vectors."""
    maps = list(proof.setting.maps.values())
    ways = [f"({AND.join(_only(proof, m, v) for m in maps)})" for v in proof.outline.vectors]
    yield (
        f"Lemma listed_{case.name} D E : class D -> class E -> {case.name} D E ->\n  "
        + "\n  \\/ ".join(ways)
        + "."
    )
    if case.edit.frame is not None:
        yield from _one_map(proof, case, maps, len(ways))
        return
    yield f"Proof. intros KD KE Ed. {case.chosen} splits."
    read = [(n, m) for n, m in enumerate(maps) if m.member != TRUE]
    yield from (_touches(proof, case, m, n) for n, m in read)
    yield "  clear KD KE. repeat match goal with K : forall c : cell, E c = _ |- _ => clear K end."
    yield f"  {'; '.join(_split(proof, case, [m for _, m in read]))}."
    for number, mapping in read:
        for block in range(1, (_number(mapping) or 1) + 1):
            yield f"  all: try ({_unchanged(mapping, number, block)})."
    yield f"  all: clear {' '.join(f'T{n}' for n, _ in read)}."
    sizes = sorted({_number(m) or 1 for _, m in read})
    which = " | ".join(_one_of(n) for n in sizes)
    each = (
        f"{SPLIT}; try exact I; intros i Ii; first [intro ne | apply NNPP; intro ne]; "
        f"apply range_in in Ii; first [{which}]; subst i; first [contradiction | lia]"
    )
    tried = "\n    | ".join(f"solve [{'; '.join([*t, each])}]" for t in _turns(len(ways)))
    yield f"  all: first [{tried}]. Qed."


def _turns(ways: int) -> list[list[str]]:
    """Return for each of some alternatives the tactics that choose it."""
    return [["right"] * n + ["left"] * (n < ways - 1) for n in range(ways)]


def _one_map(proof: ProofScript, case: EditCase, maps: list[BoundMap], ways: int) -> Iterator[str]:
    """Yield a proof: the records of a frame share a key that one record has, so one map changes."""
    keys = [
        of_spec(name)
        for key, bound in proof.setting.problem.domain.limit_terms
        for name, sort in case.edit.params
        if value(bound, RocqTerms()) == "1" and sort == key.sort
    ]
    if not keys or any(m.indices or m.member == TRUE for m in maps):
        raise UnwrittenError(f"why {case.name} changes these blocks alone is not known")
    yield f"Proof. intros KD KE Ed. {case.chosen}\n  {KNOWN}"
    yield "  pose proof KD as CD. pose proof KE as CE. unfold class in CD, CE. splits."
    for number, mapping in enumerate(maps):
        see = made("see", mapping.name)
        yield f"  destruct (classic ({see} 1 D = {see} 1 E)) as [S{number}|N{number}];"
    same = (
        f"{SPLIT}; try exact I; intros i Ii; apply range_in in Ii; "
        "assert (at_i : i = 1) by lia; subst i; first [assumption | intros; reflexivity]"
    )
    tried = [f"solve [{'; '.join([*t, same])}]" for t in _turns(ways)]
    for name in keys:
        for first, second in combinations(range(len(maps)), 2):
            two = "; ".join(
                f"rename N{n} into ne; {found(case)}; rename z into z{n}, mz into mz{n}, "
                f"nz into nz{n}, Xz into Xz{n}, fz into fz{n}"
                for n in (first, second)
            ).replace("; clear XD XE", "")
            both = f"[z{first}; z{second}]"
            few = "; ".join(
                f"assert ((total {both} {d} <= 1)%Z) by (match goal with L : limited _ {d} 1 |- _ "
                f"=> apply (L {both} {name}) end; [repeat constructor; cbn; intuition congruence "
                "| cbn; intros ? [<-|[<-|[]]]; assumption])"
                for d in "DE"
            )
            tried.append(
                f"solve [exfalso; {two}; assert (z{first} <> z{second}) by (intro; subst; un; "
                f"congruence); {few}; cbn [total] in *; clear KD KE XD XE; go]"
            )
    yield "  first [" + "\n    | ".join(tried) + "]. Qed."


def _unchanged(mapping: BoundMap, number: int, block: int) -> str:
    """Return a tactic: this block stays the same."""
    see = made("see", mapping.name)
    return (
        f"assert ({see} {block} D = {see} {block} E) by (apply NNPP; intro ne; "
        f"apply T{number} in ne; [|apply in_range; lia]; clear T{number}; cases2; quick)"
    )


def _one_of(number: int) -> str:
    """Return a tactic that takes the blocks one by one."""
    pattern = "at_i"
    for _ in range(number - 1):
        pattern = f"[at_i | {pattern}]"
    among = OR.join(f"i = {n}" for n in range(1, number + 1))
    return f"assert (at_i : {among}) by lia; destruct at_i as {pattern}"


def _only(proof: ProofScript, mapping: BoundMap, vector: Vector) -> str:
    """Say that only the blocks that a vector lists change."""
    blocks, see = proof.setting.blocks(mapping), made("see", mapping.name)
    groups = [g for g in vector.groups if g.map == mapping.name]
    if not groups:
        return f"(forall i, In i {blocks} -> {see} i D = {see} i E)"
    if not mapping.indices:
        return "True"
    among = OR.join(f"i = {g.block}" for g in groups)
    return f"(forall i, In i {blocks} -> {differs(mapping)} -> {among})"


def _touches(proof: ProofScript, case: EditCase, mapping: BoundMap, number: int) -> str:
    blocks = proof.setting.blocks(mapping)
    return (
        f"  assert (T{number} : forall i, In i {blocks} -> {differs(mapping)} -> "
        f"{changed_blocks(case, mapping)}).\n"
        "  { intros i _ ne. apply keep_diff in ne. destruct ne as (z & mz & nz). "
        "clear KD KE. go_whole. }"
    )


def _split(proof: ProofScript, case: EditCase, maps: list[BoundMap]) -> Iterator[str]:
    """Yield tactics that tell in which blocks the named cells are."""
    domain = proof.setting.problem.domain
    listed = [
        of_attribute(a) for a, s in domain.attribute_sorts.items() if s in domain.enumerations
    ]
    cells = [of_spec(n) for n, s in case.edit.params if s == CELL]
    yield "cases1; un_members"
    if listed:
        yield from (f"destruct ({a} {cell}) eqn:?" for cell in cells for a in listed)
        return
    for mapping in maps:
        for cell in cells:
            tactic = "idtac"
            for block in range(_number(mapping), 0, -1):
                held = f"({made('mem', mapping.name)} {block} {cell})"
                tactic = f"destruct (dec {held}); [|{tactic}]"
            yield f"({tactic}); un_members; try (exfalso; lia)"
    yield FORGET_REMAINDERS


def _number(mapping: BoundMap) -> int:
    """Return how many blocks a map has; 0 where it has none."""
    size = mapping.sizes[0] if mapping.sizes else 0
    if isinstance(size, str):
        raise UnwrittenError(f"{mapping.name} has blocks that are listed, and {size} of them")
    return size
