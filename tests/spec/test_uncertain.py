"""Specs about random data: what they give, on every face, and what is refused."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from dpcomp_sym import notebook
from dpcomp_sym.cli import main
from dpcomp_sym.cli.hints import hints
from dpcomp_sym.errors import InputError
from dpcomp_sym.report import latex
from dpcomp_sym.report.text import rounded_up
from dpcomp_sym.spec import load_any, load_spec

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "uncertain"
NAMES = (
    "chain",
    "chain-with-deltas",
    "daily-counts",
    "one-time-pad",
    "survey",
    "two-weeks",
    "votes",
)

HALF = Fraction(1, 2)
VOTES = """
[variables]
a = { 0 = "1 - p", 1 = "p" }
b = { 0 = "1/2", 1 = "1/2" }
[knowledge]
target = "a"
[[mechanism]]
name = "sum"
output = "a + b"
[values]
p = "1/3"
"""
DAYS = """
[days]
users = 5
days = 2
states = ["no", "yes"]
counted = "yes"
start = ["1/2", "1/2"]
keep = "1/4"
delta = "1/3"
"""


def root(text: str) -> str:
    """The name of the outermost element; the text is well-formed."""
    return ET.fromstring(text).tag.rpartition("}")[2]


@pytest.fixture(scope="module")
def findings():
    return {name: load_any(EXAMPLES / f"{name}.toml").derive() for name in NAMES}


def test_every_example_is_tested():
    assert {p.stem for p in EXAMPLES.glob("*.toml")} == set(NAMES)


@pytest.mark.in_turn
def test_a_survey_of_ten_thousand(findings):
    both, count, noise = findings["survey"].guarantees
    assert noise.factor == 2 - Fraction(3, 10**6)
    assert both.factor < count.factor < Fraction(10736, 10_000)
    sizes = findings["survey"].tables[1].rows
    assert [row[0] for row in sizes] == ["10", "32", "100", "316", "1000", "3162", "10000"]
    assert sizes[0][2] == "∞"
    assert "truncation error 0" in findings["survey"].notes[0]


def test_two_counts_reveal_a_vote(findings):
    table, outcomes = findings["votes"].tables
    assert [row[1:3] for row in table.rows] == [("0.477081", "–"), ("0", "∞")]
    assert all(g.factor is None for g in findings["votes"].guarantees)
    assert {row[2] for row in outcomes.rows} == {"∞"}
    assert findings["votes"].infinite
    assert "with probability 1 " in findings["votes"].notes[-1]


def test_the_one_time_pad_for_every_probability(findings):
    finding = findings["one-time-pad"]
    said = [step.statement for step in finding.trace]
    assert {"the key loses nothing", "the sum loses nothing"} <= set(said)
    assert "the dependency of the sum on those before is ∞ at every output" in said
    assert {row[-2:] for row in finding.tables[0].rows} == {("∞", "∞")}
    assert finding.as_json()["bounds"][0]["value"] == "inf"


def test_daily_counts_over_time(findings):
    exact, bound = findings["daily-counts"].guarantees
    assert exact.factor < bound.factor
    independent = load_any(EXAMPLES / "daily-counts.toml", ["c=0"]).derive()
    assert [row[2] for row in independent.tables[0].rows] == ["–", "0", "0"]


def test_many_users_and_days(findings):
    finding = findings["two-weeks"]
    (guarantee,) = finding.guarantees
    assert not guarantee.exact
    assert len(finding.tables[0].rows) == 14
    assert finding.trace[-1].uses == tuple(range(1, 28))
    independent = load_any(EXAMPLES / "two-weeks.toml", ["c=0"]).derive()
    assert {row[2] for row in independent.tables[0].rows} == {"–", "0"}
    # Where both can be computed, the bound for many users is not below the exact one.
    few = load_any(DAYS).derive().guarantees
    shut = load_any(DAYS).setting.bounded("few", ["day 1", "day 2"]).guarantees
    assert few[0].factor is None or few[0].factor <= shut[0].factor


def test_a_chain_in_symbols_and_in_numbers(findings):
    assert "ln((1 + e^(eps1 + eps2))" in findings["chain"].guarantees[0].text
    assert findings["chain"].as_json()["bounds"][0]["value"] is None
    numbers = load_any(EXAMPLES / "chain.toml", ["eps1=1", "eps2=1"]).derive()
    epsilon, delta = numbers.as_json()["bounds"][0]["value"]
    assert 0.43378083 < epsilon < 0.43378084  # ln((1 + e^2)/(2e))
    assert delta == 0
    far = load_any('[chain]\nepsilon = ["a", "a"]\ndistances = [1, 5]', ["a=0.6931471805599453"])
    assert far.derive().guarantees[0].epsilon == pytest.approx(0.6480267, abs=1e-6)  # ln(65/34)
    three = load_any('[chain]\nepsilon = ["a", "b", "c"]').derive()
    assert "tanh" in three.guarantees[0].text


CHAIN = """
[chain]
epsilon = ["a", "b"]
delta = ["1/10", "d"]
at_delta = "1/20"
[values]
a = 1
b = 2
d = "1/100"
"""


def test_a_chain_with_deltas():
    (guarantee,) = load_any(CHAIN).derive().guarantees
    assert (guarantee.delta, guarantee.exact) == (Fraction(1, 20), True)
    # With e^1 = x and e^2 = y: ((y - 49/50) c - 99/100 (e^eps - 1))/(1 + y) = 1/20, where
    # c = 1/10 + 9/10 (x - e^eps)/(1 + x), is solved by e^eps.
    x, y = math.e, math.e**2
    slope, start = -0.9 / (1 + x), 0.1 + 0.9 * x / (1 + x)
    wanted = (0.05 * (1 + y) - (y - 0.98) * start - 0.99) / ((y - 0.98) * slope - 0.99)
    assert float(guarantee.factor) == pytest.approx(wanted, rel=1e-12)
    assert math.log(wanted) == pytest.approx(guarantee.as_json()["value"][0])
    # The other order is another chain, and so is one without deltas.
    turned = load_any(CHAIN.replace('"1/10", "d"', '"d", "1/10"').replace('"a", "b"', '"b", "a"'))
    assert turned.derive().guarantees[0].factor != guarantee.factor
    none = load_any(CHAIN.replace('"1/10", "d"', '0, "0*d"').replace('"1/20"', "0"))
    pure = load_any('[chain]\nepsilon = ["a", "b"]', ["a=1", "b=2"]).derive().guarantees[0]
    assert none.derive().as_json()["bounds"][0]["value"][0] == pytest.approx(pure.epsilon)


def test_a_chain_whose_deltas_leave_no_epsilon():
    finding = load_any(CHAIN.replace("1/20", "1/1001")).derive()
    assert finding.guarantees[0].factor is None
    assert finding.infinite
    assert not load_any(CHAIN.replace("1/20", "1/1000")).derive().infinite
    nothing = load_any(CHAIN.replace("a = 1", "a = 0").replace("b = 2", "b = 0")).derive()
    assert nothing.guarantees[0].factor == 1
    certain = load_any(CHAIN.replace('"1/10"', "1").replace('"1/100"', "1"))
    assert certain.derive().guarantees[0].factor is None
    assert certain.refute("(100, 999/1000)").verdict == "refuted"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("0.7589", "refuted"), ("0.759", "proved"), ("(0, 1/4)", "refuted"), ("(0, 1/2)", "proved"),
        ("(9, 1/1001)", "refuted"), ("(9, 1/1000)", "proved"), ("(ln(3), 1/1000)", "proved"),
    ],
)  # fmt: skip
def test_claims_about_a_chain_with_deltas(claim, verdict):
    decision = load_any(CHAIN).refute(claim)
    assert decision.verdict == verdict
    assert (decision.event is not None) == (verdict == "refuted")
    json.dumps(decision.as_json(), allow_nan=False)


def test_symbols_give_rational_functions():
    finding = load_any(VOTES.partition("[values]")[0]).derive()
    rows = {row[:2]: row[2] for row in finding.tables[0].rows}
    assert rows["0 against 1", "1"] == "1"
    other = VOTES.partition("[values]")[0].replace('b = { 0 = "1/2", 1 = "1/2" }', (
        'b = { given = "a", 0 = { 0 = "p", 1 = "1 - p" }, 1 = { 0 = "1/2", 1 = "1/2" } }'
    ))  # fmt: skip
    rows = {row[:2]: row[2] for row in load_any(other).derive().tables[0].rows}
    assert rows["0 against 1", "1"] == "-2*(p - 1)"


def test_formulas_of_symbols_are_exact():
    """1 against 0 of the other one: 1 - p² and 1/2."""
    law = '{ given = "a", 0 = { 0 = "+p**2 + 0", 1 = "1 + -p**2" }, 1 = { 0 = "1/2", 1 = "1/2" } }'
    text = VOTES.partition("[values]")[0].replace('{ 0 = "1/2", 1 = "1/2" }', law)
    rows = {row[:2]: row[2] for row in load_any(text).derive().tables[0].rows}
    assert rows["0 against 1", "1"] == "-2*(p - 1)*(p + 1)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p", "--set needs NAME=VALUE, such as k=5 or p=1/3, not 'p'"),
        ("=1/3", "--set needs NAME=VALUE"),
        ("p=x", "--set p: 'x' is not a finite number"),
        ("q=1", "unknown parameter 'q'"),
    ],
)
def test_a_bad_set_is_told(text, message):
    with pytest.raises(InputError, match=message):
        load_any(VOTES, [text])


def test_background_family_and_passive_attackers():
    known = VOTES.replace('target = "a"', 'target = "a"\nbackground = "b"\ndelta = "1/2"')
    assert load_any(known).derive().guarantees[0].factor is None
    text = VOTES.partition("[values]")[0].replace(
        'target = "a"', 'target = "a"\ndelta = "1/2"\nfamily = [{ p = "1/3" }, { p = "1/2" }]'
    )
    finding = load_any(text).derive()
    assert "any of 2: p = 1/3; p = 1/2" in finding.setting
    passive = load_any(known.replace("delta =", 'attacker = "passive"\ndelta =')).derive()
    assert "passive attacker" in passive.setting


def test_copies_add_up():
    text = VOTES.replace("b = {", "b = { copies = 3,")
    (table, *_) = (
        load_any(text.replace('target = "a"', 'target = "a"\ndelta = "1/4"')).derive().tables
    )
    survey = '[survey]\nrespondents = 4\nprobability = "1/2"\ndelta = "1/4"'
    value = load_any(survey).derive().as_json()["bounds"][0]["value"][0]
    assert Fraction(table.rows[0][1]) >= Fraction(value)
    assert table.rows[0][1] == rounded_up(value)


def test_noise_is_a_variable_that_nobody_knows():
    text = VOTES.replace('b = { 0 = "1/2", 1 = "1/2" }', 'flip = { 0 = "3/4", 1 = "1/4" }')
    finding = load_any(text.replace("a + b", "a != flip")).derive()
    assert finding.guarantees[0].factor == 3


def test_an_attacker_without_a_question_is_vacuous():
    finding = load_any(VOTES.replace('p = "1/3"', 'p = "1"')).derive()
    assert finding.verdict == "vacuous"
    assert finding.as_json()["vacuous"]


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_every_face(name, findings):
    finding = findings[name]
    document = json.loads(json.dumps(finding.as_json(), allow_nan=False))
    assert document["schema"] == "dpcomp/1"
    assert document["verdict"] == "proved"
    assert [s["step"] for s in document["trace"]] == list(range(1, len(document["trace"]) + 1))
    assert all(u < s["step"] for s in document["trace"] for u in s["uses"])
    for bound in document["bounds"]:
        assert {"notion", "parameter", "text", "latex", "value", "exact", "tight", "by"} <= set(
            bound
        )
    for table in document["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
    text = latex.article(finding.document())
    assert r"\documentclass" in text
    assert r"\begin{theorem}" in text
    assert root(finding.page().partition("\n")[2]) == "html"
    assert notebook.html(finding).startswith('<div class="dpcomp">')


def test_drawings(findings):
    svg = findings["survey"].curve()
    assert findings["votes"].curve() == findings["votes"].curve()
    assert root(svg) == "svg"
    assert "count and noise together" in svg
    assert "each mechanism by itself" in findings["chain"].curve()
    assert "output of the key and the sum" in findings["one-time-pad"].curve()
    chain = load_any(EXAMPLES / "chain.toml", ["eps1=1", "eps2=2"]).derive()
    (panel,) = chain.drawing.panels
    assert panel.lines[0][2][-1] == pytest.approx(chain.guarantees[0].epsilon)
    noisy = (EXAMPLES / "one-time-pad.toml").read_text("utf-8").replace('"1/2"', '"q"', 1)
    with pytest.raises(InputError, match="no numbers to draw"):
        load_any(noisy.replace('1 = "1/2"', '1 = "1 - q"')).derive().curve()


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "claim", "verdict"),
    [
        ("survey", "1/100", "refuted"), ("survey", "(1/10, 1/100)", "proved"),
        ("votes", "(9999, 99/100)", "refuted"), ("daily-counts", "3", "refuted"),
        ("daily-counts", "(ln(21), 1/20)", "proved"), ("two-weeks", "5", "proved"),
        ("two-weeks", "2", "unknown"), ("chain", "0.4337", "refuted"),
        ("chain", "0.4338", "proved"),
    ],
)  # fmt: skip
def test_claims(name, claim, verdict):
    sets = ["eps1=1", "eps2=1"] if name == "chain" else []
    decision = load_any(EXAMPLES / f"{name}.toml", sets).refute(claim)
    assert decision.verdict == verdict
    json.dumps(decision.as_json(), allow_nan=False)
    assert (decision.event is not None) == (verdict == "refuted")


def test_a_refuted_claim_has_an_event_that_plain_counting_confirms():
    spec = '[survey]\nrespondents = 4\nprobability = "1/2"\ndelta = "1/100"'
    event = load_any(spec).refute("ln(2)").event
    # With three others, "at least 3" has 4/8 under yes and 1/8 under no; "at most 1" the reverse.
    assert (event.target, event.outputs) == (("yes", "no"), "at least 3")
    assert (event.first, event.second) == (Fraction(4, 8), Fraction(1, 8))
    days = load_any(DAYS.replace("users = 5", "users = 2").replace("days = 2", "days = 1"))
    event = days.refute("(0, 1/10)").event
    # One other user: 0 + 1 or 1 + 1 against 0 or 1, each with probability 1/2.
    assert (event.target, event.outputs) == (("1", "0"), "(2)")
    assert (event.first, event.second) == (HALF, 0)


def test_the_exact_value_is_tight():
    spec = load_any(VOTES.replace('target = "a"', 'target = "a"\ndelta = "1/2"'))
    exact = spec.derive().guarantees[0].factor
    assert spec.refute(f"ln({exact})").tight == "yes"
    assert spec.refute(f"ln({exact + 1})").tight == "no"
    assert spec.refute("(0, 49/100)").verdict == "refuted"


@pytest.mark.parametrize(
    ("claim", "message"),
    [("max(eps)", "not a finite number"), ("(1, 2, 3)", "not a pair"), ("(1, 2)", "delta is 2"),
     ("-1", "from 0 to"), ("ln(1/2)", "is negative"), ("99999", "from 0 to")],
)  # fmt: skip
def test_what_is_no_claim(claim, message):
    with pytest.raises(InputError, match=message):
        load_any(VOTES).refute(claim)


def test_claims_are_about_numbers():
    for spec, message in [
        (VOTES.partition("[values]")[0], "--set p="), ('[chain]\nepsilon = ["a", "b"]', "--set a="),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=message):
            load_any(spec).refute("1")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (VOTES.replace('1 = "p" }', '1 = "2*p" }'), "line 3: variables, a: .* sum to 4/3"),
        (VOTES.replace('"1 - p", 1 = "p"', '"2", 1 = "-1"'), "-1, but cannot be negative"),
        (VOTES.replace('"1 - p"', '"1 -"'), "neither a number nor a formula"),
        (VOTES.replace('"1 - p"', '"1/(p - p)"'), "divides by zero"),
        (VOTES.replace('"1 - p"', '"min(p, 1)"'), "not a formula of numbers, parameters"),
        (VOTES.replace('target = "a"', 'target = "c"'), "unknown variable 'c'"),
        (VOTES.replace("a + b", "a + c"), "line 9: .*'c'"),
        (VOTES.replace("p = ", "r = "), "unknown parameter 'r'"),
        (VOTES.replace('target = "a"', 'target = "a"\ndelta = 1'), "delta is 1"),
        (VOTES.replace('target = "a"', 'target = "a"\nattacker = "activ"'), "mean 'active'"),
        (VOTES.replace("b = {", 'b = { given = "z",'), "only depend on variables before it"),
        (VOTES.replace("b = {", 'b = { given = "a",'), "a table of probabilities for each value"),
        (VOTES.replace("b = {", "b = { x = 0, "), "'x' is not a value"),
        (VOTES.replace("b = {", "b = { copies = 40, "), r"use \[survey\]"),
        (VOTES.replace("[[mechanism]]", "[[mechanisms]]"), "did you mean 'mechanism'"),
        (VOTES.partition("[[mechanism]]")[0], "'mechanism' is missing"),
        (VOTES + DAYS, r"one setting: \[variables\] or \[days\]"),
        (VOTES.replace("[values]", '[[mechanism]]\nname = "sum"\noutput = "b"\n[values]'),
         "two mechanisms are called 'sum'"),
        (DAYS.replace('"yes"\n', '"yess"\n'), "unknown state 'yess'; did you mean 'yes'"),
        (DAYS.replace('keep = "1/4"', ""), "either 'keep'"),
        (DAYS.replace('keep = "1/4"', 'keep = "5/4"'), "a probability, from 0 to 1, not 5/4"),
        (DAYS.replace('keep = "1/4"', 'keep = "c"'), "unknown parameter 'c'.*--set c="),
        (DAYS.replace('["1/2", "1/2"]', '["1/2", "1/4"]'), "not a distribution over 2 states"),
        (DAYS.replace('["1/2", "1/2"]', '["1"]'), "2 states and 1 probabilities"),
        (DAYS.replace("users = 5", "users = 50000"), "0 to 20,000"),
        (DAYS.replace("days = 2", "days = 99"), "more than 60"),
        (DAYS.replace('"no", "yes"', '"a", "b", "yes"').replace("days = 2", "days = 9").replace(
            'keep = "1/4"', "change = [[1, 0, 0], [0, 0, 1], [0, 1, 0]]"
        ).replace('["1/2", "1/2"]', '["1/2", "1/4", "1/4"]'), "no bound for more than two days"),
        (DAYS + '[knowledge]\ntarget = "a"', r"\[knowledge\] belongs to \[variables\]"),
        (DAYS.replace('["no", "yes"]', '["yes", "yes"]'), "two states have the same name"),
        (VOTES.replace("a = {", "a = { copies = 2,").replace("b = {", "a2 = {"),
         "line 2: .*two variables have the same name"),
        (VOTES.replace("a = {", '"a b" = {'), "line 3: 'a b' is not the name of a variable"),
        (VOTES.replace('b = { 0 = "1/2", 1 = "1/2" }',
                       'b = { given = "a", "0,1" = { 0 = "1" }, 1 = { 0 = "1" } }'),
         "line 4: '0,1' is 2 values, but 'b' is given 1 variables"),
        (VOTES.partition("[values]")[0].replace('"a"', '"a"\nfamily = [{ q = "1/3" }]').replace(
            '"1/2", 1', '"q", 1').replace('1 = "1/2"', '1 = "1 - q"'),
         "line 7: the laws of a family are numbers: 'p' has none"),
        (VOTES.replace('"1 - p"', '"1 - p**(1/2)"'), "exponents in .* are integers from 0 to 100"),
        (VOTES.replace('"1 - p"', '"1 - p**101"'), "exponents in .* are integers from 0 to 100"),
        ("[survey]\nrespondents = 10\nknown = 10\nprobability = 0.5", "can know 9 answers at most"),
        ("[survey]\nrespondents = 10", "'probability' of yes is missing"),
        ("[survey]\nprobability = 0.5", "give either 'respondents'"),
        ('[survey]\nrespondents = 90000\nprobability = "1/2"', "0 to 20,000"),
        ('[survey]\nrespondents = 9\nprobability = "1/2"\nnoise = 1', "less than 1"),
        ('[survey]\nrespondents = 9\nprobability = "3/2"', "not a probability"),
        ('[survey]\ngroups = [[3, "1/2"], [3, "1/3"]]\nsizes = [1]', "not groups"),
        ('[survey]\ngroups = [[3, "1/2"]]\nknown = 1', "leave 'known' out"),
        ("[survey]\nrespondent = 9", "did you mean 'respondents'"),
        ('[chain]\nepsilon = ["a", "1"]', "'1' is not the name"),
        ('[chain]\nepsilon = ["a", "b"]\n[values]\na = 1e400\nb = 1', "'a' is too large"),
        (VOTES.replace("b = {", "b = { copies = 1000000000, "), "from 1 to 64"),
        ('[chain]\nepsilon = ["a", "b"]\ndistances = [1]', "2 mechanisms and 1 distances"),
        ('[chain]\nepsilon = ["a", "b"]\n[values]\na = -1\nb = 1', "cannot be negative"),
        (CHAIN.replace('at_delta = "1/20"\n', ""), "'at_delta' is missing"),
        (CHAIN.replace('delta = ["1/10", "d"]\n', ""), "'delta' is missing"),
        (CHAIN.replace("at_delta", "distances = [1, 5]\nat_delta"), "leave 'distances' out"),
        (CHAIN.replace('"1/10", "d"', '"1/10", "d", 0'), "2 mechanisms and 3 deltas"),
        (CHAIN.replace('"1/10", "d"', '"3/2", "d"'), "delta is 3/2, but must be from 0 to 1"),
        (CHAIN.replace('"1/20"', "1"), "line 5: .*at_delta is 1, but must be"),
        (CHAIN.replace('d = "1/100"\n', ""), "unknown parameter 'd'.*--set d="),
        (CHAIN.replace("b = 2\n", ""), "a chain needs numbers: .*--set b=1"),
        (CHAIN.replace("b = 2", "b = 101"), "'b' is 101, but must be from 0 to 100"),
        (CHAIN.replace("b = 2", "b = -1"), "'b' is -1"),
    ],
)  # fmt: skip
def test_what_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        load_any(spec).derive()


def test_the_command_line(tmp_path, capsys):
    def run(*words):
        with pytest.raises(SystemExit) as left:
            main(list(words))
        return left.value.code, capsys.readouterr()

    file = tmp_path / "days.toml"
    file.write_text(DAYS.replace('keep = "1/4"', 'keep = "c"') + "[values]\nc = 0.5\n", "utf-8")
    spec = str(file)
    drawing, article = tmp_path / "a.svg", tmp_path / "a.tex"
    status, out = run(
        "derive", spec, "--set", "c=0", "--curve", str(drawing), "--latex", str(article)
    )
    assert status == 0
    assert "days: proved" in out.out
    assert "bound of composition" in drawing.read_text("utf-8")
    assert r"\cite[Thm6]{Des}" in article.read_text("utf-8")
    status, out = run("derive", spec, "--json")
    assert (status, json.loads(out.out)["tables"][0]["columns"][0]) == (0, "day")
    status, out = run("refute", spec, "--claim", "1/10")
    assert status == 1
    assert "P[event | target 1" in out.out
    status, out = run("refute", spec, "--claim", "20", "--json")
    assert (status, json.loads(out.out)["verdict"]) == (0, "proved")
    status, out = run("refute", spec, "--claim", "1/10", "--script", str(tmp_path / "s.py"))
    assert (status, (tmp_path / "s.py").exists()) == (2, False)
    status, out = run("check", spec)
    assert status == 2
    assert "for derive and refute" in out.err
    status, out = run("derive", spec, "--certificate", str(tmp_path / "c.json"))
    assert (status, (tmp_path / "c.json").exists()) == (2, False)
    assert "evaluated, not derived by rules" in out.err
    ordinary = str(EXAMPLES.parent / "label-dp.toml")
    status, out = run("derive", ordinary, "--curve", str(tmp_path / "b.svg"))
    assert (status, (tmp_path / "b.svg").exists()) == (2, False)


def test_compositions_are_still_read_as_such():
    with pytest.raises(InputError, match=r"for derive and refute"):
        load_spec('[survey]\nrespondents = 10\nprobability = "1/2"')


def test_drawing_is_not_needed_to_start():
    script = "import sys, dpcomp_sym.spec.uncertain; print('matplotlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@pytest.mark.in_turn
def test_numbers_are_not_compared(capsys):
    """That asks for bounds over neighbours, and on a terminal hints do, too."""
    with pytest.raises(SystemExit) as ended:
        main(["derive", str(EXAMPLES / "survey.toml"), "--at-delta", "1/10"])
    assert ended.value.code == 2
    assert "there is nothing to compare" in capsys.readouterr().err
    assert list(hints(load_any(EXAMPLES / "survey.toml").derive(), "survey.toml")) == []
