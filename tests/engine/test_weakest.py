"""The weakest conditions: exact sentences, and agreement with exhaustive search."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest
import sympy as sp

from dpcomp_sym.engine import weakest as weakest_module
from dpcomp_sym.engine.clauses import Clause, Says, Weakest
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.explicit_databases import place
from dpcomp_sym.engine.relations import X, Y
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Refuted
from dpcomp_sym.engine.weakest import weakest_compatible, weakest_sensitive
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import Enumeration, label_worlds
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.terms import BOOL, TRUE, Term, to_text
from tests.differential.engine import LateError, budget
from tests.random_problems.generate import describe, generate

RECORDS = Domain({"id": "R"})
OWNED = Domain({"id": "R", "owner": "U"}, {"house": (["U"], "H")})
STREAM = Domain({"time": "int", "id": "R"}, symbols={"w": "w >= 1"})
FLAGGED = Domain({"id": "R", "sensitive": "bool"})
LIMITED = Domain({"id": "R", "owner": "U"}, symbols={"m": "m >= 1"}, limits=[("owner(c)", "m")])
SIZED = Domain({"id": "R"}, symbols={"N": "N >= 1"}, size=["size(D) == N"])
ORDERED = Domain({"idx": "int", "val": "V"}, cap=1, limits=[("idx(c)", 1)])

FOLLOWERS = Domain({"src": "U", "dst": "U"}, cap=1, cell="src(c) != dst(c)")
MET = "src(y) == src(x) and dst(y) == dst(x) or src(y) == dst(x) and dst(y) == src(x)"
TOGETHER = f"h(x) == h(y) for all records x, y with {MET}"
ONE_ATTRIBUTE = (
    "h(x) == h(y) for all records x, y with x != y and (owner(x) == owner(y) or id(x) == id(y))"
)
APART = f"records x, y with ({MET}) and x != y lie in no common block"

FULL = library_map("partition", name="blocks")
PARTIAL = library_map("partial_partition", name="blocks")
COVER = library_map("cover", name="blocks", m=2)
SPAN = Granularity(  # each of the two integers ends where the other says
    "span",
    [Edit({"t": "int", "s": "int"}, "t <= s and s < t + w", frame="t <= time(c) and time(c) <= s")],
)
WITHIN = "h(x) == h(y) for all records x, y with time(x) < time(y) + w and time(y) < time(x) + w"
PUPILS = Domain({"pupil": "P", "subject": "S"}, {"teacher": (["P", "S"], "T")})
CLASSES = Granularity(
    "class",
    [Edit({"t": "T", "s": "S"}, frame="teacher(pupil(c), subject(c)) == t and subject(c) == s")],
)
OF_A_CLASS = (
    "h(pupil(x)) == h(pupil(y)) for all records x, y with teacher(pupil(y), subject(y)) == "
    "teacher(pupil(x), subject(x)) and subject(y) == subject(x)"
)
CALLED_X = Granularity("two", [Edit({"x": "int"}, frame="x <= time(c) and time(c) < x + 2")])
AMOUNTS = Granularity(  # a guard that compares integers with the database
    "amounts",
    [
        Edit(
            {"x": "cell", "y": "cell", "a": "int", "b": "int"},
            "x != y and owner(x) == owner(y) and D[x] + a >= 0 and D[y] + b >= 0",
            {"x": "a", "y": "b"},
        )
    ],
)
OWNERS = library_map("partition", name="blocks", by="owner")
WINDOWS = Map("blocks", "(i-1)*L <= time(c) and time(c) < i*L", {"i": "k"}, symbols={"L": "L >= 1"})

WINDOW = Granularity("w-event", [Edit({"t": "int"}, frame="t <= time(c) and time(c) < t + w")])
MUTUAL = Granularity(  # called like a record of the condition
    "mutual",
    [
        Edit(
            {"x": "cell"},
            frame="src(c) == src(x) and dst(c) == dst(x) or src(c) == dst(x) and dst(c) == src(x)",
        )
    ],
)
POLICY = Granularity(
    "policy",
    [Edit({"x": "cell", "y": "cell"}, "D[x] >= 1 and x != y and sensitive(x)", {"x": -1, "y": 1})],
)


TABLE = Domain(
    {"row": "int", "column": "int", "val": "V"}, symbols={"R": "R >= 1", "C": "C >= 1"}, cap=1,
    cell="1 <= row(c) and row(c) <= R and 1 <= column(c) and column(c) <= C",
    limits=[("row(c), column(c)", 1)], size=["size(D) == R*C"], universe=Universe.PRODUCT,
)  # fmt: skip
ONE_PLACE = Granularity(
    "cell", [Edit({"r": "int", "s": "int"}, frame="row(c) == r and column(c) == s")]
)
ITEMS = Domain({"owner": "U", "item": "I"}, universe=Universe.PRODUCT)
EXCHANGE = Granularity(
    "exchange",
    [
        Edit(
            {"x": "cell", "y": "cell", "u": "cell", "v": "cell"},
            "D[x] >= 1 and D[y] >= 1 and owner(x) != owner(y) and item(x) != item(y) and "
            "u == replace(x, item, item(y)) and v == replace(y, item, item(x))",
            {"x": -1, "y": -1, "u": 1, "v": 1},
        )
    ],
)
EXCHANGED = (
    "owner(x) != owner(y) and item(x) != item(y) and u == (owner(x), item(y)) and "
    "v == (owner(y), item(x))"
)
WEEKS = Granularity("weeks", [Edit({"t": "int"}, frame="2*t <= time(c) and time(c) < 2*(t + w)")])
SAME_WEEKS = "2*t <= time(x) and time(x) < 2*(t + w) and 2*t <= time(y) and time(y) < 2*(t + w)"


def use(name, **arguments):
    return library_granularity(name, **arguments)


def weakest(domain, granularity, mapping, inner=None, setting="separate"):
    problem = Problem(
        domain, granularity, [mapping], [Part("p", mapping.name, inner, setting=setting)]
    )
    found = conditions(Structure(problem))
    return [c.weakest for n in ("compatibility", "sensitivity", "commutes") if (c := found.get(n))]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "granularity", "mapping", "inner", "expected"),
    [
        (RECORDS, use("unbounded"), FULL, None, [None, None, None]),
        (RECORDS, use("bounded"), FULL, None, ["h is constant"] * 3),
        (
            RECORDS, use("bounded"), PARTIAL, None,
            ["h uses at most one label", *["all records lie in the same blocks"] * 2],
        ),
        (
            RECORDS, use("bounded"), FULL, use("unbounded"),
            [
                "h is constant", "each block holds at most one record",
                "h is constant and each block holds at most one record",
            ],
        ),
        (RECORDS, use("unbounded_or_bounded"), FULL, None,
         ["h is constant", None, "h is constant"]),
        (RECORDS, use("unbounded"), COVER, None,
         ["no record lies in two blocks", None, "no record lies in two blocks"]),
        (SIZED, use("bounded"), FULL, None, ["h is constant"] * 3),
        (
            OWNED, use("user", owner="owner"), PARTIAL, None,
            ["h is constant on each owner's labelled records", None,
             "h is constant on each owner's labelled records"],
        ),
        (
            OWNED, use("user", owner="house(owner(c))"), FULL, None,
            ["h is constant on the records with the same house(owner)", None,
             "h is constant on the records with the same house(owner)"],
        ),
        (
            OWNED, use("user", owner="owner"), PARTIAL, use("unbounded"),
            ["h is constant on each owner's labelled records", *["no record lies in a block"] * 2],
        ),
        (
            OWNED, use("attribute"), FULL, use("user", owner="owner"),
            [ONE_ATTRIBUTE, "of each id's records each block holds at most one",
             f"{ONE_ATTRIBUTE} and of each id's records each block holds at most one"],
        ),
        (
            LIMITED, use("user_presence", owner="owner"), FULL, None,
            ["h(x) == h(y) for all records x, y with m >= 2 and owner(x) == owner(y)", None,
             "h(x) == h(y) for all records x, y with m >= 2 and owner(x) == owner(y)"],
        ),
        (
            ORDERED, use("ordered_bounded", position="idx"), FULL, None,
            ["h is constant on the records with the same idx",
             *["the records with the same idx lie in the same blocks"] * 2],
        ),
        (
            STREAM, WINDOW, WINDOWS, None,
            ["records x, y with abs(time(x) - time(y)) < w lie in no two different blocks", None,
             "records x, y with abs(time(x) - time(y)) < w lie in no two different blocks"],
        ),
        (
            FOLLOWERS, MUTUAL, FULL, use("unbounded"),
            [TOGETHER, APART,
             f"{TOGETHER} and {APART}"],
        ),
        (
            FLAGGED, POLICY, FULL, None,
            ["h(x) == h(y) for all records x, y with x != y and sensitive(x)",
             *["records x, y with x != y and sensitive(x) lie in the same blocks"] * 2],
        ),
        (
            STREAM, SPAN, FULL, None, [WITHIN, None, WITHIN],
        ),
        (
            PUPILS, CLASSES, library_map("partition", name="blocks", by="pupil"), None,
            [OF_A_CLASS, None, OF_A_CLASS],
        ),
        (
            STREAM, CALLED_X, FULL, None,
            ["h(x) == h(y) for all records x, y with abs(time(x) - time(y)) < 2", None,
             "h(x) == h(y) for all records x, y with abs(time(x) - time(y)) < 2"],
        ),
        # What the parameters of the edit are is part of the condition where it cannot be left out.
        (
            STREAM, WEEKS, PARTIAL, None,
            [f"h(x) == h(y) for all labelled records x, y and every t with {SAME_WEEKS}", None,
             f"h(x) == h(y) for all labelled records x, y and every t with {SAME_WEEKS}"],
        ),
        (
            ITEMS, EXCHANGE, OWNERS, None,
            [f"h(owner(x)) == h(owner(y)) for all records x, y, u, v with {EXCHANGED}",
             *[f"records x, y with {EXCHANGED} for some u, v lie in the same blocks"] * 2],
        ),
    ],
)  # fmt: skip
def test_the_sentence(domain, granularity, mapping, inner, expected):
    assert weakest(domain, granularity, mapping, inner) == expected


def test_on_the_common_domain_the_bound_needs_c1_alone():
    found = weakest(RECORDS, use("bounded"), PARTIAL, setting="common")
    assert found == ["h uses at most one label", "h uses at most one label"]


@pytest.mark.parametrize(
    ("domain", "outer", "inner", "expected"),
    [
        (RECORDS, use("bounded"), use("unbounded"), "each block holds at most one record"),
        (OWNED, use("user", owner="owner"), use("unbounded"), "no record lies in a block"),
        # What is replaced may be hidden, so that one edit is enough wherever it is.
        (OWNED, use("attribute"), use("bounded"), None),
    ],
)
def test_distances_of_a_pushforward_have_weakest_conditions(domain, outer, inner, expected):
    assert weakest(domain, outer, PARTIAL, inner, setting="common")[1] == expected


def test_latex_says_the_same():
    problem = Problem(OWNED, use("user", owner="owner"), [PARTIAL], [Part("p", "blocks")])
    found = conditions(Structure(problem))["compatibility"]
    assert found.weakest_latex == (
        r"\forall x, y \in \mathcal{X}\colon\, h(x), h(y) \in [k] \land "
        r"\mathrm{owner}(x) = \mathrm{owner}(y) \Rightarrow h(x) = h(y)"
    )
    assert found.as_json({"blocks": problem.bound_maps["blocks"]})["weakest"] == found.weakest


def test_amounts_are_chosen_where_no_attribute_gives_them():
    problem = Problem(OWNED, AMOUNTS, [FULL], [Part("p", "blocks")])
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert found.text == "h is constant on each owner's records"


def test_records_are_called_as_nothing_else():
    """An attribute x leaves x(u) and x(v), not x(x)."""
    domain = Domain({"x": "X", "y": "Y"})
    problem = Problem(domain, use("user", owner="x"), [PARTIAL], [Part("p", "blocks")])
    weakest = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert weakest.text == "h is constant on each x's labelled records"
    assert r"\forall u, v \in \mathcal{X}" in weakest.latex
    assert "x(u) = x(v)" in weakest.latex or "x(v) = x(u)" in weakest.latex
    assert {"u", "v"} <= {str(s) for s in weakest.sympy().atoms(sp.Symbol)}


def test_latex_names_the_parameters():
    problem = Problem(STREAM, WEEKS, [FULL], [Part("p", "blocks")])
    found = conditions(Structure(problem))["compatibility"].weakest_latex
    assert found.startswith(r"\forall x, y \in \mathcal{X},\, t \in \mathbb{Z}\colon\, ")
    assert found.endswith(r"\Rightarrow h(x) = h(y)")


def test_without_a_readable_condition_the_reason_is_told():
    shift = Granularity(  # its step looks at other records than the two that a proof writes down
        "shift",
        [
            Edit(
                {"x": "cell"},
                frame="idx(c) >= idx(x)",
                step="new == D[replace(c, idx, idx(c) - 1)]",
            )
        ],
    )
    problem = Problem(ORDERED, shift, [FULL], [Part("p", "blocks")])
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert found == "no readable condition was proved sufficient and necessary for edit 1"


@pytest.mark.parametrize(
    ("domain", "edit"),
    [
        # Whether there is a third record is not for the labels to say.
        (
            OWNED,
            Edit(
                {"x": "cell", "y": "cell", "z": "cell"},
                "owner(x) == owner(y) and x != y and id(z) == id(x) and z != x and z != y",
                {"x": 1, "y": 1, "z": 0},
            ),
        ),
        # All records of a row are exchanged, of which a proof writes down two.
        (TABLE, Edit({"r": "int"}, frame="row(c) == r", step="old + new != 2")),
        # A third record of an owner would have to be there, too, and is one too many.
        (
            replace(OWNED, limits=[("owner(c)", 2)]),
            Edit({"u": "U"}, frame="owner(c) == u", step="D[c] >= 1"),
        ),
    ],
)
def test_what_two_records_alone_do_not_show(domain, edit):
    problem = Problem(domain, Granularity("own", [edit]), [FULL], [Part("p", "blocks")])
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert found == "no readable condition was proved sufficient and necessary for edit 1"


def test_two_edits_that_call_different_things_alike():
    edits = [*WEEKS.edits, Edit({"t": "R"}, frame="id(c) == t")]
    problem = Problem(STREAM, Granularity("two", edits), [FULL], [Part("p", "blocks")])
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert found.text == (
        f"h(x) == h(y) for all records x, y and every t with {SAME_WEEKS} and "
        "h is constant on each id's records"
    )


# ------------------------------------------------------------------ tables

OF_A_ROW = "the records with the same row"
AT_A_PLACE = "row(y) == row(x) and column(y) == column(x)"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("granularity", "mapping", "inner", "expected"),
    [
        (use("user", owner="row"), FULL, None, [f"h is constant on {OF_A_ROW}", None]),
        (
            use("user", owner="column"), PARTIAL, use("unbounded"),
            [
                "h is constant on the labelled records with the same column",
                "of the records with the same column each block holds at most one",
            ],
        ),
        (
            use("user", owner="row"), COVER, use("unbounded"),
            [f"{OF_A_ROW} lie in at most one block", f"of {OF_A_ROW} each block holds at most one"],
        ),
        (
            ONE_PLACE, FULL, use("unbounded"),
            [
                f"h(x) == h(y) for all records x, y with {AT_A_PLACE}",
                f"records x, y with {AT_A_PLACE} and x != y lie in no common block",
            ],
        ),
    ],
)  # fmt: skip
def test_tables_where_every_place_has_a_record(granularity, mapping, inner, expected):
    problem = Problem(TABLE, granularity, [mapping], [Part("p", "blocks", inner)])
    conditions_found = list(refuted(problem))
    said = [found.text for _, _, found in conditions_found]
    assert said == [text for text in expected if text]
    for rows, columns in ((1, 2), (2, 1), (2, 2)):
        places = itertools.product(range(1, rows + 1), range(1, columns + 1), ("a", "b"))
        world = World(
            TABLE, tuple(places), {"V": ("a", "b")}, symbols={"R": rows, "C": columns, "k": 2}
        )
        wrong, seen = differences(problem, [], conditions_found, worlds=[(world, 1)])
        assert not wrong
        assert seen[False] > 0


@pytest.mark.parametrize(
    "change",
    [
        {"universe": Universe.ANY},  # a place may have one record to choose
        {"size": ["size(D) <= R*C"]},
        {"size": ["size(D) == R"]},  # some places are empty
        {"size": ["size(D) == R*C", "size(D) <= 5"]},
        {"limits": [("row(c), column(c)", 2)]},
        {"limits": [("row(c), column(c)", 1), ("val(c)", 3)]},
        {"limits": [("row(c)", 1)], "size": ["size(D) == R"]},  # a column may have no value
        {"cell": "1 <= row(c) and row(c) <= column(c) and 1 <= column(c) and column(c) <= C"},
        {"limits": [("row(c) + 1, column(c)", 1)]},
        # A function has as many values as it likes.
        {"cell": "true", "limits": [("f(val(c))", 1)], "size": ["size(D) == 1"]},
        {
            "cell": "1 <= row(c) and row(c) <= R", "limits": [("row(c), f(val(c))", 1)],
            "size": ["size(D) == R"],
        },
        {"cell": "1 <= row(c) and row(c) <= R and 1 <= column(c)"},
        {"cell": f"{TABLE.cell} and implies(row(c) == 1, column(c) == 1)"},
    ],
)  # fmt: skip
def test_what_is_no_full_table_is_not_taken_for_one(change):
    problem = Problem(
        replace(TABLE, functions={"f": (["V"], "int")}, **change), use("user", owner="row"),
        [FULL], [Part("p", "blocks")],
    )  # fmt: skip
    assert place(Structure(problem)) is None


def test_a_table_whose_intervals_start_elsewhere():
    table = replace(
        TABLE, size=["size(D) == R*(C + 3)"],
        cell="1 <= row(c) and row(c) <= R and -2 <= column(c) and column(c) <= C",
    )  # fmt: skip
    problem = Problem(table, use("user", owner="row"), [FULL], [Part("p", "blocks")])
    assert to_text(place(Structure(problem))) == "(row(c), column(c))"


# ------------------------------------------------------------------ against exhaustive search


def refuted(problem):
    """Yield (map, part or None, weakest condition) for what is refuted of a problem."""
    structure = Structure(problem)
    for mapping in problem.used_maps.values():
        if mapping.indices and not mapping.constant:
            said = structure.compatible(mapping)
            if isinstance(said, Refuted):
                world = said.counterexample.world
                yield mapping, None, weakest_compatible(structure, mapping, world)
    for part in problem.bound_parts:
        if part.setting == "separate" or not part.same_granularity:
            said = structure.sensitivity(part)
            if isinstance(said, Refuted):
                world = said.counterexample.world
                yield part.map, part, weakest_sensitive(structure, part, world)


def differences(problem, scopes, conditions_found=None, worlds=()):
    """Return where a condition and exhaustive search differ, and how often each was true.

    A condition that holds must be right in every world.  One that fails must be right where
    cells hold enough records for the databases of the proof, 4 in each.  In the ``worlds``, given
    with how many a cell holds, it must be right either way.
    """
    wrong, seen = [], {True: 0, False: 0}
    for mapping, part, found in conditions_found or refuted(problem):
        if not isinstance(found, Weakest):
            continue
        sampled = [
            (world, bound, bound >= 4)
            for number, (cells, most) in enumerate(scopes)
            if (world := sample_world(problem, number, cells)) is not None
            for bound in [most if len(world.cells) <= cells else 1]
        ]
        for world, bound, exact in [*sampled, *((w, most, True) for w, most in worlds)]:
            enumeration = Enumeration(problem, world, bound)
            for labelled in label_worlds(world, list(problem.used_maps.values()), 24):
                holds = found.holds(labelled)
                worst = (
                    enumeration.most_changed(mapping, [labelled])
                    if part is None
                    else enumeration.farthest(part, [labelled])
                )
                true = worst is None or worst.value <= 1
                seen[true] += 1
                if holds != true and (holds or exact):
                    wrong.append(f"{found.text}: {holds}, but {true} in {labelled}")
    return wrong, seen


def compare(seeds, scopes):
    total = {True: 0, False: 0}
    for seed in seeds:
        problem = generate(seed)
        try:
            with budget(300):
                wrong, seen = differences(problem, scopes)
        except LateError:
            continue
        assert not wrong, "\n".join([describe(problem), *wrong])
        total = {k: n + seen[k] for k, n in total.items()}
    return total


@pytest.mark.in_turn
def test_random_problems_agree_with_exhaustive_search():
    total = compare(range(16), [(3, 1), (3, 2), (2, 4)])
    assert min(total.values()) >= 50  # both answers occur often


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1600, 50))
def test_many_random_problems_agree_with_exhaustive_search(first):
    total = compare(range(first, first + 50), [(4, 1), (3, 2), (2, 4), (3, 4)])
    assert min(total.values()) >= 50


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "granularity", "mapping", "inner", "setting"),
    [
        (RECORDS, use("bounded"), PARTIAL, None, "separate"),
        (RECORDS, use("bounded"), COVER, use("unbounded"), "separate"),
        (OWNED, use("user", owner="owner"), PARTIAL, None, "separate"),
        (OWNED, use("attribute"), FULL, use("user", owner="owner"), "separate"),
        (STREAM, WINDOW, WINDOWS, None, "separate"),
        (FLAGGED, POLICY, FULL, None, "separate"),
        (RECORDS, use("bounded"), PARTIAL, use("unbounded"), "common"),
        (RECORDS, use("bounded"), COVER, use("unbounded"), "common"),
        (OWNED, use("attribute"), PARTIAL, use("unbounded"), "common"),
        (FLAGGED, POLICY, PARTIAL, use("unbounded"), "common"),
        (STREAM, WEEKS, PARTIAL, None, "separate"),
        (ITEMS, EXCHANGE, OWNERS, None, "separate"),
    ],
)
def test_every_labelling_of_a_small_world(domain, granularity, mapping, inner, setting):
    problem = Problem(
        domain, granularity, [mapping], [Part("p", "blocks", inner, setting=setting)]
    )  # fmt: skip
    wrong, seen = differences(problem, [(3, 1)] * 8 + [(2, 4)] * 4)
    assert not wrong
    assert min(seen.values()) >= 1


def test_the_comparison_notices_a_wrong_condition():
    problem = Problem(RECORDS, use("bounded"), [PARTIAL], [Part("p", "blocks")])
    mapping = problem.bound_maps["blocks"]
    for says in (Says.APART, Says.OUTSIDE):  # the one does not suffice, the other asks too much
        claimed = Weakest(mapping, (Clause(Term("ne", (X, Y), BOOL), says),))
        wrong, _ = differences(problem, [(2, 4)] * 4, [(mapping, None, claimed)])
        assert wrong


ITEMS = Domain({"owner": "U", "item": "V"})
SWAP = Granularity(
    "swap",
    [
        Edit(
            {"x": "cell", "y": "cell", "u": "cell", "v": "cell"},
            change={"x": -1, "y": -1, "u": 1, "v": 1},
            guard="D[x] >= 1 and D[y] >= 1 and owner(x) != owner(y) and item(x) != item(y) and "
            "u == replace(x, item, item(y)) and v == replace(y, item, item(x))",
        )
    ],
)


def test_what_the_first_clause_implies_is_not_asked_of_all_clauses(monkeypatch):
    asked, implied = [], weakest_module._implied

    def counted(structure, mapping, assumed, clause):
        asked.append(len(assumed))
        return implied(structure, mapping, assumed, clause)

    monkeypatch.setattr(weakest_module, "_implied", counted)
    mapping = library_map("partition", name="blocks", by="owner")
    problem = Problem(ITEMS, SWAP, [mapping], [Part("p", "blocks", setting="common")])
    found = weakest_compatible(Structure(problem), problem.bound_maps["blocks"])
    assert isinstance(found, Weakest)
    assert len(found.clauses) == 1
    assert max(asked) == 1


def test_of_two_cells_a_clause_is_written_once_and_of_new_ones_later(monkeypatch):
    written, broken = Counter(), weakest_module._broken

    def noted(pair, mapping, clause, cells, blocks):
        written[tuple(map(str, itertools.chain(*cells)))] += 1
        return broken(pair, mapping, clause, cells, blocks)

    monkeypatch.setattr(weakest_module, "_broken", noted)
    problem = Problem(ITEMS, SWAP, [FULL], [Part("p", "blocks", setting="common")])
    structure, mapping = Structure(problem), problem.bound_maps["blocks"]
    pair = structure.pair(structure.edits[0])
    blocks = structure.different(pair, mapping, 2)
    weakest_module._assume(pair, mapping, [Clause(TRUE, Says.TOGETHER)], blocks)
    for cells in (4, 5):
        pair.query.check()
        assert set(written.values()) == {1}
        assert len(written) == cells**2
        pair.query.cell("z")
