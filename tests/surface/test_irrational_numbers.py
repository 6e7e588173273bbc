"""Roots, logarithms and powers of e as numbers of parameters: as fractions close by, but exact."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import cycle
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import dpcomp_sym as dp
from dpcomp_sym.numbers.columns import parameter_names
from dpcomp_sym.numbers.exact import as_float
from dpcomp_sym.report.text import value_text
from dpcomp_sym.surface.schemas import result_schema

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBERS = {
    "log(3)": math.log(3),
    "sqrt(2)": math.sqrt(2),
    "exp(1/2)": math.exp(0.5),
    "log(2)/3": math.log(2) / 3,
    "1/sqrt(5)": 1 / math.sqrt(5),
}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name",
    [
        "hierarchy-tree", "several-maps-one-frame", "user-records-budget", "users-in-groups",
        "w-event-each-step",
    ],
)  # fmt: skip
def test_bounds_are_those_of_fractions_close_by(name):
    question = dp.load(EXAMPLES / f"{name}.toml")
    derived = question.derive()
    words = cycle(NUMBERS)
    chosen = {p: "1/1000" if slot else next(words) for p, slot in parameter_names(derived.profile)}
    sizes = {s: 2 for s in derived.symbols if s not in chosen}
    near = {
        p: Fraction(NUMBERS[word]).limit_denominator(10**12) if word in NUMBERS else word
        for p, word in chosen.items()
    }
    exact, close = derived.subs(**sizes, **chosen), derived.subs(**sizes, **near)
    compared = 0
    for bound, other in zip(exact.bounds, close.bounds, strict=True):
        if bound.notion != "approximate":  # whether its pair is the best is found in enclosures
            assert bound.tight == other.tight
        assert (bound.value is None) == (other.value is None)
        pair = [x if isinstance(x, tuple) else (x,) for x in (bound.value, other.value)]
        for a, b in zip(*pair, strict=True):
            if a is not None:
                assert not isinstance(a, float)  # nothing is rounded
                assert math.isclose(as_float(a), as_float(b), rel_tol=1e-9)
                compared += 1
    assert compared >= 1


def test_numbers_of_releases_are_in_the_spec_that_is_saved(tmp_path):
    visits, file = dp.Domain(id="Record"), tmp_path / "both.toml"
    some = dp.derive(
        visits, "unbounded",
        a=dp.partition(pure="sqrt(2)"), b=dp.filter("true", pure="eps_b"),
    )  # fmt: skip
    some.save(file)
    again = dp.load(file)
    with pytest.raises(dp.InputError, match="the parameter 'eps_b' of part 'b' has no value"):
        again.derive()
    bounds = [x.bound() for x in (some.subs(eps_b=1, k=3), again.subs(eps_b=1, k=3).derive())]
    assert bounds[0].value == bounds[1].value
    assert str(bounds[0].value) == "1 + sqrt(2)"


def test_floats_of_a_derivation_are_decimals_in_the_spec_that_is_saved(tmp_path):
    blocks = dp.problem(dp.Domain(id="Record"), "unbounded", a=dp.partition(pure="eps"))
    file = dp.derive(blocks, {"eps": 0.1}, {"k": 2}).save(tmp_path / "floats.toml")
    assert dp.load(file).derive().bound().value == Fraction(1, 10)


@pytest.mark.parametrize(
    ("eps", "pure", "approximate"),
    [
        ("exp(1000)", "2*e^1000", "(2*e^1000, 2/9) ≈ (> 1e+308, 0.222222)"),
        ("10**400/3", "> 1e+308", "≈ (> 1e+308, 0.222222)"),
    ],
)
def test_a_number_beyond_floats_is_not_called_infinite(eps, pure, approximate, tmp_path):
    """It is tight, and infinity is not; JSON has a word for it, and is written."""
    counts = dp.cover(2, pure="eps", approximate=("eps", "delta"))
    derived = dp.derive(dp.Domain(id="Record"), "unbounded", counts=counts)
    known = derived.subs(k=2, eps=eps, delta="1/9")
    found = [value_text(known.bound(notion).as_json()) for notion in ("pure", "approximate")]
    assert found == [pure, approximate]
    known.save(tmp_path / "known.json")
    document = json.loads((tmp_path / "known.json").read_text(encoding="utf-8"))
    assert not list(Draft202012Validator(result_schema("derive")).iter_errors(document))
    assert "≈ inf" not in str(known)
    assert "= ∞" not in str(known)
