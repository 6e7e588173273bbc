"""Blocks that ask what a record is: truth values, listed values, and what functions say of it.

Blocks for different values do not change together.  Bounds are compared with all neighbours in
small worlds by the random problems of ``tests.random_problems.structured``; here is what is said.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together import together
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"id": "Visit", "city": "int", "adult": "bool", "sex": ("male", "female"),
              "kind": ("red", "blue", "green"), "who": "Person"}  # fmt: skip
GOLD = {"gold": (["Person"], "bool")}
NEAR = "city(c) == i or city(c) == i + 1"
EITHER = (
    "max over t, u with 0 <= u <= 1 of (sum(eps[i] for i == t and u == 1)"
    " + sum(eta[i] for u == 0 and t - 1 <= i <= t))"
)
BOTH = "max over t of (sum(eps[i] for i == t) + sum(eta[i] for t - 1 <= i <= t))"
REPLACED = Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y", {"x": "-1", "y": "1"})


def problem(first, second, use=None, **of_class):
    functions = GOLD if "gold" in first + second else {}
    domain = Domain(ATTRIBUTES, functions, **of_class)
    maps = [Map("m", first, {"i": "k"}), Map("n", second, {"i": "k"})]
    parts = [Part("p", "m", setting="common", guarantees={"pure": ("eps",)}),
             Part("q", "n", setting="common", guarantees={"pure": ("eta",)})]  # fmt: skip
    return Problem(domain, use or library_granularity("unbounded"), maps, parts)


def pure(*args, numbers=None, **more):
    bound = derive(problem(*args, **more), numbers).bounds["pure"]
    return bound.text, bound.tight == "yes"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adult(c)", "not adult(c)"),
        ("adult(c) == true", "adult(c) != true"),
        ("false != adult(c)", "adult(c) == false"),
        ("male == sex(c)", "not (sex(c) == male)"),
        ("sex(c) == male", "sex(c) == female"),
        ("sex(c) == male", "sex(c) != male"),
        ("kind(c) == red", "kind(c) != red"),
        ("gold(who(c))", "not gold(who(c))"),
    ],
)
def test_what_excludes_itself_is_not_added_up(first, second):
    assert pure(f"city(c) == i and {first}", f"({NEAR}) and {second}") == (EITHER, True)


@pytest.mark.parametrize(
    "said", ["adult(c)", "not adult(c)", "sex(c) == male", "sex(c) == female", "kind(c) != red",
             "kind(c) == green", "gold(who(c))", "not gold(who(c))"],
)  # fmt: skip
def test_what_all_records_may_be_is_no_integer(said):
    assert pure(f"city(c) == i and {said}", NEAR) == (BOTH, True)
    assert pure(f"city(c) == i and {said}", f"({NEAR}) and {said}") == (BOTH, True)


def test_of_three_values_each_has_its_integer_and_one_is_true():
    text, tight = pure(
        "city(c) == i and kind(c) == red",
        f"({NEAR}) and kind(c) == blue or city(c) == i + 2 and kind(c) == green",
    )
    assert tight
    assert "with 0 <= " in text
    assert "+" in text.split(" of (")[0], "which add up to one"


def test_a_guard_that_says_what_a_record_is_bounds_it():
    add = Granularity("of adults", [Edit({"x": "cell"}, "adult(x)", {"x": "1"})])
    assert pure("city(c) == i and adult(c)", f"({NEAR}) and not adult(c)", add) == (
        "max over t of sum(eps[i] for i == t)", True)  # fmt: skip


def test_a_guard_that_says_one_thing_or_another_is_a_fact_of_integers():
    """A visit of a minor is one of a boy: no girl's changes."""
    some = Granularity("g", [Edit({"x": "cell"}, "adult(x) or sex(x) == male", {"x": "1"})])
    girls = f"({NEAR}) and not adult(c) and sex(c) == female"
    text, tight = pure("city(c) == i and adult(c)", girls, some)
    assert tight
    assert "eta" not in text


def test_two_records_of_which_each_is_one_thing_or_the_other():
    """Against all that two records can be."""
    use = Granularity("replaced", [REPLACED])
    eps, eta = [5, 1, 2], [1, 4, 1]
    text, tight = pure("city(c) == i and adult(c)", f"({NEAR}) and not adult(c)", use)
    assert tight
    assert text.count("with") == 1
    found = derive(
        problem("city(c) == i and adult(c)", f"({NEAR}) and not adult(c)", use),
        {"eps": eps, "eta": eta}, {"k": 3},
    ).bounds["pure"]  # fmt: skip

    def changed(city, adult):
        near = {(1, i) for i in (city, city - 1)}
        return {(0, city)} if adult else near

    cells = [(city, adult) for city in range(5) for adult in (False, True)]
    worst = max(
        sum((eps, eta)[m][i - 1] for m, i in changed(*x) | changed(*y) if 1 <= i <= 3)
        for x in cells for y in cells
    )  # fmt: skip
    assert found.value == worst == 10


def test_users_with_few_records():
    use = library_granularity("user_presence", owner="who")
    first, second = "city(c) == i and adult(c)", f"({NEAR}) and not adult(c)"
    assert pure(first, second, use, limits=[("who(c)", 1)]) == (EITHER, True)
    changed = library_granularity("user", owner="who")
    text, tight = pure(first, second, changed, limits=[("who(c)", 1)])
    assert tight, "one record goes, another one comes, which differ in city or in age"
    assert text.startswith("max over t, u, v, x with 0 <= u <= 1 and 0 <= x <= 1 of (sum(eps[i]")


def test_a_table_of_two_indices_where_one_is_a_label():
    table = Map("t", "city(c) == i and (j == 1 and adult(c) or j == 2 and not adult(c))",
                {"i": "k", "j": 2})  # fmt: skip
    cities = Map("n", "city(c) == i", {"i": "k"})
    parts = [Part("p", "t", guarantees={"pure": ("eps",)}),
             Part("q", "n", guarantees={"pure": ("eta",)})]  # fmt: skip
    use = library_granularity("unbounded")
    bound = derive(Problem(Domain(ATTRIBUTES), use, [table, cities], parts)).bounds["pure"]
    assert bound.tight == "yes"
    assert bound.text == (
        "max over t, u with 0 <= u <= 1 of (sum(eps[i,j] for i == t and j == 1 and u == 1 or"
        " i == t and j == 2 and u == 0) + sum(eta[i] for i == t))"
    )


def test_both_solvers_confirm_it():
    found = derive(problem("city(c) == i and sex(c) == male", f"({NEAR}) and sex(c) == female"))
    assert verify(read(as_text(certificate(found.theorems, found)).encode())).verdict == "proved"


@pytest.mark.parametrize("said", ["adult(c)", "sex(c) == female", "gold(who(c))"])
def test_no_pair_is_written_down_that_leaves_open_what_a_record_is(said):
    for second in (NEAR, f"({NEAR}) and not ({said})"):
        of = problem(f"city(c) == i and {said}", second)
        structure = Structure(of)
        found = together(structure, structure.edits[0], [*of.used_maps.values()])
        assert found.attained
        assert found.worst is None


def test_each_record_has_one_of_the_listed_values():
    """One that is none of them would be in all blocks."""
    text, tight = pure(
        "city(c) == i and kind(c) != red",
        f"({NEAR}) and kind(c) != blue and kind(c) != green",
    )
    assert tight
    assert "== 1" in text.split(" of (")[0]


@pytest.mark.parametrize(
    ("own", "text"),
    [
        (True, "max(eps[i]) + max(eta[i])"),
        (False, ("max over t, u with 0 <= u <= 1 of (sum(eps[i] for i == t and u == 1)"
                 " + sum(eta[i] for i == t and u == 0))")),
    ],
)  # fmt: skip
def test_functions_of_two_maps_with_one_name_are_two_functions(own, text):
    """One map's gold persons may all be the other one's that are not."""
    functions = {"place": (["Person"], "int"), **GOLD}
    of_map, of_class = (functions, {}) if own else ({}, functions)
    members = ("place(who(c)) == i and gold(who(c))", "place(who(c)) == i and not gold(who(c))")
    maps = [Map(n, m, {"i": "k"}, of_map) for n, m in zip("mn", members, strict=True)]
    parts = [Part("p", "m", guarantees={"pure": ("eps",)}),
             Part("q", "n", guarantees={"pure": ("eta",)})]  # fmt: skip
    of = Problem(Domain(ATTRIBUTES, of_class), library_granularity("unbounded"), maps, parts)
    bound = derive(of).bounds["pure"]
    assert (bound.text, bound.tight) == (text, "yes")
