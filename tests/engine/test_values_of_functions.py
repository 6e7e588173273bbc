"""Blocks that are said by what a function is of a record, such as a label, or of its time.

Functions may be any, so that all blocks around any values of them change at once.  What is said is
compared with all records, times and values that there can be.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import NamedTuple

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity

pytestmark = pytest.mark.in_turn

ONE = "t - L < i <= t"
TWO = "t - L < i <= t or u - L < i <= u"
OF_ONE, OF_TWO, OF_MANY = ([("own(c)", n)] for n in (1, 2, "r"))


def problem(use, argument, limits=(), part=None, member="i <= {f} and {f} < i + L", **more):
    sorts = {"c": "cell", "own(c)": "User", "t(c)": "int"}
    owner = {"owner": "own"} if use.startswith("user") else {}
    blocks = Map(
        "blocks", member.replace("{f}", f"f({argument})"), index={"i": "k"},
        functions={"f": ([sorts[argument]], "int")},
    )  # fmt: skip
    domain = Domain({"own": "User", "t": "int", "id": "Record"}, limits=list(limits), **more)
    inner = library_granularity(part) if part else None
    return Problem(
        domain, library_granularity(use, **owner), [blocks], [Part("counts", "blocks", inner)]
    )


def pure(*args, **more):
    more.setdefault("symbols", {"L": "L >= 1", "r": "r >= 1"})
    bound = derive(problem(*args, **more)).bounds[0]
    return bound.text, bound.tight


@pytest.mark.parametrize("argument", ["c", "own(c)", "t(c)"])
@pytest.mark.parametrize("part", [None, "unbounded"])
def test_a_record_is_in_the_blocks_around_its_value(argument, part):
    text = f"max over t of sum(eps[i] for {ONE})"
    assert pure("unbounded", argument, part=part) == (text, "yes")


@pytest.mark.parametrize("argument", ["c", "own(c)", "t(c)"])
def test_a_record_that_is_replaced_counts_twice_where_both_have_one_value(argument):
    text = f"max over t of sum(2*eps[i] for {ONE})"
    assert pure("bounded", argument, part="unbounded") == (text, "yes")


@pytest.mark.parametrize(
    ("use", "limits", "text"),
    [
        ("user_presence", OF_ONE, f"max over t of sum(eps[i] for {ONE})"),
        ("user_presence", OF_TWO, f"max over t, u of sum(eps[i] for {TWO})"),
        ("user", OF_ONE, f"max over t, u of sum(eps[i] for {TWO})"),
        ("user_presence", OF_MANY, f"max over r choices of t of sum(eps[i] for {ONE})"),
        ("user", OF_MANY, f"max over 2*r choices of t of sum(eps[i] for {ONE})"),
        ("user_presence", (), "sum(eps[i])"),
    ],
)
@pytest.mark.parametrize("argument", ["c", "t(c)"])
def test_each_record_of_a_person_has_a_value_of_its_own(argument, use, limits, text):
    assert pure(use, argument, limits) == (text, "yes")


@pytest.mark.parametrize("limits", [OF_ONE, OF_TWO, OF_MANY, ()])
def test_all_records_of_a_person_have_the_value_of_the_person(limits):
    text = f"max over t of sum(eps[i] for {ONE})"
    assert pure("user_presence", "own(c)", limits) == (text, "yes")
    assert pure("user", "own(c)", limits) == (text, "yes")


@pytest.mark.parametrize("argument", ["c", "own(c)", "t(c)"])
def test_many_records_of_a_person_can_all_have_one_value(argument):
    text = f"max over t of sum(r*eps[i] for {ONE})"
    assert pure("user_presence", argument, OF_MANY, "unbounded") == (text, "yes")


@pytest.mark.parametrize("member", ["i <= t(c)", "i <= {f} and t(c) < i + 3"])
def test_many_records_in_all_blocks(member):
    """No number of blocks of a record is known, and still it is shown that all change so much."""
    found = pure("user_presence", "c", OF_MANY, "unbounded", member=member)
    assert found == ("r*sum(eps[i])", "yes")


@pytest.mark.parametrize("cell", ["f(t(c)) == 1", "f(t(c)) <= 2"])
def test_a_function_that_something_else_reads_may_not_be_any(cell):
    """Records are those of which the function is small, so that late blocks never change."""
    domain = Domain(
        {"own": "User", "t": "int"}, functions={"f": (["int"], "int")}, cell=cell,
        symbols={"L": "L >= 1"},
    )  # fmt: skip
    blocks = Map("blocks", "i <= f(t(c)) and f(t(c)) < i + L", index={"i": "k"})
    of = Problem(domain, library_granularity("unbounded"), [blocks], [Part("counts", "blocks")])
    bound = derive(of).bounds[0]
    assert bound.tight != "yes"
    assert "max over t of sum(eps[i] for t - L < i <= t)" not in bound.text


def test_records_at_one_time_have_one_value():
    """Two records of a person, or any number, are in the blocks around one value, not two."""
    for limits in (OF_TWO, OF_MANY):
        assert pure("user_presence", "t(c)", limits, cell="t(c) == 3")[1] != "yes"


@pytest.mark.parametrize("flag", ["bool", ["a", "b"]])
def test_two_flags_are_not_enough_for_any_number_of_records(flag):
    """Records of a person that only a flag tells apart have two values of a function at most."""
    blocks = Map(
        "blocks", "i <= f(c) and f(c) < i + 2", index={"i": "k"}, functions={"f": (["cell"], "int")}
    )
    found = {}
    for limit in (2, "r"):
        domain = Domain(
            {"own": "User", "flag": flag}, limits=[("own(c)", limit)], symbols={"r": "r >= 1"}
        )
        use = library_granularity("user_presence", owner="own")
        bound = derive(Problem(domain, use, [blocks], [Part("counts", "blocks")])).bounds[0]
        found[limit] = bound.text, bound.tight
    assert found["r"][1] != "yes"
    assert found[2][0] == "max over t, u of sum(eps[i] for t - 1 <= i <= t or u - 1 <= i <= u)"


def test_few_times_are_enough_for_few_records():
    text = f"max over t, u of sum(eps[i] for {TWO})"
    assert pure("user_presence", "t(c)", OF_TWO, cell="0 <= t(c) and t(c) <= 3") == (text, "yes")
    assert pure("user_presence", "t(c)", OF_MANY, cell="0 <= t(c) and t(c) <= 3")[1] != "yes"


# ------------------------------------------------------------- against all values

WIDTH = 3
MEMBERS = {
    "i <= {f} and {f} < i + 2": lambda i, c: i <= c.f < i + 2,
    "{f} == i or t(c) == i": lambda i, c: i in c,
    "i <= {f} + t(c)": lambda i, c: i <= c.f + c.t,
    "not {f} == i": lambda i, c: c.f != i,
    "{f} // 2 == i": lambda i, c: c.f // 2 == i,
    "i <= {f} and t(c) < i + 2": lambda i, c: i <= c.f and c.t < i + 2,
    "{f} <= i and i < t(c)": lambda i, c: c.f <= i < c.t,
}


class Placed(NamedTuple):
    """The time of a record, and what the function is of it."""

    t: int
    f: int


def worst(use, argument, member, prices, *, each):
    """Return what the worst neighbours cost: records at times, with values of a function."""
    times, values = range(-1, WIDTH + 3), range(2 * WIDTH + 2)
    held = {
        c: [i for i in range(1, WIDTH + 1) if MEMBERS[member](i, c)]
        for c in itertools.starmap(Placed, itertools.product(times, values))
    }

    def possible(some):
        return all(
            f == g
            for (t, f), (u, g) in itertools.combinations(some, 2)
            if (argument == "t(c)" and t == u) or (argument == "own(c)" and use != "bounded")
        )

    number = 1 if use == "unbounded" else 2
    seen = (
        Counter(i for one in some for i in held[one])
        for some in itertools.combinations_with_replacement(held, number) if possible(some)
    )  # fmt: skip
    return max(sum(prices[i - 1] * (n if each else 1) for i, n in c.items()) for c in seen)


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("argument", ["c", "own(c)", "t(c)"])
def test_bounds_are_those_of_all_values(member, argument):
    rng = random.Random(f"{member} {argument}")
    for use, part in [
        ("unbounded", None), ("bounded", "unbounded"), ("user_presence", None),
        ("user_presence", "unbounded"),
    ]:  # fmt: skip
        limits = OF_TWO if use == "user_presence" else ()
        prices = [rng.randint(0, 9) for _ in range(WIDTH)]
        of = problem(use, argument, limits, part, member)
        bound = derive(of, {"eps": prices}, {"k": WIDTH}).bounds[0]
        truth = worst(use, argument, member, prices, each=part is not None)
        assert bound.value >= truth
        assert bound.value == truth or bound.tight != "yes", (use, part, bound.text)
