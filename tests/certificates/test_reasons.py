"""Each structural fact of a certificate says by which argument it holds, and that is used."""

from __future__ import annotations

import json

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.engine.trail import Trail
from dpcomp_sym.replay import RejectedError, replay
from dpcomp_sym.smt import ViewDistance

NAMES = (
    "ambulances", "foreign-keys", "listed-second-granularity", "own-granularity", "person-days",
    "rows-of-two-tables", "sliding-windows-events", "stream-user-windows", "user-teams-and-records",
    "users-in-teams", "values-in-steps", "visits-by-hospital",
)  # fmt: skip
"""They have each kind of argument that examples have."""


def facts(library, name):
    """Yield the structural facts of a certificate, each with its reason, and a checker for them."""
    data = json.loads(json.dumps(library.certificate(name)))
    check = Recheck(library.derivation(name).problem)
    leaves = [leaf for leaf in replay(data).leaves if leaf.kind != "given"]
    for row, leaf in zip(data["evidence"], leaves, strict=True):
        yield check, leaf.statement, row["reason"]


def choices(reason):
    yield reason
    for inner in reason["by"]:
        yield from choices(inner)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_facts_hold_by_their_reasons_without_a_search(library, monkeypatch, name):
    found = list(facts(library, name))
    monkeypatch.setattr(ViewDistance, "at_most", None)
    for check, statement, reason in found:
        assert reason["is"] is not None
        check.fact(statement, reason)


def test_paths_are_said_in_terms_of_the_edit(library):
    said = [
        one["is"]
        for _, _, reason in facts(library, "own-granularity")
        for one in choices(reason) if one["choice"] == "one of the paths"
    ]  # fmt: skip
    cells = {name: ["var", "cell", name] for name in "xy"}
    assert [[{"edit": 2, "with": cells}]] in said


def test_limits_distances_and_functions_are_named(library):
    names = ("stream-w-event-days", "user-teams-and-records", "values-in-steps")
    said = [
        (one["choice"], one["is"])
        for name in names for _, _, reason in facts(library, name) for one in choices(reason)
    ]  # fmt: skip
    for choice in [
        ("what is near", "day(c)"), ("less apart than", "w"), ("along", "salary"),
        ("records by a limit", "1 times r with the same user(c), team(c)"),
        ("how", "limited: team(c) for each user(c)"),
    ]:  # fmt: skip
        assert choice in said, choice


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_other_reasons_are_rejected(library, name):
    tried = 0
    for check, statement, reason in facts(library, name):
        for one in list(choices(reason)):
            for key, other in [("choice", "?"), ("is", "?"), ("is", [[]]), ("by", [{}])]:
                kept, one[key] = one[key], other
                changed = json.loads(json.dumps(reason))
                one[key] = kept
                with pytest.raises((RejectedError, LookupError, TypeError, ValueError)):
                    check.fact(statement, changed)
                tried += 1
    assert tried


def test_a_path_must_be_one(library):
    """Steps with parameters of other sorts, and edits that are not there, are no paths."""
    for check, statement, reason in facts(library, "own-granularity"):
        for one in choices(reason):
            if one["choice"] != "one of the paths":
                continue
            (step,), *_ = kept = one["is"]
            name, word = next(iter(step["with"].items()))
            for other in [
                [], [[]], [[step, step]], [[{**step, "edit": 3}]], [[{**step, "edit": 0}]],
                [[{**step, "with": {}}]], [[{**step, "with": {**step["with"], name: None}}]],
                [[{**step, "with": {**step["with"], name: ["int", "int", 1]}}]],
                [[{**step, "with": {**step["with"], name: [*word[:2], "z"]}}]],
            ]:  # fmt: skip
                one["is"] = other
                with pytest.raises((RejectedError, LookupError, TypeError, ValueError)):
                    check.fact(statement, reason)
            one["is"] = kept


def test_a_choice_that_is_left_out_is_noticed_though_another_way_leads_on():
    given = [{"choice": "a way", "is": "long", "by": []}]
    trail = Trail(given)

    def long(_way):
        trail.first("a short cut", ("here",), bool)
        return True

    assert trail.first("a way", ("long",), long) is None
    assert trail.choices != given
