"""Claims about functions that are stated as maps: proved of the map, compared in the scope."""

from __future__ import annotations

import json

import pytest

from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError
from dpcomp_sym.foreign import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    L1,
    SYMMETRIC,
    Lists,
    Multisets,
    StabilityClaim,
    Statement,
    check_stability,
    claims_of,
    neighbours,
)

EXAMPLE = "examples/foreign/proved.py"


def spec(body: str, outer: str = "unbounded", inner: str = "unbounded", domain: str = "") -> str:
    return f"""
granularity = "{outer}"
[domain]
attributes = {{ value = "Value" }}
{domain}
[[map]]
name = "f"
{body}
[[part]]
map = "f"
granularity = "{inner}"
"""


IDENTITY, COUNT = 'member = "true"', 'use = "cardinality"'
BY_VALUE = 'image = { value = "value(c)" }'


def checked(function, scope, d_in, d_out, bound, *statement, **more):
    stated = Statement(spec(*statement), **more)
    return check_stability(StabilityClaim(function, scope, d_in, d_out, bound, "f", stated))


def test_the_example_is_proved(capsys):
    with pytest.raises(SystemExit) as left:
        main(["stability", EXAMPLE, "--json"])
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert left.value.code == 0
    assert {c["verdict"] for c in claims} == {"proved"}
    edits = [c["proof"]["theorem"].split(" images at most ")[1] for c in claims]
    one, two = "1 edit(s) apart (unbounded)", "2 edit(s) apart (unbounded)"
    assert edits == [one, two, one, two, one, one, "1 edit(s) apart (ordered_bounded)"]


def test_what_is_proved_and_of_what_is_said():
    said = check_stability(claims_of(EXAMPLE)[0]).text()
    assert "for all databases of the class, 'function' takes neighbours (unbounded)" in said
    assert "on all 63 databases" in said
    assert "beyond the scope this is said of the map, and not of the function" in said


def test_factors_of_metrics_and_bounds():
    """A replaced record is two records of the symmetric distance, of inputs and of outputs."""
    two, three = Lists("ab", size=2), Lists("abc", at_most=3)
    for d_in, d_out, bound, outer, inner, verdict in (
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "unbounded", "proved"),
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "bounded", "proved"),
        (SYMMETRIC, CHANGE_ONE, "d/2", "bounded", "bounded", "proved"),
        (SYMMETRIC, SYMMETRIC, "d", "bounded", "bounded", "proved"),
        (CHANGE_ONE, DISCRETE, "d", "bounded", "bounded", "proved"),
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "unbounded_or_bounded", "proved"),
        # True, but the bound is no multiple of d.
        (CHANGE_ONE, SYMMETRIC, "min(2*d, 4)", "bounded", "unbounded", "checked"),
        (CHANGE_ONE, SYMMETRIC, lambda d: 2 * d, "bounded", "unbounded", "proved"),
    ):
        found = checked(sorted, two, d_in, d_out, bound, IDENTITY, outer, inner)
        assert found.verdict == verdict, (d_in, d_out, bound, found.unproved)
    one = neighbours("one more", lambda D, E: abs(len(D) - len(E)) == SYMMETRIC.of(D, E) == 1)
    assert checked(len, three, one, ABSOLUTE, "1", COUNT).verdict == "proved"
    assert checked(len, three, SYMMETRIC, ABSOLUTE, "d + 1", COUNT).verdict == "proved"
    sets = Multisets("ab", at_most=3)
    assert checked(len, sets, SYMMETRIC, ABSOLUTE, "2*d - 1", COUNT).verdict == "proved"


def test_a_bound_that_is_code_is_said_to_be_compared():
    found = checked(len, Lists("a", at_most=3), SYMMETRIC, ABSOLUTE, lambda d: d, COUNT)
    assert "the bound for all d up to 1000" in found.proof.conclusion


@pytest.mark.parametrize(
    ("function", "statement", "d_in", "said"),
    [
        (lambda rows: rows[1:], (IDENTITY,), HAMMING, "the function is not the map 'f'"),
        (len, (COUNT, "bounded"), SYMMETRIC, "not counted in edits"),
        (len, (COUNT, "free_lunch"), SYMMETRIC, "not proved that the map 'f' moves neighbours"),
        (len, (COUNT, "unbounded", "unbounded", 'kind = "set"'), SYMMETRIC, "no database of the"),
        (lambda _: 0, (COUNT,), SYMMETRIC, "the function is not the map"),
    ],
)
def test_what_is_not_tied_to_the_function_is_not_proved(function, statement, d_in, said):
    d_out = d_in if statement == (IDENTITY,) else ABSOLUTE
    found = checked(function, Lists("ab", at_most=2), d_in, d_out, "d", *statement)
    assert found.verdict == "checked"
    assert said in found.unproved
    assert "not proved" in found.text()


def test_a_false_claim_is_refuted_all_the_same():
    found = checked(len, Lists("a", at_most=2), SYMMETRIC, ABSOLUTE, "d/2", COUNT)
    assert found.verdict == "refuted"


def test_histograms_are_read_as_records_with_their_numbers():
    """Between histograms of one record a replacement is two counts."""
    found = checked(
        lambda rows: [rows.count(x) for x in "ab"], Lists("ab", size=1), CHANGE_ONE, L1, "2*d",
        BY_VALUE, "bounded", "unbounded", counts=lambda out: dict(zip("ab", out, strict=True)),
    )  # fmt: skip
    assert found.verdict == "proved"
    assert "at most 2 edit(s)" in found.proof.theorem


@pytest.mark.parametrize(
    ("body", "more", "said"),
    [
        ('use = "partition"', {}, "a block for each"),
        ('member = "keep(c)"\nfunctions = { keep = [["cell"], "bool"] }', {}, "has no meaning"),
        (IDENTITY, {"part": "nobody"}, "known here: f"),
    ],
)
def test_what_is_no_statement_is_told(body, more, said):
    with pytest.raises(InputError, match=said):
        checked(lambda x: x, Lists("ab", at_most=2), SYMMETRIC, SYMMETRIC, "d", body, **more)


def test_functions_and_sizes_of_the_spec():
    body = 'member = "keep(c)"\nfunctions = { keep = [["cell"], "bool"] }'
    found = checked(
        lambda rows: [x for x in rows if x == "a"], Lists("ab", at_most=3), SYMMETRIC, SYMMETRIC,
        "d", body, functions={"keep": lambda value: value == "a"},
    )  # fmt: skip
    assert found.verdict == "proved"
    sized = 'size = "size(D) == n"\nsymbols = { n = "n >= 1" }'
    with pytest.raises(InputError, match="'n' has no number"):
        checked(lambda x: x, Lists("ab", size=2), CHANGE_ONE, CHANGE_ONE, "d", IDENTITY, "bounded",
                "bounded", sized)  # fmt: skip
    found = checked(lambda x: x, Lists("ab", size=2), CHANGE_ONE, CHANGE_ONE, "d", IDENTITY,
                    "bounded", "bounded", sized, sizes={"n": 2})  # fmt: skip
    assert found.verdict == "proved"
