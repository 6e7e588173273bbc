"""Certificates of derivations: written, verified, and rejected when anything is changed."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym import kernel as k
from dpcomp_sym.certificates import recheck
from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.meaning import touched_profile
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate, steps_of, write
from dpcomp_sym.cli import main
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.model.serial import canonical, problem_from_json, problem_to_json
from dpcomp_sym.replay import RejectedError, read, replay, seal
from dpcomp_sym.replay.terms import Reader, make
from dpcomp_sym.replay.words import words
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements.plain import Plain
from tests.shares import shared

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(p.stem for p in (ROOT / "examples").glob("*.toml"))
MUTATED = ("ambulances-bounded-common", "bounded-partition-common", "fixed-size-unbounded")
NOTHING_ASKED = {
    "cover-replaced",
    "hundred-queries",
}  # how many blocks hold a record is declared, or the map has one; and records are counted
LARGER = ("bounded-partition", "nested", "user-level-limited")


def as_bytes(data):
    return json.dumps(data).encode()


def copied(data):
    return json.loads(json.dumps(data))


# ------------------------------------------------------------- what verifies


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_examples_verify_with_two_solvers(library, strangers, monkeypatch, name):
    data, (first, second_solver) = library.certificate(name), strangers
    monkeypatch.setattr(recheck, "FirstSolver", lambda: first)
    found = verify(read(as_bytes(data)), second_solver)
    derivation = library.derivation(name)
    assert found.verdict == derivation.verdict
    assert [n for n, _ in found.bounds] == list(derivation.theorems)
    number = len(found.questions)
    assert (number == 0) == (name in NOTHING_ASKED)
    second = "unsat" if SecondSolver.installed() else "not asked"
    asked = {"z3": {"unsat": number}, "cvc5": {second: number}} if number else {}
    assert found.solvers() == asked
    assert json.loads(json.dumps(found.as_json()))["verdict"] == "proved"


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_problems_are_read_as_they_were_written(library, name):
    problem = library.derivation(name).problem
    data = problem_to_json(problem)
    again = problem_from_json(json.loads(canonical(data)))
    assert problem_to_json(again) == data
    assert again.outer.edits == problem.outer.edits
    assert [p.map for p in again.bound_parts] == [p.map for p in problem.bound_parts]
    assert [p.guarantees for p in again.bound_parts] == [p.guarantees for p in problem.bound_parts]


def test_numbers_are_kept():
    problem = small(guarantees={"approximate": (Fraction(1, 3), Fraction(0))})
    data = problem_to_json(problem)
    assert data["parts"][0]["guarantees"] == [["approximate", ["1/3", "0/1"]]]
    assert problem_from_json(data).parts[0].guarantees == problem.parts[0].guarantees


def small(granularity="unbounded", **part):
    chosen = library_granularity(granularity) if isinstance(granularity, str) else granularity
    return Problem(
        Domain({"id": "Record"}),
        chosen,
        [library_map("partition", name="blocks")],
        [Part("counts", "blocks", **part)],
    )


def test_directed_and_grouped_neighbours():
    once = library_granularity("unbounded").edits
    for granularity in (
        Granularity("removal", [Edit({"x": "cell"}, "D[x] >= 1", {"x": "-1"})], directed=True),
        Granularity("two", once, group=2),
    ):
        derivation = derive(small(granularity, guarantees={"pure": ("eps",)}))
        found = verify(read(as_bytes(certificate(derivation.theorems, derivation))))
        assert found.verdict == "proved"


def test_a_class_that_databases_without_neighbours_leave():
    """The empty database is outside, and no edit leads from it or to it."""
    removal = Granularity("own", [Edit({"x": "cell"}, "size(D) >= 3", {"x": "-D[x]"})])
    inner = InnerClass(cap=1, size=["size(D) >= 1"])
    problem = Problem(
        Domain({"id": "Person"}, cap=1), removal,
        [library_map("identity", name="all")],
        [Part("M", "all", inner=inner, guarantees={"pure": ("eps",)})],
    )  # fmt: skip
    derivation = derive(problem)
    assert derivation.conditions["sensitivity"].verdict == "proved"
    found = verify(read(as_bytes(certificate(derivation.theorems, derivation))))
    assert found.bounds == (("pure", ("eps",)),)


def test_a_derivation_that_is_too_large_for_a_certificate(monkeypatch):
    derivation = derive(small(guarantees={"pure": ("eps",)}))
    monkeypatch.setattr("dpcomp_sym.replay.terms.MOST_WORK", 2000)
    with pytest.raises(InputError, match="too large for a certificate: term"):
        certificate(derivation.theorems, derivation)


@pytest.mark.in_turn
def test_the_words_are_those_of_the_kernel(library):
    for name in NAMES:
        for theorem in library.derivation(name).theorems.values():
            for value in theorem.statement.loss.guarantee:
                node = Reader().value(value.as_json(), "Expr")
                assert words(node) == value.text()


def test_bounds_that_are_printed_in_two_ways_are_rejected(library, monkeypatch, tmp_path):
    """A writer that loses factors of 2 makes no certificate, and verifies none."""
    name = "bounded-sums"
    file = tmp_path / "c.json"
    write(library.certificate(name), file)
    derivation = library.derivation(name)
    right = Plain.product

    def lossy(self, factors):
        return right(self, [f for f in factors if f != "2"])

    with monkeypatch.context() as patched:
        patched.setattr(Plain, "product", lossy)
        with pytest.raises(RejectedError, match=r"is printed as .*, and replayed as 2\*"):
            certificate(derivation.theorems, derivation)
        result = CliRunner().invoke(main, ["verify", str(file)])
        assert result.exit_code == 1
        assert "and replayed as 2*" in " ".join(result.output.split())
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 0


def test_the_verifier_does_not_load_the_kernel(library, tmp_path):
    file = tmp_path / "c.json"
    write(library.certificate("label-dp"), file)
    script = (
        "import sys; from pathlib import Path; from dpcomp_sym.replay import read;"
        "from dpcomp_sym.certificates.recheck import verify;"
        f"verify(read(Path({str(file)!r}).read_bytes()));"
        "print([m for m in sys.modules if m.startswith('dpcomp_sym.') and "
        "m.split('.')[1] in ('kernel', 'proof', 'derivation', 'certificate')])"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


# ------------------------------------------------------------- any changed field


def places(data, path=()):
    """All places in a document, with what stands there."""
    if path:
        yield path, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from places(value, (*path, number))


def others(value):
    """Other values of the same and of other types."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, bool(value), -value - 1, str(value)]
    if isinstance(value, str):
        return [value + "x", "", value[1:] or "y", None]
    if value is None:
        return [0, "", []]
    if isinstance(value, list):
        return [*([value[:-1], value[1:], [*value, value[-1]]] if value else [[0]]), {}]
    less = [{n: v for n, v in value.items() if n != gone} for gone in list(value)[:1]]
    return [*less, {**value, "more": 1}, []]


def changed(data, path, value):
    """The document with another value in one place; the rest is shared."""
    if not path:
        return value
    found = copy.copy(data)
    found[path[0]] = changed(data[path[0]], path[1:], value)
    return found


def survives(data):
    try:
        verify(data)
    except RejectedError:
        return False
    return True


def mutants(data, most, chosen=None):
    """Documents with one place changed, in at most so many ways each."""
    everywhere = [(p, v) for p, v in places(data) if p[0] != "seal" or chosen is None]
    if chosen is not None:
        everywhere = random.Random(7).sample(everywhere, min(chosen, len(everywhere)))
    for path, value in everywhere:
        for other in others(value)[:most]:
            if canonical(other) != canonical(value):
                yield path, other, changed(data, path, other)


@pytest.mark.long
@pytest.mark.parametrize("name", MUTATED)
def test_any_changed_field_is_rejected(library, name):
    data = copied(library.certificate(name))
    kept = [(path, other) for path, other, mutant in mutants(data, 2) if survives(mutant)]
    assert kept == []


@pytest.mark.in_turn
@pytest.mark.parametrize("name", [*MUTATED, *LARGER])
def test_some_changed_fields_are_rejected(library, name):
    data = copied(library.certificate(name))
    kept = [(path, other) for path, other, mutant in mutants(data, 1, 150) if survives(mutant)]
    assert kept == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_any_changed_field_of_any_example_is_rejected(library, name):
    data = copied(library.certificate(name))
    kept = [(path, other) for path, other, mutant in mutants(data, 5) if survives(mutant)]
    assert kept == []


@pytest.mark.parametrize("name", shared(1, ["bounded-partition-common", *LARGER]))
def test_changed_fields_are_rejected_under_a_new_seal(library, name):
    """The seal is not what protects: a forger can write a new one."""
    data = copied(library.certificate(name))
    kept = []
    for path, other, mutant in mutants(data, 2, 200):
        if "example" in path:
            continue  # other databases may refute the same condition: they are evaluated instead
        mutant["seal"] = seal(mutant)
        if survives(mutant):
            kept.append((path, other))
    assert kept == []


def test_examples_are_evaluated(library):
    """Databases that are changed are evaluated: they refute nothing then."""
    data = library.certificate("bounded-partition")
    check = Recheck(library.derivation("bounded-partition").problem)
    refuted = [r for r in data["conditions"] if r["verdict"] == "refuted"]
    assert len(refuted) == 3
    for row in refuted:
        example = row["example"]
        check.refuted(row["name"], row["about"], example)
        wrong = [
            {**example, f: v} for f in example for v in (None, {}, [[]], [1], [["x", 1]])
            if (f, v) != ("chosen", [1])  # one integer more that is tried
        ]  # fmt: skip
        wrong += [{**example, "E": []}, {**example, "E": example["D"]}, {**example, "more": 1}]
        wrong.append({**example, "blocks": []})
        if row["name"] == "compatibility":  # one block, named twice
            wrong.append({**example, "blocks": example["blocks"][:1] * 2})
        for other in wrong:
            with pytest.raises(RejectedError):
                check.refuted(row["name"], row["about"], other)
    with pytest.raises(RejectedError, match="do not refute"):
        check.refuted("partition", "blocks", refuted[0]["example"])
    rows = [r for r in data["evidence"] if r["example"] is not None]
    leaves = {leaf.step: leaf for leaf in replay(data).leaves}
    assert rows
    for row in rows:
        leaf = leaves[row["step"]]
        assert row["invariants"]
        check.supported(row, leaf)
        example = row["example"]
        for other in (
            {**row, "invariants": []},
            {**row, "question": "?"},
            {**row, "example": None},
            {**row, "example": {**example, "E": example["D"]}},
            {**row, "example": {**example, "blocks": []}},
        ):
            with pytest.raises(RejectedError):
                check.supported(other, leaf)


@pytest.mark.parametrize("name", MUTATED)
def test_steps_cannot_be_dropped_doubled_or_moved(library, name):
    data = copied(library.certificate(name))
    steps = data["steps"]
    for number in range(len(steps)):
        rest = steps[:number] + steps[number + 1 :]
        double = [*steps[:number], steps[number], *steps[number:]]
        moved = [steps[number], *rest]
        for other in (rest, double, moved):
            if other == steps:
                continue
            for renumbered in (False, True):
                mutant = {**data, "steps": other}
                if renumbered:
                    mutant["steps"] = [{**s, "step": n} for n, s in enumerate(other, 1)]
                mutant["seal"] = seal(mutant)
                assert not survives(mutant)


# ------------------------------------------------------------- false theorems, well written


def forged(library, name, change):
    """A certificate of what the kernel derives from changed facts; rejected for a reason."""
    derivation = library.derivation(name)
    problem = derivation.proof.problem
    theorems = {}
    for notion, theorem in derivation.theorems.items():
        made = {}
        for step in k.dag(theorem):
            arguments = {n: resolve(v, [made[p] for p in step.premises]) for n, v in step.arguments}
            try:
                made[step] = k.RULES[step.rule](**change(step.rule, arguments, problem))
            except k.KernelError:  # a bound that became another one is not made shorter
                assert step.rule == "change_guarantee"
                made[step] = arguments["private"]
        theorems[notion] = made[theorem]
    data = certificate(derivation.theorems, derivation)
    data = {**data, **steps_of(theorems)}
    played = replay(data)
    check = Recheck(derivation.problem)
    data["profile"] = touched_profile(check.meaning, played.statements)
    data["evidence"] = []
    for leaf in played.leaves:
        if leaf.kind != "given":
            row = {"step": leaf.step, "question": check.question(leaf.statement)}
            row["reason"] = check.reason(leaf.statement)
            data["evidence"].append({**row, "example": None, "invariants": []})
    data["seal"] = seal(data)
    return data


def resolve(value, premises):
    if isinstance(value, k.Premise):
        return premises[value.number]
    if type(value) is tuple:
        return tuple(resolve(v, premises) for v in value)
    return value


def with_statement(arguments, statement):
    return {**arguments, "statement": statement}


def unchanged(_rule, arguments, _problem):
    return arguments


def nearer(_rule, arguments, problem):
    """All finite distances become 0."""
    s = arguments.get("statement")
    if isinstance(s, k.BlockDistance) and s.distance == k.Num(Fraction(1)):
        zero = k.Num(Fraction(0))
        return with_statement(arguments, k.BlockDistance(problem, s.edit, s.part, s.touched, zero))
    return arguments


def fewer(_rule, arguments, problem):
    """Records lie in no block."""
    s = arguments.get("statement")
    if isinstance(s, k.TouchCount):
        zero = k.Num(Fraction(0))
        return with_statement(arguments, k.TouchCount(problem, s.edit, s.map, zero))
    return arguments


def smaller(rule, arguments, _problem):
    """The guarantees of the parts become 0."""
    s = arguments.get("statement")
    if rule == "given" and isinstance(s, k.Private):
        zeros = tuple(k.Num(Fraction(0)) for _ in s.loss.guarantee)
        loss = k.Neighbouring(s.loss.relation, s.loss.domain, zeros)
        return with_statement(arguments, k.Private(s.mechanism, s.notion, loss, ()))
    return arguments


def other_tag(rule, arguments, _problem):
    return {**arguments, "tag": "other"} if rule in {"given", "oracle"} else arguments


def other_kind(rule, arguments, _problem):
    return {**arguments, "kind": "finite"} if rule == "oracle" else arguments


def test_an_unchanged_derivation_is_no_forgery(library):
    assert verify(forged(library, "label-dp", unchanged)).verdict == "proved"


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("unbounded-partition", nearer, "not confirmed"),
        ("unbounded-partition", fewer, "not confirmed"),
        ("unbounded-partition", smaller, "the problem does not say so"),
        ("unbounded-partition", other_tag, "belongs|input"),
        ("unbounded-partition", other_kind, "decided again"),
        ("nested", nearer, "not confirmed"),
        ("user-level-limited", nearer, "not confirmed"),
        ("user-level-limited", fewer, "not confirmed"),
        ("ambulances", fewer, "not confirmed"),
    ],
)
def test_false_facts_are_found(library, name, change, reason):
    with pytest.raises(RejectedError, match=reason):
        verify(forged(library, name, change))


def test_facts_about_another_problem_are_rejected(library):
    data = copied(library.certificate("unbounded-partition"))
    other = library.certificate("unbounded-partition-nonexhaustive")
    for field in ("problem", "conditions", "profile", "evidence"):
        mutant = {**data, field: other[field]}
        mutant["seal"] = seal(mutant)
        assert data[field] == other[field] or not survives(mutant)


def test_wrong_facts_about_the_right_problem_are_rejected(library):
    check = Recheck(library.derivation("bounded-partition").problem)
    problem = check.meaning.term
    one, zero, two = (make("Num", Fraction(n)) for n in (1, 0, 2))

    def seen(r):
        return (make("Seen", "counts", r),)

    def vector(*groups):
        made = (make("Group", "blocks", c, seen(r), (), None) for c, r in groups)
        return make("Vector", tuple(made))

    kind, alone = make("Kind", "blocks", (1, 2), 1), make("Kind", "blocks", (1,), 1)
    wrong = [
        make("BlockDistance", problem, "edit 1", "counts", (1,), one),
        make("BlockDistance", problem, "edit 1", "counts", (1, 2), zero),
        make("BlockDistance", problem, "edit 1", "counts", (1, 2), make("Num", Fraction(1, 2))),
        make("BlockDistance", problem, "edit 1", "counts", (2, 1), one),
        make("BlockDistance", problem, "edit 1", "counts", (), one),
        make("BlockDistance", problem, "edit 1", "counts", (3,), one),
        make("BlockDistance", problem, "edit 2", "counts", (1,), one),
        make("BlockDistance", problem, "edit 1", "other", (1,), one),
        make("TouchCount", problem, "edit 1", "blocks", zero),
        make("TouchCount", problem, "edit 1", "other", one),
        make("Infeasible", problem, "edit 1", (kind,), ()),
        make("ProfileFact", problem, (), (vector((two, make("Inf"))),)),
        make("Infeasible", problem, "edit 1", (alone,), ()),
        make("Infeasible", problem, "edit 1", (alone,), (make("Range", "k", 2, None),)),
        make("Infeasible", problem, "edit 1", (alone,), (make("Range", "k", 1, 2),)),
        make("Infeasible", problem, "edit 1", (alone,), (make("Range", "l", 1, 1),)),
        make("Compatible", problem[4][0][4][2], problem[2], problem[1]),
    ]
    for statement in wrong:
        with pytest.raises(RejectedError):
            check.fact(statement)
    right = [
        make("BlockDistance", problem, "edit 1", "counts", (1, 2), one),
        make("BlockDistance", problem, "edit 1", "counts", (1, 2), two),
        make("TouchCount", problem, "edit 1", "blocks", two),
        make("Infeasible", problem, "edit 1", (make("Kind", "blocks", (1,), 2),), ()),
        make("Infeasible", problem, "edit 1", (alone,), (make("Range", "k", 1, 1),)),
    ]
    for statement in right:
        check.fact(statement)


NOT_POSITIVE = """
[domain]
attributes = {{ id = "Record" }}
symbols = {{ s = "{known}" }}
[granularity]
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= 1 and x != y and s <= 0"
change = {{ x = -1, y = 1 }}
[[map]]
name = "blocks"
use = "partition"
[[part]]
name = "p"
map = "blocks"
granularity = "unbounded_or_bounded"
guarantee = {{ pure = "eps" }}
"""


@pytest.mark.parametrize(
    ("known", "holds"),
    [
        ("s >= 1", True), ("1 <= s", True), ("s >= 0 and s != 0", True), ("s == 2", True),
        ("s >= 0", False), ("true", False), ("s <= 5", False), ("s != 0", False),
    ],
)  # fmt: skip
def test_ranges_from_one_on_cover_only_symbols_that_are_positive(known, holds):
    """For s >= 1 nothing changes; that covers all numbers only where s cannot be less."""
    check = Recheck(load_spec(NOT_POSITIVE.format(known=known)).problem)
    kinds = (make("Kind", "blocks", (1,), 1), make("Kind", "blocks", (2,), 1))
    ranges = (make("Range", "s", 1, None),)
    statement = make("Infeasible", check.meaning.term, "edit 1", kinds, ranges)
    distance = make(
        "BlockDistance", check.meaning.term, "edit 1", "p", (1,), make("Num", Fraction(0))
    )
    for fact in (statement, make("Restricted", distance, ranges)):
        if holds:
            check.fact(fact)
            continue
        with pytest.raises(RejectedError, match="not confirmed"):
            check.fact(fact)


NEAR = """
[domain]
attributes = { hospital = "Hospital", day = "int" }
symbols = { w = "w >= 1" }
[granularity]
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y and abs(day(x) - day(y)) < w"
change = { x = -1, y = 1 }
[[map]]
name = "hospitals"
use = "partition"
[[part]]
name = "p"
map = "hospitals"
guarantee = { pure = "eps" }
[part.granularity]
[[part.granularity.edit]]
params = { x = "cell" }
change = { x = 1 }
[[part.granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "x != y and day(x) == day(y)"
change = { x = -1, y = 1 }
"""


def test_facts_about_some_numbers_are_decided_for_these():
    check = Recheck(load_spec(NEAR).problem)
    one, two = (make("Num", Fraction(n)) for n in (1, 2))

    def known(r, *box):
        distance = make("BlockDistance", check.meaning.term, "edit 1", "p", (1, 2), r)
        return make("Restricted", distance, tuple(make("Range", *row) for row in box))

    for right in (known(one, ("w", 1, 1)), known(two, ("w", 2, None)), known(two, ("k", 2, 2)),
                  known(one, ("w", 1, 1), ("k", 3, None))):  # fmt: skip
        check.fact(right)
    assert check.questions[0].about == (
        "after edit 1, p sees distance at most 1 in a block with exactly x, y, for w = 1"
    )
    for wrong in (known(one, ("w", 1, 2)), known(one, ("w", 2, 2)), known(one, ("k", 1, 1)),
                  known(one, ("w", 1, 2), ("k", 1, 1))):  # fmt: skip
        with pytest.raises(RejectedError, match="not confirmed"):
            check.fact(wrong)
    other = make("TouchCount", Recheck(load_spec(NOT_POSITIVE.format(known="s >= 1")).problem)
                 .meaning.term, "edit 1", "hospitals", one)  # fmt: skip
    with pytest.raises(RejectedError, match="another problem"):
        check.fact(make("Restricted", other, (make("Range", "w", 1, 1),)))


# ------------------------------------------------------------- the second solver


@pytest.mark.skipif(not SecondSolver.installed(), reason="cvc5 is not installed")
def test_the_second_solver_answers_and_can_be_ended():
    solver = SecondSolver(seconds=2)
    try:
        assert solver.ask("(set-logic ALL)(assert false)(check-sat)") == "unsat"
        assert solver.ask("(set-logic ALL)(assert true)(check-sat)") == "sat"
        assert solver.ask("(set-logic ALL)(assert (check-sat)") == "unknown"
        assert solver.ask("nonsense") == "unknown"
        assert solver.ask("(set-logic ALL)(assert false)(check-sat)") == "unsat"
    finally:
        solver.close()


def test_a_solver_that_disagrees_is_a_rejection(library):
    class Contrary(SecondSolver):
        def ask(self, _script):
            return "sat"

    with pytest.raises(RejectedError, match="disagrees"):
        verify(library.certificate("label-dp"), Contrary())


def test_one_solver_is_told(library):
    class Silent(SecondSolver):
        def ask(self, _script):
            return "unknown"

    found = verify(library.certificate("label-dp"), Silent())
    number = len(found.questions)
    assert found.solvers() == {"z3": {"unsat": number}, "cvc5": {"unknown": number}}
    assert f"cvc5: 0 of {number}, no answer to {number}" in found.text()
