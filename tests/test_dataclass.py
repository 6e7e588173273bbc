"""Data classes whose methods are made later do what those of the standard library do."""

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

import dpcomp_sym
from dpcomp_sym.dataclass import dataclass as later


def made(by, **options):
    """The same class, made by one of both."""

    @by(**options)
    class Case:
        """A class of its own."""

        a: int
        b: tuple = ()
        c: list = field(default_factory=list, repr=False, compare=False)
        d: int = field(default=4, kw_only=True)

    return Case


OPTIONS = [
    {}, {"frozen": True}, {"frozen": True, "slots": True}, {"slots": True}, {"eq": False},
    {"frozen": True, "repr": False}, {"kw_only": True},
]  # fmt: skip


def tried(action):
    """What an action gives: its value, or the kind of its error."""
    try:
        return action()
    except Exception as error:  # noqa: BLE001
        return type(error)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_both_behave_alike(options):
    ours, usual = made(later, **options), made(dataclass, **options)
    given = {"a": 1} if options.get("kw_only") else {}
    args = () if given else (1,)

    def seen(kind):
        one, same, other = kind(*args, **given), kind(*args, **given), kind(a=2, b=(1,), d=7)
        plain = object.__repr__(one).partition(" at ")[0]
        return [
            repr(one).partition(" at ")[0] if "repr" in options else repr(one), plain,
            one == same, one != other, one == 1, [getattr(other, f.name) for f in fields(other)],
            kind.__hash__ is None, kind.__hash__ is object.__hash__,
            hash(one) == hash(same) if options.get("frozen") else None,
            tried(lambda: setattr(one, "a", 5)), tried(lambda: setattr(one, "new", 5)) is None,
            tried(lambda: delattr(one, "a")), tried(kind), tried(lambda: kind(1, 2, 3, 4, 5)),
            tried(lambda: kind(1, wrong=2)), kind.__match_args__, one.c is not same.c,
            replace(other, a=3).a, copy.copy(other).b, copy.deepcopy(other).d, kind.__doc__,
            hasattr(one, "__dict__"),
            [(p.name, p.kind) for p in inspect.signature(kind).parameters.values()],
        ]  # fmt: skip

    assert seen(ours) == seen(usual)
    if options.get("frozen"):
        assert hash(ours(1)) == hash(usual(1))


def test_what_a_class_says_itself_stays():
    @later(frozen=True)
    class Own:
        a: int

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 7

        def __repr__(self):
            return "own"

    @later
    class Changed:
        a: int

        def __post_init__(self):
            self.a += 1

    assert (Own(1), hash(Own(1)), repr(Own(2))) == (Own(2), 7, "own")
    assert Changed(1).a == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Changed(1))


def test_a_child_has_its_own_fields_and_those_of_its_parent():
    @later(frozen=True)
    class Parent:
        a: int

    @later(frozen=True)
    class Child(Parent):
        b: int = 2

    class Grown(Child):
        """No data class itself."""

    assert (Parent(1), repr(Child(1))) == (Parent(1), f"{Child.__qualname__}(a=1, b=2)")
    assert Parent(1) != Child(1) != Grown(1)
    assert [*inspect.signature(Grown).parameters] == ["a", "b"]
    with pytest.raises(FrozenInstanceError, match="'a'"):
        Grown(1).a = 2


def test_both_kinds_are_derived_from_each_other():
    @later(frozen=True)
    class Parent:
        a: int

    for by in (later, dataclass):

        @by(frozen=True)
        class Child(Parent):
            b: int = 2

        assert repr(Child(1)).endswith("Child(a=1, b=2)")
        with pytest.raises(FrozenInstanceError, match="'b'"):
            Child(1).b = 3

    @later(frozen=True)
    class Grandchild(Child):
        c: int = 3

    assert Grandchild(1) == Grandchild(1, 2, 3) != Grandchild(2)
    for by in (later, dataclass):
        with pytest.raises(TypeError, match="frozen"):
            by(type("Loose", (Parent,), {}))


def test_every_class_of_the_package_says_what_is_given_to_it():
    found = 0
    for module in pkgutil.walk_packages(dpcomp_sym.__path__, "dpcomp_sym."):
        if module.name == "dpcomp_sym.__main__":
            continue
        for one in vars(importlib.import_module(module.name)).values():
            if not (isinstance(one, type) and "__signature__" in vars(one)):
                continue
            told = inspect.signature(one).parameters
            assert {*told} == {f.name for f in dataclasses.fields(one)}
            found += 1
    assert found > 150


@later(frozen=True, slots=True)
class Stored:
    """For pickles a class must be found by its name."""

    a: int
    b: tuple = ()


def test_frozen_ones_with_slots_are_pickled():
    assert pickle.loads(pickle.dumps(Stored(1, (2,)))) == Stored(1, (2,))  # noqa: S301
