"""Expressions as objects: the same terms as when they are typed, and messages for what is none."""

from __future__ import annotations

import copy
import operator
import pickle
import random

import numpy as np
import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym.model.serial import problem_to_json
from dpcomp_sym.terms import BOOL, CELL, INT, Environment, conjuncts, evaluate, parse
from dpcomp_sym.terms.expression import Expression, written


def domain() -> dp.Domain:
    return dp.Domain(
        person="Person", hospital="Hospital", day=int, vip=bool, ward=["surgery", "eye"]
    )


def typed(text: str, over: dp.Domain, sort: str | None = None) -> object:
    variables = {"c": CELL, "x": CELL, "y": CELL, "i": INT}
    return parse(text, over.scope().having(variables, ("D",)), sort)


def test_expressions_are_what_is_typed():
    visits = domain()
    home = visits.function("household", "Person", "House")
    w = visits.symbol("w", at_least=1)
    c, D = visits.c, visits.D
    pairs = [
        ((home(c.person) == home(c.person)) & ~c.vip,
         "household(person(c)) == household(person(c)) and not vip(c)"),
        ((c.day < 3 + w) | (w - c.day >= 1), "day(c) < 3 + w or w - day(c) >= 1"),
        (abs(c.day - 7) <= 2 * w, "abs(day(c) - 7) <= 2*w"),
        ((c.day // 7) % 2 == 1, "(day(c)//7) % 2 == 1"),
        (c.ward == "surgery", "ward(c) == surgery"),
        (c.vip == True, "vip(c) == true"),  # noqa: E712 - a formula
        (D[c] >= 1, "D[c] >= 1"),
        (D[c.but(day=c.day - 1)] <= D.size, "D[replace(c, day, day(c) - 1)] <= size(D)"),
        (c.vip >> (c.day >= 1), "implies(vip(c), day(c) >= 1)"),
        (dp.implies(c.vip, c.day >= 1), "implies(vip(c), day(c) >= 1)"),
        (dp.when(c.vip, 1, c.day) != -c.day, "(1 if vip(c) else day(c)) != -day(c)"),
        (dp.smallest(c.day, 3) < dp.largest(w, 2), "min(day(c), 3) < max(w, 2)"),
        (np.int64(3) + c.day == sp.Integer(2) * w, "3 + day(c) == 2*w"),
        (sp.Integer(3) - c.day == c.day * np.int64(2), "3 - day(c) == day(c)*2"),
        (+c.day <= np.int8(3), "day(c) <= 3"),
        (np.int64(3) <= c.day, "day(c) >= 3"),
        (dp.agree(c, c, "day", "vip"), "agree(c, c, day, vip)"),
        (dp.differ_only(c, c, "day"), "differ_only(c, c, day)"),
        (dp.differ_in_one(c, c), "differ_in_one(c, c)"),
    ]  # fmt: skip
    for made, text in pairs:
        assert conjuncts(made._term) == conjuncts(typed(text, visits, BOOL)), text
        assert conjuncts(typed(str(made), visits, BOOL)) == conjuncts(made._term)


def test_random_expressions_are_read_back_as_they_were_made():
    """Brackets are where they must be, whatever operators follow each other."""
    over, rng = dp.Domain(day=int), random.Random(7)
    names = {name: over.symbol(name) for name in "ab"}
    used = set()

    def number(depth: int) -> object:
        if depth == 0:
            return rng.choice([*names.values(), names["a"] - 2, 3 * names["b"]])
        op = rng.choice([operator.add, operator.sub, operator.mul, abs, operator.neg, "//", "%"])
        used.add(op)
        left = number(depth - 1)
        if op in {abs, operator.neg}:
            return op(left)
        if op == "//":
            return left // rng.choice([2, 7])
        if op == "%":
            return left % rng.choice([2, 7])
        return op(left, rng.choice([number(depth - 1), 2, -3]))

    def formula(depth: int) -> Expression:
        if depth == 0:
            order = rng.choice([operator.lt, operator.eq, operator.ge, operator.ne])
            return order(number(2), number(2))
        op = rng.choice([operator.and_, operator.or_, operator.rshift, operator.invert])
        used.add(op)
        if op is operator.invert:
            return ~formula(depth - 1)
        return op(formula(depth - 1), formula(depth - 1))

    found = set()
    for _ in range(400):
        made = formula(2)
        read = parse(str(made), over.scope(), BOOL)
        for _ in range(5):
            at = Environment({name: rng.randint(-9, 9) for name in names})
            assert evaluate(read, at) == evaluate(made._term, at), str(made)
            found.add(evaluate(read, at))
    assert len(used) == 11
    assert found == {True, False}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda c, _: c.dya, "a record has no 'dya'; did you mean 'day'?"),
        (lambda c, _: c["dya"], "a record has no 'dya'; did you mean 'day'?"),
        (lambda c, _: c.but(dya=1), "a record has no 'dya'; did you mean 'day'?"),
        (lambda c, _: c.day == 1.5, "1.5 stands where int is expected: a whole number"),
        (lambda c, _: c.day + True, "True stands where int is expected: a whole number"),
        (lambda c, _: c.day == "monday", "'monday' stands where int is expected"),
        (lambda c, _: c.person < c.person, "'person(c)' is of sort Person and stands where int"),
        (lambda c, _: c.person == c.hospital, "'hospital(c)' is of sort Hospital and stands where"),
        (lambda c, _: c.day & c.vip, "'day(c)' is of sort int and stands where bool is expected"),
        (lambda c, _: c.vip & 1, "1 stands where bool is expected: a formula"),
        (lambda c, _: c.day / 2, "'day(c) / 2' is not a whole number: // rounds downwards"),
        (lambda c, _: c.ward == "eye) or (true", "'eye) or (true' stands where ward is expected"),
        (lambda c, D: D[c.day], "'day(c)' is of sort int and stands where cell is expected"),
        (lambda _, D: D[1, 2], "D[…]: a record has 5 attributes, not 2"),
        (lambda c, _: dp.agree(c, c, "dya"), "a record has no 'dya'"),
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused(wrong, said):
    visits = domain()
    with pytest.raises(dp.InputError) as caught:
        wrong(visits.c, visits.D)
    assert str(caught.value).startswith(said)


def test_a_formula_is_neither_true_nor_false():
    c = domain().c
    for test in (lambda: 1 <= c.day <= 3, lambda: not c.vip, lambda: c.day == 1 and c.vip,
                 lambda: c.day in [1, 2], lambda: bool(c.day)):  # fmt: skip
        with pytest.raises(TypeError, match=r"& \| ~"):
            test()
    assert (c.day == 1).is_same(c.day == 1)
    assert not (c.day == 1).is_same(c.day == 2)
    assert len({c.day}) == 1
    assert "day" in c.day._repr_latex_()
    assert not hasattr(c, "_repr_html_")
    assert "day" in dir(c)
    assert copy.copy(c.day).is_same(c.day)
    assert pickle.loads(pickle.dumps(c)).day.is_same(c.day)  # noqa: S301 - made here


def test_a_granularity_with_operators_is_the_one_in_words():
    visits = domain()
    home = visits.function("household", "Person", "House")
    w = visits.symbol("w", at_least=1)
    c, D = visits.c, visits.D
    made = dp.Granularity("household visits", [
        dp.Edit(f="House", t=int,
                frame=lambda f, t: (home(c.person) == f) & (t <= c.day) & (c.day < t + w) & ~c.vip,
                step=lambda old, new: new <= old),
        dp.Edit(x=c, y=c,
                guard=lambda x, y: (D[x] >= 1) & (x != y) & (x.person == y.person),
                change={"x": -1, "y": +1}),
    ])  # fmt: skip
    in_words = dp.Granularity("household visits", [
        dp.Edit({"f": "House", "t": "int"}, step="new <= old",
                frame="household(person(c)) == f and t <= day(c) and day(c) < t + w and "
                "not vip(c)"),
        dp.Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y and person(x) == person(y)",
                {"x": -1, "y": 1}),
    ])  # fmt: skip
    assert made == in_words
    named = dp.Domain(
        {"person": "Person", "hospital": "Hospital", "day": "int", "vip": "bool",
         "ward": ["surgery", "eye"]},
        functions={"household": (("Person",), "House")}, symbols={"w": "w >= 1"},
    )  # fmt: skip
    assert named == visits
    parts = [dp.Part("counts", "homes")]
    by = dp.library_map("partition", name="homes", by=home(c.person))
    assert by == dp.library_map("partition", name="homes", by="household(person(c))")
    left = dp.Problem(visits, made, [by], parts)
    right = dp.Problem(named, in_words, [by], parts)
    assert problem_to_json(left) == problem_to_json(right)
    assert dp.derive(left).bound().text == dp.derive(right).bound().text


def test_expressions_stand_wherever_texts_do():
    owners = dp.Domain(
        {"id": "Record", "owner": "Owner", "row": int, "vip": bool}, symbols={"m": "m >= 1"},
        cell=lambda c: c.row >= 1, facts=lambda c, D: (D[c] >= 1) >> (c.row <= D.size),
        limits=[(lambda c: c.owner, "m"), (lambda c: (c.row, c.vip), 1)],
        size=lambda D: D.size <= 9,
    )  # fmt: skip
    assert owners.cell == "row(c) >= 1"
    assert owners.facts == ("implies(D[c] >= 1, row(c) <= size(D))",)
    assert owners.limits == (("owner(c)", "m"), ("(row(c), vip(c))", 1))
    assert owners.size == ("size(D) <= 9",)
    c = owners.c
    user = dp.library_granularity("user", owner=c.owner)
    assert (
        user.bind(owners).edits == dp.library_granularity("user", owner="owner").bind(owners).edits
    )
    m = owners.symbol("n", at_least=1, at_most=5)
    assert owners.symbols["n"] == "n >= 1 and n <= 5"
    cover = dp.library_map("cover", name="cover", m=m, index={"i": m})
    assert (cover.multiplicity, dict(cover.index)) == ("n", {"i": "n"})
    own = dp.Map("own", c.row == 1, facts=[c.row >= 1], image={"r": c.row + 1})
    assert (own.member, own.facts, own.image) == (
        "row(c) == 1",
        ("row(c) >= 1",),
        {"r": "row(c) + 1"},
    )
    inner = dp.InnerClass(limits=[(c.owner, m)], size=owners.D.size <= 3)
    assert (inner.limits, inner.size) == ((("owner(c)", "n"),), ("size(D) <= 3",))


def test_a_problem_does_not_change_with_its_domain():
    visits = domain()
    problem = dp.Problem(visits, dp.library_granularity("unbounded"), [], [])
    before = problem_to_json(problem)
    visits.function("household", "Person", "House")
    visits.function("household", "Person", "House")  # a cell of a notebook that is run again
    visits.symbol("w")
    assert problem_to_json(problem) == before
    assert list(visits.symbols) == ["w"]
    kept = dict(visits.__dict__)
    for wrong in (
        lambda: visits.function("household", "Person", int),
        lambda: visits.function("day", "Person"),
        lambda: visits.function("f", "Persn", "House"),
        lambda: visits.function("f"),
        lambda: visits.symbol("day"),
        lambda: visits.symbol("D"),
        lambda: visits.symbol("a b"),
    ):
        with pytest.raises(dp.InputError):
            wrong()
    assert {n: visits.__dict__[n] for n in kept} == kept


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: dp.Domain({"id": "Record"}, limit=[]), "a domain takes no 'limit' beside its"),
        (lambda: dp.Domain(id="Record", limit=[("owner(c)", 1)]), "attribute 'limit' has a sort"),
        (lambda: dp.Domain(day=7), "attribute 'day' has a sort, a name or a list of values, not 7"),
        (lambda: dp.Domain(day=int, cell=lambda x: x.day > 1), "a function here has no parameter"),
        (lambda: dp.Domain(day=int, cell=lambda: None), "a function here returns an expression"),
        (lambda: dp.Edit({"x": "cell"}, gard="true"), "an edit takes no 'gard' beside"),
        (lambda: dp.Edit(x="cell", guard=lambda x: x.day > 1, change={"x": 1}),
         "a record has no 'day'"),
        (lambda: dp.Edit(x="cell", guard=lambda y: y != 1, change={"x": 1}),
         "a function here has no parameter 'y'; known here: x"),
    ],
)  # fmt: skip
def test_what_is_no_domain_or_edit_is_refused(wrong, said):
    with pytest.raises(dp.InputError) as caught:
        wrong()
    assert str(caught.value).startswith(said)


def test_functions_that_are_true():
    assert dp.Domain(day=int, cell=lambda: True).cell == "true"
    assert written(lambda: False) == "false"
