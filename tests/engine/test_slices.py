"""Blocks with two indices, where few records change for each value of one of them.

A person is in one place at a time: of each hour the places change where the person was, and is.
Bounds are compared with all neighbours in small worlds by the random problems of
``tests.random_problems.structured``; here is what is said, and what must not be.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import Recheck, verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together.find import index_variable
from dpcomp_sym.engine.together.slices import records_in_slice
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import Reader, make
from dpcomp_sym.report import latex
from dpcomp_sym.smt.solvers import SecondSolver
from tests.certificates.both import plain, stated_fact

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"who": "Person", "hour": "int", "place": "Place"}
REGION = {"region": (["Place"], "int")}
IN_REGION = "hour(c) == i and region(place(c)) == j"
ONE_PLACE = [("who(c), hour(c)", 1)]
ONE = "sum over i of max over j of eps[i,j]"
TWO = "max over t, u of sum(eps[i,j] for j == t(i) or j == u(i))"
THREE = "max over t, u, v of sum(eps[i,j] for j == t(i) or j == u(i) or j == v(i))"
FOUR = "max over t, u, v, x of sum(eps[i,j] for j == t(i) or j == u(i) or j == v(i) or j == x(i))"


def changed():
    return library_granularity("user", owner="who")


def presence():
    return library_granularity("user_presence", owner="who")


def problem(limits=ONE_PLACE, use=None, member=IN_REGION, functions=REGION, **more):
    domain = Domain(ATTRIBUTES, limits=limits, **more)
    blocks = Map("b", member, {"i": "h", "j": "k"}, functions)
    return Problem(domain, use or changed(), [blocks], [Part("a", "b")])


def pure(*args, **more):
    bound = derive(problem(*args, **more)).bounds["pure"]
    return bound.text, bound.tight


@pytest.mark.parametrize(
    ("limits", "use", "text"),
    [
        (ONE_PLACE, changed, TWO),
        (ONE_PLACE, presence, ONE),
        ([("who(c), hour(c)", 2)], presence, TWO),
        ([("who(c), hour(c)", 3)], presence, THREE),
        ([("who(c), hour(c)", 2)], changed, FOUR),
        # Whoever is anywhere, one place a time is one place a time of a person.
        ([("hour(c)", 1)], changed, TWO),
        ([*ONE_PLACE, ("who(c), place(c)", 1)], presence, ONE),
    ],
)
def test_of_each_hour_few_places_change(limits, use, text):
    assert pure(limits, use()) == (text, "yes")


@pytest.mark.parametrize(
    ("member", "functions", "text"),
    [
        ("region(place(c)) == i and hour(c) == j", REGION,
         "max over t, u of sum(eps[i,j] for i == t(j) or i == u(j))"),
        ("hour(c) == i and at(place(c), hour(c)) == j", {"at": (["Place", "int"], "int")}, TWO),
        ("hour(c) == i and of(c) == j", {"of": (["cell"], "int")}, TWO),
        ("hour(c) == i and region(place(c)) >= j", REGION,
         "max over t, u of sum(eps[i,j] for j <= t(i) or j <= u(i))"),
    ],
)  # fmt: skip
def test_whichever_index_is_the_hour(member, functions, text):
    assert pure(member=member, functions=functions) == (text, "yes")


@pytest.mark.parametrize(
    ("cell", "where"),
    [
        ("1 <= hour(c) and hour(c) <= 2", "i <= 2"),
        ("1 <= hour(c) and hour(c) <= T", "i <= T"),
        ("hour(c) % 2 == 1", "(i - 1) % 2 == 0"),
    ],
)
def test_hours_that_no_record_can_have_do_not_count(cell, where):
    text, tight = pure(use=presence(), cell=cell, symbols={"T": "T >= 1"} if "T" in cell else {})
    assert (text, tight) == (f"max over t of sum(eps[i,j] for {where} and j == t(i))", "yes")


def test_regions_by_which_a_limit_counts_are_not_any():
    """A person is in each region once: not in the same one at two hours."""
    domain = Domain(
        ATTRIBUTES, REGION, limits=[*ONE_PLACE, ("who(c), region(place(c))", 1)],
    )  # fmt: skip
    blocks = Map("b", IN_REGION, {"i": "h", "j": "k"})
    bound = derive(Problem(domain, presence(), [blocks], [Part("a", "b")])).bounds["pure"]
    assert bound.tight != "yes"


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        ([], {}),
        ([("who(c), place(c)", 1)], {}),
    ],
)
def test_where_an_hour_may_have_any_number_of_places(limits, more):
    assert "(i)" not in pure(limits, **more)[0]


A_SYMBOL = {"symbols": {"r": "r >= 1"}}
MANY = "max over {} choices of t of sum(eps[i,j] for {}j == t(i))"


@pytest.mark.parametrize(
    ("limit", "use", "more", "text"),
    [
        ("r", presence, A_SYMBOL, MANY.format("r", "")),
        ("r", changed, A_SYMBOL, MANY.format("2*r", "")),
        (7, changed, {}, MANY.format("14", "")),
        (5, presence, {"cell": "1 <= hour(c) and hour(c) <= 24"}, MANY.format("5", "i <= 24 and ")),
    ],
)
def test_as_many_regions_of_each_hour_as_there_are_records(limit, use, more, text):
    assert pure([("who(c), hour(c)", limit)], use(), **more) == (text, "yes")
    assert derive(problem([("who(c), hour(c)", limit)], use(), **more)).bounds[0].tight_note == ""


def test_many_regions_of_an_hour_are_not_attained_where_more_is_limited():
    several = [("who(c), hour(c)", "r"), ("who(c), region(place(c))", "s")]
    domain = Domain(ATTRIBUTES, REGION, limits=several, symbols={"r": "r >= 1", "s": "s >= 1"})
    blocks = Map("b", IN_REGION, {"i": "h", "j": "k"})
    bound = derive(Problem(domain, presence(), [blocks], [Part("a", "b")])).bounds["pure"]
    assert (bound.text, bound.tight) == (MANY.format("r", ""), "unknown")
    values = [("place(c)", "who(c)", "s")]
    more = {"symbols": {"r": "r >= 1", "s": "s >= 1"}, "distinct": values}
    assert pure([("who(c), hour(c)", "r")], presence(), **more)[1] == "unknown"


def test_numbers_of_many_regions_are_the_largest_of_each_hour():
    values = {"eps": [[5, 1, 4, 2, 9, 3, 7], [1, 0, 0, 0, 0, 0, 2]]}
    whole = problem([("who(c), hour(c)", "r")], presence(), **A_SYMBOL)
    found = derive(whole, values=values, sizes={"h": 2, "k": 7, "r": 5}).bounds["pure"]
    assert (found.value, found.tight) == (9 + 7 + 5 + 4 + 3 + 2 + 1, "yes")


def test_both_solvers_confirm_how_many_records_an_hour_has():
    found = derive(problem([("who(c), hour(c)", "r")], **A_SYMBOL))
    second = SecondSolver() if SecondSolver.installed() else None
    text = as_text(certificate(found.theorems, found))
    confirmed = verify(read(text.encode()), second)
    assert confirmed.verdict == "proved"
    said = "in blocks of each i records with at most 2*r different values of"
    assert any(said in x for x in confirmed.facts)
    article = latex.article(found.document())
    assert "for each $i$, the cells $c^{(1)}$ that are changed in blocks with this $i$" in article
    waiting, stated_ = [found.theorems["pure"]], None
    while waiting:
        step = waiting.pop()
        waiting += step.premises
        if type(step.statement).__name__ == "ChangedByRecords":
            stated_ = Reader().value(plain(step.statement), "Statement")
    _, about, edit, times, terms, facts, places = stated_
    check = Recheck(found.problem)
    check.fact(make("ChangedByRecords", about, edit, times, terms, facts, places))
    once = make("Size", "r")
    _, name, touched, _, far = places[0]
    of_region = make("Compared", "eq", make("Index", 1), make("LetterAt", 1, (make("Index", 2),)))
    for wrong in (
        make("ChangedByRecords", about, edit, once, terms, facts, places),
        make("ChangedByRecords", about, edit, times, terms, facts,
             (make("Place", name, touched, of_region, far),)),
        make("ChangedByRecords", about, edit, times, terms, facts,
             (make("Place", name, touched, make("Connected", "or", ()), far),)),
    ):  # fmt: skip
        with pytest.raises(RejectedError):
            check.fact(wrong)


def test_records_of_one_hour_are_counted_by_limits():
    def number(limits, member=IN_REGION, at=(1,), use=None):
        whole = problem(limits, use, member)
        structure = Structure(whole)
        return records_in_slice(structure, whole.outer.edits[0], [whole.used_maps["b"]],
                                tuple(map(index_variable, at)))  # fmt: skip

    assert number(ONE_PLACE) == 2
    assert number([("who(c), hour(c)", 2)], use=presence()) == 2
    assert number([]) is None
    assert number(ONE_PLACE, at=(2,)) is None
    # Two hours of three have two keys, each of which allows one record, before and after.
    halves = [("who(c), hour(c) // 2", 1)]
    assert number(halves, "hour(c) // 2 == i and region(place(c)) == j") == 2
    assert number(halves, "hour(c) <= i and region(place(c)) == j") is None


def test_what_else_ties_hours_together_is_not_forgotten():
    """No more than three records in all, for example, or what all persons do at once."""
    assert pure([*ONE_PLACE, ("who(c)", 3)]) == ("sum of the 6 largest eps[i,j]", "unknown")
    everyone = Granularity("all", [Edit({}, frame="true")])
    assert pure(use=everyone) == ("sum(eps[i,j])", "yes")
    one_home = [("place(c)", "who(c)", 1)]
    assert pure(use=presence(), distinct=one_home)[1] != "yes"
    after = ["implies(D[c] >= 1, D[replace(c, hour, hour(c) - 1)] == 0)"]
    assert pure(facts=after) == (TWO, "unknown")


WINDOW = Granularity(
    "hours", [Edit({"p": "Person", "t": "int"}, frame="who(c) == p and t <= hour(c) < t + w")]
)
HOURS = ("hour(c) == i", {"i": "h"})
PLACES = (IN_REGION, {"i": "h", "j": "k"})
KINDS = ("hour(c) == i and kind(place(c)) == j", {"i": "h", "j": "z"})


def several(*maps, use=WINDOW, limits=ONE_PLACE, **more):
    functions = {**REGION, "kind": (["Place"], "int")}
    domain = Domain(ATTRIBUTES, functions, limits=limits, symbols={"w": "w >= 1"}, **more)
    named = [Map(f"m{n}", *one) for n, one in enumerate(maps)]
    parts = [Part(f"p{n}", m.name, None, {"pure": (f"e{n}",)}) for n, m in enumerate(named)]
    return Problem(domain, use, named, parts)


TWO_OF = "({0}[i,j] for t <= i < t + w and (j == {1}(i) or j == {2}(i)))"
EACH = "max over t, u, v of (sum(e0[i] for t <= i < t + w) + sum" + TWO_OF.format("e1", "u", "v")
AFTER = f"max over t, u, v of (sum{TWO_OF.format('e0', 'u', 'v')} + sum(e1[i] for t <= i < t + w"
BOTH = f"{TWO_OF.format('e0', 'u', 'v')} + sum{TWO_OF.format('e1', 'x', 'y')}"


@pytest.mark.parametrize(
    ("maps", "text"),
    [
        ([HOURS, PLACES], f"{EACH})"),
        ([PLACES, HOURS], f"{AFTER}))"),
        # A place has one region and one kind.
        ([PLACES, KINDS], f"max over t, u, v, x, y of (sum{BOTH})"),
    ],
)
def test_several_maps_are_cut_at_the_same_hours(maps, text):
    found = derive(several(*maps))
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == (text, "yes")
    second = SecondSolver() if SecondSolver.installed() else None
    text = as_text(certificate(found.theorems, found))
    assert verify(read(text.encode()), second).verdict == "proved"


@pytest.mark.parametrize(
    ("limits", "who", "tight"),
    [
        (ONE_PLACE, "true", "yes"),
        ([("who(c), hour(c)", 7)], "true", "yes"),
        (ONE_PLACE, "hour(c) >= 1", "yes"),
        # It does not see whoever is somewhere at the first hours only.
        (ONE_PLACE, "hour(c) >= 3", "unknown"),
    ],
)
def test_all_persons_are_counted_beside_places(limits, who, tight):
    bound = derive(several(PLACES, (who, {}), use=changed(), limits=limits)).bounds["pure"]
    regions = "j == t(i) or j == u(i)" if limits == ONE_PLACE else "j == t(i)"
    assert bound.text.endswith(f"of (sum(e0[i,j] for {regions}) + e1)")
    assert bound.tight == tight


def test_what_is_said_of_records_is_said_of_each_hour():
    """Whichever map is the first one: those without functions, or without indices, say nothing."""
    for first in (HOURS, ("true", {})):
        found = derive(several(first, PLACES, use=changed()))
        confirmed = verify(read(as_text(certificate(found.theorems, found)).encode()))
        assert any("in blocks of each i no records but c.1 and c.2" in x for x in confirmed.facts)
        assert "for each $i$ there are cells $c^{(1)}$ and $c^{(2)}$" in latex.article(
            found.document()
        )


def test_slices_of_which_only_one_map_has_blocks():
    """An hour later for one of two maps: they are not cut at the same hours."""
    later = ("hour(c) + 1 == i and region(place(c)) == j", {"i": "h", "j": "k"})
    assert derive(several(PLACES, later)).bounds["pure"].tight == "unknown"
    # Of the first hours only the first map has blocks that change.
    late = ("hour(c) == i and i >= 3", {"i": "h"})
    bound = derive(several(PLACES, late)).bounds["pure"]
    assert "sum(e1[i] for 3 <= i and t <= i < t + w)" in bound.text.replace("2 < i", "3 <= i")


def test_maps_whose_slices_have_other_numbers_are_not_cut_together():
    other = ("hour(c) == i and kind(place(c)) == j", {"i": "g", "j": "z"})
    bound = derive(several(PLACES, other)).bounds["pure"]
    assert "sum" in bound.text
    assert bound.tight == "unknown"


def test_records_of_one_map_may_be_others_than_those_of_another_one():
    """One place an hour and device: two maps see one device each, at different places."""
    attributes = {**ATTRIBUTES, "device": ["phone", "watch"]}
    domain = Domain(attributes, REGION, limits=[("who(c), hour(c), device(c)", 1)])
    maps = [
        Map(f"m{n}", f"{IN_REGION} and device(c) == {device}", {"i": "h", "j": "k"})
        for n, device in enumerate(("phone", "watch"))
    ]
    parts = [Part(f"p{n}", f"m{n}", None, {"pure": (f"e{n}",)}) for n in range(2)]
    bound = derive(Problem(domain, presence(), maps, parts)).bounds["pure"]
    each = ("sum(e0[i,j] for j == t(i) or j == u(i))", "sum(e1[i,j] for j == t(i) or j == u(i))")
    assert bound.text == f"max over t, u of ({' + '.join(each)})"


def test_hours_of_which_only_one_map_has_blocks_have_two_places():
    """Before hour 3 there is one place only: whoever was there is there, or is not."""
    domain = Domain(
        {**ATTRIBUTES, "place": ["home", "work"]}, {"at": (["place", "int"], "int")},
        limits=ONE_PLACE, cap=1, cell="hour(c) >= 3 or place(c) == home",
    )  # fmt: skip
    member = "hour(c) == i and at(place(c), hour(c)) == j"
    late = Map("late", f"{member} and i >= 3", {"i": "h", "j": "k"})
    blocks = Map("b", member, {"i": "h", "j": "k"})
    parts = [Part("a", "b", None, {"pure": ("e0",)}), Part("l", "late", None, {"pure": ("e1",)})]
    bound = derive(Problem(domain, changed(), [blocks, late], parts)).bounds["pure"]
    assert bound.tight == "unknown"


def test_numbers_of_several_maps_are_the_largest_of_each_hour():
    values = {"e0": [1, 2, 4], "e1": [[5, 1, 4], [1, 2, 2], [0, 0, 7]]}
    sizes = {"h": 3, "k": 3, "w": 2}
    found = derive(several(HOURS, PLACES), values=values, sizes=sizes).bounds["pure"]
    assert (found.value, found.tight) == (max(3 + 9 + 4, 6 + 4 + 7), "yes")


def test_numbers_are_the_largest_of_each_hour():
    values = {"eps": [[5, 1, 4], [1, 2, 2]]}
    found = derive(problem(), values=values, sizes={"h": 2, "k": 3}).bounds["pure"]
    assert (found.value, found.tight) == (13, "yes")
    values = {"eps": [[5, 1, 4]]}
    found = derive(problem(), values=values, sizes={"h": 1, "k": 3}).bounds["pure"]
    assert (found.value, found.tight) == (9, "yes")


# -------------------------------------------------------------------- certificates


def test_both_solvers_confirm_it_and_it_says_what_it_is_about():
    second = SecondSolver() if SecondSolver.installed() else None
    derivation = derive(problem())
    found = verify(read(as_text(certificate(derivation.theorems, derivation)).encode()), second)
    assert found.verdict == "proved"
    assert any("in blocks of each i no records but c.1 and c.2, and only" in x for x in found.facts)


def stated(limits=ONE_PLACE, use=None):
    """Return what decides about a problem, and its fact about blocks that change together."""
    found = derive(problem(limits, use))
    return Recheck(found.problem), stated_fact(found.theorems["pure"], "ChangedTogether")


def test_what_says_less_is_confirmed_and_what_says_more_is_not():
    check, right = stated()
    _, about, edit, terms, facts, (place,) = right
    _, name, touched, when, far = place
    check.fact(right)

    def fact(condition=when, named=terms, given=facts, places=None, at=far):
        places = places or (make("Place", name, touched, condition, at),)
        return make("ChangedTogether", about, edit, named, given, places)

    first, second = when[2]
    some = make("Compared", "le", make("Index", 1), make("Index", 1))
    check.fact(fact(make("Connected", "or", (second, first))))
    check.fact(fact(make("Connected", "or", (first, second, some))))
    both = (make("Index", 1), make("Index", 2))
    check.fact(fact(make("Connected", "or", tuple(
        make("Compared", "eq", make("Index", 2), make("LetterAt", n, both)) for n in (1, 2)
    ))))  # fmt: skip
    one, other = terms
    here, there = make("LetterAt", 1, (make("Index", 1),)), make("LetterAt", 1, (make("Index", 2),))
    third = '["apply","int","b.region",["attr","Place","place",["var","cell","c.3"]]]'
    wrong = [
        fact(first),
        fact(make("Connected", "and", (first, second))),
        fact(named=(one, one)),
        fact(named=(one, other.replace("c.2", "c.3"))),
        fact(named=(one, other.replace("c.2", "c.9"))),
        fact(named=(one.replace("c.1", "who"), other)),
        fact(make("Compared", "eq", make("Index", 2), here), named=(third,)),
        # Functions of the place say nothing about hours, nor are distances known, nor facts.
        fact(make("Compared", "eq", make("Index", 1), there)),
        fact(at=(make("Seen", "a", make("Amount", make("Integer", 1))),)),
        fact(given=make("Compared", "le", make("Integer", 2), make("Integer", 1))),
    ]
    for x in wrong:
        with pytest.raises(RejectedError):
            check.fact(x)


def test_more_records_than_have_names_are_not_confirmed():
    _, right = stated()
    check, _ = stated([("who(c), hour(c)", 2)])
    _, _, edit, terms, facts, places = right
    wrong = make("ChangedTogether", check.meaning.term, edit, terms, facts, places)
    with pytest.raises(RejectedError):
        check.fact(wrong)
    check, _ = stated([("who(c), hour(c)", 2)], presence())
    check.fact(make("ChangedTogether", check.meaning.term, edit, terms, facts, places))


def test_records_of_two_maps_are_not_named_at_once():
    """What is in block i of one map is there an hour later than in block i of the other one."""
    domain = Domain(ATTRIBUTES, REGION, limits=ONE_PLACE)
    maps = [
        Map("b", "hour(c) == i and region(place(c)) == j", {"i": "h", "j": "k"}),
        Map("d", "hour(c) - 1 == i and region(place(c)) == j", {"i": "h", "j": "k"}),
    ]
    check = Recheck(Problem(domain, changed(), maps, [Part("a", "b"), Part("e", "d")]))
    terms = tuple(
        f'["apply","int","region",["attr","Place","place",["var","cell","c.{n}"]]]' for n in (1, 2)
    )
    when = make("Connected", "or", tuple(
        make("Compared", "eq", make("Index", 2), make("LetterAt", n, (make("Index", 1),)))
        for n in (1, 2)
    ))  # fmt: skip
    places = tuple(make("Place", name, (), when, ()) for name in ("b", "d"))
    anything = make("Connected", "and", ())

    def fact(*some):
        return make("ChangedTogether", check.meaning.term, "edit 1", terms, anything, tuple(some))

    for place in places:
        check.fact(fact(place))
    with pytest.raises(RejectedError):
        check.fact(fact(*places))


def test_reports_say_of_which_blocks_the_records_have_names():
    text = latex.article(derive(problem()).document())
    assert "for each $i$ there are cells" in text
    assert "so that no others change in blocks with this $i$" in text
