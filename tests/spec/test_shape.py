"""What is said at once to follow a schema follows it: asked of jsonschema, whose answers count."""

import copy
import random
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dpcomp_sym.spec.schema import schema, schema_for
from dpcomp_sym.spec.shape import follows

EXAMPLES = [
    tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[2] / "examples").rglob("*.toml"))
]
VALUES = [
    0,
    1,
    -1,
    1.0,
    0.5,
    True,
    "",
    "k",
    "eps",
    [],
    [1],
    ["a", "b"],
    {},
    {"k": 1},
    [[]],
    {"x": {}},
]


def places(value, path=()):
    """Every place in a spec."""
    yield path
    pairs = dict(enumerate(value)) if isinstance(value, list) else value
    for key, inner in pairs.items() if isinstance(pairs, dict) else ():
        yield from places(inner, (*path, key))


def changed(spec, rng):
    """A spec with another value somewhere, with a key more or less, or an item twice."""
    spec = copy.deepcopy(spec)
    path = rng.choice([p for p in places(spec) if p])
    *way, last = path
    here = spec
    for step in way:
        here = here[step]
    match rng.randrange(4):
        case 0 if isinstance(here, dict):
            here[rng.choice(["size", "name", "pure", "nothing"])] = rng.choice(VALUES)
        case 1 if isinstance(here, list):
            here.append(copy.deepcopy(here[last]))
        case 2:
            del here[last]
        case _:
            here[last] = rng.choice(VALUES)
    return spec


def test_every_example_is_sure():
    for spec in EXAMPLES:
        assert follows(spec, schema(schema_for(spec)))


def test_what_is_sure_is_right():
    rng, sure, wrong = random.Random(5), 0, 0
    rules = {name: schema(name) for name in ("spec", "metric", "uncertain")}
    judges = {name: Draft202012Validator(rule) for name, rule in rules.items()}
    for _ in range(400):
        spec = changed(rng.choice(EXAMPLES), rng)
        name = schema_for(spec)
        valid = judges[name].is_valid(spec)
        assert valid or not follows(spec, rules[name]), spec
        sure += follows(spec, rules[name])
        wrong += not valid
    assert sure > 40 < wrong


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "integer"}, {"type": ["string", "number"]}, {"minimum": 1}, {"maximum": 0},
        {"enum": ["a", "k"]}, {"enum": [1]}, {"required": ["k"]}, {"additionalProperties": False},
        {"properties": {"k": {"type": "string"}}, "additionalProperties": {"type": "object"}},
        {"items": {"type": "integer"}}, {"prefixItems": [{"type": "integer"}], "items": False},
        {"minItems": 1}, {"maxItems": 1}, {"minProperties": 1}, {"minLength": 1}, {"not": {}},
        {"if": {"type": "integer"}, "then": {"minimum": 1}, "else": {"type": "string"}},
        {"if": {"type": "array"}, "else": {"type": "integer"}}, {"then": False},
        {"uniqueItems": True}, {"patternProperties": {"k": False}},
        {"$ref": "#/$defs/one", "$defs": {"one": {"type": "array"}}},
        {"properties": {"k": True, "x": False}},
    ],
    ids=str,
)  # fmt: skip
def test_each_word_is_read_as_it_is_meant(rule):
    judge = Draft202012Validator(rule)
    for value in VALUES:
        assert judge.is_valid(value) or not follows(value, rule), value
