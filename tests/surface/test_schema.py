"""What commands print with ``--json`` follows the published schema, and the schema says enough."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import dpcomp_sym as dp
from dpcomp_sym.surface.schemas import result_schema
from tests.command import dpcomp

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RANDOM = sorted((EXAMPLES / "uncertain").glob("*.toml"))
DERIVED = ("ambulances", "bounded-partition", "own-granularity", "mixed-notions",
           "membership/hospitals-bounded", "membership/uninformed", "stream-w-event-days",
           "fixed-size-unbounded", "values-in-steps")  # fmt: skip


def complaints(document, command):
    found = Draft202012Validator(result_schema(command)).iter_errors(json.loads(document))
    return [f"{list(error.path)}: {error.message[:200]}" for error in found]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(result_schema())
    printed = dpcomp("schema", "derive")
    assert json.loads(printed.stdout) == result_schema("derive")
    assert json.loads(dpcomp("schema").stdout) == result_schema()
    assert "granularity" in json.loads(dpcomp("schema", "--spec").stdout)["properties"]
    wrong = dpcomp("schema", "derives")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean 'derive'" in wrong.stderr


@pytest.mark.in_turn
@pytest.mark.parametrize("name", DERIVED)
def test_derivations_follow_it(name, derived):
    assert complaints(json.dumps(derived(name).as_json()), "derive") == []


@pytest.mark.in_turn
@pytest.mark.parametrize("place", RANDOM, ids=lambda p: p.stem)
def test_random_data_follow_it(place):
    found = dp.load(place).derive()
    assert complaints(json.dumps(found.as_json()), "derive") == []


AMBULANCES = str(EXAMPLES / "ambulances.toml")
PARTITION = str(EXAMPLES / "bounded-partition.toml")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "words",
    [
        ("derive", AMBULANCES, "--set", "k=5", "--set", "eps=[1,2,3,4,5]", "--set", "delta=1/1000"),
        ("derive", AMBULANCES, "--set", "k=3", "--set", "eps=1", "--theorems"),
        ("derive", AMBULANCES, "--set", "k=3", "--set", "rho=1", "--at-delta", "1/100"),
        ("derive", AMBULANCES, "--time", "0.001"),
        ("check", PARTITION),
        ("refute", AMBULANCES, "--claim", "max(eps[i])"),
        ("refute", AMBULANCES, "--claim", "sum(eps[i])"),
        ("refute", PARTITION, "--claim", "changed(blocks) <= 1"),
        ("relate", PARTITION, "--granularity", "bounded"),
        ("theorems", "show", "GB24.IV.13"),
        ("theorems", "list"),
        ("stability", str(EXAMPLES / "foreign" / "proved.py")),
        ("atlas", "--granularity", "bounded", "--map", "partition", "--jobs", "1"),
    ],
    ids=lambda words: " ".join(Path(w).stem for w in words),
)
def test_commands_follow_it(words, tmp_path):
    cache = ("--cache", str(tmp_path / "cache")) if words[0] == "atlas" else ()
    assert complaints(dpcomp(*words, *cache, "--json").stdout, words[0]) == []


def test_certificates_follow_it(tmp_path):
    place, spec = str(tmp_path / "one.json"), str(EXAMPLES / "label-dp.toml")
    assert dpcomp("derive", spec, "--certificate", place).returncode == 0
    for more in ((), (spec,), (AMBULANCES,)):
        assert complaints(dpcomp("verify", place, *more, "--json").stdout, "verify") == []
    data = json.loads(Path(place).read_text(encoding="utf-8"))
    data["verdict"] = "refuted"
    Path(place).write_text(json.dumps(data), encoding="utf-8")
    done = dpcomp("verify", place, "--json")
    assert done.returncode == 1
    assert complaints(done.stdout, "verify") == []


def test_what_is_missing_or_more_is_noticed(derived):
    good = json.loads(json.dumps(derived("ambulances").as_json()))
    assert complaints(json.dumps(good), "derive") == []
    for change in (
        lambda d: d.pop("bounds"),
        lambda d: d.update(verdict="perhaps"),
        lambda d: d.update(more=1),
        lambda d: d["bounds"][0].pop("tight"),
        lambda d: d["bounds"][0].update(value="much"),
        lambda d: d["trace"][0].update(uses=["one"]),
        lambda d: next(iter(d["conditions"].values())).pop("statement"),
    ):
        bad = copy.deepcopy(good)
        change(bad)
        assert complaints(json.dumps(bad), "derive") != []
