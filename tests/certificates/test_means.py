"""Frames of which what they do is a mean of vectors, decided again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcomp_sym.certificates.recheck import Recheck
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import num
from dpcomp_sym.replay.terms import make

A = make("Size", "a")
SINGLE = library_granularity("unbounded")


def rows(*maps, size="a >= 1", inner=SINGLE, outer="user_presence"):
    """A problem about at most a rows of a customer, of two tables."""
    domain = Domain(
        {"id": "Row", "customer": "Customer", "table": ["left", "right"]},
        symbols={"a": size},
        limits=[("customer(c)", "a")],
    )
    given = maps or (
        Map("lefts", "table(c) == left and h(c) == i", {"i": "k"}, {"h": (["cell"], "int")}),
        Map("rights", "table(c) == right"),
    )
    granularity = SINGLE if outer == "unbounded" else library_granularity(outer, owner="customer")
    parts = [
        Part(f"p{n}", one.name, granularity=inner, guarantees={"pure": (f"e{n}",)})
        for n, one in enumerate(given)
    ]
    return Recheck(Problem(domain, granularity, given, parts))


def group(name, part, r=A, count=1, block=(), wide=None):
    return make("Group", name, num(count), (make("Seen", part, r),), block, wide)


def mixed(check, *vectors):
    made = tuple(make("Vector", groups) for groups in vectors)
    return make("Mixed", check.meaning.term, "edit 1", made)


LEFT, RIGHT = group("lefts", "p0"), group("rights", "p1")


def test_a_mean_over_the_records_is_confirmed():
    check = rows()
    for vectors in (
        [(LEFT,), (RIGHT,)],
        [(LEFT, RIGHT)],
        [(LEFT,), (LEFT, RIGHT)],
        [(group("lefts", "p0", count=2),), (RIGHT,), ()],
        [(group("lefts", "p0", make("Product", (num(2), A))),), (RIGHT,)],
    ):
        check.fact(mixed(check, *vectors))
    assert any("what edit 1 changes is a mean of" in q.about for q in check.questions)


@pytest.mark.parametrize(
    "vectors",
    [
        [(LEFT,)],
        [(RIGHT,)],
        [(LEFT,), ()],
        [],
        [(group("lefts", "p0", num(1)),), (RIGHT,)],
        [(LEFT,), (group("rights", "p1", num(7)),)],
        [(group("lefts", "p0", count=0),), (RIGHT,)],
        [(group("lefts", "p0", wide=A),), (RIGHT,)],
    ],
)
def test_another_mean_is_not_confirmed(vectors):
    check = rows()
    with pytest.raises(RejectedError):
        check.fact(mixed(check, *vectors))


def test_both_sides_of_a_replacement_count():
    check = rows(outer="user")
    twice = make("Product", (num(2), A))
    right = [(group("lefts", "p0", twice),), (group("rights", "p1", twice),)]
    check.fact(mixed(check, *right))
    with pytest.raises(RejectedError):
        check.fact(mixed(check, (LEFT,), (RIGHT,)))


def test_only_parts_that_count_records_see_a_mean():
    check = rows(inner=None)
    with pytest.raises(RejectedError):
        check.fact(mixed(check, (LEFT,), (RIGHT,)))


def test_an_edit_of_single_records_is_no_mean():
    check = rows(outer="unbounded")
    with pytest.raises(RejectedError):
        check.fact(mixed(check, (LEFT,), (RIGHT,)))


def test_blocks_with_numbers():
    written = Map("some", "(i == 1 and table(c) == left) or i == 2", {"i": 2})
    check = rows(written, Map("rights", "table(c) == right"))
    first, second = (group("some", "p0", block=(n,)) for n in (1, 2))
    check.fact(mixed(check, (first, second), (second, RIGHT)))
    check.fact(mixed(check, (group("some", "p0", count=2), RIGHT)))
    for vectors in (
        [(first, second), (first, RIGHT)],
        [(first, second)],
        [(first,), (second, RIGHT)],
    ):
        with pytest.raises(RejectedError):
            check.fact(mixed(check, *vectors))


def test_maps_of_which_there_may_be_no_block():
    """That there is no block of one map says nothing of another one."""
    base = rows().problem
    domain = replace(base.domain, symbols={"a": "a >= 1", "k": "k >= 0"})
    check = Recheck(Problem(domain, base.granularity, base.maps, base.parts))
    with pytest.raises(RejectedError):
        check.fact(mixed(check, (LEFT,)))
    check.fact(mixed(check, (LEFT,), (RIGHT,)))


# Blocks of one map that share the records of a limit.


def visits(most=1):
    """A problem about at most a records of a customer, so many of them in one place."""
    domain = Domain(
        {"id": "Row", "customer": "Customer", "place": "int"},
        symbols={"a": "a >= 1"},
        limits=[("customer(c)", "a"), ("customer(c), place(c)", most)],
    )
    places = Map("places", "place(c) == i", {"i": "k"})
    part = Part("p", "places", granularity=SINGLE)
    return Recheck(Problem(domain, library_granularity("user", owner="customer"), [places], [part]))


def shares(check, count, r):
    of = check.meaning.term
    return make("Shares", of, "edit 1", "places", count, (make("Seen", "p", r),))


TWICE = make("Product", (num(2), A))


@pytest.mark.parametrize(
    ("most", "count", "r", "holds"),
    [
        (1, A, num(2), True),
        (1, num(1), TWICE, True),
        (1, TWICE, num(2), True),
        (1, A, num(1), False),
        (1, num(3), num(2), False),
        (1, TWICE, num(1), False),
        (2, A, num(4), True),
        (2, A, num(2), False),
        (2, TWICE, num(2), False),
    ],
)
def test_blocks_share_as_many_records_as_there_are(most, count, r, holds):
    check = visits(most)
    if holds:
        check.fact(shares(check, count, r))
    else:
        with pytest.raises(RejectedError):
            check.fact(shares(check, count, r))
