"""Numbers for symbols fix them in the question: conditions, vacuity, tightness, certificates."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.claims import refute
from dpcomp_sym.cli import main
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.replay import read
from dpcomp_sym.smt import ViewDistance
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import to_text
from tests.shares import shared

NEAR = """
[domain]
attributes = { id = "Record", day = "int" }
symbols = { w = "w >= 1" }
[granularity]
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y and abs(day(x) - day(y)) < w"
change = { x = -1, y = 1 }
[[map]]
name = "blocks"
use = "partition"
by = "day"
[[part]]
name = "p"
map = "blocks"
granularity = "unbounded_or_bounded"
guarantee = { pure = "eps" }
"""
PAIRS = """
[domain]
attributes = { id = "Record" }
symbols = { N = "N >= 1" }
size = "size(D) <= N"
[granularity]
[[granularity.edit]]
params = { x = "cell" }
change = { x = 2 }
[[part]]
name = "p"
map = "partition"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""
SHIFT = """
[domain]
attributes = { id = "Record" }
symbols = { s = "s <= 3" }
[granularity]
[[granularity.edit]]
params = { x = "cell" }
guard = "D[x] >= s and D[x] <= 2"
change = { x = 1 }
[[part]]
name = "p"
map = "partition"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""
UNBOUNDED = """
granularity = "bounded"
[domain]
attributes = { id = "Record" }
[[part]]
name = "p"
map = "partition"
guarantee = { pure = "eps" }
"""
TABLE = """
[domain]
attributes = { row = "int", val = "Value" }
symbols = { R = "R >= 1" }
kind = "set"
cell = "1 <= row(c) and row(c) <= R"
limits = [["row(c)", 1]]
size = "size(D) == R"
[granularity]
use = "label"
label = "val"
[[part]]
name = "p"
map = "partition"
setting = "common"
guarantee = { pure = "eps" }
"""


def call(tmp_path, text, command, *options):
    spec = tmp_path / "spec.toml"
    spec.write_text(text)
    done = CliRunner().invoke(main, [command, str(spec), "--json", *options])
    return done.exit_code, json.loads(done.stdout) if done.stdout else done.stderr


# ------------------------------------------------------------------ symbols of the domain, and k


def test_a_width_of_one_is_what_is_asked_about(tmp_path):
    numbers = ["--set", "w=1", "--set", "k=2", "--set", "eps=[1,2]"]
    status, said = call(tmp_path, NEAR, "derive", *numbers)
    assert status == 0
    assert said["bounds"][0]["value"] == 2
    assert said["bounds"][0]["tight"] == "yes"
    assert said["conditions"]["compatibility"]["verdict"] == "proved"
    assert call(tmp_path, NEAR, "check", *numbers)[0] == 0


def test_without_numbers_the_cases_split_on_the_width(tmp_path):
    _, said = call(tmp_path, NEAR, "derive")
    (bound,) = said["bounds"]
    assert bound["text"] == ("max(eps[i]) for w = 1; sum of the 2 largest eps[i] for w >= 2")
    assert bound["tight"] == "yes"


def test_a_larger_width_has_its_own_counterexample(tmp_path):
    status, said = call(tmp_path, NEAR, "check", "--set", "w=5", "--set", "k=3")
    assert status == 1
    symbols = said["conditions"]["compatibility"]["counterexample"]["symbols"]
    assert symbols == {"w": 5, "k": 3}


def test_a_bound_on_the_size_makes_it_vacuous(tmp_path):
    status, said = call(tmp_path, PAIRS, "derive", "--set", "N=1", "--set", "eps=2")
    assert (status, said["verdict"], said["vacuous"]) == (0, "vacuous", True)
    status, said = call(tmp_path, PAIRS, "derive", "--set", "N=2", "--set", "eps=2", "--set", "k=1")
    assert (said["verdict"], said["bounds"][0]["value"]) == ("proved", 4)
    _, said = call(tmp_path, PAIRS, "derive")
    assert said["bounds"][0]["text"] == "0 for N = 1; 2*max(eps[i]) for N >= 2"


@pytest.mark.parametrize("sizes", [{"w": 1}, {"w": 1, "k": 2}])
def test_numbers_in_python_fix_the_problem_too(sizes):
    spec = load_spec(NEAR)
    derived = derive(spec.problem, {"eps": [1, 2]}, sizes)
    assert (derived.bounds[0].value, derived.bounds[0].tight) == (2, "yes")
    assert derived.problem.symbols["w"] == spec.problem.at({"w": 1}).symbols["w"]


def test_the_length_of_a_list_fixes_the_number_of_blocks():
    text = UNBOUNDED.replace('"eps" }', '"eps" }\nsetting = "common"')
    derived = load_spec(text, ["eps=[3]"]).derive()
    assert (derived.bounds[0].value, derived.bounds[0].tight) == (3, "yes")
    assert derived.conditions["compatibility"].verdict == "proved"
    assert derive(load_spec(text).problem, {"eps": [3]}).conditions["compatibility"].verdict == (
        "proved"
    )


@pytest.mark.parametrize(
    ("number", "verdict"), [(3, "vacuous"), (2, "proved"), (0, "proved"), (-4, "proved")]
)
def test_a_symbol_may_be_zero_or_negative(tmp_path, number, verdict):
    status, said = call(tmp_path, SHIFT, "derive", "--set", f"s={number}", "--set", "eps=1",
                        "--set", "k=2")  # fmt: skip
    assert (status, said["verdict"]) == (0, verdict)
    status, said = call(tmp_path, SHIFT, "derive", "--set", "s=4")
    assert status == 2


@pytest.mark.parametrize("numbers", [{"w": 0}, {"w": 1, "k": 0}, {"w": 1.5}, {"w": True}])
def test_numbers_that_contradict_what_is_known(numbers):
    with pytest.raises(InputError, match=r"contradicts|whole number"):
        load_spec(NEAR).problem.at(numbers)


def test_fixing_twice_is_fixing_once():
    problem = load_spec(NEAR).problem
    once = problem.at({"w": 2})
    assert once.at({"w": 2}) is once
    with pytest.raises(InputError, match="contradicts 'w == 2'"):
        once.at({"w": 3})


def test_a_claim_is_decided_for_the_numbers(tmp_path):
    assert call(tmp_path, NEAR, "refute", "--claim", "max(eps[i])")[0] == 1
    assert call(tmp_path, NEAR, "refute", "--claim", "max(eps[i])", "--set", "w=1")[0] == 0
    claim = "changed(blocks) <= 1"
    assert call(tmp_path, NEAR, "refute", "--claim", claim)[0] == 1
    assert call(tmp_path, NEAR, "refute", "--claim", claim, "--set", "w=1")[0] == 0


def test_a_certificate_is_about_the_numbers(tmp_path):
    certificate = tmp_path / "c.json"
    call(tmp_path, NEAR, "derive", "--set", "w=1", "--certificate", str(certificate))
    assert '"w >= 1 and w == 1"' in certificate.read_text()
    done = CliRunner().invoke(main, ["verify", str(certificate), "--json"])
    assert done.exit_code == 0
    call(tmp_path, NEAR, "derive", "--certificate", str(certificate))
    assert CliRunner().invoke(main, ["verify", str(certificate)]).exit_code == 0


# ------------------------------------------------------------------ tight, for which symbols


def test_tight_says_for_which_symbols_it_was_shown(tmp_path):
    _, said = call(tmp_path, TABLE, "derive")
    (bound,) = said["bounds"]
    assert (bound["tight"], bound["tight_note"]) == ("yes", "shown for R = 1")
    _, said = call(tmp_path, TABLE, "derive", "--set", "R=3")
    (bound,) = said["bounds"]
    assert (bound["tight"], bound["tight_note"]) == ("yes", None)


def test_the_numbers_that_a_symbol_can_have():
    structure = Structure(load_spec(NEAR).problem)
    assert str(structure.numbers("w")) == "w >= 1"
    assert str(Structure(load_spec(NEAR, ["w=100"]).problem).numbers("w")) == "w = 100"
    assert str(Structure(load_spec(SHIFT).problem).numbers("s")) == "s <= 3"


# ------------------------------------------------------------------ what is not known


def test_a_million_blocks():
    derived = load_spec(UNBOUNDED, ["k=1000000", "eps=1/2"]).derive()
    assert derived.conditions["compatibility"].verdict == "refuted"
    assert derived.verdict == "proved"  # no finite guarantee holds


def test_an_infinite_bound_that_is_shown_is_derived(tmp_path):
    status, said = call(tmp_path, UNBOUNDED, "derive", "--set", "k=2")
    (bound,) = said["bounds"]
    assert (status, said["verdict"], bound["known"], bound["tight"]) == (0, "proved", True, "yes")


def test_claims_about_numbers_with_numbers():
    decision = refute(load_spec(NEAR, ["w=1", "eps=[1,2]"]), "max(eps[i])")
    assert (decision.verdict, decision.tight) == ("proved", "yes")


# ------------------------------------------------------------------ numbers make nothing weaker


@pytest.fixture
def _blind(monkeypatch):
    """Where a symbol has a number, no distance is proved: what is known comes from elsewhere."""
    pair, at_most = Structure.pair, ViewDistance.at_most

    def marked(self, edit, **more):
        found = pair(self, edit, **more)
        found.query.blind = self.problem.freed() is not self.problem
        return found

    def blind(self, longest, *assumptions):
        hidden = getattr(self.query, "blind", False)
        return "unknown" if hidden else at_most(self, longest, *assumptions)

    monkeypatch.setattr(Structure, "pair", marked)
    monkeypatch.setattr(ViewDistance, "at_most", blind)


@pytest.mark.in_turn
@pytest.mark.usefixtures("_blind")
@pytest.mark.parametrize(("width", "value"), shared(1, [(1, 2), (2, 3), (3, 3)]))
def test_what_is_proved_of_all_numbers_is_proved_of_each(tmp_path, width, value):
    certificate = tmp_path / "c.json"
    numbers = ["--set", f"w={width}", "--set", "eps=[1,2]"]
    status, said = call(tmp_path, NEAR, "derive", *numbers, "--certificate", str(certificate))
    (bound,) = said["bounds"]
    assert (status, said["verdict"], bound["value"], bound["tight"]) == (0, "proved", value, "yes")
    assert said["conditions"]["sensitivity"]["verdict"] == "proved"
    derived = load_spec(NEAR, [f"w={width}"]).derive()
    assert any("for all numbers" in note for note in derived.notes)
    assert CliRunner().invoke(main, ["verify", str(certificate)]).exit_code == 0
    done = verify(read(certificate.read_bytes()))
    assert any(q.about.endswith(", for all k, w") for q in done.questions)


@pytest.mark.usefixtures("_blind")
def test_a_claim_is_proved_of_all_numbers_if_not_of_each(tmp_path):
    claim = ["--claim", "distance(p) <= 1", "--set", "w=3"]
    assert call(tmp_path, NEAR, "refute", *claim)[0] == 0
    assert call(tmp_path, NEAR, "refute", "--claim", "2*max(eps[i])", "--set", "w=3")[0] == 0


def test_numbers_can_be_left_open_again():
    for text in (NEAR, PAIRS, SHIFT, TABLE):
        problem = load_spec(text).problem
        numbers = dict.fromkeys(problem.symbols, 2)
        freed = problem.at(numbers).freed()
        assert freed.symbols == problem.symbols
        assert freed.at(numbers) == problem.at(numbers)
        assert problem.freed() is problem


def test_a_divisor_that_is_left_open_again_stays_positive():
    text = SHIFT.replace("s <= 3", "s == 2").replace("D[x] >= s", "D[x] // s >= 1")
    undivided = text.replace("D[x] // s", "D[x]")
    facts = [load_spec(t).problem.freed().symbols["s"] for t in (text, undivided)]
    assert [to_text(fact) for fact in facts] == ["s >= 1", "true"]


# ------------------------------------------------------------------ numbers below 1


STEPS = """
[domain]
attributes = { id = "Person", salary = "int" }
symbols = { s = "s >= 0" }
universe = "product"
[granularity]
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and differ_only(x, y, salary) and x != y and abs(salary(x) - salary(y)) <= s"
change = { x = -1, y = 1 }
[[map]]
name = "people"
use = "partition"
by = "id"
[[part]]
name = "p"
map = "people"
granularity = { use = "nearby", value = "salary" }
guarantee = { pure = "eps" }
"""


@pytest.mark.parametrize("known", shared(1, ["w >= 0", "w >= -5", "w != 0", "true"]))
def test_a_bound_that_is_less_for_numbers_below_one_says_so(tmp_path, known):
    text = NEAR.replace("w >= 1", known).replace("< w", "<= w")
    _, said = call(tmp_path, text, "derive")
    (bound,) = said["bounds"]
    assert bound["text"] == "sum of the 2 largest eps[i]"
    if known == "w != 0":
        assert "elsewhere" not in bound  # nothing changes for numbers below 0
        return
    (other,) = bound["elsewhere"]
    assert (other["symbols"], other["text"], other["tight"]) == ("w = 0", "max(eps[i])", "yes")
    _, there = call(tmp_path, text, "derive", "--set", "w=0")
    assert there["bounds"][0]["text"] == other["text"]
    said = CliRunner().invoke(main, ["derive", str(tmp_path / "spec.toml")]).output
    assert "for w = 0: max(eps[i]), tight" in said


def test_where_no_number_needs_a_bound_of_its_own_there_is_none(tmp_path):
    _, said = call(tmp_path, NEAR.replace("w >= 1", "w >= 0").replace("x != y", "x != y and w > 3"),
                   "derive", "--set", "w=5")  # fmt: skip
    assert "elsewhere" not in said["bounds"][0]
    _, said = call(tmp_path, NEAR, "derive")
    assert "elsewhere" not in said["bounds"][0]


def test_symbols_that_may_be_zero_stand_in_bounds_from_one_on(tmp_path):
    _, said = call(tmp_path, STEPS, "derive")
    assert said["verdict"] == "unknown"
    (other,) = said["bounds"][0]["elsewhere"]  # for s = 0 nothing changes
    assert (other["symbols"], other["text"]) == ("s >= 1", "s*max(eps[i])")


def test_reports_state_the_bounds_for_other_numbers(tmp_path):
    text = NEAR.replace("w >= 1", "w >= 0").replace("< w", "<= w")
    paper, page = tmp_path / "c.tex", tmp_path / "c.html"
    call(tmp_path, text, "derive", "--latex", str(paper), "--html", str(page))
    assert r"For $w = 0$ it is $\max_{i} \varepsilon_i$, and this cannot" in paper.read_text()
    assert "<mi>w</mi><mo>&#x0003D;</mo><mn>0</mn>" in page.read_text()
