"""Persons with few records, and blocks whose numbers are times or nodes: what changes lies there.

What is said of the places of a person's records is compared with all that these can do.
"""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.together.naming import named_records, number_of_records
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms.data import from_text

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"own": "User", "t": "int", "id": "Record"}
WINDOWS = Map("windows", "i <= t(c) and t(c) < i + L", index={"i": "k"})
ONE = "t - L < i <= t"
TWO = "t - L < i <= t or u - L < i <= u"


def presence():
    return library_granularity("user_presence", owner="own")


def changed():
    return library_granularity("user", owner="own")


def problem(limits, use, blocks=WINDOWS, attributes=ATTRIBUTES, part=None, **more):
    domain = Domain(attributes, limits=limits, **more)
    return Problem(domain, use, [blocks], [Part("counts", blocks.name, part)])


def pure(*args, symbols=None, **more):
    symbols = {"L": "L >= 1"} if symbols is None else symbols
    bound = derive(problem(*args, symbols=symbols, **more)).bounds[0]
    return bound.text, bound.tight


OF_ONE, OF_TWO = [("own(c)", 1)], [("own(c)", 2)]


@pytest.mark.parametrize(
    ("limits", "use", "text"),
    [
        (OF_ONE, presence, f"max over t of sum(eps[i] for {ONE})"),
        (OF_TWO, presence, f"max over t, u of sum(eps[i] for {TWO})"),
        (OF_ONE, changed, f"max over t, u of sum(eps[i] for {TWO})"),
        # Two records at one time are one record, which is no less.
        ([*OF_TWO, ("own(c), t(c)", 1)], presence, f"max over t, u of sum(eps[i] for {TWO})"),
        ([*OF_TWO, ("own(c)", 1)], presence, f"max over t of sum(eps[i] for {ONE})"),
    ],
)
def test_sliding_windows_of_a_person_with_few_records(limits, use, text):
    assert pure(limits, use()) == (text, "yes")


def test_one_record_a_person_is_one_record():
    records = pure((), library_granularity("unbounded"))
    assert pure(OF_ONE, presence()) == records == (f"max over t of sum(eps[i] for {ONE})", "yes")


def test_records_without_names_are_one_record_where_they_are_alike():
    """Where t is the same, a person's two records may be one, of which there are two."""
    attributes = {"own": "User", "t": "int"}
    text = f"max over t, u of sum(eps[i] for {TWO})"
    assert pure(OF_TWO, presence(), attributes=attributes) == (text, "yes")


def test_a_record_that_is_another_one_without_a_name_does_not_change():
    """One record goes, and one comes: at the same time it is the same one, and nothing changes."""
    attributes = {"own": "User", "t": "int"}
    text, tight = pure(OF_ONE, changed(), attributes=attributes)
    assert tight == "yes"
    assert text.startswith("max over t, u")


TREE = Map("tree", "t(c) // 2**(l - 1) + 1 == x", index={"l": 3, "x": 4})
LEAVES = "0 <= t(c) and t(c) < 4"


def nodes_above(t):
    return {(level, t // 2 ** (level - 1) + 1) for level in (1, 2, 3)}


@pytest.mark.parametrize(
    ("most", "use", "places"),
    [(1, presence, 1), (2, presence, 2), (1, changed, 2), (2, changed, 4)],
)
def test_nodes_of_a_tree_above_few_records(most, use, places):
    """As many paths as records may come or go."""
    values = [[5, 1, 2, 7], [3, 8, 1, 1], [4, 1, 1, 1]]
    numbers = {"eps": values}
    answer = derive(problem([("own(c)", most)], use(), TREE, cell=LEAVES), values=numbers)
    known = {(level, x): values[level - 1][x - 1] for level in (1, 2, 3) for x in range(1, 5)}
    expected = max(
        sum(known[node] for node in set().union(*map(nodes_above, at)))
        for at in itertools.combinations_with_replacement(range(4), places)
    )
    bound = answer.bounds[0]
    assert (bound.tight, bound.value) == ("yes", expected)


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        # Two records are never in the same ten of steps.
        ([*OF_TWO, ("own(c), t(c) // 10", 1)], {}),
        # All records of a person are at one time.
        (OF_TWO, {"distinct": [("t(c)", "own(c)", 1)]}),
    ],
)
def test_where_blocks_are_counted_instead(limits, more):
    text, tight = pure(limits, presence(), **more)
    assert "largest" in text
    assert tight != "yes"


def test_where_other_records_may_not_stay_away_nothing_is_attained_by_a_few():
    """Each record of the person comes or goes, of which there are any number in a product."""
    use = Granularity("swap", [Edit({"u": "User"}, frame="own(c) == u", step="old + new == 1")])
    assert pure(OF_ONE, use)[1] != "yes"


# ------------------------------------------------------------- mechanisms that protect a record

IN_ALL = [("own(c)", "m")]
SYMBOLS = {"L": "L >= 1", "m": "m >= 1"}
NAMELESS = {"own": "User", "t": "int"}


def of_records(limits, use, **more):
    symbols = more.pop("symbols", SYMBOLS)
    return pure(limits, use, part=library_granularity("unbounded"), symbols=symbols, **more)


@pytest.mark.parametrize(
    ("limits", "use", "more", "times"),
    [
        (IN_ALL, presence, {}, "m"),
        (IN_ALL, changed, {}, "(2*m)"),
        ([("own(c)", 2)], changed, {}, "4"),
        # Each record at most once: they have names.
        (IN_ALL, changed, {"cap": 1}, "(2*m)"),
        # So many times the same record.
        (IN_ALL, presence, {"attributes": NAMELESS}, "m"),
    ],
)
def test_all_records_of_a_person_are_where_one_is(limits, use, more, times):
    text = f"max over t of sum({times}*eps[i] for {ONE})"
    assert of_records(limits, use(), **more) == (text, "yes")


@pytest.mark.parametrize(
    ("limits", "use", "more"),
    [
        # What comes is no record that leaves: it is at another time.
        (IN_ALL, changed, {"attributes": NAMELESS}),
        # A record is there once, or not.
        (IN_ALL, presence, {"attributes": NAMELESS, "cap": 1}),
        # Not all m records of a person are at one time.
        ([*IN_ALL, ("own(c), t(c)", 3)], presence, {}),
    ],
)
def test_not_all_records_can_be_where_one_is(limits, use, more):
    assert of_records(limits, use(), **more)[1] != "yes"


ON_SOME_DAYS = Map("windows", "i <= t(c) and t(c) < i + L and open(t(c))", index={"i": "k"})


OPEN = {"functions": {"open": (["int"], "bool")}}


def test_where_only_some_places_can_have_a_record():
    """Windows see the records of days that are open: it is worst if all are."""
    found = pure(OF_TWO, presence(), blocks=ON_SOME_DAYS, **OPEN)
    assert found == (f"max over t, u of sum(eps[i] for {TWO})", "yes")


@pytest.mark.parametrize("more", [{"facts": ["not open(3)"]}, {"cell": "t(c) >= 3 or open(t(c))"}])
def test_where_some_places_are_known_to_have_none(more):
    """That all are open is excluded, or it is not shown to be possible."""
    assert pure(OF_TWO, presence(), blocks=ON_SOME_DAYS, **OPEN, **more)[1] != "yes"


def test_where_no_place_can_have_a_record():
    closed = pure(OF_TWO, presence(), blocks=ON_SOME_DAYS, **OPEN, cell="not open(t(c))")
    assert closed == ("0", "yes")


def test_what_a_mechanism_for_a_record_sees_where_only_some_places_have_one():
    part = library_granularity("unbounded")
    assert pure(OF_TWO, presence(), blocks=ON_SOME_DAYS, **OPEN, part=part)[1] != "yes"


def test_a_mechanism_that_protects_two_records_at_once_sees_fewer_steps():
    one = Edit({"x": "cell"}, change={"x": "1"})
    two = Edit({"x": "cell", "y": "cell"}, change={"x": "1", "y": "1"})
    part = Granularity("one or two", [one, two])
    text, tight = pure(IN_ALL, presence(), part=part, symbols=SYMBOLS)
    assert "max over t of sum(m*eps[i]" not in text or tight != "yes"


def test_where_a_block_cannot_hold_them_all_few_blocks_are_counted():
    """Each record is there once, at a time of its own: with L = 1 blocks see one of them."""
    text, _ = of_records(IN_ALL, changed(), attributes=NAMELESS, cap=1)
    assert text.startswith("sum of the 2*m largest eps[i] for L = 1")


@pytest.mark.parametrize(("limit", "use", "records"), [(1, changed, 2), (3, presence, 3)])
def test_the_path_above_many_records(limit, use, records):
    """Each node on it is seen from as far as there are records."""
    values = [[5, 1, 2, 7], [3, 8, 0, 0], [4, 0, 0, 0]]
    of = problem(
        [("own(c)", limit)], use(), TREE, cell=LEAVES, part=library_granularity("unbounded")
    )
    bound = derive(of, values={"eps": values}).bounds[0]
    assert (bound.value, bound.tight) == (records * (7 + 8 + 4), "yes")


SPEC = """
[domain]
attributes = { own = "User", t = "int", id = "Record" }
limits = [["own(c)", "2"]]
[granularity]
use = "user_presence"
owner = "own"
[[map]]
name = "windows"
index = { i = "k" }
member = "i <= t(c) and t(c) < i + 3"
[[part]]
name = "counts"
map = "windows"
guarantee = { pure = "eps" }
"""


def written():
    derivation = load_spec(SPEC).derive()
    return as_text(certificate(derivation.theorems, derivation))


def test_the_certificate_says_which_records_change_and_is_verified():
    text = written()
    found = verify(read(text.encode()))
    assert any("changes no records but c.1 and c.2, and only" in str(x) for x in found.facts)


def test_names_are_those_of_the_records_that_change():
    spec = load_spec(SPEC)
    (edit,) = spec.problem.outer.edits
    two = named_records(edit, 2)
    assert [n for n, _ in two.params] == ["u", "c.1", "c.2"]
    letter = from_text('["attr","int","t",["var","cell","c.2"]]')
    assert number_of_records((letter,)) == 2
    assert number_of_records(()) == 0


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: library_granularity("unbounded"), "t < 2*i and i <= t"),
        (changed, "t < 2*i and i <= t or u < 2*i and i <= u"),
    ],
)
def test_blocks_that_divide_by_their_own_number(use, text):
    """Block i holds t from i to 2*i - 1: this was a fault of the program."""
    halves = Map("halves", "t(c) // i == 1", index={"i": "k"})
    over = "t, u" if "u" in text else "t"
    assert pure(OF_ONE, use(), halves) == (f"max over {over} of sum(eps[i] for {text})", "yes")


@pytest.mark.parametrize(
    ("values", "most", "times"),
    [('"bool"', 1, "2*"), ('["on", "off"]', 1, "2*"), ('"V"', 1, "2*"), ('"V"', '"m"', "(2*m)*"),
     ('["on"]', 1, ""), ('["on", "off"]', 2, "2*"), ('"bool"', '"m"', "2*"),
     ('["on", "off", "broken"]', 2, "3*")],
)  # fmt: skip
def test_a_record_with_another_listed_value_comes_where_one_goes(values, most, times):
    """So many successive hours of a meter: each record may say something else afterwards."""
    text = f"""
        [domain]
        attributes = {{ meter = "Meter", hour = "int", state = {values} }}
        symbols = {{ w = "w >= 1", m = "m >= 1" }}
        cap = 1
        limits = [["meter(c), hour(c)", {most}]]
        [[granularity.edit]]
        params = {{ h = "Meter", t = "int" }}
        frame = "meter(c) == h and t <= hour(c) and hour(c) < t + w"
        [[map]]
        name = "hours"
        index = {{ i = "k" }}
        member = "hour(c) == i"
        [[part]]
        name = "M"
        map = "hours"
        granularity = "unbounded"
        guarantee = {{ pure = "eps" }}"""
    found = derive(load_spec(text).problem).bounds["pure"]
    assert found.text == f"max over t of sum({times}eps[i] for t <= i < t + w)"
    assert found.tight == "yes" or most == 2
