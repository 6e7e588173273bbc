"""What the replay makes of records that may be many: as the kernel does, and of nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import polynomial
from dpcomp_sym.replay.rules.profiles import compose_profile
from dpcomp_sym.replay.terms import Reader, make
from tests.certificates.both import plain
from tests.kernel import test_coverage as kernels
from tests.kernel.rejects import FRAMED
from tests.kernel.test_patterns import ALWAYS, COUNT, SEEN, T, composed, pattern, within
from tests.kernel.world import INF, num


def node(term, kind):
    return Reader().value(plain(term), kind)


def accepted(*facts, vectors, of=FRAMED):
    """Return whether the replay composes a profile of facts."""
    said = tuple(node(f.statement, "Statement") for f in facts)
    ways = tuple(node(v, "Vector") for v in vectors)
    try:
        compose_profile(node(of, "Problem"), said, ways, ())
    except RejectedError:
        return False
    return True


R = k.Size("r")
WAYS = [
    kernels.several(),
    kernels.several(num(1)),
    kernels.several(k.Product((num(2), R))),
    kernels.several(INF),
    kernels.several(k.Size("s")),
    kernels.several(when=within(T, T)),
    kernels.several(when=ALWAYS),
    kernels.several(facts=k.Compared("le", T, T)),
    kernels.several(free=2),
    kernels.several(r=num("1/2")),
    kernels.several(r=num(2)),
    kernels.several(r=num(0)),
    k.Several(R, k.BlockPattern(1, ALWAYS, ())),
    pattern(),
    k.DifferenceVector(()),
]


@pytest.mark.parametrize("number", range(len(WAYS)))
def test_the_replay_agrees_with_the_kernel(number):
    together = kernels.fact(k.ChangedTogether(FRAMED, "frame", ("t",), ALWAYS, (
        k.Place("p", (), within(), ()),)))  # fmt: skip
    for facts in (
        (SEEN, COUNT, kernels.held()), (SEEN, COUNT, together),
        (SEEN, COUNT), (SEEN, COUNT, kernels.held(num(3)), together),
    ):  # fmt: skip
        ways = (WAYS[number],)
        assert accepted(*facts, vectors=ways) is (composed(*facts, vectors=ways) is not None)


def test_nothing_that_is_seen_is_below_every_choice():
    unseen = kernels.distance(0, (), of=FRAMED, edit="frame")
    assert accepted(unseen, kernels.touch(1, of=FRAMED, edit="frame"), vectors=(kernels.several(),))


A = ("Param", "eps")
LETTER = make("Letter", 1)
WHEN = make("Compared", "le", LETTER, make("Index", 1))
EVERY = make("Inf")
TIMES = make("Size", "r")
TRUE = make("Connected", "and", ())


def largest(value=A, count=EVERY, when=WHEN):
    return make("MaxOver", 1, TRUE, make("SumOver", ("k",), when, count, value))


def test_coverages_that_are_well_formed():
    assert make("Coverage", TIMES, largest())[0] == "Coverage"
    assert make("Coverage", TIMES, largest(make("Amount", make("Index", 1))))[1] == TIMES
    zero = make("Num", Fraction(0))
    assert polynomial(make("Coverage", zero, largest())) == {}
    assert polynomial(make("Coverage", TIMES, largest(zero))) == {}
    assert polynomial(make("Coverage", TIMES, largest())) != polynomial(largest())


def way(times=TIMES, r=None, count=EVERY, when=WHEN):
    seen = (make("Seen", "s", make("Num", Fraction(1)) if r is None else r),)
    return make("Several", times, make("BlockPattern", 1, TRUE, (
        make("Family", "p", count, seen, when),)))  # fmt: skip


OF_ROW = make("LetterAt", 1, (make("Index", 1),))
OTHER = make("LetterAt", 2, (make("Index", 1),))  # which nothing binds
WRONG = [
    lambda: make("Coverage", make("Num", Fraction(1, 2)), largest()),
    lambda: make("Coverage", TIMES, A),
    lambda: make("Coverage", TIMES, make("Coverage", TIMES, largest())),
    lambda: make("Coverage", TIMES, largest(make("Amount", LETTER))),
    lambda: make("Coverage", TIMES, largest(count=make("Num", Fraction(1)))),
    lambda: make("Coverage", TIMES, largest(when=make("Compared", "le", OF_ROW, LETTER))),
    lambda: make("Coverage", TIMES, largest(when=make("Compared", "le", OF_ROW, OTHER))),
    lambda: way(make("Num", Fraction(1, 2))),
    lambda: way(r=make("Amount", LETTER)),
    lambda: way(count=make("Num", Fraction(1))),
    lambda: way(when=make("Compared", "le", OF_ROW, OTHER)),
    lambda: way(when=make("Compared", "le", OF_ROW, LETTER)),
    lambda: make("Several", TIMES, way()),
    lambda: make("Several", TIMES, make("Vector", ())),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_not_well_formed_is_rejected(number):
    assert way()[0] == "Several"
    with pytest.raises(RejectedError):
        WRONG[number]()


def test_of_many_records_only_places_are_said():
    of = node(FRAMED, "Problem")
    far = (make("Seen", "s", make("Num", Fraction(1))),)

    def said(times=TIMES, terms=("t",), facts=TRUE, place=("p", (), WHEN, ())):
        return make("ChangedByRecords", of, "frame", times, terms, facts, (make("Place", *place),))

    assert said()[0] == "ChangedByRecords"
    for wrong in (
        {"times": make("Num", Fraction(1, 2))}, {"terms": ()}, {"facts": WHEN},
        {"place": ("q", (), WHEN, ())}, {"place": ("p", (1,), WHEN, ())},
        {"place": ("p", (), WHEN, far)},
    ):  # fmt: skip
        with pytest.raises(RejectedError):
            said(**wrong)


def test_another_map_is_not_one_of_several_patterns():
    """The parts that read a map are all listed, and there is one."""
    with pytest.raises(RejectedError):
        make("ProfileFact", node(FRAMED, "Problem"), (), (make("Several", TIMES, make(
            "BlockPattern", 1, TRUE, (make("Family", "q", EVERY, (), WHEN),))),))  # fmt: skip
