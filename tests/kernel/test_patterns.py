"""Blocks that change together: terms, the rule that composes them, and what it refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra import guarantees, inequalities
from dpcomp_sym.algebra.guarantees import worst_guarantee
from dpcomp_sym.algebra.means import with_letters
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.statements import terms
from tests.kernel.rejects import ADD, EDITED, FRAMED, distance, touch
from tests.kernel.world import (
    DELTA,
    EPS,
    INF,
    ONE,
    THREE,
    A,
    D,
    E,
    H,
    K,
    P,
    Q,
    fact,
    family,
    num,
    part,
    problem,
    seen,
)  # fmt: skip

T, U, I, J = k.Letter(1), k.Letter(2), k.Index(1), k.Index(2)
W = k.Symbol("w")
ALWAYS = k.Connected("and", ())


def plus(*items):
    return k.Combined("add", items)


def both(*items):
    return k.Connected("and", items)


def within(low=T, high=None):
    """low <= i < low + w."""
    end = plus(low, W) if high is None else high
    return both(k.Compared("le", low, I), k.Compared("lt", I, end))


def somewhere(
    when=None, *, of=FRAMED, edit="frame", terms=("t",), facts=ALWAYS, touched=(), far=()
):
    place = k.Place("p", touched, within() if when is None else when, far)
    return fact(k.ChangedTogether(of, edit, terms, facts, (place,)))


def pattern(when=None, *, free=1, facts=ALWAYS, count=INF, r=ONE, name="p"):
    seen = (k.SeenDistance("s", r),)
    one = k.Family(name, count, seen, within() if when is None else when)
    return k.BlockPattern(free, facts, (one,))


def composed(*facts, vectors, of=FRAMED, where=()):
    """Return the profile that facts make, None if it is refused."""
    try:
        return k.compose_profile(of, facts, vectors, where)
    except k.KernelError:
        return None


SEEN = distance(1, (), of=FRAMED, edit="frame")
COUNT = touch(INF, of=FRAMED, edit="frame")


def test_a_pattern_is_a_way_in_which_neighbours_differ():
    done = composed(SEEN, COUNT, somewhere(), vectors=(pattern(),))
    assert done.statement.vectors == (pattern(),)
    for notion, value in (("pure", EPS), ("zcdp", k.BlockEntry("rho", K))):
        bound = k.maximum_over_neighbours(family(notion), done)
        total = k.MaxOver(1, ALWAYS, k.SumOver(K, within(), INF, value))
        assert bound.statement.loss.guarantee == (total,)
    both_ = k.maximum_over_neighbours(family("approximate"), done).statement.loss.guarantee
    assert [e.body.value for e in both_] == [EPS, DELTA]
    rooted = k.maximum_over_neighbours(family("gaussian"), done).statement.loss.guarantee
    mu = k.BlockEntry("mu", K)
    squares = k.MaxOver(1, ALWAYS, k.SumOver(K, within(), INF, k.Product((mu, mu))))
    assert rooted == (k.Sqrt(squares),)
    assert k.weaken_profile(done, (pattern(),), ()).statement == done.statement


def test_where_nothing_is_seen_it_is_below_each_pattern():
    for r, fine in ((0, True), (1, False)):
        far = distance(r, (), of=FRAMED, edit="frame")
        nothing = composed(far, COUNT, vectors=(pattern(),))
        assert (nothing is not None) is fine
    assert composed(distance(0, (), of=FRAMED, edit="frame"), COUNT, vectors=()) is None


OTHERS = [
    pattern(within(high=plus(T, W, k.Integer(1)))),
    pattern(within(T, T)),
    pattern(ALWAYS),
    pattern(facts=k.Compared("le", T, T)),
    pattern(free=2),
    pattern(r=num("1/2")),
    pattern(r=num(0)),
    pattern(count=num(1)),
    k.BlockPattern(1, ALWAYS, ()),
    k.DifferenceVector(()),
]


@pytest.mark.parametrize("vector", OTHERS)
def test_another_pattern_is_refused(vector):
    assert composed(SEEN, COUNT, somewhere(), vectors=(vector,)) is None


def test_what_is_larger_will_do():
    two = touch(2, of=FRAMED, edit="frame")
    for vector in (pattern(count=num(2)), pattern(count=num(3)), pattern(r=num(2)), pattern()):
        assert composed(SEEN, two, somewhere(), vectors=(vector,)) is not None
    assert composed(SEEN, two, somewhere(), vectors=(pattern(count=ONE),)) is None
    far = distance(INF, (), of=FRAMED, edit="frame")
    assert composed(far, COUNT, somewhere(), vectors=(pattern(),)) is None
    endless = composed(far, COUNT, somewhere(), vectors=(pattern(r=INF),))
    bound = k.maximum_over_neighbours(family(), endless)
    assert bound.statement.loss.guarantee == (INF,)


def test_places_by_touched_records():
    facts = (
        touch(1), distance(1, (1,)), distance(1, (2,)), distance(2, (1, 2)),
    )  # fmt: skip
    any_block = somewhere(of=EDITED, edit="swap")
    for r, count, holds in ((2, INF, True), (2, num(2), True), (1, INF, False), (2, ONE, False)):
        vector = pattern(r=num(r), count=count)
        done = composed(*facts, any_block, vectors=(vector,), of=EDITED)
        assert (done is not None) == holds
    first, second = k.Compared("eq", T, I), k.Compared("eq", U, I)
    kinds = {(1,): first, (2,): second, (1, 2): both(first, second)}
    places = tuple(k.Place("p", touched, when, ()) for touched, when in kinds.items())
    said = fact(k.ChangedTogether(EDITED, "swap", ("a", "b"), ALWAYS, places))

    def families(*rows):
        made = (k.Family("p", INF, (k.SeenDistance("s", num(r)),), when) for when, r in rows)
        return (k.BlockPattern(2, ALWAYS, tuple(made)),)

    good = ((first, 1), (second, 1), (both(first, second), 2))
    assert composed(*facts, said, vectors=families(*good), of=EDITED) is not None
    assert composed(*facts, said, vectors=families(*reversed(good)), of=EDITED) is not None
    for bad in (good[:2], ((first, 1), (first, 1), good[2]), (*good[:2], (good[2][0], 1))):
        assert composed(*facts, said, vectors=families(*bad), of=EDITED) is None


TWO_MAPS = problem(("s", P), ("t", P), ("u", THREE), edits=(("frame", 0),))


def on_two_maps(far, *, of=TWO_MAPS):
    """Facts about three parts, and the pattern that follows from them."""
    facts = [
        k.TouchCount(of, "frame", "p", INF),
        k.TouchCount(of, "frame", "t", INF),
        *(k.BlockDistance(of, "frame", name, (), r) for name, r in far.items()),
        k.ChangedTogether(of, "frame", ("t",), ALWAYS, (
            k.Place("p", (), within(), ()), k.Place("t", (), within(), ()),
        )),
    ]  # fmt: skip
    return [fact(f) for f in facts]


def families_of(*rows):
    made = (
        k.Family(name, INF, tuple(k.SeenDistance(p, r) for p, r in far.items()), within())
        for name, far in rows
    )
    return k.BlockPattern(1, ALWAYS, tuple(made))


FIRST, SECOND = k.Compared("eq", T, I), k.Compared("eq", U, I)
FARTHER = both(FIRST, k.Compared("lt", k.Integer(3), I))
EACH = (touch(1), distance(1, (1,)), distance(1, (2,)), distance(2, (1, 2)))


def by_records(*when, facts=ALWAYS, held=((1,), (2,), (1, 2)), far=()):
    """Where the blocks are that hold the first record, the second one, and both."""
    said = when or (both(FIRST, k.Compared("ne", U, I)), SECOND, both(FIRST, SECOND))
    places = tuple(k.Place("p", h, p, far) for h, p in zip(held, said, strict=True))
    return fact(k.ChangedTogether(EDITED, "swap", ("x", "y"), facts, places))


def as_it_is(known):
    """What an edit changes, block by block, as its places say."""
    said = known.statement
    families = tuple(
        k.Family("p", ONE, (k.SeenDistance("s", num(len(p.touched))),), p.when) for p in said.places
    )
    return k.BlockPattern(2, said.facts, families)


def in_the_mean(*vectors, known=None, facts=EACH, within=None):
    known = by_records() if known is None else known
    whole = as_it_is(known) if within is None else within
    way = k.MeanOf(vectors, (whole,))
    return composed(*facts, known, vectors=(way,), of=EDITED) is not None


def at_one_place(r=2, when=FIRST, **named):
    return pattern(when, r=num(r), **named)


def test_two_records_do_what_each_of_them_would_do_in_the_mean():
    assert in_the_mean(at_one_place())
    assert in_the_mean(at_one_place(3, count=ONE))
    assert in_the_mean(k.DifferenceVector(()), at_one_place())
    assert in_the_mean(at_one_place(when=SECOND, free=2))
    narrow = both(k.Compared("le", k.Integer(1), T), k.Compared("le", k.Integer(1), U))
    mine = k.Compared("le", k.Integer(1), T)
    assert in_the_mean(at_one_place(facts=mine), known=by_records(facts=narrow))
    half = k.Num(Fraction(1, 2))
    nearer = (touch(1), distance(half, (1,)), distance(half, (2,)), distance(1, (1, 2)))
    assert in_the_mean(at_one_place(1, when=both()), facts=nearer)


def test_no_other_mean_of_places_is_concluded():
    assert not in_the_mean(at_one_place(1))
    assert not in_the_mean(at_one_place(count=num(0)))
    assert not in_the_mean(at_one_place(when=both(FIRST, k.Compared("lt", k.Integer(0), I))))
    assert not in_the_mean(at_one_place(facts=k.Compared("le", k.Integer(1), T)))
    assert not in_the_mean(at_one_place(), within=at_one_place())
    assert not in_the_mean(at_one_place(), within=k.DifferenceVector(()))
    assert not in_the_mean(at_one_place(name="q"))
    assert not in_the_mean()
    # Where the second record is is not known, or where both of them are.
    assert not in_the_mean(at_one_place(), known=by_records(FIRST, ALWAYS, both(FIRST, SECOND)))
    assert not in_the_mean(at_one_place(), known=by_records(FIRST, SECOND, FIRST))
    # A block with one record is seen as far as one with both.
    level = (touch(1), *(distance(2, t) for t in ((1,), (2,), (1, 2))))
    assert not in_the_mean(at_one_place(), facts=level)


def test_frames_and_distances_that_differ_are_no_mean_of_records():
    way = k.MeanOf((pattern(),), (pattern(),))
    assert composed(SEEN, COUNT, somewhere(), vectors=(way,)) is not None
    way = k.MeanOf((pattern(FIRST),), (pattern(),))
    assert composed(SEEN, COUNT, somewhere(), vectors=(way,)) is None
    told = by_records(far=(k.SeenDistance("s", num(0)),))
    assert not in_the_mean(at_one_place(), known=told, within=k.BlockPattern(2, ALWAYS, ()))


def test_what_is_known_of_all_blocks_is_known_of_those_with_one_record():
    known = by_records(FIRST, held=((),))
    whole = pattern(FIRST, free=2, r=num(2))
    assert in_the_mean(at_one_place(), known=known, within=whole)
    assert not in_the_mean(at_one_place(when=within()), known=known, within=whole)


def two_maps(far, *families, places="pq"):
    """Two records, a block of each of two maps for each; the second map sees them from so far."""
    of = problem(("s", P), ("u", Q), edits=(("swap", 2),))
    known = [touch(1, of, "swap", m) for m in "pq"]
    held = [(1,), (2,), (1, 2)]
    known += [distance(len(h), h, of, "swap", "s") for h in held]
    known += [distance(r, h, of, "swap", "u") for r, h in zip(far, held, strict=True)]
    said = dict(zip(held, (FIRST, SECOND, both(FIRST, SECOND)), strict=True))
    joint = k.ChangedTogether(of, "swap", ("x", "y"), ALWAYS, tuple(
        k.Place(m, h, when, ()) for m in places for h, when in said.items()
    ))  # fmt: skip
    whole = k.BlockPattern(2, ALWAYS, tuple(
        k.Family(m, INF, (k.SeenDistance(name, num(r)),), said[h] if m in places else ALWAYS)
        for name, m, rs in (("s", "p", (1, 1, 2)), ("u", "q", far))
        for h, r in zip(held, rs, strict=True) if r
    ))  # fmt: skip
    mean = k.BlockPattern(1, ALWAYS, tuple(
        k.Family(m, INF, (k.SeenDistance(name, num(2)),), when)
        for m, name, when in families
    ))  # fmt: skip
    way = k.MeanOf((mean,), (whole,))
    return composed(*known, fact(joint), vectors=(way,), of=of) is not None


def test_a_mean_of_places_in_two_maps():
    on_p, on_q = ("p", "s", FIRST), ("q", "u", FIRST)
    assert two_maps((1, 1, 2), on_p, on_q)
    assert two_maps((1, 1, 2), ("q", "u", FARTHER), on_p, on_q)
    assert not two_maps((1, 1, 2), on_p)
    assert not two_maps((1, 1, 2), on_q)
    assert two_maps((0, 0, 0), on_p)
    assert not two_maps((2, 1, 2), on_p, on_q)
    assert not two_maps((1, 2, 2), on_p, on_q)
    assert not two_maps((1, 1, 3), on_p, on_q)
    assert not two_maps((1, 1, 2), on_p, on_q, places="p")
    assert two_maps((1, 1, 2), on_p, ("q", "u", ALWAYS), places="p")


def test_letters_that_are_functions_are_those_of_the_edit():
    at, other = k.LetterAt(1, (k.Index(1),)), k.LetterAt(2, (k.Index(1),))
    one, two = k.Compared("eq", at, I), k.Compared("eq", other, I)
    known = by_records(one, two, both(one, two))
    assert in_the_mean(at_one_place(when=one), known=known)
    assert not in_the_mean(at_one_place(when=FIRST), known=known)


def test_a_mean_of_places_is_one_where_losses_are_convex():
    way = k.MeanOf((at_one_place(),), (as_it_is(by_records()),))
    done = composed(*EACH, by_records(), vectors=(way,), of=EDITED)
    bound = k.maximum_over_neighbours(family(), done).statement.loss.guarantee
    assert bound == (
        k.MaxOver(1, ALWAYS, k.SumOver(K, FIRST, INF, k.Product((num(2), EPS)))),
    )  # fmt: skip
    blocks = k.preprocess(k.everywhere(part("pure", guarantee=(EPS,))), P)
    stepped = k.run_family(k.convert(blocks, "zcdp", ()), K)
    whole = composed(*EACH, by_records(), vectors=(as_it_is(by_records()),), of=EDITED)
    assert (
        k.maximum_over_neighbours(stepped, done).statement.loss
        == k.maximum_over_neighbours(stepped, whole).statement.loss
    )


def test_another_edit_is_one_of_the_patterns_of_a_mean_and_within_it():
    of = problem(edits=(("swap", 2), ("add", 1)))
    seen_ = [distance(len(t), t, of) for t in ((1,), (2,), (1, 2))]
    known = (touch(1, of), touch(1, of, "add"), distance(1, (1,), of, "add"), *seen_)
    said = by_records().statement
    swap = fact(k.ChangedTogether(of, "swap", said.terms, said.facts, said.places))
    place = somewhere(FIRST, of=of, edit="add", touched=(1,))
    alone = pattern(FIRST, count=ONE)
    for within_, holds in (((as_it_is(swap), alone), True), ((as_it_is(swap),), False)):
        way = k.MeanOf((at_one_place(),), within_)
        assert (composed(*known, swap, place, vectors=(way,), of=of) is not None) is holds


def test_a_frame_is_one_of_the_patterns_of_a_mean_and_within_it():
    of = problem(edits=(("swap", 2), ("frame", 0)))
    known = [touch(1, of), touch(INF, of, "frame"), distance(1, (), of, "frame")]
    known += [distance(len(h), h, of) for h in ((1,), (2,), (1, 2))]
    said = by_records().statement
    swap = fact(k.ChangedTogether(of, "swap", said.terms, said.facts, said.places))
    frame = somewhere(of=of)
    for finer, rough, holds in (
        ((at_one_place(), pattern()), (as_it_is(swap), pattern()), True),
        ((at_one_place(),), (as_it_is(swap), pattern()), False),
        ((at_one_place(), pattern()), (as_it_is(swap),), False),
    ):
        way = k.MeanOf(finer, rough)
        assert (composed(*known, swap, frame, vectors=(way,), of=of) is not None) is holds
        beside = composed(*known, swap, frame, vectors=(at_one_place(), way), of=of)
        assert (beside is not None) is holds


def test_alternatives_are_not_all_that_holds():
    either = k.Connected("or", (FIRST, SECOND))
    assert not in_the_mean(at_one_place(), known=by_records(either, either, either))
    assert in_the_mean(at_one_place(when=either, free=2), known=by_records(either, either, either))


def test_distances_of_one_place_are_distances():
    known = by_records().statement
    first, *others = known.places
    told = k.Place("p", first.touched, first.when, (k.SeenDistance("s", num(0)),))
    some = fact(k.ChangedTogether(EDITED, "swap", known.terms, ALWAYS, (told, *others)))
    whole = as_it_is(by_records())
    within_ = k.BlockPattern(2, ALWAYS, whole.families[1:])
    assert composed(*EACH, some, vectors=(within_,), of=EDITED) is not None
    assert not in_the_mean(at_one_place(), known=some, within=within_)


def test_two_parts_on_one_map_of_which_one_sees_nothing():
    of = problem(("s", P), ("t", P), edits=(("swap", 2),))
    held = ((1,), (2,), (1, 2))
    known = [touch(1, of), *(distance(len(h), h, of) for h in held)]
    known += [distance(0, h, of, "swap", "t") for h in held]
    said = by_records().statement
    swap = fact(k.ChangedTogether(of, "swap", said.terms, said.facts, said.places))

    def seen_from(r, when):
        distances = (k.SeenDistance("s", num(r)), k.SeenDistance("t", num(0)))
        return k.Family("p", INF, distances, when)

    whole = k.BlockPattern(2, ALWAYS, tuple(seen_from(len(p.touched), p.when) for p in said.places))
    for r, holds in ((2, True), (1, False)):
        way = k.MeanOf((k.BlockPattern(1, ALWAYS, (seen_from(r, FIRST),)),), (whole,))
        assert (composed(*known, swap, vectors=(way,), of=of) is not None) is holds


def test_each_letter_becomes_the_one_that_is_chosen():
    for letter in (k.Letter, lambda n: k.LetterAt(n, (k.Index(1),))):
        before, after = (k.Compared("lt", letter(a), letter(b)) for a, b in ((1, 2), (3, 2)))
        assert with_letters(before, [3, 2]) == after


def test_a_mean_of_means_is_none():
    for both_ in (((k.MeanOf((), ()), pattern()), ()), ((pattern(),), (k.MeanOf((), ()),))):
        with pytest.raises(k.KernelError):
            k.MeanOf(*both_)


TWO_BLOCKS = pattern(count=num(2), r=num(2))
"""At most two blocks, each seen at distance 2."""
LARGER = [
    (pattern(count=num(2), r=num(2)), True),
    (pattern(count=num(2), r=num(3)), True),
    (pattern(count=num(5), r=num(2)), True),
    (pattern(r=INF), True),
    (pattern(count=num(2)), False),
    (pattern(count=ONE, r=num(2)), False),
    (pattern(ALWAYS, count=num(2), r=num(2)), False),
    (pattern(within(high=plus(T, W, W)), count=num(2), r=num(2)), False),
    (pattern(facts=k.Compared("le", T, T), count=num(2), r=num(2)), False),
    (pattern(free=2, count=num(2), r=num(2)), False),
    (k.BlockPattern(1, ALWAYS, ()), False),
    (k.BlockPattern(1, ALWAYS, (k.Family("p", INF, (), within()),)), False),
    (k.BlockPattern(1, ALWAYS, pattern(r=num(2)).families * 2), True),
    (k.MeanOf((pattern(r=num(2)),), (pattern(r=num(3)),)), True),
    (k.MeanOf((pattern(r=num(2)),), (pattern(),)), False),
    (k.MeanOf((pattern(),), (pattern(r=num(2)),)), False),
]


@pytest.mark.parametrize(("larger", "holds"), LARGER)
def test_a_pattern_is_below_one_of_the_same_blocks(larger, holds):
    start = fact(k.ProfileFact(FRAMED, (), (TWO_BLOCKS,)))
    if holds:
        assert k.weaken_profile(start, (larger,), ()).statement.vectors == (larger,)
    else:
        with pytest.raises(k.KernelError):
            k.weaken_profile(start, (larger,), ())


def test_of_two_families_each_needs_its_own():
    first, second = pattern(r=num(2)).families[0], pattern(ALWAYS).families[0]
    start = fact(k.ProfileFact(FRAMED, (), (k.BlockPattern(1, ALWAYS, (first, first)),)))
    assert k.weaken_profile(start, (k.BlockPattern(1, ALWAYS, (first, second, first)),), ())
    with pytest.raises(k.KernelError):
        k.weaken_profile(start, (k.BlockPattern(1, ALWAYS, (first, second)),), ())


def test_several_parts_and_maps():
    facts = on_two_maps({"s": ONE, "t": ONE, "u": ONE})
    right = families_of(("p", {"s": ONE, "t": ONE}), ("t", {"u": ONE}))
    assert composed(*facts, vectors=(right,), of=TWO_MAPS) is not None
    for wrong in (
        families_of(("p", {"s": ONE, "t": num(0)}), ("t", {"u": ONE})),
        families_of(("p", {"s": ONE, "t": ONE})),
        families_of(("t", {"u": ONE}), ("t", {"u": ONE})),
        families_of(("t", {"u": ONE})),
    ):
        assert composed(*facts, vectors=(wrong,), of=TWO_MAPS) is None
    facts = on_two_maps({"s": ONE, "t": num(0), "u": num(0)})
    one = families_of(("p", {"s": ONE, "t": num(0)}))
    assert composed(*facts, vectors=(one,), of=TWO_MAPS) is not None
    assert composed(*facts, vectors=(families_of(),), of=TWO_MAPS) is None


def test_totals_of_several_families():
    of = problem(("s", P), ("u", Q), edits=(("frame", 0),))

    def lost(notion, one, other, far):
        losses = (
            k.EachJoint(K, k.At(one, seen(P))), k.EachJoint(K, k.At(other, seen(Q))),
        )  # fmt: skip
        rows = (("p", {"s": ONE}), ("q", {"u": far}))
        return worst_guarantee(of, (families_of(*rows),), notion, k.Joint(losses))

    def total(*values):
        items = tuple(k.SumOver(K, within(), INF, v) for v in values)
        return k.MaxOver(1, ALWAYS, items[0] if len(items) == 1 else k.Sum(items))

    rho = k.BlockEntry("rho", K)
    assert lost("pure", (EPS,), (rho,), ONE) == (total(EPS, rho),)
    assert lost("pure", (ONE,), (rho,), ONE) == (total(ONE, rho),)
    assert lost("pure", (EPS,), (rho,), num(0)) == (total(EPS),)
    assert lost("pure", (num(0),), (num(0),), ONE) == (num(0),)
    assert lost("approximate", (EPS, DELTA), (rho, num(0)), ONE) == (total(EPS, rho), total(DELTA))
    assert lost("approximate", (EPS, DELTA), (rho, DELTA), INF) == (INF, INF)


def test_distances_of_places():
    long = k.Amount(plus(T, k.Combined("neg", (I,))))
    far = (k.SeenDistance("s", long),)
    done = composed(COUNT, somewhere(far=far), vectors=(pattern(r=long),))
    value = k.MaxOver(1, ALWAYS, k.SumOver(K, within(), INF, k.Product((long, EPS))))
    assert k.maximum_over_neighbours(family(), done).statement.loss.guarantee == (value,)
    assert composed(COUNT, somewhere(), vectors=(pattern(r=long),)) is None
    assert composed(COUNT, somewhere(far=far), vectors=(pattern(r=k.Amount(T)),)) is None


def test_facts_about_another_problem_or_edit_say_nothing():
    other = problem(edits=(("frame", 0), ("add", 1)))
    assert composed(SEEN, COUNT, somewhere(of=other), vectors=(pattern(),)) is None
    assert composed(SEEN, COUNT, vectors=(pattern(),)) is None
    add = somewhere(of=ADD, edit="add", touched=(1,))
    facts = (distance(1, (1,), of=ADD, edit="add"), touch(1, of=ADD, edit="add"))
    assert composed(*facts, add, vectors=(pattern(),), of=ADD) is not None
    assert composed(*facts, add, vectors=(k.DifferenceVector(()),), of=ADD) is None


LEVEL = k.LetterAt(1, (k.Index(1),))
EPOCH = k.Combined("div", (I, W))
BY_EPOCH = k.LetterAt(1, (EPOCH,))


def over_functions(when, *sizes, facts=ALWAYS, count=INF):
    """Return a largest value over functions of the first index, in families of two indices."""
    totals = [k.SumOver(x, when, count, A) for x in sizes or [("h", "l")]]
    return k.MaxOver(1, facts, k.Sum(tuple(totals)))


REFUSED = [
    lambda: k.Letter(0),
    lambda: k.Index(0),
    lambda: k.Combined("add", (T,)),
    lambda: k.Combined("neg", (T, U)),
    lambda: k.Combined("div", (T,)),
    lambda: k.Combined("power", (T, U)),
    lambda: k.Compared("ge", T, U),
    lambda: k.Connected("xor", ()),
    lambda: k.Connected("not", ()),
    lambda: k.MaxOver(0, ALWAYS, k.SumOver(K, within(), INF, EPS)),
    lambda: k.MaxOver(1, k.Compared("le", T, U), A),
    lambda: k.MaxOver(1, k.Compared("le", T, I), A),
    lambda: k.MaxOver(1, ALWAYS, k.Amount(I)),
    lambda: k.MaxOver(1, ALWAYS, k.MaxOver(1, ALWAYS, A)),
    lambda: k.MaxOver(-1, ALWAYS, A),
    lambda: k.SumOver(K, k.Compared("le", J, T), INF, EPS),
    lambda: k.SumOver(K, ALWAYS, INF, k.Product((k.Amount(J), EPS))),
    lambda: k.SumOver(K, ALWAYS, num("1/2"), EPS),
    lambda: k.SumOver(K, ALWAYS, INF, k.BlockEntry("x", ("l",))),
    lambda: k.BlockPattern(0, ALWAYS, pattern().families),
    lambda: k.BlockPattern(1, k.Compared("le", I, T), ()),
    lambda: k.Family("p", num("1/2"), (), ALWAYS),
    lambda: k.BoundLeq(k.Amount(T), A, ()),
    lambda: k.BoundLeq(k.SumOver(K, within(), INF, EPS), A, ()),
    lambda: k.ProfileFact(FRAMED, (), (pattern(k.Compared("le", J, T)),)),
    lambda: k.ProfileFact(FRAMED, (), (pattern(name="q"),)),
    lambda: k.ChangedTogether(FRAMED, "frame", (), ALWAYS, (k.Place("p", (), within(), ()),)),
    lambda: k.ChangedTogether(FRAMED, "frame", ("t",), k.Compared("le", T, I), ()),
    lambda: k.ChangedTogether(FRAMED, "frame", ("t",), ALWAYS, (k.Place("q", (), ALWAYS, ()),)),
    lambda: k.ChangedTogether(
        FRAMED, "frame", ("t",), ALWAYS, (k.Place("p", (), k.Compared("le", J, T), ()),)
    ),
    lambda: k.ChangedTogether(FRAMED, "frame", ("t",), ALWAYS, (k.Place("p", (), ALWAYS, ()),) * 2),
    lambda: k.BoundLeq(k.MaxOver(1, ALWAYS, k.SumOver(K, within(), INF, EPS)), k.Param("w"), ()),
    lambda: k.MaxOver(1, ALWAYS, k.SumOver(K, within(), k.Amount(U), EPS)),
    lambda: k.MaxOver(1, ALWAYS, k.SumOver(K, within(), k.Amount(I), EPS)),
    lambda: k.MaxOver(
        1, ALWAYS, k.SumOver(("h", "l"), ALWAYS, k.Amount(k.LetterAt(1, (k.Index(1),))), A)
    ),
    lambda: k.MaxOver(1, ALWAYS, k.SumOver(K, within(), k.Product((num(2), k.Amount(T))), EPS)),
    lambda: k.BlockPattern(1, ALWAYS, (k.Family("p", k.Amount(I), (), ALWAYS),)),
    lambda: k.BlockPattern(1, ALWAYS, (k.Family("p", k.Amount(U), (), ALWAYS),)),
    lambda: k.Worst(K, (k.Choice(k.Amount(W), EPS),)),
    lambda: k.Coverage(k.Amount(W), k.MaxOver(1, ALWAYS, k.SumOver(K, within(), INF, EPS))),
    lambda: k.TouchCount(FRAMED, "frame", "p", k.Amount(W)),
    lambda: k.BlockGroup("p", k.Amount(W), (k.SeenDistance("s", ONE),)),
    lambda: k.LetterAt(0, (k.Index(1),)),
    lambda: k.LetterAt(1, ()),
    lambda: k.LetterAt(1, (k.Index(0),)),
    lambda: k.LetterAt(1, (k.Index(2), k.Index(1))),
    lambda: k.LetterAt(1, (k.Index(1), k.Index(1))),
    lambda: k.LetterAt(1, (W,)),
    lambda: k.LetterAt(1, (k.Index(1), k.Integer(2))),
    lambda: k.LetterAt(1, (k.Combined("div", (T, k.Integer(2))),)),
    lambda: k.LetterAt(1, (k.Combined("add", (I, T)),)),
    lambda: k.LetterAt(1, (EPOCH, EPOCH)),
    lambda: over_functions(
        k.Connected("and", (k.Compared("eq", J, LEVEL), k.Compared("eq", J, BY_EPOCH)))
    ),
    lambda: over_functions(k.Compared("eq", J, BY_EPOCH), ("k", "l"), ("h", "l")),
    lambda: over_functions(k.Compared("eq", J, BY_EPOCH), count=ONE),
    lambda: over_functions(k.Compared("eq", J, k.LetterAt(2, (k.Index(1),)))),
    lambda: over_functions(k.Compared("eq", k.Index(3), LEVEL)),
    lambda: over_functions(k.Compared("eq", J, k.LetterAt(1, (k.Index(3),)))),
    lambda: over_functions(k.Compared("eq", T, LEVEL)),
    lambda: over_functions(k.Compared("eq", LEVEL, k.LetterAt(1, (k.Index(2),)))),
    lambda: over_functions(k.Compared("eq", J, LEVEL), facts=k.Compared("le", LEVEL, W)),
    lambda: over_functions(k.Compared("eq", J, LEVEL), count=ONE),
    lambda: over_functions(k.Compared("eq", J, LEVEL), ("k", "l"), ("h", "l")),
    lambda: k.BlockPattern(
        1,
        k.Compared("le", T, W),
        (k.Family("p", INF, (), k.Compared("eq", I, k.LetterAt(1, (k.Index(1),)))),),
    ),
    lambda: k.ChangedTogether(
        FRAMED,
        "frame",
        ("t",),
        ALWAYS,
        (k.Place("p", (), k.Compared("eq", I, k.LetterAt(1, (k.Index(2),))), ()),),
    ),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_terms_that_are_not_well_formed(number):
    with pytest.raises(k.KernelError):
        REFUSED[number]()


def test_functions_of_what_indices_make():
    found = over_functions(k.Compared("eq", J, BY_EPOCH))
    assert terms.base.loose(BY_EPOCH) == (1, 1)
    assert found.text() == "max over t of sum(a for j == t(i//w); i <= h, j <= l)"
    assert k.indices_named(k.Combined("add", (J, EPOCH))) == (1, 2)


def test_functions_of_indices():
    same_level = k.Compared("eq", J, LEVEL)
    found = over_functions(same_level, ("h", "l"), ("h", 3))
    assert terms.base.loose(LEVEL) == (1, 1)
    assert found.free == 1
    beside = k.Sum((found.body, k.SumOver((), ALWAYS, INF, A)))
    assert k.MaxOver(1, ALWAYS, beside).text() == (
        "max over t of ((sum(a for j == t(i); i <= h, j <= l) + "
        "sum(a for j == t(i); i <= h, j <= 3)) + a)"
    )


def test_the_number_of_blocks_is_not_replaced_inside():
    inside = k.MaxOver(1, ALWAYS, k.SumOver(("l",), k.Compared("le", I, k.Symbol("k")), INF, A))
    bound = k.Sum((A, inside))
    base = k.bounded_polynomial(A, bound, ())
    with pytest.raises(k.KernelError, match="cannot be replaced"):
        k.induction(base, base, A, bound, "k")


def test_equal_forms_are_equal():
    twice = k.Product((num(2), EPS))
    again = k.Sum((EPS, EPS))

    def total(value, count=INF, when=None):
        body = k.SumOver(K, when or within(), count, value)
        return k.MaxOver(1, ALWAYS, body)

    assert k.bounded_polynomial(total(twice), total(again), ())
    assert k.bounded_polynomial(total(num(0)), num(0), ())
    for other in (total(EPS), total(twice, ONE), total(twice, when=ALWAYS)):
        with pytest.raises(k.KernelError):
            k.bounded_polynomial(total(twice), other, ())


def test_parts_of_a_term_are_replaced():
    both = k.Combined("add", (T, k.Combined("mul", (k.Integer(2), U))))
    found = terms.rewritten(
        both, lambda x: k.Letter(x.number + 1) if isinstance(x, k.Letter) else None
    )
    assert found == k.Combined("add", (U, k.Combined("mul", (k.Integer(2), k.Letter(3)))))
    assert terms.rewritten(both, lambda _: None) == both


# -------------------------------------------------------------------- small laws of terms


def refuses(make):
    """Return whether something cannot be made."""
    try:
        make()
    except k.KernelError:
        return True
    return False


def test_a_negation_has_one_condition():
    one = k.Compared("le", T, I)
    assert k.Connected("not", (one,)).items == (one,)
    assert refuses(lambda: k.Connected("not", ()))
    assert refuses(lambda: k.Connected("not", (one, one)))


def test_quotients_have_two_numbers():
    assert k.Combined("div", (T, W)).word == "div"
    assert k.Combined("mod", (T, W)).word == "mod"
    assert k.Combined("pow", (T, W)).word == "pow"
    assert refuses(lambda: k.Combined("pow", (T, W, W)))
    assert refuses(lambda: k.Combined("div", (T, W, W)))
    assert refuses(lambda: k.Combined("mod", (T,)))


def test_letters_and_indices_are_counted_apart():
    assert terms.base.loose(k.Index(2)) == (0, 2)
    assert terms.base.loose(k.Letter(2)) == (2, 0)
    assert terms.base.loose((k.Index(1), k.Letter(3))) == (3, 1)


@pytest.mark.parametrize(
    "one",
    [
        k.BlockEntry("eps", K),
        k.DatabaseClass("block", "{}", K),
        k.NamedMap("p", "{}", D, E, K),
        k.NamedMechanism("S", D, K),
    ],
)
def test_a_thing_with_sizes_is_one_for_each_block_until_it_is_bound(one):
    assert terms.open_sizes(one) == {K}
    assert terms.open_sizes(type(one)(*(*one.__reduce__()[1][:-1], ()))) == frozenset()
    if isinstance(one, k.NamedMap):
        bound = k.EachAdded(K, k.Pullback(k.CanonicalMetric(H, E), one))
        assert terms.open_sizes(bound) == frozenset()
        assert refuses(lambda: k.EachAdded(("n",), bound.item))


def test_a_binder_may_bind_nothing_and_never_less():
    inside = k.SumOver(("k",), k.Compared("le", I, k.Integer(3)), INF, EPS)
    assert k.MaxOver(0, ALWAYS, inside).free == 0
    assert refuses(lambda: k.MaxOver(-1, ALWAYS, inside))
    assert refuses(lambda: k.MaxOver(0, ALWAYS, k.SumOver(("k",), within(), INF, EPS)))


def test_facts_of_an_edit_name_no_block():
    place = (k.Place("p", (), within(), ()),)
    ok = k.ChangedTogether(FRAMED, "frame", ("t",), k.Compared("le", T, k.Integer(3)), place)
    assert ok.terms == ("t",)
    facts = k.Compared("le", I, k.Integer(3))
    assert refuses(lambda: k.ChangedTogether(FRAMED, "frame", ("t",), facts, place))


def test_what_nobody_reads_is_not_shared():
    assert refuses(lambda: k.Shares(FRAMED, "frame", "nobody", ONE, ()))


def test_a_conversion_of_a_conversion_need_not_be_convex():
    at = k.At((EPS,), k.NamedPseudometric("d", '"any"', P.domain))
    once = k.Converted("gaussian", at, ())
    assert guarantees._grows("zcdp", once)
    assert not guarantees._grows("zcdp", k.Converted("gaussian", once, ()))


def test_a_size_is_found_by_its_own_name():
    case = k.Cases((k.SizeCase((k.SizeRange("k", 1, None),), k.Size("m")),))
    assert inequalities._names(case, "k")
    assert inequalities._names(case, "m")
    assert not inequalities._names(case, "n")
    assert inequalities._names(W, "w")
    assert not inequalities._names(W, "v")


def test_a_mean_over_places_is_what_is_stated_and_no_other():
    """Of records that are seen one by one: what one does is a pattern, and stands as it is."""
    wide = k.DifferenceVector((k.BlockGroup("p", INF, (k.SeenDistance("s", ONE),)),))
    stated = fact(k.Mixed(FRAMED, "frame", (pattern(),)))
    mean = k.MeanOf((pattern(),), (wide,))
    assert composed(SEEN, COUNT, stated, vectors=(mean,)).statement.vectors == (mean,)
    assert composed(SEEN, COUNT, vectors=(mean,)) is None
    for other in OTHERS:
        assert composed(SEEN, COUNT, stated, vectors=(k.MeanOf((other,), (wide,)),)) is None
    for within_ in ((), (pattern(),), OTHERS[:1]):
        assert composed(SEEN, COUNT, stated, vectors=(k.MeanOf((pattern(),), (*within_,)),)) is None
    both_ = fact(k.Mixed(FRAMED, "frame", (pattern(), OTHERS[0])))
    assert composed(SEEN, COUNT, both_, vectors=(mean,)) is None
    with pytest.raises(k.KernelError, match="a mean of means"):
        k.Mixed(FRAMED, "frame", (mean,))


def one_and(others, count=None):
    """One block, seen by what is left, and so many others, seen by one."""
    free, facts = 2, both(k.Compared("le", k.Integer(0), others), k.Compared("lt", others, W))
    left = k.Amount(plus(W, k.Combined("neg", (others,))))
    many = k.Amount(others) if count is None else count
    rows = (INF, left, k.Compared("eq", I, T)), (many, ONE, k.Compared("ne", I, T))
    return k.BlockPattern(free, facts, tuple(
        k.Family("p", n, (k.SeenDistance("s", r),), when) for n, r, when in rows
    ))  # fmt: skip


def test_how_many_blocks_change_may_be_one_of_the_integers():
    wide = k.DifferenceVector((k.BlockGroup("p", INF, (k.SeenDistance("s", ONE),)),))
    some = one_and(U)
    stated = fact(k.Mixed(FRAMED, "frame", (some,)))
    done = composed(SEEN, COUNT, stated, vectors=(k.MeanOf((some,), (wide,)),))
    (bound,) = k.maximum_over_neighbours(family(), done).statement.loss.guarantee
    assert bound.text() == (
        "max over t, u with 0 <= u < w of (sum(max(0, w - u)*eps[i] for i == t) + "
        "sum of the u largest (eps[i] for i != t))"
    )
    rho = k.maximum_over_neighbours(family("zcdp"), done).statement.loss.guarantee[0]
    assert rho.text() == (
        "max over t, u with 0 <= u < w of (sum(max(0, w - u)^2*rho[i] for i == t) + "
        "sum of the u largest (rho[i] for i != t))"
    )
    assert terms.base.loose(bound) == (0, 0)
    for other in (one_and(U, ONE), one_and(U, k.Amount(T)), one_and(T)):
        mean = k.MeanOf((other,), (wide,))
        assert composed(SEEN, COUNT, stated, vectors=(mean,)) is None
    # What blocks are counted does not leave the integers by which they are.
    for counts in ((INF, k.Amount(U)), (INF, ONE)):
        with pytest.raises(k.KernelError):
            k.anywhere(bound, counts, ())


def test_equal_numbers_of_blocks_have_one_form():
    def total(count, value=EPS):
        return k.MaxOver(1, ALWAYS, k.SumOver(K, ALWAYS, count, value))

    one = total(k.Amount(T))
    assert normal(total(k.Amount(T), k.Product((ONE, EPS)))) == one
    assert normal(total(k.Amount(plus(T, T)))) != one
    assert normal(total(ONE)) != one
