"""The shape of specs is found to be wrong where the package jsonschema finds so, and only there."""

from __future__ import annotations

import copy
import random
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dpcomp_sym.spec.schema import schema, schema_for
from dpcomp_sym.spec.shape import misfits

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(p for p in EXAMPLES.rglob("*.toml") if p.parent.name != "claims")
STRANGE = (None, True, False, 0, 1, -1, 2.0, Fraction(3, 2), float("inf"), "", "x", [], ["x"],
           ["x", 1, {}], {}, {"x": 1}, {"name": "x"}, [{"name": "x"}, 3])  # fmt: skip


def ours(data, rules):
    return sorted(((one.path, one.keyword, one.rule) for one in misfits(data, rules)), key=str)


def theirs(data, rules):
    found = []
    for error in Draft202012Validator(rules).iter_errors(data):
        one = (tuple(error.absolute_path), error.validator, error.schema)
        if one[1] != "required" or one not in found:  # it says so for each missing word
            found.append(one)
    return sorted(found, key=str)  # it goes through sets


def places(data, path=()):
    yield path
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def changed(data, rng):
    """Return data in which some tables and lists have something more, less, or else."""
    found = copy.deepcopy(data)
    for _ in range(rng.randint(1, 3)):
        here = found
        for step in rng.choice(list(places(found))):
            here = here[step]
        value = copy.deepcopy(rng.choice(STRANGE))
        if isinstance(here, list):
            here.append(value)
        else:
            here[rng.choice(["name", "use", "index", "x"])] = value
        keys = list(here) if isinstance(here, dict) else range(len(here))
        key = rng.choice(keys)
        if rng.random() < 0.5:
            del here[key]
        else:
            here[key] = copy.deepcopy(rng.choice(STRANGE))
    return found


@pytest.mark.parametrize("name", ["spec", "uncertain", "metric"])
def test_every_rule_that_can_fail_is_described(name):
    rules = [schema(name)]
    while rules:
        rule = rules.pop()
        inner = [rule[k] for k in ("items", "if", "else", "additionalProperties") if k in rule]
        inner += rule.get("prefixItems", [])
        inner += [r for k in ("properties", "$defs") for r in rule.get(k, {}).values()]
        rules += [one for one in inner if isinstance(one, dict)]
        flat = set(rule) & {"type", "minimum", "maximum", "minLength", "minProperties"}
        assert not flat & {"minItems", "maxItems"} or "description" in rule, rule
        assert not flat or "description" in rule, rule


def test_as_jsonschema_finds_it():
    rng = random.Random(5)
    wrong = 0
    for file in FILES[::3]:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        rules = schema(schema_for(data))
        assert ours(data, rules) == theirs(data, rules) == []
        for _ in range(6):
            other = changed(data, rng)
            found = ours(other, rules)
            wrong += bool(found)
            assert found == theirs(other, rules), other
    assert wrong
