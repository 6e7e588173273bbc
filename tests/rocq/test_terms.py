"""Formulas as propositions: Rocq proves of them in a finite world what the evaluator says."""

from __future__ import annotations

import random

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq import check, rocq_file
from dpcomp_sym.rocq.statement import HEADER
from dpcomp_sym.rocq.terms import RocqTerms, proposition
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import BOOL, Environment, Scope, evaluate, parse

CELLS = [("u", 0, True), ("u", 2, False), ("v", -1, True)]
SCOPE = Scope(
    variables={"x": "cell", "y": "cell", "n": "int", "forall": "int"},
    constants={"u": "who", "v": "who"},
    attributes={"who": "who", "day": "int", "new_one": "bool"},
    functions={"next": (("int",), "int"), "near": (("who", "int"), "bool")},
    databases=("D",),
)
WORLD = f"""{HEADER}
Section World.
Inductive who_t : Type := u_ | v_.
Record cell := mk {{ who_of : who_t; day_of : Z; new_one_of : bool }}.
Definition next_ (n : Z) : Z := n + 3.
Definition near_ (w : who_t) (n : Z) : Prop := w = u_ /\\ 1 <= n.
Definition D (c : cell) : Z :=
  match who_of c with u_ => if new_one_of c then 2 else 1 | v_ => 0 end.
Lemma dec_yes (P : Prop) A (a b : A) : P -> (if dec P then a else b) = a.
Proof. intros. destruct (dec P); tauto. Qed.
Lemma dec_no (P : Prop) A (a b : A) : ~ P -> (if dec P then a else b) = b.
Proof. intros. destruct (dec P); tauto. Qed.
Ltac yes := lazymatch goal with
  | |- True => exact I
  | |- _ /\\ _ => split; yes
  | |- _ \\/ _ => first [left; yes | right; yes]
  | |- _ <-> _ => first [split; intros _; yes | cut_not]
  | |- ~ _ => no
  | |- ?A -> ?B => first [intros _; yes | cut (~ A); [tauto | no]]
  | |- _ => chosen; first [reflexivity | lia | congruence]
  end
with cut_not := lazymatch goal with |- ?A <-> ?B => cut (~ A /\\ ~ B); [tauto | split; no] end
with no := lazymatch goal with
  | |- ~ False => intros []
  | |- ~ (?A /\\ ?B) => first [cut (~ A); [tauto | no] | cut (~ B); [tauto | no]]
  | |- ~ (?A \\/ ?B) => cut (~ A /\\ ~ B); [tauto | split; no]
  | |- ~ (?A <-> ?B) => first [cut (A /\\ ~ B); [tauto | split; [yes | no]]
                             | cut (~ A /\\ B); [tauto | split; [no | yes]]]
  | |- ~ ~ ?A => cut A; [tauto | yes]
  | |- ~ (?A -> ?B) => cut (A /\\ ~ B); [tauto | split; [yes | no]]
  | |- ~ _ => chosen; first [lia | congruence]
  end
with chosen := repeat match goal with |- context [if dec ?P then ?a else ?b] =>
    first [rewrite (dec_yes P _ a b) by yes | rewrite (dec_no P _ a b) by no] end.
Ltac decided := cbv [near_ next_ D who_of day_of new_one_of]; yes.
"""
FUNCTIONS = {"next": lambda n: n + 3, "near": lambda w, n: w == "u" and n >= 1}
DATABASE = {CELLS[0]: 2, CELLS[1]: 1}


def integer(draw, depth):
    if depth == 0:
        return draw.choice(["n", "forall", "day(x)", "D[x]", "D[y]", "0", "2", "-1", "day(y)"])
    a, b = integer(draw, depth - 1), integer(draw, depth - 1)
    forms = [f"({a} + {b})", f"({a} - {b})", f"2*{a}", f"-({a})", f"next({a})",
             f"({a} if {formula(draw, depth - 1)} else {b})"]  # fmt: skip
    return draw.choice(forms)


def formula(draw, depth):
    if depth == 0:
        plain = ["new_one(x)", "who(x) == u", "who(x) != who(y)", "x == y", "near(who(y), n)",
                 "(who(x), n) == (u, day(y))", "true"]  # fmt: skip
        sign = draw.choice(["<", "<=", ">", ">=", "==", "!="])
        return draw.choice([*plain, f"{integer(draw, 0)} {sign} {integer(draw, 0)}"])
    a, b = formula(draw, depth - 1), formula(draw, depth - 1)
    m, n = integer(draw, depth - 1), integer(draw, depth - 1)
    forms = [f"({a} and {b})", f"({a} or {b})", f"(not {a})", f"implies({a}, {b})",
             f"({m} < {n})", f"({m} == {n})", f"(({a}) == ({b}))"]  # fmt: skip
    return draw.choice(forms)


def written(cell):
    who, day, new = cell
    return f"(mk {who}_ ({day}) {str(new).lower()})"


@pytest.mark.rocq
def test_rocq_proves_of_random_formulas_what_the_evaluator_says():
    draw, lines, values = random.Random(7), [WORLD], []
    for number in range(150):
        term = parse(formula(draw, draw.choice([0, 1, 1, 2])), SCOPE, BOOL)
        x, y, n, m = draw.choice(CELLS), draw.choice(CELLS), draw.randint(-2, 3), draw.randint(0, 2)
        known = {"x": x, "y": y, "n": n, "forall": m}
        env = Environment(known, FUNCTIONS, {"who": 0, "day": 1, "new_one": 2}, {"D": DATABASE})
        holds = evaluate(term, env)
        values.append(holds)
        text = proposition(term, RocqTerms())
        claim = text if holds else f"~ {text}"
        lines.append(
            f"Lemma l{number} : (fun (x_ y_ : cell) (n_ forall_ : Z) => {claim}) "
            f"{written(x)} {written(y)} ({n}) ({m}). Proof. decided. Qed."
        )
    lines.append("Theorem proved : True. Proof. exact I. Qed.\nEnd World.\n")
    assert 40 < sum(values) < 110
    answer = check("\n".join(lines))
    assert answer.accepted, answer.message


@pytest.mark.parametrize(
    "text", ["near(who(x), size(D))", "D[x] >= size(D)"]
)  # fmt: skip
def test_the_size_is_refused_where_only_cells_can_be_read(text):
    with pytest.raises(UnwrittenError, match="size"):
        proposition(parse(text, SCOPE, BOOL), RocqTerms())


def test_names_are_kept_apart():
    text = proposition(parse("forall + n == day(x)", SCOPE, BOOL), RocqTerms())
    assert text == "((forall_ + n_) = (day_of x_))"


HIDDEN = """
[domain]
attributes = {{ id = "R", day = "int" }}
functions = {{ h = [["int"], "int"] }}
[granularity]
[[granularity.edit]]
params = {{ x = "cell", {param} = "int" }}
guard = "day(x) == {param}"
change = {{ x = "1" }}
[[map]]
name = "m"
index = {{ {index} = "k" }}
member = "day(c) == {index}"
[[part]]
name = "p"
map = "m"
"""


@pytest.mark.parametrize(
    ("param", "index", "why"),
    [("h", "i", "h is a parameter of an edit"), ("t", "h", "h is an index of m")],
)
def test_a_name_that_hides_another_one_is_refused(tmp_path, param, index, why):
    place = tmp_path / "hidden.toml"
    place.write_text(HIDDEN.format(param=param, index=index), encoding="utf-8")
    found = load_spec(place, ()).derive()
    with pytest.raises(UnwrittenError, match=why):
        rocq_file(certificate(found.theorems, found))
