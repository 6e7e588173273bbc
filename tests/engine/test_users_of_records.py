"""What parts see of a person's records, if they protect single records: at most so many edits."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.engine import profiler
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import make
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn


def spec(limit="r", outer="user", inner="unbounded", mapping="identity", more=""):
    limits = f'limits = [["owner(c)", "{limit}"]]\n' if limit else ""
    if limit == "r":
        limits += 'symbols = { r = "r >= 1" }\n'
    if not outer.startswith("name"):
        outer = f'use = "{outer}"\nowner = "owner"'
    return f"""
[domain]
attributes = {{ id = "Record", owner = "Person" }}
{limits}
{more}
[granularity]
{outer}
[[map]]
name = "m"
use = "{mapping}"
[[part]]
name = "p"
map = "m"
granularity = "{inner}"
guarantee = {{ pure = "eps" }}
"""


def bound(text):
    (found,) = load_spec(text).derive().bounds
    return found.text, found.tight


FIVE = """name = "five"
[[granularity.edit]]
params = { v = "cell", w = "cell", x = "cell", y = "cell", z = "cell" }
guard = "v != w and v != x and v != y and v != z"
change = { v = "3", w = "1", x = "1", y = "1", z = "1" }
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("changed", "text", "tight"),
    [
        ({}, "2*r*eps", "yes"),
        ({"outer": "user_presence"}, "r*eps", "yes"),
        ({"limit": "2"}, "4*eps", "yes"),
        ({"limit": "2", "outer": "user_presence"}, "2*eps", "yes"),
        ({"limit": "30"}, "60*eps", "yes"),
        ({"mapping": "partition"}, "2*r*max(eps[i])", "yes"),
        ({"inner": "unbounded_or_bounded"}, "r*eps", "yes"),
        ({"inner": "unbounded_or_bounded", "limit": "3"}, "3*eps", "yes"),
        ({"inner": "bounded"}, "inf (no guarantee)", "yes"),
        ({"limit": ""}, "inf (no guarantee)", "yes"),
        # The solver works on this for a minute.
        pytest.param(
            {"more": 'size = "size(D) >= 1"'}, "inf (not known)", "unknown", marks=pytest.mark.long
        ),
        ({"outer": FIVE}, "0 for 1 <= r <= 2; inf (not known) for r >= 3", "unknown"),
    ],
)
def test_bounds(changed, text, tight):
    assert bound(spec(**changed)) == (text, tight)


@pytest.mark.parametrize("changed", [{}, {"limit": "3", "mapping": "partition"}])
def test_certificates(changed):
    derivation = load_spec(spec(**changed)).derive()
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"


def test_smaller_distances_are_not_confirmed():
    check = Recheck(load_spec(spec()).problem)
    twice = make("Product", (make("Num", Fraction(2)), make("Size", "r")))
    check.fact(make("BlockDistance", check.meaning.term, "edit 1", "p", (), twice))
    for less in (make("Size", "r"), make("Num", Fraction(2)), make("Num", Fraction(3, 2))):
        with pytest.raises(RejectedError):
            check.fact(make("BlockDistance", check.meaning.term, "edit 1", "p", (), less))


@pytest.mark.in_turn
def test_users_with_records_in_several_blocks_are_no_single_pairs_of_one_block():
    """With eps = [1, 0], delta = [0, 1/10] two records cost (1, 1/10), not (2, 0) or (0, 1/5)."""
    text = spec(outer="user_presence", mapping="partition").replace(
        '{ pure = "eps" }', '{ approximate = ["eps", "delta"] }'
    )
    (symbols,) = load_spec(text).derive().bounds
    assert symbols.pareto == (
        "(sum(n[i]*eps[i]), sum(delta[i]*growth(eps[i], n[i]))) "
        "for each n with n[i] <= r and sum(n[i]) <= r"
    )
    numbers = ["r=2", "k=2", "eps=[1, 0]", "delta=[0, 1/10]"]
    (found,) = load_spec(text, numbers).derive().bounds
    assert found.value == (2, Fraction(1, 5))
    assert found.pareto == ((2, 0), (1, Fraction(1, 10)), (0, Fraction(1, 5)))


DAYS = """
[domain]
attributes = { id = "Record", user = "User", day = "int" }
symbols = { a = "a >= 1"SYMBOLS }
cell = "1 <= day(c) and day(c) <= 7"
limits = [["user(c)", "a"]]
[granularity]
use = "user"
owner = "user"
[[map]]
name = "days"
index = { i = "k" }
member = "day(c) == i"
[[part]]
name = "counts"
map = "days"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""


def test_records_on_named_days_are_shared_by_the_days():
    """Of the days that there are one sees all records: not every day does."""
    text = "max(2*a*eps[i] for i <= 7)"
    assert bound(DAYS.replace("SYMBOLS", "")) == (text, "yes")


def test_symbols_of_which_nothing_speaks_are_not_set_apart(monkeypatch):
    asked = []

    def divided(_structure, whole, symbols, _find, _bound):
        asked.append(set(symbols))
        return whole

    monkeypatch.setattr(profiler, "divided", divided)
    text = DAYS.replace("SYMBOLS", ', b = "b >= 1", n = "n >= a"').replace("<= 7", "<= n")
    profiler.profile_with_facts(Structure(load_spec(text).problem))
    assert asked == [{"a", "n"}]


@pytest.mark.parametrize(("most", "map_"), [
    (3, 'index = { i = "k" }\nmember = "x(c) // 10 == i - 1"'),
    (3, 'index = { i = "k" }\nmember = "x(c) == i"'),
    (4, 'index = { i = "k" }\nmember = "x(c) == i"'),
    (3, 'use = "partition"'),
])  # fmt: skip
def test_all_records_of_a_user_replaced_in_one_strip(most, map_):
    """So many come and so many go, as copies of few: pairs with as many different ones are late."""
    found = load_spec(f"""
[domain]
attributes = {{ user = "User", time = "int", x = "int", y = "int" }}
limits = [["user(c)", "{most}"]]
[granularity]
[[granularity.edit]]
params = {{ u = "User" }}
frame = "user(c) == u"
[[map]]
name = "strips"
{map_}
[[part]]
name = "counts"
map = "strips"
granularity = "unbounded"
guarantee = {{ pure = "eps" }}
""").derive()
    assert [(b.text, b.tight) for b in found.bounds] == [(f"{2 * most}*max(eps[i])", "yes")]


HOUSEHOLD = """
[domain]
attributes = {{ person = "Person", house = "House", v = "int" }}
limits = [["person(c)", 1], ["house(c)", "m"]]
symbols = {{ m = "m >= 1" }}
[granularity]
use = "{outer}"
owner = "house"
[[map]]
name = "bins"
index = {{ i = "k" }}
member = "v(c) == i"
[[part]]
name = "counts"
map = "bins"
guarantee = {{ pure = "eps" }}
[part.granularity]
use = "{inner}"
owner = "person"
"""


@pytest.mark.parametrize(
    ("outer", "inner", "text"),
    [
        ("user", "user", "2*m*max(eps[i])"),
        ("user", "user_presence", "2*m*max(eps[i])"),
        ("user_presence", "user", "m*max(eps[i])"),
        ("user_presence", "user_presence", "m*max(eps[i])"),
    ],
)
def test_households_and_mechanisms_that_protect_persons(outer, inner, text):
    """A household has m persons, each of which has one record: so many persons come or go."""
    (found,) = load_spec(HOUSEHOLD.format(outer=outer, inner=inner)).derive().bounds
    assert (found.text, found.tight, found.tight_note) == (text, "yes", "")


def test_a_household_has_a_limit_a_day_and_blocks_are_days():
    """The persons of one day are in one block, those of other days are not."""
    text = HOUSEHOLD.format(outer="user", inner="user").replace("v(c)", "day(c)")
    text = text.replace("v =", "day =").replace('"house(c)", "m"', '"house(c), day(c)", "m"')
    text = text.replace("symbols =", 'cell = "1 <= day(c) and day(c) <= 3"\nsymbols =')
    found, _ = bound(text)
    assert found == "sum(2*m*eps[i] for i <= 3)"


WEEKS = """
[domain]
attributes = {{ own = "User", t = "int", id = "Record" }}
limits = [["own(c), t(c) // 7", "r"]]
symbols = {{ r = "r >= 1", W = "W >= 1" }}
cell = "0 <= t(c) and t(c) < 7*W"
[granularity]
use = "{outer}"
owner = "own"
[[map]]
name = "weeks"
index = {{ i = "W" }}
member = "{member}"
[[part]]
name = "counts"
map = "weeks"
granularity = "unbounded"
guarantee = {{ pure = "eps" }}
"""


@pytest.mark.parametrize(
    ("outer", "member", "text", "tight"),
    [
        ("user", "t(c) // 7 + 1 == i", "2*r*sum(eps[i])", "yes"),
        ("user_presence", "t(c) // 7 + 1 == i", "r*sum(eps[i])", "yes"),
        ("user_presence", "t(c) // 7 + 1 == i and t(c) % 7 >= 5", "r*sum(eps[i])", "yes"),
        # Two weeks have a limit each, and share one of them with the next block.
        ("user_presence", "i <= t(c) // 7 + 1 and t(c) // 7 <= i", None, "unknown"),
    ],
)
def test_each_week_is_as_full_as_its_limit_allows(outer, member, text, tight):
    found, known = bound(WEEKS.format(outer=outer, member=member))
    assert known == tight
    assert text in (None, found)


PARTITIONS = """
[domain]
attributes = {{ {names}owner = "Person", part = "int" }}
symbols = {{ r = "r >= 1", m = "m >= 1" }}
limits = [["owner(c), part(c)", "r"]]
distinct = [{{ of = "part(c)", each = "owner(c)", at_most = "m" }}]
[granularity]
use = "user"
owner = "owner"
[[map]]
name = "parts"
index = {{ i = "k" }}
member = "part(c) == i"
[[part]]
name = "p"
map = "parts"
granularity = "unbounded"
guarantee = {{ pure = "eps" }}
"""


def test_records_without_names_of_their_own_are_as_many_as_there_are_more():
    """In a partition a person has one kind of record: D and E have at most r of it each."""
    bound = load_spec(PARTITIONS.format(names="")).derive().bounds[0]
    assert bound.text == "r*(sum of the 2*m largest eps[i])"
    named = load_spec(PARTITIONS.format(names='id = "Record", ')).derive().bounds[0]
    assert named.text != bound.text, "there r others may come"
    numbers = ["r=3", "m=1", "k=4", "eps=[4, 1, 3, 2]"]
    assert load_spec(PARTITIONS.format(names=""), numbers).derive().bounds[0].value == 21
