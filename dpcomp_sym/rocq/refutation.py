"""Refuted claims as files that Rocq checks: databases, numbers, and mechanisms that lose too much.

The statement is that of the problem, with a value for all that it leaves open but the mechanisms.
That there are mechanisms which lose as much as the distances say is a theorem of the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, Final

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.finite import World
from dpcomp_sym.model import Problem
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.notions import of_epsilon
from dpcomp_sym.rocq.bounds import real
from dpcomp_sym.rocq.names import made, of_sort, of_spec
from dpcomp_sym.rocq.statement import Setting, over_cell, reads_size, statement
from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = ["REFUTED", "refutation_file"]

REFUTED: Final = "refuted"
"""The name of the theorem."""
ITEM: Final = re.compile(
    r"(Variables?|Hypothesis) (.*?) : (.*?)\.( *\(\*[^\n]*)?\n(?! )", re.DOTALL
)
OPEN: Final = {"O", "M"}
"""What stays open: the mechanisms, and what they put out."""
SPLIT: Final = "repeat (lazymatch goal with |- _ /\\ _ => split end)"


def refutation_file(problem: Problem, data: Mapping[str, Any]) -> str:
    """Return the file that Rocq is to check.

    Args:
        problem: what the claim is about.
        data: the data of the refutation, as the confirmed counterexample has them.

    Raises:
        UnwrittenError: the problem or the claim has no words here; says which.
    """
    if data["notion"] != of_epsilon():
        raise UnwrittenError(
            "the claim is not about eps-DP, the only notion that is written so far"
        )
    ((claim,),) = data["claim"]
    if data["written_out"]:
        raise UnwrittenError("the claim is a maximum over integers")
    setting = Setting(problem)
    if setting.images:
        raise UnwrittenError("a map counts by an image")
    if problem.domain.distinct:
        raise UnwrittenError("a limit on distinct values is not written in refutations so far")
    found = RefutationScript(setting, data)
    return "\n".join([
        "(* ==== STATEMENT: all that must be read ==== *)",
        *found.statement(claim),
        "(* ==== DATABASES: two neighbours, and what the mechanisms see of them ==== *)",
        *found.neighbours(),
        *found.distances(),
        *found.conclusion(),
        "(* ==== AXIOMS ==== *)",
        f"Print Assumptions {REFUTED}.",
        "",
    ])  # fmt: skip


@dataclass(frozen=True)
class RefutationScript:
    """A refutation, and how its things are written."""

    setting: Setting
    data: Mapping[str, Any]

    @cached_property
    def world(self) -> World:
        """The world in which the claim fails."""
        said = self.data["world"]
        functions = {
            name: {tuple(map(_hashable, a)): v for a, v in known["table"]}
            for name, known in said["functions"].items()
        }
        defaults = {name: known["default"] for name, known in said["functions"].items()}
        elements = {s: tuple(e) for s, e in said["elements"].items()}
        cells = tuple(map(tuple, said["cells"]))
        domain = self.setting.problem.domain
        return World(domain, cells, elements, functions, defaults, said["symbols"])

    @cached_property
    def databases(self) -> dict[str, dict[tuple[Any, ...], int]]:
        """The two databases: what they are called, and how many records are in which cell."""
        named = {"one": "D", "other": "D_prime"}
        return {n: {tuple(c): k for c, k in self.data[key]} for n, key in named.items()}

    def cell(self, cell: tuple[Any, ...]) -> str:
        """Return a cell."""
        sorts = self.setting.problem.domain.attribute_sorts.values()
        return f"(mk {' '.join(self.value(v, s) for v, s in zip(cell, sorts, strict=True))})"

    def value(self, value: Any, sort: str) -> str:
        """Return a value of a sort; elements without a name are numbered."""
        if sort == BOOL:
            return "true" if value else "false"
        if sort == CELL:
            return self.cell(tuple(value))
        if sort == INT:
            return str(value) if value >= 0 else f"({value})"
        if sort in self.setting.problem.domain.enumerations:
            return of_spec(value)
        return str(self.world.elements[sort].index(value))

    # ------------------------------------------------------------- the statement

    def statement(self, claim: Mapping[str, Any]) -> Iterator[str]:
        """Yield the problem's statement with values, and the claim that is refuted."""
        text = statement(self.setting, dict(claim))
        head, _, body = text.partition("Section Statement.\n")
        values = self._values()
        yield head.replace("Records.", "Records Refute.").rstrip() + "\n"
        opened = []

        def concrete(item: re.Match[str]) -> str:
            kind, names, said, why = item.groups()
            if kind == "Hypothesis" and names.startswith(("private_", "reads_")):
                opened.append(names)
                return f"Definition {names} : Prop := {said}.\n"
            if kind == "Hypothesis":
                unfolded = [n for n in values if n not in OPEN and _occurs(n, said)]
                given = f"unfold {', '.join(unfolded)}; " if unfolded else ""
                return f"Lemma {names} : {said}.\nProof. {given}met cell. Qed.\n"
            if names in OPEN:
                begin = "Section Mechanisms.\n" if names == "O" else ""
                return f"{begin}Variable {names} : {said}.{why or ''}\n"
            return "".join(f"Definition {n} : {said} := {values[n]}.\n" for n in names.split())

        yield ITEM.sub(concrete, body).rstrip()
        yield "End Mechanisms."
        given = " /\\ ".join([*(f"{n} O M" for n in opened), "~ claim O M"])
        yield f"Definition refutation : Prop := exists O M, {given}.\n"

    def _values(self) -> dict[str, str]:
        setting, world = self.setting, self.world
        domain = setting.problem.domain
        sorts = [*world.elements, *(s for e in setting.edits.values() for _, s in e.params)]
        known = {*domain.enumerations, INT, BOOL, CELL}
        found = {of_sort(s): "Z" for s in sorts if s not in known}
        found |= {of_spec(n): self.value(v, INT) for n, v in world.symbols.items()}
        signatures = dict(domain.signatures)
        for mapping in setting.maps.values():
            signatures.update(mapping.functions)
        for name, (arguments, result) in signatures.items():
            found[of_spec(name)] = self._function(name, arguments, result)
        found |= {"X": f"fun c_ => {over_cell(domain.cell_term)}", "O": "", "M": ""}
        for name, values in self.data["values"].items():
            found[of_spec(name)] = _parameter(values)
        return found

    def _function(self, name: str, arguments: tuple[str, ...], result: str) -> str:
        table, default = self.world.functions[name], self.world.defaults[name]
        letters = [f"a{n}" for n in range(1, len(arguments) + 1)]
        rows = []
        for given, value in table.items():
            pairs = zip(letters, given, arguments, strict=True)
            rows.append((" /\\ ".join(f"{x} = {self.value(v, s)}" for x, v, s in pairs), value))
        if result == BOOL:
            different = [row for row, value in rows if bool(value) != bool(default)]
            text = " \\/ ".join(f"({row})" for row in different) or "False"
            text = f"~ ({text})" if default else text
        else:
            # what is not in the table is of cells that are not there: it keeps the facts of the map
            others = [value for _, value in rows] or [default]
            text = self.value(others[0], result) if self._usual(result, others[0]) else "0"
            for row, value in reversed([r for r in rows if r[1] != others[0]]):
                text = f"if dec ({row}) then {self.value(value, result)} else {text}"
        return f"fun {' '.join(letters)} => {text}"

    def _usual(self, sort: str, value: Any) -> bool:
        return sort == INT or value in self.world.elements.get(sort, ())

    # ------------------------------------------------------------- the databases

    def neighbours(self) -> Iterator[str]:
        """Yield the databases and the proof that they are neighbours of the class."""
        for name, held in self.databases.items():
            rows = "; ".join(f"({self.cell(c)}, {n})" for c, n in sorted(held.items(), key=str))
            yield f"Definition {name} : db cell := listed [{rows}]."
        known = " ".join(n for n in self._values() if n not in OPEN)
        for name in self.databases:
            yield f"Lemma {name}_class : class {name}."
            yield (
                f"Proof. unfold class, {name}. {SPLIT};\n"
                "  first [ apply listed_finite | solve [apply listed_pos; nonneg]\n"
                "  | solve [apply listed_limited; [nonneg | cbv; congruence | "
                f"repeat constructor; cbv [{known}] in *; cbn; repeat destruct dec; "
                "first [lia | congruence]]]\n"
                "  | solve [intros n S; apply listed_size in S; [subst n; "
                f"cbv [records {known}]; decided cell | nonneg | different]]\n"
                f"  | cbv [listed put {known}]; decided cell ]. Qed."
            )
        way, chosen, size = self._edit()
        yield "Lemma neighbouring : neighbours one other."
        yield (
            "Proof. split; [apply one_class | split; [apply other_class |]].\n"
            f"  {way}. {chosen}{SPLIT};\n"
            f"  first [solve [unfold one, other; {size}] "
            f"| cbv [one other listed put {known}] in *; decided cell]. Qed."
        )

    def _edit(self) -> tuple[str, str, str]:
        """Return how the databases are neighbours: the way there, parameters, and the size."""
        problem, world = self.setting.problem, self.world
        edits, names = problem.outer.edits, self.setting.outer_edits
        old, new = self.databases.values()
        ways = len(edits) * (1 if problem.outer.directed else 2)
        for at in range(ways):
            edit = edits[at % len(edits)]
            first, second = (old, new) if at < len(edits) else (new, old)
            for params in self._parameters(edit):
                if not world.links(edit, params, world.domain, first, second, world.cells):
                    continue
                sorts = dict(edit.params)
                chosen = [self.value(params[n], sorts[n]) for n in sorts]
                chosen += [str(sum(first.values()))] * reads_size(edit.guard)
                way = "; ".join(["right"] * at + ["left"] * (at < ways - 1)) or "idtac"
                text = f"unfold {names[at % len(edits)]}. "
                text += "".join(f"exists {c}. " for c in chosen)
                return way, text, "apply listed_sized; different"
        raise UnwrittenError("the edit between the two databases was not found again")

    def _parameters(self, edit: BoundEdit) -> Iterator[dict[str, Any]]:
        integers = self.data["granularity"]["integers"]
        pools = {
            CELL: self.world.cells, INT: integers, BOOL: (True, False), **self.world.elements
        }  # fmt: skip
        for values in product(*(pools[s] for _, s in edit.params)):
            yield dict(zip((n for n, _ in edit.params), values, strict=True))

    # ------------------------------------------------------------- what is seen of them

    @cached_property
    def unfolded(self) -> str:
        """What the values, views and databases are called, to be unfolded."""
        maps = self.setting.maps
        views = [made(kind, m) for kind in ("see", "mem") for m in maps]
        values = [n for n in self._values() if n not in OPEN]
        made_of = ["keep", "one", "other", "listed", "put", "power", "fst", "snd"]
        return " ".join(["see", *views, *made_of, *values])

    def distances(self) -> Iterator[str]:
        """Yield how far the parts see the databases apart, and that it is not less."""
        parts = self.setting.parts
        steps = {}
        for part in parts:
            seen = [r for r in self.data["parts"] if r["name"] == part.name]
            rows = ((_block(r["block"]), self._distance(r)) for r in seen)
            text = "".join(f"if dec (i = {block}) then {d}%nat else " for block, d in rows)
            steps[part.name] = f"({text}0%nat)"
        yield f"Definition steps (t : part) : nat := {self.setting.cases(steps)}."
        costs = self.setting.cases({p.name: self.setting.guarantee(p) for p in parts})
        yield f"Definition cost (t : part) : R := ({costs})%R."
        numbers = " ".join(of_spec(n) for n in self.data["values"])
        yield "Lemma cost_pos t : (0 <= cost t)%R."
        yield f"Proof. destruct t; cbv [cost {numbers}]; repeat destruct dec; lra. Qed."
        cells = [self.cell(c) for c in dict.fromkeys(c for d in self.databases.values() for c in d)]
        taken = (
            "vm_compute in It. repeat destruct It as [<- | It]; try contradiction;\n"
            "  cbn [steps] in n; repeat destruct dec; "
            "try lia; try tauto; try congruence; clear n;\n"
        )
        tried = " | ".join(
            f"solve [apply (f_equal (fun F => F {cell})) in same; "
            f"cbv [{self.unfolded}] in same; decided cell]"
            for cell in cells
        )
        yield "Lemma seen t : In t parts -> steps t <> 0%nat -> see t one <> see t other."
        yield f"Proof. intros It n same. {taken}  first [{tried}]. Qed."
        most = max((self._distance(r) for r in self.data["parts"]), default=0)
        yield f"Lemma near t : (steps t <= {max(most, 1)})%nat."
        yield "Proof. destruct t; cbn [steps]; repeat destruct dec; lia. Qed."
        if most > 1:
            yield from self._far(taken, cells)

    def _distance(self, row: Mapping[str, Any]) -> int:
        """Return how many steps a part is proved to be away, for a row of what is seen."""
        distance = row["distance"]
        if distance is None or distance > 2:
            raise UnwrittenError(f"{row['name']} is more than two steps away, and none is proved")
        return 1 if self.setting.common else int(distance)

    def _far(self, taken: str, cells: list[str]) -> Iterator[str]:
        """Yield that no single edit leads from what a part sees to what it sees after."""
        setting = self.setting
        rows = setting.cases({
            p.name: f"~ {setting.neighbours_of(p)} ({made('see', p.map.name)} i one) "
            f"({made('see', p.map.name)} i other)"
            for p in setting.parts
        })  # fmt: skip
        inner = [setting.neighbours_of(p) for p in setting.parts] + [
            n for p in setting.parts for n in setting.edits_of(p)
        ]
        each = "; ".join(f"pose proof (K {cell})" for cell in cells)
        yield f"Lemma far t : In t parts -> (1 < steps t)%nat -> {rows}."
        yield (
            f"Proof. intros It n. {taken}  unfold {', '.join(dict.fromkeys(inner))}; "
            "intros (_ & _ & same); repeat match goal with\n"
            "    | H : _ \\/ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H "
            "| H : _ /\\ _ |- _ => destruct H end;\n"
            f"  repeat match goal with K : forall c : cell, _ |- _ => {each}; clear K end;\n"
            f"  cbv [{self.unfolded}] in *; decided cell. Qed."
        )

    def conclusion(self) -> Iterator[str]:
        """Yield the theorem that the claim is refuted."""
        setting, numbers = self.setting, " ".join(of_spec(n) for n in self.data["values"])
        symbols = " ".join(of_spec(n) for n in self.world.symbols)
        yield "Lemma too_small : (bound < sum parts (fun t => INR (steps t) * cost t))%R."
        lists = dict.fromkeys(setting.blocks(m) for m in setting.maps.values())
        numbered = "".join(
            f" replace {r} with {_range(r, self.world.symbols)}%Z by reflexivity." for r in lists
        )
        yield (
            f"Proof. unfold bound, parts.{numbered} cbn [map app sum worst steps cost].\n"
            f"  cbv [{numbers} {symbols}]. repeat destruct dec; try lia; try congruence; try lra; "
            "unfold Rmax; repeat destruct Rle_dec; cbn [INR]; lra. Qed."
        )
        private = [made("private", p.name) for p in setting.parts]
        opened = [*private, *(made("reads", p.name) for p in setting.parts if setting.common)]
        rows = setting.cases({p.name: setting.neighbours_of(p) for p in setting.parts})
        several = any(self._distance(r) > 1 for r in self.data["parts"])
        far = "apply path_single in H. pose proof (far t It ltac:(lia)). destruct t; auto."
        far = far if several else "lia."
        yield f"Theorem {REFUTED} : refutation."
        if setting.common:
            yield (
                "Proof. destruct (attained_common part (db cell) (fun _ => db cell) neighbours see "
                "cost parts steps one other) as (M & P & R & W).\n"
                "  - apply cost_pos.\n"
                "  - intros t It. split; [apply near | intros e; apply seen; [assumption | lia]]."
            )
            each = "first [now apply (P ({0} i)) | now apply (R ({0} i))]"
        else:
            yield (
                "Proof. destruct (attained part (db cell) (fun _ => db cell) "
                f"(fun t => {rows}) see cost parts steps one other) as (M & P & W).\n"
                "  - apply cost_pos.\n"
                "  - intros t s It L H. pose proof (near t). "
                f"assert (s = 0%nat \\/ s = 1%nat) as [-> | ->] by lia.\n"
                "    + apply path_none in H. apply (seen t); [assumption | lia | exact H].\n"
                f"    + {far}"
            )
            each = "now apply (P ({0} i))"
        proofs = " | ".join(each.format(made("part", p.name)) for p in setting.parts)
        yield (
            "  - exists (fun _ => bool), M. "
            f"unfold {', '.join(opened)}, claim, composition. {SPLIT};\n"
            f"    try (intros i h F G Ii n; first [{proofs}]).\n"
            "    intros C. destruct (W bound too_small) as (S & N). "
            "apply N, (C one other neighbouring S). Qed."
        )


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _occurs(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w']){re.escape(name)}(?![\w'])", text) is not None


def _number(value: str) -> str:
    return f"{real({'op': 'Num', 'value': str(Fraction(value))})}%R"


def _parameter(values: Any) -> str:
    """Return the numbers of a parameter: one, or one for each block."""
    if isinstance(values, str):
        return _number(values)
    rows = "".join(f"if dec (i = {_block(block)}) then {_number(v)} else " for block, v in values)
    return f"fun i => {rows}0%R"


def _block(block: Sequence[int]) -> str:
    """Return a block: its number, a pair of two, or 1 where a map has none."""
    numbers = [str(n) for n in block]
    return f"({', '.join(numbers)})" if len(numbers) > 1 else "".join(numbers) or "1"


def _range(blocks: str, symbols: Mapping[str, int]) -> str:
    """Return the blocks of a map as a list, with the numbers of symbols."""
    known = {of_spec(n): v for n, v in symbols.items()}
    sizes = [known[s] if s in known else int(s) for s in blocks.strip("()").split()[1:]]
    listed = product(*(range(1, size + 1) for size in sizes))
    return f"[{'; '.join(map(_block, listed))}]"
