"""Claims about functions that are stated as maps: proved of the map, compared in the scope."""

from __future__ import annotations

import json

import pytest

from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError
from dpcomp_sym.stability import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    SYMMETRIC,
    Lists,
    MapStatement,
    Multisets,
    StabilityClaim,
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
OF_TWO = 'size = "size(D) == n"\nsymbols = { n = "n >= 1" }'
BY_VALUE = 'image = { value = "value(c)" }'


def checked(function, scope, d_in, d_out, bound, *statement, **more):
    stated = MapStatement(spec(*statement), **more)
    return check_stability(StabilityClaim(function, scope, d_in, d_out, bound, "f", stated))


@pytest.mark.in_turn
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
    assert said.splitlines()[0].endswith("proved, under an assumption")
    assert "assumed: the function returns what 'function' does on every database of the" in said
    assert "it does on all 63 of the scope" in said


@pytest.mark.in_turn
def test_factors_of_metrics_and_bounds():
    """A replaced record is two records of the symmetric distance, of inputs and of outputs."""
    two, three = Lists("ab", size=2), Lists("abc", at_most=3)
    for d_in, d_out, bound, outer, inner, domain, verdict in (
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "unbounded", "", "proved"),
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "bounded", "", "proved"),
        (SYMMETRIC, CHANGE_ONE, "d/2", "bounded", "bounded", OF_TWO, "proved"),
        (SYMMETRIC, SYMMETRIC, "d", "bounded", "bounded", OF_TWO, "proved"),
        (CHANGE_ONE, SYMMETRIC, "2*d", "bounded", "unbounded_or_bounded", "", "proved"),
        (INSERT_DELETE, SYMMETRIC, "d", "bounded", "bounded", OF_TWO, "proved"),
        (HAMMING, CHANGE_ONE, "d", "bounded", "bounded", "", "proved"),
        (CHANGE_ONE, SYMMETRIC, "max(2*d + 3, d**2)", "bounded", "unbounded", "", "proved"),
        # True, but it is neither a polynomial nor a minimum or maximum of such.
        (CHANGE_ONE, SYMMETRIC, "max(2*d, 3) + d**2", "bounded", "unbounded", "", "checked"),
        # The same multiset of records, but perhaps in another order.
        (CHANGE_ONE, DISCRETE, "d", "bounded", "bounded", "", "checked"),
        # True here, but the bound is not a multiple of d.
        (CHANGE_ONE, SYMMETRIC, "min(2*d, 4)", "bounded", "unbounded", "", "checked"),
        # Code: nothing is known of it at the distances that were not tried.
        (CHANGE_ONE, SYMMETRIC, lambda d: 2 * d, "bounded", "unbounded", "", "checked"),
    ):
        found = checked(sorted, two, d_in, d_out, bound, IDENTITY, outer, inner, domain,
                        sizes={"n": 2} if domain else {})  # fmt: skip
        assert found.verdict == verdict, (d_in, d_out, bound, found.unproved)
    assert checked(len, three, SYMMETRIC, ABSOLUTE, "d + 1", COUNT).verdict == "proved"
    everything = COUNT, "free_lunch", "unbounded_or_bounded"
    assert checked(len, three, DISCRETE, ABSOLUTE, "3*d", *everything).verdict == "checked"
    small = checked(bool, three, DISCRETE, ABSOLUTE, "d", "image = {}", "free_lunch", "bounded")
    assert small.verdict == "checked"


def test_between_databases_of_several_sizes_a_replacement_is_no_path():
    """[] and ["a"] are one record apart, and no number of replacements."""
    found = checked(sorted, Lists("ab", size=2), SYMMETRIC, CHANGE_ONE, "d/2", IDENTITY, "bounded",
                    "bounded")  # fmt: skip
    assert found.verdict == "checked"
    assert "not proved to be at least a multiple of the edits" in found.unproved


def test_how_far_one_edit_takes_outputs_is_proved():
    """If all outputs are neighbours, no number of edits says how far apart they are."""
    found = checked(list, Lists("ab", at_most=2), SYMMETRIC, SYMMETRIC, "d", IDENTITY, "unbounded",
                    "free_lunch")  # fmt: skip
    assert found.verdict == "checked"
    assert "symmetric distance of records is not proved to be at most" in found.unproved


def test_code_has_no_proof_beyond_what_was_tried():
    three = Lists("abc", at_most=3)
    one = neighbours("one more", lambda D, E: abs(len(D) - len(E)) == SYMMETRIC.of(D, E) == 1)
    assert checked(len, three, one, ABSOLUTE, "1", COUNT).verdict == "checked"
    found = checked(len, three, SYMMETRIC, ABSOLUTE, lambda d: d if d < 2000 else 0, COUNT)
    assert (found.verdict, found.proof) == ("checked", None)
    assert "that bound(d) is never less is not proved for all d" in found.unproved


def test_a_bound_below_zero_is_no_bound():
    """Two orders of the same records are at distance 0."""
    sets = Multisets("ab", at_most=3)
    assert checked(len, sets, SYMMETRIC, ABSOLUTE, "2*d - 1", COUNT).verdict == "checked"
    lists = Lists("ab", at_most=3)
    assert checked(len, lists, SYMMETRIC, ABSOLUTE, "2*d - 1", COUNT).verdict == "refuted"


def test_the_order_of_a_list_is_no_number():
    """Far apart in numbers are lists that differ in one place: [0, 0] and [0, 7]."""
    at = '{ use = "ordered_bounded", position = "position" }'
    domain = 'cell = "1 <= position(c)"\nkind = "set"\nlimits = [["position(c)", 1]]'
    in_order = spec(IDENTITY, "AT", "AT", domain).replace('"AT"', at)
    for position, text in (
        ("", spec(IDENTITY, "bounded", "bounded")),
        ("position", in_order.replace('"Value"', '"Value", position = "int"')),
    ):
        claim = StabilityClaim(
            lambda rows: rows, Lists([0, 1], size=2), HAMMING, L1, "d", "f",
            MapStatement(text, position=position),
        )  # fmt: skip
        found = check_stability(claim)
        assert (found.verdict, found.proof) == ("checked", None)
        assert "l1 distance of records" in found.unproved


@pytest.mark.parametrize(
    ("function", "statement", "d_in", "said"),
    [
        (lambda rows: rows[1:], (IDENTITY,), HAMMING, "the function is not the map 'f'"),
        (len, (COUNT, "bounded"), SYMMETRIC, "not proved to be at least a multiple"),
        (len, (COUNT, "free_lunch"), SYMMETRIC, "not proved that the map 'f' moves neighbours"),
        (
            len,
            (COUNT, "unbounded", "unbounded", 'kind = "set"'),
            SYMMETRIC,
            "not a database of the",
        ),
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
    ways = ("ab", "proved"), (lambda out: dict(zip("ab", out, strict=True)), "checked")
    for counts, verdict in ways:
        found = checked(
            lambda rows: [rows.count(x) for x in "ab"], Lists("ab", size=1), CHANGE_ONE, L1, "2*d",
            BY_VALUE, "bounded", "unbounded", counts=counts,
        )  # fmt: skip
        assert found.verdict == verdict
        said = "'counts' is code" if found.proof is None else "at most 2 edit(s)"
        assert said in (found.unproved or found.proof.theorem)


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
