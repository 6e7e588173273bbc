"""Edits of a part that exchange few records each, around a record that a limit counts.

Where the edges at a vertex all come or all go, and a mechanism protects single edges, which are
stored in both directions, it sees one edge after the other: as many as there are records at the
vertex.  What names an edit, and which records count, is the reason that the certificate gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript
from dpcomp_sym.rocq.names import of_spec
from dpcomp_sym.rocq.near import in_x
from dpcomp_sym.rocq.statement import OVER, over_cell
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import BOOL, CELL, Term, conjuncts, free_variables, parse

__all__ = ["around_records", "bundles"]

WITH: Final = "no more than records with "
SAME: Final = (
    "repeat match goal with q : @eq cell _ _ |- _ => injection q; clear q; intros end; subst"
)
FACTS: Final = (
    "touch cell; cbn in *; "
    "repeat match goal with K : ?P -> _, p : ?P |- _ => specialize (K p) end; congruence"
)
"""What changes in one record of a piece changes in the others, by the facts of the class."""


def _said(case: EditCase, part: BoundPart) -> dict[str, Mapping[str, Any]]:
    """Return what the certificate says of the pieces that a part sees."""
    (made_of,) = case.touched.reasons[part.name, ()]["by"]
    return {one["choice"]: one for one in made_of["by"]} | {"edit": made_of}


def around_records(case: EditCase, part: BoundPart) -> bool:
    """Return whether pieces are no more than records of one kind."""
    return bool(_said(case, part)["how many pieces"]["is"].startswith(WITH))


def _named(inner: BoundEdit) -> list[str]:
    """Return the records that an inner edit changes, around a record ``r``.

    One is this record, and the guard says of the others which they are.
    """
    known, said = dict[str, str](), dict[str, Term]()
    for fact in conjuncts(inner.guard):
        for side, other in (fact.terms, fact.terms[::-1]) if fact.op == "eq" else ():
            if side.op == "var":
                said.setdefault(side.name, other)
    for name, sort in inner.params:
        if sort == CELL and name in said and free_variables(said[name]) <= {*known}:
            known[name] = value(said[name], RocqTerms(known))
        elif sort == CELL and not known:
            known[name] = "r"
    if [n for n, _ in inner.params] != [*known] or {*known} != {*inner.points}:
        raise UnwrittenError("edits of a piece that do not say which records they change")
    return [known[n] for n, _ in inner.params]


def _counted(proof: ProofScript, case: EditCase, part: BoundPart) -> Term:
    """Return which records are counted: there is one in each piece."""
    said = _said(case, part)["how many pieces"]
    if not said["by"] or not said["by"][0]["is"].startswith("1 times "):
        raise UnwrittenError(f"{case.name} lets records come and go, in pieces around a record")
    scope = proof.setting.problem.domain.scope().having({"c": CELL} | dict(case.edit.params))
    return parse(said["is"].removeprefix(WITH), scope, BOOL)


def bundles(proof: ProofScript, case: EditCase, part: BoundPart, steps: str) -> Iterator[str]:
    """Yield tactics: a part's edits lead from D to E, one around each record that counts.

    Known are ``ID`` and ``IE``, that the ends are in the class, and ``framed``, what changes.
    """
    said = _said(case, part)
    number = int(said["edit"]["is"].removeprefix("edit ")) - 1
    inner = part.granularity.edits[number]
    if inner.frame is not None or part.granularity.directed:
        raise UnwrittenError(f"pieces that {part.name} sees change otherwise than by records")
    points = _named(inner)
    near = " \\/ ".join(f"c = {p}" for p in points)
    kind = over_cell(_counted(proof, case, part))
    of_class, neighbours = proof.setting.class_of(part), proof.setting.neighbours_of(part)
    opened = f"unfold class, {of_class} in ID, IE; splits"
    seen = "destruct (framed z nz) as (Xz & fz)"
    one_way = f"intro z; destruct (Z.eq_dec (D z) (E z)) as [|nz]; [lia |]; {seen}; go"
    yield (
        f"  destruct (changed_some _ D E (fun c_ : cell => {kind})) as (l & N & A); "
        "[apply ID | apply IE |].\n"
        "  assert (down : (forall c, E c <= D c) \\/ (forall c, D c <= E c))\n"
        f"    by first [solve [left; {one_way}] | solve [right; {one_way}]].\n"
        f"  assert (few : Z.of_nat (length l) <= {steps}).\n"
        "  { assert (L : (length l <= moves l all_cells D E)%nat)\n"
        "      by (apply length_moves; intros z Iz; now apply A in Iz).\n"
        f"    {opened}. first [{' | '.join(_few(proof, case))}]. }}\n"
        "  exists (length l). split; [lia |].\n"
        f"  set (near := fun r c : cell => {near}).\n"
        f"{_stays_in(of_class, len(points))}"
        f"  apply (path_taken _ {neighbours} D E near l N).\n"
        f"  - {opened}. intros z nz. {seen}. {in_x(proof, 'z')}clear C down.\n"
        "    repeat match goal with q : _ \\/ _ |- _ => destruct q end;\n"
        f"    first [{' | '.join(_around(points))}].\n"
        "  - intros y z c Iy Iz ny nz. apply A in Iy. apply A in Iz. "
        "destruct Iy as (cy & ky), Iz as (cz & kz).\n"
        "    destruct (framed y cy) as (Xy & fy), (framed z cz) as (Xz & fz). "
        f"{in_x(proof)}unfold near in *. splits.\n"
        f"    destruct y, z, c; cbn in *; {_either(len(points), 'ny')}; "
        f"{_either(len(points), 'nz')};\n    "
        f"{SAME}; first [reflexivity | exfalso; tauto | "
        "f_equal; intuition congruence].\n"
        "  - intros r s B B' Ir Is eB eB' same other.\n"
        f"    assert (CB : {of_class} B) by (rewrite eB; apply C; assumption).\n"
        f"    assert (CB' : {of_class} B') by (rewrite eB'; apply C; intros c [<-|I]; auto).\n"
        "    clear C eB eB'. apply A in Ir. destruct Ir as (nr & kr). "
        "destruct (framed r nr) as (Xr & fr).\n"
        f"    {in_x(proof, 'r')}{opened}.\n"
        "    assert (changed : forall c, near r c -> D c <> E c).\n"
        f"    {{ unfold near. intros c p. {_either(len(points))}; subst; "
        f"first [exact nr | {FACTS}]. }}\n"
        f"    unfold {neighbours}. split; [exact CB | split; [exact CB' |]]. clear CB CB'.\n"
        f"    destruct down as [d|d]; first [{' | '.join(_edits(proof, part, number, points))}]."
    )


def _stays_in(of_class: str, number: int) -> str:
    """Return tactics: databases that take some of the pieces are in a class."""
    return (
        f"  assert (C : forall t, incl t l -> {of_class} (taken near t D E)).\n"
        f"  {{ intros t T. unfold class, {of_class} in *. splits. {SPLIT}; first\n"
        "    [ solve [intros c; unfold taken; destruct dec; auto]\n"
        "    | solve [apply (finite_sub2 _ D E); [assumption | assumption | "
        "intros c; unfold taken; destruct dec; tauto]]\n"
        "    | solve [destruct down; [apply (limited_sub _ _ _ D) | apply (limited_sub _ _ _ E)]; "
        "first [assumption | intros c; unfold taken; destruct dec; [auto | lia] "
        "| intros c; unfold taken; destruct dec; [lia | auto]]]\n"
        "    | intros z Xz; unfold taken; repeat match goal with |- context [dec ?p] => "
        "destruct (dec p) end; auto;\n"
        "      exfalso; match goal with some : ex _, none : ~ ex _ |- _ => "
        "destruct some as (r & Ir & q);\n"
        "        apply none; exists r; split; [exact Ir | clear - q] end;\n"
        f"      unfold near in *; destruct r, z; {_either(number, 'q')}; cbn in *; "
        f"{SAME}; auto ]. }}\n"
    )


def _either(number: int, name: str = "p") -> str:
    """Return a tactic that goes through the records of a piece."""
    return f"destruct {name} as {'[' * (number - 1)}{name}{f'|{name}]' * (number - 1)}"


def _around(points: list[str]) -> Iterator[str]:
    """Yield tactics: what changes is in the piece of itself, or of another of its records."""
    changed = f"first [exact nz | {FACTS}]"
    piece = "unfold near; destruct z; cbn; tauto"
    for point in points:
        record = f"((fun r : cell => {point}) z)"
        yield (
            f"solve [exists {record}; split; [apply A; cbv beta; split; "
            f"[{changed} | cbn; tauto] | {piece}]]"
        )


def _few(proof: ProofScript, case: EditCase) -> Iterator[str]:
    """Yield tactics: the records that count share a key, which so many records share."""
    shared = (
        "intros z Iz; apply A in Iz; destruct Iz as (nz & kz); destruct (framed z nz); "
        "cbv beta; tauto"
    )
    down = "destruct down; [left | right]; auto"
    for key, bound in proof.setting.problem.domain.limit_terms:
        function, most = (f"(fun c_ : cell => {value(key, RocqTerms(OVER))})",
                          value(bound, RocqTerms()))  # fmt: skip
        for name, sort in case.edit.params:
            if sort == key.sort:
                known = " | ".join(["assumption"] * 5)
                yield (
                    "solve [apply (Z.le_trans _ (Z.of_nat (moves l all_cells D E))); [lia |]; "
                    f"eapply Z.le_trans; [apply (moves_limited_one_way _ _ {function} "
                    f"{of_spec(name)} D E {most} l); [{known} | {shared} | {down}] | lia]]"
                )


def _edits(proof: ProofScript, part: BoundPart, number: int, points: list[str]) -> Iterator[str]:
    """Yield tactics: the inner edit, in one of its directions, exchanges the piece."""
    names = proof.setting.edits_of(part)
    there = "solve [apply framed; apply changed; unfold near; tauto]"
    both = (
        "solve [intro c; destruct (dec (near r c)) as [p|n]; "
        "[pose proof (changed c p); destruct (same c p) as (e & e'); rewrite e, e'; "
        "assert (0 <= D c /\\ 0 <= E c /\\ D c <= 1 /\\ E c <= 1) by auto; "
        "unfold near, put in *; specialize (d c); "
        "repeat match goal with |- context [dec ?q] => destruct (dec q) end; try lia; "
        "exfalso; subst; destruct r; cbn in *; "
        f"{SAME}; tauto "
        "| rewrite (other c n); unfold near, put in *; "
        "repeat match goal with |- context [dec ?q] => destruct (dec q) end; try lia; tauto]]"
    )
    close = f"{SPLIT}; first [{there} | solve [cbn; reflexivity] | {both}]"
    for at in (number, number + len(names)):
        way = ["right"] * at + ["left"] * (at < 2 * len(names) - 1)
        yield (
            f"solve [{'; '.join([*way, f'unfold {names[number]}'])}; "
            f"exists {', '.join(points)}; {close}]"
        )
