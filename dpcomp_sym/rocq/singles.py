"""Classes of single records whose values are written out: paths through others of the list.

Every database is one record, so that D is the record that goes and E the one that comes.  All pairs
of records are gone through, and between them each other record is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dpcomp_sym.model import Universe
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.rocq.edits import SPLIT, EditCase, ProofScript, joined
from dpcomp_sym.rocq.names import made, of_spec
from dpcomp_sym.rocq.statement import Setting
from dpcomp_sym.terms import BOOL, CELL, TRUE

__all__ = ["listed_singles", "singles_lemma"]

MOST_CELLS = 24
"""So many records of a list are gone through, at most."""
EDIT = (
    f"{SPLIT}; first [exact I | solve [unfold X; cbn; intuition congruence] "
    "| solve [unfold put; destruct dec; [lia | congruence]] | solve [cbn; intuition congruence] "
    "| intros c; unfold put; repeat destruct dec; lia]"
)


def listed_singles(setting: Setting, case: EditCase) -> list[str] | None:
    """Return all records, where databases are single ones and maps keep them; None otherwise."""
    domain, parts = setting.problem.domain, setting.parts
    sorts = domain.attribute_sorts.values()
    listed = all(s == BOOL or s in domain.enumerations for s in sorts)
    product_of_all = domain.universe is Universe.PRODUCT
    kept = product_of_all and all(p.map.member == TRUE and p.map.image is None for p in parts)
    pairs = [sort for _, sort in case.edit.params] == [CELL, CELL] and len(case.points) == 2
    if not (listed and kept and pairs and domain.cap == 1 and domain.size_terms):
        return None
    values = [("true", "false") if s == BOOL else map(of_spec, domain.enumerations[s])
              for s in sorts]  # fmt: skip
    found = [f"(mk {' '.join(row)})" for row in product(*values)]
    return found if len(found) <= MOST_CELLS else None


def singles_lemma(proof: ProofScript, case: EditCase, cells: list[str]) -> Iterator[str]:
    """Say that a part is one or two steps away, perhaps through a record that no edit names."""
    setting, (x, y) = proof.setting, case.points
    name, claims, rows = case.name, list[str](), list[str]()
    yield f"Lemma single_{name} D x : class D -> D x >= 1 -> D = fun c => put c x 1."
    yield (
        "Proof. intros K H. unfold class in K. splits. apply one_record; "
        "first [assumption | lia |\n"
        "  intros n S; match goal with T : forall n, sized D n -> _ |- _ => "
        "specialize (T n S); lia end]. Qed."
    )
    for part in setting.parts:
        yield from _class_of_one(proof, case, part)
        most = " + ".join(f"one_if ({made('mem', part.map.name)} i {p})" for p in (x, y))
        claims.append(f"(exists r, (r <= {most})%nat /\\ {proof.path(part, 'r')})")
        rows.append(_ways(proof, case, part, cells))
    yield joined(case, claims)
    attributes = [f"a{n}" for n, _ in enumerate(setting.problem.domain.attributes)]
    apart = "; ".join(
        f"destruct {p} as [{' '.join(f'{p}{a}' for a in attributes)}]; "
        f"destruct {', '.join(f'{p}{a}' for a in attributes)}" for p in (x, y)
    )  # fmt: skip
    of_map = ", ".join(made(kind, p.map.name) for p in setting.parts for kind in ("see", "mem"))
    yield (
        f"Proof. intros KD KE Ed. {case.chosen}\n"
        f"  splits. exists {x}, {y}. split; [assumption | split; [assumption|]]. intro i.\n"
        f"  assert (SD : D = fun c => put c {x} 1) by (apply single_{name}; [assumption | lia]).\n"
        f"  assert (SE : E = fun c => put c {y} 1).\n"
        "  { apply functional_extensionality. intro c. match goal with K : forall c, E c = _ |- _ "
        "=> rewrite K end.\n    rewrite SD. unfold put. repeat destruct dec; lia. }\n"
        f"  unfold one_if, {of_map}. repeat (destruct dec; [|tauto]). rewrite SD, SE.\n"
        f"  {apart}; cbn in *; try (exfalso; intuition discriminate); clear;\n"
        f"  {SPLIT};\n  [ " + "\n  | ".join(rows) + " ]. Qed."
    )


def _ways(proof: ProofScript, case: EditCase, part: BoundPart, cells: list[str]) -> str:
    """Return a tactic that finds one step, or two through any of the records."""
    step = _step(proof, case, part)
    tried = [f"solve [exists 1%nat; split; [lia | apply path1; {step}]]"]
    tried += [
        f"solve [exists 2%nat; split; [lia | apply path2 with (fun c => put c {cell} 1); {step}]]"
        for cell in cells
    ]
    return "first [ " + "\n    | ".join(tried) + " ]"


def _step(proof: ProofScript, case: EditCase, part: BoundPart) -> str:
    """Return a tactic: an inner edit, in some direction, exchanges one record for the other."""
    setting, directed = proof.setting, part.granularity.directed
    names = setting.edits_of(part)
    ways, found = len(names) * (1 if directed else 2), []
    for at in range(ways):
        name = names[at % len(names)]
        if [sort for _, sort in setting.edits[name].params] == [CELL, CELL]:
            way = ["right"] * at + ["left"] * (at < ways - 1)
            ends = "exists a, b" if at < len(names) else "exists b, a"
            found.append(f"solve [{'; '.join([*way, f'unfold {name}', ends, EDIT])}]")
    known = made(f"one_{case.name}", part.name)
    inside = f"apply {known}; first [exact I | unfold X; cbn; intuition congruence]"
    return (
        f"(split; [{inside} | split; [{inside} |]]; "
        "match goal with |- context [put _ ?a 1] => match goal with |- context [put _ ?b 1] => "
        f"first [{' | '.join(found)}] end end)"
    )


def _class_of_one(proof: ProofScript, case: EditCase, part: BoundPart) -> Iterator[str]:
    """Say that one record is in the class of a part, and give the tactic for one step."""
    setting = proof.setting
    inner = setting.class_of(part)
    known = made(f"one_{case.name}", part.name)
    yield f"Lemma {known} x : X x -> {inner} (fun c => put c x 1)."
    yield (
        f"Proof. intros Xx. unfold {inner}. {SPLIT}; first\n"
        "  [ solve [exists [x]; intros c; unfold put; destruct dec; intros; "
        "[subst; now left | congruence]]\n"
        "  | solve [intros n S; apply (sized_one _ _ x) in S; [lia | reflexivity]]\n"
        "  | solve [intros c; unfold put; destruct dec; intros; subst; first [assumption | lia]] "
        "]. Qed."
    )
