"""Answers that can be asked further: the same numbers, files and messages as the command line."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import dpcomp_sym as dp
from tests.command import dpcomp

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PARTITION = """
title = "Blocks"
granularity = "bounded"
[domain]
attributes = { id = "Record" }
[[part]]
name = "counts"
map = "partition"
setting = "common"
"""


@pytest.fixture(scope="module")
def blocks():
    return dp.load(PARTITION).derive()


def told(document):
    """Return a result without its counterexamples: of several smallest ones any may be found."""
    conditions = {n: {**c, "counterexample": None} for n, c in document["conditions"].items()}
    return json.loads(json.dumps({**document, "conditions": conditions}))


# Of every kind: symbols, several parts, mixed notions, (eps, delta), no bound, nothing protected.
@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("ambulances", {"eps": 1, "delta": "1/100"}),
        ("ambulances", {"k": 2}),
        ("ambulances", {"k": 5, "eps": "1/i", "delta": 0}),
        ("bounded-partition", {"eps": [1, 2, 4]}),
        ("bounded-partition", {"k": 1, "eps": 3}),
        ("mixed-notions", {"k": 3}),
        ("query-and-partition", {"eps": 2, "eps0": 1, "k": 4}),
        ("stream-w-event-days", {"k": 4, "w": 2}),
        ("free-lunch-identity", {}),
        ("values-in-steps", {"s": 2, "k": 3, "eps": [1, 1, 2]}),
        ("membership/hospitals", {"k": 4, "m": 1, "eps": [1, 2, 3, 4]}),
    ],
)
def test_numbers_put_in_later_are_the_numbers_of_the_question(tmp_path, name, numbers):
    """``subs`` derives again only where it must, and it cannot be told from deriving."""
    later = dp.load(EXAMPLES / f"{name}.toml").derive().subs(**numbers)
    at_once = dp.load(EXAMPLES / f"{name}.toml", **numbers).derive()
    assert told(later.as_json()) == told(at_once.as_json())
    assert later.notes == at_once.notes
    sets = [text for n, v in numbers.items() for text in ("--set", f"{n}={v}")]
    done = dpcomp("derive", str(EXAMPLES / f"{name}.toml"), *sets, "--json")
    document = json.loads(later.save(tmp_path / "result.json").read_text())
    assert told(json.loads(done.stdout)) == told(document)


def test_nothing_is_derived_for_a_number_of_a_parameter(blocks, monkeypatch):
    three = blocks.subs(k=3)
    monkeypatch.setattr("dpcomp_sym.derivation.derive.derive", None)
    assert three.subs(eps=[1, 2, 4]).subs(eps=[1, 2, 5]).bound("pure").value == 7
    with pytest.raises(TypeError):
        three.subs(k=4)


def test_a_later_number_takes_the_place_of_an_earlier_one(blocks):
    assert blocks.subs(k=1).subs(k=4).subs(eps=1).bound().value == 2
    with pytest.raises(dp.InputError, match="eps: 'eps' has 2 numbers, but k = 3"):
        blocks.subs(k=3).subs(eps=[1, 2])


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("given", "value"),
    [
        ([0.1, 0.2, 0.3], Fraction(1, 2)),
        (np.array([0.1, 0.2, 0.3]), Fraction(1, 2)),
        (np.array([0.1, 0.2, 0.3], dtype=np.float32), Fraction(1, 2)),
        (np.array([1, 2, 3]), 5),
        (np.arange(3), 3),
        ([sp.Rational(1, 3), sp.Integer(1), sp.Float("0.5")], Fraction(3, 2)),
        ((x for x in (1, 2, 3)), 5),
        (range(3), 3),
        (lambda i: 1 / i, Fraction(3, 2)),
        (lambda i: sp.Max(1, i), 5),
        (lambda i: 3 if i == 2 else 1, 4),
        (lambda i: 4 if sp.Max(1, i) == 2 else 1, 5),
        (lambda i: Fraction(1, i), Fraction(3, 2)),
        (lambda i: [3, 2, 1][i - 1], 5),
        (lambda _: 2, 4),
        (1 / sp.Symbol("i"), Fraction(3, 2)),
        ("1/i", Fraction(3, 2)),
        (np.float64(0.25), Fraction(1, 2)),
        (np.int64(2), 4),
        (np.array(0.25), Fraction(1, 2)),
        (0.1, Fraction(1, 5)),
    ],
)
def test_numbers_are_exact(blocks, given, value):
    found = blocks.subs(k=3, eps=given).bound("pure")
    assert found.value == value
    assert isinstance(found.value, int | Fraction)


@pytest.mark.parametrize("look", [lambda i: i == 2000, lambda i: sp.Max(1, i) == 2000])
def test_a_function_that_looks_at_one_of_many_blocks(blocks, look):
    """The first thousand blocks are alike: that alone makes no formula."""

    def eps(i):
        return 5 if look(i) else 1

    assert blocks.subs(k=5000, eps=eps).bound("pure").value == 6
    with pytest.raises(dp.InputError, match="the function of i is not a formula in i"):
        blocks.subs(eps=eps)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"epss": 1}, "epss: unknown parameter 'epss'; did you mean 'eps'?"),
        ({"eps": sp.pi}, "eps: unknown name 'pi' in the formula 'pi'"),
        ({"eps": [sp.sqrt(2), sp.Symbol("i")]}, "eps: i is a formula: in a list each block"),
        ({"eps": sp.log(sp.Rational(1, 2))}, r"eps: 'eps' is -1\*log\(2\), but cannot be negative"),
        ({"eps": "sqrt(-1)"}, r"eps: 'sqrt\(-1\)' has the root of a number less than 0"),
        (
            {"eps": "log(0)"},
            r"eps: 'log\(0\)' has the logarithm of a number that is not greater than 0",
        ),
        ({"eps": "log(1, 2)"}, r"eps: 'log' in 'log\(1, 2\)' takes one argument, not 2"),
        ({"eps": "1/(1 + sqrt(2))"}, r"eps: '1/\(1 \+ sqrt\(2\)\)' divides by a sum with a root"),
        ({"eps": "1/(sqrt(2) - sqrt(2))"}, r"eps: '1/\(sqrt\(2\) - sqrt\(2\)\)' divides by zero"),
        (
            {"eps": "sqrt(2)**(1/3)"},
            r"eps: 'sqrt\(2\)\*\*\(1/3\)' has an exponent that is neither a whole number nor half",
        ),
        ({"eps": "sqrt(2)**1000"}, r"eps: 'sqrt\(2\)\*\*1000' has an exponent larger than 64"),
        ({"eps": "exp(10**6)"}, r"eps: 'exp\(10\*\*6\)' has a power of e larger than e\^1000"),
        (
            {"k": 20_000, "eps": "sqrt(i)"},
            r"eps: 'sqrt\(i\)' for 20000 blocks is more than 10,000 such numbers",
        ),
        ({"eps": float("nan")}, "eps: nan is not a finite number"),
        ({"eps": np.inf}, "eps: inf is not a finite number"),
        ({"eps": True}, "eps: True is a truth value"),
        ({"eps": np.True_}, "eps: True is a truth value"),
        ({"eps": -1}, "eps: 'eps' is -1, but cannot be negative"),
        ({"eps": []}, "eps: the list is empty"),
        ({"eps": [[1, 2], [3, 4]]}, "eps: a list in a list is not a number"),
        ({"eps": object()}, "eps: <object.*is not a number"),
        ({"eps": None}, "eps: None is not a number"),
        ({"eps": [sp.Symbol("i")]}, "eps: i is a formula"),
        ({"eps": 1j}, "eps: 1j is not a number"),
        ({"k": 0}, "k: k = 0 contradicts 'k >= 1'"),
        ({"k": 1.5}, "k: 'k' is a whole number, not 3/2"),
        ({"k": [1]}, "k: 'k' is a whole number"),
        ({"k": lambda i: i}, "k: a function gives one number for each block"),
        ({"eps": lambda i: (i, i)}, "eps: the function of i returns"),
        ({"eps": lambda i: 3 if i == 2 else 1}, "eps: the function of i is not a formula in i: g"),
        ({"delta": 0.1}, "delta: 'delta' is given, but 'eps' is missing"),
        ({"k": 3, "eps": lambda i: 1 / (i - 1)}, "eps: .*divides by zero in block 1"),
    ],
)
def test_a_wrong_number_is_refused_by_name(blocks, numbers, said):
    with pytest.raises(dp.InputError, match=f"^{said}"):
        blocks.subs(**numbers)


def test_numbers_of_a_derivation_are_kept():
    problem = dp.load(PARTITION).problem
    found = dp.derive(problem, {"eps": [1.0, 2.0]})
    assert isinstance(found.bound().value, float)
    assert found.subs(delta=[0, "1/2"]).bound("approximate").value == (3, Fraction(1, 2))
    assert dp.derive(problem, sizes={"k": 1}).subs(eps=2).bound().value == 2
    assert dp.derive(problem, eps=[1, 2], delta=0).bound("approximate").value == (3, 0)
    assert dp.derive(dp.load(PARTITION), title="Other", k=1).title == "Other"
    assert dp.derive(PARTITION, k=1).bound().text == "max(eps[i])"


def test_conditions_by_the_names_of_papers(blocks):
    assert blocks.C1 is blocks.conditions["C1"] is blocks.conditions["compatibility"]
    assert blocks.C1.weakest is not None
    assert blocks.C1.weakest in repr(blocks.C1)
    assert repr(blocks.C1).startswith("<C1: refuted (at most 2 blocks change); ")
    with pytest.raises(dp.InputError, match="there is no condition 'C3'; known here: C1, "):
        blocks.conditions["C3"]
    several = dp.load(EXAMPLES / "query-and-partition.toml").derive()
    name = next(n for n in several.conditions if n.startswith("sensitivity["))
    assert several.conditions[name.replace("sensitivity", "C2")] is several.conditions[name]
    with pytest.raises(dp.InputError, match="there is no bound in 'pur'; did you mean 'pure'"):
        blocks.bound("pur")


def test_claims_are_decided_about_what_was_derived(blocks, monkeypatch):
    monkeypatch.setattr("dpcomp_sym.derivation.derive.derive", None)
    assert blocks.refute("max(eps[i] + eps[j])").verdict == "proved"
    false = blocks.refute("max(eps[i])")
    assert false.verdict == "refuted"
    assert false.derivation is blocks
    assert repr(false).startswith("<Decision 'max(eps[i])': refuted")
    assert "import" in false.script()
    assert blocks.refute("changed(partition) <= 2").verdict == "proved"
    with pytest.raises(dp.InputError, match="ep"):
        blocks.refute("max(ep[i])")
    membership = dp.load(EXAMPLES / "membership/hospitals.toml")
    monkeypatch.undo()
    with pytest.raises(dp.InputError, match="membership"):
        membership.derive().refute("max(eps[i])")


def test_a_claim_is_about_the_numbers_of_the_answer(blocks):
    numbers = blocks.subs(eps=[1, 2, 4])
    for claim, verdict in (("6", "proved"), ("5", "refuted")):
        assert numbers.refute(claim, "pure").verdict == verdict
        assert dp.refute(numbers.spec, claim, notion="pure").verdict == verdict
    with pytest.raises(dp.InputError, match=r"^claim: '6' does not tell in which notion"):
        numbers.refute("6")


def test_names_that_a_notebook_completes():
    assert dir(dp) == sorted([*dp.__all__, "atlas", "stability"])
    assert all(hasattr(dp, name) for name in dir(dp))


def test_a_sweep(blocks):
    swept = blocks.subs(eps=1).sweep(k=range(1, 5))
    assert swept.values() == swept.values("pure") == [1, 2, 2, 2]
    assert told(swept[0].as_json()) == told(blocks.subs(eps=1, k=1).as_json())
    assert [a.conditions["C1"].verdict for a in swept[:2]] == ["proved", "refuted"]
    assert repr(swept).splitlines()[1] == "k = 2: pure 2"
    assert repr(blocks.sweep(k=[2])).startswith("k = 2: pure sum of the 2 largest eps[i], approx")
    assert blocks.sweep(k=range(1, 5), eps=1).values() == [1, 2, 2, 2]
    assert blocks.sweep("eps", eps=[1, 2], k=3).values() == [2, 4]
    with pytest.raises(dp.InputError, match="one name takes several values"):
        blocks.sweep(k=[1, 2], m=[1, 2])
    for wrong in ({}, {"k": 3}, {"k": "123"}, {"k": 1, "eps": 1}):
        with pytest.raises(dp.InputError, match="a sweep"):
            blocks.sweep(**wrong)
    with pytest.raises(dp.InputError, match="did you mean 'pure'"):
        swept.values("prue")
    assert len(blocks.sweep(k=[])) == 0


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "option"),
    [("a.tex", "--latex"), ("a.html", "--html"), ("a.v", "--rocq"), ("a.cert", "--certificate"),
     ("b.tex", "--latex-fragment")],
)  # fmt: skip
def test_files_are_those_of_the_command_line(
    tmp_path, spec_file, blocks, monkeypatch, name, option
):
    place, theirs = tmp_path / name, tmp_path / f"theirs-{name}"
    form = option[2:] if name in {"a.cert", "b.tex"} else None
    assert blocks.save(place, form) == place
    monkeypatch.setattr("dpcomp_sym.cli.derive.derivation", lambda _: blocks)
    dpcomp("derive", spec_file(PARTITION), option, str(theirs))
    assert place.read_text() == theirs.read_text()


def test_compositions_are_compared_as_on_the_command_line(spec_file, blocks):
    compared = blocks.subs(eps=[1, 1, 1], delta=0).at(delta=0.01, theorems=True)
    given = ["--set", "eps=[1,1,1]", "--set", "delta=0", "--at-delta", "0.01", "--theorems"]
    done = dpcomp("derive", spec_file(PARTITION), *given, "--json")
    assert told(json.loads(done.stdout)) == told(compared.as_json())
    with pytest.raises(dp.InputError, match="there is nothing to compare"):
        blocks.at(delta=0.01)
    for wrong in (1, -1, [1], "x", "i"):
        with pytest.raises(dp.InputError, match=r"^delta: "):
            compared.at(delta=wrong)


def test_other_files(tmp_path, blocks):
    document = blocks.save(str(tmp_path / "a.json")).read_text()
    assert json.loads(document) == json.loads(json.dumps(blocks.as_json()))
    assert "Blocks" in blocks.save(tmp_path / "a.md").read_text()
    assert blocks.certificate()["schema"] == "dpcomp-certificate/2"
    assert json.loads(blocks.save(tmp_path / "c.json", "certificate").read_text()) == (
        json.loads(json.dumps(blocks.certificate()))
    )


@pytest.mark.parametrize(
    ("place", "form", "said"),
    [
        ("a.txt", None, r"a.txt: nothing is written as '.txt'; did you mean '.tex'\?"),
        ("a", None, "a: nothing is written as ''; known here"),
        ("a.tex", "latx", r"unknown form 'latx'; did you mean 'latex'\?"),
        ("a.svg", None, "curve has nothing to draw here"),
    ],
)
def test_what_is_no_file_about_it(tmp_path, blocks, place, form, said):
    with pytest.raises(dp.InputError, match=f"^{said}"):
        blocks.save(tmp_path / place, form)
    assert list(tmp_path.iterdir()) == []


def test_a_place_where_no_file_can_be(tmp_path, blocks):
    with pytest.raises(FileNotFoundError):
        blocks.save(tmp_path / "no" / "a.tex")
    with pytest.raises(dp.InputError, match="certificate does not write about a spec with"):
        dp.load(EXAMPLES / "membership/hospitals.toml").derive().certificate()


def test_specs_of_random_data_are_loaded_too():
    survey = EXAMPLES / "uncertain/survey.toml"
    assert dp.load(survey).derive().guarantees
    with pytest.raises(dp.InputError, match="numbers for random data"):
        dp.load(survey, n=3)
    with pytest.raises(dp.InputError, match="random data"):
        dp.derive(survey)


# Blocks and single mechanisms, several indices, symbols of the domain, a conversion's own choice.
@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("query-and-partition", {"k", "eps[1]", "eps0", "delta[1]"}),
        ("stream-w-event-days", {"k", "w", "eps[1]", "mu[1]"}),
        ("mixed-notions", {"k"}),
    ],
)
def test_symbols_are_those_of_the_bounds(name, symbols):
    found = dp.load(EXAMPLES / f"{name}.toml").derive()
    known = found.symbols
    shown = {str(s[1] if isinstance(s, sp.IndexedBase) else s) for s in known.values()}
    assert shown >= symbols
    used = set()
    for bound in found.bounds:
        expression = bound.sympy()
        if expression is not None:
            bases = {x.base for x in expression.atoms(sp.Indexed)}
            labels = {base.label for base in bases}
            used |= bases | {s for s in expression.free_symbols if s.is_Symbol and s not in labels}
    assert used
    assert used <= set(known.values())


def test_a_bound_in_sympy_is_the_bound_in_numbers(blocks):
    bound, k, eps = blocks.bound().sympy(), blocks.symbols["k"], blocks.symbols["eps"]
    numbers = [sp.Rational(1, 2), 3, 1]
    chosen = {k: 3} | {eps[n]: x for n, x in enumerate(numbers, 1)}
    assert bound.subs(chosen).doit() == blocks.subs(eps=numbers).bound().value == 4
    assert sp.lambdify((k, eps), bound)(3, np.array([0.5, 3.0, 1.0])) == 4.0


def test_numbers_for_parameters_keep_the_bounds_for_other_numbers_of_a_symbol():
    days = dp.Domain(id="Record", day=int)
    w, c = days.symbol("w", at_least=0), days.c
    near = dp.Granularity("near", [dp.Edit(
        x=c, y=c, guard=lambda x, y: (days.D[x] >= 1) & (x != y) & (abs(x.day - y.day) <= w),
        change={"x": -1, "y": 1},
    )])  # fmt: skip
    found = dp.derive(days, near, p=dp.partition(c.day, pure="eps", setting="common"))
    for numbers in ({"eps": 1}, {"eps": [1, 2]}):
        put_in = found.subs(**numbers)
        anew = dp.derive(found.problem, **numbers)
        said = [[(str(n), b.text) for n, b in a.bound().elsewhere] for a in (put_in, anew)]
        assert said[0] == said[1] == [("w = 0", "max(eps[i])")]
    assert found.subs(w=0, eps=1).bound().elsewhere == ()


def test_decisions_refutations_and_comparisons_are_written_to_files(blocks, tmp_path):
    from tests.command import dpcomp as run

    no = blocks.refute("max(eps[i])")
    assert no.verdict == "refuted"
    for suffix in (".tex", ".html", ".md", ".json", ".py"):
        text = no.save(tmp_path / f"no{suffix}").read_text(encoding="utf-8")
        claimed = "max(eps" if suffix in {".json", ".py"} else r"\max_{i} \varepsilon_i"
        assert (">max</mo>" if suffix == ".html" else claimed) in text, suffix
    assert (tmp_path / "no.py").read_text(encoding="utf-8") == no.script()
    spec = tmp_path / "spec.toml"
    spec.write_text(PARTITION, encoding="utf-8")
    done = run(
        "refute", str(spec), "--claim", "max(eps[i])", "--html", str(tmp_path / "other.html"),
        "--latex", str(tmp_path / "other.tex"), "--json",
    )  # fmt: skip
    # Of several smallest counterexamples any may be found.
    printed, saved = json.loads(done.stdout), json.loads((tmp_path / "no.json").read_text())
    assert {**printed, "counterexample": None} == {**saved, "counterexample": None}
    for suffix in (".html", ".tex"):
        sizes = [len((tmp_path / f"{n}{suffix}").read_text()) for n in ("other", "no")]
        assert sizes[0] == sizes[1]
    yes = blocks.refute("sum(eps[i])")
    with pytest.raises(dp.InputError, match=r"yes\.py: nothing is written as '\.py'"):
        yes.save(tmp_path / "yes.py")
    assert not (tmp_path / "yes.py").exists()
    changed = blocks.refute("changed(partition) <= 1")
    assert "refuted" in changed.save(tmp_path / "changed.md").read_text()
    assert json.loads(changed.save(tmp_path / "changed.json").read_text())["claim"]
    again = dp.examine(blocks.problem, "changed(partition) <= 1")
    assert (again.name, again.verdict) == (changed.name, changed.verdict)
    for one in (changed, again):
        assert one.outcome.counterexample.reason == "2 blocks change"
    order = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
    for suffix in (".tex", ".html", ".md", ".json"):
        assert "bounded" in order.save(tmp_path / f"order{suffix}").read_text()


def test_works_are_written_for_bibtex(blocks, tmp_path):
    text = blocks.save(tmp_path / "refs.bib").read_text()
    article = blocks.save(tmp_path / "report.tex").read_text()
    cited = {key for keys in re.findall(r"\\cite(?:\[[^\]]*\])?\{([^}]*)\}", article)
             for key in keys.split(",")}  # fmt: skip
    assert cited == set(re.findall(r"@\w+\{(\w+),", text))
    assert cited
    assert text.isascii()


def test_every_work_has_the_fields_that_its_kind_needs():
    from dpcomp_sym.report.works import WORKS

    needed = {
        "inproceedings": {"author", "title", "booktitle", "year"},
        "article": {"author", "title", "journal", "year"},
        "phdthesis": {"author", "title", "school", "year"},
        "misc": {"author", "title", "note"},
    }
    for key, work in WORKS.items():
        entry = work.bibtex(key)
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        assert needed[work.kind] <= {n for n, value in fields.items() if value}, key
        assert entry.isascii(), key
        assert entry.count("{") == entry.count("}")


def test_what_is_found_of_random_data_is_saved_as_by_the_options(tmp_path):
    spec = tmp_path / "random.toml"
    spec.write_text("""
title = "A sum"
[variables]
first = { 0 = "1/2", 1 = "1/2" }
other = { copies = 3, 0 = "1/2", 1 = "1/2" }
[knowledge]
target = "first"
delta = "1/10"
[[mechanism]]
name = "all"
output = "first + other"
""")
    found = dp.load(spec).derive()
    options = {"tex": "--latex", "html": "--html", "bib": "--bibtex"}
    places = {end: tmp_path / f"command.{end}" for end in options}
    written = [word for end, option in options.items() for word in (option, str(places[end]))]
    said = dpcomp("derive", str(spec), "--json", *written)
    for end, place in places.items():
        assert found.save(tmp_path / f"saved.{end}").read_text() == place.read_text(), end
    saved = json.loads(found.save(tmp_path / "saved.json").read_text())
    assert saved["bounds"] == json.loads(said.stdout)["bounds"]
    assert "A sum" in found.save(tmp_path / "saved.md").read_text()
    with pytest.raises(dp.InputError, match=r"saved\.v: nothing is written as '\.v'"):
        found.save(tmp_path / "saved.v")
    assert not (tmp_path / "saved.v").exists()


def test_what_is_equal_has_one_hash(blocks):
    """Problems, their pieces and answers are keys: what is read twice is one of them."""
    again = dp.load(blocks.problem.to_toml())
    assert {blocks.problem, again.problem} == {blocks.problem}
    problem = blocks.problem
    for one in (problem.domain, problem.granularity, *problem.maps, *problem.parts, blocks):
        assert hash(one) == hash(one)
    there, back = dp.Domain(a="A", b="B"), dp.Domain(b="B", a="A")
    assert (there == back) <= (hash(there) == hash(back))
    assert {blocks.refute("1", "pure")}


def test_a_claim_or_an_edit_of_another_kind_is_refused(blocks):
    with pytest.raises(dp.InputError, match="a claim is a text such as"):
        dp.refute(blocks.problem, None)
    for word, meant in (({"gard": "D[x] >= 1"}, "guard"), ({"chnge": {"x": 1}}, "change")):
        with pytest.raises(dp.InputError, match=f"did you mean '{meant}'"):
            dp.Edit(x="cell", **word)


def test_roots_and_logarithms_are_exact_numbers(blocks):
    three = blocks.subs(k=2, eps=[sp.sqrt(2), sp.log(3)]).bound("pure")
    assert (three.exact, float(three.value)) == ("log(3) + sqrt(2)", pytest.approx(2.512826, 1e-6))
    assert blocks.subs(k=3, eps=lambda i: sp.log(2 * i)).bound("pure").exact == "log(4) + log(6)"
    assert blocks.subs(k=2, eps="[exp(1/2), 1]").bound("pure").exact == "1 + e^(1/2)"
    assert blocks.subs(k=2, eps="1/sqrt(2)").bound("pure").exact == "sqrt(2)"
    assert blocks.subs(k=2, eps=sp.sqrt(8) ** 3 / sp.sqrt(2)).bound("pure").value == 32
    again = dp.load(blocks.subs(k=2, eps=sp.log(3)).spec.to_toml()).derive()
    assert again.bound("pure").exact == "2*log(3)"


def test_what_such_mechanisms_lose_together_is_enclosed(blocks):
    [row] = blocks.subs(k=2, eps=sp.log(3)).at(delta=0).numbers["rows"]
    assert row["optimal_at_least"] <= 2 * math.log(3) <= row["optimal"] <= 2 * math.log(3) + 1e-9


def test_claims_about_numbers_that_are_no_fractions_are_refused(blocks):
    with pytest.raises(dp.InputError, match=r"eps: log\(3\) is no fraction: claims are decided"):
        blocks.subs(k=2, eps=sp.log(3)).refute("1/2", "pure")


def test_what_is_0_in_another_form_is_0(blocks):
    nothing = "sqrt(2)*sqrt(3) - sqrt(6)"
    assert blocks.subs(k=2, eps=nothing).bound("pure").value == 0
    with pytest.raises(dp.InputError, match="divides by zero"):
        blocks.subs(k=2, eps=f"1/({nothing})")


def test_a_question_is_written_without_what_it_has_by_itself():
    question = dp.load(EXAMPLES / "ambulances.toml")
    assert repr(question).startswith("Question(title='Ambulances: at most three hospitals each', ")
    assert "membership=None" not in repr(question)
    assert ", sizes={'k': 2}" in repr(question.subs(k=2))
