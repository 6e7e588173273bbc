"""Limits on distinct values: how many blocks change, and how far they are seen."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.claims import refute, standalone
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.counting import blocks_by_values
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.weakest import weakest_compatible
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem
from dpcomp_sym.model.library import library_granularity, library_map
from dpcomp_sym.replay import RejectedError, seal
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.terms import parse

M = ("team(c)", "user(c)", "m")
RECORDS = [("user(c), team(c)", "r")]
TEAMS = Domain(
    {"id": "Record", "user": "User", "team": "Team"},
    {"dept": (["Team"], "Dept")},
    symbols={"m": "m >= 1", "r": "r >= 1"},
    distinct=[M],
)
FEW = replace(TEAMS, limits=RECORDS)
USER = library_granularity("user", owner="user")
PRESENCE = library_granularity("user_presence", owner="user")
UNBOUNDED = library_granularity("unbounded")


def by(term, use="partition", **more):
    return library_map(use, name="blocks", by=term, **more)


def of(domain, granularity, mapping, inner=None):
    part = Part("counts", "blocks", granularity=inner, guarantees={"pure": ("eps",)})
    return Problem(domain, granularity, [mapping], [part])


def pure(*problem):
    bound = derive(of(*problem)).bounds["pure"]
    return bound.text, bound.tight


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "granularity", "mapping", "inner", "expected"),
    [
        (TEAMS, USER, by("team"), None, ("sum of the 2*m largest eps[i]", "yes")),
        (TEAMS, PRESENCE, by("team"), None, ("sum of the m largest eps[i]", "yes")),
        (TEAMS, USER, by("dept(team(c))"), None, ("sum of the 2*m largest eps[i]", "yes")),
        (TEAMS, USER, by("c"), None, ("sum(eps[i])", "yes")),
        (FEW, USER, by("c"), None, ("sum of the 2*r*m largest eps[i]", "yes")),
        (FEW, PRESENCE, by("c"), None, ("sum of the r*m largest eps[i]", "yes")),
        (FEW, USER, by("team"), UNBOUNDED, ("2*r*m*max(eps[i])", "yes")),
        (FEW, PRESENCE, by("team"), UNBOUNDED, ("r*m*max(eps[i])", "yes")),
        (TEAMS, USER, by("team", "cover", m="m"), None, ("sum of the 2*m^2 largest eps[i]", "yes")),
        (replace(TEAMS, cap=1), USER, by("c"), None, ("sum(eps[i])", "yes")),
    ],
)
def test_bounds(domain, granularity, mapping, inner, expected):
    assert pure(domain, granularity, mapping, inner) == expected


@pytest.mark.in_turn
@pytest.mark.parametrize("granularity", [USER, PRESENCE])
@pytest.mark.parametrize("mapping", [by("team"), by("c")])
def test_any_number_of_records_is_no_finite_distance(granularity, mapping):
    assert pure(TEAMS, granularity, mapping, UNBOUNDED) == ("inf (no guarantee)", "yes")


@pytest.mark.in_turn
def test_what_is_not_attained_is_not_called_so():
    """A record can be copied often with other values, but not with other teams."""
    plain = replace(TEAMS, attributes={"user": "User", "team": "Team"})
    fewer, more = (replace(plain, distinct=[(*M[:2], n)]) for n in ("m - 1", "m + 1"))
    assert pure(fewer, USER, by("c"))[1] == "unknown"
    assert pure(more, USER, by("c")) == ("sum of the 2*m + 2 largest eps[i]", "yes")
    assert pure(replace(TEAMS, distinct=[(*M[:2], "m + 1")]), USER, by("c")) == (
        "sum(eps[i])",
        "yes",
    )
    both = derive(of(replace(TEAMS, limits=[("user(c)", "r")]), USER, by("team"))).bounds["pure"]
    assert both.text == "sum of the 2*r largest eps[i]"
    assert both.tight_note == "shown for 1 <= r <= 2 and m >= 2"


def changed(domain, frame, mapping, step="true"):
    edit = Edit({"u": "User"}, "true", frame=frame, step=step)
    problem = of(domain, Granularity("own", [edit]), mapping)
    structure = Structure(problem)
    (edit,) = structure.edits
    return str(blocks_by_values(structure, edit, problem.bound_maps["blocks"]))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("true", "2*m"),
        ("new <= old", "m"),
        ("new >= old", "m"),
        ("implies(old == 0, new == 0)", "m"),  # all that changes is held before
        ("implies(new == 0, old == 0)", "m"),
        ("old + new >= 1", "2*m"),
        ("new <= old + 1", "2*m"),
    ],
)
def test_sides(step, expected):
    assert changed(TEAMS, "user(c) == u", by("team"), step) == expected


def test_only_frames_within_what_the_limit_is_for():
    assert changed(TEAMS, "user(c) != u", by("team")) == "None"
    assert changed(TEAMS, "user(c) == u", by("c")) == "None"
    for limit in (("team(c)", "user(c)", "m - 1"), ("team(c)", "dept(team(c))", 2)):
        other = replace(TEAMS, distinct=[limit])
        assert changed(other, "user(c) == u", by("team")) == "None"
    more = replace(TEAMS, distinct=[("team(c)", "user(c)", "m + 1")])
    assert changed(more, "user(c) == u", by("team")) == "2*m + 2"
    everywhere = replace(TEAMS, distinct=[("team(c)", "true", "m")])
    assert changed(everywhere, "user(c) != u", by("team")) == "2*m"


@pytest.mark.parametrize("fact", ["true", "m >= 0", "m <= 5"])
def test_a_symbol_that_may_be_0_is_not_counted_with(fact):
    domain = replace(TEAMS, symbols={"m": fact, "r": "r >= 1"})
    assert changed(domain, "user(c) == u", by("team")) == "None"


def test_limits_one_after_the_other():
    attributes = {"id": "Record", "user": "User", "team": "Team", "room": "Room"}
    limits = [("team(c)", "user(c)", 2), ("room(c)", "team(c)", 3)]
    domain = Domain(attributes, distinct=limits)
    assert changed(domain, "user(c) == u", by("room")) == "12"
    assert changed(replace(domain, distinct=limits[1:]), "user(c) == u", by("room")) == "None"
    around = [("team(c)", "room(c)", 2), ("room(c)", "team(c)", 3)]
    assert changed(replace(domain, distinct=around), "user(c) == u", by("room")) == "None"
    assert pure(domain, USER, by("room")) == ("sum of the 12 largest eps[i]", "yes")


def test_the_fewest_of_several():
    both = replace(TEAMS, distinct=[M, ("team(c)", "user(c)", 3)])
    assert changed(both, "user(c) == u", by("team")) == "6"


def test_blocks_that_see_some_records_of_a_value():
    attributes = {"id": "Record", "user": "User", "team": "Team", "day": "int"}
    domain = replace(TEAMS, attributes=attributes)
    some = Map("blocks", "h(team(c)) == i and day(c) >= i", {"i": "k"}, {"h": (["Team"], "int")})
    assert changed(domain, "user(c) == u", some) == "2*m"
    two = Map("blocks", "h(team(c)) == i or h(team(c)) == i + 1", {"i": "k"},
              {"h": (["Team"], "int")})  # fmt: skip
    assert changed(domain, "user(c) == u", two) == "4*m"


# ------------------------------------------------------------------ claims and vectors

GROUPS = Domain(
    {"person": "User", "team": "Group"}, symbols={"m": "m >= 1", "r": "r >= 1"}, cap=1,
    distinct=[("team(c)", "person(c)", "m")],
)  # fmt: skip
ROWS = Domain(
    {"id": "Record", "person": "User", "team": "Group"}, symbols={"m": "m >= 1", "r": "r >= 1"},
    distinct=[("team(c)", "person(c)", "m")], limits=[("person(c), team(c)", "r")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "claim", "expected"),
    [
        (GROUPS, "l2(by_group) <= sqrt(m)", "proved"),
        (GROUPS, "l2(by_group) <= sqrt(m - 1)", "refuted"),
        (GROUPS, "l1(by_group) <= m", "proved"),
        (GROUPS, "l1(by_group) <= m - 1", "refuted"),
        (ROWS, "l2(by_group) <= sqrt(r*r*m)", "proved"),
        (ROWS, "l2(by_group) <= sqrt(r*m)", "refuted"),
        (ROWS, "distance(counts) <= r*m", "proved"),
        (ROWS, "distance(counts) <= m", "refuted"),
        (replace(ROWS, limits=[]), "l2(by_group) <= sqrt(m)", "refuted"),
    ],
)
def test_claims(domain, claim, expected):
    granularity = library_granularity("user_presence", owner="person")
    groups = Map("by_group", image={"team": "team(c)"})
    problem = Problem(domain, granularity, [groups], [Part("counts", "by_group", UNBOUNDED)])
    assert examine(problem, claim).verdict == expected


def test_the_weakest_condition_is_not_looked_for():
    problem = of(TEAMS, USER, by("team"))
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert found == "the class has limits on distinct values"


def test_rocq_reads_the_limit_in_the_class():
    from dpcomp_sym.rocq import rocq_file

    found = derive(of(TEAMS, USER, by("team")))
    text = rocq_file(certificate(found.theorems, found))
    of_users = "few_values (fun c_ : cell => (user_of c_)) (fun c_ : cell => (team_of c_)) D m_"
    assert of_users in text


# ------------------------------------------------------------------ what the class is


def alone(limit, cells, held):
    """Return whether a database keeps a limit, as said in words."""
    domain = Domain({"user": "User", "team": "Team", "day": "int"}, distinct=[limit])
    world = World(domain, tuple(cells), {"User": ("p", "q"), "Team": ("a", "b", "c")})
    return world.contains(held, domain, world.cells)


CELLS = [(u, t, d) for u in "pq" for t in "abc" for d in (1, 2)]


@pytest.mark.parametrize("most", [-1, 0, 1, 2, 3])
def test_the_evaluator_counts_each_value_once(most):
    rng = random.Random(most)
    for _ in range(300):
        held = {c: rng.randint(1, 3) for c in CELLS if rng.random() < 0.3}
        teams = {u: {t for v, t, _ in held if v == u} for u in "pq"}
        expected = all(len(found) <= most for found in teams.values() if found)
        assert alone(("team(c)", "user(c)", most), CELLS, held) == expected
        pairs = {(t, d) for _, t, d in held}
        assert alone(("team(c), day(c)", "true", most), CELLS, held) == (
            len(pairs) <= most or not held
        )


@pytest.mark.parametrize("limit", [("team(c)", "user(c)", 1), ("team(c), day(c)", "true", 2),
                                   ("user(c)", "team(c), day(c)", 1)])  # fmt: skip
def test_the_solver_and_the_evaluator_mean_the_same(limit):
    """Of four records, for each choice of which there are, both say whether that may be."""
    domain = Domain({"user": ["p", "q"], "team": ["a", "b"], "day": "int"}, distinct=[limit])
    cells = [(u, t, d) for u in "pq" for t in "ab" for d in (1, 2)]
    world = World(domain, tuple(cells), dict(domain.enumerations))
    problem = of(domain, UNBOUNDED, by("c"))
    structure = Structure(problem)
    rng = random.Random(str(limit))
    for _ in range(25):
        some = rng.sample(cells, 4)
        numbers = [rng.randint(0, 2) for _ in some]
        pair = structure.pair(structure.edits[0])
        query = pair.query
        for cell, number in zip(some, numbers, strict=True):
            named = query.cell("a")
            values = [query.read(parse(v, domain.scope())) for v in cell[:2]]
            query.add(*map(equal, named[:2], values), named[2] == cell[2])
            query.add(pair.old(named) == number)
        held = {c: n for c, n in zip(some, numbers, strict=True) if n}
        assert (query.check() == logic.sat) == world.contains(held, domain, cells)


def test_a_refutation_that_is_handed_out_says_what_the_class_is():
    domain = Domain(
        {"user": "User", "team": "Team"}, cap=1, distinct=[("team(c)", "user(c)", 2)]
    )  # fmt: skip
    data = refute(of(domain, USER, by("team")), "top(3, eps[i])").counterexample.data
    assert "D and D' are different databases of the class" in str(standalone.confirm(data))
    (limit,) = data["domain"]["distinct"]
    assert limit[2] == ["int", 2]
    narrower = {**data["domain"], "distinct": [[*limit[:2], ["int", 1]]]}
    with pytest.raises(standalone.FailedError, match="of the class"):
        standalone.confirm({**data, "domain": narrower})


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "distinct",
    [
        [["team(c)", "user(c)", "m + 1"]],
        [["id(c)", "user(c)", "m"]],
        [["team(c)", "id(c)", "m"]],
        [["user(c)", "team(c)", "m"]],
        None,
    ],
)
def test_a_certificate_about_a_wider_class_is_rejected(distinct):
    found = derive(of(TEAMS, USER, by("team")))
    data = json.loads(as_text(certificate(found.theorems, found)))
    assert verify(data).verdict == "proved"
    del data["problem"]["domain"]["distinct"]
    if distinct is not None:
        data["problem"]["domain"]["distinct"] = distinct
    data["seal"] = seal(data)
    with pytest.raises(RejectedError):
        verify(data)
