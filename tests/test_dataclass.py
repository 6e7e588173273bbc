"""Data classes that are made quickly do what those of the library do."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
import random
from typing import Any

import pytest

import dpcomp_sym
from dpcomp_sym.dataclass import dataclass

VALUES = (0, 1, "a", (1, 2), None)


def twins(rng: random.Random) -> tuple[type, type, list[str]]:
    """Return one class made in both ways, and which of its fields must be given."""
    options: dict[str, Any] = {"frozen": True}
    options |= {word: False for word in ("eq", "repr") if rng.randrange(4) == 0}
    namespace: dict[str, Any] = {"__doc__": "One.", "__annotations__": {}, "__module__": __name__}
    needed, usual = [], False
    for name in ("first", "second", "third", "fourth")[: rng.randrange(5)]:
        namespace["__annotations__"][name] = "int"
        special: dict[str, Any] = {
            word: False for word in ("repr", "compare") if rng.randrange(4) == 0
        }
        usual = usual or rng.randrange(3) == 0
        if usual and rng.randrange(2):
            special["default"] = rng.choice(VALUES)
        elif usual:
            special["default_factory"] = list
        else:
            needed.append(name)
        special["init"] = not usual or rng.randrange(5) > 0
        namespace[name] = dataclasses.field(**special)
    if rng.randrange(4) == 0:
        namespace["__hash__"] = lambda _: 5
    if rng.randrange(4) == 0:
        namespace["__eq__"] = lambda _, other: isinstance(other, str)
        namespace.setdefault("__hash__", None)  # as the language does
    elif rng.randrange(8) == 0:
        namespace["__hash__"] = None
    if rng.randrange(3) == 0:
        namespace["__post_init__"] = lambda self: object.__setattr__(self, "later", 1)
    quick, slow = (type("One", (), copy.copy(namespace)) for _ in range(2))
    return dataclass(**options)(quick), dataclasses.dataclass(**options)(slow), needed


def outcome(told: Any) -> Any:
    """Return what a call returns, or its error; without the address of an object."""
    try:
        return told()
    except (TypeError, AttributeError, dataclasses.FrozenInstanceError) as error:
        return type(error), str(error)


def test_random_classes_are_as_the_library_makes_them():
    rng, equal, hashed = random.Random(5), set(), 0
    for _ in range(300):
        quick, slow, needed = twins(rng)
        assert str(inspect.signature(quick)) == str(inspect.signature(slow))
        assert quick.__match_args__ == slow.__match_args__
        assert (quick.__hash__ is None) == (slow.__hash__ is None)
        assert vars(quick).keys() == vars(slow).keys()
        given = [{name: rng.choice(VALUES) for name in needed} for _ in range(3)]
        one, two = ([kind(**values) for values in given] for kind in (quick, slow))
        for a, b in zip(one, two, strict=True):
            assert vars(a) == vars(b)
            if "__repr__" in vars(quick):
                assert repr(a) == repr(b)
            if "__hash__" in vars(slow):
                assert outcome(lambda a=a: hash(a)) == outcome(lambda b=b: hash(b))
                hashed += 1
            for name in ("first", "other"):
                told = [outcome(lambda x=x, n=name: setattr(x, n, 1)) for x in (a, b)]
                assert told[0] == told[1]
                told = [outcome(lambda x=x, n=name: delattr(x, n)) for x in (a, b)]
                assert told[0] == told[1]
            assert vars(dataclasses.replace(copy.deepcopy(a))) == vars(a)
            assert a != b
        said = [[x == y for x in made for y in made] for made in (one, two)]
        assert said[0] == said[1]
        equal |= set(said[0])
        assert outcome(lambda q=quick: q(1, 2, 3, 4, 5))[0] is TypeError
    assert equal == {False, True}
    assert hashed > 100


@dataclass(frozen=True)
class Place:
    """A place."""

    row: int
    beside: Any = None


@dataclass(frozen=True)
class Named(Place):
    """A place with a name."""

    name: str = ""


class Plain(Place):
    """Not a data class itself."""


def test_classes_that_derive_from_one():
    assert Named(1, None, "x") == Named(1, name="x")
    assert Named(1) != Place(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Named(1).row = 2
    plain = Plain(1)
    plain.other = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain.row = 2
    assert plain.other == 3


def test_copies_and_what_holds_itself():
    place = Place(1, [])
    assert pickle.loads(pickle.dumps(place)) == place  # noqa: S301
    assert copy.copy(place) == place
    place.beside.append(place)
    assert repr(place) == "Place(row=1, beside=[...])"


def test_what_is_not_frozen_or_has_no_text_is_left_to_the_library():
    @dataclass
    class Open:
        """Open."""

        row: int

    @dataclass(frozen=True, slots=True)
    class Slim:
        """Slim."""

        row: int

    one = Open(1)
    one.row = 2
    assert one == Open(2)
    assert Slim.__slots__ == ("row",)
    assert hash(Slim(1)) == hash((1,))


def test_the_classes_of_the_program_are_as_the_library_makes_them():
    """Each class that is made quickly has the methods, fields and signature of its twin."""
    seen = 0
    for found in pkgutil.walk_packages(dpcomp_sym.__path__, "dpcomp_sym."):
        if found.name.endswith("__main__"):
            continue
        for kind in vars(importlib.import_module(found.name)).values():
            quick = inspect.isclass(kind) and kind.__module__ == found.name
            if not (quick and "__setattr__" in vars(kind) and dataclasses.is_dataclass(kind)):
                continue
            if kind.__setattr__.__code__.co_filename != dpcomp_sym.dataclass.__file__:
                continue
            seen += 1
            params = kind.__dataclass_params__
            assert params.frozen
            wanted = [
                (f.name, f.kw_only) for f in dataclasses.fields(kind) if f.init
            ]  # fmt: skip
            told = inspect.signature(kind).parameters.values()
            assert [(p.name, p.kind is p.KEYWORD_ONLY) for p in told] == wanted
    assert seen > 100
