"""Records that an edit names and that agree in something: blocks by what is the same of both.

A record is replaced by one with the same open values, or it arrives later than it happened.  What
both have in common is one integer, not two, and what no block shows still bounds the others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

CORPUS = Path(__file__).parents[1] / "differential" / "corpus"
SURVEY = {"id": "Record", "open": "Open", "secret": "Secret"}
LABELS = {"f": (["Open"], "int"), "g": (["Secret"], "int")}
BOTH = "f(open(c)) == i and g(secret(c)) == j"
ONE_ROW = "max over t, u, v of sum(eps[i,j] for i == t and j == u or i == t and j == v)"


def replaced(guard, name="replaced"):
    edit = Edit({"x": "cell", "y": "cell"}, f"D[x] >= 1 and {guard}", {"x": "-1", "y": "1"})
    return Granularity(name, [edit])


def bound(domain, use, member, indices, functions=None, **more):
    blocks = Map("b", member, indices, functions or {})
    parts = [Part("a", "b", setting="common")]
    return derive(Problem(domain, use, [blocks], parts), **more).bounds["pure"]


def labels(guard, member=BOTH, functions=LABELS, **more):
    return bound(Domain(SURVEY), replaced(guard), member, {"i": "k", "j": "m"}, functions, **more)


@pytest.mark.parametrize(
    "guard",
    ["x != y and agree(x, y, id, open)", "x != y and agree(x, y, open)",
     "agree(x, y, open) and secret(x) != secret(y)", "differ_only(x, y, secret) and x != y"],
)  # fmt: skip
def test_what_two_records_agree_in_is_one_integer(guard):
    found = labels(guard)
    assert (found.text, found.tight) == (ONE_ROW, "yes")


def test_two_blocks_with_other_open_values_do_not_change_together():
    """No renumbering of labels makes two rows of one: with one column no two blocks change."""
    guard = "x != y and agree(x, y, id, open)"
    one_column = labels(guard, sizes={"k": 2, "m": 1}, values={"eps": [[3], [4]]})
    assert (one_column.value, one_column.tight) == (4, "yes")
    values = {"eps": [[3, 0, 1], [4, 1, 1]]}
    found = labels(guard, sizes={"k": 2, "m": 3}, values=values)
    assert (found.value, found.tight) == (5, "yes")


def test_two_different_records_can_be_in_any_two_blocks():
    found = labels("x != y")
    assert (found.text, found.tight) == ("sum of the 2 largest eps[i,j]", "yes")


def test_a_flag_that_names_one_index_twice_does_not_tell_all_pairs_apart():
    """Blocks with two different numbers are not exchanged with those with one number twice."""
    flags = {"p": (["cell", "int", "int"], "bool"), "g": LABELS["g"]}
    guard = "x != y and agree(x, y, open)"
    found = labels(guard, "p(c, i, i) and g(secret(c)) == j", flags)
    assert found.text == "max over t, u of sum(eps[i,j] for j == t or j == u)"


@pytest.mark.parametrize(
    ("guard", "tight"),
    [
        ("x != y and agree(x, y, open)", "yes"),
        ("x != y", "yes"),
        ("x != y and agree(x, y, id)", "yes"),
    ],
)
def test_flags_beside_a_label_may_all_be_true(guard, tight):
    flags = {"p": (["Open", "int"], "bool"), "g": LABELS["g"]}
    found = labels(guard, "p(open(c), i) and g(secret(c)) == j", flags)
    assert (found.text, found.tight) == (
        "max over t, u of sum(eps[i,j] for j == t or j == u)", tight
    )  # fmt: skip


def test_flags_of_which_few_are_true_are_not_all_true():
    """Each record is in at most m blocks, which flags say."""
    domain = Domain({"id": "Record"})
    flags = {"p": (["Record", "int"], "bool")}
    same = Map("b", "p(id(c), 0*i)", {"i": "k"}, flags, multiplicity="m", symbols={"m": "m >= 1"})
    for use in (library_granularity("unbounded"), library_granularity("user", owner="id")):
        parts = [Part("a", "b", setting="common")]
        found = derive(Problem(domain, use, [same], parts)).bounds["pure"]
        assert found.tight != "yes" or found.text == "sum of the m largest eps[i]"


def test_a_flag_is_not_true_and_false_at_once():
    """The first two blocks are of a flag of the value that changes, which is true or is not."""
    flag = {"p": (["Open"], "bool")}
    three = "(p(open(c)) and i == 1) or (not p(open(c)) and i == 2) or i == 3"
    use = Granularity("a value", [Edit({"v": "Open"}, frame="open(c) == v")])
    found = bound(Domain(SURVEY), use, three, {"i": "k"}, flag)
    assert found.tight != "yes"
    found = bound(Domain(SURVEY), use, three, {"i": 3}, flag)
    assert (found.text, found.tight) == ("max(eps[1] + eps[3], eps[2] + eps[3])", "yes")


def test_blocks_that_say_the_same_of_both_records_in_two_ways():
    """The secret label of the records is the open one of each."""
    same = "f(open(c)) == g(secret(c)) and g(secret(c)) == j and g(secret(c)) == i"
    found = labels("x != y and agree(x, y, secret)", same)
    assert found.text.startswith("max over t, u, v of sum(eps[i,j] for ")
    assert "u == t" in found.text or "t == u" in found.text


def test_where_of_one_map_nothing_is_said_there_is_a_bound():
    """Six integers say which blocks of the first map change: too many to say it of both."""
    found = load_spec(CORPUS / "labels-186.toml").derive()
    assert found.verdict == "proved"
    assert found.bounds["pure"].text.endswith("of (sum(2*eps0[i,j] for j == t or i == u or j == v "
                                              "or i == x) + sum(eps1[i,j]))")  # fmt: skip


# -------------------------------------------------------------------- what no block shows

EVENTS = {"id": "Event", "time": "int", "arrival": "int"}
LATE = "time(c) <= arrival(c) and arrival(c) <= time(c) + d"


def arrivals(least, guard="x != y and differ_only(x, y, arrival)", **more):
    domain = Domain(EVENTS, symbols={"d": f"d >= {least}"}, cell=LATE)
    return bound(domain, replaced(guard), "arrival(c) == i", {"i": "k"}, **more)


NEAR = "u <= t + d and t <= u + d"


@pytest.mark.parametrize(("least", "where"), [(1, NEAR), (0, "u <= t + d and t < u")])
def test_an_event_that_arrives_at_another_time_does_so_within_the_delay(least, where):
    found = arrivals(least)
    assert (found.text, found.tight) == (
        f"max over t, u with {where} of sum(eps[i] for i == t or i == u)", "yes"
    )  # fmt: skip


@pytest.mark.parametrize(("d", "value"), [(1, 6), (2, 6), (3, 10), (9, 10)])
def test_the_delay_in_numbers(d, value):
    found = arrivals(0, sizes={"k": 4, "d": d}, values={"eps": [5, 1, 1, 5]})
    assert (found.value, found.tight) == (value, "yes")


def test_without_a_delay_there_are_no_neighbours():
    domain = Domain(EVENTS, symbols={"d": "d >= 0"}, cell=LATE)
    blocks = Map("b", "arrival(c) == i", {"i": "k"})
    use = replaced("x != y and differ_only(x, y, arrival)")
    whole = Problem(domain, use, [blocks], [Part("a", "b", setting="common")])
    assert derive(whole, sizes={"d": 0}).vacuous


def test_events_of_two_times_arrive_as_far_apart_as_both_allow():
    found = arrivals(1, "x != y and agree(x, y, id) and abs(time(x) - time(y)) <= 2")
    assert "u <= t + d + 2" in found.text.replace("d + t", "t + d")
    assert found.tight == "yes"


def test_stays_that_end_at_another_time():
    """Blocks are the times at which somebody is there; both stays begin together."""
    domain = Domain(
        {"id": "Person", "start": "int", "end": "int"}, symbols={"L": "L >= 1"},
        cell="start(c) <= end(c) and end(c) < start(c) + L",
    )  # fmt: skip
    use = replaced("x != y and agree(x, y, id, start) and abs(end(x) - end(y)) <= 2")
    there = "start(c) <= i and i <= end(c)"
    found = bound(domain, use, there, {"i": "k"})
    assert found.text.endswith("of sum(eps[i] for t <= i <= u or t <= i <= v)")
    assert found.tight == "yes"
    for length, value in ((2, 8), (3, 11), (4, 12)):
        values = {"eps": [3, 1, 7, 1, 2]}
        numbers = bound(domain, use, there, {"i": "k"}, sizes={"k": 5, "L": length}, values=values)
        assert numbers.value == value


# -------------------------------------------------------------------- frames


def test_edges_of_a_vertex_in_a_window_of_time():
    edges = Domain(
        {"tail": "V", "head": "V", "time": "int"}, cell="tail(c) != head(c)",
        symbols={"w": "w >= 1"}, cap=1,
    )  # fmt: skip
    frame = "(tail(c) == v or head(c) == v) and t <= time(c) and time(c) < t + w"
    use = Granularity("vertex", [Edit({"v": "V", "t": "int"}, frame=frame)])
    member = "time(c) == i and group(tail(c)) == j and group(head(c)) == j"
    found = bound(edges, use, member, {"i": "k", "j": "m"}, {"group": (["V"], "int")})
    assert (found.text, found.tight) == (
        "max over t, u of sum(eps[i,j] for j == t and u <= i < u + w)", "yes"
    )  # fmt: skip


def test_all_times_may_be_landmarks():
    domain = Domain({"id": "R", "time": "int"}, {"landmark": (["int"], "bool")})
    frame = "landmark(time(c)) or time(c) == t"
    use = Granularity("landmarks", [Edit({"t": "int"}, frame=frame)])
    found = bound(domain, use, "time(c) == i", {"i": "k"})
    assert (found.text, found.tight) == ("sum(eps[i])", "yes")
    some = Domain(
        {"id": "R", "time": "int"}, {"landmark": (["int"], "bool")},
        cell="not (landmark(time(c)) and time(c) == 2)",
    )  # fmt: skip
    assert bound(some, use, "time(c) == i", {"i": "k"}).tight != "yes"


OF_USERS = Domain(
    {"id": "R", "user": "User", "step": "int"}, limits=[("user(c)", "r")],
    symbols={"r": "r >= 1", "w": "w >= 1"},
)  # fmt: skip
WINDOW = "user(c) == u and t <= step(c) and step(c) < t + w"
FEW = "max over t of (sum of the {} largest (eps[i] for t <= i < t + w))"


@pytest.mark.parametrize(("step", "most"), [("true", "2*r"), ("new <= old", "r")])
def test_few_records_of_a_user_in_a_window(step, most):
    use = Granularity("w-event", [Edit({"u": "User", "t": "int"}, frame=WINDOW, step=step)])
    found = bound(OF_USERS, use, "step(c) == i", {"i": "k"})
    assert (found.text, found.tight) == (FEW.format(most), "yes")


def test_few_records_of_a_user_in_a_window_are_verified():
    use = Granularity("w-event", [Edit({"u": "User", "t": "int"}, frame=WINDOW)])
    blocks = Map("b", "step(c) == i", {"i": "k"})
    found = derive(Problem(OF_USERS, use, [blocks], [Part("a", "b")]))
    assert (
        "edit 1 changes at most 2*r blocks of b"
        in verify(read(as_text(certificate(found.theorems, found)).encode()), None).facts
    )


def test_a_number_of_blocks_that_records_do_not_tell_is_kept():
    """Where a limit is of a week, a window of a week has records of two."""
    domain = Domain(
        {"id": "R", "user": "User", "step": "int"}, limits=[("user(c), step(c) // 7", "r")],
        symbols={"r": "r >= 1"},
    )  # fmt: skip
    use = Granularity("w-event", [Edit({"u": "User", "t": "int"}, frame=WINDOW.replace("w", "7"))])
    found = bound(domain, use, "step(c) == i", {"i": "k"})
    assert (found.text, found.tight) == ("max over t of sum(eps[i] for t <= i <= t + 6)", "unknown")
