"""Blocks that change together, decided again: what is stated must follow from the problem."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym.certificates.recheck import Recheck, verify
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.terms import Reader, make
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import load_spec
from tests.certificates.both import plain
from tests.engine.test_few_records import SPEC


def facts_of(library, name):
    """Return what decides about a problem, and what its certificate says of blocks together."""
    derivation = library.derivation(name)
    theorem = derivation.theorems["pure"]
    found = []
    waiting = [theorem]
    while waiting:
        step = waiting.pop()
        waiting += step.premises
        if type(step.statement).__name__ in {"ChangedTogether", "ChangedByRecords"}:
            found.append(Reader().value(plain(step.statement), "Statement"))
    return Recheck(derivation.problem), found[0]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name",
    [
        "w-event-each-step",
        "sliding-windows-events",
        "strips",
        "stream-weeks",
        "w-event-days-of-events",
        "w-event-days-of-records",
        "hierarchy-paths",
        "levels-and-nodes",
        "places-each-hour",
        "w-event-user-limited",
        "devices-of-users",
        "tree-any-arity",
        "sliding-windows-user",
        "sliding-windows-records",
        "hierarchy-user",
    ],
)
def test_both_solvers_agree(library, name):
    second = SecondSolver() if SecondSolver.installed() else None
    found = verify(library.certificate(name), second)
    assert found.verdict == "proved"
    assert any("only blocks" in said for said in found.facts)


def changed(node, old, new):
    """Return a term with another one in the place of a part, each time it occurs."""
    if node == old:
        return new
    return tuple(changed(x, old, new) for x in node) if type(node) is tuple else node


T, I = make("Letter", 1), make("Index", 1)
W = make("Symbol", "w")
ONE = make("Integer", 1)


def plus(*items):
    return make("Combined", "add", items)


LOWER = make("Compared", "le", T, I)
UPPER = make("Compared", "lt", I, plus(T, W))


def test_a_narrower_condition_is_not_confirmed(library):
    check, right = facts_of(library, "w-event-each-step")
    _, problem, edit, terms, facts, ((_, name, touched, when, distances),) = right
    assert when == make("Connected", "and", (LOWER, UPPER))
    check.fact(right)

    def stated(condition=when, named=terms, given=facts, held=touched, far=distances):
        place = make("Place", name, held, condition, far)
        return make("ChangedTogether", problem, edit, named, given, (place,))

    wider = [
        stated(make("Connected", "and", ())),
        stated(LOWER),
        stated(make("Connected", "and", (LOWER, make("Compared", "le", I, plus(T, W))))),
        stated(named=('["add","int",["var","int","t"],["int","int",0]]',)),
        stated(given=make("Compared", "le", ONE, W)),
    ]
    for fact in wider:
        check.fact(fact)
    wrong = [
        stated(make("Connected", "or", ())),
        stated(make("Connected", "and", (make("Compared", "lt", T, I), UPPER))),
        stated(make("Connected", "and", (LOWER, make("Compared", "lt", I, T)))),
        stated(make("Compared", "eq", I, T)),
        stated(make("Compared", "ne", I, T)),
        stated(named=('["add","int",["var","int","t"],["int","int",1]]',)),
        stated(named=('["int","int",3]',)),
        stated(named=('["var","int","w"]',)),
        stated(given=make("Compared", "le", ONE, T)),
        stated(given=make("Compared", "lt", ONE, W)),
        stated(far=(make("Seen", "releases", make("Num", Fraction(1))),)),
        stated(held=(1,)),
    ]
    for fact in wrong:
        with pytest.raises(RejectedError):
            check.fact(fact)


def test_a_smaller_distance_is_not_confirmed(library):
    check, right = facts_of(library, "w-event-days-of-events")
    check.fact(right)
    ((_, name, touched, when, ((_, part, (_, length)),)),) = right[5]
    larger = plus(length, ONE)
    for of, holds in ((larger, True), (plus(length, make("Integer", -1)), False), (ONE, False),
                      (make("Integer", 2), False), (make("Integer", 3), True)):  # fmt: skip
        seen = make("Seen", part, make("Amount", of))
        fact = make("ChangedTogether", *right[1:5], (make("Place", name, touched, when, (seen,)),))
        if holds:
            check.fact(fact)
        else:
            with pytest.raises(RejectedError, match="not confirmed"):
                check.fact(fact)
    wrong = make("Seen", part, make("Num", Fraction(1)))
    place = make("Place", name, touched, when, (wrong,))
    fact = make("ChangedTogether", *right[1:5], (place,))
    with pytest.raises(RejectedError):
        check.fact(fact)


@pytest.mark.parametrize(
    "text",
    [
        '["at","int","D",["var","cell","c"]]',
        '["size","int","D"]',
        '["var","int","u"]',
        '["var","cell","t"]',
        '["var", "int", "t"]',
        '["int","int",true]',
        '["power","int",["var","int","t"]]',
        "[]",
        "t",
    ],
)
def test_integers_that_an_edit_does_not_name(library, text):
    check, right = facts_of(library, "w-event-each-step")
    data = {"term": (right[0], *right[1:3], (text,), *right[4:])}["term"]
    with pytest.raises((RejectedError, KeyError, ValueError)):
        check.fact(data)


def test_changed_certificates_are_rejected(library):
    for name in ("w-event-each-step", "strips"):
        check, right = facts_of(library, name)
        when = right[5][0][3]
        parts = [x for x in when[2] if x[0] in ("Compared", "Connected")]
        for part in parts:
            narrow = make("Connected", "and", (part, make("Compared", "lt", I, I)))
            wrong = changed(right, part, narrow)
            if when[1] == "or" or part != when:
                with pytest.raises(RejectedError, match="not confirmed"):
                    check.fact(wrong)


def test_smaller_distances_in_a_set_are_not_confirmed(library):
    derivation = library.derivation("filters-and-total-replaced")
    waiting = [derivation.theorems["pure"]]
    while type(waiting[-1].statement).__name__ != "Together":
        waiting += waiting.pop().premises
    right = Reader().value(plain(waiting[-1].statement), "Statement")
    check = Recheck(derivation.problem)
    check.fact(right)
    _, problem, edit, sets = right
    both = next(s for s in sets if len(s[1]) == 3)
    for touch in both[1]:
        near = tuple(make("Seen", part, make("Num", r[1] - 1)) for _, part, r in touch[4])
        far = near or (make("Seen", "all", make("Num", Fraction(1))),)
        smaller = make("Touch", *touch[1:4], far)
        with pytest.raises(RejectedError, match="not confirmed"):
            check.fact(make("Together", problem, edit, changed(sets, touch, smaller)))
    for one in sets:
        left = tuple(s for s in sets if s != one)
        with pytest.raises(RejectedError, match="not confirmed"):
            check.fact(make("Together", problem, edit, left))
    half = (make("Seen", "a", make("Num", Fraction(1, 2))),)
    reach = make("Reach", (make("Touch", "type_a", (), (), half),))
    of_half = make("Together", problem, edit, (reach,))
    with pytest.raises(RejectedError, match="no such distance"):
        check.fact(of_half)


def test_distances_are_not_counted_in_records_without_a_limit(library):
    """Neither where any number of records may change, nor where a part does not see single ones."""
    for name in ("bounded-partition-unbounded-parts", "stream-user-windows"):
        derivation = library.derivation(name)
        check = Recheck(derivation.problem)
        part = derivation.problem.bound_parts[0]
        near = (make("Seen", part.name, make("Num", Fraction(1))),)
        touched = () if derivation.problem.outer.edits[0].frame is not None else (1,)
        reach = make("Reach", (make("Touch", part.map.name, (), touched, near),))
        with pytest.raises(RejectedError):
            check.fact(make("Together", check.meaning.term, "edit 1", (reach,)))


@pytest.mark.parametrize(
    "at",
    [
        (),
        (make("Symbol", "h"),),
        (make("Index", 1), make("Index", 1)),
        (make("Index", 2), make("Index", 1)),
        (make("Combined", "add", (make("Index", 1), make("Letter", 1))),),
        (make("LetterAt", 2, (make("Index", 1),)),),
    ],
)
def test_functions_take_integers_of_a_block(at):
    with pytest.raises(RejectedError):
        make("LetterAt", 1, at)


def test_a_function_of_another_index_is_not_confirmed(library):
    """The node of a level may be any, so that it is no integer, and no function of the node."""
    check, right = facts_of(library, "levels-and-nodes")
    _, problem, edit, (term,), facts, ((_, name, touched, when, distances),) = right
    node = make("LetterAt", 1, (make("Index", 1),))
    assert when == make("Compared", "eq", make("Index", 2), node)
    check.fact(right)

    def stated(condition, named=term, given=facts):
        place = make("Place", name, touched, condition, distances)
        return make("ChangedTogether", problem, edit, (named,), given, (place,))

    other = make("LetterAt", 1, (make("Index", 2),))
    check.fact(stated(make("Compared", "le", node, make("Index", 2))))
    half = make("Combined", "div", (make("Index", 1), make("Integer", 2)))
    both = make("LetterAt", 1, (make("Index", 1), half))
    check.fact(stated(make("Compared", "eq", make("Index", 2), both)))
    wrong = [
        stated(make("Compared", "eq", make("Index", 2), make("LetterAt", 1, (half,)))),
        stated(make("Compared", "eq", make("Index", 2), T)),
        stated(make("Compared", "eq", make("Index", 2), other)),
        stated(make("Compared", "lt", node, make("Index", 2))),
        stated(when, term.replace("block.1", "block.2")),
        stated(when, term.replace("block.1", "block.3")),
        stated(when, term.replace("block.1", "h")),
        stated(make("Connected", "and", ()), given=make("Compared", "le", T, T)),
    ]
    for fact in wrong:
        with pytest.raises(RejectedError):
            check.fact(fact)


def test_as_many_records_have_names_as_may_change(library):
    """What is said of two records is not said of one, nor are fewer named than change."""
    check, right = facts_of(library, "sliding-windows-user")
    _, problem, edit, terms, facts, (place,) = right
    assert len(terms) == 2
    assert "no records but c.1 and c.2" in check.question(right)
    check.fact(right)
    one = tuple(x.replace("c.2", "c.1") for x in terms)
    others = [
        tuple(x.replace("c.2", name) for x in terms)
        for name in ("u", "c.0", "c.9", "c.x", "c.-1", "c.999999999999", "c", "c.1.2")
    ]
    for named in (one, *others, terms[:1] * 2, terms[:1]):
        with pytest.raises(RejectedError):
            check.fact(make("ChangedTogether", problem, edit, named, facts, (place,)))
    # Three records have names then, and nothing is said of where the second one is.
    third = tuple(x.replace("c.2", "c.3") for x in terms)
    with pytest.raises(RejectedError):
        check.fact(make("ChangedTogether", problem, edit, third, facts, (place,)))
    _, name, touched, when, distances = place
    narrow = make("Place", name, touched, when[2][0], distances)
    with pytest.raises(RejectedError):
        check.fact(make("ChangedTogether", problem, edit, terms, facts, (narrow,)))


LIMIT = 'limits = [["own(c)", "2"]]'
RECORDS = SPEC.replace(LIMIT, LIMIT.replace("2", "m") + '\nsymbols = { m = "m >= 1" }').replace(
    'map = "windows"\n', 'map = "windows"\ngranularity = "unbounded"\n'
)
"""Persons with m records, and a mechanism that protects a record."""


def test_a_mean_over_the_places_of_records():
    derivation = load_spec(RECORDS).derive()
    waiting, statements = [derivation.theorems["pure"]], []
    while waiting:
        step = waiting.pop()
        waiting += step.premises
        statements.append(step.statement)
    (mixed,) = {x for x in statements if type(x).__name__ == "Mixed"}
    right = Reader().value(plain(mixed), "Statement")
    check = Recheck(derivation.problem)
    check.fact(right)
    assert "is a mean of (blocks i of windows with" in check.question(right)
    _, problem, edit, ((kind, free, facts, (family,)),) = right
    word, name, count, ((_, part, most),), when = family

    def stated(distance=most, condition=when, given=facts, letters=free, few=count):
        seen = (make("Seen", part, distance),)
        of = make(word, name, few, seen, condition)
        return make("Mixed", problem, edit, (make(kind, letters, given, (of,)),))

    check.fact(stated())
    check.fact(stated(distance=make("Product", (make("Num", Fraction(2)), most))))
    check.fact(stated(few=make("Num", Fraction(3))))
    wrong = [
        stated(distance=make("Num", Fraction(1))),
        stated(condition=make("Connected", "or", ())),
        stated(condition=when[2][0], given=make("Compared", "le", ONE, T)),
        stated(condition=make("Compared", "eq", I, T)),
        stated(few=make("Num", Fraction(2))),
        stated(letters=2),
    ]
    for fact in wrong:
        with pytest.raises(RejectedError):
            check.fact(fact)
    # A mechanism that protects replaced records does not see them one by one.
    other = Recheck(load_spec(RECORDS.replace('"unbounded"', '"bounded"')).problem)
    with pytest.raises(RejectedError):
        other.fact(make("Mixed", other.meaning.term, edit, right[3]))


def test_each_of_the_records_lies_where_it_is_said(library):
    """No fewer records, no narrower places, and integers of the record itself, not of others."""
    check, right = facts_of(library, "sliding-windows-records")
    _, problem, edit, times, terms, facts, (place,) = right
    _, name, touched, when, distances = place
    assert "at most r different values of step(c.1), each of them in only blocks" in check.question(
        right
    )
    check.fact(right)

    def stated(number=times, named=terms, given=facts, condition=when, of=name):
        here = make("Place", of, touched, condition, distances)
        return make("ChangedByRecords", problem, edit, number, named, given, (here,))

    two = make("Product", (make("Num", Fraction(2)), times))
    for fact in (
        stated(two), stated(make("Inf")), stated(condition=make("Connected", "and", ())),
        stated(condition=when[2][0]), stated(given=make("Compared", "le", T, T)),
    ):  # fmt: skip
        check.fact(fact)
    (term,) = terms
    wrong = [
        stated(make("Num", Fraction(1))),
        stated(make("Size", "L")),
        stated(condition=make("Compared", "eq", I, T)),
        stated(condition=make("Connected", "or", ())),
        stated(given=make("Compared", "le", ONE, T)),
        stated(named=(term.replace("step", "id"),)),
        stated(named=('["int","int",3]',)),
        *(stated(named=(term.replace("c.1", other),)) for other in ("c.2", "c.9", "c", "u")),
    ]
    for fact in wrong:
        with pytest.raises(RejectedError):
            check.fact(fact)


def test_records_of_an_edit_that_names_them_are_not_any(library):
    """The fact is about frames; and a map that makes other records of these has other blocks."""
    check, right = facts_of(library, "sliding-windows-events")
    _, problem, edit, terms, facts, (place,) = right
    with pytest.raises(RejectedError):
        check.fact(make("ChangedByRecords", problem, edit, make("Num", Fraction(1)), terms, facts,
                        (place,)))  # fmt: skip


def test_a_mean_of_several_patterns_is_not_decided(library):
    check, right = facts_of(library, "sliding-windows-records")
    _, problem, edit, times, _, facts, ((_, name, _, when, _),) = right
    seen = (make("Seen", "counts", make("Num", Fraction(1))),)
    pattern = make("BlockPattern", 1, facts, (make("Family", name, make("Inf"), seen, when),))
    with pytest.raises(RejectedError, match="no mean of such vectors"):
        check.fact(make("Mixed", problem, edit, (make("Several", times, pattern),)))
