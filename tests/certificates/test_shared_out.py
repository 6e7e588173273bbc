"""Records of a frame that some parts count, and others do not: the mean of them, decided again."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import Recheck
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import INF, ONE, num
from dpcomp_sym.replay.terms import make

T, U, V = (make("Letter", n) for n in (1, 2, 3))
I, J = (make("Index", n) for n in (1, 2))
M = make("Symbol", "m")
OWN = library_granularity("unbounded")
HERE, ELSEWHERE = make("Compared", "eq", I, T), make("Compared", "ne", I, T)


def users(*maps, limits=(("user(c)", "m"),), name="user_presence", size="m >= 1", records=OWN):
    """What decides about users, with mechanisms for all records of one and for single records."""
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, symbols={"m": size}, limits=limits,
    )  # fmt: skip
    given = maps or (Map("blocks", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")}),)
    parts = [
        part for m in given for part in (
            Part(f"a{m.name}", m.name, guarantees={"pure": (f"eps_{m.name}",)}),
            Part(f"b{m.name}", m.name, records, guarantees={"pure": (f"eta_{m.name}",)}),
        )
    ]  # fmt: skip
    granularity = library_granularity(name, owner="user")
    return Recheck(Problem(domain, granularity, given, parts))


def both(*items):
    return make("Connected", "and", items)


def facts(*limits, letter=U):
    first = make("Compared", "le", make("Integer", 0), letter)
    return both(first, *(make("Compared", "lt", letter, n) for n in limits))


def left(number=M, letter=U):
    neg = make("Combined", "neg", (letter,))
    return make("Amount", make("Combined", "add", (number, neg)))


def family(count, when, whole, shared, name="blocks"):
    seen = (make("Seen", f"a{name}", whole), make("Seen", f"b{name}", shared))
    return make("Family", name, count, seen, when)


def shared_out(
    check, *, free=2, said=None, number=M, when=(HERE, ELSEWHERE), count=None, whole=(ONE, ONE),
    shared=None,
):  # fmt: skip
    there = facts(number) if said is None else said
    first, second = shared or (left(number), ONE)
    many = make("Amount", U) if count is None else count
    one = family(INF, when[0], whole[0], first)
    others = family(many, when[1], whole[1], second)
    pattern = make("BlockPattern", free, there, (one, others))
    return make("Mixed", check.meaning.term, "edit 1", (pattern,))


def twice(number):
    return make("Combined", "mul", (make("Integer", 2), number))


def test_the_records_of_a_user_are_shared_out():
    check = users()
    check.fact(shared_out(check))
    check.fact(shared_out(check, number=twice(M)))
    check.fact(shared_out(check, said=facts(M, twice(M))))
    check.fact(shared_out(check, whole=(num(2), num(2))))
    assert check.reason(shared_out(check))["is"] == "one block has the records that others leave"
    replaced = users(name="user")
    replaced.fact(shared_out(replaced, number=twice(M)))
    with pytest.raises(RejectedError):
        replaced.fact(shared_out(replaced))


ONE_LESS = make("Combined", "add", (M, make("Integer", -1)))
WRONG = {
    "more records": {"shared": (left(make("Integer", 1)), ONE)},
    "fewer of the others": {"said": facts(ONE_LESS)},
    "no end": {"said": facts()},
    "no beginning": {"said": both(make("Compared", "lt", U, M), make("Compared", "lt", U, M))},
    "a later beginning": {
        "said": both(make("Compared", "le", make("Integer", 1), U), make("Compared", "lt", U, M))
    },
    "another fact": {"said": both(*facts(M)[2], make("Compared", "le", T, make("Integer", 3)))},
    "facts about another integer": {"said": facts(M, letter=T)},
    "another number of others": {"count": make("Amount", T)},
    "one of the others": {"count": ONE},
    "all of the others, at no distance": {"count": INF, "shared": (left(), num(0))},
    "a part that sees less": {"whole": (num(0), num(0))},
    "a part that sees less of the others": {"whole": (ONE, num(0))},
    "a part that sees an integer": {"whole": (make("Amount", U), make("Amount", U))},
    "a part that sees a multiple": {"whole": (make("Product", (make("Amount", U), ONE)),) * 2},
    "no record in the others": {"shared": (left(), num(0))},
    "what another integer leaves": {"shared": (left(letter=T), ONE)},
    "what is not left": {"shared": (make("Amount", M), ONE)},
    "the same block": {"when": (HERE, HERE)},
    "any block": {"when": (HERE, both())},
    "other blocks first": {"when": (ELSEWHERE, HERE)},
    "an integer too many": {"free": 3},
    "a negative number": {"number": make("Integer", -1)},
}


@pytest.mark.parametrize("name", WRONG)
def test_another_mean_is_not_confirmed(name):
    check = users()
    with pytest.raises(RejectedError):
        check.fact(shared_out(check, **WRONG[name]))


def test_a_record_in_several_blocks_is_not_shared_out():
    member = "h(c) == i or h(c) == i + 1"
    check = users(Map("blocks", member, {"i": "k"}, {"h": (["cell"], "int")}))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check, number=twice(M)))


def test_only_parts_that_see_records_one_by_one_share():
    """Two records replaced by others at once are one step, one record is none."""
    check = users(records=library_granularity("bounded"))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check))


def test_another_map_is_not_left_out():
    labels = {"h": (["cell"], "int")}
    check = users(Map("blocks", "h(c) == i", {"i": "k"}, labels), Map("others", "day(c) >= 1"))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check))


def test_single_maps_and_single_records_are_other_facts():
    check = users(Map("blocks", "day(c) >= 1"))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check, free=1, said=facts(M, letter=T), when=(both(), both())))


def test_fewer_blocks_than_records_may_be_known():
    """A user has records on one day only, so that the blocks of days are one."""
    check = users(Map("blocks", "day(c) == i", {"i": "k"}))
    check.fact(shared_out(check))
    with pytest.raises(RejectedError):
        check.fact(shared_out(check, said=facts(M, make("Integer", 1))))
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, symbols={"m": "m >= 1"},
        limits=[("user(c)", "m")], distinct=[("day(c)", "user(c)", 1)],
    )  # fmt: skip
    problem = check.problem
    here = Recheck(Problem(domain, problem.granularity, problem.maps, problem.parts))
    here.fact(shared_out(here, said=facts(M, make("Integer", 1))))


def test_blocks_with_two_indices():
    """Each of them has an integer of its own."""
    member = "h(c) == i and day(c) == j"
    check = users(Map("blocks", member, {"i": "k", "j": "l"}, {"h": (["cell"], "int")}))
    same = both(HERE, make("Compared", "eq", J, U))
    for when, fine in (
        ((same, make("Connected", "not", (same,))), True),
        ((HERE, ELSEWHERE), False),
        ((same, ELSEWHERE), False),
    ):
        one = family(INF, when[0], ONE, left(letter=V))
        others = family(make("Amount", V), when[1], ONE, ONE)
        pattern = make("BlockPattern", 3, facts(M, letter=V), (one, others))
        stated = make("Mixed", check.meaning.term, "edit 1", (pattern,))
        if fine:
            check.fact(stated)
        else:
            with pytest.raises(RejectedError):
                check.fact(stated)


def test_blocks_may_have_a_condition_besides():
    """All records are of the days 1 to 3."""
    days = Map("blocks", "day(c) == i", {"i": "k"})
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, symbols={"m": "m >= 1"},
        limits=[("user(c)", "m")], cell="1 <= day(c) and day(c) <= 3",
    )  # fmt: skip
    given = users(days).problem
    check = Recheck(Problem(domain, given.granularity, given.maps, given.parts))

    def of_days(first, second=None):
        return both(HERE, first), both(ELSEWHERE, first if second is None else second)

    three, four, two = (make("Compared", "le", I, make("Integer", n)) for n in (3, 4, 2))
    check.fact(shared_out(check, when=of_days(three)))
    check.fact(shared_out(check, when=of_days(four)))
    check.fact(shared_out(check))
    early = make("Compared", "le", T, make("Integer", 9))
    for when in (
        of_days(two), of_days(three, four), of_days(early), (both(HERE, three), ELSEWHERE),
        (HERE, both(ELSEWHERE, three)), (both(three, HERE), both(three, ELSEWHERE)),
    ):  # fmt: skip
        with pytest.raises(RejectedError):
            check.fact(shared_out(check, when=when))
