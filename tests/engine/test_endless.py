"""Distances beyond all bounds: no finite guarantee holds, and none that holds is denied."""

from __future__ import annotations

import pathlib

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.spec import read_spec

pytestmark = pytest.mark.in_turn

USER = 'use = "user"\nowner = "owner"'
PARTITION = 'use = "partition"'
COUNT = 'use = "cardinality"'
DAYS = 'use = "labels"\nlabel = "day(c)"'
EVENT = 'name = "event"\n[[granularity.edit]]\nparams = { t = "int" }\nframe = "day(c) == t"'
FEW = 'name = "few"\n[[granularity.edit]]\nparams = { u = "P" }\nframe = "owner(c) == u"\nstep = '
ONE_DAY = (
    'name = "one"\n[[granularity.edit]]\nparams = { u = "P", t = "int" }\n'
    'frame = "owner(c) == u and day(c) == t"'
)
ENDLESS = "inf (no guarantee)"
OPEN = "inf (not known)"
ROWS = (
    'index = { i = "h", j = "k" }\nfunctions = { hash = [["I", "int"], "int"] }\n'
    'member = "hash(id(c), i) == j"'
)
ONE_ITEM = 'cap = 1\ndistinct = [{ of = "id(c)", each = "owner(c)", at_most = 1 }]'
OF_A_GENRE = 'functions = { genre = [["I"], "Genre"] }\nlimits = [["(owner(c), genre(id(c)))", 2]]'
DAY_BY_DAY = """
granularity = { name = "person_day", edit = [
  { params = { u = "P", t = "int" }, frame = "owner(c) == u and day(c) == t" } ] }
"""


def derived(attributes, granularity, mapping, more="", part='granularity = "unbounded"'):
    text = (
        f"[domain]\nattributes = {{ {attributes} }}\n{more}\n[granularity]\n{granularity}\n"
        f'[[map]]\nname = "f"\n{mapping}\n[[part]]\nname = "p"\nmap = "f"\n{part}\n'
    )
    return derive(read_spec(text, "spec", pathlib.Path()).problem)


def pure(*texts):
    bound = derived(*texts).bounds["pure"]
    return bound.text, bound.tight


@pytest.mark.parametrize(
    "texts",
    [
        # Copies of one record, in any block, or counted.
        ('owner = "P", kind = ["a", "b"]', USER, PARTITION),
        ('owner = "P", kind = ["a", "b"]', USER, COUNT),
        ('owner = "P"', 'use = "user_presence"\nowner = "owner"', COUNT),
        # Each record once: the records are others.
        ('owner = "P", id = "I"', USER, PARTITION, "cap = 1"),
        ('owner = "P", day = "int"', USER, COUNT, 'cap = 1\ncell = "1 <= day(c)"'),
        ('day = "int", id = "I"', EVENT, DAYS, "cap = 1"),
        # A limit that new records keep: so many a day, on any number of days.
        ('owner = "P", day = "int"', USER, 'use = "partition"\nby = "day"',
         'limits = [["owner(c), day(c)", 2]]'),
        ('owner = "P", id = "I"', FEW + '"new <= 3"', COUNT),
        # … also where they are counted by what a function gives them: something new.
        ('owner = "P", id = "I"', USER, PARTITION, OF_A_GENRE),
        ('owner = "P", id = "I"', USER, 'index = { i = "k" }\nmember = "at(genre(id(c))) == i"',
         OF_A_GENRE.replace('"Genre"', '"Genre"], at = [["Genre"], "int"', 1)),
        # On the common domain, and in blocks of two indices.
        ('owner = "P", id = "I"', USER, PARTITION, "cap = 1",
         'granularity = "unbounded"\nsetting = "common"'),
        ('x = "int", y = "int"', 'use = "free_lunch"',
         'index = { i = "k", j = "l" }\nmember = "x(c) // 10 == i and y(c) // 10 == j"'),
        # One record a day, on as many days as one likes: before a day, after it, or each third one.
        *(('owner = "P", day = "int"', USER, f'index = {{ i = "k" }}\nmember = "{member}"',
           'limits = [["owner(c), day(c)", 1]]')
          for member in ("day(c) <= i", "i <= day(c)", "day(c) % 3 == i", "day(c) // 3 <= i")),
        # … and one a week, of records on each fourth day.
        ('owner = "P", day = "int"', USER, 'index = { i = "k" }\nmember = "day(c) % 4 == i"',
         'limits = [["owner(c), day(c) // 7", 1]]'),
        # One item a person, on any number of days, which no block looks at.
        ('owner = "P", id = "I", day = "int"', USER, ROWS, ONE_ITEM),
        # Of mechanisms for a person's day: on any number of days.
        ('owner = "P", day = "int"', USER, PARTITION, "cap = 1", DAY_BY_DAY),
    ],
)  # fmt: skip
def test_no_finite_guarantee_holds(texts):
    assert pure(*texts) == (ENDLESS, "yes")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (('owner = "P", kind = ["a", "b"]', USER, PARTITION, "cap = 1"), ("2*max(eps[i])", "yes")),
        (('owner = "P", kind = ["a", "b"]', USER, COUNT, "cap = 3"), ("6*eps", "yes")),
        (('owner = "P", day = "int"', USER, COUNT,
          'cap = 1\ncell = "1 <= day(c) and day(c) <= 5"'), ("5*eps", "yes")),
        (('owner = "P", id = "I"', USER, PARTITION, 'limits = [["owner(c)", 2]]'),
         ("4*max(eps[i])", "yes")),
        # What comes makes up for what goes where both are counted together, and only there.
        (('owner = "P", id = "I"', USER, COUNT, 'limits = [["owner(c)", 2]]'), ("2*eps", "yes")),
        (('owner = "P", id = "I", kind = ["a", "b"]', USER,
          'use = "projection"\nimage = { kind = "kind(c)" }', 'limits = [["owner(c)", 2]]'),
         ("4*eps", None)),  # whether it is met is found from some models of the solver only
        # Of finitely many genres, or of one a block: as many records as all of these may have.
        (('owner = "P", id = "I", kind = ["a", "b"]', USER, PARTITION,
          'functions = { f = [["I"], "bool"] }\nlimits = [["(owner(c), f(id(c)))", 2]]'),
         ("8*max(eps[i])", None)),
        (('owner = "P", id = "I"', USER, 'index = { i = "k" }\nmember = "genre(id(c)) == i"',
          OF_A_GENRE.replace('"Genre"', '"int"')), ("4*sum(eps[i])", None)),
        # One item a person, on few days; or on days that the blocks look at.
        (('owner = "P", id = "I", day = "int"', USER, ROWS,
          f'{ONE_ITEM}\ncell = "1 <= day(c) and day(c) <= 2"'),
         ("sum over i of max over j of 4*eps[i,j]", None)),
        (('owner = "P", id = "I", day = "int"', FEW + '"old == 0"',
          ROWS.replace("(c), i", "(c), day(c)"), f'{ONE_ITEM}\nlimits = [["owner(c)", 1]]'),
         ("max over t of sum(eps[i,j] for j == t)", None)),
        # There are few days up to one, or in a window; and a limit on all days of a week together.
        (('owner = "P", day = "int"', USER, 'index = { i = "k" }\nmember = "day(c) <= i"',
          'cap = 1\nlimits = [["owner(c), day(c)", 1]]\ncell = "1 <= day(c) and day(c) <= 2"'),
         ("max over t with 0 < t <= 2 of sum(2*eps[i] for t <= i)", None)),
        (('owner = "P", day = "int"', USER, 'index = { i = "k" }\nmember = "day(c) // 3 == i"',
          'limits = [["owner(c), day(c)", 1]]'), ("3*sum(eps[i])", None)),
        (('owner = "P", day = "int"', USER, 'index = { i = "k" }\nmember = "day(c) <= i"',
          'distinct = [{ of = "day(c)", each = "owner(c)", at_most = 2 }]\ncap = 1'),
         ("max over t of sum(4*eps[i] for t <= i)", None)),
        # Finite, though this is not found: so it must not be denied.
        (('owner = "P", id = "I"', USER, COUNT, 'size = "size(D) <= 5"'), (OPEN, "unknown")),
        (('owner = "P", kind = ["a", "b"]', FEW + '"new <= 3 and old <= 3"', COUNT),
         (OPEN, "unknown")),
    ],
)  # fmt: skip
def test_no_guarantee_that_holds_is_denied(texts, expected):
    text, tight = pure(*texts)
    assert (text, expected[1] and tight) == expected


def test_it_is_said_why_and_how_it_is_attained():
    found = derived('owner = "P", id = "I"', USER, PARTITION)
    assert found.verdict == "proved"
    assert not found.profile.exact
    bound = found.bounds["pure"]
    assert bound.tight_note == "no finite guarantee holds: distances grow beyond all bounds"
    witness = found.witnesses["pure"].as_json()
    assert witness["attains"].endswith("and r is as large as one likes")
    assert witness["mechanisms"][0]["part"] == "p[i]"


def test_records_come_and_go_one_by_one_in_whole_databases():
    """What no single edit does on the common domain is bounded by a limit as on an own domain."""
    limited = 'symbols = { n = "n >= 1" }\nlimits = [["owner(c)", "n"]]'
    common = 'granularity = "unbounded"\nsetting = "common"'
    texts = ('owner = "P", id = "I"', USER, PARTITION, limited)
    assert pure(*texts, common) == pure(*texts) == ("2*n*max(eps[i])", "yes")


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        # One day of a person: visits of kind a, and of kind b, in m blocks each.
        (('owner = "P", day = "int", kind = ["a", "b"]',
          ONE_DAY, 'use = "cover"\nm = "m"'),
         "sum of the 2*m largest eps[i]"),
        # Of a user with n records each is of a day of its own, and in blocks of its own.
        (('owner = "P", day = "int"', USER, 'use = "cover"\nm = "m"',
          'symbols = { n = "n >= 1" }\nlimits = [["owner(c)", "n"]]'),
         "sum of the 2*n*m largest eps[i]"),
        # Each day has visits of many households, whose labels are their own.
        (('owner = "P", day = "int"', EVENT, 'use = "partition"\nby = "house(owner(c))"',
          'functions = { house = [["P"], "House"] }'), "sum(eps[i])"),
        # The records of a person are in any rooms.
        (('owner = "P", id = "I"', USER, 'index = { i = "k" }\nmember = "room(id(c)) == i"',
          'functions = { room = [["I"], "int"] }'), "sum(eps[i])"),
        # All days of a person, of which each is a block.
        (('owner = "P", day = "int"', USER, DAYS), "sum(eps[i])"),
    ],
)  # fmt: skip
def test_all_that_changes_changes_at_once(texts, text):
    more = "" if len(texts) == 3 else texts[3]
    assert pure(*texts[:3], more, "") == (text, "yes")


def test_one_block_is_enough_whatever_the_numbers_of_blocks_are():
    """A record enters a window, and mechanisms for replaced records are not made for that."""
    text = """
    [domain]
    attributes = { tail = "V", head = "V", time = "int" }
    symbols = { p = "p >= 1" }
    kind = "set"
    limits = [["tail(c)", "p"]]
    [granularity]
    use = "bounded"
    [[map]]
    name = "near"
    index = { i = "h" }
    member = "abs(time(c) - i) <= 1"
    [[map]]
    name = "all"
    use = "identity"
    [[map]]
    name = "windows"
    index = { i = "k" }
    member = "2*i - 2 <= time(c) and time(c) < 2*i + 2"
    """
    parts = "".join(
        f'[[part]]\nname = "{name}"\nmap = "{name}"\ngranularity = "{own}"\n'
        f'guarantee = {{ pure = "eps_{name}" }}\n'
        for name, own in (("near", "bounded"), ("all", "unbounded"), ("windows", "unbounded"))
    )
    found = read_spec(text + parts, "spec", pathlib.Path()).derive()
    bound = found.bounds["pure"]
    assert (bound.text, bound.tight_note) == (ENDLESS, "no finite guarantee holds")
    (case,) = found.profile.cases
    assert case.far == ("near",)
    seen = {part: r for (vector,) in [case.vectors] for g in vector for part, r in g.distances}
    assert seen == {"near": INFINITY, "all": 2, "windows": 2}


def test_a_case_without_loss_beside_one_without_a_guarantee():
    """Of one day a record has nowhere to go."""
    found = derived(
        'id = "I", time = "int"',
        'name = "moved"\n[[granularity.edit]]\nparams = { x = "cell", y = "cell" }\n'
        'guard = "D[x] >= 1 and x != y and differ_only(x, y, time)"\n'
        'change = { x = "-1", y = "1" }',
        'index = { i = "k" }\nmember = "time(c) % 3 == i"',
        'symbols = { T = "T >= 1" }\ncell = "1 <= time(c) and time(c) <= T"',
        'granularity = "bounded"',
    ).bounds["pure"]
    assert found.text == "0 for T = 1; inf for T >= 2"
    assert (found.tight, found.tight_note) == ("yes", "no finite guarantee holds")
