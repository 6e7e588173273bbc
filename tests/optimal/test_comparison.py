"""Basic, advanced and optimal composition side by side, in Python and on the command line."""

from __future__ import annotations

import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym import derive, load_spec
from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from dpcomp_sym.optimal import compare as module
from dpcomp_sym.optimal.choices import Choices
from dpcomp_sym.optimal.compare import Comparison
from dpcomp_sym.optimal.curve import SeenPart
from dpcomp_sym.optimal.pairs import homogeneous_delta
from dpcomp_sym.report.text import to_text
from tests.shares import shared

EXAMPLES = Path("examples")
GROUP = """
granularity = {{ use = "unbounded", group = {group} }}
[domain]
attributes = {{ id = "Record" }}
[[part]]
map = "identity"
granularity = "unbounded"
guarantee = {{ approximate = ["eps", "delta"] }}
"""


def derived(spec, *sets):
    read = load_spec(spec if isinstance(spec, str) else EXAMPLES / spec.name, sets)
    return derive(read.problem, read.values, read.sizes)


def bound(derivation, notion="approximate"):
    return derivation.bounds[notion]


def alone(*parts):
    one = {part: parts.count(part) for part in parts}
    choice = (module.Parts(one),)
    return Comparison("approximate", Choices(choice, choice))


def run(*arguments):
    with pytest.raises(SystemExit) as left:
        main(list(map(str, arguments)))
    return left.value.code


# ------------------------------------------------------------------ group privacy


@pytest.mark.parametrize(
    ("steps", "optimal"), [(12, Fraction(7603, 10**4)), (13, Fraction(9118, 10**4))]
)
def test_the_exact_delta_of_group_privacy(steps, optimal):
    """The printed 2.575 at distance 13 is not a guarantee; the exact one is."""
    found = alone(SeenPart(Fraction(1), Fraction(1, 10**5), steps))
    (row,) = found.rows(at_epsilon=Fraction(steps))
    assert round(row.optimal.low, 4) == round(row.optimal.high, 4) == optimal
    assert row.basic == 1 if steps == 13 else round(row.basic, 4) == Fraction(9472, 10**4)
    assert found.tight() == "no"


@pytest.mark.parametrize(
    ("group", "eps", "delta", "tight"),
    [
        (1, 1, "1/10", "yes"),
        (2, 1, "1/5", "yes"),  # the first iterate is below (1 - δ)/(1 + e)
        (2, 1, "1/4", "no"),
        (2, 1, "0", "yes"),
        (2, 0, "1/4", "yes"),
        (2, 1, "3/4", "no"),
    ],
)
def test_tightness_of_group_privacy_is_decided_by_numbers(group, eps, delta, tight):
    spec = GROUP.format(group=group)
    assert bound(derived(spec, f"eps={eps}", f"delta={delta}")).tight == tight


def test_group_privacy_without_numbers_is_undecided():
    assert bound(derived(GROUP.format(group=2))).tight == "unknown"


def test_sums_are_tight_only_while_one_delta_is_positive():
    spec = EXAMPLES / "ambulances.toml"
    for delta, tight in (("[0,0,0,0]", "yes"), ("[0,1/9,0,0]", "yes"), ("[0,1/9,0,1/9]", "no")):
        found = derived(spec, "k=4", "eps=[1,2,3,4]", f"delta={delta}")
        assert bound(found).tight == tight
    assert bound(derived(spec)).tight == "no"


def test_two_tenths_lose_nineteen_hundredths():
    part = SeenPart(Fraction(0), Fraction(1, 10))
    row = alone(part, part).at_epsilon(Fraction(0))
    assert row.basic == Fraction(1, 5)
    assert row.optimal.low == row.optimal.high == Fraction(19, 100)


def test_a_smaller_vector_does_not_make_a_larger_one_less_tight():
    spec = EXAMPLES / "bounded-partition-unbounded-parts.toml"
    assert bound(derived(spec, "k=3", "eps=1", "delta=1e-5")).tight == "yes"


# ------------------------------------------------------------------ order of the answers


@pytest.mark.parametrize("number", shared(1, [15, 60]))
def test_optimal_is_never_worse_than_basic_and_advanced(number):
    rng = random.Random(1)
    better = 0
    for _ in range(number):
        parts = [
            SeenPart(
                Fraction(rng.randint(0, 20), 10),
                Fraction(rng.choice([0, 1, 3]), 100),
                rng.randint(1, 3),
            )
            for _ in range(rng.randint(1, 6))
        ]
        found = alone(*parts)
        for n in range(1, 10):
            row = found.at_delta(Fraction(n, 10))
            for other in (row.basic, row.advanced):
                assert other is None or row.optimal.high <= other + Fraction(1, 10**12)
            better += row.basic is not None and row.optimal.high < row.basic
        for n in range(6):
            row = found.at_epsilon(Fraction(n))
            assert row.optimal.high <= min(row.basic, row.advanced) + Fraction(1, 10**60)
    assert better > number


def test_advanced_composition_is_the_published_one():
    """ε = 1/10 a hundred times at δ' = 10^-6: √(2·100 ln 10^6)/10 + 10 (e^(1/10) - 1)."""
    parts = [SeenPart(Fraction(1, 10), Fraction(0))] * 100
    row = alone(*parts).at_delta(Fraction(1, 10**6))
    stated = math.sqrt(200 * math.log(10**6)) / 10 + 10 * math.expm1(0.1)
    assert float(row.advanced) == pytest.approx(stated, abs=1e-12)
    assert float(row.basic) == 10
    assert float(row.optimal.high) == pytest.approx(4.774568, abs=1e-6)


def test_advanced_epsilon_and_delta_are_inverse():
    parts = [SeenPart(Fraction(1, 10), Fraction(1, 10**8))] * 50
    found = alone(*parts)
    for target in (Fraction(1, 10**6), Fraction(1, 100)):
        eps = found.at_delta(target).advanced
        assert abs(found.at_epsilon(eps).advanced - target) < Fraction(1, 10**40)
    assert found.at_delta(Fraction(1, 10**9)).advanced is None


# ------------------------------------------------------------------ what has no comparison


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("spec", "sets"),
    [
        ("ambulances.toml", ()),
        ("ambulances.toml", ("k=5",)),
        ("ambulances.toml", ("k=5", "rho=1")),
        ("bounded-partition.toml", ("k=3", "eps=1")),
        ("fixed-size-unbounded.toml", ("k=3", "eps=1")),
        ("ambulances.toml", ("k=5", "eps=2000")),
        ("bounded-partition.toml", ("eps=1",)),
    ],
)
def test_without_numbers_or_without_a_finite_bound_there_is_none(spec, sets):
    assert derived(EXAMPLES / spec, *sets).comparison is None


@pytest.mark.in_turn
def test_a_year_of_a_thousand_databases():
    """At most 365 of 1000 databases, which ones: 730 of them can differ."""
    found = load_spec(
        EXAMPLES / "membership" / "hospitals-bounded.toml",
        ["k=1000", "m=365", "eps=1/100", "delta=1e-9"],
    ).derive()
    (row,) = found.comparison.rows(at_delta=Fraction(1, 10**5))
    assert found.comparison.exact
    assert row.basic == Fraction(73, 10)
    slack = 1e-5 - 730e-9
    stated = math.sqrt(2 * 730e-4 * math.log(1 / slack)) + 7.3 * math.expm1(0.01)
    assert float(row.advanced) == pytest.approx(stated, abs=1e-9)
    # The closed form at the multiples of 2ε below and above.
    q, i = Fraction(math.exp(0.01)), math.ceil((730 - row.optimal.high * 100) / 2)
    below, above = (homogeneous_delta(q, Fraction(1, 10**9), 730, n) for n in (i, i - 1))
    assert above < Fraction(1, 10**5) < below
    assert row.optimal.high - row.optimal.low < Fraction(1, 10**12)


def joins(*guarantees):
    """A one-sided granularity and mechanisms on the whole database."""
    head = """
        [granularity]
        name = "joins"
        directed = true
        [[granularity.edit]]
        params = { x = "cell" }
        change = { x = "1" }
        [domain]
        attributes = { id = "Record" }
    """
    parts = (
        f'[[part]]\nname = "{name}"\nmap = "identity"\nguarantee = {{ {what} }}\n'
        for name, what in zip("ab", guarantees, strict=False)
    )
    return head + "".join(parts)


def test_a_directed_granularity_gets_an_upper_bound():
    text = joins('pure = "eps"')
    found = derived(text, "eps=1").comparison
    assert not found.exact
    assert "directed" in found.note
    assert found.at_delta(Fraction(1, 100)).advanced is None
    assert found.at_epsilon(Fraction(1, 2)).advanced == 1
    # Only one direction is promised, so that nothing better than 1 - 1/e holds at ε = 0.
    assert float(found.delta(Fraction(0)).high) == pytest.approx(1 - 2.718281828459045**-1)


@pytest.mark.parametrize(
    ("target", "texts", "notions"),
    [
        (
            'zcdp = "rho"',
            {"approximate": "(eps + zcdp_epsilon(rho, delta_b), delta_b)"},
            {"zcdp"},
        ),
        (
            'gaussian = "mu"',
            {"approximate": "(eps + eps_b, gaussian_delta(mu, eps_b))"},
            {"gaussian", "zcdp"},
        ),
        ('approximate = ["e", "d"]', {"approximate": "(eps + e, d)"}, {"approximate"}),
    ],
)
def test_one_direction_does_not_convert(target, texts, notions):
    """P uniform on [0, 1/q], Q on [0, 1]: ln q is lost at every order, more than (ln q)²/2."""
    directed = joins('pure = "eps"', target)
    found = derived(directed)
    assert {b.notion: b.text for b in found.bounds} == texts
    both = derived(directed.replace("directed = true", ""))
    assert {b.notion for b in both.bounds} == notions


def test_parts_without_a_common_notion_meet_at_a_point_of_a_curve():
    text = joins('zcdp = "r"', 'approximate = ["e", "d"]')
    found = derived(text)
    (bound,) = found.bounds
    assert (bound.text, bound.tight) == ("(zcdp_epsilon(r, delta_a) + e, delta_a + d)", "unknown")
    (note,) = found.notes
    assert "at a delta of your choice, delta_a" in note
    (bound,) = derived(text, "r=1/2", "e=1", "d=0", "delta_a=0.00001").bounds
    epsilon, delta = bound.value
    assert (str(epsilon), delta) == ("1 + zcdp_epsilon(1/2, 1/100000)", Fraction(1, 10**5))
    assert float(epsilon) == pytest.approx(1 + 4.728386985)
    with pytest.raises(InputError, match="'delta_a' of part 'a' has no value"):
        derived(text, "r=1/2", "e=1", "d=0")
    with pytest.raises(InputError, match="delta cannot be larger than 1"):
        derived(text, "delta_a=2")


def test_parts_that_say_nothing_have_no_notion_in_common():
    """A silent lack of bounds would read as if something had been derived."""
    found = derive(
        Problem(
            Domain({"id": "Record"}), library_granularity("unbounded"), [library_map("identity")],
            [Part("a", "identity"), Part("b", "identity", guarantees={})],
        )
    )  # fmt: skip
    assert (found.verdict, list(found.bounds)) == ("unknown", [])
    (note,) = found.notes
    assert note.endswith("no notion in common (a: pure and approximate and zcdp and gaussian; "
                         "b: nothing)")  # fmt: skip


# ------------------------------------------------------------------ the command line


def test_the_document_has_the_comparison(capsys):
    numbers = ["--set", "k=100", "--set", "eps=1/10"]
    found = derived(EXAMPLES / "hundred-queries.toml", "k=100", "eps=1/10")
    document = found.comparison.as_json(at_delta=Fraction(1, 10**6))
    (row,) = document["rows"]
    assert (row["at"], row["target"]) == ("delta", 1e-6)
    assert row["basic"] == 10
    assert row["optimal"] == pytest.approx(4.774568, abs=1e-6)
    assert row["optimal_at_least"] <= row["optimal"]
    assert document["exact"] is True
    assert run("derive", EXAMPLES / "ambulances.toml", *numbers, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["comparison"]["notion"] == "pure"
    assert [r["at"] for r in shown["comparison"]["rows"]] == ["delta"]
    assert run("check", EXAMPLES / "ambulances.toml", *numbers, "--json") == 1
    assert "comparison" not in json.loads(capsys.readouterr().out)


def test_a_delta_of_one_is_not_an_infinite_distance(spec_file, capsys):
    spec = spec_file(GROUP.format(group=2))
    assert run("derive", spec, "--set", "eps=1", "--set", "delta=3/10") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "δ of group privacy, is 1 or more" in out
    assert "no number of edits" not in out
    assert "δ at ε = 2 1 1 0.852849" in out


def test_the_text_has_a_table(capsys):
    numbers = ["--set", "k=4", "--set", "eps=[1,2,3,4]", "--set", "delta=1/1000"]
    assert run("derive", EXAMPLES / "ambulances.toml", *numbers) == 0
    out = capsys.readouterr().out
    assert "ε at δ = 0.003001" in out
    assert "δ at ε = 9" in out
    assert "0.003" in out
    assert "0.002997" in out
    assert run("derive", EXAMPLES / "ambulances.toml", *numbers, "--at-epsilon", "1/2") == 0
    out = capsys.readouterr().out
    assert "δ at ε = 0.5" in out
    assert "ε at δ" not in out


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--at-delta", "2", "2 is not a delta"),
        ("--at-delta", "-1", "negative"),
        ("--at-epsilon", "-1/2", "negative"),
        ("--at-epsilon", "much", "not a finite number"),
        ("--at-epsilon", "1", "there is nothing to compare"),
        ("--curve", "never.svg", "nothing to draw here"),
    ],
)
def test_wrong_targets_are_told(option, value, said, capsys):
    assert run("derive", EXAMPLES / "ambulances.toml", f"{option}={value}") == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert not Path("never.svg").exists()


def test_a_curve_without_matplotlib_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = tmp_path / "curve.svg"
    numbers = ["--set", "k=4", "--set", "eps=1"]
    assert run("derive", EXAMPLES / "ambulances.toml", *numbers, "--curve", file) == 2
    assert "pip install 'dpcomp-sym[plot]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_bound_from_above_says_so():
    document = {
        "title": "t", "verdict": "proved",
        "bounds": [{"notion": "pure", "text": "x", "tight": "yes", "value": None}],
        "comparison": {
            "exact": False, "note": "the profile is an upper bound",
            "rows": [{"at": "delta", "target": 0.5, "basic": "inf", "advanced": 1.23456789,
                      "optimal": 0.5, "optimal_at_least": 0.25}],
        },
    }  # fmt: skip
    shown = to_text(document)
    assert "∞" in shown
    assert "1.23457" in shown
    assert "(≥ 0.25)" in shown
    assert "upper bound here: the profile is an upper bound" in shown
