"""Compositions in a few words are the problems that a spec says at length."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym.surface import shorthand

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_granularity_of_ones_own_in_a_notebook():
    """The example of the page on Python, against the spec of the same setting."""
    visits = dp.Domain(person="Person", hospital="Hospital", day=int, vip=bool)
    home = visits.function("household", "Person", "House")
    w = visits.symbol("w", at_least=1)
    c, D = visits.c, visits.D
    own = dp.Granularity("household visits within w days", [
        dp.Edit(f="House", t=int,
                frame=lambda f, t: (home(c.person) == f) & (t <= c.day) & (c.day < t + w) & ~c.vip),
        dp.Edit(x=c, y=c,
                guard=lambda x, y: (D[x] >= 1) & (x != y) & x.vip & y.vip & (x.person == y.person),
                change={"x": -1, "y": +1}),
    ])  # fmt: skip
    spec = dp.load(EXAMPLES / "own-granularity.toml")
    homes = dp.partition(home(c.person))
    made = dp.derive(visits, own, title=spec.title, homes=homes)
    assert made.problem.domain == spec.problem.domain
    assert made.problem.granularity.bind(visits).edits == spec.problem.outer.edits
    assert made.problem.maps == spec.problem.maps
    assert [b.text for b in made.bounds] == [b.text for b in spec.derive().bounds]
    assert made.C1.verdict == "proved"


def test_shorthands_are_the_maps_of_the_library():
    domain = dp.Domain(id="Record", day=int, vip=bool)
    made = dp.problem(
        domain, "bounded", "Title",
        a=dp.partition(domain.c.day, pure="eps", zcdp=0.5, setting="common"),
        b=dp.filter(domain.c.vip, approximate=("eps0", "1/100"), granularity="unbounded"),
        c0=dp.cover(3, index={"i": 5}, pure="eps1"),
        d=dp.release("windows", time="day", length=7, pure=sp.Rational(1, 3)),
        e=dp.release(pure="eps6"),
        f=dp.release(dp.library_map("cardinality", name="size"), pure="eps7"),
        g=dp.blocks("day(c) == i", m=1, pure="eps3"),
        h=dp.blocks(lambda j, c: c.day == j + 1, index={"j": 4}, pure="eps4",
                    domain={"cap": 1}),
        i=dp.filter(pure="eps5"),
    )  # fmt: skip
    named = [
        dp.library_map("partition", name="a", by="day(c)"),
        dp.library_map("filter", name="b", keep="vip(c)"),
        dp.library_map("cover", name="c0", m=3, index={"i": 5}),
        dp.library_map("windows", name="d", time="day", length="7"),
        dp.library_map("identity", name="e"),
        dp.library_map("cardinality", name="size"),
        dp.Map("g", "day(c) == i", {"i": "k"}, multiplicity=1),
        dp.Map("h", "day(c) == j + 1", {"j": 4}),
        dp.library_map("filter", name="i"),
    ]
    assert made.maps == named
    assert made.title == "Title"
    parts = {part.name: part for part in made.parts}
    assert parts["a"].guarantees == {"pure": ("eps",), "zcdp": (Fraction(1, 2),)}
    assert parts["b"].guarantees == {"approximate": ("eps0", Fraction(1, 100))}
    assert parts["d"].guarantees == {"pure": (Fraction(1, 3),)}
    usual = dp.problem(domain, "bounded", e="identity", f=dp.Map("all"))
    assert usual.parts == [dp.Part("e", "e"), dp.Part("f", "all")]
    assert (parts["a"].setting, parts["b"].setting) == ("common", "separate")
    assert parts["b"].granularity == dp.library_granularity("unbounded")
    assert parts["f"].map == "size"
    assert parts["h"].inner == dp.InnerClass(1)
    assert dp.load(made.to_toml()).problem == made


def test_mechanisms_on_the_same_blocks_share_a_map():
    """Two partitions by labels that nobody knows are two; the same one twice is one."""
    domain, one = dp.Domain(id="Record"), dp.partition(pure="eps")
    shared = dp.derive(domain, "unbounded", mean=one, count=one.again(pure="mu"))
    assert len(shared.problem.maps) == 1
    assert shared.bound().text == "max(eps[i] + mu[i])"
    apart = dp.derive(domain, "unbounded", mean=one, count=dp.partition(pure="mu"))
    assert apart.bound().text == "max(eps[i]) + max(mu[i])"
    own = dp.Map("own", "true")
    assert dp.problem(domain, "unbounded", a=own, b=own).maps == [own]


def test_maps_one_after_the_other():
    domain = dp.Domain(age=int, city="City")
    chain = dp.filter(domain.c.age >= 18).then(dp.partition("city", pure="eps"))
    made = dp.problem(domain, "unbounded", counts=chain)
    assert [m.name for m in made.maps] == ["counts_filter", "counts"]
    assert made.bound_parts[0].map.name == "counts_filter.counts"


def test_granularities_as_calls():
    visits = dp.Domain(person="Person", day=int)
    weeks = dp.derive(visits, "w_event(day, 7)", daily=dp.blocks(lambda c, i: c.day == i))
    same = dp.derive(visits, dp.library_granularity("w_event", time="day", length="7"),
                     daily=dp.blocks("day(c) == i"))  # fmt: skip
    assert weeks.problem == same.problem
    assert dp.derive(visits, granularity="user(person)", n="identity").problem.granularity == (
        dp.library_granularity("user", owner="person")
    )
    pairs = shorthand.granularity("bounded(group = 2)")
    assert pairs == dp.library_granularity("bounded", group=2)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: shorthand.granularity("usr(person)"), "unknown granularity 'usr'; did you mean"),
        (lambda: shorthand.granularity("user"), "granularity 'user' needs 'owner'"),
        (lambda: shorthand.granularity("user(a, b)"), "'user' takes owner, not 2 things"),
        (lambda: shorthand.granularity("bounded(a)"), "'bounded' takes nothing, not 1 things"),
        (lambda: shorthand.granularity("user(a, owner=b)"), "'user(a, owner=b)' says 'owner'"),
        (lambda: shorthand.granularity("user(ownr=b)"), "granularity 'user' takes no 'ownr'; did"),
        (lambda: shorthand.granularity("bounded(group=x)"), "'x' in 'bounded(group=x)' is no"),
        (lambda: shorthand.granularity("bounded(group=0)"), "'0' in 'bounded(group=0)' is no"),
        (lambda: shorthand.granularity("user(**a)"), "granularity 'user' takes no '**'"),
        (lambda: shorthand.granularity("1 + 1"), "'1 + 1' is not a granularity"),
        (lambda: shorthand.granularity("user("), "cannot read 'user('"),
        (lambda: shorthand.granularity(None), "a granularity or the name of a"),
        (lambda: dp.partition(bye="day"), "'partition' takes no 'bye'; did you mean 'by'?"),
        (lambda: dp.partition(pur="eps"), "'partition' takes no 'pur'; did you mean 'pure'?"),
        (lambda: dp.blocks("true", pur="eps"), "a part takes no 'pur'; did you mean 'pure'?"),
        (lambda: dp.release("partitin"), "there is no built-in map 'partitin': did you mean"),
        (lambda: dp.partition(pure=("eps", "delta")), "pure: it has eps, not 2 parameters"),
        (lambda: dp.partition(approximate="eps"), "approximate: it has eps, delta, not 1"),
        (lambda: dp.partition(pure=["a b"]), "pure: 'a b' is neither a number nor a formula"),
        (lambda: dp.partition(pure=None), "pure: None is not a number"),
        (lambda: dp.partition(pure=float("nan")), "pure: nan is not a finite number"),
        (lambda: dp.cover(-1), "map 'cover': 'm' is a whole number, 1 or more, or a symbol"),
        (lambda: dp.cover(2.5), "map 'cover': 'm' is a whole number, 1 or more, or a symbol, not"),
        (lambda: dp.filter().then(3), "then: after a map comes a release, such as partition("),
        (lambda: dp.blocks("true", index=3), "index: names of indices with their numbers of"),
        (lambda: dp.Granularity("g", "x"), "granularity 'g': edits are expected, such as [Edit("),
        (lambda: dp.derive(None), "a spec is a file, or its text, not None"),
        (lambda: dp.verify("none.json"), "there is no file none.json; answer.certificate()"),
        (lambda: dp.blocks(lambda x: x), "blocks: 'x' is neither c nor an index"),
        (lambda: dp.problem(dp.Domain(id="R"), "bounded", a=3), "a: a release is expected"),
        (lambda: dp.problem(dp.Domain(id="R"), "bounded", a=dp.partition("owner")), "map 'a'"),
        (lambda: dp.problem(dp.Domain(id="R"), "bounded", a=dp.blocks(lambda c: c.x == 1)),
         "a: a record has no 'x'"),
        (lambda: dp.problem(dp.Domain(id="R"), "bounded", a=dp.filter(setting="comon")),
         "a: unknown setting 'comon'; did you mean 'common'?"),
        (lambda: dp.derive(dp.Domain(id="R"), a=dp.filter()),
         "after a domain comes one granularity"),
        (lambda: dp.derive(dp.Domain(id="R"), "bounded"), "the problem has no part"),
        (lambda: dp.derive("x.toml", "bounded"), "numbers by name are expected, not 'bounded'"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(wrong, said):
    with pytest.raises(dp.InputError) as caught:
        wrong()
    assert str(caught.value).startswith(said)


# ------------------------------------------------------------------ names that could be taken twice


def test_maps_in_between_have_names_of_their_own():
    visits = dp.Domain(id="Record", day=int, vip=bool)
    c = visits.c
    alone = dp.filter(c.day == 0, pure="eta")
    chained = dp.filter(c.vip).then(dp.partition(c.day, pure="eps"))
    for releases in (
        {"counts": chained, "counts_filter": alone}, {"counts_filter": alone, "counts": chained}
    ):  # fmt: skip
        made = dp.problem(visits, "unbounded", **releases)
        parts = {p.name: p.map for p in made.parts}
        assert parts == {"counts": ("counts_filter_2", "counts"), "counts_filter": "counts_filter"}
        kept = {m.name: dict(m.arguments).get("keep") for m in made.maps}
        assert (kept["counts_filter_2"], kept["counts_filter"]) == ("vip(c)", "day(c) == 0")
        assert dp.derive(made).bound("pure").text == "eta + max(eps[i])"
    twice = dp.filter(c.vip).then(dp.filter(c.day == 0)).then(dp.partition(c.id, pure="eps"))
    (part,) = dp.problem(visits, "unbounded", counts=twice).parts
    assert part.map == ("counts_filter", "counts_filter_2", "counts")


@pytest.mark.parametrize("name", ["values", "sizes", "title", "shared"])
def test_no_release_is_lost(name):
    visits = dp.Domain(id="Record", vip=bool)
    lost = {name: dp.partition(pure="eps"), "other": dp.filter(visits.c.vip, pure="eta")}
    with pytest.raises(dp.InputError, match=f"no release can be called '{name}'"):
        dp.derive(visits, granularity="unbounded", **lost)


def test_one_granularity_is_given_and_no_numbers_beside_it():
    visits = dp.Domain(id="Record")
    with pytest.raises(dp.InputError, match="one granularity: two are given"):
        dp.derive(visits, "bounded", granularity="unbounded", n=dp.filter())
    with pytest.raises(dp.InputError, match="one granularity: such as"):
        dp.derive(visits, n=dp.filter())
    with pytest.raises(dp.InputError, match="numbers are given by subs"):
        dp.derive(visits, "bounded", sizes={"k": 3}, n=dp.partition())


def test_built_ins_leave_names_to_the_domain():
    """A symbol h beside a partition, whose own labels are called h, too, and a value x."""
    area = dp.Domain(zone="Zone", kind=["x", "y"])
    h = area.symbol("h", at_least=1)
    own = dp.Granularity("h at a time", [dp.Edit(a=area.c, change={"a": h})])
    counts = dp.partition(area.c.zone, pure="eps")
    made = dp.derive(area, own, counts=counts)
    assert made.bound().text == "max(eps[i])"
    assert made.problem.maps[0].member == "h_2(by(c)) == i"
    assert 'use = "partition"' in made.problem.to_toml()
    assert dp.load(made.problem.to_toml()).problem == made.problem
    replaced = dp.derive(area, "bounded", counts=counts)
    assert replaced.C2.weakest == "h_2 is constant"
    assert replaced.problem.granularity.edits[0].params == {"u": "cell", "v": "cell"}
    assert 'use = "bounded"' in replaced.problem.to_toml()
    assert dp.load(replaced.problem.to_toml()).problem == replaced.problem
    assert dp.verify(replaced.certificate(), replaced.problem).verdict == "proved"
    order = dp.order("unbounded", "bounded", over=dp.Domain(kind=["x", "y"], cap=1))
    assert order.graph().edges["unbounded", "bounded"]["distance"] == 2


def test_what_a_user_has_written_keeps_its_meaning():
    """A domain's function that a filter names is not taken for the filter's own."""
    area = dp.Domain(zone="Zone")
    area.function("chosen", "Zone", bool)
    named = dp.problem(area, "unbounded", some=dp.filter("chosen(zone(c))", pure="eps"))
    assert named.maps[0].arguments == {"keep": "chosen(zone(c))"}
    with pytest.raises(dp.InputError, match="the map's function 'chosen' has the name of"):
        dp.problem(area, "unbounded", some=dp.filter(pure="eps"))
    mine = dp.Map("mine", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")})
    area.symbol("h")
    with pytest.raises(dp.InputError, match="the name 'h' is used twice"):
        dp.problem(area, "unbounded", counts=dp.release(mine, pure="eps"))


def test_functions_of_a_record_stand_for_terms():
    """A label, a filter: ``lambda c: …``; what is wrong in one is said where it is made."""
    visits = dp.Domain(person="Person", day=int)
    home = visits.function("home", "Person", "House")
    counts = dp.partition(lambda c: home(c.person), pure="eps")
    early = dp.filter(lambda c: c.day <= 7, pure="eta")
    d = dp.derive(visits, "unbounded", counts=counts, early=early)
    assert [m.arguments for m in d.problem.maps] == [
        {"by": "home(person(c))"}, {"keep": "day(c) <= 7"},
    ]  # fmt: skip
    assert repr(early) == "<Release by filter; guarantees: {'pure': ('eta',)}>"
    with pytest.raises(dp.InputError, match="'x' is not c, a record"):
        dp.filter(lambda x: x.day <= 7)
    with pytest.raises(dp.InputError, match="did you mean 'day'"):
        dp.derive(visits, "unbounded", early=dp.filter(lambda c: c.dy <= 7))
    assert repr(d.C1.labels).startswith("<Weakest: ") or d.C1.labels is None
    assert "assertions that cannot hold together" in repr(d.C1.questions[0])


def test_records_of_built_ins_are_called_as_no_attribute():
    """Of points with coordinates x and y neighbours differ in records u and v, not in x and y."""
    points = dp.Domain(x=int, y=int)
    d = dp.derive(points, "bounded", cells=dp.blocks(lambda c, i: c.x == i, pure="eps"))
    (edit,) = d.problem.granularity.edits
    assert (edit.params, edit.guard) == ({"u": "cell", "v": "cell"}, "D[u] >= 1 and u != v")
    assert 'use = "bounded"' in d.problem.to_toml()
    assert dp.load(d.problem.to_toml()).problem == d.problem


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([1, sp.log(3)], "sum of the 2 largest eps_counts[i] = 1 + log(3)"),
        (np.array([1.0, 0.5]), "sum of the 2 largest eps_counts[i] = 3/2"),
        (range(1, 4), "sum of the 3 largest eps_counts[i] = 6"),
        (sp.sqrt(2), "sum(eps_counts[i])"),
        ("log(3)", "sum(eps_counts[i])"),
        (lambda i: 1 / i, "sum(eps_counts[i])"),
    ],
)
def test_a_guarantee_may_be_its_numbers(given, text):
    domain = dp.Domain(person="Person", city="City")
    d = dp.derive(domain, "user(person)", counts=dp.partition(domain.c.city, pure=given))
    assert repr(d.bound()) == f"<Bound pure: {text}, tight>"


def test_numbers_of_several_releases_have_different_names():
    domain = dp.Domain(id="Record", eps_a="Number")
    d = dp.derive(
        domain, "unbounded",
        a=dp.partition(pure=[1, 2], approximate=([3, 4], "1/100")),
        b=dp.release("identity", pure="eps_a"),
    )  # fmt: skip
    parts = {p.name: p.guarantees for p in d.problem.parts}
    assert parts["a"] == {"pure": ("eps_a_2",), "approximate": ("eps_a_3", Fraction(1, 100))}
    assert parts["b"] == {"pure": ("eps_a",)}
    assert d.subs(eps_a=1).bound("pure").value == 3


def test_a_problem_has_names_of_parameters():
    with pytest.raises(dp.InputError, match=r"eps_m: a problem has names of parameters"):
        shorthand.problem(dp.Domain(id="Record"), "bounded", m=dp.partition(pure=[1, 2]))
