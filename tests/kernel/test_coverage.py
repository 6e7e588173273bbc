"""Records that may be many, each with integers of its own: terms, the rule, and what it refuses."""

from __future__ import annotations

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.statements import terms
from tests.kernel.rejects import ADD, EDITED, FRAMED, distance, touch
from tests.kernel.test_patterns import (
    ALWAYS,
    COUNT,
    SEEN,
    TWO_MAPS,
    I,
    J,
    T,
    composed,
    families_of,
    on_two_maps,
    pattern,
    within,
)
from tests.kernel.world import EPS, INF, ONE, A, K, fact, family, num, problem

R = k.Size("r")


def held(times=R, when=None, *, of=FRAMED, edit="frame", terms=("t",), facts=ALWAYS):
    place = k.Place("p", (), within() if when is None else when, ())
    return fact(k.ChangedByRecords(of, edit, times, terms, facts, (place,)))


def several(times=R, **named):
    return k.Several(times, pattern(**named))


def largest(value=EPS, when=None):
    return k.MaxOver(1, ALWAYS, k.SumOver(K, within() if when is None else when, INF, value))


def test_so_many_records_change_what_so_many_choices_cover():
    done = composed(SEEN, COUNT, held(), vectors=(several(),))
    assert done.statement.vectors == (several(),)
    bound = k.maximum_over_neighbours(family(), done).statement.loss.guarantee
    assert bound == (k.Coverage(R, largest()),)
    assert bound[0].text() == "max over r choices of t of sum(eps[i] for t <= i < t + w)"
    mu = k.BlockEntry("mu", K)
    rooted = k.maximum_over_neighbours(family("gaussian"), done).statement.loss.guarantee
    assert rooted == (k.Sqrt(k.Coverage(R, largest(k.Product((mu, mu))))),)


def test_what_is_not_seen_or_seen_without_end_is_no_coverage():
    for r, guarantee in ((0, num(0)), (INF, INF)):
        far = distance(r, (), of=FRAMED, edit="frame")
        done = composed(far, COUNT, held(), vectors=(several(r=num(0) if r == 0 else INF),))
        assert k.maximum_over_neighbours(family(), done).statement.loss.guarantee == (guarantee,)


@pytest.mark.parametrize(
    ("fine", "times", "of"),
    [(True, R, R), (True, num(2), num(3)), (True, R, INF), (True, R, k.Product((num(2), R))),
     (False, num(3), num(2)), (False, INF, R), (False, R, ONE), (False, R, k.Size("s"))],
)  # fmt: skip
def test_there_are_as_many_choices_as_records(fine, times, of):
    done = composed(SEEN, COUNT, held(times), vectors=(several(of),))
    assert (done is not None) is fine


@pytest.mark.parametrize(
    ("fine", "times", "named"),
    [(True, ONE, {}), (True, num(0), {}), (True, ONE, {"r": num(2)}), (False, R, {}),
     (False, num(2), {}), (False, INF, {}), (False, ONE, {"when": within(T, T)}),
     (False, ONE, {"facts": k.Compared("le", T, T)}), (False, ONE, {"free": 2}),
     (False, ONE, {"r": num("1/2")})],
)  # fmt: skip
def test_one_choice_is_a_pattern_by_itself(fine, times, named):
    done = composed(SEEN, COUNT, held(times), vectors=(pattern(**named),))
    assert (done is not None) is fine


@pytest.mark.parametrize(
    "vector",
    [
        several(when=within(T, T)),
        several(when=ALWAYS),
        several(facts=k.Compared("le", T, T)),
        several(free=2),
        several(r=num("1/2")),
        several(r=num(0)),
        k.Several(R, k.BlockPattern(1, ALWAYS, ())),
        pattern(),
        k.DifferenceVector(()),
    ],
)
def test_other_choices_are_refused(vector):
    assert composed(SEEN, COUNT, held(), vectors=(vector,)) is None


def test_what_is_known_of_each_record_is_not_known_of_all_blocks():
    """What one record would do is not what all of them do; nor is the contrary stated."""
    place = (k.Place("p", (), within(), ()),)
    together = fact(k.ChangedTogether(FRAMED, "frame", ("t",), ALWAYS, place))
    assert composed(SEEN, COUNT, held(), vectors=(pattern(),)) is None
    assert composed(SEEN, COUNT, together, vectors=(several(),)) is None
    assert composed(SEEN, COUNT, together, held(), vectors=(several(),)) is not None


def test_of_several_edits_each_is_said_by_one_of_the_vectors():
    of = problem(edits=(("frame", 0), ("add", 1)))
    known = (
        distance(1, (), of=of, edit="frame"), touch(INF, of=of, edit="frame"), held(of=of),
        distance(1, (1,), of=of, edit="add"), touch(1, of=of, edit="add"),
    )  # fmt: skip
    one = k.DifferenceVector((k.BlockGroup("p", ONE, (k.SeenDistance("s", ONE),)),))
    assert composed(*known, vectors=(several(), one), of=of) is not None
    assert composed(*known, vectors=(several(),), of=of) is None
    nothing = (*known[:3], distance(0, (1,), of=of, edit="add"), known[4])
    assert composed(*nothing, vectors=(several(),), of=of) is not None


def test_records_that_an_edit_names_lie_in_places_too():
    known = (touch(1), distance(1, (1,)), distance(1, (2,)), distance(2, (1, 2)))
    of_two = held(num(2), of=EDITED, edit="swap")
    assert composed(*known, of_two, vectors=(several(num(2), r=num(2)),), of=EDITED) is not None
    assert composed(*known, of_two, vectors=(several(num(2)),), of=EDITED) is None


REFUSED = [
    lambda: k.Coverage(num("1/2"), largest()),
    lambda: k.Coverage(A, largest()),
    lambda: k.Coverage(R, EPS),
    lambda: k.Coverage(R, k.Coverage(R, largest())),
    lambda: k.Coverage(R, largest(k.Product((k.Amount(T), EPS)))),
    lambda: k.Coverage(R, k.MaxOver(1, ALWAYS, k.Amount(T))),
    lambda: k.Coverage(R, k.MaxOver(1, ALWAYS, k.SumOver(K, within(), ONE, EPS))),
    lambda: k.Coverage(R, k.MaxOver(2, ALWAYS, k.SumOver(
        ("h", "l"), k.Connected("and", (
            k.Compared("eq", J, k.LetterAt(1, (k.Index(1),))), k.Compared("eq", I, k.Letter(2)),
        )), INF, A))),
    lambda: k.MaxOver(2, ALWAYS, k.SumOver(("h", "h"), k.Connected("and", (
        k.Compared("eq", J, k.LetterAt(1, (k.Index(1),))),
        k.Compared("eq", I, k.LetterAt(2, (k.Index(2),))),
    )), INF, A)),
    lambda: k.MaxOver(1, ALWAYS, k.Coverage(R, largest())),
    lambda: k.Several(num("1/2"), pattern()),
    lambda: k.Several(R, several()),
    lambda: k.Several(R, pattern(count=ONE)),
    lambda: k.Several(R, pattern(r=k.Amount(T))),
    lambda: k.Several(R, pattern(k.Connected("and", (
        k.Compared("le", I, k.LetterAt(2, (k.Index(1),))), k.Compared("eq", I, T))), free=2)),
    lambda: held(num("1/2")),
    lambda: held(terms=()),
    lambda: held(facts=k.Compared("le", I, T)),
    lambda: k.ChangedByRecords(FRAMED, "frame", R, ("t",), ALWAYS, (
        k.Place("p", (1,), within(), ()),)),
    lambda: k.ChangedByRecords(FRAMED, "frame", R, ("t",), ALWAYS, (
        k.Place("p", (), within(), (k.SeenDistance("s", k.Amount(T)),)),)),
    lambda: k.ChangedByRecords(FRAMED, "frame", R, ("t",), ALWAYS, (
        k.Place("q", (), ALWAYS, ()),)),
    lambda: k.ChangedByRecords(FRAMED, "frame", R, ("t",), ALWAYS, (
        k.Place("p", (), ALWAYS, ()),) * 2),
    lambda: k.ChangedByRecords(TWO_MAPS, "frame", R, ("t",), ALWAYS, (
        k.Place("p", (), within(), ()), k.Place("t", (1,), within(), ()))),
    lambda: k.ProfileFact(ADD, (), (several(name="q"),)),
    lambda: k.ProfileFact(ADD, (), (k.Several(R, k.BlockPattern(1, ALWAYS, (
        k.Family("p", INF, (), within()),))),)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_terms_that_are_not_well_formed(number):
    with pytest.raises(k.KernelError):
        REFUSED[number]()


def test_amounts_that_no_choice_decides_are_fine():
    there = k.Product((k.Amount(I), EPS))
    assert k.Coverage(R, largest(there)).most == largest(there)
    assert k.Several(R, pattern(r=k.Amount(I))).pattern == pattern(r=k.Amount(I))


def test_equal_coverages_have_one_form():
    twice = k.Product((num(2), EPS))
    one = k.Coverage(k.Sum((R, R)), largest(k.Sum((EPS, EPS))))
    assert normal(one) == normal(k.Coverage(k.Product((num(2), R)), largest(twice)))
    assert normal(k.Coverage(num(0), largest())) == num(0)
    assert normal(k.Coverage(R, largest(num(0)))) == num(0)
    assert normal(k.Coverage(R, largest())) != normal(largest())
    assert normal(k.Coverage(R, largest())) != normal(k.Coverage(ONE, largest()))


def test_the_number_of_choices_is_not_one_of_blocks():
    assert terms.open_sizes(k.Coverage(R, largest())) == frozenset()
    assert terms.base.loose(k.Coverage(R, largest())) == (0, 0)


def test_the_same_choices_in_two_maps():
    """Blocks of both maps count, for the same choices; another map's may not be left out."""
    far = {"s": ONE, "t": num(0), "u": ONE}
    counts_and_distances = on_two_maps(far)[:-1]
    said = fact(k.ChangedByRecords(TWO_MAPS, "frame", R, ("t",), ALWAYS, (
        k.Place("p", (), within(), ()), k.Place("t", (), within(), ()),
    )))  # fmt: skip
    rows = [("p", {"s": ONE, "t": num(0)}), ("t", {"u": ONE})]
    for some, fine in ((rows, True), (rows[:1], False), (rows[1:], False), (rows[::-1], True)):
        way = k.Several(R, families_of(*some))
        done = composed(*counts_and_distances, said, vectors=(way,), of=TWO_MAPS)
        assert (done is not None) is fine
