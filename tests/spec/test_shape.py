"""The quick look at a shape says yes only where the JSON Schema does, and to every good spec."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dpcomp_sym.spec.schema import schema, schema_for
from dpcomp_sym.spec.shape import certainly_fits

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted((ROOT / "examples").rglob("*.toml"))
NUMBERS = (True, False, 0, 1, -3, 1.0, 0.5, float("nan"))
ODD = (*NUMBERS, "", "a", "eps", [], ["a"], [1, "b"], {}, {"a": 1})
NAMES = ("name", "use", "then", "domain", "membership", "edit", "guarantee", "given", "x")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list or table inside a value, with a place in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def broken(data: Any, rng: random.Random) -> Any:
    """Return the data with something replaced, taken away, added, or put where another one was."""
    made = copy.deepcopy(data)
    every = list(places(made))
    holder, key = rng.choice(every)
    other, there = rng.choice(every)
    match rng.randrange(5):
        case 0:
            holder[key] = rng.choice(ODD)
        case 1:
            del holder[key]
        case 2:
            holder[key] = copy.deepcopy(other[there])
        case 3 if isinstance(holder, dict):
            holder[rng.choice(NAMES)] = rng.choice(ODD)
        case _ if isinstance(holder, list):
            holder.append(rng.choice(ODD))
    return made


def both(data: Any, wanted: Any) -> tuple[bool, bool]:
    return certainly_fits(data, wanted), Draft202012Validator(wanted).is_valid(data)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_good_specs_are_seen_to_be_good(path: Path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert both(data, schema(schema_for(data))) == (True, True)


def test_it_agrees_on_broken_specs():
    rng, answers = random.Random(7), {True: 0, False: 0}
    for _ in range(300):
        data = tomllib.loads(rng.choice(SPECS).read_text(encoding="utf-8"))
        for _ in range(rng.randint(1, 3)):
            data = broken(data, rng)
        for name in {schema_for(data), "spec"}:
            quick, slow = both(data, schema(name))
            assert slow or not quick, data
            # An integer may be written 1.0: that is left to the library.
            assert quick == slow or "1.0" in str(data), data
            answers[slow] += 1
    assert min(answers.values()) > 50


def scheme(rng: random.Random, depth: int) -> dict[str, Any]:
    """Return a random schema of the keywords that are known."""
    found: dict[str, Any] = {"description": "what is expected"}
    parts = {
        "type": lambda: rng.choice(("array", "object", ["string", "integer"], "number", "boolean")),
        "enum": lambda: rng.sample(ODD, 3),
        "required": lambda: rng.sample(("a", "b"), 1),
        "minItems": lambda: rng.randrange(3), "maxItems": lambda: rng.randrange(3),
        "minProperties": lambda: rng.randrange(2), "minLength": lambda: rng.randrange(2),
        "minimum": lambda: rng.randrange(2), "maximum": lambda: rng.randrange(2),
        "$ref": lambda: "#/$defs/one",
    }  # fmt: skip
    if depth:
        inner = {
            "items": lambda: scheme(rng, depth - 1),
            "prefixItems": lambda: [scheme(rng, depth - 1)],
            "properties": lambda: {"a": scheme(rng, depth - 1)},
            "additionalProperties": lambda: rng.choice((False, scheme(rng, depth - 1))),
            "else": lambda: scheme(rng, depth - 1),
        }
        parts |= inner
    for keyword in rng.sample(sorted(parts), rng.randrange(4)):
        found[keyword] = parts[keyword]()
    if "else" in found:
        found["if"] = scheme(rng, depth - 1)
        if rng.randrange(4) == 0:
            found["then"] = scheme(rng, depth - 1)
    return found


def test_it_agrees_on_random_schemas():
    rng, answers = random.Random(3), {True: 0, False: 0}
    for _ in range(3000):
        wanted = {**scheme(rng, 2), "$defs": {"one": {"type": ["integer", "array"]}}}
        value = rng.choice(
            (*ODD, {"a": rng.choice(ODD), "b": rng.choice(ODD)}, [*NUMBERS[:3], "a"])
        )
        quick, slow = both(value, wanted)
        assert slow or not quick, (wanted, value)
        answers[quick] += 1
    assert min(answers.values()) > 300


@pytest.mark.parametrize(
    "wanted",
    [{"pattern": "a"}, {"if": {}, "then": {"type": "array"}}, {"$ref": "#/properties/a"}],
)
def test_of_what_it_does_not_know_nothing_is_certain(wanted: dict[str, Any]):
    assert not certainly_fits("b", wanted)


def test_a_good_spec_does_not_load_the_library():
    told = (
        "import sys\nfrom dpcomp_sym.spec import load_spec\n"
        f"load_spec({str(ROOT / 'examples' / 'ambulances.toml')!r})\n"
        "print('jsonschema' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stdout == "False\n"
