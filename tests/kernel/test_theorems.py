"""Theorems cannot be forged, or not without being found out."""

from __future__ import annotations

import copy
import dataclasses
import gc
import hashlib
import json
import pickle
import weakref
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.kernel import theorem as module
from tests.kernel.world import CANON, EUCLID, ONE, ZERO, A, M, N, at, fact, leq, private

FALSE = k.BoundLeq(ONE, ZERO, ())


@pytest.mark.parametrize(
    "attempt",
    [
        lambda t: type(t)(FALSE),
        lambda t: type(t).__new__(type(t)).statement,
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        lambda t: t.__getstate__(),
        lambda t: t.__setstate__({"statement": FALSE}),
        lambda t: t.__replace__(statement=FALSE),
        lambda t: t.__init__(),
        lambda t: type("Fake", (type(t),), {}),
        lambda t: setattr(type(t), "statement", FALSE),
        lambda t: delattr(type(t), "statement"),
    ],
)
def test_no_theorem_without_a_rule(attempt):
    with pytest.raises(k.KernelError):
        attempt(private())


@pytest.mark.parametrize("name", ["statement", "rule", "premises", "trust", "source", "other"])
def test_nothing_of_a_theorem_can_be_set(name):
    theorem = private()
    with pytest.raises(AttributeError):
        setattr(theorem, name, FALSE)
    with pytest.raises(AttributeError):
        object.__setattr__(theorem, name, FALSE)
    with pytest.raises(AttributeError):
        delattr(theorem, name)


def test_replace_is_not_possible():
    with pytest.raises((TypeError, k.KernelError)):
        dataclasses.replace(private(), statement=FALSE)  # type: ignore[type-var]
    assert not dataclasses.is_dataclass(k.Theorem)


def test_a_bare_object_is_found_out():
    fake = object.__new__(k.Theorem)
    assert not k.is_theorem(fake)
    assert k.is_theorem(private())
    for name in ("statement", "rule", "source", "premises", "arguments", "trust"):
        with pytest.raises(k.KernelError):
            getattr(fake, name)
    for call in (k.everywhere, lambda t: k.run_adaptively((t,)), k.dag, repr):
        with pytest.raises(k.KernelError):
            call(fake)


def test_look_alikes_are_found_out():
    class Fake:
        statement = private().statement
        rule, source, premises, trust = "given", "", (), frozenset()

    assert not k.is_theorem(Fake())
    for fake in (Fake(), private().statement, FALSE.text(), None):
        with pytest.raises(k.KernelError):
            k.everywhere(fake)  # type: ignore[arg-type]

    class Disguise(Fake):
        __class__ = k.Theorem  # type: ignore[assignment]

    assert isinstance(Disguise(), k.Theorem)
    assert not k.is_theorem(Disguise())
    with pytest.raises(k.KernelError):
        k.everywhere(Disguise())  # type: ignore[arg-type]


def test_an_object_that_equals_a_theorem_is_found_out():
    theorem = private()

    class Equal:
        statement = FALSE

        def __eq__(self, other):
            return True

        def __hash__(self):
            return hash(theorem)

    assert Equal() == theorem
    assert not k.is_theorem(Equal())
    with pytest.raises(k.KernelError):
        k.everywhere(Equal())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [k.Num, k.Sum, k.Param, k.Size])
def test_a_term_past_its_class_is_none(kind):
    class Two(k.Num):
        def as_json(self):
            return {"op": "Num", "value": "1"}

        def __eq__(self, other):
            return True

        __hash__ = k.Num.__hash__

    for smuggled in (object.__new__(Two), object.__new__(kind)):
        assert not k.is_made(smuggled)
        with pytest.raises(k.KernelError, match=r"cannot be .*<never made as a term>"):
            k.Sum((A, smuggled))
        with pytest.raises(k.KernelError, match="not a term"):
            leq(smuggled, smuggled)
        with pytest.raises(k.KernelError, match="not a term"):
            k.restrict(leq(A, A), (smuggled,))
    with pytest.raises(k.KernelError, match="no such kind of term"):
        Two(Fraction(1))


TERMS = [
    inner
    for theorem in (leq(A, k.Sum((A, ONE))), at(CANON))
    for inner in k.subterms(theorem.statement)
]


@pytest.mark.parametrize("term", TERMS, ids=lambda t: type(t).__name__)
def test_nobody_changes_a_term(term):
    before, digest = repr(term), term.digest()
    for name in ("_kept", *(f.name for f in fields(term))):
        for change in (object.__setattr__, setattr):
            with pytest.raises((AttributeError, TypeError)):
                change(term, name, ONE)
        for remove in (object.__delattr__, delattr):
            with pytest.raises((AttributeError, TypeError)):
                remove(term, name)
    with pytest.raises(k.KernelError, match="once"):
        term.__init__(*(getattr(term, f.name) for f in fields(term)))
    assert not hasattr(term, "__dict__")
    assert (repr(term), term.digest()) == (before, digest)
    as_read = json.dumps(term.as_json(), sort_keys=True, separators=(",", ":"))
    assert digest == hashlib.sha256(as_read.encode()).hexdigest()


def test_numbers_inside_a_term_are_its_own():
    given = Fraction(1, 2)
    number = k.Num(given)
    for out in (given, number.value):
        out._numerator = 7
    assert number.value == Fraction(1, 2)
    assert number == k.Num(Fraction(1, 2))


def test_copies_are_made_and_checked_anew():
    term = k.Sum((A, ONE))
    for other in (copy.deepcopy(term), pickle.loads(pickle.dumps(term))):  # noqa: S301  our own
        assert other == term
        assert hash(other) == hash(term)
        assert k.is_made(other)
    assert dataclasses.replace(term, items=(A,)) == k.Sum((A,))
    with pytest.raises(k.KernelError):
        dataclasses.replace(term, items=(1,))


def test_a_half_made_term_is_none():
    half = object.__new__(k.Num)
    with pytest.raises(k.KernelError):
        half.__init__(Fraction(-1))
    assert not k.is_made(half)
    with pytest.raises(k.KernelError):
        k.Sum((half,))


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((A,), {}), (((A,), ()), {}), ((), {"item": (A,)}), (((A,),), {"items": (A,)}),
     ((), {"items": (A,), "more": 1})],
)  # fmt: skip
def test_a_term_has_its_fields_and_no_others(args, named):
    with pytest.raises((TypeError, k.KernelError)):
        k.Sum(*args, **named)
    assert k.Sum(items=(A,)) == k.Sum((A,))


def test_there_is_no_key():
    hidden = [n for n in vars(module) if n.startswith("_") and not n.startswith("__")]
    assert set(hidden) == {"_Look", "_Record", "_Sealed", "_rule"}
    with pytest.raises(k.KernelError):
        module._rule("", trusts=None)(lambda: FALSE)
    with pytest.raises(TypeError):
        k.RULES["falsum"] = k.given  # type: ignore[index]


def test_a_patched_class_does_not_help(monkeypatch):
    class Fake:
        statement = FALSE

    monkeypatch.setattr(module, "Theorem", Fake)
    with pytest.raises(k.KernelError):
        k.restrict(Fake(), ())  # type: ignore[arg-type]


def test_theorems_can_be_forgotten():
    theorem = private()
    seen = weakref.ref(theorem)
    del theorem
    gc.collect()
    assert seen() is None


def test_dag_lists_each_step_once_and_premises_first():
    start = at(CANON)
    twice = k.run_adaptively((start, start))
    steps = k.dag(k.postprocess(twice, "h"))
    assert [t.rule for t in steps] == ["given", "run_adaptively", "postprocess"]
    assert steps[0] is start


def test_arguments_are_plain_data():
    weaker = k.weaken_metric(at(CANON), fact(k.MetricLeq(CANON, EUCLID)))
    assert weaker.arguments == (("private", k.Premise(0)), ("leq", k.Premise(1)))
    both = k.run_adaptively((at(CANON), at(EUCLID, mechanism=N)))
    assert both.arguments == (("parts", (k.Premise(0), k.Premise(1))),)
    told = fact(k.MetricLeq(CANON, EUCLID), tag="x")
    assert dict(told.arguments) == {
        "statement": told.statement, "kind": "smt", "tag": "x",
    }  # fmt: skip
    assert dict(private().arguments)["tag"] == "M pure"
    assert dict(k.given(k.Dependent(M, k.Composite(F1, F2))).arguments)["tag"] == "input"


D0 = k.DatabaseClass("D", "{}", ())
F1, F2 = (k.NamedMap(n, "", D0, D0, ()) for n in "fg")


def replayed(steps: tuple[k.Theorem, ...]) -> dict[int, k.Theorem]:
    """Run every step again from its recorded arguments."""
    made: dict[int, k.Theorem] = {}

    def value(x: Any, premises: list[k.Theorem]) -> Any:
        if isinstance(x, k.Premise):
            return premises[x.number]
        return tuple(value(y, premises) for y in x) if isinstance(x, tuple) else x

    for step in steps:
        premises = [made[id(p)] for p in step.premises]
        rule = k.RULES[step.rule]
        made[id(step)] = rule(**{n: value(x, premises) for n, x in step.arguments})
    return made


def test_derivations_can_be_replayed_from_their_record():
    start = k.rescale_guarantee(
        k.weaken_metric(at(CANON), fact(k.MetricLeq(CANON, k.Rescaled(ONE, EUCLID))))
    )
    end = k.postprocess(k.run_adaptively((start, at(EUCLID, mechanism=N))), "h")
    steps = k.dag(end)
    made = replayed(steps)
    for step in steps:
        again = made[id(step)]
        assert (again.statement, again.trust) == (step.statement, step.trust)


def test_all_rules_are_documented_and_exported():
    for name, rule in k.RULES.items():
        text = rule.__doc__ or ""
        assert "----" in text, name
        assert "Source:" in text, name
        assert getattr(k, name) is rule
        assert rule.__name__ == name


def test_repr_shows_the_statement():
    assert repr(leq(A, A)) == "<|- a <= a>"
