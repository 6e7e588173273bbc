"""Properties of neighbours, proved or refuted, and never against plain enumeration."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from dpcomp_sym.engine.properties import _enumerated, examine, read_property
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Checked, Proved, Refuted, Vacuous
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.model import (
    Domain,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.model.granularity import Edit
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import CELL, evaluate, parse
from tests.random_problems.generate import describe, generate
from tests.shares import shared

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def verdict(example: str, claim: str) -> str:
    return examine(load_spec(EXAMPLES / f"{example}.toml").problem, claim).verdict


@pytest.mark.parametrize(
    ("example", "claim", "expected"),
    [
        ("ambulances", "changed(hospitals) <= 3", "proved"),
        ("ambulances", "changed(hospitals) <= 2", "refuted"),
        ("w-event-each-step", "changed(steps) <= w", "proved"),
        ("levels-and-nodes", "changed(levels) <= h", "proved"),
        ("levels-and-nodes", "changed(levels) <= k", "refuted"),
        ("sliding-windows-records", "changed(windows) <= r*L", "proved"),
        ("devices-of-users", "changed(cells) <= 2*m*k", "proved"),
        ("devices-of-users", "changed(cells) <= 2*m", "refuted"),
        ("devices-of-users", "changed(cells) <= k", "refuted"),
        ("devices-of-users", "changed(cells) <= 2*m*h", "refuted"),
        ("sliding-windows-records", "changed(windows) <= L", "refuted"),
        ("sliding-windows-events", "changed(windows) <= 3", "proved"),
        ("sliding-windows-events", "changed(windows) <= 2", "refuted"),
        ("hierarchy-paths", "changed(pairs) <= 1", "proved"),
        ("ambulances", "distance(counts) <= 1", "proved"),
        ("bounded-partition", "l2(blocks) <= sqrt(2)", "proved"),
        ("ambulances", "size(E) <= size(D) + 1", "proved"),
        ("ambulances", "size(E) <= size(D)", "refuted"),
        ("bounded-partition-unbounded-parts", "distance(counts) <= 1", "refuted"),
        ("bounded-partition-unbounded-parts", "distance(counts) <= 2", "proved"),
        ("user-level-record-partition", "changed(blocks) <= 2", "refuted"),
        ("fixed-size-unbounded", "size(E) == size(D)", "vacuous"),
        ("fixed-size-unbounded", "distance(counts) <= 7", "vacuous"),
        ("fixed-size-unbounded", "distance(counts) <= N", "vacuous"),
        ("fixed-size-unbounded", "changed(blocks) <= N + 1", "vacuous"),
        ("free-lunch-identity", "E[x] == D[x]", "refuted"),
    ],
)
def test_examples(example, claim, expected):
    assert verdict(example, claim) == expected


def test_symbols_that_a_claim_does_not_name_are_tried_last():
    """Three others come before k and m in the alphabet."""
    domain = Domain(
        {"user": "User", "device": "int", "day": "int"},
        symbols=dict.fromkeys(("a", "b", "d", "m"), "true") | {"m": "m >= 1"},
        distinct=[("device(c)", "user(c)", "m")],
    )
    cells = Map("cells", "device(c) == i and day(c) == j", {"i": "h", "j": "k"})
    user = library_granularity("user", owner="user")
    problem = Problem(domain, user, [cells], [Part("counts", "cells")])
    assert examine(problem, "changed(cells) <= m*k").verdict == "refuted"


@pytest.mark.parametrize(
    ("claim", "statement"),
    [
        ("changed(hospitals) <= 1", "neighbours change at most 1 block of hospitals"),
        ("changed(hospitals) <= 3", "neighbours change at most 3 blocks of hospitals"),
        (
            "distance(counts) <= 1",
            "counts sees neighbours at distance at most 1 in its own class",
        ),
        (
            "l1(hospitals) <= 3",
            "l1(hospitals) <= 3 for the change of what hospitals hands on, between neighbours",
        ),
        (
            "size(E) <= size(D)",
            "all neighbours D and D' satisfy size(E) <= size(D), where E stands for D'",
        ),
    ],
)
def test_what_is_claimed_is_said(claim, statement):
    found = read_property(claim, load_spec(EXAMPLES / "ambulances.toml").problem)
    assert found is not None
    assert found.statement == statement


def test_what_was_looked_at_is_said():
    """Each world has one record, up to twice: two steps, there and back."""
    problem = Problem(
        Domain({"id": ["a"]}), library_granularity("unbounded"), [library_map("identity")],
        [Part("all", "identity")],
    )  # fmt: skip
    outcome = _enumerated(Structure(problem), lambda *_: True)
    assert outcome == Checked(
        "all 96 pairs of neighbours in 24 random worlds: at most 1 records, "
        "at most 2 copies of each"
    )


def test_the_largest_world_that_was_looked_at_is_said():
    structure = Structure(load_spec(EXAMPLES / "unbounded-partition.toml").problem)
    outcome = _enumerated(structure, lambda *_: True)
    assert isinstance(outcome, Checked)
    assert "in 24 random worlds: at most 3 records, at most 2 copies" in outcome.scope


def test_the_smallest_pair_that_changes_three_blocks():
    spec = load_spec(EXAMPLES / "user-level-record-partition.toml")
    outcome = examine(spec.problem, "changed(blocks) <= 2").outcome
    assert isinstance(outcome, Refuted)
    example = outcome.counterexample
    assert len(example.blocks) == 3
    assert sum(example.old.values()) + sum(example.new.values()) == 3
    assert example.world.symbols["k"] == 3


def test_what_one_edit_can_do_in_one_direction_only():
    """Records only ever appear, so that the other order is not a neighbour."""
    growing = Granularity("growing", [Edit({"x": "cell"}, change={"x": "1"})], directed=True)
    problem = Problem(
        Domain({"id": "Record"}), growing, [library_map("identity")], [Part("all", "identity")]
    )
    assert isinstance(examine(problem, "size(E) > size(D)").outcome, Proved)
    assert isinstance(examine(problem, "E[x] >= D[x]").outcome, Proved)
    outcome = examine(problem, "E[x] <= D[x]").outcome
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.old == {}
    assert list(outcome.counterexample.new.values()) == [1]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("changed(block) <= 2", r"no map 'block' that is read: did you mean 'blocks'"),
        ("distance(blocks) <= 2", r"no part 'blocks'"),
        ("changed(blocks) < 2", r"write changed\(MAP\) <= n"),
        ("D[q] <= 1", r"unknown name 'q'"),
        ("size(D)", r"truth value|bool"),
        ("3 <= 4", r"contains neither D, E"),
    ],
)
def test_what_is_no_property(claim, message):
    with pytest.raises(InputError, match=message):
        verdict("bounded-partition", claim)


FORMULAS = (
    "size(D) == size(E)",
    "size(E) <= size(D) + 1",
    "E[x] <= D[x] + 1",
    "E[x] <= 1 or D[x] >= 1",
    "implies(x != y and D[x] != E[x], D[y] == E[y])",
)


@pytest.mark.parametrize(
    "seeds", shared(1, [range(70_000, 70_008), range(70_008, 70_060)]), ids=str
)
def test_never_against_enumeration(seeds):
    """What is proved, or checked, holds for all neighbours of a small world."""
    found: Counter[str] = Counter()
    for seed, text in itertools.product(seeds, FORMULAS):
        problem = generate(seed)
        world = sample_world(problem, seed, 3)
        if world is None or len(world.cells) > 4:
            continue
        try:
            outcome = examine(problem, text).outcome
        except InputError:  # an edit that can do nothing, say
            continue
        found[type(outcome).__name__] += 1
        scope = problem.domain.scope().having({"x": CELL, "y": CELL}, databases=("D", "E"))
        formula = parse(text, scope)
        graph = EditGraph(world, problem.outer, world.cells, 1)
        fails = [
            (old, new)
            for old, new in graph.pairs()
            for x, y in itertools.product(world.cells, repeat=2)
            if not evaluate(
                formula,
                world.environment(
                    variables={"x": x, "y": y},
                    databases={"D": graph.database(old), "E": graph.database(new)},
                ),
            )
        ]
        if isinstance(outcome, Proved | Vacuous):
            assert not fails, f"{text}\n{describe(problem)}\n{fails[0]}"
        assert not isinstance(outcome, Checked) or outcome.scope
        if isinstance(outcome, Refuted):
            shown = outcome.counterexample
            databases = {"D": shown.old, "E": shown.new}
            assert not all(
                evaluate(formula, shown.world.environment(
                    variables={"x": x, "y": y}, databases=databases
                ))
                for x, y in itertools.product(shown.world.cells, repeat=2)
            )  # fmt: skip
    assert found["Proved"] >= len(seeds) // 2
    assert found["Refuted"] >= len(seeds) // 2


@pytest.mark.parametrize("claim", [
    "size(D) <= 2 and size(E) <= 0", "size(E) <= 2 and size(D) <= 0",
])  # fmt: skip
def test_the_smallest_of_both_orders_is_shown(claim):
    """In the other order there must be three records."""
    outcome = examine(load_spec(EXAMPLES / "unbounded-partition.toml").problem, claim).outcome
    assert isinstance(outcome, Refuted)
    example = outcome.counterexample
    assert example.reason == "the property fails"
    assert sum(example.old.values()) + sum(example.new.values()) == 1


def test_the_smallest_of_all_small_worlds_is_shown():
    """In the first world only pairs of five records and more are wrong, in the others of three."""
    structure = Structure(load_spec(EXAMPLES / "unbounded-partition.toml").problem)
    first = []

    def holds(world, old, new):
        first[:] = first or [world]
        return sum(old.values()) + sum(new.values()) < (5 if world is first[0] else 3)

    outcome = _enumerated(structure, holds)
    assert isinstance(outcome, Refuted)
    example = outcome.counterexample
    assert sum(example.old.values()) + sum(example.new.values()) == 3


USERS = Domain(
    {"id": "Record", "user": "User", "day": "int"},
    symbols={"r": "r >= 1", "T": "T >= 1", "s": "s >= 0"},
    cell="1 <= day(c) and day(c) <= T", limits=[("user(c), day(c)", "r")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("changed(blocks) <= 2*r*T", "proved"),
        ("changed(blocks) <= 2*r", "refuted"),
        ("changed(blocks) <= 2*r*T*s", "refuted"),
        pytest.param("distance(counts) <= 2*r*T", "proved", marks=pytest.mark.long),
    ],
)
def test_claims_in_symbols(claim, verdict):
    given = Problem(
        USERS, library_granularity("user", owner="user"),
        [library_map("partition", name="blocks")],
        [Part("counts", "blocks", granularity=library_granularity("unbounded"))],
    )  # fmt: skip
    assert examine(given, claim).verdict == verdict


def test_claims_in_unknown_symbols_are_refused():
    given = Problem(USERS, library_granularity("unbounded"), [library_map("partition", name="b")],
                    [Part("m", "b")])  # fmt: skip
    with pytest.raises(InputError, match="known here: "):
        examine(given, "changed(b) <= 2*q")
