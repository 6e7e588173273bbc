"""Profiles: many maps, large edits, and maps that see nothing."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.engine.facts import Fact, InfeasiblePattern
from dpcomp_sym.engine.patterns import _covers, join, merged
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.profile import ALL, INFINITY, Case, Group, KRange, Symbolic
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec

DOMAIN = '[domain]\nattributes = { id = "Record", kind = ["a", "b"] }\nsymbols = { m = "m >= 1" }\n'


def partitions(number, granularity, setting):
    text = f'{DOMAIN}[granularity]\nuse = "{granularity}"\n'
    for n in range(number):
        text += f'[[map]]\nname = "m{n}"\nuse = "partition"\n'
        text += f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nsetting = "{setting}"\n'
        text += f'guarantee = {{ pure = "e{n}" }}\n'
    return text


def edit(change, more="", guard="true"):
    """One edit, and a partition whose mechanisms are private for one record more or less."""
    params = ", ".join(f'{point} = "cell"' for point in change)
    changes = ", ".join(f'{point} = "{number}"' for point, number in change.items())
    return (
        f'{DOMAIN}[granularity]\nname = "edited"\n[[granularity.edit]]\nparams = {{ {params} }}\n'
        f'guard = "{guard}"\nchange = {{ {changes} }}\n{more}'
    )


PART = '[[part]]\nname = "p"\nmap = "partition"\ngranularity = "unbounded"\n'


def pure(text):
    derivation = load_spec(text).derive()
    [bound] = [b for b in derivation.bounds if b.notion == "pure"]
    return bound.text, bound.tight, derivation


def test_twenty_partitions_add_up():
    text, tight, _ = pure(partitions(20, "unbounded", "separate"))
    assert text == " + ".join(f"max(e{n}[i])" for n in range(20))
    assert tight == "yes"


def test_nine_partitions_of_replaced_records():
    text, tight, _ = pure(partitions(9, "bounded", "common"))
    *first, last = (f"sum of the 2 largest e{n}[i]" for n in range(9))
    assert text == " + ".join([*(f"({each})" for each in first), last])
    assert tight == "yes"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("change", "distance"), [({"x": 12}, 12), ({"x": 5, "y": -4}, 9), ({"x": 24}, 24)]
)
def test_an_edit_of_many_records_in_one_cell(change, distance):
    text, tight, derivation = pure(edit(change, PART))
    assert (text, tight) == (f"{distance}*max(eps[i])", "yes")
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"


@pytest.mark.parametrize("limit", ['multiplicity = "m"', ""])
def test_a_map_that_sees_none_of_three_records(limit):
    """What the other mechanism sees still counts."""
    apart = "kind(x) == b and kind(y) == b and kind(z) == b and x != y and y != z and x != z"
    maps = f"""
[[map]]
name = "as"
index = {{ i = "k" }}
functions = {{ lab = [["Record", "int"], "bool"] }}
member = "lab(id(c), i) and kind(c) == a"
{limit}
[[part]]
name = "p"
map = "as"
guarantee = {{ pure = "e" }}
[[part]]
name = "q"
map = "identity"
guarantee = {{ pure = "f" }}
"""
    text, tight, _ = pure(edit({"x": 1, "y": 1, "z": 1}, maps, apart))
    assert (text, tight) == ("f", "yes")


def test_a_path_longer_than_the_change():
    """One record more is three more and then two less."""
    steps = """
[[granularity]]
name = "steps"
[[granularity.edit]]
params = { x = "cell" }
change = { x = "3" }
[[granularity.edit]]
params = { x = "cell" }
change = { x = "2" }
[[part]]
name = "p"
map = "partition"
granularity = "steps"
"""
    outer = edit({"x": 1}).replace("[granularity]", "[[granularity]]", 1)
    assert pure(outer + steps)[:2] == ("2*max(eps[i])", "yes")


def test_blocks_that_cannot_be_renumbered():
    """Only the first block changes, so that the largest parameter is a bound and no more."""
    text = edit({"x": 1}, guard="day(id(x)) == 1").replace(
        "[granularity]", '[domain.functions]\nday = [["Record"], "int"]\n[granularity]', 1
    )
    maps = """
[[map]]
name = "days"
index = { i = "k" }
member = "day(id(c)) == i"
[[part]]
name = "p"
map = "days"
"""
    bound, tight, _ = pure(text + maps)
    assert bound == "max(eps[i])"
    assert tight != "yes"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("member", "functions", "facts", "expected"),
    [
        ("h(c) == i", 'h = [["cell"], "int"]', "1 <= h(c) and h(c) <= k", True),
        ("h(c) == i", 'h = [["cell"], "int"]', "h(c) <= 5", False),
        ("h(c) == i", 'h = [["cell"], "int"]', "h(c) != 2", False),
        ("h(c) == i and g(h(c)) == 1", 'h = [["cell"], "int"], g = [["int"], "int"]', "", False),
        ("h(c) == i and q(c) != 2", 'h = [["cell"], "int"], q = [["cell"], "int"]', "", True),
        ("h(c) == i and h(c) != 2", 'h = [["cell"], "int"]', "", False),
        ("lab(c, i) and not lab(c, 1)", 'lab = [["cell", "int"], "bool"]', "", False),
        ("lab(c, i, 1) or lab(c, 2, i)", 'lab = [["cell", "int", "int"], "bool"]', "", False),
        ("lab(c, i)", 'lab = [["cell", "int"], "bool"]', "lab(c, 1)", False),
        (
            "(lab(c, i, 1) or lab(c, 2, i)) and q(c, i)",
            'lab = [["cell", "int", "int"], "bool"], q = [["cell", "int"], "bool"]',
            "",
            False,
        ),
        ("h(c) == i", 'h = [["cell"], "int"]', "2 <= h(c)", False),
        ("h(c) == i", 'h = [["cell"], "int"]', "h(c) + 1 <= k", False),
        ("h(c) <= i", 'h = [["cell"], "int"]', "", False),
        ("not lab(c, i)", 'lab = [["cell", "int"], "bool"]', "", True),
        ("lab(c, i + 1)", 'lab = [["cell", "int"], "bool"]', "", False),
        (
            "lab(c, i) and q(c)",
            'lab = [["cell", "int"], "bool"], q = [["cell"], "bool"]',
            "q(c)",
            True,
        ),
        (
            "lab(c, i) and q(c) == m and q(c) != 2",
            'lab = [["cell", "int"], "bool"], q = [["cell"], "int"]',
            "",
            True,
        ),
    ],
)
def test_labels_that_can_be_renumbered(member, functions, facts, expected):
    maps = f"""
[[map]]
name = "own"
index = {{ i = "k" }}
functions = {{ {functions} }}
member = "{member}"
facts = [{facts and f'"{facts}"'}]
[[part]]
name = "p"
map = "own"
"""
    (info,) = load_spec(edit({"x": 1}, maps)).derive().profile.maps
    assert info.exchangeable is expected
    if functions == 'h = [["cell"], "int"]':  # what is handed on says which block it is
        handed_on = maps.replace("[[part]]", 'image = { label = "h(c)" }\n[[part]]')
        (info,) = load_spec(edit({"x": 1}, handed_on)).derive().profile.maps
        assert not info.exchangeable


@pytest.mark.parametrize(
    ("member", "function"),
    [
        ("h(c) == kind and h(c) == kind(c)", 'h = [["cell"], "int"]'),
        ("lab(c, kind) and not lab(c, kind(c))", 'lab = [["cell", "int"], "bool"]'),
    ],
)
def test_an_attribute_is_no_block_though_it_has_its_name(member, function):
    maps = f"""
[[map]]
name = "own"
index = {{ kind = "k" }}
functions = {{ {function} }}
member = "{member}"
[[part]]
name = "p"
map = "own"
"""
    text = edit({"x": 1}, maps).replace('kind = ["a", "b"]', 'kind = "int"')
    text = text.replace("[granularity]", 'cell = "kind(c) <= 2"\n[granularity]', 1)
    (info,) = load_spec(text).derive().profile.maps
    assert not info.exchangeable


BY_LABEL = '[[map]]\nname = "labelled"\nuse = "partition"\n'


@pytest.mark.parametrize(
    ("maps", "read", "bound", "tight"),
    [
        # Some of all records, and their blocks: any blocks may hold them.
        (
            f"""
[[map]]
name = "some"
functions = {{ q = [["cell"], "int"] }}
member = "q(c) == 1"
{BY_LABEL}""",
            (["some"], ["some", "labelled"]),
            "e + max(f[i])",
            "yes",
        ),
        # Blocks, and some of each block: a record is in the block with the same number.
        (
            f"""
[[map]]
name = "a"
use = "filter"
keep = "kind(c) == a"
{BY_LABEL}""",
            (["labelled"], ["labelled", "a"]),
            "max(e[i]) + max(f[i])",
            "unknown",
        ),
    ],
)
def test_a_map_and_its_composition_are_both_read(maps, read, bound, tight):
    parts = "".join(
        f'[[part]]\nname = "p{n}"\nmap = {names}\nguarantee = {{ pure = "{eps}" }}\n'
        'granularity = "unbounded"\n'
        for n, (names, eps) in enumerate(zip(read, "ef", strict=True))
    )
    derivation = load_spec(edit({"x": 1}, maps + parts)).derive()
    (found,) = derivation.bounds
    assert (found.text, found.tight) == (bound, tight)
    assert {m.exchangeable for m in derivation.profile.maps} == {tight == "yes"}


def test_one_part_outside_its_class_is_enough():
    """A block of a database may have more than three records: then nothing is known."""
    parts = """
[[part]]
name = "p"
map = "partition"
granularity = "unbounded"
[[part]]
name = "q"
map = "partition"
granularity = "unbounded"
domain = { size = ["size(D) <= 3"] }
"""
    derivation = load_spec(edit({"x": 1}, parts)).derive()
    assert not derivation.bounds
    assert not derivation.profile.proved
    assert not derivation.profile.exact


def test_blocks_that_cannot_be_renumbered_are_counted():
    """Where there is one room only, both records are in it."""
    text = edit({"x": -1, "y": 1}, guard="x != y and D[x] >= 1").replace(
        "[granularity]", '[domain.functions]\nroom = [["Record"], "int"]\n[granularity]', 1
    )
    maps = """
[[map]]
name = "rooms"
index = { i = "k" }
member = "room(id(c)) == i"
[[part]]
name = "p"
map = "rooms"
granularity = "unbounded"
setting = "common"
"""
    profile, facts = profile_with_facts(Structure(load_spec(text + maps).problem))
    two, one = (Group("rooms", n, (("p", r),)) for n, r in ((2, 1), (1, 2)))
    assert profile.cases == (Case((KRange("k"),), ((two,), (one,)), attained=True),)
    assert facts.never == (
        InfeasiblePattern(
            0,
            reverse=False,
            blocks=(("rooms", (0,), 1), ("rooms", (1,), 1)),
            ranges=(KRange("k", 1, 1),),
        ),
    )


def lettered(name, index, size, member, function, more=""):
    return f"""
[[map]]
name = "{name}"
index = {{ {index} = "{size}" }}
functions = {{ {function} }}
member = "{member}"
{more}
[[part]]
name = "p{name}"
map = "{name}"
granularity = "unbounded"
guarantee = {{ pure = "e{name}" }}
"""


COVERS = [
    lettered(n, i, k, f"l{n}(id(c), {i})", f'l{n} = [["Record", "int"], "bool"]', "multiplicity=2")
    for n, i, k in (("a1", "i", "k"), ("a2", "j", "l"))
]
SAME = [
    lettered(n, "i", "k", f"u{n}(c) == 1", f'u{n} = [["cell"], "int"]', f'facts = ["u{n}(c) >= 0"]')
    for n in ("a3", "a4")
]


@pytest.mark.parametrize("maps", [COVERS, [*SAME, COVERS[1]]])
def test_numbers_of_blocks_that_need_no_cases(maps):
    """What is true of many blocks is true of few where blocks can be left out, or are alike."""
    profile = load_spec(edit({"x": 1}, "".join(maps))).derive().profile
    assert [c.ranges for c in profile.cases] == [(KRange("k"), KRange("l"))]
    assert profile.exact


def test_three_blocks_can_be_renumbered():
    maps = """
[[map]]
name = "three"
index = { i = 3 }
functions = { h = [["cell"], "int"] }
member = "h(c) == i"
facts = ["1 <= h(c) and h(c) <= 3"]
[[part]]
name = "p"
map = "three"
granularity = "unbounded"
"""
    assert pure(edit({"x": 1}, maps))[:2] == ("max(eps[i])", "yes")


def test_a_block_that_is_always_empty():
    """The second parameter counts for nothing, so that the maximum is not attained."""
    maps = """
[[map]]
name = "others"
index = { i = "k" }
functions = { h = [["cell"], "int"] }
member = "h(c) == i"
facts = ["h(c) != 2"]
[[part]]
name = "p"
map = "others"
granularity = "unbounded"
"""
    text, tight, _ = pure(edit({"x": 1}, maps))
    assert text == "max(eps[i])"
    assert tight != "yes"


# What a profile is made of.


def facts_of(mapping, change=None):
    text = edit(change or {"x": 1}, mapping)
    return profile_with_facts(Structure(load_spec(text).problem))[1]


@pytest.mark.parametrize(
    ("mapping", "most"),
    [
        ('use = "identity"', 1),
        ('use = "partition"', 1),
        ('use = "cover"\nm = 2', 2),
        ('use = "cover"\nm = "m"', Symbolic("m")),
        ('index = { i = "k" }\nmember = "kind(c) == a"', ALL),
        (
            (
                'index = { i = "k" }\nfunctions = { lab = [["Record", "int"], "bool"] }\n'
                'member = "lab(id(c), i)"\nmultiplicity = "2*m"'
            ),
            ALL,
        ),
    ],
)
def test_facts_about_one_record(mapping, most):
    maps = f'[[map]]\nname = "b"\n{mapping}\n{PART.replace("partition", "b")}'
    assert facts_of(maps).most == (
        Fact(0, reverse=False, map="b", part=None, touched=(), bound=most, frame=False),
        Fact(0, reverse=False, map="b", part="p", touched=(0,), bound=1, frame=False),
    )


def test_facts_about_a_frame():
    """Of kind a any number of cells changes; of kind b none."""
    text = DOMAIN + (
        '[granularity]\nname = "own"\n[[granularity.edit]]\nframe = "kind(c) == a"\nstep = "true"\n'
    )
    for name in "ab":
        text += (
            f'[[map]]\nname = "{name}s"\nmember = "kind(c) == {name}"\n'
            f'[[part]]\nname = "p{name}"\nmap = "{name}s"\nguarantee = {{ pure = "e{name}" }}\n'
        )
    profile, facts = profile_with_facts(Structure(load_spec(text).problem))
    assert facts.most == tuple(
        Fact(0, reverse=False, map=f"{name}s", part=part, touched=(), bound=bound, frame=True)
        for name, seen in (("a", 1), ("b", 0))
        for part, bound in ((None, 1), (f"p{name}", seen))
    )
    assert profile.cases == (Case((), ((Group("as", 1, (("pa", 1),)),),), attained=True),)


def test_a_profile_of_what_nobody_sees():
    maps = """
[[map]]
name = "bs"
member = "kind(c) == b"
"""
    text = edit({"x": 1}, maps + PART.replace("partition", "bs"), "kind(x) == a")
    profile = load_spec(text).derive().profile
    assert profile.cases == (Case((), (), attained=True),)


def test_a_profile_without_neighbours():
    text = edit({"x": 1}, PART).replace("[granularity]", 'size = ["size(D) == 3"]\n[granularity]')
    profile = load_spec(text.replace('symbols = { m = "m >= 1" }\n', "")).derive().profile
    assert (profile.cases, profile.proved, profile.exact, profile.vacuous) == ((), True, True, True)


def test_what_never_happens_names_all_that_would():
    """Two filters that exclude each other, one of them read k times."""
    maps = """
[[map]]
name = "as"
index = { i = "k" }
member = "kind(c) == a"
[[map]]
name = "bs"
member = "kind(c) == b"
"""
    parts = "".join(
        PART.replace("partition", m).replace('"p"', f'"{m}"') + f'guarantee = {{ pure = "e{m}" }}\n'
        for m in ("as", "bs")
    )
    assert facts_of(maps + parts, {"x": 1, "y": 1}).never == ()


# What dominates what.


@pytest.mark.parametrize(
    ("larger", "smaller", "expected"),
    [
        ([(2, (1,))], [(1, (1,))], True),
        ([(1, (1,)), (1, (2,))], [(1, (2,)), (1, (1,))], True),
        ([(1, (2,))], [(1, (1,)), (1, (1,))], False),
        ([(1, (2,)), (1, (1,))], [(2, (2,))], False),
        ([(ALL, (1,))], [(7, (1,)), (Symbolic("m"), (1,))], True),
        ([(ALL, (1,))], [(1, (2,))], False),
        ([(Symbolic("m"), (1,))], [(1, (1,))], True),
        ([(Symbolic("m"), (1,))], [(2, (1,))], False),
        ([(Symbolic("m"), (1,))], [(Symbolic("m"), (2,))], False),
        ([(Symbolic("m", 2), (1,))], [(Symbolic("m"), (1,))], True),
        ([(Symbolic("m"), (1,))], [(Symbolic("m", 2), (1,))], False),
        ([(1, (1, 2))], [(1, (2, 1))], False),
    ],
)
def test_blocks_that_cover_others(larger, smaller, expected):
    assert _covers(larger, smaller) is expected


def test_the_worst_of_each_part():
    assert join([(1, 2), (3, 1), (INFINITY, 0)]) == (INFINITY, 2)
    assert join([]) == ()


def case(low, high, *vectors):
    made = (tuple(Group("m", n, (("p", r),)) for n, r in vector) for vector in vectors)
    return Case((KRange("k", low, high),), tuple(made), attained=True)


@pytest.mark.parametrize(
    ("small", "tail", "number"),
    [
        (case(1, 1, [(1, 1)]), case(2, None, [(2, 1)]), 1),
        (case(1, 1, [(1, 1)]), case(2, None, [(2, 1)], [(1, 2)]), 2),
        (case(1, 1, [(1, 2)]), case(2, None, [(2, 1)], [(1, 2)]), 1),
        (case(2, 2, [(2, 1)]), case(3, None, [(3, 1)], [(1, 1), (1, 2), (1, 1)]), 2),
        (case(1, 1, [(1, 2)]), case(2, None, [(2, 1)]), 2),
        (case(2, 2, [(1, 2)]), case(3, None, [(3, 1)], [(1, 2)]), 2),
        (case(1, 1, [(1, Symbolic("w"))]), case(2, None, [(2, Symbolic("w"))]), 1),
        (case(1, 1, [(1, 3)]), case(2, None, [(2, Symbolic("w"))], [(1, 3)]), 2),
    ],
)
def test_cases_that_are_one(small, tail, number):
    """What holds for few blocks is joined to the rest if it is the rest, cut off."""
    assert len(merged([small, tail])) == number


SESSIONS = """
[domain]
attributes = { user = "User", time = "int", page = "Page" }
symbols = { g = "g >= 1" }
limits = [["user(c), time(c)", 1]]
[granularity]
[[granularity.edit]]
params = { u = "User", t = "int" }
frame = "user(c) == u and t <= time(c) and time(c) < t + g"
[[map]]
name = "hours"
index = { i = "k" }
member = "60*(i - 1) <= time(c) and time(c) < 60*i"
[[part]]
name = "load"
map = "hours"
guarantee = { pure = "eps" }
"""
DECADE = """
[domain]
attributes = {{ person = "Person", year = "int" }}
{limits}
[granularity]
name = "decade"
[[granularity.edit]]
params = {{ p = "Person", d = "int" }}
frame = "person(c) == p and year(c)//10 == d"
[[map]]
name = "years"
{years}
[[part]]
name = "returns"
map = "years"
guarantee = {{ pure = "eps" }}
"""
ONE_A_YEAR = 'limits = [["person(c), year(c)", 1]]'
PAGES = """
[[map]]
name = "pages"
use = "partition"
by = "page"
[[part]]
name = "hits"
map = "pages"
guarantee = { pure = "eta" }
"""


@pytest.mark.in_turn
@pytest.mark.parametrize("limits", ["", ONE_A_YEAR, 'cell = "year(c) >= 1900"'])
@pytest.mark.parametrize(
    ("years", "bound"),
    [
        ('index = { i = "k" }\nmember = "year(c) == i"', "10*t <= i <= 10*t + 9"),
        ("index = { i = 90 }\nmember = 'year(c) == 1949 + i'", "10*t - 1949 <= i < 10*t - 1939"),
        ("index = { i = 'k' }\nmember = 'year(c)//2 == i'", "5*t <= i <= 5*t + 4"),
    ],
)
def test_years_of_a_decade(years, bound, limits):
    """A person's records of one decade change: so do its years, and no others."""
    text, tight, derivation = pure(DECADE.format(limits=limits, years=years))
    assert (text.split(" for ")[0], tight) == ("max over t of sum(eps[i]", "yes")
    assert bound in text or "1900" in limits
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"


def test_days_of_the_week_of_all_weeks():
    """One day of the week changes, in all weeks: one block, of the seven that can hold records."""
    spec = DECADE.format(limits="", years="index = { i = 'k' }\nmember = 'year(c) % 7 == i - 1'")
    text, tight, derivation = pure(spec.replace("year(c)//10 == d", "year(c) % 7 == d"))
    assert (text, tight) == ("max(eps[i] for i <= 7)", "yes")
    assert derivation.conditions["compatibility"].verdict == "proved"


TICKETS = """
[domain]
attributes = {{ agent = "Agent", prio = ["low", "mid", "high"], id = "Ticket" }}
symbols = {{ m = "m >= 2" }}
limits = [["agent(c), prio(c)", "m"]]
[granularity]
name = "prio"
[[granularity.edit]]
params = {{ a = "Agent"{more} }}
frame = "agent(c) == a and {prios}"
[[map]]
name = "tickets"
use = "partition"
by = "id"
[[part]]
name = "counts"
map = "tickets"
guarantee = {{ pure = "eps" }}
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("prios", "more", "count"),
    [
        ("prio(c) != high", "", 4),
        ("prio(c) == high", "", 2),
        ("true", "", 6),
        # Two at a time, and any of the three: that is not used.
        ("prio(c) != q", ', q = "prio"', 6),
    ],
)
def test_values_that_an_edit_leaves_out_hold_no_records_that_change(prios, more, count):
    spec = TICKETS.format(prios=prios, more=more)
    assert pure(spec)[0] == f"sum of the {count}*m largest eps[i]"


AGES = """
[domain]
attributes = { person = "Person", age = "int" }
symbols = { r = "r >= 1" }
cell = "0 <= age(c) and age(c) < 130"
[granularity]
name = "age"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and person(x) == person(y) and abs(age(x) - age(y)) <= r"
change = { x = -1, y = 1 }
[[map]]
name = "decades"
member = "age(c)//10 == i - 1"
index = { i = 13 }
[[part]]
name = "histogram"
map = "decades"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""


@pytest.mark.long
def test_pairs_of_many_written_out_blocks_that_are_less_than_one_of_them_twice():
    """A record moves within its decade, or to another one, which costs no more."""
    assert pure(AGES)[0] == f"max({', '.join(f'2*eps[{i}]' for i in range(1, 14))})"


def test_a_limit_makes_no_count_larger():
    """A person has at most ten records in ten years, so twenty change; the years are ten still."""
    labels = 'use = "partition"\nby = "year"'
    for limits in ("", ONE_A_YEAR):
        assert pure(DECADE.format(limits=limits, years=labels))[0] == "sum of the 10 largest eps[i]"


@pytest.mark.in_turn
def test_hours_stay_next_to_each_other_beside_a_map_without_order():
    hours = "sum(eps[i] for t < 60*i <= t + g + 59)"
    assert pure(SESSIONS)[0] == f"max over t of {hours}"
    text, tight, derivation = pure(SESSIONS + PAGES)
    assert text == f"max over t of ({hours} + sum of the 2*g largest eta[i])"
    assert tight == "unknown"
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"
