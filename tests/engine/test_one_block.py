"""Integers that only name a block are left out: what they say is said of the block itself."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together.one_block import of_one_block
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.statements import terms as s
from tests.differential.structured import Comparison

pytestmark = pytest.mark.in_turn

OWN = library_granularity("unbounded")
ROWS = (
    "0 <= order(c) and order(c) <= a and 0 <= item(c) and item(c) <= b "
    "and implies(order(c) == 0, item(c) == 0)"
)


def bound(member, indices, cell, *, changed=OWN, attributes=("order", "item")):
    domain = Domain(
        {"customer": "Customer", **dict.fromkeys(attributes, "int")}, cell=cell, cap=1,
        symbols={"a": "a >= 1", "b": "b >= 1"},
    )  # fmt: skip
    one = Map("m", member, indices)
    found = derive(Problem(domain, changed, [one], [Part("p", "m", OWN, {"pure": ("eps",)})]))
    made = read(as_text(certificate(found.theorems, found)).encode())
    assert verify(made, SecondSolver()).verdict == "proved"
    return found.bounds["pure"].text, found.bounds["pure"].tight


@pytest.mark.parametrize(
    ("cell", "index", "text"),
    [
        ("1 <= day(c) and day(c) <= T", "T", "m*max(eps[i])"),
        ("1 <= day(c) and day(c) <= T", "k", "max(m*eps[i] for i <= T)"),
        ("0 <= day(c) and day(c) < T", "T", "max(m*eps[i] for i < T)"),
        ("2*day(c) <= T", "T", "max(m*eps[i] for 2*i <= T)"),
        ("true", "k", "m*max(eps[i])"),
    ],
)
def test_what_blocks_all_records_of_a_user_change(cell, index, text):
    """All of them are worst in one block, and no integer has to name it."""
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, cell=cell, limits=[("user(c)", "m")],
        symbols={"m": "m >= 1", "T": "T >= 2"},
    )  # fmt: skip
    one = Map("days", "day(c) == i", {"i": index})
    users = library_granularity("user_presence", owner="user")
    part = Part("p", "days", OWN, {"pure": ("eps",)})
    found = derive(Problem(domain, users, [one], [part]))
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == (text, "yes")
    made = read(as_text(certificate(found.theorems, found)).encode())
    assert verify(made, SecondSolver()).verdict == "proved"


@pytest.mark.parametrize(
    ("member", "indices", "cell", "text"),
    [
        ("order(c) == i", {"i": "k"}, ROWS, "max(eps[i] for i <= a)"),
        # A row without an item has number 0; that there is an order for each item leaves no trace.
        ("item(c) == i", {"i": "k"}, ROWS, "max(eps[i] for i <= b)"),
        ("order(c) == i and item(c) == j", {"i": "k", "j": "h"}, ROWS,
         "max(eps[i,j] for i <= a and j <= b)"),
        ("order(c) == i", {"i": "k"}, "2*order(c) <= a + 1", "max(eps[i] for 2*i <= a + 1)"),
        # All blocks, or one of a row of these.
        ("order(c) == i", {"i": "k"}, "order(c) >= 0", "max(eps[i])"),
        ("order(c) == i", {"i": "k", "j": "h"}, ROWS,
         "max over t with 0 <= t <= a of sum(eps[i,j] for i == t)"),
        ("order(c) == i and item(c) <= j", {"i": "k", "j": "h"},
         "0 <= order(c) and order(c) <= a",
         "max over t, u with 0 <= t <= a of sum(eps[i,j] for i == t and u <= j)"),
    ],
)  # fmt: skip
def test_what_blocks_one_record_changes(member, indices, cell, text):
    assert bound(member, indices, cell) == (text, "yes")


def test_of_records_that_are_replaced_both_may_lie_in_one_block():
    found = bound("order(c) == i", {"i": "k"}, ROWS, changed=library_granularity("bounded"))
    assert found == ("max over t with 0 <= t <= a of sum(2*eps[i] for i == t)", "yes")


def test_an_item_that_moves_within_its_order():
    edit = Edit(
        {"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y and differ_only(x, y, item)",
        {"x": "-1", "y": "1"},
    )  # fmt: skip
    cell = ROWS.partition(" and implies")[0]
    found = bound("order(c) == i", {"i": "k"}, cell, changed=Granularity("moved", [edit]))
    assert found == ("max over t with 0 <= t <= a of sum(2*eps[i] for i == t)", "yes")


def test_one_index_of_two_is_not_enough():
    domain = Domain({"day": "int", "hour": "int"})
    two = Map("m", "day(c) == i and hour(c) <= j", {"i": "k", "j": "h"})
    problem = Problem(domain, OWN, [two], [Part("p", "m", OWN, {"pure": ("eps",)})])
    assert of_one_block(Structure(problem), 1, both(), HERE, ("k", "h")) is None


I, T, U, A = s.Index(1), s.Letter(1), s.Letter(2), s.Symbol("a")
HERE = s.Compared("eq", I, T)


def both(*items):
    return s.Connected("and", items)


@pytest.mark.parametrize(
    ("facts", "when", "said"),
    [
        (both(s.Compared("le", T, A)), HERE, s.Compared("le", I, A)),
        # Another integer, as there is one for each of these: it may be the end that is named.
        (both(s.Compared("le", T, A), s.Compared("le", T, U), s.Compared("le", U, A)), HERE,
         s.Compared("le", I, A)),
        # One of which it depends on the first whether there is any; or that blocks speak of.
        (both(s.Compared("lt", T, U), s.Compared("lt", U, A)), HERE, None),
        (both(), both(HERE, s.Compared("le", U, I)), None),
        (both(), s.Compared("le", I, T), None),
    ],
)  # fmt: skip
def test_which_integers_are_left_out(facts, when, said):
    domain = Domain({"day": "int"}, symbols={"a": "a >= 1"})
    part = Part("p", "m", OWN, {"pure": ("eps",)})
    problem = Problem(domain, OWN, [Map("m", "day(c) == i", {"i": "k"})], [part])
    assert of_one_block(Structure(problem), 2, facts, when, ("k",)) == said


def test_a_count_that_is_not_used_is_not_said():
    """Of two days, and of m records of a user, the smaller number of blocks is what is proved."""
    assert Comparison(3060).guarantees


@pytest.mark.parametrize("m", ["2", "m"])
def test_an_edit_that_names_a_block_beside_one_that_shares_records_among_blocks(m):
    """All records of a user's day, or more records of a user on any days: the first is worse."""
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, cell="1 <= day(c) and day(c) <= 5",
        limits=[("user(c)", m)], symbols={"m": "m >= 2"},
    )  # fmt: skip
    a_day = Edit({"t": "int", "u": "User"}, frame="day(c) == t and user(c) == u")
    more = Edit({"u": "User"}, frame="user(c) == u", step="old == 0")
    days = Map("days", "day(c) == i", {"i": "T"})
    part = Part("p", "days", OWN, {"pure": ("eps",)})
    found = derive(Problem(domain, Granularity("g", [a_day, more]), [days], [part]))
    made = read(as_text(certificate(found.theorems, found)).encode())
    assert verify(made, SecondSolver()).verdict == "proved"
    text = f"max({'4' if m == '2' else '2*m'}*eps[i] for i <= 5)"
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == (text, "yes")
