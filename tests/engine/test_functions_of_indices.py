"""Records of which the blocks on each level, or in each row, are chosen by functions.

A record lies in one node of every level; few records lie in as few of each.  Bounds are compared
with all choices of nodes, and integers that the edit names stand beside the functions.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.certificates.recheck import Recheck, verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.claims.substitutions import substitutions
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.numbers.together import largest_together
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import Reader, make
from dpcomp_sym.smt.solvers import SecondSolver
from tests.certificates.both import plain, stated_fact

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"id": "Record", "user": "User", "item": "Item", "day": "int", "hour": "int"}
HASH = {"hash": (["Item", "int"], "int")}
ROWS = "hash(item(c), i) == j"
ETA = {"pure": ("eta",)}
CHOICES = "max over {} choices of t of sum(eps[i,j] for j == t(i))"
WINDOW = Edit({"p": "User", "t": "int"}, frame="user(c) == p and t <= day(c) and day(c) < t + w")


def problem(*limits, use="user", member=ROWS, sizes=None, records=False, **more):
    symbols = {n: f"{n} >= 1" for n in ("m", "w")}
    named = {"hash": HASH["hash"]} if "hash" in member else {}
    domain = Domain(ATTRIBUTES, limits=limits, symbols=symbols, **more)
    edits = use if isinstance(use, Granularity) else library_granularity(use, owner="user")
    rows = Map("rows", member, index=sizes or {"i": "d", "j": "k"}, functions=named)
    inner = library_granularity("unbounded") if records else None
    return Problem(domain, edits, [rows], [Part("counts", "rows", inner)])


def pure(*limits, **named):
    found = derive(problem(*limits, **named)).bounds["pure"]
    return found.text, found.tight


IN_ALL = ("user(c)", "m")


@pytest.mark.parametrize(
    ("use", "limits", "more", "text"),
    [
        ("user", [IN_ALL], {}, CHOICES.format("2*m")),
        ("user_presence", [IN_ALL], {}, CHOICES.format("m")),
        ("user", [("user(c)", 3)], {}, CHOICES.format(6)),
        ("user", [], {"distinct": [("item(c)", "user(c)", "m")]}, CHOICES.format("2*m")),
        ("user_presence", [("user(c)", 1)], {}, "sum over i of max over j of eps[i,j]"),
        ("user", [IN_ALL], {"records": True}, "sum over i of max over j of (2*m)*eps[i,j]"),
        ("user", [IN_ALL], {"records": True, "cap": 1},
         "sum over i of max over j of (2*m)*eps[i,j]"),
    ],
)  # fmt: skip
def test_of_each_row_few_blocks_change(use, limits, more, text):
    assert pure(*limits, use=use, **more) == (text, "yes")


def test_of_two_maps_choices_are_functions_of_the_same_indices():
    """What is an integer for the second map is taken for a function there, too."""
    symbols = {"m": "m >= 1"}
    functions = {**HASH, "group": (["Item"], "int")}
    domain = Domain(ATTRIBUTES, functions, distinct=[("item(c)", "user(c)", "m")], symbols=symbols)
    sizes = {"i": "d", "j": "k"}
    maps = [Map("rows", ROWS, index=sizes),
            Map("both", f"{ROWS} and group(item(c)) == j", index=sizes)]  # fmt: skip
    edits = library_granularity("user_presence", owner="user")
    parts = [Part("counts", "rows", None, {"pure": ("eps",)}),
             Part("more", "both", None, {"pure": ("eta",)})]  # fmt: skip
    found = derive(Problem(domain, edits, maps, parts)).bounds["pure"]
    assert found.text == (
        "max over m choices of t, u of (sum(eps[i,j] for j == t(i)) "
        "+ sum(eta[i,j] for j == t(i) and j == u(i)))"
    )
    assert found.tight == "unknown"  # a group of an item is the same in all rows


def test_a_bound_that_is_not_attained_is_not_the_sum_of_all():
    """No two records of a user are of one day, and not all days can be."""
    limits = [IN_ALL, ("user(c), day(c)", 1)]
    found = pure(*limits, use="user_presence", cell="1 <= day(c)")
    assert found == (CHOICES.format("m"), "unknown")
    few = Domain({"user": "User", "item": "Item", "day": "int"}, limits=[IN_ALL], cap=1,
                 cell="1 <= day(c)", symbols={"m": "m >= 1"})  # fmt: skip
    rows = Map("rows", ROWS, index={"i": "d", "j": "k"}, functions=HASH)
    edits = library_granularity("user_presence", owner="user")
    part = Part("counts", "rows", library_granularity("unbounded"))
    found = derive(Problem(few, edits, [rows], [part])).bounds["pure"]
    assert found.text == "sum over i of max over j of m*eps[i,j]"


@pytest.mark.parametrize(
    "more",
    [{"size": "size(D) == 10"}, {"facts": "implies(D[c] >= 1, D[replace(c, day, 0)] >= 1)"}],
)
def test_what_the_class_says_of_whole_databases_does_not_make_it_more(more):
    assert pure(IN_ALL, **more) == (CHOICES.format("2*m"), "unknown")


def test_mechanisms_of_both_kinds_read_the_same_rows():
    """Those that protect a user, and those that protect single records, which see 2m of them."""
    given = problem(IN_ALL)
    parts = [*given.parts, Part("single", "rows", library_granularity("unbounded"), ETA)]
    found = derive(Problem(given.domain, given.granularity, given.maps, parts)).bounds["pure"]
    assert found.text == (
        "max over 2*m choices of t of sum(eps[i,j] + (2*m)*eta[i,j] for j == t(i))"
    )
    assert found.tight == "unknown"


def test_a_function_of_all_indices_says_nothing():
    """Each block would have a choice of its own: they are all blocks."""
    assert pure(IN_ALL, member="hash(item(c), i + j) == j")[0] == "sum(eps[i,j])"


@pytest.mark.parametrize(
    ("edit", "limits", "member", "text"),
    [
        (WINDOW, [("user(c), day(c)", 1)], "day(c) == i and hour(c) == j",
         "max over t, u, v of sum(eps[i,j] for t <= i < t + w and (j == u(i) or j == v(i)))"),
        (Edit(dict(WINDOW.params), frame=WINDOW.frame, step="old == 0"),
         [("user(c), day(c)", 1)], "day(c) == i and hour(c) == j",
         "max over t, u of sum(eps[i,j] for t <= i < t + w and j == u(i))"),
        (WINDOW, [("user(c), day(c)", 1)], "hour(c) == i and day(c) == j",
         "max over t, u, v of sum(eps[i,j] for t <= j < t + w and (i == u(j) or i == v(j)))"),
    ],
)  # fmt: skip
def test_of_each_day_of_a_window_few_hours_change(edit, limits, member, text):
    granularity = Granularity("days of a user", [edit])
    assert pure(*limits, use=granularity, member=member) == (text, "yes")


def test_the_day_of_a_person_stands_beside_the_node_of_each_level():
    one_day = Granularity("a day", [Edit({"p": "User", "a": "int"},
                                         frame="user(c) == p and day(c) == a")])  # fmt: skip
    sizes = {"i": "d", "j": "k", "l": "h"}
    member = f"{ROWS} and day(c) == l"
    limits = [("user(c), day(c)", "m")]
    text, tight = pure(*limits, use=one_day, member=member, sizes=sizes, records=True)
    assert text == "max over t, u of sum((2*m)*eps[i,j,l] for j == t(i) and l == u)"
    assert tight == "yes"
    given = problem(*limits, use=one_day, member=member, sizes=sizes)
    found = derive(given, sizes={"m": 1}).bounds["pure"]
    assert found.tight == "yes"
    assert found.text == (
        "max over t, u, v of sum(eps[i,j,l] for j == t(i) and l == u or j == v(i) and l == u)"
    )


# -------------------------------------------------------------------- numbers


@pytest.mark.parametrize("seed", range(12))
def test_numbers_of_choices_are_the_largest_of_each_row(seed):
    rng = random.Random(f"{seed} rows")
    rows, blocks, most = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    eps = [[rng.randint(0, 9) for _ in range(blocks)] for _ in range(rows)]
    sizes = {"m": most, "d": rows, "k": blocks}
    found = derive(problem(IN_ALL, use="user_presence"), {"eps": eps}, sizes).bounds["pure"]
    assert found.value == sum(sum(sorted(row, reverse=True)[:most]) for row in eps)


def test_numbers_of_many_blocks():
    rng = random.Random("many")
    eps = [[[rng.randint(0, 9) for _ in range(20)] for _ in range(15)] for _ in range(3)]
    one_day = Granularity("a day", [Edit({"p": "User", "a": "int"},
                                         frame="user(c) == p and day(c) == a")])  # fmt: skip
    given = problem(("user(c), day(c)", 1), use=one_day, member=f"{ROWS} and day(c) == l",
                    sizes={"i": "d", "j": "k", "l": "h"})  # fmt: skip
    found = derive(given, {"eps": eps}, {"d": 3, "k": 15, "h": 20}).bounds["pure"]
    assert found.value == max(
        sum(sum(sorted((place[day] for place in row), reverse=True)[:2]) for row in eps)
        for day in range(20)
    )


@pytest.mark.parametrize("seed", range(12))
def test_numbers_beside_an_integer_are_the_largest_for_each_of_its_values(seed):
    rng = random.Random(f"{seed} days")
    days, hours, w = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    eps = [[rng.randint(0, 9) for _ in range(hours)] for _ in range(days)]
    given = problem(
        ("user(c), day(c)", 1), use=Granularity("days", [WINDOW]),
        member="day(c) == i and hour(c) == j",
    )  # fmt: skip
    found = derive(given, {"eps": eps}, {"w": w, "d": days, "k": hours}).bounds["pure"]
    best = [sum(sorted(row, reverse=True)[:2]) for row in eps]
    assert found.value == max(sum(best[t : t + w]) for t in range(days))


@pytest.mark.parametrize("seed", range(8))
def test_numbers_beside_an_integer_that_is_divided(seed):
    """Of each hour a person is in one place; all hours of two weeks change, from some day on."""
    rng = random.Random(f"{seed} weeks")
    hours, places = rng.randint(1, 3), rng.randint(1, 3)
    eps = [
        [[rng.randint(0, 9) for _ in range(3)] for _ in range(places)] for _ in range(hours)
    ]  # fmt: skip
    j, week = k.Index(2), k.Index(3)
    here = k.Combined("div", (k.Letter(1), k.Integer(2)))
    of_a_week = (k.Compared("le", here, week), k.Compared("le", week, k.Combined("add", (
        here, k.Integer(1)))))  # fmt: skip
    when = k.Connected("and", (*of_a_week, k.Compared("eq", j, k.LetterAt(2, (k.Index(1),)))))
    sizes = ("h", "p", "w")
    total = k.SumOver(sizes, when, k.Inf(), k.BlockEntry("eps", sizes))
    numbers = {"h": hours, "p": places, "w": 3}
    rows = [x for hour in eps for place in hour for x in place]
    found = largest_together(
        k.MaxOver(2, k.Connected("and", ()), total), numbers, lambda *_: rows, lambda _: math.inf
    )
    best = max(
        sum(max(sum(place[w - 1] for w in (at, at + 1) if 1 <= w <= 3) for place in hour)
            for hour in eps)
        for at in range(4)
    )  # fmt: skip
    assert found == best


def test_integers_that_are_compared_with_functions_alone():
    """A place of each row that is at t or before it: t is where these meet."""
    eps = [[1, 9, 2, 3, 8], [4, 1, 1, 9, 2]]
    u, t, j = k.LetterAt(2, (k.Index(1),)), k.Letter(1), k.Index(2)
    one_more = k.Combined("add", (u, k.Integer(1)))
    when = k.Connected("and", (
        k.Compared("eq", j, u), k.Compared("le", u, t), k.Compared("le", t, one_more)
    ))  # fmt: skip
    total = k.SumOver(("d", "k"), when, k.Inf(), EPS)
    rows = [x for row in eps for x in row]
    found = largest_together(
        k.MaxOver(2, TRUE, total), {"d": 2, "k": 5}, lambda *_: rows, lambda _: math.inf
    )
    near = [sum(max(row[max(at - 1, 0) : at + 1], default=0) for row in eps) for at in range(6)]
    assert found == max(near) == 17


def test_all_windows_and_all_functions_were_looked_at():
    """The same as by trying each start of a window, and each choice of two hours for each day."""
    eps = [[1, 5, 3], [2, 2, 9], [7, 0, 7]]
    pairs = list(itertools.combinations_with_replacement(range(3), 2))
    best = max(
        sum(sum(eps[i][j] for j in {*chosen[i]}) for i in range(3) if t <= i < t + 2)
        for t in range(-1, 3)
        for chosen in itertools.product(pairs, repeat=3)
    )
    given = windowed()
    assert derive(given, {"eps": eps}, {"w": 2, "d": 3, "k": 3}).bounds["pure"].value == best


def windowed():
    use = Granularity("days", [WINDOW])
    return problem(("user(c), day(c)", 1), use=use, member="day(c) == i and hour(c) == j")


@pytest.mark.parametrize("sizes", [{"m": 1, "d": 2, "k": 3}, {"m": 2, "d": 1, "k": 3}])
def test_formulas_in_sympy_have_the_same_value(sizes):
    eps = [[5, 1, 4], [1, 2, 2]][: sizes["d"]]
    found = derive(problem(IN_ALL, use="user_presence"), {"eps": eps}, sizes).bounds["pure"]
    written = derive(problem(IN_ALL, use="user_presence")).bounds["pure"].sympy(sizes)
    names = sorted(written.free_symbols | written.atoms(sp.Indexed), key=str)
    values = {
        x: eps[x.indices[0] - 1][x.indices[1] - 1] for x in names if isinstance(x, sp.Indexed)
    }
    assert written.xreplace(values) == found.value


# -------------------------------------------------------------------- claims


@pytest.mark.parametrize(
    ("given", "claim", "verdict"),
    [
        ("sketch", CHOICES.format("2*m"), "proved"),
        ("sketch", CHOICES.format("3*m"), "proved"),
        ("sketch", CHOICES.format("m"), "refuted"),
        ("sketch", "2*m*(sum over i of max over j of eps[i,j])", "proved"),
        ("window", "max over t of sum(eps[i,j] for t <= i < t + w)", "proved"),
        ("window", "max over u, v of sum(eps[i,j] for j == u(i) or j == v(i))", "proved"),
        ("window", "max over t, u of sum(eps[i,j] for t <= i < t + w and j == u(i))", "refuted"),
    ],
)
def test_claims(given, claim, verdict):
    of = problem(IN_ALL) if given == "sketch" else windowed()
    assert dp.refute(of, claim).verdict == verdict


def test_an_integer_is_not_made_of_functions():
    """Windows that start where a function says are no windows with one start for all days."""
    of = derive(windowed()).problem
    apart = "max over t, u, v of sum(eps[i,j] for t(i) <= i and i < t(i) + w and j == u(i))"
    assert dp.refute(of, apart).verdict != "proved"
    inner, outer = (
        k.MaxOver(1, k.Connected("and", ()), k.SumOver(
            ("d", "k"), k.Compared("eq", J, letter), k.Inf(), EPS
        ))
        for letter in (k.LetterAt(1, (k.Index(1),)), k.Letter(1))
    )  # fmt: skip
    assert k.Letter(1) not in {x for (x,) in substitutions(inner, outer)}
    assert k.Letter(1) in {x for (x,) in substitutions(outer, inner)}


# -------------------------------------------------------------------- certificates


@pytest.mark.parametrize("given", ["sketch", "distinct", "mean", "window", "one day"])
def test_both_solvers_confirm_it(given):
    one_day = Granularity("a day", [Edit({"p": "User", "a": "int"},
                                         frame="user(c) == p and day(c) == a")])  # fmt: skip
    of = {
        "sketch": lambda: derive(problem(IN_ALL)),
        "distinct": lambda: derive(problem(distinct=[("item(c)", "user(c)", "m")])),
        "mean": lambda: derive(problem(IN_ALL, records=True)),
        "window": lambda: derive(windowed()),
        "one day": lambda: derive(
            problem(("user(c), day(c)", "m"), use=one_day, member=f"{ROWS} and day(c) == l",
                    sizes={"i": "d", "j": "k", "l": "h"}), sizes={"m": 1}),
    }[given]()  # fmt: skip
    second = SecondSolver() if SecondSolver.installed() else None
    found = verify(read(as_text(certificate(of.theorems, of)).encode()), second)
    assert found.verdict == "proved"


def stated(found, kind):
    """Return what decides about a problem, and one of its facts."""
    return Recheck(found.problem), stated_fact(found.theorems["pure"], kind)


def test_fewer_choices_and_other_functions_are_rejected():
    check, right = stated(derive(problem(IN_ALL)), "ChangedByRecords")
    _, about, edit, times, terms, facts, places = right
    check.fact(right)
    size = make("Size", "m")

    def fact(number=times, named=terms, where=places):
        return make("ChangedByRecords", about, edit, number, named, facts, where)

    check.fact(fact(make("Product", (make("Num", Fraction(3)), size))))
    (term,) = terms
    ((_, name, *_),) = places
    at_all = make(
        "Compared",
        "eq",
        make("Index", 2),
        make("LetterAt", 1, (make("Index", 1), make("Index", 2))),
    )
    check.fact(fact(where=(make("Place", name, (), at_all, ()),)))  # it may depend on more
    at_other = make("Compared", "eq", make("Index", 2), make("LetterAt", 1, (make("Index", 2),)))
    integer = make("Compared", "eq", make("Index", 2), make("Letter", 1))
    for wrong in (
        fact(size),
        fact(named=(term.replace("block.1", "block.2"),)),
        fact(named=(term.replace("block.1", "block.3"),)),
        fact(where=(make("Place", name, (), at_other, ()),)),
        fact(where=(make("Place", name, (), integer, ()),)),
    ):
        with pytest.raises(RejectedError):
            check.fact(wrong)


def test_a_limit_on_items_says_nothing_of_what_it_does_not_tell():
    check, right = stated(derive(problem(distinct=[("item(c)", "user(c)", "m")])),
                          "ChangedByRecords")  # fmt: skip
    _, about, edit, times, terms, facts, places = right
    check.fact(right)
    (term,) = terms
    hour = '["attr","int","hour",["var","cell","c.1"]]'
    for named in (hour, term.replace('["var","int","block.1"]', hour)):
        with pytest.raises(RejectedError):
            check.fact(make("ChangedByRecords", about, edit, times, (named,), facts, places))


def test_a_window_that_is_shorter_is_rejected():
    check, right = stated(derive(windowed()), "ChangedTogether")
    _, about, edit, terms, facts, (place,) = right
    check.fact(right)
    _, name, touched, when, far = place
    first, *rest = terms
    one_later = '["add","int",["var","int","t"],["int","int",1]]'
    for wrong in ((one_later, *rest), (rest[0], first, rest[1]), (first, rest[0], rest[0])):
        with pytest.raises(RejectedError):
            check.fact(make("ChangedTogether", about, edit, wrong, facts,
                            (make("Place", name, touched, when, far),)))  # fmt: skip


# -------------------------------------------------------------------- terms

I, J, EPS = k.Index(1), k.Index(2), k.BlockEntry("eps", ("d", "k"))
TRUE = k.Connected("and", ())


def largest(*conditions, free=2, facts=TRUE):
    when = k.Connected("and", conditions)
    return lambda: k.MaxOver(free, facts, k.SumOver(("d", "k"), when, k.Inf(), EPS))


HERE = k.Compared("eq", J, k.LetterAt(2, (k.Index(1),)))


def test_integers_may_stand_beside_functions():
    made = largest(k.Compared("le", k.Letter(1), I), HERE)()
    assert made.text() == "max over t, u of sum(eps[i,j] for t <= i and j == u(i))"
    assert Reader().value(plain(made), "Expr")


@pytest.mark.parametrize(
    "wrong",
    [
        largest(k.Compared("eq", I, k.Letter(2)), HERE),
        largest(k.Compared("eq", I, k.LetterAt(1, (k.Index(2),))), HERE),
        largest(HERE, facts=k.Compared("le", k.LetterAt(1, (k.Index(1),)), k.Integer(3))),
        largest(HERE, free=1),
    ],
)
def test_a_letter_is_one_thing(wrong):
    with pytest.raises(k.KernelError):
        wrong()


def test_the_second_program_refuses_what_the_kernel_refuses():
    right = plain(largest(k.Compared("le", k.Letter(1), I), HERE)())
    text = json.dumps(right)
    letter = '{"op": "Letter", "number": 1}'
    assert letter in text
    assert Reader().value(right, "Expr")
    at_other = text.replace(
        letter, '{"op": "LetterAt", "number": 1, "at": [{"op": "Index", "number": 2}]}'
    )
    with pytest.raises(RejectedError, match="functions take the same indices"):
        Reader().value(json.loads(at_other.replace('["d", "k"]', '["k", "k"]')), "Expr")
    for other in (
        '{"op": "Letter", "number": 2}',
        '{"op": "LetterAt", "number": 1, "at": [{"op": "Index", "number": 2}]}',
    ):
        with pytest.raises(RejectedError):
            Reader().value(json.loads(text.replace(letter, other)), "Expr")
    covered = {"op": "Coverage", "times": {"op": "Size", "name": "m"}, "most": right}
    with pytest.raises(RejectedError, match="choices are of integers, or of functions"):
        Reader().value(covered, "Expr")
