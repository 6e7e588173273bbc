"""Our data classes behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field

import pytest

from dpcomp_sym import plain


def kinds(dataclass):
    """The same classes, made by one or the other."""

    @dataclass(frozen=True)
    class Base:
        """One."""

        x: int
        y: list = field(default_factory=list, compare=False)
        z: str = field(default="z", repr=False, hash=False)

    @dataclass(frozen=True)
    class Derived(Base):
        """One that has more, and a name of its own."""

        _: dataclasses.KW_ONLY
        more: int = 3
        known: int = field(default=0, init=False)
        made: list = field(init=False, default_factory=lambda: [7])

        def __post_init__(self):
            object.__setattr__(self, "z", self.z * 2)

        def __repr__(self):
            return "derived"

    @dataclass
    class Changing:
        """One that can be changed."""

        x: int = 1

    @dataclass(frozen=True, slots=True, order=True)
    class Slots:
        """One with slots, in an order."""

        x: int
        y: int = 2

    @dataclass(frozen=True, eq=False)
    class Same:
        """One that is equal to itself alone."""

        x: int = 0

    @dataclass(frozen=True)
    class Own:
        """One that knows when it is equal."""

        x: int

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 5

    @dataclass(frozen=True)
    class Nothing:
        """One without fields."""

    @dataclass(frozen=True, init=False, repr=False)
    class Bare:
        """One that is made otherwise."""

        x: int

        def __init__(self):
            object.__setattr__(self, "x", 9)

    return Base, Derived, Changing, Slots, Same, Own, Nothing, Bare


OURS, THEIRS = kinds(plain.dataclass), kinds(dataclasses.dataclass)


@plain.dataclass(frozen=True, slots=True)
class Kept:
    """One that copies and pickles find."""

    x: int
    y: tuple[int, ...] = ()


def outcome(function):
    """What comes of it, in words that do not tell the two apart."""
    try:
        return repr(function())
    except (TypeError, AttributeError) as error:
        return type(error).__name__ + str(error)


ASKED = [
    lambda base, *_: base(1),
    lambda base, *_: base(1, [2], "a"),
    lambda base, *_: base(),
    lambda base, *_: base(1, 2, 3, 4),
    lambda base, *_: base(1) == base(1, [5]),
    lambda base, *_: base(1) == base(1, z="y"),
    lambda base, *_: hash(base(1)) == hash(base(1, z="y")),
    lambda base, *_: base(1).y is base(1).y,
    lambda base, *_: setattr(base(1), "x", 2),
    lambda base, *_: setattr(base(1), "w", 2),
    lambda base, *_: delattr(base(1), "x"),
    lambda base, *_: inspect.signature(base).parameters.keys(),
    lambda base, *_: dataclasses.replace(base(1), x=5),
    lambda base, *_: dataclasses.asdict(base(1)),
    lambda base, *_: [(f.name, f.type) for f in dataclasses.fields(base)],
    lambda base, *_: base.__match_args__,
    lambda _, derived, *__: (derived(1), derived(1).z, derived(1).made, derived(1).more),
    lambda _, derived, *__: derived(1, [], "a", 4),
    lambda _, derived, *__: derived(1, more=4).more,
    lambda base, derived, *_: base(1) == derived(1),
    lambda _, derived, *__: setattr(derived(1), "more", 2),
    lambda *all_: hash(all_[2]()),
    lambda *all_: all_[2](2) == all_[2](2),
    lambda *all_: setattr(all_[2](2), "x", 5),
    lambda *all_: all_[3](1) < all_[3](1, 3),
    lambda *all_: all_[3](1) >= all_[3](1, 3),
    lambda *all_: all_[3](1) < 3,
    lambda *all_: setattr(all_[3](1), "x", 5),
    lambda *all_: all_[3](1).__slots__,
    lambda *all_: copy.copy(all_[3](1)),
    lambda *all_: all_[4]() == all_[4](),
    lambda *all_: (all_[5](1) == 3, hash(all_[5](1))),
    lambda *all_: (all_[6](), hash(all_[6]()) == hash(()), all_[6]() == all_[6]()),
    lambda *all_: (all_[7]().x, all_[7]() == all_[7](), hash(all_[7]()) == hash((9,))),
]


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_as_the_standard_library_has_it(number):
    ours = outcome(lambda: ASKED[number](*OURS))
    theirs = outcome(lambda: ASKED[number](*THEIRS))
    assert ours == theirs


def test_of_what_refers_to_itself():
    one = OURS[0](1)
    one.y.append(one)
    assert repr(one).endswith("Base(x=1, y=[...])")


def test_copies():
    one = Kept(1, (2,))
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - its own
    assert copy.copy(one) == copy.deepcopy(one) == one
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 3
