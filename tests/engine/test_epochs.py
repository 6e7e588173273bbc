"""Limits by a quotient or a remainder of what blocks are about: few records in each epoch.

Which block of an epoch changes is a function of the epoch.  Bounds are compared with all neighbours
in small worlds by ``tests.differential.test_epochs``; here is what is said, and what must not be.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym.certificates.recheck import Recheck, verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together.find import index_variable
from dpcomp_sym.engine.together.slices import records_in_slice
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import make
from dpcomp_sym.report import latex
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.terms import INT, Term
from dpcomp_sym.terms.term import integer
from tests.certificates.both import stated_fact

pytestmark = pytest.mark.in_turn

A_LENGTH = {"b": "b >= 1"}
EPOCHS = "max over t of sum(eps[i] for i == t(i//b))"
INDEX = make("Index", 1)


def problem(
    limits=(("user(c), step(c)//b", 1),), use="user_presence", member="step(c) == i", index=None,
    attributes=None, symbols=A_LENGTH, **more,
):  # fmt: skip
    sorts = {"user": "User", "step": "int"} if attributes is None else attributes
    domain = Domain(sorts, limits=list(limits), symbols=symbols, **more)
    steps = Map("steps", member, index or {"i": "k"})
    granularity = library_granularity(use, owner="user")
    return Problem(domain, granularity, [steps], [Part("a", "steps", None, {"pure": ("eps",)})])


def pure(*args, **more):
    bound = derive(problem(*args, **more)).bounds["pure"]
    return bound.text, bound.tight


def by(key, number=1):
    return [(f"user(c), {key}", number)]


M = {"m": "m >= 1"}


@pytest.mark.parametrize(
    ("limits", "more", "text"),
    [
        (by("step(c)//b"), {}, EPOCHS),
        (by("step(c)//b"), {"use": "user"},
         "max over t, u of sum(eps[i] for i == t(i//b) or i == u(i//b))"),
        (by("step(c)//3"), {}, "max over t of sum(eps[i] for i == t(i//3))"),
        (by("(step(c) - 1)//7"), {}, "max over t of sum(eps[i] for i == t((i - 1)//7))"),
        (by("step(c) % 7"), {}, "max over t of sum(eps[i] for i == t(i % 7))"),
        (by("step(c)//3", "m"), {"symbols": M},
         "max over m choices of t of sum(eps[i] for i == t(i//3))"),
        (by("step(c)//3", "m"), {"symbols": M, "use": "user"},
         "max over 2*m choices of t of sum(eps[i] for i == t(i//3))"),
        # No record is at a step below 0, where there is no block, either.
        (by("step(c) % 7"), {"use": "user", "cell": "0 <= step(c)"},
         "max over t, u of sum(eps[i] for i == t(i % 7) or i == u(i % 7))"),
        # The block says which step it is, one later or earlier.
        (by("step(c)//3"), {"member": "step(c) + 1 == i"},
         "max over t of sum(eps[i] for i == t((i - 1)//3) + 1)"),
        (by("step(c)//3"), {"member": "i + 1 == step(c)"},
         "max over t of sum(eps[i] for i == t((i + 1)//3) - 1)"),
        # Steps have an end, which may be in the middle of an epoch.
        (by("step(c)//b"), {"cell": "0 <= step(c) and step(c) < N*b",
                            "symbols": A_LENGTH | {"N": "N >= 1"}},
         "max over t of sum(eps[i] for i < N*b and i == t(i//b))"),
        (by("step(c)//3"), {"cell": "step(c) <= 7"},
         "max over t of sum(eps[i] for i <= 7 and i == t(i//3))"),
    ],
)  # fmt: skip
def test_of_each_epoch_few_blocks_change(limits, more, text):
    assert pure(limits, **more) == (text, "yes")


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        ([*by("step(c)//2"), ("user(c)", 2)], {}),  # not in three epochs
        ([*by("step(c)//2"), *by("step(c) % 2")], {}),  # not twice at an even step
        (
            by("step(c)//2"),
            {"facts": ["implies(D[c] >= 1, D[replace(c, step, step(c) + 1)] == 0)"]},
        ),
        (by("step(c)//2"), {"cell": "step(c) % 4 == 1 or step(c) == 8"}),  # which is said
    ],
)
def test_it_is_not_attained_where_more_is_known(limits, more):
    text, tight = pure(limits, **more)
    assert tight != "yes" or "4" in text


@pytest.mark.parametrize(
    ("member", "index"),
    [
        ("step(c) <= i", None),
        ("i <= step(c) and step(c) < i + 2", None),
        ("step(c) % 3 == i", None),
        ("2*i == step(c)", None),
    ],
)
def test_blocks_that_do_not_say_the_step_are_not_cut(member, index):
    assert "t(" not in pure(by("step(c)//2"), member=member, index=index)[0]


@pytest.mark.parametrize("key", ["step(c)//2*step(c)//2", "step(c)*step(c)"])
def test_slices_that_have_no_record_are_not_counted_as_attained(key):
    """No step is told by 2, whatever it is: a block that asks for it never changes."""
    domain = Domain({"user": "User", "step": "int"}, limits=by(key))
    maps = [Map("m", "step(c) == i", {"i": "k"}), Map("n", f"{key} == i", {"i": "l"})]
    parts = [Part(f"p{m.name}", m.name, None, {"pure": (f"e{m.name}",)}) for m in maps]
    presence = library_granularity("user_presence", owner="user")
    bound = derive(Problem(domain, presence, maps, parts)).bounds["pure"]
    assert bound.text.endswith("+ sum(en[i]))")
    assert bound.tight == "unknown"


def largest(eps, epoch, number):
    """Add up the so many largest values of each epoch, in plain words."""
    groups = {}
    for step, value in enumerate(eps, 1):
        groups.setdefault(epoch(step), []).append(value)
    return sum(sum(sorted(group, reverse=True)[:number]) for group in groups.values())


NUMBERED = [
    (by("step(c)//b"), {}, lambda n, b: n // b, 1),
    (by("step(c)//b", 2), {}, lambda n, b: n // b, 2),
    (by("step(c)//b"), {"use": "user"}, lambda n, b: n // b, 2),
    (by("(step(c) + 1) % b"), {}, lambda n, b: (n + 1) % b, 1),
    (by("step(c)//b", "m"), {"symbols": A_LENGTH | M}, lambda n, b: n // b, 3),
    (by("(9 - step(c))//b"), {}, lambda n, b: (9 - n) // b, 1),
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("limits", "more", "epoch", "number"), NUMBERED)
def test_numbers_are_the_largest_of_each_epoch(limits, more, epoch, number, seed):
    rng = random.Random(seed)
    k, b = rng.randint(1, 9), rng.randint(1, 4)
    eps = [rng.randint(0, 9) for _ in range(k)]
    sizes = {"k": k, "b": b, "m": 3}
    whole = problem(limits, **more)
    known = {n: v for n, v in sizes.items() if n in ("k", *whole.symbols)}
    found = derive(whole, values={"eps": eps}, sizes=known).bounds["pure"]
    assert found.value == largest(eps, lambda n: epoch(n, b), number)


@pytest.mark.parametrize(("limits", "more", "epoch", "number"), NUMBERED[:-1])
def test_sympy_finds_the_same_number(limits, more, epoch, number):
    k, b, eps = 5, 2, (3, 1, 4, 1, 5)
    found = derive(problem(limits, **more)).bounds["pure"].sympy()
    known = {"k": k, "b": b, "m": 3}
    found = found.subs({x: known[x.name] for x in found.free_symbols if x.name in known})
    (base,) = found.atoms(sp.IndexedBase)
    found = found.subs({base[n]: v for n, v in enumerate(eps, 1)}).doit()
    assert found == largest(eps, lambda n: epoch(n, b), number)


def test_sympy_has_no_word_for_epochs_that_are_counted_backwards():
    limits, more, *_ = NUMBERED[-1]
    assert derive(problem(limits, **more)).bounds["pure"].sympy() is None


def test_many_steps_have_a_number_too():
    eps = [(7 * n * n) % 11 for n in range(1, 3001)]
    found = derive(problem(), values={"eps": eps}, sizes={"k": 3000, "b": 7}).bounds["pure"]
    assert found.value == largest(eps, lambda n: n // 7, 1)


def test_several_maps_are_cut_at_the_same_epochs():
    domain = Domain({"user": "User", "step": "int"}, limits=by("step(c)//3"))
    maps = [Map("m", "step(c) == i", {"i": "k"}), Map("n", "i == step(c)", {"i": "k"})]
    parts = [Part(f"p{m.name}", m.name, None, {"pure": (f"e{m.name}",)}) for m in maps]
    presence = library_granularity("user_presence", owner="user")
    bound = derive(Problem(domain, presence, maps, parts)).bounds["pure"]
    assert (bound.text, bound.tight) == (
        "max over t of (sum(em[i] for i == t(i//3)) + sum(en[i] for i == t(i//3)))",
        "yes",
    )
    # Of the second map step 3 is in block 2, of another epoch: of this one map all blocks count.
    maps[1] = Map("n", "i + 1 == step(c)", {"i": "k"})
    bound = derive(Problem(domain, presence, maps, parts)).bounds["pure"]
    assert (bound.text, bound.tight) == (
        "max over t of (sum(em[i] for i == t(i//3)) + sum(en[i]))",
        "unknown",
    )


@pytest.mark.parametrize(
    ("member", "use", "text"),
    [
        # Each block of the second map is an epoch, which sees the record that it has.
        ("step(c)//b == i", "user_presence",
         "max over t of (sum(em[i] for i == t(i//b)) + sum(en[i]))"),
        ("step(c)//b == i", "user",
         "max over t, u of (sum(em[i] for i == t(i//b) or i == u(i//b)) + sum(en[i]))"),
        ("step(c)//b + 1 == i", "user_presence",
         "max over t of (sum(em[i] for i == t(i//b)) + sum(en[i]))"),
    ],
)  # fmt: skip
def test_what_sees_a_whole_epoch_stands_beside(member, use, text):
    domain = Domain({"user": "User", "step": "int"}, limits=by("step(c)//b"), symbols=A_LENGTH)
    maps = [Map("m", "step(c) == i", {"i": "k"}), Map("n", member, {"i": "l"})]
    parts = [Part(f"p{m.name}", m.name, None, {"pure": (f"e{m.name}",)}) for m in maps]
    granularity = library_granularity(use, owner="user")
    found = derive(Problem(domain, granularity, maps, parts))
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == (text, "yes")
    certified = certificate(found.theorems, found)
    assert verify(read(as_text(certified).encode()), None).verdict == "proved"


# -------------------------------------------------------------------- mechanisms for single records


def counted(limits, use="user_presence", **more):
    """Return a problem about mechanisms that protect single records."""
    sorts = {"user": "User", "step": "int", "id": "Id"}
    whole = problem(limits, use, attributes=sorts, **more)
    (part,) = whole.parts
    records = library_granularity("unbounded")
    return replace(whole, parts=[replace(part, granularity=records)])


@pytest.mark.parametrize(
    ("limits", "use", "text"),
    [
        (by("step(c)//b", "m"), "user_presence", "max over t of sum(m*eps[i] for i == t(i//b))"),
        (by("step(c)//b", "m"), "user", "max over t of sum((2*m)*eps[i] for i == t(i//b))"),
        (by("step(c) % 7", 3), "user_presence", "max over t of sum(3*eps[i] for i == t(i % 7))"),
        (by("step(c)//b"), "user_presence", EPOCHS),
    ],
)
def test_all_records_of_an_epoch_may_be_in_one_block(limits, use, text):
    found = derive(counted(limits, use, symbols=A_LENGTH | M))
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == (text, "yes")
    certified = certificate(found.theorems, found)
    assert verify(read(as_text(certified).encode()), None).verdict == "proved"


@pytest.mark.parametrize(
    "limits",
    [
        [*by("step(c)//b", "m"), ("user(c), step(c) % 2", 5)],
    ],
)
def test_all_records_of_an_epoch_are_not_in_one_block_where_more_is_limited(limits):
    found = derive(counted(limits, symbols=A_LENGTH | M)).bounds["pure"]
    assert found.tight != "yes"


def test_one_record_a_step_and_many_an_epoch():
    limits = [*by("step(c)//b", "m"), ("user(c), step(c)", 1)]
    found = derive(counted(limits, symbols=A_LENGTH | M)).bounds["pure"]
    text = "max over m choices of t of sum(eps[i] for i == t(i//b))"
    assert (found.text, found.tight) == (text, "yes")


def test_a_report_says_that_records_are_counted_in_each_epoch():
    said = latex.article(derive(counted(by("step(c)//b", "m"), symbols=A_LENGTH | M)).document())
    assert "the blocks for which a function takes the same value no more records come" in said


def test_a_limit_on_all_records_says_more_than_one_of_each_weekday():
    limits = [*by("step(c) % 7", 3), ("user(c)", 5)]
    assert "t(" not in derive(counted(limits)).bounds["pure"].text


def test_of_one_record_an_epoch_nothing_is_a_mean():
    with pytest.raises(AssertionError, match="no such fact"):
        stated(counted(by("step(c)//b")), "Mixed")


def test_numbers_of_records_in_one_block():
    eps = [5, 1, 1, 5, 7, 2, 3]
    whole = counted(by("step(c)//b", "m"), symbols=A_LENGTH | M)
    found = derive(whole, values={"eps": eps}, sizes={"k": 7, "b": 3, "m": 2}).bounds["pure"]
    assert (found.value, found.tight) == (2 * largest(eps, lambda n: n // 3, 1), "yes")


def test_a_mean_of_fewer_records_or_of_other_epochs_is_not_confirmed():
    check, right = stated(counted(by("step(c)//4", "m"), symbols=M), "Mixed")
    _, about, edit, (pattern,) = right
    _, free, facts, ((_, name, count, ((_, part, far),), _),) = pattern

    def mean(at, far=far, word="eq"):
        letter = make("LetterAt", 1, (at,)) if at else make("Letter", 1)
        when = make("Compared", word, INDEX, letter)
        family = make("Family", name, count, (make("Seen", part, far),), when)
        return make("Mixed", about, edit, (make("BlockPattern", free, facts, (family,)),))

    four = quotient(INDEX, make("Integer", 4))
    check.fact(right)
    check.fact(mean(four))
    check.fact(mean(four, word="le"))
    check.fact(mean(quotient(INDEX, make("Integer", 2))))  # of half an epoch there are no more
    for wrong in (
        mean(four, far=make("Num", Fraction(1))),
        mean(quotient(INDEX, make("Integer", 8))),
        mean(quotient(INDEX, make("Integer", -4))),
        mean(make("Combined", "mod", (INDEX, make("Integer", 4)))),
        mean(four, word="lt"),
        mean(None),  # one place for all epochs
    ):
        with pytest.raises(RejectedError):
            check.fact(wrong)


# -------------------------------------------------------------------- claims


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (EPOCHS, "proved"),
        ("max over u of sum(eps[i] for i == u(i//b))", "proved"),
        ("max over t, u of sum(eps[i] for i == t(i//b) or i == u(i//b))", "proved"),
        ("sum(eps[i])", "proved"),
        ("max over t of sum(eps[i] for i == t(i//(b + 1)))", "refuted"),
        ("max over t of sum(eps[i] for i == t((i + 1)//b))", "refuted"),
        ("max over t of sum(eps[i] for i == t(i//2))", "refuted"),
        ("max(eps[i])", "refuted"),
    ],
)
def test_claims_name_epochs(claim, verdict):
    assert dp.derive("examples/user-epochs.toml").refute(claim).verdict == verdict


@pytest.mark.parametrize("at", ["b", "t(i)", "i, i", "2"])
def test_functions_take_integers_of_a_block(at):
    with pytest.raises(dp.InputError, match="function"):
        dp.derive("examples/user-epochs.toml").refute(f"max over t of sum(eps[i] for i == t({at}))")


# -------------------------------------------------------------------- certificates


def stated(whole, kind="ChangedTogether"):
    """Return what decides about a problem, and its fact about blocks that change together."""
    found = derive(whole)
    return Recheck(found.problem), stated_fact(found.theorems["pure"], kind)


def test_both_solvers_confirm_it_and_it_says_what_it_is_about():
    second = SecondSolver() if SecondSolver.installed() else None
    derivation = derive(problem())
    found = verify(read(as_text(certificate(derivation.theorems, derivation)).encode()), second)
    assert found.verdict == "proved"
    assert any("in blocks of each i//b no records but c.1, and only" in x for x in found.facts)
    said = latex.article(derivation.document())
    assert r"in blocks with this $\lfloor i / b \rfloor$" in said


def quotient(of, number):
    return make("Combined", "div", (of, number))


def changed(place, at, word="eq"):
    """Return the same place, of which functions of something else say which blocks change."""
    _, name, touched, _, far = place
    return make(
        "Place", name, touched, make("Compared", word, INDEX, make("LetterAt", 1, (at,))), far
    )


def test_other_epochs_are_not_confirmed():
    check, right = stated(problem(by("step(c)//4"), symbols={}))
    _, about, edit, terms, facts, (place,) = right

    def fact(at, **more):
        return make("ChangedTogether", about, edit, terms, facts, (changed(place, at, **more),))

    check.fact(right)
    check.fact(fact(quotient(INDEX, make("Integer", 4))))
    check.fact(
        fact(make("Combined", "mul", (make("Integer", 3), quotient(INDEX, make("Integer", 4)))))
    )
    # Whoever looks at every second step of it knows more, and at half of an epoch.
    check.fact(fact(quotient(INDEX, make("Integer", 2))))
    check.fact(fact(INDEX))
    for at in (
        quotient(INDEX, make("Integer", 3)),
        quotient(INDEX, make("Integer", 8)),
        quotient(make("Combined", "add", (INDEX, make("Integer", 1))), make("Integer", 4)),
        make("Combined", "mod", (INDEX, make("Integer", 4))),
        quotient(INDEX, make("Integer", 0)),
        quotient(INDEX, make("Integer", -4)),
    ):
        with pytest.raises(RejectedError):
            check.fact(fact(at))
    with pytest.raises(RejectedError):
        check.fact(fact(quotient(INDEX, make("Integer", 4)), word="lt"))


def test_more_choices_than_records_are_not_confirmed():
    check, right = stated(problem(by("step(c)//3", "m"), symbols=M), "ChangedByRecords")
    _, about, edit, times, terms, facts, (place,) = right
    check.fact(right)
    for wrong in (
        make("ChangedByRecords", about, edit, make("Num", Fraction(1)), terms, facts, (place,)),
        make("ChangedByRecords", about, edit, times, terms, facts,
             (changed(place, quotient(INDEX, make("Integer", 4))),)),
        make("ChangedByRecords", about, edit, times, terms, facts,
             (changed(place, quotient(INDEX, make("Integer", -3))),)),
    ):  # fmt: skip
        with pytest.raises(RejectedError):
            check.fact(wrong)


def test_records_of_one_epoch_are_counted_by_limits():
    def number(key, at):
        whole = problem(by(key), symbols={})
        structure = Structure(whole)
        return records_in_slice(structure, whole.outer.edits[0], [whole.used_maps["steps"]], (at,))

    def week(days):
        return Term("div", (index_variable(1), integer(days)), INT)

    assert number("step(c)//6", week(6)) == 1
    assert number("step(c)//6", week(3)) == 1
    assert number("step(c)//3", week(6)) != 1
    assert number("step(c)//4", week(6)) != 1
    assert number("step(c) % 3", week(3)) != 1
