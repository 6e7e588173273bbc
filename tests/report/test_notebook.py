"""Results in notebooks."""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym import notebook
from dpcomp_sym.atlas import atlas, default_table
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.engine import Proved, Unknown
from dpcomp_sym.membership import Membership, pair_at
from dpcomp_sym.metrics.relate import GranularityComparison
from dpcomp_sym.report import notebook as reports_of
from dpcomp_sym.report.latex import escape as escape_latex
from dpcomp_sym.report.markdown import escape
from dpcomp_sym.report.text import TIGHT
from dpcomp_sym.stability import check_stability, claims_of
from theorems import _run as library
from theorems._answers import verify_theorems

FOLDER = Path(__file__).resolve().parents[2] / "examples"


def read(text: str) -> str:
    """Check that HTML is well-formed, and return its words."""
    assert "http" not in text.replace("http://www.w3.org/", "")
    return " ".join("".join(ET.fromstring(text).itertext()).split())


def forms(value):
    """Return what IPython would show of a result: the words of HTML, Markdown, LaTeX."""
    return read(notebook.html(value)), notebook.markdown(value), notebook.latex(value)


def test_a_derivation_has_every_representation(example, derived) -> None:
    found = derived(example)
    words, markdown, latex = forms(found)
    assert found.title in words
    assert markdown.startswith(f"**{escape(found.title)}**: {found.verdict}")
    assert latex.startswith(rf"\textbf{{{escape_latex(found.title)}}}: {found.verdict}")
    for bound in () if found.vacuous else found.bounds:
        for text in (markdown, latex):
            assert bound.latex[:8] in text
            assert TIGHT[bound.tight] in text
    for condition in found.conditions.values():
        for text in (words, markdown, latex):
            assert condition.verdict in text


@pytest.mark.parametrize("name", ["compatibility", "sensitivity"])
def test_a_condition_and_its_counterexample(name, derived) -> None:
    condition = derived("bounded-partition").conditions[name]
    for text in forms(condition):
        assert "refuted" in text
        assert "holds exactly when h is constant" in text
    assert condition.statement[1:] in forms(condition)[0]
    for outcome in (condition.outcome, condition.outcome.counterexample):
        words, markdown, latex = forms(outcome)
        assert "id = record1" in words
        assert "| id = record1 | **1** | **0** |" in markdown
        assert r"& record1 & \textbf{1} & \textbf{0} \\" in latex


def test_a_problem_and_a_bound(derived) -> None:
    found = derived("own-granularity")
    for text in forms(found.problem):
        assert "household visits within w days" in text
        assert "Definition 2 (Neighbours)" in text
    for text in forms(found.bounds[0]):
        assert "tight" in text
    assert f"${found.bounds[0].latex}$" in forms(found.bounds[0])[1]


def full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def of_each_type():
    """Yield results with words that a reader must find, none of them in a report."""
    spec = FOLDER / "claims" / "parallel-bounded.toml"
    claimed = ["refuted", "Claim: the composition is", "no finite guarantee"]
    yield dp.refute(spec, "max(eps[i])"), claimed
    refuted = dp.refute(FOLDER / "ambulances.toml", "2*max(rho[i])")
    yield refuted, ["refuted", "What is derived"]
    yield refuted.counterexample, ["ambulance1", "for every", "where 2 is claimed"]
    survey = dp.load_any(FOLDER / "uncertain" / "votes.toml")
    yield survey.derive(), ["Derivation", "Desfontaines"]
    yield survey.refute("1"), ["refuted", "Event: the output is", "Probability"]
    given = dp.load_any(FOLDER / "metric" / "homes-and-places.toml").derive()
    yield given, ["Tightness", "kilometres between the two homes"]
    yield given.bounds["pure"], ["home"]
    found = dp.load_spec(FOLDER / "ambulances.toml", ["k=5", "eps=[1,2,3,4,5]"]).derive()
    yield found.comparison, ["advanced", "optimal", "12"]
    yield dp.compare(one=found, two=found.subs(k=4, eps=1)), ["= 12", "= 3", "tight, smallest"]
    yield found.problem.domain, ["cell", "Databases"]
    household = dp.load_spec(FOLDER / "own-granularity.toml").problem.granularity
    yield household, ["household(person(c)) == f", "x != y", "What changes"]
    yield dp.library_granularity("user", owner="person"), ["owner", "person"]
    yield found.sweep(eps=[1, [1, 2, 3, 4, 6]]), ["eps", "pure", "13"]
    yield found.profile, ["What neighbours change", "at distance 1", "add up to at most"]
    yield found.witnesses["pure"], ["counts[i]", "exp(-eps[i]*t)/2"]
    yield found.theorems["pure"], ["-neighbours", "8 steps", "GB24s"]
    names = ("unbounded", "bounded")
    given = {name: dp.library_granularity(name) for name in names}
    compared = GranularityComparison("records", dp.Domain({"id": "Record"}), given)
    yield compared, ["“bounded” (proved)", "The number of edits from", "how far apart"]
    limited = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, "bounded")
    yield limited, ["any two allowed", "membership vector"]
    weights = {"databases": [Fraction(n) for n in range(4)]}
    yield pair_at(limited, {"k": 4, "m": 1}, weights), ["Weight: 5"]
    claims = claims_of(FOLDER / "foreign" / "released_library.py")
    yield check_stability(claims[0]), ["refuted", "claimed is at most"]
    yield check_stability(claims[2]), ["checked", "Outputs are at most apart"]
    proved = claims_of(FOLDER / "foreign" / "proved.py")[0]
    yield check_stability(proved), ["proved", "Assumed: the function returns what"]
    yield Proved(), ["proved"]
    yield Unknown("nobody knows <why>"), ["unknown", "obody knows <why>"]
    yield verify(certificate(found.theorems, found)), ["verified", "steps replayed"]
    cells = atlas(default_table().slice(["unbounded"], ["partition"]))
    yield cells, [""]
    found = verify_theorems("Corollary IV.13")
    yield found, ["Corollary IV.13", "derived", "Checked by coqc"]


def test_results_of_every_other_type() -> None:
    seen = set()
    for value, wanted in of_each_type():
        words, markdown, latex = forms(value)
        latex = latex.replace(r"\allowbreak{}", "")
        for word in wanted:
            assert word in words
            assert escape(word) in markdown or word in markdown
            assert escape_latex(word) in latex
        seen.add(full_name(type(value)))
    # What the reports can show is what IPython asks them for, and each of it was shown.
    asked = {name for name, place in notebook.TYPES.items() if place == notebook._REPORT}
    assert asked == {f"dpcomp_sym.{name}" for name in reports_of._SHOWN}
    reports = {"Condition", "Counterexample", "Refuted", "Problem", "Bound"}  # tested above
    elsewhere = {
        "Checked",
        "Vacuous",
        "Derivation",
        "Entry",
        "Outcome",
    }
    assert {n for n in notebook.TYPES if n.rpartition(".")[2] not in reports | elsewhere} <= seen


# Parts of results, which are shown with the whole.
PARTS = {
    "derivation.accounting.TheoremAnswer", "derivation.derive.Step", "stability.check.TriedPair",
    "metrics.expressions.InequalityAnswer", "metrics.distance_relation.DistanceRelation",
    "optimal.compare.AnswerRow", "optimal.readings.BoundReading", "smt.proofs.WrittenProofs",
    "uncertainty.settings.claims.Event", "uncertainty.settings.guarantee.StatedGuarantee",
    "uncertainty.settings.guarantee.TextTable",
}  # fmt: skip


def classes_of_results():
    """Yield the name of every class with plain data to give out, but for the kernel's terms."""
    for module in pkgutil.walk_packages(dp.__path__, "dpcomp_sym."):
        if module.name.startswith(("dpcomp_sym.__main__", "dpcomp_sym.statements.terms")):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            ours = isinstance(value, type) and value.__module__ == module.name
            if ours and hasattr(value, "as_json"):
                yield f"{module.name.partition('.')[2]}.{value.__name__}", value


def test_every_type_of_result_is_shown() -> None:
    found = dict(classes_of_results())
    assert found.keys() >= PARTS
    shown = {
        name
        for name, one in found.items()
        if any(full_name(kind) in notebook.TYPES for kind in one.__mro__)
    }
    assert shown == found.keys() - PARTS


def test_a_theorem_of_the_library() -> None:
    name = "private_sum_of_adaptive_sequential"
    for text in forms(library.entries()[name]):
        assert "derived" in text
        assert "GB24.II.5" in text
    for text in forms(library.run(name, telling=True)):
        assert "adaptive composition, by induction on the number of blocks" in text


@pytest.mark.tex
def test_latex_needs_no_more_than_a_notebook_has(derived, tmp_path, complaints_of_tex) -> None:
    values = [value for value, _ in of_each_type()]
    for name in ("bounded-partition", "membership/hospitals-bounded", "uncertain/survey"):
        found = derived(name)
        values += [found, *getattr(found, "conditions", {}).values()]
    values += [derived("own-granularity").problem, derived("own-granularity").bounds[0]]
    values.append(library.run("private_sum_of_adaptive_sequential", telling=True))
    packages = "lmodern,amsmath,amssymb,array,booktabs,longtable"
    body = "\n\n".join(forms(value)[2] for value in values)
    (tmp_path / "all.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}"
        rf"\usepackage{{{packages}}}\begin{{document}}{body}\end{{document}}",
        encoding="utf-8",
    )
    assert complaints_of_tex("all.tex") == []


FORMS = ("html", "latex", "markdown", "plain")


def test_ipython_is_told_and_nothing_is_loaded_for_it() -> None:
    script = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import dpcomp_sym as dp")
loaded = sorted({"z3", "sympy", "dpcomp_sym.report.notebook"} & set(sys.modules))
shell.run_cell('''problem = dp.Problem(
    dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
    [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")])''')
formats, _ = shell.display_formatter.format(shell.user_ns["problem"])
print(json.dumps([loaded, sorted(formats), "Neighbours" in formats["text/html"]]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [[], [f"text/{n}" for n in FORMS], True]
