"""Mechanisms that count what a block holds: records that stay inside, or outside, change nothing.

A record that moves changes the counts of blocks that it enters or leaves.  Bounds are compared with
all pairs of values, by hand.
"""

from __future__ import annotations

import itertools
import random

import pytest

from dpcomp_sym import refute
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together import together
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.replay import read
from dpcomp_sym.smt.solvers import SecondSolver

pytestmark = pytest.mark.in_turn

K = 6
MEMBERS = {
    "x(c) <= i": lambda x, i: x <= i,
    "x(c) >= i": lambda x, i: x >= i,
    "x(c) == i": lambda x, i: x == i,
    "i <= x(c) and x(c) < i + 3": lambda x, i: i <= x < i + 3,
    "x(c) < i or x(c) > i + 1": lambda x, i: x < i or x > i + 1,
    "2*i <= x(c) and x(c) <= 2*i + 1": lambda x, i: 2 * i <= x <= 2 * i + 1,
}
MOVES = {
    "x(a) != x(b)": lambda a, b: a != b,
    "abs(x(a) - x(b)) == 1": lambda a, b: abs(a - b) == 1,
    "x(a) != x(b) and abs(x(a) - x(b)) <= 2": lambda a, b: 0 < abs(a - b) <= 2,
    "x(a) < x(b) and x(b) <= x(a) + 2": lambda a, b: a < b <= a + 2,
    "x(b) == x(a) + 2 or x(a) == x(b) + 3": lambda a, b: b == a + 2 or a == b + 3,
}


def moved(guard):
    full = f"D[a] >= 1 and agree(a, b, id) and ({guard})"
    edit = Edit({"a": "cell", "b": "cell"}, full, {"a": "-1", "b": "1"})
    return Granularity("moved", [edit])


def problem(member, granularity, *, counts=True, setting="separate", **more):
    domain = Domain({"id": "Person", "x": "int"}, **more)
    blocks = Map("blocks", member, {"i": "k"})
    maps = [blocks, library_map("cardinality", name="number")] if counts else [blocks]
    read = ["blocks", "number"] if counts else "blocks"
    own = library_granularity("unbounded") if setting == "separate" else None
    given = {"pure": ("eps",), "zcdp": ("rho",)}
    part = Part("counts", read, own, guarantees=given, setting=setting)
    return Problem(domain, granularity, maps, [part], "counts")


def shown(found, notion="pure"):
    bound = found.bounds[notion]
    return bound.text, bound.tight


def said(member, granularity, **more):
    return shown(derive(problem(member, granularity, **more)))


# -------------------------------------------------------------------- exact bounds


def test_cumulative_counts_where_values_move_by_one():
    nearby = library_granularity("nearby", value="x")
    found = said("x(c) <= i", nearby, cell="1 <= x(c)")
    assert found == ("max over t with 0 < t of sum(eps[i] for i == t)", "yes")


def test_cumulative_counts_where_values_move_by_a_symbol():
    far = moved("x(a) != x(b) and abs(x(a) - x(b)) <= theta")
    found = said("x(c) <= i", far, cell="1 <= x(c)", symbols={"theta": "theta >= 1"})
    assert found == ("max over t with 0 < t of sum(eps[i] for t <= i < t + theta)", "yes")


def test_cumulative_counts_where_values_change_anyhow():
    assert said("x(c) <= i", library_granularity("bounded"), cell="1 <= x(c)") == (
        "sum(eps[i])", "yes",
    )  # fmt: skip


def test_counts_of_ranges_where_values_move_by_one():
    nearby = library_granularity("nearby", value="x")
    assert said("i <= x(c) and x(c) < i + 5", nearby) == (
        "max over t of sum(eps[i] for i == t - 4 or i == t + 1)", "yes",
    )  # fmt: skip


def test_a_record_that_comes_changes_all_counts_of_blocks_that_hold_it():
    assert said("i <= x(c) and x(c) < i + 5", library_granularity("unbounded")) == (
        "max over t of sum(eps[i] for t - 4 <= i <= t)", "yes",
    )  # fmt: skip


def test_without_a_count_a_block_changes_in_which_a_record_moves():
    nearby = library_granularity("nearby", value="x")
    found = said("x(c) <= i", nearby, counts=False, setting="common", cell="1 <= x(c)")
    assert found[0] != "max over t with 0 < t of sum(eps[i] for i == t)"


@pytest.mark.parametrize("guard", MOVES)
@pytest.mark.parametrize("member", MEMBERS)
def test_bounds_are_those_of_the_worst_move(member, guard):
    rng = random.Random(f"{member} {guard}")
    inside, links = MEMBERS[member], MOVES[guard]
    values = [rng.choice((0, 1, 2, 3, 5, 8)) for _ in range(K)]
    costs = [
        sum(e for i, e in enumerate(values, 1) if inside(a, i) != inside(b, i))
        for a, b in itertools.product(range(-3, 2 * K + 5), repeat=2)
        if links(a, b)
    ]
    found = derive(problem(member, moved(guard)), {"eps": values, "rho": values}, {"k": K})
    for notion in ("pure", "zcdp"):
        assert found.bounds[notion].tight == "yes"
        assert found.bounds[notion].value == max(costs)


# -------------------------------------------------------------------- integers in order


def conditions(member, granularity, **more):
    here = problem(member, granularity, **more)
    (edit,) = here.outer.edits
    return together(Structure(here), edit, list(here.used_maps.values()))


def test_integers_are_put_in_order_only_where_that_is_shorter():
    free = conditions("x(c) == i", library_granularity("bounded"), counts=False)
    assert len(free.terms) == 2
    assert [t.op for t in free.terms] == ["attr", "attr"]
    near = conditions("x(c) <= i", moved("abs(x(a) - x(b)) == 1"))
    assert [t.op for t in near.terms] == ["ite"]


def test_integers_that_move_one_way_are_not_exchanged():
    one_way = conditions("x(c) <= i", moved("x(b) == x(a) + 2 or x(a) == x(b) + 3"))
    assert [t.op for t in one_way.terms] == ["attr", "attr"]


def test_an_index_may_be_called_what_a_record_is():
    nearby = library_granularity("nearby", value="x")
    domain = Domain({"id": "Person", "x": "int"})
    blocks = Map("blocks", "x(c) <= y", {"y": "k"}, image={})
    part = Part("counts", "blocks", library_granularity("unbounded"))
    found = derive(Problem(domain, nearby, [blocks], [part], "names"))
    assert shown(found) == ("max over t of sum(eps[i] for i == t)", "yes")


def test_two_moves_say_what_one_does():
    """In the integers of two moves, as what one move changes is a part of it."""
    two = library_granularity("nearby", value="x", group=2)
    text, _ = said("x(c) == i", two, counts=False, setting="common")
    assert text.startswith("max over t, u, v, x with ")


def test_thresholds_of_a_number_that_is_bounded():
    """No integer is left: the largest value is the best one, whatever the other one is."""
    found = said(
        "x(c) >= i", library_granularity("bounded"), counts=False, setting="common",
        cell="0 <= x(c) and x(c) <= W", symbols={"W": "W >= 1"},
    )  # fmt: skip
    assert found == ("sum(eps[i] for i <= W)", "yes")


def test_a_number_that_may_have_one_value_only_is_left():
    """With W = 0 there is one value, and no neighbours that differ in it."""
    nearby = library_granularity("nearby", value="x")
    text, tight = said(
        "x(c) >= i", nearby, counts=False, setting="common",
        cell="0 <= x(c) and x(c) <= W", symbols={"W": "W >= 0"},
    )  # fmt: skip
    assert (text, tight) == (
        "max over t with 0 <= t and t + 1 <= W of sum(eps[i] for i <= t + 1)", "yes",
    )  # fmt: skip


def test_records_in_two_bands_side_by_side():
    nearby = library_granularity("nearby", value="x")
    found = said("10*(i - 1) <= x(c) and x(c) < 10*i", nearby, counts=False, setting="common")
    assert found == ("max over t of sum(eps[i] for t < 10*i <= t + 11)", "yes")


def accepted(found):
    made = read(as_text(certificate(found.theorems, found)).encode())
    return verify(made, SecondSolver()).verdict == "proved"


def test_two_solvers_accept_it():
    far = moved("x(a) != x(b) and abs(x(a) - x(b)) <= theta")
    whole = problem("x(c) <= i", far, cell="1 <= x(c)", symbols={"theta": "theta >= 1"})
    assert accepted(derive(whole))


# -------------------------------------------------------------------- maps that read one integer


def two_levels(by, *, setting="separate"):
    maps = [Map("blocks", "x(c) == i", {"i": "nb"}), Map("states", f"{by} == i", {"i": "ns"})]
    own = library_granularity("unbounded") if setting == "separate" else None
    parts = [
        Part(n, m.name, own, guarantees={"pure": (f"e{n}",), "zcdp": (f"r{n}",)}, setting=setting)
        for n, m in zip("bs", maps, strict=True)
    ]
    domain = Domain({"id": "Person", "x": "int"})
    return Problem(domain, library_granularity("bounded"), maps, parts, "levels")


def test_blocks_of_two_maps_that_hold_one_record():
    found = derive(two_levels("x(c)//3"))
    text = "max over t of (sum({0}*{1}b[i] for i == t) + sum({0}*{1}s[i] for t - 2 <= 3*i <= t))"
    assert shown(found) == (text.format(2, "e"), "yes")
    assert shown(found, "zcdp") == (text.format("2^2", "r"), "yes")


@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize(
    ("by", "of"), [("x(c)//3", lambda x: x // 3), ("x(c) - 1", lambda x: x - 1)]
)
def test_numbers_of_two_maps_that_hold_one_record(by, of, setting):
    rng = random.Random(by)
    blocks, states = ([rng.choice((0, 1, 3, 7)) for _ in range(n)] for n in (6, 3))
    values = {"eb": blocks, "es": states, "rb": blocks, "rs": states}

    def cost(x, y):
        total = 0
        for there, each in ((blocks, lambda v: v), (states, of)):
            for i, e in enumerate(there, 1):
                held = (each(x) == i) + (each(y) == i)
                total += e * (held if setting == "separate" else min(held, 1))
        return total

    worst = max(cost(x, y) for x, y in itertools.product(range(-1, 12), repeat=2))
    found = derive(two_levels(by, setting=setting), values, {"nb": 6, "ns": 3})
    assert found.bounds["pure"].tight == "yes"
    assert found.bounds["pure"].value == worst


def test_levels_of_places_for_single_records():
    """Whatever the places are: both records are in the worst block of each level."""
    domain = Domain(
        {"id": "Record", "block": "Block"}, {"county": (["Block"], "County")},
    )  # fmt: skip
    maps = [
        library_map("partition", name="blocks", by="block"),
        library_map("partition", name="counties", by="county(block(c))"),
    ]
    parts = [
        Part(n, m.name, library_granularity("unbounded"),
             guarantees={"pure": (f"e{n}",), "zcdp": (f"r{n}",)})
        for n, m in zip("bc", maps, strict=True)
    ]  # fmt: skip
    found = derive(Problem(domain, library_granularity("bounded"), maps, parts, "places"))
    assert shown(found) == ("2*(max(eb[i]) + max(ec[i]))", "yes")
    assert shown(found, "zcdp") == ("4*(max(rb[i]) + max(rc[i]))", "yes")
    assert accepted(found)


@pytest.mark.parametrize(
    "claim",
    [
        "2*max(eb[i]) + 2*max(es[i])",
        "max(2*eb[i]) + max(2*es[i])",
        "2*max(eb[i]) + sum of the 2 largest 2*es[i]",
        "max over t of (sum(2*eb[i] for i == t) + sum(2*es[i] for t - 2 <= 3*i <= t))",
    ],
)
def test_claims_about_each_map_by_itself_are_proved(claim):
    assert refute(two_levels("x(c)//3"), claim).verdict == "proved"


def test_a_claim_that_is_true_of_one_record_only_is_refuted():
    assert refute(two_levels("x(c)//3"), "max(eb[i]) + 2*max(es[i])").verdict == "refuted"


def test_all_ranges_where_values_move_by_one():
    """Those that end where the smaller value is, and those that begin where the larger one is."""
    domain = Domain({"id": "Person", "x": "int"})
    ranges = Map("ranges", "i <= x(c) and x(c) <= j", {"i": "k", "j": "k"}, image={})
    part = Part("counts", "ranges", library_granularity("unbounded"))
    nearby = library_granularity("nearby", value="x")
    assert shown(derive(Problem(domain, nearby, [ranges], [part], "ranges"))) == (
        "max over t of sum(eps[i,j] for j == t and i <= t or i == t + 1 and t + 1 <= j)", "yes",
    )  # fmt: skip


def test_marginals_where_one_of_two_values_changes():
    """A count that one value leaves and another one enters; of the other attribute none changes."""
    domain = Domain({"id": "Person", "age": "int", "income": "int"})
    guard = "D[a] >= 1 and id(a) == id(b) and (age(a) == age(b) or income(a) == income(b))"
    edit = Edit({"a": "cell", "b": "cell"}, guard, {"a": "-1", "b": "1"})
    maps = [Map(n, f"{n}(c) == i", {"i": "k"}, image={}) for n in ("age", "income")]
    parts = [
        Part(n, m.name, library_granularity("unbounded"), guarantees={"pure": (n,)})
        for n, m in zip(("eps", "eta"), maps, strict=True)
    ]
    found = derive(
        Problem(domain, Granularity("one value", [edit]), maps, parts, "marginals"),
        {"eps": [1, 5, 4], "eta": [3, 3, 2]}, {"k": 3},
    )  # fmt: skip
    bound = found.bounds["pure"]
    assert (bound.value, bound.tight) == (9, "yes")
    assert "i != u" in bound.text
    assert accepted(found)


def kinds_of_records(edit):
    """Parts that count single records of each kind, in prefixes."""
    domain = Domain({"id": "Person", "x": "int", "kind": ("red", "blue")})
    blocks = Map("blocks", "x(c) <= i", {"i": "k"}, image={"kind": "kind(c)"})
    part = Part("counts", "blocks", library_granularity("unbounded"))
    return derive(Problem(domain, Granularity("kinds", [edit]), [blocks], [part], "kinds")).bounds[
        0
    ]


def test_blocks_that_see_no_change_for_some_integers_are_not_attained():
    """On one day the kind changes, and is seen; five days apart it does not: t and u in one block.

    A block that holds both records can see a change, but not for all integers of these.
    """
    apart = "kind(a) == kind(b) and abs(x(a) - x(b)) == 5"
    guard = f"D[a] >= 1 and ((x(a) == x(b) and kind(a) != kind(b)) or ({apart}))"
    edit = Edit({"a": "cell", "b": "cell"}, guard, {"a": "-1", "b": "1"})
    assert kinds_of_records(edit).tight != "yes"


def test_a_count_that_one_record_of_three_changes_is_not_seen_from_three_steps():
    """One goes and two come; of three that are alike in a block it is one more."""
    alike = "kind(a) == kind(b) and kind(b) == kind(e) and x(b) == x(a) + 1 and x(e) == x(a) + 2"
    other = "kind(a) != kind(b) and kind(b) == kind(e) and x(a) == x(b) and x(b) == x(e) and b != e"
    guard = f"D[a] >= 1 and (({alike}) or ({other}))"
    edit = Edit(dict.fromkeys("abe", "cell"), guard, {"a": "-1", "b": "1", "e": "1"})
    assert kinds_of_records(edit).tight != "yes"
