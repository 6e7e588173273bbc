"""The last part of a Rocq file: what the statement assumes can be met, and neighbours exist.

The statement is repeated in a module in which every variable has a value and every hypothesis is a
lemma: functions are constant, mechanisms always say the same, and the two databases have at most
one record, or two.  They are searched for among few, so that a problem may have no such part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any, Final

from dpcomp_sym.finite import World
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.rocq.names import of_sort, of_spec
from dpcomp_sym.rocq.statement import Setting, over_cell, reads_size
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE

__all__ = ["witness"]

MODULE: Final = "Possible"
NUMBERS: Final = (1, 2)
ELEMENTS: Final = ("0", "1")
MOST_TRIED: Final = 200_000
MOST_VALUES: Final = 8
"""So many values of each attribute are tried, at most, where two have no neighbours."""
LARGE: Final = 1_000_000
"""No less than what few blocks cost where guarantees are numbers."""
_NUMBER: Final = re.compile(r"(?<![\w'])\d+(?![\w'])")
_ITEM: Final = re.compile(
    r"(Variables?|Hypothesis) (.*?) : (.*?)\.(?: *\(\*[^\n]*)?\n(?! )", re.DOTALL
)

Cell = tuple[Any, ...]


@dataclass(frozen=True)
class NeighbourExample:
    """Two neighbours, of few different records, and the edit that leads from one to the other."""

    world: World
    old: tuple[Cell, ...]
    new: tuple[Cell, ...]
    number: int
    params: Mapping[str, Any]


DECIDED = """Ltac decided := intros; repeat match goal with c : cell |- _ => destruct c end;
  cbn in *; repeat destruct dec;
  repeat match goal with H : @eq cell _ _ |- _ => injection H; clear H; intros end;
  subst; cbn in *;
  first [exact I | lia | congruence | tauto | intuition (first [lia | congruence])]."""


def witness(setting: Setting, text: str) -> str | None:
    """Return a module in which the statement's hypotheses are met, None if none was found.

    Args:
        setting: what the statement is about.
        text: the statement.
    """
    said = {int(n) for n in _NUMBER.findall(text)} - {0, *NUMBERS}
    more = (*NUMBERS, 3, *sorted(said - {3}))
    tried = [(NUMBERS, 2, 1), (NUMBERS, MOST_VALUES, 1), (more, MOST_VALUES, 1), (NUMBERS, 2, 2)]
    found = chain.from_iterable(_examples(setting, *one) for one in tried)
    example = next(found, None)
    if example is None:
        return None
    body = text[text.index("Section Statement.\n") + len("Section Statement.\n") :]
    values = _values(setting, example)

    def concrete(item: re.Match[str]) -> str:
        kind, names, said = item.groups()
        if kind == "Hypothesis":
            known = [n for n in values if re.search(rf"(?<![\w']){re.escape(n)}(?![\w'])", said)]
            unfolded = f"unfold {', '.join(known)}; " if known else ""
            return f"Lemma {names} : {said}.\nProof. {unfolded}met. Qed.\n"
        return "".join(f"Definition {n} : {said} := {values[n]}.\n" for n in names.split())

    most = f"{LARGE}%R" if any(setting.numbers) else "0%R"
    values |= dict.fromkeys(re.findall(r"^Variable (most\d+) : R\.", body, re.MULTILINE), most)
    made = _ITEM.sub(concrete, body)
    return "\n".join([
        f"Module {MODULE}.", TACTICS, made, *_pair(setting, example), f"End {MODULE}.", ""
    ])  # fmt: skip


SIZED = (
    "split; [repeat constructor; intros [] | split; [intros c; cbv [one put]; repeat destruct dec; "
    "intros; first [subst; now left | congruence] "
    "| cbv [total one put]; repeat destruct dec; congruence || lia]]"
)
TACTICS = """Ltac few_blocks := repeat match goal with
  | |- context [range ?n] => let l := eval vm_compute in (range n) in change (range n) with l
  | |- context [pairs ?m ?n] =>
    let l := eval vm_compute in (pairs m n) in change (pairs m n) with l end;
  cbn [sum]; repeat destruct dec; repeat match goal with
  |- context [IZR (Z.max 0 ?e)] => let z := fresh in assert (z : (0 <= IZR (Z.max 0 e) <= 1000)%R)
    by (split; apply IZR_le; lia); revert z; generalize (IZR (Z.max 0 e)); intros ? z end; lra.
Ltac met := first
  [ lia | lra | intros; lra | exact I | reflexivity | intros; exact I | tauto
  | intros; eapply Nat.le_trans; [apply cnt_all | vm_compute; lia]
  | intros; eapply Nat.le_trans; [apply cnt_le0 | apply Nat.le_0_l]; intros; assumption
  | intros; eapply rel_up; [| apply rel_refl]; lra
  | intros; eapply ind_weaken; [| | apply ind_refl]; lra
  | intros; rewrite ?sum_zero by (intros; destruct dec; lra); lra
  | intros; rewrite worst_nothing by (intros; destruct dec; lra); lra
  | intros; rewrite worst_nothing, ?sum_zero by (intros; destruct dec; lra); lra
  | intros; few_blocks
  | intros; cbv; intuition (first [lia | congruence]) ]."""


# ------------------------------------------------------------- a small world


def _examples(
    setting: Setting, numbers: Sequence[int], most: int, records: int
) -> Iterator[NeighbourExample]:
    """Yield neighbours of at most so many records, with few values of each attribute."""
    problem, tried = setting.problem, 0
    sized = problem.domain.size_terms or any(reads_size(e.guard) for e in problem.outer.edits)
    if records > 1 and (sized or problem.domain.distinct_terms):
        return
    for world in _worlds(setting, numbers, most):
        if not world.symbols_hold(problem.symbols):
            continue
        if not all(world.map_facts_hold(m) for m in setting.maps.values()):
            continue
        sets = (combinations(world.cells, n) for n in range(records + 1))
        databases = list(chain.from_iterable(sets))
        whole = [d for d in databases if world.contains(_counts(d), problem.domain, world.cells)]
        for number, edit in enumerate(problem.outer.edits, 1):
            pools = [_pool(world, sort, numbers) for _, sort in edit.params]
            for values in product(*pools):
                params = dict(zip((n for n, _ in edit.params), values, strict=True))
                for old, new in product(whole, whole):
                    tried += 1
                    if tried > MOST_TRIED:
                        return
                    if old != new and _leads(world, edit, params, old, new):
                        yield NeighbourExample(world, old, new, number, params)


def _leads(
    world: World,
    edit: BoundEdit,
    params: Mapping[str, Any],
    old: tuple[Cell, ...],
    new: tuple[Cell, ...],
) -> bool:
    return world.links(edit, params, world.domain, _counts(old), _counts(new), world.cells)


def _counts(held: tuple[Cell, ...]) -> dict[Cell, int]:
    return dict.fromkeys(held, 1)


def _pool(world: World, sort: str, numbers: Sequence[int]) -> list[Any]:
    if sort == CELL:
        return list(world.cells)
    if sort in {INT, BOOL}:
        return list(numbers) if sort == INT else [True, False]
    return list(world.elements[sort])


def _worlds(setting: Setting, numbers: Sequence[int], most: int) -> Iterator[World]:
    """Yield worlds in which all functions are constant."""
    domain = setting.problem.domain
    signatures = dict(domain.signatures)
    for mapping in setting.maps.values():
        signatures.update(mapping.functions)
    sorts = {*domain.attribute_sorts.values()}
    for arguments, result in signatures.values():
        sorts |= {*arguments, result}
    elements = dict.fromkeys(sorts - {INT, BOOL, CELL}, ELEMENTS) | domain.enumerations
    blank = World(domain, (), elements)
    pools = [_pool(blank, s, numbers)[:most] for s in domain.attribute_sorts.values()]
    logical = [n for n, (_, result) in signatures.items() if result == BOOL]
    symbols = list(setting.problem.symbols)
    truths = (True, False) if numbers == NUMBERS else (False, True)
    for values in product(numbers, repeat=len(symbols)):
        for truth in product(truths, repeat=len(logical)):
            defaults = {
                n: 1 if result == INT else elements.get(result, ("0",))[0]
                for n, (_, result) in signatures.items()
            } | dict(zip(logical, truth, strict=True))
            world = World(
                domain, (), elements, {n: {} for n in signatures}, defaults,
                dict(zip(symbols, values, strict=True)),
            )  # fmt: skip
            cells = tuple(c for c in product(*pools) if world.is_cell(c))
            yield World(domain, cells, elements, world.functions, defaults, world.symbols)


# ------------------------------------------------------------- as text


def _element(setting: Setting, sort: str, value: Any) -> str:
    if sort == BOOL:
        return "true" if value else "false"
    enumerated = sort in setting.problem.domain.enumerations
    return of_spec(value) if enumerated else f"{value}"


def _cell(setting: Setting, cell: Cell) -> str:
    sorts = setting.problem.domain.attribute_sorts.values()
    values = (_element(setting, s, v) for s, v in zip(sorts, cell, strict=True))
    return f"(mk {' '.join(values)})"


def _values(setting: Setting, example: NeighbourExample) -> dict[str, str]:
    """Return the value of each variable of the statement."""
    domain, world = setting.problem.domain, example.world
    found = {of_sort(s): "Z" for s in world.elements if s not in domain.enumerations}
    for edit in setting.edits.values():
        found |= {of_sort(s): "Z" for _, s in edit.params if s not in {*domain.enumerations, INT}}
    found |= {of_spec(n): str(v) for n, v in world.symbols.items()}
    signatures = dict(domain.signatures)
    for mapping in setting.maps.values():
        signatures.update(mapping.functions)
    for name, (arguments, result) in signatures.items():
        value = world.defaults[name]
        text = str(bool(value)) if result == BOOL else _element(setting, result, value)
        found[of_spec(name)] = f"fun {' '.join('_' for _ in arguments)} => {text}"
    inside = over_cell(domain.cell_term) if domain.cell_term != TRUE else "True"
    found["X"] = f"fun c_ => {inside}"
    found |= {f"X{number}": "fun _ => True" for number in setting.images.values()}
    found["O"], found["M"] = "fun _ => unit", "fun _ _ _ => dirac tt"
    for part in setting.parts:
        for eps in setting.parameters(part):
            if isinstance(eps, str):
                found[of_spec(eps)] = "fun _ => 0%R" if part.map.indices else "0%R"
    return found


def _listed(setting: Setting, held: tuple[Cell, ...]) -> str:
    return f"[{'; '.join(_cell(setting, one) for one in held)}]"


def _pair(setting: Setting, example: NeighbourExample) -> Iterator[str]:
    """Yield the two databases, and that they are neighbours and differ."""
    names = setting.outer_edits
    directed = setting.problem.outer.directed
    ways = len(names) * (1 if directed else 2)
    at = example.number - 1
    way = "; ".join(["right"] * at + ["left"] * (at < ways - 1)) or "idtac"
    edit = setting.edits[names[at]]
    chosen = "".join(
        f"exists {_cell(setting, v) if s == CELL else f'({_element(setting, s, v)})'}. "
        for (n, s) in edit.params
        for v in [example.params[n]]
    )
    listed = _listed(setting, example.old)
    chosen += f"exists {len(example.old)}. " * reads_size(edit.guard)
    for name, held in (("one", example.old), ("other", example.new)):
        count = " + ".join(f"put c {_cell(setting, one)} 1" for one in held) or "0"
        yield f"Definition {name} (c : cell) : Z := {count}."
    yield DECIDED
    world = example.world
    known = " ".join(of_spec(n) for n in [*world.symbols, *world.functions])
    for name, held in (("one", example.old), ("other", example.new)):
        yield f"Lemma {name}_class : class {name}."
        size, limit = [
            ("sized_none", "limited_none"), ("sized_one", "limited_one"), ("fail", "limited_two"),
        ][len(held)]  # fmt: skip
        all_of = _listed(setting, held)
        yield (
            f"Proof. cbv [class {known}]. repeat (lazymatch goal with |- _ /\\ _ => split end);\n"
            f"  first [ solve [exists {all_of}; intros c; unfold {name}, put; "
            "repeat destruct dec; intros; subst; cbn; tauto || congruence]\n"
            f"    | solve [exists {all_of}; intros c; unfold {name}; congruence]\n"
            f"    | solve [eapply {limit}; [intros; reflexivity | cbn; lia]]\n"
            "    | solve [apply few_values_none; [intros; reflexivity | cbn; lia]]\n"
            f"    | solve [eapply few_values_one; [intros c; cbv [{name} put]; try destruct dec; "
            "intros; [eassumption | congruence] | cbn; lia]]\n"
            f"    | solve [intros n S; eapply {size} in S; [subst n; first [solve [met] | "
            f"cbv [{name} put X {known}]; decided] | intros; reflexivity]]\n"
            f"    | cbv [{name} put X {known}]; decided ]. Qed."
        )
    apart = {*example.old} ^ {*example.new}
    cell = _cell(setting, next(c for c in (*example.old, *example.new) if c in apart))
    yield "Theorem possible : exists D E, neighbours D E /\\ D <> E."
    yield (
        "Proof. exists one, other. split; [split; [apply one_class | split; "
        "[apply other_class |]] |].\n"
        f"  - {way}. {chosen}repeat (lazymatch goal with |- _ /\\ _ => split end);\n"
        f"    first [solve [exists {listed}; {SIZED}] "
        f"| cbv [one other put X {known}] in *; decided].\n"
        f"  - intros same. apply (f_equal (fun D => D {cell})) in same. "
        "cbv [one other put] in same. repeat destruct dec; first [congruence | lia]. Qed."
    )
